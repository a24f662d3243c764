import { describe, expect, it } from "vitest";
import { Code, Refusal } from "./errors.js";
import { type Backoff, delayAfter, persist, unbroken } from "./retry.js";

const AT_ONCE: Backoff = { firstMs: 0, mostMs: 0, random: () => 0 };
const away = (): Refusal => new Refusal(Code.Unavailable, "away");

describe("delayAfter", () => {
  it("doubles up to a bound, at least half of it whatever chance says", () => {
    const backoff = { firstMs: 100, mostMs: 1000, random: () => 0 };
    expect([1, 2, 3, 4, 5, 9].map((n) => delayAfter(n, backoff))).toEqual([50, 100, 200, 400, 500, 500]);
    expect(delayAfter(1, { ...backoff, random: () => 0.999 })).toBeCloseTo(100, 0);
  });
});

describe("persist", () => {
  it("tries again while the server is away, and tells when it is back", async () => {
    let attempts = 0;
    const told: string[] = [];
    const result = await persist(
      () => (++attempts < 3 ? Promise.reject(away()) : Promise.resolve("here")),
      { backoff: AT_ONCE, onFailure: () => told.push("away"), onSuccess: () => told.push("back") },
    );
    expect([result, attempts, told]).toEqual(["here", 3, ["away", "away", "back"]]);
  });

  it("does not try again what is refused", async () => {
    let attempts = 0;
    const refused = persist(() => (attempts++, Promise.reject(new Refusal(Code.FailedPrecondition, "no"))), { backoff: AT_ONCE });
    await expect(refused).rejects.toThrow("no");
    expect(attempts).toBe(1);
  });

  it("gives up when it is told to", async () => {
    const end = new AbortController();
    const hopeless = persist(() => Promise.reject(away()), { backoff: AT_ONCE, signal: end.signal, onFailure: () => end.abort() });
    await expect(hopeless).rejects.toThrow("away");
  });

  it("waits no longer than until the network is back", async () => {
    const wake = new EventTarget();
    let attempts = 0;
    const slow: Backoff = { firstMs: 1e9, mostMs: 1e9, random: () => 1 };
    const result = persist(() => (++attempts < 2 ? Promise.reject(away()) : Promise.resolve(attempts)), {
      backoff: slow,
      wake,
      onFailure: () => queueMicrotask(() => wake.dispatchEvent(new Event("online"))),
    });
    expect(await result).toBe(2);
  });
});

describe("unbroken", () => {
  it("goes on from where it was when a stream breaks, and ends with it", async () => {
    let seen = 0;
    let opened = 0;
    async function* open() {
      opened += 1;
      while (seen < 6) {
        if (opened < 3 && seen === 2 * opened) throw away();
        yield ++seen;
      }
    }
    const all: number[] = [];
    for await (const n of unbroken(open, { backoff: AT_ONCE })) all.push(n);
    expect([all, opened]).toEqual([[1, 2, 3, 4, 5, 6], 3]);
  });

  it("throws what is refused", async () => {
    async function* open(): AsyncGenerator<number> {
      yield 1;
      throw new Refusal(Code.PermissionDenied, "not you");
    }
    const take = async () => {
      for await (const _ of unbroken(open, { backoff: AT_ONCE }));
    };
    await expect(take()).rejects.toThrow("not you");
  });

  it("is opened anew at once when told to restart, without counting as a failure", async () => {
    const wake = new EventTarget();
    let opened = 0;
    let failures = 0;
    async function* open(signal: AbortSignal): AsyncGenerator<number> {
      yield ++opened;
      if (opened === 2) return;
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
    }
    const all: number[] = [];
    for await (const n of unbroken(open, { backoff: { ...AT_ONCE, firstMs: 1e9, mostMs: 1e9 }, wake, onFailure: () => failures++ })) {
      all.push(n);
      if (n === 1) setTimeout(() => wake.dispatchEvent(new Event("restart")));
    }
    expect([all, failures]).toEqual([[1, 2], 0]);
  });

  it("is opened anew when it has been quiet for too long, but not for a slow reader", async () => {
    let opened = 0;
    async function* open(signal: AbortSignal): AsyncGenerator<number> {
      yield ++opened;
      if (opened === 2) return;
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
    }
    const all: number[] = [];
    const failed: unknown[] = [];
    for await (const n of unbroken(open, { backoff: AT_ONCE, silenceMs: 20, onFailure: (refusal) => failed.push(refusal) })) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(opened).toBe(n);
      all.push(n);
    }
    expect([all, failed]).toEqual([[1, 2], []]);
  });

  it("ends quietly when its reader has had enough", async () => {
    const end = new AbortController();
    async function* open(signal: AbortSignal): AsyncGenerator<number> {
      yield 1;
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
    }
    const all: number[] = [];
    for await (const n of unbroken(open, { signal: end.signal })) {
      all.push(n);
      setTimeout(() => end.abort());
    }
    expect(all).toEqual([1]);
  });
});
