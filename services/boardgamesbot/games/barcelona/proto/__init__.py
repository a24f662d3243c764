"""Barcelona's values as messages, and back with nothing taken on trust."""

from boardgamesbot.games.barcelona.proto.codec import BarcelonaCodec

__all__ = ["BarcelonaCodec"]
