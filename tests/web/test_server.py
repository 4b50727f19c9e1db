"""The server of the browser table, spoken to over HTTP and WebSockets: games, links, refusals, limits, and coming back."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.websockets import WebSocketDisconnect

from molehunt.agents.entry import LEVEL_WORDS
from molehunt.agents.registry import Agents
from molehunt.analysis.analyse import analyse
from molehunt.analysis.daily import puzzle_of, read_day
from molehunt.core.errors import BadInput
from molehunt.core.places import signed_places
from molehunt.core.record import Record, parse_record
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.table import reasons
from molehunt.table.session import Session, Sitter
from molehunt.terminal import saving
from molehunt.web import table
from molehunt.web.messages import SeatWish, Setup
from molehunt.web.offers import check_setup, lobby
from molehunt.web.questions import answer
from molehunt.web.store import Store
from web.people import BOTS, GAMES, HERE, agents, bots, line, open_table, server, setup, unpacked


@pytest.mark.parametrize("game", GAMES)
def test_a_game_played_over_the_line_ends_in_a_record_that_replays(game: str) -> None:
    with server() as client:
        token = open_table(client, setup(game, bots(game)))
        with line(client, token) as ann:
            ann.play_on()
            over = ann.frame["over"]
            assert len(ann.log) == ann.frame["moves"]
        record = parse_record(client.get(f"{over['replay']}/record").content)
        assert record.seats[0] == "person:Ann"
        assert list(record.ending.winners) == over["winners"]
        assert Replay(record, make_game).actions
        data = client.get(f"/api{over['replay']}").json()
        assert [len(line_) for line_ in data["positions"]] == [len(record.moves) + 1] * (len(record.seats) + 1)
        assert len(data["log"]) == len(record.moves)


def test_an_export_holds_all_of_a_replay_and_needs_nothing_else() -> None:
    with server() as client:
        with line(client, open_table(client, setup("duel", 1))) as ann:
            ann.play_on()
            replay = ann.frame["over"]["replay"]
            assert ann.frame["over"]["analysis"] == f"{replay}#analysis"
        page = client.get(f"{replay}/export").text
        record = parse_record(client.get(f"{replay}/record").content)
        data = unpacked(page)
        assert tuple(data["record"]["moves"]) == record.moves
        # The analysis that the server gives is that of the library, with the names of those who played.
        found = client.get(f"/api{replay}/analysis").json()
        assert data["analysis"] == found
        with signed_places():
            assert found == json.loads(msgspec.json.encode(analyse(Replay(record, make_game), data["seats"])))
        assert record.ending.reason not in data["title"]
        assert "/static/" not in page


@pytest.mark.thorough
def test_the_export_of_a_round_is_below_a_megabyte() -> None:
    with server() as client:
        record = a_round()
        link = client.post("/api/replay", content=record.line()).json()["link"]
        page = client.get(f"{link}/export").content
        assert 100_000 < len(page) < 1_000_000
        data = client.get(f"/api{link}").json()
        assert data["title"] == "Saboteur with Alice, Bob, Carol, Dave and Eve"


def a_round() -> Record:
    """A round of five players with Kripke models: of all games, its beliefs take most room."""
    sitters = [Sitter(str(seat), Agents("saboteur").make("kripke-2012")) for seat in range(5)]
    session = Session(make_game("saboteur", "official+talk:rounds=1", 5), sitters, 4)
    while session.step():
        pass
    return session.record()


def test_an_address_is_shown_as_a_code_and_an_unknown_one_is_not() -> None:
    with server() as client:
        token = open_table(client, setup("saboteur", bots=1, friends=1))
        codes = [client.get(path) for path in ("/code", f"/t/{token}/code")]
        assert [code.headers["content-type"] for code in codes] == ["image/svg+xml"] * 2
        assert f"/t/{token}" in codes[1].text and token not in codes[0].text
        assert client.get("/t/nobody/code").status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_a_page_opened_again_is_sent_all_that_its_seat_has_seen(game: str) -> None:
    with server() as client:
        token = open_table(client, setup(game, bots(game)))
        with line(client, token) as ann:
            ann.play_on(3)
            ann.my_move()
            seen, log = ann.frame, ann.log
        with line(client, token) as again:
            again.until(lambda frame: frame["moves"] == seen["moves"])
            assert again.log == log
            assert again.frame["position"] == seen["position"]


@pytest.mark.parametrize("game", GAMES)
def test_every_table_goes_on_from_its_last_move_after_a_restart(game: str, tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite"
    with server(store) as client:
        token = open_table(client, setup(game, bots(game)))
        with line(client, token) as ann:
            ann.play_on(2)
            seen = ann.my_move()
            log = ann.log
    with server(store) as client, line(client, token) as ann:
        ann.until(lambda frame: frame["moves"] >= seen["moves"] and frame["position"])
        assert ann.log == log
        assert ann.frame["position"] == seen["position"]
        ann.play_on()
        assert ann.frame["over"]


def test_friends_sit_down_by_their_links_and_play_with_artificial_players() -> None:
    with server() as client:
        token = open_table(client, setup("saboteur", bots=1, friends=2))
        with line(client, token) as ann:
            ann.until(lambda frame: frame["phase"] == "waiting")
            links = [seat["link"] for seat in ann.frame["seats"] if seat["kind"] == "open"]
            assert len(links) == 2
            with line(client, links[0].removeprefix("/t/")) as ben, line(client, links[1].removeprefix("/t/")) as cid:
                assert ben.ask(do="sit", name="ann")["reason"].startswith("Somebody at the table is called ann")
                assert "1 to 24 letters" in ben.ask(do="sit", name=" ")["reason"]
                ben.say(do="sit", name="Ben")
                assert cid.ask(do="start")["type"] == "refused"
                cid.say(do="sit", name="Cid")
                people = [ann, ben, cid]
                for number in range(30):
                    for person in people:
                        person.until(lambda frame, number=number: frame["position"] and frame["moves"] >= number)  # type: ignore[misc]
                    mover = next((person for person in people if person.frame["mine"]), None)
                    if mover is not None:
                        mover.play()
                    if ann.frame["over"]:
                        break
                assert [seat["name"] for seat in ann.frame["seats"]][:3] == ["Ann", "Ben", "Cid"]
                assert ann.frame["position"]["hand"] != ben.frame["position"]["hand"]


def test_who_opened_the_table_may_begin_with_artificial_players_on_the_open_seats() -> None:
    with server() as client, line(client, open_table(client, setup("saboteur", bots=1, friends=1))) as ann:
        ann.until(lambda frame: "start" in frame["can"])
        ann.say(do="start")
        ann.my_move()
        assert [seat["kind"] for seat in ann.frame["seats"]] == ["person", "agent", "agent"]


def test_whose_seat_an_artificial_player_has_taken_watches_also_in_the_next_game() -> None:
    with server() as client, line(client, open_table(client, setup("saboteur", bots=1, friends=1))) as ann:
        ann.until(lambda frame: "start" in frame["can"])
        late = ann.frame["seats"][1]["link"].removeprefix("/t/")
        with line(client, late) as ben:
            assert ben.hear()["you"] == 1
            ann.say(do="start")
            assert ben.until(lambda frame: frame["position"])["you"] is None
            assert ben.frame["position"]["hand"] is None
            ann.play_on()
            ann.say(do="again")
            while not ben.letters:
                ben.hear()
            with line(client, ben.letters[-1]["link"].removeprefix("/t/")) as cid:
                assert cid.until(lambda frame: frame["position"])["you"] is None
        with line(client, late) as cid:
            assert cid.until(lambda frame: frame["over"])["you"] is None


def test_who_watches_sees_what_is_public_and_does_not_play() -> None:
    with server() as client, line(client, open_table(client, setup("saboteur"))) as ann:
        ann.my_move()
        with line(client, ann.frame["watch_link"].removeprefix("/t/")) as eve:
            eve.until(lambda frame: frame["position"])
            assert eve.frame["position"]["hand"] is None
            assert eve.frame["position"]["moves"] == []
            move = ann.frame["position"]["moves"][0]["move"]
            assert "does not play" in eve.ask(do="play", move=move, at=ann.frame["moves"])["reason"]
            assert eve.frame["you"] is None


def test_artificial_players_play_a_table_at_which_nobody_sits() -> None:
    with server() as client:
        # Not at full speed from the start, or the game might be over before the other pace is heard.
        wish = setup("duel", pace=300) | {"seats": agents("greedy-2020", 2)}
        with line(client, open_table(client, wish)) as eve:
            eve.say(do="pace", ms=5)
            eve.until(lambda frame: frame["over"])
            assert eve.frame["pace"] == 5
            link = eve.ask(do="again")["link"]
        with line(client, link.removeprefix("/t/")) as eve:
            eve.until(lambda frame: frame["over"])


def test_who_asks_twice_for_another_game_is_led_to_the_same_table_until_that_is_over() -> None:
    wish = setup("duel", pace=300) | {"seats": agents("greedy-2020", 2)}
    with server() as client, line(client, open_table(client, wish)) as eve:
        eve.say(do="pace", ms=5)
        eve.until(lambda frame: frame["over"])
        eve.say(do="again")
        link = eve.ask(do="again")["link"]
        while len(eve.letters) < 2:
            eve.hear()
        assert {letter["link"] for letter in eve.letters} == {link}
        with line(client, link.removeprefix("/t/")) as second:
            second.until(lambda frame: frame["over"])
        assert eve.ask(do="again")["link"] != link


def test_who_comes_back_to_a_table_that_plays_again_is_told_where_also_by_a_server_that_began_anew(
    tmp_path: Path,
) -> None:
    wish = setup("duel") | {"seats": agents("greedy-2020", 2)}
    store = tmp_path / "tables.sqlite"
    with server(store) as client:
        token = open_table(client, wish)
        with line(client, token) as eve:
            watching = eve.until(lambda frame: frame["over"])["watch_link"]
            assert eve.frame["over"]["following"] == ""
            link = eve.ask(do="again")["link"]
    with server(store) as client:
        with line(client, token) as eve:
            assert eve.until(lambda frame: frame["over"])["over"]["following"] == link
        with line(client, watching.removeprefix("/t/")) as bob:
            following = bob.until(lambda frame: frame["over"])["over"]["following"]
        with line(client, following.removeprefix("/t/")) as bob:
            assert bob.hear()["creator"] is False


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("", "not understood"),
        ("{", "not understood"),
        ("[1]", "not understood"),
        ('{"do":"fly"}', "not understood"),
        ('{"do":"play"}', "not understood"),
        ('{"do":"play","move":7,"at":0}', "not understood"),
        ('{"do":"play","move":"map:top","at":-1}', "not understood"),
        ('{"do":"play","move":"map:top","at":0,"seat":1}', "not understood"),
        ('{"do":"play","move":"dig","at":AT}', "'dig' is not a move"),
        ('{"do":"play","move":"P_NSEW@3,3","at":AT}', ""),
        ('{"do":"play","move":"discard:?","at":AT}', ""),
        ('{"do":"play","move":"map:top","at":999}', "moved on"),
        ('{"do":"play","move":"' + "x" * 3000 + '","at":AT}', "too long"),
        ('{"do":"undo"}', "practice games only"),
        ('{"do":"hint"}', "practice games"),
        ('{"do":"why","move":1}', "practice games"),
        ('{"do":"beliefs","move":null}', "practice games"),
        ('{"do":"sit","name":"Eve"}', "before the game begins"),
        ('{"do":"start"}', "has begun"),
        ('{"do":"again"}', "is over"),
    ],
)
def test_what_is_not_legal_is_refused_with_the_reason_and_the_table_stays(message: str, reason: str) -> None:
    with server() as client, line(client, open_table(client, setup("saboteur"))) as ann:
        before = ann.my_move()
        log = ann.log
        ann.socket.send_text(message.replace("AT", str(before["moves"])))
        while not ann.letters:
            ann.hear()
        assert ann.letters[-1]["type"] == "refused"
        assert reason in ann.letters[-1]["reason"]
        ann.play()
        assert ann.frame["moves"] > before["moves"]
        assert ann.log[: before["moves"]] == log


def test_nobody_plays_for_another_seat() -> None:
    with server() as client, line(client, open_table(client, setup("saboteur", bots=1, friends=1))) as ann:
        ann.until(lambda frame: frame["phase"] == "waiting")
        link = next(seat["link"] for seat in ann.frame["seats"] if seat["link"])
        with line(client, link.removeprefix("/t/")) as ben:
            ben.say(do="sit", name="Ben")
            for _ in range(6):
                ann.until(lambda frame: frame["position"] and (frame["to_move"] in (0, 1)))
                ben.until(lambda frame: frame["moves"] == ann.frame["moves"] and frame["position"])
                mover, other = (ann, ben) if ann.frame["mine"] else (ben, ann)
                move = mover.frame["position"]["moves"][0]["move"]
                refused = other.ask(do="play", move=move, at=mover.frame["moves"])
                assert refused == {"type": "refused", "reason": "It is not this seat's move.", "of": "play"}
                mover.play()
                other.until(lambda frame, done=mover.frame["moves"]: frame["moves"] >= done)  # type: ignore[misc]


def test_a_page_that_waits_for_what_never_comes_fails_and_says_what_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.people.PATIENCE", 0.2)
    with server() as client, line(client, open_table(client, setup("duel", 0, friends=1))) as ann:
        said = r"heard nothing for 0\.2 s; of its table it knows \{'phase': .* 0 letters"
        with pytest.raises(pytest.fail.Exception, match=said):
            ann.until(lambda frame: frame["over"])
        assert ann.ask(do="nonsense")["type"] == "refused"


def test_links_cannot_be_guessed_and_lead_nowhere_else() -> None:
    with server() as client:
        token = open_table(client, setup("duel", 1))
        assert len(token) >= 24
        for wrong in (token[:-1], token + "A", "0", "%00"):
            assert client.get(f"/t/{wrong}").status_code == 404
            with client.websocket_connect(f"/ws/{wrong}", headers=HERE) as socket:
                assert json.loads(socket.receive_text())["type"] == "gone"
                with pytest.raises(WebSocketDisconnect):
                    socket.receive_text()


def test_reasons_of_hidden_players_are_kept_until_the_end() -> None:
    wish = setup("speed_clue", practice=True, hide=True)
    with server() as client, line(client, open_table(client, wish)) as ann:
        ann.play_on(2)
        ann.my_move()
        bot = next(number for number, text in enumerate(ann.log, 1) if not text.startswith("You"))
        for secret in (False, True):
            seen = ann.ask(do="why", move=bot, secret=secret)
            assert seen["guarded"] and seen["kept"] and seen["text"].count(" stays secret until the end.") == 1
            assert BOTS["speed_clue"] not in str(seen)
        ann.play_on(10_000)
        reason = ann.ask(do="why", move=bot)
        assert not reason["guarded"] and reason["agent"] == BOTS["speed_clue"]


def test_practice_answers_why_what_is_believed_and_what_to_do_and_takes_moves_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reasons, "is_at_hand", lambda _game: True)  # else another advises until there is machine code
    with server() as client, line(client, open_table(client, setup("saboteur", practice=True))) as ann:
        ann.play_on(2)
        before = ann.my_move()
        own = next(number for number, text in enumerate(ann.log, 1) if text.startswith("You"))
        bot = next(number for number, text in enumerate(ann.log, 1) if not text.startswith("You"))
        seen = ann.ask(do="why", move=bot)
        assert seen["guarded"]
        assert seen["text"].startswith(ann.log[bot - 1])
        for told, number in (("before", bot - 1), ("after", bot)):
            assert seen[told] == ann.ask(do="beliefs", move=number)["panels"]  # what is believed in Ann's own place
        assert "I am a" not in str(seen)
        reason = ann.ask(do="why", move=bot, secret=True)
        assert reason["type"] == "reason"
        assert not reason["guarded"]
        assert re.search(r"I am a (miner|saboteur)\. .*I (do not )?trust ", reason["text"])
        assert reason["choices"]
        assert [panel["kind"] for panel in reason["before"] + reason["after"]] == ["bars", "bars"]
        assert "person" in ann.ask(do="why", move=own)["reason"]
        assert "no move 9999" in ann.ask(do="why", move=9999)["reason"]
        hint = ann.ask(do="hint")
        assert hint["move"] in [move["move"] for move in before["position"]["moves"]]
        assert [panel["kind"] for panel in ann.ask(do="beliefs", move=None)["panels"]][:3] == ["bars"] * 3
        ann.play(hint["move"])
        ann.my_move()
        ann.say(do="undo")
        back = ann.until(lambda frame: frame["moves"] == before["moves"])
        assert back["position"] == before["position"]
        ann.play_on()


def test_what_is_asked_is_answered_of_the_game_as_it_was_then(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, bytes]] = []

    def slow_answer(session: Session, seat: int, _message: Any) -> Any:
        for _ in range(2):
            seen.append((len(session.actions), session.view(seat).tobytes()))
            time.sleep(0.2)
        raise BadInput("nobody knows")

    monkeypatch.setattr(table, "answer", slow_answer)
    with server() as client, line(client, open_table(client, setup("saboteur", practice=True, pace=20))) as ann:
        ann.my_move()
        ann.play()
        ann.say(do="beliefs")
        ann.until(lambda frame: frame["moves"] > 2)
        while not ann.letters:
            ann.hear()
        assert len(seen) == 2 and seen[0] == seen[1]


def test_a_person_whose_time_is_up_is_moved_for_by_the_adviser(monkeypatch: pytest.MonkeyPatch) -> None:
    # The shortest clock has five seconds, which are waited for in half of one.
    clock = vars(Session)["time_left"].fget
    monkeypatch.setattr(
        Session, "time_left", property(lambda session: None if clock(session) is None else clock(session) / 10)
    )
    with server() as client:
        wish = setup("saboteur", seconds=5)
        with line(client, open_table(client, wish)) as ann:
            before = ann.my_move()
            assert 0 < before["clock"]["left"] <= 5
            ann.until(lambda frame: frame["moves"] > before["moves"])
            assert ann.log[before["moves"]].startswith("You ")
            while not ann.letters:
                ann.hear()
            # The move was not hers, so she is told whose it was.
            told = "Your time was up: the adviser has moved for you."
            assert ann.letters[0] == {"type": "moved_for", "words": told}


def test_who_moves_while_the_adviser_thinks_for_them_is_not_moved_for(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking, hint = threading.Event(), reasons.hint

    def slow_hint(session: Session, seat: int) -> reasons.Hint:
        found = hint(session, seat)
        thinking.set()
        time.sleep(0.5)
        return found

    monkeypatch.setattr(reasons, "hint", slow_hint)
    monkeypatch.setattr(Session, "time_left", property(lambda session: 60.0 if session.actions else 0.05))
    with (
        server() as client,
        line(client, open_table(client, setup("speed_clue", ruleset="contest", seconds=60))) as ann,
    ):
        ann.my_move()
        assert thinking.wait(60)
        ann.play("suggest Mrs Peacock, Revolver, Kitchen")  # her own cards: it is her turn still
        assert ann.frame["mine"]
        time.sleep(0.7)
        ann.ask(do="start")  # all that came before it has been heard
        assert ann.frame["phase"] == "playing" and ann.frame["moves"] == 1


def test_who_moves_before_the_adviser_thinks_for_them_is_not_moved_for(monkeypatch: pytest.MonkeyPatch) -> None:
    moved, hint = threading.Event(), reasons.hint
    asked = threading.Event()

    def late_hint(session: Session, seat: int) -> reasons.Hint:
        asked.set()
        assert moved.wait(60)
        return hint(session, seat)

    monkeypatch.setattr(reasons, "hint", late_hint)
    monkeypatch.setattr(Session, "time_left", property(lambda session: 60.0 if session.actions else 0.05))
    wish = setup("duel", bots=0, friends=1, seconds=60)
    with server() as client, line(client, open_table(client, wish)) as ann:
        ann.until(lambda frame: frame["seats"][1]["link"])
        with line(client, ann.frame["seats"][1]["link"].removeprefix("/t/")) as bob:
            bob.say(do="sit", name="Bob")
            first, other = (ann, bob) if ann.until(lambda frame: frame["position"])["mine"] else (bob, ann)
            assert asked.wait(60)
            first.my_move()
            first.play()
            moved.set()
            time.sleep(0.3)
            other.my_move()
            other.play()
            assert other.frame["phase"] == "playing" and other.frame["moves"] == 2


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"ruleset": "mitchell:cards=/etc/passwd"}, "unknown ruleset"),
        ({"seats": [{"kind": "me", "name": "Ann"}] * 3}, "one seat is yours"),
        ({"seats": [{"kind": "me", "name": ""}, *agents("advanced", 2)]}, "a name has 1 to 24 letters"),
        ({"seats": [{"kind": "me", "name": "Ann"}, *agents("and-or-2020", 2)]}, "unknown agent"),
        ({"seats": [{"kind": "me", "name": "Ann"}, *agents("exact:deals=9999999", 2)]}, "unknown edition"),
        ({"seats": [{"kind": "me", "name": "Ann"}, *agents("advanced", 7)]}, "3 to 6 players"),
        ({"seats": [{"kind": "me", "name": "Ann"}, *agents("equilibrium", 2)]}, "equilibrium does not sit at tables"),
        ({"seats": [{"kind": "me", "name": "Ann"}, *agents("openspiel-ismcts", 2)]}, "another library's"),
        ({"seats": [{"kind": "friend"}, *agents("advanced", 2)]}, "one seat is yours"),
        ({"pace": 1_000_000}, "pace"),
        ({"seed": -1}, "seed"),
        ({"more": 1}, "more"),
    ],
)
def test_a_table_that_cannot_be_set_is_refused_with_the_reason(change: dict[str, Any], told: str) -> None:
    with server() as client:
        answer = client.post("/api/tables", json=setup("speed_clue") | change)
        assert answer.status_code == 400
        assert told.lower() in answer.json()["error"].lower()


def test_a_table_is_set_of_a_game_however_its_name_is_typed() -> None:
    with server() as client:
        wish = setup("speed_clue") | {"game": "speed-clue"}
        with line(client, open_table(client, wish)) as ann:
            assert ann.my_move()["game"] == "speed_clue"


def test_limits_are_kept() -> None:
    with server(tables=2, pages=2) as client:
        token = open_table(client, setup("duel", 1))
        open_table(client, setup("duel", 1))
        assert "tables of this server are taken" in client.post("/api/tables", json=setup("duel", 1)).json()["error"]
        with line(client, token) as one, line(client, token) as two, line(client, token) as three:
            assert one.hear()["type"] == two.hear()["type"] == "table"
            assert "too many pages" in three.hear()["reason"].lower()
        assert client.post("/api/tables", content=b"x" * 9000).status_code == 400
        assert client.post("/api/replay", content=b"x" * 300_000).status_code == 400


def test_messages_that_come_too_fast_are_refused_and_the_game_goes_on() -> None:
    with server(rate=10.0) as client, line(client, open_table(client, setup("duel", 1))) as ann:
        ann.my_move()
        for _ in range(60):
            ann.say(do="undo")
        while not any("too fast" in letter["reason"] for letter in ann.letters):
            ann.hear()
        assert len(ann.letters) >= 20


def test_other_sites_and_other_names_of_this_machine_are_not_answered() -> None:
    with server() as client:
        wish = setup("duel", 1)
        assert client.post("/api/tables", json=wish, headers={"origin": "http://evil.example"}).status_code == 403
        assert client.get("/", headers={"host": "evil.example"}).status_code == 403
        token = open_table(client, wish)
        line_of_another = client.websocket_connect(f"/ws/{token}", headers={"origin": "http://evil.example"})
        with pytest.raises(WebSocketDisconnect), line_of_another:
            pass
        for scheme in ("https://127.0.0.1", "ftp://127.0.0.1", "null", "http://127.0.0.1:1"):
            assert client.post("/api/tables", json=wish, headers={"origin": scheme}).status_code == 403, scheme
            foreign = client.websocket_connect(f"/ws/{token}", headers={"origin": scheme})
            with pytest.raises(WebSocketDisconnect), foreign:
                pass
        assert client.post("/api/tables", json=wish, headers={"origin": "http://127.0.0.1"}).status_code == 201
        page = client.get("/")
        assert "default-src 'self'" in page.headers["content-security-policy"]
        assert "unsafe" not in page.headers["content-security-policy"]
        shown = client.get(f"/t/{token}")
        assert "unsafe" not in shown.headers["content-security-policy"]
        assert shown.headers["content-security-policy"].count("'sha256-") == shown.text.count("<style>") == 1
        assert " style=" not in page.text + shown.text
        assert page.headers["referrer-policy"] == "no-referrer"


def test_the_puzzle_of_a_day_is_sent_and_none_of_days_to_come() -> None:
    with server() as client:
        assert client.get("/puzzle").status_code == 200
        sent = client.get("/api/puzzle?day=2026-06-11").json()
        found = puzzle_of(read_day("2026-06-11"))
        assert sent["question"] == found.question and sent["answer"] == found.answer
        assert [option["worth"] for option in sent["options"]] == [option.worth for option in found.options]
        assert (sent["game"], sent["you"]) == (found.game, found.viewer) and sent["position"]["hands"] is None
        for wrong in ("", "never", "2025-12-31", "9999-01-01"):
            refused = client.get("/api/puzzle", params={"day": wrong})
            assert refused.status_code == 400 and refused.json()["error"]


def test_a_record_from_a_file_opens_as_a_replay_and_another_file_does_not() -> None:
    with server() as client:
        with line(client, open_table(client, setup("duel", 1))) as ann:
            ann.play_on()
            replay = ann.frame["over"]["replay"]
        kept = client.get(f"{replay}/record").content
        link = client.post("/api/replay", content=kept).json()["link"]
        assert client.get(link).status_code == 200
        moves = len(parse_record(kept).moves)
        beliefs = client.get(f"/api{link}/beliefs", params={"move": moves, "seat": 1}).json()
        assert beliefs["move"] == moves
        first = client.get(f"/api{link}/why", params={"move": 1}).json()
        assert first["agent"] == "greedy-2020"
        for query in ({"move": "x", "seat": "0"}, {"move": "1", "seat": "9"}, {}):
            assert client.get(f"/api{link}/beliefs", params=query).status_code == 400
        for wrong in (b"", b"{}", kept[:-20], kept.replace(b'"seed":11', b'"seed":12')):
            answer = client.post("/api/replay", content=wrong)
            assert answer.status_code == 400
            assert answer.json()["error"]
        assert client.get("/replay/none").status_code == 404


def test_who_opens_a_game_that_play_has_saved_as_a_replay_is_told_how_it_goes_on() -> None:
    saved = Session(make_game("speed_clue", "mitchell", 3), [Sitter(name) for name in ("Ann", "Bob", "Cat")], 1).saved()
    with server() as client:
        answer = client.post("/api/replay", content=saving.to_json(saved))
    assert answer.status_code == 400
    assert (
        "a game that molehunt play --save keeps; molehunt play speed-clue --resume FILE goes on"
        in answer.json()["error"]
    )


def test_two_servers_do_not_share_a_file_and_a_file_of_something_else_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tables.sqlite"
    made: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def counted(*given: Any, **named: Any) -> sqlite3.Connection:
        made.append(connect(*given, **named))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", counted)
    first = Store(path)
    with pytest.raises(BadInput, match="another server uses"):
        Store(path)
    first.close()
    other = tmp_path / "letter.txt"
    other.write_text("Dear Ann, " * 1000)
    with pytest.raises(BadInput, match="cannot be kept in"):
        Store(other)
    assert other.read_text().startswith("Dear Ann")
    assert len(made) == 3
    for connection in made:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("select 1")


def test_a_place_that_can_hold_no_tables_is_told_with_what_would_be_right(tmp_path: Path) -> None:
    """As where a service runs as a user without a home."""
    (tmp_path / "file").write_text("?")
    path = tmp_path / "file" / "molehunt" / "tables.sqlite"
    told = f"tables cannot be kept in {path}: Not a directory; name another file with --store"
    with pytest.raises(BadInput, match=f"^{re.escape(told)}$"):
        Store(path)
    other = tmp_path / "letter.txt"
    other.write_text("Dear Ann, " * 1000)
    with pytest.raises(BadInput, match="file is not a database; name another file with --store"):
        Store(other)


def test_the_lobby_speaks_of_games_and_not_of_papers() -> None:
    offered = lobby({}, None)
    words = [ruleset.title for game in offered.games for ruleset in game.rulesets]
    words += [text for preset in offered.presets for text in (preset.title, preset.text)]
    assert len(words) > 15
    assert [text for text in words if re.search(r"\b(19|20)\d\d\b|Kripke|\bbots?\b|platform", text)] == []


def test_the_lobby_names_first_whom_one_beats_most_easily() -> None:
    words = [word for word in LEVEL_WORDS if word]
    for game in lobby({}, None).games:
        levels = [words.index(agent.level) for agent in game.agents if agent.level]
        assert levels == sorted(levels) and len(set(levels)) == len(words)
        assert [agent.level for agent in game.agents[len(levels) :]] == [""] * (len(game.agents) - len(levels))


def test_everything_that_the_lobby_offers_can_be_set() -> None:
    for game in lobby({}, None).games:
        ruleset = game.rulesets[0]
        for agent in game.agents:
            seats = (SeatWish("me", "Ann"), *[SeatWish("agent", agent=agent.name)] * (ruleset.seats[0] - 1))
            assert check_setup(Setup(game.game, ruleset.name, seats)) == "Ann"


def test_tables_that_nobody_uses_go_after_their_time(tmp_path: Path) -> None:
    with server(tmp_path / "tables.sqlite", keep_hours=0.0) as client:
        token = open_table(client, setup("duel", 1))
        tables: Any = client.app.app.state.tables  # type: ignore[attr-defined]
        assert client.get(f"/t/{token}").status_code == 200
        with line(client, token) as ann:
            ann.my_move()
            ann.play()
        for name in tables.store.tables():
            tables._unload(name)
        tables.clear_idle()
        assert client.get(f"/t/{token}").status_code == 404
        for kept in ("tables", "links", "moves"):
            assert tables.store._db.execute(f"select count(*) from {kept}").fetchone() == (0,), kept  # noqa: S608 - a name from above


def test_a_page_asks_a_few_questions_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_all = threading.Event()

    def answer_later(*words: Any) -> Any:
        assert asked_all.wait(60)
        return answer(*words)

    monkeypatch.setattr(table, "answer", answer_later)
    with server() as client, line(client, open_table(client, setup("saboteur", practice=True))) as ann:
        ann.play_on(1)
        ann.my_move()
        for _ in range(12):
            ann.say(do="hint")
        while len(ann.letters) < 12 - table.MOST_QUESTIONS:
            ann.hear()
        assert all("still thought about" in letter["reason"] for letter in ann.letters)
        asked_all.set()
        while len(ann.letters) < 12:
            ann.hear()
        assert [letter["type"] for letter in ann.letters].count("hint") == table.MOST_QUESTIONS


def test_a_game_ends_with_its_winner_where_no_more_replays_are_kept() -> None:
    with server(replays=0) as client, line(client, open_table(client, setup("duel", 1))) as ann:
        ann.play_on()
        over = ann.until(lambda frame: frame["over"])["over"]
        assert "win" in over["text"]
        assert "all 0 replays of this server are taken" in over["text"]
        assert over["replay"] == ""


def test_a_move_is_not_taken_back_once_the_game_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with server() as client, line(client, open_table(client, setup("duel", 1, practice=True))) as ann:
        ann.play_on(1)
        ann.my_move()
        tables: Any = client.app.app.state.tables  # type: ignore[attr-defined]
        table = next(iter(tables._tables.values()))
        in_turn = tables.in_turn

        async def while_the_game_ends(_: Any, begins: Any, call: Any, *arguments: Any) -> Any:
            session = table.session
            while session.outcome is None:
                if not session.step():
                    session.apply(session.to_move, int(session.place(session.to_move).legal_actions[0]))
            table._finish(session)
            return await in_turn(table, begins, call, *arguments)

        monkeypatch.setattr(tables, "in_turn", while_the_game_ends)
        ann.say(do="undo")
        assert ann.ask(do="nothing")["reason"]
        assert ann.letters[0] == {"type": "refused", "reason": "The game is over.", "of": "undo"}
        ann.until(lambda frame: frame["over"])
        assert table.session.outcome is not None


def test_rules_are_shown_for_every_game_and_no_other() -> None:
    with server() as client:
        assert client.get("/rules").status_code == 200
        assert all(client.get(f"/rules/{game}").status_code == 200 for game in GAMES)
        assert client.get("/rules/speed-clue").text == client.get("/rules/speed_clue").text
        absent = client.get("/rules/chess")
        assert absent.status_code == 404
        assert "Saboteur" in absent.json()["error"]
