"""The match loop: many games of the same seating.

Where the rules and all players are compiled, games are played one after the other in one compiled loop (`games.playing`). Else
they advance together, one move each a step: every agent gets one batch with the views of all its seats that are to move, the game
applies one batch of actions, and every agent gets one batch of events. Either way a game comes out the same whatever batch it
is in.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent, Rows, actions_of, check_agent
from molehunt.core.allocator import keep_freed_memory
from molehunt.core.errors import BadInput, IllegalAction, value_text
from molehunt.core.game import Game, Seats, Seeds, States, Views, check_is_game
from molehunt.core.interpreting import unchanged
from molehunt.core.memory import chairs_of
from molehunt.core.seeds import check_seeds
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.core.words import counted


@dataclass(frozen=True)
class Played:
    """Finished games: the final states, the moves of each game in order where they were kept, and how many there were.

    `seeds` and `states`, shape (games,); `actions`, a list of moves a game, None where they were not kept; `moves` of all games.

    `chairs` are the agents as they sat, with their memories at the end: for studies of what players believe.
    """

    seeds: Seeds
    states: States
    moves: int
    actions: list[list[int]] | None
    chairs: list[Chairs]

    def __repr__(self) -> str:
        return f"<Played {counted(len(self.seeds), 'game')}, {counted(self.moves, 'move')}>"


class Chairs:
    """All the seats that one agent has in a batch: chair number = game * seats of the agent + which of its seats."""

    def __init__(self, agent: Agent, seats: list[int], seats_of_game: int, memory: Any) -> None:
        self.agent = agent
        self.seats = np.array(seats)
        self.order = np.full(seats_of_game, -1)
        self.order[self.seats] = np.arange(len(seats))
        self.memory = memory

    def __repr__(self) -> str:
        return f"<Chairs of {self.agent.name}, {counted(len(self.seats), 'seat')} of each game>"

    @staticmethod
    def sit_down(agent: Agent, seats: list[int], game: Game, states: States, streams: Any) -> Chairs:
        """Seat an agent at states; `streams`, shape (games, seats), are where the random streams of all seats start."""
        games = len(states)
        rows = np.repeat(np.arange(games), len(seats))
        views = game.views(states, np.tile(np.array(seats), games).astype(np.int8), rows)
        return Chairs(agent, seats, game.seats, agent.start(game, views, streams[:, seats].reshape(-1)))

    def of(self, games: Rows, seats: Seats) -> Rows:
        """The chairs of these seats (all the agent's own) in these games."""
        result: Rows = games * len(self.seats) + self.order[seats]
        return result

    def all_of(self, games: Rows) -> Rows:
        """All chairs of these games, game by game."""
        result: Rows = (games[:, None] * len(self.seats) + np.arange(len(self.seats))).reshape(-1)
        return result


def play(
    game: Game,
    agents: Sequence[Agent],
    seeds: Seeds | Sequence[int],
    roles: npt.NDArray[np.int8] | None = None,
    keep_actions: bool = False,
    known: Sequence[Sequence[Any] | None] | None = None,
) -> Played:
    """Play one game for each seed to its end. `agents[s]` sits on seat s; the same object may sit on several seats.

    `roles`, shape (games, seats), seats the roles. `known[g][s]` is what the player on seat s takes along into game g about the
    others, who sit as they sat then, or None; `known[g]` is None where nobody does (`taken_along`). With `keep_actions` the moves
    of each game are kept.

    >>> game, agent = molehunt.make_game("duel", "mcgill", 2), molehunt.Agents("duel").make("random")
    >>> played = molehunt.play(game, [agent, agent], seeds=range(10), keep_actions=True)
    >>> len(played.actions), game.wins(played.states).shape
    (10, (10, 2))

    BadInput where not every seat has an agent, seeds are none, or `known` is not of these games and seats; IllegalAction and
    AgentFailure name the player at fault. GameFailure where a play is longer than the game says (`Game.most_moves`), or who is to
    move has no legal action.
    """
    _check_agents(game, agents)
    seeds = check_seeds(seeds)
    if known is not None:
        _check_known(game, known, len(seeds))
    keep_freed_memory()
    states = game.new(seeds, roles)
    seated = _seat(game, agents, states, seeds, [None] * game.seats)
    if known is not None:
        _meet_again(seated, known)
    return _advance(game, agents, states, seeds, seated, keep_actions)


def taken_along(game: Game, played: Played) -> list[tuple[Any, ...] | None]:
    """What the players of finished games take along about each other: for each game one value a seat, or None where nobody does."""
    found: list[list[Any]] = [[None] * game.seats for _ in played.seeds]
    for chairs in played.chairs:
        if type(chairs.agent).impressions is Agent.impressions:
            continue
        for seat in chairs.seats.tolist():
            rows = np.arange(len(found))
            views = game.views(played.states, np.full(len(found), seat, np.int8), rows)
            for row, chair in enumerate(chairs.of(rows, np.full(len(found), seat)).tolist()):
                found[row][seat] = chairs.agent.impressions(game, views[row : row + 1], chairs.memory, chair)
    return [None if all(value is None for value in values) else tuple(values) for values in found]


def _check_known(game: Game, known: Sequence[Sequence[Any] | None], games: int) -> None:
    """BadInput where what is taken along is not a value a seat, or None, for each of so many games."""
    given: object = known
    if not isinstance(given, Sequence):
        raise BadInput(f"what is known is a list with an entry for each game, not {value_text(known)}")
    if len(known) != games:
        raise BadInput(f"what is known is told for each of {games} games (None where nothing is), not for {len(known)}")
    for values in known:
        told: object = values
        if told is None:
            continue
        if not isinstance(told, Sequence) or len(told) != game.seats:
            number = len(told) if isinstance(told, Sequence) else value_text(told)
            raise BadInput(f"what is known is told for each of {game.seats} seats of {game.label}, not for {number}")


def _meet_again(seated: Sequence[Chairs], known: Sequence[Sequence[Any] | None]) -> None:
    """Tell every chair what its player took along."""
    for chairs in seated:
        for row, values in enumerate(known):
            for place, seat in enumerate(chairs.seats.tolist()):
                if values is not None and values[seat] is not None:
                    chairs.agent.meet_again(chairs.memory, row * len(chairs.seats) + place, values[seat])


def play_on(
    game: Game,
    states: States,
    agents: Sequence[Agent],
    memories: Sequence[Any] | None = None,
    seeds: Seeds | Sequence[int] | None = None,
    keep_actions: bool = False,
) -> Played:
    """Play games on to their ends from any states, shape (n,), which stay as they are. `agents[s]` sits on seat s.

    `memories[s]` is what the player on seat s remembers of the n games, one chair a game; it is gone on with in place, so hand over
    a copy (`Agent.copy_memory`) where it is needed again. Where it is None, and where no memories are given, the player sits
    down at what it sees now, with a random stream from `seeds`, shape (n,) (by default those of a run with seed 0): it then
    knows what its view tells and no more (`Agent.start`). `actions` of what is returned are the moves from here on.

    BadInput where seats, memories or seeds do not go with the game; IllegalAction and AgentFailure name the player at fault.
    """
    given: object = states
    if not isinstance(given, np.ndarray) or given.dtype.names is None or given.ndim != 1:
        raise BadInput(f"states are an array of records, as position.states is, not {value_text(given)}")
    count = len(states)
    _check_agents(game, agents)
    asked: object = memories
    if asked is not None and not isinstance(asked, Iterable):
        raise BadInput(f"memories are a list with one (or None) for each seat, not {value_text(memories)}")
    memories = [None] * game.seats if memories is None else list(memories)
    if len(memories) != game.seats:
        raise BadInput(f"{game.label} needs a memory (or None) for each of {game.seats} seats, not {len(memories)}")
    for seat, memory in enumerate(memories):
        chairs = None if memory is None else chairs_of(memory)
        if chairs not in {None, count}:
            raise BadInput(
                f"the memory of the player on seat {seat} is one of {chairs} chairs, and there must be one for each of "
                f"{count} games: take those that it is about (Agent.take)"
            )
    keep_freed_memory()
    seeds = game_seeds(0, 0, count) if seeds is None else check_seeds(seeds)
    if len(seeds) != count:
        raise BadInput(f"there must be a seed for each of {count} games, not {len(seeds)}")
    return _advance(game, agents, states.copy(), seeds, _seat(game, agents, states, seeds, memories), keep_actions)


def _check_agents(game: Game, agents: Sequence[Agent]) -> None:
    """BadInput where there is no game, or not every seat has an agent."""
    check_is_game(game)
    given: object = agents
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise BadInput(
            f"{game.label} needs a list with a player for each of {game.seats} seats, not {value_text(agents)}"
        )
    if len(agents) != game.seats:
        raise BadInput(f"{game.label} needs a player for each of {game.seats} seats, not {len(agents)}")
    for agent in agents:
        check_agent(game.name, agent)


def _seat(
    game: Game, agents: Sequence[Agent], states: States, seeds: Seeds, memories: Sequence[Any | None]
) -> list[Chairs]:
    """Each agent on all its seats that have no memory yet, and one on each seat that has one."""
    streams = seat_streams(seeds, game.seats)
    new = [seat for seat in range(game.seats) if memories[seat] is None]
    return [
        Chairs.sit_down(agent, [seat for seat in new if agents[seat] is agent], game, states, streams)
        for agent in dict.fromkeys(agents[seat] for seat in new)
    ] + [
        Chairs(agents[seat], [seat], game.seats, memories[seat])
        for seat in range(game.seats)
        if memories[seat] is not None
    ]


def _advance(
    game: Game, agents: Sequence[Agent], states: States, seeds: Seeds, seated: list[Chairs], keep_actions: bool
) -> Played:
    """Play all states to their ends, in place."""
    kept: list[list[int]] | None = [[] for _ in seeds] if keep_actions else None
    rows = np.arange(len(states))
    for chairs in seated:
        chairs.agent.sit_together(chairs.memory, np.repeat(rows, len(chairs.seats)))
    try:
        moves = _play_through(game, states, seated, kept)
        if moves is None:
            moves = _play_in_step(game, states, seated, kept)
    except IllegalAction as error:
        raise IllegalAction(error.seat, error.action, error.rule, agents[error.seat].name) from None
    for chairs in seated:
        chairs.agent.sit_apart(chairs.memory)
    return Played(seeds, states, moves, kept, seated)


def _play_through(game: Game, states: States, seated: list[Chairs], kept: list[list[int]] | None) -> int | None:
    """Play all states to their ends where the rules and all players are compiled; None where they are not."""
    with unchanged():  # what is reached is functions, by their addresses
        found = [chairs.agent.reach(chairs.memory) for chairs in seated]
        reached = [reach for reach in found if reach is not None]
        if len(reached) < len(seated):
            return None
        players = np.zeros((game.seats, 4), np.int64)
        memories = np.zeros((game.seats, max(len(reach.memory) for reach in reached)), np.int64)
        for chairs, reach in zip(seated, reached, strict=True):
            for seat in chairs.seats.tolist():
                players[seat] = reach.act, reach.observe, chairs.order[seat], len(chairs.seats)
                memories[seat, : len(reach.memory)] = reach.memory
        return game.play_through(states, players, memories, kept)


def _check_can_move(game: Game, views: Views, seats: Seats) -> None:
    """GameFailure where somebody had nothing to choose from: then it is no fault of the player."""
    for number, seat in enumerate(seats.tolist()):
        if not len(game.legal_actions(views[number : number + 1])):
            raise game.no_action(seat)


def _play_in_step(game: Game, states: States, seated: list[Chairs], kept: list[list[int]] | None) -> int:
    """Play all states to their ends, one move each a step."""
    number_of_seat = np.array(
        [next(i for i, chairs in enumerate(seated) if chairs.order[s] >= 0) for s in range(game.seats)]
    )
    moves = 0
    rows = np.arange(len(states))
    for step in itertools.count():
        to_move = game.to_move(states)
        rows = rows[to_move[rows] >= 0]
        if not len(rows):
            break
        if 0 < game.most_moves <= step:
            raise game.too_long()
        seats = to_move[rows]
        actions = np.empty(len(rows), np.int32)
        turn_of = number_of_seat[seats]
        for number, chairs in enumerate(seated):
            mine = np.flatnonzero(turn_of == number) if len(seated) > 1 else np.arange(len(rows))
            if len(mine):
                views = game.views(states, seats[mine], rows[mine])
                try:
                    answer = chairs.agent.act(views, chairs.memory, chairs.of(rows[mine], seats[mine]))
                except Exception:
                    _check_can_move(game, views, seats[mine])
                    raise
                actions[mine] = actions_of(chairs.agent, answer, len(mine))
        events = game.apply(states, actions, rows)
        for chairs in seated:
            if chairs.agent.observes:
                theirs = events if len(seated) == 1 else events[:, chairs.seats]
                chairs.agent.observe(theirs.reshape(-1), chairs.memory, chairs.all_of(rows))
        moves += len(rows)
        if kept is not None:
            for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
                kept[row].append(action)
    return moves
