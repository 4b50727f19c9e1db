"""Environments for learners: the games of the arena, seen and played through the doors of other libraries."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

import gymnasium
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from adapters.table_games import LABELS, MAIN_LABELS, each, game_of, positions
from molehunt.adapters.batched import BatchedGames, Step
from molehunt.adapters.gymnasium import MaskInObservation, SeatEnv
from molehunt.adapters.gymnasium_vector import SeatVectorEnv
from molehunt.adapters.pettingzoo import MolehuntEnv, env
from molehunt.adapters.stepping.any_game import AnyGame, steps_of
from molehunt.agents.registry import Agents
from molehunt.core.agent import Player
from molehunt.core.errors import BadInput, IllegalAction, UnknownName
from molehunt.core.interpreting import interpreting
from molehunt.core.kernels import watch_compiling
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import BUILT_IN, game_entry

USUAL_IDS = ("molehunt/saboteur-krisnadi-v0", "molehunt/duel-mcgill-v0", "molehunt/speed_clue-mitchell-v0")
ALL_IDS = [f"molehunt/{name}-{ruleset}-v0" for name in BUILT_IN for ruleset in game_entry(name).rulesets]
IDS = [pytest.param(name, marks=[pytest.mark.thorough] * (name not in USUAL_IDS)) for name in ALL_IDS]
OPPONENTS = {"saboteur": "decision-2019", "duel": "greedy-2020", "speed_clue": "advanced"}
"""By the game, players that remember what happened (the duel's do not)."""
NOT_BY_SEAT: Any = "random"
TEXT: Any = "1"
NUMBER: Any = 5
FRACTION: Any = 2.0
LISTED: Any = ["random"]
A_CLASS: Any = Player
MASKED: Any = np.ma.masked_array([0, 0], [True, False])
RAGGED: Any = [[1, 2], [3]]
WORD: Any = "half"


def random_moves(table: MolehuntEnv, seed: int, moves: int) -> Iterator[tuple[str, Any, Any, float, bool]]:
    """Play random legal moves of the mask and tell what was seen on the way."""
    random = np.random.default_rng(seed)
    for agent in table.agent_iter(moves):
        seen, reward, terminated, _, _ = table.last()
        action = None if terminated else int(random.choice(np.flatnonzero(seen["action_mask"])))
        yield agent, seen, action, reward, terminated
        table.step(action)


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 - our own


def begun(seat: Any) -> Any:
    if isinstance(seat, BatchedGames):
        seat.reset(1)
    else:
        seat.reset(seed=1)
    return seat


def same(first: Any, second: Any) -> bool:
    return all(
        a[0] == b[0] and (a[1]["observation"] == b[1]["observation"]).all() and a[2:] == b[2:]
        for a, b in itertools.zip_longest(first, second)
    )


# --- PettingZoo ---------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings(
    # Observations are dicts with a mask, as in PettingZoo's own card games, and who is not to move has no legal action.
    "ignore:.*should be gymnasium.spaces.box",
    "ignore:.*not a NumPy array",
    "ignore:Action mask numpy array is all zeros",
)
@pytest.mark.parametrize("label", each(MAIN_LABELS))
def test_pettingzoo_finds_its_own_rules_kept(label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from pettingzoo.test import api_test, performance_benchmark, seed_test

    seats = LABELS[label]
    api_test(env(label, seats), num_cycles=20)
    seed_test(lambda: env(label, seats), num_cycles=20)
    # The benchmark runs until five seconds have gone by; here they go by at once.
    seconds = itertools.count(step=2)
    monkeypatch.setattr("time.time", lambda: next(seconds))
    performance_benchmark(env(label, seats))


@pytest.mark.parametrize("label", each(MAIN_LABELS))
def test_pettingzoo_finds_its_rules_of_drawing_kept(label: str, capsys: pytest.CaptureFixture[str]) -> None:
    from pettingzoo.test.render_test import render_test

    def is_drawing(drawn: Any) -> bool:
        return isinstance(drawn, str) and drawn.startswith("<svg")

    made = []

    def make(render_mode: str) -> MolehuntEnv:
        made.append(render_mode)
        return env(label, LABELS[label], render_mode=render_mode)

    render_test(make, {"svg": is_drawing})
    assert made == ["human", "human", "ansi", "svg"]
    assert len(capsys.readouterr().out.splitlines()) > 20, "nobody saw anything"


def test_pettingzoo_can_make_a_parallel_game_of_turns() -> None:
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    table = env("saboteur/krisnadi", 3)
    parallel = turn_based_aec_to_parallel(table)
    seen, _ = parallel.reset(seed=2)
    random = np.random.default_rng(1)
    rewards: dict[str, float] = {}
    while parallel.agents:
        mask = seen[table.agent_selection]["action_mask"]
        actions = {name: int(random.choice(np.flatnonzero(mask))) for name in parallel.agents}
        seen, rewards, *_ = parallel.step(actions)
    outcome = table.stepped.game.outcome(table.stepped.states[0])
    assert outcome is not None and tuple(rewards.values()) == outcome.payoffs


@pytest.mark.parametrize("label", each(LABELS))
def test_an_episode_is_the_game_of_its_seed(label: str) -> None:
    game = game_of(label)
    table = env(label, LABELS[label])
    for seed in (5, 6):
        table.reset(seed=seed)
        states = game.new(np.array([seed], np.uint64))
        for agent, seen, action, reward, terminated in random_moves(table, seed, 100_000):
            if terminated:
                assert reward == game.outcome(states[0]).payoffs[int(agent.removeprefix("player_"))]  # type: ignore[union-attr]
                continue
            seat = game.to_move(states)
            assert (agent, reward) == (f"player_{seat[0]}", 0)
            legal = game.legal_actions(game.views(states, seat)).codes
            spaces = table.stepped.spaces
            assert {spaces.code(int(i), int(seat[0])) for i in np.flatnonzero(seen["action_mask"])} == set(legal)
            game.apply(states, np.array([spaces.code(action, int(seat[0]))], np.int32))
        assert table.agents == []
        assert game.outcome(states[0]) is not None


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, MolehuntEnv.clone, pickled])
@pytest.mark.parametrize("label", each(MAIN_LABELS))
@pytest.mark.parametrize("among", [False, True])
def test_a_copy_goes_on_as_the_original_and_apart_from_it(label: str, copied: Any, among: bool) -> None:
    opponents = {1: OPPONENTS[label.split("/", maxsplit=1)[0]]} if among else {}
    table = env(label, LABELS[label], opponents)
    table.reset(seed=3)
    list(random_moves(table, 1, 4))
    twin = copied(table)
    third = copied(table)
    list(random_moves(third, 7, 6))
    assert same(random_moves(table, 2, 500), random_moves(twin, 2, 500))
    # Also the games that follow are the same.
    table.reset()
    twin.reset()
    assert same(random_moves(table, 2, 9), random_moves(twin, 2, 9))


