"""How a drawing of a game of tunnels is put together: the document, the board of cells, and the hand of its reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from xml.etree.ElementTree import Element, indent, tostring

from molehunt.core.language import _
from molehunt.core.svg import element
from molehunt.games.tunnels.svg_cards import CARD_HEIGHT, CARD_WIDTH, GAP, OVERHANG
from molehunt.games.tunnels.svg_parts import STYLE, group, label

MARGIN = 22.0
PITCH_X, PITCH_Y = CARD_WIDTH + GAP, CARD_HEIGHT + GAP
LABEL_ROOM = 22.0
"""Beside and above the board, for the numbers of rows and columns."""
SECTION = 38.0
"""Between the board, the boxes of the players, and the hand."""
_HAND_HEIGHT, _EMPTY_HAND_HEIGHT = CARD_HEIGHT + 40, 30.0


def document(
    title: str, description: str, inner: float, height: float, parts: Iterable[Element], style: str = STYLE
) -> str:
    """An SVG document (without an XML declaration) with MARGIN beside the `inner` width of its parts."""
    width = inner + 2 * MARGIN
    drawing = element(
        "svg",
        element("title", title),
        element("desc", description),
        element("style", style),
        element("rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=12, class_="panel"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        class_="molehunt",
        role="group",
    )
    indent(drawing, " ")
    return tostring(drawing, encoding="unicode")


def board_size(columns: Sequence[int], rows: Sequence[int]) -> tuple[float, float]:
    """The width and height of a board with its numbers."""
    return LABEL_ROOM + len(columns) * PITCH_X, LABEL_ROOM + len(rows) * PITCH_Y


def board(
    columns: Sequence[int], rows: Sequence[int], cell: Callable[[int, int], Element], class_: str = "ground"
) -> Element:
    """The cells with the numbers of the columns along the top and of the rows at the left.

    `cell` draws the cell at (column, row) with its corner at the origin.
    """
    result = group(class_="board")
    for index, x in enumerate(columns):
        result.append(label(LABEL_ROOM + (index + 0.5) * PITCH_X, 14, str(x), "label quiet centre"))
    for index, y in enumerate(rows):
        result.append(label(LABEL_ROOM / 2 - 3, LABEL_ROOM + (index + 0.5) * PITCH_Y + 4, str(y), "label quiet centre"))
    result.append(
        element(
            "rect",
            x=LABEL_ROOM - OVERHANG,
            y=LABEL_ROOM - OVERHANG,
            width=len(columns) * PITCH_X + GAP,
            height=len(rows) * PITCH_Y + GAP,
            rx=8,
            class_=class_,
        )
    )
    for row, y in enumerate(rows):
        for column, x in enumerate(columns):
            drawn = cell(x, y)
            drawn.set(
                "transform",
                f"translate({LABEL_ROOM + OVERHANG + column * PITCH_X:g} {LABEL_ROOM + OVERHANG + row * PITCH_Y:g})",
            )
            result.append(drawn)
    return result


def hand_height(cards: int) -> float:
    """The room that a hand takes below its title."""
    return _HAND_HEIGHT if cards else _EMPTY_HAND_HEIGHT


def hand(cards: Sequence[tuple[Element, Sequence[str], str]], inner: float) -> Element:
    """The viewer's own cards side by side: for each its drawing, the lines of its name, and the card in words."""
    result = group(label(0, -9, _("Your hand"), "strong"), class_="hand")
    if not cards:
        result.append(label(0, 16, _("empty"), "quiet"))
    pitch = min(inner / max(len(cards), 1), 100.0)
    for index, (drawn, lines, words) in enumerate(cards):
        card = group(
            group(drawn, at=((pitch - CARD_WIDTH) / 2, 4)),
            *(
                label(pitch / 2, CARD_HEIGHT + 19 + 13 * number, line, "label centre")
                for number, line in enumerate(lines)
            ),
            at=(index * pitch, 0),
            class_="held",
            role="img",
            aria_label=words,
        )
        result.append(card)
    return result
