"""Browsers for tests: each a person of their own, who notices errors, requests to elsewhere, and faults of access."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    ViewportSize,
    async_playwright,
)

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
DIST = WEB / "dist"
DESKTOP = ViewportSize(width=1280, height=900)
PHONE = ViewportSize(width=390, height=844)
WAIT_MS = 30_000

_AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """Where a Chromium is; None: there is none on this machine."""
    return next((path for name in _CHROMIUM if (path := shutil.which(name))), None)


def missing() -> str:
    """What a browser's test lacks here; empty: nothing."""
    if chromium() is None:
        return "no Chromium here; on Debian: apt install chromium"
    if not (DIST / "index.html").is_file():
        return "the page is not built; make web"
    return ""


@asynccontextmanager
async def running_browser() -> AsyncIterator[Browser]:
    """A Chromium without a window."""
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium(), args=[*sandbox, "--disable-dev-shm-usage"]
        )
        try:
            yield browser
        finally:
            await browser.close()


@dataclass
class Person:
    """Somebody with a browser of their own."""

    context: BrowserContext
    page: Page
    site: str
    complaints: list[str] = field(default_factory=list)
    """What the browser complained about."""

    def forgive(self, words: str) -> None:
        """Overlook complaints with these words: the test provoked them."""
        self.complaints[:] = [complaint for complaint in self.complaints if words not in complaint]

    async def go(self, path: str) -> None:
        """Open a page of the site."""
        await self.page.goto(self.site + path)

    async def see(self, selector: str) -> None:
        """Wait until something is in sight."""
        await self.page.locator(selector).first.wait_for(timeout=WAIT_MS)

    async def play_now(self, what: str) -> str:
        """From the first page to a running game; gives the table's id."""
        await self.go("/")
        await self.page.get_by_test_id(f"play-{what}").click()
        await self.page.wait_for_url("**/table/*", timeout=WAIT_MS)
        await self.see(".shell")
        return self.page.url.rsplit("/", 1)[1]

    async def play_to_the_end(self) -> None:
        """Play the first move of the list whenever there is one, until the result is in sight."""
        await self.page.evaluate(
            """() => new Promise((resolve) => {
                const step = () => {
                    if (document.querySelector('[data-testid=result]')) {
                        clearInterval(timer);
                        resolve();
                        return;
                    }
                    document.querySelector('button.move:not(:disabled)')?.click();
                };
                const timer = setInterval(step, 10);
            })"""
        )

    async def version(self) -> int:
        """The version of the table in sight."""
        return int(await self.page.locator(".shell").get_attribute("data-version") or 0)

    async def faults_of_access(self) -> list[str]:
        """What axe finds on the page that is serious or worse."""
        await self.page.evaluate(_AXE.read_text() + "; void 0")
        found: Mapping[str, Any] = await self.page.evaluate("() => axe.run(document)")
        return [
            f"{fault['id']}: {fault['help']}: {[node['html'][:160] for node in fault['nodes'][:3]]}"
            for fault in found["violations"]
            if fault["impact"] in ("serious", "critical")
        ]

    async def is_too_wide(self) -> bool:
        """Whether the page must be moved sideways to be seen."""
        return bool(
            await self.page.evaluate(
                "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
            )
        )


@asynccontextmanager
async def person(browser: Browser, site: str, **settings: Any) -> AsyncIterator[Person]:
    """Somebody new. Leaving raises AssertionError if their browser had anything to complain about."""
    settings = {"viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce", **settings}
    context = await browser.new_context(**settings)
    context.set_default_timeout(WAIT_MS)
    who = Person(context, await context.new_page(), site)

    def listen(page: Page) -> None:
        def on_console(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                who.complaints.append(f"console: {message.text}")

        def on_request(request: Request) -> None:
            if not request.url.startswith((site, "data:", "blob:")):
                who.complaints.append(f"elsewhere: {request.url}")

        page.on("pageerror", lambda error: who.complaints.append(f"error: {error}"))
        page.on("console", on_console)
        page.on("request", on_request)

    listen(who.page)
    context.on("page", listen)
    try:
        yield who
    finally:
        await context.close()
    assert not who.complaints, who.complaints
