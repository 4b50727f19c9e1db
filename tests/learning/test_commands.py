"""What the commands say where something is missing or wrong, without PyTorch too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from molehunt.cli import main

GOOD = 'game = "duel/mcgill"\nsteps = 100\n'


@pytest.fixture
def no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)


def test_without_the_library_they_name_the_extra(
    no_torch: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.toml"
    file.write_text(GOOD)
    for call in (["train", str(file)], ["exploit", "decision-2019"]):
        assert main(call) == 1
        assert "pip install 'molehunt[learn]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        (["train", "nowhere.toml"], "cannot read nowhere.toml"),
        (["train", "{file}", "--steps", "0"], "--steps must be 1"),
        (["train", "{file}", "--threads", "0"], "--threads must be 1"),
        (["train", "{file}", "--weights", "-"], "--weights and --report need"),
        (["exploit", "nobody"], "no game has a player 'nobody'"),
        (["exploit", "random"], "say with --game"),
        (["exploit", "decision-2019", "--role", "thief"], "unknown role"),
        (["exploit", "decision-2019", "--games", "1"], "--games must be 2"),
    ],
)
def test_a_wrong_call_is_answered_with_what_would_be_right(
    call: list[str], wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], no_torch: None
) -> None:
    file = tmp_path / "run.toml"
    file.write_text(GOOD)
    assert main([word.replace("{file}", str(file)) for word in call]) == 2
    assert wrong in capsys.readouterr().err
