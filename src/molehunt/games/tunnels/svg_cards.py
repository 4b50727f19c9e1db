"""Cards with tunnels as SVG: rock, tunnels, rubble, the ladder of the start, the back of a goal, and cells without a card.

A card is CARD_WIDTH x CARD_HEIGHT with its corner at the origin. Its tunnels run OVERHANG beyond an open edge, so that
those of two neighbours meet across the gap between the cards.
"""

from __future__ import annotations

from itertools import combinations
from xml.etree.ElementTree import Element

from molehunt.core.svg import element, number
from molehunt.games.tunnels.svg_parts import ICON, group, icon, label, path

CARD_WIDTH, CARD_HEIGHT = 60.0, 78.0
OVERHANG = 2.0
GAP = 2 * OVERHANG
CENTRE = (CARD_WIDTH / 2, CARD_HEIGHT / 2)
EDGE_POINTS = {
    "N": (CENTRE[0], -OVERHANG),
    "E": (CARD_WIDTH + OVERHANG, CENTRE[1]),
    "S": (CENTRE[0], CARD_HEIGHT + OVERHANG),
    "W": (-OVERHANG, CENTRE[1]),
}
"""Where the tunnel through an open edge ends."""

_STUB = 0.74
"""How far the stubs of a dead-end reach from the edge to the centre."""

_PEBBLES_DARK = "M5 9 l7 -3 4 4 -5 4 Z M44 62 l8 -3 4 6 -7 5 -6 -3 Z M47 13 l6 -3 3 5 -5 3 Z M6 60 l5 2 -1 6 -5 -2 Z"
_PEBBLES_LIGHT = "M8 67 l8 -2 2 5 -7 3 Z M45 5 l5 -2 3 3 -5 3 Z M5 20 l5 -2 3 4 -6 3 Z M49 53 l6 -2 1 5 -5 1 Z"


def rock(turned: bool = False, class_: str = "rock") -> Element:
    """The face of a card without its tunnels: rock with pebbles."""
    face = element("rect", x=0.5, y=0.5, width=CARD_WIDTH - 1, height=CARD_HEIGHT - 1, rx=6, class_=class_)
    if class_ != "rock":
        return face
    pebbles = group(path(_PEBBLES_DARK, "pebble-dark"), path(_PEBBLES_LIGHT, "pebble-light"))
    if turned:
        pebbles.set("transform", f"rotate(180 {number(CENTRE[0])} {number(CENTRE[1])})")
    return group(face, pebbles)


def tunnels(edges: str, joined: bool) -> list[Element]:
    """The tunnels between the open edges; where they are not joined, a stub at each and rubble in the middle."""
    if not joined:
        stubs = " ".join(_stub(edge) for edge in edges)
        return [path(stubs, "wall"), path(stubs, "floor"), rubble()]
    ways = " ".join(_way(one, other) for one, other in combinations(edges, 2))
    return [path(ways, "wall"), path(ways, "floor")]


def _point(point: tuple[float, float]) -> str:
    return f"{number(point[0])} {number(point[1])}"


def _way(one: str, other: str) -> str:
    """A tunnel from one edge to another: straight between opposite edges, else a bend around the corner of the card."""
    start, end = EDGE_POINTS[one], EDGE_POINTS[other]
    if one + other in ("NS", "EW"):
        return f"M{_point(start)} L{_point(end)}"
    return f"M{_point(start)} Q{_point(CENTRE)} {_point(end)}"


def _stub(edge: str) -> str:
    """The tunnel behind one open edge of a dead-end."""
    x, y = EDGE_POINTS[edge]
    end = (x + _STUB * (CENTRE[0] - x), y + _STUB * (CENTRE[1] - y))
    return f"M{_point((x, y))} L{_point(end)}"


def rubble() -> Element:
    """The fallen rock in the middle of a dead-end."""
    return group(
        path("M-17 6 L-19 -3 L-11 -10 L-2 -7 L-2 4 L-8 10 Z", "rubble"),
        path("M0 11 L-3 1 L4 -6 L14 -8 L19 0 L16 9 L8 13 Z", "rubble"),
        path("M-9 -8 L-5 -16 L4 -17 L10 -10 L5 -3 L-3 -4 Z", "rubble"),
        path("M-12 15 L-10 6 L-2 3 L5 9 L2 16 L-6 18 Z", "rubble"),
        path("M-14 -2 L-10 -7 L-5 -5 L-8 0 Z M-3 -13 L2 -14 L5 -10 L0 -8 Z M6 -1 L12 -4 L15 0 L9 3 Z", "rubble-light"),
        path("M-8 9 L-3 7 L0 10 L-5 13 Z", "rubble-light"),
        at=CENTRE,
    )


def ladder() -> Element:
    """The ladder on the start card, by which the miners came down."""
    rungs = " ".join(f"M-8 {y} H8" for y in range(-18, 19, 9))
    shape = f"M-8 -24 V24 M8 -24 V24 {rungs}"
    return group(path(shape, "ladder-edge"), path(shape, "ladder"), at=CENTRE)


def goal_back(seen: Element | None = None, tag: str = "") -> Element:
    """A goal that lies face down; `seen` is a drawing of what the viewer has seen on it, an icon, and `tag` its name."""
    frame = element("rect", x=5, y=5, width=CARD_WIDTH - 10, height=CARD_HEIGHT - 10, rx=3, class_="goal-frame")
    back = group(rock(class_="goal"), frame)
    if seen is None:
        back.append(label(CENTRE[0], CENTRE[1] + 13, "?", "goal-ink centre"))
        return back
    back.append(group(seen, at=(CENTRE[0] - 15, 20), scale=1.5))
    back.append(group(icon("eye", "goal-eye"), at=(7.5, 55), scale=0.6))
    back.append(label(22, 65, tag, "goal-tag"))
    back.append(label(CENTRE[0], 18, "?", "goal-tag centre"))
    return back


def in_middle(drawn: Element, scale: float = 1.5) -> Element:
    """An icon in the middle of a card."""
    half = ICON / 2 * scale
    return group(drawn, at=(CENTRE[0] - half, CENTRE[1] - half), scale=scale)


def paper(*drawn: Element) -> Element:
    """The face of an action card with what is drawn on it."""
    face = element("rect", x=0.5, y=0.5, width=CARD_WIDTH - 1, height=CARD_HEIGHT - 1, rx=6, class_="paper")
    return group(face, *drawn)


def lit_cell(words: str) -> list[Element]:
    """An empty cell on which a card can be laid, with its name."""
    room = element("rect", x=3, y=3, width=CARD_WIDTH - 6, height=CARD_HEIGHT - 6, rx=6, class_="lit")
    return [room, label(CARD_WIDTH / 2, CARD_HEIGHT / 2 + 4, words, "label lit-ink centre")]


def speck() -> Element:
    """The mark of any other empty cell."""
    return element("circle", cx=CARD_WIDTH / 2, cy=CARD_HEIGHT / 2, r=1.8, class_="speck")
