"""Strengths of belief in role distributions, and the chart that moves them (2012 paper, "Kripke model" and Figure 1).

A state says who the saboteurs are. An agent holds a row of strengths, one for each state, for itself, and at depth two one more
for every other agent: its picture of what that agent believes. At depth three there is a row for every two agents: what the one is
thought to believe that the other believes. A state is believed while its strength is at or above the
threshold. The numbers of the chart's plusses and minuses are not in the paper; they are parameters of the player.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.kernels import kernel
from molehunt.games.saboteur.cards import CLAIMED_GOLD, GOLD, SABOTEUR, UNKNOWN_GOAL
from molehunt.games.saboteur.game import Saboteur

EXCLUDED = -np.inf
"""The strength of a state that an agent knows to be false; nothing brings it back."""
STATES_OF_FIVE = 10
"""The paper's numbers of states (one, two) are of ten; with more states they grow in proportion."""


def role_states(game: Saboteur) -> npt.NDArray[np.uint8]:
    """All role distributions: `[seat, state]` is 1 where the seat is a saboteur; shape (seats, states).

    Where the number of saboteurs is hidden, those with one saboteur less come after those with all.
    """
    most = game.ruleset.saboteurs_for(game.seats)
    counts = (most, most - 1) if game.ruleset.hidden_role else (most,)
    chosen = [team for count in counts for team in combinations(range(game.seats), count)]
    table = np.zeros((game.seats, len(chosen)), np.uint8)
    for state, team in enumerate(chosen):
        table[list(team), state] = 1
    return table


def world_name(saboteurs: Iterable[int]) -> str:
    """What models call the state in which these seats are the saboteurs: "{0,3}"."""
    return "{" + ",".join(map(str, saboteurs)) + "}"


@kernel
def rows_at_depth(depth: int, seats: int) -> int:
    """How many rows an agent holds: its own, a picture of each seat, and of each seat's picture of each."""
    rows = 1
    if depth > 1:
        rows += seats
    if depth > 2:
        rows += seats * seats
    return rows


@kernel
def believer_of(row: int, seat: int, seats: int) -> int:
    """Whose beliefs a row shows: one's own, those of a seat, or those of a seat as another one is thought to see them."""
    return seat if row == 0 else (row - 1) % seats


@kernel
def beholder_of(row: int, seats: int) -> int:
    """In whose picture of another a row stands, at depth three; -1 for the rows of depth one and two."""
    return (row - 1) // seats - 1 if row > 0 else -1


@kernel
def first_of_pictures(beholder: int, seats: int) -> int:
    """The first of the rows that show what a seat is thought to believe of the others' beliefs."""
    return 1 + seats * (1 + beholder)


# --- Rows of strengths --------------------------------------------------------------------------------------------------


@kernel
def reset_rows(rows: Any, roles: Any, seat: int, role: int, p: Any) -> None:
    """All states alike, without those that contradict one's own role, and in pictures of others those in which they are saboteurs.

    Everybody is a miner or plays one.
    """
    for state in range(rows.shape[1]):
        fits_own_role = (roles[seat, state] == 1) == (role == SABOTEUR)
        rows[0, state] = p.start if fits_own_role else EXCLUDED
        for row in range(1, len(rows)):
            rows[row, state] = EXCLUDED if roles[believer_of(row, seat, len(roles)), state] else p.start


@kernel
def moved(strength: float, steps: float, p: Any) -> float:
    """A strength after so many steps, those downwards times the disbelief factor; strengths stay within the limit."""
    change = steps * p.step * (1.0 if steps > 0.0 else p.disbelief)
    return max(min(strength + change, p.limit), -p.limit) if strength > EXCLUDED else strength


@kernel
def move_by_role(row: Any, roles: Any, actor: int, saboteur_steps: float, miner_steps: float, p: Any) -> None:
    """S(i) and M(i): move the states in which the actor is a saboteur, and those in which it is a miner."""
    for state in range(len(row)):
        row[state] = moved(row[state], saboteur_steps if roles[actor, state] else miner_steps, p)


@kernel
def move_by_pair(row: Any, roles: Any, actor: int, other: int, same: float, different: float, p: Any) -> None:
    """R(i=j) and R(i!=j): move the states in which two seats have the same role, and those in which they do not."""
    for state in range(len(row)):
        alike = roles[actor, state] == roles[other, state]
        row[state] = moved(row[state], same if alike else different, p)


