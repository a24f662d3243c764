"""Redis (or Valkey, from 7.0): the only package that talks to it, and it knows no game and no protobuf."""

from boardgamesbot.store.errors import UNAVAILABLE, NotReplicated

__all__ = ["UNAVAILABLE", "NotReplicated"]
