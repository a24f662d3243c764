/** What a move would change, as far as the view shows it: walkers, leads, points. For showing, never for judging. */
import type { AgoraMove, AgoraView } from "../lib/sdk/index.js";
import type { AgoraData } from "./data.js";

/** Walkers that come to a district or leave it. */
export interface Step {
  readonly district: number;
  readonly seat: number;
  /** Negative: they leave. */
  readonly walkers: number;
}

export interface Preview {
  readonly steps: readonly Step[];
  /** Leads that change; a seat is undefined where nobody leads, or several share. */
  readonly leads: readonly { readonly district: number; readonly points: number; readonly before: number | undefined; readonly after: number | undefined }[];
}

/** All walkers, upright and lying: by district in the view's order, then by seat. */
export function walkers(view: AgoraView): number[][] {
  return view.districts.map((d) => view.players.map((_, seat) => (d.upright[seat] ?? 0) + (d.lying[seat] ?? 0)));
}

/** Who has the most; undefined: nobody, or several. */
export function leader(row: readonly number[]): number | undefined {
  const most = Math.max(0, ...row);
  const first = row.indexOf(most);
  return most > 0 && row.lastIndexOf(most) === first ? first : undefined;
}

/** Where walkers come and go; undefined: the move moves none that can be seen. */
function steps(view: AgoraView, move: AgoraMove, data: AgoraData): Step[] | undefined {
  const { case: kind, value } = move.kind;
  if (kind === "walk") {
    return [
      { district: value.from, seat: value.walker, walkers: -1 },
      { district: value.to, seat: value.walker, walkers: 1 },
    ];
  }
  if (kind !== "play" || view.actor === undefined) return undefined;
  const square = data.squares[value.square - 1];
  const district = data.districts.findIndex((d) => d.id === square?.district) + 1;
  return square && district ? [{ district, seat: view.actor, walkers: square.value }] : undefined;
}

/** What the move would change; undefined where there is nothing to show. */
export function preview(view: AgoraView, move: AgoraMove, data: AgoraData): Preview | undefined {
  const change = steps(view, move, data);
  if (!change) return undefined;
  const before = walkers(view);
  const after = before.map((row) => [...row]);
  for (const { district, seat, walkers: n } of change) {
    const row = after[district - 1];
    if (row) row[seat] = (row[seat] ?? 0) + n;
  }
  const leads: Preview["leads"][number][] = [];
  view.districts.forEach(({ district, points }, i) => {
    const [was, is] = [leader(before[i] ?? []), leader(after[i] ?? [])];
    if (was !== is) leads.push({ district, points, before: was, after: is });
  });
  return { steps: change, leads };
}
