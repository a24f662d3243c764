"""What Gaudí builds, where, and with whom (BA-G10, BA-G11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.barcelona import building as works
from boardgamesbot.games.barcelona.events import Criterion, Matter, Pieces, Reason
from boardgamesbot.games.barcelona.gaudi.actions import emptied, leftmost
from boardgamesbot.games.barcelona.gaudi.arrows import POINTS, centre, kings_distance, order
from boardgamesbot.games.barcelona.gaudi.choosing import arrow, choose
from boardgamesbot.games.barcelona.gaudi.effects import resolve
from boardgamesbot.games.barcelona.geometry import BLOCKS_A_SIDE
from boardgamesbot.games.barcelona.moves import parts
from boardgamesbot.games.barcelona.tasks import Do

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

_RANK = (3, 1, 0, 2)
"""Level 3, level 2, corner, level 1: the place of each kind of building in his order."""
NOTHING = len(_RANK)


def possible(state: BarcelonaState) -> list[tuple[int, int]]:
    """Every site and kind of building that he could construct now."""
    found = {(made.what, made.which) for made in map(parts, works.ask_build(state, (Do.BUILD,)))}
    return sorted(found)


def best_rank(state: BarcelonaState) -> int:
    """How good the best building he could construct is: 0 for level 3, to 4 for none (BA-G5)."""
    return min((_RANK[kind] for _, kind in possible(state)), default=NOTHING)


def construct(state: BarcelonaState) -> None:
    """Construct a building if any can be; the rewards, track and bonus are a player's (BA-G10)."""
    here = possible(state)
    if not here:
        return
    sites, seat = state.ruleset.city.sites, state.seat
    best = min(_RANK[kind] for _, kind in here)
    kind = _RANK.index(best)

    def near(site: int) -> int:
        return min(kings_distance(state.meeple, i) for i in sites[site].around)

    site = choose(
        state,
        Matter.SITE,
        [where for where, what in here if what == kind],
        [
            (Criterion.ROW_BONUS, lambda s: not state.bonus_left[sites[s].block // BLOCKS_A_SIDE]),
            (Criterion.COVERS_MARKER, lambda s: not any(owner != seat for owner in state.markers[s][-1:])),
            (Criterion.NEAREST, near),
            (Criterion.ARROW, lambda s: order(arrow(state), POINTS[state.meeple], centre(sites[s]))),
        ],
    )
    used = _citizens(state, site, kind)
    classes = works.raise_building(state, site, kind, used)
    resolve(state, state.ruleset.buildings[kind].effect, Reason.BUILDING)
    stack = leftmost(state.marker_stacks[seat])
    works.place_marker(state, site, stack)
    emptied(state, Pieces.MARKERS, stack)
    works.do_row_bonus(state, (Do.ROW_BONUS, site))
    works.do_to_track(state, (Do.TO_TRACK, *classes))
    works.do_track_vp(state, (Do.TRACK_VP,))


def _citizens(state: BarcelonaState, site: int, kind: int) -> tuple[int, ...]:
    """The class that must be first, then the class with most room on its row; of one class, higher up, then left."""
    building = state.ruleset.buildings[kind]
    around = [i for i in state.ruleset.city.sites[site].around if state.citizens[i]]
    length = len(state.ruleset.track_vp)
    room = [length - works.free_space(state, row) for row in range(3)]
    used: list[int] = []
    for number in range(building.citizens):
        must = building.wants if number == 0 else 0
        here = [i for i in around if i not in used and must in (0, state.citizens[i] & works.TOP)]
        used.append(
            choose(
                state,
                Matter.CITIZEN,
                here,
                [
                    (Criterion.MOST_ROOM, lambda i: -room[(state.citizens[i] & works.TOP) - 1]),
                    (Criterion.CLASS, lambda i: state.citizens[i] & works.TOP),
                ],
            )
        )
    return tuple(sorted(used))
