"""How fast this machine plays: rows of speed, start-up time and memory.

Each is measured warm and on one thread unless it says otherwise. A speed is the best of a few runs, because other programs
can only slow a run down.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import msgspec
import numpy as np

from molehunt.agents.chance import Memory
from molehunt.agents.random import RandomAgent
from molehunt.agents.registry import Agents
from molehunt.arena.match import run, seat_match
from molehunt.arena.seating import Chair
from molehunt.arena.workers import open_workers
from molehunt.beliefs.deals.layers import place_weights
from molehunt.beliefs.kripke import KripkeModel, choose_worlds
from molehunt.core.agent import Player, PlayerAgent
from molehunt.core.match import play
from molehunt.core.position import Position
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game, split_label
from molehunt.games.speed_clue.resample import facts_of_views
from molehunt.games.speed_clue.state import TURN
from molehunt.studies.duel_games import play_pair
from molehunt.studies.krisnadi2019 import SYSTEM, TEAMS
from molehunt.studies.study import Tell, silent

REPEATS = 3
GAMES = (("saboteur/krisnadi", 5), ("duel/mcgill", 2), ("speed_clue/mitchell", 3))
"""What is measured of every game: its label and its seats."""


class BenchRow(msgspec.Struct, frozen=True):
    """One measurement."""

    name: str
    value: float
    unit: str


def _best(measure: Callable[[], float]) -> float:
    """The best of a few runs of a speed, after one that warms up."""
    measure()
    return max(measure() for _ in range(REPEATS))


def random_rollouts(name: str, ruleset: str, seats: int) -> float:
    """Moves a second of uniformly random legal play in one compiled loop, after the deal."""
    game = make_game(name, ruleset, seats)
    seeds = game_seeds(1, 0, 20_000)
    states = game.new(seeds)
    began = time.perf_counter()
    moves: int = game.play_randomly(states, seeds)
    return moves / (time.perf_counter() - began)


class RandomInStep(RandomAgent):
    """`random` as a player that no compiled loop reaches, so that games advance together."""

    def reach(self, memory: Memory) -> None:
        return None


def random_lockstep() -> float:
    """Moves a second of random play with five seats, a move of each game a step: a view and five events for every move."""
    game = make_game("saboteur", "krisnadi", 5)
    agent = RandomInStep()
    began = time.perf_counter()
    played = play(game, [agent] * 5, game_seeds(1, 0, 4096))
    return played.moves / (time.perf_counter() - began)


class Plain(Player):
    """Who writes a first player: it looks at all its moves by name, and takes one."""

    def choose(self, view: Any) -> Any:
        named = [action for action in view.legal_actions if not str(action).startswith("discard")]
        return self.random.choice(named or view.legal_actions)


def plain_games(label: str, seats: int, games: int = 60) -> float:
    """Moves a second of players in plain Python on all seats, one thread."""
    game = make_game(*split_label(label), seats)
    began = time.perf_counter()
    played = play(game, [PlayerAgent("plain", Plain)] * seats, game_seeds(1, 0, games))
    return played.moves / (time.perf_counter() - began)


def random_games(ruleset: str, seats: int, games: int = 4096) -> float:
    """Whole games a second of random players through the arena, one thread."""
    result = run(seat_match(f"saboteur/{ruleset}", [Chair("random")] * seats, Agents("saboteur")), games, 1)
    return result.games / result.seconds


def kripke_rounds(depth: int, rounds: int = 512) -> float:
    """Rounds a second of five players of 2012 on their board, one thread."""
    chairs = [Chair(f"kripke-2012:depth={depth}")] * 5
    result = run(seat_match("saboteur/veldhuis:rounds=1", chairs, Agents("saboteur")), rounds, 1)
    return result.games / result.seconds


def formula_milliseconds() -> float:
    """Milliseconds for a new formula of depth three on a model of ten players and 210 states: the slowest of some."""
    worlds, facts = choose_worlds(10, 4)
    random = np.random.default_rng(1)
    model = KripkeModel.from_beliefs(worlds, range(10), facts, random.random((10, len(worlds))) < 0.5)
    times = []
    for number in range(200):
        first, second, third, fact = random.integers(10, size=4)
        text = (
            f"B_{first} (~B_{second} sab({fact}) | M_{third} B_{second} sab({number % 10})) & C ~B_{third} sab({fact})"
        )
        began = time.perf_counter()
        model.holds(text, number % len(worlds))
        times.append(1000 * (time.perf_counter() - began))
    return max(times[REPEATS:])


def system_games(saboteur: str, miner: str, team: tuple[int, int] = (2, 3), games: int = 4096) -> float:
    """Games a second of one pair of players, one thread."""
    chairs = [Chair(saboteur, "saboteur")] * team[0] + [Chair(miner, "miner")] * team[1]
    result = run(seat_match("saboteur/krisnadi", chairs, Agents("saboteur")), games, 1)
    return result.games / result.seconds


def clue_games_speed(seats: int) -> float:
    """Games a second of `advanced` against itself, one thread."""
    result = run(seat_match("speed_clue/mitchell", [Chair("advanced")] * seats, Agents("speed_clue")), 8192, 1)
    return result.games / result.seconds


def deals_milliseconds(seats: int, suggestions: int, games: int = 25) -> float:
    """The median of the milliseconds for all probabilities of who holds what, from the seat on turn after so many suggestions.

    Positions are from games of `advanced` against itself; those that end sooner are left out.
    """
    game = make_game("speed_clue", "mitchell", seats)
    seeds = game_seeds(1, 0, games)
    played = play(game, [Agents("speed_clue").make("advanced")] * seats, seeds, keep_actions=True)
    places = np.empty((64, seats))
    times = []
    for seed, actions in zip(seeds, played.actions or (), strict=True):
        states = game.new(np.array([seed], np.uint64))
        for action in actions:
            if states["phase"][0] == TURN and states["suggestion_count"][0] == suggestions:
                view = game.views(states, game.to_move(states))
                facts = facts_of_views(view, game.params)
                place_weights(facts, places)
                began = time.perf_counter()
                place_weights(facts, places)
                times.append(1000 * (time.perf_counter() - began))
                break
            game.apply(states, np.array([action], np.int32))
    return float(np.median(times))


def duel_milliseconds(player: str, games: int) -> float:
    """Milliseconds of processor time for one move of a player of the duel, against the listed random player."""
    with open_workers(1) as workers:
        return play_pair(player, "random-listed", games, 1, workers, lambda _: None).milliseconds


def batched_moves(label: str, seats: int, wanted: bool, moves: int = 200_000, games: int = 256) -> float:
    """Moves a second of many games as arrays, one thread, random legal actions; `wanted`: with masks and observations."""
    from molehunt.adapters.batched import BatchedGames

    table = BatchedGames(label, seats, games, observations=wanted, masks=wanted)
    table.reset(1)
    began = time.perf_counter()
    for _ in range(moves // games):
        table.step(table.random_actions())
    return moves // games * games / (time.perf_counter() - began)


def table_5() -> float:
    """Seconds for Table 5 of the 2019 paper, 18,000 games, on two threads."""
    began = time.perf_counter()
    for saboteurs, miners in TEAMS:
        chairs = [Chair(SYSTEM, "saboteur")] * saboteurs + [Chair(SYSTEM, "miner")] * miners
        run(seat_match("saboteur/krisnadi", chairs, Agents("saboteur")), 3000, 1, workers=2)
    return time.perf_counter() - began


def command_seconds(*arguments: str) -> float:
    """Wall-clock seconds of a command of this program in a process of its own: the best of a few runs."""
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        subprocess.run(  # noqa: S603 - our own program, our own arguments
            [sys.executable, "-m", "molehunt", *arguments], check=True, capture_output=True
        )
        times.append(time.perf_counter() - began)
    return min(times)


def resampled() -> float:
    """States a second that a seat draws from what it holds possible."""
    game = make_game("saboteur", "krisnadi", 5)
    states = game.new(game_seeds(1, 0, 20_000))
    views = game.views(states, game.to_move(states))
    streams = np.arange(len(views), dtype=np.uint64)
    began = time.perf_counter()
    game.resample(views, streams)
    return len(views) / (time.perf_counter() - began)


def position_microseconds(use: Callable[[Position, int], object], calls: int = 300) -> float:
    """Microseconds of processor time of one call on a position in the hand, its kernels included: the slowest of the games.

    Each call is on a fresh copy of a position two moves after the deal, with a legal action; of a few runs, the best counts.
    """
    slowest = 0.0
    for label, seats in GAMES:
        position = Position(make_game(*split_label(label), seats), 1)
        for _ in range(2):
            position.play(position.legal_actions.codes[0])
        action = position.legal_actions.codes[0]
        runs = []
        for _ in range(1 + REPEATS):
            copies = [position.copy() for _ in range(calls)]
            began = time.thread_time()
            for each in copies:
                use(each, action)
            runs.append(time.thread_time() - began)
        slowest = max(slowest, 1e6 * min(runs) / calls)
    return slowest


def peak_memory() -> float:
    """The largest memory that this process has held so far, in MiB."""
    import resource

    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return size / (1024**2 if sys.platform == "darwin" else 1024)


STEPS: tuple[tuple[str, str, Callable[[], float]], ...] = (
    ("saboteur/random/one-loop", "moves/s", lambda: _best(lambda: random_rollouts("saboteur", "krisnadi", 5))),
    (
        "saboteur/official/random/one-loop",
        "moves/s",
        lambda: _best(lambda: random_rollouts("saboteur", "official", 5)),
    ),
    ("saboteur/official/random/5-seats-3-rounds", "games/s", lambda: _best(lambda: random_games("official", 5))),
    ("saboteur/veldhuis/kripke-2012/depth-2", "rounds/s", lambda: _best(lambda: kripke_rounds(2))),
    ("kripke/formula-depth-3-210-states", "ms", formula_milliseconds),
    ("saboteur/random/lockstep-with-views-and-events", "moves/s", lambda: _best(random_lockstep)),
    ("saboteur/resample", "states/s", lambda: _best(resampled)),
    ("saboteur/decision-2019/2+3", "games/s", lambda: _best(lambda: system_games(SYSTEM, SYSTEM))),
    (
        "saboteur/means-ends-2016/2+3",
        "games/s",
        lambda: _best(lambda: system_games("means-ends-2016", "means-ends-2016")),
    ),
    ("saboteur/table5/18000-games-2-threads", "s", table_5),
    ("speed_clue/random/one-loop", "moves/s", lambda: _best(lambda: random_rollouts("speed_clue", "mitchell", 3))),
    ("speed_clue/advanced/3-seats", "games/s", lambda: _best(lambda: clue_games_speed(3))),
    ("speed_clue/advanced/6-seats", "games/s", lambda: _best(lambda: clue_games_speed(6))),
    ("deals/all-probabilities/3-seats/start", "ms", lambda: deals_milliseconds(3, 0)),
    ("deals/all-probabilities/4-seats/start", "ms", lambda: deals_milliseconds(4, 0)),
    ("deals/all-probabilities/5-seats/start", "ms", lambda: deals_milliseconds(5, 0)),
    ("deals/all-probabilities/6-seats/start", "ms", lambda: deals_milliseconds(6, 0)),
    ("deals/all-probabilities/3-seats/6-suggestions", "ms", lambda: deals_milliseconds(3, 6)),
    ("deals/all-probabilities/4-seats/6-suggestions", "ms", lambda: deals_milliseconds(4, 6)),
    ("deals/all-probabilities/5-seats/6-suggestions", "ms", lambda: deals_milliseconds(5, 6)),
    ("deals/all-probabilities/6-seats/6-suggestions", "ms", lambda: deals_milliseconds(6, 6)),
    ("duel/random/one-loop", "moves/s", lambda: _best(lambda: random_rollouts("duel", "mcgill", 2))),
    ("duel/greedy-2020/one-move", "ms", lambda: duel_milliseconds("greedy-2020", 2000)),
    ("duel/and-or-2020/depth-2/one-move", "ms", lambda: duel_milliseconds("and-or-2020:wins_first", 100)),
    ("duel/duel-star/one-move", "ms", lambda: duel_milliseconds("duel-star", 20)),
    *(
        (
            f"{label}/batched{'-with-masks-and-observations' * wanted}",
            "moves/s",
            partial(_best, partial(batched_moves, label, seats, wanted)),
        )
        for label, seats in GAMES
        for wanted in (False, True)
    ),
    *(
        (f"{label}/plain-python-players", "moves/s", partial(_best, partial(plain_games, label, seats)))
        for label, seats in GAMES
    ),
    ("position/copy", "us", lambda: position_microseconds(lambda position, _: position.copy())),
    ("position/legal-actions", "us", lambda: position_microseconds(lambda position, _: position.legal_actions)),
    ("position/play", "us", lambda: position_microseconds(Position.play)),
    ("position/view", "us", lambda: position_microseconds(lambda position, _: position.view())),
    ("command/help", "s", lambda: command_seconds("--help")),
    (
        "command/arena-10-games-warm",
        "s",
        lambda: command_seconds("arena", "saboteur/krisnadi", "--seats", "decision-2019*5", "--games", "10"),
    ),
    *((("memory/peak", "MiB", peak_memory),) if find_spec("resource") else ()),  # Windows does not tell
)
"""Every measurement: its name, its unit, and what measures it."""


def measure(tell: Tell = silent) -> list[BenchRow]:
    """Take every measurement."""
    rows = []
    for done, (name, unit, step) in enumerate(STEPS):
        tell(done, len(STEPS))
        rows.append(BenchRow(name, step(), unit))
    return rows
