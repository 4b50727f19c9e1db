"""`--help` on narrow and wide screens."""

from __future__ import annotations

import importlib
import io
import re
from functools import cache
from itertools import pairwise

import pytest
from rich.console import Console

from molehunt.cli.app import app

NARROW, WIDE = 40, 240


@cache
def help_of(*words: str, columns: int) -> str:
    """What `--help` of a command prints on a screen of this width."""
    importlib.import_module("molehunt.cli.running")  # puts the commands there
    screen = io.StringIO()
    app.help_print(words, console=Console(file=screen, width=columns))
    return screen.getvalue()


@cache
def commands() -> tuple[tuple[str, ...], ...]:
    """All commands, those of `play` and `advise` among them, as they are typed."""
    found: list[tuple[str, ...]] = [()]
    for above in ((), ("play",), ("advise",)):
        panel = help_of(*above, columns=WIDE).partition("Commands")[2].partition("╰")[0]
        found += [(*above, name) for name in re.findall(r"^│ (\w[\w-]*)", panel, re.MULTILINE)]
    return tuple(found)


def test_no_name_of_an_option_or_a_command_is_cut_on_a_narrow_screen() -> None:
    assert {("play", "duel"), ("serve",), ("advise", "speed-clue")} <= set(commands())
    options = 0
    for words in commands():
        wide, narrow = (help_of(*words, columns=columns) for columns in (WIDE, NARROW))
        assert max(map(len, narrow.splitlines())) <= NARROW
        named = [name for line in re.findall(r"^│ [* ]*((?:--[\w-]+ ?)+)", wide, re.MULTILINE) for name in line.split()]
        assert [name for name in named if not re.search(rf"(?<![\w-]){name}(?![\w-])", narrow)] == []
        options += len(named)
    assert options > 100


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_what_an_option_does_fills_its_lines_whatever_the_sources_look_like(columns: int) -> None:
    panel = help_of("play", columns=columns).partition("Arguments")[2].partition("╰")[0]
    said = re.findall(r"^│ .{6}(.*?) *│$", panel, re.MULTILINE)
    assert " ".join(said).endswith("(saboteur/krisnadi); those named above have more to set.")
    for line, after in pairwise(said):
        assert len(f"{line} {after.split()[0]}") > columns - len("│ GAME  ") - len(" │")
