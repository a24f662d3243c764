/** The tables where it is one's turn: one stream for all tabs of a browser, and none while all of them are hidden. */
import { client } from "./session.svelte.js";

/** What tabs say to each other: a table where it is one's turn, or (null) that somebody new wants to hear of all. */
type Said = string | null;

/** Tells `onturn` the id of every such table, now and as they come up, until `signal` aborts. */
export function followTurns(playerId: string, onturn: (tableId: string) => void, signal: AbortSignal): void {
  let shown: AbortController | undefined;
  const look = (): void => {
    const wanted = !signal.aborted && document.visibilityState === "visible";
    if (wanted === (shown !== undefined)) return;
    shown?.abort();
    shown = wanted ? new AbortController() : undefined;
    if (shown) void share(`bgb.turns.${playerId}`, onturn, shown.signal).catch(() => undefined);
  };
  document.addEventListener("visibilitychange", look, { signal });
  signal.addEventListener("abort", look, { once: true });
  look();
}

/** Who has the lock has the stream, and tells the others; a page that may have no locks has a stream of its own. */
async function share(name: string, onturn: (tableId: string) => void, signal: AbortSignal): Promise<void> {
  if (!navigator.locks) return stream(onturn, signal);
  const known = new Set<string>();
  let leads = false;
  const others = new BroadcastChannel(name);
  signal.addEventListener("abort", () => others.close(), { once: true });
  const say = (said: Said): void => others.postMessage(said);
  const hear = (tableId: string): void => {
    known.add(tableId);
    onturn(tableId);
  };
  others.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data !== null) hear(data);
    else if (leads) known.forEach(say);
  };
  say(null);
  await navigator.locks.request(name, { signal }, () => {
    leads = true;
    return stream((tableId) => {
      hear(tableId);
      say(tableId);
    }, signal);
  });
}

async function stream(onturn: (tableId: string) => void, signal: AbortSignal): Promise<void> {
  for await (const { tableId } of client.watchMe(signal)) onturn(tableId);
}
