"""A training run: games are collected, the learner learns from them, and now and then it is measured and all is saved."""

from __future__ import annotations

import io
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from molehunt.agents.learned import POSITION_ONLY, LearnedAgent, Parameters, Told
from molehunt.agents.networks import HISTORY, INPUTS, MOVES, Network, from_flat
from molehunt.arena.clusters import alike_interval
from molehunt.arena.statistics import mean_interval
from molehunt.arena.workers import Workers
from molehunt.core.agent import Agent
from molehunt.core.allocator import keep_freed_memory
from molehunt.core.errors import BadInput
from molehunt.core.match import play
from molehunt.core.streams import MAX_SEED
from molehunt.games.compiled import CompiledGame
from molehunt.games.registry import game_entry, make_game, split_label
from molehunt.learning.collecting import WON, Lot, Rollout, margins_of
from molehunt.learning.definition import PAST, SELF, TrainingText
from molehunt.learning.ppo import Learner, import_torch
from molehunt.learning.schedules import FLOAT32
from molehunt.learning.seating import LEARNED, Seating, learner_of
from molehunt.learning.spreading import Paid, collect_by, collect_on, play_lots
from molehunt.learning.store import TrainingStore

LEAGUE_SEED = 1 << 40
"""The games of the league are those of a seed far from that of the run."""
ROUNDING = 1e-9
"""Margins that differ by no more are the same."""

Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Standing:
    """How a learner did against an opponent: games, its mean margin with its 95 % interval, games that it won."""

    opponent: str
    games: int
    margin: float
    low: float
    high: float
    wins: int


@dataclass(frozen=True)
class Scores:
    """What somebody won in some games: its margin in each, shape (games,), and how many it won."""

    margins: npt.NDArray[np.float64]
    wins: int

    def standing(self, opponent: str) -> Standing:
        """These games in short."""
        return Standing(opponent, len(self.margins), *mean_of(self.margins), self.wins)


@dataclass(frozen=True)
class Trained:
    """What came of a run: the network, the rows of its curve and of its league (`learning.store`)."""

    network: Network
    updates: int
    steps: int
    games: int
    curve: list[tuple[int, int, int, str, float]]
    league: list[tuple[int, int, str, int, float, float, float, int]]


def identity_of(text: TrainingText) -> str:
    """What a run is, in one form; two files that say the same have the same."""
    told = msgspec.to_builtins(text)
    if not told["draw"]:
        del told["draw"]  # runs from before there was this key go on, and their players are found
    for key in ("beliefs", "history", "start"):
        if not told[key]:
            del told[key]
    if told["ppo"]["precision"] == FLOAT32:
        del told["ppo"]["precision"]
    return msgspec.json.encode(told).decode()


def game_of(text: TrainingText) -> CompiledGame:
    """The game of a run; BadInput where it has no compiled rules, or where nobody can win more than the others."""
    name, ruleset = split_label(text.game)
    game = make_game(name, ruleset, game_entry(name).seats_of(ruleset) if text.seats is None else text.seats)
    if not isinstance(game, CompiledGame):
        raise BadInput(f"{text.game} has no compiled rules, and learners play such games only")
    if game.together:
        raise BadInput(
            f"all win {text.game} together, and learners play for what they win over the others, which is nothing there"
        )
    return game


