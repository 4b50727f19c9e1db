"""A match: a seating, many games, workers; who won how often.

Games are played in chunks that do not depend on the number of workers, each game from its own seed, so the result for a
seed is the same on one thread, on many, and on a cluster.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.registry import Agents
from molehunt.arena.agent_files import AgentFile, agents_from
from molehunt.arena.clusters import counted_interval
from molehunt.arena.faults import Where, games_by_reason, lost_by_fault, payoffs_of, play_or_say_where
from molehunt.arena.isolation import Isolation, isolated_agents
from molehunt.arena.seating import Chair, parse_seats
from molehunt.arena.statistics import student, wilson
from molehunt.arena.workers import Workers, in_order, is_here, once_per_process, takes_objects, using
from molehunt.core.agent import Agent
from molehunt.core.errors import BadInput, check_is, value_text
from molehunt.core.game import Game
from molehunt.core.match import taken_along
from molehunt.core.notebook import interval_bar, table
from molehunt.core.numbers import is_whole
from molehunt.core.record import Record, make_record
from molehunt.core.seeds import check_seed
from molehunt.core.streams import game_seeds
from molehunt.core.words import counted, rate_said
from molehunt.games.registry import game_entry, make_game, split_label

CHUNK = 512
"""Games that advance in lockstep in one piece of work."""
SLOW_CHUNK = 16
"""The same where a player does not play in batches, so that progress is seen, a stop is soon, and all workers have work."""
ROUNDING = 1e-9
"""Payoffs of deals that differ by no more, beside their mean, are the same."""
DEALS_LOOKED_AT = 64
"""Deals from which it is learned how many of each role a ruleset deals; where that is chance, each case is a quarter or more."""


@dataclass(frozen=True)
class MatchSpec:
    """A match as text, from which any process can set it up: `saboteur/krisnadi`, the chairs, the files with players of one's own.

    With `rotate`, every deal is played in every cyclic seating; with `isolation`, foreign players sit in processes of their own.
    `series` is how many games the same players play in the same seats, one after the other, and take along what they learn.
    """

    label: str
    chairs: tuple[Chair, ...]
    files: tuple[AgentFile, ...] = ()
    rotate: bool = False
    isolation: Isolation | None = None
    series: int = 1


@dataclass
class Match:
    """A seating ready to play: the game, the chairs as asked for, and their players (one object per different player).

    `spec` is the same as text; None where a player is a class of this process only.
    """

    game: Game
    chairs: Sequence[Chair]
    agents: Sequence[Agent]
    rotate: bool = False
    spec: MatchSpec | None = None
    series: int = 1

    def __repr__(self) -> str:
        return f"<Match {self.game.label}: {', '.join(self.names)}>"

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


@dataclass(frozen=True)
class Rate:
    """How often a player of a match has won, and between what its chance to win lies (95 %), as fractions.

    The interval is Wilson's (1927), for as many games as the deals are worth where each is played in several seatings, or the same
    play a series (`arena.clusters`): what one deal brings evens out, or adds up. `payoff` is what the player was paid on average,
    with its interval (Student's, over two deals or series or more, unless all paid the same); None where a win pays 1 and all else
    nothing.
    """

    agent: str
    wins: int
    rate: float
    low: float
    high: float
    payoff: float | None = None
    payoff_low: float | None = None
    payoff_high: float | None = None


def _shown(rate: Rate) -> str:
    return f"{rate_said(rate.rate)} ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


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
    faults: Counter[str] = field(default_factory=Counter)
    """How many games isolated players lost by fault, by the reason."""
    first_faults: dict[str, Where] = field(default_factory=dict)
    """For each of these reasons one of the games, as it can be played again."""
    seed: int = 0
    by_deal: npt.NDArray[np.int64] | None = None
    """In how many deals, or series, each chair won no game, one, and so on: shape (chairs, games of a deal or series + 1)."""
    paid: npt.NDArray[np.float64] | None = None
    """What the chairs were paid, shape (2, chairs): the sum over all deals, and that of the squares. Without it wins are all."""

    @property
    def rates(self) -> list[Rate]:
        """How often each player has won, by chair of the seating as asked for."""
        each = self.match.rotations * self.match.series
        deals = self.games // each
        payoffs: list[Any] = [()] * len(self.wins)
        if self.paid is not None and deals == 1:
            payoffs = (self.paid[:1] / each).T.tolist()
        elif self.paid is not None and deals > 1:
            mean, squares = self.paid / deals
            deviation = np.sqrt(np.maximum(squares - mean**2, 0) * deals / (deals - 1))
            half = student(deals - 1) * deviation / np.sqrt(deals)
            told = (np.stack([mean, mean - half, mean + half], axis=1) / each).tolist()
            # Deals that all paid the same have no spread, and say no more than one deal of how far others may lie.
            alike = deviation <= ROUNDING * np.maximum(1, np.abs(mean))
            payoffs = [row[:1] if same else row for row, same in zip(told, alike.tolist(), strict=True)]
        return [
            Rate(name, wins, wins / max(self.games, 1), *self._within(chair), *payoffs[chair])
            for chair, (name, wins) in enumerate(zip(self.match.names, self.wins.tolist(), strict=True))
        ]

    def _within(self, chair: int) -> tuple[float, float]:
        """Between what a player's chance to win lies."""
        if self.by_deal is None or not self.games:
            return wilson(int(self.wins[chair]), self.games)
        return counted_interval(self.by_deal[chair])

    def __repr__(self) -> str:
        rates = ", ".join(f"{each.agent} {_shown(each)}" for each in self.rates)
        return f"<Result {self.match.game.label}, {counted(self.games, 'game')}: {rates}>"

    def _repr_html_(self) -> str:
        rows = []
        for seat, each in enumerate(self.rates):
            rows.append(
                (seat, each.agent, each.wins, _shown(each), interval_bar(each.low, each.rate, each.high, 0.0, 1.0))
            )
        caption = f"{self.match.game.label}: {self.games:,} games in {self.seconds:.1f} s"
        return table(("seat", "agent", "wins", "rate and 95 % interval", ""), rows, caption)


@dataclass
class Part:
    """What came of some games of a match. `wins` are by chair, `records` are empty unless they were asked for.

    `by_deal` and `paid` are as in `Result`; `pays` where a payoff is another than 1 for a win and 0 for all else.
    """

    outcomes: npt.NDArray[np.int64]
    games: int = 0
    moves: int = 0
    wins: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    by_deal: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    paid: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros((2, 0)))
    pays: bool = False
    records: list[Record] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    first_faults: dict[str, Where] = field(default_factory=dict)


