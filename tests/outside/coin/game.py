"""The coin as a game: what its kernels do not say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput, BadNotation
from molehunt.core.game import Action, Outcome, States, Views
from molehunt.core.specs import canonical, parameter
from molehunt.games.compiled import CompiledGame
from outside.coin import kernels
from outside.coin.kernels import EVENT, MAX_SEATS, NOBODY, POINT, STATE, UNKNOWN, VIEW


@dataclass(frozen=True)
class Ruleset:
    name: str
    peeks: bool = parameter(True, "each may peek at one other, once")


RULESETS = {"parlour": Ruleset("parlour"), "blind": Ruleset("blind", peeks=False)}
VERBS = ("peek", "point")


def every_action(game: Coin) -> npt.NDArray[np.int32]:
    """All actions by acting seat: another seat is named as so many after the one that acts."""
    return np.array(
        [
            [first + (seat + after) % game.seats for first in (0, POINT) for after in range(1, game.seats)]
            for seat in range(game.seats)
        ],
        np.int32,
    )


class Coin(CompiledGame):
    """Who holds the coin?"""

    name = "hidden_coin"
    kernels = kernels
    state_dtype, view_dtype, event_dtype = STATE, VIEW, EVENT
    most_actions = 2 * MAX_SEATS
    rule_texts = kernels.RULE_TEXTS
    roles = ("seeker", "holder")

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        self.ruleset = ruleset
        self.spec = canonical(ruleset.name, {ruleset.name: RULESETS[ruleset.name]}, ruleset)
        self.seats = seats
        self.params = np.array([seats, ruleset.peeks], np.int64)
        self.params.setflags(write=False)

    def role_counts(self) -> tuple[int, ...]:
        return self.seats - 1, 1

    def check_roles(self, roles: npt.NDArray[Any], games: int) -> None:
        if roles.shape != (games, self.seats) or not ((roles == 1).sum(axis=1) == 1).all():
            raise BadInput("one seat is the holder's")

    def roles_of(self, states: States) -> npt.NDArray[np.int8]:
        found: npt.NDArray[np.int8] = states["roles"][:, : self.seats]
        return found

    def public_view(self, state: Any) -> Views:
        view = self.views(np.atleast_1d(state), np.zeros(1, np.int8))
        view["seat"], view["holds"], view["seen"] = NOBODY, False, UNKNOWN
        return view

    def public_event(self, events: Any) -> Any:
        event = np.array([events[0]])
        event["seen"] = UNKNOWN
        return event[0]

    def outcome(self, state: Any) -> Outcome | None:
        states = np.atleast_1d(state)
        code = int(self.outcome_codes(states)[0])
        if code < 0:
            return None
        payoffs = self.payoffs(states)[0]
        winners = tuple(int(seat) for seat in np.flatnonzero(payoffs))
        return Outcome(("the holder was found", "nobody found the holder")[code], winners, tuple(payoffs.tolist()))

    def outcome_names(self) -> tuple[str, ...]:
        return "found", "hidden"

    def outcome_codes(self, states: States) -> npt.NDArray[np.int64]:
        holders = (self.wins(states) & (self.roles_of(states) == 1)).any(axis=1)
        return np.where(self.to_move(states) < 0, holders.astype(np.int64), -1)

    def format_action(self, action: int) -> str:
        return f"{VERBS[action >= POINT]}:{int(action) % MAX_SEATS}"

    def parse_action(self, text: str) -> Action:
        found = re.fullmatch(r"(peek|point):([0-3])", text)
        if not found:
            raise BadNotation(f"{text!r:.40} is no move; moves look like peek:1, point:2")
        return Action(POINT * VERBS.index(found[1]) + int(found[2]), text)

    def friendly_view(self, view: Any) -> View:
        return View(self, np.atleast_1d(view))

    def friendly_event(self, event: Any) -> Event:
        return Event(self, event)

    def draw_text(self, view: Any) -> str:
        seen = self.friendly_view(view)
        lines = [f"seat {seat}: {line}" for seat, line in enumerate(seen.lines)]
        return "\n".join([*lines, f"You are the {seen.role}." if seen.role else "The coin is hidden."])

    def draw_svg(self, view: Any) -> str:
        text = "".join(
            f'<text x="4" y="{20 * row + 16}">{line}</text>'
            for row, line in enumerate(self.draw_text(view).split("\n"))
        )
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 120">{text}</svg>'


class View:
    """A view with names."""

    def __init__(self, game: Coin, record: Any) -> None:
        self.seat = int(record["seat"][0])
        self.to_move = int(record["to_move"][0])
        self.role = "" if self.seat < 0 else game.roles[int(record["holds"][0])]
        self.legal_actions = game.legal_actions(record)
        peeked, pointed = record["peeked"][0].tolist(), record["pointed"][0].tolist()
        self.lines = [
            ", ".join(
                f"{verb} at seat {target[seat]}"
                for verb, target in (("peeked", peeked), ("pointed", pointed))
                if target[seat] != NOBODY
            )
            or "nothing yet"
            for seat in range(game.seats)
        ]


class Event:
    """An event with names; it says itself what happened."""

    def __init__(self, game: Coin, record: Any) -> None:
        self.seat = int(record["seat"])
        self.move = game.format_action(int(record["action"]))
        self.seen = None if record["seen"] == UNKNOWN else game.roles[int(record["seen"])]

    def __str__(self) -> str:
        verb, _, other = self.move.partition(":")
        seen = f" and sees a {self.seen}" if self.seen else ""
        return f"seat {self.seat} {verb}s at seat {other}{seen}"
