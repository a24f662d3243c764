"""Messages between JSON and the wire format. What many watch is turned into JSON once."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import OrderedDict

from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message

from boardgamesbot.games.proto import UNREADABLE_JSON
from boardgamesbot.runtime import errors

KEPT_BYTES = 16_000_000
"""How much of what was turned into JSON lately is kept, both forms counted."""

PACKED_FROM_BYTES = 1_024
"""Shorter answers are sent as they are."""

_GZIP_LEVEL = 5
_UNKNOWN_FIELD = re.compile(r'Message type "(?P<kind>[\w.]+)" has no field named "(?P<name>.*)" at "(?P<path>.*)"')
_UNREADABLE_FIELD = re.compile(r"Failed to parse (?P<name>\w+) field: (?P<reason>.*)", re.DOTALL)
_AT_PATH = re.compile(r' at "?(?P<path>[A-Z]\w*(?:\.[\w\[\]]+)+)"?\.*$')
_NESTING = 64


def read_json(kind: type[Message], text: bytes) -> bytes:
    """The message that JSON says, in the wire format; nothing at all is an empty message. Raises ApiError."""
    message = kind()
    if text.strip() and not text.lstrip().startswith(b"{"):
        raise errors.invalid_field("message", "must be a JSON object")
    try:
        if text.strip():
            json_format.Parse(text.decode("utf-8"), message, max_recursion_depth=_NESTING)
    except UnicodeDecodeError:
        raise errors.invalid_field("message", "is not text in UTF-8") from None
    except UNREADABLE_JSON as error:
        raise _unreadable(str(error)) from None
    return message.SerializeToString()


def _unreadable(what: str) -> errors.ApiError:
    """What protobuf has against a JSON text, with the path of the field as our other refusals have it."""
    if found := _UNKNOWN_FIELD.search(what):
        path = ".".join((*found["path"].split(".")[1:], found["name"]))
        return errors.invalid_field(path, f"there is no such field in {found['kind'].rpartition('.')[2]}")
    names: list[str] = []
    while found := _UNREADABLE_FIELD.match(what):
        names.append(found["name"])
        what = found["reason"]
    path = ".".join(names) or "message"
    if found := _AT_PATH.search(what):
        path, what = found["path"].partition(".")[2], what[: found.start()]
    return errors.invalid_field(path, what.strip().rstrip("."))


def check_wire(kind: type[Message], data: bytes) -> bytes:
    """`data` itself, which is such a message. Raises ApiError."""
    try:
        kind.FromString(data)
    except DecodeError:
        raise errors.invalid_field("message", "is not a message of this method") from None
    return data


class JsonWriter:
    """Turns messages of the wire format into JSON, and remembers the latest: a table's watchers get the same."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[type[Message], bytes], bytes] = OrderedDict()
        self._size = 0

    def write(self, kind: type[Message], data: bytes) -> bytes:
        """The message as one line of JSON."""
        key = (kind, data)
        text = self._kept.get(key)
        if text is not None:
            self._kept.move_to_end(key)
            return text
        shown = json_format.MessageToDict(kind.FromString(data))
        text = json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()
        self._kept[key] = text
        self._size += len(data) + len(text)
        while self._size > KEPT_BYTES:
            (_, old), old_text = self._kept.popitem(last=False)
            self._size -= len(old) + len(old_text)
        return text


def pack(data: bytes) -> bytes:
    """`data`, packed by gzip."""
    return gzip.compress(data, _GZIP_LEVEL, mtime=0)


def unpack(data: bytes, limit: int) -> bytes:
    """What was packed by gzip. Raises ApiError where that is damaged, or more than `limit` bytes."""
    reader = zlib.decompressobj(wbits=31)
    try:
        unpacked = reader.decompress(data, limit + 1)
    except zlib.error:
        raise errors.invalid_field("body", "is not what content-encoding says: gzip") from None
    if len(unpacked) > limit:
        raise errors.too_large(len(unpacked), limit)
    if not reader.eof:
        raise errors.invalid_field("body", "is not what content-encoding says: gzip, the end is missing")
    return unpacked
