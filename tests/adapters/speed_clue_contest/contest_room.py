"""Contests on the loopback for the tests: programs in threads, ours and such as misbehave."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.adapters.speed_clue_contest.client import ContestPlayer, connect, play_contest
from molehunt.adapters.speed_clue_contest.endings import ReplyEndings
from molehunt.adapters.speed_clue_contest.gathering import Gathering
from molehunt.adapters.speed_clue_contest.programs import listen
from molehunt.adapters.speed_clue_contest.protocol import (
    Accuse,
    Alive,
    Disprove,
    Done,
    Message,
    Reset,
    Suggest,
    decode_message,
    format_reply,
    parse_message,
)
from molehunt.adapters.speed_clue_contest.server import Standing, play_tournament
from molehunt.adapters.speed_clue_contest.talk import HungUp, Talk
from molehunt.adapters.speed_clue_contest.told import use_told
from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent, Rows
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.match import play
from molehunt.games.speed_clue.actions import triple_mask
from molehunt.games.speed_clue.edition import load_edition
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.ruleset import CONTEST
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion

HOST = "127.0.0.1"
EDITION = load_edition(CONTEST.cards)

Program = Callable[[int], None]
"""What plays, given the port."""


_getting_ready = threading.Lock()


def get_ready() -> None:
    """Have the kernels compiled before anybody waits for a reply."""
    with _getting_ready:
        _play_once()


@cache
def _play_once() -> None:
    agents = Agents("speed_clue")
    game = SpeedClue(CONTEST, 3)
    played = play(game, [agents.make(spec) for spec in ("basic", "random", "combined")], np.zeros(1, np.uint64))
    game.legal_actions(game.views(played.states, np.zeros(1, np.int8)))
    use_told()


def ours(name: str, agent: Agent | str = "combined", seed: int = 0) -> Program:
    """Our client."""
    made = Agents("speed_clue").make(agent) if isinstance(agent, str) else agent

    def run(port: int) -> None:
        get_ready()
        with connect(HOST, port) as lines:
            play_contest(lines, name, ContestPlayer(made, seed, remark=no_remark))

    return run


def no_remark(text: str) -> None:
    """Of what our server says nothing is impossible."""
    raise AssertionError(text)


class Leave(Exception):
    """A scripted program hangs up."""


def scripted(name: str, change: Callable[[int, Message, str], str | None], agent: str = "combined") -> Program:
    """Our client, but `change(game, message, reply)` says what is sent (None: nothing); it may raise Leave."""

    def run(port: int) -> None:
        get_ready()
        player = ContestPlayer(Agents("speed_clue").make(agent), remark=no_remark)
        with connect(HOST, port) as lines, contextlib.suppress(Leave, HungUp):
            lines.send(format_reply(Alive(name), EDITION))
            while True:
                message = parse_message(decode_message(lines.receive()), EDITION)
                game = player.games + isinstance(message, Reset)
                said = change(game, message, format_reply(player.reply(message), EDITION))
                if said is not None:
                    lines.send(said)

    return run


def hold(
    programs: Sequence[Program], games: int, seconds: float = 20.0, seed: int = 0, **options: Any
) -> tuple[Standing, list[Exception]]:
    """Hold a contest; its standing, and what the programs raised."""
    raised: list[Exception] = []
    with listen(HOST, 0) as door:
        port = door.getsockname()[1]

        def run(program: Program) -> None:
            try:
                program(port)
            except Exception as error:  # noqa: BLE001 - the test looks at them
                raised.append(error)

        threads = [threading.Thread(target=run, args=(program,), daemon=True) for program in programs]
        for thread in threads:
            thread.start()
        gathering = Gathering(door, EDITION, seconds)
        try:
            standing = play_tournament(gathering.gather(len(programs), 300.0), games, seed, **options)
        finally:
            gathering.close()
        for thread in threads:
            thread.join(10)
            assert not thread.is_alive()
    return standing, raised


def pair() -> tuple[Talk, Talk]:
    """Two ends of one connection."""
    with socket.create_server((HOST, 0)) as door:
        one = socket.create_connection(door.getsockname())
        return Talk(one, ReplyEndings(EDITION)), Talk(door.accept()[0], ReplyEndings(EDITION))


@dataclass
class Diary:
    """What one chair lived through, in order: views at the start and at decisions, events, as bytes."""

    lines: list[bytes] = field(default_factory=list)


class Diarist(Agent):
    """Plays as another agent and keeps a diary of every chair."""

    observes = True

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.name = f"diary of {agent.name}"
        self.diaries: list[Diary] = []

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        mine = [Diary([view.tobytes(), stream.tobytes()]) for view, stream in zip(views, streams, strict=True)]
        self.diaries += mine
        return self.agent.start(game, views, streams), mine

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        actions = self.agent.act(views, memory[0], rows)
        for index, row in enumerate(rows):
            memory[1][row].lines += [b"view", views[index].tobytes(), b"act", actions[index].tobytes()]
        return actions

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        for index, row in enumerate(rows):
            memory[1][row].lines += [b"event", events[index].tobytes()]
        if self.agent.observes:
            self.agent.observe(events, memory[0], rows)


class Chatterer(Agent):
    """Asks with own cards and never accuses, so that the game goes on to its limit."""

    name = "chatterer"
    observes = False

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        return game

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        chosen = []
        for view in views:
            legal = [int(action) for action in memory.legal_actions(np.array([view], views.dtype))]
            asking = [action for action in legal if action >> 16 == 1 and triple_mask(action & 0x7FFF) & view["hand"]]
            chosen.append(asking[0] if asking else legal[-1])
        return np.array(chosen, np.int32)

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        raise AssertionError("an agent that does not observe is told nothing")


def any_triple(rng: random.Random) -> tuple[int, int, int]:
    return rng.choice(EDITION.cards(0)), rng.choice(EDITION.cards(1)), rng.choice(EDITION.cards(2))


def any_message(rng: random.Random) -> Message:
    one, other = rng.sample(range(6), 2)
    cards = any_triple(rng)
    seats = rng.randint(3, 6)
    return rng.choice(
        (
            Reset(seats, rng.randrange(seats), tuple(rng.sample(range(21), rng.randint(1, 6)))),
            Disprove(one, cards),
            HeardSuggestion(one, cards),
            HeardSuggestion(one, cards, other),
            HeardSuggestion(one, cards, other, rng.choice(cards)),
            Accusation(one, cards, rng.random() < 0.5),
            rng.choice((Suggest(), Accuse(), Done())),
        )
    )
