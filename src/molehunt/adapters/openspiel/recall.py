"""What a seat remembers, as one short number: perfect recall without keeping what was seen.

A *trace* is a hash of 16 bytes. It begins with the first view of a seat, takes in every event that the seat receives, and, before
each of the seat's own moves, the view that it moves at. So whoever is given a seat's views and events can keep it up.
An information state is the trace together with the view of now. Two information states are equal where the seat has seen
the same things in the same order, and else differ (with 128 bits, two that differ do not meet by chance).
"""

from __future__ import annotations

from hashlib import blake2b

SIZE = 16
"""Bytes of a trace."""


def begin(view: bytes) -> bytes:
    """The trace of a seat that has just sat down, from the bytes of its first view."""
    return blake2b(view, digest_size=SIZE).digest()


def then(trace: bytes, seen: bytes) -> bytes:
    """The trace after something more was seen: an event received, or the view at a move of one's own."""
    return blake2b(seen, digest_size=SIZE, key=trace).digest()


def information_state(trace: bytes, view: bytes) -> str:
    """The name of what a seat knows at a view: 32 hexadecimal digits."""
    return then(trace, view).hex()


def observation(view: bytes) -> str:
    """The name of a view alone, without the way that led to it: 32 hexadecimal digits."""
    return blake2b(view, digest_size=SIZE).hexdigest()
