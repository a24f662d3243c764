/** Trencadís: a band broken into shards, the same every time. */

export interface Shard {
  /** The corners, as an SVG `points` attribute. */
  readonly points: string;
  /** Which of the six mosaic colours, 1 to 6. */
  readonly colour: number;
}

/** Shards that fill `width` by `height` but for the joints, of about `size` each way. */
export function mosaic(width: number, height: number, size: number, seed: number): Shard[] {
  const columns = Math.round(width / size);
  const rows = Math.round(height / size);
  const random = generator(seed);
  const corners = Array.from({ length: rows + 1 }, (_, y) =>
    Array.from({ length: columns + 1 }, (_, x): [number, number] => {
      const free = (i: number, last: number): number => (i === 0 || i === last ? 0 : (random() - 0.5) * size * 0.8);
      return [(x / columns) * width + free(x, columns), (y / rows) * height + free(y, rows)];
    }),
  );
  const shards: Shard[] = [];
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const [a, b, c, d] = [corners[y]![x]!, corners[y]![x + 1]!, corners[y + 1]![x + 1]!, corners[y + 1]![x]!];
      const pieces = random() < 0.5 ? [[a, b, c], [a, c, d]] : random() < 0.5 ? [[a, b, d], [b, c, d]] : [[a, b, c, d]];
      for (const piece of pieces) shards.push({ points: shrunk(piece), colour: 1 + Math.floor(random() * 6) });
    }
  }
  return shards;
}

/** The piece drawn a little towards its middle: the joint. */
function shrunk(piece: readonly (readonly [number, number])[]): string {
  const middle = [0, 1].map((axis) => piece.reduce((sum, corner) => sum + corner[axis as 0 | 1], 0) / piece.length);
  return piece
    .map((corner) => corner.map((value, axis) => (value + (middle[axis]! - value) * 0.1).toFixed(1)).join(","))
    .join(" ");
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
