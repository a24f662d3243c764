"""Agora on its map: by clicks, by drags, by the keyboard alone, on a phone."""

from __future__ import annotations

import random
import re
import subprocess
import sys

import pytest
from playwright.async_api import Locator, expect

from tests.browser.browsing import WEB, Person
from tests.browser.conftest import Newcomer

NARROW = {"width": 360, "height": 740}
WALK = "Move a first walker"
ARROWS = ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight")

FOUNTAIN = {"pass"}
"""What a person only does who is handed the Magic Fountain: in some games nobody does that."""
_CLICK_ON = """() => new Promise((resolve) => {
    const seen = new Set();
    const click = (kind, element) => {
        seen.add(kind);
        element.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    };
    const any = (selector) => document.querySelector(`.agora ${selector}`);
    const timer = setInterval(() => {
        if (any('.flight')) seen.add('flight');
        if (document.querySelector('[data-testid=result]')) {
            clearInterval(timer);
            resolve([...seen].sort());
        } else if (any('[data-testid=play]')) click('play', any('[data-testid=play]'));
        else if (any('.playable')) any('.playable').click();
        else if (any('.held') && any('.lit')) click('walk', any('.lit'));
        else if (any('.can')) any('.can').dispatchEvent(new MouseEvent('click', { bubbles: true }));
        else if (any('.pile.open')) click('draw', any('.pile.open'));
        else if (any('[data-pass]')) click('pass', any('[data-pass]'));
        else if (any('.choice')) click('take', any('.choice'));
    }, 10);
})"""


async def _moved(anna: Person, before: int) -> None:
    await anna.page.wait_for_function("(v) => Number(document.querySelector('.shell').dataset.version) > v", arg=before)


async def _to_the_walks(anna: Person) -> None:
    """From the empty page to the first walk of one's own."""
    await anna.play_now("agora")
    for _ in range(8):
        await anna.see(".move:enabled")
        if await anna.page.get_by_text(WALK).count():
            return
        before = await anna.version()
        await anna.page.locator(".move:enabled").first.click()
        await _moved(anna, before)
    raise AssertionError("no walk is asked for")


async def _middle(place: Locator) -> tuple[float, float]:
    await place.scroll_into_view_if_needed()
    box = await place.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def _board_fits(anna: Person) -> bool:
    return bool(
        await anna.page.evaluate(
            """() => [...document.querySelectorAll('.agora, .agora *:not(svg *)')].every((element) => {
                const { left, right } = element.getBoundingClientRect();
                return left >= 0 && right <= document.documentElement.clientWidth;
            })"""
        )
    )


async def _show_the_map(anna: Person) -> None:
    await anna.page.locator(".city").evaluate("(city) => city.scrollIntoView({ block: 'center' })")


async def _spot(anna: Person, district: str) -> tuple[float, float]:
    """A point of the window that belongs to a district."""
    found = await anna.page.evaluate(
        """(district) => {
            const path = document.querySelector(`[data-district="${district}"]`);
            const box = path.getBoundingClientRect();
            for (let i = 1; i < 30; i++) for (let j = 1; j < 30; j++) {
                const [x, y] = [box.left + (box.width * i) / 30, box.top + (box.height * j) / 30];
                if (document.elementFromPoint(x, y) === path) return [x, y];
            }
        }""",
        district,
    )
    assert found, f"district {district} is not in sight"
    return found[0], found[1]


async def _drag(anna: Person, walker: Locator, district: str) -> None:
    mouse = anna.page.mouse
    await _show_the_map(anna)
    x, y = await _middle(walker)
    await mouse.move(x, y)
    await mouse.down()
    await mouse.move(x + 12, y + 12, steps=3)
    await mouse.move(*await _spot(anna, district), steps=5)
    await mouse.up()


async def _districts(anna: Person, selector: str) -> set[str]:
    found: list[str] = await anna.page.locator(selector).evaluate_all(
        "(all) => all.map((one) => one.dataset.district ?? one.dataset.from)"
    )
    return set(found)


async def _map_and_result_agree(anna: Person) -> None:
    result = anna.page.get_by_test_id("result")
    await expect(result).to_contain_text(re.compile("won|victory"))
    leads = {"Blue": 0}
    total = 0
    for place in await anna.page.locator("[data-district]").all():
        label = await place.get_attribute("aria-label") or ""
        points = int(re.findall(r"(\d+) points", label)[0])
        leads["Blue"] += points * ("You lead." in label)
        total += points * ("Nobody leads." not in label)
    totals = [
        int(re.sub(r"\D", "", text))
        for text in await result.get_by_role("row").last.get_by_role("cell").all_inner_texts()
    ]
    assert totals[0] == leads["Blue"]
    assert sum(totals) == total


