"""The commands that play against programs of others over TCP: the contest of 2014, and the course's program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from molehunt.cli import completing
from molehunt.cli.app import Whole, app


@app.command(name="contest-client")
def contest_client(
    identifier: str,
    port: Whole,
    /,
    *,
    agent: Annotated[str, Parameter(completer=completing.players("speed_clue"))] = "exact",
    host: str = "127.0.0.1",
    wait: float = 0.0,
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
    wait
        Seconds to wait for a server that is not there yet.
    seed
        The seed of the player's own chances.
    agents_from
        A Python file with players of your own.

    """
    from molehunt.console.contest import run_client

    return run_client(
        identifier, port=port, agent=agent, host=host, wait=wait, seed=seed, agents_from=agents_from or []
    )


@app.command(name="course-client")
def course_client(
    *,
    agent: Annotated[str, Parameter(completer=completing.players("duel"))] = "duel-star:contest",
    host: str = "127.0.0.1",
    port: Whole = 8123,
    wait: float = 0.0,
    name: str = "molehunt",
    seed: Whole = 0,
    agents_from: list[Path] | None = None,
) -> int:
    """Play one game of the duel at the server of the course's program (McGill COMP 424, 2020).

    Parameters
    ----------
    agent
        Who plays: duel-star:contest, and-or-2020, stranger:seed=17; `molehunt agents` lists them.
    host
        The server's machine.
    port
        The server's port.
    wait
        Seconds to wait for a server that is not there yet.
    name
        The name under which to play.
    seed
        The seed of the player's own chances.
    agents_from
        A Python file with players of your own.

    """
    from molehunt.console.course import run_course_client

    return run_course_client(
        agent, port=port, host=host, wait=wait, name=name, seed=seed, agents_from=agents_from or []
    )


@app.command(name="contest-server")
def contest_server(
    *,
    players: Whole | None = None,
    games: Whole = 120,
    port: Whole = 0,
    host: str = "127.0.0.1",
    timeout: float = 10.0,
    wait: float | None = None,
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
        How many games. All seat orders are played in turn: a multiple of 6, 24, 120 or 720 games with 3, 4, 5 or 6
        players plays each equally often.
    port
        The port to listen at; 0 takes a free one, which is printed.
    host
        The address to listen at.
    timeout
        Seconds that a program has for a reply.
    wait
        Seconds to wait until all programs are there; by default 60 where all of them are started by --run, and else
        300. Who is not there by then loses every game; where two are, they play.
    seed
        The seed of the deals.
    run
        Start a program by this command, with {id} and {port} filled in (or added at its end); once for each
        program. Who is not started is waited for.
    json
        Write the standing and all faults to this file as JSON; - is standard output.

    """
    from molehunt.console.contest import run_server

    return run_server(
        players, games=games, port=port, host=host, timeout=timeout, wait=wait, seed=seed, run=run or [], json=json
    )
