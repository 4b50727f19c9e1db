"""What `help` says of the public names: its examples run, and give what stands there."""

from __future__ import annotations

import doctest
import sys

import pytest

import molehunt

WITH_EXAMPLE = {
    "Agents",
    "Bars",
    "PlayerAgent",
    "Position",
    "Replay",
    "canonical",
    "check_game",
    "deal",
    "element",
    "game_seeds",
    "make_game",
    "parameter",
    "play",
    "seat_streams",
}
"""Names that are called, and whose arguments one has to know."""


@pytest.mark.parametrize("name", [name for name in molehunt.__all__ if name not in {"MAX_SEED", "NOBODY"}])
def test_the_examples_of_a_public_name_run(name: str) -> None:
    value = getattr(molehunt, name)
    names = {"molehunt": molehunt, **vars(sys.modules.get(getattr(value, "__module__", ""), molehunt))}
    runner = doctest.DocTestRunner(verbose=False)
    found = [test for test in doctest.DocTestFinder().find(value, name, globs=names) if test.examples]
    assert found or name not in WITH_EXAMPLE
    told: list[str] = []
    for test in found:
        runner.run(test, out=told.append)
    assert runner.failures == 0, "".join(told)


def test_a_spec_is_told_of_editions_alone() -> None:
    with pytest.raises(molehunt.BadInput, match=r"dataclass and of its editions, .* not of 3 and \{\}"):
        molehunt.canonical("krisnadi", {}, 3)


def test_an_element_has_a_name() -> None:
    with pytest.raises(molehunt.BadInput, match="the name of an element is a text, such as 'rect', not 3"):
        molehunt.element(3)  # type: ignore[arg-type]
