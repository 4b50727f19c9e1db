"""What a person at practice may ask for beyond his place. Nothing here knows a game."""

from __future__ import annotations

from molehunt.core.errors import BadInput
from molehunt.table.reasons import Hint, Reason, hint, why
from molehunt.table.session import Session


class Practice:
    """A hint, another's reasons, his last move back: for the person on `seat`."""

    def __init__(self, session: Session, seat: int) -> None:
        self._session = session
        self._seat = seat

    @property
    def moves(self) -> int:
        """How many moves were made."""
        return len(self._session.actions)

    def hint(self) -> Hint:
        """What the adviser would do; BadInput where it is not the person's move."""
        return hint(self._session, self._seat)

    def why(self, whose: int | None = None) -> tuple[int, Reason]:
        """(number, why) of the last move of an artificial player, or of the one on the seat `whose`; BadInput: there is none."""
        if whose == self._seat:
            raise BadInput("your reasons are your own; why is for the others")
        for number in range(self.moves, 0, -1):
            seat = int(self._session.events[number - 1][self._seat]["seat"])
            if seat != self._seat and whose in (None, seat):
                return number, why(self._session, number)
        raise BadInput("there is no move yet to give reasons for")

    def undo(self) -> None:
        """Take back the person's last move and all after it; BadInput where there is none."""
        self._session.undo(self._seat)
