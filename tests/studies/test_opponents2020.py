"""The study of the opponent's network: what is observed, which structure is learned, what it saves."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.studies import opponents2020
from molehunt.studies.opponents2020 import (
    CHANCES,
    COLUMNS,
    GAME_COLUMN,
    HELD,
    HOLDS,
    MOVE_COLUMN,
    MOVES,
    NO_MOVE,
    PARENTS,
    STUDY,
    WIDTH,
    bits_by_game,
    criterion,
    learn,
    watch,
)

SIZES = (3, 4, 2)


def drawn(number: int) -> tuple[np.ndarray, np.random.Generator]:
    """Values of three parents."""
    chance = np.random.default_rng(number)
    return np.column_stack([chance.integers(size, size=2000) for size in SIZES]), chance


def test_the_parents_that_matter_are_found_and_no_others() -> None:
    sample, chance = drawn(1)
    noise = chance.random(2000)
    on_one = np.where(noise < 0.9, sample[:, 0], 0)
    assert learn(sample, on_one, SIZES, 3).parents == (0,)
    on_two = np.where(noise < 0.9, (sample[:, 0] == 1) ^ (sample[:, 1] > 1) | (sample[:, 0] == 2), 0).astype(int)
    assert set(learn(sample, on_two, SIZES, 2).parents) == {0, 1}
    assert learn(sample, chance.integers(3, size=2000), SIZES, 3).parents == ()


def test_probabilities_are_frequencies_with_one_observation_of_the_whole() -> None:
    sample = np.array([[0, 0, 0]] * 6 + [[1, 0, 0]] * 2)
    node = learn(sample, np.array([0, 0, 0, 0, 0, 1, 1, 1]), SIZES, 2, most_parents=0)
    assert node.chances.tolist() == [pytest.approx([(5 + 0.5) / 9 * 1 / 9 + 5 / 9, (3 + 0.5) / 9 * 1 / 9 + 3 / 9])]
    assert node.of(sample).shape == (8, 2)


def test_the_criterion_by_hand() -> None:
    # Eight observations, four of each: the likelihood is 2^-8, and one parameter costs half the log of 8.
    assert criterion(np.array([[4.0, 4.0]])) == pytest.approx(-8 * np.log(2) - 0.5 * np.log(8))
    assert criterion(np.array([[4.0, 0.0], [0.0, 4.0]])) == pytest.approx(-np.log(8))


def test_bits_are_means_by_game() -> None:
    chances = np.array([[0.5, 0.5], [0.25, 0.75], [1.0, 0.0]])
    assert bits_by_game(chances, np.array([1, 0, 0]), np.array([4, 4, 7])).tolist() == [1.5, 0.0]


def test_what_is_observed_is_what_was_played() -> None:
    rows = watch("greedy-2020", 3, 0, 4)
    assert rows.shape[1] == WIDTH and set(rows[:, GAME_COLUMN]) == {0, 1, 2, 3}
    sizes = list(PARENTS.values())[:COLUMNS]
    assert all((rows[:, column] >= 0).all() and (rows[:, column] < size).all() for column, size in enumerate(sizes))
    assert (rows[:, MOVE_COLUMN] < MOVES).all()
    for game in range(4):
        moves = rows[rows[:, GAME_COLUMN] == game]
        assert moves[0, 0] == NO_MOVE and (moves[1:, 0] == moves[:-1, MOVE_COLUMN]).all()
    truth, chance = rows[:, HOLDS : HOLDS + len(HELD)], rows[:, CHANCES:]
    assert ((chance >= 0) & (chance <= 1)).all() and (truth[chance == 1] == 1).all() and (truth[chance == 0] == 0).all()


def test_elimination_is_calibrated_for_a_player_at_random() -> None:
    rows = watch("random-listed", 5, 0, 60)
    for number in range(len(HELD)):
        gap = rows[:, HOLDS + number].mean() - rows[:, CHANCES + number].mean()
        assert abs(gap) < 0.06


def test_a_network_saves_bits_of_a_player_with_habits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents2020, "OPPONENTS", ("greedy-2020",))
    rows = {row.id: row for row in STUDY.run(40, 2, 1).rows}
    network, plain = (rows[f"moves/greedy-2020/100/{kind}"] for kind in ("network", "frequencies"))
    change = rows["change/moves/greedy-2020/100"]
    assert change.measured == pytest.approx(network.measured - plain.measured, abs=2e-3) and change.high < 0
    assert "hanging on nothing" not in network.quantity and change.quantity.endswith(": less")
    assert all(any(name.startswith(section.prefix) for section in STUDY.sections) for name in rows)