def seat_match(  # noqa: PLR0913, PLR0917 - what a match is
    label: str,
    chairs: Sequence[Chair] | str,
    agents: Agents,
    rotate: bool = False,
    files: Sequence[AgentFile] = (),
    isolation: Isolation | None = None,
    series: int = 1,
) -> Match:
    """Set up a match of `label` (`saboteur/krisnadi`) for the chairs; errors name what was wrong.

    `chairs` may be a text as `molehunt arena --seats` takes it: `random*2,decision-2019`.
    `files` are those from which `agents` has players of one's own, so that another process can make them too. `series` is as in
    `MatchSpec`.
    """
    name, ruleset = split_label(label)
    check_is(agents, Agents, f"the players of a match are Agents({name!r})")
    of_files: object = files
    if not isinstance(of_files, Sequence) or not all(isinstance(file, AgentFile) for file in of_files):
        raise BadInput(f"files of players are a list of what arena.agent_files reads, not {value_text(files)}")
    asked: object = series
    if not is_whole(asked) or asked < 1:
        raise BadInput(f"a series is of a whole number of games from 1 on, not {value_text(series)}")
    if isinstance(chairs, str):
        chairs = parse_seats(chairs, agents.names(), game_entry(name).roles)
    given: object = chairs
    if not isinstance(given, Sequence) or not all(isinstance(chair, Chair) for chair in given):
        raise BadInput(f"seats are a text, as 'random*2,decision-2019', or a list of Chair, not {value_text(given)}")
    counts: dict[str, int] | None = None
    if chairs and chairs[0].role is not None:
        counts = {}
        for chair in chairs:
            counts[str(chair.role)] = counts.get(str(chair.role), 0) + 1
    game = make_game(name, ruleset, len(chairs), counts)
    made = {chair.agent: agents.make(chair.agent) for chair in chairs}
    same = {agent.name: agent for agent in reversed(made.values())}
    known = files or not agents.from_files
    spec = MatchSpec(label, tuple(chairs), tuple(files), rotate, isolation, series) if known else None
    return Match(game, chairs, [same[made[chair.agent].name] for chair in chairs], rotate, spec, series)


