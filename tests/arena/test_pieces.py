"""A study as one stream of pieces: cells run beside each other, their results come in order, and what is kept is not done again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pytest

from molehunt.arena.databases import RESULTS, StoreFailure
from molehunt.arena.pieces import PieceStore, Stream, decode, encode, in_one_stream
from molehunt.arena.workers import Workers, each_in_order, open_workers
from molehunt.core.errors import BadInput

VERSION = "1.2.3"
calls: list[tuple[int, int]] = []


def square(cell: int, number: int) -> tuple[int, float]:
    calls.append((cell, number))
    return cell, float(number * number)


def numbers(first: int, count: int) -> npt.NDArray[np.int64]:
    return np.arange(first, first + count)


def total(values: npt.NDArray[np.float64]) -> float:
    return float(values.sum())


def call(function: Callable[[int], int]) -> int:
    return function(1)


def nothing_to_keep(number: int) -> object:
    return object()


def cell(number: int, pieces: int = 3) -> Callable[[Workers], float]:
    def play(stream: Workers) -> float:
        todo = ((number, piece) for piece in range(pieces))
        return sum(value for _, value in each_in_order(stream, square, todo))

    return play


def cells(count: int = 5) -> dict[str, Callable[[Workers], float]]:
    return {f"cell {number}": cell(number) for number in range(count)}


EXPECTED = {f"cell {number}": 5.0 for number in range(5)}


@pytest.fixture(autouse=True)
def nothing_called() -> None:
    calls.clear()


def test_pieces_with_arrays_are_told_apart_by_every_number(tmp_path: Path) -> None:
    long, short = np.arange(5000.0), np.full(3, 1 / 3)
    arrays = [long, np.where(long == 2500, 1e9, long), short, short + 1e-12]
    for known in (0, 4):
        with PieceStore(tmp_path / "s", VERSION) as store, open_workers(1) as workers:
            assert store.known == known
            found = [next(each_in_order(Stream(workers, store), total, [(each,)])) for each in arrays]
        assert found == [float(each.sum()) for each in arrays]


def test_pieces_of_this_process_only_are_not_kept(tmp_path: Path) -> None:
    def adding(more: int) -> Callable[[int], int]:
        def add(number: int) -> int:
            return number + more

        return add

    class Adder:
        def __init__(self, more: int) -> None:
            self.more = more

        def __repr__(self) -> str:
            return "an adder"

        def add(self, number: int) -> int:
            return number + self.more

    def applied(function: Callable[[int], int]) -> int:
        return function(1)

    for more in (1, 10):
        work: list[tuple[Any, Any]] = [
            (adding(more), 1),
            (Adder(more).add, 1),
            (applied, adding(more)),
            (call, adding(more)),
        ]
        with PieceStore(tmp_path / "s", VERSION) as store, open_workers(1) as workers:
            assert store.known == 0
            assert [next(each_in_order(Stream(workers, store), *((what, [(with_,)])))) for what, with_ in work] == [
                1 + more
            ] * 4


def test_results_that_cannot_be_kept_leave_room_for_others(tmp_path: Path) -> None:
    with PieceStore(tmp_path / "s", VERSION) as store, open_workers(1) as workers:
        stream, todo = Stream(workers, store), [(number,) for number in range(9)]
        done = threading.Thread(target=lambda: list(each_in_order(stream, nothing_to_keep, todo)), daemon=True)
        done.start()
        done.join(20)
        assert not done.is_alive()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_cells_come_in_their_order_whoever_plays_them(threads: int) -> None:
    with open_workers(threads) as workers:
        assert list(in_one_stream(workers, cells()).items()) == list(EXPECTED.items())
    assert len(calls) == 15


def test_the_next_cell_begins_before_the_last_piece_of_the_one_before_is_done() -> None:
    begun, release = threading.Event(), threading.Event()

    def hold(which: int) -> int:
        if which == 0:
            assert begun.wait(20), "the second cell waits for the first"
            release.set()
        else:
            begun.set()
        return which

    def play(which: int) -> Callable[[Workers], int]:
        return lambda stream: next(each_in_order(stream, hold, [(which,)]))

    with open_workers(2) as workers:
        assert in_one_stream(workers, {"first": play(0), "second": play(1)}) == {"first": 0, "second": 1}
    assert release.is_set()


def test_pieces_under_way_are_bounded() -> None:
    most = now = 0
    door = threading.Lock()

    class Counting:
        def __init__(self, workers: Workers) -> None:
            self._workers, self.width = workers, 2

        def submit(self, *words: object) -> object:
            nonlocal most, now
            with door:
                now += 1
                most = max(most, now)
            future = self._workers.submit(*words)  # type: ignore[arg-type, var-annotated]
            future.add_done_callback(lambda _: ended())
            return future

    def ended() -> None:
        nonlocal now
        with door:
            now -= 1

    with open_workers(2) as workers:
        in_one_stream(Counting(workers), {f"{n}": cell(n, 40) for n in range(30)})  # type: ignore[arg-type]
    assert 4 <= most <= 4 * 2


def test_an_error_of_a_cell_comes_out() -> None:
    def broken(_: Workers) -> float:
        raise BadInput("this cell cannot be played")

    with open_workers(2) as workers, pytest.raises(BadInput, match="cannot be played"):
        in_one_stream(workers, {**cells(2), "broken": broken})


def test_what_is_kept_is_not_done_again(tmp_path: Path) -> None:
    for known in (0, 15):
        with PieceStore(tmp_path / "s", VERSION) as store, open_workers(2) as workers:
            assert store.known == known
            stream = Stream(workers, store)
            assert stream.cells(cells()) == EXPECTED
            assert stream.found_again == known
    assert len(calls) == 15
    # More cells: only the new ones are played.
    with PieceStore(tmp_path / "s", VERSION) as store, open_workers(2) as workers:
        Stream(workers, store).cells(cells(7))
    assert len(calls) == 21 and len(set(calls)) == 21


def test_stopped_it_tells_what_is_missing_and_goes_on_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with PieceStore(tmp_path / "s", VERSION) as store, open_workers(1) as workers:
        stream = Stream(workers, store, patient=True)
        waited = stream._wait

        def stop(done: Callable[[], bool]) -> None:
            waited(done)
            if len(calls) >= 15:
                while any(thread.name == "cell cell 0" for thread in threading.enumerate()):
                    time.sleep(0.01)  # a busy machine may not have come to add up its pieces
                raise KeyboardInterrupt

        monkeypatch.setattr(stream, "_wait", stop)
        found = stream.cells(cells(40))
        assert stream.interrupted and found and stream.missing
        assert {*found, *stream.missing} == set(cells(40)) and len(found) + len(stream.missing) == 40
        assert list(found) == [name for name in cells(40) if name in found]
        assert all(value == 5.0 for value in found.values())
        assert stream.cells(cells(2)) == {}  # a later stage is not begun
    played = len(calls)
    assert played < 120
    with PieceStore(tmp_path / "s", VERSION) as store, open_workers(2) as workers:
        assert store.known >= 3 * len(found)
        assert Stream(workers, store).cells(cells(40)) == {f"cell {number}": 5.0 for number in range(40)}
        assert len(calls) == played + 120 - store.known


def test_without_patience_a_stop_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_workers(1) as workers:
        stream = Stream(workers)
        monkeypatch.setattr(stream, "_wait", lambda done: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            stream.cells(cells())


def test_results_are_read_back_as_they_were() -> None:
    array = numbers(3, 4)
    again = decode(numbers, encode(array))
    assert again.dtype == array.dtype and again.tolist() == array.tolist()
    assert decode(square, encode(square(1, 3))) == (1, 9.0)


def test_a_damaged_piece_is_named(tmp_path: Path) -> None:
    with PieceStore(tmp_path / "s", VERSION) as store, open_workers(1) as workers:
        Stream(workers, store).cells(cells(1))
    with duckdb.connect(str(tmp_path / "s" / RESULTS)) as base:
        base.execute("UPDATE pieces SET result = 'x'::BLOB WHERE piece LIKE '%(0, 1)'")
    with (
        pytest.raises(StoreFailure, match=r"is damaged: .*square.* is not what was written"),
        PieceStore(tmp_path / "s", VERSION) as store,
        open_workers(1) as workers,
    ):
        Stream(workers, store).cells(cells(1))


def test_other_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("x")
    with pytest.raises(BadInput, match="is a folder with other things in it"), PieceStore(tmp_path / "other", VERSION):
        pass
    with (
        PieceStore(tmp_path / "s", VERSION),
        pytest.raises(BadInput, match="is playing into"),
        PieceStore(tmp_path / "s", VERSION),
    ):
        pass
    with pytest.raises(BadInput, match=r"version 1\.2\.3 of this program"), PieceStore(tmp_path / "s", "1.2.4"):
        pass


def test_waiting_for_cells_costs_no_time() -> None:
    began = time.process_time()
    with open_workers(2) as workers:
        in_one_stream(workers, {f"{n}": lambda stream: time.sleep(0.05) for n in range(10)})
    assert time.process_time() - began < 0.5
