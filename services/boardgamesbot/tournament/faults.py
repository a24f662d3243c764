"""Games that ended by a fault: which, in words, and as records that `bgb replay` shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from boardgamesbot.games import registry
from boardgamesbot.games.chance import commitment
from boardgamesbot.games.record import Record, RecordPlayer
from boardgamesbot.tournament.entrants import Entrant
from boardgamesbot.tournament.played import Fault, Played, seats_of
from boardgamesbot.tournament.schedule import Plan


def of(games: Mapping[int, Played]) -> Iterator[tuple[int, Played]]:
    """The games that ended by a fault, by number."""
    return ((number, games[number]) for number in sorted(games) if games[number].fault is not None)


def account(number: int, played: Played) -> str:
    """What a game ended by, in a line."""
    fault = played.fault
    assert fault is not None
    return f"game {number}, {played.bots[fault.seat]} in seat {fault.seat}, {fault.kind}: {fault.reason}"


def record(plan: Plan, fault: Fault) -> Record:
    """The record of a game up to its fault: unfinished, the decision that failed being the next."""
    game = registry.game(plan.game_id)
    return Record(
        game=game,
        options=game.complete_options(dict(plan.options)),
        ruleset_hash=game.ruleset.hash,
        players=tuple(RecordPlayer(label, Entrant.parse(label).bot) for label in plan.bots),
        seed_commitment=commitment(plan.seed),
        seed=plan.seed,
        moves=tuple(zip(seats_of(plan, fault.moves), fault.moves, strict=False)),
        result=None,
    )
