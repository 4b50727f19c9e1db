"""Krisnadi et al. 2019, "Decision System Modelling for Saboteur using Heuristics and Means-Ends Analysis", ICAAI 2019.

Tables 3, 4 and 5 with the edition `as_run`, Table 5 with `as_printed`, an ablation (each reading in which the editions differ,
switched alone), and what the text claims. `readings2019` goes through the readings of the text.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.decision_2019 import AS_PRINTED, AS_RUN
from molehunt.arena.match import chunk_of, seat_match
from molehunt.arena.pieces import in_one_stream
from molehunt.arena.seating import Chair
from molehunt.arena.tuning.race import Scores
from molehunt.arena.tuning.scoreboard import play_deals
from molehunt.arena.workers import Workers, each_in_order
from molehunt.core.specs import show_value
from molehunt.studies.krisnadi_claims import claim_rows
from molehunt.studies.paired import Comparison, paired_rows
from molehunt.studies.study import AGREES, FirstLook, Progress, Row, Section, Study, Tell, published_rows, rate_row

TEAMS = ((1, 3), (1, 4), (2, 3), (2, 4), (2, 5), (2, 6))
"""The test cases of all three tables: saboteurs and miners. The saboteurs sit in the first seats."""
ABLATION_TEAMS = ((1, 4), (2, 3))
BASELINE_TEAMS = ((1, 3), (2, 5))
"""The sizes at which a reading is switched: of the system (Table 5) and of the baseline (Table 4)."""

RULESET = "krisnadi"
RULE_READINGS = ("stones_let_in=no", "blocked_may_rockfall=no")
"""Rules of the program that the paper does not have, as the paper has them."""
BASELINE_READINGS = ("plays_turned_fault=no", "program_forms=no", "self_target_fault=no")
"""Faults of the baseline's program, mended."""

SYSTEM, BASELINE, PRINTED = "decision-2019", "means-ends-2016", "decision-2019:as_printed"
TABLES = (
    ("table3", "3", BASELINE, SYSTEM),
    ("table4", "4", SYSTEM, BASELINE),
    ("table5", "5", SYSTEM, SYSTEM),
    ("table5-as-printed", "5", PRINTED, PRINTED),
)
"""id, the table in the paper, who the saboteurs are, who the miners are."""
BESIDE = {"ablation": "table5", "ablation-2016": "table4"}
"""With which table's cells the switched readings are compared."""


