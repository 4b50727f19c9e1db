"""Words as every front end puts them together, whatever the game: sentences, and lists in them."""

from __future__ import annotations

from collections.abc import Iterable


def capital(text: str) -> str:
    """A text that begins a sentence."""
    return text[:1].upper() + text[1:]


def as_sentence(text: str) -> str:
    """What is wrong, as an error says it, as a sentence of its own."""
    return capital(text) + ("" if text.endswith((".", "?", "!")) else ".")


def joined(words: Iterable[str], link: str = "and") -> str:
    """Words as a list in a sentence: `Alice, Bob and Carol`."""
    *most, last = words
    return f"{', '.join(most)} {link} {last}" if most else last
