"""What a newcomer waits for, measured as a newcomer would: a fresh clone in a temporary folder, an empty home, an empty cache.

    python benchmarks/first_minute.py                          # all rows, each beside its bar: ten minutes
    python benchmarks/first_minute.py --only run,second        # some of them
    python benchmarks/first_minute.py --folder ../trial        # keep the clone and its environment there, and use them again

run      `make run`: until the first table, in all, CPU seconds, and what setting up takes of it
second   `make run` in a second clone: kernels compiled
help     `molehunt --help`, the quickest of five
arena    an arena of ten games, machine code at hand, the quickest of five
serve    `make serve` with a cold cache: until the lobby answers; each game on a server of its own: from the click until a move of
         an artificial player is on the page, and how late the latest frame was that a watcher of such a table saw
contest  `molehunt contest-client` with a cold cache, at a server of the contest of 2014: greeting, first question

The machine should be quiet: what else runs on it is part of what is waited for. Installing needs the network, as `make run` does;
how pip reaches its index is taken from the real home. Seconds are of the clock, CPU seconds of all processes of a command together.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
GAMES = ("saboteur", "duel", "speed_clue")
REPEATS = 5
PATIENCE = 400.0
"""Seconds after which something that is waited for will not come."""
WATCHED = 30.0
"""Seconds that a watcher looks on."""
LONELY = 5
"""Seats of a table in the lobby where the rules leave it open."""
OWN = re.compile(r"^(MOLEHUNT|NUMBA|PYTHON|VIRTUAL_ENV|XDG_|PIP_TARGET|MAKE)")
"""Variables of whoever measures, which a newcomer does not have."""


@dataclass
class Trial:
    """A clone, and a home in which nothing was compiled."""

    clone: Path
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a newcomer."""
        kept = {name: value for name, value in os.environ.items() if not OWN.match(name)}
        if (real := Path("~/.pyenv").expanduser()).is_dir():
            kept.setdefault("PYENV_ROOT", str(real))  # where Python itself may be found by way of the home
        return {**kept, "HOME": str(self.home), "PYTHONUNBUFFERED": "1"}

    def command(self, *words: str | Path) -> list[str]:
        """A command of the program in this clone."""
        return [str(self.clone / ".venv" / "bin" / "molehunt"), *map(str, words)]

    def kernels(self) -> set[Path]:
        """All machine code that is kept."""
        return set((self.home / ".cache").rglob("*.nbc"))

    @contextlib.contextmanager
    def started(self, words: list[str]) -> Iterator[subprocess.Popen[str]]:
        """A command in the clone, in a group of its own, of which nothing is left afterwards."""
        process = subprocess.Popen(
            words,
            cwd=self.clone,
            env=self.environment,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@dataclass(frozen=True)
class Ran:
    """A command that ended well: seconds, CPU seconds, seconds until the first line of a table (0 without one)."""

    seconds: float
    cpu: float
    table: float


def run(trial: Trial, *words: str) -> Ran:
    """Run a command to its end; leaves with what it printed if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began, first, lines = time.perf_counter(), 0.0, []
    with trial.started(list(words)) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if not first and line.startswith(("│", "|")):
                first = time.perf_counter() - began
        if process.wait() != 0:
            raise SystemExit(f"{' '.join(words)}: exit status {process.returncode}\n{''.join(lines[-30:])}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Ran(time.perf_counter() - began, cpu, first)


# --- Rows ---------------------------------------------------------------------------------------------------------------

missed: list[str] = []
"""The rows that did not come up to their bars."""


def say(what: str, value: float, unit: str, bar: float | None = None) -> None:
    """Print a row."""
    good = bar is None or value <= bar
    if not good:
        missed.append(what)
    beside = "" if bar is None else f"   bar {bar:g} {unit}{'' if good else '   MISSED'}"
    digits = 0 if unit == "kernels" else 2 if value < 10 else 1
    print(f"{what:64} {value:8.{digits}f} {unit}{beside}", flush=True)


def fresh_home(folder: Path) -> Path:
    """An empty home, with nothing but how pip reaches its index."""
    folder.mkdir(parents=True)
    for name in (".config/pip", ".pip"):
        real = Path.home() / name
        if real.is_dir():
            shutil.copytree(real, folder / name)
    return folder


class Room:
    """The folder of all trials."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lived_in: Trial | None = None
        """The clone after `make run`, where that was measured."""
        self._homes = 0

    def trial(self, name: str, home: Path | None = None) -> Trial:
        """A clone of what is committed (the one of an earlier run, where it is there), with a home of its own."""
        clone = self.folder / name
        if not clone.is_dir():
            subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)  # noqa: S607 - whichever git there is
        return Trial(clone, home or self.empty_home())

    def empty_home(self) -> Path:
        """A home that nobody has lived in."""
        self._homes += 1
        return fresh_home(self.folder / f"home{os.getpid()}-{self._homes}")

    def installed(self) -> Trial:
        """The clone, installed, with an empty cache."""
        trial = self.trial("molehunt")
        run(trial, "make", ".venv/.core")
        return trial


