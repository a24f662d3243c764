"""Tokens: signed statements of who a player is. Whoever has the token is the player."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import jwt

from boardgamesbot.runtime import errors, scopes
from boardgamesbot.runtime.keyring import Keyring, SigningKey
from boardgamesbot.runtime.scopes import Scopes
from boardgamesbot.v1.players_pb2 import (
    PLAYER_KIND_BOT,
    PLAYER_KIND_BOT_ACCOUNT,
    PLAYER_KIND_GUEST,
    PLAYER_KIND_SERVICE,
    Player,
    TokenScope,
)

VERIFIED_TOKENS = 10_000
"""Tokens whose signature is remembered as checked; whether they have expired is asked every time."""

KEPT_TOKENS = 2_000
"""Tokens of bots that are given out again."""

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
    scopes: Scopes = field(default_factory=frozenset)
    """What the token is good for."""
    key: SigningKey | None = None
    """The key that signed the token."""

    def want(self, scope: TokenScope.ValueType) -> None:
        """Raises ApiError (SCOPE_MISSING, PEOPLE_ONLY) where the token is not good for this."""
        if scope not in self.scopes:
            if scope not in scopes.all_of(self.player.kind):
                raise errors.denied("PEOPLE_ONLY", "only people own bot accounts")
            name = scopes.NAMES[scope]
            raise errors.denied("SCOPE_MISSING", f"this token is not good for that: it lacks {name}", scope=name)


class Tokens:
    """Makes and reads tokens with the keys of a ring, or with one key."""

    def __init__(self, keys: Keyring | bytes, lifetime_seconds: float) -> None:
        self._keys = Keyring([SigningKey("", keys)]) if isinstance(keys, bytes) else keys
        self._verified = lru_cache(maxsize=VERIFIED_TOKENS)(self._verify)
        self._kept = lru_cache(maxsize=KEPT_TOKENS)(self._issued_to_bot)
        self.lifetime_seconds = int(lifetime_seconds)

    def issue(self, player: Player, wanted: Collection[TokenScope.ValueType] = ()) -> str:
        """A token for `player`, good from now on for the lifetime, and for what is `wanted`; empty: for everything."""
        claims = _claims(player, self.lifetime_seconds)
        if player.bot:
            claims["bot"] = player.bot
        if wanted:
            claims["scope"] = " ".join(sorted(scopes.NAMES[scope] for scope in scopes.completed(wanted)))
        return self._signed(claims)

    def of_bot(self, player_id: str, bot: str) -> str:
        """A token for one of the platform's own bots at a table, good for at least half of the lifetime.

        Asked for again it is the same one for a while, so that whoever reads it knows it already.
        """
        half_lives = int(time.time() / (self.lifetime_seconds / 2))
        return self._kept(player_id, bot, half_lives, self._keys.edition)

    def _issued_to_bot(self, player_id: str, bot: str, *_: int) -> str:
        return self.issue(Player(id=player_id, kind=PLAYER_KIND_BOT, bot=bot))

    def issue_to_account(self, player: Player, generation: int, lifetime_seconds: int) -> str:
        """A token for a bot account, good for so long unless the account begins another generation."""
        claims = _claims(player, lifetime_seconds)
        return self._signed({**claims, "owner": player.owner, "generation": generation})

    def read(self, token: str) -> Caller:
        """Who `token` speaks for. Raises ApiError (UNAUTHENTICATED)."""
        caller = self._verified(token, self._keys.edition)
        if caller.expires_at <= time.time():
            raise errors.unauthenticated("TOKEN_EXPIRED", "the token has expired: sign in again")
        return caller

    def confirm(self, caller: Caller) -> None:
        """Raises ApiError (TOKEN_INVALID) where the key that signed the caller's token is believed no more."""
        if caller.key not in self._keys.named(None):
            raise _invalid()

    def _signed(self, claims: dict[str, Any]) -> str:
        key = self._keys.signing
        return jwt.encode(claims, key.secret, algorithm=_ALGORITHM, headers={"kid": key.id} if key.id else None)

    def _verify(self, token: str, _: int) -> Caller:
        try:
            claims, key = self._opened(token)
            kind = _KINDS[claims["kind"]]
            player = Player(
                id=claims["sub"],
                name=claims["name"],
                kind=kind,
                bot=claims.get("bot", ""),
                owner=claims.get("owner", ""),
            )
            generation = int(claims["generation"]) if kind == PLAYER_KIND_BOT_ACCOUNT else 0
            good_for = scopes.all_of(kind)
            if "scope" in claims:
                good_for &= {scopes.BY_NAME[name] for name in claims["scope"].split()}
        except jwt.ExpiredSignatureError:
            raise errors.unauthenticated("TOKEN_EXPIRED", "the token has expired: sign in again") from None
        except (jwt.InvalidTokenError, AttributeError, KeyError, TypeError, ValueError):
            raise _invalid() from None
        return Caller(player, float(claims["exp"]), generation, good_for, key)

    def _opened(self, token: str) -> tuple[dict[str, Any], SigningKey]:
        """What a token says, and the key of those that may have made it whose signature it has.

        Raises InvalidTokenError.
        """
        named = jwt.get_unverified_header(token).get("kid")
        for key in self._keys.named(named):
            try:
                claims: dict[str, Any] = jwt.decode(
                    token,
                    key.secret,
                    algorithms=[_ALGORITHM],
                    audience=_AUDIENCE,
                    options={"require": ["exp", "sub", "iat"], "verify_iat": False},
                )
                return claims, key
            except jwt.InvalidSignatureError:
                continue
        raise jwt.InvalidSignatureError


def _invalid() -> errors.ApiError:
    return errors.unauthenticated("TOKEN_INVALID", "the token is not one of this server's")


def _claims(player: Player, lifetime_seconds: int) -> dict[str, Any]:
    now = int(time.time())
    return {
        "aud": _AUDIENCE,
        "sub": player.id,
        "name": player.name,
        "kind": _KIND_NAMES[player.kind],
        "iat": now,
        "exp": now + lifetime_seconds,
    }


def new_guest(name: str) -> Player:
    """A guest nobody has been before."""
    return Player(id=f"guest-{secrets.token_hex(8)}", name=name, kind=PLAYER_KIND_GUEST)


def bot_player(bot: str, name: str, table_id: str, number: str) -> Player:
    """The player a bot is at one table. `number` tells the bots of a table apart."""
    return Player(id=f"bot-{bot}-{table_id}-{number}", name=name, kind=PLAYER_KIND_BOT, bot=bot)


def service_player(name: str) -> Player:
    """Who a service of this platform is when it calls another."""
    return Player(id=f"service-{name}", name=name, kind=PLAYER_KIND_SERVICE)
