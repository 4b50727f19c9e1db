"""docs/architecture.md says which floor imports from which; here the imports themselves are read."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

import molehunt

SOURCES = Path(molehunt.__file__).parent
ROOT = SOURCES.parents[1]
FLOORS = {
    "core": 1,
    "games": 3,
    "beliefs": 2,
    "search": 4,
    "reading": 4,
    "agents": 5,
    "arena": 6,
    "adapters": 7,
    "learning": 7,
    "studies": 8,
    "table": 8,
    "advice": 9,
    "analysis": 9,
    "terminal": 10,
    "web": 10,
    "console": 11,
    "cli": 12,
    "__main__": 13,
    "saboteur": 4,
    "duel": 4,
    "speed_clue": 4,
}
FRONT = "__init__"  # the package itself re-exports public names, lazily


def room(path: Path) -> str:
    return path.relative_to(SOURCES).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    """The rooms of the package that a file imports from, at any depth of the file."""
    names = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return {name.split(".")[1] for name in names if name.startswith("molehunt.") and name.split(".")[1] in FLOORS}


def test_each_floor_imports_only_from_floors_below_or_its_own_room() -> None:
    upward = [
        f"{path.relative_to(SOURCES)} imports {other}"
        for path in sorted(SOURCES.rglob("*.py"))
        if room(path) != FRONT
        for other in imported_rooms(path)
        if FLOORS[other] >= FLOORS[room(path)] and other != room(path)
    ]
    assert upward == []


def test_every_room_has_a_floor_and_stands_in_the_picture() -> None:
    rooms = {room(path) for path in SOURCES.rglob("*.py")} - {FRONT}
    assert rooms <= set(FLOORS)
    picture = (SOURCES.parents[1] / "docs" / "architecture.md").read_text("utf-8")
    assert {name for name in rooms - {"__main__"} if f"`{name}" not in picture} == set()
    said = {
        named.partition("/")[0]: int(floor)
        for floor, rooms_there in re.findall(r"^\| (\d+) \| ([^|]*) \|", picture, re.MULTILINE)
        for named in re.findall(r"`([^`]+)`", rooms_there)
    }
    assert said == {name: floor for name, floor in FLOORS.items() if name != "__main__"}


def test_no_room_holds_more_than_a_sixth_of_the_house() -> None:
    lines: Counter[str] = Counter()
    for path in SOURCES.rglob("*.py"):
        lines[room(path)] += path.read_text("utf-8").count("\n")
    (biggest, size), house = lines.most_common(1)[0], lines.total()
    assert size * 6 <= house, f"{biggest} has {size:,} of {house:,} lines"


GAMES = ("saboteur", "duel", "speed_clue")
PUBLIC_ROOMS = ("adapters", "advice", "analysis", "arena", "beliefs", "learning", "search")
OWN_ROOMS = re.compile(
    r"(games|reading|agents)/(saboteur|duel|speed_clue|tunnels)/|studies/|(^|/)(saboteur|duel|speed_clue|clue|mine|tunnel)"
    r"|advi[cs]e|adviser|sprite|agents/built_in|games/registry|cli/(sitting|contest)|console/(play|contest|course)\.py"
)
"""What is written for one game: its rules, players and studies, its faces and commands, the adviser; the lists of games and
players."""


def test_only_what_is_written_for_one_game_names_it() -> None:
    name = re.compile(rf"(?<!`)\"({'|'.join(GAMES)})\"|molehunt\.(games|agents)\.({'|'.join(GAMES)})\b")
    naming = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if not OWN_ROOMS.search(str(path.relative_to(SOURCES)))
        and name.search(re.sub(r'""".*?"""', "", path.read_text("utf-8"), flags=re.DOTALL))
    }
    assert naming == set()


def test_help_imports_neither_numpy_nor_numba() -> None:
    code = (
        "import sys; from molehunt.cli import main; status = main(['--help']); "
        "sys.exit(status or 3 * bool({'numpy', 'numba'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def rooms_of_picture() -> dict[str, set[str]]:
    """The modules that the picture of the sources names, by their room."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    found: dict[str, set[str]] = {}
    top = ""
    for line in page.partition("src/molehunt/\n")[2].partition("\ntests/ ")[0].splitlines():
        begun = re.match(r"  ([a-z]+)/ ", line)
        top = begun[1] if begun else top
        found.setdefault(top, set()).update(re.findall(r"\b\w+\.py\b", line))
    return found


