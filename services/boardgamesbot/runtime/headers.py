"""What a call brings beside its message, read once: every look at gRPC's own metadata makes all of it anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import grpc


@dataclass(frozen=True, slots=True)
class Headers:
    """The metadata of a call, and who sent it."""

    values: tuple[tuple[str, str | bytes], ...]
    """As they came, names in lower case; a name may come more than once."""
    peer: str
    """As gRPC writes it: `ipv4:192.0.2.1:443`, `ipv6:%5B::1%5D:443`, `unix:/path`."""

    @classmethod
    def of(cls, context: grpc.aio.ServicerContext[Any, Any]) -> Headers:
        """Those of the call that is being handled."""
        return cls(tuple(context.invocation_metadata() or ()), str(context.peer()))

    def all(self, name: str) -> list[str]:
        """Every value of a name."""
        return [str(value) for key, value in self.values if key == name]

    def first(self, name: str) -> str:
        """The first value of a name; empty where there is none."""
        for key, value in self.values:
            if key == name:
                return str(value)
        return ""
