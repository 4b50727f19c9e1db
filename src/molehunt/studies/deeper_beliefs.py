"""What beliefs about beliefs are worth: the players of 2012 at depths one, two and three, one side at a time.

The report of 2012 compares depths one and two with all players at the same depth, and expects nothing of more ("We don't think
adding deeper beliefs would aid"). At depth three, which is ours, pictures of others borrow as their owners do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from molehunt.arena.tuning.race import Scores
from molehunt.arena.workers import Workers
from molehunt.studies.kripke_rounds import FACTORS, RULESET, SEATS, Setup
from molehunt.studies.krisnadi2019 import Cell, row_of, wins_of
from molehunt.studies.paired import Comparison, paired_rows
from molehunt.studies.study import FirstLook, Row, Section, Study, Tell

DEPTHS = (1, 2, 3)
USUAL = 2
"""The depth of the side that is not varied."""
TEAM = (2, SEATS - 2)
SABOTEURS = ("explicit", "adaptive", "undercover")
WHOSE = ("miners", "saboteurs", "all")
"""Whose depth is varied. Only adaptive saboteurs ask who suspects them, so only theirs is."""


def cell(whose: str, strategy: str, factor: float, depth: int) -> Cell:
    """Rounds with one side, or both, at a depth."""
    saboteur = Setup(strategy, USUAL if whose == "miners" else depth, factor).agent
    miner = Setup(strategy, USUAL if whose == "saboteurs" else depth, factor).agent
    said = f"{whose} at depth {depth}, {strategy} saboteurs, disbelief {factor:g}"
    name = f"{whose}/{strategy}-{factor:g}/{depth}"
    return Cell(name, f"saboteur wins, %: {said}", saboteur, miner, TEAM, None, RULESET)


def cells() -> list[Cell]:
    """Everything that is played."""
    return [
        cell(whose, strategy, factor, depth)
        for whose in WHOSE
        for strategy in (SABOTEURS if whose == "miners" else ("adaptive",))
        for factor in FACTORS
        for depth in DEPTHS
    ]


def steps(won: Mapping[str, Scores]) -> list[Comparison]:
    """Every depth beside the one before it, as far as both have been played."""
    found = []
    for one in cells():
        table, _, depth = one.id.rpartition("/")
        before = f"{table}/{int(depth) - 1}"
        if one.id in won and before in won:
            said = one.quantity.partition(": ")[2]
            quantity = f"points of saboteur wins above depth {int(depth) - 1}, on the same deals: {said}"
            found.append(Comparison(f"change/{one.id}", quantity, won[one.id], won[before]))
    return found


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play every cell, all on the same deals."""
    todo = cells()
    won = wins_of(todo, games, seed, workers, tell)
    return [*(row_of(one, won[one.id]) for one in todo if one.id in won), *paired_rows(steps(won))]


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Miners at each depth, against adaptive saboteurs, in the setup of the paper's executable."""
    todo = [cell("miners", "adaptive", FACTORS[-1], depth) for depth in DEPTHS]
    won = wins_of(todo, games, seed, workers, tell)
    return [row_of(one, won[one.id]) for one in todo]


def look_verdict(rows: Sequence[Row]) -> str:
    """How often saboteurs win against miners of each depth."""
    rates = ", ".join(f"{row.measured:.0f} %" for row in rows[: len(DEPTHS)])
    return f"nothing is published; adaptive saboteurs win {rates} of rounds against miners of depths 1, 2 and 3"


STUDY = Study(
    name="deeper_beliefs",
    title="What beliefs about beliefs are worth",
    source="Veldhuis, Jansen and Broers 2012 compare depths one and two, all players alike; depth three is ours, and nothing is "
    "published of one side's depth.",
    default_games=2000,
    small_games=60,
    unit="saboteur wins, %",
    sections=(
        *(
            Section(f"{whose}/", f"The depth of {whose}", f"The other side stays at depth {USUAL}, where there is one.")
            for whose in WHOSE
        ),
        Section(
            "change/",
            "What a step of depth changes",
            "Points of saboteur wins above the depth before it, on the same deals. `more` and `less` hold at 95 % for all steps "
            "together (Holm).",
        ),
    ),
    measure=measure,
    look=FirstLook(("miners/",), look_verdict, look_measure),
)
