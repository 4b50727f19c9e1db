"""`molehunt play`: a person at a table, in the terminal."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from molehunt.console.screen import check_count, check_writable, out, write_file
from molehunt.console.sitting import BROKEN_OFF, FINISHED, LEFT, keep, make_ready
from molehunt.core.errors import BadInput
from molehunt.core.streams import MAX_SEED
from molehunt.games.speed_clue.ruleset import MAX_SEATS, MIN_SEATS
from molehunt.table.terminal.clue_series import (
    GAMES_A_TEST,
    PUBLISHED,
    TESTS,
    Series,
    as_csv,
    as_markdown,
    as_text,
    play_series,
)
from molehunt.table.terminal.clue_setup import (
    HIDDEN,
    MAX_OPPONENTS,
    MIN_OPPONENTS,
    Setup,
    ask_setup,
    check_opponents,
    make_clue,
    play_game,
    warm_up,
)
from molehunt.table.terminal.prompts import LeftTable, Prompter, Read
from molehunt.table.terminal.sitting import check_name

LISTED_DEALS = 8


def play_speed_clue(
    opponents: str | None = None,
    hidden: int | None = None,
    deal: int | None = None,
    name: str | None = None,
    seed: int | None = None,
    record: Path | None = None,
    sheet: bool = True,
    series: list[int] | None = None,
    table: Path | None = None,
    ruleset: str = "mitchell",
    read: Read = input,
) -> int:
    """A game or, where `series` is a list, a series; what is not given is asked for. Exit status 1 where the input ends early.

    `read` takes the place of `input` where it is not a person who types.
    """
    if str(record) == "-" or str(table) == "-":
        raise BadInput("--record and --table need the name of a file; standard output is for the game")
    check_writable(record, table)
    if table is not None and series is None:
        raise BadInput("--table is the table of a series; add --series")
    given = _given(opponents, hidden, deal, name)
    used = secrets.randbelow(MAX_SEED) if seed is None else check_count("--seed", seed, 0, MAX_SEED)
    setup = replace(Setup(used, ruleset=ruleset, fill_sheet=sheet), **given)
    make_clue(setup if "opponents" in given else replace(setup, deal=0))
    prompter = Prompter(out, read)
    with prompter.completing():
        if series is not None:
            if given.keys() - {"name"}:
                raise BadInput(
                    "--series deals at random and draws the strategies: leave out --opponents, --hidden and --deal"
                )
            return _play_series(setup, _players(series), prompter, (record, table))
        try:
            if "opponents" not in given:
                setup = ask_setup(prompter, setup, given)
            make_ready(lambda: warm_up(setup))
            finished = play_game(setup, prompter)
        except LeftTable as left:
            if record is not None:
                prompter.say("No record was written.")
            return LEFT if left.wanted else BROKEN_OFF
    keep(record, [finished.record()])
    return FINISHED


def _given(opponents: str | None, hidden: int | None, deal: int | None, name: str | None) -> dict[str, Any]:
    """The fields of the set-up that the call says."""
    given: dict[str, Any] = {}
    if opponents is not None and hidden is not None:
        raise BadInput("give --opponents or --hidden, not both")
    if opponents is not None:
        given["opponents"] = check_opponents(opponents)
    if hidden is not None:
        given["opponents"] = (HIDDEN,) * check_count("--hidden", hidden, MIN_OPPONENTS, MAX_OPPONENTS)
    if deal is not None:
        given["deal"] = check_count("--deal", deal, 1, LISTED_DEALS)
    if name is not None:
        given["name"] = check_name(name)
    return given


def _players(series: list[int]) -> list[int]:
    """The numbers of players of a series, by default all."""
    if len(set(series)) < len(series):
        raise BadInput("--series takes each number of players once")
    return [check_count("--series", players, MIN_SEATS, MAX_SEATS) for players in series] or [
        *range(MIN_SEATS, MAX_SEATS + 1)
    ]


def _play_series(
    setup: Setup, players: Sequence[int], prompter: Prompter, files: tuple[Path | None, Path | None]
) -> int:
    """Play a series and write its table, also where it is left early."""
    make_ready(lambda: warm_up(setup))
    series = Series()
    status = FINISHED
    try:
        play_series(setup, players, prompter, series)
    except LeftTable as left:
        status = LEFT if left.wanted else BROKEN_OFF
        prompter.say("The series was not finished.")
    rows = series.rows()
    prompter.say()
    if rows:
        for line in as_text(rows):
            prompter.say(line)
    prompter.say(series.summary(sum(GAMES_A_TEST for test in TESTS if len(test) + 1 in players)))
    prompter.say(PUBLISHED)
    record, table = files
    if series.records:
        keep(record, series.records)
    if table is not None:
        text = "".join(f"{line}\n" for line in as_text(rows))
        write_file(table, {".md": as_markdown, ".csv": as_csv}.get(table.suffix.lower(), lambda _: text)(rows))
        prompter.say(f"The table was written to {table}.")
    return status
