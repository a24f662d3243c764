"""The greedy bot of Barcelona: a whole turn ahead, judged by what it brings and what it leaves."""

from __future__ import annotations

from random import Random

from boardgamesbot.games.barcelona.moves import STOP
from boardgamesbot.games.barcelona.state import BarcelonaState
from boardgamesbot.games.barcelona.tasks import Do
from boardgamesbot.games.barcelona.view import BarcelonaView
from boardgamesbot.games.base import Move, View
from boardgamesbot.players.barcelona_quick import Quick
from boardgamesbot.players.barcelona_worth import Outlook
from boardgamesbot.players.base import Brain

_PLACEMENTS = 24
_CHOICES = 16


class GreedyBarcelona(Brain):
    """Plays each promising choice on to the end of its own turn, and takes the one whose end it likes best.

    It thinks on the position it is shown, in which everything hidden is blank: a Modernisme tile that it takes leaves
    a gap in the display, and the citizens it draws are nobody.
    """

    def choose(self, view: View, rng: Random) -> Move:
        assert isinstance(view, BarcelonaView)
        legal = view.legal_moves()
        if len(legal) == 1:
            return legal[0]
        state = view.position
        assert view.seat is not None
        outlook = Outlook(state, view.seat)
        quick = Quick(outlook, state)
        promising = _shortlist(state, quick, rng)
        if len(promising) == 1:
            return promising[0]
        return max(promising, key=lambda move: self._end_of_turn(state, move, outlook, quick))

    @staticmethod
    def _end_of_turn(state: BarcelonaState, move: Move, outlook: Outlook, quick: Quick) -> float:
        after = state.copy()
        after.advance(move)
        while after.actor == outlook.seat and after.task[0] != Do.PLACE:
            after.advance(quick.pick(after))
        return outlook.position(after) + quick.sites.openings(after)


def _shortlist(state: BarcelonaState, quick: Quick, rng: Random) -> list[Move]:
    """The moves that look best at once; to decline is always thought about. Equal ones in an order of chance."""
    most = _PLACEMENTS if state.task[0] == Do.PLACE else _CHOICES
    legal = state.legal.copy()
    if len(legal) <= most:
        rng.shuffle(legal)
        return legal
    rated = list(zip(quick.rate(state), legal, strict=True))
    rng.shuffle(rated)
    rated.sort(key=lambda pair: pair[0], reverse=True)
    found = [move for _, move in rated[:most]]
    return found if legal[0] != STOP or STOP in found else [*found, STOP]
