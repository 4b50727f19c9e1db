"""The plan of a tournament: its events, and all its work in order, from the file and the seed alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from molehunt.arena.agent_files import AgentFile
from molehunt.arena.isolation import Isolation
from molehunt.arena.match import MatchSpec
from molehunt.arena.tournament.definition import EventText, TournamentText
from molehunt.arena.tournament.events import Event, Unit
from molehunt.arena.tournament.failed import Failed, left_to_play
from molehunt.arena.tournament.identity import identity_of
from molehunt.arena.tournament.lineups import Lineup, Seating
from molehunt.arena.tournament.making import events_of, load_players
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.games.registry import split_label


@dataclass(frozen=True)
class Plan:
    """A whole tournament. `agent_files` are the files with players of one's own, `identity` is what must agree to go on with it.

    `failed` are files and players that are left out, so that the others can play.
    """

    name: str
    seed: int
    events: tuple[Event, ...]
    records: bool
    agent_files: tuple[AgentFile, ...] = ()
    isolation: Isolation | None = None
    identity: dict[str, Any] = field(default_factory=dict)
    failed: tuple[Failed, ...] = ()

    @property
    def games(self) -> int:
        """Games of all events if none is stopped."""
        return sum(event.games for event in self.events)

    def seating_of(self, unit: Unit) -> Seating:
        """Which chair sits on each seat in a unit."""
        return self.events[unit.event].lineups[unit.lineup].seatings[unit.seating]

    def match_of(self, event: Event, lineup: Lineup) -> MatchSpec:
        """The match that a lineup plays."""
        return MatchSpec(event.label, lineup.chairs, self.agent_files, isolation=self.isolation)

    def matches(self) -> Iterator[MatchSpec]:
        """The matches of all lineups, event by event."""
        return (self.match_of(event, lineup) for event in self.events for lineup in event.lineups)

    def units(self) -> Iterator[Unit]:
        """All units, in the order in which they are counted: block by block, in each block event by event."""
        number = 0
        for first in self._blocks():
            for event in self.events:
                if first >= event.deals or first % event.block:
                    continue
                end = min(first + event.block, event.deals)
                for which, lineup in enumerate(event.lineups):
                    for seating in range(len(lineup.seatings)):
                        for start in range(first, end, event.chunks[which]):
                            count = min(event.chunks[which], end - start)
                            yield Unit(number, event.number, which, seating, start, count)
                            number += 1

    def _blocks(self) -> Iterator[int]:
        """The deals at which a block of some event begins, in order."""
        begins = {event.number: 0 for event in self.events}
        while begins:
            first = min(begins.values())
            yield first
            for event in self.events:
                if begins.get(event.number) == first:
                    begins[event.number] = first + event.block
                    if begins[event.number] >= event.deals:
                        del begins[event.number]


def make_plan(
    text: TournamentText,
    folder: Path,
    games: int | None = None,
    seed: int | None = None,
    hidden: Sequence[Path | None] = (),
) -> Plan:
    """The plan of a file that lies in `folder`. `games` asks for so many games in all instead of the file's deals; BadInput.

    What is `hidden`, the file itself and where results are kept, isolated players may not open.

    Of several files of players those that fail are left out. AgentFailure where there is only one, or nothing would be left.
    """
    place = folder.absolute()  # a file that is loaded may make another folder the current one
    if seed is not None:
        text = msgspec.structs.replace(text, seed=seed)
    isolation = _isolation(text, hidden)
    try:
        return _plan(text, place, games, (), isolation)
    except (AgentFailure, BadInput):
        events = [_with_defaults(each, text) for each in text.event or [EventText()]]
        rest = None
        with suppress(BadInput):  # what is wrong with the file itself was said, with its key
            rest = left_to_play(text, events, place, lambda game, files: load_players(game, files, isolation)[0])
        if rest is None:
            raise
    return _plan(rest.text, place, games, rest.failed, isolation)


def _plan(
    text: TournamentText, folder: Path, games: int | None, failed: tuple[Failed, ...], isolation: Isolation | None
) -> Plan:
    files = [folder / name for name in text.agents_from]
    events: list[Event] = []
    for number, each in enumerate(text.event or [EventText()], start=1):
        place = f"event {number}" if text.event else "the tournament"
        events += events_of(_with_defaults(each, text), text.stop, files, text.seed, place, len(events), isolation)
    if games is not None:
        events = _with_games(events, games)
    names = [event.name for event in events]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"name of event: two events are called {name!r}; give each a name of its own")
    plan = Plan(
        text.name or "tournament",
        text.seed,
        tuple(events),
        text.records,
        load_players(split_label(events[0].label)[0], files, isolation)[1],
        isolation,
        failed=failed,
    )
    return replace(plan, identity=identity_of(plan))


def _isolation(text: TournamentText, hidden: Sequence[Path | None]) -> Isolation | None:
    """How foreign players are isolated; None where they are not."""
    limits = Isolation(text.isolate_seconds, text.isolate_memory, text.isolate_network)
    return limits.and_hidden(*hidden) if text.isolate else None


def plan_text(plan: Plan) -> str:
    """A plan as JSON, from which `plan_from_text` makes it again."""
    return msgspec.json.encode(plan).decode()


def plan_from_text(text: str) -> Plan:
    """A plan from what `plan_text` wrote."""
    return msgspec.json.decode(text, type=Plan)


def _with_defaults(event: EventText, top: TournamentText) -> EventText:
    """An event with what it leaves out taken from the top of the file."""
    # Who sits where comes as one: an event that says anything of its players takes nothing of that from the top.
    own = {"players", "roles", "role_players", "lineups"}
    fresh = any(getattr(event, key) is not None for key in own - {"lineups"}) or event.game is not None
    values = {}
    for key in EventText.__struct_fields__:
        value = getattr(event, key)
        if value is None and key != "name" and not (fresh and key in own and key != "players"):
            value = getattr(top, key)
        values[key] = value
    return EventText(**values)


def _with_games(events: Sequence[Event], games: int) -> list[Event]:
    """The events with so many deals each that there are at least `games` games in all."""
    deals = max(1, -(-games // sum(event.seatings for event in events)))
    return [replace(event, deals=deals, block=min(event.block, deals)) for event in events]
