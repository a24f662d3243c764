"""The first page, and everything around a game."""

from __future__ import annotations

import re
import time

import pytest
from playwright.async_api import Request, expect

from tests.browser.browsing import PHONE, WAIT_MS, Person
from tests.browser.conftest import Newcomer
from tests.support.waiting import eventually

pytestmark = pytest.mark.xdist_group("browser")

FIRST_LOAD_BYTES = 300_000
PATHS = ("/", "/tables", "/rules/agora", "/leaderboard", "/replay", "/device", "/nowhere")


async def test_first_load_is_small_and_asks_nobody_else(anna: Person) -> None:
    await anna.go("/")
    await anna.see("[data-testid=play-agora]")
    await anna.page.wait_for_load_state("networkidle")
    size = await anna.page.evaluate(
        """() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
            .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
    )
    assert 20_000 < size < FIRST_LOAD_BYTES


async def test_what_never_changes_comes_well_packed(anna: Person) -> None:
    async with anna.page.expect_response(re.compile(r"/assets/index-.*\.js$")) as responding:
        await anna.go("/")
    assert (await (await responding.value).all_headers())["content-encoding"] == "br"


async def test_tabs_share_one_stream_and_hidden_ones_have_none(anna: Person) -> None:
    table = await anna.play_now("agora")
    await anna.see(".move:enabled")
    streams: list[Request] = []
    gone: list[Request] = []
    of_me = re.compile(r"/WatchMe$")
    anna.context.on("request", lambda request: streams.append(request) if of_me.search(request.url) else None)
    anna.context.on("requestfailed", lambda request: gone.append(request) if of_me.search(request.url) else None)
    await anna.page.evaluate("() => localStorage.removeItem('bgb.tables')")  # so that the stream alone knows of it
    await anna.go("/")
    link = f"a.primary[href='/table/{table}']"  # among one's own
    await anna.see(link)
    other = await anna.context.new_page()
    await other.goto(anna.site + "/")
    await other.evaluate("() => localStorage.removeItem('bgb.tables')")
    await other.reload()
    await other.locator(link).wait_for()
    assert len(streams) == 1
    assert streams[0].headers["x-keep-alive-seconds"] == "20"

    async with anna.context.expect_event("request", lambda request: bool(of_me.search(request.url))) as taking_over:
        await anna.page.evaluate(
            """() => {
                Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
                document.dispatchEvent(new Event('visibilitychange'));
            }"""
        )
    assert (await taking_over.value).frame.page is other

    async def has_let_go() -> bool:
        return gone == streams[:1]

    await eventually(has_let_go)


async def test_a_language_is_chosen_and_kept(anna: Person) -> None:
    await anna.go("/")
    await expect(anna.page.get_by_role("heading", level=1)).to_have_text("Two games of Barcelona")
    await anna.page.get_by_label("Language").select_option("ca")
    await expect(anna.page.get_by_role("heading", level=1)).to_have_text("Dos jocs de Barcelona")
    await anna.page.reload()
    await expect(anna.page.locator("html")).to_have_attribute("lang", "ca")
    await expect(anna.page.get_by_test_id("play-agora")).to_have_text(re.compile("Juga ara contra 3 bots"))


async def test_the_browsers_language_is_taken(newcomer: Newcomer) -> None:
    async with newcomer(locale="es-MX") as somebody:
        await somebody.go("/")
        await expect(somebody.page.get_by_role("heading", level=1)).to_have_text("Dos juegos de Barcelona")


async def test_dark_is_chosen_and_kept(anna: Person) -> None:
    async def paper() -> object:
        return await anna.page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")

    await anna.go("/")
    light = await paper()
    await anna.page.get_by_role("button", name=re.compile("change to light")).click()
    await anna.page.get_by_role("button", name=re.compile("change to dark")).click()
    dark = await paper()
    assert dark != light
    await anna.page.reload()
    assert await paper() == dark


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_access(newcomer: Newcomer, scheme: str) -> None:
    async with newcomer(color_scheme=scheme) as somebody:
        for path in PATHS:
            await somebody.go(path)
            await somebody.see("h1")
            await somebody.page.wait_for_load_state("networkidle")
            assert await somebody.faults_of_access() == [], path


async def test_everything_fits_a_phone(newcomer: Newcomer) -> None:
    async with newcomer(viewport=PHONE, has_touch=True, is_mobile=True) as somebody:
        for path in PATHS:
            await somebody.go(path)
            await somebody.see("h1")
            assert not await somebody.is_too_wide(), path
        await somebody.play_now("agora")
        await somebody.see(".move")
        assert not await somebody.is_too_wide()


async def test_a_rule_is_found_by_its_id(anna: Person) -> None:
    await anna.go("/rules/agora#AG-P2.3")
    rule = anna.page.locator("[id='AG-P2.3']")
    await expect(rule).to_contain_text("shared lead")
    await expect(rule).to_be_in_viewport()
    await anna.page.get_by_label("Find in the rules").fill("fountain")
    await expect(rule).to_be_hidden()
    await expect(anna.page.locator("[id='AG-E1']")).to_be_visible()


async def test_another_device_is_the_same_player(anna: Person, newcomer: Newcomer) -> None:
    table = await anna.play_now("agora")
    await anna.see(".move")
    await anna.go("/device")
    await anna.page.get_by_role("button", name="Show my key").click()
    key = await anna.page.get_by_label("Your key").input_value()
    async with newcomer() as elsewhere:
        await elsewhere.go("/device")
        await elsewhere.page.get_by_label("The key from your other device").fill("nonsense")
        await elsewhere.page.get_by_role("button", name="Continue as that player").click()
        await expect(elsewhere.page.get_by_role("alert")).to_have_text("That is no key.")
        await elsewhere.page.get_by_label("The key from your other device").fill(f"{key[:40]}\n{key[40:]}")
        await elsewhere.page.get_by_role("button", name="Continue as that player").click()
        await elsewhere.page.get_by_role("link", name=re.compile("Continue")).first.click()
        await elsewhere.page.wait_for_url(f"**/table/{table}")
        await elsewhere.page.locator(".move").first.click()
        await expect(elsewhere.page.get_by_text("you", exact=False).first).to_be_visible()
        seen = await elsewhere.version()
        await anna.go(f"/table/{table}")
        await anna.page.wait_for_function(
            "(v) => Number(document.querySelector('.shell')?.dataset.version) >= v", arg=seen
        )


async def test_a_guest_takes_another_name(anna: Person) -> None:
    await anna.go("/device")
    await anna.page.get_by_label("Name", exact=True).fill("Ildefons")
    await anna.page.get_by_role("button", name="Begin as this player").click()
    await expect(anna.page.get_by_role("contentinfo")).to_contain_text("You play as Ildefons.")
    await anna.play_now("agora")
    await expect(anna.page.get_by_role("list", name="Players")).to_contain_text("Ildefons")


async def test_a_token_that_has_expired_is_replaced(anna: Person) -> None:
    await anna.go("/")
    await anna.see("[data-testid=play-agora]")
    await anna.page.evaluate("() => localStorage.setItem('bgb.token', 'stale')")
    await anna.play_now("agora")
    await anna.see(".move")
    anna.forgive("401")


async def test_people_are_found_and_bots_fill_the_table(anna: Person) -> None:
    await anna.go("/")
    await anna.page.get_by_label("If nobody comes").select_option("10")
    await anna.page.get_by_test_id("find").click()
    await expect(anna.page.get_by_text(re.compile("waiting"))).to_be_visible()
    await anna.page.wait_for_url("**/table/*", timeout=60_000)
    await expect(anna.page.get_by_role("list", name="Players")).to_contain_text("you")


async def test_looking_for_people_can_be_given_up(anna: Person) -> None:
    await anna.go("/")
    await anna.page.get_by_label("If nobody comes").select_option("0")
    await anna.page.get_by_test_id("find").click()
    await anna.page.get_by_role("button", name="Stop looking").click()
    await expect(anna.page.get_by_test_id("find")).to_be_visible()
    await anna.page.get_by_test_id("find").click()
    await expect(anna.page.get_by_role("button", name="Stop looking")).to_be_visible()


async def _open_room(host: Person, players: str) -> str:
    await host.go("/")
    await host.page.get_by_text("Open a table of your own").click()
    await host.page.locator("#room-players").select_option(players)
    await host.page.get_by_test_id("open-room").click()
    await host.page.wait_for_url("**/table/*")
    return await host.page.locator(".code").inner_text()


async def test_two_people_in_one_room(anna: Person, newcomer: Newcomer) -> None:
    code = await _open_room(anna, "3")
    async with newcomer() as bel, newcomer() as watcher:
        await bel.go("/")
        await bel.page.get_by_label("Code of a table").fill(code.lower())
        await bel.page.get_by_role("button", name="Join").first.click()
        await bel.page.wait_for_url("**/table/*")
        await bel.page.get_by_role("button", name="Sit here").first.click()
        await expect(anna.page.get_by_text("1 seat still free.")).to_be_visible()
        assert await anna.faults_of_access() == []
        await anna.page.get_by_role("button", name="Fill with bots and begin").click()
        for somebody in (anna, bel):
            await somebody.see(".shell")
        await watcher.go("/table/" + anna.page.url.rsplit("/", 1)[1])
        await expect(watcher.page.get_by_text("You are watching")).to_be_visible()
        await expect(watcher.page.locator(".move")).to_have_count(0)
        players: tuple[Person, ...] = (anna, bel)
        for _ in range(4):
            await _one_move(players)
        latest = max([await somebody.version() for somebody in players])
        for somebody in (*players, watcher):
            await somebody.page.wait_for_function(
                "(v) => Number(document.querySelector('.shell').dataset.version) >= v", arg=latest
            )


async def _one_move(players: tuple[Person, ...]) -> None:
    """Whoever's turn it is plays the first move of the list."""
    deadline = time.monotonic() + WAIT_MS / 1000
    while time.monotonic() < deadline:
        for somebody in players:
            moves = somebody.page.locator(".move:enabled")
            if await moves.count():
                await moves.first.click()
                return
        await players[0].page.wait_for_timeout(20)
    raise AssertionError("nobody's turn")
