"""Rooms on a board: a suggestion that names another than the one in which its player is said to stand is pointed out.

It is no contradiction: they may have gone on since. But nobody suggests elsewhere than where they stand, so an entry may be wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

from molehunt.advice.deal import Deal
from molehunt.advice.entries import LOCATION, Entry, Stands
from molehunt.advice.sentences import entry_in_words
from molehunt.core.language import _
from molehunt.games.speed_clue.suggestions import HeardSuggestion


def room_remark(deal: Deal, entries: Sequence[Entry], number: int, reached: Sequence[int] = ()) -> str:
    """What is odd about the room of a suggestion, entry `number`, in sentences; nothing where all is well.

    reached: the rooms that I said I could be in, where it is mine; none where I said nothing.
    """
    made = entries[number - 1]
    room = made.cards[LOCATION] if isinstance(made, HeardSuggestion) else None
    if not isinstance(made, HeardSuggestion) or room is None:
        return ""
    if made.by == deal.me and reached and room not in reached:
        where = _("You said that you can be in {rooms}", rooms=deal.cards(reached, "or"))
    else:
        stood = _stood(entries[: number - 1], made.by)
        if stood is None or stood[1].room == room:
            return ""
        said, entry = stood
        where = _("{entry} (entry {number})", entry=entry_in_words(entry, deal), number=said)
    return _(
        "{where}, and this suggestion names {room}. On a board one names the room in which one stands: "
        "correct it, if anything of this is wrong.",
        where=where,
        room=deal.cards([room]),
    )


def _stood(entries: Sequence[Entry], player: int) -> tuple[int, Stands] | None:
    """The last entry, with its number, that says where a player stands, if they have not suggested since."""
    for number in range(len(entries), 0, -1):
        entry = entries[number - 1]
        if isinstance(entry, HeardSuggestion) and entry.by == player:
            return None  # after that turn they went on
        if isinstance(entry, Stands) and entry.player == player:
            return number, entry
    return None
