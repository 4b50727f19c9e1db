"""Whether what `resample` draws in the middle of a play is what the seat can hold possible after all that it has seen.

Where a game lists its deals, all that can have been are grown beside a play: every deal, and every move that others may have made
in it, for as long as the seat would have seen the same. What is drawn is held to these states.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from math import ceil, inf, log
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput
from molehunt.core.game import Game, States
from molehunt.core.seats import NOBODY
from molehunt.core.words import counted
from molehunt.games.promised_deals import Fail, are_chosen, unused_streams, without_streams

MOST_FOLLOWED = 20_000
"""Where more deals are listed, none is followed."""
WORK = 100_000
"""So many states are drawn, or moved in, for one game: some seconds where the rules are plain Python."""
DRAWS, MOST_DRAWS = 1_000, 5_000
"""So many states are drawn from a view, and at most so many where some of the possible ones are rare."""
NO_CHANCE = -log(1e-12)
"""What has a chance of less than 1 in 10**12 is none: of all that is compared in a check nothing fails by chance."""
WALKS, STEPS = 2, 12
"""States are compared by so many ways of playing on, of so many moves each."""


@dataclass(frozen=True)
class Held:
    """At how many positions draws were held to what can have been; `why` says what was left out, and is empty if nothing was."""

    positions: int
    why: str = ""


def look_at_draws(
    game: Game, plays: int, random: np.random.Generator, fail: Fail, stand: Callable[[str], None]
) -> Held:
    """Follow a seat through each of some plays from listed deals, every seat once or more; `stand` is told where in a play it is.

    How likely a state is depends on the deals, and on how the others choose among their moves where these are not the same in all
    states: a hand of which one of two equal cards was played. There the move may have been as likely as one of all that could be
    made, or certain, and the chance of a state lies between two bounds.
    """
    try:
        states, chances = game.deals()
    except BadInput as error:
        return Held(0, str(error))
    if len(states) > MOST_FOLLOWED:
        return Held(0, f"{len(states):,} deals are listed, and at most {MOST_FOLLOWED:,} are followed")
    look = _Look(game, states[chances > 0], chances[chances > 0], random, fail)
    if are_chosen(game, look.deals, random):
        return Held(0, "the listed deals are chosen ones, which seats are not taken to know")
    number, broken_off = 0, 0
    while number < game.seats or (number < plays and look.work < WORK):
        broken_off += not look.follow(number % game.seats, WORK // game.seats, stand)
        number += 1
    return Held(
        look.positions,
        f"{broken_off} of {counted(number, 'play')} could have come about in too many ways" if broken_off else "",
    )


class _Look:
    """The listed deals of a game, and how much was looked at."""

    def __init__(
        self, game: Game, deals: States, chances: npt.NDArray[np.float64], random: np.random.Generator, fail: Fail
    ) -> None:
        self.game, self.deals, self.chances, self.random, self.fail = game, deals, chances / chances.sum(), random, fail
        self.positions = 0
        self.work = 0
        self.legal: dict[bytes, list[int]] = {}

    def follow(self, seat: int, most: int, stand: Callable[[str], None]) -> bool:
        """Play a deal at random, and hold what is drawn for a seat to what can have been; False where it took too much work."""
        game, end = self.game, self.work + most
        number = int(self.random.choice(len(self.deals), p=self.chances))
        true, texts = self.deals[number : number + 1].copy(), list[str]()
        # What the seat can hold possible: states, how likely each is by the deals, and by moves at random as well.
        kept = _equal(self.seen(self.deals, seat), self.seen(true, seat))
        beliefs, most_likely = self.deals[kept], self.chances[kept]
        least_likely = most_likely
        while True:
            after = ", ".join(texts[-4:]) if texts else "the deal"
            stand(f"in a game from deal {number} of those listed, after {after}")
            self.drawn(seat, true, beliefs, least_likely, most_likely)
            mover = int(game.to_move(true)[0])
            if mover == NOBODY or 0 < game.most_moves <= len(texts):
                return True
            codes = self.codes(self.seen(true, mover))
            action = codes[int(self.random.integers(len(codes)))]
            texts.append(game.format_action(action))
            told = game.apply(true, np.array([action], np.int32))
            rows, actions, choices = self.moves(beliefs, seat, action if mover == seat else None)
            self.work += len(rows)
            if self.work > end:
                return False
            beliefs = beliefs[rows]
            events = game.apply(beliefs, actions)
            kept = _equal(events[:, seat], told[:, seat]) & _equal(self.seen(beliefs, seat), self.seen(true, seat))
            beliefs, rows, choices = beliefs[kept], rows[kept], [choices[at] for at in np.flatnonzero(kept)]
            most_likely, least_likely = most_likely[rows], least_likely[rows]
            if len(set(map(tuple, choices))) > 1 or len(set(actions[kept].tolist())) > 1:
                least_likely = least_likely / [len(codes) for codes in choices]

    def moves(
        self, states: States, seat: int, own: int | None
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any], list[list[int]]]:
        """All that may be played next: rows, actions, among which; the seat knows its own move, None where it made none."""
        movers = self.game.to_move(states)
        rows, actions, choices = list[int](), list[int](), list[list[int]]()
        for mover in range(self.game.seats):
            here = np.flatnonzero(movers == mover)
            for row, view in zip(here, self.seen(states[here], mover), strict=True):
                codes = self.codes(view[None])
                codes = codes if mover != seat else [own] if own in codes else []
                rows += [int(row)] * len(codes)
                actions += codes
                choices += [codes] * len(codes)
        return np.array(rows, np.int64), np.array(actions, np.int32), choices

    def drawn(
        self,
        seat: int,
        true: States,
        beliefs: States,
        least_likely: npt.NDArray[np.float64],
        most_likely: npt.NDArray[np.float64],
    ) -> None:
        """Hold what is drawn from a seat's view to the states that can have been, of which one is true."""
        looks = self.looks(np.concatenate([true, beliefs]))
        chances = _bounds(looks[1:], least_likely, most_likely)
        count = min(MOST_DRAWS, max(DRAWS, ceil(NO_CHANCE / min(least for least, _ in chances.values())) + 1))
        starts = self.random.integers(1 << 62, size=count, dtype=np.uint64)
        states = self.game.resample(np.repeat(self.seen(true, seat), count), starts)
        streams = unused_streams(beliefs)
        words = [without_streams(state, streams) for state in states]
        first = {word: at for at, word in reversed(list(enumerate(words)))}
        told_apart = dict(zip(first, self.looks(states[list(first.values())]), strict=True))
        times = Counter(told_apart[word] for word in words)
        self.work += count
        self.positions += 1
        for word, at in first.items():
            if told_apart[word] not in chances:
                self.fail(
                    "resample",
                    f"{times[told_apart[word]]} of {count} states that are drawn from the view of seat {seat} could not have "
                    f"come about after all that it has seen: {self.differs(states[at : at + 1], beliefs)}",
                )
        which = dict.fromkeys(chances, "one that agrees with all that it has seen") | {
            looks[0]: "the one that was played"
        }
        for look, (least, _) in chances.items():
            if not times[look] and _unlikely(0, count, least):
                self.fail(
                    "resample",
                    f"of {count} states that are drawn from the view of seat {seat} none is {which[look]}",
                )
        for look, (least, most) in chances.items():
            nearest = min(max(times[look] / count, least), most)
            if _unlikely(times[look], count, nearest):
                self.fail(
                    "resample",
                    f"of {count} states that are drawn from the view of seat {seat} {times[look]} are {which[look]}, and by "
                    f"the probabilities of the listed deals {'at most' if nearest < times[look] / count else 'at least'} "
                    f"about {count * nearest:.0f} would be",
                )

    def differs(self, state: States, beliefs: States) -> str:
        """What is wrong with a state that cannot have been."""
        for seat in range(self.game.seats):
            seen = self.game.as_listed(self.seen(state, seat))
            same = _equal(self.game.as_listed(self.seen(beliefs, seat)), seen)
            if not same.any():
                return f"there seat {seat} sees what it cannot see in any deal and after any moves that agree with that"
            beliefs = beliefs[same]
        return "there all see what they may, and play on as they cannot"

    def looks(self, states: States) -> list[bytes]:
        """A word for each state, equal where all seats see the same, now and as it is played on."""
        game, words = self.game, [blake2b(digest_size=16) for _ in states]
        for walk in range(WALKS):
            chooser = np.random.default_rng(walk)
            here, on = states.copy(), np.arange(len(states))
            for step in range(STEPS):
                if not len(on):
                    break
                if step or not walk:  # what all see at first was noted by the first walk
                    self.note(here, on, words)
                movers = game.to_move(here[on])
                on, movers = on[movers != NOBODY], movers[movers != NOBODY]
                listed = [
                    sorted(self.codes(game.views(here[row : row + 1], np.array([mover]))))
                    for row, mover in zip(on, movers, strict=True)
                ]
                # Where who is to move has no move it is a state that cannot be: it is not played on, unlike all that can.
                on = on[np.array([len(codes) for codes in listed]) > 0] if len(on) else on
                if not len(on):
                    break
                share = chooser.random()
                moving = here[on]
                chosen = [codes[int(share * len(codes))] for codes in listed if codes]
                game.apply(moving, np.array(chosen, np.int32))
                here[on] = moving
                self.work += len(on)
        return [word.digest() for word in words]

    def note(self, states: States, rows: npt.NDArray[Any], words: list[Any]) -> None:
        """Add what all seats see of some states, and how these have ended, to their words."""
        # Hands lie in any order in what is drawn.
        seen = [self.game.as_listed(self.seen(states[rows], seat)) for seat in range(self.game.seats)]
        ends = np.round(self.game.margins(states[rows]), 6)
        for at, row in enumerate(rows):
            for views in seen:
                words[row].update(views[at].tobytes())
            words[row].update(ends[at].tobytes())

    def seen(self, states: States, seat: int) -> Any:
        return self.game.views(states, np.full(len(states), seat, np.int8))

    def codes(self, view: Any) -> list[int]:
        """The legal actions of a view, of which many states have the same."""
        word = view.tobytes()
        if word not in self.legal:
            if len(self.legal) > MOST_FOLLOWED:
                self.legal.clear()
            self.legal[word] = list(self.game.legal_actions(view).codes)
        return self.legal[word]


