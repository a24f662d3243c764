/**
 * The languages of the page. A catalogue is an object of texts, and of functions of their particulars; the English one
 * says which there are, and the compiler refuses a translation that lacks one.
 */

export const LOCALES = { en: "English", ca: "Català", es: "Castellano" } as const;
export type Locale = keyof typeof LOCALES;

type Entry = string | ((particulars: never) => string);
/** The shape that a translation of `E` must have. */
export type Translation<E extends Record<string, Entry>> = {
  readonly [K in keyof E]: E[K] extends (particulars: infer P) => string ? (particulars: P) => string : string;
};
export type Catalogues<E extends Record<string, Entry>> = { readonly en: E } & {
  readonly [L in Exclude<Locale, "en">]: Translation<E>;
};
/** Gives the text of a key in the language of the moment; texts with particulars want them. */
export type Translate<E extends Record<string, Entry>> = <K extends keyof E>(
  key: K,
  ...particulars: E[K] extends (particulars: infer P) => string ? [P] : []
) => string;

const STORAGE_KEY = "bgb.locale";
let current = $state<Locale>("en");

/** The language of the moment; reactive. */
export function locale(): Locale {
  return current;
}

/** Changes the language: of the page, of its `lang` attribute, and of the next visit. */
export function setLocale(next: Locale): void {
  current = next;
  if (typeof document !== "undefined") document.documentElement.lang = next;
  try {
    localStorage.setItem(STORAGE_KEY, next);
  } catch {
    return; // no storage: only this visit knows
  }
}

/** The language to begin with: the one chosen last, else the first of the browser's that there is, else English. */
export function preferredLocale(stored: string | null, wanted: readonly string[]): Locale {
  for (const tag of [stored ?? "", ...wanted]) {
    const language = tag.toLowerCase().split("-")[0] ?? "";
    if (language in LOCALES) return language as Locale;
  }
  return "en";
}

/** Called once, before anything is shown. */
export function startLocale(): void {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(STORAGE_KEY);
  } catch {
    stored = null;
  }
  current = preferredLocale(stored, navigator.languages);
  document.documentElement.lang = current;
}

/** A `t` for catalogues: `t("table.turn", { name })`. */
export function translator<E extends Record<string, Entry>>(catalogues: Catalogues<E>): Translate<E> {
  return (key, ...particulars) => {
    const entry = (catalogues[current] as Record<keyof E, Entry>)[key];
    return typeof entry === "string" ? entry : (entry as (p: unknown) => string)(particulars[0]);
  };
}

const rules = new Map<Locale, Intl.PluralRules>();

/** The form of a noun that goes with `n`, by the plural rules of `of`. */
export function plural(of: Locale, n: number, forms: { one: string; other: string; many?: string }): string {
  let chosen = rules.get(of);
  if (!chosen) rules.set(of, (chosen = new Intl.PluralRules(of)));
  const category = chosen.select(n);
  return category === "one" ? forms.one : category === "many" ? (forms.many ?? forms.other) : forms.other;
}

/** `a, b and c` in the language of the moment. */
export function list(parts: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  return new Intl.ListFormat(current, { type }).format(parts);
}

/** A number as the language of the moment writes it. */
export function number(n: number): string {
  return new Intl.NumberFormat(current).format(n);
}

/** A share from 0 to 1 as whole percents. */
export function percent(share: number): string {
  return new Intl.NumberFormat(current, { style: "percent" }).format(share);
}
