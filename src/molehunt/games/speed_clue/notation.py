"""Moves of Speed Clue as people write them.

`suggest Mrs Peacock, Rope, Hall`, `accuse Mrs Peacock, Rope, Hall`, `show Rope`, `end`; `show ?` for a card that the reader may
not know. Short codes (`suggest Pe Ro Ha`) and parts of names (`show peac`) are read, too; full names are written.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations

from molehunt.core.errors import BadNotation
from molehunt.core.language import _
from molehunt.games.speed_clue.actions import ACCUSE, END, HIDDEN_CARD, PLAY_SHIFT, SHOW, SUGGEST, TRIPLE
from molehunt.games.speed_clue.edition import CATEGORIES, Edition
from molehunt.games.speed_clue.state import DISPROVER_SHIFT, SHOWN_SHIFT, SUGGESTER_SHIFT

WORDS = {"suggest": SUGGEST, "accuse": ACCUSE, "show": SHOW, "end": END}


def pack(play: int, *cards: int) -> int:
    """The action as an int; the layout is in `actions`."""
    return play << PLAY_SHIFT | sum(card << 5 * place for place, card in enumerate(cards))


def pack_entry(cards: Sequence[int], suggester: int, disprover: int, shown: int | None) -> int:
    """A suggestion as a record holds it; the layout is in `state`, and `rules.entry_of` is the same for kernels."""
    told = 0 if shown is None else shown + 1
    return pack(0, *cards) | suggester << SUGGESTER_SHIFT | disprover << DISPROVER_SHIFT | told << SHOWN_SHIFT


def triple_of(action: int) -> tuple[int, int, int]:
    """The three cards packed in an action or a record entry."""
    return action & 31, action >> 5 & 31, action >> 10 & 31


def format_triple(packed: int, edition: Edition) -> str:
    """Three packed cards as names, with commas."""
    return ", ".join(edition.names[card] for card in triple_of(packed))


@lru_cache(maxsize=1 << 14)
def format_action(action: int, edition: Edition) -> str:
    """An action in notation; an int that is no action comes out as `action 123`."""
    play = action >> PLAY_SHIFT
    cards = triple_of(action)
    if play in (SUGGEST, ACCUSE) and all(card in edition.cards(place) for place, card in enumerate(cards)):
        return f"{'suggest' if play == SUGGEST else 'accuse'} {format_triple(action, edition)}"
    if play == SHOW and action & TRIPLE == HIDDEN_CARD:
        return "show ?"
    if play == SHOW and action & TRIPLE < len(edition.names):
        return f"show {edition.names[cards[0]]}"
    if play == END and not action & TRIPLE:
        return "end"
    return f"action {action}"


def parse_action(text: str, edition: Edition) -> int:
    """The action that a notation means; BadNotation says what would be right. Whether it is legal is not asked."""
    word, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    if word not in WORDS:
        close = difflib.get_close_matches(word, WORDS, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        example = ", ".join(edition.names[edition.first(place)] for place in range(3))
        raise BadNotation(f"{text!r:.60} is not a move{hint}; moves are suggest or accuse {example}, show CARD, end")
    if word == "end":
        if rest:
            raise BadNotation(f"{text!r:.60}: nothing comes after end")
        return pack(END)
    if word == "show":
        return pack(SHOW, HIDDEN_CARD if rest == "?" else edition.find(rest))
    return pack(WORDS[word], *parse_triple(rest, edition))


def parse_triple(text: str, edition: Edition) -> tuple[int, int, int]:
    """A suspect, a weapon and a location, with commas between them or as three codes; in any order."""
    parts = [part.strip() for part in (text.split(",") if "," in text else text.split())]
    if len(parts) != len(CATEGORIES):
        raise BadNotation(
            _("{text} must name a suspect, a weapon and a location, with commas between them", text=f"{text!r:.60}")
        )
    readings: list[tuple[int, int, int]] = []
    for suspect, weapon, location in permutations(parts):
        try:
            readings.append((edition.find(suspect, 0), edition.find(weapon, 1), edition.find(location, 2)))
        except BadNotation:
            continue
        if len(readings) == 1 and (suspect, weapon, location) == tuple(parts):
            return readings[0]
    if len(set(readings)) == 1:
        return readings[0]
    # There is no such reading, or more than one. The first part that is no card is named, if there is one.
    for part in parts:
        edition.find(part)
    raise BadNotation(_("{text} must name one suspect, one weapon and one location", text=f"{text!r:.60}"))
