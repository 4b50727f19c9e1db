"""All deals of a small game of Speed Clue: what lies in the envelope, who holds what, and who begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput
from molehunt.core.game import MOST_DEALS, States
from molehunt.core.words import amount
from molehunt.games.speed_clue.edition import even_deal
from molehunt.games.speed_clue.ruleset import CARDS, ENVELOPE, FIRST_SEAT, HANDS, SEATS, STARTS
from molehunt.games.speed_clue.state import STATE


def count_deals(params: npt.NDArray[np.int64]) -> int:
    """How many deals a ruleset's table allows."""
    seats = int(params[SEATS])
    beginners = seats if params[FIRST_SEAT] < 0 else 1
    if params[ENVELOPE]:
        return beginners
    categories = [range(params[STARTS + place], params[STARTS + place + 1]) for place in range(3)]
    left = int(params[CARDS]) - len(categories)
    count = beginners * int(np.prod([len(category) for category in categories]))
    for size in even_deal(left, seats):
        count *= comb(left, size)
        left -= size
    return count


def list_deals(dealt: States, params: npt.NDArray[np.int64], label: str) -> tuple[States, npt.NDArray[np.float64]]:
    """Every deal once, with its probability; see `core.game.Game.deals`. `dealt` holds one state as it is dealt, whichever."""
    count = count_deals(params)
    if count > MOST_DEALS:
        raise BadInput(
            f"the deals of {label} cannot be listed: there are {amount(count)}, and at most {MOST_DEALS:,} can be"
        )
    seats = int(params[SEATS])
    beginners = range(seats) if params[FIRST_SEAT] < 0 else [int(params[FIRST_SEAT])]
    hands = [(envelope, held, first) for envelope, held in _envelopes_and_hands(params) for first in beginners]
    # A deal is like any other, but for what is written into it.
    states = np.zeros(len(hands), STATE)
    states[:] = dealt[0]
    states["stream"] = 0
    for state, (envelope, held, first) in zip(states, hands, strict=True):
        state["envelope"] = envelope
        state["hands"][:seats] = held
        state["on_turn"] = state["to_move"] = first
    return states, np.full(len(states), 1 / len(states))


def _envelopes_and_hands(params: Any) -> Iterator[tuple[int, list[int]]]:
    """(envelope, hands) as sets of cards, in the order of the cards."""
    seats = int(params[SEATS])
    if params[ENVELOPE]:
        yield int(params[ENVELOPE]), [int(hand) for hand in params[HANDS : HANDS + seats]]
        return
    categories = [range(int(params[STARTS + place]), int(params[STARTS + place + 1])) for place in range(3)]
    for envelope in product(*categories):
        rest = [card for card in range(int(params[CARDS])) if card not in envelope]
        for hands in _hands(rest, even_deal(len(rest), seats)):
            yield sum(1 << card for card in envelope), hands


def _hands(cards: list[int], sizes: Sequence[int]) -> Iterator[list[int]]:
    """All ways to deal these cards into hands of these sizes."""
    if not sizes:
        yield []
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in _hands(rest, sizes[1:]):
            yield [sum(1 << card for card in hand), *others]