def test_the_picture_names_every_module_and_none_that_is_not_there() -> None:
    there: dict[str, set[str]] = {}
    for path in SOURCES.rglob("*.py"):
        top, *rest = path.relative_to(SOURCES).parts
        if rest and path.name != "__init__.py":
            there.setdefault(top, set()).add(path.name)
    named = rooms_of_picture()
    gone = {top: names - there.get(top, set()) for top, names in named.items()}
    assert {top: names for top, names in gone.items() if names} == {}
    missing = {top: names - named.get(top, set()) for top, names in there.items()}
    assert {top: names for top, names in missing.items() if names} == {}


def test_every_file_that_the_page_names_is_there() -> None:
    files = {str(path.relative_to(ROOT)) for path in ROOT.glob("*/**/*.py")}
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = set(re.findall(r"[\w/]+/\w+\.py\b", page))
    assert {name for name in named if not any(f"/{file}".endswith(f"/{name}") for file in files)} == set()


def test_types_are_checked_in_all_sources_but_short_examples() -> None:
    """A script that nobody has run for long still calls functions as they are now."""
    checked = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]["files"]
    made = {"build", "dist"} | {path.parent.name for path in ROOT.glob("*/pyvenv.cfg")}
    homes = [path for path in ROOT.iterdir() if path.is_dir() and path.name[0] != "." and path.name not in made]
    sources = {path.relative_to(ROOT) for home in homes for path in home.rglob("*.py")}
    left_out = {path for path in sources if not any(path.is_relative_to(folder) for folder in checked)}
    assert {path.parts[0] for path in left_out} == {"examples"}
    assert all(path.is_relative_to("examples/learners") or len(path.parts) == 2 for path in left_out)


@pytest.mark.thorough
def test_a_type_checker_knows_the_public_names_and_no_others(tmp_path: Path) -> None:
    """What somebody's own player imports: a name that is mistyped is found before it runs."""
    names = [*molehunt.__all__, *PUBLIC_ROOMS, *GAMES]
    taken = [*(f"molehunt.{name}" for name in names), "molehunt.Plaier", "molehunt.arenas"]
    theirs = tmp_path / "theirs.py"
    theirs.write_text("\n".join(["import molehunt", *(f"print({name})" for name in taken)]))
    settings = ("--config-file", ROOT / "pyproject.toml", "--cache-dir", os.devnull)
    words = (sys.executable, "-m", "mypy", *settings, theirs)
    said = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    found = re.findall(r"^.*theirs\.py:(\d+): error: Module has no attribute \"(\w+)\"", said, re.MULTILINE)
    assert found == [(str(len(names) + 2), "Plaier"), (str(len(names) + 3), "arenas")], said
    assert "Found 2 errors" in said


@pytest.mark.parametrize("name", [*PUBLIC_ROOMS, *GAMES])
def test_a_public_package_is_there_by_its_name_and_its_help_says_what_to_import(name: str) -> None:
    if name == "adapters":
        pytest.importorskip("pettingzoo")
    code = f"import molehunt; print(molehunt.{name}.__doc__)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    named = re.findall(r"^ *from (molehunt\.[\w.]+) import ([\w, ]+?)(?:  #.*)?$", told, re.MULTILINE)
    assert named
    for home, names in named:
        assert home.startswith(f"molehunt.{name}")
        for each in names.split(", "):
            assert getattr(import_module(home), each).__doc__, f"{home}.{each}"


def test_what_python_offers_after_the_name_is_public() -> None:
    offered = {name for name in dir(molehunt) if not name.startswith("__")}
    assert offered == {*molehunt.__all__, *PUBLIC_ROOMS, *GAMES}
    assert not hasattr(molehunt, "agent")
