"""The language of seats: what it reads, and what it says when it does not understand."""

from __future__ import annotations

import pytest

from molehunt.arena.seating import MAX_REPEAT, Chair, parse_seats
from molehunt.core.errors import BadInput, UnknownName

AGENTS = ["random", "means-ends-2016", "decision-2019", "my player"]
ROLES = ("miner", "saboteur")


def seats(text: str, agents: list[str] = AGENTS, roles: tuple[str, ...] = ROLES) -> list[str]:
    return [str(chair) for chair in parse_seats(text, agents, roles)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("random", ["random"]),
        ("random,decision-2019", ["random", "decision-2019"]),
        (" random , decision-2019 ", ["random", "decision-2019"]),
        ("random*3", ["random"] * 3),
        ("random*1", ["random"]),
        ("random*2,decision-2019,random", ["random", "random", "decision-2019", "random"]),
        (f"random*{MAX_REPEAT}", ["random"] * MAX_REPEAT),
        ("my player*2", ["my player"] * 2),
        ("saboteur:random,miner:random*2", ["saboteur:random", "miner:random", "miner:random"]),
        ("decision-2019:as_printed", ["decision-2019:as_printed"]),
        ("decision-2019:as_printed*2,random", ["decision-2019:as_printed"] * 2 + ["random"]),
        ("decision-2019:as_printed,d_b=3.0*2,random", ["decision-2019:as_printed,d_b=3.0"] * 2 + ["random"]),
        ("decision-2019:d_b=3.0, as_printed ,random", ["decision-2019:d_b=3.0,as_printed", "random"]),
        ("random,decision-2019:d_b=1,d_m=2,random", ["random", "decision-2019:d_b=1,d_m=2", "random"]),
        ("miner:decision-2019:as_printed,d_b=3.0*3", ["miner:decision-2019:as_printed,d_b=3.0"] * 3),
        (
            "saboteur:decision-2019:d_b=1*2,miner:decision-2019:as_printed",
            ["saboteur:decision-2019:d_b=1"] * 2 + ["miner:decision-2019:as_printed"],
        ),
    ],
)
def test_every_form_is_read(text: str, expected: list[str]) -> None:
    assert seats(text) == expected


def test_role_and_player_of_a_chair_are_apart() -> None:
    assert parse_seats("saboteur:decision-2019:d_b=2,miner:random", AGENTS, ROLES) == [
        Chair("decision-2019:d_b=2", "saboteur"),
        Chair("random", "miner"),
    ]
    assert parse_seats("random", AGENTS, ROLES) == [Chair("random", None)]


def test_what_was_read_is_written_so_that_it_is_read_again() -> None:
    for text in ("random,decision-2019:as_printed,d_b=3.0,random", "saboteur:decision-2019:d_b=1,d_m=2,miner:random"):
        assert ",".join(seats(text)) == text


def test_a_game_without_roles_has_no_role_prefix() -> None:
    assert seats("random*2", roles=()) == ["random"] * 2
    with pytest.raises(BadInput, match="'miner:random': this game has no roles; write 'random'"):
        seats("miner:random*2", roles=())


@pytest.mark.parametrize("text", ["", ",", "random,", ",random", "random,,random", "random, ,random"])
def test_empty_place_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="empty place between commas; write A,B,C or A\\*3"):
        seats(text)


@pytest.mark.parametrize(
    "count", ["", "0", "-1", "two", "1.5", "101", "3x", " 3", "9" * 20, pytest.param("9" * 5000, id="5000-digits")]
)
def test_count_after_the_star_is_checked(count: str) -> None:
    with pytest.raises(BadInput, match="after \\* comes how many seats, 1 to 100, not ") as error:
        seats(f"random*{count}")
    assert len(str(error.value)) < 250


@pytest.mark.parametrize(
    ("text", "kind", "name", "hint"),
    [
        ("randon", "agent", "randon", "did you mean 'random'?"),
        ("random,decision-2018", "agent", "decision-2018", "did you mean 'decision-2019'?"),
        ("random*2*2", "agent", "random*2", "did you mean 'random'?"),
        ("random,as_printed", "agent", "as_printed", "known: random,"),
        ("miner:", "agent", "", "known: random,"),
        ("miner", "agent", "miner", "known: random,"),
        ("*3", "agent", "", "known: random,"),
        ("miner:saboteur:random", "agent", "saboteur", "known: random,"),
        ("minor:random", "role", "minor", "did you mean 'miner'?"),
        ("minor:decision-2019:as_printed", "role", "minor", "did you mean 'miner'?"),
        ("minor:nobody", "agent", "minor", "known: random,"),
    ],
)
def test_unknown_name_is_named_with_what_would_be_right(text: str, kind: str, name: str, hint: str) -> None:
    with pytest.raises(UnknownName) as error:
        seats(text)
    assert (error.value.kind, error.value.name) == (kind, name)
    assert hint in str(error.value)


@pytest.mark.parametrize("text", ["random,miner:random", "miner:random,random", "saboteur:random*2,random*3"])
def test_either_every_seat_names_its_role_or_none_does(text: str) -> None:
    with pytest.raises(BadInput, match=r"either every seat names its role \(saboteur:A,miner:B\) or none does"):
        seats(text)


def test_a_file_is_no_player_and_it_is_said_where_it_is_given() -> None:
    for text in ("random,./mine.py:Digger", "mine.py*3", "miner:mine.py"):
        with pytest.raises(BadInput, match=r"mine\.py' is a file: give it with --agents-from"):
            parse_seats(text, ["random"], ("saboteur", "miner"))
