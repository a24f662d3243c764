"""Refusals as somebody at a terminal understands them."""

from __future__ import annotations

import asyncio

import click

from boardgamesbot.client import Refused
from boardgamesbot.client.channel import Tls, open_channel
from boardgamesbot.client.patience import is_passing

REACH_SECONDS = 3.0
_FLAGS = {"min_players": "--players", "max_players": "--players", "join_code": "--join", "code": "--room"}
"""Fields of requests, and the flags that people set them with."""


async def reach(address: str, flag: str = "--rules-address") -> None:
    """Raise a clear error when nothing listens at the address, which `flag` names."""
    async with open_channel(address, Tls.from_environment(), None) as channel:
        try:
            await asyncio.wait_for(channel.channel_ready(), REACH_SECONDS)
        except TimeoutError:
            raise click.ClickException(
                f"there is no server at {address}. Start one in another terminal with `bgb serve`, "
                f"or name another with {flag}"
            ) from None


def explained(refused: Refused) -> str:
    """What was refused, in the words of the command line."""
    if is_passing(refused) and not refused.address:
        return f"the server does not answer ({refused.message}). Is `bgb serve` running?"
    flag = _FLAGS.get(refused.field, "")
    if flag and refused.message.startswith(refused.field):
        return flag + refused.message.removeprefix(refused.field)
    return refused.message
