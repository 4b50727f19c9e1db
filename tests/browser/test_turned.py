"""An upright phone shows the mine turned: cards of the hand lie as on the board, goals are called as they lie."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.clicking import my_move, open_table, play
from browser.conftest import DESKTOP, PATIENCE, PHONE, Open, Server
from browser.test_languages import speak
from browser.test_looking import a_record, open_record
from browser.test_playing import setup

TOLD = """() => {
    const told = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if ((node.parentElement ?? node).closest("script, style")) continue;
        if (node.nodeType === Node.TEXT_NODE) told.push(node.data);
        else told.push(...["title", "aria-label"].map((name) => node.getAttribute(name) ?? ""));
    }
    return told.join("\\n");
}"""
"""All that a page says, seen or heard."""
GOALS = {"en": ("top goal", "right goal"), "de": ("Zielkarte oben", "Zielkarte rechts")}
"""A goal by its name in a mine that lies upright, and in one that is turned."""
DAY = "2026-06-11"
"""A day whose puzzle is one of Saboteur, asked of a seat that holds a tunnel."""


def check_names(page: Page, code: str, turned: bool) -> None:
    """The page names the goals as they lie, and nothing of the signs is left."""
    told = page.evaluate(TOLD)
    upright, lying = GOALS[code]
    assert (upright in told, lying in told) == (not turned, turned)
    assert not {"\u2063", "\u2064"} & {*told}
    assert not re.search(r"\d[ ]?%", told)  # before it is a space at which no line is broken
    if code == "de":
        assert not re.search(r"\d\.\d(?!\d\d)", told)
    if code == "en":
        words = {*told.lower().replace(":", " ").replace(",", " ").split()}
        assert not words & {"top", "bottom"} if turned else {"top", "bottom"} <= words


@pytest.mark.parametrize("code", GOALS)
def test_replay_and_analysis_name_goals_as_they_lie(people: Open, server: Server, tmp_path: Path, code: str) -> None:
    page = people(PHONE)
    speak(page, server, code)
    open_record(page, server, a_record("saboteur", tmp_path))
    expect(page.locator("#board.lying")).to_be_visible()
    page.locator("#ask-beliefs").click()
    page.locator("#forth").click()
    expect(page.locator("#reason")).to_contain_text(
        {"en": "right unknown", "de": "rechts unbekannt"}[code], timeout=PATIENCE
    )
    check_names(page, code, turned=True)
    page.locator("#analyse").click()
    expect(page.locator(".line-chart").first).to_be_visible(timeout=PATIENCE)
    page.locator("#every-move").check()
    expect(page.locator(".legend").last).to_contain_text(GOALS[code][1])
    check_names(page, code, turned=True)
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    expect(page.locator("#board:not(.lying)")).to_be_visible()
    expect(page.locator(".legend").last).to_contain_text(GOALS[code][0])
    check_names(page, code, turned=False)


def test_hints_reasons_and_beliefs_name_goals_as_they_lie(people: Open, server: Server) -> None:
    page = people(PHONE)
    players = ["kripke-2012", "mole:fast", "decision-2019"]
    open_table(
        page, server.address, setup("saboteur", *players, ruleset="official+talk:rounds=1", practice=True, seed=5)
    )
    play(page, "saboteur", 2)
    assert my_move(page)
    expect(page.locator("#board.lying")).to_be_visible()
    asked = ["#hint", "#beliefs", *(f"[data-why] >> nth=-{last}" for last in range(1, 4))]
    for question in asked:
        page.locator(question).dispatch_event("click")
        expect(page.locator("#answer .close")).to_be_visible(timeout=PATIENCE)
        if page.locator("#ask-secret").count():
            page.locator("#ask-secret").dispatch_event("click")
            page.locator("#ask-secret").dispatch_event("click")
            expect(page.locator("#ask-secret")).to_have_count(0, timeout=PATIENCE)
            expect(page.locator("#answer .close")).to_be_visible(timeout=PATIENCE)
        check_names(page, "en", turned=True)
        page.locator("#answer .close").dispatch_event("click")


def test_the_cards_of_a_puzzle_lie_as_those_on_the_board(people: Open, server: Server) -> None:
    page = people(PHONE)
    page.goto(f"{server.address}/puzzle?day={DAY}")
    expect(page.locator("#board.lying")).to_be_visible(timeout=PATIENCE)
    turns = "(cards) => [...new Set(cards.map((card) => getComputedStyle(card).rotate))]"
    board = page.locator(".cell.lying .art").evaluate_all(turns)
    assert page.locator(".hand-area .card.path .art").evaluate_all(turns) == board == ["90deg"]
    assert page.locator(".hand-area .card:not(.path) .art").evaluate_all(turns) == ["none"]
    check_names(page, "en", turned=True)
