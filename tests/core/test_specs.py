"""The language of names with parameters: what it reads, what it writes, and what it says when it does not understand."""

from __future__ import annotations

from dataclasses import dataclass, fields, make_dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from molehunt.core.errors import BadInput, BadParameter, UnknownName
from molehunt.core.specs import (
    as_record,
    build,
    canonical,
    check_range,
    check_written,
    describe,
    parameter,
    show_value,
    split_spec,
)
from molehunt.games.saboteur.ruleset import KRISNADI


@dataclass(frozen=True)
class Taste:
    fixed: str = "not to be set"
    sugar: int = parameter(2, "spoons of sugar", low=0, high=5)
    milk: bool = parameter(False, "whether there is milk")
    heat: float = parameter(60.0, "degrees", low=-10)
    cup: str = parameter("mug", "what it is drunk from", choices=("mug", "glass"))


EDITIONS = {"plain": Taste(), "sweet": Taste(sugar=5, milk=True)}


def read(*items: str) -> Taste:
    return build("tea", EDITIONS, items)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tea", ("tea", [])),
        ("tea:sweet", ("tea", ["sweet"])),
        (" tea : sweet , sugar=1 ", ("tea", ["sweet", "sugar=1"])),
        ("tea:a:b", ("tea", ["a:b"])),
        ("tea:", ("tea", [""])),
        ("", ("", [])),
    ],
)
def test_spec_is_a_name_and_items(text: str, expected: tuple[str, list[str]]) -> None:
    assert split_spec(text) == expected


def test_first_edition_is_what_the_name_alone_means() -> None:
    assert read() == Taste()


def test_edition_and_then_what_differs() -> None:
    assert read("sweet") == Taste(sugar=5, milk=True)
    assert read("sweet", "sugar=1") == Taste(sugar=1, milk=True)
    assert read("sugar=1", "sweet") == Taste(sugar=1, milk=True)
    assert read(" heat = 3.5 ", "cup=glass") == Taste(heat=3.5, cup="glass")


@pytest.mark.parametrize("word", ["yes", "true", "on", "1", "YES", "True"])
def test_words_for_yes(word: str) -> None:
    assert read(f"milk={word}").milk is True


@pytest.mark.parametrize("word", ["no", "false", "off", "0", "NO", "False"])
def test_words_for_no(word: str) -> None:
    assert read("sweet", f"milk={word}").milk is False


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("milk=maybe", "tea: milk must be yes or no, not 'maybe'"),
        ("sugar=two", "tea: sugar must be a whole number, not 'two'"),
        ("sugar=1.5", "tea: sugar must be a whole number, not '1.5'"),
        ("sugar=6", "tea: sugar must be 0 to 5, not 6"),
        ("sugar=-1", "tea: sugar must be 0 to 5, not -1"),
        ("heat=hot", "tea: heat must be a number, not 'hot'"),
        ("heat=-11", "tea: heat must be at least -10, not -11"),
        ("heat=nan", "tea: heat must be finite, not nan"),
        ("heat=inf", "tea: heat must be finite, not inf"),
        ("cup=bucket", "tea: cup must be one of mug, glass, not 'bucket'"),
        ("sugar=", "tea: sugar must be a whole number, not ''"),
    ],
)
def test_bad_value_is_named_with_what_would_be_right(item: str, message: str) -> None:
    with pytest.raises(BadParameter) as error:
        read(item)
    assert str(error.value) == message


def test_bound_on_one_side_alone() -> None:
    @dataclass(frozen=True)
    class Half:
        size: int = parameter(0, "size", high=3)

    with pytest.raises(BadParameter, match="size must be at most 3, not 4"):
        build("half", {"": Half()}, ["size=4"])


@pytest.mark.parametrize("item", ["suger=1", "fixed=x", "=1", "sugar=1=2"])
def test_unknown_parameter_is_named(item: str) -> None:
    with pytest.raises(BadInput, match=r"parameter of tea|whole number"):
        read(item)


def test_unknown_parameter_shows_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown parameter of tea 'suger'; did you mean 'sugar'\?") as error:
        read("suger=1")
    assert error.value.known == ("sugar", "milk", "heat", "cup")


@pytest.mark.parametrize("item", ["swete", ""])
def test_unknown_edition_shows_editions_and_parameters(item: str) -> None:
    with pytest.raises(UnknownName) as error:
        read(item)
    assert error.value.known == ("plain", "sweet", "sugar=...", "milk=...", "heat=...", "cup=...")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Taste(), "tea"),
        (Taste(sugar=5, milk=True), "tea:sweet"),
        (Taste(sugar=5, milk=True, cup="glass"), "tea:sweet,cup=glass"),
        (Taste(milk=True), "tea:milk=yes"),
        (Taste(heat=0.1), "tea:heat=0.1"),
        (Taste(sugar=5), "tea:sugar=5"),
    ],
)
def test_shortest_spec(value: Taste, text: str) -> None:
    assert canonical("tea", EDITIONS, value) == text


@dataclass(frozen=True)
class Rules:
    name: str
    cups: int = parameter(2, "cups", low=1, high=5)
    quick: bool = parameter(False, "whether it is quick")


RULES = {"long": Rules("long"), "short": Rules("short", quick=True)}


