"""Training itself, where PyTorch is installed: it learns, it can be killed, and the same file gives the same player."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from molehunt import __version__
from molehunt.agents.networks import load, to_bytes
from molehunt.arena.databases import RESULTS, TRAINING, connect, open_for_reading
from molehunt.arena.workers import open_workers
from molehunt.cli import main
from molehunt.core.errors import BadInput, MolehuntError
from molehunt.core.match import play
from molehunt.core.streams import MAX_SEED, game_seeds
from molehunt.core.words import counted
from molehunt.learning import ppo
from molehunt.learning.definition import TrainingText, parse_training
from molehunt.learning.exploit import exploit, training_of
from molehunt.learning.run import Run, identity_of
from molehunt.learning.store import CHECKPOINT, WEIGHTS, TrainingStore
from molehunt.studies.report_curve import Curve, Point, draw_curves

SMALL = """
game = "saboteur/small"
seats = 2
steps = 3000
seed = 3
opponents = { "decision-2019" = 1, self = 1, past = 1 }
past_every = 1
save_every = 2
[network]
width = 16
joint = 8
[ppo]
games = 200
minibatch = 64
magnet = [0.05, 0.0]
[league]
against = ["decision-2019"]
games = 40
every = 3
"""


def needs_torch() -> None:
    pytest.importorskip("torch")


@pytest.fixture(scope="module")
def text() -> TrainingText:
    needs_torch()
    return parse_training(SMALL)


def test_the_same_file_gives_the_same_player_and_another_seed_another(text: TrainingText) -> None:
    first, again = Run(text).train(), Run(text).train()
    assert first.network.flat().tobytes() == again.network.flat().tobytes()
    assert first.curve == again.curve and first.league == again.league and first.league
    other = Run(parse_training(SMALL.replace("seed = 3", "seed = 4"))).train()
    assert other.network.flat().tobytes() != first.network.flat().tobytes()


def test_it_learns_from_updates_with_one_decision_or_none() -> None:
    needs_torch()
    quick = """
