/** Effects of the ruleset as signs to draw, and as words. */
import { list } from "../lib/i18n/i18n.svelte.js";
import { b, countName } from "./boardMessages.js";
import type { Effect } from "./data.js";

export type IconName =
  | "vp" | "coin" | "cloth" | "cerda" | "sagrada" | "narrow" | "wide" | "intersection" | "cobblestone" | "service"
  | "modernisme" | "improve" | "tram" | "passenger" | "walk" | "joy" | "marker" | "hexagon";

/** A number before an icon; `mark` tells whose, or that it costs nothing; a separator has no icon. */
export interface Sign {
  readonly icon?: IconName;
  readonly amount?: number;
  readonly mark?: string;
  readonly separator?: string;
}

const KINDS: Readonly<Record<string, IconName>> = {
  vp: "vp",
  coins: "coin",
  cloth: "cloth",
  cerda: "cerda",
  sagrada: "sagrada",
  narrow: "narrow",
  wide: "wide",
  intersection: "intersection",
  cobblestone: "cobblestone",
  service: "service",
  modernisme: "modernisme",
  improve: "improve",
  tram: "tram",
};

function partsOf(effect: Effect): { readonly parts: readonly Effect[]; readonly joint: "then" | "or" | "and" } | undefined {
  if (typeof effect === "string") return undefined;
  if (Array.isArray(effect)) return { parts: effect as readonly Effect[], joint: "then" };
  if ("choice" in effect) return { parts: effect.choice, joint: "or" };
  return { parts: (effect as { readonly any_order: readonly Effect[] }).any_order, joint: "and" };
}

/** What an effect does, in signs. */
export function signs(effect: Effect): Sign[] {
  const several = partsOf(effect);
  if (several) {
    return several.parts.flatMap((part, i) => [...(i && several.joint === "or" ? [{ separator: "/" }] : []), ...signs(part)]);
  }
  const [kind, first, second, third] = (effect as string).split(" ");
  switch (kind) {
    case "move":
      return [{ icon: "walk", amount: Number(second), mark: cityLetter(first!) }];
    case "joy":
      return [{ icon: "joy", amount: Number(second), mark: cityLetter(first!) }];
    case "resource":
      return [{ icon: "coin", amount: Number(first) }, { separator: "/" }, { icon: "cloth", amount: Number(first) }];
    case "coins":
      return [{ icon: "coin", amount: Number(first) }, ...(second === "cloth" ? [{ icon: "cloth" as const, amount: Number(third) }] : [])];
    case "tram":
      return [{ icon: "tram" }, { icon: "passenger", ...(first === "free" && { mark: "0" }) }];
    case "intersection":
      return [{ icon: "intersection", ...(first === "free" && { mark: "0" }) }];
    default: {
      const icon = KINDS[kind ?? ""];
      if (!icon) return [];
      const amount = Number(first);
      return [{ icon, ...(Number.isFinite(amount) && { amount }), ...(second === "free" && { mark: "0" }) }];
    }
  }
}

function cityLetter(city: string): string {
  return city === "barcelona" ? "B" : city === "gracia" ? "G" : "";
}

/** What an effect gives or lets one do, in the language of the moment. */
export function effectText(effect: Effect): string {
  const several = partsOf(effect);
  if (several) return list(several.parts.map(effectText), several.joint === "or" ? "disjunction" : "conjunction");
  const words = (effect as string).split(" ");
  const [kind, first, second, third] = words;
  const n = Number(first);
  switch (kind) {
    case "vp":
      return second === "per" ? b("vpPer", { n, count: countName(third ?? "") }) : b("vp", { n });
    case "coins":
      return second === "cloth" ? list([b("coins", { n }), b("cloth", { n: Number(third) })]) : b("coins", { n });
    case "cloth":
      return b("cloth", { n });
    case "resource":
      return list([b("coins", { n }), b("cloth", { n })], "disjunction");
    case "cerda":
      return b("cerdaSteps", { n });
    case "sagrada":
      return b("sagradaSteps", { n });
    case "narrow":
      return b("narrowStreets", { n });
    case "wide":
      return b("wideStreets", { n });
    case "intersection":
      return b("anIntersection", { free: first === "free" });
    case "cobblestone":
      return b("aCobblestone");
    case "service":
      return b("aService");
    case "modernisme":
      return b("aModernisme");
    case "improve":
      return b("improving", { n, free: second === "free" });
    case "tram":
      return b("aTram", { free: first === "free" });
    case "move":
      return b("walking", { who: first ?? "", n: Number(second) });
    case "joy":
      return b("joyFor", { who: first ?? "", n: Number(second) });
    default:
      return effect as string;
  }
}
