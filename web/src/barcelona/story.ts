/** Gaudí's turns, step by step. */
import type { BarcelonaEvent } from "../lib/sdk/index.js";

/**
 * What is known of a turn of Gaudí's after `latest` has happened, too: from the card he turned up to the beginning of
 * another seat's turn, or the end of the game.
 */
export function continued(known: readonly BarcelonaEvent[], latest: readonly BarcelonaEvent[], gaudi: number): readonly BarcelonaEvent[] {
  let told = known;
  let open = known.length > 0 && !ends(known.at(-1)!, gaudi);
  for (const event of latest) {
    if (event.kind.case === "cardRevealed") {
      told = [];
      open = true;
    }
    if (!open) continue;
    told = [...told, event];
    open = !ends(event, gaudi);
  }
  return told;
}

function ends({ kind }: BarcelonaEvent, gaudi: number): boolean {
  return kind.case === "ended" || (kind.case === "turnBegan" && kind.value.seat !== gaudi);
}
