"""Every key and channel name, and the ids of tables.

A table's id begins with its slot, two hex digits. All that one commit changes is kept under the slot's hash tag
`{sSS}`, so that one script can change it on a Cluster as well. All of matchmaking is kept under one tag, `{mm}`: a
player has one ticket in all games together, and a match takes several at once. The ratings of a game with so many
players have a tag of their own.
"""

from __future__ import annotations

import re
import secrets
from functools import cache, lru_cache

DEFAULT_SLOTS = 16
MAX_SLOTS = 256
LISTED_STATUSES = ("open", "playing", "finished")
"""The statuses tables can be listed under."""

TOKEN_KEY = "auth:key"  # noqa: S105 - a name, not a secret
TOKEN_KEYS = "auth:keys"  # noqa: S105
ID_SECRET = "auth:ids"  # noqa: S105

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_RANDOM_CHARACTERS = 12
_TABLE_ID = re.compile(rf"([0-9a-f]{{2}})[a-z2-7]{{{_RANDOM_CHARACTERS}}}")


def check_slots(slots: int) -> int:
    """`slots` itself. Raises ValueError unless it is 1 to 256."""
    if not 1 <= slots <= MAX_SLOTS:
        raise ValueError(f"there can be 1 to {MAX_SLOTS} slots, not {slots}")
    return slots


def new_table_id(slots: int = DEFAULT_SLOTS) -> str:
    """An id nobody can guess (60 bits of chance), in one of `slots` slots."""
    return derived_table_id(secrets.token_bytes(16), slots)


def derived_table_id(digest: bytes, slots: int = DEFAULT_SLOTS) -> str:
    """The id that belongs to `digest`, at least 9 evenly spread bytes: the same digest, the same id."""
    if len(digest) < 9:
        raise ValueError(f"a table id is made of at least 9 bytes, not {len(digest)}")
    number = int.from_bytes(digest[1:9])
    letters = "".join(_ALPHABET[number >> 5 * i & 31] for i in range(_RANDOM_CHARACTERS))
    return f"{digest[0] * check_slots(slots) >> 8:02x}{letters}"


def is_table_id(value: str) -> bool:
    """Whether `value` could be a table's id."""
    return _TABLE_ID.fullmatch(value) is not None


def slot_of(table_id: str) -> int:
    """The slot of a table, 0 to 255. Raises ValueError if the id is malformed."""
    match = _TABLE_ID.fullmatch(table_id)
    if match is None:
        raise ValueError(f"not a table id: {table_id[:40]!r}")
    return int(match[1], 16)


@cache
def _tag(slot: int) -> str:
    return f"{{s{slot:02x}}}"


def table_prefix(slot: int) -> str:
    """What the `table` key of every table of a slot begins with."""
    return f"{_tag(slot)}:table:"


def table(table_id: str) -> str:
    """Hash: the table as it is now."""
    return table_prefix(slot_of(table_id)) + table_id


def events(table_id: str) -> str:
    """Stream: one entry a version, with the id `<version>-0`."""
    return table(table_id) + ":events"


def requests(table_id: str) -> str:
    """Hash: request id -> `<version>:<answer>`."""
    return table(table_id) + ":requests"


def outbox(slot: int) -> str:
    """Stream: what has to be done about the slot's tables."""
    return f"{_tag(slot)}:outbox"


def deadlines(slot: int) -> str:
    """Sorted set: table id -> when its bot is woken again or its player's time is up, in ms by the store's clock."""
    return f"{_tag(slot)}:deadlines"


def finished(slot: int) -> str:
    """Stream: the slot's tables whose game is over, as long as nobody has dealt with them."""
    return f"{_tag(slot)}:finished"


def listed(slot: int, status: str) -> str:
    """Sorted set: table id -> when it was created, in ms by the store's clock."""
    return f"{_tag(slot)}:listed:{status}"


def census_prefix(slot: int) -> str:
    """What the names of a slot's sets of tables counted together begin with."""
    return f"{_tag(slot)}:census:"


def census(slot: int, counted: str) -> str:
    """Sorted set: table id -> about when it expires, in ms by the store's clock; of those counted together."""
    return census_prefix(slot) + counted


@lru_cache(maxsize=4096)
def changed_by_commit(table_id: str) -> tuple[str, ...]:
    """All that a change to a table touches, in the order of `commit.lua`."""
    slot = slot_of(table_id)
    return (
        table(table_id),
        events(table_id),
        requests(table_id),
        outbox(slot),
        deadlines(slot),
        finished(slot),
        *(listed(slot, status) for status in LISTED_STATUSES),
    )


def replicated(slot: int) -> str:
    """String: written to by those who read from the slot what must have reached replicas."""
    return f"{_tag(slot)}:replicated"


def player_tables(player_id: str) -> str:
    """Set: tables the player may have a seat at."""
    return f"player:{player_id}:tables"


