"""`veldhuis2012`: the twelve setups of Veldhuis, Jansen and Broers 2012, and the six findings they report in words.

The paper prints no numbers: its findings come from 18 rounds a setup. Here each finding is a measure with a line drawn
beforehand, and the verdict says on which side of it the interval lies. The paper's flow chart is lost and ours is a
reconstruction, so the study also says how each finding moves with the chart's numbers, and `search` looks for the region in
which the findings hold.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.kripke_parameters import NORMAL, STRATEGIES
from molehunt.arena.statistics import Z, difference, wilson
from molehunt.core.game import Game
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.cards import CARD_NAMES, GOAL_PLACES, GOLD, NO_CARD
from molehunt.games.saboteur.state import GOLD_FOUND, OUTCOME
from molehunt.studies.study import (
    AGREES,
    DIFFERS,
    FAILS,
    HOLDS,
    NONE_PUBLISHED,
    UNDECIDED,
    Picture,
    Row,
    Section,
    Study,
    Tell,
)

RULESET = "veldhuis:rounds=1"
"""Rounds, not games, as in the paper: roles are dealt anew in every round, and players forget."""
SEATS = 5
PLAYER = "kripke-2012"
DEPTHS = (1, 2)
FACTORS = (1.5, 5.0)
CHUNK = 500
"""Rounds that are played together."""
SENSITIVITY_SHARE = 10
"""Sensitivity is measured with a tenth of the rounds, if that leaves SENSITIVITY_LEAST a setup."""
SENSITIVITY_LEAST = 40

MOST, ALMOST_ALL = 50.0, 90.0
"""Where "most of the time" and "almost every" begin, in percent."""
NO_CHANGE, STRIKING = 10.0, 20.0
"""Two rates do not differ within so many points; eighteen rounds could not show less than the second."""


@dataclass(frozen=True)
class Setup:
    """One of the paper's configurations, with what differs from the normal numbers of the player."""

    strategy: str
    depth: int
    factor: float
    changes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As ids name it: strategy, depth, factor."""
        return f"{self.strategy}-{self.depth}-{self.factor:g}"

    @property
    def agent(self) -> str:
        """The player that sits on all seats."""
        items = (f"strategy={self.strategy}", f"depth={self.depth}", f"disbelief={self.factor}", *self.changes)
        return f"{PLAYER}:{','.join(items)}"


def setups(changes: tuple[str, ...] = ()) -> list[Setup]:
    """The twelve setups, in the order of the report."""
    return [Setup(s, d, f, changes) for s in STRATEGIES for d in DEPTHS for f in FACTORS]


@dataclass(frozen=True)
class Tally:
    """What rounds of one setup came to.

    `saboteur_wins` and `all_true` (every agent believed the true state at the end) count rounds, `failures` the agents that did not
    believe it; `states` are the believed states of every agent, as sum and as sum of squares of the means of the rounds.
    """

    rounds: int = 0
    saboteur_wins: int = 0
    all_true: int = 0
    failures: int = 0
    states: float = 0.0
    squares: float = 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(a + b for a, b in zip(dataclasses.astuple(self), dataclasses.astuple(other), strict=True)))

    def mean_states(self) -> tuple[float, float, float]:
        """(mean number of states that an agent believes at the end, its interval), over rounds."""
        mean = self.states / self.rounds
        spread = max(self.squares / self.rounds - mean * mean, 0.0)
        half = Z * math.sqrt(spread / self.rounds)
        return mean, mean - half, mean + half


def watch(setup: Setup, seeds: npt.NDArray[np.uint64]) -> Tally:
    """Play a round for each seed and look at what every agent believes at its end."""
    game = make_game("saboteur", RULESET, SEATS)
    agent = Agents("saboteur").make(setup.agent)
    played = play(game, [agent] * SEATS, seeds)
    memory: Any = played.chairs[0].memory
    rounds = len(seeds)
    believed = memory.believed()[:, 0].reshape(rounds, SEATS, -1)
    roles = game.roles_of(played.states)
    true_state = (memory.roles.T[None] == roles[:, None]).all(axis=2).argmax(axis=1)
    holds_true = believed[np.arange(rounds), :, true_state]
    states = believed.sum(axis=2).mean(axis=1)
    return Tally(
        rounds=rounds,
        saboteur_wins=int((played.states["info"][:, OUTCOME] != GOLD_FOUND).sum()),
        all_true=int(holds_true.all(axis=1).sum()),
        failures=int((~holds_true).sum()),
        states=float(states.sum()),
        squares=float((states**2).sum()),
    )


def tallies(
    todo: Sequence[Setup], games: int, seed: int, pool: ThreadPoolExecutor, tell: Tell, done: int = 0, total: int = 0
) -> dict[Setup, Tally]:
    """The tally of each setup, all of them on the same deals."""
    pieces = [(setup, first) for setup in todo for first in range(0, games, CHUNK)]
    work = pool.map(lambda piece: watch(piece[0], game_seeds(seed, piece[1], min(CHUNK, games - piece[1]))), pieces)
    found: dict[Setup, Tally] = {}
    for (setup, _), tally in zip(pieces, work, strict=True):
        found[setup] = found.get(setup, Tally()) + tally
        done += tally.rounds
        tell(done, total or games * len(todo))
    return found


# --- The findings -------------------------------------------------------------------------------------------------------

VERDICTS = {HOLDS: AGREES, FAILS: DIFFERS, UNDECIDED: NONE_PUBLISHED}


@dataclass(frozen=True)
class Finding:
    """A finding as measured: the number, its interval, and whether it holds."""

    name: str
    quantity: str
    measured: float
    low: float
    high: float
    verdict: str
    rounds: int

    def row(self, prefix: str) -> Row:
        """The row of a report."""
        return Row(
            id=f"{prefix}{self.name}",
            quantity=f"{self.quantity}: {self.verdict}",
            published=None,
            measured=round(float(self.measured), 3),
            low=round(float(self.low), 3),
            high=round(float(self.high), 3),
            games=self.rounds,
            verdict=VERDICTS[self.verdict],
        )


def above(low: float, high: float, line: float) -> str:
    """Whether an interval lies above a line."""
    return HOLDS if low > line else FAILS if high < line else UNDECIDED


def within(low: float, high: float, margin: float) -> str:
    """Whether an interval of a difference lies within a margin around nothing."""
    return HOLDS if -margin < low and high < margin else FAILS if low > margin or high < -margin else UNDECIDED


def worst(verdicts: Sequence[str]) -> str:
    """What is true of all parts of a finding."""
    return FAILS if FAILS in verdicts else UNDECIDED if UNDECIDED in verdicts else HOLDS


def rate(name: str, quantity: str, count: int, rounds: int, line: float) -> Finding:
    """A finding that a rate, in percent, lies above a line."""
    low, high = (100 * bound for bound in wilson(count, rounds))
    return Finding(name, quantity, 100 * count / rounds, low, high, above(low, high, line), rounds)


def gap(first: Tally, second: Tally, field: str, per_round: int = 1) -> tuple[float, float, float]:
    """(difference of two rates in points, its interval), first minus second."""
    one, two = getattr(first, field), getattr(second, field)
    games = (first.rounds * per_round, second.rounds * per_round)
    low, high = difference(one, games[0], two, games[1])
    return 100 * (one / games[0] - two / games[1]), 100 * low, 100 * high


def findings(found: dict[Setup, Tally]) -> list[Finding]:
    """The six findings, in the paper's order; the sixth has three parts."""
    by = {(setup.strategy, setup.depth, setup.factor): tally for setup, tally in found.items()}

    def pooled(**wanted: object) -> Tally:
        mine = [
            t
            for s, t in found.items()
            if all(
                getattr(s, key) in (value if isinstance(value, tuple) else (value,)) for key, value in wanted.items()
            )
        ]
        return sum(mine, Tally())

    open_ones = pooled(strategy=("explicit", "adaptive"))
    everything = pooled()
    result = [
        rate(
            "1-saboteurs-win",
            f"most of the time the saboteurs win (explicit and adaptive), %, above {MOST:g}",
            open_ones.saboteur_wins,
            open_ones.rounds,
            MOST,
        ),
        rate(
            "2-truth-believed",
            f"after almost every round all agents believe the true state, %, above {ALMOST_ALL:g}",
            everything.all_true,
            everything.rounds,
            ALMOST_ALL,
        ),
    ]
    # 3: fewer states with the stronger disbelief, in every configuration; the number is the smallest of the six differences.
    fewer = []
    for strategy in STRATEGIES:
        for depth in DEPTHS:
            mild, strong = by[strategy, depth, 1.5].mean_states(), by[strategy, depth, 5.0].mean_states()
            half = math.hypot(mild[2] - mild[0], strong[2] - strong[0])
            fewer.append((mild[0] - strong[0], mild[0] - strong[0] - half, mild[0] - strong[0] + half))
    least = min(fewer)
    result.append(
        Finding(
            "3-fewer-states",
            "factor 5 leaves fewer believed states in every configuration, smallest difference in states, above 0",
            *least,
            worst([above(low, high, 0.0) for _, low, high in fewer]),
            everything.rounds,
        )
    )
    pairs = [("explicit", f) for f in FACTORS] + [("adaptive", f) for f in FACTORS]
    depth_gaps = [gap(by[s, 2, f], by[s, 1, f], "saboteur_wins") for s, f in pairs]
    strategy_gaps = [gap(by["explicit", d, f], by["adaptive", d, f], "saboteur_wins") for d in DEPTHS for f in FACTORS]
    for name, text, gaps, margin in (
        ("4-depth-no-difference", "explicit and adaptive: depth two changes nothing", depth_gaps, NO_CHANGE),
        ("5-explicit-like-adaptive", "explicit and adaptive do not differ strikingly", strategy_gaps, STRIKING),
    ):
        largest = max(gaps, key=lambda each: abs(each[0]))
        quantity = f"{text}, largest difference in saboteur wins, points, within {margin:g}"
        verdict = worst([within(low, high, margin) for _, low, high in gaps])
        result.append(Finding(name, quantity, *largest, verdict, open_ones.rounds))
    deep, flat = pooled(strategy="undercover", depth=2), pooled(strategy="undercover", depth=1)
    result.append(
        rate(
            "6a-undercover-miners-win",
            f"undercover at depth two: miners win almost always, %, above {ALMOST_ALL:g}",
            deep.rounds - deep.saboteur_wins,
            deep.rounds,
            ALMOST_ALL,
        )
    )
    now_and_then = gap(flat, deep, "saboteur_wins")
    result.append(
        Finding(
            "6b-undercover-depth-one",
            "undercover at depth one: saboteurs win now and then, points more than at depth two, above 0",
            *now_and_then,
            above(*now_and_then[1:], 0.0),
            deep.rounds + flat.rounds,
        )
    )
    lost = gap(pooled(strategy="undercover"), open_ones, "failures", SEATS)
    result.append(
        Finding(
            "6c-undercover-confuses",
            "undercover: agents that do not believe the true state, points more than otherwise, above 0",
            *lost,
            above(*lost[1:], 0.0),
            everything.rounds,
        )
    )
    return result


