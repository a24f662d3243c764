"""Chance at a table: one deterministic stream of numbers that any language can repeat (docs/chance.md).

Block i (from 0) is HMAC-SHA256(key = seed, message = i as 8 bytes, big-endian): eight 32-bit numbers, big-endian.
A number below n is the first u of the stream with u < floor(2^32 / n) * n, modulo n.
A shuffle is Fisher and Yates's, from the last place down.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from abc import ABC, abstractmethod
from collections.abc import MutableSequence
from random import Random
from typing import Any

from mypy_extensions import mypyc_attr

SEED_BYTES = 32
_WORDS = 8
_WORD_RANGE = 1 << 32
_unpack = struct.Struct(">8I").unpack
_index = struct.Struct(">Q").pack


@mypyc_attr(allow_interpreted_subclasses=True)
class Chance(ABC):
    """A source of chance. States draw from it and from nothing else."""

    __slots__ = ()

    @abstractmethod
    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely as the others. `n` is 1 to 2^32."""

    @abstractmethod
    def copy(self) -> Chance:
        """A source that goes on as this one would."""

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Put `items` in an order of chance, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


class ChanceStream(Chance):
    """The stream of a table: seed and position say all there is to it.

    `position` counts the 32-bit numbers read so far, those thrown away by rejection included.
    """

    __slots__ = ("_block", "_block_index", "position", "seed")

    def __init__(self, seed: bytes, position: int = 0) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self.seed = seed
        self.position = position
        self._block_index = -1
        self._block: tuple[int, ...] = ()

    def _next(self) -> int:
        index, word = divmod(self.position, _WORDS)
        if index != self._block_index:
            self._block = _unpack(hmac.digest(self.seed, _index(index), "sha256"))
            self._block_index = index
        self.position += 1
        return self._block[word]

    def below(self, n: int) -> int:
        if not 1 <= n <= _WORD_RANGE:
            raise ValueError(f"no number below {n} in a stream of 32-bit numbers")
        limit = _WORD_RANGE - _WORD_RANGE % n
        while (u := self._next()) >= limit:
            pass
        return u % n

    def copy(self) -> ChanceStream:
        twin = ChanceStream(self.seed, self.position)
        twin._block_index = self._block_index
        twin._block = self._block
        return twin


class FastChance(Chance):
    """Chance for searches and simulations in memory: quick, and nobody's evidence. Copies share the generator."""

    __slots__ = ("_rng",)

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def below(self, n: int) -> int:
        return int(self._rng.random() * n)

    def copy(self) -> FastChance:
        return self


def commitment(seed: bytes) -> bytes:
    """What a table publishes before the first move, so that its seed can't be changed afterwards."""
    return hashlib.sha256(seed).digest()
