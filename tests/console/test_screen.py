"""What a terminal shows while something runs."""

from __future__ import annotations

from io import StringIO

import pytest

from molehunt.console import screen
from molehunt.core.long_work import say_how_far


@pytest.mark.parametrize("terminal", [True, False])
def test_how_far_long_work_is_stands_beside_the_progress_bar_of_a_terminal_alone(
    terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = StringIO()
    monkeypatch.setattr(screen, "side", screen.Remarks(file=file, force_terminal=terminal, width=100))
    monkeypatch.setattr("molehunt.core.kernels.warm", lambda: True)
    with screen.working("a match"):
        say_how_far("growing the tree of kuhn/standard: 40,000 nodes")
    assert ("growing the tree of kuhn/standard: 40,000 nodes" in file.getvalue()) is terminal
