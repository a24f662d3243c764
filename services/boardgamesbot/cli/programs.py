"""The programs of the platform one by one, for those who run each in its own place."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.request import urlopen

import click
import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from boardgamesbot.archive.base import ArchiveUnavailable
from boardgamesbot.archive.places import BadArchive
from boardgamesbot.cli import options
from boardgamesbot.cli.explaining import no_redis
from boardgamesbot.cli.settings import unknown
from boardgamesbot.client.channel import Tls, open_blocking_channel
from boardgamesbot.runtime import logs, monitor, traces
from boardgamesbot.runtime.server import CannotListen, run_until_signal
from boardgamesbot.runtime.settings import WORKER_QUEUES, BadSetting, Settings
from boardgamesbot.runtime.tls import gateway_trust
from boardgamesbot.store import UNAVAILABLE

log = logs.logger(__name__)

HEALTH_SECONDS = 2.0


def _begin(program: str, given: dict[str, Any]) -> Settings:
    """The settings of a program that writes its log from now on; a variable that is no setting is the first line."""
    settings = options.settings(**given)
    logs.configure(settings, program)
    for stranger in unknown(os.environ):
        log.warning(stranger)
    return settings


def run_program(
    program: str, main: Callable[[Settings, asyncio.Event], Awaitable[None]], given: dict[str, Any]
) -> None:
    """Run `main` until a signal ends it, by the settings `given` and the environment's. Raises ClickException."""
    settings = _begin(program, given)

    async def told(stop: asyncio.Event) -> None:
        async with monitor.monitored(settings, stop):
            await main(settings, stop)

    try:
        traces.configure(settings, program)
        run_until_signal(told)
    except (BadSetting, CannotListen) as error:
        raise click.ClickException(str(error)) from None
    except UNAVAILABLE as error:
        raise no_redis(settings.redis_url, error) from None
    finally:
        traces.finish()


@click.command()
@options.setting("rules_listen", "Where to listen.")
@options.setting("archive", "Where tables are read that have left Redis.")
@options.setting("undo_limit", "How often a player can take moves back within one turn.")
@options.common
def rules(**given: Any) -> None:
    """Serve RulesService, TableService and PlayerService."""
    from boardgamesbot.rules.server import serve

    run_program("rules", serve, given)


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

    run_program("matchmaking", serve, given)


@click.command()
@options.setting("gateway_listen", "Where to listen.")
@options.setting("page", "The folder with the built page.")
@options.setting("gateway_origins", "Origins whose pages may use the API, with commas between them, or *.")
@options.setting("gateway_trusted_proxies", "Proxies whose x-forwarded-for is believed, with commas between them.")
@options.setting("gateway_requests_per_second", "How many requests a second one address may make.")
@options.setting("gateway_burst", "How many it may make at once.")
@options.setting("gateway_streams", "How many streams one address may have open.")
@options.setting("gateway_body_bytes", "The largest body of a request that is read.")
@options.setting("gateway_header_bytes", "The largest head of a request that is read.")
@options.setting("gateway_call_seconds", "The longest a call that is no stream may take.")
@options.rules_address
@options.bots_address
@options.matchmaking_address
@options.told
def gateway(**given: Any) -> None:
    """Serve everything over HTTP on one port: the page, and every service for browsers and plain clients."""
    from boardgamesbot.gateway.server import serve

    run_program("gateway", serve, given)


@click.command()
@options.setting("dispatcher_name", "Its name among dispatchers, the same after a restart.")
@options.broker_url
@options.common
def dispatcher(**given: Any) -> None:
    """Hand the bots' turns to the workers, and watch that none is forgotten."""
    from boardgamesbot.bots.dispatcher import run

    run_program("dispatcher", run, given)


@click.command()
@options.setting("archive", "The archive: a folder, or s3://BUCKET/PREFIX?endpoint=URL.")
@options.setting("archived_minutes", "How long a table stays in Redis once it is archived.")
@options.common
def archivist(**given: Any) -> None:
    """Write finished tables into the archive, after which they leave Redis."""
    from boardgamesbot.rules.archivist import NoArchive, run

    try:
        run_program("archivist", run, given)
    except (NoArchive, BadArchive, ArchiveUnavailable) as error:
        raise click.ClickException(str(error)) from None


@click.command()
@options.setting("worker_processes", "How many bots think at the same time.")
@click.option(
    "--queues", "worker_queues", type=click.Choice(WORKER_QUEUES), default=None,
    help="Whose turns: quick (bots that answer at once), deep (bots that search), all.  [BGB_WORKER_QUEUES; all]",
)  # fmt: skip
@options.setting("bot_memory_mb", "MiB that thinking may take in one process.")
@options.rules_address
@options.broker_url
@options.common
def worker(**given: Any) -> None:
    """Play the bots' turns: a Celery worker."""
    from boardgamesbot.bots.worker import run

    settings = _begin("worker", given)
    try:
        traces.check(settings)
        sys.exit(run(settings))
    except BadSetting as error:
        raise click.ClickException(str(error)) from None
    except CannotListen as error:
        raise click.ClickException(str(error)) from None


@click.command()
@click.argument("address")
def health(address: str) -> None:
    """Say whether the server at ADDRESS is well; exit status 0 if so, else 1.

    ADDRESS is host:port, for the gateway http://host:port or https://host:port. What BGB_TLS_CA, BGB_TLS_CERT and
    BGB_TLS_KEY name is used for TLS.
    """
    if address.startswith(("http://", "https://")):
        _gateway_health(address)
        return
    with open_blocking_channel(address, Tls.from_environment(), None) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=HEALTH_SECONDS)
        except grpc.RpcError as error:
            raise click.ClickException(f"{address} does not answer: {error.code().name}") from None
    status = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    click.echo(f"{address}: {status}")
    sys.exit(0 if answer.status == health_pb2.HealthCheckResponse.SERVING else 1)


def _gateway_health(address: str) -> None:
    """The gateway itself; whether the servers behind it are well, each of them says."""
    try:
        with urlopen(  # noqa: S310 - it is http
            f"{address.rstrip('/')}/healthz", timeout=HEALTH_SECONDS, context=gateway_trust(address)
        ):
            click.echo(f"{address}: SERVING")
    except OSError as error:
        raise click.ClickException(f"{address} does not answer: {error}") from None
