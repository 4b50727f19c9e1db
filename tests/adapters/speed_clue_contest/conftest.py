"""Whole contests within this process."""

from __future__ import annotations

import pytest

from molehunt.adapters.speed_clue_contest import talk

IN_ONE_PIECE = 0.003
"""Seconds that are waited for the rest of what is a message already: what is written here comes in one piece."""


@pytest.fixture
def messages_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contests wait less for the rest of a message: not where pieces of messages are what is tested."""
    for patience in ("MORE", "MUCH_MORE"):
        monkeypatch.setattr(talk, patience, IN_ONE_PIECE)
