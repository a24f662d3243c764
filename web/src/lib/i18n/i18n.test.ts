import { describe, expect, it } from "vitest";
import { botWords } from "./botWords.js";
import { ca } from "./ca.js";
import { en } from "./en.js";
import { es } from "./es.js";
import { plural, preferredLocale, setLocale } from "./i18n.svelte.js";
import { t } from "./messages.js";

describe("catalogues", () => {
  it("have no text in English where it was meant to be translated", () => {
    const same = (Object.keys(en) as (keyof typeof en)[]).filter((key) => typeof en[key] === "string" && (en[key] === ca[key] || en[key] === es[key]));
    // Words that are the same in these languages, and a name.
    expect(new Set(same)).toEqual(new Set(["solo.normal", "seats.bot", "result.total", "find.decline"]));
  });

  it("say the particulars", () => {
    for (const catalogue of [en, ca, es]) {
      expect(catalogue["table.turnOf"]({ name: "Ildefons" })).toContain("Ildefons");
      expect(catalogue["replay.move"]({ step: 3, total: 9 })).toMatch(/3.*9/);
    }
  });
});

describe("botWords", () => {
  it("says the bots that the page knows in its language, and others as the server does", () => {
    setLocale("ca");
    expect(botWords({ id: "agora-easy", name: "Agora (easy)", description: "…" }).name).toBe("Agora, fàcil");
    expect(botWords({ id: "hint", name: "Rook", description: "Plays." })).toEqual({ name: "Rook", text: "Plays." });
    setLocale("en");
  });
});

describe("plurals", () => {
  it("go by the language's own rules", () => {
    expect([0, 1, 2].map((n) => en["play.playersN"]({ n }))).toEqual(["0 players", "1 player", "2 players"]);
    expect([0, 1, 2].map((n) => ca["play.playersN"]({ n }))).toEqual(["0 jugadors", "1 jugador", "2 jugadors"]);
    expect(plural("es", 1_000_000, { one: "punto", other: "puntos", many: "de puntos" })).toBe("de puntos");
    expect(plural("es", 1_000_000, { one: "punto", other: "puntos" })).toBe("puntos");
  });
});

describe("the language of the moment", () => {
  it("is what every text is in from then on", () => {
    expect(t("table.undo")).toBe("Take back");
    setLocale("ca");
    expect(t("table.undo")).toBe("Desfés");
    setLocale("en");
  });

  it("begins as last chosen, else as the browser wishes, else in English", () => {
    expect(preferredLocale("es", ["ca"])).toBe("es");
    expect(preferredLocale(null, ["fr-FR", "ca-ES", "en"])).toBe("ca");
    expect(preferredLocale("tlh", ["ES-mx"])).toBe("es");
    expect(preferredLocale(null, ["fr", "toString"])).toBe("en");
  });
});
