"""Barcelona's values as messages, and back with nothing taken on trust."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import cast

from boardgamesbot.games.barcelona.game import Barcelona
from boardgamesbot.games.barcelona.geometry import street_of
from boardgamesbot.games.barcelona.proto.events import EventCodec
from boardgamesbot.games.barcelona.proto.fields import Ids, number_of, so_many, within
from boardgamesbot.games.barcelona.proto.gaudi import cards_to, read_deck
from boardgamesbot.games.barcelona.proto.moves import MoveCodec
from boardgamesbot.games.barcelona.proto.options import options_from, options_to
from boardgamesbot.games.barcelona.proto.position import PositionCodec, citizens_to
from boardgamesbot.games.barcelona.proto.tasks import TaskCodec
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.validity import check_state, check_view
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.base import Event, Malformed, Move, Options, State, View
from boardgamesbot.games.chance import FastChance
from boardgamesbot.games.proto import Codec, chance_from, put_chance
from boardgamesbot.v1 import barcelona_pb2 as pb
from boardgamesbot.v1 import games_pb2

_Envelope = games_pb2.GameOptions | games_pb2.GameMove | games_pb2.GameEvent | games_pb2.GameView | games_pb2.GameState


class BarcelonaCodec(Codec):
    """The codec of Barcelona. Places and pieces count from 1 in messages, from 0 inside; tiles go by their ids."""

    game: Barcelona

    def __init__(self, game: Barcelona) -> None:
        super().__init__(game)
        self._ids = Ids(game.ruleset)
        self._moves = MoveCodec(game.ruleset, self._ids)
        self._events = EventCodec(game.ruleset, self._ids)
        self._tasks = TaskCodec(self._ids)
        self._positions = PositionCodec(game, self._ids)

    # Options

    def options_to(self, options: Options) -> games_pb2.GameOptions:
        return games_pb2.GameOptions(barcelona=options_to(options))

    def options_from(self, message: games_pb2.GameOptions) -> Options:
        if message.WhichOneof("game") is None:
            return self.game.complete_options({})
        _want(message)
        return options_from(self.game, message.barcelona, "barcelona")

    # Moves and events

    def move_to(self, move: Move) -> games_pb2.GameMove:
        return games_pb2.GameMove(barcelona=self._moves.to(move))

    def move_from(self, message: games_pb2.GameMove) -> Move:
        _want(message)
        return self._moves.read(message.barcelona)

    def event_to(self, event: Event) -> games_pb2.GameEvent:
        return games_pb2.GameEvent(barcelona=self._events.to(event))

    def event_from(self, message: games_pb2.GameEvent) -> Event:
        _want(message)
        return self._events.read(message.barcelona)

    # Views

    def view_to(self, view: View) -> games_pb2.GameView:
        assert isinstance(view, BarcelonaView)
        ids, position = self._ids, view.position
        unseen = view.unseen_citizens()
        message = pb.BarcelonaView(
            seat=view.seat,
            actor=view.actor,
            hand=cast("list[pb.BarcelonaCitizen.ValueType]", view.hand),
            decision=self._decision(position) if position.tasks else None,
            points=position.scores(),
            unseen_citizens=citizens_to([unseen.count(citizen) for citizen in (1, 2, 3)]),
            unseen_modernisme=[ids.scorings[tile] for tile in view.unseen_modernisme()],
            unseen_cards=cards_to(view.unseen_cards()),
        )
        self._positions.put(position, message.position)
        return games_pb2.GameView(barcelona=message)

    def _decision(self, position: BarcelonaState) -> pb.BarcelonaDecision:
        """What is being decided, with what a reader would have to look up."""
        task, ids, ruleset = position.task, self._ids, position.ruleset
        actions: Sequence[int] = ()
        effects: Sequence[int] = ()
        if task[0] == Do.ACTIONS:
            actions = [position.slots[s] for s in ruleset.city.streets_at[task[1]] if task[2] >> s & 1]
        elif task[0] == Do.RIDE:
            actions = [position.slots[street_of(task[1])]]
        elif task[0] == Do.GAUDI:
            actions = ruleset.gaudi.cards[position.deck[-1]].actions
        elif task[0] in (Do.CHOICE, Do.PARTS):
            effects = ruleset.nodes[task[1]].kids
        return pb.BarcelonaDecision(
            task=self._tasks.to(task),
            actions=[ids.actions[action] for action in actions],
            effects=[ids.effects[effect] for effect in effects],
        )

    def view_from(self, message: games_pb2.GameView) -> View:
        """Reads the position and the reader's hand; what follows from them is worked out anew."""
        _want(message)
        given = message.barcelona
        position = self._positions.read(given.position, FastChance(Random(0)))
        last = position.players - 1
        seat = within(given.seat, 0, last, "barcelona.seat") if given.HasField("seat") else None
        actor = within(given.actor, 0, last, "barcelona.actor") if given.HasField("actor") else None
        if actor != position.actor:
            raise Malformed("barcelona.actor", f"must be {position.actor} in this position, not {actor}")
        hand = _citizens(given.hand, "barcelona.hand")
        if seat is not None:
            so_many(hand, len(position.hands[seat]), "barcelona.hand")
            position.hands[seat] = hand
        elif hand:
            raise Malformed("barcelona.hand", "must be empty for a spectator")
        view = BarcelonaView(position, seat)
        check_view(view)
        return view

    # States

    def state_to(self, state: State) -> games_pb2.GameState:
        assert isinstance(state, BarcelonaState)
        # Written down with every move: everything is put where it stays, since a message given to another is copied.
        message = games_pb2.GameState()
        put_chance(state.chance, message.chance)
        into = message.barcelona
        self._positions.put(state, into.position)
        for hand in state.hands:
            into.hands.add(citizens=cast("list[pb.BarcelonaCitizen.ValueType]", hand))
        into.bag.extend(cast("list[pb.BarcelonaCitizen.ValueType]", state.bag))
        into.modernisme_stack.extend(self._ids.scorings[tile] for tile in state.modernisme_stack)
        into.deck.extend(cards_to(state.deck))
        return message

    def state_from(self, message: games_pb2.GameState) -> State:
        _want(message)
        chance = chance_from(message.chance)
        given = message.barcelona
        state = self._positions.read(given.position, chance)
        so_many(given.hands, state.players, "barcelona.hands")
        for seat, hand in enumerate(given.hands):
            so_many(hand.citizens, len(state.hands[seat]), f"barcelona.hands[{seat}].citizens")
            state.hands[seat] = _citizens(hand.citizens, f"barcelona.hands[{seat}].citizens")
        so_many(given.bag, len(state.bag), "barcelona.bag")
        state.bag = _citizens(given.bag, "barcelona.bag")
        so_many(given.modernisme_stack, len(state.modernisme_stack), "barcelona.modernisme_stack")
        state.modernisme_stack = [
            number_of(self._ids.scorings, tile, f"barcelona.modernisme_stack[{i}]")
            for i, tile in enumerate(given.modernisme_stack)
        ]
        state.deck = read_deck(state, given.deck, "barcelona.deck")
        check_state(state)
        return state


def _want(envelope: _Envelope) -> None:
    if envelope.WhichOneof("game") != "barcelona":
        raise Malformed("barcelona", "is missing: this is a game of Barcelona")


def _citizens(numbers: Sequence[int], where: str) -> list[int]:
    return [within(number, 1, 3, f"{where}[{i}]") for i, number in enumerate(numbers)]
