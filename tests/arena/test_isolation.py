"""Foreign players in processes of their own: they see views alone, and lose by name where they break a limit."""

from __future__ import annotations

import os
import re
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from arena.foreign import CLUE_PEEPER, PLAYERS, Ear
from cli.calling import call
from molehunt.agents.registry import Agents, entries
from molehunt.arena import isolated, isolation
from molehunt.arena.agent_files import load_agents, read_agent_file
from molehunt.arena.databases import RESULTS, open_for_reading
from molehunt.arena.isolated import HEADER, Task, receive_frame, send_frame
from molehunt.arena.isolation import Isolation, load_isolated
from molehunt.arena.match import Match, Result, run, seat_match, the_match
from molehunt.arena.seating import parse_seats
from molehunt.arena.store import Store, read_units
from molehunt.arena.store_check import verify
from molehunt.arena.tournament.definition import parse_tournament
from molehunt.arena.tournament.plan import make_plan, plan_from_text, plan_text
from molehunt.arena.tournament.play import Progress, play_tournament
from molehunt.arena.tournament.tables import make_tables
from molehunt.arena.workers import open_workers
from molehunt.core.agent import Agent, Rows
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.game import Events, Game, Views
from molehunt.core.match import play
from molehunt.core.record import Record, parse_record
from molehunt.core.replay import Replay
from molehunt.core.streams import game_seeds
from molehunt.games.registry import game_entry, make_game
from molehunt.studies.tournament_report import render_tournament
from molehunt.table.people import faults_in_words
from odd_names import NO_TEXT, names_of_any_bytes
from outside.installing import installed

LIMITS = Isolation(seconds=2, memory=256)


def test_what_is_said_over_a_line_comes_out_whole_however_it_is_cut() -> None:
    here, there = socket.socketpair()
    with here, there:
        send_frame(here, b"first frame")
        send_frame(here, b"second")
        sent = there.recv(1 << 16)
        for cut in range(1, len(sent)):
            here.sendall(sent[:cut])
            later = threading.Timer(0.0 if cut % 4 else 0.01, here.sendall, [sent[cut:]])
            later.start()
            assert (receive_frame(there), receive_frame(there)) == (b"first frame", b"second")
            later.join()


def test_an_answer_that_comes_byte_by_byte_has_no_more_time_than_one_that_comes_at_once() -> None:
    here, there = socket.socketpair()
    given_up = threading.Event()

    def dribble() -> None:
        for byte in (200).to_bytes(HEADER, "little") + b"x" * 200:
            here.sendall(bytes([byte]))
            if given_up.wait(0.05):
                return

    with here, there, ThreadPoolExecutor(1) as pool:
        slow = pool.submit(dribble)
        with pytest.raises(TimeoutError):
            receive_frame(there, seconds=0.3)
        given_up.set()
        slow.result()


