/** Where a player's token is kept. Whoever has it is the player: it is shown to nobody and sent to the server alone. */

export interface TokenStore {
  /** The token; empty where there is none. */
  load(): string;
  save(token: string): void;
}

/** Kept for as long as the program runs. */
export function memoryTokens(token = ""): TokenStore {
  let kept = token;
  return { load: () => kept, save: (fresh) => void (kept = fresh) };
}

/** Kept in a browser's storage; in memory where the browser has none to give. */
export function storedTokens(key: string, storage: Pick<Storage, "getItem" | "setItem" | "removeItem">): TokenStore {
  const memory = memoryTokens();
  return {
    load() {
      try {
        return storage.getItem(key) ?? "";
      } catch {
        return memory.load();
      }
    },
    save(token) {
      try {
        if (token) storage.setItem(key, token);
        else storage.removeItem(key);
      } catch {
        memory.save(token);
      }
    },
  };
}