@dataclasses.dataclass(frozen=True)
class Cell:
    """One number to measure: saboteur wins in percent, of one pair of players and one size of teams.

    Players that think long play one game in `share`.
    """

    id: str
    quantity: str
    saboteur: str
    miner: str
    team: tuple[int, int]
    published: tuple[float, int] | None
    ruleset: str = RULESET
    share: int = 1

    def games(self, games: int) -> int:
        """How many are played where a study plays so many games a cell."""
        return max(1, games // self.share)


def published() -> dict[tuple[str, int, int], tuple[float, int]]:
    """(percent, games) by (table, saboteurs, miners): the mean of the paper's three runs of 1,000 games."""
    runs: dict[tuple[str, int, int], list[tuple[float, int]]] = {}
    for row in published_rows("krisnadi2019.csv"):
        key = (row["table"], int(row["saboteurs"]), int(row["miners"]))
        runs.setdefault(key, []).append((float(row["saboteur_win_percent"]), int(row["games"])))
    return {
        key: (
            sum(percent * games for percent, games in rows) / sum(games for _, games in rows),
            sum(g for _, g in rows),
        )
        for key, rows in runs.items()
    }


def ablations() -> list[tuple[str, str]]:
    """(parameter=value as printed, the player `as_run` with it): the readings in which the editions differ."""
    result = []
    for field in dataclasses.fields(AS_RUN):
        printed = getattr(AS_PRINTED, field.name)
        if printed != getattr(AS_RUN, field.name):
            item = f"{field.name}={show_value(printed)}"
            result.append((item, f"{SYSTEM}:{item}"))
    return result


def cells() -> list[Cell]:
    """Everything that the study measures, in the order of the report."""
    numbers = published()
    result = [
        Cell(
            f"{prefix}/{s}+{m}",
            f"saboteur wins, %: {s} x {saboteur} against {m} x {miner}",
            saboteur,
            miner,
            (s, m),
            numbers[table, s, m],
        )
        for prefix, table, saboteur, miner in TABLES
        for s, m in TEAMS
    ]
    result += [
        Cell(f"ablation/{item}/{s}+{m}", f"saboteur wins, %: as_run with {item}", agent, agent, (s, m), None)
        for item, agent in ablations()
        for s, m in ABLATION_TEAMS
    ]
    result += [
        Cell(
            f"ablation/{item}/{s}+{m}",
            f"saboteur wins, %: as_run, ruleset with {item}",
            SYSTEM,
            SYSTEM,
            (s, m),
            None,
            f"{RULESET}:{item}",
        )
        for item in RULE_READINGS
        for s, m in ABLATION_TEAMS
    ]
    result += [
        Cell(
            f"ablation-2016/{item}/{s}+{m}",
            f"saboteur wins, %: {SYSTEM} against {BASELINE} with {item}",
            SYSTEM,
            f"{BASELINE}:{item}",
            (s, m),
            None,
        )
        for item in BASELINE_READINGS
        for s, m in BASELINE_TEAMS
    ]
    return result


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play every cell; all cells of a team size see the same deals. Then judge what the text claims, and every switch, by them."""
    todo = cells()
    won = wins_of(todo, games, seed, workers, tell)
    rows = [row_of(cell, won[cell.id]) for cell in todo if cell.id in won]
    return [*rows, *claim_rows(rows), *paired_rows(switches(todo, won))]


def switches(todo: Sequence[Cell], won: Mapping[str, Scores]) -> list[Comparison]:
    """Every switched reading beside the player in whom it is not, as far as both have been played."""
    found = []
    for cell in todo:
        base = f"{BESIDE.get(cell.id.partition('/')[0])}/{cell.id.rpartition('/')[2]}"
        if cell.id in won and base in won:
            quantity = f"points more than in {base}, on the same deals: {cell.quantity.partition(': ')[2]}"
            found.append(Comparison(f"change/{cell.id}", quantity, won[cell.id], won[base]))
    return found


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """The cells with published numbers."""
    return play_cells([cell for cell in cells() if cell.published], games, seed, workers, tell)


def play_cells(todo: Sequence[Cell], games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """The rows of some cells, played as one stream."""
    won = wins_of(todo, games, seed, workers, tell)
    return [row_of(cell, won[cell.id]) for cell in todo if cell.id in won]


def row_of(cell: Cell, won: Scores) -> Row:
    """The row of a cell."""
    return rate_row(cell.id, cell.quantity, int(won.sum()), len(won), cell.published)


def wins_of(todo: Sequence[Cell], games: int, seed: int, workers: Workers, tell: Tell) -> dict[str, Scores]:
    """Which deals the saboteurs win (1, else 0), cell by cell, played as one stream; shape (deals,) each."""
    agents = Agents("saboteur")
    progress = Progress(tell, sum(cell.games(games) for cell in todo))

    def play(cell: Cell, stream: Workers) -> Scores:
        saboteurs, miners = cell.team
        chairs = [Chair(cell.saboteur, "saboteur")] * saboteurs + [Chair(cell.miner, "miner")] * miners
        match = seat_match(f"saboteur/{cell.ruleset}", chairs, agents)
        chunk, deals = chunk_of(match), cell.games(games)
        work = ((match.spec, (0,), seed, first, min(chunk, deals - first)) for first in range(0, deals, chunk))
        parts = []
        for part in each_in_order(stream, play_deals, work):
            parts.append(part)
            progress.played(len(part))
        return np.concatenate(parts)

    return in_one_stream(workers, {cell.id: partial(play, cell) for cell in todo})


def look_verdict(rows: Sequence[Row]) -> str:
    """How many cells agree with the edition as_run, and how many with the other one."""
    counts = []
    for edition in (("table3/", "table4/", "table5/"), "table5-as-printed/"):
        cells = [row.verdict == AGREES for row in rows if row.id.startswith(edition)]
        counts.append(f"{sum(cells)} of {len(cells)}")
    return (
        f"{counts[0]} published cells agree with what the authors' program did, {counts[1]} with what their text says"
    )


STUDY = Study(
    name="krisnadi2019",
    title="The decision system of 2019 against itself and the baseline of 2016",
    source="Krisnadi, Lukas, Logan, Bachtiar, Lohanda: Decision System Modelling for “Saboteur” using Heuristics and "
    "Means-Ends Analysis. ICAAI 2019.",
    default_games=3000,
    small_games=200,
    unit="saboteur wins, %",
    sections=(
        Section(
            "table3/",
            "Table 3: saboteurs of 2016 against miners of 2019",
            "Each published number is the mean of three runs of 1,000 games.",
        ),
        Section(
            "table4/",
            "Table 4: saboteurs of 2019 against miners of 2016",
            "The baseline's miners lose most of their games: a placement that they find for one form of a card is played "
            "in the other.",
        ),
        Section(
            "table5/", "Table 5: the system of 2019 on both sides", "The edition as_run: what the authors' program did."
        ),
        Section(
            "table5-as-printed/",
            "Table 5 with the edition as_printed",
            "What the text of the paper says, its gaps filled, beside the numbers of the paper. Where it differs, the "
            "printed numbers are those of the program and not those of the text.",
        ),
        Section(
            "claim/", "What the text claims", "Sentences of section 4, judged by the cells above of the edition as_run."
        ),
        Section(
            "ablation/",
            "Ablation: one reading at a time",
            "The edition as_run on both sides, with one reading as printed. Compare with Table 5 of the same size. The last "
            "two are rules of the board, not of the player.",
            "table5/",
        ),
        Section(
            "ablation-2016/",
            "Ablation of the baseline: one fault mended at a time",
            "Saboteurs of 2019 against miners of 2016 with one fault of their program mended. Compare with Table 4.",
            "table4/",
        ),
        Section(
            "change/",
            "What each switch changes",
            "Points above the same cell without the switch, on the same deals. `more` and `less` hold at 95 % for all switches of "
            "this section together (Holm).",
        ),
    ),
    measure=measure,
    judged="table",
    look=FirstLook(("table3/", "table4/", "table5/", "table5-as-printed/"), look_verdict, look_measure),
)
