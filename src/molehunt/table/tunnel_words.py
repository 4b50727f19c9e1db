"""What both games of tunnels say alike: a tunnel's short name for people, and who does what to whom.

A reader is `you`; a watcher reads the names of all. `names` are by seat, `seat` is the reader's, None for a watcher.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from molehunt.core.language import _, later
from molehunt.core.places import place_said, side_said
from molehunt.core.words import capital
from molehunt.games.tunnels.wording import EDGE_WORDS, in_order

_STRAIGHT = ("NS", "EW")
_SPOKEN_ORDER = "NSWE"
_SHAPES = {1: later("dead end"), 2: later("bend"), 3: later("T-junction"), 4: later("crossing")}
_DEAD_ENDS = {
    1: later("dead end"),
    2: later("dead-end bend"),
    3: later("dead-end T-junction"),
    4: later("dead-end crossing"),
}
_STRAIGHTS = {True: later("straight tunnel"), False: later("dead-end straight")}

_CODE = re.compile(r"^(?:[PD]_[NESW]+|\d+(?:_flip)?)(?: \w+)?, ")
_KIND_OF_STONE = re.compile(r" \(rock[12]\)")
_STONE = re.compile(r"\brock[12]\b")
"""Which of the two stones it is, as it stands in records: to people both are a stone."""

HIDDEN = "?"
"""The card of a move that the reader may not know."""

LAY, REMOVE, LOOK, CLAIM, AIM, ALONE, DISCARD = "lay", "remove", "look", "claim", "aim", "alone", "discard"
"""Kinds of moves: lay a tunnel, take one away, look at a goal, say what one saw there, play a card on somebody's tools, play a
card that needs no aim, discard a card."""
ACCUSE, ASK = "accuse", "ask"
"""What may be said before a card: that somebody is a saboteur, and that a tool be mended."""

GROUPS = {
    LAY: later("Lay a tunnel"),
    REMOVE: later("Take a tunnel away"),
    LOOK: later("Look at a goal"),
    CLAIM: later("Say what you saw"),
    AIM: later("Play a card on tools"),
    ALONE: later("Play a card"),
    DISCARD: later("Discard"),
    ACCUSE: later("Say something before your card"),
    ASK: later("Say something before your card"),
}
"""The heading under which moves of a kind are offered."""


@dataclass(frozen=True)
class Move:
    """A move taken apart: its kind and its card as notation names it, and what it is about; empty or None where it has none."""

    kind: str
    card: str = ""
    cell: str = ""
    turned: bool = False
    place: str = ""
    said: str = ""
    target: int | None = None
    tool: str = ""


def tunnel_title(edges: str, joined: bool) -> str:
    """The short name of a tunnel as it lies: "straight tunnel up-down", "dead-end bend down-right", "crossing".

    `edges` are the letters of its open edges, in the order NESW; a crossing needs no directions.
    """
    shape = _(_STRAIGHTS[joined] if edges in _STRAIGHT else (_SHAPES if joined else _DEAD_ENDS)[len(edges)])
    if len(edges) == len(EDGE_WORDS):
        return shape
    directions = "-".join(side_said(EDGE_WORDS[edge]) for edge in in_order(edges, _SPOKEN_ORDER))
    return f"{shape} {directions}"


def plain(sentence: str, title: str = "") -> str:
    """What a drawing says of a card or a cell, without the names of cards as they are written in records.

    "P_NS, a tunnel open up and down" is "A tunnel open up and down"; a card whose sentence is its name alone has its `title`.
    """
    said = as_stone(_CODE.sub("", sentence))
    return capital(title if said == sentence and title else said)


def as_stone(text: str) -> str:
    """The text with both kinds of stone as people call them."""
    return _STONE.sub(_("stone"), _KIND_OF_STONE.sub("", text))


def name_of(who: int, names: Sequence[str], seat: int | None) -> str:
    """Who sits there: `you` for the reader."""
    return _("you") if who == seat else names[who]


def told(you: str, other: str, who: int, names: Sequence[str], seat: int | None, **values: object) -> str:
    """What somebody does: `you` as it is said to the one who does it, else `other`, in which `{name}` does it. Both are `later`."""
    return _(you, **values) if who == seat else _(other, name=names[who], **values)


def discards(did: Callable[..., str], card: str | None) -> str:
    """Somebody discards a card, named as in a sentence, or one that the reader may not know (None); `did` as `told`, about them."""
    if card is None:
        return did(later("you discard a card"), later("{name} discards a card"))
    return did(later("you discard the {card}"), later("{name} discards the {card}"), card=card)


def looks(did: Callable[..., str], place: str, found: str | None) -> str:
    """Somebody looks at a goal, and what is found there, where the reader may know it."""
    if found is None:
        return did(
            later("you look at the {place} goal"), later("{name} looks at the {place} goal"), place=place_said(place)
        )
    return did(
        later("you look at the {place} goal: it is {what}"),
        later("{name} looks at the {place} goal: it is {what}"),
        place=place_said(place),
        what=_(found),
    )


def lays(did: Callable[..., str], card: str, cell: str) -> str:
    """Somebody lays a tunnel on a cell."""
    return did(later("you lay a {card} at {cell}"), later("{name} lays a {card} at {cell}"), card=card, cell=cell)


def group(kind: str) -> str:
    """The heading of moves of a kind."""
    return _(GROUPS[kind])


def sentences(*parts: str) -> str:
    """The parts that say something, each with a capital and a full stop."""
    return " ".join(f"{capital(part)}." for part in parts if part)