# --- The rows -----------------------------------------------------------------------------------------------------------


def setup_rows(setup: Setup, tally: Tally) -> Iterator[Row]:
    """What one setup came to."""
    described = f"{setup.strategy}, depth {setup.depth}, factor {setup.factor:g}"
    for name, quantity, count, games in (
        ("wins", "saboteur wins, %", tally.saboteur_wins, tally.rounds),
        ("truth", "rounds after which all agents believe the true state, %", tally.all_true, tally.rounds),
        ("lost", "agents that do not believe the true state, %", tally.failures, tally.rounds * SEATS),
    ):
        low, high = wilson(count, games)
        yield Row(
            id=f"{name}/{setup.name}",
            quantity=f"{quantity}: {described}",
            published=None,
            measured=round(100 * count / games, 3),
            low=round(100 * low, 3),
            high=round(100 * high, 3),
            games=tally.rounds,
            verdict=NONE_PUBLISHED,
        )
    mean, low, high = tally.mean_states()
    yield Row(
        id=f"states/{setup.name}",
        quantity=f"believed states of an agent at the end: {described}",
        published=None,
        measured=round(mean, 3),
        low=round(low, 3),
        high=round(high, 3),
        games=tally.rounds,
        verdict=NONE_PUBLISHED,
    )


CHART: dict[str, tuple[float, ...]] = {
    "start": (-1.0, 2.0),
    "strong": (1.5, 3.0),
    "threshold": (-6.0, -2.0, -1.0),
    "limit": (4.0, 12.0),
    "shortens": (0.3, 0.9),
    "lengthens": (0.3, 0.9),
    "path_weight": (0.0, 0.5, 2.0),
    "block_weight": (0.0, 0.5, 2.0),
    "claim_weight": (0.0, 0.5, 2.0),
    "discard_weight": (0.0, 0.5, 2.0),
    "trust_miner": (0.0, 2.0),
    "trust_saboteur": (0.0, 2.0),
    "borrow": (0.0, 0.5),
    "suspect_miner": (0.0, 2.0),
    "suspecting": (1, 3),
    "close": (1.0, 4.0, 6.0),
    "cover": (0.2, 9.0),
    "doubt": (0.02, 0.3),
    "suspicious": (0.3, 0.7),
}
"""The numbers of the chart and of depth two, and what else each is set to, one at a time."""


