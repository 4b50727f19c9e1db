"""The files that a command writes: tried before its work begins, written after its results are on the screen.

A command opens its `Outputs`, works, hands them what is to be written, and prints. They write at the end of the `with` statement,
so nobody waits for games and then sees neither table nor file because a disk is full.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from molehunt.console.screen import side
from molehunt.core.errors import BadInput, MolehuntError, NotWritten
from molehunt.core.language import _
from molehunt.core.reasons import reason_of
from molehunt.core.standard_output import output_given_back

Content = str | bytes
STANDARD_OUTPUT = Path("-")
_numbers = itertools.count()


class Outputs:
    """The files of a command; `-` is standard output and None no file. BadInput where one could not be written.

    What has been handed over by `put` is written when the `with` statement ends, whatever ends it: where standard output is no
    longer read or a disk is full, the other files are still written. Then NotWritten names every file that could not be.

    Where `-` is among them, whoever reads standard output reads that alone: what anybody prints meanwhile, as a player of
    somebody's own may, goes to standard error. And files come where they were asked for, whatever folder such a player has made
    the current one, and whatever it has closed.
    """

    def __init__(self, *paths: Path | None) -> None:
        check_writable(*paths)
        self._folder = os.curdir
        with contextlib.suppress(FileNotFoundError):  # it may have been removed: then all files stand elsewhere
            self._folder = os.path.realpath(os.curdir)
        self._redirected = contextlib.ExitStack()
        self._to_program = STANDARD_OUTPUT in paths
        self._todo: list[tuple[Path, Callable[[], Content], str]] = []
        self._streams: list[Stream] = []

    def __enter__(self) -> Outputs:
        self._redirected.enter_context(output_given_back())
        if self._to_program:
            self._redirected.enter_context(contextlib.redirect_stdout(sys.stderr))
        return self

    def put(self, path: Path | None, make: Callable[[], Content], said: str = "") -> None:
        """Write what `make()` gives into a file at the end, and then say `said` on standard error; `{}` in it is the file.

        Nothing is said of standard output: who asked for it has it.
        """
        if path is not None:
            self._todo.append((path, make, said))

    def stream(self, path: Path) -> Stream:
        """A file that is written while the work is done; it takes its name at the end, so an older one is kept until then."""
        with contextlib.ExitStack() as stack:
            if self._folder != os.curdir:
                stack.enter_context(contextlib.chdir(self._folder))
            self._streams.append(Stream(path))
        return self._streams[-1]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._redirected.close()
        with contextlib.suppress(OSError):  # the folder may have gone: then each file says that it cannot be written
            os.chdir(self._folder)
        wrong: list[str] = []
        for stream in self._streams:
            with _gathering(wrong):
                stream.close()
        for path, make, said in self._todo:
            with _gathering(wrong):
                write_file(path, make())
                if said and path != STANDARD_OUTPUT:
                    side.print(said.format(path), markup=False, soft_wrap=True)
        if wrong:
            raise NotWritten("\n".join(wrong)) from error


@contextlib.contextmanager
def _gathering(wrong: list[str]) -> Any:
    """Keep what could not be written for later, so that the other files are written."""
    try:
        yield
    except NotWritten as error:
        wrong.append(str(error))


class Stream:
    """A file that grows while the work is done, under another name until its end.

    Where it cannot be written any more, the work goes on, and NotWritten comes from `close`. If the work fails (`finish` was not
    called), what has been written takes the name only where no file has it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._wrong: OSError | None = None
        self._finished = False
        self._rest: Path | None = None
        self._file: IO[bytes]
        try:
            if path.exists() and not path.is_file():  # a device or a pipe
                self._file = path.open("wb")
            elif _replaceable(path):
                self._rest = _beside(path)
                self._file = self._rest.open("wb")
            else:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with this
        except OSError as error:
            raise BadInput(_reason(path, error)) from None

    def write(self, data: bytes) -> None:
        """Write more, if everything could be written so far."""
        if self._wrong is None:
            try:
                self._file.write(data)
            except OSError as error:
                self._wrong = error

    def finish(self) -> None:
        """The work is done: the file is whole."""
        self._finished = True

    def close(self) -> None:
        """Give the file its name."""
        try:
            self._end()
        except OSError as error:
            self._wrong = self._wrong or error
        with contextlib.suppress(OSError):
            self._file.close()
        if self._rest is not None:
            with contextlib.suppress(OSError):
                self._rest.unlink(missing_ok=True)
        if self._wrong is not None:
            raise NotWritten(_reason(self.path, self._wrong))

    def _end(self) -> None:
        if self._wrong is not None:
            return
        self._file.flush()
        named = self._finished or not self.path.exists()
        if self._rest is not None and named:
            self._file.close()
            self._rest.replace(self.path)
        elif named and self.path.is_file():
            self._file.seek(0)
            with self.path.open("wb") as into:
                shutil.copyfileobj(self._file, into)


