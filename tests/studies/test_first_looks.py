"""First looks: all studies are told, and what each shows and says is there."""

from __future__ import annotations

import dataclasses

import pytest

from molehunt.studies import first_looks, opponents2020
from molehunt.studies.first_looks import STEPS, look_at
from molehunt.studies.study import STUDIES, FirstLook, load_study, rate_row, verdict_in_words

GAMES = {"krisnadi2019": 2, "constants2019": 4, "cai2020": 4}


def test_every_study_is_told_once_and_after_those_whose_machine_code_it_shares() -> None:
    told = [step.study for step in STEPS]
    assert sorted(told) == sorted(STUDIES)
    for number, step in enumerate(STEPS):
        assert set(step.after) <= set(told[:number])


@pytest.mark.parametrize("name", STUDIES)
def test_a_first_look_plays_what_it_shows_and_has_a_verdict(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents2020, "ROUNDS", (1, 10, 20))  # not a hundred games of a slow player
    study = load_study(name)
    report = look_at(name, GAMES.get(name, 3), 0, 1)
    assert report.study == name
    prefixes = {section.prefix for section in study.sections}
    for prefix in study.look.sections:
        assert prefix in prefixes
        assert any(row.id.startswith(prefix) for row in report.rows)
    verdict = (study.look.verdict or study.verdict)(report.rows)
    assert verdict == verdict.strip(". ") and "\n" not in verdict
    published = [row for row in report.rows if row.published is not None]
    assert ("nothing is published" in verdict) == (
        not published and name not in {"veldhuis2012", "hansen2019", "neller2018"}
    )


def test_the_numbers_of_a_first_look_are_those_of_the_study() -> None:
    for name in ("krisnadi2019", "mitchell2020"):
        study = load_study(name)
        look = {row.id: row for row in study.glance(3, 5, 1).rows}
        whole = {row.id: row for row in study.run(3, 5, 1).rows}
        assert look == {cell: row for cell, row in whole.items() if cell in look} and 0 < len(look) < len(whole)


def test_the_verdicts_count_what_the_rows_say() -> None:
    study = load_study("veldhuis2012")
    rows = study.glance(4, 0, 1).rows
    holding = sum(verdict_in_words(row) == "holds" for row in rows)
    assert study.look.verdict
    assert study.look.verdict(rows).startswith(f"{len(rows)} findings are published in words: {holding} x holds, ")


@pytest.mark.parametrize(("own", "games", "played"), [(None, None, 2), (7, None, 7), (7, 3, 3)])
def test_a_first_look_may_play_more_games_than_the_study_in_small(
    monkeypatch: pytest.MonkeyPatch, own: int | None, games: int | None, played: int
) -> None:
    look = FirstLook(
        (), measure=lambda games, seed, workers, tell: [rate_row("cell", "wins", 0, games, None)], games=own
    )
    small = dataclasses.replace(load_study("krisnadi2019"), small_games=2, look=look)
    monkeypatch.setattr(first_looks, "load_study", lambda name: small)
    assert [row.games for row in first_looks.look_at("any", games, 0, 1).rows] == [played]
