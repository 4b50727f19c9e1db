"""The colours of the pages by numbers: what is read and what is hit stands out from its ground, in light and dark
(WCAG 2.2, 1.4.3 and 1.4.11), and seats are told from one another by who sees red and green alike, too."""

from __future__ import annotations

import re
from importlib import resources
from itertools import combinations

import numpy as np
import pytest

SHEET = resources.files("molehunt.web").joinpath("static/site.css").read_text("utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", part))
    for part in SHEET.split("/* ---- everywhere ---- */")[0].split("@media screen and (prefers-color-scheme: dark)")
)
GROUNDS = ("page", "surface", "raised", "sunken")
SEATS = [f"seat-{seat}" for seat in range(10)]
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
    *(("on-seat", seat) for seat in SEATS),
]
HIT = [(line, ground) for line in ("edge-strong", "lit-edge", "accent", "focus", *SEATS) for ground in GROUNDS] + [
    ("lit-ring", "mine")
]
SEEN = {
    "all colours": np.eye(3),
    "no red": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
"""What is seen of linear red, green and blue by who lacks cones (Machado, Oliveira and Fernandes 2009, table 1, severity 1)."""
CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
"""From linear red, green and blue to cones, and from their cube roots to lightness and two colours (Ottosson 2020, Oklab)."""
APART = 0.075
"""The least distance in Oklab, in which black and white are 1 apart, between two seats."""


def linear(colour: str) -> list[float]:
    """Red, green and blue by their light, from 0 to 1."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(colour: str) -> float:
    """The relative luminance of WCAG, from 0 to 1."""
    red, green, blue = linear(colour)
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


@pytest.mark.parametrize("colours", [LIGHT, LIGHT | DARK], ids=["light", "dark"])
@pytest.mark.parametrize("eyes", SEEN)
def test_no_two_seats_look_alike(colours: dict[str, str], eyes: str) -> None:
    places = {seat: LAB @ np.cbrt(np.clip(CONES @ SEEN[eyes] @ linear(colours[seat]), 0, None)) for seat in SEATS}
    alike = [
        f"{one} and {other}: {found:.3f}"
        for one, other in combinations(SEATS, 2)
        if (found := np.linalg.norm(places[one] - places[other])) < APART
    ]
    assert alike == []
