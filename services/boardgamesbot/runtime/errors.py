"""Refusals: a gRPC status, a machine-readable reason, and google.rpc details that say what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2 as details_pb
from google.rpc import status_pb2

from boardgamesbot.games.base import IllegalMove, Malformed

DOMAIN = "boardgamesbot"
DETAILS_KEY = "grpc-status-details-bin"


class ApiError(Exception):
    """A request refused: raised by handlers, sent by the server's interceptor."""

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        *,
        metadata: Mapping[str, str] | None = None,
        details: Sequence[Message] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.metadata = dict(metadata or {})
        self.details = tuple(details)

    def status(self) -> bytes:
        """The google.rpc.Status that travels with the answer."""
        info = details_pb.ErrorInfo(reason=self.reason, domain=DOMAIN, metadata=self.metadata)
        packed = []
        for detail in (info, *self.details):
            if isinstance(detail, AnyMessage):
                packed.append(detail)
            else:
                packed.append(AnyMessage())
                packed[-1].Pack(detail)
        status = status_pb2.Status(code=self.code.value[0], message=self.message, details=packed)
        return bytes(status.SerializeToString())


def invalid_field(field: str, description: str) -> ApiError:
    """The request holds a value that makes no sense; `field` is its path in the request."""
    violation = details_pb.BadRequest.FieldViolation(field=field, description=description)
    return ApiError(
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        f"{field}: {description}",
        metadata={"field": field},
        details=[details_pb.BadRequest(field_violations=[violation])],
    )


def name_reserved(name: str) -> ApiError:
    """Somebody wants to be called like a bot or an office of the platform."""
    description = f"{name!r} is, or looks like, a name of the platform's own: choose another"
    violation = details_pb.BadRequest.FieldViolation(field="name", description=description)
    return ApiError(
        grpc.StatusCode.INVALID_ARGUMENT,
        "NAME_RESERVED",
        f"name: {description}",
        metadata={"field": "name"},
        details=[details_pb.BadRequest(field_violations=[violation])],
    )


def malformed(error: Malformed) -> ApiError:
    """What a game answers to input that is none of its own."""
    return invalid_field(error.field, error.reason)


def illegal_move(error: IllegalMove, version: int | None = None) -> ApiError:
    """The move breaks a rule of the game."""
    violation = details_pb.PreconditionFailure.Violation(
        type="RULE", subject=error.rule.id, description=f"{error.reason} ({error.rule.title}: {error.rule.text})"
    )
    metadata = {**error.details, "rule": error.rule.id}
    if version is not None:
        metadata["version"] = str(version)
    return ApiError(
        grpc.StatusCode.FAILED_PRECONDITION,
        "ILLEGAL_MOVE",
        str(error),
        metadata=metadata,
        details=[details_pb.PreconditionFailure(violations=[violation])],
    )


def precondition(reason: str, message: str, *, version: int, **metadata: str) -> ApiError:
    """The table is not in a state for this."""
    violation = details_pb.PreconditionFailure.Violation(type="TABLE", subject=reason, description=message)
    return ApiError(
        grpc.StatusCode.FAILED_PRECONDITION,
        reason,
        message,
        metadata={"version": str(version), **metadata},
        details=[details_pb.PreconditionFailure(violations=[violation])],
    )


def ruleset_unavailable(game_id: str, table: str, here: str, version: int) -> ApiError:
    """The table is of another ruleset than this server's; `table` and `here` are the hashes."""
    message = (
        f"this table of {game_id} was opened with ruleset {table[:12]}, and this server plays with {here[:12]}; "
        "the table is kept, and goes on at a server started with its ruleset (--ruleset FILE)"
    )
    return precondition("RULESET_UNAVAILABLE", message, version=version, ruleset_hash=table, server_ruleset_hash=here)


def stale(requested: int, current: int) -> ApiError:
    """The table has moved on since the version the request was made for."""
    return ApiError(
        grpc.StatusCode.ABORTED,
        "STALE_VERSION",
        f"the table is at version {current}, not {requested}: look again and decide anew",
        metadata={"version": str(current)},
    )


def table_not_found(table_id: str) -> ApiError:
    """No such table, or no longer."""
    shown = table_id[:64]
    resource = details_pb.ResourceInfo(resource_type="table", resource_name=shown)
    return ApiError(
        grpc.StatusCode.NOT_FOUND,
        "TABLE_NOT_FOUND",
        f"there is no table {shown!r}",
        metadata={"field": "table_id", "table_id": shown},
        details=[resource],
    )


