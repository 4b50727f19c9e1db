"""Files with players of one's own, as values that travel: a machine that has no such file makes the players from its text."""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import io
import shutil
import sys
import tempfile
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from multiprocessing.util import Finalize
from pathlib import Path

from molehunt.agents.own_files import text_of
from molehunt.agents.registry import Agents
from molehunt.core.errors import OURS, BadInput, is_of_library
from molehunt.core.kernel_sources import parsed


@dataclass(frozen=True)
class AgentFile:
    """A Python file with players: where it lay, and its text. It has to make do with itself and installed packages.

    `helpers` are the modules that it imports all the same and that are no installed package's, by name, with hashes of their
    texts: they do not travel, but where one was changed, so was the player.
    """

    path: str
    text: str
    helpers: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that stand for the text."""
        return _digest(self.text.encode())


def read_agent_file(path: Path) -> AgentFile:
    """A file as it lies there; OSError or BadInput where it cannot be read."""
    text = text_of(path)
    return AgentFile(str(path.resolve()), text, tuple(sorted(_helpers(path, text).items())))


def load_agents(game: str, paths: Sequence[Path]) -> tuple[Agents, tuple[AgentFile, ...]]:
    """The players of a game with those of one's own from files, and the files. BadInput or AgentFailure as `Agents.load_file`."""
    agents = Agents(game)
    # A file that is loaded may make another folder the current one, from which the paths lead nowhere.
    places = [path.absolute() for path in paths]
    files = []
    for path, place in zip(paths, places, strict=True):
        agents.load_file(path if path.absolute() == place else place)
        try:
            files.append(read_agent_file(place))
        except OSError as error:
            raise BadInput(f"cannot read {path}: {error}") from None
    return agents, tuple(files)


def agents_from(game: str, files: Sequence[AgentFile]) -> Agents:
    """The players of a game with those of one's own.

    A file is read where it lay, if the same text is there; else from a copy of its text with the same name.
    """
    agents = Agents(game)
    for file in files:
        agents.load_file(_place_of(file))
    return agents


def _place_of(file: AgentFile) -> Path:
    """A file of this machine with the text."""
    path = Path(file.path)
    try:
        if text_of(path) == file.text:
            return path
    except (OSError, BadInput):
        pass
    return _copy(file.text, path.name)


@functools.cache
def _copy(text: str, name: str) -> Path:
    """A file of that name with a text, as long as this process lives."""
    folder = Path(tempfile.mkdtemp(prefix=f"molehunt-player-{_digest(text.encode())}-"))
    # Not `atexit`, which the processes of a pool do not ask.
    Finalize(None, shutil.rmtree, (folder,), {"ignore_errors": True}, exitpriority=0)
    copy = folder / name
    encoding, _ = tokenize.detect_encoding(io.BytesIO(text.encode()).readline)
    copy.write_bytes(text.encode(encoding))
    return copy


# --- Modules that lie beside a file ---------------------------------------------------------------------------------------


def _helpers(path: Path, text: str) -> dict[str, str]:
    """Hashes of the modules that a text imports, and those that they import, as far as they are no library's; nothing is run."""
    found: dict[str, str] = {}
    todo = [("", text)]
    while todo:
        for name in _imported(*todo.pop()):
            file = None if name in found else _file_of(name, [*sys.path, str(path.parent)])
            if file is None or file.suffix != ".py" or str(file).startswith(OURS) or is_of_library(str(file)):
                continue
            with contextlib.suppress(OSError, BadInput):
                beside = text_of(file)
                found[name] = _digest(beside.encode())
                todo.append((name if file.name == "__init__.py" else name.rpartition(".")[0], beside))
    return found


def _imported(package: str, text: str) -> Iterator[str]:
    """The names of modules that a text of a package may import."""
    try:
        tree = parsed(text)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            whole = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            base = ".".join(filter(None, [above, node.module]))
            whole = [base, *(f"{base}.{alias.name}".removeprefix(".") for alias in node.names)]
        else:
            continue
        for name in whole:  # with a module, the packages in which it lies
            parts = name.split(".")
            yield from (".".join(parts[: count + 1]) for count in range(len(parts)))


def _file_of(name: str, folders: list[str]) -> Path | None:
    """The file of a module, None where it has none; no package is imported for it."""
    where: Sequence[str] | None = folders
    spec = None
    for count in range(name.count(".") + 1):
        if where is None:
            return None
        try:
            spec = PathFinder.find_spec(".".join(name.split(".")[: count + 1]), where)
        except (ImportError, ValueError):
            return None
        where = None if spec is None else spec.submodule_search_locations
    return None if spec is None or not spec.has_location or spec.origin is None else Path(spec.origin)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
