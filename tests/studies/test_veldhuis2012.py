"""The study of 2012: what is counted, how the findings are judged, and what the report holds."""

from __future__ import annotations

import dataclasses
import json
import math
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.kripke_parameters import NORMAL, Kripke2012
from molehunt.arena.match import run, seat_match
from molehunt.arena.minds import minds_at, true_world
from molehunt.arena.seating import parse_seats
from molehunt.arena.statistics import mean_interval, wilson
from molehunt.arena.workers import open_workers
from molehunt.core.record import Record
from molehunt.core.replay import Replay
from molehunt.core.streams import game_seeds
from molehunt.games.registry import game_entry, make_game
from molehunt.studies import kripke_rounds, veldhuis2012
from molehunt.studies.kripke_eighteen import SENTENCES
from molehunt.studies.kripke_findings import Finding, above, findings, least_of, together, within, worst
from molehunt.studies.kripke_rounds import Setup, Tally, setups, tallies, watch
from molehunt.studies.study import AGREES, DIFFERS, FAILS, HOLDS, NONE_PUBLISHED, UNDECIDED, load_study, silent
from molehunt.studies.veldhuis2012 import CHART, REGION, STUDY, Region, search

FINDINGS = [
    "1-saboteurs-win",
    "2-truth-believed",
    "3-fewer-states",
    "4-depth-no-difference",
    "5-explicit-like-adaptive",
    "6a-undercover-miners-win",
    "6b-undercover-depth-one",
    "6c-undercover-confuses",
]

# --- Setups -------------------------------------------------------------------------------------------------------------


def test_there_are_twelve_setups() -> None:
    found = setups()
    assert len(found) == len({setup.name for setup in found}) == 12
    assert {(setup.strategy, setup.depth, setup.factor) for setup in found} == {
        (strategy, depth, factor)
        for strategy in ("explicit", "adaptive", "undercover")
        for depth in (1, 2)
        for factor in (1.5, 5.0)
    }
    for setup in setups(("threshold=-1", "suspecting=1")):
        agent = Agents("saboteur").make(setup.agent)
        changes: dict[str, Any] = {"strategy": setup.strategy, "depth": setup.depth, "disbelief": setup.factor}
        assert agent.parameters == dataclasses.replace(  # type: ignore[attr-defined]
            NORMAL, **changes, threshold=-1.0, suspecting=1
        )


@pytest.mark.parametrize("moved", [CHART, REGION])
def test_what_is_moved_are_numbers_of_the_player(moved: dict[str, tuple[float, ...]]) -> None:
    known = {field.name for field in dataclasses.fields(Kripke2012)}
    assert set(moved) <= known
    for name, values in moved.items():
        assert len(set(values)) == len(values)
        for value in values:
            agent: Any = Agents("saboteur").make(Setup("adaptive", 2, 1.5, (f"{name}={value:g}",)).agent)
            assert getattr(agent.parameters, name) == value
    if moved is CHART:
        assert known - set(moved) == {"depth", "strategy", "disbelief"}, "the paper's own setups vary these"
        assert all(getattr(NORMAL, name) not in values for name, values in moved.items())


# --- Counting -----------------------------------------------------------------------------------------------------------


def records_of(setup: Setup, rounds: int, seed: int) -> list[Record]:
    """The rounds of a setup as records."""
    agents = Agents("saboteur")
    chairs = parse_seats(f"{setup.agent}*5", agents.names(), game_entry("saboteur").roles)
    records: list[Record] = []
    run(seat_match("saboteur/veldhuis:rounds=1", chairs, agents), rounds, seed, 1, None, records.extend)
    return records


