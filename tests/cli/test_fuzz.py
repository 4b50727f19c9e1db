"""Ten thousand malformed inputs: named errors only, and never a traceback."""

from __future__ import annotations

import dataclasses
import json
import random
import shutil
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.calling import GAME, PLAYERS, call
from molehunt.agents.registry import Agents
from molehunt.arena.match import seat_match
from molehunt.arena.seating import parse_seats
from molehunt.core.beside import Began, Ended, News, Task
from molehunt.core.errors import BadInput, BadNotation, BadRecord, IllegalAction
from molehunt.core.record import parse_record
from molehunt.core.replay import Replay
from molehunt.core.streams import game_seeds
from molehunt.games.registry import game_entry, make_game, split_label
from molehunt.studies import bench, krisnadi2019
from molehunt.studies.first_looks import Step

RECORDS, NOTATIONS, RULESETS, SPECS, SEATS, COMMANDS = 2600, 2000, 1200, 1200, 1500, 1500

CLUE = "speed_clue/mitchell"
SIGNS = "abcxyzABC0123456789 ,:;=*/@>+-._?!%'\"\\()[]{}<>|\t\n\r\0\x1b\x7fäß\u0661\u2028\ufeff\ud800🂡"
WORDS = [
    "", "0", "1", "-1", "3", "10", "1.5", "1e9", "nan", "inf", "9" * 30, "0x10", "1_000", "yes", "no", "none", "null",
    "random", "decision-2019", "means-ends-2016", "as_run", "as_printed", "d_b", "d_b=1", "saboteurs", "saboteurs=2",
    "first_seat=0", "goals_fit=no", "saboteur", "miner", "saboteur:random", "miner:random*2", "krisnadi", GAME,
    "official", "first", "cheat", "clumsy", "leaver",
]  # fmt: skip


