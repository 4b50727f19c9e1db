"""The command line: one small function a command. Heavy imports stand inside the commands, so that --help is quick.

Exit status: 0 success, 1 failure, 2 a wrong call.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, CycloptsError, Parameter, Token

from molehunt import __version__

app = App(
    name="molehunt",
    help="Hidden-information card games: play them, study them, and measure who plays them well.",
    version=__version__,
    help_format="plaintext",
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)

OK, FAILED, WRONG_CALL = 0, 1, 2


def _whole_number(_: Any, tokens: Sequence[Token]) -> int:
    """A whole number as it is typed; the library would round 1.7 to 2."""
    text = tokens[0].value
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"a whole number is needed, not {text:.40}") from None


Whole = Annotated[int, Parameter(converter=_whole_number)]


@app.command
def study(
    name: Annotated[str | None, Parameter(show_default=False)] = None,
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
) -> int:
    """Measure what a paper published: its numbers beside ours, with intervals and verdicts.

    Parameters
    ----------
    name
        The study; without a name, all of them.
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

    """
    from molehunt.console.studies import run_studies

    return run_studies(name, games, seed, threads, small, readings, json, report, cluster)


@app.command
def arena(
    label: str,
    /,
    *,
    seats: str,
    games: Whole = 1000,
    seed: Whole = 0,
    threads: Whole | None = None,
    rotate: bool = False,
    agents_from: list[Path] | None = None,
    json: Path | None = None,
    records: Path | None = None,
    cluster: str | None = None,
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
        How many games.
    seed
        The seed; the same seed gives the same result on any number of threads.
    threads
        How many threads play; by default one for each core.
    rotate
        Play every deal in every cyclic seating.
    agents_from
        A Python file with players of your own.
    json
        Write the result to this file as JSON; - is standard output.
    records
        Write every game to this file, one line of JSON each.
    cluster
        Play on the Ray cluster at this address (host:port, or auto), not on threads; the result is the same.

    """
    from molehunt.console.matches import run_arena

    return run_arena(label, seats, games, seed, threads, rotate, agents_from or [], json, records, cluster)


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

    """
    from molehunt.console.tournament import run_tournament

    return run_tournament(file, games, seed, threads, store, json, report, cluster)


@app.command
def results(
    folder: Path,
    /,
    *,
    ask: str | None = None,
    sql: str | None = None,
    json: Path | None = None,
    records: Path | None = None,
) -> int:
    """Answer questions about a tournament from its store: all tables, one of them, or any other question in SQL.

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

    """
    from molehunt.console.results import run_results

    return run_results(folder, ask, sql, json, records)


@app.command
def tune(
    agent: str,
    /,
    *,
    against: list[str],
    space: str,
    game: str | None = None,
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
        A Python file with players of your own, to play against.
    store
        Keep the candidates in this file (a journal of Optuna), and go on with what it holds.
    json
        Write the result to this file as JSON; - is standard output.
    report
        Write a self-contained HTML report with plots to this file.
    cluster
        Search on the Ray cluster at this address (host:port, or auto), not on threads; the result is the same.

    """
    from molehunt.console.tune import run_tune

    return run_tune(
        agent,
        against,
        space,
        game,
        role,
        seats,
        games,
        trials,
        over,
        seed,
        threads,
        agents_from or [],
        store,
        json,
        report,
        cluster,
    )


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


@app.command
def agents(name: str | None = None, /) -> int:
    """List the players there are, or the parameters of one.

    Parameters
    ----------
    name
        A player whose parameters to list.

    """
    from molehunt.console.listings import list_agents

    return list_agents(name)


@app.command
def games(name: str | None = None, /) -> int:
    """List the games and rulesets there are, or what can be set in one (`molehunt games saboteur/krisnadi`).

    Parameters
    ----------
    name
        A game/ruleset whose settings to list.

    """
    from molehunt.console.listings import list_games

    return list_games(name)


@app.command
def replay(file: Path, /, *, quiet: bool = False) -> int:
    """Play recorded games again, verify every move, and show what happened.

    Parameters
    ----------
    file
        A file of records, one line of JSON each.
    quiet
        Only verify, and print one line.

    """
    from molehunt.console.records import run_replay

    return run_replay(file, quiet)


