"""Speed Clue for the tests: games, the slow engine beside them, and the records that its positions stand for.

The layout of the records is written down here again, from their description, with nothing taken from the package.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.game import States, Views
from molehunt.core.streams import game_seeds
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.ruleset import ruleset_from_text
from reference.speed_clue import Edition, ReferenceClue, Suggestion, Triple, all_cards

SMALL_CARDS = str(Path(__file__).with_name("small_cards.json"))
ORDERS = ("mitchell", "contest")


def clue(seats: int = 3, order: str = "mitchell", *items: str) -> SpeedClue:
    """The game under a ruleset with these parameters."""
    return SpeedClue(ruleset_from_text(order, list(items)), seats)


def small(seats: int = 3, order: str = "mitchell", *items: str) -> SpeedClue:
    """The game with the ten cards of `small_cards.json`."""
    return clue(seats, order, f"cards={SMALL_CARDS}", *items)


def seeds_of(first: int, count: int) -> npt.NDArray[np.uint64]:
    """Seeds for tests: the games `first` to `first + count - 1` of one run."""
    return game_seeds(2020, first, count)


def seen_by(game: SpeedClue, states: States, seat: int) -> Views:
    """The view of one seat of the first state: an array of one record."""
    return game.views(states, np.array([seat], np.int8), np.zeros(1, np.int64))


def mover(game: SpeedClue, states: States) -> int:
    """The seat to move in the first state, -1 when it is over."""
    return int(game.to_move(states)[0])


def play(game: SpeedClue, states: States, *moves: str) -> Any:
    """Play moves in notation; the events of all seats of the last one."""
    events: Any = None
    for move in moves:
        events = game.apply(states, np.array([game.parse_action(move)], np.int32))[0]
    return events


# --- The slow engine beside it ----------------------------------------------------------------------------------------


def edition_of(game: SpeedClue) -> Edition:
    """The card set as the slow engine takes it."""
    suspects, weapons, locations = ([game.edition.names[card] for card in game.edition.cards(c)] for c in range(3))
    return suspects, weapons, locations


def names_in(mask: int, names: list[str]) -> list[str]:
    """The names of a set of cards."""
    return [name for card, name in enumerate(names) if mask >> card & 1]


def reference_of(game: SpeedClue, state: Any, kind: type[ReferenceClue] = ReferenceClue) -> ReferenceClue:
    """The slow game of the same deal, at its beginning."""
    edition = edition_of(game)
    names = all_cards(edition)
    suspect, weapon, location = names_in(int(state["envelope"]), names)
    hands = [names_in(int(hand), names) for hand in state["hands"][: game.seats]]
    order = ORDERS[game.ruleset.order]
    first_seat, limit, last_word = int(state["to_move"]), game.ruleset.max_suggestions, game.ruleset.last_word
    return kind(edition, order, (suspect, weapon, location), hands, first_seat, limit, last_word)


# --- What the bits mean -----------------------------------------------------------------------------------------------

SUGGEST, ACCUSE, SHOW, END = (play << 16 for play in (1, 2, 3, 4))
NOBODY_DID, NOBODY_YET = 6, 7


class Bits:
    """Cards of an edition as numbers."""

    def __init__(self, edition: Edition) -> None:
        self.number = {card: number for number, card in enumerate(all_cards(edition))}

    def mask(self, cards: Any) -> int:
        """A set of cards."""
        return sum(1 << self.number[card] for card in cards)

    def triple(self, cards: Triple) -> int:
        """Three cards, five bits each."""
        return sum(self.number[card] << 5 * place for place, card in enumerate(cards))

    def action(self, move: str) -> int:
        """The int of a move."""
        verb, _, rest = move.partition(" ")
        if verb == "end":
            return END
        if verb == "show":
            return SHOW | (31 if rest == "?" else self.number[rest])
        suspect, weapon, location = rest.split(", ")
        return (SUGGEST if verb == "suggest" else ACCUSE) | self.triple((suspect, weapon, location))

    def entry(self, made: Suggestion, disprover: int | None, shown: str | None) -> int:
        """A suggestion of the record, as one who is told of this disprover and this card knows it."""
        who = disprover if disprover is not None else NOBODY_DID if made.finished else NOBODY_YET
        return (
            self.triple(made.cards)
            | made.seat << 15
            | who << 18
            | (0 if shown is None else self.number[shown] + 1) << 21
        )

    def accusations(self, game: ReferenceClue) -> list[int]:
        """One word a seat."""
        words = [0] * 6
        for seat, cards, right in game.accusations:
            words[seat] = self.triple(cards) | 1 << 30 | right << 29
        return words


def careful(rng: random.Random, game: ReferenceClue, moves: list[str]) -> str:
    """A move of one who wants a long game: a suggestion of cards that it has not seen, and hardly an accusation, but for
    what nobody disproved."""
    seat = game.to_move
    assert seat is not None
    last = game.record[-1] if game.phase == "after" else None
    if last is not None and last.disprover is None and not set(last.cards) & set(game.hands[seat]):
        accusation = "accuse " + ", ".join(last.cards)
        if rng.random() < 0.7 and accusation in moves:
            return accusation
    if rng.random() < 0.97:
        if game.phase == "after":
            return "end" if "end" in moves else moves[0]
        if game.phase == "turn":
            seen = set(game.hands[seat]) | {made.shown for made in game.record if made.seat == seat}
            for _ in range(20):
                cards = [rng.choice([card for card in kind if card not in seen] or kind) for kind in game.edition]
                if (move := "suggest " + ", ".join(cards)) in moves:
                    return move
    return rng.choice(moves)
