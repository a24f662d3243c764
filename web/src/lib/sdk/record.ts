/** Records of games: as files, and whether their shuffle was what was promised. */
import { fromJsonString, toJsonString } from "@bufbuild/protobuf";
import { type GameRecord, GameRecordSchema } from "./gen/boardgamesbot/v1/games_pb.js";
import { sha256 } from "./sha256.js";

/** A record as the JSON document that `bgb replay` reads, too. Throws where the text is none. */
export function recordFromJson(text: string): GameRecord {
  return fromJsonString(GameRecordSchema, text);
}

/** The same the other way round. */
export function recordToJson(record: GameRecord): string {
  return toJsonString(GameRecordSchema, record, { prettySpaces: 1 });
}

/** Whether the seed is the one whose SHA-256 was published before the first move. */
export function commitmentHolds(record: GameRecord): boolean {
  return record.seed.length === 32 && equalBytes(sha256(record.seed), record.seedCommitment);
}

/** Bytes as small hexadecimal letters. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}
