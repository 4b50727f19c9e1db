"""The far side of isolation: a process that holds foreign players, and one process forked from it for every chair.

`main` is what a process does that `arena.isolation` starts, with the number of its line as its argument. It reads what it is to
be, loads the player, and forks a process for each chair whose socket it is sent. A chair is told views and events as
bytes and answers with numbers: nothing else of a game is in these processes. Of the files only that one is loaded which holds the
player: the code of another could change what this one does, and tell what it sees. So a process that is to say what the players
of several files are called loads none of them, and forks a process for each.

Where the system can keep a process from files (`arena.confinement`), foreign code runs confined: it reads what Python needs, what
lies beside the player's file, and no result of the match, and writes into a folder of its own that goes with the process. Where it
can keep it from the network (`arena.offline`), it reaches no other process by that either.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import gc
import os
import pickle
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import numpy as np

from molehunt.agents.own_files import check_not_taken
from molehunt.agents.registry import Agents, entries
from molehunt.arena import confinement, offline
from molehunt.arena.agent_files import AgentFile, agents_from
from molehunt.core import at_first
from molehunt.core.agent import Agent, one_chair
from molehunt.core.errors import AgentFailure, BadInput, MolehuntError, error_text, foreign_error, printable
from molehunt.core.game import Game
from molehunt.core.garbage import MANY_OBJECTS
from molehunt.core.kernel_cache import cache_root
from molehunt.core.kernel_sources import parsed
from molehunt.core.specs import split_spec
from molehunt.core.streams import seat_streams
from molehunt.games.registry import make_game, split_label

MOST_FRAME = 1 << 24
HEADER = 4
LEAST_WAIT = 1e-3
"""Seconds that are waited for a part of a frame in any case: what is there already is read."""
LOADING = 120.0
"""Seconds in which a player's file must be loaded."""
LONGEST_FAULT = 1000
"""So many characters are taken of what a process says of a fault; what runs there is foreign."""
BEGIN, ACT, OBSERVE = b"b", b"a", b"o"
"""What a chair is told: how its game begins (the start of its random stream, 8 bytes, and the first view), a view, an event."""
FORK, END = b"f", b"e"
"""What the process that forks is told: a chair, whose socket comes along; a chair's process has to end (its number, 8 bytes)."""
PR_SET_PDEATHSIG = 1
"""From linux/prctl.h."""
FIRST_MOVES = 4
WHAT_IS_OPEN = (
    "an isolated player reads what lies beside its file, and writes where tempfile puts its files, which go with its process: "
    "to keep what it writes, play without --isolate"
)
NO_NETWORK = (
    "an isolated player has no network: to let it reach a server, say --isolate-network, or isolate_network = true in the file "
    "of a tournament"
)
SCRATCH = "molehunt-isolated-"
"""How the names of the folders begin to which isolated players may write."""
ROW = np.zeros(1, np.int64)


class Task(msgspec.Struct, frozen=True):
    """What a process is to be: the player `spec` of a game; with no `spec`, one that says what players are called.

    `hidden` are the paths that the player may not open although they may lie beside its file. `network` says whether it has one.
    """

    game: str
    files: tuple[AgentFile, ...]
    spec: str = ""
    label: str = ""
    seats: int = 0
    memory: int = 0
    hidden: tuple[str, ...] = ()
    network: bool = False


class Hello(msgspec.Struct, frozen=True):
    """What the process is: the names of the players in the files, or the player's own name; `fault` says why it is nothing.

    `holders` are the numbers of the files that hold these players, one for each name, counted from 0.
    `asked_wrongly`: by what was asked for, and not by the player's code.
    """

    names: tuple[str, ...] = ()
    holders: tuple[int, ...] = ()
    observes: bool = True
    fault: str = ""
    asked_wrongly: bool = False

    @classmethod
    def failed(cls, error: BaseException) -> Hello:
        """Nothing came of it, for this reason."""
        text = str(error) if isinstance(error, MolehuntError) else error_text(error) or type(error).__name__
        return cls(fault=_sendable(text + _if_kept_from(error)), asked_wrongly=isinstance(error, BadInput))


def _if_kept_from(error: BaseException) -> str:
    """What to say to an error that comes of opening or reaching what an isolated player may not."""
    for each in _with_reasons(error):
        if offline.comes_of_it(each):
            return f"; {NO_NETWORK}"
        if isinstance(each, PermissionError) and confinement.is_possible():
            return f"; {WHAT_IS_OPEN}"
    return ""


