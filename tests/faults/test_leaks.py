"""Nobody is told what they must not know: a few games of the long search for secrets, and proof that it finds one."""

from __future__ import annotations

from base64 import b64encode

import pytest

from boardgamesbot.games import registry
from boardgamesbot.games.agora.state import AgoraState
from boardgamesbot.games.base import IllegalMove
from boardgamesbot.games.chance import ChanceStream
from tests.faults.leaks import Found, in_process, one_game, over_the_network
from tests.support.scan import hidden, of_order, of_secret_bytes

QUICK = (0, 1, 5)
LONG_GAMES, NETWORK_GAMES = 1000, 20


def test_in_some_games_of_every_kind_nothing_is_told() -> None:
    found = Found()
    in_process(QUICK, found)
    assert found.games == len(QUICK)
    assert found.swaps > len(QUICK)
    assert found.scanned > 1_000_000
    assert not found.leaks, found.leaks[:10]


@pytest.mark.long
@pytest.mark.timeout(7200)
async def test_in_a_thousand_games_nothing_is_told_in_process_or_over_any_wire() -> None:
    found = Found()
    in_process(range(LONG_GAMES), found)
    await over_the_network(NETWORK_GAMES, found)
    assert found.games == LONG_GAMES + 2 * NETWORK_GAMES
    assert not found.leaks, found.leaks[:10]


def test_a_refusal_that_names_what_is_hidden_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of looking find it: the bytes are there, and they change with what is hidden."""
    codec = registry.codec("agora")
    rule = next(iter(codec.game.rules.values()))

    def says_too_much(state: AgoraState, move: int) -> None:
        whole = state.copy()
        whole.chance = ChanceStream(bytes(32))
        pile = list(codec.state_to(whole).agora.piles[0].squares)
        raise IllegalMove(rule, f"not while the pile is {pile}")

    monkeypatch.setattr(AgoraState, "check", says_too_much)
    found = Found()
    one_game(0, found)
    assert any("pile 0" in leak for leak in found.leaks)
    assert any("otherwise" in leak for leak in found.leaks)


def test_a_view_of_another_seat_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = AgoraState.view
    monkeypatch.setattr(AgoraState, "view", lambda state, _: seen(state, 0))
    found = Found()
    one_game(0, found)
    assert any("the hand of seat 0" in leak for leak in found.leaks)


SEED = bytes(range(100, 132))


@pytest.mark.parametrize(
    "written", [SEED, SEED.hex().encode(), SEED.hex().upper().encode(), b64encode(b"x" + SEED), b64encode(SEED)]
)
def test_a_seed_is_found_however_it_is_written(written: bytes) -> None:
    found = Found()
    found.scan("a log", b"something " + written + b" else", of_secret_bytes("the seed", SEED))
    assert found.leaks
    found = Found()
    found.scan("a log", b"nothing of the kind" * 100, of_secret_bytes("the seed", SEED))
    assert not found.leaks


def test_the_order_of_a_pile_is_found_in_messages_and_in_words() -> None:
    state, _ = (game := registry.game("agora")).new(3, game.complete_options({}), ChanceStream(bytes(32)))
    nobody, own = hidden("agora", state)
    message = registry.codec("agora").state_to(state)
    for data in (message.SerializeToString(), str(list(message.agora.piles[0].squares)).encode()):
        found = Found()
        found.scan("a snapshot", data, nobody)
        assert any("pile 0" in leak for leak in found.leaks)
    assert set(own) == {0, 1, 2}
    assert of_order("nothing", [1, 2, 3], 4) == []
