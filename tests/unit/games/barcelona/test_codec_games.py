"""Whole games of Barcelona as messages: options, effects and every position, there and back."""

from __future__ import annotations

import json
from itertools import product
from random import Random
from typing import Any

import pytest

from boardgamesbot.games.barcelona.counts import COUNTS
from boardgamesbot.games.barcelona.effects import Effects
from boardgamesbot.games.barcelona.proto.effects import effect_texts
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream
from boardgamesbot.v1 import games_pb2
from tests.unit.games.barcelona.support_codec import (
    CODEC,
    GAME,
    PLAYERS,
    SOLO,
    WITH,
    WITHOUT,
    by_chance,
    refusal,
    written,
)

ALL_OPTIONS = [
    dict(zip([option.name for option in GAME.options], names, strict=True))
    for names in product(*[[value.name for value in option.values] for option in GAME.options])
]


class TestOptions:
    def test_left_out_they_are_the_defaults(self) -> None:
        assert CODEC.options_from(games_pb2.GameOptions()) == ALL_OPTIONS[0]
        message = games_pb2.GameOptions()
        message.barcelona.SetInParent()
        assert CODEC.options_from(message) == ALL_OPTIONS[0]

    @pytest.mark.parametrize("options", ALL_OPTIONS)
    def test_there_and_back(self, options: dict[str, str]) -> None:
        assert CODEC.options_from(CODEC.options_to(options)) == options

    @pytest.mark.parametrize(("name", "number"), [("expansion", 3), ("actions", 9), ("solo", 5), ("solo_actions", 3)])
    def test_out_of_range(self, name: str, number: int) -> None:
        message = games_pb2.GameOptions()
        setattr(message.barcelona, name, number)
        assert refusal(CODEC.options_from, message).field == f"barcelona.{name}"


def test_effects_are_said_in_words_that_mean_them() -> None:
    """The words of an effect, read as those of a data file, are that effect again."""
    reader = Effects(tuple(COUNTS))
    texts = effect_texts(GAME.ruleset.nodes)
    assert len(set(texts)) == len(texts)
    for text in texts:
        made = reader.add(json.loads(text) if text[0] in "[{" else text, text)
        assert effect_texts(reader.nodes)[made] == text


@pytest.mark.parametrize("expansion", [WITHOUT, WITH])
@pytest.mark.parametrize(
    ("players", "solo"), [(2, PLAYERS), (3, PLAYERS), (4, PLAYERS), *((2, difficulty) for difficulty in SOLO)]
)
def test_every_position_of_a_game_there_and_back(players: int, solo: str, expansion: str) -> None:
    """States and views come back to the same bytes and the same legal moves."""
    for number, (state, _) in enumerate(by_chance(players, expansion, players + len(solo), solo)):
        document = written(CODEC.state_to(state))
        back = CODEC.state_from(games_pb2.GameState.FromString(document))
        assert written(CODEC.state_to(back)) == document
        assert back.legal_moves() == state.legal_moves()
        assert (back.actor, back.undoable) == (state.actor, state.undoable)
        seat = (None, *range(players))[number % (players + 1)]
        for reader in {seat, state.actor}:
            view = state.view(reader)
            document = written(CODEC.view_to(view))
            seen = CODEC.view_from(games_pb2.GameView.FromString(document))
            assert seen == view
            assert written(CODEC.view_to(seen)) == document
            assert seen.legal_moves() == view.legal_moves()
            assert (seen.seat, seen.actor, seen.undoable) == (view.seat, view.actor, view.undoable)


@pytest.mark.parametrize("expansion", [WITHOUT, WITH])
@pytest.mark.parametrize(("players", "solo"), [(3, PLAYERS), (2, "HARD")])
def test_a_game_goes_on_the_same_from_what_was_written(players: int, solo: str, expansion: str) -> None:
    """A game that is written down and read again before every move ends as one that never was."""
    rng = Random(8)
    options = GAME.complete_options({"expansion": expansion, "solo": solo})
    played, _ = GAME.new(players, options, ChanceStream(bytes(SEED_BYTES)))
    stored: Any = played.copy()
    while not played.over:
        move = rng.choice(played.legal_moves())
        stored = CODEC.state_from(CODEC.state_to(stored))
        assert stored.play(move) == played.apply(move)
    assert CODEC.state_to(stored) == CODEC.state_to(played)
