"""Finished games to analyse."""

from __future__ import annotations

import copy
from functools import cache

import numpy as np

from molehunt.agents.registry import Agents
from molehunt.core.match import play
from molehunt.core.position import Position
from molehunt.core.replay import Replay
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game

GAMES = {
    "saboteur": ("saboteur", "krisnadi", ("decision-2019",) * 5, 3),
    "speech": ("saboteur", "krisnadi:speak=yes", ("mole", "decision-2019", "mole", "decision-2019", "mole"), 8),
    "rounds": ("saboteur", "official:rounds=2", ("decision-2019",) * 4, 4),
    "duel": ("duel", "mcgill", ("greedy-2020",) * 2, 5),
    "clue": ("speed_clue", "mitchell", ("advanced", "basic", "advanced"), 6),
    "small clue": ("speed_clue", "small", ("advanced",) * 2, 7),
}


@cache
def played(which: str) -> Replay:
    """A game that was played; the same each time, so nobody may change it."""
    name, ruleset, seats, seed = GAMES[which]
    game = make_game(name, ruleset, len(seats))
    agents = {each: Agents(name).make(each) for each in seats}
    done = play(game, [agents[each] for each in seats], np.array([seed], np.uint64), keep_actions=True)
    assert done.actions is not None
    position = Position(game, seed)
    for action in done.actions[0]:
        position.play(action)
    return Replay(position.record_of(seats), make_game)


def with_other_secrets(replay: Replay, seat: int, seed: int) -> Replay:
    """The same game with all drawn anew, after every move, that a seat cannot know; the events are the same."""
    game = replay.game
    other = copy.copy(replay)
    streams = game_seeds(seed, 0, len(replay.states))
    other.states = [
        game.resample(game.views(state, np.array([seat], np.int8)), streams[place : place + 1])
        for place, state in enumerate(replay.states)
    ]
    return other
