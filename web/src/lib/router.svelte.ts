/** Where one is in the page: the address bar, read into a route. */

export type Route =
  | { readonly page: "home" }
  | { readonly page: "table"; readonly id: string }
  | { readonly page: "join"; readonly code: string }
  | { readonly page: "tables" }
  | { readonly page: "replay"; readonly id: string | undefined }
  | { readonly page: "rules"; readonly game: string | undefined }
  | { readonly page: "leaderboard"; readonly game: string | undefined }
  | { readonly page: "device" }
  | { readonly page: "missing"; readonly path: string };

/** The route of a path. */
export function parse(path: string): Route {
  const [head = "", id, ...more] = path.split("/").filter(Boolean).map(decode);
  if (more.length) return { page: "missing", path };
  switch (head) {
    case "":
      return { page: "home" };
    case "table":
      return id ? { page: "table", id } : { page: "missing", path };
    case "join":
      return id ? { page: "join", code: id } : { page: "missing", path };
    case "replay":
      return { page: "replay", id };
    case "rules":
      return { page: "rules", game: id };
    case "leaderboard":
      return { page: "leaderboard", game: id };
    case "tables":
    case "device":
      return id ? { page: "missing", path } : { page: head };
    default:
      return { page: "missing", path };
  }
}

/** The path of a route. */
export function href(route: Exclude<Route, { page: "missing" }>): string {
  switch (route.page) {
    case "home":
      return "/";
    case "table":
      return `/table/${encodeURIComponent(route.id)}`;
    case "join":
      return `/join/${encodeURIComponent(route.code)}`;
    case "replay":
      return route.id ? `/replay/${encodeURIComponent(route.id)}` : "/replay";
    case "rules":
    case "leaderboard":
      return route.game ? `/${route.page}/${encodeURIComponent(route.game)}` : `/${route.page}`;
    case "tables":
    case "device":
      return `/${route.page}`;
  }
}

/** Where a rule's text is: `/rules/agora#AG-P2.3`. */
export function ruleHref(rule: string): string {
  return `${href({ page: "rules", game: rule.startsWith("AG-") ? "agora" : "barcelona" })}#${rule}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

let here = $state<Route>({ page: "home" });

/** The route of the moment; reactive. */
export function route(): Route {
  return here;
}

/** Goes to a path of the page. */
export function navigate(path: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", path);
  else history.replaceState(null, "", path);
  arrive();
}

function arrive(): void {
  here = parse(location.pathname);
  if (!location.hash) scrollTo(0, 0);
}

/** Reads the address bar, and follows links of the page without loading it anew. */
export function startRouter(): void {
  here = parse(location.pathname);
  addEventListener("popstate", () => (here = parse(location.pathname)));
  addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname === location.pathname && link.hash) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash);
  });
}