game = "speed_clue/small"
steps = 100
opponents = { basic = 1 }
[network]
width = 8
joint = 4
[ppo]
games = 1
magnet_every = 1
"""
    run = Run(parse_training(quick))
    rows = set()
    for _ in range(30):
        run.update()
        rows.add(run.rollout.rows)
        assert np.isfinite(run.network().flat()).all()
    assert {0, 1, 2} <= rows
    assert all(np.isfinite(value) for *_, value in run.curve)
    assert run.learner.updates == 30 == sum(name == "margin" for *_, name, _ in run.curve)


def test_any_seed_that_is_allowed_can_be_learned_with() -> None:
    needs_torch()
    quick = "game = 'duel/mcgill'\nsteps = 100\nseed = {}\nnetwork = {{width = 8, joint = 4}}\nppo = {{games = 4}}"
    runs = [Run(parse_training(quick.format(seed))) for seed in (MAX_SEED, MAX_SEED, MAX_SEED - 1)]
    first, again, other = (run.train().network.flat().tobytes() for run in runs)
    assert first == again != other


def test_a_run_that_ends_before_its_horizon_is_the_beginning_of_a_longer_one(text: TrainingText) -> None:
    longer = Run(text)
    longer.update()
    longer.update()
    steps = longer.steps
    cut = parse_training(SMALL.replace("steps = 3000", f"steps = {steps}\nhorizon = 3000"))
    assert Run(cut).train().network.flat().tobytes() == longer.network().flat().tobytes()


def test_games_are_the_same_on_more_threads(text: TrainingText) -> None:
    alone, two = Run(text), Run(text, threads=2)
    for games in (400, 300):  # the second time in memory that was used before
        for run in (alone, two):
            run.collect(run.seating.lots(run.kind.of(run.network(), 1.0), [], games, games, 1))
        assert alone.rollout.rows == two.rollout.rows and alone.rollout.margins == two.rollout.margins
        assert (alone.rollout.numbers[: alone.rollout.rows] == two.rollout.numbers[: two.rollout.rows]).all()
        assert (alone.rollout.positions[: alone.rollout.rows] == two.rollout.positions[: two.rollout.rows]).all()


def test_workers_play_the_games_of_one_thread(text: TrainingText) -> None:
    with open_workers(2) as workers:
        spread = Run(text, workers=workers).train()
    alone = Run(text).train()
    assert spread.network.flat().tobytes() == alone.network.flat().tobytes() and spread.curve == alone.curve


def test_two_threads_learn_what_one_learns_but_for_rounding(
    text: TrainingText, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, few, two, again = Run(text), Run(text, threads=2), Run(text, threads=2), Run(text, threads=2)
    few.update()  # a minibatch of 64 is not worth a second thread
    monkeypatch.setattr(ppo, "LEAST_PART", 32)
    for run in (alone, two, again):
        run.update()
    assert alone.network().flat().tobytes() == few.network().flat().tobytes() != two.network().flat().tobytes()
    assert two.network().flat().tobytes() == again.network().flat().tobytes()
    assert np.allclose(alone.network().flat(), two.network().flat(), atol=1e-4)
    told = [{name: value for *_, name, value in run.curve} for run in (alone, two)]
    assert told[0].keys() == told[1].keys()
    assert all(abs(value - told[1][name]) < 1e-3 for name, value in told[0].items())


def test_the_compiled_player_has_the_chances_that_torch_learns_with(text: TrainingText) -> None:
    from molehunt.learning.collecting import EXPECTED, LOG
    from molehunt.learning.ppo import Batch

    run = Run(text)
    run.train()
    run.collect(run.seating.lots(run.kind.of(run.network(), 1.0), [], 0, 50, 1))
    piece = Batch(run.torch, run.rollout, run.learner.device).piece(run.torch.arange(run.rollout.rows))
    logs, values = run.learner._answers(run.learner.tensors, piece)
    numbers = run.rollout.numbers[: run.rollout.rows]
    assert np.allclose(logs[piece.chosen].detach().numpy(), numbers[:, LOG], atol=1e-4)
    assert np.allclose(values.detach().numpy(), numbers[:, EXPECTED], atol=1e-4)


def test_a_run_that_was_stopped_goes_on_as_if_nothing_had_been(text: TrainingText, tmp_path: Path) -> None:
    straight = Run(text).train()

    class Killed(Exception):
        """The process is gone."""

    def kill_after(updates: int) -> Any:
        left = [updates]

        def tell(done: int, total: int) -> None:
            left[0] -= 1
            if not left[0]:
                raise Killed

        return tell

    for updates in (1, 3, 2):
        with pytest.raises(Killed), TrainingStore(tmp_path / "run", identity_of(text)) as store:
            Run(text, store).train(kill_after(updates))
    with TrainingStore(tmp_path / "run", identity_of(text)) as store:
        run = Run(text, store)
        assert 0 < run.steps < text.steps
        gone_on = run.train()
    assert gone_on.network.flat().tobytes() == straight.network.flat().tobytes()
    assert gone_on.league == straight.league
    assert gone_on.curve == straight.curve
    assert load(tmp_path / "run" / WEIGHTS).flat().tobytes() == straight.network.flat().tobytes()
    with open_for_reading(tmp_path / "run", (TRAINING,)) as base:
        assert base.execute("SELECT count(DISTINCT updates) FROM curve").fetchone() == (straight.updates,)
        assert base.execute("SELECT count(*) FROM league").fetchone() == (len(straight.league),)


def tensors_in(torch: Any, value: Any) -> list[Any]:
    """All tensors in dicts and lists."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [tensor for each in value for tensor in tensors_in(torch, each)]
    return [value] if isinstance(value, torch.Tensor) else []


