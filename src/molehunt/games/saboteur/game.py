"""Saboteur as a `Game`: the thin layer between the interface that all games share and the compiled rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput
from molehunt.core.game import Action, Events, Game, Outcome, States, Views, check_is_code, check_is_text
from molehunt.core.language import later
from molehunt.games.compiled import CompiledGame, drawn, looked_up
from molehunt.games.saboteur import draw, kernels, rules
from molehunt.games.saboteur.cards import KINDS, NO_CARD, ROLE_NAMES, SABOTEUR
from molehunt.games.saboteur.deals import list_deals
from molehunt.games.saboteur.friendly import Event, View
from molehunt.games.saboteur.notation import format_action, parse_action
from molehunt.games.saboteur.possible import can_be_seen
from molehunt.games.saboteur.public import public_event, public_view
from molehunt.games.saboteur.ruleset import COUNTS, KRISNADI, Ruleset, ruleset_to_text
from molehunt.games.saboteur.state import (
    EVENT,
    OUTCOME_NAMES,
    OUTCOME_REASONS,
    STATE,
    VIEW,
)
from molehunt.games.saboteur.views import MAX_ACTIONS

GOLD_REASONS = {
    2: (
        later("the gold was reached in 0 of 2 rounds"),
        later("the gold was reached in 1 of 2 rounds"),
        later("the gold was reached in 2 of 2 rounds"),
    ),
    3: (
        later("the gold was reached in 0 of 3 rounds"),
        later("the gold was reached in 1 of 3 rounds"),
        later("the gold was reached in 2 of 3 rounds"),
        later("the gold was reached in 3 of 3 rounds"),
    ),
}
"""How a game of so many rounds ended, by how often the gold was reached; records keep it in English, so each is a text."""


class Saboteur(CompiledGame):
    """Saboteur under one ruleset with a number of seats.

    BadParameter where the ruleset cannot be played by so many. See `core.game.Game` for what each method does.
    """

    name = "saboteur"
    looks_for_nobody = False
    interpreted_first = True
    visible = can_be_seen
    roles = ROLE_NAMES
    state_dtype = STATE
    view_dtype = VIEW
    event_dtype = EVENT
    kernels = kernels
    most_actions = MAX_ACTIONS
    rule_texts = rules.RULE_TEXTS

    def __init__(self, ruleset: Ruleset = KRISNADI, seats: int = 5) -> None:
        ruleset.check(seats)
        self.ruleset = ruleset
        self.seats = seats
        self.spec = ruleset_to_text(ruleset)
        self.params = ruleset.params(seats)
        self.params.setflags(write=False)

    def role_counts(self) -> tuple[int, ...]:
        """How many miners and saboteurs there are; the most saboteurs there can be, where their number is hidden."""
        saboteurs = self.ruleset.saboteurs_for(self.seats)
        return self.seats - saboteurs, saboteurs

    def deal_number(self, view: Any) -> int:
        return int(np.atleast_1d(view)["round"][0])

    def as_dealt(self, view: Views, events: Events) -> tuple[Views, Events] | None:
        ends = np.flatnonzero(events["ended"])
        since = events[ends[-1] + 1 :] if len(ends) else events
        if len(ends) == 0 or (since["seat"] == view["seat"][0]).any():
            return None
        # A round begins as a game does, but for the hand, which is as it was dealt until its seat has moved, and for what stays.
        dealt = self.views(self.new(np.zeros(1, np.uint64)), view["seat"].astype(np.int8))
        kept = (
            "hand",
            "role",
            "nuggets",
            "packs",
            "past_roles",
            "takers",
            "unpaid",
            "outcome",
            "round",
            "gold_rounds",
            "gold_drawn",
        )
        for name in kept:
            dealt[name] = view[name]
        held = np.bincount(view["hand"][0][view["hand"][0] != NO_CARD], minlength=KINDS)
        dealt["unseen"][0] = self.params[COUNTS : COUNTS + KINDS] - held
        dealt["turn"] = view["turn"] - len(since)
        dealt["to_move"] = since["seat"][0] if len(since) else view["to_move"]
        return dealt, since

    def check_roles(self, roles: npt.NDArray[Any], games: int) -> None:
        wanted = self.role_counts()[SABOTEUR]
        if self.ruleset.rounds > 1:
            raise BadInput(f"roles are dealt anew in every round: seat them in a game of one, {self.label}:rounds=1")
        if roles.shape != (games, self.seats):
            raise BadInput(f"roles must have the shape {(games, self.seats)}, not {roles.shape}")
        counts = roles.sum(axis=1)
        fewest = wanted - self.ruleset.hidden_role
        if not np.isin(roles, (0, 1)).all() or (counts > wanted).any() or (counts < fewest).any():
            allowed = f"{fewest} or {wanted}" if fewest < wanted else f"{wanted}"
            raise BadInput(f"roles must hold {allowed} saboteurs (1), the others miners (0), in every game")

    def deals(self, roles: npt.NDArray[np.int8] | None = None) -> tuple[States, npt.NDArray[np.float64]]:
        if roles is not None:
            self.check_roles(np.asarray(roles)[None], 1)
        return list_deals(self.new(np.zeros(1, np.uint64)), self.params, self.label, roles)

    def as_listed(self, views: Views) -> Views:
        views = views.copy()
        # Cards in the order of their numbers, empty slots last.
        hands = np.sort(views["hand"].astype(np.uint8), axis=1)
        views["hand"] = hands.astype(np.int8)
        return views

    def public_view(self, state: Any) -> Views:
        return public_view(self.views_of_all(state), self.params[COUNTS : COUNTS + KINDS])

    def public_event(self, events: Any) -> Any:
        return public_event(events)

    @looked_up
    def outcome(self, state: Any) -> Outcome | None:
        code = int(self.one_state(state)["outcome"])
        if not code:
            return None
        states = np.atleast_1d(state)
        reason = OUTCOME_REASONS[code]
        if self.ruleset.rounds > 1:
            reason = GOLD_REASONS[self.ruleset.rounds][int(states["gold_rounds"][0])]
        return Outcome(
            reason,
            tuple(int(seat) for seat in np.flatnonzero(self.wins(states)[0])),
            tuple(float(nuggets) for nuggets in states["nuggets"][0, : self.seats]),
        )

    def outcome_names(self) -> tuple[str, ...]:
        rounds = self.ruleset.rounds
        if rounds == 1:
            return OUTCOME_NAMES
        return tuple(f"gold in {number} of {rounds}" for number in range(rounds + 1))

    def outcome_codes(self, states: States) -> npt.NDArray[np.int64]:
        ended = states["outcome"].astype(np.int64)
        if self.ruleset.rounds == 1:
            return ended - 1
        return np.where(ended > 0, states["gold_rounds"].astype(np.int64), -1)

    def roles_of(self, states: States) -> npt.NDArray[np.int8]:
        result: npt.NDArray[np.int8] = states["roles"][:, : self.seats].copy()
        return result

    def format_action(self, action: int) -> str:
        return format_action(check_is_code(action), self.ruleset)

    def parse_action(self, text: str) -> Action:
        code = parse_action(check_is_text(text), self.ruleset, self.seats)
        return Action(code, format_action(code, self.ruleset))

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


def check_game(agent: str, game: Game) -> Saboteur:
    """The game as Saboteur; BadInput where an agent for Saboteur was seated at another game."""
    if not isinstance(game, Saboteur):
        raise BadInput(f"{agent} plays saboteur, not {game.label}")
    return game
