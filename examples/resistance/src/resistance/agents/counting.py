"""`counting`: keeps every set of spies that the missions allow, and reckons with them; nothing is read from votes or proposals.

The resistance proposes a team that is least likely to fail, rejects a team where a better one of the same kind is to be had
(those that it is on itself and those that it is not on are told apart, because nobody trusts themselves less than
others), and approves any team when a rejection would lose the game. A spy brings as many spies onto a team as a fail takes,
of all such teams the one that looks best to those who know only the results, approves teams that can be made to fail, and
plays fail if a fail is enough or another spy of a lower number plays the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent, Rows
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.kernels import kernel
from molehunt.core.memory import CONSTANT_PART
from molehunt.core.panels import Bar, Bars, Panel
from molehunt.core.specs import as_record, parameter
from molehunt.core.streams import below, next_word
from molehunt.core.words import counted
from resistance.game import Resistance, check_game
from resistance.spy_sets import explains, possible_spies, sent_team
from resistance.state import (
    APPROVE,
    FAIL,
    MISSIONS,
    MISSIONS_TO_WIN,
    MOST_ACTIONS,
    MOST_SPY_SETS,
    PARAMS_NEEDED,
    PARAMS_SIZES,
    PROPOSING,
    REJECT,
    REJECTIONS,
    SEATS,
    SPIES,
    SPY,
    SUCCESS,
    UNKNOWN,
    VOTING,
)
from resistance.teams import first_team, holds, next_team, seats_of, size_of

ALIKE = 1e-9
"""Chances that differ by less are taken for equal."""


@dataclass(frozen=True)
class Parameters:
    """What can be set in `counting`."""

    sabotage: float = parameter(
        0.8, "how often a spy on a team is taken to play fail; 0: only what is certain counts", low=0.0, high=0.99
    )
    lie_low: float = parameter(
        0.0, "how often a spy plays success on a mission that decides nothing yet", low=0.0, high=1.0
    )


EDITIONS: dict[str, Parameters] = {"likelihood": Parameters(), "logic": Parameters(sabotage=0.0)}
"""`logic` counts every set that is possible alike; `likelihood` counts it as often as it would have led to these results."""


@dataclass
class Memory:
    """What the chairs of `counting` keep: the random stream of each, shape (n,). All else that a seat knows is in its view."""

    params: npt.NDArray[np.int64] = field(metadata=CONSTANT_PART)
    streams: npt.NDArray[np.uint64]


class CountingAgent(Agent):
    """The player that counts who could be a spy."""

    observes = False

    def __init__(self, name: str = "counting", parameters: Parameters = EDITIONS["likelihood"]) -> None:
        self.name = name
        self.parameters = parameters
        self.settings = as_record(parameters)

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        return Memory(check_game(self.name, game).params, streams.copy())

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        actions = np.empty(len(views), np.int32)
        act_many(views, memory.streams, rows, memory.params, self.settings, actions)
        return actions

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        pass

    def suspicion(self, game: Resistance, view: Any) -> tuple[int, npt.NDArray[np.float64]]:
        """How many sets of spies are possible for a view (an array of one record), and how likely each seat is a spy."""
        sets, weights = np.empty(MOST_SPY_SETS, np.int64), np.empty(MOST_SPY_SETS)
        count = weigh_views(view, game.params, self.settings, sets, weights)
        held = sets[:count, None] >> np.arange(game.seats) & 1
        return count, (weights[:count] @ held) / weights[:count].sum()

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        resistance = check_game(self.name, game)
        friendly = resistance.friendly_view(view)
        count, chances = self.suspicion(resistance, np.atleast_1d(view))
        if friendly.role == "spy":
            known = ", ".join(f"seat {seat}" for seat in sorted(friendly.spies))
            return f"The spies are {known}. What looks best to the others and can still be made to fail is chosen."
        team = friendly.team
        said = f"{count} sets of {resistance.role_counts()[SPY]} spies agree with the results of the missions."
        if team is not None:
            settings, params = self.settings, resistance.params
            risk = risk_of_views(np.atleast_1d(view), sum(1 << seat for seat in team), params, settings)
            return f"{said} This team fails in {100 * risk:.0f} % of them."
        likely = int(chances.argmax())
        return f"{said} Most likely a spy is seat {likely}, with {100 * chances[likely]:.0f} %."

    def beliefs(self, game: Game, view: Any, memory: Any, row: int) -> tuple[Panel, ...]:
        count, chances = self.suspicion(check_game(self.name, game), np.atleast_1d(view))
        bars = tuple(Bar(f"seat {seat}", float(chance), f"{100 * chance:.0f} %") for seat, chance in enumerate(chances))
        return (Bars(f"Who is a spy ({counted(count, 'set')} possible)", 0.0, 1.0, bars),)


# --- Who may be a spy -----------------------------------------------------------------------------------------------------


@kernel
def weigh(spies: int, view: Any, sabotage: float) -> float:
    """How likely these spies would have led to the results, if each on a team played fail with this chance; 1 for chance 0."""
    weight = 1.0
    if sabotage <= 0.0:
        return weight
    for mission in range(MISSIONS):
        fails = view.fails[mission]
        if fails != UNKNOWN:
            there = size_of(spies & sent_team(view, mission))
            for number in range(there):
                # The ways to choose who fails, factor by factor, and the chance of each of them.
                if number < fails:
                    weight *= sabotage * (there - number) / (fails - number)
                else:
                    weight *= 1.0 - sabotage
    return weight


@kernel
def weigh_all(view: Any, params: Any, settings: Any, sets: Any, weights: Any) -> int:
    """Every set that can be the spies, and how likely it is (not normed); returns how many."""
    count = possible_spies(view, params, sets)
    for index in range(count):
        weights[index] = weigh(sets[index], view, settings.sabotage)
    return count


@kernel
def weigh_views(views: Any, params: Any, settings: Any, sets: Any, weights: Any) -> int:
    """`weigh_all` for the first view of an array."""
    return weigh_all(views[0], params, settings[0], sets, weights)


@kernel
def weigh_public(view: Any, params: Any, settings: Any, sets: Any, weights: Any) -> int:
    """The same for somebody who knows the results and no role."""
    count = 0
    spies = first_team(params[SPIES])
    while spies < 1 << params[SEATS]:
        if explains(spies, view):
            sets[count] = spies
            weights[count] = weigh(spies, view, settings.sabotage)
            count += 1
        spies = next_team(spies)
    return count


@kernel
def risk_of(team: int, needed: int, sets: Any, weights: Any, count: int) -> float:
    """How likely it is that a team has as many spies as its mission needs fails."""
    risk = 0.0
    total = 0.0
    for index in range(count):
        total += weights[index]
        if size_of(team & sets[index]) >= needed:
            risk += weights[index]
    return risk / total


@kernel
def risk_of_views(views: Any, team: int, params: Any, settings: Any) -> float:
    """`risk_of` for a team on the mission at hand, as the seat of the first view of an array reckons."""
    sets, weights = np.empty(MOST_SPY_SETS, np.int64), np.empty(MOST_SPY_SETS)
    count = weigh_all(views[0], params, settings[0], sets, weights)
    return risk_of(team, params[PARAMS_NEEDED + views[0].mission], sets, weights, count)


# --- Choices ----------------------------------------------------------------------------------------------------------------


@kernel
def act_many(views: Any, streams: Any, rows: Any, params: Any, settings: Any, out: Any) -> None:
    """The choice at each view, with the stream of its chair `streams[rows[i]]`."""
    sets, weights = np.empty(MOST_SPY_SETS, np.int64), np.empty(MOST_SPY_SETS)
    teams, risks = np.empty(MOST_ACTIONS, np.int64), np.empty(MOST_ACTIONS)
    for index in range(len(views)):
        view = views[index]
        stream = streams[rows[index] : rows[index] + 1]
        is_spy = view.roles[view.seat] == SPY
        if view.phase == PROPOSING:
            if is_spy:
                count = weigh_public(view, params, settings[0], sets, weights)
                out[index] = propose_as_spy(view, params, sets, weights, count, teams, risks, stream)
            else:
                count = weigh_all(view, params, settings[0], sets, weights)
                out[index] = safest_team(view, params, sets, weights, count, teams, risks, stream)
        elif view.phase == VOTING:
            if is_spy:
                out[index] = vote_as_spy(view, params)
            else:
                count = weigh_all(view, params, settings[0], sets, weights)
                out[index] = vote(view, params, sets, weights, count)
        elif is_spy:
            out[index] = card_of_spy(view, params, settings[0], stream)
        else:
            out[index] = SUCCESS


@kernel
def least(teams: Any, risks: Any, count: int, stream: Any) -> int:
    """One of the teams with the least risk, all equally likely."""
    best = 0
    ties = 0
    for index in range(count):
        if ties == 0 or risks[index] < risks[best] - ALIKE:
            best = index
            ties = 1
        elif risks[index] <= risks[best] + ALIKE:
            ties += 1
            if below(stream, ties) == 0:
                best = index
    return teams[best]


@kernel
def safest_team(
    view: Any, params: Any, sets: Any, weights: Any, count: int, teams: Any, risks: Any, stream: Any
) -> int:
    """A team that is least likely to fail."""
    needed = params[PARAMS_NEEDED + view.mission]
    found = 0
    team = first_team(params[PARAMS_SIZES + view.mission])
    while team < 1 << params[SEATS]:
        teams[found] = team
        risks[found] = risk_of(team, needed, sets, weights, count)
        found += 1
        team = next_team(team)
    return least(teams, risks, found, stream)


@kernel
def propose_as_spy(
    view: Any, params: Any, sets: Any, weights: Any, count: int, teams: Any, risks: Any, stream: Any
) -> int:
    """A team with the spy and as many spies as a fail takes (or as near as can be) that looks safest to the others."""
    needed = params[PARAMS_NEEDED + view.mission]
    spies = spies_of(view, params)
    found = 0
    nearest = params[SEATS]
    team = first_team(params[PARAMS_SIZES + view.mission])
    while team < 1 << params[SEATS]:
        apart = abs(size_of(team & spies) - needed)
        if holds(team, view.seat) and apart <= nearest:
            if apart < nearest:
                found = 0
                nearest = apart
            teams[found] = team
            risks[found] = risk_of(team, needed, sets, weights, count)
            found += 1
        team = next_team(team)
    return least(teams, risks, found, stream)


@kernel
def spies_of(view: Any, params: Any) -> int:
    """The spies, as a spy knows them."""
    spies = 0
    for seat in range(params[SEATS]):
        if view.roles[seat] == SPY:
            spies |= 1 << seat
    return spies


@kernel
def vote(view: Any, params: Any, sets: Any, weights: Any, count: int) -> int:
    """Approve the last proposal that may be; else a team that may succeed, if none of the same kind is safer."""
    if view.attempt + 1 == params[REJECTIONS]:
        return APPROVE
    needed = params[PARAMS_NEEDED + view.mission]
    proposed = view.teams[view.mission, view.attempt]
    risk = risk_of(proposed, needed, sets, weights, count)
    if risk >= 1.0 - ALIKE:
        return REJECT
    team = first_team(params[PARAMS_SIZES + view.mission])
    while team < 1 << params[SEATS]:
        alike = holds(team, view.seat) == holds(proposed, view.seat)
        if alike and risk_of(team, needed, sets, weights, count) < risk - ALIKE:
            return REJECT
        team = next_team(team)
    return APPROVE


@kernel
def vote_as_spy(view: Any, params: Any) -> int:
    """Approve a team that can be made to fail, and what the resistance approves anyhow: the last proposal that may be."""
    if view.attempt + 1 == params[REJECTIONS]:
        return APPROVE
    there = size_of(view.teams[view.mission, view.attempt] & spies_of(view, params))
    return APPROVE if there >= params[PARAMS_NEEDED + view.mission] else REJECT


@kernel
def card_of_spy(view: Any, params: Any, settings: Any, stream: Any) -> int:
    """Play fail if the spies of lower numbers on the team do not bring all the fails that are needed, and those on it can.

    Where the mission ends nothing, a spy may lie low.
    """
    needed = params[PARAMS_NEEDED + view.mission]
    there = view.teams[view.mission, view.attempt] & spies_of(view, params)
    if size_of(there) < needed or size_of(there & ((1 << view.seat) - 1)) >= needed:
        return SUCCESS
    failed = 0
    for mission in range(view.mission):
        if view.fails[mission] >= params[PARAMS_NEEDED + mission]:
            failed += 1
    decisive = failed + 1 == MISSIONS_TO_WIN or view.mission - failed + 1 == MISSIONS_TO_WIN
    chance = (next_word(stream) >> np.uint64(11)) * 2.0**-53
    return SUCCESS if not decisive and chance < settings.lie_low else FAIL


def suspects(view: Any, params: Any) -> list[tuple[int, ...]]:
    """Every set of seats that can be the spies, as the seat of a view (an array of one record) knows it, in plain Python."""
    sets, weights = np.empty(MOST_SPY_SETS, np.int64), np.empty(MOST_SPY_SETS)
    count = weigh_views(view, params, as_record(EDITIONS["logic"]), sets, weights)
    return [seats_of(word) for word in sets[:count]]
