/** What the browser keeps for the page; forgets where it is not allowed to. */

export const kept = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  write(key: string, value: string): void {
    try {
      localStorage.setItem(key, value);
    } catch {
      return; // full or forbidden: the page works without
    }
  },
};
