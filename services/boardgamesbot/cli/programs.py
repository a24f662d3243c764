"""The programs of the platform one by one, for those who run each in its own place."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import click
import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from boardgamesbot.cli import options
from boardgamesbot.runtime import logs
from boardgamesbot.runtime.server import CannotListen, run_until_signal
from boardgamesbot.runtime.settings import Settings
from boardgamesbot.store import UNAVAILABLE

HEALTH_SECONDS = 2.0


def _run(program: str, main: Callable[[Settings, asyncio.Event], Awaitable[None]], given: dict[str, Any]) -> None:
    settings = options.settings(**given)
    logs.configure(settings, program)
    try:
        run_until_signal(lambda stop: main(settings, stop))
    except CannotListen as error:
        raise click.ClickException(str(error)) from None
    except UNAVAILABLE as error:
        raise click.ClickException(f"cannot reach Redis at {settings.redis_url}: {error}") from None


@click.command()
@options.setting("rules_listen", "Where to listen.")
@options.common
def rules(**given: Any) -> None:
    """Serve RulesService, TableService and PlayerService."""
    from boardgamesbot.rules.server import serve

    _run("rules", serve, given)


@click.command()
@options.setting("bots_listen", "Where to listen.")
@options.rules_address
@options.broker_url
@options.common
def bots(**given: Any) -> None:
    """Serve BotService."""
    from boardgamesbot.bots.server import serve

    _run("bots", serve, given)


@click.command()
@options.setting("matchmaking_listen", "Where to listen.")
@options.setting("ticket_seconds", "How long a ticket lives after its player was last heard of.")
@options.setting("accept_seconds", "How long a match may take to be accepted.")
@options.setting("rating_window", "How far apart in rating the players of a match may be at first.")
@options.setting("rating_window_growth", "How much more with every second.")
@options.setting("rating_window_max", "How far apart at most.")
@options.setting("rating_games", "How many games a player needs to be on a leaderboard.")
@options.setting("rating_days", "How long a rating is kept after its last game.")
@options.rules_address
@options.common
def matchmaking(**given: Any) -> None:
    """Serve MatchmakingService, bring players together, and rate their games."""
    from boardgamesbot.matchmaking.server import serve

    _run("matchmaking", serve, given)


@click.command()
@options.setting("dispatcher_name", "Its name among dispatchers, the same after a restart.")
@options.broker_url
@options.common
def dispatcher(**given: Any) -> None:
    """Hand the bots' turns to the workers, and watch that none is forgotten."""
    from boardgamesbot.bots.dispatcher import run

    _run("dispatcher", run, given)


@click.command()
@options.setting("worker_processes", "How many bots think at the same time.")
@options.rules_address
@options.broker_url
@options.common
def worker(**given: Any) -> None:
    """Play the bots' turns: a Celery worker."""
    from boardgamesbot.bots.worker import run

    settings = options.settings(**given)
    logs.configure(settings, "worker")
    sys.exit(run(settings))


@click.command()
@click.argument("address")
def health(address: str) -> None:
    """Say whether the server at ADDRESS (host:port) is well; exit status 0 if so, else 1."""
    with grpc.insecure_channel(address) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=HEALTH_SECONDS)
        except grpc.RpcError as error:
            raise click.ClickException(f"{address} does not answer: {error.code().name}") from None
    status = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    click.echo(f"{address}: {status}")
    sys.exit(0 if answer.status == health_pb2.HealthCheckResponse.SERVING else 1)
