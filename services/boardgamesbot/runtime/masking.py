"""Settings as they may be shown: without keys and passwords."""

from __future__ import annotations

import re

_SECRET_NAMES = re.compile(r"(?:^|(?<!tls)_)(?:keys?|passwords?|secrets?|tokens?)$")
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*:[^/\s]*(?=@)")
_SECRET_PARAMETERS = re.compile(r"(?i)([?&](?:[^=&#\s]*_)?(?:password|secret|token|key)=)[^&#\s]*")
MASK = "***"


def without_password(text: str) -> str:
    """A URL, or a text with some in it, without their passwords."""
    masked = _CREDENTIALS.sub(lambda found: found[0].partition(":")[0] + ":" + MASK, text)
    return _SECRET_PARAMETERS.sub(rf"\1{MASK}", masked)


def shown(name: str, value: object) -> str:
    """The value of a setting as anybody may see it."""
    text = str(value)
    if text and _SECRET_NAMES.search(name):
        return MASK
    return without_password(text)
