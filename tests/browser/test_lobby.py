"""The lobby in a real browser: open tables, to join or to watch, on a desktop and on a phone."""

from __future__ import annotations

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import expect

from browser.clicking import FAULTS, violations
from browser.conftest import DESKTOP, PHONE, Open, Server

AXE = AXE_FILE_PATH.read_text("utf-8")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_table_that_is_open_to_all_is_joined_and_watched_from_the_lobby(
    people: Open, server: Server, size: tuple[int, int]
) -> None:
    ann, ben, eve = people(), people(size), people(size)
    ann.goto(server.address)
    host = f"Ann {size[0]}"
    ann.locator("#name").fill(host)
    ann.locator('label[for="game-choice-duel"]').click()
    ann.locator("#seat-1").select_option("friend")
    ann.locator("#listed").check()
    ann.locator("#create").click()
    expect(ann.locator("#waiting")).to_contain_text("Waiting for 1 player")

    ben.goto(server.address)
    line = ben.locator("#open-tables li", has_text=f"{host} · 1 free seat")
    line.locator("button").click()
    expect(ben.locator("#name")).to_be_focused()
    expect(ben.locator("#name-error")).to_contain_text("Say your name first")
    expect(ben.locator("#name-error")).to_be_in_viewport(ratio=1)
    ben.locator("#name").fill("Ben")
    expect(ben.locator("#name-error")).to_be_hidden()
    assert ben.evaluate(FAULTS) == []
    assert violations(ben, AXE) == []
    eve.clock.install()
    eve.goto(server.address)
    line.locator("button").click()
    ben.wait_for_url("**/t/*")
    expect(ann.locator("#seats")).to_contain_text("Ben")
    expect(ben.locator(".hand [data-card]").first).to_be_visible(timeout=20_000)

    # The list of who has been in the lobby all the time follows: its next look at the server comes now.
    eve.clock.fast_forward(5000)
    playing = eve.locator("#open-tables li", has_text=f"{host}, Ben · 0 moves")
    expect(playing.locator("button")).to_have_count(0, timeout=20_000)
    playing.locator("a").click()
    eve.wait_for_url("**/t/*")
    expect(eve.locator("#seats")).to_contain_text("Ben")
    expect(ann.locator("#watchers")).to_have_text("1 watching", timeout=20_000)
    expect(eve.locator(".hand [data-card]")).to_have_count(0)
    for page in (ann, ben):
        page.goto(server.address)
        expect(page.locator("#own-tables li").first).to_contain_text("The duel")


def test_why_there_is_no_practice_is_said_where_it_is_greyed(people: Open, server: Server) -> None:
    page = people(PHONE)
    page.goto(server.address)
    expect(page.locator("#practice")).to_be_enabled()
    expect(page.locator("#practice-note")).to_be_hidden()
    page.locator("#seat-1").select_option("friend")
    expect(page.locator("#practice")).to_be_disabled()
    note, choice = page.locator("#practice-note").bounding_box(), page.locator("#practice").bounding_box()
    assert note and choice and 0 <= choice["y"] - (note["y"] + note["height"]) < 40
