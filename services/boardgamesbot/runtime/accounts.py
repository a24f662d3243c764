"""Whether the token of a bot account is good still: its owner may have made another, or ended the account."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from boardgamesbot.runtime import errors
from boardgamesbot.store.accounts import AccountStore
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT_ACCOUNT, BotAccount, BotAnnouncement, Player

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from boardgamesbot.runtime.settings import Settings
    from boardgamesbot.runtime.tokens import Caller
    from boardgamesbot.store.accounts import StoredAccount

CHECK_SECONDS = 3.0
"""How long a process believes what the store said about an account."""
REMEMBERED = 10_000


class AccountTokens:
    """Asks the store about the callers that are bot accounts, each once in a while."""

    def __init__(self, accounts: AccountStore) -> None:
        self._accounts = accounts
        self._known: OrderedDict[str, tuple[float, int | None]] = OrderedDict()

    async def confirm(self, caller: Caller) -> None:
        """Raises ApiError (TOKEN_REVOKED) where the caller is a bot account whose token is good no more."""
        if caller.player.kind != PLAYER_KIND_BOT_ACCOUNT:
            return
        account, now = caller.player.id, time.monotonic()
        asked, generation = self._known.get(account, (0.0, None))
        if generation != caller.generation or now - asked > CHECK_SECONDS:
            generation = await self._accounts.generation(account)
            self._known[account] = (now, generation)
            self._known.move_to_end(account)
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        if generation != caller.generation:
            raise errors.unauthenticated("TOKEN_REVOKED", "this token was revoked by the owner of the bot account")


def account_store(redis: Redis, settings: Settings) -> AccountStore:
    """The bot accounts, kept as the settings say."""
    return AccountStore(redis, ttl_ms=int(settings.bot_token_days * 86_400_000))


def player_of(account: StoredAccount) -> Player:
    """A bot account as a player."""
    return Player(id=account.id, name=account.name, kind=PLAYER_KIND_BOT_ACCOUNT, owner=account.owner)


def shown(account: StoredAccount) -> BotAccount:
    """A bot account as others may see it."""
    message = BotAccount(player=player_of(account), tables=account.tables)
    message.create_time.FromMilliseconds(account.created_ms)
    if account.announcement is not None:
        takes = account.announcement
        message.announcement.CopyFrom(BotAnnouncement(game_ids=takes.game_ids, max_tables=takes.max_tables))
    return message
