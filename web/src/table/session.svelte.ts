/** A table as this page follows it: what is so, what happened, and what one may do. */
import { create, equals } from "@bufbuild/protobuf";
import { rememberCommitment, rememberTables } from "../lib/app/myTables.js";
import { client, signedIn } from "../lib/app/session.svelte.js";
import {
  type GameEvent,
  type GameMove,
  GameMoveSchema,
  type GameSummary,
  type GameView,
  hex,
  type LegalMoves,
  PlayerKind,
  Refusal,
  refusalOf,
  type Table,
  type TableChange,
  TableStatus,
  type WatchResponse,
} from "../lib/sdk/index.js";
import { type Explanation, outer, type SeatInfo } from "./seam.js";

const CHECK_MS = 15_000;
const PATIENCE_MS = 2_000;

/** Something that happened at the table, with the version it led to. */
export interface Entry {
  readonly version: bigint;
  readonly seat: number | undefined;
  readonly change: TableChange | undefined;
  readonly undone: boolean;
  readonly events: readonly GameEvent[];
}

/** What the table has to say to the person: why something did not work. */
export type Notice =
  | { readonly kind: "rule"; readonly explanation: Explanation }
  | { readonly kind: "stale" }
  | { readonly kind: "error"; readonly refusal: Refusal };

export class TableSession {
  readonly id: string;
  table = $state.raw<Table | undefined>();
  view = $state.raw<GameView | undefined>();
  version = $state.raw(0n);
  legal = $state.raw<LegalMoves | undefined>();
  log = $state.raw<readonly Entry[]>([]);
  /** The events of the last batch. */
  latest = $state.raw<readonly GameEvent[]>([]);
  notice = $state.raw<Notice | undefined>();
  #sending = $state(false);
  #sent = $state.raw(0n);
  /** Why there is no table to see. */
  failure = $state.raw<Refusal | undefined>();
  /** `performance.now()` when the running clock was heard of. */
  clockHeard = $state(0);

  #me = $state("");
  readonly #end = new AbortController();

  constructor(id: string) {
    this.id = id;
  }

