/** Who the person at this page is, and the client that speaks for them. */
import { Client, Code, type Player, type Refusal, refusalOf, storedTokens } from "../sdk/index.js";
import { setReachable } from "./connection.svelte.js";
import { kept } from "./kept.js";

const NAME_KEY = "bgb.name";

export const client = new Client({
  baseUrl: location.origin,
  tokens: storedTokens("bgb.token", localStorage),
  wake: window,
  onReachable: setReachable,
});

let player = $state<Player | undefined>();
let signingIn: Promise<Player> | undefined;

/** Who one is; undefined until a server has said so. Reactive. */
export function me(): Player | undefined {
  return player;
}

/** The name to be known by at the next table; empty: the server makes one up. */
export function preferredName(): string {
  return kept.read(NAME_KEY) ?? "";
}

export function rememberName(name: string): void {
  kept.write(NAME_KEY, name);
}

/** Who one is, signing in as a guest where nobody is yet. Several callers at once sign in once. */
export function signedIn(): Promise<Player> {
  signingIn ??= establish().catch((failure: unknown) => {
    signingIn = undefined;
    throw failure;
  });
  return signingIn;
}

async function establish(): Promise<Player> {
  if (client.tokens.load()) {
    try {
      return (player = await client.me());
    } catch (failure) {
      if (refusalOf(failure).code !== Code.Unauthenticated) throw failure;
      client.tokens.save("");
    }
  }
  return (player = await client.signIn(preferredName()));
}

/** Becomes a new guest with another name. Tables of the one before stay theirs. */
export async function signInAnew(name: string): Promise<Player> {
  rememberName(name);
  signingIn = client.signIn(name).then((fresh) => (player = fresh));
  return signingIn;
}

/** Becomes whom a token from another device speaks for. Throws `Refusal` where it speaks for nobody. */
export async function signInWith(token: string): Promise<Player> {
  const before = client.tokens.load();
  client.tokens.save(token);
  try {
    player = await client.me();
    signingIn = Promise.resolve(player);
    return player;
  } catch (failure) {
    client.tokens.save(before);
    throw failure;
  }
}

export type { Refusal };
