"""What `duel-star` makes of the other player: how they play, where they think the nugget is, and what they cannot hold.

* **Kind.** Each move of the other falls into a class. How often players that dig and players at random make moves of each class was
  counted, by how near the goal they are (`DIGS`, `RANDOM`); Bayes' rule does the rest. Who digs is a kind that hurries or one that
  waits, by what they do where the next tile could be the last.
* **Place.** Who has seen where the nugget is digs for it and looks no further. So each of their tiles speaks for the goals that it
  brings nearer, and each further map against those that they have seen already.
* **Hand.** Who knows where the nugget is and did not finish has not got the tile; who keeps a malus in front of them has no bonus.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.agents.duel.digger import chance_to_hold, dig
from molehunt.agents.duel.random_listed import listed_action
from molehunt.core.kernels import kernel
from molehunt.games.duel.actions import DESTROY_TILE, FREE, HINDER, LAY, LOOK, card_of, flipped_of, play_of, target_of
from molehunt.games.duel.cards import DECK_COUNTS, KINDS, NUGGET, UNKNOWN
from molehunt.games.duel.maze import copy_maze, lay, show_goal, take_away
from molehunt.games.duel.state import CELLS, GOAL_CELLS, HAND, MAZE, SEATS, WORDS
from molehunt.reading.duel.digging import (
    NO_WAY,
    SUPPLY,
    TUNNEL,
    cost_from_tunnel,
    fill_supply,
    find_costs_near,
    finishing_sets,
)

ONWARD, ASIDE, LOOKS, HINDERS, FREES, DESTROYS, DISCARDS = range(7)
"""Classes of moves: a tile that shortens the way to some goal, another tile, a map, a malus, a bonus, a destroy card, a discard;
those from the maps on in the order of the kinds of play."""

HINDERED, FAR, ON_THE_WAY, CLOSE = range(4)
"""Where the mover stood: with a malus, else by how long the shortest way to a goal was, above LONG, above NEAR, or less."""
LONG, NEAR = 5.5, 3.5
DIGS = np.array(
    [
        [0.01, 0.01, 0.06, 0.03, 0.31, 0.03, 0.55],
        [0.62, 0.07, 0.25, 0.02, 0.01, 0.01, 0.02],
        [0.60, 0.13, 0.13, 0.04, 0.01, 0.01, 0.08],
        [0.24, 0.12, 0.06, 0.05, 0.01, 0.01, 0.51],
    ]
)
"""How often each class comes where, shape (4, 7): counted over 12,000 moves of strangers below seed 101, the digger and
greedy-2020 against the digger, rounded, never below 0.01. Close to the goal who digs waits."""
RANDOM = np.array(
    [
        [0.01, 0.01, 0.12, 0.01, 0.07, 0.09, 0.69],
        [0.16, 0.52, 0.07, 0.01, 0.01, 0.03, 0.20],
        [0.12, 0.58, 0.08, 0.01, 0.01, 0.05, 0.15],
        [0.11, 0.61, 0.05, 0.02, 0.01, 0.06, 0.14],
    ]
)
"""The same of 4,000 moves of random and random-listed."""
LEARNED = np.array(
    [
        [0.01, 0.01, 0.11, 0.02, 0.23, 0.06, 0.56],
        [0.33, 0.14, 0.15, 0.01, 0.01, 0.02, 0.34],
        [0.28, 0.21, 0.17, 0.05, 0.01, 0.03, 0.25],
        [0.30, 0.34, 0.07, 0.06, 0.01, 0.02, 0.20],
    ]
)
"""The same of 6,800 moves of `learned` against itself, greedy-2020 and the strangers 1 to 29, with weights of 17 to 19 million
decisions (those that are shipped have 24)."""
LOG_RATIO = np.log(DIGS / RANDOM)
LEARNED_RATIO = np.log(LEARNED / RANDOM)

GAINS = (2.0, 0.5, 0.01)
"""A tile is a great, a good or a small step where it shortens the three ways together by more than these."""
NO_STEP, BACK, DEAD_END, DEAD_END_BACK = range(3, 7)
FINE_ACTIONS = 7
"""Where the classes of maps, maluses, bonuses, destroy cards and discards begin, in the order of the kinds of play."""
FINE_SORTS = 12
FINE_DIGS = np.array(
    [
        [0.010, 0.010, 0.010, 0.010, 0.010, 0.010, 0.010, 0.074, 0.025, 0.296, 0.041, 0.564],
        [0.592, 0.044, 0.023, 0.010, 0.055, 0.010, 0.010, 0.225, 0.014, 0.010, 0.010, 0.033],
        [0.481, 0.082, 0.015, 0.028, 0.093, 0.010, 0.010, 0.125, 0.048, 0.010, 0.010, 0.119],
        [0.213, 0.065, 0.022, 0.103, 0.045, 0.010, 0.010, 0.055, 0.053, 0.010, 0.017, 0.420],
    ]
)
FINE_LEARNED = np.array(
    [
        [0.010, 0.010, 0.010, 0.010, 0.010, 0.010, 0.010, 0.076, 0.019, 0.301, 0.072, 0.533],
        [0.336, 0.040, 0.021, 0.055, 0.030, 0.115, 0.022, 0.169, 0.011, 0.010, 0.030, 0.171],
        [0.226, 0.043, 0.015, 0.130, 0.048, 0.128, 0.010, 0.161, 0.042, 0.010, 0.053, 0.147],
        [0.122, 0.078, 0.014, 0.274, 0.069, 0.047, 0.010, 0.058, 0.057, 0.010, 0.039, 0.236],
    ]
)
FINE_SEARCHES = np.array(
    [
        [0.010, 0.010, 0.010, 0.010, 0.010, 0.010, 0.010, 0.060, 0.034, 0.260, 0.105, 0.541],
        [0.244, 0.108, 0.039, 0.032, 0.114, 0.010, 0.010, 0.142, 0.010, 0.010, 0.043, 0.275],
        [0.311, 0.080, 0.032, 0.045, 0.058, 0.010, 0.010, 0.108, 0.035, 0.010, 0.049, 0.281],
        [0.165, 0.086, 0.024, 0.045, 0.054, 0.010, 0.010, 0.032, 0.058, 0.010, 0.049, 0.485],
    ]
)
FINE_RANDOM = np.array(
    [
        [0.010, 0.010, 0.010, 0.010, 0.010, 0.010, 0.010, 0.129, 0.016, 0.069, 0.073, 0.712],
        [0.068, 0.034, 0.065, 0.308, 0.069, 0.104, 0.038, 0.066, 0.011, 0.010, 0.035, 0.200],
        [0.057, 0.026, 0.026, 0.404, 0.036, 0.115, 0.031, 0.065, 0.011, 0.010, 0.061, 0.169],
        [0.042, 0.022, 0.020, 0.423, 0.040, 0.127, 0.025, 0.063, 0.019, 0.010, 0.056, 0.162],
    ]
)
"""How often each finer class comes where, shape (4, 12): of players that dig (21,000 moves), of `learned` (30,000), of one that
searches (`duel-star:plays_on`, 3,400), of players at random (41,000), never below 0.01 (`benchmarks/duel_classes.py`). Who searches
waits for good cards, as who plays at random may seem to do, and lays no tile aside. The network of `learned` was trained with the
seven classes."""
FINE_LOG_RATIO = np.log(FINE_DIGS / FINE_RANDOM)
FINE_LEARNED_RATIO = np.log(FINE_LEARNED / FINE_RANDOM)
FINE_SEARCHES_RATIO = np.log(FINE_SEARCHES / FINE_RANDOM)
MOST = 12.0
"""The log odds are kept within so much either way, so that a mind can change."""

EXPOSED, HELD = 1.2, -0.4
"""What it says for hurrying, as log odds, that a player near the goal lays a tile after which the other may finish; or none."""
THREAT = 0.3
"""The chance of finishing from which on a tile exposes."""
MOST_HURRY = 3.0

STEP, MOST_STEP = 0.8, 0.9
"""How much log likelihood of a place a tile moves that brings it nearer by one than the others; the most that a tile can say."""
LOOKS_ON = -1.5
"""What a further map says for a place that its player would know already."""
SEEN_NEAR = 0.5
"""The chance from which on a player is taken to dig, where their hand is read."""

GUESSED = 0.1
"""How much likelier than the mean a place must be to be dug for before it is known."""
SUSPICION, HURRY = 0.8, 0.5
"""The chance that the other digs, and that they hurry if they do, before they have moved."""

AT_RANDOM = -1
"""The kind that plays at random; others are rows of the digger's settings."""
MIRROR = -2
"""The kind that plays as `learned` does, which `own_seat` knows."""

