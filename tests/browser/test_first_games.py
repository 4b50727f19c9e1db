"""A first game, step by step, and the rules with their cards, in a real browser."""

from __future__ import annotations

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Locator, Page, expect

from browser.clicking import FAULTS, my_move, play_clue, tap_on, violations
from browser.conftest import DESKTOP, PHONE, Open, Server
from molehunt.web.faces import face_of

AXE = AXE_FILE_PATH.read_text("utf-8")
GAMES = ("saboteur", "duel", "speed_clue")
SMALL, LYING = (320, 640), (740, 360)
POINTS = """() => {
    const [guide, meant] = [".coach", ".coached"].map((found) => document.querySelector(found).getBoundingClientRect());
    const overlap = (from, to) => Math.min(guide[to], meant[to]) - Math.max(guide[from], meant[from]);
    if (overlap("left", "right") > 1 && overlap("top", "bottom") > 1) return "the guide covers what it points at";
    const seen = Math.min(meant.bottom, innerHeight) - Math.max(meant.top, 0);
    return seen < Math.min(meant.height, 60) ? "what it points at is off the screen" : "";
}"""
"""What is wrong with where the guide points."""


@pytest.mark.usefixtures("presets_at_once")
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
    if game == "speed_clue":
        play_clue(page, 0)
    else:
        tunnels = page.locator(".hand .path")
        (tunnels if tunnels.count() else page.locator(".hand .card")).first.click()
    expect(coach).not_to_have_text(said)
    for _ in range(5):
        if not coach.is_visible():
            break
        assert game != "duel" or "tool" not in (coach.text_content() or "")  # there are none in that game
        go_on.click()
    expect(coach).to_be_hidden()
    expect(page.locator(".coached")).to_have_count(0)


@pytest.mark.usefixtures("presets_at_once")
def test_who_holds_no_tunnel_is_not_asked_for_one(people: Open, server: Server) -> None:
    page = people(DESKTOP)
    page.goto(server.address)
    page.locator('[data-first="duel"]').click()
    coach = page.locator(".coach")
    coach.locator(".primary").click()
    assert my_move(page)
    # A hand as one is dealt in three games of a thousand.
    page.evaluate("() => document.querySelectorAll('.hand .path').forEach((card) => card.classList.remove('path'))")
    page.locator("#lines").click()
    expect(coach).to_contain_text("none of them is a tunnel")
    page.locator(".hand .card").first.evaluate("(card) => card.classList.add('picked')")
    page.locator("#lines").click()
    expect(coach).not_to_contain_text("These are your cards")


COVERED = """() => {
    const coach = document.querySelector(".coach").getBoundingClientRect();
    const covered = (element) => {
        const box = element.getBoundingClientRect();
        return box.left < coach.right && coach.left < box.right && box.top < coach.bottom && coach.top < box.bottom;
    };
    return [...document.querySelectorAll(".cell.lit, .hand .card, #actions .button")].filter(covered).length;
}"""


@pytest.mark.usefixtures("presets_at_once")
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
    cards = page.locator(".hand .path")
    for place in range(cards.count()):
        cards.nth(place).click()
        expect(cards.nth(place)).to_have_attribute("aria-pressed", "true")
        expect(coach).not_to_have_text(said)
        assert page.evaluate(COVERED) == 0


def begin(page: Page, server: Server, game: str) -> None:
    """Begin the first game of a kind."""
    page.goto(server.address)
    page.locator(f'[data-first="{game}"]').click()
    expect(page.locator(".coach")).to_be_visible()


