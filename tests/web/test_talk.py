"""What people say to each other at a table, what the host allows, and whom they suspect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.testclient import TestClient

from molehunt.core.errors import BadInput
from molehunt.web.faces import phrases_of
from molehunt.web.talk import LONGEST, MOST_LINES, Talk, check_words
from web.people import Line, line, open_table, server, setup, some_move


@contextmanager
def two_people(game: str, **more: Any) -> Iterator[tuple[Line, Line, TestClient, str]]:
    """Ann, who opened the table, and Ben, at a game that goes on; the client, and Ben's token."""
    with server() as client, line(client, open_table(client, setup(game, friends=1, **more))) as ann:
        ann.until(lambda frame: frame["phase"] == "waiting")
        token = next(seat["link"] for seat in ann.frame["seats"] if seat["link"]).removeprefix("/t/")
        with line(client, token) as ben:
            ben.say(do="sit", name="Ben")
            for person in (ann, ben):
                person.until(lambda frame: frame["position"])
            yield ann, ben, client, token


def hear_more(person: Line, moves: int, movers: Sequence[int]) -> None:
    """Hear until more than so many moves were made and it is one of these seats' turn."""
    person.until(lambda frame: frame["moves"] > moves and frame["to_move"] in movers)


def test_what_the_host_allows_holds_in_the_next_game() -> None:
    with two_people("duel", bots=0) as (ann, ben, client, _):
        ann.say(do="chat", free=False)
        while not ann.frame["over"]:
            mover, other = (ann, ben) if ann.frame["mine"] else (ben, ann)
            mover.my_move()
            mover.play()
            other.until(lambda frame, made=mover.frame["moves"]: frame["moves"] >= made)  # type: ignore[misc]
            ann.until(lambda frame, made=mover.frame["moves"]: frame["moves"] >= made)  # type: ignore[misc]
        ann.until(lambda frame: frame["over"])
        link = ann.ask(do="again")["link"]
        with line(client, link.removeprefix("/t/")) as again:
            assert not again.until(lambda frame: frame["position"])["chat"]


def test_all_hear_what_is_said_once_and_who_comes_later_hears_it_too() -> None:
    with two_people("saboteur") as (ann, ben, client, token):
        ben.say(do="say", text="  I saw\n stone ")
        ann.until(lambda frame: frame["talk"])
        assert ann.frame["talk"] == [{"n": 1, "seat": 1, "text": "I saw stone"}]
        ann.say(do="say", phrase=1)
        ben.until(lambda frame: any(said["seat"] == 0 for said in frame["talk"]))
        assert ben.frame["talk"] == [{"n": 2, "seat": 0, "text": phrases_of("saboteur")[1]}]
        with line(client, token) as again:
            assert [said["n"] for said in again.hear()["talk"]] == [1, 2]


def test_the_host_may_allow_phrases_alone() -> None:
    with two_people("duel", bots=0, chat=False) as (ann, ben, _, _):
        assert not ben.frame["chat"]
        assert "phrases alone" in ben.ask(do="say", text="Hello")["reason"]
        assert "Only who opened the table" in ben.ask(do="chat", free=True)["reason"]
        assert "numbered 0 to" in ben.ask(do="say", phrase=99)["reason"]
        assert "secret role" in ben.ask(do="suspect", seat=0)["reason"]
        ann.say(do="chat", free=True)
        ben.until(lambda frame: frame["chat"])
        ben.say(do="say", text="Hello")
        ann.until(lambda frame: frame["talk"])


def test_suspicion_is_seen_by_all_and_taken_back() -> None:
    with two_people("saboteur") as (ann, ben, _, _):
        assert "another seat" in ben.ask(do="suspect", seat=1)["reason"]
        ben.say(do="suspect", seat=2)
        ann.until(lambda frame: frame["suspects"] == [[1, 2]])
        ben.say(do="suspect", seat=2)
        ann.until(lambda frame: not frame["suspects"])


def test_suspicion_ends_with_the_round() -> None:
    with two_people("saboteur", ruleset="official") as (ann, ben, _, _):
        ben.say(do="suspect", seat=2)
        ben.until(lambda frame: frame["suspects"])
        last = -1
        while not ben.frame["position"]["ended"]:
            for person in (ann, ben):
                hear_more(person, last, (0, 1))
            mover = ann if ann.frame["mine"] else ben
            last = mover.frame["moves"]
            mover.say(do="play", move=some_move(mover.frame), at=last)
            hear_more(ben, last, range(4))
        assert ben.frame["suspects"] == []


def test_who_plays_alone_or_watches_says_nothing() -> None:
    with server() as client, line(client, open_table(client, setup("saboteur"))) as ann:
        ann.my_move()
        assert "say" not in ann.frame["can"]
        assert "talk there" in ann.ask(do="say", phrase=0)["reason"]
        with line(client, ann.frame["watch_link"].removeprefix("/t/")) as eve:
            assert "talk there" in eve.ask(do="suspect", seat=0)["reason"]


def test_the_last_lines_are_kept() -> None:
    talk = Talk()
    for number in range(MOST_LINES + 5):
        talk.say(0, str(number))
    assert [line.n for line in talk.lines] == list(range(6, MOST_LINES + 6))
    assert [line.text for line in talk.since(MOST_LINES + 4)] == [str(MOST_LINES + 4)]


@pytest.mark.parametrize("text", ["", " \n", "x" * (LONGEST + 1), "bell \x07", "\u202eturned"])
def test_words_that_cannot_be_shown_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="1 to 160 signs"):
        check_words(text)
