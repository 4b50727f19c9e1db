"""A game that has no board of its own, in a real browser: its drawing, parts of it that can be chosen, its moves as buttons."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Page, expect

from browser.clicking import my_move, open_table, violations
from browser.conftest import DESKTOP, Open, Server
from molehunt.core.game import LegalActions
from molehunt.games.registry import guests
from web import cups

AXE = AXE_FILE_PATH.read_text("utf-8")
PHONE = (390, 844)
SIZES = {"desktop": DESKTOP, "phone": PHONE}
GAMES = {
    "cups": ("six", 3, "peeker"),
    **{
        entry.name: (ruleset, rules.usual, entry.opponent)
        for entry in guests().values()
        if not entry.face
        for ruleset, rules in [*entry.at_table.items()][:1]
    },
}
"""Ruleset, seats and player, by the game: one that a package might bring, and all that packages have brought."""


@pytest.fixture(autouse=True, scope="module")
def a_guest() -> Iterator[None]:
    with cups.installed():
        yield


def setup(**more: Any) -> dict[str, Any]:
    seats = [{"kind": "me", "name": "Annabella Rosamunde"}, *[{"kind": "agent", "agent": "peeker"}] * 2]
    return {"game": "cups", "ruleset": "six", "seats": seats, "pace": 0, "seed": 5, "practice": True} | more


def moves(page: Page) -> list[str]:
    """The moves that are offered as buttons."""
    return [button.get_attribute("data-play") or "" for button in page.locator(".move-groups [data-play]").all()]


def cup(page: Page, number: int) -> Any:
    """A cup of the seat's own drawing."""
    return page.locator(".drawn-frame [data-cup]").nth(number)


def play_drawn(page: Page, made: int) -> None:
    """One move: by what lights up in the drawing, until one move is left, or by a button."""
    entries = page.locator("#log > li").count()
    for _ in range(8):
        free = page.locator("[data-moves].lit:not(.picked)")
        if made % 3 == 2 or not free.count() or len(moves(page)) == 1:
            break
        free.nth(made % free.count()).click()
        if page.locator("#log > li").count() > entries or page.locator("#prompt").text_content() == "…":
            break
    else:
        pytest.fail("what lights up leaves no single move")
    buttons = page.locator(".move-groups [data-play]:not(:disabled)")
    if page.locator("#log > li").count() == entries and page.locator("#prompt").text_content() != "…":
        buttons.nth(made * 7 % buttons.count()).click()
    expect(page.locator("#log > li")).not_to_have_count(entries)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_clicking(people: Open, server: Server, game: str, size: str) -> None:
    page = people(SIZES[size], dark=size == "phone")
    ruleset, seats, agent = GAMES[game]
    agents = [{"kind": "agent", "agent": agent}] * (seats - 1)
    open_table(page, server.address, setup(game=game, ruleset=ruleset, seats=[{"kind": "me", "name": "Ann"}, *agents]))
    made = 0
    while my_move(page):
        if made < 3:
            assert violations(page, AXE) == []
        play_drawn(page, made)
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
        made += 1
    assert made
    expect(page.locator("#over")).to_contain_text(re.compile("You have (won|lost)|Nobody has won"))
    assert page.locator(".mine").count() == 0  # the board of the tunnel games
    page.locator("summary", has_text="What everybody saw").click()
    expect(page.locator(".drawn-others figure")).to_have_count(seats)
    page.locator("#replay").click()
    expect(page.locator("#scrubber")).to_be_visible()
    page.locator("#last").click()
    expect(page.locator("#headline")).to_have_text("Game over")
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")