def test_among_opponents_that_have_searched_an_environment_can_be_pickled() -> None:
    table = env("duel", 2, {1: "and-or-2020:depth=1"})
    table.reset(seed=3)
    list(random_moves(table, 1, 2))
    twin = pickled(table)
    assert same(random_moves(table, 2, 4), random_moves(twin, 2, 4))


@pytest.mark.parametrize("label", MAIN_LABELS)
def test_an_environment_that_was_made_before_is_interpreted_with_the_rest(label: str) -> None:
    environment = env(label)

    def shown() -> list[Any]:
        environment.reset(seed=1)
        found = []
        for agent in itertools.islice(environment.agent_iter(), 6):
            seen, reward, terminated, _truncated, _info = environment.last()
            found.append([agent, seen["observation"].tolist(), seen["action_mask"].tolist(), reward, terminated])
            environment.step(None if terminated else int(np.flatnonzero(seen["action_mask"])[-1]))
        return [*found, environment.unwrapped.state().tolist()]

    compiled = shown()
    told: list[str] = []
    with interpreting(), watch_compiling(told.append):
        assert shown() == compiled
    assert told == []
    assert shown() == compiled


@pytest.mark.parametrize("label", MAIN_LABELS)
def test_a_batch_may_be_made_and_stepped_with_kernels_interpreted_or_compiled(label: str) -> None:
    def shown(table: BatchedGames) -> list[Any]:
        steps = itertools.chain([table.reset(1)], (table.step(table.random_actions()) for _ in range(3)))
        return [[array.tolist() for array in step] for step in steps]

    compiled = BatchedGames(label, games=2)
    expected = shown(compiled)
    told: list[str] = []
    with interpreting(), watch_compiling(told.append):
        assert shown(compiled) == expected
        interpreted = BatchedGames(label, games=2)
        assert shown(interpreted) == expected
    assert told == []
    assert shown(interpreted) == shown(compiled) == expected


def test_seats_that_are_not_to_move_have_no_legal_action_and_see_their_own_hand() -> None:
    table = env("saboteur/krisnadi", 5)
    table.reset(seed=1)
    hands = set()
    for agent in table.agents:
        seen = table.observe(agent)
        assert seen["action_mask"].any() == (agent == table.agent_selection)
        hands.add(table.stepped.spaces.split(seen["observation"])["hand"].tobytes())
    assert len(hands) > 1


@pytest.mark.parametrize("label", each(LABELS))
def test_what_is_hidden_from_an_agent_changes_nothing_that_it_is_shown(label: str) -> None:
    game = game_of(label)
    table = env(label, LABELS[label])
    table.reset(seed=2)
    for number, states in enumerate(positions(game, games=1)):
        if number % 9:
            continue
        mover = game.to_move(states)
        for seat in range(game.seats):
            table.stepped.states[:] = states
            table.stepped.to_move = int(mover[0])
            first = table.observe(f"player_{seat}")
            view = game.views(states, np.array([seat], np.int8))
            table.stepped.states[:] = game.resample(view, np.array([number], np.uint64))
            again = table.observe(f"player_{seat}")
            assert all((first[part] == again[part]).all() for part in first)


@pytest.mark.parametrize("mode", ["ansi", "svg"])
def test_an_environment_draws_what_the_agent_to_move_sees(mode: str) -> None:
    table = env("saboteur/krisnadi", 3, render_mode=mode)
    table.reset(seed=1)
    drawn = str(table.render())
    assert drawn.startswith("<svg") == (mode == "svg")
    list(random_moves(table, 1, 1000))
    assert drawn != table.render()
    assert env("duel").render() is None


