"""Words and numbers as people read them."""

from __future__ import annotations

import pytest

from molehunt.core.words import amount


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
