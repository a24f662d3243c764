/** What the page needs of Agora's ruleset document. */
import type { AgoraDistrict, AgoraOptions } from "../lib/sdk/index.js";

export interface AgoraData {
  /** In the order of `AgoraDistrict`, Les Corts (1) first. */
  readonly districts: readonly { readonly id: string; readonly name: string; readonly points: number; readonly adjacent: readonly string[] }[];
  /** In order: square 1 first. */
  readonly squares: readonly { readonly district: string; readonly name: string; readonly value: number }[];
}

export type { AgoraOptions };

export function districtName(data: AgoraData, district: AgoraDistrict): string {
  return data.districts[district - 1]?.name ?? "?";
}

/** `Plaça Reial (Ciutat Vella, 3)`. */
export function squareName(data: AgoraData, square: number): string {
  const found = data.squares[square - 1];
  if (!found) return "?";
  const district = data.districts.find((d) => d.id === found.district)?.name ?? "";
  return `${found.name} (${district}, ${found.value})`;
}
