"""Going on with a tournament whose players have been mended: whose games are played again, and which are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from molehunt.arena.agent_files import AgentFile, agents_from
from molehunt.arena.isolation import isolated_agents
from molehunt.arena.tournament.events import Unit
from molehunt.arena.tournament.identity import EVENTS, LEFT_OUT, first_difference
from molehunt.arena.tournament.plan import Plan
from molehunt.core.specs import split_spec
from molehunt.games.registry import split_label

FILES = ("files of players", "modules of players")
"""What two identities may differ in, and the tournament goes on all the same."""


@dataclass(frozen=True)
class Mended:
    """A tournament of which files of players have changed, by name: `players` are those that they hold now.

    A player that has moved from one file to another is among them, as both files have changed then.
    """

    files: tuple[str, ...]
    players: frozenset[str]


def difference_beyond_files(old: Plan, new: Plan) -> str | None:
    """The first thing in which two plans differ other than in what files of the same names hold; None where they agree.

    Who is left out in one of them, as a file has failed, plays in the other: lineups and what follows from them may differ then.
    """
    first, second = (_beyond_files(plan) for plan in (old, new))
    before, now = (dict.fromkeys(sorted(plan.identity.get(FILES[0], {}))) for plan in (old, new))
    found = first_difference(before, now, FILES[0]) or first_difference(first, second)
    if found and old.identity.get(LEFT_OUT) != new.identity.get(LEFT_OUT) and _asked(old) == _asked(new):
        found = first_difference(before, now, FILES[0])
        for identity in (first, second):
            del identity[EVENTS]
        found = found or first_difference(first, second)
        games = [[(event.name, event.label) for event in plan.events] for plan in (old, new)]
        found = found or (None if games[0] == games[1] else "its events are others")
    return found


def _beyond_files(plan: Plan) -> dict[str, Any]:
    """What must agree of a plan, as plain values, but for files and who is left out."""
    return {
        key: msgspec.json.decode(msgspec.json.encode(value))
        for key, value in plan.identity.items()
        if key not in {*FILES, LEFT_OUT}
    }


def _asked(plan: Plan) -> set[str]:
    """Who is asked to play, left out or not, without parameters."""
    out = [each.name for each in plan.failed if not each.digest]
    return {split_spec(spec)[0] for spec in (*(player for event in plan.events for player in event.players), *out)}


def mended(old: Plan, new: Plan) -> Mended:
    """Whose code differs between two plans of a tournament."""
    before = {Path(file.path).name: _code(file) for file in old.agent_files}
    failed = {each.name: each.digest for each in old.failed}
    fail = {Path(each.name).name for each in new.failed if each.digest and failed.get(each.name) != each.digest}
    changed = [file for file in new.agent_files if before.get(Path(file.path).name) != _code(file)]
    names: set[str] = set()
    for file in changed:
        names |= _players_of(new, file)
    return Mended(tuple(sorted({Path(file.path).name for file in changed} | fail)), frozenset(names))


def _code(file: AgentFile) -> tuple[object, ...]:
    return file.text, file.helpers


def _players_of(plan: Plan, file: AgentFile) -> set[str]:
    """What the players of a file are called."""
    found: set[str] = set()
    for game in dict.fromkeys(split_label(event.label)[0] for event in plan.events):
        if plan.isolation is None:
            found |= {*agents_from(game, [file]).from_files}
        else:
            with_file, without = (isolated_agents(game, files, plan.isolation) for files in ([file], []))
            found |= {*with_file.elsewhere} - {*without.elsewhere}
    return found


def kept_units(old: Plan, new: Plan, whose: Mended) -> Iterator[tuple[int, Unit]]:
    """(number in the old plan, unit of the new plan) of all units that are the same in both, and in which nobody mended sits."""
    numbers = {_key(old, unit): unit.number for unit in old.units() if not _sits_in(old, unit, whose)}
    for unit in new.units():
        number = numbers.get(_key(new, unit))
        if number is not None:
            yield number, unit


def _key(plan: Plan, unit: Unit) -> tuple[object, ...]:
    """What a unit is, wherever it stands in its plan."""
    event = plan.events[unit.event]
    return event.name, event.label, str(event.lineups[unit.lineup]), plan.seating_of(unit), unit.first, unit.deals


def _sits_in(plan: Plan, unit: Unit, whose: Mended) -> bool:
    chairs = plan.events[unit.event].lineups[unit.lineup].chairs
    return any(split_spec(chair.agent)[0] in whose.players for chair in chairs)
