"""How Python shows what people and players in plain Python are given: views and events as objects with names.

A game's own classes, which `Game.friendly_view` and `Game.friendly_event` make, extend these and say what is in them.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from molehunt.core.seats import NOBODY

if TYPE_CHECKING:
    from molehunt.core.game import Game, LegalActions


@cache
def names_in(mask: int, names: tuple[str, ...]) -> frozenset[str]:
    """The names of a set that is kept as a word, of which each bit stands for the name at its place."""
    return frozenset(name for number, name in enumerate(names) if mask >> number & 1)


class Seen:
    """Of views, and of events: two are equal where all that is seen is, under the same rules."""

    record: Any
    """The underlying array of one record."""

    def _seen(self) -> tuple[Any, ...]:
        game: Game | None = getattr(self, "game", None)
        rules = () if game is None else (game.label, game.seats)
        return *rules, self.record.tobytes()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._seen() == other._seen()

    def __hash__(self) -> int:
        return hash(self._seen())


class FriendlyView(Seen):
    """What one seat knows: printed it is the drawing for a terminal, in a notebook the SVG, and at a prompt one line.

    It is made of the game and an array of one record, whose field `seat` says whose view it is.
    """

    game: Game
    seat: int
    """Whose view it is, NOBODY for what all see."""

    def __init__(self, game: Game, record: Any) -> None:
        self.game = game
        self.record = record
        self.seat = int(record["seat"][0])

    @cached_property
    def legal_actions(self) -> LegalActions:
        """What the seat may do now; empty where it is not its move."""
        return self.game.legal_actions(self.record)

    def __str__(self) -> str:
        return self.game.draw_text(self.record)

    def __repr__(self) -> str:
        whose = "what all see" if self.seat == NOBODY else f"seat {self.seat}"
        return f"<View of {whose}, {self.game.label}, {self.game.seats} seats>"

    def _repr_svg_(self) -> str:
        return self.game.draw_svg(self.record)


class FriendlyEvent(Seen):
    """What a seat learned of one move; a game's own class sets `seat` and `move`, and may say it in words (`__str__`).

    It is made of the game and one record.
    """

    seat: int
    """Who moved."""
    move: str
    """The move in notation, as far as the seat may know it."""

    def __init__(self, game: Game, record: Any) -> None:
        self.game = game
        self.record = record

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.move}"

    def __repr__(self) -> str:
        return f"<{self}>"
