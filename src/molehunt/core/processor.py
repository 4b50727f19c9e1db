"""For which processors machine code is made: for all usual ones of a kind, so that it can be kept, copied and shipped.

Made for the processor at hand alone it is no faster (docs/architecture.md has the measurement), and of no use to another
machine. Numba's own settings NUMBA_CPU_NAME and NUMBA_CPU_FEATURES have the last word.
"""

from __future__ import annotations

import os
import platform

from llvmlite import binding
from numba.core import config

BASELINES = {
    "x86_64": ("x86-64-v2", ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")),
    "amd64": ("x86-64-v2", ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")),
    "aarch64": ("generic", ()),
    "arm64": ("generic", ()),
}
"""By the kind of machine: what LLVM calls its baseline, and what a processor must be able to do for it.

The second level of x86-64 is what all of its processors of the last fifteen years have; the first lacks the counting of ones, which
sets of cards and cells rest on. LLVM's generic arm64 is the first one, ARMv8-A, which is what all of them can do. On other kinds of
machines code is made for the processor at hand.
"""


def baseline() -> str | None:
    """The name of the baseline that machine code is made for here; None where it is made for this processor alone."""
    if "NUMBA_CPU_NAME" in os.environ or "NUMBA_CPU_FEATURES" in os.environ:
        return None
    name, needed = BASELINES.get(platform.machine().lower(), ("", ()))
    can = binding.get_host_cpu_features()
    return name if name and all(can.get(each) for each in needed) else None


def make_for_all() -> None:
    """Have Numba make code for the baseline, where there is one; of effect before it has made any."""
    name = baseline()
    if name is not None:
        config.CPU_NAME, config.CPU_FEATURES = name, ""
