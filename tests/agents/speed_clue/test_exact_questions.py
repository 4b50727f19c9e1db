"""What questions and answers are worth, and whether another is about to win: against slow counting and in worked positions."""

from __future__ import annotations

import copy
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from math import log2
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents.speed_clue.beside import HANDS, Table, dealt
from games.speed_clue.playing import ORDERS, seen_by, small
from molehunt.agents.speed_clue.questions import (
    ALL,
    BEST,
    COLUMNS,
    GAIN,
    SOLVES,
    envelopes_of,
    likeliest,
    score_suggestions,
)
from molehunt.agents.speed_clue.race import STRATEGIES, Others, Scratch, chance_of_losing
from molehunt.agents.speed_clue.telling import already_seen_by_asker, marks_of_views, told_by_views
from molehunt.beliefs.deals.layers import list_deals
from molehunt.games.speed_clue.resample import facts_of_views
from molehunt.games.speed_clue.rules import triples
from molehunt.games.speed_clue.state import STATE, VIEW
from molehunt.reading.speed_clue.habits import ACCUSING, HASTY, LATE, PLACES, PROMPT, SILENT
from reference.speed_clue import ReferenceClue
from reference.speed_clue_players import possible_deals

Shares = dict[Any, float]
NONE = np.uint64(0)
"""No card lies face up."""


def entropy(shares: Iterable[float]) -> float:
    """What is not known, in bits; the shares need not sum to 1."""
    known = [share for share in shares if share > 0]
    total = sum(known)
    return -sum(share / total * log2(share / total) for share in known)


# --- Suggestions ------------------------------------------------------------------------------------------------------


def answers(cards: tuple[int, ...], hands: tuple[int, ...], styles: npt.NDArray[np.float64]) -> Shares:
    """What may be answered to a suggestion in a deal, and how likely: (holder, place of the card), or None.

    styles: how likely each holder shows the first, the last or any; who shows the first or the last slips once in ten times.
    """
    for holder, hand in enumerate(hands):
        held = [place for place, card in enumerate(cards) if hand >> card & 1]
        if held:
            first, last, _ = styles[holder]
            at_random = 1 - 0.9 * (first + last)
            return {
                (holder, place): at_random / len(held) + 0.9 * (first * (place == held[0]) + last * (place == held[-1]))
                for place in held
            }
    return {None: 1.0}


def worth(
    cards: tuple[int, ...], deals: dict[tuple[int, ...], float], pool: int, styles: npt.NDArray[np.float64]
) -> tuple[list[float], dict[Any, bool]]:
    """Gain, gain about the whole deal, the chance to solve it and of the likeliest envelope; and which answers solve it."""
    by_answer: dict[Any, Shares] = defaultdict(dict)
    for hands, weight in deals.items():
        for answer, chance in answers(cards, hands, styles).items():
            if chance:
                by_answer[answer][hands] = weight * chance

    def envelopes(shares: Shares) -> Shares:
        found: Shares = defaultdict(float)
        for hands, weight in shares.items():
            found[pool - sum(hands)] += weight
        return found

    gain, everything = entropy(envelopes(deals).values()), entropy(deals.values())
    solves = best = 0.0
    sure = {}
    for answer, shares in by_answer.items():
        total, left = sum(shares.values()), envelopes(shares)
        gain -= total * entropy(left.values())
        everything -= total * entropy(shares.values())
        sure[answer] = len(left) == 1
        solves += total * sure[answer]
        best += max(left.values())
    return [gain, everything, solves, best], sure


