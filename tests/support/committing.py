"""Many who commit to tables of their own without a pause, and what became of what they were told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.keys import new_table_id
from boardgamesbot.store.tables import Commit, NotFound, Stale, TableStore

SIZE = 300
PAUSE_SECONDS = 0.02
"""How long one waits before asking again."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A commit that its maker was told stands."""

    version: int
    commit: str


@dataclass
class Committer:
    """One table, and what was accepted at it."""

    table_id: str
    accepted: list[Accepted] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    """When each was accepted, by the process's clock."""
    unavailable: int = 0
    """How often the store said that it can't now."""
    went_back: int = 0
    """How often the table was found at a version before the one that was accepted."""

    def longest_gap(self) -> float:
        """The longest time between two that were accepted, in seconds."""
        return max((after - before for before, after in zip(self.times, self.times[1:], strict=False)), default=0.0)


def plain_commit(table_id: str, version: int, request_id: str, size: int = SIZE) -> Commit:
    """A commit after `version`; its parts have `size` bytes, but for the move, which names the request."""
    content = f"{version + 1}:".encode().ljust(size, b"x")
    return Commit(
        table_id=table_id,
        expected_version=version,
        table=content,
        snapshot=content,
        event=content,
        move=request_id.encode(),
        answer=content,
        request_id=request_id,
        expire_s=3600,
        listed="playing",
    )


async def commit_until(stop: asyncio.Event, store: TableStore, committer: Committer, size: int = SIZE) -> None:
    """Commit to the table, each again until it is answered, until told to stop."""
    version = attempt = 0
    while not stop.is_set():
        attempt += 1
        request_id = f"r{attempt}"
        while True:
            try:
                made = await store.commit(plain_commit(committer.table_id, version, request_id, size))
            except UNAVAILABLE:
                committer.unavailable += 1
                await asyncio.sleep(PAUSE_SECONDS)
                if stop.is_set():
                    return
            except (Stale, NotFound) as error:
                committer.went_back += 1
                version = error.current_version if isinstance(error, Stale) else 0
            else:
                break
        committer.accepted.append(Accepted(made.version, made.commit))
        committer.times.append(monotonic())
        version = made.version


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    accepted: int
    lost: int
    """Accepted, and not in the table's history at the end."""
    doubled: int
    """In a history more than once for one request."""
    gap: float
    """The longest time without a commit that one of those concerned had to wait, in seconds."""


async def run(
    store: TableStore,
    committers: Sequence[Committer],
    meanwhile: Callable[[], Awaitable[None]],
    concerned: Callable[[Committer], bool] = lambda _: True,
    size: int = SIZE,
) -> Outcome:
    """Let all of them commit while `meanwhile` goes on; then compare what they were told with what is there."""
    stop = asyncio.Event()
    tasks = [asyncio.create_task(commit_until(stop, store, committer, size)) for committer in committers]
    try:
        await meanwhile()
    finally:
        stop.set()
        await asyncio.gather(*tasks)
    lost = doubled = 0
    for committer in committers:
        events = await store.events(committer.table_id, 0)
        history = {event.version: event.commit for event in events}
        lost += sum(history.get(one.version) != one.commit for one in committer.accepted)
        doubled += len(events) - len({event.move for event in events})
    gap = max(committer.longest_gap() for committer in committers if concerned(committer))
    return Outcome(sum(len(committer.accepted) for committer in committers), lost, doubled, gap)


def committers(count: int, slots: int) -> list[Committer]:
    return [Committer(f"{number % slots:02x}{new_table_id(slots)[2:]}") for number in range(count)]
