/** Barcelona in words: its events and questions, in the language of the moment. */
import { list } from "../lib/i18n/i18n.svelte.js";
import {
  BarcelonaBuilding,
  BarcelonaCitizen,
  type BarcelonaEvent,
  type BarcelonaMove,
  BarcelonaPieces,
  BarcelonaReason,
  BarcelonaStreet,
  BarcelonaTaskKind,
  BarcelonaTrack,
  type BarcelonaView,
} from "../lib/sdk/index.js";
import type { Book, Breakdown, GameWords, Prompt, SeatInfo, Sentence } from "../table/seam.js";
import { type BarcelonaData, intersection, nameOf, section, streetLetter } from "./data.js";
import { scoringName, tileName } from "./boardMessages.js";
import { ARROW_SIGNS, choiceText } from "./gaudiWords.js";
import { t } from "./messages.js";
import { moveText } from "./moveWords.js";
import { citizenName, goods, pedestrianName, siteName } from "./names.js";
import { effectText } from "./signs.js";

type Reason = Exclude<keyof typeof BarcelonaReason, "UNSPECIFIED">;
type Did = { readonly text: string; readonly rule: string; readonly depth?: 1 };

function drawn(citizens: readonly BarcelonaCitizen[]): string {
  const known = citizens.every((citizen) => citizen !== BarcelonaCitizen.UNSPECIFIED);
  return known ? list(citizens.map(citizenName)) : t("citizens", { n: citizens.length });
}

function why(reason: BarcelonaReason): string {
  return reason === BarcelonaReason.UNSPECIFIED ? "" : t(BarcelonaReason[reason] as Reason);
}

