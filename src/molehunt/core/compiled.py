"""What all games with compiled rules share: the thin layer between the interface of a game and its kernels.

A game that rests on it names its records and gives four kernel calls; what belongs to every call (batches, rows, refusing what
is illegal) is done here, once.
"""

from __future__ import annotations

import abc
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput, IllegalAction
from molehunt.core.game import NOBODY, Actions, Events, Game, LegalActions, Seats, States, Views


class CompiledGame(Game):
    """A game whose state holds the seat to move in `info[to_move_entry]`, and whose rules are kernels.

    `most_actions` is a bound on the legal actions of one view, `rule_texts` the rule that a fault breaks by its number.
    """

    to_move_entry: int
    most_actions: int
    rule_texts: tuple[str, ...]

    @abc.abstractmethod
    def look_many(self, states: States, rows: npt.NDArray[np.int64], seats: Seats, views: Views) -> None:
        """Fill `views[i]` with what `seats[i]` sees of `states[rows[i]]`."""

    @abc.abstractmethod
    def list_actions(self, views: Views, out: Actions) -> int:
        """Write all legal actions of the first view to `out`, none where it is not that seat's move; return how many."""

    @abc.abstractmethod
    def apply_many(self, states: States, rows: npt.NDArray[np.int64], actions: Actions, events: Events) -> int:
        """Play `actions[i]` in `states[rows[i]]` and write the events, shape (n, seats).

        Returns -1, or the index of the first action that is not legal, which and after which nothing was played.
        """

    @abc.abstractmethod
    def fault(self, states: States, action: int) -> int:
        """What is wrong with an action in the first state: an index of `rule_texts`."""

    def to_move(self, states: States) -> Seats:
        return states["info"][:, self.to_move_entry].astype(np.int8)

    def views(self, states: States, seats: Seats, rows: npt.NDArray[np.int64] | None = None) -> Views:
        if rows is None:
            rows = np.arange(len(states))
        result = np.empty(len(rows), self.view_dtype)
        self.look_many(states, rows, np.ascontiguousarray(seats, np.int8), result)
        return result

    def _views_of_all(self, state: Any) -> Views:
        """The views of all seats of one state: shape (seats,)."""
        states = np.atleast_1d(state)
        return self.views(states, np.arange(self.seats, dtype=np.int8), np.zeros(self.seats, np.int64))

    def legal_actions(self, view: Any) -> LegalActions:
        view = np.atleast_1d(view)
        out = np.empty(self.most_actions, np.int32)
        # Shared entries stand at the same place in a view. When the game is over, nobody is to move, as nobody watches.
        count = 0 if view["info"][0, self.to_move_entry] == NOBODY else self.list_actions(view, out)
        return LegalActions(self, out[:count].copy())

    def apply(self, states: States, actions: Actions, rows: npt.NDArray[np.int64] | None = None) -> Events:
        if rows is None:
            rows = np.arange(len(states))
        if len(actions) != len(rows):
            raise BadInput(f"apply needs one action for each of {len(rows)} states, not {len(actions)}")
        actions = np.ascontiguousarray(actions, np.int32)
        events = np.empty((len(rows), self.seats), self.event_dtype)
        failed = self.apply_many(states, rows, actions, events)
        if failed >= 0:
            state = states[rows[failed] : rows[failed] + 1]
            action = int(actions[failed])
            seat = int(state["info"][0, self.to_move_entry])
            raise IllegalAction(seat, self.format_action(action), self.rule_texts[self.fault(state, action)])
        return events

    def format_event(self, event: Any) -> str:
        return str(self.friendly_event(event))
