"""Words as everybody puts them together: sentences, lists in them, numbers of things. Nothing here knows a game."""

from __future__ import annotations

from collections.abc import Iterable

from molehunt.core.language import _


def capital(text: str) -> str:
    """A text that begins a sentence."""
    return text[:1].upper() + text[1:]


def as_sentence(text: str) -> str:
    """What is wrong, as an error says it, as a sentence of its own."""
    return capital(text) + ("" if text.endswith((".", "?", "!")) else ".")


def joined(words: Iterable[str], link: str = "and") -> str:
    """Words as a list in a sentence, `link` being "and" or "or": `Alice, Bob and Carol`; `nothing` for none."""
    *most, last = [*words] or [_("nothing")]
    if not most:
        return last
    listed = ", ".join(most)
    return (
        _("{listed} or {last}", listed=listed, last=last)
        if link == "or"
        else _("{listed} and {last}", listed=listed, last=last)
    )


def counted(number: int, one: str, more: str = "") -> str:
    """A number of things: `1 card`, `12 cards`, `2 maluses`."""
    return f"{number} {one if number == 1 else more or f'{one}s'}"


MOST_DIGITS = 15


def amount(number: int) -> str:
    """A number for people: `100,000`; where nobody would read all digits, its size: `about 2.0 x 10^90`."""
    if number < 10**MOST_DIGITS:
        return f"{number:,}"
    digits = str(number)
    return _("about {number} x 10^{power}", number=f"{digits[0]}.{digits[1]}", power=len(digits) - 1)
