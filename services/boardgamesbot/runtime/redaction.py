"""The last look at a log line before it is written: no secret in it, and no text that is more than one line of text.

Nothing that holds a secret is meant to be logged; this is for what slips through, from our code or a library's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from typing import Any

from boardgamesbot.runtime.masking import MASK, without_password

_SECRET_NAME = re.compile(
    r"(?i)(?:^|[_.-])(?:authorization|cookies?|passw(?:or)?ds?|secrets?|seeds?|tokens?"
    r"|(?:token|signing|private|access)_keys?)$"
)
_TOKEN = re.compile(r"eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*")
_BEARER = re.compile(r"(?i)\b(bearer|basic)(\s+)[^\s'\",;)]{8,}")
_NAMED = re.compile(r"(?i)\b((?:token|signing)_keys?|password|secret|seed)(['\"]?\s*[=:]\s*)(b?['\"]?)[^\s'\",;)}]+")
_CONTROL = {
    code: f"\\x{code:02x}" for code in (*range(0x20), 0x7F, *range(0x80, 0xA0), 0x2028, 0x2029) if code != 0x09
} | {0x0A: "\\n", 0x0D: "\\r"}
_CONTROL_OF_SEVERAL_LINES = {code: shown for code, shown in _CONTROL.items() if code != 0x0A}
_LINES = frozenset({"exception", "stack"})
"""What has several lines by its nature."""
_DEEPEST = 6


def redacted(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A processor for structlog, the last before the renderer."""
    for name, value in event.items():
        if not name.startswith("_"):
            event[name] = _clean(name, value, _CONTROL_OF_SEVERAL_LINES if name in _LINES else _CONTROL)
    return event


def without_secrets(text: str) -> str:
    """A text without the tokens, keys and passwords in it."""
    text = _TOKEN.sub(MASK, text)
    text = _BEARER.sub(rf"\1\2{MASK}", text)
    text = _NAMED.sub(rf"\1\2\3{MASK}", text)
    return without_password(text)


def _clean(name: str, value: Any, control: Mapping[int, str], depth: int = 0) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if _SECRET_NAME.search(name):
        return MASK
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(value)} bytes>"
    if isinstance(value, str):
        return without_secrets(value).translate(control)
    if depth < _DEEPEST and isinstance(value, Mapping):
        return {str(key): _clean(str(key), inner, control, depth + 1) for key, inner in value.items()}
    if depth < _DEEPEST and isinstance(value, list | tuple | set | frozenset):
        return [_clean("", inner, control, depth + 1) for inner in value]
    return without_secrets(str(value)).translate(control)
