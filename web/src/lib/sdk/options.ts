/** Options of games by name, as ListGames tells them, turned into the contract's messages. */
import { create, type DescField } from "@bufbuild/protobuf";
import { type GameOptions, GameOptionsSchema } from "./gen/boardgamesbot/v1/games_pb.js";

/** The options message of a game: `optionsOf("agora", { backs: "PLAIN" })`. Throws RangeError for what there isn't. */
export function optionsOf(gameId: string, chosen: Readonly<Record<string, string>>): GameOptions {
  const game = GameOptionsSchema.fields.find((field) => field.name === gameId);
  if (game?.fieldKind !== "message") throw new RangeError(`there is no game ${gameId}`);
  const values = Object.entries(chosen).map(([name, value]) => {
    const field = game.message.fields.find((other) => other.name === name);
    return [field?.localName ?? name, enumValue(field, name, value)];
  });
  const value = create(game.message, Object.fromEntries(values));
  return create(GameOptionsSchema, { game: { case: gameId, value } as GameOptions["game"] });
}

function enumValue(field: DescField | undefined, name: string, value: string): number {
  if (field?.fieldKind !== "enum") throw new RangeError(`there is no option ${name}`);
  const found = field.enum.values.find((other) => other.localName === value);
  if (!found) throw new RangeError(`${value} is no value of ${name}`);
  return found.number;
}

/** The other way round: what is set, by name. */
export function optionNames(options: GameOptions | undefined): Record<string, string> {
  const value = options?.game.value;
  const game = GameOptionsSchema.fields.find((field) => field.localName === options?.game.case);
  if (!value || game?.fieldKind !== "message") return {};
  const set = game.message.fields.flatMap((field) => {
    const number = (value as unknown as Record<string, unknown>)[field.localName];
    const found = field.fieldKind === "enum" && number ? field.enum.values.find((other) => other.number === number) : undefined;
    return found ? [[field.name, found.localName] as const] : [];
  });
  return Object.fromEntries(set);
}
