"""Drawing what one seat knows: `text` for a terminal, `svg` for a browser or a document.

Both take a `friendly.View` and nothing else, so a drawing cannot show what the seat does not know. Both are functions
of the view alone: equal views give equal drawings, to the byte.
"""

from __future__ import annotations

from molehunt.games.duel.draw.as_svg import svg
from molehunt.games.duel.draw.as_text import text

__all__ = ["svg", "text"]