def test_without_a_seed_games_follow_from_the_last_one_given_or_from_chance() -> None:
    table = env("saboteur/krisnadi", 5)
    table.reset(seed=9)
    table.reset()
    assert table.stepped.states["stream"][0, 0] == game_of("saboteur/krisnadi").new(game_seeds(9, 1, 1))["stream"][0, 0]
    first, second = env("duel"), env("duel")
    first.reset()
    second.reset()
    assert first.stepped.seed != second.stepped.seed


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda table: table.step(10**6), BadInput, "has actions 0 to"),
        (lambda table: table.step(-1), BadInput, "has actions 0 to"),
        (lambda table: table.step("discard:map"), BadInput, "index of one"),
        (lambda table: table.step(None), BadInput, "index of one"),
        (lambda table: table.step(int(np.argmin(table.last()[0]["action_mask"]))), IllegalAction, "illegal action"),
        (lambda table: table.reset(seed=-1), BadInput, "a seed is"),
        (lambda table: table.reset(seed=1.5), BadInput, "a seed is"),
        (lambda table: table.observe("player_7"), BadInput, r"agents are player_0, .*, not 'player_7'$"),
        (lambda table: table.action_space(0), BadInput, r"agents are player_0, .*, not 0$"),
        (
            lambda table: env("duel", 2, {1: "random"}).observation_space("player_1"),
            BadInput,
            "agents are player_0, not 'player_1'; players of this project sit on the other seats",
        ),
        (lambda table: env("saboteur/krisnadi", 3).step(0), BadInput, "reset first"),
        (lambda table: env("saboteur/krisnadi", 3).last(), BadInput, "reset first"),
        (lambda table: env("saboteur/krisnadi", 3).observe("player_0"), BadInput, "reset first"),
        (lambda table: env("saboteur/krisnadi", 3).state(), BadInput, "reset first"),
        (lambda table: env("saboteur/krisnadi", 3).agent_iter(), BadInput, "reset first"),
        (lambda table: env("saboteur/krisnadi", 3, render_mode="ansi").render(), BadInput, "reset first"),
        (lambda table: env("saboteur/krisnadi", 3, render_mode="pdf"), BadInput, "human, ansi, svg"),
        (lambda table: env("saboteur/krisnadi", 3, {3: "random"}), BadInput, "seats 0 to 2"),
        (lambda table: env("duel", 2, {0: "random", 1: "random"}), BadInput, "leave at least one"),
        (lambda table: env("duel", 2, {0: "nobody"}), UnknownName, "unknown agent"),
        (lambda table: env("duel", 2, NOT_BY_SEAT), BadInput, "given by seat"),
        (lambda table: BatchedGames("duel", opponents=NOT_BY_SEAT), BadInput, "given by seat"),
        (lambda table: env("chess"), UnknownName, "unknown game"),
        (lambda table: SeatEnv("duel", seat=2), BadInput, "seat from 0 to 1"),
        (lambda table: SeatEnv("saboteur", seat=2, opponents={1: "random"}), BadInput, "needs an opponent"),
        (
            lambda table: SeatEnv("duel", seat=1, opponents={0: "random", 1: "random"}),
            BadInput,
            "seat 1 is the learner's",
        ),
        (lambda table: SeatEnv("duel", seat=1, opponents=LISTED), BadInput, "one for each by seat"),
        (lambda table: SeatEnv("duel", seat=1, opponents=A_CLASS), BadInput, r"seat PlayerAgent\('player', Player\)"),
        (lambda table: SeatEnv("duel", opponents=A_CLASS()), BadInput, r"seat PlayerAgent\('player', Player\)"),
        (lambda table: begun(SeatEnv("duel")).step("a"), BadInput, "index of one"),
        (lambda table: begun(SeatEnv("duel")).step(1.0), BadInput, "index of one"),
        (lambda table: begun(SeatEnv("duel")).step(np.zeros(2, int)), BadInput, "index of one"),
        (lambda table: SeatEnv("duel", render_mode="pdf"), BadInput, "human, ansi, svg"),
        (lambda table: SeatEnv("saboteur", opponents={1: "random"}), BadInput, "no seat to draw"),
        (lambda table: SeatEnv("duel", seat=TEXT), BadInput, "seat from 0 to 1, not on '1'"),
        (lambda table: SeatEnv("duel", seat=True), BadInput, "seat from 0 to 1, not on True"),
        (lambda table: SeatVectorEnv("duel", 0), BadInput, "1 or more"),
        (lambda table: SeatVectorEnv("duel", FRACTION), BadInput, "num_envs is a whole number, 1 or more, not 2.0"),
        (
            lambda table: SeatVectorEnv("duel", max_episode_steps=TEXT),
            BadInput,
            "max_episode_steps, .* 1 or more, not '1'",
        ),
        (lambda table: SeatVectorEnv("duel", render_mode="ansi"), BadInput, "are not drawn"),
        (lambda table: SeatVectorEnv("duel", 2).step(np.zeros(2, int)), BadInput, "reset first"),
        (lambda table: SeatVectorEnv("duel", 2).step(np.zeros(3, int)), BadInput, "takes 2 indices"),
        (lambda table: SeatVectorEnv("duel", 2).reset(seed=[1]), BadInput, "one for each of 2 games"),
        (lambda table: SeatEnv("duel").step(0), BadInput, "reset first"),
        (lambda table: SeatEnv("duel").action_masks(), BadInput, "reset first"),
        (lambda table: SeatEnv("duel", render_mode="ansi").render(), BadInput, "reset first"),
        (lambda table: BatchedGames("duel", games=0), BadInput, "1 or more"),
        (lambda table: BatchedGames("duel", loss_reward=float("nan")), BadInput, "loss_reward is a number, or None"),
        (lambda table: SeatVectorEnv("duel", loss_reward=True), BadInput, "loss_reward is a number, or None"),
        (
            lambda table: SeatEnv("duel", illegal_reward=TEXT),
            BadInput,
            "illegal_reward is a number, or None for an error",
        ),
        (lambda table: SeatVectorEnv("duel", illegal_reward=float("inf")), BadInput, "illegal_reward is a number, or"),
        (
            lambda table: SeatEnv("duel", seat=0, opponents={1: NUMBER}),
            BadInput,
            "on a seat sits an Agent, as .*, not 5",
        ),
        (lambda table: SeatEnv("duel", draw_reward=WORD), BadInput, "draw_reward is a number, or None .* not 'half'"),
        (lambda table: BatchedGames("duel", games=TEXT), BadInput, "games is a whole number, 1 or more, not '1'"),
        (lambda table: BatchedGames("duel").random_actions(), BadInput, "reset first"),
        (lambda table: BatchedGames("duel", games=2).step(np.zeros(2, int)), BadInput, "reset first"),
        (lambda table: BatchedGames("duel", games=2).reset(np.zeros(3, int)), BadInput, "one for each of 2"),
        (lambda table: BatchedGames("duel", games=2).reset([1, 2, 3]), BadInput, "one for each of 2"),
        (lambda table: table.step(10**30), BadInput, "index of one"),
        (lambda table: table.step(MASKED[:1]), BadInput, "index of one .* not masked_array"),
        (lambda table: begun(SeatEnv("duel")).step(MASKED[:1]), BadInput, "index of one .* not masked_array"),
        (lambda table: SeatVectorEnv("duel", 10**30), BadInput, "num_envs is 100,000,000 at most"),
        (lambda table: begun(SeatVectorEnv("duel", 2)).step(MASKED), BadInput, "takes 2 indices, .* masked"),
        (lambda table: begun(SeatVectorEnv("duel", 2)).step(RAGGED), BadInput, "takes 2 indices, not "),
        (lambda table: BatchedGames("duel", games=10**30), BadInput, "games is 100,000,000 at most"),
        (lambda table: begun(BatchedGames("duel", games=2)).step(MASKED), BadInput, "takes 2 indices, .* masked"),
        (lambda table: begun(BatchedGames("duel", games=2)).step(RAGGED), BadInput, "takes 2 indices, not "),
        (lambda table: BatchedGames("duel", games=2).reset(MASKED), BadInput, "one for each of 2 .* not masked_array"),
        (lambda table: BatchedGames("duel", games=2).reset(RAGGED), BadInput, r"one for each of 2 .* not \[\[1, 2\]"),
    ],
)
def test_wrong_calls_say_what_would_be_right(call: Any, error: type[Exception], said: str) -> None:
    table = env("saboteur/krisnadi", 3)
    table.reset(seed=1)
    before = table.stepped.states.tobytes()
    with pytest.raises(error, match=said):
        call(table)
    assert table.stepped.states.tobytes() == before