MIND = np.dtype(
    [
        ("stream", np.uint64, (1,)),
        ("log_odds", np.float64),  # of digging against playing at random
        ("learned_odds", np.float64),  # log likelihood of playing as `learned` does against playing at random
        ("fine_log_odds", np.float64),  # the same two by the finer classes
        ("fine_learned_odds", np.float64),
        ("fine_searches_odds", np.float64),  # the same of searching against playing at random, by the finer classes
        ("hurry", np.float64),  # log odds of hurrying against waiting
        ("ways", np.float64, (3,)),  # what the way to each goal costs somebody with no cards
        ("says", np.float64, (3,)),  # log likelihood of what the other did, by where the nugget is
        (
            "lacks",
            np.int64,
            (3,),
        ),  # edge sets that the other did not hold before their last draw, by where the nugget is
        ("no_bonus", np.bool_),  # whether the other held no bonus then
        ("malus", np.int64, (SEATS,)),
        ("looked", np.int64),  # the goals that the other has seen on maps
        ("revealed", np.int64),
        ("goals", np.int8, (3,)),  # what was revealed to both
        ("maze", MAZE),
        ("seat", np.int64),
    ]
)
"""What a chair remembers."""


def open_mind(minds: Any, views: Any, digger: float, hurry: float) -> None:
    """Begin with a chance that the other digs, and one that they hurry if they do."""
    minds["log_odds"], minds["hurry"] = log_odds_of(digger), log_odds_of(hurry)
    minds["fine_log_odds"] = minds["log_odds"]
    _open_minds(minds, views)


