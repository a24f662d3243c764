"""Tokens: whoever has one is the player it names, until it expires, and nobody can make one without the key."""

from __future__ import annotations

import jwt
import pytest

from boardgamesbot.runtime.errors import ApiError
from boardgamesbot.runtime.keyring import Keyring, SigningKey
from boardgamesbot.runtime.tokens import Tokens, bot_player, new_guest
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT

KEY = b"a key of the tests, long enough to sign"


def reason_of(token: str, tokens: Tokens) -> str:
    with pytest.raises(ApiError) as caught:
        tokens.read(token)
    assert caught.value.code.name == "UNAUTHENTICATED"
    return caught.value.reason


def test_a_token_names_its_player() -> None:
    tokens = Tokens(KEY, 60)
    for player in (new_guest("Núria"), bot_player("greedy", "Greedy", "00abcdefghijklmn", "1")):
        assert tokens.read(tokens.issue(player)).player == player


def test_an_expired_token_says_so() -> None:
    assert reason_of(Tokens(KEY, -1).issue(new_guest("Ada")), Tokens(KEY, 60)) == "TOKEN_EXPIRED"


def test_a_token_of_another_key_is_refused() -> None:
    other = Tokens(b"another key of the tests, also long enough", 60)
    assert reason_of(other.issue(new_guest("Ada")), Tokens(KEY, 60)) == "TOKEN_INVALID"


@pytest.mark.parametrize("algorithm", ["none", "HS512"])
def test_a_token_of_another_algorithm_is_refused(algorithm: str) -> None:
    claims = {"aud": "boardgamesbot", "sub": "x", "name": "x", "kind": "guest", "iat": 0, "exp": 2**40}
    token = jwt.encode(claims, "" if algorithm == "none" else KEY.decode() * 3, algorithm=algorithm)
    assert reason_of(token, Tokens(KEY, 60)) == "TOKEN_INVALID"


@pytest.mark.parametrize("left_out", ["aud", "sub", "name", "kind", "iat", "exp"])
def test_a_token_that_says_too_little_is_refused(left_out: str) -> None:
    claims = {"aud": "boardgamesbot", "sub": "x", "name": "x", "kind": "guest", "iat": 0, "exp": 2**40}
    del claims[left_out]
    assert reason_of(jwt.encode(claims, KEY, algorithm="HS256"), Tokens(KEY, 60)) == "TOKEN_INVALID"


def test_the_platforms_own_bots_are_given_the_same_token_for_a_while() -> None:
    ring = Keyring([SigningKey("old", KEY)])
    tokens = Tokens(ring, 600)
    token = tokens.of_bot("bot-1", "greedy")
    caller = tokens.read(token)
    assert (caller.player.id, caller.player.bot, caller.player.kind) == ("bot-1", "greedy", PLAYER_KIND_BOT)
    assert tokens.of_bot("bot-1", "greedy") == token
    assert tokens.read(tokens.of_bot("bot-2", "greedy")).player.id == "bot-2"
    ring.replace([SigningKey("new", KEY[::-1]), SigningKey("old", KEY)])
    assert jwt.get_unverified_header(tokens.of_bot("bot-1", "greedy"))["kid"] == "new"


def test_a_bots_token_is_good_for_half_its_lifetime_when_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = Tokens(KEY, 600)
    for now in range(1_000_000_000, 1_000_001_000, 7):
        monkeypatch.setattr("time.time", lambda now=now: float(now))
        claims = jwt.decode(tokens.of_bot("bot-1", "greedy"), options={"verify_signature": False})
        assert 300 <= claims["exp"] - now <= 600


def test_guests_are_told_apart() -> None:
    assert new_guest("Ada").id != new_guest("Ada").id
