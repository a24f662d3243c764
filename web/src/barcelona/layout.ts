/** Where everything lies on the drawing of the city, in its own units. */
import { blockOf, DIAGONAL, ends, SIDE } from "./data.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** From one intersection to the next. */
export const PITCH = 190;
const LEFT = 118;
const TOP = 212;
export const CITY = { width: 1082, height: 1050 } as const;
/** Half the width of a street. */
const KERB = 36;
const CHAMFER = 34;

/** An intersection's middle; 1 to 25. */
export function crossing(number: number): Point {
  return { x: LEFT + PITCH * ((number - 1) % SIDE), y: TOP + PITCH * Math.floor((number - 1) / SIDE) };
}

/** A section's middle, and whether it goes down; 1 to 40. */
export function sectionAt(number: number): Point & { readonly down: boolean } {
  const [a, b] = ends(number).map(crossing) as [Point, Point];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, down: a.x === b.x };
}

/** The street that a section lies on. */
export function streetOf(section: number): number {
  return section <= 20 ? 6 + Math.floor((section - 1) / 4) : 1 + Math.floor((section - 21) / 4);
}

/** The streets that cross at an intersection. The diagonal rises from the bottom left. */
export function streetsAt(number: number): number[] {
  const [column, row] = [(number - 1) % SIDE, Math.floor((number - 1) / SIDE)];
  return [column + 1, row + 6, ...(column + row === SIDE - 1 ? [DIAGONAL] : [])];
}

/** The middle of the Action tile at a street's end. */
export function slot(street: number): Point {
  if (street === DIAGONAL) return { x: LEFT + 4 * PITCH + 136, y: 80 };
  if (street <= SIDE) return { x: LEFT + PITCH * (street - 1), y: 80 };
  return { x: LEFT + 4 * PITCH + 136, y: TOP + PITCH * (street - 6) };
}

function middleOf(block: number): Point {
  return { x: LEFT + PITCH * ((block % 4) + 0.5), y: TOP + PITCH * (Math.floor(block / 4) + 0.5) };
}

function path(points: readonly (readonly [number, number])[]): string {
  return `M${points.map(([x, y]) => `${x} ${y}`).join("L")}Z`;
}

/** The octagon of a block, 0 to 15, drawn in by `inset`. */
export function octagon(block: number, inset = 0): string {
  const { x, y } = middleOf(block);
  const half = PITCH / 2 - KERB - inset;
  const cut = half - Math.max(4, CHAMFER - inset * 0.5);
  return path(
    ([[-cut, -half], [cut, -half], [half, -cut], [half, cut], [cut, half], [-cut, half], [-half, cut], [-half, -cut]] as const).map(
      ([dx, dy]) => [x + dx, y + dy],
    ),
  );
}

/** A site: its outline, drawn in by `inset`, and where to write on it. Sites are 1 to 20. */
export function siteAt(site: number, inset = 0): { readonly outline: string; readonly middle: Point; readonly corner: boolean } {
  const { block, half } = blockOf(site);
  const middle = middleOf(block);
  if (!half) return { outline: octagon(block, inset), middle, corner: false };
  const side = half === "upper" ? -1 : 1;
  const edge = PITCH / 2 - KERB - inset;
  const cut = CHAMFER - inset * 0.4;
  const reach = PITCH / 2 - KERB - 42 - inset * 1.2;
  const corners: [number, number][] = [
    [-edge + cut, -edge],
    [reach, -edge],
    [-edge, reach],
    [-edge, -edge + cut],
  ];
  return {
    outline: path(corners.map(([dx, dy]) => [middle.x - side * dx, middle.y - side * dy])),
    middle: { x: middle.x + side * 27, y: middle.y + side * 27 },
    corner: true,
  };
}

/** The ends of the diagonal street. */
export function diagonal(): readonly [Point, Point] {
  return [crossing(21), crossing(5)];
}

/** Where the bonus of a row of blocks lies; 0 to 3. */
export function bonusAt(row: number): Point {
  return { x: 34, y: TOP + PITCH * (row + 0.5) };
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest of some points in the direction of an arrow key; undefined: there is none. */
export function nearest<K>(from: Point, places: readonly (readonly [K, Point])[], key: string): K | undefined {
  const [dx, dy] = ARROWS[key] ?? [0, 0];
  let best: K | undefined;
  let least = Infinity;
  for (const [place, point] of places) {
    const along = (point.x - from.x) * dx + (point.y - from.y) * dy;
    const across = Math.abs((point.x - from.x) * dy) + Math.abs((point.y - from.y) * dx);
    if (along > 1 && along + 2 * across < least) [best, least] = [place, along + 2 * across];
  }
  return best;
}

/**
 * The flowers of hexagonal spaces round the violet cobblestones, which share the petals between them: columns of two
 * from the left, and one above and one below each violet stone. `rings` names the petals clockwise from the top.
 */
export function flowers(rings: readonly (readonly number[])[], size: number): { readonly petals: ReadonlyMap<number, Point>; readonly violet: readonly Point[] } {
  const tall = size * Math.sqrt(3);
  const around: readonly Point[] = [
    { x: 0, y: -tall },
    { x: 1.5 * size, y: -tall / 2 },
    { x: 1.5 * size, y: tall / 2 },
    { x: 0, y: tall },
    { x: -1.5 * size, y: tall / 2 },
    { x: -1.5 * size, y: -tall / 2 },
  ];
  const violet = rings.map((_, i) => ({ x: size * (2.5 + 3 * i), y: 1.5 * tall }));
  const petals = new Map<number, Point>();
  rings.forEach((ring, i) => ring.forEach((space, k) => petals.set(space, { x: violet[i]!.x + around[k]!.x, y: violet[i]!.y + around[k]!.y })));
  return { petals, violet };
}

/** A hexagon about the origin with a flat top. */
export function hexagon(size: number): string {
  const points = [0, 1, 2, 3, 4, 5].map((i) => [Math.cos((i * Math.PI) / 3) * size, Math.sin((i * Math.PI) / 3) * size] as const);
  return path(points.map(([x, y]) => [Number(x.toFixed(2)), Number(y.toFixed(2))]));
}
