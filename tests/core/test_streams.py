"""The random streams: the published numbers of SplitMix64, and no bias in what is drawn from them."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest

from core.chance import assert_uniform
from molehunt.core.kernels import kernel
from molehunt.core.streams import MAX_SEED, below, derive, game_seeds, mix, next_word, seat_streams, shuffle, uniform


def stream(start: int) -> npt.NDArray[np.uint64]:
    return np.array([start], np.uint64)


@kernel
def draw_many(stream: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> None:
    for index in range(len(out)):
        out[index] = below(stream, count)


def test_words_are_those_of_the_published_splitmix64() -> None:
    words = stream(1234567)
    assert [int(next_word(words)) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def splitmix64(state: int) -> int:
    """The finalizer in plain Python."""
    word = state
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
    return word ^ word >> 31


def test_mixing_equals_plain_python() -> None:
    for word in (0, 1, 2**63, 2**64 - 1, 0x123456789ABCDEF):
        assert int(mix(np.uint64(word))) == splitmix64(word)


def test_next_word_moves_the_stream_by_the_golden_gamma() -> None:
    words = stream(2**64 - 1)
    next_word(words)
    assert int(words[0]) == 0x9E3779B97F4A7C15 - 1


def test_a_uniform_number_is_the_first_53_bits_of_a_word_and_never_1() -> None:
    one, other = stream(11), stream(11)
    drawn = [float(uniform(one)) for _ in range(1000)]
    assert drawn == [(int(next_word(other)) >> 11) / 2**53 for _ in range(1000)]
    assert 0 <= min(drawn) < 0.01 and 0.99 < max(drawn) < 1
    assert_uniform(Counter(int(10 * number) for number in drawn), 10)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 7, 10, 45, 67])
def test_below_is_uniform(count: int) -> None:
    out = np.empty(2000 * count, np.int64)
    draw_many(stream(count), count, out)
    assert_uniform(Counter(out.tolist()), count) if count > 1 else None
    assert out.min() == 0 and out.max() == count - 1


def test_below_is_unbiased_where_the_words_do_not_divide_evenly() -> None:
    # Of 2**32 words, scaling alone would give every third number a half more often than the others.
    count = 3 * 2**30
    out = np.empty(60_000, np.int64)
    draw_many(stream(5), count, out)
    assert out.min() >= 0 and out.max() < count
    assert_uniform(Counter((out % 3).tolist()), 3)
    assert_uniform(Counter((out // (count // 8)).tolist()), 8)


def test_below_throws_away_the_words_that_lemire_throws_away() -> None:
    def plain(state: int, count: int) -> tuple[int, int]:
        while True:
            state = (state + 0x9E3779B97F4A7C15) % 2**64
            product = (splitmix64(state) >> 32) * count
            if product % 2**32 >= 2**32 % count:
                return state, product >> 32

    for count in (3, 67, 2**31 + 1, 3 * 2**30, 2**32 - 1):
        words, state = stream(99), 99
        for _ in range(200):
            state, expected = plain(state, count)
            assert below(words, count) == expected
            assert int(words[0]) == state


def test_shuffle_gives_every_order_equally_often() -> None:
    words = stream(3)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(24 * 500):
        items = np.arange(4, dtype=np.int8)
        shuffle(words, items, 4)
        orders[tuple(items.tolist())] += 1
    assert set(orders) == set(itertools.permutations(range(4)))
    assert_uniform(orders, 24)


def test_shuffle_leaves_the_rest_alone() -> None:
    items = np.arange(10, dtype=np.int8)
    shuffle(stream(1), items, 6)
    assert sorted(items[:6].tolist()) == [0, 1, 2, 3, 4, 5]
    assert items[6:].tolist() == [6, 7, 8, 9]
    shuffle(stream(1), items[:1], 1)
    shuffle(stream(1), items[:0], 0)


def test_streams_of_different_labels_and_seeds_are_different() -> None:
    starts = {int(derive(np.uint64(seed), np.uint64(label))) for seed in range(100) for label in range(100)}
    assert len(starts) == 10_000
    assert int(derive(np.uint64(2**64 - 1), np.uint64(2**64 - 1))) >= 0


def test_game_seeds_are_a_function_of_run_and_number_with_53_bits() -> None:
    seeds = game_seeds(7, 0, 1000)
    assert seeds.dtype == np.uint64 and seeds.shape == (1000,)
    assert len(set(seeds.tolist())) == 1000
    assert int(seeds.max()) <= MAX_SEED == 2**53 - 1
    assert int(seeds.max()) > MAX_SEED * 0.99
    assert np.array_equal(game_seeds(7, 400, 10), seeds[400:410])
    assert not np.isin(game_seeds(8, 0, 1000), seeds).any()
    assert len(game_seeds(7, 0, 0)) == 0


def test_seat_streams_are_a_function_of_the_games_seed_alone() -> None:
    seeds = game_seeds(7, 0, 50)
    starts = seat_streams(seeds, 5)
    assert starts.shape == (50, 5) and starts.dtype == np.uint64
    assert len(set(starts.reshape(-1).tolist())) == 250
    assert np.array_equal(seat_streams(seeds[13:14], 5)[0], starts[13])
    assert np.array_equal(seat_streams(seeds, 3), starts[:, :3])
    assert not np.isin(seat_streams(seeds, 5, salt=2), starts).any()
