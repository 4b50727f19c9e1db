"""What the results of a tournament depend on, as plain values, by which it is known again; and in what two of them differ."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from molehunt import __version__
from molehunt.arena.tournament.events import Event
from molehunt.core.made import rules_and_players

if TYPE_CHECKING:
    from molehunt.arena.tournament.plan import Plan

EVENTS = "events"
"""What holds the events in an identity."""
LEFT_OUT = "players left out"
"""What names in an identity who cannot be made."""


def identity_of(plan: Plan) -> dict[str, Any]:
    """Everything that the results depend on, as plain values."""
    limits = plan.isolation
    reached = {"network": True} if limits is not None and limits.network else {}
    isolated = {} if limits is None else {"isolation": {"seconds": limits.seconds, "memory": limits.memory, **reached}}
    helpers = {name: digest for file in plan.agent_files for name, digest in file.helpers}
    return {
        **isolated,
        "name": plan.name,
        "seed": plan.seed,
        "records": plan.records,
        "version": __version__,
        "rules and players": rules_and_players(),
        "files of players": {
            **{Path(file.path).name: file.digest for file in plan.agent_files},
            **{Path(each.name).name: each.digest for each in plan.failed if each.digest},
        },
        **({LEFT_OUT: [each.name for each in plan.failed if not each.digest]} if plan.failed else {}),
        **({"modules of players": helpers} if helpers else {}),
        EVENTS: {event.name: _event_identity(event) for event in plan.events},
    }


def _event_identity(event: Event) -> dict[str, Any]:
    stop = event.stop
    return {
        "number": event.number,
        "game": event.label,
        "deals": event.deals,
        "lineups": [str(lineup) for lineup in event.lineups],
        "seatings": [[list(seating) for seating in lineup.seatings] for lineup in event.lineups],
        "compare": [list(pair) for pair in event.compare],
        "stop": None
        if stop is None
        else {
            "compare": [list(pair) for pair in stop.compare],
            "role": stop.role,
            "level": stop.level,
            "margin": stop.margin,
            "least": stop.least,
        },
        "block": event.block,
        "chunks": list(event.chunks),
    }


def first_difference(old: Any, new: Any, place: str = "") -> str | None:
    """The first thing in which two identities differ, in words; None where they agree."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            where = f"{place} {key}".strip()
            if key not in new or key not in old:
                return f"{where} is {'only' if key in old else 'not'} in the store"
            if (found := first_difference(old[key], new[key], where)) is not None:
                return found
        return None
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True), start=1)
        found_in = (first_difference(one, other, f"{place} {number}") for number, (one, other) in pairs)
        return next((found for found in found_in if found is not None), None)
    return None if old == new else f"{place} is {old!r:.80} in the store and {new!r:.80} now"
