"""`exact` plays by the rules, is right when it is certain, accuses early only where it must, and tells little when it shows."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from agents.speed_clue.beside import AGENTS, ENVELOPE, Table, dealt
from agents.speed_clue.test_exact_questions import READY
from games.speed_clue.playing import ORDERS, clue, seeds_of, seen_by, small
from molehunt.agents.speed_clue import thought
from molehunt.agents.speed_clue.beside import Beside, Known
from molehunt.agents.speed_clue.exact import Advice, ExactAgent, Impression, Parameters, habit_in_words
from molehunt.arena.match import run, seat_match
from molehunt.arena.seating import parse_seats
from molehunt.beliefs.deals.layers import envelope_weights
from molehunt.core.errors import BadInput, BadParameter
from molehunt.core.match import play
from molehunt.core.panels import Grid
from molehunt.games.speed_clue.actions import PLAY_SHIFT, SUGGEST
from molehunt.games.speed_clue.resample import facts_of_views
from molehunt.reading.speed_clue.habits import HABITS as HABITS_OF_A_SEAT
from molehunt.reading.speed_clue.habits import HASTY, NAMING, PROMPT, SILENT
from molehunt.reading.speed_clue.habits import LATE as ACCUSES_LATE
from reference.speed_clue import cards_of

LIGHT = "exact:deals=100,trials=5,askers=2"
HABITS = "ask=gain,never=0.9,fresh=0.8,choose=yes,first=0.5,silence=0.02"
ONE = np.zeros(1, np.int64)


def player(spec: str = LIGHT) -> ExactAgent:
    agent = AGENTS.make(spec)
    assert isinstance(agent, ExactAgent)
    return agent


def view_of(table: Table) -> Any:
    """The view of the seat to move."""
    return seen_by(table.game, table.states, table.seat)


def decide(table: Table, spec: str, stream: int = 7) -> str:
    """What the player does for the seat to move."""
    agent = player(spec)
    memory = agent.start(table.game, view_of(table), np.array([stream], np.uint64))
    return table.game.format_action(int(agent.act(view_of(table), memory, ONE)[0]))


def advice(table: Table, spec: str = LIGHT, **more: Any) -> Advice:
    """What the player thinks of the position for the seat to move."""
    return player(spec).consult(table.game, view_of(table), **more)


def numbers_of(table: Table, cards: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(table.cards.index(card) for card in cards)


# --- Whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_all_moves_are_legal_and_games_come_to_the_solution(seats: int, order: str) -> None:
    game = clue(seats, order)
    played = play(game, [player(), *[AGENTS.make("advanced")] * (seats - 2), player()], seeds_of(seats, 3))
    outcomes = {game.outcome_names()[code] for code in game.outcome_codes(played.states)}
    assert outcomes == {"solved"}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("deals", [2, 500])
def test_what_is_called_certain_is_true_and_is_accused(deals: int, order: str) -> None:
    """Also where very few deals are drawn, and beside players that name their own cards again and again, or any cards at all."""
    spec = f"exact:deals={deals},early=no,askers=0,never=1.0,fresh=1.0,first=0.9,silence=0.001"
    seen = Counter[str]()
    for number in range(16):
        table = Table(small(4, order), [spec, "basic:solved=own", spec, ("random", "basic")[number % 2]], number)
        for _ in range(150):
            if table.over:
                break
            move = table.decide()
            if table.seat in {0, 2} and table.slow.phase != "answer":
                found = advice(table, spec, seed=number).accusation
                assert found.accuse == (found.probability == 1)
                if found.accuse:
                    assert found.cards == numbers_of(table, table.slow.envelope)
                if order == "mitchell" or table.slow.phase == "after":
                    assert move.startswith("accuse") == found.accuse
                    seen["certain" if found.accuse else "not certain"] += 1
            elif table.slow.phase == "turn" and table.random.random() < 0.3:
                own = [card for card in table.slow.hands[table.seat] if card in table.slow.edition[0]] or ["Red"]
                bluffs = [other for other in table.slow.legal_moves() if other.startswith(f"suggest {own[0]}")]
                move = bluffs[0] if bluffs else move
            table.play(move)
    assert seen["certain"] > 6 and seen["not certain"] > 30, seen


@pytest.mark.parametrize("habits", ["", ",never=1.0,fresh=1.0,first=1.0,silence=0.001"])
def test_where_cards_may_be_is_shown_of_all_deals_also_where_few_are_drawn(habits: str) -> None:
    """Of three deals that were drawn, most places of a card stood there as impossible."""
    table, compared = Table(small(4, "mitchell"), ["basic"] * 4, 5), 0
    while not table.over:
        view, shown = view_of(table), []
        for deals in (3, 1_000_000):
            agent = player(f"exact:deals={deals}{habits}")
            memory = agent.start(table.game, view, np.array([7], np.uint64))
            grid = agent.beliefs(table.game, view[0], memory, 0)[0]
            assert isinstance(grid, Grid)
            shown.append(np.array([row.values for group in grid.groups for row in group.rows], float))
        assert shown[0] == pytest.approx(shown[1], abs=1e-9)
        compared += (shown[1] > 0).sum() > 3 * len(shown[1])
        table.play(table.decide())
    assert compared > 2


def test_habits_alone_make_nothing_certain() -> None:
    """Seat 0 names a card of its own again and again, as hardly anybody does."""
    bluff = ["suggest Blue, Axe, Attic", "end", "suggest Green, Bow, Cave", "show Bow", "end"]
    bluff += ["suggest Green, Bow, Den", "show Bow", "end"]
    table = dealt("mitchell", *bluff * 5, *bluff[:2])
    for deals in (5, 1000):
        spec = f"exact:never=1.0,fresh=0.0,first=0.5,silence=1.0,early=no,deals={deals}"
        found = advice(table, spec).accusation
        assert found.cards == numbers_of(table, ("Blue", "Axe", "Attic"))
        assert found.probability > 1 - 1e-7 and not found.accuse
        assert decide(table, spec).startswith("suggest")


def test_the_same_seed_is_the_same_game_in_any_number_of_threads() -> None:
    label, seats = (
        "speed_clue/mitchell",
        parse_seats("exact:deals=30,trials=3,askers=1*2,advanced*2", AGENTS.names(), ()),
    )
    match = seat_match(label, seats, AGENTS)

    def records(seed: int, threads: int) -> list[Any]:
        found: list[Any] = []
        run(match, 12, seed, threads, None, found.extend)
        return [record.moves for record in found]

    first = records(3, 1)
    assert len(first) == 12
    assert first == records(3, 2) == records(3, 1)
    assert first != records(4, 1)


# --- Accusing ---------------------------------------------------------------------------------------------------------

ACCUSE_RIGHT = "accuse " + ", ".join(ENVELOPE)
CERTAIN_HABITS = HABITS.replace("never=0.9", "never=1.0")
"""Of who never names own cards it is sure, whatever the record says."""
LATE = [*READY, "suggest Green, Bow, Cave", "show Green"]
"""Seat 1 wins at its next turn; seat 0 holds three envelopes possible, of which one is the likeliest by far."""


@pytest.mark.parametrize("order", ORDERS)
def test_it_accuses_before_it_is_certain_where_another_is_about_to_win(order: str) -> None:
    spec = f"exact:{CERTAIN_HABITS},deals=1000,trials=50,news=0.3"
    table = dealt(order, *LATE)
    found = advice(table, spec).accusation
    assert found.cards == numbers_of(table, ENVELOPE)
    assert 0.4 < found.probability < 1 and found.danger > 0.8 and found.accuse
    assert decide(table, spec) == ACCUSE_RIGHT
    assert decide(table, f"{spec},early=no") == "end"
    assert not advice(table, f"{spec},early=no").accusation.accuse


@pytest.mark.parametrize("order", ORDERS)
def test_it_waits_where_there_is_no_danger_or_little_is_known(order: str) -> None:
    spec = f"exact:{HABITS},deals=1000,trials=50,news=0.3"
    early = dealt(order, "suggest Blue, Bow, Cave")
    found = advice(early, spec).accusation
    assert found.probability < 0.5 and not found.accuse
    assert decide(early, spec) == "end"


def test_it_accuses_as_soon_as_it_is_certain_and_that_is_allowed() -> None:
    """Everybody has said that he has none of the three: seat 1, who has none itself, knows all."""
    after = ["suggest Blue, Bow, Cave", "end", "suggest Red, Axe, Attic"]
    assert decide(dealt("mitchell", *after), LIGHT) == decide(dealt("contest", *after), LIGHT) == ACCUSE_RIGHT
    # Seat 1 again, at its next turn: in the contest it asks first.
    assert decide(dealt("mitchell", *LATE, "end"), LIGHT) == ACCUSE_RIGHT
    ready = dealt("contest", *LATE, "end")
    assert advice(ready).accusation.accuse and decide(ready, LIGHT).startswith("suggest")


# --- Showing ----------------------------------------------------------------------------------------------------------


def test_it_shows_the_card_that_tells_least() -> None:
    """Seat 1 holds one of the three suspects, so Blue would leave it one; of the four locations Cave leaves it two."""
    table = dealt("mitchell", "suggest Green, Bow, Cave", "show Green", "end", "suggest Blue, Axe, Cave")
    assert decide(table, f"{LIGHT},askers=20") == "show Cave"
    assert decide(table, f"{LIGHT},askers=0") == "show Blue"
    found = advice(table, f"{LIGHT},askers=20")
    assert [table.cards[showing.card] for showing in found.shows] == ["Cave", "Blue"]
    assert 0 < found.shows[0].tells < found.shows[1].tells and not found.suggestions


def test_it_shows_a_card_that_the_asker_has_seen_before_a_new_one() -> None:
    """Also where it tells more to one who had not seen it, and where nothing is weighed."""
    round_ = ["suggest Green, Bow, Cave", "show Green", "end", "suggest Blue, Axe, Attic", "show Blue", "end"]
    table = dealt(
        "mitchell", *round_, "suggest Green, Axe, Attic", "show Green", "end", *round_[:3], "suggest Blue, Axe, Cave"
    )
    for askers in (0, 5):
        assert decide(table, f"{LIGHT},askers={askers}") == "show Blue"
    assert advice(table).shows[0].tells == 0
    # Seat 2 has not seen it.
    assert all(showing.tells > 0 for showing in advice(dealt("mitchell", *round_, "suggest Blue, Axe, Cave")).shows)


def test_what_is_shown_in_games_was_seen_before_where_that_can_be() -> None:
    seen = Counter[bool]()
    for number in range(4):
        table = Table(small(3), ["basic"] * 3, number)
        for _ in range(60):
            legal = [move for move in table.slow.legal_moves() if not move.startswith("accuse")]
            if table.slow.phase == "answer" and len(legal) > 1:
                view = table.view()
                asker = view["record"][-1].seat
                known = {m.shown for m in view["record"] if (m.seat, m.disprover) == (asker, view["seat"])}
                move = decide(table, LIGHT)
                assert move in legal
                seen[bool(known & set(view["options"]))] += 1
                assert move.removeprefix("show ") in known or not known & set(view["options"])
            table.play(table.random.choice(legal))
    assert min(seen[False], seen[True]) > 3, seen


# --- Advice -----------------------------------------------------------------------------------------------------------


def test_advice_is_sorted_and_says_over_what_it_was_weighed() -> None:
    table = dealt("mitchell", "suggest Green, Bow, Cave", "show Green", "end")
    found = advice(table, f"exact:{HABITS},deals=1000")
    worths = [proposal.worth for proposal in found.suggestions]
    assert len(worths) == 36 and worths == sorted(worths, reverse=True) and worths[0] > worths[-1]
    assert found.every_deal and 10 < found.deals < 1000 and not found.shows
    assert 0 < max(proposal.gain for proposal in found.suggestions) <= found.entropy
    best = {proposal.cards for proposal in found.suggestions if proposal.worth >= worths[0] - 1e-12}
    streams = [decide(table, f"exact:{HABITS},deals=1000", stream) for stream in range(8)]
    assert {numbers_of(table, cards_of(move)) for move in streams} <= best
    fewer = advice(table, f"exact:{HABITS},deals=10")
    assert fewer.deals == 10 and not fewer.every_deal
    assert advice(dealt("mitchell", "suggest Green, Bow, Cave", "show Green")).suggestions == []


def test_it_may_ask_for_the_likeliest_envelope() -> None:
    spec = f"exact:{HABITS.replace('ask=gain', 'ask=likeliest')},deals=1000"
    for order in ORDERS:
        table = dealt(order, "suggest Green, Bow, Cave", "show Green", "end")
        assert numbers_of(table, cards_of(decide(table, spec))) == advice(table, spec).accusation.cards


def beside(known: Iterable[tuple[int, int, bool]]) -> Beside:
    """What is known of single cards."""
    return Beside(tuple(Known(seat, (card,), has) for seat, card, has in known))


def one_of(seat: int, *cards: int) -> Beside:
    """That a seat has one of some cards."""
    return Beside((Known(seat, cards, has=True),))


def test_more_that_is_known_is_believed() -> None:
    table = dealt("mitchell", "suggest Green, Bow, Cave", "show Green", "end")
    red, axe, attic, barn = numbers_of(table, ("Red", "Axe", "Attic", "Barn"))
    before = advice(table)
    known = [(0, red, False), (2, red, False)]
    more = advice(table, beside=beside(known))
    assert more.entropy < before.entropy and more.deals < before.deals
    everything = [(seat, card, False) for seat in (0, 2) for card in (red, axe, attic)]
    certain = advice(table, beside=beside(everything)).accusation
    assert certain == ((red, axe, attic), 1.0, 0.0, True, 1.0)
    assert advice(table, beside=beside([(2, barn, True)])).deals < before.deals
    assert advice(table).deals == before.deals  # nothing of it stays
    counted = [advice(table, "exact:deals=1000", beside=more).deals for more in (Beside(), one_of(0, red, axe))]
    assert counted[1] < counted[0]
    assert advice(table, beside=beside([(3, red, True)])).accusation.cards[0] == red


def test_cards_that_lie_face_up_are_never_shown() -> None:
    table = dealt("mitchell", "suggest Green, Axe, Den")
    green, den = numbers_of(table, ("Green", "Den"))
    assert {showing.card for showing in advice(table).shows} == {green, den}
    left = advice(table, beside=Beside(face_up=1 << den)).shows
    assert [showing.card for showing in left] == [green]


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ([(1, 0, True)], "no cards of another seat"),  # oneself
        ([(4, 0, True)], "no cards of another seat"),
        ([(-1, 0, True)], "no cards of another seat"),
        ([(0, 10, True)], "no cards of another seat"),
        ([(0, -1, False)], "no cards of another seat"),
        ([(0, 2, True)], "contradicts itself"),  # a card of one's own hand
        ([(0, 0, True), (0, 0, False)], "contradicts itself"),
        ([(0, 0, True), (2, 0, True)], "contradicts itself"),
        ([(2, 4, True), (2, 5, True), (2, 6, True)], "contradicts itself"),  # more than it has
    ],
)
@pytest.mark.parametrize("deals", [2, 500])
def test_what_cannot_be_known_is_refused(known: Any, message: str, deals: int) -> None:
    table = dealt("mitchell", "suggest Green, Bow, Cave", "show Green", "end")
    with pytest.raises(BadInput, match=message):
        advice(table, f"exact:deals={deals}", beside=beside(known))


def test_what_breaks_a_habit_is_believed_of_the_rules_and_changes_the_habit() -> None:
    """Seat 0 shows seat 2 the last of three, and then a card that it had left out: so it does not always show the first."""
    idle = ["suggest Blue, Bow, Cave", "end", "suggest Green, Axe, Den", "end"]
    asks = ["suggest Blue, Axe, Cave", "show Cave", "end"], ["suggest Blue, Axe, Attic", "show Blue"]
    table = dealt("mitchell", *idle, *asks[0], *idle, *asks[1])
    found = advice(table, "exact:first=1.0,never=1.0,deals=1000,early=no")
    _, weights, total = envelope_weights(facts_of_views(view_of(table), table.game.params))
    assert found.every_deal and found.deals == total
    assert found.accusation.probability != pytest.approx(weights.max() / total)
    few = advice(table, "exact:first=1.0,deals=2,early=no")
    assert few.deals == 2 and decide(table, "exact:first=1.0,deals=2,early=no") == "end"
    # Without reading anything, every deal is as likely as another.
    plain = advice(table, "exact:read=no,choose=no,deals=1000,early=no").accusation
    assert plain.probability == pytest.approx(weights.max() / total)


@pytest.mark.parametrize("deals", [2, 500])
def test_where_somebody_does_not_keep_to_the_rules_of_the_contest_what_was_told_is_believed(deals: int) -> None:
    """Seats 1 and 2 ask in vain for what nobody has, and let it be, as a server may allow; later seat 0 shows one of two."""
    asked = "suggest " + ", ".join(ENVELOPE)
    table = dealt("mitchell", "suggest Blue, Axe, Cave", "end", asked, "end", asked, "end")
    contest, spec = small(3, "contest"), f"exact:deals={deals},trials=2,askers=2"
    found = player(spec).consult(contest, view_of(table))
    assert found.accusation.cards == numbers_of(table, ENVELOPE) and found.accusation.probability == 1
    assert not any(np.isnan(proposal.gain) for proposal in found.suggestions)
    for move in ("suggest Blue, Axe, Attic", "end", "suggest Blue, Bow, Attic"):
        table.play(move)
    shows = player(spec).consult(contest, view_of(table)).shows
    assert {table.cards[each.card] for each in shows} == {"Blue", "Bow"}
    assert not any(np.isnan(each.tells) for each in shows)


# --- Whom it plays ----------------------------------------------------------------------------------------------------


def habits_after(specs: list[str], number: int, spec: str = "exact:deals=200") -> dict[int, Any]:
    """What seat 0 believes of the others' habits after twenty suggestions, by seat."""
    table = Table(clue(3), specs, number)
    while not table.over and (len(table.slow.record) < 20 or table.seat != 0):
        move = table.decide()
        table.play(move if not move.startswith("accuse") else "end" if table.slow.phase == "after" else move)
    found = player(spec).consult(table.game, seen_by(table.game, table.states, 0))
    return {impression.seat: impression for impression in found.habits}


