"""`molehunt play`: a person at a table, in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from molehunt.console.outputs import write_file
from molehunt.console.screen import check_count, out
from molehunt.console.sitting import (
    BROKEN_OFF,
    FINISHED,
    LEFT,
    at_once,
    check_files,
    check_resume,
    check_save,
    go_on,
    keep,
    keeper,
    known_to_all,
    load,
    make_ready,
    next_game,
    play_and_keep,
    seat_files,
    use_of,
    used_seed,
)
from molehunt.core.errors import BadInput
from molehunt.core.language import _
from molehunt.games.speed_clue.game import check_game
from molehunt.games.speed_clue.ruleset import MAX_SEATS, MIN_SEATS
from molehunt.studies.clue_series import GAMES_A_TEST, tests_of
from molehunt.table.session import Session
from molehunt.terminal.clue_series import (
    PUBLISHED,
    Series,
    as_csv,
    as_markdown,
    as_text,
    play_series,
)
from molehunt.terminal.clue_setup import (
    HIDDEN,
    MAX_OPPONENTS,
    MIN_OPPONENTS,
    Setup,
    ask_setup,
    check_opponents,
    known_from_now,
    make_clue,
    play_session,
    seat_table,
    setup_of,
    warm_up,
)
from molehunt.terminal.prompts import LeftTable, Prompter, Read
from molehunt.terminal.sitting import check_name

LISTED_DEALS = 8


def play_speed_clue(
    opponents: str | None = None,
    *,
    hidden: int | None = None,
    deal: int | None = None,
    name: str | None = None,
    seed: int | None = None,
    record: Path | None = None,
    sheet: bool = True,
    series: list[int] | None = None,
    table: Path | None = None,
    ruleset: str | None = None,
    practice: bool | None = None,
    save: Path | None = None,
    resume: Path | None = None,
    read: Read = input,
    agents_from: Sequence[Path] = (),
) -> int:
    """A game or, where `series` is a list, a series; what is not given is asked for. Exit status 1 where the input ends early.

    `read` takes the place of `input` where it is not a person who types.
    """
    seat_files("speed_clue", agents_from)
    set_up = {"--opponents": opponents, "--hidden": hidden, "--deal": deal, "--name": name, "--seed": seed}
    check_resume(resume, {**set_up, "--ruleset": ruleset, "--save": save, "--series": series, "--table": table})
    saved = None if resume is None else load(resume, "speed_clue")
    check_files({"--record": record, "--table": table, "--save": save, "--resume": resume})
    check_save(save)
    if table is not None and series is None:
        raise BadInput("--table is the table of a series; add --series")
    given = _given(opponents, hidden, deal, name) | ({} if practice is None else {"practice": practice})
    used = used_seed(seed)
    setup = replace(Setup(used, ruleset=ruleset or Setup.ruleset, fill_sheet=sheet), **given)
    make_clue(setup if "opponents" in given else replace(setup, deal=0))
    prompter = Prompter(out, read)
    with prompter.completing():
        if series is not None:
            if given.keys() - {"name"} or save is not None:
                raise BadInput(
                    "--series deals at random, draws the strategies and is played at one go, without help: leave out"
                    " --opponents, --hidden, --deal, --practice and --save"
                )
            return _play_series(setup, _players(series), prompter, (record, table))

        def get_ready(seated: Setup) -> None:
            seated = replace(seated, opponents=known_to_all("speed_clue", seated.opponents))
            use = use_of("speed_clue", seated.ruleset, seated.opponents, seated.practice)
            make_ready("speed_clue", use, warm_up, seated)

        def play() -> Iterator[Session]:
            found: Session | None
            if resume is not None and saved is not None:
                found = at_once("speed_clue", lambda: go_on(resume, saved))
                seated = setup_of(found, sheet, bool(practice))
                get_ready(seated)
            else:
                seated = setup if "opponents" in given else ask_setup(prompter, setup, given)
                get_ready(seated)
                found = seat_table(seated)
            while found is not None:
                kept = keeper(save, resume, seated.practice, agents_from, *[] if sheet else ["--no-sheet"])
                play_session(found, seated, prompter, kept)
                yield found
                seated = known_from_now(seated, found)
                # The cards of a listed deal are known now.
                found = None if check_game("the table", found.game).ruleset.deal else next_game(prompter, found)

        return play_and_keep(prompter, record, play)


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
    make_ready("speed_clue", use_of("speed_clue", setup.ruleset, setup.opponents, setup.practice), warm_up, setup)
    series = Series()
    status = FINISHED
    try:
        play_series(setup, players, prompter, series)
    except LeftTable as left:
        status = LEFT if left.wanted else BROKEN_OFF
        prompter.say(_("The series was not finished."))
    rows = series.rows()
    prompter.say()
    if rows:
        for line in as_text(rows):
            prompter.say(line)
    prompter.say(series.summary(sum(GAMES_A_TEST * len(tests_of(count)) for count in players)))
    prompter.say(_(PUBLISHED))
    record, table = files
    if series.records:
        keep(record, series.records)
    if table is not None:
        text = "".join(f"{line}\n" for line in as_text(rows))
        write_file(table, {".md": as_markdown, ".csv": as_csv}.get(table.suffix.lower(), lambda _rows: text)(rows))
        prompter.say(_("The table was written to {table}.", table=table))
    return status
