"""What those who write a player of the duel are given: a view of the game, and events. Cells are (row, column).

from molehunt.duel import View

class Mine(molehunt.Player):
    def choose(self, view: View) -> str: ...
"""

from molehunt.games.duel.friendly import Cell, Event, View

__all__ = ["Cell", "Event", "View"]
