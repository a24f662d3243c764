"""The TypeScript SDK as a package of its own: built, and its README's program run as written."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.browser.browsing import ROOT, WEB

pytestmark = pytest.mark.xdist_group("browser")

PACKAGE = ROOT / "clients" / "typescript"


def test_the_readme_shows_the_program_that_there_is() -> None:
    shown = re.search(r"```js\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
    assert shown is not None
    assert (PACKAGE / "play.mjs").read_text().endswith(shown.group(1))


@pytest.mark.timeout(240)
def test_a_whole_game_from_node(site: str, tmp_path: Path) -> None:
    for name in ("package.json", "play.mjs"):
        (tmp_path / name).write_bytes((PACKAGE / name).read_bytes())
    (tmp_path / "node_modules").symlink_to(WEB / "node_modules")
    node = str(WEB / "with-node")
    config, out = str(PACKAGE / "tsconfig.json"), str(tmp_path / "dist")
    subprocess.run([node, "npx", "--no-install", "tsc", "--project", config, "--outDir", out], check=True)
    played = subprocess.run(
        [node, "node", str(tmp_path / "play.mjs"), site], check=True, stdout=subprocess.PIPE, text=True
    )
    assert re.fullmatch(r"Ildefons: \d+ of \[ \d+, \d+, \d+ \]\n", played.stdout)
