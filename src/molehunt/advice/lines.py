"""The words of a line that a person types for the adviser, read as one value after another; and lines of cards alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from molehunt.advice.deal import find_card
from molehunt.core.errors import BadInput
from molehunt.core.language import _
from molehunt.games.speed_clue.edition import Edition

MAX_WORDS = 4
"""The most words of one name."""
Take = Callable[[str], Any]


def split(text: str) -> list[str]:
    """The words of a line; a comma stays with the word before it."""
    return re.sub(r"\s*,\s*", ", ", text).split()


def readings(words: Sequence[str], takes: Sequence[Take]) -> Iterator[tuple[Any, ...]]:
    """All ways to read words as one value after another, each of up to MAX_WORDS words; those of the shortest come first."""
    if not takes:
        if not words:
            yield ()
        return
    if len(words) > MAX_WORDS * len(takes):
        return
    for size in range(1, min(MAX_WORDS, len(words) - len(takes) + 1) + 1):
        text = " ".join(words[:size]).rstrip(",")
        if "," in text:
            return
        try:
            value = takes[0](text)
        except BadInput:
            continue
        for rest in readings(words[size:], takes[1:]):
            yield (value, *rest)


def read_hand(text: str, edition: Edition) -> tuple[int, ...]:
    """The cards of a hand, `Pl Ro mrs peacock, lead pipe`; BadInput says which is not understood."""
    words = split(text)
    found = cards_of(words, edition)
    if found:
        return found
    cards = [find_card(word.rstrip(","), edition) for word in words]
    twice = next((card for card in cards if cards.count(card) > 1), None)
    if twice is not None:
        raise BadInput(_("{card} is named twice", card=edition.said(twice)))
    raise BadInput(_("write your cards, by codes or parts of names: {example}", example=" ".join(edition.codes[:3])))


def cards_of(words: Sequence[str], edition: Edition, category: int | None = None) -> tuple[int, ...] | None:
    """Cards that words name, in the order of their numbers; None where they cannot be read so, or a card is named twice."""

    def read(rest: Sequence[str], cards: tuple[int, ...]) -> tuple[int, ...] | None:
        if not rest:
            return cards
        for size in range(1, min(MAX_WORDS, len(rest)) + 1):
            name = " ".join(rest[:size]).rstrip(",")
            if "," in name:
                return None
            try:
                card = find_card(name, edition, category)
            except BadInput:
                continue
            # One card is not named twice: `mrs peacock` is one card, though each of its words would do.
            found = None if card in cards else read(rest[size:], (*cards, card))
            if found is not None:
                return found
        return None

    found = read(words, ()) if len(words) <= MAX_WORDS * len(edition.names) else None
    return None if found is None else tuple(sorted(found))


def read_number(text: str) -> float:
    """A number of turns, `2` or `1.5`; BadInput where it is none."""
    try:
        return float(text)
    except ValueError:
        typed = f"{text!r:.40}"
        raise BadInput(
            _("write how many turns a player takes for a suggestion, or no, not {text}", text=typed)
        ) from None
