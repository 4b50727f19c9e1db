"""Whether a game deals as `molehunt.Game` promises: by its seed alone, and as often as `resample` draws it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any, NoReturn, TypeAlias

import numpy as np

from molehunt.core.errors import BadInput
from molehunt.core.game import Game
from molehunt.core.streams import game_seeds
from molehunt.core.words import counted

Fail: TypeAlias = Callable[[str, str], NoReturn]
"""Called with a method of the game and what it does not keep."""
DEALS = 500
"""So many deals are compared with as many that are drawn from what a seat sees of them."""
ALONE = 40
"""That so many deals are drawn which are never dealt, and as likely, has a chance of 1 in 2**40."""
SURE = 6.0
"""Standard errors from which on that is no chance."""


def look_at_deals(game: Game, seeds: Any, seed: int, random: np.random.Generator, fail: Fail) -> None:
    """Whether deals are functions of their seeds, are those that `resample` draws, and have probabilities where they are listed."""
    dealt = game.new(seeds)
    if dealt.tobytes() != game.new(seeds).tobytes():
        fail("new", "the same seeds deal other games the second time; a game is a function of its seed")
    for at in range(len(seeds)):
        if game.new(seeds[at : at + 1]).tobytes() != dealt[at : at + 1].tobytes():
            fail("new", f"seed {seeds[at]} deals another game alone than among others")
    try:
        states, chances = game.deals()
    except BadInput:
        _look_at_possible(game, seed, random, fail)
        return
    if not are_chosen(game, states, random):
        _look_at_possible(game, seed, random, fail)
    if np.shape(chances) != (len(states),) or not np.isclose(np.sum(chances), 1) or np.min(chances) < 0:
        fail("deals", f"the probabilities of {counted(len(states), 'deal')} are none, or do not sum to 1")
    if type(game).as_listed is not Game.as_listed:  # hands are dealt in orders that the list does not tell apart
        return
    streams = unused_streams(states)
    listed = {without_streams(state, streams) for state in states}
    missing = sum(without_streams(state, streams) not in listed for state in dealt)
    if missing:
        fail(
            "deals",
            f"{missing} of {counted(len(dealt), 'deal')} that new makes are none of the {len(listed)} that are listed",
        )


def _look_at_possible(game: Game, seed: int, random: np.random.Generator, fail: Fail) -> None:
    """Compare deals with what is drawn from the views of them: over many deals each comes about as often.

    Where deals are many, most come once, and nothing is said.
    """
    dealt = game.new(game_seeds(seed, 1, DEALS))
    first = Counter(without_streams(state) for state in dealt)
    once = sum(count == 1 for count in first.values())
    if once > DEALS / 10:
        return
    for seat in range(game.seats):
        views = game.views(dealt, np.full(DEALS, seat, np.int8))
        drawn = game.resample(views, random.integers(1 << 62, size=DEALS, dtype=np.uint64))
        again = Counter(without_streams(state) for state in drawn)
        never = sum(count for word, count in again.items() if word not in first)
        # A deal that comes n times, dealt or drawn, is never dealt with a chance of 1 in 2**n.
        times = (first + again).values()
        expected = sum(count / 2.0**count for count in times)
        if never > expected + SURE * sum(count**2 / 2.0**count for count in times) ** 0.5 + ALONE:
            fail(
                "resample",
                f"of {DEALS} deals drawn from what seat {seat} sees as they begin, {never} are none that new ever deals",
            )
        for word in first:
            if abs(first[word] - again[word]) > SURE * (first[word] + again[word]) ** 0.5:
                fail(
                    "resample",
                    f"of {DEALS} deals {first[word]} are one that is drawn {again[word]} times from what seat {seat} sees of "
                    "them: all that agree with a view are as likely as they are dealt",
                )


def are_chosen(game: Game, listed: Any, random: np.random.Generator) -> bool:
    """Whether each listed deal is told by a first view of it, and others are drawn from that.

    So it is with a deal of a report: the seats are not taken to know that it is this one.
    """
    for seat in range(game.seats):
        views = game.views(listed, np.full(len(listed), seat, np.int8))
        if len({view.tobytes() for view in views}) < len(views):
            return False
        drawn = game.resample(views, random.integers(1 << 62, size=len(views), dtype=np.uint64))
        seats = np.arange(game.seats, dtype=np.int8)
        rows = np.repeat(np.arange(len(views)), game.seats)
        seen = [game.as_listed(game.views(each, np.tile(seats, len(views)), rows)) for each in (listed, drawn)]
        if seen[0].tobytes() == seen[1].tobytes():
            return False
    return True


def unused_streams(states: Any) -> set[str]:
    """The words of 64 bits that are 0 in listed deals, and in what comes of them: random streams, which these do not use."""
    return {
        name for name in states.dtype.names or () if states.dtype[name].base == np.uint64 and not states[name].any()
    }


def without_streams(state: Any, streams: Collection[str] | None = None) -> bytes:
    """A state as bytes, without its random streams: the fields of these names, else those of 64 bits that are called so.

    Not all words of 64 bits are: sets of cards are kept in such, too.
    """
    names = [
        name
        for name in state.dtype.names or ()
        if (name not in streams if streams is not None else "stream" not in name or state.dtype[name].base != np.uint64)
    ]
    return b"".join(np.asarray(state[name]).tobytes() for name in names)