@pytest.mark.timeout(300)
async def test_a_whole_game_by_clicks_on_the_board(newcomer: Newcomer) -> None:
    async with newcomer(reduced_motion="no-preference") as anna:
        await anna.play_now("agora")
        kinds = set(await anna.page.evaluate(_CLICK_ON))
        assert kinds - FOUNTAIN == {"play", "walk", "flight", "draw"}
        await _map_and_result_agree(anna)
        assert await anna.faults_of_access() == []


@pytest.mark.timeout(300)
async def test_a_whole_game_of_five_who_choose_what_they_take(anna: Person) -> None:
    page = anna.page
    await anna.go("/")
    box = page.get_by_role("article").filter(has=page.get_by_test_id("play-agora"))
    await box.get_by_text("More to choose").click()
    await box.get_by_label("Players", exact=True).select_option("5")
    await box.get_by_label("How a square is taken").select_option("CHOOSE")
    await page.get_by_test_id("play-agora").click()
    await anna.see(".choice")
    assert await anna.faults_of_access() == []
    kinds = set(await page.evaluate(_CLICK_ON))
    assert kinds - FOUNTAIN == {"take", "play", "walk", "draw"}, "and nothing flies: less motion is wished"
    await _map_and_result_agree(anna)


async def test_only_legal_districts_light_up_and_take_a_dragged_walker(anna: Person) -> None:
    await _to_the_walks(anna)
    page = anna.page
    await expect(page.locator(".lit")).to_have_count(0)
    walker = page.locator(".can").first
    seat, start = await walker.get_attribute("data-walker"), await walker.get_attribute("data-from")
    await page.mouse.click(*await _middle(walker))
    await expect(walker).to_have_attribute("aria-pressed", "true")
    lit = await _districts(anna, ".lit")
    names: list[str] = await page.get_by_test_id("tray").get_by_role("button").all_inner_texts()
    assert len(lit) == len(names) - 1 > 0
    assert await anna.faults_of_access() == []
    await page.keyboard.press("Escape")
    await expect(page.locator(".lit")).to_have_count(0)
    await expect(walker).to_have_attribute("aria-pressed", "false")

    before = await anna.version()
    await _drag(anna, walker, sorted(lit)[0])
    await _moved(anna, before)
    await expect(page.get_by_text("Move the second walker")).to_be_visible()
    await expect(page.get_by_test_id("tray")).to_contain_text("The first walk led from")
    assert await page.locator(f".can[data-walker='{seat}']").count() == 0, "the second has another colour"

    starts = await page.locator(".can").count()
    await page.reload()
    await anna.see(".can")
    await expect(page.get_by_test_id("tray")).to_contain_text("The first walk led from")
    assert await page.locator(".can").count() == starts
    await page.get_by_role("button", name="Take back").click()
    await expect(page.get_by_text(WALK)).to_be_visible()
    await expect(page.locator(f".can[data-walker='{seat}'][data-from='{start}']")).to_have_count(1)


async def test_an_illegal_drop_is_explained_where_it_fell(anna: Person) -> None:
    await _to_the_walks(anna)
    page = anna.page
    walker = page.locator(".can").first
    start = await walker.get_attribute("data-from")
    label = await page.locator(f"[data-district='{start}']").get_attribute("aria-label") or ""
    near = label.split("Borders on ")[1]
    far = [
        str(await place.get_attribute("data-district"))
        for place in await page.locator("[data-district]").all()
        if (await place.get_attribute("aria-label") or "").split(",")[0] not in label.split(",")[0] + near
    ]
    before = await anna.version()
    refusal = page.get_by_test_id("refusal")
    for district in (far[0], far[-1]):
        await _drag(anna, walker, district)
        await expect(refusal).to_contain_text("That is not allowed")
        await expect(refusal.get_by_role("link")).to_have_text("AG-P3.1")
        city, bubble = await page.locator(".city").bounding_box(), await refusal.bounding_box()
        assert city
        assert bubble
        assert city["x"] <= bubble["x"]
        assert bubble["x"] + bubble["width"] <= city["x"] + city["width"]
        assert await anna.version() == before
        assert await anna.faults_of_access() == []
        await refusal.get_by_role("button", name="Close").click()
        await expect(refusal).to_have_count(0)
    anna.forgive("Failed to load resource")


