"""A view of Speed Clue as a detective's sheet: as text and as SVG.

The sheet holds what the seat has seen itself: its hand, the cards it was shown, who could not answer, who showed one of three. What
follows from these by reasoning is for players and people to find.
"""

from molehunt.games.speed_clue.draw.as_svg import svg
from molehunt.games.speed_clue.draw.as_text import text

__all__ = ["svg", "text"]
