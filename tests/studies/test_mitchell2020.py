"""The study of 2020: every published cell is there, claims are judged as they are worded, readings are searched."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from molehunt.agents.registry import Agents
from molehunt.arena.workers import open_workers
from molehunt.studies import mitchell2020, mitchell_proposals
from molehunt.studies.clue_games import COUNTS, arrangements, mix, self_play
from molehunt.studies.mitchell2020 import (
    CLOSEST,
    PLAIN,
    STUDY,
    Distance,
    Reading,
    claims,
    mix_cells,
    most_rounds,
    readings,
    rounds_cells,
    search,
)
from molehunt.studies.mitchell_proposals import (
    PROPOSALS,
    Trial,
    compared_rounds,
    compared_wins,
    predictions,
    proposal_cells,
    trials,
)
from molehunt.studies.study import AGREES, DIFFERS, NONE_PUBLISHED, Row, load_study, silent

ROUNDS = {cell.id: cell for cell in rounds_cells()}
MIXES = {cell.test: cell for cell in mix_cells()}

# --- What was published -----------------------------------------------------------------------------------------------


def test_there_are_40_cells_and_14_mixes() -> None:
    listed = [(1, deal, seats) for deal in range(1, 7) for seats in (3, 6)]
    listed += [(2, deal, seats) for deal in (7, 8) for seats in (3, 4, 5, 6)]
    expected = {f"table5.{t}/deal{deal}-{s}-{agent}" for t, deal, s in listed for agent in ("basic", "advanced")}
    assert set(ROUNDS) == expected and len(expected) == len(rounds_cells()) == 40
    assert sorted(MIXES) == list(range(1, 15))


def test_cells_as_printed() -> None:
    """Three cells of Tables 5.1 to 5.3, read off the report."""
    assert ROUNDS["table5.1/deal1-3-basic"].published == 6.17
    assert ROUNDS["table5.2/deal7-3-advanced"].published == 6.036
    # Table 5.3, test 2: two advanced players win 195 and 182 of 500 games, the basic one 123.
    assert dataclasses.astuple(MIXES[2]) == (2, 3, 2, 195 + 182, 500)


def test_wins_of_the_advanced_players_in_percent() -> None:
    printed = [42, 75, 32, 58, 80, 25, 49, 67, 86, 19, 41, 58, 73, 87]
    assert all(abs(100 * MIXES[n + 1].wins / MIXES[n + 1].games - percent) <= 0.7 for n, percent in enumerate(printed))
    tests = [(seats, advanced) for seats in (3, 4, 5, 6) for advanced in range(1, seats)]
    assert [(cell.seats, cell.advanced) for cell in mix_cells()] == tests


# --- Playing ----------------------------------------------------------------------------------------------------------


def test_rounds_are_counted_in_two_ways() -> None:
    turns = np.array([1, 3, 4, 12, 13])
    counted = {name: count(turns, 3).tolist() for name, count in COUNTS.items()}
    assert counted == {
        "begun": [1, 1, 2, 4, 5],
        "complete": [0, 0, 1, 3, 4],
    }


def test_a_mix_is_seated_in_every_way() -> None:
    assert arrangements(1, 3) == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    assert [len(arrangements(3, seats)) for seats in (4, 5, 6)] == [4, 10, 20]
    with ThreadPoolExecutor(1) as pool:
        wins, games = mix(("advanced", "basic"), 1, 3, 40, 1, pool)
        assert games == 42  # the same number for each of the three seatings
        assert 0 < wins < games
        others, again = mix(("basic", "advanced"), 2, 3, 40, 1, pool)
        assert (mix(("advanced", "basic"), 1, 3, 40, 1, pool), again) == ((wins, games), 42)
        assert 0 < others < again


def test_games_are_the_same_for_any_number_of_threads() -> None:
    found = []
    for threads in (1, 3):
        with ThreadPoolExecutor(threads) as pool:
            cell = self_play("basic", 3, 7, 1100, 2, pool)
            found.append((cell.turns.tolist(), cell.winners.tolist()))
    assert found[0] == found[1]
    assert len(found[0][0]) == 1100 and set(found[0][1]) == {0, 1, 2}


def test_a_small_study_has_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mitchell_proposals, "PROPOSALS", (PROPOSALS[0], *PROPOSALS[8:10]))
    told: list[tuple[int, int]] = []
    report = STUDY.run(2, 1, 2, lambda done, total: told.append((done, total)))
    rows = {row.id: row for row in report.rows}
    assert len(rows) == len(report.rows)
    for prefix in ("", "closest/"):
        for table, cells in (("5.1", 24), ("5.2", 16), ("5.3", 14)):
            assert sum(name.startswith(f"{prefix}table{table}/") for name in rows) == cells
        for name, cell in ROUNDS.items():
            assert rows[prefix + name].published == cell.published
            assert rows[prefix + name].games == 2
        for test, mixed in MIXES.items():
            row = rows[f"{prefix}table5.3/test{test}"]
            assert row.published == round(100 * mixed.wins / mixed.games, 3) and row.games >= 2
    assert sum(name.startswith("claim/") for name in rows) == 8
    assert sum(name.startswith("proposal/") for name in rows) == (2 * 3 + 8) * 4
    assert sum(name.startswith("paired/") for name in rows) == (2 * 3 + 8) * 4
    assert sum(name.startswith("rounds/") for name in rows) == (2 * 3 + 8) * 2
    assert sum(name.startswith("prediction/") for name in rows) == 2 * 2 + 8
    assert all(rows[name].verdict == NONE_PUBLISHED for name in rows if name.startswith("proposal/"))
    assert {row.verdict for row in report.rows} <= {AGREES, DIFFERS, NONE_PUBLISHED}
    assert all(row.low <= row.measured <= row.high for row in report.rows)
    assert all(any(name.startswith(section.prefix) for section in STUDY.sections) for name in rows)
    assert all(any(name.startswith(section.prefix) for name in rows) for section in STUDY.sections)
    assert told[0][0] == 0 and all(one <= other for one, other in pairwise(done for done, _ in told))
    assert told[-1][0] == told[-1][1]


def test_the_study_is_in_the_list_of_studies() -> None:
    assert load_study("mitchell2020") is STUDY


@pytest.mark.parametrize("proposal", PROPOSALS, ids=lambda proposal: proposal[0])
def test_every_proposal_is_a_player_that_differs_from_its_base(proposal: tuple[str, str, str]) -> None:
    agents = Agents("speed_clue")
    assert agents.make(f"basic:{proposal[2]}").name != "basic"
    if proposal[0] != "all-opponents-possible":
        assert agents.make(f"advanced:{proposal[2]}").name != "advanced"


def test_a_proposal_is_tried_among_players_of_its_own_base() -> None:
    agents = Agents("speed_clue")
    own = {trial.name: trial for trial in trials() if trial.kind == "own"}
    assert own["all-opponents-previous"].spec == "previous-possible:all_opponents=yes"
    assert own["all-opponents-previous"].base == "previous-possible"
    assert own["cue-confirm-basic"].spec == "basic:solved=own,repeats=2,suspects=target"
    for trial in trials():
        assert agents.make(trial.spec).name not in (agents.make(trial.base).name, trial.base)
    names = [(trial.name, trial.kind) for trial in trials()]
    assert len(set(names)) == len(names)


def small_trial(monkeypatch: pytest.MonkeyPatch, name: str, kind: str, games: int) -> tuple[Trial, dict[str, Any]]:
    """One proposal alone, and what its cells come to."""
    trial = next(trial for trial in trials() if (trial.name, trial.kind) == (name, kind))
    monkeypatch.setattr(mitchell_proposals, "trials", lambda: [trial])
    with open_workers(1) as one:
        return trial, {cell: play(one) for cell, play in proposal_cells(games, 1).items()}


def test_a_proposal_is_compared_with_the_same_seat_on_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    trial, found = small_trial(monkeypatch, "together", "basic", 60)
    rows = {row.id: row for row in compared_wins(found)}
    with open_workers(1) as one:
        wins, games = mix((trial.spec, "basic"), 1, 3, 60, 1, one)
        fair, _ = mix(("basic", "basic"), 1, 3, 60, 1, one)
    row = rows["paired/together/basic-3"]
    assert row.measured == pytest.approx(100 * (wins - fair) / games, abs=1e-3) and row.games == games
    assert row.low < row.measured < row.high
    (told,) = predictions(list(rows.values()))
    assert told.measured == sum(one.quantity.endswith(": more") for one in rows.values())
    assert told.measured > 0


def test_a_proposal_that_changes_nothing_neither_helps_nor_harms(monkeypatch: pytest.MonkeyPatch) -> None:
    trial = Trial("same", "nothing", "solved=any", "basic", "basic")
    monkeypatch.setattr(mitchell_proposals, "trials", lambda: [trial])
    with open_workers(1) as one:
        found = {cell: play(one) for cell, play in proposal_cells(12, 1).items()}
    for row in compared_wins(found):
        assert row.low == -row.high < row.measured == 0 and row.quantity.endswith(": not decided")
    for row in compared_rounds(found):
        assert row.measured == row.low == row.high == 0 and row.quantity.endswith(": not decided")


def test_rounds_of_a_proposal_are_a_difference_of_two_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    trial, found = small_trial(monkeypatch, "together", "basic", 60)
    row = next(row for row in compared_rounds(found) if row.id.endswith("-3"))
    with open_workers(1) as one:
        means = [
            np.mean([np.ceil(self_play(spec, 3, deal, 10, 1, one).turns / 3).mean() for deal in range(1, 7)])
            for spec in (trial.spec, "basic")
        ]
    assert row.measured == pytest.approx(means[0] - means[1], abs=1e-3)
    assert row.low < row.measured < row.high < 0 and row.games == 60
    assert row.quantity.endswith(": less")


def test_elimination_takes_as_many_rounds_as_others_hold_cards() -> None:
    """Section 3.1: one who names the first unseen card of each category, the envelope's being the last of its list."""
    random = np.random.default_rng(1)
    for seats in (3, 6):
        longest = 0
        for _ in range(50):
            categories = [list(range(6)), list(range(10, 16)), list(range(20, 29))]
            envelope = {category[-1] for category in categories}
            dealt = random.permutation([card for category in categories for card in category[:-1]]).tolist()
            unseen = set(dealt[18 // seats :])
            rounds = 0
            while unseen:
                named = [next(c for c in category if c in unseen or c in envelope) for category in categories]
                unseen.remove(random.choice([card for card in named if card in unseen]))
                rounds += 1
            longest = max(longest, rounds)
        assert longest == most_rounds(seats)


# --- Claims -----------------------------------------------------------------------------------------------------------


def a_row(name: str, measured: float) -> Row:
    return Row(id=name, quantity="", published=None, measured=measured, low=0, high=0, games=1, verdict=NONE_PUBLISHED)


def judged(**changes: float) -> dict[str, tuple[float, float | None, str]]:
    """The claims of the report about its own numbers, some of them changed."""
    values = {name: cell.published for name, cell in ROUNDS.items()}
    values |= {f"table5.3/test{test}": 100 * cell.wins / cell.games for test, cell in MIXES.items()}
    values |= {name.replace("__", "/").replace("_", "-"): value for name, value in changes.items()}
    found = claims([a_row(name, value) for name, value in values.items()], 500)
    return {row.id.removeprefix("claim/"): (row.measured, row.published, row.verdict) for row in found}


def test_the_claims_of_the_report_about_its_own_numbers() -> None:
    assert judged() == {
        "advanced-wins-every-mix": (14, 14, AGREES),
        # Tables 5.1 and 5.2: with six players basic is faster on deal 6 (4.188, 4.374) and on deal 8 (4.564, 4.754).
        "advanced-is-faster": (18, 18, AGREES),
        # 18 cards are dealt, 6 or 3 of them to the one who asks; the report says 14 for six players.
        "most-rounds-3": (12, 12, AGREES),
        "most-rounds-6": (15, 14, DIFFERS),
        "lead-shrinks": (3, 3, AGREES),
        "more-players-fewer-rounds": (12, 12, AGREES),
        "basic-prefers-deal-8": (4, 4, AGREES),
        "advanced-prefers-deal-7": (4, 4, AGREES),
    }


@pytest.mark.parametrize(
    ("cell", "value", "claim", "holds"),
    [
        ("table5.1/deal6-6-advanced", 4.1, "advanced-is-faster", 19),  # more than is printed, and not cut off
        ("table5.1/deal1-3-advanced", 6.2, "advanced-is-faster", 17),
        ("table5.3/test1", 33.0, "advanced-wins-every-mix", 13),
        ("table5.3/test1", 33.5, "advanced-wins-every-mix", 14),
        ("table5.3/test2", 66.0, "advanced-wins-every-mix", 13),
        ("table5.2/deal7-4-basic", 5.0, "lead-shrinks", 2),
        ("table5.2/deal7-6-basic", 5.4, "more-players-fewer-rounds", 11),
        ("table5.2/deal8-6-basic", 4.7, "basic-prefers-deal-8", 3),
        ("table5.2/deal7-3-advanced", 5.0, "advanced-prefers-deal-7", 3),
        ("table5.2/deal7-6-advanced", 4.8, "advanced-prefers-deal-7", 3),
    ],
)
def test_a_claim_counts_the_cases_in_which_it_holds(cell: str, value: float, claim: str, holds: int) -> None:
    assert judged(**{cell: value})[claim][0] == holds
    assert (judged(**{cell: value})[claim][2] == AGREES) == (holds == judged()[claim][1])


# --- Readings ---------------------------------------------------------------------------------------------------------


def test_readings_are_all_different_players_and_the_plain_and_the_closest_are_among_them() -> None:
    agents = Agents("speed_clue")
    found = [(agents.make(r.spec("basic")).name, agents.make(r.spec("advanced")).name) for r in readings()]
    assert len(found) == len(set(found)) == 3 * 4 * 2 * 2 * 4
    for reading in (PLAIN, CLOSEST):
        assert (agents.make(reading.spec("basic")).name, agents.make(reading.spec("advanced")).name) in found
        assert reading.count in COUNTS
    assert agents.make(PLAIN.spec("basic")).name == "basic"


def test_search_ranks_readings_the_nearest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [PLAIN, Reading(("deduction_6=never",), ("fallback=one_only",))]
    cells, mixes = rounds_cells()[22:26], mix_cells()[:2]
    for name, values in (("readings", some), ("rounds_cells", cells), ("mix_cells", mixes)):
        monkeypatch.setattr(mitchell2020, name, lambda values=values: iter(values) if values is some else values)
    with open_workers(2) as two:
        found = search(2, 1, two, silent)
    assert len(found) == len(some) * len(COUNTS)
    assert [distance.chosen_by for distance in found] == sorted(distance.chosen_by for distance in found)
    assert {distance.reading for distance in found} == {dataclasses.replace(r, count=c) for r in some for c in COUNTS}
    # The nearest, worked out again.
    best = found[0]
    with ThreadPoolExecutor(1) as pool:
        errors = [
            float(
                COUNTS[best.reading.count](
                    self_play(best.reading.spec(c.agent), c.seats, c.deal, 2, 1, pool).turns, c.seats
                ).mean()
            )
            - c.published
            for c in cells
        ]
    assert [c.table for c in cells] == ["5.1", "5.1", "5.2", "5.2"]
    assert best.chosen_by == pytest.approx(float(np.sqrt(np.mean(np.square(errors[:2])))))
    assert best.rounds == pytest.approx(float(np.sqrt(np.mean(np.square(errors[2:])))))
    with open_workers(1) as one:
        assert search(2, 1, one, silent) == found


def test_a_distance_says_what_it_was_chosen_by_and_what_judges_it() -> None:
    distance = Distance(CLOSEST, 0.456, 0.71, 3.21)
    assert distance.columns() == {
        "5.1: rounds off": "0.46",
        "5.2: rounds off": "0.71",
        "5.3: points off": "3.2",
        "reading": str(CLOSEST),
    }
    assert list(distance.values().items()) == [
        ("5.1: rounds off", 0.456),
        ("5.2: rounds off", 0.71),
        ("5.3: points off", 3.21),
        ("reading", str(CLOSEST)),
    ]


def test_a_printed_mean_of_the_same_games_agrees_where_few_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    random, games, runs = np.random.default_rng(1), 4, 1000
    count = COUNTS[PLAIN.count]

    def turns(number: int) -> npt.NDArray[np.int64]:
        return random.integers(10, 100, number)

    agree = 0
    for _ in range(runs):
        monkeypatch.setattr(mitchell2020, "self_play", lambda *_: SimpleNamespace(turns=turns(games)))
        printed = float(count(turns(mitchell2020.PUBLISHED_GAMES), 3).mean())
        cell = mitchell2020.RoundsCell("5.1", 1, 3, "basic", printed)
        row = mitchell2020.rounds_row("", cell, PLAIN, games, 1, None)  # type: ignore[arg-type]
        agree += row.verdict == AGREES
    assert agree / runs > 0.93
