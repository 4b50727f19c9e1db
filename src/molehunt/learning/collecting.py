"""Games played and written down for learning, by compiled code: what learners saw, which moves they had, what came of it.

A learner is a `LearnedAgent`, whose functions leave what they read and chose in its memory. From there it is copied, so nothing
of a move passes through Python, and nothing is written twice. Opponents that are not compiled play their games before, as in
the arena, and the loop goes through the same moves again (`learning.scripts`): what is written down is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.agents.learned import NOTED, settings_at, written_at
from molehunt.agents.networks import CHOSEN, COUNT, LOG_CHANCE, VALUE
from molehunt.core.agent import Agent
from molehunt.core.game import Seeds
from molehunt.core.interpreting import unchanged
from molehunt.core.kernels import kernel
from molehunt.core.match import Chairs, play
from molehunt.core.streams import seat_streams
from molehunt.games.calls import (
    PAYOFFS,
    WINS,
    advance,
    borrowed,
    fault,
    look,
    payoffs,
    redact_all,
    to_move,
    wins,
)
from molehunt.games.compiled import CompiledGame, bytes_of
from molehunt.games.playing import (
    ACT,
    ACTION,
    CHAIRS_PER_GAME,
    FIRST_CHAIR,
    GAME,
    ILLEGAL,
    NEEDED,
    OBSERVE,
    REFUSED,
    TOO_LONG,
    act_many,
    observe_many,
)
from molehunt.learning.kinds import WORD
from molehunt.learning.scripts import ScriptAgent

ROWS, ALL_MOVES, FIRST_ROW, FULL, LONGEST, MADE = range(3, 9)
"""Where the loop stands, after GAME, REFUSED and ACTION: decisions and moves written, the first decision of the game, whether
there is no room for another, the most moves of a play (0: any number), and how many were made of this one."""
FIRST_ROOM = 1024
"""Decisions for which there is room at first."""
MOVES_EACH = 24
"""... and moves for each of them."""
WON, SHARE = "wins", "share"
"""What a learner is rewarded for: games that it wins, or its share of all that is paid (gold)."""


class Table(NamedTuple):
    """A game and those who sit at it, and what is written on the way; records are bytes, uint8."""

    calls: Any
    """Addresses of the functions NEEDED, WINS and PAYOFFS."""
    params: Any
    """The ruleset as numbers, read only."""
    most: int
    """The most actions that are legal at once."""
    players: Any
    memories: Any
    """By seat, int64, as `games.playing` reads them."""
    learners: Any
    """1 for the seats whose decisions are written down, int8 (seats,)."""
    seen: Any
    """A view, (1, bytes of a view)."""
    whole: Any
    """An event, (bytes of an event,)."""
    events: Any
    """What each seat is told of it, (seats, bytes of an event)."""


class Decisions(NamedTuple):
    """Decisions of learners. Of the moves, i has those from `firsts[i]` to `firsts[i + 1]`, `chosen[i]` among them.

    `numbers[i]` are the log of its chance, the value it was given, its advantage and its return (`finish_game`); the shapes and
    dtypes are those of `Rollout`.
    """

    positions: Any
    moves: Any
    firsts: Any
    chosen: Any
    numbers: Any
    seats: Any


class Reward(NamedTuple):
    """For what learners are rewarded: shares if `shared`, else wins; `draw` is all seats' margin where nobody is paid.

    `lookahead` is lambda of `finish_game`.
    """

    lookahead: float
    shared: bool
    draw: float


@kernel
def collect(table: Any, states: Any, decisions: Any, reward: Any, margins: Any, stopped: Any) -> None:
    """Play games on to their ends and write down every decision of the learners at a `Table`, to `Decisions`.

    Stops where there is no room, to be gone on with, at an action that is not legal, and at a play that is too long.
    `margins[game]` are those of its seats, of what `Reward` says.
    """
    calls, states, params = borrowed(table.calls), borrowed(states), borrowed(table.params)
    players, memories, learners = borrowed(table.players), borrowed(table.memories), table.learners
    seen, whole, events = borrowed(table.seen), borrowed(table.whole), borrowed(table.events)
    firsts, moves, numbers, seats = decisions.firsts, decisions.moves, decisions.numbers, decisions.seats
    stopped[REFUSED] = stopped[FULL] = 0
    chair, answer = np.zeros(1, np.int64), np.zeros(1, np.int32)
    won, paid = np.zeros(len(players), np.uint8), np.zeros(len(players))
    for game in range(stopped[GAME], len(states)):
        stopped[GAME] = game
        state = states[game]
        while True:
            seat = to_move(calls, state, params)
            if seat < 0:
                break
            row, first = stopped[ROWS], stopped[ALL_MOVES]
            if learners[seat] and (row + 1 >= len(firsts) or first + table.most > len(moves)):
                stopped[FULL] = 1
                return
            if 0 < stopped[LONGEST] <= stopped[MADE]:
                stopped[REFUSED] = TOO_LONG
                return
            look(calls, state, seat, params, seen[0])
            memory = memories[seat]
            chair[0] = players[seat, FIRST_CHAIR] + game * players[seat, CHAIRS_PER_GAME]
            act_many(players[seat, ACT], seen, memory, chair, answer)
            action = answer[0]
            if fault(calls, state, action, params):
                stopped[REFUSED] = ILLEGAL
                stopped[ACTION] = action
                return
            if learners[seat]:
                write_decision(memory, decisions, row, first)
                seats[row] = seat
                stopped[ROWS] = row + 1
                stopped[ALL_MOVES] = firsts[row + 1]
            advance(calls, state, action, params, whole)
            stopped[MADE] += 1
            redact_all(calls, whole, state, params, events)
            for other in range(len(players)):
                if players[other, OBSERVE]:
                    chair[0] = players[other, FIRST_CHAIR] + game * players[other, CHAIRS_PER_GAME]
                    observe_many(players[other, OBSERVE], events[other : other + 1], memories[other], chair)
        if reward.shared:
            payoffs(calls, state, params, paid)
            paid /= max(paid.sum(), 1.0)
        else:
            wins(calls, state, params, won)
            paid[:] = won
        write_margins(paid, reward.draw, margins[game])
        finish_game(numbers, seats, stopped[FIRST_ROW], stopped[ROWS], reward.lookahead, margins[game])
        stopped[FIRST_ROW] = stopped[ROWS]
        stopped[MADE] = 0
    stopped[GAME] = len(states)


@kernel
def write_decision(memory: Any, decisions: Any, row: int, first: int) -> None:
    """Copy the last decision out of a learner's memory to a row, its moves to those from `first` on."""
    notes = settings_at(memory[NOTED], memory[NOTED + 1])
    position, written, _ = written_at(memory)
    decisions.positions[row] = position
    count = np.int64(notes[COUNT])
    for index in range(count):
        decisions.moves[first + index, : written.shape[1]] = written[index]
    decisions.firsts[row + 1] = first + count
    decisions.chosen[row] = np.int64(notes[CHOSEN])
    decisions.numbers[row, LOG] = notes[LOG_CHANCE]
    decisions.numbers[row, EXPECTED] = notes[VALUE]


