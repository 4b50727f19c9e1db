"""`molehunt course-client`: any player of the duel at the server of the course's program."""

from __future__ import annotations

from pathlib import Path

from molehunt.adapters.duel_course import connect, play_course_game
from molehunt.agents.registry import Agents
from molehunt.console.contest import MAX_PORT, check_wait
from molehunt.console.screen import check_count, out
from molehunt.console.sitting import at_once, make_ready, saying_who_thinks, use_of, use_player
from molehunt.core.agent import Agent
from molehunt.core.errors import AgentFailure, BadInput, MolehuntError, printable
from molehunt.core.seats import NOBODY
from molehunt.core.streams import MAX_SEED
from molehunt.games.duel.game import Duel
from molehunt.games.duel.state import SEATS
from molehunt.table.session import Session, Sitter

TRIED = 4
"""So many moves a player of a file makes before it connects, of both seats."""
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
    if agent.partition(":")[0] in agents.from_files:
        with saying_who_thinks(agent):
            at_once("duel", lambda: _rehearse(made))
    needs = use_of("duel", "mcgill", [agent, *map(str, agents_from)])
    make_ready("duel", needs, use_player, "duel", "mcgill", SEATS, agent, agents_from, players=[made])
    with connect(host, port, wait) as connection, connection.makefile("r", encoding="utf-8", newline="\n") as incoming:
        ending = play_course_game(
            incoming, lambda line: connection.sendall(f"{line}\n".encode()), name, made, seed, agents.make(STAND_IN)
        )
    result = "a draw" if ending.winner == NOBODY else "won" if ending.winner == ending.seat else "lost"
    out.print(f"{made.name} as Player-{ending.seat}: {result} ({printable(ending.said)}).", markup=False)
    return 0


def _rehearse(agent: Agent) -> None:
    """Let a player sit down, move and hear of moves while no game is at stake; AgentFailure where it cannot."""
    try:
        session = Session(Duel(), [Sitter(str(seat), agent) for seat in range(SEATS)], 0)
        for _ in range(TRIED):
            session.step()
    except MolehuntError as error:
        raise AgentFailure(f"{agent.name} cannot play, as was seen before any game: {error}") from error
