"""The greedy bot of Agora: what it keeps of districts that a move leaves alone is what it would find there anew."""

from __future__ import annotations

from random import Random

import pytest

from boardgamesbot.games import registry
from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.moves import Kind
from boardgamesbot.games.agora.state import AgoraState
from boardgamesbot.games.chance import ChanceStream
from boardgamesbot.players import greedy_agora
from boardgamesbot.players.greedy_agora import Worth


def positions() -> list[AgoraState]:
    """Those of a random game of four where somebody is to walk for the first time in a turn."""
    game, rng = registry.game("agora"), Random(3)
    state, _ = game.new(4, game.complete_options({}), ChanceStream(bytes(32)))
    found = []
    while not state.is_over:
        assert isinstance(state, AgoraState)
        legal = state.legal_moves()
        if state.first_walk is None and moves.parts(legal[0]).kind is Kind.WALK:
            found.append(state.copy())
        state.apply(rng.choice(legal))
    return found


def test_walks_are_worth_what_they_lead_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lead is as safe after the walks as it is before them, although a turn may be over by then."""
    monkeypatch.setattr(greedy_agora, "_margin_needed", lambda _: 4.0)
    found = positions()
    assert len(found) > 20
    for state in found[::3]:
        seat = state.actor
        assert seat is not None
        worth = Worth(state, seat)
        for first in state.legal_moves()[::5]:
            after = state.copy()
            after.apply(first)
            walked = [Worth(after, seat).standing()]
            for second in after.legal_moves()[:12]:
                twice = after.copy()
                twice.apply(second)
                walked.append(Worth(twice, seat).standing())
            assert worth.of(first) == max(walked)
