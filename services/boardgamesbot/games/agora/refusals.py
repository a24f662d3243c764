"""Why a move is not legal: the rule it breaks, in words that name what is in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.agora import moves
from boardgamesbot.games.agora.core import Phase
from boardgamesbot.games.agora.moves import Kind, Parts
from boardgamesbot.games.base import IllegalMove, Move

if TYPE_CHECKING:
    from boardgamesbot.games.agora.core import Core
    from boardgamesbot.games.agora.game import Agora

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


class Refusals:
    """Explains what `Core.is_legal` says no to."""

    def __init__(self, game: Agora, core: Core) -> None:
        self._game = game
        self._core = core

    def of(self, move: Move) -> IllegalMove:
        """The refusal of a move that is not legal. Raises Malformed if it is no move of Agora."""
        wanted = moves.parts(move)
        if self._core.is_over:
            return self._illegal("AG-S4", "the game is over")
        phase = Phase(self._core.phase)
        if wanted.kind not in _KINDS_OF_PHASE[phase]:
            return self._illegal("AG-T1", f"now it is time to {_TASK_OF_PHASE[phase]}")
        match wanted.kind:
            case Kind.TAKE:
                return self._take(wanted.what)
            case Kind.PLAY:
                return self._play(wanted.what)
            case Kind.DISCARD:
                return self._discard(wanted.what)
            case Kind.WALK:
                return self._walk(wanted)
            case Kind.DRAW:
                return self._illegal("AG-P4.1", f"pile {wanted.what + 1} is used up", pile=wanted.what + 1)
            case Kind.PASS_FOUNTAIN:
                return self._pass(wanted.what)

    def _illegal(self, rule: str, reason: str, **details: object) -> IllegalMove:
        return IllegalMove(self._game.rules[rule], reason, {name: str(value) for name, value in details.items()})

    def _district(self, district: int) -> str:
        return self._game.ruleset.district_names[district]

    def _square(self, square: int) -> str:
        return self._game.ruleset.square_names[square]

    def _row(self, district: int) -> list[int]:
        """The walkers in a district by seat."""
        start = district * self._core.players
        return self._core.total[start : start + self._core.players]

    def _take(self, back: int) -> IllegalMove:
        left = self._core.left_of_acting()
        colour, where = self._game.seat_colours[left], self._district(back)
        return self._illegal("AG-P1.3", f"{colour} holds no square of {where}", player=colour, district=where)

    def _play(self, square: int) -> IllegalMove:
        core, ruleset = self._core, self._game.ruleset
        seat = core.acting()
        name, value = self._square(square), ruleset.value_of[square]
        if square not in core.hands[seat]:
            return self._illegal("AG-P2.1", f"{name} is not in your hand", square=square)
        if value > core.supply[seat]:
            return self._illegal(
                "AG-P2.2",
                f"{name} wants {value} walkers and you have {core.supply[seat]} left",
                square=square,
                walkers=core.supply[seat],
            )
        district = ruleset.district_of[square]
        row = self._row(district)
        row[seat] += value
        return self._shared("AG-P2.3", f"with {value} more walkers of {self._game.seat_colours[seat]}", {district: row})

    def _discard(self, square: int) -> IllegalMove:
        core = self._core
        seat = core.acting()
        if square not in core.hands[seat]:
            return self._illegal("AG-P2.4", f"{self._square(square)} is not in your hand", square=square)
        playable = [own for own in sorted(core.hands[seat]) if core.is_playable(seat, own)]
        names = ", ".join(self._square(own) for own in playable)
        return self._illegal("AG-P2.4", f"you can still play {names}", square=square)

    def _walk(self, wanted: Parts) -> IllegalMove:
        core = self._core
        walker, frm, to = wanted.what, wanted.frm, wanted.to
        if walker >= core.players:
            return self._illegal("AG-P3.1", f"nobody has seat {walker} in this game", walker=walker)
        colour = self._game.seat_colours[walker]
        where, whither = self._district(frm), self._district(to)
        if to not in self._game.ruleset.neighbours[frm]:
            return self._illegal("AG-P3.1", f"{where} does not border on {whither}", **{"from": where, "to": whither})
        first = moves.parts(core.first_walk) if core.phase == Phase.SECOND_WALK else None
        if core.is_last_turn:
            if walker != core.acting():
                return self._illegal(
                    "AG-P3.3", f"in the last turn you walk your own walkers, not {colour}", walker=colour
                )
        elif first is not None and walker == first.what:
            return self._illegal("AG-P3.1", f"you have moved a {colour} walker already", walker=colour)
        if not core.upright[frm * core.players + walker]:
            lying = core.total[frm * core.players + walker]
            state = "every one has walked this turn" if lying else "there is none"
            return self._illegal(
                "AG-P3.1", f"no {colour} walker stands upright in {where}: {state}", walker=colour, district=where
            )
        if first is None:
            return self._illegal(
                "AG-P3.2",
                f"no second walk would leave every district with at most one leader after {colour} "
                f"from {where} to {whither}",
                walker=colour,
                **{"from": where, "to": whither},
            )
        rows = {district: self._row(district) for district in sorted({first.frm, first.to, frm, to})}
        rows[frm][walker] -= 1
        rows[to][walker] += 1
        return self._shared("AG-P3.2", f"after {colour} from {where} to {whither}", rows)

    def _shared(self, rule: str, after: str, rows: dict[int, list[int]]) -> IllegalMove:
        """The refusal of a shared lead, from the rows of walkers that would be, some of which share one."""
        colours = self._game.seat_colours
        tied = []
        for district, row in rows.items():
            leaders = [colours[seat] for seat, walkers in enumerate(row) if walkers == max(row)]
            if max(row) and len(leaders) > 1:
                tied.append((self._district(district), leaders, max(row)))
        ties = [
            f"{' and '.join(leaders)} tied for most walkers in {where} with {most}" for where, leaders, most in tied
        ]
        where, leaders, most = tied[0]
        return self._illegal(
            rule,
            f"{after} this would leave {'; '.join(ties)}",
            district=where,
            players=", ".join(leaders),
            walkers=most,
        )

    def _pass(self, seat: int) -> IllegalMove:
        if seat >= self._core.players:
            return self._illegal("AG-E1", f"nobody has seat {seat} in this game", seat=seat)
        return self._illegal("AG-E1", "the Magic Fountain goes to another player", seat=seat)
