"""Card sets of Clue as data: three categories of named cards, each with a short code.

An edition is a JSON file: {"title": ..., "suspects": {name: code, ...}, "weapons": {...}, "locations": {...}}; any names, any
counts. A card's number counts through suspects, weapons and locations; a set of cards is a bit mask of these numbers.
"""

from __future__ import annotations

import difflib
import functools
import json
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from molehunt.core.errors import BadInput, BadNotation
from molehunt.core.language import _, later

CATEGORIES = ("suspects", "weapons", "locations")
SINGULAR = ("suspect", "weapon", "location")
BUILT_IN = ("report", "contest", "small", "clue", "cluedo", "clue-2016", "master-detective", "discover")
"""The card sets of the report, of the contest, and one for small games; and those of editions of the board game."""
BOARD_EDITIONS = ("clue-2016", "clue", "cluedo", "discover", "master-detective")
"""The editions of the board game, which families have; the one that is sold now before all."""
MAX_CARDS = 31
MIN_CARDS = 2


@dataclass(frozen=True)
class Edition:
    """A set of cards. `names` and `codes` are by card number, `counts` by category."""

    name: str
    title: str
    names: tuple[str, ...]
    codes: tuple[str, ...]
    counts: tuple[int, int, int]

    def first(self, category: int) -> int:
        """The number of the first card of a category."""
        return sum(self.counts[:category])

    def cards(self, category: int) -> range:
        """The card numbers of a category."""
        return range(self.first(category), self.first(category) + self.counts[category])

    def category(self, card: int) -> int:
        """The category of a card."""
        return next(category for category in range(3) if card in self.cards(category))

    def mask(self, names: list[str]) -> int:
        """The set of the cards with these exact names."""
        return sum(1 << self.names.index(name) for name in names)

    def find(self, text: str, category: int | None = None) -> int:
        """The card that a forgiving text means: its name, its code, or a part that only one card has.

        `peacock`, `mrs p`, `Pe` and `Mrs Peacock` are one card, and so are `Grün`, `gruen` and `grun`. A name that is written
        just so is its card. BadNotation where no card or more than one is meant.
        """
        wanted = spellings(text)
        pool = range(len(self.names)) if category is None else self.cards(category)
        if text in self.names and (exact := self.names.index(text)) in pool:
            return exact
        spelled = {card: spellings(self.names[card]) for card in pool}
        # The whole name, else the code, else what only one card begins with, else what is within the words of only one.
        for found in (
            [card for card in pool if spelled[card] & wanted],
            [card for card in pool if self.codes[card].lower() in wanted],
            [card for card in pool if any(_words_start(name, each) for name in spelled[card] for each in wanted)],
            [card for card in pool if any(_is_within(name, each) for name in spelled[card] for each in wanted)],
        ):
            if len(found) == 1:
                return found[0]
            if found:
                raise BadNotation(
                    _(
                        "{text} may be {cards}; write more of it",
                        text=f"{text!r:.40}",
                        cards=f" {_('or')} ".join(map(self.said, found)),
                    )
                )
        raise BadNotation(
            _(
                "no {what} is called {text}; there are {cards}",
                what=_(later("card") if category is None else SINGULAR[category]),
                text=f"{text!r:.40}",
                cards=", ".join(map(self.said, pool)),
            )
        )

    def said(self, card: int) -> str:
        """The name of a card in the language that is spoken; `names` are those of the notation."""
        return _(self.names[card])


LEAST_PART = 4
"""Letters of a part of a word that is no beginning, as `halle` of `Eingangshalle`."""
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa"})


@functools.lru_cache(4096)
def spellings(text: str) -> frozenset[str]:
    """How a text may be written in small letters without signs: letters with marks written out (`gruen`), or as those without.

    None for a text without letters and digits.
    """
    small = unicodedata.normalize("NFC", text).lower()
    bare = "".join(
        sign for sign in unicodedata.normalize("NFKD", small.replace("ß", "ss")) if not unicodedata.combining(sign)
    )
    kept = (
        "".join(sign for sign in each if sign.isalnum() or sign == " ")
        for each in (small.translate(_WRITTEN_OUT), bare)
    )
    return frozenset(" ".join(each.split()) for each in kept) - {""}


def _words_start(name: str, wanted: str) -> bool:
    """Whether every word of `wanted` begins a word of `name`, in order."""
    words = iter(name.split())
    return all(any(word.startswith(part) for word in words) for part in wanted.split())


def _is_within(name: str, wanted: str) -> bool:
    """Whether `wanted` stands anywhere within a word of `name`."""
    return len(wanted) >= LEAST_PART and any(wanted in word for word in name.split())


def read_edition(name: str, text: str) -> Edition:
    """The edition of a JSON text; BadInput says what is wrong with it."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"the card set {name} is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise BadInput(f"the card set {name} must be an object with title, suspects, weapons and locations")
    names: list[str] = []
    codes: list[str] = []
    counts = []
    for category in CATEGORIES:
        cards = data.get(category)
        if not isinstance(cards, dict) or not all(isinstance(code, str) for code in cards.values()):
            raise BadInput(f"the card set {name}: {category} must map names of cards to codes")
        if len(cards) < MIN_CARDS:
            raise BadInput(f"the card set {name} needs at least {MIN_CARDS} {category}, not {len(cards)}")
        names += cards
        codes += cards.values()
        counts.append(len(cards))
    if len(names) > MAX_CARDS:
        raise BadInput(f"the card set {name} has {len(names)} cards; at most {MAX_CARDS} can be played with")
    for kind, values in (
        ("name", [min(spellings(card), default="") for card in names]),
        ("code", [code.lower() for code in codes]),
    ):
        twice = next((value for value in values if values.count(value) > 1 or not value), None)
        if twice is not None:
            raise BadInput(f"the card set {name}: the {kind} {twice!r} must be given once, and not be empty")
    if any("," in card for card in names):
        raise BadInput(f"the card set {name}: a name may hold no comma, because commas separate cards in moves")
    return Edition(name, str(data.get("title", name)), tuple(names), tuple(codes), (counts[0], counts[1], counts[2]))


def _package_text(file: str) -> str:
    return resources.files("molehunt.games.speed_clue").joinpath("data", file).read_text("utf-8")


@cache
def load_edition(name: str) -> Edition:
    """A built-in edition by its name, or one from a JSON file by its path; BadInput says what is wrong."""
    if name in BUILT_IN:
        return read_edition(name, _package_text(f"{name}.json"))
    try:
        text = Path(name).read_text("utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"the card set {name!r:.80} is not a text file") from None
    except (OSError, ValueError):  # ValueError: a name that no file can have
        meant = "-".join(name.lower().split())
        if meant in BUILT_IN:
            return load_edition(meant)
        close = difflib.get_close_matches(meant, BUILT_IN, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise BadInput(
            f"there is no card set {name!r:.80}{hint}; built in are {', '.join(BUILT_IN)}, or name a JSON file"
        ) from None
    return read_edition(name, text)


@cache
def listed_deals() -> dict[tuple[int, int], dict[str, Any]]:
    """The deals of the report's appendix B by (deal, players): their envelope and hands, as names."""
    return {(deal["deal"], deal["players"]): deal for deal in json.loads(_package_text("deals.json"))["deals"]}


def even_deal(cards: int, players: int, first: int = 0) -> tuple[int, ...]:
    """The hand sizes where `first` was dealt the first card."""
    return tuple((cards + players - 1 - (player - first) % players) // players for player in range(players))
