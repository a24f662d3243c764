/** Moves as the list shows them. */

export interface Said<L> {
  readonly legal: L;
  readonly text: string;
  readonly group: string | undefined;
}

export interface Group<L> {
  readonly name: string;
  readonly moves: readonly Said<L>[];
}

/** Moves under their headings, in the order in which the headings first come; only those that hold every word of `filter`. */
export function groupMoves<L>(moves: readonly Said<L>[], filter: string): Group<L>[] {
  const wanted = plain(filter).split(/\s+/).filter(Boolean);
  const groups = new Map<string, Said<L>[]>();
  for (const move of moves) {
    const text = plain(`${move.group ?? ""} ${move.text}`);
    if (!wanted.every((word) => text.includes(word))) continue;
    const name = move.group ?? "";
    const group = groups.get(name);
    if (group) group.push(move);
    else groups.set(name, [move]);
  }
  return [...groups].map(([name, moves]) => ({ name, moves }));
}

/** Small letters without accents: whoever looks for `gracia` means `Gràcia`. */
export function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
