// boardgame.io's own server with its own store, in memory: node serve.mjs PORT
import { Server } from "boardgame.io/dist/cjs/server.js";
import { Cards } from "./cards.mjs";

const server = Server({ games: [Cards], origins: ["http://127.0.0.1"] });
console.log = () => {};
await server.run({ port: Number(process.argv[2]), host: "127.0.0.1" });
process.stdout.write("ready\n");