NEAREST = ("cover=9", "close=6")
"""What has to change for most findings to hold: saboteurs who play a miner do not spare good path cards, and adaptive ones stop
pretending when a goal is six cards away, not two."""


def measure(games: int, seed: int, threads: int, tell: Tell) -> list[Row]:
    """Play the twelve setups, judge the findings, also in the nearest region, and move the chart's numbers one at a time."""
    few = games // SENSITIVITY_SHARE
    variations = [f"{name}={value:g}" for name, values in CHART.items() for value in values]
    if few < SENSITIVITY_LEAST:
        variations = []
    count = len(setups())
    total = count * (2 * games + few * len(variations))
    with ThreadPoolExecutor(threads) as pool:
        found = tallies(setups(), games, seed, pool, tell, total=total)
        rows = [finding.row("finding/") for finding in findings(found)]
        measures = [list(setup_rows(setup, tally)) for setup, tally in found.items()]
        rows += [row for kind in zip(*measures, strict=True) for row in kind]
        near = tallies(setups(NEAREST), games, seed, pool, tell, count * games, total)
        rows += [finding.row(f"region/{'+'.join(NEAREST)}/") for finding in findings(near)]
        for number, change in enumerate(variations):
            done = count * (2 * games + few * number)
            moved = tallies(setups((change,)), few, seed, pool, tell, done, total)
            rows += [finding.row(f"sensitivity/{change}/") for finding in findings(moved)]
    return rows


