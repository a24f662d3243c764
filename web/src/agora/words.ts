/** Agora in words: its events, questions and moves, in the language of the moment. */
import { list } from "../lib/i18n/i18n.svelte.js";
import { type AgoraDistrict, type AgoraEvent, type AgoraMove, AgoraPhase, type AgoraView } from "../lib/sdk/index.js";
import type { Book, Breakdown, GameWords, Legal, Prompt, SeatInfo, Sentence } from "../table/seam.js";
import { type AgoraData, districtName, squareName } from "./data.js";
import { t } from "./messages.js";

export function agoraWords(book: Book<AgoraData>, seats: readonly SeatInfo[]): GameWords<AgoraView, AgoraMove, AgoraEvent> {
  const { data } = book;
  const name = (seat: number): string => seats[seat]?.name ?? `${seat + 1}`;
  const district = (d: AgoraDistrict): string => districtName(data, d);
  const seen = (square: number, back: AgoraDistrict): string =>
    square ? squareName(data, square) : back ? t("aSquareOf", { district: district(back) }) : t("aSquare");
  const walker = (seat: number): string => t("walkerOf", { name: name(seat), mine: seats[seat]?.isMe ?? false });

  function event(event: AgoraEvent): Sentence | undefined {
    const { case: kind, value: e } = event.kind;
    switch (kind) {
      case "taken":
        return { seat: e.seat, rule: "AG-P1.1", text: t("took", { name: name(e.seat), what: seen(e.square, e.back), from: name(e.fromSeat) }) };
      case "played":
        return {
          seat: e.seat,
          rule: "AG-P2.1",
          text: t("played", { name: name(e.seat), square: squareName(data, e.square), walkers: e.walkers, district: district(e.district) }),
        };
      case "discarded":
        return { seat: e.seat, rule: "AG-P2.4", text: t("discarded", { name: name(e.seat), what: seen(e.square, e.back) }) };
      case "walked":
        return {
          seat: e.seat,
          rule: "AG-P3.1",
          text: t("walked", { name: name(e.seat), whose: walker(e.walker), from: district(e.from), to: district(e.to) }),
        };
      case "drawn":
        return { seat: e.seat, rule: "AG-P4.1", text: t("drew", { name: name(e.seat), what: seen(e.square, e.back), pile: e.pile }) };
      case "fountainPassed":
        return { seat: e.fromSeat, rule: "AG-E1", text: t("fountain", { from: name(e.fromSeat), to: name(e.toSeat) }) };
      case "turnBegan":
        return { text: t("began", { turn: e.turn, name: name(e.fountain) }) };
      case "skipped":
        return { seat: e.seat, rule: e.rule, text: t(e.phase === AgoraPhase.TAKE ? "nothingToTake" : "noWalks", { name: name(e.seat) }) };
      case "ended":
        return { rule: "AG-F1", text: t("won", { names: list(e.winners.map(name)), several: e.winners.length > 1 }) };
      default:
        return undefined;
    }
  }

  function prompt(view: AgoraView, moves: readonly Legal<AgoraMove>[]): Prompt | undefined {
    switch (view.phase) {
      case AgoraPhase.TAKE:
        return { text: t("promptTake"), rule: "AG-P1.3" };
      case AgoraPhase.PLAY:
        return moves[0]?.move.kind.case === "discard"
          ? { text: t("promptDiscard"), rule: "AG-P2.4" }
          : { text: t("promptPlay"), rule: "AG-P2.1" };
      case AgoraPhase.FIRST_WALK:
        return { text: t(view.turn === view.turns ? "promptFirstLast" : "promptFirst"), rule: "AG-P3.1" };
      case AgoraPhase.SECOND_WALK:
        return { text: t("promptSecond"), rule: "AG-P3.2" };
      case AgoraPhase.DRAW:
        return { text: t("promptDraw"), rule: "AG-P4.1" };
      case AgoraPhase.PASS_FOUNTAIN:
        return { text: t("promptFountain"), rule: "AG-E1" };
      default:
        return undefined;
    }
  }

  function move(view: AgoraView, { move }: Legal<AgoraMove>): string | undefined {
    const { case: kind, value: m } = move.kind;
    switch (kind) {
      case "take":
        return t("moveTake", { district: district(m.back) });
      case "play":
        return t("movePlay", { square: squareName(data, m.square) });
      case "discard":
        return t("moveDiscard", { square: squareName(data, m.square) });
      case "walk":
        return t("moveWalk", { whose: walker(m.walker), from: district(m.from), to: district(m.to) });
      case "draw": {
        const top = view.piles[m.pile - 1]?.top;
        return t("moveDraw", { pile: m.pile, top: top ? district(top) : "" });
      }
      case "passFountain":
        return t("movePass", { name: name(m.seat) });
      default:
        return undefined;
    }
  }

  return {
    event,
    prompt,
    move,
    group: (_view, move) =>
      move.kind.case === "walk"
        ? t("walksOf", { name: name(move.kind.value.walker), mine: seats[move.kind.value.walker]?.isMe ?? false })
        : undefined,
    progress: (view) => (view.phase === AgoraPhase.OVER ? t("over") : t("turn", { turn: view.turn, turns: view.turns })),
    breakdown: (view) => breakdown(view, district),
  };
}

/** Each district's points go to who leads it. */
function breakdown(view: AgoraView, district: (d: AgoraDistrict) => string): Breakdown {
  return {
    rows: view.districts.map((d) => ({
      label: district(d.district),
      points: view.players.map((player) => (d.leader === player.seat ? d.points : 0)),
    })),
  };
}
