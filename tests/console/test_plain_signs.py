"""Boards on a terminal without Unicode."""

from __future__ import annotations

from cli.calling import GAME, process
from molehunt.console.plain_signs import PLAIN


def test_a_board_has_plain_walls_where_the_terminal_has_no_others() -> None:
    seen = process("show", GAME)
    plain = process("show", GAME, PYTHONIOENCODING="ascii")
    assert plain.returncode == 0 and plain.stdout.isascii()
    assert plain.stdout == "".join(sign if sign.isascii() else PLAIN[sign] for sign in seen.stdout)
    assert ".---." in plain.stdout and "-. .-" in plain.stdout and not seen.stdout.isascii()
