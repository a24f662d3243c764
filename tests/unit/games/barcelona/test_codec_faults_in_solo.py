"""Positions of a game against Gaudí with one fault: refused by its field, in states and in views."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.chance import SEED_BYTES, ChanceStream
from tests.unit.games.barcelona.support_codec import (
    CODEC,
    GAME,
    IDS,
    WITHOUT,
    Spoil,
    copied,
    first,
    gaudis_turn,
    positions,
    put,
    put_task,
    refusal,
    set_to,
    swap,
    task_kind,
)


def _add_tile(left: Any, players: Any) -> None:
    """A tile of the set-up that had been taken out of the game."""
    there = {*left, *(tile for player in players for tile in player.sagrada_tiles)}
    left[:] = sorted([*left, first(IDS["sagrada"], lambda tile: tile not in there)], key=IDS["sagrada"].index)


SOLO_FAULTS: dict[str, tuple[str, Spoil]] = {
    "three at a table with Gaudí": ("players", lambda p: p.players.add()),
    "Gaudí alone": ("players", lambda p: p.players.pop()),
    "no cards": ("gaudi", lambda p: p.ClearField("gaudi")),
    "cards without Gaudí": ("gaudi", lambda p: set_to(solo=1)(p.options)),
    "Gaudí as the first player": ("first_player", set_to(first_player=1)),
    "no deck": ("gaudi.deck", lambda p: p.gaudi.ClearField("deck")),
    "a deck of nine": ("gaudi.deck", lambda p: p.gaudi.deck.extend([1] * (9 - len(p.gaudi.deck)))),
    "a card that should not be known": ("gaudi.deck[0]", lambda p: put("deck", 0, 1)(p.gaudi)),
    "a next card that is not known": ("gaudi.deck[", lambda p: put("deck", -1, 0)(p.gaudi)),
    "a next card that there is not": ("gaudi.deck[", lambda p: put("deck", -1, 9)(p.gaudi)),
    "a card lost": ("gaudi.deck", lambda p: p.gaudi.deck.__delitem__(0)),
    "a card too many": ("gaudi.deck", lambda p: p.gaudi.deck.insert(0, 0)),
    "an arrow of another card": ("gaudi.arrow", lambda p: set_to(arrow=p.gaudi.arrow % 8 + 1)(p.gaudi)),
    "no arrow": ("gaudi.arrow", lambda p: p.gaudi.ClearField("arrow")),
    "a card turned up twice": ("gaudi.discards[1]", lambda p: put("discards", 1, p.gaudi.discards[0])(p.gaudi)),
    "the next card turned up": ("gaudi.discards[0]", lambda p: put("discards", 0, p.gaudi.deck[-1])(p.gaudi)),
    "a card unheard of": ("gaudi.discards[0]", lambda p: put("discards", 0, 0)(p.gaudi)),
    "a card turned back": ("gaudi.discards", lambda p: (p.gaudi.discards.pop(), p.gaudi.deck.insert(0, 0))),
    "a thousand cards": ("gaudi.discards", lambda p: p.gaudi.discards.extend([1] * 1000)),
    "no meeple": ("gaudi.meeple", lambda p: p.gaudi.ClearField("meeple")),
    "a meeple off the map": ("gaudi.meeple", lambda p: set_to(meeple=26)(p.gaudi)),
    "coins of Gaudí": ("players[1].coins", lambda p: set_to(coins=1)(p.players[1])),
    "cloth of Gaudí": ("players[1].cloth", lambda p: set_to(cloth=1)(p.players[1])),
    "a tram of Gaudí": ("players[1].tram", lambda p: set_to(tram=1)(p.players[1])),
    "a hand of Gaudí": ("players[1].hand", lambda p: set_to(hand=2)(p.players[1])),
    "a die turned": ("players[1].pedestrians[1].joy", lambda p: set_to(joy=6)(p.players[1].pedestrians[1])),
    "a die that lost Joy": ("players[1].pedestrians[0].joy", lambda p: set_to(joy=4)(p.players[1].pedestrians[0])),
    "another difficulty": ("players[1].pedestrians[0].joy", lambda p: set_to(solo=4)(p.options)),
    "a Pedestrian of Gaudí that stays": (
        "players[1].pedestrians[0].step",
        lambda p: set_to(step=4)(p.players[1].pedestrians[0]),
    ),
    "a fourth Sagrada tile of a level": ("display.sagrada", lambda p: _add_tile(p.display.sagrada, p.players)),
    "a Sagrada tile lost": ("display.sagrada", lambda p: p.display.sagrada.pop()),
    "a Sagrada tile twice": ("display.sagrada[1]", lambda p: put("sagrada", 1, p.display.sagrada[0])(p.display)),
    "a Sagrada tile that Gaudí has": (
        "display.sagrada",
        lambda p: put("sagrada", 0, first(p.players, lambda q: q.sagrada_tiles).sagrada_tiles[0])(p.display),
    ),
    "Sagrada tiles out of order": ("display.sagrada", lambda p: swap(p.display.sagrada, 0, 1)),
    "a turn as a person's": ("tasks", lambda p: put_task(p, 2, "BUILD")),
    "a turn half done": ("tasks", lambda p: p.tasks.add(kind=task_kind("SERVICE"))),
    "Gaudí's turn for the person": ("tasks", set_to(seat=0)),
    "a turn of Gaudí's to take back": ("undoable", set_to(undoable=True)),
    "a round too many": ("gaudi.discards", lambda p: set_to(round=p.round + 1)(p)),
    "over before its time": ("gaudi.discards", lambda p: (p.ClearField("tasks"), set_to(is_over=True)(p))),
}
SOLO_IN_STATES = {
    "a deck of nine": "barcelona.position.gaudi.deck",
    "a card lost": "barcelona.deck",
    "a card too many": "barcelona.deck",
    "a card turned back": "barcelona.deck",
}
SOLO_IN_VIEWS = {
    "Gaudí's turn for the person": "barcelona.actor",
    "over before its time": "barcelona.actor",
}


@pytest.mark.parametrize("name", SOLO_FAULTS)
def test_a_solo_state_with_a_fault_is_refused_by_its_field(name: str) -> None:
    field, spoil = SOLO_FAULTS[name]
    message = copied(gaudis_turn())
    CODEC.state_from(message)
    spoil(message.barcelona.position)
    assert refusal(CODEC.state_from, message).field.startswith(SOLO_IN_STATES.get(name, f"barcelona.position.{field}"))


@pytest.mark.parametrize("reader", [None, 0, 1])
@pytest.mark.parametrize("name", SOLO_FAULTS)
def test_a_view_of_a_solo_position_with_a_fault_is_refused_by_its_field(name: str, reader: int | None) -> None:
    field, spoil = SOLO_FAULTS[name]
    message = CODEC.view_to(gaudis_turn().view(reader))
    CODEC.view_from(message)
    spoil(message.barcelona.position)
    assert refusal(CODEC.view_from, message).field.startswith(SOLO_IN_VIEWS.get(name, f"barcelona.position.{field}"))


def test_gaudis_meeple_begins_in_its_place() -> None:
    message = copied(positions(2, WITHOUT, "EASY")[0])
    assert message.barcelona.position.gaudi.meeple == GAME.ruleset.gaudi.start + 1
    message.barcelona.position.gaudi.meeple = 1
    assert refusal(CODEC.state_from, message).field == "barcelona.position.gaudi.meeple"


@cache
def solo_ends() -> list[BarcelonaState]:
    """The last positions of solo games in which the person takes what comes first, so that the bag may run low."""
    ends = []
    for seed in range(30):
        chance = ChanceStream(Random(seed).randbytes(SEED_BYTES))
        state, _ = GAME.new(2, GAME.complete_options({"solo": "EASY"}), chance)
        while not state.over:
            state.advance(state.legal_moves()[0])
        ends.append(state)
    return ends


def _placed(state: BarcelonaState) -> int:
    """Citizens that were ever placed."""
    return sum(state.track) + sum(state.box) + sum((stack & 3 > 0) + (stack > 3) for stack in state.citizens)


def test_gaudi_may_have_found_too_few_citizens_at_the_end() -> None:
    state = first(solo_ends(), lambda state: _placed(state) < 4 * state.round)
    assert len(state.bag) < 2
    assert CODEC.state_from(copied(state)).is_over


def test_gaudi_places_citizens_as_long_as_there_are_some() -> None:
    """At the end of a game there can't be two less on the board with two more in the bag."""
    state = first(solo_ends(), lambda state: len(state.bag) > 1 and any(stack > 3 for stack in state.citizens))
    message = copied(state)
    assert CODEC.state_from(message).is_over
    stack = first(message.barcelona.position.board.intersections, lambda intersection: intersection.bottom)
    message.barcelona.bag.extend([stack.top, stack.bottom])
    message.barcelona.position.board.bag += 2
    stack.ClearField("top")
    stack.ClearField("bottom")
    assert refusal(CODEC.state_from, message).field == "barcelona.position.round"
