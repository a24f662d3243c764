"""The ways to say a call in HTTP: Connect, gRPC-Web, and JSON lines for those who have only curl.

Each is unary or server streaming, which is all that browsers can do; the request is always one message. Written
here from the two short specifications, as the descriptors are all it takes.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from urllib.parse import quote

import grpc
from google.rpc import status_pb2

from boardgamesbot.gateway import refusals
from boardgamesbot.gateway.asgi import Headers, Request, Response, json_response
from boardgamesbot.gateway.codec import PACKED_FROM_BYTES, JsonWriter, check_wire, pack, read_json, unpack
from boardgamesbot.gateway.methods import Method
from boardgamesbot.runtime import errors

KEEP_ALIVE_HEADER = "x-keep-alive-seconds"
"""A client that sends it is sent an empty message whenever a stream has been quiet for so long."""
LONGEST_KEEP_ALIVE_SECONDS = 120
JSON_LINES_KEEP_ALIVE_SECONDS = 15.0

_PREFIX_BYTES = 5
_PACKED, _END, _TRAILERS = 0x01, 0x02, 0x80
_NO_STORE = {"cache-control": "no-store"}
_STREAM_HEADERS = {**_NO_STORE, "x-accel-buffering": "no"}
"""The second has nginx pass on each message at once."""
_TIMEOUT_MS = re.compile(r"\d{1,10}")
_GRPC_TIMEOUT = re.compile(r"(\d{1,8})([HMSmun])")
_UNITS = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
_MESSAGE_SAFE = "".join(map(chr, range(0x20, 0x7F))).replace("%", "")


@dataclass(frozen=True)
class Codec:
    """How the messages of a call are written: JSON, or the wire format."""

    method: Method
    json: JsonWriter | None
    """None: the wire format."""

    def read(self, data: bytes) -> bytes:
        """The request in the wire format. Raises ApiError."""
        kind = self.method.request
        return check_wire(kind, data) if self.json is None else read_json(kind, data)

    def write(self, data: bytes) -> bytes:
        """A response, given in the wire format."""
        return data if self.json is None else self.json.write(self.method.response, data)


class Protocol(ABC):
    """One call in one of the ways. Responses are given in the wire format."""

    def __init__(self, request: Request, codec: Codec) -> None:
        self._request = request
        self._codec = codec

    @abstractmethod
    def read(self, body: bytes, limit: int) -> bytes:
        """The request in the wire format, `limit` bytes unpacked at most. Raises ApiError."""

    @abstractmethod
    def timeout(self) -> float | None:
        """Seconds the client gives the call, if it says so. Raises ApiError."""

    def keep_alive(self) -> float | None:
        """After how many quiet seconds a stream sends a sign of life; None: never. Raises ApiError."""
        return _asked_keep_alive(self._request)

    @abstractmethod
    def refused(self, status: status_pb2.Status) -> Response:
        """The answer to a call that is refused before anything was sent."""


class UnaryProtocol(Protocol):
    """A way to say a call with one response."""

    @abstractmethod
    def answer(self, data: bytes) -> Response:
        """The answer."""


class StreamProtocol(Protocol):
    """A way to say a call with a stream of responses."""

    @property
    @abstractmethod
    def headers(self) -> Headers:
        """The head of the answer."""

    @abstractmethod
    def part(self, data: bytes) -> bytes:
        """A response."""

    def sign_of_life(self) -> bytes:
        """What is sent on a quiet stream: a message without anything in it."""
        return self.part(b"")

    @abstractmethod
    def end(self, status: status_pb2.Status | None) -> bytes:
        """The end: that all is well, or why not."""


def choose(request: Request, method: Method, writer: JsonWriter) -> Protocol | None:
    """The way that the request's content type names; None: none that the method can be called in."""
    kind = request.content_type
    as_json, as_wire = Codec(method, writer), Codec(method, None)
    if kind in ("application/grpc-web", "application/grpc-web+proto"):
        return _GrpcWebStream(request, as_wire) if method.is_stream else _GrpcWebUnary(request, as_wire)
    if kind in ("application/grpc-web-text", "application/grpc-web-text+proto"):
        return _GrpcWebTextStream(request, as_wire) if method.is_stream else _GrpcWebTextUnary(request, as_wire)
    if method.is_stream:
        if kind == "application/json":
            return _JsonLines(request, as_json)
        codec = {"application/connect+json": as_json, "application/connect+proto": as_wire}.get(kind)
        return None if codec is None else _ConnectStream(request, codec)
    codec = {"application/json": as_json, "application/proto": as_wire}.get(kind)
    return None if codec is None else _ConnectUnary(request, codec)