def some_deals(table: Table, seat: int, most: int) -> tuple[Any, npt.NDArray[np.uint64], npt.NDArray[np.float64]]:
    """The cards that a seat does not hold, and some of the deals that it holds possible, with any weights."""
    facts = facts_of_views(seen_by(table.game, table.states, seat), table.game.params)
    hands, _ = list_deals(facts, 100_000)
    rng = np.random.default_rng(table.random.randrange(2**32))
    hands = hands[rng.permutation(len(hands))[:most]]
    weights = rng.random(len(hands)) ** 3
    return facts.pool[0], hands, weights / weights.sum()


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_scores_of_suggestions_are_those_of_slow_counting(seats: int) -> None:
    solved = 0
    for number, (most, all_alike) in enumerate(product((3, 60), (0, 1, 2))):
        styles = np.random.default_rng(number).dirichlet(np.ones(3), seats - 1)
        styles[0] = np.eye(3)[all_alike]
        game = small(seats)
        table = Table(game, ["basic"] * seats, number, luck=0.3)
        for _ in range(2 + 3 * number):
            if table.slow.phase != "over":
                table.play(table.decide())
        pool, hands, weights = some_deals(table, number % seats, most)
        scores = np.zeros((triples(game.params), COLUMNS))
        sure = np.ones((len(scores), (seats - 1) * PLACES + 1), np.bool_)
        found = score_suggestions(hands, weights, np.uint64(pool), styles, game.params, scores, sure)

        deals: dict[tuple[int, ...], float] = {
            tuple(row): weight for row, weight in zip(hands.tolist(), weights.tolist(), strict=True)
        }
        of_envelopes: Shares = defaultdict(float)
        for row, weight in deals.items():
            of_envelopes[int(pool) - sum(row)] += weight
        assert found == pytest.approx(entropy(of_envelopes.values()), abs=1e-9)
        for nth, cards in enumerate(product(range(3), range(3, 6), range(6, 10))):
            expected, solving = worth(cards, deals, int(pool), styles)
            assert scores[nth, [GAIN, ALL, SOLVES, BEST]].tolist() == pytest.approx(expected, abs=1e-9)
            assert {
                answer: sure[nth, -1 if answer is None else PLACES * answer[0] + answer[1]] for answer in solving
            } == solving
            assert sure[nth].sum() == sum(solving.values())  # an answer that nobody gives solves nothing
            solved += sum(solving.values())

        numbers, kinds = envelopes_of(hands, np.uint64(pool), game.params)
        first_seen: list[int] = list(dict.fromkeys(int(pool) - sum(row) for row in hands.tolist()))
        assert numbers.tolist() == [first_seen.index(int(pool) - sum(row)) for row in hands.tolist()]
        assert kinds == len(of_envelopes)
        mask, chance = likeliest(hands, weights, np.uint64(pool), game.params)
        assert int(mask) == max(of_envelopes, key=lambda mask: of_envelopes[mask])
        assert chance == pytest.approx(max(of_envelopes.values()))
    assert solved > 20


# --- Showing ----------------------------------------------------------------------------------------------------------


def envelope_bits(slow: ReferenceClue, seat: int) -> float:
    """What a seat that reasons perfectly by the rules does not know about the envelope, by listing all deals."""
    deals = possible_deals(slow.edition, slow.view(seat), slow.order)
    return entropy(Counter(deal.envelope for deal in deals).values())


@pytest.mark.parametrize("seats", [3, 4])
def test_what_a_card_shown_tells_is_what_the_asker_knows_less_afterwards(seats: int) -> None:
    compared, differs = 0, 0
    for number in range(12):
        table = Table(small(seats, ORDERS[number % 2]), ["basic"] * seats, 40 + number, luck=0.5)
        for _ in range(30):
            if table.over:
                break
            if table.slow.phase == "answer" and len(table.view()["options"]) > 1:
                seat, view = table.seat, table.view()
                _, hands, _ = some_deals(table, seat, 1)
                states, told = np.zeros(1, STATE), np.zeros(32)
                stream = np.array([number], np.uint64)
                scratch = np.zeros(1, VIEW)
                told_by_views(
                    seen_by(table.game, table.states, seat),
                    hands,
                    NONE,
                    stream,
                    table.game.params,
                    states,
                    scratch,
                    told,
                )

                # The same world for the slow engine.
                slow = copy.deepcopy(table.slow)
                slow.hands = [
                    [card for card in table.cards if int(hand) >> table.cards.index(card) & 1]
                    for hand in states[0]["hands"][:seats]
                ]
                assert set(slow.hands[seat]) == view["hand"]
                for made, entry in zip(slow.record, states[0]["record"].tolist(), strict=False):
                    shown = entry >> 21 & 31
                    made.shown = table.cards[shown - 1] if shown else None
                asker = slow.record[-1].seat
                before = envelope_bits(slow, asker)
                for card in view["options"]:
                    slow.record[-1] = replace(slow.record[-1], disprover=seat, shown=card, finished=True)
                    after = envelope_bits(slow, asker)
                    assert told[table.cards.index(card)] == pytest.approx(before - after, abs=1e-9)
                assert np.count_nonzero(told) <= len(view["options"])
                compared += 1
                differs += len({round(bits, 9) for bits in told[told != 0].tolist()}) > 1
            table.play(table.decide())
    assert compared > 10 and differs > 3


