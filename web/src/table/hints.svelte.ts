/** What a bot would play in one's place: asked for, told as it improves, and given up when one moves. */
import { client } from "../lib/app/session.svelte.js";
import { type ChooseMoveResponse, type Refusal, refusalOf, type SuggestMoveResponse } from "../lib/sdk/index.js";

const THINK_MS = 3000;

export class Hints {
  /** The suggestion as it stands; undefined: none yet. */
  choice = $state.raw<ChooseMoveResponse | undefined>();
  thinking = $state(false);
  /** Why there is none, or no better one. */
  refusal = $state.raw<Refusal | undefined>();
  #end: AbortController | undefined;

  /** Asks for a move at a version of a table. What was asked before is forgotten. */
  async ask(tableId: string, version: bigint): Promise<void> {
    this.forget();
    const end = new AbortController();
    this.#end = end;
    this.thinking = true;
    try {
      for await (const told of suggestions(tableId, end.signal)) {
        if (end.signal.aborted || told.version !== version) break;
        this.choice = told.choice;
      }
    } catch (failure) {
      if (!end.signal.aborted) this.refusal = refusalOf(failure);
    } finally {
      if (this.#end === end) this.stop();
    }
  }

  /** Has the bot think no further; what it thought of stays. */
  stop(): void {
    this.#end?.abort();
    this.thinking = false;
  }

  forget(): void {
    this.stop();
    this.choice = undefined;
    this.refusal = undefined;
  }
}

/** Where a server lets nobody have so much thought, what it gives by itself will do. */
async function* suggestions(tableId: string, signal: AbortSignal): AsyncGenerator<SuggestMoveResponse, void, undefined> {
  try {
    yield* client.suggest(tableId, THINK_MS, signal);
  } catch (failure) {
    if (refusalOf(failure).field !== "budget.milliseconds") throw failure;
    yield* client.suggest(tableId, undefined, signal);
  }
}
