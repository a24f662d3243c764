/** A record played again, position by position, by the rules server. */
import { client } from "../lib/app/session.svelte.js";
import type { GameEvent, GameRecord, GameState, GameSummary, GameView } from "../lib/sdk/index.js";

interface Step {
  readonly state: GameState;
  readonly summary: GameSummary | undefined;
  readonly events: readonly GameEvent[];
}

export class Replay {
  readonly record: GameRecord;
  /** The positions known so far: 0 is before the first move. */
  steps = $state.raw<readonly Step[]>([]);
  failure = $state.raw<unknown>();
  readonly #end = new AbortController();
  readonly #views = new Map<string, Promise<GameView>>();

  constructor(record: GameRecord) {
    this.record = record;
  }

  /** Plays every move, one after another. */
  async run(): Promise<void> {
    const { signal } = this.#end;
    try {
      let state = await client.newState(this.record, signal);
      this.steps = [{ state, summary: undefined, events: [] }];
      for (const { move } of this.record.moves) {
        if (!move) continue;
        const next = await client.applyMove(state, move, signal);
        if (signal.aborted || !next.state) return;
        state = next.state;
        this.steps = [...this.steps, { state, summary: next.summary, events: next.events }];
      }
    } catch (failure) {
      if (!signal.aborted) this.failure = failure;
    }
  }

  close(): void {
    this.#end.abort();
  }

  /** The position after so many moves, as a seat saw it; undefined: a spectator. */
  view(step: number, seat: number | undefined): Promise<GameView> {
    const key = `${step}/${seat ?? ""}`;
    let view = this.#views.get(key);
    if (!view) {
      const found = this.steps[step];
      if (!found) return Promise.reject(new RangeError(`position ${step} is not known yet`));
      view = client.viewOf(found.state, seat, this.#end.signal);
      this.#views.set(key, view);
      view.catch(() => this.#views.delete(key));
    }
    return view;
  }
}
