"""A package that brings something, as an installed one is found: a folder with its metadata on the path of imports."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from molehunt.agents import registry as agents
from molehunt.games import registry as games

COIN = {"molehunt.games": "coin = outside.coin.entry:ENTRY"}
TESTS = str(Path(__file__).parents[1])
"""What a process of its own needs on its path to import the games of this folder."""


def describe(folder: Path, name: str, points: Mapping[str, str]) -> None:
    """Write the metadata of a package that is called `name` and brings these entry points, by group."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("".join(f"[{group}]\n{line}\n" for group, line in points.items()))


@contextmanager
def installed(folder: Path, name: str, points: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have a package installed while a test runs; `folder` holds its modules, too, where it has some of its own."""
    describe(folder, name, points)
    monkeypatch.syspath_prepend(folder)
    importlib.invalidate_caches()
    for registry in (games, agents):
        registry.guests.cache_clear()
    yield
    monkeypatch.undo()
    for registry in (games, agents):
        registry.guests.cache_clear()
