"""Bounds of what a position of the duel can become, and the pruned search of `and-or-2020` that rests on them."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from agents.duel.beside import AGENTS, decide, decisions, mover_view, sit
from games.duel.playing import GAME, mover, seeds_of
from molehunt.agents.duel.and_or_2020 import EDITIONS, LARGEST, MODELLED, AndOr2020Agent, Parameters
from molehunt.agents.duel.heuristic_2020 import GUESS, WIN, Weights, guess_goal
from molehunt.agents.duel.model import duel_model
from molehunt.agents.duel.positions import MOST_MOVES, POSITION, position_of_view
from molehunt.core.game import Views
from molehunt.core.interpreting import interpreting
from molehunt.core.match import play
from molehunt.core.streams import seat_streams
from molehunt.games.duel.cards import KINDS
from molehunt.search.expectimax import CHANCE, OTHER, OVER, Search

MODEL = duel_model()
SEARCH = Search(MODEL)
SPECS = ("as_printed", "wins_first", "inner=largest", "wins_first,opponent=modelled", "opponent=modelled,hands=1")


def drawn_parameters(rng: np.random.Generator) -> Parameters:
    """Any reading, with weights of either sign."""
    weights = {
        field.name: float(rng.normal() * 10 ** rng.uniform(1, 5))
        for field in fields(Weights)
        if field.name.startswith(("w", "opening", "end_w")) and isinstance(field.default, float)
    }
    return replace(
        EDITIONS["wins_first" if rng.integers(2) else "as_printed"],
        **(weights if rng.integers(2) else {}),  # type: ignore[arg-type] # they are all reals
        end_row=int(rng.integers(5, 13)),
        good_row=int(rng.integers(3, 9)),
        open_ends=rng.choice(["joined", "all"]),
        opponent=MODELLED if rng.integers(2) else "ignored",
        inner=LARGEST if not rng.integers(4) else "smallest",
        wins_at_root=bool(rng.integers(2)),
        hands=2,
    )


def with_few_cards(view: Views, rng: np.random.Generator, cards: int) -> Views:
    """The same board, a hand of so many cards, and a few unseen ones."""
    result = view.copy()
    result["hand"][0] = -1
    result["hand"][0, :cards] = rng.integers(0, KINDS, cards)
    result["unseen"][0] = 0
    for kind in rng.integers(0, KINDS, 4):
        result["unseen"][0, kind] += 1
    result["hand_sizes"][0] = 2
    result["drawn"][0] = 55 - 2  # two are left in the deck
    return result


def after_chance(position: Any, settings: Any, depth: int) -> float:
    """What a position is worth, by a search of all its moves."""
    whose = MODEL.turn(position, settings)
    if whose == OVER:
        return float(MODEL.value(position, settings))
    values = SEARCH.run(position, settings, depth).values
    return float(values.min() if whose == OTHER else values.max())


@np.errstate(over="ignore")  # words that wrap around, here in Python
def test_values_lie_within_their_bounds() -> None:
    """After a move of one's own, and, where the other is modelled, one of theirs: for some cards and hands that come."""
    met = Counter[str]()
    replies, chances = np.empty(MOST_MOVES, np.int32), np.empty(MOST_MOVES)
    for number, (states, _) in enumerate(decisions(30, 3)):
        rng = np.random.default_rng(number)
        parameters = drawn_parameters(rng)
        depth = int(rng.integers(1, 4))
        view = with_few_cards(mover_view(states), rng, (7, 3, 2)[depth - 1])
        settings = parameters.settings()
        settings[GUESS] = guess_goal(view["goals"][0])
        position = np.zeros(1, POSITION).view(np.recarray)
        position_of_view(view[0], position[0])
        if not MODEL.moves(position, settings, replies, chances):
            continue
        MODEL.play(position, settings, int(rng.choice(replies[: MODEL.moves(position, settings, replies, chances)])))
        for _ in range(2):
            if MODEL.turn(position, settings) != CHANCE:
                break
            count = MODEL.moves(position, settings, replies, chances)
            after = position.copy()
            for reply in rng.choice(replies[:count], min(2, count), replace=False).tolist():
                bounds, after = np.empty(2), position.copy()
                MODEL.bounds(position, settings, reply, depth, bounds)
                MODEL.play(after, settings, reply)
                value = after_chance(after, settings, depth)
                assert bounds[0] <= value <= bounds[1], (number, parameters, depth)
                met["values"] += 1
                met["wins"] += value > WIN / 2
                met["losses"] += value == -WIN
                met["near the greatest"] += value > bounds[1] - 0.05 * (bounds[1] - bounds[0])
                met["near the least"] += value < bounds[0] + 0.05 * (bounds[1] - bounds[0])
            if MODEL.turn(after, settings) != OTHER:
                break
            position = after
            MODEL.play(
                position, settings, int(rng.choice(replies[: MODEL.moves(position, settings, replies, chances)]))
            )
    assert met["values"] > 300
    assert min(met[what] for what in ("wins", "losses", "near the greatest", "near the least")) > 0, met


