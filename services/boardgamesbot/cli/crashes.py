"""`bgb crashes`: positions at which bots failed, to look into them."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from google.protobuf import json_format

from boardgamesbot.bots.deciding import Answer, Decision, Here
from boardgamesbot.cli import options
from boardgamesbot.cli.asking_store import ask
from boardgamesbot.games import registry
from boardgamesbot.players.registry import BOTS
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store.crashes import Crash, Crashes, Kept
from boardgamesbot.v1 import games_pb2

T = TypeVar("T")

LISTED = 20
_LINE = "{:<16}  {:<19}  {:>5}  {:<16}  {:<12}  {}"


@click.group(invoke_without_command=True)
@options.redis_url
@options.data
@options.ruleset
@click.pass_context
def crashes(context: click.Context, /, **given: Any) -> None:
    """List the positions at which bots failed, the last first; show, replay or forget one.

    A bot that has failed twice at a position is not asked there again until that is forgotten.
    """
    context.obj = options.settings(**given)
    if context.invoked_subcommand is None:
        _list(context.obj)


def _list(settings: Settings) -> None:
    found = _at(settings, lambda store: store.newest(LISTED))
    if not found:
        click.echo("No bot has failed lately.")
        return
    click.echo(_LINE.format("id", "last", "times", "bot", "how", "where"))
    for kept in found:
        crash, last = kept.crash, time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(kept.last_ms / 1000))
        where = f"{crash.game_id}, {crash.where}"
        click.echo(_LINE.format(crash.id, last, kept.times, crash.bot, crash.kind, where))


@crashes.command()
@click.argument("crash_id", metavar="ID")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), default=None,
    help="Write what the bot was shown here: a GameView as JSON.",
)  # fmt: skip
@click.pass_obj
def show(settings: Settings, crash_id: str, out: Path | None) -> None:
    """Show what is known about one."""
    kept = _one(settings, crash_id)
    crash = kept.crash
    iterations = f", {crash.iterations} iterations" if crash.iterations else ""
    click.echo(f"{crash.bot} failed {kept.times} times at {crash.where} in {crash.game_id}: {crash.kind}")
    click.echo(f"It had {crash.seconds:.3f} s{iterations}; seed {crash.seed}; ruleset {crash.ruleset_hash[:12]}")
    click.echo(crash.detail)
    if out is not None:
        out.write_text(json_format.MessageToJson(games_pb2.GameView.FromString(crash.view)) + "\n", encoding="utf-8")
        click.echo(f"What it was shown is in {out}")


@crashes.command()
@click.argument("crash_id", metavar="ID")
@click.pass_obj
def replay(settings: Settings, crash_id: str) -> None:
    """Ask the bot again, in this process and with nothing to protect it; exit status 1 if it fails again."""
    crash = _one(settings, crash_id).crash
    if crash.bot not in BOTS:
        raise click.ClickException(f"there is no bot {crash.bot!r} here; there is {', '.join(BOTS)}")
    here = registry.game(crash.game_id).ruleset.hash
    if here != crash.ruleset_hash:
        raise click.ClickException(
            f"it was of ruleset {crash.ruleset_hash[:12]}, and this is {here[:12]}: name its file with --ruleset"
        )
    if not _asked_again(crash):
        raise SystemExit(1)


def _asked_again(crash: Crash) -> bool:
    decision = Decision(
        game_id=crash.game_id,
        bot=crash.bot,
        seed=bytes.fromhex(crash.seed),
        view=crash.view,
        seconds=crash.seconds,
        iterations=crash.iterations or None,
    )
    words, view = registry.game(crash.game_id).words, decision.shown()
    for event in Here().think(decision):
        if isinstance(event, Answer):
            click.echo(f"{event.seconds:7.3f} s  {words.move(view, event.move)}")
        elif event is not None:
            click.echo(f"{event.kind}: {event.detail}")
            return False
    return True


@crashes.command()
@click.argument("crash_id", metavar="ID")
@click.pass_obj
def forget(settings: Settings, crash_id: str) -> None:
    """Forget one: the bot is asked again there."""
    if not _at(settings, lambda store: store.forget(crash_id)):
        raise click.ClickException(f"there is no crash {crash_id!r}")


def _one(settings: Settings, crash_id: str) -> Kept:
    kept = _at(settings, lambda store: store.get(crash_id))
    if kept is None:
        raise click.ClickException(f"there is no crash {crash_id!r}; `bgb crashes` lists them")
    return kept


def _at(settings: Settings, question: Callable[[Crashes], Awaitable[T]]) -> T:
    return ask(settings, lambda redis: question(Crashes(redis, settings.crash_days * 86_400, settings.crashes_kept)))