export function barcelonaWords(
  book: Book<BarcelonaData>,
  seats: readonly SeatInfo[],
): GameWords<BarcelonaView, BarcelonaMove, BarcelonaEvent> {
  const { data } = book;
  const nameAt = (seat: number): string => seats[seat]?.name ?? `${seat + 1}`;
  const action = (id: string): string => tileName(data.actions.find((tile) => tile.id === id) ?? { id, name: id }, "action");
  const street = (number: number): string => t("street", { letter: streetLetter(number) });
  const scoring = (id: string): string => {
    const tile = data.scorings.find((other) => other.id === id);
    return scoringName(tile) || id;
  };

  const sagradaTile = (id: string): string => {
    const tile = data.sagrada_tiles.find((other) => other.id === id);
    return tile ? effectText(tile.effect) : id;
  };
  const building = (which: BarcelonaBuilding): string => tileName(data.buildings[which - BarcelonaBuilding.LEVEL_1], "building");

  function event(event: BarcelonaEvent): Sentence | undefined {
    const { case: kind, value } = event.kind;
    if (kind === undefined) return undefined;
    const seat = "seat" in value ? value.seat : undefined;
    const did = told(event, seat === undefined ? "" : nameAt(seat));
    return did && { seat, ...did };
  }

  function told(event: BarcelonaEvent, name: string): Did | undefined {
    const { case: kind, value: e } = event.kind;
    switch (kind) {
      case "turnBegan":
        return { text: t("turnBegan", { name, round: e.round }), rule: "BA-T1" };
      case "placed":
        return {
          text: t("placed", { name, where: intersection(e.intersection), top: citizenName(e.top), bottom: citizenName(e.bottom) }),
          rule: "BA-A1",
        };
      case "nowhereToPlace":
        return { text: t("nowhereToPlace", { name, what: drawn(e.citizens) }), rule: "BA-A5" };
      case "actionTaken":
        return { text: t("actionTaken", { name, action: action(e.action), street: street(e.street), ridden: e.ridden }), rule: e.ridden ? "BA-TR4" : "BA-A7" };
      case "scored":
        return { text: t("scored", { name, points: t("points", { n: e.points }), why: why(e.reason) }), rule: RULE_OF_REASON[e.reason] ?? "BA-E2", depth: 1 };
      case "gained":
        return { text: t("gained", { name, goods: goods(e.coins, e.cloth), why: why(e.reason) }), rule: RULE_OF_REASON[e.reason] ?? "BA-R1", depth: 1 };
      case "paid":
        return { text: t("paid", { name, goods: goods(e.coins, e.cloth) }), rule: "BA-R1", depth: 1 };
      case "kept":
        return { text: t("kept", { name, goods: goods(e.coins, e.cloth) }), rule: "BA-R1", depth: 1 };
      case "advanced": {
        const isCerda = e.track === BarcelonaTrack.CERDA;
        const track = t(isCerda ? "trackCerda" : "trackSagrada");
        return { text: t("advanced", { name, steps: e.steps, track, space: e.space }), rule: isCerda ? "BA-CT1" : "BA-SF1", depth: 1 };
      }
      case "streetBuilt":
        return { text: t("streetBuilt", { name, what: t(e.kind === BarcelonaStreet.WIDE ? "wide" : "narrow"), where: section(e.section) }), rule: "BA-ST1" };
      case "stackEmptied": {
        const what = t(e.pieces === BarcelonaPieces.MARKERS ? "markers" : e.pieces === BarcelonaPieces.NARROW ? "narrowStreets" : "wideStreets");
        return { text: t("stackEmptied", { name, stack: e.stack, what }), rule: "BA-ST3", depth: 1 };
      }
      case "intersectionBuilt":
        return { text: t("intersectionBuilt", { name, where: intersection(e.intersection) }), rule: "BA-I1" };
      case "tramMoved":
        return { text: t("tramMoved", { name, where: section(e.section), entered: e.entered }), rule: "BA-TR1" };
      case "passengerPlaced":
        return { text: t("passengerPlaced", { name, where: section(e.section) }), rule: "BA-TR2" };
      case "cobblestonePlaced":
        return { text: t("cobblestonePlaced", { name, space: e.space }), rule: "BA-C1" };
      case "serviceBuilt":
        return { text: t("serviceBuilt", { name, service: nameOf(data.services.types, e.service) }), rule: "BA-P1" };
      case "modernismeTaken":
        return { text: t("modernismeTaken", { name, tile: scoring(e.tile), space: e.space }), rule: "BA-M1" };
      case "modernismeShown":
        return { text: t("modernismeShown", { tile: e.tile && scoring(e.tile), place: e.shown }), rule: "BA-M1", depth: 1 };
      case "projectImproved":
        return { text: t("projectImproved", { name, space: e.space }), rule: "BA-M2" };
      case "sagradaTaken":
        return { text: t("sagradaTaken", { name, tile: e.tile && sagradaTile(e.tile), level: e.level }), rule: e.tile ? "BA-SF2" : "BA-SF3", depth: 1 };
      case "built": {
        const citizens = e.citizens.map((citizen, i) =>
          t("citizenFrom", { citizen: citizenName(citizen), where: intersection(e.intersections[i] ?? 1) }),
        );
        return { text: t("built", { name, building: building(e.building), where: siteName(e.site), citizens: list(citizens) }), rule: "BA-B2" };
      }
      case "markerPlaced":
        return { text: t("markerPlaced", { name, where: siteName(e.site) }), rule: "BA-B4", depth: 1 };
      case "rowBonusTaken":
        return { text: t("rowBonusTaken", { name, row: e.row }), rule: "BA-B6", depth: 1 };
      case "citizenTracked":
        return { text: t("citizenTracked", { name, citizen: citizenName(e.citizen), space: e.space }), rule: e.space ? "BA-B7" : "BA-B9", depth: 1 };
      case "cerdaScored": {
        const points = e.values.map((value, i) => `${nameAt(i)} ${value} × ${e.multipliers[i]} = ${value * (e.multipliers[i] ?? 0)}`);
        return { text: t("cerdaScored", { section: e.section, tile: scoring(e.tile), points: points.join(", ") }), rule: "BA-CS2" };
      }
      case "endBegan":
        return { text: t("endBegan", { bagEmpty: e.bagEmpty }), rule: e.bagEmpty ? "BA-D2" : "BA-E1" };
      case "stepped":
        return { text: t("stepped", { name, who: pedestrianName(e.pedestrian), step: e.step }), rule: "BA-PG4" };
      case "joyGained":
        return { text: t("joyGained", { name, who: pedestrianName(e.pedestrian), joy: e.joy }), rule: "BA-PG7", depth: 1 };
      case "arrived":
        return { text: t("arrived", { name, who: pedestrianName(e.pedestrian), joy: e.joy }), rule: "BA-PG8" };
      case "wentBack":
        return { text: t("wentBack", { name, who: pedestrianName(e.pedestrian) }), rule: "BA-PG12", depth: 1 };
      case "hexagonPlaced":
        return { text: t("hexagonPlaced", { name, space: e.space, times: e.violet ? e.times : 0 }), rule: e.violet ? "BA-PG10" : "BA-G15" };
      case "declined":
        return { text: t("declined", { name }), rule: "BA-T2" };
      case "drew":
        return e.citizens.length
          ? { text: t("drew", { name, what: drawn(e.citizens) }), rule: "BA-D1", depth: 1 }
          : { text: t("drewNone", { name }), rule: "BA-D2", depth: 1 };
      case "ended":
        return { text: t("won", { names: list(e.winners.map(nameAt)), several: e.winners.length > 1 }), rule: "BA-E2" };
      case "cardRevealed":
        return { text: t("cardRevealed", { name, card: e.card, actions: list((data.gaudi?.cards[e.card - 1]?.actions ?? []).map(action)), arrow: ARROW_SIGNS[e.arrow] ?? "" }), rule: "BA-G4" };
      case "deckShuffled":
        return { text: t("deckShuffled", { name }), rule: "BA-G4", depth: 1 };
      case "gaudiActed":
        return { text: t("gaudiActed", { name, action: action(e.action) }), rule: "BA-G8" };
      case "gaudiGained":
        return { text: t("gaudiGained", { name, points: t("points", { n: e.points }), resources: e.resources }), rule: "BA-G2", depth: 1 };
      case "gaudiChose":
        return { text: choiceText(e, name, data), rule: e.rule, depth: 1 };
      default:
        return undefined;
    }
  }

  function prompt(view: BarcelonaView): Prompt | undefined {
    const task = view.decision?.task;
    switch (task?.kind) {
      case BarcelonaTaskKind.PLACE:
        return { text: t("askPlace"), rule: "BA-A1" };
      case BarcelonaTaskKind.ACTIONS: {
        const actions = list((view.decision?.actions ?? []).map(action), "disjunction");
        return { text: t("askActions", { where: intersection(task.intersection), actions }), rule: "BA-A7" };
      }
      case BarcelonaTaskKind.KEEP:
        return { text: t("askKeep"), rule: "BA-R1" };
      case BarcelonaTaskKind.STREET:
        return { text: t("askStreet"), rule: "BA-ST1" };
      case BarcelonaTaskKind.STREET_STACK:
        return { text: t("askStack"), rule: "BA-ST3" };
      case BarcelonaTaskKind.INTERSECTION:
        return { text: t("askIntersection"), rule: "BA-I1" };
      case BarcelonaTaskKind.TRAM:
        return { text: t("askTram"), rule: "BA-TR1" };
      case BarcelonaTaskKind.PASSENGER:
        return { text: t("askPassenger", { where: section(task.section) }), rule: "BA-TR2" };
      case BarcelonaTaskKind.RIDE:
        return { text: t("askRide"), rule: "BA-TR4" };
      case BarcelonaTaskKind.COBBLESTONE:
        return { text: t("askCobblestone"), rule: "BA-C1" };
      case BarcelonaTaskKind.SERVICE:
        return { text: t("askService"), rule: "BA-P1" };
      case BarcelonaTaskKind.MODERNISME:
        return { text: t("askModernisme"), rule: "BA-M1" };
      case BarcelonaTaskKind.IMPROVE:
        return { text: t("askImprove"), rule: "BA-M2" };
      case BarcelonaTaskKind.SAGRADA:
        return { text: t("askSagrada", { level: task.level }), rule: "BA-SF2" };
      case BarcelonaTaskKind.CHOICE:
        return { text: t("askChoice"), rule: "BA-T2" };
      case BarcelonaTaskKind.PARTS:
        return { text: t("askParts"), rule: "BA-T2" };
      case BarcelonaTaskKind.WALK: {
        const walkers = view.actor === undefined ? [] : (view.position?.players[view.actor]?.pedestrians ?? []);
        const joy = walkers[task.pedestrian - 1]?.joy ?? 0;
        return { text: t("askWalk", { who: pedestrianName(task.pedestrian), joy }), rule: "BA-PG4" };
      }
      case BarcelonaTaskKind.WALK_ONE:
        return { text: t("askWalkOne", { n: task.amount }), rule: "BA-PG4" };
      case BarcelonaTaskKind.JOY_ANY:
        return { text: t("askJoy", { n: task.amount }), rule: "BA-PG7" };
      case BarcelonaTaskKind.HEXAGON:
        return { text: t("askHexagon"), rule: "BA-PG10" };
      case BarcelonaTaskKind.RESOURCE:
        return { text: t("askResource"), rule: "BA-R1" };
      case BarcelonaTaskKind.BUILD:
        return { text: t("askBuild"), rule: "BA-B1" };
      case BarcelonaTaskKind.MARKER:
        return { text: t("askMarker"), rule: "BA-B4" };
      case BarcelonaTaskKind.START_DIE:
        return { text: t("askDie"), rule: "BA-PG3" };
      case BarcelonaTaskKind.GAUDI:
        return { text: t("askGaudi"), rule: "BA-G4" };
      default:
        return undefined;
    }
  }

  return {
    event,
    prompt: (view) => prompt(view),
    move: (view, legal) => moveText(view, legal, data),
    group(_view, move) {
      const { case: kind, value } = move.kind;
      if (kind === "place") return t("groupPlace", { row: Math.floor((value.intersection - 1) / 5) + 1 });
      if (kind === "build") return t("groupBuild", { building: building(value.building) });
      return undefined;
    },
    progress(view) {
      const position = view.position;
      if (!position || position.isOver) return t("over");
      return t(position.ending ? "lastRound" : "round", { round: position.round });
    },
    breakdown: (view, events) => breakdown(view.position?.players.length ?? 0, events),
  };
}

