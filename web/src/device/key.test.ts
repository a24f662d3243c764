import { describe, expect, it } from "vitest";
import { readKey, writeKey } from "./key.js";

describe("keys", () => {
  const key = { token: "eyJ.ü.x", tables: ["a", "b"] };

  it("come through, whatever a messenger does to their lines", () => {
    const text = writeKey(key);
    expect(text).toMatch(/^bgb1\.[\w-]+$/);
    expect(readKey(`  ${text.slice(0, 12)}\n${text.slice(12)} `)).toEqual(key);
  });

  it("are not taken for what they are not", () => {
    for (const text of ["", "bgb1.", "bgb1.!!!", "eyJhbGciOi", `${writeKey(key).slice(0, -6)}`, `bgb1.${btoa('["",[]]')}`, `bgb1.${btoa("{}")}`]) {
      expect(readKey(text), text).toBeUndefined();
    }
  });
});