@np.errstate(over="ignore")
def test_a_goal_out_of_reach_is_in_no_bound() -> None:
    settings = EDITIONS["wins_first"].settings()
    positions = np.zeros(1, POSITION).view(np.recarray)
    position_of_view(GAME.views(GAME.new(seeds_of(1, 1)), np.zeros(1, np.int8), np.zeros(1, np.int64))[0], positions[0])
    settings[GUESS] = 1
    MODEL.play(positions, settings, int(GAME.parse_action("drop:0")))
    bounds = np.empty(2)
    for depth in range(1, 8):
        MODEL.bounds(positions, settings, 0, depth, bounds)
        # From row 5 it is six tiles to row 11, beside the goal.
        assert (bounds[1] > WIN / 2) == (depth >= 6)


def assert_same_best_moves(specs: tuple[str, ...], games: int, every: int) -> None:
    """`prune` changes none of the best moves and not what they are worth, and it saves moves."""
    agents = [AGENTS.make(f"and-or-2020:{spec}") for spec in specs]
    nodes, positions = np.zeros((len(specs), 2), np.int64), 0
    for states, _ in decisions(games, every):
        view = mover_view(states)
        for number, agent in enumerate(agents):
            assert isinstance(agent, AndOr2020Agent)
            whole, pruned = (agent.search(SEARCH, view[0], pruned=prune) for prune in (False, True))
            assert pruned.best.tolist() == whole.best.tolist()
            assert pruned.values[pruned.searched].max() == whole.values.max()
            nodes[number] += whole.nodes, pruned.nodes
        positions += 1
    assert positions > 2 * games
    assert (nodes[:, 1] < 0.9 * nodes[:, 0]).all(), nodes


def test_pruned_the_best_moves_of_the_duel_are_the_same() -> None:
    assert_same_best_moves(SPECS, 10, 9)


@pytest.mark.thorough
def test_pruned_the_best_moves_of_the_duel_are_the_same_in_thousands_of_positions() -> None:
    assert_same_best_moves(SPECS, 40, 2)


def test_with_prune_the_same_games_are_played() -> None:
    played = []
    for prune in ("no", "yes"):
        agents = [AGENTS.make(f"and-or-2020:wins_first,prune={prune}"), AGENTS.make("random-listed")]
        played.append(play(GAME, agents, seeds_of(3, 3), keep_actions=True).actions)
    assert played[0] == played[1]


def test_why_searches_all_moves_although_the_player_prunes() -> None:
    plain, agent = AGENTS.make("and-or-2020:wins_first"), AGENTS.make("and-or-2020:wins_first,prune=yes")
    for states, _ in decisions(2, 29):
        seat, view = mover(states), mover_view(states)
        memory = sit(agent, states, seat)
        decide(agent, view, memory)
        said = agent.why(GAME, view, memory, 0)
        assert said == plain.why(GAME, view, sit(plain, states, seat), 0)


def test_a_search_without_a_limit_may_be_pruned_as_long_as_it_is_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """It finds the same move with a part of the positions; one with a limit looks at the same ones as it does compiled."""
    pruned: list[bool] = []
    run = Search.run

    def watched(self: Search, *args: Any, **options: Any) -> Any:
        pruned.append(options["only_best"])
        return run(self, *args, **options)

    monkeypatch.setattr(Search, "run", watched)
    states, _ = next(decisions(1, 1))
    view = mover_view(states)
    for spec, expected in (
        ("and-or-2020:map_first=no", True),
        ("and-or-2020:wins_first,map_first=no,opponent=modelled,hands=1", True),
        ("and-or-2020:map_first=no,nodes=300", False),
    ):
        agent = AGENTS.make(spec)
        pruned.clear()
        chosen = []
        for interpreted in (False, True):
            with interpreting(wanted=interpreted):
                chosen.append(decide(agent, view, agent.start(GAME, view, seat_streams(seeds_of(0, 1), 2)[:, 0])))
        assert pruned == [expected] * 2 and chosen[0] == chosen[1]