def test_it_learns_who_names_own_cards_and_which_card_is_shown() -> None:
    told = Counter[str]()
    for number in range(5):
        honest, bluffer = "combined", "combined:own=2.0,show=last"
        found = habits_after(["basic", honest, bluffer], number)
        assert set(found) == {1, 2}
        for impression in found.values():
            assert sum(impression.naming) == pytest.approx(1) == pytest.approx(sum(impression.showing))
        told["names more"] += found[2].own > found[1].own
        told["never"] += found[1].naming[0] > 0.8
        told["often"] += found[2].own > 1
        told["shows the last"] += found[2].showing[1] > found[1].showing[1]
    assert min(told.values()) >= 4 and len(told) == 4, told


def test_it_learns_who_names_cards_that_they_were_shown() -> None:
    seldom = often = 0.0
    for number in range(6):
        found = habits_after(["basic", "combined", "combined:seen=1.0"], number)
        seldom, often = seldom + found[1].seen / 6, often + found[2].seen / 6
    assert seldom < 0.15 and often > 0.35, (seldom, often)


def test_it_learns_when_others_accuse() -> None:
    def accusing(*moves: str) -> list[float]:
        """Of seat 2, as seat 1 sees it; the parts are those of PROMPT, ACCUSES_LATE, HASTY and SILENT."""
        table = dealt("mitchell", *moves)
        found = player().consult(table.game, seen_by(table.game, table.states, 1))
        return list(found.habits[-1].accusing)

    before = accusing()
    idle = ["suggest Green, Bow, Cave", "show Green", "end", "suggest Green, Axe, Den", "end"]
    # Nobody has Red, Axe and Attic, and seat 2 does not accuse; then it does not when its next turn begins, either.
    asked = [*idle, "suggest Red, Axe, Attic", "end", *idle]
    once, twice = accusing(*asked), accusing(*asked, "suggest Blue, Club, Barn", "show Blue", "end")
    assert once[ACCUSES_LATE] > 2 * before[ACCUSES_LATE] and once[SILENT] > before[SILENT]
    assert twice[ACCUSES_LATE] < once[ACCUSES_LATE]
    # A wrong accusation is that of one who does not wait.
    wrong = accusing(*idle, "accuse Green, Club, Barn")
    assert wrong[HASTY] > 5 * before[HASTY] and wrong[PROMPT] < before[PROMPT]
    # Who wins as a turn begins may always do so; who wins right after a suggestion does not.
    won = accusing(*asked, "accuse Red, Axe, Attic")
    at_once = accusing(*idle, "suggest Red, Axe, Attic", "accuse Red, Axe, Attic")
    assert won[ACCUSES_LATE] > 1.5 * before[ACCUSES_LATE] and at_once[ACCUSES_LATE] < 0.1 * before[ACCUSES_LATE]


