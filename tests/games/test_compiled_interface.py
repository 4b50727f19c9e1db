"""What `games.calls` says of the kernels of a game, checked over every game: by their addresses, as any game is played by them."""

from __future__ import annotations

from collections import Counter
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from core.chance import assert_distributed, assert_uniform
from games.test_every_game import SETUPS, compiled_game, positions, rounds_of, view
from molehunt.agents.random import RandomAgent
from molehunt.core.errors import BadInput, KernelFailure
from molehunt.core.game import Game
from molehunt.core.seats import NOBODY
from molehunt.core.streams import game_seeds
from molehunt.games import calls
from molehunt.games.calls import GAME, NAMES, OPTIONAL, Bound
from molehunt.games.compiled import CompiledGame, bytes_of
from molehunt.games.playing import address_of, laid_down
from molehunt.games.registry import make_game


@pytest.fixture(params=SETUPS, ids=lambda setup: f"{setup[0]}/{setup[1]}/{setup[2]}")
def game(request: pytest.FixtureRequest) -> Game:
    return compiled_game(request.param)


def compiled(game: Game) -> CompiledGame:
    assert isinstance(game, CompiledGame)
    return game


def test_every_function_of_the_interface_is_there_and_has_an_address(game: Game) -> None:
    module = compiled(game).kernels
    addresses = compiled(game).calls(*range(len(NAMES)))
    assert {name for name in NAMES if hasattr(module, name)} >= set(NAMES) - set(OPTIONAL)
    assert [bool(address) for address in addresses] == [hasattr(module, name) for name in NAMES]


def of_duel(**changed: object) -> Bound:
    """The rules of the duel with some of its functions changed, or taken out (None)."""
    game = compiled(make_game("duel", "mcgill", 2))
    module = ModuleType("woodpusher")
    vars(module).update({name: function for name, function in vars(game.kernels).items() if name in NAMES} | changed)
    for name in [name for name, function in changed.items() if function is None]:
        delattr(module, name)
    return Bound(module, (game.state_dtype, game.view_dtype, game.event_dtype), GAME)


def test_a_module_that_lacks_a_function_is_named() -> None:
    with pytest.raises(KernelFailure, match=r"woodpusher has no deal, no look: see molehunt\.games\.calls"):
        of_duel(deal=None, look=None, random_seen=None)


def test_a_function_that_takes_other_arguments_is_named() -> None:
    def look(states: Any, seat: int, views: Any) -> None:
        pass

    with pytest.raises(KernelFailure, match=r"woodpusher\.look\(states, seat, views\) is called with 4 arguments: see"):
        of_duel(look=look)


def test_a_function_that_cannot_be_compiled_is_named_with_the_line_at_fault() -> None:
    def to_move(states: Any, params: Any) -> Any:
        return states[0].to_mvoe

    line = to_move.__code__.co_firstlineno + 1
    bound = of_duel(to_move=to_move)
    with pytest.raises(KernelFailure) as failed:
        bound.need(calls.TO_MOVE)
    assert str(failed.value) == (
        f"woodpusher.to_move cannot be compiled: there is no field 'to_mvoe' ({__file__}:{line})"
    )
    assert bound.need(calls.LEGAL)[calls.LEGAL] != 0


def test_what_is_legal_is_the_same_from_the_state_from_the_view_and_by_the_fault(game: Game) -> None:
    for number, states in enumerate(positions(game)):
        mover = int(game.to_move(states)[0])
        listed = game.legal_in(states).codes
        assert (mover == NOBODY) == (not listed)
        if mover == NOBODY:
            continue
        assert game.legal_actions(view(game, states, mover)).codes == listed
        if number % 5 == 0:
            faults = {code: compiled(game).fault(states, code) for code in listed}
            assert set(faults.values()) == {0}
            wrong = [code + 1 for code in listed if code + 1 not in faults]
            legal = [code for code in wrong if not compiled(game).fault(states, code)]
            # Another copy of a card that is dropped is as good as the first, and not listed.
            assert all(game.format_action(code).startswith("drop:") for code in legal)
            assert len(legal) < max(len(wrong), 1)


def test_random_actions_from_state_and_view_are_uniform_over_the_list(game: Game) -> None:
    play = compiled(game)
    scratch = np.empty(play.most_actions, np.int32)
    addresses = play.calls(*range(len(NAMES)))
    for number, states in enumerate(positions(game)):
        listed = game.legal_in(states).codes
        if number % 11 or not 1 < len(listed) <= 40:
            continue
        draws = 60 * len(listed)
        mover = game.to_move(states)
        streams = game_seeds(number, 0, draws)
        views = np.repeat(view(game, states, int(mover[0])), draws)
        player = RandomAgent()
        seen = player.act(views, player.start(game, views, streams), np.arange(draws))
        assert_uniform(Counter(seen.tolist()), len(listed))
        state = bytes_of(states)[0]
        told = [
            int(calls.random_action(addresses, state, play.params, stream[None], scratch))
            for stream in game_seeds(number, draws, draws)
        ]
        assert set(told) <= set(listed)
        assert_uniform(Counter(told), len(listed))


def test_payoffs_and_wins_are_those_of_the_outcome(game: Game) -> None:
    for states in positions(game):
        outcome = game.outcome(states)
        wins, payoffs = game.wins(states)[0], game.payoffs(states)[0]
        if outcome is None:
            assert not wins.any()
        else:
            assert tuple(np.flatnonzero(wins)) == outcome.winners
            assert tuple(payoffs) == outcome.payoffs


