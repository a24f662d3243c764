/* Keeps what the page is made of, so that it can be loaded again while there is no network. Keeps no answer of the API. */
const CACHE = "page-1";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(newest(request));
  else if (url.pathname.startsWith("/assets/") || url.pathname === "/panot.svg") event.respondWith(kept(request));
});

/** The page itself: from the network, or as it was kept. All its addresses are one document. */
async function newest(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) {
      await cache.put("/", response.clone());
      await forget(cache, await response.clone().text());
    }
    return response;
  } catch (failure) {
    const page = await cache.match("/");
    if (page) return page;
    throw failure;
  }
}

/** Files whose names change with what is in them. */
async function kept(request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

/** Where the page has been built anew, everything of the one before goes. */
async function forget(cache, page) {
  const entry = /\/assets\/index-[\w-]+\.js/.exec(page)?.[0];
  const before = await cache.match("/entry");
  if (before && (await before.text()) !== entry) {
    for (const request of await cache.keys()) if (new URL(request.url).pathname.startsWith("/assets/")) await cache.delete(request);
  }
  if (entry) await cache.put("/entry", new Response(entry));
}
