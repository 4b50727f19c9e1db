"""`bluffing`: whether a saboteur should pretend to be a miner, and before whom.

The last section of Krisnadi et al. 2019 asks how saboteurs that bluff would do against their miners. Here saboteurs who never,
sometimes and always pretend sit against miners of 2019, against miners with models of 2012, and against `mole`, by the number
of seats.

Of `mole` it is also measured what weighing what a move tells the others is worth: it plays the same deals without that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from molehunt.arena.tuning.race import Scores
from molehunt.arena.workers import Workers
from molehunt.core.words import counted
from molehunt.studies.krisnadi2019 import Cell, play_cells, row_of, wins_of
from molehunt.studies.paired import Comparison, paired_rows
from molehunt.studies.study import FirstLook, Row, Section, Study, Tell

FRANK = "never"
SABOTEURS = {
    FRANK: "kripke-2012:explicit",
    "until suspected": "kripke-2012",
    "always": "kripke-2012:undercover",
    "2019": "decision-2019",
    "where it pays": "mole",
}
"""When saboteurs pretend to be miners, and who they are. Players of 2019 know nothing of it; `mole` weighs it like any move."""
MINERS = ("decision-2019", "kripke-2012", "mole")
TEAMS = ((1, 3), (2, 3), (2, 5), (3, 7))
SHARE = 10
"""Where `mole` sits, one game in so many is played."""
WEIGHED = {"weighed": "mole", "left out": "mole:noticed=no"}
"""What a move tells the others, as a part of its worth and not."""
WEIGHED_SHARE = 2
"""For that one game in so many is played."""
CHANGES = """\
Points above saboteurs who never pretend, on the same deals. `more` and `less` hold at 95 % for all comparisons of the study \
together (Holm)."""
WORTH = """\
Saboteurs that weigh what a move tells the others and such that leave it out, on the same deals. `more` and `less` hold at 95 % \
for all of these comparisons together (Holm)."""
LOOKED_AT = ("decision-2019", (2, 3))


def cells_against(miner: str, teams: Sequence[tuple[int, int]], kinds: Sequence[str]) -> list[Cell]:
    """The cells of some saboteurs against one kind of miners."""
    return [
        Cell(
            f"{miner}/{s}+{m}/{kind}",
            f"saboteur wins, %: {s} x {SABOTEURS[kind]}, who pretend {kind}, against {m} x {miner}"
            if kind != "2019"
            else f"saboteur wins, %: {s} x {SABOTEURS[kind]} against {m} x {miner}",
            SABOTEURS[kind],
            miner,
            (s, m),
            None,
            share=SHARE if "mole" in (SABOTEURS[kind], miner) else 1,
        )
        for s, m in teams
        for kind in kinds
    ]


def weighed_against(miner: str, teams: Sequence[tuple[int, int]]) -> list[Cell]:
    """The cells of `mole` as a saboteur with and without what its moves tell, against one kind of miners."""
    return [
        Cell(
            f"weighed/{miner}/{s}+{m}/{kind}",
            f"saboteur wins, %: {s} x {player} against {m} x {miner}",
            player,
            miner,
            (s, m),
            None,
            share=WEIGHED_SHARE,
        )
        for s, m in teams
        for kind, player in WEIGHED.items()
    ]


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play every cell; all cells of a team size see the same deals, those of `mole` the first of them."""
    kinds = [cell for miner in MINERS for cell in cells_against(miner, TEAMS, tuple(SABOTEURS))]
    weighed = [cell for miner in MINERS for cell in weighed_against(miner, TEAMS)]
    won = wins_of([*kinds, *weighed], games, seed, workers, tell)
    return [
        *(row_of(cell, won[cell.id]) for cell in kinds if cell.id in won),
        *paired_rows(beside_frank(kinds, won)),
        *(row_of(cell, won[cell.id]) for cell in weighed if cell.id in won),
        *paired_rows(beside_left_out(won)),
    ]


def beside_frank(todo: Sequence[Cell], won: Mapping[str, Scores]) -> list[Comparison]:
    """All kinds of saboteurs beside those who never pretend, on the deals that both have played."""
    found = []
    for cell in todo:
        table, _, kind = cell.id.rpartition("/")
        frank = f"{table}/{FRANK}"
        if kind != FRANK and cell.id in won and frank in won:
            both = min(len(won[cell.id]), len(won[frank]))
            quantity = (
                f"points more than saboteurs who never pretend, on the same deals: {cell.quantity.partition(': ')[2]}"
            )
            found.append(Comparison(f"change/{cell.id}", quantity, won[cell.id][:both], won[frank][:both]))
    return found


def beside_left_out(won: Mapping[str, Scores]) -> list[Comparison]:
    """What `mole` wins by weighing what its moves tell, where both ways were played."""
    weighed, left_out = WEIGHED
    found = []
    for miner in MINERS:
        for s, m in TEAMS:
            table = f"weighed/{miner}/{s}+{m}"
            if f"{table}/{weighed}" in won and f"{table}/{left_out}" in won:
                both = won[f"{table}/{weighed}"], won[f"{table}/{left_out}"]
                quantity = f"points that {s} x mole win more against {m} x {miner} by weighing what their moves tell the others"
                found.append(Comparison(f"{table}/difference", quantity, *both))
    return found


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """The published players at one size."""
    miner, team = LOOKED_AT
    return play_cells(
        cells_against(miner, (team,), [kind for kind in SABOTEURS if SABOTEURS[kind] != "mole"]),
        games,
        seed,
        workers,
        tell,
    )


def look_verdict(rows: Sequence[Row]) -> str:
    """Whether those who never pretend win more than those who always do."""
    won = {row.id.rpartition("/")[2]: row.measured for row in rows}
    return (
        "nothing is published; two saboteurs against three miners of 2019 win "
        f"{won['never']:.0f} % if they never pretend, {won['until suspected']:.0f} % if they do until they are suspected, and "
        f"{won['always']:.0f} % if they always do"
    )


STUDY = Study(
    name="bluffing",
    title="Saboteurs that bluff, against miners of 2019 and of today",
    source="Asked for by the conclusion of Krisnadi et al. 2019; nothing is published. The ruleset krisnadi, the same deals for "
    f"all cells of a size; where mole sits, the first of them, one in {SHARE}.",
    default_games=400,
    small_games=60,
    unit="%",
    sections=tuple(
        Section(f"{part}{miner}/{s}+{m}/", f"{title}{counted(s, 'saboteur')} against {m} x {miner}", text)
        for part, title, text in (
            ("", "", "How often saboteurs win."),
            ("change/", "What pretending changes: ", CHANGES),
            ("weighed/", "What weighing it is worth: ", WORTH),
        )
        for miner in MINERS
        for s, m in TEAMS
    ),
    measure=measure,
    look=FirstLook((f"{LOOKED_AT[0]}/{LOOKED_AT[1][0]}+{LOOKED_AT[1][1]}/",), look_verdict, look_measure),
)
