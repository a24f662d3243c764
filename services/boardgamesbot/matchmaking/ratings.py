"""GetRating and ListLeaderboard: reads the request, asks the store, answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games import registry
from boardgamesbot.matchmaking import bot_ratings
from boardgamesbot.matchmaking.rating import Skill
from boardgamesbot.players.registry import BOTS
from boardgamesbot.runtime import errors, fields
from boardgamesbot.runtime.interceptor import caller
from boardgamesbot.store.ratings import Pool, Rated, RatingStore
from boardgamesbot.v1 import matchmaking_pb2 as pb
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT, PLAYER_KIND_GUEST, Player

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from boardgamesbot.games.base import Game
    from boardgamesbot.runtime.settings import Settings

DEFAULT_PAGE = 20
LARGEST_PAGE = 100
LONGEST_ID = 128


def rating_store(redis: Redis, settings: Settings) -> RatingStore:
    """The ratings, kept as the settings say."""
    return RatingStore(redis, kept_days=settings.rating_days, games_needed=settings.rating_games)


def skill_in(rated: Rated | None) -> Skill:
    """The skill in a rating; what everybody begins with where there is none."""
    return Skill(rated.mu, rated.sigma) if rated else Skill()


class Ratings:
    """What others may know of ratings."""

    def __init__(self, store: RatingStore, games_needed: int) -> None:
        self._store = store
        self._games_needed = games_needed

    async def get(self, request: pb.GetRatingRequest) -> pb.GetRatingResponse:
        game = fields.read("", registry.game, request.game_id)
        sizes = range(game.min_players, game.max_players + 1)
        if request.players:
            sizes = range(_players(game, request.players), request.players + 1)
        player = _whose(request, game)
        who = bot_ratings.bot_id(player.bot) if player.bot else player.id
        response = pb.GetRatingResponse()
        for size in sizes:
            pool = Pool(game.id, size)
            rated, rank = await self._store.placed(pool, who)
            if rated is None:
                skill = bot_ratings.skill_of(pool, player.bot) if player.bot else Skill()
                rated = Rated(who, player.name, skill.mu, skill.sigma, skill.points, 0)
            response.ratings.append(_shown(pool, rated, rank))
        return response

    async def leaderboard(self, request: pb.ListLeaderboardRequest) -> pb.ListLeaderboardResponse:
        game = fields.read("", registry.game, request.game_id)
        pool = Pool(game.id, _players(game, request.players))
        if not 0 <= request.page_size <= LARGEST_PAGE:
            raise errors.invalid_field("page_size", f"must be 1 to {LARGEST_PAGE}, not {request.page_size}")
        try:
            placed, token = await self._store.page(pool, request.page_size or DEFAULT_PAGE, request.page_token)
        except ValueError:
            raise errors.invalid_field("page_token", "is not one this server gave") from None
        ratings = [_shown(pool, place.rated, place.rank) for place in placed]
        return pb.ListLeaderboardResponse(ratings=ratings, next_page_token=token, games_needed=self._games_needed)


def _players(game: Game, players: int) -> int:
    """A number of players that the game takes. Raises ApiError."""
    if not game.min_players <= players <= game.max_players:
        raise errors.invalid_field(
            "players", f"{game.name} is for {game.min_players} to {game.max_players} players, not {players}"
        )
    return players


def _whose(request: pb.GetRatingRequest, game: Game) -> Player:
    """Whose rating is asked for. Raises ApiError."""
    if request.WhichOneof("whose") == "bot":
        bot = BOTS.get(request.bot)
        if bot is None or game.id not in bot.brains or bot.by_rule:
            raise errors.invalid_field("bot", f"{request.bot[:32]!r} is no bot with a rating in {game.name}")
        return Player(name=bot.name, kind=PLAYER_KIND_BOT, bot=bot.id)
    if not request.player_id:
        return caller().player
    if len(request.player_id) > LONGEST_ID or not request.player_id.isprintable():
        raise errors.invalid_field("player_id", f"must be 1 to {LONGEST_ID} printable characters")
    return Player(id=request.player_id, kind=PLAYER_KIND_GUEST)


def _shown(pool: Pool, rated: Rated, rank: int | None) -> pb.Rating:
    bot = bot_ratings.bot_of(rated.who)
    player = Player(name=rated.name, kind=PLAYER_KIND_BOT, bot=bot)
    if not bot:
        player = Player(id=rated.who, name=rated.name, kind=PLAYER_KIND_GUEST)
    return pb.Rating(
        player=player,
        game_id=pool.game_id,
        players=pool.players,
        points=rated.points,
        mu=rated.mu,
        sigma=rated.sigma,
        games=rated.games,
        rank=rank,
    )