def _with_reasons(error: BaseException) -> Iterator[BaseException]:
    """An error and those of which it came, the last first."""
    found: set[int] = set()
    reason: BaseException | None = error
    while reason is not None and id(reason) not in found:
        found.add(id(reason))
        yield reason
        reason = reason.__cause__ or reason.__context__


def _sendable(text: str) -> str:
    """A text as JSON holds it: what stands in a name of a file for bytes that are no text is written out."""
    return text.encode(errors="backslashreplace").decode()


class Answer(msgspec.Struct, frozen=True):
    """What a chair answers: an action, or why there is none."""

    action: int = 0
    fault: str = ""
    out_of_memory: bool = False


def send_frame(line: socket.socket, content: bytes) -> None:
    """Send bytes with their length before them."""
    line.sendall(len(content).to_bytes(HEADER, "little") + content)


def receive_frame(line: socket.socket, most: int = MOST_FRAME, seconds: float | None = None) -> bytes:
    """The next frame; EOFError where the line has ended, or where the frame is longer than it may be.

    TimeoutError where it is not there as a whole after so many seconds, if they are given; else as the line has it for each part.
    """
    until = None if seconds is None else time.monotonic() + seconds
    length = int.from_bytes(_receive(line, HEADER, until), "little")
    if length > most:
        raise EOFError
    return _receive(line, length, until)


def _receive(line: socket.socket, length: int, until: float | None) -> bytes:
    parts = bytearray()
    while len(parts) < length:
        if until is not None:
            line.settimeout(max(until - time.monotonic(), LEAST_WAIT))
        part = line.recv(length - len(parts))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)


def main() -> None:
    """Be what the line of this process says."""
    often = gc.get_threshold()
    gc.set_threshold(MANY_OBJECTS)
    at_first.end()  # the command tells of what is compiled
    line = socket.socket(fileno=int(sys.argv[1]))
    line.set_inheritable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process in front
    # From the process that has started this one.
    task: Task = pickle.loads(receive_frame(line))  # noqa: S301
    scratch = Path(pickle.loads(receive_frame(line)))  # noqa: S301
    try:
        if not task.spec:
            _name_players(line, task, scratch)
        game = _game_at_hand(task)
        for ours in _named_in(task):
            _move_some_times(game, ours)
        _confine(task.files, task.hidden, scratch, network=task.network)
        agent = agents_from(task.game, task.files).make(task.spec)
    except BaseException as error:  # noqa: BLE001 - it is told, and told there as what it is
        with contextlib.suppress(OSError):  # where the line has ended, nobody asks any more
            send_frame(line, msgspec.json.encode(Hello.failed(error)))
        return
    send_frame(line, msgspec.json.encode(Hello((agent.name,), observes=agent.observes)))
    gc.freeze()  # what was made to get ready lives to the end, in the processes of the chairs, too
    gc.set_threshold(*often)
    _fork_chairs(line, agent, game, task.memory)


class _Namer:
    """A process that has loaded one file, or none, and says of its players, or of those of packages, what they are called."""

    def __init__(self, task: Task, files: tuple[AgentFile, ...], scratch: Path) -> None:
        self._files = files
        self._line, far = socket.socketpair()
        self._until = time.monotonic() + LOADING
        if not os.fork():
            try:
                _end_with_parent()
                _close_all_but(far)
                others = others_than(files, task.files)
                scratch.mkdir()
                _confine(files, (*task.hidden, *others), scratch, network=task.network)
                _name_those_of(far, task.game, files)
            finally:
                os._exit(0)
        far.close()

    def heard(self, called: str = "") -> Hello:
        """What it says next, for so long as a file may take to be loaded; what comes from there is foreign."""
        called = called or " and ".join(Path(file.path).name for file in self._files)
        try:
            said = msgspec.json.decode(receive_frame(self._line, seconds=self._until - time.monotonic()), type=Hello)
        except (OSError, EOFError, msgspec.DecodeError):
            return Hello(fault=_sendable(f"{called} ends or hangs while it is loaded"))
        return Hello(
            said.names,
            fault=printable(said.fault[:LONGEST_FAULT]),
            asked_wrongly=said.asked_wrongly and bool(said.fault),
        )

    def asked(self, spec: str) -> Hello:
        """What it says of the player of a spec."""
        self._until = time.monotonic() + LOADING
        with contextlib.suppress(OSError):  # it has ended, which is heard
            send_frame(self._line, spec.encode())
        return self.heard(spec)


def _close_all_but(line: socket.socket) -> None:
    """Leave a process nothing but its own line: by the others it could speak in the place of somebody else."""
    os.closerange(sys.stderr.fileno() + 1, line.fileno())
    os.closerange(line.fileno() + 1, os.sysconf("SC_OPEN_MAX"))