@pytest.mark.parametrize("setup", setups()[::3], ids=lambda setup: setup.name)
def test_a_tally_is_what_its_rounds_say(setup: Setup) -> None:
    rounds, seed = 12, 5
    wins, all_true, failures, means = 0, 0, 0, []
    for record in records_of(setup, rounds, seed):
        replay = Replay(record, make_game)
        end = len(replay.actions)
        saboteurs = {seat for seat in range(5) if replay.states[0]["roles"][0, seat]}
        wins += set(record.ending.winners) == saboteurs
        world = true_world(replay, end)
        believed = [set(mind.model.possible(mind.seat, 0, "belief")) for mind in minds_at(replay, end)]
        failures += sum(world not in states for states in believed)
        all_true += all(world in states for states in believed)
        means.append(sum(len(states) for states in believed) / 5)
    tally = watch(setup, game_seeds(seed, 0, rounds))
    assert (tally.rounds, tally.won.sum(), tally.all_true.sum(), tally.lost.sum()) == (rounds, wins, all_true, failures)
    assert tally.believed == pytest.approx(means)


def alike(one: Tally, other: Tally) -> bool:
    """Whether two tallies say the same of every round."""
    return all(map(np.array_equal, dataclasses.astuple(one), dataclasses.astuple(other)))


def test_tallies_add_up_over_pieces_and_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    todo = setups()[:3]
    told: list[tuple[int, int]] = []
    with ThreadPoolExecutor(1) as pool:
        whole = tallies(todo, 25, 4, pool, lambda done, total: told.append((done, total)))
    assert told[-1] == (75, 75) and all(a[0] < b[0] for a, b in pairwise(told))
    monkeypatch.setattr(kripke_rounds, "CHUNK", 10)
    with ThreadPoolExecutor(3) as pool:
        pieces = tallies(todo, 25, 4, pool, silent)
    for setup in todo:
        assert alike(whole[setup], pieces[setup]) and whole[setup].rounds == 25
    assert alike(whole[todo[0]], watch(todo[0], game_seeds(4, 0, 25)))


# --- Verdicts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(51, 60, HOLDS), (50, 60, UNDECIDED), (40, 60, UNDECIDED), (40, 50, UNDECIDED), (40, 49, FAILS)],
)
def test_above_a_line(low: float, high: float, verdict: str) -> None:
    assert above(low, high, 50) == verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-9, 9, HOLDS),
        (-10, 9, UNDECIDED),
        (-9, 10, UNDECIDED),
        (-30, 30, UNDECIDED),
        (10, 20, UNDECIDED),
        (11, 20, FAILS),
        (-20, -11, FAILS),
        (-20, -10, UNDECIDED),
    ],
)
def test_within_a_margin(low: float, high: float, verdict: str) -> None:
    assert within(low, high, 10) == verdict


def test_the_worst_part_decides() -> None:
    assert worst([HOLDS, UNDECIDED, FAILS]) == FAILS
    assert worst([HOLDS, UNDECIDED]) == UNDECIDED
    assert worst([HOLDS, HOLDS]) == HOLDS


ROUNDS = 10_000


def a_tally(wins: float, truth: float = 0.97, lost: float = 0.01, states: float = 4.0) -> Tally:
    """What many rounds came to: shares of saboteur wins, of rounds and agents; believed states, a half more or less."""
    numbers = np.arange(ROUNDS)
    without = round((1 - truth) * ROUNDS)
    agents, more = divmod(max(round(lost * 5 * ROUNDS), without), without)
    return Tally(
        numbers < round(wins * ROUNDS),
        np.where(numbers < without, agents + (numbers < more), 0),
        states + np.where(numbers % 2, 0.5, -0.5),
    )


def shuffled(tally: Tally, number: int) -> Tally:
    """The same rounds in an order of their own, so that setups have nothing to do with each other."""
    order = np.random.default_rng(number).permutation(tally.rounds)
    return Tally(tally.won[order], tally.lost[order], tally.believed[order])


def as_published() -> dict[Setup, Tally]:
    """Rounds in which everything is as the paper says."""
    made = {}
    for setup in setups():
        states = 4.0 if setup.factor == 1.5 else 3.0
        if setup.strategy == "undercover":
            made[setup] = a_tally(0.02 if setup.depth == 2 else 0.10, 0.95, 0.05, states)
        else:
            made[setup] = a_tally(0.8, states=states)
    return made


