"""Where compiled kernels are kept: found by the content of the sources that they are made of, and by nothing else.

Numba's own cache knows the file of a function and not its callees, and it knows a file by its place on the disk. Here the key of a
module is a hash over its name and text and those of all modules that it imports, directly or not (`kernel_sources`). So a change
is noticed wherever it is made, a module that it cannot reach keeps its machine code, and a second copy of the same sources
compiles nothing.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from molehunt.core.kernel_sources import PACKAGE, content_key

KEEP_KEYS = 24
"""How many earlier contents of a module keep their machine code before the oldest goes."""

SHIPPED = PACKAGE / "machine_code"
"""Cache folders that came with the package, if any: what a release compiled (release/compile_kernels.py)."""


# --- Remarks ------------------------------------------------------------------------------------------------------------


FIRST_USE = 5
"""At the fifth kernel that is compiled it is said that this takes a while, once; fewer are done before anybody wonders."""
_told = False


def remark(text: str) -> None:
    """Say something on standard error: what is asked for goes on, and standard output is for its answer."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or there is none
        sys.stderr.write(f"molehunt: {text}\n")
        sys.stderr.flush()


def tell_that_nothing_is_kept(folder: Path, error: OSError) -> None:
    """Say once, and no more in this process, that machine code could not be written into a folder, and why."""
    global _told  # noqa: PLW0603 - there is one process
    if not _told:
        _told = True
        remark(
            f"machine code cannot be kept in {folder}: {error.strerror or error}. "
            "It stays in memory, and is compiled again next time."
        )


# --- Folders ------------------------------------------------------------------------------------------------------------


def cache_root() -> Path:
    """The folder that holds the cache folders: MOLEHUNT_CACHE, else the user's cache folder, else a temporary one.

    Where MOLEHUNT_CACHE cannot be used that is said, and it names another one from then on, also for processes beside this one.
    """
    given = os.environ.get("MOLEHUNT_CACHE")
    if given:
        place, fault = _usable(given)
        if fault:
            place = _temporary_root()
            os.environ["MOLEHUNT_CACHE"] = str(place)
            remark(
                f"MOLEHUNT_CACHE is {given}, which cannot be used: {fault}. It should name a folder for machine code "
                f"that can be written to, or made. Until then {place} is used."
            )
        return place
    base = os.environ.get("XDG_CACHE_HOME")
    place, fault = _usable(f"{base or '~/.cache'}/molehunt", expand=not base)
    return _temporary_root() if fault else place


def _usable(name: str, expand: bool = True) -> tuple[Path, str]:
    """A folder by its name, and why it is of no use: it cannot be made, or holds no machine code and cannot be written to."""
    place = Path(name)
    try:
        if expand:
            place = place.expanduser()
        place.mkdir(parents=True, exist_ok=True)
        _try_to_write(place)
    except (OSError, RuntimeError, ValueError) as error:
        with contextlib.suppress(OSError, ValueError):
            if any(place.glob(f"{KERNELS}*/*")):
                return place, ""
        if isinstance(error, FileExistsError | NotADirectoryError):
            return place, "there is a file in its place"
        return place, getattr(error, "strerror", None) or str(error)
    return place, ""


def _try_to_write(folder: Path) -> None:
    """OSError where nothing can be written into a folder."""
    tempfile.TemporaryFile(dir=folder).close()


def _temporary_root() -> Path:
    """A folder that nobody else can write to: the user's own, kept from one command to the next, else a new one."""
    try:
        mine = Path(tempfile.gettempdir()) / f"molehunt-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"
        with contextlib.suppress(OSError):
            mine.mkdir(mode=stat.S_IRWXU)
        if _is_private(mine) and not _usable(str(mine), expand=False)[1]:
            return mine
        new = Path(tempfile.mkdtemp(prefix="molehunt-"))
    except OSError:
        return Path(os.devnull) / "molehunt"  # nothing can be kept, which is said when there is something to keep
    os.environ["MOLEHUNT_CACHE"] = str(new)
    atexit.register(_remove, new, os.getpid())
    return new


