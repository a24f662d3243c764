"""Logs: structured, with the table and the request a line belongs to; never a token, a seed or a hidden square."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType, TracebackType

import structlog

from boardgamesbot.runtime import traces
from boardgamesbot.runtime.redaction import redacted
from boardgamesbot.runtime.settings import Settings

_about: ContextVar[Mapping[str, object]] = ContextVar("about", default=MappingProxyType({}))

QUIETER = ("celery.worker.strategy", "celery.app.trace")
"""Libraries that say at every task what is known."""


def configure(settings: Settings, program: str) -> None:
    """Send every log line of this process, the libraries' and Python's too, to standard error in the format wanted."""

    def about_the_process(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
        event["program"] = program
        if trace := traces.trace_id():
            event["trace"] = trace
        return event

    shared: list[structlog.typing.Processor] = [
        about_the_work,
        about_the_process,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        redacted,
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), pad_event_to=0)
    )
    structlog.configure(
        # What nobody is to read is dropped before anything is made of it.
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level.upper())
    for noisy in QUIETER:
        logging.getLogger(noisy).setLevel(max(root.level, logging.WARNING))
    logging.captureWarnings(True)
    sys.excepthook = _last_words


def bind(**about: object) -> None:
    """What every further line says that belongs to the same call or task."""
    _about.set({**_about.get(), **about})


def about_nothing() -> None:
    """Begin with something else: nothing said before belongs to it."""
    _about.set({})


def about_the_work(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Puts into a line what was bound."""
    return {**_about.get(), **event}


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """A logger by the name of its module."""
    bound: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return bound


def _last_words(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, traceback)
    else:
        logger(__name__).critical("the program fails", exc_info=(kind, error, traceback))
