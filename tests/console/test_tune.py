"""`molehunt tune`: what it prints and writes, what it refuses, and that a killed search goes on."""

from __future__ import annotations

import json
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("optuna")

from cli.calling import PLAYERS, call, command, environment
from molehunt import __version__
from molehunt.arena.tuning import search
from molehunt.arena.tuning.search import run_batch
from molehunt.core.errors import AgentFailure

TUNE = ("tune", "decision-2019", "--against", "decision-2019", "--role", "saboteur", "--seats", "4")
SHORT = (*TUNE, "--space", "d_delta=-3..1,d_mu=-1..6", "--games", "128", "--trials", "8")


def test_the_result_can_be_typed_and_is_written(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    page, file, store = (tmp_path / name for name in ("page.html", "result.json", "search.journal"))
    made = call(*SHORT, "--seed", "3", "--json", str(file), "--report", str(page), "--store", str(store))
    assert made.status == 0, made.err
    result = json.loads(file.read_bytes())
    assert f"Best:    {result['best']}" in made.out
    assert ("Better than the default" if result["better"] else "No better than the default.") in made.out
    assert result["difference"]["deals"] == 512 and result["difference"]["seed"] == 5
    assert [len(result["trials"]), result["seed"], result["games"], result["version"]] == [8, 3, 128, __version__]
    assert result["space"] == "d_delta=-3..1,d_mu=-1..6"
    text = page.read_text("utf-8")
    assert result["best"] in text and "molehunt tune decision-2019 --space" in text
    assert text.count("<svg") >= 6 and "http" not in text.replace("http://www.w3.org", "")
    again = call(*SHORT, "--seed", "3", "--store", str(store), "--json", "-")
    assert json.loads(again.out)["difference"] == result["difference"]


PICKY = """
import dataclasses

import molehunt


@dataclasses.dataclass
class Picky(molehunt.Player):
    x: float = molehunt.parameter(0.5, "a share", low=0.0, high=1.0)

    def __post_init__(self):
        if self.x > 0.8:
            raise ValueError("x is too much")

    def choose(self, view):
        return view.legal_actions[0]
"""


@pytest.mark.parametrize(
    "words", [("tune", "picky", "--space", "x=0..1", "--against", "random"), ("agents", "picky:x=1")]
)
def test_a_player_that_cannot_be_made_with_a_value_is_named(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was called an internal error, to be reported."""
    monkeypatch.chdir(tmp_path)
    Path("picky.py").write_text(PICKY)
    game = ("--game", "speed_clue/mitchell") if words[0] == "tune" else ()
    made = call(*words, *game, "--agents-from", "picky.py")
    assert (made.status, made.out) == (1, "")
    assert made.err == "molehunt: picky cannot be made with x=1: ValueError: x is too much (picky.py:13)\n"


@pytest.mark.parametrize("keep", [False, True])
def test_a_search_in_which_a_player_fails_shows_what_its_races_found(
    keep: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it was lost: one line said who had failed."""

    def fail_in_the_second(*arguments: Any) -> Any:
        if arguments[2]:
            raise AgentFailure("moody failed in choose: ValueError: no")
        return run_batch(*arguments)

    monkeypatch.setattr(search, "run_batch", fail_in_the_second)
    store = tmp_path / "search.journal"
    made = call(*SHORT[:-1], "16", *(["--store", str(store)] if keep else []))
    assert made.status == 1
    assert "The best of the races" in made.out and "decision-2019:d_delta=" in made.out
    kept = f" and are kept in {store}" if keep else ""
    assert made.err.endswith(
        f"moody failed in choose: ValueError: no; 8 candidates had raced until then{kept}, which no fresh deals have confirmed\n"
    )


def test_it_says_when_nothing_is_better() -> None:
    made = call(*TUNE, "--space", "map_useless=-9..-4", "--games", "128", "--trials", "1")
    assert (made.status, made.err.strip()) == (0, "")
    assert "8 candidates" in made.out
    assert made.out.rstrip().endswith("No better than the default.")


def test_where_all_candidates_play_alike_no_interval_is_told(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    page = tmp_path / "page.html"
    made = call(*TUNE, "--space", "map_useless=-9..-8", "--games", "128", "--trials", "1", "--report", str(page))
    assert made.status == 0, made.err
    assert "Best above default on 512 fresh deals, seed 2: the same score in every deal." in made.out
    assert "+0.0 to +0.0" not in made.out and made.out.rstrip().endswith("No better than the default.")
    assert "∞" in page.read_text("utf-8") and "0.000 to 0.000" not in page.read_text("utf-8")


def test_a_candidate_that_is_proposed_more_than_once_is_shown_once() -> None:
    made = call(*TUNE, "--space", "d_phi=2|3", "--games", "128", "--trials", "8")
    assert made.status == 0 and "8 candidates (2 different), " in made.out
    rows = [line.split("│")[1].strip() for line in made.out.splitlines() if line.startswith("│")]
    assert rows and len(rows) == len({*rows})


def test_on_80_columns_a_candidate_breaks_between_its_numbers() -> None:
    made = call(*TUNE, "--space", "d_delta=-1..1,map_useless=-9..-4", "--games", "128", "--trials", "1", columns=80)
    alike = ("the same score in every", "deal", "the same score in every deal")
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in made.out.splitlines() if line.startswith("│")]
    assert made.status == 0 and rows
    for candidate, gap, deals in rows:
        assert re.fullmatch(r"(decision-2019:)?(\w+=-?[\d.e-]+,?)*", candidate), candidate
        assert gap in alike or re.fullmatch(r"(\S+ points ?)?(\(\S+ to \S+\))?", gap), gap
        assert re.fullmatch(r"[\d,]*", deals)


def test_a_search_that_is_stopped_shows_what_its_races_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_arguments: Any) -> Any:
        batches.append(1)
        if len(batches) > 1:
            raise KeyboardInterrupt
        return run_batch(*_arguments)

    batches: list[int] = []
    monkeypatch.setattr(search, "run_batch", stop)
    made = call(*SHORT[:-1], "24")
    assert made.status == 1 and "The best of the races" in made.out and "decision-2019:d_delta=" in made.out
    assert "stopped after 8 candidates, which no fresh deals have confirmed; nothing was kept (no --store)" in made.err
    assert call(*SHORT, "--json", "-").out == ""


SPENDER = """
from dataclasses import dataclass
import molehunt

@dataclass
class Spender(molehunt.Player):
    game = "duel"
    kept: int = molehunt.parameter(0, "the move that it makes, counted from the last", low=0, high=3)

    def choose(self, view):
        return view.legal_actions[max(len(view.legal_actions) - 1 - self.kept, 0)]
"""


def test_a_player_of_a_file_is_tuned_by_the_fields_that_are_parameters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for stage in ("FINAL_TIMES", "CONFIRM_TIMES"):  # no longer than a race: a player in Python is slow
        monkeypatch.setattr(f"molehunt.console.tune.{stage}", 1)
    mine, store = tmp_path / "mine.py", tmp_path / "search.journal"
    mine.write_text(SPENDER)
    words = ("tune", "spender", "--agents-from", str(mine), "--against", "random", "--games", "128", "--trials", "8")
    made = call(*words, "--space", "all", "--store", str(store), "--json", "-")
    assert made.status == 0, made.err
    found = json.loads(made.out)
    assert (found["agent"], found["game"], found["space"]) == ("spender", "duel", "kept=0..3")
    assert {trial["agent"] for trial in found["trials"]} <= {"spender", *(f"spender:kept={kept}" for kept in (1, 2, 3))}
    mine.write_text(SPENDER + "# another\n")
    refused = call(*words, "--space", "all", "--store", str(store))
    assert refused.status == 2
    assert "search.journal holds another search: it was begun with another mine.py, and each candidate" in refused.err
    assert "put the old one away and call the same command" in refused.err
    more = tmp_path / "more.py"
    more.write_text(PLAYERS)
    refused = call(*words, "--space", "all", "--store", str(store), "--agents-from", str(more))
    assert "it was begun with other files than mine.py and more.py" in refused.err
    mine.write_text(PLAYERS)
    refused = call("tune", "first", "--game", "duel", *words[2:], "--space", "all")
    assert refused.status == 2 and "first has no parameters, so there is nothing to tune" in refused.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tune", "decision-2019", "--against", "random"), "--space"),
        (("tune", "decision-2019", "--space", "d_b=0..5"), "--against"),
        (("tune", "nobody", "--against", "random", "--space", "all"), "unknown agent 'nobody'"),
        (("tune", "random", "--against", "random", "--space", "all"), "several games have a player random; say which"),
        (("tune", "random", "--game", "duel", "--against", "random", "--space", "all"), "random has no parameters"),
        (("tune", "exact", "--game", "duel", "--against", "random", "--space", "all"), "unknown agent of duel 'exact'"),
        ((*TUNE, "--space", "all"), "decision-2019 says no range for d_delta"),
        ((*TUNE, "--space", "d_x=0..5"), "unknown parameter of decision-2019 'd_x'"),
        ((*TUNE, "--space", "none.toml"), "cannot read the space none.toml"),
        ((*TUNE, "--space", "d_b=0..5", "--games", "20"), "--games must be 128 to"),
        ((*TUNE, "--space", "d_b=0..5", "--trials", "0"), "--trials must be 1 to"),
        ((*TUNE, "--space", "d_b=0..5", "--over", "best"), "(known: mean, worst)"),
        ((*TUNE, "--space", "d_b=0..5", "--seats", "2"), "seats"),
        ((*TUNE, "--space", "d_b=0..5", "--against", "miner:random"), "not the candidate's"),
        ((*TUNE, "--space", "d_b=0..5", "--store", "none/here"), "there is no folder none"),
        ((*TUNE, "--space", "d_b=0..5", "--store", "-"), "need the name of a file"),
        (("tune", "decision-2019:d_b=many", "--against", "random", "--space", "d_0=0..5"), "d_b must be a number"),
    ],
)
def test_a_wrong_call_is_refused_before_any_work(words: tuple[str, ...], said: str) -> None:
    made = call(*words)
    assert (made.status, made.out) == (2, "")
    assert said in " ".join(made.err.split())


@pytest.mark.thorough
def test_a_killed_search_goes_on_to_the_same_end(tmp_path: Path) -> None:
    store = tmp_path / "search.journal"
    words = (*SHORT[:-1], "16", "--seed", "1")
    with subprocess.Popen(command(*words, "--store", store), env=environment(), stdout=subprocess.DEVNULL) as running:
        give_up = time.monotonic() + 200
        while (not store.exists() or store.read_bytes().count(b'"dropped"') < 8) and time.monotonic() < give_up:
            time.sleep(0.01)
        running.kill()
    kept = store.read_bytes().count(b'"dropped"')
    resumed = json.loads(call(*words, "--store", str(store), "--json", "-").out)
    through = json.loads(call(*words, "--json", "-").out)
    assert kept >= 8
    for same in ("best", "difference", "each", "finalists", "importance", "trials"):
        assert resumed[same] == through[same]
