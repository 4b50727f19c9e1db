"""The study of Hansen and Hansen 2019: its cells, and its findings from their halves."""

from __future__ import annotations

from molehunt.arena.workers import using
from molehunt.studies.hansen2019 import CELLS, STUDY, Halves, finding_rows, play_cell
from molehunt.studies.study import verdict_in_words


def test_the_best_and_the_worst_way_are_chosen_in_one_half_and_counted_in_the_other() -> None:
    ways = [cell for cell in CELLS if (cell.player, cell.other) == ("combined", "alike")]
    found = dict.fromkeys(ways, Halves((300, 300), (900, 900)))
    found[ways[0]] = Halves((400, 290), (900, 900))
    found[ways[1]] = Halves((310, 500), (900, 900))
    found[ways[2]] = Halves((200, 200), (900, 900))
    right, wrong = finding_rows("combined", found)
    assert right.measured == round(100 * 290 / 900, 3) and verdict_in_words(right) == "undecided"
    assert wrong.measured == round(100 * 200 / 900, 3) and verdict_in_words(wrong) == "holds"
    found[ways[2]] = Halves((200, 400), (900, 900))
    assert verdict_in_words(finding_rows("combined", found)[1]) == "does not hold"


def test_who_names_own_cards_in_all_places_all_the_time_asks_about_little_and_loses() -> None:
    always = next(cell for cell in CELLS if cell.id == "combined/alike/all but one-all")
    with using(1) as workers:
        found = play_cell(always, 1200, 1, workers)
    assert sum(found.wins) / sum(found.games) < 0.31


def test_a_small_study_has_cells_and_findings_each_in_a_section() -> None:
    rows = STUDY.run(6, 1, 1).rows
    assert len(rows) == len({row.id for row in rows}) == len(CELLS) + 4
    assert all(sum(row.id.startswith(section.prefix) for section in STUDY.sections) == 1 for row in rows)
    assert all(row.low <= row.measured <= row.high for row in rows)
