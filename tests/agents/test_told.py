"""What players are told is not always what happened: nothing is written beyond what holds it, and rubbish is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent
from molehunt.core.errors import BadInput
from molehunt.core.game import Game
from molehunt.core.interpreting import interpreting
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.registry import make_game, split_label
from molehunt.games.saboteur.maze import lay, lay_out
from molehunt.games.saboteur.state import MAX_ENDS, MAX_TILES, MAZE
from molehunt.games.tunnels.cards import PATH_NAMES

SABOTEUR = ("saboteur/krisnadi", 4)
DUEL = ("duel/mcgill", 2)
FOLLOWERS = [
    *((*SABOTEUR, spec) for spec in ("decision-2019", "means-ends-2016", "kripke-2012", "stranger:seed=1")),
    *((*SABOTEUR, spec) for spec in ("mole:worlds=1,kept=2", "learned:mixed")),
    *((*DUEL, spec) for spec in ("duel-star:deals=2", "learned", "and-or-2020:opponent=modelled,inferred=yes")),
]
WRONG = [
    ("seat", -1),
    ("seat", 4),
    ("seat", 127),
    ("action", -5),
    ("action", 0),
    ("action", 2**31 - 1),
    ("revealed", 255),
    ("seen", 99),
]


def seated(label: str, seats: int, spec: str) -> tuple[Game, Agent, Any, npt.NDArray[Any]]:
    """A game, a player on all its seats, its memory, and what each seat was told of the first moves: shape (moves, seats)."""
    game, agent = make_game(*split_label(label), seats), Agents(split_label(label)[0]).make(spec)
    seeds = game_seeds(3, 0, 1)
    states = game.new(seeds)
    views = game.views(np.repeat(states, seats), np.arange(seats, dtype=np.int8))
    memory = agent.start(game, views, seat_streams(seeds, seats)[0])
    told = []
    for number in range(12):
        legal = game.legal_in(states).codes
        told.append(game.apply(states, np.array([legal[7 * number % len(legal)]], np.int32))[0])
    return game, agent, memory, np.stack(told)


def bytes_in(memory: Any) -> bytes:
    """All that chairs remember of what they were told."""
    kept = [getattr(memory, name) for name in ("records", "strengths", "histories", "minds") if hasattr(memory, name)]
    return b"".join(np.ascontiguousarray(part).tobytes() for part in kept if part is not None)


@pytest.mark.parametrize("spec", ["decision-2019", "means-ends-2016", "kripke-2012"])
def test_a_move_that_is_told_over_and_over_is_written_nowhere_beyond_the_mine(spec: str) -> None:
    with interpreting(), np.errstate(all="ignore"):  # Python says where an index lies beyond an array
        _game, agent, memory, told = seated(*SABOTEUR, spec)
        for events in told:
            for _ in range(60):
                agent.observe(events, memory, np.arange(SABOTEUR[1]))
    mazes = memory.records["maze"]
    assert (mazes["tile_count"] <= 4 + len(told)).all()
    assert (mazes["end_count"] <= MAX_ENDS).all()


def test_a_mine_of_more_crossings_than_there_are_notes_as_many_cards_and_open_ends_as_there_is_room_for() -> None:
    game = make_game("saboteur", "official", 5)
    crossing = PATH_NAMES.index("P_NESW")
    with interpreting():
        mazes = np.zeros(1, MAZE)
        maze = mazes[0]
        lay_out(maze, game.params)
        for number in range(100):
            lay(maze, crossing, 0, maze["ends"][number * 5 % maze["end_count"]], game.params)
    assert maze["tile_count"] == MAX_TILES
    assert maze["end_count"] <= MAX_ENDS


@pytest.mark.parametrize(("label", "seats", "spec"), FOLLOWERS)
def test_an_event_that_cannot_happen_is_refused_and_nobody_remembers_it(label: str, seats: int, spec: str) -> None:
    _game, agent, memory, told = seated(label, seats, spec)
    before = bytes_in(memory)
    for field, value in WRONG:
        events = told[0].copy()
        events[field][1] = value
        with pytest.raises(BadInput, match="event 1 of these cannot happen"):
            agent.observe(events, memory, np.arange(seats))
    assert bytes_in(memory) == before


@pytest.mark.parametrize(("label", "seats", "spec"), [(*DUEL, "and-or-2020:depth=1"), (*DUEL, "greedy-2020")])
def test_who_notes_nothing_may_be_told_everything(label: str, seats: int, spec: str) -> None:
    _game, agent, memory, told = seated(label, seats, spec)
    for events in told:
        agent.observe(events, memory, np.arange(seats))


@pytest.mark.parametrize(
    ("label", "seats", "spec"),
    [
        (*SABOTEUR, "kripke-2012"),
        (*SABOTEUR, "learned:mixed"),
        (*DUEL, "greedy-2020"),
        ("speed_clue/mitchell", 3, "basic"),
    ],
)
def test_nobody_sits_down_at_a_view_that_is_no_seats_and_no_state_is_drawn_of_it(
    label: str, seats: int, spec: str
) -> None:
    game, agent = make_game(*split_label(label), seats), Agents(split_label(label)[0]).make(spec)
    states = game.new(game_seeds(3, 0, 2))
    views, streams = game.views(states, np.zeros(2, np.int8)), np.zeros(2, np.uint64)
    game.resample(views, streams)
    agent.start(game, views, streams)
    wrong = [("seat", -1), ("seat", 99), ("hand_sizes", 100)]
    wrong += (
        [("suggestion_count", 30_000)] if "record" in (game.view_dtype.names or ()) else [("unseen", 100), ("hand", 77)]
    )
    for field, value in wrong:
        rubbish = views.copy()
        rubbish[field][1] = value
        with pytest.raises(BadInput, match="view 1 of these is nobody's"):
            game.resample(rubbish, streams)
        with pytest.raises(BadInput, match="view 1 of these is nobody's"):
            agent.start(game, rubbish, streams)


@pytest.mark.parametrize("spec", ["learned:mixed", "learned"])
def test_a_network_is_asked_for_no_move_at_a_view_of_rubbish(spec: str) -> None:
    game, agent, memory, _told = seated(*SABOTEUR, spec)
    seats = game.seats
    views = game.views(np.repeat(game.new(game_seeds(3, 0, 1)), seats), np.arange(seats, dtype=np.int8))
    moves = agent.act(views, memory, np.arange(seats))
    for field, value in (("unseen", 100), ("hand", 77), ("hand_sizes", 100)):
        rubbish = views.copy()
        rubbish[field][1] = value
        with pytest.raises(BadInput, match="view 1 of these is nobody's"):
            agent.act(rubbish, memory, np.arange(seats))
    assert len(moves) == seats


@pytest.mark.parametrize(("label", "seats"), [SABOTEUR, ("saboteur/official", 10), DUEL, ("speed_clue/mitchell", 3)])
def test_what_is_seen_of_a_state_that_never_was_stays_within_the_view(label: str, seats: int) -> None:
    game = make_game(*split_label(label), seats)
    draws = np.random.default_rng(5)
    for _ in range(10):
        states = np.frombuffer(draws.bytes(game.state_dtype.itemsize), np.uint8).copy().view(game.state_dtype)
        with interpreting(), np.errstate(all="ignore"):  # Python says where an index lies beyond an array
            seen = game.views(states, np.zeros(1, np.int8))
        assert (seen.shape, seen["seat"].tolist()) == ((1,), [0])
