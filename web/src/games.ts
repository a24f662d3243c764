/** The games that this page can draw, each loaded when it is first needed. */
import type { AnyGame, Book } from "./table/seam.js";
import { client } from "./lib/app/session.svelte.js";
import type { GameInfo } from "./lib/sdk/index.js";

const MODULES: Readonly<Record<string, () => Promise<AnyGame>>> = {
  agora: () => import("./agora/index.js").then((module) => module.game as unknown as AnyGame),
  barcelona: () => import("./barcelona/index.js").then((module) => module.game as unknown as AnyGame),
};

const loaded = new Map<string, Promise<AnyGame>>();
const books = new Map<string, Promise<Book>>();
const catalogue = new Map<"", Promise<GameInfo[]>>();

/** The games of the server, asked for once. */
export function loadGames(): Promise<GameInfo[]> {
  return remembered(catalogue, "", () => client.games());
}

/** A game's board and words. Throws for a game that this page does not know. */
export function loadGame(gameId: string): Promise<AnyGame> {
  return remembered(loaded, gameId, () => {
    const load = MODULES[gameId];
    return load ? load() : Promise.reject(new Error(`this page has no board for ${gameId}`));
  });
}

/** A game's rules and data, asked for once. */
export function loadBook(gameId: string): Promise<Book> {
  return remembered(books, gameId, async () => {
    const { game, rules, rulesetJson } = await client.rulebook(gameId);
    return {
      gameId,
      name: game?.name ?? gameId,
      rules: new Map(rules.map((rule) => [rule.id, rule])),
      data: JSON.parse(rulesetJson) as unknown,
    };
  });
}

function remembered<K extends string, T>(cache: Map<K, Promise<T>>, key: K, make: () => Promise<T>): Promise<T> {
  let value = cache.get(key);
  if (!value) {
    value = make();
    cache.set(key, value);
    value.catch(() => cache.delete(key));
  }
  return value;
}
