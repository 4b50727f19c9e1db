"""The wheel, installed with each version of Python that it is said to be for: its commands work, a seed plays the same games."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from cli.calling import call

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSIONS = re.findall(r"Python :: (3\.\d+)'", str(PROJECT["classifiers"]))
MATCH = ("arena", "speed_clue/small", "--seats", "basic,random", "--games", "40", "--seed", "3", "--json", "-")


def interpreter(version: str) -> str | None:
    """A Python of this version: the one that runs this, one on the path, one that pyenv keeps; None where there is none."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for found in (
        shutil.which(f"python{version}"),
        *sorted(map(str, kept.glob(f"{version}.*/bin/python")), reverse=True),
    ):
        if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
            return found
    return None


def run(*words: str | Path) -> str:
    """What a program prints, without what the environment of this one names; it must end well."""
    clean = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    made = subprocess.run(words, capture_output=True, text=True, check=False, env=clean)
    assert made.returncode == 0, made.stderr or made.stdout
    return made.stdout


def test_the_versions_of_python_are_said_the_same_everywhere() -> None:
    assert VERSIONS == ["3.11", "3.12", "3.13", "3.14", "3.15"]
    assert PROJECT["requires-python"] == f">={VERSIONS[0]}"
    page = (ROOT / "docs" / "extras.md").read_text("utf-8")
    assert f"Python {', '.join(VERSIONS[:-1])} and {VERSIONS[-1]} are tested" in page
    for name in ("README.md", "CONTRIBUTING.md", "Makefile", "docs/index.md"):
        assert f"Python {VERSIONS[0]} to {VERSIONS[-1]}" in (ROOT / name).read_text("utf-8"), name


def test_the_workflow_of_a_public_host_does_what_the_checks_do() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "checks.yml").read_text("utf-8"))
    jobs = workflow["jobs"]
    said = {job: [step["run"] for step in jobs[job]["steps"] if "run" in step] for job in jobs}
    assert said == {
        "checks": ["bash .ci/run"],
        "learners": ["make learners"],
        "pythons": ["make test PYTHON=python3 PYTEST='-m \"not long\"'"],
        "release": ["make wheel"],
        "compiled": ["make compiled PYTHON=python3"],
    }
    assert jobs["checks"]["timeout-minutes"] <= jobs["pythons"]["timeout-minutes"] <= 90
    assert set(jobs["release"]["needs"]) == set(jobs["compiled"]["needs"]) == {"checks", "learners", "pythons"}
    tried, compiled = (jobs[job]["strategy"]["matrix"] for job in ("pythons", "compiled"))
    assert tried["python"] == VERSIONS[1:] and compiled["python"] == VERSIONS
    assert compiled["runner"] == [*tried["runner"], *(each["runner"] for each in tried["include"])]
    assert all(jobs[job]["runs-on"] == "${{ matrix.runner }}" for job in ("pythons", "compiled"))
    (pythons,) = (
        step["with"]["python-version"] for step in jobs["checks"]["steps"] if "setup-python" in step.get("uses", "")
    )
    assert sorted(pythons.split()) == VERSIONS
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for command in (line for lines in said.values() for line in lines if line.startswith("make ")):
        assert f"\n{command.split()[1]}:" in makefile
    assert (ROOT / ".ci" / "run").exists()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dist = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", dist, ROOT)
    (made,) = dist.glob("*.whl")
    return made


@pytest.mark.thorough
@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_works_and_plays_the_same_games_with_every_python(version: str, wheel: Path, tmp_path: Path) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here")
    place = tmp_path / "environment"
    run(python, "-m", "venv", "--without-pip", place)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", place / "bin" / "python")
    # What is imported is compiled to byte code then; all of the libraries would be seconds.
    run(*pip, "install", "--quiet", "--no-compile", wheel)
    assert run(place / "bin" / "python", "--version").startswith(f"Python {version}.")
    run(*pip, "check")
    molehunt = place / "bin" / "molehunt"
    assert run(molehunt, "--version") == call("--version").out
    assert run(molehunt, "games") == call("games", columns=80).out
    theirs, ours = json.loads(run(molehunt, *MATCH)), json.loads(call(*MATCH).out)
    assert theirs["games"] == 40
    times = {"seconds", "games_per_second"}
    assert {key: theirs[key] for key in theirs.keys() - times} == {key: ours[key] for key in ours.keys() - times}
