"""`molehunt tournament` and `molehunt results`: tables, stores, questions, and being stopped or killed."""

from __future__ import annotations

import html
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.tournament.small import played
from cli.calling import PLAYERS, call, environment
from molehunt.arena.tournament.play import Progress, play_tournament
from molehunt.arena.tournament.tables import make_tables
from molehunt.console import screen, tournament
from molehunt.console.results import print_tables
from molehunt.core.record import parse_record
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.studies.tournament_report import render_tournament
from odd_names import NO_TEXT, names_of_any_bytes

SMALL = """
name = "small"
game = "duel/mcgill"
players = ["random", "greedy-2020"]
deals = 30
records = true
"""
LONG = """
game = "saboteur/krisnadi"
seats = 5
roles = { saboteur = 2 }
players = ["decision-2019", "means-ends-2016"]
deals = 40
records = true
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(SMALL)
    (tmp_path / "long.toml").write_text(LONG)
    return tmp_path


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("seats = 11", "seats of the tournament: duel/mcgill is played by 2 seats, not 11"),
        ('compare = ["random", "nobody"]', "compare of the tournament: unknown agent of duel 'nobody'"),
    ],
)
def test_what_no_plan_can_be_made_of_is_named_with_file_and_key(folder: Path, line: str, said: str) -> None:
    (folder / "wrong.toml").write_text(SMALL + line)
    made = call("tournament", "wrong.toml")
    assert made.status == 2 and made.err.startswith(f"molehunt: wrong.toml: {said}")


def test_a_tournament_is_kept_and_asked(folder: Path) -> None:
    made = call("tournament", "small.toml", "--store", "kept", "--json", "made.json", "--report", "page.html")
    assert made.status == 0, made.err
    assert "small: 60 games, seed 0, finished" in made.out and "Ratings" in made.out
    assert "<!doctype html>" in (folder / "page.html").read_text("utf-8")
    assert call("results", "kept", "--json", "asked.json").status == 0
    assert (folder / "asked.json").read_bytes() == (folder / "made.json").read_bytes()
    again = call("tournament", "small.toml", "--store", "kept", "--json", "-")
    assert again.out.encode() == (folder / "made.json").read_bytes() and "60 games are there" in again.err

    assert call("results", "kept", "--records", "games.jsonl").status == 0
    lines = (folder / "games.jsonl").read_bytes().splitlines()
    assert len(lines) == 60
    Replay(parse_record(lines[-1]), make_game)

    for question, said in (
        ("standings", "Wins"),
        ("cross", "(columns)"),
        ("differences", "on the same deals"),
        ("ratings", "Ratings"),
    ):
        answer = call("results", "kept", "--ask", question)
        assert answer.status == 0 and said in answer.out
    assert "60" in call("results", "kept/results.duckdb", "--ask", "progress").out


def test_one_of_a_thing_is_told_as_one(folder: Path) -> None:
    (folder / "one.toml").write_text('name = "one"\ngame = "duel/mcgill"\nplayers = ["random"]\ndeals = 1')
    made = call("tournament", "one.toml", "--store", "kept")
    assert "one: 1 game, seed 0, finished" in made.out
    assert "duel/mcgill: 1 deal, 1 lineup, 1 game\n" in made.out
    assert "1 game played in" in made.out
    assert "1 unit with 1 game: 1 compared" in call("results", "kept", "--verify").out


def test_one_deal_is_no_deals(folder: Path) -> None:
    (folder / "one.toml").write_text(SMALL.replace("deals = 30", "deals = 1"))
    made = call("tournament", "one.toml", "--report", "page.html")
    assert "\nduel/mcgill: 1 deal, 1 lineup, 2 games\n" in made.out
    assert ">1 deal, 1 lineup, 2 games of duel/mcgill" in (folder / "page.html").read_text("utf-8")


def test_what_is_not_decided_is_not_said_to_be(folder: Path) -> None:
    (folder / "open.toml").write_text(
        SMALL.replace("deals = 30", "deals = 1") + '[stop]\ncompare = ["random", "greedy-2020"]'
    )
    made = call("tournament", "open.toml", "--report", "page.html")
    assert made.status == 0, made.err
    assert "\nNot decided, random and greedy-2020; difference " in made.out and "Decided, " not in made.out
    assert re.search(
        r">open</span>\s+random and greedy-2020:\s+difference \S+ points after 1 deal, ",
        (folder / "page.html").read_text("utf-8"),
    )


def test_who_has_lost_one_game_of_many_has_not_won_all(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    progress = played()
    tables = make_tables(progress.plan, progress.outcomes, progress.finished)
    (event,) = tables.events
    rates = [0.9999, 0.0001, 1.0]
    event = replace(
        event,
        standings=[replace(row, rate=rate) for row, rate in zip(event.standings, rates, strict=True)],
        cross=[replace(row, rate=0.9999) for row in event.cross],
    )
    print_tables(replace(tables, events=[event]))
    shown = capsys.readouterr().out
    page = html.unescape(render_tournament(replace(tables, events=[event]), "molehunt tournament small.toml"))
    for said in (">99.9 %", "<0.1 %", "100.0 %"):
        assert f" {said} " in shown and f">{said}<" in page
    assert ">99.9 │" in shown and "<b>>99.9</b>" in page
    assert shown.count("100.0 %") == page.count(">100.0 %<") == 1


def test_a_cross_table_says_where_each_interval_lies(folder: Path) -> None:
    assert call("tournament", "small.toml", "--store", "kept", "--json", "made.json").status == 0
    asked = call("results", "kept", "--ask", "cross").out
    crossings = json.loads((folder / "made.json").read_text())["events"][0]["cross"]
    assert crossings and "±" not in asked
    for row in crossings:
        assert f"{100 * row['rate']:.1f} │" in asked
        assert f"{100 * row['low']:.0f} to {100 * row['high']:.0f} │" in asked


@names_of_any_bytes
def test_a_store_whose_path_is_no_text_is_refused_before_anything_is_made(folder: Path) -> None:
    within = folder / NO_TEXT / "within"
    within.mkdir(parents=True)
    said = "is no text in UTF-8, as the database needs it\n"
    for store in (f"{NO_TEXT}.new", str(within)):
        made = call("tournament", "small.toml", "--store", store)
        assert (made.status, made.out) == (2, "") and made.err.endswith(said) and "lat\\udcfcn" in made.err
    assert not (folder / f"{NO_TEXT}.new").exists() and not list(within.iterdir())
    (within / "results.duckdb").touch()
    asked = call("results", str(within))
    assert asked.status == 2 and asked.err.endswith(said)


@names_of_any_bytes
def test_a_system_without_unicode_keeps_a_tournament_under_a_name_that_is_text_elsewhere(folder: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    words = [sys.executable, "-m", "molehunt", "tournament", "small.toml", "--store", "Männer"]
    made = subprocess.run(words, cwd=folder, env=os.environ | plain, capture_output=True, check=False)
    assert made.returncode == 0, made.stderr
    assert "60 games" in call("results", "Männer").out


@names_of_any_bytes
def test_a_report_whose_name_is_no_text_is_written(folder: Path) -> None:
    made = call("tournament", "small.toml", "--report", f"{NO_TEXT}.html")
    assert made.status == 0, made.err
    assert "--report 'lat\\udcfcn.html'" in html.unescape((folder / f"{NO_TEXT}.html").read_text("utf-8"))


def gold_standings(folder: Path, deals: int) -> tuple[list[dict[str, Any]], str]:
    """The standings of a tournament for gold as JSON has them, and what is printed."""
    (folder / "gold.toml").write_text(
        f'game = "saboteur/official"\nseats = 3\nplayers = ["means-ends-2016", "random"]\ndeals = {deals}'
    )
    made = call("tournament", "gold.toml", "--json", "gold.json", columns=120)
    rows = json.loads((folder / "gold.json").read_text())["events"][0]["standings"]
    assert rows
    return rows, made.out


def test_mean_payoffs_have_their_intervals(folder: Path) -> None:
    rows, printed = gold_standings(folder, 4)
    for row in rows:
        assert f" {row['payoff']:.2f} ({row['payoff_low']:.2f} to {row['payoff_high']:.2f}) │" in printed


def test_of_one_deal_a_mean_payoff_has_no_interval(folder: Path) -> None:
    rows, printed = gold_standings(folder, 1)
    for row in rows:
        assert row["payoff_low"] is row["payoff_high"] is None
        assert f"│ {row['payoff']:>11.2f} │" in printed


def test_sql_asks_anything_and_changes_nothing(folder: Path) -> None:
    assert call("tournament", "small.toml", "--store", "kept", "--json", "made.json").status == 0
    answer = call(
        "results", "kept", "--sql", "SELECT player, sum(won::INT) AS wins FROM seats GROUP BY player", "--json", "-"
    )
    standings = json.loads((folder / "made.json").read_bytes())["events"][0]["standings"]
    assert {row["player"]: row["wins"] for row in json.loads(answer.out)} == {
        row["player"]: row["wins"] for row in standings
    }
    rates = json.loads(call("results", "kept", "--sql", "SELECT player, rate FROM rates", "--json", "-").out)
    assert {row["player"]: round(row["rate"], 9) for row in rates} == {row["player"]: row["rate"] for row in standings}
    before = (folder / "kept" / "results.duckdb").read_bytes()
    for wrong in (
        "DELETE FROM games",
        "SELECT * FROM read_csv('/etc/passwd')",
        "COPY games TO 'x.csv'",
        "SELEC",
        "SELECT nothing FROM seats",
        "",
    ):
        refused = call("results", "kept", "--sql", wrong)
        assert (refused.status, refused.err.count("\n")) == (2, 1), wrong
        assert "the question cannot be answered" in refused.err
    assert (folder / "kept" / "results.duckdb").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["results", "nowhere"], "nowhere is no store"),
        (["results", "made.json"], "made.json is no database of a store; give the folder of the store"),
        (["results", "kept", "--ask", "standing"], "did you mean 'standings'"),
        (["results", "kept", "--ask", "cross", "--sql", "SELECT 1"], "one thing at a time"),
        (["tournament", "nowhere.toml"], "cannot read nowhere.toml"),
        (["tournament", "small.toml", "--games", "0"], "--games must be 1 to"),
        (["tournament", "small.toml", "--json", "a", "--report", "a"], "a file of its own"),
        (
            ["tournament", "small.toml", "--store", "small.toml"],
            "small.toml as a store: it is no folder; give the name of one",
        ),
        (["tournament", "wrong.toml"], "wrong.toml: unknown key of the tournament 'playerz'; did you mean 'players'?"),
    ],
)
def test_wrong_calls_say_what_would_be_right(folder: Path, words: list[str], said: str) -> None:
    (folder / "wrong.toml").write_text('playerz = ["random"]')
    (folder / "made.json").write_text("{}")
    if "kept" in words:
        call("tournament", "small.toml", "--store", "kept", "--games", "2")
    refused = call(*words)
    assert refused.status == 2 and said in refused.err


def test_players_from_a_file_play(folder: Path) -> None:
    (folder / "mine.py").write_text(PLAYERS)
    text = (
        'game = "saboteur/krisnadi"\nseats = 3\nagents_from = ["mine.py"]\nplayers = ["first", "random"]\ndeals = 3\n'
    )
    (folder / "mine.toml").write_text(text)
    made = call("tournament", "mine.toml", "--store", "kept", "--json", "-")
    assert made.status == 0 and '"first"' in made.out
    (folder / "mine.py").write_text(PLAYERS + "\n# changed\n")
    assert "files of players mine.py is" in call("tournament", "mine.toml", "--store", "kept").err


def test_a_changed_module_that_a_file_of_players_imports_is_another_player(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(folder))
    (folder / "tactics_of_mine").mkdir()
    (folder / "tactics_of_mine" / "__init__.py").write_text("from .numbers_of_mine import FIRST\n")
    numbers = folder / "tactics_of_mine" / "numbers_of_mine.py"
    numbers.write_text("FIRST = 0\n")
    (folder / "mine.py").write_text(f"from tactics_of_mine import FIRST\n{PLAYERS}")
    (folder / "mine.toml").write_text(
        'game = "saboteur/krisnadi"\nseats = 3\nagents_from = ["mine.py"]\nplayers = ["first", "random"]\ndeals = 3\n'
    )
    assert call("tournament", "mine.toml", "--store", "kept").status == 0
    assert call("tournament", "mine.toml", "--store", "kept").status == 0
    numbers.write_text("FIRST = 1\n")
    refused = call("tournament", "mine.toml", "--store", "kept")
    assert refused.status == 2 and "modules of players tactics_of_mine.numbers_of_mine is" in refused.err


WANDERER = """
import os

