"""Small networks that score the legal moves of a position one by one: what they are made of, their files, and what they answer.

Two dense layers read the position; a third joins what they say to each move::

    h = relu(relu(s W1 + b1) W2 + b2)      s: the position, float32 of shape (inputs,)
    value = h . v + c                      what the seat expects to be paid
    score(m) = relu(m U + h V + d) . a + m . l    m: a move, float32 of shape (moves,)

A policy is the softmax of the scores. So a decision costs by the number of legal moves. Positions and moves are written as small
whole numbers, int8, most of them 0; what is 0 is passed over. A file is in the format of safetensors: eight bytes with the length
of a header in JSON, the header (of each tensor its type, shape and place), and the numbers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput
from molehunt.core.kernels import kernel
from molehunt.core.streams import uniform

Floats = npt.NDArray[np.float32]

INPUTS, WIDTH, MOVES, JOINT = range(4)
"""Entries of a network's shape: numbers of a position, units of a dense layer, numbers of a move, units where both are joined."""
SHAPE_SIZE = 4
TENSORS = ("w1", "b1", "w2", "b2", "value", "value_bias", "u", "v", "d", "a", "l")
HISTORY = "history"
"""What `about` says of a network that is told the last moves: how many."""
MOST_HISTORY = 32
"""So many at most."""
MOST_BYTES = 2_000_000
"""The size of a file that is shipped, at most."""
_MOST_HEADER = 1 << 20


def tensor_shapes(shape: tuple[int, int, int, int]) -> dict[str, tuple[int, ...]]:
    """The shapes of a network's tensors by their names, in the order in which kernels read them."""
    inputs, width, moves, joint = shape
    return {
        "w1": (inputs, width),
        "b1": (width,),
        "w2": (width, width),
        "b2": (width,),
        "value": (width,),
        "value_bias": (1,),
        "u": (moves, joint),
        "v": (width, joint),
        "d": (joint,),
        "a": (joint,),
        "l": (moves,),
    }


@dataclass(frozen=True)
class Network:
    """The weights of a network: `tensors` by name, float32; `about` says in words what they were trained for."""

    tensors: Mapping[str, Floats]
    about: Mapping[str, str]

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """(numbers of a position, units of a dense layer, numbers of a move, units where both are joined)."""
        inputs, width = self.tensors["w1"].shape
        moves, joint = self.tensors["u"].shape
        return inputs, width, moves, joint

    @property
    def history(self) -> int:
        """How many of the last moves it is told."""
        return int(self.about.get(HISTORY, "0"))

    def flat(self) -> Floats:
        """All weights one after the other, as kernels read them."""
        return np.concatenate([np.ravel(self.tensors[name]) for name in TENSORS]).astype(np.float32)


def size_of(shape: tuple[int, int, int, int]) -> int:
    """How many weights a network has."""
    return sum(math.prod(each) for each in tensor_shapes(shape).values())


def from_flat(flat: Floats, shape: tuple[int, int, int, int], about: Mapping[str, str]) -> Network:
    """The network whose weights lie one after the other."""
    tensors, at = {}, 0
    for name, wanted in tensor_shapes(shape).items():
        size = math.prod(wanted)
        tensors[name] = flat[at : at + size].reshape(wanted)
        at += size
    return Network(tensors, about)


# --- Files --------------------------------------------------------------------------------------------------------------


def to_bytes(network: Network) -> bytes:
    """A network as the content of a file."""
    header: dict[str, Any] = {"__metadata__": dict(network.about)}
    parts, at = [], 0
    for name in TENSORS:
        data = np.ascontiguousarray(network.tensors[name], "<f4").tobytes()
        shape = list(network.tensors[name].shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + len(data)]}
        parts.append(data)
        at += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)


