"""The parts of the drawing of a Kripke model: its worlds on a circle, or a square for each agent, and the legend.

All are built as element trees, so that whatever text is put in is escaped.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from molehunt.beliefs.kripke import KripkeModel
from molehunt.beliefs.kripke_shapes import Shape
from molehunt.core.svg import element, number

_LIGHT = ("#1f5fbf", "#c2410c", "#15803d", "#9333ea", "#be123c", "#0e7490", "#92700c", "#4b5563", "#c026d3", "#3f6212")
_DARK = ("#7db2ff", "#ff9d5c", "#6fdc8c", "#cf9bff", "#ff8fa3", "#5fd4e8", "#e8c547", "#b6bfca", "#f28bff", "#b5d96b")
_DASHES = ("none", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 4", "7 3 2 3 2 3", "5 5", "14 3 3 3")
STYLE = (
    """
.kripke { --panel: #fbfaf7; --ink: #23211d; --quiet: #67635a; --line: #d5d0c4; --node: #ffffff; --actual: #ffe59a;
"""
    + " ".join(f"--agent{index}: {colour};" for index, colour in enumerate(_LIGHT))
    + """
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: var(--ink);
  font-size: 12px; max-width: 100%; height: auto; }
@media (prefers-color-scheme: dark) { .kripke {
  --panel: #1b1a18; --ink: #efece4; --quiet: #aaa496; --line: #4a463e; --node: #2a2825; --actual: #6b5410;
"""
    + " ".join(f"--agent{index}: {colour};" for index, colour in enumerate(_DARK))
    + """
} }
.kripke .panel { fill: var(--panel); stroke: var(--line); }
.kripke .node { fill: var(--node); stroke: var(--ink); stroke-width: 1.3; }
.kripke .actual { fill: var(--actual); stroke-width: 3; }
.kripke .frame { fill: var(--node); stroke: var(--line); }
.kripke .heading { font-size: 15px; font-weight: 650; }
.kripke .strong { font-weight: 650; }
.kripke .quiet { fill: var(--quiet); }
.kripke .small { font-size: 10.5px; }
.kripke .centre { text-anchor: middle; }
.kripke .end { text-anchor: end; }
.kripke .line { fill: none; stroke-width: 1.8; }
.kripke .here { fill: var(--actual); }
"""
    + "\n".join(
        f".kripke .line.agent{index} {{ stroke: var(--agent{index}); stroke-dasharray: {dash}; }} "
        f".kripke .solid.agent{index} {{ fill: var(--agent{index}); }}"
        for index, dash in enumerate(_DASHES)
    )
    + "\n"
)
"""Colours are variables of the root, which the reader's dark mode sets anew. The classes are scoped by the root, and nothing
has an id, so that several drawings may stand in one page."""

MARGIN = 18.0
NODE = 21.0
"""The radius of a world."""
STEP = 4.5
"""From one ring around a world, or one of several lines side by side, to the next."""
LETTER = 6.4
"""The width of a letter, about."""
MOST_LETTERS = 32
"""How much of the facts of a world is written out; the rest shows where the pointer rests."""

Point = tuple[float, float]


@dataclass
class Drawing:
    """Elements, and the room they take from the corner at the origin."""

    width: float
    height: float
    parts: list[Element] = field(default_factory=list)

    def placed(self, x: float, y: float) -> Element:
        """The drawing with its corner at a point."""
        return element("g", *self.parts, transform=f"translate({at(x, y)})")


def words(x: float, y: float, words: str, class_: str = "", whole: str = "") -> Element:
    """Text at a point of its base line; `whole` is shown where the pointer rests, if the text is shortened."""
    made = element("text", words, x=x, y=y, **({"class_": class_} if class_ else {}))
    if whole and whole != words:
        made.append(element("title", whole))
    return made


def short(whole: str, most: int) -> str:
    """A text cut to so many letters."""
    return whole if len(whole) <= most else whole[: most - 1] + "…"


def line(points: str, agent: int, kind: str = "line", **attributes: object) -> Element:
    """A path in the colour and, for kind "line", the dashes of an agent; kind "solid" is filled."""
    return element("path", d=points, class_=f"{kind} agent{agent % len(_DASHES)}", **attributes)


def at(*point: float) -> str:
    """Coordinates as text."""
    return " ".join(number(float(value)) for value in point)


# ---- Worlds on a circle


def circle(model: KripkeModel, shapes: Mapping[int, Shape], actual: int | None) -> Drawing:
    """The worlds on a circle, the first one at the top, and the relations between them."""
    worlds = len(model.worlds)
    rings = [agent for agent, shape in shapes.items() if shape.kind == "everywhere"]
    outer = NODE + STEP * len(rings) + (3 if rings else 0)
    radius = 0.0
    if worlds > 1:
        # Neighbours stand clear of each other; and, as far as the drawing stays of a size, of a line that skips one world.
        clear = (outer + 14) / (1 - math.cos(2 * math.pi / worlds)) if worlds > 4 else 0.0
        radius = max(85.0, (2 * outer + 26) / (2 * math.sin(math.pi / worlds)), min(clear, 200.0))
    facts = [", ".join(model.facts_in(world)) for world in range(worlds)]
    loops = any(
        world in there for s in shapes.values() if s.kind == "arrows" for here, there in s.rows for world in here
    )
    beyond = outer + (26.0 if loops else 6.0)  # where the facts of a world begin
    side = beyond + LETTER * max([min(len(one), MOST_LETTERS) for one in facts]) + MARGIN
    upright = beyond + 16 + MARGIN
    centre = (max(radius + side, 120.0), radius + upright)
    angles = [2 * math.pi * world / worlds - math.pi / 2 for world in range(worlds)]
    points = [(centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)) for angle in angles]
    drawing = Drawing(2 * centre[0], 2 * centre[1])
    kinds = {kind: [agent for agent, shape in shapes.items() if shape.kind == kind] for kind in ("cells", "arrows")}
    for slot, agent in enumerate(kinds["cells"]):
        shift = STEP * (slot - (len(kinds["cells"]) - 1) / 2)
        drawing.parts += [_cell(agent, cell, points, shift) for cell, _ in shapes[agent].rows]
    for slot, agent in enumerate(kinds["arrows"]):
        for here, there in shapes[agent].rows:
            for start in here:
                for end in there:
                    if start == end:
                        turn = (slot - (len(kinds["arrows"]) - 1) / 2) * 0.42
                        drawing.parts.append(_loop(agent, start, points[start], angles[start] + turn, outer))
                    else:
                        bulge = 14 + 9 * slot
                        drawing.parts.append(_arrow(agent, (start, end), (points[start], points[end]), bulge, outer))
    for slot, agent in enumerate(rings):
        for world in shapes[agent].rows[0][1]:
            drawing.parts.append(_ring(agent, world, points[world], NODE + 3.5 + STEP * slot))
    for world, point in enumerate(points):
        drawing.parts.append(_node(model.worlds[world], facts[world], point, world == actual))
        drawing.parts.append(_facts(facts[world], point, angles[world], beyond))
    return drawing


def _node(name: str, facts: str, point: Point, actual: bool) -> Element:
    size = min(13.0, 1.62 * NODE / max(1, min(len(name), 8)) / 0.58)
    text = words(point[0], point[1] + size * 0.35, short(name, 8), "strong centre")
    text.set("style", f"font-size: {number(size)}px")
    disc = element("circle", cx=point[0], cy=point[1], r=NODE, class_="node actual" if actual else "node")
    return element("g", element("title", f"{name}: {facts or 'no fact'}"), disc, text)


def _facts(facts: str, point: Point, angle: float, beyond: float) -> Element:
    """The facts of a world, on the far side from the centre."""
    x, y = point[0] + beyond * math.cos(angle), point[1] + beyond * math.sin(angle)
    class_ = "centre" if abs(math.cos(angle)) < 0.2 else "" if math.cos(angle) > 0 else "end"
    return words(x, y + 4 + 4 * math.sin(angle), short(facts, MOST_LETTERS), f"{class_} small quiet".strip(), facts)


def _cell(agent: int, cell: tuple[int, ...], points: list[Point], shift: float) -> Element:
    """The line around a cell, moved aside, so that the lines of several agents run side by side."""
    pairs = list(zip(cell, cell[1:] + cell[:1], strict=True))
    if len(cell) < 3:
        pairs = pairs[: len(cell) - 1]
    shape = ""
    for one, other in pairs:
        (x, y), (to_x, to_y) = points[min(one, other)], points[max(one, other)]
        length = math.hypot(to_x - x, to_y - y)
        aside = (-(to_y - y) / length * shift, (to_x - x) / length * shift)
        shape += f"M{at(x + aside[0], y + aside[1])} L{at(to_x + aside[0], to_y + aside[1])} "
    return line(shape.strip() or "M0 0", agent, data_agent=agent, data_cell=" ".join(map(str, cell)))


def _ring(agent: int, world: int, point: Point, radius: float) -> Element:
    class_ = f"line agent{agent % len(_DASHES)}"
    return element("circle", cx=point[0], cy=point[1], r=radius, class_=class_, data_agent=agent, data_to=world)


def _arrow(agent: int, ends: tuple[int, int], points: tuple[Point, Point], bulge: float, outer: float) -> Element:
    """An arrow, bent to its left, so that there and back are two lines."""
    (x, y), (to_x, to_y) = points
    length = math.hypot(to_x - x, to_y - y)
    along = ((to_x - x) / length, (to_y - y) / length)
    bend = ((x + to_x) / 2 + along[1] * 2 * bulge, (y + to_y) / 2 - along[0] * 2 * bulge)
    start = _toward((x, y), bend, outer + 1)
    return _with_head(agent, ends, start, [bend], _toward((to_x, to_y), bend, outer + 1))


def _loop(agent: int, world: int, point: Point, angle: float, outer: float) -> Element:
    """An arrow from a world to itself, on the far side from the centre."""
    left, right = angle - 0.28, angle + 0.28
    reach = outer + 30
    bends = [
        (point[0] + reach * math.cos(turn), point[1] + reach * math.sin(turn)) for turn in (left - 0.25, right + 0.25)
    ]
    start = _toward(point, bends[0], outer)
    return _with_head(agent, (world, world), start, bends, _toward(point, bends[1], outer + 1))


def _toward(point: Point, other: Point, distance: float) -> Point:
    length = math.hypot(other[0] - point[0], other[1] - point[1])
    return point[0] + (other[0] - point[0]) / length * distance, point[1] + (other[1] - point[1]) / length * distance


def _with_head(agent: int, ends: tuple[int, int], start: Point, bends: list[Point], end: Point) -> Element:
    """A curve by one or two control points, with an arrow's head at its end."""
    back = _toward(end, bends[-1], 9)
    aside = ((back[1] - end[1]) / 9 * 4.2, -(back[0] - end[0]) / 9 * 4.2)
    corners = f"L{at(back[0] + aside[0], back[1] + aside[1])} L{at(back[0] - aside[0], back[1] - aside[1])} Z"
    curve = f"M{at(*start)} {'Q' if len(bends) == 1 else 'C'}{' '.join(at(*bend) for bend in bends)} {at(*back)}"
    return element(
        "g",
        line(curve, agent),
        line(f"M{at(*end)} {corners}", agent, "solid"),
        data_agent=agent,
        data_from=ends[0],
        data_to=ends[1],
    )


