"""What those who write a player of Speed Clue are given: a view of the game, and events. Cards are named as in the edition.

from molehunt.speed_clue import View

class Mine(molehunt.Player):
    def choose(self, view: View) -> str: ...
"""

from molehunt.games.speed_clue.friendly import Event, Suggestion, View

__all__ = ["Event", "Suggestion", "View"]
