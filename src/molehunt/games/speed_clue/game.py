"""Speed Clue as a `Game`: the thin layer between the interface that all games share and the compiled rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput
from molehunt.core.game import Action, Game, Outcome, States, Views, check_is_code, check_is_text
from molehunt.games.compiled import CompiledGame, drawn, looked_up
from molehunt.games.speed_clue import draw, kernels, rules
from molehunt.games.speed_clue.deals import list_deals
from molehunt.games.speed_clue.friendly import Event, View
from molehunt.games.speed_clue.notation import format_action, parse_action
from molehunt.games.speed_clue.possible import can_be_seen
from molehunt.games.speed_clue.public import public_event, public_view
from molehunt.games.speed_clue.ruleset import MITCHELL, Ruleset, ruleset_to_text
from molehunt.games.speed_clue.state import (
    EVENT,
    OUTCOME_NAMES,
    OUTCOME_REASONS,
    STATE,
    VIEW,
)


class SpeedClue(CompiledGame):
    """Speed Clue under one ruleset with a number of seats.

    BadParameter where the ruleset cannot be played by so many. See `core.game.Game` for what each method does.
    """

    name = "speed_clue"
    looks_for_nobody = False
    interpreted_first = True
    visible = can_be_seen
    state_dtype = STATE
    view_dtype = VIEW
    event_dtype = EVENT
    kernels = kernels
    rule_texts = rules.RULE_TEXTS

    def __init__(self, ruleset: Ruleset = MITCHELL, seats: int = 3) -> None:
        ruleset.check(seats)
        self.ruleset = ruleset
        self.edition = ruleset.edition
        self.seats = seats
        self.spec = ruleset_to_text(ruleset)
        self.params = ruleset.params(seats)
        self.params.setflags(write=False)
        suspects, weapons, locations = self.edition.counts
        self.most_actions = 2 * suspects * weapons * locations + 1

    def deals(self, roles: npt.NDArray[np.int8] | None = None) -> tuple[States, npt.NDArray[np.float64]]:
        if roles is not None:
            raise BadInput("speed_clue has no roles to seat")
        return list_deals(self.new(np.zeros(1, np.uint64)), self.params, self.label)

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
        return Outcome(OUTCOME_REASONS[code], winners, tuple(float(seat in winners) for seat in range(self.seats)))

    def outcome_names(self) -> tuple[str, ...]:
        return OUTCOME_NAMES

    def outcome_codes(self, states: States) -> npt.NDArray[np.int64]:
        return states["outcome"].astype(np.int64) - 1

    def turns(self, states: States) -> npt.NDArray[np.int64]:
        """How many turns were begun in each state, the last one included: shape (n,)."""
        return states["turns"].astype(np.int64)

    def format_action(self, action: int) -> str:
        return format_action(check_is_code(action), self.edition)

    def parse_action(self, text: str) -> Action:
        code = parse_action(check_is_text(text), self.edition)
        return Action(code, format_action(code, self.edition))

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


def check_game(agent: str, game: Game) -> SpeedClue:
    """The game as Speed Clue; BadInput where an agent for Speed Clue was seated at another game."""
    if not isinstance(game, SpeedClue):
        raise BadInput(f"{agent} plays speed_clue, not {game.label}")
    return game