# --- Opponents ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", each(MAIN_LABELS))
def test_among_opponents_the_game_is_the_one_of_the_arena(label: str) -> None:
    # The moves that a player made in the arena, played by a learner on its seat, meet the same answers to the end.
    game = game_of(label)
    agent = Agents(game.name).make(OPPONENTS[game.name])
    seeds = game_seeds(8, 0, 6)
    played = play(game, [agent] * game.seats, seeds, keep_actions=True)
    spec = OPPONENTS[game.name]
    table = env(label, game.seats, dict.fromkeys(range(1, game.seats), spec))
    batch = BatchedGames(label, game.seats, 6, auto_reset=False, opponents=dict.fromkeys(range(1, game.seats), spec))
    mine = [own_moves(game, int(seed), actions) for seed, actions in zip(seeds, played.actions or [], strict=True)]
    for row, moves in enumerate(mine):
        table.reset(seed=int(seeds[row]))
        for code in moves:
            table.step(table.stepped.spaces.index(code, 0))
        assert table.terminations == {"player_0": True}
        assert table.stepped.states.tobytes() == played.states[row].tobytes()
    step = batch.reset(seeds)
    rewards = step.rewards.copy()
    for turn in range(max(map(len, mine))):
        codes = [moves[turn] if turn < len(moves) else -1 for moves in mine]
        step = batch.step(np.array([batch.spaces.index(code, 0) if code >= 0 else 0 for code in codes]))
        rewards += step.rewards
    assert batch.states.tobytes() == played.states.tobytes()
    assert rewards.tolist() == [list(game.outcome(state).payoffs) for state in played.states]  # type: ignore[union-attr]


def own_moves(game: Any, seed: int, actions: list[int]) -> list[int]:
    """The moves of seat 0 in a game."""
    states = game.new(np.array([seed], np.uint64))
    moves = []
    for action in actions:
        if game.to_move(states)[0] == 0:
            moves.append(action)
        game.apply(states, np.array([action], np.int32))
    return moves


@pytest.mark.parametrize("label", each(MAIN_LABELS))
def test_opponents_that_begin_again_play_as_those_that_begin(label: str) -> None:
    # Rows that are replaced at different times: the memory of each opponent is that of its own new game.
    game = game_of(label)
    opponents = {1: OPPONENTS[game.name]}
    batch = BatchedGames(label, game.seats, 5, opponents=opponents)
    batch.reset(4)
    seeds = batch.seeds.copy()
    alone = {row: BatchedGames(label, game.seats, 1, auto_reset=False, opponents=opponents) for row in range(5)}
    for row, one in alone.items():
        one.reset(seeds[row : row + 1])
    replaced = 0
    for _ in range(300):
        actions = batch.random_actions().copy()
        step = batch.step(actions)
        for row, one in alone.items():
            single = one.step(actions[row : row + 1])
            if step.terminated[row]:
                replaced += 1
                one.reset(batch.seeds[row : row + 1])
            else:
                assert (single.rewards[0] == step.rewards[row]).all()
            if one._step.to_move[0] >= 0:
                assert one.states[0].tobytes() == batch.states[row].tobytes()
    assert replaced >= 5


