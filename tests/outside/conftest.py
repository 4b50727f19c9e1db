"""A package with a game of its own, installed while a test runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from outside.installing import COIN, installed


@pytest.fixture
def coin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which the metadata of the package with the coin lie."""
    folder = tmp_path / "site"
    with installed(folder, "coin", COIN, monkeypatch):
        yield folder
