"""Files of foreign players: those that look for the true state, and those that break what is asked of an isolated player."""

from __future__ import annotations

import socket
import tempfile
import threading
from pathlib import Path


class Ear:
    """Hears what a player's file `tell`s (TELL).

    An isolated one may write no file that others could read, and reach nobody who does not wait for it in a place that it knows.
    """

    def __init__(self, players: Path) -> None:
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._folder = tempfile.TemporaryDirectory()  # the path of a socket is short
        self._line.bind(f"{self._folder.name}/ear")
        self._line.settimeout(0.2)
        Path(f"{players}.ear").write_text(f"{self._folder.name}/ear")
        self._words: list[str] = []
        self._last = threading.Event()
        # Who tells waits where little that was told has been heard.
        self._hearing = threading.Thread(target=self._hear, daemon=True)
        self._hearing.start()

    def _hear(self) -> None:
        with self._folder, self._line:
            while True:
                try:
                    self._words.append(self._line.recv(1 << 12).decode())
                except TimeoutError:
                    if self._last.is_set():
                        return

    def heard(self) -> list[str]:
        """What was told; nothing is heard from then on."""
        self._last.set()
        self._hearing.join()
        return self._words


TELL = '''
import os
import socket


def tell(words):
    """Tell the test that has written beside this file where it listens."""
    with open(__file__ + ".ear") as file, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(str(words).encode(), file.read())
'''

CLUE_PEEPER = '''
"""Climbs the frames of the process to the true state, and accuses by it."""
import sys

import molehunt


def true_state(view):
    """The state of this very game, as a frame of the match loop holds it; None where there is none."""
    frame = sys._getframe()
    names = view.game.edition.names if hasattr(view, "game") else ()
    hand = sum(1 << names.index(card) for card in view.hand)
    while frame is not None:
        states = frame.f_locals.get("states")
        if states is not None and getattr(states.dtype, "names", None) and "envelope" in states.dtype.names:
            mine = [state for state in states if int(state["hands"][view.seat]) == hand]
            return mine[0] if mine else None
        frame = frame.f_back
    return None


class Peeper(molehunt.Player):
    def choose(self, view):
        state = true_state(view)
        actions = [str(action) for action in view.legal_actions]
        if state is not None:
            names = view.game.edition.names
            inside = [name for card, name in enumerate(names) if int(state["envelope"]) >> card & 1]
            if "accuse " + ", ".join(inside) in actions:
                return "accuse " + ", ".join(inside)
        calm = [action for action in actions if not action.startswith("accuse")]
        return (calm or actions)[int(self.random.integers(len(calm or actions)))]
'''

PLAYERS = (
    f'''
"""Players of Saboteur that do as they should, and some that do not."""
import os
import time

import molehunt

{TELL}
'''
    """


class Honest(molehunt.Player):
    def begin(self, game, seat, view):
        self.heard = []

    def notice(self, event):
        self.heard.append(str(event))

    def choose(self, view):
        actions = [str(action) for action in view.legal_actions]
        return actions[(len(self.heard) + int(self.random.integers(1000))) % len(actions)]


class Sleeper(Honest):
    def choose(self, view):
        tell(os.getpid())
        time.sleep(600)


class Hoarder(Honest):
    def choose(self, view):
        self.hoard = bytearray(1 << 30)
        return super().choose(view)


class Cheat(Honest):
    def choose(self, view):
        return "map:top" if "map" not in view.hand else super().choose(view)


class Clumsy(Honest):
    def choose(self, view):
        return view.no_such_thing


class Talker(Honest):
    def choose(self, view):
        return "dig here"


class Leaver(Honest):
    def choose(self, view):
        os._exit(3)


class Forker(Honest):
    def choose(self, view):
        os.fork()
        tell(os.getpid())
        time.sleep(600)


class Late(Honest):
    def begin(self, game, seat, view):
        raise RuntimeError("not today")
"""
)
