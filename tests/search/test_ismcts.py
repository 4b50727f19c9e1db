"""The search against a slow one, in made-up games whose best moves are known, and what its settings promise."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.errors import BadInput, KernelFailure
from molehunt.core.interpreting import interpreting
from molehunt.core.streams import game_seeds
from molehunt.games.compiled import CompiledGame
from molehunt.games.registry import make_game
from molehunt.search.inference import BAYES, COWLING, PULL, updated
from molehunt.search.ismcts import search
from molehunt.search.ismcts_terms import Found, Noted, Settings
from molehunt.search.worlds import Sampler, first_weights, role_sets, seat_chances
from reference.ismcts import SlowSearch
from search.riddle_kernels import GUESS, HEADS, SAFE, TAILS
from search.tiny_games import RIDDLE, TRAITOR
from search.traitor_kernels import HARM, HELP, advance, legal


def compiled(label: str) -> CompiledGame:
    if label in {"riddle", "traitor"}:
        return RIDDLE if label == "riddle" else TRAITOR
    name, ruleset, seats = label.split("/")
    game = make_game(name, ruleset, int(seats))
    assert isinstance(game, CompiledGame)
    return game


def after(game: CompiledGame, seed: int, moves: int, roles: list[int] | None = None) -> np.ndarray:
    """A state after some random moves."""
    states = game.new(game_seeds(seed, 0, 1), None if roles is None else np.array([roles], np.int8))
    random = np.random.default_rng(seed)
    for _ in range(moves):
        legal = game.legal_in(states).codes
        fresh = states.copy()
        game.apply(fresh, np.array([random.choice(legal)], np.int32))
        if game.to_move(fresh)[0] < 0:
            break
        states = fresh
    return states


def seen(game: CompiledGame, states: np.ndarray) -> tuple[Any, int]:
    """The view of the seat to move, and that seat."""
    seat = int(game.to_move(states)[0])
    return game.views(states, np.array([seat], np.int8)), seat


def searched(
    game: CompiledGame, states: np.ndarray, seed: int = 1, settings: Settings | None = None, **more: Any
) -> Found:
    view, seat = seen(game, states)
    return search(game, view, seat, seed, settings, **more)


# --- Against a slow search ----------------------------------------------------------------------------------------------


def slow_found(game: CompiledGame, view: Any, seat: int, seed: int, settings: Settings) -> SlowSearch:
    """The same iterations, one by one."""
    slow = SlowSearch(game, seat, settings.selection, settings.c, settings.trees == "single", settings.nodes)
    root = int(game_seeds(int(game_seeds(seed, 3, 1)[0]), 0, 1)[0])
    world_seed, stream_seed = (int(word) for word in game_seeds(root, 0, 2))
    worlds = Sampler(game, view, seat).draw(world_seed, 0, settings.iterations)
    for world, stream in zip(worlds, game_seeds(stream_seed, 0, settings.iterations), strict=True):
        slow.iterate(np.array([world]), int(stream))
    return slow


@pytest.mark.parametrize("label", ["riddle", "traitor", "saboteur/small/2", "speed_clue/small/3", "duel/mcgill/2"])
@pytest.mark.parametrize(
    "settings",
    [
        Settings(iterations=150),
        Settings(iterations=150, c=0.3, trees="single"),
        Settings(iterations=150, selection="tuned"),
        Settings(iterations=150, selection="puct", c=2.0),
        Settings(iterations=150, selection="puct", trees="single", nodes=7),
        Settings(iterations=150, nodes=20),
    ],
    ids=["ucb", "single", "tuned", "puct", "puct full", "full"],
)
def test_every_visit_and_value_is_that_of_a_slow_search(label: str, settings: Settings) -> None:
    game = compiled(label)
    for moves in (0, 3):
        states = after(game, 5, min(moves, 1) if label == "riddle" else moves)
        view, seat = seen(game, states)
        found = search(game, view, seat, 9, settings)
        slow = slow_found(game, view, seat, 9, settings)
        root = slow.nodes[int(game.infoset_keys(view)[0]), seat]
        assert found.visits.tolist() == [root[a].visits if a in root else 0 for a in found.actions.tolist()]
        expected = [root[a].value / root[a].visits if a in root else 0 for a in found.actions.tolist()]
        assert found.values == pytest.approx(expected)
        assert found.nodes == len(slow.nodes) <= settings.nodes


def test_a_full_memory_ends_iterations_where_they_leave_it() -> None:
    game = compiled("duel/mcgill/2")
    found = searched(game, after(game, 1, 0), settings=Settings(iterations=400, nodes=30))
    assert (found.nodes <= 30, found.iterations, found.visits.sum()) == (True, 400, 400)
    assert found.refused > 0 and (found.visits > 0).sum() <= 30
    roomy = searched(game, after(game, 1, 0), settings=Settings(iterations=400))
    assert roomy.refused == 0 and roomy.nodes > 30


# --- Known best moves ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trees", ["single", "many"])
@pytest.mark.parametrize(("selection", "c"), [("ucb", 1.0), ("tuned", 1.0), ("puct", 1.0)])
def test_a_guess_that_needs_what_is_hidden_does_not_look_sure(trees: str, selection: str, c: float) -> None:
    settings = Settings(iterations=3000, trees=trees, selection=selection, c=c)
    for seed in range(5):
        found = searched(RIDDLE, after(RIDDLE, seed, 0), seed, settings)
        assert found.best == SAFE
        assert found.values[found.actions.tolist().index(SAFE)] == pytest.approx(0.5, abs=0.1)
        assert found.values[found.actions.tolist().index(GUESS)] < 0.3
    # Whoever solved each world by itself would guess: the coin is then known.
    worlds = Sampler(RIDDLE, *seen(RIDDLE, after(RIDDLE, 0, 0))).draw(3, 0, 200)
    ends = {action: worlds.copy() for action in (SAFE, HEADS, TAILS)}
    for action, states in ends.items():
        if action != SAFE:
            RIDDLE.apply(states, np.full(200, GUESS, np.int32))
        RIDDLE.apply(states, np.full(200, action, np.int32))
    won = {action: RIDDLE.margins(states)[:, 0] for action, states in ends.items()}
    assert np.maximum(won[HEADS], won[TAILS]).mean() == 1 > won[SAFE].mean()


@pytest.mark.parametrize("trees", ["single", "many"])
def test_a_traitor_harms_where_else_they_lose_and_the_loyal_help(trees: str) -> None:
    for roles in ([1, 0, 0], [0, 1, 0], [0, 0, 1]):
        states = TRAITOR.new(game_seeds(1, 0, 1), np.array([roles], np.int8))
        for move in range(6):
            seat = int(TRAITOR.to_move(states)[0])
            found = searched(TRAITOR, states, move, Settings(iterations=2000, trees=trees))
            # Of a lone player's last harm nothing depends once the game is decided, so only the traitor's moves are certain.
            if roles[seat]:
                assert found.best == HARM
            TRAITOR.apply(states, np.array([HARM if roles[seat] else HELP], np.int32))
        assert TRAITOR.wins(states)[0].tolist() == [role == 1 for role in roles]


def test_who_knows_the_answer_says_it() -> None:
    game = compiled("speed_clue/small/2")
    known = 0
    for seed in range(60):
        states = after(game, seed, 2)
        view, seat = seen(game, states)
        worlds = Sampler(game, view, seat).draw(seed, 0, 100)
        winning = set(game.legal_in(states).codes)
        for world in worlds:
            again = {int(a) for a in winning if game.margins(played(game, world, int(a)))[0, seat] == 1}
            winning &= again
        if winning:
            known += 1
            assert search(game, view, seat, seed, Settings(iterations=2000)).best in winning
    assert known > 5


def played(game: CompiledGame, state: Any, action: int) -> np.ndarray:
    states = np.array([state])
    game.apply(states, np.array([action], np.int32))
    return states


# --- What settings promise ----------------------------------------------------------------------------------------------


def test_threads_change_nothing_and_roots_share_the_iterations() -> None:
    game = compiled("saboteur/krisnadi/4")
    states = after(game, 2, 6)
    one, two, many = (
        searched(game, states, 3, Settings(iterations=500, roots=4, threads=threads)) for threads in (1, 2, 4)
    )
    assert one.visits.tolist() == two.visits.tolist() == many.visits.tolist()
    assert one.values.tolist() == two.values.tolist() == many.values.tolist()
    assert one.iterations == one.visits.sum() == 500
    other = searched(game, states, 3, Settings(iterations=500))
    assert other.visits.tolist() != one.visits.tolist()
    assert searched(game, states, 3, Settings(iterations=500)).visits.tolist() == other.visits.tolist()
    assert searched(game, states, 4, Settings(iterations=500)).visits.tolist() != other.visits.tolist()


def test_a_search_ends_with_its_time() -> None:
    game = compiled("duel/mcgill/2")
    states = after(game, 1, 0)
    searched(game, states, settings=Settings(iterations=10))
    began = time.perf_counter()
    found = searched(game, states, settings=Settings(iterations=0, seconds=0.2, nodes=1000))
    assert 0.2 <= time.perf_counter() - began < 20
    assert found.iterations > 64 and found.nodes <= 1000
    both = searched(game, states, settings=Settings(iterations=100, seconds=30.0))
    assert both.iterations == 100


def heads(states: Any, params: Any, stream: Any, events: Any) -> int:
    """Plays on: always safe, always heads."""
    moves = 0
    while states[0].stage < 2:
        states[0].winner = 0 if states[0].coin == 0 else 1
        states[0].stage = 2
        moves += 1
    return moves


def likes_guessing(states: Any, params: Any, out: Any) -> None:
    """What a riddle is worth in the eyes of a gambler."""
    out[0] = 1.0 if states[0].stage == 1 else -1.0
    out[1] = -out[0]


def prefers_second(states: Any, params: Any, out: Any) -> None:
    out[0], out[1] = 0.0, 1.0


def test_leaves_are_valued_by_the_function_that_is_given() -> None:
    states = after(RIDDLE, 1, 0)
    settings = Settings(iterations=2, selection="ucb")
    found = searched(RIDDLE, states, 2, settings, values=likes_guessing)
    assert dict(zip(found.actions.tolist(), found.values, strict=True))[GUESS] == 1.0


worth = 0.25
table = np.array([0.25, -0.25])


def by_worth(states: Any, params: Any, out: Any) -> None:
    out[0], out[1] = worth, -worth


def by_table(states: Any, params: Any, out: Any) -> None:
    out[:] = table


def test_a_function_that_is_given_goes_by_the_values_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    states, settings = after(RIDDLE, 1, 0), Settings(iterations=2)
    kept = 0.25

    def by_closure(states: Any, params: Any, out: Any) -> None:
        out[0], out[1] = kept, -kept

    for value in (0.25, 0.75):
        kept = value
        monkeypatch.setitem(globals(), "worth", value)
        table[:] = value, -value
        for values in (by_worth, by_table, by_closure):
            assert value in searched(RIDDLE, states, 2, settings, values=values).values
            with interpreting():
                assert value in searched(RIDDLE, states, 2, settings, values=values).values


def plays_the_first(states: Any, params: Any, streams: Any, events: Any) -> int:
    actions = np.empty(8, np.int32)
    moves = 0
    while legal(states, params, actions):
        advance(states, actions[0], params, events)
        moves += 1
    return moves


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"values": by_worth},
        {"prior": prefers_second},
        {"rollout": plays_the_first},
        {"values": by_worth, "prior": prefers_second},
    ],
)
def test_a_search_finds_the_same_interpreted_with_functions_that_are_given(given: dict[str, Any]) -> None:
    settings = Settings(iterations=40, selection="puct" if "prior" in given else "ucb")

    def found() -> list[Any]:
        result = searched(TRAITOR, after(TRAITOR, 1, 0), 3, settings, **given)
        return [result.visits.tolist(), result.values.tolist()]

    with interpreting():
        interpreted = found()
    assert interpreted == found()


def asks_for_no_field(states: Any, params: Any, out: Any) -> None:
    out[0] = states[0].gold


class Worth:
    def __call__(self, states: Any, params: Any, out: Any) -> None:
        out[:] = 0.0

    def of(self, states: Any, params: Any, out: Any) -> None:
        out[:] = 0.0


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (asks_for_no_field, r"values cannot be compiled: there is no field 'gold' \(.*test_ismcts.py:\d+\)"),
        (lambda states, out: None, r"values\(states, out\) is called with 3 arguments"),
        (Worth(), "values is a plain function or a kernel, not <"),
        (Worth().of, "values is a plain function or a kernel, not <bound method"),
    ],
)
def test_a_function_that_cannot_be_compiled_is_named(values: Any, said: str) -> None:
    with pytest.raises(KernelFailure, match=said):
        searched(RIDDLE, after(RIDDLE, 1, 0), settings=Settings(iterations=2), values=values)


@pytest.mark.parametrize("rollout", ["decision-2019", Agents("saboteur").make("random"), {0: None}])
def test_what_is_neither_function_nor_players_does_not_play_on(rollout: Any) -> None:
    with pytest.raises(BadInput, match="rollout is a function, or a list with a player for each seat, not "):
        searched(RIDDLE, after(RIDDLE, 1, 0), settings=Settings(iterations=2), rollout=rollout)
    wrong: Any = {"iterations": 2}
    with pytest.raises(BadInput, match="settings are those of Settings"):
        searched(RIDDLE, after(RIDDLE, 1, 0), settings=wrong)


def test_games_are_played_on_by_the_function_that_is_given() -> None:
    states = after(RIDDLE, 1, 1)
    sampler = Sampler(RIDDLE, *seen(RIDDLE, after(RIDDLE, 1, 0)))
    found = searched(RIDDLE, after(RIDDLE, 1, 0), 2, Settings(iterations=2), rollout=heads)
    assert states["stage"][0] <= 2 and sampler.seat == 0
    assert set(found.values.tolist()) <= {1.0, -1.0}


def test_a_prior_says_what_is_tried() -> None:
    states = after(TRAITOR, 1, 0)
    found = searched(TRAITOR, states, 2, Settings(iterations=1, selection="puct"), prior=prefers_second)
    assert found.visits.tolist() == [0, 1]
    with pytest.raises(BadInput, match="only selection=puct looks at a prior"):
        searched(TRAITOR, states, prior=prefers_second)


@pytest.mark.parametrize("seat", [-1, 2, 5, 0.0, None])
def test_a_search_is_from_a_seat_that_there_is(seat: Any) -> None:
    game = compiled("duel/mcgill/2")
    view, _ = seen(game, after(game, 1, 0))
    with pytest.raises(BadInput, match="has seats 0 to 1, not "):
        search(game, view, seat, 1, Settings(iterations=3))


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5])
def test_a_search_is_from_one_view_and_a_seed(seed: Any) -> None:
    game = compiled("duel/mcgill/2")
    view, seat = seen(game, after(game, 1, 0))
    with pytest.raises(BadInput, match="the seed of a search is a whole number"):
        search(game, view, seat, seed, Settings(iterations=3))
    with pytest.raises(BadInput, match="from one view"):
        search(game, np.repeat(view, 2), seat, 1, Settings(iterations=3))


def test_a_search_is_from_the_view_of_its_own_seat() -> None:
    for game in (compiled("duel/mcgill/2"), TRAITOR):
        view, seat = seen(game, after(game, 1, 0))
        other = (seat + 1) % game.seats
        with pytest.raises(BadInput, match=f"a search from seat {other} is from its own view, .* of seat {seat}"):
            search(game, view, other, 1, Settings(iterations=3))


def worth_no_number(states: Any, params: Any, out: Any) -> None:
    out[0], out[1] = np.nan, 0.0


def worth_all(states: Any, params: Any, out: Any) -> None:
    out[0], out[1] = np.inf, -np.inf


def against_first(states: Any, params: Any, out: Any) -> None:
    out[0], out[1] = -1.0, 3.0


@pytest.mark.parametrize("selection", ["ucb", "tuned", "puct"])
@pytest.mark.parametrize("values", [worth_no_number, worth_all])
def test_values_that_are_no_numbers_are_refused(values: Any, selection: str) -> None:
    with pytest.raises(BadInput, match="no finite number"):
        searched(TRAITOR, after(TRAITOR, 1, 0), settings=Settings(iterations=3, selection=selection), values=values)


@pytest.mark.parametrize("prior", [worth_no_number, worth_all, against_first])
def test_a_prior_that_is_no_weight_is_refused(prior: Any) -> None:
    settings = Settings(iterations=3, selection="puct")
    with pytest.raises(BadInput, match="a weight, a finite number from 0 on"):
        searched(TRAITOR, after(TRAITOR, 1, 0), settings=settings, prior=prior)
    player = Agents("saboteur").make("random")
    game = compiled("saboteur/small/2")
    with pytest.raises(BadInput, match="a weight, a finite number from 0 on"):
        searched(game, after(game, 1, 0), settings=settings, prior=prior, rollout=[player] * 2)


def test_players_play_on_from_leaves() -> None:
    game = compiled("saboteur/krisnadi/4")
    states = after(game, 2, 4)
    player = Agents("saboteur").make("decision-2019")
    settings = Settings(iterations=100)
    found = searched(game, states, 3, settings, rollout=[player] * 4)
    again = searched(game, states, 3, settings, rollout=[player] * 4)
    assert found.visits.sum() == 100 and found.visits.tolist() == again.visits.tolist()
    assert np.abs(found.values).max() <= 1
    random = searched(game, states, 3, settings)
    assert random.values.tolist() != found.values.tolist()
    with pytest.raises(BadInput, match="needs a player for each of 4 seats, not 3"):
        searched(game, states, rollout=[player] * 3)
    with pytest.raises(BadInput, match="by a function or by players, not by both"):
        searched(game, states, rollout=[player] * 4, values=likes_guessing)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"iterations": 0}, "needs a bound"),
        ({"iterations": -1}, "needs a bound"),
        ({"seconds": float("nan")}, "needs a bound"),
        ({"selection": "best"}, "one of ucb, tuned, puct, not 'best'"),
        ({"trees": "two"}, "single or many, not 'two'"),
        ({"c": -1.0}, "is not negative, not -1"),
        ({"c": float("inf")}, "is not negative, not inf"),
        ({"roots": 0}, "at least 1 root"),
        ({"nodes": 0}, "at least 1 root, 1 thread and 1 node"),
        ({"bluffing": 1.0}, "less than 1, not 1.0"),
        ({"bluffing": 0.5, "trees": "single"}, "bluffing needs trees=many"),
        ({"noted": 17}, "0 to 16 moves are noted, not 17"),
        ({"iterations": 10.5}, "iterations of a search is a whole number, not 10.5"),
        ({"roots": "2"}, "roots of a search is a whole number, not '2'"),
        ({"iterations": True}, "iterations of a search is a whole number, not True"),
    ],
)
def test_settings_that_cannot_be_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Settings(**given)


def test_more_roots_than_iterations_are_refused() -> None:
    with pytest.raises(BadInput, match="3 roots need at least as many iterations, not 2"):
        searched(RIDDLE, after(RIDDLE, 1, 0), settings=Settings(iterations=2, roots=3))


# --- Worlds -------------------------------------------------------------------------------------------------------------


def test_worlds_are_drawn_by_the_weights_of_role_sets() -> None:
    states = after(TRAITOR, 1, 0, [1, 0, 0])
    view = TRAITOR.views(states, np.array([1], np.int8))
    weights = np.zeros(8)
    weights[1 << 0], weights[1 << 2] = 3.0, 1.0
    sets = role_sets(TRAITOR, Sampler(TRAITOR, view, 1, weights).draw(5, 0, 2000))
    assert set(sets.tolist()) == {1, 4}
    assert (sets == 1).mean() == pytest.approx(0.75, abs=0.04)
    free = role_sets(TRAITOR, Sampler(TRAITOR, view, 1).draw(5, 0, 2000))
    assert (free == 1).mean() == pytest.approx(0.5, abs=0.05)


def test_drawn_worlds_are_kept_as_often_as_they_weigh() -> None:
    view, seat = seen(RIDDLE, after(RIDDLE, 1, 0))
    drawn = Sampler(RIDDLE, view, seat, weigh=lambda states: np.where(states["die"] == 3, 3.0, 1.0)).draw(7, 0, 3000)
    assert (drawn["die"] == 3).mean() == pytest.approx(0.5, abs=0.04)
    only = Sampler(RIDDLE, view, seat, weigh=lambda states: (states["die"] == 3) * 1.0)
    assert set(only.draw(7, 0, 64)["die"]) == {3}
    # So a safe move is known to lose, and the guess is taken.
    assert searched(RIDDLE, after(RIDDLE, 1, 0), weigh=only.weigh).best == GUESS
    nothing = Sampler(RIDDLE, view, seat, weigh=lambda states: np.zeros(len(states)))
    assert len(nothing.draw(7, 0, 64)) == 64
    with pytest.raises(BadInput, match="a finite weight, not negative, for each of 256 worlds"):
        Sampler(RIDDLE, view, seat, weigh=lambda states: np.full(len(states), -1.0)).draw(7, 0, 64)


def test_others_hold_worlds_possible_that_the_searcher_knows_are_not() -> None:
    view, seat = seen(TRAITOR, after(TRAITOR, 1, 0, [1, 0, 0]))
    sampler = Sampler(TRAITOR, view, seat)
    assert set(role_sets(TRAITOR, sampler.draw(3, 0, 500)).tolist()) == {1}
    others = np.bincount(role_sets(TRAITOR, sampler.draw_as_others(3, 0, 3000)), minlength=8) / 3000
    # An onlooker holds all three equally likely, and the walk comes near that.
    assert others[[1, 2, 4]].sum() == pytest.approx(1)
    assert others[[1, 2, 4]].min() > 0.2
    weights = first_weights(TRAITOR, view, seat, 4, as_others=True)
    assert seat_chances(weights, 3) == pytest.approx(others[[1, 2, 4]], abs=0.06)


def test_bluffing_searches_worlds_of_both_kinds() -> None:
    found = searched(TRAITOR, after(TRAITOR, 1, 0, [1, 0, 0]), 3, Settings(iterations=1000, bluffing=0.4, noted=4))
    assert found.noted.as_others.sum() == 400
    assert found.iterations == found.visits.sum() + found.as_others.sum() == 1000
    # Worlds of the others in which the searcher is the traitor build the searcher's own tree, too.
    assert 600 < found.visits.sum() < 900
    assert set(found.noted.sets[~found.noted.as_others].tolist()) == {1}
    assert set(found.noted.sets[found.noted.as_others].tolist()) == {1, 2, 4}


def test_a_bluff_is_the_best_liked_of_moves_that_cost_little() -> None:
    def found(values: list[float], deviations: list[float], as_others: list[int]) -> Found:
        none = Noted(np.zeros((0, 0), np.uint64), np.zeros(0, np.int64), np.zeros(0, np.bool_))
        visits, counted = np.array([50, 40, 0]), np.array(as_others)
        actions = np.array([7, 8, 9], np.int32)
        return Found(actions, visits, np.array(values), np.array(deviations), counted, 90, 3, 0, none)

    assert found([0.5, 0.3, 0.0], [0.4, 0.4, 0.0], [10, 60, 500]).bluff == 8
    assert found([0.5, 0.3, 0.0], [0.4, 0.1, 0.0], [10, 60, 500]).bluff == 7
    assert found([0.5, 0.3, 0.0], [0.4, 0.4, 0.0], [60, 10, 500]).bluff == 7
    assert found([0.5, 0.3, 0.0], [0.0, 0.0, 0.0], [10, 60, 500]).bluff == 7


# --- Inference ----------------------------------------------------------------------------------------------------------


def noted(rows: list[tuple[list[int], int]], *, as_others: bool = False) -> Noted:
    chains = np.array([chain for chain, _ in rows], np.uint64)
    return Noted(chains, np.array([held for _, held in rows]), np.full(len(rows), as_others))


def test_beliefs_move_as_equation_2_says() -> None:
    # Of eight iterations four went the way; three of these had seat 0 as the traitor.
    rows = [([5, 8], 1)] * 3 + [([5, 8], 2)] + [([5, 9], 2)] * 3 + [([6, 0], 4)]
    before = np.array([0, 0.2, 0.4, 0, 0.4, 0, 0, 0])
    after_move = updated(before, noted(rows), 5, 8, 1, COWLING)
    assert after_move == pytest.approx([0, 0.5 * 0.2 + 0.5 * 0.75, 0.5 * 0.4 + 0.5 * 0.25, 0, 0.5 * 0.4, 0, 0, 0])


def test_beliefs_move_by_the_rule_of_bayes() -> None:
    rows = [([5, 8], 1)] * 3 + [([5, 8], 2)] + [([5, 9], 2)] * 3 + [([6, 0], 4)] + [([5, 0], 2)]
    before = np.array([0, 0.2, 0.4, 0, 0.4, 0, 0, 0])
    likely = np.array(
        [0, 0.2 * (3 + PULL * 4 / 7) / (3 + PULL), 0.4 * (1 + PULL * 4 / 7) / (4 + PULL), 0, 0.4 * 4 / 7, 0, 0, 0]
    )
    assert updated(before, noted(rows), 5, 8, 1, BAYES) == pytest.approx(likely / likely.sum())


@pytest.mark.parametrize("way", [COWLING, BAYES])
def test_a_move_that_no_iteration_made_says_nothing(way: str) -> None:
    rows = [([5, 8], 1), ([6, 0], 2)]
    before = np.array([0, 0.5, 0.5, 0])
    for chain, depth, as_others in ((7, 1, False), (8, 5, False), (8, 1, True)):
        assert updated(before, noted(rows), 5, chain, depth, way, as_others=as_others) is before


def test_what_is_no_game_is_not_searched() -> None:
    label: Any = "duel"
    view: Any = np.zeros(1)
    with pytest.raises(BadInput, match="a game is what make_game makes, not 'duel'"):
        search(label, view, 0, 1)
