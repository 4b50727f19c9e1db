"""Curves with their intervals, and clouds of points, as elements of a page; drawn and coloured as in `report_plot`."""

from __future__ import annotations

import io
import itertools
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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


def draw_curves(curves: Sequence[Curve], x_axis: str, width: int, key: str) -> str:
    """Up to three curves over the same values as an SVG element. `key` keeps its names apart from those of other plots.

    Values that lie far apart (0, 0.1, 1, 10) stand at even distances, each under its number.
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
        axes.set_xticks(
            [places[value] for value in values], [f"{value:g}".replace("-", "\N{MINUS SIGN}") for value in values]
        )

    label = f"Plot: {', '.join(curve.name for curve in curves)} over {x_axis}. The table below holds the same numbers."
    return _drawn(fill, [curve.name for curve in curves], x_axis, width, key, label)


def draw_dots(dots: Sequence[Dot], x_axis: str, y_axis: str, width: int, key: str, names: Sequence[str] = ()) -> str:
    """A cloud of points as an SVG element. With `names`, x is the number of a name."""

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

    return _drawn(fill, [], x_axis, width, key, f"Plot: {len(dots)} candidates, {y_axis} over {x_axis}.")


def _drawn(fill: Callable[[Axes], None], names: Sequence[str], x_axis: str, width: int, key: str, label: str) -> str:
    """A plot with its axes and the names of its curves, as an element of the page."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # the page's font draws the text
        figure = Figure(figsize=(width / POINTS_PER_INCH, HEIGHT / POINTS_PER_INCH), facecolor="none")
        box = (LEFT / width, BOTTOM / HEIGHT, (width - LEFT - RIGHT) / width, (HEIGHT - TOP - BOTTOM) / HEIGHT)
        axes = figure.add_axes(box, facecolor="none")
        axes.spines[:].set_visible(False)
        axes.grid(axis="y", color=LINE, linewidth=1)
        axes.set_axisbelow(True)
        fill(axes)
        axes.tick_params(length=0, pad=6, labelsize=TICK_SIZE, labelcolor=QUIET)
        axes.set_xlabel(x_axis, fontsize=TICK_SIZE, color=QUIET, labelpad=6)
        _name_curves(figure, names, width)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata=NO_METADATA)
    return inline(file.getvalue(), key, label)


def _name_curves(figure: Figure, names: Sequence[str], width: int) -> None:
    """The names of the curves above the plot, each after a piece of its line."""
    from matplotlib.lines import Line2D

    for number, ((colour, dashes), name) in enumerate(zip(STYLES, names, strict=False)):
        left, y = (LEFT + number * (width - LEFT - RIGHT) / 3) / width, 1 - TOP / 2 / HEIGHT
        piece = 22 / width
        figure.add_artist(Line2D([left, left + piece], [y, y], color=colour, linestyle=dashes, linewidth=2))
        figure.text(left + piece + 6 / width, y, name, color=QUIET, fontsize=TICK_SIZE, va="center_baseline")