@given(st.sampled_from([*RULES]), st.integers(1, 5), st.booleans())
def test_a_ruleset_is_told_by_what_differs_from_that_of_its_name(name: str, cups: int, quick: bool) -> None:
    spec = canonical(name, RULES, Rules(name, cups, quick))
    assert spec == canonical(name, {name: RULES[name]}, Rules(name, cups, quick))
    ruleset, items = split_spec(spec)
    assert build(ruleset, {ruleset: RULES[ruleset]}, items) == Rules(name, cups, quick)


def test_an_edition_that_is_called_as_a_player_is_told_as_an_edition() -> None:
    editions = {"plain": Taste(), "tea": Taste(sugar=5, milk=True)}
    assert [canonical("tea", editions, each) for each in editions.values()] == ["tea", "tea:tea"]


@given(
    st.builds(
        Taste,
        fixed=st.just("not to be set"),
        sugar=st.integers(0, 5),
        milk=st.booleans(),
        heat=st.floats(-10, allow_nan=False, allow_infinity=False),
        cup=st.sampled_from(["mug", "glass"]),
    )
)
def test_spec_reads_back_to_what_was_written(value: Taste) -> None:
    name, items = split_spec(canonical("tea", EDITIONS, value))
    assert name == "tea"
    assert build("tea", EDITIONS, items) == value


@given(st.lists(st.text(max_size=12), max_size=4))
def test_any_items_give_parameters_or_a_bad_input(items: list[str]) -> None:
    try:
        assert isinstance(build("tea", EDITIONS, items), Taste)
    except BadInput as error:
        assert "tea" in str(error)  # noqa: PT017 - whether there is an error depends on the items


def test_values_are_shown_as_they_are_typed() -> None:
    assert [show_value(value) for value in (True, False, 3, 0.5, 1e-6, "mug")] == [
        "yes",
        "no",
        "3",
        "0.5",
        "1e-06",
        "mug",
    ]


def test_numbers_of_numpy_are_shown_as_they_are_typed() -> None:
    assert show_value(np.float64(0.25)) == "0.25"
    assert canonical("tea", EDITIONS, Taste(heat=np.float64(0.1))) == "tea:heat=0.1"


@pytest.mark.parametrize(
    ("kind", "default", "more", "message"),
    [
        (
            int,
            1,
            {"choices": (1, 2)},
            "mine: size is of the type int and has the choice 1; a parameter with choices is of str",
        ),
        (str, "a", {"choices": ("a", 2)}, "has the choice 2; "),
        (str, "a", {"choices": ("a", "x,y")}, "has the choice 'x,y'; .* texts without comma and star"),
        (str, "a", {"choices": ("a", "x*2")}, "has the choice 'x\\*2'; "),
        (str, "a", {"choices": ("a", " b")}, "without blanks around them"),
        (str, "a", {"choices": ("a", "")}, "has the choice ''; "),
        (float, 1.0, {"low": 2, "high": 0.5}, "nothing lies in the range of size, from 2 to 0.5"),
    ],
)
def test_what_could_not_be_typed_is_refused_where_it_is_written(
    kind: type, default: Any, more: dict[str, Any], message: str
) -> None:
    mine = make_dataclass("Mine", [("size", kind, parameter(default, "how large", **more))])
    with pytest.raises(BadParameter, match=message):
        check_written("mine", fields(mine)[0], kind, default)


def test_range_is_no_matter_of_words_and_flags() -> None:
    fields = {field.name: field for field in Taste.__dataclass_fields__.values()}
    check_range("tea", fields["cup"], "mug")
    check_range("tea", fields["milk"], True)
    check_range("tea", fields["sugar"], 5)
    with pytest.raises(BadParameter):
        check_range("tea", fields["sugar"], 5.5)


def test_description_has_a_row_for_each_parameter_with_its_value_in_each_edition() -> None:
    assert describe(EDITIONS) == [
        ("sugar", ["2", "5"], "spoons of sugar"),
        ("milk", ["no", "yes"], "whether there is milk"),
        ("heat", ["60.0", "60.0"], "degrees"),
        ("cup", ["mug", "mug"], "what it is drunk from"),
    ]


def test_parameters_become_a_record_of_numbers_for_kernels() -> None:
    record = as_record(Taste(sugar=3, milk=True, heat=0.5, cup="glass"))
    assert record.shape == (1,)
    assert record.dtype.names == ("sugar", "milk", "heat", "cup")
    assert record[0].tolist() == (3.0, 1.0, 0.5, 1.0)
    assert as_record(Taste())[0].tolist() == (2.0, 0.0, 60.0, 0.0)


def test_text_without_choices_is_taken_as_it_stands() -> None:
    @dataclass(frozen=True)
    class Place:
        folder: str = parameter("here", "where it is")

    assert build("place", {"": Place()}, ["folder=over there"]) == Place("over there")


def test_a_number_of_four_hundred_digits_is_out_of_range_and_nothing_worse() -> None:
    with pytest.raises(BadParameter, match=r"saboteurs must be 0 to 9, not 9{40}$"):
        build("ruleset krisnadi", {"krisnadi": KRISNADI}, ["saboteurs=" + "9" * 400])


def test_bounds_of_whole_numbers_have_all_their_digits() -> None:
    @dataclass(frozen=True)
    class Crowd:
        guests: int = parameter(2, "how many come", low=1, high=1 << 20)

    with pytest.raises(BadParameter, match="crowd: guests must be 1 to 1048576, not 0"):
        build("crowd", {"crowd": Crowd()}, ("guests=0",))