@app.command
def show(
    what: str,
    /,
    *,
    line: Whole = 1,
    move: Whole | None = None,
    seat: Whole | None = None,
    seats: Whole | None = None,
    seed: Whole = 0,
    svg: Path | None = None,
) -> int:
    """Show a position as text, or draw it as SVG.

    Parameters
    ----------
    what
        A file of records, or a game/ruleset for a fresh deal.
    line
        Which game of the file, counted from 1.
    move
        After how many moves; by default at the end.
    seat
        Whose view; by default that of the seat to move.
    seats
        How many seats, for a fresh deal; by default 5, in the duel 2.
    seed
        The seed of a fresh deal.
    svg
        Draw the position into this file; - is standard output.

    """
    from molehunt.console.records import show_position

    return show_position(what, line, move, seat, seats, seed, svg)


@app.command
def believe(
    formula: str,
    /,
    *,
    record: Path,
    move: Whole | None = None,
    line: Whole = 1,
    watcher: str | None = None,
    seat: Whole | None = None,
    svg: Path | None = None,
    json: Path | None = None,
) -> int:
    """Ask what the players of a recorded game believed at a move: a formula of their Kripke models.

    `B_1 sab(3)`: seat 1 believes that seat 3 is a saboteur. `B_1 B_2 sab(3)`: it believes that seat 2
    believes so. `~f`, `f & g`, `f | g`, `f -> g`, `M_1 f` (1 holds f possible), `E f` (everybody
    believes), `C f` (common belief).

    Parameters
    ----------
    formula
        The formula, in quotes.
    record
        A file of recorded games.
    move
        After how many moves; by default at the end.
    line
        Which game of the file, counted from 1.
    watcher
        Whose beliefs to ask on all seats, told what each seat was told; by default the recorded
        players', and kripke-2012 where they hold no model.
    seat
        Show the whole model of this seat, too.
    svg
        Draw the model of --seat into this file; - is standard output.
    json
        Write the answers to this file; - is standard output.

    """
    from molehunt.console.believe import ask_record

    return ask_record(formula, record, move, line, watcher, seat, svg, json)


@app.command(name="contest-client")
def contest_client(
    identifier: str,
    port: Whole,
    /,
    *,
    agent: str = "exact",
    host: str = "127.0.0.1",
    seed: Whole = 0,
    agents_from: list[Path] | None = None,
) -> int:
    """Play as a program in a Speed Clue contest: connect to its server, play until it is done.

    Parameters
    ----------
    identifier
        The name under which to play.
    port
        The server's port.
    agent
        Who plays: exact, combined, advanced, next-possible:systematic; `molehunt agents` lists them.
    host
        The server's machine.
    seed
        The seed of the player's own chances.
    agents_from
        A Python file with players of your own.

    """
    from molehunt.console.contest import run_client

    return run_client(identifier, port, agent, host, seed, agents_from or [])


@app.command(name="contest-server")
def contest_server(
    *,
    players: Whole | None = None,
    games: Whole = 100,
    port: Whole = 0,
    host: str = "127.0.0.1",
    timeout: float = 10.0,
    wait: float = 300.0,
    seed: Whole = 0,
    run: list[str] | None = None,
    json: Path | None = None,
) -> int:
    """Hold a Speed Clue contest among programs by the protocol of 2014, and count who wins.

    Parameters
    ----------
    players
        How many programs, 3 to 6; by default as many as there are --run, and at least 3.
    games
        How many games; every deal is played in every cyclic seating.
    port
        The port to listen at; 0 takes a free one, which is printed.
    host
        The address to listen at.
    timeout
        Seconds that a program has for a reply.
    wait
        Seconds to wait until all programs are there.
    seed
        The seed of the deals.
    run
        Start a program by this command, with {id} and {port} filled in (or added at its end); once for each
        program. Who is not started is waited for.
    json
        Write the standing and all faults to this file as JSON; - is standard output.

    """
    from molehunt.console.contest import run_server

    return run_server(players, games, port, host, timeout, wait, seed, run or [], json)


play = App(name="play", help="Sit down at a table and play against artificial players.", help_format="plaintext")
app.command(play)


