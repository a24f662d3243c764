"""Views of Barcelona as messages: what a reader is told, what not, and what can't have been seen."""

from __future__ import annotations

import pytest

from boardgamesbot.games.barcelona import events as ev
from boardgamesbot.games.barcelona import moves
from boardgamesbot.games.barcelona.geometry import street_of
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.v1 import barcelona_pb2 as pb
from boardgamesbot.v1 import games_pb2
from tests.unit.games.barcelona.support_codec import (
    CODEC,
    GAME,
    IDS,
    Spoil,
    asked,
    first,
    gaudis_turn,
    positions,
    put,
    refusal,
    set_to,
    task_kind,
    written,
)


def test_a_view_says_nothing_of_hidden_things() -> None:
    """Whatever lies in other hands, the bag and the stack: the reader is told the same."""
    state = asked(Do.PLACE)
    reader = (state.seat + 1) % state.players
    other = state.copy()
    other.hands[state.seat], other.bag = other.bag[:2], [*other.bag[2:], *other.hands[state.seat]]
    other.bag.reverse()
    other.modernisme_stack.reverse()
    assert CODEC.state_to(state) != CODEC.state_to(other)
    assert CODEC.view_to(state.view(reader)) == CODEC.view_to(other.view(reader))


@pytest.mark.parametrize("reader", [None, 0, 1])
def test_a_view_says_nothing_of_the_deck_but_its_top_card(reader: int | None) -> None:
    state = gaudis_turn()
    other = state.copy()
    other.deck[:-1] = [*state.deck[1:-1], state.deck[0]]
    assert CODEC.state_to(state) != CODEC.state_to(other)
    message = CODEC.view_to(state.view(reader))
    assert message == CODEC.view_to(other.view(reader))
    gaudi, top = message.barcelona.position.gaudi, state.deck[-1]
    assert list(gaudi.deck) == [0] * (len(state.deck) - 1) + [top + 1]
    assert list(gaudi.discards) == [card + 1 for card in state.discards]
    assert gaudi.arrow == GAME.ruleset.gaudi.cards[top].arrow + 1
    assert gaudi.meeple == state.meeple + 1
    assert list(message.barcelona.unseen_cards) == sorted(card + 1 for card in state.deck[:-1])


def test_a_view_of_gaudis_turn_names_the_actions_of_his_card() -> None:
    state = gaudis_turn().copy()
    decision = CODEC.view_to(state.view(0)).barcelona.decision
    assert decision.task == pb.BarcelonaTask(kind=task_kind("GAUDI"))
    events = state.play(moves.GAUDI)
    card = first(events, lambda event: isinstance(event, ev.CardRevealed)).card
    assert list(decision.actions) == [IDS["actions"][action] for action in GAME.ruleset.gaudi.cards[card].actions]


def test_without_gaudi_nothing_is_said_of_him() -> None:
    state = asked(Do.PLACE, players=2)
    message = CODEC.view_to(state.view(0)).barcelona
    assert not message.position.HasField("gaudi")
    assert not message.unseen_cards
    assert not CODEC.state_to(state).barcelona.deck


def test_a_view_names_what_is_decided() -> None:
    state = asked(Do.ACTIONS)
    decision = CODEC.view_to(state.view(state.seat)).barcelona.decision
    assert decision.task.kind == pb.BARCELONA_TASK_KIND_ACTIONS
    assert decision.task.intersection == state.task[1] + 1
    streets = [street for street in range(11) if state.task[2] >> street & 1]
    assert list(decision.task.streets) == [street + 1 for street in streets]
    assert list(decision.actions) == [IDS["actions"][state.slots[street]] for street in streets]
    ride = asked(Do.RIDE)
    street = street_of(ride.task[1])
    decision = CODEC.view_to(ride.view(None)).barcelona.decision
    assert list(decision.actions) == [IDS["actions"][ride.slots[street]]]
    choice = asked(Do.PARTS)
    decision = CODEC.view_to(choice.view(None)).barcelona.decision
    kids = choice.ruleset.nodes[choice.task[1]].kids
    assert list(decision.effects) == [IDS["effects"][kid] for kid in kids]
    assert decision.task.reason == choice.task[2]


def test_what_a_view_adds_follows_from_the_rest() -> None:
    """Only seat, actor, position and hand are read: the rest is worked out anew."""
    state = asked(Do.ACTIONS)
    message = CODEC.view_to(state.view(1))
    expected = games_pb2.GameView.FromString(written(message))
    for name in ("decision", "points", "unseen_citizens", "unseen_modernisme", "unseen_cards"):
        message.barcelona.ClearField(name)
    assert CODEC.view_to(CODEC.view_from(message)) == expected
    assert list(expected.barcelona.points) == state.scores()
    assert sorted(IDS["scorings"].index(tile) for tile in expected.barcelona.unseen_modernisme) == sorted(
        state.modernisme_stack
    )


@pytest.mark.parametrize(
    ("field", "spoil"),
    [
        ("seat", set_to(seat=3)),
        ("seat", set_to(seat=-1)),
        ("actor", set_to(actor=3)),
        ("actor", lambda v: v.ClearField("actor")),
        ("actor", lambda v: set_to(actor=(v.actor + 1) % 3)(v)),
        ("hand", lambda v: v.hand.pop()),
        ("hand", lambda v: v.hand.append(1)),
        ("hand", lambda v: v.ClearField("seat")),
        ("hand[0]", put("hand", 0, 0)),
        ("hand[1]", put("hand", 1, 4)),
    ],
)
def test_a_view_with_a_fault_is_refused_by_its_field(field: str, spoil: Spoil) -> None:
    state = asked(Do.PLACE)
    message = CODEC.view_to(state.view(state.seat))
    spoil(message.barcelona)
    assert refusal(CODEC.view_from, message).field == f"barcelona.{field}"


def test_a_view_can_not_hold_citizens_that_are_elsewhere() -> None:
    """The upper class is used up, but for one: nobody holds two of them."""
    for state in reversed(positions()):
        view = state.view(state.seat)
        assert isinstance(view, BarcelonaView)
        left = view.unseen_citizens() + view.hand
        scarce = next((citizen for citizen in (1, 2, 3) if left.count(citizen) < 2), None)
        if scarce and not state.over and state.task[0] == Do.PLACE:
            break
    else:
        raise AssertionError("no such position in these games")
    message = CODEC.view_to(view)
    message.barcelona.hand[:] = [scarce, scarce]  # type: ignore[list-item]
    assert refusal(CODEC.view_from, message).field == "barcelona.hand"
