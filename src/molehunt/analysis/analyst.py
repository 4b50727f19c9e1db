"""What an analyst of a game does: finds the beliefs along a game, and judges its moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from molehunt.analysis.comparing import Verdict, grade
from molehunt.analysis.findings import Chart, Judged, Known
from molehunt.analysis.marks import DIGITS
from molehunt.core.replay import Played
from molehunt.core.streams import derive
from molehunt.table.game_words import words_of


class Analyst(Protocol):
    """One game, looked at again with all that the project knows of it; `names` are by seat."""

    usual_worlds: int
    """In how many worlds a move is compared where nobody says."""
    rests_on: str
    """What its readers should know of how it was made; "" where the documents say it."""

    def __init__(self, played: Played, names: Sequence[str]) -> None: ...

    def beliefs(self) -> tuple[tuple[Chart, ...], tuple[Known, ...]]:
        """What onlookers and seats could believe, and from when on they could have known."""

    def judge(self, worlds: int, seed: int) -> Sequence[Judged]:
        """The moves at which there was a choice, in order; they follow from the seed."""


@dataclass
class Judgements:
    """The verdicts on the moves of a game, in words; `names` are by seat."""

    played: Played
    names: Sequence[str]
    worlds: int
    found: list[Judged] = field(default_factory=list)

    def add(self, number: int, verdict: Verdict, bits: float | None = None) -> None:
        """Take in a verdict on the move after `number` moves."""
        game = self.played.game
        words = words_of(game)
        done, best = (game.format_action(action) for action in (self.played.actions[number], verdict.best))
        self.found.append(
            Judged(
                move=number + 1,
                seat=int(game.to_move(self.played.states[number])[0]),
                played=done,
                played_text=words.move(done, self.names, None),
                best=best,
                best_text=words.move(best, self.names, None),
                chance=round(verdict.chance, DIGITS),
                best_chance=round(verdict.best_chance, DIGITS),
                lost=round(verdict.lost, DIGITS),
                error=round(verdict.error, DIGITS),
                worlds=self.worlds,
                grade=grade(verdict),
                bits=None if bits is None else round(bits, DIGITS),
            )
        )


def seed_of(seed: int, move: int) -> int:
    """The seed of the worlds of a move."""
    return int(derive(np.uint64(seed), np.uint64(move)))