def test_what_is_stored_lies_on_the_cpu_and_so_does_what_is_read(
    text: TrainingText, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    class Elsewhere(torch.Tensor):  # type: ignore[misc,unused-ignore]
        """A tensor as on another device: what `cpu` gives is a plain one."""

        def cpu(self, *_: Any, **__: Any) -> Any:
            return self.as_subclass(torch.Tensor)

    run = Run(text)
    run.update()
    for kept in run.learner.optimizer.state.values():
        kept.update({name: tensor.as_subclass(Elsewhere) for name, tensor in kept.items()})
    run.learner.magnet = {name: tensor.as_subclass(Elsewhere) for name, tensor in run.learner.magnet.items()}
    stored = tensors_in(torch, run.learner.state())
    assert len(stored) == 5 * len(run.learner.tensors) and {type(tensor) for tensor in stored} == {torch.Tensor}

    with TrainingStore(tmp_path / "run", identity_of(text)) as store:
        first = Run(text, store)
        first.update()
        monkeypatch.setattr(torch.serialization, "location_tag", lambda _: "cuda:0")  # as where there is a GPU
        first.save()
        monkeypatch.undo()
        assert b"cuda:0" in (tmp_path / "run" / CHECKPOINT).read_bytes()
        assert Run(text, store).network().flat().tobytes() == first.network().flat().tobytes()


def test_products_in_bfloat16_learn_nearly_the_same_and_on_a_cpu_only_where_that_is_tried(text: TrainingText) -> None:
    ppo = msgspec.structs.replace(text.ppo, precision="bfloat16")
    plain, asked, tried = (Run(msgspec.structs.replace(text, ppo=each)) for each in (text.ppo, ppo, ppo))
    assert not asked.learner.in_bfloat16 and identity_of(asked.text) != identity_of(text)
    assert "precision" not in identity_of(text)
    tried.learner.in_bfloat16 = True
    for run in (plain, asked, tried):
        run.update()
    weights = [run.network().flat() for run in (plain, asked, tried)]
    assert weights[0].tobytes() == weights[1].tobytes() != weights[2].tobytes()
    assert np.corrcoef(weights[0], weights[2])[0, 1] > 0.999
    assert {name: value.dtype for name, value in tried.learner.tensors.items()} == dict.fromkeys(
        tried.learner.tensors, tried.torch.float32
    )


def test_a_run_does_not_go_on_with_other_rules_or_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, identity = tmp_path / "run", identity_of(parse_training(SMALL))
    with monkeypatch.context() as before:
        before.setattr("molehunt.learning.store.rules_and_players", lambda: "earlier")
        for _ in range(2):
            with TrainingStore(folder, identity):
                (folder / WEIGHTS).touch()
    said = f"was begun with other rules and players .* start = .{folder}/weights.safetensors"
    with pytest.raises(BadInput, match=said), TrainingStore(folder, identity):
        pass
    # A store that does not say with which it was begun.
    with connect(folder / RESULTS) as base:
        base.execute("DROP TABLE rules_and_players")
    with pytest.raises(BadInput, match=said), TrainingStore(folder, identity):
        pass


def test_a_folder_of_another_run_or_of_other_things_is_refused(text: TrainingText, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with TrainingStore(folder, identity_of(text)) as store:
        with pytest.raises(BadInput, match="another process"), TrainingStore(folder, identity_of(text)):
            pass
        Run(text, store).save()
    with (
        pytest.raises(BadInput, match=r'game is "saboteur/small" there and left out here, .* and .* more'),
        TrainingStore(folder, "{}"),
    ):
        pass
    longer = msgspec.structs.replace(text, steps=5000, ppo=msgspec.structs.replace(text.ppo, games=300))
    said = "holds another run: steps is 3000 there and 5000 here, ppo.games is 200 there and 300 here; give this one"
    with pytest.raises(BadInput, match=said), TrainingStore(folder, identity_of(longer)):
        pass
    with pytest.raises(BadInput, match="there is no folder"), TrainingStore(tmp_path / "no" / "run", "{}"):
        pass
    other = tmp_path / "letters"
    other.mkdir()
    (other / "letter").write_text("dear")
    with pytest.raises(BadInput, match="other things"), TrainingStore(other, identity_of(text)):
        pass


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        (CHECKPOINT, b"torn", r"the checkpoint in .*run is damaged \(\w+\)"),
        (RESULTS, b"torn", r"run/results.duckdb cannot be opened: IO Error: .*"),
        (RESULTS, None, "run/results.duckdb is missing"),
    ],
)
def test_a_damaged_run_says_what_is_left_of_it(
    text: TrainingText, tmp_path: Path, file: str, content: bytes | None, said: str
) -> None:
    folder = tmp_path / "run"
    with TrainingStore(folder, identity_of(text)) as store:
        Run(text, store).save()
    (folder / file).unlink()
    if content is not None:
        (folder / file).write_bytes(content)
    left = "; this run cannot go on, so give it a new folder; the network that was saved last is .*run/weights.safetensors, "
    with pytest.raises(MolehuntError, match=said + left), TrainingStore(folder, identity_of(text)) as store:
        Run(text, store)
    with TrainingStore(tmp_path / "fresh", identity_of(text)) as store:
        assert Run(msgspec.structs.replace(text, start=str(folder / WEIGHTS)), store).steps == 0


