"""The maze: which cells a tunnel reaches and which cards fit where, by shifts and masks on words of cells.

Everything that shifts a cell set is here. A cell set is a 64-bit word (`state`); `mine` is the set of all cells of the
board and `stride` the distance between rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import bit, kernel
from molehunt.games.saboteur.cards import EAST, NORTH, SOUTH, WEST
from molehunt.games.saboteur.state import DOORS, OCCUPIED, OPEN_E, OPEN_N, OPEN_S, OPEN_W, OPENED, THROUGH

ONE = np.uint64(1)
NONE = np.uint64(0)


@kernel
def spread(
    open_n: Any, open_e: Any, open_s: Any, open_w: Any, through: Any, doors: Any, joined: Any, stride: Any
) -> tuple[Any, Any]:
    """Follow the tunnels from the cells `joined`: (all cells with a card that are joined to them, cells opened onto).

    A dead-end is joined but passes nothing on. A tunnel enters a card through an open edge, or at any edge where the card
    lies on one of the cells `doors`. The cells opened onto may hold a card or lie off the board.
    """
    while True:
        passing = joined & through
        north = (passing & open_n) >> stride
        south = (passing & open_s) << stride
        east = (passing & open_e) << ONE
        west = (passing & open_w) >> ONE
        grown = joined | (north & open_s) | (south & open_n) | (east & open_w) | (west & open_e)
        grown |= (north | south | east | west) & doors
        if grown == joined:
            return joined, north | south | east | west
        joined = grown


@kernel
def spread_planes(planes: Any, joined: Any, stride: Any) -> tuple[Any, Any]:
    """`spread` over the planes of a state or a view."""
    return spread(
        planes[OPEN_N], planes[OPEN_E], planes[OPEN_S], planes[OPEN_W], planes[THROUGH], planes[DOORS], joined, stride
    )


@kernel
def with_card(planes: Any, cell: int, edges: int, through: bool, joined: Any, stride: Any) -> tuple[Any, Any]:
    """The maze if a card with these open edges lay on `cell`: (joined, cells opened onto).

    `joined` are the cells joined to the start before; a tunnel from the start opens onto the cell.
    """
    spot = bit(cell)
    open_n = planes[OPEN_N] | (spot if edges & NORTH else NONE)
    open_e = planes[OPEN_E] | (spot if edges & EAST else NONE)
    open_s = planes[OPEN_S] | (spot if edges & SOUTH else NONE)
    open_w = planes[OPEN_W] | (spot if edges & WEST else NONE)
    passes = planes[THROUGH] | (spot if through else NONE)
    return spread(open_n, open_e, open_s, open_w, passes, planes[DOORS], joined | spot, stride)


@kernel
def without_card(planes: Any, cell: int, start: int, stride: Any) -> tuple[Any, Any]:
    """The maze if the card on `cell` were gone: (joined, cells opened onto)."""
    keep = ~bit(cell)
    return spread(
        planes[OPEN_N] & keep,
        planes[OPEN_E] & keep,
        planes[OPEN_S] & keep,
        planes[OPEN_W] & keep,
        planes[THROUGH] & keep,
        planes[DOORS],
        bit(start),
        stride,
    )


@kernel
def fitting(planes: Any, edges: int, silent: Any, stride: Any) -> Any:
    """The cells where a card with these open edges fits every neighbour: open meets open, wall meets wall.

    `silent` are cells with a card that says nothing about the fit (face-down goals, where the ruleset says so).
    """
    says = planes[OCCUPIED] & ~silent
    below = planes[OPEN_S] << stride  # cells whose northern neighbour opens towards them
    above = planes[OPEN_N] >> stride
    right = planes[OPEN_E] << ONE
    left = planes[OPEN_W] >> ONE
    clash_n = (says << stride) & ~below if edges & NORTH else below
    clash_s = (says >> stride) & ~above if edges & SOUTH else above
    clash_w = (says << ONE) & ~right if edges & WEST else right
    clash_e = (says >> ONE) & ~left if edges & EAST else left
    return ~(clash_n | clash_s | clash_w | clash_e)


@kernel
def reachable(planes: Any) -> Any:
    """The empty cells onto which a tunnel from the start opens."""
    return planes[OPENED] & ~planes[OCCUPIED]


@kernel
def lay(planes: Any, cell: int, edges: int, through: bool) -> None:
    """Put a card on a cell."""
    spot = bit(cell)
    for side in range(4):
        if edges >> side & 1:
            planes[side] |= spot
        else:
            planes[side] &= ~spot
    if through:
        planes[THROUGH] |= spot
    else:
        planes[THROUGH] &= ~spot
    planes[OCCUPIED] |= spot


@kernel
def clear(planes: Any, cell: int) -> None:
    """Take the card on a cell away."""
    keep = ~bit(cell)
    for plane in range(6):
        planes[plane] &= keep