def test_what_is_told_is_a_mean_over_the_deals() -> None:
    table = dealt("mitchell", "suggest Red, Axe, Attic", "end", "suggest Blue, Bow, Attic")
    _, hands, _ = some_deals(table, 0, 4)
    view = seen_by(table.game, table.states, 0)
    told = np.zeros((5, 32))
    for row, deals in enumerate([hands, *hands[:, None]]):
        scratch = np.zeros(1, STATE), np.zeros(1, VIEW)
        told_by_views(view, deals, NONE, np.zeros(1, np.uint64), table.game.params, *scratch, told[row])
    assert told[0] == pytest.approx(told[1:].mean(axis=0))
    assert len({tuple(row) for row in told.tolist()}) > 2


def test_cards_that_the_asker_was_shown_before() -> None:
    found = 0
    for number in range(6):
        table = Table(small(3 + number % 2), ["basic"] * (3 + number % 2), number, luck=0.9)
        for _ in range(90):
            if table.over:
                break
            if table.slow.phase == "answer":
                view = table.view()
                asker = view["record"][-1].seat
                seen = {made.shown for made in view["record"] if (made.seat, made.disprover) == (asker, view["seat"])}
                mask = int(already_seen_by_asker(seen_by(table.game, table.states, view["seat"])))
                assert mask == table.bits.mask(seen - {None})
                found += mask > 0
            table.play(table.decide())
    assert found > 10


# --- What everybody learns --------------------------------------------------------------------------------------------


def marks(table: Table, seat: int, hands: list[list[list[str]]]) -> dict[tuple[str, ...], float]:
    """The marks that each suggestion of a seat gives, the others' hands being these, all equally likely."""
    masks = np.array(
        [[table.bits.mask(deal[(seat + step) % 3]) for step in (1, 2)] for deal in hands],
        np.uint64,
    )
    given = np.zeros(triples(table.game.params))
    weights = np.full(len(hands), 1 / len(hands))
    marks_of_views(seen_by(table.game, table.states, seat), masks, weights, table.game.params, given)
    return dict(zip(product(*table.slow.edition), given.tolist(), strict=True))


def test_marks_that_everybody_can_make() -> None:
    given = marks(dealt("mitchell"), 0, [HANDS])
    assert given["Red", "Axe", "Attic"] == 6  # both have none of the three
    assert given["Red", "Club", "Attic"] == 3  # seat 1 has none, seat 2 shows one of three
    assert given["Green", "Axe", "Attic"] == 0  # seat 1 shows one of three
    table = dealt("mitchell", "suggest Red, Club, Attic", "show Club", "end")
    given = marks(table, 2, [HANDS])
    assert given["Red", "Axe", "Attic"] == 3 + 1  # seat 0 has none; of seat 1 two of them are known already
    table = dealt("mitchell", "suggest Red, Club, Attic", "show Club", "end", "suggest Green, Axe, Attic", "end")
    given = marks(table, 2, [HANDS])
    assert given["Red", "Axe", "Den"] == 2  # seat 0 is seen to lack Red and Den, too; seat 1 shows Axe or Den
    assert given["Red", "Club", "Den"] == 3 + 3  # seat 0 has none; where Den is, three seats are marked
    # Half of two deals: in the other one seat 1 has an Axe in the place of the Den.
    other = [HANDS[0], ["Green", "Axe"], HANDS[2]]
    assert marks(dealt("mitchell"), 0, [HANDS, other])["Red", "Axe", "Attic"] == 3


# --- The race ---------------------------------------------------------------------------------------------------------


START = ["suggest Blue, Bow, Cave", "end"]
READY = [
    *START,
    *("suggest Green, Axe, Attic", "end"),
    *("suggest Red, Club, Barn", "end"),
    *("suggest Blue, Bow, Barn", "show Barn", "end"),
    *("suggest Blue, Axe, Attic", "show Blue", "end"),
    *("suggest Red, Club, Cave", "show Cave", "end"),
]
"""Seat 1, who holds Green, has seen that nobody else holds Axe or Attic, and that seat 0 holds Blue. Seat 0 is on turn."""