# --- The commands -------------------------------------------------------------------------------------------------------


def measure_run(room: Room) -> None:
    """`make run` from nothing, and once more in the same clone."""
    room.lived_in = trial = room.trial("molehunt")
    install = run(trial, "make", ".venv/.core")
    story = run(trial, "make", "run")
    say("make run: first table", install.seconds + story.table, "s", 60)
    say("make run: in all", install.seconds + story.seconds, "s", 180)
    say("make run: CPU besides setting up", story.cpu, "CPU s", 150)
    say("make run: setting up (venv and pip)", install.seconds, "s")
    say("make run: setting up (venv and pip)", install.cpu, "CPU s")
    say("make run: first table, once set up", story.table, "s")
    say("make run: kernels kept", len(trial.kernels()), "kernels")
    again = run(trial, "make", "run")
    say("make run, the second time", again.seconds, "s")
    say("make run, the second time", again.cpu, "CPU s")


def measure_second(room: Room) -> None:
    """`make run` in a second clone, after it has run in a first one."""
    first = room.lived_in
    if first is None:
        first = room.installed()
        run(first, "make", "run")
    second = room.trial("second", first.home)
    run(second, "make", ".venv/.core")
    before = second.kernels()
    story = run(second, "make", "run")
    say("second clone, make run: compiled", len(second.kernels() - before), "kernels", 0)
    say("second clone, make run: once set up", story.seconds, "s")


def measure_help(room: Room) -> None:
    """`molehunt --help`."""
    trial = room.installed()
    say("molehunt --help", min(run(trial, *trial.command("--help")).seconds for _ in range(REPEATS)), "s", 0.15)


def measure_arena(room: Room) -> None:
    """A warm arena."""
    trial = room.installed()
    words = trial.command("arena", "saboteur/krisnadi", "--seats", "decision-2019*5", "--games", "10")
    cold = run(trial, *words)
    say("molehunt arena of ten games, cold", cold.seconds, "s")
    say("molehunt arena of ten games, warm", min(run(trial, *words).seconds for _ in range(REPEATS)), "s", 0.8)


# --- The browser table --------------------------------------------------------------------------------------------------


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class Lobby:
    """An open lobby: the port, what it offers, and when it answered."""

    port: int
    offers: dict[str, Any]
    seconds: float

    def open_table(self, game: str, alone: bool) -> str:
        """Click: a table with the game's first rules and its default players, or such players `alone`; the token of the page."""
        offer = next(each for each in self.offers["games"] if each["game"] == game)
        rules = offer["rulesets"][0]
        seats = min(max(LONELY, rules["seats"][0]), rules["seats"][1])
        others = [{"kind": "agent", "agent": offer["default_agent"]}] * seats
        sitting = others if alone else [{"kind": "me", "name": "Ann"}, *others[1:]]
        wish = {"game": game, "ruleset": rules["name"], "seats": sitting}
        asked = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/tables", json.dumps(wish).encode())
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310
            link: str = json.load(answer)["link"]
        urllib.request.urlopen(f"http://127.0.0.1:{self.port}{link}", timeout=PATIENCE).close()
        return link.removeprefix("/t/")


def lobby_page(port: int, server: subprocess.Popen[str]) -> str:
    """The lobby, as soon as it answers."""
    began = time.perf_counter()
    while server.poll() is None and time.perf_counter() - began < PATIENCE:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as answer:
                return str(answer.read().decode())
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise SystemExit("the server does not answer")


@contextlib.contextmanager
def serving(trial: Trial) -> Iterator[Lobby]:
    """`make serve` until its lobby answers, and as long as one is inside."""
    port = free_port()
    began = time.perf_counter()
    with trial.started(["make", "serve", f"SERVE=--port {port}"]) as process:
        page = lobby_page(port, process)
        found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
        assert found
        yield Lobby(port, json.loads(found[1]), time.perf_counter() - began)


def frames(port: int, token: str, seconds: float) -> Iterator[tuple[dict[str, Any], Callable[[dict[str, Any]], None]]]:
    """The frames of a page for so many seconds, each with a function that answers."""
    from websockets.sync.client import connect

    until = time.perf_counter() + seconds
    with connect(f"ws://127.0.0.1:{port}/ws/{token}", max_size=None) as line:
        while (left := until - time.perf_counter()) > 0:
            try:
                frame = json.loads(line.recv(timeout=left))
            except TimeoutError:
                return
            if frame["type"] in ("gone", "refused"):
                raise SystemExit(f"the table says: {frame}")
            if frame["type"] == "table":
                yield frame, lambda message: line.send(json.dumps(message))


