"""What players score, deal by deal, on the same deals for all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from molehunt.arena.faults import Where, play_or_say_where
from molehunt.arena.match import MatchSpec, chunk_of, the_match
from molehunt.arena.tuning.opposition import Opposition
from molehunt.arena.tuning.race import Scores
from molehunt.arena.workers import Workers, each_in_order
from molehunt.core.streams import game_seeds

MEAN, WORST = "mean", "worst"
"""What counts of several oppositions."""
SHARE = 2
"""A piece of work is half of what it is in a match, so that all workers have some also in the first rungs of a race."""


def play_deals(match: MatchSpec, chairs: Sequence[int], seed: int, first: int, deals: int) -> Scores:
    """What some chairs scored in `deals` deals of the run's `seed` from number `first`: shape (deals,).

    A score is the share of their games won: over the chairs and, where the match rotates, over all seatings of the deal.
    """
    table = the_match(match)
    seats = len(table.chairs)
    seeds = game_seeds(seed, first, deals)
    base_roles = table.roles()
    wins = np.zeros(deals, np.int64)
    for shift in range(table.rotations):
        chair_of_seat = [(seat + shift) % seats for seat in range(seats)]
        roles = None if base_roles is None else np.tile(base_roles[chair_of_seat], (deals, 1))
        agents = [table.agents[chair] for chair in chair_of_seat]
        seated = tuple(table.names[chair] for chair in chair_of_seat)

        def place(row: int, seated: tuple[str, ...] = seated) -> Where:
            return Where(table.game.label, seated, seed, first + row)

        played = play_or_say_where(table.game, agents, seeds, roles, False, None, place)
        won = table.game.wins(played.states)
        wins += won[:, [chair_of_seat.index(chair) for chair in chairs]].sum(axis=1)
    result: Scores = wins / (table.rotations * len(chairs))
    return result


class Scoreboard:
    """What players have scored on the deals of one seed: plays what is missing, keeps what was played.

    `over` says what counts of several oppositions: their mean, or the worst one. `tell(games)` hears of games that have been
    played; `games` counts them.
    """

    def __init__(
        self,
        oppositions: Sequence[Opposition],
        seed: int,
        workers: Workers,
        over: str = MEAN,
        tell: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._oppositions = oppositions
        self._seed = seed
        self._workers = workers
        self._over = over
        self._tell = tell
        self._kept: dict[str, list[Scores]] = {}
        self.games = 0

    def each(self, players: Sequence[str], deals: int) -> list[list[Scores]]:
        """For every player, what it scored against every opposition in the first `deals` deals."""
        pieces = []
        for player in dict.fromkeys(players):
            kept = self._kept.setdefault(player, [np.empty(0) for _ in self._oppositions])
            for number, opposition in enumerate(self._oppositions):
                match = opposition.seat(player)
                for first, count in _pieces(match, len(kept[number]), deals):
                    pieces.append((player, number, match, opposition.own, first, count))
        work = [(match, own, self._seed, first, count) for _, _, match, own, first, count in pieces]
        for piece, scores in zip(pieces, each_in_order(self._workers, play_deals, work), strict=True):
            player, number = piece[:2]
            self._kept[player][number] = np.concatenate([self._kept[player][number], scores])
            played = len(scores) * self._oppositions[number].seatings
            self.games += played
            self._tell(played)
        return [[scores[:deals] for scores in self._kept[player]] for player in players]

    def scores(self, players: Sequence[str], deals: int) -> list[Scores]:
        """For every player, its score in each deal: the mean over the oppositions, or that of the worst."""
        found = self.each(players, deals)
        if self._over == WORST:
            return [each[_least(each)] for each in found]
        return [np.mean(each, axis=0) for each in found]

    def worst(self, players: Sequence[str], deals: int) -> list[int]:
        """For every player, the number of the opposition against which it scores least in the first `deals` deals."""
        return [_least(each) for each in self.each(players, deals)]


def _least(each: Sequence[Scores]) -> int:
    """The number of the opposition with the lowest mean."""
    return int(np.argmin([scores.mean() for scores in each]))


def _pieces(match: MatchSpec, first: int, end: int) -> Iterator[tuple[int, int]]:
    """The deals from `first` to `end` in pieces (first, how many), whose borders depend on the match alone."""
    size = max(1, chunk_of(the_match(match)) // SHARE)
    while first < end:
        stop = min((first // size + 1) * size, end)
        yield first, stop - first
        first = stop