def check_roles(label: str, chairs: Sequence[Chair]) -> None:
    """BadInput where chairs are seated in roles of which the ruleset never deals so many; it says what would be right.

    For seats as somebody wrote them. A study of another distribution sets it in so many words.
    """
    if not chairs or chairs[0].role is None:
        return
    name, ruleset = split_label(label)
    game = make_game(name, ruleset, len(chairs))
    dealt = {
        tuple(np.bincount(roles, minlength=len(game.roles)).tolist())
        for roles in game.roles_of(game.new(game_seeds(0, 0, DEALS_LOOKED_AT)))
    }
    wanted = tuple(sum(chair.role == role for chair in chairs) for role in game.roles)
    if wanted in dealt:
        return
    said = ", ".join(f"{role} {count}" for role, count in zip(game.roles, wanted, strict=True))
    right = " or ".join(
        ",".join(
            f"{role}:{'ABCDEFGH'[number % 8]}*{count}"
            for number, (role, count) in enumerate(zip(game.roles, counts, strict=True))
            if count
        )
        for counts in sorted(dealt)
    )
    raise BadInput(
        f"{label} never deals roles to {len(chairs)} seats like this: {said}; right is {right}, or another ruleset "
        f"(molehunt games {name}/{ruleset.partition(':')[0]} lists what can be set)"
    )


@once_per_process
def the_match(spec: MatchSpec) -> Match:
    """The match of a text, set up once in a process."""
    name = split_label(spec.label)[0]
    agents = isolated_agents(name, spec.files, spec.isolation) if spec.isolation else agents_from(name, spec.files)
    return seat_match(spec.label, spec.chairs, agents, spec.rotate, spec.files, spec.isolation, spec.series)


def play_part(spec: MatchSpec | Match, seed: int, first: int, deals: int, keep: bool = False) -> Part:
    """Play `deals` deals of the run's `seed` from number `first`, in every rotation; with `keep`, records of all games.

    Deals that follow each other are one series, so there must be whole series of them. Where a player fails that is somebody's own,
    the error says in which game (`faults.where_of`).
    """
    match = the_match(spec) if isinstance(spec, MatchSpec) else spec
    game = match.game
    seats = len(match.chairs)
    seeds = game_seeds(seed, first, deals)
    base_roles = match.roles()
    names = match.names
    units, each = deals // match.series, match.rotations * match.series
    # What each chair wins and is paid in all games of a deal, or of a series.
    wins, paid = np.zeros((units, seats), np.int64), np.zeros((units, seats))
    part = Part(np.zeros(len(game.outcome_names()), np.int64))
    for shift in range(match.rotations):
        chair_of_seat = [(seat + shift) % seats for seat in range(seats)]
        agents = [match.agents[chair] for chair in chair_of_seat]
        seated = tuple(names[chair] for chair in chair_of_seat)
        records: dict[int, Record] = {}
        known: list[tuple[Any, ...] | None] | None = None
        for number in range(match.series):
            mine = range(number, deals, match.series)
            roles = None if base_roles is None else np.tile(base_roles[chair_of_seat], (len(mine), 1))

            def place(row: int, seated: tuple[str, ...] = seated) -> Where:
                return Where(game.label, seated, seed, first + row * match.series, match.series)

            played = play_or_say_where(game, agents, seeds[mine], roles, keep, known, place)
            part.games += len(mine)
            part.moves += played.moves
            lost = lost_by_fault(game, played)
            won = game.wins(played.states) & ~lost.seats
            part.faults += games_by_reason(lost.faults)
            for fault in lost.faults:
                part.first_faults.setdefault(fault.reason, place(fault.game)._replace(seat=fault.seat))
            wins[:, chair_of_seat] += won
            payoffs = payoffs_of(game, played, lost)
            paid[:, chair_of_seat] += payoffs
            part.pays |= not np.array_equal(payoffs, won)
            part.outcomes += np.bincount(game.endings(played.states), minlength=len(part.outcomes))
            for i, actions in enumerate(played.actions or []):
                records[mine[i]] = make_record(
                    game,
                    int(played.seeds[i]),
                    seated,
                    None if roles is None else roles[i],
                    actions,
                    played.states[i],
                    known=None if known is None else known[i],
                    faults=lost.of(i),
                    failed_after=lost.after(
                        game, i, int(played.seeds[i]), None if roles is None else roles[i], actions
                    ),
                )
            known = taken_along(game, played) if number + 1 < match.series else None
        part.records += [records[deal] for deal in sorted(records)]
    part.wins = wins.sum(axis=0)
    part.by_deal = np.stack([np.bincount(of_chair, minlength=each + 1) for of_chair in wins.T])
    part.paid = np.stack([paid.sum(axis=0), (paid**2).sum(axis=0)])
    return part


