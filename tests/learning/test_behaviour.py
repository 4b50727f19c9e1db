"""Players on a game tree: their strategies from chairs, and the interval of what a best response wins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.agent import Player, PlayerAgent
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.learning.behaviour import Sample, _half_width, answer, judge, sample_chairs
from molehunt.search.growing import grow
from molehunt.search.tree_values import best_response, expected_payoffs, reaches
from molehunt.search.trees import Tree

MINER_FIRST = np.array([0, 1], np.int8)
GAME = make_game("saboteur", "small", 2)


@pytest.fixture(scope="module")
def mine() -> Tree:
    return grow(GAME, MINER_FIRST)


def chairs_of(tree: Tree, player: str, seat: int, chairs: int, seed: int = 1) -> Sample:
    return sample_chairs(tree, GAME, Agents("saboteur").make(player), seat, seed, chairs)


def test_shares_of_random_chairs_come_near_to_uniform(mine: Tree) -> None:
    sample = chairs_of(mine, "random", 0, 256)
    counts = np.bincount(sample.slots, minlength=len(mine.actions))
    totals = np.repeat(np.add.reduceat(counts, mine.slot_starts[:-1]), np.diff(mine.slot_starts))
    # Every chair is asked at every first information set, and at later ones where its own choices led there.
    first = np.unique(mine.infosets[: len(mine.chances)])
    assert set(totals[mine.slot_starts[first]]) == {256}
    expected = totals * mine.uniform()
    seen = (mine.seats == 0).repeat(np.diff(mine.slot_starts)) & (expected > 20)
    statistic = ((counts - expected)[seen] ** 2 / expected[seen]).sum()
    assert statistic < 1.3 * seen.sum()


def test_chairs_do_what_the_same_player_does_in_the_match_loop(mine: Tree) -> None:
    sample = {seat: chairs_of(mine, "decision-2019", seat, 4) for seat in (0, 1)}
    strategy = mine.joined([sample[seat].strategy(mine) for seat in (0, 1)])
    player = Agents("saboteur").make("decision-2019")
    played = play(GAME, [player] * 2, game_seeds(3, 0, 3000), np.tile(MINER_FIRST, (3000, 1)))
    won = GAME.margins(played.states)[:, 0]
    expected = expected_payoffs(mine, strategy)[0]
    assert abs(won.mean() - expected) < 4 * won.std() / np.sqrt(len(won))


def test_payoffs_of_chairs_average_to_those_of_their_strategy(mine: Tree) -> None:
    sample = chairs_of(mine, "random", 1, 100)
    strategy = sample.strategy(mine)
    others = mine.uniform()
    together = mine.joined([others, strategy])
    assert sample.payoffs(mine, others).mean() == pytest.approx(expected_payoffs(mine, together)[1])
    assert reaches(mine, together)[mine.movers < 0].sum() == pytest.approx(1)


def test_a_player_without_chance_is_judged_exactly(mine: Tree) -> None:
    sample = chairs_of(mine, "means-ends-2016", 0, 8)
    judged = judge(mine, sample)
    exact = -best_response(mine, sample.strategy(mine), 1)[0]
    assert judged.payoff == pytest.approx(judged.low) == pytest.approx(judged.high) == pytest.approx(exact)


def test_the_interval_holds_what_random_play_is_paid_by_a_best_response(mine: Tree) -> None:
    for seat in (0, 1):
        exact = -best_response(mine, mine.uniform(), 1 - seat)[0]
        held = 0
        for seed in range(12):
            judged = judge(mine, chairs_of(mine, "random", seat, 64, seed))
            held += judged.low - 1e-9 <= exact <= judged.high + 1e-9
        assert held >= 10


@pytest.mark.parametrize("samples", [1, 2])
@pytest.mark.parametrize("chairs", [4, 8, 16])
def test_of_few_chairs_the_interval_of_what_they_are_paid_holds_its_mean(samples: int, chairs: int) -> None:
    random, runs = np.random.default_rng(chairs), 3000
    held = 0
    for _ in range(runs):
        paid = random.normal(size=(samples, chairs))  # how far each moves the mean, by whose choices these are
        held += abs(paid.mean(axis=1).sum()) <= _half_width(paid)
    assert held / runs > 0.94


def test_the_interval_holds_what_one_wins_who_answers_two_others_at_random() -> None:
    """Any of three seats may be the saboteur; what is answered is the play of both others, each of whom chooses on its own."""
    three, random = make_game("saboteur", "small", 3), Agents("saboteur").make("random")
    tree = grow(three)
    wanted = best_response(tree, tree.uniform(), 1)[0]
    held = 0
    for seed in range(12):
        found = answer(tree, [sample_chairs(tree, three, random, seat, seed, 64) for seat in (0, 2)], 1)
        held += found.low <= wanted <= found.high
    assert held >= 10


def test_roles_in_several_ways_are_as_likely_each() -> None:
    together = grow(GAME, np.array([[0, 1], [1, 0]], np.int8))
    dealt = grow(GAME)
    assert (together.histories, together.chances.sum()) == (dealt.histories, pytest.approx(1))
    worth = [best_response(tree, tree.uniform(), 0)[0] for tree in (together, dealt)]
    assert worth[0] == pytest.approx(worth[1])


def test_a_sample_is_the_same_however_many_chairs_go_together(mine: Tree) -> None:
    few, many = chairs_of(mine, "random", 0, 40), chairs_of(mine, "random", 0, 80)
    taken = many.who < 40
    assert sorted(zip(few.who, few.slots, strict=True)) == sorted(zip(many.who[taken], many.slots[taken], strict=True))


class Careful(Player):
    """Counts what it is told, and plays by the count."""

    def __init__(self) -> None:
        self.told = 0

    def notice(self, event: Any) -> None:
        self.told += 1

    def choose(self, view: Any) -> int | str:
        assert self.told == view.turn
        actions = list(view.legal_actions)
        return str(actions[(self.told + int(self.random.integers(2))) % len(actions)])


class Cheat(Player):
    def choose(self, view: Any) -> int | str:
        return "discard:map"


def test_a_plain_player_with_a_memory_is_led_down_the_tree(mine: Tree) -> None:
    sample = sample_chairs(mine, GAME, PlayerAgent("careful", Careful), 1, 0, 6)
    assert len(np.unique(sample.who)) == 6
    assert judge(mine, sample).low <= judge(mine, sample).payoff <= judge(mine, sample).high


def test_an_action_that_is_not_legal_names_the_player(mine: Tree) -> None:
    with pytest.raises(AgentFailure, match="cheat chose an action that is not legal in saboteur/small"):
        sample_chairs(mine, GAME, PlayerAgent("cheat", Cheat), 0, 0, 4)


def test_too_few_chairs_or_too_many_seats_are_refused(mine: Tree) -> None:
    with pytest.raises(BadInput, match="at least 4 chairs, not 3"):
        chairs_of(mine, "random", 0, 3)
    three = make_game("saboteur", "small", 3)
    tree = grow(three, np.array([0, 1, 0], np.int8))
    with pytest.raises(BadInput, match="two seats"):
        judge(tree, sample_chairs(tree, three, Agents("saboteur").make("random"), 0, 0, 4))
