"""Gaudí's part of a position as a message, and back. His cards count from 1; 0 is one that the reader may not know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from boardgamesbot.games.barcelona.geometry import INTERSECTIONS
from boardgamesbot.games.barcelona.proto.fields import so_many, within
from boardgamesbot.games.base import Malformed
from boardgamesbot.v1 import barcelona_pb2 as pb

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

_UNKNOWN = 0


def cards_to(cards: Iterable[int]) -> list[int]:
    """Cards as a person counts them."""
    return [card + 1 for card in cards]


def gaudi_to(state: BarcelonaState) -> pb.BarcelonaGaudi:
    """What everybody may know: of the deck only the card whose back is in sight."""
    arrow = state.ruleset.gaudi.cards[state.deck[-1]].arrow
    return pb.BarcelonaGaudi(
        deck=[_UNKNOWN] * (len(state.deck) - 1) + cards_to(state.deck[-1:]),
        discards=cards_to(state.discards),
        arrow=cast("pb.BarcelonaArrow.ValueType", arrow + 1),
        meeple=state.meeple + 1,
    )


def read_gaudi(state: BarcelonaState, message: pb.BarcelonaGaudi, where: str) -> None:
    """Read cards, arrow and meeple into a state; the cards beneath the next one are unknown."""
    cards = state.ruleset.gaudi.cards
    if not 1 <= len(message.deck) <= len(cards):
        raise Malformed(f"{where}.deck", f"must be 1 to {len(cards)} cards, not {len(message.deck)}")
    last = len(message.deck) - 1
    for i, card in enumerate(message.deck[:last]):
        within(card, _UNKNOWN, _UNKNOWN, f"{where}.deck[{i}]")
    state.deck = [-1] * last + [within(message.deck[last], 1, len(cards), f"{where}.deck[{last}]") - 1]
    state.discards = _read_cards(state, message.discards, f"{where}.discards")
    shown = cards[state.deck[-1]].arrow + 1
    if message.arrow != shown:
        name = pb.BarcelonaArrow.Name(cast("pb.BarcelonaArrow.ValueType", shown))
        raise Malformed(f"{where}.arrow", f"must be {name}, as on the next card's back")
    state.meeple = within(message.meeple, 1, INTERSECTIONS, f"{where}.meeple") - 1


def read_deck(state: BarcelonaState, cards: Sequence[int], where: str) -> list[int]:
    """The whole deck of a state whose public part has been read; none without Gaudí."""
    so_many(cards, len(state.deck), where)
    deck = _read_cards(state, cards, where)
    if deck[-1:] != state.deck[-1:]:
        raise Malformed(f"{where}[{len(deck) - 1}]", "must be the card whose back is in sight")
    return deck


def _read_cards(state: BarcelonaState, cards: Sequence[int], where: str) -> list[int]:
    last = len(state.ruleset.gaudi.cards)
    if len(cards) > last:
        raise Malformed(where, f"must be at most {last} cards, not {len(cards)}")
    return [within(card, 1, last, f"{where}[{i}]") - 1 for i, card in enumerate(cards)]
