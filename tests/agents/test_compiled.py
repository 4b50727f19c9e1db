"""Compiled players: whole games in one loop are the games that go move by move, and each chair is told what it may know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from molehunt.agents.compiled import CompiledAgent
from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent
from molehunt.core.errors import BadInput, IllegalAction
from molehunt.core.game import Game, Views
from molehunt.core.match import Played, play
from molehunt.core.streams import game_seeds
from molehunt.games.playing import acting, array_at, observing
from molehunt.games.registry import make_game, split_label
from molehunt.games.saboteur.actions import DISCARD, encode
from molehunt.games.saboteur.state import EVENT, VIEW

CASES = [
    ("speed_clue/mitchell", ("basic", "advanced:repeats=3,choice=systematic", "combined")),
    ("speed_clue/mitchell", ("next-possible", "random", "mixed", "previous-possible", "mixed", "no-intelligence")),
    ("speed_clue/contest", ("random", "deduction-only", "next-not-held:systematic")),
    ("saboteur/krisnadi", ("random", "decision-2019", "means-ends-2016", "kripke-2012", "random")),
    ("saboteur/official+talk", ("kripke-2012:depth=1", "random", "kripke-2012:strategy=adaptive")),
    ("saboteur/krisnadi", ("learned", "decision-2019", "learned:mixed", "learned:mixed")),
    ("duel/mcgill", ("random-listed", "greedy-2020")),
    ("duel/mcgill", ("learned", "learned:mixed")),
    ("duel/mcgill", ("greedy-2020:map_first=no", "random")),
]


def test_there_is_a_chair_for_each_view_and_event() -> None:
    game, (agent, _) = seated("duel/mcgill", ("learned", "random"))
    states = game.new(game_seeds(1, 0, 3))
    views = game.views(states, game.to_move(states))
    memory = agent.start(game, views, game_seeds(2, 0, 3))
    events = np.zeros(3, game.event_dtype)
    for rows in ([0], [0, 1, 2, 0], []):
        with pytest.raises(BadInput, match="a chair for each of 3 views or events, not "):
            agent.act(views, memory, np.array(rows, np.int64))
        with pytest.raises(BadInput, match="a chair for each of 3 views or events, not "):
            agent.observe(events, memory, np.array(rows, np.int64))
    assert len(agent.act(views, memory, np.arange(3))) == 3


def seated(label: str, specs: Sequence[str]) -> tuple[Game, list[Agent]]:
    name, ruleset = split_label(label)
    agents = Agents(name)
    made = {spec: agents.make(spec) for spec in specs}
    return make_game(name, ruleset, len(specs)), [made[spec] for spec in specs]


def in_step(monkeypatch: pytest.MonkeyPatch, game: Game, agents: Sequence[Agent], seeds: Any) -> Played:
    """The same games, one move of each a step."""
    with monkeypatch.context() as patch:
        for kind in {type(agent) for agent in agents}:
            patch.setattr(kind, "reach", lambda self, memory: None)
        return play(game, agents, seeds, keep_actions=True)


@pytest.mark.parametrize(("label", "specs"), CASES)
def test_whole_games_in_one_loop_are_those_that_go_move_by_move(
    label: str, specs: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, agents = seated(label, specs)
    seeds = game_seeds(5, 0, 12)
    whole = play(game, agents, seeds, keep_actions=True)
    assert all(chairs.agent.reach(chairs.memory) is not None for chairs in whole.chairs)
    stepped = in_step(monkeypatch, game, agents, seeds)
    assert whole.actions == stepped.actions and whole.moves == stepped.moves > 12
    assert whole.states.tobytes() == stepped.states.tobytes()


# --- What a chair is told -----------------------------------------------------------------------------------------------

MOST = 200
"""More events than a game of discards has."""
HEARD, COUNTS, LIMIT = range(0, 6, 2)
heard_at = array_at(EVENT)
counts_at = array_at(np.int64)


@acting(VIEW)
def discard_first(views: Any, memory: Any, chair: int) -> Any:
    """The first card is thrown away; once a chair was told as many events as the limit, it does what is never legal."""
    told = counts_at(memory[COUNTS], memory[COUNTS + 1])[chair]
    limit = counts_at(memory[LIMIT], 1)[0]
    return np.int64(-7 if told >= limit else encode(DISCARD, views[0].hand[0], 0, 0))


@observing(EVENT)
def write_down(events: Any, memory: Any, chair: int) -> None:
    """Keep each event of a chair."""
    counts = counts_at(memory[COUNTS], memory[COUNTS + 1])
    heard_at(memory[HEARD], memory[HEARD + 1])[chair * MOST + counts[chair]] = events[0]
    counts[chair] += 1


@dataclass
class Heard:
    events: npt.NDArray[Any]
    counts: npt.NDArray[np.int64]
    limit: npt.NDArray[np.int64]


class Scribe(CompiledAgent):
    """Writes down what it is told."""

    act_one = discard_first
    observe_one = write_down

    def __init__(self, name: str, limit: int = MOST) -> None:
        self.name = name
        self.limit = limit

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Heard:
        chairs = len(views)
        return Heard(np.zeros(chairs * MOST, EVENT), np.zeros(chairs, np.int64), np.array([self.limit]))

    def parts(self, memory: Heard) -> tuple[npt.NDArray[Any], ...]:
        return memory.events, memory.counts, memory.limit


def test_every_chair_is_told_every_move_in_its_own_words() -> None:
    game = make_game("saboteur", "krisnadi", 4)
    seeds = game_seeds(2, 0, 3)
    a, b = Scribe("a"), Scribe("b")
    played = play(game, [a, b, b, a], seeds, keep_actions=True)
    assert played.actions is not None
    own = {"a": [0, 3], "b": [1, 2]}
    for number, actions in enumerate(played.actions):
        states = game.new(seeds[number : number + 1])
        told = [game.apply(states, np.array([action], np.int32))[0] for action in actions]
        for chairs in played.chairs:
            for place, seat in enumerate(own[chairs.agent.name]):
                chair = 2 * number + place
                assert chairs.memory.counts[chair] == len(actions) > 20
                heard = chairs.memory.events[chair * MOST :][: len(actions)]
                assert heard.tobytes() == b"".join(events[seat].tobytes() for events in told)


def test_an_illegal_move_in_the_loop_names_the_player_and_stops_before_it_is_played() -> None:
    game = make_game("saboteur", "krisnadi", 4)
    late = Scribe("late", limit=6)
    with pytest.raises(IllegalAction, match=r"seat \d \(late\)") as error:
        play(game, [Scribe("a"), late, late, Scribe("b")], game_seeds(2, 0, 3))
    assert error.value.seat in {1, 2}
