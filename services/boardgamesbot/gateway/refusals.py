"""Refusals as HTTP and the Connect protocol have them; the details are those of gRPC, google.rpc messages."""

from __future__ import annotations

import base64
import math
from typing import Any

from google.protobuf import json_format
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc import code_pb2, status_pb2
from google.rpc import error_details_pb2 as details_pb

HTTP_STATUS = {
    "cancelled": 499,
    "unknown": 500,
    "invalid_argument": 400,
    "deadline_exceeded": 504,
    "not_found": 404,
    "already_exists": 409,
    "permission_denied": 403,
    "resource_exhausted": 429,
    "failed_precondition": 400,
    "aborted": 409,
    "out_of_range": 400,
    "unimplemented": 501,
    "internal": 500,
    "unavailable": 503,
    "data_loss": 500,
    "unauthenticated": 401,
}
"""The HTTP status of each gRPC status, as Connect maps them."""

CONNECT_NAMES = {"cancelled": "canceled"}


def status(code: int, message: str) -> status_pb2.Status:
    """A refusal without details."""
    return status_pb2.Status(code=code, message=message)


def http_status(status: status_pb2.Status) -> int:
    """The HTTP status of a refusal."""
    return HTTP_STATUS[_name(status)]


def as_json(status: status_pb2.Status) -> dict[str, Any]:
    """A refusal as Connect writes it. `debug` says in JSON what `value` says in the wire format."""
    name = _name(status)
    refusal: dict[str, Any] = {"code": CONNECT_NAMES.get(name, name), "message": status.message}
    if status.details:
        refusal["details"] = [_detail(detail) for detail in status.details]
    return refusal


def headers(status: status_pb2.Status) -> dict[str, str]:
    """What the head of an answer says about a refusal: when to come again, that a token is wanted."""
    said: dict[str, str] = {}
    retry = details_pb.RetryInfo()
    for detail in status.details:
        if detail.Unpack(retry):
            said["retry-after"] = str(max(1, math.ceil(retry.retry_delay.ToMilliseconds() / 1000)))
    if status.code == code_pb2.UNAUTHENTICATED:
        said["www-authenticate"] = "Bearer"
    return said


def _name(status: status_pb2.Status) -> str:
    try:
        name = code_pb2.Code.Name(status.code).lower()
    except ValueError:
        return "unknown"
    return name if name in HTTP_STATUS else "unknown"


def _detail(detail: AnyMessage) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "type": detail.type_url.rpartition("/")[2],
        "value": base64.b64encode(detail.value).decode().rstrip("="),
    }
    try:
        debug = json_format.MessageToDict(detail)
    except (TypeError, json_format.SerializeToJsonError):  # a type that this server does not know
        return shown
    debug.pop("@type", None)
    return {**shown, "debug": debug}
