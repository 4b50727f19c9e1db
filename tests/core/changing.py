"""Machine code that comes, or leaves, while something is going on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from molehunt.core.interpreting import interpret_meanwhile, interpreting_until


def arriving(moment: int) -> tuple[list[bool], Any]:
    """When it is asked so many times whether there is machine code, there is some; and what was answered."""
    answers: list[bool] = []

    def made() -> bool:
        answers.append(len(answers) >= moment)
        return answers[-1]

    return answers, made


def changing_at_each_moment(
    done: Callable[[], Any], following: Callable[[int], int], leaves: bool = False
) -> Iterator[Any]:
    """What is done each time, machine code coming (or leaving) at one moment after the other, until that is after the end."""
    moment, answers = 0, [True]
    while True in answers:
        answers, changed = arriving(moment)
        interpret_meanwhile(True)
        try:
            with interpreting_until(lambda changed=changed: changed() != leaves):  # type: ignore[misc]
                found = done()
        finally:
            interpret_meanwhile(False)
        yield found
        moment = following(moment)
    assert moment > 1  # it came in the middle, too
