"""Calls as each protocol writes them."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

PLAYERS = "/boardgamesbot.v1.PlayerService"
TABLES = "/boardgamesbot.v1.TableService"


def framed(data: bytes, flags: int = 0) -> bytes:
    """A message as it travels in Connect streams and gRPC-Web."""
    return bytes((flags,)) + len(data).to_bytes(4) + data


def frames(body: bytes) -> Iterator[tuple[int, bytes]]:
    """The flags and content of each frame."""
    while body:
        size = int.from_bytes(body[1:5])
        assert len(body) >= 5 + size
        yield body[0], body[5 : 5 + size]
        body = body[5 + size :]


async def live_frames(response: httpx.Response) -> AsyncIterator[tuple[int, bytes]]:
    """The frames of a stream, as they come."""
    kept = b""
    async for part in response.aiter_raw():
        kept += part
        while len(kept) >= 5 and len(kept) >= (end := 5 + int.from_bytes(kept[1:5])):
            yield kept[0], kept[5:end]
            kept = kept[end:]
    assert not kept


def trailers(content: bytes) -> dict[str, str]:
    """The last frame of gRPC-Web."""
    return dict(line.split(":", 1) for line in content.decode().split("\r\n") if line)


def debug_of(refusal: dict[str, Any], kind: str) -> dict[str, Any]:
    """A detail of a Connect error."""
    shown: dict[str, Any] = next(d for d in refusal["details"] if d["type"] == f"google.rpc.{kind}")["debug"]
    return shown


def unpadded(text: str) -> bytes:
    """What base64 without padding says."""
    return base64.b64decode(text + "=" * (-len(text) % 4))


async def call(
    client: httpx.AsyncClient, path: str, message: dict[str, Any] | None = None, token: str = "", **headers: str
) -> httpx.Response:
    """A call in JSON, as curl makes it."""
    own = {"content-type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
    if token:
        own["authorization"] = f"Bearer {token}"
    return await client.post(path, content=json.dumps(message or {}), headers=own)


async def guest(client: httpx.AsyncClient, name: str = "Ada") -> str:
    """A new guest's token."""
    answer = await call(client, f"{PLAYERS}/CreateGuest", {"name": name})
    assert answer.status_code == 200, answer.text
    token: str = answer.json()["token"]
    return token
