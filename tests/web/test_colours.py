"""The colours of the pages by numbers: what is read and what is hit stands out from its ground, in light and dark
(WCAG 2.2, 1.4.3 and 1.4.11)."""

from __future__ import annotations

import re
from importlib import resources

import pytest

SHEET = resources.files("molehunt.web").joinpath("static/site.css").read_text("utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", part))
    for part in SHEET.split("/* ---- everywhere ---- */")[0].split("@media (prefers-color-scheme: dark)")
)
GROUNDS = ("page", "surface", "raised", "sunken")
READ = [(text, ground) for text in ("text", "muted", "link", "good", "bad") for ground in GROUNDS] + [
    ("on-accent", "accent"),
    ("on-accent", "accent-hover"),
    ("on-lit", "lit"),
    ("text", "chosen"),
    ("good", "good-ground"),
    ("bad", "bad-ground"),
    ("on-note", "note-ground"),
    ("on-top", "top"),
    ("on-top-muted", "top"),
]
HIT = [(line, ground) for line in ("edge-strong", "lit-edge", "accent", "focus") for ground in GROUNDS] + [
    ("lit-ring", "mine")
]


def luminance(colour: str) -> float:
    """The relative luminance of WCAG, from 0 to 1."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, LIGHT | DARK], ids=["light", "dark"])
def test_what_is_read_and_what_is_hit_stands_out_from_its_ground(colours: dict[str, str]) -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    faint = [
        f"{front} on {ground}: {found:.2f}"
        for pairs, least in ((READ, 4.5), (HIT, 3.0))
        for front, ground in pairs
        if (found := contrast(colours[front], colours[ground])) < least
    ]
    assert faint == []
