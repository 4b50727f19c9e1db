"""What `molehunt serve` has compiled first: what players think with, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from molehunt.agents.duel.and_or_2020 import AndOr2020Agent
from molehunt.console import serve
from molehunt.core.interpreting import is_interpreting
from molehunt.table.session import Session, thinking_of


def test_only_what_the_player_that_searches_thinks_with_is_compiled_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, bool]] = []

    def watched(what: str, method: Any) -> Any:
        def call(*args: Any) -> Any:
            seen.append((what, is_interpreting()))
            return method(*args)

        return call

    monkeypatch.setattr(AndOr2020Agent, "act", watched("thinks", AndOr2020Agent.act))
    monkeypatch.setattr(Session, "view", watched("sees", Session.view))
    monkeypatch.setattr(Session, "play_thought", watched("plays", Session.play_thought))
    serve.get_thinking_ready("duel")
    assert all(interpreted is (what != "thinks") for what, interpreted in seen)
    assert [what for what, _ in seen if what != "sees"] == ["thinks", "plays"] * serve.TRIED_MOVES


def test_what_a_player_thinks_with_comes_before_the_whole_game_under_the_name_by_which_a_table_asks_for_it() -> None:
    tasks = {task.name: task for task in serve.tasks()}
    part = thinking_of("duel", AndOr2020Agent("and-or-2020:depth=3").name)
    assert tasks["duel"].after == {part}
    assert list(tasks).index(part) < list(tasks).index("duel")
