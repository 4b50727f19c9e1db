"""The posterior over saboteurs and goals: against enumeration, against the deal, and on games of known players."""

from __future__ import annotations

import re
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest

from molehunt.core.kernels import kernel
from molehunt.core.position import Position
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.cards import GOLD, MINER, UNKNOWN_GOAL
from molehunt.games.saboteur.game import Saboteur, check_game
from molehunt.games.saboteur.ruleset import MAX_SEATS
from molehunt.learning.saboteur.habits import Batch, mixed, read, with_claims
from molehunt.reading.saboteur.deeds import (
    CHOICES,
    CIRCUMSTANCES,
    DEEDS,
    FALSE_CLAIM,
    NO_DEED,
    SUSPECTED,
    TRUSTED,
    trust_level,
)
from molehunt.reading.saboteur.habits import STYLE_NAMES, STYLES, chances_of, decode, encode, habits
from molehunt.reading.saboteur.suspicion import (
    ALIKE,
    CASE,
    DEPENDENT,
    INDEPENDENT,
    SCRATCH,
    close,
    deal_of,
    new_cases,
    note,
    open_case,
    posterior,
    suspect_styles,
)
from molehunt.reading.saboteur.telling import weigh_turns

ALL_GOALS = 7


def game_of(ruleset: str, seats: int) -> Saboteur:
    return check_game("a test", make_game("saboteur", ruleset, seats))


@kernel
def open_one(cases: Any, scratch: Any, params: Any) -> None:
    open_case(cases[0], scratch[0], params)


@kernel
def note_one(cases: Any, events: Any, rows: Any, teams: Any, odds: Any, scratch: Any, params: Any) -> None:
    note(cases[0], events[0], rows, teams, odds, scratch[0], params)


@kernel
def close_one(cases: Any, events: Any, scratch: Any, params: Any) -> None:
    close(cases[0], events[0], scratch[0], params)


@kernel
def believe(
    cases: Any, seat: int, role: int, may_be: int, counts: float, teams: Any, odds: Any, scratch: Any, joint: Any
) -> None:
    posterior(cases[0], seat, role, may_be, counts, teams, odds, scratch[0], joint)


class Onlooker:
    """A case that is told the events of one play, and beside it, move by move, what every deed was."""

    def __init__(self, ruleset: str, seats: int, seed: int) -> None:
        self.game = game_of(ruleset, seats)
        self.position = Position(self.game, seed)
        self.deal = deal_of(self.game)
        self.cases, self.scratch = new_cases(1, seats), np.zeros(1, SCRATCH)
        open_one(self.cases, self.scratch, self.game.params)
        self.deeds: list[tuple[int, Any, Any]] = []

    def play(self, action: str | int) -> None:
        seat = self.position.to_move
        told = self.position.play(action)
        other = (seat + 1) % self.game.seats
        teams, odds = self.deal
        event = told[other : other + 1].copy()
        note_one(self.cases, event, habits(), teams, odds, self.scratch, self.game.params)
        case = self.cases[0]
        self.deeds.append((seat, case["last_deed"].copy(), case["last_circumstances"].copy()))
        if event["ended"][0] and event["role"][0] >= 0:
            close_one(self.cases, event, self.scratch, self.game.params)

    def last(self, role: int = 0, gold: int = 1) -> str:
        return DEEDS[self.deeds[-1][1][role, gold]]

    def joint(self, seat: int, role: int, may_be: int = ALL_GOALS, counts: float = DEPENDENT) -> Any:
        joint = np.zeros((len(self.deal.teams), 3))
        believe(self.cases, seat, role, may_be, counts, *self.deal, self.scratch, joint)
        return joint


def evidence(deeds: list[tuple[int, Any, Any]], may_be: int, counts: float) -> Any:
    """The logarithm of how likely each seat's deeds are: shape (seats, styles, roles, goals), the gold's place with an exponent."""
    table = habits().reshape(len(STYLE_NAMES), 2, CIRCUMSTANCES, len(DEEDS))
    total = np.zeros((MAX_SEATS, len(STYLE_NAMES), 2, 3))
    for mover, deed, where in deeds:
        for role, gold in product(range(2), range(3)):
            if deed[role, gold] != NO_DEED:
                total[mover, :, role, gold] += table[:, role, where[gold], deed[role, gold]]
    goals = [goal for goal in range(3) if may_be >> goal & 1]
    mean = total[..., goals].mean(axis=-1, keepdims=True)
    return mean + counts * (total - mean)


