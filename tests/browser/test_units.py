"""What of the page is tested without a browser: by vitest, and by the compiler."""

from __future__ import annotations

import subprocess

import pytest

from tests.browser.browsing import WEB

pytestmark = pytest.mark.skipif(not (WEB / "node_modules").is_dir(), reason="no node_modules; make web")


def _run(*command: str) -> None:
    done = subprocess.run(
        [str(WEB / "with-node"), *command], cwd=WEB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout[-8000:]


@pytest.mark.timeout(240)
def test_vitest() -> None:
    _run("npm", "run", "--silent", "test")


@pytest.mark.timeout(240)
def test_types_and_warnings() -> None:
    _run("npm", "run", "--silent", "check")
