/** From a wish to a running game. */
import { rememberTables } from "../lib/app/myTables.js";
import { client, signedIn } from "../lib/app/session.svelte.js";
import { type Clock, optionsOf, TableVisibility } from "../lib/sdk/index.js";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ClockSchema } from "../lib/sdk/index.js";

export type ClockInit = MessageInitShape<typeof ClockSchema> | undefined;
export type { Clock };

/**
 * A game against bots, one to a seat, begun at once; gives the table's id. Where `bots` is empty, the rules seat them.
 * For `practice` there are hints, and it counts for no rating.
 */
export async function playBots(
  gameId: string,
  players: number,
  bots: readonly string[],
  options: Readonly<Record<string, string>>,
  practice: boolean,
): Promise<string> {
  await signedIn();
  const table = await client.createTable({ gameId, players, options: optionsOf(gameId, options), visibility: TableVisibility.PUBLIC, unrated: practice });
  await client.takeSeat(table.id, 0);
  for (const bot of bots) await client.seatBot(table.id, bot);
  await client.start(table.id);
  rememberTables(table.id);
  return table.id;
}

/** A table for friends, with a code; one sits down at it. Gives its id. */
export async function openRoom(
  gameId: string,
  players: number,
  options: Readonly<Record<string, string>>,
  clock: ClockInit,
  { isPublic, practice }: { isPublic: boolean; practice: boolean },
): Promise<string> {
  await signedIn();
  const table = await client.createTable({
    gameId,
    players,
    options: optionsOf(gameId, options),
    visibility: isPublic ? TableVisibility.PUBLIC : TableVisibility.UNLISTED,
    withCode: true,
    unrated: practice,
    ...(clock && { clock }),
  });
  await client.takeSeat(table.id, 0);
  rememberTables(table.id);
  return table.id;
}
