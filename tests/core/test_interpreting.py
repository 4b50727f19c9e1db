"""Interpreted kernels give what compiled ones give, for numbers and records of every kind, and for whole games of every player."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from core.changing import changing_at_each_moment
from molehunt.agents.duel import star_comparison
from molehunt.agents.registry import Agents
from molehunt.agents.saboteur import mole_comparison
from molehunt.agents.saboteur.mole import MoleAgent
from molehunt.agents.saboteur.trials import Trials
from molehunt.core.interpreting import (
    as_here,
    interpret_meanwhile,
    interpreting,
    interpreting_until,
    is_interpreting,
    unchanged,
)
from molehunt.core.kernels import kernel, lowest, popcount, watch_compiling
from molehunt.core.match import play
from molehunt.core.streams import below, mix, shuffle
from molehunt.games import batches, playing
from molehunt.games.compiled import bytes_of
from molehunt.games.registry import make_game
from molehunt.search import ismcts
from molehunt.table.reasons import why
from molehunt.table.session import Session, Sitter

INNER = np.dtype([("few", np.int8, (3,)), ("word", np.uint64)])
OUTER = np.dtype([("inner", INNER), ("small", np.int16), ("tiny", np.int8), ("flag", np.bool_), ("real", np.float64)])


@kernel
def add_small(a: int, b: int) -> int:
    """A sum."""
    return a + b


@kernel
def work(records: Any, numbers: Any, factor: float) -> Any:
    """Arithmetic that Python and NumPy would do in another way than machine code."""
    record = records[0]
    record.tiny = np.int8(100)
    record.small = record.tiny + record.tiny  # 200: wider than the field that it comes from
    record.tiny += record.small  # 300: its low byte is 44
    record.inner.word = np.uint64(0xFFFFFFFFFFFFFFFF) * np.uint64(3) + np.uint64(numbers[1] << 20)
    record.inner.few[1] = np.int64(-3) // np.int64(2)
    record.flag = popcount(record.inner.word) > lowest(record.inner.word)
    record.real = factor / record.inner.few[0]  # 0: an infinity
    records[1] = records[0]
    inner = records[1].inner
    inner.few[:] = 7
    total = 0.0
    for index in range(len(numbers)):
        total += numbers[index] * np.log(index + 1.0)
    return add_small(numbers[0], numbers[1]) << 3, total, np.uint64(int(record.small)) >> np.uint64(3)


TABLE = np.array([[1, -2, 3], [4, 5, 127]], np.int8)


@kernel
def read_table(rows: Any) -> Any:
    """What a table of the module gives to all that can be asked of it: numbers, rows, from the end, sums, slices."""
    rows[0] = TABLE[1]
    row = TABLE[0, 1:]
    rows[1, 0] = row[1] + TABLE[-1, -1]
    rows[1, 1] = TABLE.shape[1] * len(TABLE) + TABLE.sum()
    rows[1, 2] = TABLE[:, 1].sum() + (TABLE == 4).sum()
    for each in TABLE[1]:
        rows[2, 0] += each
    return TABLE[1, 2] + TABLE[1, 2], 1.5 / np.float64(TABLE[0, 0] - 1)


@kernel
def keep_views(records: Any) -> Any:
    """Arrays and records of a record are places in it: what is written by one name is read by another."""
    record = records[0]
    few, inner = record.inner.few, record.inner
    few[2] = 5
    inner.few[1] = few[2] + 1
    records[0].inner.few[0] = 9
    other = records[1]
    other.inner.few[:] = record.inner.few
    record.inner.few[:] = 1
    inner.word = np.uint64(5000) + np.uint64(4095) + inner.word
    return few[0] + other.inner.few[0]


@kernel
def shuffled(stream: Any, cards: Any) -> Any:
    """Draw and shuffle."""
    shuffle(stream, cards, 0)
    return below(stream, 1000), mix(stream[0])


def results() -> list[Any]:
    """What the kernels above give and write."""
    records, numbers = np.zeros(2, OUTER), np.array([120, 127, -5], np.int8)
    stream, cards = np.array([3], np.uint64), np.arange(30, dtype=np.int8)
    rows, places = np.zeros((3, 3), np.int16), np.zeros(2, OUTER)
    given = [work(records, numbers, 1.5), shuffled(stream, cards), read_table(rows), keep_views(places)]
    return [
        *given,
        rows.tobytes(),
        places.tobytes(),
        records.tobytes(),
        numbers.tobytes(),
        stream.tobytes(),
        cards.tobytes(),
    ]


def test_interpreted_kernels_compute_what_compiled_ones_do() -> None:
    told: list[str] = []
    with watch_compiling(told.append), interpreting():
        interpreted = results()
    assert told == []
    assert interpreted == results()


def kinds(value: Any) -> Any:
    """The types that a value is made of."""
    return [kinds(each) for each in value] if isinstance(value, list | tuple) else type(value)


def test_interpreted_kernels_return_numbers_of_python_as_compiled_ones_do() -> None:
    with interpreting():
        interpreted = results()
    assert kinds(interpreted) == kinds(results())


@pytest.mark.parametrize(
    ("game", "ruleset", "seats", "agent"),
    [
        ("saboteur", "official+talk:rounds=1", 5, "kripke-2012"),
        ("saboteur", "krisnadi", 4, "decision-2019"),
        ("saboteur", "krisnadi", 5, "means-ends-2016"),
        ("saboteur", "official:rounds=1", 3, "random"),
        ("speed_clue", "mitchell", 3, "advanced"),
        ("speed_clue", "mitchell", 6, "basic"),
        ("speed_clue", "contest", 4, "random"),
        ("duel", "mcgill", 2, "greedy-2020"),
        ("duel", "mcgill", 2, "and-or-2020:depth=1"),
        ("duel", "mcgill", 2, "random"),
    ],
)
def test_games_go_the_same_way_interpreted_and_compiled(game: str, ruleset: str, seats: int, agent: str) -> None:
    def moves_and_views() -> list[Any]:
        agents = Agents(game)
        sitters = [Sitter(str(seat), agents.make(agent)) for seat in range(seats)]
        session = Session(make_game(game, ruleset, seats), sitters, 11)
        views: list[bytes] = []
        while session.to_move is not None and len(session.actions) < 60:
            views.append(session.view(len(session.actions) % seats).tobytes())
            session.step()
        return [*session.actions, *views]

    told: list[str] = []
    with watch_compiling(told.append), interpreting():
        interpreted = moves_and_views()
    assert told == []
    assert len(interpreted) > 10
    assert interpreted == moves_and_views()


def test_a_thread_interprets_for_itself_and_the_process_for_all() -> None:
    seen: list[bool] = []

    def look() -> None:
        thread = threading.Thread(target=lambda: seen.append(is_interpreting()))
        thread.start()
        thread.join()

    with interpreting():
        assert is_interpreting()
        look()
    interpret_meanwhile(True)
    try:
        look()
        with interpreting(wanted=False):
            assert not is_interpreting()
    finally:
        interpret_meanwhile(False)
    look()
    assert seen == [False, True, False]
    assert not is_interpreting()


def test_what_is_used_together_stays_as_it_is_though_machine_code_is_made_meanwhile() -> None:
    made = threading.Event()
    interpret_meanwhile(True)
    try:
        with interpreting_until(made.is_set):
            assert is_interpreting()
            with unchanged() as interprets:
                made.set()
                assert interprets and is_interpreting()
            assert not is_interpreting()
            with unchanged() as interprets:
                made.clear()
                assert not interprets and not is_interpreting()
            assert is_interpreting()
            made.set()
        assert is_interpreting()  # as all of it is not made
    finally:
        interpret_meanwhile(False)


def test_other_threads_are_given_what_holds_here() -> None:
    with ThreadPoolExecutor(1) as pool:
        interpret_meanwhile(True)
        try:
            assert pool.submit(is_interpreting).result()
            with interpreting(wanted=False):
                assert not pool.submit(as_here(is_interpreting)).result()
        finally:
            interpret_meanwhile(False)
        with interpreting():
            assert pool.submit(as_here(is_interpreting)).result()
        assert not pool.submit(is_interpreting).result()


def test_players_that_search_on_several_threads_do_so_with_machine_code_where_they_have_waited_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[bool, bool]] = []
    here = threading.get_ident()

    def watched(method: Any) -> Any:
        def call(*args: Any, **named: Any) -> Any:
            seen.append((threading.get_ident() == here, is_interpreting()))
            return method(*args, **named)

        return call

    monkeypatch.setattr(star_comparison.Comparison, "_play_part", watched(star_comparison.Comparison._play_part))
    monkeypatch.setattr(ismcts._Root, "run", watched(ismcts._Root.run))
    monkeypatch.setattr(mole_comparison, "act_many", watched(playing.act_many))
    for game, ruleset, seats, spec in (
        ("duel", "mcgill", 2, "duel-star:deals=8,threads=2"),
        ("saboteur", "krisnadi", 3, "ismcts:iterations=20,roots=2,threads=2"),
        ("saboteur", "krisnadi", 3, "mole:worlds=8,threads=2"),
    ):
        seen.clear()
        agents = Agents(game)
        session = Session(
            make_game(game, ruleset, seats), [Sitter(str(seat), agents.make(spec)) for seat in range(seats)], 3
        )
        interpret_meanwhile(True)
        try:
            with interpreting(wanted=False):
                session.step()
        finally:
            interpret_meanwhile(False)
        assert (False, False) in seen
        assert not any(interpreted for _, interpreted in seen)


def test_addresses_of_interpreted_functions_are_never_given_to_compiled_code() -> None:
    game = make_game("speed_clue", "mitchell", 3)
    with interpreting():
        calls = game.calls(0, 1, 2)  # type: ignore[attr-defined]
    states = np.zeros(1, game.state_dtype)
    roles, seeds = np.full((1, 3), -1, np.int8), np.array([5], np.uint64)
    batches.deal_many(calls, bytes_of(states), seeds, roles, game.params)
    assert states.tobytes() == game.new(np.array([5], np.uint64)).tobytes()


def test_switching_in_the_middle_of_a_game_changes_nothing() -> None:
    game = make_game("saboteur", "krisnadi", 5)
    agents = Agents("saboteur")
    whole = play(game, [agents.make("decision-2019")] * 5, np.array([3], np.uint64), keep_actions=True)
    session = Session(game, [Sitter(str(seat), agents.make("decision-2019")) for seat in range(5)], 3)
    while session.to_move is not None:
        with interpreting(wanted=len(session.actions) % 3 != 0):
            session.step()
    assert whole.actions is not None
    assert session.actions == list(whole.actions[0])


@pytest.mark.parametrize(
    ("game", "ruleset", "seats", "spec"),
    [
        ("saboteur", "krisnadi", 3, "mole:worlds=1,glance=1,kept=2"),
        ("saboteur", "krisnadi", 3, "mole:worlds=1,glance=1,kept=2,threads=2"),
        ("saboteur", "krisnadi", 3, "mole:seconds=0.01"),
        ("saboteur", "krisnadi", 3, "stranger:seed=17"),
        ("saboteur", "krisnadi", 4, "learned"),
        ("duel", "mcgill", 2, "duel-star:deals=1,threads=1"),
        ("speed_clue", "mitchell", 3, "exact:deals=2"),
    ],
)
def test_machine_code_may_come_at_any_moment_of_a_choice(game: str, ruleset: str, seats: int, spec: str) -> None:
    rules = make_game(game, ruleset, seats)
    states = rules.new(np.array([3], np.uint64))
    view = rules.views(states, rules.to_move(states))
    agent = Agents(game).make(spec)
    fair = set(rules.legal_actions(view).codes)

    def choice() -> int:
        memory = agent.start(rules, view, np.array([5], np.uint64))
        return int(agent.act(view, memory, np.zeros(1, np.int64))[0])

    expected = choice()
    for chosen in changing_at_each_moment(choice, lambda moment: moment + 1 + moment // 2):
        assert chosen in fair if "seconds" in spec else chosen == expected


def test_kernels_may_be_interpreted_from_any_moment_on() -> None:
    game = make_game("saboteur", "krisnadi", 3)
    agents = Agents("saboteur")

    def played() -> list[Any]:
        session = Session(game, [Sitter(str(seat), agents.make("decision-2019")) for seat in range(3)], 3)
        for _ in range(3):
            session.step()
        return [*session.actions, why(session, 2)]

    expected = played()
    for found in changing_at_each_moment(played, lambda moment: moment + 1, leaves=True):
        assert found == expected


def test_machine_code_may_come_while_moves_are_tried_one_after_another() -> None:
    game = make_game("saboteur", "krisnadi", 3)
    states = game.new(np.array([3], np.uint64))
    view = game.views(states, game.to_move(states))
    agent = MoleAgent()
    moves = list(game.legal_actions(view).codes[:2])

    def won(*arrives: bool) -> list[Any]:
        memory = agent.start(game, view, np.array([5], np.uint64))
        with interpreting(wanted=not arrives[0]):
            trials = Trials(agent, view, memory, 0, np.uint64(7))
        found = []
        for first, arrived in enumerate(arrives):
            with interpreting(wanted=not arrived):
                found.append(trials.wins(moves, first, 1).tolist())
        return found

    expected = won(True, True, True)
    assert won(False, False, True) == won(False, True, True) == won(False, True, False) == expected
