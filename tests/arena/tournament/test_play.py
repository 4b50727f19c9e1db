"""A tournament is the same on any executor, and counts what is there."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.tournament.small import json_of, plan_of, played
from molehunt.agents.registry import Agents
from molehunt.arena.match import run, seat_match
from molehunt.arena.seating import Chair
from molehunt.arena.tournament import making
from molehunt.arena.tournament.definition import read_tournament
from molehunt.arena.tournament.plan import make_plan
from molehunt.arena.tournament.play import Progress, play_tournament
from molehunt.arena.tournament.tables import make_tables
from molehunt.arena.tournament.tally import Tally
from molehunt.arena.workers import open_workers
from molehunt.core.errors import BadInput

SEATED = """
game = "saboteur/krisnadi"
seats = 4
roles = { saboteur = 1 }
players = ["means-ends-2016", "random"]
deals = 30
"""
DEALT = """
game = "saboteur/krisnadi"
seats = 3
players = ["means-ends-2016", "random"]
deals = 20
seatings = "all"
"""


class Backwards(Executor):
    """Does pieces only when asked for a result, the last one handed over first; and pickles what it is given."""

    width = 4

    def __init__(self) -> None:
        self.todo: list[tuple[Future[Any], Any, Any]] = []

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        import pickle

        function, args = pickle.loads(pickle.dumps((function, args)))  # noqa: S301 - our own, a moment ago
        future: Future[Any] = Future()
        self.todo.append((future, function, args))
        if len(self.todo) == self.width:
            self.shutdown()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        while self.todo:
            future, function, args = self.todo.pop()
            future.set_result(function(*args))


def test_any_executor_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "CHUNK", 7)  # many units, most of them not at their deal's end
    plan = plan_of(SEATED)
    assert sum(1 for _ in plan.units()) % Backwards.width == 0
    answers = []
    for threads in (1, 2):
        progress = Progress(plan)
        with open_workers(threads) as workers:
            play_tournament(progress, workers)
        answers.append(json_of(progress))
    progress = Progress(plan)
    play_tournament(progress, Backwards())
    assert answers == [json_of(progress)] * 2


def test_the_size_of_units_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = json_of(played(DEALT))
    monkeypatch.setattr(making, "CHUNK", 3)
    assert json_of(played(DEALT)) == whole


def test_a_cell_is_what_a_match_of_the_same_seats_counts() -> None:
    progress = played(SEATED.replace("deals = 30", "deals = 30\nseed = 5\nseatings = 'listed'"))
    (event,) = make_tables(progress.plan, progress.outcomes, True).events
    for row in event.cross:
        if row.role == "saboteur":
            chairs = [Chair(row.player, "saboteur"), *[Chair(row.other, "miner")] * 3]
            result = run(seat_match("saboteur/krisnadi", chairs, Agents("saboteur")), 30, 5)
            assert row.rate == pytest.approx(result.wins[0] / 30, abs=1e-9)


def test_every_seat_is_counted_once_and_roles_are_those_dealt() -> None:
    progress = played(DEALT)
    (outcomes,) = progress.outcomes
    tally = Tally(outcomes)
    seats = np.sum([sums.seats for sums in tally.by_role.values()], axis=0)
    assert (seats == 3 * outcomes.event.seatings).all()
    saboteurs = np.sum([tally.of(player, "saboteur").seats for player in outcomes.event.players], axis=0)
    # A deal has the same roles in every seating: one saboteur of three, or none (a role card is left over).
    assert (saboteurs % outcomes.event.seatings == 0).all()
    wins = sum(int(sums.wins.sum()) for sums in tally.by_role.values())
    assert wins == sum(int(outcomes.won(a, b).sum()) for a, row in enumerate(outcomes.games) for b, _ in enumerate(row))


def test_stopping_does_not_depend_on_who_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "CHUNK", 16)
    text = (
        SEATED.replace("deals = 30", "deals = 4000")
        + """
        [stop]
        compare = ["means-ends-2016", "random"]
        role = "miner"
        level = 0.6
        every = 16
        """
    )
    one, two = played(text), played(text, threads=2)
    assert json_of(one) == json_of(two)
    (event,) = make_tables(one.plan, one.outcomes, one.finished).events
    assert event.stopped and event.deals < 4000 and event.deals % 16 == 0
    (decision,) = event.decisions
    assert decision.verdict == "first" and decision.low > 0


def test_units_of_another_plan_are_refused() -> None:
    progress = played(SEATED)
    result = [(unit.number, None) for unit in progress.plan.units()]
    with pytest.raises(BadInput, match="not those of this plan"):
        Progress(plan_of(SEATED)).resume([(result[1][0], None)])  # type: ignore[list-item]


def test_an_interrupted_tournament_says_so_and_counts_whole_units() -> None:
    progress = Progress(plan_of(DEALT))

    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with open_workers(1) as workers:
        play_tournament(progress, workers, tell=stop)
    assert progress.interrupted and progress.games == 20
    assert not make_tables(progress.plan, progress.outcomes, progress.finished).finished


def test_words_hold_wins_and_roles_by_seat() -> None:
    progress = played(SEATED)
    (outcomes,) = progress.outcomes
    for number, lineup in enumerate(outcomes.event.lineups):
        for place, seating in enumerate(lineup.seatings):
            roles = [lineup.chairs[chair].role == "saboteur" for chair in seating]
            assert np.array_equal(outcomes.role(number, place), np.tile(roles, (30, 1)))
            won = outcomes.won(number, place)
            assert (won[:, roles].all(axis=1) != won[:, ~np.array(roles)].any(axis=1)).all()


ONE_ROLE = """
game = "saboteur/krisnadi"
seats = 4
roles = { saboteur = 1 }
role_players = { saboteur = ["random", "means-ends-2016"], miner = ["random"] }
deals = 4
"""


def test_who_plays_other_roles_is_compared_in_the_roles_of_both_alone() -> None:
    progress = played(ONE_ROLE)
    (event,) = make_tables(progress.plan, progress.outcomes, progress.finished).events
    assert [each.role for each in event.differences] == ["saboteur"]
    stop = '[stop]\ncompare = ["random", "means-ends-2016"]\n'
    with pytest.raises(BadInput, match=r"do not play the same ones: say in which, role = 'saboteur'$"):
        plan_of(ONE_ROLE + stop)
    assert plan_of(ONE_ROLE + stop + 'role = "saboteur"').events[0].stop


def test_a_tournament_of_a_path_as_text_is_played_by_a_number_of_threads(tmp_path: Path) -> None:
    """As a script has it in a few lines."""
    path = tmp_path / "dealt.toml"
    path.write_text(f'name = "dealt"\n{DEALT}', "utf-8")
    plan = make_plan(read_tournament(str(path)), tmp_path)
    progress, expected = Progress(plan), Progress(plan)
    play_tournament(progress, 2)
    with open_workers() as workers:
        play_tournament(expected, workers)
    assert json_of(progress) == json_of(expected)
    with pytest.raises(BadInput, match="workers are a number of threads, or what open_workers gives, not None"):
        play_tournament(Progress(plan), None)  # type: ignore[arg-type]
    for wrong in (None, plan):
        with pytest.raises(BadInput, match="a file of settings is named by its path, not by "):
            read_tournament(wrong)  # type: ignore[arg-type]
