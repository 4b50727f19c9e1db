"""Curves with their intervals, and clouds of points, as elements of a page; drawn and coloured as in `report_plot`."""

from __future__ import annotations

import io
import itertools
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from molehunt.core.words import counted
from molehunt.studies.report_plot import (
    INK,
    LINE,
    MEASURED,
    NO_METADATA,
    POINTS_PER_INCH,
    QUIET,
    SETTINGS,
    TICK_SIZE,
    inline,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = 250
LEFT, RIGHT, TOP, BOTTOM = 46, 12, 30, 46
"""Margins in pixels: the numbers of the axes stand in the left and the lower one, the names of the curves in the upper one."""
PIECE, GAP, LETTER, NAME_HEIGHT = 22, 6, 6, 18
"""Of a curve's name: the piece of its line before it, the gap after that, about the width of a letter, the height of a line."""
BETWEEN = 0.9
"""The share of the width of a plot that lies between its first and its last value."""
STYLES: tuple[tuple[str, Any], ...] = ((MEASURED, "solid"), (INK, (0, (4, 2))), (QUIET, (0, (1, 2))))
"""Colour and dashes of the first, the second and the third curve."""
BAND_STRENGTH = 0.16
CROWDED = 1.5
"""Where the widest gap between values is so many times the narrowest, they stand at even distances."""


@dataclass(frozen=True)
class Point:
    """A point of a curve with its interval."""

    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True)
class Curve:
    """A curve and its name. Where the intervals of all curves are of no width is what the others are compared with: a diamond."""

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Dot:
    """A point of a cloud; a hollow one was given up early."""

    x: float
    y: float
    hollow: bool


def draw_curves(curves: Sequence[Curve], x_axis: str, width: int, key: str, table: bool = True) -> str:
    """Up to three curves over the same values as an SVG element. `key` keeps its names apart from those of other plots.

    With `table`, one with the same numbers stands below.

    Values that lie far apart (0, 0.1, 1, 10) stand at even distances. Each has its number below where there is room for all.
    """
    values = sorted({point.x for curve in curves for point in curve.points})
    gaps = [after - before for before, after in itertools.pairwise(values)]
    even = bool(gaps) and max(gaps) > CROWDED * min(gaps)
    places = {value: float(number) if even else value for number, value in enumerate(values)}

    compared = [{point.x for point in curve.points if point.low == point.high} for curve in curves]
    references = set.intersection(*compared) if compared else set()

    def fill(axes: Axes) -> None:
        axes.axhline(0, color=LINE, linewidth=1.4, zorder=1)
        for (colour, dashes), curve in zip(STYLES, curves, strict=False):
            points = sorted(curve.points, key=lambda point: point.x)
            across = [places[point.x] for point in points]
            lows, highs = [point.low for point in points], [point.high for point in points]
            axes.fill_between(across, lows, highs, color=colour, alpha=BAND_STRENGTH, linewidth=0, zorder=2)
            axes.plot(across, [point.y for point in points], color=colour, linestyle=dashes, linewidth=2, zorder=3)
            if len(points) == 1:  # a line and a band of no length are not seen
                axes.plot(across * 2, [*lows, *highs], color=colour, linewidth=2, zorder=3)
                axes.plot(across, points[0].y, "o", color=colour, markersize=6, markeredgewidth=0, zorder=3)
        for value in sorted(references):
            axes.plot(places[value], 0, "D", color=INK, markersize=6, markeredgewidth=0, zorder=4)
        told = {value: f"{value:g}".replace("-", "\N{MINUS SIGN}") for value in values}
        shown = values[:: -_step(list(told.values()), width)][::-1]  # counted from the last on
        axes.set_xticks([places[value] for value in shown], [told[value] for value in shown])

    label = f"Plot: {', '.join(curve.name for curve in curves)} over {x_axis}."
    label += " The table below holds the same numbers." if table else ""
    return _drawn(fill, [curve.name for curve in curves], x_axis, width, key, label)


def draw_dots(
    dots: Sequence[Dot],
    x_axis: str,
    y_axis: str,
    width: int,
    key: str,
    names: Sequence[str] = (),
    of: str = "candidate",
) -> str:
    """A cloud of points as an SVG element, a point for each thing that is called `of`. With `names`, x is the number of a name."""

    def fill(axes: Axes) -> None:
        axes.axhline(0, color=LINE, linewidth=1.4, zorder=1)
        for dot in dots:
            face = "none" if dot.hollow else MEASURED
            axes.plot(
                dot.x, dot.y, "o", markersize=5, markerfacecolor=face, markeredgecolor=MEASURED, markeredgewidth=1
            )
        if names:
            axes.set_xticks(range(len(names)), list(names))
            axes.set_xlim(-0.5, len(names) - 0.5)

    return _drawn(fill, [], x_axis, width, key, f"Plot: {counted(len(dots), of)}, {y_axis} over {x_axis}.")


def _drawn(fill: Callable[[Axes], None], names: Sequence[str], x_axis: str, width: int, key: str, label: str) -> str:
    """A plot with its axes and the names of its curves, as an element of the page."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    names_below = 0 if _beside(names, width) else NAME_HEIGHT * (len(names) - 1)
    top, height = TOP + names_below, HEIGHT + names_below
    with mpl.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # the page's font draws the text
        figure = Figure(figsize=(width / POINTS_PER_INCH, height / POINTS_PER_INCH), facecolor="none")
        box = (LEFT / width, BOTTOM / height, (width - LEFT - RIGHT) / width, (height - top - BOTTOM) / height)
        axes = figure.add_axes(box, facecolor="none")
        axes.spines[:].set_visible(False)
        axes.grid(axis="y", color=LINE, linewidth=1)
        axes.set_axisbelow(True)
        fill(axes)
        axes.tick_params(length=0, pad=6, labelsize=TICK_SIZE, labelcolor=QUIET)
        axes.set_xlabel(x_axis, fontsize=TICK_SIZE, color=QUIET, labelpad=6)
        _name_curves(figure, names, width, height)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata=NO_METADATA)
    return inline(file.getvalue(), key, label)


def _step(numbers: Sequence[str], width: int) -> int:
    """Of numbers below a plot at even distances, every how many-th there is room for."""
    places = 1 + BETWEEN * (width - LEFT - RIGHT) / (LETTER * max(map(len, numbers)) + GAP / 2)
    return math.ceil(len(numbers) / places)


def _beside(names: Sequence[str], width: int) -> bool:
    """Whether there is room for the names of the curves beside each other."""
    return all(PIECE + GAP + LETTER * len(name) + GAP <= (width - LEFT - RIGHT) / 3 for name in names)


def _name_curves(figure: Figure, names: Sequence[str], width: int, height: int) -> None:
    """The names of the curves above the plot, each after a piece of its line; one below the other where there is no room beside."""
    from matplotlib.lines import Line2D

    beside = _beside(names, width)
    for number, ((colour, dashes), name) in enumerate(zip(STYLES, names, strict=False)):
        left = (LEFT + (number * (width - LEFT - RIGHT) / 3 if beside else 0)) / width
        y = 1 - (TOP / 2 + (0 if beside else number * NAME_HEIGHT)) / height
        piece = PIECE / width
        figure.add_artist(Line2D([left, left + piece], [y, y], color=colour, linestyle=dashes, linewidth=2))
        figure.text(left + piece + GAP / width, y, name, color=QUIET, fontsize=TICK_SIZE, va="center_baseline")