# --- Pictures -----------------------------------------------------------------------------------------------------------

PICTURED = Setup("adaptive", 2, 5.0)
"""The setup of the paper's executable."""


def pictures(seed: int) -> list[Picture]:
    """The end board of the first round that the miners won and of the first that the saboteurs won."""
    game = make_game("saboteur", RULESET, SEATS)
    seeds = game_seeds(seed, 0, CHUNK)
    played = play(game, [Agents("saboteur").make(PICTURED.agent)] * SEATS, seeds)
    memory: Any = played.chairs[0].memory
    won = played.states["info"][:, OUTCOME] == GOLD_FOUND
    result = []
    for title, wanted in (("A round that the miners won", True), ("A round that the saboteurs won", False)):
        for number in np.flatnonzero(won == wanted)[:1]:
            view = game.views(played.states, np.zeros(1, np.int8), np.array([number]))
            text = f"Round {number} of seed {seed}: {PICTURED.strategy}, depth {PICTURED.depth}, factor {PICTURED.factor:g}."
            lines = tuple(
                _knew(game, played.states[number], memory, number * SEATS + seat, seat) for seat in range(SEATS)
            )
            result.append(Picture(title, text, game.draw_svg(view), lines))
    return result


def _knew(game: Game, state: Any, memory: Any, chair: int, seat: int) -> str:
    """What one seat held and knew at the end of a round."""
    mind = memory.records[chair]
    goals = ", ".join(
        f"{place} {'gold' if content == GOLD else 'a stone' if content else 'not known'}"
        for place, content in zip(GOAL_PLACES, mind["goals"].tolist(), strict=True)
    )
    believed = np.flatnonzero(memory.believed()[chair, 0])
    teams = " ".join(
        "{" + ",".join(map(str, np.flatnonzero(memory.roles[:, distribution]))) + "}" for distribution in believed
    )
    hand = ", ".join(CARD_NAMES[card] for card in state["hands"][seat] if card != NO_CARD) or "no cards"
    blocked = ", blocked" if state["broken"][seat] else ""
    role = game.roles[int(state["roles"][seat])]
    return f"Seat {seat}, {role}{blocked}: goals {goals}; believed saboteurs {teams}; hand {hand}."


