"""Events of Barcelona in sentences."""

from __future__ import annotations

import dataclasses
import inspect
from random import Random
from typing import Any

import pytest
from rich.markup import render

from boardgamesbot.games.barcelona import events as ev
from boardgamesbot.games.barcelona.geometry import at, horizontal, vertical
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.base import Event
from tests.support.barcelona import MIDDLE, UPPER, WORKING
from tests.unit.games.barcelona.support_words import EXPANSION, NAMES, WORDS, new

EVENTS: tuple[Event, ...] = (
    ev.TurnBegan(1, 3),
    ev.Placed(1, at(2, 1), WORKING, UPPER),
    ev.NowhereToPlace(1, (WORKING, UPPER)),
    ev.ActionTaken(1, 2, 0, ridden=False),
    ev.Scored(1, 1, ev.Reason.RUN),
    ev.Gained(1, 2, 1, ev.Reason.SIDEWALK),
    ev.Paid(1, 0, 2),
    ev.Kept(1, 3, 1),
    ev.Advanced(1, ev.Track.CERDA, -2, 3, ev.Reason.BUILDING),
    ev.StreetBuilt(1, horizontal(1, 1), 2, 0),
    ev.StackEmptied(1, ev.Pieces.WIDE, 0),
    ev.IntersectionBuilt(1, at(2, 1)),
    ev.TramMoved(1, vertical(0, 3), entered=True),
    ev.PassengerPlaced(1, vertical(0, 3)),
    ev.CobblestonePlaced(1, 7),
    ev.ServiceBuilt(1, 2, 0, 1),
    ev.ModernismeTaken(1, 5, 0, 3),
    ev.ModernismeShown(5, 0),
    ev.ProjectImproved(1, 3),
    ev.SagradaTaken(1, 0, 0),
    ev.Built(1, 0, 1, (at(0, 0), at(1, 1)), (MIDDLE, WORKING)),
    ev.MarkerPlaced(1, 0, 3),
    ev.RowBonusTaken(1, 0),
    ev.CitizenTracked(1, MIDDLE, 6),
    ev.CerdaScored(0, 5, (4, 2), (1, 3)),
    ev.EndBegan(bag_empty=True),
    ev.Stepped(1, 0, 2),
    ev.JoyGained(1, 1, 4, ev.Reason.MEETING),
    ev.Arrived(1, 0, 5),
    ev.WentBack(1, 0),
    ev.HexagonPlaced(1, 4, 1, 3),
    ev.Declined(1, Kind.PASSENGER),
    ev.CardRevealed(1, 2, 1),
    ev.DeckShuffled(1),
    ev.GaudiActed(1, 9),
    ev.GaudiGained(1, 2, 4, ev.Reason.ICON),
    ev.GaudiChose(1, ev.Matter.MEEPLE, at(2, 1), (at(1, 1), at(2, 1)), ev.Criterion.BEST_BUILDING, 1),
    ev.Drew(1, (0, 0)),
    ev.Ended((90, 80), (1, 2), (0, 2), (10, 0), (0, 3), (0,)),
)
SAID = {
    ev.TurnBegan: "Ada began a turn (round 3)",
    ev.Placed: "Ada placed citizens on C2: Upper on top of Working",
    ev.NowhereToPlace: "Ada found no empty intersection: Working and Upper left the game",
    ev.ActionTaken: "Ada took Coins at street C",
    ev.Scored: "Ada scored 1 point for the run of streets",
    ev.Gained: "Ada gained 2 coins and 1 cloth from the Sidewalk",
    ev.Paid: "Ada paid 2 cloth",
    ev.Kept: "Ada had no room for everything and kept 3 coins and 1 cloth",
    ev.Advanced: "Ada went back 2 steps on the Cerdà track to 3 for the building",
    ev.StreetBuilt: "Ada built a wide street on B2-C2 from stack 1",
    ev.StackEmptied: "Ada emptied stack 1 of wide streets",
    ev.TramMoved: "Ada brought the tram into the city, to A4-A5",
    ev.Built: "Ada built a level 2 building on the block A1-B2, with Middle from A1 and Working from B2",
    ev.CerdaScored: "The Cerdà tile of the first section scored, 2 × wide streets: You 4 × 1 = 4, Ada 2 × 3 = 6",
    ev.Drew: "Ada drew 2 citizens",
    ev.HexagonPlaced: "Ada placed a hexagonal cobblestone on hexagonal space 5 (4 points): "
    "the middle violet one counted 3 times",
    ev.CardRevealed: "Ada turned up card 3: Improve a project, Wide street; the arrow points NE",
    ev.DeckShuffled: "Ada used up the deck and shuffled the 7 other cards into a new one",
    ev.GaudiActed: "Ada took the action Improve a project",
    ev.GaudiGained: "Ada gained 2 resources from the printed icons, worth 4 points",
    ev.GaudiChose: "Ada moved the meeple to C2: of 2 empty intersections in reach, "
    "it alone allows the best building (BA-G5)",
    ev.Ended: "The game is over. You won. Points: You 90 (at the end 1 point for cobblestones, 0 for passengers, "
    "10 for Modernisme, 0 for Joy); Ada 80 (at the end 2 points for cobblestones, 2 for passengers, "
    "0 for Modernisme, 3 for Joy)",
}
NOBODYS = (ev.ModernismeShown, ev.EndBegan)
"""Events that concern no player by name."""


def test_every_class_of_events_is_tried() -> None:
    classes = {kind for _, kind in inspect.getmembers(ev, inspect.isclass) if issubclass(kind, Event)} - {Event}
    assert {type(event) for event in EVENTS} == classes


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_is_a_sentence_that_names_its_player(event: Event) -> None:
    said = WORDS.event(event, ("You", "Ada"))
    assert render(said).plain == said
    if hasattr(event, "seat"):
        assert said.startswith("Ada ")
        changes: dict[str, Any] = {"seat": 0}
        mine = WORDS.event(dataclasses.replace(event, **changes), ("You", "Ada"))
        assert mine == "You" + said.removeprefix("Ada")
    elif not isinstance(event, NOBODYS):
        assert "You" in said
        assert "Ada" in said
    if type(event) in SAID:
        assert said == SAID[type(event)]


@pytest.mark.parametrize("options", [{}, EXPANSION], ids=["base", "expansion"])
def test_events_of_whole_games_are_said(options: dict[str, str]) -> None:
    rng = Random(2)
    for players in (2, 3, 4):
        state = new(players, 8, **options)
        while not state.is_over:
            for event in state.apply(rng.choice(state.legal_moves())):
                for seat in (None, *range(players)):
                    said = WORDS.event(event.seen_by(seat), NAMES[:players])
                    named = getattr(event, "seat", None)
                    assert named is None or said.startswith(NAMES[named])


def test_citizens_drawn_are_told_to_their_player_alone() -> None:
    drew = ev.Drew(0, (MIDDLE, UPPER))
    assert WORDS.event(drew.seen_by(0), NAMES) == "You drew Middle and Upper"
    assert WORDS.event(drew.seen_by(1), NAMES) == "You drew 2 citizens"
    assert WORDS.event(ev.Drew(0, ()), NAMES) == "You drew no citizens: the bag had too few"


def test_what_is_no_event_of_barcelona_is_not_said() -> None:
    with pytest.raises(TypeError, match="no event of Barcelona"):
        WORDS.event(Event(), NAMES)