class Run:
    """One training run. `text` is its file; with a `store`, it goes on from what was saved there. `device` is that of torch.

    Games are played on `threads`, or by `workers` where there are some (a cluster): the same games.
    On one thread and the CPU, the same file gives the same network, wherever it was stopped on the way.
    """

    def __init__(
        self,
        text: TrainingText,
        store: TrainingStore | None = None,
        threads: int = 1,
        device: str = "cpu",
        workers: Workers | None = None,
    ) -> None:
        self.text = text
        self.store = store
        self.threads = threads
        self.workers = workers
        self.game = game_of(text)
        self.kind = learner_of(self.game)
        self.seating = Seating.of(self.game, text.roles, text.opponents)
        for spec in {SELF, PAST}.intersection(text.league.against):
            raise BadInput(
                f"{spec!r} is the learner, who would play against itself in the league: against names other players"
            )
        self.against = {spec: Seating.of(self.game, text.roles, {spec: 1.0}) for spec in text.league.against}
        start = self._first_network()
        self.shape = start.shape if start else self._shape()
        self.told = (self.kind.told(self.game, start) if start else None) or Told(text.beliefs, text.history)
        self.torch = import_torch()
        self.torch.set_num_threads(1)  # its own threads wait for each other by spinning
        keep_freed_memory()
        self.learner = Learner(self.shape, text.ppo.settings(), text.seed, device, threads, start)
        self.rollout = Rollout(self.shape[INPUTS], self.shape[MOVES])
        self.past: list[npt.NDArray[np.float32]] = []
        self.steps = self.games = 0
        self.curve: list[tuple[int, int, int, str, float]] = []
        self.league: list[tuple[int, int, str, int, float, float, float, int]] = []
        if store is not None:
            self._go_on(store)

    def _shape(self) -> tuple[int, int, int, int]:
        """The shape of a network that begins with nothing."""
        text = self.text
        if text.beliefs and not self.kind.knows_beliefs:
            raise BadInput(
                f"beliefs = true: the learner of {self.game.name} can be told no beliefs; leave the line out"
            )
        inputs, moves = self.kind.sizes(self.game, Told(text.beliefs, text.history))
        return inputs, text.network.width, moves, text.network.joint

    def _first_network(self) -> Network | None:
        """The network that the run goes on from; its size, and what it is told, are the learner's."""
        text = self.text
        if not text.start:
            return None
        found = self.kind("start", Parameters("" if text.start == LEARNED else text.start)).network(self.game)
        told = self.kind.told(self.game, found) or POSITION_ONLY
        if text.beliefs and not told.beliefs:
            raise BadInput(f"beliefs = true: the weights of start = {text.start!r} are told none; leave the line out")
        if text.history not in {0, told.history}:
            raise BadInput(
                f"history = {text.history}: the weights of start = {text.start!r} are told {told.history or 'none'} of the last "
                "moves; leave the line out"
            )
        return found

    # --- From the store and to it -----------------------------------------------------------------------------------------

    def _go_on(self, store: TrainingStore) -> None:
        saved = store.checkpoint()
        if saved is not None:
            try:
                state = self.torch.load(io.BytesIO(saved), map_location="cpu", weights_only=True)
                self.learner.restore(state["learner"])
                self.past = [tensor.numpy() for tensor in state["past"]]
                self.steps, self.games = int(state["steps"]), int(state["games"])
            except Exception as error:  # noqa: BLE001 - what reads a torn file fails in many ways
                raise store.damaged(f"the checkpoint in {store.folder} is damaged ({type(error).__name__})") from None
        store.forget_after(self.learner.updates)
        self.curve, self.league = store.curve(), store.league()

    def save(self) -> None:
        """Write all that the next updates depend on."""
        if self.store is None:
            return
        file = io.BytesIO()
        state = {
            "learner": self.learner.state(),
            "past": [self.torch.from_numpy(each) for each in self.past],
            "steps": self.steps,
            "games": self.games,
        }
        self.torch.save(state, file)
        self.store.save(file.getvalue(), self.network())

    def network(self) -> Network:
        """The network as it is now."""
        about = {
            "game": f"{self.game.label} with {self.game.seats} seats",
            "run": identity_of(self.text),
            "steps": str(self.steps),
        }
        return self.learner.network(about | self._about_history())

    def _about_history(self) -> dict[str, str]:
        """What a network says of the last moves that it is told."""
        return {HISTORY: str(self.told.history)} if self.told.history else {}

    # --- Updates ----------------------------------------------------------------------------------------------------------

    def train(self, tell: Tell | None = None) -> Trained:
        """Go on to the end of the run."""
        text = self.text
        while self.steps < text.steps:
            self.update()
            over = self.steps >= text.steps
            if text.league.against and (over or self.learner.updates % text.league.every == 0):
                self._measure()
            if over or self.learner.updates % text.save_every == 0:
                self.save()
            if tell is not None:
                tell(min(self.steps, text.steps), text.steps)
        return Trained(self.network(), self.learner.updates, self.steps, self.games, self.curve, self.league)

    def update(self) -> None:
        """Play the next games and learn from them."""
        self.collect(self.next_lots())
        self.learn()

    def next_lots(self) -> list[Lot]:
        """The games of the next update."""
        text = self.text
        return self.seating.lots(self._player(mixed=True), self._past_players(), self.games, text.ppo.games, text.seed)

    def learn(self) -> None:
        """Learn from what was collected."""
        text = self.text
        told = self.learner.update(self.rollout, self.steps / (text.horizon or text.steps))
        self.steps += self.rollout.rows
        self.games += text.ppo.games
        updates = self.learner.updates
        told["margin"] = statistics.fmean(self.rollout.margins)
        self.curve += [(updates, self.steps, self.games, name, value) for name, value in told.items()]
        if self.store is not None:
            self.store.note_curve(updates, self.steps, self.games, told)
        if updates % text.past_every == 0:
            self.past = [*self.past, self.network().flat()][-text.past_kept :]

    def collect(self, lots: Sequence[Lot]) -> None:
        """Play the games of some lots and write them down; the same whatever the number of threads, and on whichever machines."""
        self.rollout.clear()
        paid = Paid(self.text.ppo.lookahead, self.text.reward, self.text.draw)
        if self.workers is not None:
            collect_by(self.workers, self.text.game, self.game, lots, paid, self.rollout)
        elif self.threads > 1:
            collect_on(self.threads, self.game, lots, paid, self.rollout)
        else:
            play_lots(self.game, lots, paid, self.rollout)

    def _player(self, mixed: bool) -> LearnedAgent:
        return self.kind.of(self.network(), 1.0 if mixed else 0.0)

    def _past_players(self) -> list[LearnedAgent]:
        return [self.kind.of(from_flat(flat, self.shape, self._about_history()), 1.0) for flat in self.past]

    # --- The league -------------------------------------------------------------------------------------------------------

    def _measure(self) -> None:
        for spec, seating in self.against.items():
            found = measure(
                self.game,
                seating,
                spec,
                self._player(mixed=False),
                self.text.league.games,
                self.text.seed + LEAGUE_SEED,
                self.text.reward,
            )
            row = (
                self.learner.updates,
                self.steps,
                spec,
                found.games,
                found.margin,
                found.low,
                found.high,
                found.wins,
            )
            self.league.append(row)
            if self.store is not None:
                self.store.note_league(row)


