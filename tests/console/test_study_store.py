"""`molehunt study --store`: stopped or killed, it goes on where it was, with the same numbers, and says what is missing."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest

from cli.calling import call, command, environment
from molehunt.arena.databases import PIECES, RESULTS, open_for_reading
from molehunt.arena.pieces import open_pieces
from molehunt.console.studies import _how_to_go_on, version_of_numbers
from molehunt.core.errors import MolehuntError
from molehunt.studies.study import Report

WORDS = ("study", "krisnadi2019", "--games", "150", "--seed", "3", "--threads", "1")
LONG = ("study", "krisnadi2019", "--games", "1200", "--seed", "3", "--threads", "1")
"""What is still played after some seconds."""


def rows(file: Path) -> Any:
    return json.loads(file.read_bytes())["rows"]


def kept(store: Path) -> int:
    """How many pieces are in a store into which a study is being played."""
    if not (store / RESULTS).exists():
        return 0
    try:
        with open_for_reading(store, (PIECES,)) as base:
            found = base.execute("SELECT count(*) FROM pieces").fetchone()
    except MolehuntError:
        return 0
    return int(found[0]) if found else 0


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("whole") / "rows.json"
    assert call(*WORDS, "--json", str(file)).status == 0
    return rows(file)


def test_after_a_change_of_rules_or_players_a_new_store_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    with monkeypatch.context() as before:
        before.setattr("molehunt.core.made.rules_and_players", lambda: "earlier")
        with open_pieces(store, version_of_numbers()):
            pass
    refused = call("study", "hansen2019", "--games", "1", "--store", str(store))
    assert refused.status == 2 and "its numbers might be others" in " ".join(refused.err.split())


def test_ctrl_c_leaves_a_partial_report_and_the_same_command_goes_on(tmp_path: Path, whole: Any) -> None:
    store, part, file = tmp_path / "store", tmp_path / "part.json", tmp_path / "rows.json"
    with subprocess.Popen(
        command(*WORDS, "--store", store, "--json", part),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as running:
        # Until something is kept.
        until = time.monotonic() + 120
        while time.monotonic() < until and kept(store) < 9:
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 1 and "Traceback" not in err
    assert "what was played is in" in err and "the same command goes on" in err
    said = re.search(r"krisnadi2019 lacks (\d+) cells?: ", err)
    assert said
    if part.exists():
        report = json.loads(part.read_bytes())
        assert "stopped; what is finished stands above" in err and "published cells agree" in out.replace("\n", " ")
        judged = ("claim/", "change/")  # by several cells
        cells = [row for row in whole if not row["id"].startswith(judged)]
        played = [row for row in report["rows"] if not row["id"].startswith(judged)]
        assert len(report["missing"]) == int(said[1]) and len(report["missing"]) + len(played) == len(cells)
        assert all(row in cells for row in played)
    made = call(*WORDS, "--store", str(store), "--json", str(file))
    assert made.status == 0 and "pieces of work are there" in made.err
    assert rows(file) == whole and "missing" not in json.loads(file.read_bytes())
    made = call("results", str(store), "--verify")
    assert made.status == 0 and made.out.endswith("All is as it was written.\n")
    with duckdb.connect(str(store / RESULTS)) as base:
        base.execute("UPDATE pieces SET result = 'x'::BLOB WHERE piece = (SELECT min(piece) FROM pieces)")
    made = call("results", str(store), "--verify")
    assert made.status == 1 and "is not what its hash says" in made.out


@pytest.mark.thorough
def test_killed_at_random_moments_it_ends_with_the_same_rows(tmp_path: Path) -> None:
    store, file = tmp_path / "store", tmp_path / "rows.json"
    chance = random.Random(1)
    for _ in range(4):
        with subprocess.Popen(
            command(*LONG, "--store", store), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment()
        ) as running:
            time.sleep(chance.uniform(0.5, 4.0))
            running.kill()
    made = call(*LONG, "--store", str(store), "--json", str(file))
    whole = call(*LONG, "--json", "-")
    assert made.status == 0 and rows(file) == json.loads(whole.out)["rows"]


def test_a_store_is_of_studies_or_of_a_tournament(tmp_path: Path) -> None:
    store, file = tmp_path / "store", tmp_path / "t.toml"
    file.write_text('name = "t"\ngame = "saboteur/krisnadi"\nseats = 3\nplayers = ["random"]\ndeals = 2\n')
    assert call("study", "kingston2017", "--games", "2", "--store", str(store)).status == 0
    made = call("results", str(store))
    assert made.status == 2 and "holds no tournament but what was played of studies" in made.err
    other = tmp_path / "cup"
    assert call("tournament", str(file), "--store", str(other)).status == 0
    made = call("study", "kingston2017", "--games", "2", "--store", str(other))
    assert made.status == 2 and "is the store of a tournament; give a study a folder of its own" in made.err
    made = call("tournament", str(file), "--store", str(store))
    assert made.status in (1, 2) and str(store) in made.err and "internal" not in made.err


@pytest.mark.parametrize(
    ("missing", "said"),
    [(["table5/2+3"], "cai2020 lacks 1 cell: table5/2+3"), (["a", "b"], "cai2020 lacks 2 cells: a, b")],
)
def test_how_many_cells_a_stopped_study_lacks_is_said_of_one_and_of_many(
    missing: list[str], said: str, tmp_path: Path
) -> None:
    stopped = Report(study="cai2020", seconds=1.0, rows=[], missing=missing)
    assert _how_to_go_on(stopped, 0, "cai2020", tmp_path).splitlines() == [
        "stopped before any cell was finished",
        said,
        f"what was played is in {tmp_path}: the same command goes on",
    ]