def judged(*changes: tuple[dict[str, object], Tally]) -> dict[str, Finding]:
    """The findings of rounds that are as the paper says, but for those of some setups."""
    made = as_published()
    for where, tally in changes:
        for setup in made:
            if all(getattr(setup, key) == value for key, value in where.items()):
                made[setup] = tally
    found = findings({setup: shuffled(tally, number) for number, (setup, tally) in enumerate(made.items())})
    assert [finding.name for finding in found] == FINDINGS
    return {finding.name: finding for finding in found}


def test_all_findings_hold_where_all_is_as_published() -> None:
    found = judged()
    assert {finding.verdict for finding in found.values()} == {HOLDS}
    assert found["1-saboteurs-win"].measured == pytest.approx(80)
    assert found["1-saboteurs-win"].rounds == 8 * ROUNDS
    assert found["2-truth-believed"].measured == pytest.approx(100 * (8 * 0.97 + 4 * 0.95) / 12)
    assert found["3-fewer-states"].measured == pytest.approx(1)
    half = math.hypot(0.5, 0.5) * 1.96 / math.sqrt(ROUNDS)
    # Which of the six is the least, the same rounds have chosen: it may lie higher by as much as the six hold together.
    assert found["3-fewer-states"].high == pytest.approx(1 + half * 2.638 / 1.96, rel=1e-3)
    assert found["3-fewer-states"].low == pytest.approx(1 - half, rel=1e-3)
    assert found["4-depth-no-difference"].measured == found["5-explicit-like-adaptive"].measured == 0
    assert found["6a-undercover-miners-win"].measured == pytest.approx(98)
    assert found["6b-undercover-depth-one"].measured == pytest.approx(8)
    assert found["6c-undercover-confuses"].measured == pytest.approx(4)
    for finding in found.values():
        assert finding.low < finding.measured < finding.high


def test_what_happens_in_one_deal_is_one_observation_in_however_many_setups() -> None:
    rounds = 400
    random = np.random.default_rng(5)
    hard = random.random(rounds)

    def on_the_same_deals(more: float) -> Tally:
        """Saboteurs who win what is hard for miners, whatever the setup; all five agents are lost in some deals."""
        return Tally(hard < 0.6 + more, np.where(hard > 0.95 - more, 5, 0), 4 + hard)

    found = {
        setup: on_the_same_deals(0.01 * (setup.strategy == "undercover") + 0.002 * setup.depth) for setup in setups()
    }
    named = {finding.name: finding for finding in findings(found)}

    def width(name: str) -> float:
        return named[name].high - named[name].low

    # Eight setups of the same deals are worth little more than one, not eight times as much.
    assert width("1-saboteurs-win") == pytest.approx(2 * 196 * math.sqrt(0.6 * 0.4 / rounds), rel=0.1)
    # A difference that few deals make is known better than that of rounds that have nothing to do with each other.
    assert width("4-depth-no-difference") < 196 * math.sqrt(2 * 0.6 * 0.4 / rounds) / 2
    # Agents of one round are lost together.
    lost = [found[Setup(strategy, 1, 5.0)].lost for strategy in ("undercover", "explicit")]
    by_deals = 2 * 196 * float((lost[0] - lost[1]).std()) / 5 / math.sqrt(rounds)
    assert width("6c-undercover-confuses") == pytest.approx(by_deals, rel=0.25)


def test_agents_of_a_round_are_no_five_rounds() -> None:
    lost = np.where(np.arange(100) < 10, 5, 0)
    tally = Tally(np.zeros(100, np.bool_), lost, np.full(100, 4.0))
    rows = {row.id: row for row in veldhuis2012.setup_rows(setups()[0], tally)}
    row = rows[f"lost/{setups()[0].name}"]
    low, high = wilson(10, 100)
    assert (row.measured, row.low, row.high) == (10.0, round(100 * low, 3), round(100 * high, 3))


