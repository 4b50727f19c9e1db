"""Masks of any game with compiled rules, and what is wrong with indices: compiled once for all games."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.games.calls import fault, legal_seen

NO_FAULT = 0
NOWHERE = -1


@kernel
def mark_legal(
    calls: Any, views: Any, rows: Any, params: Any, ordered: Any, order: Any, scratch: Any, masks: Any
) -> int:
    """Write 1 for each legal action of each view, numbered by the row `rows[i]` of the codes.

    `ordered` are the codes of each row in ascending order, `order` the index of each. What has no index is passed over; returned
    is the last view with such an action, NOWHERE if there is none.
    """
    unlisted = NOWHERE
    for number in range(len(views)):
        codes = ordered[rows[number]]
        for place in range(legal_seen(calls, views[number], params, scratch)):
            at = np.searchsorted(codes, scratch[place])
            if at < len(codes) and codes[at] == scratch[place]:
                masks[number, order[rows[number], at]] = 1
            else:
                unlisted = number
    return unlisted


@kernel
def first_fault(calls: Any, states: Any, seats: Any, indices: Any, codes: Any, params: Any) -> int:
    """The first state in which an index cannot be played, -1 where there is none. Games that are over are passed over."""
    for row in range(len(states)):
        if seats[row] < 0:
            continue
        index = indices[row]
        if index < 0 or index >= codes.shape[1]:
            return row
        if fault(calls, states[row], codes[seats[row] % len(codes), index], params) != NO_FAULT:
            return row
    return -1
