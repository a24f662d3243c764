"""What a token is good for: which scope a method wants, and which a token has."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from boardgamesbot.v1.players_pb2 import (
    PLAYER_KIND_GUEST,
    TOKEN_SCOPE_MANAGE,
    TOKEN_SCOPE_PLAY,
    TOKEN_SCOPE_WATCH,
    PlayerKind,
    TokenScope,
)

Scopes = frozenset[TokenScope.ValueType]

NAMES: Mapping[TokenScope.ValueType, str] = {
    TOKEN_SCOPE_WATCH: "watch",
    TOKEN_SCOPE_PLAY: "play",
    TOKEN_SCOPE_MANAGE: "manage",
}
"""How scopes are written in tokens and refusals."""
BY_NAME = {name: scope for scope, name in NAMES.items()}

_API = "/boardgamesbot.v1."
_WATCHING = frozenset(
    _API + method
    for method in (
        "PlayerService/GetMe",
        "PlayerService/WatchMe",
        "TableService/ListTables",
        "TableService/GetTable",
        "TableService/GetTableByCode",
        "TableService/GetView",
        "TableService/ListLegalMoves",
        "TableService/Watch",
        "TableService/GetRecord",
        "BotService/ListBots",
        "MatchmakingService/ListQueues",
        "MatchmakingService/GetRating",
        "MatchmakingService/ListLeaderboard",
    )
)
"""Methods that change nothing and cost little."""
_MANAGING = frozenset(
    _API + f"PlayerService/{method}"
    for method in ("CreateBotAccount", "ListBotAccounts", "RenewBotToken", "DeleteBotAccount")
)
"""Methods that give away or end what belongs to the player."""


def wanted_by(method: str) -> TokenScope.ValueType:
    """The scope that a method wants, by its full name. One that nobody has named above wants the right to play."""
    if method in _WATCHING:
        return TOKEN_SCOPE_WATCH
    return TOKEN_SCOPE_MANAGE if method in _MANAGING else TOKEN_SCOPE_PLAY


def all_of(kind: PlayerKind.ValueType) -> Scopes:
    """What players of a kind may do at most."""
    everybody = frozenset((TOKEN_SCOPE_WATCH, TOKEN_SCOPE_PLAY))
    return everybody | {TOKEN_SCOPE_MANAGE} if kind == PLAYER_KIND_GUEST else everybody


def completed(scopes: Collection[TokenScope.ValueType]) -> Scopes:
    """These, and what goes with them: who may do something may look as well."""
    return frozenset((*scopes, TOKEN_SCOPE_WATCH))
