"""Questions one after the other, of which `back` returns to the one before. Nothing here knows a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from molehunt.core.language import _
from molehunt.terminal.prompts import Prompter

BACK = "back"


class WentBack(Exception):
    """The person wants the question before."""


def go_back() -> None:
    """What `back` does at a question."""
    raise WentBack


def ask_in_order(prompter: Prompter, steps: Sequence[Callable[[], None]]) -> None:
    """Take the steps in order, each of which may ask; `back` returns to the last one before that asked."""
    asking: list[int] = []
    place = 0
    while place < len(steps):
        before = prompter.asked
        prompter.commands[BACK] = go_back  # a step may change the commands
        try:
            steps[place]()
        except WentBack:
            if asking:
                place = asking.pop()
            else:
                prompter.say(_("This is the first question."))
            continue
        finally:
            prompter.commands.pop(BACK, None)
        if prompter.asked > before:
            asking.append(place)
        place += 1


def say_what_back_does(prompter: Prompter) -> None:
    """What `help` says of it, where it is a command."""
    if BACK in prompter.commands:
        prompter.say(_("back returns to the question before."))
