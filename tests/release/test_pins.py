"""The versions of libraries that are pinned can be installed where we say that molehunt works."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path

import pytest

PINS = Path(__file__).parents[2] / "constraints.txt"
FIRST_PYTHONS = [f"3.{minor}.0" for minor in (range(11, 15) if sys.version_info < (3, 15) else (15,))]
"""The first of each version that has the pins of this one. Distributions keep those they began with: Debian 12 has 3.11.2."""


@pytest.mark.parametrize("python", FIRST_PYTHONS)
def test_pins_take_the_first_python_of_each_version(python: str) -> None:
    specifiers = pytest.importorskip("packaging.specifiers")
    pinned = {
        re.sub(r"[-_.]+", "-", name).lower()
        for name in re.findall(r"^([\w.-]+)==", PINS.read_text("utf-8"), re.MULTILINE)
    }
    refused, looked_at = [], 0
    for each in metadata.distributions():
        name, wanted = each.metadata["Name"], each.metadata["Requires-Python"]
        if re.sub(r"[-_.]+", "-", name).lower() in pinned and wanted:
            looked_at += 1
            if not specifiers.SpecifierSet(wanted).contains(python):
                refused.append(f"{name} {each.version} wants Python {wanted}")
    assert not refused
    assert looked_at > 20