@pytest.mark.parametrize("itself", ["self", "past"])
def test_in_the_league_a_learner_does_not_play_against_itself(text: TrainingText, itself: str) -> None:
    league = msgspec.structs.replace(text.league, against=["decision-2019", itself])
    with pytest.raises(BadInput, match="against names other players"):
        Run(msgspec.structs.replace(text, league=league))


def test_the_command_writes_what_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_torch()
    file = tmp_path / "run.toml"
    file.write_text(SMALL)
    weights, report = tmp_path / "mine.safetensors", tmp_path / "run.html"
    call = [
        "train",
        str(file),
        "--steps",
        "800",
        "--threads",
        "2",
        "--weights",
        str(weights),
        "--report",
        str(report),
        "--json",
        "-",
    ]
    assert main(call) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["steps"] >= 800 and told["league"][0]["opponent"] == "decision-2019"
    assert {row["name"] for row in told["curve"]} >= {"margin", "entropy", "kl", "explained"}
    page = report.read_text("utf-8")
    assert page.count("<svg") >= 5
    plots = set(re.findall(r'aria-label="Plot: ([^"]*)"', page))
    assert f"{counted(told['updates'], 'update')}, entropy over millions of decisions." in plots
    assert "decision-2019 over millions of decisions." in plots  # the table has the last measurement alone
    assert "candidates" not in page
    assert f"molehunt train {file} --steps 800 --threads 2</code>" in page
    assert "as many threads" in page and "any number of threads" not in page
    assert main(["train", str(file), "--steps", "1", "--store", str(tmp_path / "run")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "An update learns from whole games, 200 of them (games in [ppo]), so no run learns from fewer." in said
    assert main(["train", str(file), "--steps", "1", "--store", str(tmp_path / "run")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert re.search(r"The run was over: [\d,]+ decisions were learned from, in 1 update\.$", said)
    match = ["arena", "saboteur/small", "--seats", f"learned:weights={weights},decision-2019", "--games", "10"]
    assert main(match) == 0
    assert "learned" in capsys.readouterr().out


def test_what_was_measured_once_is_seen_on_the_page() -> None:
    pytest.importorskip("matplotlib")
    once = Curve("decision-2019", (Point(0.05, -0.3, -0.4, -0.2),))
    twice = Curve("decision-2019", (*once.points, Point(0.1, -0.2, -0.3, -0.1)))
    drawn, line = (draw_curves([curve], "millions of decisions", 450, "key") for curve in (once, twice))
    marks = [len(re.findall(r'<use [^>]*style="fill: var\(--measured\)"', svg)) for svg in (drawn, line)]
    assert marks == [1, 0]


def test_the_numbers_below_a_curve_stand_in_their_order_also_for_who_hears_them() -> None:
    pytest.importorskip("matplotlib")
    curve = Curve("decision-2019", tuple(Point(x, -0.3, -0.4, -0.2) for x in (0.05, 1.25, 12.5, 30.75)))
    svg = draw_curves([curve], "millions of decisions", 450, "key")
    assert re.findall(r">(0\.05|1\.25|12\.5|30\.75)</text>", svg) == ["0.05", "1.25", "12.5", "30.75"]


@pytest.mark.parametrize(
    "stopped",
    [KeyboardInterrupt(), RuntimeError("Query interrupted")],  # the second is DuckDB's, to which the Ctrl-C went
    ids=["anywhere", "while it is saved"],
)
def test_who_stops_a_run_is_told_how_it_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, stopped: BaseException
) -> None:
    needs_torch()
    file, store = tmp_path / "run.toml", tmp_path / "run"
    file.write_text(SMALL)

    def stop(run: Run) -> None:
        raise stopped

    monkeypatch.setattr(Run, "update", stop)
    assert main(["train", str(file), "--store", str(store)]) == 1
    told = " ".join(capsys.readouterr().err.split())
    assert f"the same command goes on: molehunt train {file} --store {store}" in told
    assert main(["train", str(file)]) == 1
    assert "nothing was kept (no --store)" in " ".join(capsys.readouterr().err.split())


def test_a_learner_may_be_told_beliefs_where_there_are_some(text: TrainingText) -> None:
    plain, told = Run(text), Run(msgspec.structs.replace(text, beliefs=True))
    assert told.shape[0] > plain.shape[0] and told.shape[2] > plain.shape[2]
    assert identity_of(told.text) != identity_of(plain.text) and "beliefs" not in identity_of(plain.text)
    network = told.train().network
    game = told.game
    agent, plain_agent = told.kind.of(network, 0.0), plain.kind.of(plain.train().network, 0.0)
    found = [play(game, [each] * 2, game_seeds(5, 0, 40), keep_actions=True).actions for each in (agent, plain_agent)]
    assert found[0] != found[1]
    with pytest.raises(BadInput, match="the learner of duel can be told no beliefs; leave the line out"):
        Run(parse_training('game = "duel/mcgill"\nsteps = 100\nbeliefs = true'))


def test_a_run_goes_on_from_weights_of_another(text: TrainingText, tmp_path: Path) -> None:
    told = msgspec.structs.replace(text, beliefs=True, seed=4)
    first = Run(told).train().network
    path = tmp_path / "first.safetensors"
    path.write_bytes(to_bytes(first))
    later = Run(msgspec.structs.replace(text, start=str(path)))
    assert later.network().flat().tobytes() == first.flat().tobytes()
    assert later.train().network.flat().tobytes() != first.flat().tobytes()
    with pytest.raises(
        BadInput,
        match=r"no weights for saboteur/small with 2 seats \(it has some for krisnadi with 4 or 5 seats and official with 5\)",
    ):
        Run(msgspec.structs.replace(text, start="learned"))
    plain = tmp_path / "plain.safetensors"
    plain.write_bytes(to_bytes(Run(text).network()))
    with pytest.raises(BadInput, match="are told none; leave the line out"):
        Run(msgspec.structs.replace(told, start=str(plain)))


def test_a_learner_may_be_told_the_last_moves_and_its_weights_say_so(text: TrainingText, tmp_path: Path) -> None:
    plain, told = Run(text), Run(msgspec.structs.replace(text, history=3))
    assert told.shape[0] > plain.shape[0] and told.shape[2] == plain.shape[2]
    assert identity_of(told.text) != identity_of(plain.text) and "history" not in identity_of(plain.text)
    network = told.train().network
    assert network.history == 3 and plain.network().history == 0
    path = tmp_path / "told.safetensors"
    path.write_bytes(to_bytes(network))
    later = Run(msgspec.structs.replace(text, start=str(path)))
    assert later.network().history == 3 and later.network().flat().tobytes() == network.flat().tobytes()
    assert all(
        each.history == 3 for each in (later.train().network, Run(text, None).kind.of(network, 0.0).network(later.game))
    )
    for other, held in ((2, path), (3, tmp_path / "plain.safetensors")):
        (tmp_path / "plain.safetensors").write_bytes(to_bytes(plain.network()))
        with pytest.raises(BadInput, match="of the last moves; leave the line out"):
            Run(msgspec.structs.replace(text, history=other, start=str(held)))


def test_the_first_of_those_that_exploit_a_player_goes_on_from_weights(text: TrainingText) -> None:
    runs = [
        training_of(msgspec.structs.replace(text, start="learned", beliefs=True), "random", {}, n) for n in range(2)
    ]
    assert [(run.start, run.beliefs) for run in runs] == [("learned", True), ("", True)]


def test_a_device_that_is_not_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_torch()
    file = tmp_path / "run.toml"
    file.write_text(SMALL)
    assert main(["train", str(file), "--device", "abacus"]) == 2
    assert "--device cpu is always there" in " ".join(capsys.readouterr().err.split())


def test_a_learner_against_one_player_is_told_beside_others_and_the_exact_number(
    capsys: pytest.CaptureFixture[str],
) -> None:
    needs_torch()
    call = ["exploit", "decision-2019", "--game", "saboteur/small", "--seats", "2", "--steps", "300", "--games", "60"]
    assert main([*call, "--also", "random", "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["role"] for each in told] == ["miner", "saboteur"]
    for each in told:
        asked = (each["version"], each["agent"], each["game"], each["seats"], each["seed"])
        assert asked == (__version__, "decision-2019", "saboteur/small", 2, 0)
        assert each["itself"]["opponent"] == "decision-2019" and each["learner"]["games"] == 60
        assert [other["opponent"] for other in each["others"]] == ["random"]
        half = each["itself"]["high"] - each["itself"]["margin"]
        assert each["exact"]["margin"] >= each["itself"]["margin"] - 2 * half
        assert each["exact"]["learner"] <= each["exact"]["margin"] + 1e-9 and each["budget"]["steps"] >= 2 * 300
        assert each["best"] in {"the learner", "random"} and each["gain"]["low"] < each["gain"]["high"]
    assert main([*call, "--role", "saboteur"]) == 0
    told_on_screen = capsys.readouterr().out
    assert "best response, exact" in told_on_screen and "the learner, exact" in told_on_screen


@pytest.mark.thorough
def test_killed_five_times_it_ends_with_the_same_curve(tmp_path: Path) -> None:
    needs_torch()
    file = tmp_path / "run.toml"
    file.write_text(SMALL.replace("steps = 3000", "steps = 12000").replace("save_every = 2", "save_every = 1"))
    call = [sys.executable, "-m", "molehunt", "train", str(file), "--json"]
    straight, killed = tmp_path / "straight.json", tmp_path / "killed.json"
    assert subprocess.run([*call, str(straight)], check=False).returncode == 0
    store = tmp_path / "run"
    kills = 0
    for seed in range(5):
        saved = (store / CHECKPOINT).stat().st_mtime_ns if (store / CHECKPOINT).exists() else 0
        with subprocess.Popen([*call, str(killed), "--store", str(store)]) as process:
            while process.poll() is None:
                if (store / CHECKPOINT).exists() and (store / CHECKPOINT).stat().st_mtime_ns > saved:
                    time.sleep(0.01 * seed)
                    process.send_signal(signal.SIGKILL)
                    kills += process.wait(60) == -signal.SIGKILL
    assert kills == 5
    assert subprocess.run([*call, str(killed), "--store", str(store)], check=False).returncode == 0
    first, second = (json.loads(path.read_text("utf-8")) for path in (straight, killed))
    assert first == second


@pytest.mark.thorough
@pytest.mark.parametrize("role", ["miner", "saboteur"])
def test_on_a_small_game_a_learner_comes_within_a_tenth_of_a_best_response(role: str) -> None:
    needs_torch()
    run = parse_training('game = "saboteur/small"\nseats = 2\nsteps = 60000\n[league]\ngames = 4000\n')
    found = exploit(run, "decision-2019", role, ["random"], 2, 1, lambda *_: None)
    assert found.exact is not None and found.best == found.learner
    assert found.gain.margin == pytest.approx(found.learner.margin - found.itself.margin)
    assert found.exact.learner >= found.exact.margin - 0.1 * abs(found.exact.margin)
    half = found.learner.high - found.learner.margin
    assert abs(found.learner.margin - found.exact.learner) < 2 * half
    assert found.learner.margin > found.itself.margin - half


@pytest.mark.parametrize("given", [None, 3, b"game = 1", []])
def test_a_run_is_read_from_a_text(given: Any) -> None:
    with pytest.raises(BadInput, match="a training run is read from its text, not "):
        parse_training(given)
