/** What a move would change, in words. */
import type { AgoraMove, AgoraView } from "../lib/sdk/index.js";
import type { SeatInfo } from "../table/seam.js";
import { b, type Who } from "./boardMessages.js";
import { type AgoraData, districtName } from "./data.js";
import { t } from "./messages.js";
import { preview } from "./preview.js";

/** The move itself, then each lead that changes; empty where the board has nothing to say of it. */
export function consequences(view: AgoraView, move: AgoraMove, data: AgoraData, seats: readonly SeatInfo[]): string[] {
  const change = preview(view, move, data);
  if (!change) return [];
  const who = (seat: number | undefined): Who | undefined =>
    seat === undefined ? undefined : { name: seats[seat]?.name ?? "", mine: seats[seat]?.isMe ?? false };
  return [
    said(view, move, data, who),
    ...change.leads.map((lead) =>
      b("lead", { before: who(lead.before), after: who(lead.after), district: districtName(data, lead.district), points: lead.points }),
    ),
    ...(change.leads.length ? [] : [b("noChange")]),
  ];
}

function said(view: AgoraView, { kind }: AgoraMove, data: AgoraData, who: (seat: number) => Who | undefined): string {
  if (kind.case === "walk") {
    const { walker, from, to } = kind.value;
    const whose = t("walkerOf", who(walker) ?? { name: "", mine: false });
    return `${t("moveWalk", { whose, from: districtName(data, from), to: districtName(data, to) })}.`;
  }
  const square = view.hand.find(({ id }) => kind.case === "play" && id === kind.value.square);
  if (!square) return "";
  return b("comes", { square: data.squares[square.id - 1]?.name ?? "", walkers: square.value, district: districtName(data, square.district) });
}
