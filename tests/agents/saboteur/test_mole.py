"""`mole`: the same game by the same seed however it is played, legal games under every ruleset, and words for people."""

from __future__ import annotations

import time
from collections import Counter

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.mole import Comparison, MoleAgent, Parameters
from molehunt.core.agent import Agent
from molehunt.core.interpreting import interpreting
from molehunt.core.match import play
from molehunt.core.panels import Bars
from molehunt.core.position import ROW, Position
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.registry import make_game
from molehunt.games.saboteur.cards import MINER, SABOTEUR

AGENTS = Agents("saboteur")
SHORT = "mole:worlds=2,kept=3"


class InSteps(MoleAgent):
    """The same player without the loop over whole games."""

    def reach(self, memory: object) -> None:
        return None


def table(spec: str, seats: int) -> list[Agent]:
    return [AGENTS.make(spec), *(AGENTS.make("decision-2019") for _ in range(seats - 1))]


def test_a_game_is_the_same_in_whole_and_in_steps_and_in_any_batch() -> None:
    game = make_game("saboteur", "krisnadi", 4)
    seeds = game_seeds(3, 0, 4)
    whole = play(game, table(SHORT, 4), seeds, keep_actions=True)
    steps = play(game, [InSteps("mole", Parameters(worlds=2, kept=3)), *table(SHORT, 4)[1:]], seeds, keep_actions=True)
    alone = play(game, table(SHORT, 4), seeds[2:3], keep_actions=True)
    assert whole.actions == steps.actions
    assert whole.actions is not None and alone.actions == whole.actions[2:3]


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        ("krisnadi", 3),
        ("krisnadi", 10),
        ("official", 5),
        ("official+talk", 4),
        ("veldhuis", 5),
        ("official+talk:speak=yes,rounds=2", 6),
        ("small", 2),
        ("small", 3),
    ],
)
def test_it_plays_every_ruleset_to_its_end(ruleset: str, seats: int) -> None:
    game = make_game("saboteur", ruleset, seats)
    played = play(game, [AGENTS.make("mole:worlds=1,kept=2")] * seats, game_seeds(1, 0, 2))
    assert (game.to_move(played.states) < 0).all() and played.moves > 4


def some_position(seats: int = 4, moves: int = 9) -> Position:
    position = Position(make_game("saboteur", "krisnadi", seats), 12)
    chance = np.random.default_rng(4)
    for _ in range(moves):
        position.play(int(chance.choice([int(action) for action in position.legal_actions])))
    return position


def test_it_compares_step_by_step_as_in_one_go() -> None:
    position = some_position()
    seat = position.to_move
    agent = MoleAgent("mole", Parameters(worlds=4, kept=4))
    streams = seat_streams(np.array([12], np.uint64), 4)
    memory = agent.catch_up(position.game, position.past(seat), streams[:, seat].copy())
    view = position.view_record(seat)
    told = agent.why(position.game, view, memory, 0)
    before = memory.records.tobytes()
    chosen = int(agent.act(view, agent.copy_memory(memory), ROW)[0])
    assert memory.records.tobytes() == before
    assert f"I choose {position.game.format_action(chosen)}:" in told
    assert "The gold: top" in told and "played on in worlds" in told


@pytest.mark.parametrize(
    ("glance", "ahead", "played"),
    [(0, 0, [28, 12, 4]), (3, 3, [28, 12, 4]), (1, 5, [24, 8, 4]), (2, 0, [24, 8, 4])],
)
def test_worlds_double_whenever_half_of_the_moves_are_left_out(glance: int, ahead: int, played: list[int]) -> None:
    """Worlds that were only glanced at count no longer once moves are played on further."""
    position = some_position()
    seat = position.to_move
    agent = MoleAgent("mole", Parameters(worlds=4, kept=4, glance=glance, ahead=ahead))
    streams = seat_streams(np.array([12], np.uint64), 4)
    memory = agent.catch_up(position.game, position.past(seat), streams[:, seat].copy())
    found = Comparison(agent, position.view_record(seat), memory, 0)
    assert sorted(set(found.worlds.tolist()), reverse=True) == played
    assert (found.worlds == played[0]).sum() == 2 and (found.worlds == played[1]).sum() == 2
    assert len(found.moves) == len(position.legal_actions)
    assert (np.abs(found.worth) <= 1.0).all()
    # Rounds that are played to their ends are won or lost; a forecast lies between.
    thirds = found.worth[found.worlds == 4] * 4 * 3
    assert np.allclose(thirds, np.round(thirds)) == (glance == 0)