def content_types(method: Method) -> str:
    """The content types that the method can be called with."""
    own = ("application/connect+json", "application/connect+proto") if method.is_stream else ("application/proto",)
    return ", ".join(("application/json", *own, "application/grpc-web+proto", "application/grpc-web-text+proto"))


class _Connect(Protocol):
    def timeout(self) -> float | None:
        given = self._request.headers.get("connect-timeout-ms")
        if given is None:
            return None
        if not _TIMEOUT_MS.fullmatch(given):
            raise errors.invalid_field("connect-timeout-ms", "must be a whole number of at most 10 digits")
        return int(given) / 1000

    def _check_version(self) -> None:
        if self._request.headers.get("connect-protocol-version", "1") != "1":
            raise errors.invalid_field("connect-protocol-version", "must be 1")

    def refused(self, status: status_pb2.Status) -> Response:
        headers = {**_NO_STORE, **refusals.headers(status)}
        return json_response(refusals.http_status(status), refusals.as_json(status), headers)


class _ConnectUnary(_Connect, UnaryProtocol):
    def read(self, body: bytes, limit: int) -> bytes:
        self._check_version()
        return self._codec.read(_unpacked(self._request, body, limit))

    def answer(self, data: bytes) -> Response:
        body = self._codec.write(data)
        headers = {**_NO_STORE, "content-type": self._request.content_type, "vary": "accept-encoding"}
        if len(body) >= PACKED_FROM_BYTES and self._request.accepts_encoding("gzip"):
            return Response(200, pack(body), {**headers, "content-encoding": "gzip"})
        return Response(200, body, headers)


class _ConnectStream(_Connect, StreamProtocol):
    @property
    def headers(self) -> Headers:
        return {**_STREAM_HEADERS, "content-type": self._request.content_type}

    def read(self, body: bytes, limit: int) -> bytes:
        self._check_version()
        return self._codec.read(_only_frame(body))

    def part(self, data: bytes) -> bytes:
        return _frame(0, self._codec.write(data))

    def end(self, status: status_pb2.Status | None) -> bytes:
        ending = {} if status is None else {"error": refusals.as_json(status)}
        return _frame(_END, json.dumps(ending, ensure_ascii=False, separators=(",", ":")).encode())

    def refused(self, status: status_pb2.Status) -> Response:
        return Response(200, self.end(status), {**self.headers, **refusals.headers(status)})


class _JsonLines(_Connect, StreamProtocol):
    """One JSON object a line: `{"result": …}` for each response, `{"error": …}` at the end of a stream that failed."""

    @property
    def headers(self) -> Headers:
        return {**_STREAM_HEADERS, "content-type": "application/x-ndjson"}

    def read(self, body: bytes, limit: int) -> bytes:
        self._check_version()
        return self._codec.read(_unpacked(self._request, body, limit))

    def keep_alive(self) -> float | None:
        return _asked_keep_alive(self._request) or JSON_LINES_KEEP_ALIVE_SECONDS

    def part(self, data: bytes) -> bytes:
        return b'{"result":' + self._codec.write(data) + b"}\n"

    def sign_of_life(self) -> bytes:
        return b"\n"

    def end(self, status: status_pb2.Status | None) -> bytes:
        if status is None:
            return b""
        return json.dumps({"error": refusals.as_json(status)}, ensure_ascii=False).encode() + b"\n"


