"""Agora Barcelona as an entry of the catalogue."""

from __future__ import annotations

from boardgamesbot.games.agora.board import Board
from boardgamesbot.games.agora.rules import RULES
from boardgamesbot.games.agora.ruleset import AgoraRuleset, load
from boardgamesbot.games.agora.state import AgoraState
from boardgamesbot.games.agora.text import AgoraWords
from boardgamesbot.games.base import Event, Game, Option, Options, OptionValue
from boardgamesbot.games.chance import Chance


class Agora(Game):
    """Three to five players spread their walkers over the ten districts of Barcelona."""

    id = "agora"
    name = "Agora Barcelona"
    min_players = 3
    max_players = 5
    options = (
        Option(
            "backs",
            "Whether the back of a square tells its district.",
            (
                OptionValue("DISTRICT", "The back tells the district, as on the printed cards."),
                OptionValue("PLAIN", "All backs look alike."),
            ),
        ),
        Option(
            "take",
            "How a square is taken from the hand to the left.",
            (
                OptionValue("RANDOM", "By chance."),
                OptionValue("CHOOSE", "The taker picks by the backs."),
            ),
        ),
        Option(
            "take_until",
            "How long squares are taken.",
            (
                OptionValue("ALWAYS", "In every turn."),
                OptionValue("PILES_EMPTY", "No more once both piles are used up."),
            ),
        ),
    )
    rules = RULES
    ruleset: AgoraRuleset

    def __init__(self, ruleset: AgoraRuleset | None = None) -> None:
        self.ruleset = ruleset or load()
        self.seat_colours = self.ruleset.seat_colours
        self.board = Board(self.ruleset)
        self.words = AgoraWords(self)

    def new(self, players: int, options: Options, chance: Chance) -> tuple[AgoraState, list[Event]]:
        complete = self.complete_options(options)
        self.check_players(players, complete)
        return AgoraState.begin(self, players, complete, chance)
