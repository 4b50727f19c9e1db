"""The key of a source changes with every source of somebody's own that it imports, in whatever way, and with no other."""

from __future__ import annotations

import ast
import gc
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from molehunt.core import kernel_sources
from molehunt.core.kernel_sources import content_key, parsed

KEY = """
import sys
from pathlib import Path
from molehunt.core.kernel_sources import content_key
print(content_key(Path(sys.argv[1])))
"""


def key(path: Path) -> str:
    """The key of a source, computed in a fresh process."""
    made = subprocess.run([sys.executable, "-c", KEY, str(path)], capture_output=True, text=True, check=True)
    return made.stdout.strip()


def changes_with(path: Path, other: Path) -> bool:
    """Whether the key of a source changes when something is written into another."""
    before = key(path)
    other.write_text(other.read_text() + "\nA = 2\n")
    return key(path) != before


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A package of a player's with two rooms, and a source beside it."""
    for folder in ("mine", "mine/room"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").touch()
    for name in ("mine/far.py", "mine/room/helpers.py", "beside.py"):
        (tmp_path / name).write_text("A = 1\n")
    return tmp_path / "mine" / "room"


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("from .helpers import inner", "helpers.py"),
        ("from . import helpers", "helpers.py"),
        ("from .. import far", "../far.py"),
        ("from ..far import inner", "../far.py"),
        ("from mine.far import inner", "../far.py"),
        ("import sys, mine.far", "../far.py"),
        ("import mine.far", "../__init__.py"),
        ("import sys; import mine.far as far", "../far.py"),
        ("try:\n    from mine.far import inner\nexcept ImportError:\n    inner = None", "../far.py"),
        ("try:\n    import absent\nexcept ImportError:\n    from .helpers import inner", "helpers.py"),
        ("def make():\n    from .helpers import inner\n    return inner", "helpers.py"),
        ("from mine import \\\n    far", "../far.py"),
        ("from mine import (  # (the others)\n    far,\n)", "../far.py"),
        ("from mine.room.helpers import inner", "helpers.py"),
    ],
)
def test_key_follows_every_import_within_a_package(line: str, file: str, room: Path) -> None:
    source = room / "source.py"
    source.write_text(f"{line}\n")
    assert changes_with(source, room / file)


@pytest.mark.parametrize("line", ["from beside import inner", "import os, beside", "if True: import beside"])
def test_key_follows_a_source_in_the_same_folder_without_a_package(line: str, room: Path) -> None:
    source = room.parents[1] / "source.py"
    source.write_text(f"{line}\n")
    assert changes_with(source, source.with_name("beside.py"))


def test_key_stays_where_nothing_that_is_used_has_changed(room: Path) -> None:
    source = room / "source.py"
    source.write_text(
        "from typing import TYPE_CHECKING\nfrom . import helpers\n"
        'if TYPE_CHECKING:\n    from mine import far\ntext = "from mine.far import inner"\n'
    )
    assert not changes_with(source, room.parent / "far.py")
    assert not changes_with(source, room.parents[1] / "beside.py")


def test_key_of_a_source_that_is_no_python_or_imports_too_far_is_made(tmp_path: Path) -> None:
    for number, text in enumerate(
        ("    import (\n", "from ............................... import a\n", "import a\0, b\n")
    ):
        path = tmp_path / f"source{number}.py"
        path.write_text(text)
        assert content_key(path)


def test_installed_libraries_count_by_their_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "site-packages" / "strange_library"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text("from .inside import *\n__version__ = '1'\n")
    (library / "inside.py").touch()
    monkeypatch.syspath_prepend(str(library.parent))
    monkeypatch.delitem(sys.modules, "strange_library", raising=False)
    import strange_library  # type: ignore[import-not-found]

    keys = []
    for number, version in enumerate(("1", "1", "2")):
        strange_library.__version__ = version
        source = tmp_path / str(number) / "source.py"
        source.parent.mkdir()
        source.write_text("import strange_library\n")
        keys.append(content_key(source))
        (library / "inside.py").write_text(f"A = {number}\n")
    monkeypatch.delitem(sys.modules, "strange_library")
    assert keys[0] == keys[1] != keys[2]


class Slow:
    """Garbage that takes a while to be cleared away, so that other threads go on in the middle of whatever has found it."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        for _ in range(50):
            pass


@pytest.fixture
def hurry() -> Iterator[None]:
    """Threads that take turns, and garbage that is looked for, as often as can be."""
    often, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(50)
    sys.setswitchinterval(1e-6)
    yield
    gc.set_threshold(*often)
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("hurry")
def test_sources_are_parsed_while_other_threads_parse() -> None:
    text = Path(kernel_sources.__file__).read_text("utf-8")

    def parse_often(_: int) -> str:
        trees = []
        for _ in range(30):
            Slow()
            trees.append(parsed(text))
        return ast.dump(trees[-1])

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(parse_often, range(4)))) == 1