# --- Gymnasium ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_finds_its_own_rules_kept_by_every_environment_as_it_is_made(name: str) -> None:
    from gymnasium.utils.env_checker import check_env

    made = gymnasium.make(name).unwrapped
    assert made.spec.id == name  # type: ignore[union-attr]
    check_env(made)


@pytest.mark.parametrize("name", IDS)
def test_stable_baselines_finds_its_rules_kept_by_every_environment_as_it_is_made(name: str) -> None:
    checker = pytest.importorskip(
        "stable_baselines3.common.env_checker", reason="the extra `learners` is not installed"
    )
    checker.check_env(gymnasium.make(name).unwrapped, skip_render_check=False)


def test_every_ruleset_has_an_id() -> None:
    assert set(USUAL_IDS) < set(ALL_IDS) <= set(gymnasium.registry)
    made = gymnasium.make("molehunt/saboteur-krisnadi-v0", seats=4, seat=2, opponents="decision-2019")
    assert made.get_wrapper_attr("stepped").game.label == "saboteur/krisnadi" and made.get_wrapper_attr("seat") == 2
    assert isinstance(gymnasium.make_vec("molehunt/duel-mcgill-v0", 2, opponents="greedy-2020"), SeatVectorEnv)


@pytest.mark.parametrize("label", each(MAIN_LABELS))
def test_a_seat_that_is_drawn_anew_each_game_meets_the_game_that_it_would_meet_if_it_were_named(label: str) -> None:
    seats = LABELS[label]
    opponent = OPPONENTS[label.split("/", maxsplit=1)[0]]
    drawn = SeatEnv(label, seats, opponents=opponent)
    random = np.random.default_rng(2)
    taken = set()
    for seed in range(8):
        observation, info = drawn.reset(seed=seed)
        named = SeatEnv(label, seats, info["seat"], opponents=opponent)
        taken.add(info["seat"])
        again, told = named.reset(seed=seed)
        over, reward, fee = False, 0.0, 0.0
        while not over:
            assert (observation == again).all() and (info["action_mask"] == told["action_mask"]).all()
            assert info["action_mask"].any()
            action = random.choice(np.flatnonzero(info["action_mask"]))
            observation, reward, over, _, info = drawn.step(action)
            again, fee, _, _, told = named.step(action)
        # The end is the learner's own, too, and nothing is left to do.
        view = drawn.stepped.game.views(drawn.stepped.states, np.array([info["seat"]], np.int8))
        assert (observation == drawn.stepped.spaces.observation_many(view)[0]).all() and (observation == again).all()
        assert reward == fee == drawn.stepped.game.payoffs(drawn.stepped.states)[0, info["seat"]]
        assert not info["action_mask"].any()
    assert len(taken) > 1, "one seat was drawn every time"
    twins = drawn.clone(), pickled(drawn), copy.copy(drawn)
    for _ in range(5):
        observation, info = drawn.reset()
        for twin in twins:
            again, told = twin.reset()
            assert (observation == again).all() and info["seat"] == told["seat"]


@pytest.mark.parametrize("label", each(MAIN_LABELS))
@pytest.mark.parametrize("seat", [None, 1])
def test_many_seats_at_once_are_the_single_ones_side_by_side(label: str, seat: int | None) -> None:
    opponent = OPPONENTS[label.split("/", maxsplit=1)[0]]
    many = SeatVectorEnv(label, 3, LABELS[label], seat, opponents=opponent)
    single = SyncVectorEnv([lambda: SeatEnv(label, LABELS[label], seat, opponents=opponent)] * 3)
    assert many.metadata["autoreset_mode"] == single.metadata["autoreset_mode"]
    seen, info = many.reset(seed=4)
    other, told = single.reset(seed=4)
    random = np.random.default_rng(3)
    games = 0
    while games < 9:
        assert (seen == other).all() and seen in many.observation_space
        assert info.keys() == told.keys() and all((info[key] == told[key]).all() for key in info)
        # Now and then an action that is not legal, which is fined.
        actions = [
            random.choice(np.flatnonzero(mask)) if mask.any() and random.random() < 0.95 else random.integers(len(mask))
            for mask in info["action_mask"]
        ]
        seen, rewards, over, cut, info = many.step(np.array(actions))
        other, paid, ended, _, told = single.step(np.array(actions))
        assert (rewards == paid).all() and (over == ended).all() and not cut.any()
        games += int(over.sum())
    # Without a seed, the games go on to the next ones.
    seen, info = many.reset()
    other, told = single.reset()
    assert (seen == other).all() and (info["seat"] == told["seat"]).all()


@pytest.mark.thorough
def test_seats_in_processes_of_their_own_are_those_of_this_one() -> None:
    apart = AsyncVectorEnv([partial(SeatEnv, "duel/mcgill", opponents="greedy-2020")] * 2, context="spawn")
    many = SeatVectorEnv("duel/mcgill", 2, opponents="greedy-2020")
    seen, info = many.reset(seed=4)
    other, told = apart.reset(seed=4)
    for _ in range(80):
        assert (seen == other).all() and (info["action_mask"] == told["action_mask"]).all()
        seen, rewards, over, _, info = many.step(actions := info["action_mask"].argmax(axis=1))
        other, paid, ended, _, told = apart.step(actions)
        assert (rewards == paid).all() and (over == ended).all()
    apart.close()


