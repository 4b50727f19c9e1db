"""How Python shows what people and players in plain Python are given: views and events as objects with names.

A game's own classes say what is in them (`Game.friendly_view`, `Game.friendly_event`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from molehunt.core.seats import NOBODY

if TYPE_CHECKING:
    from molehunt.core.game import Game


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
    """What one seat knows: printed it is the drawing for a terminal, in a notebook the SVG, and at a prompt one line."""

    game: Game
    seat: int

    def __str__(self) -> str:
        return self.game.draw_text(self.record)

    def __repr__(self) -> str:
        whose = "what all see" if self.seat == NOBODY else f"seat {self.seat}"
        return f"<View of {whose}, {self.game.label}, {self.game.seats} seats>"

    def _repr_svg_(self) -> str:
        return self.game.draw_svg(self.record)


class FriendlyEvent(Seen):
    """What a seat learned of one move; a game's own class says it in words (`__str__`)."""

    def __repr__(self) -> str:
        return f"<{self}>"