class Drawn(NamedTuple):
    """Deals that a seat holds possible, n of them."""

    deals: Any
    """STATE (n,)."""
    streams: Any
    """The luck in each, uint64 (n,)."""
    kinds: Any
    """Who the other is in each, as in `move_of_kind`, int64 (n,)."""


@kernel
def _open_minds(minds: Any, views: Any) -> None:
    costs, supply = np.empty((CELLS, 4)), np.zeros(1, SUPPLY)
    for index in range(len(minds)):
        mind, view = minds[index], views[index]
        mind.seat = view.seat
        copy_maze(view.maze, mind.maze)
        mind.malus[:] = view.malus
        mind.looked = view.looked[1 - mind.seat]
        mind.revealed = 0
        mind.goals[:] = UNKNOWN
        mind.lacks[:] = 0
        mind.no_bonus = False
        cost_of_ways(mind.maze, mind.ways, costs, supply)


def log_odds_of(chance: float) -> float:
    """The log odds of a chance, which is kept from being certain."""
    kept = min(max(chance, 1e-6), 1 - 1e-6)
    return math.log(kept / (1 - kept))


@kernel
def chance_of(log_odds: float) -> float:
    """The chance of some log odds."""
    return 1 / (1 + math.exp(-log_odds))


def chance_of_digger(minds: Any) -> float:
    """The chance that the other of the first mind digs."""
    return chance_of(float(minds["log_odds"][0]))


def chances_of_kinds(
    mind: Any, suspicion: float, mirror: float, fine: bool = False, searches: float = 0.0
) -> tuple[float, float]:
    """How likely the other digs, in any way, and how likely they then play as `learned` does, if they do not search.

    Before their first move these are `suspicion` and `mirror`. `fine` reads their moves by twelve classes instead of seven, and
    takes them to search, if they dig, with a chance of `searches` before their first move.
    """
    log_odds, learned_odds = (float(mind[f"fine_{name}" if fine else name]) for name in ("log_odds", "learned_odds"))
    if not mirror:
        return chance_of(log_odds), 0.0
    before = log_odds_of(suspicion)
    others = 1.0 - searches if fine else 1.0
    digs = others * (1.0 - mirror) * math.exp(log_odds)
    learned = others * mirror * math.exp(before + learned_odds)
    searching = (1.0 - others) * math.exp(before + float(mind["fine_searches_odds"]))
    together = digs + learned + searching
    return together / (1.0 + together), learned / (digs + learned)


