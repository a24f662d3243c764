import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hex } from "./record.js";
import { sha256 } from "./sha256.js";

describe("sha256", () => {
  it("gives the digests of the standard", () => {
    expect(hex(sha256(new Uint8Array()))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(hex(sha256(new TextEncoder().encode("abc")))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it("agrees with node's at every length around a block's end", () => {
    for (let length = 0; length <= 200; length++) {
      const data = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 255);
      expect(hex(sha256(data)), `${length} bytes`).toBe(createHash("sha256").update(data).digest("hex"));
    }
  });
});
