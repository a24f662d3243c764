"""What all see of a position of Barcelona, with one fault: refused by its field, in states and in views."""

from __future__ import annotations

from typing import Any

import pytest

from boardgamesbot.v1 import barcelona_pb2 as pb
from tests.unit.games.barcelona.support_codec import (
    CODEC,
    GAME,
    IDS,
    Spoil,
    copied,
    first,
    middle,
    positions,
    put,
    put_task,
    refusal,
    set_to,
    swap,
    task_kind,
    written,
)


def _without_passeig(position: Any) -> None:
    position.options.ClearField("expansion")
    position.ClearField("passeig")
    for player in position.players:
        player.ClearField("pedestrians")


def _back_to_the_stack(display: Any) -> None:
    """A Modernisme tile of the display goes back to the stack."""
    display.modernisme[1] = ""
    display.modernisme_stack += 1


def _lose_one(left: Any) -> None:
    """A building tile is neither on the board nor beside it."""
    left[next(i for i, number in enumerate(left) if number)] -= 1


def _back_to_the_city(board: Any) -> None:
    """A citizen of the track is on the board again, whoever lives in its house now."""
    board.track.upper -= 1
    first(board.intersections, lambda i: not i.top).top = pb.BARCELONA_CITIZEN_UPPER


def _corners(position: Any) -> list[Any]:
    return [position.display.sidewalk[i] for i in (0, 4, 20, 24)]


def _owner_lost(position: Any) -> int:
    """The player who has fewer stones on the Sidewalk than were placed."""
    placed = [sum(s.HasField("owner") and s.owner == seat for s in position.display.sidewalk) for seat in range(3)]
    return next(seat for seat in range(3) if position.players[seat].cobblestones > placed[seat])


def _climb(position: Any) -> None:
    player = position.players[0]
    player.sagrada = next(space for space in GAME.ruleset.thresholds if space > player.sagrada)


def _unused_service(position: Any) -> str:
    return next(name for name in IDS["services"] if name not in [s.service for s in position.display.services])


def _twice(position: Any) -> None:
    player = first(position.players, lambda player: player.services)
    player.services.append(player.services[0])


def _gaudi_instead(position: Any) -> None:
    """Gaudí's turn in place of what is asked of the player."""
    position.tasks.pop()
    put_task(position, 2, "GAUDI")


def swap_tasks(position: Any, i: int, j: int) -> None:
    kept = pb.BarcelonaTask.FromString(written(position.tasks[i]))
    position.tasks[i].CopyFrom(position.tasks[j])
    position.tasks[j].CopyFrom(kept)


def _move_actions(position: Any) -> None:
    """The actions of an intersection where nobody was placed."""
    empty = next(i + 1 for i, intersection in enumerate(position.board.intersections) if not intersection.top)
    del position.tasks[3].streets[:]
    position.tasks[3].intersection = empty


def _turn_off(position: Any) -> None:
    """The action of a street that does not cross there: of the column to the right, or the first."""
    column = (position.tasks[3].intersection - 1) % 5 + 1
    position.tasks[3].streets[:] = [column % 5 + 1]


