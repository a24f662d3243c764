"""From a request for a ticket to a ticket that can be stored: every field read, what makes no sense refused."""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardgamesbot.games import registry
from boardgamesbot.games.base import Malformed
from boardgamesbot.players.registry import BOTS, STAND_IN
from boardgamesbot.runtime import errors, fields
from boardgamesbot.store.accounts import is_account_id
from boardgamesbot.store.tickets import NewTicket, Person, Window
from boardgamesbot.v1 import games_pb2
from boardgamesbot.v1 import matchmaking_pb2 as pb

if TYPE_CHECKING:
    from boardgamesbot.games.base import Options
    from boardgamesbot.games.proto import Codec
    from boardgamesbot.runtime.settings import Settings
    from boardgamesbot.store.accounts import StoredAccount

LONGEST_BOT_WAIT_SECONDS = 86_400
WIDEST_WINDOW = 1e6
CODE_LENGTH = 8
_CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""32 of them, none that looks like another."""


@dataclass(frozen=True)
class Wish:
    """What a request asks for, defaults filled in."""

    game_id: str
    options: Options
    is_flexible: bool
    sizes: range
    party_size: int
    window: Window
    bots_ms: int | None
    bot: str
    request: pb.CreateTicketRequest
    """The request with its defaults: what the ticket is shown from."""

    def ticket(self, owner: Person, ratings: Mapping[int, float], secret: bytes) -> NewTicket:
        """The ticket, its id and join code made of owner and request id: the same request, the same ticket."""
        codec = registry.codec(self.game_id)
        options = codec.options_to(self.options).SerializeToString(deterministic=True)
        digest = hmac.digest(secret, f"ticket\0{owner.id}\0{self.request.request_id}".encode(), "sha256")
        return NewTicket(
            id=digest[:16].hex(),
            owner=owner,
            game=self.game_id,
            options=options,
            fingerprint=hashlib.sha256(options).hexdigest()[:16],
            is_flexible=self.is_flexible,
            ratings=ratings,
            size=self.party_size,
            code="".join(_CODE_LETTERS[byte % len(_CODE_LETTERS)] for byte in digest[16 : 16 + CODE_LENGTH]),
            window=self.window,
            bots_ms=self.bots_ms,
            bot=self.bot,
            wants_acceptance=self.request.acceptance,
            is_unrated=self.request.unrated,
            request=self.request.SerializeToString(),
        )


def read(request: pb.CreateTicketRequest, settings: Settings, outside: StoredAccount | None = None) -> Wish:
    """What the request asks for; `outside` is the bot account that it names. Raises ApiError (INVALID_FIELD)."""
    codec = fields.read("", registry.codec, request.game_id)
    fields.request_id(request.request_id)
    options = _options(request, codec)
    sizes = _sizes(request, codec, options)
    party_size = request.party_size or 1
    if not 1 <= party_size <= sizes[-1]:
        raise errors.invalid_field("party_size", f"must be 1 to {sizes[-1]}, not {party_size}")
    sizes = range(max(sizes[0], party_size), sizes.stop)
    window = _window(request, settings)
    bots_ms, bot = _bots(request, codec, outside)
    complete = pb.CreateTicketRequest()
    complete.CopyFrom(request)
    complete.min_players, complete.max_players, complete.party_size = sizes[0], sizes[-1], party_size
    complete.window.initial, complete.window.growth, complete.window.maximum = (
        window.initial,
        window.growth,
        window.maximum,
    )
    if request.HasField("options"):
        complete.options.CopyFrom(codec.options_to(options))
    if request.HasField("bots"):
        complete.bots.bot = bot
    return Wish(
        game_id=codec.game.id,
        options=options,
        is_flexible=not request.HasField("options"),
        sizes=sizes,
        party_size=party_size,
        window=window,
        bots_ms=bots_ms,
        bot=bot,
        request=complete,
    )


def _options(request: pb.CreateTicketRequest, codec: Codec) -> Options:
    given = request.options if request.HasField("options") else games_pb2.GameOptions()
    options = fields.read("options", codec.options_from, given)
    if wanted := codec.game.bots_wanted(options):
        names = ", ".join(BOTS[bot].name for bot in wanted.values())
        raise errors.invalid_field("options", f"give a seat to {names}: such a table is opened, not looked for")
    return options


def _sizes(request: pb.CreateTicketRequest, codec: Codec, options: Options) -> range:
    """The numbers of players at the table."""
    game = codec.game
    low = request.min_players or game.min_players
    high = request.max_players or game.max_players
    for field, players in (("min_players", low), ("max_players", high)):
        try:
            game.check_players(players, options)
        except Malformed as error:
            raise errors.invalid_field(field, error.reason) from None
    if low > high:
        raise errors.invalid_field("max_players", f"must not be less than min_players, {low}")
    return range(low, high + 1)


def _window(request: pb.CreateTicketRequest, settings: Settings) -> Window:
    if not request.HasField("window"):
        return Window(settings.rating_window, settings.rating_window_growth, settings.rating_window_max)
    window = request.window
    for name in ("initial", "growth", "maximum"):
        points = getattr(window, name)
        if not (math.isfinite(points) and 0 <= points <= WIDEST_WINDOW):
            raise errors.invalid_field(f"window.{name}", f"must be 0 to {WIDEST_WINDOW:.0f} points")
    if window.maximum < window.initial:
        raise errors.invalid_field("window.maximum", "must not be less than what the window is at first")
    return Window(window.initial, window.growth, window.maximum)


def _bots(request: pb.CreateTicketRequest, codec: Codec, outside: StoredAccount | None) -> tuple[int | None, str]:
    """After how many ms bots may fill the table, and which."""
    if not request.HasField("bots"):
        return None, STAND_IN.id
    fill = request.bots
    seconds = fill.after.seconds + fill.after.nanos / 1e9
    if not 0 <= seconds <= LONGEST_BOT_WAIT_SECONDS:
        raise errors.invalid_field("bots.after", f"must be 0 to {LONGEST_BOT_WAIT_SECONDS} seconds")
    if is_account_id(fill.bot):
        if outside is None or not outside.takes(codec.game.id):
            raise errors.invalid_field("bots.bot", f"is no bot from outside that is online and takes {codec.game.id}")
        return int(seconds * 1000), outside.id
    bot = BOTS.get(fill.bot or STAND_IN.id)
    if bot is None or bot.by_rule or codec.game.id not in bot.brains:
        offered = ", ".join(b.id for b in BOTS.values() if not b.by_rule and codec.game.id in b.brains)
        raise errors.invalid_field("bots.bot", f"{fill.bot[:32]!r} is no bot for this; there is {offered}")
    return int(seconds * 1000), bot.id


def join_code(value: str) -> str:
    """A join code as it was shown, however it was typed. Raises ApiError (INVALID_FIELD)."""
    code = value.strip().upper()
    if not code:
        raise errors.invalid_field("join_code", "is missing")
    if len(code) != CODE_LENGTH or not set(code) <= set(_CODE_LETTERS):
        raise errors.invalid_field("join_code", f"has {CODE_LENGTH} letters and digits")
    return code
