"""Keys that sign: one does, several are believed, and none is ever shown."""

from __future__ import annotations

import pytest

from boardgamesbot.runtime.errors import ApiError
from boardgamesbot.runtime.keyring import Keyring, SigningKey, parsed
from boardgamesbot.runtime.scopes import NAMES, wanted_by
from boardgamesbot.runtime.settings import BadSetting, Settings
from boardgamesbot.runtime.tokens import Tokens, new_guest
from boardgamesbot.v1 import bots_pb2, matchmaking_pb2, players_pb2, rules_pb2, tables_pb2
from boardgamesbot.v1.players_pb2 import TOKEN_SCOPE_MANAGE, TOKEN_SCOPE_PLAY, TOKEN_SCOPE_WATCH

OLD, NEW = (SigningKey(name, f"the {name} key of the tests, long enough".encode()) for name in ("old", "new"))


def refusal(tokens: Tokens, token: str) -> str:
    with pytest.raises(ApiError) as caught:
        tokens.read(token)
    return caught.value.reason


def test_a_key_is_changed_without_signing_anybody_out() -> None:
    ring = Keyring([OLD])
    tokens = Tokens(ring, 60)
    before = tokens.issue(new_guest("Ada"))
    ring.replace([NEW, OLD])
    after = tokens.issue(new_guest("Ben"))
    assert [tokens.read(token).player.name for token in (before, after)] == ["Ada", "Ben"]
    ring.replace([NEW])
    assert refusal(tokens, before) == "TOKEN_INVALID", "though it was read, and remembered as good, a moment ago"
    assert tokens.read(after).player.name == "Ben"


def test_a_token_of_before_there_were_ids_is_believed_as_long_as_its_key() -> None:
    token = Tokens(OLD.secret, 60).issue(new_guest("Ada"))
    assert Tokens(Keyring([NEW, OLD]), 60).read(token).player.name == "Ada"
    assert refusal(Tokens(Keyring([NEW]), 60), token) == "TOKEN_INVALID"


def test_a_token_that_names_another_key_than_it_is_signed_with_is_refused() -> None:
    pretended = SigningKey("new", OLD.secret)
    token = Tokens(Keyring([pretended]), 60).issue(new_guest("Ada"))
    assert refusal(Tokens(Keyring([NEW, OLD]), 60), token) == "TOKEN_INVALID"


def test_who_holds_a_stream_is_found_out_when_the_key_goes() -> None:
    ring = Keyring([OLD])
    tokens = Tokens(ring, 60)
    caller = tokens.read(tokens.issue(new_guest("Ada")))
    ring.replace([NEW, OLD])
    tokens.confirm(caller)
    ring.replace([NEW])
    with pytest.raises(ApiError, match="not one of this server's"):
        tokens.confirm(caller)


def test_keys_of_a_setting() -> None:
    keys = parsed(f" new:{'n' * 32} , old:{'o' * 40},")
    assert [(key.id, len(key.secret)) for key in keys] == [("new", 32), ("old", 40)]


@pytest.mark.parametrize(
    "setting", ["n" * 32, "new:short", f":{'n' * 32}", f"a b:{'n' * 32}", f"a:{'n' * 32},a:{'o' * 32}"]
)
def test_a_bad_setting_of_keys_is_refused_without_showing_any(setting: str) -> None:
    with pytest.raises(BadSetting) as caught:
        Settings(token_keys=setting)
    for secret in ("n" * 32, "o" * 32, "short"):
        assert secret not in str(caught.value)


def test_no_key_is_in_the_representation_of_anything() -> None:
    ring = Keyring([OLD])
    tokens = Tokens(ring, 60)
    caller = tokens.read(tokens.issue(new_guest("Ada")))
    for shown in (repr(OLD), repr(ring), repr(tokens), repr(caller)):
        assert "long enough" not in shown


def test_scopes() -> None:
    tokens = Tokens(OLD.secret, 60)

    def scopes_of(*wanted: players_pb2.TokenScope.ValueType) -> set[str]:
        return {NAMES[scope] for scope in tokens.read(tokens.issue(new_guest("Ada"), wanted)).scopes}

    assert scopes_of() == {"watch", "play", "manage"}
    assert scopes_of(TOKEN_SCOPE_WATCH) == {"watch"}
    assert scopes_of(TOKEN_SCOPE_PLAY) == {"watch", "play"}
    assert scopes_of(TOKEN_SCOPE_MANAGE) == {"watch", "manage"}


def test_a_token_gives_nobody_more_than_their_kind_may_do() -> None:
    tokens = Tokens(OLD.secret, 60)
    bot = players_pb2.Player(id="account-a", name="A", kind=players_pb2.PLAYER_KIND_BOT_ACCOUNT, owner="guest-b")
    assert TOKEN_SCOPE_MANAGE not in tokens.read(tokens.issue_to_account(bot, 1, 60)).scopes


def test_methods_that_change_something_want_more_than_watching() -> None:
    files = (tables_pb2, players_pb2, bots_pb2, matchmaking_pb2, rules_pb2)
    services = [service for file in files for service in file.DESCRIPTOR.services_by_name.values()]
    by_scope: dict[str, set[str]] = {}
    for service in services:
        for method in service.methods:
            scope = NAMES[wanted_by(f"/{service.full_name}/{method.name}")]
            by_scope.setdefault(scope, set()).add(method.name)
    reading = ("Get", "List", "Watch")
    assert all(name.startswith(reading) for name in by_scope["watch"])
    assert {"SubmitMove", "UndoMove", "TakeSeat", "CreateTable", "SeatBot", "CreateTicket", "RunOut", "OpenTable"} <= (
        by_scope["play"]
    )
    assert by_scope["manage"] == {"CreateBotAccount", "ListBotAccounts", "RenewBotToken", "DeleteBotAccount"}
    assert wanted_by("/boardgamesbot.v1.TableService/SomethingNew") == TOKEN_SCOPE_PLAY
