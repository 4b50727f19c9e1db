"""The random players: `random` chooses uniformly among the legal moves, `random-listed` among the entries of the course's list."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from agents.duel.beside import AGENTS, a_threat, choices, decisions, mover_view
from core.chance import assert_distributed, assert_uniform, chi_square, limit
from games.duel.playing import CARDS, GAME, action_of, give
from reference.duel import TILES, card_of

DRAWS = 20_000


def test_random_listed_draws_from_the_list_of_the_course_with_all_its_duplicates() -> None:
    agent, met = AGENTS.make("random-listed"), Counter[str]()
    for number, (states, slow) in enumerate(decisions(9, 23)):
        listed = Counter(action_of(move) for move in slow.listed_moves())
        share = {move: count / listed.total() for move, count in listed.items()}
        made = choices(agent, mover_view(states), DRAWS, number)
        if len(share) == 1:
            assert set(made) == set(share)
            continue
        assert_distributed(made, share)
        met["positions"] += 1
        met["duplicates"] += max(listed.values()) > 1
        met["malus"] += any(slow.malus)
        met["without a tile"] += not any(card_of(move) in TILES for move in slow.legal_moves())
    assert met["positions"] > 15 and met["duplicates"] > 10 and met["malus"], met


def test_a_goal_that_is_not_revealed_is_a_neighbour_in_the_list() -> None:
    """The cell between the tunnel and the goal comes twice, and the cross fits there."""
    states, slow = a_threat()
    give(states, "8", "8", "1")
    assert slow.to_move is not None
    slow.hands[slow.to_move] = [CARDS[card] for card in states["hands"][0, slow.to_move]]
    listed = Counter(action_of(move) for move in slow.listed_moves())
    assert listed[action_of("8@11,5")] == 4 and listed[action_of("1@11,5")] == 2
    made = choices(AGENTS.make("random-listed"), mover_view(states), 2 * DRAWS)
    assert_distributed(made, {move: count / listed.total() for move, count in listed.items()})


@pytest.mark.parametrize("name", ["random-listed", "random"])
def test_the_few_moves_of_the_end_are_drawn_too(name: str) -> None:
    """One or two cards are left in the hand; maluses lie about."""
    agent = AGENTS.make(name)
    small = 0
    for states, slow in decisions(30, 1):
        moves = slow.listed_moves() if name == "random-listed" else slow.legal_moves()
        assert slow.to_move is not None
        if len(slow.hands[slow.to_move]) > 2 or len(moves) > 40 or small >= 12:
            continue
        listed = Counter(action_of(move) for move in moves)
        share = {move: count / listed.total() for move, count in listed.items()}
        made = choices(agent, mover_view(states), 4000, small)
        assert set(made) <= set(share)
        if len(share) > 1:
            assert_distributed(made, share)
        small += 1
    assert small == 12


def test_random_is_uniform_over_the_legal_moves() -> None:
    agent = AGENTS.make("random")
    for number, (states, slow) in enumerate(decisions(6, 23)):
        made = choices(agent, mover_view(states), DRAWS, number)
        assert set(made) == {action_of(move) for move in slow.legal_moves()}
        if len(made) > 1:
            assert_uniform(made, len(slow.legal_moves()))


def test_the_two_differ() -> None:
    """The test above would notice if one played as the other."""
    states, slow = next(decisions(1, 23))
    listed = Counter(action_of(move) for move in slow.listed_moves())
    share = {move: count / listed.total() for move, count in listed.items()}
    made = choices(AGENTS.make("random"), mover_view(states), DRAWS)
    assert chi_square(made, share) > 2 * limit(len(share) - 1)


def test_the_random_players_say_how_they_choose() -> None:
    states, slow = next(decisions(1, 23))
    view = mover_view(states)
    for name, words in [("random", "equally likely"), ("random-listed", "copy of a card")]:
        agent = AGENTS.make(name)
        memory = agent.start(GAME, view, np.ones(1, np.uint64))
        told = agent.why(GAME, view[0], memory, 0)
        assert words in told and str(len(slow.legal_moves())) in told
