"""The options of Barcelona as a message, and back."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from boardgamesbot.games.base import Malformed, Options
from boardgamesbot.v1 import barcelona_pb2 as pb

if TYPE_CHECKING:
    from boardgamesbot.games.barcelona.game import Barcelona

_ENUMS = {
    "expansion": pb.BarcelonaExpansion,
    "actions": pb.BarcelonaActions,
    "solo": pb.BarcelonaSolo,
    "solo_actions": pb.BarcelonaSoloActions,
}
_PREFIXES = {name: f"BARCELONA_{name.upper()}_" for name in _ENUMS}


def options_to(options: Options) -> pb.BarcelonaOptions:
    """The message of complete options: the same for the same, not to be changed."""
    return _chosen_to(**options)


@cache
def _chosen_to(**options: str) -> pb.BarcelonaOptions:
    values: dict[str, Any] = {name: _ENUMS[name].Value(_PREFIXES[name] + value) for name, value in options.items()}
    return pb.BarcelonaOptions(**values)


def options_from(game: Barcelona, message: pb.BarcelonaOptions, where: str) -> Options:
    """Complete options; what a message leaves out has its default."""
    given = {}
    for name, enum in _ENUMS.items():
        number = getattr(message, name)
        if number not in enum.values():
            raise Malformed(f"{where}.{name}", f"{number} is not one of its values")
        if number:
            given[name] = enum.Name(number).removeprefix(_PREFIXES[name])
    return game.complete_options(given)
