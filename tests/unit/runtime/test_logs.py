"""Every line a program logs has the format wanted, whoever says it; nothing else comes in between."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

PROGRAM = """
import logging, warnings
from boardgamesbot.runtime import logs
from boardgamesbot.runtime.settings import Settings
logs.configure(Settings(log_format="json", log_level="info"), "rules")
logs.bind(call="one", table="00abc")
logs.logger("ours").info("said", seat=1)
logging.getLogger("uvicorn.error").warning("of %s", "another")
logs.about_nothing()
try:
    1 / 0
except ZeroDivisionError:
    logs.logger("ours").exception("failed")
warnings.warn("take care")
class Never:
    def __str__(self):
        raise AssertionError("nobody reads this line: nothing is made of it")
logs.logger("ours").debug("too much", about=Never())
logging.getLogger("ours").debug("too much")
raise RuntimeError("the end")
"""


def _run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name != "GRPC_VERBOSITY"}
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=kept | environment)


def test_whatever_is_said_is_said_in_json() -> None:
    done = _run(PROGRAM)
    assert done.returncode == 1
    said, another, failed, care, end = map(json.loads, done.stderr.splitlines())
    assert (said["event"], said["seat"], said["call"], said["table"]) == ("said", 1, "one", "00abc")
    assert (said["program"], said["logger"], said["level"]) == ("rules", "ours", "info")
    assert (another["event"], another["table"], another["logger"]) == ("of another", "00abc", "uvicorn.error")
    assert failed["exception"].endswith("ZeroDivisionError: division by zero")
    assert not {"call", "table"} & failed.keys(), "it belongs to something else"
    assert "take care" in care["event"]
    assert (end["level"], end["exception"].splitlines()[-1]) == ("critical", "RuntimeError: the end")


@pytest.mark.parametrize(("given", "then"), [({}, "NONE"), ({"GRPC_VERBOSITY": "error"}, "error")])
def test_grpc_itself_is_quiet_unless_asked(given: dict[str, str], then: str) -> None:
    program = """
import os, sys
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == "grpc":
            print(os.environ.get("GRPC_VERBOSITY", "not set before grpc is loaded"))
sys.meta_path.insert(0, Watch())
import boardgamesbot.cli.programs
"""
    assert _run(program, **given).stdout == f"{then}\n"
