"""Game trees, best responses and CFR+: against games solved by hand, and against OpenSpiel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from molehunt.core.errors import BadInput
from molehunt.core.long_work import listening
from molehunt.games.registry import make_game
from molehunt.search import growing, regrets
from molehunt.search.growing import grow
from molehunt.search.regrets import Solver
from molehunt.search.tree_values import best_response, expected_payoffs, exploitability, nash_conv
from molehunt.search.trees import Tree
from search.small_games import KuhnPoker, MatchingPennies

MINER_FIRST = np.array([0, 1], np.int8)


def random_strategy(tree: Tree, seed: int) -> Any:
    weights = np.random.default_rng(seed).random(len(tree.actions)) ** 3
    totals = np.add.reduceat(weights, tree.slot_starts[:-1])
    return weights / np.repeat(totals, np.diff(tree.slot_starts))


@pytest.fixture(scope="module")
def mine() -> Tree:
    return grow(make_game("saboteur", "small", 2), MINER_FIRST)


def test_what_is_no_strategy_no_seat_and_no_number_of_iterations_is_refused() -> None:
    tree = grow(MatchingPennies())
    even: Any = tree.uniform()
    shapes: list[Any] = [even[:2], np.concatenate([even, even]), even.astype(str), even[:, None], None]
    for wrong in shapes:
        for ask in (nash_conv, expected_payoffs, exploitability):
            with pytest.raises(BadInput, match="has a number for each of 4 slots"):
                ask(tree, wrong)
    for wrong in (even * np.nan, np.ones(4), np.array([1.5, -0.5, 0.5, 0.5]), np.array([np.inf, 0, 0.5, 0.5])):
        with pytest.raises(BadInput, match="sum to 1 at each information set"):
            nash_conv(tree, wrong)
    assert nash_conv(tree, np.array([1, 0, 0, 1])) == 2
    for seat in (-1, 2, 0.0, True):
        with pytest.raises(BadInput, match="has seats 0 to 1, not "):
            best_response(tree, even, seat)  # type: ignore[arg-type]
    for iterations in (-1, 1.5):
        with pytest.raises(BadInput, match="a whole number from 0 on"):
            Solver(tree).run(iterations)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=r"iterations in all are the most, not 10{30} more"):
        Solver(tree).run(10**30)


def test_a_tree_says_in_a_line_how_large_it_is(mine: Tree) -> None:
    tree = grow(KuhnPoker())
    assert repr(tree) == f"<Tree of {tree.label}: 6 deals, 54 nodes and 12 information sets>"
    assert repr(mine) == (
        f"<Tree of {mine.label}: {len(mine.chances)} deals, {len(mine.parents)} nodes and {len(mine.seats)} information sets>"
    )
    assert all(repr(seat) == f"<Sights of one seat: {len(seat.parents)} observations>" for seat in mine.sights)


def test_growing_and_solving_say_how_far_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large trees took minutes without a word."""
    tree = grow(KuhnPoker())
    strategy = Solver(tree).run(7)
    monkeypatch.setattr(growing, "AT_ONCE", 10)
    monkeypatch.setattr(regrets, "NODES_AT_ONCE", 3 * len(tree.parents))
    told: list[str] = []
    with listening(told.append):
        again = grow(KuhnPoker())
        solver = Solver(again)
        assert (solver.run(7) == strategy).all()
    assert solver.iterations == 7
    assert told[0] == f"growing the tree of {tree.label}: 6 nodes"
    assert told[2] == f"growing the tree of {tree.label}: 18 nodes"
    assert told[-3:] == [f"solving {tree.label}: {done} of 7 iterations" for done in (0, 3, 6)]
    grow(KuhnPoker())
    assert told[-1].endswith("6 of 7 iterations")


# --- Solved by hand -----------------------------------------------------------------------------------------------------


def test_matching_pennies_has_two_information_sets_and_the_value_zero() -> None:
    tree = grow(MatchingPennies())
    assert (tree.histories, np.bincount(tree.seats).tolist()) == (1 + 2 + 4, [1, 1])
    even = tree.uniform()
    assert expected_payoffs(tree, even).tolist() == [0, 0] and nash_conv(tree, even) == 0
    assert best_response(tree, np.array([1.0, 0.0, 0.5, 0.5]), 1)[0] == 1
    assert best_response(tree, np.array([0.75, 0.25, 0.5, 0.5]), 1)[0] == 0.5
    assert best_response(tree, np.array([0.75, 0.25, 0.5, 0.5]), 1)[1].tolist() == [0.75, 0.25, 1, 0]


