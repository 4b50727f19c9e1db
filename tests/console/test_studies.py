"""`molehunt study` and `molehunt bench`: what programs read, and what people read."""

from __future__ import annotations

import dataclasses
import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from cli.calling import Call, call
from molehunt.console import first_looks as console_looks
from molehunt.console.studies import _readings_table
from molehunt.console.study_tables import rows_table
from molehunt.studies import (
    bench,
    exact_clue,
    hansen2019,
    krisnadi2019,
    mitchell2020,
    mole2026,
    opponents2020,
    strangers,
)
from molehunt.studies.first_looks import STEPS, Step
from molehunt.studies.study import NONE_PUBLISHED, STUDIES, Report, Row, load_study, rate_row


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Call, dict[str, Any]]:
    path = tmp_path_factory.mktemp("study") / "out.json"
    made = call("study", "krisnadi2019", "--games", "20", "--seed", "3", "--json", str(path))
    return made, json.loads(path.read_text())


def test_json_has_exactly_the_promised_fields(study: tuple[Call, dict[str, Any]]) -> None:
    _, got = study
    assert list(got) == ["study", "seconds", "rows"]
    assert got["study"] == "krisnadi2019" and isinstance(got["seconds"], float) and got["seconds"] > 0
    assert len(got["rows"]) >= 24 + 2
    for row in got["rows"]:
        assert list(row) == ["id", "quantity", "published", "measured", "low", "high", "games", "verdict"]
        assert isinstance(row["id"], str) and "/" in row["id"] and isinstance(row["quantity"], str)
        assert row["published"] is None or 0 <= row["published"] <= 100
        assert row["low"] <= row["measured"] <= row["high"] <= 100
        assert row["low"] >= 0 or row["quantity"].startswith("points ")
        assert row["games"] == 20
        assert row["verdict"] in ({"none published"} if row["published"] is None else {"agrees", "differs"})


def test_table_shows_every_row_and_counts_the_cells_that_agree(study: tuple[Call, dict[str, Any]]) -> None:
    made, got = study
    assert (made.status, made.err.strip()) == (0, "")
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in made.out.splitlines() if line.startswith("│")]
    expected = []
    for section in krisnadi2019.STUDY.sections:
        for row in got["rows"]:
            if row["id"].startswith(section.prefix):
                numbers = [f"{row['measured']:.1f}", f"{row['low']:.1f} to {row['high']:.1f}"]
                if row["published"] is not None:
                    numbers = [f"{row['published']:.1f}", *numbers, row["verdict"]]
                elif section.prefix == "claim/":  # a claim in words, among claims with numbers
                    numbers = ["", *numbers, row["quantity"].rpartition(": ")[2]]
                expected.append([row["id"].partition("/")[2], *numbers])
    assert lines == expected and len(lines) == len(got["rows"])
    agreeing = sum(row["verdict"] == "agrees" and row["id"].startswith("table") for row in got["rows"])
    assert f"{agreeing} of 24 published cells agree; 20 games a cell, seed 3, " in made.out


def test_same_seed_gives_the_same_numbers_on_any_number_of_threads(study: tuple[Call, dict[str, Any]]) -> None:
    made = call("study", "krisnadi2019", "--games", "20", "--seed", "3", "--threads", "1", "--json", "-")
    assert json.loads(made.out)["rows"] == study[1]["rows"]


