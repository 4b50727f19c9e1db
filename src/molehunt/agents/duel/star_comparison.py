"""The moves of one view compared, as `duel-star` does it: played on in deals, or an ending solved in them."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.duel.digger import MOST_MOVES, RISK, SCRATCH, list_promising, settings_of
from molehunt.agents.duel.ending import new_scratch, solve
from molehunt.agents.duel.learned import DuelLearnedAgent
from molehunt.agents.duel.opponent import (
    GUESSED,
    MIRROR,
    SEEN_NEAR,
    Drawn,
    chance_of,
    chances_of_kinds,
    chances_of_places,
    move_of_kind,
)
from molehunt.agents.duel.own_seat import OWN, OwnSeat
from molehunt.agents.duel.star_deals import FIRST_KIND, believe
from molehunt.agents.duel.star_parameters import EDITIONS, Parameters
from molehunt.agents.threads import pool
from molehunt.core.game import Views
from molehunt.core.interpreting import as_here, is_interpreting
from molehunt.core.kernels import kernel
from molehunt.core.processor_count import cores
from molehunt.core.streams import game_seeds, next_word
from molehunt.games.duel.actions import DISCARD, play_of
from molehunt.games.duel.cards import NUGGET, UNKNOWN
from molehunt.games.duel.game import Duel
from molehunt.games.duel.rules import advance
from molehunt.games.duel.state import DECK, GOING_ON

LEAST_CHANCE, NEVER = 0.01, 2.0
"""The least chance that the other digs, where risks are weighed; a risk that no chance reaches."""
WAITING_RISK, WAITING_SHY = 0.1, 3.0
"""The risk from which on a digger that waits holds a tile back, and how long the way is then."""
WHO = np.uint64(0x6D6972726F72)
"""What the stream that says who mirrors differs by from that of the deals."""
ROUND = 16
"""Deals that are played on before it is looked at whether there is time and work left."""
MORE_DEALS = 5
"""How many times as many deals there are without the network, which takes longer than the digger."""


class Means:
    """What a `duel-star` compares moves with: its parameters, its diggers and its network."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        its = parameters
        self.settings = settings_of(its.patience, its.progress, its.risk, its.shy, its.looks, its.hinders, its.breaks)
        hurries = settings_of(its.patience, its.progress, NEVER, 0.0, its.looks, its.hinders, NEVER)
        waits = settings_of(its.patience, its.progress, WAITING_RISK, WAITING_SHY, its.looks, its.hinders, its.breaks)
        self.kinds = np.stack([hurries, waits])

    @cached_property
    def at_ease(self) -> Parameters:
        """What holds against one who is taken to play at random: the digger plays the games to the end, and only a win counts."""
        its = EDITIONS["plays_on"]
        return replace(
            self.parameters,
            own=False,
            deals=MORE_DEALS * self.parameters.deals,
            ending=its.ending,
            endings=its.endings,
            belief=its.belief,
            slope=its.slope,
            draw=0.0,
        )

    @cached_property
    def learned(self) -> DuelLearnedAgent:
        """The player of the network."""
        return DuelLearnedAgent()

    def kinds_of(self, mind: Any) -> tuple[float, float]:
        """`chances_of_kinds` of a mind."""
        its = self.parameters
        return chances_of_kinds(mind, its.suspicion, its.mirror if its.own else 0.0, its.fine, its.searches)