@play.command(name="speed-clue")
def play_speed_clue(
    *,
    opponents: str | None = None,
    hidden: Whole | None = None,
    deal: Whole | None = None,
    name: str | None = None,
    seed: Whole | None = None,
    record: Path | None = None,
    sheet: bool = True,
    series: Annotated[list[Whole] | None, Parameter(consume_multiple=True, negative=())] = None,
    table: Path | None = None,
    ruleset: str | None = None,
    practice: bool | None = None,
    save: Path | None = None,
    resume: Path | None = None,
) -> int:
    """Play Speed Clue in the terminal; what is not given is asked for.

    Parameters
    ----------
    opponents
        The artificial players by their strategies: basic,advanced; advanced*3; hidden,basic.
    hidden
        So many artificial players (2 to 5), each basic or advanced, which is told at the end.
    deal
        A listed deal of the 2020 report, 1 to 8; by default the cards are dealt at random.
    name
        Your name.
    seed
        The seed of the deal; the same seed gives the same game.
    record
        Write the finished game (of a series, all games) to this file.
    sheet
        Whether your sheet fills itself; without it you write on it (mark CARD PLAYER yes).
    series
        Play the report's series instead, 18 tests of 3 games with hidden strategies; or only those
        with these numbers of players: --series 3 4.
    table
        Write the table of a series to this file, as Markdown (.md), CSV (.csv) or text.
    ruleset
        The ruleset: mitchell (the usual one), contest, mitchell:first_seat=-1.
    practice
        Whether hints, the others' reasons and probabilities can be asked for, and moves be taken back.
    save
        Write the game to this file after every move of yours, so that it can be gone on with. What you
        wrote on a sheet of your own is not in it, and strategies are told at the end only.
    resume
        Go on with the game of this file, which --save wrote, and go on saving it there.

    """
    from molehunt.console.play import play_speed_clue

    return play_speed_clue(
        opponents, hidden, deal, name, seed, record, sheet, series, table, ruleset, practice, save, resume
    )


@play.command(name="saboteur")
def play_saboteur(
    *,
    opponents: str | None = None,
    ruleset: str | None = None,
    name: str | None = None,
    seed: Whole | None = None,
    record: Path | None = None,
    practice: bool | None = None,
    save: Path | None = None,
    resume: Path | None = None,
) -> int:
    """Play Saboteur in the terminal; what is not given is asked for, unless the opponents are given.

    Parameters
    ----------
    opponents
        The artificial players: kripke-2012*4; decision-2019,kripke-2012,random.
    ruleset
        The ruleset: official+talk (the usual one), official, krisnadi, veldhuis, official:rounds=1.
    name
        Your name.
    seed
        The seed of the deal; the same seed gives the same game.
    record
        Write the finished game to this file.
    practice
        Whether hints, the others' reasons and beliefs can be asked for, and moves be taken back.
    save
        Write the game to this file after every move of yours, so that it can be gone on with.
    resume
        Go on with the game of this file, which --save wrote, and go on saving it there.

    """
    from molehunt.console.play_game import sit_down

    return sit_down("saboteur", opponents, ruleset, name, None, practice, seed, record, save, resume)


@play.command(name="duel")
def play_duel(
    *,
    opponent: str | None = None,
    name: str | None = None,
    first: bool | None = None,
    seed: Whole | None = None,
    record: Path | None = None,
    practice: bool | None = None,
    save: Path | None = None,
    resume: Path | None = None,
) -> int:
    """Play the race of two for the nugget in the terminal; what is not given is asked for, unless the opponent is given.

    Parameters
    ----------
    opponent
        The artificial player: and-or-2020 (the usual one), duel-star, greedy-2020.
    name
        Your name.
    first
        Whether you make the first move.
    seed
        The seed of the deal; the same seed gives the same game.
    record
        Write the finished game to this file.
    practice
        Whether hints, the other's reasons and beliefs can be asked for, and moves be taken back.
    save
        Write the game to this file after every move of yours, so that it can be gone on with.
    resume
        Go on with the game of this file, which --save wrote, and go on saving it there.

    """
    from molehunt.console.play_game import sit_down

    return sit_down("duel", opponent, None, name, first, practice, seed, record, save, resume)


advise = App(name="advise", help="Get advice at a real table, while you play against people.", help_format="plaintext")
app.command(advise)