def test_parts_of_the_drawing_leave_the_moves_that_go_with_them(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, setup())
    assert my_move(page)
    assert len(moves(page)) == 6 + 6 + 15
    expect(page.locator(".move-group h2")).to_have_text(["Peek", "Lift", "Swap"])
    page.locator("#filter").fill("swap:1")
    assert moves(page) == ["swap:1,2", "swap:1,3", "swap:1,4", "swap:1,5"]
    cup(page, 1).click()
    assert moves(page) == ["peek:1", "lift:1", "swap:0,1", "swap:1,2", "swap:1,3", "swap:1,4", "swap:1,5"]
    expect(cup(page, 1)).to_have_attribute("aria-pressed", "true")
    cup(page, 3).click()
    assert moves(page) == ["swap:1,3"]
    page.keyboard.press("Escape")
    assert len(moves(page)) == 27
    expect(cup(page, 1)).to_have_attribute("aria-pressed", "false")
    cup(page, 3).focus()
    page.keyboard.press("Enter")
    cup(page, 1).focus()
    page.keyboard.press(" ")
    assert moves(page) == ["swap:1,3"]
    page.locator("[data-play='swap:1,3']").click()
    expect(page.locator("#log")).to_contain_text("swap:1,3")


def test_moves_without_headings_are_no_part_of_the_page_that_is_named_twice(
    people: Open, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed, one_of_each = cups.Cups.legal_actions, [0, cups.CUPS, 2 * cups.CUPS]
    monkeypatch.setattr(
        cups.Cups,
        "legal_actions",
        lambda game, view: LegalActions(game, np.intersect1d(listed(game, view).codes, one_of_each).astype(np.int32)),
    )
    page = people()
    open_table(page, server.address, setup())
    assert my_move(page)
    assert moves(page) == ["peek:0", "lift:0", "swap:0,1"]
    expect(page.locator(".move-group h2")).to_have_count(0)
    assert violations(page, AXE) == []


def test_a_part_that_is_drawn_as_an_outline_is_chosen_by_a_click_within_it(
    people: Open, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = cups.Cups.draw_svg
    monkeypatch.setattr(
        cups.Cups, "draw_svg", lambda game, view: drawn(game, view).replace('fill="#9a7"', 'fill="none"')
    )
    page = people()
    open_table(page, server.address, setup())
    assert my_move(page)
    box = cup(page, 1).locator("rect").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.8)
    expect(cup(page, 1)).to_have_attribute("aria-pressed", "true")
    assert moves(page) == ["peek:1", "lift:1", "swap:0,1", "swap:1,2", "swap:1,3", "swap:1,4", "swap:1,5"]


def test_a_drawing_is_enlarged_as_far_as_there_is_room_above_the_moves(
    people: Open, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = cups.Cups.draw_svg
    monkeypatch.setattr(
        cups.Cups, "draw_svg", lambda game, view: drawn(game, view).replace('height="110"', 'height="240"')
    )
    page = people()
    open_table(page, server.address, setup())
    for turn in range(2):
        assert my_move(page)
        # All is measured in one go, once it has come to rest: the moves may have grown a frame before, or the drawing be new.
        width = page.wait_for_function(
            """() => {
                const picture = document.querySelector(".drawn-frame .drawn-picture");
                const drawing = picture?.shadowRoot.querySelector("svg");
                const moves = document.querySelector(".drawn-moves");
                const above = drawing && picture.getBoundingClientRect().bottom <= moves?.getBoundingClientRect().top;
                return above && drawing?.getBoundingClientRect().width;
            }"""
        ).json_value()
        assert 370 <= width < 1.6 * 370
        page.locator(".move-groups [data-play]").nth(turn).click()


def test_the_style_of_a_drawing_stays_in_it_and_seats_have_names(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, setup())
    assert my_move(page)
    said = page.locator(".drawn-frame [data-name]").text_content() or ""
    assert said.startswith("Ann")
    assert said.endswith("…")
    assert page.evaluate("() => getComputedStyle(document.querySelector('[data-play]')).fill") != "rgb(51, 51, 51)"
    expect(page.locator("#seats")).to_contain_text("seat 2")
    page.locator("summary", has_text="In words").click()
    expect(page.locator(".drawn-text")).to_have_text("seen by Annabella Rosamunde: ? ? ? ? ? ?")
    expect(page.locator("#help")).to_contain_text(cups.RULES)


def test_who_watches_sees_the_public_drawing_and_no_moves(people: Open, server: Server) -> None:
    ann, eve = people(), people(PHONE)
    link = open_table(ann, server.address, setup(practice=False))
    assert my_move(ann)
    cup(ann, 0).click()
    ann.locator("[data-play='peek:0']").click()
    watch = ann.evaluate(
        """(link) => new Promise((done) => {
            const line = new WebSocket(link.replace("http", "ws").replace("/t/", "/ws/"));
            line.onmessage = (event) => { done(JSON.parse(event.data).watch_link); line.close(); };
        })""",
        link,
    )
    eve.goto(server.address + watch)
    expect(cup(eve, 0)).to_have_attribute("aria-label", "cup 0: not known")
    expect(cup(ann, 0)).not_to_have_attribute("aria-label", "cup 0: not known")
    expect(eve.locator(".lit")).to_have_count(0)
    expect(eve.locator("[data-play]")).to_have_count(0)
    expect(eve.locator("#log")).to_contain_text("Annabella Rosamunde: peek:0.")


def test_a_hint_points_at_a_move_and_who_believes_nothing_is_said_to(people: Open, server: Server) -> None:
    page = people()
    open_table(page, server.address, setup())
    assert my_move(page)
    page.locator("#hint").click()
    expect(page.locator("#answer")).to_contain_text("This is what peeker would do")
    expect(page.locator(".move-groups .primary")).to_have_count(1)
    assert page.locator(".hinted").count() in (1, 2)
    page.locator("#beliefs").click()
    expect(page.locator("#answer")).to_contain_text("this player holds no beliefs")
    assert violations(page, AXE) == []


def test_a_replay_shows_every_view_and_is_kept_as_a_file(people: Open, server: Server, tmp_path: Path) -> None:
    page = people(PHONE)
    seats = [{"kind": "agent", "agent": "peeker"}] * 3
    open_table(page, server.address, setup(seats=seats, practice=False))
    expect(page.locator("#headline")).to_have_text("Game over", timeout=120_000)
    page.locator("#replay").click()
    expect(page.locator("#scrubber")).to_be_visible()
    assert violations(page, AXE) == []
    expect(page.locator(".drawn-others figure")).to_have_count(3)  # all cards lie open
    page.locator("#analyse").click()
    expect(page.locator("#analysis h3")).to_have_text(["Moves that turned it", "How it was played"], timeout=120_000)
    page.keyboard.press("Escape")
    page.locator("#forth").click()
    first = page.locator("#move-words").text_content() or ""
    page.locator("#viewpoint").select_option(index=1)
    expect(page.locator(".drawn-frame [data-name]")).not_to_have_text("seat 0")
    assert first
    with page.expect_download() as picture:
        page.locator("#png").click()
    assert Path(picture.value.path()).read_bytes()[:4] == b"\x89PNG"
    with page.expect_download() as download:
        page.locator("#export").click()
    kept = tmp_path / "replay.html"
    download.value.save_as(kept)
    with page.expect_download() as record:
        page.locator("#record").click()
    moves_made = len(json.loads(Path(record.value.path()).read_bytes())["moves"])
    alone = people()
    alone.context.set_offline(True)
    alone.goto(kept.as_uri())
    alone.locator("summary", has_text="What everybody saw").click()
    alone.locator("#last").click()
    expect(alone.locator(".drawn-others")).to_be_hidden()  # whoever closes it has it closed
    expect(alone.locator("#at")).to_have_text(f"{moves_made} / {moves_made}")
    expect(alone.locator("#headline")).to_have_text("Game over")
    expect(cup(alone, 0)).to_be_visible()
    with alone.expect_download() as picture:
        alone.locator("#png").click()
    assert Path(picture.value.path()).read_bytes()[:4] == b"\x89PNG"
