/**
 * The TypeScript SDK of BoardGamesBot: knows the contract and nothing of the page. Runs in browsers and in Node.
 *
 *     const client = new Client({ baseUrl: "http://127.0.0.1:8080" });
 *     await client.signIn("Ildefons");
 *     const table = await client.createTable({ gameId: "agora", players: 3 });
 */
export * from "./client.js";
export * from "./errors.js";
export * from "./options.js";
export * from "./record.js";
export { type Backoff, BACKOFF, delayAfter, persist, type RetryOptions, unbroken } from "./retry.js";
export { sha256 } from "./sha256.js";
export * from "./tokens.js";
export * from "./gen/boardgamesbot/v1/agora_pb.js";
export * from "./gen/boardgamesbot/v1/barcelona_pb.js";
export * from "./gen/boardgamesbot/v1/bots_pb.js";
export {
  type GameEvent,
  GameEventSchema,
  type GameInfo,
  type GameMove,
  GameMoveSchema,
  type GameOptions,
  GameOptionsSchema,
  type GameRecord,
  GameRecordSchema,
  type GameResult,
  type GameState,
  GameStateSchema,
  type GameSummary,
  GameSummarySchema,
  type GameView,
  GameViewSchema,
  type OptionInfo,
  type Rule,
  RuleSource,
} from "./gen/boardgamesbot/v1/games_pb.js";
export * from "./gen/boardgamesbot/v1/matchmaking_pb.js";
export * from "./gen/boardgamesbot/v1/players_pb.js";
export { type GetRulebookResponse, type LegalMove, type RecordFault, type VerifyRecordResponse } from "./gen/boardgamesbot/v1/rules_pb.js";
export * from "./gen/boardgamesbot/v1/tables_pb.js";
