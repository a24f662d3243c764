/** Agora Barcelona in the page. */
import type { AgoraEvent, AgoraMove, AgoraView } from "../lib/sdk/index.js";
import { AgoraPhase } from "../lib/sdk/index.js";
import type { GameModule } from "../table/seam.js";
import Board from "./Board.svelte";
import type { AgoraData } from "./data.js";
import { agoraWords } from "./words.js";

export const game: GameModule<AgoraView, AgoraMove, AgoraEvent, AgoraData> = {
  Board,
  words: agoraWords,
  undoable: (view) => view.phase === AgoraPhase.SECOND_WALK,
};
