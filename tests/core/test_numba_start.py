"""What a process spares before its first kernel: SciPy, which is there all the same where linear algebra is compiled; strings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import molehunt

SOURCES = str(Path(molehunt.__file__).parents[1])


def run(code: str) -> str:
    """What a process of its own prints."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": SOURCES},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_game_is_played_without_loading_scipy() -> None:
    pytest.importorskip("scipy")
    assert run("""
import sys
import molehunt

position = molehunt.deal("duel", seed=1)
position.play(position.legal_actions[0])
print("numba.np.arraymath" in sys.modules, "scipy.linalg" in sys.modules)
""").split() == ["True", "False"]


def test_linear_algebra_in_kernels_of_others_is_as_it_was() -> None:
    pytest.importorskip("scipy")
    assert run("""
import sys
import numba
import numpy as np
import molehunt
from numba.np import arraymath, linalg

molehunt.deal("duel", seed=1)
assert arraymath.ensure_blas is linalg.ensure_blas and linalg.ensure_blas.__module__ == "numba.np.linalg"
print(numba.njit(lambda a: np.dot(a, a))(np.arange(4.0)), "scipy.linalg" in sys.modules)
""").split() == ["14.0", "True"]


def test_a_kernel_that_copies_an_array_compiles_no_strings_and_still_says_that_it_does_not_fit() -> None:
    assert run("""
import numba
import numpy as np
import molehunt.games.calls
from molehunt.core.kernels import watch_compiling

@numba.njit
def copy(source, target):
    target[:] = source

names = []
target = np.zeros(3)
with watch_compiling(names.append):
    copy(np.ones(3), target)
    copy(np.full(1, 2.0), target[:1])
try:
    copy(np.ones(2), target)
except ValueError as error:
    print(target, "different size" in str(error), names)
""").splitlines() == ["[2. 1. 1.] True ['copy', 'impl']"]