FAULTS: dict[str, tuple[str, Spoil]] = {
    "one player": ("players", lambda p: p.players.__delitem__(slice(1, None))),
    "five players": ("players", lambda p: [p.players.add() for _ in range(3)]),
    "an option out of range": ("options.expansion", lambda p: set_to(expansion=3)(p.options)),
    "without the expansion": ("board.actions", _without_passeig),
    "no side board": ("passeig", lambda p: p.ClearField("passeig")),
    "round 0": ("round", set_to(round=0)),
    "a round too many": ("round", lambda p: set_to(round=p.round + 1)(p)),
    "a hundred thousand rounds": ("round", set_to(round=100_000)),
    "a first player that there is not": ("first_player", set_to(first_player=3)),
    "another first player": ("round", lambda p: set_to(first_player=(p.first_player + 1) % 3)(p)),
    "nobody's turn": ("seat", set_to(seat=-1)),
    "an end before its time": ("ending", set_to(ending=True)),
    "over before its time": ("tasks", set_to(is_over=True)),
    "an action short": ("board.actions", lambda p: p.board.actions.pop()),
    "an action twice": ("board.actions[1]", lambda p: put("actions", 1, p.board.actions[0])(p.board)),
    "an action unheard of": ("board.actions[0]", lambda p: put("actions", 0, "NAP")(p.board)),
    "an action of the base game": (
        "board.actions",
        lambda p: put("actions", list(p.board.actions).index("X_COINS"), "COINS")(p.board),
    ),
    "actions shuffled that should not be": ("board.actions", lambda p: set_to(actions=2)(p.options)),
    "an intersection short": ("board.intersections", lambda p: p.board.intersections.pop()),
    "a citizen of no class": ("board.intersections[0].top", lambda p: set_to(top=4)(p.board.intersections[0])),
    "a citizen in the air": (
        "board.intersections",
        lambda p: first(p.board.intersections, lambda i: not i.top).MergeFrom(
            pb.BarcelonaIntersection(bottom=pb.BARCELONA_CITIZEN_WORKING)
        ),
    ),
    "a citizen too many": ("round", lambda p: set_to(top=1)(first(p.board.intersections, lambda i: not i.top))),
    "an owner that there is not": ("board.intersections[3].owner", lambda p: set_to(owner=3)(p.board.intersections[3])),
    "an Intersection too many": (
        "players",
        lambda p: set_to(owner=0)(first(p.board.intersections, lambda i: not i.HasField("owner"))),
    ),
    "a section too many": ("board.sections", lambda p: p.board.sections.add()),
    "a street of nobody": (
        "board.sections",
        lambda p: first(p.board.sections, lambda s: s.street).ClearField("owner"),
    ),
    "a street too many": (
        "players[0].narrow",
        lambda p: set_to(street=1, owner=0)(first(p.board.sections, lambda s: not s.street)),
    ),
    "a street of another width": (
        "players",
        lambda p: (lambda s: set_to(street=3 - s.street)(s))(first(p.board.sections, lambda s: s.street)),
    ),
    "a passenger too many": (
        "players[1].passengers",
        lambda p: set_to(passenger=1)(first(p.board.sections, lambda s: not s.HasField("passenger"))),
    ),
    "a site too few": ("board.sites", lambda p: p.board.sites.pop()),
    "a building of no kind": ("board.sites[0].building", lambda p: set_to(building=5)(p.board.sites[0])),
    "a building out of nothing": (
        "board.sites",
        lambda p: set_to(building=1)(first(p.board.sites[:3], lambda s: not s.building)),
    ),
    "a whole building on a triangle": (
        "board.sites",
        lambda p: set_to(building=1)(first(p.board.sites, lambda s: s.building == 4)),
    ),
    "another's marker": (
        "players",
        lambda p: (lambda s: put("markers", 0, (s.markers[0] + 1) % 3)(s))(first(p.board.sites, lambda s: s.markers)),
    ),
    "markers piled up": (
        "board.sites",
        lambda p: first(p.board.sites, lambda s: s.building == 1).markers.append(0),
    ),
    "a thousand markers": ("board.sites[0].markers", lambda p: p.board.sites[0].markers.extend([0] * 1000)),
    "a bonus that comes back": (
        "board.row_bonuses",
        lambda p: put("row_bonuses", list(p.board.row_bonuses).index(False), True)(p.board),
    ),
    "a citizen on the track out of nothing": (
        "round",
        lambda p: set_to(working=p.board.track.working + 1)(p.board.track),
    ),
    "a row of the track too long": ("board.track.working", lambda p: set_to(working=18)(p.board.track)),
    "more of a class than there are": ("board.intersections", lambda p: set_to(upper=99)(p.board.box)),
    "a building that took one citizen": ("board.track", lambda p: _back_to_the_city(p.board)),
    "an endless track": ("board.track.upper", lambda p: set_to(upper=100)(p.board.track)),
    "a tile not scored in its time": ("board.cerda[0].scored", lambda p: set_to(scored=False)(p.board.cerda[0])),
    "a Cerdà tile twice": ("board.cerda[1].tile", lambda p: set_to(tile=p.board.cerda[0].tile)(p.board.cerda[1])),
    "no Cerdà tile at all": ("board.cerda[0].tile", lambda p: p.board.cerda[0].ClearField("tile")),
    "a Modernisme tile as a Cerdà tile": ("board.cerda[0].tile", lambda p: set_to(tile="STACKS")(p.board.cerda[0])),
    "a citizen more in the bag": ("board.bag", lambda p: set_to(bag=p.board.bag + 1)(p.board)),
    "a building tile gone astray": ("display.buildings", lambda p: _lose_one(p.display.buildings)),
    "a marker on no building": (
        "board.sites",
        lambda p: first(p.board.sites, lambda s: not s.building).markers.append(0),
    ),
    "more building tiles than there are": ("display.buildings[3]", lambda p: put("buildings", 3, 9)(p.display)),
    "a Sagrada tile lost": ("display.sagrada", lambda p: p.display.sagrada.pop()),
    "a Sagrada tile twice": ("display.sagrada[1]", lambda p: put("sagrada", 1, p.display.sagrada[0])(p.display)),
    "Sagrada tiles out of order": ("display.sagrada", lambda p: swap(p.display.sagrada, 0, 1)),
    "a Modernisme tile twice": (
        "display.modernisme[1]",
        lambda p: put("modernisme", 1, p.display.modernisme[0])(p.display),
    ),
    "a gap in the display": ("display.modernisme", lambda p: _back_to_the_stack(p.display)),
    "a Modernisme tile more": (
        "display.modernisme_stack",
        lambda p: set_to(modernisme_stack=p.display.modernisme_stack + 1)(p.display),
    ),
    "a twin of a Cerdà tile": (
        "display.modernisme[0]",
        lambda p: put("modernisme", 0, p.board.cerda[0].tile)(p.display),
    ),
    "a service short": ("display.services", lambda p: p.display.services.pop()),
    "a service twice": (
        "display.services",
        lambda p: set_to(service=p.display.services[1].service)(p.display.services[0]),
    ),
    "a service unbuilt": (
        "display.services",
        lambda p: (lambda s: set_to(left=s.left - 1)(s))(first(p.display.services, lambda s: s.left)),
    ),
    "a stone in the middle": ("display.sidewalk[12]", lambda p: set_to(owner=0)(p.display.sidewalk[12])),
    "a stone in the corner": (
        "display.sidewalk",
        lambda p: (
            first(p.display.sidewalk, lambda s: s.HasField("owner")).ClearField("owner"),
            set_to(owner=_owner_lost(p))(first(_corners(p), lambda s: not s.HasField("owner"))),
        ),
    ),
    "an Amenity twice": ("passeig.amenities[1]", lambda p: put("amenities", 1, p.passeig.amenities[0])(p.passeig)),
    "violet stones out of order": ("passeig.violet", lambda p: swap(p.passeig.violet, 0, 1)),
    "an endless Passeig": ("passeig.hexagons", lambda p: p.passeig.hexagons.add()),
    "a storage too full": ("players[0].coins", lambda p: set_to(coins=40)(p.players[0])),
    "a negative coin": ("players[0].coins", lambda p: set_to(coins=-1)(p.players[0])),
    "points beyond counting": ("players[0].points", lambda p: set_to(points=2**31 - 1)(p.players[0])),
    "negative points": ("players[2].points", lambda p: set_to(points=-1)(p.players[2])),
    "beyond the Cerdà track": ("players[0].cerda", lambda p: set_to(cerda=17)(p.players[0])),
    "beyond the Sagrada track": ("players[0].sagrada", lambda p: set_to(sagrada=11)(p.players[0])),
    "a threshold without its tile": ("players[0].sagrada_tiles", _climb),
    "a stack too many": ("players[0].markers", lambda p: p.players[0].markers.append(0)),
    "a stack too high": ("players[0].narrow[0]", lambda p: put("narrow", 0, 3)(p.players[0])),
    "a wide street lost": (
        "players[1].wide",
        lambda p: put("wide", 2, p.players[1].wide[2] - 1 or 1)(p.players[1]),
    ),
    "a tram that never came": ("players", lambda p: set_to(tram=0)(first(p.players, lambda q: q.passengers))),
    "a tram off the map": ("players[0].tram", lambda p: set_to(tram=41)(p.players[0])),
    "a project space short": ("players[0].projects", lambda p: p.players[0].projects.pop()),
    "a service from elsewhere": ("players[0].services", lambda p: p.players[0].services.append(_unused_service(p))),
    "the same service twice": ("players", _twice),
    "Joy 7": ("players[0].pedestrians[0].joy", lambda p: set_to(joy=7)(p.players[0].pedestrians[0])),
    "no Joy": ("players[0].pedestrians[1].joy", lambda p: set_to(joy=0)(p.players[0].pedestrians[1])),
    "a Pedestrian lost": ("players[0].pedestrians", lambda p: p.players[0].pedestrians.pop()),
    "an arrival that nobody asked for": (
        "players[0].pedestrians[0].step",
        lambda p: set_to(step=4)(p.players[0].pedestrians[0]),
    ),
    "a hand of three": ("players[0].hand", lambda p: set_to(hand=3)(p.players[0])),
    "a hand lost": ("players", lambda p: set_to(hand=1)(p.players[(p.seat + 1) % 3])),
    "nothing to do": ("tasks", lambda p: p.ClearField("tasks")),
    "a task of no kind": ("tasks[0].kind", lambda p: p.tasks[0].ClearField("kind")),
    "a task unheard of": ("tasks[0].kind", lambda p: set_to(kind=35)(p.tasks[0])),
    "a task that says too much": ("tasks[0].amount", lambda p: set_to(amount=1)(p.tasks[0])),
    "tasks in another order": ("tasks", lambda p: swap_tasks(p, 0, 1)),
    "two turns at once": ("tasks", lambda p: p.tasks.extend(list(p.tasks))),
    "a thousand tasks": ("tasks", lambda p: [p.tasks.add(kind=task_kind("WALK")) for _ in range(1000)]),
    "a task that asks nothing on top": ("tasks[4].kind", lambda p: p.tasks.add(kind=task_kind("RUN"), section=1)),
    "an intersection with no citizens": ("tasks[3]", _move_actions),
    "a street from elsewhere": ("tasks[3]", _turn_off),
    "a street twice": ("tasks[3].streets", lambda p: p.tasks[3].streets.extend(list(p.tasks[3].streets))),
    "a turn of Gaudí's": ("tasks", _gaudi_instead),
    "Gaudí at a table of three": ("players", lambda p: set_to(solo=2)(p.options)),
    "Gaudí's cards without him": ("gaudi", lambda p: p.gaudi.SetInParent()),
    "no such difficulty": ("options.solo", lambda p: set_to(solo=5)(p.options)),
}


