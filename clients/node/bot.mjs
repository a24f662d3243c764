// A bot in plain Node, 20 or later, with nothing installed: JSON over fetch.
//
//   node bot.mjs [http://localhost:8080]           plays a game of Agora against two of the platform's bots
//   BGB_TOKEN=… node bot.mjs [ADDRESS]             is a bot account that others can seat, until Ctrl-C
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const HOST = process.argv[2] ?? "http://localhost:8080";
const GAME = "agora";
let token = process.env.BGB_TOKEN ?? "";

const post = (method, request) =>
  fetch(`${HOST}/boardgamesbot.v1.${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(request),
  });

class Refused extends Error {
  constructor({ code, message, details = [] }) {
    super(message);
    this.code = code;
    this.reason = details.find(({ type }) => type === "google.rpc.ErrorInfo")?.debug.reason ?? "";
  }
}

/** The answer to a call. While nobody answers, the same request is sent again: its requestId makes that safe. */
async function call(method, request) {
  for (let attempt = 1; ; attempt++) {
    const answer = await post(method, request).catch(() => null);
    if (answer?.ok) return answer.json();
    const passing = !answer || [429, 502, 503, 504].includes(answer.status);
    if (!passing) throw new Refused(await answer.json());
    if (attempt === 60) throw new Error(`nobody answers at ${HOST}`);
    await sleep(1000 * (answer?.headers.get("retry-after") ?? 0.5));
  }
}

/** What a stream says, one object a line, asked for again (with a request made anew) whenever it breaks. */
async function* stream(method, request) {
  for (let quiet = 0; ; quiet++) {
    try {
      const answer = await post(method, request());
      if (!answer.ok) throw new Refused(await answer.json());
      let rest = "";
      for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        for (const line of lines.filter(Boolean)) {
          const { result, error } = JSON.parse(line);
          if (error) throw new Refused(error);
          quiet = 0;
          yield result;
        }
      }
      return;
    } catch (error) {
      const passing = error instanceof Refused ? error.code === "unavailable" : error instanceof TypeError;
      if (!passing || quiet === 60) throw error;
      await sleep(500);
    }
  }
}

/** Plays one move, unless the decision is somebody else's by now. */
async function play(tableId, seat) {
  const { version, moves } = await call("TableService/ListLegalMoves", { tableId });
  if (!moves) return;
  const { move, text } = moves[Math.floor(Math.random() * moves.length)];
  try {
    await call("TableService/SubmitMove", { tableId, seat, version, requestId: randomUUID(), move });
    console.log(text);
  } catch (error) {
    if (error.reason !== "STALE_VERSION") throw error; // the table has moved on: the stream tells
  }
}

async function playOneGame() {
  ({ token } = await call("PlayerService/CreateGuest", { name: "Node" }));
  const create = { gameId: GAME, players: 3, requestId: randomUUID() };
  const tableId = (await call("TableService/CreateTable", create)).table.id;
  const { seat = 0 } = await call("TableService/TakeSeat", { tableId });
  for (let bots = 0; bots < 2; bots++) await call("BotService/SeatBot", { tableId, bot: "greedy", requestId: randomUUID() });
  await call("TableService/StartTable", { tableId });

  let afterVersion = "0";
  for await (const { version, table } of stream("TableService/Watch", () => ({ tableId, afterVersion }))) {
    afterVersion = version;
    if (table?.status === "TABLE_STATUS_FINISHED") console.log("Points:", ...table.summary.points);
    else if (table?.summary?.actor === seat) await play(tableId, seat);
  }
}

async function beThereForOthers() {
  const { player } = await call("PlayerService/GetMe", {});
  console.log(`${player.name} is there: seat ${player.id}`);
  const announcement = { gameIds: [GAME], maxTables: 4 };
  for await (const { tableId, seat = 0 } of stream("PlayerService/WatchMe", () => ({ announcement }))) {
    await play(tableId, seat);
  }
}

await (token ? beThereForOthers() : playOneGame());
