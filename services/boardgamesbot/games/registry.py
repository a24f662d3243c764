"""The games of this platform, by id. The one list to add a game to.

A game is made when it is first asked for. Until then `use` puts a ruleset of one's own in the place of the one
shipped; from then on a process plays with the rulesets it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from boardgamesbot.games.agora import Agora
from boardgamesbot.games.agora import ruleset as agora
from boardgamesbot.games.agora.proto import AgoraCodec
from boardgamesbot.games.barcelona import Barcelona
from boardgamesbot.games.barcelona import ruleset as barcelona
from boardgamesbot.games.barcelona.proto import BarcelonaCodec
from boardgamesbot.games.base import Game, Malformed, Ruleset
from boardgamesbot.games.proto import Codec

if TYPE_CHECKING:
    from boardgamesbot.v1 import games_pb2

R = TypeVar("R", bound=Ruleset)


@dataclass(frozen=True)
class Entry(Generic[R]):
    """How a game comes about: out of a ruleset, which comes out of a document (None: the one shipped)."""

    kind: type[Game]
    load: Callable[[str | None], R]
    codec: Callable[[R], Codec]


class Catalogue(Mapping[str, Codec]):
    """Each game's codec, made once."""

    def __init__(self, entries: Mapping[str, Entry[Any]]) -> None:
        self._entries = entries
        self.kinds: Mapping[str, type[Game]] = {game_id: entry.kind for game_id, entry in entries.items()}
        self.replaced: dict[str, Ruleset] = {}
        """Rulesets of one's own that games are played with, by game."""
        self._codecs: dict[str, Codec] = {}

    def __getitem__(self, game_id: str) -> Codec:
        if game_id not in self._codecs:
            self._codecs.setdefault(game_id, self._entries[game_id].codec(self.ruleset(game_id)))
        return self._codecs[game_id]

    def __contains__(self, game_id: object) -> bool:
        return game_id in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def load(self, game_id: str, document: str | None = None) -> Ruleset:
        """A ruleset, checked, not put to use; left out: the one shipped. Raises Malformed."""
        if game_id not in self._entries:
            raise Malformed("game", f"there is no game {game_id[:32]!r} here; there is {', '.join(self)}")
        ruleset: Ruleset = self._entries[game_id].load(document)
        return ruleset

    def use(self, game_id: str, document: str) -> None:
        """Play a game with this ruleset. Raises Malformed, RuntimeError if the game is being played with another."""
        ruleset = self.load(game_id, document)
        if ruleset.hash == self.ruleset(game_id).hash:
            return
        if game_id in self._codecs:
            raise RuntimeError(f"{game_id} is being played with another ruleset: put yours to use before that")
        self.replaced[game_id] = ruleset

    def ruleset(self, game_id: str) -> Ruleset:
        """The ruleset that a game is played with, or is going to be."""
        if game_id in self._codecs:
            return self._codecs[game_id].game.ruleset
        return self.replaced.get(game_id) or self.load(game_id)


class Games(Mapping[str, Game]):
    """Each game of a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def __getitem__(self, game_id: str) -> Game:
        return self._catalogue[game_id].game

    def __contains__(self, game_id: object) -> bool:
        return game_id in self._catalogue

    def __iter__(self) -> Iterator[str]:
        return iter(self._catalogue)

    def __len__(self) -> int:
        return len(self._catalogue)


CODECS = Catalogue(
    {
        "agora": Entry(Agora, agora.load, lambda ruleset: AgoraCodec(Agora(ruleset))),
        "barcelona": Entry(Barcelona, barcelona.load, lambda ruleset: BarcelonaCodec(Barcelona(ruleset))),
    }
)
GAMES = Games(CODECS)
KINDS: Mapping[str, type[Game]] = CODECS.kinds
"""What is known of a game before it is made: its options, its rules, but nothing of its ruleset."""


def game(game_id: str) -> Game:
    """A game by its id. Raises Malformed."""
    return codec(game_id).game


def codec(game_id: str) -> Codec:
    """A game's codec by the game's id. Raises Malformed."""
    if game_id not in CODECS:
        raise Malformed("game_id", f"there is no game {game_id[:32]!r} here; there is {', '.join(CODECS)}")
    return CODECS[game_id]


def use(game_id: str, document: str) -> None:
    """Play a game with this ruleset from now on. Raises Malformed, RuntimeError if it is played with another by now."""
    CODECS.use(game_id, document)


def codec_of(message: games_pb2.GameState | games_pb2.GameView) -> Codec:
    """The codec for a position, or what is known of one. Raises Malformed where it says no game."""
    named = message.WhichOneof("game")
    if named is None:
        raise Malformed("game", "is missing: a position is a position of some game")
    return codec(named)