async def test_a_square_says_what_it_would_give(anna: Person) -> None:
    await anna.play_now("agora")
    await anna.see(".playable")
    page = anna.page
    before = await anna.version()
    card = page.locator(".playable").first
    value = int(re.findall(r"\d", await card.inner_text())[0])
    await card.hover()
    tray = page.get_by_test_id("tray")
    await expect(tray).to_contain_text(re.compile(rf": {value} of your walkers into .+\."))
    await expect(page.locator(".change text")).to_have_text(f"+{value}")
    await expect(page.get_by_test_id("play")).to_have_count(0)
    await card.click()
    lit = await _districts(anna, ".lit")
    assert len(lit) == 1
    assert await anna.version() == before
    assert await anna.faults_of_access() == []
    await _show_the_map(anna)
    await page.mouse.click(*await _spot(anna, lit.pop()))
    await _moved(anna, before)


@pytest.mark.timeout(180)
async def test_a_whole_turn_on_the_map_by_the_keyboard_alone(anna: Person) -> None:
    await anna.play_now("agora")
    page, keyboard = anna.page, anna.page.keyboard
    dice = random.Random(5)

    async def is_on(selector: str) -> bool:
        return bool(await page.evaluate("(s) => document.activeElement.matches(s)", selector))

    async def tab_to(selector: str) -> None:
        for _ in range(120):
            if await is_on(selector):
                return
            await keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not come to {selector}")

    async def arrow_to(wanted: set[str]) -> None:
        for _ in range(400):
            if await page.evaluate("() => document.activeElement.dataset.district") in wanted:
                return
            await keyboard.press(dice.choice(ARROWS))
        raise AssertionError(f"the arrows do not come to {wanted}")

    async def pick() -> None:
        await tab_to("[data-district]")
        await arrow_to(await _districts(anna, ".can"))
        await keyboard.press("Enter")
        if await is_on("[data-from]"):
            await keyboard.press("ArrowRight")
            assert await is_on("[data-from]")
            while not await is_on(".can"):
                await keyboard.press("ArrowRight")
            await keyboard.press("Enter")
        await expect(page.locator(".held")).to_have_count(1)
        assert await is_on("[data-district]")

    turn = page.get_by_text(re.compile(r"Turn \d+ of 12")).first
    await anna.see(".move:enabled")
    walks = 0
    while walks < 2:  # a turn in which nobody could walk is not the whole of one
        first, walks = await turn.inner_text(), 0
        while await turn.inner_text() == first:
            await anna.see(".move:enabled")
            before = await anna.version()
            if await page.locator(".playable").count():
                await tab_to(".playable")
                await keyboard.press("Enter")
                await expect(page.get_by_test_id("said")).to_contain_text("of your walkers into")
                await keyboard.press("Enter")
            elif await page.locator(".can").count():
                await pick()
                if not walks:
                    await keyboard.press("Escape")
                    await expect(page.locator(".held")).to_have_count(0)
                    assert await is_on("[data-district]")
                    await pick()
                await expect(page.get_by_test_id("said")).to_contain_text("where to?")
                await arrow_to(await _districts(anna, ".lit"))
                await keyboard.press("Enter")
                walks += 1
            elif await page.locator(".pile.open").count():
                await tab_to(".pile.open")
                await keyboard.press("Enter")
            else:
                await tab_to("[data-pass]")
                await keyboard.press("Enter")
            await _moved(anna, before)
    assert walks == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_a_narrow_phone(newcomer: Newcomer, scheme: str) -> None:
    async with newcomer(viewport=NARROW, has_touch=True, color_scheme=scheme) as anna:
        await _to_the_walks(anna)
        assert await _board_fits(anna)
        start = (await _districts(anna, ".can")).pop()
        await _show_the_map(anna)
        await anna.page.touchscreen.tap(*await _spot(anna, start))
        tray = anna.page.get_by_test_id("tray")
        if await anna.page.locator(".held").count() == 0:
            await tray.get_by_role("button").first.tap()
        assert await anna.faults_of_access() == []
        before = await anna.version()
        await tray.get_by_role("button").first.tap()
        await _moved(anna, before)
        assert await _board_fits(anna)


def test_the_map_is_drawn_from_the_borders() -> None:
    """What is committed is what the borders and the script give."""
    subprocess.run([sys.executable, str(WEB / "tools" / "agora_map.py"), "--check"], check=True)
