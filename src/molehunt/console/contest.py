"""`molehunt contest-client` and `molehunt contest-server`: the contest of 2014 over TCP."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from molehunt.adapters.speed_clue_contest.client import ContestPlayer, connect, play_contest
from molehunt.adapters.speed_clue_contest.gathering import Gathering
from molehunt.adapters.speed_clue_contest.programs import (
    Program,
    Started,
    command_words,
    end_process,
    listen,
    start_program,
)
from molehunt.adapters.speed_clue_contest.protocol import check_identifier
from molehunt.adapters.speed_clue_contest.rehearsal import rehearse
from molehunt.adapters.speed_clue_contest.server import FaultReport, Standing, play_tournament
from molehunt.adapters.speed_clue_contest.told import use_told
from molehunt.agents.registry import Agents
from molehunt.arena.statistics import wilson
from molehunt.console.ended import ended_as_by_hand
from molehunt.console.outputs import STANDARD_OUTPUT, Outputs
from molehunt.console.screen import Stopped, check_count, many, out, percents_between, side, to_json, working
from molehunt.console.sitting import at_once, make_ready, saying_who_thinks, use_of, use_player
from molehunt.core.errors import BadInput
from molehunt.core.streams import MAX_SEED
from molehunt.core.words import rate_said
from molehunt.games.speed_clue.edition import load_edition
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.ruleset import CONTEST, MAX_SEATS, MIN_SEATS

MAX_GAMES = 1_000_000
MAX_PORT = 65_535
MAX_SECONDS = 86_400.0
WAIT, WAIT_FOR_OURS = 300.0, 60.0
"""Seconds for programs to come: where people start some of them, and where all are started here."""
STAND_IN = "combined"
"""Who answers for a player that takes too long until machine code is there."""
SHOWN_FAULTS = 20
"""So many faults are told on the screen as they come; all of them are in the JSON."""


# --- The client ---------------------------------------------------------------------------------------------------------


def check_wait(wait: float) -> None:
    """BadInput where a client cannot wait for its server so many seconds."""
    if not 0.0 <= wait <= MAX_SECONDS:
        raise BadInput(f"--wait must be 0 to {MAX_SECONDS:g} seconds, not {wait:g}")


def run_client(
    identifier: str, *, port: int, agent: str, host: str, wait: float, seed: int, agents_from: list[Path]
) -> int:
    """Play in a contest until its server is done."""
    check_identifier(identifier)
    check_count("PORT", port, 1, MAX_PORT)
    check_wait(wait)
    check_count("--seed", seed, 0, MAX_SEED)
    agents = Agents("speed_clue")
    for path in agents_from:
        agents.load_file(path)
    made = agents.make(agent)
    of_file = agent.partition(":")[0] in agents.from_files
    with saying_who_thinks(agent):
        at_once("speed_clue", lambda: rehearse(lambda: ContestPlayer(made, seed), whole=of_file))
    needs = use_of("speed_clue", "contest over TCP", [agent, *map(str, agents_from)])
    make_ready("speed_clue", needs, _use_client, agent, agents_from)
    player = ContestPlayer(made, seed, agents.make(STAND_IN), _teller("there is more that cannot be, in other games"))
    with connect(host, port, wait) as talk:
        play_contest(talk, identifier, player)
    out.print(f"{identifier} ({made.name}): {many(player.games, 'game')}, {player.won:,} won.", markup=False)
    return 0


def _use_client(agent: str, agents_from: list[Path]) -> None:
    """Use all kernels that a client needs: the player's, and those that find out what cannot be."""
    use_player("speed_clue", CONTEST.name, MIN_SEATS, agent, agents_from)
    use_told()


# --- The server ---------------------------------------------------------------------------------------------------------


def run_server(
    players: int | None,
    *,
    games: int,
    port: int,
    host: str,
    timeout: float,
    wait: float | None,
    seed: int,
    run: list[str],
    json: Path | None,
) -> int:
    """Hold a contest and show its standing."""
    asked = max(MIN_SEATS, len(run)) if players is None else players
    wanted = check_count("--players", asked, MIN_SEATS, MAX_SEATS)
    if len(run) > wanted:
        raise BadInput(f"there are {len(run)} programs to --run, but only {wanted} --players")
    check_count("--games", games, 1, MAX_GAMES)
    check_count("--port", port, 0, MAX_PORT)
    check_count("--seed", seed, 0, MAX_SEED)
    if wait is None:
        wait = WAIT_FOR_OURS if len(run) == wanted else WAIT
    for option, seconds in (("--timeout", timeout), ("--wait", wait)):
        if not 0.0 < seconds <= MAX_SECONDS:
            raise BadInput(f"{option} must be more than 0 and at most {MAX_SECONDS:g} seconds, not {seconds:g}")
    for command in run:
        command_words(command, "id", port)
    with Outputs(json) as outputs:
        with (
            ended_as_by_hand(),
            _gathered(host, port, wanted, run, timeout, wait) as programs,
            working(f"speed_clue/contest, {wanted} programs") as tell,
        ):
            tell_fault = _teller("there are more faults; --json writes all of them")
            standing = play_tournament(programs, games, seed, tell, lambda fault: tell_fault(_fault_text(fault)))
        outputs.put(json, lambda: to_json(standing_json(standing)))
        if json != STANDARD_OUTPUT:
            _print(standing, seed)
    if standing.interrupted:
        raise Stopped(
            f"stopped after {many(standing.games, 'game')}; the standing above is of the games played until then"
        )
    return 0