@pytest.fixture
def players(tmp_path: Path) -> Path:
    path = tmp_path / "players.py"
    path.write_text(PLAYERS)
    return path


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The same players, while the process that names them is there."""
    path = tmp_path_factory.mktemp("named") / "players.py"
    path.write_text(PLAYERS)
    agents, _ = load_isolated("saboteur", [path], LIMITS)
    yield path
    del agents


@pytest.fixture
def peeper(tmp_path: Path) -> Path:
    path = tmp_path / "peeper.py"
    path.write_text(CLUE_PEEPER)
    return path


def match_of(path: Path, seats: str, isolation: Isolation | None = LIMITS, label: str = "saboteur/krisnadi") -> Match:
    game = label.partition("/")[0]
    agents, files = load_isolated(game, [path], isolation) if isolation else load_agents(game, [path])
    chairs = parse_seats(seats, agents.names(), game_entry(game).roles)
    return seat_match(label, chairs, agents, False, files, isolation)


def played(match: Match, games: int, threads: int = 1, seed: int = 3) -> tuple[Result, list[Record]]:
    records: list[Record] = []
    return run(match, games, seed, threads, records=records.extend), records


def test_a_peeper_wins_by_looking_and_finds_nothing_to_look_at_where_it_is_isolated(peeper: Path) -> None:
    wins = []
    for limits in (None, LIMITS):
        result, _ = played(match_of(peeper, "peeper,basic*2", limits, "speed_clue/mitchell"), 16)
        assert not result.faults
        wins.append(int(result.wins[0]))
    assert wins[0] == 16  # it names the envelope on its first turn
    assert wins[1] <= 4  # it knows nothing, and the others deduce


def test_a_file_is_not_loaded_in_the_process_of_the_match(tmp_path: Path) -> None:
    path = tmp_path / "loud.py"
    path.write_text(f"{PLAYERS}\ntell(os.getpid())")
    ear = Ear(path)
    played(match_of(path, "honest,random*2"), 2)
    loaded = ear.heard()
    assert loaded and str(os.getpid()) not in loaded


def test_isolated_games_depend_on_the_seed_alone_and_their_records_replay(players: Path) -> None:
    first, records = played(match_of(players, "honest*2,random,means-ends-2016"), 20)
    again, others = played(match_of(players, "honest*2,random,means-ends-2016"), 20, threads=3)
    assert [record.line() for record in records] == [record.line() for record in others]
    assert first.wins.tolist() == again.wins.tolist() and not first.faults
    for record in records:
        Replay(record, make_game)
    _, other = played(match_of(players, "honest*2,random,means-ends-2016"), 2, seed=4)
    assert other[0].moves != records[0].moves


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        ("hoarder", "hoarder took more than 256 MB for a move"),
        ("cheat", "cheat chose what is no legal action: 'map:top'"),
        ("clumsy", "clumsy failed in choose: AttributeError: "),
        ("talker", "talker chose what is no move: "),
        ("leaver", "leaver: its process ended"),
        ("late", "late failed in begin: RuntimeError: not today"),
    ],
)
def test_who_breaks_what_is_asked_loses_by_name_and_the_game_goes_on(named: Path, player: str, reason: str) -> None:
    result, records = played(match_of(named, f"miner:{player},saboteur:random,miner:random"), 3)
    assert result.wins[0] == 0 and result.wins[1] + result.wins[2] > 0
    assert sum(result.faults.values()) == 3
    assert all(fault.startswith(reason) for fault in result.faults), result.faults
    assert {record.seats[0] for record in records} == {f"miner:{player}"}
    for record in records:
        Replay(record, make_game)


def test_a_record_tells_who_has_lost_by_fault_and_replays(tmp_path: Path, players: Path) -> None:
    """A win by the rules that was struck is none for whoever counts wins from the records."""
    result, records = played(match_of(players, "saboteur:cheat,miner:random*2"), 6)
    assert any(0 in record.ending.winners for record in records)
    counted = [sum(seat in record.winners for record in records) for seat in range(3)]
    assert counted == result.wins.tolist() and counted[0] == 0
    reason = "cheat chose what is no legal action: 'map:top'"
    file = tmp_path / "games.jsonl"
    for record in records:
        assert record.faults == (reason, "", "")
        assert parse_record(record.line()) == record
        Replay(record, make_game)
    file.write_bytes(b"".join(record.line() for record in records))
    shown = call("replay", str(file)).out
    assert shown.count(f"seat 0 has lost by fault, and chance moved on in it: {reason}") == len(records)
    assert not re.search(r": .*seat 0.* won\.", shown)


TIRED = """
import molehunt


class Tired(molehunt.Player):
    game = "saboteur"
    moves = 0

    def choose(self, view):
        self.moves += 1
        if self.moves == 3:
            raise RuntimeError(str(view))
        return view.legal_actions[-1]
