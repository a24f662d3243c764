"""Bot accounts: what their owners do with them, and what they say of themselves while they are online."""

from __future__ import annotations

import contextlib
import hmac
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import grpc

from boardgamesbot.games import registry
from boardgamesbot.rules import fields
from boardgamesbot.runtime import accounts, errors
from boardgamesbot.runtime.names import clean_name
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.accounts import MOST_OWNED, Announcement, TooMany, account_id, is_account_id, new_stream
from boardgamesbot.v1 import players_pb2 as pb

if TYPE_CHECKING:
    from boardgamesbot.rules.tables import Tables
    from boardgamesbot.runtime.settings import Settings
    from boardgamesbot.runtime.tokens import Tokens
    from boardgamesbot.store.accounts import AccountStore, StoredAccount

MOST_TABLES = 1_000


class BotAccounts:
    """The bot accounts of this platform. `secret` makes their ids."""

    def __init__(self, store: AccountStore, tokens: Tokens, tables: Tables, settings: Settings, secret: bytes) -> None:
        self._store = store
        self._tokens = tokens
        self._tables = tables
        self._secret = secret
        self._token_seconds = int(settings.bot_token_days * 86_400)

    async def create(self, owner: pb.Player, request: pb.CreateBotAccountRequest) -> pb.CreateBotAccountResponse:
        """Make an account; the same owner's same request id gives the same. Raises ApiError."""
        _want_person(owner)
        name = clean_name(request.name)
        if not name:
            raise errors.invalid_field("name", "is missing: say what the bot is called at tables")
        request_id = fields.request_id(request.request_id)
        digest = hmac.digest(self._secret, f"account\0{owner.id}\0{request_id}".encode(), "sha256")
        account = account_id(digest)
        try:
            await self._store.create(account, owner.id, owner.name, name)
        except TooMany:
            raise errors.ApiError(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "TOO_MANY_ACCOUNTS",
                f"you have {MOST_OWNED} bot accounts, as many as one may have: delete one first",
            ) from None
        made = await self._own(owner, account)
        return pb.CreateBotAccountResponse(
            account=accounts.shown(made), token=self._token(made), expires_in=self._token_seconds
        )

    async def owned(self, owner: pb.Player) -> pb.ListBotAccountsResponse:
        """The accounts of the caller."""
        return pb.ListBotAccountsResponse(accounts=map(accounts.shown, await self._store.owned(owner.id)))

    async def renew(self, owner: pb.Player, account: str) -> pb.RenewBotTokenResponse:
        """Revoke all tokens of an account and give another. Raises ApiError."""
        await self._own(owner, account)
        await self._store.renew(account)
        renewed = await self._own(owner, account)
        return pb.RenewBotTokenResponse(
            account=accounts.shown(renewed), token=self._token(renewed), expires_in=self._token_seconds
        )

    async def delete(self, owner: pb.Player, account: str) -> None:
        """End an account and resign its games. Raises ApiError."""
        ending = await self._own(owner, account)
        await self._store.delete(account, owner.id)
        await self._tables.leave_all(accounts.player_of(ending))

    @contextlib.asynccontextmanager
    async def online(self, player: pb.Player, request: pb.WatchMeRequest) -> AsyncIterator[_Presence]:
        """Who watches their turns; a bot account that announces something is online meanwhile. Raises ApiError."""
        takes = None
        if request.HasField("announcement"):
            if player.kind != pb.PLAYER_KIND_BOT_ACCOUNT:
                raise errors.invalid_field("announcement", "is for bot accounts only: CreateBotAccount makes one")
            takes = _announcement(request.announcement)
        presence = _Presence(self._store, player.id, takes)
        try:
            yield presence
        finally:
            with contextlib.suppress(*UNAVAILABLE):
                await presence.end()

    async def _own(self, owner: pb.Player, account: str) -> StoredAccount:
        """An account of the caller's. Raises ApiError: of another's, nobody is told that it is there."""
        if not account:
            raise errors.invalid_field("account_id", "is missing")
        found = await self._store.load(account) if is_account_id(account) else None
        if found is None or found.owner != owner.id:
            raise errors.ApiError(
                grpc.StatusCode.NOT_FOUND,
                "ACCOUNT_NOT_FOUND",
                f"you have no bot account {account[:64]!r}",
                metadata={"field": "account_id"},
            )
        return found

    def _token(self, account: StoredAccount) -> str:
        return self._tokens.issue_to_account(accounts.player_of(account), account.generation, self._token_seconds)


class _Presence:
    """An account that is online by one stream."""

    def __init__(self, store: AccountStore, account: str, takes: Announcement | None) -> None:
        self._store = store
        self._account = account
        self._takes = takes
        self._stream = new_stream()

    async def confirm(self) -> None:
        """Say again that it is so."""
        if self._takes is not None:
            await self._store.announce(self._account, self._stream, self._takes)

    async def end(self) -> None:
        if self._takes is not None:
            await self._store.withdraw(self._account, self._stream)


def _announcement(message: pb.BotAnnouncement) -> Announcement:
    if not message.game_ids:
        raise errors.invalid_field("announcement.game_ids", "is empty: name the games that the bot takes")
    for at, game_id in enumerate(message.game_ids):
        if game_id not in registry.GAMES:
            known = ", ".join(registry.GAMES)
            raise errors.invalid_field(f"announcement.game_ids[{at}]", f"{game_id[:32]!r} is no game; there is {known}")
    if not 0 <= message.max_tables <= MOST_TABLES:
        raise errors.invalid_field("announcement.max_tables", f"must be 1 to {MOST_TABLES}, not {message.max_tables}")
    return Announcement(tuple(dict.fromkeys(message.game_ids)), message.max_tables or 1)


def _want_person(player: pb.Player) -> None:
    if player.kind != pb.PLAYER_KIND_GUEST:
        raise errors.denied("PEOPLE_ONLY", "only people own bot accounts")
