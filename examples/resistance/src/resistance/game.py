"""The Resistance as a `Game`: the thin layer between the interface that all games share and the compiled rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput
from molehunt.core.game import Action, Events, Game, Outcome, States, Views
from molehunt.core.seats import NOBODY
from molehunt.games.compiled import CompiledGame
from resistance import draw, kernels
from resistance.friendly import Event, View
from resistance.notation import format_action, parse_action
from resistance.ruleset import STANDARD, Ruleset, ruleset_to_text
from resistance.state import (
    APPROVE,
    ATTEMPTS,
    EVENT,
    FAIL,
    HIDDEN_CARD,
    HIDDEN_VOTE,
    MISSIONS,
    MOST_ACTIONS,
    OUTCOME_NAMES,
    OUTCOME_REASONS,
    OUTCOME_SIDES,
    REJECT,
    RESISTANCE,
    ROLE_NAMES,
    SPY,
    STATE,
    SUCCESS,
    TEAMS,
    UNKNOWN,
    VIEW,
)


class Resistance(CompiledGame):
    """The game for one ruleset and number of seats, 5 to 10.

    BadParameter where the ruleset cannot be played by so many. See `core.game.Game` for what each method does.
    """

    name = "resistance"
    roles = ROLE_NAMES
    state_dtype = STATE
    view_dtype = VIEW
    event_dtype = EVENT
    kernels = kernels
    most_actions = MOST_ACTIONS
    rule_texts = kernels.RULE_TEXTS

    def __init__(self, ruleset: Ruleset = STANDARD, seats: int = 5) -> None:
        ruleset.check(seats)
        self.ruleset = ruleset
        self.seats = seats
        self.spec = ruleset_to_text(ruleset)
        self.params = ruleset.params(seats)

    # --- Roles and deals ------------------------------------------------------------------------------------------------

    def role_counts(self) -> tuple[int, ...]:
        spies = self.ruleset.spies_of(self.seats)
        return self.seats - spies, spies

    def roles_of(self, states: States) -> npt.NDArray[np.int8]:
        return states["roles"][:, : self.seats].copy()

    def check_roles(self, roles: npt.NDArray[Any], games: int) -> None:
        """BadInput where roles, shape (games, seats), are not so many of each as the ruleset says."""
        if roles.shape != (games, self.seats):
            raise BadInput(f"roles need the shape ({games}, {self.seats}), not {roles.shape}")
        spies = self.role_counts()[SPY]
        if not np.isin(roles, (RESISTANCE, SPY)).all() or not ((roles == SPY).sum(axis=1) == spies).all():
            raise BadInput(
                f"of {self.seats} seats {spies} are spies ({SPY}) and the others the resistance ({RESISTANCE})"
            )

    def deals(self, roles: npt.NDArray[np.int8] | None = None) -> tuple[States, npt.NDArray[np.float64]]:
        if roles is not None:
            self.check_roles(roles[None], 1)
            sets = [np.asarray(roles, np.int8)]
        else:
            spies = self.role_counts()[SPY]
            words = [word for word in range(1 << self.seats) if word.bit_count() == spies]
            sets = [(word >> np.arange(self.seats) & 1).astype(np.int8) for word in words]
        states = self.new(np.zeros(len(sets) * self.seats, np.uint64), np.repeat(sets, self.seats, axis=0))
        states["stream"] = 0
        states["leader"] = states["to_move"] = np.tile(np.arange(self.seats), len(sets))
        return states, np.full(len(states), 1 / len(states))

    # --- For those who watch --------------------------------------------------------------------------------------------

    def public_view(self, state: Any) -> Views:
        return self.views(np.ascontiguousarray(np.atleast_1d(state)), np.array([NOBODY], np.int8))

    def public_event(self, events: Events) -> Any:
        result = events[:1].copy()
        action = result["action"][0]
        if action in {SUCCESS, FAIL}:
            result["action"] = HIDDEN_CARD
        elif action in {APPROVE, REJECT} and result["ayes"][0] == UNKNOWN:
            result["action"] = HIDDEN_VOTE
        return result[0]

    # --- The end --------------------------------------------------------------------------------------------------------

    def outcome(self, state: Any) -> Outcome | None:
        states = np.atleast_1d(state)
        code = int(states["outcome"][0])
        if not code:
            return None
        won = states["roles"][0, : self.seats] == OUTCOME_SIDES[code]
        return Outcome(OUTCOME_REASONS[code], tuple(np.flatnonzero(won).tolist()), tuple(won.astype(float).tolist()))

    def outcome_names(self) -> tuple[str, ...]:
        return OUTCOME_NAMES

    def outcome_codes(self, states: States) -> npt.NDArray[np.int64]:
        return states["outcome"].astype(np.int64) - 1

    # --- For people -----------------------------------------------------------------------------------------------------

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


def every_action(game: Game) -> npt.NDArray[np.int32]:
    """All actions that can ever be legal: the teams of all sizes in the table of missions, votes and cards."""
    resistance = check_game("the list of actions", game)
    sizes = set(resistance.ruleset.team_sizes(game.seats))
    teams = [word for word in range(TEAMS) if word < 1 << game.seats and word.bit_count() in sizes]
    return np.array([*teams, APPROVE, REJECT, SUCCESS, FAIL], np.int32)


def longest(game: Game) -> int:
    """A bound on the moves of one play: in every mission all proposals and their votes, and a card from everybody."""
    return MISSIONS * (ATTEMPTS * (1 + game.seats) + game.seats)


def check_game(who: str, game: Game) -> Resistance:
    """The game as The Resistance; BadInput where a player of it was seated at another game."""
    if not isinstance(game, Resistance):
        raise BadInput(f"{who} plays resistance, not {game.label}")
    return game
