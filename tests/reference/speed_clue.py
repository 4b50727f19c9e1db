"""Reference engine of Speed Clue, in the turn orders `mitchell` and `contest`.

Slow on purpose: everything is names, lists and sets, and each function states one rule. Nothing is shared with the
package under test.

An edition is three lists of card names: suspects, weapons, locations. Three cards of one kind each are written in this
order: `Mrs Peacock, Rope, Hall`. Seats count from 0. Moves are text: `suggest Mrs Peacock, Rope, Hall`, `show Rope`,
`end`, `accuse Mrs Peacock, Rope, Hall`. What the shower of a card played is `show ?` to the seats that did not see it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import chain, product
from typing import TypedDict

Edition = tuple[list[str], list[str], list[str]]
Triple = tuple[str, str, str]
Accusation = tuple[int, Triple, bool]  # who, what, and whether it was right

FULL_EDITION: Edition = (
    ["Miss Scarlett", "Colonel Mustard", "Doctor Orchid", "Reverend Green", "Mrs Peacock", "Professor Plum"],
    ["Candlestick", "Dagger", "Lead Pipe", "Revolver", "Rope", "Wrench"],
    [
        "Ballroom",
        "Billiard Room",
        "Conservatory",
        "Dining Room",
        "Hall",
        "Kitchen",
        "Library",
        "Lounge",
        "Study",
    ],
)

MAX_SUGGESTIONS = 512


class IllegalMove(ValueError):
    """The move is not among the legal moves of the seat to move."""


@dataclass
class Suggestion:
    """A suggestion and its answers, in the order in which they were given."""

    seat: int
    cards: Triple
    none: list[int] = field(default_factory=list)  # seats that had none of the three
    disprover: int | None = None
    shown: str | None = None  # None also to a seat that did not see the card
    finished: bool = False  # disproved, or everybody else had none


class Event(TypedDict):
    """What one seat learns from one move."""

    seat: int  # who moved
    move: str  # the move; "show ?" for the seats that do not see the card
    none: list[int]  # seats that said in this step that they have none of the three
    disprover: int | None  # who showed a card in this step
    shown: str | None  # the card, for the suggester and the disprover only
    right: bool | None  # whether an accusation was right


class View(TypedDict):
    """Everything that one seat can see or remember."""

    seat: int
    seats: int
    hand: set[str]
    hand_sizes: list[int]
    phase: str
    to_move: int | None
    record: list[Suggestion]  # `shown` is None where this seat did not see the card
    accusations: list[Accusation]
    out: set[int]
    options: list[str]  # the cards that this seat may show now


# --- Cards and moves --------------------------------------------------------------------------------------------------


def all_cards(edition: Edition) -> list[str]:
    """The cards of an edition: suspects, weapons, locations."""
    return list(chain.from_iterable(edition))


def triples(edition: Edition) -> list[Triple]:
    """One card of each kind, in every way: what can be suggested, accused, and lie in the envelope."""
    return list(product(*edition))


def suggest(cards: Iterable[str]) -> str:
    """The move that suggests these three cards."""
    return "suggest " + ", ".join(cards)


def accuse(cards: Iterable[str]) -> str:
    """The move that accuses these three cards."""
    return "accuse " + ", ".join(cards)


def show(card: str) -> str:
    """The move that shows a card."""
    return "show " + card


def cards_of(move: str) -> Triple:
    """The three cards that a suggestion or an accusation names."""
    suspect, weapon, location = move.partition(" ")[2].split(", ")
    return suspect, weapon, location


# --- The game ---------------------------------------------------------------------------------------------------------


class ReferenceClue:
    """One game. `phase` is "turn", "answer" (the seat to move can disprove and shows a card), "after" (the suggester has
    been answered) or "over"."""

    def __init__(
        self,
        edition: Edition,
        order: str,
        envelope: Triple,
        hands: list[list[str]],
        first_seat: int = 0,
        max_suggestions: int = MAX_SUGGESTIONS,
        last_word: bool = False,
    ) -> None:
        if order not in {"mitchell", "contest"}:
            raise ValueError(f"the order is mitchell or contest, not {order!r}")
        if tuple(envelope) not in triples(edition):
            raise ValueError(f"the envelope holds one card of each kind, not {envelope}")
        dealt = [*envelope, *chain.from_iterable(hands)]
        if len(set(dealt)) != len(dealt) or sorted(dealt) != sorted(all_cards(edition)):
            raise ValueError("every card of the edition is in the envelope or in one hand")
        if not 0 <= first_seat < len(hands):
            raise ValueError(f"seat {first_seat} does not play")
        self.edition = edition
        self.order = order
        self.envelope = envelope
        self.hands = [list(hand) for hand in hands]
        self.max_suggestions = max_suggestions
        self.last_word = last_word
        self.record: list[Suggestion] = []
        self.accusations: list[Accusation] = []
        self.out: set[int] = set()
        self.winner: int | None = None
        self.phase = "turn"
        self.to_move: int | None = first_seat
        self.turns = 1

    # --- What may be done ---------------------------------------------------------------------------------------------

    def legal_moves(self) -> list[str]:
        """The moves of the seat to move, each once. Empty when the game is over."""
        if self.to_move is None:
            return []
        if self.phase == "turn":
            return self._moves_in_turn(self.to_move)
        if self.phase == "answer":
            return [show(card) for card in self._can_show(self.to_move)]
        return self._moves_after(self.to_move)

    def _moves_in_turn(self, seat: int) -> list[str]:
        """A turn begins with a suggestion of any three cards, own cards allowed. In the order mitchell the seat may
        accuse instead; in the order contest it repeats none of its own suggestions while there is another."""
        suggestions = [suggest(cards) for cards in triples(self.edition)]
        if self.order == "mitchell":
            return suggestions + [accuse(cards) for cards in triples(self.edition)]
        made = {suggest(suggestion.cards) for suggestion in self.record if suggestion.seat == seat}
        return [move for move in suggestions if move not in made] or suggestions

    def _moves_after(self, seat: int) -> list[str]:
        """After the answers the suggester may accuse. In the order contest he names no card that he holds or has been
        shown, and he must accuse what he suggested if he holds none of it and nobody disproved it."""
        if self.order == "mitchell":
            return ["end"] + [accuse(cards) for cards in triples(self.edition)]
        known = set(self.hands[seat]) | self._shown_to(seat)
        last = self.record[-1]
        if last.disprover is None and not set(last.cards) & set(self.hands[seat]):
            return [accuse(last.cards)]
        return ["end"] + [accuse(cards) for cards in triples(self.edition) if not set(cards) & known]

    def _can_show(self, seat: int) -> list[str]:
        """The cards of the last suggestion that a seat holds: suspect, weapon, location."""
        return [card for card in self.record[-1].cards if card in self.hands[seat]]

    def _shown_to(self, seat: int) -> set[str]:
        """The cards that others have shown to a seat."""
        return {made.shown for made in self.record if made.seat == seat and made.shown is not None}

    # --- What is done -------------------------------------------------------------------------------------------------

    def apply(self, move: str) -> list[Event]:
        """Play one move; after a suggestion all that have none of the three say so. Returns one event per seat, as that
        seat sees it; raises IllegalMove and changes nothing if the move is not legal."""
        if self.to_move is None or move not in self.legal_moves():
            raise IllegalMove(f"{move!r} is not legal for seat {self.to_move}")
        mover = self.to_move
        none: list[int] = []
        right: bool | None = None
        made: Suggestion | None = None  # the suggestion that this move makes or answers
        if move.startswith("suggest "):
            made = Suggestion(mover, cards_of(move))
            self.record.append(made)
            self._ask_around(made)
            none = list(made.none)
        elif move.startswith("show "):
            made = self.record[-1]
            self._disprove(made, mover, move.removeprefix("show "))
        elif move.startswith("accuse "):
            right = self._accuse(mover, cards_of(move))
        else:
            self._pass_turn(mover)

        # All hear who had none and who disproved; the suggester and the disprover alone see the card.
        events = []
        for seat in range(len(self.hands)):
            sees = made is None or seat in {made.seat, made.disprover}
            events.append(
                Event(
                    seat=mover,
                    move=move if sees or not move.startswith("show ") else "show ?",
                    none=list(none),
                    disprover=made.disprover if made is not None else None,
                    shown=made.shown if made is not None and sees else None,
                    right=right,
                )
            )
        return events

    def _ask_around(self, made: Suggestion) -> None:
        """From the next seat on each player, also one who is out of the game, says that he has none of the three, until
        one has. He then shows one by a move of his own, also where he has no choice, so that nobody learns whether he
        had one. The suggester does not answer."""
        seats = len(self.hands)
        for step in range(1, seats):
            seat = (made.seat + step) % seats
            if self._can_show(seat):
                self.phase, self.to_move = "answer", seat
                return
            made.none.append(seat)
        self._finish(made)

    def _disprove(self, made: Suggestion, seat: int, card: str) -> None:
        """One card is shown, to the suggester alone, and it stops there."""
        made.disprover, made.shown = seat, card
        self._finish(made)

    def _finish(self, made: Suggestion) -> None:
        """The turn goes back to the suggester, unless it was the last suggestion that the game allows: then nobody
        wins, unless he has the last word."""
        made.finished = True
        if len(self.record) >= self.max_suggestions and not self.last_word:
            self._end(winner=None)
        else:
            self.phase, self.to_move = "after", made.seat

    def _accuse(self, seat: int, cards: Triple) -> bool:
        """A right accusation wins. A wrong one puts the seat out of the game, and the last one left wins."""
        right = cards == tuple(self.envelope)
        self.accusations.append((seat, cards, right))
        if right:
            self._end(winner=seat)
            return True
        self.out.add(seat)
        left = set(range(len(self.hands))) - self.out
        if len(left) == 1:
            self._end(winner=left.pop())
        else:
            self._pass_turn(seat)
        return False

    def _pass_turn(self, seat: int) -> None:
        """The turn goes to the next seat that is still in the game; after the last suggestion nobody has one."""
        if len(self.record) >= self.max_suggestions:
            self._end(winner=None)
            return
        seats = len(self.hands)
        following = [(seat + step) % seats for step in range(1, seats + 1)]
        self.to_move = next(other for other in following if other not in self.out)
        self.phase = "turn"
        self.turns += 1

    def _end(self, winner: int | None) -> None:
        self.phase, self.to_move, self.winner = "over", None, winner

    # --- What a seat knows --------------------------------------------------------------------------------------------

    def view(self, seat: int) -> View:
        """The position as one seat knows it: its hand, what was said, and the cards that it was shown or showed."""
        record = [
            replace(
                made,
                none=list(made.none),
                shown=made.shown if seat in {made.seat, made.disprover} else None,
            )
            for made in self.record
        ]
        return View(
            seat=seat,
            seats=len(self.hands),
            hand=set(self.hands[seat]),
            hand_sizes=[len(hand) for hand in self.hands],
            phase=self.phase,
            to_move=self.to_move,
            record=record,
            accusations=list(self.accusations),
            out=set(self.out),
            options=self._can_show(seat) if self.phase == "answer" and seat == self.to_move else [],
        )


# --- Dealing ----------------------------------------------------------------------------------------------------------


def hand_sizes(edition: Edition, seats: int) -> list[int]:
    """All cards but the three of the envelope are dealt one by one, from seat 0 on: earlier seats may hold one more."""
    dealt = len(all_cards(edition)) - len(edition)
    return [dealt // seats + (seat < dealt % seats) for seat in range(seats)]


def new_game(
    rng: random.Random, seats: int, order: str = "mitchell", edition: Edition = FULL_EDITION, first_seat: int = 0
) -> ReferenceClue:
    """Draw one card of each kind for the envelope, shuffle the others and deal them all."""
    suspects, weapons, locations = edition
    envelope = rng.choice(suspects), rng.choice(weapons), rng.choice(locations)
    deck = [card for card in all_cards(edition) if card not in envelope]
    rng.shuffle(deck)
    hands = []
    for size in hand_sizes(edition, seats):
        hands.append(deck[:size])
        deck = deck[size:]
    return ReferenceClue(edition, order, envelope, hands, first_seat)
