"""`bgb`: everything that runs, in one program."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from boardgamesbot import __version__, compiled, quiet  # noqa: F401 - quiet: before anything imports grpc
from boardgamesbot.cli.console import printable

_MODULES = {
    **{name: name for name in ("play", "gaudi", "serve", "simulate", "leaderboard", "ruleset", "doctor")},
    **{name: name for name in ("tables", "table", "audit", "queues", "crashes", "keys", "settings")},
    **dict.fromkeys(("record", "replay"), "records"),
    "bots": "bots",
    **dict.fromkeys(("rules", "matchmaking", "gateway", "dispatcher", "archivist", "worker", "health"), "programs"),
}
"""Where each command is: it is imported when somebody wants it, so that no program waits for what others need."""


class _Commands(click.Group):
    """The commands; what they refuse is shown as text, whoever has written it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _MODULES:
            return super().get_command(ctx, cmd_name)
        command = getattr(import_module(f"{__name__}.{_MODULES[cmd_name]}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.UsageError:
            raise
        except click.ClickException as error:
            click.echo(f"Error: {printable(error.format_message())}", err=True)
            ctx.exit(error.exit_code)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(f"{__version__}, {compiled.describe()}", prog_name="bgb")
def main() -> None:
    """Play board games set in Barcelona, and run the platform they are played on.

    \b
    bgb serve            everything on this machine, in one command
    bgb play agora       a game in the terminal, against bots or people
    bgb gaudi            Gaudí, for solo Barcelona with the game itself before you
    bgb bots list        the bots you can play against
    """