@advise.command(name="speed-clue")
def advise_speed_clue(
    file: Path | None = None,
    /,
    *,
    cards: str | None = None,
    players: str | None = None,
    me: str | None = None,
    hand: str | None = None,
) -> int:
    """Advise a player of Clue at a real table: enter what happens, ask what to suggest, what to show, when to accuse.

    Whatever is not given is asked for; `help` lists what can be written at the prompt.

    Parameters
    ----------
    file
        The game, saved after every change, and gone on with if it is there; by default a new file.
    cards
        The card set: report, contest, or a JSON file.
    players
        The players in the order in which they are asked, you included: Ann,Bob,Me.
    me
        Which of them you are; Me is you anyway.
    hand
        Your cards, by codes or parts of names: Pl,Ro,Ha,Ki,Di,Wr.

    """
    from molehunt.console.advise import advise_speed_clue

    return advise_speed_clue(file, cards, players, me, hand)


@app.command
def serve(
    *,
    host: str = "127.0.0.1",
    port: Whole = 8765,
    store: Path | None = None,
    tables: Whole = 500,
    pages: Whole = 30,
    keep_hours: Whole = 72,
    workers: Whole = 0,
    open: bool = False,
) -> int:
    """Open the browser table: every game against any mix of minds and friends, replays, and the adviser.

    Parameters
    ----------
    host
        Where to listen; 0.0.0.0 lets friends on the same network in. By default this machine only.
    port
        The port; 0 takes a free one.
    store
        The file in which tables are kept; by default in your folder for data.
    tables
        How many tables there may be.
    pages
        How many pages may be open at one table.
    keep_hours
        A table goes so many hours after its last use.
    workers
        In how many threads artificial players think; 0: one for each core.
    open
        Whether to open the page in your browser.

    """
    from molehunt.console.serve import serve

    return serve(host, port, store, tables, pages, keep_hours, workers, open)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status. No error comes out as a traceback, unless MOLEHUNT_TRACEBACK is set."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that lacks a sign is shown a question mark.
        sys.stdout.reconfigure(errors="replace")
    status = _run(_with_dashes(sys.argv[1:] if arguments is None else arguments))
    if arguments is None and status != OK and threading.active_count() > 1:
        # A player that never answers keeps its thread for ever, and would keep the process.
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


def _with_dashes(tokens: list[str]) -> list[str]:
    """`--json -` as `--json=-`: to the library a lone dash is an option and not a value."""
    joined: list[str] = []
    for word in tokens:
        if word == "-" and joined and joined[-1].startswith("--") and "=" not in joined[-1]:
            joined[-1] += "=-"
        else:
            joined.append(word)
    return joined


def _run(tokens: list[str]) -> int:  # noqa: C901, PLR0911 - one branch and return for each way to end
    try:
        try:
            status = app(tokens or ["--help"], exit_on_error=False, print_error=False)
        except CycloptsError as error:
            return _complain(f"{error}\nTry: molehunt --help", WRONG_CALL)
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return _complain("stopped", FAILED)
    except BrokenPipeError:
        # Whoever read the output has had enough of it.
        _drop_output()
        return OK
    except SystemExit as error:
        # This is how the library for the screen leaves when its output is no longer read.
        if isinstance(error.__context__, BrokenPipeError):
            return OK
        return _complain("a player left the program (SystemExit)", FAILED)
    except Exception as error:
        from molehunt.core.errors import BadInput, MolehuntError

        if os.environ.get("MOLEHUNT_TRACEBACK"):
            raise
        if isinstance(error, BadInput):
            return _complain(str(error), WRONG_CALL)
        if isinstance(error, OSError) and sys.stdout is not None:
            # If it was the output that could not be written, what is left of it must not be tried again at the exit.
            try:
                sys.stdout.flush()
            except OSError:
                _drop_output()
        if isinstance(error, MolehuntError | OSError):
            return _complain(str(error), FAILED)
        return _complain(
            f"internal error, please report it: {type(error).__name__}: {error}\n"
            "(set MOLEHUNT_TRACEBACK=1 to see where it happened)",
            FAILED,
        )
    return status if isinstance(status, int) else OK


def _drop_output() -> None:
    """Send what is still to be written to standard output nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(text: str, status: int) -> int:
    print(f"molehunt: {text}", file=sys.stderr)
    return status