CLEAR = {"strategy": "adaptive", "depth": 2, "factor": 5.0}


@pytest.mark.parametrize(
    ("name", "where", "tally", "verdict"),
    [
        # Most of the time: above a half, of the two strategies that can become explicit.
        ("1-saboteurs-win", {"strategy": "explicit"}, a_tally(0.1), FAILS),
        ("1-saboteurs-win", {"strategy": "explicit"}, a_tally(0.2), UNDECIDED),
        ("1-saboteurs-win", {"strategy": "explicit"}, a_tally(0.25), HOLDS),
        ("1-saboteurs-win", {"strategy": "undercover"}, a_tally(0.0), HOLDS),
        # Almost every: above nine in ten.
        ("2-truth-believed", {}, a_tally(0.8, truth=0.89), FAILS),
        ("2-truth-believed", {}, a_tally(0.8, truth=0.90), UNDECIDED),
        ("2-truth-believed", {}, a_tally(0.8, truth=0.91), HOLDS),
        # One configuration of six is enough to fail.
        ("3-fewer-states", CLEAR, a_tally(0.8, states=4.1), FAILS),
        ("3-fewer-states", CLEAR, a_tally(0.8, states=4.0), UNDECIDED),
        ("3-fewer-states", CLEAR, a_tally(0.8, states=3.9), HOLDS),
        ("4-depth-no-difference", CLEAR, a_tally(0.65), FAILS),
        ("4-depth-no-difference", CLEAR, a_tally(0.70), UNDECIDED),
        ("4-depth-no-difference", CLEAR, a_tally(0.75), HOLDS),
        ("4-depth-no-difference", CLEAR, a_tally(0.95), FAILS),
        ("4-depth-no-difference", {"strategy": "undercover", "depth": 2}, a_tally(0.9), HOLDS),
        ("5-explicit-like-adaptive", CLEAR, a_tally(0.55), FAILS),
        ("5-explicit-like-adaptive", CLEAR, a_tally(0.60), UNDECIDED),
        ("5-explicit-like-adaptive", CLEAR, a_tally(0.65), HOLDS),
        ("6a-undercover-miners-win", {"strategy": "undercover", "depth": 2}, a_tally(0.12), FAILS),
        ("6a-undercover-miners-win", {"strategy": "undercover", "depth": 2}, a_tally(0.10), UNDECIDED),
        ("6a-undercover-miners-win", {"strategy": "undercover", "depth": 2}, a_tally(0.08), HOLDS),
        ("6a-undercover-miners-win", {"strategy": "undercover", "depth": 1}, a_tally(0.90), HOLDS),
        ("6b-undercover-depth-one", {"strategy": "undercover", "depth": 1}, a_tally(0.01), FAILS),
        ("6b-undercover-depth-one", {"strategy": "undercover", "depth": 1}, a_tally(0.02), UNDECIDED),
        ("6b-undercover-depth-one", {"strategy": "undercover", "depth": 1}, a_tally(0.03), HOLDS),
        ("6c-undercover-confuses", {"strategy": "undercover"}, a_tally(0.05, truth=0.98, lost=0.005), FAILS),
        ("6c-undercover-confuses", {"strategy": "undercover"}, a_tally(0.05, lost=0.01), UNDECIDED),
        ("6c-undercover-confuses", {"strategy": "undercover"}, a_tally(0.05, lost=0.015), HOLDS),
    ],
)
def test_findings_at_their_lines(name: str, where: dict[str, object], tally: Tally, verdict: str) -> None:
    assert judged((where, tally))[name].verdict == verdict


def test_the_number_shown_is_the_worst_of_its_parts() -> None:
    found = judged((CLEAR, a_tally(0.73, states=3.6)))
    assert found["3-fewer-states"].measured == pytest.approx(0.4)
    assert found["4-depth-no-difference"].measured == pytest.approx(-7)
    assert found["5-explicit-like-adaptive"].measured == pytest.approx(7)


