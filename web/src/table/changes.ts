/** What happened to a table, in words. */
import { t } from "../lib/i18n/messages.js";
import { type TableChange, TableChangeKind } from "../lib/sdk/index.js";
import type { SeatInfo, Sentence } from "./seam.js";

/** A change as a line of the log; none for what needs no telling. */
export function changeText(change: TableChange, seats: readonly SeatInfo[]): Sentence[] {
  const name = change.player?.name || (change.seat === undefined ? "" : (seats[change.seat]?.name ?? ""));
  const text = textOf(change, name);
  return text ? [{ seat: change.seat, text }] : [];
}

function textOf(change: TableChange, name: string): string | undefined {
  switch (change.kind) {
    case TableChangeKind.CREATED:
      return t("change.created");
    case TableChangeKind.SEAT_TAKEN:
      return t("change.taken", { name });
    case TableChangeKind.SEAT_LEFT:
      return t("change.left", { name });
    case TableChangeKind.STARTED:
      return t("change.started");
    case TableChangeKind.RESIGNED:
      return t("change.resigned", { name });
    case TableChangeKind.CLOSED:
      return t("change.closed");
    case TableChangeKind.OUT_OF_TIME:
      return t("change.outOfTime", { name });
    case TableChangeKind.RETURNED:
      return t("change.returned", { name });
    case TableChangeKind.SWAPPED:
      return t("change.swapped");
    case TableChangeKind.ENDED:
      return t("change.ended", { reason: change.reason });
    case TableChangeKind.BOT_SEATED:
      return t("change.botSeated", { name, reason: change.reason });
    default:
      return undefined;
  }
}
