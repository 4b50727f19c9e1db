"""Best ways equal the slow search cell by cell: as things are, with a card more, and with a card less."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from agents.saboteur.kripke_beside import AGENTS, ONE, rules_of
from games.saboteur.playing import mover, seeds_of, seen_by, table, walk
from molehunt.core.streams import seat_streams
from molehunt.games.saboteur.cards import CARD_NAMES, FIRST_BREAK
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.maze import FIRST_PATH, lay, tile_at
from molehunt.games.saboteur.rules import fits_at
from molehunt.games.saboteur.ruleset import cell_number, cell_place
from molehunt.games.tunnels.cards import CARD_FORMS
from molehunt.reading.saboteur.ways import NO_WAY, WAYS, best_ways, expected, plan_ways, ways_after, ways_without
from reference import kripke_players as slow
from reference.saboteur import GOAL_EDGES, PATHS, ReferenceGame, Tile, path_tile
from reference.saboteur import lay as lay_slowly

RULESETS = ("krisnadi", "official:rounds=1", "veldhuis:rounds=1")
ODDS = ([1.0, 1.0, 1.0], [0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [0.2, 0.8, 0.0])


def mine_of(game: Saboteur, state: Any) -> ReferenceGame:
    """The slow game with the mine of a state, to be looked at only."""
    mine = ReferenceGame.__new__(ReferenceGame)
    mine.rules = rules_of(game)
    mine.board = {}
    for cell, (card, turned) in game.friendly_view(seen_by(game, np.atleast_1d(state), 0)).board.items():
        if card in PATHS:
            mine.board[cell] = path_tile(card, turned)
        elif card in GOAL_EDGES:
            mine.board[cell] = lay_slowly(card, GOAL_EDGES[card], turned)
        elif card == "start":
            mine.board[cell] = Tile(card, turned, frozenset("NESW"), True)
        else:
            crossing = mine.rules.goals_fit
            mine.board[cell] = Tile("goal", turned, frozenset("NESW" if crossing else ""), crossing)
    return mine


class Ways:
    """The compiled search in one mine, for some odds."""

    def __init__(self, game: Saboteur, maze: Any, odds: list[float]) -> None:
        self.game, self.maze, self.odds = game, maze, np.array(odds)
        self.scratch: Any = np.zeros(1, WAYS)[0]
        self.out = np.zeros(3)

    def now(self, maze: Any = None) -> list[float]:
        best_ways(self.maze if maze is None else maze, self.odds, self.scratch, self.game.params, self.out)
        return self.found()

    def plan(self) -> None:
        plan_ways(self.maze, self.odds, self.scratch, self.game.params)

    def after(self, card: int, form: int, end: int) -> list[float]:
        ways_after(self.maze, card, form, end, self.odds, self.scratch, self.game.params, self.out)
        return self.found()

    def laid(self, card: int, form: int, end: int) -> list[float]:
        copy = np.array([self.maze])[0]
        lay(copy, card, form, int(self.maze["ends"][end]), self.game.params)
        return self.now(copy)

    def without(self, tile: int) -> list[float]:
        ways_without(self.maze, tile, self.odds, self.scratch, self.game.params, self.out)
        return self.found()

    def found(self) -> list[float]:
        result: list[float] = self.out.tolist()
        self.out[:] = -1
        return result

    def goals(self) -> list[int]:
        return [goal for goal in range(3) if self.odds[goal] > 0]

    def placements(self) -> Iterator[tuple[int, int, int]]:
        """(card, form, open end) of every path card wherever it fits."""
        for card in range(FIRST_BREAK):
            for form in range(CARD_FORMS[card]):
                for end in range(int(self.maze["end_count"])):
                    if fits_at(self.maze, end, card, form):
                        yield card, form, end


def played(game: Saboteur, spec: str, number: int) -> Iterator[Any]:
    """The states of a game among players of one kind."""
    seeds = seeds_of(number, 1)
    states = game.new(seeds)
    agent = AGENTS.make(spec)
    streams = seat_streams(seeds, game.seats)
    memories = [agent.start(game, seen_by(game, states, seat), streams[:, seat]) for seat in range(game.seats)]
    yield states
    while mover(states) >= 0:
        seat = mover(states)
        events = game.apply(states, agent.act(seen_by(game, states, seat), memories[seat], ONE))
        for other, memory in enumerate(memories):
            agent.observe(events[:, other], memory, ONE)
        yield states


def mines(label: str, games: int, every: int) -> Iterator[tuple[Saboteur, Any]]:
    """Copies of mines along games of all kinds; the diggers' lead to goals and beyond."""
    game = table(label)
    aims = [*game.ruleset.goals, None]
    for number in range(games):
        kinds = (
            walk(game, number, 0.3),
            walk(game, number, 0.9, aims[number % 4]),
            played(game, "decision-2019", number),
            played(game, "kripke-2012", number),
        )
        for states in kinds:
            for turn, state in enumerate(states):
                if turn % every == number % every:
                    yield game, state[0].copy()


@pytest.mark.parametrize("label", RULESETS)
def test_best_ways_equal_the_slow_search(label: str) -> None:
    checked: Counter[str] = Counter()
    for game, state in mines(label, 4, 8):
        mine = mine_of(game, state)
        ways = dict(enumerate(slow.best_ways(mine)))
        for odds in ODDS:
            search = Ways(game, state["maze"], odds)
            found = search.now()
            assert found == [ways[goal] if odds[goal] else NO_WAY for goal in range(3)], (label, mine.board)
        for way in ways.values():
            checked["none" if way == NO_WAY else "there" if way == 0 else "one" if way == 1 else "further"] += 1
    assert checked["further"] > 60 and checked["one"] > 3 and checked["there"] > 3
    assert checked["none"] > 0 or label != "krisnadi"


