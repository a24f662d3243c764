"""What the store answers when it can't do what it is asked now, and what trying again later may mend."""

from __future__ import annotations

from redis import exceptions
from redis.asyncio.connection import DefaultParser


class TooFewReplicas(exceptions.ResponseError):
    """The server takes no writes: too few replicas follow it (`min-replicas-to-write`)."""


class CannotPersist(exceptions.ResponseError):
    """The server takes no writes: it can't write them to its disk."""


class ScriptRunning(exceptions.ResponseError):
    """A script that runs too long holds the server up."""


class Unblocked(exceptions.ResponseError):
    """A blocking call was ended: the server became a replica, or what was waited for was deleted."""


class NotReplicated(Exception):
    """A change stands on the server, but not on as many replicas as are wanted: a failover may still undo it.

    The same call with the same request id finds out: it is answered once enough of them have it.
    """

    def __init__(self, replicas: int, wanted: int) -> None:
        super().__init__(f"on {replicas} of the {wanted} replicas that must have it")
        self.replicas = replicas
        self.wanted = wanted


class ReplyParser(DefaultParser):  # type: ignore[misc, valid-type]
    """Reads replies as redis-py does, and knows more of the errors."""

    EXCEPTION_CLASSES = {  # noqa: RUF012 - as the class above has it
        **DefaultParser.EXCEPTION_CLASSES,
        "NOREPLICAS": TooFewReplicas,
        "MISCONF": CannotPersist,
        "BUSY": ScriptRunning,
        "UNBLOCKED": Unblocked,
    }


UNAVAILABLE = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ReadOnlyError,
    exceptions.ClusterDownError,
    exceptions.TryAgainError,
    exceptions.OutOfMemoryError,
    TooFewReplicas,
    CannotPersist,
    ScriptRunning,
    Unblocked,
    NotReplicated,
)
"""What a call raises when the store doesn't answer or can't take a write now; trying again later may help."""
