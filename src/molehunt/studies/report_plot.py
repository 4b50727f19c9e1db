"""Dot-and-interval plots as elements of a page.

matplotlib draws them; what it draws is handed over without its own names, styles and colours: the colours are variables of
the page (`--ink`, `--quiet`, `--line`, `--measured`, `--bad`, `--band`), which knows light from dark, and text is text.
"""

from __future__ import annotations

import io
import math
import warnings
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, fromstring, tostring

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Measures in pixels. A name stands before its dot, or above it where the names are long.
ROW_HEIGHT, TALL_ROW_HEIGHT, TOP, BOTTOM = 26, 44, 26, 48
MARGIN, GAP, DIFFERENCES = 1, 14, 58
LONG_NAMES = 0.45  # of the width
LABEL_SIZE, TICK_SIZE = 12.5, 11
DOT, DIAMOND, INTERVAL = 8, 9, 2.4
WIDE = 700  # from this width on there is room for many ticks
POINTS_PER_INCH = 72  # a point of the drawing is a pixel of the page
_FONT = "DejaVu Sans"  # comes with matplotlib and is wide: what fits in it fits in the font of the page

# matplotlib writes colours as #rrggbb; each of these stands for a variable of the page.
INK, QUIET, LINE, MEASURED, BAD, BAND = (f"#01020{number}" for number in range(1, 7))
_VARIABLES = {
    INK: "var(--ink)",
    QUIET: "var(--quiet)",
    LINE: "var(--line)",
    MEASURED: "var(--measured)",
    BAD: "var(--bad)",
    BAND: "var(--band)",
}
SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "molehunt",
    "svg.fonttype": "none",
    "text.parse_math": False,  # a name may hold dollar signs
    "font.family": "sans-serif",
    "font.sans-serif": [_FONT],
    "axes.formatter.use_locale": False,
    "axes.unicode_minus": True,
}
NO_METADATA = {"Date": None, "Creator": None, "Type": None, "Format": None}


@dataclass(frozen=True)
class Mark:
    """A row of a plot: a dot with its interval, a diamond if something was published, the difference in words."""

    name: str
    value: float
    low: float
    high: float
    published: float | None
    difference: str
    differs: bool


@dataclass(frozen=True)
class Drawing:
    """What a plot shows besides its rows.

    `axis` stands under the axis, `title` is for who cannot see the plot, `rate` says that the numbers are percentages, and
    `reference` is what all rows are compared with: (value, low, high). The axis also covers `beside`: numbers of plots that stand
    beside this one.
    """

    axis: str
    title: str
    rate: bool
    reference: tuple[float, float, float] | None
    beside: tuple[float, ...] = ()


