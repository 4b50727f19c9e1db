"""A scripted person at the terminal table of Speed Clue: reads what is on the screen and answers the prompts."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Sequence

import pytest
from rich.console import Console

LOOKS = ("hand", "sheet", "record", "rules", "cards", "help")
SUSPECTS = ("Miss Scarlett", "Colonel Mustard", "Doctor Orchid", "Reverend Green", "Mrs Peacock", "Professor Plum")
WEAPONS = ("Candlestick", "Dagger", "Lead Pipe", "Revolver", "Rope", "Wrench")
LOCATIONS = (
    "Ballroom",
    "Billiard Room",
    "Conservatory",
    "Dining Room",
    "Hall",
    "Kitchen",
    "Library",
    "Lounge",
    "Study",
)
CATEGORIES = (SUSPECTS, WEAPONS, LOCATIONS)
CARDS = (*SUSPECTS, *WEAPONS, *LOCATIONS)


class Person:
    """Suggests random cards, shows a card that it may show, and accuses when its sheet names all three.

    `screen` gives all that was written so far. `looks` are commands that it gives before it answers, now and then.
    `wrong` maps a beginning of a prompt to what it answers there first, before what is right.
    """

    def __init__(
        self,
        screen: Callable[[], str],
        seed: int = 0,
        looks: Sequence[str] = (),
        wrong: dict[str, list[str]] | None = None,
        leave_after: int | None = None,
    ) -> None:
        self.screen = screen
        self.chance = random.Random(seed)
        self.looks = looks
        self.wrong = wrong or {}
        self.leave_after = leave_after
        self.prompts: list[str] = []
        self.typed: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if self.leave_after is not None and len(self.prompts) > self.leave_after:
            raise EOFError
        answer = self.answer(prompt)
        self.typed.append(answer)
        return answer

    def answer(self, prompt: str) -> str:
        for beginning, answers in self.wrong.items():
            if prompt.startswith(beginning) and answers:
                return answers.pop(0)
        if self.looks and self.chance.random() < 0.3:
            return self.chance.choice(self.looks)
        if prompt.startswith(("suggest or accuse", "suggest >")):
            return self.turn()
        if prompt.startswith("accuse or end"):
            return "" if self.chance.random() < 0.5 else "end"
        if prompt.startswith("show"):
            offer = re.findall(r"You can disprove it with (.*?)\.\s", self.screen().replace("\n", " ") + " ")[-1]
            cards = [card.partition(" (")[0] for card in re.split(r", | or ", offer)]
            return self.chance.choice(cards)
        if "(yes or no)" in prompt:
            return "yes"
        if "suspect" in prompt:
            return self.chance.choice(SUSPECTS)
        if "weapon" in prompt:
            return self.chance.choice(WEAPONS)
        if "location" in prompt:
            return self.chance.choice(LOCATIONS)
        if prompt.startswith("Another game"):
            return "no"
        if prompt.startswith("Enter deals"):
            return ""
        raise AssertionError(f"a prompt that the scripted person does not know: {prompt!r}")

    def turn(self) -> str:
        known = re.findall(r"Still possible: (.*?)\.\s", self.screen().replace("\n", " ") + " ")
        if known:
            cards = known[-1].split(", ")
            if all(card in CARDS for card in cards):
                return f"accuse {known[-1]}"
        if self.chance.random() < 0.2:
            return "suggest"
        return "suggest " + ", ".join(self.chance.choice(category) for category in CATEGORIES)


class Screen:
    """A console that keeps what was written on it."""

    def __init__(self) -> None:
        self.file = io.StringIO()
        self.console = Console(file=self.file, highlight=False, width=200)

    def __call__(self) -> str:
        return self.file.getvalue()


class Spoken:
    """What the program has printed so far."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.text = ""

    def __call__(self) -> str:
        self.text += self.capsys.readouterr().out
        return self.text
