"""Our games in OpenSpiel: its own tests, and what a history, a copy and a name must be."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspiel")

from adapters.openspiel_plays import EVERY_RULESET, LARGE, SMALL, random_play
from molehunt.adapters.openspiel.games import PREFIX, load_game, new_play, pyspiel
from molehunt.adapters.openspiel.settings import from_parameter, to_parameter
from molehunt.core.errors import BadInput, BadParameter, GameFailure, IllegalAction, UnknownName
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import all_games, make_game


@pytest.mark.parametrize(("label", "seats"), [*LARGE, *SMALL])
def test_openspiels_random_simulations_find_no_fault(label: str, seats: int) -> None:
    pyspiel.random_sim_test(load_game(label, seats), num_sims=1, serialize=True, verbose=False)


@pytest.mark.long
@pytest.mark.parametrize(("label", "seats"), EVERY_RULESET)
def test_openspiels_random_simulations_find_no_fault_in_any_ruleset(label: str, seats: int) -> None:
    pyspiel.random_sim_test(load_game(label, seats), num_sims=10, serialize=True, verbose=False)


def test_every_game_is_registered_and_loads_without_parameters() -> None:
    registered = {entry.short_name: entry for entry in pyspiel.registered_games()}
    for entry in all_games().values():
        kind = registered[PREFIX + entry.name]
        game = pyspiel.load_game(kind.short_name)
        assert kind.default_loadable
        assert kind.min_num_players <= game.num_players() <= kind.max_num_players
        assert game.setting.game.label == f"{entry.name}/{next(iter(entry.rulesets))}"
        assert pickle.loads(pickle.dumps(kind)) == kind  # noqa: S301 - made here
        assert str(pickle.loads(pickle.dumps(game))) == str(game)  # noqa: S301 - made here


def test_a_ruleset_with_settings_comes_through_openspiels_own_notation() -> None:
    typed = "krisnadi:saboteurs=1,first_seat=0"
    game = load_game(f"saboteur/{typed}", 4)
    again = pyspiel.load_game(str(game))
    assert from_parameter(to_parameter(typed)) == typed
    assert again.setting.game.spec == game.setting.game.spec == make_game("saboteur", typed, 4).spec
    assert again.num_players() == 4


@pytest.mark.parametrize(("label", "seats"), LARGE)
def test_deal_n_is_the_arenas_game_n(label: str, seats: int) -> None:
    state = new_play(load_game(label, seats, seed=7), 300)
    name, ruleset = label.split("/")
    assert state.position.states.tobytes() == make_game(name, ruleset, seats).new(game_seeds(7, 300, 1)).tobytes()


@pytest.mark.parametrize(("label", "seats"), SMALL)
def test_where_deals_are_listed_chance_picks_one_by_its_probability(label: str, seats: int) -> None:
    game = load_game(label, seats)
    outcomes = game.new_initial_state().chance_outcomes()
    deals, chances = game.setting.game.deals()
    assert game.max_chance_nodes_in_history() == 1
    assert [chance for _, chance in outcomes] == chances.tolist()
    for number in (0, len(deals) - 1):
        assert new_play(game, number).position.states.tobytes() == deals[number : number + 1].tobytes()


@pytest.mark.parametrize(("label", "seats"), [*LARGE, *SMALL])
def test_a_history_holds_the_whole_play(label: str, seats: int) -> None:
    state = random_play(label, seats, 5)
    again = state.get_game().new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert again.position.states.tobytes() == state.position.states.tobytes()
    for seat in range(seats):
        assert again.information_state_string(seat) == state.information_state_string(seat)
        np.testing.assert_array_equal(again.information_state_tensor(seat), state.information_state_tensor(seat))
    assert again.returns() == state.returns() and state.is_terminal()


@pytest.mark.parametrize(("label", "seats"), LARGE)
def test_copies_by_every_way_are_equal_and_go_their_own_ways(label: str, seats: int) -> None:
    state = random_play(label, seats, 2, moves=4)
    for again in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):  # noqa: S301 - made here
        assert str(again) == str(state) and again.history() == state.history()
        before = state.position.states.tobytes()
        again.apply_action(again.legal_actions()[0])
        assert state.position.states.tobytes() == before != again.position.states.tobytes()


@pytest.mark.parametrize(("label", "seats"), [*LARGE, *SMALL])
def test_actions_print_as_our_notation_and_their_numbers_ascend(label: str, seats: int) -> None:
    state = random_play(label, seats, 3, moves=3)
    seat = state.current_player()
    game = state.setting.game
    wanted = {str(action) for action in game.legal_actions(state.position.view(seat)[0])}
    legal = state.legal_actions()
    assert {state.action_to_string(seat, action) for action in legal} == wanted
    assert legal == sorted(set(legal))
    assert np.flatnonzero(state.legal_actions_mask(seat)).tolist() == legal


@pytest.mark.parametrize(("label", "seats"), LARGE)
def test_returns_sum_to_nothing_and_winners_have_the_most(label: str, seats: int) -> None:
    for number in range(6):
        state = random_play(label, seats, number)
        returns = np.array(state.returns())
        wins = state.setting.game.wins(state.position.states)[0]
        assert abs(returns.sum()) < 1e-12 and (np.abs(returns) <= 1).all()
        if wins.any():
            assert (returns[wins] > 0).all() and (returns[~wins] < 0).all()


@pytest.mark.parametrize(("label", "seats"), LARGE)
def test_no_play_is_longer_than_the_game_says(label: str, seats: int) -> None:
    game = load_game(label, seats)
    lengths = [random_play(label, seats, number).position.moves for number in range(5)]
    assert max(lengths) <= game.max_game_length()


@pytest.mark.parametrize(("label", "seats"), LARGE)
def test_an_information_state_is_what_a_seat_saw_in_its_order_and_nothing_else(label: str, seats: int) -> None:
    game = load_game(label, seats)
    rules = game.setting.game
    saw: dict[tuple[int, str], tuple[bytes, ...]] = {}
    for number in range(3):
        for moves in (1, 4, 5):
            state = random_play(label, seats, number, moves=moves)
            for seat in range(seats):
                position = state.position
                views = (position.first_view(seat).tobytes(), position.view(seat).tobytes())
                seen = (*views, position.events(seat).tobytes())
                assert saw.setdefault((seat, state.information_state_string(seat)), seen) == seen
    assert len(set(saw.values())) == len(saw)
    assert len(next(reversed(saw.values()))[2]) == 5 * rules.event_dtype.itemsize


@pytest.mark.parametrize(("label", "seats"), LARGE)
def test_a_play_drawn_from_an_information_state_has_the_same_one(label: str, seats: int) -> None:
    state = random_play(label, seats, 4, moves=5)
    seat = state.current_player()
    names = set()
    for number in range(4):
        drawn = state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(number, 0.0, 1.0))
        assert drawn.information_state_string(seat) == state.information_state_string(seat)
        assert drawn.observation_string(seat) == state.observation_string(seat)
        assert drawn.legal_actions() == state.legal_actions()
        names |= {drawn.observation_string(other) for other in range(seats)}
    assert len(names) > seats, "every draw dealt the same cards"


def test_the_tensor_of_an_information_state_holds_every_event_to_the_byte() -> None:
    state = random_play("speed_clue/mitchell", 3, 4, moves=5)
    observer = state.get_game().make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 1)
    rows = np.round(observer.dict["events"] * 255).astype(np.uint8)
    assert rows[:5].tobytes() == state.position.events(1).tobytes()
    assert not rows[5:].any()
    spaces = state.setting.spaces
    np.testing.assert_array_equal(observer.dict["observation"], spaces.observation_many(state.position.view(1))[0])
    np.testing.assert_array_equal(state.observation_tensor(1), observer.dict["observation"])


def test_wrong_calls_say_what_would_be_right() -> None:
    with pytest.raises(UnknownName, match="krisnady"):
        load_game("saboteur/krisnady")
    with pytest.raises(BadParameter, match="duel is played by 2 seats"):
        load_game("duel/mcgill", 3)
    game = load_game("duel/mcgill")
    odd: list[Any] = [True, None, 1.0, "a", 10**30]
    for seed in (-1, 2**31, *odd):
        with pytest.raises(BadInput, match="from 0 to 2147483647"):
            load_game("duel", seed=seed)
    for number in (-1, 2**32, *odd):
        with pytest.raises(BadInput, match="deals 0 to 4294967295"):
            new_play(game, number)
    with pytest.raises(BadInput, match="take no parameters"):
        game.make_py_observer(None, {"single_tensor": True})
    with pytest.raises(BadInput, match="before the deal"):
        game.new_initial_state().resample_from_infostate(0, lambda: 0.5)
    with pytest.raises(BadInput, match="chance moves are 0 to 255, not 256"):
        game.new_initial_state().apply_action(256)
    state = new_play(game, 0)
    illegal = next(index for index in range(game.num_distinct_actions()) if index not in state.legal_actions())
    with pytest.raises(IllegalAction):
        state.apply_action(illegal)


def test_a_program_that_loaded_a_game_ends_in_peace() -> None:
    code = "from molehunt.adapters.openspiel.games import load_game; load_game('duel/mcgill')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_arena_and_openspiel_end_the_same_moves_the_same_way() -> None:
    game = load_game("speed_clue/mitchell", 3, seed=11)
    from molehunt.agents.registry import Agents

    agent = Agents("speed_clue").make("random")
    played = play(game.setting.game, [agent] * 3, game_seeds(11, 0, 3), keep_actions=True)
    assert played.actions is not None
    for number, actions in enumerate(played.actions):
        state = new_play(game, number)
        for action in actions:
            state.apply_action(state.setting.spaces.index(action, state.current_player()))
        assert state.position.states.tobytes() == played.states[number : number + 1].tobytes()


def test_a_play_that_is_longer_than_its_game_may_be_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("duel/mcgill")
    state = new_play(game, 1)
    monkeypatch.setitem(vars(state.setting.game), "most_moves", 3)
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(GameFailure, match="a play of duel/mcgill goes on after 3 moves, and none is longer by what"):
        state.apply_action(state.legal_actions()[0])
