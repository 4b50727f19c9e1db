"""A match: a seating, many games, threads; who won how often.

Games are played in chunks that do not depend on the number of threads, each game from its own seed, so the result for a
seed is the same on one thread and on many.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.registry import Agents
from molehunt.arena.seating import Chair
from molehunt.arena.statistics import wilson
from molehunt.core.agent import Agent
from molehunt.core.game import Game
from molehunt.core.match import play
from molehunt.core.notebook import interval_bar, table
from molehunt.core.record import Record, make_record
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game, split_label

CHUNK = 512
"""Games that advance in lockstep in one thread."""
SLOW_CHUNK = 16
"""The same where a player does not play in batches, so that progress is seen, a stop is soon, and all threads have work."""


@dataclass
class Match:
    """A seating ready to play: the game, the chairs as asked for, and their players (one object per different player)."""

    game: Game
    chairs: Sequence[Chair]
    agents: Sequence[Agent]
    rotate: bool = False

    @property
    def names(self) -> list[str]:
        """The players by chair, as they are typed, with their roles where they are seated."""
        return [
            f"{chair.role}:{agent.name}" if chair.role else agent.name
            for chair, agent in zip(self.chairs, self.agents, strict=True)
        ]

    @property
    def rotations(self) -> int:
        """In how many seatings each deal is played."""
        return len(self.chairs) if self.rotate else 1

    def roles(self) -> npt.NDArray[np.int8] | None:
        """The roles by chair as numbers, or None where they are dealt."""
        if self.chairs[0].role is None:
            return None
        return np.array([self.game.roles.index(str(chair.role)) for chair in self.chairs], np.int8)


@dataclass
class Result:
    """What came of a match. `wins` are by chair of the seating as asked for, wherever rotation put it."""

    match: Match
    wins: npt.NDArray[np.int64]
    outcomes: npt.NDArray[np.int64]
    games: int = 0
    moves: int = 0
    seconds: float = 0.0
    interrupted: bool = False

    def _repr_html_(self) -> str:
        rows = []
        for seat, (name, wins) in enumerate(zip(self.match.names, self.wins.tolist(), strict=True)):
            low, high = wilson(wins, self.games)
            rate = wins / max(self.games, 1)
            shown = f"{100 * rate:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
            rows.append((seat, name, wins, shown, interval_bar(low, rate, high, 0.0, 1.0)))
        caption = f"{self.match.game.label}: {self.games:,} games in {self.seconds:.1f} s"
        return table(("seat", "agent", "wins", "rate and 95 % interval", ""), rows, caption)


@dataclass
class _Part:
    games: int
    moves: int
    wins: npt.NDArray[np.int64]
    outcomes: npt.NDArray[np.int64]
    records: list[Record] = field(default_factory=list)


def seat_match(label: str, chairs: Sequence[Chair], agents: Agents, rotate: bool = False) -> Match:
    """Set up a match of `label` (`saboteur/krisnadi`) for the chairs; errors name what was wrong."""
    name, ruleset = split_label(label)
    counts: dict[str, int] | None = None
    if chairs and chairs[0].role is not None:
        counts = {}
        for chair in chairs:
            counts[str(chair.role)] = counts.get(str(chair.role), 0) + 1
    game = make_game(name, ruleset, len(chairs), counts)
    made = {chair.agent: agents.make(chair.agent) for chair in chairs}
    same = {agent.name: agent for agent in reversed(made.values())}
    return Match(game, chairs, [same[made[chair.agent].name] for chair in chairs], rotate)


def _play_part(match: Match, seed: int, first: int, deals: int, keep: bool) -> _Part:
    """Play `deals` deals from number `first`, in every rotation."""
    game = match.game
    seats = len(match.chairs)
    seeds = game_seeds(seed, first, deals)
    base_roles = match.roles()
    names = match.names
    part = _Part(0, 0, np.zeros(seats, np.int64), np.zeros(len(game.outcome_names()), np.int64))
    for shift in range(match.rotations):
        chair_of_seat = [(seat + shift) % seats for seat in range(seats)]
        agents = [match.agents[chair] for chair in chair_of_seat]
        roles = None if base_roles is None else np.tile(base_roles[chair_of_seat], (deals, 1))
        played = play(game, agents, seeds, roles, keep)
        part.games += deals
        part.moves += played.moves
        part.wins[chair_of_seat] += game.wins(played.states).sum(axis=0)
        part.outcomes += np.bincount(game.outcome_codes(played.states), minlength=len(part.outcomes))
        if keep and played.actions is not None:
            seated = tuple(names[chair] for chair in chair_of_seat)
            part.records += [
                make_record(game, int(seeds[i]), seated, None if roles is None else roles[i], actions, played.states[i])
                for i, actions in enumerate(played.actions)
            ]
    return part


def run(  # noqa: C901, PLR0913, PLR0917 - what a match is, and how it is played
    match: Match,
    games: int,
    seed: int = 0,
    threads: int = 1,
    tell: Callable[[int, int], None] | None = None,
    records: Callable[[list[Record]], None] | None = None,
) -> Result:
    """Play a match of `games` games (with rotation, so many that every deal is played in every seating, at least `games`).

    `tell(done, total)` is called as games end; `records` is given finished records in order. A KeyboardInterrupt ends the
    match early: what was played until then is the result, with `interrupted` set.
    """
    result = Result(match, np.zeros(len(match.chairs), np.int64), np.zeros(len(match.game.outcome_names()), np.int64))
    deals = -(-games // match.rotations)
    total = deals * match.rotations
    in_batches = all(agent.in_batches for agent in match.agents)
    chunk = max(1, (CHUNK if in_batches else SLOW_CHUNK) // match.rotations)
    parts = ((first, min(chunk, deals - first)) for first in range(0, deals, chunk))
    began = time.perf_counter()
    if tell is not None:
        tell(0, total)

    def take(part: _Part) -> None:
        result.games += part.games
        result.moves += part.moves
        result.wins += part.wins
        result.outcomes += part.outcomes
        if records is not None:
            records(part.records)
        if tell is not None:
            tell(result.games, total)

    pool, clerk = ThreadPoolExecutor(threads), ThreadPoolExecutor(1)
    waiting: deque[Future[Any]] = deque()
    counting = Lock()

    def submit(some: Iterator[tuple[int, int]]) -> None:
        for first, count in some:
            waiting.append(pool.submit(_play_part, match, seed, first, count, records is not None))

    def collect() -> None:
        while waiting:
            part = waiting[0].result()
            with counting:
                if result.interrupted:
                    return
                waiting.popleft()
                submit(islice(parts, 1))
                take(part)

    try:
        submit(islice(parts, 2 * threads))
        # Only the main thread is ever interrupted, so what is counted and recorded in another one is never half done.
        clerk.submit(collect).result()
    except KeyboardInterrupt:
        result.interrupted = True
        with counting:  # what is being counted is counted to its end
            pass
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        clerk.shutdown(wait=False)
    result.seconds = time.perf_counter() - began
    return result
