"""What is said to the commands at which one sits down comes to the table as it was said, and nothing else does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli.calling import call

SAID = ("--seed", "0", "--no-practice", "--name", "Ann", "--record", "games.jsonl", "--agents-from", "mine.py")
COMES = {"seed": 0, "practice": False, "name": "Ann", "record": Path("games.jsonl"), "agents_from": [Path("mine.py")]}


@pytest.mark.parametrize(
    ("game", "others"),
    [
        ("saboteur", {}),
        ("duel", {"first": None, "option": "--opponent"}),
        ("a-game-of-a-package", {"first": None}),
        ("speed-clue", dict.fromkeys(("hidden", "deal", "series", "table", "ruleset")) | {"sheet": True}),
    ],
)
def test_what_is_said_of_a_sitting_comes_to_the_table_and_nothing_else_does(
    game: str, others: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    came: list[dict[str, Any]] = []

    def seated(*_: Any, **named: Any) -> int:
        came.append(named)
        return 0

    monkeypatch.setattr("molehunt.console.play_game.sit_down", seated)
    monkeypatch.setattr("molehunt.console.play.play_speed_clue", seated)
    assert call("play", game, *SAID).status == 0
    assert call("play", game).status == 0
    assert came == [others | COMES, others]
