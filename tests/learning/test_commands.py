"""What the commands say where something is missing or wrong, without PyTorch too."""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from agents.untrained import random_network
from molehunt.agents.registry import Agents
from molehunt.cli import main
from molehunt.console.results import rows_of
from molehunt.core.errors import BadInput
from molehunt.core.game import Game
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.learning.definition import TrainingText, parse_training
from molehunt.learning.run import game_of, identity_of
from molehunt.learning.seating import learner_of
from molehunt.learning.store import TrainingStore
from web import cups

GOOD = 'game = "duel/mcgill"\nsteps = 100\n'


@pytest.fixture
def no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)


def test_without_the_library_they_name_the_extra(
    no_torch: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.toml"
    file.write_text(GOOD)
    for call in (["train", str(file)], ["exploit", "decision-2019"]):
        assert main(call) == 1
        assert "pip install 'molehunt[learn]'" in capsys.readouterr().err


def test_a_game_that_cannot_be_learned_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    with cups.installed():
        assert main(["exploit", "peeker"]) == 2
        assert "cups has no compiled rules" in capsys.readouterr().err
        nameless: Any = SimpleNamespace(name="cups")
        with pytest.raises(BadInput, match=r"cups has no learned player yet \(one called 'learned'\)"):
            learner_of(nameless)


def test_a_game_in_which_all_win_together_is_not_learned_and_it_is_said_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def together(*asked: Any) -> Game:
        game = make_game(*asked)
        object.__setattr__(game, "together", True)
        return game

    monkeypatch.setattr("molehunt.learning.run.make_game", together)
    assert main(["exploit", "decision-2019"]) == 2
    assert "all win saboteur together, and learners play for what they win over" in capsys.readouterr().err


def test_a_stopped_command_says_where_the_player_was_thinking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "thinker.py"
    file.write_text(
        "import molehunt\n\n\nclass Thinker(molehunt.Player):\n    def choose(self, view):\n        raise KeyboardInterrupt\n"
    )

    def exploited(text: TrainingText, agent: str, *_: Any) -> None:
        game = game_of(text)
        play(game, [Agents(game.name).make(agent)] * game.seats, game_seeds(0, 0, 1))

    monkeypatch.setattr("molehunt.console.exploit.exploit", exploited)
    assert main(["exploit", "thinker", "--game", "duel/mcgill", "--agents-from", str(file)]) == 1
    said = capsys.readouterr().err.splitlines()
    assert said == [f"A player was thinking at {file}:6, in choose.", "molehunt: stopped; nothing was kept"]


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        (["train", "nowhere.toml"], "cannot read nowhere.toml"),
        (["train", "{file}", "--steps", "0"], "--steps must be 1"),
        (["train", "{file}", "--threads", "0"], "--threads must be 1"),
        (["train", "{file}", "--weights", "-"], "--weights and --report need"),
        (["train", "{file}", "--device", "gpu"], "PyTorch cannot compute on 'gpu'"),
        (["train", "{strange}"], "unknown agent of duel 'nobody'"),
        (["train", "{league}"], "unknown agent of duel 'nobody'"),
        (["train", "{started}"], "nowhere.npz"),
        (["exploit", "nobody"], "unknown agent 'nobody' (known: "),
        (["exploit", "decision-2018"], "unknown agent 'decision-2018'; did you mean 'decision-2019'?"),
        (["exploit", "random"], "say with --game"),
        (["exploit", "decision-2019", "--role", "thief"], "unknown role"),
        (["exploit", "greedy-2020", "--role", "miner"], "duel has no roles, so leave --role out"),
        (["exploit", "decision-2019", "--games", "1"], "--games must be 2"),
        (["exploit", "decision-2019", "--learners", "0"], "--learners must be 1"),
        (["exploit", "decision-2019", "--batch", "0"], "--batch must be 1"),
        (["exploit", "greedy-2020", "--draw", "-2"], "--draw must be -1 to 1"),
        (["exploit", "decision-2019", "--reward", "gold"], "--reward"),
        (["exploit", "decision-2019", "--also", "nobody"], "unknown agent"),
        (["exploit", "decision-2019", "--game", "saboteur/official", "--role", "miner"], "rounds=1"),
        (["exploit", "greedy-2020", "--history", "33"], "--history must be 0 to 32, not 33"),
        (["exploit", "greedy-2020", "--beliefs"], "can be told no beliefs"),
    ],
)
def test_a_wrong_call_is_answered_with_what_would_be_right(
    call: list[str], wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], no_torch: None
) -> None:
    file = tmp_path / "run.toml"
    file.write_text(GOOD)
    files = {"{file}": file}
    for name, lines in (
        ("strange", "[opponents]\nnobody = 1\n"),
        ("league", '[league]\nagainst = ["nobody"]\n'),
        ("started", 'start = "nowhere.npz"\n'),
    ):
        files[f"{{{name}}}"] = tmp_path / f"{name}.toml"
        files[f"{{{name}}}"].write_text(GOOD + lines)
    assert main([str(files.get(word, word)) for word in call]) == 2
    assert wrong in capsys.readouterr().err


