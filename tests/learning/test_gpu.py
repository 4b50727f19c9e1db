"""Learning on a GPU, where there is one: nearly the same player as on a CPU, and a run goes on from one to the other."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from molehunt.learning.definition import TrainingText, parse_training
from molehunt.learning.ppo import CUDA
from molehunt.learning.run import Run, identity_of
from molehunt.learning.store import TrainingStore

SMALL = """
game = "saboteur/small"
seats = 2
steps = 3000
seed = 3
opponents = { "decision-2019" = 1, self = 1 }
[network]
width = 16
joint = 8
[ppo]
games = 200
minibatch = 256
magnet = [0.05, 0.0]
"""


@pytest.fixture(scope="module")
def text() -> TrainingText:
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("there is no GPU")
    return parse_training(SMALL)


@pytest.mark.parametrize(("precision", "alike"), [("float32", 0.9999), ("bfloat16", 0.99)])
def test_a_gpu_learns_nearly_what_a_cpu_does(text: TrainingText, precision: str, alike: float) -> None:
    asked = msgspec.structs.replace(text, ppo=msgspec.structs.replace(text.ppo, precision=precision))
    here, there = Run(text), Run(asked, device=CUDA, threads=2)
    begun = here.network().flat()
    for run in (here, there):
        run.update()
    assert {tensor.device.type for tensor in there.learner.tensors.values()} == {CUDA}
    learned = [run.network().flat() - begun for run in (here, there)]
    assert np.abs(learned[0]).max() > 0.001
    assert np.corrcoef(learned[0], learned[1])[0, 1] > alike
    assert there.learner.in_bfloat16 == (precision == "bfloat16")


@pytest.mark.parametrize(("first", "then"), [(CUDA, "cpu"), ("cpu", CUDA)])
def test_a_run_goes_on_elsewhere(text: TrainingText, tmp_path: Path, first: str, then: str) -> None:
    with TrainingStore(tmp_path / "run", identity_of(text)) as store:
        begun = Run(text, store, device=first)
        begun.update()
        begun.save()
        gone_on = Run(text, store, device=then)
        assert gone_on.network().flat().tobytes() == begun.network().flat().tobytes()
        assert gone_on.steps == begun.steps > 0
        for run in (begun, gone_on):
            run.update()
        assert np.corrcoef(begun.network().flat(), gone_on.network().flat())[0, 1] > 0.9999
