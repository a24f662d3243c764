"""Ratings: what players' results came to, in each game with each number of players. Works none out, only keeps them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from boardgamesbot.store import keys
from boardgamesbot.store.finished import RESULTS_KEPT_SECONDS
from boardgamesbot.store.scripts import script

if TYPE_CHECKING:
    from redis.asyncio import Redis

_PAGE_TOKEN = re.compile(r"(-?[0-9]{1,9})\.([!-~]{1,128})")
_FIELDS = ("name", "mu", "sigma", "points", "games")


@dataclass(frozen=True, slots=True)
class Pool:
    """Those who are compared: the players of a game with so many at the table."""

    game_id: str
    players: int


@dataclass(frozen=True, slots=True)
class Rated:
    """Somebody's rating in one pool."""

    who: str
    """A player's id, or what stands for a bot."""
    name: str
    """As last seen."""
    mu: float
    sigma: float
    points: int
    """The number shown, by which the leaderboard is ordered."""
    games: int
    """Games that counted."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A place on a leaderboard."""

    rank: int
    """From 1; those with as many points share it."""
    rated: Rated


class Counted(Enum):
    """What became of a result."""

    MADE = b"made"
    """It counts from now on."""
    REPEATED = b"repeated"
    """It had counted before: nothing changed."""
    LATE = b"late"
    """It is so old that nobody knows any more whether it has counted: nothing changed."""
    CHANGED = b"changed"
    """A rating had changed since it was read: nothing changed, read again."""


class RatingStore:
    """Ratings in Redis. All of one pool can be changed in one call."""

    def __init__(self, redis: Redis, *, kept_days: float, games_needed: int) -> None:
        """A rating is kept for `kept_days` after its last game; from `games_needed` games on, it is listed."""
        self._redis = redis
        self._expire_s = max(1, int(kept_days * 86_400))
        self._games_needed = games_needed
        self._count = script(redis, "rate")
        self._enter_bots = script(redis, "rated_bots")
        self._page = script(redis, "leaderboard")

    async def get(self, pool: Pool, who: Sequence[str]) -> list[Rated | None]:
        """The ratings of some; None for those who have none."""
        pipe = self._redis.pipeline(transaction=False)
        for one in who:
            pipe.hmget(keys.rating(pool.game_id, pool.players, one), _FIELDS)
        return [_rated(one, values) for one, values in zip(who, await pipe.execute(), strict=True)]

    async def placed(self, pool: Pool, who: str) -> tuple[Rated | None, int | None]:
        """A rating, and its rank; None where there is none."""
        board = keys.leaderboard(pool.game_id, pool.players)
        pipe = self._redis.pipeline(transaction=False)
        pipe.hmget(keys.rating(pool.game_id, pool.players, who), _FIELDS)
        pipe.zscore(board, who)
        values, points = await pipe.execute()
        rated = _rated(who, values)
        if rated is None or points is None:
            return rated, None
        above: Any = await self._redis.zcount(board, f"({int(points)}", "+inf")
        return rated, int(above) + 1

    async def count(self, pool: Pool, table_id: str, finished_ms: int, after: Sequence[Rated]) -> Counted:
        """Let a table's result count, once, for all its people together.

        `after` are their ratings with this game, worked out from ratings with one game less. Raises one of
        `UNAVAILABLE` when the outcome is unknown: the same again finds out.
        """
        outcome = await self._count(
            keys=[
                keys.rated_table(pool.game_id, pool.players, table_id),
                keys.leaderboard(pool.game_id, pool.players),
                *(keys.rating(pool.game_id, pool.players, rated.who) for rated in after),
            ],
            args=[
                finished_ms,
                RESULTS_KEPT_SECONDS * 1000,
                self._expire_s,
                self._games_needed,
                *(value for rated in after for value in _written(rated)),
            ],
        )
        return Counted(outcome)

    async def enter_bots(self, pool: Pool, bots: Sequence[Rated]) -> None:
        """Put bots, whose ratings never move, on the leaderboard in place of those that are there."""
        prefix = keys.rating(pool.game_id, pool.players, "")
        await self._enter_bots(
            keys=[keys.rated_bots(pool.game_id, pool.players), keys.leaderboard(pool.game_id, pool.players)],
            args=[prefix, *(value for rated in bots for value in _written(rated))],
        )

    async def page(self, pool: Pool, page_size: int, page_token: str = "") -> tuple[list[Placed], str]:
        """A page of the leaderboard, best first, and the token of the next page, "" on the last.

        A page begins behind the place where the one before ended, wherever its last player has gone since. Raises
        ValueError for a token that `page` did not give.
        """
        if page_size < 1:
            raise ValueError(f"a page has room for at least one, not {page_size}")
        rows = await self._page(
            keys=[keys.leaderboard(pool.game_id, pool.players)],
            args=[keys.rating(pool.game_id, pool.players, ""), page_size + 1, *_parse_token(page_token)],
        )
        placed = []
        for rank, who, *values in rows[:page_size]:
            rated = _rated(who.decode(), values)
            assert rated is not None
            placed.append(Placed(int(rank), rated))
        last = placed[-1].rated if len(rows) > page_size else None
        return placed, f"{last.points}.{last.who}" if last else ""


def _rated(who: str, values: Sequence[bytes | None]) -> Rated | None:
    name, mu, sigma, points, games = values
    if name is None or mu is None or sigma is None or points is None or games is None:
        return None
    return Rated(who, name.decode(), float(mu), float(sigma), int(points), int(games))


def _written(rated: Rated) -> tuple[str | int, ...]:
    return rated.who, rated.name, repr(rated.mu), repr(rated.sigma), rated.points, rated.games


def _parse_token(token: str) -> tuple[str, str]:
    if not token:
        return "", ""
    match = _PAGE_TOKEN.fullmatch(token)
    if match is None:
        raise ValueError(f"not a page token: {token[:40]!r}")
    return match[1], match[2]
