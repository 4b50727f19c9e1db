"""What the study of the duel plays: games of one player against another, every deal in both seatings, one player timed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from molehunt.arena.workers import Workers, each_in_order, once_per_process, the_game, the_player
from molehunt.core.agent import Agent, Rows
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.match import play
from molehunt.core.seats import NOBODY
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.duel.state import DECK, FIRST_SEAT, SEATS

RULESET = "mcgill"
CHUNK, SLOW_CHUNK = 128, 2
"""Deals that advance in lockstep in one piece of work; fewer where a player is slow, so that all workers have work."""


Counts: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Tally:
    """Games of one player against another: who won how often, and what the first one's moves took.

    `deals` are (wins, losses, full) of each deal in both seatings: two games that depend on each other. `full` counts the draws in
    which every card of the deck was used up. `seconds` is processor time, so other work on the machine does not count.
    """

    deals: tuple[tuple[int, int, int], ...]
    moves: int
    seconds: float

    @property
    def games(self) -> int:
        """Every deal is played in every seating."""
        return SEATS * len(self.deals)

    @property
    def wins(self) -> Counts:
        """Games won by deal, shape (deals,)."""
        return np.array([each[0] for each in self.deals], np.int64)

    @property
    def losses(self) -> Counts:
        """Games lost by deal."""
        return np.array([each[1] for each in self.deals], np.int64)

    @property
    def full(self) -> Counts:
        """Draws by deal in which every card was used up."""
        return np.array([each[2] for each in self.deals], np.int64)

    @property
    def draws(self) -> Counts:
        """Games that nobody won, by deal."""
        return SEATS - self.wins - self.losses

    @property
    def milliseconds(self) -> float:
        """Processor time of a move of the first player."""
        return 1000 * self.seconds / self.moves


class Timed(Agent):
    """A player with a clock: plays as the player it is given, and counts its moves and what they take."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.name = agent.name
        self.observes = agent.observes
        self.moves = 0
        self.seconds = 0.0

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        return self.agent.start(game, views, streams)

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        began = time.thread_time()
        actions = self.agent.act(views, memory, rows)
        self.seconds += time.thread_time() - began
        self.moves += len(views)
        return actions

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        self.agent.observe(events, memory, rows)


@once_per_process
def warm_up(player: str) -> None:
    """Have a player choose one move, so that what is compiled or loaded at the first one is not timed."""
    game, agent = the_game("duel", RULESET, SEATS), the_player("duel", player)
    seeds = game_seeds(0, 0, 1)
    seat = np.full(1, FIRST_SEAT, np.int8)
    views = game.views(game.new(seeds), seat, np.zeros(1, np.int64))
    agent.act(views, agent.start(game, views, seat_streams(seeds, SEATS)[:, FIRST_SEAT].copy()), np.zeros(1, np.int64))


def sooner(player: str) -> str:
    """The same player where nobody asks what its moves take: `and-or-2020` cuts what cannot change which of them are best.

    One with a limit is left as it is: what it reaches depends on what is cut.
    """
    name, _, parameters = player.partition(":")
    if name != "and-or-2020" or "nodes=" in parameters or "seconds=" in parameters:
        return player
    return f"{player}{',' if parameters else ':'}prune=yes"


def play_deals(first: str, second: str, seed: int, start: int, deals: int) -> Tally:
    """Play the first player against the second on some deals of a run, each in both seatings; the first one is timed as it is."""
    warm_up(first)
    game = the_game("duel", RULESET, SEATS)
    seeds = game_seeds(seed, start, deals)
    timed, other = Timed(the_player("duel", first)), the_player("duel", sooner(second))
    found = np.zeros((deals, 3), np.int64)
    for seat in range(SEATS):
        played = play(game, (timed, other) if seat == 0 else (other, timed), seeds)
        winners = played.states["winner"]
        used_up = (winners == NOBODY) & (played.states["turn"] == DECK)
        found += np.stack([winners == seat, winners == 1 - seat, used_up], axis=1)
    return Tally(tuple((wins, losses, full) for wins, losses, full in found.tolist()), timed.moves, timed.seconds)


def play_pair(
    first: str,
    second: str,
    games: int,
    seed: int,
    workers: Workers,
    tell: Callable[[int], None],
    chunk: int = CHUNK,
    *,
    timed: bool = True,
) -> Tally:
    """Play the first player against the second, at least `games` games: each deal twice, with the seats changed.

    All but `seconds` is the same whoever works, and `timed` or not: `seconds` are those of the first player only where it is.
    `tell` is told how many games are over.
    """
    first = first if timed else sooner(first)
    deals = -(-games // SEATS)
    pieces = ((first, second, seed, start, min(chunk, deals - start)) for start in range(0, deals, chunk))
    parts = []
    for found in each_in_order(workers, play_deals, pieces):
        parts.append(found)
        tell(sum(each.games for each in parts))
    return Tally(
        deals=tuple(deal for each in parts for deal in each.deals),
        moves=sum(each.moves for each in parts),
        seconds=sum(each.seconds for each in parts),
    )
