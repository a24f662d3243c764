import { describe, expect, it } from "vitest";
import { AgoraBacks, AgoraTakeUntil, BarcelonaSolo } from "./index.js";
import { optionNames, optionsOf } from "./options.js";

describe("optionsOf", () => {
  it("turns names into the game's message, and back", () => {
    const options = optionsOf("agora", { backs: "PLAIN", take_until: "PILES_EMPTY" });
    expect(options.game).toMatchObject({ case: "agora", value: { backs: AgoraBacks.PLAIN, takeUntil: AgoraTakeUntil.PILES_EMPTY } });
    expect(optionNames(options)).toEqual({ backs: "PLAIN", take_until: "PILES_EMPTY" });
    expect(optionsOf("barcelona", { solo: "HARD" }).game.value).toMatchObject({ solo: BarcelonaSolo.HARD });
  });

  it("refuses what there isn't", () => {
    expect(() => optionsOf("chess", {})).toThrow(/no game chess/);
    expect(() => optionsOf("agora", { solo: "HARD" })).toThrow(/no option solo/);
    expect(() => optionsOf("agora", { backs: "GOLD" })).toThrow(/GOLD is no value of backs/);
  });
});
