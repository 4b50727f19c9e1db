"""The project's tests of every game, over a game that a package brings."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from outside.installing import TESTS, describe

OF_EVERY_GAME = ("games/test_every_game.py", "games/test_compiled_interface.py", "agents/test_ismcts.py")


@pytest.mark.thorough
def test_a_game_with_rules_in_plain_python_fails_no_test_of_every_game(tmp_path: Path) -> None:
    describe(tmp_path, "cups", {"molehunt.games": "cups = web.cups:ENTRY"})
    made = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "cups", *OF_EVERY_GAME],
        cwd=TESTS,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(tmp_path), TESTS))},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert made.returncode == 0, made.stdout
    assert re.search(r"^\d\d+ passed, \d+ skipped", made.stdout, re.MULTILINE)