def enumerate_styles(by_style: Any) -> float:
    """How likely the deeds of some seats are together, every style of every seat one by one; shape (seats, styles)."""
    total = 0.0
    for styles in product(range(len(STYLE_NAMES)), repeat=len(by_style)):
        chance_of_styles = (1 - ALIKE) / len(STYLE_NAMES) ** len(by_style)
        chance_of_styles += ALIKE / len(STYLE_NAMES) if len(set(styles)) == 1 else 0.0
        total += chance_of_styles * prod(row[style] for row, style in zip(by_style, styles, strict=True))
    return total


@pytest.mark.parametrize("counts", [INDEPENDENT, DEPENDENT])
@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [("krisnadi", 3), ("krisnadi", 4), ("official:rounds=1", 4), ("krisnadi:speak=yes", 4), ("small", 3)],
)
def test_the_posterior_is_that_of_enumeration(ruleset: str, seats: int, counts: float) -> None:
    """Every set of saboteurs, every goal and every style of every seat, one by one."""
    chance = np.random.default_rng(5)
    table = Onlooker(ruleset, seats, 3)
    for _ in range(14):
        if table.position.outcome is not None:
            break
        table.play(chance.choice([int(action) for action in table.position.legal_actions]))
    seat, role = 1, 0
    may_be = int(table.cases[0]["gold_may_be"])
    likely = np.exp(evidence(table.deeds, may_be, counts))
    weights = np.zeros((len(table.deal.teams), 3))
    for (number, team), gold in product(enumerate(table.deal.teams), range(3)):
        if may_be >> gold & 1 and (team >> seat & 1) == role:
            others = [likely[other, :, team >> other & 1, gold] for other in range(seats) if other != seat]
            weights[number, gold] = table.deal.odds[number] * enumerate_styles(others)
    found = table.joint(seat, role, may_be, counts)
    assert found.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(found, weights / weights.sum(), rtol=1e-9, atol=1e-15)
    assert found.max() > 1.05 * found[found > 0].min()


@pytest.mark.parametrize(("ruleset", "seats"), [("krisnadi", 4), ("official:rounds=1", 3)])
def test_the_styles_of_the_others_are_those_of_enumeration(ruleset: str, seats: int) -> None:
    """The marginal of each seat over all sets of saboteurs, goals and styles that go with what the one who asks knows."""
    chance = np.random.default_rng(8)
    table = Onlooker(ruleset, seats, 6)
    for _ in range(11):
        table.play(chance.choice([int(action) for action in table.position.legal_actions]))
    asking = 1
    view = table.position.view_record(asking)
    role, likely = int(view["role"][0]), np.exp(evidence(table.deeds, int(table.cases[0]["gold_may_be"]), DEPENDENT))
    goals = [goal for goal in range(3) if view["goals"][0, goal] in (GOLD, UNKNOWN_GOAL)]
    found = np.ones((seats, len(STYLE_NAMES)))
    suspect_styles(table.cases, view, *table.deal, table.scratch, found)
    assert (found[asking] == 0.0).all()
    for seat in range(seats):
        if seat == asking:
            continue
        others = [other for other in range(seats) if other not in {seat, asking}]
        wanted = np.zeros(len(STYLE_NAMES))
        for (number, team), gold, style in product(enumerate(table.deal.teams), goals, range(len(STYLE_NAMES))):
            if (team >> asking & 1) == role:
                own = np.zeros(len(STYLE_NAMES))
                own[style] = likely[seat, style, team >> seat & 1, gold]
                rows = [own, *(likely[other, :, team >> other & 1, gold] for other in others)]
                wanted[style] += table.deal.odds[number] * enumerate_styles(rows)
        np.testing.assert_allclose(found[seat], wanted / wanted.sum(), rtol=1e-9, atol=1e-15)
        assert found[seat].max() > 1.5 / len(STYLE_NAMES)