def load(path: Path) -> Network:
    """The network of a file; BadInput says what is wrong with it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read the weights {path}: {error.strerror or error}") from None
    try:
        return _from_bytes(data)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        raise BadInput(f"{path} holds no weights of a player; `molehunt train` writes such files") from None


def _from_bytes(data: bytes) -> Network:
    length = int.from_bytes(data[:8], "little")
    if not 2 <= length <= min(_MOST_HEADER, len(data)):
        raise ValueError
    header = json.loads(data[8 : 8 + length])
    about = {str(key): str(value) for key, value in header.get("__metadata__", {}).items()}
    tensors = {}
    for name in TENSORS:
        first, last = header[name]["data_offsets"]
        if header[name]["dtype"] != "F32":
            raise ValueError
        numbers = np.frombuffer(data[8 + length + first : 8 + length + last], "<f4").astype(np.float32)
        tensors[name] = numbers.reshape(header[name]["shape"])
    network = Network(tensors, about)
    wanted = tensor_shapes(network.shape)
    if not 0 <= network.history <= MOST_HISTORY:
        raise ValueError
    if any(tensors[name].shape != wanted[name] or not np.isfinite(tensors[name]).all() for name in TENSORS):
        raise ValueError
    return network


# --- Answers ------------------------------------------------------------------------------------------------------------

COUNT, CHOSEN, LOG_CHANCE, VALUE = range(4)
"""What is noted of a decision: how many moves were legal, which was chosen, the log of its chance, the value of the position."""
NOTES = 4


@kernel
def find_others_than_0(numbers: Any, places: Any) -> int:
    """Write where the numbers are that are not 0; how many. Without a branch, as a processor could not foresee which they are.

    `places` holds as many whole numbers as there are numbers.
    """
    count = 0
    for index in range(len(numbers)):
        places[count] = index
        count += numbers[index] != 0
    return count


@kernel
def add_rows(numbers: Any, weights: Any, first: int, width: int, places: Any, out: Any) -> None:
    """Add to `out` the rows of a matrix, which begins at `first` of all weights, each times one of the numbers."""
    for place in range(find_others_than_0(numbers, places)):
        index = places[place]
        factor = np.float32(numbers[index])
        row = weights[first + index * width : first + (index + 1) * width]
        for unit in range(width):
            out[unit] += factor * row[unit]


@kernel
def relu(numbers: Any) -> None:
    """Put 0 in the place of what is negative."""
    for index in range(len(numbers)):
        numbers[index] = max(numbers[index], np.float32(0.0))


@kernel
def dot(one: Any, other: Any) -> Any:
    """The inner product."""
    total = np.float32(0.0)
    for index in range(len(one)):
        total += one[index] * other[index]
    return total


@kernel
def score_moves(weights: Any, shape: Any, position: Any, moves: Any, count: int, layers: Any, scores: Any) -> Any:
    """Write the scores of the first `count` moves; returns the value of the position.

    `position` is int8 of shape (inputs,), `moves` int8 of shape (most, moves); `layers`, scratch, holds
    2 * (width + joint) float32.
    """
    width, size, joint = shape[WIDTH], shape[MOVES], shape[JOINT]
    first, second = layers[:width], layers[width : 2 * width]
    shared, here = layers[2 * width : 2 * width + joint], layers[2 * width + joint : 2 * (width + joint)]
    at = shape[INPUTS] * width
    first[:] = weights[at : at + width]
    places = np.empty(max(len(position), width, size), np.int64)
    add_rows(position, weights, 0, width, places, first)
    relu(first)
    at += width
    second[:] = weights[at + width * width : at + width * width + width]
    add_rows(first, weights, at, width, places, second)
    relu(second)
    at += width * width + width
    value = dot(second, weights[at : at + width]) + weights[at + width]
    moves_at = at + width + 1
    at = moves_at + size * joint
    shared[:] = weights[at + width * joint : at + width * joint + joint]
    add_rows(second, weights, at, joint, places, shared)
    at += width * joint + joint
    last, linear = weights[at : at + joint], weights[at + joint : at + joint + size]
    for index in range(count):
        move = moves[index]
        here[:] = shared
        score = np.float32(0.0)
        for place in range(find_others_than_0(move, places)):
            number = places[place]
            factor = np.float32(move[number])
            score += factor * linear[number]
            row = weights[moves_at + number * joint : moves_at + (number + 1) * joint]
            for unit in range(joint):
                here[unit] += factor * row[unit]
        relu(here)
        scores[index] = score + dot(here, last)
    return value


@kernel
def pick_move(scores: Any, count: int, temperature: float, stream: Any, notes: Any) -> int:
    """Which move: the first with the highest score at temperature 0, else drawn by the softmax of scores over temperature.

    What is noted as its chance is that in the softmax of the scores themselves.
    """
    top = scores[0]
    best = 0
    for index in range(1, count):
        if scores[index] > top:
            top = scores[index]
            best = index
    chosen = best
    if temperature > 0.0:
        total = 0.0
        for index in range(count):
            total += math.exp((scores[index] - top) / temperature)
        left = total * uniform(stream)
        for index in range(count):
            left -= math.exp((scores[index] - top) / temperature)
            if left < 0.0:
                chosen = index
                break
    total = 0.0
    for index in range(count):
        total += math.exp(np.float64(scores[index] - top))
    notes[COUNT] = count
    notes[CHOSEN] = chosen
    notes[LOG_CHANCE] = np.float64(scores[chosen] - top) - math.log(total)
    return chosen
