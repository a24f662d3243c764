import { describe, expect, it } from "vitest";
import { clockText } from "./clock.js";
import { groupMoves, plain } from "./grouping.js";

describe("clockText", () => {
  it("shows as much as matters", () => {
    const shown = { 0: "0.0", 9_550: "9.5", 10_000: "0:10", 754_000: "12:34", 3_600_000: "1:00:00", 187_200_000: "2 d 4 h" };
    for (const [ms, text] of Object.entries(shown)) expect(clockText(Number(ms))).toBe(text);
  });
});

describe("groupMoves", () => {
  const said = (text: string, group?: string) => ({ legal: text, text, group });
  const moves = [said("Walk from Gràcia to Eixample", "Blue"), said("Walk from Eixample to Gràcia", "Red"), said("Walk from Gràcia to Horta", "Blue")];

  it("keeps each heading once, in the order they come", () => {
    expect(groupMoves(moves, "").map(({ name, moves }) => [name, moves.length])).toEqual([["Blue", 2], ["Red", 1]]);
  });

  it("finds words anywhere, with or without accents, headings included", () => {
    expect(groupMoves(moves, " gracia  EIX").flatMap((group) => group.moves).length).toBe(2);
    expect(groupMoves(moves, "blue horta").flatMap((group) => group.moves).map((m) => m.text)).toEqual(["Walk from Gràcia to Horta"]);
    expect(groupMoves(moves, "sants")).toEqual([]);
  });

  it("strips accents and capitals", () => expect(plain("Sarrià-SANT Gervasi")).toBe("sarria-sant gervasi"));
});
