"""What is Saboteur's alone in a drawing: the tools, broken and mended, and what a seat says it saw.

Icons fill a square of ICON units with its corner at the origin.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from molehunt.core.svg import number
from molehunt.games.tunnels.svg_parts import (
    IconShapes,
    crossed,
    group,
    icon,
    label,
    lump,
    nugget,
    path,
    shapes_icon,
    ticked,
)


def tool_icon(tool: str, class_: str = "ink") -> Element:
    """A cart, a lantern, a pickaxe or the sign of a block, in a class's colour."""
    return icon(tool, class_) if tool == "block" else shapes_icon(_TOOLS[tool], class_)


def broken_icon(tool: str) -> Element:
    """A broken tool: the tool in red with a cross at its corner. The sign of a block says it by itself."""
    drawn = tool_icon(tool, "bad")
    return drawn if tool == "block" else crossed(drawn)


def mended_icon(tool: str) -> Element:
    """A mended tool: the tool with a tick at its corner."""
    return ticked(tool_icon(tool))


def claim_tag(place: str, said: str) -> Element:
    """What a seat says it saw ("gold" or "stone") on a goal, in a bubble ICON units high."""
    words = f"{place}: {said}"
    width = 30 + 5.8 * len(words)
    bubble = (
        f"M7 .5 H{number(width - 6)} q6 0 6 6 V13.5 q0 6 -6 6 H7 q-4 0 -5.4 -3 L-3.8 18.2 L1 10.5 V6.5 q0 -6 6 -6 Z"
    )
    return group(
        path(bubble, "bubble"),
        group(nugget() if said == "gold" else lump(), at=(5, 3), scale=0.7),
        label(23, 13.8, words, "small"),
        class_="claim",
    )


_TOOLS: dict[str, IconShapes] = {
    "cart": (
        ("solid", "M1.5 4.5 H18.5 V6.5 H17.7 L15.6 13.5 H4.4 L2.3 6.5 H1.5 Z"),
        ("solid", "M6.4 14.2 a2.3 2.3 0 1 0 .01 0 Z M13.6 14.2 a2.3 2.3 0 1 0 .01 0 Z"),
    ),
    "lantern": (
        ("stroke", "M5.8 7 C6 -.4 14 -.4 14.2 7"),
        ("solid", "M6 6 H14 V8 H6 Z M5.4 16.4 H14.6 V18.8 H5.4 Z"),
        ("stroke", "M6.6 8.6 C5.4 11.4 5.4 13.4 6.6 16 M13.4 8.6 C14.6 11.4 14.6 13.4 13.4 16"),
        ("solid", "M10 9.4 C12.4 12 12.2 15.4 10 15.4 C7.8 15.4 7.6 12 10 9.4 Z"),
    ),
    "pickaxe": (
        ("stroke", "M4 18.2 L13.2 6.4"),
        ("solid", "M4.6 3.6 C10.4 .6 18.6 6.2 17.8 13.8 C16 9.4 10.4 4.8 4.6 3.6 Z"),
    ),
}
