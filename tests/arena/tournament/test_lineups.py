"""Who sits where: all seatings, and samples in which everybody sits everywhere equally often."""

from __future__ import annotations

from collections import Counter

import pytest

from molehunt.arena.seating import Chair
from molehunt.arena.tournament.lineups import free_lineups, role_lineups, seatings_of
from molehunt.core.errors import BadInput

A, B, C = Chair("A"), Chair("B"), Chair("C")


@pytest.mark.parametrize("sample", [None, 5, 6, 20, 33])
@pytest.mark.parametrize("chairs", [(A, A, A, B, B), (A, B, C, C, C), (A, B, A, B), (A, A, A)])
def test_in_a_balanced_sample_every_player_sits_on_every_seat_equally_often(
    chairs: tuple[Chair, ...], sample: int
) -> None:
    seatings = seatings_of(chairs, "balanced", sample, 3)
    assert len(set(seatings)) == len(seatings)
    seats = Counter((seat, chairs[chair]) for seating in seatings for seat, chair in enumerate(seating))
    for chair in set(chairs):
        assert len({seats[seat, chair] for seat in range(len(chairs))}) == 1


def test_all_seatings_are_all_arrangements_once() -> None:
    assert len(seatings_of((A, A, B, B, B), "all", None, 0)) == 10
    assert len(seatings_of((A, B, C), "all", None, 0)) == 6
    assert (
        len({tuple("AABBC"[chair] for chair in seating) for seating in seatings_of((A, A, B, B, C), "all", None, 0)})
        == 30
    )


def test_a_sample_as_great_as_all_is_all() -> None:
    assert len(seatings_of((A, A, B, B, B), "balanced", 10, 0)) == 10


def test_too_many_seatings_are_refused_with_what_would_do() -> None:
    with pytest.raises(BadInput, match="sample = 32"):
        seatings_of([Chair(str(number)) for number in range(8)], "all", None, 0)


def test_lineups_without_roles() -> None:
    assert [len(list(free_lineups(3, "ABCD", mix))) for mix in ("pairs", "different", "mixes")] == [12, 4, 16]
    assert list(free_lineups(3, "A", "pairs")) == [(A, A, A)]


def test_lineups_with_roles() -> None:
    players = {"saboteur": ["A", "B"], "miner": ["C", "D", "E"]}
    counts = [
        len(list(role_lineups({"saboteur": 2, "miner": 2}, players, mix))) for mix in ("pairs", "mixes", "different")
    ]
    assert counts == [6, 18, 3]
