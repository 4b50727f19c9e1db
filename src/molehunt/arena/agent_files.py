"""Files with players of one's own, as values that travel: a machine that has no such file makes the players from its text."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from molehunt.agents.registry import Agents
from molehunt.core.errors import BadInput


@dataclass(frozen=True)
class AgentFile:
    """A Python file with players: where it lay, and its text. It has to make do with itself and installed packages."""

    path: str
    text: str


def load_agents(game: str, paths: Sequence[Path]) -> tuple[Agents, tuple[AgentFile, ...]]:
    """The players of a game with those of one's own from files, and the files. BadInput or AgentFailure as `Agents.load_file`."""
    agents = Agents(game)
    # A file that is loaded may make another folder the current one, from which the paths lead nowhere.
    places = [path.absolute() for path in paths]
    files = []
    for path, place in zip(paths, places, strict=True):
        agents.load_file(path if path.absolute() == place else place)
        try:
            files.append(AgentFile(str(place.resolve()), place.read_text("utf-8")))
        except (OSError, UnicodeDecodeError) as error:
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
        if path.read_text("utf-8") == file.text:
            return path
    except (OSError, UnicodeDecodeError):
        pass
    digest = hashlib.sha256(file.text.encode()).hexdigest()[:16]
    folder = Path(tempfile.mkdtemp(prefix=f"molehunt-player-{digest}-"))
    copy = folder / path.name
    copy.write_text(file.text, "utf-8")
    return copy
