"""The programs of a contest as they come in at the server's door, and those that do not come."""

from __future__ import annotations

import itertools
import select
import socket
import time
from collections.abc import Callable, Sequence

from molehunt.adapters.speed_clue_contest.endings import greeting_endings
from molehunt.adapters.speed_clue_contest.programs import Program, Started, end_process
from molehunt.adapters.speed_clue_contest.protocol import GREETING, decode_message, parse_greeting
from molehunt.adapters.speed_clue_contest.talk import ContestError, HungUp, Late, Talk, TooLong
from molehunt.core.errors import BadNotation
from molehunt.core.words import joined, things
from molehunt.games.speed_clue.edition import Edition

GREETING_SECONDS = 1.0
"""How long a greeting that has begun may take."""
LEFT_SECONDS = 1.0
"""How long a greeting may be on its way whose program has ended since."""
MOST_CALLERS = 100
"""So many connections that have not greeted are held open at once; a process has some thousand at most."""
FEWEST = 2
"""So few programs can play against each other; the seats of the others are empty."""
PATIENCE, AGAIN = 10.0, 30.0
"""Seconds after which it is first said who is waited for, and after which it is said again."""


class Gathering:
    """The programs of a contest as they come in at a door.

    `seconds` is how long each may take for a reply. `started` are the programs that were started here; `remark` is told of a caller
    that does not greet properly and is let go, of a program that has ended before it came, and of who is waited for.
    """

    def __init__(
        self,
        door: socket.socket,
        edition: Edition,
        seconds: float,
        started: Sequence[Started] = (),
        remark: Callable[[str], None] | None = None,
    ) -> None:
        self._door = door
        self._edition = edition
        self._seconds = seconds
        self._started = started
        self._tell = remark if remark is not None else lambda _text: None
        self._programs: dict[str, Program] = {}
        self._callers: dict[Talk, float] = {}  # not yet greeted; until when each has time for it
        self._refused = ""  # what was wrong with the last caller that was let go
        self._left: dict[str, float] = {}  # when a program was seen to have ended that has not greeted, by name
        self._absent: dict[str, str] = {}  # why a program does not come, by name

    def gather(self, players: int, wait: float | None = None) -> list[Program]:
        """Wait until so many programs are there, at most `wait` seconds; they come sorted by name, whoever was first.

        A program that has not come by then, or that was started here and ended before, is among them as one that is absent.
        ContestError where fewer than FEWEST have come, or can.
        """
        absent = self._wait(players, wait)
        for talk in self._callers:
            talk.close()
        for one in self._started:
            if one.identifier in self._programs:
                self._programs[one.identifier].process = one.process
            elif one.identifier in absent and one.process is not None:
                end_process(one.process, 0.1)
        if self._too_few(players, absent):
            why = "; ".join(f"{name}: {reason}" for name, reason in absent.items())
            raise ContestError(f"of {players} programs {len(self._programs)} came, and {FEWEST} must; {why}")
        for name in absent:
            self._programs[name] = Program.absentee(name, self._edition, absent[name])
        return [self._programs[name] for name in sorted(self._programs)]

    def _wait(self, players: int, wait: float | None) -> dict[str, str]:
        """Let programs in until all are there or will not come; who is absent, by name, and why."""
        begin = time.monotonic()
        say_at = begin + PATIENCE
        while len(self._programs) + len(absent := self._absentees(players)) < players and not self._too_few(
            players, absent
        ):
            self._look(players)
            now = time.monotonic()
            if wait is not None and now > begin + wait:
                return self._give_up(players, wait)
            if now > say_at:
                self._say_who_is_waited_for(players, None if wait is None else begin + wait - now)
                say_at = now + AGAIN
        return absent

    def close(self) -> None:
        """Send all away."""
        for talk in self._callers:
            talk.close()
        for program in self._programs.values():
            program.close()

    def _look(self, players: int) -> None:
        """Let in who is at the door, and hear the greetings."""
        # Who comes while so many have not greeted yet waits outside.
        door = [self._door.fileno()] if len(self._callers) < MOST_CALLERS else []
        speaking = select.select([*door, *(talk.fileno() for talk in self._callers)], [], [], 0.05)[0]
        now = time.monotonic()
        heard = [talk for talk in self._callers if talk.fileno() in speaking or now > self._callers[talk]]
        if self._door.fileno() in speaking:
            self._callers[Talk(self._door.accept()[0], greeting_endings)] = now + self._seconds
        for talk in heard:
            del self._callers[talk]
            try:
                # Who has said nothing has had its time; for who has begun to speak everybody waits.
                patience = GREETING_SECONDS if talk.fileno() in speaking else 0.0
                identifier = self._as_given(_greeting(talk, self._programs, patience))
            except ContestError as error:
                talk.close()
                self._refused = str(error)
                self._tell(self._refused)
                continue
            if len(self._programs) == players:
                talk.close()
            else:
                self._programs[identifier] = Program(identifier, talk, self._edition, self._seconds)

    def _as_given(self, identifier: str) -> str:
        """The name of a program that was started here as it was given, in whatever case it says it."""
        given = [one.identifier for one in self._started if one.identifier.lower() == identifier.lower()]
        return given[0] if given and given[0] not in self._programs else identifier

    # --- Who does not come ------------------------------------------------------------------------------------------

    def _missing(self) -> list[Started]:
        """The programs that were started here and have not greeted by their names."""
        return [one for one in self._started if one.identifier not in self._programs]

    def _absentees(self, players: int) -> dict[str, str]:
        """Which programs that were started here do not come, so far as that is seen, and why; those that came are no longer any."""
        now = time.monotonic()
        for one in self._missing():
            if self._is_absent(one):
                continue
            if one.process is None:
                self._miss(one, one.refused)
            elif (status := one.process.poll()) is not None and now > self._left.setdefault(
                one.identifier, now
            ) + LEFT_SECONDS:
                self._miss(
                    one, f"{one.command!r:.80} ended with status {status} before it greeted as {one.identifier!r}"
                )
        absent = [one.identifier for one in self._missing() if self._is_absent(one)]
        # Who came by a name of its own may be one of these.
        named = {one.identifier for one in self._started}
        others = sum(name not in named for name in self._programs) - (players - len(self._started))
        return {name: self._absent[name] for name in absent[max(0, others) :][: players - len(self._programs)]}

    @staticmethod
    def _too_few(players: int, absent: dict[str, str]) -> bool:
        """Whether fewer can come than a game needs."""
        return bool(absent) and players - len(absent) < FEWEST

    def _miss(self, one: Started, why: str) -> None:
        """Note and say why a program does not come; what a caller said that was let go may have been its greeting."""
        if self._refused and len(self._missing()) == 1:
            why += f" ({self._refused})"
        self._absent[one.identifier] = why
        self._tell(f"{one.identifier} is absent: {why}; it loses every game")

    def _give_up(self, players: int, wait: float) -> dict[str, str]:
        """The time is over: who is absent, by name, and why; ContestError where too few have come."""
        here = ", ".join(sorted(self._programs)) or "none"
        came = f"{players} programs were to come within {wait:g} s; {len(self._programs)} did ({here})"
        missing = self._missing()
        strangers = max(0, players - len(self._programs) - len(missing))
        if strangers and len(self._programs) < FEWEST:
            why = "".join(
                f"; {one.identifier}: {self._absent[one.identifier]}" for one in missing if self._is_absent(one)
            )
            raise ContestError(f"{came}, and {FEWEST} must{why}")
        for one in missing:
            if not self._is_absent(one):
                self._miss(one, f"{one.command!r:.80} did not greet as {one.identifier!r} within {wait:g} s")
        return self._absentees(players) | self._miss_strangers(strangers, came)

    def _is_absent(self, one: Started) -> bool:
        return one.identifier in self._absent

    def _miss_strangers(self, count: int, came: str) -> dict[str, str]:
        """Note and say that programs that were not started here do not come: nobody knows their names, so they are given some."""
        taken = {*self._programs, *(one.identifier for one in self._started)}
        free = (name for number in itertools.count(1) if (name := f"absent{number}") not in taken)
        names = [*itertools.islice(free, count)]
        if names:
            self._tell(
                f"{came}; in the standing {joined(names)} {'stands for the one' if count == 1 else 'stand for those'} that did "
                f"not come and {'loses' if count == 1 else 'lose'} every game"
            )
        return dict.fromkeys(names, came)

    def _say_who_is_waited_for(self, players: int, left: float | None) -> None:
        running = [one for one in self._missing() if not self._is_absent(one)]
        who = [f"{one.identifier} ({one.command!r:.80})" for one in running]
        others = players - len(self._programs) - len(self._missing())
        if others > 0:
            who.append(f"{others} {things(others, 'program')} that {'is' if others == 1 else 'are'} started elsewhere")
        most = "" if left is None else f", {max(1, round(left))} s more at most"
        self._tell(f"waiting for {joined(who)}{most}")


def _greeting(talk: Talk, programs: dict[str, Program], seconds: float) -> str:
    """The name of a caller, who has so many seconds to say it; ContestError where it does not say a new one."""
    try:
        said = decode_message(talk.receive(time.monotonic() + seconds))
        greeting = parse_greeting(said)
    except (HungUp, Late, TooLong) as error:
        raise ContestError(f"a caller {error}; the greeting is: {GREETING}") from None
    except BadNotation as error:
        raise ContestError(f"a caller does not greet: {error}; the greeting is: {GREETING}") from None
    if greeting is None:
        raise ContestError(f"a caller says {said!r:.80}; the greeting is: {GREETING}")
    if greeting.identifier in programs:
        raise ContestError(f"a second program calls itself {greeting.identifier!r}; each needs a name of its own")
    return greeting.identifier
