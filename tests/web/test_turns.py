"""Tables take turns at thinking: clients first, then the tables of each; whoever no longer waits is passed over."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from molehunt.web.turns import Turns
from web.people import line, open_table, server, setup


def order_of(wishes: list[tuple[str, str]], threads: int = 1) -> list[tuple[str, str]]:
    """In which order calls of (client, table) begin, asked for in this order while the threads are busy."""
    done: list[tuple[str, str]] = []
    free = threading.Event()

    async def ask() -> None:
        turns = Turns(threads)
        busy = [asyncio.create_task(turns.take("busy", f"busy {number}", free.wait)) for number in range(threads)]
        await asyncio.sleep(0)
        asked = [asyncio.create_task(turns.take(*wish, done.append, wish)) for wish in wishes]
        await asyncio.sleep(0)
        assert turns.waiting == len(wishes)
        free.set()
        await asyncio.gather(*busy, *asked)
        assert turns.waiting == 0
        turns.stop()

    asyncio.run(ask())
    return done


def test_a_table_that_asks_for_much_waits_for_itself_alone() -> None:
    greedy, other = ("ann", "a"), ("ann", "b")
    assert order_of([greedy] * 4 + [other] * 2) == [greedy, other, greedy, other, greedy, greedy]


def test_a_client_with_many_tables_is_thought_for_as_often_as_one_with_few() -> None:
    many = [("greedy", str(number)) for number in range(6)]
    one = [("ann", "a")] * 3
    assert order_of(many + one) == [many[0], one[0], many[1], one[1], many[2], one[2], *many[3:]]


def test_where_somebody_waits_comes_first_and_the_others_have_every_fourth_turn() -> None:
    done: list[str] = []
    free = threading.Event()
    somebody_waits = False

    async def ask() -> None:
        nonlocal somebody_waits
        turns = Turns(1)
        busy = asyncio.create_task(turns.take("busy", "busy", free.wait))
        await asyncio.sleep(0)
        later = [
            asyncio.create_task(turns.take(f"bots {n}", "t", done.append, f"bots {n}", urgent=lambda: False))
            for n in range(4)
        ]
        ann = [
            asyncio.create_task(turns.take("ann", "a", done.append, f"ann {n}", urgent=lambda: somebody_waits))
            for n in range(4)
        ]
        await asyncio.sleep(0)
        somebody_waits = True  # a page was opened after the wish was made
        free.set()
        await asyncio.gather(busy, *later, *ann)
        turns.stop()

    asyncio.run(ask())
    assert done == ["ann 0", "ann 1", "bots 0", "ann 2", "ann 3", "bots 1", "bots 2", "bots 3"]


@pytest.mark.parametrize("error", [StopIteration("no card"), SystemExit("no card"), KeyboardInterrupt("no card")])
def test_a_call_that_would_end_the_event_loop_or_is_no_error_for_it_fails_alone(error: BaseException) -> None:
    def fails() -> None:
        raise error

    async def ask() -> None:
        turns = Turns(1)
        bad = asyncio.create_task(turns.take("ben", "b", fails))
        fine = asyncio.create_task(turns.take("ann", "a", str, 5))
        assert await asyncio.wait_for(fine, 60) == "5"
        assert bad.done(), "nobody is told of the error"
        with pytest.raises(RuntimeError, match=rf"{type(error).__name__}\(no card\)"):
            await bad
        turns.stop()

    asyncio.run(ask())


def test_who_no_longer_waits_is_passed_over_and_errors_come_back_to_who_asked() -> None:
    ran: list[str] = []
    free = threading.Event()

    def fails() -> None:
        raise ValueError("no such card")

    async def ask() -> None:
        turns = Turns(1)
        busy = asyncio.create_task(turns.take("x", "x", free.wait))
        gone = asyncio.create_task(turns.take("ann", "a", ran.append, "gone"))
        bad = asyncio.create_task(turns.take("ben", "b", fails))
        told: list[str] = []
        last = asyncio.create_task(turns.take("cid", "c", ran.append, "last", begins=lambda: told.append("begins")))
        await asyncio.sleep(0)
        gone.cancel()
        free.set()
        await busy
        with pytest.raises(ValueError, match="no such card"):
            await bad
        await last
        assert told == ["begins"]
        turns.stop()

    asyncio.run(ask())
    assert ran == ["last"]


def test_a_table_of_another_client_goes_on_while_one_client_keeps_all_threads_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twenty tables of one client think without a pause; a person at another address waits for one thought, not for twenty."""
    with server(workers=1) as client:
        tables: Any = client.app.app.state.tables  # type: ignore[attr-defined]
        take = tables.turns.take
        begun: list[str] = []
        waited: list[int] = []  # turns given to the others between a wish of hers and its turn
        free = threading.Event()

        async def watched(who: str, *wish: Any, begins: Callable[[], None] | None = None, **other: Any) -> Any:
            asked = len(begun)

            def begin() -> None:
                if who != "greedy":
                    waited.append(begun[asked:].count("greedy"))
                begun.append(who)
                if begins is not None:
                    begins()

            return await take(who, *wish, begins=begin, **other)

        monkeypatch.setattr(tables.turns, "take", watched)

        async def fill() -> list[Any]:
            return [
                asyncio.ensure_future(tables.turns.take("greedy", str(number), free.wait, 60)) for number in range(20)
            ]

        asked = client.portal.call(fill)  # type: ignore[union-attr]
        monkeypatch.setattr("molehunt.web.running_table.TOLD_AFTER", 0.05)
        with line(client, open_table(client, setup("duel", 1))) as ann:
            ann.until(lambda frame: frame["waits"])
            assert ann.frame["preparing"]
            assert tables.turns.waiting == 20
            free.set()
            ann.until(lambda frame: frame["position"] and not frame["waits"])
            assert waited and max(waited) <= 1

            async def end() -> None:
                assert all(await asyncio.gather(*asked))

            client.portal.call(end)  # type: ignore[union-attr]
        assert begun.count("greedy") == 20


