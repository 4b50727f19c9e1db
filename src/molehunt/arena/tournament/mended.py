"""Going on with a tournament whose players have been mended: whose games are played again, and which are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from molehunt.arena.agent_files import AgentFile, agents_from
from molehunt.arena.isolation import isolated_agents
from molehunt.arena.tournament.plan import Plan, Unit, first_difference
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


def difference_beyond_files(old: Mapping[str, Any], new: Mapping[str, Any]) -> str | None:
    """The first thing in which two identities differ other than in what files of the same names hold; None where there is none."""
    first, second = ({key: value for key, value in each.items() if key not in FILES} for each in (old, new))
    before, now = (dict.fromkeys(each.get(FILES[0], {})) for each in (old, new))
    return first_difference(before, now, FILES[0]) or first_difference(first, second)


def mended(old: Plan, new: Plan) -> Mended:
    """Whose code differs between two plans of a tournament."""
    before = {Path(file.path).name: _code(file) for file in old.agent_files}
    changed = [file for file in new.agent_files if before.get(Path(file.path).name) != _code(file)]
    names: set[str] = set()
    for file in changed:
        names |= _players_of(new, file)
    return Mended(tuple(sorted(Path(file.path).name for file in changed)), frozenset(names))


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
