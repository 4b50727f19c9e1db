"""How the adapters' own compiled code is made: as in `core.kernels`, in a folder inside the kernels' cache folder.

That folder's name carries a hash of the adapters' sources with kernels, so that an edit here compiles these anew and nothing below.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from molehunt.core import kernels

F = TypeVar("F", bound=Callable[..., Any])

ROOMS = ("spaces", "tables")
"""The folders beside this file that hold kernels."""


def source_hash() -> str:
    """A hash of all sources in the adapters' rooms with kernels."""
    return kernels.source_hash(Path(__file__).resolve().parent, ROOMS)


def _make_cache_folder() -> Path:
    folder = kernels.CACHE_FOLDER / f"adapters-{source_hash()}"
    if not folder.exists():
        for older in kernels.CACHE_FOLDER.glob("adapters-*"):
            shutil.rmtree(older, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


ADAPTERS_FOLDER = _make_cache_folder()


def kernel(function: F) -> F:
    """As `core.kernels.kernel`, in the adapters' own folder."""
    return kernels.kernel(function, ADAPTERS_FOLDER)
