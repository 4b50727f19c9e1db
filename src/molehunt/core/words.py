"""Words as everybody puts them together: sentences, lists in them, numbers of things. Nothing here knows a game."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from molehunt.core.language import _, counted_in


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


def things(number: int, one: str, more: str = "") -> str:
    """What so many of a thing are called: `card`, `cards`, `maluses`."""
    return one if number == 1 else more or f"{one}s"


def counted(number: int, one: str, more: str = "") -> str:
    """A number of things: `1 card`, `12 cards`, `2 maluses`."""
    return f"{number} {things(number, one, more)}"


def met_in_words(games: int) -> str:
    """That a player has met the others in so many games before, and what of that is in what it believes."""
    return counted_in(
        "What it believes of their habits also comes from {n} earlier game with them.",
        "What it believes of their habits also comes from {n} earlier games with them.",
        games,
    )


_SAMPLE = re.compile(r"1(\D)234(\D)5")


def number_said(value: float, form: str) -> str:
    """A number as people write it, `form` as in a format string: `1.12` by `.2f`, in German `1,12`. Nothing is `-0.00`."""
    # For translators: how a large number with a place after its point is written; its signs are those of all numbers.
    sample = _SAMPLE.search(_("1,234.5"))
    written = f"{value:{form}}"
    if written.startswith("-") and not written.strip("-0.,"):
        written = ("+" if "+" in form else "") + written[1:]
    return written if sample is None else written.translate({ord(","): sample[1], ord("."): sample[2]})


SURE = 1e-12
"""What chances that add up to 1 may miss by rounding."""


def percent_said(chance: float) -> str:
    """A chance from 0 to 1 in whole percents, halves up, as the pages write it, too: `41 %`.

    Only what is impossible is said to be 0 %, and only what is certain (but for SURE) 100 %.
    """
    percents = math.floor(100 * chance + 0.5)
    if percents < 1 and chance > 0.0:
        return "<1 %"
    if percents > 99 and chance < 1.0 - SURE:
        return ">99 %"
    return f"{percents} %"


def rate_said(rate: float) -> str:
    """A rate from 0 to 1 in percent with one digit, as tables of results write it: `41.0 %`.

    What has happened once is not said to have happened never, and what has failed once not always: `<0.1 %`, `>99.9 %`.
    """
    if 0.0 < rate < 0.0005:
        return "<0.1 %"
    if 0.9995 <= rate < 1.0 - SURE:
        return ">99.9 %"
    return f"{100 * rate:.1f} %"


MOST_DIGITS = 15


def amount(number: int) -> str:
    """A number for people: `100,000`; where nobody would read all digits, its size: `about 2.0 x 10^90`."""
    if number < 10**MOST_DIGITS:
        return number_said(number, ",")
    digits = str(number)
    return _("about {number} x 10^{power}", number=number_said(int(digits[:2]) / 10, ".1f"), power=len(digits) - 1)
