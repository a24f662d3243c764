// Plays a whole game of Agora, always by the first legal move: node play.mjs http://127.0.0.1:8080
import { Client, TableStatus } from "boardgamesbot";

const client = new Client({ baseUrl: process.argv[2] ?? "http://127.0.0.1:8080" });
const me = await client.signIn("Ildefons");
const { id } = await client.createTable({ gameId: "agora", players: 3 });
const seat = await client.takeSeat(id);
for (let i = 0; i < 2; i++) await client.seatBot(id, "greedy");
await client.start(id);
for await (const { table } of client.watch(id)) {
  if (table?.status === TableStatus.FINISHED) console.log(`${me.name}: ${table.summary.points[seat]} of`, table.summary.points);
  if (table?.summary?.actor !== seat) continue;
  const { version, moves } = await client.legalMoves(id);
  if (moves.length) await client.submit(id, seat, version, moves[0].move);
}