@pytest.mark.parametrize("seat", [None, 1])
def test_of_many_seats_at_once_some_begin_anew(seat: int | None) -> None:
    many = SeatVectorEnv("speed_clue/mitchell", 3, 3, seat, opponents="advanced")
    single = SyncVectorEnv([lambda: SeatEnv("speed_clue/mitchell", 3, seat, opponents="advanced")] * 3)
    with pytest.raises(BadInput, match="first reset deals all"):
        many.reset(seed=4, options={"reset_mask": np.array([True, False, False])})
    _, info = many.reset(seed=4)
    single.reset(seed=4)
    for mask, seed in (([False, True, True], None), ([True, False, False], 8), ([False, True, False], None)):
        actions = info["action_mask"].argmax(axis=1)
        many.step(actions)
        single.step(actions)
        seen, info = many.reset(seed=seed, options={"reset_mask": np.array(mask)})
        other, _ = single.reset(seed=seed, options={"reset_mask": np.array(mask)})
        assert (seen == other).all()
    for wrong in ([True], [False] * 3, [1, 0, 1], RAGGED, np.ma.masked_array([True] * 3, [True, False, False])):
        with pytest.raises(BadInput, match="reset_mask says of each of 3 games"):
            many.reset(options={"reset_mask": wrong})
    with pytest.raises(BadInput, match=r"options are a dict, .* not 5"):
        many.reset(options=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, SeatVectorEnv.clone, pickled])
def test_a_copy_of_many_seats_at_once_goes_on_as_they_do_and_apart_from_them(copied: Any) -> None:
    many = SeatVectorEnv("duel/mcgill", 4, opponents="greedy-2020")
    many.reset(seed=3)

    def played(these: SeatVectorEnv, which: int) -> list[bytes]:
        seen = []
        for _ in range(40):
            legal = [np.flatnonzero(mask) for mask in these.masks]
            actions = np.array([row[which % len(row)] if len(row) else 0 for row in legal])
            observations, rewards, *_, info = these.step(actions)
            seen.append(observations.tobytes() + rewards.tobytes() + info["action_mask"].tobytes())
        return seen

    twin, third = copied(many), copied(many)
    other = played(third, 5)
    assert played(many, 2) == played(twin, 2) != other


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, MaskInObservation.clone, pickled])
def test_a_copy_with_the_mask_in_the_observation_goes_its_own_way(copied: Any) -> None:
    table = MaskInObservation(SeatEnv("duel/mcgill"))
    seen, _ = table.reset(seed=1)
    copied(table).step(int(seen["action_mask"].argmax()))
    assert (table.get_wrapper_attr("action_masks")() == seen["action_mask"]).all()


def test_seeds_that_are_none_leave_many_seats_at_once_as_they_were() -> None:
    many = SeatVectorEnv("duel/mcgill", 3, seat=0)
    wrong: list[Any] = [[1, -2, 3], [1, 2, 2**53], [1, 2], 1.5, iter([1, 2, 3]), {1, 2, 3}]
    for seeds in wrong:
        with pytest.raises(BadInput):
            many.reset(seed=seeds)
        with pytest.raises(BadInput, match="call reset first"):
            many.step(np.zeros(3, np.int64))
    before, _ = many.reset(seed=[1, 2, 3])
    with pytest.raises(BadInput, match="a seed is a whole number"):
        many.reset(seed=[7, -2, 3])
    many.reset()
    again = SeatVectorEnv("duel/mcgill", 3, seat=0)
    assert (again.reset(seed=[1, 2, 3])[0] == before).all()
    again.reset()
    assert many.states.tobytes() == again.states.tobytes()


def test_a_seed_that_is_none_leaves_a_single_seat_as_it_was_and_numbers_of_arrays_are_seeds() -> None:
    table, again = SeatEnv("duel/mcgill"), SeatEnv("duel/mcgill")
    for seed in (-1, 2**53, True, 1.5, "1"):
        with pytest.raises(BadInput, match="a seed is a whole number"):
            table.reset(seed=seed)  # type: ignore[arg-type]
        with pytest.raises(BadInput, match="call reset first"):
            table.action_masks()
    assert (table.reset(seed=np.int64(3))[0] == again.reset(seed=3)[0]).all()  # type: ignore[arg-type]
    for seed in (-1, 2**53):
        with pytest.raises(BadInput, match="a seed is a whole number"):
            table.reset(seed=seed)
    # Seats that are drawn, too, follow from the last seed that was one.
    for _ in range(8):
        (seen, info), (other, told) = table.reset(), again.reset()
        assert (seen == other).all() and info["seat"] == told["seat"]


def test_many_seats_at_once_are_cut_short_as_single_ones_are() -> None:
    made: list[Any] = [
        gymnasium.make_vec("molehunt/speed_clue-small-v0", 3, mode, seat=0, max_episode_steps=2)
        for mode in ("vector_entry_point", "sync")
    ]
    many, single = made
    seen, info = many.reset(seed=4)
    single.reset(seed=4)
    random = np.random.default_rng(3)
    ends = np.zeros(2, np.int64)
    for _ in range(40):
        # Where nothing is legal is no longer looked at; an illegal action counts as a step.
        actions = np.array([random.choice([0, int(mask.argmax())]) for mask in info["action_mask"]])
        seen, rewards, over, cut, info = many.step(actions)
        other, paid, ended, short, _ = single.step(actions)
        assert (seen == other).all() and (rewards == paid).all() and (over == ended).all() and (cut == short).all()
        ends += over.sum(), cut.sum()
    assert ends.min() > 5
    with pytest.raises(BadInput, match="1 or more"):
        SeatVectorEnv("duel", 2, max_episode_steps=0)


