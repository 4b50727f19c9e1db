"""A study, a tournament and a browser table are killed (kill -9) at random moments and go on; each end is compared with one that
ran through: nothing may be lost, nothing counted twice, and the tables and the record must be identical.

python benchmarks/kill_and_resume.py [--what study tournament server] [--kills 20] [--games 100000] [--cell-games 3000] [--seed 0]
    [--records] [--threads 2]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

FILE = """
name = "kill and resume"
game = "saboteur/krisnadi"
players = ["decision-2019", "means-ends-2016"]
roles = {{ saboteur = 2, miner = 3 }}
deals = 5000
seed = 7
records = {records}
"""
TABLE = {
    "game": "duel",
    "ruleset": "mcgill",
    "seats": [{"kind": "me", "name": "Ann"}, {"kind": "agent", "agent": "greedy-2020"}],
    "pace": 0,
    "seed": 11,
}
"""A table of one person, who plays by what is on the page alone, and a player of ours."""
STARTED = 60.0
THINKING = 0.3
"""Seconds that the person takes at most for a move, so that a kill can meet the server at any moment."""


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "molehunt", *map(str, words)]


def run(words: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def kill_at_random(words: list[str], kills: int, whole: float, moments: random.Random) -> int:
    """Start and kill, at a moment up to a share of the time that the whole takes; how often it was killed before its end."""
    for number in range(kills):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait = moments.uniform(0.2, 1.0 + 2.0 * whole / kills)
        try:
            process.wait(wait)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        else:
            print(f"  it ended after {number} kills, before the next one")
            return number
    return kills


def interrupted(
    name: str, words: Callable[[Path, Path], list[str]], folder: Path, kills: int, moments: random.Random
) -> bool:
    """Run a command through and with kills in between, each with a store of its own; whether its JSON is the same."""
    through, killed = folder / f"{name}.json", folder / f"{name}-killed.json"
    run(words(folder / f"{name}-warm", folder / "warm.json"))  # compile the kernels
    whole = run(words(folder / f"{name}-through", through))
    print(f"{name}: at one go {whole:.1f} s")
    made = kill_at_random(words(folder / f"{name}-killed", killed), kills, whole, moments)
    last = run(words(folder / f"{name}-killed", killed))
    one, other = (_plain(json.loads(file.read_bytes())) for file in (through, killed))
    checked = subprocess.run(
        command("results", folder / f"{name}-killed", "--verify"), capture_output=True, check=False
    )
    print(f"  {made} kills, the last run took {last:.1f} s; {'identical' if one == other else 'DIFFERENT'}; ", end="")
    print("the store is whole" if checked.returncode == 0 else "the store is DAMAGED")
    return bool(one == other and checked.returncode == 0)


def _plain(answer: Any) -> Any:
    """What was measured, without the time that it took."""
    return {name: value for name, value in answer.items() if name != "seconds"} if isinstance(answer, dict) else answer


def records_of(store: Path) -> bytes:
    target = store.with_suffix(".jsonl")
    run(command("results", store, "--records", target))
    return target.read_bytes()


# --- The browser table ----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def server(store: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A server of its own process, and its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        command("serve", "--port", port, "--store", store), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        until = time.monotonic() + STARTED
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5):
                    break
            except OSError:
                if time.monotonic() > until or process.poll() is not None:
                    raise
                time.sleep(0.1)
        yield process, f"127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def sit_down(address: str, token: str, seen: int, until: float) -> tuple[int, str]:
    """Play on at a table until a moment or the end: how many moves were seen, and the address of the replay at the end.

    Whoever comes back must find all moves that they have seen.
    """
    from websockets.sync.client import connect

    with connect(f"ws://{address}/ws/{token}", open_timeout=20) as line:
        while True:
            frame = json.loads(line.recv(timeout=60))
            if frame["type"] != "table":
                continue
            # While a table is being taken up its pages are shown none of its moves.
            if (frame["mine"] or frame["over"]) and frame["moves"] < seen:
                raise AssertionError(f"{seen} moves were seen before the kill, {frame['moves']} after it")
            seen = max(seen, frame["moves"])
            if frame["over"]:
                return seen, str(frame["over"]["replay"])
            if frame["mine"]:
                offered = frame["position"]["moves"]
                move = offered[frame["moves"] * 7 % len(offered)]["move"]
                time.sleep(min(THINKING, max(0.0, until - time.monotonic())))
                if time.monotonic() >= until:
                    return seen, ""
                line.send(json.dumps({"do": "play", "move": move, "at": frame["moves"]}))
            if time.monotonic() >= until:
                return seen, ""


def play_table(store: Path, kills: int, moments: random.Random) -> tuple[list[str], int]:
    """The moves of one game at a table of a server that is killed so often, and how often it was."""
    token, seen, made = "", 0, 0
    while True:
        with server(store) as (process, address):
            if not token:
                wish = urllib.request.Request(
                    f"http://{address}/api/tables",
                    json.dumps(TABLE).encode(),
                    {"Content-Type": "application/json", "Origin": f"http://{address}"},
                )
                with urllib.request.urlopen(wish, timeout=20) as answer:  # noqa: S310
                    token = json.loads(answer.read())["link"].removeprefix("/t/")
            wait = moments.uniform(0.2, 1.5) if made < kills else 600.0
            seen, replay = sit_down(address, token, seen, time.monotonic() + wait)
            if replay:
                with urllib.request.urlopen(f"http://{address}{replay}/record", timeout=20) as answer:
                    return json.loads(answer.read())["moves"], made
            process.send_signal(signal.SIGKILL)
            made += 1


def server_survives(folder: Path, kills: int, moments: random.Random) -> bool:
    """Play a game at a server that is never killed, and at one that is; whether both are the same."""
    through, _ = play_table(folder / "through.sqlite", 0, moments)
    killed, made = play_table(folder / "killed.sqlite", kills, moments)
    said = "identical" if through == killed else "DIFFERENT"
    print(f"server: {made} kills, {len(through)} moves at one go and {len(killed)} with kills, {said}")
    return through == killed


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--what", nargs="+", default=["study", "tournament", "server"])
    parser.add_argument("--games", type=int, default=100_000, help="of the tournament")
    parser.add_argument("--cell-games", type=int, default=3000, help="of the study")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--records", action="store_true")
    asked = parser.parse_args()
    moments = random.Random(asked.seed)
    same = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "study" in asked.what:
            study = ("study", "krisnadi2019", "--games", asked.cell_games, "--seed", 7, "--threads", asked.threads)
            words = lambda store, answer: command(*study, "--store", store, "--json", answer)  # noqa: E731
            same &= interrupted("study", words, folder, asked.kills, moments)
        if "tournament" in asked.what:
            file = folder / "tournament.toml"
            file.write_text(FILE.format(records="true" if asked.records else "false"))
            cup = ("tournament", file, "--games", asked.games, "--threads", asked.threads)
            words = lambda store, answer: command(*cup, "--store", store, "--json", answer)  # noqa: E731
            same &= interrupted("tournament", words, folder, asked.kills, moments)
            if asked.records:
                one, other = records_of(folder / "tournament-through"), records_of(folder / "tournament-killed")
                print(f"  records: {len(one.splitlines()):,} games, {'identical' if one == other else 'DIFFERENT'}")
                same &= one == other
        if "server" in asked.what:
            same &= server_survives(folder, asked.kills, moments)
    sys.exit(not same)


if __name__ == "__main__":
    main()
