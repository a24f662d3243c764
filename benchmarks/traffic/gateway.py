"""Calls to a gateway, over HTTP as a program makes them: HTTP/1.1, connections kept, protobuf in and out."""

from __future__ import annotations

import asyncio

_Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class GatewayError(Exception):
    """The gateway refused a call, or could not be reached; the message says how."""


class Gateway:
    """One gateway; as many connections as calls are under way at a time."""

    def __init__(self, address: str) -> None:
        """`address` is HOST:PORT."""
        self._host, _, port = address.rpartition(":")
        self._port = int(port)
        self._idle: list[_Connection] = []

    async def call(self, method: str, request: bytes, authorization: str) -> bytes:
        """The answer to a unary call of `package.Service/Method`. Raises GatewayError."""
        head = (
            f"POST /{method} HTTP/1.1\r\nhost: {self._host}:{self._port}\r\ncontent-type: application/proto\r\n"
            f"connect-protocol-version: 1\r\nauthorization: {authorization}\r\ncontent-length: {len(request)}\r\n\r\n"
        )
        try:
            reader, writer = self._idle.pop() if self._idle else await asyncio.open_connection(self._host, self._port)
            try:
                writer.write(head.encode() + request)
                status, body = await _answer(reader)
            except BaseException:
                writer.close()
                raise
        except (OSError, asyncio.IncompleteReadError, ValueError) as error:
            raise GatewayError(f"{type(error).__name__}: {error}") from error
        self._idle.append((reader, writer))
        if status != 200:
            raise GatewayError(f"{status}: {body[:100].decode(errors='replace')}")
        return body

    def close(self) -> None:
        for _, writer in self._idle:
            writer.close()


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return int(head[0].split()[1]), await _chunks(reader)
    return int(head[0].split()[1]), await reader.readexactly(int(headers.get("content-length", 0)))


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int((await reader.readline()).split(b";")[0], 16):
        body += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return body
