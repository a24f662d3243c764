/** Where things are on the map: outlines, boxes, crossings, and which way the arrow keys go. */
import { COAST, CROSSINGS, SHAPES, SIZE } from "./map.js";

/** `wide` has the sea at the bottom; `tall`, for narrow windows, at the right. */
export type Layout = "wide" | "tall";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** Where a walker crosses between two districts. */
export interface Gate extends Point {
  readonly between: readonly [number, number];
  /** The border's direction in degrees. */
  readonly angle: number;
}

export const DISTRICTS: readonly number[] = SHAPES.map((_, i) => i + 1);

export function sizeOf(layout: Layout): { width: number; height: number } {
  return layout === "wide"
    ? { width: SIZE.width, height: SIZE.height }
    : { width: SIZE.height, height: Math.round(SIZE.width * SIZE.stretch) };
}

function placed(x: number, y: number, layout: Layout): Point {
  return layout === "wide" ? { x, y } : { x: y, y: (SIZE.width - x) * SIZE.stretch };
}

function points(flat: readonly number[], layout: Layout): Point[] {
  return Array.from({ length: flat.length / 2 }, (_, i) => placed(flat[2 * i]!, flat[2 * i + 1]!, layout));
}

const line = (corners: readonly Point[]): string => corners.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`).join("L");

export function corners(district: number, layout: Layout): Point[] {
  return points(SHAPES[district - 1]?.corners ?? [], layout);
}

/** A district's outline as an SVG path. */
export function outline(district: number, layout: Layout): string {
  return `M${line(corners(district, layout))}Z`;
}

/** The sea as an SVG path: from the coast to the edge of the picture. */
export function sea(layout: Layout): string {
  const { width, height } = sizeOf(layout);
  const coast = line(points(COAST, layout));
  const first = points(COAST, layout)[0]!;
  const last = points(COAST, layout).at(-1)!;
  return layout === "wide"
    ? `M0 ${first.y - 30}L${coast}L${width} ${last.y - 20}V${height}H0Z`
    : `M${Math.round(first.x) - 30} ${height}L${coast}L${Math.round(last.x) - 20} 0H${width}V${height}Z`;
}

/** The free place in a district, for its name and its walkers. */
export function boxOf(district: number, layout: Layout): Box {
  const [x, y, width, height] = SHAPES[district - 1]?.[layout] ?? [0, 0, 0, 0];
  return { x, y, width, height };
}

export function gates(layout: Layout): Gate[] {
  return CROSSINGS.map(([a, b, x, y, angle]) => {
    const radians = (angle * Math.PI) / 180;
    const along = layout === "wide" ? angle : (Math.atan2(-Math.cos(radians) * SIZE.stretch, Math.sin(radians)) * 180) / Math.PI;
    return { between: [a, b], angle: along, ...placed(x, y, layout) };
  });
}

/** The districts that share a border with this one. */
export function neighbours(district: number): number[] {
  return CROSSINGS.flatMap(([a, b]) => (a === district ? [b] : b === district ? [a] : []));
}

/** The way of a walker: from the middle of a district over the border into another. */
export function route(from: number, to: number, layout: Layout): Point[] {
  const gate = gates(layout).find(({ between: [a, b] }) => (a === from && b === to) || (a === to && b === from));
  return [boxOf(from, layout), ...(gate ? [gate] : []), boxOf(to, layout)].map(({ x, y }) => ({ x, y }));
}

/** A smooth line through the points of a route, as an SVG path. */
export function curve(way: readonly Point[]): string {
  const [a, b, c] = way;
  if (!a || !b) return "";
  if (!c) return `M${a.x} ${a.y}L${b.x} ${b.y}`;
  const control = { x: 2 * b.x - (a.x + c.x) / 2, y: 2 * b.y - (a.y + c.y) / 2 };
  return `M${a.x} ${a.y}Q${control.x} ${control.y} ${c.x} ${c.y}`;
}

/** A route that leaves the walkers at both its ends in sight. */
export function short(way: readonly Point[]): Point[] {
  const [from, gate, to] = way;
  if (!from || !gate || !to) return [...way];
  const between = (a: Point, b: Point, t: number): Point => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });
  const near = (a: Point): number => Math.max(0.1, 1 - 62 / Math.max(1, Math.hypot(a.x - gate.x, a.y - gate.y)));
  return [between(from, gate, near(from)), gate, between(to, gate, near(to))];
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Of two neighbours in one direction the nearer is meant: what this much more distance weighs like a right angle. */
const FAR = 2000;

/** The neighbour in an arrow's direction; undefined: none lies within 67 degrees of it, or it is no arrow. */
export function beside(district: number, key: string, layout: Layout): number | undefined {
  const direction = DIRECTIONS[key];
  if (!direction) return undefined;
  const here = boxOf(district, layout);
  let best: number | undefined;
  let most = -Infinity;
  for (const other of neighbours(district)) {
    const there = boxOf(other, layout);
    const [dx, dy] = [there.x - here.x, there.y - here.y];
    const distance = Math.hypot(dx, dy);
    const along = (dx * direction[0] + dy * direction[1]) / distance;
    const score = along - distance / FAR;
    if (along > Math.cos((67 * Math.PI) / 180) && score > most) [best, most] = [other, score];
  }
  return best;
}

export interface Cell extends Point {
  /** The height of a cell; the heading has as much. Everything in it is drawn to this. */
  readonly unit: number;
}

const CELL = 2.1;
const HEAD = 1.18;
const LARGEST = 42;

/** Where the heading of a district goes (the middle of its upper edge) and the cells of `n` seats, as large as fits. */
export function cells(district: number, n: number, layout: Layout): { head: Cell; seats: Cell[] } {
  const box = boxOf(district, layout);
  const heading = layout === "wide" ? 4 : 2.9;
  let unit = 0;
  let columns = 1;
  for (let c = 1; c <= Math.max(1, n); c++) {
    const rows = Math.ceil(n / c);
    const fits = Math.min(box.width / Math.max(heading, c * CELL), box.height / (HEAD + rows), LARGEST);
    if (fits > unit + 0.01) [unit, columns] = [fits, c];
  }
  const rows = Math.ceil(n / columns);
  const top = box.y - ((HEAD + rows) * unit) / 2;
  return {
    head: { x: box.x, y: top, unit },
    seats: Array.from({ length: n }, (_, i) => {
      const row = Math.floor(i / columns);
      const inRow = Math.min(columns, n - row * columns);
      return { x: box.x + ((i % columns) - (inRow - 1) / 2) * CELL * unit, y: top + (HEAD + 0.5 + row) * unit, unit };
    }),
  };
}

/** A district alone, in a picture of its own: the path and its `viewBox`. */
export function silhouette(district: number): { path: string; viewBox: string } {
  const all = corners(district, "wide");
  const [left, top] = [Math.min(...all.map((p) => p.x)), Math.min(...all.map((p) => p.y))];
  const [right, bottom] = [Math.max(...all.map((p) => p.x)), Math.max(...all.map((p) => p.y))];
  return { path: outline(district, "wide"), viewBox: `${left - 8} ${top - 8} ${right - left + 16} ${bottom - top + 16}` };
}

const SHORT = ["Les Corts", "Sarrià", "Gràcia", "Horta", "N. Barris", "S. Andreu", "Sants", "Eixample", "S. Martí", "C. Vella"];

/** A name short enough for a small map or a card's back. */
export function shortName(district: number): string {
  return SHORT[district - 1] ?? "?";
}

/** Boats on the sea. */
export function boats(layout: Layout): (Point & { readonly size: number })[] {
  const { width, height } = sizeOf(layout);
  return layout === "wide"
    ? [
        { x: width * 0.8, y: height * 0.93, size: 1.5 },
        { x: width * 0.28, y: height * 0.955, size: 1.1 },
        { x: width * 0.925, y: height * 0.875, size: 0.9 },
      ]
    : [
        { x: width * 0.93, y: height * 0.17, size: 1.5 },
        { x: width * 0.955, y: height * 0.8, size: 1.1 },
      ];
}
