"""The cards of Saboteur as SVG: what lies on a cell by its name, and the action cards of a hand."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from molehunt.games.saboteur.draw.svg_parts import broken_icon, mended_icon
from molehunt.games.saboteur.draw.wording import FACE_DOWN, edges_of
from molehunt.games.tunnels.svg_cards import CARD_HEIGHT, CARD_WIDTH, goal_back, in_middle, ladder, paper, rock, tunnels
from molehunt.games.tunnels.svg_parts import group, icon, lump, nugget


def board_card(name: str, turned: bool, seen: str | None = None) -> Element:
    """What lies on a cell, by its name; for a face-down goal, `seen` is what the viewer has seen on it."""
    if name == FACE_DOWN:
        return goal_back(nugget() if seen == "gold" else lump(), seen) if seen else goal_back()
    edges, joined = edges_of(name, turned)
    card = group(rock(turned, "goal" if name in ("gold", "rock1", "rock2") else "rock"), *tunnels(edges, joined))
    if name == "start":
        card.append(ladder())
    elif name == "gold":
        card.append(in_middle(nugget()))
    elif name in ("rock1", "rock2"):
        # In the corner that the bend turns its back to.
        x = 6.0 if "E" in edges else CARD_WIDTH - 24
        y = 8.0 if "S" in edges else CARD_HEIGHT - 26
        card.append(group(lump(), at=(x, y), scale=0.9))
    return card


def action_card(name: str) -> Element:
    """An action card of a hand: a broken or mended tool, two mended tools, a block or its end, a rockfall or a map."""
    kind, _, tools = {"block": "break:block", "deblock": "fix:block"}.get(name, name).partition(":")
    if kind not in ("break", "fix"):
        colour = "water" if name == "map" else "muted"
        return paper(in_middle(icon(name, colour), 2))
    draw = broken_icon if kind == "break" else mended_icon
    names = tools.split("+")
    if len(names) == 1:
        return paper(in_middle(draw(names[0]), 2))
    upper, lower = names
    return paper(group(draw(upper), at=(6, 8), scale=1.5), group(draw(lower), at=(24, 41), scale=1.5))
