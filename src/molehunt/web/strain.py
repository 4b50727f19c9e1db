"""How far the server is behind: the time by which what its event loop is to do comes too late."""

from __future__ import annotations

import asyncio
import time

TICK = 0.1
"""Seconds between two looks."""
FADES = 0.8
"""What is left of a delay at the next look, where that one comes in time: the server is at ease again after some ticks."""


class Strain:
    """Looks at a clock every TICK seconds, in the event loop, and notes how much later than that its turn came."""

    def __init__(self) -> None:
        self.seconds = 0.0
        """By how much the loop was late of late."""
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look, in the running event loop."""
        self._task = asyncio.create_task(self._look())

    def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()

    def note(self, late: float) -> None:
        """What a look has found: a longer delay counts at once, and fades."""
        self.seconds = max(late, FADES * self.seconds)

    async def _look(self) -> None:
        while True:
            began = time.monotonic()
            await asyncio.sleep(TICK)
            self.note(max(0.0, time.monotonic() - began - TICK))
