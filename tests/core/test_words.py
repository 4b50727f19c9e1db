"""Words and numbers as people read them."""

from __future__ import annotations

import pytest

from molehunt.core.language import speaking
from molehunt.core.words import amount, number_said, percent_said, rate_said


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (100_000, "100,000"),
        (10**15 - 1, "999,999,999,999,999"),
        (10**15, "about 1.0 x 10^15"),
        (2_045 * 10**87, "about 2.0 x 10^90"),
    ],
)
def test_a_number_that_nobody_reads_is_told_by_its_size(number: int, text: str) -> None:
    assert amount(number) == text


def test_numbers_are_written_as_the_language_writes_them() -> None:
    numbers = [(1.125, ".2f"), (-0.5, "+.1f"), (1234.5, ",.1f"), (1234, ","), (0.25, "8.3f")]
    assert [number_said(*each) for each in numbers] == ["1.12", "-0.5", "1,234.5", "1,234", "   0.250"]
    with speaking("de"):
        assert [number_said(*each) for each in numbers] == ["1,12", "-0,5", "1.234,5", "1.234", "   0,250"]
        assert amount(100_000) == "100.000"
        assert percent_said(0.414) == "41 %"


def test_nothing_is_less_than_nothing() -> None:
    numbers = [(-0.003, "+.2f"), (-0.003, ".2f"), (-0.0, ".1f"), (-0.006, "+.2f"), (0.0, "+.2f")]
    assert [number_said(*each) for each in numbers] == ["+0.00", "0.00", "0.0", "-0.01", "+0.00"]


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0.0, "0 %"),
        (1e-20, "<1 %"),
        (0.00499, "<1 %"),
        (0.005, "1 %"),
        (0.0051, "1 %"),
        (0.125, "13 %"),
        (0.414, "41 %"),
        (0.9949, "99 %"),
        (0.995, ">99 %"),
        (0.999999, ">99 %"),
        (1.0 - 3e-16, "100 %"),
        (1.0, "100 %"),
        (1.0 + 4e-16, "100 %"),
    ],
)
def test_only_what_is_certain_is_said_to_be(chance: float, text: str) -> None:
    assert percent_said(chance) == text


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (0.0, "0.0 %"),
        (1 / 100_000, "<0.1 %"),
        (0.0005, "0.1 %"),
        (0.414, "41.4 %"),
        (0.9994, "99.9 %"),
        (99_999 / 100_000, ">99.9 %"),
        (1.0, "100.0 %"),
    ],
)
def test_what_was_won_or_lost_once_is_not_said_to_have_been_so_never(rate: float, text: str) -> None:
    assert rate_said(rate) == text
