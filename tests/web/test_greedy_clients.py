"""Among greedy clients somebody new gets a table and plays on: the script that measures it, with small numbers."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "greedy_clients.py"


@pytest.mark.thorough
def test_people_play_among_greedy_clients(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("greedy_clients", SCRIPT)
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = script
    spec.loader.exec_module(script)
    monkeypatch.setattr(script, "MOST", 10.0)  # a machine on which other tests run
    words = ["--clients", "40", "--seconds", "12", "--people", "3", "--serve", "--tables=30 --connections=100"]
    status = script.main(words)
    told = capsys.readouterr().out
    assert status == 0, told
    assert "3 of 3" in told
