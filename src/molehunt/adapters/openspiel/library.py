"""OpenSpiel itself, which is an extra."""

from __future__ import annotations

import importlib
from typing import Any

from molehunt.core.errors import MolehuntError


def openspiel(module: str = "pyspiel") -> Any:
    """A module of OpenSpiel: `pyspiel`, or one of `open_spiel.python`; MolehuntError where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MolehuntError(f"this needs OpenSpiel: pip install 'molehunt[rl]' ({error})") from None
