"""The language of spaces: what it says is what is tried, and what it cannot mean is named."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from molehunt.agents.registry import Agents
from molehunt.arena.tuning.space import Dimension, Space, parse_space
from molehunt.core.errors import BadInput, BadParameter, UnknownName
from molehunt.core.specs import parameter


@dataclass(frozen=True)
class Sample:
    """A player's parameters, one of each kind."""

    weight: float = parameter(1.0, "a number without a range")
    share: float = parameter(0.5, "a number", low=0.0, high=1.0)
    depth: int = parameter(2, "a whole number", low=1, high=6)
    bold: bool = parameter(False, "a switch")
    plan: str = parameter("a", "a choice", choices=("a", "b", "c"))


@dataclass(frozen=True)
class Styled:
    """One that is a text."""

    style: str = parameter("calm", "a text")


@dataclass(frozen=True)
class Bounded:
    """Parameters that all say what may be tried."""

    share: float = parameter(0.5, "a number", low=0.0, high=1.0)
    bold: bool = parameter(False, "a switch")


EDITIONS = {"usual": Sample()}


def read(text: str) -> tuple[Dimension, ...]:
    return parse_space(text, "sample", EDITIONS).dimensions


def test_every_kind_of_dimension_is_read_and_written_again() -> None:
    text = "weight=0..5,share=0.1..0.5:log,depth=1..6,bold=yes|no,plan=a|c"
    found = read(text)
    assert found == (
        Dimension("weight", 0.0, 5.0),
        Dimension("share", 0.1, 0.5, log=True),
        Dimension("depth", 1.0, 6.0, whole=True),
        Dimension("bold", choices=(True, False)),
        Dimension("plan", choices=("a", "c")),
    )
    assert str(Space(found)) == text
    assert read(" weight = 0 .. 5 , plan = a | c ") == (found[0], found[4])


def test_a_name_alone_has_its_own_range_and_a_range_its_steps() -> None:
    assert read("share,depth,bold,plan") == (
        Dimension("share", 0.0, 1.0),
        Dimension("depth", 1.0, 6.0, whole=True),
        Dimension("bold", choices=(True, False)),
        Dimension("plan", choices=("a", "b", "c")),
    )
    assert read("weight=1|2.6|5") == (Dimension("weight", choices=(1.0, 2.6, 5.0)),)
    assert read("weight=0..1:0.3") == (Dimension("weight", 0.0, 0.9, step=0.3),)
    assert read("depth=1..6:2") == (Dimension("depth", 1.0, 5.0, step=2.0, whole=True),)
    assert parse_space("all", "bounded", {"usual": Bounded()}).dimensions == read("share,bold")


def test_of_a_text_choices_are_asked_for() -> None:
    for text, said in (
        ("all", r"so all cannot be meant; name what to tune: style=a\|b"),
        ("style", r"write style=a\|b"),
    ):
        with pytest.raises(BadInput, match=said):
            parse_space(text, "styled", {"usual": Styled()})


def test_a_file_says_the_same(tmp_path: Path) -> None:
    file = tmp_path / "space.toml"
    file.write_text(
        '[space]\nweight = "0..5"\nshare = {low = 0.1, high = 0.5, log = true}\ndepth = {low = 1, high = 6, step = 2}\n'
        'bold = true\nplan = ["a", "c"]\n'
    )
    assert read(str(file)) == read("weight=0..5,share=0.1..0.5:log,depth=1..6:2,bold,plan=a|c")


def test_what_is_tried_can_be_typed_and_stays_in_the_range() -> None:
    weight, share, depth, bold = read("weight=0..5,share=0.12344..0.2,depth,bold")
    assert weight.value(3.14159265) == 3.142
    assert share.value(0.123441) == 0.12344
    assert [type(depth.value(3)), depth.value(3)] == [int, 3]
    assert [bold.value(0), bold.value(1)] == [True, False]
    assert read("weight=0..1:0.3")[0].value(0.3 + 0.3) == 0.6
    assert [weight.holds(5.0), weight.holds(5.1), bold.holds(True)] == [True, False, True]
    assert [read("weight=0..1:0.3")[0].holds(value) for value in (0.6, 0.5)] == [True, False]


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("", BadInput, "empty place between commas"),
        ("weight=0..5,,bold", BadInput, "empty place between commas"),
        ("wieght=0..5", UnknownName, "did you mean 'weight'"),
        ("weight", BadInput, r"sample says no range for weight; write weight=LOW\.\.HIGH"),
        ("all", BadInput, r"sample says no range for weight, so all cannot be meant"),
        ("weight=5..0", BadInput, "from a lower to a higher number"),
        ("weight=1..1", BadInput, "from a lower to a higher number"),
        ("weight=0..5:log", BadInput, "above 0"),
        ("weight=0..5:9", BadInput, "no larger than the range"),
        ("weight=0..5:often", BadInput, "not 'often'"),
        ("depth=1..6:0.5", BadInput, "not '0.5'"),
        ("weight=..5", BadInput, "a range is"),
        ("weight=0..2..5", BadInput, "a range is"),
        ("weight=zero..5", BadParameter, "must be a number, not 'zero'"),
        ("weight=0..inf", BadParameter, "must be finite"),
        ("share=0..2", BadParameter, "share must be 0 to 1, not 2"),
        ("depth=1.5..3", BadParameter, "must be a whole number"),
        ("plan=a|d", BadParameter, "must be one of a, b, c, not 'd'"),
        ("plan=a..c", BadInput, "plan is no number"),
        ("plan=a", BadInput, "two or more different values"),
        ("bold=yes|true", BadInput, "two or more different values"),
        ("bold,bold", BadInput, "names bold twice"),
    ],
)
def test_what_is_wrong_with_a_space_is_said(text: str, error: type[BadInput], said: str) -> None:
    with pytest.raises(error, match=said):
        read(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[space", "is no TOML file"),
        ("weight = 1", r"one table \[space\]"),
        ("[space]\nweight = 3", "weight must be a text"),
        ("[space]\nweight = {low = 1}", "weight must be a text"),
        ("[space]\nplan = []", "plan must be a text"),
        ("[space]", "names no parameter"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "space.toml"
    file.write_text(text)
    with pytest.raises(BadInput, match=said):
        read(str(file))
    with pytest.raises(BadInput, match="cannot read the space"):
        read(str(tmp_path / "none.toml"))


def test_a_player_without_parameters_cannot_be_tuned() -> None:
    with pytest.raises(BadInput, match="random has no parameters"):
        parse_space("all", "random", Agents("saboteur").entry("random").editions())
