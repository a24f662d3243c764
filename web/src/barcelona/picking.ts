/** What the parts of the board know of the decision: what lights up, and what the person does with it. */
import type { SeatInfo } from "../table/seam.js";
import type { Place } from "./targets.js";

export interface Picking {
  readonly lit: ReadonlySet<Place>;
  /** A place that was chosen, where there is still something to say. */
  readonly chosen: Place | undefined;
  readonly pointed: Place | undefined;
  /** Where something just happened. */
  readonly recent: ReadonlySet<Place>;
  choose(place: Place, byTouch: boolean): void;
  point(place: Place | undefined): void;
}

/** The name of a seat's player. */
export function nameAt(seats: readonly SeatInfo[], seat: number | undefined): string {
  return seat === undefined ? "" : (seats[seat]?.name ?? `${seat + 1}`);
}

/** A seat's colour by its name in the game. */
export function colourAt(seats: readonly SeatInfo[], seat: number | undefined): string {
  return seat === undefined ? "" : (seats[seat]?.colour ?? "");
}