def chances_of_places(mind: Any, view: Any, digs: float | None = None) -> npt.NDArray[np.float64]:
    """How likely the nugget is under each goal, for the seat of a view: shape (3,), sum 1.

    `digs` is the chance that the other digs, by default as if nobody played as `learned` does.
    """
    chances = np.empty(3)
    weigh_places(mind, view["goals"], chance_of(float(mind["log_odds"])) if digs is None else digs, chances)
    return chances


@kernel
def weigh_places(mind: Any, goals: Any, digs: float, chances: Any) -> None:
    """Write how likely the nugget is under each goal, for a seat that knows of the goals what `goals` says.

    `digs` is the chance that the other digs.
    """
    total = 0.0
    most = max(mind.says[0], mind.says[1], mind.says[2]) * digs
    known = goals[0] == NUGGET or goals[1] == NUGGET or goals[2] == NUGGET
    for goal in range(3):
        chances[goal] = 0.0
        if goals[goal] == (NUGGET if known else UNKNOWN):
            chances[goal] = 1.0 if known else math.exp(mind.says[goal] * digs - most)
        total += chances[goal]
    for goal in range(3):
        chances[goal] /= total


@kernel
def whole_deck() -> Any:
    """How many cards there are of each kind, as a player counts those that it has not seen."""
    deck = np.zeros(KINDS, np.int16)
    for kind in range(KINDS):
        deck[kind] = DECK_COUNTS[kind]
    return deck


@kernel
def cost_of_ways(maze: Any, ways: Any, costs: Any, supply: Any) -> None:
    """What the way to each goal costs, for somebody with no cards and a whole deck to come."""
    fill_supply(np.zeros(KINDS, np.int16), whole_deck(), 0, 0.1, supply[0])
    for goal in range(3):
        find_costs_near(maze, goal, supply[0], costs)
        ways[goal] = cost_from_tunnel(maze, goal, costs)


@kernel
def knows_place(mind: Any, goal: int) -> bool:
    """Whether the other knows where the nugget is, if it is under this goal."""
    known = mind.looked | mind.revealed
    return known >> goal & 1 != 0 or (known & 1) + (known >> 1 & 1) + (known >> 2 & 1) >= 2


@kernel
def sets_to_finish(maze: Any, goal: int, costs: Any, cells: Any) -> int:
    """The edge sets of tunnels that would reach a goal at once."""
    costs[:] = NO_WAY
    costs[GOAL_CELLS[goal]] = 0
    for word in range(WORDS):
        cells[word] = 0
        for edges in range(1, 16):
            cells[word] |= maze.fitting[edges, word]
    return finishing_sets(maze, costs, cells)


@kernel
def read_hand(mind: Any, done: int, costs: Any, cells: Any) -> None:
    """Note what the other would have played before this move, had they held it."""
    other = 1 - mind.seat
    hindered = mind.malus[other] > 0
    for goal in range(3):
        mind.lacks[goal] = 0
        if not hindered and knows_place(mind, goal):
            mind.lacks[goal] = sets_to_finish(mind.maze, goal, costs, cells)
    mind.no_bonus = hindered and done != FREE


@kernel
def read_place(mind: Any, before: Any, done: int) -> None:
    """Weigh the places of the nugget by a tile or a map of the other; `before` are the ways before it."""
    if done == LOOK:
        for goal in range(3):
            if knows_place(mind, goal):
                mind.says[goal] += LOOKS_ON
        return
    mean = 0.0
    for goal in range(3):
        mean += (before[goal] - mind.ways[goal]) / 3
    for goal in range(3):
        if knows_place(mind, goal):
            step = STEP * (before[goal] - mind.ways[goal] - mean)
            mind.says[goal] += min(max(step, -MOST_STEP), MOST_STEP)


@kernel
def read_haste(mind: Any, done: int, costs: Any, cells: Any) -> None:
    """Weigh whether the other hurries: by a tile after which this seat may finish, or by none where the goal is near."""
    nearest = min(mind.ways[0], mind.ways[1], mind.ways[2])
    if nearest > NEAR or mind.malus[1 - mind.seat]:
        return
    if done == LAY:
        most = 0.0
        for goal in range(3):
            sets = sets_to_finish(mind.maze, goal, costs, cells)
            if sets and not mind.revealed >> goal & 1:
                most = max(most, chance_to_hold(sets, whole_deck(), HAND))
        if most > THREAT and not mind.malus[mind.seat]:
            mind.hurry += EXPOSED
    else:
        mind.hurry += HELD
    mind.hurry = min(max(mind.hurry, -MOST_HURRY), MOST_HURRY)


