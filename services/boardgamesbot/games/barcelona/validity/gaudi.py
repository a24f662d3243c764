"""Whether what only Gaudí has, in a solo position that came from outside, can be so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona.gaudi import SEAT
from boardgamesbot.games.base import Malformed

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

_POSITION = "barcelona.position"
_GAUDI = f"{_POSITION}.gaudi"
_PLAYER = f"{_POSITION}.players[{SEAT}]"


def check_gaudi(state: BarcelonaState) -> None:
    """Raise Malformed unless cards, meeple and board of Gaudí are those of a solo game; its deck may be unknown."""
    if state.first == SEAT:
        raise Malformed(f"{_POSITION}.first_player", "must be the person's seat in solo play")
    _check_cards(state)
    if not _turns(state) and state.meeple != state.ruleset.gaudi.start:
        raise Malformed(f"{_GAUDI}.meeple", "must be where it begins, before Gaudí's first turn")
    _check_board(state)


def check_deck(state: BarcelonaState) -> None:
    """Raise Malformed unless the cards of a deck that is known are those that were not turned up."""
    if sorted([*state.deck, *state.discards]) != list(range(len(state.ruleset.gaudi.cards))):
        raise Malformed("barcelona.deck", "must hold the cards that lie nowhere else")


def are_tiles_of_solo(state: BarcelonaState, tiles: Sequence[int], of_players: Sequence[int]) -> bool:
    """Whether Sagrada Família tiles are those of a solo game: so many of each level of a game of players (BA-G1)."""
    if len(set(tiles)) != len(tiles) or not set(tiles) <= set(of_players):
        return False
    entries, most = state.ruleset.sagrada_tiles, state.ruleset.gaudi.tiles_a_level
    all_of_level = Counter(entries[tile].level for tile in of_players)
    wanted = {level: min(number, most) for level, number in all_of_level.items()}
    return Counter(entries[tile].level for tile in tiles) == wanted


def _turns(state: BarcelonaState) -> int:
    """How many turns Gaudí has had: his is the last of a round."""
    return state.round if state.over else state.round - 1


def _check_cards(state: BarcelonaState) -> None:
    """Each card is in one place, and one is turned up a turn; the last of the deck makes a new one (BA-G4)."""
    number, turns = len(state.ruleset.gaudi.cards), _turns(state)
    turned_up = (turns - 1) % (number - 1) + 1 if turns else 0
    if len(state.discards) != turned_up:
        raise Malformed(f"{_GAUDI}.discards", f"must be {turned_up} in this round, not {len(state.discards)}")
    for i, card in enumerate(state.discards):
        if card in state.discards[:i] or card == state.deck[-1]:
            raise Malformed(f"{_GAUDI}.discards[{i}]", "is elsewhere already")
    if len(state.deck) != number - turned_up:
        raise Malformed(f"{_GAUDI}.deck", f"must be {number - turned_up} cards, not {len(state.deck)}")


def _check_board(state: BarcelonaState) -> None:
    """Gaudí stores nothing, has no tram, and never turns his dice (BA-G1, BA-G2, BA-G12, BA-GA8)."""
    for name, stored in (("coins", state.coins), ("cloth", state.cloth)):
        if stored[SEAT]:
            raise Malformed(f"{_PLAYER}.{name}", "must be 0: Gaudí turns what he gains into points")
    if state.trams[SEAT] >= 0:
        raise Malformed(f"{_PLAYER}.tram", "must be 0: Gaudí has none in the city")
    die = state.ruleset.gaudi.dice[state.difficulty]
    for pedestrian in (0, 1) if state.expansion else ():
        if state.joy[2 * SEAT + pedestrian] != die:
            raise Malformed(f"{_PLAYER}.pedestrians[{pedestrian}].joy", f"must be {die} at this difficulty")