  /** One's own seat; undefined: none. */
  readonly seat = $derived(this.table?.seats.find((seat) => this.#me !== "" && (seat.player?.id === this.#me || seat.away?.id === this.#me))?.seat);
  /** Whether one's time ran out and a bot plays on, until one takes the seat again. */
  readonly isAway = $derived(this.table?.seats.some((seat) => this.#me !== "" && seat.away?.id === this.#me) ?? false);
  readonly isHost = $derived(this.table !== undefined && this.table.host === this.#me);
  readonly summary: GameSummary | undefined = $derived(this.table?.summary);
  readonly isMyTurn = $derived(this.seat !== undefined && this.table?.status === TableStatus.PLAYING && this.summary?.actor === this.seat && !this.isAway);
  readonly seats: readonly SeatInfo[] = $derived(
    (this.table?.seats ?? []).map((seat) => ({
      seat: seat.seat,
      colour: seat.colour,
      name: seat.resigned?.name ?? seat.away?.name ?? seat.player?.name ?? "",
      isMe: this.#me !== "" && seat.player?.id === this.#me,
      isBot: seat.player?.kind === PlayerKind.BOT || seat.player?.kind === PlayerKind.BOT_ACCOUNT,
    })),
  );
  /** Whether something of one's own is on its way, or its outcome is. */
  readonly busy = $derived(this.#sending || this.version < this.#sent);
  /** The legal moves that can be played at this moment. */
  readonly moves = $derived(this.isMyTurn && !this.busy && this.legal?.version === this.version ? this.legal.moves : []);

  /** Follows the table until it ends or `close` is called. */
  async run(): Promise<void> {
    const signal = this.#end.signal;
    try {
      this.#me = (await signedIn()).id;
      this.#check(signal);
      let batch: WatchResponse[] = [];
      for await (const response of client.watch(this.id, 0n, signal)) {
        batch.push(response);
        if (response.table) {
          this.#take(batch);
          batch = [];
        }
      }
    } catch (failure) {
      if (!signal.aborted) this.failure = refusalOf(failure);
    }
  }

  /** Lets go of the table; the seat stays one's own. */
  close(): void {
    this.#end.abort();
  }

  /** Plays a legal move. What is refused becomes a notice. */
  async submit(move: unknown): Promise<void> {
    const legal = this.legal;
    const table = this.table;
    if (this.busy || !legal || !table || this.seat === undefined) return;
    await this.#act(async (seat) => {
      const message = create(GameMoveSchema, { game: outer(table.gameId, move) });
      return (await client.submit(this.id, seat, legal.version, message, this.#end.signal)).version;
    });
  }

  /** Takes back one's last move. */
  async undo(): Promise<void> {
    await this.#act((seat) => client.undo(this.id, seat, this.version));
  }

  /** Gives up one's seat. */
  async resign(): Promise<void> {
    await this.#act(async (seat) => (await client.resign(this.id, seat)).version);
  }

  /**
   * Why a move can't be made here; undefined: it can, or it is not one's decision. The move is sent to the table, which
   * refuses it: nothing is sent that is among the legal moves of this very version.
   */
  async explain(move: unknown): Promise<Explanation | undefined> {
    const { legal, table, seat } = this;
    if (!legal || !table || seat === undefined || !this.isMyTurn || legal.version !== this.version) return undefined;
    const message = create(GameMoveSchema, { game: outer(table.gameId, move) });
    if (legal.moves.some((other) => other.move && equals(GameMoveSchema, other.move, message))) return undefined;
    try {
      await client.submit(this.id, seat, legal.version, message, this.#end.signal);
      return undefined;
    } catch (failure) {
      const explanation = explanationOf(refusalOf(failure));
      this.notice = { kind: "rule", explanation };
      return explanation;
    }
  }

  /** Does something to the table outside the game; what is refused becomes a notice. */
  async manage(action: () => Promise<unknown>): Promise<void> {
    this.#sending = true;
    this.notice = undefined;
    try {
      await action();
    } catch (failure) {
      this.#tell(refusalOf(failure));
    } finally {
      this.#sending = false;
    }
  }

  async #act(action: (seat: number) => Promise<bigint>): Promise<void> {
    const seat = this.seat;
    if (seat === undefined || this.busy) return;
    this.#sending = true;
    this.notice = undefined;
    try {
      this.#sent = await action(seat);
      setTimeout(() => this.#hurry(), PATIENCE_MS);
    } catch (failure) {
      this.#tell(refusalOf(failure));
      await this.#loadLegal();
    } finally {
      this.#sending = false;
    }
  }

  /** Has the streams asked for anew where the outcome of a move of one's own has not come. */
  #hurry(): void {
    if (this.version < this.#sent && !this.#end.signal.aborted) dispatchEvent(new Event("restart"));
  }

  #tell(refusal: Refusal): void {
    if (this.#end.signal.aborted) return;
    if (refusal.rule) this.notice = { kind: "rule", explanation: explanationOf(refusal) };
    else if (refusal.isStale) this.notice = { kind: "stale" };
    else this.notice = { kind: "error", refusal };
  }

  #take(batch: readonly WatchResponse[]): void {
    const last = batch.at(-1)!;
    const log = [...this.log];
    for (const response of batch) {
      if (response.restarted) {
        // The store has lost the end of the game: what came of it is no more, nor is a move of one's own in it.
        while (log.length && log.at(-1)!.version > response.version) log.pop();
        this.version = this.#sent = response.version;
      }
      if (response.version <= this.version) continue;
      const { change } = response;
      if (change.case === "moveUndone") {
        const { restoredVersion } = change.value;
        while (log.length && log.at(-1)!.version > restoredVersion && log.at(-1)!.change === undefined) log.pop();
      }
      log.push({
        version: response.version,
        seat: change.value?.seat,
        change: change.case === "tableChange" ? change.value : undefined,
        undone: change.case === "moveUndone",
        events: change.case === "moveUndone" ? [] : (change.value?.events ?? []),
      });
    }
    this.latest = batch.length > 20 ? [] : batch.flatMap((response) => eventsOf(response));
    this.log = log;
    this.version = last.version;
    this.table = last.table;
    if (last.view) this.view = last.view;
    if (last.table?.running) this.clockHeard = performance.now();
    if (this.seat !== undefined) rememberTables(this.id);
    if (last.table?.seedCommitment.length) rememberCommitment(this.id, hex(last.table.seedCommitment));
    if (this.notice?.kind === "stale") this.notice = undefined;
    if (this.isMyTurn) void this.#loadLegal();
  }

  async #loadLegal(): Promise<void> {
    if (!this.isMyTurn) return;
    try {
      const legal = await client.legalMoves(this.id, this.#end.signal);
      if (legal.version >= this.version) this.legal = legal;
    } catch (failure) {
      this.#tell(refusalOf(failure));
    }
  }

  /** A stream can fall silent without breaking: now and then the table is asked whether it has moved on. */
  #check(signal: AbortSignal): void {
    const look = async (): Promise<void> => {
      if (document.visibilityState === "hidden" || this.table === undefined || this.#isOver()) return;
      const table = await client.table(this.id, signal);
      if (table.version <= this.version) return;
      await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
      if (this.version < table.version && !signal.aborted) dispatchEvent(new Event("restart"));
    };
    const timer = setInterval(() => void look().catch(() => undefined), CHECK_MS);
    const onShow = (): void => void look().catch(() => undefined);
    document.addEventListener("visibilitychange", onShow);
    signal.addEventListener("abort", () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onShow);
    });
  }

  #isOver(): boolean {
    return this.table?.status === TableStatus.FINISHED || this.table?.status === TableStatus.CLOSED;
  }
}

function eventsOf(response: WatchResponse): readonly GameEvent[] {
  return response.change.case === "moveUndone" ? [] : (response.change.value?.events ?? []);
}

/** A refusal as something to show beside a move. */
export function explanationOf(refusal: Refusal): Explanation {
  const text = refusal.rule ? refusal.message.replace(`${refusal.rule}: `, "") : refusal.message;
  return { rule: refusal.rule, text };
}

/** The move as a plain message, for comparing what is pointed at. */
export function sameMove(gameId: string, one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  const wrap = (move: unknown): GameMove => create(GameMoveSchema, { game: outer(gameId, move) });
  return equals(GameMoveSchema, wrap(one), wrap(other));
}
