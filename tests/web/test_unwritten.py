"""What a server does where its store cannot be written: nothing that was not kept is shown, and it goes on when it can."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from molehunt.core.errors import BadInput
from molehunt.web.store import Link, Row, Store
from web.people import GAMES, bots, line, open_table, server, setup, some_move


def wait_for(is_so: Callable[[], bool]) -> None:
    """Wait until something is so that the server does by itself; the test fails where it does not."""
    ends = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.01)


@pytest.mark.parametrize("instead", ["", "a letter"])
def test_a_file_that_is_removed_under_the_server_is_written_again(
    instead: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And where another file lies there by then, that one is left alone until somebody puts it elsewhere."""
    monkeypatch.setattr("molehunt.web.tables.SWEEP", 0.02)
    path = tmp_path / "tables.sqlite"
    with server(path) as client:
        token = open_table(client, setup("duel", 1))
        with line(client, token) as ann:
            ann.play_on(2)
            for file in tmp_path.iterdir():
                file.unlink()
            if instead:
                path.write_text(instead)
            wait_for(lambda: bool(caplog.messages))
            ann.play_on(1)
            if instead:
                assert path.read_text() == instead
                assert caplog.messages[0].startswith(
                    f"what is played now is lost when the server stops: another file lies at {path} by now; put it elsewhere"
                )
                path.unlink()
            wait_for(lambda: caplog.messages[-1].endswith("was removed; all tables were written there again"))
            ann.play_on(1)
            ann.my_move()
            before = ann.frame["moves"], ann.log
        with pytest.raises(BadInput, match="another server uses"):
            Store(path)
    with server(path) as client, line(client, token) as ann:
        ann.my_move()
        assert (ann.frame["moves"], ann.log) == before


def test_what_sqlite_puts_beside_a_new_file_is_as_private_as_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    store = Store(path)
    store.add_table(Row("t", b"", b"", (Link("secret", 0, owner=True),), ()))
    beside = [found for found in tmp_path.iterdir() if found != path]
    assert beside and not any(found.stat().st_mode & 0o077 for found in (path, *beside))
    store.close()


def test_a_file_that_is_none_of_tables_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "letter"
    path.write_text("Dear Ann, you may keep the gold. " * 20)
    os.utime(path, (1.0, 1.0))
    with pytest.raises(BadInput, match="file is not a database"):
        Store(path)
    assert path.stat().st_mtime == 1.0 and path.read_text().startswith("Dear Ann")


def test_what_nobody_uses_is_cleared_away_also_after_a_time_when_nothing_could_be_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("molehunt.web.tables.SWEEP", 0.01)
    full = threading.Event()

    def fails_once(store: Store, *times: float) -> list[str]:
        if not full.is_set():
            full.set()
            raise sqlite3.OperationalError("database or disk is full")
        return drop_idle(store, *times)

    drop_idle = Store.drop_idle
    monkeypatch.setattr(Store, "drop_idle", fails_once)
    with server(keep_hours=0.0) as client:
        token = open_table(client, setup("duel", 1))
        tables: Any = client.app.app.state.tables  # type: ignore[attr-defined]
        for name in tables.store.tables():
            tables._unload(name)
        assert full.wait(10)
        time.sleep(0.2)
        assert client.get(f"/t/{token}").status_code == 404


@contextmanager
def unwritten(client: TestClient) -> Iterator[None]:
    """While inside, nothing can be written to the store of a server, as on a full disk."""
    store: Any = client.app.app.state.tables.store  # type: ignore[attr-defined]
    store._db.execute("pragma query_only = on")
    yield
    store._db.execute("pragma query_only = off")


