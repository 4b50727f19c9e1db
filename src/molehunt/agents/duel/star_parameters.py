"""What can be set in `duel-star`, and its editions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from molehunt.agents.duel.opponent import HURRY, SUSPICION
from molehunt.core.language import later
from molehunt.core.specs import parameter


@dataclass(frozen=True)
class Parameters:
    """What can be set in `duel-star`."""

    deals: int = parameter(40, later("deals on which the most promising moves are compared"), low=1, high=1_000_000)
    work: int = parameter(
        40_000, later("moves that are played on for one move, about; 0 = any number"), low=0, high=1_000_000_000
    )
    seconds: float = parameter(0.0, later("time for one move, in seconds; 0 = any"), low=0.0, high=3600.0)
    threads: int = parameter(1, later("threads that play on; 0 = one a processor; changes no move"), low=0, high=256)
    candidates: int = parameter(10, later("moves that are compared at first"), low=1, high=64)
    near: float = parameter(
        7.0,
        later("without own, moves are compared where the way is not longer; else the digger's is made"),
        low=0.0,
        high=999.0,
    )
    own: bool = parameter(
        True, later("the network of learned lists the moves and plays on the own seat; else the digger does")
    )
    rare: float = parameter(0.01, later("moves that the network makes less often are not compared"), low=0.0, high=1.0)
    ahead: int = parameter(
        0, later("own moves that are played on before the network says what is to be expected"), low=0, high=1000
    )
    mirror: float = parameter(
        0.5,
        later("the chance that the other, if it digs and does not search, plays as learned does"),
        low=0.0,
        high=1.0,
    )
    searches: float = parameter(
        0.3,
        later("the chance that the other, if it digs, searches: waits for good cards and lays no tile aside"),
        low=0.0,
        high=0.99,
    )
    fine: bool = parameter(True, later("tell who the other is by twelve classes of moves; else by seven"))
    careless: float = parameter(
        0.59,
        later(
            "the chance of digging below which the other is taken to play at random, and games are played to the end"
        ),
        low=0.0,
        high=1.0,
    )
    ending: int = parameter(
        1,
        later("own cards from which on an ending without a deck is solved; one more takes ten times as long"),
        low=0,
        high=7,
    )
    endings: int = parameter(96, later("deals in which an ending is solved"), low=1, high=100_000)
    belief: float = parameter(
        40.0,
        later("deals that count for what a move is worth by the network, or by its way, alone"),
        low=0.0,
        high=1000.0,
    )
    slope: float = parameter(
        0.03,
        later("what a move costs that is rarer by a factor of 2.7, or a longer way, by that measure"),
        low=0.0,
        high=1.0,
    )
    draw: float = parameter(0.3, later("what a draw is worth, where a win is 1 and a loss 0"), low=0.0, high=1.0)
    suspicion: float = parameter(0.6, later("the chance that the other digs, before it has moved"), low=0.0, high=1.0)
    hurry: float = parameter(HURRY, later("the chance that the other hurries, if it digs, likewise"), low=0.0, high=1.0)
    places: bool = parameter(True, later("read from the other's tiles and maps where the nugget is"))
    hands: bool = parameter(True, later("read from what the other did not do what it cannot hold"))
    sensible: float = parameter(
        0.7, later("the chance that the other, if it digs, has kept the best of its cards"), low=0.0, high=1.0
    )
    patience: float = parameter(
        0.3, later("what it costs to wait for a card, against laying a tile"), low=0.0, high=10.0
    )
    progress: float = parameter(0.05, later("the least that a tile must shorten the way"), low=0.0, high=10.0)
    risk: float = parameter(
        0.05, later("the chance of the other's finishing from which on a tile is held back"), low=0.0, high=2.0
    )
    shy: float = parameter(3.0, later("how long the way is when risks and maluses begin to count"), low=0.0, high=99.0)
    looks: float = parameter(5.0, later("how long the way is when a map comes before tiles"), low=0.0, high=99.0)
    breaks: float = parameter(
        0.3,
        later("the chance of the other's finishing from which on the end of the tunnel is destroyed"),
        low=0.0,
        high=2.0,
    )
    hinders: float = parameter(4.0, later("how long the way is when a malus comes before tiles"), low=0.0, high=99.0)


BEFORE: dict[str, Any] = {"fine": False, "careless": 0.0, "suspicion": SUSPICION}
"""How the other was taken before players at random were met in a way of their own."""
EDITIONS: dict[str, Parameters] = {
    "tuned": Parameters(),
    "contest": Parameters(deals=1_000_000, work=0, seconds=1.5, threads=0),
    "digger": Parameters(own=False, near=0.0, ending=0, **BEFORE),
    "plays_on": Parameters(own=False, deals=240, ending=4, endings=48, belief=8.0, slope=0.1, mirror=0.0, **BEFORE),
}
"""By the number of deals it is the same on every machine; in the course a move may take 2 s; the digger plays no games on;
`plays_on` is what it was before it had a network: the digger plays the games to the end, and endings are solved."""
