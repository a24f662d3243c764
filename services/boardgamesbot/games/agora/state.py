"""A position of Agora Barcelona, and every rule of play."""

from __future__ import annotations

from collections.abc import Collection
from enum import IntEnum
from typing import TYPE_CHECKING

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.events import (
    Discarded,
    Drawn,
    Ended,
    FountainPassed,
    Played,
    Skipped,
    Taken,
    TurnBegan,
    Walked,
)
from boardgamesbot.games.agora.movements import Moved, Movement, sighting
from boardgamesbot.games.agora.moves import Kind, Parts
from boardgamesbot.games.agora.ruleset import DISTRICTS, SQUARES
from boardgamesbot.games.agora.view import AgoraView
from boardgamesbot.games.agora.walks import Walks, shares_lead
from boardgamesbot.games.base import Event, IllegalMove, Move, Options, State

if TYPE_CHECKING:
    from boardgamesbot.games.agora.game import Agora
    from boardgamesbot.games.chance import Chance


class Phase(IntEnum):
    """What is being decided; the numbers are those of the contract."""

    TAKE = 1
    PLAY = 2
    FIRST_WALK = 3
    SECOND_WALK = 4
    DRAW = 5
    PASS_FOUNTAIN = 6
    OVER = 7


_KINDS_OF_PHASE = {
    Phase.TAKE: (Kind.TAKE,),
    Phase.PLAY: (Kind.PLAY, Kind.DISCARD),
    Phase.FIRST_WALK: (Kind.WALK,),
    Phase.SECOND_WALK: (Kind.WALK,),
    Phase.DRAW: (Kind.DRAW,),
    Phase.PASS_FOUNTAIN: (Kind.PASS_FOUNTAIN,),
}
_TASK_OF_PHASE = {
    Phase.TAKE: "take a square",
    Phase.PLAY: "play a square",
    Phase.FIRST_WALK: "walk",
    Phase.SECOND_WALK: "walk a second time",
    Phase.DRAW: "draw a square",
    Phase.PASS_FOUNTAIN: "hand on the Magic Fountain",
}


