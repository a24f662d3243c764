/** Whether the server answers: what the page's banner says. */

export type Connection = "online" | "reconnecting" | "offline";

let reachable = $state(true);
let hasNetwork = $state(true);

/** How it stands; reactive. */
export function connection(): Connection {
  return !hasNetwork ? "offline" : reachable ? "online" : "reconnecting";
}

/** Told by the client whenever it shows. */
export function setReachable(is: boolean): void {
  reachable = is;
}

/** Follows the browser's own word for it. */
export function startConnection(): void {
  hasNetwork = navigator.onLine;
  addEventListener("online", () => (hasNetwork = true));
  addEventListener("offline", () => (hasNetwork = false));
}