def test_who_wins_in_the_contest_tells_nothing_of_when_they_accuse() -> None:
    """There all accuse right after their own suggestion, as there is no other time."""
    asked = [
        "suggest Green, Bow, Cave",
        "show Green",
        "end",
        "suggest Green, Axe, Den",
        "end",
        "suggest Red, Axe, Attic",
    ]

    def accusing(*moves: str) -> list[float]:
        table = dealt("contest", *moves)
        return list(player().consult(table.game, seen_by(table.game, table.states, 1)).habits[-1].accusing)

    assert accusing(*asked, "accuse Red, Axe, Attic") == pytest.approx(accusing(*asked))


def test_an_early_accusation_must_gain_with_every_likely_habit() -> None:
    spec = f"exact:{HABITS},deals=1000,trials=50,news=0.3,least=0.1"
    table = dealt("mitchell", *LATE)
    cautious, bold = (advice(table, f"{spec},likely={likely}").accusation for likely in (0.0, 1.0))
    assert cautious.least < bold.least == pytest.approx(bold.probability) == pytest.approx(cautious.probability)
    assert bold.accuse
    assert not advice(table, f"{spec},likely=1.0".replace("least=0.1", "least=1.0")).accusation.accuse


def test_an_early_accusation_must_gain_though_others_may_accuse_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where who accuses late is no danger, it is looked into only where some may do so that are likely enough."""
    asked: list[tuple[int, int]] = []

    def danger(_thought: Any, _action: int, _sure: Any, holder: int = -1, habit: int = PROMPT) -> float:
        asked.append((holder, habit))
        return 0.0 if habit == ACCUSES_LATE else 0.95

    monkeypatch.setattr(thought.Thought, "_danger", danger)
    table = dealt("mitchell", *LATE)
    spec = f"exact:{CERTAIN_HABITS},deals=1000,trials=50,news=0.3,least=0.1,hasty=0,silent=0"
    for late, accuses in (("0.0", True), ("0.4", False), ("0.05", True)):
        asked.clear()
        assert advice(table, f"{spec},late={late}").accusation.accuse == accuses, late
        assert (set(asked) == {(-1, PROMPT)}) == accuses, (late, asked)


def test_who_expects_less_news_accuses_earlier(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who accuses though the others' turns may tell everything accuses as well where they tell nothing."""
    monkeypatch.setattr(thought.Thought, "_danger", lambda *_: 0.5)
    seen = Counter[tuple[bool, bool]]()
    for number in range(12):
        table = Table(small(3), ["basic", "advanced", "combined"], number)
        while not table.over and len(table.slow.record) < 12:
            if table.slow.phase == "after":
                spec = f"exact:{CERTAIN_HABITS},likely=1.0,least=0.1,trials=10,deals=300"
                bold, patient = (advice(table, f"{spec},news={news}").accusation.accuse for news in (0.0, 1.0))
                seen[bold, patient] += 1
            move = table.decide()
            table.play("end" if move.startswith("accuse") and table.slow.phase == "after" else move)
    assert seen[True, False] > 0 == seen[False, True] and seen[False, False] > 10, seen


