"""Playing a world on to the end of the turn, everybody taking what looks good."""

from __future__ import annotations

from typing import Final

from boardgamesbot.games.agora.core import DRAW, FIRST_WALK, OVER, PLAY, SECOND_WALK, TAKE, Core
from boardgamesbot.games.agora.moves import FIRST_DISCARD, FIRST_PLAY
from boardgamesbot.games.agora.moves import FIRST_WALK as FIRST_WALK_MOVE
from boardgamesbot.games.chance import Chance
from boardgamesbot.players.agora_search.evaluation import Eye


class Playouts:
    """Plays worlds on. What they come to is left in the eye: expected points and chances to win by seat."""

    def __init__(self, eye: Eye, chance: Chance, sampled: int) -> None:
        self._eye: Final = eye
        self._chance: Final = chance
        self._sampled: Final = sampled

    def finish(self, core: Core) -> None:
        """Play on to the end of the turn, or of the game, and weigh what has come of it.

        The draws at the end of a turn are left out where they are not what is being decided: they are as good for
        one board as for another.
        """
        eye = self._eye
        while core.phase == TAKE or core.phase == DRAW:
            self._go_on(core)
        if core.phase != OVER:
            eye.look(core)
            while core.phase < DRAW:
                self._go_on(core)
        if core.phase == OVER:
            self._count(core)
        else:
            eye.weigh()

    def _go_on(self, core: Core) -> None:
        """The actor takes what looks good; the eye keeps up."""
        eye, phase, legal = self._eye, core.phase, core.legal()
        if FIRST_WALK <= phase <= SECOND_WALK:
            move = self._walk(core, legal)
            core.advance(move, self._chance)
            eye.walked(move - FIRST_WALK_MOVE)
        elif phase == PLAY and legal[0] < FIRST_DISCARD:
            seat = core.actor
            move = _best(legal, eye.gauge(core, seat, legal))
            core.advance(move, self._chance)
            eye.played(seat, move - FIRST_PLAY + 1)
        else:
            core.advance(legal[self._chance.below(len(legal))], self._chance)

    def _walk(self, core: Core, legal: list[int]) -> int:
        eye = self._eye
        eye.begin(core.actor)
        eye.gauge_walks()
        leave, enter, leaving, entering = eye.leave, eye.enter, eye.leaving, eye.entering
        best, found = -1e9, legal[0]
        if 0 < self._sampled < len(legal):
            for _ in range(self._sampled):
                move = legal[self._chance.below(len(legal))]
                number = move - FIRST_WALK_MOVE
                gain = leave[leaving[number]] + enter[entering[number]]
                if gain > best:
                    best, found = gain, move
        else:
            for move in legal:
                number = move - FIRST_WALK_MOVE
                gain = leave[leaving[number]] + enter[entering[number]]
                if gain > best:
                    best, found = gain, move
        return found

    def _count(self, core: Core) -> None:
        """The end: points and victory as they are."""
        eye = self._eye
        winners = core.winners()
        for seat, points in enumerate(core.scores()):
            eye.expected[seat] = float(points)
            eye.win[seat] = 0.0
        for seat in winners:
            eye.win[seat] = 1.0 / len(winners)


def _best(legal: list[int], worth: list[float]) -> int:
    best = 0
    for number in range(1, len(legal)):
        if worth[number] > worth[best]:
            best = number
    return legal[best]
