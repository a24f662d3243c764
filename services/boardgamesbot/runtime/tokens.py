"""Tokens: signed statements of who a player is. Whoever has the token is the player."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from functools import lru_cache

import jwt

from boardgamesbot.runtime import errors
from boardgamesbot.v1.players_pb2 import (
    PLAYER_KIND_BOT,
    PLAYER_KIND_BOT_ACCOUNT,
    PLAYER_KIND_GUEST,
    PLAYER_KIND_SERVICE,
    Player,
)

VERIFIED_TOKENS = 10_000
"""Tokens whose signature is remembered as checked; whether they have expired is asked every time."""

_ALGORITHM = "HS256"
_AUDIENCE = "boardgamesbot"
_KINDS = {
    "guest": PLAYER_KIND_GUEST,
    "bot": PLAYER_KIND_BOT,
    "service": PLAYER_KIND_SERVICE,
    "account": PLAYER_KIND_BOT_ACCOUNT,
}
_KIND_NAMES = {kind: name for name, kind in _KINDS.items()}


@dataclass(frozen=True)
class Caller:
    """Who makes a call, and until when that is proven (seconds since the epoch)."""

    player: Player
    expires_at: float
    generation: int = 0
    """Of a bot account's token: it is good as long as the account is in this generation."""


class Tokens:
    """Makes and reads tokens with one key."""

    def __init__(self, key: bytes, lifetime_seconds: float) -> None:
        self._key = key
        self._verified = lru_cache(maxsize=VERIFIED_TOKENS)(self._verify)
        self.lifetime_seconds = int(lifetime_seconds)

    def issue(self, player: Player) -> str:
        """A token for `player`, good from now on for the lifetime."""
        now = int(time.time())
        claims = {
            "aud": _AUDIENCE,
            "sub": player.id,
            "name": player.name,
            "kind": _KIND_NAMES[player.kind],
            "iat": now,
            "exp": now + self.lifetime_seconds,
        }
        if player.bot:
            claims["bot"] = player.bot
        return jwt.encode(claims, self._key, algorithm=_ALGORITHM)

    def issue_to_account(self, player: Player, generation: int, lifetime_seconds: int) -> str:
        """A token for a bot account, good for so long unless the account begins another generation."""
        now = int(time.time())
        claims = {
            "aud": _AUDIENCE,
            "sub": player.id,
            "name": player.name,
            "kind": _KIND_NAMES[player.kind],
            "owner": player.owner,
            "generation": generation,
            "iat": now,
            "exp": now + lifetime_seconds,
        }
        return jwt.encode(claims, self._key, algorithm=_ALGORITHM)

    def read(self, token: str) -> Caller:
        """Who `token` speaks for. Raises ApiError (UNAUTHENTICATED)."""
        caller = self._verified(token)
        if caller.expires_at <= time.time():
            raise errors.unauthenticated("TOKEN_EXPIRED", "the token has expired: sign in again")
        return caller

    def _verify(self, token: str) -> Caller:
        try:
            claims = jwt.decode(
                token,
                self._key,
                algorithms=[_ALGORITHM],
                audience=_AUDIENCE,
                options={"require": ["exp", "sub", "iat"], "verify_iat": False},
            )
            kind = _KINDS[claims["kind"]]
            player = Player(
                id=claims["sub"],
                name=claims["name"],
                kind=kind,
                bot=claims.get("bot", ""),
                owner=claims.get("owner", ""),
            )
            generation = int(claims["generation"]) if kind == PLAYER_KIND_BOT_ACCOUNT else 0
        except jwt.ExpiredSignatureError:
            raise errors.unauthenticated("TOKEN_EXPIRED", "the token has expired: sign in again") from None
        except (jwt.InvalidTokenError, KeyError, TypeError, ValueError):
            raise errors.unauthenticated("TOKEN_INVALID", "the token is not one of this server's") from None
        return Caller(player, float(claims["exp"]), generation)


def new_guest(name: str) -> Player:
    """A guest nobody has been before."""
    return Player(id=f"guest-{secrets.token_hex(8)}", name=name, kind=PLAYER_KIND_GUEST)


def bot_player(bot: str, name: str, table_id: str, number: str) -> Player:
    """The player a bot is at one table. `number` tells the bots of a table apart."""
    return Player(id=f"bot-{bot}-{table_id}-{number}", name=name, kind=PLAYER_KIND_BOT, bot=bot)


def service_player(name: str) -> Player:
    """Who a service of this platform is when it calls another."""
    return Player(id=f"service-{name}", name=name, kind=PLAYER_KIND_SERVICE)