@kernel
def place_of_mover(mind: Any, seat: int) -> int:
    """Where a seat stands before it moves: HINDERED, FAR, ON_THE_WAY or CLOSE."""
    if mind.malus[seat]:
        return HINDERED
    nearest = min(mind.ways[0], mind.ways[1], mind.ways[2])
    if nearest > LONG:
        return FAR
    return ON_THE_WAY if nearest > NEAR else CLOSE


@kernel
def note_events(events: Any, minds: Any, rows: Any) -> None:
    """Note an event each, by the minds of these rows."""
    for index in range(len(events)):
        note_event(events[index], minds[rows[index]])


@kernel
def note_event(event: Any, mind: Any) -> None:
    """Follow what happened on the board, and think of the other by their moves."""
    costs, supply, cells, before = np.empty((CELLS, 4)), np.zeros(1, SUPPLY), np.zeros(WORDS, np.uint64), np.empty(3)
    done = play_of(event.action)
    others = event.seat != mind.seat
    place = place_of_mover(mind, event.seat)
    if others:
        read_hand(mind, done, costs, cells)
    if done == LAY:
        lay(mind.maze, card_of(event.action), flipped_of(event.action), target_of(event.action))
    elif done == DESTROY_TILE:
        take_away(mind.maze, target_of(event.action))
    elif done == HINDER:
        mind.malus[1 - event.seat] += 1
    elif done == FREE:
        mind.malus[event.seat] -= 1
    for goal in range(3):
        if event.revealed >> goal & 1:
            show_goal(mind.maze, goal, event.goals[goal])
            mind.goals[goal] = event.goals[goal]
            mind.revealed |= 1 << goal
    before[:] = mind.ways
    if done in (LAY, DESTROY_TILE) or event.revealed:
        cost_of_ways(mind.maze, mind.ways, costs, supply)
    if not others:
        return
    if done in (LAY, LOOK):
        read_place(mind, before, done)
    if done == LOOK:
        mind.looked |= 1 << target_of(event.action)
    read_haste(mind, done, costs, cells)
    sort = LOOKS + done - LOOK
    if done == LAY:
        shortens = mind.ways.sum() < before.sum() - 0.01
        sort = ONWARD if shortens else ASIDE
    mind.log_odds = bounded(mind.log_odds + LOG_RATIO[place, sort])
    mind.learned_odds = bounded(mind.learned_odds + LEARNED_RATIO[place, sort])
    fine = fine_sort(done, card_of(event.action), before.sum() - mind.ways.sum())
    mind.fine_log_odds = bounded(mind.fine_log_odds + FINE_LOG_RATIO[place, fine])
    mind.fine_learned_odds = bounded(mind.fine_learned_odds + FINE_LEARNED_RATIO[place, fine])
    mind.fine_searches_odds = bounded(mind.fine_searches_odds + FINE_SEARCHES_RATIO[place, fine])


@kernel
def bounded(log_odds: float) -> float:
    """Log odds that leave room for a change of mind."""
    return min(max(log_odds, -MOST), MOST)


@kernel
def fine_sort(done: int, card: int, gain: float) -> int:
    """The finer class of a move: a kind of play with a card that shortens the three ways together by so much."""
    if done == LAY:
        if not TUNNEL[card]:
            return DEAD_END_BACK if gain < -GAINS[-1] else DEAD_END
        for step in range(len(GAINS)):
            if gain > GAINS[step]:
                return step
        return BACK if gain < -GAINS[-1] else NO_STEP
    return FINE_ACTIONS + done - LOOK


@kernel
def move_of_kind(
    kind: int, state: Any, seat: int, stream: Any, settings: Any, scratch: Any, moves: Any, scores: Any
) -> Any:
    """What a player of a kind does on a seat that is to move."""
    if kind == AT_RANDOM:
        return np.int64(listed_action(stream, state.hands[seat], state.maze, state.malus[seat], state.revealed))
    return np.int64(dig(state, seat, settings[kind], scratch, moves, scores))
