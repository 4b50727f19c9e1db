"""The course's program: a server made after its protocol, at which our players play over TCP as clients."""

from __future__ import annotations

import io
import socket
import threading
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from adapters.course_room import Server, deal_of, game_of, hand_of
from core.changing import changing_at_each_moment
from games.duel.playing import GAME, mover, seeds_of
from molehunt.adapters import duel_course
from molehunt.adapters.duel_course import CourseError, CourseSeat, Ending, connect, play_course_game
from molehunt.agents.registry import Agents
from molehunt.core import meanwhile
from molehunt.core.agent import Agent, Player, PlayerAgent, Rows
from molehunt.core.errors import AgentFailure
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.interpreting import interpret_meanwhile, interpreting, is_interpreting
from molehunt.games.duel.notation import from_course, to_course

AGENTS = Agents("duel")


@pytest.mark.parametrize("number", range(4))
def test_two_players_play_a_whole_game_and_agree_how_it_ended(number: int) -> None:
    server = Server(number)
    endings = game_of(server, AGENTS.make("greedy-2020"), AGENTS.make("stranger:seed=3"))
    assert {type(ending) for ending in endings.values()} == {Ending}, endings
    assert {ending.seat for ending in endings.values()} == {0, 1}
    said = server.lines[-1]
    winner = -1 if said == "GAMEOVER DRAW" else int(said[-1])
    assert {ending.winner for ending in endings.values()} == {winner}
    assert len(server.lines) > 8


class Watcher(Agent):
    """A player at random that keeps all views and events that it is given."""

    name = "watcher"
    in_batches = False

    def __init__(self) -> None:
        self.views: list[bytes] = []
        self.events: list[bytes] = []
        self.inner = AGENTS.make("random")

    def start(self, game: Game, views: Views, streams: Any) -> Any:
        self.views.append(views.tobytes())
        return self.inner.start(game, views, streams)

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        self.views.append(views.tobytes())
        return self.inner.act(views, memory, rows)

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        self.events.append(events.tobytes())


def test_a_player_sees_there_what_it_sees_at_our_own_table_and_no_more() -> None:
    """The same deal and moves, given to a seat by the server and by our own match loop: the same views and events."""
    states = GAME.new(seeds_of(9, 1))
    there, here = Watcher(), Watcher()
    chair = CourseSeat(there, 1, deal_of(states).removeprefix("BoardInit:"), 5)
    memory = here.start(GAME, GAME.views(states, np.array([1], np.int8)), np.zeros(1, np.uint64))
    for turn in range(30):
        seat = mover(states)
        view = GAME.views(states, np.array([seat], np.int8))
        if seat == 1:
            text = chair.move()
            here.act(view, memory, np.zeros(1, np.int64))
            assert there.views[-1] == here.views[-1]
            action = from_course(text, 1, hand_of(states, 1))
        else:
            legal = GAME.legal_actions(view)
            action = int(legal[(7 * turn) % len(legal)])
            text = to_course(action, seat, hand_of(states, seat))
        events = GAME.apply(states, np.array([action], np.int32))
        here.observe(np.ascontiguousarray(events[:, 1]), memory, np.zeros(1, np.int64))
        chair.made(text)
        assert there.events[-1] == here.events[-1]
        if mover(states) < 0:
            break
    assert len(there.events) > 10


def test_a_move_that_the_server_chose_for_a_late_client_is_played() -> None:
    endings = game_of(Server(2, late=frozenset({0, 3, 4})), AGENTS.make("random-listed"), AGENTS.make("greedy-2020"))
    assert all(isinstance(ending, Ending) for ending in endings.values()), endings


