"""Agora in words, and its map for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from boardgamesbot.games.agora import events as ev
from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.lean import lean
from boardgamesbot.games.agora.marks import CODES, code, inked, name
from boardgamesbot.games.agora.movements import Known
from boardgamesbot.games.agora.moves import Kind
from boardgamesbot.games.agora.view import AgoraView
from boardgamesbot.games.base import Event, Move, View, Words

if TYPE_CHECKING:
    from boardgamesbot.games.agora.game import Agora

_MAP = ((1, 3, 4), (0, 2, 5), (6, 7, 8), (-1, 9, -1))
"""The districts roughly as they lie, the mountains above, the sea below; -1: nothing there."""

_WIDTH = 80
_HAND = "Your hand"
_COLOUR = 7
_NAME = 17
_BOX = 26
_INNER = _BOX - 4


class AgoraWords(Words):
    """Words of Agora. Names are put in as they are given: escape markup in them first."""

    def __init__(self, game: Agora) -> None:
        self._game = game

    def move(self, view: View, move: Move) -> str:
        made = moves.parts(move)
        colours, districts = self._game.seat_colours, self._game.ruleset.district_names
        match made.kind:
            case Kind.TAKE:
                return f"Take a square of {districts[made.what]}"
            case Kind.PLAY:
                return f"Play {self._square(made.what)}"
            case Kind.DISCARD:
                return f"Discard {self._square(made.what)}"
            case Kind.WALK:
                return f"Walk a {colours[made.what]} walker from {districts[made.frm]} to {districts[made.to]}"
            case Kind.DRAW:
                return f"Draw from pile {made.what + 1}{self._on_top(view, made.what)}"
            case Kind.PASS_FOUNTAIN:
                return f"Hand the Magic Fountain to {colours[made.what]}"

    def steps(self, view: View, move: Move) -> tuple[str, ...]:
        made = moves.parts(move)
        colours, districts = self._game.seat_colours, self._game.ruleset.district_names
        match made.kind:
            case Kind.WALK:
                return f"a {colours[made.what]} walker", f"from {districts[made.frm]}", f"to {districts[made.to]}"
            case Kind.TAKE:
                return (f"a square of {districts[made.what]}",)
            case Kind.PLAY | Kind.DISCARD:
                return (self._square(made.what),)
            case Kind.DRAW:
                return (f"pile {made.what + 1}{self._on_top(view, made.what)}",)
            case Kind.PASS_FOUNTAIN:
                return (colours[made.what],)

    def candidates(self, view: View) -> list[Move]:
        assert isinstance(view, AgoraView)
        legal = view.legal_moves()
        kinds = {moves.parts(move).kind for move in legal}
        if kinds == {Kind.PLAY}:
            return sorted(moves.play(square) for square in view.hand)
        if kinds == {Kind.WALK}:
            return sorted(
                moves.walk(walker, frm, to)
                for walker in range(view.players)
                for frm, neighbours in enumerate(self._game.ruleset.neighbours)
                if view.upright[frm * view.players + walker]
                for to in neighbours
            )
        return legal

    def event(self, event: Event, names: Sequence[str]) -> str:
        districts = self._game.ruleset.district_names
        match event:
            case ev.Taken():
                what = self._seen(event.square, event.back)
                return f"{names[event.seat]} took {what} from {names[event.from_seat]}"
            case ev.Played():
                walkers = "1 walker" if event.walkers == 1 else f"{event.walkers} walkers"
                name = self._game.ruleset.square_names[event.square]
                return f"{names[event.seat]} played {name}: {walkers} into {districts[event.district]}"
            case ev.Discarded():
                return f"{names[event.seat]} could play nothing and discarded {self._seen(event.square, event.back)}"
            case ev.Walked():
                colour = self._game.seat_colours[event.walker]
                where, whither = districts[event.frm], districts[event.to]
                return f"{names[event.seat]} walked a {colour} walker from {where} to {whither}"
            case ev.Drawn():
                what = self._seen(event.square, event.back)
                return f"{names[event.seat]} drew {what} from pile {event.pile + 1}"
            case ev.FountainPassed():
                return f"{names[event.from_seat]} handed the Magic Fountain to {names[event.to_seat]}"
            case ev.TurnBegan():
                return f"Turn {event.turn}. First, with the Magic Fountain: {names[event.fountain]}"
            case ev.Skipped():
                what = "had nothing to take" if event.rule == "AG-P1.2" else "had no legal pair of walks"
                return f"{names[event.seat]} {what} ({event.rule})"
            case ev.Ended():
                winners = " and ".join(names[seat] for seat in event.winners)
                points = ", ".join(f"{names[seat]} {n}" for seat, n in enumerate(event.points))
                return f"The game is over. {winners} won. Points: {points}"
        raise TypeError(f"{type(event).__name__} is no event of Agora")

    def prompt(self, view: View) -> str:
        assert isinstance(view, AgoraView)
        last = view.turn == view.turns
        match view.phase:
            case 1:
                return "Take a square from the hand on your left: choose by its back."
            case 2:
                return "Play a square: as many of your walkers as it is worth go into its district."
            case 3:
                which = "Both are your own in this last turn." if last else "The second has another colour."
                return f"Move a first walker to a neighbouring district. {which}"
            case 4:
                return "Move the second walker. Afterwards no district may have a shared lead."
            case 5:
                return "Draw a square from a pile."
            case 6:
                return "Hand the Magic Fountain to another player, who begins the next turn."
        return "The game is over."

    def board(self, view: View, names: Sequence[str]) -> str:
        return "\n".join(self.pictures(view, names))

    def pictures(self, view: View, names: Sequence[str]) -> list[str]:
        assert isinstance(view, AgoraView)
        heading = f"[bold]Turn {view.turn} of {view.turns}[/bold]" + self._piles(view)
        return [heading, *self._map(view), self._tables(view, names)]

    def _map(self, view: AgoraView) -> list[str]:
        """The rows of districts."""
        rows = []
        for row in _MAP:
            boxes = [self._box(view, district) if district >= 0 else None for district in row]
            lines = ["".join(box[i] if box else " " * _BOX for box in boxes).rstrip() for i in range(view.players + 2)]
            rows.append("\n".join(lines))
        return rows

    def _tables(self, view: AgoraView, names: Sequence[str]) -> str:
        """The players, the first walk if there is one, and the own hand."""
        lines = [
            "",
            f"[dim]    {'player':<{_COLOUR + _NAME}} {'points':>6} {'districts':>9} {'walkers':>7}   hand[/dim]",
        ]
        lines += [self._player(view, seat, names[seat]) for seat in range(view.players)]
        if view.first_walk is not None:
            walk, districts = view.first_walk, self._game.ruleset.district_names
            colour = self._game.seat_colours[walk.what]
            lines += ["", f"First walk: a {colour} walker from {districts[walk.frm]} to {districts[walk.to]}."]
        if view.hand:
            lines += ["", *self._own_hand(view)]
        return "\n".join(lines)

    def _own_hand(self, view: AgoraView) -> list[str]:
        """The hand by name, as many squares in a line as fit."""
        lines, room = [f"[bold]{_HAND}[/bold]"], _WIDTH - len(_HAND)
        for square in map(self._square, view.hand):
            if len(square) + 2 > room:
                lines.append(" " * len(_HAND))
                room = _WIDTH - len(_HAND)
            lines[-1] += f"  {square}"
            room -= len(square) + 2
        return lines

    def lean(self, view: View, names: Sequence[str]) -> str:
        assert isinstance(view, AgoraView)
        return lean(self._game, view)

    def _on_top(self, view: View, pile: int) -> str:
        assert isinstance(view, AgoraView)
        top = view.pile_tops[pile]
        return f" ({self._game.ruleset.district_names[top]} on top)" if top >= 0 else ""

    def _square(self, square: int) -> str:
        ruleset = self._game.ruleset
        district = ruleset.district_names[ruleset.district_of[square]]
        return f"{ruleset.square_names[square]} ({district}, {ruleset.value_of[square]})"

    def _seen(self, square: int, back: int) -> str:
        if square:
            return self._square(square)
        return f"a square of {self._game.ruleset.district_names[back]}" if back >= 0 else "a square"

    def _colour(self, seat: int, text: str) -> str:
        return inked(self._game.seat_colours[seat], text)

    def _box(self, view: AgoraView, district: int) -> list[str]:
        ruleset = self._game.ruleset
        title = f"{CODES[district]} {ruleset.district_names[district]} {ruleset.points[district]}"
        row = view.total[district * view.players : (district + 1) * view.players]
        lines = [f"╭[bold]{title}[/bold]{'─' * (_BOX - 2 - len(title))}╮"]
        for seat in range(view.players):
            lying = view.lying[district * view.players + seat]
            leads = row[seat] == max(row) and row.count(max(row)) == 1
            text = ""
            if row[seat]:
                text = f"{'★' if leads else ' '} {self._game.seat_colours[seat]:<6} {row[seat]:>2}"
                text += f" {lying} lying" if lying else ""
            padded = f"{text:<{_INNER}}"
            lines.append(f"│ {self._colour(seat, padded)} │")
        borders = " ".join(CODES[d] for d in ruleset.neighbours[district])
        lines.append(f"╰ [dim]{borders}[/dim] {'─' * (_INNER - len(borders))}╯")
        return lines

    def _piles(self, view: AgoraView) -> str:
        shown = []
        for pile in range(moves.PILES):
            size, top = view.pile_sizes[pile], view.pile_tops[pile]
            on_top = f", {CODES[top]} on top" if top >= 0 else ""
            shown.append(f"pile {pile + 1}: {size} left{on_top}" if size else f"pile {pile + 1}: used up")
        return f"   {'   '.join(shown)}"

    def _player(self, view: AgoraView, seat: int, given: str) -> str:
        presence = sum(1 for n in view.total[seat :: view.players] if n)
        mark = "▶" if view.actor == seat else " "
        fountain = "◆" if view.fountain == seat else " "
        who = self._colour(seat, f"{self._game.seat_colours[seat]:<{_COLOUR}}{name(given, _NAME)}")
        hand = self._hand(view.memory.hands[seat])
        return f"{mark} {fountain} {who} {self._points(view)[seat]:>6} {presence:>9} {view.supply[seat]:>7}   {hand}"

    def _points(self, view: AgoraView) -> list[int]:
        from boardgamesbot.games.agora.core import district_points

        return district_points(view.total, view.players, self._game.board.points)

    def _hand(self, hand: Iterable[Known]) -> str:
        shown = []
        for known in hand:
            value = f"{self._game.ruleset.value_of[known.square]}" if known.square else ""
            district = self._game.ruleset.district_of[known.square] if known.square else known.back
            shown.append(code(district) + value)
        return " ".join(shown) or "empty"
