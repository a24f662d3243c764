/** One player's way in: every service of the contract, as plain promises and async iterables. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type CallOptions, type Client as ServiceClient, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { type BotInfo, BotService, type SuggestMoveResponse } from "./gen/boardgamesbot/v1/bots_pb.js";
import type { GameInfo, GameMove, GameRecord, GameState, GameView, Refusal as RuleRefusal } from "./gen/boardgamesbot/v1/games_pb.js";
import {
  type CreateTicketRequestSchema,
  type ListLeaderboardResponse,
  MatchmakingService,
  type Queue,
  type Rating,
  type Ticket,
  TicketStatus,
} from "./gen/boardgamesbot/v1/matchmaking_pb.js";
import {
  type BotAccount,
  type BotAnnouncementSchema,
  type CreateBotAccountResponse,
  type Player,
  PlayerService,
  type RenewBotTokenResponse,
  type WatchMeResponse,
} from "./gen/boardgamesbot/v1/players_pb.js";
import { type GetRulebookResponse, type LegalMove, RulesService, type VerifyRecordResponse } from "./gen/boardgamesbot/v1/rules_pb.js";
import {
  type CreateTableRequestSchema,
  type SubmitMoveResponse,
  type Table,
  TableService,
  type TableServiceGetViewResponse,
  type TableStatus,
  type WatchResponse,
} from "./gen/boardgamesbot/v1/tables_pb.js";
import { Code, Refusal, refusalOf } from "./errors.js";
import { persist, type RetryOptions, unbroken } from "./retry.js";
import { memoryTokens, type TokenStore } from "./tokens.js";

/** How long a call may take that is no stream, or a stream that soon ends. */
const CALL_MS = 15_000;
const KEEP_ALIVE_SECONDS = 20;
/** How many signs of life may be missing. */
const SIGNS_MISSED = 2.5;

export interface ClientOptions {
  /** Where the gateway is: `http://127.0.0.1:8080`. Needed without a `transport`. */
  readonly baseUrl?: string;
  /** Another way to the services: connect-node's gRPC transport, say. Its interceptors must hold `withToken(tokens)`. */
  readonly transport?: Transport;
  /** Where the player's token is kept; left out, in memory. */
  readonly tokens?: TokenStore;
  /** Fires `online` and `offline`, and `restart` to have all streams asked for anew: the window, in a browser. */
  readonly wake?: EventTarget;
  /** Told whether the server answers, whenever that shows. */
  readonly onReachable?: (reachable: boolean) => void;
  /**
   * After how many quiet seconds a stream is to give a sign of life, 1 to 120; one that gives none is asked for anew.
   * 0: no signs. Left out, 20 from a gateway, and 0 with another `transport`: the servers themselves send none.
   */
  readonly keepAliveSeconds?: number;
}

/** One's legal moves, and the version they are for. */
export interface LegalMoves {
  readonly version: bigint;
  readonly moves: readonly LegalMove[];
}

