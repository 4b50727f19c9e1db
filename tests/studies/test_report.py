"""The report of a study holds every number, stands alone, is the same twice, and lets no text become markup."""

from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
import math
import re
import subprocess
import sys
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring, tostring

import msgspec
import pytest

pytest.importorskip("jinja2")
pytest.importorskip("matplotlib")

from molehunt import __version__
from molehunt.core.errors import MolehuntError
from molehunt.studies.report import check_installed, render
from molehunt.studies.study import AGREES, DIFFERS, NONE_PUBLISHED, Report, Row, Section, Study, load_study, rate_row

DAY = dt.date(2024, 2, 29)
HOSTILE = "<script src=x>alert('1')<b> & \"x\" $\\frac{$ 鼹鼠"


def study_of(*sections: Section, name: str = "sample2024", title: str = "A study of samples") -> Study:
    def measure(*_: object) -> list[Row]:
        raise AssertionError("a report plays nothing")

    return Study(
        name=name,
        title=title,
        source="Someone: A paper. 2024.",
        default_games=3000,
        small_games=200,
        unit="saboteur wins, %",
        sections=sections,
        measure=measure,
    )


STUDY = study_of(
    Section("table4/", "The fourth table", "What the fourth table shows."),
    Section("table5/", "The fifth table", "What the fifth table shows."),
    Section("table5-as-printed/", "The fifth, as printed", "What else it shows."),
    Section("ablation/", "One reading at a time", "What a reading does.", "table5/"),
    Section("empty/", "A section without rows", "Nothing."),
)
ROWS = [
    rate_row("table5/1+4", "saboteur wins, %: first", 1234, 10_000, (12.4, 3000)),
    rate_row("table5/2+3", "saboteur wins, %: second", 7500, 10_000, (76.367, 3000)),
    rate_row("table5/2+4", "saboteur wins, %: third", 6021, 10_000, (54.433, 3000)),
    rate_row("table5-as-printed/2+3", "saboteur wins, %: fourth", 3333, 10_000, (76.367, 3000)),
    rate_row("ablation/fault=no/1+4", "saboteur wins, %: fifth", 1111, 10_000, None),
    rate_row("ablation/fault=no/2+3", "saboteur wins, %: sixth", 8888, 10_000, None),
    rate_row("ablation/other=0.5/2+3", "saboteur wins, %: seventh", 7421, 10_000, None),
    rate_row("stray/1", "saboteur wins, %: eighth", 4567, 10_000, None),
]
REPORT = Report(study="sample2024", seconds=12.34, rows=ROWS)


def tree(page: str) -> Element:
    """The page as a tree; the page is well-formed XML as well as HTML."""
    head, page = page.split("\n", 1)
    assert head == "<!doctype html>"
    return fromstring(page)  # noqa: S314 - made here


def text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def section(page: Element, anchor: str) -> Element:
    (found,) = (each for each in page.iter("section") if each.get("id") == anchor)
    return found


def table(page: Element, anchor: str) -> dict[str, dict[str, str]]:
    """The cells of a section's table by the id of the row and the heading of the column."""
    head, *body = section(page, anchor).iter("tr")
    headings = [text(cell) for cell in head]
    rows = [dict(zip(headings, map(text, row), strict=True)) for row in body]
    return {row["Id"]: row for row in rows}


def diamonds(plot: Element) -> list[Element]:
    return [mark for mark in plot.iter("use") if "fill-opacity: 0" in mark.get("style", "")]


def dots(plot: Element) -> list[Element]:
    return [mark for mark in plot.iter("use") if "fill-opacity: 0" not in mark.get("style", "")]


def plots(part: Element) -> list[Element]:
    return [each for each in part.iter("svg") if each.get("role") == "img"]


@pytest.fixture(scope="module")
def markup() -> str:
    return render(STUDY, REPORT, 7, DAY)


@pytest.fixture(scope="module")
def page(markup: str) -> Element:
    return tree(markup)


