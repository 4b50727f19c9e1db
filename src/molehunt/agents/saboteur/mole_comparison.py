"""The moves at one view compared step by step, as `mole` does it by the clock and on several threads."""

from __future__ import annotations

import math
import time
from collections import deque
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.mole_kernels import SEARCH, act_one
from molehunt.agents.saboteur.mole_memory import Memory, Scratch
from molehunt.agents.saboteur.mole_words import Weighed
from molehunt.agents.saboteur.playing_on import (
    ADD,
    AHEAD,
    BROUGHT,
    COUNT,
    FIRST,
    LIST,
    MOVE,
    PREFERRED,
    RANKED,
    STEP,
    TRY,
    WORLDS,
    left_over,
)
from molehunt.agents.threads import side_by_side
from molehunt.core.game import Views
from molehunt.core.interpreting import is_interpreting, unchanged
from molehunt.games.compiled import bytes_of
from molehunt.games.playing import act_many, address_of, laid_down
from molehunt.games.saboteur.cards import MINER

if TYPE_CHECKING:
    from molehunt.agents.saboteur.mole import MoleAgent

STAGES = 4
"""By the clock, so many times the worse half of the moves is left out."""
AT_ONCE = 32
"""Games that a thread plays on, about, before it looks at the clock and whether there is more to do."""
BLOCK = 1024
"""Worlds, at most, of which it is kept what each move brought before that is added up."""


class Comparison:
    """The moves at one view, the best first, compared as the player does but step by step; the next word of luck has been drawn.

    `worlds` says in how many each was played on, and `worth` what it brought there on average. `usual` is the move that a player of
    2019 would make.
    """

    def __init__(self, agent: MoleAgent, view: Views, memory: Memory, row: int) -> None:
        began = time.perf_counter()
        self._agent, self._scratch = agent, memory.scratch
        self._asked = np.ascontiguousarray(view), memory, np.array([row])
        self._do(LIST)
        count = int(self._scratch.budget[COUNT])
        self.worlds = np.zeros(count, np.int64)
        self._first = 0
        parameters = agent.parameters
        self._ahead = parameters.glance
        worlds, stage, followed = parameters.worlds, 1, count
        while count > 1:
            if parameters.seconds:
                self._play_until(began + parameters.seconds * stage / STAGES, count)
                if stage == STAGES:
                    break
            else:
                self._play_on(count, worlds)
            glanced = stage == 1 and parameters.glance != parameters.ahead
            count = left_over(count, parameters.kept if stage == 1 else count, glanced)
            if glanced and count > 1:
                self._begin_again(count)
            followed = count if stage == 1 else followed
            self._ahead = parameters.ahead
            worlds *= 2
            stage += 1
        moves = len(self.worlds)
        order = self._scratch.alive[:moves].copy()
        self.moves = self._scratch.moves[order].copy()
        self.worlds = self.worlds[order]
        self.usual = int(self._scratch.usual[MOVE])
        played = self.worlds > 0
        self.worth = self._scratch.totals[order] / np.maximum(self.worlds, 1)
        # What is added because a move is usual, or liked, is none of what it brought.
        added = self._scratch.liking[order].copy()
        faith = parameters.faith if view["role"][0] == MINER else 0.0
        added[self.moves == self.usual] += faith
        self.worth[played] -= added[played]
        self.weighed = Weighed(self.moves, self.worth, self.worlds, added, min(followed, moves), self.usual, faith)

    def _play_on(self, count: int, worlds: int) -> None:
        """Play the moves alive on in so many worlds more."""
        done = 0
        while done < worlds:
            brought = self._try(count, min(worlds - done, BLOCK), math.inf)
            first, done = not done, done + len(brought)
            # As in one go, sums are rounded with what is preferred first, and equals stay in the order that they had before.
            self._do(ADD, brought, worlds if first else 0, ranked=done == worlds)

    def _play_until(self, until: float, count: int) -> None:
        """Play the moves alive on in some worlds, and in more while there is time."""
        while True:
            brought = self._try(count, BLOCK, until)
            self._do(ADD, brought, len(brought))
            if time.perf_counter() >= until:
                return

    def _try(self, count: int, worlds: int, until: float) -> npt.NDArray[np.float64]:
        """What the moves alive bring in the next worlds, as many as there is time for, at least one: shape (worlds, count)."""
        view, _memory, row = self._asked
        at_once = max(1, AT_ONCE // count)
        # Machine code may come meanwhile.
        brought = np.empty((min(worlds, at_once) if is_interpreting() else worlds, count))
        starts = deque(range(0, len(brought), at_once))
        with unchanged() as interpreted:
            threads = 1 if interpreted else min(self._agent.threads, len(starts))
            benches = self._scratch.benches(threads)
            numbers = self._laid_down(benches, count)

            def work(thread: int) -> None:
                bench, act = benches[thread], act_one.address
                while starts:
                    try:
                        start = starts.popleft()
                    except IndexError:  # another thread was quicker
                        return
                    rows = brought[start : start + at_once]
                    bench.search[BROUGHT : BROUGHT + 2] = address_of(rows), len(rows)
                    bench.budget[[STEP, WORLDS, FIRST]] = TRY, len(rows), self._first + start
                    act_many(act, bytes_of(view), numbers[thread], row, np.empty(1, np.int32))
                    if time.perf_counter() >= until:
                        return

            side_by_side(work, threads)
        # They are begun in their order, and what was begun is there.
        played = brought[: starts[0] if starts else len(brought)]
        self._first += len(played)
        self.worlds[self._scratch.alive[:count]] += len(played)
        return played

    def _laid_down(self, benches: list[Scratch], count: int) -> list[npt.NDArray[np.int64]]:
        """The memory by addresses, once for each of those who play on at once."""
        _view, memory, _row = self._asked
        own = laid_down(*self._agent.parts(memory))
        self._scratch.budget[[COUNT, AHEAD]] = count, self._ahead
        numbers = [own]
        for bench in benches[1:]:
            bench.lay_down(memory)
            bench.budget[:] = self._scratch.budget
            numbers.append(own.copy())
            numbers[-1][SEARCH] = address_of(bench.search)
        return numbers

    def _begin_again(self, count: int) -> None:
        """What was seen at a glance only says which moves are looked at."""
        kept = self._scratch.alive[:count]
        self.worlds[kept] = 0
        self._scratch.totals[kept] = 0.0

    def _do(
        self, step: int, brought: npt.NDArray[np.float64] | None = None, preferred: int = 0, ranked: bool = True
    ) -> None:
        """Have the compiled player do one step."""
        view, memory, row = self._asked
        with unchanged():
            numbers = laid_down(*self._agent.parts(memory))
            budget = self._scratch.budget
            budget[STEP] = step
            if brought is not None:
                budget[[WORLDS, COUNT]] = brought.shape
                budget[[PREFERRED, RANKED]] = preferred, ranked
                self._scratch.search[BROUGHT : BROUGHT + 2] = address_of(brought), len(brought)
            act_many(act_one.address, bytes_of(view), numbers, row, np.empty(1, np.int32))
