"""What may take the place of a file that somebody at a table names: what `play` writes replaces its like, and empty files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from molehunt.core.errors import BadInput

SAVED = frozenset({"game", "ruleset", "seed", "names", "seats", "moves"})
"""What a game that can be gone on with has."""


def check_replaceable(path: Path, option: str) -> None:
    """BadInput where a file holds something else than what an option of `play`, one of KINDS, writes there."""
    what, holds = KINDS[option]
    if not path.is_file():
        return
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read what {path} holds: {error.strerror or error}") from None
    if content and not holds(content):
        raise BadInput(f"cannot write {path}: it holds {what}, and only such a file is replaced; name another file")


def _saved(content: bytes) -> bool:
    try:
        return msgspec.json.decode(content, type=dict[str, msgspec.Raw]).keys() >= SAVED
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False


def _table(content: bytes) -> bool:
    from molehunt.terminal.clue_series import HEADINGS

    first = content.partition(b"\n")[0]
    return all(heading.encode() in first for heading in HEADINGS)


KINDS: dict[str, tuple[str, Callable[[bytes], bool]]] = {
    "--record": ("no records of games", lambda content: content.startswith(b'{"molehunt":')),
    "--save": ("no game that --save has written", _saved),
    "--table": ("no table of a series", _table),
}
"""Of each option what is said of a file that holds something else, and whether content is its own."""
