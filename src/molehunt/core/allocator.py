"""Memory that batches of games free is kept for the next batch, where the C library lets that be said."""

from __future__ import annotations

import ctypes
import functools
import sys

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""What glibc's `mallopt` calls the two numbers."""
LARGEST_KEPT = 32 << 20
"""Bytes of the largest array whose memory is kept; glibc allows no more."""
KEPT = 64 << 20
"""How many freed bytes may lie unused before they are given back to the system."""


@functools.cache
def keep_freed_memory() -> bool:
    """Let this process keep up to 64 MiB that it has freed; returns whether that could be said (with glibc, so on most Linux).

    A batch of games is some megabytes of records, made and freed again within milliseconds. By default glibc gives such memory
    back each time, and the system clears every page before it hands it out anew: about a tenth of the time of quick players.
    """
    if sys.platform != "linux":
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return False  # another C library
    mallopt.argtypes, mallopt.restype = [ctypes.c_int, ctypes.c_int], ctypes.c_int
    return bool(mallopt(M_MMAP_THRESHOLD, LARGEST_KEPT)) and bool(mallopt(M_TRIM_THRESHOLD, KEPT))
