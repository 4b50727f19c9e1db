"""What ways to a goal cost, against Dijkstra in plain Python; what reaches a goal at once, against laying every tile everywhere."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents.duel.beside import decisions
from games.duel.playing import CARDS, TUNNEL, cell_number, counts_of, opening, reference_of, seeds_of
from molehunt.agents.duel.digger import chance_to_hold, finishing_sets_of
from molehunt.core.game import States
from molehunt.core.kernels import kernel
from molehunt.games.duel.game import Duel
from molehunt.games.duel.state import CELLS, SIZE
from molehunt.reading.duel.digging import (
    FIRST_ROW,
    NO_WAY,
    SUPPLY,
    cost_from_tunnel,
    fill_supply,
    find_costs_near,
    find_costs_to_tunnel,
    spread_costs,
)
from reference import duel_players
from reference.duel import GOAL_CELLS, TILES, ReferenceDuel, ways
from reference.duel_players import Supply, costs_to, finishing_sets, tunnels_of

SIDES = "NESW"


@kernel
def ways_of(
    states: Any, goal: int, hand: Any, unseen: Any, destroys: int, patience: float, supply: Any, costs: Any
) -> Any:
    """Fill in the costs of all ways to a goal on the whole board; returns that of the tunnel, and what would reach the goal."""
    fill_supply(hand, unseen, destroys, patience, supply[0])
    spread_costs(states[0].maze, goal, supply[0], costs, FIRST_ROW, 1, SIZE, False)
    return cost_from_tunnel(states[0].maze, goal, costs), finishing_sets_of(states[0].maze, costs)


def counted(supply: Supply) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """How many cards of each kind somebody holds and has not seen."""
    return np.array(counts_of(supply.hand.elements())), np.array(counts_of(supply.unseen.elements()))


class Ways:
    """The ways to one goal, of somebody with these cards."""

    def __init__(self, states: States, goal: int, supply: Supply) -> None:
        self.costs = np.empty((CELLS, 4))
        self.tunnel, self.finishing = ways_of(
            states, goal, *counted(supply), supply.destroys, supply.patience, np.zeros(1, SUPPLY), self.costs
        )

    def differences(self, slow: dict[duel_players.End, float]) -> list[tuple[duel_players.End, float, float]]:
        """The sides of cells whose cost is not that of the slow search."""
        rows = range(duel_players.FIRST_ROW, 14)
        ends = [((row, column), side) for row in rows for column in range(14) for side in SIDES]
        pairs = [
            (end, float(self.costs[cell_number(end[0]), SIDES.index(end[1])]), slow.get(end, NO_WAY)) for end in ends
        ]
        return [pair for pair in pairs if not math.isclose(pair[1], pair[2], rel_tol=1e-7)]


def sets_of(mask: int) -> set[frozenset[str]]:
    """Edge sets, set e at bit e, as letters."""
    return {
        frozenset(SIDES[side] for side in range(4) if edges >> side & 1) for edges in range(16) if mask >> edges & 1
    }


def random_supply(luck: random.Random, slow: ReferenceDuel) -> Supply:
    """What somebody holds and has not seen."""
    seat = luck.randrange(2)
    view = slow.view(seat)
    hand = Counter(luck.sample(view["hand"], luck.randint(0, len(view["hand"]))))
    unseen = view["unseen"] if luck.random() < 0.7 else Counter(luck.sample(CARDS, 4))
    return Supply(hand, unseen, luck.randint(0, 1), luck.choice([0.0, 0.1, 0.3, 2.0]))


def boards(games: int, every: int, first: int = 0) -> Iterator[tuple[States, ReferenceDuel, int, Supply]]:
    """Boards, goals and purses."""
    luck = random.Random(first)
    for states, slow in decisions(games, every, first):
        yield states, slow, luck.randrange(3), random_supply(luck, slow)


def test_costs_are_those_of_the_shortest_ways() -> None:
    met = Counter[str]()
    for states, slow, goal, supply in boards(14, 19):
        found, wanted = Ways(states, goal, supply), costs_to(slow, goal, supply)
        differences = found.differences(wanted)
        assert all(fast > least for _, fast, least in differences)
        met["boards"] += 1
        met["all right"] += not differences
        met["a long way"] += any(4 < cost < NO_WAY for cost in wanted.values())
        met["over a tile"] += supply.destroys > 0 and len(slow.board) > 12
        if GOAL_CELLS[goal] not in slow.joined():
            from_tunnel = duel_players.cost_from_tunnel(slow, wanted, goal)
            assert found.tunnel == pytest.approx(from_tunnel, rel=1e-7)
            met["tunnels"] += 0 < from_tunnel < NO_WAY
    assert met["all right"] > 0.75 * met["boards"]
    assert min(met[name] for name in ("a long way", "over a tile", "tunnels")) > 4, met


@kernel
def costs_to_tunnel(states: Any, goal: int, supply: Any, near: Any, to_tunnel: Any) -> Any:
    """Fill in the costs where the game is, all of them and those up to the tunnel; returns the way from the tunnel by both."""
    find_costs_near(states[0].maze, goal, supply[0], near)
    find_costs_to_tunnel(states[0].maze, goal, supply[0], to_tunnel)
    return cost_from_tunnel(states[0].maze, goal, near), cost_from_tunnel(states[0].maze, goal, to_tunnel)


def test_costs_up_to_the_tunnel_are_right_as_far_as_the_tunnel_is() -> None:
    near, short, supply = np.empty((CELLS, 4)), np.empty((CELLS, 4)), np.zeros(1, SUPPLY)
    shorter = 0
    for states, _, goal, cards in boards(8, 11, first=2):
        ways_of(states, goal, *counted(cards), cards.destroys, cards.patience, supply, near)
        whole, found = costs_to_tunnel(states, goal, supply, near, short)
        assert found == pytest.approx(whole)
        within = near <= whole
        assert short[within] == pytest.approx(near[within]) and (short[~within] > whole).all()
        shorter += int((short == NO_WAY).sum() > (near == NO_WAY).sum())
    assert shorter > 10


def test_a_goal_that_is_reached_costs_nothing() -> None:
    states = opening(*TUNNEL, "0@11,5")
    everything = Supply(Counter(), Counter(dict.fromkeys(TILES, 1)), 0, 0.1)
    assert Ways(states, 1, everything).tunnel == 0


def test_a_way_that_was_worked_out_by_hand() -> None:
    """One tile is missing above the middle goal: with a straight one in hand it costs a turn, else a turn and the waiting."""
    states = opening(*TUNNEL)
    tunnel, unseen = Counter({"0": 1}), Counter({"0": 1, "malus": 3})
    assert Ways(states, 1, Supply(tunnel, unseen, 0, 0.3)).tunnel == 1
    # One in four unseen cards is one that goes from north to south.
    assert Ways(states, 1, Supply(Counter(), unseen, 0, 0.3)).tunnel == pytest.approx(1 + 0.3 * 4)
    assert Ways(states, 1, Supply(Counter(), Counter({"malus": 3}), 0, 0.3)).tunnel == NO_WAY
    # Dead ends are no way on.
    assert Ways(states, 1, Supply(Counter({"1": 1, "13": 1}), Counter({"12": 1}), 0, 0.3)).tunnel == NO_WAY


def test_a_tile_in_the_way_costs_a_destroy_card_and_another_tile() -> None:
    states = opening(*TUNNEL, "1@11,5")
    straight, unseen = Counter({"0": 1}), Counter({"malus": 1})
    assert Ways(states, 1, Supply(straight, unseen, 0, 0.3)).tunnel == NO_WAY
    assert Ways(states, 1, Supply(straight, unseen, 1, 0.3)).tunnel == 2


# --- Reaching the goal at once ----------------------------------------------------------------------------------------


def test_sets_that_finish_are_those_whose_tiles_reveal_the_goal() -> None:
    """The slow engine lays every tile on every cell."""
    met = Counter[str]()
    for states, slow, goal, supply in boards(40, 5, first=1):
        near = any(row >= 10 for row, _ in slow.joined())
        if GOAL_CELLS[goal] in slow.joined() or not near:
            continue
        wanted = finishing_sets(slow, goal)
        assert sets_of(Ways(states, goal, supply).finishing) == wanted
        met["boards"] += 1
        met["finishing"] += len(wanted) > 0
    assert met["finishing"] > 10 and met["boards"] > met["finishing"], met


def test_above_the_goal_every_tunnel_from_north_to_south_finishes() -> None:
    states = opening(*TUNNEL)
    slow = reference_of(Duel().new(seeds_of(0, 1))[0])
    slow.board |= {(6, 5): "0", (7, 5): "8", (8, 5): "0", (9, 5): "8", (10, 5): "0"}
    found = sets_of(Ways(states, 1, Supply(Counter(), Counter({"0": 1}), 0, 0.3)).finishing)
    assert found == finishing_sets(slow, 1) == {frozenset("NS"), frozenset("NES"), frozenset("NSW"), frozenset("NESW")}


def test_far_from_the_goal_nothing_finishes() -> None:
    states = opening(*TUNNEL[:3])
    for goal in range(3):
        assert Ways(states, goal, Supply(Counter({"8": 1}), Counter({"8": 4}), 1, 0.3)).finishing == 0


# --- What the other may hold ------------------------------------------------------------------------------------------


def test_the_chance_that_a_hand_holds_one_of_some_tiles_is_that_of_all_hands() -> None:
    luck = random.Random(3)
    for _ in range(200):
        unseen = luck.sample(CARDS * 2, luck.randint(0, 9))
        size = luck.randint(0, min(5, len(unseen) + 1))
        sets = sum(1 << edges for edges in luck.sample(range(16), luck.randint(0, 5)))
        hands = list(itertools.combinations(unseen, min(size, len(unseen))))
        good = sum(any(card in TILES and tunnels_of(card) & sets_of(sets) for card in hand) for hand in hands)
        chance = chance_to_hold(sets, np.array(counts_of(unseen), np.int16), size)
        assert chance == pytest.approx(good / len(hands))


def test_dead_ends_finish_nothing() -> None:
    assert chance_to_hold(0xFFFF, np.array(counts_of(["1", "13", "4", "malus"]), np.int16), 4) == 0
    assert chance_to_hold(0xFFFF, np.array(counts_of(["10"]), np.int16), 1) == 1
    assert {name for name in TILES if tunnels_of(name)} == {"0", "5", "6", "7", "8", "9", "10"}
    assert all(len(ways(name)) == len(tunnels_of(name)) for name in ("0", "5", "8"))
