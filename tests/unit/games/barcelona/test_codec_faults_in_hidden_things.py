"""What nobody sees of a position of Barcelona, with one fault: refused by its field."""

from __future__ import annotations

import pytest

from tests.unit.games.barcelona.support_codec import (
    CODEC,
    Spoil,
    citizens,
    copied,
    first,
    gaudis_turn,
    middle,
    put,
    refusal,
    swap,
)

HIDDEN_FAULTS: dict[str, tuple[str, Spoil]] = {
    "another game": ("barcelona", lambda m: m.ClearField("barcelona")),
    "no seed": ("chance.seed", lambda m: m.chance.ClearField("seed")),
    "a hand missing": ("barcelona.hands", lambda m: m.barcelona.hands.pop()),
    "a citizen missing": (
        "barcelona.hands",
        lambda m: first(m.barcelona.hands, lambda h: h.citizens).citizens.pop(),
    ),
    "an unknown citizen": ("barcelona.bag[0]", lambda m: put("bag", 0, 0)(m.barcelona)),
    "a citizen too many": ("barcelona.bag", lambda m: m.barcelona.bag.append(1)),
    "a citizen of another class": (
        "barcelona.bag",
        lambda m: put("bag", 0, m.barcelona.bag[0] % 3 + 1)(m.barcelona),
    ),
    "a tile missing": ("barcelona.modernisme_stack", lambda m: m.barcelona.modernisme_stack.pop()),
    "a tile unheard of": (
        "barcelona.modernisme_stack[0]",
        lambda m: put("modernisme_stack", 0, "NAP")(m.barcelona),
    ),
    "a tile shown already": (
        "barcelona.modernisme_stack",
        lambda m: put("modernisme_stack", 0, m.barcelona.position.display.modernisme[0])(m.barcelona),
    ),
}


@pytest.mark.parametrize("name", HIDDEN_FAULTS)
def test_hidden_things_with_a_fault_are_refused_by_its_field(name: str) -> None:
    field, spoil = HIDDEN_FAULTS[name]
    message = copied(middle())
    spoil(message)
    assert refusal(CODEC.state_from, message).field.startswith(field)


SOLO_HIDDEN_FAULTS: dict[str, tuple[str, Spoil]] = {
    "a card missing": ("barcelona.deck", lambda m: m.deck.pop()),
    "no deck": ("barcelona.deck", lambda m: m.ClearField("deck")),
    "a card unheard of": ("barcelona.deck[0]", put("deck", 0, 9)),
    "an unknown card": ("barcelona.deck[0]", put("deck", 0, 0)),
    "a card twice": ("barcelona.deck", lambda m: put("deck", 0, m.deck[1])(m)),
    "a card turned up already": ("barcelona.deck", lambda m: put("deck", 0, m.position.gaudi.discards[0])(m)),
    "another next card": ("barcelona.deck[", lambda m: swap(m.deck, 0, -1)),
    "citizens in Gaudí's hand": ("barcelona.hands[1]", lambda m: m.hands[1].citizens.extend(citizens(1, 2))),
}


@pytest.mark.parametrize("name", SOLO_HIDDEN_FAULTS)
def test_hidden_things_of_solo_with_a_fault_are_refused_by_its_field(name: str) -> None:
    field, spoil = SOLO_HIDDEN_FAULTS[name]
    message = copied(gaudis_turn())
    spoil(message.barcelona)
    assert refusal(CODEC.state_from, message).field.startswith(field)


def test_without_gaudi_there_is_no_deck() -> None:
    message = copied(middle())
    message.barcelona.deck.append(1)
    assert refusal(CODEC.state_from, message).field == "barcelona.deck"
