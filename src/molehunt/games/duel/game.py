"""The duel as a `Game`: the thin layer between the interface that all games share and the compiled rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput
from molehunt.core.game import Action, Game, Outcome, States, Views, check_is_code, check_is_text
from molehunt.games.compiled import CompiledGame, drawn, looked_up
from molehunt.games.duel import draw, kernels, rules
from molehunt.games.duel.friendly import Event, View
from molehunt.games.duel.notation import format_action, parse_action
from molehunt.games.duel.possible import can_be_seen
from molehunt.games.duel.public import public_event, public_view
from molehunt.games.duel.ruleset import MCGILL, Ruleset, ruleset_to_text
from molehunt.games.duel.state import (
    EVENT,
    OUTCOME_NAMES,
    OUTCOME_REASONS,
    SEATS,
    STATE,
    VIEW,
)


class Duel(CompiledGame):
    """The two-player race. Seat 1 is the player who moves first.

    BadParameter where the ruleset cannot be played by so many. See `core.game.Game` for what each method does.
    """

    name = "duel"
    looks_for_nobody = False
    interpreted_first = True
    visible = can_be_seen
    seats = SEATS
    state_dtype = STATE
    view_dtype = VIEW
    event_dtype = EVENT
    kernels = kernels
    most_actions = rules.MAX_ACTIONS
    rule_texts = rules.RULE_TEXTS

    def __init__(self, ruleset: Ruleset = MCGILL, seats: int = SEATS) -> None:
        ruleset.check(seats)
        self.ruleset = ruleset
        self.spec = ruleset_to_text(ruleset)
        self.params = np.zeros(1, np.int64)
        self.params.setflags(write=False)

    def public_view(self, state: Any) -> Views:
        return public_view(self.views_of_all(state))

    def public_event(self, events: Any) -> Any:
        return public_event(events)

    @looked_up
    def outcome(self, state: Any) -> Outcome | None:
        state = self.one_state(state)
        code = int(state["outcome"])
        if not code:
            return None
        winners = (int(state["winner"]),) if state["winner"] >= 0 else ()
        return Outcome(OUTCOME_REASONS[code], winners, tuple(float(seat in winners) for seat in range(SEATS)))

    def outcome_names(self) -> tuple[str, ...]:
        return OUTCOME_NAMES

    def outcome_codes(self, states: States) -> npt.NDArray[np.int64]:
        return states["outcome"].astype(np.int64) - 1

    def format_action(self, action: int) -> str:
        return format_action(check_is_code(action))

    def parse_action(self, text: str) -> Action:
        code = parse_action(check_is_text(text))
        return Action(code, format_action(code))

    @looked_up
    def friendly_view(self, view: Any) -> View:
        return View(self, self.one_view(view))

    @looked_up
    def friendly_event(self, event: Any) -> Event:
        return Event(self, self.one_event(event))

    @drawn
    def draw_text(self, view: Any) -> str:
        return draw.text(self.friendly_view(view))

    @drawn
    def draw_svg(self, view: Any) -> str:
        return draw.svg(self.friendly_view(view))


def check_game(agent: str, game: Game) -> Duel:
    """The game as the duel; BadInput where an agent for the duel was seated at another game."""
    if not isinstance(game, Duel):
        raise BadInput(f"{agent} plays duel, not {game.label}")
    return game