def code_not_found(code: str) -> ApiError:
    """No table has the code, or no longer."""
    resource = details_pb.ResourceInfo(resource_type="table", resource_name=code)
    return ApiError(
        grpc.StatusCode.NOT_FOUND,
        "CODE_NOT_FOUND",
        f"no table has the code {code!r}",
        metadata={"field": "code", "code": code},
        details=[resource],
    )


def ticket_not_found(field: str, shown: str) -> ApiError:
    """No such ticket, or no longer; `field` named it."""
    resource = details_pb.ResourceInfo(resource_type="ticket", resource_name=shown[:64])
    return ApiError(
        grpc.StatusCode.NOT_FOUND,
        "TICKET_NOT_FOUND",
        f"there is no ticket {shown[:64]!r}",
        metadata={"field": field, field: shown[:64]},
        details=[resource],
    )


def ticket_precondition(reason: str, message: str, **metadata: str) -> ApiError:
    """The ticket, or the player's other one, is not in a state for this."""
    violation = details_pb.PreconditionFailure.Violation(type="TICKET", subject=reason, description=message)
    return ApiError(
        grpc.StatusCode.FAILED_PRECONDITION,
        reason,
        message,
        metadata=metadata,
        details=[details_pb.PreconditionFailure(violations=[violation])],
    )


def seat_taken(message: str, *, version: int) -> ApiError:
    """The seat is somebody else's, or there is none left."""
    return ApiError(grpc.StatusCode.ALREADY_EXISTS, "SEAT_TAKEN", message, metadata={"version": str(version)})


def denied(reason: str, message: str, *, field: str = "", **more: str) -> ApiError:
    """The caller may not do this."""
    metadata = {"field": field, **more} if field else more
    return ApiError(grpc.StatusCode.PERMISSION_DENIED, reason, message, metadata=metadata)


def unauthenticated(reason: str, message: str) -> ApiError:
    """Nobody knows who the caller is."""
    return ApiError(grpc.StatusCode.UNAUTHENTICATED, reason, message, metadata={"field": "authorization"})


def too_large(size: int, limit: int) -> ApiError:
    """The request is larger than the server reads."""
    failure = details_pb.QuotaFailure.Violation(
        subject="message", description=f"{size} bytes; the limit is {limit} bytes"
    )
    return ApiError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "MESSAGE_TOO_LARGE",
        f"the request has {size} bytes; the limit is {limit}",
        metadata={"size": str(size), "limit": str(limit)},
        details=[details_pb.QuotaFailure(violations=[failure])],
    )


def too_many_tables(most: int) -> ApiError:
    """The caller has opened as many tables as one may have that have not begun."""
    message = f"you have {most} tables that have not begun: begin one, or close it by leaving it"
    delay = Duration(seconds=60)
    failure = details_pb.QuotaFailure.Violation(subject="player", description=message)
    return ApiError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "TOO_MANY_TABLES",
        message,
        metadata={"limit": str(most)},
        details=[details_pb.QuotaFailure(violations=[failure]), details_pb.RetryInfo(retry_delay=delay)],
    )


def quota_exhausted(what: str, retry_after_seconds: float) -> ApiError:
    """The caller has asked for more than there is for one player; after the delay there will be enough for `what`."""
    delay = Duration()
    delay.FromMilliseconds(int(retry_after_seconds * 1000))
    failure = details_pb.QuotaFailure.Violation(subject="player", description=f"{what} a player are not there yet")
    return ApiError(
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "QUOTA_EXHAUSTED",
        f"you have asked for much thinking: {what} are there for you in {retry_after_seconds:.1f} s",
        details=[details_pb.QuotaFailure(violations=[failure]), details_pb.RetryInfo(retry_delay=delay)],
    )


def unavailable(reason: str, message: str, retry_after_seconds: float) -> ApiError:
    """Not now; try again after the delay."""
    delay = Duration()
    delay.FromMilliseconds(int(retry_after_seconds * 1000))
    return ApiError(grpc.StatusCode.UNAVAILABLE, reason, message, details=[details_pb.RetryInfo(retry_delay=delay)])


def passed_on(error: grpc.aio.AioRpcError) -> ApiError:
    """Another server's refusal, word for word; where that one can't be reached, that it is unavailable."""
    for key, value in error.trailing_metadata() or ():
        if key != DETAILS_KEY:
            continue
        info = details_pb.ErrorInfo()
        others = [packed for packed in status_pb2.Status.FromString(value).details if not packed.Unpack(info)]
        return ApiError(error.code(), info.reason, error.details() or "", metadata=info.metadata, details=others)
    return unavailable("RULES_UNAVAILABLE", "the rules server does not answer: try again in a moment", 1.0)
