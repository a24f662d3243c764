"""The games of this platform, by id. The one list to add a game to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boardgamesbot.games.agora import Agora
from boardgamesbot.games.agora.proto import AgoraCodec
from boardgamesbot.games.base import Game, Malformed
from boardgamesbot.games.proto import Codec

if TYPE_CHECKING:
    from boardgamesbot.v1 import games_pb2

CODECS: dict[str, Codec] = {codec.game.id: codec for codec in (AgoraCodec(Agora()),)}
GAMES: dict[str, Game] = {game_id: codec.game for game_id, codec in CODECS.items()}


def game(game_id: str) -> Game:
    """A game by its id. Raises Malformed."""
    return codec(game_id).game


def codec(game_id: str) -> Codec:
    """A game's codec by the game's id. Raises Malformed."""
    if game_id not in CODECS:
        raise Malformed("game_id", f"there is no game {game_id[:32]!r} here; there is {', '.join(CODECS)}")
    return CODECS[game_id]


def codec_of(message: games_pb2.GameState) -> Codec:
    """The codec for a position. Raises Malformed where it says no game."""
    named = message.WhichOneof("game")
    if named is None:
        raise Malformed("game", "is missing: a position is a position of some game")
    return codec(named)
