"""The programs of a contest as the server has them: started, asked, found at fault, sent home."""

from __future__ import annotations

import contextlib
import errno
import os
import shlex
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from typing import TypeVar

from molehunt.adapters.speed_clue_contest.endings import ReplyEndings
from molehunt.adapters.speed_clue_contest.protocol import (
    REPLY_TO,
    Done,
    Message,
    Reply,
    decode_message,
    format_message,
    parse_reply,
)
from molehunt.adapters.speed_clue_contest.talk import ContestError, HungUp, Late, Talk, TooLong
from molehunt.core.errors import BadInput, BadNotation
from molehunt.games.speed_clue.edition import Edition

HUNG_UP, LATE, NONSENSE, ILLEGAL, ABSENT = "hung up", "late", "nonsense", "illegal", "absent"
"""The kinds of faults."""

R = TypeVar("R", bound=Reply)


class Fault(ContestError):
    """A program has failed. `kind` is one of HUNG_UP, LATE, NONSENSE, ILLEGAL, ABSENT; the text is the reason."""

    def __init__(self, kind: str, reason: str) -> None:
        self.kind = kind
        super().__init__(reason)


class Program:
    """A connected program. `dead` once its connection is closed; `absent` says why it never came, where it did not.

    A late reply may still come while something else is asked; so replies are counted, and those that came too late are dropped.
    """

    def __init__(self, identifier: str, talk: Talk, edition: Edition, seconds: float) -> None:
        self.identifier = identifier
        self.dead = False
        self.absent = ""
        self.process: subprocess.Popen[bytes] | None = None
        self._talk = talk
        talk.endings = ReplyEndings(edition)
        self._edition = edition
        self._seconds = seconds
        self._owed = 0
        self._heard = False
        self._asked: Message = Done()
        self._deadline = 0.0

    def send(self, message: Message) -> None:
        """Say something; `receive` must be called for the reply. Fault where it cannot be said."""
        try:
            unasked = b"" if self._owed else self._talk.drain()
            if unasked:
                raise Fault(NONSENSE, f"said {unasked!r:.80} without having been asked")
            self._talk.send(format_message(message, self._edition), self._seconds)
        except (HungUp, Late, TooLong) as error:
            raise self._lost(error) from None
        self._owed += 1
        self._asked = message
        self._deadline = time.monotonic() + self._seconds

    def receive(self, kind: type[R]) -> R:
        """The reply to what was sent last; Fault where none comes in time, or not one of this kind."""
        asked = format_message(self._asked, self._edition)
        try:
            while self._owed > 1:  # what came too late for earlier messages
                self._talk.receive(self._deadline)
                self._owed -= 1
                self._heard = True
            said = self._talk.receive(self._deadline)
        except Late:
            # The protocol's trap: who waits for the end of a line waits for ever.
            hint = "" if self._heard else "; messages have no line end, so a program must not read lines"
            raise Fault(LATE, f"did not answer {asked!r} within {self._seconds:g} s{hint}") from None
        except (HungUp, TooLong) as error:
            raise self._lost(error) from None
        self._owed -= 1
        self._heard = True
        wanted, form = REPLY_TO[type(self._asked)]
        try:
            reply = parse_reply(decode_message(said), self._edition)
        except BadNotation as error:
            raise Fault(NONSENSE, f"answered {asked!r} with nonsense: {error}") from None
        if not isinstance(reply, wanted) or not isinstance(reply, kind):
            raise Fault(NONSENSE, f"answered {asked!r} with {said.decode('ascii').strip()!r:.80}; right is: {form}")
        return reply

    def ask(self, message: Message, kind: type[R]) -> R:
        """Say something and wait for the reply."""
        self.send(message)
        return self.receive(kind)

    def hurry(self, seconds: float) -> None:
        """From now on wait no longer than this."""
        self._seconds = min(self._seconds, seconds)

    def close(self, seconds: float = 2.0) -> None:
        """Hang up; a program that was started here is given some time to leave, and then ended."""
        self._talk.close()
        if self.process is not None:
            end_process(self.process, seconds)

    @classmethod
    def absentee(cls, identifier: str, edition: Edition, reason: str) -> Program:
        """A program that never came, and why: it is dead before any game."""
        program = cls(identifier, Talk(socket.socket(), ReplyEndings(edition)), edition, 0.0)
        program._talk.close()
        program.dead, program.absent = True, reason
        return program

    def _lost(self, error: ContestError) -> Fault:
        """The connection is of no more use."""
        self.dead = True
        self._talk.close()
        if isinstance(error, HungUp) and self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return Fault(HUNG_UP, f"hung up; its process ended with status {self.process.wait(1.0)}")
        kind = HUNG_UP if isinstance(error, HungUp) else LATE if isinstance(error, Late) else NONSENSE
        return Fault(kind, str(error))


# --- Starting -----------------------------------------------------------------------------------------------------------


def listen(host: str, port: int) -> socket.socket:
    """Open the door; port 0 is a free one. ContestError where the port cannot be had."""
    try:
        # Both kinds of addresses; a name that has both (localhost) means the older one, to which all programs come.
        family = min(
            where[0]
            for where in socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        )
        return socket.create_server((host, port), family=family)
    except (OSError, ValueError) as error:  # ValueError: a name that no machine can have
        reason = str(getattr(error, "strerror", None) or error).partition(" (while")[0]  # then comes the address again
        hint = "; port 0 takes a free one" if getattr(error, "errno", None) == errno.EADDRINUSE else ""
        raise ContestError(f"cannot listen at {host!r:.80}, port {port}: {reason}{hint}") from None


@dataclass(frozen=True)
class Started:
    """A program that was started here, under the name that it was given.

    `process` is None where it could not be started; `refused` says why.
    """

    identifier: str
    command: str
    process: subprocess.Popen[bytes] | None
    refused: str = ""


def command_words(command: str, identifier: str, port: int) -> list[str]:
    """A command in words; `{id}` and `{port}` are filled in, and follow at the end where neither is written. BadInput."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadInput(f"the command {command!r:.80} cannot be read: {error}") from None
    if not words:
        raise BadInput("an empty command starts no program")
    if not any(mark in word for word in words for mark in ("{id}", "{port}")):
        words += ["{id}", "{port}"]
    return [word.replace("{id}", identifier).replace("{port}", str(port)) for word in words]


def start_program(command: str, identifier: str, port: int) -> Started:
    """Start a program; BadInput where there is none of this name. It is not stopped by a Ctrl-C that is meant for the server."""
    words = command_words(command, identifier, port)
    try:
        process = subprocess.Popen(  # noqa: S603 - to start it is what was asked for
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True
        )
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot start {command!r:.80}: {getattr(error, 'strerror', None) or error}") from None
    return Started(identifier, command, process)


def end_process(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait for a process of `start_program` to leave; where it does not, end it, and in any case what it has started.

    A program that is started by a script is such a process of the script's.
    """
    for end, number in ((process.terminate, "SIGTERM"), (process.kill, "SIGKILL")):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            break
        _tell_group(process, number)
        end()
    process.wait()
    _tell_group(process, "SIGKILL")


def _tell_group(process: subprocess.Popen[bytes], number: str) -> None:
    """Send a signal to a process and all that it has started, where the system has such groups and anything of it is there."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, getattr(signal, number))