@pytest.mark.usefixtures("presets_at_once")
@pytest.mark.parametrize("size", [PHONE, LYING, SMALL, DESKTOP], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", GAMES)
def test_what_the_guide_points_at_is_seen(people: Open, server: Server, game: str, size: tuple[int, int]) -> None:
    page = people(size)
    begin(page, server, game)
    coach, pointed = page.locator(".coach"), 0
    while coach.is_visible():
        said = coach.locator("p").text_content() or ""
        assert page.evaluate(POINTS) == "", said
        pointed += 1
        # The guide goes on by itself where what it waits for happens meanwhile.
        page.evaluate("() => document.querySelector('.coach .primary').click()")
        if coach.is_visible():
            expect(coach.locator("p")).not_to_have_text(said)
    assert pointed >= 4


def last_words(page: Page) -> Locator:
    """The guide, which says its last."""
    coach = page.locator(".coach")
    while coach.locator(".primary").text_content() != "I play on":
        said = coach.locator("p").text_content() or ""
        page.evaluate("() => document.querySelector('.coach .primary').click()")
        expect(coach.locator("p")).not_to_have_text(said)
    return coach


@pytest.mark.usefixtures("presets_at_once")
@pytest.mark.parametrize("game", GAMES)
def test_the_guide_is_gone_when_one_plays_on(people: Open, server: Server, game: str) -> None:
    """On a small screen, too, where its last words must not lie on the hand, nor on a cell of the mine."""
    page = people(SMALL)
    begin(page, server, game)
    coach = last_words(page)
    assert tap_on(page, game, 1) == 1
    expect(coach).to_be_hidden()
    expect(page.locator(".coached")).to_have_count(0)


@pytest.mark.usefixtures("presets_at_once")
@pytest.mark.parametrize("size", [SMALL, DESKTOP], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_last_words_stay_beside_a_chosen_card_where_they_cover_nothing(
    people: Open, server: Server, size: tuple[int, int]
) -> None:
    page = people(size)
    begin(page, server, "saboteur")
    coach = last_words(page)
    # Whoever is quick taps on a cell at once.
    gone = "() => { document.querySelector('.hand .card').click(); return document.querySelector('.coach').hidden; }"
    assert page.evaluate(gone) == (size == SMALL)
    expect(page.locator(".hand .card").first).to_have_attribute("aria-pressed", "true")
    expect(coach).to_be_visible(visible=size == DESKTOP)


@pytest.mark.usefixtures("presets_at_once")
def test_the_last_words_can_be_read_where_a_card_has_been_chosen_before(people: Open, server: Server) -> None:
    page = people(SMALL)
    begin(page, server, "duel")
    coach = page.locator(".coach")
    while "These are your cards" not in (coach.locator("p").text_content() or ""):
        coach.locator(".primary").click()
    cards = page.locator(".hand .card")
    (page.locator(".hand .path") if page.locator(".hand .path").count() else cards).first.click()
    coach = last_words(page)
    page.wait_for_timeout(100)  # what hears of the last click has heard of it
    expect(coach).to_contain_text("Not sure?")
    expect(coach).to_be_visible()
    unchosen = cards.and_(page.locator("[aria-pressed=false]")).first
    unchosen.evaluate("(card) => card.click()")
    expect(coach).to_be_hidden()


def test_the_name_of_the_game_stands_apart_from_ours(people: Open, server: Server) -> None:
    page = people(SMALL)
    begin(page, server, "duel")
    ours, game = (page.locator(place).bounding_box() for place in (".brand span", "#label"))
    assert ours and game
    assert game["x"] - ours["x"] - ours["width"] > 4


def test_the_guide_waits_for_what_it_asks_for(people: Open, server: Server) -> None:
    page = people(DESKTOP)
    begin(page, server, "saboteur")
    words, go_on = page.locator(".coach p"), page.locator(".coach .primary")
    go_on.click()
    go_on.click()
    expect(words).to_contain_text("These are your cards")
    # A tool is no tunnel, where there is one.
    tunnels, tools = page.locator(".hand .path"), page.locator(".hand [data-card]:not(.path)")
    for tool in tools.all()[:1] if tunnels.count() else []:
        tool.click()
        expect(page.locator(".hand .picked")).to_have_count(1)
        expect(words).to_contain_text("These are your cards")
    (tunnels if tunnels.count() else tools).first.click()
    expect(words).to_contain_text("Choose a lit cell")
    # A card that is thrown away is not laid, and what the others do is not what was asked for.
    page.locator("[data-discard]").click()
    expect(page.locator("#headline")).not_to_have_text("Your move")
    assert my_move(page)
    expect(words).to_contain_text("Choose a lit cell")


def test_the_guide_shows_an_answer_before_it_goes_on(people: Open, server: Server) -> None:
    # At the usual pace: while the others move at once, nobody reads what is said of them.
    page = people(PHONE)
    begin(page, server, "speed_clue")
    words, go_on = page.locator(".coach p"), page.locator(".coach .primary")
    go_on.click()
    expect(words).to_contain_text("Choose one card of each kind")
    play_clue(page, 0)
    expect(words).to_contain_text("This is what came of it")
    expect(page.locator(".clue-answers")).to_be_in_viewport(ratio=1)
    go_on.click()
    expect(words).to_contain_text("The sheet notes")
    go_on.click()
    # It is still the reader's turn: the guide does not say that the others ask.
    expect(words).to_contain_text("End your turn")
    expect(page.locator("#clue-end")).to_be_in_viewport(ratio=1)
    page.locator("#clue-end").click()
    expect(words).to_contain_text("Now the others ask")


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
    assert violations(page, AXE) == []
