"""Learn forecasts: `python -m molehunt.learning.saboteur.forecasts [share]` writes `reading/saboteur/forecast.json` anew.

Rounds are played at tables of every ruleset, by players of 2019 and by `mole`, and now and then somebody makes a random move. From
a turn drawn by lot on players of 2019 play on, after one random move more; a few of the positions that follow are kept, with how
the round ended. `mole` plays by the forecasts of the file as it was: learn twice to begin from nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import molehunt.reading.saboteur
from molehunt.agents.registry import Agents
from molehunt.core.kernels import kernel
from molehunt.core.streams import below, game_seeds
from molehunt.games.calls import LEGAL, advance, legal, look, redact_all, to_move
from molehunt.games.compiled import bytes_of
from molehunt.games.playing import NEEDED, act_many, laid_down, observe_many
from molehunt.games.registry import make_game
from molehunt.games.saboteur.game import check_game
from molehunt.games.saboteur.ruleset import SEATS
from molehunt.games.saboteur.state import CARDS_GONE, VIEW
from molehunt.games.saboteur.views import MAX_ACTIONS
from molehunt.reading.saboteur.forecast import FEATURES, FILE, HIDDEN, NETWORK, WEIGHTS, describe, forecaster
from molehunt.reading.saboteur.ways import WAYS

TABLES = {
    ("krisnadi", 4): 60,
    ("krisnadi", 5): 40,
    ("krisnadi:saboteurs=1", 5): 20,
    ("krisnadi", 7): 20,
    ("krisnadi", 3): 15,
    ("krisnadi", 10): 10,
    ("official:rounds=1", 5): 20,
    ("official:rounds=1", 8): 8,
    ("veldhuis:rounds=1", 5): 20,
}
"""The rulesets and numbers of seats that are learned from, and in how many batches."""
AT_ONCE = 400
"""Games of a batch."""
FIRST_SEED, TEST_SEED = 1000, 500
"""The first batch of each table; that on which forecasts are tested."""
LATEST = 48
"""The turn from which on players of 2019 play is before this one."""
STRAYING = (0.1, 0.2)
"""How often a miner and a saboteur makes a random move until then."""
LEADER = "mole:worlds=2,kept=4,prior=0"
LED = (0.25, 0.6)
"""Who plays until then, and on how many of the seats of a miner and a saboteur; players of 2019 on the others."""
KEPT = 4
"""A position in so many is kept."""
BATCH, PASSES, RATE = 512, 8, 0.004
"""Of the learning: positions of a step, how often all are gone through, the size of the first steps."""
RECENT, RECENT_SQUARES = 0.9, 0.999
"""How long the means of slopes and of their squares last."""


@kernel
def gather(
    addresses: Any,
    calls: Any,
    params: Any,
    states: Any,
    records: Any,
    minds: Any,
    memories: Any,
    views: Any,
    whole: Any,
    events: Any,
    ways: Any,
    stream: Any,
    lots: Any,
    moves: Any,
    features: Any,
    ends: Any,
) -> int:
    """Play rounds and keep positions: `features`, a row each, and 1 in `ends` where the saboteurs won. How many were kept.

    `states` are bytes, `records` the same as records. `addresses` and `memories` have a row for each of the players: those of 2019,
    whose `minds` are described, and `mole`; all chairs of both watch. `lots` are STRAYING and LED.
    """
    seats = params[SEATS]
    count = 0
    row = np.zeros(1, np.int64)
    chosen = np.zeros(1, np.int32)
    chairs = np.zeros(seats, np.int64)
    for game in range(len(states)):
        state, record = states[game], records[game]
        led = np.int64(0)
        for seat in range(seats):
            chairs[seat] = game * seats + seat
            if below(stream, 100) < 100 * lots[1, record.roles[seat]]:
                led |= 1 << seat
        latest = below(stream, LATEST)
        first = count
        turn = 0
        while to_move(calls, state, params) >= 0:
            seat = to_move(calls, state, params)
            look(calls, state, seat, params, views[0])
            row[0] = chairs[seat]
            player = led >> seat & 1 if turn < latest else 0
            act_many(addresses[player, 0], views, memories[player], row, chosen)
            if turn == latest or (turn < latest and below(stream, 100) < 100 * lots[0, record.roles[seat]]):
                chosen[0] = moves[below(stream, legal(calls, state, params, moves))]
            advance(calls, state, chosen[0], params, whole)
            redact_all(calls, whole, state, params, events)
            for player in range(2 if turn < latest and led else 1):
                observe_many(addresses[player, 1], events, memories[player], chairs)
            turn += 1
            kept = turn > latest and below(stream, KEPT) == 0
            if kept and to_move(calls, state, params) >= 0 and count < len(ends):
                describe(record, minds[game * seats : (game + 1) * seats], ways[0], params, features[count])
                count += 1
        for place in range(first, count):
            ends[place] = 1.0 if record.outcome == CARDS_GONE else 0.0
    return count


Positions = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]


def positions(ruleset: str, seats: int, games: int, seed: int) -> Positions:
    """Positions of so many rounds at a table, shape (positions, FEATURES), and 1 for each whose round the saboteurs won."""
    game = check_game("forecasts", make_game("saboteur", ruleset, seats))
    seeds = game_seeds(seed, 0, games)
    states = game.new(seeds)
    chairs = np.tile(np.arange(seats, dtype=np.int8), games)
    views = game.views(states, chairs, np.repeat(np.arange(games), seats))
    players: list[Any] = [Agents("saboteur").make(name) for name in ("decision-2019", LEADER)]
    streams = np.random.default_rng(seed).integers(1 << 63, size=len(views), dtype=np.uint64)
    memories: list[Any] = [player.start(game, views, streams) for player in players]
    parts = [player.parts(memory) for player, memory in zip(players, memories, strict=True)]
    laid = [laid_down(*each) for each in parts]
    numbers = np.zeros((2, max(map(len, laid))), np.int64)
    for place, each in enumerate(laid):
        numbers[place, : len(each)] = each
    features = np.zeros((games * LATEST // 2, FEATURES))
    ends = np.zeros(len(features))
    count = gather(
        np.array([[player.act_one.address, player.observe_one.address] for player in players]),
        game.calls(*NEEDED, LEGAL),
        game.params,
        bytes_of(states),
        states,
        memories[0].records,
        numbers,
        bytes_of(np.zeros(1, VIEW)),
        np.zeros(game.event_dtype.itemsize, np.uint8),
        bytes_of(np.zeros(seats, game.event_dtype)),
        np.zeros(1, WAYS),
        np.array([seed], np.uint64),
        np.array([STRAYING, LED]),
        np.zeros(MAX_ACTIONS, np.int32),
        features,
        ends,
    )
    return features[:count].astype(np.float32), ends[:count].astype(np.float32)


def learn(features: npt.NDArray[np.float32], ends: npt.NDArray[np.float32], seed: int) -> npt.NDArray[Any]:
    """The network that foretells these ends best: the log loss goes down by Adam (Kingma and Ba 2015), with steps ever smaller."""
    rng = np.random.default_rng(seed)
    weights = [
        rng.normal(0, 1 / np.sqrt(FEATURES), (FEATURES, HIDDEN)),
        np.zeros(HIDDEN),
        rng.normal(0, 1 / np.sqrt(HIDDEN), HIDDEN),
        np.zeros(1),
    ]
    means = [np.zeros_like(each) for each in weights]
    squares = [np.zeros_like(each) for each in weights]
    steps = PASSES * (len(ends) // BATCH)
    orders = (rng.permutation(len(ends))[: len(ends) // BATCH * BATCH].reshape(-1, BATCH) for _ in range(PASSES))
    for step, batch in enumerate((batch for order in orders for batch in order), 1):
        rate = RATE * (1 - step / (steps + 1)) * np.sqrt(1 - RECENT_SQUARES**step) / (1 - RECENT**step)
        for place, slope in enumerate(slopes(weights, features[batch], ends[batch])):
            means[place] += (1 - RECENT) * (slope - means[place])
            squares[place] += (1 - RECENT_SQUARES) * (slope**2 - squares[place])
            weights[place] -= rate * means[place] / (np.sqrt(squares[place]) + 1e-8)
    network = np.zeros(1, NETWORK)
    for name, weight in zip(WEIGHTS, weights, strict=True):
        network[name][0] = weight.reshape(network[name][0].shape)
    return network


def slopes(weights: Sequence[npt.NDArray[Any]], features: npt.NDArray[Any], ends: npt.NDArray[Any]) -> Iterator[Any]:
    """How the mean log loss of some positions changes with each of the weights, given in the order of WEIGHTS."""
    first, thresholds, second, level = weights
    inner = features @ first + thresholds
    above = np.maximum(inner, 0)
    error = (1 / (1 + np.exp(-(above @ second + level))) - ends) / len(ends)
    back = np.outer(error, second) * (inner > 0)
    yield features.T @ back
    yield back.sum(axis=0)
    yield above.T @ error
    yield error.sum(keepdims=True)


def foretold(features: npt.NDArray[Any], network: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """What a network says of positions: shape (positions,)."""
    weights = network[0]
    above = np.maximum(features @ weights["first"] + weights["thresholds"], 0)
    said: npt.NDArray[np.float64] = 1 / (1 + np.exp(-(above @ weights["second"] + weights["level"])))
    return said


def log_loss(said: npt.NDArray[Any], ends: npt.NDArray[Any]) -> float:
    """The mean log loss of forecasts, in nats."""
    return float(-np.log(np.where(ends > 0, said, 1 - said)).mean())


def write(network: npt.NDArray[Any]) -> Path:
    """Write the file, which players read from now on."""
    path = Path(molehunt.reading.saboteur.__file__).parent / FILE
    written = {name: np.round(network[name][0], 4).tolist() for name in WEIGHTS}
    path.write_text(json.dumps(written, separators=(",", ":")) + "\n", encoding="utf-8")
    forecaster.cache_clear()
    return path


def gathered(share: float) -> Positions:
    """The positions of a share of the batches of all tables."""
    parts = [
        positions(ruleset, seats, AT_ONCE, FIRST_SEED + number)
        for (ruleset, seats), batches in TABLES.items()
        for number in range(max(1, round(share * batches)))
    ]
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def main(arguments: Sequence[str]) -> None:
    """Write the file, and tell table by table how good its forecasts are on other games."""
    features, ends = gathered(float(arguments[0]) if arguments else 1.0)
    network = learn(features, ends, FIRST_SEED)
    sys.stdout.write(f"{len(ends):,} positions: {write(network)}\n")
    for ruleset, seats in TABLES:
        features, ends = positions(ruleset, seats, AT_ONCE, TEST_SEED)
        alike = log_loss(np.full(len(ends), ends.mean()), ends)
        said = log_loss(foretold(features, network), ends)
        sys.stdout.write(f"{ruleset}, {seats} seats: log loss {said:.3f}; of the mean alone {alike:.3f}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
