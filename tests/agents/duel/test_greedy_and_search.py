"""`greedy-2020` and `and-or-2020` against slow players: the choice, the search, the modelled opponent, the limits."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import numpy as np
import pytest

from agents.duel.beside import AGENTS, a_threat, by_action, choices, decide, decisions, mover_view, sit, smaller
from games.duel.playing import GAME, TUNNEL, action_of, give, mover, opening, seeds_of
from molehunt.agents.duel.and_or_2020 import AndOr2020Agent, shares_held
from molehunt.agents.duel.heuristic_2020 import INFERRED, LIKELY, SETTINGS
from molehunt.agents.duel.model import duel_model
from molehunt.agents.duel.opponent import MIND, MOST
from molehunt.agents.duel.positions import POSITION, THEIR_HAND
from molehunt.core.game import States, Views
from molehunt.core.match import play
from molehunt.games.duel.cards import BONUS, KINDS, MAP
from molehunt.search.expectimax import Found, Search
from reference.duel import ReferenceDuel
from reference.duel_players import WIN, SearchWeights, Weights, first_map, searched, values_at_once

SEARCH = Search(duel_model())


def and_or(spec: str) -> AndOr2020Agent:
    agent = AGENTS.make(f"and-or-2020:{spec}")
    assert isinstance(agent, AndOr2020Agent)
    return agent


def look(spec: str, view: Views) -> Found:
    """What the search of a player finds at a view."""
    return and_or(spec).search(SEARCH, view[0])


def best_of(values: dict[str, float]) -> set[int]:
    """The actions of the best moves."""
    most = max(values.values())
    return {action_of(move) for move, value in values.items() if value == pytest.approx(most, rel=1e-12)}


# --- One move deep ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["wins_first", "as_printed"])
def test_the_greedy_player_makes_one_of_the_best_moves_each_at_times(edition: str) -> None:
    agent, weights = AGENTS.make(f"greedy-2020:{edition}"), Weights(wins_first=edition == "wins_first")
    ties = 0
    for number, (states, slow) in enumerate(decisions(40, 13)):
        seat = mover(states)
        wanted = first_map(slow, seat)
        best = {action_of(wanted)} if wanted else best_of(values_at_once(slow, seat, weights))
        made = set(choices(agent, mover_view(states), 16 * len(best), number))
        assert made <= best
        if len(best) < 5:
            assert made == best
        ties += len(best) > 1
    assert ties > 5


def test_ties_are_broken_evenly() -> None:
    states = opening()
    give(states, "1", "3", "4", "11", "12", "13", "15")  # nothing but dead ends
    agent = AGENTS.make("greedy-2020:w1=0,opening_w2=0,opening_w3=0,w4=0")
    made = choices(agent, mover_view(states), 6000)
    assert set(made) == set(map(int, GAME.legal_actions(mover_view(states))))
    expected = 6000 / len(made)
    assert all(abs(count - expected) < 5 * expected**0.5 for count in made.values())


def test_without_map_first_a_map_is_a_move_like_others() -> None:
    agent, weights = AGENTS.make("greedy-2020:map_first=no"), Weights()
    for number, (states, slow) in enumerate(decisions(20, 5)):
        if first_map(slow, mover(states)) is None:
            continue
        best = best_of(values_at_once(slow, mover(states), weights))
        assert set(choices(agent, mover_view(states), 5, number)) <= best


def test_one_move_deep_the_search_finds_what_the_greedy_player_does() -> None:
    greedy, agent = AGENTS.make("greedy-2020"), AGENTS.make("and-or-2020:wins_first,depth=1")
    for number, (states, slow) in enumerate(decisions(20, 13)):
        seat, view = mover(states), mover_view(states)
        values = values_at_once(slow, seat, Weights())
        found = look("wins_first,depth=1", view)
        assert found.searched.all()
        assert dict(zip(found.moves.tolist(), found.values.tolist(), strict=True)) == pytest.approx(by_action(values))
        assert set(found.best.tolist()) == best_of(values)
        if len(found.best) < 5:
            assert set(choices(greedy, view, 80, number)) == set(choices(agent, view, 80, number))


# --- Two moves deep ---------------------------------------------------------------------------------------------------

HANDS: list[tuple[list[str], list[str], int]] = [
    (["malus", "4"], ["0", "0", "8", "map"], 2),
    (["6"], ["8", "malus", "malus", "destroy"], 4),
    (["bonus", "0"], ["10", "10", "1"], 1),
    (["destroy", "map"], ["7"], 1),
    (["9", "9", "bonus"], ["5"], 0),
    (["malus"], ["0"], 0),
    (["0", "malus", "map"], [], 0),
]
"""Small hands, the cards unseen, and how many are left in the deck."""


def slow_beside(states: States, slow: ReferenceDuel, number: int) -> tuple[Views, ReferenceDuel, Counter[str], int]:
    """A position with few cards: the view, the slow game, the cards unseen and how many may be drawn."""
    hand, unseen, deck_left = HANDS[number % len(HANDS)]
    view, small = smaller(states, slow, hand, unseen, unseen[deck_left:], deck_left)
    return view, small, Counter(unseen), deck_left


def assert_values(found: Found, slow: dict[str, float]) -> None:
    assert found.searched.all()
    values = dict(zip(found.moves.tolist(), found.values.tolist(), strict=True))
    assert values == pytest.approx(by_action(slow), rel=1e-9)


@pytest.mark.parametrize(
    ("spec", "weights"),
    [
        ("wins_first", Weights()),
        ("as_printed", Weights(wins_first=False)),
        ("as_printed,inner=largest", SearchWeights(wins_first=False, inner="largest")),
        ("wins_first,wins_at_root=yes", SearchWeights(wins_at_root=True)),
    ],
)
def test_two_moves_deep_every_move_is_worth_what_the_slow_search_finds(spec: str, weights: Weights) -> None:
    met = Counter[str]()
    for number, (states, slow) in enumerate(decisions(14, 29)):
        view, small, unseen, deck_left = slow_beside(states, slow, number)
        wanted = searched(small, mover(states), weights, 2, unseen, deck_left)
        assert_values(look(spec, view), wanted)
        met["positions"] += 1
        met["wins"] += max(wanted.values()) > WIN / 10
        met["malus"] += slow.malus[mover(states)] > 0
    assert met["positions"] > 12 and met["malus"]
    assert weights.wins_first or not met["wins"]
    assert met["wins"] or weights != Weights()


def test_three_moves_deep_with_hardly_any_cards() -> None:
    for number, (states, slow) in enumerate(decisions(4, 29)):
        if slow.malus[mover(states)]:
            continue
        view, small = smaller(states, slow, ["malus", "map"], ["map", "bonus", "malus"], ["map"], 2)
        wanted = searched(small, mover(states), Weights(), 3, Counter(["map", "bonus", "malus"]), 2)
        assert_values(look("wins_first,depth=3", view), wanted)
        assert number < 10


def test_the_choice_is_one_of_the_best_moves_of_the_search() -> None:
    agent = and_or("wins_first")
    for states, slow in decisions(8, 29):
        seat, view = mover(states), mover_view(states)
        wanted = first_map(slow, seat)
        best = {action_of(wanted)} if wanted else set(look("wins_first", view).best.tolist())
        assert decide(agent, view, sit(agent, states, seat)) in best


def test_a_limit_of_nodes_leaves_a_legal_move_and_few_nodes() -> None:
    for states, _ in decisions(6, 29):
        view = mover_view(states)
        free = look("wins_first", view)
        limit = len(free.moves) + 200
        found = look(f"nodes={limit}", view)
        assert found.nodes <= limit
        assert free.nodes <= limit or not found.searched.all()
        agent = and_or(f"nodes={limit}")
        chosen = decide(agent, view, sit(agent, states, mover(states)))
        assert chosen in GAME.legal_actions(view)


def test_what_looks_best_at_once_is_searched_first() -> None:
    """Where a limit leaves moves of the first level unsearched, none of them looked better than one that was searched."""
    cut = 0
    for states, _ in decisions(6, 29):
        view = mover_view(states)
        at_once = look("wins_first,depth=1", view)
        found = look(f"wins_first,nodes={len(at_once.moves) + 200}", view)
        if found.searched.any() and not found.searched.all():
            worth = dict(zip(at_once.moves.tolist(), at_once.values.tolist(), strict=True))
            searched = [worth[move] for move in found.moves[found.searched].tolist()]
            assert min(searched) >= max(worth[move] for move in found.moves[~found.searched].tolist())
            cut += 1
    assert cut > 0


def test_a_tiny_time_leaves_a_legal_move() -> None:
    agent = and_or("depth=8,seconds=0.000001")
    for states, _ in decisions(4, 29):
        view = mover_view(states)
        assert decide(agent, view, sit(agent, states, mover(states))) in GAME.legal_actions(view)


# --- The modelled opponent --------------------------------------------------------------------------------------------


def modelled(view: Views, depth: int, **options: Any) -> Found:
    return look(
        ",".join(
            [f"wins_first,opponent=modelled,depth={depth}", *(f"{key}={value}" for key, value in options.items())]
        ),
        view,
    )


@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize(
    ("hand", "kind", "size", "deck_left"),
    [
        (["malus", "4"], "0", 1, 0),
        (["destroy", "map"], "8", 2, 0),
        (["0"], "destroy", 2, 3),
        (["bonus", "10"], "malus", 1, 4),
    ],
)
def test_where_the_hand_of_the_other_is_certain_the_search_is_expectiminimax(
    depth: int, hand: list[str], kind: str, size: int, deck_left: int
) -> None:
    """All that is unseen is of one kind, so every sample is the same."""
    cheap = depth == 2 or kind in {"destroy", "malus"}
    for states, slow in decisions(4 if cheap else 1, 37, first=size):
        unseen = [kind] * (size + deck_left)
        view, small = smaller(states, slow, hand, unseen, [kind] * size, deck_left)
        seat = mover(states)
        wanted = searched(small, seat, Weights(), depth, Counter(unseen), deck_left, modelled=True)
        assert_values(modelled(view, depth, hands=3), wanted)


def test_what_the_other_would_have_played_they_hardly_hold() -> None:
    """Who has a malus and does not play a bonus has drawn one since, or plays without a plan."""
    mind = np.zeros(1, MIND)
    for sure, share in ((MOST, 1 / 5), (0.0, 0.6), (-MOST, 1.0)):
        mind["log_odds"], mind["no_bonus"] = sure, True
        shares = shares_held(mind, 1, 5)
        assert shares[BONUS] == pytest.approx(share, abs=1e-4)
        assert (np.delete(shares, BONUS) == 1).all()
    mind["no_bonus"] = False
    assert (shares_held(mind, 1, 5) == 1).all()


def test_an_inferred_hand_has_what_may_be_held_and_no_more_than_is_unseen() -> None:
    settings = np.zeros(SETTINGS)
    settings[LIKELY:] = 1.0
    settings[LIKELY + BONUS] = 0.0
    held = np.zeros(KINDS)
    for sample in range(200):
        positions = np.zeros(1, POSITION)
        positions["unseen"][0, [MAP, BONUS, 0]] = 3, 4, 1
        positions["their_size"], positions["next"] = 3, THEIR_HAND
        settings[INFERRED] = 1
        duel_model().play(positions.view(np.recarray), settings, sample)
        theirs, unseen = positions["theirs"][0], positions["unseen"][0]
        assert theirs.sum() == 3 and (theirs + unseen)[MAP] == 3
        held += theirs
    assert held[BONUS] == 0 and held[0] / 200 == pytest.approx(3 / 4, abs=0.1)


def test_who_infers_hands_remembers_what_was_played_and_plays_legal_moves() -> None:
    agents = [and_or("wins_first,opponent=modelled,inferred=yes"), AGENTS.make("random-listed")]
    played = play(GAME, agents, seeds_of(3, 2))
    assert (GAME.to_move(played.states) < 0).all()


def test_the_last_card_of_the_deck_is_the_movers() -> None:
    """The mover draws one more card whether one or two are left, and has one more move."""
    states, slow = next(decisions(1, 37))
    values = [
        modelled(smaller(states, slow, ["map"], ["0"] * (1 + left), ["0"], left)[0], 3).values.tolist()
        for left in (2, 1)
    ]
    assert values[0] == values[1]


def a_win_in_one() -> Views:
    """The mover holds a tile that wins, and a malus; it knows where the nugget is."""
    states, slow = a_threat()
    view, _ = smaller(states, slow, ["malus", "8"], ["0"] * 9, ["0"] * 7, 2)
    view["goals"][0] = 1, 2, 1
    return view


def test_a_loss_in_one_is_seen_where_the_opponent_is_modelled() -> None:
    states, slow = a_threat()
    view, _ = smaller(states, slow, ["malus", "map", "15"], ["0"] * 9, ["0"] * 7, 2)
    found = modelled(view, 2)
    values = {GAME.format_action(move): value for move, value in zip(found.moves.tolist(), found.values, strict=True)}
    # Only a malus hinders the other, and a wall in the way.
    safe = {move for move, value in values.items() if value > -WIN}
    assert "malus" in safe
    assert {"map:left", "drop:map", "drop:malus", "drop:15"} & safe == set()
    assert set(found.best.tolist()) <= {int(GAME.parse_action(move)) for move in safe}
    # Left out, the other does nothing: no move loses.
    assert look("depth=2", view).values.min() > -WIN


def test_the_modelled_opponent_is_sampled_the_same_way_for_the_same_seed() -> None:
    agents = [AGENTS.make("and-or-2020:opponent=modelled,hands=2,nodes=3000"), AGENTS.make("random")]
    first, second = (play(GAME, agents, seeds_of(5, 1), keep_actions=True).actions for _ in range(2))
    assert first == second and first


def test_more_hands_are_more_samples() -> None:
    states = opening(*TUNNEL[:2])
    view = mover_view(states)
    assert modelled(view, 1, hands=1).nodes == look("wins_first,depth=1", view).nodes
    some = [modelled(view, 2, hands=hands) for hands in (1, 2, 8)]
    assert some[0].nodes < some[1].nodes < some[2].nodes
    assert (some[0].values != some[2].values).any()


# --- Winning now ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("greedy-2020", ""),
        ("and-or-2020", ",depth=1"),
        ("and-or-2020", ""),
    ],
)
def test_a_win_comes_first_where_it_is_worth_more_than_any_h(name: str, depth: str) -> None:
    view = a_win_in_one()
    assert set(choices(AGENTS.make(f"{name}:wins_first{depth}"), view, 20)) == {action_of("8@11,5")}
    assert action_of("8@11,5") in GAME.legal_actions(view)


@pytest.mark.parametrize("spec", ["greedy-2020:as_printed", "and-or-2020:as_printed,depth=1", "and-or-2020:as_printed"])
def test_as_printed_a_malus_may_look_better_than_a_win(spec: str) -> None:
    """In the end game a malus on the other is worth 50,000, and the tile that wins only some rows."""
    view = a_win_in_one()
    assert set(choices(AGENTS.make(spec), view, 20)) == {action_of("malus")}


def test_every_option_of_the_search_is_a_player() -> None:
    for items in (
        "depth=1",
        "opponent=modelled,depth=1,hands=1",
        "nodes=500",
        "open_ends=all,end_row=8",
        "map_first=no",
    ):
        agents = [AGENTS.make(f"and-or-2020:{items}"), AGENTS.make("random")]
        played = play(GAME, agents, seeds_of(7, 1))
        assert played.states["outcome"][0] > 0


def test_weights_of_the_players_are_those_of_the_formula() -> None:
    for name in ("greedy-2020", "and-or-2020"):
        for edition, parameters in AGENTS.entry(name).editions().items():
            for field in dataclasses.fields(Weights):
                wanted = getattr(Weights(wins_first=edition == "wins_first"), field.name)
                assert getattr(parameters, field.name) == wanted


def test_two_players_in_one_batch_do_not_disturb_each_other() -> None:
    agent = AGENTS.make("and-or-2020:nodes=400")
    together = play(GAME, [agent, agent], seeds_of(3, 3), keep_actions=True).actions
    alone = [(play(GAME, [agent, agent], seeds_of(3 + i, 1), keep_actions=True).actions or [[]])[0] for i in range(3)]
    assert together == alone
    assert len({tuple(moves) for moves in alone}) == 3
    assert np.all([len(moves) > 5 for moves in alone])