def test_pennies_with_a_prize_are_solved_as_by_hand() -> None:
    tree = grow(MatchingPennies(prize=3.0))
    strategy = Solver(tree).run(3000)
    # Guess 0 pays p - (1 - p), guess 1 pays 3 (1 - p) - p: equal at p = 2/3, worth 1/3.
    assert strategy[:2] == pytest.approx([2 / 3, 1 / 3], abs=0.01)
    assert expected_payoffs(tree, strategy) == pytest.approx([-1 / 3, 1 / 3], abs=0.01)
    assert nash_conv(tree, strategy) < 0.01


def test_kuhn_poker_has_twelve_information_sets_and_the_value_that_kuhn_found() -> None:
    tree = grow(KuhnPoker())
    assert np.bincount(tree.seats).tolist() == [6, 6]
    assert tree.histories == 6 * 9
    strategy = Solver(tree).run(1000)
    assert exploitability(tree, strategy) < 1e-3
    assert expected_payoffs(tree, strategy)[0] == pytest.approx(-1 / 18, abs=1e-3)


def test_cfr_comes_nearer_and_goes_on_where_it_stopped() -> None:
    tree = grow(KuhnPoker())
    solver = Solver(tree)
    gaps = [nash_conv(tree, solver.run(number)) for number in (3, 27, 270)]
    assert gaps[0] > 3 * gaps[1] > 9 * gaps[2]
    assert (solver.average() == Solver(tree).run(300)).all()


# --- Against OpenSpiel ----------------------------------------------------------------------------------------------------


def spiel_policy(tree: Tree, strategy: Any) -> dict[str, Any]:
    """A strategy of Kuhn poker by OpenSpiel's names of information sets: the card, then passes and bets."""
    policy = {}
    for infoset, view in enumerate(tree.views):
        moves = "".join("pb"[move] for move in view["moves"] if move >= 0)
        first = tree.slot_starts[infoset]
        policy[f"{view['card']}{moves}"] = [(action, float(strategy[first + action])) for action in (0, 1)]
    return policy


def test_kuhn_poker_is_worth_what_openspiel_says() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    tree, game = grow(KuhnPoker()), pyspiel.load_game("kuhn_poker")
    for seed in range(5):
        strategy = random_strategy(tree, seed)
        policy = spiel_policy(tree, strategy)
        assert nash_conv(tree, strategy) == pytest.approx(pyspiel.nash_conv(game, policy), abs=1e-9)


def as_efg(tree: Tree) -> str:
    """A tree in the format of Gambit, which OpenSpiel reads; information sets are numbered by seat, actions at each."""
    numbers = [int((tree.seats[:infoset] == seat).sum()) + 1 for infoset, seat in enumerate(tree.seats)]
    lines = [f'EFG 2 R "{tree.label}" {{ "0" "1" }}', ""]
    deals = " ".join(f'"{deal}" {chance:.12f}' for deal, chance in enumerate(tree.chances))
    lines.append(f'c "" 1 "deal" {{ {deals} }} 0')
    stack = list(range(len(tree.chances)))[::-1]
    while stack:
        node = stack.pop()
        infoset = int(tree.infosets[node])
        if infoset < 0:
            paid = " ".join(f"{payoff:g}" for payoff in tree.payoffs[node])
            lines.append(f't "" {node + 1} "" {{ {paid} }}')
            continue
        slots = range(tree.slot_starts[infoset], tree.slot_starts[infoset + 1])
        named = " ".join(f'"{number}"' for number in range(len(slots)))
        lines.append(f'p "" {tree.movers[node] + 1} {numbers[infoset]} "{infoset}" {{ {named} }} 0')
        stack += [int(tree.first_children[node]) + number for number in range(len(slots))][::-1]
    return "\n".join(lines) + "\n"


