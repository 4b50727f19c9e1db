"""The table itself, whatever the game: who moves, what a person's place sees, and what a finished game leaves."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent, Rows
from molehunt.core.errors import AgentFailure, BadInput, IllegalAction
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.match import play
from molehunt.core.position import Position
from molehunt.core.record import parse_record
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.table import reasons
from molehunt.table import session as table_session
from molehunt.table.session import Place, Session, Sitter

TABLES = {
    "saboteur": ("krisnadi", ["decision-2019", "random", "decision-2019", "means-ends-2016"]),
    "speed_clue": ("mitchell", ["basic", "advanced", "basic", "random"]),
}


def table(name: str, people: tuple[int, ...] = (), seed: int = 3) -> Session:
    ruleset, specs = TABLES[name]
    agents = Agents(name)
    sitters = [Sitter(f"P{seat}", None if seat in people else agents.make(spec)) for seat, spec in enumerate(specs)]
    return Session(make_game(name, ruleset, len(specs)), sitters, seed)


def play_on(places: list[Place], choice: int) -> None:
    """Let everybody play to the end; people take a legal action chosen by their number of moves."""
    while places[0].outcome is None:
        places[0].wait()
        for place in places:
            if place.my_move:
                legal = place.legal_actions
                place.play(legal[choice % len(legal)])
                choice += 7


@pytest.mark.parametrize("name", TABLES)
def test_without_people_a_session_plays_the_game_of_the_match_loop(name: str) -> None:
    session = table(name)
    while session.step():
        pass
    ruleset, specs = TABLES[name]
    agents = [Agents(name).make(spec) for spec in specs]
    played = play(make_game(name, ruleset, len(specs)), agents, np.array([3], np.uint64), keep_actions=True)
    assert played.actions == [session.actions]
    assert session.truth().tobytes() == played.states.tobytes()


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("people", [(0,), (2,), (1, 3)])
def test_a_game_with_people_ends_in_a_record_that_replays(name: str, people: tuple[int, ...]) -> None:
    session = table(name, people)
    play_on([session.place(seat) for seat in people], 1)
    record = session.record()
    assert [record.seats[seat] for seat in people] == [f"person:P{seat}" for seat in people]
    replay = Replay(parse_record(record.line()), make_game)
    assert replay.states[-1].tobytes() == session.truth().tobytes()


@pytest.mark.parametrize("name", TABLES)
def test_the_same_seed_and_the_same_moves_give_the_same_game(name: str) -> None:
    games = []
    for _ in range(2):
        session = table(name, (1,), seed=11)
        play_on([session.place(1)], 5)
        games.append(session.record())
    assert games[0] == games[1]


@pytest.mark.parametrize("name", TABLES)
def test_a_place_sees_the_view_and_the_events_of_its_seat_alone(name: str) -> None:
    session = table(name, (1,))
    place = session.place(1)
    again = Replay(finished(name), make_game)
    news: list[Any] = []
    while place.outcome is None:
        place.wait()
        news += place.news()
        at = len(session.actions)
        assert place.record_view.tobytes() == again.view(at, 1).tobytes()
        if place.my_move:
            place.play(place.legal_actions[0])
    news += place.news()
    assert [event.tobytes() for event in news] == [events[1].tobytes() for events in again.events]
    assert place.news() == []


def finished(name: str) -> Any:
    session = table(name, (1,))
    place = session.place(1)
    while place.outcome is None:
        place.wait()
        if place.my_move:
            place.play(place.legal_actions[0])
    return session.record()


class Scribbler(Agent):
    """Plays the first legal action, and writes over all that it is given."""

    name = "scribbler"

    def start(self, game: Game, views: Views, streams: Any) -> Any:
        return {"game": game, "chairs": [0] * len(views)}

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        legal = np.array([memory["game"].legal_actions(views[row : row + 1]).codes[0] for row in range(len(views))])
        views.view(np.uint8)[:] = 255
        rows += 1000
        return legal

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        assert (rows < len(memory["chairs"])).all()
        events.view(np.uint8)[:] = 255
        rows += 1000


def test_what_a_player_writes_into_what_it_is_given_changes_nothing_for_others() -> None:
    game = make_game("speed_clue", "mitchell", 3)
    session = Session(game, [Sitter("A", Scribbler()), Sitter("B", None), Sitter("C", Scribbler())], 3)
    place = session.place(1)
    play_on([place], 0)
    replay = Replay(parse_record(session.record().line()), make_game)
    assert [events.tobytes() for events in session.events] == [events.tobytes() for events in replay.position.events]
    position = Position(game, 3)
    assert position.view(0).seat == 0  # as always, for whoever plays next in this process
    now = session.before(1)
    agent = Scribbler()
    memory = agent.catch_up(game, session.position.past(0), np.zeros(1, np.uint64))
    assert (len(memory["chairs"]), now.outcome) == (1, None)


@pytest.mark.parametrize("move", [0, 2])
def test_there_is_nothing_before_a_move_that_cannot_come_next(move: int) -> None:
    session = Session(make_game("duel", "mcgill", 2), [Sitter("A", None), Sitter("B", None)], 3)
    told = f"there is no move {move}; moves made so far, counted from 1: 0"
    with pytest.raises(BadInput, match=told):
        session.before(move)
    with pytest.raises(BadInput, match=told):
        reasons.mover_of(session, move)


def test_an_answer_that_is_no_action_names_the_player() -> None:
    class Half(Scribbler):
        name = "half"

        def act(self, views: Views, memory: Any, rows: Rows) -> Any:
            return super().act(views, memory, rows) + 0.5

    game = make_game("speed_clue", "mitchell", 3)
    session = Session(game, [Sitter(name, Half()) for name in "ABC"], 3)
    with pytest.raises(AgentFailure, match="half must answer act with an array of whole numbers"):
        session.step()


def test_events_in_words_name_those_at_the_table() -> None:
    session = table("speed_clue", (0,))
    place = session.place(0)
    place.play("suggest Mrs Peacock, Rope, Hall")
    place.wait()
    told = [place.in_words(event) for event in place.news()]
    assert told[0].startswith("P0: suggest Mrs Peacock, Rope, Hall")
    assert not any("seat" in line for line in told)


def test_an_illegal_move_names_the_rule_and_changes_nothing() -> None:
    session = table("speed_clue", (0,))
    place = session.place(0)
    before = place.record_view.tobytes()
    with pytest.raises(IllegalAction, match="a turn ends after one's suggestion"):
        place.play("end")
    assert (place.record_view.tobytes(), place.news(), session.actions) == (before, [], [])


def test_nobody_plays_out_of_turn() -> None:
    session = table("speed_clue", (0, 1))
    with pytest.raises(IllegalAction, match="not this seat's move"):
        session.place(1).play("suggest Mrs Peacock, Rope, Hall")
    assert session.actions == []


def test_truth_and_record_are_for_the_finished_game() -> None:
    session = table("speed_clue", (0,))
    with pytest.raises(BadInput, match="when the game is over"):
        session.truth()
    with pytest.raises(BadInput, match="finished game"):
        session.record()


def test_a_person_has_a_place_and_an_artificial_player_has_none() -> None:
    session = table("speed_clue", (0,))
    for seat in (1, -1, 4):
        with pytest.raises(BadInput, match=f"no person sits on seat {seat}"):
            session.place(seat)
        with pytest.raises(BadInput, match=f"no person sits on seat {seat}"):
            session.apply(seat, 0)


def test_who_sits_down_must_fit_the_game() -> None:
    game = make_game("speed_clue", "mitchell", 3)
    with pytest.raises(BadInput, match="3 seats, not 2"):
        Session(game, [Sitter("A"), Sitter("B")], 0)
    with pytest.raises(BadInput, match="a name of their own"):
        Session(game, [Sitter("A"), Sitter("B"), Sitter("A")], 0)


class Cheat(Agent):
    name = "cheat"
    observes = False

    def start(self, game: Game, views: Views, streams: Any) -> Any:
        return None

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        return np.array([12345], np.int32)

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        pass


def test_an_artificial_player_that_breaks_the_rules_is_named() -> None:
    session = Session(make_game("speed_clue", "mitchell", 3), [Sitter("A", Cheat()), Sitter("B"), Sitter("C")], 0)
    with pytest.raises(AgentFailure, match=r"A \(cheat\) at seat 0.*12345"):
        session.step()


def test_roles_can_be_seated() -> None:
    agents = Agents("saboteur")
    game = make_game("saboteur", "krisnadi", 5, {"saboteur": 2, "miner": 3})
    sitters = [Sitter("me"), *(Sitter(f"P{seat}", agents.make("random")) for seat in range(1, 5))]
    session = Session(game, sitters, 0, np.array([1, 0, 0, 1, 0], np.int8))
    assert session.place(0).view.role == "saboteur"
    play_on([session.place(0)], 0)
    assert session.record().roles == ("saboteur", "miner", "miner", "saboteur", "miner")


def test_who_waits_for_machine_code_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only of a player that cannot do without, and only while it is being made."""
    at_hand: list[bool] = [False]
    monkeypatch.setattr(table_session, "is_at_hand", lambda name: at_hand[0] or not name.endswith("/duel-star"))

    def told(opponent: str) -> list[str]:
        game = make_game("duel", "mcgill", 2)
        agents = Agents("duel")
        session = Session(game, [Sitter("Ann", None), Sitter("Bob", agents.make(opponent))], 7)
        place, names = session.place(0), list[str]()
        place.wait(names.append)
        place.play(int(place.legal_actions[0]))
        place.wait(names.append)
        return names

    fast = "duel-star:deals=1"
    assert set(told(fast)) == {"Bob"} and told("greedy-2020") == []
    at_hand[0] = True
    assert told(fast) == []


def test_where_taking_back_is_broken_off_nothing_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    session = table("speed_clue", (0,))
    place = session.place(0)
    for _ in range(2):
        place.wait()
        place.play(place.legal_actions[0])
    place.wait()
    before = session.saved()
    with monkeypatch.context() as stopped:
        stopped.setattr(Session, "think", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            session.undo(0)
    assert session.saved() == before
    session.undo(0)
    assert len(session.actions) < len(before.moves)
