"""The own seat of games that `mole` plays on: `learned` makes its moves, and knows of the round what the seat does."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.agents.learned import Told, policy_of
from molehunt.agents.networks import load
from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.learned import SaboteurLearnedAgent
from molehunt.agents.saboteur.mole import MoleAgent
from molehunt.agents.saboteur.mole_comparison import Comparison
from molehunt.agents.saboteur.mole_parameters import Parameters
from molehunt.core.interpreting import interpreting
from molehunt.core.match import play
from molehunt.core.position import ROW, Position
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.registry import make_game

AGENTS = Agents("saboteur")
AHEAD = 12


def some_position(seed: int, moves: int) -> Position:
    position = Position(make_game("saboteur", "krisnadi", 4), seed)
    chance = np.random.default_rng(seed)
    for _ in range(moves):
        position.play(int(chance.choice([int(action) for action in position.legal_actions])))
    return position


@pytest.mark.parametrize(("seed", "moves"), [(3, 0), (12, 9), (14, 18), (15, 6)])
def test_own_moves_are_those_of_learned_and_others_those_of_2019(seed: int, moves: int) -> None:
    """The last game that was played on, followed move by move with the players themselves."""
    position = some_position(seed, moves)
    game, seat = position.game, position.to_move
    agent = MoleAgent("mole", Parameters(worlds=1, kept=1, glance=AHEAD, ahead=AHEAD, own=True))
    streams = seat_streams(np.array([12], np.uint64), 4)[:, seat].copy()
    memory = agent.catch_up(game, position.past(seat), streams)
    Comparison(agent, position.view_record(seat), memory, 0)
    scratch = memory.scratch
    learned = SaboteurLearnedAgent.of(load(SaboteurLearnedAgent.shipped_plain(game)), 0.0)
    own = learned.catch_up(game, position.past(seat), streams)
    state = scratch.world.copy()
    own_moves = 0
    for action in [scratch.moves[len(position.legal_actions) - 1], *scratch.made[:AHEAD]]:
        mover = int(game.to_move(state)[0])
        if mover == seat and own_moves:
            assert int(learned.act(game.views(state, np.array([seat])), own, ROW)[0]) == action
        own_moves += mover == seat
        told = game.apply(state, np.array([action], np.int32))
        learned.observe(told[0, seat : seat + 1].copy(), own, ROW)
    assert own_moves == 1 + AHEAD // 4
    assert state.tobytes() == scratch.trial.tobytes()
    assert own.histories["history"].tobytes() == scratch.own_chair["history"].tobytes()


def test_games_are_the_same_in_whole_and_in_steps() -> None:
    """What a chair counted is taken along, whoever else sits in the batch."""
    game = make_game("saboteur", "krisnadi", 4)
    spec = "mole:worlds=1,kept=2,glance=4,ahead=6,own=yes"
    seated = [AGENTS.make(spec), *(AGENTS.make("decision-2019") for _ in range(3))]
    seeds = game_seeds(5, 0, 3)
    whole = play(game, seated, seeds, keep_actions=True)
    alone = play(game, seated, seeds[1:2], keep_actions=True)
    plain = play(game, [AGENTS.make(spec.replace("yes", "no")), *seated[1:]], seeds, keep_actions=True)
    assert whole.actions is not None and alone.actions == whole.actions[1:2]
    assert plain.actions != whole.actions


def test_interpreted_it_plays_the_same() -> None:
    position = some_position(12, 9)
    seat = position.to_move
    agent = AGENTS.make("mole:worlds=1,kept=2,glance=4,ahead=4,own=yes")
    streams = seat_streams(np.array([12], np.uint64), 4)[:, seat].copy()
    found = []
    for wanted in (True, False):
        with interpreting(wanted):
            memory = agent.catch_up(position.game, position.past(seat), streams)
            found.append(int(agent.act(position.view_record(seat), memory, ROW)[0]))
    assert found[0] == found[1]


def test_where_no_weights_are_shipped_players_of_2019_sit_everywhere_and_nobody_is_asked() -> None:
    game = make_game("saboteur", "krisnadi", 3)
    seeds = game_seeds(5, 0, 2)
    first, *others = (
        play(game, [AGENTS.make(f"mole:worlds=1,kept=2,{how}")] * 3, seeds, keep_actions=True)
        for how in ("own=yes", "own=no", "prior=0", "prior=9")
    )
    assert all(each.actions == first.actions for each in others)


def test_where_gold_is_shared_out_what_learned_likes_may_count_otherwise() -> None:
    seeds = game_seeds(6, 0, 2)
    how = "mole:worlds=1,kept=2,"
    for ruleset, same in (("official", "prior=4"), ("krisnadi", "prior=0")):
        game = make_game("saboteur", ruleset, 5)
        moves = {
            what: play(game, [AGENTS.make(how + what)] * 5, seeds, keep_actions=True).actions
            for what in ("prior=0", "prior=4", "prior=0,gold_prior=4", "prior=4,gold_prior=0")
        }
        other = "prior=0" if same == "prior=4" else "prior=4"
        assert moves["prior=0"] != moves["prior=4"]
        assert moves["prior=0,gold_prior=4"] == moves[same]
        assert moves["prior=4,gold_prior=0"] == moves[other]


def test_what_learned_likes_is_chosen_where_it_counts_enough_and_told_from_what_a_move_brings() -> None:
    """So much liking that no game can outweigh it; `learned` is told what the seat believes. Between, both count."""
    alike_without = 0
    for seed in range(8):
        position = some_position(seed, 3 + 2 * seed)
        game, seat = position.game, position.to_move
        streams = seat_streams(np.array([seed], np.uint64), 4)[:, seat].copy()
        view, past = position.view_record(seat), position.past(seat)
        learned = AGENTS.make("learned")
        assert isinstance(learned, SaboteurLearnedAgent) and learned.told(game, learned.network(game)) == Told(
            beliefs=True
        )
        memory = learned.catch_up(game, past, streams)
        liked = int(learned.act(view, memory, ROW)[0])
        moves, chances = policy_of(memory)
        believer, reader, doubter = (
            MoleAgent("mole", Parameters(worlds=8, kept=4, glance=0, ahead=0, faith=0.0, prior=prior))
            for prior in (100.0, 0.05, 0.0)
        )
        ways = [Comparison(each, view, each.catch_up(game, past, streams), 0) for each in (believer, reader, doubter)]
        assert int(ways[0].moves[0]) == liked
        alike_without += int(ways[2].moves[0]) == liked
        for way in ways:
            assert (np.abs(way.worth) <= 1 + 1e-9).all()
        # In the worlds that all moves share, the reader's moves bring what the doubter's bring.
        worth = [dict(zip(way.moves.tolist(), zip(way.worth, way.worlds, strict=True), strict=True)) for way in ways]
        alike = [move for move in worth[1] if worth[1][move][1] == worth[2][move][1]]
        assert alike and all(worth[1][move] == pytest.approx(worth[2][move]) for move in alike)
        reader.act(view, (memory := reader.catch_up(game, past, streams)), ROW)
        liking = dict(zip(moves.tolist(), 0.05 * np.log(chances), strict=True))
        legal = memory.scratch.moves[: len(moves)].tolist()
        np.testing.assert_allclose(memory.scratch.liking[: len(moves)], [liking[move] for move in legal], atol=1e-5)
    assert alike_without < 8
