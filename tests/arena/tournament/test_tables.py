"""The tables of a tournament are what one counts game by game."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from arena.tournament.small import played
from molehunt.arena.tournament.tables import EventTable, crossed_roles, make_tables
from molehunt.console.results import print_tables
from molehunt.studies.tournament_report import render_tournament

DEALT = """
game = "speed_clue/mitchell"
seats = 3
players = ["basic", "random"]
deals = 12
"""
SEATED = """
game = "{}"
seats = 4
roles = {{ saboteur = 1 }}
players = ["decision-2019", "random"]
lineups = "{}"
deals = 20
"""
TEAM, GOLD = "saboteur/krisnadi", "saboteur/official:rounds=1"


def event_of(text: str) -> EventTable:
    progress = played(text)
    return make_tables(progress.plan, progress.outcomes, progress.finished).events[0]


@pytest.mark.parametrize("text", [DEALT, SEATED.format(TEAM, "mixes"), SEATED.format(GOLD, "mixes")])
def test_a_cell_of_the_cross_table_counts_every_seat_once(text: str) -> None:
    progress = played(text)
    (outcomes,) = progress.outcomes
    event, seats, wins = outcomes.event, Counter[object](), Counter[object]()
    for number, lineup in enumerate(event.lineups):
        for place, seating in enumerate(lineup.seatings):
            players = [lineup.chairs[chair].agent for chair in seating]
            games = zip(outcomes.won(number, place).tolist(), outcomes.role(number, place).tolist(), strict=True)
            for won, roles in games:
                for seat, player in enumerate(players):
                    met = {
                        (other, roles[at])
                        for at, other in enumerate(players)
                        if at != seat and (len(event.roles) == 1 or roles[at] != roles[seat])
                    }
                    for whom in met:
                        seats[player, roles[seat], whom] += 1
                        wins[player, roles[seat], whom] += won[seat]
    (table,) = make_tables(progress.plan, progress.outcomes, progress.finished).events
    names = ["all"] if len(event.roles) == 1 else list(event.roles)
    found: dict[Any, Any] = {
        (row.player, names.index(row.role), (row.other, names.index(row.other_role))): (row.seats, row.rate)
        for row in table.cross
    }
    assert found == {key: (count, pytest.approx(wins[key] / count, abs=1e-8)) for key, count in seats.items()}


def test_among_two_players_a_cell_is_what_one_won_beside_the_other() -> None:
    """Every lineup has both, so who meets the other has met it in all of its games."""
    event = event_of(DEALT)
    rates = {row.player: (row.seats, row.rate, row.low, row.high) for row in event.standings}
    met = {row.player: (row.seats, row.rate, row.low, row.high) for row in event.cross if row.player != row.other}
    assert met == rates


def test_a_second_cross_table_is_left_out_only_where_it_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    for game, shown in ((TEAM, 1), (GOLD, 2)):
        progress = played(SEATED.format(game, "pairs"))
        tables = make_tables(progress.plan, progress.outcomes, progress.finished)
        roles = ["saboteur", "miner"][:shown]
        assert crossed_roles(tables.events[0]) == roles
        print_tables(tables, ("cross",))
        printed = " ".join(capsys.readouterr().out.split())
        page = render_tournament(tables, "molehunt tournament moles.toml")
        assert re.findall(r"Wins in %, of the (\w+)", printed) == roles
        assert re.findall(r">Wins of the (\w+) ", page) == roles
