/** The page's own texts. Games have theirs beside their boards. */
import { ca } from "./ca.js";
import { en } from "./en.js";
import { es } from "./es.js";
import { translator } from "./i18n.svelte.js";

export const t = translator({ en, ca, es });
