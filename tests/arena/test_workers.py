"""Pieces of work: in order whoever does them, the same as text in another process, called off when they are not wanted."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from molehunt.agents.registry import Agents
from molehunt.arena import match as arena
from molehunt.arena.agent_files import AgentFile, agents_from, load_agents
from molehunt.arena.match import MatchSpec, Part, play_part, run, seat_match, the_match
from molehunt.arena.seating import Chair
from molehunt.arena.workers import AHEAD, KEPT, each_in_order, in_order, once_per_process, open_workers, width_of
from molehunt.core.agent import Agent
from molehunt.core.errors import BadInput

PLAYER = """
from molehunt import Player

class Last(Player):
    def choose(self, view):
        return view.legal_actions[-1]
"""


class Elsewhere(Executor):
    """Workers that get a piece as bytes and answer in bytes, as on another machine."""

    width = 2

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(2)

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        sent = pickle.dumps((function, args))

        def work() -> Any:
            what, given = pickle.loads(sent)  # noqa: S301 - what was pickled above
            return pickle.loads(pickle.dumps(what(*given)))  # noqa: S301 - as above

        return self.pool.submit(work)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.pool.shutdown(wait, cancel_futures=cancel_futures)


def nap(number: int) -> int:
    time.sleep(0.02 if number % 3 == 0 else 0)
    return number


def fail_at_four(number: int) -> int:
    if number == 4:
        raise BadInput("four")
    return number


def pieces(count: int, taken: list[int]) -> Iterator[tuple[int]]:
    for number in range(count):
        taken.append(number)
        yield (number,)


def test_results_come_in_order_whichever_is_done_first() -> None:
    with open_workers(3) as workers:
        assert width_of(workers) == 3
        assert list(each_in_order(workers, nap, ((number,) for number in range(40)))) == list(range(40))
        assert list(each_in_order(workers, nap, [])) == []


def test_arguments_are_taken_as_there_is_room() -> None:
    taken: list[int] = []
    with open_workers(2) as workers:
        results = each_in_order(workers, nap, pieces(1000, taken))
        assert next(results) == 0
        assert len(taken) <= KEPT * 2 + 2
        results.close()
        blocked = threading.Event()
        taken.clear()
        results = each_in_order(workers, lambda number: blocked.wait() and number, pieces(1000, taken))
        threading.Timer(0.1, blocked.set).start()
        next(results)
        assert len(taken) >= AHEAD * 2
        results.close()


def test_an_error_comes_in_its_turn_and_calls_the_rest_off() -> None:
    taken: list[int] = []
    found: list[int] = []
    with open_workers(2) as workers, pytest.raises(BadInput, match="four"):
        in_order(workers, fail_at_four, pieces(1000, taken), found.append)
    assert found == [0, 1, 2, 3] and len(taken) < 100


def test_an_interrupt_ends_the_taking_also_while_a_piece_hangs() -> None:
    hanging = threading.Event()
    found: list[int] = []

    def work(number: int) -> int:
        if number == 5:
            hanging.wait()
        return number

    def take(number: int) -> None:
        found.append(number)
        if number == 4:
            raise KeyboardInterrupt

    with open_workers(2) as workers, pytest.raises(KeyboardInterrupt):
        in_order(workers, work, ((number,) for number in range(100)), take)
    hanging.set()
    assert found == [0, 1, 2, 3, 4]


def test_what_is_made_once_is_made_once_also_by_many_threads() -> None:
    made: list[str] = []

    @once_per_process
    def make(name: str) -> object:
        time.sleep(0.02)
        made.append(name)
        return object()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(make, ["same"] * 8))) == 1
    assert made == ["same"]


# --- Matches as text --------------------------------------------------------------------------------------------------


def summary(result: Any) -> tuple[Any, ...]:
    return result.games, result.moves, result.wins.tolist(), result.outcomes.tolist()


def test_a_match_played_elsewhere_is_the_same_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "CHUNK", 60)
    chairs = [Chair("random"), Chair("random"), Chair("decision-2019")]
    match = seat_match("saboteur/krisnadi", chairs, Agents("saboteur"), rotate=True)
    here, there = [], []  # type: ignore[var-annotated]
    first = run(match, 200, 5, 2, None, here.extend)
    with Elsewhere() as workers:
        again = run(match, 200, 5, workers, None, there.extend)
    assert summary(again) == summary(first)
    assert [record.line() for record in there] == [record.line() for record in here]


def test_seated_roles_travel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "CHUNK", 60)
    chairs = [Chair("random", "saboteur"), Chair("decision-2019", "miner"), Chair("decision-2019", "miner")]
    match = seat_match("saboteur/krisnadi", chairs, Agents("saboteur"))
    with Elsewhere() as workers:
        assert summary(run(match, 100, 5, workers)) == summary(run(match, 100, 5))


def test_a_part_of_a_match_is_played_from_its_text() -> None:
    spec = MatchSpec("duel/mcgill", (Chair("random"), Chair("random-listed")))
    assert the_match(spec) is the_match(pickle.loads(pickle.dumps(spec)))  # noqa: S301 - what was pickled here
    whole = play_part(spec, 7, 0, 20, keep=True)
    parts: list[Part] = [play_part(spec, 7, first, 5, keep=True) for first in range(0, 20, 5)]
    assert whole.games == 20 and whole.wins.tolist() == sum(part.wins for part in parts).tolist()  # type: ignore[union-attr]
    assert [record for part in parts for record in part.records] == whole.records
    assert play_part(spec, 7, 0, 20).records == []


def test_players_of_ones_own_travel_with_the_text_of_their_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(PLAYER)
    agents, files = load_agents("saboteur", [path])
    assert files == (AgentFile(str(path), PLAYER),)
    match = seat_match("saboteur/krisnadi", [Chair("last")] * 3, agents, files=files)
    first = summary(run(match, 20, 5))
    path.write_text("raise RuntimeError('another file lies here now')")
    with Elsewhere() as workers:
        assert summary(run(match, 20, 5, workers)) == first
    path.unlink()
    there: Agent = agents_from("saboteur", files).make("last")
    assert there.name == "last"


@pytest.mark.parametrize("first", [b"# coding: latin-1\r\n# of M\xfcller\r\n", b"\xef\xbb\xbf# of M\xc3\xbcller\r\n"])
def test_a_file_is_read_in_the_encoding_that_it_names_here_and_where_it_travels_to(
    tmp_path: Path, first: bytes
) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(first + PLAYER.replace("Last", "M\xfcller").encode("latin-1" if b"coding" in first else "utf-8"))
    agents, files = load_agents("saboteur", [path])
    assert agents.make("m\xfcller").name == "m\xfcller" and "M\xfcller" in files[0].text
    path.unlink()
    there: Agent = agents_from("saboteur", files).make("m\xfcller")
    assert there.name == "m\xfcller"


LEFT = """
import inspect
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from molehunt.arena.agent_files import AgentFile, agents_from