UNWRITTEN = "attempt to write a readonly database"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("stays", [True, False])
def test_a_move_that_cannot_be_kept_stops_the_table_until_it_can_and_not_the_server_which_logs_it(
    game: str, stays: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whose page stays open sees the game go on by itself, and who went away when they come again."""
    monkeypatch.setattr("molehunt.web.tables.SWEEP", 0.05 if stays else 1e6)
    path = tmp_path / "tables.sqlite"
    with server(path) as client, ExitStack() as pages:
        token = open_table(client, setup(game, bots(game), hide=True))
        ann = pages.enter_context(line(client, token))
        ann.play_on(2)
        ann.my_move()
        before = ann.frame["moves"], ann.log
        with unwritten(client):
            ann.say(do="play", move=some_move(ann.frame), at=ann.frame["moves"])
            ann.until(lambda frame: frame["over"])
            assert UNWRITTEN in ann.frame["over"]["text"]
            # It goes on, so nothing is told yet that is told at the end.
            assert [seat["agent"] for seat in ann.frame["seats"][1:]] == [None] * bots(game)
            assert not {"why", "beliefs", "again"} & set(ann.frame["can"])
            assert "for games that are over" in ann.ask(do="why", move=1, secret=True)["reason"]
            assert client.get("/").status_code == 200
        if not stays:
            ann = pages.enter_context(line(client, token))
        ann.until(lambda frame: frame["mine"] and not frame["over"])
        assert (ann.frame["moves"], ann.log) == before
        ann.play_on()
        assert ann.frame["over"]["replay"]
        assert len(ann.log) == ann.frame["moves"]
    told = f"{path}: {UNWRITTEN}; let this server write the file and its folder"
    assert f"a move at a table of {game} could not be kept: {told}" in caplog.messages
    assert not any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("game", GAMES)
def test_at_a_table_whose_last_move_cannot_be_kept_nothing_is_shown_of_the_end(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was over, nobody had won, and all cards lay open, before the last move was made again."""
    monkeypatch.setattr("molehunt.web.tables.SWEEP", 0.05)
    add_move = Store.add_move
    full = True

    def fails_at_the_end(store: Store, name: str, number: int, move: str) -> None:
        tables: Any = client.app.app.state.tables  # type: ignore[attr-defined]
        if full and tables._tables[name].session.outcome is not None:
            raise sqlite3.OperationalError("database or disk is full")
        add_move(store, name, number, move)

    monkeypatch.setattr(Store, "add_move", fails_at_the_end)
    with server() as client, line(client, open_table(client, setup(game, bots(game)))) as ann:
        ann.play_on()
        # Between two tries to keep the move, the game is not at hand for a moment.
        frame = ann.until(lambda frame: frame["over"] and frame["position"])
        assert frame["over"]["stopped"] and "database or disk is full" in frame["over"]["text"]
        assert frame["over"]["winners"] == [] and frame["to_move"] is not None
        assert len(ann.log) == frame["moves"]
        assert not {"roles", "hands", "drawings"} & {name for name, shown in frame["position"].items() if shown}
        stopped_after = frame["moves"]
        full = False
        ann.until(lambda frame: not frame["over"])
        ann.play_on()
        assert not ann.frame["over"]["stopped"] and ann.frame["over"]["replay"]
        assert ann.frame["moves"] > stopped_after


def test_what_an_artificial_player_does_is_kept_too_before_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("molehunt.web.tables.SWEEP", 0.05)
    with server() as client:
        with unwritten(client), pytest.raises(AssertionError, match=f"cannot keep this just now .{UNWRITTEN}"):
            open_table(client, setup("saboteur", 2))
        with line(client, open_table(client, setup("saboteur", 2))) as ann:
            ann.my_move()
            add_move, own = Store.add_move, ann.frame["moves"] + 1

            def fails_for_others(store: Store, table: str, number: int, move: str) -> None:
                if number > own:
                    raise sqlite3.OperationalError("database or disk is full")
                add_move(store, table, number, move)

            monkeypatch.setattr(Store, "add_move", fails_for_others)
            ann.say(do="play", move=some_move(ann.frame), at=ann.frame["moves"])
            ann.until(lambda frame: frame["over"])
            assert "database or disk is full" in ann.frame["over"]["text"]
            monkeypatch.setattr(Store, "add_move", add_move)
            ann.until(lambda frame: not frame["over"])
            ann.play_on()
            assert ann.frame["over"]["replay"]


def test_what_cannot_be_kept_is_as_it_was_and_a_replay_is_shown_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    with server() as client:
        with line(client, open_table(client, setup("duel", 1))) as cid:
            cid.play_on()
            replay = cid.frame["over"]["replay"]
        owner = open_table(client, setup("duel", 0, friends=1))
        with line(client, owner) as ann:
            ann.hear()
            with line(client, ann.frame["seats"][1]["link"].removeprefix("/t/")) as ben:
                ben.hear()
                with unwritten(client):
                    for page, wish in (
                        (ben, {"do": "sit", "name": "Ben"}),
                        (ann, {"do": "start"}),
                        (ann, {"do": "say", "text": "Hello"}),
                    ):
                        told = page.ask(**wish)["reason"]
                        assert told.startswith("The server cannot keep this just now (") and UNWRITTEN in told
                    assert client.get(replay).status_code == client.get(f"/api{replay}").status_code == 200
                    answer = client.post("/api/tables", json=setup("duel", 1))
                    assert answer.status_code == 503 and UNWRITTEN in answer.json()["error"]
                ben.say(do="sit", name="Ben")
                ben.until(lambda frame: frame["phase"] == "playing" and frame["position"])
                assert [seat["name"] for seat in ben.frame["seats"]] == ["Ann", "Ben"]
                assert ann.until(lambda frame: frame["position"])["talk"] == []
    assert len(caplog.records) == 4
    assert all(record.exc_info is None and UNWRITTEN in record.getMessage() for record in caplog.records)


def test_the_end_of_a_game_that_cannot_be_kept_is_told_and_kept_when_somebody_comes_again(tmp_path: Path) -> None:
    with server(tmp_path / "tables.sqlite") as client:
        store: Any = client.app.app.state.tables.store  # type: ignore[attr-defined]
        store._db.execute("alter table replays rename to others")
        token = open_table(client, setup("duel", 1))
        with line(client, token) as ann:
            ann.play_on()
            over = ann.until(lambda frame: frame["over"])["over"]
            assert "cannot go on" not in over["text"]
            assert over["replay"] == ""
        store._db.execute("alter table others rename to replays")
        with line(client, token) as ann:
            over = ann.until(lambda frame: frame["over"])["over"]
            assert client.get(f"/api{over['replay']}").json()["outcome"]["winners"] == over["winners"]
        assert [one.played for one in store.totals()] == [1]
