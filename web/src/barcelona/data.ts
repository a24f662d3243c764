/** What the page needs of Barcelona's ruleset document, and what its places are called. */
/** An effect in the ruleset's words: `vp 3`, or several. */
export type Effect = string | readonly Effect[] | { readonly choice: readonly Effect[] } | { readonly any_order: readonly Effect[] };

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Pieces that lie in stacks on a player board, and what emptying each stack gives. */
export interface Stacks {
  readonly stacks: readonly number[];
  readonly rewards: readonly Effect[];
}

export interface BarcelonaData {
  readonly actions: readonly (Named & { readonly effect: Effect })[];
  readonly board: {
    readonly diagonal: { readonly cost_coins: number };
    readonly row_bonus: { readonly vp: number };
    readonly streets: { readonly horizontal: readonly (readonly Effect[])[]; readonly vertical: readonly (readonly Effect[])[] };
  };
  readonly buildings: readonly (Named & { readonly level: number; readonly citizens: number; readonly wants: string | null; readonly effect: Effect })[];
  readonly citizens: {
    readonly covered: Readonly<Record<string, { readonly spaces: readonly number[] }>>;
    readonly track: { readonly sections: readonly number[]; readonly vp: readonly number[] };
  };
  readonly gaudi: {
    readonly cards: readonly { readonly actions: readonly string[]; readonly arrow: string }[];
    readonly resource_vp: Readonly<Record<string, number>>;
  };
  readonly players: {
    readonly cobblestones: { readonly final_vp: readonly number[] };
    readonly intersections: { readonly cost_cloth: readonly number[] };
    readonly markers: Stacks;
    readonly narrow: Stacks;
    readonly wide: Stacks;
    readonly passengers: { readonly cost_cloth: readonly number[]; readonly final_vp: readonly number[] };
    readonly projects: { readonly factor: number; readonly improve_cost_cloth: readonly number[]; readonly improved_factor: number };
    readonly storage: { readonly spaces: number };
  };
  readonly scorings: readonly (Named & { readonly vp: number; readonly count: string })[];
  readonly sagrada_tiles: readonly (Named & { readonly level: number; readonly effect: Effect })[];
  readonly services: {
    readonly tiers: { readonly cost_coins: readonly number[]; readonly effects: readonly Effect[] };
    readonly stacks: { readonly tiles: Readonly<Record<string, number>> };
    readonly types: readonly (Named & { readonly effect: Effect })[];
  };
  readonly sidewalk: Readonly<Record<"overlay" | "printed", { readonly icons: readonly (readonly (Effect | null)[])[] }>>;
  readonly tracks: {
    readonly cerda: { readonly multipliers: readonly number[] };
    readonly sagrada: { readonly last: number; readonly thresholds: readonly number[] };
  };
  readonly passeig: {
    readonly amenities: readonly (Named & { readonly action: string; readonly count: string; readonly each: number })[];
    readonly joy: { readonly arrival_vp: readonly number[] };
    readonly violet: readonly (Named & { readonly count: string })[];
    readonly hexagons: { readonly rewards: readonly Effect[]; readonly rings: readonly (readonly number[])[] };
  };
}

/** The name of the tile with an id; the id itself where the ruleset has none such. */
export function nameOf(tiles: readonly Named[], id: string): string {
  return tiles.find((tile) => tile.id === id)?.name ?? id;
}

export const SIDE = 5;
/** The street that no tile lies on. */
export const DIAGONAL = 11;
const COLUMNS = "ABCDE";

/** `C2`, from an intersection's number, 1 to 25. */
export function intersection(number: number): string {
  return `${COLUMNS[(number - 1) % SIDE]}${Math.floor((number - 1) / SIDE) + 1}`;
}

/** The two intersections that a section joins; both 1 to 25, the section 1 to 40. */
export function ends(section: number): readonly [number, number] {
  const index = section - 1;
  if (index < 20) {
    const first = Math.floor(index / 4) * SIDE + (index % 4) + 1;
    return [first, first + 1];
  }
  const first = ((index - 20) % 4) * SIDE + Math.floor((index - 20) / 4) + 1;
  return [first, first + SIDE];
}

/** `B2–C2`. */
export function section(number: number): string {
  const [first, second] = ends(number);
  return `${intersection(first)}–${intersection(second)}`;
}

/** The icon printed on a section, 1 to 40. */
export function iconOf(data: BarcelonaData, section: number): Effect {
  const { horizontal, vertical } = data.board.streets;
  const index = (section - 1) % 20;
  return (section <= 20 ? horizontal : vertical)[Math.floor(index / 4)]?.[index % 4] ?? "vp 0";
}

/** `C`, `3`, or empty for the diagonal; streets are 1 to 11. */
export function streetLetter(street: number): string {
  if (street === DIAGONAL) return "";
  return street <= SIDE ? COLUMNS[street - 1]! : `${street - SIDE}`;
}

/** The block of a site, 0 to 15, and which of its triangles it is; the diagonal rises. */
export function blockOf(site: number): { block: number; half: "upper" | "lower" | undefined } {
  let index = 1;
  for (let block = 0; block < 16; block++) {
    const cut = (block % 4) + Math.floor(block / 4) === 3;
    if (index === site) return { block, half: cut ? "upper" : undefined };
    if (cut && index + 1 === site) return { block, half: "lower" };
    index += cut ? 2 : 1;
  }
  throw new RangeError(`there is no site ${site}`);
}

/** `B2–C3`: a block by its top left and bottom right. */
export function blockName(block: number): string {
  const corner = Math.floor(block / 4) * SIDE + (block % 4) + 1;
  return `${intersection(corner)}–${intersection(corner + SIDE + 1)}`;
}

/** What the top tile of a stack of Public Services costs and gives, by the boards in the game (1: solo) and tiles left. */
export function tierOf(data: BarcelonaData, boards: number, left: number): { readonly cost: number; readonly gain: Effect | undefined } {
  const { stacks, tiers } = data.services;
  const tier = (stacks.tiles[boards] ?? tiers.effects.length) - left;
  return { cost: tiers.cost_coins[tier] ?? 0, gain: left ? tiers.effects[tier] : undefined };
}
