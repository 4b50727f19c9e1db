"""Any player of the duel as a client of the course's program (McGill COMP 424, winter 2020).

That program is a server at which two clients connect over TCP. A message is a line:

* the client sends `START NAME`; when both have, the server answers `START Player-1 NAME` with the player that the client is;
* the server deals: `BoardInit:`, the deck in the order of drawing, both hands and the goals (see `games.duel.course`);
* it asks for a move with `PLAY Player-1`, within 2 s; the client answers with a move in the program's notation, as
  `Tile:5_flip 7 5 1`. (The 30 s that it has for a first move are those of turn 0, which is the deal: no client is given them.)
* it tells both every move that was made, also one that it chose itself because a client was late;
* it ends with `GAMEOVER WINNER 1`, `GAMEOVER DRAW` or `GAMEOVER` and a reason (a time-out, an illegal move) before these, or, where
  somebody stops it, before `UNDECIDED`.

The server tells everybody the whole deal. It is kept here as the state of the game, and the player is given what its seat may know:
its view, and events that the rules have redacted.
"""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TextIO

import numpy as np

from molehunt.adapters.reaching import reach
from molehunt.core.agent import Agent, one_chair
from molehunt.core.errors import AgentFailure, BadInput, IllegalAction, MolehuntError
from molehunt.core.game import States
from molehunt.core.interpreting import interpreting
from molehunt.core.meanwhile import all_made, machine_code
from molehunt.core.seats import NOBODY
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.duel.cards import CARD_NAMES, NO_CARD
from molehunt.games.duel.course import DEAL, GAME_OVER, START, dealt
from molehunt.games.duel.game import Duel
from molehunt.games.duel.notation import from_course, to_course
from molehunt.games.duel.state import SEATS

PORT = 8123
"""The port at which the course's program listens unless told otherwise."""
PLAY = "PLAY "
LONGEST_LINE = 10_000
"""Characters; a deal has some 500."""

PATIENCE = 26.0
"""Seconds for which a client waits for machine code before it says that it is ready; no move, due within 2 s, waits for it."""

ONE_CHAIR = np.zeros(1, np.int64)


class CourseError(MolehuntError):
    """A game of the course's program cannot be played on: no connection, or the server says what nobody understands."""


@dataclass(frozen=True)
class Ending:
    """How a game ended: the seat that the client had, who won (NOBODY where nobody did), and the server's words."""

    seat: int
    winner: int
    said: str


class CourseSeat:
    """An agent in its seat at the course's table: the server's lines come in, moves go out.

    `stand_in` moves until there is machine code for an agent that would be too late without it (`Agent.needs_machine_code`).
    """

    def __init__(self, agent: Agent, seat: int, deal: str, seed: int, stand_in: Agent | None = None) -> None:
        self.seat = seat
        self._players = (agent,) if stand_in is None else (agent, stand_in)
        self.game = Duel()
        try:
            self.states: States = dealt(self.game, deal)
        except BadInput as error:
            raise CourseError(f"the server deals what is no deal: {error}") from None
        stream = seat_streams(game_seeds(seed, 0, 1), SEATS)[:, seat].copy()
        self._memories: list[Any] = [player.start(self.game, self._view(), stream.copy()) for player in self._players]

    @property
    def to_move(self) -> int:
        """The seat to move, NOBODY when the game is over."""
        return int(self.states["to_move"][0])

    def move(self) -> str:
        """The agent's move as the program writes it; CourseError where it is not this seat's turn.

        AgentFailure where it is no legal move, by which the game would be lost without a word of why.
        """
        if self.to_move != self.seat:
            raise CourseError("the server asks for a move when it is not this client's turn")
        action, agent = self._choice()
        if action not in self.game.legal_actions(self._view()):
            raise AgentFailure(f"{agent.name} chose what is not legal here: {self.game.format_action(action)}")
        return to_course(action, self.seat, self._hand(self.seat))

    def _choice(self) -> tuple[int, Agent]:
        """The action of the agent, or of who stands in, and whose it is."""
        agent, memory = self._players[0], self._memories[0]
        how = machine_code("duel", agent.needs_machine_code)
        if agent.needs_machine_code and len(self._players) > 1 and not all_made():
            agent, memory = self._players[1], self._memories[1]
            how = (
                interpreting()
            )  # also where the other's code comes in the middle: its own would have to be compiled here
        with how:
            return int(agent.act(self._view(), memory, one_chair())[0]), agent

    def made(self, text: str) -> None:
        """A move that the server says was made; CourseError where the rules know no such move."""
        seat = self.to_move
        if seat == NOBODY:
            raise CourseError(f"the server goes on after the end of the game, with {text!r:.80}")
        try:
            events = self.game.apply(self.states, np.array([from_course(text, seat, self._hand(seat))], np.int32))
        except (BadInput, IllegalAction) as error:
            raise CourseError(f"the server says that a move was made that none can make: {error}") from None
        for player, memory in zip(self._players, self._memories, strict=True):
            if player.observes:
                player.observe(events[:, self.seat].copy(), memory, one_chair())

    def _view(self) -> Any:
        return self.game.views(self.states, np.array([self.seat], np.int8), ONE_CHAIR)

    def _hand(self, seat: int) -> list[str]:
        return [CARD_NAMES[card] for card in self.states["hands"][0, seat].tolist() if card != NO_CARD]


