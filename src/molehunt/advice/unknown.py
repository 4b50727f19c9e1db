"""Which word of a line that somebody typed is not understood: none that is known, or one that may mean several."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from molehunt.advice.deal import ENVELOPE_WORDS, ME, NOBODY_WORDS, UNKNOWN, Ambiguous, Deal
from molehunt.core.errors import BadInput
from molehunt.core.language import _, later, spoken_words
from molehunt.core.words import capital, joined
from molehunt.games.speed_clue.edition import LEAST_PART, spellings

YES, NO = later("yes y right true"), later("no n wrong false")
"""Words that may be typed for yes and for no: read by `spoken_words`."""

Find = Callable[[str], int]
"""The number of what a text means; BadInput where it means nothing, or several."""


def what_is_wrong(words: Sequence[str], usage: str, deal: Deal, find_place: Find) -> BadInput:
    """What is wrong with a line that begins with a player: the first word that is not understood, or, if all are, `usage`."""
    if words:
        try:
            find_place(words[0])
        except BadInput as error:
            return BadInput(_("{wrong}. {usage}", wrong=error, usage=capital(usage)))
    for word in words[1:]:
        if not _is_known(word, deal):
            typed, players = f"{word!r:.40}", joined(deal.names, "or")
            return BadInput(
                _(
                    "{word} is unknown: no card, and none of {players}; cards lists all cards",
                    word=typed,
                    players=players,
                )
            )
    finds = (find_place, deal.find_card)
    for place, word in enumerate(words[1:], start=1):
        beside = (words[place - 1 : place + 1], words[place : place + 2])
        if not any(_is_meant(" ".join(some), finds) for some in ([word], *beside)):
            return _doubt(word, finds)
    return BadInput(usage)


def _is_known(word: str, deal: Deal) -> bool:
    """Whether a word begins a name of a player, or any word of a card's, or means something else here."""
    lower = word.lower()
    if lower == UNKNOWN or any(lower in spoken_words(words) for words in (ME, ENVELOPE_WORDS, NOBODY_WORDS, YES, NO)):
        return True
    cards = (*deal.edition.names, *map(deal.edition.said, range(len(deal.edition.names))))
    parts = [part for name in (*deal.names, *cards) for part in name.lower().split()]
    plain = [part for name in (*deal.names, *cards) for each in spellings(name) for part in each.split()]
    codes = [code.lower() for code in deal.edition.codes]
    written = spellings(word)
    return (
        lower in codes
        or any(part.startswith(lower) for part in parts)
        or any(part.startswith(each) for part in plain for each in written)
        or any(len(each) >= LEAST_PART and each in part for part in plain for each in written)
    )


def _is_meant(text: str, finds: Sequence[Find]) -> bool:
    """Whether a text means one player, card or something else, and not perhaps several."""
    if text == UNKNOWN or any(text.lower() in spoken_words(words) for words in (NOBODY_WORDS, YES, NO)):
        return True
    for find in finds:
        try:
            find(text)
        except BadInput:
            continue
        return True
    return False


def _doubt(word: str, finds: Sequence[Find]) -> BadInput:
    """What a word that is known may mean."""
    told = []
    for find in finds:
        try:
            find(word)
        except BadInput as error:
            told.append(error)
    return next((error for error in told if isinstance(error, Ambiguous)), told[-1])
