"""The scripts in benchmarks say what they measure and what can be given, and refuse all else before they begin."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "benchmarks").rglob("*.py"))


def call(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, script, *words], capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.mark.thorough
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_benchmark_says_what_it_is_for(script: str) -> None:
    if script.endswith("/environments.py"):
        pytest.importorskip("pettingzoo")
    told = call(script, "--help")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith(f"usage: {Path(script).name}")


@pytest.mark.parametrize(
    ("script", "words", "said"),
    [
        ("talk", ["many"], "argument games: invalid int value: 'many'"),
        ("mole_told", ["1"], "deals are 2 or more, not 1"),
        ("mole_strangers", ["1"], "games are 2 or more, not 1"),
        ("same_everywhere", ["40"], "games are 400 or more, not 40"),
        ("scaling", ["one.json", "two.json"], "unrecognized arguments: two.json"),
    ],
)
def test_a_benchmark_refuses_what_it_cannot_measure(script: str, words: list[str], said: str) -> None:
    told = call(f"benchmarks/{script}.py", *words)
    assert told.returncode == 2
    assert told.stderr.endswith(f"{script}.py: error: {said}\n")


def loaded(script: str) -> Any:
    """A script of benchmarks/ as a module."""
    spec = importlib.util.spec_from_file_location(script, ROOT / "benchmarks" / f"{script}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("script", "measure"), [("mole_strangers", "wins"), ("mole_told", "miner_among_strangers")])
def test_a_gain_of_games_that_all_came_out_alike_is_not_told_as_certain(
    script: str, measure: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = loaded(script)
    monkeypatch.setattr(module, measure, lambda *given: np.ones(20))
    if script == "mole_told":
        monkeypatch.setattr(module, "gold_among", lambda *given: (1.0, 1.0, 1.0))
    monkeypatch.setattr(sys, "argv", [script, "4"])
    module.main()
    # Twenty games that say the same, and one more each way.
    assert "+0.0 (-13.7 to +13.7)" in capsys.readouterr().out
