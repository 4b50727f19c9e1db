"""Tunnels and lists in words, for those who hear a drawing."""

from __future__ import annotations

from collections.abc import Collection, Iterable

EDGE_WORDS = {"N": "up", "E": "right", "S": "down", "W": "left"}


def listed(words: Iterable[str]) -> str:
    """Words as a list in a sentence: "a", "a and b", "a, b and c"; "nothing" for none."""
    *head, last = list(words) or ["nothing"]
    return f"{', '.join(head)} and {last}" if head else last


def in_order(some: Collection[str], order: Iterable[str]) -> tuple[str, ...]:
    """A set of names in a given order, so that a drawing does not depend on hashes."""
    return tuple(word for word in order if word in some)


def tunnel_sentence(edges: str, joined: bool) -> str:
    """A path card in words: "a tunnel open up and down", "a dead-end, blocked inside, open up"."""
    kind = "a tunnel open" if joined else "a dead-end, blocked inside, open"
    return f"{kind} {listed(EDGE_WORDS[edge] for edge in edges)}"


def capital(words: str) -> str:
    """A sentence with its first letter in upper case."""
    return words[:1].upper() + words[1:]