@kernel
def bar(row: Any, p: Any) -> float:
    """The strength from which on a state is believed: the threshold, or that of the strongest where all fall below it."""
    most = row[0]
    for state in range(1, len(row)):
        most = max(most, row[state])
    return min(p.threshold, most)


@kernel
def count_beliefs(row: Any, roles: Any, seat: int, p: Any) -> tuple[int, int]:
    """In how many of the states that a row believes a seat is a saboteur, and in how many a miner."""
    least = bar(row, p)
    saboteur = 0
    miner = 0
    for state in range(len(row)):
        if row[state] >= least:
            if roles[seat, state]:
                saboteur += 1
            else:
                miner += 1
    return saboteur, miner


@kernel
def suspicion(row: Any, roles: Any, seat: int, p: Any) -> float:
    """The share of the believed states in which a seat is a saboteur."""
    saboteur, miner = count_beliefs(row, roles, seat, p)
    return saboteur / (saboteur + miner)


@kernel
def scaled(count: float, states: int) -> float:
    """The paper's number of states, which is of ten, in proportion."""
    return max(count, count * states / STATES_OF_FIVE)


@kernel
def borrow(own: Any, pictures: Any, roles: Any, seat: int, p: Any) -> int:
    """Depth two, miner: move a little towards what the most trusted player is thought to believe. Returns that player, or -1.

    `own` is the row of who borrows, `pictures` what that one thinks that each seat believes.

    They are trusted enough if they are a miner in more than one and a saboteur in at most one of the believed states.
    """
    states = len(own)
    trusted = -1
    least = 2.0
    for player in range(len(roles)):
        if player == seat:
            continue
        saboteur, miner = count_beliefs(own, roles, player, p)
        share = saboteur / (saboteur + miner)
        if miner > scaled(p.trust_miner, states) and saboteur <= scaled(p.trust_saboteur, states) and share < least:
            trusted = player
            least = share
    if trusted >= 0:
        for state in range(states):
            if own[state] > EXCLUDED and pictures[trusted, state] > EXCLUDED:
                own[state] += p.borrow * (pictures[trusted, state] - own[state])
    return trusted


@kernel
def count_suspecting(rows: Any, roles: Any, seat: int, seats: int, p: Any) -> int:
    """Depth two, saboteur: how many others are thought to suspect the seat.

    They believe at most one state in which that one is a miner, and at least as many in which it is a saboteur.
    """
    count = 0
    for player in range(seats):
        if player != seat:
            saboteur, miner = count_beliefs(rows[1 + player], roles, seat, p)
            count += miner <= scaled(p.suspect_miner, rows.shape[1]) and saboteur >= miner
    return count


# --- Where the gold is --------------------------------------------------------------------------------------------------


@kernel
def goal_odds(contents: Any, claims: Any, row: Any, roles: Any, believer: int, seats: int, p: Any, odds: Any) -> None:
    """The chance of each goal to be the gold, from what is seen and from what others claimed.

    A claim weighs as much as its claimant is believed to be a miner: miners tell the truth, saboteurs lie.
    """
    known = -1
    for goal in range(3):
        odds[goal] = 1.0 if contents[goal] == UNKNOWN_GOAL else 0.0
        if contents[goal] == GOLD:
            known = goal
    if known >= 0:
        odds[:] = 0.0
        odds[known] = 1.0
        return
    for claimant in range(seats):
        if claimant == believer:
            continue
        if claims[claimant, 0] == 0 and claims[claimant, 1] == 0 and claims[claimant, 2] == 0:
            continue
        honest = 1.0 - suspicion(row, roles, claimant, p)
        honest = max(min(honest, 1.0 - p.doubt), p.doubt)
        for goal in range(3):
            if claims[claimant, goal]:
                says_gold = claims[claimant, goal] == CLAIMED_GOLD
                for other in range(3):
                    odds[other] *= honest if (other == goal) == says_gold else 1.0 - honest
    total = odds[0] + odds[1] + odds[2]
    for goal in range(3):
        odds[goal] = odds[goal] / total if total > 0.0 else 1.0 / 3.0