def test_what_it_learned_of_others_it_takes_along_where_they_meet_again() -> None:
    agent, game = player(), clue(3)
    views = game.views(game.new(seeds_of(5, 2)), np.zeros(2, np.int8))
    memory = agent.start(game, views, np.zeros(2, np.uint64))
    fresh = memory.prior.copy()
    table = Table(game, ["basic", "combined", "combined:own=2.0"], 3)
    while not table.over:
        table.play(table.decide())
    end = seen_by(game, table.states, 0)
    before = agent.start(game, end, np.array([5], np.uint64))
    known = agent.impressions(game, end, before, 0)
    assert (before.streams == 5).all()
    agent.meet_again(memory, 1, known)
    assert (memory.prior[0] == fresh[0]).all()
    own = memory.prior[1][:, : len(NAMING)] @ np.array(NAMING)
    assert own[1] > own[0] and memory.prior[1][0, 0] > fresh[1][0, 0]
    # Where only who they are is known, what is expected of both draws nearer.
    agent.meet_again(memory, 1, known, seated=False)
    mixed = memory.prior[1][:, : len(NAMING)] @ np.array(NAMING)
    assert own[0] < mixed[0] < mixed[1] < own[1]
    # With more at the table they are taken for the same kinds; and the game is told apart by nothing else.
    four = agent.start(
        clue(4), clue(4).views(clue(4).new(seeds_of(1, 1)), np.zeros(1, np.int8)), np.zeros(1, np.uint64)
    )
    agent.meet_again(four, 0, known)
    assert four.prior.shape == (1, 3, HABITS_OF_A_SEAT) and (four.prior[0, 0] == four.prior[0, 2]).all()


