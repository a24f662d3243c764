// The driver of both servers: one client a table, which sends the next move when the last is answered, over a connection
// of its own. Reads {kind, address, method, seconds, warm, lanes} from standard input, writes what it saw as JSON.
// Moves whose answer came while it was warming up are not counted.
import { performance } from "node:perf_hooks";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import grpc from "@grpc/grpc-js";
import { io } from "socket.io-client";
import { NAME, PLAYERS } from "./cards.mjs";

const GAME_MOVES = 180; // as many as a game of ours has: then another match
const plan = JSON.parse(readFileSync(0, "utf8"));

async function rpcLane(lane) {
  const client = new grpc.Client(plan.address, grpc.credentials.createInsecure(), {
    "grpc.use_local_subchannel_pool": 1,
  });
  await new Promise((resolve, reject) =>
    client.waitForReady(Date.now() + 20_000, (error) => (error ? reject(error) : resolve())),
  );
  const calls = lane.map(([authorization, request]) => {
    const metadata = new grpc.Metadata();
    metadata.set("authorization", authorization);
    return [metadata, Buffer.from(request, "base64")];
  });
  let next = 0;
  const same = (bytes) => bytes;
  return {
    move: () =>
      new Promise((resolve, reject) => {
        if (next === calls.length) return resolve(false);
        const [metadata, request] = calls[next++];
        client.makeUnaryRequest(plan.method, same, same, request, metadata, (error) =>
          error ? reject(error) : resolve(true),
        );
      }),
    close: () => client.close(),
  };
}

async function socketLane() {
  const socket = io(`http://${plan.address}/${NAME}`, { transports: ["websocket"], forceNew: true });
  await new Promise((resolve) => socket.on("connect", resolve));
  let match, state, played, answered;
  const begin = async () => {
    match = randomUUID(); // asked for, a match that isn't there is made, without credentials
    const synced = new Promise((resolve) => socket.once("sync", (_, info) => resolve(info)));
    socket.emit("sync", match, "0", undefined, PLAYERS);
    ({ state } = await synced);
    played = 0;
  };
  socket.on("update", (of, after) => {
    if (of !== match) return;
    state = after;
    answered?.(true);
  });
  await begin();
  return {
    between: async () => {
      if (played >= GAME_MOVES) await begin();
    },
    move: () =>
      new Promise((resolve) => {
        answered = resolve;
        played++;
        const playerID = state.ctx.currentPlayer;
        const payload = { type: "play", args: [Math.floor(Math.random() * 5)], playerID };
        socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, match, playerID);
      }),
    close: () => socket.close(),
  };
}

const lanes = await Promise.all(plan.lanes.map((lane) => (plan.kind === "rpc" ? rpcLane(lane) : socketLane())));
const latencies = [];
const begin = performance.now();
const counted = begin + plan.warm * 1000;
let end = counted + plan.seconds * 1000;
let exhausted = false;
let cpu = null;

async function play(lane) {
  for (;;) {
    await lane.between?.();
    const sent = performance.now();
    if (sent >= end) return;
    if (!(await lane.move())) {
      exhausted = true;
      end = Math.min(end, performance.now());
      return;
    }
    const now = performance.now();
    if (now >= counted) {
      cpu ??= process.cpuUsage();
      latencies.push(now - sent);
    }
  }
}

await Promise.all(lanes.map(play));
const elapsed = (performance.now() - counted) / 1000;
const used = process.cpuUsage(cpu ?? undefined);
latencies.sort((a, b) => a - b);
const at = (percent) => latencies[Math.max(0, Math.ceil((latencies.length * percent) / 100) - 1)];
const cores = (used.user + used.system) / 1e6 / elapsed;
const seen = { rate: latencies.length / elapsed, p50: at(50), p99: at(99), cores, exhausted, count: latencies.length };
process.stdout.write(JSON.stringify(seen) + "\n");
for (const lane of lanes) lane.close();
process.exit(0);
