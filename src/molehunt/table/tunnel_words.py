"""What both games of tunnels say alike: a tunnel's short name for people, and who does what to whom.

A reader is `you`; a watcher reads the names of all. `names` are by seat, `seat` is the reader's, None for a watcher.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from molehunt.core.words import capital
from molehunt.games.tunnels.wording import EDGE_WORDS, in_order

_STRAIGHT = ("NS", "EW")
_SPOKEN_ORDER = "NSWE"
_SHAPES = {1: "dead end", 2: "bend", 3: "T-junction", 4: "crossing"}
_IRREGULAR = {"is": "are", "has": "have"}

HIDDEN = "?"
"""The card of a move that the reader may not know."""

LAY, REMOVE, LOOK, CLAIM, AIM, ALONE, DISCARD = "lay", "remove", "look", "claim", "aim", "alone", "discard"
"""Kinds of moves: lay a tunnel, take one away, look at a goal, say what one saw there, play a card on somebody's tools, play a
card that needs no aim, discard a card."""

GROUPS = {
    LAY: "Lay a tunnel",
    REMOVE: "Take a tunnel away",
    LOOK: "Look at a goal",
    CLAIM: "Say what you saw",
    AIM: "Play a card on tools",
    ALONE: "Play a card",
    DISCARD: "Discard",
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
    straight = edges in _STRAIGHT
    shape = "straight tunnel" if straight and joined else "straight" if straight else _SHAPES[len(edges)]
    dead = "" if joined or len(edges) == 1 else "dead-end "
    directions = (
        ""
        if len(edges) == len(EDGE_WORDS)
        else " " + "-".join(EDGE_WORDS[edge] for edge in in_order(edges, _SPOKEN_ORDER))
    )
    return dead + shape + directions


def name_of(who: int, names: Sequence[str], seat: int | None) -> str:
    """Who sits there: `you` for the reader."""
    return "you" if who == seat else names[who]


def does(who: int, verb: str, names: Sequence[str], seat: int | None) -> str:
    """The beginning of a sentence: "Bob breaks", "You break". `verb` is as it is for Bob."""
    if who != seat:
        return f"{names[who]} {verb}"
    return f"You {_IRREGULAR.get(verb, verb.removesuffix('s'))}"


def whose(owner: int, mover: int, names: Sequence[str], seat: int | None) -> str:
    """Whose tool a mover plays on: "Ann's", "your", "your own", "Bob's own"."""
    owned = "your" if owner == seat else f"{names[owner]}'s"
    return f"{owned} own" if owner == mover else owned


def sentences(*parts: str) -> str:
    """The parts that say something, each with a capital and a full stop."""
    return " ".join(f"{capital(part)}." for part in parts if part)
