"""What `exact` believes, against a slow posterior: every deal of ten cards that agrees with the record, weighed by its habits."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache
from itertools import chain, pairwise
from typing import Any

import numpy as np
import pytest

from agents.speed_clue.beside import Table, dealt
from games.speed_clue.playing import ORDERS, seen_by, small
from molehunt.agents.speed_clue.exact import Parameters
from molehunt.beliefs.deals.layers import places_from
from molehunt.core.kernels import kernel
from molehunt.core.specs import as_record
from molehunt.games.speed_clue.resample import facts_of_views
from molehunt.reading.speed_clue.deeds import read_views
from molehunt.reading.speed_clue.habits import KINDS, NAMING, SEEN, SEEN_FIRST, prior
from molehunt.reading.speed_clue.hands import envelopes_weighed, habits_in_deals, weighed
from reference.speed_clue import Edition, Suggestion, View, all_cards
from reference.speed_clue_players import Deal, possible_deals

HABITS = [
    Parameters(never=0.9, lacked=0.6, fresh=0.8, first=0.5, silence=0.02, late=0.2, hasty=0.1, silent=0.1),
    Parameters(never=0.4, lacked=0.0, fresh=1.0, first=0.0, silence=0.3, late=0.0, hasty=0.3, silent=0.0),
    Parameters(never=0.0, lacked=1.0, fresh=0.0, first=0.9, silence=1.0, late=1.0, hasty=0.0, silent=0.0),
    Parameters(never=1.0, lacked=0.3, fresh=0.3, first=0.3, silence=0.001, late=0.9, hasty=0.6, silent=0.5),
    Parameters(never=0.6, lacked=0.8, fresh=0.9, choose=False, first=0.5, silence=0.1, late=0.3, silent=0.4),
]
GAMES = 8


@kernel
def places_weighed(facts: Any, reading: Any, prior: Any, places: Any) -> float:
    """`layers.place_weights`, every deal weighed by the reading."""
    return places_from(weighed(facts, reading, prior, False), places)


# --- The slow posterior -----------------------------------------------------------------------------------------------


def habits_of_naming_seen(p: Parameters) -> dict[float, float]:
    """How likely each habit of naming cards seen is before anything is known."""
    return {level: p.fresh if level == SEEN[0] else (1 - p.fresh) / (len(SEEN) - 1) for level in SEEN}


def habits_of_accusing(p: Parameters) -> dict[str, float]:
    """How likely each habit of accusing is before anything is known; no more than all have one."""
    found = {"late": p.late, "hasty": p.hasty, "silent": p.silent}
    most = max(1.0, sum(found.values()))
    found = {habit: share / most for habit, share in found.items()}
    return {"prompt": 1 - sum(found.values()), **found}


def chance_of_later(view: View, edition: Edition, number: int, card: str, level: float) -> float:
    """How much more likely than at random it is what an asker named later who saw a card then, and has a habit."""
    (cards,) = [len(category) for category in edition if card in category]
    asker = view["record"][number].seat
    later = [made for made in view["record"][number + 1 :] if made.seat == asker]
    chance = 1.0
    for made in later:
        chance *= level if card in made.cards else (1 - level / cards) / (1 - 1 / cards)
    return chance


def chance_of_seen(view: View, edition: Edition, asker: int, level: float) -> float:
    """How likely, with a habit, is what a seat did with the cards that one showed it oneself."""
    chance = 1.0
    known: set[str] = set()
    for number, made in enumerate(view["record"]):
        if (made.seat, made.disprover) == (asker, view["seat"]) and made.shown is not None and made.shown not in known:
            known.add(made.shown)
            chance *= chance_of_later(view, edition, number, made.shown, level)
    return chance


def naming_seen(view: View, edition: Edition, asker: int, p: Parameters) -> dict[float, float]:
    """How likely each habit of naming cards seen is after what a seat did with those that one showed it."""
    found = {
        level: share * chance_of_seen(view, edition, asker, level) for level, share in habits_of_naming_seen(p).items()
    }
    return {level: share / sum(found.values()) for level, share in found.items()}


def chance_of_card(card: str, held: list[str], style: str) -> float:
    """The chance that who holds these of the three, in their order, shows the card; once in ten times a style is left."""
    if style == "any":
        return 1 / len(held)
    return 0.1 / len(held) + 0.9 * (card == held[0 if style == "first" else -1])


def chance_of_naming(view: View, edition: Edition, asker: int, hand: frozenset[str], level: float) -> float:
    """How much more likely than at random who has a hand names the cards that a seat named, with a habit."""
    chance = 1.0
    unknown = len(all_cards(edition)) - len(view["hand"])
    for category in edition:
        usual = view["hand_sizes"][asker] * len(set(category) - view["hand"]) / unknown
        held = (usual + len(hand & set(category))) / 2
        own = min(0.85, level * held / len(category))
        for made in view["record"]:
            if made.seat == asker:
                (card,) = set(made.cards) & set(category)
                by_own = own * len(category) / held if held else level
                chance *= by_own if card in hand else (1 - own) * len(category) / max(len(category) - held, 1)
    return chance


def chance_of_choosing(view: View, edition: Edition, asker: int, hand: frozenset[str]) -> float:
    """How much more likely than at random who has a hand names these cards of others, by what all know that others lack.

    First come the cards that the most others lack; each that is passed over for one that fewer lack must be known to be somewhere,
    which 3 in 20 are. Once in ten times any card is named.
    """
    chance = 1.0
    lacks: dict[int, set[str]] = {seat: set() for seat in range(view["seats"])}
    seen: set[str] = set()
    for made in view["record"]:
        if made.seat == asker:
            for category in edition:
                (card,) = set(made.cards) & set(category)
                open_cards = {other for other in category if other not in hand | seen}
                if card in open_cards:
                    times = {
                        other: sum(other in lacks[seat] for seat in lacks if seat != asker) for other in open_cards
                    }
                    above = sum(times[other] > times[card] for other in open_cards)
                    alike = sum(times[other] == times[card] for other in open_cards)
                    chance *= 0.9 * 0.15**above * len(open_cards) / alike + 0.1
        if made.disprover == view["seat"] and made.seat == asker and made.shown is not None:
            seen.add(made.shown)
        if made.finished:
            seat = (made.seat + 1) % view["seats"]
            while seat not in {made.seat, made.disprover}:
                lacks[seat] |= set(made.cards)
                seat = (seat + 1) % view["seats"]
    return chance


def shows_of(view: View, disprover: int, p: Parameters) -> list[int]:
    """The numbers of the suggestions that a seat answered by its own choice, as far as that tells anything."""
    found = []
    for number, made in enumerate(view["record"] if p.choose else []):
        if made.disprover == disprover:
            before = [(m.seat, m.disprover, m.shown) for m in view["record"][:number]]
            later = any(m.seat == made.seat for m in view["record"][number + 1 :])
            if later if made.shown is None else (made.seat, disprover, made.shown) not in before:
                found.append(number)
    return found


def chance_of_showing(
    view: View, edition: Edition, disprover: int, hand: frozenset[str], style: str, p: Parameters
) -> float:
    """How well a hand explains which cards its holder showed, and, unseen, what who saw them asked for later."""
    chance = 1.0
    for number in shows_of(view, disprover, p):
        made = view["record"][number]
        held = [card for card in made.cards if card in hand]
        if made.shown is not None:
            chance *= chance_of_card(made.shown, held, style)
            continue
        expected = naming_seen(view, edition, made.seat, p)
        chance *= sum(
            chance_of_card(card, held, style) * share * chance_of_later(view, edition, number, card, level)
            for card in held
            for level, share in expected.items()
        )
    return chance


def chance_of_accusing(view: View, other: int, hand: frozenset[str], habit: str, contest: bool, p: Parameters) -> float:
    """How likely it is, with a hand and a habit, when a seat accused and when it kept silent though it was certain."""
    chance = 1.0
    for number, made in enumerate(view["record"]):
        undecided = view["phase"] == "after" and number == len(view["record"]) - 1
        silent = made.seat == other and made.finished and made.disprover is None and not undecided
        if silent and other not in view["out"] and not hand & set(made.cards):
            turned = any(m.seat == other for m in view["record"][number + 1 :])
            of_habit = {"silent": 0.36 if turned else 0.6, "late": p.silence if turned else 1.0}
            chance *= 0.0 if contest else of_habit.get(habit, p.silence)
    for seat, cards, right in view["accusations"]:
        if seat == other and not right:
            chance *= 0.5 if habit == "hasty" else 0.02
            chance *= 0.02 if hand & set(cards) else 1
        elif seat == other and not contest:
            after_own = view["record"] and view["record"][-1].seat == other
            chance *= (0.02 if after_own else 1.0) if habit == "late" else 0.5
    return chance


def weight_of_hand(
    other: int, hand: frozenset[str], view: View, edition: Edition, contest: bool, p: Parameters
) -> float:
    """How likely all that a seat did is with a hand, over its habits of every kind."""
    rest = len(NAMING) - 1
    naming = {level: p.never if level == NAMING[0] else (1 - p.never) / rest for level in NAMING}
    showing = {"first": p.first, "last": (1 - p.first) / 2, "any": (1 - p.first) / 2}
    weight = sum(share * chance_of_naming(view, edition, other, hand, level) for level, share in naming.items())
    weight *= sum(share * chance_of_showing(view, edition, other, hand, style, p) for style, share in showing.items())
    weight *= 1 - p.lacked + p.lacked * chance_of_choosing(view, edition, other, hand)
    weight *= sum(
        share * chance_of_accusing(view, other, hand, habit, contest, p)
        for habit, share in habits_of_accusing(p).items()
    )
    return weight


def weights_of(deals: list[Deal], view: View, edition: Edition, contest: bool, p: Parameters) -> list[float]:
    """How likely all that the others did is in each deal."""
    others = set(range(view["seats"])) - {view["seat"]}
    of_hand = cache(lambda other, hand: weight_of_hand(other, hand, view, edition, contest, p))  # many deals have it
    return [math.prod(of_hand(other, deal.hands[other]) for other in others) for deal in deals]


# --- Beside it --------------------------------------------------------------------------------------------------------


def what_happened(view: View) -> set[str]:
    """What of the things that matter is in a record."""

    def of(made: Suggestion) -> set[str]:
        other = made.disprover not in {None, view["seat"]}
        return {
            name
            for name, so in (
                ("saw a card", other and made.shown is not None),
                ("saw none", other and made.shown is None),
                ("nobody had any", made.finished and made.disprover is None and made.seat != view["seat"]),
            )
            if so
        }

    found = set().union(*map(of, view["record"])) if view["record"] else set()
    if any(not right for _, _, right in view["accusations"]):
        found.add("a wrong accusation")
    return found


def believed(table: Table, seat: int, p: Parameters) -> tuple[Any, Any, Any]:
    """What a seat believes: the facts, the reading and the habits expected."""
    game, view = table.game, seen_by(table.game, table.states, seat)
    expected = prior(p, game.seats)
    return facts_of_views(view, game.params), read_views(view, game.params, as_record(p), expected), expected


def compare(table: Table, seat: int, p: Parameters) -> float:
    """Compare the beliefs of a seat with the slow ones; how far these are from every deal being equally likely."""
    game, view = table.game, table.slow.view(seat)
    possible = possible_deals(table.slow.edition, view, table.slow.order)
    weights = np.array(weights_of(possible, view, table.slow.edition, table.slow.order == "contest", p))
    assert weights.sum() > 0
    shares = weights / weights.sum()
    cards = all_cards(table.slow.edition)
    places = np.zeros((64, game.seats))
    envelopes: dict[int, float] = defaultdict(float)
    for deal, share in zip(possible, shares, strict=True):
        envelopes[table.bits.mask(deal.envelope)] += share
        for holder in range(game.seats - 1):
            for card in deal.hands[(seat + 1 + holder) % game.seats]:
                places[cards.index(card), holder] += share
        for card in deal.envelope:
            places[cards.index(card), game.seats - 1] += share

    read = believed(table, seat, p)
    found: Any = np.zeros((64, game.seats))
    total = places_weighed(*read, found)
    np.testing.assert_allclose(found / total, places, rtol=1e-9, atol=1e-12)
    masks, worth, total = envelopes_weighed(*read)
    seen = {int(mask): share / total for mask, share in zip(masks, worth, strict=True) if share}
    assert seen == pytest.approx({mask: share for mask, share in envelopes.items() if share}, rel=1e-9)
    return float(abs(shares - 1 / len(shares)).sum())


def habits_of(deal: Deal, view: View, edition: Edition, contest: bool, p: Parameters) -> dict[int, list[float]]:
    """How likely each habit of each other seat is in a deal, each kind of sum 1, in the order of `habits`."""

    def shares(chances: Any) -> list[float]:
        found = list(chances)
        return [each / sum(found) for each in found] if sum(found) else found

    others = set(range(view["seats"])) - {view["seat"]}
    rest = len(NAMING) - 1
    styles, found = {}, {}
    for other in others:
        hand = deal.hands[other]
        levels = {level: p.never if level == NAMING[0] else (1 - p.never) / rest for level in NAMING}
        naming = (share * chance_of_naming(view, edition, other, hand, level) for level, share in levels.items())
        prior_styles = {"first": p.first, "last": (1 - p.first) / 2, "any": (1 - p.first) / 2}
        showing = [s * chance_of_showing(view, edition, other, hand, style, p) for style, s in prior_styles.items()]
        choosing = (1 - p.lacked, p.lacked * chance_of_choosing(view, edition, other, hand))
        accusing = (
            s * chance_of_accusing(view, other, hand, habit, contest, p) for habit, s in habits_of_accusing(p).items()
        )
        styles[other] = dict(zip(prior_styles, shares(showing), strict=True))
        found[other] = [shares(naming), shares(showing), shares(choosing), shares(accusing)]
    for other in others:
        seen = naming_seen(view, edition, other, p)
        for shower in others - {other}:
            for number in shows_of(view, shower, p):
                made = view["record"][number]
                held = [card for card in made.cards if card in deal.hands[shower]]
                for level in seen if made.seat == other and made.shown is None else ():
                    seen[level] *= sum(
                        share * chance_of_card(card, held, style) * chance_of_later(view, edition, number, card, level)
                        for card in held
                        for style, share in styles[shower].items()
                    )
        found[other].insert(3, shares(seen.values()))
    return {other: list(chain.from_iterable(kinds)) for other, kinds in found.items()}


def test_the_habits_are_those_of_the_slow_posterior() -> None:
    """In every deal, after games in which any card may be named."""
    compared, moved = 0, 0.0
    for number in range(16):
        game = small(3 + number % 2, ORDERS[number // 8])
        table = Table(game, ["advanced"] * game.seats, 77 + number)
        for step in range(70):
            if table.over:
                break
            seat = step % game.seats
            if step % 5 == 4 and len(table.slow.record) > 4:
                p, view = HABITS[(number + step) % len(HABITS)], table.slow.view(seat)
                _, reading, expected = believed(table, seat, p)
                possible = possible_deals(table.slow.edition, view, table.slow.order)
                others = [(seat + 1 + holder) % game.seats for holder in range(game.seats - 1)]
                hands = np.array([[table.bits.mask(deal.hands[o]) for o in others] for deal in possible], np.uint64)
                shares = np.zeros((*hands.shape, expected.shape[1]))
                habits_in_deals(hands, reading, expected, shares)
                for deal, found in zip(possible, shares, strict=True):
                    slow = habits_of(deal, view, table.slow.edition, table.slow.order == "contest", p)
                    for holder, other in enumerate(others):
                        if all(sum(slow[other][a:b]) > 0 for a, b in pairwise(KINDS)):
                            assert found[holder] == pytest.approx(slow[other], rel=1e-9, abs=1e-12)
                            compared += 1
                            moved += float(abs(found[holder] - expected[holder])[SEEN_FIRST:].sum())
            move = odd_move(table, luck=0.6)
            table.play("end" if move.startswith("accuse") and "end" in table.slow.legal_moves() else move)
    assert compared > 500 and moved > 0.02 * compared, (compared, moved)


def odd_move(table: Table, luck: float) -> str:
    """A player's move, or, with this chance, any suggestion, own cards and all, and no accusation after it."""
    move, legal = table.decide(), table.slow.legal_moves()
    if table.random.random() >= luck:
        return move
    if table.slow.phase == "after":
        return "end" if "end" in legal else move
    return table.random.choice([other for other in legal if not other.startswith("accuse")])


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_beliefs_are_those_of_the_slow_posterior(seats: int, order: str) -> None:
    game, seen = small(seats, order), Counter[str]()
    moved = 0.0
    for number in range(GAMES):
        specs = ["random" if seat == number % seats and number % 2 else "advanced" for seat in range(seats)]
        table = Table(game, specs, 300 * seats + number)
        for step in range(60):
            if table.over:
                break
            if step % 3 == number % 3:
                # Not only who is to move believes something.
                seat = table.seat if step % 2 else table.random.randrange(seats)
                seen.update(what_happened(table.slow.view(seat)))
                seen["compared"] += 1
                moved += compare(table, seat, HABITS[(number + step) % len(HABITS)])
            table.play(odd_move(table, luck=(0.4, 0.7)[number // 2 % 2]))
    assert seen["compared"] > 40 and moved > 0.2 * seen["compared"], (seen, moved)
    assert min(seen["saw a card"], seen["saw none"], seen["nobody had any"], seen["a wrong accusation"]) > 2, seen


# --- Single habits ----------------------------------------------------------------------------------------------------

PLAIN = Parameters(read=False, choose=True, first=0.0, silence=1.0, late=0.0, hasty=0.0, silent=0.0)
NEUTRAL = replace(PLAIN, read=True, never=0.0, lacked=0.0, fresh=0.0)


def probability(table: Table, p: Parameters, card: str, place: int) -> float:
    """How likely seat 1 holds it that a card is with another seat, or, place 1, in the envelope."""
    places: Any = np.zeros((64, 3))
    total = places_weighed(*believed(table, 1, p), places)
    return float(places[table.cards.index(card), {2: 0, 0: 1, 1: 2}[place]] / total)


def test_who_names_a_card_hardly_holds_it_unless_he_is_seen_to_name_his_own() -> None:
    p = replace(PLAIN, read=True, never=0.9, lacked=0.0)
    start = ["suggest Green, Bow, Attic", "show Green", "end"]
    before, after = (dealt("mitchell", *moves) for moves in ([], start))
    assert probability(before, p, "Bow", 0) == pytest.approx(3 / 8, abs=0.05)  # it has three of eight cards
    assert probability(after, p, "Bow", 0) < 0.15 < probability(after, PLAIN, "Bow", 0)
    start += ["suggest Blue, Axe, Attic", "show Blue", "end", "suggest Red, Axe, Attic", "end"]
    honest, bluff = (dealt("mitchell", *start, f"suggest {suspect}, Axe, Attic", "end") for suspect in ("Red", "Blue"))
    assert probability(bluff, p, "Bow", 0) > 1.5 * probability(honest, p, "Bow", 0)


def test_who_passes_over_a_card_that_others_lack_may_hold_it() -> None:
    """All have seen seat 2 pass on the Bow; then seat 0 names the Axe, of which nothing is known."""
    p = replace(NEUTRAL, lacked=0.9)
    first = ["suggest Green, Axe, Attic", "show Green", "end"]
    passed = [*first, "suggest Blue, Bow, Cave", "show Cave", "end"]
    unknown = [*first, "suggest Blue, Club, Cave", "show Club", "end"]
    for start, more in ((passed, True), (unknown, False)):
        table = dealt("mitchell", *start, "suggest Red, Axe, Den", "show Den", "end", "suggest Green, Axe, Den")
        read, unread = (probability(table, each, "Bow", 0) for each in (p, NEUTRAL))
        assert read > unread + 0.1 if more else read == pytest.approx(unread), (start, read, unread)


def test_a_card_that_is_named_again_was_hardly_the_one_shown() -> None:
    """Seat 0 shows seat 2 a card, unseen; then seat 2 names one of those that it could have been again."""
    idle = ["suggest Green, Axe, Attic", "show Green", "end", "suggest Red, Club, Attic", "show Club", "end"]
    start = [*idle, "suggest Red, Bow, Cave", "show Bow", "end", *idle]
    for card, more in (("Cave", True), ("Bow", False)):
        again = "suggest Red, Axe, Cave" if card == "Cave" else "suggest Red, Bow, Attic"
        table = dealt("mitchell", *start, again)
        read, unread = (probability(table, p, "Bow", 0) for p in (replace(NEUTRAL, fresh=1.0), PLAIN))
        assert read != pytest.approx(unread, rel=0.05) and (read > unread) == more


def test_who_does_not_accuse_holds_one_of_the_cards() -> None:
    """After a suggestion that nobody disproves: for certain in the contest, likely else; nothing before the turn is over."""
    p = replace(PLAIN, read=True, silence=0.02)

    def chance_of_none(order: str, *moves: str) -> float:
        """The chance that just these cards are in the envelope."""
        table = dealt(order, "suggest Blue, Axe, Attic", *moves)
        masks, weights, total = envelopes_weighed(*believed(table, 1, p))
        wanted = table.bits.mask(["Blue", "Axe", "Attic"])
        return float(sum(w for mask, w in zip(masks, weights, strict=True) if int(mask) == wanted) / total)

    assert chance_of_none("contest", "end") == 0
    assert 0 < chance_of_none("mitchell", "end") < 0.05 < chance_of_none("mitchell")
    assert chance_of_none("contest") == pytest.approx(chance_of_none("mitchell"))


@pytest.mark.parametrize(("last_word", "silences"), [("no", 0), ("yes", 1)])
def test_whom_the_limit_of_suggestions_stopped_was_not_silent(last_word: str, silences: int) -> None:
    moves = ("suggest Blue, Axe, Attic", *["end"] * silences)
    table = dealt("mitchell", *moves, items=("max_suggestions=1", f"last_word={last_word}"))
    assert table.over
    _, reading, _ = believed(table, 1, replace(PLAIN, read=True))
    assert len(reading.silent_cards) == silences
