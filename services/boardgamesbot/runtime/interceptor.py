"""What happens to every call before and after its handler: size, decoding, who calls, errors, logs, metrics, traces.

One place, so that no method of any service can forget any of it.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

import grpc
from google.protobuf.message import DecodeError

from boardgamesbot.runtime import errors, logs, metrics, traces
from boardgamesbot.runtime.headers import Headers
from boardgamesbot.runtime.traces import Span
from boardgamesbot.store import UNAVAILABLE, NotReplicated
from boardgamesbot.store.keys import is_table_id
from boardgamesbot.store.tasks import ended

if TYPE_CHECKING:
    from boardgamesbot.runtime.admission import Admission
    from boardgamesbot.runtime.tokens import Caller

log = logs.logger(__name__)

Context = grpc.aio.ServicerContext[Any, Any]
T = TypeVar("T")

STORE_RETRY_SECONDS = 1.0
CANCELLED = "CANCELLED"
"""The code of a call nobody waits for any more, in metrics."""

_caller: ContextVar[Caller] = ContextVar("caller")


def caller() -> Caller:
    """Who makes the call that is being handled. Only in methods that want a token."""
    return _caller.get()


class CallInterceptor(grpc.GenericRpcHandler):
    """Has the methods of a server, each wrapped; services are added to it as to a gRPC server.

    gRPC knows this one handler and no interceptor: those are coroutines of their own, run anew for every call.

    `admission` says who may make a call; `stopping` ends the streams, so that their clients go to another replica.
    """

    def __init__(
        self,
        admission: Admission,
        message_bytes: int,
        stopping: asyncio.Event,
    ) -> None:
        self._admission = admission
        self._message_bytes = message_bytes
        self._stopping = stopping
        self._services: list[grpc.GenericRpcHandler] = []
        self._wrapped: dict[str, grpc.RpcMethodHandler[Any, Any]] = {}
        """Every method's handler, once it has been called."""

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.GenericRpcHandler]) -> None:
        """Called by generated code, which takes this for a server: here are a service's methods."""
        self._services.extend(handlers)

    def add_registered_method_handlers(self, service_name: str, handlers: object) -> None:
        """Called by generated code with the same methods once more."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Called by gRPC: the handler of a call; None if there is no such method."""
        method = handler_call_details.method
        if method not in self._wrapped:
            found = (service.service(handler_call_details) for service in self._services)
            handler = next((handler for handler in found if handler is not None), None)
            if handler is None:
                return None
            self._wrapped[method] = self._wrap(method, handler)
        return self._wrapped[method]

    def _wrap(self, method: str, handler: grpc.RpcMethodHandler[Any, Any]) -> grpc.RpcMethodHandler[Any, Any]:
        if handler.request_streaming:
            if not handler.response_streaming:
                raise TypeError(f"{method}: no method of ours takes a stream and gives one answer")
            both = self._both(method, cast(Any, handler.stream_stream))
            return grpc.stream_stream_rpc_method_handler(
                both, handler.request_deserializer, handler.response_serializer
            )
        decode = cast(Callable[[bytes], Any], handler.request_deserializer)
        if handler.response_streaming:
            behaviour = self._stream(method, decode, cast(Any, handler.unary_stream))
            return grpc.unary_stream_rpc_method_handler(behaviour, None, handler.response_serializer)
        unary = self._unary(method, decode, cast(Any, handler.unary_unary))
        return grpc.unary_unary_rpc_method_handler(unary, None, handler.response_serializer)

    def _unary(
        self, method: str, decode: Callable[[bytes], Any], behaviour: Callable[[Any, Context], Awaitable[Any]]
    ) -> Callable[[bytes, Context], Awaitable[Any]]:
        name = _short(method)

        async def handle(data: bytes, context: Context) -> Any:
            headers = Headers.of(context)
            logs.bind(method=name, call=_call_id(headers))
            began = time.perf_counter()
            with traces.span(name, kind="server", carried=headers.first(traces.HEADER)) as span:
                try:
                    await self._admit(method, headers)
                    request = self._decode(data, decode)
                    if table_id := _table_of(request):
                        logs.bind(table=table_id)
                        span.set(table=table_id)
                    answer = await behaviour(request, context)
                    metrics.CALLS.add(name, "OK")
                    return answer
                except Exception as error:
                    await _abort(error, name, context, span)
                except asyncio.CancelledError:
                    metrics.CALLS.add(name, CANCELLED)
                    raise
                finally:
                    metrics.CALL_SECONDS.observe(time.perf_counter() - began, name)

        return handle

    def _stream(
        self, method: str, decode: Callable[[bytes], Any], behaviour: Callable[[Any, Context], AsyncIterator[Any]]
    ) -> Callable[[bytes, Context], AsyncIterator[Any]]:
        name = _short(method)

        async def handle(data: bytes, context: Context) -> AsyncIterator[Any]:
            headers = Headers.of(context)
            logs.bind(method=name, call=_call_id(headers))
            metrics.STREAMS.change(name, by=1)
            try:
                with _counted(name):
                    try:
                        who = await self._admit(method, headers)
                        request = self._decode(data, decode)
                        if table_id := _table_of(request):
                            logs.bind(table=table_id)
                        with self._admission.stream(headers, who):
                            responses = _as_iterator(behaviour(request, context))
                            async for response in self._until_the_end(responses, who):
                                yield response
                        metrics.CALLS.add(name, "OK")
                    except Exception as error:
                        await _abort(error, name, context)
            finally:
                metrics.STREAMS.change(name, by=-1)

        return handle

    def _both(
        self, method: str, behaviour: Callable[[AsyncIterator[Any], Context], AsyncIterator[Any]]
    ) -> Callable[[AsyncIterator[Any], Context], AsyncIterator[Any]]:
        """Streams both ways are none of ours, reflection's only: they are let in and counted like others."""

        async def handle(requests: AsyncIterator[Any], context: Context) -> AsyncIterator[Any]:
            headers = Headers.of(context)
            try:
                who = await self._admit(method, headers)
                with self._admission.stream(headers, who):
                    async for response in behaviour(requests, context):
                        yield response
            except Exception as error:
                await _abort(error, _short(method), context)

        return handle

    async def _admit(self, method: str, headers: Headers) -> Caller | None:
        who = await self._admission.admit(method, headers)
        if who is not None:
            _caller.set(who)
            logs.bind(player=who.player.id)
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
                    patience = None
                    if who is not None:
                        patience = min(max(0.0, who.expires_at - time.time()), self._admission.good_seconds(who))
                    await asyncio.wait((step, stopping), timeout=patience, return_when=asyncio.FIRST_COMPLETED)
                    if step.done():
                        break
                    if stopping.done():
                        raise errors.unavailable("SERVER_STOPPING", "the server is stopping: connect again", 0.1)
                    assert who is not None
                    if who.expires_at <= time.time():
                        raise errors.unauthenticated("TOKEN_EXPIRED", "the token has expired: sign in again")
                    await self._admission.confirm(who)
                try:
                    response = step.result()
                except StopAsyncIteration:
                    return
                yield response
        finally:
            stopping.cancel()
            if step is not None:
                await ended(step)
                _heard_late(step)
            await cast(Any, responses).aclose()


