"""Strangers: every seed has habits of its own, which are those that it is seen to have."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from agents.speed_clue.beside import AGENTS, Table
from games.speed_clue.playing import ORDERS, clue, seeds_of
from molehunt.agents.speed_clue.stranger import StrangerAgent, strategy_of
from molehunt.agents.speed_clue.strategy_parameters import Strategy
from molehunt.core.errors import BadParameter
from molehunt.core.match import play
from molehunt.games.speed_clue.game import SpeedClue
from reference.speed_clue import cards_of

PUBLISHED: dict[str, Any] = {
    "ask": "next_not_held",
    "choice": "systematic",
    "show": "first",
    "reshow": True,
    "solved": "not_held",
    "all_opponents": True,
    "repeats": 0,
    "cross_reference": True,
    "deduction_6": "sound",
    "fallback": "report",
    "possible": "first",
    "accuse_after": False,
    "own": 0.0,
    "seen": 0.374,
    "cover": False,
    "missed": 0.0,
    "guess": 1,
}
"""The habits of one stranger as they are for good."""


def stranger(seed: int) -> StrangerAgent:
    made = AGENTS.make(f"stranger:seed={seed}")
    assert isinstance(made, StrangerAgent)
    return made


def test_a_seed_has_always_the_same_habits() -> None:
    """Numbers of strangers are published, so none may ever change."""
    assert strategy_of(17) == stranger(17).parameters == stranger(17).parameters
    assert strategy_of(10_001) == Strategy(**PUBLISHED)
    with pytest.raises(BadParameter, match="seed must be"):
        stranger(-1)


def test_the_space_of_habits_is_as_wide_as_the_benchmark_says() -> None:
    drawn = [strategy_of(seed) for seed in range(2000)]
    own = np.array([one.own for one in drawn])
    assert 0.22 < (own == 0).mean() < 0.28
    assert own.max() > 1.95 and 0.9 < own[own > 0].mean() < 1.1
    for shown in ("first", "last", "random", "least"):
        assert 0.2 < np.mean([one.show == shown for one in drawn]) < 0.3
    assert 0.45 < np.mean([one.missed == 0 for one in drawn]) < 0.55
    assert max(one.missed for one in drawn) <= 0.2
    assert 0.1 < np.mean([one.guess > 1 for one in drawn]) < 0.15
    assert {one.ask for one in drawn} >= {"basic", "next_not_held", "mixed"}
    assert len(set(drawn)) > 0.99 * len(drawn)


def test_styles_say_what_the_habits_are() -> None:
    for seed in range(60):
        made = stranger(seed)
        habits, styles = made.parameters, made.styles
        assert ("never names own cards" in styles) == (habits.own == 0)
        assert ("overlooks answers" in styles) == (habits.missed > 0)
        assert ("shows the last card" in styles) == (habits.show == "last")
        assert ("guesses of two" in styles) == (habits.guess == 2)


def named_own(spec: str, games: int = 60) -> float:
    """How many own cards a player names a suggestion, against what naming cards at random would come to."""
    game = clue(3)
    played = play(game, [AGENTS.make(spec)] * 3, seeds_of(0, games))
    named = expected = 0.0
    for state in played.states:
        for entry in state["record"][: state["suggestion_count"]].tolist():
            hand = int(state["hands"][entry >> 15 & 7])
            for place, cards in enumerate((range(6), range(6, 12), range(12, 21))):
                named += hand >> (entry >> 5 * place & 31) & 1
                expected += sum(hand >> card & 1 for card in cards) / len(cards)
    return named / expected


@pytest.mark.parametrize("cover", ["no", "yes"])
def test_own_cards_are_named_as_often_as_the_habit_says(cover: str) -> None:
    found = [named_own(f"basic:solved=envelope,own={own},cover={cover}") for own in (0.0, 0.5, 1.0, 1.6)]
    assert found[0] == 0
    assert found[1:] == pytest.approx([0.5, 1.0, 1.6], rel=0.2)


def test_who_bluffs_early_names_own_cards_in_the_first_suggestions_alone() -> None:
    played = play(clue(3), [AGENTS.make("basic:solved=envelope,own=3.0,bluffs=2")] * 3, seeds_of(0, 60))
    named = [0, 0]
    for state in played.states:
        for number, entry in enumerate(state["record"][: state["suggestion_count"]].tolist()):
            hand = int(state["hands"][entry >> 15 & 7])
            named[number >= 6] += any(hand >> (entry >> 5 * place & 31) & 1 for place in range(3))
    assert named[0] > 200 and named[1] == 0


def test_known_cards_are_named_and_answers_overlooked_as_often_as_the_habits_say() -> None:
    def suggestions(spec: str) -> float:
        game = clue(3)
        return float(np.mean(play(game, [AGENTS.make(spec)] * 3, seeds_of(0, 200)).states["suggestion_count"]))

    plain = suggestions("combined")
    assert suggestions("combined:seen=1.0") > plain + 1 and suggestions("combined:missed=0.4") > plain + 1


@pytest.mark.parametrize(("show", "expected"), [("last", -1), ("first", 0)])
def test_the_card_that_is_shown_is_the_habits(show: str, expected: int) -> None:
    answers = Counter[int]()
    for number in range(10):
        table = Table(clue(3), [f"basic:show={show},reshow=no"] * 3, number)
        while not table.over:
            move = table.decide()
            if table.slow.phase == "answer":
                options = table.view()["options"]
                assert move == f"show {options[expected]}"
                answers[len(options)] += 1
            table.play(move)
    assert answers[2] > 10


def test_the_least_telling_card_was_shown_to_others_and_named_before() -> None:
    differs = 0
    for number in range(20):
        table = Table(clue(4), ["basic:show=least,reshow=no"] * 4, number, luck=0.4)
        for _ in range(150):
            if table.over:
                break
            move = table.decide()
            if table.slow.phase == "answer":
                view = table.view()
                named = Counter(card for made in view["record"] for card in made.cards)
                shown = {
                    card: len({m.seat for m in view["record"] if (m.shown, m.disprover) == (card, view["seat"])})
                    for card in view["options"]
                }
                best = max(view["options"], key=lambda card: (shown[card], named[card]))
                assert move == f"show {best}"
                differs += best != view["options"][0]
            table.play(move)
    assert differs > 20


def test_who_guesses_accuses_with_two_envelopes_left_and_is_wrong_at_times() -> None:
    game = clue(3)
    played = play(game, [AGENTS.make("combined:guess=2")] * 3, seeds_of(0, 300))
    words = played.states["accusations"][:, :3]
    wrong = ((words != 0) & (words >> 29 != 3)).any(axis=1).mean()
    assert 0.1 < wrong < 0.9


@pytest.mark.parametrize("order", ORDERS)
def test_strangers_play_whole_games_by_the_rules(order: str) -> None:
    """Most come to the solution; where all cover their own cards for ever, a game may end at its limit."""
    ends = Counter[str]()
    for seats in (3, 6):
        game: SpeedClue = clue(seats, order)
        for first in range(0, 60, seats):
            agents = [stranger(first + seat) for seat in range(seats)]
            outcomes = np.asarray(game.outcome_codes(play(game, agents, seeds_of(first, 10)).states))
            ends.update(game.outcome_names()[code] for code in outcomes.tolist())
    assert ends["solved"] > 0.95 * ends.total(), ends


def test_an_own_card_named_is_one_that_is_held() -> None:
    table = Table(clue(3), ["stranger:seed=6"] * 3, 2)
    kinds = Counter[bool]()
    while not table.over:
        move = table.decide()
        if move.startswith("suggest"):
            kinds[bool(set(cards_of(move)) & set(table.slow.hands[table.seat]))] += 1
        table.play(move)
    assert min(kinds[True], kinds[False]) > 1
