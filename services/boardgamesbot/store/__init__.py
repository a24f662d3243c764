"""Redis (or Valkey, from 7.0): the only package that talks to it, and it knows no game and no protobuf."""

from redis import exceptions as _errors

UNAVAILABLE = (
    _errors.ConnectionError,
    _errors.TimeoutError,
    _errors.ReadOnlyError,
    _errors.ClusterDownError,
    _errors.OutOfMemoryError,
)
"""What a call raises when the store doesn't answer or can't take a write now; trying again later may help."""
