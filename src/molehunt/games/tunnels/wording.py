"""Tunnels in words, for those who hear a drawing."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from molehunt.core.language import _, counted_in, later
from molehunt.core.places import place_said, side_said
from molehunt.core.words import joined

EDGE_WORDS = {"N": later("up"), "E": later("right"), "S": later("down"), "W": later("left")}


def in_order(some: Collection[str], order: Iterable[str]) -> tuple[str, ...]:
    """A set of names in a given order, so that a drawing does not depend on hashes."""
    return tuple(word for word in order if word in some)


def looked_sentence(goals: Collection[str]) -> str:
    """Which goals somebody has looked at, as a part of a sentence."""
    places = joined(place_said(goal) for goal in goals)
    return counted_in("has looked at the {places} goal", "has looked at the {places} goals", len(goals), places=places)


def deck_sentence(left: int) -> str:
    """How many cards the deck has left."""
    return counted_in("{n} card in the deck", "{n} cards in the deck", left)


def tunnel_sentence(edges: str, is_joined: bool) -> str:
    """A path card in words: "a tunnel open up and down", "a dead-end, blocked inside, open up"."""
    sides = joined(side_said(EDGE_WORDS[edge]) for edge in edges)
    if is_joined:
        return _("a tunnel open {sides}", sides=sides)
    return _("a dead-end, blocked inside, open {sides}", sides=sides)
