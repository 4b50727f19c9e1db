"""Rulesets: the tables of the 2019 paper, what can be set, and what is said when it cannot."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from molehunt.core.errors import BadParameter, UnknownName
from molehunt.core.seats import RANDOM_SEAT
from molehunt.games.saboteur import ruleset
from molehunt.games.saboteur.cards import CARD_NUMBERS, DECK_COUNTS, KINDS, ONE_TOOL_DECK_COUNTS
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.ruleset import (
    KRISNADI,
    Ruleset,
    cell_number,
    cell_place,
    ruleset_from_text,
    ruleset_to_text,
    with_saboteurs,
)

# Krisnadi et al. 2019, equations (3) and (4): seats, saboteurs, cards in a hand. Three seats are as four.
PAPER = [(3, 1, 6), (4, 1, 6), (5, 2, 6), (6, 2, 5), (7, 3, 5), (8, 3, 4), (9, 3, 4), (10, 3, 4)]


@pytest.mark.parametrize(("seats", "saboteurs", "hand"), PAPER)
def test_saboteurs_and_hands_by_the_number_of_seats(seats: int, saboteurs: int, hand: int) -> None:
    assert KRISNADI.saboteurs_for(seats) == saboteurs
    assert KRISNADI.hand_for(seats) == hand
    game = Saboteur(KRISNADI, seats)
    assert game.role_counts() == (seats - saboteurs, saboteurs)
    state = game.new(np.array([1], np.uint64))[0]
    assert state["hand_sizes"].tolist() == [hand] * seats + [0] * (10 - seats)
    assert state["roles"].sum() == saboteurs


def test_board_is_9_by_5_with_the_start_on_the_left_and_the_goals_on_the_right() -> None:
    assert KRISNADI.bounds == (0, 0, 8, 4) and not KRISNADI.is_open
    inside = {(x, y) for x in range(-9, 20) for y in range(-9, 20) if KRISNADI.holds(x, y)}
    assert inside == {(x, y) for x in range(9) for y in range(5)}
    assert KRISNADI.start == (0, 2)
    assert KRISNADI.goals == ((8, 0), (8, 2), (8, 4))


def test_cells_are_numbered_row_by_row_on_one_grid() -> None:
    assert [cell_number(x, y) for x, y in [(0, 0), (8, 0), (0, 1), (-1, -1)]] == [2076, 2084, 2140, 2011]
    left, top, right, bottom = ruleset.OPEN_MINE
    cells = {cell_number(x, y): (x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)}
    assert list(cells) == list(range(64 * 64))
    assert all(cell_place(cell) == place for cell, place in cells.items())


def test_table_holds_what_the_kernels_ask_for() -> None:
    table = ruleset_from_text("krisnadi", ["goals_fit=no", "saboteurs=3", "first_seat=4"]).params(7)
    assert table.shape == (ruleset.PARAMS_SIZE,) and table.dtype == np.int64
    sides = (ruleset.LEFT, ruleset.RIGHT, ruleset.TOP, ruleset.BOTTOM)
    assert [int(table[side]) for side in sides] == [28, 36, 32, 36]
    assert table[ruleset.START] == cell_number(0, 2)
    assert table[ruleset.GOALS : ruleset.GOALS + 3].tolist() == [cell_number(8, y) for y in (0, 2, 4)]
    assert table[ruleset.COUNTS :].tolist() == [*DECK_COUNTS.tolist(), 67]
    assert (table[ruleset.SEATS], table[ruleset.SABOTEURS], table[ruleset.HAND], table[ruleset.FIRST_SEAT]) == (
        7,
        3,
        5,
        4,
    )
    flags = (
        ruleset.GOALS_FIT,
        ruleset.DOUBLE_MENDS_BOTH,
        ruleset.MAY_BREAK_OWN,
        ruleset.BLOCKED_MAY_ROCKFALL,
        ruleset.STONES_LET_IN,
        ruleset.STONES_FACE_ENTRY,
        ruleset.HIDDEN_ROLE,
        ruleset.TALK,
        ruleset.ROUNDS,
        ruleset.SHARES,
    )
    assert [int(table[flag]) for flag in flags] == [0, 1, 0, 1, 1, 0, 0, 0, 1, 0]
    official = ruleset.OFFICIAL.params(7)
    assert [int(official[flag]) for flag in flags] == [0, 0, 1, 1, 0, 1, 1, 0, 3, 1]
    assert [int(official[side]) for side in sides] == [0, 63, 0, 63]
    veldhuis = ruleset.VELDHUIS.params(5)
    assert [int(veldhuis[flag]) for flag in flags] == [0, 1, 1, 1, 0, 1, 0, 1, 3, 0]
    assert veldhuis[ruleset.COUNTS :].tolist() == [*ONE_TOOL_DECK_COUNTS.tolist(), 67]
    small = ruleset.SMALL.params(2)
    assert [int(small[side]) for side in sides] == [28, 32, 32, 34]
    assert (small[ruleset.SEATS], small[ruleset.SABOTEURS], small[ruleset.HAND]) == (2, 1, 2)
    dealt = {name: int(small[ruleset.COUNTS + card]) for name, card in CARD_NUMBERS.items()}
    assert {name: count for name, count in dealt.items() if count} == dict(ruleset.SMALL.deck)
    assert small[ruleset.DECK_CARDS] == 6


def test_entries_of_the_table_do_not_meet() -> None:
    names = (
        "LEFT RIGHT TOP BOTTOM START GOALS GOALS_FIT DOUBLE_MENDS_BOTH MAY_BREAK_OWN BLOCKED_MAY_ROCKFALL FIRST_SEAT"
    )
    names += " SABOTEURS HAND SEATS STONES_LET_IN STONES_FACE_ENTRY HIDDEN_ROLE TALK ROUNDS SHARES COUNTS"
    names += " DEAD_ENDS_TURN_STONES PACK_BY_MINERS BROKEN_UNPAID SPEAK"
    entries = [getattr(ruleset, name) for name in names.split()] + [ruleset.GOALS + 1, ruleset.GOALS + 2]
    assert sorted(entries) == list(range(ruleset.COUNTS + 1))
    assert ruleset.COUNTS + KINDS == ruleset.DECK_CARDS == ruleset.PARAMS_SIZE - 1


def test_readings_of_the_program_behind_the_tables_are_the_default() -> None:
    assert KRISNADI.goals_fit and KRISNADI.double_mends_both and KRISNADI.stones_let_in
    assert KRISNADI.blocked_may_rockfall and not KRISNADI.may_break_own
    assert KRISNADI.first_seat == RANDOM_SEAT == -1
    assert not (KRISNADI.stones_face_entry or KRISNADI.hidden_role or KRISNADI.one_tool or KRISNADI.talk)
    assert (KRISNADI.rounds, KRISNADI.payment) == (1, "pieces")


# --- As it is typed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "changed"),
    [
        (["saboteurs=3"], {"saboteurs": 3}),
        (["first_seat=2"], {"first_seat": 2}),
        (["goals_fit=no"], {"goals_fit": False}),
        (["double_mends_both=no"], {"double_mends_both": False}),
        (["may_break_own=yes"], {"may_break_own": True}),
        (["blocked_may_rockfall=no"], {"blocked_may_rockfall": False}),
        (["stones_let_in=no"], {"stones_let_in": False}),
        (["saboteurs=1", "may_break_own=yes"], {"saboteurs": 1, "may_break_own": True}),
        (["hidden_role=yes"], {"hidden_role": True}),
        (["stones_face_entry=yes"], {"stones_face_entry": True}),
        (["one_tool=yes"], {"one_tool": True}),
        (["rounds=3", "payment=shares"], {"rounds": 3, "payment": "shares"}),
    ],
)
def test_ruleset_is_read_and_written(items: list[str], changed: dict[str, int]) -> None:
    rules = ruleset_from_text("krisnadi", items)
    assert rules == replace(KRISNADI, **changed)  # type: ignore[arg-type]
    assert ruleset_to_text(rules) == "krisnadi:" + ",".join(items)
    assert Saboteur(rules, 5).label == "saboteur/krisnadi:" + ",".join(items)


def test_default_is_written_as_the_name_alone() -> None:
    assert ruleset_from_text("krisnadi", []) == KRISNADI
    assert ruleset_to_text(KRISNADI) == "krisnadi"
    assert ruleset_to_text(with_saboteurs(KRISNADI, 2)) == "krisnadi:saboteurs=2"


FLAGS = "goals_fit double_mends_both may_break_own blocked_may_rockfall stones_let_in stones_face_entry hidden_role"
FLAGS += " one_tool talk"


@given(
    st.sampled_from(list(ruleset.RULESETS.values())),
    st.integers(0, 9),
    st.integers(-1, 9),
    st.integers(1, 3),
    st.sampled_from(("pieces", "shares")),
    st.fixed_dictionaries({name: st.booleans() for name in FLAGS.split()}),
)
def test_every_ruleset_reads_back(
    base: Ruleset, saboteurs: int, first: int, rounds: int, payment: str, flags: dict[str, bool]
) -> None:
    changes: dict[str, Any] = {
        "saboteurs": saboteurs,
        "first_seat": first,
        "rounds": rounds,
        "payment": payment,
        **flags,
    }
    rules = replace(base, **changes)
    name, _, rest = ruleset_to_text(rules).partition(":")
    assert ruleset_from_text(name, rest.split(",") if rest else []) == rules


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("saboteurs=ten", "ruleset krisnadi: saboteurs must be a whole number, not 'ten'"),
        ("saboteurs=10", "ruleset krisnadi: saboteurs must be 0 to 9, not 10"),
        ("saboteurs=-1", "ruleset krisnadi: saboteurs must be 0 to 9, not -1"),
        ("first_seat=10", "ruleset krisnadi: first_seat must be -1 to 9, not 10"),
        ("goals_fit=maybe", "ruleset krisnadi: goals_fit must be yes or no, not 'maybe'"),
        ("rounds=0", "ruleset krisnadi: rounds must be 1 to 3, not 0"),
        ("rounds=4", "ruleset krisnadi: rounds must be 1 to 3, not 4"),
    ],
)
def test_bad_value_is_named(item: str, message: str) -> None:
    with pytest.raises(BadParameter) as error:
        ruleset_from_text("krisnadi", [item])
    assert str(error.value) == message


def test_unknown_names_show_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown ruleset of saboteur 'krisnady'; did you mean 'krisnadi'\?"):
        ruleset_from_text("krisnady", [])
    with pytest.raises(
        UnknownName, match=r"unknown parameter of ruleset krisnadi 'saboteur'; did you mean 'saboteurs'\?"
    ):
        ruleset_from_text("krisnadi", ["saboteur=2"])
    with pytest.raises(UnknownName, match="'bounds'"):
        ruleset_from_text("krisnadi", ["bounds=13"])


@pytest.mark.parametrize("seats", [-1, 0, 1, 2, 11, 100])
def test_number_of_seats_is_3_to_10(seats: int) -> None:
    with pytest.raises(BadParameter, match=f"^krisnadi is played by 3 to 10 seats, not {seats}$"):
        Saboteur(KRISNADI, seats)


@pytest.mark.parametrize(("seats", "saboteurs"), [(3, 3), (4, 4), (5, 9), (9, 9)])
def test_somebody_is_a_miner(seats: int, saboteurs: int) -> None:
    with pytest.raises(BadParameter, match=f"saboteurs must be 1 to {seats - 1} with {seats} seats, not {saboteurs}$"):
        Saboteur(with_saboteurs(KRISNADI, saboteurs), seats)


def test_first_seat_must_be_there() -> None:
    with pytest.raises(BadParameter, match="first_seat must be below the number of seats, 5, not 5"):
        Saboteur(replace(KRISNADI, first_seat=5), 5)


def test_first_seat_begins() -> None:
    for seat in range(5):
        states = Saboteur(replace(KRISNADI, first_seat=seat), 5).new(np.arange(20, dtype=np.uint64))
        assert (states["to_move"] == seat).all()


@pytest.mark.parametrize(
    "bounds", [(-29, 0, 8, 4), (0, -33, 8, 4), (0, 0, 36, 4), (0, 0, 8, 32), (9, 0, 8, 4), (0, 5, 8, 4)]
)
def test_board_must_lie_on_the_grid(bounds: tuple[int, int, int, int]) -> None:
    with pytest.raises(BadParameter, match=r"the mine must lie within \(-28, -32, 35, 31\)"):
        replace(KRISNADI, bounds=bounds)


def test_there_are_three_goals() -> None:
    with pytest.raises(BadParameter, match="three goals, not 2"):
        replace(KRISNADI, goals=((8, 0), (8, 2)))


def test_hands_of_the_largest_tables_leave_a_deck() -> None:
    for seats in range(3, 11):
        assert seats * KRISNADI.hand_for(seats) < 67
        assert KRISNADI.hand_for(seats) <= ruleset.MAX_HAND


def test_a_table_that_lists_fewer_seats_goes_on_with_its_last_row() -> None:
    rules: Ruleset = replace(KRISNADI, hand_sizes=((4, 6), (6, 5)))
    assert [rules.hand_for(seats) for seats in (3, 4, 5, 6, 7, 10)] == [6, 6, 5, 5, 5, 5]
