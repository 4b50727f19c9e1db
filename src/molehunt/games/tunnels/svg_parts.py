"""The elements a drawing of tunnels is made of, its colours, and the icons: action cards, a block, gold, stone, an eye.

Nothing has an id: several drawings may stand in one page. Icons fill a square of ICON units with its corner at the origin.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from molehunt.core.svg import element, number

ICON = 20
IconShapes = tuple[tuple[str, str], ...]
"""The paths of an icon, each with its style class, "solid" or "stroke"."""

_COLOURS = """
.molehunt {
  --panel: #f6efe2; --ink: #3b2d20; --quiet: #7d6a55; --line: #d9c8ab; --ground: #e6d8bf; --ground-line: #d3c1a1;
  --rock: #a08465; --rock-edge: #6f5740; --pebble-light: #b69a79; --pebble-dark: #8a6f53;
  --floor: #f3dfb2; --wall: #503a27; --rubble: #7c6a5a; --rubble-light: #9a8877; --rubble-edge: #43352a;
  --goal: #7a5c3e; --goal-edge: #c8982f; --goal-ink: #f7dd95;
  --stone: #7f8a94; --stone-light: #a5afb8; --stone-edge: #4b545c;
  --gold: #f2b824; --gold-light: #ffe182; --gold-edge: #93690a;
  --lit: #fdebb3; --lit-edge: #c6912a; --lit-ink: #7a5510;
  --paper: #fffaf0; --paper-edge: #c9b694; --wood: #9a6a35; --bad: #b3261e; --good: #2d6f3b; --water: #33709a;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: var(--ink);
  font-size: 12px; max-width: 100%; height: auto;
}
@media (prefers-color-scheme: dark) { .molehunt {
  --panel: #1d1814; --ink: #efe4d2; --quiet: #b19e86; --line: #40352a; --ground: #292119; --ground-line: #3a2f24;
  --rock: #6b563f; --rock-edge: #8d7354; --pebble-light: #7d674d; --pebble-dark: #584633;
  --floor: #e0c68f; --wall: #21180f; --rubble: #75665a; --rubble-light: #93826f; --rubble-edge: #1d150e;
  --goal: #503a26; --goal-edge: #c8982f; --goal-ink: #f7dd95;
  --stone: #77828c; --stone-light: #9da8b1; --stone-edge: #2d343a;
  --lit: #57471f; --lit-edge: #d0a03c; --lit-ink: #f3d48a;
  --paper: #332a21; --paper-edge: #574838; --wood: #c08a50; --bad: #ff8a7d; --good: #7fcf8d; --water: #7fb8dd;
} }
"""
_CLASSES = """
.panel { fill: var(--panel); stroke: var(--line); }
.ground { fill: var(--ground); stroke: var(--ground-line); }
.unbounded { stroke: var(--quiet); stroke-dasharray: 2 6; stroke-linecap: round; }
.heading { font-size: 17px; font-weight: 650; }
.long { font-size: 14px; }
.quiet { fill: var(--quiet); }
.small { font-size: 10.5px; }
.label { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 10.5px; }
.centre { text-anchor: middle; }
.end { text-anchor: end; }
.strong { font-weight: 650; }
.speck { fill: var(--ground-line); }
.lit { fill: var(--lit); stroke: var(--lit-edge); stroke-width: 1.4; stroke-dasharray: 5 4; }
.lit-ink { fill: var(--lit-ink); }
.rock { fill: var(--rock); stroke: var(--rock-edge); }
.pebble-light { fill: var(--pebble-light); }
.pebble-dark { fill: var(--pebble-dark); }
.wall { fill: none; stroke: var(--wall); stroke-width: 25; }
.floor { fill: none; stroke: var(--floor); stroke-width: 19; }
.rubble { fill: var(--rubble); stroke: var(--rubble-edge); stroke-width: 1.2; stroke-linejoin: round; }
.rubble-light { fill: var(--rubble-light); }
.goal { fill: var(--goal); stroke: var(--goal-edge); stroke-width: 2; }
.goal-frame { fill: none; stroke: var(--goal-edge); stroke-opacity: .55; }
.goal-ink { fill: var(--goal-ink); font-size: 38px; font-weight: 700; }
.goal-eye { color: var(--goal-ink); }
.goal-tag { fill: var(--goal-ink); font-size: 9.5px; font-weight: 600; }
.stone { fill: var(--stone); stroke: var(--stone-edge); stroke-linejoin: round; }
.stone-light { fill: var(--stone-light); }
.gold { fill: var(--gold); stroke: var(--gold-edge); stroke-linejoin: round; }
.gold-light { fill: var(--gold-light); }
.stroke { fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.solid { fill: currentColor; }
.ink { color: var(--ink); }
.bad { color: var(--bad); }
.good { color: var(--good); }
.faint { color: var(--quiet); opacity: .35; }
.muted { color: var(--quiet); }
.water { color: var(--water); }
.ladder { fill: none; stroke: var(--wood); stroke-width: 3; stroke-linecap: round; }
.ladder-edge { fill: none; stroke: var(--wall); stroke-width: 5; stroke-linecap: round; }
.badge { fill: currentColor; stroke: var(--paper); stroke-width: 1.4; }
.badge-sign { fill: none; stroke: var(--paper); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.paper { fill: var(--paper); stroke: var(--paper-edge); }
.own { --paper: var(--lit); }
.bubble { fill: var(--panel); stroke: var(--paper-edge); stroke-linejoin: round; }
.you { fill: var(--lit); stroke: var(--lit-edge); }
"""
STYLE = _COLOURS + _CLASSES.replace("\n.", "\n.molehunt .")
"""The style sheet. Colours are variables of the root, which the reader's dark mode sets anew; every class is scoped by
the root, so that a page in which the drawing stands keeps its own style."""


def group(
    *children: Element | str, at: tuple[float, float] = (0, 0), scale: float = 1, **attributes: object
) -> Element:
    """A group of elements, moved to a point and scaled."""
    transform = f"translate({number(at[0])} {number(at[1])})" if at != (0, 0) else ""
    transform += f" scale({scale:g})" if scale != 1 else ""
    if transform:
        attributes["transform"] = transform.strip()
    return element("g", *children, **attributes)


def path(shape: str, class_: str) -> Element:
    """A path of a style class."""
    return element("path", d=shape, class_=class_)


def label(x: float, y: float, words: str, class_: str = "") -> Element:
    """Text at a point of its base line."""
    return element("text", words, x=x, y=y, **({"class_": class_} if class_ else {}))


def shapes_icon(shapes: IconShapes, class_: str = "ink") -> Element:
    """An icon from its shapes, in a class's colour."""
    return group(*(path(shape, kind) for kind, shape in shapes), class_=class_)


def icon(name: str, class_: str = "ink") -> Element:
    """A "block", "rockfall", "map", "eye", "card" or "arrow", in a class's colour."""
    return shapes_icon(_ICONS[name], class_)


def crossed(drawn: Element) -> Element:
    """An icon with a cross at its corner."""
    return group(drawn, _badge("bad"), path("M14.1 14.1 L17.9 17.9 M17.9 14.1 L14.1 17.9", "badge-sign"))


def ticked(drawn: Element) -> Element:
    """An icon with a tick at its corner."""
    return group(drawn, _badge("good"), path("M13.7 16.2 L15.4 17.9 L18.4 14.2", "badge-sign"))


def _badge(class_: str) -> Element:
    return element("circle", cx=16, cy=16, r=4.8, class_=f"badge {class_}")


def nugget() -> Element:
    """A nugget of gold, in a square of ICON units."""
    return group(
        path("M3 12 L6 5.5 L12 3 L17 7 L18 13 L13 17.5 L6 16.8 Z", "gold"),
        path("M6.8 6.6 L11.6 4.8 L13.6 8.4 L8.4 10.6 Z M14.6 10.4 L16.4 9 L16.8 12.4 L14 14.6 Z", "gold-light"),
    )


def lump() -> Element:
    """A lump of stone, in a square of ICON units."""
    return group(
        path("M2.5 13.5 L4.5 7 L10.5 3.5 L16.5 6 L18 12.5 L14 17 L6 17 Z", "stone"),
        path("M6.2 8 L10.4 5.6 L12.4 8.4 L8 11 Z M14 9.4 L15.8 8.6 L16.2 12 L13.6 13.4 Z", "stone-light"),
    )


_ICONS: dict[str, IconShapes] = {
    "block": (
        ("solid", "M10 1 a9 9 0 1 1 -.01 0 Z M10 3.6 a6.4 6.4 0 1 0 .01 0 Z"),
        ("solid", "M5.4 8.2 H14.6 V11.8 H5.4 Z"),
    ),
    "rockfall": (
        (
            "solid",
            "M1.2 18.6 L2.6 13.6 L6.6 12 L9.4 14.4 L9.2 18.6 Z M10.6 18.6 L10.4 13.6 L14.4 11.6 L18 13.6 L18.8 18.6 Z",
        ),
        ("solid", "M6.6 8.6 L9.2 5.8 L12.8 7 L13 10.4 L9.6 11.8 Z"),
        ("stroke", "M4 4.5 V9 M10 1 V3.4 M16 3.5 V8"),
    ),
    "map": (
        (
            "stroke",
            "M2 4.4 L7.3 2.4 L12.7 4.4 L18 2.4 V15.6 L12.7 17.6 L7.3 15.6 L2 17.6 Z M7.3 2.4 V15.6 M12.7 4.4 V17.6",
        ),
        ("stroke", "M14.1 8.2 L16.7 11 M16.7 8.2 L14.1 11"),
        ("solid", "M4.5 12 h.9 v.9 h-.9 Z M9.2 10.6 h1.4 v1 h-1.4 Z"),
    ),
    "eye": (
        ("stroke", "M1.5 10 C5.5 3.8 14.5 3.8 18.5 10 C14.5 16.2 5.5 16.2 1.5 10 Z"),
        ("solid", "M10 7 a3 3 0 1 0 .01 0 Z"),
    ),
    "card": (("stroke", "M5 2.5 H15 Q16 2.5 16 3.5 V16.5 Q16 17.5 15 17.5 H5 Q4 17.5 4 16.5 V3.5 Q4 2.5 5 2.5 Z"),),
    "arrow": (("solid", "M4 3.5 L16.5 10 L4 16.5 Z"),),
}
