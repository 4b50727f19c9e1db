"""`molehunt course-client`: any player of the duel at the server of the course's program."""

from __future__ import annotations

from pathlib import Path

from molehunt.adapters.duel_course import connect, play_course_game
from molehunt.agents.registry import Agents
from molehunt.console.contest import MAX_PORT, check_wait
from molehunt.console.screen import check_count, out
from molehunt.console.sitting import make_ready, use_of, use_player
from molehunt.core.errors import BadInput, printable
from molehunt.core.seats import NOBODY
from molehunt.core.streams import MAX_SEED
from molehunt.games.duel.state import SEATS

STAND_IN = "greedy-2020"
"""Who moves for a player that searches until there is machine code."""


def run_course_client(
    agent: str, *, port: int, host: str, wait: float, name: str, seed: int, agents_from: list[Path]
) -> int:
    """Play one game at the course's server."""
    if not name.strip() or not name.isprintable() or "," in name:
        raise BadInput(f"--name must be a word or some words without a comma, not {name!r:.60}")
    check_count("--port", port, 1, MAX_PORT)
    check_wait(wait)
    check_count("--seed", seed, 0, MAX_SEED)
    agents = Agents("duel")
    for path in agents_from:
        agents.load_file(path)
    made = agents.make(agent)
    needs = use_of("duel", "mcgill", [agent, *map(str, agents_from)])
    make_ready("duel", needs, use_player, "duel", "mcgill", SEATS, agent, agents_from, players=[made])
    with connect(host, port, wait) as connection, connection.makefile("r", encoding="utf-8", newline="\n") as incoming:
        ending = play_course_game(
            incoming, lambda line: connection.sendall(f"{line}\n".encode()), name, made, seed, agents.make(STAND_IN)
        )
    result = "a draw" if ending.winner == NOBODY else "won" if ending.winner == ending.seat else "lost"
    out.print(f"{made.name} as Player-{ending.seat}: {result} ({printable(ending.said)}).", markup=False)
    return 0
