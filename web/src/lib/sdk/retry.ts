/** Waiting between attempts. */
import { Refusal, refusalOf } from "./errors.js";

/** How long to wait before the next attempt. */
export interface Backoff {
  /** Milliseconds before the second attempt. */
  readonly firstMs: number;
  /** Never more milliseconds than these, unless the server asks for more. */
  readonly mostMs: number;
  /** A number in [0, 1): spreads clients that failed together. */
  readonly random: () => number;
}

export const BACKOFF: Backoff = { firstMs: 250, mostMs: 8000, random: Math.random };

/** Milliseconds to wait after `failures` failures in a row, 1 at least: doubling, at most half of it by chance. */
export function delayAfter(failures: number, backoff: Backoff = BACKOFF): number {
  const whole = Math.min(backoff.mostMs, backoff.firstMs * 2 ** (failures - 1));
  return whole / 2 + (whole / 2) * backoff.random();
}

/** Resolves after `ms`, or as soon as `signal` aborts or `wake` fires, whichever is first. Never rejects. */
export function pause(ms: number, signal?: AbortSignal, wake?: EventTarget): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      wake?.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
    wake?.addEventListener("online", done, { once: true });
    if (signal?.aborted) done();
  });
}

/** What a loop of attempts may be told. */
export interface RetryOptions {
  readonly signal?: AbortSignal;
  readonly backoff?: Backoff;
  /** Fires `online` when it is worth trying at once. */
  readonly wake?: EventTarget;
  /** Told before each wait. */
  readonly onFailure?: (refusal: Refusal, delayMs: number) => void;
  /** Told when the first attempt, or one after failures, went well. */
  readonly onSuccess?: () => void;
  /** For how many milliseconds a stream may be quiet before it is taken for dead and asked for anew. */
  readonly silenceMs?: number;
}

/** The result of `attempt`, tried again for as long as the server can't be reached. Throws any other `Refusal`. */
export async function persist<T>(attempt: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      const result = await attempt();
      options.onSuccess?.();
      return result;
    } catch (failure) {
      const refusal = refusalOf(failure);
      if (!refusal.isTransient || options.signal?.aborted) throw refusal;
      const delay = refusal.retryAfterMs ?? delayAfter(failures, options.backoff);
      options.onFailure?.(refusal, delay);
      await pause(delay, options.signal, options.wake);
      if (options.signal?.aborted) throw refusal;
    }
  }
}

/**
 * A stream that is asked for again whenever the server goes away, until it ends by itself or `signal` aborts.
 *
 * `open` is called anew for each attempt, with the signal of that attempt: it says from where to go on. Throws every
 * `Refusal` but those of a server that can't be reached.
 */
export async function* unbroken<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  options: RetryOptions = {},
): AsyncGenerator<T, void, undefined> {
  const { signal, wake, silenceMs } = options;
  let failures = 0;
  while (!signal?.aborted) {
    const attempt = new AbortController();
    const stop = (): void => attempt.abort();
    const listen = (): ReturnType<typeof setTimeout> | undefined => (silenceMs ? setTimeout(stop, silenceMs) : undefined);
    let silence = listen();
    const listeners = [[signal, "abort"], [wake, "offline"], [wake, "restart"]] as const;
    for (const [target, event] of listeners) target?.addEventListener(event, stop, { once: true });
    try {
      for await (const item of open(attempt.signal)) {
        clearTimeout(silence);
        failures = 0;
        options.onSuccess?.();
        yield item;
        silence = listen();
      }
      if (!attempt.signal.aborted) return;
    } catch (failure) {
      if (signal?.aborted) return;
      const refusal = refusalOf(failure);
      if (!attempt.signal.aborted) {
        if (!refusal.isTransient) throw refusal;
        failures += 1;
        const delay = refusal.retryAfterMs ?? delayAfter(failures, options.backoff);
        options.onFailure?.(refusal, delay);
        await pause(delay, signal, wake);
      }
    } finally {
      clearTimeout(silence);
      for (const [target, event] of listeners) target?.removeEventListener(event, stop);
      attempt.abort();
    }
  }
}