def a_move(position: dict[str, Any]) -> str:
    """Some move that a page offers."""
    if "may" not in position:
        return str(position["moves"][0]["move"])
    names = {card["card"]: card["name"] for category in position["categories"] for card in category["cards"]}
    if position["may"]["show"]:
        return f"show {names[position['may']['show'][0]]}"
    if not position["may"]["suggest"]:
        return "end"
    return f"suggest {', '.join(category['cards'][0]['name'] for category in position['categories'])}"


def until_an_answer(lobby: Lobby, game: str) -> float:
    """Seconds from the click until a move of an artificial player is seen, one's own moves being made at once."""
    began, chosen = time.perf_counter(), -1
    for frame, answer in frames(lobby.port, lobby.open_table(game, alone=False), PATIENCE):
        if any(entry["agent"] for entry in frame["log"]):
            return time.perf_counter() - began
        if frame["mine"] and frame["position"] and frame["moves"] != chosen:
            chosen = frame["moves"]
            answer({"do": "play", "move": a_move(frame["position"]), "at": chosen})
    raise SystemExit(f"{game}: nobody moves")


def latest_frame(lobby: Lobby, game: str) -> float:
    """How many seconds after its time a watcher saw the latest frame, at a table at which only artificial players sit."""
    last, latest, over = time.perf_counter(), 0.0, False
    for frame, _ in frames(lobby.port, lobby.open_table(game, alone=True), WATCHED):
        now = time.perf_counter()
        latest = max(latest, now - last - frame["pace"] / 1000)
        last, over = now, frame["over"] is not None
        if over:
            break
    return latest if over else max(latest, time.perf_counter() - last)


def measure_serve(room: Room) -> None:
    """The browser table."""
    trial = room.installed()
    lobbies = []
    for game in GAMES:
        with serving(Trial(trial.clone, room.empty_home())) as lobby:
            lobbies.append(lobby.seconds)
            say(f"make serve, {game}: from the click to an answer", until_an_answer(lobby, game), "s", 10)
        with serving(Trial(trial.clone, room.empty_home())) as lobby:
            lobbies.append(lobby.seconds)
            say(f"make serve, {game}: the latest frame of a watcher", latest_frame(lobby, game), "s late", 2)
    say("make serve: the lobby, the slowest of six", max(lobbies), "s", 5)


# --- The contest --------------------------------------------------------------------------------------------------------

HAND = "Gr Mu Ca Kn Ba Bi"
"""Six cards of the contest's set: three players, eighteen cards."""


def measure_contest(room: Room) -> None:
    """The contest client at a server that asks it to suggest."""
    trial = room.installed()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE)
        began = time.perf_counter()
        with trial.started(trial.command("contest-client", "me", str(server.getsockname()[1]))):
            line, _ = server.accept()
            line.settimeout(PATIENCE)
            with line:
                greeting = line.recv(1000)  # a message is what one write sends, without an end of line
                say("molehunt contest-client: greets, cold", time.perf_counter() - began, "s", 2)
                asked = time.perf_counter()
                replies = []
                for question in (f"reset 3 0 {HAND}", "suggest"):
                    line.sendall(question.encode("ascii"))
                    replies.append(line.recv(1000))
                if greeting != b"me alive" or replies[0] != b"ok" or not replies[1].startswith(b"suggest "):
                    raise SystemExit(f"the client says {greeting!r}, {replies}")
                say("molehunt contest-client: answers its first question, cold", time.perf_counter() - asked, "s", 5)


PARTS = {
    "run": measure_run,
    "second": measure_second,
    "help": measure_help,
    "arena": measure_arena,
    "serve": measure_serve,
    "contest": measure_contest,
}


def main() -> int:
    """Measure and print; 1 where a bar was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS), help=f"parts, with commas between them: {', '.join(PARTS)}")
    parser.add_argument("--folder", type=Path, help="where the clones are made and kept; by default a temporary folder")
    arguments = parser.parse_args()
    wanted = arguments.only.split(",")
    if unknown := set(wanted) - set(PARTS):
        parser.error(f"unknown: {', '.join(unknown)}")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}", flush=True)
    with contextlib.ExitStack() as stack:
        folder = arguments.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="molehunt-")))
        folder.mkdir(parents=True, exist_ok=True)
        room = Room(folder.resolve())
        for name in wanted:
            PARTS[name](room)
        for home in folder.glob(f"home{os.getpid()}-*"):
            shutil.rmtree(home, ignore_errors=True)
    print(f"load {os.getloadavg()[0]:.1f} at the end; {len(missed)} bars missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
