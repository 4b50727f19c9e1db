"""A first game, step by step, and the rules with their cards, in a real browser."""

from __future__ import annotations

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import expect

from browser.clicking import FAULTS, my_move, play_clue, play_tunnels, serious
from browser.conftest import DESKTOP, Open, Server
from molehunt.web.faces import face_of

AXE = AXE_FILE_PATH.read_text("utf-8")
GAMES = ("saboteur", "duel", "speed_clue")
SMALL = (320, 640)


@pytest.mark.parametrize(("game", "size"), [(game, (390, 844)) for game in GAMES] + [("saboteur", DESKTOP)])
def test_a_first_game_says_step_by_step_what_to_do(
    people: Open, server: Server, game: str, size: tuple[int, int]
) -> None:
    page = people(size)
    page.goto(server.address)
    page.locator(f'[data-first="{game}"]').click()
    coach = page.locator(".coach")
    expect(coach).to_be_visible()
    go_on = coach.locator(".primary")
    while go_on.text_content() == "Go on":
        said = coach.text_content() or ""
        expect(page.locator(".coached")).to_have_count(1)
        go_on.click()
        expect(coach).not_to_have_text(said)
    said = coach.text_content() or ""
    assert my_move(page)
    (play_clue if game == "speed_clue" else play_tunnels)(page, 0)
    expect(coach).not_to_have_text(said)
    for _ in range(5):
        if not coach.is_visible():
            break
        go_on.click()
    expect(coach).to_be_hidden()
    expect(page.locator(".coached")).to_have_count(0)


COVERED = """() => {
    const coach = document.querySelector(".coach").getBoundingClientRect();
    const covered = (element) => {
        const box = element.getBoundingClientRect();
        return box.left < coach.right && coach.left < box.right && box.top < coach.bottom && coach.top < box.bottom;
    };
    return [...document.querySelectorAll(".cell.lit, .hand .card, #actions .button")].filter(covered).length;
}"""


@pytest.mark.parametrize("size", [SMALL, (360, 740), (740, 360), DESKTOP], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_guide_covers_no_cell_that_it_points_at(people: Open, server: Server, size: tuple[int, int]) -> None:
    page = people(size)
    page.goto(server.address)
    page.locator('[data-first="saboteur"]').click()
    coach = page.locator(".coach")
    expect(coach).to_be_visible()
    while coach.locator(".primary").text_content() == "Go on":
        said = coach.text_content() or ""
        coach.locator(".primary").click()
        expect(coach).not_to_have_text(said)
    said = coach.text_content() or ""
    cards = page.locator(".hand [data-card]")
    for place in range(cards.count()):
        cards.nth(place).click()
        expect(cards.nth(place)).to_have_attribute("aria-pressed", "true")
        expect(coach).not_to_have_text(said)
        assert page.evaluate(COVERED) == 0


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_illustrated_and_reached_from_everywhere(people: Open, server: Server, game: str) -> None:
    page = people(SMALL)
    page.goto(server.address)
    assert page.evaluate(FAULTS) == []
    page.locator(".top-nav a", has_text="Rules").click()
    page.locator(f'a[href="/rules/{game}"]').first.click()
    expect(page.locator('[aria-current="page"]')).to_have_attribute("href", f"/rules/{game}")
    expect(page.locator(".card-examples li")).to_have_count(len(face_of(game).examples))
    symbols = page.locator(".card-examples use").evaluate_all("(all) => all.map((use) => use.getAttribute('href'))")
    assert all(page.locator(f"symbol{symbol}").count() == 1 for symbol in symbols)
    assert page.evaluate(FAULTS) == []
    assert serious(page, AXE) == []