@pytest.mark.parametrize(
    ("showing", "told"),
    [
        ((0.2, 0.5, 0.3), "to show the last of the list (50 %)"),
        ((0.4, 0.401, 0.199), "to show the first of the list or the last of the list (40 % each)"),
        ((0.3, 0.35, 0.35), "to show the last of the list or any (35 % each)"),
        ((1 / 3, 1 / 3, 1 / 3), "to show the first of the list, the last of the list or any (33 % each)"),
    ],
)
def test_of_habits_that_are_as_likely_none_is_said_to_be_the_one(showing: tuple[float, ...], told: str) -> None:
    rare = habit_in_words(
        Impression(1, (0.004, 0.5, 0.496), (0.998, 0.001, 0.001), 0.9, 0.999, 0.5, (1.0, 0, 0, 0)), "Bob"
    )
    assert "(never: <1 %)" in rare and "the first of the list (>99 %)" in rare and "are known to lack (>99 %)" in rare
    assert "as soon as certain (100 %)" in rare
    said = habit_in_words(Impression(1, (0.2, 0.4, 0.4), showing, 0.9, 0.3, 0.5, (0.3, 0.3, 0.2, 0.2)), "Bob")
    assert told in said
    assert said.endswith("and to accuse as soon as certain or to accuse only when a turn begins (30 % each).")