"""


def test_a_record_says_after_how_many_moves_a_player_failed_so_that_one_sees_what_it_saw(tmp_path: Path) -> None:
    path, file = tmp_path / "tired.py", tmp_path / "games.jsonl"
    path.write_text(TIRED)
    _, records = played(match_of(path, "random,tired*2"), 2)
    file.write_bytes(b"".join(record.line() for record in records))
    for number, record in enumerate(records, start=1):
        assert record.failed_after is not None and record.faults is not None
        assert record.failed_after[0] is None
        replay = Replay(parse_record(record.line()), make_game)
        for seat in (1, 2):
            after = record.failed_after[seat]
            assert after is not None
            seen = str(replay.game.friendly_view(replay.view(after, seat)))
            assert int(replay.game.to_move(replay.states[after])[0]) == seat
            movers = [int(replay.game.to_move(state)[0]) for state in replay.states[:after]]
            assert movers.count(seat) == 2
            assert " ".join(seen.split())[:200] in record.faults[seat]
            told = " ".join(call("replay", str(file)).out.split())
            assert told.count(f"; it was asked after {after} moves") >= 1
            assert call("show", str(file), "--line", str(number), "--move", str(after)).out.strip()
        assert f"asked after {record.failed_after[1]} moves" in faults_in_words(record, ("Ann", "Bob", "Eve"))[0]


def test_a_store_with_records_of_games_that_were_lost_by_fault_is_what_was_written(
    tmp_path: Path, players: Path
) -> None:
    text = """
    game = "saboteur/krisnadi"
    lineups = ["saboteur:cheat,miner:random*2"]
    deals = 6
    agents_from = ["players.py"]
    isolate = true
    records = true
    """
    plan = make_plan(parse_tournament(text), tmp_path)
    progress = Progress(plan)
    with open_workers(1) as workers, Store(tmp_path / "store", plan) as store:
        play_tournament(progress, workers, store)
    with open_workers(1) as workers:
        found = verify(tmp_path / "store", workers, lambda *_: None)
    assert found.damage == [] and found.records == plan.games


def test_a_game_in_which_several_seats_fail_alike_is_one_game_that_was_lost(tmp_path: Path, players: Path) -> None:
    reason = "cheat chose what is no legal action: 'map:top'"
    result, _ = played(match_of(players, "miner:cheat*2,saboteur:random"), 3)
    assert result.faults == {reason: 3}
    text = """
    game = "saboteur/krisnadi"
    lineups = ["saboteur:random,miner:cheat,miner:cheat"]
    deals = 2
    agents_from = ["players.py"]
    isolate = true
    """
    progress = Progress(make_plan(parse_tournament(text), tmp_path))
    with open_workers(1) as workers:
        play_tournament(progress, workers)
    assert progress.faults == {reason: progress.plan.games}


@pytest.mark.parametrize("player", ["sleeper", "forker"])
def test_who_takes_too_long_loses_and_leaves_no_process_behind(players: Path, player: str) -> None:
    ear = Ear(players)
    result, _ = played(match_of(players, f"{player},random*2", Isolation(seconds=1)), 1)
    assert result.faults == {f"{player} took more than 1 s for a move": 1}
    assert result.wins[0] == 0
    processes = [*map(int, ear.heard())]
    assert len(processes) == (2 if player == "forker" else 1)
    for _ in range(100):
        if not any(map(is_there, processes)):
            return
        time.sleep(0.05)
    raise AssertionError("a process of the player is still there")


def is_there(number: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def test_a_memory_that_is_cleared_away_while_a_chair_is_asked_for_ends_its_chairs(players: Path) -> None:
    game, agent = make_game("duel", "mcgill", 2), load_isolated("duel", [players], LIMITS)[0].make("honest")
    views = game.views(game.new(np.zeros(1, np.uint64)), np.zeros(1, np.int8))
    memory = agent.start(game, views, np.zeros(1, np.uint64))

    def clear_away() -> None:
        with memory.process._lock:
            memory.__del__()

    clearing = threading.Thread(target=clear_away, daemon=True)
    clearing.start()
    clearing.join(10)
    assert not clearing.is_alive()
    assert memory.chairs[0].number == 0


def test_a_match_is_made_elsewhere_from_its_text_as_isolated_as_here(players: Path) -> None:
    match = match_of(players, "honest,random*2")
    assert match.spec is not None and match.spec.isolation == LIMITS
    assert played(the_match(match.spec), 2)[1] == played(match, 2)[1]


def test_matches_of_the_same_files_ask_one_process_for_names_as_long_as_it_is_there(
    players: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[isolation._Process] = []
    start = isolation._Process

    def noted(task: Task) -> isolation._Process:
        started.append(start(task))
        return started[-1]

    monkeypatch.setattr(isolation, "_Process", noted)
    matches = [match_of(players, "honest,random*2") for _ in range(3)]
    assert len(started) == 1
    started[0]._process.kill()
    started[0]._process.wait()
    matches.append(match_of(players, "honest,random*2"))
    assert len(started) == 2
    players.write_text(f"{PLAYERS}\n# another\n")
    matches.append(match_of(players, "honest,random*2"))
    assert len(started) == 3 and len({match.names[0] for match in matches}) == 1


def test_a_process_is_asked_for_the_name_of_a_player_once(players: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament of a class has thousands of lineups, and a name for each of their seats."""
    agents, _ = load_isolated("duel", [players], LIMITS)
    asked: list[bytes] = []

    def note(line: socket.socket, told: bytes) -> None:
        asked.append(told)
        send_frame(line, told)

    monkeypatch.setattr(isolation, "send_frame", note)
    for _ in range(3):
        assert [agents.make(spec).name for spec in ("honest", "late", "honest")] == ["honest", "late", "honest"]
    assert asked == [b"honest", b"late"]


