"""Views and events as objects with names, for people, drawings and players in plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from molehunt.core.friendly import FriendlyEvent, FriendlyView
from molehunt.core.game import LegalActions
from molehunt.core.words import counted, joined
from resistance.notation import format_action
from resistance.state import (
    ATTEMPTS,
    GOING_ON,
    MISSIONS,
    OUTCOME_NAMES,
    OUTCOME_SIDES,
    PHASE_NAMES,
    ROLE_NAMES,
    SPY,
    UNKNOWN,
    VOTING,
)
from resistance.teams import seats_of

if TYPE_CHECKING:
    from resistance.game import Resistance


@dataclass(frozen=True, slots=True)
class Mission:
    """One line of the table of missions, and what came of it.

    `number` counts from 1; `size` go on it, and `needed` fails make it fail. `team`, `fails` and `succeeded` are None before it
    has been carried out.
    """

    number: int
    size: int
    needed: int
    team: tuple[int, ...] | None
    fails: int | None
    succeeded: bool | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A team that was proposed: for which mission, as which proposal for it (both from 1), by whom, and the vote on it.

    `ayes` are those who approved; it and `approved` are None while the vote goes on.
    """

    mission: int
    attempt: int
    leader: int
    team: tuple[int, ...]
    ayes: tuple[int, ...] | None
    approved: bool | None


class View(FriendlyView):
    """What one seat knows. `legal_actions` is empty when another seat is to move.

    Seats count from 0, missions and proposals for a mission (`attempt`) from 1. `phase` is "propose", "vote" or "mission".
    `record` is the underlying array of one record, for those who want the numbers.
    """

    def __init__(self, game: Resistance, record: Any) -> None:
        self.game = game
        self.record = record
        self._view = record[0]
        self.seat = int(self._view["seat"])
        self.seats = game.seats
        self.turn = int(self._view["turn"])
        self.to_move = int(self._view["to_move"]) if self._view["to_move"] >= 0 else None
        self.phase = PHASE_NAMES[self._view["phase"]]
        self.mission = int(self._view["mission"]) + 1
        self.attempt = int(self._view["attempt"]) + 1
        self.leader = int(self._view["leader"])
        self.over = bool(self._view["outcome"] != GOING_ON)
        self.outcome = OUTCOME_NAMES[self._view["outcome"] - 1] if self.over else None
        self.winners = ROLE_NAMES[OUTCOME_SIDES[self._view["outcome"]]] if self.over else None

    @cached_property
    def roles(self) -> tuple[str | None, ...]:
        """The role of every seat, "resistance" or "spy", None where this seat does not know it."""
        known = self._view["roles"][: self.seats].tolist()
        return tuple(None if role == UNKNOWN else ROLE_NAMES[role] for role in known)

    @property
    def role(self) -> str | None:
        """This seat's own role; None for those who watch."""
        return self.roles[self.seat] if self.seat >= 0 else None

    @property
    def spies(self) -> frozenset[int]:
        """The seats that this seat knows to be spies."""
        return frozenset(seat for seat, role in enumerate(self.roles) if role == ROLE_NAMES[SPY])

    @cached_property
    def missions(self) -> tuple[Mission, ...]:
        """All five missions, in order."""
        sizes, needed = self.game.ruleset.team_sizes(self.seats), self.game.ruleset.fails_needed(self.seats)
        fails = self._view["fails"].tolist()
        result = []
        for number in range(MISSIONS):
            done = fails[number] != UNKNOWN
            team = seats_of([word for word in self._view["teams"][number].tolist() if word][-1]) if done else None
            result.append(
                Mission(
                    number + 1,
                    sizes[number],
                    needed[number],
                    team,
                    fails[number] if done else None,
                    fails[number] < needed[number] if done else None,
                )
            )
        return tuple(result)

    @cached_property
    def proposals(self) -> tuple[Proposal, ...]:
        """All teams that were proposed, the oldest first."""
        words = [
            (mission, attempt, int(self._view["teams"][mission, attempt]), int(self._view["ayes"][mission, attempt]))
            for mission in range(MISSIONS)
            for attempt in range(ATTEMPTS)
            if self._view["teams"][mission, attempt]
        ]
        # The leadership passes on after every vote, but on a mission and at the end it has not passed on yet.
        waiting = not self.over and self.phase == PHASE_NAMES[0]
        latest = self.leader - waiting
        result = []
        for number, (mission, attempt, team, ayes) in enumerate(words):
            voting = not self.over and self._view["phase"] == VOTING and number == len(words) - 1
            leader = (latest - (len(words) - 1 - number)) % self.seats
            approved = None if voting else 2 * ayes.bit_count() > self.seats
            proposal = Proposal(
                mission + 1, attempt + 1, leader, seats_of(team), None if voting else seats_of(ayes), approved
            )
            result.append(proposal)
        return tuple(result)

    @property
    def team(self) -> tuple[int, ...] | None:
        """The team that is voted on or is on its mission; None while the leader chooses one, and at the end."""
        if self.over or self.phase == PHASE_NAMES[0]:
            return None
        return self.proposals[-1].team

    @property
    def team_size(self) -> int:
        """How many go on the mission that is to come or going on."""
        return self.missions[self.mission - 1].size

    @property
    def successes(self) -> int:
        """How many missions have succeeded."""
        return sum(mission.succeeded is True for mission in self.missions)

    @property
    def failures(self) -> int:
        """How many missions have failed."""
        return sum(mission.succeeded is False for mission in self.missions)

    @property
    def own_fails(self) -> tuple[int, ...]:
        """The missions (from 1) on which this seat has played fail."""
        return tuple(number + 1 for number, word in enumerate(self._view["failed_by"].tolist()) if word)

    @property
    def legal_actions(self) -> LegalActions:
        """What this seat may do now."""
        return self.game.legal_actions(self.record)


