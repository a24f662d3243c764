"""Hints in the terminal: what a bot would play for the person who asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from rich.markup import escape

from boardgamesbot.client import Client, Refused
from boardgamesbot.v1 import bots_pb2

SHOWN = 3
"""So many of the moves that the bot weighed are shown."""

Hinting = Callable[[], list[str]]
"""Gives a hint as lines to print. Called from the thread in which a person is asked; it waits for the bot."""


def hinting(client: Client, table_id: str) -> Hinting:
    """Hints for one's own seat at a table. Call it on the client's event loop."""
    loop = asyncio.get_running_loop()

    def ask() -> list[str]:
        return asyncio.run_coroutine_threadsafe(_hint(client, table_id), loop).result()

    return ask


async def _hint(client: Client, table_id: str) -> list[str]:
    try:
        async for response in client.suggest_move(table_id, reasoning=True):
            if response.final:
                return lines(response.choice)
    except Refused as error:
        wait = f" (in {error.retry_after:.0f} s)" if error.retry_after else ""
        return [f"No hint: {escape(error.message)}{wait}"]
    return ["No hint came."]


def lines(choice: bots_pb2.ChooseMoveResponse) -> list[str]:
    """A suggestion in words: the move, and the best of those that were weighed."""
    found = [f"[bold]{escape(choice.text)}[/bold]  [dim]says {escape(choice.bot or 'nobody')}[/dim]"]
    for candidate in choice.reasoning.candidates[:SHOWN]:
        weighed = f"{candidate.win_chance:.0%} to win, {candidate.expected_points:.1f} points"
        found.append(f"    [dim]{weighed}  {escape(candidate.text)}[/dim]")
    return found
