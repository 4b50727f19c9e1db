"""The commands that list and show: players, games, records, positions, beliefs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from molehunt.cli import completing
from molehunt.cli.app import Whole, app

GAME_OF_FILE = ("--game", "--line")
"""What says which game of a file is meant; --line is its older name."""


@app.command
def agents(
    name: Annotated[str | None, Parameter(completer=completing.agents)] = None,
    /,
    *,
    agents_from: list[Path] | None = None,
    language: Annotated[str | None, Parameter(completer=completing.languages)] = None,
) -> int:
    """List the players there are, those of a game, or the parameters of one.

    Parameters
    ----------
    name
        A player whose parameters to list, or a game whose players.
    agents_from
        A Python file with players of your own.
    language
        The code of the language of all texts; by default that of the system.

    """
    from molehunt.console.listings import list_agents
    from molehunt.console.screen import in_language

    with in_language(language):
        return list_agents(name, agents_from or [])


@app.command
def games(
    name: Annotated[str | None, Parameter(completer=completing.labels)] = None,
    /,
    *,
    check: bool = False,
    plays: Whole = 20,
    language: Annotated[str | None, Parameter(completer=completing.languages)] = None,
) -> int:
    """List the games and rulesets there are, or what can be set in one (`molehunt games saboteur/krisnadi`).

    Parameters
    ----------
    name
        A game/ruleset whose settings to list, or a game, whose rulesets to list.
    check
        Look whether a game keeps what games promise (legal moves, hidden things, chance), under all its rulesets or the one that is
        named, at the fewest and the most seats: for whoever writes one.
    plays
        How many random plays --check looks at.
    language
        The code of the language of all texts; by default that of the system.

    """
    from molehunt.console.listings import check_games, list_games
    from molehunt.console.screen import in_language

    with in_language(language):
        if check:
            return check_games(name, plays)
        return list_games(name)


@app.command
def replay(file: Path, /, *, quiet: bool = False) -> int:
    """Play recorded games again, verify every move, and show what happened.

    Parameters
    ----------
    file
        A file of records, one line of JSON each; or a log of the duel's program (McGill's course COMP 424, 2020); - is standard
        input.
    quiet
        Only verify, and print one line.

    """
    from molehunt.console.records import run_replay

    return run_replay(file, quiet)


@app.command
def analyse(
    file: Path,
    /,
    *,
    game: Whole = 1,
    seat: Whole | None = None,
    seed: Whole = 0,
    worlds: Whole | None = None,
    seconds: float | None = None,
    json: Path | None = None,
    page: Path | None = None,
    language: Annotated[str | None, Parameter(completer=completing.languages)] = None,
) -> int:
    """Look at a finished game again: who could believe what, which moves lost what, and when one could have known.

    Parameters
    ----------
    file
        A file of records, one line of JSON each; or a log of the duel's program (McGill's course COMP 424, 2020); - is standard
        input.
    game
        Which game of the file, counted from 1.
    seat
        Show what this seat could believe, and all its moves.
    seed
        The seed of the worlds in which moves are played on; the same seed gives the same numbers.
    worlds
        In how many worlds the best move and the one that was played are compared; by default as many as take 2 to 3 seconds.
    seconds
        As many worlds as fit into about this time instead.
    json
        Write all numbers to this file; - is standard output.
    page
        Write the game with its analysis as one HTML page, which needs no server.
    language
        The code of the language of all texts; by default that of the system.

    """
    from molehunt.console.analyse import run_analysis
    from molehunt.console.screen import in_language

    with in_language(language):
        return run_analysis(
            file, number=game, seat=seat, seed=seed, worlds=worlds, seconds=seconds, json=json, page=page
        )


@app.command
def show(
    what: Annotated[str, Parameter(completer=completing.labels)],
    /,
    *,
    game: Annotated[Whole, Parameter(name=GAME_OF_FILE)] = 1,
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
        A file of records, or a log of the duel's program (McGill's course COMP 424, 2020), - is standard input; or a game/ruleset
        for a fresh deal.
    game
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

    return show_position(what, game, move, seat, seats, seed, svg)


@app.command
def believe(
    formula: str,
    /,
    *,
    record: Path,
    move: Whole | None = None,
    game: Annotated[Whole, Parameter(name=GAME_OF_FILE)] = 1,
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
        A file of recorded games; - is standard input.
    move
        After how many moves; by default at the end.
    game
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

    return ask_record(formula, record, move, game, watcher, seat, svg, json)