def test_reasons_are_told_in_words() -> None:
    spec = f"exact:{CERTAIN_HABITS},deals=1000,trials=50,news=0.3,askers=2"

    def why(*moves: str) -> list[str]:
        table = dealt("mitchell", *moves)
        agent = player(spec)
        memory = agent.start(table.game, view_of(table), np.array([3], np.uint64))
        kept = memory.streams.copy()
        text = agent.why(table.game, view_of(table)[0], memory, 0)
        assert (memory.streams == kept).all()
        assert text == agent.why(table.game, view_of(table), memory, 0)
        return text.splitlines()

    plainly, first, *asked = why("suggest Green, Bow, Cave", "show Green", "end")
    assert re.fullmatch(
        r"It asks about .+: of what amounts to [\d.]+ equally likely envelopes, the answer leaves [\d.]+\.",
        plainly,
    )
    assert "the likeliest envelope is" in first and first.startswith("By all ")
    *asked, habits = asked
    assert habits.startswith("Seat 0 and seat 2 seem to name own cards ")
    assert len(asked) == 5 and all("bits about the envelope, certain after it with" in line for line in asked)
    plainly, _, *shown = why("suggest Green, Bow, Cave", "show Green", "end", "suggest Blue, Axe, Cave")[:-1]
    assert plainly == "It shows Cave: of the cards that it may show, this one tells least."
    assert [line.split(" would tell ")[0] for line in shown] == ["Cave", "Blue"]
    plainly, *_ = why("suggest Green, Bow, Cave", "show Green", "end", "suggest Blue, Axe, Attic")
    assert plainly == "It shows Blue: it has no other card of those asked for."
    plainly, *_ = why("suggest Green, Bow, Cave", "show Green")
    assert plainly == "It ends its turn: of the envelope it is not sure enough."
    plainly, likeliest, verdict = why(*LATE)[:-2]
    assert plainly == "It accuses: to wait is the greater risk."
    assert "Red, Axe, Attic" in likeliest and "100 %" not in likeliest
    assert verdict.startswith("Another wins before its next turn in") and verdict.endswith("So it accuses now.")


