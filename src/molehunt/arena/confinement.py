"""What a process may open: it gives rights up for good, for itself and all that it starts, before foreign code runs in it.

The system is asked to keep it from the rest, by Landlock (Linux 5.13 and later; `man 7 landlock`), which needs no rights of an
administrator. Where there is none, nothing is kept from anybody; `is_possible` says whether there is.

A place is open as a whole, or, where something hidden lies in it, as far as it lies beside that: the rule of a folder holds for all
that is in it, now and later, and none takes anything away from it. So the names of what is hidden there can be listed.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from molehunt.arena.system_calls import call, gain_no_privileges, libc

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Numbers of system calls, the same on all processors that NumPy and Numba are made for."""
ASK_VERSION = 1
PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
MAKE_BLOCK, REFER, TRUNCATE, IOCTL = 1 << 11, 1 << 13, 1 << 14, 1 << 15
READ = EXECUTE | READ_FILE | READ_DIR
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL
"""Of all rights those that a rule may give for what is no folder."""
ALL = (
    ((1 << 13) - 1, 1),
    (REFER, 2),
    (TRUNCATE, 3),
    (IOCTL, 5),
)
"""Rights on files and folders, and the version that brought them."""
SCOPED, SCOPED_SINCE = 0b11, 6
"""No abstract sockets of others, no signals to them."""

SYSTEM = ("/bin", "/etc", "/lib", "/lib32", "/lib64", "/nix", "/opt", "/sbin", "/sys", "/usr")
"""Where a system has its programs, libraries and settings."""
DEVICES = ("null", "zero", "full", "random", "urandom", "nvidia*", "dri", "kfd")


def is_possible() -> bool:
    """Whether the system can keep a process from files and from other processes."""
    return _version() > 0


def confine(reads: Iterable[Path], writes: Iterable[Path], hidden: Iterable[Path]) -> None:
    """From now on this process and those it starts may open these places alone, beside what every Python needs.

    What is `hidden` they may not, nor other processes' files in /proc, wherever these lie. They can stop and look into
    no process that is not confined with them. Nothing happens where it is not `is_possible`.
    """
    if not is_possible():
        return
    secret = [path.resolve() for path in hidden]
    rights = _all_rights()
    with _ruleset(rights, _scoped()) as rules:
        for place in _needed_by_python():
            _open(rules, place, READ, secret)
        for place in reads:
            _open_folder(rules, place, secret)
        for place in writes:
            _allow(rules, place, rights)
        for place in _devices():
            _allow(rules, place, rights)
        for place in _of_proc():
            _allow(rules, place, READ)
        _restrict(rules)


def part() -> None:
    """From now on this process can neither stop nor look into any other but those it starts; what it may open stays the same.

    Nothing happens where it is not `is_possible`.
    """
    if is_possible():
        with _ruleset(MAKE_BLOCK, _scoped()) as rules:
            _restrict(rules)


# --- Places -----------------------------------------------------------------------------------------------------------------


def _needed_by_python() -> Iterator[Path]:
    """Where the system, Python and what can be imported lie."""
    yield from map(Path, SYSTEM)
    yield from {Path(place).resolve() for place in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)}
    of_finders = [getattr(sys.modules.get(finder.__module__), "MAPPING", None) for finder in sys.meta_path]
    editable = [place for mapping in of_finders if isinstance(mapping, dict) for place in mapping.values()]
    yield from {Path(place).resolve() for place in (*sys.path, *editable) if isinstance(place, str) and place}


def _devices() -> Iterator[Path]:
    for name in DEVICES:
        yield from Path("/dev").glob(name)


def _of_proc() -> Iterator[Path]:
    """What /proc says of the machine, and of this process."""
    with contextlib.suppress(OSError):
        yield from (place for place in Path("/proc").iterdir() if not place.name.isdecimal())


def _open(rules: int, place: Path, rights: int, secret: list[Path]) -> None:
    """Open a place, as far as it lies beside what is secret."""
    if any(place == each or place.is_relative_to(each) for each in secret):
        return
    if not any(each.is_relative_to(place) for each in secret):
        _allow(rules, place, rights)
        return
    _allow(rules, place, READ_DIR & rights)
    for entry in _entries(place):
        _open(rules, entry, rights, secret)


def _open_folder(rules: int, folder: Path, secret: list[Path]) -> None:
    """Open to reading what lies in a folder by now, but for what is secret or begins with a dot."""
    _allow(rules, folder, READ_DIR)
    for entry in _entries(folder):
        _open(rules, entry, READ, secret)


def _entries(folder: Path) -> Iterator[Path]:
    """What lies in a folder and is not out of sight; links as what they lead to."""
    with contextlib.suppress(OSError):
        for entry in folder.iterdir():
            if not entry.name.startswith("."):
                with contextlib.suppress(OSError, RuntimeError):  # a link in a circle
                    yield entry.resolve()


# --- System calls -----------------------------------------------------------------------------------------------------------


@cache
def _version() -> int:
    """The version of Landlock; 0 or less where there is none."""
    if sys.platform != "linux":
        return 0
    return int(libc().syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ASK_VERSION))


def _all_rights() -> int:
    """All rights that this system knows."""
    rights = 0
    for some, since in ALL:
        rights |= some if _version() >= since else 0
    return rights


def _scoped() -> int:
    return SCOPED if _version() >= SCOPED_SINCE else 0


@contextlib.contextmanager
def _ruleset(rights: int, scoped: int) -> Iterator[int]:
    """Rules that take these rights away wherever no rule gives them."""
    content = struct.pack("=QQQ", rights, 0, scoped)
    known = 8 if _version() < 4 else 16 if _version() < SCOPED_SINCE else 24
    rules = call(CREATE_RULESET, content[:known], ctypes.c_size_t(known), 0)
    try:
        yield rules
    finally:
        os.close(rules)


def _allow(rules: int, place: Path, rights: int) -> None:
    """Give rights on a place and all that lies in it; nothing where it cannot be opened."""
    try:
        there = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except (OSError, ValueError):
        return
    try:
        given = rights if os.path.isdir(place) else rights & OF_FILES  # noqa: PTH112 - False also where one may not look
        if given := given & _all_rights():
            call(ADD_RULE, rules, PATH_BENEATH, struct.pack("=Qi", given, there), 0)
    finally:
        os.close(there)


def _restrict(rules: int) -> None:
    gain_no_privileges()
    call(RESTRICT_SELF, rules, 0)