import molehunt

os.chdir(os.path.join(os.path.dirname(__file__), "elsewhere"))


class First(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]
"""


def test_a_store_lies_where_it_was_asked_for_whatever_folder_a_player_goes_to(folder: Path) -> None:
    (folder / "elsewhere").mkdir()
    (folder / "mine.py").write_text(WANDERER)
    (folder / "mine.toml").write_text(
        'game = "saboteur/krisnadi"\nseats = 3\nagents_from = ["mine.py"]\nplayers = ["first", "random"]\ndeals = 3\n'
    )
    made = call("tournament", "mine.toml", "--store", "kept", "--json", "out.json")
    assert made.status == 0, made.err
    assert (folder / "kept" / "results.duckdb").exists() and (folder / "out.json").exists()
    assert not list((folder / "elsewhere").iterdir())


def start(folder: Path, store: str) -> subprocess.Popen[bytes]:
    words = [
        sys.executable,
        "-m",
        "molehunt",
        "tournament",
        "long.toml",
        "--store",
        store,
        "--json",
        f"{store}.json",
        "--threads",
        "2",
    ]
    return subprocess.Popen(words, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_killed_and_stopped_it_goes_on_and_ends_the_same(folder: Path) -> None:
    assert call("tournament", "long.toml", "--store", "whole", "--json", "whole.json").status == 0
    moments = random.Random(1)
    for ending in (signal.SIGKILL, signal.SIGKILL, signal.SIGINT):
        process = start(folder, "killed")
        while process.poll() is None and not (folder / "killed" / "lock").exists():
            time.sleep(0.005)
        time.sleep(moments.uniform(0.02, 0.6))
        process.send_signal(ending)
        _, err = process.communicate(timeout=300)
        if process.returncode == 1:
            assert b"stopped" in err
    process = start(folder, "killed")
    process.communicate(timeout=300)
    assert process.returncode == 0
    assert (folder / "killed.json").read_bytes() == (folder / "whole.json").read_bytes()
    assert (folder / "killed" / "records.jsonl.gz").read_bytes() == (folder / "whole" / "records.jsonl.gz").read_bytes()


def test_the_command_that_goes_on_is_the_one_that_was_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was told without --json, --report and --threads: who typed it got no file."""

    def stops(progress: Progress, *others: Any) -> None:
        play_tournament(progress, *others)
        progress.interrupted = True

    words = ["small.toml", "--games", "20", "--threads", "1", "--store", "a store", "--json", "out.json"]
    with monkeypatch.context() as stopped:
        stopped.setattr(tournament, "play_tournament", stops)
        made = call("tournament", *words)
    assert made.status == 1
    told = made.err.partition("the same command goes on: ")[2]
    assert sorted(shlex.split(told)) == sorted(["molehunt", "tournament", *words])
    before = (folder / "out.json").read_bytes()
    (folder / "out.json").unlink()
    assert call(*shlex.split(told)[1:]).status == 0
    assert (folder / "out.json").read_bytes() == before


@pytest.mark.parametrize("error", [ValueError("I/O operation on closed file."), OSError(9, "Bad file descriptor")])
def test_a_fault_is_told_though_a_player_closes_standard_error_meanwhile(
    error: Exception, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games may be played in another thread than that which tells of them."""
    (folder / "failing.py").write_text(
        "import molehunt\nclass Failing(molehunt.Player):\n    def choose(self, view):\n        raise ValueError('no')\n"
    )
    (folder / "t.toml").write_text(
        'name = "t"\ngame = "duel/mcgill"\nplayers = ["failing", "random"]\nagents_from = ["failing.py"]\ndeals = 1\n'
    )
    tried: list[str] = []
    print_it = screen.side.print

    def fails_at_first(text: str, **how: Any) -> None:
        tried.extend([text] if text.startswith("Lost by fault") else [])
        if tried == [text]:
            raise error
        print_it(text, **how)

    monkeypatch.setattr(screen.side, "print", fails_at_first)
    made = call("tournament", "t.toml", "--threads", "1")
    assert made.status == 1 and tried[0] == tried[1]
    assert made.err.count("Lost by fault: failing failed in choose: ValueError: no") == 1
