/** What a server refuses, and why: one error class for every call. */
import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  PreconditionFailureSchema,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.js";

export { Code };

/** A request refused, with google.rpc's details unpacked. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    /** The gRPC status. */
    readonly code: Code,
    message: string,
    /** The machine-readable reason: `ILLEGAL_MOVE`, `STALE_VERSION`; empty where there was no answer at all. */
    readonly reason = "",
    /** The particulars by name; `version` is the table's. */
    readonly metadata: Readonly<Record<string, string>> = {},
    /** The id of the rule that a move breaks. */
    readonly rule: string | undefined = undefined,
    /** What the rule says, and why the move breaks it here. */
    readonly explanation: string | undefined = undefined,
    /** The path of the field at fault. */
    readonly field: string | undefined = undefined,
    /** When to try again, in milliseconds from now. */
    readonly retryAfterMs: number | undefined = undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether the server could not be reached, or asks to be asked later: the same call may succeed in a moment. */
  get isTransient(): boolean {
    const told = this.code === Code.ResourceExhausted && this.retryAfterMs !== undefined;
    return told || this.code === Code.Unavailable || this.code === Code.DeadlineExceeded;
  }

  /** Whether the table has moved on since the version that the call was made for. */
  get isStale(): boolean {
    return this.code === Code.Aborted;
  }
}

/** Any failure of a call as a `Refusal`. A network that fails in whatever way counts as UNAVAILABLE. */
export function refusalOf(failure: unknown): Refusal {
  if (failure instanceof Refusal) return failure;
  if (failure instanceof TypeError) return new Refusal(Code.Unavailable, failure.message, "", {}, undefined, undefined, undefined, undefined, { cause: failure });
  const error = ConnectError.from(failure);
  const info = error.findDetails(ErrorInfoSchema)[0];
  const broken = error.findDetails(PreconditionFailureSchema)[0]?.violations.find((v) => v.type === "RULE");
  const field = error.findDetails(BadRequestSchema)[0]?.fieldViolations[0]?.field;
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return new Refusal(
    isNetworkFailure(error, info !== undefined) ? Code.Unavailable : error.code,
    error.rawMessage,
    info?.reason ?? "",
    info?.metadata ?? {},
    broken?.subject,
    broken?.description,
    field ?? info?.metadata["field"],
    delay && Number(delay.seconds) * 1000 + delay.nanos / 1e6,
    { cause: failure },
  );
}

/** fetch and streams fail with a TypeError or an early end, which connect calls UNKNOWN, INTERNAL or INVALID_ARGUMENT. */
function isNetworkFailure(error: ConnectError, answered: boolean): boolean {
  if (answered) return false;
  return error.cause instanceof TypeError || /missing EndStreamResponse|HTTP 50[234]/.test(error.rawMessage);
}
