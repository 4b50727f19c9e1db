"""How kernels write what a seat sees and may do, in whichever game: the kernels of its spaces, reached by their addresses.

The modules `..._kernels` beside this one hold compiled functions of these names, as `games.calls` says it for those of a game.
Records come as arrays of one; `numbering` and `params` are those of the spaces, `wanted` is SEE_VIEW, SEE_MASK or both.

* `index_of(action, seat, numbering, params) -> int`: the index of an action that a seat may find legal somewhere, -1 for none.
* `show(states, seat, views, observation, mask, numbering, params, wanted)`: write the observation and the mask of a seat. Their
  entries for the board and for actions hold zeros before; `views` is written on the way. The board is public and an action is
  legal by one's own hand, so they are read from the state; all else comes from the view.
* `clear(states, observation, mask, numbering, params, wanted)`: write zeros where `show` wrote the board and the legal actions of
  this state, so that another one can be shown there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from molehunt.core.kernels import kernel
from molehunt.games.calls import Interface, array_of, caller

INDEX_OF, SHOW, CLEAR = range(3)
"""Where the address of each function stands."""

SEE_VIEW, SEE_MASK = 1, 2
"""What is wanted: observations, masks."""
SMALL = 4096
"""So many bytes are cleared quicker as a whole than one by one where something was written."""


def _signature(name: str, state: Any, view: Any, event: Any) -> Any:
    """The types of such a function, for the records of one game."""
    whole, states, views = types.int64, array_of(state), array_of(view)
    numbering, params = array_of(types.int32, readonly=True), array_of(types.int64, readonly=True)
    seen, table = (array_of(types.int8), array_of(types.int8)), (numbering, params)
    return {
        "index_of": whole(whole, whole, *table),
        "show": types.void(states, whole, views, *seen, *table, whole),
        "clear": types.void(states, *seen, *table, whole),
    }[name]


SHOWN = Interface(("index_of", "show", "clear"), _signature)

_index_of, _show, _clear = caller(types.int64, 4), caller(types.void, 8), caller(types.void, 6)


@kernel
def index_of(calls: Any, action: int, seat: Any, numbering: Any, params: Any) -> Any:
    """The index of an action of a seat; records are arrays of bytes here and below."""
    return _index_of(calls[INDEX_OF], np.int64(action), np.int64(seat), numbering, params)


@kernel
def show(
    calls: Any,
    state: Any,
    seat: int,
    view: Any,
    observation: Any,
    mask: Any,
    numbering: Any,
    params: Any,
    wanted: int,
) -> None:
    """Write the observation and the mask of a seat."""
    _show(calls[SHOW], state, np.int64(seat), view, observation, mask, numbering, params, np.int64(wanted))


@kernel
def clear(calls: Any, state: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int) -> None:
    """Write zeros where the board and the legal actions of a state were written."""
    _clear(calls[CLEAR], state, observation, mask, numbering, params, np.int64(wanted))
