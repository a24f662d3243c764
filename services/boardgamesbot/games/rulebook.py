"""Writes docs/rules/: each game's rules by id, from the same texts that refusals quote.

python -m boardgamesbot.games.rulebook docs/rules
"""

from __future__ import annotations

import sys
from pathlib import Path

from boardgamesbot.games.base import Game, RuleSource
from boardgamesbot.games.registry import GAMES

_SOURCES = {
    RuleSource.RULEBOOK: "rulebook",
    RuleSource.PRINTED: "printed part or another edition",
    RuleSource.SETTLED: "settled by this project",
}


def page(game: Game) -> str:
    """A game's rules as a Markdown page."""
    lines = [
        f"# {game.name}: the rules, by id",
        "",
        "Made by `make docs` from the texts that the server quotes when it refuses a move. Written in our own words;",
        "the column *source* says where each rule comes from.",
        "",
        f"Players: {_players(game)}. Seats, clockwise: {', '.join(game.seat_colours)}.",
        "",
        "| id | rule | source |",
        "|---|---|---|",
    ]
    lines += [f"| {r.id} | **{r.title}.** {r.text} | {_SOURCES[r.source]} |" for r in game.rules.values()]
    lines += [
        "",
        "## Options",
        "",
        "The first value of each is the default.",
        "",
        "| option | value | meaning |",
        "|---|---|---|",
    ]
    for option in game.options:
        for i, value in enumerate(option.values):
            name = f"`{option.name}`: {option.description}" if i == 0 else ""
            lines.append(f"| {name} | `{value.name}` | {value.description} |")
    return "\n".join([*lines, ""])


def _players(game: Game) -> str:
    """How many people may play: fewer where an option seats a bot by the rules."""
    seated = {
        option.name: len(game.bots_wanted(game.complete_options({option.name: value.name})))
        for option in game.options
        for value in option.values
    }
    usual = f"{game.min_players} to {game.max_players}"
    with_bots = {name: game.min_players - bots for name, bots in seated.items() if bots}
    if not with_bots:
        return usual
    options = ", ".join(f"{fewest} with the option `{name}`" for name, fewest in with_bots.items())
    return f"{min(with_bots.values())} to {game.max_players} ({options}, else {usual})"


def main(folder: str) -> None:
    """Write every game's page into `folder`."""
    for game in GAMES.values():
        (Path(folder) / f"{game.id}.md").write_text(page(game), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
