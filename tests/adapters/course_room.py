"""The course's server for the tests, made after its protocol, on the loopback."""

from __future__ import annotations

import socket
import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from games.duel.playing import CARDS, GAME, mover, seeds_of
from molehunt.adapters.duel_course import connect, play_course_game
from molehunt.core.agent import Agent
from molehunt.games.duel.notation import from_course

PATIENCE = 60.0
"""Seconds that the server waits for a client."""


def named(card: int) -> str:
    """A card as the course's program names it."""
    name = CARDS[card]
    return f"Tile:{name}" if name.isdigit() else name.capitalize()


def deal_of(states: Any) -> str:
    """The line with which the server deals."""
    state = states[0]
    blanks = iter(("Tile:hidden1", "Tile:hidden2"))
    goals = ["Tile:nugget" if content == 2 else next(blanks) for content in state["goals"]]
    parts = (state["deck"][14:], state["hands"][1], state["hands"][0])
    cards = [",".join(named(int(card)) for card in part) for part in parts]
    return "BoardInit:" + "-".join([*cards, ",".join(goals)])


def hand_of(states: Any, seat: int) -> list[str]:
    return [CARDS[card] for card in states["hands"][0, seat] if card >= 0]


@dataclass
class Server:
    """One game of the course's server: the client that comes first is Player-0."""

    number: int
    late: frozenset[int] = frozenset()  # turns at which the server plays itself, the client being late
    lines: list[str] = field(default_factory=list)
    door: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))
    faults: list[BaseException] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int(self.door.getsockname()[1])

    def hold(self) -> None:
        try:
            self._hold()
        except BaseException as error:  # noqa: BLE001 - told to the test
            self.faults.append(error)

    def _hold(self) -> None:
        clients = []
        self.door.settimeout(PATIENCE)
        for _ in range(2):
            connection = self.door.accept()[0]
            connection.settimeout(PATIENCE)
            clients.append((connection, connection.makefile("r", newline="\n")))
        names = [incoming.readline().strip() for _, incoming in clients]

        def tell(text: str, *seats: int) -> None:
            self.lines.append(text)
            for seat in seats or (0, 1):
                clients[seat][0].sendall(f"{text}\n".encode())

        for seat in (0, 1):
            assert names[seat].startswith("START ")
            tell(f"START Player-{seat} {names[seat][6:]}", seat)
        states = GAME.new(seeds_of(self.number, 1))
        tell(deal_of(states))
        turn = 0
        while (seat := mover(states)) >= 0:
            tell(f"PLAY Player-{seat}", seat)
            text = clients[seat][1].readline().rstrip("\n")
            hand = hand_of(states, seat)
            if turn in self.late:
                text = f"Drop 3 0 {seat}"
            GAME.apply(states, np.array([from_course(text, seat, hand)], np.int32))
            tell(text)
            turn += 1
        winner = int(states["winner"][0])
        tell("GAMEOVER DRAW" if winner < 0 else f"GAMEOVER WINNER {winner}")
        for connection, incoming in clients:
            incoming.close()
            connection.close()
        self.door.close()


def client(port: int, name: str, agent: Agent, endings: dict[str, Any]) -> None:
    """Play one game as a program would."""
    with connect("127.0.0.1", port) as connection, connection.makefile("r", newline="\n") as incoming:
        try:
            endings[name] = play_course_game(
                incoming, lambda line: connection.sendall(f"{line}\n".encode()), name, agent, 5
            )
        except Exception as error:  # noqa: BLE001 - told to the test
            endings[name] = error


def game_of(server: Server, *agents: Agent) -> dict[str, Any]:
    """Have two players meet at a server; what came out for each, by name."""
    endings: dict[str, Any] = {}
    thread = threading.Thread(target=server.hold)
    thread.start()
    clients = [
        threading.Thread(target=client, args=(server.port, f"p{number}", agent, endings))
        for number, agent in enumerate(agents)
    ]
    for one in clients:
        one.start()
    for one in (thread, *clients):
        one.join(60)
    assert not server.faults
    return endings
