"""What those who write a player of Saboteur are given: a view of the game, and events. Cells are (x, y).

from molehunt.saboteur import View

class Mine(molehunt.Player):
    def choose(self, view: View) -> str: ...
"""

from molehunt.games.saboteur.friendly import Cell, Event, View

__all__ = ["Cell", "Event", "View"]
