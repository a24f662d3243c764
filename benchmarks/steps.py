"""Where the processor time of one SubmitMove goes: the steps of the rules server one by one, without any network.

The steps call the same functions in the same order as `rules.tables.Tables.submit`, each between two looks at the
clock, over whole games.
"""

from __future__ import annotations

import time
from collections import defaultdict
from random import Random
from statistics import fmean

from benchmarks import report
from boardgamesbot.games.proto import summary_to
from boardgamesbot.rules.live import LiveTable
from boardgamesbot.runtime.tokens import Tokens, new_guest
from boardgamesbot.v1 import tables_pb2

GAMES = 20


class _Clock:
    """Adds up the time of steps by name."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = defaultdict(list)
        self._since = 0.0

    def begin(self) -> None:
        self._since = time.perf_counter()

    def lap(self, step: str) -> None:
        """What was done since the last lap, or `begin`, was `step`."""
        now = time.perf_counter()
        self.spent[step].append((now - self._since) * 1e6)
        self._since = time.perf_counter()


def run(live: LiveTable) -> str:
    """Measure on games that go on from `live`, and report in Markdown."""
    clock = _Clock()
    rng = Random(1)
    for _ in range(GAMES):
        _play(live, clock, rng)
    means = {step: fmean(times) for step, times in clock.spent.items()}
    total = sum(means.values())
    rows = [[step, f"{mean:.1f}", f"{mean / total:.0%}"] for step, mean in means.items()]
    rows.append(["**all of these**", f"**{total:.1f}**", ""])
    return "\n\n".join(
        [
            "### Where the time of one SubmitMove goes, without network and store",
            report.table(["step", "µs", "share"], rows),
            f"Means over the moves of {GAMES} random games in this process, with nothing else going on.",
        ]
    )


def _play(live: LiveTable, clock: _Clock, rng: Random) -> None:
    tokens = Tokens(bytes(32), 86_400)
    token = tokens.issue(new_guest("Ada"))
    codec, state, table = live.codec, live.playing(), live.table
    while (seat := state.actor) is not None:
        data = tables_pb2.SubmitMoveRequest(
            table_id=live.id,
            seat=seat,
            version=table.version,
            request_id="0" * 32,
            move=codec.move_to(rng.choice(state.legal_moves())),
        ).SerializeToString()
        clock.begin()
        tokens.read(token)
        clock.lap("read the token")
        request = tables_pb2.SubmitMoveRequest.FromString(data)
        move = codec.move_from(request.move)
        clock.lap("decode the request")
        state.check(move)
        clock.lap("check the move")
        state = state.copy()
        clock.lap("copy the position")
        events = state.apply(move)
        clock.lap("make the move")
        before, table = table, tables_pb2.Table()
        table.CopyFrom(before)
        table.version += 1
        summary = summary_to(state, live.eligible() if state.is_over else None)
        table.summary.CopyFrom(summary)
        clock.lap("copy the table, sum up")
        event = tables_pb2.WatchResponse(version=table.version)
        played = event.move_played
        played.seat = seat
        played.events.extend(map(codec.event_to, events))
        played.summary.CopyFrom(summary)
        clock.lap("events to messages")
        snapshot = codec.state_to(state)
        clock.lap("position to a message")
        snapshot.SerializeToString()
        table.SerializeToString()
        event.SerializeToString()
        request.move.SerializeToString()
        clock.lap("messages to bytes for the store")
        answer = tables_pb2.SubmitMoveResponse(version=table.version, summary=table.summary)
        answer.SerializeToString()
        answer.SerializeToString()
        clock.lap("the answer to bytes, for the store and the caller")
