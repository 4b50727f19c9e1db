"""Krisnadi et al. 2019 as a text: Table 5 with 64 readings of it, beside what the authors printed.

A reading says yes or no at each place where the printed text can be read in two ways (`CHOICES`); what it says plainly is the same
in all. They are played on the rules as printed. The nearest reading is chosen by Table 5 alone, and judged by Tables 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from molehunt.arena.workers import Workers
from molehunt.core.words import joined
from molehunt.studies.krisnadi2019 import BASELINE, PRINTED, TEAMS, Cell, play_cells, published
from molehunt.studies.study import FirstLook, Row, Section, Study, Tell

RULES_AS_PRINTED = "krisnadi:blocked_may_rockfall=no,stones_let_in=no"
"""Table 1: a rockfall wants a whole tool, too; a stone that was reached is a card with four sides like any other (section 2.2)."""


@dataclass(frozen=True)
class Choice:
    """A place of the text with two readings: the parameter, its two values, and the words that speak for each."""

    parameter: str
    values: tuple[str, str]
    words: tuple[str, str]


CHOICES = (
    Choice(
        "goals_count",
        ("no", "yes"),
        (
            "equation (9): “reachable(x, y) ∧ β_xy(∅)”, and a goal lies on the board from the start (section 2.4)",
            "Algorithm 2 writes the cell of a goal that is not known as empty: “if β_8,0 = ∅”",
        ),
    ),
    Choice(
        "repair_counts_empty",
        ("no", "yes"),
        (
            "Algorithm 5: |φ_p'| as the number of tools; nobody without a broken tool is ever mended",
            "section 2.3: φ_p starts as ⟨block, empty⟩, and Algorithm 4 divides by |φ_p'| of players with whole tools",
        ),
    ),
    Choice(
        "few_enemies",
        ("no", "yes"),
        (
            "a block goes to who “is considered as an enemy”, and a saboteur's enemies are the miners",
            "section 3.2: “k lowest values of θ_q, where k equals to the number of saboteurs in the game excluding itself”",
        ),
    ),
    Choice(
        "rockfall_occupied",
        ("no", "yes"),
        (
            "equation (10): the value of the board is that of its reachable empty cells; (11) says what a rockfall may remove",
            "section 3.1: the algorithm is the same “with φ is defined as φ' in (11)”, and φ stands in (10) alone",
        ),
    ),
    Choice(
        "d_r",
        ("5.2", "-5.2"),
        (
            "section 3.2: “if an enemy is repaired, then the player is more likely to be also an enemy”",
            "Algorithm 8, which adds 2 d_b where the target is an enemy",
        ),
    ),
    Choice(
        "discard_suiting",
        ("yes", "no"),
        (
            "section 3.1: “selected randomly from pathway card for saboteur and dead-end card for miner”",
            "the same sentence's “the worst card”, and Algorithm 1, which only says “discard card”",
        ),
    ),
)


def readings() -> Iterator[str]:
    """The specs of all readings, that of the edition `as_printed` first."""
    for values in product(*(choice.values for choice in CHOICES)):
        items = [
            f"{choice.parameter}={value}"
            for choice, value in zip(CHOICES, values, strict=True)
            if value != choice.values[0]
        ]
        yield ",".join([PRINTED, *items])


LOOKED_AT = (PRINTED, f"{PRINTED},goals_count=yes")


def label(spec: str) -> str:
    """A reading as a row's id names it: what differs from the edition."""
    return spec.removeprefix(PRINTED).removeprefix(",") or "as_printed"


def nearest(table: Mapping[str, Sequence[Row]]) -> str:
    """The reading whose rows are nearest to what was published, in the mean of the absolute differences."""
    return min(table, key=lambda spec: _distance(table[spec]))


def _distance(rows: Sequence[Row]) -> float:
    return sum(abs(row.measured - (row.published or 0.0)) for row in rows) / len(rows)