@contextlib.contextmanager
def _gathered(
    host: str, port: int, players: int, run: list[str], timeout: float, wait: float
) -> Iterator[list[Program]]:
    """The programs of a contest, started where that is asked for, and sent home at the end, whatever happens."""
    started: list[Started] = []
    gathering: Gathering | None = None
    try:
        with listen(host, port) as door:
            used = door.getsockname()[1]
            missing = players - len(run)
            more = f"; waiting for {many(missing, 'program')}" if missing else ""
            # Not by `side`, which breaks long lines: another program may read it.
            print(f"listening at {host}, port {used}{more}", file=side.file, flush=True)
            gathering = Gathering(door, load_edition(CONTEST.cards), timeout, started, _remark)
            for number, command in enumerate(run, 1):
                started.append(_started(command, f"player{number}", used))
            if run and all(one.process is None for one in started):
                raise BadInput(started[0].refused)
            programs = gathering.gather(players, wait)
        yield programs
    finally:
        if gathering is not None:
            gathering.close()
        for one in started:
            if one.process is not None:
                end_process(one.process, 0.1)  # who had come has had time to leave


def _started(command: str, identifier: str, port: int) -> Started:
    """A program that is started, or why it cannot be: then the others play on."""
    try:
        return start_program(command, identifier, port)
    except BadInput as error:
        return Started(identifier, command, None, str(error))


def _remark(text: str) -> None:
    side.print(text, markup=False)


def _teller(more: str) -> Callable[[str], None]:
    """What remarks on faults as they come; after so many, only that there are `more`."""
    told = 0

    def tell(text: str) -> None:
        nonlocal told
        told += 1
        if told <= SHOWN_FAULTS + 1:
            _remark(text if told <= SHOWN_FAULTS else more)

    return tell


def _fault_text(fault: FaultReport) -> str:
    where = f"game {fault.game}" if fault.game else "farewell"
    return f"{where}: {fault.player} ({fault.kind}): {fault.reason}"


def standing_json(standing: Standing) -> dict[str, Any]:
    """The standing as the JSON that other programs read; rates are fractions, games of faults count from 1 (0: farewell)."""
    rows = []
    for player, wins, failed in zip(standing.players, standing.wins, standing.failed, strict=True):
        low, high = wilson(wins, standing.games)
        rate = wins / standing.games if standing.games else 0.0
        rows.append({"player": player, "wins": wins, "rate": rate, "low": low, "high": high, "failed": failed})
    names = SpeedClue(CONTEST, len(standing.players)).outcome_names()
    return {
        "games": standing.games,
        "seconds": standing.seconds,
        "players": rows,
        "outcomes": dict(zip(names, standing.outcomes, strict=True)),
        "faults": [
            {"game": fault.game, "player": fault.player, "kind": fault.kind, "reason": fault.reason}
            for fault in standing.faults
        ],
    }


def _orders_text(players: int, games: int) -> str:
    """In how many of the seat orders the games were played, and whether in each as often."""
    orders = math.factorial(players)
    each, more = divmod(games, orders)
    if not more:
        return f"Every one of the {orders} seat orders was played {many(each, 'time')}."
    often, seldom = (many(number, "time") for number in (each + 1, each))
    return (
        f"{more} of the {orders} seat orders {'was' if more == 1 else 'were'} played {often}, the others {seldom}; "
        f"with a multiple of {orders} games each is played equally often."
    )


def _print(standing: Standing, seed: int) -> None:
    said = standing_json(standing)
    out.print(f"speed_clue/contest: {many(standing.games, 'game')}, seed {seed}", markup=False)
    out.print(_orders_text(len(standing.players), standing.games), markup=False)
    table = Table()
    table.add_column("player", overflow="fold")
    for heading in ("wins", "rate", "95 % interval", "games lost by a fault"):
        table.add_column(heading, justify="right")
    for row in sorted(said["players"], key=lambda row: -row["wins"]):
        interval = percents_between(row["low"], row["high"])
        rate = rate_said(row["rate"])
        table.add_row(escape(row["player"]), f"{row['wins']:,}", rate, interval, f"{row['failed']:,}")
    out.print(table)
    ends = ", ".join(f"{name}: {count:,}" for name, count in said["outcomes"].items())
    out.print(f"Ends: {ends}. {standing.seconds:.2f} s.")
    out.print(f"Faults: {len(standing.faults):,}.")
    for fault in standing.faults[:SHOWN_FAULTS]:
        out.print(f"  {_fault_text(fault)}", markup=False)
