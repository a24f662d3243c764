"""The keys that sign tokens: one signs, several are believed; so a key is changed without signing anybody out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

LEAST_KEY_LENGTH = 32
MOST_KEYS = 16
_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")


@dataclass(frozen=True)
class SigningKey:
    """A key. `id` travels in the tokens it signs; a key without one signs tokens that name no key."""

    id: str
    secret: bytes = field(repr=False)


class Keyring:
    """The keys of a process: the first signs. They may be replaced while the process runs."""

    def __init__(self, keys: Sequence[SigningKey]) -> None:
        self.edition = 0
        """Grows when the keys are replaced: what was verified by older ones is verified anew."""
        self._keys: tuple[SigningKey, ...] = ()
        self.replace(keys)

    @property
    def signing(self) -> SigningKey:
        return self._keys[0]

    def replace(self, keys: Sequence[SigningKey]) -> None:
        """Have these keys from now on."""
        if not keys:
            raise ValueError("a keyring needs a key")
        if tuple(keys) != self._keys:
            self._keys = tuple(keys)
            self.edition += 1

    def named(self, key_id: str | None) -> Sequence[SigningKey]:
        """The keys that may have signed a token which names this one; which names none, any of them."""
        if key_id is None:
            return self._keys
        return [key for key in self._keys if key.id == key_id]


def parsed(setting: str) -> list[SigningKey]:
    """The keys of a setting, `ID:KEY` with `,` between them. Raises ValueError, never with a key in its message."""
    keys: list[SigningKey] = []
    for at, part in enumerate(part.strip() for part in setting.split(",") if part.strip()):
        key_id, colon, secret = part.partition(":")
        if not colon or not _ID.fullmatch(key_id):
            raise ValueError(f"number {at + 1} is not ID:KEY, the id 1 to 32 letters, digits, - or _")
        if len(secret) < LEAST_KEY_LENGTH:
            raise ValueError(f"the key {key_id!r} must have at least {LEAST_KEY_LENGTH} characters")
        if key_id in (key.id for key in keys):
            raise ValueError(f"the id {key_id!r} is there twice")
        keys.append(SigningKey(key_id, secret.encode()))
    if len(keys) > MOST_KEYS:
        raise ValueError(f"holds {len(keys)} keys; {MOST_KEYS} is the most")
    return keys