def test_a_player_of_many_lineups_is_loaded_once_for_all_of_them(
    tmp_path: Path, players: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Task] = []
    start = isolation._Process

    def noted(task: Task) -> isolation._Process:
        started.append(task)
        return start(task)

    monkeypatch.setattr(isolation, "_Process", noted)
    text = """
    game = "saboteur/krisnadi"
    lineups = ["honest,random*2", "random,honest,random", "random*2,honest", "means-ends-2016,honest*2"]
    deals = 1
    agents_from = ["players.py"]
    isolate = true
    """
    players.write_text(f"{PLAYERS}\n# of many lineups\n")
    progress = Progress(make_plan(parse_tournament(text), tmp_path))
    started.clear()
    with open_workers(1) as workers:
        play_tournament(progress, workers)
    assert progress.finished
    assert sorted(task.spec for task in started) == ["", "honest"]


def test_of_many_players_only_some_stay_loaded_and_the_results_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    living: list[int] = []
    start = isolation._Process
    kept: weakref.WeakSet[isolation._Process] = weakref.WeakSet()

    def noted(task: Task) -> isolation._Process:
        process = start(task)
        if task.spec:
            kept.add(process)
            living.append(sum(not each.has_ended for each in kept))
        return process

    monkeypatch.setattr(isolation, "_Process", noted)
    classes = "".join(f"\n\nclass Honest{number}(Honest):\n    name = 'honest-{number}'\n" for number in range(3))
    text = """
    game = "saboteur/krisnadi"
    lineups = ["honest-0,random*2", "honest-1,random*2", "honest-2,random*2", "random,honest-0,random"]
    seatings = "listed"
    deals = 2
    agents_from = ["players.py"]
    isolate = true
    """
    tables, most, started = [], [], []
    for limit in (isolation.MOST_LOADED, 1):
        monkeypatch.setattr(isolation, "MOST_LOADED", limit)
        # Other texts, so that nothing is there from before.
        (tmp_path / "players.py").write_text(f"{PLAYERS}{classes}\n# {limit} stay\n")
        kept.clear()
        living.clear()
        progress = Progress(make_plan(parse_tournament(text), tmp_path))
        with open_workers(1) as workers:
            play_tournament(progress, workers)
        assert progress.finished and not progress.faults
        tables.append(make_tables(progress.plan, progress.outcomes, True))
        most.append(max(living))
        started.append(len(living))
    assert tables[0] == tables[1]
    # One stays, and there is the one that plays; who comes again is loaded again.
    assert most == [3, 2] and started == [3, 4]


