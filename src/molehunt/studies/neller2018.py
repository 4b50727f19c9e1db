"""Neller and Luo 2018, "Mixed Logical and Probabilistic Reasoning in the Game of Clue": probabilities from WalkSAT samples.

Its abstract alone could be had: it says in words, as in `published/neller2018.csv`, that samples found by a heuristic are biased,
and that there is a trade between the heuristic's efficiency and its bias; its numbers and times are not known here. So the claim
is measured: at the turns of games of three `advanced` players the chances of every card at every place that is in doubt, from
samples of such a search with more and less heuristic (`walksat`), and from as many independent draws, beside the exact ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from molehunt.arena.statistics import mean_interval
from molehunt.arena.workers import Workers, each_in_order, the_game, the_player
from molehunt.beliefs.deals.layers import place_weights, sample_deals
from molehunt.beliefs.deals.problem import Facts
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.speed_clue.game import check_game
from molehunt.games.speed_clue.resample import facts_of_views
from molehunt.games.speed_clue.state import TURN
from molehunt.studies.study import (
    FAILS,
    HOLDS,
    NONE_PUBLISHED,
    UNDECIDED,
    VERDICTS,
    FirstLook,
    Progress,
    Row,
    Section,
    Study,
    Tell,
    published_rows,
)
from molehunt.studies.walksat import constraints_of, sample_places

SEATS = 3
PLAYER = "advanced"
NOISES = (0.1, 0.3, 0.5, 0.7)
"""How often a step is by lot and not by the heuristic."""
MOST, LEAST = NOISES[0], NOISES[-1]
"""The noise of the most heuristic, and of the least."""
DRAWN = "independent"
SAMPLES = 4000
"""Deals that are sampled at a position."""
SHARE = 4
"""There is one position for so many games of the study."""
CHUNK = 4

Errors = dict[str, tuple[float, float]]
"""At one position, by the way to sample: the mean error of the chances, in points, and the steps a sample."""


def positions(seed: int, first: int, count: int) -> list[Facts]:
    """What the seat on turn knows at a turn by lot of each of some games."""
    game = check_game("the study", the_game("speed_clue", "mitchell", SEATS))
    seeds = game_seeds(seed, first, count)
    played = play(game, [the_player("speed_clue", PLAYER)] * SEATS, seeds, keep_actions=True)
    found = []
    for number, actions in enumerate(played.actions or ()):
        state = game.new(seeds[number : number + 1])
        known = []
        for action in actions:
            view = game.views(state, np.array([game.to_move(state)[0]], np.int8))
            if view[0]["phase"] == TURN:
                known.append(facts_of_views(view, game.params))
            game.apply(state, np.array([action], np.int32))
        found.append(known[np.random.default_rng((seed, first + number)).integers(len(known))])
    return found


def errors_at(facts: Facts, seed: int) -> Errors | None:
    """How far sampled chances of places in doubt are from the exact ones; None where no place is in doubt."""
    places = np.zeros((64, len(facts.sizes) + 1))
    places /= place_weights(facts, places)
    places = places[: int(facts.pool[0]).bit_length()]
    doubtful = (places > 0) & (places < 1)
    if not doubtful.any():
        return None
    constraints = constraints_of(facts, places)
    counts = np.zeros(places.size, np.int64)
    found = {}
    for noise in NOISES:
        steps = sample_places(constraints, noise, SAMPLES, np.array([seed], np.uint64), counts)
        gap = counts.reshape(places.shape) / SAMPLES - places
        found[str(noise)] = float(np.abs(gap[doubtful]).mean() * 100), steps / SAMPLES
    hands = np.zeros((SAMPLES, len(facts.sizes)), np.uint64)
    sample_deals(facts, np.array([seed], np.uint64), SAMPLES, hands)
    whole = np.column_stack((hands, facts.pool[0] & ~np.bitwise_or.reduce(hands, axis=1)))
    held = whole[:, None, :] >> np.arange(len(places), dtype=np.uint64)[None, :, None] & np.uint64(1)
    found[DRAWN] = float(np.abs(held.mean(axis=0) - places)[doubtful].mean() * 100), 0.0
    return found


def measure_range(seed: int, first: int, count: int) -> list[Errors]:
    """The errors at the positions of some games, those left out at which all is known."""
    each = (errors_at(facts, seed + first + number) for number, facts in enumerate(positions(seed, first, count)))
    return [found for found in each if found is not None]


# --- Rows ---------------------------------------------------------------------------------------------------------------


def mean_row(cell: str, quantity: str, values: Sequence[float]) -> Row:
    """A row for the mean of what was found at each position."""
    mean, low, high = mean_interval(np.array(values))
    return Row(
        id=cell,
        quantity=quantity,
        published=None,
        measured=round(mean, 3),
        low=round(low, 3),
        high=round(high, 3),
        games=len(values),
        verdict=NONE_PUBLISHED,
    )


def finding_row(claim: Mapping[str, str], each: Sequence[Errors]) -> Row:
    """Whether what the abstract says holds: how much further off the most heuristic search is, in points."""
    beside = DRAWN if claim["finding"] == "bias" else str(LEAST)
    further = mean_interval(np.array([found[str(MOST)][0] - found[beside][0] for found in each]))
    _, _, steps_more = mean_interval(np.array([found[str(MOST)][1] - found[str(LEAST)][1] for found in each]))
    quick = claim["finding"] == "bias" or steps_more < 0
    said = HOLDS if further[1] > 0 and quick else FAILS if further[2] < 0 else UNDECIDED
    with_what = "independent draws" if beside == DRAWN else f"noise {beside}"
    mean, low, high = (round(number, 3) for number in further)
    return Row(
        id=f"finding/{claim['finding']}",
        quantity=f"{claim['says']}; error with noise {MOST} more than with {with_what}, points: {said}",
        published=None,
        measured=mean,
        low=low,
        high=high,
        games=len(each),
        verdict=VERDICTS[said],
    )


def rows_of(each: Sequence[Errors]) -> list[Row]:
    """The rows of the errors at some positions; none where there are fewer than two, of which no interval could be given."""
    if len(each) < 2:
        return []
    off = f"mean error of the chance of a card at a place, {SAMPLES:,} samples, points"
    rows = [
        mean_row(f"error/noise-{noise}", f"{off}: noise {noise}", [found[str(noise)][0] for found in each])
        for noise in NOISES
    ]
    rows.append(mean_row(f"error/{DRAWN}", f"{off}: independent draws", [found[DRAWN][0] for found in each]))
    rows += [
        mean_row(f"steps/noise-{noise}", f"steps until a deal: noise {noise}", [found[str(noise)][1] for found in each])
        for noise in NOISES
    ]
    return [*rows, *(finding_row(claim, each) for claim in published_rows("neller2018.csv"))]


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Sample at one position of one game in SHARE."""
    number = max(2, games // SHARE)
    pieces = [(seed, first, min(CHUNK, number - first)) for first in range(0, number, CHUNK)]
    progress = Progress(tell, len(pieces))
    each: list[Errors] = []
    for part in each_in_order(workers, measure_range, pieces):
        each += part
        progress.played()
    return rows_of(each)


def look_verdict(rows: Sequence[Row]) -> str:
    """What the two findings come to."""
    bias, tradeoff = (row.quantity.rpartition(": ")[2] for row in rows if row.id.startswith("finding/"))
    said = f"that heuristic samples are biased, {bias}; that a quicker search is more biased, {tradeoff}"
    return f"{said} (nothing but words is published)"


STUDY = Study(
    name="neller2018",
    title="Chances in Clue from samples of a heuristic search",
    source="T. W. Neller and Z. Luo, Mixed Logical and Probabilistic Reasoning in the Game of Clue, ICGA Journal 40, 2018: two "
    "findings of its abstract. Its text and tables could not be had; the search is ours, after the abstract.",
    default_games=2000,
    small_games=200,
    unit="points",
    sections=(
        Section(
            "error/", "How far off the chances are", "Places in doubt at a turn by lot of games of three advanced."
        ),
        Section("steps/", "How long a sample takes", "Variables changed until no constraint is violated."),
        Section("finding/", "What the abstract says", "Differences at the same positions."),
    ),
    measure=measure,
    look=FirstLook(("finding/",), look_verdict),
    judged="finding/",
    noun="findings",
)
