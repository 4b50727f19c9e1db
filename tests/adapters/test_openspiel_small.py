"""Small rulesets in OpenSpiel: three ways to one number, and Monte Carlo CFR that converges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyspiel")

from molehunt.adapters.openspiel.efg import small_game, to_efg
from molehunt.adapters.openspiel.games import load_game, pyspiel
from molehunt.adapters.openspiel.library import openspiel
from molehunt.adapters.openspiel.training import SAMPLING, Policy, load_policy, save_policy, trained, training
from molehunt.core.errors import BadInput
from molehunt.search.tree_values import expected_payoffs, nash_conv

SMALL = [("speed_clue/small", 2), ("saboteur/small", 2)]
SMALLEST = ("speed_clue/small:max_suggestions=1", 2)


@pytest.mark.parametrize(("label", "seats"), [SMALLEST, ("saboteur/small", 2)])
def test_openspiel_and_our_tree_agree_on_how_exploitable_a_policy_is(label: str, seats: int) -> None:
    small = small_game(label, seats)
    for _, average in training(small, "external", 3, [200]):
        ours = nash_conv(small.tree, small.strategy(average))
        assert pyspiel.nash_conv(small.game, average, True) == pytest.approx(ours)


def test_the_python_game_the_file_and_our_tree_are_one_game() -> None:
    label, seats = SMALLEST
    game = load_game(label, seats)
    small = small_game(label, seats)
    assert small.game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    ours = nash_conv(small.tree, small.tree.uniform())
    assert pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)) == pytest.approx(ours)
    assert pyspiel.nash_conv(small.game, pyspiel.UniformRandomPolicy(small.game)) == pytest.approx(ours)


@pytest.mark.parametrize(("label", "seats"), SMALL)
def test_the_file_names_what_a_seat_knows_as_a_play_does(label: str, seats: int) -> None:
    game = load_game(label, seats)
    small = small_game(label, seats)
    legal = dict(zip(small.names, (len(order) for order in small.orders), strict=True))
    choices = np.random.default_rng(1)
    for _ in range(20):
        state, twin = game.new_initial_state(), small.game.new_initial_state()
        while not state.is_terminal():
            assert state.current_player() == twin.current_player()
            if not state.is_chance_node():
                name = state.information_state_string(state.current_player()).split()[1]
                assert twin.information_state_string().endswith(f"-{name}")
                assert legal[name] == len(state.legal_actions())
            place = int(choices.integers(len(state.legal_actions())))
            if not state.is_chance_node():
                seat = state.current_player()
                written = twin.action_to_string(seat, twin.legal_actions()[place])
                assert written == state.action_to_string(seat, state.legal_actions()[place])
            state.apply_action(state.legal_actions()[place])
            twin.apply_action(twin.legal_actions()[place])
        assert twin.is_terminal() and twin.returns() == pytest.approx(state.returns())


@pytest.mark.parametrize("sampling", SAMPLING)
def test_openspiels_monte_carlo_cfr_comes_nearer_to_equilibrium(sampling: str) -> None:
    small = small_game(*SMALLEST)
    start = nash_conv(small.tree, small.tree.uniform())
    rounds = [1_000, 4_000] if sampling == "external" else [10_000, 60_000]
    curve = [nash_conv(small.tree, small.strategy(average)) for _, average in training(small, sampling, 1, rounds)]
    assert curve[1] < curve[0] < start
    assert curve[1] < start / 4


def test_openspiels_own_python_solver_trains_on_the_python_game() -> None:
    label, seats = SMALLEST
    game = load_game(label, seats)
    solvers = openspiel("open_spiel.python.algorithms.external_sampling_mccfr")
    np.random.seed(1)  # noqa: NPY002 - the solver draws from the one generator of all
    solver = solvers.ExternalSamplingSolver(game)
    for _ in range(10):
        solver.iteration()
    small = small_game(label, seats)
    average = solver.average_policy()
    state = game.new_initial_state()
    state.apply_action(0)
    assert sum(average.action_probabilities(state).values()) == pytest.approx(1)
    assert len(solver._infostates) <= len(small.names)


def test_a_policy_is_worth_the_same_from_its_file(tmp_path: Path) -> None:
    label, seats = SMALLEST
    policy = trained(label, seats, "external", 500, 2)
    path = tmp_path / "policy.json"
    save_policy(policy, path)
    small = small_game(label, seats)

    def value(of: Policy) -> list[float]:
        strategy = small.tree.uniform()
        for infoset, (name, order) in enumerate(zip(small.names, small.orders, strict=True)):
            strategy[small.tree.slot_starts[infoset] + order] = of.chances(name, len(order))
        return [float(payoff) for payoff in expected_payoffs(small.tree, strategy)]

    again = load_policy(str(path))
    assert (again.game, again.seats, again.made_by) == (label, seats, policy.made_by)
    assert value(again) == pytest.approx(value(policy), abs=1e-4)


def test_a_file_of_a_game_tree_is_written_for_small_rulesets_only() -> None:
    text = to_efg(*SMALLEST)
    assert text.startswith(f'EFG 2 R "{SMALLEST[0]}" {{ "seat 0" "seat 1" }}')
    assert pyspiel.load_efg_game(text).num_players() == 2
    with pytest.raises(BadInput, match="cannot be listed"):
        to_efg("duel/mcgill", 2)
    with pytest.raises(BadInput, match="sampling is external or outcome"):
        next(training(small_game(*SMALLEST), "robust", 1, [1]))
