"""What a study is: rows, verdicts, published numbers."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest

from molehunt.arena.statistics import difference, wilson
from molehunt.arena.workers import Workers, width_of
from molehunt.core.errors import BadInput, UnknownName
from molehunt.studies.kingston2017 import STRATEGIES
from molehunt.studies.study import (
    NONE_PUBLISHED,
    STUDIES,
    VERDICTS,
    Row,
    digits_of,
    load_study,
    published_rows,
    rate_row,
    silent,
)


def test_row_without_a_published_number_has_no_verdict_on_it() -> None:
    row = rate_row("t/1+3", "wins, %", 30, 200, None)
    assert row == Row(
        id="t/1+3",
        quantity="wins, %",
        published=None,
        measured=15.0,
        low=round(100 * wilson(30, 200)[0], 3),
        high=round(100 * wilson(30, 200)[1], 3),
        games=200,
        verdict="none published",
    )


@pytest.mark.parametrize("published", [0.0, 3.0, 10.0, 14.9, 15.0, 15.1, 20.0, 25.0, 100.0])
@pytest.mark.parametrize("behind", [10, 1000, 1_000_000])
def test_verdict_says_whether_the_interval_of_the_difference_holds_0(published: float, behind: int) -> None:
    low, high = difference(30, 200, published * behind / 100, behind)
    row = rate_row("cell", "wins, %", 30, 200, (published, behind))
    assert row.verdict == ("agrees" if low <= 0 <= high else "differs")
    assert row.published == published


@pytest.mark.parametrize(
    ("wins", "published", "verdict"),
    [(15, 15.0, "agrees"), (15, 16.5, "agrees"), (5, 15.0, "differs"), (25, 15.0, "differs")],
)
def test_verdict_by_hand(wins: int, published: float, verdict: str) -> None:
    assert rate_row("cell", "wins, %", 10 * wins, 1000, (published, 3000)).verdict == verdict


def test_verdict_weighs_the_games_behind_the_published_number() -> None:
    # 15 % of 200 against 20 %: of 10 games that is no difference, of a million it is.
    assert rate_row("cell", "wins, %", 30, 200, (22.0, 10)).verdict == "agrees"
    assert rate_row("cell", "wins, %", 30, 200, (22.0, 1_000_000)).verdict == "differs"


def test_values_are_percents_with_three_decimals() -> None:
    row = rate_row("cell", "wins, %", 1, 3, (100 / 3, 3))
    assert (row.measured, row.published) == (33.333, 33.333)
    assert row.low == round(row.low, 3) < row.measured < row.high == round(row.high, 3)


def test_every_study_can_be_loaded_and_says_what_it_is() -> None:
    for name in STUDIES:
        study = load_study(name)
        assert study.name == name
        assert study.title and study.source and study.unit
        assert 1 <= study.small_games < study.default_games
        prefixes = [section.prefix for section in study.sections]
        assert len(set(prefixes)) == len(prefixes) > 0


def test_unknown_study_is_named() -> None:
    with pytest.raises(UnknownName, match="unknown study 'krisnadi'; did you mean 'krisnadi2019'"):
        load_study("krisnadi")


def test_published_numbers_are_in_the_package() -> None:
    rows = published_rows("krisnadi2019.csv")
    assert len(rows) == 3 * 6 * 3
    assert rows[0] == {
        "table": "3",
        "saboteur_agent": "means_ends_2016",
        "miner_agent": "decision_system_2019",
        "saboteurs": "1",
        "miners": "3",
        "run": "1",
        "games": "1000",
        "saboteur_win_percent": "11.0",
    }


@pytest.mark.parametrize(
    ("games", "players", "wrong"),
    [
        (0, (), "how many games a cell has is a whole number, 1 or more, not 0"),
        (2.5, (), "how many games a cell has is a whole number, 1 or more, not 2.5"),
        (
            8,
            ("duel/greedy-2020",),
            r"a StudiedPlayer, as StudiedPlayer\('duel', 'greedy-2020'\), not 'duel/greedy-2020'",
        ),
    ],
)
def test_what_no_study_can_play_is_refused(games: Any, players: Any, wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        load_study("strangers").run(games, 0, 1, players=players)


def test_study_times_itself_and_hands_on_what_it_is_given() -> None:
    given: list[tuple[object, ...]] = []
    study = load_study("krisnadi2019")

    def measure(games: int, seed: int, workers: Workers, tell: object) -> list[Row]:
        given.append((games, seed, width_of(workers), tell))
        return [rate_row("a/b", "q", 1, games, None)]

    changed = type(study)(**{**vars(study), "measure": measure})
    report = changed.run(7, 3, 2)
    assert given == [(7, 3, 2, silent)]
    assert (report.study, report.seconds >= 0) == ("krisnadi2019", True)
    assert [row.games for row in report.rows] == [7]


@pytest.mark.parametrize(
    ("quantity", "measured", "digits"),
    [("payoff", 0.47, 4), ("payoff", 7.5, 1), ("wins, %", 0.3, 1), ("wins, %", 40.0, 1)],
)
def test_small_numbers_that_are_no_percentages_are_shown_with_more_digits(
    quantity: str, measured: float, digits: int
) -> None:
    row = Row(
        id="a", quantity=quantity, published=None, measured=measured, low=0, high=1, games=1, verdict=NONE_PUBLISHED
    )
    assert digits_of([row]) == digits
    assert digits_of([msgspec.structs.replace(row, low=-math.inf, high=math.inf)]) == digits


@pytest.mark.parametrize(("wins", "games"), [(5, 3), (-1, 3), (0, 0), (float("nan"), 3)])
def test_a_rate_is_of_no_more_wins_than_games(wins: float, games: int) -> None:
    with pytest.raises(BadInput, match="mine: a rate is of wins from 0 to the number of games, 1 or more, not of"):
        rate_row("mine", "q", wins, games, None)


def test_a_row_of_what_are_no_counts_is_refused() -> None:
    wrong: list[tuple[Any, Any]] = [("1", 2), (1, "2"), (1, None), (1, 2.5), (float("nan"), 2), (0, True)]
    for wins, games in wrong:
        with pytest.raises(BadInput, match=f"mine: a rate is of wins .*, not of {wins!r} in {games!r}"):
            rate_row("mine", "what", wins, games, None)
    published: Any = 24.9
    with pytest.raises(BadInput, match=r"mine: what is published is \(percent, games\), not 24.9"):
        rate_row("mine", "what", 1, 2, published)


def test_a_study_is_named_by_a_text() -> None:
    wrong: Any = 2019
    with pytest.raises(BadInput, match="a study is named by a text, as 'krisnadi2019', not 2019"):
        load_study(wrong)


# --- What is said of the rows -------------------------------------------------------------------------------------------


def row_of(name: str, value: float, quantity: str = "", verdict: str = NONE_PUBLISHED) -> Row:
    """A row of which no number is published."""
    return Row(id=name, quantity=quantity, published=None, measured=value, low=0, high=0, games=2, verdict=verdict)


@pytest.mark.parametrize(
    ("study", "values", "said"),
    [
        (
            "strangers",
            {"mean/duel/learned": 50, "mean/duel/greedy-2020": 50, "mean/duel/random": 2, "mean/saboteur/mole": 61},
            "duel: learned and greedy-2020 win most, 50 %",
        ),
        (
            "strangers",
            {"mean/duel/learned": 51, "mean/duel/greedy-2020": 50, "mean/saboteur/mole": 61},
            "duel: learned wins most, 51 %",
        ),
        (
            "kingston2017",
            {f"random/3/deal1-{each}": 4 + (each == "next-possible") for each in STRATEGIES},
            "no-intelligence, deduction-only, previous-possible and next-not-held, 4.0 on average, the most next-possible, 5.0",
        ),
        (
            "exploitability",
            {"clue/both/exact": 0.2, "clue/both/advanced": 0.2, "clue/both/random": 0.9},
            "the least is lost by exact and advanced, 0.20 a game to one who knows the player, random 0.90",
        ),
        (
            "constants2019",
            {"spread/2+3/miner/trust": 0, "spread/2+3/saboteur/trust": 0, "changed/2+3/miner/trust": 0},
            "is trust of the miners (2+3) and trust of the saboteurs (2+3), 0 points between best and worst value",
        ),
    ],
)
def test_who_shares_the_first_place_is_named_too(study: str, values: dict[str, float], said: str) -> None:
    verdict = load_study(study).look.verdict
    assert verdict is not None
    assert said in verdict([row_of(name, value) for name, value in values.items()])


@pytest.mark.parametrize(
    ("endings", "said"),
    [
        (("undecided", "undecided"), "0 of 2 published findings agree, 2 are undecided"),
        (("holds", "undecided"), "1 of 2 published findings agree, 1 is undecided"),
        (("holds", "does not hold"), "1 of 2 published findings agree"),
    ],
)
def test_a_finding_that_is_undecided_does_not_look_like_one_that_fails(endings: tuple[str, str], said: str) -> None:
    rows = [row_of(f"finding/{ending}", 0, f"points: {ending}", VERDICTS[ending]) for ending in endings]
    assert load_study("neller2018").verdict(rows) == said
