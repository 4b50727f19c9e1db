"""A seat as a program of the contest knows it: the view of the game and its events, made from the messages alone.

The messages tell less than the game does at once: that a turn has ended is learned when the next one begins, and a seat that the
server has put out without a word is noticed when it is passed over. At every decision of a game in which no program failed the view
is, to the byte, the one that the game itself gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.adapters.speed_clue_contest.protocol import Disprove, Reset
from molehunt.adapters.speed_clue_contest.talk import ContestError
from molehunt.core.game import Events, Views
from molehunt.core.seats import NOBODY
from molehunt.games.speed_clue.actions import ACCUSE, END, HIDDEN_CARD, SHOW, SUGGEST
from molehunt.games.speed_clue.edition import even_deal
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.notation import pack, pack_entry
from molehunt.games.speed_clue.state import (
    ACCUSED,
    AFTER,
    ANSWER,
    EVENT,
    LAST_LEFT,
    NOBODY_DID,
    NOBODY_YET,
    OVER,
    RIGHT,
    SOLVED,
    TURN,
    UNDECIDED,
    VIEW,
)
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion, Triple


class ContestSeat:
    """One seat of one game. `views` is its view, an array of one record; `events` are what it has learned and not yet taken.

    ContestError where a message cannot be: a player that is not there, an answer out of place.
    """

    def __init__(self, game: SpeedClue, message: Reset) -> None:
        self.game = game
        self.seat = message.seat
        self.views: Views = np.zeros(1, VIEW)
        self._events: list[Any] = []
        self.passed_over = False
        """Whether a turn came before it was due, since the server plays on without somebody and does not say so."""
        self.began: int | None = None
        """Who began the game, None before the first turn."""
        self._asks = False  # it was asked to suggest, and has not heard yet what came of it
        view = self._view = self.views[0]
        dealt = len(game.edition.names) - 3
        sizes = even_deal(dealt, game.seats)
        if len(message.cards) != sizes[self.seat]:
            raise ContestError(
                f"place {self.seat} of {game.seats} is dealt {sizes[self.seat]} cards, not {len(message.cards)}"
            )
        view["hand"] = sum(1 << card for card in message.cards)
        view["hand_sizes"][: game.seats] = sizes
        view["winner"] = NOBODY
        view["turns"] = 1
        view["phase"] = TURN
        view["on_turn"] = view["to_move"] = max(0, game.ruleset.first_seat)
        view["seat"] = self.seat
        view["seats"] = game.seats

    @property
    def over(self) -> bool:
        """Whether the game has ended, as far as this seat was told."""
        return bool(self._view["outcome"])

    @property
    def winner(self) -> int:
        """Who has won, -1 while nobody has."""
        return int(self._view["winner"])

    @property
    def is_next(self) -> bool | None:
        """Whether the next turn is this seat's; None where the game has not begun, with which it may be anybody's, and after it."""
        view = self._view
        if self.over:
            return None
        if self._asks:
            return False
        if view["phase"] == TURN:
            return int(view["on_turn"]) == self.seat if view["moves"] else None
        return bool(view["phase"] == AFTER and self._after(int(view["on_turn"])) == self.seat)

    def take_events(self) -> Events:
        """What was learned since the last call, in order: shape (n,)."""
        taken = np.array(self._events, EVENT)
        self._events.clear()
        return taken

    def showable(self) -> list[int]:
        """The own cards among the three last suggested."""
        entry = int(self._view["record"][self._view["suggestion_count"] - 1])
        return [card for card in (entry & 31, entry >> 5 & 31, entry >> 10 & 31) if int(self._view["hand"]) >> card & 1]

    def begin_turn(self) -> None:
        """The seat is asked to suggest."""
        self._turn_of(self.seat)
        self._asks = True

    def asked(self, message: Disprove) -> None:
        """The seat is asked to show a card: a suggestion was made, and nobody before it could answer."""
        self._suggest(message.suggester, message.cards, self.seat)

    def suggested(self, message: HeardSuggestion) -> None:
        """A suggestion has been answered; who showed a card is taken to have been asked for it just before."""
        awaiting = self._view["phase"] == ANSWER
        if not awaiting:
            self._suggest(message.by, _whole(message), message.disprover)
        if message.disprover is not None:
            self._show(message, message.disprover)
        elif awaiting:
            raise ContestError("a suggestion that this seat was asked to disprove was disproved by nobody")

    def wait_for_card(self, message: HeardSuggestion) -> bool:
        """Go to where this seat shows the only card it can, which the server shows by itself; False where it is not so."""
        if message.disprover != self.seat or self._view["phase"] == ANSWER:
            return False
        self._suggest(message.by, _whole(message), self.seat)
        return len(self.showable()) == 1

    def end_turn(self) -> None:
        """The seat on turn does not accuse."""
        view = self._view
        self._tell(pack(END), int(view["on_turn"]))
        self._pass_turn()

    def accused(self, message: Accusation) -> None:
        """Somebody has accused."""
        player = self._there(message.by)
        view = self._view
        if view["phase"] != AFTER or player != view["on_turn"]:
            raise ContestError(f"player {player} accuses without having suggested")
        triple = pack(0, *message.cards)
        self._view["accusations"][player] = triple | ACCUSED | (RIGHT if message.right else 0)
        self._tell(pack(ACCUSE, *message.cards), player, right=int(message.right))
        if message.right:
            self._finish(SOLVED, player)
            return
        view["out"] |= 1 << player
        left = [seat for seat in range(self.game.seats) if not view["out"] >> seat & 1]
        if len(left) == 1:
            self._finish(LAST_LEFT, left[0])
        else:
            self._pass_turn()

    # --- One step of the rules, as far as it is public -------------------------------------------------------------

    def _there(self, player: int) -> int:
        if player >= self.game.seats:
            raise ContestError(f"there is no player {player} among {self.game.seats}")
        return player

    def _tell(self, action: int, seat: int, suggestion: int = 0, answered: int = 0, right: int = -1) -> None:
        self._view["moves"] += 1
        self._events.append((action, suggestion, seat, answered, right))

    def _turn_of(self, player: int) -> None:
        """Let the turn before end, and pass over those of whom nothing was heard: they are out until they are heard of again."""
        view = self._view
        self._there(player)
        if self.over or view["phase"] == ANSWER:
            raise ContestError(f"player {player} is on turn in a game that is over or awaits an answer")
        if view["phase"] == AFTER:
            self.end_turn()
        if view["moves"] == 0:  # the game may begin with any seat
            view["on_turn"] = view["to_move"] = self.began = player
        if not view["accusations"][player]:
            view["out"] = int(view["out"]) & ~(1 << player)
        for _ in range(self.game.seats):
            if view["on_turn"] == player:
                return
            view["out"] |= 1 << int(view["on_turn"])
            self.passed_over = True
            self._pass_turn()
        raise ContestError(f"player {player} is on turn, but is out of the game")

    def _after(self, player: int) -> int | None:
        """Whose turn comes after that of a player; None where all are out."""
        out = int(self._view["out"])
        order = ((player + step) % self.game.seats for step in range(1, self.game.seats + 1))
        return next((other for other in order if not out >> other & 1), None)

    def _pass_turn(self) -> None:
        view = self._view
        player = self._after(int(view["on_turn"]))
        if player is not None:
            view["on_turn"] = view["to_move"] = player
            view["phase"] = TURN
            view["turns"] += 1

    def _suggest(self, suggester: int, cards: Triple, disprover: int | None) -> None:
        self._turn_of(suggester)
        self._asks = False
        view = self._view
        if view["suggestion_count"] >= self.game.ruleset.max_suggestions:
            raise ContestError(f"a game has at most {self.game.ruleset.max_suggestions} suggestions")
        entry = pack_entry(cards, suggester, NOBODY_DID if disprover is None else NOBODY_YET, None)
        if disprover is None:
            answered = self.game.seats - 1
            view["phase"], view["to_move"] = AFTER, suggester
        else:
            answered = (self._there(disprover) - suggester) % self.game.seats - 1
            view["phase"], view["to_move"] = ANSWER, disprover
        self._view["record"][view["suggestion_count"]] = entry
        view["suggestion_count"] += 1
        self._tell(pack(SUGGEST, *cards), suggester, entry, answered)
        self._check_limit()

    def _show(self, message: HeardSuggestion, disprover: int) -> None:
        view = self._view
        if view["to_move"] != disprover or view["on_turn"] != message.by:
            raise ContestError(f"player {disprover} shows a card that somebody else was asked for")
        entry = pack_entry(_whole(message), message.by, disprover, message.card)
        self._view["record"][view["suggestion_count"] - 1] = entry
        view["phase"], view["to_move"] = AFTER, message.by
        shown = HIDDEN_CARD if message.card is None else message.card
        self._tell(pack(SHOW, shown), disprover, entry, 1)
        self._check_limit()

    def _check_limit(self) -> None:
        view = self._view
        if view["phase"] == AFTER and view["suggestion_count"] >= self.game.ruleset.max_suggestions:
            self._finish(UNDECIDED, NOBODY)

    def _finish(self, outcome: int, winner: int) -> None:
        view = self._view
        view["outcome"], view["winner"], view["phase"], view["to_move"] = outcome, winner, OVER, NOBODY


def _whole(made: HeardSuggestion) -> Triple:
    """The cards of a suggestion that came over the wire; ContestError where one was left out."""
    if made.whole is None:
        raise ContestError("a suggestion names a suspect, a weapon and a location")
    return made.whole