def write_file(path: Path, content: Content) -> None:
    """Write a file whole or not at all; `-` is standard output. NotWritten says why it cannot be written.

    Of names in it that are no text, what cannot be written is told as it is on the screen.
    """
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    if path == STANDARD_OUTPUT:
        try:
            sys.stdout.buffer.write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise NotWritten(f"cannot write to standard output: {error.strerror or error}") from None
        return
    rest = None
    try:
        # A device (/dev/null) or a link is written into and not replaced, and so is a file in a folder closed to us.
        if path.exists() and not _replaceable(path):
            path.write_bytes(data)
            return
        rest = _beside(path)
        rest.write_bytes(data)
        rest.replace(path)
    except OSError as error:
        if rest is not None:
            with contextlib.suppress(OSError):
                rest.unlink(missing_ok=True)
        raise NotWritten(_reason(path, error)) from None


def check_writable(*paths: Path | None) -> None:
    """Refuse, before any work is done, a file that could not be written after it, and one file for two things.

    Each is opened for writing; nothing of one that exists is changed, and one that does not exist is not left behind.
    """
    files = [path for path in paths if path is not None and path != STANDARD_OUTPUT]
    if sum(path == STANDARD_OUTPUT for path in paths) > 1:
        raise BadInput("cannot write two things to standard output; give all but one a file")
    for path in files:
        try:
            _try(path)
        except (OSError, ValueError) as error:
            if isinstance(error, MolehuntError):
                raise
            raise BadInput(_reason(path, error)) from None
    regular = [os.path.realpath(path) for path in files if path.is_file() or not path.exists()]
    if len(set(regular)) < len(regular):
        raise BadInput(_("cannot write two things into {file}; give each a file of its own", file=files[0]))


def _try(path: Path) -> None:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        path.lstat()  # says it where no file can have this name
    if path.is_dir():
        raise BadInput(_("cannot write {file}: it is a folder; give the name of a file", file=path))
    folder = path.parent
    if not folder.is_dir():
        raise BadInput(_("cannot write {file}: there is no folder {folder}", file=path, folder=folder))
    if path.is_file():
        path.open("ab").close()
    elif not path.exists():
        path.open("ab").close()
        path.unlink()
    elif not os.access(path, os.W_OK):  # a pipe is not opened twice: whoever reads it would see its end
        raise BadInput(_("cannot write {file}: permission denied", file=path))


def _replaceable(path: Path) -> bool:
    """Whether a file is there, or is not, in a way that another one can take its place."""
    plain = path.is_file() and not path.is_symlink()
    return (plain or not os.path.lexists(path)) and os.access(path.parent, os.W_OK)


def _beside(path: Path) -> Path:
    """Another name in the folder of a file, for what is not yet whole."""
    return path.with_name(f".molehunt-{os.getpid()}-{next(_numbers)}.part")


def _reason(path: Path, error: Exception) -> str:
    return _("cannot write {file}: {why}", file=path, why=reason_of(error))