class Event(FriendlyEvent):
    """What a seat learns of one move.

    `seat` moved; `move` is the notation ("vote:?" and "card:?" where it is secret); `mission` and `attempt` count from 1; `team` is
    the team that it is about. With the last vote, `ayes` are those who approved and `approved` says whether they are
    enough; with the last mission card, `fails` is how many fails there are and `succeeded` what came of the mission. With the last
    move of the game `winners` is the role that has won and `roles` are all roles. Otherwise these are None.
    """

    def __init__(self, game: Resistance, record: Any) -> None:
        self.record = record
        self.turn = int(record["turn"])
        self.seat = int(record["seat"])
        self.move = format_action(int(record["action"]))
        self.mission = int(record["mission"]) + 1
        self.attempt = int(record["attempt"]) + 1
        self.team = seats_of(record["team"])
        voted, carried_out, over = record["ayes"] != UNKNOWN, record["fails"] != UNKNOWN, record["outcome"] != GOING_ON
        self.ayes = seats_of(record["ayes"]) if voted else None
        self.approved = bool(record["approved"]) if voted else None
        self.fails = int(record["fails"]) if carried_out else None
        self.succeeded = bool(record["succeeded"]) if carried_out else None
        self.winners = ROLE_NAMES[OUTCOME_SIDES[record["outcome"]]] if over else None
        self.roles = tuple(ROLE_NAMES[role] for role in record["roles"][: game.seats]) if over else None

    def __str__(self) -> str:
        parts = [f"seat {self.seat}: {self.move}"]
        if self.ayes is not None:
            for_it = joined(map(str, self.ayes)) if self.ayes else "nobody"
            parts.append(f"the team is {'approved by' if self.approved else 'rejected, approved only by'} {for_it}")
        if self.fails is not None:
            came = "succeeds" if self.succeeded else "fails"
            parts.append(f"mission {self.mission} {came} with {counted(self.fails, 'fail')}")
        if self.winners is not None:
            parts.append("the resistance wins" if self.winners == ROLE_NAMES[0] else "the spies win")
        return ", ".join(parts)
