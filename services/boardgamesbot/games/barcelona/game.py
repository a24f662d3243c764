"""Barcelona as an entry of the catalogue."""

from __future__ import annotations

from boardgamesbot.games.barcelona.dealing import deal
from boardgamesbot.games.barcelona.rules import RULES
from boardgamesbot.games.barcelona.ruleset import BarcelonaRuleset, load
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.text import BarcelonaWords
from boardgamesbot.games.base import Event, Game, Option, Options, OptionValue
from boardgamesbot.games.chance import Chance


class Barcelona(Game):
    """Two to four players build Cerdà's Eixample for the citizens who move in."""

    id = "barcelona"
    name = "Barcelona"
    min_players = 2
    max_players = 4
    options = (
        Option(
            "expansion",
            "Whether an expansion is added.",
            (
                OptionValue("NONE", "The base game."),
                OptionValue("PASSEIG_DE_GRACIA", "With Passeig de Gràcia: Pedestrians, their Joy, new tiles."),
            ),
        ),
        Option(
            "actions",
            "Where the Action tiles lie.",
            (
                OptionValue("SHUFFLED", "By chance."),
                OptionValue("FIRST_GAME", "In one fixed layout, for a first game."),
            ),
        ),
    )
    rules = RULES
    ruleset: BarcelonaRuleset

    def __init__(self, ruleset: BarcelonaRuleset | None = None) -> None:
        self.ruleset = ruleset or load()
        self.seat_colours = self.ruleset.seat_colours
        self.words = BarcelonaWords(self)

    def new(self, players: int, options: Options, chance: Chance) -> tuple[BarcelonaState, list[Event]]:
        self.check_players(players)
        state = BarcelonaState(self, players, self.complete_options(options), chance)
        return state, deal(state)