def mangle(rng: random.Random, text: str) -> str:
    """A text with a few places changed."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        place = rng.randint(0, len(text))
        end = min(len(text), place + rng.choice((0, 1, 1, 2, 6)))
        new = rng.choice(("", rng.choice(SIGNS), rng.choice(SIGNS), rng.choice(WORDS), text[place:end] * 2))
        text = text[:place] + new + text[end:]
    return text


def noise(rng: random.Random) -> str:
    return "".join(rng.choice(SIGNS) for _ in range(rng.choice((0, 1, 2, 5, 20, 300))))


def some(rng: random.Random, good: list[str]) -> str:
    """A good text, mostly mangled; at times a word out of place, or noise."""
    kind = rng.random()
    return mangle(rng, rng.choice(good)) if kind < 0.75 else rng.choice(WORDS) if kind < 0.9 else noise(rng)


def fuzz(count: int, seed: int, make: Callable[[random.Random], Any], use: Callable[[Any], Any]) -> int:
    """How many of `count` inputs were refused; any error but a named one is shown with its input."""
    rng = random.Random(seed)
    refused = 0
    tried: set[str] = set()
    for number in range(count):
        given = make(rng)
        tried.add(repr(given))
        try:
            use(given)
        except BadInput as error:
            refused += 1
            if not str(error):
                raise AssertionError(f"{given!r} is refused without a word") from error
        except Exception as error:
            raise AssertionError(f"input {number}: {given!r:.2000} raises {error!r:.500}") from error
    assert len(tried) > count / 2, "most inputs are to be different ones"
    return refused


# --- Records ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "folder").mkdir()
    (folder / "empty").write_bytes(b"")
    (folder / "noise").write_bytes(random.Random(0).randbytes(5000))
    (folder / "mine.py").write_text(PLAYERS)
    (folder / "bad.py").write_text("1 / 0")
    for name, label, seats in (
        ("good", GAME, "random*4"),
        ("roles", GAME, "saboteur:random,miner:random*3"),
        ("clue", CLUE, "random*2,advanced"),
    ):
        assert call("arena", label, "--seats", seats, "--games", "3", "--records", str(folder / name)).status == 0
    (folder / "cut").write_bytes((folder / "good").read_bytes()[:-200])
    return folder


def any_value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randrange(9 if depth < 3 else 7)
    if kind == 7:
        return [any_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 8:
        return {noise(rng)[:5].replace("\ud800", ""): any_value(rng, depth + 1) for _ in range(rng.randrange(3))}
    return (None, True, 0, -1, 1.5, 10 ** rng.randrange(400), rng.choice(WORDS))[kind]


def bad_record(rng: random.Random, lines: list[bytes]) -> bytes:
    line = rng.choice(lines)
    kind = rng.random()
    if kind < 0.5:  # structure
        fields = json.loads(line)
        for _ in range(rng.choice((1, 1, 2))):
            name = rng.choice(list(fields) or [""])
            value = fields.get(name)
            change = rng.randrange(5)
            if change == 0:
                fields.pop(name, None)
            elif change == 1 or value is None:
                fields[name] = any_value(rng)
            elif isinstance(value, list) and value:
                place = rng.randrange(len(value))
                value[place : place + rng.randrange(2)] = rng.choice(([], [value[-1]], [any_value(rng)], value[:3]))
            elif isinstance(value, str):
                fields[name] = mangle(rng, value)
            elif isinstance(value, dict):
                value[rng.choice(list(value) or ["x"])] = any_value(rng)
            else:
                fields[name] = any_value(rng)
        return json.dumps(fields).encode()
    if kind < 0.6:
        return mangle(rng, line.decode()).encode("utf-8", "surrogatepass")
    raw = bytearray(line)
    for _ in range(rng.choice((1, 1, 2, 10))):
        place = rng.randrange(len(raw) + 1)
        change = rng.randrange(4)
        if change == 0:
            del raw[place : place + rng.choice((1, 1, 30, len(raw)))]
        elif change == 1:
            raw[place:place] = rng.choice((rng.randbytes(1), rng.randbytes(9), b"[" * 3000, b"9" * 400, raw[:place]))
        elif place < len(raw):
            raw[place] = rng.randrange(256) if change == 2 else raw[place] ^ 1 << rng.randrange(8)
    return bytes(raw)


def test_mutilated_records(folder: Path) -> None:
    lines = [line for name in ("good", "roles", "clue") for line in (folder / name).read_bytes().splitlines()]

    def use(line: bytes) -> None:
        try:
            record = parse_record(line)
            Replay(record, make_game)
        except BadRecord:
            raise
        except BadInput as error:
            raise AssertionError("a record is refused with another error") from error
        # Under Saboteur what is accepted is one of the good games, whatever the players are called. In Speed Clue
        # another wrong accusation makes another good game.
        assert record.game != "saboteur" or any(json.loads(good)["moves"] == list(record.moves) for good in lines)
        assert parse_record(record.line()) == record

    refused = fuzz(RECORDS, 1, lambda rng: bad_record(rng, lines), use)
    assert 0.9 * RECORDS < refused < RECORDS


# --- Texts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", [f"{GAME}:double_mends_both=no", CLUE])
def test_mutilated_notations(label: str) -> None:
    game = make_game(*split_label(label), 5)
    states = game.new(game_seeds(4, 0, 40))
    good = sorted(
        {str(action) for view in game.views(states, game.to_move(states)) for action in game.legal_actions(view)}
    )
    if game.name == "saboteur":
        good += ["discard:?", "fix:cart>4", "fix:cart+lantern>2/cart", "break:cart>0", "rockfall@8,4", "map:bottom"]
    assert len(good) > 60

    def use(text: str) -> None:
        try:
            action = game.parse_action(text)
        except BadNotation:
            raise
        except BadInput as error:
            raise AssertionError("a notation is refused with another error") from error
        assert game.parse_action(game.format_action(action)) == action
        trial = states[:1].copy()
        legal = action in game.legal_actions(game.views(trial, game.to_move(trial)))
        try:
            game.apply(trial, np.array([action], np.int32))
        except IllegalAction:
            assert not legal
        else:
            assert legal

    refused = fuzz(NOTATIONS // 2, 2, lambda rng: some(rng, good), use)
    assert NOTATIONS / 4 < refused < NOTATIONS / 2


def test_mutilated_rulesets() -> None:
    good = [
        GAME,
        "saboteur",
        f"{GAME}:saboteurs=2",
        f"{GAME}:saboteurs=3,first_seat=1",
        f"{GAME}:goals_fit=no,double_mends_both=no,may_break_own=yes",
        f"{GAME}:blocked_may_rockfall=0,stones_let_in=off",
        CLUE,
        "speed_clue/contest",
    ]

    def use(given: tuple[str, int]) -> None:
        name, ruleset = split_label(given[0])
        game = make_game(name, ruleset, given[1])
        assert split_label(game.label) == (game.name, game.spec)
        assert make_game(game.name, game.spec, given[1]).spec == game.spec

    refused = fuzz(RULESETS, 3, lambda rng: (some(rng, good), rng.choice((3, 5, 10, 0, -1, 11, 10**30))), use)
    assert RULESETS / 2 < refused < RULESETS


def test_mutilated_agents() -> None:
    agents = Agents("saboteur")
    good = [
        "random",
        "decision-2019",
        "decision-2019:as_printed",
        "decision-2019:as_printed,d_b=3.0",
        "means-ends-2016",
        "means-ends-2016:program_forms=no",
    ]

    def use(spec: str) -> None:
        name = agents.make(spec).name
        assert agents.make(name).name == name

    refused = fuzz(SPECS, 4, lambda rng: some(rng, good), use)
    assert SPECS / 2 < refused < SPECS


def test_mutilated_seats() -> None:
    agents = Agents("saboteur")
    good = [
        "random*3",
        "random,means-ends-2016,decision-2019",
        "decision-2019:as_printed,d_b=3.0*2,random",
        "saboteur:random*2,miner:decision-2019:as_printed*3",
        "miner:random,saboteur:random,miner:means-ends-2016*2",
    ]

    def use(text: str) -> None:
        chairs = parse_seats(text, agents.names(), game_entry("saboteur").roles)
        match = seat_match(GAME, chairs, agents)
        assert 3 <= len(match.names) <= 10
        assert seat_match(
            GAME, parse_seats(",".join(match.names), agents.names(), ("miner", "saboteur")), agents
        ).names == (match.names)

    refused = fuzz(SEATS, 5, lambda rng: some(rng, good), use)
    assert SEATS / 2 < refused < SEATS


# --- Command lines ----------------------------------------------------------------------------------------------------

FILES = [
    "good",
    "roles",
    "cut",
    "empty",
    "noise",
    "folder",
    "none",
    "no/file",
    "mine.py",
    "bad.py",
    "",
    "-",
    ".",
    "x" * 300,
]
WRITE = ["out1", "out2", "folder", "no/file", "-", "", "a\0b", "x" * 300]
LINES: list[list[str]] = [
    ["arena", GAME, "--seats", "random*3", "--games", "2"],
    ["arena", f"{GAME}:saboteurs=1", "--seats", "saboteur:random,miner:random*3", "--games", "3", "--rotate"],
    ["arena", GAME, "--seats", "decision-2019:as_printed*3", "--games", "1", "--seed", "7", "--threads", "2"],
    ["arena", GAME, "--seats", "first*3", "--games", "1", "--agents-from", "mine.py"],
    ["arena", GAME, "--seats", "random*3", "--games", "1", "--records", "out1", "--json", "out2"],
    ["arena", CLUE, "--seats", "basic,advanced,random", "--games", "2", "--rotate"],
    ["arena", CLUE, "--seats", "basic,advanced,random", "--games", "4", "--series", "2"],
    ["study", "krisnadi2019", "--games", "1"],
    ["study", "krisnadi2019", "--games", "2", "--seed", "3", "--threads", "1", "--json", "out1"],
    ["study", "--small"],
    ["bench", "--json", "-"],
    ["agents"],
    ["agents", "decision-2019"],
    ["games"],
    ["games", GAME],
    ["replay", "good"],
    ["replay", "roles", "--quiet"],
    ["replay", "clue"],
    ["show", "good", "--line", "2", "--move", "5", "--seat", "1"],
    ["show", GAME, "--seats", "4", "--seed", "9", "--svg", "out1"],
    ["--version"],
    ["--help"],
]
FAILING = [
    ["arena", GAME, "--seats", "clumsy,random*2", "--games", "1", "--agents-from", "mine.py"],
    ["arena", GAME, "--agents-from", "mine.py", "--seats", "cheat*3", "--games", "1"],
]
"""Good calls with bad players."""
OPTIONS = [
    "--games", "--seed", "--threads", "--seats", "--json", "--records", "--agents-from", "--rotate", "--no-rotate", "--line",
    "--series",
    "--move", "--seat", "--svg", "--small", "--quiet", "--help", "--version", "-h", "--", "-", "-5", "--games=2", "--nope",
]  # fmt: skip


def bad_line(rng: random.Random) -> list[str]:
    line = list(rng.choice([*LINES, *FAILING]))
    for _ in range(rng.choice((1, 1, 2, 3))):
        place = rng.randrange(len(line) + 1)
        change = rng.randrange(7)
        if change == 0 and line:
            line.pop(min(place, len(line) - 1))
        elif change == 1:
            line.insert(place, rng.choice(OPTIONS))
        elif change == 2:
            line[place:place] = [rng.choice(OPTIONS), rng.choice([*WORDS, *FILES])]
        elif change == 3 and line:
            line[min(place, len(line) - 1)] = rng.choice([*WORDS, *FILES, *WRITE])
        elif change == 4 and line:
            line[min(place, len(line) - 1)] = mangle(rng, line[min(place, len(line) - 1)])
        elif change == 5:
            line.insert(place, noise(rng))
        elif line:
            rng.shuffle(line)
    return line


def do_here(tasks: Sequence[Task], processes: int) -> Generator[News, None, None]:
    """What is done in processes beside this one, done in this one: a process each time is seconds."""
    assert processes > 0
    for task in tasks:
        yield Began(task.name)
        yield Ended(task.name, task.function(*task.arguments))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would work for long works for a moment: one study of two cells or a quick one, three games, no measuring."""
    monkeypatch.setattr("molehunt.console.first_looks.do_beside", do_here)
    monkeypatch.setattr("molehunt.console.studies.STUDIES", {"krisnadi2019": "the study"})
    monkeypatch.setattr("molehunt.console.first_looks.STEPS", (Step("kingston2017"),))
    cells = krisnadi2019.cells()[:2]
    monkeypatch.setattr(krisnadi2019, "cells", lambda: cells)
    monkeypatch.setattr(krisnadi2019, "STUDY", dataclasses.replace(krisnadi2019.STUDY, default_games=3, small_games=2))
    monkeypatch.setattr(bench, "STEPS", (("nothing", "s", lambda: 0.0),))
    monkeypatch.setattr("molehunt.console.studies.MAX_GAMES", 20)
    monkeypatch.setattr("molehunt.console.matches.MAX_GAMES", 20)