def losing(
    table: Table,
    move: str,
    *sure: int,
    deals: int = 30,
    pace: float = 1.0,
    accusing: tuple[int, int] = (PROMPT, PROMPT),
    otherwise: tuple[int, int] | None = None,
) -> float:
    """The chance that another seat wins before the next turn of seat 0, the deal being this one; `sure` are the answers that
    solve the case for seat 0, `accusing` the habits of the others, in every second deal `otherwise`."""
    hands = [[table.bits.mask(HANDS[1]), table.bits.mask(HANDS[2])]] * deals
    solving = np.zeros(2 * PLACES + 1, np.bool_)
    solving[list(sure)] = True
    view, stream = seen_by(table.game, table.states, 0), np.array([5], np.uint64)
    action, habits = table.bits.action(move), np.tile(np.eye(ACCUSING)[list(accusing)], (deals, 1, 1))
    habits[1::2] = np.eye(ACCUSING)[list(otherwise or accusing)]
    others = Others(np.array(hands, np.uint64), habits, STRATEGIES, pace)
    params = table.game.params
    return float(chance_of_losing(view, action, solving, others, NONE, stream, params, Scratch.new()))


@pytest.mark.parametrize("order", ORDERS)
def test_who_knows_the_envelope_wins_at_his_next_turn(order: str) -> None:
    assert losing(dealt(order, *READY, "suggest Green, Bow, Cave", "show Green"), "end") == 1
    assert losing(dealt(order, *READY), "suggest Green, Bow, Cave") == 1
    # But not where he knows little yet, or is out of the game.
    assert losing(dealt(order, "suggest Blue, Bow, Cave"), "end") < 0.5
    if order == "mitchell":
        mine, theirs = (
            ("suggest Green, Bow, Cave", "show Green", "end"),
            ("suggest Red, Club, Cave", "show Cave", "end"),
        )
        assert losing(dealt(order, *READY, *mine, "accuse Green, Bow, Cave", *theirs), mine[0]) < 0.8


def test_who_needs_a_suggestion_and_seldom_makes_one_is_less_dangerous() -> None:
    table = dealt("mitchell", *READY)
    assert losing(table, "suggest Green, Bow, Cave", deals=100, pace=0.0) == 1  # who knows the envelope needs none
    unsure = dealt("mitchell", *READY[:6])
    move = "suggest Green, Bow, Cave"
    often, seldom, never = (losing(unsure, move, deals=200, pace=pace) for pace in (1.0, 0.5, 0.0))
    assert often > seldom > never == 0


def test_how_dangerous_others_are_depends_on_when_they_accuse() -> None:
    def danger(start: list[str], move: str, habit: int) -> float:
        return losing(dealt("mitchell", *start), move, deals=200, accusing=(habit, PROMPT))

    # Seat 1 knows the envelope when its turn begins: all accuse then but those who keep silent.
    prompt, late, silent = (danger(READY, "suggest Green, Bow, Cave", habit) for habit in (PROMPT, LATE, SILENT))
    assert prompt == late == 1 and 0.3 < silent < 0.7
    # The habits go with the deal.
    often = losing(
        dealt("mitchell", *READY),
        "suggest Green, Bow, Cave",
        deals=200,
        accusing=(SILENT, PROMPT),
        otherwise=(LATE, PROMPT),
    )
    assert 0.65 < often < 0.85
    # Earlier it finds out by what it asks, and may accuse with it; of two envelopes it takes one, right or wrong.
    early = READY[:6]
    habits = (LATE, PROMPT, HASTY)
    late, prompt, hasty = (danger(early, "suggest Green, Bow, Cave", habit) for habit in habits)
    assert late < 0.3 < hasty < prompt, (late, prompt, hasty)


@pytest.mark.parametrize("order", ORDERS)
def test_who_solves_the_case_by_the_answer_does_not_lose(order: str) -> None:
    table = dealt(order, *READY)
    shown, nobody = 0, 2 * PLACES
    assert losing(table, "suggest Green, Bow, Cave", shown) == 0
    assert losing(table, "suggest Green, Bow, Cave", shown + 1, PLACES, nobody) == 1
    assert losing(table, "suggest Blue, Bow, Den", 2) == 0  # the third place
    assert losing(table, "suggest Blue, Club, Cave", PLACES + 1) == 0  # seat 2, the second place
    assert losing(table, "suggest Blue, Bow, Cave", nobody) == 0
    assert losing(table, "suggest Blue, Bow, Attic", nobody) == 0
    assert losing(table, "suggest Blue, Bow, Attic", shown, PLACES) == 1


def test_a_game_that_ends_undecided_is_lost() -> None:
    table = dealt("mitchell", *START, items=("max_suggestions=2",))
    assert losing(table, "suggest Green, Bow, Cave") == 1
