"""The player boards of Barcelona in compact lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.markup import escape

from boardgamesbot.games.barcelona import gaudi
from boardgamesbot.games.barcelona.gaudi.arrows import ARROWS
from boardgamesbot.games.barcelona.scoring import totals, value
from boardgamesbot.games.barcelona.tiles import improve_cost
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.citymap import MEEPLE
from boardgamesbot.games.barcelona.words.inks import Seats, clipped, flow, ink, name
from boardgamesbot.games.barcelona.words.wording import CITIES, effect_sign

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.state import BarcelonaState

NAME = 20
_SHOWN = 60
_STEPS = ("at the start", "step 1", "step 2", "step 3", "arrived")


class PlayerBoards:
    """The player boards of one position."""

    def __init__(self, state: BarcelonaState, seats: Seats) -> None:
        self._state = state
        self._seats = seats

    def whole(self, seat: int, given: str) -> list[str]:
        """A player board in compact lines."""
        state, seats = self._state, self._seats
        mark = "▶" if state.actor == seat else " "
        colour = f"{seats.letters[seat]} {seats.colours[seat]:<7}"
        who = f"{seats.ink(seat, colour)}[bold]{name(given, NAME)}[/]"
        goods = (
            f"a resource is {state.ruleset.gaudi.worth[state.difficulty]}★"
            if state.is_gaudi(seat)
            else f"{state.coins[seat]}● {state.cloth[seat]}■ (storage {state.capacity(seat)})"
        )
        points = f"[bold]{state.vp[seat]}★[/] ({totals(state)[seat]}★ if it ended now)"
        pieces = [*self.tracks(seat), *self._stock(seat), *self.projects(seat), *self._tiles(seat)]
        cards = flow(self._cards(), 4) if state.is_gaudi(seat) else []
        return [f"{mark} {who} {points}  {goods}", *cards, *flow(pieces, 4)]

    def _cards(self) -> list[str]:
        """Gaudí's meeple, his deck as far as it is in sight, and the cards turned up."""
        state, seats = self._state, self._seats
        ruleset = state.ruleset
        pieces = [
            f"{seats.ink(gaudi.SEAT, MEEPLE)} {places.intersection(state.meeple)}",
            f"{ink('dim', 'deck')} {len(state.deck)}, arrow {ARROWS[ruleset.gaudi.cards[state.deck[-1]].arrow]}",
        ]
        if state.discards:
            face_up = state.discards[-1]
            first, second = (ruleset.actions[action].name for action in ruleset.gaudi.cards[face_up].actions)
            shown = f"{first}, {second}" if state.both_actions else f"{first} (not {second})"
            pieces.append(f"{ink('dim', 'face up')} {face_up + 1}: {clipped(shown, _SHOWN)}")
        if state.discards[:-1]:
            seen = "·".join(str(card + 1) for card in sorted(state.discards[:-1]))
            pieces.append(f"{ink('dim', 'below it')} {clipped(seen, _SHOWN)}")
        return pieces

    def tracks(self, seat: int) -> list[str]:
        """The places on the Cerdà and Sagrada Família tracks, with what is next there."""
        state = self._state
        ruleset = state.ruleset
        at, reached = state.cerda[seat], state.sagrada[seat]
        multiplier = ruleset.multipliers[at]
        higher = next((i for i, times in enumerate(ruleset.multipliers) if times > multiplier), None)
        cerda = f"Cerdà {at} ×{multiplier}" + (f" (×{ruleset.multipliers[higher]} at {higher})" if higher else "")
        threshold = next((space for space in ruleset.thresholds if space > reached), None)
        sagrada = f"Sagrada {reached}" + (f" (tile at {threshold})" if threshold else "")
        return [cerda, sagrada]

    def stacks(self, seat: int) -> list[str]:
        """Pieces left in the stacks."""
        state = self._state
        return [
            f"{ink('dim', what)} {'·'.join(str(left) for left in stacks)}"
            for what, stacks in (
                ("markers", state.marker_stacks[seat]),
                ("narrow", state.narrow[seat]),
                ("wide", state.wide[seat]),
            )
        ]

    def prices(self, seat: int) -> list[str]:
        """What the next Intersection tile and the next passenger cost."""
        state, ruleset = self._state, self._state.ruleset
        costs = (
            ("Intersection", ruleset.intersection_cost[state.intersections_built[seat] :]),
            ("passenger", ruleset.passenger_cost[state.passengers_placed[seat] :]),
        )
        return [f"{ink('dim', what)} {f'{left[0]}■' if left else '–'}" for what, left in costs]

    def _stock(self, seat: int) -> list[str]:
        """Pieces left in stacks, and those bought one after another with what the next costs."""
        state = self._state
        ruleset = state.ruleset
        stones, riders = state.cobblestones_placed[seat], state.passengers_placed[seat]
        built = state.intersections_built[seat]
        return [
            *self.stacks(seat),
            f"{ink('dim', 'Intersections')} {built} ({self._next(seat, ruleset.intersection_cost[built:])})",
            f"{ink('dim', 'passengers')} {riders} = {ruleset.passenger_vp[riders]}★ "
            f"({self._next(seat, ruleset.passenger_cost[riders:])})",
            f"{ink('dim', 'stones')} {stones} = {ruleset.cobblestone_vp[stones]}★",
        ]

    def _next(self, seat: int, costs: Sequence[int]) -> str:
        """What the next of some pieces costs; how many are left, for Gaudí, who pays nothing."""
        if not costs:
            return "none left"
        return f"{len(costs)} left" if self._state.is_gaudi(seat) else f"next {costs[0]}■"

    def projects(self, seat: int) -> list[str]:
        """Project spaces with their tiles; an improved one has its higher factor."""
        state = self._state
        ruleset = state.ruleset
        cost = None if state.is_gaudi(seat) else improve_cost(state, seat)
        pieces = [ink("dim", "projects") + ("" if cost is None else f" (improve {cost}■)")]
        for space, tile in enumerate(state.projects[seat]):
            factor = ruleset.project_factors[state.improved[seat][space]]
            if tile < 0:
                pieces.append(f"#{space + 1} free ×{factor}")
            else:
                scoring = ruleset.scorings[tile]
                worth = value(state, seat, tile) * factor
                pieces.append(f"#{space + 1} {scoring.vp} × {escape(scoring.name)} ×{factor} = {worth}★")
        return pieces

    def _tiles(self, seat: int) -> list[str]:
        """Public Services and Sagrada Família tiles, and the Pedestrians."""
        state = self._state
        ruleset = state.ruleset
        pieces = []
        if state.services_of[seat]:
            built = ", ".join(ruleset.services[service].name for service in state.services_of[seat])
            pieces.append(f"{ink('dim', 'built')} {escape(built)}")
        if state.sagrada_of[seat]:
            taken = ", ".join(
                effect_sign(ruleset, ruleset.sagrada_tiles[tile].effect) for tile in state.sagrada_of[seat]
            )
            pieces.append(f"{ink('dim', 'Sagrada tiles')} {escape(taken)}")
        if state.expansion:
            pieces += [
                f"{ink('dim', CITIES[i])} ☻{state.joy[2 * seat + i]} {_STEPS[state.path[2 * seat + i]]}" for i in (0, 1)
            ]
        return pieces