def _equal(records: Any, one: Any) -> npt.NDArray[np.bool_]:
    """Which records are the same as one, to the byte: shape (n,)."""
    word = one.tobytes()
    return np.array([record.tobytes() == word for record in records], np.bool_)


def _bounds(
    looks: list[bytes], least_likely: npt.NDArray[np.float64], most_likely: npt.NDArray[np.float64]
) -> dict[bytes, tuple[float, float]]:
    """Between which bounds the chance of each look lies, where the states of a look are more or less likely."""
    least: dict[bytes, float] = defaultdict(float)
    most: dict[bytes, float] = defaultdict(float)
    for look, low, high in zip(looks, least_likely.tolist(), most_likely.tolist(), strict=True):
        least[look] += low
        most[look] += high
    lowest, highest = sum(least.values()), sum(most.values())
    return {
        look: (least[look] / (least[look] + highest - most[look]), most[look] / (most[look] + lowest - least[look]))
        for look in least
    }


def _unlikely(times: int, count: int, chance: float) -> bool:
    """Whether something with a chance can hardly have happened so many times of `count`, by the bound of Chernoff and Hoeffding."""
    rate = times / count
    far = sum(
        part * (log(part / expected) if expected > 0 else inf)
        for part, expected in ((rate, chance), (1 - rate, 1 - chance))
        if part > 0
    )
    return count * far > NO_CHANCE
