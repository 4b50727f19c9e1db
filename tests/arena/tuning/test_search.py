"""The search: what candidates score is what the arena counts, and a search that was cut short goes on to the same end."""

from __future__ import annotations

import dataclasses
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("optuna")

from molehunt.agents.registry import Agents
from molehunt.arena.match import MatchSpec, run, seat_match
from molehunt.arena.seating import Chair, parse_seats
from molehunt.arena.tuning.opposition import Opposition, read_oppositions
from molehunt.arena.tuning.race import gap_of_shares
from molehunt.arena.tuning.scoreboard import MEAN, WORST, Scoreboard, play_deals
from molehunt.arena.tuning.search import BATCH, CONFIRMING, FINAL, Found, Plan, propose, search, seed_of
from molehunt.arena.tuning.space import parse_space
from molehunt.arena.tuning.store import open_store
from molehunt.arena.workers import open_workers
from molehunt.core.errors import BadInput, UnknownName
from molehunt.studies.study import silent
from molehunt.studies.tuning_report import rows

LABEL = "saboteur/krisnadi"
AGENTS = Agents("saboteur")
EDITIONS = AGENTS.entry("decision-2019").editions()


def oppositions(*against: str, role: str | None = None, seats: int | None = 4) -> tuple[Opposition, ...]:
    return read_oppositions(LABEL, against, role, seats, AGENTS, MatchSpec(LABEL, ()))


def plan_of(trials: int = 2 * BATCH, role: str | None = "saboteur", over: str = MEAN, seed: int = 5) -> Plan:
    return Plan(
        agent="decision-2019",
        items=(),
        editions=EDITIONS,
        space=parse_space("d_delta=-3..5,goals_count", "decision-2019", EDITIONS),
        oppositions=oppositions("decision-2019", role=role),
        deals=150,
        final=100,
        confirm=200,
        trials=trials,
        seed=seed,
        over=over,
    )


def found_by(plan: Plan, threads: int = 1, store: Path | None = None) -> Found:
    with open_workers(threads) as workers, open_store(plan, store) as kept:
        return search(plan, workers, kept, silent)


@pytest.fixture(scope="module")
def whole() -> Found:
    """A search that ran through."""
    return found_by(plan_of())


# --- Whom the candidates play ---------------------------------------------------------------------------------------------


def test_one_player_takes_the_other_seats() -> None:
    assert [str(each) for each in oppositions("random", role="miner", seats=5)] == [
        "saboteur:random*2,miner:candidate*3"
    ]
    both = ["saboteur:random,miner:candidate*3", "saboteur:candidate,miner:random*3"]
    assert [str(each) for each in oppositions("random")] == both
    assert [str(each) for each in oppositions("random", "means-ends-2016", role="both")][:2] == both
    clue = Agents("speed_clue")
    (alone,) = read_oppositions("speed_clue", ["basic"], None, 3, clue, MatchSpec("speed_clue", ()))
    assert (str(alone), alone.match.rotate, alone.own) == ("candidate,basic*2", True, (0,))


def test_a_whole_seating_says_where_the_candidates_sit() -> None:
    text = "saboteur:candidate,saboteur:random,miner:candidate,miner:decision-2019:d_b=1.0*2"
    (found,) = oppositions(text, seats=None)
    assert (str(found), found.own, found.match.rotate) == (text, (0, 2), False)
    seated = found.seat("random")
    assert [chair.agent for chair in seated.chairs] == ["random"] * 3 + ["decision-2019:d_b=1.0"] * 2
    (found,) = oppositions("candidate,random*3")
    assert found.match.rotate


@pytest.mark.parametrize(
    ("against", "role", "error", "said"),
    [
        ("random*3", None, BadInput, "not the candidate's"),
        ("miner:random", None, BadInput, "not the candidate's"),
        ("saboteur:candidate,miner:random*3", "miner", BadInput, "whole seating already"),
        ("candidate,random*4", None, BadInput, "whole seating already"),
        ("nobody", None, UnknownName, "unknown agent 'nobody'"),
        ("random", "digger", UnknownName, "known: miner, saboteur, both"),
    ],
)
def test_what_is_wrong_with_an_opposition_is_said(
    against: str, role: str | None, error: type[BadInput], said: str
) -> None:
    with pytest.raises(error, match=said):
        oppositions(against, role=role)


def test_a_game_without_roles_has_no_role() -> None:
    with pytest.raises(BadInput, match="duel has no roles"):
        read_oppositions("duel", ["random"], "miner", 2, Agents("duel"), MatchSpec("duel", ()))


