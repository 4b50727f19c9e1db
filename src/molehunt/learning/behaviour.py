"""What players do on a game tree: programs with a memory and a random stream as strategies, and what they lose to a best response.

A *chair* is a seat with one random stream. It is led down the tree along all that the others and chance may do, and follows its
own choices: at each information set that it comes to, it is asked once. So a chair is one pure strategy drawn from the player,
and the shares of the chairs at an information set estimate the player's behaviour there (Kuhn 1953: with perfect recall, a
mixture of pure strategies and its behaviour are worth the same against everybody).

What a best response wins is not known exactly from a sample. A best response to some chairs, played against *other* chairs,
wins on average at most what the best one does; a best response to the very chairs it is played against wins on average at least
that much, because it also answers chance. `answer` gives an interval from both (Mak, Morton and Wood 1999, "Monte Carlo bounding
techniques for determining solution quality in stochastic programs"). Players without chance are answered exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.arena.statistics import student
from molehunt.core.agent import Agent
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.game import Game
from molehunt.core.kernels import kernel
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.search.tree_values import best_response, reaches
from molehunt.search.trees import NOWHERE, Ints, Strategy, Tree

TOGETHER = 32
"""Chairs that are led down the tree together; each stands at thousands of places at once."""


@dataclass(frozen=True)
class Sample:
    """What some chairs of one seat chose: `who[i]` chose the slot `slots[i]`. Chairs are numbered from 0 to `chairs` - 1."""

    seat: int
    chairs: int
    who: Ints
    slots: Ints

    def strategy(self, tree: Tree, fold: int | None = None) -> Strategy:
        """The behaviour of the chairs, or of those of one of two folds; uniform where no chair has come, and for other seats."""
        slots = self.slots if fold is None else self.slots[self.who % 2 == fold]
        counts = np.bincount(slots, minlength=len(tree.actions)).astype(np.float64)
        sizes = np.diff(tree.slot_starts)
        totals = np.repeat(np.add.reduceat(counts, tree.slot_starts[:-1]), sizes)
        result = tree.uniform()
        np.divide(counts, totals, out=result, where=totals > 0)
        return result

    def payoffs(self, tree: Tree, others: Strategy, paid: int | None = None) -> npt.NDArray[np.float64]:
        """What each chair is paid on average where the other seats play this strategy: shape (chairs,).

        With `paid`, what that seat is paid.
        """
        always, by_slot = _worth(tree, others, self.seat, self.seat if paid is None else paid)
        result: npt.NDArray[np.float64] = (
            np.bincount(self.who, by_slot[self.slots], self.chairs).astype(np.float64) + always
        )
        return result


@dataclass(frozen=True)
class Judgement:
    """What a seat is paid on average where one knows the others and answers best, as an interval of 95 %.

    `payoff` is estimated from a best response to chairs that are not those it is played against. It errs on average to the side of
    who is answered.
    """

    payoff: float
    low: float
    high: float


def judge(tree: Tree, sample: Sample) -> Judgement:
    """What the player of a sample is paid in a game of two seats by a best response to it. BadInput for more seats."""
    if tree.players != 2:
        raise BadInput("a player is judged in games of two seats, where one answers the other")
    found = answer(tree, [sample], 1 - sample.seat)
    return Judgement(-found.payoff, -found.high, -found.low)


def answer(tree: Tree, samples: Sequence[Sample], seat: int) -> Judgement:
    """What a seat is paid by a best response to those on all other seats, each of whom chooses on its own: a sample a seat.

    The samples have equally many chairs. A chair counts as what is paid where it meets the others' chairs of its fold.
    """
    chairs = samples[0].chairs
    paid, fitted = np.empty((len(samples), chairs)), np.empty((len(samples), chairs))
    for fold in (0, 1):
        _, reply = best_response(tree, behaviour(tree, samples, 1 - fold), seat)
        met = _with_reply(tree, behaviour(tree, samples, fold), reply, seat)
        mine = np.arange(chairs) % 2 == fold
        for row, sample in enumerate(samples):
            paid[row, mine] = sample.payoffs(tree, met, seat)[mine]
    everybody = behaviour(tree, samples)
    _, reply = best_response(tree, everybody, seat)
    met = _with_reply(tree, everybody, reply, seat)
    for row, sample in enumerate(samples):
        fitted[row] = sample.payoffs(tree, met, seat)
    mean, most = float(paid[0].mean()), float(fitted[0].mean())
    high = most + _half_width(fitted)
    return Judgement(mean, mean - _half_width(paid), max(high, mean))


def _half_width(paid: npt.NDArray[np.float64]) -> float:
    """Half the 95 % interval of a mean to which several samples contribute, a row of its chairs' averages over the others each.

    By Student's distribution: players that think long have few chairs.
    """
    chairs = paid.shape[1]
    return student(chairs - 1) * math.sqrt(float((paid.std(axis=1, ddof=1) ** 2).sum()) / chairs)


def behaviour(tree: Tree, samples: Sequence[Sample], fold: int | None = None) -> Strategy:
    """The strategy of all seats of some samples (`Sample.strategy`); uniform for other seats."""
    result = [tree.uniform()] * tree.players
    for sample in samples:
        result[sample.seat] = sample.strategy(tree, fold)
    return tree.joined(result)


def _with_reply(tree: Tree, others: Strategy, reply: Strategy, seat: int) -> Strategy:
    """A strategy in which one seat plays as in another."""
    return tree.joined([reply if each == seat else others for each in range(tree.players)])


def sample_chairs(tree: Tree, game: Game, agent: Agent, seat: int, seed: int, chairs: int) -> Sample:
    """Lead so many chairs of a player down the tree of a game. Chair k has the stream of the seat in game k of a run with `seed`.

    BadInput for fewer than 4 chairs, AgentFailure where the player chooses what is not legal.
    """
    if chairs < 4:
        raise BadInput(f"a player is judged by at least 4 chairs, not {chairs}")
    streams = seat_streams(game_seeds(seed, 0, chairs), game.seats)[:, seat]
    parts = [
        _Walk(tree, game, agent, seat, streams[first : first + TOGETHER], first).chosen()
        for first in range(0, chairs, TOGETHER)
    ]
    return Sample(seat, chairs, *(np.concatenate(part) for part in zip(*parts, strict=True)))


class _Walk:
    """Some chairs on their way down the tree; a row is a chair at one observation."""

    def __init__(self, tree: Tree, game: Game, agent: Agent, seat: int, streams: Any, first: int) -> None:
        self.tree, self.agent, self.sights = tree, agent, tree.sights[seat]
        deals = self.sights.deals
        self.chairs = np.repeat(np.arange(len(streams)), len(deals))
        self.places = np.tile(np.arange(len(deals)), len(streams))
        self.first = first
        self.memory = agent.start(game, deals[self.places], streams[self.chairs])
        order = np.argsort(self.sights.parents, kind="stable")
        self.children = order[np.searchsorted(self.sights.parents[order], 0) :]
        self.child_starts = np.searchsorted(self.sights.parents[self.children], np.arange(len(self.sights.parents) + 1))

    def chosen(self) -> tuple[Ints, Ints]:
        """Walk to the end: (chairs, slots) of all choices."""
        who, slots = [], []
        while len(self.places):
            chosen = self._act()
            own = chosen != NOWHERE
            who.append((self.first + self.chairs[own]).astype(np.int32))
            slots.append(chosen[own])
            self._go_on(chosen)
        return np.concatenate(who), np.concatenate(slots)

    def _act(self) -> Ints:
        """The slot chosen in each row where the seat is to move, else NOWHERE."""
        infosets = self.sights.infosets[self.places]
        rows = np.flatnonzero(infosets != NOWHERE)
        chosen = np.full(len(infosets), NOWHERE, np.int32)
        if len(rows):
            actions = self.agent.act(self.tree.views[infosets[rows]], self.memory, rows)
            found = np.empty(len(rows), np.int32)
            _find_slots(infosets[rows], np.asarray(actions, np.int32), self.tree.slot_starts, self.tree.actions, found)
            if (found == NOWHERE).any():
                raise AgentFailure(f"{self.agent.name} chose an action that is not legal in {self.tree.label}")
            chosen[rows] = found
        return chosen

    def _go_on(self, chosen: Ints) -> None:
        """Every row goes on to all observations that may follow: those of its own choice, where it chose."""
        counts = np.diff(self.child_starts)[self.places]
        rows = np.repeat(np.arange(len(self.places)), counts)
        offsets = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        places = self.children[self.child_starts[self.places][rows] + offsets]
        follows = self.sights.slots[places] == chosen[rows]
        rows, self.places = rows[follows], places[follows]
        self.chairs = self.chairs[rows]
        self.memory = self.agent.take(self.memory, rows)
        if self.agent.observes and len(rows):
            self.agent.observe(self.sights.events[self.places], self.memory, np.arange(len(rows)))


@kernel
def _find_slots(infosets: Any, actions: Any, slot_starts: Any, all_actions: Any, out: Any) -> None:
    """The slot of an action at each information set, NOWHERE where it is not there."""
    for index in range(len(infosets)):
        out[index] = NOWHERE
        for slot in range(slot_starts[infosets[index]], slot_starts[infosets[index] + 1]):
            if all_actions[slot] == actions[index]:
                out[index] = slot


@kernel
def _last_own(parents: Any, slots: Any, movers: Any, seat: int, out: Any) -> None:
    """The slot of a seat's last move before each node, the number of slots where it has not moved."""
    for node in range(len(parents)):
        parent = parents[node]
        if parent >= 0:
            out[node] = slots[node] if movers[parent] == seat else out[parent]


def _worth(tree: Tree, others: Strategy, seat: int, paid: int) -> tuple[float, Strategy]:
    """What a seat is `paid` whatever another (or the same) seat does, and what besides by that one coming to each of its slots."""
    slots = len(tree.actions)
    last = np.full(tree.histories, slots, np.int32)
    _last_own(tree.parents, tree.slots, tree.movers, seat, last)
    worth: Strategy = np.bincount(last, reaches(tree, others, seat) * tree.payoffs[:, paid], slots + 1).astype(
        np.float64
    )
    return float(worth[slots]), worth[:slots]