def test_isolated_players_are_named_as_everywhere_else(tmp_path: Path) -> None:
    path = tmp_path / "turned.py"
    path.write_text(TURNED)
    seats = "turned:eager=yes,odds=2,turned:eager=true,odds=2.0,turned:odds=1"
    for limits in (None, LIMITS):
        match = match_of(path, seats, limits)
        assert match.names == ["turned:odds=2.0", "turned:odds=2.0", "turned"]
        assert match.agents[0] is match.agents[1]
        for wrong, said in (("turned:odd=1", "did you mean 'odds'"), ("turned:odds=9", "odds must be 0 to 5, not 9")):
            with pytest.raises(BadInput, match=said):
                match_of(path, f"{wrong},random*2", limits)
    result, _ = played(match_of(path, "turned:eager=yes,odds=2.0,random*2"), 2)
    assert [reason.startswith("turned:odds=2.0 failed in choose: RuntimeError: tired") for reason in result.faults] == [
        True
    ]
    assert match_of(path, "liar,random*2").names == ["liar", "random", "random"]  # it cannot take another player's name


TURNED = """
from dataclasses import dataclass

import molehunt


@dataclass
class Turned(molehunt.Player):
    odds: float = molehunt.parameter(1, "how odd", low=0, high=5)
    eager: bool = molehunt.parameter(True, "whether it is eager")

    def choose(self, view):
        raise RuntimeError("tired")


class Liar(molehunt.Agent):
    name = property(lambda self: "random", lambda self, name: None)

    def start(self, game, views, streams):
        return None

    def act(self, views, memory, rows):
        return [0]

    def observe(self, events, memory, rows):
        pass
"""


def test_a_file_that_fails_or_holds_no_player_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(
        "PYTHONDONTWRITEBYTECODE", raising=False
    )  # texts of one size, written in one second, are told apart
    for text, told in (
        ("1 / 0", "ZeroDivisionError"),
        ("import os; os._exit(1)", r"fails while it is loaded: SystemExit: os\._exit\(1\)"),
        ("import os; os.kill(os.getpid(), 9)", "ends or hangs"),
        ("raise KeyboardInterrupt", "fails while it is loaded: KeyboardInterrupt|^KeyboardInterrupt$"),
    ):
        path = tmp_path / "bad.py"
        path.write_text(text)
        with pytest.raises(AgentFailure, match=told):
            load_isolated("duel", [path], LIMITS)
    empty = tmp_path / "empty.py"
    empty.write_text("x = 1")
    with pytest.raises(BadInput, match="holds no player"):
        load_isolated("duel", [empty], LIMITS)
    with pytest.raises(BadInput, match=r"there is no file .*none\.py to take agents from"):
        load_isolated("duel", [tmp_path / "none.py"], LIMITS)


def test_a_file_finds_the_same_modules_isolated_as_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "typing.py").write_text("raise ImportError('a file of somebody in the current folder')")
    (tmp_path / "beside.py").write_text("")
    monkeypatch.chdir(tmp_path)
    alone, helped = tmp_path / "alone.py", tmp_path / "helped.py"
    alone.write_text(FIRST.format(imported="random"))
    helped.write_text(FIRST.format(imported="beside"))
    for load in (load_agents, partial(load_isolated, limits=LIMITS)):
        agents, _ = load("duel", [alone])
        assert agents.make("first").name == "first"
        with pytest.raises(AgentFailure, match="No module named 'beside'"):
            load("duel", [helped])


def test_a_file_that_names_its_encoding_can_be_isolated_and_one_in_another_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    player = FIRST.format(imported="random").encode()
    path.write_bytes(b"# coding: latin-1\n# of M\xfcller\n" + player)
    agents, _ = load_isolated("duel", [path], LIMITS)
    assert agents.make("first").name == "first"
    path.write_bytes(b"# of M\xfcller\n" + player)
    with pytest.raises(BadInput, match=r"^\S*mine\.py cannot be read as Python: line 1 is not in UTF-8"):
        load_isolated("duel", [path], LIMITS)


