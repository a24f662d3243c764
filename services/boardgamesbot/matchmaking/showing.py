"""Tickets, matches and queues as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.v1 import matchmaking_pb2 as pb
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_GUEST, Player

if TYPE_CHECKING:
    from boardgamesbot.store.tickets import Person, Queue, StoredMatch, StoredTicket

STATUSES = {
    "party": pb.TICKET_STATUS_PARTY,
    "waiting": pb.TICKET_STATUS_WAITING,
    "proposed": pb.TICKET_STATUS_PROPOSED,
    "opening": pb.TICKET_STATUS_OPENING,
    "matched": pb.TICKET_STATUS_MATCHED,
    "cancelled": pb.TICKET_STATUS_CANCELLED,
    "expired": pb.TICKET_STATUS_EXPIRED,
    "failed": pb.TICKET_STATUS_FAILED,
}


def player(person: Person) -> Player:
    """A person as a player: bots have no tickets."""
    return Player(id=person.id, name=person.name, kind=PLAYER_KIND_GUEST)


def ticket(stored: StoredTicket, viewer_id: str, waiting: pb.Waiting | None, now_ms: int) -> pb.Ticket:
    """A ticket as one of its players sees it. `now_ms` is the store's clock."""
    request = pb.CreateTicketRequest.FromString(stored.request)
    shown = pb.Ticket(
        id=stored.id,
        status=STATUSES[stored.status],
        game_id=request.game_id,
        options=request.options if request.HasField("options") else None,
        min_players=request.min_players,
        max_players=request.max_players,
        party=map(player, stored.party),
        party_size=request.party_size,
        join_code=stored.code,
        window=request.window,
        bots=request.bots if request.HasField("bots") else None,
        acceptance=request.acceptance,
        unrated=request.unrated,
    )
    shown.wait_time.FromMilliseconds(stored.queued_ms)
    if stored.status == "waiting" and waiting is not None:
        shown.waiting.CopyFrom(waiting)
    if stored.match is not None:
        shown.match.CopyFrom(match(stored.match, viewer_id, now_ms))
    return shown


def match(stored: StoredMatch, viewer_id: str, now_ms: int) -> pb.Match:
    """A match as one of its players sees it."""
    shown = pb.Match(id=stored.id, players=len(stored.seats), table_id=stored.table_id)
    for number, seat in enumerate(stored.seats):
        if seat.person is None:
            continue
        accepted = stored.deadline_ms is None or seat.person.id in stored.accepted
        shown.people.add(player=player(seat.person), accepted=accepted)
        if stored.table_id and seat.person.id == viewer_id:
            shown.seat = number
    if stored.deadline_ms is not None:
        shown.accept_before.FromMilliseconds(stored.deadline_ms)
        shown.accept_within.FromMilliseconds(max(0, stored.deadline_ms - now_ms))
    return shown


def waiting(queues: list[Queue], sizes: range) -> pb.Waiting:
    """How busy it is for a ticket that takes tables of `sizes`.

    Most who wait take several sizes: the players of the fullest queue are counted, not those of all.
    """
    mine = [queue for queue in queues if queue.players in sizes]
    shown = pb.Waiting(players=max(queue.waiting for queue in mine))
    known = [queue.recent_wait_ms for queue in mine if queue.recent_wait_ms is not None]
    if known:
        shown.recent_wait.FromMilliseconds(min(known))
    return shown


def queue(game_id: str, stored: Queue) -> pb.Queue:
    """Those who wait for one size of table."""
    shown = pb.Queue(
        game_id=game_id,
        players=stored.players,
        waiting=stored.waiting,
        matches=stored.matches,
        recent_difference=stored.recent_difference,
    )
    if stored.recent_wait_ms is not None:
        shown.recent_wait.FromMilliseconds(stored.recent_wait_ms)
    return shown
