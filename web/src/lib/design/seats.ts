/** The look of seats: a colour and a shape for each, so that nobody has to tell them apart by hue. */

export type Shape = "circle" | "triangle" | "square" | "diamond" | "ring" | "star" | "cross" | "hexagon";

/** By the colour's name in the game. */
const SHAPES: Readonly<Record<string, Shape>> = {
  Blue: "circle",
  Red: "triangle",
  Yellow: "square",
  Green: "diamond",
  White: "ring",
  Purple: "star",
  Grey: "cross",
  Orange: "hexagon",
};

/** The shape of a colour's seat. */
export function seatShape(colour: string): Shape {
  return SHAPES[colour] ?? "circle";
}

/** The colour as CSS: `var(--seat-blue)`. */
export function seatColour(colour: string): string {
  return colour in SHAPES ? `var(--seat-${colour.toLowerCase()})` : "var(--ink-soft)";
}

/** The outline of a shape about the origin, within 10 each way, as an SVG path. */
export const SHAPE_PATHS: Readonly<Record<Shape, string>> = {
  circle: "M9 0A9 9 0 1 1 -9 0A9 9 0 1 1 9 0Z",
  triangle: "M0 -9.5L9.5 7.5H-9.5Z",
  square: "M-8 -8H8V8H-8Z",
  diamond: "M0 -10L10 0L0 10L-10 0Z",
  ring: "M9 0A9 9 0 1 1 -9 0A9 9 0 1 1 9 0ZM4 0A4 4 0 1 0 -4 0A4 4 0 1 0 4 0Z",
  star: "M0 -10L2.9 -4L9.5 -3.1L4.7 1.5L5.9 8.1L0 5L-5.9 8.1L-4.7 1.5L-9.5 -3.1L-2.9 -4Z",
  cross: "M-3.2 -9H3.2V-3.2H9V3.2H3.2V9H-3.2V3.2H-9V-3.2H-3.2Z",
  hexagon: "M5 -8.7L10 0L5 8.7H-5L-10 0L-5 -8.7Z",
};
