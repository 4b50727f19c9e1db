"""Ratings: the strengths that made the games come out, with intervals that hold them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from arena.tournament.small import played
from molehunt.arena.tournament.ratings import (
    POINTS,
    PRIOR_SPREAD,
    Contests,
    contests_of,
    fit_strengths,
    online_ratings,
    rate_players,
)

TRUE = np.array([1.0, 0.4, 0.0, -0.3, -1.1])


def drawn(games: int, sides: int, members: int, seed: int, deals: int | None = None) -> Contests:
    """Games of `sides` sides with `members` members each, drawn from the true strengths; one winner."""
    random = np.random.default_rng(seed)
    who = random.integers(0, len(TRUE), (games, sides, members))
    shares = np.zeros((games, sides, len(TRUE)))
    for member in range(members):
        np.add.at(shares, (np.arange(games)[:, None], np.arange(sides)[None], who[:, :, member]), 1 / members)
    level = shares @ TRUE + random.gumbel(size=(games, sides))
    won = level == level.max(axis=1, keepdims=True)
    deal = np.arange(games) if deals is None else random.integers(0, deals, games)
    return Contests(shares, np.ones((games, sides), np.bool_), won, np.arange(games), deal)


def centred(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    result: npt.NDArray[np.float64] = values - values.mean()
    return result


@pytest.mark.parametrize(("sides", "members"), [(2, 1), (2, 3), (5, 1)])
def test_strengths_are_found_again(sides: int, members: int) -> None:
    fit = fit_strengths(drawn(6000, sides, members, sides))
    assert np.abs(centred(fit.strengths) - centred(TRUE)).max() < 0.2


def test_newton_ends_where_the_posterior_is_highest() -> None:
    contests = drawn(300, 3, 2, 9)

    def posterior(strengths: npt.NDArray[np.float64]) -> float:
        level = contests.sides @ strengths
        chosen = level[contests.won] - np.log(np.exp(level).sum(axis=1))
        return float(chosen.sum() - strengths @ strengths / (2 * PRIOR_SPREAD**2))

    # It is concave, so no way up from a point means that there is no higher one.
    fit = fit_strengths(contests)
    top = posterior(fit.strengths)
    steps = [1e-3 * step for step in (*np.eye(5), *-np.eye(5), *np.random.default_rng(0).normal(size=(50, 5)))]
    assert all(posterior(fit.strengths + step) < top for step in steps)
    for step in steps[:10]:  # and it falls as fast as the covariance says
        fall = 0.5 * float(step @ np.linalg.inv(fit.model) @ step)
        assert top - posterior(fit.strengths + step) == pytest.approx(fall, rel=0.02)


def test_intervals_hold_the_true_strengths() -> None:
    # The games of a deal are independent here, so the intervals must be neither too narrow nor too wide.
    inside = []
    for seed in range(80):
        fit = fit_strengths(drawn(300, 2, 1, seed, 100))
        half = np.array([fit.half_width(contrast) for contrast in np.eye(5) - 1 / 5])
        inside.append(np.abs(centred(fit.strengths) - centred(TRUE)) <= half)
    assert 0.92 <= np.mean(inside) <= 0.99


@pytest.mark.parametrize("deals", [2, 3, 6])
def test_intervals_hold_the_truth_where_few_deals_suit_one_player_or_the_other(deals: int) -> None:
    """Each deal is played ten times and suits one of two equal players, by chance; so there are as many numbers as deals."""
    random, each, runs = np.random.default_rng(deals), 10, 400
    sides, present = np.tile(np.eye(2), (2, 1, 1)), np.ones((2, 2), np.bool_)
    inside = 0
    for _ in range(runs):
        group = np.concatenate([random.random(each) < ease for ease in random.beta(0.5, 0.5, deals)]).astype(np.int64)
        deal = np.repeat(np.arange(deals), each)
        fit = fit_strengths(Contests(sides, present, np.eye(2, dtype=np.bool_), group, deal))
        apart = np.array([1.0, -1.0])
        inside += int(abs(apart @ fit.strengths) <= fit.half_width(apart))
    assert inside / runs > 0.93


def test_one_who_always_wins_has_a_finite_rating_and_a_wide_interval() -> None:
    sides = np.tile(np.eye(2), (30, 1, 1))
    won = np.tile([True, False], (30, 1))
    fit = fit_strengths(Contests(sides, np.ones((30, 2), np.bool_), won, np.arange(30), np.arange(30)))
    gap = fit.strengths[0] - fit.strengths[1]
    assert 3 < gap < 10 and fit.half_width(np.array([1.0, -1.0])) > 2


def test_games_that_all_win_or_lose_tell_nothing() -> None:
    contests = drawn(200, 3, 1, 4)
    extra = Contests(
        np.concatenate([contests.sides, contests.sides[:50]]),
        np.ones((250, 3), np.bool_),
        np.concatenate([contests.won, np.ones((25, 3), np.bool_), np.zeros((25, 3), np.bool_)]),
        np.arange(250),
        np.arange(250),
    )
    assert np.allclose(fit_strengths(contests).strengths, fit_strengths(extra).strengths, atol=1e-8)


def test_ratings_of_a_tournament_are_the_odds_of_its_games() -> None:
    text = """
        game = "saboteur/krisnadi"
        seats = 3
        roles = { saboteur = 1 }
        role_players = { saboteur = ["random"], miner = ["decision-2019", "random"] }
        deals = 200
    """
    (outcomes,) = played(text).outcomes
    ratings = {(rating.player, rating.role): rating for rating in rate_players(outcomes)}
    best, worst = ratings["decision-2019", "miner"], ratings["random", "miner"]
    rates = [np.mean([outcomes.won(number, seating)[:, seats.index(1)].mean() for seating, seats in enumerate(lineup.seatings)])
             for number, lineup in enumerate(outcomes.event.lineups)]  # fmt: skip
    odds = np.log(rates[0] / (1 - rates[0])) - np.log(rates[1] / (1 - rates[1]))
    assert best.points - worst.points == pytest.approx(POINTS * odds, rel=0.05)
    assert best.low < best.points < best.high and best.games == 600


def test_online_ratings_know_the_best_and_the_worst() -> None:
    contests = drawn(3000, 3, 1, 1)
    online = online_ratings([(str(number), 0) for number in range(5)], contests)
    assert online is not None
    assert max(online) == online[0] and min(online) == online[4]


def test_the_games_of_a_tournament_become_groups_of_like_games() -> None:
    (outcomes,) = played().outcomes
    _, contests = contests_of(outcomes)
    assert len(contests.group) == outcomes.played and len(contests.sides) <= 3 * 2 * 3
