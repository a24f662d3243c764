"""Who may make a call: what the token says and is good for, and how much its player and their address have left."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from boardgamesbot.runtime import errors, scopes
from boardgamesbot.runtime.accounts import CHECK_SECONDS
from boardgamesbot.runtime.limits import Bucket, Clients, Limits, exhausted
from boardgamesbot.runtime.settings import words
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, PLAYER_KIND_BOT_ACCOUNT, PLAYER_KIND_SERVICE

if TYPE_CHECKING:
    from boardgamesbot.runtime.accounts import AccountTokens
    from boardgamesbot.runtime.headers import Headers
    from boardgamesbot.runtime.settings import Settings
    from boardgamesbot.runtime.tokens import Caller, Tokens

FORWARDED = "x-forwarded-for"
_HEALTH = "/grpc.health.v1.Health/"
_OURS = (PLAYER_KIND_BOT, PLAYER_KIND_SERVICE)
"""Their tokens never leave the platform: what they ask for was asked of it before."""
_LOCAL = "127.0.0.1"
_KNOWN_PEERS = 10_000
_LONGEST_FORWARDED = 1_024
"""So much of a chain of proxies is read, from its end: the last are ours."""
KEY_CHECK_SECONDS = 30.0
"""So often a stream looks whether the key of its token is believed still."""


@dataclass(frozen=True)
class _Rate:
    """How often some method may be called."""

    bucket: Bucket
    what: str


class Admission:
    """Lets calls in or refuses them. What it counts is this process's own."""

    def __init__(
        self, settings: Settings, tokens: Tokens, accounts: AccountTokens, open_methods: Collection[str]
    ) -> None:
        """`open_methods` want no token: full names (`/package.Service/Method`) or prefixes that end in `/`."""
        self._tokens = tokens
        self._accounts = accounts
        self._open = tuple(open_methods)
        self._clients = Clients(words(settings.trusted_peers))
        self._addresses = Limits(
            settings.address_calls_per_second, settings.address_burst, settings.address_streams, subject="address"
        )
        self._players = Limits(
            settings.player_calls_per_second, settings.player_burst, settings.player_streams, subject="player"
        )
        self._by_address: Mapping[str, _Rate] = {
            "/boardgamesbot.v1.PlayerService/CreateGuest": _a_minute(settings.address_guests_per_minute, "guests"),
        }
        self._by_player: Mapping[str, _Rate] = {
            "/boardgamesbot.v1.TableService/CreateTable": _a_minute(settings.player_tables_per_minute, "tables"),
        }
        self._address_of = lru_cache(_KNOWN_PEERS)(self._found_address)

    async def admit(self, method: str, headers: Headers) -> Caller | None:
        """Who calls; None where the method wants no token. Raises ApiError."""
        if self._is_open(method):
            if not method.startswith(_HEALTH):
                self._count_address(method, self._address(headers))
            return None
        try:
            caller = self._tokens.read(_bearer(headers))
        except errors.ApiError:
            self._count_address(method, self._address(headers))
            raise
        if caller.player.kind not in _OURS:
            self._count_address(method, self._address(headers))
            self._players.request(caller.player.id)
            _count(self._by_player.get(method), caller.player.id, "player")
            await self._accounts.confirm(caller)
        caller.want(scopes.wanted_by(method))
        return caller

    def good_seconds(self, caller: Caller) -> float:
        """After so long it must be asked again whether a token is good still, `confirm`."""
        return CHECK_SECONDS if caller.player.kind == PLAYER_KIND_BOT_ACCOUNT else KEY_CHECK_SECONDS

    async def confirm(self, caller: Caller) -> None:
        """Raises ApiError where a token that was good has been revoked, or its key is believed no more."""
        self._tokens.confirm(caller)
        await self._accounts.confirm(caller)

    @contextmanager
    def stream(self, headers: Headers, caller: Caller | None) -> Iterator[None]:
        """A stream for as long as it is open. Raises ApiError (RESOURCE_EXHAUSTED) where it is one too many."""
        with ExitStack() as counted:
            if caller is None or caller.player.kind not in _OURS:
                address = self._address(headers)
                if address:
                    counted.enter_context(self._addresses.stream(address))
            if caller is not None and caller.player.kind not in _OURS:
                counted.enter_context(self._players.stream(caller.player.id))
            yield

    def _is_open(self, method: str) -> bool:
        return any(method == name or (name.endswith("/") and method.startswith(name)) for name in self._open)

    def _count_address(self, method: str, address: str) -> None:
        if address:
            self._addresses.request(address)
            _count(self._by_address.get(method), address, "address")

    def _address(self, headers: Headers) -> str:
        """Where a call comes from; empty where a trusted peer does not say for whom it asks."""
        forwarded = ",".join(headers.all(FORWARDED))
        return self._address_of(headers.peer, forwarded[-_LONGEST_FORWARDED:])

    def _found_address(self, peer: str, forwarded: str) -> str:
        address = self._clients.address(_host(peer), forwarded)
        return "" if self._clients.is_trusted(address) else address


def _a_minute(so_many: float, what: str) -> _Rate:
    return _Rate(Bucket(so_many / 60, so_many), f"more than {so_many:g} {what} a minute")


def _count(rate: _Rate | None, whose: str, subject: str) -> None:
    if rate is not None and (wait := rate.bucket.take(whose)):
        asker = "your address has" if subject == "address" else "you have"
        raise exhausted("TOO_MANY_REQUESTS", f"{asker} asked for {rate.what}: wait a moment", wait, subject)


def _host(peer: str) -> str:
    """The host of a peer as gRPC writes it: `ipv4:192.0.2.1:443`, `ipv6:%5B::1%5D:443`, `unix:/path`."""
    kind, _, rest = peer.partition(":")
    if kind == "unix":
        return _LOCAL
    return unquote(rest).rpartition(":")[0].strip("[]")


def _bearer(headers: Headers) -> str:
    scheme, _, token = headers.first("authorization").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    raise errors.unauthenticated("TOKEN_MISSING", "send a token as `authorization: Bearer …`; CreateGuest gives one")
