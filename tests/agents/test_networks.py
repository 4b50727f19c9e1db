"""Networks as files, and what the compiled forward pass answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from molehunt.agents.networks import (
    CHOSEN,
    LOG_CHANCE,
    MOST_BYTES,
    NOTES,
    Network,
    from_flat,
    load,
    pick_move,
    score_moves,
    size_of,
    tensor_shapes,
    to_bytes,
)
from molehunt.core.errors import BadInput

SHAPE = (9, 16, 7, 5)


def network(seed: int = 0, shape: tuple[int, int, int, int] = SHAPE) -> Network:
    flat = np.random.default_rng(seed).standard_normal(size_of(shape)).astype(np.float32)
    return from_flat(flat, shape, {"game": "a game"})


def in_numpy(net: Network, position: Any, moves: Any) -> tuple[Any, Any]:
    """Scores and value by the formulas of the module, in double precision."""
    t = {name: tensor.astype(np.float64) for name, tensor in net.tensors.items()}
    hidden = np.maximum(position @ t["w1"] + t["b1"], 0)
    hidden = np.maximum(hidden @ t["w2"] + t["b2"], 0)
    joint = np.maximum(moves @ t["u"] + hidden @ t["v"] + t["d"], 0)
    return joint @ t["a"] + moves @ t["l"], hidden @ t["value"] + t["value_bias"][0]


def test_the_compiled_answers_are_those_of_the_formulas() -> None:
    random = np.random.default_rng(3)
    net = network()
    layers, scores = np.zeros(2 * (16 + 5), np.float32), np.zeros(6, np.float32)
    for _ in range(20):
        position = random.integers(0, 3, 9).astype(np.int8)
        moves = random.integers(-1, 2, (6, 7)).astype(np.int8)
        value = score_moves(net.flat(), np.array(SHAPE), position, moves, 4, layers, scores)
        wanted, wanted_value = in_numpy(net, position, moves)
        assert np.allclose(scores[:4], wanted[:4], rtol=1e-4, atol=1e-4)
        assert value == pytest.approx(wanted_value, rel=1e-4, abs=1e-4)
        assert (scores[4:] == 0).all()


def test_a_move_is_drawn_as_often_as_the_softmax_says() -> None:
    scores = np.log(np.array([0.1, 0.6, 0.3], np.float32))
    stream, notes = np.array([7], np.uint64), np.zeros(NOTES)
    drawn = np.zeros(3)
    for _ in range(4000):
        chosen = pick_move(scores, 3, 1.0, stream, notes)
        assert notes[CHOSEN] == chosen
        assert notes[LOG_CHANCE] == pytest.approx(float(scores[chosen]), abs=1e-6)
        drawn[chosen] += 1
    assert np.abs(drawn / 4000 - [0.1, 0.6, 0.3]).max() < 0.03
    before = stream.copy()
    assert pick_move(scores, 3, 0.0, stream, notes) == 1 and (stream == before).all()


def test_a_file_brings_the_same_network_back(tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    path.write_bytes(to_bytes(network()))
    found = load(path)
    assert found.shape == SHAPE and found.about == {"game": "a game"}
    assert found.flat().tobytes() == network().flat().tobytes()


def test_the_library_of_the_format_reads_our_files(tmp_path: Path) -> None:
    from safetensors.numpy import load as load_bytes

    found = load_bytes(to_bytes(network()))
    assert {name: tensor.shape for name, tensor in found.items()} == tensor_shapes(SHAPE)
    assert all((found[name] == tensor).all() for name, tensor in network().tensors.items())


@pytest.mark.parametrize("damage", ["empty", "cut", "no header", "other type", "not finite", "missing"])
def test_what_is_no_file_of_weights_is_said_to_be_none(tmp_path: Path, damage: str) -> None:
    good = to_bytes(network())
    path = tmp_path / "weights.safetensors"
    if damage == "not finite":
        tensors = dict(network().tensors)
        tensors["d"] = np.full(5, np.nan, np.float32)
        good = to_bytes(Network(tensors, {}))
    content = {
        "empty": b"",
        "cut": good[:-9],
        "no header": b"\xff" * 100,
        "other type": good.replace(b'"F32"', b'"F64"'),
        "not finite": good,
    }
    if damage in content:
        path.write_bytes(content[damage])
    with pytest.raises(BadInput, match=r"weights\.safetensors"):
        load(path)


def test_shipped_weights_are_small_and_say_what_they_are_for() -> None:
    import molehunt

    files = sorted(Path(molehunt.__file__).parent.glob("agents/*/weights/*.safetensors"))
    assert files
    for path in files:
        assert path.stat().st_size <= MOST_BYTES
        about = load(path).about
        assert {"game", "run", "steps"} <= set(about)
