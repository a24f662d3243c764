/** The tables one has been at on this device: the server lists a player's tables only where it is their turn. */
import { kept } from "./kept.js";

const KEY = "bgb.tables";
const MOST = 30;

/** Their ids, the latest first. */
export function myTables(): string[] {
  try {
    const read: unknown = JSON.parse(kept.read(KEY) ?? "[]");
    return Array.isArray(read) ? read.filter((id): id is string => typeof id === "string") : [];
  } catch {
    return [];
  }
}

export function rememberTables(...ids: string[]): void {
  kept.write(KEY, JSON.stringify([...new Set([...ids, ...myTables()])].slice(0, MOST)));
}

export function forgetTable(id: string): void {
  kept.write(KEY, JSON.stringify(myTables().filter((other) => other !== id)));
}

const COMMITMENT_KEY = "bgb.commitments";

/** Notes what a table promised about its shuffle when it was first seen, to be held to it at the end. */
export function rememberCommitment(tableId: string, commitment: string): void {
  const all = commitments();
  if (all[tableId] !== undefined) return;
  const entries = [[tableId, commitment] as const, ...Object.entries(all)].slice(0, MOST);
  kept.write(COMMITMENT_KEY, JSON.stringify(Object.fromEntries(entries)));
}

/** What the table promised then; undefined: it was not seen on this device. */
export function commitmentSeen(tableId: string): string | undefined {
  return commitments()[tableId];
}

function commitments(): Record<string, string> {
  try {
    return JSON.parse(kept.read(COMMITMENT_KEY) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}
