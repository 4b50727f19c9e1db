"""The study: rows by the number of seats, random play as it can be worked out, and errors said and not raised."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from molehunt.agents.random import RandomAgent
from molehunt.arena.workers import using
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.studies.study import Report, Row
from resistance import study
from resistance.agents.counting import CountingAgent
from resistance.agents.sides import SidesAgent
from resistance_games import SEATS, make, view_of


@pytest.mark.parametrize("seats", SEATS)
def test_random_play_comes_out_as_it_can_be_worked_out(seats: int) -> None:
    game = make(seats)
    games = 20_000
    states = game.new(game_seeds(seats, 0, games))
    game.play_randomly(states, np.arange(games, dtype=np.uint64))
    spies = (game.outcome_codes(states) > 0).mean()
    wanted = study.exact_random_spy_wins(seats)
    assert abs(spies - wanted) < 4.5 * np.sqrt(wanted * (1 - wanted) / games)


def test_a_player_of_two_sides_is_each_on_its_own() -> None:
    game = make(6)
    seeds = game_seeds(3, 0, 30)
    random, counting = RandomAgent(), CountingAgent()
    mixed = play(game, [SidesAgent(random, counting)] * 6, seeds, keep_actions=True)
    for index in range(30):
        roles = game.roles_of(mixed.states[index : index + 1])[0]
        agents = [random if role else counting for role in roles]
        alone = play(game, agents, seeds[index : index + 1], keep_actions=True)
        assert mixed.actions is not None and alone.actions == [mixed.actions[index]]
    both = SidesAgent(counting, counting)
    states = game.new(seeds[:1])
    view = view_of(game, states, 0)
    memory = both.start(game, view, np.array([1], np.uint64))
    assert both.why(game, view, memory, 0) == counting.why(game, view, None, 0)


def test_every_cell_is_measured_and_the_same_again() -> None:
    todo = [cell for cell in study.cells(searchers=False) if cell.seats in (5, 10)]
    assert len({cell.id for cell in todo}) == len(todo)
    sections = tuple(section.prefix for section in study.STUDY.sections)
    assert all(cell.id.startswith(sections) for cell in study.cells(searchers=True))

    def rows(threads: int) -> list[Row]:
        with using(threads) as workers:
            return study.measure_cells(todo, 30, 0, 7, workers, lambda *_: None)

    first = rows(1)
    assert first == rows(2)
    assert [row.id for row in first] == [cell.id for cell in todo]
    assert all(row.games == 30 and row.published is None and row.low <= row.measured <= row.high for row in first)


def test_searches_are_measured_where_they_are_wanted() -> None:
    todo = [cell for cell in study.cells(searchers=True) if cell.searches]
    assert len(todo) == 4 * len(study.SEARCH_SPECS) - 1
    assert not any(cell.searches for cell in study.cells(searchers=False))
    chosen = [cell for cell in todo if cell.id in {"search/both/spies/counting", "search/bayes/resistance/plain"}]
    with using(2) as workers:
        rows = study.measure_cells(chosen, 100, 2, 1, workers, lambda *_: None)
    assert [row.games for row in rows] == [2, 2]
    wanted = study.study_of(3)
    assert wanted.name == "resistance" and wanted.measure is not study.STUDY.measure


def test_the_command_writes_rows_and_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.json"
    assert (
        study.main(["--games", "20", "--search-games", "0", "--seed", "1", "--threads", "2", "--json", str(file)]) == 0
    )
    rows = json.loads(file.read_text("utf-8"))["rows"]
    assert len(rows) == len(study.cells(searchers=False))
    assert set(rows[0]) == set(Row.__struct_fields__) and "study" in Report.__struct_fields__
    assert "Counting on both sides" in capsys.readouterr().out
    assert study.main(["--games", "0"]) == 2
    assert "--games must be 1 or more" in capsys.readouterr().err