def test_a_round_whose_gold_was_not_seen_tells_of_styles_by_all_its_places() -> None:
    """What is kept of each seat is its own marginal: the others' moves say how likely each place is."""
    table = Onlooker("official:rounds=2", 3, 11)
    chance = np.random.default_rng(3)
    roles, may_be = table.position.states["roles"][0], 0
    while table.position.states["round"][0] == 0:
        roles, may_be = table.position.states["roles"][0].copy(), int(table.cases[0]["gold_may_be"])
        wanted = [str(action) for action in table.position.legal_actions if not str(action).startswith("P_")]
        table.play(chance.choice(wanted or [str(action) for action in table.position.legal_actions]))
    assert may_be == ALL_GOALS
    likely = np.exp(evidence(table.deeds, may_be, DEPENDENT))
    kept = table.cases[0]["styles"][:3]
    assert kept.min() < -1.0
    for seat in range(3):
        others = [other for other in range(3) if other != seat]
        found = sum(
            likely[seat, :, roles[seat], gold]
            * enumerate_styles([likely[other, :, roles[other], gold] for other in others])
            for gold in range(3)
        )
        np.testing.assert_allclose(kept[seat], np.log(found / found.max()), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("ruleset", "seats"), [("krisnadi", 5), ("official", 3), ("official", 10)])
def test_before_the_first_move_sets_are_as_likely_as_they_are_dealt(ruleset: str, seats: int) -> None:
    game = game_of(ruleset, seats)
    deal = deal_of(game)
    assert deal.odds.sum() == pytest.approx(1.0)
    deals = 20000
    roles = game.roles_of(game.new(game_seeds(8, 0, deals)))
    sizes = np.array([int(team).bit_count() for team in deal.teams])
    for size in set(sizes.tolist()):
        expected = deal.odds[sizes == size].sum()
        assert (roles.sum(axis=1) == size).mean() == pytest.approx(expected, abs=4 * (0.25 / deals) ** 0.5)


def test_deeds_are_told_apart() -> None:
    table = Onlooker("krisnadi:first_seat=0", 4, 0)

    def played(wanted: str) -> str:
        """Play the first legal action like this, or throw cards away until there is one."""
        while True:
            texts = [str(action) for action in table.position.legal_actions]
            found = next((text for text in texts if re.match(wanted, text)), None)
            table.play(found or next(text for text in texts if text.startswith("discard")))
            if found is not None:
                return table.last()
            assert table.last() == "discard"

    assert played(r"P_\w*E\w*@1,2") == "tunnel nearer"
    assert played(r"P_\w*@0,\d") == "tunnel beside the way"
    assert played("map:") == "map"
    assert played("D_").startswith("dead-end")
    assert played("break:").startswith("break of")


def test_a_seat_is_trusted_or_suspected_beside_the_average() -> None:
    assert trust_level(0.5, 0.25) == SUSPECTED
    assert trust_level(0.1, 0.25) == TRUSTED
    assert trust_level(0.25, 0.25) not in (SUSPECTED, TRUSTED)


def test_habits_are_chances_and_their_file_reads_back() -> None:
    table = np.exp(habits()).reshape(len(STYLE_NAMES), 2, CIRCUMSTANCES, len(DEEDS))
    np.testing.assert_allclose(table[..., :CHOICES].sum(axis=-1), 1.0)
    np.testing.assert_allclose(table[..., CHOICES:].sum(axis=-1), 1.0)
    counts = np.random.default_rng(1).integers(3, size=(len(STYLES), 2, CIRCUMSTANCES, len(DEEDS)))
    assert (decode(encode(counts)) == counts).all()
    assert chances_of(counts).min() > 0.0


def test_styles_stay_when_roles_are_dealt_anew() -> None:
    """After a round of rule-book play a seat's deeds are known to be those of its true role."""
    table = Onlooker("official:rounds=2", 3, 4)
    chance = np.random.default_rng(2)
    while table.position.states["round"][0] == 0:
        table.play(chance.choice([int(action) for action in table.position.legal_actions]))
    case = table.cases[0]
    assert (case["evidence"] == 0.0).all() and case["revealed"] == 0 and case["gold_may_be"] == ALL_GOALS
    random = STYLE_NAMES.index("random")
    assert all(case["styles"][seat, random] > case["styles"][seat, 1] for seat in range(3))
    assert CASE["styles"].shape[1] == len(STYLE_NAMES)