def test_many_seats_at_once_name_an_illegal_action_where_none_is_allowed() -> None:
    many = SeatVectorEnv("duel", 2, illegal_reward=None)
    _, info = many.reset(seed=1)
    before = many.states.tobytes()
    actions = info["action_mask"].argmax(axis=1)
    actions[1] = info["action_mask"][1].argmin()
    with pytest.raises(IllegalAction, match=r"illegal action .* \(game 1 of 2\)"):
        many.step(actions)
    with pytest.raises(BadInput, match="has actions 0 to"):
        many.step(np.array([0, 10**6]))
    assert many.states.tobytes() == before


def test_a_mask_can_be_put_into_the_observation_under_any_name() -> None:
    table = MaskInObservation(SeatEnv("duel", seat=0), "obs", "mask", dtype=np.float32, mask_dtype=np.bool_)
    seen, info = table.reset(seed=1)
    assert seen in table.observation_space
    assert (seen["obs"].dtype, seen["mask"].dtype) == (np.float32, np.bool_)
    assert (seen["mask"] == info["action_mask"]).all()
    assert (seen["obs"] == SeatEnv("duel", seat=0).reset(seed=1)[0]).all()


def test_a_person_watches_every_move_and_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    table = SeatEnv("duel", seat=0, render_mode="human")
    quiet = SeatEnv("duel", seat=0, render_mode="ansi")
    _, info = table.reset(seed=1)
    quiet.reset(seed=1)
    over = False
    while not over:
        assert capsys.readouterr().out == f"{quiet.render()}\n"
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, _, over, _, info = table.step(action)
        quiet.step(action)
    assert capsys.readouterr().out == f"{quiet.render()}\n"


def test_a_learner_is_paid_what_its_seat_is_paid_and_may_be_fined_for_an_illegal_action() -> None:
    strict = SeatEnv("speed_clue/mitchell", 3, seat=1, illegal_reward=None)
    illegal = int(np.argmin(strict.reset(seed=1)[1]["action_mask"]))
    with pytest.raises(IllegalAction):
        strict.step(illegal)
    table = SeatEnv("speed_clue/mitchell", 3, seat=1, opponents="advanced", illegal_reward=-2.0)
    random = np.random.default_rng(1)
    paid = []
    for seed in range(20):
        _, info = table.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            action = random.choice(np.flatnonzero(info["action_mask"]))
            _, reward, over, truncated, info = table.step(action)
            assert not truncated
        paid.append(reward)
        assert reward == table.stepped.game.outcome(table.stepped.states[0]).payoffs[1]  # type: ignore[union-attr]
    assert sum(paid) < 20
    _, info = table.reset(seed=1)
    before = table.stepped.states.tobytes()
    assert table.step(int(np.argmin(info["action_mask"])))[1:4] == (-2.0, False, False)
    assert table.stepped.states.tobytes() == before
    assert (copy.deepcopy(table).reset(seed=5)[0] == table.clone().reset(seed=5)[0]).all()


@pytest.mark.parametrize("opponents", [None, {1: "greedy-2020"}])
def test_who_has_not_won_is_paid_for_a_loss_and_for_a_draw_what_is_asked_for(opponents: Any) -> None:
    plain, asked = (
        BatchedGames("duel", 2, 64, opponents=opponents, loss_reward=loss, draw_reward=draw)
        for loss, draw in ((None, None), (-1.0, 0.25))
    )
    plain.reset(seeds=1)
    step = asked.reset(seeds=1)
    games = []
    for _ in range(150):
        actions = asked.random_actions().copy()
        usual, step = plain.step(actions), pickled(asked).step(actions)
        assert (asked.step(actions).rewards == step.rewards).all()
        games += list(
            zip(usual.rewards[usual.terminated].tolist(), step.rewards[usual.terminated].tolist(), strict=True)
        )
        assert not step.rewards[~usual.terminated].any()
    expected = {(1.0, 0.0): [1.0, -1.0], (0.0, 1.0): [-1.0, 1.0], (0.0, 0.0): [0.25, 0.25]}
    assert all(earned == expected[tuple(paid)] for paid, earned in games)
    assert len({tuple(paid) for paid, _ in games}) == 3

    # The same on one game, whichever door it comes through, and where no kernels play it.
    game: Any = asked.game
    ended = game.new(game_seeds(1, 0, 3000))
    game.play_randomly(ended, game_seeds(2, 0, 3000))
    earned = []
    for steps in (steps_of(game, asked.spaces, asked.earnings), AnyGame(game, asked.spaces, asked.earnings)):
        rewards = np.zeros((3000, 2), np.float32)
        steps.pay_many(ended, np.arange(3000), rewards)
        earned.append(rewards.tolist())
    assert earned[0] == earned[1] and len({tuple(pair) for pair in earned[0]}) == 3


