"""Input nobody should send: made from nothing but the shape of a message, or from a valid one by spoiling it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar, cast

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

M = TypeVar("M", bound=Message)

NUMBERS = (0, 1, -1, 2, 3, 7, 10, 63, 64, 127, 128, 255, 256, 1000, 65_536, 2**31 - 1, -(2**31))
LONG_NUMBERS = (*NUMBERS, 2**32, 2**53 + 1, 2**63 - 1, -(2**63))
FLOATS = (0.0, -1.0, 0.5, 1e-300, 1e300, float("inf"), float("-inf"), float("nan"))
TEXTS = (
    "",
    " ",
    "a",
    "agora",
    "barcelona",
    "greedy",
    "gaudi",
    "00aaaaaaaaaaaa",
    "ffzzzzzzzzzzzz",
    "../../etc/passwd",
    "{s00}:table:x",
    "%s%n{0}[bold]",
    "\x00",
    "a\r\nset-cookie: b",
    "‮evil​",
    "é" * 40,
    "👩‍👩‍👧‍👦",
    "x" * 300,
    "-1",
    "NaN",
)
ODD_BYTES = (b"\xff" * 10, b"\x80" * 11, b"\x0a\xff\xff\xff\x7f", b"\x0b", b"\x00", b"\xc0\xaf")
_LARGE = {FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64}
_UNSIGNED = {FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_UINT64}


def made(kind: type[M], rng: Random, depth: int = 4) -> M:
    """A message of this kind with anything in its fields."""
    message = kind()
    for field in _fields(message):
        if rng.random() < 0.5:
            fill(message, field, rng, depth)
    return message


def fill(message: Message, field: FieldDescriptor, rng: Random, depth: int = 4) -> None:
    """Put anything of its type in a field."""
    if field.is_repeated:
        kept = getattr(message, field.name)
        if _is_map(field):
            return
        for _ in range(rng.choice((0, 1, 1, 2, 3, 12))):
            if field.message_type is not None:
                if depth:
                    kept.add().CopyFrom(made(type(kept.add()), rng, depth - 1))
            else:
                kept.append(_value(field, rng))
    elif field.message_type is not None:
        inner = getattr(message, field.name)
        inner.SetInParent()
        if depth:
            inner.CopyFrom(made(type(inner), rng, depth - 1))
    else:
        setattr(message, field.name, _value(field, rng))


def _fields(message: Message) -> list[FieldDescriptor]:
    return cast(list[FieldDescriptor], list(message.DESCRIPTOR.fields))


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _value(field: FieldDescriptor, rng: Random) -> Any:
    kind = field.cpp_type
    if kind == FieldDescriptor.CPPTYPE_STRING:
        if field.type == FieldDescriptor.TYPE_BYTES:
            return rng.randbytes(rng.choice((0, 1, 31, 32, 33, 64, 500)))
        return rng.choice(TEXTS)
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return rng.random() < 0.5
    if kind in (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT):
        return rng.choice(FLOATS)
    if kind == FieldDescriptor.CPPTYPE_ENUM and rng.random() < 0.7:
        assert field.enum_type is not None
        return rng.choice(field.enum_type.values).number
    number = rng.choice(LONG_NUMBERS if kind in _LARGE else NUMBERS)
    return abs(number) % 2**31 if kind in _UNSIGNED else number


def spoilt(message: M, rng: Random) -> M:
    """A valid message with one to three of its fields changed, wherever in it they stand."""
    changed = type(message)()
    changed.CopyFrom(message)
    for _ in range(rng.choice((1, 1, 2, 3))):
        _spoil(changed, rng)
    return changed


def _spoil(message: Message, rng: Random) -> None:
    """Change one field, or something in one."""
    place = message
    while True:
        inner = [value for field, value in place.ListFields() if field.message_type is not None and not _is_map(field)]
        flat = [
            one for value in inner for one in (value if isinstance(value, Sequence) or _repeats(value) else [value])
        ]
        if not flat or rng.random() < 0.25:
            break
        place = rng.choice(flat)
    if not (fields := _fields(place)):
        return
    field = rng.choice(fields)
    how = rng.random()
    if how < 0.25:
        place.ClearField(field.name)
    elif field.is_repeated and how < 0.6 and not _is_map(field):
        kept = getattr(place, field.name)
        if len(kept):
            at = rng.randrange(len(kept))
            if how < 0.4:
                del kept[at]
            elif field.message_type is None:
                kept.insert(at, kept[rng.randrange(len(kept))])
            else:
                kept.add().CopyFrom(kept[at])
    else:
        fill(place, field, rng, 2)


def _repeats(value: object) -> bool:
    return hasattr(value, "__len__") and hasattr(value, "append")


def spoilt_bytes(data: bytes, rng: Random) -> bytes:
    """Bytes with some of them flipped, cut, doubled, or put in."""
    spoilt = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at = rng.randrange(len(spoilt) + 1)
        match rng.randrange(6):
            case 0 if spoilt:
                spoilt[at % len(spoilt)] ^= 1 << rng.randrange(8)
            case 1:
                del spoilt[at : at + rng.choice((1, 2, 8, 1000))]
            case 2:
                spoilt[at:at] = spoilt[at : at + rng.choice((1, 4, 64))]
            case 3:
                spoilt[at:at] = rng.randbytes(rng.choice((1, 2, 8, 100)))
            case 4:
                spoilt[at:at] = rng.choice(
                    (b"\xff" * 10, b"\x80" * 11, b"\x0a\xff\xff\xff\x7f", b"\x0b", b"\x00", b"\xc0\xaf")
                )
            case _:
                del spoilt[at:]
    return bytes(spoilt)


def request_bytes(kind: type[Message], corpus: Sequence[Message], rng: Random) -> bytes:
    """What a client might send as a message of this kind: valid, nearly so, or nothing of the sort."""
    how = rng.random()
    valid = rng.choice(corpus) if corpus else made(kind, rng)
    if how < 0.1:
        return valid.SerializeToString()
    if how < 0.5:
        return spoilt(valid, rng).SerializeToString()
    if how < 0.75:
        return made(kind, rng).SerializeToString()
    if how < 0.95:
        return spoilt_bytes(valid.SerializeToString(), rng)
    return rng.randbytes(rng.randrange(200))


JSON_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 1e400, 2**70, "", "a", "1", "x" * 300, [], {}, [[]], {"a": None}, "\ud800", "AAAA",
    [0],
)  # fmt: skip


def spoilt_json(value: Any, rng: Random, steps: int = 0) -> Any:
    """A document with something in it changed, left out, added, or of another type."""
    if steps > 5 or not isinstance(value, dict | list) or not value or rng.random() < 0.1:
        return rng.choice(JSON_VALUES)
    if isinstance(value, list):
        kept = list(value)
        at = rng.randrange(len(kept))
        match rng.randrange(3):
            case 0:
                del kept[at]
            case 1:
                kept.insert(at, kept[at])
            case _:
                kept[at] = spoilt_json(kept[at], rng, steps + 1)
        return kept
    changed = dict(value)
    key = rng.choice(list(changed))
    match rng.randrange(6):
        case 0:
            del changed[key]
        case 1:
            changed[rng.choice(TEXTS)] = rng.choice(JSON_VALUES)
        case _:
            changed[key] = spoilt_json(changed[key], rng, steps + 1)
    return changed


def json_bytes(value: Any, rng: Random) -> bytes:
    """A document as text, spoilt as a document, as text, or both."""
    for _ in range(rng.choice((0, 1, 1, 2))):
        value = spoilt_json(value, rng)
    text = json.dumps(value).encode()
    how = rng.random()
    if how < 0.7:
        return text
    if how < 0.75:
        return b"[" * rng.choice((10, 5000)) + text
    return spoilt_bytes(text, rng)
