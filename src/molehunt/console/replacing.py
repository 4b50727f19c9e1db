"""What may take the place of a file that is there: a command replaces files of the kind that it writes, and empty ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from molehunt.core.errors import BadInput

HEAD = 4096
"""So many bytes say of what kind a file is, where its whole content need not be read."""
SAVED = frozenset({"game", "ruleset", "seed", "names", "seats", "moves"})
"""What a game that can be gone on with has."""
ADVICE = "advice"
"""What a game of the adviser begins with."""


def check_replaceable(path: Path, kind: str) -> None:
    """BadInput where a file holds something else than what a command writes there; `kind` is one of KINDS."""
    what, holds = KINDS[kind]
    if not path.is_file():
        return
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
        own = not head or holds(head, path)
    except OSError as error:
        raise BadInput(f"cannot read what {path} holds: {error.strerror or error}") from None
    if not own:
        raise BadInput(f"cannot write {path}: it holds {what}, and only such a file is replaced; name another file")


def _begins(*beginnings: bytes) -> Callable[[bytes, Path], bool]:
    return lambda head, _path: head.lstrip()[:40].lower().startswith(beginnings)


def _records(head: bytes, _path: Path) -> bool:
    return head.startswith(b'{"molehunt":')


def _keys(path: Path) -> frozenset[str]:
    """The keys of a file that is one object of JSON; none where it is none."""
    try:
        return frozenset(msgspec.json.decode(path.read_bytes(), type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return frozenset()


def _saved(head: bytes, path: Path) -> bool:
    return head.lstrip().startswith(b"{") and _keys(path) >= SAVED


def _rows(head: bytes, path: Path) -> bool:
    """JSON, but no games: those are read again by other commands, which write them."""
    if not head.lstrip().startswith((b"{", b"[")) or _records(head, path):
        return False
    keys = _keys(path)
    return ADVICE not in keys and not keys >= SAVED


def _weights(head: bytes, _path: Path) -> bool:
    return head[8:].startswith(b'{"')


def _table(head: bytes, _path: Path) -> bool:
    from molehunt.terminal.clue_series import HEADINGS

    return all(heading.encode() in head.partition(b"\n")[0] for heading in HEADINGS)


KINDS: dict[str, tuple[str, Callable[[bytes, Path], bool]]] = {
    "json": ("no results as JSON", _rows),
    "records": ("no records of games", _records),
    "page": ("no page", _begins(b"<!doctype html")),
    "svg": ("no drawing", _begins(b"<svg")),
    "weights": ("no weights of a network", _weights),
    "save": ("no game that --save has written", _saved),
    "table": ("no table of a series", _table),
}
"""Of each kind of file what is said of one that is none, and whether a file is one, from its first bytes and its path."""