def test_the_page_stands_alone(markup: str, page: Element) -> None:
    assert not list(page.iter("script")) + list(page.iter("link")) + list(page.iter("img")) + list(page.iter("iframe"))
    assert not re.search(r"https?:|@import|url\(|//[a-z]|data:", markup)
    ids = [element.get("id", "") for element in page.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    targets = [element.get(name, "") for element in page.iter() for name in ("href", "src") if element.get(name)]
    targets += [f"#{element.get('aria-labelledby')}" for element in page.iter() if element.get("aria-labelledby")]
    assert targets
    assert {target.removeprefix("#") for target in targets} <= set(ids)
    assert all(target.startswith("#") for target in targets)


def test_the_head_says_what_was_run(page: Element) -> None:
    assert text(next(page.iter("h1"))) == "A study of samples"
    (facts,) = page.iter("dl")
    said = {text(pair[0]): text(pair[1]) for pair in facts}
    assert said == {
        "Date of the run": "29 February 2024",
        "Seed": "7",
        "Games a cell": "10,000",
        "Played in": "12.3 seconds",
        "Version": f"molehunt {__version__}",
    }
    assert text(next(page.iter("header"))).count(STUDY.source) == 1
    assert {time.get("datetime") for time in page.iter("time")} == {"2024-02-29"}
    (command,) = (each for each in page.iter("code") if each.get("class") == "command")
    assert text(command) == "molehunt study sample2024 --games 10000 --seed 7 --report sample2024.html"


def test_every_row_stands_in_the_table_of_its_section(page: Element) -> None:
    assert table(page, "table5") == {
        "table5/1+4": {
            "Id": "table5/1+4",
            "Quantity": "first",
            "Published": "12.4",
            "Measured": "12.3",
            "95 % interval": "11.7 to 13.0",
            "Games": "10,000",
            "Difference": "−0.1",  # noqa: RUF001 - a true minus
            "Verdict": AGREES,
        },
        "table5/2+3": {
            "Id": "table5/2+3",
            "Quantity": "second",
            "Published": "76.4",
            "Measured": "75.0",
            "95 % interval": "74.1 to 75.8",
            "Games": "10,000",
            "Difference": "−1.4",  # noqa: RUF001 - a true minus
            "Verdict": AGREES,
        },
        "table5/2+4": {
            "Id": "table5/2+4",
            "Quantity": "third",
            "Published": "54.4",
            "Measured": "60.2",
            "95 % interval": "59.2 to 61.2",
            "Games": "10,000",
            "Difference": "+5.8",
            "Verdict": DIFFERS,
        },
    }
    assert list(table(page, "table5-as-printed")) == ["table5-as-printed/2+3"]
    everywhere = [text(cell) for cell in page.iter("th") if cell.get("scope") == "row"]
    assert sorted(everywhere) == sorted(row.id for row in ROWS)


def test_a_verdict_is_a_word_and_a_colour(page: Element) -> None:
    badges = [(text(each), each.get("class")) for each in page.iter("span") if "badge" in each.get("class", "")]
    assert badges == [(AGREES, "badge good")] * 2 + [(DIFFERS, "badge bad")] * 2


def test_unpublished_rows_are_compared_with_the_row_of_the_same_team(page: Element) -> None:
    cells = table(page, "ablation")
    assert {id_: (row["In table5/"], row["Difference"]) for id_, row in cells.items()} == {
        "ablation/fault=no/1+4": ("12.3", "−1.2"),  # noqa: RUF001 - a true minus
        "ablation/fault=no/2+3": ("75.0", "+13.9"),
        "ablation/other=0.5/2+3": ("75.0", "−0.8"),  # noqa: RUF001 - a true minus
    }
    assert not {"Published", "Verdict"} & set(cells["ablation/fault=no/1+4"])
    # Rows of no section, and those with nothing to be compared with, are there with what is known of them.
    assert set(table(page, "other")["stray/1"]) == {"Id", "Quantity", "Measured", "95 % interval", "Games"}


def test_a_team_that_was_not_played_is_compared_with_nothing() -> None:
    rows = [*ROWS[:2], rate_row("ablation/fault=no/2+6", "x", 10, 100, None), ROWS[5]]
    cells = table(tree(render(STUDY, Report(study="s", seconds=1, rows=rows), 0, DAY)), "ablation")
    assert [row["Difference"] for row in cells.values()] == ["none", "+13.9"]


def test_a_section_may_mix_published_and_unpublished_rows() -> None:
    rows = [ROWS[0], rate_row("table5/2+6", "x", 10, 100, None)]
    page = tree(render(STUDY, Report(study="s", seconds=1, rows=rows), 0, DAY))
    row = table(page, "table5")["table5/2+6"]
    assert (row["Published"], row["Difference"], row["Verdict"]) == ("none", "none", NONE_PUBLISHED)
    assert "1 of 1 cell agrees" in text(section(page, "table5"))
    for plot in plots(section(page, "table5")):
        assert (len(dots(plot)), len(diamonds(plot))) == (2, 1)


def test_the_summary_is_computed_from_the_rows(page: Element) -> None:
    (summary,) = (each for each in page.iter("p") if each.get("class") == "summary")
    assert text(summary) == (
        "2 of 4 cells agree with the published numbers; the largest difference is −43.0 points, "  # noqa: RUF001
        "in table5-as-printed/2+3."
    )
    found = [text(each) for each in page.iter("p") if each.get("class") == "finding"]
    assert found == [
        "2 of 3 cells agree; the largest difference is +5.8 points, in table5/2+4.",
        "0 of 1 cell agree; the largest difference is −43.0 points, in table5-as-printed/2+3.",  # noqa: RUF001
        (
            "3 cells, not published; the largest difference is +13.9 points from the same team in table5/, "
            "in ablation/fault=no/2+3."
        ),
        "1 cell, not published.",
    ]


def test_the_page_says_how_many_cells_differ_by_chance() -> None:
    rows = [rate_row(f"table4/{n}+1", "x", 500, 1000, (50.0, 3000)) for n in range(18)]
    verdicts = text(section(tree(render(STUDY, Report(study="s", seconds=1, rows=rows), 0, DAY)), "verdicts"))
    assert "about one of these 18 cells would be expected to differ by chance" in verdicts
    assert "95 % interval of the difference of the two rates" in verdicts
    assert "Newcombe" in verdicts


def verdicts_of(study: Study, rows: list[Row]) -> str:
    return text(section(tree(render(study, Report(study="s", seconds=1, rows=rows), 0, DAY)), "verdicts"))


def test_the_page_says_where_a_published_number_counts_as_exact() -> None:
    told = verdicts_of(dataclasses.replace(STUDY, exact=True), ROWS[:1])
    assert "which counts as exact" in told and "finite number of games" not in told
    assert "about none of this one cell would be expected to differ by chance" in told


def test_the_page_says_how_findings_in_words_are_judged_and_no_more_of_them() -> None:
    finding = msgspec.structs.replace(ROWS[4], quantity="games won, %: it pays: holds", verdict=AGREES)
    told = verdicts_of(STUDY, [finding])
    assert "A finding in words is judged by the study itself" in told
    assert "Newcombe" not in told and "by chance" not in told and "not a percentage" not in told
    both = verdicts_of(STUDY, [ROWS[0], finding])
    assert "A finding in words" in both and "Newcombe" in both and "of this one cell" in both


def test_what_is_undecided_is_said_beside_what_agrees() -> None:
    sure = msgspec.structs.replace(ROWS[4], id="finding/a", quantity="games won, %: it pays: holds", verdict=AGREES)
    open_ = msgspec.structs.replace(sure, id="finding/b", quantity="it harms: undecided", verdict=NONE_PUBLISHED)
    study = load_study("neller2018")
    page = tree(render(study, Report(study=study.name, seconds=1.0, rows=[sure, open_]), 3, DAY))
    told = " ".join("".join(page.itertext()).split())
    assert "1 of 2 findings agree with the published findings, 1 is undecided" in told
    assert "1 of 2 cells agrees, 1 is undecided" in told


def test_without_published_numbers_the_summary_says_so() -> None:
    unpublished = Report(study="s", seconds=1, rows=ROWS[4:])
    page = tree(render(STUDY, unpublished, 0, DAY))
    assert "None of the 4 numbers of this study has been published." in text(page)
    assert "by chance" not in text(page)
    assert "None of the 0 numbers" in text(tree(render(STUDY, Report(study="s", seconds=1, rows=[]), 0, DAY)))


def test_plots_show_each_number_in_its_place(page: Element) -> None:
    wide, narrow = plots(section(page, "table5"))
    for plot in (wide, narrow):
        marks = zip(dots(plot), diamonds(plot), ROWS[:3], strict=True)
        places = [
            (float(mark.get("x", "")), value)
            for dot, diamond, row in marks
            for mark, value in ((dot, row.measured), (diamond, row.published or 0))
        ]
        lines = [
            [float(number) for number in re.findall(r"[\d.]+", path.get("d", ""))]
            for path in plot.iter("path")
            if "stroke-width: 2.4" in path.get("style", "")
        ]
        for (x1, _, x2, _), row in zip(lines, ROWS[:3], strict=True):
            places += [(x1, row.low), (x2, row.high)]
        (x0, v0), (x1, v1) = places[0], places[2]
        for x, value in places:
            assert x == pytest.approx(x0 + (value - v0) * (x1 - x0) / (v1 - v0), abs=0.01)
        assert x1 > x0
        labels = [text(label) for label in plot.iter("text")]
        assert {"1+4", "2+3", "2+4", "+5.8"} <= set(labels)
        red = [label for label in plot.iter("text") if "var(--bad)" in label.get("style", "")]
        assert [text(label) for label in red] == ["+5.8"]


def test_plots_of_unpublished_rows_have_no_published_marks(page: Element) -> None:
    by_team = plots(section(page, "ablation"))
    assert [(len(dots(plot)), len(diamonds(plot))) for plot in by_team] == [(1, 0), (2, 0)]
    assert [text(heading) for heading in section(page, "ablation").iter("h3")] == ["1+4", "2+3"]
    assert [len(diamonds(plot)) for plot in plots(section(page, "other"))] == [0]


def test_plots_and_tables_can_be_read_aloud(page: Element) -> None:
    drawn = plots(page)
    assert len(drawn) == 7
    assert all("The table below holds the same numbers" in plot.get("aria-label", "") for plot in drawn)
    assert all(svg.get("aria-hidden") == "true" for svg in page.iter("svg") if svg not in drawn)
    for each in page.iter("table"):
        (caption,) = each.iter("caption")
        assert "saboteur wins, %" in text(caption)
        assert {cell.get("scope") for cell in each.iter("th")} == {"col", "row"}
    levels = [int(element.tag[1]) for element in page.iter() if re.fullmatch(r"h\d", element.tag)]
    assert levels.count(1) == 1
    assert all(lower - upper <= 1 for upper, lower in itertools.pairwise(levels))
    assert page.get("lang") == "en"


def test_plots_take_their_colours_from_the_page(markup: str, page: Element) -> None:
    style = text(next(page.iter("style")))
    assert "prefers-color-scheme: dark" in style
    for plot in plots(page):
        inside = tostring(plot, encoding="unicode")
        assert not re.search(r"#[0-9a-f]{6}\b", inside)
        assert "fill: var(--ink)" in inside
        assert all("fill:" in label.get("style", "") for label in plot.iter("text"))
    used = set(re.findall(r"var\((--[a-z-]+)\)", markup))
    light, dark = style.split("prefers-color-scheme: dark", 1)
    assert used <= set(re.findall(r"(--[a-z-]+):", light))
    fonts = {"--serif", "--sans", "--mono"}
    assert used - fonts <= set(re.findall(r"(--[a-z-]+):", dark))


def test_a_study_of_other_numbers_than_rates() -> None:
    def row(name: str, published: float | None, measured: float, low: float, high: float) -> Row:
        return Row(
            id=name,
            quantity="claims that hold: x" if name.startswith("claim/") else "rounds: x",
            published=published,
            measured=measured,
            low=low,
            high=high,
            games=1,
            verdict=DIFFERS,
        )

    rows = [row("table4/a", 7.25, 6.0, -math.inf, math.inf), row("claim/b", 14.0, 12.0, 12.0, 12.0), ROWS[2]]
    mixed = study_of(Section("table4/", "x", "y"), Section("claim/", "x", "y"), Section("table5/", "x", "y"))
    page = tree(render(mixed, Report(study="s", seconds=1, rows=rows), 0, DAY))
    assert list(table(page, "table4")["table4/a"].values())[2:5] == ["7.25", "6.00", "−∞ to ∞"]  # noqa: RUF001
    assert list(table(page, "claim")["claim/b"].values())[2:7] == ["14", "12", "none", "1", "−2"]  # noqa: RUF001
    (summary,) = (each for each in page.iter("p") if each.get("class") == "summary")
    assert text(summary).endswith(
        "the largest differences are +5.8 points, in table5/2+4 and −2, in claim/b."  # noqa: RUF001
    )
    assert [text(caption) for caption in page.iter("caption")] == [
        "x: rounds. Difference: measured minus published.",
        "x: claims that hold. Difference: measured minus published.",
        "x: saboteur wins, %. Difference: measured minus published, in percentage points.",
    ]
    for plot in plots(page):
        assert not re.search(r"\b(inf|nan)\b", tostring(plot, encoding="unicode"))


def test_names_with_a_part_in_common_share_a_plot() -> None:
    names = [f"{reading}/{team}" for reading in ("one", "two") for team in ("1+3", "1+4", "2+3")]
    rows = [rate_row(f"table4/{name}", "x", 10, 100, (10.0, 100)) for name in names]
    part = section(tree(render(STUDY, Report(study="s", seconds=1, rows=rows), 0, DAY)), "table4")
    assert [text(heading) for heading in part.iter("h3")] == ["one", "two"]
    assert [len(dots(plot)) for plot in plots(part)] == [3, 3]


@pytest.mark.parametrize("letters", [1, 20, 40, 400])
def test_names_of_any_length_leave_room_for_the_plot(letters: int) -> None:
    rows = [rate_row(f"table4/{'W' * letters}{n}", "x", 10 * n, 100, (10.0, 100)) for n in (1, 2)]
    page = tree(render(STUDY, Report(study="s", seconds=1, rows=rows), 0, DAY))
    for plot in plots(page):
        _, _, width, height = map(float, plot.get("viewBox", "").split())
        places = [(float(mark.get("x", "")), float(mark.get("y", ""))) for mark in dots(plot)]
        assert places[1][0] - places[0][0] > 0.15 * width
        assert all(0 < x < width and 0 < y < height for x, y in places)
        labels = [text(label) for label in plot.iter("text")]
        assert all(len(label) * 9 < width for label in labels)
        if letters < 40:
            assert {row.id.partition("/")[2] for row in rows} <= set(labels)


def test_no_text_becomes_markup() -> None:
    hostile = study_of(
        Section("table5/", HOSTILE, HOSTILE), Section(f"{HOSTILE}/", "x", "y"), name=HOSTILE, title=HOSTILE
    )
    rows = [
        rate_row(f"table5/{HOSTILE}", HOSTILE, 10, 100, (10.0, 100)),
        rate_row(f"{HOSTILE}/1+4", HOSTILE, 10, 100, None),
        rate_row(f"<b>&{HOSTILE}", HOSTILE, 10, 100, None),
    ]
    markup = render(hostile, Report(study=HOSTILE, seconds=1, rows=rows), 0, DAY)
    assert "<script" not in markup
    page = tree(markup)
    assert len(list(page.iter("b"))) == 2  # those of the summary
    assert text(next(page.iter("h1"))) == HOSTILE
    cells = [text(cell) for cell in page.iter("th") if cell.get("scope") == "row"]
    assert cells == [row.id for row in rows]
    labels = [text(label) for plot in plots(page) for label in plot.iter("text")]
    assert HOSTILE in labels
    (command,) = (each for each in page.iter("code") if each.get("class") == "command")
    assert f"molehunt study '{HOSTILE.replace(chr(39), chr(39) + chr(34) + chr(39) + chr(34) + chr(39))}'" in text(
        command
    )


def test_the_same_run_gives_the_same_page_in_another_process(markup: str, tmp_path: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import test_report as t; "
        "t.Path(sys.argv[1]).write_text(t.render(t.STUDY, t.REPORT, 7, t.DAY), 'utf-8')"
    )
    file = tmp_path / "again.html"
    subprocess.run([sys.executable, "-c", code, str(file)], check=True)
    assert file.read_bytes() == markup.encode()


def test_a_report_is_dated_today_unless_a_day_is_given() -> None:
    before = dt.datetime.now().astimezone().date()
    page = tree(render(STUDY, Report(study="s", seconds=1, rows=[]), 7))
    after = dt.datetime.now().astimezone().date()
    assert {time.get("datetime", "") for time in page.iter("time")} <= {before.isoformat(), after.isoformat()}


def test_games_that_differ_are_a_range_and_no_option_of_the_command() -> None:
    rows = [ROWS[0], rate_row("table5/2+3", "x", 700, 1000, (76.0, 3000))]
    page = tree(render(STUDY, Report(study="s", seconds=1, rows=rows), 3, DAY))
    assert "1,000 to 10,000" in text(next(page.iter("dl")))
    assert "molehunt study sample2024 --seed 3 --report" in text(page)


@pytest.mark.parametrize("rows", [ROWS[:1], [ROWS[0], rate_row("table5/2+3", "x", 700, 1000, (76.0, 3000))]])
def test_the_command_asks_for_as_many_games_as_were_asked_for_whatever_the_cells_have(rows: list[Row]) -> None:
    page = text(tree(render(STUDY, Report(study="s", seconds=1, rows=rows), 3, DAY, games=40_000)))
    assert "molehunt study sample2024 --games 40000 --seed 3 --report" in page


@pytest.mark.parametrize("missing", ["jinja2", "matplotlib"])
def test_a_missing_library_says_what_to_install(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MolehuntError, match=re.escape(f"{missing}: pip install 'molehunt[report]'")):
        render(STUDY, REPORT, 7, DAY)
    with pytest.raises(MolehuntError):
        check_installed()


def test_neither_library_is_imported_before_a_report_is_made() -> None:
    code = "import sys, molehunt.studies.report; sys.exit(bool({'jinja2', 'matplotlib'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_curves_are_drawn_for_each_screen_so_that_all_of_them_is_read() -> None:
    """On a telephone as wide as it shows them, names below each other where they need it, as many numbers as there is room for."""
    points = [float(number) / 10 for number in range(30)]
    section = Section("curve/", "Curves", "What moves.", curves=True)
    teams = ("saboteurs in disguise", "miners")
    rows = [rate_row(f"curve/d_mu/{team}/{x:g}", "wins, %", 5, 10, None) for team in teams for x in points]
    page = render(study_of(section), Report(study="sample2024", seconds=1.0, rows=rows), 1)
    for screen, width in (("desk", 400), ("telephone", 300)):
        (drawn,) = re.findall(rf'<div class="plot {screen}">.*?<h3>d_mu</h3>\s*(<svg.*?</svg>)', page, re.DOTALL)
        assert f'viewBox="0 0 {width} ' in drawn
        svg = fromstring(drawn)  # noqa: S314 - made here
        texts = {text.text: (float(text.get("x", "nan")), float(text.get("y", "nan"))) for text in svg.iter("text")}
        first, second = (texts[team] for team in teams)
        assert first[0] == second[0] and second[1] - first[1] == pytest.approx(18)
        numbers = sorted(texts[f"{x:g}"][0] for x in points if f"{x:g}" in texts and x not in {0, 1})
        assert "2.9" in texts and 8 < len(numbers) < 30
        assert min(after - before for before, after in itertools.pairwise(numbers)) > 20


@pytest.mark.parametrize("one_axis", [False, True])
def test_plots_that_stand_beside_each_other_have_one_axis_where_the_section_says_so(one_axis: bool) -> None:
    """Of two plots of log losses side by side, the larger number stood farther to the left."""
    study = study_of(Section("table5/", "The fifth table", "What it shows.", one_axis=one_axis))
    measured = {"quarter/first": 5000, "end/first": 1000, "quarter/second": 6000, "end/second": 6000}
    rows = [rate_row(f"table5/{cell}", f"wins, %: {cell}", wins, 10_000, None) for cell, wins in measured.items()]
    page = tree(render(study, Report(study="sample2024", seconds=1.0, rows=rows), 7, DAY))
    first, second = ([float(dot.get("x", "nan")) for dot in dots(plot)] for plot in plots(section(page, "table5")))
    assert first[0] > first[1] and second[0] == second[1]
    assert (second[0] > first[0]) == one_axis