/** Adds the token to every call. */
export function withToken(tokens: TokenStore): Interceptor {
  return (next) => (request) => {
    const token = tokens.load();
    if (token) request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
}

/** Something to tell one call from another. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Ticket statuses after which nothing more happens. */
export const ENDED_TICKETS: ReadonlySet<TicketStatus> = new Set([
  TicketStatus.MATCHED,
  TicketStatus.CANCELLED,
  TicketStatus.EXPIRED,
  TicketStatus.FAILED,
]);

/**
 * A client of the platform. Every method throws `Refusal`.
 *
 * Reading calls and those with a request id are tried again for as long as the server can't be reached; a `signal`
 * ends that.
 */
export class Client {
  readonly tokens: TokenStore;
  readonly #players: ServiceClient<typeof PlayerService>;
  readonly #rules: ServiceClient<typeof RulesService>;
  readonly #tables: ServiceClient<typeof TableService>;
  readonly #bots: ServiceClient<typeof BotService>;
  readonly #matchmaking: ServiceClient<typeof MatchmakingService>;
  readonly #options: ClientOptions;
  readonly #keepAliveSeconds: number;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#keepAliveSeconds = options.keepAliveSeconds ?? (options.transport ? 0 : KEEP_ALIVE_SECONDS);
    this.tokens = options.tokens ?? memoryTokens();
    const transport =
      options.transport ??
      createConnectTransport({
        baseUrl: options.baseUrl ?? "",
        useBinaryFormat: true,
        interceptors: [withToken(this.tokens)],
      });
    this.#players = createClient(PlayerService, transport);
    this.#rules = createClient(RulesService, transport);
    this.#tables = createClient(TableService, transport);
    this.#bots = createClient(BotService, transport);
    this.#matchmaking = createClient(MatchmakingService, transport);
  }

  // Who one is

  /** Becomes a new guest and keeps the token. */
  async signIn(name = ""): Promise<Player> {
    const response = await this.#once(() => this.#players.createGuest({ name }, call()));
    this.tokens.save(response.token);
    return present(response.player, "player");
  }

  /** Who the token says this is. UNAUTHENTICATED: nobody, or no longer. */
  async me(signal?: AbortSignal): Promise<Player> {
    return present((await this.#read(() => this.#players.getMe({}, call(signal)), signal)).player, "player");
  }

  /**
   * Every table where it is one's turn, as it comes up, until `signal` aborts. A bot account says with `announcement`
   * what it takes, and can be seated for as long as it watches.
   */
  async *watchMe(signal?: AbortSignal, announcement?: MessageInitShape<typeof BotAnnouncementSchema>): AsyncGenerator<WatchMeResponse, void, undefined> {
    const request = announcement ? { announcement } : {};
    for await (const response of this.#follow((options) => this.#players.watchMe(request, options), signal)) {
      if (response.tableId) yield response;
    }
  }

  /** An account for a bot of one's own, and its token: the bot is who has it. */
  async createBotAccount(name: string): Promise<CreateBotAccountResponse> {
    const requestId = newRequestId();
    return this.#read(() => this.#players.createBotAccount({ name, requestId }, call()));
  }

  /** One's own bot accounts, the oldest first. */
  async botAccounts(signal?: AbortSignal): Promise<BotAccount[]> {
    return (await this.#read(() => this.#players.listBotAccounts({}, call(signal)), signal)).accounts;
  }

  /** Another token for a bot account of one's own; the older ones are worth nothing then. */
  async renewBotToken(accountId: string): Promise<RenewBotTokenResponse> {
    return this.#once(() => this.#players.renewBotToken({ accountId }, call()));
  }

  /** Ends a bot account of one's own. */
  async deleteBotAccount(accountId: string): Promise<void> {
    await this.#once(() => this.#players.deleteBotAccount({ accountId }, call()));
  }

  // The rules

  /** The games of the server. */
  async games(signal?: AbortSignal): Promise<GameInfo[]> {
    return (await this.#read(() => this.#rules.listGames({}, call(signal)), signal)).games;
  }

  /** A game's rules by id, and its data. */
  async rulebook(gameId: string, signal?: AbortSignal): Promise<GetRulebookResponse> {
    return this.#read(() => this.#rules.getRulebook({ gameId }, call(signal)), signal);
  }

  /** A game set up from a record's header: the position before its first move. */
  async newState(record: GameRecord, signal?: AbortSignal): Promise<GameState> {
    const { gameId, options, seed } = record;
    const request = { gameId, players: record.players.length, seed, ...(options && { options }) };
    return present((await this.#read(() => this.#rules.newState(request, call(signal)), signal)).state, "state");
  }

  /** The position after a move in one that the caller keeps, and what happened. */
  async applyMove(state: GameState, move: GameMove, signal?: AbortSignal) {
    return this.#read(() => this.#rules.applyMove({ state, move }, call(signal)), signal);
  }

  /** A position that the caller keeps as `seat` may know it; left out, a spectator. */
  async viewOf(state: GameState, seat?: number, signal?: AbortSignal): Promise<GameView> {
    const request = seat === undefined ? { state } : { state, seat };
    return present((await this.#read(() => this.#rules.getView(request, call(signal)), signal)).view, "view");
  }

  /** Why a move is illegal in a position that the caller keeps; undefined: it is legal. */
  async checkMove(state: GameState, move: GameMove, signal?: AbortSignal): Promise<RuleRefusal | undefined> {
    return (await this.#read(() => this.#rules.checkMove({ state, move }, call(signal)), signal)).refusal;
  }

  /** Has a record replayed by the server. */
  async verify(record: GameRecord, signal?: AbortSignal): Promise<VerifyRecordResponse> {
    return this.#read(() => this.#rules.verifyRecord({ record }, call(signal)), signal);
  }

  // Tables

  /** Opens a table. Safe to repeat: it has a request id. */
  async createTable(table: Omit<MessageInitShape<typeof CreateTableRequestSchema>, "requestId" | "$typeName">): Promise<Table> {
    const requestId = newRequestId();
    return present((await this.#read(() => this.#tables.createTable({ ...table, requestId }, call()))).table, "table");
  }

  /** Public tables, newest first: a page of them. */
  async tables(
    filter: { gameId?: string; status?: TableStatus; pageSize?: number; pageToken?: string } = {},
    signal?: AbortSignal,
  ): Promise<{ tables: Table[]; nextPageToken: string }> {
    return this.#read(() => this.#tables.listTables(filter, call(signal)), signal);
  }

  /** A table without its game. */
  async table(tableId: string, signal?: AbortSignal): Promise<Table> {
    return present((await this.#read(() => this.#tables.getTable({ tableId }, call(signal)), signal)).table, "table");
  }

  /** The table that has a code. */
  async tableByCode(code: string): Promise<Table> {
    return present((await this.#read(() => this.#tables.getTableByCode({ code }, call()))).table, "table");
  }

  /** Takes a seat, the first free one if none is named, or one's own again; gives which. */
  async takeSeat(tableId: string, seat?: number): Promise<number> {
    const request = seat === undefined ? { tableId } : { tableId, seat };
    return (await this.#read(() => this.#tables.takeSeat(request, call()))).seat;
  }

  /** Leaves one's seat, or, as the host, frees another's. */
  async leaveSeat(tableId: string, seat?: number): Promise<Table> {
    const request = seat === undefined ? { tableId } : { tableId, seat };
    return present((await this.#once(() => this.#tables.leaveSeat(request, call()))).table, "table");
  }

  /** As the host, has those on two seats change places. */
  async swapSeats(tableId: string, seat: number, otherSeat: number): Promise<Table> {
    return present((await this.#once(() => this.#tables.swapSeats({ tableId, seat, otherSeat }, call()))).table, "table");
  }

  /** Begins the game, as the host. */
  async start(tableId: string): Promise<Table> {
    return present((await this.#once(() => this.#tables.startTable({ tableId }, call()))).table, "table");
  }

  /** The position as one's seat may know it, or as a spectator. */
  async view(tableId: string, signal?: AbortSignal): Promise<TableServiceGetViewResponse> {
    return this.#read(() => this.#tables.getView({ tableId }, call(signal)), signal);
  }

  /** One's legal moves, none where the decision is another's. */
  async legalMoves(tableId: string, signal?: AbortSignal): Promise<LegalMoves> {
    return this.#read(() => this.#tables.listLegalMoves({ tableId }, call(signal)), signal);
  }

  /**
   * Plays a move that was chosen at `version`. Sent again, with the same request id, until there is an answer: it
   * stands once, however often the network fails.
   */
  async submit(tableId: string, seat: number, version: bigint, move: GameMove, signal?: AbortSignal): Promise<SubmitMoveResponse> {
    const requestId = newRequestId();
    return this.#read(() => this.#tables.submitMove({ tableId, seat, version, requestId, move }, call(signal)), signal);
  }

  /** Takes back one's last move; gives the new version. */
  async undo(tableId: string, seat: number, version: bigint): Promise<bigint> {
    const requestId = newRequestId();
    return (await this.#read(() => this.#tables.undoMove({ tableId, seat, version, requestId }, call()))).version;
  }

  /** Gives up a seat: a bot plays on in it. */
  async resign(tableId: string, seat: number): Promise<Table> {
    return present((await this.#once(() => this.#tables.resign({ tableId, seat }, call()))).table, "table");
  }

  /** The record of a finished game. */
  async record(tableId: string, signal?: AbortSignal): Promise<GameRecord> {
    return present((await this.#read(() => this.#tables.getRecord({ tableId }, call(signal)), signal)).record, "record");
  }

  /**
   * Every version of a table after `afterVersion`, nothing missing and nothing twice, whatever happens to the
   * connection. Ends with the table, or when `signal` aborts. A response that is `restarted` shows the table anew: the
   * store has lost the end of what came before it.
   */
  async *watch(tableId: string, afterVersion = 0n, signal?: AbortSignal): AsyncGenerator<WatchResponse, void, undefined> {
    let seen = { afterVersion, afterCommit: "" };
    for await (const response of this.#follow((options) => this.#tables.watch({ tableId, ...seen }, options), signal)) {
      if (!response.version) continue;
      seen = { afterVersion: response.version, afterCommit: response.commit };
      yield response;
    }
  }

  // Bots

  /** The bots on offer, weakest first. */
  async bots(gameId = "", signal?: AbortSignal): Promise<BotInfo[]> {
    return (await this.#read(() => this.#bots.listBots({ gameId }, call(signal)), signal)).bots;
  }

  /** The bots from outside that can be seated now. */
  async botsFromOutside(gameId = "", signal?: AbortSignal): Promise<BotAccount[]> {
    return (await this.#read(() => this.#bots.listBots({ gameId }, call(signal)), signal)).accounts;
  }

  /** Seats a bot at a table of one's own, on the first free seat if none is named; gives which. */
  async seatBot(tableId: string, bot: string, seat?: number): Promise<number> {
    const request = { tableId, bot, requestId: newRequestId(), ...(seat !== undefined && { seat }) };
    return (await this.#read(() => this.#bots.seatBot(request, call()))).seat;
  }

  /**
   * What a bot would play for one's own seat, with its reasons, as that improves; the last is `final`. Ends early when
   * `signal` aborts: the bot stops thinking. Left out, `milliseconds` are as many as the bot takes by itself.
   * FAILED_PRECONDITION: the table is rated (HINTS_OFF), or it is not one's decision.
   */
  async *suggest(tableId: string, milliseconds?: number, signal?: AbortSignal): AsyncGenerator<SuggestMoveResponse, void, undefined> {
    const request = { tableId, reasoning: true, ...(milliseconds && { budget: { milliseconds } }) };
    try {
      for await (const response of this.#bots.suggestMove(request, call(signal))) {
        if (response.choice) yield response;
      }
    } catch (failure) {
      if (!signal?.aborted) throw refusalOf(failure);
    }
  }

  // Others to play with

  /** A wish to play. It must be watched, or it expires. */
  async createTicket(ticket: Omit<MessageInitShape<typeof CreateTicketRequestSchema>, "requestId" | "$typeName">): Promise<Ticket> {
    const requestId = newRequestId();
    return present((await this.#read(() => this.#matchmaking.createTicket({ ...ticket, requestId }, call()))).ticket, "ticket");
  }

  /** Joins the party that has the code. */
  async joinTicket(joinCode: string): Promise<Ticket> {
    return present((await this.#read(() => this.#matchmaking.joinTicket({ joinCode }, call()))).ticket, "ticket");
  }

  /** Ends a ticket, for the whole party. */
  async cancelTicket(ticketId: string): Promise<Ticket> {
    return present((await this.#read(() => this.#matchmaking.cancelTicket({ ticketId }, call()))).ticket, "ticket");
  }

  /** Accepts, or declines, a match that wants it. */
  async acceptMatch(ticketId: string, matchId: string, decline = false): Promise<Ticket> {
    return present((await this.#once(() => this.#matchmaking.acceptMatch({ ticketId, matchId, decline }, call()))).ticket, "ticket");
  }

  /** A ticket as it stands, again whenever that changes, until it has ended or `signal` aborts. */
  async *watchTicket(ticketId: string, signal?: AbortSignal): AsyncGenerator<Ticket, void, undefined> {
    for await (const response of this.#follow((options) => this.#matchmaking.watchTicket({ ticketId }, options), signal)) {
      if (response.ticket) yield response.ticket;
    }
  }

  /** How many wait, by game and number of players. */
  async queues(gameId = "", signal?: AbortSignal): Promise<Queue[]> {
    return (await this.#read(() => this.#matchmaking.listQueues({ gameId }, call(signal)), signal)).queues;
  }

  /** One's own ratings, or a bot's or another player's. */
  async ratings(gameId: string, whose: { bot: string } | { playerId: string } | undefined = undefined): Promise<Rating[]> {
    const of =
      whose === undefined
        ? {}
        : "bot" in whose
          ? { whose: { case: "bot" as const, value: whose.bot } }
          : { whose: { case: "playerId" as const, value: whose.playerId } };
    return (await this.#read(() => this.#matchmaking.getRating({ gameId, ...of }, call()))).ratings;
  }

  /** A page of the best players of a game for so many. */
  async leaderboard(gameId: string, players: number, pageToken = "", signal?: AbortSignal): Promise<ListLeaderboardResponse> {
    return this.#read(() => this.#matchmaking.listLeaderboard({ gameId, players, pageToken }, call(signal)), signal);
  }

  /** A stream that goes on for as long as it likes. Signs of life come through: messages without a field. */
  #follow<T>(open: (options: CallOptions) => AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T, void, undefined> {
    const seconds = this.#keepAliveSeconds;
    const headers: Record<string, string> = seconds ? { "x-keep-alive-seconds": String(seconds) } : {};
    const silence = seconds ? { silenceMs: SIGNS_MISSED * 1000 * seconds } : {};
    return unbroken((attempt) => open({ signal: attempt, headers }), { ...this.#retry(signal), ...silence });
  }

  #retry(signal?: AbortSignal): RetryOptions {
    const { wake, onReachable } = this.#options;
    return {
      ...(signal && { signal }),
      ...(wake && { wake }),
      onFailure: () => onReachable?.(false),
      onSuccess: () => onReachable?.(true),
    };
  }

  /** For calls that may be made twice. */
  #read<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return persist(attempt, this.#retry(signal));
  }

  /** For calls that should be made once: a failure is the caller's to show. */
  async #once<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      const result = await attempt();
      this.#options.onReachable?.(true);
      return result;
    } catch (failure) {
      const refusal = refusalOf(failure);
      if (refusal.isTransient) this.#options.onReachable?.(false);
      throw refusal;
    }
  }
}

function call(signal?: AbortSignal): CallOptions {
  return signal ? { signal, timeoutMs: CALL_MS } : { timeoutMs: CALL_MS };
}

function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Refusal(Code.Internal, `the server's answer holds no ${what}`);
  return value;
}