class Comparison:
    """The promising moves of one view, compared by playing on.

    `history` is a row of the memory's `histories`; its random stream moves on.
    """

    def __init__(self, means: Means, game: Duel, views: Views, history: npt.NDArray[Any]) -> None:
        self.game = game
        self.mind = history["mind"][OWN]
        self.views = views
        self.seat = int(views[0]["seat"])
        self.digger, self.mirrors = means.kinds_of(self.mind)
        self.careless = means.parameters.careless
        self.parameters = means.at_ease if self.digger < self.careless else means.parameters
        self.hurries = chance_of(float(self.mind["hurry"]))
        self.places = (
            chances_of_places(self.mind, views[0], self.digger) if self.parameters.places else even_places(views[0])
        )
        settings = means.settings.copy()
        settings[RISK] = min(settings[RISK] / max(self.digger, LEAST_CHANCE), NEVER)
        if (views[0]["goals"] == UNKNOWN).any() and self.places.max() > self.places.mean() + GUESSED:
            settings[-1] = int(self.places.argmax())
        self.settings = np.concatenate([settings[None], means.kinds])
        self.stream = np.uint64(next_word(self.mind["stream"]))
        self.own = OwnSeat(means.learned, game, views, history) if self.parameters.own else None
        solves = self._is_ending()
        self.by_policy = self.own is not None and not solves
        if self.own is not None and self.by_policy:
            self._list_by_policy(self.own)
        else:
            self._list_by_ways()
        self.totals = np.zeros(len(self.moves))
        self.games = np.zeros(len(self.moves), np.int64)
        self.solved = False
        if len(self.moves) > 1 and (self.by_policy or self.ways[0] > 0):
            if solves:
                self._solve()
            elif self.by_policy or self.ways[0] <= self.parameters.near:
                self._halve()
        self.best = int(self.moves[self.order()[0]])

    def _list_by_policy(self, own: OwnSeat) -> None:
        """The moves that the network makes most, and how much less it makes each than the first: the difference of the logs."""
        moves, chances = own.policy()
        kept = slice(0, max(1, min(self.parameters.candidates, int((chances >= self.parameters.rare).sum()))))
        self.moves = moves[kept]
        self.ways = np.log(chances[0] / chances[kept])

    def _list_by_ways(self) -> None:
        """The moves after which the way is cheapest, and how long it is."""
        scratch, moves, scores = np.zeros(1, SCRATCH), np.empty(MOST_MOVES, np.int32), np.empty(MOST_MOVES)
        deal = self.game.resample(self.views, np.array([self.stream]))
        count = list_promising(deal, self.seat, self.settings[0], self.places, scratch, moves, scores)
        kept = np.argsort(scores[:count], kind="stable")[: self.parameters.candidates]
        self.moves = moves[:count][kept]
        self.ways = scores[:count][kept]

    def _is_ending(self) -> bool:
        """Whether the deck is empty and so few cards are left that the ending can be solved."""
        view = self.views[0]
        return bool(view["drawn"] == DECK and view["hand_sizes"][self.seat] <= self.parameters.ending)

    def _solve(self) -> None:
        """Find what each move brings with the best plan after it, in deals."""
        count = self.parameters.endings
        drawn, scratch = self.draw(0, count, 0.0), new_scratch(self.settings, count)
        solve(drawn, self.seat, self.parameters.draw, self.moves, self.totals, scratch)
        self.games += count
        self.solved = True

    def _halve(self) -> None:
        """Play the moves on in deals, and leave out the worse half again and again."""
        began = time.perf_counter()
        alive = np.arange(len(self.moves))
        stages = max(1, (len(alive) - 1).bit_length())
        each = max(1, self.parameters.deals // stages)
        limit, work = self.parameters.seconds, self.parameters.work
        threads = 1 if is_interpreting() else self.parameters.threads or cores()
        first = done = 0
        for stage in range(stages):
            until = first + each
            while first < until:
                # Where there is a clock, the first deal says how long one takes.
                count = 1 if limit and not first else min(until - first, ROUND)
                done += self._play_on(first, count, alive, threads)
                first += count
                share = (stage + 1) / stages
                if (limit and time.perf_counter() - began > limit * share) or (work and done > work * share):
                    break
            alive = self.order()[: (len(alive) + 1) // 2]
            if limit and time.perf_counter() - began > limit:
                return

    def _play_on(self, first: int, count: int, alive: npt.NDArray[np.int64], threads: int) -> int:
        """Play the moves that are alive on in some deals, each thread its share of them; how many moves that were."""
        share = -(-count // threads)
        parts = [(start, min(share, first + count - start)) for start in range(first, first + count, share)]
        if len(parts) == 1:
            results = [self._play_part(first, count, alive)]
        else:
            results = list(pool(threads).map(as_here(lambda part: self._play_part(part[0], part[1], alive)), parts))
        for brought, _moves in results:
            self.totals[alive] += brought
        self.games[alive] += count
        return sum(moves for _brought, moves in results)

    def _play_part(self, first: int, count: int, alive: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.float64], int]:
        """What each move that is alive brings in some deals, their sums, and how many moves were played on."""
        results, moves = self.try_moves(self.moves[alive], first, count)
        return results.sum(axis=0), moves

    def try_moves(self, tried: npt.NDArray[np.int32], first: int, count: int) -> tuple[npt.NDArray[np.float64], int]:
        """What moves bring in the deals from number `first` on, shape (count, moves), and how many moves were played on."""
        its = self.parameters
        drawn = self.draw(first, count, self.mirrors)
        if self.own is not None:
            return self.own.play_on(drawn, self.seat, its.draw, its.ahead, tried, self.settings)
        results = np.zeros((count, len(tried)))
        scratch, event = np.zeros(1, SCRATCH), np.zeros(1, self.game.event_dtype)
        return results, int(compare(drawn, self.seat, its.draw, tried, results, self.settings, scratch, event))

    def draw(self, first: int, count: int, mirror: float) -> Drawn:
        """Deals from number `first` on, as the other's moves suggest them.

        With the chance `mirror` one who digs plays as `learned` does.
        """
        streams = game_seeds(int(self.stream), first, count)
        deals = self.game.resample(np.repeat(self.views, count), streams)
        kinds = np.empty(count, np.int64)
        its = self.parameters
        readable = its.hands and self.digger > SEEN_NEAR
        numbers = (self.digger, self.hurries, readable, its.sensible)
        believe(deals, streams, self.views, self.seat, self.mind, self.places, *numbers, kinds)
        luck = game_seeds(int(self.stream ^ WHO), first, count) / 2.0**53
        kinds[(kinds >= FIRST_KIND) & (luck < mirror)] = MIRROR
        return Drawn(deals, streams, kinds)

    def order(self) -> npt.NDArray[np.int64]:
        """The moves, the best first: those that were played on longest, by what they brought and by their way.

        Where an ending is solved on the network's seat, what they bring alone counts; of equals, one that helps nobody.
        """
        if self.solved and self.own is not None:
            self.worth = self.totals / self.games
            helps = np.array([play_of(int(move)) != DISCARD for move in self.moves])
            return np.lexsort((helps, -np.round(self.worth, 9)))
        played = self.games[0]
        mean = self.totals[0] / played if played else 0.0
        prior = mean - self.parameters.slope * (self.ways - self.ways[0])
        belief = max(self.parameters.belief, 1e-6)
        self.worth = (self.totals + belief * prior) / (self.games + belief)
        return np.lexsort((-self.worth, -self.games))


def even_places(view: Any) -> npt.NDArray[np.float64]:
    """How likely the nugget is under each goal where nothing is read from the other's moves."""
    goals = view["goals"]
    chances = (goals == NUGGET if (goals == NUGGET).any() else goals == UNKNOWN).astype(np.float64)
    result: npt.NDArray[np.float64] = chances / chances.sum()
    return result


@kernel
def compare(
    drawn: Any, seat: int, draw: float, candidates: Any, results: Any, settings: Any, scratch: Any, event: Any
) -> Any:
    """Play each candidate on to the end of each deal drawn, and note in `results`, shape (deals, candidates), what it brings.

    `settings` has a row for the digger on this seat and one for each kind of digger on the other.
    Returns how many moves were played.
    """
    deals, streams, kinds = drawn.deals, drawn.streams, drawn.kinds
    moves, scores = np.empty(MOST_MOVES, np.int32), np.empty(MOST_MOVES)
    played = np.int64(0)
    trial = deals[:1].copy()
    stream = streams[:1].copy()
    for index in range(len(deals)):
        for number in range(len(candidates)):
            stream[0] = streams[index]
            trial[0] = deals[index]
            state = trial[0]
            advance(state, candidates[number], event[0])
            while state.outcome == GOING_ON:
                mover = state.to_move
                kind = 0 if mover == seat else kinds[index]
                action = move_of_kind(kind, state, mover, stream, settings, scratch[0], moves, scores)
                advance(state, action, event[0])
                played += 1
            if state.winner == seat:
                results[index, number] = 1.0
            elif state.winner < 0:
                results[index, number] = draw
    return played
