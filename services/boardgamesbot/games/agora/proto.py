"""Agora's values as messages, and back with nothing taken on trust."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, cast

from boardgamesbot.games.agora import events as ev
from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.core import Core, district_points
from boardgamesbot.games.agora.game import Agora
from boardgamesbot.games.agora.movements import Log, Moved, Movement, Sighting
from boardgamesbot.games.agora.moves import Kind, Parts
from boardgamesbot.games.agora.ruleset import DISTRICTS, SQUARES
from boardgamesbot.games.agora.state import AgoraState, Phase
from boardgamesbot.games.agora.validity import check_state, check_view
from boardgamesbot.games.agora.view import AgoraView
from boardgamesbot.games.base import Event, Malformed, Move, Options, State, View
from boardgamesbot.games.chance import Chance
from boardgamesbot.games.proto import Codec, chance_from, put_chance
from boardgamesbot.v1 import agora_pb2 as pb
from boardgamesbot.v1 import games_pb2

_OPTION_ENUMS = {"backs": pb.AgoraBacks, "take": pb.AgoraTake, "take_until": pb.AgoraTakeUntil}
_OPTION_PREFIXES = {"backs": "AGORA_BACKS_", "take": "AGORA_TAKE_", "take_until": "AGORA_TAKE_UNTIL_"}


_Envelope = games_pb2.GameOptions | games_pb2.GameMove | games_pb2.GameEvent | games_pb2.GameView | games_pb2.GameState


class AgoraCodec(Codec):
    """The codec of Agora. Districts and piles count from 1 in messages, from 0 inside."""

    game: Agora

    # Options

    def options_to(self, options: Options) -> games_pb2.GameOptions:
        return games_pb2.GameOptions(agora=_options_to(options))

    def options_from(self, message: games_pb2.GameOptions) -> Options:
        if message.WhichOneof("game") is None:
            return self.game.complete_options({})
        _want(message)
        return self._options_from(message.agora)

    def _options_from(self, message: pb.AgoraOptions) -> Options:
        given = {}
        for name, enum in _OPTION_ENUMS.items():
            number = getattr(message, name)
            if number not in enum.values():
                raise Malformed(f"agora.{name}", f"{number} is not one of its values")
            if number:
                given[name] = enum.Name(number).removeprefix(_OPTION_PREFIXES[name])
        return self.game.complete_options(given)

    # Moves

    def move_to(self, move: Move) -> games_pb2.GameMove:
        made = moves.parts(move)
        match made.kind:
            case Kind.TAKE:
                message = pb.AgoraMove(take=pb.AgoraTakeMove(back=_district_to(made.what)))
            case Kind.PLAY:
                message = pb.AgoraMove(play=pb.AgoraPlayMove(square=made.what))
            case Kind.DISCARD:
                message = pb.AgoraMove(discard=pb.AgoraDiscardMove(square=made.what))
            case Kind.WALK:
                message = pb.AgoraMove(walk=_walk_to(made))
            case Kind.DRAW:
                message = pb.AgoraMove(draw=pb.AgoraDrawMove(pile=made.what + 1))
            case Kind.PASS_FOUNTAIN:
                message = pb.AgoraMove(pass_fountain=pb.AgoraPassFountainMove(seat=made.what))
        return games_pb2.GameMove(agora=message)

    def move_from(self, message: games_pb2.GameMove) -> Move:
        _want(message)
        move = message.agora
        match move.WhichOneof("kind"):
            case "take":
                return moves.take(_district_from(move.take.back, "agora.take.back"))
            case "play":
                return moves.play(_square_from(move.play.square, "agora.play.square"))
            case "discard":
                return moves.discard(_square_from(move.discard.square, "agora.discard.square"))
            case "walk":
                walk = _walk_from(move.walk, "agora.walk")
                return moves.walk(walk.what, walk.frm, walk.to)
            case "draw":
                return moves.draw(_within(move.draw.pile, 1, moves.PILES, "agora.draw.pile") - 1)
            case "pass_fountain":
                return moves.pass_fountain(_seat_from(move.pass_fountain.seat, "agora.pass_fountain.seat"))
        raise Malformed("agora", "says no kind of move: take, play, discard, walk, draw or pass_fountain")

    # Events

    def event_to(self, event: Event) -> games_pb2.GameEvent:
        return games_pb2.GameEvent(agora=_event_to(event))

    def event_from(self, message: games_pb2.GameEvent) -> Event:
        _want(message)
        return _event_from(message.agora)

    # Views

    def view_to(self, view: View) -> games_pb2.GameView:
        assert isinstance(view, AgoraView)
        players = view.players
        points = district_points(view.total, players, self.game.board.points)
        message = pb.AgoraView(
            seat=view.seat,
            options=_options_to(view.options),
            turn=view.turn,
            turns=view.turns,
            phase=cast("pb.AgoraPhase.ValueType", view.phase),
            actor=view.actor,
            fountain=view.fountain,
            districts=[self._district_view(view, district) for district in range(DISTRICTS)],
            players=[self._player_view(view, seat, points[seat]) for seat in range(players)],
            hand=[self._square_to(square) for square in view.hand],
            piles=[
                pb.AgoraPileView(size=size, top=_district_to(top))
                for size, top in zip(view.pile_sizes, view.pile_tops, strict=True)
            ],
            sightings=[_sighting_to(seen) for seen in view.sightings],
        )
        if view.first_walk is not None:
            walk = view.first_walk
            message.first_walk.CopyFrom(_walked_to(ev.Walked(view.actor or 0, walk.what, walk.frm, walk.to)))
        return games_pb2.GameView(agora=message)

    def _square_to(self, square: int) -> pb.AgoraSquare:
        ruleset = self.game.ruleset
        return pb.AgoraSquare(
            id=square,
            district=_district_to(ruleset.district_of[square]),
            name=ruleset.square_names[square],
            value=ruleset.value_of[square],
        )

    def _district_view(self, view: AgoraView, district: int) -> pb.AgoraDistrictView:
        start, end = district * view.players, (district + 1) * view.players
        row = view.total[start:end]
        leads = max(row) > 0 and row.count(max(row)) == 1
        return pb.AgoraDistrictView(
            district=_district_to(district),
            points=self.game.ruleset.points[district],
            upright=view.upright[start:end],
            lying=view.lying[start:end],
            leader=row.index(max(row)) if leads else None,
        )

    def _player_view(self, view: AgoraView, seat: int, points: int) -> pb.AgoraPlayerView:
        memory = view.memory
        return pb.AgoraPlayerView(
            seat=seat,
            supply=view.supply[seat],
            hand=[pb.AgoraHiddenSquare(back=_district_to(k.back), square=k.square) for k in memory.hands[seat]],
            played=[self._square_to(square) for square in memory.played[seat]],
            discarded=[
                pb.AgoraHiddenSquare(back=_district_to(k.back), square=k.square) for k in memory.discarded[seat]
            ],
            points=points,
            presence=sum(1 for n in view.total[seat :: view.players] if n),
        )

    def view_from(self, message: games_pb2.GameView) -> View:
        """Reads what a view rests on; what follows from that (hands, points) is worked out anew."""
        _want(message)
        given = message.agora
        players = _players_from(self.game, len(given.players), "agora.players")
        if len(given.districts) != DISTRICTS:
            raise Malformed("agora.districts", f"must be {DISTRICTS}, not {len(given.districts)}")
        if len(given.piles) != moves.PILES:
            raise Malformed("agora.piles", f"must be {moves.PILES}, not {len(given.piles)}")
        for i, district in enumerate(given.districts):
            if district.district != _district_to(i):
                raise Malformed(f"agora.districts[{i}].district", f"must be {i + 1}: districts come in their order")
            _each(district.upright, players, f"agora.districts[{i}].upright")
            _each(district.lying, players, f"agora.districts[{i}].lying")
        view = AgoraView(
            game=self.game,
            seat=_within(given.seat, 0, players - 1, "agora.seat") if given.HasField("seat") else None,
            actor=_within(given.actor, 0, players - 1, "agora.actor") if given.HasField("actor") else None,
            players=players,
            options=self._options_from(given.options),
            turn=given.turn,
            phase=_within(given.phase, Phase.TAKE, Phase.OVER, "agora.phase"),
            fountain=_within(given.fountain, 0, players - 1, "agora.fountain"),
            upright=tuple(n for district in given.districts for n in district.upright),
            lying=tuple(n for district in given.districts for n in district.lying),
            pile_sizes=(given.piles[0].size, given.piles[1].size),
            pile_tops=(given.piles[0].top - 1, given.piles[1].top - 1),
            first_walk=_walk_from(given.first_walk, "agora.first_walk") if given.HasField("first_walk") else None,
            sightings=tuple(
                _sighting_from(seen, players, f"agora.sightings[{i}]") for i, seen in enumerate(given.sightings)
            ),
        )
        check_view(view)
        return view

    # States

    def state_to(self, state: State) -> games_pb2.GameState:
        assert isinstance(state, AgoraState)
        # Written down with every move: everything is put where it stays, since a message given to another is copied.
        message = games_pb2.GameState()
        put_chance(state.chance, message.chance)
        into = message.agora
        into.MergeFromString(state.movements.written(_movement_to))
        into.options.CopyFrom(_options_to(state.options))
        into.players = state.players
        into.turn = state.turn
        into.phase = cast("pb.AgoraPhase.ValueType", state.phase)
        into.done = state.done
        into.fountain = state.fountain
        into.upright.extend(state.upright)
        into.lying.extend(state.lying)
        for hand in state.hands:
            into.hands.add().squares.extend(hand)
        for pile in state.piles:
            into.piles.add().squares.extend(pile)
        into.removed.SetInParent()
        into.removed.squares.extend(state.removed)
        if state.first_walk is not None:
            into.first_walk.CopyFrom(_walk_to(state.first_walk))
        return message

    def state_from(self, message: games_pb2.GameState) -> State:
        _want(message)
        chance = chance_from(message.chance)
        state = self._state_from(message.agora, chance)
        check_state(state)
        return state

    def _state_from(self, given: pb.AgoraState, chance: Chance) -> AgoraState:
        players = _players_from(self.game, given.players, "agora.players")
        options = self._options_from(given.options)
        core = Core(self.game.board, players, options)
        core.turn = _within(given.turn, 1, core.turns, "agora.turn")
        core.phase = _within(given.phase, Phase.TAKE, Phase.OVER, "agora.phase")
        core.done = _within(given.done, 0, players - 1, "agora.done")
        core.fountain = _within(given.fountain, 0, players - 1, "agora.fountain")
        core.upright = _each(given.upright, DISTRICTS * players, "agora.upright")
        lying = _each(given.lying, DISTRICTS * players, "agora.lying")
        core.total = [up + down for up, down in zip(core.upright, lying, strict=True)]
        for seat in range(players):
            core.supply[seat] -= sum(core.total[seat::players])
        core.hands = _all_squares(given.hands, players, "agora.hands")
        core.piles = _all_squares(given.piles, moves.PILES, "agora.piles")
        core.removed = _squares_from(given.removed.squares, "agora.removed.squares")
        if given.HasField("first_walk"):
            walk = _walk_from(given.first_walk, "agora.first_walk")
            core.first_walk = moves.walk(walk.what, walk.frm, walk.to)
        core.settle()
        movements = Log(_movement_from(m, players, f"agora.movements[{i}]") for i, m in enumerate(given.movements))
        return AgoraState(self.game, options, chance, core, movements)


def _options_to(options: Options) -> pb.AgoraOptions:
    return _chosen_to(**options)


@cache
def _chosen_to(**options: str) -> pb.AgoraOptions:
    """The same message for the same options: not to be changed."""
    values: dict[str, Any] = {
        name: _OPTION_ENUMS[name].Value(_OPTION_PREFIXES[name] + value) for name, value in options.items()
    }
    return pb.AgoraOptions(**values)


def _event_to(event: Event) -> pb.AgoraEvent:
    match event:
        case ev.Taken():
            taken = pb.AgoraTaken(
                seat=event.seat, from_seat=event.from_seat, back=_district_to(event.back), square=event.square
            )
            return pb.AgoraEvent(taken=taken)
        case ev.Played():
            played = pb.AgoraPlayed(
                seat=event.seat, square=event.square, district=_district_to(event.district), walkers=event.walkers
            )
            return pb.AgoraEvent(played=played)
        case ev.Discarded():
            discarded = pb.AgoraDiscarded(seat=event.seat, back=_district_to(event.back), square=event.square)
            return pb.AgoraEvent(discarded=discarded)
        case ev.Walked():
            return pb.AgoraEvent(walked=_walked_to(event))
        case ev.Drawn():
            drawn = pb.AgoraDrawn(
                seat=event.seat, pile=event.pile + 1, back=_district_to(event.back), square=event.square
            )
            return pb.AgoraEvent(drawn=drawn)
        case ev.FountainPassed():
            passed = pb.AgoraFountainPassed(from_seat=event.from_seat, to_seat=event.to_seat)
            return pb.AgoraEvent(fountain_passed=passed)
        case ev.TurnBegan():
            return pb.AgoraEvent(turn_began=pb.AgoraTurnBegan(turn=event.turn, fountain=event.fountain))
        case ev.Skipped():
            skipped = pb.AgoraSkipped(
                seat=event.seat, phase=cast("pb.AgoraPhase.ValueType", event.phase), rule=event.rule
            )
            return pb.AgoraEvent(skipped=skipped)
        case ev.Ended():
            return pb.AgoraEvent(ended=pb.AgoraEnded(points=event.points, winners=event.winners))
    raise TypeError(f"{type(event).__name__} is no event of Agora")


def _event_from(message: pb.AgoraEvent) -> Event:
    match message.WhichOneof("kind"):
        case "taken":
            taken = message.taken
            return ev.Taken(taken.seat, taken.from_seat, taken.back - 1, taken.square)
        case "played":
            played = message.played
            return ev.Played(played.seat, played.square, played.district - 1, played.walkers)
        case "discarded":
            discarded = message.discarded
            return ev.Discarded(discarded.seat, discarded.back - 1, discarded.square)
        case "walked":
            walked = message.walked
            frm = _district_from(getattr(walked, "from"), "agora.walked.from")
            return ev.Walked(walked.seat, walked.walker, frm, _district_from(walked.to, "agora.walked.to"))
        case "drawn":
            drawn = message.drawn
            return ev.Drawn(drawn.seat, drawn.pile - 1, drawn.back - 1, drawn.square)
        case "fountain_passed":
            return ev.FountainPassed(message.fountain_passed.from_seat, message.fountain_passed.to_seat)
        case "turn_began":
            return ev.TurnBegan(message.turn_began.turn, message.turn_began.fountain)
        case "skipped":
            return ev.Skipped(message.skipped.seat, message.skipped.phase, message.skipped.rule)
        case "ended":
            return ev.Ended(tuple(message.ended.points), tuple(message.ended.winners))
    raise Malformed("agora", "says no kind of event")


def _want(envelope: _Envelope) -> None:
    if envelope.WhichOneof("game") != "agora":
        raise Malformed("agora", "is missing: this is a game of Agora Barcelona")


def _within(number: int, low: int, high: int, field: str) -> int:
    if not low <= number <= high:
        raise Malformed(field, f"must be {low} to {high}, not {number}")
    return number


def _district_to(district: int) -> pb.AgoraDistrict.ValueType:
    return cast("pb.AgoraDistrict.ValueType", district + 1)


def _district_from(number: int, field: str) -> int:
    if number == pb.AGORA_DISTRICT_UNSPECIFIED:
        raise Malformed(field, "says no district")
    return _within(number, 1, DISTRICTS, field) - 1


def _square_from(number: int, field: str) -> int:
    return _within(number, 1, SQUARES, field)


def _seat_from(number: int, field: str) -> int:
    return _within(number, 0, moves.MOST_PLAYERS - 1, field)


def _players_from(game: Agora, number: int, field: str) -> int:
    return _within(number, game.min_players, game.max_players, field)


def _each(numbers: Sequence[int], count: int, field: str) -> list[int]:
    """So many numbers, none below 0."""
    if len(numbers) != count:
        raise Malformed(field, f"must be {count} numbers, not {len(numbers)}")
    return [_within(number, 0, 1000, f"{field}[{i}]") for i, number in enumerate(numbers)]


def _squares_from(numbers: Iterable[int], field: str) -> list[int]:
    return [_square_from(number, f"{field}[{i}]") for i, number in enumerate(numbers)]


def _all_squares(lists: Sequence[pb.AgoraSquares], count: int, field: str) -> list[list[int]]:
    if len(lists) != count:
        raise Malformed(field, f"must be {count}, not {len(lists)}")
    return [_squares_from(one.squares, f"{field}[{i}].squares") for i, one in enumerate(lists)]


def _walk_to(walk: Parts) -> pb.AgoraWalkMove:
    return pb.AgoraWalkMove(walker=walk.what, to=_district_to(walk.to), **{"from": _district_to(walk.frm)})


def _walked_to(walked: ev.Walked) -> pb.AgoraWalked:
    return pb.AgoraWalked(
        seat=walked.seat,
        walker=walked.walker,
        to=_district_to(walked.to),
        **{"from": _district_to(walked.frm)},
    )


def _walk_from(message: pb.AgoraWalkMove | pb.AgoraWalked, field: str) -> Parts:
    return Parts(
        Kind.WALK,
        _seat_from(message.walker, f"{field}.walker"),
        _district_from(getattr(message, "from"), f"{field}.from"),
        _district_from(message.to, f"{field}.to"),
    )


def _source_to(kind: int, source: int) -> int:
    if kind == Moved.TAKEN:
        return source
    return source + 1 if kind == Moved.DRAWN else 0


# A position is written down with every move, and its movements are the same few thousand again and again.
@lru_cache(maxsize=1 << 14)
def _movement_to(moved: Movement) -> bytes:
    """The bytes of a position with this movement alone: put together they are a position with all of them."""
    movement = pb.AgoraMovement(
        kind=cast("pb.AgoraSightingKind.ValueType", moved.kind),
        seat=moved.seat,
        square=moved.square,
        **{"from": _source_to(moved.kind, moved.source)},
    )
    return pb.AgoraState(movements=[movement]).SerializeToString()


@lru_cache(maxsize=1 << 14)
def _sighting_to(seen: Sighting) -> pb.AgoraSighting:
    return pb.AgoraSighting(
        kind=cast("pb.AgoraSightingKind.ValueType", seen.kind),
        seat=seen.seat,
        back=_district_to(seen.back),
        square=seen.square,
        **{"from": _source_to(seen.kind, seen.source)},
    )


def _source_from(kind: int, number: int, players: int, field: str) -> int:
    if kind == Moved.TAKEN:
        return _within(number, 0, players - 1, field)
    if kind == Moved.DRAWN:
        return _within(number, 1, moves.PILES, field) - 1
    return _within(number, 0, 0, field) - 1


def _movement_from(message: pb.AgoraMovement, players: int, field: str) -> Movement:
    kind = _within(message.kind, Moved.DEALT, Moved.DRAWN, f"{field}.kind")
    return Movement(
        kind,
        _within(message.seat, 0, players - 1, f"{field}.seat"),
        _source_from(kind, getattr(message, "from"), players, f"{field}.from"),
        _square_from(message.square, f"{field}.square"),
    )


def _sighting_from(message: pb.AgoraSighting, players: int, field: str) -> Sighting:
    kind = _within(message.kind, Moved.DEALT, Moved.DRAWN, f"{field}.kind")
    return Sighting(
        kind,
        _within(message.seat, 0, players - 1, f"{field}.seat"),
        _source_from(kind, getattr(message, "from"), players, f"{field}.from"),
        _within(message.back, 0, DISTRICTS, f"{field}.back") - 1,
        _within(message.square, 0, SQUARES, f"{field}.square"),
    )
