"""A table of artificial players whose cards lie open: what who watches is told, and that nobody plays at one."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from molehunt.agents.registry import Agents
from molehunt.analysis.analyse import analyst_of
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.record import parse_record
from molehunt.core.replay import Played
from molehunt.games.registry import make_game
from molehunt.table.session import Session, Sitter
from molehunt.web.minds import LONGEST_THOUGHT, minds_frame, shortened, suspicions
from molehunt.web.offers import lobby
from molehunt.web.tables import Tables
from web.people import Line, agents, line, open_table, server, setup

ALONE = {"game": "saboteur", "ruleset": "krisnadi", "seats": agents("decision-2019", 3), "pace": 0, "seed": 5}


def a_session(moves: int) -> Session:
    """A round of three players, broken off."""
    player = Agents("saboteur").make("decision-2019")
    session = Session(make_game("saboteur", "krisnadi", 3), [Sitter(name, player) for name in "ABC"], 5)
    for _ in range(moves):
        session.step()
    return session


def test_who_watches_an_open_table_sees_all_cards_and_what_is_thought() -> None:
    with server() as client, line(client, open_table(client, ALONE | {"open": True, "pace": 100})) as eve:
        eve.until(lambda frame: frame["position"] and frame["moves"] and not frame["over"])
        assert len(eve.frame["position"]["hands"]) == 3
        assert set(eve.frame["position"]["roles"]) <= {"miner", "saboteur"}
        while not eve.letters:
            eve.hear()
        told = eve.letters[0]
        assert told["type"] == "minds" and told["thought"]
        assert "why" in eve.frame["can"]
        eve.say(do="why", move=1)
        while not any(letter["type"] == "reason" for letter in eve.letters):
            eve.hear()
        reason = next(letter for letter in eve.letters if letter["type"] == "reason")
        assert not reason["guarded"] and reason["text"].startswith("I choose “")
        assert len(told["suspicion"]) == 3 and all(0 <= share <= 1 for share in told["suspicion"])


def test_what_hidden_players_think_is_not_told_while_they_play() -> None:
    hidden = [replace(sitter, hidden=True) for sitter in a_session(0).sitters]
    session = Session(make_game("saboteur", "krisnadi", 3), hidden, 5)
    session.step()
    assert minds_frame(session, 1).thought == ""
    while session.step():
        pass
    assert minds_frame(session, 1).thought


def test_no_card_lies_open_where_that_was_not_asked_for() -> None:
    with server() as client, line(client, open_table(client, ALONE | {"pace": 100})) as eve:
        eve.until(lambda frame: frame["position"] and frame["moves"] and not frame["over"])
        assert eve.frame["position"]["hands"] is None and eve.frame["position"]["roles"] is None
        assert eve.letters == []


def test_a_table_of_people_never_lies_open() -> None:
    with server() as client:
        answer = client.post("/api/tables", json=setup("saboteur", open=True))
        assert answer.status_code == 400
        assert "artificial players sit alone" in answer.json()["error"]
    person = [Sitter("Ann"), *a_session(0).sitters[1:]]
    with pytest.raises(BadInput, match="when the game is over"):
        Session(make_game("saboteur", "krisnadi", 3), person, 5).truth()


def test_suspicion_is_what_the_analysis_says_of_the_same_moves() -> None:
    session = a_session(20)
    played = Played(a_session(0).position, "ABC")
    for action in session.actions[:12]:
        played.play("", action)
    charts, _ = analyst_of("saboteur")(played, "ABC").beliefs()
    chart = next(chart for chart in charts if chart.viewer is None and chart.lines[0].seat is not None)
    assert suspicions(session, 12) == [line.values[-1] for line in chart.lines]
    assert minds_frame(session, 12).seat == int(session.events[11][0]["seat"])


def test_games_without_roles_have_no_suspicion() -> None:
    player = Agents("duel").make("random")
    session = Session(make_game("duel", "mcgill", 2), [Sitter(name, player) for name in "AB"], 1)
    session.step()
    assert suspicions(session, 1) == []


def test_thoughts_are_shortened_at_sentences_and_else_at_words() -> None:
    assert shortened("I dig. I am\na miner.") == "I dig. I am a miner."
    assert shortened(f"I dig. {'x' * LONGEST_THOUGHT}.") == "I dig."
    long = shortened("word " * LONGEST_THOUGHT)
    assert long.endswith("word …") and len(long) <= LONGEST_THOUGHT + 2


def test_the_lobby_offers_an_open_table_to_watch() -> None:
    preset = next(preset for preset in lobby({}, None).presets if preset.setup.open)
    assert all(seat.kind == "agent" for seat in preset.setup.seats)


def test_who_meets_the_same_people_again_takes_along_what_it_learned_and_says_so(tmp_path: Path) -> None:
    store = tmp_path / "tables.sqlite"
    wish = setup("speed_clue", ruleset="contest", practice=True) | {
        "seats": [{"kind": "me", "name": "Ann"}, *agents("exact", 2)]
    }

    def reason(ann: Line) -> str:
        told = (ann.ask(do="why", move=move) for move in range(1, ann.frame["moves"]))
        return next(str(one["text"]) for one in told if one["type"] == "reason")

    with server(store) as client, line(client, open_table(client, wish)) as ann:
        ann.play_on()
        assert "earlier game" not in reason(ann)
        following = ann.ask(do="again")["link"].removeprefix("/t/")
    # It is kept with the table, so it outlives the server.
    with server(store) as client, line(client, following) as ann:
        ann.play_on()
        assert "from 1 earlier game with them" in reason(ann)
        replay = ann.frame["over"]["replay"]
        assert parse_record(client.get(f"{replay}/record").content).known is not None


def test_a_game_that_is_over_is_taken_up_again_before_another_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, resume = tmp_path / "tables.sqlite", Session.resume
    wish = setup("speed_clue", ruleset="contest") | {"seats": [{"kind": "me", "name": "Ann"}, *agents("exact", 2)]}
    with server(store) as client:
        token = open_table(client, wish)
        with line(client, token) as ann:
            ann.play_on()

    def slowly(*arguments: Any) -> Session:
        time.sleep(0.3)
        return resume(*arguments)

    monkeypatch.setattr(Session, "resume", staticmethod(slowly))
    with server(store) as client, line(client, token) as ann:
        assert ann.until(lambda frame: frame["over"])["preparing"]
        following = ann.ask(do="again")["link"].removeprefix("/t/")
        tables: Tables = client.app.app.state.tables  # type: ignore[attr-defined]
        assert tables.find(following)[0].state.known is not None


def test_a_game_that_could_not_go_on_stays_as_it_was_also_on_a_server_that_began_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, think = tmp_path / "tables.sqlite", Session.think

    def fails(session: Session) -> int:
        if len(session.actions) == 4:
            raise AgentFailure("it has lost its head")
        return think(session)

    with server(store) as client, monkeypatch.context() as patch:
        patch.setattr(Session, "think", fails)
        token = open_table(client, setup("duel") | {"seats": agents("greedy-2020", 2)})
        with line(client, token) as eve:
            eve.until(lambda frame: frame["over"])
    with server(store) as client:
        with line(client, token) as eve:
            eve.until(lambda frame: not frame["preparing"])
            time.sleep(0.3)
        with line(client, token) as eve:
            assert eve.hear()["moves"] == 4 and "lost its head" in eve.frame["over"]["text"]
