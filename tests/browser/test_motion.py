"""What moves and sounds at a table, in a real browser: where it is wanted, and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.clicking import my_move, open_table, play, play_tunnels
from browser.conftest import DESKTOP, Open, Server
from browser.test_playing import TABLES, setup

COUNT_FLIGHTS = """() => {
    window.flights = 0;
    new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
        if (node.classList?.contains("flight")) window.flights += 1;
    }))).observe(document.body, { childList: true });
}"""
COUNT_TONES = """() => {
    window.tones = 0;
    const start = AudioScheduledSourceNode.prototype.start;
    AudioScheduledSourceNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
}"""
CHANGES = """async ([before, after]) => (await import("/static/motion.js")).changesOf(before, after)"""


def lay_a_card(page: Page) -> None:
    """Lay the first card of the hand that can be laid."""
    cards = page.locator(".hand [data-card]")
    for place in range(cards.count()):
        cards.nth(place).click()
        if page.locator(".cell.lit.lay").count():
            page.locator(".cell.lit.lay").first.click()
            return
        cards.nth(place).click()
    pytest.fail("no card of this hand can be laid")


@pytest.mark.parametrize("motion", [True, False])
def test_a_card_flies_to_its_place_only_where_motion_is_wanted(people: Open, server: Server, motion: bool) -> None:
    page = people(DESKTOP, motion=motion)
    open_table(page, server.address, setup("saboteur", "decision-2019", "decision-2019", seed=8, pace=600))
    assert my_move(page)
    page.evaluate(COUNT_FLIGHTS)
    entries = page.locator("#log > li").count()
    lay_a_card(page)
    expect(page.locator("#log > li")).not_to_have_count(entries)
    assert my_move(page)
    expect(page.locator(".flight")).to_have_count(0)
    assert (page.evaluate("window.flights") > 0) == motion
    play_tunnels(page, 0)


def position(cells: dict[str, str], **seats: Any) -> dict[str, Any]:
    """A position of one seat, as a page is sent it, with all that moving things asks of it."""
    lying = [
        {"x": int(key.split(",")[0]), "y": int(key.split(",")[1]), "symbol": symbol} for key, symbol in cells.items()
    ]
    return {"board": {"cells": lying}, "seats": [{"broken": [], "looked": [], "malus": 0} | seats]}


def test_what_a_move_has_changed_is_found(people: Open, server: Server) -> None:
    page = people()
    page.goto(server.address)
    before = position({"0,0": "c-start", "1,0": "c-P_EW", "8,0": "c-goal-gold"}, broken=["cart"])
    after = position({"0,0": "c-start", "2,0": "c-P_NS", "8,0": "c-gold"}, broken=["lantern"], looked=["top"], malus=1)
    assert page.evaluate(CHANGES, [before, after]) == {
        "laid": [["2,0", "c-P_NS"]],
        "cleared": [["1,0", "c-P_EW"]],
        "turned": [["8,0", "c-goal-gold"]],
        "looked": [[0, "top"]],
        "broken": [[0, "lantern"], [0, "block"]],
        "mended": [[0, "cart"]],
    }


def test_moves_are_heard_until_the_page_is_muted_and_it_stays_so(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, TABLES["saboteur"])
    assert my_move(page)
    page.evaluate(COUNT_TONES)
    play(page, "saboteur", 1)
    page.wait_for_function("window.tones > 0")
    page.locator("#sound").click()
    heard = page.evaluate("window.tones")
    play(page, "saboteur", 2)
    assert page.evaluate("window.tones") == heard
    page.reload()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
