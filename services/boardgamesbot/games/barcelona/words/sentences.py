"""What happened in Barcelona, one plain sentence for each event.

Sentences are in the past tense and without possessives, so that they are right for `You` and for a name. Names are
put in as they are given: escape markup in them first. What the ruleset names is escaped here.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape

from boardgamesbot.games.barcelona import events as ev
from boardgamesbot.games.barcelona.gaudi.sentences import GaudiSentences
from boardgamesbot.games.barcelona.moves import Kind
from boardgamesbot.games.barcelona.ruleset import BarcelonaRuleset
from boardgamesbot.games.barcelona.streets import NARROW
from boardgamesbot.games.barcelona.words import places
from boardgamesbot.games.barcelona.words.wording import CITIES, CITIZENS, ORDINALS, effect_in_words, goods, joined, many
from boardgamesbot.games.base import Event

_FOR = {
    ev.Reason.ACTION: "with the action",
    ev.Reason.ICON: "from the printed icons",
    ev.Reason.RUN: "for the run of streets",
    ev.Reason.OWNER: "as owner of the Intersection",
    ev.Reason.STACK: "for the emptied stack",
    ev.Reason.BUILDING: "for the building",
    ev.Reason.ROW: "for the first building of the row",
    ev.Reason.TRACK: "from the citizen track",
    ev.Reason.SIDEWALK: "from the Sidewalk",
    ev.Reason.SERVICE: "with the Public Service",
    ev.Reason.SAGRADA: "with the Sagrada Família tile",
    ev.Reason.AMENITY: "beside the Amenities tile",
    ev.Reason.MEETING: "as the Pedestrians met",
    ev.Reason.ARRIVAL: "for the arrival",
    ev.Reason.HEXAGON: "for the hexagonal cobblestone",
    ev.Reason.CERDA: "in the Cerdà scoring",
    ev.Reason.SETUP: "before the first turn",
    ev.Reason.INSTEAD: "in place of an action",
}
_TRACKS = {ev.Track.CERDA: "Cerdà", ev.Track.SAGRADA: "Sagrada Família"}
_PIECES = {ev.Pieces.MARKERS: "markers", ev.Pieces.NARROW: "narrow streets", ev.Pieces.WIDE: "wide streets"}
_DECLINED = {
    Kind.ACTION: "took no more actions",
    Kind.SECTION: "built no more streets",
    Kind.INTERSECTION: "built no Intersection",
    Kind.TRAM: "left the tram where it was",
    Kind.PASSENGER: "placed no passenger",
    Kind.RIDE: "did not take the action of the street",
    Kind.COBBLESTONE: "placed no cobblestone",
    Kind.MODERNISME: "took no Modernisme tile",
    Kind.IMPROVE: "improved no more project spaces",
    Kind.CHOICE: "took neither effect",
    Kind.STEP: "walked no further",
    Kind.PEDESTRIAN: "walked with no Pedestrian",
}


class Sentences:
    """Events of one ruleset in words."""

    def __init__(self, ruleset: BarcelonaRuleset) -> None:
        self._ruleset = ruleset
        self._gaudi = GaudiSentences(ruleset)

    def of(self, event: Event, names: Sequence[str]) -> str:
        """An event as a sentence without its full stop. Raises TypeError for what is no event of Barcelona."""
        said = self._of_all(event, names)
        if said is not None:
            return said
        did = self._placing(event) or self._goods(event) or self._building(event) or self._tiles(event)
        did = did or self._walking(event) or self._gaudi.of(event, _FOR)
        if did is None:
            raise TypeError(f"{type(event).__name__} is no event of Barcelona")
        seat: int = getattr(event, "seat", 0)
        return f"{names[seat]} {did}"

    def _of_all(self, event: Event, names: Sequence[str]) -> str | None:
        """What concerns nobody or everybody."""
        match event:
            case ev.ModernismeShown():
                place = f"place {event.shown + 1} of the display"
                if event.tile < 0:
                    return f"No Modernisme tile was left for {place}"
                return f"{self._scoring(event.tile)} came to {place}"
            case ev.CerdaScored():
                points = ", ".join(
                    f"{name} {value} × {times} = {value * times}"
                    for name, value, times in zip(names, event.values, event.multipliers, strict=True)
                )
                which = f"The Cerdà tile of the {ORDINALS[event.section]} section scored"
                return f"{which}, {self._scoring(event.tile)}: {points}"
            case ev.EndBegan():
                why = "The bag had too few citizens" if event.bag_empty else "All three Cerdà tiles have scored"
                return f"{why}: this is the last round"
            case ev.Ended():
                winners = joined([names[seat] for seat in event.winners])
                shares = zip(names, event.points, event.cobblestones, event.passengers, event.modernisme, strict=True)
                lines = [
                    f"{name} {points} (at the end {many(stones, 'point')} for cobblestones, {riders} for passengers, "
                    f"{tiles} for Modernisme{f', {joy} for Joy' if any(event.joy) else ''})"
                    for (name, points, stones, riders, tiles), joy in zip(shares, event.joy, strict=True)
                ]
                return f"The game is over. {winners} won. Points: {'; '.join(lines)}"
        return None

    def _placing(self, event: Event) -> str | None:
        match event:
            case ev.TurnBegan():
                return f"began a turn (round {event.round})"
            case ev.Placed():
                bottom, top = CITIZENS[event.bottom], CITIZENS[event.top]
                return f"placed citizens on {places.intersection(event.intersection)}: {top} on top of {bottom}"
            case ev.NowhereToPlace():
                citizens = joined([CITIZENS[citizen] for citizen in event.citizens])
                return f"found no empty intersection: {citizens} left the game"
            case ev.ActionTaken():
                through = " through the passenger" if event.ridden else ""
                return f"took {self._action(event.action)} at {places.street(event.street)}{through}"
            case ev.Declined():
                return _DECLINED.get(Kind(event.kind), "declined")
            case ev.Drew():
                return f"drew {_drawn(event.citizens)}"
        return None

    def _goods(self, event: Event) -> str | None:
        match event:
            case ev.Scored():
                return f"scored {many(event.points, 'point')} {_FOR[event.reason]}"
            case ev.Gained():
                return f"gained {goods(event.coins, event.cloth)} {_FOR[event.reason]}"
            case ev.Paid():
                return f"paid {goods(event.coins, event.cloth)}"
            case ev.Kept():
                return f"had no room for everything and kept {goods(event.coins, event.cloth)}"
            case ev.Advanced():
                way = "went up" if event.steps >= 0 else "went back"
                steps = many(abs(event.steps), "step")
                return f"{way} {steps} on the {_TRACKS[event.track]} track to {event.space} {_FOR[event.reason]}"
            case ev.StackEmptied():
                return f"emptied stack {event.stack + 1} of {_PIECES[event.pieces]}"
        return None

    def _building(self, event: Event) -> str | None:
        city = self._ruleset.city
        match event:
            case ev.StreetBuilt():
                kind = "narrow" if event.kind == NARROW else "wide"
                return f"built a {kind} street on {places.section(event.section)} from stack {event.stack + 1}"
            case ev.IntersectionBuilt():
                return f"built an Intersection on {places.intersection(event.intersection)}"
            case ev.TramMoved():
                if event.entered:
                    return f"brought the tram into the city, to {places.section(event.section)}"
                return f"moved the tram to {places.section(event.section)}"
            case ev.PassengerPlaced():
                return f"placed a passenger on {places.section(event.section)}"
            case ev.Built():
                used = joined(
                    [
                        f"{CITIZENS[citizen]} from {places.intersection(where)}"
                        for where, citizen in zip(event.intersections, event.citizens, strict=True)
                    ]
                )
                name = escape(self._ruleset.buildings[event.building].name)
                return f"built a {name} on {places.site(city, event.site)}, with {used}"
            case ev.MarkerPlaced():
                return f"put a marker from stack {event.stack + 1} on {places.site(city, event.site)}"
            case ev.RowBonusTaken():
                return f"took the Building Bonus of row {event.row + 1}"
            case ev.CitizenTracked():
                citizen = CITIZENS[event.citizen]
                if event.space < 0:
                    return f"found the row of the citizen track full: {citizen} left the game"
                return f"put {citizen} on space {event.space + 1} of the citizen track"
        return None

    def _tiles(self, event: Event) -> str | None:
        ruleset = self._ruleset
        match event:
            case ev.CobblestonePlaced():
                return f"placed a cobblestone on {places.sidewalk(event.space)}"
            case ev.ServiceBuilt():
                cost = many(ruleset.service_cost[event.tier], "coin")
                return f"built {escape(ruleset.services[event.service].name)}, the tile for {cost}"
            case ev.ModernismeTaken():
                return f"took the Modernisme tile {self._scoring(event.tile)} into project space {event.space + 1}"
            case ev.ProjectImproved():
                return f"improved project space {event.space + 1}"
            case ev.SagradaTaken():
                if event.tile < 0:
                    return f"found no Sagrada Família tile of level {event.level + 1}"
                effect = effect_in_words(ruleset, ruleset.sagrada_tiles[event.tile].effect)
                return f"took a Sagrada Família tile of level {event.level + 1}: {effect}"
        return None

    def _walking(self, event: Event) -> str | None:
        match event:
            case ev.Stepped():
                return f"walked {_pedestrian(event.pedestrian)} to its {ORDINALS[event.step - 1]} space"
            case ev.JoyGained():
                return f"raised the Joy of {_pedestrian(event.pedestrian)} to {event.joy} {_FOR[event.reason]}"
            case ev.Arrived():
                return f"reached {CITIES[1 - event.pedestrian]} with {_pedestrian(event.pedestrian)} at Joy {event.joy}"
            case ev.WentBack():
                return f"put {_pedestrian(event.pedestrian)} back where it starts"
            case ev.HexagonPlaced():
                reward = effect_in_words(self._ruleset, self._ruleset.hexagon_rewards[event.space])
                placed = f"placed a hexagonal cobblestone on {places.hexagon(event.space)}"
                if event.violet < 0:
                    return f"{placed}, for a resource instead of {reward}"
                beside = places.VIOLET_PLACES[event.violet]
                return f"{placed} ({reward}): the {beside} violet one counted {_times(event.times)}"
        return None

    def _action(self, action: int) -> str:
        return escape(self._ruleset.actions[action].name)

    def _scoring(self, tile: int) -> str:
        scoring = self._ruleset.scorings[tile]
        return f"{scoring.vp} × {escape(scoring.name)}"


def _pedestrian(pedestrian: int) -> str:
    return places.PEDESTRIAN_NAMES[pedestrian]


def _drawn(citizens: Sequence[int]) -> str:
    if not citizens:
        return "no citizens: the bag had too few"
    known = [CITIZENS[citizen] for citizen in citizens if citizen]
    return joined(known) if len(known) == len(citizens) else many(len(citizens), "citizen")


def _times(number: int) -> str:
    return ("not at all", "once", "twice")[number] if number < 3 else f"{number} times"
