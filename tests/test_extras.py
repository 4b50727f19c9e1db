"""What an installation needs is said where a person looks for it."""

from __future__ import annotations

import itertools
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
PAGE = (ROOT / "docs" / "extras.md").read_text("utf-8")
SOURCES = [path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py")]


def imported(library: str) -> bool:
    """Whether any module of ours imports a library, by its name there."""
    found = re.compile(rf"^\s*(?:import|from) {library}\b|\"{library}\"", re.MULTILINE)
    return any(found.search(text) for text in SOURCES)


def test_every_extra_stands_on_its_page_with_what_it_is_for() -> None:
    assert {line.split("`")[1] for line in PAGE.splitlines() if line.startswith("| `")} == set(EXTRAS)


def test_the_page_says_what_each_target_of_make_installs() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    rules = dict(re.findall(r"^(\$\(\w+\)\S*|\w+):(.*?\n(?:(?!\S+:).*\n)*)", makefile, re.MULTILINE))
    said = {
        target: set(re.findall(r"`(\w+)`", brought))
        for targets, brought in re.findall(r"^\* (.*?) brings? (.*)$", PAGE, re.MULTILINE)
        for target in re.findall(r"`make (\w+)`", targets)
    }
    assert set(said) == {"serve", "run", "test", "dev", "docs", "learners"}
    for target, extras in said.items():
        stamp = rules[target].split()[0]
        assert set(re.findall(r"'\.\[([\w,]+)\]'", rules[stamp])[0].split(",")) == extras, target


def test_no_page_installs_the_package_from_an_index_that_has_none() -> None:
    """`pip install molehunt` finds nothing; with an extra it does where the package is installed, as in `.venv`."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    lines = [line for page in pages for line in page.read_text("utf-8").splitlines() if "pip install" in line]
    wanted = [word for line in lines for word in re.findall(r"(\S*pip) install (?:-\S+ )*['`]?(molehunt\S*)", line)]
    assert [name for pip, name in wanted if pip != ".venv/bin/pip"] == []
    assert wanted


def test_what_modules_import_is_named_by_the_package() -> None:
    """Not only by a library that happens to want it, too."""
    modules = {"open-spiel": "pyspiel", "ray[rllib]": "ray", "mkdocstrings[python]": "mkdocstrings"}
    named = [re.split(r"[<>=]", wanted)[0] for wanted in (*PROJECT["dependencies"], *itertools.chain(*EXTRAS.values()))]
    known = {modules.get(name, name) for name in named} | set(sys.stdlib_module_names) | {"molehunt"}
    taken = re.compile(r"^ *(?:from (\w+)[\w.]* import|import (\w+)[\w.]*(?: as \w+)?$)", re.MULTILINE)
    found = {module for text in SOURCES for names in taken.findall(text) for module in names if module}
    assert {"numba", "llvmlite", "anyio"} <= found <= known


def test_errors_name_extras_that_there_are() -> None:
    named = {
        name for text in SOURCES for names in re.findall(r"molehunt\[([\w,]+)\]", text) for name in names.split(",")
    }
    assert {"report", "web", "tune", "cluster", "rl"} <= named <= set(EXTRAS)


def test_the_page_says_where_files_are_written_that_nobody_named() -> None:
    folders = {name for text in SOURCES for name in re.findall(r"\b(?:MOLEHUNT_(?:CACHE|DATA)|XDG_\w+)\b", text)}
    assert folders == {"MOLEHUNT_CACHE", "MOLEHUNT_DATA", "XDG_CACHE_HOME", "XDG_DATA_HOME"}
    assert {name for name in folders if name not in PAGE} == set()


def test_what_an_extra_of_the_package_brings_is_imported_somewhere() -> None:
    modules = {"open-spiel": "pyspiel"}
    for extra in ("report", "web", "tune", "cluster", "rl"):
        for wanted in EXTRAS[extra]:
            library = re.split(r"[\[<>=]", wanted)[0]
            if library == "websockets":  # with which uvicorn speaks
                continue
            assert imported(modules.get(library, library)), f"{library} of the extra {extra} is imported nowhere"


def test_no_file_names_a_place_to_fetch_packages_from() -> None:
    words = "|".join(
        (
            "pypi" + r"\.org",
            "files" + r"\.pythonhosted",
            "download" + r"\.pytorch",
            "--extra-index" + "-url",
            "--index" + "-url",
        )
    )
    kept = [
        path
        for pattern in ("*", ".ci/*", ".github/**/*", "docs/**/*", "src/**/*.py", "examples/**/*", "tests/**/*.py")
        for path in ROOT.glob(pattern)
    ]
    for path in kept:
        if path.is_file() and path.suffix not in {".nbc", ".png", ".pyc"}:
            assert not re.search(words, path.read_text("utf-8", errors="replace")), path
