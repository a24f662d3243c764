"""Keeps a picture of every main view, at the size of a desk and of a phone, by day and by night.

python -m tests.browser.screenshots build/screenshots
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.browser.browsing import DESKTOP, PHONE, Person, missing, person, running_browser
from tests.support.platform import Serve

VIEWS = {
    "home": "/",
    "tables": "/tables",
    "rules": "/rules/agora",
    "ratings": "/leaderboard",
    "replay": "/replay",
    "device": "/device",
}


async def _take(site: str, folder: Path) -> None:
    async with running_browser() as browser:
        for size, viewport in (("desktop", DESKTOP), ("phone", PHONE)):
            for scheme in ("light", "dark"):
                async with person(browser, site, viewport=viewport, color_scheme=scheme) as somebody:
                    await _of(somebody, folder, f"{size}-{scheme}")


async def _of(somebody: Person, folder: Path, suffix: str) -> None:
    async def keep(name: str) -> None:
        await somebody.page.screenshot(path=folder / f"{name}-{suffix}.png", full_page=True)
        print(f"{name}-{suffix}.png", flush=True)  # noqa: T201

    for name, path in VIEWS.items():
        await somebody.go(path)
        await somebody.see("h1")
        await somebody.page.wait_for_load_state("networkidle")
        await keep(name)
    await somebody.go("/")
    await somebody.page.get_by_text("Open a table of your own").click()
    await somebody.page.get_by_test_id("open-room").click()
    await somebody.see(".code")
    await keep("lobby")
    for game in ("agora", "barcelona", "solo"):
        await somebody.play_now(game)
        await somebody.see(".move")
        await keep(f"table-{game}")
    await somebody.play_now("agora")
    await somebody.play_to_the_end()
    await somebody.page.get_by_role("button", name="Verify the shuffle").click()
    await somebody.see(".verdict >> nth=2")
    await keep("result")
    await somebody.page.get_by_role("link", name="Replay", exact=True).last.click()
    await somebody.see("input[type=range]")
    await somebody.page.wait_for_function("() => !document.querySelector('progress')")
    await somebody.page.get_by_role("slider").fill("25")
    await keep("replay-agora")


def main() -> None:
    """Take them all, at a platform of their own or at the one that BGB_TEST_SITE names."""
    if missing():
        raise SystemExit(missing())
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        site = os.environ.get("BGB_TEST_SITE", "")
        if not site:
            data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            site = stack.enter_context(Serve(data)).page
        asyncio.run(_take(site, folder))


if __name__ == "__main__":
    main()