# --- What they score --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", ["saboteur:candidate,miner:random*3", "candidate,random*2,candidate"])
def test_what_candidates_score_is_what_the_arena_counts(seats: str) -> None:
    (opposition,) = oppositions(seats)
    match = opposition.seat("decision-2019")
    scores = play_deals(match, opposition.own, 7, 0, 40)
    arena = seat_match(LABEL, match.chairs, AGENTS, match.rotate)
    result = run(arena, 40 * arena.rotations, 7)
    assert scores.sum() * arena.rotations * len(opposition.own) == pytest.approx(
        result.wins[list(opposition.own)].sum()
    )
    later = play_deals(match, opposition.own, 7, 25, 15)
    assert np.array_equal(scores[25:], later)


def test_a_scoreboard_plays_each_deal_once_whoever_works() -> None:
    players = ["decision-2019", "decision-2019:d_delta=5.0", "decision-2019"]
    boards = []
    for threads in (1, 2):
        with open_workers(threads) as workers:
            board = Scoreboard(oppositions("decision-2019", role="both"), 3, workers)
            few = board.scores(players, 30)
            many = board.scores(players, 300)
            assert board.games == 2 * 2 * 300
            assert all(np.array_equal(some, all_of[:30]) for some, all_of in zip(few, many, strict=True))
            assert np.array_equal(many[0], many[2]) and not np.array_equal(many[0], many[1])
            boards.append(many)
    assert all(np.array_equal(one, other) for one, other in zip(*boards, strict=True))


def test_a_piece_of_work_can_be_sent_to_another_machine() -> None:
    (opposition,) = oppositions("random", role="miner")
    function, arguments = pickle.loads(  # noqa: S301 - pickled a moment ago, by us
        pickle.dumps((play_deals, (opposition.seat("decision-2019"), opposition.own, 3, 0, 20)))
    )
    assert np.array_equal(function(*arguments), play_deals(*arguments))


def test_the_worst_opposition_counts_where_it_is_asked_for() -> None:
    with open_workers(1) as workers:
        both = oppositions("random", role="both")
        mean, worst = (Scoreboard(both, 3, workers, over).scores(["decision-2019"], 60)[0] for over in (MEAN, WORST))
        each = Scoreboard(both, 3, workers).each(["decision-2019"], 60)[0]
    assert np.array_equal(mean, (each[0] + each[1]) / 2)
    assert worst.mean() == min(scores.mean() for scores in each) < mean.mean()


def test_the_worst_opposition_is_chosen_on_other_deals_than_those_that_are_reported() -> None:
    seats = ["saboteur:candidate", *["miner:decision-2019"] * 3]
    alike = oppositions(*(",".join([*seats[place:], *seats[:place]]) for place in range(4)))
    plan = dataclasses.replace(plan_of(BATCH, over=WORST), oppositions=alike, final=24, confirm=48)
    found = found_by(plan)
    with open_workers(1) as workers:
        final, confirming = (Scoreboard(alike, seed_of(plan.seed, stage), workers) for stage in (FINAL, CONFIRMING))
        pair = [found.best, found.default]
        chosen = [int(np.argmin([one.mean() for one in each])) for each in final.each(pair, plan.final)]
        fresh = confirming.each(pair, plan.confirm)
    assert any(
        min(one.mean() for one in each) < each[number].mean() for each, number in zip(fresh, chosen, strict=True)
    )
    ours, theirs = (each[number] for each, number in zip(fresh, chosen, strict=True))
    assert found.difference == gap_of_shares(ours, theirs)
    assert found.worst == tuple(str(alike[number]) for number in chosen)


# --- The search -------------------------------------------------------------------------------------------------------------


def test_a_search_avoids_what_is_known_to_be_bad(whole: Found) -> None:
    # Who plays no card of a value below 3 wins next to nothing.
    assert len(whole.trials) == 2 * BATCH
    bad = [trial for trial in whole.trials if float(trial.values["d_delta"]) > 3]
    assert bad and all(trial.difference < 0 for trial in bad)
    assert any(trial.dropped and trial.deals < 150 for trial in bad)
    assert not {trial.spec for trial in bad} & {name for name, _ in whole.finalists}
    best = next(trial for trial in whole.trials if trial.spec == whole.best)
    assert not best.dropped and best.deals == 150
    assert sum(whole.importance.values()) == pytest.approx(1)
    assert max(whole.importance, key=lambda name: whole.importance[name]) == "d_delta"


def test_the_confirmation_is_what_the_arena_plays_for_its_seed(whole: Found) -> None:
    rates = []
    for player in (whole.best, whole.default):
        chairs = parse_seats(f"saboteur:{player},miner:decision-2019*3", AGENTS.names(), ("miner", "saboteur"))
        rates.append(run(seat_match(LABEL, chairs, AGENTS), 200, whole.confirming_seed).wins[0] / 200)
    ((_, best, default, difference),) = whole.each
    assert [best, default] == pytest.approx(rates)
    assert whole.difference.mean == pytest.approx(rates[0] - rates[1]) == pytest.approx(difference.mean)
    assert whole.better == (whole.difference.low > 0)
    assert len({whole.plan.seed, seed_of(5, 1), whole.confirming_seed}) == 3


