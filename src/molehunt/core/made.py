"""What machine code was made for before, by marks in the cache folder: so a start knows whether anybody would wait for a compiler.

A mark stands for a use, in words, of these sources: whoever has used all its kernels once sets it. That some machine code is
there says little: it may be that of another game, or what was made until somebody broke off.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from pathlib import Path

from molehunt.core import kernels


@functools.cache
def sources() -> str:
    """The hash of the sources, taken once: what runs are those that were there when it began."""
    return kernels.source_hash()


DATA = (".json", ".safetensors")
"""How the names of files end that hold data of rules and players: editions, habits, weights."""


@functools.cache
def rules_and_players() -> str:
    """The hash of sources and of the data that they read: where it is the same, the same games are played."""
    return kernels.source_hash(endings=(".py", *DATA))


def mark_of(use: str) -> Path:
    """The file that stands where the kernels of a use were made from the sources as they are."""
    return kernels.CACHE_FOLDER / f"compiled-{sources()}-{hashlib.sha256(use.encode()).hexdigest()[:16]}"


def made_before(use: str) -> bool:
    """Whether all kernels of a use are at hand, as far as one knows."""
    return mark_of(use).exists() and kernels.warm()


def note_made(use: str) -> None:
    """Set the mark of a use; where the folder cannot be written to, nobody knows of it."""
    with contextlib.suppress(OSError):
        mark_of(use).touch()
