"""A scripted person at the terminal table of Saboteur or the duel: reads what is on the screen and answers the prompts."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from molehunt.core.game import Action
from molehunt.table.tunnel_words import ACCUSE, AIM, ASK, CLAIM, DISCARD, LAY, LOOK, REMOVE
from molehunt.terminal.tunnel_moves import Choice

LOOKS = ("board", "hand", "words", "moves", "seats", "log", "log all", "rules", "help")


class Person:
    """Lists the moves and plays one of them at random, of the first few at most.

    `screen` gives all that was written so far. `looks` are commands that it gives now and then before it answers. `wrong` maps a
    beginning of a prompt to what it answers there first, before what is right; `setup` to what it answers to a question.
    """

    def __init__(
        self,
        screen: Callable[[], str],
        seed: int = 0,
        looks: Sequence[str] = (),
        wrong: dict[str, list[str]] | None = None,
        setup: dict[str, str] | None = None,
    ) -> None:
        self.screen = screen
        self.chance = random.Random(seed)
        self.looks = looks
        self.wrong = wrong or {}
        self.setup = setup or {}
        self.prompts: list[str] = []
        self.typed: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        self.typed.append(self.answer(prompt))
        return self.typed[-1]

    def answer(self, prompt: str) -> str:
        for beginning, answers in self.wrong.items():
            if prompt.startswith(beginning) and answers:
                return answers.pop(0)
        for beginning, answer in self.setup.items():
            if prompt.startswith(beginning):
                return answer
        if self.looks and self.chance.random() < 0.2:
            return self.chance.choice(self.looks)
        if prompt.startswith("your claim"):
            return self.chance.choice(("gold", "stone"))
        if prompt.startswith("your move"):
            if not self.typed or self.typed[-1] != "moves":
                return "moves"
            listed = re.findall(r"^m(\d+) ", self.screen().rpartition("moves\n")[2] or self.screen(), re.MULTILINE)
            return f"m{self.chance.randint(1, int(listed[-1]))}"
        if prompt.startswith("Another game"):
            return "no"
        raise AssertionError(f"a prompt that the scripted person does not know: {prompt!r}")


def typed_by_number(choice: Choice, move: Action) -> str:
    """A legal move as a person types it who goes by the numbers of his cards."""
    told = choice.take_apart(str(move))
    number = list(choice.hand).index(told.card) + 1 if told.card else 0
    whom = "me" if told.target == choice.seat else choice.names[told.target or 0]
    return {
        LAY: f"{number} at {told.cell}{' turned' * told.turned}",
        REMOVE: f"{number} {told.cell}",
        LOOK: f"{number} {told.place}",
        AIM: f"{number} on {whom} {told.tool}",
        CLAIM: told.said,
        ACCUSE: f"accuse {whom}",
        ASK: f"ask for the {told.tool}",
        DISCARD: f"discard {number}",
    }.get(told.kind, str(number))
