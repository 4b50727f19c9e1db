"""How often Python looks for cycles of garbage, in processes that have just begun."""

from __future__ import annotations

MANY_OBJECTS = 100_000
"""So many new objects, and not 700, before Python looks for cycles among them: a start makes many, and hardly a cycle."""