def test_a_game_that_goes_on_has_paid_what_the_rounds_that_are_over_paid(game: Game) -> None:
    paid_on_the_way = False
    for states in positions(game):
        if game.outcome(states) is None:
            paid = game.payoffs(states)[0]
            nuggets = (
                states["nuggets"][0, : game.seats] if "nuggets" in (states.dtype.names or ()) else np.zeros(game.seats)
            )
            assert paid.tolist() == nuggets.tolist()
            paid_on_the_way |= bool(paid.any())
    assert paid_on_the_way == (rounds_of(game) > 1)


def test_views_that_differ_only_in_the_order_of_the_hand_have_one_key_and_others_have_others(
    game: Game,
) -> None:
    keys: dict[int, bytes] = {}
    for states in positions(game):
        for seat in range(game.seats):
            seen = view(game, states, seat)
            if "hand" in (seen.dtype.names or ()) and seen["hand"].ndim > 1:
                # Both players' boards also remember in which order cards were laid: here the same.
                sorted_hand = seen.copy()
                sorted_hand["hand"] = np.sort(seen["hand"].view(np.uint8), axis=1).view(np.int8)
                assert (compiled(game).infoset_keys(sorted_hand) == compiled(game).infoset_keys(seen)).all()
                seen = sorted_hand
            key = int(compiled(game).infoset_keys(seen)[0])
            assert keys.setdefault(key, seen.tobytes()) == seen.tobytes()
    assert len(keys) > 3


def test_an_information_set_has_one_key_whatever_is_hidden(game: Game) -> None:
    for number, states in enumerate(positions(game)):
        if number % 7:
            continue
        for seat in range(game.seats):
            seen = view(game, states, seat)
            drawn = game.resample(np.repeat(seen, 3), game_seeds(number, 0, 3))
            again = game.views(drawn, np.full(3, seat, np.int8))
            assert len({*compiled(game).infoset_keys(again), *compiled(game).infoset_keys(seen)}) == 1


# --- Weighted roles -----------------------------------------------------------------------------------------------------


def teams_of(game: Game, states: np.ndarray) -> list[int]:
    return [sum(1 << int(seat) for seat in np.flatnonzero(roles)) for roles in game.roles_of(states)]


@pytest.mark.parametrize(("ruleset", "seats"), [("krisnadi", 5), ("official:rounds=1", 5), ("official:rounds=1", 3)])
def test_roles_are_drawn_by_their_weights_among_the_sets_that_can_be(ruleset: str, seats: int) -> None:
    game = make_game("saboteur", ruleset, seats)
    states = game.new(game_seeds(3, 0, 1))
    count = 4000
    for seat in range(seats):
        seen = np.repeat(view(game, states, seat), count)
        free = set(teams_of(game, game.resample(seen, game_seeds(1, 0, count))))
        weights = 0.2 + np.random.default_rng(seat).random(1 << seats)
        weights[: 1 << (seats - 1)] *= 3
        drawn = game.resample(seen, game_seeds(2, 0, count), weights)
        total = sum(weights[team] for team in free)
        counts = Counter(teams_of(game, drawn))
        assert set(counts) <= free
        if len(free) > 1:
            assert_distributed(counts, {team: weights[team] / total for team in free})
        assert game.views(drawn[:20], np.full(20, seat, np.int8)).tobytes() == seen[:20].tobytes()
        one = min(free)
        given = np.zeros(1 << seats)
        given[one] = 1.0
        assert set(teams_of(game, game.resample(seen[:50], game_seeds(4, 0, 50), given))) == {one}


def test_where_no_set_of_any_weight_can_be_the_draw_is_free() -> None:
    game = make_game("saboteur", "krisnadi", 5)
    states = game.new(game_seeds(3, 0, 1))
    seen = np.repeat(view(game, states, 0), 300)
    nothing = np.zeros(32)
    nothing[31] = 1.0
    drawn = game.resample(seen, game_seeds(1, 0, 300), nothing)
    assert len(set(teams_of(game, drawn))) > 3


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(31), r"shape \(32,\) or \(2, 32\), not \(31,\)"),
        (np.full(32, -1.0), "not negative"),
        (np.full(32, np.nan), "finite"),
        (np.ones((3, 32)), r"not \(3, 32\)"),
    ],
)
def test_weights_that_are_none_are_refused(weights: np.ndarray, message: str) -> None:
    game = make_game("saboteur", "krisnadi", 5)
    seen = np.repeat(view(game, game.new(game_seeds(3, 0, 1)), 0), 2)
    with pytest.raises(BadInput, match=message):
        game.resample(seen, game_seeds(1, 0, 2), weights)


def test_a_game_without_roles_has_none_to_weigh() -> None:
    game = make_game("duel", "mcgill", 2)
    with pytest.raises(BadInput, match="duel has no roles to weigh"):
        game.resample(view(game, game.new(game_seeds(3, 0, 1)), 0), game_seeds(1, 0, 1), np.ones(4))


def test_the_address_of_an_array_is_the_one_that_numpy_tells(game: Game) -> None:
    states = game.new(game_seeds(1, 0, 3))
    numbers = np.arange(12).reshape(3, 4)
    for array in (
        states,
        states[1:],
        numbers,
        numbers[1:, 2:],
        np.zeros(0),
        np.array(3.0),
        np.zeros(2).view(np.recarray),
    ):
        assert address_of(array) == array.ctypes.data
    assert laid_down(states, numbers).tolist() == [states.ctypes.data, 3, numbers.ctypes.data, 3]