@kernel
def write_margins(paid: Any, draw: float, out: Any) -> None:
    """Write what each seat was paid over what the others were paid on average (`Game.margins`); where nobody was, `draw`."""
    total = paid.sum()
    for seat in range(len(paid)):
        out[seat] = draw if total == 0 else paid[seat] - (total - paid[seat]) / (len(paid) - 1)


LOG, EXPECTED, ADVANTAGE, RETURN = range(4)
"""What `numbers` holds of a decision."""


@kernel
def finish_game(numbers: Any, seats: Any, first: int, last: int, lookahead: float, margins: Any) -> None:
    """The advantages and returns of a game's decisions, from the margins of its seats at the end.

    Generalized advantage estimation (Schulman et al. 2016, equation 16) without discount; `lookahead` is lambda.
    """
    following = margins.copy()
    sums = np.zeros(len(margins))
    for row in range(last - 1, first - 1, -1):
        seat = seats[row]
        value = np.float64(numbers[row, EXPECTED])
        sums[seat] = following[seat] - value + lookahead * sums[seat]
        following[seat] = value
        numbers[row, ADVANTAGE] = sums[seat]
        numbers[row, RETURN] = sums[seat] + value


@dataclass(frozen=True)
class Lot:
    """Games of one seating: their seeds, who sits on which seat, the seats that learn.

    `roles` are those of the seats, or None where they are dealt.
    """

    seeds: Seeds
    agents: tuple[Agent, ...]
    learners: tuple[int, ...]
    roles: npt.NDArray[np.int8] | None = None


