"""A program for the contest: any player of Speed Clue, playing by the messages alone.

The player lives through the same game as at our own tables. Where it holds only one card to show, the contest's server shows it
without asking; the player is asked all the same, because at our tables showing is always a move.
"""

from __future__ import annotations

import socket
from typing import Any

import numpy as np

from molehunt.adapters.speed_clue_contest.endings import MessageEndings
from molehunt.adapters.speed_clue_contest.protocol import (
    Accuse,
    Alive,
    Dead,
    Disprove,
    Done,
    Message,
    Ok,
    OwnAccusation,
    OwnSuggestion,
    Reply,
    Reset,
    Show,
    Suggest,
    check_identifier,
    decode_message,
    format_message,
    format_reply,
    parse_message,
)
from molehunt.adapters.speed_clue_contest.seat import ContestSeat
from molehunt.adapters.speed_clue_contest.talk import PIECES_OF_SERVER, ContestError, HungUp, Talk
from molehunt.core.agent import Agent
from molehunt.core.errors import AgentFailure, BadNotation
from molehunt.core.meanwhile import is_at_hand, machine_code
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.speed_clue.actions import ACCUSE, END, PLAY_SHIFT, SHOW, SUGGEST
from molehunt.games.speed_clue.edition import load_edition
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.notation import triple_of
from molehunt.games.speed_clue.ruleset import CONTEST
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion

ONE_CHAIR = np.zeros(1, np.int64)


class ContestPlayer:
    """An agent in its seat of the contest: a message comes in, a reply goes out.

    From game to game the agent takes along what it learned about the others (`Agent.impressions`). The random stream of a game is
    that of the same seat in the same game of `molehunt arena speed_clue/contest --rotate` with the same seed. `games` and `won`
    count what was begun, and what this seat was told that it won. `stand_in` moves as long as machine code is being made for an
    agent that would answer too late without it (`Agent.interpreted_slowly`).
    """

    def __init__(self, agent: Agent, seed: int = 0, stand_in: Agent | None = None) -> None:
        self.agent = agent
        self._stand_in = stand_in if agent.interpreted_slowly else None
        self._memory_of_stand_in: Any = None
        self.edition = load_edition(CONTEST.cards)
        self.games = 0
        self.won = 0
        self._seed = seed
        self._chair: ContestSeat | None = None
        self._memory: Any = None

    def reply(self, message: Message) -> Reply:
        """The reply to a message. ContestError where the message is out of place, AgentFailure where the agent fails."""
        match message:
            case Reset():
                self._sit_down(message)
                return Ok()
            case Done():
                return Dead()
        chair = self._chair
        if chair is None:
            raise ContestError(f"{format_message(message, self.edition)!r} comes before any game has begun")
        match message:
            case Suggest():
                chair.begin_turn()
                return OwnSuggestion(triple_of(self._act(chair, SUGGEST)))
            case Disprove():
                chair.asked(message)
                return Show(self._act(chair, SHOW) & 31)
            case Accuse():
                return self._accuse(chair)
            case HeardSuggestion():
                if chair.wait_for_card(message):
                    self._act(chair, SHOW)
                chair.suggested(message)
            case Accusation():
                chair.accused(message)
                self.won += chair.winner == chair.seat
        self._observe(chair)
        return Ok()

    @property
    def between_games(self) -> bool:
        """Whether a game was played and none is going on."""
        return self._chair is not None and self._chair.over

    @property
    def on_turn(self) -> bool:
        """Whether, by the order of seats, nobody suggests before this seat does."""
        return self._chair is not None and self._chair.is_next

    def _sit_down(self, message: Reset) -> None:
        game = SpeedClue(CONTEST, message.seats)
        deal = game_seeds(self._seed, self.games // message.seats, 1)
        stream = seat_streams(deal, message.seats)[0, message.seat : message.seat + 1]
        self.games += 1
        known = self._impressions()
        self._chair = ContestSeat(game, message)
        self._memory = self.agent.start(game, self._chair.views.copy(), stream)
        if self._stand_in is not None:
            self._memory_of_stand_in = self._stand_in.start(game, self._chair.views.copy(), stream.copy())
        if known is not None:
            self.agent.meet_again(self._memory, 0, known, seated=False)

    def _must_stand_in(self) -> bool:
        """Whether the agent would answer too late now."""
        return self._stand_in is not None and not is_at_hand("speed_clue")

    def _impressions(self) -> Any:
        """What the agent takes along from the game before: a contest is played by the same programs, in all seat orders."""
        if self._chair is None or self._must_stand_in():
            return None
        with machine_code("speed_clue", self.agent.needs_machine_code):
            return self.agent.impressions(self._chair.game, self._chair.views.copy(), self._memory, 0)

    def _act(self, chair: ContestSeat, *plays: int) -> int:
        """What the agent does at its view; AgentFailure where that is not one of the things it is asked for."""
        self._observe(chair)
        legal = chair.game.legal_actions(chair.views)
        if not len(legal) or int(legal[0]) >> PLAY_SHIFT not in plays:
            raise ContestError("it asks for what this seat cannot do now")
        if self._stand_in is not None and self._must_stand_in():
            return int(self._stand_in.act(chair.views.copy(), self._memory_of_stand_in, ONE_CHAIR)[0])
        with machine_code("speed_clue", self.agent.needs_machine_code):
            action = int(self.agent.act(chair.views.copy(), self._memory, ONE_CHAIR)[0])
        if action not in legal:
            raise AgentFailure(f"{self.agent.name} chose what is not legal here: {chair.game.format_action(action)}")
        return action

    def _accuse(self, chair: ContestSeat) -> OwnAccusation:
        action = self._act(chair, ACCUSE, END)
        if action >> PLAY_SHIFT == ACCUSE:
            return OwnAccusation(triple_of(action))
        chair.end_turn()
        self._observe(chair)
        return OwnAccusation(None)

    def _observe(self, chair: ContestSeat) -> None:
        events = chair.take_events()
        for index in range(len(events)):
            if self.agent.observes:
                self.agent.observe(events[index : index + 1], self._memory, ONE_CHAIR)


def connect(host: str, port: int, seconds: float = 10.0) -> Talk:
    """Reach the server; ContestError says where there is none."""
    try:
        connection = socket.create_connection((host, port), seconds)
        return Talk(connection, MessageEndings(load_edition(CONTEST.cards)), PIECES_OF_SERVER)
    except (OSError, ValueError) as error:  # ValueError: a name that no machine can have
        reason = getattr(error, "strerror", None) or error
        raise ContestError(
            f"cannot reach a server at {host!r:.80}, port {port}: {reason}; is it running there?"
        ) from None


def play_contest(talk: Talk, identifier: str, player: ContestPlayer) -> None:
    """Play until the server is done, or hangs up between games.

    ContestError where it hangs up in a game or says what nobody understands.
    """
    edition = player.edition
    endings = talk.endings = MessageEndings(edition)
    talk.send(format_reply(Alive(check_identifier(identifier)), edition))
    message: Message | None = None
    while True:
        try:
            message = parse_message(decode_message(talk.receive()), edition)
            if isinstance(message, Reset):
                endings.seat = message.seat
            reply = player.reply(message)
            endings.on_turn = player.on_turn
            talk.send(format_reply(reply, edition))
        except HungUp:
            if isinstance(message, Done) or player.between_games:
                return  # it does not wait for a farewell
            raise ContestError(f"the server hung up in game {player.games}, before it was done") from None
        except (BadNotation, ContestError) as error:
            raise ContestError(f"in game {player.games}, the server breaks the protocol: {error}") from None
        if isinstance(message, Done):
            return
