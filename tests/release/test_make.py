"""`make` finds a Python that fits, and says what is missing where there is none."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = """#!/bin/sh
[ "$1" = -V ] && echo Python {version} && exit
[ "$1" = -c ] && exec {real} -c "import sys; sys.version_info = ({numbers}, 'final', 0); exec(sys.argv[1])" "$2"
exit 9
"""
"""A Python that says it is another version, and makes no environment."""


def make(folder: Path, pythons: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """What make says of setting up an environment on a machine with these Pythons and no others."""
    folder.mkdir()
    for name in ("make", "sh", "rm", "touch"):
        found = shutil.which(name)
        if found is None:
            pytest.skip(f"there is no {name} here")
        (folder / name).symlink_to(found)
    for name, version in pythons.items():
        written = PYTHON.format(version=version, real=sys.executable, numbers=version.replace(".", ", "))
        (folder / name).write_text(written)
        (folder / name).chmod(0o755)
    new = folder / "new"
    return subprocess.run(
        [folder / "make", "--no-print-directory", *words, f"VENV={new}", f"{new}/.made"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"PATH": str(folder), "LC_ALL": "C"},
    )


@pytest.mark.parametrize(
    ("pythons", "taken"),
    [
        ({"python3": "3.12.1", "python3.11": "3.11.7"}, "python3.11"),
        ({"python3": "3.12.1", "python3.13": "3.13.0"}, "python3"),
        ({"python3": "3.10.4", "python3.13": "3.13.0"}, "python3.13"),
        ({"python3": "3.16.0", "python3.15": "3.15.0"}, "python3.15"),
        ({"python3.14": "3.14.8"}, "python3.14"),
    ],
)
def test_a_python_that_fits_is_taken(pythons: dict[str, str], taken: str, tmp_path: Path) -> None:
    made = make(tmp_path / "bin", pythons, "-n")
    assert made.returncode == 0, made.stderr
    assert re.findall(r"(\S+) -m venv", made.stdout) == [taken]


@pytest.mark.parametrize(
    ("pythons", "words", "said"),
    [
        ({"python3": "3.10.4"}, [], "python3 is Python 3.10.4."),
        ({"python3": "3.16.0"}, [], "python3 is Python 3.16.0."),
        ({"python3.11": "3.11.7", "mine": "3.9.1"}, ["PYTHON=mine"], "mine is Python 3.9.1."),
        ({}, [], "python3 is not here or does not run."),
        ({"python3.11": "3.11.7"}, ["PYTHON=/no/python"], "/no/python is not here or does not run."),
    ],
)
def test_where_none_fits_it_is_said_which_would(
    pythons: dict[str, str], words: list[str], said: str, tmp_path: Path
) -> None:
    made = make(tmp_path / "bin", pythons, *words)
    assert made.returncode == 2
    assert f"molehunt needs Python 3.11 to 3.15, and {said}\nInstall Python 3.11, or name another one" in made.stderr
    assert not os.path.lexists(tmp_path / "bin" / "new")


def test_a_python_that_makes_no_environment_leaves_none(tmp_path: Path) -> None:
    made = make(tmp_path / "bin", {"python3": "3.12.1"})
    assert made.returncode == 2 and "python3 cannot make virtual environments" in made.stderr
    assert not os.path.lexists(tmp_path / "bin" / "new")
