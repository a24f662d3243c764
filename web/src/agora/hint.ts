/** A hint for Agora: the move after which one is furthest ahead, as far as the districts show. */
import type { AgoraMove, AgoraView } from "../lib/sdk/index.js";
import type { Book, Legal } from "../table/seam.js";
import type { AgoraData } from "./data.js";
import { leader, steps, walkers } from "./preview.js";

/** The move with the greatest lead over the best of the others; undefined where moves of this kind show nothing. */
export function hint(view: AgoraView, moves: readonly Legal<AgoraMove>[], { data }: Book<AgoraData>): Legal<AgoraMove> | undefined {
  if (view.seat === undefined) return undefined;
  let best: Legal<AgoraMove> | undefined;
  let most = -Infinity;
  for (const legal of moves) {
    const change = steps(view, legal.move, data);
    if (!change) return undefined;
    const after = walkers(view);
    for (const { district, seat, walkers: n } of change) after[district - 1]![seat]! += n;
    const lead = leadOf(view, after, view.seat);
    if (lead > most) [best, most] = [legal, lead];
  }
  return best;
}

/** Points of `seat` less those of the best other; each walker that makes a lead safer counts a little. */
function leadOf(view: AgoraView, rows: readonly (readonly number[])[], seat: number): number {
  const points = view.players.map(() => 0);
  rows.forEach((row, i) => {
    const first = leader(row);
    if (first === undefined) return;
    const second = Math.max(0, ...row.filter((_, s) => s !== first));
    points[first]! += view.districts[i]!.points + Math.min(3, row[first]! - second) / 10;
  });
  return points[seat]! - Math.max(...points.filter((_, s) => s !== seat));
}
