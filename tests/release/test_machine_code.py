"""A wheel that brings machine code: made as for a release, installed beside nothing else, and nothing is compiled."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from molehunt.core.processor import baseline

ROOT = Path(__file__).resolve().parents[2]
COMMAND = "arena speed_clue/small --seats random*3 --games 2"
PLAY = f"""
import contextlib, io, sys
import molehunt
from molehunt.core.kernels import watch_compiling
from molehunt.cli import main

told = []
sys.argv = ["molehunt", *{COMMAND.split()!r}]
with watch_compiling(told.append), contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
print(molehunt.__file__, len(told))
"""


def run(*words: str, **settings: str) -> str:
    """What a program of Python prints, in a clean environment; it must end well."""
    clean = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "MOLEHUNT_CACHE"}}
    made = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=clean | settings, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    return made.stdout


def build(dist: Path, **settings: str) -> Path:
    """A wheel of the sources."""
    run("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(dist), ".", **settings)
    (wheel,) = dist.glob("*.whl")
    return wheel


def compiled_by_first_game(wheel: Path, folder: Path) -> int:
    """How many kernels the first game compiles on a machine on which the wheel was installed just now."""
    target, home = folder / "installed", folder / "home"
    home.mkdir(parents=True)
    run("-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), str(wheel))
    file, count = run("-c", PLAY, PYTHONPATH=str(target), MOLEHUNT_CACHE=str(home)).split()
    assert Path(file).is_relative_to(target)
    return int(count)


@pytest.mark.thorough
def test_what_the_wheel_brings_is_not_compiled_and_without_it_all_is(tmp_path: Path) -> None:
    if baseline() is None:
        pytest.skip("there is no baseline for this machine, so a release is made without machine code here")
    code = tmp_path / "code"
    told = run("release/compile_kernels.py", str(code), COMMAND, PYTHONPATH=str(ROOT / "src"))
    assert "files of machine code" in told
    wheel = build(tmp_path / "with", MOLEHUNT_MACHINE_CODE=str(code))
    assert wheel.name.split("-")[2] == f"cp{sys.version_info.major}{sys.version_info.minor}"
    shipped = [name for name in zipfile.ZipFile(wheel).namelist() if "/machine_code/" in name]
    assert len(shipped) == sum(path.is_file() for path in code.rglob("*"))
    assert compiled_by_first_game(wheel, tmp_path / "first") == 0

    plain = build(tmp_path / "without")
    assert plain.name.endswith("-py3-none-any.whl")
    assert compiled_by_first_game(plain, tmp_path / "second") > 10


@pytest.mark.thorough
def test_a_folder_without_machine_code_is_refused(tmp_path: Path) -> None:
    words = ["-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", str(tmp_path / "dist"), "."]
    made = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=os.environ | {"MOLEHUNT_MACHINE_CODE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode != 0
    assert "release/compile_kernels.py makes it" in made.stdout + made.stderr
