"""Barcelona as an entry of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boardgamesbot.games.barcelona import gaudi
from boardgamesbot.games.barcelona.dealing import deal
from boardgamesbot.games.barcelona.rules import RULES, rules_with
from boardgamesbot.games.barcelona.ruleset import BarcelonaRuleset, load
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.words.text import BarcelonaWords
from boardgamesbot.games.base import Event, Flag, Game, Malformed, Option, Options, OptionValue, Rule
from boardgamesbot.games.chance import Chance

SOLO_SEATS = 2


class Barcelona(Game):
    """One to four players build Cerdà's Eixample for the citizens who move in; one plays against Gaudí."""

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
            (Flag("expansion", "PASSEIG_DE_GRACIA"),),
        ),
        Option(
            "actions",
            "Where the Action tiles lie.",
            (
                OptionValue("SHUFFLED", "By chance."),
                OptionValue("FIRST_GAME", "In one fixed layout, for a first game."),
            ),
        ),
        Option(
            "solo",
            "Whether the second seat is Gaudí's, and how hard he is.",
            (
                OptionValue("NONE", "Two to four players."),
                OptionValue("EASY", "Solo against Gaudí: his resources are worth least, his dice show 4."),
                OptionValue("NORMAL", "Solo, harder: his dice show 5."),
                OptionValue("HARD", "Solo, hardest: his resources are worth most, his dice show 6."),
            ),
            (Flag("solo", "NORMAL"), Flag("difficulty", choices=gaudi.DIFFICULTIES, needs="solo")),
        ),
        Option(
            "solo_actions",
            "Which actions of a card Gaudí takes.",
            (
                OptionValue("FIRST", "The first, as published."),
                OptionValue("BOTH", "Both: the update that makes him much harder."),
            ),
            (Flag("update", "BOTH", needs="solo"),),
        ),
    )
    rules = RULES
    ruleset: BarcelonaRuleset

    def __init__(self, ruleset: BarcelonaRuleset | None = None) -> None:
        self.ruleset = ruleset or load()
        self.seat_colours = self.ruleset.seat_colours
        self.words = BarcelonaWords(self)

    def check_players(self, players: int, options: Options) -> None:
        if options["solo"] != "NONE" and players != SOLO_SEATS:
            raise Malformed("players", f"solo play has {SOLO_SEATS} seats, yours and Gaudí's, not {players}")
        super().check_players(players, options)

    def bots_wanted(self, options: Options) -> Mapping[int, str]:
        return {gaudi.SEAT: "gaudi"} if options["solo"] != "NONE" else {}

    def rules_for(self, options: Options) -> Sequence[Rule]:
        return rules_with(expansion=options["expansion"] != "NONE", solo=options["solo"] != "NONE")

    def new(self, players: int, options: Options, chance: Chance) -> tuple[BarcelonaState, list[Event]]:
        complete = self.complete_options(options)
        self.check_players(players, complete)
        state = BarcelonaState(self, self.ruleset, players, complete, chance)
        return state, deal(state)
