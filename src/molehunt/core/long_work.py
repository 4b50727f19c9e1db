"""Long work that is done deep within other work says how far it is, and who shows progress listens."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

_listeners: list[Callable[[str], None]] = []


def say_how_far(text: str) -> None:
    """Tell whoever listens, in this process, what is being done and how far it is: `growing the tree of ...: 40,000 nodes`."""
    for tell in tuple(_listeners):
        tell(text)


@contextlib.contextmanager
def listening(tell: Callable[[str], None]) -> Iterator[None]:
    """While inside, `tell(text)` is called, perhaps from another thread, as such work goes on."""
    _listeners.append(tell)
    try:
        yield
    finally:
        _listeners.remove(tell)
