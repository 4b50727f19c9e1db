"""Speed Clue on a phone: what has happened and what is to be done next is in view, and nobody is torn away from the sheet."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from browser.clicking import FAULTS, my_move, one_move, open_table, play_clue, tap_on
from browser.conftest import Open, Server
from browser.test_playing import TABLES, setup
from molehunt.games.registry import make_game

PHONE, LYING = (360, 740), (740, 360)
READ = "() => [...document.querySelectorAll('.clue-sheet tbody tr')].at(-1).getBoundingClientRect().top"
"""Where on the screen the last line of the sheet is."""


def choose(page: Page, cards: tuple[int, int, int] = (0, 0, 0)) -> None:
    for category, card in enumerate(cards):
        page.locator(".clue-act .clue-group").nth(category).locator("label.clue-tile").nth(card).click()


def press_suggest(page: Page, cards: tuple[int, int, int] = (0, 0, 0)) -> None:
    """Suggest, and stay where the button was."""
    choose(page, cards)
    page.locator("#clue-suggest").click()


@pytest.mark.parametrize("width", [360, 320])
def test_all_three_cards_that_one_may_show_lie_side_by_side(people: Open, server: Server, width: int) -> None:
    page = people((width, PHONE[1]))
    # Alice soon asks for three cards of Ann's.
    open_table(page, server.address, setup("speed_clue", "advanced", "exact", ruleset="contest", seed=21))
    shown = page.locator(".clue-show button[data-card]")
    for made in range(30):
        assert my_move(page)
        if shown.count() == 3:
            break
        with one_move(page):
            play_clue(page, made)
    expect(shown).to_have_count(3)
    assert len(set(shown.evaluate_all("cards => cards.map((card) => card.getBoundingClientRect().top)"))) == 1
    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize("size", [PHONE, LYING, (320, 640)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_headline_and_next_move_are_in_view_after_every_move(
    people: Open, server: Server, size: tuple[int, int]
) -> None:
    page = people(size)
    page.clock.install()
    open_table(page, server.address, setup("speed_clue", "advanced", "exact", pace=100))
    for made in range(7):
        assert my_move(page)
        page.clock.fast_forward(1000)  # who has just touched the page is let rest
        expect(page.locator("#headline")).to_be_in_viewport(ratio=1)
        button = page.locator(".clue-act button:not(:disabled), #clue-suggest").first
        expect(button).to_be_in_viewport(ratio=1)
        entries = page.locator("#log > li").count()
        play_clue(page, made)
        expect(page.locator("#log > li")).not_to_have_count(entries)


def test_a_wrong_accusation_is_told_where_one_looks(people: Open, server: Server) -> None:
    page = people(PHONE)
    open_table(page, server.address, setup("speed_clue", "advanced", "exact", pace=300))
    assert my_move(page)
    mine = page.locator(".clue-hand .clue-card").first.get_attribute("data-card")
    for category in range(3):
        group = page.locator(".clue-act .clue-group").nth(category)
        own = group.locator(f'label.clue-tile[data-card="{mine}"]')
        (own if own.count() else group.locator("label.clue-tile").first).click()
    page.locator("#clue-accuse").click()
    page.locator("#clue-accuse-now").click()
    expect(page.locator(".clue-out")).to_have_text("You accused wrongly and are out.")
    expect(page.locator(".clue-out")).to_be_in_viewport(ratio=1)
    expect(page.locator("#headline")).to_be_in_viewport(ratio=1)


def test_a_card_that_one_is_shown_is_read_out_once(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, TABLES["speed_clue"])
    tap_on(page, "speed_clue", 1)
    assert my_move(page)
    shown = re.fullmatch(r"You are shown (.+)\.", page.locator("#notice").inner_text())
    assert shown
    told = page.locator("[aria-live], [role=status], [role=alert]").filter(has_text=shown[1])
    expect(told).to_have_count(1)
    expect(told).to_have_text(re.compile(f"shows you {shown[1]}"))


def test_who_reads_the_sheet_is_left_there_while_others_move(people: Open, server: Server) -> None:
    page = people(PHONE)
    open_table(page, server.address, setup("speed_clue", *["advanced"] * 3, pace=300))
    assert my_move(page)
    press_suggest(page)
    page.locator("#clue-end").click()
    expect(page.locator("#clue-end")).to_have_count(0)
    page.locator(".clue-sheet tbody tr").last.scroll_into_view_if_needed()
    before, seen = page.evaluate(READ), page.locator("#log > li").count()
    for _ in range(40):
        page.wait_for_timeout(100)
        if page.locator("#headline.own-move").count():
            break
        assert page.evaluate(READ) == pytest.approx(before, abs=2)
    assert page.locator("#log > li").count() > seen
    # The headline says all the while who is to move, and the reader's own turn is shown.
    expect(page.locator("#headline")).to_be_in_viewport(ratio=1)
    assert my_move(page)
    expect(page.locator(".clue-act")).to_be_in_viewport()


def test_six_players_fit_the_smallest_phone(people: Open, server: Server) -> None:
    page = people((320, 640))
    open_table(page, server.address, setup("speed_clue", *["basic"] * 5, ruleset="contest"))
    assert my_move(page)
    assert page.evaluate(FAULTS) == []


@pytest.mark.parametrize("ruleset", ["mitchell", "contest"])
def test_a_suggestion_that_was_made_before_is_said_to_be_so(people: Open, server: Server, ruleset: str) -> None:
    page = people(PHONE)
    open_table(page, server.address, setup("speed_clue", "advanced", "exact", ruleset=ruleset))
    for again in range(2):
        assert my_move(page)
        while not page.locator("#clue-suggest").count():
            with one_move(page):
                play_clue(page, 0)
            assert my_move(page)
        if again:
            choose(page)
            expect(page.locator("#clue-words")).to_contain_text("you have suggested this before")
            # In the contest nobody may, so it cannot be pressed.
            expect(page.locator("#clue-suggest")).to_be_enabled(enabled=ruleset != "contest")
        else:
            press_suggest(page)
            expect(page.locator("#clue-suggest")).to_have_count(0)


@pytest.mark.parametrize("game", ["speed_clue", "saboteur"])
def test_who_has_scrolled_down_on_a_phone_sees_that_the_connection_is_lost(
    people: Open, server: Server, game: str
) -> None:
    page = people(PHONE)
    clue = setup("speed_clue", "advanced", "exact")
    open_table(page, server.address, clue if game == "speed_clue" else setup("saboteur", "random", "random"))
    assert my_move(page)
    page.evaluate("() => scrollTo(0, 400)")
    # As on a line that is gone: the page is told so, and nothing is there to come back to.
    page.evaluate(
        "() => { const banner = document.getElementById('banner'); banner.hidden = false; banner.textContent = 'lost'; }"
    )
    box = page.locator("#banner").bounding_box()
    assert page.evaluate("() => scrollY") > 100 and box is not None and box["y"] >= 0
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", [box["x"] + 20, box["y"] + 5]) == "banner"
    if game == "speed_clue":  # what stays at the top of the page stands below it
        status = page.locator(".status").bounding_box()
        assert status is not None and status["y"] >= box["y"] + box["height"] - 1


def test_who_must_accuse_is_told_so_and_has_the_three_cards_at_hand(people: Open, server: Server) -> None:
    page = people(PHONE)
    game: Any = make_game("speed_clue", "contest", 3)
    # What lies in the envelope, as the place of each of the three among the cards of its kind.
    envelope = [card for card in range(64) if int(game.new(np.array([3], np.uint64))["envelope"][0]) >> card & 1]
    edition = game.edition
    first = np.cumsum([0, *edition.counts])
    open_table(page, server.address, setup("speed_clue", "advanced", "exact", ruleset="contest"))
    assert my_move(page)
    while not page.locator("#clue-suggest").count():
        with one_move(page):
            play_clue(page, 0)
        assert my_move(page)
    names = [edition.names[card] for card in envelope]
    with one_move(page):
        press_suggest(page, tuple(card - int(begin) for card, begin in zip(envelope, first, strict=False)))  # type: ignore[arg-type]
    expect(page.locator("#headline")).to_have_text("You must accuse")
    expect(page.locator(".clue-act")).to_contain_text("you must accuse with it")
    expect(page.locator("#clue-end")).to_have_count(0)
    # There is nothing else that one could do, so nothing is asked once more.
    with one_move(page):
        page.locator("#clue-accuse").click()
    expect(page.locator("#log")).to_contain_text(f"{names[2]}: right")


def test_who_is_about_to_accuse_with_a_card_of_their_own_is_told_so(people: Open, server: Server) -> None:
    page = people(PHONE)
    open_table(page, server.address, setup("speed_clue", "advanced", "exact"))
    assert my_move(page)
    groups = page.locator(".clue-act .clue-group")
    own = [groups.nth(category).locator("label.clue-tile", has_text="yours") for category in range(3)]
    others = [groups.nth(category).locator("label.clue-tile").filter(has_not_text="yours") for category in range(3)]
    for tile in others:
        tile.first.click()
    page.locator("#clue-accuse").click()
    expect(page.locator(".clue-confirm")).not_to_contain_text("yours")
    expect(page.locator(".clue-confirm .notice")).to_have_count(0)
    page.locator("#clue-accuse-back").click()
    mine = next(tile for tile in own if tile.count())
    mine.first.click()
    page.locator("#clue-accuse").click()
    expect(page.locator(".clue-confirm .clue-note")).to_have_text("yours")
    expect(page.locator(".clue-confirm .notice")).to_contain_text("this is wrong for sure")
    assert page.evaluate(FAULTS) == []


LONG = """(name) => {
    document.querySelector(".clue-said strong").textContent = `${name} suggests`;
    return document.querySelector(".clue-said .clue-number").getBoundingClientRect().height;
}"""


def test_numbers_of_suggestions_and_what_shows_the_earlier_ones_are_whole(people: Open, server: Server) -> None:
    page = people(PHONE)
    open_table(page, server.address, setup("speed_clue", "basic", "basic", "basic"))
    earlier = page.locator(".clue-earlier summary")
    made = 0
    while not earlier.count():
        assert my_move(page)
        with one_move(page):
            play_clue(page, made)
        made += 1
    my_move(page)  # or it is over: nothing is drawn anew while it is measured
    box = earlier.bounding_box()
    assert box and box["height"] >= 40
    assert page.evaluate(LONG, "Maximiliane von der Heide") < 24


def test_a_sheet_of_ones_own_is_one_in_all_tabs(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, setup("speed_clue", "advanced", "advanced"))
    assert my_move(page)
    page.get_by_label("I fill it in").check()
    other = page.context.new_page()
    other.goto(page.url)
    assert my_move(other)
    expect(other.get_by_label("I fill it in")).to_be_checked()
    for each, cell in ((page, "3,1"), (other, "4,2")):
        each.locator(f'.clue-sheet [data-cell="{cell}"]').click()
    for each in (page, other):
        for cell in ("3,1", "4,2"):
            expect(each.locator(f'.clue-sheet button[data-cell="{cell}"]')).to_have_text("✓")
    page.reload()
    assert my_move(page)
    expect(page.locator(".clue-sheet button", has_text="✓")).to_have_count(2)
