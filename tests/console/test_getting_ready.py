"""What is compiled while people sit down: for `molehunt serve` what players think with first; the adviser before it asks."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from molehunt.agents.duel.and_or_2020 import AndOr2020Agent
from molehunt.agents.duel.duel_star import DuelStarAgent
from molehunt.agents.duel.model import duel_model
from molehunt.agents.registry import Agents
from molehunt.console import advise, play_game, serve, sitting
from molehunt.core.beside import Task
from molehunt.core.errors import BadInput
from molehunt.core.interpreting import is_interpreting
from molehunt.core.kernels import watch_compiling
from molehunt.table.session import Session, thinking_of
from molehunt.terminal import setup
from molehunt.terminal.sitting import seat_everybody


def test_only_what_the_player_that_searches_thinks_with_is_compiled_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, bool]] = []
    here = threading.get_ident()

    def watched(what: str, method: Any) -> Any:
        def call(*args: Any) -> Any:
            if threading.get_ident() == here:  # an earlier test may still make machine code in a thread of its own
                seen.append((what, is_interpreting()))
            return method(*args)

        return call

    monkeypatch.setattr(AndOr2020Agent, "act", watched("thinks", AndOr2020Agent.act))
    monkeypatch.setattr(Session, "view", watched("sees", Session.view))
    monkeypatch.setattr(Session, "play_thought", watched("plays", Session.play_thought))
    serve.get_thinking_ready("duel")
    assert all(interpreted is (what != "thinks") for what, interpreted in seen)
    assert [what for what, _ in seen if what != "sees"] == ["thinks", "plays"] * serve.TRIED_MOVES


@pytest.mark.parametrize("processes", [2, 3])
def test_what_a_player_thinks_with_comes_before_the_whole_game_under_the_name_by_which_a_table_asks_for_it(
    processes: int,
) -> None:
    tasks = {task.name: task for task in serve.tasks(processes)}
    part = thinking_of("duel", AndOr2020Agent("and-or-2020:depth=3").name)
    assert tasks["duel"].after == {part}
    at_once = [name for name, task in tasks.items() if not task.after]
    assert (
        len(at_once) == processes
    )  # with two, one core is left to the games when the parts of the first player are made
    assert tasks[part].after == {name for name in at_once if name.startswith(f"{part}/")}
    assert len(tasks[part].after) == len(AndOr2020Agent.compiled_apart) == 2


def test_the_parts_of_what_a_player_thinks_with_are_compiled_by_functions_that_another_process_can_be_given() -> None:
    for part in AndOr2020Agent.compiled_apart:
        assert pickle.loads(pickle.dumps(part)) is part  # noqa: S301 - pickled here
        part()
    told: list[str] = []
    with watch_compiling(told.append):
        duel_model().functions(pruned=False)
    assert told == []


def test_the_parts_of_the_player_that_plays_on_are_its_dearest_kernels() -> None:
    for part in DuelStarAgent.compiled_apart:
        assert pickle.loads(pickle.dumps(part)) is part  # noqa: S301 - pickled here
        part()
    told: list[tuple[str, int]] = []
    with watch_compiling(lambda name: told.append((name, threading.get_ident()))):
        sitting.use_player("duel", "mcgill", 2, "duel-star:deals=1,endings=1,ending=0", [])
        sitting.use_player("duel", "mcgill", 2, "duel-star:plays_on,deals=1,endings=1,ending=1", [])
    dearest = {"solve", "compare", "list_promising", "note_in_both", "dig", "worth_of_move", "score_moves"}
    here = threading.get_ident()  # an earlier test may still make machine code in a thread of its own
    assert not dearest & {name for name, thread in told if thread == here}


def test_what_players_have_compiled_apart_is_done_before_the_whole_in_a_process_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[tuple[dict[str, frozenset[str]], int]] = []

    def note(tasks: Sequence[Task], processes: int, *_others: object) -> None:
        begun.append(({task.name: task.after for task in tasks}, processes))

    monkeypatch.setattr(sitting, "compile_beside", note)
    monkeypatch.setattr(sitting, "cores", lambda: 4)
    monkeypatch.setattr(sitting, "_began_warm", lambda _use: False)
    agents = [Agents("duel").make(name) for name in ("duel-star", "greedy-2020", "duel-star:contest")]
    sitting.make_ready("duel", "a use", print, players=agents)
    sitting.make_ready("duel", "a use", print, players=agents[1:2])
    parts = {f"duel/{part.__name__}" for part in DuelStarAgent.compiled_apart}
    assert begun == [({**dict.fromkeys(parts, frozenset()), "duel": frozenset(parts)}, 2), ({"duel": frozenset()}, 1)]


def test_nobody_waits_for_a_compiler_before_the_table_is_set_whoever_is_asked_for_opponents(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[bool] = []
    answers = iter(["", "", ""])
    seat = seat_everybody

    def read(_prompt: str) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    def seat_seen(*args: Any) -> Session:
        seen.append(is_interpreting())
        return seat(*args)

    monkeypatch.setattr(sitting, "_began_warm", lambda _use: False)
    monkeypatch.setattr(setup, "seat_everybody", seat_seen)
    assert play_game.sit_down("saboteur", read=read) == sitting.BROKEN_OFF
    assert seen == [True]


def test_the_adviser_is_made_ready_while_the_person_says_who_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def read(_prompt: str) -> str:
        seen.append("asked")
        raise EOFError

    monkeypatch.setattr(advise, "make_ready", lambda *_: seen.append("made ready"))
    assert advise.advise_speed_clue(tmp_path / "game.json", read=read) == advise.BROKEN_OFF
    assert seen == ["made ready", "asked"]


def test_tables_need_a_place_where_there_is_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home(_path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("MOLEHUNT_DATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "expanduser", no_home)
    with pytest.raises(BadInput, match="--store"):
        serve.store_path()


def test_a_player_with_a_clock_is_made_ready_in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    act = DuelStarAgent.act

    def watched(self: DuelStarAgent, *args: Any) -> Any:
        given.append(self.parameters.seconds)
        return act(self, *args)

    monkeypatch.setattr(DuelStarAgent, "act", watched)
    sitting.use_player("duel", "mcgill", 2, "duel-star:contest,threads=1", [])
    assert len(given) > 5 and set(given) == {sitting.HASTE}
    for game, agent in (
        ("saboteur", "mole:seconds=2"),
        ("speed_clue", "exact:seconds=2"),
        ("duel", "and-or-2020:seconds=2"),
    ):
        made = Agents(game).make(agent)
        hasty: Any = sitting.in_haste(made)
        assert (type(hasty), hasty.parameters.seconds) == (type(made), sitting.HASTE)
    plain = Agents("duel").make("duel-star")
    assert sitting.in_haste(plain) is plain