@pytest.fixture
def few_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Studies with few cells: what is asked here does not depend on how many there are."""
    some = krisnadi2019.cells()[:2]
    monkeypatch.setattr(krisnadi2019, "cells", lambda: some)
    monkeypatch.setattr(
        hansen2019, "CELLS", [cell for cell in hansen2019.CELLS if cell.player == hansen2019.PLAYERS[0]]
    )
    monkeypatch.setattr(opponents2020, "ROUNDS", (1, 10))
    monkeypatch.setattr(exact_clue, "SEATS", (3,))
    monkeypatch.setattr(exact_clue, "OTHERS", ("basic",))
    monkeypatch.setattr(strangers, "players_of", lambda game: ["random"])
    monkeypatch.setattr(mole2026, "PLAYERS", {"random": 1, "decision-2019": 1})


@pytest.mark.usefixtures("few_cells")
def test_the_command_on_a_page_asks_for_the_games_that_were_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    page = tmp_path / "hansen.html"
    # Cells of a few players have some games more, so that every seat is played alike.
    made = call("study", "hansen2019", "--games", "10", "--seed", "4", "--report", str(page))
    assert made.status == 0
    assert "molehunt study hansen2019 --games 10 --seed 4 --report hansen2019.html" in page.read_text("utf-8")


@pytest.mark.usefixtures("few_cells")
def test_small_is_a_first_look_that_says_what_to_try_next() -> None:
    made = call("study", "krisnadi2019", "--small")
    assert made.status == 0
    assert f"; {krisnadi2019.STUDY.small_games} games a cell" in made.out
    _, _, rest = made.out.partition("What to try next:\n")
    commands = [line.split() for line in rest.splitlines() if line.startswith("  molehunt ")]
    assert len(commands) >= 5
    studies = [words for words in commands if words[1] == "study"]
    assert studies == [["molehunt", "study", "krisnadi2019", "--report", "krisnadi2019.html"]]  # and no other study
    for words in commands:
        if words[1] in {"agents", "show"}:
            assert call(*words[1:]).status == 0
        assert call(words[1], "--help").status == 0


@pytest.mark.parametrize("threads", ["1", "2"])
def test_small_without_a_name_tells_of_all_studies_and_how_to_go_on(
    threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: tuple[Step, ...] = STEPS
    if threads == "1":  # in one process without the study that learns from a hundred games of a slow player
        steps = tuple(step for step in STEPS if step.study != "opponents2020")
        monkeypatch.setattr(console_looks, "STEPS", steps)
    made = call("study", "--small", "--games", "2", "--threads", threads)
    assert made.status == 0
    places = [made.out.index(f"\n{step.study}: ") for step in steps]
    assert places == sorted(places)
    assert all(load_study(step.study).title in made.out for step in steps)
    *_, where, promise, first, second = made.out.splitlines()
    assert where.startswith("That was a first look") and where.endswith("docs/results.md")
    assert promise == "Two things to try:"
    for line in (first, second):
        words = line.partition("#")[0].split()
        assert words[0] == "molehunt"
        assert call(words[1], "--help").status == 0


def test_one_game_is_one_game_and_leaves_an_interval_unknown() -> None:
    made = call("study", "constants2019", "--games", "1")
    assert "; 1 game a cell, seed 0" in made.out and " unknown │" in made.out and "inf" not in made.out


def test_json_on_standard_output_is_nothing_but_json() -> None:
    made = call("study", "kingston2017", "--small", "--games", "1", "--json", "-")
    assert made.status == 0
    assert json.loads(made.out)["study"] == "kingston2017"


@pytest.mark.usefixtures("few_cells")
def test_without_a_name_all_studies_are_run() -> None:
    made = call("study", "--games", "2")
    assert made.status == 0
    assert all(load_study(name).title in made.out for name in STUDIES)
    assert "What to try next:" in made.out


@pytest.mark.usefixtures("few_cells")
def test_default_number_of_games_is_that_of_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(krisnadi2019, "STUDY", dataclasses.replace(krisnadi2019.STUDY, default_games=3))
    assert {row["games"] for row in json.loads(call("study", "krisnadi2019", "--json", "-").out)["rows"]} == {3}


def test_readings_are_ranked_for_people_and_for_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [mitchell2020.Distance(mitchell2020.CLOSEST, 0.456, 0.71, 3.21)]
    ranked = dataclasses.replace(mitchell2020.STUDY, search=lambda games, seed, workers, tell: found)
    monkeypatch.setattr(mitchell2020, "STUDY", ranked)
    told = json.loads(call("study", "mitchell2020", "--readings", "--json", "-").out)
    assert told["readings"] == [
        {
            "5.1: rounds off": 0.456,
            "5.2: rounds off": 0.71,
            "5.3: points off": 3.21,
            "reading": str(mitchell2020.CLOSEST),
        }
    ]
    made = call("study", "mitchell2020", "--readings")
    assert "0.46" in made.out and "\n1 reading, " in made.out and "nearest" not in made.out


def test_verdict_that_differs_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [rate_row("table5/1+3", "q", 1, 1000, (50.0, 1000)), rate_row("table5/1+4", "q", 1, 1000, (0.1, 1000))]
    measured = dataclasses.replace(krisnadi2019.STUDY, measure=lambda games, seed, threads, tell: rows)
    monkeypatch.setattr(krisnadi2019, "STUDY", measured)
    made = call("study", "krisnadi2019", "--games", "1000")
    assert "differs │" in made.out and "agrees │" in made.out
    assert "1 of 2 published cells agree; 1,000 games a cell" in made.out


def test_on_80_columns_a_cell_breaks_between_its_names_and_a_reading_between_its_numbers() -> None:
    def shown(table: Any) -> list[str]:
        console = Console(file=StringIO(), width=80)
        console.print(table)
        return [line.rstrip() for line in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]

    row = Row(
        id="duel/greedy-2020/random-listed/losses",
        quantity="games",
        published=None,
        measured=12.0,
        low=10.5,
        high=100.0,
        games=4,
        verdict=NONE_PUBLISHED,
    )
    beside = msgspec.structs.replace(row, id="duel/greedy-2020/random/wins", published=50.0, low=0.0)
    lines = shown(rows_table("Wins", [row, beside]))
    names = [line.split("│")[1].strip() for line in lines if line.startswith("│")]
    assert names == ["greedy-2020/", "random-listed/losses", "greedy-2020/random/", "wins"]

    both = ("deduction_6=not_at_deal", "solved=envelope", "accuse_after=yes", "show=random")
    reading = mitchell2020.Distance(mitchell2020.Reading(both, ("fallback=unsolved_only",)), 0.32, 1.0, 2.8)
    lines = shown(_readings_table([reading]))
    assert lines[1].split("  ") == ["rounds off", "rounds off", "points off", "reading"] and max(map(len, lines)) <= 80
    assert [line[36:] for line in lines[2:]] == [
        "deduction_6=not_at_deal, solved=envelope,",
        "accuse_after=yes, show=random,",
        "fallback=unsolved_only, rounds begun",
    ]


def test_no_zero_has_a_minus_before_it() -> None:
    row = Row(
        id="table/near",
        quantity="points",
        published=-0.01,
        measured=-0.04,
        low=-0.041,
        high=-0.0,
        games=1,
        verdict="undecided",
    )
    screen = Console(width=100, file=StringIO(), record=True)
    screen.print(rows_table("near zero", [row, msgspec.structs.replace(row, id="table/far", published=-7.5)]))
    text = screen.export_text()
    assert not re.search(r"-0\.?0*(?![\d.])", text) and "-7.5" in text
    assert ">0</td>" in Report(study="s", seconds=1, rows=[msgspec.structs.replace(row, measured=-0.0)])._repr_html_()


def test_bench_shows_its_rows_and_writes_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    steps = (("a/fast", "games/s", lambda: 1234567.8), ("b/slow", "s", lambda: 0.125))
    monkeypatch.setattr(bench, "STEPS", steps)
    made = call("bench", "--json", str(tmp_path / "b.json"))
    assert made.status == 0
    assert [line.split() for line in made.out.splitlines()] == [
        ["what", "value", "unit"],
        ["a/fast", "1,234,568", "games/s"],
        ["b/slow", "0.12", "s"],
    ]
    rows = [{"name": "a/fast", "value": 1234567.8, "unit": "games/s"}, {"name": "b/slow", "value": 0.125, "unit": "s"}]
    assert json.loads((tmp_path / "b.json").read_text()) == rows
    assert json.loads(call("bench", "--json", "-").out) == rows


def test_in_small_a_study_of_nothing_published_shows_its_first_look(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        msgspec.structs.replace(
            rate_row(f"{kind}/duel/x", "q", 1, 10, (10.0, 10)), published=None, verdict=NONE_PUBLISHED
        )
        for kind in ("mean", "worst")
    ]
    measured = dataclasses.replace(strangers.STUDY, measure=lambda games, seed, threads, tell: rows)
    monkeypatch.setattr(strangers, "STUDY", measured)
    made = call("study", "strangers", "--small")
    assert "The mean over all strangers" in made.out and "duel/x" in made.out
    assert "1 cell more is left out here: molehunt study strangers" in made.out


def test_a_player_of_ones_own_is_measured_among_strangers(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import molehunt\nclass Mine(molehunt.Player):\n    def choose(self, view):\n        return view.legal_actions[0]\n"
    )
    words = ["--player", "duel/mine", "--player", "speed-clue/basic", "--agents-from", str(file), "--small"]
    made = call("study", "strangers", *words, "--json", str(tmp_path / "rows.json"))
    assert made.status == 0, made.err
    rows = {row["id"]: row for row in json.loads((tmp_path / "rows.json").read_text())["rows"]}
    assert rows["mean/duel/mine"]["games"] == 80 and "mean/speed_clue/basic" in rows
    assert "duel/mine" in made.out and "The worst tenth" in made.out
    assert "think quickly" not in made.out and "What to try next" not in made.out


def test_what_others_hold_of_a_player_of_ones_own_is_told(tmp_path: Path) -> None:
    file, page = tmp_path / "mine.py", tmp_path / "rows.json"
    file.write_text(
        "import molehunt\nclass Mine(molehunt.Player):\n    def choose(self, view):\n        return view.legal_actions[0]\n"
    )
    words = ["--player", "saboteur/mine", "--agents-from", str(file), "--games", "5", "--json", str(page)]
    made = call("study", "suspicion", *words)
    assert made.status == 0, made.err
    ids = [row["id"] for row in json.loads(page.read_text())["rows"]]
    assert "logloss/saboteur/mine/half/suspicion" in ids and all("/saboteur/mine/" in each for each in ids)
    assert "what others hold of them" in made.out and "saboteur/mine" in made.out


def test_the_command_on_a_page_names_the_players_that_were_named(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    file, page = tmp_path / "mine.py", tmp_path / "page.html"
    file.write_text(
        "import molehunt\nclass Mine(molehunt.Player):\n    def choose(self, view):\n        return view.legal_actions[0]\n"
    )
    words = ["--player", "duel/mine", "--player", "duel/random", "--agents-from", str(file)]
    made = call("study", "strangers", *words, "--games", "40", "--report", str(page))
    assert made.status == 0, made.err
    said = "--games 40 --player duel/mine --player duel/random --agents-from mine.py --seed 0 --report strangers.html"
    assert f"molehunt study strangers {said}" in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["strangers", "--player", "random"], "named with its game, such as duel/greedy-2020, not 'random'"),
        (["strangers", "--player", "duel/"], "named with its game, such as duel/greedy-2020, not 'duel/'"),
        (["strangers", "--player", "duel/nobody"], "unknown agent of duel 'nobody'"),
        (["strangers", "--player", "whist/random"], "unknown game 'whist'"),
        (["strangers", "--agents-from", "mine.py"], "--player says which of them is measured"),
        (["cai2020", "--player", "duel/random"], "are measured by molehunt study strangers"),
        (["--player", "duel/random"], "are measured by molehunt study strangers or suspicion"),
        (
            ["strangers", "--player", "duel/random", "--readings"],
            "--readings ranks the readings of a paper; there is no --player",
        ),
        (["suspicion", "--player", "duel/random"], "roles are guessed in saboteur alone; duel/random has none to hide"),
    ],
)
def test_players_that_a_study_cannot_measure_are_refused(words: list[str], said: str) -> None:
    made = call("study", *words)
    assert made.status == 2 and said in made.err