class _GrpcWeb(Protocol):
    def timeout(self) -> float | None:
        given = self._request.headers.get("grpc-timeout")
        if given is None:
            return None
        match = _GRPC_TIMEOUT.fullmatch(given)
        if match is None:
            raise errors.invalid_field("grpc-timeout", "must be at most 8 digits and one of H, M, S, m, u, n")
        return int(match[1]) * _UNITS[match[2]]

    def read(self, body: bytes, limit: int) -> bytes:
        return self._codec.read(_only_frame(self._decoded(body)))

    @property
    def headers(self) -> Headers:
        return {**_STREAM_HEADERS, "content-type": self._request.content_type}

    def part(self, data: bytes) -> bytes:
        return self._encoded(_frame(0, self._codec.write(data)))

    def end(self, status: status_pb2.Status | None) -> bytes:
        lines = ["grpc-status:0"]
        if status is not None:
            details = base64.b64encode(status.SerializeToString()).decode().rstrip("=")
            lines = [
                f"grpc-status:{status.code}",
                f"grpc-message:{quote(status.message, safe=_MESSAGE_SAFE)}",
                f"{errors.DETAILS_KEY}:{details}",
            ]
        return self._encoded(_frame(_TRAILERS, "".join(f"{line}\r\n" for line in lines).encode()))

    def refused(self, status: status_pb2.Status) -> Response:
        return Response(200, self.end(status), {**self.headers, **refusals.headers(status)})

    def _decoded(self, body: bytes) -> bytes:
        return body

    def _encoded(self, frame: bytes) -> bytes:
        return frame


class _GrpcWebText(_GrpcWeb):
    def _decoded(self, body: bytes) -> bytes:
        try:
            return base64.b64decode(body, validate=True)
        except binascii.Error:
            raise errors.invalid_field("body", "is not base64") from None

    def _encoded(self, frame: bytes) -> bytes:
        return base64.b64encode(frame)


class _GrpcWebUnary(_GrpcWeb, UnaryProtocol):
    def answer(self, data: bytes) -> Response:
        return Response(200, self.part(data) + self.end(None), self.headers)


class _GrpcWebStream(_GrpcWeb, StreamProtocol):
    pass


class _GrpcWebTextUnary(_GrpcWebText, _GrpcWebUnary):
    pass


class _GrpcWebTextStream(_GrpcWebText, _GrpcWebStream):
    pass


def _asked_keep_alive(request: Request) -> float | None:
    given = request.headers.get(KEEP_ALIVE_HEADER)
    if given is None:
        return None
    if not given.isdecimal() or not 1 <= int(given) <= LONGEST_KEEP_ALIVE_SECONDS:
        raise errors.invalid_field(KEEP_ALIVE_HEADER, f"must be 1 to {LONGEST_KEEP_ALIVE_SECONDS} whole seconds")
    return float(given)


def _unpacked(request: Request, body: bytes, limit: int) -> bytes:
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding == "gzip":
        return unpack(body, limit)
    if encoding != "identity":
        raise _unpackable(encoding)
    return body


def _unpackable(encoding: str) -> errors.ApiError:
    message = f"a request may be packed by gzip or not at all, not by {encoding[:32]!r}"
    return errors.ApiError(grpc.StatusCode.UNIMPLEMENTED, "UNKNOWN_ENCODING", message)


def _frame(flags: int, data: bytes) -> bytes:
    return bytes((flags,)) + len(data).to_bytes(4) + data


def _only_frame(body: bytes) -> bytes:
    """The message of a body that holds exactly one. Raises ApiError."""
    if len(body) < _PREFIX_BYTES or len(body) != _PREFIX_BYTES + int.from_bytes(body[1:_PREFIX_BYTES]):
        raise errors.invalid_field(
            "body", "must be one message after a byte of flags and four of its length, the highest first"
        )
    if body[0] & _PACKED:
        raise _unpackable("any means in a stream")
    if body[0]:
        raise errors.invalid_field("body", f"begins with unknown flags, 0x{body[0]:02x}")
    return body[_PREFIX_BYTES:]
