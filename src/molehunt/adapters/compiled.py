"""How the adapters' own compiled code is made: as in `core.kernels`, in a folder inside the kernels' cache folder.

That folder's name carries a hash of the adapters' sources with kernels, so that an edit here compiles these anew and nothing below.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config

from molehunt.core.kernels import CACHE_FOLDER

F = TypeVar("F", bound=Callable[..., Any])

ROOMS = ("spaces", "tables")
"""The folders beside this file that hold kernels."""


def source_hash() -> str:
    """A hash of all sources in the adapters' rooms with kernels."""
    here = Path(__file__).resolve().parent
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for folder in ROOMS:
        for path in sorted((here / folder).rglob("*.py")):
            digest.update(path.relative_to(here).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _make_cache_folder() -> Path:
    folder = CACHE_FOLDER / f"adapters-{source_hash()}"
    if not folder.exists():
        for older in CACHE_FOLDER.glob("adapters-*"):
            shutil.rmtree(older, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


ADAPTERS_FOLDER = _make_cache_folder()


def kernel(function: F) -> F:
    """Compile `function` on first use (nopython, cached on disk, without the global interpreter lock)."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(ADAPTERS_FOLDER)
    try:
        return cast("F", numba.njit(cache=True, nogil=True, error_model="numpy")(function))
    finally:
        config.CACHE_DIR = before
