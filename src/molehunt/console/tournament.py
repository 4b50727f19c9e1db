"""`molehunt tournament`: a tournament from its file, kept in a store if one is named."""

from __future__ import annotations

import contextlib
import shlex
import time
from pathlib import Path

from msgspec import structs

from molehunt.arena.ahead import ahead_of
from molehunt.arena.databases import StoreFailure
from molehunt.arena.store import Store, may_have_gaps
from molehunt.arena.tournament.definition import read_tournament
from molehunt.arena.tournament.plan import make_plan
from molehunt.arena.tournament.play import Progress, play_tournament
from molehunt.arena.tournament.tables import TournamentTable, make_tables
from molehunt.arena.workers import open_workers
from molehunt.console.faults import lost_words, played_again, print_faults, tell_who_thinks
from molehunt.console.outputs import STANDARD_OUTPUT, Outputs
from molehunt.console.results import print_failed, print_tables
from molehunt.console.screen import Stopped, check_count, check_threads, many, out, pace, side, to_json, working
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.streams import MAX_SEED
from molehunt.core.toml_files import speaking_of

MAX_GAMES = 1_000_000_000
TRIES = 10
"""So often it is tried to tell of a fault while games are played; below the tables it stands in any case."""


def run_tournament(
    file: Path,
    *,
    games: int | None,
    seed: int | None,
    threads: int | None,
    store: Path | None,
    json: Path | None,
    report: Path | None,
    cluster: str | None = None,
    isolate: bool = False,
    mended: bool = False,
) -> int:
    """Play a tournament, or go on with one, show its tables, write its files."""
    if games is not None:
        check_count("--games", games, 1, MAX_GAMES)
    if seed is not None:
        check_count("--seed", seed, 0, MAX_SEED)
    used = check_threads(threads)
    if mended and store is None:
        raise BadInput("--mended goes on with what is kept; say where, --store FOLDER")
    kept_in = None if store is None else store.absolute()  # a file of players may make another folder the current one
    lost: StoreFailure | None = None
    with Outputs(json, report) as outputs:
        text = read_tournament(file)
        text = structs.replace(text, isolate=text.isolate or isolate)
        with speaking_of(file):
            plan = make_plan(text, file.parent, games, seed, (file, kept_in, json, report))
        for each in plan.failed:
            side.print(f"Left out: {each.name}: {each.error}", markup=False, soft_wrap=True)
        if report:
            from molehunt.studies.report import check_installed

            check_installed()
        progress = Progress(plan)
        began = time.perf_counter()
        try:
            _play(progress, used, cluster, kept_in, store, mended)
        except StoreFailure as error:
            if not progress.games:
                raise
            lost = error
        seconds = time.perf_counter() - began
        tables = make_tables(plan, progress.outcomes, progress.finished, progress.faults)
        outputs.put(json, lambda: to_json(tables))
        command = _command(file, isolate, {"--games": games, "--seed": seed, "--report": report})
        outputs.put(report, lambda: _page(tables, command), "The report is in {}.")
        if json != STANDARD_OUTPUT:
            print_tables(tables)
            print_faults(tables.faults, progress.first_faults, plan.agent_files, plan.isolation)
            print_failed(tables.failed)
            played = progress.games - progress.before
            out.print(f"{many(played, 'game')} played in {seconds:.1f} s, {pace(played, seconds)}.")
    given = {
        "--games": games,
        "--seed": seed,
        "--threads": threads,
        "--store": store,
        "--json": json,
        "--report": report,
    }
    again = _command(file, isolate, given | {"--cluster": cluster})
    _say_what_is_missing(progress, lost, _how_to_resume(store, progress.games, again))
    return 0


def _say_what_is_missing(progress: Progress, lost: StoreFailure | None, how_to_resume: str) -> None:
    """An error that says so where not everybody has played all games."""
    if lost is not None:
        raise StoreFailure(
            f"{lost}; the tables tell of {many(progress.games, 'game')}, of which the store lacks the last"
        )
    if progress.interrupted:
        tell_who_thinks()
        raise Stopped(how_to_resume)
    wrong = []
    if progress.plan.failed:
        wrong.append(f"left out, as they failed: {', '.join(each.name for each in progress.plan.failed)}")
    if progress.faults:
        wrong.append(lost_words(progress.faults))
    if wrong:
        raise AgentFailure(f"the others have played; {'; '.join(wrong)}")


def _page(tables: TournamentTable, command: str) -> str:
    from molehunt.studies.tournament_report import render_tournament

    return render_tournament(tables, command)


def _play(
    progress: Progress, threads: int, cluster: str | None, folder: Path | None, called: Path | None, mended: bool
) -> None:
    """Play what is missing. StoreFailure where the store cannot be written; what was played is counted all the same."""
    with contextlib.ExitStack() as stack:
        store, first = None, 0
        if folder:
            store = stack.enter_context(Store(folder, progress.plan, go_on_mended=mended))
            for each in store.mended:
                side.print(f"{called}: {each}.", markup=False, soft_wrap=True)
            first = progress.resume(store.results(), may_have_gaps(store.base))
        if progress.before:
            side.print(f"Going on in {called}: {progress.before:,} games are there.", markup=False, soft_wrap=True)
        workers = stack.enter_context(open_workers(threads, cluster))
        ahead = None if cluster is not None else ahead_of(progress.plan.matches())
        tell = stack.enter_context(working(progress.plan.name, progress.plan, ahead=ahead, threads=threads))
        told: set[str] = set()

        def say(fault: str, done: int, total: int) -> None:
            for _ in range(TRIES):
                tell(done, total)  # gives standard error back; a player in a thread that plays may close it again
                with contextlib.suppress(ValueError, OSError):  # closed by its object, or by its number
                    side.print(f"Lost by fault: {fault}", markup=False, soft_wrap=True)
                    return

        def tell_faults(done: int, total: int) -> None:
            tell(done, total)
            for reason, where in progress.first_faults.items():
                if where.player not in told:
                    told.add(where.player)
                    again = played_again(where, progress.plan.agent_files, progress.plan.isolation)
                    say(f"{reason}; {again}", done, total)

        play_tournament(progress, workers, store, tell_faults, first)
        if store is not None and progress.unwanted:
            store.leave_out(progress.unwanted)


def _command(file: Path, isolate: bool, options: dict[str, int | str | Path | None]) -> str:
    """The command that plays the same tournament, with the options that were given."""
    words = ["molehunt", "tournament", str(file)]
    for option, value in options.items():
        words += [] if value is None else [option, str(value)]
    words += ["--isolate"] * isolate
    return shlex.join(words)


def _how_to_resume(store: Path | None, played: int, again: str) -> str:
    if store is None:
        return f"stopped after {many(played, 'game')}; with --store FOLDER they would be kept, and the tournament could go on"
    return f"stopped after {many(played, 'game')}, kept in {store}; the same command goes on: {again}"
