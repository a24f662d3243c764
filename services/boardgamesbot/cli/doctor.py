"""`bgb doctor`: what is wrong with an installation."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import sys
from collections.abc import Callable
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import click
import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from rich.markup import escape
from rich.table import Table

from boardgamesbot import __version__, compiled
from boardgamesbot.cli import options
from boardgamesbot.cli.console import Console
from boardgamesbot.cli.local import data_here
from boardgamesbot.client.channel import Tls, open_blocking_channel
from boardgamesbot.games.registry import GAMES
from boardgamesbot.gateway.page import Page, folder_of
from boardgamesbot.runtime.masking import without_password
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.runtime.tls import gateway_trust
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.client import connect
from boardgamesbot.store.embedded import ServerNotFound, find_server

HEALTH_SECONDS = 2.0


class Trouble(Exception):
    """Something is wrong; the message says what to do."""


@click.command()
@options.rules_address
@options.bots_address
@options.matchmaking_address
@options.gateway_address
@options.setting("page", "The folder with the built page.")
@options.redis_url
@options.data
@options.ruleset
def doctor(**given: Any) -> None:
    """Look at this installation and the servers it is set to use; exit status 1 if something is wrong."""
    settings = options.settings(**given)
    checks: list[tuple[str, Callable[[], str]]] = [
        ("program", _program),
        ("engines", _engines),
        ("games", lambda: ", ".join(f"{g.name} (ruleset {g.ruleset.hash[:12]})" for g in GAMES.values())),
        ("Redis to start", _embedded),
        ("data folder", _data),
        ("Redis in use", lambda: asyncio.run(_redis(settings))),
        ("rules server", lambda: _server(settings.rules_address)),
        ("bots server", lambda: _server(settings.bots_address)),
        ("matchmaking server", lambda: _server(settings.matchmaking_address)),
        ("gateway", lambda: _gateway(settings.gateway_address)),
        ("page", lambda: _page(settings)),
    ]
    wrong = 0
    for name, check in checks:
        try:
            _say("[green]ok[/green]", f"{name}: {check()}")
        except Trouble as trouble:
            wrong += 1
            _say("[red]no[/red]", f"{name}: {trouble}")
    sys.exit(1 if wrong else 0)


def _say(verdict: str, text: str) -> None:
    """A verdict, and beside it what was found; what does not fit into a line goes on below it."""
    line = Table.grid(padding=(0, 2, 0, 0))
    line.add_column()
    line.add_column(overflow="fold")
    line.add_row(verdict, escape(text))
    Console(highlight=False).print(line)


def _program() -> str:
    return f"bgb {__version__}, Python {platform.python_version()}, gRPC {grpc.__version__}"


def _engines() -> str:
    strays = compiled.strays()
    if strays:
        raise Trouble(f"{', '.join(strays)}: compiled by no build of this package. `make pure` removes them")
    if compiled.compiled():
        return compiled.describe()
    return f"{compiled.describe()}: everything works, bots think less in the same time. `make compile` compiles them"


def _embedded() -> str:
    try:
        return str(find_server())
    except ServerNotFound as error:
        raise Trouble(str(error)) from None


def _data() -> str:
    folder = data_here()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = folder / "probe"
        probe.write_text("")
        probe.unlink()
    except OSError as error:
        raise Trouble(f"{folder} can't be written: {error.strerror}. `bgb serve --data DIR` takes another") from None
    return str(folder)


async def _redis(settings: Settings) -> str:
    redis = connect(settings.redis_url)
    try:
        info = await redis.info("server")
    except UNAVAILABLE as error:
        raise Trouble(
            f"{without_password(settings.redis_url)} does not answer ({error}). `bgb serve` starts one"
        ) from None
    finally:
        await redis.aclose()
    return f"{without_password(settings.redis_url)}, version {info['redis_version']}"


def _server(address: str) -> str:
    with open_blocking_channel(address, Tls.from_environment(), None) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=HEALTH_SECONDS)
        except grpc.RpcError as error:
            raise Trouble(f"{address} does not answer ({error.code().name}). `bgb serve` starts one") from None
    if answer.status != health_pb2.HealthCheckResponse.SERVING:
        raise Trouble(f"{address} answers that it is not serving")
    return f"{address} is serving"


def _gateway(address: str) -> str:
    url = f"{'https' if os.environ.get('BGB_GATEWAY_TLS_CERT') else 'http'}://{address}"
    try:
        with urlopen(f"{url}/readyz", timeout=HEALTH_SECONDS, context=gateway_trust(url)) as answer:  # noqa: S310
            json.load(answer)
    except HTTPError as error:
        with error:
            raise Trouble(f"{address} answers, but not every server behind it: {_missing(error)}") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "reason", error)
        raise Trouble(f"{address} does not answer ({why}). `bgb serve` starts one") from None
    return f"{url} is serving"


def _missing(answer: HTTPError) -> str:
    try:
        servers = json.load(answer)["servers"]
    except (OSError, ValueError, KeyError, TypeError):
        return f"HTTP status {answer.code}"
    return ", ".join(f"{server} is {state}" for server, state in servers.items() if state != "serving")


def _page(settings: Settings) -> str:
    folder = folder_of(settings)
    if not Page(folder).is_built:
        raise Trouble(f"{folder} holds no built page: `make web` builds it; everything but the page works without")
    return str(folder)