def test_a_miner_who_has_faith_in_players_of_2019_plays_like_one() -> None:
    """So much faith that no game can outweigh it."""
    usual = {"mole": 0, "same": 0}
    for seed in range(6):
        position = Position(make_game("saboteur", "krisnadi", 4), seed)
        while position.states["roles"][0, position.to_move] == 1:
            position.play(int(position.legal_actions[0]))
        seat = position.to_move
        streams = seat_streams(np.array([12], np.uint64), 4)
        believer, doubter = (
            MoleAgent("mole", Parameters(worlds=2, kept=4, glance=0, ahead=0, faith=faith)) for faith in (2.0, 0.0)
        )
        made = []
        for agent in (believer, doubter):
            memory = agent.catch_up(position.game, position.past(seat), streams[:, seat].copy())
            made.append(Comparison(agent, position.view_record(seat), memory, 0))
        expected = made[0].usual
        usual["mole"] += int(made[0].moves[0]) == expected
        usual["same"] += int(made[1].moves[0]) == expected
        assert (np.abs(made[0].worth) <= 1.0 + 1e-9).all()
    assert usual["mole"] == 6 > usual["same"]


def test_memories_share_no_network() -> None:
    """Threads work with theirs at once, and kernels write to the scratch of a network."""
    game = make_game("saboteur", "krisnadi", 4)
    agent = MoleAgent("mole", Parameters(worlds=1, kept=2))
    views = Position(game, 12).view_record(0)
    scratches = [agent.start(game, views, np.zeros(1, np.uint64)).scratch for _ in range(2)]
    assert not np.shares_memory(scratches[0].network, scratches[1].network)


def test_by_the_clock_it_stops_in_time() -> None:
    position = some_position()
    seat = position.to_move
    agent = AGENTS.make("mole:seconds=0.2")
    streams = seat_streams(np.array([12], np.uint64), 4)
    memory = agent.catch_up(position.game, position.past(seat), streams[:, seat].copy())
    view = position.view_record(seat)
    agent.act(view, agent.copy_memory(memory), ROW)  # compiles
    began = time.perf_counter()
    chosen = int(agent.act(view, memory, ROW)[0])
    assert 0.1 < time.perf_counter() - began < 2.0
    assert chosen in [int(action) for action in position.legal_actions]
    assert agent.reach(memory) is None


def test_it_may_begin_interpreted_and_go_on_with_machine_code() -> None:
    """As at a table that does not wait for a compiler: addresses are those of the moment."""
    agent, found = AGENTS.make(SHORT), []
    streams = seat_streams(np.array([12], np.uint64), 4)
    for wanted in (True, False):
        position = Position(make_game("saboteur", "krisnadi", 4), 12)
        with interpreting(wanted):
            memory = agent.start(position.game, position.view_record(0), streams[:, 0].copy())
        chance = np.random.default_rng(1)
        for _ in range(5):
            told = position.play(int(chance.choice([int(action) for action in position.legal_actions])))
            with interpreting(wanted):
                agent.observe(told[:1].copy(), memory, ROW)
        with interpreting(wanted):
            panels = agent.beliefs(position.game, position.view_record(0), memory, 0)
        while position.to_move != 0:
            told = position.play(int(position.legal_actions[0]))
            agent.observe(told[:1].copy(), memory, ROW)
        action = int(agent.act(position.view_record(0), memory, ROW)[0])
        found.append((panels, memory.records.tobytes(), memory.models.tobytes(), action))
    assert found[0] == found[1]


def test_what_it_believes_is_shown() -> None:
    position = some_position()
    agent = AGENTS.make(SHORT)
    streams = seat_streams(np.array([12], np.uint64), 4)
    memory = agent.catch_up(position.game, position.past(0), streams[:, 0].copy())
    saboteurs, gold, onlooker = agent.beliefs(position.game, position.view_record(0), memory, 0)
    assert isinstance(saboteurs, Bars) and [row.label for row in saboteurs.rows] == ["seat 1", "seat 2", "seat 3"]
    own = int(position.view_record(0)["role"][0])
    assert sum(row.value for row in saboteurs.rows) == pytest.approx(1 - own)
    assert isinstance(gold, Bars) and sum(row.value for row in gold.rows) == pytest.approx(1.0)
    assert isinstance(onlooker, Bars) and sum(row.value for row in onlooker.rows) == pytest.approx(1.0)


# --- What it says -------------------------------------------------------------------------------------------------------

SPEAKING = "krisnadi:speak=yes"


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
