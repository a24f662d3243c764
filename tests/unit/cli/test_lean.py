"""A terminal of 80 by 24: what a decision needs is in sight when the decision is asked for."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from io import StringIO

import pytest
from rich.text import Text

from boardgamesbot.cli.console import Console
from boardgamesbot.cli.terminal import Terminal
from boardgamesbot.games import registry
from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.moves import Kind
from boardgamesbot.games.agora.view import AgoraView
from boardgamesbot.games.base import Game, View
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.v1 import tables_pb2
from boardgamesbot.v1.players_pb2 import Player

COLUMNS, LINES, TALL = 80, 24, 70
GAME = registry.game("agora")
NAMES = [f"{code} {name} " for code, name in zip(
    ("LC", "SG", "GR", "HG", "NB", "SA", "SM", "EI", "MA", "CV"),
    ("Les Corts", "Sarrià-Sant Gervasi", "Gràcia", "Horta-Guinardó", "Nou Barris", "Sant Andreu", "Sants-Montjuïc",
     "Eixample", "Sant Martí", "Ciutat Vella"),
    strict=True,
)]  # fmt: skip


class Screen(Terminal):
    """A terminal at which whatever is on offer is picked blindly; every screen is kept as it is when one may type."""

    def __init__(self, lines: int, players: int, rng: random.Random, game: Game = GAME) -> None:
        self._written = StringIO()
        super().__init__(
            Console(
                file=self._written, width=COLUMNS, height=lines, force_terminal=True, color_system=None, highlight=False
            )
        )
        self._rng = rng
        self.screens: list[list[str]] = []
        seats = [
            tables_pb2.Seat(seat=seat, colour=game.seat_colours[seat], player=Player(id=f"{seat}", name=f"P{seat}"))
            for seat in range(players)
        ]
        clock = tables_pb2.RunningClock(seat=0, left_ms=7_199_000)
        self.sit(tables_pb2.Table(game_id=game.id, seats=seats, running=clock), "0")
        self.hinting = list

    def read(self, prompt: str) -> str:
        self.console.print(prompt, end="")
        rows = self._rows()
        self.screens.append(rows)
        picked = self.pick(rows)
        self._written.write(f"{picked}\n")
        return picked

    def pick(self, rows: list[str]) -> str:
        """What is typed below these rows."""
        return str(self._rng.choice(sorted(offered(rows))))

    def _rows(self) -> list[str]:
        text = self._written.getvalue()[-2 * COLUMNS * self.console.height :]
        self._written.seek(0)
        self._written.truncate()
        self._written.write(text)
        rows = [line[at : at + COLUMNS] for line in text.split("\n") for at in range(0, max(len(line), 1), COLUMNS)]
        return rows[-self.console.height :]


def play(screen: Screen, players: int, seed: int, options: Mapping[str, str] | None = None, most: int = 1000) -> None:
    """A game in which seat 0 is asked at the screen, up to so many times; the others play by chance."""
    rng, game = random.Random(seed), screen.game
    state, _ = game.new(players, game.complete_options(options or {}), ChanceStream(seed.to_bytes(32, "big")))
    while not state.is_over and len(screen.screens) < most:
        assert state.actor is not None
        legal = state.view(state.actor).legal_moves()
        move = rng.choice(legal)
        if state.actor == 0:
            screen.show(state.view(0))
            asked = screen.ask(state.view(0))
            assert asked in legal, "what is refused is not an answer"
            move = asked
        state.apply(move)


def choices(rows: list[str]) -> set[int]:
    """The numbers of the choices that are in sight below the position."""
    ends = [at for at, row in enumerate(rows) if re.search(r"your hand: |^Cerdà .*  storage \d", row)]
    return {
        int(number) for row in rows[max(ends, default=0) :] for number in re.findall(r"(?:^  |   ) ?(\d+) [ ✗] \S", row)
    }


def offered(rows: list[str]) -> set[int]:
    """The numbers that may be typed."""
    last = re.search(r"1(?:-(\d+))?, ", " ".join(rows[-2:]))
    assert last, rows
    return set(range(1, int(last[1] or 1) + 1))


def is_refused(rows: list[str]) -> bool:
    """Whether the last thing said is why a choice is not allowed: then the position has moved up for that."""
    return any("Not allowed." in row for row in rows)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_map_hand_and_all_choices_are_in_sight_at_every_decision(players: int) -> None:
    screen = Screen(LINES, players, random.Random(players))
    play(screen, players, seed=players)
    assert len(screen.screens) > 50
    for rows in screen.screens:
        shown = "\n".join(rows)
        assert choices(rows) == offered(rows), shown
        if is_refused(rows):
            continue
        assert "Turn " in shown, shown
        for name in NAMES:
            assert name in shown, shown


def test_numbers_are_those_of_the_position() -> None:
    screen = Screen(LINES, 4, random.Random(1))
    view = _somewhere(4)
    screen.show(view)
    rows = screen._rows()
    for district, name in enumerate(NAMES):
        line = next(row for row in rows if row.startswith(name))
        cells = [line[24 + 7 * seat : 31 + 7 * seat] for seat in range(4)]
        totals = [int(re.sub(r"\(\d\)|\D", "", cell.split("(")[0]) or 0) for cell in cells]
        lying = [int(found[1]) if (found := re.search(r"\((\d+)\)", cell)) else 0 for cell in cells]
        assert totals == list(view.total[district * 4 : district * 4 + 4])
        assert lying == list(view.lying[district * 4 : district * 4 + 4])
        leaders = [seat for seat, number in enumerate(totals) if number == max(totals)]
        starred = [seat for seat, cell in enumerate(cells) if "★" in cell]
        assert starred == (leaders if len(leaders) == 1 else [])
    assert any(view.lying)
    assert "▶Blue" in "\n".join(rows)


def _somewhere(players: int) -> AgoraView:
    """A second walk of seat 0 in the middle of a game."""
    rng = random.Random(players)
    state, _ = GAME.new(players, GAME.complete_options({}), ChanceStream(bytes(32)))
    while True:
        assert state.actor is not None
        view = state.view(state.actor)
        assert isinstance(view, AgoraView)
        legal = view.legal_moves()
        walks = moves.parts(legal[0]).kind == Kind.WALK
        if view.turn == 6 and state.actor == 0 and walks and view.first_walk is not None:
            return view
        state.apply(rng.choice(legal))


def test_a_tall_terminal_has_the_boxes() -> None:
    screen = Screen(TALL, 3, random.Random(1))
    view: View = _somewhere(3)
    screen.show(view)
    assert "╭LC Les Corts" in "\n".join(screen._rows())


@pytest.mark.parametrize("players", [3, 4, 5])
def test_no_picture_is_wider_than_a_terminal(players: int) -> None:
    view = _somewhere(players)
    names = [f"long \\[name] {'W' * 22}" for _ in range(players)]
    for picture in (GAME.words.board(view, names), GAME.words.lean(view, names)):
        lines = Text.from_markup(picture).plain.split("\n")
        assert max(map(len, lines)) <= COLUMNS
    assert len(lines) == 15
    assert len(view.hand) > 3
