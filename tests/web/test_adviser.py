"""The adviser in the browser: what a question holds, what its answer says, and what is wrong with a bad one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx2 as httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from molehunt.advice.file import from_json, to_json
from molehunt.core.errors import BadInput
from molehunt.web import adviser
from molehunt.web.adviser import adviser_data, answer
from molehunt.web.clients import Clients

GAME: dict[str, Any] = {
    "advice": 1,
    "game": "speed_clue",
    "cards": "report",
    "players": ["Ann", "Bob", "Carol"],
    "me": "Ann",
    "hand": ["Colonel Mustard", "Reverend Green", "Lead Pipe", "Revolver", "Hall", "Library"],
    "hand_sizes": [6, 6, 6],
    "entries": [],
}
ROPE = {
    "what": "suggestion",
    "by": "Ann",
    "cards": ["Mrs Peacock", "Rope", "Kitchen"],
    "shown_by": "Bob",
    "card": "Rope",
}
"""Bob showed me the Rope."""
NO_ROPE = {
    "what": "suggestion",
    "by": "Carol",
    "cards": ["Miss Scarlett", "Rope", "Ballroom"],
    "shown_by": None,
    "card": None,
}
"""Nobody had the Rope."""
BOB_ASKS = {"by": "Carol", "cards": ["Colonel Mustard", "Lead Pipe", "Kitchen"]}


def ask(entries: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    found = answer(json.dumps({"game": GAME | {"entries": entries}, **more}).encode())
    # What is answered must pass as JSON.
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]


def card(name: str) -> int:
    names = [card["name"] for category in adviser_data()["editions"][0]["categories"] for card in category["cards"]]
    return names.index(name)


def test_the_answer_tells_who_has_what_and_what_to_do() -> None:
    found = ask([ROPE])
    assert found["players"][1] == {"name": "Bob", "me": False, "cards": 6, "out": False}
    assert found["entries"][0]["text"] == "You suggested Mrs Peacock, Rope, Kitchen; Bob showed Rope."
    rope = found["grid"][card("Rope")]
    assert [cell["mark"] for cell in rope] == ["no", "yes", "no", "no"]
    assert {"card": card("Rope"), "place": 1, "text": "Rope is with Bob"} in found["certain"]
    hall = found["grid"][card("Hall")]
    assert [cell["mark"] for cell in hall] == ["yes", "no", "no", "no"]
    kitchen = found["grid"][card("Kitchen")]
    assert sum(cell["share"] for cell in kitchen) == pytest.approx(1, abs=1e-3)
    assert [cell["text"] for cell in kitchen[1:]] == [f"{100 * cell['share']:.0f} %" for cell in kitchen[1:]]
    assert not re.search(r"\d%", json.dumps(found))
    assert found["envelopes"]["count"] == 4 * 3 * 7
    assert len(found["envelopes"]["top"]) == 10
    assert len(found["suggest"]["rows"]) == 5
    assert "in the envelope in" in found["suggest"]["why"] or "is yours" in found["suggest"]["why"]
    assert found["accuse"] == found["accuse"] | {"accuse": False}
    assert found["accuse"]["lines"][0] == "Do not accuse."
    assert found["may_accuse"]
    assert found["show"] is None and found["explanation"] is None and found["conflict"] is None


def test_at_a_board_all_suggestions_are_ranked_for_the_rooms_that_i_can_reach() -> None:
    part = {
        "what": "suggestion",
        "by": "Bob",
        "cards": ["Mrs Peacock", None, "Study"],
        "shown_by": "Carol",
        "card": None,
    }
    one = {"what": "one of", "player": "Bob", "cards": ["Rope", "Kitchen"]}
    more = [
        {"what": "stands", "player": "Carol", "room": "Lounge"},
        {"what": "seen", "player": "envelope", "card": "Dagger", "has": False},
    ]
    table = GAME | {
        "board": {"turns": 2.5},
        "face_up": ["Study"],
        "hand_sizes": [6, 6, 5],
        "entries": [ROPE, part, one, *more],
    }
    found = answer(json.dumps({"game": table, "rooms": ["Kitchen", "Study"]}).encode())
    assert found["rooms"] == "Everybody names the room in which they stand, and suggests about once in 2.5 turns."
    assert found["face_up"] == [card("Study")]
    assert [row["share"] for row in found["grid"][card("Study")]] == [0, 0, 0, 0]
    assert found["entries"][1]["text"] == "Bob suggested Mrs Peacock, some weapon, Study; Carol showed a card."
    assert [entry["text"] for entry in found["entries"][2:]] == [
        "Bob has one of Rope, Kitchen.",
        "Carol stands in Lounge.",
        "The envelope does not have Dagger.",
    ]
    rows = found["suggest"]["rows"]
    assert len(rows) == 72 and {row["cards"][2] for row in rows} == {card("Kitchen"), card("Study")}
    assert all("seems to name own cards" in line for line in found["suggest"]["habits"])
    assert len(found["suggest"]["habits"]) == 1  # Bob's: what was heard in part counts, and Carol has asked nothing
    with pytest.raises(BadInput, match="no room is called 'Rope'"):
        answer(json.dumps({"game": GAME | {"entries": []}, "rooms": ["Rope"]}).encode())


def test_after_my_suggestion_the_last_word_is_whether_to_accuse() -> None:
    lines = ask([ROPE], after=True)["accuse"]["lines"]
    assert not any("suggest first" in line for line in lines)
    with pytest.raises(BadInput, match="last entry is a suggestion of yours"):
        ask([NO_ROPE], after=True)


def test_a_conflict_names_its_entries_and_stops_all_advice() -> None:
    found = ask([ROPE, {"what": "seen", "player": "Carol", "card": "Dagger", "has": True}, NO_ROPE])
    assert found["conflict"]["entries"] == [1, 3]
    assert "Bob showed Rope" in found["conflict"]["text"]
    assert not found["conflict"]["of_hand"] and len(found["conflict"]["reasons"]) == 2
    assert [entry["wrong"] for entry in found["entries"]] == [True, False, True]
    slips = found["conflict"]["slips"]
    assert {"n": 3, "text": "Bob showed a card", "entry": NO_ROPE | {"shown_by": "Bob"}} in slips
    for slip in slips:
        entries: list[dict[str, Any]] = [
            ROPE,
            {"what": "seen", "player": "Carol", "card": "Dagger", "has": True},
            NO_ROPE,
        ]
        entries[slip["n"] - 1] = slip["entry"]
        assert ask(entries)["conflict"] is None
    assert all(found[part] is None for part in ("grid", "envelopes", "suggest", "accuse"))


@pytest.mark.parametrize(
    "entry",
    [
        {"what": "seen", "player": "Carol", "card": "Hall", "has": True},
        {"what": "suggestion", "by": "Carol", "cards": ["Mrs Peacock", "Rope", "Hall"], "shown_by": None, "card": None},
    ],
)
def test_a_conflict_with_the_hand_says_that_the_hand_may_be_wrong(entry: dict[str, Any]) -> None:
    conflict = ask([entry])["conflict"]
    assert conflict["of_hand"] and conflict["reasons"] == [conflict["text"]]


def test_what_is_certain_is_explained_and_what_is_not_is_said() -> None:
    found = ask([ROPE], explain={"card": "Rope", "place": "Bob"})["explanation"]
    assert found["conclusion"] == "Bob has Rope"
    assert found["entries"] == [1]
    assert "entry 1" in found["text"]
    found = ask([ROPE], explain={"card": "Rope", "place": "envelope"})["explanation"]
    assert found["conclusion"] == "The envelope does not have Rope"
    found = ask([ROPE], explain={"card": "Kitchen", "place": "Bob"})["explanation"]
    assert found["problem"].startswith("It is not certain whether Bob has Kitchen")


def test_which_card_to_show_is_advised() -> None:
    found = ask([], asked=BOB_ASKS)
    assert found["show"]["words"].startswith("Show ")
    assert sorted(row["card"] for row in found["show"]["rows"]) == [card("Colonel Mustard"), card("Lead Pipe")]
    assert found["suggest"] is None
    shown = {"what": "suggestion", "shown_by": "Ann", "card": "Lead Pipe", **BOB_ASKS}
    found = ask([shown], asked=BOB_ASKS)
    assert found["show"]["rows"][0] == {"card": card("Lead Pipe"), "told": "nothing new, Carol has seen it"}
    assert found["shown"] == [[card("Lead Pipe"), 2]]
    found = ask([], asked=BOB_ASKS | {"cards": ["Mrs Peacock", "Rope", "Kitchen"]})
    assert "you hold none of these" in found["show"]["problem"]


def test_a_game_that_is_over_says_so_and_gives_no_advice() -> None:
    right = {"what": "accusation", "by": "Bob", "cards": ["Mrs Peacock", "Rope", "Kitchen"], "right": True}
    found = ask([right])
    assert found["over"] == "The game is over: Bob accused Mrs Peacock, Rope, Kitchen: right."
    assert found["suggest"]["problem"].startswith("The game is over")
    assert found["envelopes"]["top"][0]["text"] == "certain"


def test_a_file_of_the_terminal_is_a_game_of_the_page_and_back() -> None:
    file = to_json(from_json(json.dumps(GAME | {"entries": [ROPE, NO_ROPE]}).encode()))
    assert json.loads(file) == GAME | {"entries": [ROPE, NO_ROPE]}
    assert answer(b'{"game":' + file + b"}")["conflict"] is not None


def test_a_card_set_of_ones_own_is_advised_on() -> None:
    own = {
        "title": "little",
        "suspects": {"Fox": "F", "Owl": "O", "Hen": "H"},
        "weapons": {"Pin": "P", "Net": "N"},
        "locations": {"Den": "D", "Barn": "B", "Pond": "Po"},
    }
    game = GAME | {"cards": own, "hand": ["Fox", "Den"], "hand_sizes": [2, 2, 1]}
    found = answer(json.dumps({"game": game}).encode())
    assert found["title"] == "little"
    assert [category["what"] for category in found["categories"]] == ["suspect", "weapon", "location"]
    assert found["envelopes"]["count"] == 2 * 2 * 2


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        (b"", "not a question"),
        (b"\xff\xfe", "not a question"),
        (b"[1]", "not a question"),
        (b'{"asked": null}', "missing required field `game`"),
        (b'{"game": 3}', "not a game that the adviser has saved"),
        (json.dumps({"game": GAME, "wish": 1}).encode(), "unknown field `wish`"),
        (json.dumps({"game": GAME | {"hand": ["Rope"]}}).encode(), "your hand has 1 cards"),
        (json.dumps({"game": GAME | {"cards": "/etc/hosts"}}).encode(), "there is no card set"),
        (json.dumps({"game": GAME | {"cards": {"suspects": {}}}}).encode(), "needs at least 2 suspects"),
        (json.dumps({"game": GAME | {"entries": [ROPE | {"by": "Zoe"}]}}).encode(), "entry 1: no player is called 'Zoe'"),
        (json.dumps({"game": GAME, "asked": {"by": "Zoe", "cards": ROPE["cards"]}}).encode(), "no player is called 'Zoe'"),
        (json.dumps({"game": GAME, "explain": {"card": "Spoon", "place": "Bob"}}).encode(), "no card is called 'Spoon'"),
        (b'{"game":' * 3000, "not a question"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_question_is_said(question: bytes, fault: str) -> None:
    with pytest.raises(BadInput, match=fault):
        answer(question)


@contextlib.asynccontextmanager
async def serving() -> AsyncIterator[Callable[[str], httpx.AsyncClient]]:
    """An adviser on the web; clients of it at an address."""
    found = adviser.AdviserAnswers(Clients(1e6, 1))
    site = Starlette(routes=[Route("/api/adviser", found.ask, methods=["POST"])])
    yield lambda address: httpx.AsyncClient(
        transport=httpx.ASGITransport(site, client=(address, 5000)), base_url="http://table"
    )
    found.turns.stop()


def post(*questions: bytes) -> list[httpx.Response]:
    async def ask_all() -> list[httpx.Response]:
        async with serving() as at, at("192.0.2.1") as client:
            return [await client.post("/api/adviser", content=question) for question in questions]

    return asyncio.run(ask_all())


def test_over_http_a_bad_question_is_400_and_one_that_is_too_long_413() -> None:
    good, bad, long = post(json.dumps({"game": GAME}).encode(), b"{", b" " * (adviser.MAX_BODY + 1))
    assert good.status_code == 200
    assert good.json()["envelopes"]["count"] == 4 * 4 * 7
    assert bad.status_code == 400
    assert bad.json()["error"].startswith("This is not a question for the adviser")
    assert long.status_code == 413
    assert "at most 64 kB" in long.json()["error"]


def test_what_takes_too_long_is_said_and_goes_on_being_one_of_the_few_that_think(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go_on = threading.Event()
    begun: list[bytes] = []

    def think(question: bytes) -> dict[str, Any]:
        begun.append(question)
        assert go_on.wait(60)
        return {}

    monkeypatch.setattr(adviser, "answer", think)

    async def ask_all() -> None:
        async with serving() as at, at("192.0.2.1") as client:
            monkeypatch.setattr(adviser, "PATIENCE", 0.05)
            late = [await client.post("/api/adviser", content=b"late") for _ in range(adviser.MAX_THINKERS + 1)]
            assert [response.status_code for response in late] == [503] * len(late)
            assert "in too many ways to think them through" in late[0].json()["error"]
            assert len(begun) == adviser.MAX_THINKERS
            monkeypatch.setattr(adviser, "PATIENCE", 60.0)
            go_on.set()
            assert (await client.post("/api/adviser", content=b"")).status_code == 200

    asyncio.run(ask_all())
    assert begun == [b"late"] * adviser.MAX_THINKERS + [b""]


def test_who_asks_much_at_once_waits_for_themselves_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    thought: list[bytes] = []

    def think(question: bytes) -> dict[str, Any]:
        assert go_on.wait(60)
        thought.append(question)
        return {}

    monkeypatch.setattr(adviser, "MAX_THINKERS", 1)
    monkeypatch.setattr(adviser, "answer", think)

    async def ask_all() -> list[int]:
        async with serving() as at, at("192.0.2.1") as greedy, at("192.0.2.2") as other:
            many = [
                asyncio.create_task(greedy.post("/api/adviser", content=b"greedy"))
                for _ in range(adviser.MAX_WAITING + 2)
            ]
            await asyncio.sleep(0.3)
            one = asyncio.create_task(other.post("/api/adviser", content=b"other"))
            await asyncio.sleep(0.3)
            go_on.set()
            return sorted(answer.status_code for answer in await asyncio.gather(one, *many))

    assert asyncio.run(ask_all()) == [200] * (adviser.MAX_WAITING + 1) + [429] * 2
    assert thought.index(b"other") <= 2


def test_a_suggestion_elsewhere_than_where_one_stands_is_pointed_out() -> None:
    found = ask([ROPE], stood=["Kitchen"])
    assert found["entries"][0]["remark"] == ""
    found = ask([ROPE], stood=["Hall", "Study"])
    assert found["entries"][0]["remark"].startswith(
        "You said that you can be in Hall or Study, and this suggestion names"
    )
    found = ask([{"what": "stands", "player": "Carol", "room": "Hall"}, NO_ROPE])
    assert found["entries"][1]["remark"].startswith(
        "Carol stands in Hall (entry 1), and this suggestion names Ballroom."
    )