def test_what_is_said_of_rates_is_what_the_arena_says_of_the_same_games() -> None:
    agents = Agents("speed_clue")
    label, editions = "speed_clue/mitchell", agents.entry("basic").editions()
    plan = dataclasses.replace(
        plan_of(BATCH),
        agent="basic",
        editions=editions,
        space=parse_space("own=0..2", "basic", editions),
        oppositions=read_oppositions(label, ["random"], None, 3, agents, MatchSpec(label, ())),
        deals=128,
    )
    found = found_by(plan)
    told = {row.id: row for row in rows(found)}
    for player, name in ((found.best, "best"), (found.default, "default")):
        match = seat_match(label, [Chair(player), Chair("random"), Chair("random")], agents, rotate=True)
        rate = run(match, 3 * plan.confirm, found.confirming_seed).rates[0]
        row = told[f"rate/1, {name}"]
        assert row.games == 3 * plan.confirm
        assert (row.measured, row.low, row.high) == pytest.approx(
            (100 * rate.rate, 100 * rate.low, 100 * rate.high), abs=1e-3
        )


def test_the_default_is_no_better_than_itself() -> None:
    # Nothing in this space changes the play of a saboteur.
    plan = dataclasses.replace(
        plan_of(BATCH), space=parse_space("map_useless=-9..-4", "decision-2019", EDITIONS), deals=130
    )
    found = found_by(plan)
    assert not found.better
    assert (found.difference.mean, found.difference.low, found.difference.high) == (0, 0, 0)
    assert found.importance == {}


def test_a_search_is_the_same_on_two_threads(whole: Found) -> None:
    assert found_by(plan_of(), 2) == whole


def test_a_search_may_be_made_longer_and_goes_on_where_it_was_cut_short(whole: Found, tmp_path: Path) -> None:
    store = tmp_path / "search.journal"
    assert found_by(plan_of(BATCH), store=store).trials == whole.trials[:BATCH]
    assert found_by(plan_of(), store=store).trials == whole.trials
    written = store.read_bytes()
    lines = written.splitlines(keepends=True)
    store.write_bytes(b"".join(lines[:-3]) + lines[-3][:40])  # as a killed process leaves it
    with open_store(plan_of(), store) as kept:
        assert BATCH < len(kept.trials()) < 2 * BATCH
    assert found_by(plan_of(), store=store) == whole
    assert store.read_bytes().count(b'"dropped"') == 2 * BATCH  # nothing is kept twice
    store.write_bytes(lines[0][:-5])
    with open_store(plan_of(), store) as kept:
        assert kept.trials() == []


def test_a_search_does_not_go_on_with_other_rules_or_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "search.journal"
    with open_store(plan_of(), store):
        pass
    monkeypatch.setattr("molehunt.arena.tuning.search.rules_and_players", lambda: "changed")
    with pytest.raises(BadInput, match="begun with other rules or players of molehunt"), open_store(plan_of(), store):
        pass


def test_a_store_keeps_to_its_search(tmp_path: Path) -> None:
    store = tmp_path / "search.journal"
    with (
        open_store(plan_of(), store),
        pytest.raises(BadInput, match="in use by another search"),
        open_store(plan_of(), store),
    ):
        pass
    with pytest.raises(BadInput, match="its seed is 5, not 6"), open_store(plan_of(seed=6), store):
        pass
    notes = tmp_path / "notes.txt"
    notes.write_text("a line\nand half of one")
    with pytest.raises(BadInput, match="is no journal of a search"), open_store(plan_of(), notes):
        pass
    assert notes.read_text() == "a line\nand half of one"
    notes.write_text(json.dumps({"op_code": 99}) + "\n")
    with pytest.raises(BadInput, match="is no journal of a search"), open_store(plan_of(), notes):
        pass
    with pytest.raises(BadInput, match="cannot write"), open_store(plan_of(), tmp_path):
        pass


def test_proposals_depend_on_the_seed_and_the_batches_before(whole: Found) -> None:
    plan = plan_of()
    first = propose(plan, [], 0)
    assert first == propose(plan, [], 0) == [trial.values for trial in whole.trials[:BATCH]]
    assert propose(dataclasses.replace(plan, seed=6), [], 0) != first
    assert propose(plan, whole.trials[:BATCH], 1) == [trial.values for trial in whole.trials[BATCH:]]
    assert len({str(values) for values in first}) == BATCH


def test_trials_are_above_the_default_by_what_both_scored(whole: Found) -> None:
    trial = whole.trials[0]
    with open_workers(1) as workers:
        ours, theirs = Scoreboard(whole.plan.oppositions, 5, workers).scores([trial.spec, "decision-2019"], trial.deals)
    apart = gap_of_shares(ours, theirs)
    assert (trial.difference, trial.low, trial.high) == (apart.mean, apart.low, apart.high)
    assert Chair("candidate", "saboteur") in whole.plan.oppositions[0].match.chairs
