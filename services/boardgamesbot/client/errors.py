"""Refusals as a client sees them: the status, and what the google.rpc details say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import grpc
from google.rpc import error_details_pb2, status_pb2

_DETAILS_KEY = "grpc-status-details-bin"
_NO_ANSWER = frozenset({grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE})


class Refused(Exception):
    """The server refused a request, or could not be reached.

    `reason` is machine-readable (`ILLEGAL_MOVE`, `STALE_VERSION`); `rule` is the id of the rule broken, `field`
    the field at fault, `version` the table's current version, `retry_after` seconds to wait, `address` the server that
    did not answer, each where it applies.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        *,
        reason: str = "",
        metadata: dict[str, str] | None = None,
        field: str = "",
        rule: str = "",
        retry_after: float | None = None,
        address: str = "",
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = reason
        self.metadata = metadata or {}
        self.field = field
        self.rule = rule
        self.retry_after = retry_after
        self.address = address

    @property
    def version(self) -> int | None:
        return int(self.metadata["version"]) if "version" in self.metadata else None


def refusal_of(error: grpc.RpcError | grpc.aio.AioRpcError, address: str = "") -> Refused:
    """What a failed call says; where no server has said anything, that the one at the `address` does not answer."""
    code, message = error.code(), error.details() or ""
    refused = Refused(code, message)
    for key, value in _metadata(error):
        if key != _DETAILS_KEY:
            continue
        for packed in status_pb2.Status.FromString(value).details:
            info = error_details_pb2.ErrorInfo()
            request = error_details_pb2.BadRequest()
            failure = error_details_pb2.PreconditionFailure()
            retry = error_details_pb2.RetryInfo()
            if packed.Unpack(info):
                refused.reason = info.reason
                refused.metadata = dict(info.metadata)
            elif packed.Unpack(request):
                refused.field = request.field_violations[0].field
            elif packed.Unpack(failure) and failure.violations[0].type == "RULE":
                refused.rule = failure.violations[0].subject
            elif packed.Unpack(retry):
                refused.retry_after = retry.retry_delay.ToMilliseconds() / 1000
    if address and code in _NO_ANSWER and not refused.reason:
        return Refused(code, _no_answer(address, message), retry_after=refused.retry_after, address=address)
    return refused


def _no_answer(address: str, message: str) -> str:
    """What to do about a server that does not answer."""
    return (
        f"the server at {address} does not answer ({message or 'no reason given'}): start it (`bgb serve` starts all), "
        "or say where it is: by the address the client is given, or BGB_RULES_ADDRESS, BGB_BOTS_ADDRESS and "
        "BGB_MATCHMAKING_ADDRESS"
    )


def _metadata(error: grpc.RpcError | grpc.aio.AioRpcError) -> list[tuple[str, bytes]]:
    pairs: Iterable[Any] = error.trailing_metadata() or ()
    return [(key, value) for key, value in pairs if isinstance(value, bytes)]
