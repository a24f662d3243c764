/**
 * What a game gives to the page, and what the page gives to a game's board. For those who draw boards:
 *
 * A game is a folder (`src/agora/`, `src/barcelona/`) with an `index.ts` that exports `game: GameModule`. It is loaded
 * when somebody sits down at such a table, so that nobody waits for a board they don't see; `src/games.ts` names them.
 *
 * **The board draws, the shell does everything else.** Seats, clocks, points, log, undo, refusals, the list of moves and
 * the connection are the shell's. A board draws `view` and lets a person choose one of `legalMoves`:
 *
 * - A board knows no rule. What can be clicked is what occurs in `legalMoves`: for a walker that is held, the targets
 *   are the `to` of the legal walks from there. No legal move, nothing to click. `legalMoves` is empty while it is
 *   another's decision, for a spectator, in a replay, and while a move travels to the server.
 * - `submit(move)` plays one of them. It resolves when the server has answered; what it refuses the shell shows. Pass
 *   the very object of `legalMoves`.
 * - `explain(move)` asks the server why a move is *not* among them: for a drop on a target that does not light up. It
 *   plays nothing, shows the answer in the shell, and gives it to you as well, to put it beside the piece.
 * - `legal.text` says what a move gives or costs, in English words: use it for titles. `words.move`, if the game
 *   has it, says it in the language of the page.
 * - `pointed` is the move that the person points at or has focused in the list of moves: mark it on the board. Tell the
 *   shell what is pointed at on the board by `onpoint(move)`, to have it marked in the list.
 * - `latest` holds the events of the last batch, for motion: what moved from where. Skip motion where
 *   `matchMedia("(prefers-reduced-motion: reduce)")`; with the tokens `--quick`, `--calm`, `--walk` that comes by itself.
 * - `replay` says that this is a record being looked at: another `view` may be any distance away, so do not animate.
 *
 * **Words.** Texts go through a `translator` of the game's own catalogues (`src/GAME/messages.ts`): English, Catalan and
 * Spanish, or it does not compile (type the others as `Translation<typeof en>`). Names of tiles come from `book.data`, as the server sends them.
 *
 * **Looks.** Colours, spaces and motion are the tokens of `lib/design/tokens.css`; a seat is always drawn with its shape
 * (`seatColour`, `seatShape`, `SHAPE_PATHS`, `SeatMark`), never by colour alone. The gateway's policy forbids inline
 * styles: use `style:` directives, classes and SVG attributes, never a `style="…"` attribute.
 *
 * **Keyboard and screen readers.** Everything that can be clicked is a `<button>`, or has `role="button"`, `tabindex="0"`,
 * a label and both keys. The list of moves in the shell can always do everything; a board should be pleasant, too.
 */
import type { Component } from "svelte";
import type { GameEvent, GameMove, GameView, Rule } from "../lib/sdk/index.js";

/** A seat, as boards and logs name it. */
export interface SeatInfo {
  readonly seat: number;
  /** The colour's name in the game: `Blue`. */
  readonly colour: string;
  /** The name of who sits there. */
  readonly name: string;
  readonly isMe: boolean;
  readonly isBot: boolean;
}

/** A legal move, and what it says of itself in English. */
export interface Legal<M> {
  readonly move: M;
  readonly text: string;
}

/** A game's rules and data, as the server plays them. */
export interface Book<D = unknown> {
  readonly gameId: string;
  readonly name: string;
  readonly rules: ReadonlyMap<string, Rule>;
  /** The ruleset's JSON document. */
  readonly data: D;
}

/** Why a move is refused. */
export interface Explanation {
  /** The id of the rule it breaks; undefined: it is no rule of the game that stands in the way. */
  readonly rule: string | undefined;
  /** What is wrong with it here, in words. */
  readonly text: string;
}

export interface BoardProps<V, M, E, D = unknown> {
  readonly view: V;
  readonly legalMoves: readonly Legal<M>[];
  /** One's own seat; undefined: a spectator. */
  readonly seat: number | undefined;
  readonly seats: readonly SeatInfo[];
  readonly book: Book<D>;
  readonly latest: readonly E[];
  readonly pointed: M | undefined;
  readonly replay: boolean;
  readonly submit: (move: M) => Promise<void>;
  readonly explain: (move: M) => Promise<Explanation | undefined>;
  readonly onpoint: (move: M | undefined) => void;
}

/** A line of the log. */
export interface Sentence {
  readonly text: string;
  /** Whom it is about; undefined: everybody. */
  readonly seat?: number | undefined;
  /** The rule it comes from. */
  readonly rule?: string | undefined;
  /** How deep it belongs to the line before: 0 what somebody did, 1 what came of it. */
  readonly depth?: 0 | 1;
}

/** A table of points: what they are for, by seat. */
export interface Breakdown {
  readonly rows: readonly { readonly label: string; readonly points: readonly number[] }[];
}

/** What is asked of whose decision it is. */
export interface Prompt {
  readonly text: string;
  readonly rule?: string | undefined;
}

/** How a game speaks, in the language of the moment. */
export interface GameWords<V, M, E> {
  event(event: E): Sentence | undefined;
  prompt(view: V, moves: readonly Legal<M>[]): Prompt | undefined;
  /** A move in words; undefined: the server's English will do. */
  move?(view: V, legal: Legal<M>): string | undefined;
  /** The heading under which a move stands in the list, where lists get long. */
  group?(view: V, move: M): string | undefined;
  /** Whose turn or round it is, in a few words: `Turn 3 of 12`. */
  progress(view: V): string;
  /** What the points are for. `events` is everything that happened, as far as the page has seen it. */
  breakdown(view: V, events: readonly E[]): Breakdown;
}

export interface GameModule<V, M, E, D = unknown> {
  readonly Board: Component<BoardProps<V, M, E, D>>;
  words(book: Book<D>, seats: readonly SeatInfo[]): GameWords<V, M, E>;
  /** Whether the last move may be taken back by whose decision it is. */
  undoable(view: V): boolean;
}

/** A game whose types the shell does not know: it hands views and moves through. */
export type AnyGame = GameModule<unknown, unknown, unknown>;

/** The message inside a view, move or event. */
export function inner(message: GameView | GameMove | GameEvent | undefined): unknown {
  return message?.game.value;
}

/** A move as the contract sends it. */
export function outer(gameId: string, move: unknown): GameMove["game"] {
  return { case: gameId, value: move } as GameMove["game"];
}
