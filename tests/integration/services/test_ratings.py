"""Games that were played change ratings; ratings and leaderboards are given to whoever asks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from redis.asyncio import Redis

from boardgamesbot.client import Client, Refused
from boardgamesbot.matchmaking.rating import Skill, after, ranks_of
from boardgamesbot.store.ratings import Pool, Rated, RatingStore
from boardgamesbot.v1 import barcelona_pb2, games_pb2, matchmaking_pb2, players_pb2
from tests.support.bots import TOKEN_KEY
from tests.support.platform import matchmaking_server
from tests.support.play import playing
from tests.support.waiting import eventually

NEW = Skill()


@pytest.fixture
async def matchmaking(rules: str, redis_url: str) -> AsyncIterator[str]:
    """The address of a matchmaking server, its rater at work."""
    async with matchmaking_server(redis_url, rules, token_key=TOKEN_KEY, rating_games=1) as address:
        yield address


@pytest.fixture
async def client(rules: str, matchmaking: str) -> AsyncIterator[Client]:
    async with Client(rules, matchmaking=matchmaking) as client:
        await client.sign_in("Ada")
        yield client


async def test_a_table_remembers_when_a_seat_was_resigned(rules: str) -> None:
    async with playing(rules) as party:
        await party.play(3)
        for seat in (2, 1):
            given_up = await party.clients[seat].resign(party.table_id, seat)
            assert given_up.seats[seat].resigned_version == given_up.version
        again = await party.clients[2].resign(party.table_id, 2)
        assert again.seats[2].resigned_version == again.seats[1].resigned_version - 1


async def test_a_game_to_its_end_counts_once_for_each(rules: str, client: Client) -> None:
    async with playing(rules) as party:
        await party.play()
        people = [one.player for one in party.clients]
        ended = await party.host.table(party.table_id)

        async def rated() -> list[matchmaking_pb2.Rating]:
            found = [(await client.ratings("agora", 3, player_id=player.id))[0] for player in people]
            return found if all(rating.games for rating in found) else []

        ratings = await eventually(rated)
        expected = after([NEW] * 3, ranks_of(ended))
        assert [Skill(rating.mu, rating.sigma) for rating in ratings] == expected
        assert [rating.points for rating in ratings] == [skill.points for skill in expected]
        assert [rating.player for rating in ratings] == people
        assert [rating.games for rating in ratings] == [1, 1, 1]
        board = await client.leaderboard("agora", 3)
        assert [rating for rating in board.ratings if not rating.player.bot] == sorted(
            ratings, key=lambda rating: (rating.points, rating.player.id), reverse=True
        )
        assert [rating.rank for rating in board.ratings] == sorted(rating.rank for rating in board.ratings)
        assert not (await client.ratings("agora", 4, player_id=people[0].id))[0].games


async def test_a_table_says_whether_it_counts(rules: str, client: Client) -> None:
    solo = games_pb2.GameOptions(barcelona=barcelona_pb2.BarcelonaOptions(solo=barcelona_pb2.BARCELONA_SOLO_EASY))
    assert (await client.create_table("agora", 3)).rated
    assert not (await client.create_table("agora", 3, unrated=True)).rated
    assert not (await client.create_table("barcelona", 2, solo)).rated


async def test_everybody_begins_alike_for_every_number_of_players(client: Client) -> None:
    ratings = await client.ratings("barcelona")
    assert [rating.players for rating in ratings] == [2, 3, 4]
    for rating in ratings:
        assert (rating.player, rating.game_id) == (client.player, "barcelona")
        assert (rating.points, rating.mu, rating.sigma, rating.games) == (1500, NEW.mu, NEW.sigma, 0)
        assert not rating.HasField("rank")


async def test_bots_have_ratings_and_stand_on_the_leaderboard(client: Client) -> None:
    (greedy,) = await client.ratings("agora", 3, bot="greedy")
    assert greedy.player == players_pb2.Player(name="Greedy", kind=players_pb2.PLAYER_KIND_BOT, bot="greedy")

    async def listed() -> list[matchmaking_pb2.Rating]:
        return list((await client.leaderboard("agora", 3)).ratings)

    board = await eventually(listed)
    assert [rating.rank for rating in board] == list(range(1, len(board) + 1))
    bots = [rating.player.bot for rating in board]
    assert set(bots[:2]) == {"agora", "agora-hard"}
    assert bots[-1] == "random"
    (greedy,) = await client.ratings("agora", 3, bot="greedy")
    assert board[bots.index("greedy")] == greedy


async def test_a_leaderboard_in_pages(client: Client, redis: Redis) -> None:
    store = RatingStore(redis, kept_days=1, games_needed=1)
    for number in range(5):
        person = Rated(f"guest-{number}", f"Person {number}", 40.0, 1.0, 9000 - number, 1)
        seconds, _ = await redis.time()
        await store.count(Pool("agora", 5), f"table {number}", int(seconds) * 1000, [person])
    seen: list[tuple[int, str]] = []
    token = None
    while token != "" and len(seen) < 5:
        page = await client.leaderboard("agora", 5, page_size=2, page_token=token or "")
        seen += [(rating.rank, rating.player.name) for rating in page.ratings]
        token = page.next_page_token
    assert seen[:5] == [(number + 1, f"Person {number}") for number in range(5)]
    assert page.games_needed == 1


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        (lambda client: client.ratings("chess"), "game_id"),
        (lambda client: client.ratings("agora", 2), "players"),
        (lambda client: client.ratings("agora", bot="nobody"), "bot"),
        (lambda client: client.ratings("barcelona", bot="gaudi"), "bot"),
        (lambda client: client.ratings("agora", player_id="x" * 200), "player_id"),
        (lambda client: client.leaderboard("chess", 3), "game_id"),
        (lambda client: client.leaderboard("agora", 0), "players"),
        (lambda client: client.leaderboard("agora", 6), "players"),
        (lambda client: client.leaderboard("agora", 3, page_size=101), "page_size"),
        (lambda client: client.leaderboard("agora", 3, page_token="x"), "page_token"),
    ],
)
async def test_what_makes_no_sense_is_refused_by_field(
    client: Client, ask: Callable[[Client], Awaitable[object]], field: str
) -> None:
    with pytest.raises(Refused) as caught:
        await ask(client)
    assert (caught.value.reason, caught.value.field) == ("INVALID_FIELD", field)
