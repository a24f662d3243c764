"""A game followed in the terminal: what happens is told, and moves are asked for, until the table has ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from rich.markup import escape

from boardgamesbot.cli.beside import beside
from boardgamesbot.cli.hints import hinting
from boardgamesbot.cli.lines import Interrupted
from boardgamesbot.cli.meanwhile import Meanwhile
from boardgamesbot.cli.room import Room
from boardgamesbot.cli.terminal import Terminal
from boardgamesbot.client import Client, Refused
from boardgamesbot.games.base import Move, View
from boardgamesbot.v1 import tables_pb2

_ENDED = (tables_pb2.TABLE_STATUS_FINISHED, tables_pb2.TABLE_STATUS_CLOSED)


async def follow(terminal: Terminal, client: Client, table_id: str, seen: int) -> None:
    """Show what happens and ask for moves, until the table has ended."""
    own_turn, came = False, True
    terminal.come_back = partial(_come_back, terminal, client)
    terminal.room = Room(client, table_id, terminal.console)
    meanwhile = Meanwhile(terminal.waits, terminal.tell_whose_turn, terminal.press_meanwhile)
    async for response in meanwhile.during(client.watch(table_id, seen)):
        if response.HasField("table"):
            terminal.sit(response.table, client.player.id)
        terminal.tell(response)
        table = terminal.table
        if response.HasField("table"):
            await _see_to_the_seat(terminal, came)
            came = False
        if table.status == tables_pb2.TABLE_STATUS_OPEN and response.HasField("table"):
            everybody = all(seat.HasField("player") for seat in table.seats)
            if everybody and table.host == client.player.id:
                await _start(client, table_id)
            continue
        if response.HasField("view") and table.status == tables_pb2.TABLE_STATUS_PLAYING:
            view = terminal.codec.view_from(response.view)
            terminal.view = view
            if view.actor is not None and view.actor == view.seat:
                if not own_turn:
                    terminal.tell_what_was_too_early()
                terminal.show(view, glance=own_turn)
                await _take_turn(terminal, client, table_id, response.version, view, meanwhile.more)
                own_turn = True
            else:
                own_turn = False
        if table.status in _ENDED and response.HasField("table"):
            terminal.finish(response)


async def _start(client: Client, table_id: str) -> None:
    """Begin the game, unless somebody stood up again or it has begun."""
    try:
        await client.start(table_id)
    except Refused as error:
        if error.reason not in ("SEATS_EMPTY", "WRONG_STATUS"):
            raise


async def _see_to_the_seat(terminal: Terminal, came: bool) -> None:
    """Where a bot has one's seat: take it again if one just `came` or can't be asked, else say how to."""
    if not terminal.is_away:
        terminal.knows_is_away = False
    elif came or not terminal.lines.can_interrupt:
        await terminal.come_back()
    elif not terminal.knows_is_away:
        terminal.knows_is_away = True
        terminal.tell_is_away()


async def _come_back(terminal: Terminal, client: Client) -> None:
    """Take the seat again that a bot was given: who types is there."""
    if terminal.has_no_time:
        return
    try:
        await client.take_seat(terminal.table.id)
    except Refused as error:
        if error.reason not in ("NO_TIME_LEFT", "WRONG_STATUS"):
            raise
        terminal.has_no_time = error.reason == "NO_TIME_LEFT"
        terminal.console.print(f"[dim]{escape(error.message)}[/dim]")


async def _take_turn(
    terminal: Terminal,
    client: Client,
    table_id: str,
    version: int,
    view: View,
    more: Callable[[], Awaitable[None]],
) -> None:
    """Ask until a move stands, the last one is taken back, or `more` has happened at the table."""
    assert view.seat is not None
    while True:
        terminal.hinting = hinting(client, table_id)
        try:
            move = await _answer(terminal, view, more)
        except Interrupted:
            terminal.console.print()
            return
        try:
            if move is None:
                await client.undo(table_id, view.seat, version)
                terminal.console.print("Taken back.")
                return
            await client.submit(table_id, view.seat, version, terminal.codec.move_to(move))
        except Refused as error:
            if error.reason in ("STALE_VERSION", "NOT_YOUR_SEAT"):
                terminal.console.print("[bold]Too late:[/bold] what you chose was not played, as something came first.")
                return
            terminal.refuse(error)
            continue
        return


async def _answer(terminal: Terminal, view: View, more: Callable[[], Awaitable[None]]) -> Move | None:
    """What the person picks. Raises Interrupted if `more` happens before, where the question can be called off."""
    terminal.lines.begin()
    alarm = asyncio.create_task(terminal.ring())
    answer = asyncio.ensure_future(beside(partial(terminal.ask, view)))
    happening = asyncio.ensure_future(more())
    terminal.is_asking = True
    try:
        await asyncio.wait((answer, happening), return_when=asyncio.FIRST_COMPLETED)
        if not answer.done() and terminal.lines.can_interrupt:
            terminal.lines.interrupt()
        return await answer
    finally:
        terminal.is_asking = False
        alarm.cancel()
        happening.cancel()
