"""The study of Cai and Jiang 2020: both published numbers beside the players they are about, every deal in both seatings."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.arena.match import run, seat_match
from molehunt.arena.seating import Chair
from molehunt.arena.statistics import wilson
from molehunt.arena.workers import the_player
from molehunt.core.agent import Agent
from molehunt.games.registry import make_game
from molehunt.studies import cai2020, duel_games
from molehunt.studies.cai2020 import (
    AND_OR,
    DEPTHS,
    GREEDY,
    LISTED,
    PLAYERS,
    RANDOM,
    READINGS,
    STUDY,
    Pair,
    pairs,
    published,
    rate,
    spec_of,
)
from molehunt.studies.duel_games import Timed, play_pair, sooner
from molehunt.studies.study import Report, Row

GAMES = 10
"""Two games a reading of the search."""


@pytest.fixture(scope="module")
def report() -> Report:
    return STUDY.run(GAMES, 3, 2)


@pytest.fixture(scope="module")
def rows(report: Report) -> dict[str, Row]:
    return {row.id: row for row in report.rows}


def test_the_two_published_numbers_are_wins_against_the_random_player_of_the_course(rows: dict[str, Row]) -> None:
    assert rows["strength/greedy-2020/random-listed/wins"].published == 47
    assert rows["strength/and-or-2020/random-listed/wins"].published == 60
    judged = {row.id: row.published for row in rows.values() if row.published and row.id.startswith(STUDY.judged)}
    assert judged == published()
    for cell, number in ((GREEDY, 47), (AND_OR, 60)):
        assert {row.published for row in rows.values() if row.id.startswith(f"readings/{cell}/")} == {number}


def test_a_published_number_agrees_where_the_interval_holds_it() -> None:
    won, each = np.repeat([1, 0], [47, 53]), np.ones(100, np.int64)
    low, high = (100 * end for end in wilson(47, 100))
    assert rate("a/b", "wins, %", won, each, low + 0.01).verdict == "agrees"
    assert rate("a/b", "wins, %", won, each, high - 0.01).verdict == "agrees"
    assert rate("a/b", "wins, %", won, each, low - 0.01).verdict == "differs"
    assert rate("a/b", "wins, %", won, each, high + 0.01).verdict == "differs"
    assert rate("a/b", "wins, %", won, each).verdict == "none published"


def test_the_same_game_in_both_seatings_counts_once() -> None:
    """A random player against itself plays a deal in one way, whoever is called the first."""
    with ThreadPoolExecutor(1) as pool:
        tally = play_pair(LISTED, LISTED, 1200, 7, pool, lambda done: None)
    assert tally.games == 1200 and 0 < tally.draws.sum() < 1200
    assert set(tally.draws.tolist()) == {0, 2}
    row = next(row for row in cai2020.random_rows({cai2020.meeting(LISTED, LISTED): tally}) if "/draws" in row.id)
    alone = wilson(int(tally.draws.sum()) // 2, 600)
    assert (row.low, row.high) == tuple(round(100 * end, 3) for end in alone)
    assert row.games == 1200


@pytest.mark.parametrize(
    ("first", "second", "games"), [(GREEDY, LISTED, 10), (LISTED, RANDOM, 10), (AND_OR, GREEDY, 4)]
)
def test_a_pair_is_what_the_arena_plays_with_rotation(
    rows: dict[str, Row], first: str, second: str, games: int
) -> None:
    match = seat_match("duel/mcgill", [Chair(first), Chair(second)], Agents("duel"), rotate=True)
    wins = run(match, games, 3).wins.tolist()
    for ours, theirs, count in ((first, second, wins[0]), (second, first, wins[1])):
        row = rows[f"cross/{ours}/{theirs}"]
        assert row.games == games
        assert row.measured == pytest.approx(100 * count / games, abs=1e-3)


def test_wins_draws_and_losses_are_all_games(rows: dict[str, Row]) -> None:
    for player in (GREEDY, AND_OR):
        for other in (LISTED, RANDOM):
            parts = [rows[f"strength/{player}/{other}/{what}"] for what in ("wins", "draws", "losses")]
            assert sum(part.measured for part in parts) == pytest.approx(100)
            assert {part.games for part in parts} == {10 if player == GREEDY else 4}
            assert parts[0].measured == rows[f"cross/{player}/{other}"].measured
            assert parts[2].measured == rows[f"cross/{other}/{player}"].measured


def test_half_a_win_for_a_draw_has_the_interval_of_such_scores() -> None:
    random = np.random.default_rng(1)
    games = random.choice(3, (1000, 2), p=[0.25, 0.6, 0.15])  # won, drawn, lost
    drawn = duel_games.Tally(tuple((int((two == 0).sum()), int((two == 2).sum()), 0) for two in games), 0, 0.0)
    row = cai2020.half_draws(GREEDY, drawn, 52.0)
    scores = np.array([1.0, 0.5, 0.0])[games].mean(axis=1)
    assert row.measured == pytest.approx(100 * scores.mean())
    assert (row.high - row.low) / 2 == pytest.approx(196 * float(scores.std()) / np.sqrt(1000), rel=0.02)
    assert row.games == 2000
    assert row.verdict == "differs", "by wins and losses alone it would agree"
    both = duel_games.Tally(((2, 0, 0),) * 100 + ((0, 2, 0),) * 300, 0, 0.0)
    decided = cai2020.half_draws(GREEDY, both, 50.0)
    assert (decided.low, decided.high) == tuple(round(100 * bound, 3) for bound in wilson(100, 400))
    alone = cai2020.half_draws(GREEDY, duel_games.Tally(((0, 0, 2),) * 5, 0, 0.0), 50.0)
    assert alone.low < 45 and alone.high > 55


def test_two_counts_of_draws_by_hand(rows: dict[str, Row]) -> None:
    wins, draws, losses = (rows[f"strength/{GREEDY}/{LISTED}/{what}"].measured for what in ("wins", "draws", "losses"))
    assert wins > 0
    assert rows[f"readings/{GREEDY}/default"].measured == wins
    assert rows[f"readings/{GREEDY}/half-draws"].measured == pytest.approx(wins + draws / 2)
    assert rows[f"readings/{GREEDY}/decided"].measured == pytest.approx(100 * wins / (wins + losses), abs=1e-3)


def test_every_draw_has_55_moves(rows: dict[str, Row]) -> None:
    for player in (RANDOM, LISTED):
        assert rows[f"random/{player}/draws"].measured >= 90
        assert rows[f"random/{player}/55-moves"].measured == 100


def test_every_reading_is_another_player_and_every_depth_is_played() -> None:
    agents = Agents("duel")
    for player, (_, readings) in READINGS.items():
        names = [agents.make(spec_of(player, reading)).name for reading in ("default", *readings)]
        assert len(set(names)) == len(readings) + 1
    assert [agents.make(f"{AND_OR}:{depth}").parameters.depth for depth in DEPTHS] == [1, 2, 3, 3]  # type: ignore[attr-defined]
    played = {pair.first for pair in pairs()}
    assert {spec_of(player, reading) for player, (_, readings) in READINGS.items() for reading in readings} <= played


def test_a_slow_player_plays_a_share_of_whole_deals_or_nothing() -> None:
    assert [Pair(GREEDY, LISTED, 1).games(games) for games in (1, 2, 9)] == [2, 2, 10]
    assert [Pair(AND_OR, LISTED, 5).games(games) for games in (9, 10, 19, 20, 2000)] == [0, 2, 2, 4, 400]
    quick = STUDY.run(2, 1, 1).rows
    assert not any(AND_OR in row.id for row in quick)
    assert {row.games for row in quick if row.id.startswith("strength/")} == {2}


def test_a_player_is_switched_on_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "greedy-2020:as_printed", 2)
    monkeypatch.setattr(cai2020, "STRONG", ("greedy-2020:as_printed",))
    monkeypatch.setattr(cai2020, "READINGS", {})
    monkeypatch.setattr(cai2020, "DEPTHS", {})
    found = {row.id: row for row in STUDY.run(4, 1, 1).rows}
    assert found["cross/greedy-2020:as_printed/greedy-2020"].games == 2
    assert found["strength/greedy-2020:as_printed/random/wins"].published is None
    met = [
        player for player, share in PLAYERS.items() if share <= 2
    ]  # four games are less than a deal of the others' share
    assert len(found) == 6 + 4 + len(met) * (len(met) - 1)


def test_rows_stand_each_in_one_section_and_every_section_has_rows(report: Report) -> None:
    assert len({row.id for row in report.rows}) == len(report.rows)
    for row in report.rows:
        assert sum(row.id.startswith(section.prefix) for section in STUDY.sections) == 1, row.id
        assert row.low <= row.measured <= row.high
    for section in STUDY.sections:
        assert any(row.id.startswith(section.prefix) for row in report.rows), section.prefix


@pytest.mark.thorough
def test_seed_decides_and_threads_do_not_but_for_the_times(report: Report) -> None:
    def lasting(rows: list[Row]) -> list[Row]:
        return [row for row in rows if not row.id.startswith("depth/milliseconds/")]

    assert lasting(STUDY.run(GAMES, 3, 1).rows) == lasting(report.rows)
    times = [row for row in report.rows if row.id.startswith("depth/milliseconds/")]
    assert [row.id.rpartition("/")[2] for row in times] == ["depth=1", "depth=2"]
    assert times[0].measured < times[1].measured
    assert all(row.verdict == "none published" and "%" not in row.quantity for row in times)


def test_the_clock_counts_the_moves_of_the_timed_player_only() -> None:
    game, agents = make_game("duel", "mcgill", 2), Agents("duel")
    told: list[int] = []
    with ThreadPoolExecutor(1) as pool:
        tally = play_pair(RANDOM, RANDOM, 6, 5, pool, told.append, chunk=1)
    assert told == [2, 4, 6]
    # With a drawn game in each seating a player makes 28 and 27 moves.
    assert (tally.games, tally.draws.tolist(), tally.full.tolist(), tally.moves) == (6, [2] * 3, [2] * 3, 3 * 55)
    assert tally.seconds > 0
    clock = Timed(agents.make(RANDOM))
    views = game.views(game.new(np.arange(3, dtype=np.uint64)), np.ones(3, np.int8), np.arange(3))
    clock.act(views, clock.start(game, views, np.arange(3, dtype=np.uint64)), np.arange(3))
    assert clock.moves == 3


def test_who_is_not_timed_plays_the_same_games_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {player: sooner(player) for player in (AND_OR, f"{AND_OR}:depth=1", f"{GREEDY}:as_printed")}
    assert list(made.values()) == [f"{AND_OR}:prune=yes", f"{AND_OR}:depth=1,prune=yes", f"{GREEDY}:as_printed"]
    # What is reached within a limit depends on what is cut.
    for limit in ("nodes=500", "wins_first,seconds=0.1"):
        assert sooner(f"{AND_OR}:{limit}") == f"{AND_OR}:{limit}"

    seated: list[str] = []

    def noted(game: str, player: str) -> Agent:
        seated.append(player)
        return the_player(game, player)

    monkeypatch.setattr(duel_games, "the_player", noted)
    found = {}
    with ThreadPoolExecutor(1) as pool:
        for timed, player in ((True, AND_OR), (False, f"{AND_OR}:prune=yes")):
            seated.clear()
            tally = play_pair(AND_OR, LISTED, 2, 5, pool, lambda done: None, chunk=1, timed=timed)
            found[timed] = dataclasses.replace(tally, seconds=0.0)
            assert set(seated) == {player, LISTED}
    assert found[True] == found[False]


def test_pictures_show_a_game_won_and_a_draw() -> None:
    won, drawn = STUDY.pictures(1) if STUDY.pictures else ()
    assert won.svg.startswith("<svg") and drawn.svg.startswith("<svg") and won.svg != drawn.svg
    assert drawn.lines == ("The game ended after 55 moves.",)
    assert won.lines != drawn.lines