def test_the_least_of_several_numbers_lies_in_its_interval() -> None:
    """Of six setups without a difference the least looks like one; and one of six fails one time in seven, if each may."""
    random, rounds, runs = np.random.default_rng(3), 60, 1000
    for shifts in (np.zeros(6), np.array([0.0, 0.1, 0.2, 1, 1, 1]), np.array([0.0, 2, 2, 2, 2, 2])):
        inside = 0
        for _ in range(runs):
            parts = [mean_interval(random.normal(shift, 1, rounds)) for shift in shifts]
            value, low, high = least_of(parts, rounds)
            assert value == min(part[0] for part in parts)
            inside += low <= 0 <= high
        assert inside / runs > 0.94


def test_four_differences_seldom_fail_where_all_of_them_are_at_their_line() -> None:
    random, rounds, runs = np.random.default_rng(4), 200, 400
    failed = 0
    for _ in range(runs):
        parts = [mean_interval(random.normal(10, 40, rounds)) for _ in range(4)]
        verdicts = [within(low, high, 10.0) for _, low, high in together(parts, rounds)]
        failed += worst(verdicts) == FAILS
    assert failed / runs < 0.05


def test_a_finding_as_a_row() -> None:
    for verdict, wanted in ((HOLDS, AGREES), (FAILS, DIFFERS), (UNDECIDED, NONE_PUBLISHED)):
        row = Finding("n", "what", 1.23456, -1.0004, 2.9996, verdict, 7).row("finding/")
        assert (row.id, row.quantity, row.verdict) == ("finding/n", f"what: {verdict}", wanted)
        assert (row.published, row.measured, row.low, row.high, row.games) == (None, 1.235, -1.0, 3.0, 7)


# --- The rows -----------------------------------------------------------------------------------------------------------


def eighteen(changes: str) -> list[str]:
    names = [*(sentence.name for sentence in SENTENCES), "twenty-points"]
    names.insert(names.index("2-truth-believed") + 1, "3-fewer-states")
    return [f"eighteen/{changes}/{name}" for name in names]


def test_a_small_study_has_all_rows_on_any_number_of_threads() -> None:
    told: list[tuple[int, int]] = []
    report = STUDY.run(10, 1, 1, lambda done, total: told.append((done, total)))
    names = [setup.name for setup in setups()]
    assert [row.id for row in report.rows] == [
        *(f"finding/{name}" for name in FINDINGS),
        *(f"{kind}/{name}" for kind in ("wins", "truth", "lost", "states") for name in names),
        *eighteen("default"),
        *(f"region/cover=9+close=6/{name}" for name in FINDINGS),
        *eighteen("cover=9+close=6"),
        *(
            row
            for changes in ("cover=1", "cover=9", "cover=1+close=4")
            for row in (*(f"sentence/{changes}/{name}" for name in FINDINGS), *eighteen(changes))
        ),
    ]
    assert told[-1] == (600, 600)
    assert all(row.low <= row.measured <= row.high for row in report.rows)
    assert all(row.games == 10 for row in report.rows if not row.id.startswith(("finding/", "region/", "sentence/")))
    assert all(any(row.id.startswith(section.prefix) for section in STUDY.sections) for row in report.rows)
    assert STUDY.run(10, 1, 3).rows == report.rows
    assert STUDY.run(10, 2, 1).rows != report.rows
    # What is written.
    import msgspec

    written = json.loads(msgspec.json.encode(report))
    assert list(written) == ["study", "seconds", "rows"] and written["study"] == "veldhuis2012"
    for row in written["rows"]:
        assert list(row) == ["id", "quantity", "published", "measured", "low", "high", "games", "verdict"]
        assert row["published"] is None and row["verdict"] in (AGREES, DIFFERS, NONE_PUBLISHED)


