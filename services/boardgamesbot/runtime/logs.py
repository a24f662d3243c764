"""Logs: structured, with the table and the request a line belongs to; never a token, a seed or a hidden square."""

from __future__ import annotations

import logging
import sys

import structlog

from boardgamesbot.runtime.settings import Settings


def configure(settings: Settings, program: str) -> None:
    """Send every log line of this process, the libraries' too, to standard error in the format wanted."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), pad_event_to=0)
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
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
    for noisy in ("celery.worker.strategy", "celery.app.trace"):
        logging.getLogger(noisy).setLevel(max(root.level, logging.WARNING))
    structlog.contextvars.bind_contextvars(program=program)


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """A logger by the name of its module."""
    bound: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return bound