def chunk_of(match: Match) -> int:
    """How many deals make one piece of work: always the same for a match, whoever works."""
    in_batches = all(agent.in_batches for agent in match.agents)
    return max(1, (CHUNK if in_batches else SLOW_CHUNK) // match.rotations // match.series) * match.series


def run(  # noqa: PLR0913, PLR0917 - what a match is, and how it is played
    match: Match,
    games: int,
    seed: int = 0,
    workers: Workers | int = 1,
    tell: Callable[[int, int], None] | None = None,
    records: Callable[[list[Record]], None] | None = None,
    first_deal: int = 0,
) -> Result:
    """Play a match of `games` games: at least so many that every deal is played in every seating, and every series to its end.

    `workers` come from `open_workers`; a number is so many threads. `tell(done, total)` is called as games end; `records` is given
    finished records in order. Deals are those of the seed from number `first_deal` on, counted from 0. A KeyboardInterrupt ends
    the match early: what was played until then is the result, with `interrupted` set. BadInput where a number is none.
    """
    check_is(match, Match, "a match is what seat_match makes")
    seed, first_deal = check_seed(seed), check_seed(first_deal)
    asked: object = games
    if not is_whole(asked) or asked < 1:
        raise BadInput(f"how many games is a whole number from 1 on, not {value_text(games)}")
    outcomes = np.zeros(len(match.game.outcome_names()), np.int64)
    result = Result(match, np.zeros(len(match.chairs), np.int64), outcomes, seed=seed)
    deals = -(-games // (match.rotations * match.series)) * match.series
    total = deals * match.rotations
    chunk = chunk_of(match)
    paid, pays = np.zeros((2, len(match.chairs))), False
    began = time.perf_counter()
    if tell is not None:
        tell(0, total)

    def take(part: Part) -> None:
        nonlocal paid, pays
        paid, pays = paid + part.paid, pays or part.pays
        result.paid = paid if pays else None
        result.games += part.games
        result.moves += part.moves
        result.wins += part.wins
        result.by_deal = part.by_deal if result.by_deal is None else result.by_deal + part.by_deal
        result.outcomes += part.outcomes
        result.faults.update(part.faults)
        result.first_faults = part.first_faults | result.first_faults
        if records is not None:
            records(part.records)
        if tell is not None:
            tell(result.games, total)

    with using(workers) as pool:
        what = match if takes_objects(pool) or (match.spec is None and is_here(pool)) else match.spec
        if what is None:
            raise BadInput("a player that is a class of this process cannot play elsewhere; put it into a file")
        pieces = (
            (what, seed, first_deal + first, min(chunk, deals - first), records is not None)
            for first in range(0, deals, chunk)
        )
        try:
            in_order(pool, play_part, pieces, take)
        except KeyboardInterrupt:
            result.interrupted = True
    result.seconds = time.perf_counter() - began
    return result
