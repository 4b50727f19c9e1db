"""Decisions of the duel for the tests of its players: positions of games with habits, in both engines, and smaller ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from games.duel.playing import (
    CARDS,
    GAME,
    TUNNEL,
    action_of,
    counts_of,
    hand_of,
    mover,
    opening,
    reference_of,
    seeds_of,
    seen_by,
    walk,
)
from molehunt.agents.built_in import BUILT_IN
from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent
from molehunt.core.game import States, Views
from molehunt.core.streams import seat_streams
from reference.duel import ReferenceDuel
from reference.duel_players import copied

AGENTS = Agents("duel")
SPECS = [
    "random",
    "random-listed",
    *(
        f"{entry.name}:{edition}"
        for entry in BUILT_IN
        if entry.game == "duel" and entry.name != "learned"
        for edition, parameters in entry.editions().items()
        if not getattr(parameters, "seconds", 0.0)
    ),
]
"""Every player of the duel that needs no weights, in every edition without a clock."""


def decisions(games: int, every: int = 7, first: int = 0) -> Iterator[tuple[States, ReferenceDuel]]:
    """Positions along games that are not over, one in `every`, in both engines; they change when the next is asked for."""
    for number in range(first, first + games):
        for turn, (states, slow) in enumerate(walk(number)):
            if turn % every == number % every and not slow.over:
                yield states, slow


def mover_view(states: States) -> Views:
    """What the seat to move sees."""
    return seen_by(states, mover(states))


def smaller(
    states: States, slow: ReferenceDuel, hand: list[str], unseen: list[str], other: list[str], deck_left: int
) -> tuple[Views, ReferenceDuel]:
    """The same board with other cards: what the mover then sees, and the slow game. A real game is seldom so small."""
    seat = mover(states)
    view = mover_view(states)
    view["hand"][0] = hand_of(hand)
    view["hand_sizes"][0, [seat, 1 - seat]] = len(hand), len(other)
    view["unseen"][0] = counts_of(unseen)
    view["drawn"][0] = 55 - deck_left
    game = copied(slow)
    # What was seen on maps is not forgotten.
    game.seen = slow.seen
    game.hands[seat], game.hands[1 - seat] = list(hand), list(other)
    return view, game


def a_threat() -> tuple[States, ReferenceDuel]:
    """The tunnel ends beside the middle goal, where the nugget is guessed; who lays any tile that goes on has won."""
    states = opening(*TUNNEL, goals="blank nugget blank")
    slow = reference_of(GAME.new(seeds_of(0, 1))[0])
    slow.goals = ["blank", "nugget", "blank"]
    for index, move in enumerate(TUNNEL):
        seat = (1, 0)[index % 2]
        slow.hands[seat].insert(0, move.partition("@")[0])
        slow.apply(move)
    slow.hands = [[CARDS[card] for card in hand] for hand in states["hands"][0].tolist()]
    return states, slow


def by_action(values: dict[str, float]) -> dict[int, float]:
    """Values by the action of a move."""
    return {action_of(move): value for move, value in values.items()}


def sit(agent: Agent, states: States, seat: int, number: int = 0) -> Any:
    """The memory of an agent on one chair."""
    return agent.start(GAME, seen_by(states, seat), seat_streams(seeds_of(number, 1), 2)[:, seat])


def decide(agent: Agent, view: Views, memory: Any) -> int:
    """What an agent on one chair does."""
    return int(agent.act(view, memory, np.zeros(1, np.int64))[0])


def choices(agent: Agent, view: Views, streams: int, number: int = 0) -> Counter[int]:
    """How often an agent chooses what at one view, over many streams."""
    views = np.repeat(view, streams)
    memory = agent.start(GAME, views, seat_streams(seeds_of(number, streams), 2)[:, 0])
    return Counter(agent.act(views, memory, np.arange(streams)).tolist())