def test_every_door_takes_what_a_loss_and_a_draw_earn() -> None:
    earns: dict[str, Any] = {"loss_reward": -1, "draw_reward": 0.25}
    found = set()
    for seed in range(8):
        table = env("duel", 2, {1: "greedy-2020"}, **earns)
        single = SeatEnv("duel", seat=0, opponents="greedy-2020", **earns)
        many = SeatVectorEnv("duel", 1, seat=0, opponents="greedy-2020", **earns)
        table.reset(seed=seed)
        many.reset(seed=seed)
        _, info = single.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            action = int(np.flatnonzero(info["action_mask"])[-1])
            table.step(action)
            _, reward, over, _, info = single.step(action)
            assert reward == many.step(np.array([action]))[1] == table.rewards["player_0"]
        won = single.stepped.game.wins(single.stepped.states)[0]
        assert reward == (1 if won[0] else -1 if won.any() else 0.25)
        found.add(reward)
    assert found >= {-1, 0.25}


# --- Batches ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", each(LABELS))
def test_a_batch_plays_the_games_of_the_arena(label: str) -> None:
    game = game_of(label)
    batch = BatchedGames(label, game.seats, 7)
    step = batch.reset(seeds=3)
    spaces = batch.spaces
    number = np.arange(7)
    finished = 0
    states = game.new(game_seeds(3, 0, 7))
    for turn in range(400):
        assert batch.states.tobytes() == states.tobytes()
        assert (step.to_move == game.to_move(states)).all()
        if turn % 10 == 0:
            views = game.views(states, step.to_move)
            assert (step.masks == spaces.mask_many(views)).all()
            assert (step.observations == spaces.observation_many(views)).all()
        actions = batch.random_actions()
        assert step.masks[np.arange(7), actions].all()
        game.apply(states, spaces.codes_many(actions, step.to_move))
        step = batch.step(actions)
        over = game.to_move(states) < 0
        assert (step.terminated == over).all()
        for row in range(7):
            outcome = game.outcome(states[row])
            assert step.rewards[row].tolist() == (list(outcome.payoffs) if outcome else [0.0] * game.seats)
        number[over] += 7
        finished += int(over.sum())
        for row in np.flatnonzero(over).tolist():
            states[row : row + 1] = game.new(game_seeds(3, int(number[row]), 1))
    assert finished >= 7


def test_a_batch_takes_lists_too() -> None:
    batch = BatchedGames("speed_clue/small", 2, 3)
    first = batch.reset([5, 6, 7]).observations.copy()
    assert (batch.reset(np.array([5, 6, 7])).observations == first).all()
    batch.step([int(mask.argmax()) for mask in batch.reset(1).masks])
    for wrong in ([5, 6], "5", None, [0.5, 1.0, 2.0], 1.5):
        with pytest.raises(BadInput, match="one for each of 3 games"):
            batch.reset(wrong)  # type: ignore[arg-type]


def test_random_actions_stay_in_the_window() -> None:
    batch = BatchedGames("saboteur/official:rounds=1", 3, 16, window=(0, -2, 9, 2))
    step = batch.reset(1)
    for _ in range(100):
        actions = batch.random_actions()
        assert step.masks[np.arange(16), actions].all()
        step = batch.step(actions)


def steps(batch: BatchedGames, count: int) -> list[bytes]:
    """What is seen along random moves."""
    return [b"".join(part.tobytes() for part in batch.step(batch.random_actions())) for _ in range(count)]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, BatchedGames.clone, pickled])
@pytest.mark.parametrize("among", [False, True])
def test_a_copy_of_a_batch_goes_on_as_the_original_and_apart_from_it(copied: Any, among: bool) -> None:
    batch = BatchedGames("saboteur/krisnadi", 3, 4, opponents={2: "decision-2019"} if among else {})
    batch.reset(5)
    steps(batch, 10)
    twin, third = copied(batch), copied(batch)
    steps(third, 5)
    assert steps(batch, 150) == steps(twin, 150)


def test_a_batch_takes_numbers_of_any_make() -> None:
    """Also in the other byte order, as they come from files."""
    first = BatchedGames("saboteur/krisnadi", 3, 4)
    first.reset(2)
    actions = first.random_actions().copy()
    after = first.clone().step(actions).observations.copy()
    for kind in (">i8", "<i8", "<u2", ">u4", "<i4"):
        assert (first.clone().step(actions.astype(kind)).observations == after).all()


def test_a_batch_without_auto_reset_leaves_finished_games_alone() -> None:
    batch = BatchedGames("speed_clue/mitchell", 3, 8, auto_reset=False, masks=False)
    step = batch.reset(np.arange(8, dtype=np.uint64))
    ended = np.zeros(8, int)
    while (step.to_move >= 0).any():
        step = batch.step(batch.random_actions())
        ended += step.terminated
    assert ended.tolist() == [1] * 8
    before = batch.states.tobytes()
    assert not batch.step(np.full(8, -7)).terminated.any()
    assert batch.states.tobytes() == before
    assert step.masks.shape == (8, 0)


def test_a_batch_refuses_an_illegal_action_before_anything_is_played_and_its_arrays_are_its_own() -> None:
    batch = BatchedGames("saboteur/krisnadi", 5, 4, opponents={4: "random"})
    other = BatchedGames("saboteur/krisnadi", 5, 4)
    for games in (batch, other):
        step: Step = games.reset(1)
        before = games.states.tobytes()
        actions = games.random_actions().copy()
        actions[2] = int(np.argmin(step.masks[2]))
        with pytest.raises(IllegalAction, match="game 2 of 4"):
            games.step(actions)
        actions[1] = 10**7
        with pytest.raises(BadInput, match="not 10000000"):
            games.step(actions)
        with pytest.raises(BadInput, match="takes 4 indices"):
            games.step(actions[:3])
        assert games.states.tobytes() == before
        with pytest.raises(ValueError, match="read-only"):
            step.masks[0, 0] = 1