@pytest.mark.parametrize("order", ORDERS)
def test_the_reason_is_that_of_the_move_that_follows(order: str) -> None:
    """Of suggestions that are worth the same, too, and where who is certain may not accuse yet."""
    words = {
        "suggest": "It asks about {cards}: ",
        "show": "It shows {cards}: ",
        "accuse": "It accuses",
        "end": "It ends its turn: ",
    }
    certain = 0
    for habits, games in (("ask=gain,rest=0,now=0", 3), ("danger=1", 12)):
        for number in range(games):
            table = Table(clue(3, order), [f"{LIGHT},{habits}", "no-intelligence", "no-intelligence"], number)
            while not table.over:
                if table.seat:
                    table.play(table.decide())
                    continue
                told = table.agents[0].why(table.game, view_of(table), table.memories[0], 0).splitlines()
                move = table.decide()
                deed, _, cards = move.partition(" ")
                assert told[0].startswith(words[deed].format(cards=cards))
                asked = [line.partition(":")[0] for line in told if "bits about the envelope, certain" in line]
                assert deed != "suggest" or asked[0] == cards
                certain += deed in ("show", "suggest") and told[1].endswith(" 100 %.")
                table.play(move)
    assert certain


@pytest.mark.parametrize("order", ORDERS)
def test_after_a_suggestion_none_is_looked_ahead_at(order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is none to make, and after the last that may be made a record has no room for one."""
    looked: list[int] = []

    def look_ahead(view: Any, action: int, *rest: Any) -> float:
        looked.append(action)
        return 0.0

    monkeypatch.setattr(thought, "chance_of_losing", look_ahead)
    table = dealt(order, "suggest Green, Axe, Cave", "show Green", items=("last_word=yes", "max_suggestions=1"))
    found = advice(table, f"{LIGHT},danger=1")
    assert found.entropy > 0 and not found.suggestions
    assert not [action for action in looked if action >> PLAY_SHIFT == SUGGEST]


def test_of_seats_of_which_the_same_is_believed_it_is_said_once() -> None:
    table = dealt("mitchell")
    agent = player("exact:deals=1000")
    memory = agent.start(table.game, view_of(table), np.array([3], np.uint64))
    habits = [line for line in agent.why(table.game, view_of(table), memory, 0).splitlines() if " own cards " in line]
    assert [line.partition(" own cards ")[0] for line in habits] == ["Seat 1 and seat 2 seem to name"]


# --- Time -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "deals", "weighed"), [(3, 5000, 256), (10, 5000, 1024), (100, 600, 600), (0, 300, 300), (3, 100, 100)]
)
def test_a_time_limit_limits_the_deals(seconds: int, deals: int, weighed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by one second whenever it is looked at; who goes on needs four times what he has taken."""
    ticks = iter(range(1000))
    monkeypatch.setattr(thought, "time", SimpleNamespace(perf_counter=lambda: float(next(ticks))))
    game = clue(3)
    view = seen_by(game, game.new(seeds_of(0, 1)), 0)
    found = player(f"exact:deals={deals},seconds={seconds},early=no").consult(game, view)
    assert found.deals == weighed and not found.every_deal


# --- Parameters -------------------------------------------------------------------------------------------------------

BASE = f"exact:{HABITS},deals=60,rest=0.1,now=0.0,leak=0.0,danger=0.0,early=yes,likely=0.3,least=0.0,news=0.3,trials=4,askers=1"
VALUES = {
    "deals": "20",
    "ask": "likeliest",
    "read": "no",
    "never": "0.1",
    "lacked": "1.0",
    "fresh": "0.0",
    "late": "0.5",
    "hasty": "0.5",
    "silent": "0.5",
    "choose": "no",
    "first": "0.9",
    "silence": "1.0",
    "rest": "0.9",
    "now": "3.0",
    "leak": "0.5",
    "danger": "9.0",
    "looked": "1",
    "early": "no",
    "likely": "0.0",
    "least": "0.9",
    "trials": "40",
    "askers": "0",
}
BESIDE = {"looked": "danger=9.0", "trials": "danger=9.0", "silence": "never=0.0,late=0.0,hasty=0.0,silent=0.0"}


@cache
def games_of(spec: str) -> tuple[tuple[int, ...], ...]:
    """The moves of some games of this player and quick ones."""
    moves: list[tuple[int, ...]] = []
    for game, other in ((small(3), "basic"), (clue(4), "advanced"), (clue(3), "basic:accuse_after=no")):
        agents = [player(spec), *[AGENTS.make(other)] * (game.seats - 2), player(spec)]
        played = play(game, agents, seeds_of(0, 5), keep_actions=True)
        assert played.actions is not None
        moves += map(tuple, played.actions)
    return tuple(moves)


def test_every_parameter_is_examined() -> None:
    fields = {field.name: field for field in dataclasses.fields(Parameters)}
    assert set(VALUES) | {"seconds", "news"} == set(fields)
    assert all(len(field.metadata["doc"]) > 10 for field in fields.values())


@pytest.mark.parametrize("name", VALUES)
def test_every_parameter_changes_the_games(name: str) -> None:
    spec = f"{BASE},{BESIDE[name]}" if name in BESIDE else BASE
    changed = player(f"{spec},{name}={VALUES[name]}")
    assert player(changed.name).parameters == changed.parameters != player(spec).parameters
    assert games_of(f"{spec},{name}={VALUES[name]}") != games_of(spec)


@pytest.mark.parametrize(
    "item", ["deals=0", "never=-1", "first=1.5", "silence=0", "askers=-1", "seconds=-1", "early=perhaps"]
)
def test_what_cannot_be_set_is_refused(item: str) -> None:
    with pytest.raises(BadParameter):
        AGENTS.make(f"exact:{item}")


def test_it_is_asked_for_advice_about_a_view_of_the_game_alone() -> None:
    game, other = clue(3), clue(4)
    view, many = (each.views(each.new(seeds_of(1, 1)), np.zeros(1, np.int8)) for each in (game, other))
    with pytest.raises(BadInput, match="speed_clue/mitchell is played by 3 here, and a view is of a game of 4"):
        player(LIGHT).consult(game, many)
    with pytest.raises(BadInput, match="here an array of views of this game is asked for, not "):
        player(LIGHT).consult(game, 5)
    with pytest.raises(BadInput, match="a seed is a whole number from 0 to "):
        player(LIGHT).consult(game, view, seed=-1)