def test_until_there_is_machine_code_another_moves_for_a_player_that_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """No move waits for it, as the server allows 2 s for each, also for the first."""
    waited: list[float] = []
    made = iter([False, False, True, True])

    def all_made(seconds: float = 0.0) -> bool:
        waited.append(seconds)
        return next(made)

    monkeypatch.setattr(duel_course, "all_made", all_made)
    moved: list[str] = []

    def watched(name: str, agent: Agent) -> Agent:
        act = agent.act

        def watched_act(*args: Any) -> Any:
            moved.append(name)
            return act(*args)

        monkeypatch.setattr(agent, "act", watched_act)
        return agent

    searches, stands_in = (
        watched("searches", AGENTS.make("duel-star:deals=2")),
        watched("stands in", AGENTS.make("random")),
    )
    states = GAME.new(seeds_of(9, 1))
    chair = CourseSeat(searches, 1, deal_of(states).removeprefix("BoardInit:"), 5, stands_in)
    while len(moved) < 4:
        seat = mover(states)
        view = GAME.views(states, np.array([seat], np.int8))
        text = chair.move() if seat == 1 else to_course(int(GAME.legal_actions(view)[0]), seat, hand_of(states, seat))
        GAME.apply(states, np.array([from_course(text, seat, hand_of(states, seat))], np.int32))
        chair.made(text)
    assert moved == ["stands in", "stands in", "searches", "searches"]
    assert waited == [0.0, 0.0, 0.0, 0.0]
    # Who thinks fast enough interpreted is not waited for.
    assert CourseSeat(AGENTS.make("greedy-2020"), 1, deal_of(GAME.new(seeds_of(9, 1)))[10:], 5, stands_in).move()
    assert len(waited) == 4


def test_who_stands_in_is_interpreted_also_when_the_other_s_machine_code_has_just_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its own was not made: to compile it takes longer than a move may."""

    class Coming:
        over = threading.Event()

        def has_made(self, _name: str) -> bool:
            return True

    seen: list[bool] = []
    stands_in = AGENTS.make("greedy-2020")
    act = stands_in.act

    def watched(*args: Any) -> Any:
        seen.append(is_interpreting())
        return act(*args)

    monkeypatch.setattr(stands_in, "act", watched)
    chair = CourseSeat(AGENTS.make("duel-star:deals=2"), 1, deal_of(GAME.new(seeds_of(9, 1)))[10:], 5, stands_in)
    monkeypatch.setattr(meanwhile, "_compiling", Coming())
    interpret_meanwhile(True)
    try:
        assert chair.move()
    finally:
        interpret_meanwhile(False)
    assert seen == [True]


def test_a_client_is_ready_when_there_is_machine_code_for_a_player_that_searches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[Any] = []

    def all_made(seconds: float = 0.0) -> bool:
        done.append(seconds)
        return True

    monkeypatch.setattr(duel_course, "all_made", all_made)
    for agent, stand_in in (("duel-star:deals=2", "random"), ("duel-star:deals=2", None), ("greedy-2020", "random")):
        other = None if stand_in is None else AGENTS.make(stand_in)
        with pytest.raises(CourseError, match="hung up before the game began"):
            play_course_game(io.StringIO(), done.append, "me", AGENTS.make(agent), 0, other)
    assert done == [duel_course.PATIENCE, "START me", "START me", "START me"]


def talk(*lines: str, agent: str = "random") -> Any:
    """What comes of these lines of a server: the ending or the error, and what was sent."""
    sent: list[str] = []
    script = iter([*(f"{line}\n" for line in lines), ""])

    class Incoming:
        def readline(self, limit: int = -1) -> str:
            return next(script)

    try:
        return play_course_game(Incoming(), sent.append, "me", AGENTS.make(agent)), sent  # type: ignore[arg-type]
    except CourseError as error:
        return error, sent


with interpreting():  # tests are collected in several processes, and none of them shall compile for that
    DEAL = deal_of(GAME.new(seeds_of(1, 1)))


def test_the_greeting_and_the_answer_are_the_programs_lines() -> None:
    ending, sent = talk("START Player-1 me", DEAL, "PLAY Player-1", "GAMEOVER TIMEOUT WINNER 0", agent="greedy-2020")
    assert sent[0] == "START me" and len(sent) == 2 and sent[1].endswith(" 1")
    assert ending == Ending(1, 0, "TIMEOUT WINNER 0")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((), "hung up before the game began"),
        (("HTTP/1.1 400 Bad Request",), "the last that it said was 'HTTP/1.1 400 Bad Request'"),
        (("GAMEOVER USER CANCEL UNDECIDED",), "ended the game before it began"),
        (("START Player-0 me",), "hung up before the game was over"),
        (("START Player-0 me", "Drop 0 0 1"), "before it deals"),
        (("START Player-0 me", "BoardInit:Malus-Map"), "deals what is no deal"),
        (("START Player-0 me", DEAL, "PLAY Player-0"), "when it is not this client's turn"),
        (("START Player-0 me", DEAL, "Nonsense"), "none can make"),
        (("START Player-0 me", DEAL, "Tile:8 0 0 1"), "none can make"),
        (("START Player-0 me", DEAL, "GAMEOVER"), "broke the game off: 'GAMEOVER'"),
        (("START Player-0 me", DEAL, "GAMEOVER USER CANCEL UNDECIDED"), "broke the game off: 'GAMEOVER USER CANCEL"),
    ],
)
def test_what_nobody_understands_ends_the_game_with_a_word(lines: tuple[str, ...], said: str) -> None:
    error, _ = talk(*lines)
    assert isinstance(error, CourseError) and said in str(error)


def test_a_server_that_hangs_up_while_the_player_thinks_is_heard_to_the_end() -> None:
    """A client that was late finds the connection closed, but what the server said before can still be read."""
    lines = iter(["START Player-1 me\n", f"{DEAL}\n", "PLAY Player-1\n", "GAMEOVER TIMEOUT WINNER 0\n"])

    class Incoming:
        def readline(self, limit: int = -1) -> str:
            return next(lines)

    def send(line: str) -> None:
        if not line.startswith("START"):
            raise ConnectionResetError("reset by peer")

    ending = play_course_game(Incoming(), send, "me", AGENTS.make("random"))  # type: ignore[arg-type]
    assert ending == Ending(1, 0, "TIMEOUT WINNER 0")


def test_a_server_that_hangs_up_before_the_greeting_is_heard_to_the_end() -> None:
    """A broken pipe of standard output is no failure of a command; this one is."""

    def send(line: str) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    for said, told in (("", "the server hung up before the game began"), ("GAMEOVER full\n", "'GAMEOVER full'")):
        with pytest.raises(CourseError, match=told):
            play_course_game(io.StringIO(said), send, "me", AGENTS.make("random"))


class Anywhere(Player):
    """Returns what it was made with, whatever it sees."""

    def __init__(self, move: int | str) -> None:
        self.move = move

    def choose(self, view: Any) -> int | str:
        return self.move


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (2_000_000, "chose what is not legal here: "),
        ("Tile:0 0 0 1", "chose what is not legal here: "),
        (0, "must choose one of view.legal_actions or its notation, not 0: that is the place of an action"),
    ],
)
def test_a_player_that_makes_an_illegal_move_is_named(move: int | str, said: str) -> None:
    """It is the player's failure, not a wrong call, and no game that the server says was lost."""
    chair = CourseSeat(PlayerAgent("anywhere", lambda: Anywhere(move)), 1, DEAL.removeprefix("BoardInit:"), 5)
    with pytest.raises(AgentFailure, match=f"^anywhere {said}"):
        chair.move()


