"""Made-up games for the search, as small as can be, with compiled rules.

* The riddle: a coin and a die lie hidden. Seat 0 plays safe, and wins for three of the four sides of the die, or guesses the
  coin in its next move, and wins if it is right. Who knows the coin in each world that it imagines takes the guess for a sure win.
* The traitor: of three seats one is the traitor, who alone knows it. All move twice in turn, for all to see, and help or harm. Two
  harms and the traitor wins, else the others do. So a traitor must harm in both moves, and nobody else gains by it.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput
from molehunt.core.game import Action, Outcome, States, Views
from molehunt.games.compiled import CompiledGame
from search import riddle_kernels, traitor_kernels


class TinyGame(CompiledGame):
    """What the made-up games share: no rulesets, actions with names, and no drawing."""

    spec = "made_up"
    action_names: tuple[str, ...]
    most_actions = 2
    params = np.zeros(1, np.int64)
    params.setflags(write=False)

    def public_view(self, state: Any) -> Views:
        return self.views(np.atleast_1d(state), np.array([-1], np.int8))

    def public_event(self, events: Any) -> Any:
        return events[0]

    def outcome(self, state: Any) -> Outcome | None:
        states = np.atleast_1d(state)
        won = self.wins(states)[0]
        return Outcome("over", tuple(np.flatnonzero(won).tolist()), tuple(map(float, won))) if won.any() else None

    def outcome_names(self) -> tuple[str, ...]:
        return ("over",)

    def outcome_codes(self, states: States) -> npt.NDArray[np.int64]:
        return np.where(self.wins(states).any(axis=1), 0, -1)

    def format_action(self, action: int) -> str:
        return self.action_names[action]

    def parse_action(self, text: str) -> Action:
        return Action(self.action_names.index(text), text)

    def friendly_view(self, view: Any) -> Any:
        return SimpleNamespace(seat=int(np.atleast_1d(view)["seat"][0]), legal_actions=self.legal_actions(view))

    def friendly_event(self, event: Any) -> Any:
        return self.action_names[int(np.atleast_1d(event)["action"][0])]

    def draw_text(self, view: Any) -> str:
        return str(view)

    def draw_svg(self, view: Any) -> str:
        return "<svg/>"


class Riddle(TinyGame):
    """Safe, or a guess?"""

    name = "riddle"
    seats = 2
    kernels = riddle_kernels
    rule_texts = riddle_kernels.RULE_TEXTS
    action_names = ("safe", "guess", "heads", "tails")
    state_dtype = np.dtype([("coin", np.int8), ("die", np.int8), ("stage", np.int8), ("winner", np.int8)])
    view_dtype = np.dtype([("seat", np.int8), ("stage", np.int8)])
    event_dtype = np.dtype([("action", np.int8)])


class Traitor(TinyGame):
    """Who harms?"""

    name = "traitor"
    seats = traitor_kernels.SEATS
    roles = ("loyal", "traitor")
    kernels = traitor_kernels
    rule_texts = traitor_kernels.RULE_TEXTS
    action_names = ("help", "harm")
    state_dtype = np.dtype([("roles", np.int8, (3,)), ("count", np.int8), ("moves", np.int8, (6,))])
    view_dtype = np.dtype([("seat", np.int8), ("role", np.int8), ("count", np.int8), ("moves", np.int8, (6,))])
    event_dtype = np.dtype([("seat", np.int8), ("action", np.int8)])

    def role_counts(self) -> tuple[int, ...]:
        return self.seats - 1, 1

    def roles_of(self, states: States) -> npt.NDArray[np.int8]:
        return states["roles"].copy()

    def check_roles(self, roles: npt.NDArray[Any], games: int) -> None:
        if roles.shape != (games, self.seats) or not (roles.sum(axis=1) == 1).all():
            raise BadInput("one of three is the traitor")


RIDDLE, TRAITOR = Riddle(), Traitor()
