"""What moves and sounds at a table, in a real browser: where it is wanted, and nowhere else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.clicking import my_move, open_table, play, play_tunnels, tap_on
from browser.conftest import DESKTOP, PHONE, Open, Server
from browser.test_playing import TABLES, setup

COUNT_FLIGHTS = """() => {
    window.flights = window.flightsAtTheEnd = 0;
    new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
        if (!node.classList?.contains("flight")) return;
        window.flights += 1;
        if (!document.getElementById("over").hidden) window.flightsAtTheEnd += 1;
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
    open_table(page, server.address, setup("saboteur", "decision-2019", "decision-2019", seed=8, pace=600 * motion))
    assert my_move(page)
    page.evaluate(COUNT_FLIGHTS)
    entries = page.locator("#log > li").count()
    lay_a_card(page)
    expect(page.locator("#log > li")).not_to_have_count(entries)
    assert my_move(page)
    expect(page.locator(".flight")).to_have_count(0)
    assert (page.evaluate("window.flights") > 0) == motion
    play_tunnels(page, 0)


def test_no_card_flies_over_what_tells_how_the_game_ended(people: Open, server: Server) -> None:
    page = people(PHONE, motion=True)
    open_table(page, server.address, TABLES["duel"] | {"pace": 100})
    page.evaluate(COUNT_FLIGHTS)
    tap_on(page, "duel")
    expect(page.locator("#over .role-card, #over #again").first).to_be_visible()
    expect(page.locator(".flight")).to_have_count(0)
    assert page.evaluate("window.flights") > 0
    assert page.evaluate("window.flightsAtTheEnd") == 0


MARKED = """(cell) => {
    const look = () => ["outline", "boxShadow", "background"].map((name) => getComputedStyle(cell)[name]).join();
    const marked = look();
    cell.classList.remove("hinted");
    return marked !== look();
}"""


HINTS = {
    "saboteur": setup("saboteur", *["random"] * 4, ruleset="official+talk:rounds=1", practice=True, seed=5),
    "duel": setup("duel", "greedy-2020", practice=True),
    "speed_clue": TABLES["speed_clue"],
}


def test_a_hint_marks_its_cell_where_nothing_moves(people: Open, server: Server) -> None:
    page = people(DESKTOP)
    open_table(page, server.address, setup("saboteur", "random", "random", practice=True, seed=8))
    for made in range(12):
        assert my_move(page)
        page.locator("#hint").click()
        expect(page.locator("#answer .hint")).to_be_visible(timeout=60_000)
        if page.locator(".cell.hinted").count():
            assert page.locator(".cell.hinted").evaluate(MARKED)
            return
        entries = page.locator("#log > li").count()
        play_tunnels(page, made)
        expect(page.locator("#log > li")).not_to_have_count(entries)
    pytest.fail("no hint pointed at a cell")


ON_TOP = """() => {
    const pointed = document.querySelector(".cell.hinted, .clue .hinted");
    const { x, y, width, height } = pointed.getBoundingClientRect();
    const places = [[width / 2, 2], [width / 2, height - 2], [2, height / 2], [width - 2, height / 2]];
    return places.every(([right, down]) => pointed.contains(document.elementFromPoint(x + right, y + down)));
}"""
"""Whether all of what a hint points at is seen, without scrolling."""


@pytest.mark.parametrize("size", [(360, 640), (740, 360)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", ["saboteur", "duel", "speed_clue"])
def test_a_hint_does_not_cover_what_it_points_at(
    people: Open, server: Server, game: str, size: tuple[int, int]
) -> None:
    page = people(size)
    open_table(page, server.address, HINTS[game])
    assert my_move(page)
    page.locator("#hint").click()
    expect(page.locator("#answer .hint")).to_be_visible(timeout=60_000)
    page.wait_for_function(ON_TOP, timeout=5000)
    # Its reasons, which are long, are told to who asks for them, and do not cover it either.
    expect(page.locator("#answer .prose")).to_be_hidden()
    page.locator("#answer .hint-why > summary").click()
    expect(page.locator("#answer .prose")).to_be_visible()
    assert page.evaluate(ON_TOP)
    page.locator("#answer .close").click()
    expect(page.locator("#answer")).to_be_hidden()
    # What points at nothing lies at the lower edge, as ever.
    page.locator("#beliefs").click()
    expect(page.locator("#answer h3").first).to_be_visible(timeout=60_000)
    panel = page.locator("#practice").bounding_box()
    assert panel and round(panel["y"] + panel["height"]) == size[1]


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


CLUE_NEWS = """async ([before, after]) => (await import("/static/clue_scenes.js")).clueNews(before, after).map((one) => one.kind)"""
WATCH_CARDS = """() => {
    window.flights = [];
    new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
        if (node.classList?.contains("clue-flight")) window.flights.push(node.textContent);
    }))).observe(document.body, { childList: true });
}"""


def clue_position(*record: dict[str, Any], accusations: tuple[bool, ...] = ()) -> dict[str, Any]:
    told = [{"seat": seat, "right": right} for seat, right in enumerate(accusations)]
    return {"record": list(record), "accusations": told}


def test_what_a_move_of_clue_has_changed_is_found(people: Open, server: Server) -> None:
    page = people()
    page.goto(server.address)
    asked, shown = ({"n": 1, "disprover": disprover} for disprover in (None, 2))
    steps = [
        (clue_position(), clue_position(asked), ["suggested"]),
        (clue_position(asked), clue_position(shown), ["shown"]),
        (clue_position(shown), clue_position(shown), []),
        (clue_position(shown), clue_position(shown, accusations=(False,)), ["accused"]),
        (clue_position(shown), clue_position(shown, accusations=(True,)), ["opened"]),
    ]
    for before, after, found in steps:
        assert page.evaluate(CLUE_NEWS, [before, after]) == found


@pytest.mark.parametrize("motion", [True, False])
def test_a_card_of_clue_goes_from_hand_to_hand_and_who_watches_sees_its_back_alone(
    people: Open, server: Server, motion: bool
) -> None:
    ann, eve = people(DESKTOP, motion=motion), people(DESKTOP, motion=motion)
    watched: list[dict[str, Any]] = []
    ann.on("websocket", lambda line: line.on("framereceived", lambda sent: watched.append(json.loads(sent))))
    open_table(ann, server.address, setup("speed_clue", "advanced", "advanced", seed=8, pace=500 * motion))
    assert my_move(ann)
    eve.goto(f"{server.address}{watched[-1]['watch_link']}")
    expect(eve.locator(".clue-stage")).to_be_visible()
    for page in (ann, eve):
        page.evaluate(WATCH_CARDS)
    play(ann, "speed_clue", 6)
    assert my_move(ann)
    seen, public = (page.evaluate("window.flights") for page in (ann, eve))
    if motion:
        own = {card["name"] for group in watched[-1]["position"]["categories"] for card in group["cards"]}
        assert set(seen) - {""} and set(seen) - {""} <= own
        assert set(public) == {""}
    else:
        assert seen == public == []
