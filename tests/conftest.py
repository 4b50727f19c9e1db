"""The order of the tests: where several processes share them, they should not all compile the same kernels at the same time."""

from __future__ import annotations

import pytest

FIRST = (
    "games/saboteur/test_rules_against_reference.py",  # compiles for a while ...
    "reference/",  # ... and these need nothing compiled, or little
    "beliefs/test_kripke",
    "beliefs/test_formulas",
    "core/",
    "games/duel/test_rules_against_reference.py",
    "games/speed_clue/test_rules_against_reference.py",
    "agents/saboteur/",
    "agents/duel/",
    "agents/speed_clue/",
)
"""What comes first, in this order; all else follows in its own."""


def rank(item: pytest.Item) -> int:
    """Where the file of a test stands in the order."""
    path = item.nodeid.removeprefix("tests/")
    return next((number for number, start in enumerate(FIRST) if path.startswith(start)), len(FIRST))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=rank)
