"""The listed deals of a small game are what is dealt from seeds, as often as it is dealt."""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import Any

import numpy as np
import pytest

from molehunt.core.errors import BadInput
from molehunt.core.game import Game, States
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.registry import make_game

DEALT = 30_000
SMALL = {
    "saboteur/small/2": (("saboteur", "small", 2), 2 * 6 * 14),
    "saboteur/small/3": (("saboteur", "small", 3), 3 * 6 * 9),
    "saboteur/small:first_seat=-1/2": (("saboteur", "small:first_seat=-1", 2), 2 * 2 * 6 * 14),
    "saboteur/small:hidden_role=yes/3": (("saboteur", "small:hidden_role=yes", 3), 4 * 6 * 9),
    "speed_clue/small/2": (("speed_clue", "small", 2), 12 * 6),
    "speed_clue/small/3": (("speed_clue", "small", 3), 12 * 12),
    "speed_clue/small:first_seat=-1/2": (("speed_clue", "small:first_seat=-1", 2), 2 * 12 * 6),
}
"""Games with the number of their deals, counted by hand.

Six cards, four of them alike and two single ones, in two hands of two and a deck of two in order: of the 30 places of the
single cards, 14 differ as hands: both in the deck in 2 ways, one of them in 2 x 2 x 2, none in 4. In three hands of two: both
in one hand in 3 ways, in two hands in 6.
"""


@pytest.fixture(params=SMALL.values(), ids=list(SMALL))
def counted(request: pytest.FixtureRequest) -> tuple[Game, int]:
    (name, ruleset, seats), count = request.param
    return make_game(name, ruleset, seats), count


def told_apart(game: Game, states: States) -> list[bytes]:
    """States without their random streams, hands in the order of the cards."""
    states = states.copy()
    states["stream"] = 0
    if game.name == "saboteur":
        held = int(states["hand_sizes"][0, 0])
        hands = np.sort(states["hands"][:, : game.seats, :held], axis=2)
        states["hands"][:, : game.seats, :held] = hands
        states["deck"][:, : game.seats * held] = hands.reshape(len(states), -1)
    return [state.tobytes() for state in states]


def test_deals_are_those_that_seeds_give_and_as_likely(counted: tuple[Game, int]) -> None:
    game, count = counted
    states, chances = game.deals()
    listed = told_apart(game, states)
    assert listed == [state.tobytes() for state in states]
    assert len(set(listed)) == len(listed) == count
    assert chances.sum() == pytest.approx(1)
    dealt = Counter(told_apart(game, game.new(game_seeds(4, 0, DEALT))))
    assert set(dealt) == set(listed)
    found = np.array([dealt[deal] for deal in listed])
    # Pearson's statistic has mean count - 1 and variance 2 (count - 1).
    statistic = float(((found - DEALT * chances) ** 2 / (DEALT * chances)).sum())
    assert abs(statistic - (count - 1)) < 5 * np.sqrt(2 * (count - 1))


def test_deals_with_seated_roles_are_those_with_these_roles() -> None:
    game = make_game("saboteur", "small", 3)
    states, chances = game.deals()
    roles = np.array([0, 1, 0], np.int8)
    seated, seated_chances = game.deals(roles)
    kept = (game.roles_of(states) == roles).all(axis=1)
    assert [state.tobytes() for state in states[kept]] == [state.tobytes() for state in seated]
    assert seated_chances == pytest.approx(chances[kept] / chances[kept].sum())


def test_every_listed_deal_can_be_played_to_its_end(counted: tuple[Game, int]) -> None:
    game, _ = counted
    states, _ = game.deals()
    game.play_randomly(states, seat_streams(game_seeds(1, 0, len(states)), 1)[:, 0])
    assert (game.to_move(states) == -1).all()


def test_margins_of_a_game_sum_to_nothing_and_say_who_won(counted: tuple[Game, int]) -> None:
    game, _ = counted
    states, _ = game.deals()
    assert not game.margins(states).any()
    game.play_randomly(states, seat_streams(game_seeds(2, 0, len(states)), 1)[:, 0])
    margins, wins = game.margins(states), game.wins(states)
    assert margins.sum(axis=1) == pytest.approx(0)
    assert ((margins > 0) == wins)[wins.any(axis=1) & ~wins.all(axis=1)].all()
    if game.seats == 2:
        assert set(np.unique(margins)) <= {-1.0, 0.0, 1.0}


def test_a_listed_deal_of_the_report_is_one_deal() -> None:
    states, chances = make_game("speed_clue", "mitchell:deal=7", 3).deals()
    assert len(states) == 1 and chances.tolist() == [1.0]


def test_deals_of_large_games_are_refused_with_the_reason() -> None:
    hands = 6 * 6 * 9 * comb(18, 6) * comb(12, 6)
    with pytest.raises(BadInput, match=f"{hands:,}"):
        make_game("speed_clue", "mitchell", 3).deals()
    with pytest.raises(
        BadInput, match=r"cannot be listed: there are (about \d\.\d x 10\^\d+|[\d,]{1,19}), and at most 100,000 can be$"
    ):
        make_game("saboteur", "krisnadi", 5).deals()
    with pytest.raises(BadInput, match="shuffled again"):
        make_game("saboteur", "official", 5).deals()
    with pytest.raises(BadInput, match="duel/mcgill cannot be listed"):
        make_game("duel", "mcgill", 2).deals()
    with pytest.raises(BadInput, match="roles must hold 1 saboteurs"):
        make_game("saboteur", "small", 2).deals(np.array([1, 1], np.int8))


@pytest.mark.parametrize(
    "roles", [[["saboteur"] * 2 + ["miner"] * 3], [[1, 1, 0, 0, None]], [[1, 1], [0]], [[1.5, 0.5, 0, 0, 0]]]
)
def test_roles_that_are_no_numbers_are_refused(roles: Any) -> None:
    game = make_game("saboteur", "krisnadi", 5)
    with pytest.raises(BadInput, match="roles by their numbers are whole numbers, not "):
        game.new(np.array([1], np.uint64), roles)
