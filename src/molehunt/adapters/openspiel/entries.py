"""OpenSpiel's algorithms as the command line knows them. Nothing of OpenSpiel is imported before one of them is made."""

from __future__ import annotations

from molehunt.agents.entry import EVERY, AgentEntry
from molehunt.core.language import later

_PLAYERS = (
    ("openspiel-random", later("OpenSpiel's uniform random bot"), "UniformAgent", "NO_EDITIONS"),
    (
        "openspiel-ismcts",
        later("OpenSpiel's information set Monte Carlo tree search over deals that the seat holds possible"),
        "IsmctsAgent",
        "ISMCTS_EDITIONS",
    ),
    (
        "openspiel-mccfr",
        later(
            "the average policy of OpenSpiel's Monte Carlo CFR on a small ruleset, trained at the start or from a file"
        ),
        "MccfrAgent",
        "MCCFR_EDITIONS",
    ),
)

ENTRIES: tuple[AgentEntry, ...] = tuple(
    AgentEntry(
        name,
        EVERY,
        title,
        "molehunt.adapters.openspiel.players",
        agent,
        editions,
        small_games=name == "openspiel-mccfr",
        needs="pyspiel",
    )
    for name, title, agent, editions in _PLAYERS
)