@pytest.mark.parametrize("label", RULESETS)
def test_a_card_tried_is_a_card_laid(label: str) -> None:
    """For every card wherever it fits: what `ways_after` says is what a new search finds once the card lies."""
    checked: Counter[str] = Counter()
    for game, state in mines(label, 5, 7):
        search = Ways(game, state["maze"], ODDS[checked["mines"] % len(ODDS)])
        before = search.now()
        placements = list(search.placements())
        laid = [search.laid(*placement) for placement in placements]
        search.plan()
        for placement, wanted in zip(placements, laid, strict=True):
            card, form, end = placement
            where = cell_place(int(search.maze["ends"][end]))
            assert search.after(*placement) == wanted, (
                label,
                CARD_NAMES[card],
                form,
                where,
                mine_of(game, state).board,
            )
            checked["longer"] += any(a > b for a, b in zip(wanted, before, strict=True))
            checked["shorter"] += any(a < b for a, b in zip(wanted, before, strict=True))
            checked["cards"] += 1
        checked["mines"] += 1
    assert checked["cards"] > 3000 and checked["longer"] > 50 and checked["shorter"] > 50


@pytest.mark.parametrize("label", RULESETS)
def test_a_card_tried_equals_the_slow_search(label: str) -> None:
    luck, checked = random.Random(label), 0
    for game, state in mines(label, 3, 10):
        search = Ways(game, state["maze"], [1.0, 1.0, 1.0])
        mine = mine_of(game, state)
        placements = list(search.placements())
        search.plan()
        for card, form, end in luck.sample(placements, min(3, len(placements))):
            cell = cell_place(int(search.maze["ends"][end]))
            wanted = slow.best_ways(slow.laid(mine, CARD_NAMES[card], bool(form), cell))
            assert search.after(card, form, end) == wanted, (label, CARD_NAMES[card], form, cell, mine.board)
            checked += 1
    assert checked > 60


@pytest.mark.parametrize("label", RULESETS)
def test_a_card_taken_away_equals_the_slow_search(label: str) -> None:
    luck, changed, checked = random.Random(label), 0, 0
    for game, state in mines(label, 3, 9):
        search = Ways(game, state["maze"], [1.0, 1.0, 1.0])
        kept, before = state["maze"].tobytes(), search.now()
        mine = mine_of(game, state)
        tiles = range(FIRST_PATH, int(search.maze["tile_count"]))
        for tile in luck.sample(tiles, min(2, len(tiles))):
            cell = cell_place(int(search.maze["cells"][tile]))
            wanted = slow.best_ways(slow.taken_away(mine, cell))
            assert search.without(tile) == wanted, (label, cell, mine.board)
            changed += wanted != before
            checked += 1
        assert state["maze"].tobytes() == kept
    assert checked > 60 and changed > 6


# --- Worked by hand ---------------------------------------------------------------------------------------------------


def test_ways_of_an_empty_mine() -> None:
    """From the cell beside the start to the cell beside the middle goal it is seven cards; to the others two rows more."""
    for label in RULESETS:
        game = table(label)
        search = Ways(game, game.new(seeds_of(0, 1))[0]["maze"], [1.0, 1.0, 1.0])
        assert search.now() == [9.0, 7.0, 9.0]


def test_a_dead_end_shuts_the_way_and_a_tunnel_shortens_it() -> None:
    game = table("veldhuis:rounds=1")
    maze = game.new(seeds_of(0, 1))[0]["maze"]
    search = Ways(game, maze, [0.0, 1.0, 0.0])
    assert search.now() == [NO_WAY, 7.0, NO_WAY]
    search.plan()
    east = next(end for end in range(4) if cell_place(int(maze["ends"][end])) == (3, 6))
    cards = {name: number for number, name in enumerate(CARD_NAMES)}
    found = {
        (name, form): search.after(cards[name], form, east)[1]
        for name, form in (("P_EW", 0), ("P_NESW", 0), ("P_SW", 0), ("P_SE", 1), ("D_NESW", 0), ("D_EW", 0))
    }
    # Straight on: one card less. A bend to the south or north (P_SE turned): eight more, round the corner. A dead-end: the way
    # from another side of the start.
    assert found == {
        ("P_EW", 0): 6,
        ("P_NESW", 0): 6,
        ("P_SW", 0): 8,
        ("P_SE", 1): 8,
        ("D_NESW", 0): 9,
        ("D_EW", 0): 9,
    }
    # A rockfall on the only card of the way gives it back.
    lay(maze, cards["P_EW"], 0, cell_number(3, 6), game.params)
    assert search.now()[1] == 6
    assert search.without(tile_at(maze, cell_number(3, 6)))[1] == 7


def test_the_expected_way_leaves_out_what_cannot_be_gold() -> None:
    assert expected(np.array([4.0, 6.0, NO_WAY]), np.array([0.25, 0.75, 0.0])) == 5.5
    assert expected(np.array([4.0, NO_WAY, 2.0]), np.array([0.5, 0.5, 0.0])) == 17.0