# ---- A square for each agent

SIDE = 200.0
GAP = 26.0
ACROSS = 5
"""How many squares stand side by side at most."""
MOST_NAMED = 16
"""Up to so many worlds, every row has its name; beyond, the first and the last."""


def squares(model: KripkeModel, shapes: Mapping[int, Shape], relation: str, actual: int | None) -> Drawing:
    """For each agent a square: a row for each world, from the top, and a column for each world held possible there."""
    worlds = len(model.worlds)
    named = range(worlds) if worlds <= MOST_NAMED else (0, worlds - 1)
    left = MARGIN + LETTER * max(min(len(model.worlds[world]), 12) for world in named) + 8
    across = min(ACROSS, max(1, len(shapes)))
    down = -(-len(shapes) // across)
    drawing = Drawing(left + across * (SIDE + GAP) - GAP + MARGIN, MARGIN + down * (SIDE + GAP + 14))
    unit = SIDE / worlds
    for place, (agent, shape) in enumerate(shapes.items()):
        x, y = left + place % across * (SIDE + GAP), 30 + place // across * (SIDE + GAP + 14)
        drawing.parts.append(words(x, y - 8, f"agent {agent} ({model.logic(agent, relation)})", "strong"))
        drawing.parts.append(element("rect", x=x, y=y, width=SIDE, height=SIDE, class_="frame"))
        if actual is not None:
            thick = max(unit, 2.0)
            row = y + (actual + 0.5) * unit - thick / 2
            drawing.parts.append(element("rect", x=x, y=row, width=SIDE, height=thick, class_="here"))
        filled = line(_filled(shape), agent, "solid", data_agent=agent, data_square=worlds)
        filled.set("transform", f"translate({at(x, y)}) scale({unit:.5g})")
        drawing.parts.append(filled)
        if actual is not None:
            tip = f"M{at(x - 1, y + (actual + 0.5) * unit)} l-7 -4 v8 Z"
            drawing.parts.append(element("path", d=tip))
        if place % across == 0:
            for world in named:
                base = y + (world + 0.5) * unit + 4
                name = model.worlds[world]
                drawing.parts.append(words(x - 10, base, short(name, 12), "small end quiet", name))
    return drawing


def _filled(shape: Shape) -> str:
    """The links as rectangles in units of worlds: runs of columns, as high as there are like rows below each other."""
    there = {world: columns for here, columns in shape.rows for world in here}
    path, top = [], 0
    while top < len(there):
        end = top
        while end < len(there) and there[end] == there[top]:
            end += 1
        path += [f"M{first} {top}h{after - first}v{end - top}h{first - after}z" for first, after in _runs(there[top])]
        top = end
    return "".join(path) or "M0 0"


def _runs(columns: tuple[int, ...]) -> list[tuple[int, int]]:
    """Columns as runs: the first one, and the one after the last."""
    runs: list[tuple[int, int]] = []
    for column in columns:
        if runs and runs[-1][1] == column:
            runs[-1] = (runs[-1][0], column + 1)
        else:
            runs.append((column, column + 1))
    return runs


# ---- Legend

_NOTES = {
    "cells": "cannot tell apart the worlds that a line joins",
    "everywhere": "holds the worlds with a ring possible, in every world",
    "arrows": "holds possible where the arrows lead",
}


def legend(
    model: KripkeModel, shapes: Mapping[int, Shape], relation: str, actual: int | None, on_circle: bool
) -> Drawing:
    """Whose line is whose, the logic of each agent, and what the lines say."""
    drawing = Drawing(0, 14)

    def add(note: str, x: float, class_: str) -> None:
        drawing.parts.append(words(x, drawing.height, note, class_))
        drawing.width = max(drawing.width, x + MARGIN + LETTER * len(note))
        drawing.height += 18

    if on_circle:
        for agent, shape in shapes.items():
            drawing.parts.append(line(f"M{at(MARGIN, drawing.height - 4)} h34", agent))
            note = _NOTES[shape.kind] if any(there for _, there in shape.rows) else "holds nothing possible"
            add(f"agent {agent} ({model.logic(agent, relation)}) {note}", MARGIN + 44, "")
    else:
        ends = f"{short(model.worlds[0], 30)} to {short(model.worlds[-1], 30)}"
        add("Row: the world one is in. Column: a world held possible there.", MARGIN, "quiet")
        add(f"Both are the {len(model.worlds)} worlds in their order, from {ends}.", MARGIN, "quiet")
    if actual is not None:
        add(f"The actual world is {model.worlds[actual]}.", MARGIN, "quiet")
    if relation == "knowledge":
        add("Drawn is what the agents know, not what they believe.", MARGIN, "quiet")
    return drawing
