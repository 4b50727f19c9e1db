"""The commands that measure: studies, matches, the speed of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from molehunt.cli import completing
from molehunt.cli.app import Whole, app


@app.command
def study(
    name: Annotated[str | None, Parameter(show_default=False, completer=completing.studies)] = None,
    /,
    *,
    games: Whole | None = None,
    seed: Whole = 0,
    threads: Whole | None = None,
    small: bool = False,
    readings: bool = False,
    json: Path | None = None,
    report: Path | None = None,
    cluster: str | None = None,
    store: Path | None = None,
    player: Annotated[list[str] | None, Parameter(completer=completing.players_with_games)] = None,
    agents_from: list[Path] | None = None,
) -> int:
    """Measure what a paper published: its numbers beside ours, with intervals and verdicts.

    Parameters
    ----------
    name
        The study; `molehunt games` lists them; without a name, all of them. people: what a study with people says, which stands
        in --store.
    games
        Games a cell; by default as many as the paper's bars ask for.
    seed
        The seed; the same seed gives the same numbers.
    threads
        How many threads play; by default one for each core.
    small
        A few games a cell, for a first look.
    readings
        Where a paper leaves readings open: rank all of them by their distance to the published numbers.
    json
        Write the rows to this file as JSON; - is standard output.
    report
        Write a self-contained HTML report with a plot to this file.
    cluster
        Play on the Ray cluster at this address (host:port, or auto), not on threads; the numbers are the same.
    store
        Keep what has been played in this folder, of one study or of many. Stopped or killed at any moment, the same command goes
        on from there, with the same numbers.
    player
        For the studies of strangers and of suspicion: measure this player, named with its game (duel/greedy-2020,
        saboteur/mole:strong), instead of ours; may be repeated.
    agents_from
        A Python file with players of your own, for --player; may be repeated.

    """
    if name == "people":
        from molehunt.console.people import tell_people

        others = {"--seed": seed or None, "--small": small or None, "--readings": readings or None, "--games": games}
        files = {"--json": json, "--report": report, "--agents-from": agents_from}
        return tell_people(store, {**others, **files, "--threads": threads, "--cluster": cluster, "--player": player})

    from molehunt.console.studies import run_studies

    return run_studies(
        name,
        games=games,
        seed=seed,
        threads=threads,
        small=small,
        readings=readings,
        json=json,
        report=report,
        cluster=cluster,
        store=store,
        players=tuple(player or ()),
        agents_from=tuple(agents_from or ()),
    )


@app.command
def arena(
    label: Annotated[str, Parameter(completer=completing.labels)],
    /,
    *,
    seats: Annotated[str, Parameter(completer=completing.players())],
    games: Whole = 1000,
    seed: Whole = 0,
    first_deal: Whole = 0,
    threads: Whole | None = None,
    rotate: bool = False,
    series: Whole = 1,
    agents_from: list[Path] | None = None,
    json: Path | None = None,
    records: Path | None = None,
    cluster: str | None = None,
    isolate: bool = False,
    isolate_seconds: Whole | None = None,
    isolate_memory: Whole | None = None,
    isolate_network: bool = False,
) -> int:
    """Play many games between players and count who wins.

    Parameters
    ----------
    label
        The game and its ruleset: saboteur/krisnadi, saboteur/krisnadi:saboteurs=2.
    seats
        The players by seat: A,B,C; A*3 repeats one; saboteur:A*2,miner:B*3 seats them by role;
        decision-2019:as_printed,d_b=3.0 sets parameters.
    games
        How many games; with --rotate or --series at least so many, so that each deal or series is whole.
    seed
        The seed; the same seed gives the same result on any number of threads.
    first_deal
        The first of the seed's deals that is played, counted from 0: with --games 1 that deal alone.
    threads
        How many threads play; by default one for each core.
    rotate
        Play every deal in every cyclic seating.
    series
        How many games the same players play in a row in the same seats, taking along what they learn of each other.
    agents_from
        A Python file with players of your own.
    json
        Write the result to this file as JSON; - is standard output.
    records
        Write every game to this file, one line of JSON each.
    cluster
        Play on the Ray cluster at this address (host:port, or auto), not on threads; the result is the same.
    isolate
        Put players of your own files and of installed packages into processes of their own, which see views alone.
    isolate_seconds
        How many seconds an isolated player has for a move, by default 10; whoever takes longer has lost the game.
    isolate_memory
        How many megabytes an isolated player may take beyond what it began with, by default 1024.
    isolate_network
        Let isolated players reach the network, as those do that ask a server; by it they can agree with each other.

    """
    from molehunt.console.matches import Wanted, isolation_of, run_arena

    wanted = Wanted(
        label=label,
        seats=seats,
        games=games,
        seed=seed,
        rotate=rotate,
        agents_from=tuple(agents_from or ()),
        isolation=isolation_of(isolate, isolate_seconds, isolate_memory, isolate_network),
        series=series,
        first_deal=first_deal,
    )
    return run_arena(wanted, threads=threads, json=json, records=records, cluster=cluster)


@app.command
def bench(*, json: Path | None = None, against: Path | None = None) -> int:
    """Measure the speed of this machine: games, moves, start-up, memory.

    Parameters
    ----------
    json
        Write the rows to this file as JSON; - is standard output.
    against
        Compare with an earlier run: the file that --json wrote then.

    """
    from molehunt.console.bench import run_bench

    return run_bench(json, against)