@names_of_any_bytes
def test_a_file_whose_name_is_no_text_can_be_isolated_and_its_faults_are_told(tmp_path: Path) -> None:
    folder = tmp_path / NO_TEXT
    folder.mkdir()
    path = folder / "first.py"
    path.write_text(FIRST.format(imported="random"))
    agents, _ = load_isolated("duel", [path], LIMITS)
    assert agents.make("first").name == "first"
    path.write_text("1 / 0")
    with pytest.raises(AgentFailure, match=r"lat\\udcfcn/first\.py fails while it is loaded: ZeroDivisionError"):
        load_isolated("duel", [path], LIMITS)


FIRST = """
import {imported}
import molehunt

class First(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]
"""

TOURNAMENT = """
game = "speed_clue/mitchell"
seats = 3
players = ["peeper", "basic"]
deals = 2
agents_from = ["peeper.py"]
"""


def test_a_tournament_isolates_where_its_file_says_so(peeper: Path) -> None:
    wins = []
    for line in ("", "isolate = true\n"):
        plan = make_plan(parse_tournament(line + TOURNAMENT), peeper.parent)
        assert plan_from_text(plan_text(plan)) == plan
        progress = Progress(plan)
        with open_workers(2) as workers:
            play_tournament(progress, workers)
        assert progress.finished and not progress.faults
        standings = make_tables(plan, progress.outcomes, True).events[0].standings
        wins.append(next(standing.rate for standing in standings if standing.player == "peeper"))
        assert ("isolation" in plan.identity) == bool(line)
    assert wins[0] > 0.6 and wins[1] < 0.4


def test_in_a_tournament_a_fault_loses_and_is_told_on_the_screen_to_programs_and_on_the_page(
    tmp_path: Path, players: Path
) -> None:
    text = """
    game = "saboteur/krisnadi"
    lineups = ["saboteur:random,miner:cheat,miner:random"]
    deals = 2
    agents_from = ["players.py"]
    isolate = true
    """
    plan = make_plan(parse_tournament(text), tmp_path)
    progress = Progress(plan)
    with open_workers(1) as workers, Store(tmp_path / "store", plan) as store:
        play_tournament(progress, workers, store)
    assert progress.finished
    reason = "cheat chose what is no legal action: 'map:top'"
    assert progress.faults == {reason: plan.games}

    # Programs and the page are told it, too.
    tables = make_tables(plan, progress.outcomes, progress.finished, progress.faults)
    assert tables.faults == progress.faults
    page = render_tournament(tables, "molehunt tournament cheat.toml")
    assert f"<li>{plan.games} games: {escape(reason)}</li>".replace("&#x27;", "&#39;") in page

    # The store keeps why, with whom and when.
    again = Progress(plan)
    with open_for_reading(tmp_path / "store") as base:
        again.resume(read_units(base))
        kept = base.execute("SELECT deal, seat, player, reason FROM forfeits ORDER BY ALL").fetchall()
        seats = base.execute("SELECT deal, seat FROM seats WHERE player LIKE '%cheat%' ORDER BY ALL").fetchall()
    assert again.faults == progress.faults and again.before == plan.games
    assert [row[:2] for row in kept] == seats and {row[2:] for row in kept} == {("cheat", reason)}
    with open_workers(1) as workers:
        assert verify(tmp_path / "store", workers, lambda *_: None).damage == []
    with duckdb.connect(str(tmp_path / "store" / RESULTS)) as changed:
        changed.execute("UPDATE faults SET reason = 'nothing'")
    with open_workers(1) as workers:
        assert verify(tmp_path / "store", workers, lambda *_: None).damage