def test_where_no_server_is_the_address_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    with pytest.raises(CourseError, match=f"port {port}.*is it running there"):
        connect("127.0.0.1", port, 1.0)


def test_the_same_seed_is_the_same_player() -> None:
    states = GAME.new(seeds_of(1, 1))
    moves = []
    for seed in (5, 5, 6, 7, 8):
        chair = CourseSeat(AGENTS.make("random"), 1, deal_of(states).removeprefix("BoardInit:"), seed)
        moves.append(chair.move())
    assert moves[0] == moves[1] and len(set(moves)) > 1


@pytest.mark.parametrize("spec", ["greedy-2020", "and-or-2020:depth=1", "stranger:seed=3"])
def test_machine_code_may_come_at_any_moment_of_a_game(spec: str) -> None:
    server, agents = Server(4), Agents("duel")
    game_of(server, agents.make(spec), agents.make("greedy-2020"))
    seat = 0 if "START Player-0 p0" in server.lines else 1
    deal = next(line for line in server.lines if line.startswith("BoardInit:")).removeprefix("BoardInit:")
    after = server.lines[server.lines.index(f"BoardInit:{deal}") + 1 : -1]

    def moves() -> list[str]:
        chair = CourseSeat(agents.make(spec), seat, deal, 5)
        made = []
        for line in after:
            if line == f"PLAY Player-{seat}":
                made.append(chair.move())
            elif not line.startswith("PLAY "):
                chair.made(line)
        return made

    expected = [move for asked, move in pairwise(after) if asked == f"PLAY Player-{seat}"]
    for found in changing_at_each_moment(moves, lambda moment: moment + 1 + moment // 2):
        assert found == expected
