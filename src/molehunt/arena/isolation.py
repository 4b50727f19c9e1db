"""Foreign players in processes of their own, which are given views and events as bytes and nothing else.

A Python player that sits in the process of the match can find the true state (`sys._getframe`); out there is none. Each chair (one
seat of one game) has its own process, so that what one seat sees is nowhere in another's. It has limits of time and memory for a
move. Whoever breaks one, fails or answers with what is no legal move has lost the game: somebody else plays on by chance, so
that the game ends and its record replays, and the win is struck.

Files of players are loaded out there alone. The random stream of a chair is made from that of the seat by a one-way function, as
the game's seed, from which all is dealt, could be computed from that. Where the system has Landlock,
code of players runs confined (`arena.confinement`): it opens no file that tells of the deals and none of other players, and reaches
no process; where it has seccomp, it has no network (`arena.offline`). What this does not stop: who guesses the seed of the match
can deal it again; the seats of one player can tell each other something through the folder to which they may write.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from molehunt.agents.own_files import check_python_file
from molehunt.agents.registry import Agents, entries
from molehunt.arena.agent_files import AgentFile, read_agent_file
from molehunt.arena.faults import Chair, Fallible, FallibleAgent, chance_of
from molehunt.arena.isolated import (
    ACT,
    BEGIN,
    END,
    FORK,
    LOADING,
    LONGEST_FAULT,
    OBSERVE,
    SCRATCH,
    Answer,
    Hello,
    Task,
    others_than,
    receive_frame,
    send_frame,
)
from molehunt.core.agent import Agent, Rows, check_seating
from molehunt.core.errors import AgentFailure, BadInput, MolehuntError, printable
from molehunt.core.game import Events, Game, Views
from molehunt.core.processes import python_that_does
from molehunt.core.specs import split_spec

PATIENCE = LOADING + 10
"""Seconds for what a process says: whoever waits in it for a file to be loaded says first which file it is."""
FORKING = 30.0
"""Seconds for a chair's process to be there, which takes some milliseconds where no player has stopped what it comes from."""
MOST_LOADED = 24
"""Players that stay loaded in processes of their own, some 60 MB each; of a tournament of more, those of the last games."""
MOST_ANSWER = 1 << 14
MEGABYTE = 1 << 20
ISOLATED_SECONDS, ISOLATED_MEGABYTES = (1, 86_400), (16, 1_000_000)
"""The least and the most seconds and megabytes that may be the limits of isolated players."""
NOT_FOR_ALL = "isolated players need Unix sockets that pass descriptors, and fork: Linux or macOS"


@dataclass(frozen=True)
class Isolation:
    """What an isolated player may use for a move: seconds, and megabytes beyond what it began with (Linux).

    `network` says whether it keeps the network, for players that ask a server; by it they can agree with others.
    `hidden` are the files and folders of the match, above all those that tell of its deals, which it may not open.
    """

    seconds: int = 10
    memory: int = 1024
    network: bool = False
    hidden: tuple[str, ...] = field(default=(), compare=False)

    def and_hidden(self, *paths: Path | None) -> Isolation:
        """The same with more paths that are hidden."""
        return replace(self, hidden=(*self.hidden, *(str(path.absolute()) for path in paths if path is not None)))


