import { create } from "@bufbuild/protobuf";
import { ConnectError, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { Client, Code, memoryTokens, Refusal, refusalOf, withToken } from "./index.js";
import { BotService } from "./gen/boardgamesbot/v1/bots_pb.js";
import { GameMoveSchema } from "./gen/boardgamesbot/v1/games_pb.js";
import { PlayerService } from "./gen/boardgamesbot/v1/players_pb.js";
import { TableService } from "./gen/boardgamesbot/v1/tables_pb.js";
import { ErrorInfoSchema, PreconditionFailureSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";

function illegal(): ConnectError {
  const details = [
    { desc: ErrorInfoSchema, value: { reason: "ILLEGAL_MOVE", domain: "boardgamesbot", metadata: { version: "7", rule: "AG-P2.3" } } },
    { desc: PreconditionFailureSchema, value: { violations: [{ type: "RULE", subject: "AG-P2.3", description: "a shared lead" }] } },
  ];
  return new ConnectError("AG-P2.3: Gràcia would be shared", Code.FailedPrecondition, undefined, details);
}

describe("Client", () => {
  it("keeps the token it is given, and sends it", async () => {
    const tokens = memoryTokens();
    const transport = createRouterTransport(
      ({ service }) =>
        service(PlayerService, {
          createGuest: ({ name }) => ({ player: { id: "g1", name }, token: "secret" }),
          getMe: (_, { requestHeader }) => ({ player: { id: requestHeader.get("authorization") ?? "" } }),
        }),
      { transport: { interceptors: [withToken(tokens)] } },
    );
    const client = new Client({ transport, tokens });
    expect((await client.signIn("Ildefons")).name).toBe("Ildefons");
    expect((await client.me()).id).toBe("Bearer secret");
  });

  it("sends a move again with the same request id until there is an answer", async () => {
    const ids: string[] = [];
    const transport = createRouterTransport(({ service }) =>
      service(TableService, {
        submitMove: ({ requestId, version }) => {
          ids.push(requestId);
          if (ids.length < 3) throw new ConnectError("away", Code.Unavailable);
          return { version: version + 1n };
        },
      }),
    );
    const answer = await new Client({ transport }).submit("t", 0, 4n, create(GameMoveSchema));
    expect(answer.version).toBe(5n);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it("tells which rule a move breaks", async () => {
    const transport = createRouterTransport(({ service }) => service(TableService, { submitMove: () => { throw illegal(); } }));
    const failure = await new Client({ transport }).submit("t", 0, 4n, create(GameMoveSchema)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Refusal);
    expect(failure).toMatchObject({ code: Code.FailedPrecondition, reason: "ILLEGAL_MOVE", rule: "AG-P2.3", explanation: "a shared lead", metadata: { version: "7" } });
  });

  it("watches on from the last version it has seen when the stream breaks", async () => {
    const asked: bigint[] = [];
    const transport = createRouterTransport(({ service }) =>
      service(TableService, {
        async *watch({ afterVersion }) {
          asked.push(afterVersion);
          yield { version: afterVersion + 1n };
          yield { version: afterVersion + 2n };
          if (asked.length < 3) throw new ConnectError("away", Code.Unavailable);
        },
      }),
    );
    const versions: bigint[] = [];
    for await (const { version } of new Client({ transport }).watch("t")) versions.push(version);
    expect(asked).toEqual([0n, 2n, 4n]);
    expect(versions).toEqual([1n, 2n, 3n, 4n, 5n, 6n]);
  });

  it("asks streams for signs of life, and keeps them to itself", async () => {
    const asked: (string | null)[] = [];
    const after: bigint[] = [];
    const transport = createRouterTransport(({ service }) => {
      service(TableService, {
        async *watch({ afterVersion }, { requestHeader }) {
          asked.push(requestHeader.get("x-keep-alive-seconds"));
          after.push(afterVersion);
          yield { version: 7n };
          yield {};
          if (after.length < 2) throw new ConnectError("away", Code.Unavailable);
        },
      });
      service(PlayerService, {
        async *watchMe(_, { requestHeader }) {
          asked.push(requestHeader.get("x-keep-alive-seconds"));
          yield {};
          yield { tableId: "t" };
        },
      });
    });
    const client = new Client({ transport, keepAliveSeconds: 9 });
    const versions: bigint[] = [];
    for await (const { version } of client.watch("t")) versions.push(version);
    const tables: string[] = [];
    for await (const { tableId } of client.watchMe()) tables.push(tableId);
    expect([versions, after, tables, asked]).toEqual([[7n, 7n], [0n, 7n], ["t"], ["9", "9", "9"]]);
  });

  it("tells a suggestion as it improves, until one has had enough", async () => {
    let budget: number | undefined;
    const transport = createRouterTransport(({ service }) =>
      service(BotService, {
        async *suggestMove(request) {
          budget = request.budget?.milliseconds;
          for (let n = 1; n < 3; n++) yield { version: 5n, choice: { text: `move ${n}` } };
          await new Promise(() => undefined);
        },
      }),
    );
    const end = new AbortController();
    const told: (string | undefined)[] = [];
    for await (const { choice } of new Client({ transport }).suggest("t", 700, end.signal)) {
      told.push(choice?.text);
      if (told.length === 2) end.abort();
    }
    expect([told, budget]).toEqual([["move 1", "move 2"], 700]);
  });

  it("says why there is no suggestion", async () => {
    const details = [{ desc: ErrorInfoSchema, value: { reason: "QUOTA_EXHAUSTED", domain: "boardgamesbot" } }, { desc: RetryInfoSchema, value: { retryDelay: { seconds: 4n } } }];
    const transport = createRouterTransport(({ service }) =>
      service(BotService, {
        async *suggestMove() {
          throw new ConnectError("enough", Code.ResourceExhausted, undefined, details);
        },
      }),
    );
    const failure = await new Client({ transport }).suggest("t").next().catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: "QUOTA_EXHAUSTED", retryAfterMs: 4000 });
  });

  it("says so when the server can't be reached, and when it can again", async () => {
    const told: boolean[] = [];
    let calls = 0;
    const transport = createRouterTransport(({ service }) =>
      service(TableService, {
        getTable: () => {
          if (calls++ === 0) throw new ConnectError("away", Code.Unavailable);
          return { table: { id: "t" } };
        },
      }),
    );
    expect((await new Client({ transport, onReachable: (is) => told.push(is) }).table("t")).id).toBe("t");
    expect(told).toEqual([false, true]);
  });
});

describe("refusalOf", () => {
  it("takes a network that fails for a server that is away", () => {
    expect(refusalOf(new TypeError("Failed to fetch")).isTransient).toBe(true);
    expect(refusalOf(ConnectError.from(new TypeError("Failed to fetch"))).isTransient).toBe(true);
    expect(refusalOf(illegal()).isTransient).toBe(false);
  });
});

