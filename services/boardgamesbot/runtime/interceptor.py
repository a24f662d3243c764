"""What happens to every call before and after its handler: size, decoding, who calls, errors, logs.

One place, so that no method of any service can forget any of it.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

import grpc
from google.protobuf.message import DecodeError

from boardgamesbot.runtime import errors, logs
from boardgamesbot.runtime.accounts import CHECK_SECONDS
from boardgamesbot.store import UNAVAILABLE
from boardgamesbot.store.tasks import ended
from boardgamesbot.v1.players_pb2 import PLAYER_KIND_BOT_ACCOUNT

if TYPE_CHECKING:
    from boardgamesbot.runtime.accounts import AccountTokens
    from boardgamesbot.runtime.tokens import Caller, Tokens

Context = grpc.aio.ServicerContext[Any, Any]
T = TypeVar("T")

STORE_RETRY_SECONDS = 1.0

_caller: ContextVar[Caller] = ContextVar("caller")


def caller() -> Caller:
    """Who makes the call that is being handled. Only in methods that want a token."""
    return _caller.get()


class CallInterceptor(grpc.aio.ServerInterceptor):
    """Wraps every method of the server.

    `open_methods` want no token: full names (`/package.Service/Method`) or prefixes that end in `/`.
    `stopping` ends the streams, so that their clients go to another replica.
    """

    def __init__(
        self,
        tokens: Tokens,
        accounts: AccountTokens,
        open_methods: Collection[str],
        message_bytes: int,
        stopping: asyncio.Event,
    ) -> None:
        self._tokens = tokens
        self._accounts = accounts
        self._open = tuple(open_methods)
        self._message_bytes = message_bytes
        self._stopping = stopping

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        handler = await continuation(handler_call_details)
        if handler is None or handler.request_streaming:
            return handler
        method = str(handler_call_details.method)
        decode = cast(Callable[[bytes], Any], handler.request_deserializer)
        if handler.response_streaming:
            behaviour = self._stream(method, decode, cast(Any, handler.unary_stream))
            return grpc.unary_stream_rpc_method_handler(behaviour, None, handler.response_serializer)
        unary = self._unary(method, decode, cast(Any, handler.unary_unary))
        return grpc.unary_unary_rpc_method_handler(unary, None, handler.response_serializer)

    def _unary(
        self, method: str, decode: Callable[[bytes], Any], behaviour: Callable[[Any, Context], Awaitable[Any]]
    ) -> Callable[[bytes, Context], Awaitable[Any]]:
        async def handle(data: bytes, context: Context) -> Any:
            try:
                await self._admit(method, context)
                return await behaviour(self._decode(data, decode), context)
            except Exception as error:
                await _abort(error, method, context)

        return handle

    def _stream(
        self, method: str, decode: Callable[[bytes], Any], behaviour: Callable[[Any, Context], AsyncIterator[Any]]
    ) -> Callable[[bytes, Context], AsyncIterator[Any]]:
        async def handle(data: bytes, context: Context) -> AsyncIterator[Any]:
            try:
                who = await self._admit(method, context)
                responses = behaviour(self._decode(data, decode), context)
                async for response in self._until_the_end(responses, who):
                    yield response
            except Exception as error:
                await _abort(error, method, context)

        return handle

    async def _admit(self, method: str, context: Context) -> Caller | None:
        for name in self._open:
            if method == name or (name.endswith("/") and method.startswith(name)):
                return None
        who = self._tokens.read(_bearer(context))
        await self._accounts.confirm(who)
        _caller.set(who)
        return who

    def _decode(self, data: bytes, decode: Callable[[bytes], T]) -> T:
        if len(data) > self._message_bytes:
            raise errors.too_large(len(data), self._message_bytes)
        try:
            return decode(data)
        except DecodeError:
            raise errors.invalid_field("message", "is not a message of this method") from None

    async def _until_the_end(self, responses: AsyncIterator[T], who: Caller | None) -> AsyncIterator[T]:
        """The stream's responses, until it ends, the token is good no more, or the server stops."""
        stopping = asyncio.ensure_future(self._stopping.wait())
        step: asyncio.Future[T] | None = None
        try:
            while True:
                step = asyncio.ensure_future(cast(Any, anext(responses)))
                while not step.done():
                    patience = max(0.0, who.expires_at - time.time()) if who else None
                    if who is not None and who.player.kind == PLAYER_KIND_BOT_ACCOUNT:
                        patience = min(cast(float, patience), CHECK_SECONDS)
                    await asyncio.wait((step, stopping), timeout=patience, return_when=asyncio.FIRST_COMPLETED)
                    if step.done():
                        break
                    if stopping.done():
                        raise errors.unavailable("SERVER_STOPPING", "the server is stopping: connect again", 0.1)
                    assert who is not None
                    if who.expires_at <= time.time():
                        raise errors.unauthenticated("TOKEN_EXPIRED", "the token has expired: sign in again")
                    await self._accounts.confirm(who)
                try:
                    response = step.result()
                except StopAsyncIteration:
                    return
                yield response
        finally:
            stopping.cancel()
            if step is not None:
                await ended(step)
            await cast(Any, responses).aclose()


def _bearer(context: Context) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            scheme, _, token = str(value).partition(" ")
            if scheme.lower() == "bearer" and token:
                return token.strip()
    raise errors.unauthenticated("TOKEN_MISSING", "send a token as `authorization: Bearer …`; CreateGuest gives one")


def _call_id(context: Context) -> str:
    """What the call is named in logs: as the caller named it, if it did."""
    for key, value in context.invocation_metadata() or ():
        if key == "x-request-id":
            return str(value)[:64]
    return uuid.uuid4().hex[:12]


async def _abort(error: Exception, method: str, context: Context) -> NoReturn:
    if isinstance(error, grpc.aio.AbortError):
        raise error
    who = _caller.get(None)
    log = logs.logger(__name__).bind(
        method=method.rpartition(".")[2], call=_call_id(context), player=who.player.id if who else None
    )
    if isinstance(error, UNAVAILABLE):
        log.warning("store unavailable", error=type(error).__name__)
        error = errors.unavailable(
            "STORE_UNAVAILABLE", "the store does not answer: try again in a moment", STORE_RETRY_SECONDS
        )
    if not isinstance(error, errors.ApiError):
        log.exception("call failed", error=type(error).__name__)
        error = errors.ApiError(grpc.StatusCode.INTERNAL, "INTERNAL", "the server failed on this request; it is logged")
    else:
        log.debug("call refused", status=error.code.name, reason=error.reason)
    await context.abort(error.code, error.message, ((errors.DETAILS_KEY, error.status()),))
    raise AssertionError("abort raises")
