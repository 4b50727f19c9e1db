"""What `mole` says at a table where players accuse each other and claim what lies behind a goal."""

from __future__ import annotations

from collections import Counter

import numpy as np

from agents.saboteur.mole_thinking import AGENTS, SPEAKING, panel
from molehunt.agents.saboteur.mole import MoleAgent
from molehunt.agents.saboteur.mole_words import seat_chances
from molehunt.core.agent import Agent
from molehunt.core.match import play
from molehunt.core.position import Position
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.cards import (
    GOLD,
    MINER,
    SABOTEUR,
)
from molehunt.games.saboteur.game import check_game


def test_who_says_nothing_plays_as_if_nothing_could_be_said() -> None:
    seeds = game_seeds(12, 0, 8)
    silent = play(make_game("saboteur", SPEAKING, 5), [AGENTS.make("mole:speaks=2")] * 5, seeds, keep_actions=True)
    plain = play(make_game("saboteur", "krisnadi", 5), [AGENTS.make("mole")] * 5, seeds, keep_actions=True)
    assert silent.actions == plain.actions


def test_miners_accuse_saboteurs_and_saboteurs_accuse_miners() -> None:
    game = make_game("saboteur", SPEAKING, 5)
    seeds = game_seeds(13, 0, 40)
    played = play(game, [AGENTS.make("mole")] * 5, seeds, keep_actions=True)
    said: Counter[tuple[int, int]] = Counter()
    asked = 0
    for index, moves in enumerate(played.actions or []):
        states = game.new(seeds[index : index + 1])
        roles = game.roles_of(states)[0].tolist()
        for move in moves:
            seat, text = int(game.to_move(states)[0]), game.format_action(move)
            if text.startswith("accuse>"):
                said[roles[seat], roles[int(text[-1])]] += 1
            asked += text.startswith("ask:")
            game.apply(states, np.array([move], np.int32))
    assert asked > 50
    assert said[MINER, SABOTEUR] > 100 and said[SABOTEUR, MINER] > 50
    assert said[MINER, SABOTEUR] > 9 * said[MINER, MINER] and said[SABOTEUR, MINER] > 9 * said[SABOTEUR, SABOTEUR]


def test_by_the_clock_and_in_its_reasons_it_says_the_same() -> None:
    game = make_game("saboteur", SPEAKING, 5)
    position = Position(game, 14)
    agent, by_clock = AGENTS.make("mole"), AGENTS.make("mole:seconds=0.001")
    memories = [
        agent.start(game, position.view_record(seat), np.full(1, seat + 1, np.uint64)) for seat in range(game.seats)
    ]
    rows, said = np.zeros(1, np.int64), 0
    while position.outcome is None and said < 12:
        seat = position.to_move
        view = position.view_record(seat)
        kept = agent.take(memories[seat], rows)
        move = game.format_action(int(agent.act(view, memories[seat], rows)[0]))
        if move.startswith(("accuse", "ask")):
            said += 1
            assert game.format_action(int(by_clock.act(view, kept, rows)[0])) == move
            assert f" I choose {move}: it " in agent.why(game, view, kept, 0)
        told = position.play(move)
        for other, memory in enumerate(memories):
            agent.observe(told[other : other + 1], memory, rows)
    assert said == 12


def test_miners_tell_the_truth_of_a_map_and_saboteurs_what_makes_an_onlooker_believe_least() -> None:
    """Of what a saboteur may claim it says what leaves the gold and itself less to be found, by the belief of all after either."""
    game = check_game("a test", make_game("saboteur", "veldhuis:rounds=1", 5))
    played = play(game, [AGENTS.make("mole")] * 5, game_seeds(15, 0, 60), keep_actions=True)
    claims: Counter[tuple[int, bool]] = Counter()
    agent = AGENTS.make("mole")
    for seed, moves in zip(played.seeds.tolist(), played.actions or [], strict=True):
        position, watcher = Position(game, seed), None
        for move in moves:
            seat, text = position.to_move, game.format_action(move)
            if text.startswith("claim"):
                view = position.view_record(seat)
                honest = (view["goals"][0, view["claiming"][0] - 1] == GOLD) == text.endswith("gold")
                claims[int(view["role"][0]), bool(honest)] += 1
                if view["role"][0] == SABOTEUR and watcher is None:
                    watcher = seat
                    assert move == worst_to_believe(agent, position, seat)
            position.play(move)
    assert claims[MINER, False] == 0 < claims[MINER, True]
    assert claims[SABOTEUR, False] > 5 and claims[SABOTEUR, True] > 5


def worst_to_believe(agent: Agent, position: Position, seat: int) -> int:
    """The claim after which an onlooker holds the gold's places, as the seat weighs them, and the seat least likely."""
    assert isinstance(agent, MoleAgent)
    view = position.view_record(seat)
    memory = agent.catch_up(position.game, position.past(seat), np.ones(1, np.uint64))
    gold = np.array([row.value for row in panel(agent.beliefs(position.game, view, memory, 0)[1])])
    worth = {}
    for action in position.legal_actions:
        heard = position.copy()
        heard.play(int(action))
        told = agent.catch_up(position.game, heard.past(seat), np.ones(1, np.uint64))
        joint = agent._believe(heard.view_record(seat), told, 0)[1]
        worth[int(action)] = -float(gold @ joint.sum(axis=0)) - float(seat_chances(told.deal, joint, 5)[seat])
    assert len(worth) == 2
    return max(worth, key=lambda action: worth[action])