def test_a_small_mine_is_worth_what_openspiel_says(mine: Tree) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_efg_game(as_efg(mine))
    for strategy in (random_strategy(mine, 1), Solver(mine).run(20)):
        policy, counts = {}, [0, 0]
        for infoset, seat in enumerate(mine.seats.tolist()):
            counts[seat] += 1
            chances = strategy[mine.slot_starts[infoset] : mine.slot_starts[infoset + 1]]
            policy[f"{seat}-{seat}-{counts[seat]}-{infoset}"] = list(enumerate(chances.tolist()))
        assert exploitability(mine, strategy) == pytest.approx(pyspiel.exploitability(game, policy), abs=1e-9)


# --- Small variants -------------------------------------------------------------------------------------------------------


def test_a_best_response_wins_at_least_as_much_as_any_other_answer(mine: Tree) -> None:
    strategy = random_strategy(mine, 3)
    for seat in (0, 1):
        value, answer = best_response(mine, strategy, seat)
        assert expected_payoffs(mine, answer)[seat] == pytest.approx(value)
        for seed in range(4, 12):
            parts = [strategy, strategy]
            parts[seat] = random_strategy(mine, seed)
            assert expected_payoffs(mine, mine.joined(parts))[seat] <= value
        answers = [strategy, strategy]
        answers[seat] = answer
        assert (mine.joined(answers) == answer).all()


def test_sizes_of_the_small_variants() -> None:
    sizes = {}
    for name, roles in (("saboteur", MINER_FIRST), ("saboteur", MINER_FIRST[::-1]), ("speed_clue", None)):
        tree = grow(make_game(name, "small", 2), roles)
        assert tree.chances.sum() == pytest.approx(1)
        sizes[name, None if roles is None else int(roles[0])] = (tree.histories, *np.bincount(tree.seats).tolist())
    assert sizes == {
        ("saboteur", 0): (29286, 688, 1797),
        ("saboteur", 1): (29286, 688, 1797),
        ("speed_clue", None): (49260, 5407, 420),
    }


def test_an_information_set_holds_what_its_seat_cannot_tell_apart(mine: Tree) -> None:
    # The miner's first information sets are its hands: two alike, one of them single (two ways), both single.
    assert len(np.unique(mine.infosets[: len(mine.chances)])) == 4
    first = mine.infosets[: len(mine.chances)]
    assert np.bincount(first, mine.chances)[np.unique(first)].sum() == pytest.approx(1)
    # Nodes of one set lie on one level, belong to one seat and have the same actions.
    for infoset in range(0, len(mine.seats), 50):
        nodes = np.flatnonzero(mine.infosets == infoset)
        levels = np.searchsorted(mine.level_starts, nodes, side="right")
        assert len(np.unique(levels)) == 1
        assert (mine.movers[nodes] == mine.seats[infoset]).all()


def test_a_tree_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "MOST_NODES", 1000)
    with pytest.raises(BadInput, match="more than 1,000 nodes"):
        grow(make_game("speed_clue", "small", 2))


@pytest.mark.parametrize("given", [None, "saboteur/small", 3, []])
def test_what_is_no_game_and_no_tree_is_refused(given: Any) -> None:
    with pytest.raises(BadInput, match="a tree is grown of a game, as make_game makes one, not "):
        grow(given)
    with pytest.raises(BadInput, match=r"a solver is of a tree, as grow\(game\) makes one, not "):
        Solver(given)
    for ask in (expected_payoffs, exploitability, nash_conv):
        with pytest.raises(BadInput, match=r"strategies are of a tree, as grow\(game\) makes one, not "):
            ask(given, np.ones(1))


def test_a_tree_that_is_far_too_large_is_refused_before_it_is_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain Python a game makes some thousand moves a second, and millions would be made first."""
    game = make_game("saboteur", "small", 2)
    made: list[int] = []
    apply = game.apply

    def counted(states: Any, actions: Any, rows: Any = None) -> Any:
        made.append(len(states))
        return apply(states, actions, rows)

    monkeypatch.setattr(game, "apply", counted)
    monkeypatch.setattr(growing, "MOST_NODES", 2000)
    with pytest.raises(BadInput, match="has more than 2,000 nodes and is not grown"):
        grow(game)
    assert 0 < max(made) <= 20