def test_somebody_new_comes_before_a_crowd_of_which_each_has_had_a_turn() -> None:
    done: list[str] = []
    crowd = [f"greedy {number}" for number in range(40)]

    async def ask() -> None:
        turns = Turns(1)
        await asyncio.gather(*(turns.take(one, "first", done.append, one) for one in crowd))
        free = threading.Event()
        busy = asyncio.create_task(turns.take("busy", "busy", free.wait))
        await asyncio.sleep(0)
        asked = [asyncio.create_task(turns.take(one, "next", done.append, one)) for one in [*crowd, "ann"]]
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(busy, *asked)
        turns.stop()

    asyncio.run(ask())
    # At most one turn of four goes by the time of waiting alone.
    assert done[: len(crowd)] == crowd
    assert done.index("ann", len(crowd)) <= len(crowd) + 1


def test_long_thoughts_count_as_several_turns_and_are_forgotten_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("molehunt.web.turns.LONG", 0.01)
    done: list[str] = []

    async def ask(lately: float) -> list[str]:
        monkeypatch.setattr("molehunt.web.turns.LATELY", lately)
        turns = Turns(1)
        await turns.take("slow", "s", time.sleep, 0.06)
        for number in range(2):
            await turns.take("quick", "q", done.append, str(number))
        await asyncio.sleep(0.05)
        done.clear()
        free = threading.Event()
        busy = asyncio.create_task(turns.take("busy", "busy", free.wait))
        await asyncio.sleep(0)
        for one in range(4):  # each look forgets half
            turns._forget(time.monotonic() + one * 0.02)
        asked = [asyncio.create_task(turns.take(one, "t", done.append, one)) for one in ("slow", "slow", "quick")]
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(busy, *asked)
        turns.stop()
        return [*done]

    assert asyncio.run(ask(1e6)) == ["quick", "slow", "slow"]
    assert asyncio.run(ask(0.001)) == ["slow", "quick", "slow"]


def test_what_nobody_waits_for_any_longer_is_taken_out_of_the_line() -> None:
    async def ask() -> int:
        turns = Turns(1)
        free = threading.Event()
        busy = asyncio.create_task(turns.take("busy", "busy", free.wait))
        asked = [asyncio.create_task(turns.take("ann", "a", print)) for _ in range(3)]
        await asyncio.sleep(0)
        for one in asked[:2]:
            one.cancel()
        await asyncio.sleep(0)
        left = turns.waiting
        free.set()
        await asyncio.gather(busy, asked[2])
        turns.stop()
        return left

    assert asyncio.run(ask()) == 1


THINKS_FOR_EVER = """
import asyncio
import threading
from molehunt.web.turns import Turns

async def serve():
    turns = Turns(1)
    asyncio.ensure_future(turns.take("client", "table", threading.Event().wait))
    await asyncio.sleep(0.1)
    turns.stop()

asyncio.run(serve())
print("The server has stopped")
"""


def test_a_program_ends_whatever_is_still_thought() -> None:
    ended = subprocess.run([sys.executable, "-c", THINKS_FOR_EVER], capture_output=True, timeout=30, check=True)
    assert (ended.stdout, ended.stderr) == (b"The server has stopped\n", b"")
