import { describe, expect, it } from "vitest";
import { href, parse, type Route, ruleHref } from "./router.svelte.js";

describe("routes", () => {
  it("lead where they came from", () => {
    const routes: Exclude<Route, { page: "missing" }>[] = [
      { page: "home" },
      { page: "table", id: "a/b ü" },
      { page: "join", code: "PANOT-7" },
      { page: "tables" },
      { page: "device" },
      { page: "replay", id: undefined },
      { page: "replay", id: "x" },
      { page: "rules", game: "agora" },
      { page: "leaderboard", game: undefined },
    ];
    for (const route of routes) expect(parse(href(route))).toEqual(route);
  });

  it("say so where there is nothing", () => {
    for (const path of ["/nowhere", "/table", "/table/a/b", "/tables/x", "/join"]) expect(parse(path)).toEqual({ page: "missing", path });
  });

  it("survive addresses that are not well formed", () => {
    expect(parse("/table/%E0%A4%A")).toEqual({ page: "table", id: "%E0%A4%A" });
  });

  it("find a rule's game", () => {
    expect(ruleHref("AG-P2.3")).toBe("/rules/agora#AG-P2.3");
    expect(ruleHref("BA-GA1")).toBe("/rules/barcelona#BA-GA1");
  });
});