def range_row(cell: str, rows: Sequence[Row], chosen: Row) -> Row:
    """A cell over all readings: `measured` and verdict are the nearest reading's, `low` and `high` the least and largest rate."""
    return Row(
        id=cell,
        quantity=f"saboteur wins, %: the nearest of {len(rows)} readings; from the lowest to the highest of them",
        published=chosen.published,
        measured=chosen.measured,
        low=min(row.measured for row in rows),
        high=max(row.measured for row in rows),
        games=chosen.games,
        verdict=chosen.verdict,
    )


def reading_cells() -> dict[str, list[Cell]]:
    """Table 5 on the rules as printed, by the spec of the reading that is on both sides."""
    return {spec: [_cell(f"reading/{label(spec)}", "5", spec, spec, team) for team in TEAMS] for spec in readings()}


def judging_cells(spec: str) -> list[Cell]:
    """Tables 3 and 4 on the rules as printed with a reading in place of the system of 2019."""
    return [
        *(_cell("nearest/table3", "3", BASELINE, spec, team) for team in TEAMS),
        *(_cell("nearest/table4", "4", spec, BASELINE, team) for team in TEAMS),
    ]


def _cell(prefix: str, table: str, saboteur: str, miner: str, team: tuple[int, int]) -> Cell:
    s, m = team
    quantity = f"saboteur wins, %: {s} x {saboteur} against {m} x {miner}, rules as printed"
    return Cell(f"{prefix}/{s}+{m}", quantity, saboteur, miner, team, published()[table, s, m], RULES_AS_PRINTED)


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Table 5 with every reading; the range over them; Tables 3 and 4 with the reading that is nearest in Table 5."""
    every = reading_cells()
    total = games * (sum(map(len, every.values())) + 2 * len(TEAMS))
    first = total - games * 2 * len(TEAMS)
    todo = [cell for cells in every.values() for cell in cells]
    rows = play_cells(todo, games, seed, workers, lambda done, _: tell(done, total))
    if len(rows) < len(todo):
        return rows  # interrupted: the nearest reading is not known
    found = {row.id: row for row in rows}
    table = {spec: [found[cell.id] for cell in cells] for spec, cells in every.items()}
    best = nearest(table)
    ranges = [
        range_row(f"text/{s}+{m}", [some[place] for some in table.values()], table[best][place])
        for place, (s, m) in enumerate(TEAMS)
    ]
    judging = play_cells(judging_cells(best), games, seed, workers, lambda done, _: tell(first + done, total))
    return [*ranges, *judging, *rows]


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """The readings at the place that decides most, all else as in the edition."""
    some = [_cell(f"reading/{label(spec)}", "5", spec, spec, team) for spec in LOOKED_AT for team in TEAMS]
    return play_cells(some, games, seed, workers, tell)


def look_verdict(rows: Sequence[Row]) -> str:
    """How far the readings that a first look plays are from the published table, in the mean."""
    words = []
    for spec in LOOKED_AT:
        mine = [row for row in rows if row.id.startswith(f"reading/{label(spec)}/")]
        words.append(f"{_distance(mine):.1f} points off with {label(spec)}")
    return f"the text, read to the letter: {joined(words)}; the authors' program is another player"


STUDY = Study(
    name="readings2019",
    title="The decision system of 2019 as its text can be read",
    source="Krisnadi, Lukas, Logan, Bachtiar, Lohanda: Decision System Modelling for “Saboteur” using Heuristics and "
    "Means-Ends Analysis. ICAAI 2019.",
    default_games=2000,
    small_games=25,
    unit="saboteur wins, %",
    sections=(
        Section(
            "text/",
            "Table 5 over all readings of the text",
            f"The text can be read in two ways at {len(CHOICES)} places. Measured is the reading that is nearest in this table as "
            "a whole; the interval is no confidence interval but goes from the lowest to the highest reading.",
        ),
        Section("nearest/", "Tables 3 and 4 with that reading", "It was chosen by Table 5, so these judge it."),
        Section("reading/", "Table 5, reading by reading", "Named by what differs from the edition as_printed."),
    ),
    measure=measure,
    look=FirstLook((), look_verdict, look_measure),
    judged=("text/", "nearest/"),
)
