/** How many can play. */
import type { GameInfo } from "../lib/sdk/index.js";

/** The numbers of players of a game, the fewest first. */
export function sizes(game: GameInfo): number[] {
  return Array.from({ length: game.maxPlayers - game.minPlayers + 1 }, (_, i) => game.minPlayers + i);
}

/** How many sit down where nobody says: four, or the most there can be. */
export function defaultPlayers(game: GameInfo): number {
  return game.id === "barcelona" ? game.minPlayers : Math.min(4, game.maxPlayers);
}
