"""A Kripke model as text and as SVG.

In both, the look of a relation (`kripke_shapes`) decides how it is drawn. The SVG puts the worlds on a circle: the worlds of
a cell are joined by a line around them, worlds held possible from everywhere get rings, and all else is arrows. Where there
are more than MOST_ON_CIRCLE worlds, or more than MOST_LINES lines to draw, each agent gets a square instead: a row for each
world, a column for each world held possible there.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import tostring

from molehunt.beliefs.kripke import KripkeModel
from molehunt.beliefs.kripke_shapes import Shape, shapes_of
from molehunt.beliefs.kripke_svg import MARGIN, STYLE, circle, legend, squares, words
from molehunt.core.svg import element, number

MOST_ON_CIRCLE = 30
MOST_LINES = 240
WIDTH = 100
"""Columns of the text."""


# ---- Text


def as_text(model: KripkeModel, actual: str | int | None = None, agents: Iterable[int] | None = None) -> str:
    """The model in words: its worlds with the facts true there, the actual one marked ">", then what each agent believes.

    Agents of the same relation share a line. If the model has a knowledge relation, that follows.
    """
    chosen = model.agents if agents is None else tuple(agents)
    names = [_quoted(name) for name in model.worlds]
    marked = None if actual is None else model.index(actual)
    widest = max(map(len, names))
    lines = [f"{_many(len(names), 'world')}, {_many(len(model.agents), 'agent')}"]
    for index, name in enumerate(names):
        facts = "  ".join(model.facts_in(index)) or "-"
        lines.append(f"{'>' if index == marked else ' '} {name:<{widest}}  {facts}")
    for relation in ("belief", "knowledge") if model.has_knowledge else ("belief",):
        shapes = shapes_of(model, chosen, relation)
        lines.append(relation)
        shared: dict[Shape, list[int]] = {}
        for agent, shape in shapes.items():
            shared.setdefault(shape, []).append(agent)
        for shape, sharing in shared.items():
            who = f"{'agent' if len(sharing) == 1 else 'agents'} {', '.join(map(str, sharing))}"
            start = f"  {who:<9}  {model.logic(sharing[0], relation):<5} "
            lines.extend(_wrapped(start, _in_words(shape, names)))
    return "\n".join(lines) + "\n"


def _in_words(shape: Shape, names: Sequence[str]) -> list[str]:
    """The lines that tell a relation."""

    def row(worlds: Iterable[int]) -> str:
        return " ".join(names[world] for world in worlds) or "nothing"

    if shape.kind == "cells":
        if len(shape.rows) == 1:
            return ["every world from every world"]
        if len(shape.rows) == len(names):
            return ["every world only from itself"]
        return ["cells " + " ".join(f"[{row(cell)}]" for cell, _ in shape.rows)]
    if len(shape.rows) == 1:
        return [f"from everywhere -> {row(shape.rows[0][1])}"]
    return [f"{row(here)} -> {row(there)}" for here, there in shape.rows]


def _wrapped(start: str, told: list[str]) -> list[str]:
    lines: list[str] = []
    for told_line in told:
        before = " " * len(start) if lines else start
        lines += textwrap.wrap(
            told_line,
            WIDTH,
            initial_indent=before,
            subsequent_indent=" " * (len(start) + 2),
            break_long_words=False,
            break_on_hyphens=False,
        )
    return lines


def _quoted(name: str) -> str:
    return name if name and not any(letter.isspace() for letter in name) else repr(name)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


# ---- SVG


def as_svg(
    model: KripkeModel,
    actual: str | int | None = None,
    agents: Iterable[int] | None = None,
    relation: str = "belief",
    title: str = "",
) -> str:
    """The model as one SVG file, for light and dark ground: one relation ("belief" or "knowledge") of the agents chosen.

    Every drawn part says in data attributes what it stands for: data-agent with data-from and data-to (an arrow), data-to
    alone (a ring), data-cell (the line around a cell) or data-square (the square of an agent), all as numbers of worlds.
    """
    shapes = shapes_of(model, agents, relation)
    marked = None if actual is None else model.index(actual)
    few = sum(shape.lines for shape in shapes.values()) <= MOST_LINES
    on_circle = few and len(model.worlds) <= MOST_ON_CIRCLE
    drawing = circle(model, shapes, marked) if on_circle else squares(model, shapes, relation, marked)
    below = legend(model, shapes, relation, marked, on_circle)
    top = 36.0 if title else 10.0
    width = max(drawing.width, below.width, len(title) * 8.6 + 2 * MARGIN)
    height = top + drawing.height + below.height
    root = element(
        "svg",
        element("style", STYLE),
        element("title", title or f"Kripke model of {_many(len(model.worlds), 'world')}"),
        element("rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=8, class_="panel"),
        xmlns="http://www.w3.org/2000/svg",
        class_="kripke",
        role="img",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
    )
    if title:
        root.append(words(MARGIN, 25.0, title, "heading"))
    root.append(drawing.placed((width - drawing.width) / 2, top))
    root.append(below.placed(0.0, top + drawing.height))
    return tostring(root, encoding="unicode")
