/** Light or dark: as the system says, or as chosen. */
import { kept } from "./kept.js";

export type Theme = "system" | "light" | "dark";
const KEY = "bgb.theme";
let chosen = $state<Theme>("system");

/** The choice; reactive. */
export function theme(): Theme {
  return chosen;
}

export function setTheme(next: Theme): void {
  chosen = next;
  kept.write(KEY, next);
  apply();
}

export function startTheme(): void {
  const stored = kept.read(KEY);
  chosen = stored === "light" || stored === "dark" ? stored : "system";
  apply();
}

function apply(): void {
  if (chosen === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
}