def auc(chances: Any, roles: Any) -> float:
    """How often a saboteur is suspected more than a miner."""
    guilty, honest = chances[roles == 1], chances[roles == 0]
    return float((guilty[:, None] > honest).mean() + 0.5 * (guilty[:, None] == honest).mean())


@pytest.mark.parametrize(
    ("player", "least"), [("decision-2019", 0.95), ("kripke-2012", 0.9), ("kripke-2012:strong-disbelief", 0.9)]
)
def test_saboteurs_are_found_out_by_the_half_of_the_deck(player: str, least: float) -> None:
    chances, roles = [], []
    batch: Batch
    for batch in mixed([player], (("krisnadi", 5),), 30, 700):
        for each in read(batch, habits()):
            if each.reached[1]:
                for seat in np.flatnonzero(each.roles == 0):
                    others = np.arange(5) != seat
                    chances += each.chances[1, seat, others].tolist()
                    roles += each.roles[others].tolist()
    assert auc(np.array(chances), np.array(roles)) > least


@pytest.mark.parametrize(("ruleset", "seats", "seed"), [("krisnadi", 5, 3), ("official+talk:rounds=1", 4, 6)])
def test_a_move_weighs_what_a_case_without_it_would_say(ruleset: str, seats: int, seed: int) -> None:
    """Told the same game without the evidence of one move, a seat holds its player for a saboteur by so much less."""
    table = Onlooker(ruleset, seats, seed)
    chance = np.random.default_rng(seed)
    added: list[Any] = []
    while table.position.outcome is None and len(added) < 30:
        before = table.cases["evidence"][0].copy()
        table.play(int(chance.choice([int(action) for action in table.position.legal_actions])))
        added.append(table.cases["evidence"][0] - before)
    case = table.cases[0]
    assert case["turn_count"] == len(added)
    assert [int(action) for action in case["turns"]["action"][:5]] == [
        int(events[(seat + 1) % seats]["action"])
        for events, seat in zip(table.position.events[:5], case["turns"]["seat"][:5].tolist(), strict=True)
    ]
    for seat in range(seats):
        view = table.position.view_record(seat)
        may_be = sum(1 << goal for goal in range(3) if view["goals"][0, goal] in (UNKNOWN_GOAL, GOLD))
        if GOLD in view["goals"][0]:
            may_be = 1 << int(np.flatnonzero(view["goals"][0] == GOLD)[0])
        found, kept = np.zeros(len(added)), table.cases.copy()
        rows = habits().reshape(-1, len(DEEDS))
        joint, now = np.zeros((len(table.deal.teams), 3)), np.zeros(seats)
        weigh_turns(table.cases, view, rows, *table.deal, table.scratch, joint, now, found)
        assert np.allclose(table.cases["evidence"], kept["evidence"], atol=1e-9)
        role = int(view["role"][0])

        def odds(other: int, seat: int = seat, role: int = role, may_be: int = may_be) -> float:
            among = table.joint(seat, role, may_be).sum(axis=1)
            member = table.deal.teams >> other & 1 == 1
            return float(np.log(among[member].sum() / among[~member].sum()))

        for number, evidence_of_it in enumerate(added):
            mover = table.deeds[number][0]
            if mover == seat or (role and seats == 4):
                assert found[number] == 0.0
                continue
            before_it = odds(mover)
            table.cases["evidence"][0] -= evidence_of_it
            assert found[number] == pytest.approx(before_it - odds(mover), abs=1e-6)
            table.cases["evidence"][0] += evidence_of_it


def test_what_is_known_of_claims_is_what_players_claim() -> None:
    """Miners tell the truth of a map, but who plays at random; so a lie that one sees through gives its player away."""
    table = np.exp(habits()).reshape(len(STYLE_NAMES), 2, CIRCUMSTANCES, len(DEEDS))
    lies = table[:, MINER, :, FALSE_CLAIM].max(axis=1)
    for style, most in zip(STYLE_NAMES, lies.tolist(), strict=True):
        assert most > 0.1 if style in {"random", "anybody"} else most < 0.06, (style, most)


def test_claims_are_counted_apart_from_all_else() -> None:
    counts = decode({"styles": {}})
    counts[:] = 1
    seen = counts + 1
    mixed_in = with_claims(counts, seen)
    assert (mixed_in[..., :CHOICES] == 1).all() and (mixed_in[..., CHOICES:] == 2).all() and (counts == 1).all()
