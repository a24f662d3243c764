"""Whether a position that came from outside can be one: what every position of a game has in common."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from boardgamesbot.games.agora.board import members_of
from boardgamesbot.games.agora.dealing import Contradiction
from boardgamesbot.games.agora.movements import Moved, hands_after
from boardgamesbot.games.agora.ruleset import SQUARES
from boardgamesbot.games.base import Malformed

if TYPE_CHECKING:
    from boardgamesbot.games.agora.state import AgoraState
    from boardgamesbot.games.agora.view import AgoraView

MOST_SIGHTINGS = 400


def check_state(state: AgoraState) -> None:
    """Raise Malformed, with the field, for a position that no game leads to."""
    if len(state.movements) > MOST_SIGHTINGS:
        raise Malformed("agora.movements", f"must be at most {MOST_SIGHTINGS}, not {len(state.movements)}")
    _check_squares(state)
    _check_counts(state)
    _check_walkers(state)
    _check_phase(state)


def check_view(view: AgoraView) -> None:
    """Raise Malformed unless some position agrees with the view."""
    if not 1 <= view.turn <= view.turns:
        raise Malformed("agora.turn", f"must be 1 to {view.turns}, not {view.turn}")
    if len(view.sightings) > MOST_SIGHTINGS:
        raise Malformed("agora.sightings", f"must be at most {MOST_SIGHTINGS}, not {len(view.sightings)}")
    try:
        state = view.determinize(Random(0))
    except Contradiction:
        raise Malformed("agora.sightings", "contradict one another or the piles") from None
    check_state(state)
    if state.actor != view.actor:
        raise Malformed("agora.actor", f"must be {state.actor} in this phase, not {view.actor}")
    if state.view(view.seat) != view:
        raise Malformed("agora", "is not what this seat sees of any position")


def _check_squares(state: AgoraState) -> None:
    """Every square is in one place, and the movements lead there."""
    try:
        hands = hands_after(state.movements, state.players)
    except ValueError:
        raise Malformed("agora.movements", "take a square out of a hand that doesn't hold it") from None
    for seat, hand in enumerate(state.hands):
        if hand != hands[seat]:
            raise Malformed(f"agora.hands[{seat}].squares", "is not what the movements lead to")
    spent = [moved.square for moved in state.movements if moved.enters < 0]
    everywhere = [*spent, *state.removed, *state.piles[0], *state.piles[1], *(s for hand in hands for s in hand)]
    if sorted(everywhere) != list(range(1, SQUARES + 1)):
        raise Malformed("agora", f"must hold each of the squares 1 to {SQUARES} in one place")


def _check_counts(state: AgoraState) -> None:
    """As many squares have moved as the turn and the phase say (AG-S1, AG-S2, AG-S4)."""
    from boardgamesbot.games.agora.core import Phase

    ruleset, players = state.game.ruleset, state.players
    setup = ruleset.setup(players)
    if len(state.removed) != setup.removed:
        raise Malformed("agora.removed.squares", f"must be {setup.removed}, not {len(state.removed)}")
    count = {kind: sum(1 for m in state.movements if m.kind == kind) for kind in Moved}
    stock = SQUARES - setup.removed - ruleset.hand * players
    turns_over = state.turn - 1
    plays = turns_over * players + _of_phase(state, Phase.PLAY)
    draws = min(stock, turns_over * players + _of_phase(state, Phase.DRAW))
    for kinds, wanted in (
        ((Moved.DEALT,), ruleset.hand * players),
        ((Moved.PLAYED, Moved.DISCARDED), plays),
        ((Moved.DRAWN,), draws),
    ):
        found = sum(count[kind] for kind in kinds)
        if found != wanted:
            names = " and ".join(kind.name for kind in kinds)
            raise Malformed("agora.movements", f"must hold {wanted} of {names} by now, not {found}")
    if count[Moved.TAKEN] > state.turn * players:
        raise Malformed("agora.movements", "hold more squares taken than there were turns to take them")
    sizes = [len(hand) for hand in state.hands]
    if state.phase not in (Phase.TAKE, Phase.PLAY, Phase.DRAW) and max(sizes) != min(sizes):
        raise Malformed("agora.hands", "must be of equal size in this phase")
    if state.phase == Phase.PLAY and not state.hands[(state.fountain + state.done) % players]:
        raise Malformed("agora.hands", "must leave the player whose turn it is something to play")


def _of_phase(state: AgoraState, phase: int) -> int:
    """How many players are done with a phase of the current turn."""
    if state.phase == phase:
        return state.done
    return state.players if state.phase > phase else 0


def _check_walkers(state: AgoraState) -> None:
    """Each player's walkers on the board are those their squares brought (AG-S3, AG-P2.1)."""
    value_of = state.game.ruleset.value_of
    for seat in range(state.players):
        placed = sum(value_of[m.square] for m in state.movements if m.kind == Moved.PLAYED and m.seat == seat)
        standing = sum(state.total[seat :: state.players])
        if standing != placed or state.supply[seat] < 0:
            raise Malformed("agora.upright", f"with `lying`, seat {seat} must have {placed} walkers, not {standing}")


def _check_phase(state: AgoraState) -> None:
    """What can only be in some phases is in no other (AG-T1, AG-P3.1, AG-P3.2)."""
    from boardgamesbot.games.agora.core import Phase

    phase = Phase(state.phase)
    if (state.first_walk is not None) != (phase == Phase.SECOND_WALK):
        raise Malformed("agora.first_walk", "must be there while the second walk is being decided, and only then")
    if state.done and phase in (Phase.PASS_FOUNTAIN, Phase.OVER):
        raise Malformed("agora.done", "must be 0 in this phase")
    if ((phase == Phase.OVER) and not state.is_last_turn) or (phase == Phase.PASS_FOUNTAIN and state.is_last_turn):
        raise Malformed("agora.phase", "is not one of this turn's")
    if phase == Phase.TAKE and not (state.choosing and state.hands[(state.fountain + state.done + 1) % state.players]):
        raise Malformed("agora.phase", "is decided by nobody with these options and hands")
    if phase == Phase.DRAW and not any(state.piles):
        raise Malformed("agora.phase", "is over once the piles are used up")
    if any(state.lying) and phase not in (Phase.FIRST_WALK, Phase.SECOND_WALK, Phase.DRAW):
        raise Malformed("agora.lying", "must be 0 outside the phases of walking and drawing")
    walk = state.first_walk
    if walk is not None and (walk.what >= state.players or not state.lying[walk.to * state.players + walk.what]):
        raise Malformed("agora.first_walk", "must have left a walker lying")
    if phase != Phase.SECOND_WALK:
        for district in members_of(state.core.tied_districts):
            raise Malformed("agora.upright", f"leaves a shared lead in {state.game.ruleset.district_names[district]}")
    if phase in (Phase.FIRST_WALK, Phase.SECOND_WALK) and not state.legal_moves():
        raise Malformed("agora.phase", "leaves nothing to decide: nobody can walk")