@pytest.mark.usefixtures("quick")
def test_mutilated_command_lines(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(folder, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    rng = random.Random(6)
    seen = {0: 0, 1: 0, 2: 0}
    for number in range(COMMANDS):
        line = bad_line(rng)
        told = f"line {number}: {line!r:.3000}"
        try:
            made = call(*line)
        except BaseException as error:
            raise AssertionError(f"{told} raises {error!r:.500}") from error
        assert made.status in seen, told
        seen[made.status] += 1
        assert "Traceback" not in made.err + made.out, told
        assert "internal error" not in made.err, f"{told}: {made.err}"
        if made.status:
            assert "molehunt: " in made.err, told
    assert seen[2] > COMMANDS / 3
    assert seen[1] > 0 and seen[0] > COMMANDS / 20


def test_every_line_that_the_mutilated_ones_start_from_is_good(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: None
) -> None:
    shutil.copytree(folder, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    for line in LINES:
        assert call(*line).status == 0, line
    assert [call(*line).status for line in FAILING] == [1, 1]


def test_mutilated_files_of_records_through_the_command_line(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "good").read_bytes().splitlines()
    rng = random.Random(7)
    path = tmp_path / "g.jsonl"
    for _ in range(150):
        path.write_bytes(b"\n".join([lines[0], bad_record(rng, lines), *lines[1:]]))
        made = call("replay", str(path), "--quiet")
        assert made.status in {0, 2} and "Traceback" not in made.err
        assert (made.status == 0) == made.out.endswith((" replay to the byte.\n", " replays to the byte.\n"))
        if made.status:
            assert f"{path}, line " in made.err