def connect(host: str, port: int, wait: float = 0.0) -> socket.socket:
    """Reach the course's server, for which to wait so many seconds; CourseError says where there is none."""
    connection = reach(host, port, "the course's server", CourseError, wait)
    connection.settimeout(None)
    return connection


def play_course_game(  # noqa: PLR0913, PLR0917 - the line to the server, and who plays
    incoming: TextIO, send: Callable[[str], None], name: str, agent: Agent, seed: int = 0, stand_in: Agent | None = None
) -> Ending:
    """Play one game: `incoming` are the server's lines, `send` sends one of ours. CourseError where it cannot be played on.

    `stand_in`: as of `CourseSeat`. It moves for a player that has no machine code `PATIENCE` after this was called: the server
    waits for clients to be ready as long as they take, and for no move.
    """
    if stand_in is not None and agent.needs_machine_code:
        all_made(PATIENCE)
    with contextlib.suppress(OSError):  # as below
        send(f"{START}{name}")
    seat = _seat_of(incoming)
    chair: CourseSeat | None = None
    for line in _lines(incoming):
        if line.startswith(GAME_OVER):
            return _ending(seat, line, chair)
        if line.startswith(DEAL):
            chair = CourseSeat(agent, seat, line.removeprefix(DEAL), seed, stand_in)
        elif chair is None:
            raise CourseError(f"the server says {line!r:.80} before it deals")
        elif line.startswith(PLAY):
            move = chair.move()
            with contextlib.suppress(OSError):  # who has hung up may have said why before: that is read next
                send(move)
        else:
            chair.made(line)
    raise CourseError("the server hung up before the game was over")


def _seat_of(incoming: TextIO) -> int:
    """Wait until the game begins; the seat that this client has."""
    said = ""
    for line in _lines(incoming):
        if match := re.fullmatch(rf"{START}Player-([01])( .*)?", line):
            return int(match[1])
        if line.startswith(GAME_OVER):
            raise CourseError(f"the server ended the game before it began: {line!r:.80}")
        said = f"; the last that it said was {line!r:.80}"
    raise CourseError(f"the server hung up before the game began{said}")


def _lines(incoming: TextIO) -> Any:
    """The server's lines, without their ends and without empty ones."""
    while True:
        try:
            line = incoming.readline(LONGEST_LINE)
        except OSError:
            return
        except UnicodeError:
            raise CourseError("the server sends what is no text") from None
        if not line:
            return
        if len(line) == LONGEST_LINE:
            raise CourseError(f"the server sent {LONGEST_LINE} characters without ending its line")
        if line.strip():
            yield line.strip()


def _ending(seat: int, line: str, chair: CourseSeat | None) -> Ending:
    """What the last line says; where it does not say, what the rules say. CourseError where the game was broken off."""
    said = line.removeprefix(GAME_OVER).strip()
    if match := re.search(r"WINNER ([01])$", said):
        return Ending(seat, int(match[1]), said)
    if said.endswith("DRAW"):
        return Ending(seat, NOBODY, said)
    if chair is None or chair.to_move != NOBODY:
        raise CourseError(f"the server broke the game off: {line!r:.80}")
    return Ending(seat, int(chair.states["winner"][0]), said)
