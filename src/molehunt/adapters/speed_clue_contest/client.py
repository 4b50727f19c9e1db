"""A program for the contest: any player of Speed Clue, playing by the messages alone.

The player lives through the same game as at our own tables. Where it holds only one card to show, the contest's server shows it
without asking; the player is asked all the same, because at our tables showing is always a move.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from molehunt.adapters.reaching import reach
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
from molehunt.adapters.speed_clue_contest.told import Told
from molehunt.core.agent import Agent, one_chair
from molehunt.core.errors import AgentFailure, BadNotation
from molehunt.core.game import LegalActions
from molehunt.core.interpreting import unchanged
from molehunt.core.meanwhile import is_at_hand, machine_code
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.core.words import joined
from molehunt.games.speed_clue.actions import ACCUSE, END, PLAY_SHIFT, SHOW, SUGGEST
from molehunt.games.speed_clue.edition import load_edition
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.notation import triple_of
from molehunt.games.speed_clue.ruleset import CONTEST
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion


class ContestPlayer:
    """An agent in its seat of the contest: a message comes in, a reply goes out.

    From game to game the agent takes along what it learned about the others (`Agent.impressions`), unless that is tied to seats.
    The random stream of a game is
    that of the same seat in the same game of `molehunt arena speed_clue/contest --rotate` with the same seed. `games` and `won`
    count what was begun, and what this seat was told that it won. `stand_in` moves as long as machine code is being made for an
    agent that would answer too late without it (`Agent.interpreted_slowly`).

    In a game in which the server says what cannot be (`told`), `remark` is told of the first such message, and the game goes on:
    where the agent can make nothing of it any more, the stand-in moves, or else any move is made that is allowed.
    """

    def __init__(
        self,
        agent: Agent,
        seed: int = 0,
        stand_in: Agent | None = None,
        remark: Callable[[str], None] | None = None,
    ) -> None:
        self.agent = agent
        self._stand_in = stand_in
        self._memory_of_stand_in: Any = None
        self._remark = remark
        self.edition = load_edition(CONTEST.cards)
        self.games = 0
        self.won = 0
        self._seed = seed
        self._chair: ContestSeat | None = None
        self._passes_over = False
        self._begun: set[int] = set()
        self._told: Told | None = None
        self._memory: Any = None
        self._known: Any = None

    def reply(self, message: Message) -> Reply:
        """The reply to a message. ContestError where the message is out of place, AgentFailure where the agent fails."""
        match message:
            case Reset():
                self._sit_down(message)
                return Ok()
            case Done():
                return Dead()
        chair, told = self._chair, self._told
        if chair is None or told is None:
            raise ContestError(f"{format_message(message, self.edition)!r} comes before any game has begun")
        reply = self._reply_in_game(chair, self._heard(told, message))
        told.said(reply)
        return reply

    def _heard(self, told: Told, message: Message) -> Message:
        """A message as the game goes on with it; what is the first in a game that cannot be is remarked on."""
        before = told.fault
        message = told.hear(message)
        if told.fault and not before:
            self._remark_on(told)
        return message

    def _remark_on(self, told: Told) -> None:
        if self._remark is not None:
            self._remark(f"in game {self.games}, the server says what cannot be: {told.fault}; the game goes on")

    def _reply_in_game(self, chair: ContestSeat, message: Message) -> Reply:
        match message:
            case Suggest():
                chair.begin_turn()
                return OwnSuggestion(triple_of(self._act(chair, SUGGEST)))
            case Disprove():
                chair.asked(message)
                if not chair.showable():
                    cards = joined([self.edition.codes[card] for card in message.cards], "or")
                    raise ContestError(f"it asks for what this seat cannot do now, to show {cards}")
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
    def on_turn(self) -> bool | None:
        """Whether, by the order of seats, nobody suggests before this seat does; None where that is not known.

        A game is taken to begin with a seat with which one has begun before, the first with another than this: so a turn of one's
        own that begins a game is waited for once in a contest, at a server with which games always begin with the same seat. With
        a server that has once passed over somebody, it is never known that it is not this seat.
        """
        chair = self._chair
        if chair is None:
            return None
        self._passes_over |= chair.passed_over
        if chair.began is None:
            return None if self._passes_over or chair.seat in self._begun else False
        self._begun.add(chair.began)
        return chair.is_next or (None if self._passes_over else chair.is_next)

    def _sit_down(self, message: Reset) -> None:
        game = SpeedClue(CONTEST, message.seats)
        deal = game_seeds(self._seed, self.games // message.seats, 1)
        stream = seat_streams(deal, message.seats)[0, message.seat : message.seat + 1]
        self.games += 1
        known = self._impressions()
        self._chair = ContestSeat(game, message)
        self._told = Told(self.edition, message)
        if self._told.fault:
            self._remark_on(self._told)
        self._memory = self.agent.start(game, self._chair.views.copy(), stream)
        if self._stand_in is not None:
            self._memory_of_stand_in = self._stand_in.start(game, self._chair.views.copy(), stream.copy())
        if known is not None:
            self.agent.meet_again(self._memory, 0, known, seated=False)

    def _must_stand_in(self) -> bool:
        """Whether the agent would answer too late now."""
        return self.agent.interpreted_slowly and self._stand_in is not None and not is_at_hand("speed_clue")

    @property
    def _misled(self) -> bool:
        """Whether the agent was told what cannot be, in this game."""
        return self._told is not None and bool(self._told.fault)

    def _impressions(self) -> Any:
        """What the agent takes along from the game before: a contest is played by the same programs, in all seat orders."""
        if self._misled:
            return self._known
        if self._chair is None or self.agent.knows_by_seat or self._must_stand_in():
            return None
        with machine_code("speed_clue", self.agent.needs_machine_code):
            self._known = self.agent.impressions(self._chair.game, self._chair.views.copy(), self._memory, 0)
        return self._known

    def _act(self, chair: ContestSeat, *plays: int) -> int:
        """What the agent does at its view; AgentFailure where that is not one of the things it is asked for."""
        self._observe(chair)
        legal = chair.game.legal_actions(chair.views)
        if not len(legal) or int(legal[0]) >> PLAY_SHIFT not in plays:
            raise ContestError("it asks for what this seat cannot do now")
        if self._misled:
            return self._act_misled(chair, legal)
        if self._stand_in is not None and self._must_stand_in():
            return self._choice_of_stand_in(chair, self._stand_in)
        return self._choice(chair, legal)

    def _choice(self, chair: ContestSeat, legal: LegalActions) -> int:
        with machine_code("speed_clue", self.agent.needs_machine_code):
            action = int(self.agent.act(chair.views.copy(), self._memory, one_chair())[0])
        if action not in legal:
            raise AgentFailure(f"{self.agent.name} chose what is not legal here: {chair.game.format_action(action)}")
        return action

    def _choice_of_stand_in(self, chair: ContestSeat, stand_in: Agent) -> int:
        with unchanged():  # where the other's code comes in the middle, its own would have to be compiled here
            return int(stand_in.act(chair.views.copy(), self._memory_of_stand_in, one_chair())[0])

    def _act_misled(self, chair: ContestSeat, legal: LegalActions) -> int:
        """A legal action where no deal agrees with what was told: of the first who can think of one, and else no accusation."""
        if not self._must_stand_in():
            with contextlib.suppress(Exception):  # who is told what cannot be may fail in any way
                return self._choice(chair, legal)
        if self._stand_in is not None:
            with contextlib.suppress(Exception):
                action = self._choice_of_stand_in(chair, self._stand_in)
                if action in legal:
                    return action
        return next((int(action) for action in legal if action >> PLAY_SHIFT == END), int(legal[0]))

    def _accuse(self, chair: ContestSeat) -> OwnAccusation:
        action = self._act(chair, ACCUSE, END)
        if action >> PLAY_SHIFT == ACCUSE:
            return OwnAccusation(triple_of(action))
        chair.end_turn()
        self._observe(chair)
        return OwnAccusation(None)

    def _observe(self, chair: ContestSeat) -> None:
        events = chair.take_events()
        misled = contextlib.suppress(*([Exception] if self._misled else []))
        for index in range(len(events)):
            if self.agent.observes:
                with misled:
                    self.agent.observe(events[index : index + 1], self._memory, one_chair())


def connect(host: str, port: int, wait: float = 0.0) -> Talk:
    """Reach the server, for which to wait so many seconds; ContestError says where there is none."""
    connection = reach(host, port, "a server", ContestError, wait)
    return Talk(connection, MessageEndings(load_edition(CONTEST.cards)), PIECES_OF_SERVER)


def play_contest(talk: Talk, identifier: str, player: ContestPlayer) -> None:
    """Play until the server is done, or hangs up between games.

    ContestError where it hangs up in a game, or before it has heard who comes, or says what nobody understands.
    """
    edition = player.edition
    endings = talk.endings = MessageEndings(edition)
    greeting = format_reply(Alive(check_identifier(identifier)), edition)
    try:
        talk.send(greeting)
    except HungUp:
        raise ContestError(f"the server hung up before it heard {greeting!r}") from None
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
