"""The server of the contest: one game among programs, and a tournament of many.

The true state is that of our own game under the ruleset `contest`, which judges every move. A program that dies, answers late, says
nonsense or breaks a rule is out of that game as after a wrong accusation: it is told nothing more, its cards stay where they are,
and the server shows them for it. The other programs hear of it only where it named three cards: an accusation against the rules is
announced as a wrong one, which it is.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from molehunt.adapters.speed_clue_contest.programs import ABSENT, HUNG_UP, ILLEGAL, LATE, Fault, Program
from molehunt.adapters.speed_clue_contest.protocol import (
    Accuse,
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
)
from molehunt.core.errors import IllegalAction
from molehunt.core.seats import NOBODY
from molehunt.core.streams import game_seeds
from molehunt.games.speed_clue.actions import ACCUSE, END, SHOW, SUGGEST
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.notation import pack, triple_of
from molehunt.games.speed_clue.rules import disprover_of, shown_of, suggester_of
from molehunt.games.speed_clue.ruleset import CONTEST
from molehunt.games.speed_clue.state import (
    ACCUSED,
    AFTER,
    ANSWER,
    GOING_ON,
    LAST_LEFT,
    NOBODY_DID,
    OVER,
    TURN,
    UNDECIDED,
)
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion, Triple

R = TypeVar("R", bound=Reply)
FAREWELL = 2.0
"""Seconds that a program has to say goodbye."""


@dataclass(frozen=True)
class FaultReport:
    """Who failed in which game (counted from 1; 0: at the farewell), how, and why in words."""

    game: int
    player: str
    kind: str
    reason: str


@dataclass
class Standing:
    """What came of a tournament. `wins` and `failed` (games in which it failed or was missing) are by player, in order of name.

    `outcomes` are by `SpeedClue.outcome_names`; `games` counts finished games only.
    """

    players: tuple[str, ...]
    wins: list[int]
    failed: list[int]
    outcomes: list[int]
    games: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    faults: list[FaultReport] = field(default_factory=list)


class ContestGame:
    """One game. `programs` are by seat; `failed` are the seats whose programs failed in it or were dead before.

    `report(seat, fault)` is told of every failure. It holds a state and no position: a program that fails is taken out of the game,
    which no move of the rules does.
    """

    def __init__(
        self, game: SpeedClue, programs: Sequence[Program], seed: int, report: Callable[[int, Fault], None]
    ) -> None:
        self.game = game
        self.programs = programs
        self.states = game.new(np.array([seed], np.uint64))
        self.failed: set[int] = set()
        self._state = self.states[0]
        self._report = report

    def play(self) -> None:
        """Play to the end."""
        self._retire({seat for seat, program in enumerate(self.programs) if program.dead})
        hands = [int(hand) for hand in self.states["hands"][0]]
        cards = range(len(self.game.edition.names))
        dealt = [tuple(card for card in cards if hand >> card & 1) for hand in hands[: self.game.seats]]
        self._tell([Reset(self.game.seats, seat, hand) for seat, hand in enumerate(dealt)])
        steps = {TURN: self._suggest, ANSWER: self._disprove, AFTER: self._accuse}
        while self._state["outcome"] == GOING_ON:
            steps[int(self._state["phase"])](int(self._state["to_move"]))

    # --- The three decisions ----------------------------------------------------------------------------------------

    def _suggest(self, seat: int) -> None:
        reply = self._ask(seat, Suggest(), OwnSuggestion)
        if reply is not None and self._apply(seat, pack(SUGGEST, *reply.cards)) and self._state["phase"] != ANSWER:
            self._announce_suggestion()

    def _disprove(self, seat: int) -> None:
        entry = int(self.states["record"][0, self._state["suggestion_count"] - 1])
        cards = triple_of(entry)
        held = [card for card in cards if int(self.states["hands"][0, seat]) >> card & 1]
        if len(held) > 1:
            reply = self._ask(seat, Disprove(int(suggester_of(entry)), cards), Show)
            if reply is not None and self._apply(seat, pack(SHOW, reply.card)):
                self._announce_suggestion()
                return
        # The server shows a card by itself: the only one, or that of a program that cannot.
        if self._state["outcome"] == GOING_ON:
            self._apply(seat, pack(SHOW, held[0]))
            self._announce_suggestion()

    def _accuse(self, seat: int) -> None:
        reply = self._ask(seat, Accuse(), OwnAccusation)
        if reply is None:
            return
        if reply.cards is None:
            self._apply(seat, pack(END))
            return
        if self._apply(seat, pack(ACCUSE, *reply.cards)):
            self._announce_accusation(seat, reply.cards, int(self._state["winner"]) == seat)
        else:
            # The rules forbid only accusations that must be wrong.
            self.states["accusations"][0, seat] = pack(0, *reply.cards) | ACCUSED
            self._announce_accusation(seat, reply.cards, right=False)

    # --- What all are told ------------------------------------------------------------------------------------------

    def _announce_suggestion(self) -> None:
        entry = int(self.states["record"][0, self._state["suggestion_count"] - 1])
        cards, suggester = triple_of(entry), int(suggester_of(entry))
        if disprover_of(entry) == NOBODY_DID:
            self._tell([HeardSuggestion(suggester, cards)] * self.game.seats)
            return
        disprover, shown = int(disprover_of(entry)), int(shown_of(entry))
        may_know = {suggester, disprover}
        self._tell(
            [
                HeardSuggestion(suggester, cards, disprover, shown if seat in may_know else None)
                for seat in range(self.game.seats)
            ]
        )

    def _announce_accusation(self, player: int, cards: Triple, right: bool) -> None:
        self._tell([Accusation(player, cards, right)] * self.game.seats)

    def _tell(self, messages: Sequence[Message]) -> None:
        """Tell every program something at once, by seat; then hear that each has heard it."""
        present = [seat for seat in range(self.game.seats) if seat not in self.failed]
        lost: set[int] = set()
        for seat in present:
            try:
                self.programs[seat].send(messages[seat])
            except Fault as fault:
                self._report(seat, fault)
                lost.add(seat)
        for seat in present:
            try:
                if seat not in lost:
                    self.programs[seat].receive(Ok)
            except Fault as fault:
                self._report(seat, fault)
                lost.add(seat)
        self._retire(lost)

    # --- Asking one, and putting it out -----------------------------------------------------------------------------

    def _ask(self, seat: int, message: Message, kind: type[R]) -> R | None:
        """The reply of a program; None where it has failed, now or before."""
        if seat in self.failed:
            return None
        try:
            return self.programs[seat].ask(message, kind)
        except Fault as fault:
            self._report(seat, fault)
            self._retire({seat})
            return None

    def _apply(self, seat: int, action: int) -> bool:
        """Play an action; where the rules forbid it, the program has failed."""
        try:
            self.game.apply(self.states, np.array([action], np.int32))
        except IllegalAction as error:
            self._report(seat, Fault(ILLEGAL, f"{error.action}: {error.rule}"))
            self._retire({seat})
            return False
        return True

    def _retire(self, seats: set[int]) -> None:
        """Put programs that have failed out of the game; who is left alone has won, and where nobody is, nobody has."""
        self.failed |= seats
        if self._state["outcome"] != GOING_ON or not seats:
            return
        for seat in seats:
            self._state["out"] |= 1 << seat
        left = [seat for seat in range(self.game.seats) if not self._state["out"] >> seat & 1]
        if len(left) < 2:
            self._state["outcome"] = LAST_LEFT if left else UNDECIDED
            self._state["winner"] = left[0] if left else NOBODY
            self._state["phase"], self._state["to_move"] = OVER, NOBODY
        elif int(self._state["on_turn"]) in seats:
            while self._state["out"] >> int(self._state["on_turn"]) & 1:
                self._state["on_turn"] = (self._state["on_turn"] + 1) % self.game.seats
            self._state["to_move"], self._state["phase"] = self._state["on_turn"], TURN
            self._state["turns"] += 1


def play_tournament(
    programs: Sequence[Program],
    games: int,
    seed: int = 0,
    tell: Callable[[int, int], None] | None = None,
    remark: Callable[[FaultReport], None] | None = None,
) -> Standing:
    """Play `games` games in all seat orders, each as often as the others as far as they reach, and send the programs home.

    Every deal is played in every cyclic seating of an order, and the next deal in those of the next (`seat_order`).

    `tell(done, total)` is called as games end, `remark` at every fault. A KeyboardInterrupt ends it early: what was finished until
    then is the standing, with `interrupted` set. A program that never came has failed in every game, which is reported of the first
    and not remarked on.
    """
    game = SpeedClue(CONTEST, len(programs))
    seats = game.seats
    names = tuple(program.identifier for program in programs)
    standing = Standing(names, [0] * seats, [0] * seats, [0] * len(game.outcome_names()))
    begin = time.perf_counter()

    def note(number: int, player: int, fault: Fault) -> None:
        standing.faults.append(FaultReport(number, names[player], fault.kind, str(fault)))
        if remark is not None:
            remark(standing.faults[-1])

    absent = [(program.identifier, program.absent) for program in programs if program.absent]
    standing.faults += [FaultReport(1, name, ABSENT, why) for name, why in absent]
    try:
        for number in range(games):
            order = seat_order(number, seats)
            deal = int(game_seeds(seed, number // seats, 1)[0])

            def report(seat: int, fault: Fault, number: int = number, order: list[int] = order) -> None:
                note(number + 1, order[seat], fault)

            contest = ContestGame(game, [programs[player] for player in order], deal, report)
            contest.play()
            _count(standing, contest, order)
            if tell is not None:
                tell(number + 1, games)
    except KeyboardInterrupt:
        standing.interrupted = True
    standing.seconds = time.perf_counter() - begin
    for player, fault in _send_home(programs):
        if not standing.interrupted:  # a program that is stopped in mid-word may well answer out of place
            note(0, player, fault)
    return standing


def seat_order(number: int, seats: int) -> list[int]:
    """The players by seat in a game: first all rotations of one order, then those of the next, until all orders were there."""
    number %= math.factorial(seats)
    around = (0, *next(itertools.islice(itertools.permutations(range(1, seats)), number // seats, None)))
    return [around[(seat + number) % seats] for seat in range(seats)]


def _send_home(programs: Sequence[Program]) -> list[tuple[int, Fault]]:
    """Tell all that the contest is over; who said what is no goodbye. Who says nothing or has left is forgiven."""
    faults = []
    for player, program in enumerate(programs):
        program.hurry(FAREWELL)
        try:
            if not program.dead:
                program.ask(Done(), Dead)
        except Fault as fault:
            if fault.kind not in {HUNG_UP, LATE}:
                faults.append((player, fault))
    return faults


def _count(standing: Standing, contest: ContestGame, order: list[int]) -> None:
    """Take a finished game into the standing."""
    standing.games += 1
    for seat, player in enumerate(order):
        won = int(contest.states["winner"][0]) == seat
        standing.wins[player] += won
        standing.failed[player] += seat in contest.failed
    standing.outcomes[int(contest.game.outcome_codes(contest.states)[0])] += 1