@pytest.mark.parametrize("limit", ["isolate_seconds = 0", "isolate_memory = 1", "isolate = 3", "isolate_network = 1"])
def test_limits_out_of_range_are_refused(limit: str) -> None:
    with pytest.raises(BadInput, match=limit.partition(" ")[0]):
        make_plan(parse_tournament(f'{limit}\ngame = "duel"\nplayers = ["random"]\ndeals = 1'), Path())


def test_the_process_of_a_player_says_nothing_of_what_is_compiled_in_it(tmp_path: Path) -> None:
    path = tmp_path / "asking.py"
    path.write_text(
        "from molehunt import Player\n"
        "from molehunt.core import at_first\n"
        "class Asking(Player):\n"
        "    def choose(self, view):\n"
        "        assert at_first.seen_to(), 'it would be told beside what the command tells'\n"
        "        return view.legal_actions[0]\n"
    )
    _, records = played(match_of(path, "asking,random", label="duel/mcgill"), games=1, seed=1)
    assert [record.faults for record in records] == [None]


NAMING = '''
"""Asks means-ends-2016 at first, then "basic"."""
import molehunt
from molehunt.agents.registry import Agents, entries

SECOND = "greedy-2020:nonsense=1"


class Naming(molehunt.Player):
    def begin(self, game, seat, view):
        self.asked = Agents(game.name).make("random")
'''


def test_players_of_ours_that_a_file_names_have_moved_before_it_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "naming.py"
    path.write_text(NAMING)
    task = Task("duel", (read_agent_file(path),), "naming", "duel/mcgill", 2)
    assert [agent.name for agent in isolated._named_in(task)] == ["random"]
    asked: list[str] = []

    class Noting(Agent):
        name = "noting"
        inner = Agents("duel").make("random")

        def start(self, game: Game, views: Views, streams: Any) -> Any:
            asked.append("start")
            return self.inner.start(game, views, streams)

        def act(self, views: Views, memory: Any, rows: Rows) -> Any:
            asked.append("act")
            return self.inner.act(views, memory, rows)

        def observe(self, events: Events, memory: Any, rows: Rows) -> None:
            asked.append("observe")
            self.inner.observe(events, memory, rows)

    isolated._move_some_times(make_game("duel", "mcgill", 2), Noting())
    assert asked == ["start", "start", *["act", "observe", "observe"] * isolated.FIRST_MOVES]


def test_players_of_ours_that_the_module_of_an_installed_player_names_are_made_ready_and_nothing_of_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "guests_of_ours"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "brains").mkdir()
    (package / "brains" / "__init__.py").write_text("raise RuntimeError('this was run')")
    (package / "brains" / "naming.py").write_text(f"{NAMING}\nraise RuntimeError('and this')")
    (package / "listed.py").write_text(
        "from molehunt.agents.entry import AgentEntry\n"
        "ENTRY = AgentEntry('naming', 'duel', 'A guest', 'guests_of_ours.brains.naming', 'Naming')\n"
    )
    with installed(
        tmp_path / "site", "guests", {"molehunt.agents": "naming = guests_of_ours.listed:ENTRY"}, monkeypatch
    ):
        named = isolated._named_in(Task("duel", (), "naming:a=1", "duel/mcgill", 2))
        assert [agent.name for agent in named] == ["random"]
        assert isolated._named_in(Task("duel", (), "greedy-2020", "duel/mcgill", 2)) == []


def test_only_the_process_that_plays_has_made_the_named_ones_ready(tmp_path: Path) -> None:
    """As the file is loaded to say what its players are called, and then to play."""
    module = next(entry.module for entry in entries("duel") if entry.name == "greedy-2020")
    path = tmp_path / "telling.py"
    path.write_text(f"import sys\n{PLAYERS}\nNAMED = 'greedy-2020'\ntell({module!r} in sys.modules)")
    ear = Ear(path)
    agent = load_isolated("duel", [path], LIMITS)[0].make("honest")
    play(make_game("duel", "mcgill", 2), [agent, Agents("duel").make("random")], game_seeds(0, 0, 1))
    assert ear.heard() == ["False", "True"]