def _name_those_of(line: socket.socket, game: str, files: tuple[AgentFile, ...]) -> NoReturn:
    """Say what the players of files are called, then of each spec that comes along the line, until the line ends."""
    try:
        agents = agents_from(game, files)
    except BaseException as error:  # noqa: BLE001 - it is told, and told there as what it is
        send_frame(line, msgspec.json.encode(Hello.failed(error)))
        os._exit(0)
    send_frame(line, msgspec.json.encode(Hello(tuple(agents.from_files))))
    while True:
        spec = receive_frame(line).decode()
        try:
            said = Hello((agents.make(spec).name,))
        except BaseException as error:  # noqa: BLE001 - as above
            said = Hello.failed(error)
        send_frame(line, msgspec.json.encode(said))


def _name_players(line: socket.socket, task: Task, scratch: Path) -> NoReturn:
    """Say what the players of all files are called, then of each spec that comes along the line, until the line ends.

    BadInput or AgentFailure where a file cannot be taken in.
    """
    taken = {*Agents(task.game).names()}  # loads, once for all, what they will need
    gc.freeze()
    namers = [_Namer(task, (file,), scratch / str(number)) for number, file in enumerate(task.files)]
    holders: dict[str, int] = {}
    for number, (namer, file) in enumerate(zip(namers, task.files, strict=True)):
        said = namer.heard()
        if said.fault:
            raise (BadInput if said.asked_wrongly else AgentFailure)(said.fault)
        for name in said.names:
            check_not_taken(name, taken | holders.keys(), file.path)
        holders |= dict.fromkeys(said.names, number)
    send_frame(line, msgspec.json.encode(Hello(tuple(holders), tuple(holders.values()))))
    of_packages: list[_Namer] = []
    while True:
        spec = receive_frame(line).decode()
        number = holders.get(split_spec(spec)[0], -1)
        if number < 0 and not of_packages:
            of_packages.append(_Namer(task, (), scratch / "packages"))
            of_packages[0].heard()
        send_frame(line, msgspec.json.encode((namers[number] if number >= 0 else of_packages[0]).asked(spec)))


def others_than(own: Sequence[AgentFile], files: Sequence[AgentFile]) -> tuple[str, ...]:
    """The paths of the files of other players, but for those that its own import."""
    imported = {name for file in own for name, _ in file.helpers}
    return tuple(file.path for file in files if file not in own and Path(file.path).stem not in imported)


def _confine(files: Sequence[AgentFile], hidden: Sequence[str], scratch: Path, *, network: bool) -> None:
    """From now on what runs here reads what Python and these files need, writes to `scratch` alone, and has a network or none."""
    if not network:
        offline.go_offline()
    if not confinement.is_possible():
        return
    of_others = [place for place in scratch.parent.glob(f"{SCRATCH}*") if place != scratch]
    confinement.confine(
        [*(Path(file.path).parent for file in files), cache_root()], [scratch], [*map(Path, hidden), *of_others]
    )
    os.environ["TMPDIR"] = os.environ["NUMBA_CACHE_DIR"] = tempfile.tempdir = str(scratch)
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = str(scratch)


def _game_at_hand(task: Task) -> Game:
    """The game, with what a chair needs at hand, so that it is not made in each of them."""
    game = make_game(*split_label(task.label), task.seats)
    view = game.views(game.new(np.zeros(1, np.uint64)), np.zeros(1, np.int8), ROW)
    game.legal_actions(view)
    game.friendly_view(view)
    return game


def _named_in(task: Task) -> list[Agent]:
    """Players of this package that a player's file, or the module of an installed one, names in full: it may ask them for moves.

    What they need is then compiled here, where it can be kept, and not in every chair, whose first move would take long.
    """
    known = Agents(task.game)
    ours = {entry.name for entry in entries(task.game) if entry.is_ours}
    found: dict[str, Agent] = {}
    for text in (file.text for file in task.files) if task.files else _texts_of_package(known, task.spec):
        with contextlib.suppress(SyntaxError, ValueError, RecursionError):
            for node in ast.walk(parsed(text)):
                spec = node.value if isinstance(node, ast.Constant) else None
                if isinstance(spec, str) and spec not in found and split_spec(spec)[0] in ours:
                    with contextlib.suppress(MolehuntError):  # it is told where it is asked for
                        found[spec] = known.make(spec)
    return list(found.values())


