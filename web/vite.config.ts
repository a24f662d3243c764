import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Where `make dev-web` finds a running gateway. */
const gateway = process.env.BGB_GATEWAY ?? "http://127.0.0.1:8080";

/** The gateway packs nothing that is smaller. */
const PACKED_FROM_BYTES = 1024;
const pack = promisify(brotliCompress);

/** Leaves a `.br` beside each asset, packed better than there is time for when it is asked for. */
function packed(): Plugin {
  return {
    name: "packed",
    apply: "build",
    async writeBundle({ dir = "" }, bundle) {
      const names = Object.keys(bundle).filter((name) => /^assets\/.*\.(js|css|svg)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const content = await readFile(join(dir, name));
          if (content.length >= PACKED_FROM_BYTES) await writeFile(join(dir, `${name}.br`), await pack(content));
        }),
      );
    },
  };
}

export default defineConfig({
  plugins: [svelte(), packed()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: {
    port: 5173,
    proxy: { "^/(boardgamesbot\\.v1\\.|api|healthz)": { target: gateway, changeOrigin: true } },
  },
  test: {
    include: ["src/**/*.test.ts"],
    environment: "node",
    // One process for all: they share no state, and most of the time goes into loading the contract.
    isolate: false,
    fileParallelism: false,
  },
});
