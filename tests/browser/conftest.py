"""A platform for all tests of the page, and a browser for each."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial

import pytest
from playwright.async_api import Browser, expect

from tests.browser.browsing import WAIT_MS, Person, missing, person, running_browser
from tests.support.platform import Serve

Newcomer = Callable[..., AbstractAsyncContextManager[Person]]


expect.set_options(timeout=WAIT_MS)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the page is: at a platform of the tests' own, or at the one that BGB_TEST_SITE names."""
    lacking = missing()
    if lacking:
        pytest.skip(lacking)
    running = os.environ.get("BGB_TEST_SITE")
    if running:
        yield running
        return
    with Serve(tmp_path_factory.mktemp("site")) as serving:
        yield serving.page


@pytest.fixture
async def browser(site: str) -> AsyncIterator[Browser]:
    async with running_browser() as running:
        yield running


@pytest.fixture
def newcomer(browser: Browser, site: str) -> Newcomer:
    """Makes somebody new; takes what `Browser.new_context` does."""
    return partial(person, browser, site)


@pytest.fixture
async def anna(newcomer: Newcomer) -> AsyncIterator[Person]:
    """Somebody at a desktop."""
    async with AsyncExitStack() as stack:
        yield await stack.enter_async_context(newcomer())