# --- The region in which the findings hold ------------------------------------------------------------------------------

REGION: dict[str, tuple[float, ...]] = {
    "threshold": (-6.0, -3.0, -2.0, -1.0),
    "limit": (4.0, 6.0, 12.0),
    "strong": (1.5, 2.0, 3.0),
    "path_weight": (0.5, 1.0, 2.0),
    "block_weight": (0.0, 0.5, 1.0),
    "discard_weight": (0.0, 1.0, 2.0),
    "suspecting": (1, 2),
    "suspect_miner": (1.0, 2.0, 3.0),
    "close": (2.0, 4.0, 6.0),
    "cover": (0.5, 9.0),
    "block": (1.0, 2.5, 4.0),
    "saboteur_block": (1.0, 2.5, 4.0),
    "harm": (0.5, 1.5, 3.0),
    "path_idle": (-0.1, 0.05),
    "suspicious": (0.3, 0.5, 0.7),
}
SAMPLES = 150


@dataclass(frozen=True)
class Region:
    """One choice of numbers, and which findings hold with it."""

    changes: tuple[str, ...]
    verdicts: dict[str, str]
    saboteur_wins: float

    @property
    def held(self) -> int:
        """How many findings hold."""
        return sum(verdict == HOLDS for verdict in self.verdicts.values())

    def columns(self) -> dict[str, str]:
        """What to print of it, by heading."""
        failed = [name.partition("-")[0] for name, verdict in self.verdicts.items() if verdict == FAILS]
        unsure = [name.partition("-")[0] for name, verdict in self.verdicts.items() if verdict == UNDECIDED]
        return {
            "hold": f"{self.held} of {len(self.verdicts)}",
            "do not": " ".join(failed) or "-",
            "undecided": " ".join(unsure) or "-",
            "saboteurs win": f"{self.saboteur_wins:.0f} %",
            "numbers": ", ".join(self.changes) or "the defaults",
        }


def search(games: int, seed: int, threads: int, tell: Tell) -> list[Region]:
    """Random choices of the numbers (the first is the default), those with the most findings first."""
    random = np.random.default_rng(seed)
    choices: list[tuple[str, ...]] = [()]
    while len(choices) < SAMPLES:
        picked = {name: values[random.integers(len(values))] for name, values in REGION.items()}
        choices.append(tuple(f"{n}={v:g}" for n, v in picked.items() if v != getattr(NORMAL, n)))
    result = []
    with ThreadPoolExecutor(threads) as pool:
        for number, changes in enumerate(choices):
            found = tallies(setups(changes), games, seed, pool, tell, number * 12 * games, SAMPLES * 12 * games)
            judged = findings(found)
            result.append(Region(changes, {f.name: f.verdict for f in judged}, judged[0].measured))
    return sorted(result, key=lambda region: -region.held)


STUDY = Study(
    name="veldhuis2012",
    title="Saboteurs that bluff, and players with Kripke models: twelve setups and six findings",
    source="Dyon Veldhuis, Eric Jansen, Eveline Broers: Saboteurs. Multi-Agent Systems, April 2012.",
    default_games=2000,
    small_games=40,
    unit="%",
    sections=(
        Section(
            "finding/",
            "The six findings",
            "The paper states them in words, from 18 rounds a setup. The lines to be crossed were drawn before measuring.",
        ),
        Section(
            "wins/", "Rounds that the saboteurs win", "Strategy of the saboteurs, depth of belief, disbelief factor."
        ),
        Section(
            "truth/", "Rounds after which all agents believe the true state", "The true distribution of the roles."
        ),
        Section("lost/", "Agents that do not believe the true state", "At the end of a round."),
        Section(
            "states/", "Believed states of an agent at the end", "Of ten; six when the roles were dealt to a miner."
        ),
        Section(
            "region/",
            "The nearest region in which most findings hold",
            f"All numbers as by default but {' and '.join(NEAREST)}.",
            "finding/",
        ),
        Section(
            "sensitivity/",
            "How the findings move with the numbers of the chart",
            "One number changed at a time, with a tenth of the rounds.",
            "finding/",
        ),
    ),
    measure=measure,
    search=search,
    pictures=pictures,
    judged="finding/",
    noun="findings",
)