const RULE_OF_REASON: Partial<Record<BarcelonaReason, string>> = {
  [BarcelonaReason.ICON]: "BA-ST1",
  [BarcelonaReason.RUN]: "BA-ST2",
  [BarcelonaReason.OWNER]: "BA-A6",
  [BarcelonaReason.STACK]: "BA-ST3",
  [BarcelonaReason.BUILDING]: "BA-B5",
  [BarcelonaReason.ROW]: "BA-B6",
  [BarcelonaReason.TRACK]: "BA-B8",
  [BarcelonaReason.SIDEWALK]: "BA-C1",
  [BarcelonaReason.SERVICE]: "BA-P3",
  [BarcelonaReason.SAGRADA]: "BA-SF2",
  [BarcelonaReason.AMENITY]: "BA-PG5",
  [BarcelonaReason.MEETING]: "BA-PG6",
  [BarcelonaReason.ARRIVAL]: "BA-PG8",
  [BarcelonaReason.HEXAGON]: "BA-PG10",
  [BarcelonaReason.CERDA]: "BA-CS2",
};

/** The points by what brought them, from everything that happened. */
function breakdown(players: number, events: readonly BarcelonaEvent[]): Breakdown {
  const byReason = new Map<string, number[]>();
  const add = (label: string, seat: number, points: number): void => {
    const row = byReason.get(label) ?? new Array<number>(players).fill(0);
    row[seat] = (row[seat] ?? 0) + points;
    byReason.set(label, row);
  };
  for (const { kind } of events) {
    if (kind.case === "scored" && kind.value.reason !== BarcelonaReason.UNSPECIFIED) {
      add(t(`row${BarcelonaReason[kind.value.reason] as Reason}`), kind.value.seat, kind.value.points);
    } else if (kind.case === "gaudiGained") {
      add(t("rowGaudi"), kind.value.seat, kind.value.points);
    } else if (kind.case === "ended") {
      const { cobblestones, passengers, modernisme, joy } = kind.value;
      cobblestones.forEach((points, seat) => add(t("rowCobblestones"), seat, points));
      passengers.forEach((points, seat) => add(t("rowPassengers"), seat, points));
      modernisme.forEach((points, seat) => add(t("rowModernisme"), seat, points));
      joy.forEach((points, seat) => add(t("rowJoy"), seat, points));
    }
  }
  return { rows: [...byReason].map(([label, points]) => ({ label, points })).filter(({ points }) => points.some((n) => n !== 0)) };
}
