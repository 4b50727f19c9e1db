"""Golden playthroughs: one game of every ruleset, with all that OpenSpiel's interface says along it, as one small text.

OpenSpiel's `generate_playthrough` writes them. Of a tensor they hold how long it is and a digest, and of a long line its beginning
and a digest: so whatever changes shows, and a file stays small. To write them anew, and look at what changed:

    .venv/bin/python tests/adapters/openspiel_playthroughs.py
    git diff tests/adapters/playthroughs
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

from molehunt.adapters.openspiel.games import load_game
from molehunt.adapters.openspiel.library import openspiel
from molehunt.games.registry import BUILT_IN, game_entry, split_label

FOLDER = Path(__file__).parent / "playthroughs"
SEED = 1
LONGEST_LINE = 120
TALK = "saboteur/krisnadi+talk"


def labels() -> list[str]:
    """Every ruleset of every game that is built in, and talk."""
    return [f"{name}/{ruleset}" for name in BUILT_IN for ruleset in game_entry(name).rulesets] + [TALK]


def path_of(label: str) -> Path:
    """Where the playthrough of a ruleset lies."""
    return FOLDER / f"{label.replace('/', '-').replace('+', '-')}.txt"


def digest(data: bytes) -> str:
    """Sixteen hexadecimal digits that stand for these bytes."""
    return blake2b(data, digest_size=8).hexdigest()


def _tensor_line(tensor: Any, name: str, max_cols: int = 0) -> list[str]:
    """A tensor as one line: its shape and its digest."""
    return [f"{name}: shape {'x'.join(map(str, tensor.shape))}, digest {digest(tensor.tobytes())}"]


def _short(line: str) -> str:
    """A line, or of a long one its beginning and the digest of the whole."""
    if len(line) <= LONGEST_LINE:
        return line
    return f"{line[:LONGEST_LINE]}... {len(line)} signs, digest {digest(line.encode())}"


def generator() -> Any:
    """OpenSpiel's module that writes playthroughs, which wants flags that nobody sets to be read."""
    openspiel("absl.flags").FLAGS(sys.argv[:1])
    return openspiel("open_spiel.python.algorithms.generate_playthrough")


@contextmanager
def _tensors_as_digests(module: Any) -> Iterator[None]:
    """Let the module write tensors as digests, which is also some hundred times faster."""
    whole = module._format_tensor
    module._format_tensor = _tensor_line
    try:
        yield
    finally:
        module._format_tensor = whole


def playthrough(label: str) -> str:
    """The playthrough of a ruleset with its fewest seats: random moves of the seed."""
    name, ruleset = split_label(label)
    module = generator()
    with _tensors_as_digests(module):
        lines = module.playthrough_lines(
            str(load_game(label, game_entry(name).ruleset_entry(ruleset).fewest)), seed=SEED
        )
    return "\n".join(map(_short, lines)) + "\n"


def write() -> None:
    """Write the playthroughs of all rulesets."""
    FOLDER.mkdir(exist_ok=True)
    for label in labels():
        path_of(label).write_text(playthrough(label), "utf-8")
        print(path_of(label))  # noqa: T201 - a script


if __name__ == "__main__":
    write()
