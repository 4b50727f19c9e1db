"""The page of a study in a real browser: on a phone, nothing lies on anything and letters are large enough to be read."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from browser.conftest import Open
from molehunt.studies.report import render
from molehunt.studies.study import Report, Row, Section, Study, rate_row

TABLED = 66 * 16
"""From so many pixels on (66 rem in `report.css`) rows stand as a table; below, each is a block of its own."""
SIZES = [(320, 640), (360, 740), (740, 360), (1280, 800)]
NAMES = ["greedy-2020/random-listed/wins", "and-or-2020:wins_first/random-listed/draws", "random/random/losses"]
ROWS = [rate_row(f"strength/{NAMES[0]}", "wins, %: a player", 60, 100, (47.0, 1000))] + [
    rate_row(f"{part}/{name}", "wins, %: a player against another", 40, 100, None)
    for part in ("strength", "others")
    for name in [*NAMES[1:], "short/random/wins"]
]


def measure(*_: object) -> list[Row]:
    raise AssertionError("a report plays nothing")


STUDY = Study(
    name="sample",
    title="A study of samples",
    source="Someone: A paper. 2024.",
    default_games=100,
    small_games=10,
    unit="%",
    sections=(Section("strength/", "Strength", "What it shows."), Section("others/", "Others", "What else it shows.")),
    measure=measure,
)
FAULTS = """() => {
    const faults = [];
    const lines = (element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return [...range.getClientRects()];
    };
    const meet = (one, two) => one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
    for (const row of document.querySelectorAll("tbody tr")) {
        const told = [...row.children].filter((cell) => cell.checkVisibility());
        for (const [place, cell] of told.entries())
            for (const other of told.slice(place + 1))
                if (lines(cell).some((one) => lines(other).some((two) => meet(one, two))))
                    faults.push(`"${cell.textContent}" and "${other.textContent}" lie on each other`);
    }
    for (const plot of document.querySelectorAll(".plot > svg")) {
        if (!plot.checkVisibility()) continue;
        const frame = plot.getBoundingClientRect();
        const scale = frame.width / plot.viewBox.baseVal.width;
        for (const text of plot.querySelectorAll("text")) {
            const size = parseFloat(getComputedStyle(text).fontSize) * scale;
            if (size < 9.5) faults.push(`"${text.textContent}" has letters of ${size.toFixed(1)} px`);
            const box = text.getBoundingClientRect();
            if (box.left < frame.left - 1 || box.right > frame.right + 1) faults.push(`"${text.textContent}" is cut off`);
            const style = getComputedStyle(text);
            const ground = getComputedStyle(text.closest(".card")).backgroundColor;
            const clear = style.paintOrder.startsWith("stroke") && style.stroke === ground && parseFloat(style.strokeWidth) > 2;
            const upright = [...plot.querySelectorAll("path, use")].map((line) => line.getBoundingClientRect());
            if (!clear && upright.some((line) => line.width < 3 && line.height > 30 && meet(line, box)))
                faults.push(`a line passes through the letters of "${text.textContent}"`);
        }
    }
    if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than the screen");
    return faults;
}"""
"""What cannot be read of a report."""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_report_is_read_on_every_screen(people: Open, tmp_path: Path, size: tuple[int, int]) -> None:
    file = tmp_path / "sample.html"
    file.write_text(render(STUDY, Report(study="sample", seconds=1, rows=ROWS), 0, dt.date(2026, 1, 1)), "utf-8")
    page = people(size)
    page.goto(file.as_uri())
    assert page.evaluate(FAULTS) == []
    shown = page.locator("td[data-label=Published]", has_text="none").filter(visible=True)
    assert shown.count() == (0 if size[0] < TABLED else 3)
    badge = page.locator(".verdict").first
    badge.evaluate("(badge) => { badge.style.cssText = 'position: absolute; left: 0; top: 0'; }")
    page.locator(".plot > svg").evaluate_all("(all) => all.forEach((svg) => { svg.style.width = '200px'; })")
    faults = page.evaluate(FAULTS)
    assert any("letters of" in fault for fault in faults)
    assert any("lie on each other" in fault for fault in faults) or size[0] >= TABLED


def test_a_report_is_printed_light_from_a_dark_screen(people: Open, tmp_path: Path) -> None:
    file = tmp_path / "sample.html"
    file.write_text(render(STUDY, Report(study="sample", seconds=1, rows=ROWS), 0, dt.date(2026, 1, 1)), "utf-8")
    page = people((1280, 800))
    page.goto(file.as_uri())
    colours = """() => [document.body, document.querySelector(".card")].map((element) => {
        const style = getComputedStyle(element);
        return [style.color, style.backgroundColor];
    })"""
    page.emulate_media(media="screen", color_scheme="light")
    light = page.evaluate(colours)
    page.emulate_media(media="screen", color_scheme="dark")
    dark = page.evaluate(colours)
    page.emulate_media(media="print", color_scheme="dark")
    printed = page.evaluate(colours)
    assert dark[0][0] != light[0][0] == printed[0][0]
    assert dark[1] != light[1] == printed[1]
