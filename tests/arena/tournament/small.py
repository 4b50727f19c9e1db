"""A small tournament for the tests: many units, quickly played."""

from __future__ import annotations

from pathlib import Path

from molehunt.arena.tournament.definition import parse_tournament
from molehunt.arena.tournament.plan import Plan, make_plan
from molehunt.arena.tournament.play import Progress, play_tournament
from molehunt.arena.tournament.tables import make_tables
from molehunt.arena.workers import open_workers
from molehunt.console.screen import to_json

TEXT = """
name = "small"
game = "duel/mcgill"
players = ["random", "random-listed", "greedy-2020"]
deals = 20
records = true
"""


def plan_of(text: str = TEXT) -> Plan:
    return make_plan(parse_tournament(text), Path())


def json_of(progress: Progress) -> bytes:
    return to_json(make_tables(progress.plan, progress.outcomes, progress.finished))


def played(text: str = TEXT, threads: int = 1) -> Progress:
    """A tournament at one go, without a store."""
    progress = Progress(plan_of(text))
    with open_workers(threads) as workers:
        play_tournament(progress, workers)
    return progress