def test_rows_of_a_setup_are_its_tally() -> None:
    rows = {row.id: row for row in STUDY.run(10, 3, 2).rows}
    for setup in setups()[::5]:
        tally = watch(setup, game_seeds(3, 0, 10))
        assert rows[f"wins/{setup.name}"].measured == 10 * tally.won.sum()
        assert rows[f"truth/{setup.name}"].measured == 10 * tally.all_true.sum()
        assert rows[f"lost/{setup.name}"].measured == 2 * tally.lost.sum()
        assert rows[f"states/{setup.name}"].measured == pytest.approx(tally.believed.mean(), abs=0.001)


def test_sensitivity_appears_when_there_are_enough_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(veldhuis2012, "CHART", {"threshold": (-1.0, -6.0), "close": (6.0,)})
    monkeypatch.setattr(veldhuis2012, "SENSITIVITY_LEAST", 4)
    monkeypatch.setattr(veldhuis2012, "SENSITIVITY_SHARE", 2)
    assert not any(row.id.startswith("sensitivity/") for row in STUDY.run(7, 1, 1).rows)
    told: list[tuple[int, int]] = []
    rows = STUDY.run(8, 1, 1, lambda done, total: told.append((done, total))).rows
    found = {row.id: row for row in rows if row.id.startswith("sensitivity/")}
    assert list(found) == [
        f"sensitivity/{change}/{name}" for change in ("threshold=-1", "threshold=-6", "close=6") for name in FINDINGS
    ]
    assert told[-1] == (12 * (5 * 8 + 3 * 4),) * 2 and all(a[0] < b[0] for a, b in pairwise(told))
    assert found["sensitivity/close=6/1-saboteurs-win"].games == 8 * 4
    with ThreadPoolExecutor(1) as pool:
        alone = findings(tallies(setups(("close=6",)), 4, 1, pool, silent))
    assert [finding.row("sensitivity/close=6/") for finding in alone] == list(found.values())[-8:]


def test_a_tenth_of_four_hundred_rounds_is_enough_for_sensitivity() -> None:
    assert (veldhuis2012.SENSITIVITY_SHARE, veldhuis2012.SENSITIVITY_LEAST) == (10, 40)
    assert STUDY.default_games >= 400 > STUDY.small_games


def test_search_ranks_choices_by_how_many_findings_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(veldhuis2012, "SAMPLES", 4)
    with open_workers(2) as two, open_workers(1) as one:
        found = search(6, 1, two, silent)
        assert len(found) == 4 and search(6, 1, one, silent) == found
    held = [region.held for region in found]
    assert held == sorted(held, reverse=True)
    assert [region for region in found if not region.changes], "the defaults are among them"
    for region in found:
        with ThreadPoolExecutor(1) as pool:
            again = findings(tallies(setups(region.changes), 6, 1, pool, silent))
        assert region.verdicts == {finding.name: finding.verdict for finding in again}
        assert region.saboteur_wins == again[0].measured


def test_columns_of_a_region() -> None:
    verdicts = dict.fromkeys(FINDINGS, HOLDS) | {"3-fewer-states": FAILS, "6a-undercover-miners-win": UNDECIDED}
    region = Region(("limit=4", "close=6"), verdicts, 61.6)
    assert region.columns() == {
        "hold": "6 of 8",
        "do not": "3",
        "undecided": "6a",
        "saboteurs win": "62 %",
        "numbers": "limit=4, close=6",
    }
    assert region.values() == {**region.columns(), "hold": 6, "saboteurs win": 61.6}
    assert Region((), dict.fromkeys(FINDINGS, HOLDS), 50.0).columns()["numbers"] == "the defaults"
    assert Region((), dict.fromkeys(FINDINGS, HOLDS), 50.0).columns()["do not"] == "-"


def test_the_study_is_in_the_list_of_studies() -> None:
    assert load_study("veldhuis2012") is STUDY
