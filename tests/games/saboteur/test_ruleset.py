"""Rulesets: the tables of the 2019 paper, what can be set, and what is said when it cannot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from molehunt.core.errors import BadParameter, UnknownName
from molehunt.games.saboteur import ruleset
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.ruleset import KRISNADI, Ruleset, ruleset_from_text, ruleset_to_text, with_saboteurs

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
    assert (KRISNADI.width, KRISNADI.height) == (9, 5)
    assert KRISNADI.start == (0, 2)
    assert KRISNADI.goals == ((8, 0), (8, 2), (8, 4))


def test_cells_are_numbered_row_by_row_with_a_spare_column() -> None:
    assert KRISNADI.stride == 10
    assert [KRISNADI.cell(x, y) for x, y in [(0, 0), (8, 0), (0, 1), (8, 4)]] == [0, 8, 10, 48]
    cells = {KRISNADI.cell(x, y): (x, y) for x in range(9) for y in range(5)}
    assert len(cells) == 45
    assert all(KRISNADI.place(cell) == place for cell, place in cells.items())


def test_table_holds_what_the_kernels_ask_for() -> None:
    table = ruleset_from_text("krisnadi", ["goals_fit=no", "saboteurs=3", "first_seat=4"]).table(7)
    assert table.shape == (ruleset.TABLE_SIZE,) and table.dtype == np.int64
    assert table[ruleset.STRIDE] == 10 and table[ruleset.CELLS] == 50
    assert table[ruleset.START] == 20
    assert table[ruleset.GOALS : ruleset.GOALS + 3].tolist() == [8, 28, 48]
    assert int(table[ruleset.MINE]) == sum(1 << (10 * y + x) for x in range(9) for y in range(5))
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
    )
    assert [int(table[flag]) for flag in flags] == [0, 1, 0, 1, 1]


def test_entries_of_the_table_do_not_meet() -> None:
    names = "STRIDE CELLS MINE START GOALS GOALS_FIT DOUBLE_MENDS_BOTH MAY_BREAK_OWN BLOCKED_MAY_ROCKFALL FIRST_SEAT"
    names += " SABOTEURS HAND SEATS STONES_LET_IN"
    entries = [getattr(ruleset, name) for name in names.split()] + [ruleset.GOALS + 1, ruleset.GOALS + 2]
    assert sorted(entries) == list(range(ruleset.TABLE_SIZE))


def test_readings_of_the_program_behind_the_tables_are_the_default() -> None:
    assert KRISNADI.goals_fit and KRISNADI.double_mends_both and KRISNADI.stones_let_in
    assert KRISNADI.blocked_may_rockfall and not KRISNADI.may_break_own
    assert KRISNADI.first_seat == ruleset.RANDOM_SEAT == -1


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


@given(st.integers(0, 9), st.integers(-1, 9), st.booleans(), st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_every_ruleset_reads_back(
    saboteurs: int, first: int, fit: bool, both: bool, own: bool, blocked: bool, let_in: bool
) -> None:
    rules = replace(
        KRISNADI,
        saboteurs=saboteurs,
        first_seat=first,
        goals_fit=fit,
        double_mends_both=both,
        may_break_own=own,
        blocked_may_rockfall=blocked,
        stones_let_in=let_in,
    )
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
    with pytest.raises(UnknownName, match="'width'"):
        ruleset_from_text("krisnadi", ["width=13"])


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
        assert (states["info"][:, 1] == seat).all()


def test_board_must_fit_a_word_and_have_three_goals() -> None:
    with pytest.raises(BadParameter, match="at most 63 cells"):
        replace(KRISNADI, width=13, height=5)
    with pytest.raises(BadParameter, match="three goals, not 2"):
        replace(KRISNADI, goals=((8, 0), (8, 2)))


def test_hands_of_the_largest_tables_leave_a_deck() -> None:
    for seats in range(3, 11):
        assert seats * KRISNADI.hand_for(seats) < 67
        assert KRISNADI.hand_for(seats) <= ruleset.MAX_HAND


def test_a_table_that_lists_fewer_seats_goes_on_with_its_last_row() -> None:
    rules: Ruleset = replace(KRISNADI, hand_sizes=((4, 6), (6, 5)))
    assert [rules.hand_for(seats) for seats in (3, 4, 5, 6, 7, 10)] == [6, 6, 5, 5, 5, 5]
