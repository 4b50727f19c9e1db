"""Tunnels in words, for those who hear a drawing."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from molehunt.core.words import joined

EDGE_WORDS = {"N": "up", "E": "right", "S": "down", "W": "left"}


def in_order(some: Collection[str], order: Iterable[str]) -> tuple[str, ...]:
    """A set of names in a given order, so that a drawing does not depend on hashes."""
    return tuple(word for word in order if word in some)


def tunnel_sentence(edges: str, is_joined: bool) -> str:
    """A path card in words: "a tunnel open up and down", "a dead-end, blocked inside, open up"."""
    kind = "a tunnel open" if is_joined else "a dead-end, blocked inside, open"
    return f"{kind} {joined(EDGE_WORDS[edge] for edge in edges)}"
