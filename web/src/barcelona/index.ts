/** Barcelona and Passeig de Gràcia in the page. */
import type { BarcelonaEvent, BarcelonaMove, BarcelonaView } from "../lib/sdk/index.js";
import type { GameModule } from "../table/seam.js";
import Board from "./Board.svelte";
import type { BarcelonaData } from "./data.js";
import { barcelonaWords } from "./words.js";

export const game: GameModule<BarcelonaView, BarcelonaMove, BarcelonaEvent, BarcelonaData> = {
  Board,
  words: barcelonaWords,
  undoable: (view) => view.position?.undoable ?? false,
};
