"""The duel as a `Game`: the thin layer between the interface that all games share and the compiled rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.compiled import CompiledGame
from molehunt.core.errors import BadInput
from molehunt.core.game import Action, Actions, Events, Game, Outcome, Seats, Seeds, States, Views
from molehunt.games.duel import draw, rules
from molehunt.games.duel import views as seeing
from molehunt.games.duel.friendly import Event, View
from molehunt.games.duel.notation import format_action, parse_action
from molehunt.games.duel.public import public_event, public_view
from molehunt.games.duel.ruleset import MCGILL, Ruleset, ruleset_to_text
from molehunt.games.duel.state import (
    EVENT,
    OUTCOME,
    OUTCOME_NAMES,
    OUTCOME_REASONS,
    SEATS,
    STATE,
    TO_MOVE,
    VIEW,
    WINNER,
)


class Duel(CompiledGame):
    """The two-player race. Seat 1 is the player who moves first.

    BadParameter where the ruleset cannot be played by so many. See `core.game.Game` for what each method does.
    """

    name = "duel"
    seats = SEATS
    state_dtype = STATE
    view_dtype = VIEW
    event_dtype = EVENT
    to_move_entry = TO_MOVE
    most_actions = rules.MAX_ACTIONS
    rule_texts = rules.RULE_TEXTS

    def __init__(self, ruleset: Ruleset = MCGILL, seats: int = SEATS) -> None:
        ruleset.check(seats)
        self.ruleset = ruleset
        self.spec = ruleset_to_text(ruleset)
        self.params = np.zeros(1, np.int64)
        self.params.setflags(write=False)

    def role_counts(self) -> tuple[int, ...]:
        return ()

    def new(self, seeds: Seeds, roles: npt.NDArray[np.int8] | None = None) -> States:
        if roles is not None:
            raise BadInput("duel has no roles to seat")
        states = np.zeros(len(seeds), STATE)
        rules.deal_many(states, np.ascontiguousarray(seeds, np.uint64))
        return states

    def look_many(self, states: States, rows: npt.NDArray[np.int64], seats: Seats, views: Views) -> None:
        seeing.look_many(states, rows, seats, views)

    def public_view(self, state: Any) -> Views:
        return public_view(self._views_of_all(state))

    def public_event(self, events: Any) -> Any:
        return public_event(events)

    def list_actions(self, views: Views, out: Actions) -> int:
        return int(seeing.list_view_actions(views, out))

    def apply_many(self, states: States, rows: npt.NDArray[np.int64], actions: Actions, events: Events) -> int:
        return int(rules.apply_many(states, rows, actions, np.empty(1, EVENT), events))

    def fault(self, states: States, action: int) -> int:
        return int(rules.check_states(states, action))

    def outcome(self, state: Any) -> Outcome | None:
        info = np.atleast_1d(state)["info"][0]
        code = int(info[OUTCOME])
        if not code:
            return None
        winners = (int(info[WINNER]),) if info[WINNER] >= 0 else ()
        return Outcome(OUTCOME_REASONS[code], winners, tuple(float(seat in winners) for seat in range(SEATS)))

    def wins(self, states: States) -> npt.NDArray[np.bool_]:
        result: npt.NDArray[np.bool_] = states["info"][:, WINNER, None] == np.arange(SEATS)
        return result

    def outcome_names(self) -> tuple[str, ...]:
        return OUTCOME_NAMES

    def outcome_codes(self, states: States) -> npt.NDArray[np.int64]:
        return states["info"][:, OUTCOME].astype(np.int64) - 1

    def roles_of(self, states: States) -> npt.NDArray[np.int8]:
        return np.zeros((len(states), SEATS), np.int8)

    def resample(self, views: Views, streams: npt.NDArray[np.uint64], memory: Any = None) -> States:
        states = np.zeros(len(views), STATE)
        seeing.resample_many(views, np.ascontiguousarray(streams, np.uint64), states)
        return states

    def play_randomly(self, states: States, streams: npt.NDArray[np.uint64]) -> int:
        """Play every state to its end with uniformly random legal actions, in one compiled loop; the number of moves."""
        return int(rules.play_randomly(states, streams.copy(), np.empty(1, EVENT)))

    def format_action(self, action: int) -> str:
        return format_action(int(action))

    def parse_action(self, text: str) -> Action:
        code = parse_action(text)
        return Action(code, format_action(code))

    def friendly_view(self, view: Any) -> View:
        return View(self, np.atleast_1d(view))

    def friendly_event(self, event: Any) -> Event:
        return Event(self, event)

    def draw_text(self, view: Any) -> str:
        return draw.text(self.friendly_view(view))

    def draw_svg(self, view: Any) -> str:
        return draw.svg(self.friendly_view(view))


def check_game(agent: str, game: Game) -> Duel:
    """The game as the duel; BadInput where an agent for the duel was seated at another game."""
    if not isinstance(game, Duel):
        raise BadInput(f"{agent} plays duel, not {game.label}")
    return game
