"""The analysis of a finished game in a real browser: the numbers of the library, links to every moment, on a phone and by keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from browser.clicking import violations
from browser.conftest import DESKTOP, PATIENCE, Open, Server
from browser.test_looking import AXE, a_record, open_record
from molehunt.analysis.analyse import analyse
from molehunt.analysis.daily import puzzle_of, read_day
from molehunt.analysis.findings import Analysis
from molehunt.analysis.words import score
from molehunt.console.analyse import run_analysis
from molehunt.core.places import signed_places
from molehunt.core.record import read_records
from molehunt.core.replay import Replay
from molehunt.core.words import percent_said
from molehunt.games.registry import make_game
from molehunt.table.people import NAMES, recorded_names

UPRIGHT = (390, 844)
HEARD = """() => {
    window.heard = [];
    const status = document.querySelector("#analysis [role=status]");
    new MutationObserver(() => heard.push(status.textContent)).observe(status, { childList: true, subtree: true });
}"""
"""Keeps what the dialog tells from now on those who hear it."""


def analysed(path: Path) -> Analysis:
    ((_, record),) = read_records(path)
    with signed_places():
        return analyse(Replay(record, make_game), recorded_names(record.seats))


def seen(text: str) -> str:
    """A text as a page shows it, where no line is broken before a sign of percent."""
    return text.replace(" %", "\u00a0%")


def rows(page: Page, table: int) -> list[list[str]]:
    """The cells of a table of the analysis."""
    body = page.locator(".found").nth(table).locator("tbody tr")
    return [[cell.strip() for cell in row.locator("td").all_text_contents()] for row in body.all()]


@pytest.mark.parametrize(("game", "size", "dark"), [("duel", DESKTOP, False), ("saboteur", UPRIGHT, True)])
def test_the_page_says_what_the_library_finds_and_leads_to_every_moment(
    people: Open, server: Server, tmp_path: Path, game: str, size: tuple[int, int], dark: bool
) -> None:
    path = a_record(game, tmp_path)
    found = analysed(path)
    page = people(size, dark)
    open_record(page, server, path)
    page.locator("#analyse").focus()
    page.evaluate(HEARD)
    page.keyboard.press("Enter")
    expect(page.locator(".line-chart").first).to_be_visible(timeout=PATIENCE)
    ready = page.get_by_role("dialog").get_by_role("status")  # outside the dialog nobody would hear it
    expect(ready).to_have_text("The analysis is ready.")
    assert page.evaluate("() => heard") == ["Playing every move on in many worlds …", "The analysis is ready."]

    def legends(viewer: int | None, place: int) -> list[str]:
        charts = [chart for chart in found.charts if chart.viewer == viewer]
        return [seen(percent_said(line.values[place])) for chart in charts for line in chart.lines]

    assert page.locator(".legend strong").all_text_contents() == legends(None, 0)
    page.locator(".at-move input").focus()
    page.keyboard.press("End")
    assert page.locator(".legend strong").all_text_contents() == legends(None, found.moves)
    page.locator("#analysis-viewer").select_option("1")
    assert page.locator(".legend strong").all_text_contents() == legends(1, found.moves)
    turns = [(chart, turn) for chart in found.charts if chart.viewer == 1 for turn in chart.turns]
    assert page.locator(".turns a").count() == len(turns)
    listed = page.locator(".turns").inner_text()
    for chart, turn in turns:
        told = f"{chart.title}: {chart.lines[turn.line].label} {percent_said(turn.before)} → {percent_said(turn.after)}"
        assert as_it_lies(page, seen(told)) in listed

    for seat, cells in enumerate(rows(page, 1)):
        own = score(found.judged, seat)
        assert cells[:6] == [found.seats[seat], str(own.moves), *map(str, own.grades.values()), f"{own.lost:.2f}"]
    page.locator("#analysis-viewer").select_option("")
    page.locator("#every-move").check()
    for each, cells in zip(found.judged, rows(page, 2), strict=True):
        assert cells[:4] == [
            str(each.move),
            found.seats[each.seat],
            as_it_lies(page, each.played_text),
            seen(percent_said(each.chance)),
        ]
        assert cells[6] == each.grade

    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page, AXE) == []
    last = found.judged[-1].move
    page.locator(".found").nth(2).get_by_role("link", name=str(last), exact=True).last.click()
    expect(page.locator("#analysis")).to_be_hidden()
    expect(page.locator("#at")).to_have_text(f"{last} / {found.moves}")


def test_what_holds_when_a_later_round_begins_is_known_from_its_start(
    people: Open, server: Server, tmp_path: Path
) -> None:
    page, path = people(DESKTOP), a_record("saboteur", tmp_path)

    def in_a_later_round(route: Route) -> None:
        """The answer as it were if the game had begun later: a round of two."""
        answer = route.fetch()
        found = answer.json()
        found["known"] = [
            {"what": "round 2: x", "viewer": None, "likely": 3, "certain": 4, "first": 3},
            {"what": "round 1: x", "viewer": None, "likely": 0, "certain": None, "first": 0},
        ]
        route.fulfill(response=answer, json=found)

    page.route("**/analysis", in_a_later_round)
    open_record(page, server, path)
    page.locator("#analyse").click()
    expect(page.locator(".line-chart").first).to_be_visible(timeout=PATIENCE)
    assert rows(page, 0) == [["round 2: x", "from the start", "move 4"], ["round 1: x", "from the start", "never"]]


def test_the_page_of_the_command_needs_no_server(people: Open, tmp_path: Path) -> None:
    path, written = a_record("saboteur", tmp_path), tmp_path / "page.html"
    run_analysis(path, number=1, seat=None, seed=0, worlds=30, seconds=None, json=None, page=written)
    page = people(UPRIGHT)
    page.context.set_offline(True)
    page.goto(f"{written.as_uri()}#move=3&analysis")
    expect(page.locator(".moment a")).to_have_text("Move 3")
    expect(page.locator(".analysis-body")).to_contain_text("30 worlds")
    expect(page.locator(".legend").last).to_contain_text("the right goal")  # the mine lies turned
    page.keyboard.press("Escape")
    expect(page.locator("#analysis")).to_be_hidden()
    expect(page.locator("#at")).to_contain_text("3 / ")


def as_it_lies(page: Page, text: str) -> str:
    """A text with signs after names of places, as it is said of a mine that lies so on the page."""
    said: str = page.evaluate(
        """async (text) => {
            const { turnedWords } = await import("/static/turning.js");
            const turn = parseInt(document.getElementById("board").style.getPropertyValue("--turn") || "0") / 90;
            return turnedWords(text, turn);
        }""",
        text,
    )
    return said


def test_the_sheet_of_a_puzzle_is_for_the_reader_to_fill_in_until_it_is_answered(people: Open, server: Server) -> None:
    page = people(UPRIGHT)
    found = puzzle_of(read_day("2026-06-12"))
    assert found.kind == "envelope"
    page.goto(f"{server.address}/puzzle?day=2026-06-12")
    envelope = page.locator(".clue-table td.envelope")
    expect(envelope.first).to_be_visible(timeout=PATIENCE)
    assert "".join(envelope.all_inner_texts()).strip() == ""
    envelope.first.locator("button").click()
    page.reload()
    expect(envelope.first).to_contain_text("✓")  # what was filled in is kept
    page.locator("#puzzle-options .button").nth(found.answer).click()
    expect(page.locator(".clue-table td.envelope.no").first).to_contain_text("has it not")
    assert page.locator(".clue-table button").count() == 0


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, True), (UPRIGHT, False)])
def test_a_puzzle_a_day_is_answered_and_the_streak_is_kept(
    people: Open, server: Server, size: tuple[int, int], dark: bool
) -> None:
    page = people(size, dark)
    page.clock.set_fixed_time("2026-06-11T12:00:00")
    for day in ("2026-06-10", "2026-06-11"):
        with signed_places():
            found = puzzle_of(read_day(day))
        page.goto(f"{server.address}/puzzle?day={day}")
        options = page.locator("#puzzle-options .button")
        expect(page.locator("#board")).to_be_visible(timeout=PATIENCE)
        expect(options).to_have_text([as_it_lies(page, option.label) for option in found.options])
        assert page.locator("#puzzle-story li").count() == found.moves
        expect(page.locator(".seat-name")).to_have_text(list(NAMES[: len(found.players)]))
        options.nth(found.answer).focus()
        page.keyboard.press("Enter")
        expect(page.locator("#puzzle-result")).to_have_text(f"Right.{as_it_lies(page, found.why)}")
        expect(options.nth(found.answer)).to_contain_text(percent_said(found.options[found.answer].worth))
        assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
        assert violations(page, AXE) == []
    expect(page.locator("#puzzle-streak")).to_have_text("2 days in a row.")
    page.goto(f"{server.address}/puzzle")
    expect(page).to_have_url(f"{server.address}/puzzle?day=2026-06-11")
    expect(page.locator("#puzzle-streak")).to_have_text("2 days in a row.")
    expect(page.locator("#puzzle-options .button.right")).to_be_disabled()
