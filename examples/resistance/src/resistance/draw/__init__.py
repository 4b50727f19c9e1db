"""How a view is drawn: as text for a terminal, and as SVG for pages and notebooks."""

from resistance.draw.as_svg import svg
from resistance.draw.as_text import text

__all__ = ["svg", "text"]