def play(text):
    file = AgentFile("/no/such/mine.py", text)
    places = [inspect.getfile(agents_from("saboteur", [file]).from_files["last"]) for _ in range(3)]
    assert len(set(places)) == 1 and Path(places[0]).read_text() == text
    return str(Path(places[0]).parent)

if __name__ == "__main__":
    text = sys.stdin.read()
    with ProcessPoolExecutor(1, get_context(sys.argv[1])) as pool:
        print(pool.submit(play, text).result())
    print(play(text))
"""


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_a_process_that_has_made_a_file_for_a_player_takes_it_with_it(tmp_path: Path, way: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(LEFT)
    done = subprocess.run([sys.executable, script, way], input=PLAYER, capture_output=True, text=True, check=True)
    there, here = done.stdout.split()
    assert there != here and not Path(there).exists() and not Path(here).exists()


def test_a_player_that_is_a_class_of_this_process_stays_here() -> None:
    agents, _ = load_agents("saboteur", [])
    agents.from_files["mine"] = type("Mine", (), {})
    match = seat_match("saboteur/krisnadi", [Chair("random")] * 3, agents)
    assert match.spec is None and run(match, 3).games == 3
    with Elsewhere() as workers, pytest.raises(BadInput, match="put it into a file"):
        run(match, 3, 0, workers)


def test_a_file_that_cannot_be_read_as_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_bytes(b"# of M\xfcller\n" + PLAYER.encode())
    with pytest.raises(
        BadInput, match=r"mine\.py cannot be read as Python: line 1 is not in UTF-8; save it as UTF-8, or"
    ):
        load_agents("saboteur", [path])
    path.write_bytes(b"# coding: nothing\n" + PLAYER.encode())
    with pytest.raises(BadInput, match=r"mine\.py cannot be read as Python: unknown encoding.*nothing"):
        load_agents("saboteur", [path])


@pytest.mark.parametrize("threads", [-1, 1.5, True, "2", [], float("nan")])
def test_a_number_of_threads_that_is_none_is_refused(threads: Any) -> None:
    with (
        pytest.raises(BadInput, match="how many threads work is a whole number from 0 on, not "),
        open_workers(threads),
    ):
        pass
