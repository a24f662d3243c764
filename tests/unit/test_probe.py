"""The check that a container runs beside its program."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from boardgamesbot.probe import main, probe

ANSWERS = {"/readyz": (200, b"ok\n"), "/healthz": (503, b"stuck\n")}


class Program(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status, said = ANSWERS[self.path]
        self.send_response(status)
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody wants to know."""


@pytest.fixture
def port() -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), Program) as server:
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        yield server.server_address[1]
        server.shutdown()
        serving.join()


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_it_says_what_the_program_says(port: int, host: str) -> None:
    assert probe(f"{host}:{port}", "/readyz") == (True, "ok")
    assert probe(f"{host}:{port}", "/healthz") == (False, "stuck")


def test_its_exit_status_is_what_a_container_looks_at(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BGB_METRICS_LISTEN", f"0.0.0.0:{port}")
    monkeypatch.setattr("sys.argv", ["probe"])
    assert main() == 0
    monkeypatch.setattr("sys.argv", ["probe", "/healthz"])
    assert main() == 1
    monkeypatch.delenv("BGB_METRICS_LISTEN")
    assert main() == 1