def draw(drawing: Drawing, marks: Sequence[Mark], width: int, key: str) -> str:
    """The plot as an SVG element. `key` keeps the names inside it apart from those of other plots of the page."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    right = DIFFERENCES if any(mark.difference for mark in marks) else GAP
    with mpl.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # the page's font draws the text
        widest = max(_width(mark.name) for mark in marks)
        above = widest > LONG_NAMES * width
        left = GAP if above else MARGIN + widest + GAP
        row = TALL_ROW_HEIGHT if above else ROW_HEIGHT
        room = width if above else width - right  # a name above its dot has the line to itself
        height = TOP + row * len(marks) + BOTTOM
        figure = Figure(figsize=(width / POINTS_PER_INCH, height / POINTS_PER_INCH), facecolor="none")

        def write(x: float, y: float, text: str, colour: str, size: float = LABEL_SIZE) -> None:
            """Text in the left half begins at x, in the right half it ends there; pixels from the upper left corner."""
            side = "left" if x < width / 2 else "right"
            figure.text(x / width, 1 - y / height, text, color=colour, fontsize=size, ha=side, va="center_baseline")

        box = (left / width, BOTTOM / height, (width - left - right) / width, row * len(marks) / height)
        axes = figure.add_axes(box, facecolor="none")
        # One unit of the axis is a row; the dot of row n is at n.
        lift = (row - ROW_HEIGHT / 2) / row
        axes.set_ylim(len(marks) - lift, -lift)
        limits = _limits(drawing, marks)
        _furnish(axes, drawing, limits, 9 if width >= WIDE else 4)
        for place, mark in enumerate(marks):
            _place(axes, place, mark, limits)
            y = TOP + row * (place + lift)
            write(MARGIN, y - above * (TALL_ROW_HEIGHT - ROW_HEIGHT), _shortened(mark.name, room), INK)
            if mark.difference:
                write(width - MARGIN, y, mark.difference, BAD if mark.differs else QUIET)
        if right == DIFFERENCES:
            write(width - MARGIN, GAP, "difference", QUIET, TICK_SIZE)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata=NO_METADATA)
    return inline(file.getvalue(), key, f"Plot: {drawing.title}. The table below holds the same numbers.")


def _furnish(axes: Axes, drawing: Drawing, limits: tuple[float, float], ticks: int) -> None:
    """The axis, its grid, and what all rows are compared with."""
    from matplotlib.ticker import MaxNLocator

    axes.set_xlim(*limits)
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=ticks, steps=[1, 2, 5, 10]))
    axes.tick_params(axis="x", length=0, pad=7, labelsize=TICK_SIZE, labelcolor=QUIET)
    axes.set_xlabel(drawing.axis, fontsize=TICK_SIZE, color=QUIET, labelpad=8)
    axes.grid(axis="x", color=LINE, linewidth=1)
    axes.set_axisbelow(True)
    if drawing.reference is not None:
        value, low, high = drawing.reference
        axes.axvspan(*_within(limits, low, high), color=BAND, linewidth=0, zorder=1)
        axes.axvline(value, color=INK, linewidth=1.2, zorder=2, dashes=(4, 3))


def _place(axes: Axes, place: int, mark: Mark, limits: tuple[float, float]) -> None:
    """The interval, the dot and the diamond of a row."""
    colour = BAD if mark.differs else MEASURED
    ends = _within(limits, mark.low, mark.high)
    axes.plot(ends, (place, place), color=colour, linewidth=INTERVAL, solid_capstyle="round", zorder=3)
    axes.plot(mark.value, place, "o", color=colour, markersize=DOT, markeredgewidth=0, zorder=4)
    if mark.published is not None:
        axes.plot(
            mark.published,
            place,
            "D",
            markersize=DIAMOND,
            markerfacecolor="none",
            markeredgecolor=INK,
            markeredgewidth=1.6,
            zorder=5,
        )


def _limits(drawing: Drawing, marks: Sequence[Mark]) -> tuple[float, float]:
    """From where to where the axis goes: all that is drawn and some air; a rate stays within 0 and 100 %."""
    values = [*(drawing.reference or ()), *drawing.beside]
    for mark in marks:
        values += [mark.value, mark.low, mark.high]
        if mark.published is not None:
            values.append(mark.published)
    values = [value for value in values if math.isfinite(value)]
    low, high = min(values, default=0.0), max(values, default=1.0)
    air = 0.05 * (high - low) or 1.0
    if drawing.rate:
        return max(low - air, -air / 5), min(high + air, 100 + air / 5)
    return low - air, high + air


def _within(limits: tuple[float, float], low: float, high: float) -> tuple[float, float]:
    return max(low, limits[0]), min(high, limits[1])


def _width(text: str) -> float:
    """The width of a name in pixels."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=_FONT, size=LABEL_SIZE)
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0])


def _shortened(text: str, width: float) -> str:
    """The text, or its two ends where it does not fit; the whole name stands in the table."""

    def cut(keep: int) -> str:
        return f"{text[: keep - keep // 2]}…{text[len(text) - keep // 2 :]}"

    room = width - 2 * MARGIN
    if _width(text) <= room:
        return text
    return cut(max(1, bisect_right(range(len(text)), room, key=lambda keep: _width(cut(keep))) - 1))


def inline(svg: str, key: str, label: str) -> str:
    """A drawing of matplotlib as an element of a page: own names, the page's colours, a label for who cannot see it."""
    root = fromstring(svg)  # noqa: S314 - drawn a moment ago, by us
    for parent in list(root.iter()):
        for child in list(parent):
            # Data about the file, and a style that would reach the whole page; nothing is drawn outside the axes.
            if child.tag.endswith(("}metadata", "}style", "}clipPath")):
                parent.remove(child)
    used = [
        value.removeprefix("#") for element in root.iter() for name, value in element.items() if name.endswith("href")
    ]
    names = {old: f"{key}-{number}" for number, old in enumerate(dict.fromkeys(used))}
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        element.attrib = _attributes(element, names)
        element.tail = None
        if element.tag != "text":
            element.text = None
    root.attrib = {"viewBox": root.get("viewBox", ""), "role": "img", "aria-label": label}
    return tostring(root, encoding="unicode")


def _attributes(element: Element, names: dict[str, str]) -> dict[str, str]:
    """The attributes of an element without namespaces; of the ids only those that something refers to."""
    plain = {name.rpartition("}")[2]: value for name, value in element.items()}
    name = plain.pop("id", None)
    plain.pop("clip-path", None)
    if name in names:
        plain["id"] = names[name]
    if "href" in plain:
        plain["href"] = f"#{names[plain['href'].removeprefix('#')]}"
    for colour, variable in _VARIABLES.items():
        if "style" in plain:
            plain["style"] = plain["style"].replace(colour, variable)
    return plain
