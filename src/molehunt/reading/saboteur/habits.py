"""Habits: how often players of a style and a role do which deed under which circumstances.

The counts in `habits.json` are of games of known players among each other; `python -m molehunt.learning.saboteur.habits` plays
them again and writes the file. The last style is nobody's: ANYBODY is the mean of all, mixed with deeds by chance, for players that
are none of these.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.reading.saboteur.deeds import CHOICES, CIRCUMSTANCES, DEEDS

RANDOM = "random"
STYLES = (
    "means-ends-2016",
    "decision-2019",
    "decision-2019:as_printed",
    "kripke-2012:explicit",
    "kripke-2012:undercover",
    "kripke-2012",
    "mole:worlds=4,kept=4,glance=0,ahead=0,faith=0,prior=0",
    RANDOM,
)
"""The players whose habits were counted."""
ANYBODY = "anybody"
STYLE_NAMES = (*STYLES, ANYBODY)

FILE = "habits.json"
FAMILIAR = 8.0
"""The habits of a style and role at large count as much as so many moves under each circumstances."""
SLIP = 0.02
"""The share of deeds that players do by chance, or that the model does not see as they do."""
STRANGE = 0.15
"""The same for ANYBODY."""

BLOCKED = np.arange(CIRCUMSTANCES) % 2
"""Whether the player is blocked, by circumstances."""

Counts = npt.NDArray[np.int64]


def chances_of(counts: Counts) -> npt.NDArray[np.float64]:
    """Chances from counts, shape (styles, 2, CIRCUMSTANCES, len(DEEDS)), with ANYBODY as one style more."""
    counts = counts.copy()
    if len(counts) == len(STYLES):
        # Who plays at random knows no role.
        counts[STYLES.index(RANDOM)] = counts[STYLES.index(RANDOM)].sum(axis=0, keepdims=True)
    chances = np.empty((len(counts) + 1, *counts.shape[1:]))
    for some in (slice(0, CHOICES), slice(CHOICES, None)):
        part = counts[..., some].astype(float)
        size = part.shape[-1]
        for blocked in (0, 1):
            alike = blocked == BLOCKED
            at_large = part[:, :, alike].sum(axis=2, keepdims=True) + 1.0 / size
            at_large /= at_large.sum(axis=-1, keepdims=True)
            here = part[:, :, alike] + FAMILIAR * at_large
            here /= here.sum(axis=-1, keepdims=True)
            chances[:-1, :, alike, some] = (1 - SLIP) * here + SLIP / size
            chances[-1:, :, alike, some] = (1 - STRANGE) * here.mean(axis=0, keepdims=True) + STRANGE / size
    return chances


def encode(counts: Counts) -> dict[str, Any]:
    """Counts as they are written to the file: of each style, role and circumstances the deeds that were seen."""
    return {
        "deeds": DEEDS,
        "styles": {
            style: {
                role: {
                    str(number): {str(deed): int(row[deed]) for deed in np.flatnonzero(row)}
                    for number, row in enumerate(counts[place, which])
                    if row.any()
                }
                for which, role in enumerate(("miner", "saboteur"))
            }
            for place, style in enumerate(STYLES)
        },
    }


def decode(written: dict[str, Any]) -> Counts:
    """The counts of a file."""
    counts = np.zeros((len(STYLES), 2, CIRCUMSTANCES, len(DEEDS)), np.int64)
    for place, style in enumerate(STYLES):
        for which, role in enumerate(("miner", "saboteur")):
            # A style that was added since the file was written has no habits yet.
            for number, row in written["styles"].get(style, {}).get(role, {}).items():
                for deed, count in row.items():
                    counts[place, which, int(number), int(deed)] = count
    return counts


def as_rows(chances: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Chances as kernels read them: their logarithms, a row for every style, role and circumstances."""
    return np.ascontiguousarray(np.log(chances).reshape(-1, len(DEEDS)))


@cache
def habits() -> npt.NDArray[np.float64]:
    """The logarithms of the chances of deeds, as kernels read them; they are only read."""
    text = (resources.files("molehunt.reading.saboteur") / FILE).read_text(encoding="utf-8")
    return as_rows(chances_of(decode(json.loads(text))))
