"""Barcelona on its board: a whole solo game by clicking what lights up, by keyboard, after a reload, on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.browser.browsing import Person
from tests.browser.conftest import Newcomer
from tests.support.waiting import eventually

pytestmark = pytest.mark.xdist_group("browser")

_LIT = ".barcelona [data-place].lit"
_STREET = ".barcelona [data-place^='street:'].lit"
_PLAY = """() => new Promise((resolve, reject) => {
    const clicked = {};
    let turn = 0, idle = 0;
    const click = (element) => element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    const timer = setInterval(() => {
        if (document.querySelector('[data-testid=result]')) {
            clearInterval(timer);
            resolve(clicked);
            return;
        }
        const asked = document.querySelectorAll('.decide .choice.primary');
        const lit = document.querySelectorAll('LIT');
        const words = document.querySelectorAll('.decide .choice:not(.decline)');
        const some = asked.length ? asked : lit.length ? lit : words.length ? words : [];
        if (!some.length) {
            const only = document.querySelector('.decide .choice');
            if (only) click(only);
            if (++idle > 3000) { clearInterval(timer); reject(new Error('nothing lights up')); }
            return;
        }
        idle = 0;
        const one = some[turn++ * 7 % some.length];
        const kind = one.dataset.place?.split(':')[0];
        if (kind) clicked[kind] = (clicked[kind] ?? 0) + 1;
        click(one);
    }, 8);
})""".replace("LIT", _LIT)


async def _sit_down(somebody: Person, *, expansion: bool = True) -> Page:
    await somebody.go("/")
    if expansion:
        await somebody.page.get_by_label("with Passeig de Gràcia").check()
    await somebody.page.get_by_test_id("play-solo").click()
    await somebody.page.wait_for_url("**/table/*")
    await somebody.see(_LIT)
    return somebody.page


async def _lit(page: Page) -> list[str]:
    return sorted(await page.evaluate(f"() => [...document.querySelectorAll('{_LIT}')].map((e) => e.dataset.place)"))


async def _either_on_top(page: Page) -> None:
    """Says which citizen goes on top; where both are of a class, nothing is asked."""
    await page.locator(f".decide .choice.primary, {_STREET}").first.wait_for()
    if await page.locator(".decide .choice.primary").count():
        await page.locator(".decide .choice.primary").first.click()


async def _to_the_placing(page: Page) -> None:
    """Chooses what is asked before the first turn."""
    while not await page.locator("[data-place^='crossing:'].lit").count():
        before = await page.locator(".shell").get_attribute("data-version")
        await page.locator(".decide .choice").first.click()
        await expect(page.locator(".shell")).not_to_have_attribute("data-version", before or "")
        await page.locator(_LIT).first.wait_for()


@pytest.mark.timeout(400)
async def test_solo_with_the_expansion_by_clicking_what_lights_up(anna: Person) -> None:
    page = await _sit_down(anna)
    clicked = await page.evaluate(_PLAY)
    assert {"crossing", "street", "section", "site"} <= set(clicked), clicked
    assert clicked["crossing"] >= 8
    result = page.get_by_test_id("result")
    await expect(result).to_be_visible()
    await expect(page.locator(".barcelona [data-place].lit")).to_have_count(0)
    totals = [
        int(re.sub(r"\D", "", cell))
        for cell in await result.get_by_role("row").last.get_by_role("cell").all_inner_texts()
    ]
    shown = [int(re.sub(r"\D", "", text)) for text in await page.locator(".barcelona .points").all_inner_texts()]
    assert shown == totals
    assert await anna.faults_of_access() == []


async def test_a_reload_in_mid_turn_lights_up_the_same(anna: Person) -> None:
    page = await _sit_down(anna)
    await _to_the_placing(page)
    free = page.locator("[data-place='crossing:2'].lit")
    await free.click()
    await _either_on_top(page)
    await page.locator("[data-place^='street:'].lit").first.wait_for()
    streets = await _lit(page)
    assert set(streets) <= {"street:2", "street:6"}, "one of them may offer nothing that can be done"
    assert await page.locator("[data-place='crossing:2']").get_attribute("aria-label") != ""
    await page.reload()
    await anna.see(_LIT)
    assert await _lit(page) == streets
    await expect(page.locator("[data-place='crossing:2']")).to_have_attribute("aria-label", re.compile("B1: .* on "))


async def test_what_is_not_lit_says_why(anna: Person) -> None:
    page = await _sit_down(anna, expansion=False)
    before = await anna.version()
    await page.locator("[data-place='section:1']").click(force=True)  # it is disabled, and can still be asked
    refused = page.locator(".refused")
    await expect(refused).to_contain_text("Not allowed")
    await expect(refused.get_by_role("link")).to_have_text(re.compile("BA-"))
    assert await anna.version() == before
    assert await anna.faults_of_access() == []
    anna.forgive("Failed to load resource")


async def test_a_move_says_what_it_gives_before_it_is_made(anna: Person) -> None:
    page = await _sit_down(anna, expansion=False)
    await page.locator("[data-place='crossing:2'].lit").hover()
    await expect(page.locator(".gives")).to_contain_text(re.compile("Place .* on B1: .* and "))


async def test_placing_by_the_keyboard_alone(anna: Person) -> None:
    page = await _sit_down(anna, expansion=False)
    for _ in range(60):
        await page.keyboard.press("Tab")
        if await page.evaluate("() => document.activeElement.dataset.place?.startsWith('crossing:')"):
            break
    place = "() => document.activeElement.dataset.place"
    assert await page.evaluate(place) == "crossing:1"
    await page.keyboard.press("ArrowRight")
    assert await page.evaluate(place) == "crossing:2"
    await page.keyboard.press("ArrowDown")
    assert await page.evaluate(place) == "crossing:7"
    await page.keyboard.press("Enter")
    await page.locator(f".decide .choice.primary, {_STREET}").first.wait_for()
    if await page.locator(".decide .choice.primary").count():
        await page.wait_for_function("() => document.activeElement.matches('.choice.primary')")
        await page.keyboard.press("Enter")
    await expect(page.locator("[data-place='crossing:7']")).to_have_attribute("aria-label", re.compile("B2: .* on "))
    await expect(page.locator(_STREET).first).to_be_visible()


async def test_gaudis_turn_is_told_step_by_step(anna: Person) -> None:
    page = await _sit_down(anna, expansion=False)
    story = page.get_by_test_id("gaudi-story")
    for _ in range(40):
        if await story.count():
            break
        before = await page.locator(".shell").get_attribute("data-version")
        decline = page.locator(".decide .choice.decline")
        if await decline.count():
            await decline.first.click()
        else:
            await page.locator(".move:enabled").first.click()
        await expect(page.locator(".shell")).not_to_have_attribute("data-version", before or "")
        await anna.see(f"{_LIT}, .decide .choice, [data-testid=gaudi-story]")
    steps = story.get_by_role("listitem")
    await expect(steps.first).to_contain_text(re.compile(r"turned up card \d: .* arrow points [↑↗→↘↓↙←↖]"))
    await expect(steps.first).to_have_attribute("aria-current", "step")
    await page.locator(".gaudi").get_by_role("button", name="Next").click()
    await expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    await expect(steps.nth(1)).to_contain_text("BA-G")


@pytest.mark.parametrize("language", ["en-GB", "es"])
async def test_on_a_phone_every_part_is_within_reach(newcomer: Newcomer, language: str) -> None:
    phone = ViewportSize(width=360, height=740)
    async with newcomer(viewport=phone, has_touch=True, locale=language) as somebody:
        await somebody.go("/")
        await somebody.page.locator("label", has_text="Passeig de Gràcia").locator("input[type=checkbox]").first.check()
        await somebody.page.get_by_test_id("play-solo").click()
        await somebody.page.wait_for_url("**/table/*")
        await somebody.see(_LIT)
        page = somebody.page
        tabs = page.locator(".barcelona .tabs button")
        await expect(tabs).to_have_count(5)
        for i in range(5):
            await tabs.nth(i).click()
            await expect(page.locator(".barcelona .panel.open").first).to_be_visible()
            assert not await somebody.is_too_wide()
            assert await somebody.faults_of_access() == []
        before = await somebody.version()
        await _to_the_placing(page)
        after = await somebody.version()
        await page.locator("[data-place='crossing:2'].lit").tap()
        await page.locator(".decide .choice.primary").first.wait_for()  # one, where both citizens are of a class
        assert await somebody.version() == after >= before
        await page.locator(".decide .choice.primary").first.tap()
        await expect(page.locator("[data-place='crossing:2'].lit")).to_have_count(0)

        async def has_moved(after: int = after) -> bool:
            return await somebody.version() > after

        await eventually(has_moved)
