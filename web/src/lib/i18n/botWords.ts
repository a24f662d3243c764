/** The bots of this platform in the language of the page. */
import type { BotInfo } from "../sdk/index.js";
import { en } from "./en.js";
import { t } from "./messages.js";

type Key = keyof typeof en;
type Known = { [K in Key]: K extends `bot.${infer Id}.text` ? Id : never }[Key];

const isKnown = (id: string): id is Known => `bot.${id}.text` in en;

/** A bot's name, and how it plays. Bots that the page does not know have them from the server, in English. */
export function botWords(bot: Pick<BotInfo, "id" | "name" | "description">): { readonly name: string; readonly text: string } {
  if (!isKnown(bot.id)) return { name: bot.name, text: bot.description };
  return { name: t(`bot.${bot.id}`), text: t(`bot.${bot.id}.text`) };
}