def _is_private(folder: Path) -> bool:
    """Whether it is a folder, and no link to one, that belongs to this user, and that no other may write to."""
    try:
        state = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(state.st_mode):
        return False
    return not hasattr(os, "getuid") or (
        state.st_uid == os.getuid() and not state.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    )


def _remove(folder: Path, process: int) -> None:
    """Remove the folder of a process at its end; not at the end of one that was forked from it."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


KERNELS = "kernels-"
"""How the names of cache folders begin."""


def make_cache_folder(made_by: str) -> Path:
    """The cache folder for what these versions and settings make."""
    folder = cache_root() / f"{KERNELS}{made_by}"
    with contextlib.suppress(OSError):  # told when there is something to keep
        folder.mkdir(parents=True, exist_ok=True)
    return folder


used: set[Path] = set()
"""The folders that functions of this process were given."""


def folder_of(folder: Path, path: Path) -> Path:
    """The folder in a cache folder for the machine code of a source file. Old ones of the file's name go when it is new."""
    mine = folder / path.stem / content_key(path)
    if mine in used:
        return mine
    used.add(mine)
    if not os.path.isdir(mine):  # noqa: PTH112 - False also where one may not look
        _forget_old(mine.parent)
        _take_shipped(SHIPPED / folder.name / path.stem / mine.name, mine)
        with contextlib.suppress(OSError):  # it is tried again, and told, when there is something to keep
            mine.mkdir(parents=True, exist_ok=True)
    return mine


def _forget_old(folder: Path) -> None:
    """Remove the machine code of the oldest contents of a file's name."""
    with contextlib.suppress(OSError):  # there is none yet, or another process removes them
        older = sorted(folder.iterdir(), key=lambda place: place.stat().st_mtime)
        for place in older[: max(0, len(older) - KEEP_KEYS)]:
            shutil.rmtree(place, ignore_errors=True)


def _take_shipped(shipped: Path, mine: Path) -> None:
    """Begin a new folder with the machine code that came with the package, where there is some for the same contents."""
    if not shipped.is_dir():
        return
    with contextlib.suppress(OSError):  # another process may be the first, or the disk may be full: then it is compiled
        mine.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=mine.parent) as beside:
            shutil.copytree(shipped, Path(beside) / mine.name)
            (Path(beside) / mine.name).rename(mine)


_form = ""


@contextlib.contextmanager
def in_form(form: str) -> Iterator[None]:
    """While inside, functions are given a place of this form, beside those of other forms of the same function."""
    global _form  # noqa: PLW0603 - Numba makes the locators, and hands them nothing of ours
    before, _form = _form, form
    try:
        yield
    finally:
        _form = before


class ContentLocator:
    """Tells Numba where the machine code of a function is kept; `config.CACHE_DIR` is the cache folder."""

    def __init__(self, function: Any, path: Path) -> None:
        from numba.core import config

        self._lineno = function.__code__.co_firstlineno
        self._form = _form
        self._folder = folder_of(Path(config.CACHE_DIR), path)

    def ensure_cache_path(self) -> None:
        """Make the folder again where somebody has removed it."""
        self._folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """The folder of the function's module."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """What must stay the same for the code to be used: the key, which the folder's name carries already."""
        return self._folder.name

    def get_disambiguator(self) -> str:
        """What tells functions of one name apart: where they begin, and what is made of them."""
        return f"{self._lineno}{self._form.replace(' ', '_')}"

    @classmethod
    def from_function(cls, function: Any, path: str) -> ContentLocator | None:
        """The locator of a function of a file; None where there is no such file (a notebook), or no place for the code."""
        try:
            source = Path(path).resolve(strict=True)
            return cls(function, source)
        except OSError:
            return None


LOCATORS = f"{__name__}.ContentLocator,IPythonCacheLocator"
"""As Numba's setting CACHE_LOCATOR_CLASSES wants it."""