def opened_tables(player_id: str) -> str:
    """Set: tables the player has opened, some of which may have begun or ended."""
    return f"player:{player_id}:opened"


def table_code(code: str) -> str:
    """String: the id of the table that has the code."""
    return f"code:{code}"


MATCHMAKING = "{mm}:"
"""What every key of matchmaking begins with; its scripts make the others of it (`tickets.lua`)."""

DUE_TICKETS = MATCHMAKING + "due"
"""Sorted set: id of a ticket that waits -> when others are looked for next, in ms by the store's clock."""

MATCHES = MATCHMAKING + "matches"
"""Stream: the matches whose tables are to be opened."""

MATCHING_CHANNEL = "matchmaking"
"""Channel: told whenever a ticket begins to wait."""


def ticket(ticket_id: str) -> str:
    """Hash: a ticket."""
    return f"{MATCHMAKING}ticket:{ticket_id}"


def join_code(code: str) -> str:
    """String: the id of the ticket whose party is joined with the code."""
    return f"{MATCHMAKING}code:{code}"


def match(match_id: str) -> str:
    """Hash: a match."""
    return f"{MATCHMAKING}match:{match_id}"


def queue(game_id: str) -> str:
    """Hash: players that wait and matches made so far, by number of players."""
    return f"{MATCHMAKING}queue:{game_id}"


def recent_waits(game_id: str, players: int) -> str:
    """List: for how long tickets matched lately had waited, in ms, the newest first."""
    return f"{MATCHMAKING}waits:{game_id}:{players}"


def recent_differences(game_id: str, players: int) -> str:
    """List: how far apart in rating the tickets of recent matches were, the newest first."""
    return f"{MATCHMAKING}differences:{game_id}:{players}"


def ratings_prefix(game_id: str, players: int) -> str:
    """What every key begins with that a result of a game with so many players changes: one hash tag."""
    return f"{{ratings:{game_id}:{players}}}:"


def rating(game_id: str, players: int, who: str) -> str:
    """Hash: the rating of a player, or of a bot."""
    return f"{ratings_prefix(game_id, players)}of:{who}"


def leaderboard(game_id: str, players: int) -> str:
    """Sorted set: who has played enough -> the points of their rating."""
    return f"{ratings_prefix(game_id, players)}board"


def rated_bots(game_id: str, players: int) -> str:
    """Set: the bots that are on the leaderboard."""
    return f"{ratings_prefix(game_id, players)}bots"


def rated_table(game_id: str, players: int, table_id: str) -> str:
    """String: there, once the table's result has counted."""
    return f"{ratings_prefix(game_id, players)}table:{table_id}"


ACCOUNTS = "{accounts}:"
"""What every key of bot accounts begins with; its scripts make the others of it (`accounts.lua`)."""

ONLINE_ACCOUNTS = ACCOUNTS + "online"
"""Sorted set: id of a bot account -> until when it counts as online, in ms by the store's clock."""


def account(account_id: str) -> str:
    """Hash: a bot account."""
    return f"{ACCOUNTS}account:{account_id}"


def owned_accounts(player_id: str) -> str:
    """Set: the bot accounts that a person owns."""
    return f"{ACCOUNTS}of:{player_id}"


def account_presence(account_id: str) -> str:
    """Hash: what a bot account takes; there while it is online."""
    return f"{ACCOUNTS}presence:{account_id}"


def answer(question: str) -> str:
    """List: answers to a question that a process of ours waits for."""
    return f"answer:{question}"


def asked(question: str) -> str:
    """String: how often the question has been asked; there as long as somebody waits for answers to it."""
    return f"{{asked:{question}}}"


def at_work(question: str) -> str:
    """String: there as long as somebody says that they work on an answer to the question; in the slot of `asked`."""
    return f"{asked(question)}:at_work"


def quota(player_id: str) -> str:
    """Hash: how much thinking a player may still ask for."""
    return f"quota:{player_id}"


AUDIT = "audit"
"""Stream: what those who run the platform did to tables by hand."""

CRASHES = "{crashes}:"
"""What every key about bots that failed begins with."""

CRASH_INDEX = CRASHES + "index"
"""Sorted set: the id of a position at which a bot failed -> when it last did, in ms by the store's clock."""


def crash(crash_id: str) -> str:
    """Hash: a position at which a bot failed."""
    return f"{CRASHES}at:{crash_id}"


def table_channel(table_id: str) -> str:
    """Channel: told the version of every commit."""
    return f"table:{table_id}"


def player_channel(player_id: str) -> str:
    """Channel: told the table where it has become the player's turn."""
    return f"player:{player_id}"


def ticket_channel(ticket_id: str) -> str:
    """Channel: told of everything that happens to a ticket."""
    return f"ticket:{ticket_id}"
