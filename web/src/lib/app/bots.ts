/** The bots that anybody may invite, and whom one plays against without choosing. */
import type { BotInfo } from "../sdk/index.js";
import { client, signedIn } from "./session.svelte.js";

/** A fair first game: somebody who plays sensibly, and can be beaten. */
const USUAL: Readonly<Record<string, string>> = { agora: "agora-easy", barcelona: "greedy" };

/** The bots of a game, weakest first, but for those that the rules alone seat. */
export async function loadBots(gameId: string): Promise<BotInfo[]> {
  await signedIn();
  return (await client.bots(gameId)).filter((bot) => !bot.byRule);
}

/** The id of whom one plays against if nobody says; where the server has not got them, of its strongest bot. */
export function usualBot(gameId: string, all: readonly Pick<BotInfo, "id">[]): string {
  return all.find((bot) => bot.id === USUAL[gameId])?.id ?? all.at(-1)?.id ?? "";
}