def measure(
    game: CompiledGame, seating: Seating, name: str, learner: Agent, games: int, seed: int, reward: str = WON
) -> Standing:
    """How a learner does as it is seated, in games of a seed of their own."""
    return scores(game, seating, learner, games, seed, reward).standing(name)


def scores(game: CompiledGame, seating: Seating, learner: Agent, games: int, seed: int, reward: str = WON) -> Scores:
    """The same game by game. Whoever is seated in the place of the learner meets the same deals in the same order."""
    margins: list[float] = []
    wins = 0
    for lot in seating.lots(learner, [], 0, games, seed & MAX_SEED):
        states = play(game, lot.agents, lot.seeds, lot.roles).states
        seats = list(lot.learners)
        margins += margins_of(game, states, reward)[:, seats].mean(axis=1).tolist()
        wins += int(game.wins(states)[:, seats].any(axis=1).sum())
    return Scores(np.array(margins), wins)


def mean_of(values: npt.NDArray[np.float64], most: float = 1.0) -> tuple[float, float, float]:
    """The mean of independent numbers from -`most` to `most`, and its 95 % interval: Student's, no wider than they can be.

    Where all are the same, as where every game was won, it is what so many of them leave open (`alike_interval`); of one number
    alone it has no bounds.
    """
    mean, low, high = mean_interval(values)
    if len(values) == 1:
        return mean, low, high
    if np.ptp(values) <= ROUNDING:
        return mean, *alike_interval(mean, len(values), most)
    return mean, max(-most, low), min(most, high)
