"""`bgb`: everything that runs, in one program."""

from __future__ import annotations

import click

from boardgamesbot import __version__, compiled
from boardgamesbot.cli.crashes import crashes
from boardgamesbot.cli.doctor import doctor
from boardgamesbot.cli.gaudi import gaudi
from boardgamesbot.cli.leaderboard import leaderboard
from boardgamesbot.cli.play import play
from boardgamesbot.cli.programs import bots, dispatcher, gateway, health, matchmaking, rules, worker
from boardgamesbot.cli.queues import queues
from boardgamesbot.cli.records import record, replay
from boardgamesbot.cli.ruleset import ruleset
from boardgamesbot.cli.serve import serve
from boardgamesbot.cli.simulate import simulate


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(f"{__version__}, {compiled.describe()}", prog_name="bgb")
def main() -> None:
    """Play board games set in Barcelona, and run the platform they are played on.

    \b
    bgb serve            everything on this machine, in one command
    bgb play agora       a game in the terminal, against bots or people
    bgb gaudi            Gaudí, for solo Barcelona with the game itself before you
    """


for command in (
    *(play, gaudi, serve, simulate, record, replay, leaderboard, ruleset, doctor),
    *(rules, bots, matchmaking, gateway, dispatcher, worker, health, queues, crashes),
):
    main.add_command(command)