@dataclass
class Rollout:
    """Decisions in arrays that are used again and again, and grow where they must. Entries after `rows` and `all_moves` are old.

    `positions` int8 (rows, inputs), `moves` int8 (all_moves, numbers of a move and zeros up to a whole WORD), `firsts` int64
    (rows + 1,), `chosen` int32 (rows,), `numbers` float32 (rows, 4), `seats` int8 (rows,), `margins`: of each game that of its
    learners.
    """

    inputs: int
    move_size: int
    rows: int = 0
    all_moves: int = 0
    margins: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.positions = np.zeros((FIRST_ROOM, self.inputs), np.int8)
        self.moves = np.zeros((MOVES_EACH * FIRST_ROOM, -(-self.move_size // WORD) * WORD), np.int8)
        self.firsts = np.zeros(FIRST_ROOM + 1, np.int64)
        self.chosen = np.zeros(FIRST_ROOM, np.int32)
        self.numbers = np.zeros((FIRST_ROOM, 4), np.float32)
        self.seats = np.zeros(FIRST_ROOM, np.int8)

    def _decisions(self) -> Decisions:
        """The arrays as they are now, as kernels write to them."""
        return Decisions(self.positions, self.moves, self.firsts, self.chosen, self.numbers, self.seats)

    def clear(self) -> None:
        """Forget all decisions; the room stays."""
        self.rows = self.all_moves = 0
        self.margins = []

    def grow(self, most: int) -> None:
        """Make twice the room for what is full."""
        if self.rows + 1 >= len(self.firsts):
            self._grow_rows()
        while self.all_moves + most > len(self.moves):
            self.moves = _doubled(self.moves)

    def _grow_rows(self) -> None:
        self.positions, self.chosen = _doubled(self.positions), _doubled(self.chosen)
        self.numbers, self.seats = _doubled(self.numbers), _doubled(self.seats)
        self.firsts = np.concatenate([self.firsts, np.zeros(len(self.positions) + 1 - len(self.firsts), np.int64)])

    def add(self, other: Rollout) -> None:
        """Add the decisions of another rollout of the same game."""
        rows, moves = other.rows, other.all_moves
        while self.rows + rows >= len(self.firsts):
            self._grow_rows()
        while self.all_moves + moves > len(self.moves):
            self.moves = _doubled(self.moves)
        here = slice(self.rows, self.rows + rows)
        for mine, others in (
            (self.positions, other.positions),
            (self.chosen, other.chosen),
            (self.numbers, other.numbers),
            (self.seats, other.seats),
        ):
            mine[here] = others[:rows]
        self.firsts[self.rows + 1 : self.rows + rows + 1] = other.firsts[1 : rows + 1] + self.all_moves
        self.moves[self.all_moves : self.all_moves + moves] = other.moves[:moves]
        self.rows += rows
        self.all_moves += moves
        self.margins += other.margins

    def play(self, game: CompiledGame, lot: Lot, lookahead: float, reward: str = WON, draw: float = 0.0) -> None:
        """Play the games of a lot and add the decisions of its learners; one that nobody wins is worth `draw`."""
        states = game.new(lot.seeds, lot.roles)
        chairs = _sit_down(game, lot, states)
        unreached = [each.agent for each in chairs if each.agent.reach(each.memory) is None]
        if unreached:
            lot = _played_before(game, lot, unreached)
            chairs = _sit_down(game, lot, states)
        with unchanged():  # the players and the rules are reached by their addresses
            margins = self._collect(game, lot, chairs, states, Reward(lookahead, reward == SHARE, draw))
        self.margins += margins[:, list(lot.learners)].mean(axis=1).tolist()

    def _collect(
        self, game: CompiledGame, lot: Lot, chairs: list[Chairs], states: Any, reward: Reward
    ) -> npt.NDArray[np.float64]:
        """Play all states to their ends and write down what learners decide; the margins of all seats, shape (games, seats)."""
        table = _table(game, lot, chairs)
        margins = np.zeros((len(states), game.seats))
        stopped = np.array([0, 0, 0, self.rows, self.all_moves, self.rows, 0, game.most_moves, 0], np.int64)
        while stopped[GAME] < len(states):
            collect(table, bytes_of(states), self._decisions(), reward, margins, stopped)
            self.rows, self.all_moves = int(stopped[ROWS]), int(stopped[ALL_MOVES])
            if stopped[REFUSED] == TOO_LONG:
                raise game.too_long()
            if stopped[REFUSED]:
                at = int(stopped[GAME])
                raise game.refuse(states[at : at + 1], int(stopped[ACTION]))
            if stopped[FULL]:
                self.grow(game.most_actions)
        return margins


def margins_of(game: CompiledGame, states: Any, reward: str) -> npt.NDArray[np.float64]:
    """What each seat was rewarded with over what the others were on average in games that are over, shape (n, seats)."""
    if reward == WON:
        return game.margins(states)
    paid = game.payoffs(states)
    paid /= np.maximum(paid.sum(axis=1, keepdims=True), 1.0)
    margins: npt.NDArray[np.float64] = (game.seats * paid - paid.sum(axis=1, keepdims=True)) / (game.seats - 1)
    return margins


def _doubled(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.concatenate([array, np.zeros_like(array)])


def _sit_down(game: CompiledGame, lot: Lot, states: Any) -> list[Chairs]:
    streams = seat_streams(lot.seeds, game.seats)
    chairs = [
        Chairs.sit_down(agent, [seat for seat in range(game.seats) if lot.agents[seat] is agent], game, states, streams)
        for agent in dict.fromkeys(lot.agents)
    ]
    rows = np.arange(len(states))
    for each in chairs:
        each.agent.sit_together(each.memory, np.repeat(rows, len(each.seats)))
    return chairs


def _played_before(game: CompiledGame, lot: Lot, unreached: list[Agent]) -> Lot:
    """The same games with those who are not compiled making, move by move, what they did when all were asked in turn.

    Everybody's random stream is that of its seat, so the others decide again what they decided then.
    """
    played = play(game, lot.agents, lot.seeds, lot.roles, keep_actions=True).actions
    again = ScriptAgent(unreached[0].name, played or [])
    return replace(lot, agents=tuple(again if agent in unreached else agent for agent in lot.agents))


def _table(game: CompiledGame, lot: Lot, chairs: list[Chairs]) -> Table:
    """A table for the games of a lot; all players are compiled."""
    players, memories = _reached(game, chairs)
    learners = np.zeros(game.seats, np.int8)
    learners[list(lot.learners)] = 1
    event = game.event_dtype.itemsize
    return Table(
        calls=game.calls(*NEEDED, WINS, PAYOFFS),
        params=game.params,
        most=game.most_actions,
        players=players,
        memories=memories,
        learners=learners,
        seen=np.zeros((1, game.view_dtype.itemsize), np.uint8),
        whole=np.zeros(event, np.uint8),
        events=np.zeros((game.seats, event), np.uint8),
    )


def _reached(game: CompiledGame, chairs: list[Chairs]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The tables of the players and their memories, as compiled loops read them; all players are compiled."""
    reached = [(each, reach) for each in chairs if (reach := each.agent.reach(each.memory)) is not None]
    players = np.zeros((game.seats, 4), np.int64)
    memories = np.zeros((game.seats, max(len(reach.memory) for _, reach in reached)), np.int64)
    for each, reach in reached:
        for seat in each.seats.tolist():
            players[seat] = reach.act, reach.observe, each.order[seat], len(each.seats)
            memories[seat, : len(reach.memory)] = reach.memory
    return players, memories
