"""Refusals as somebody at a terminal understands them."""

from __future__ import annotations

import asyncio

import click

from boardgamesbot.client import Refused
from boardgamesbot.client.channel import Tls, open_channel
from boardgamesbot.client.patience import is_passing
from boardgamesbot.runtime.masking import without_password

REACH_SECONDS = 2.0
"""So long a server may take to be there: with what a program takes to begin, a person waits some three seconds."""
_FLAGS = {"min_players": "--players", "max_players": "--players", "join_code": "--join", "code": "--room"}
"""Fields of requests, and the flags that people set them with."""


async def reach(address: str, flag: str = "--rules-address") -> None:
    """Raise a clear error when nothing listens at the address, which `flag` names."""
    async with open_channel(address, Tls.from_environment(), None) as channel:
        try:
            await asyncio.wait_for(channel.channel_ready(), REACH_SECONDS)
        except TimeoutError:
            raise click.ClickException(f"{nobody_at(address)}, or say where it is: {flag} HOST:PORT") from None


def nobody_at(address: str) -> str:
    """That nothing answers there, and how to change that."""
    return f"nothing answers at {address}. Start the platform in another terminal: `make run`, or `bgb serve`"


def no_redis(url: str, error: Exception) -> click.ClickException:
    """That a program cannot reach the platform's Redis, why, and how to change that."""
    return click.ClickException(
        f"Redis does not answer at {without_password(url)} ({type(error).__name__}). `bgb serve` starts one with the "
        "platform; the one of a platform that runs is found by --data DIR, or named by --redis-url"
    )


def explained(refused: Refused) -> str:
    """What was refused, in the words of the command line."""
    if refused.address:
        return f"{nobody_at(refused.address)}."
    if is_passing(refused):
        return f"the server does not answer ({refused.message}). Is `make run`, or `bgb serve`, still running?"
    flag = _FLAGS.get(refused.field, "")
    if flag and refused.message.startswith(refused.field):
        return flag + refused.message.removeprefix(refused.field)
    return refused.message
