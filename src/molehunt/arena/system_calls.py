"""Calls of the system (Linux) that Python has no names for, by their numbers."""

from __future__ import annotations

import ctypes
import os
from functools import cache

NO_NEW_PRIVILEGES = 38
"""From linux/prctl.h."""


@cache
def libc() -> ctypes.CDLL:
    """The library of C that this process has loaded, with its `errno` kept."""
    return ctypes.CDLL(None, use_errno=True)


def call(number: int, *arguments: object) -> int:
    """What a system call gives; OSError."""
    return _checked(int(libc().syscall(number, *arguments)))


def gain_no_privileges() -> None:
    """From now on no program that this process starts has more rights than it; only then may it give some up. OSError."""
    _checked(int(libc().prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)))


def _checked(result: int) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result
