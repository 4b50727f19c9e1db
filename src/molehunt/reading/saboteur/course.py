"""What every seat and an onlooker could believe in a round of Saboteur, from the posterior of `reading.saboteur.suspicion`."""

from __future__ import annotations

from typing import Any

from molehunt.core.kernels import kernel
from molehunt.reading.saboteur.suspicion import DEPENDENT, close, goals_seen, note, open_case, posterior


@kernel
def open_round(cases: Any, scratch: Any, params: Any) -> None:
    """The first round begins."""
    open_case(cases[0], scratch[0], params)


@kernel
def follow_round(
    cases: Any, views: Any, events: Any, habits: Any, teams: Any, odds: Any, scratch: Any, params: Any, joints: Any
) -> None:
    """Take the public events of a round into the case, and note after each what every viewer may believe.

    views: VIEW[places, viewers], an onlooker's with seat -1; events: EVENT[places - 1]; joints: float64[places, viewers, sets,
    3], receives the chances of sets of saboteurs and places of the gold. The roles stay closed.
    """
    case = cases[0]
    for place in range(len(views)):
        if place:
            note(case, events[place - 1], habits, teams, odds, scratch[0], params)
        for viewer in range(views.shape[1]):
            view = views[place, viewer]
            may_be = goals_seen(view) & case.gold_may_be
            posterior(
                case,
                view.seat,
                view.role,
                may_be,
                DEPENDENT,
                teams,
                odds,
                scratch[0],
                joints[place, viewer],
            )


@kernel
def end_round(cases: Any, events: Any, scratch: Any, params: Any) -> None:
    """The roles are opened by the event that ended the round, and the next round begins."""
    close(cases[0], events[0], scratch[0], params)
