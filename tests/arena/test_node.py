"""What runs on a node: errors travel whole, another molehunt is refused, kernels are compiled by one process."""

from __future__ import annotations

import dataclasses
import pickle
import threading
import time
from pathlib import Path

import pytest

from molehunt.arena import node
from molehunt.arena.match import MatchSpec
from molehunt.arena.node import Sent, do_bundle, identity, mismatch, names_in, pack, unpack
from molehunt.arena.seating import Chair
from molehunt.core.errors import BadInput, IllegalAction, MolehuntError, UnknownName
from molehunt.studies.kripke_rounds import Setup


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(node, "_mark_of", lambda function, names: tmp_path / "-".join([function, *sorted(names)]))
    return tmp_path


def half(number: int) -> int:
    if number % 2:
        raise UnknownName("number", str(number), ("2", "4"))
    return number // 2


def travelled(error: Exception) -> BaseException:
    sent: Sent = pickle.loads(pickle.dumps(pack(error)))  # noqa: S301 - what was pickled here
    return unpack(sent)


def test_an_error_travels_with_all_that_it_says() -> None:
    there = travelled(IllegalAction(2, "map:top", "the hand holds no such card", "cheat"))
    assert isinstance(there, IllegalAction)
    assert (there.seat, there.action, there.rule) == (2, "map:top", "the hand holds no such card")
    assert str(there) == "illegal action of seat 2 (cheat): 'map:top': the hand holds no such card"
    name = travelled(UnknownName("agent", "randum", ("random",)))
    assert isinstance(name, UnknownName) and name.known == ("random",) and "did you mean 'random'" in str(name)


def test_an_error_that_nobody_raised_on_purpose_says_where_it_came_from() -> None:
    def fail() -> None:
        raise ZeroDivisionError("by nothing")

    with pytest.raises(ZeroDivisionError) as here:
        fail()
    there = travelled(here.value)
    assert isinstance(there, ZeroDivisionError) and str(there) == "by nothing"
    assert "test_node.py" in there.__notes__[0]
    foreign = type("ForeignError", (Exception,), {"__module__": "somewhere"})("no")
    assert isinstance(travelled(foreign), MolehuntError) and str(travelled(foreign)) == "ForeignError: no"


def test_a_bundle_is_its_pieces_up_to_the_first_error() -> None:
    assert do_bundle(identity(), half, [(2,), (4,)]).results == [1, 2]
    first, error = do_bundle(identity(), half, [(2,), (3,), (4,)]).results
    assert first == 1 and isinstance(unpack(error), UnknownName)


def test_a_node_with_another_molehunt_plays_nothing() -> None:
    other = dataclasses.replace(identity(), sources="0" * 16, numba="0.1")
    (error,) = do_bundle(other, half, [(2,)]).results
    said = str(unpack(error))
    assert said.startswith("node ") and "the sources of molehunt" in said and "numba" in said
    assert "Python" not in said and said == mismatch(said.split()[1], identity(), other)
    assert identity() == identity() and len(identity().sources) == 16


def test_work_of_one_kind_is_that_which_needs_the_same_kernels() -> None:
    spec = MatchSpec("saboteur/krisnadi:saboteurs=2", (Chair("decision-2019:d_b=3.0"), Chair("random", "miner")))
    assert names_in((spec, 7, 0, 16, True)) == {"saboteur/krisnadi", "decision-2019", "random", "miner"}
    setup = Setup("adaptive", 1, 1.5, ("cover=9",))
    assert names_in((setup, 5)) == {"adaptive", "cover=9"}


def test_the_first_work_of_a_kind_is_done_alone_and_the_rest_together(cache: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work(number: int) -> None:
        inside.append(number)
        most.append(len(inside))
        time.sleep(0.05)
        inside.remove(number)

    def all_at_once() -> list[int]:
        most.clear()
        threads = [threading.Thread(target=do_bundle, args=(identity(), work, [(number,)])) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return most

    assert max(all_at_once()) == 1
    assert max(all_at_once()) > 1
    assert [path.suffix for path in cache.iterdir()].count(".lock") == 1


def test_work_that_fails_leaves_no_mark_behind_when_it_ends_the_process(cache: Path) -> None:
    def stop(number: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        do_bundle(identity(), stop, [(1,)])
    assert all(path.suffix == ".lock" for path in cache.iterdir())


def test_bad_input_stays_bad_input() -> None:
    assert isinstance(travelled(BadInput("what would be right")), BadInput)