def _heard_late(step: asyncio.Future[Any]) -> None:
    """How the last step of a stream ended when nobody waited for it any more: only a failure is news."""
    error = None if step.cancelled() else step.exception()
    if error is not None and not isinstance(error, (StopAsyncIteration, errors.ApiError, *UNAVAILABLE)):
        log.error("a stream failed at its end", error=type(error).__name__, exc_info=error)


def _as_iterator(responses: AsyncIterator[T] | Coroutine[Any, Any, None]) -> AsyncIterator[T]:
    """The responses of a handler; one of a library that writes to its context itself (health's `Watch`) has none."""
    return _written(responses) if isinstance(responses, Coroutine) else responses


async def _written(work: Coroutine[Any, Any, None]) -> AsyncIterator[Any]:
    await work
    return
    yield


def _short(method: str) -> str:
    """A method as logs and metrics name it: `TableService/SubmitMove`."""
    return method.rpartition(".")[2]


@contextmanager
def _counted(name: str) -> Iterator[None]:
    """Counts the call whose caller went away; all others are counted where they end."""
    try:
        yield
    except (asyncio.CancelledError, GeneratorExit):
        metrics.CALLS.add(name, CANCELLED)
        raise


def _table_of(request: Any) -> str:
    """The table that a request is about; empty where it names none."""
    table_id = getattr(request, "table_id", "")
    return table_id if isinstance(table_id, str) and is_table_id(table_id) else ""


def _call_id(headers: Headers) -> str:
    """What the call is named in logs: as the caller named it, if it did."""
    return headers.first("x-request-id")[:64] or f"{random.getrandbits(48):012x}"


async def _abort(error: Exception, name: str, context: Context, span: Span = traces.OFF) -> NoReturn:
    if isinstance(error, grpc.aio.AbortError):
        raise error
    if isinstance(error, NotReplicated):
        log.warning("too few replicas", reached=error.replicas, wanted=error.wanted)
        error = errors.unavailable(
            "NOT_REPLICATED",
            "too few copies of it are safe yet: it may stand or not; the same request again finds out",
            STORE_RETRY_SECONDS,
        )
    elif isinstance(error, UNAVAILABLE):
        log.warning("store unavailable", error=type(error).__name__)
        error = errors.unavailable(
            "STORE_UNAVAILABLE", "the store does not answer: try again in a moment", STORE_RETRY_SECONDS
        )
    if isinstance(error, NotImplementedError):  # a method that a library's contract has and its servicer has not
        error = errors.ApiError(grpc.StatusCode.UNIMPLEMENTED, "UNIMPLEMENTED", "this server has no such method")
    if not isinstance(error, errors.ApiError):
        log.exception("call failed", error=type(error).__name__)
        error = errors.ApiError(grpc.StatusCode.INTERNAL, "INTERNAL", "the server failed on this request; it is logged")
    else:
        log.debug("call refused", status=error.code.name, reason=error.reason)
    span.fail(error.reason)
    metrics.CALLS.add(name, error.code.name)
    metrics.REFUSALS.add(error.reason)
    if rule := error.metadata.get("rule"):
        metrics.RULE_REFUSALS.add(rule)
    await context.abort(error.code, error.message, ((errors.DETAILS_KEY, error.status()),))
    raise AssertionError("abort raises")