class AgoraState(State):
    """Everything there is to know.

    Walkers are counted in flat lists, `district * players + seat`: `upright`, `lying`, and `total`, their sum.
    Hands hold square numbers in the order they came; piles have their top last.
    """

    __slots__ = (
        "chance",
        "choosing",
        "done",
        "first_walk",
        "fountain",
        "game",
        "hands",
        "lying",
        "movements",
        "options",
        "phase",
        "piles",
        "plain",
        "players",
        "removed",
        "supply",
        "total",
        "turn",
        "turns",
        "until_empty",
        "upright",
    )

    game: Agora

    def __init__(self, game: Agora, players: int, options: Options, chance: Chance) -> None:
        """An empty board before anything is dealt; `deal` sets the game up."""
        setup = game.ruleset.setup(players)
        self.game = game
        self.players = players
        self.options = options
        self.chance = chance
        self.plain = options["backs"] == "PLAIN"
        self.choosing = options["take"] == "CHOOSE" and not self.plain
        self.until_empty = options["take_until"] == "PILES_EMPTY"
        self.turn = 1
        self.turns = setup.turns
        self.phase: int = Phase.TAKE
        self.done = 0
        """How many players, from the Fountain's holder on, are done with the phase."""
        self.fountain = 0
        self.upright = [0] * (DISTRICTS * players)
        self.lying = [0] * (DISTRICTS * players)
        self.total = [0] * (DISTRICTS * players)
        self.supply = [setup.walkers] * players
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.piles: list[list[int]] = [[], []]
        self.removed: list[int] = []
        self.first_walk: Parts | None = None
        """The walk made, while the second is being decided."""
        self.movements: list[Movement] = []

    def deal(self) -> list[Event]:
        """Set the game up by chance (AG-S1 to AG-S3) and go on to the first decision."""
        ruleset = self.game.ruleset
        squares = list(range(1, SQUARES + 1))
        self.chance.shuffle(squares)
        removed = ruleset.setup(self.players).removed
        self.removed, squares = squares[:removed], squares[removed:]
        for seat in range(self.players):
            for square in squares[: ruleset.hand]:
                self.hands[seat].append(square)
                self.movements.append(Movement(Moved.DEALT, seat, -1, square))
            squares = squares[ruleset.hand :]
        half = (len(squares) + 1) // 2
        self.piles = [squares[:half], squares[half:]]
        self.fountain = self.chance.below(self.players)
        events: list[Event] = [TurnBegan(self.turn, self.fountain)]
        self._go_on(events)
        return events

    @property
    def actor(self) -> int | None:
        if self.phase == Phase.OVER:
            return None
        if self.phase == Phase.PASS_FOUNTAIN:
            return self.fountain
        return (self.fountain + self.done) % self.players

    @property
    def undoable(self) -> bool:
        return self.phase == Phase.SECOND_WALK

    @property
    def is_last_turn(self) -> bool:
        return self.turn == self.turns

    def back(self, square: int) -> int:
        """What the back of a square tells: its district, or -1 with plain backs (AG-S5)."""
        return -1 if self.plain else self.game.ruleset.district_of[square]

    # What is legal

    def legal_moves(self) -> list[Move]:
        match self.phase:
            case Phase.TAKE:
                backs = {self.back(square) for square in self.hands[self._left_of_actor()]}
                return sorted(moves.take(back) for back in backs)
            case Phase.PLAY:
                seat = self._acting()
                hand = sorted(self.hands[seat])
                playable = [moves.play(square) for square in hand if self._is_playable(seat, square)]
                return playable or [moves.discard(square) for square in hand]
            case Phase.FIRST_WALK:
                return self._walks().first()
            case Phase.SECOND_WALK:
                assert self.first_walk is not None
                return self._walks().second(self.first_walk.what)
            case Phase.DRAW:
                return [moves.draw(pile) for pile in range(moves.PILES) if self.piles[pile]]
            case Phase.PASS_FOUNTAIN:
                return [moves.pass_fountain(seat) for seat in range(self.players) if seat != self.fountain]
        return []

    def _acting(self) -> int:
        return (self.fountain + self.done) % self.players

    def _left_of_actor(self) -> int:
        return (self._acting() + 1) % self.players

    def _row(self, district: int) -> list[int]:
        """The walkers in a district by seat."""
        start = district * self.players
        return self.total[start : start + self.players]

    def _is_playable(self, seat: int, square: int) -> bool:
        ruleset = self.game.ruleset
        value = ruleset.value_of[square]
        if value > self.supply[seat]:
            return False
        row = self._row(ruleset.district_of[square])
        row[seat] += value
        return not shares_lead(row)

    def _walks(self) -> Walks:
        own = self._acting() if self.is_last_turn else None
        return Walks(self.game.paths, self.players, self.total, self.upright, own=own)

    # Why a move is not legal

    def check(self, move: Move) -> None:
        wanted = moves.parts(move)
        if self.phase == Phase.OVER:
            raise self._illegal("AG-S4", "the game is over")
        phase = Phase(self.phase)
        if wanted.kind not in _KINDS_OF_PHASE[phase]:
            raise self._illegal("AG-T1", f"now it is time to {_TASK_OF_PHASE[phase]}")
        match wanted.kind:
            case Kind.TAKE:
                self._check_take(wanted.what)
            case Kind.PLAY:
                self._check_play(wanted.what)
            case Kind.DISCARD:
                self._check_discard(wanted.what)
            case Kind.WALK:
                self._check_walk(wanted)
            case Kind.DRAW:
                if not self.piles[wanted.what]:
                    raise self._illegal("AG-P4.1", f"pile {wanted.what + 1} is used up", pile=wanted.what + 1)
            case Kind.PASS_FOUNTAIN:
                self._check_pass(wanted.what)

    def _illegal(self, rule: str, reason: str, **details: object) -> IllegalMove:
        return IllegalMove(self.game.rules[rule], reason, {name: str(value) for name, value in details.items()})

    def _district(self, district: int) -> str:
        return self.game.ruleset.district_names[district]

    def _square(self, square: int) -> str:
        return self.game.ruleset.square_names[square]

    def _check_take(self, back: int) -> None:
        if all(self.back(square) != back for square in self.hands[self._left_of_actor()]):
            left = self.game.seat_colours[self._left_of_actor()]
            where = self._district(back)
            raise self._illegal("AG-P1.3", f"{left} holds no square of {where}", player=left, district=where)

    def _check_play(self, square: int) -> None:
        seat = self._acting()
        ruleset = self.game.ruleset
        name, value = self._square(square), ruleset.value_of[square]
        if square not in self.hands[seat]:
            raise self._illegal("AG-P2.1", f"{name} is not in your hand", square=square)
        if value > self.supply[seat]:
            raise self._illegal(
                "AG-P2.2",
                f"{name} wants {value} walkers and you have {self.supply[seat]} left",
                square=square,
                walkers=self.supply[seat],
            )
        if not self._is_playable(seat, square):
            district = ruleset.district_of[square]
            row = self._row(district)
            row[seat] += value
            raise self._shared(
                "AG-P2.3", f"with {value} more walkers of {self.game.seat_colours[seat]}", [(district, row)]
            )

    def _check_discard(self, square: int) -> None:
        seat = self._acting()
        if square not in self.hands[seat]:
            raise self._illegal("AG-P2.4", f"{self._square(square)} is not in your hand", square=square)
        playable = [own for own in sorted(self.hands[seat]) if self._is_playable(seat, own)]
        if playable:
            names = ", ".join(self._square(own) for own in playable)
            raise self._illegal("AG-P2.4", f"you can still play {names}", square=square)

    def _check_walk(self, wanted: Parts) -> None:
        walker, frm, to = wanted.what, wanted.frm, wanted.to
        if walker >= self.players:
            raise self._illegal("AG-P3.1", f"nobody has seat {walker} in this game", walker=walker)
        colour = self.game.seat_colours[walker]
        where, whither = self._district(frm), self._district(to)
        if to not in self.game.ruleset.neighbours[frm]:
            raise self._illegal("AG-P3.1", f"{where} does not border on {whither}", **{"from": where, "to": whither})
        first = self.first_walk
        if self.is_last_turn:
            if walker != self._acting():
                raise self._illegal(
                    "AG-P3.3", f"in the last turn you walk your own walkers, not {colour}", walker=colour
                )
        elif first is not None and walker == first.what:
            raise self._illegal("AG-P3.1", f"you have moved a {colour} walker already", walker=colour)
        if not self.upright[frm * self.players + walker]:
            lying = self.lying[frm * self.players + walker]
            state = "every one has walked this turn" if lying else "there is none"
            raise self._illegal(
                "AG-P3.1", f"no {colour} walker stands upright in {where}: {state}", walker=colour, district=where
            )
        if first is None:
            if moves.walk(walker, frm, to) not in self._walks().first():
                raise self._illegal(
                    "AG-P3.2",
                    f"no second walk would leave every district with at most one leader after {colour} "
                    f"from {where} to {whither}",
                    walker=colour,
                    **{"from": where, "to": whither},
                )
        else:
            self._check_second(colour, wanted, first)

    def _check_second(self, colour: str, second: Parts, first: Parts) -> None:
        rows = {district: self._row(district) for district in sorted({first.frm, first.to, second.frm, second.to})}
        rows[second.frm][second.what] -= 1
        rows[second.to][second.what] += 1
        tied = [(district, row) for district, row in rows.items() if shares_lead(row)]
        if tied:
            where, whither = self._district(second.frm), self._district(second.to)
            raise self._shared("AG-P3.2", f"after {colour} from {where} to {whither}", tied)

    def _shared(self, rule: str, after: str, rows: list[tuple[int, list[int]]]) -> IllegalMove:
        """The refusal of a shared lead, from the rows of walkers that would be."""
        colours = self.game.seat_colours
        ties = []
        for district, row in rows:
            leaders = [colours[seat] for seat in range(self.players) if row[seat] == max(row)]
            ties.append(f"{' and '.join(leaders)} tied for most walkers in {self._district(district)} with {max(row)}")
        district, row = rows[0]
        return self._illegal(
            rule,
            f"{after} this would leave {'; '.join(ties)}",
            district=self._district(district),
            players=", ".join(colours[seat] for seat in range(self.players) if row[seat] == max(row)),
            walkers=max(row),
        )

    def _check_pass(self, seat: int) -> None:
        if seat >= self.players:
            raise self._illegal("AG-E1", f"nobody has seat {seat} in this game", seat=seat)
        if seat == self.fountain:
            raise self._illegal("AG-E1", "the Magic Fountain goes to another player", seat=seat)

    # What happens

    def apply(self, move: Move) -> list[Event]:
        made = moves.parts(move)
        events: list[Event] = []
        match made.kind:
            case Kind.TAKE:
                hand = self.hands[self._left_of_actor()]
                alike = [i for i, square in enumerate(hand) if self.back(square) == made.what]
                self._take(alike[self.chance.below(len(alike))], events)
            case Kind.PLAY:
                self._play(made.what, events)
            case Kind.DISCARD:
                self._discard(made.what, events)
            case Kind.WALK:
                self._walk(made, events)
            case Kind.DRAW:
                self._draw(made.what, events)
            case Kind.PASS_FOUNTAIN:
                self._pass_fountain(made.what, events)
        self._go_on(events)
        return events

    def _go_on(self, events: list[Event]) -> None:
        """Do what needs no decision, up to the next one or the end (AG-T1)."""
        while self.phase != Phase.OVER:
            if self.done == self.players:
                self._next_phase(events)
            elif self.phase == Phase.TAKE:
                if self._goes_on_at_take(events):
                    return
            elif self.phase == Phase.FIRST_WALK and not self._walks().has_first():
                events.append(Skipped(self._acting(), Phase.FIRST_WALK, "AG-P3.4"))
                self.done += 1
            elif self.phase == Phase.DRAW and not any(self.piles):
                self.done = self.players
            else:
                return

    def _goes_on_at_take(self, events: list[Event]) -> bool:
        """Take by chance, or pass over it; True where the taker has to choose (AG-P1.1 to AG-P1.3)."""
        if self.until_empty and not any(self.piles):
            self.done = self.players
        elif not (hand := self.hands[self._left_of_actor()]):
            events.append(Skipped(self._acting(), Phase.TAKE, "AG-P1.2"))
            self.done += 1
        elif self.choosing:
            return True
        else:
            self._take(self.chance.below(len(hand)), events)
        return False

    def _next_phase(self, events: list[Event]) -> None:
        self.done = 0
        match self.phase:
            case Phase.TAKE:
                self.phase = Phase.PLAY
            case Phase.PLAY:
                self.phase = Phase.FIRST_WALK
            case Phase.FIRST_WALK:
                self.phase = Phase.DRAW
            case Phase.DRAW:
                self._end_turn(events)

    def _end_turn(self, events: list[Event]) -> None:
        self.upright = self.total.copy()
        self.lying = [0] * len(self.lying)
        if self.is_last_turn:
            self.phase = Phase.OVER
            events.append(Ended(tuple(self.scores()), tuple(self.winners())))
        else:
            self.phase = Phase.PASS_FOUNTAIN

    def _take(self, index: int, events: list[Event]) -> None:
        seat, left = self._acting(), self._left_of_actor()
        square = self.hands[left].pop(index)
        self.hands[seat].append(square)
        self.movements.append(Movement(Moved.TAKEN, seat, left, square))
        events.append(Taken(seat, left, self.back(square), square))
        self.done += 1

    def _play(self, square: int, events: list[Event]) -> None:
        seat = self._acting()
        district, value = self.game.ruleset.district_of[square], self.game.ruleset.value_of[square]
        self.hands[seat].remove(square)
        self.supply[seat] -= value
        at = district * self.players + seat
        self.upright[at] += value
        self.total[at] += value
        self.movements.append(Movement(Moved.PLAYED, seat, -1, square))
        events.append(Played(seat, square, district, value))
        self.done += 1

    def _discard(self, square: int, events: list[Event]) -> None:
        seat = self._acting()
        self.hands[seat].remove(square)
        self.movements.append(Movement(Moved.DISCARDED, seat, -1, square))
        events.append(Discarded(seat, self.back(square), square))
        self.done += 1

    def _walk(self, made: Parts, events: list[Event]) -> None:
        frm, to = made.frm * self.players + made.what, made.to * self.players + made.what
        self.upright[frm] -= 1
        self.lying[to] += 1
        self.total[frm] -= 1
        self.total[to] += 1
        events.append(Walked(self._acting(), made.what, made.frm, made.to))
        if self.phase == Phase.FIRST_WALK:
            self.first_walk = made
            self.phase = Phase.SECOND_WALK
        else:
            self.first_walk = None
            self.phase = Phase.FIRST_WALK
            self.done += 1

    def _draw(self, pile: int, events: list[Event]) -> None:
        seat = self._acting()
        square = self.piles[pile].pop()
        self.hands[seat].append(square)
        self.movements.append(Movement(Moved.DRAWN, seat, pile, square))
        events.append(Drawn(seat, pile, self.back(square), square))
        self.done += 1

    def _pass_fountain(self, seat: int, events: list[Event]) -> None:
        events.append(FountainPassed(self.fountain, seat))
        self.fountain = seat
        self.turn += 1
        self.phase = Phase.TAKE
        events.append(TurnBegan(self.turn, seat))

    # What it is worth

    def scores(self) -> list[int]:
        """AG-F1. Where the lead is shared, as it may be between two walks, nobody scores."""
        return district_points(self.total, self.players, self.game.ruleset.points)

    def presence(self) -> list[int]:
        """In how many districts each seat has walkers (AG-F2)."""
        return [sum(1 for n in self.total[seat :: self.players] if n) for seat in range(self.players)]

    def winners(self, among: Collection[int] | None = None) -> list[int]:
        """AG-F1 to AG-F3."""
        worth = list(zip(self.scores(), self.presence(), strict=True))
        seats = range(self.players) if among is None else sorted(among)
        best = max((worth[seat] for seat in seats), default=None)
        return [seat for seat in seats if worth[seat] == best]

    # Copies and views

    def copy(self) -> AgoraState:
        twin = AgoraState.__new__(AgoraState)
        twin.game = self.game
        twin.players = self.players
        twin.options = self.options
        twin.chance = self.chance.copy()
        twin.plain = self.plain
        twin.choosing = self.choosing
        twin.until_empty = self.until_empty
        twin.turn = self.turn
        twin.turns = self.turns
        twin.phase = self.phase
        twin.done = self.done
        twin.fountain = self.fountain
        twin.upright = self.upright.copy()
        twin.lying = self.lying.copy()
        twin.total = self.total.copy()
        twin.supply = self.supply.copy()
        twin.hands = [hand.copy() for hand in self.hands]
        twin.piles = [pile.copy() for pile in self.piles]
        twin.removed = self.removed
        twin.first_walk = self.first_walk
        twin.movements = self.movements.copy()
        return twin

    def view(self, seat: int | None) -> AgoraView:
        return AgoraView(
            game=self.game,
            seat=seat,
            actor=self.actor,
            players=self.players,
            options=self.options,
            turn=self.turn,
            phase=self.phase,
            fountain=self.fountain,
            upright=tuple(self.upright),
            lying=tuple(self.lying),
            pile_sizes=(len(self.piles[0]), len(self.piles[1])),
            pile_tops=(self._top(0), self._top(1)),
            first_walk=self.first_walk,
            sightings=tuple(sighting(m, self.back(m.square), seat) for m in self.movements),
        )

    def _top(self, pile: int) -> int:
        return self.back(self.piles[pile][-1]) if self.piles[pile] else -1


def district_points(total: list[int], players: int, points: tuple[int, ...]) -> list[int]:
    """Points by seat of walkers counted as `district * players + seat` (AG-F1)."""
    scores = [0] * players
    for district, worth in enumerate(points):
        row = total[district * players : (district + 1) * players]
        most = max(row)
        if most and row.count(most) == 1:
            scores[row.index(most)] += worth
    return scores
