"""All deals of a small game of Saboteur: roles, goals, hands, the order of the deck, and who begins.

The cards of a hand have no order in the rules, so hands that hold the same cards are one deal, with the cards in the order of
`cards.CARD_NAMES`, and its probability is that of all of them together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product
from math import comb, factorial, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput
from molehunt.core.game import MOST_DEALS, States
from molehunt.core.words import amount
from molehunt.games.saboteur.cards import GOLD, KINDS, NO_CARD, ROCK_1, ROCK_2, SABOTEUR
from molehunt.games.saboteur.ruleset import (
    COUNTS,
    DECK_CARDS,
    FIRST_SEAT,
    HAND,
    HIDDEN_ROLE,
    MAX_HAND,
    ROUNDS,
    SABOTEURS,
    SEATS,
    SHARES,
)
from molehunt.games.saboteur.state import STATE

Cards = tuple[int, ...]


def list_deals(
    dealt: States, params: npt.NDArray[np.int64], label: str, roles: npt.NDArray[np.int8] | None = None
) -> tuple[States, npt.NDArray[np.float64]]:
    """Every deal once, with its probability; see `core.game.Game.deals`. `roles`, shape (seats,), seats the roles.

    `dealt` holds one state as it is dealt, whichever.
    """
    if params[ROUNDS] > 1 or params[SHARES]:
        raise BadInput(
            f"the deals of {label} cannot be listed: cards are shuffled again in a game of several rounds or shares of gold"
        )
    seats, hand = int(params[SEATS]), int(params[HAND])
    orders = factorial(int(params[DECK_CARDS])) // prod(factorial(int(count)) for count in params[COUNTS:DECK_CARDS])
    dealt_roles = _roles(params) if roles is None else [(tuple(int(role) for role in roles), 1.0)]
    beginners = range(seats) if params[FIRST_SEAT] < 0 else [int(params[FIRST_SEAT])]
    goals = list(permutations((GOLD, ROCK_1, ROCK_2)))
    most = orders * len(dealt_roles) * len(beginners) * len(goals)
    if most > MOST_DEALS:
        raise BadInput(
            f"the deals of {label} cannot be listed: there are {amount(most)}, and at most {MOST_DEALS:,} can be"
        )

    cards: dict[Cards, int] = {}
    counts = tuple(int(count) for count in params[COUNTS : COUNTS + KINDS])
    for order in _orders(counts):
        hands = [sorted(order[seat * hand : (seat + 1) * hand]) for seat in range(seats)]
        known = (*(card for cards_of_one in hands for card in cards_of_one), *order[seats * hand :])
        cards[known] = cards.get(known, 0) + 1

    listed = list(product(dealt_roles, beginners, goals, cards.items()))
    states = np.zeros(len(listed), STATE)
    # A deal is like any other, but for what is written into it.
    states[:] = dealt[0]
    states["stream"] = 0
    weights = np.empty(len(listed))
    deck = np.full((len(listed), states["deck"].shape[1]), NO_CARD, np.int8)
    for number, ((given, chance), first, contents, (order, times)) in enumerate(listed):
        states["roles"][number, :seats] = given
        states["to_move"][number] = first
        states["goals"][number] = contents
        deck[number, : len(order)] = order
        weights[number] = chance * times
    states["deck"] = deck
    states["hands"][:, :seats, :hand] = deck[:, : seats * hand].reshape(-1, seats, hand)
    states["hands"][:, :seats, hand:MAX_HAND] = NO_CARD
    return states, weights / weights.sum()


def _roles(params: Any) -> list[tuple[tuple[int, ...], float]]:
    """The ways in which roles are dealt, with their probabilities; one role card may be left over."""
    seats, most = int(params[SEATS]), int(params[SABOTEURS])
    # The card left over is a saboteur's with the share that their cards have of all role cards.
    shares = {most: 1.0} if not params[HIDDEN_ROLE] else {most: 1 - most / (seats + 1), most - 1: most / (seats + 1)}
    found = []
    for saboteurs, share in shares.items():
        for team in combinations(range(seats), saboteurs):
            roles = tuple(SABOTEUR * (seat in team) for seat in range(seats))
            found.append((roles, share / comb(seats, saboteurs)))
    return found


def _orders(counts: tuple[int, ...]) -> Iterator[Cards]:
    """All orders of a deck that holds so many cards of each kind."""
    if not any(counts):
        yield ()
    for kind, count in enumerate(counts):
        if count:
            for rest in _orders((*counts[:kind], count - 1, *counts[kind + 1 :])):
                yield (kind, *rest)
