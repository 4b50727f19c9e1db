"""The statistics of a house: what is counted, of whom, and that nothing of it is lost."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from molehunt.web import house, store
from molehunt.web.store import Result, Store
from web.people import BOTS, Frame, line, open_table, server, setup


def page_of(client: TestClient, name: str = "", language: str = "en") -> Frame:
    """What the page of the statistics is given."""
    spoken = {"accept-language": language}
    text = client.get("/statistics", params={"name": name} if name else {}, headers=spoken).text
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    data: Frame = json.loads(found[1])
    return data


def play(client: TestClient, wish: Frame) -> Frame:
    """Play a game to its end; the last frame."""
    with line(client, open_table(client, wish)) as ann:
        ann.play_on()
        return ann.frame


@pytest.mark.parametrize("game", BOTS)
def test_a_game_is_counted_under_the_name_of_who_played_it(game: str) -> None:
    with server() as client:
        frame = play(client, setup(game, 1 if game == "duel" else 2))
        won = int(0 in frame["over"]["winners"])
        assert page_of(client)["people"] == [{"name": "Ann", "played": 1, "won": won, "practice": 0}]
        of_ann = page_of(client, "ANN")
        title = frame["label"].partition(" · ")[0]
        assert of_ann["name"] == "Ann"
        assert of_ann["games"] == [{"name": title, "played": 1, "won": won, "practice": 0}]
        assert of_ann["company"] == [{"name": f"{BOTS[game]}, {title}", "played": 1, "won": won, "practice": 0}]
        roles = of_ann["roles"]
        if game == "saboteur":
            role, ended = frame["position"]["roles"][0], frame["position"]["ended"]
            side = int(f"{role}s" == ended["team"])
            assert roles == [{"name": f"{role}, {title}", "played": 1, "won": side, "practice": 0}]
            german = page_of(client, "ANN", "de")["roles"][0]["name"]
            assert german == {"miner": "Goldgräber", "saboteur": "Saboteur"}[role] + ", Saboteur"
        else:
            assert roles == []


def test_two_people_count_each_and_meet_each_other_and_practice_is_told_apart() -> None:
    with server() as client:
        token = open_table(client, setup("duel", 0, friends=1))
        with line(client, token) as ann:
            other = ann.until(lambda frame: True)["seats"][1]["link"].removeprefix("/t/")
            with line(client, other) as ben:
                ben.say(do="sit", name="Ben")
                for person in (ann, ben):
                    person.until(lambda frame: frame["position"])
                while not ann.frame["over"]:
                    mover = ann if ann.frame["mine"] else ben
                    mover.my_move()
                    mover.play()
                    for person in (ann, ben):
                        while person.frame["moves"] < mover.frame["moves"]:
                            person.hear()
        play(client, setup("duel", 1, practice=True))
        people = {one["name"]: (one["played"], one["practice"]) for one in page_of(client)["people"]}
        assert people == {"Ann": (2, 1), "Ben": (1, 0)}
        assert [one["name"] for one in page_of(client, "Ben")["company"]] == ["Ann (a person), The duel"]
        assert [one["name"] for one in page_of(client, "Ben", "de")["games"]] == ["Das Duell"]


def test_who_has_not_said_a_name_is_not_counted_and_a_house_may_keep_nothing() -> None:
    assert {"Guest", "Gast"} <= house.unnamed()
    with server() as client:
        for name in ("Guest", "Gast"):
            nameless = setup("duel", 1)
            nameless["seats"] = [{"kind": "me", "name": name}, *nameless["seats"][1:]]
            play(client, nameless)
        assert page_of(client)["people"] == []
    with server(statistics=False) as client:
        play(client, setup("duel", 1))
        assert page_of(client, "Ann") == page_of(client) | {"kept": False}
        assert "<title>Statistik - molehunt</title>" in client.get("/statistics?lang=de").text
        assert client.app.app.state.tables.store.totals() == []  # type: ignore[attr-defined]
        assert '"statistics": false' in client.get("/").text


def test_a_game_whose_last_move_was_kept_and_whose_end_was_not_is_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tables.sqlite"

    def killed(*_: Any) -> None:
        raise SystemError("the machine stopped here")

    with monkeypatch.context() as patched, server(path) as client:
        patched.setattr(Store, "end_table", killed)
        patched.setattr(Store, "set_state", lambda *_: None)
        token = open_table(client, setup("duel", 1))
        with line(client, token) as ann:
            ann.play_on()
        assert page_of(client)["people"] == []
    for _ in range(2):  # once it is taken up, and once it is over
        with server(path) as client:
            with line(client, token) as ann:
                ann.until(lambda frame: frame["over"] and frame["position"])
            assert [one["played"] for one in page_of(client)["people"]] == [1]


def test_the_latest_results_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_RESULTS", 3)
    kept = Store()
    for number in range(5):
        monkeypatch.setattr(time, "time", lambda number=number: float(number))
        kept.end_table(f"table {number}", b"{}", [Result(0, f"P{number}", "duel", True, False, (), ())])
    assert {one.name for one in kept.totals()} == {"P2", "P3", "P4"}
    kept.close()
