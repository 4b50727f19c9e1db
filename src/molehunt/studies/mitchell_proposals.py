"""What the Speed Clue report of 2020 proposed and did not build: each tried by one player among players without it.

A proposal is compared with its own base on the same deals: the player with it, and the same seat without it. Wins are compared
game by game, rounds on the listed deals as section 6.3.2 wants them; all comparisons of a kind are decided together (Holm).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from molehunt.arena.tuning.race import Scores
from molehunt.arena.workers import Workers
from molehunt.studies.clue_games import rounds_begun, self_play, wins_in_mix
from molehunt.studies.paired import MORE, Comparison, paired_rows, said_of
from molehunt.studies.study import Row, cases_row, rate_row

SEATS = (3, 4, 5, 6)
REPEATS = (1, 2, 3, 4, 5, 6)
PROPOSALS: tuple[tuple[str, str, str], ...] = (
    ("own-cards", "4.4.1: own cards in solved categories", "solved=own"),
    ("own-isolate", "4.4.1: own cards in all categories but one from the start, to isolate it", "own=3.0,cover=yes"),
    ("own-mislead", "4.4.1: own cards as often as chance would name them, to mislead", "own=1.0"),
    ("all-opponents", "4.4.2: not held, over all opponents", "ask=next_not_held,all_opponents=yes"),
    ("all-opponents-possible", "4.4.2: next-possible, over all opponents", "ask=next_possible,all_opponents=yes"),
    (
        "all-opponents-previous",
        "4.4.2: previous-possible, over all opponents",
        "ask=previous_possible,all_opponents=yes",
    ),
    *((f"repeats-{n}", f"4.4.3: confirm a card suggested {n} times", f"repeats={n}") for n in REPEATS),
    ("repeats-3-avoid", "6.3.2 (of advanced): avoid a card suggested 3 times", "repeats=3,suspects=avoid"),
    ("most-shown", "4.4.4: show the card shown to the most players", "show=most_shown"),
    ("no-waste", "6.3.1: no wasted card in a solved category", "solved=not_held"),
    ("cross-reference", "6.3.2: cross-reference the whole record", "cross_reference=yes"),
    ("mixed", "6.3.3: change strategy with the stage", "ask=mixed"),
    ("by-hand", "6.3.3: the strategy by the hand that was dealt", "ask=by_hand"),
    (
        "together",
        "the best combination",
        "ask=next_not_held,all_opponents=yes,solved=envelope,cross_reference=yes",
    ),
)
"""id, what the report proposes, and the parameters that do it."""
BASES = ("advanced", "basic")
NAMING = "solved=own"
"""Who names own cards, in solved categories: the opponents to whom the cue of 4.4.3 applies."""
READING = "repeats=2"
"""Who takes a card that is suggested twice as held: the opponents whom own cards might mislead."""


@dataclasses.dataclass(frozen=True)
class Trial:
    """A proposal tried by one player among players without it: `base` is their spec, `kind` what the rows call them."""

    name: str
    text: str
    items: str
    base: str
    kind: str

    def cell(self, seats: int) -> str:
        """How its cells with so many players are called, after the name of what is measured."""
        return f"{self.name}/{self.kind}-{seats}"

    @property
    def spec(self) -> str:
        """The player with the proposal."""
        return f"{self.base}{',' if ':' in self.base else ':'}{self.items}"


def trials() -> list[Trial]:
    """Every proposal with both players of the report, and some with a base of their own.

    That is Kingston's player whom the proposal extends, players who name own cards, or players who note what others name.
    """
    found = [Trial(*proposal, base, base) for base in BASES for proposal in PROPOSALS]
    for ask in ("possible", "previous"):
        base = "next-possible" if ask == "possible" else "previous-possible"
        found.append(Trial(f"all-opponents-{ask}", f"4.4.2: {base} over all", "all_opponents=yes", base, "own"))
    for base in BASES:
        for suspects, text in (("target", "confirm"), ("avoid", "avoid")):
            said = f"4.4.3, where others name own cards: {text} a card suggested twice"
            items = f"repeats=2,suspects={suspects}"
            found.append(Trial(f"cue-{text}-{base}", said, items, f"{base}:{NAMING}", "own"))
        said = "4.4.1, where others take a card suggested twice as held: own cards to mislead"
        found.append(Trial(f"mislead-{base}", said, "own=1.0", f"{base}:{READING}", "own"))
    return found


ROUNDS_SEATS = (3, 6)
LISTED = (1, 2, 3, 4, 5, 6)
"""The deals of Table 5.1, by which 6.3.2 wants proposals compared."""


# --- Playing ---------------------------------------------------------------------------------------------------------------


def wins_among(player: str, others: str, seats: int, games: int, seed: int, workers: Workers) -> Scores:
    """In which games one player wins among others of one kind (1, else 0), every seat in turn; shape (games,)."""
    return wins_in_mix((player, others), 1, seats, games, seed, workers).astype(np.float64)


def rounds_among_equals(player: str, seats: int, games: int, seed: int, workers: Workers) -> Scores:
    """How many rounds a table of one player needs in each game of the listed deals; shape (games,)."""
    each = -(-games // len(LISTED))
    turns = [self_play(player, seats, deal, each, seed, workers).turns for deal in LISTED]
    return rounds_begun(np.concatenate(turns), seats)


def proposal_cells(games: int, seed: int) -> dict[str, Callable[[Workers], Scores]]:
    """Every proposal and every base with every number of seats, in wins and in rounds."""
    todo: dict[str, Callable[[Workers], Scores]] = {}
    for trial in trials():
        for seats in SEATS:
            todo[f"proposal/{trial.cell(seats)}"] = partial(wins_among, trial.spec, trial.base, seats, games, seed)
            todo[f"base/{trial.base}-{seats}"] = partial(wins_among, trial.base, trial.base, seats, games, seed)
        for seats in ROUNDS_SEATS:
            todo[f"rounds/{trial.cell(seats)}"] = partial(rounds_among_equals, trial.spec, seats, games, seed)
            todo[f"base-rounds/{trial.base}-{seats}"] = partial(rounds_among_equals, trial.base, seats, games, seed)
    return todo


# --- Judging ---------------------------------------------------------------------------------------------------------------


def wins_rows(found: Mapping[str, Scores]) -> Iterator[Row]:
    """How often one player with a proposal wins among players without it."""
    for trial in trials():
        for seats in SEATS:
            cell = f"proposal/{trial.cell(seats)}"
            if cell in found:
                fair = f"(fair share {100 / seats:.1f})"
                quantity = f"wins of one {trial.base} with {trial.text}, %, among {seats - 1} x {trial.base} {fair}"
                yield rate_row(cell, quantity, int(found[cell].sum()), len(found[cell]), None)


def compared_wins(found: Mapping[str, Scores]) -> list[Row]:
    """How many points more that is than the same seat wins on the same deals without the proposal."""
    comparisons = []
    for trial in trials():
        for seats in SEATS:
            first, second = found.get(f"proposal/{trial.cell(seats)}"), found.get(f"base/{trial.base}-{seats}")
            if first is not None and second is not None:
                quantity = f"points won more than on the same deals without it: one {trial.base} with {trial.text}, {seats} players"
                comparisons.append(Comparison(f"paired/{trial.cell(seats)}", quantity, first, second))
    return paired_rows(comparisons)


def predictions(compared: list[Row]) -> Iterator[Row]:
    """With how many numbers of players each proposal helps, where all of its rows are there."""
    rows = {row.id: row for row in compared}
    for trial in trials():
        found = [rows[cell] for seats in SEATS if (cell := f"paired/{trial.cell(seats)}") in rows]
        if len(found) == len(SEATS) and (not trial.name.startswith("repeats") or trial.name.startswith("repeats-3")):
            helped = sum(said_of(row) == MORE for row in found)
            text = f"it helps {trial.base} ({trial.text}), by numbers of players"
            yield cases_row(
                f"prediction/prediction-{trial.name}-{trial.kind}", text, helped, len(SEATS), found[0].games
            )


def compared_rounds(found: Mapping[str, Scores]) -> list[Row]:
    """How many rounds sooner or later a table of players with a proposal comes to the solution than one without it."""
    comparisons = []
    for trial in trials():
        for seats in ROUNDS_SEATS:
            first, second = found.get(f"rounds/{trial.cell(seats)}"), found.get(f"base-rounds/{trial.base}-{seats}")
            if first is not None and second is not None:
                quantity = (
                    "rounds more until the solution on deals 1 to 6: "
                    f"{seats} x {trial.base} with {trial.text}, and without"
                )
                comparisons.append(Comparison(f"rounds/{trial.cell(seats)}", quantity, first, second))
    return paired_rows(comparisons, scale=1.0)


def proposal_rows(found: Mapping[str, Scores]) -> list[Row]:
    """All rows of the proposals, as far as their cells were played."""
    compared = compared_wins(found)
    return [*wins_rows(found), *compared, *predictions(compared), *compared_rounds(found)]
