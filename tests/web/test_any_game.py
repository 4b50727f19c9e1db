"""A game that a package brings is in the lobby, is played, and is looked at again, with no board and no words of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from starlette.testclient import TestClient

from molehunt.agents.ismcts import EDITIONS, Parameters
from molehunt.core.errors import BadInput
from molehunt.core.record import parse_record
from molehunt.core.replay import Replay
from molehunt.games import registry
from molehunt.games.entry import RulesetEntry
from molehunt.games.registry import make_game
from molehunt.table.game_words import first_word
from molehunt.web import running_table
from molehunt.web.face import DrawnPosition, Face, Shown
from molehunt.web.faces import open_position, position
from web import cups
from web.people import agents, line, open_table, server, setup, unpacked

NAMES = ("Ann", "Bob", "Cid")


@pytest.fixture(autouse=True)
def a_guest() -> Iterator[None]:
    with cups.installed():
        yield


def data_of(client: TestClient, path: str, accept: str = "*/*") -> Any:
    """What the script of a page is given."""
    page = client.get(path, headers={"accept": accept}).text
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_an_installed_game_is_in_the_lobby_with_its_rulesets_seats_and_players() -> None:
    with server() as client:
        games = {game["game"]: game for game in data_of(client, "/")["games"]}
    assert {"saboteur", "duel", "speed_clue", "cups"} <= set(games)
    players = games["cups"].pop("agents")
    assert {"name": "peeker", "called": "", "title": "lifts what it has seen"} in players
    assert "random" in [player["name"] for player in players]
    assert "ismcts" in [player["name"] for player in players]
    assert not any(player["name"].startswith("openspiel") for player in players)
    assert games["cups"] == {
        "game": "cups",
        "title": "Cups",
        "rulesets": [{"name": "six", "title": "six cups and one coin", "seats": [2, 4]}],
        "default_agent": "peeker",
    }


def test_a_game_for_one_alone_is_not_in_the_lobby(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cups, "ENTRY", cups.with_rulesets({"six": RulesetEntry("six cups and one coin", 1, 1)}))
    with server() as client:
        assert {game["game"] for game in data_of(client, "/")["games"]} >= {"duel"}
        assert "cups" not in {game["game"] for game in data_of(client, "/")["games"]}


def test_its_page_draws_it_and_tells_its_rules() -> None:
    with server() as client:
        token = open_table(client, setup("cups"))
        assert data_of(client, f"/t/{token}")["script"] == "drawing.js"
        assert cups.RULES in client.get(f"/t/{token}").text
        assert client.get("/rules/cups").text.count(cups.RULES) == 1
        assert "All rules, as the program plays them" in client.get("/rules/duel").text


def test_it_is_played_to_the_end_and_its_replay_needs_no_server() -> None:
    with server() as client:
        with line(client, open_table(client, setup("cups"))) as ann:
            ann.play_on()
            over = ann.frame["over"]
            assert len(ann.frame["position"]["drawings"]) == 3
            assert "the coin" in over["text"]
        record = parse_record(client.get(f"{over['replay']}/record").content)
        moves = len(Replay(record, make_game).actions)
        data = client.get(f"/api{over['replay']}").json()
        assert [len(positions) for positions in data["positions"]] == [moves + 1] * 4
        assert data["boards"] == []
        drawing = f"/api{over['replay']}/drawing?move={moves}&seat="
        seen = [client.get(drawing + seat) for seat in ("public", "0", "1")]
        assert all(answer.text.startswith("<svg") for answer in seen)
        assert len({answer.text for answer in seen}) == 3
        assert client.get(drawing + "nobody").status_code == 400
        assert data["log"][0]["text"].endswith(".")
        page = client.get(f"{over['replay']}/export").text
        assert "class Board" in page
        # Nobody has said how its games are analysed: the rules alone do.
        assert over["analysis"] == f"{over['replay']}#analysis"
        analysis = client.get(f"/api{over['replay']}/analysis").json()
        assert analysis == unpacked(page)["analysis"]
        assert "rules alone" in analysis["rests_on"]
        assert {chart["viewer"] for chart in analysis["charts"]} == {None, 0, 1, 2}
        assert "startReplay(Board)" in page
        assert "/static/" not in page
        assert sum(drawing.startswith("<svg") for drawing in unpacked(page)["boards"]) > moves


def test_the_general_search_plays_at_its_table_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EDITIONS, "plain", Parameters(iterations=6))
    with server() as client:
        seats = [{"kind": "me", "name": "Ann"}, *agents("ismcts", 2)]
        with line(client, open_table(client, setup("cups") | {"seats": seats})) as ann:
            ann.play_on()
            assert "the coin" in ann.frame["over"]["text"]
            told = [ann.ask(do="why", move=move) for move in range(1, ann.frame["moves"] + 1)]
            reasons = [str(one["text"]) for one in told if one["type"] == "reason"]
            searched = [text for text in reasons if "in 6 games that it played on in its head" in text]
            assert searched
            assert all("How often it tried moves" in text for text in searched)


def test_who_watches_is_offered_no_move_and_sees_what_is_public() -> None:
    with server() as client, line(client, open_table(client, setup("cups"))) as ann:
        ann.my_move()
        ann.play("peek:0")
        ann.my_move()
        with line(client, ann.frame["watch_link"].removeprefix("/t/")) as eve:
            eve.until(lambda frame: frame["position"])
            assert eve.frame["position"]["groups"] == []
            assert "data-moves" not in eve.frame["position"]["drawing"]
            assert eve.log[0] == "Ann: peek:0."
        assert ann.log[0].startswith("Ann: peek:0: ")
        assert "data-moves" in ann.frame["position"]["drawing"]


def test_moves_are_offered_in_groups_by_their_first_word_and_only_to_who_may_make_them() -> None:
    game = make_game("cups", "six", 3)
    states = game.new(np.array([1], np.uint64))
    found = position(game, Shown(game.views(states, np.array([0], np.int8)), NAMES, 0))
    assert isinstance(found, DrawnPosition)
    assert [(group.title, len(group.moves)) for group in found.groups] == [("Peek", 6), ("Lift", 6), ("Swap", 15)]
    assert found.groups[0].moves[1].words == "Peek:1"
    assert found.headline == "Your move"
    waiting = position(game, Shown(game.views(states, np.array([1], np.int8)), NAMES, 0))
    assert isinstance(waiting, DrawnPosition)
    assert waiting.groups == []
    assert waiting.headline == "Ann is to move"
    assert first_word("discard:P_EW") == "Discard"
    assert first_word("2,3") == "2"


def test_where_all_cards_are_revealed_the_drawings_of_all_seats_are_shown() -> None:
    game = make_game("cups", "six", 3)
    states = game.new(np.array([1], np.uint64))
    game.apply(states, np.array([2], np.int32))
    found = open_position(game, states, NAMES)
    assert isinstance(found, DrawnPosition)
    assert found.drawings is not None
    assert [("cup 2: not known" in drawing) for drawing in found.drawings] == [False, True, True]
    assert found.drawing is not None
    assert "cup 2: not known" in found.drawing
    assert found.groups == []


def test_what_happened_is_told_in_the_notation_of_the_game_with_names(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("cups", "six", 3)
    states = game.new(np.array([1], np.uint64))
    (events,) = game.apply(states, np.array([2], np.int32))
    face = Face()
    assert face.sentence(game, events[0], NAMES, 0) in ("Ann: peek:2: nothing.", "Ann: peek:2: the coin.")
    assert face.sentence(game, events[1], NAMES, 1) == "Ann: peek:2."
    assert face.sentence(game, game.public_event(events), NAMES, None) == "Ann: peek:2."
    # Where all cards lie open, what may speak to the mover alone is told as what the mover heard.
    found = face.sentence(game, events[0], NAMES, 0).removeprefix("Ann: peek:2: ").rstrip(".")
    assert face.told_openly(game, events, NAMES) == f"Ann: peek:2. Ann alone is told: “{found}”."
    speaking_to_the_mover = {
        True: "seat 0 plays priest on seat 1; you see king",
        False: "seat 0 plays priest on seat 1",
    }
    monkeypatch.setattr(type(game), "format_event", lambda _game, event: speaking_to_the_mover[bool(event["found"])])
    said = face.told_openly(game, events, NAMES)
    assert said == f"Ann plays priest on {NAMES[1]}. Ann alone is told: “you see king”."
    states = game.new(np.array([1], np.uint64))
    (lifted,) = game.apply(states, np.array([game.parse_action("peek:2")], np.int32))
    lifted["found"] = 0
    assert face.told_openly(game, lifted, NAMES) == f"Ann plays priest on {NAMES[1]}."


def leaves(*_: object) -> int:
    """What a player does who takes the server for a program of its own."""
    raise SystemExit(3)


def fails(*_: object) -> int:
    """What a player does who has a fault."""
    return 1 // 0


@pytest.mark.parametrize(("does", "said"), [(fails, "ZeroDivisionError"), (leaves, "SystemExit: 3")])
def test_a_player_that_fails_as_it_is_told_of_a_persons_move_stops_its_table(
    does: Callable[..., object], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(cups.Peeker.troubles, "observe", does)
    with server() as client, line(client, open_table(client, setup("cups"))) as ann:
        ann.my_move()
        ann.say(do="play", move="peek:0", at=ann.frame["moves"])
        ann.until(lambda frame: frame["over"])
        assert ann.frame["over"]["text"].startswith(f"The game cannot go on: peeker failed in observe: {said}")


def test_a_player_that_fails_when_it_is_asked_answers_so_and_keeps_nobody_from_another_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with server() as client, line(client, open_table(client, setup("cups"))) as ann:
        ann.play_on()
        for asked in ("why", "impressions"):
            monkeypatch.setitem(cups.Peeker.troubles, asked, fails)
        mover = next(entry for entry in ann.frame["seats"] if entry["kind"] == "agent")["seat"]
        move = next(
            n for n in range(1, ann.frame["moves"] + 1) if ann.log[n - 1].startswith(ann.frame["seats"][mover]["name"])
        )
        refused = ann.ask(do="why", move=move)
        assert refused["type"] == "refused"
        wording = r"(integer division or modulo|division) by zero \("  # before Python 3.14, and since
        assert re.match(f"Peeker failed in why: ZeroDivisionError: {wording}", refused["reason"])
        assert ann.ask(do="again")["type"] == "moved"


def test_a_game_or_a_player_that_fails_stops_its_table_and_not_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    with server() as client:
        for asked, does, said in (
            ("act", fails, "ZeroDivisionError"),
            ("act", leaves, "SystemExit: 3"),
            ("observe", lambda events: events["seat"][0] and leaves(), "SystemExit: 3"),
        ):
            with monkeypatch.context() as broken, line(client, open_table(client, setup("cups"))) as ann:
                ann.my_move()
                broken.setitem(cups.Peeker.troubles, asked, does)
                ann.say(do="play", move="peek:0", at=ann.frame["moves"])
                ann.until(lambda frame: frame["over"])
                assert ann.frame["over"]["text"].startswith(f"The game cannot go on: peeker failed in {asked}: {said}")
        assert client.get("/").status_code == 200


def lacks(*_: object) -> str:
    """What a game does that draws nothing yet."""
    raise NotImplementedError("no drawing")


@pytest.mark.parametrize(
    ("does", "said"), [(fails, "ZeroDivisionError"), (lacks, "NotImplementedError"), (leaves, "SystemExit")]
)
def test_a_page_is_told_that_a_game_cannot_be_drawn(
    does: Callable[..., object], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cups.Cups, "draw_svg", does)
    with server() as client:
        with line(client, open_table(client, setup("cups"))) as ben:
            while not ben.letters:
                ben.hear()
            assert f"cannot be shown: {said}" in ben.letters[0]["reason"]
        assert client.get("/").status_code == 200


def test_a_game_leaves_a_message_and_not_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    with server() as client, line(client, open_table(client, setup("cups"))) as ann:
        ann.my_move()
        with monkeypatch.context() as broken:
            broken.setattr(cups.Cups, "parse_action", leaves)
            assert "SystemExit" in ann.ask(do="play", move="peek:0", at=ann.frame["moves"])["reason"]
        ann.play("peek:0")


def test_a_game_whose_player_is_not_installed_goes_on_once_it_is_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "tables.sqlite"
    with server(store) as client:
        token = open_table(client, setup("cups", friends=1, bots=1, hide=True))
        with line(client, token) as ann:
            ann.say(do="start")
            ann.my_move()
            ann.play("peek:0")
            log = ann.log
    not_there = BadInput("unknown agent 'peeker'")
    with monkeypatch.context() as without, server(store) as client:
        without.setattr(running_table, "the_player", Mock(side_effect=not_there))
        with line(client, token) as ann:
            assert "unknown agent 'peeker'" in ann.until(lambda frame: frame["over"])["over"]["text"]
            assert [seat["agent"] for seat in ann.frame["seats"]] == [None] * 3  # who is which is still to be found out
            ann.say(do="pace", ms=1)  # what is kept now is kept of a game that goes on
            ann.until(lambda frame: frame["pace"] == 1)
    with server(store) as client, line(client, token) as ann:
        ann.my_move()
        assert ann.log[: len(log)] == log
        ann.play_on()
        assert ann.frame["over"]["replay"]


def test_a_game_that_is_over_tells_its_ending_where_its_players_are_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "tables.sqlite"
    with server(store) as client:
        token = open_table(client, setup("cups"))
        with line(client, token) as ann:
            ann.play_on()
            told = ann.frame["over"]["text"]
    monkeypatch.setattr(running_table, "the_player", Mock(side_effect=BadInput("unknown agent 'peeker'")))
    for _ in range(2):
        with server(store) as client, line(client, token) as ann:
            ann.until(lambda frame: frame["over"])
            with line(client, token) as later:
                assert later.until(lambda frame: frame["over"])["over"]["text"] == told


def test_where_a_game_is_not_installed_any_more_pages_say_so_and_all_others_are_there(tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite"
    with server(store) as client:
        with line(client, open_table(client, setup("cups"))) as ann:
            ann.play_on()
            replay = ann.frame["over"]["replay"]
        token = open_table(client, setup("cups", friends=1, bots=1, listed=True))
    games = {name: entry for name, entry in registry.guests().items() if name != "cups"}
    with pytest.MonkeyPatch.context() as without, server(store) as client:
        without.setattr(registry, "guests", lambda: games)
        for path in (f"/t/{token}", replay):
            page = client.get(path)
            assert page.status_code == 404
            assert "text/html" in page.headers["content-type"]
            assert "nknown game 'cups'" in json.dumps(data_of(client, path))
        assert [one["label"] for one in client.get("/api/tables").json()] == ["cups · six"]
        assert client.get("/").status_code == 200
        assert data_of(client, "/statistics?name=Ann")["games"][0]["name"] == "cups"


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/rules/chess", "There is no game called 'chess'; there are Saboteur, The duel, Speed Clue"),
        ("/t/none/code", "There is no such table; "),
        ("/replay/none/record", "There is no such replay; "),
        ("/nonsense", "There is no such page."),
    ],
)
def test_a_browser_that_asks_for_what_is_not_there_gets_a_page_and_a_program_an_answer_to_read(
    path: str, told: str
) -> None:
    with server() as client:
        accept = "text/html,application/xhtml+xml,*/*;q=0.8"
        page = client.get(path, headers={"accept": accept})
        assert page.status_code == 404
        assert page.headers["content-type"].startswith("text/html")
        assert told in data_of(client, path, accept)["told"]
        read = client.get(path)
        assert read.status_code == 404
        assert told in read.text
        assert "<html" not in read.text


def test_that_a_page_is_not_there_is_a_kind_of_error_and_not_a_matter_of_words() -> None:
    with server() as client:
        for path in ("/t/none", "/replay/none", "/api/replay/none", "/replay/none/record"):
            assert client.get(path).status_code == 404
        wrong = setup("cups") | {"seats": [{"kind": "me", "name": "Ann"}, {"kind": "agent", "agent": "no such"}]}
        assert client.post("/api/tables", json=wrong).status_code == 400
