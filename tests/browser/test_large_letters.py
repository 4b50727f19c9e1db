"""Letters that a reader's browser is set to: pages follow them, and all of them is still there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browser.clicking import FAULTS, my_move, open_table, tap_on
from browser.conftest import DESKTOP, Open, Server
from browser.test_playing import TABLES
from browser.test_screens import CUT

PHONE = (390, 844)
USUAL = 16
"""Pixels: the letters of a browser in which nothing is set."""
OFF = """() => {
    const faults = [];
    const part = (name) => document.querySelector(name)?.getBoundingClientRect();
    const [mine, hand] = [part(".mine-box"), part(".hand-area")];
    if (!mine || !hand) return ["there is no mine, or no hand"];
    if (hand.bottom > innerHeight + 1) faults.push(`the hand ends at ${hand.bottom} of ${innerHeight}`);
    if (mine.height < 150) faults.push(`the mine is ${mine.height} high`);
    const seen = [...document.querySelectorAll(".mine .place, .beyond")].filter((name) => {
        const { left, right, top, bottom } = name.getBoundingClientRect();
        const inside = left > mine.left - 2 && right < mine.right + 2 && top > mine.top - 12 && bottom < mine.bottom + 2;
        return name.checkVisibility() && right > left && inside;
    });
    const named = new Set(seen.map((name) => name.textContent.replace(/ .$/, "")));
    if (named.size !== 3) faults.push(`of the goals one reads ${[...named]}`);
    for (const card of document.querySelectorAll(".hand [data-card]")) {
        const { left, right } = card.getBoundingClientRect();
        if (left < -1 || right > innerWidth + 1) faults.push(`a card of the hand lies at ${left} to ${right}`);
    }
    return faults;
}"""
"""What of a table of tunnels is not on the screen, where nobody has scrolled."""


def set_letters(page: Page, size: int) -> None:
    """As a reader does who sets the letters of the browser."""
    tools = page.context.new_cdp_session(page)
    tools.send("Page.setFontSizes", {"fontSizes": {"standard": size}})


def letters(page: Page, part: str) -> float:
    size: float = page.locator(part).first.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
    return size


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("path", ["/", "/adviser", "/rules/saboteur", "/statistics", "/replay"])
def test_pages_follow_the_letters_of_the_browser(
    people: Open, server: Server, path: str, size: tuple[int, int]
) -> None:
    page = people(size)
    page.goto(f"{server.address}{path}")
    page.wait_for_load_state("networkidle")
    text = "main p, main label, main .button"
    usual = letters(page, text)
    for larger in (20, 24):
        set_letters(page, larger)
        page.reload()
        page.wait_for_load_state("networkidle")
        assert letters(page, text) == pytest.approx(usual * larger / USUAL)
        assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("larger", [20, 24])
def test_a_table_in_large_letters_is_whole(
    people: Open, server: Server, game: str, size: tuple[int, int], larger: int
) -> None:
    page = people(size)
    set_letters(page, larger)
    open_table(page, server.address, TABLES[game])
    for _ in range(2):
        assert my_move(page)
        assert letters(page, "#lines") > 12 * larger / USUAL - 0.1
        assert page.evaluate(FAULTS) == [] == page.evaluate(CUT)
        if game != "speed_clue":
            assert page.evaluate(OFF) == []
        tap_on(page, game, 2)
    tap_on(page, game)
    expect(page.locator("#over")).to_be_visible()
    assert page.evaluate(FAULTS) == []


COVERED = """() => {
    const boxes = [...document.querySelectorAll(".place")].map((name) => [name.textContent, name.getBoundingClientRect()]);
    return boxes.flatMap(([name, one], place) => boxes.slice(place + 1)
        .filter(([, other]) => one.left < other.right - 1 && other.left < one.right - 1)
        .filter(([, other]) => one.top < other.bottom - 1 && other.top < one.bottom - 1)
        .map(([other]) => `${name} and ${other} lie on each other`));
}"""
"""The names of goals that cannot be read for others."""


BEYOND_ITS_PLACE = """(told) => {
    const words = document.createRange();
    words.selectNodeContents(told);
    const right = Math.max(...[...words.getClientRects()].map((line) => line.right));
    return right - told.getBoundingClientRect().right + parseFloat(getComputedStyle(told).paddingRight);
}"""
"""By how many pixels words go beyond the place that they have."""


@pytest.mark.parametrize("game", ["saboteur", "duel"])
def test_the_largest_letters_of_a_browser_fit_the_mine_and_the_role_on_a_phone(
    people: Open, server: Server, game: str
) -> None:
    page = people(PHONE)
    set_letters(page, 32)
    page.context.set_extra_http_headers({"Accept-Language": "de"})
    open_table(page, server.address, TABLES[game])
    assert my_move(page)
    expect(page.locator(".place").first).to_be_attached()
    assert page.evaluate(COVERED) == []
    if game == "saboteur":
        assert page.locator(".dealt-role").evaluate(BEYOND_ITS_PLACE) <= 0.5
    assert page.evaluate(FAULTS) == []