def _texts_of_package(known: Agents, spec: str) -> Iterator[str | bytes]:
    """The text of the module that holds the player of a spec, where it comes from an installed package; nothing of it runs."""
    with contextlib.suppress(MolehuntError, ImportError, ValueError, OSError):  # it is told where the player is made
        entry = known.entry(split_spec(spec)[0])
        if entry.is_ours:
            return
        # Not by importlib.util.find_spec, which would import the packages that the module lies in.
        first, *rest = entry.module.split(".")
        found = getattr(sys.modules.get(first), "__spec__", None) or PathFinder.find_spec(first)
        for name in rest:
            found = PathFinder.find_spec(name, found.submodule_search_locations) if found else None
        if found and found.origin:
            yield Path(found.origin).read_bytes()


def _move_some_times(game: Game, agent: Agent) -> None:
    """Let a player make the first moves of a game on all seats, so that what it needs is at hand."""
    seeds = np.zeros(1, np.uint64)
    states, streams = game.new(seeds), seat_streams(seeds, game.seats).reshape(-1)
    seats = [np.array([seat], np.int8) for seat in range(game.seats)]
    with contextlib.suppress(MolehuntError):  # it does not sit at this table, say
        memories = [agent.start(game, game.views(states, seat, ROW), streams[seat]) for seat in seats]
        for _ in range(FIRST_MOVES):
            to_move = int(game.to_move(states)[0])
            if to_move < 0:
                return
            view = game.views(states, seats[to_move], ROW)
            events = game.apply(states, agent.act(view, memories[to_move], one_chair()), ROW)
            if agent.observes:
                for seat, memory in enumerate(memories):
                    agent.observe(events[:, seat], memory, one_chair())


def _fork_chairs(line: socket.socket, agent: Agent, game: Game, memory: int) -> None:
    """Fork a process for each chair that is asked for, until the line ends."""
    chairs: set[int] = set()
    try:
        while True:
            told, sockets, _, _ = socket.recv_fds(line, 1 + 8, 1)
            if not told:
                return
            if told[:1] == FORK:
                chair = socket.socket(fileno=sockets[0])
                chairs.add(_fork(line, chair, agent, game, memory))
                chair.close()
            else:
                _end(int.from_bytes(told[1:], "little"), chairs)
    finally:
        for number in [*chairs]:
            _end(number, chairs)


def _fork(line: socket.socket, chair: socket.socket, agent: Agent, game: Game, memory: int) -> int:
    has = _own_memory()
    number = os.fork()
    if number:
        line.sendall(number.to_bytes(8, "little"))
        return number
    try:
        os.setsid()
        _end_with_parent()
        line.close()
        _limit(memory, has)
        confinement.part()
        _sit(chair, agent, game)
    finally:
        os._exit(0)


def _end(number: int, chairs: set[int]) -> None:
    """End a chair's process and all that it has started. Nobody else waits for it, so the number is still its own."""
    if number in chairs:
        chairs.discard(number)
        for kill in (os.killpg, os.kill):  # it may not have become the head of a group yet
            with contextlib.suppress(OSError):
                kill(number, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.waitpid(number, 0)


def _end_with_parent() -> None:
    """From now on this process is ended when its parent is: a player's code may end that, and nobody else ends chairs (Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _own_memory() -> int | None:
    """How many bytes this process has; None on a system that does not tell."""
    import resource

    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - no file of anybody
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return None


def _limit(memory: int, has: int | None) -> None:
    """From now on this process may have so many bytes more than it `has`."""
    import resource

    if has is not None:
        resource.setrlimit(resource.RLIMIT_AS, (has + memory, has + memory))


def _sit(line: socket.socket, agent: Agent, game: Any) -> NoReturn:
    """Play one chair of one game until the line ends."""
    seated: Any = None
    while True:
        told = receive_frame(line)
        kind, content = told[:1], bytearray(told[1:])
        answer = Answer()
        try:
            if kind == BEGIN:
                stream = np.frombuffer(content[:8], np.uint64).copy()
                seated = agent.start(game, np.frombuffer(content[8:], game.view_dtype), stream)
            elif kind == ACT:
                view = np.frombuffer(content, game.view_dtype)
                answer = Answer(int(agent.act(view, seated, one_chair())[0]))
            else:
                agent.observe(np.frombuffer(content, game.event_dtype), seated, one_chair())
                continue
        except BaseException as error:  # noqa: BLE001 - it is the player's, and is told as such
            words = str(error) if isinstance(error, AgentFailure) else f"failed: {foreign_error(error)}"
            short = isinstance(error, MemoryError) or isinstance(error.__cause__, MemoryError)
            answer = Answer(fault=_sendable(words[:500] + _if_kept_from(error)), out_of_memory=short)
        send_frame(line, msgspec.json.encode(answer))
        if answer.fault:
            os._exit(0)
