"""The commands that compare many players: tournaments, their results, and the search for parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from molehunt.cli import completing
from molehunt.cli.app import Whole, app


@app.command
def tournament(
    file: Path,
    /,
    *,
    games: Whole | None = None,
    seed: Whole | None = None,
    threads: Whole | None = None,
    store: Path | None = None,
    json: Path | None = None,
    report: Path | None = None,
    cluster: str | None = None,
    isolate: bool = False,
    mended: bool = False,
) -> int:
    """Play a tournament from a TOML file: who wins against whom, in which role, by how much, with intervals and ratings.

    Parameters
    ----------
    file
        The file of the tournament; docs/tournaments.md says what can stand in it.
    games
        Play at least so many games in all, instead of the file's number of deals.
    seed
        The seed, instead of the file's; the same seed gives the same result on any number of threads.
    threads
        How many threads play; by default one for each core.
    store
        Keep everything in this folder. Stopped or killed at any moment, the same command goes on from there.
    json
        Write the tables to this file as JSON; - is standard output.
    report
        Write a self-contained HTML report with plots to this file.
    cluster
        Play on the Ray cluster at this address (host:port, or auto), not on threads; the numbers are the same.
    isolate
        Put players of your own files and of installed packages into processes of their own, as the file's key isolate does.
    mended
        Go on in the store although files of players have changed: games in which their players sit are played again, all others
        are kept.

    """
    from molehunt.console.tournament import run_tournament

    return run_tournament(
        file,
        games=games,
        seed=seed,
        threads=threads,
        store=store,
        json=json,
        report=report,
        cluster=cluster,
        isolate=isolate,
        mended=mended,
    )


@app.command
def results(
    folder: Path,
    /,
    *,
    ask: str | None = None,
    sql: str | None = None,
    json: Path | None = None,
    records: Path | None = None,
    verify: bool = False,
    threads: Whole | None = None,
) -> int:
    """Answer questions about a tournament or a training run from its store: all tables, one of them, or any other question in SQL.

    Parameters
    ----------
    folder
        The store, or its file results.duckdb.
    ask
        One of progress, standings, cross, differences, ratings; by default all tables.
    sql
        A question in SQL, about the views seats, rates, played, progress or any table; nothing can be changed.
    json
        Write the answer to this file as JSON; - is standard output.
    records
        Write the records of all finished games to this file, one line of JSON each, as `molehunt replay` reads them.
    verify
        Read everything in the store, compare every unit with its hash (where it has none, play it again) and every record with its
        check, and name what is damaged.
    threads
        How many threads play units again; by default one for each core.

    """
    from molehunt.console.results import run_results

    return run_results(folder, ask=ask, sql=sql, json=json, records=records, verify=verify, threads=threads)


@app.command
def tune(
    agent: Annotated[str, Parameter(completer=completing.players())],
    /,
    *,
    against: Annotated[list[str], Parameter(completer=completing.players())],
    space: str,
    game: Annotated[str | None, Parameter(completer=completing.labels)] = None,
    role: str | None = None,
    seats: Whole | None = None,
    games: Whole = 1000,
    trials: Whole = 64,
    over: str = "mean",
    seed: Whole = 0,
    threads: Whole | None = None,
    agents_from: list[Path] | None = None,
    store: Path | None = None,
    json: Path | None = None,
    report: Path | None = None,
    cluster: str | None = None,
) -> int:
    """Search for the best parameters of a player, and confirm them on fresh deals.

    Candidates play the same deals and are dropped as soon as it is decided that another one is better.

    Parameters
    ----------
    agent
        The player, from whose parameters the search starts: decision-2019, decision-2019:as_printed.
    against
        Whom the candidates play: a player, or all seats with `candidate` on the candidates' own:
        saboteur:candidate*2,miner:decision-2019*3. Several times: all of them.
    space
        The parameters and their ranges: d_b=0..5,d_pi=1..1000:log,plan=a|b; a name alone has its own
        range; all; or a TOML file.
    game
        The game and its ruleset: saboteur/krisnadi; by default the first ruleset of the player's game.
    role
        The candidates' role: saboteur, miner, or both (the usual).
    seats
        How many seats.
    games
        How many deals a candidate plays at most in a race; the final has twice, the confirmation four
        times as many.
    trials
        How many candidates; batches of 8 are made full.
    over
        What counts of several oppositions: their mean, or the worst.
    seed
        The seed; the same seed gives the same result on any number of threads.
    threads
        How many threads play; by default one for each core.
    agents_from
        A Python file with players of your own, to tune or to play against.
    store
        Keep the candidates in this file (a journal of Optuna), and go on with what it holds.
    json
        Write the result to this file as JSON; - is standard output.
    report
        Write a self-contained HTML report with plots to this file.
    cluster
        Search on the Ray cluster at this address (host:port, or auto), not on threads; the result is the same.

    """
    from molehunt.console.tune import Wanted, run_tune

    wanted = Wanted(
        agent,
        against=tuple(against),
        space=space,
        game=game,
        role=role,
        seats=seats,
        games=games,
        trials=trials,
        over=over,
        seed=seed,
        agents_from=tuple(agents_from or ()),
    )
    return run_tune(wanted, threads=threads, store=store, json=json, report=report, cluster=cluster)