def test_results_of_a_run_are_its_league_and_how_far_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    with TrainingStore(folder, identity_of(parse_training(GOOD))) as store:
        store.note_curve(3, 60, 12, {"margin": 0.25})
        store.note_league((3, 60, "greedy-2020", 10, 0.5, 0.25, 0.75, 7))
        store.save(b"", random_network((1, 1)))
    assert main(["results", str(folder)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "greedy-2020" in said and "70.0 %" in said and "60 of 100 decisions, 3 updates, 12 games" in said
    assert main(["results", str(folder), "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["steps"], told["run"]["game"]) == (60, "duel/mcgill")
    assert told["league"][0]["opponent"] == "greedy-2020"
    assert main(["results", str(folder), "--sql", "SELECT value FROM curve"]) == 0
    assert "0.25" in capsys.readouterr().out
    for question in (["--ask", "cross"], ["--records", str(tmp_path / "records")], ["--verify"]):
        assert main(["results", str(folder), *question]) == 2
        assert "training run" in capsys.readouterr().err


def test_a_run_of_one_update_and_one_game_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with TrainingStore(tmp_path / "run", identity_of(parse_training(GOOD))) as store:
        store.note_curve(1, 60, 1, {"margin": 0.25})
        store.save(b"", random_network((1, 1)))
    assert main(["results", str(tmp_path / "run")]) == 0
    assert "decisions, 1 update, 1 game." in " ".join(capsys.readouterr().out.split())


def test_a_question_that_takes_long_ends_at_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")

    def ctrl_c(answer: Future[Any]) -> None:
        time.sleep(0.2)
        assert not answer.done()
        raise KeyboardInterrupt

    monkeypatch.setattr(Future, "result", ctrl_c)
    began = time.monotonic()
    with duckdb.connect() as base, pytest.raises(KeyboardInterrupt):
        rows_of(base, "SELECT sum(a.range * b.range) FROM range(1000000) a, range(100000) b")
    assert time.monotonic() - began < 60


def test_of_one_game_a_league_knows_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    from molehunt.console.train import print_league
    from molehunt.learning.run import mean_of

    said: list[Any] = []
    monkeypatch.setattr("molehunt.console.train.out.print", said.append)
    print_league([(25, 1000, "random", 1, *mean_of(np.array([0.5])), 1), (25, 1000, "random", 2, 0.5, 0.25, 0.75, 1)])
    assert list(said[0].columns[4].cells) == ["unknown", "0.250 to 0.750"]


def test_few_games_tell_an_interval_that_keeps_its_promise() -> None:
    from molehunt.learning.run import mean_of

    told = [mean_of(values) for values in np.random.default_rng(5).normal(0.3, 1.0, (4000, 4))]
    held = np.mean([low <= 0.3 <= high for _, low, high in told])
    assert 0.935 < held < 0.965
