"""Views and events as objects with names, for people and for players in plain Python."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from molehunt.core.friendly import FriendlyEvent, FriendlyView, names_in
from molehunt.core.game import LegalActions
from molehunt.core.seats import seat_or_none
from molehunt.games.duel.cards import (
    CARD_NAMES,
    CONTENT_NAMES,
    EMPTY,
    GOAL_PLACES,
    NO_CARD,
    OFF_BOARD,
    code_name,
)
from molehunt.games.duel.notation import to_course
from molehunt.games.duel.state import (
    DECK,
    VIEW,
    cell_place,
)

if TYPE_CHECKING:
    from molehunt.games.duel.game import Duel

Cell = tuple[int, int]
_NUMBERS = VIEW[["seat", "turn", "to_move", "outcome", "winner", "drawn"]]
"""Fields of a view that are read at once, as one by one they take several times as long."""


def cells_of(words: Any) -> frozenset[Cell]:
    """The cells of a set, as (row, column)."""
    bits = np.unpackbits(np.ascontiguousarray(words, "<u8").view(np.uint8), bitorder="little")
    return frozenset(cell_place(int(cell)) for cell in np.flatnonzero(bits))


class View(FriendlyView):
    """What one seat knows. Everything here is named as on the table; `legal_actions` is empty when the other is to move.

    Cells are (row, column); rows grow from the entrance towards the goals. The public view is of seat -1 (`core.seats.NOBODY`).
    """

    game: Duel
    """The rules of the game."""
    record: npt.NDArray[np.void]
    """The underlying array of one record, for those who want the numbers."""
    seat: int
    """Whose view this is."""
    turn: int
    """How many moves were made."""
    to_move: int | None
    """The seat to move, None when the game is over."""
    over: bool
    """Whether the game is over."""
    winner: int | None
    """Who has won, None while nobody has."""
    deck_left: int
    """How many cards are left in the deck."""

    def __init__(self, game: Duel, record: Any) -> None:
        self.game = game
        self.record = record
        self._view = record[0]
        self.seat, self.turn, to_move, outcome, winner, drawn = record.view(_NUMBERS)[0].item()
        self.to_move = seat_or_none(to_move)
        self.over = bool(outcome)
        self.winner = seat_or_none(winner)
        self.deck_left = DECK - drawn

    @property
    def hand(self) -> tuple[str, ...]:
        """The names of the cards in hand, the oldest first: "0" to "15", "destroy", "malus", "bonus", "map"."""
        return tuple(CARD_NAMES[card] for card in self._view["hand"] if card != NO_CARD)

    @property
    def hand_sizes(self) -> tuple[int, int]:
        """How many cards each seat holds."""
        return self._pair("hand_sizes")

    @property
    def malus(self) -> tuple[int, int]:
        """How many maluses lie in front of each seat."""
        return self._pair("malus")

    @property
    def discard_counts(self) -> tuple[int, int]:
        """How many cards each seat has discarded."""
        return self._pair("discard_counts")

    def _pair(self, field: str) -> tuple[int, int]:
        first, second = self._view[field].tolist()
        return first, second

    @property
    def goals(self) -> dict[str, str | None]:
        """What this seat knows of each goal, by its maps or because it is revealed: "nugget", "blank", or None."""
        return {
            place: CONTENT_NAMES[content] if content else None
            for place, content in zip(GOAL_PLACES, self._view["goals"].tolist(), strict=True)
        }

    @property
    def revealed(self) -> frozenset[str]:
        """The goals that lie open for both."""
        return names_in(int(self._view["revealed"]), GOAL_PLACES)

    @property
    def looked(self) -> tuple[frozenset[str], frozenset[str]]:
        """The goals that each seat has looked at with a map."""
        first, second = self._view["looked"].tolist()
        return names_in(first, GOAL_PLACES), names_in(second, GOAL_PLACES)

    @cached_property
    def board(self) -> dict[Cell, str]:
        """What lies where: "5", "5_flip", "entrance", "goal" (not revealed, whatever this seat knows), "blank", "nugget"."""
        what = self._view["maze"]["what"]
        cells = np.flatnonzero((what != EMPTY) & (what != OFF_BOARD))
        return {cell_place(int(cell)): code_name(int(what[cell])) for cell in cells}

    @cached_property
    def joined(self) -> frozenset[Cell]:
        """The cells whose centre a tunnel from the entrance reaches."""
        return cells_of(self._view["maze"]["joined"])

    @cached_property
    def open_cells(self) -> frozenset[Cell]:
        """The empty cells on which some tile fits."""
        return cells_of(np.bitwise_or.reduce(self._view["maze"]["fitting"], axis=0))

    @property
    def unseen(self) -> Counter[str]:
        """The cards that this seat has not seen: in the deck, in the other's hand, or discarded by the other."""
        return self._counted("unseen")

    @property
    def played(self) -> Counter[str]:
        """The cards that were played in public."""
        return self._counted("played")

    @property
    def discarded(self) -> Counter[str]:
        """The cards that this seat has discarded itself."""
        return self._counted("discards")

    def _counted(self, field: str) -> Counter[str]:
        return Counter({CARD_NAMES[kind]: int(count) for kind, count in enumerate(self._view[field]) if count})

    @cached_property
    def legal_actions(self) -> LegalActions:
        """What this seat may do now."""
        return self.game.legal_actions(self.record)

    def course(self, action: int) -> str:
        """An action of this seat in the notation of the course's program: `Tile:5_flip 7 5 1`."""
        return to_course(int(action), self.seat, self.hand)


class Event(FriendlyEvent):
    """What a seat learns of one move."""

    record: np.void
    """The underlying record, for those who want the numbers."""
    turn: int
    """How many moves were made before it."""
    seat: int
    """Who moved."""
    move: str
    """The move in notation, "drop:?" where the card is hidden."""
    seen: str | None
    """What the own map showed: "nugget" or "blank"; None for all other moves."""
    drew: str | None
    """The card that this seat drew after its own move."""
    removed: str | None
    """The tile that a destroy card took away."""
    revealed: dict[str, str]
    """The goals that were reached, and what they are."""

    def __init__(self, game: Duel, record: Any) -> None:
        self.record = record
        self.turn = int(record["turn"])
        self.seat = int(record["seat"])
        self.move = game.named(int(record["action"])).text
        self.seen = CONTENT_NAMES[record["seen"]] if record["seen"] else None
        self.drew = CARD_NAMES[record["drew"]] if record["drew"] != NO_CARD else None
        self.removed = code_name(int(record["removed"])) if record["removed"] else None
        self.revealed = {
            place: CONTENT_NAMES[record["goals"][number]]
            for number, place in enumerate(GOAL_PLACES)
            if record["revealed"] >> number & 1
        }

    def __str__(self) -> str:
        parts = [f"seat {self.seat}: {self.move}"]
        if self.seen:
            parts.append(f"it is {'the nugget' if self.seen == 'nugget' else self.seen}")
        if self.removed:
            parts.append(f"tile {self.removed} is gone")
        parts += [
            f"the {place} goal is reached: {'the nugget' if content == 'nugget' else content}"
            for place, content in self.revealed.items()
        ]
        return ", ".join(parts)