class _Process:
    """The process that has loaded a player, and forks one for each chair."""

    def __init__(self, task: Task) -> None:
        if not (hasattr(os, "fork") and hasattr(socket, "send_fds")):
            raise BadInput(NOT_FOR_ALL)
        # A memory that Python clears away may end its chairs at any moment, also while this thread asks for another chair.
        self._lock = threading.RLock()
        self._names: dict[str, str] = {}
        self._line, far = socket.socketpair()
        with far:
            self._process = subprocess.Popen(  # noqa: S603 - this package's own
                python_that_does("from molehunt.arena.isolated import main; main()", str(far.fileno())),
                pass_fds=[far.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        scratch = tempfile.mkdtemp(prefix=SCRATCH)
        self._end = weakref.finalize(self, _end, self._line, self._process, scratch)
        self._line.settimeout(PATIENCE)
        try:
            with contextlib.suppress(OSError):  # it has ended, which is heard
                send_frame(self._line, pickle.dumps(task))
            self.hello = self._answer(pickle.dumps(scratch), _called(task))
        except MolehuntError:
            self._end()
            raise

    @property
    def has_ended(self) -> bool:
        """Whether it has ended, by what a player's code did there."""
        return self._process.poll() is not None

    def name_of(self, spec: str) -> str:
        """What a player is called, as everywhere else: by the shortest spec of its parameters. For a process that names players."""
        with self._lock:
            if spec not in self._names:  # a tournament asks for each seat of each lineup
                names = self._answer(spec.encode(), spec).names
                # What runs out there is foreign, and cannot take the name of another player.
                named = (name for name in names if split_spec(name)[0] == split_spec(spec)[0])
                self._names[spec] = next(named, spec)
            return self._names[spec]

    def holder_of(self, spec: str) -> tuple[int, ...]:
        """The number of the file that holds a player; () for one of a package. For a process that names players."""
        named = dict(zip(self.hello.names, self.hello.holders, strict=True))
        name, _ = split_spec(spec)
        return (named[name],) if name in named else ()

    def _answer(self, told: bytes, called: str) -> Hello:
        """What the process is, or a player that it makes; AgentFailure where that fails, BadInput where none can be made so."""
        try:
            send_frame(self._line, told)
            answer = msgspec.json.decode(receive_frame(self._line), type=Hello)
        except (OSError, EOFError, msgspec.DecodeError):
            raise AgentFailure(f"{called} ends or hangs while it is loaded") from None
        if answer.fault:
            raise (BadInput if answer.asked_wrongly else AgentFailure)(printable(answer.fault[:LONGEST_FAULT]))
        return answer

    def fork(self) -> tuple[socket.socket, int]:
        """A new chair: the line to its process, and the number of that."""
        near, far = socket.socketpair()
        with far, self._lock:
            try:
                self._line.settimeout(FORKING)
                socket.send_fds(self._line, [FORK], [far.fileno()])
                number = int.from_bytes(self._line.recv(8, socket.MSG_WAITALL), "little")
            except OSError:
                number = 0
        if not number:
            near.close()
            self._end()
            raise AgentFailure("has ended or stopped the process that its chairs come from")
        return near, number

    def end_chair(self, number: int) -> None:
        """End the process of a chair, whatever it does."""
        with self._lock, contextlib.suppress(OSError):
            self._line.sendall(END + number.to_bytes(8, "little"))


def _called(task: Task) -> str:
    return task.spec or " and ".join(Path(file.path).name for file in task.files)


def _end(line: socket.socket, process: subprocess.Popen[bytes], scratch: str) -> None:
    """End a process, which ends its chairs first, if it can, what the player's file has started, and what it has written."""
    line.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(2.0)
    with contextlib.suppress(OSError):  # nothing of its group is there any more
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    shutil.rmtree(scratch, ignore_errors=True)


@dataclass
class _Chair(Chair):
    """A chair of an isolated player: the line to its process, and the number of that, 0 where there is none."""

    line: socket.socket = field(init=False)
    number: int = 0


@dataclass
class Far(Fallible[_Chair]):
    """The memory of an isolated player: where its chairs are. What they remember is out there."""

    process: _Process | None

    def close(self) -> None:
        """End all processes of the chairs."""
        for chair in self.chairs:
            self.end(chair)

    def end(self, chair: _Chair) -> None:
        """End the process of one chair."""
        if chair.number and self.process is not None:
            chair.line.close()
            self.process.end_chair(chair.number)
            chair.number = 0

    def __del__(self) -> None:
        self.close()


class IsolatedAgent(FallibleAgent[_Chair]):
    """A foreign player, each of its chairs in a process of its own."""

    def __init__(self, game: str, spec: str, namer: _Process, files: Sequence[AgentFile], limits: Isolation) -> None:
        own = tuple(files[number] for number in namer.holder_of(spec))
        hidden = (*limits.hidden, *others_than(own, files))
        self._task = Task(game=game, files=own, spec=spec, hidden=hidden, network=limits.network)
        self._namer = namer  # lives as long as the player, for the next match of the same files
        self._limits = limits
        self._lock = threading.Lock()
        self._processes: dict[Task, _Process] = {}
        self._unloadable: dict[Task, str] = {}
        self.name = namer.name_of(spec)

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Far:
        check_seating(game, views, streams)
        process, why_none = self._process(game)
        memory = Far(game, process)
        for index, stream in enumerate(streams):
            chair = _Chair(chance_of(stream))
            memory.chairs.append(chair)
            if process is None:
                self._fault(memory, chair, why_none)
                continue
            try:
                chair.line, chair.number = process.fork()
            except AgentFailure as error:  # the player's own code has ended what its chairs come from
                self._fault(memory, chair, str(error))
                continue
            begins = hashlib.blake2b(int(stream).to_bytes(8, "little"), digest_size=8).digest()
            self._ask(memory, chair, BEGIN + begins + views[index : index + 1].tobytes())
        return memory

    def _process(self, game: Game) -> tuple[_Process | None, str]:
        """The process from which its chairs come; why there is none where the player, whose name was told, cannot be loaded again.

        That is found out once, as each time might take as long as a file may take to be loaded.
        """
        task = msgspec.structs.replace(
            self._task, label=game.label, seats=game.seats, memory=self._limits.memory * MEGABYTE
        )
        with self._lock:
            process = self._processes.get(task)
            if task not in self._unloadable and (process is None or process.has_ended):
                try:
                    process = self._processes[task] = _process_of(task)
                except AgentFailure as error:
                    self._unloadable[task] = str(error)
                else:
                    self.observes = process.hello.observes
            if task in self._unloadable:
                return None, self._unloadable[task]
        _note_use(task, self)
        return process, ""

    def let_go(self, task: Task) -> None:
        """Keep a process no longer than its games last."""
        self._processes.pop(task, None)

    def observe(self, events: Events, memory: Far, rows: Rows) -> None:
        for index, row in enumerate(rows.tolist()):
            chair = memory.chairs[row]
            if not chair.reason:
                self._tell(memory, chair, OBSERVE + events[index : index + 1].tobytes())

    def sit_apart(self, memory: Far) -> None:
        memory.close()

    def copy_memory(self, memory: Far) -> Far:
        raise AgentFailure(f"{self.name} is isolated and cannot be copied")

    def take(self, memory: Far, rows: Rows) -> Far:
        raise AgentFailure(f"{self.name} is isolated and cannot be copied")

    def _answer(self, memory: Far, chair: _Chair, view: Views) -> int | None:
        return self._ask(memory, chair, ACT + view.tobytes())

    def _tell(self, memory: Far, chair: _Chair, content: bytes) -> bool:
        try:
            chair.line.settimeout(self._limits.seconds)
            send_frame(chair.line, content)
        except TimeoutError:
            self._fault(memory, chair, f"took more than {self._limits.seconds} s for an event")
        except OSError:
            self._hear(memory, chair)  # what it said at last
        return not chair.reason

    def _ask(self, memory: Far, chair: _Chair, content: bytes) -> int | None:
        """What a chair answers; None where it has lost its game by that."""
        return self._hear(memory, chair) if self._tell(memory, chair, content) else None

    def _hear(self, memory: Far, chair: _Chair) -> int | None:
        reason = f"{self.name}: its process ended"
        try:
            answer = msgspec.json.decode(receive_frame(chair.line, MOST_ANSWER, self._limits.seconds), type=Answer)
        except TimeoutError:
            reason = f"took more than {self._limits.seconds} s for a move"
        except msgspec.DecodeError:
            reason = "answered with nonsense"
        except (OSError, EOFError):
            pass
        else:
            if not answer.fault:
                return answer.action
            reason = printable(answer.fault[:LONGEST_FAULT])
            if answer.out_of_memory:
                reason = f"took more than {self._limits.memory} MB for a move"
        self._fault(memory, chair, reason)
        return None

    def _fault(self, memory: Far, chair: _Chair, reason: str) -> None:
        super()._fault(memory, chair, reason)
        memory.end(chair)


_processes: weakref.WeakValueDictionary[Task, _Process] = weakref.WeakValueDictionary()
_users: dict[Task, weakref.WeakSet[IsolatedAgent]] = {}
"""Who keeps the process of a loaded player; those last that were used last."""
_sharing = threading.Lock()


def _process_of(task: Task) -> _Process:
    """The process that has loaded a player of a game, or that names the players of some files.

    It is the same for all matches, as long as one of them is there.
    """
    with _sharing:
        process = _processes.get(task)
    if process is None or process.has_ended:
        made = _Process(task)  # outside of the lock, so that several players are loaded at once
        with _sharing:
            process = _processes.get(task)
            if process is None or process.has_ended:
                process = _processes[task] = made
    return process


def _note_use(task: Task, agent: IsolatedAgent) -> None:
    """A player is about to play; of processes beyond MOST_LOADED those go, when their games have ended, that waited longest."""
    with _sharing:
        users = _users.pop(task, weakref.WeakSet[IsolatedAgent]())
        users.add(agent)
        for waiting in [each for each, theirs in _users.items() if not theirs]:
            del _users[waiting]
        _users[task] = users
        longest = [*_users][: len(_users) - MOST_LOADED] if len(_users) > MOST_LOADED else []
        gone = [(each, [*_users.pop(each)]) for each in longest]
    for each, theirs in gone:
        for user in theirs:
            user.let_go(each)


# --- The players of a game, the foreign ones isolated -------------------------------------------------------------------


def isolated_agents(game: str, files: Sequence[AgentFile], limits: Isolation) -> Agents:
    """The players of a game: those of files and of installed packages isolated, none of their code loaded here.

    (A package's list of its players is read, as always.) BadInput or AgentFailure where a file holds no players.
    """
    agents = Agents(game)
    called = agents.game  # `make` does not hold `agents`, who hold it, so that nobody waits for garbage to be collected
    naming = Task(game=called, files=tuple(files), hidden=limits.hidden, network=limits.network)
    names = cache(partial(_process_of, naming))

    def make(spec: str) -> Agent:
        return IsolatedAgent(called, spec, names(), files, limits)

    for entry in entries():
        if entry.game == agents.game and not entry.is_ours:
            agents.elsewhere[entry.name] = make
    for name in names().hello.names if files else ():
        agents.elsewhere[name] = make
    return agents


def load_isolated(game: str, paths: Sequence[Path], limits: Isolation) -> tuple[Agents, tuple[AgentFile, ...]]:
    """As `isolated_agents`, with files from their paths."""
    files = []
    for path in paths:
        check_python_file(path)
        try:
            files.append(read_agent_file(path))
        except BadInput:
            raise
        except (OSError, ValueError) as error:
            raise BadInput(f"cannot read {path}: {error}") from None
    return isolated_agents(game, files, limits), tuple(files)
