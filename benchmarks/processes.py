"""The servers under measurement, each a process of its own that dies with the benchmark."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import grpc

from boardgamesbot.store.embedded import die_with_parent

READY_SECONDS = 30.0
STOP_SECONDS = 10.0


class DidNotStart(Exception):
    """A server ended, or did not listen in time."""


@contextmanager
def program(module: str, arguments: Sequence[str], environment: Mapping[str, str]) -> Iterator[int]:
    """`python -m module arguments…`, from now on to the end of the block; gives its process id."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        preexec_fn=die_with_parent,
    )
    try:
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def server(module: str, arguments: Sequence[str], environment: Mapping[str, str], address: str) -> Iterator[int]:
    """`python -m module arguments…`, once it listens on `address`; gives its process id."""
    with program(module, arguments, environment) as pid:
        # Hung up before the next process is started: forking beside a busy channel may hang.
        with grpc.insecure_channel(address) as channel:
            try:
                grpc.channel_ready_future(channel).result(READY_SECONDS)
            except grpc.FutureTimeoutError:
                raise DidNotStart(f"{module} does not listen on {address}, see above") from None
        yield pid
