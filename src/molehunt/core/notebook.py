"""How objects draw themselves in notebooks: small tables and pictures, without styles that a page would have to load.

A notebook asks an object for `_repr_html_` or `_repr_svg_`. What comes from elsewhere (names of
players, moves) is escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def table(headings: Sequence[str], rows: Sequence[Sequence[object]], caption: str = "") -> str:
    """A table as HTML. Cells that are numbers stand at the right; a cell that is `Markup` is put in as it is."""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)
    title = f'<caption style="text-align:left">{escape(caption)}</caption>' if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def interval_bar(low: float, value: float, high: float, least: float, most: float, width: int = 160) -> Markup:
    """A value and its interval on a line from `least` to `most`, as a small SVG; the text of the cell says it in numbers."""
    span = most - least or 1.0
    at = [round((min(max(each, least), most) - least) / span * (width - 8) + 4, 1) for each in (low, value, high)]
    return Markup(
        f'<svg width="{width}" height="12" viewBox="0 0 {width} 12" role="img" aria-hidden="true" style="vertical-align:middle">'
        f'<path d="M4 6H{width - 4}" stroke="currentColor" stroke-opacity=".2"/>'
        f'<path d="M{at[0]} 6H{at[2]}" stroke="currentColor" stroke-width="3" stroke-opacity=".6"/>'
        f'<circle cx="{at[1]}" cy="6" r="4" fill="currentColor"/></svg>'
    )


def _cell(value: object) -> str:
    if isinstance(value, Markup):
        return f"<td>{value}</td>"
    if isinstance(value, int | float):
        return f'<td style="text-align:right">{value:,}</td>'
    return f'<td style="text-align:left">{escape(str(value))}</td>'