IN_STATES = {
    "a citizen more in the bag": "barcelona.bag",
    "a Modernisme tile more": "barcelona.modernisme_stack",
    "a gap in the display": "barcelona.modernisme_stack",
    "a hand lost": "barcelona.hands",
}
"""The field named where the hidden things are there to disagree with."""
IN_VIEWS = {"over before its time": "barcelona.actor"}


@pytest.mark.parametrize("name", FAULTS)
def test_a_state_with_a_fault_is_refused_by_its_field(name: str) -> None:
    field, spoil = FAULTS[name]
    message = copied(middle())
    CODEC.state_from(message)
    spoil(message.barcelona.position)
    assert refusal(CODEC.state_from, message).field.startswith(IN_STATES.get(name, f"barcelona.position.{field}"))


@pytest.mark.parametrize("name", FAULTS)
def test_a_view_of_a_position_with_a_fault_is_refused_by_its_field(name: str) -> None:
    field, spoil = FAULTS[name]
    message = CODEC.view_to(middle().view(None))
    CODEC.view_from(message)
    spoil(message.barcelona.position)
    assert refusal(CODEC.view_from, message).field.startswith(IN_VIEWS.get(name, f"barcelona.position.{field}"))


@pytest.mark.parametrize(
    ("field", "spoil"),
    [
        ("is_over", lambda p: set_to(seat=(p.first_player + 1) % 3)(p)),
        ("tasks", lambda p: p.tasks.add(kind=task_kind("DRAW"))),
        ("tasks", set_to(is_over=False)),
        ("undoable", set_to(undoable=True)),
        ("is_over", set_to(ending=False)),
        ("round", lambda p: set_to(round=p.round + 1)(p)),
    ],
)
def test_the_end_of_a_game_with_a_fault_is_refused_by_its_field(field: str, spoil: Spoil) -> None:
    message = copied(positions()[-1])
    assert CODEC.state_from(message).is_over
    spoil(message.barcelona.position)
    assert refusal(CODEC.state_from, message).field == f"barcelona.position.{field}"
