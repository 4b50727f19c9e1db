"""Tables that are open to all: the lobby lists them, and who joins one gets a seat that nobody else can see."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from starlette.testclient import TestClient

from molehunt.web.store import Store
from web.people import Frame, agents, line, open_table, server, setup

OPEN = setup("duel", 0, friends=1, listed=True)


def listed(client: TestClient) -> list[Frame]:
    found: list[Frame] = client.get("/api/tables").json()
    return found


def join(client: TestClient, table: str, name: str = "Ben") -> Any:
    return client.post("/api/join", json={"table": table, "name": name})


def first_frame(client: TestClient, token: str) -> Frame:
    with line(client, token) as page:
        return page.until(lambda frame: True)


def test_the_lobby_lists_what_is_open_to_all_and_nothing_else() -> None:
    with server() as client:
        open_table(client, setup("duel", 0, friends=1))
        assert listed(client) == []
        open_table(client, OPEN)
        (shown,) = listed(client)
        assert (shown["label"], shown["names"], shown["free"]) == ("The duel · The race to the nugget", ["Ann"], 1)
        assert shown["token"] in client.get("/").text


def test_who_joins_sits_at_an_address_of_their_own_and_the_old_one_leads_nowhere() -> None:
    with server() as client, line(client, open_table(client, OPEN)) as ann:
        meant_for_a_friend = ann.until(lambda frame: True)["seats"][1]["link"].removeprefix("/t/")
        with line(client, f"{meant_for_a_friend}?lang=de") as friend:
            friend.until(lambda frame: frame["you"] == 1)
            link = join(client, listed(client)[0]["token"]).json()["link"]
            while not friend.letters:
                friend.hear()
            assert friend.letters[-1]["type"] == "gone"
            assert friend.letters[-1]["reason"] == "Jemand anders hat diesen Platz eingenommen."
            assert friend.frame["position"] is None
        assert client.get(f"/t/{meant_for_a_friend}").status_code == 404
        token = link.removeprefix("/t/")
        with line(client, token) as ben:
            assert ben.until(lambda frame: frame["position"])["you"] == 1
        ann.until(lambda frame: frame["position"])
        assert ann.frame["seats"][1]["name"] == "Ben"
        assert not any(token in raw for raw in ann.raw)
        (shown,) = listed(client)
        assert (shown["phase"], shown["free"]) == ("playing", 0)
        with line(client, shown["token"]) as eve:
            frame = eve.until(lambda frame: frame["position"])
            assert frame["you"] is None and not frame["creator"]
            assert not any(token in raw for raw in eve.raw)


def test_where_it_cannot_be_kept_that_somebody_joins_nobody_has_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The new address was in the store by then, and nobody had it: the seat was lost to all."""
    with server() as client, line(client, open_table(client, OPEN)) as ann:
        meant_for_a_friend = ann.until(lambda frame: True)["seats"][1]["link"].removeprefix("/t/")
        with line(client, meant_for_a_friend) as friend:
            friend.until(lambda frame: frame["you"] == 1)
            with monkeypatch.context() as full:

                def fails(*_: Any) -> None:
                    raise sqlite3.OperationalError("database or disk is full")

                full.setattr(Store, "set_state", fails)
                refused = join(client, listed(client)[0]["token"])
                assert refused.status_code == 503 and "database or disk is full" in refused.json()["error"]
            (shown,) = listed(client)
            assert (shown["phase"], shown["free"], shown["names"]) == ("waiting", 1, ["Ann"])
            assert client.get(f"/t/{meant_for_a_friend}").status_code == 200
            friend.say(do="sit", name="Ben")
            friend.until(lambda frame: frame["position"])
            assert friend.letters == []
        ann.until(lambda frame: frame["position"])
        assert ann.frame["seats"][1]["name"] == "Ben"


def test_a_seat_that_was_joined_is_kept(tmp_path: Any) -> None:
    path = tmp_path / "tables.sqlite"
    with server(path) as client:
        open_table(client, OPEN)
        link = join(client, listed(client)[0]["token"]).json()["link"]
    with server(path) as client, line(client, link.removeprefix("/t/")) as ben:
        assert ben.until(lambda frame: frame["position"])["you"] == 1


@pytest.mark.parametrize(
    ("name", "wish", "told"),
    [
        ("Ben", setup("duel", 0, friends=1), "for those who were sent a link"),
        ("ann", OPEN, "somebody at the table is called ann"),
        ("You", OPEN, "You is whoever reads it; choose another name"),
        ("Du", OPEN, "Du is whoever reads it; choose another name"),
        ("", OPEN, "a name has 1 to 24 letters"),
        ("Ben", setup("duel", 1, listed=True), "all seats of this table are taken"),
    ],
)
def test_nobody_joins_where_they_may_not(name: str, wish: Frame, told: str) -> None:
    with server() as client:
        ann_token = open_table(client, wish)
        with line(client, ann_token) as ann:
            names = [seat["name"] for seat in ann.until(lambda frame: True)["seats"]]
            answer = join(client, ann.frame["watch_link"].removeprefix("/t/"), name)
            assert answer.status_code == 400
            assert told.lower() in answer.json()["error"].lower()
        assert [seat["name"] for seat in first_frame(client, ann_token)["seats"]] == names


def test_a_seats_address_is_no_table_to_join_and_what_is_malformed_is_refused() -> None:
    with server() as client:
        token = open_table(client, OPEN)
        assert "address is that of a seat" in join(client, token).json()["error"]
        assert join(client, "nowhere").status_code == 404
        assert client.post("/api/join", content=b"[").status_code == 400


def test_an_address_may_not_take_seat_after_seat() -> None:
    with server(client_tables=3) as client:
        open_table(client, setup("saboteur", 0, friends=4, listed=True))
        table = listed(client)[0]["token"]
        answers = [join(client, table, name).status_code for name in ("Ben", "Cid", "Dan")]
        assert answers == [201, 201, 429]
        assert listed(client)[0]["free"] == 2


def test_who_watches_a_listed_table_of_artificial_players_is_not_its_owner() -> None:
    with server() as client:
        bots = setup("duel") | {"seats": agents("greedy-2020", 2), "listed": True, "pace": 3000}
        owner = open_table(client, bots)
        (shown,) = listed(client)
        assert shown["token"] != owner
        with line(client, shown["token"]) as eve:
            assert not eve.until(lambda frame: True)["creator"]
            assert "only who opened the table" in eve.ask(do="pace", ms=0)["reason"].lower()
        with line(client, owner) as ann:
            assert ann.until(lambda frame: True)["creator"]
            assert owner not in ann.frame["watch_link"]


def test_a_watchers_address_of_an_older_file_is_the_owners_where_there_is_no_other() -> None:
    with server() as client:
        owner = open_table(client, setup("duel") | {"seats": agents("greedy-2020", 2)})
        table, _ = client.app.app.state.tables.find(owner)  # type: ignore[attr-defined]
        table.links = tuple(link for link in table.links if link.owner)
        assert table.watch_link.token == owner
