/** The key with which another device becomes the same player: the token, and the tables the first one knows. */

export interface Key {
  readonly token: string;
  readonly tables: readonly string[];
}

const PREFIX = "bgb1.";

/** A key as letters that survive any messenger. */
export function writeKey(key: Key): string {
  const bytes = new TextEncoder().encode(JSON.stringify([key.token, key.tables]));
  return PREFIX + btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The other way round; undefined: that is no key. Spaces and line ends do no harm. */
export function readKey(text: string): Key | undefined {
  const packed = text.replace(/\s+/g, "");
  if (!packed.startsWith(PREFIX)) return undefined;
  try {
    const letters = atob(packed.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const read: unknown = JSON.parse(new TextDecoder().decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0))));
    if (!Array.isArray(read)) return undefined;
    const [token, tables] = read as unknown[];
    if (typeof token !== "string" || token === "" || !Array.isArray(tables)) return undefined;
    return { token, tables: tables.filter((id): id is string => typeof id === "string") };
  } catch {
    return undefined;
  }
}
