"""States drawn from a view: the view stays as it was, every fact is kept, and all possible deals are equally likely."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from core.chance import assert_uniform
from games.speed_clue.playing import (
    ORDERS,
    Bits,
    careful,
    clue,
    edition_of,
    mover,
    names_in,
    play,
    reference_of,
    seeds_of,
    seen_by,
    small,
)
from molehunt.core.game import States
from molehunt.core.streams import seat_streams
from molehunt.games.speed_clue.game import SpeedClue
from reference.speed_clue import ReferenceClue, all_cards
from reference.speed_clue_players import Deal, possible_deals


def drawn(game: SpeedClue, states: States, seat: int, count: int, first: int = 0) -> States:
    """So many states drawn from the view of one seat of the first state."""
    views = np.repeat(seen_by(game, states, seat), count)
    return game.resample(views, seat_streams(seeds_of(first, count), 1)[:, 0])


def walk(game: SpeedClue, number: int, moves: int) -> tuple[States, ReferenceClue]:
    """A game after so many moves, or before its end, and the slow game beside it."""
    rng = random.Random(number)
    states = game.new(seeds_of(number, 1))
    slow, bits = reference_of(game, states[0]), Bits(edition_of(game))
    for _ in range(moves):
        before = states.copy()
        legal = slow.legal_moves()
        move = careful(rng, slow, legal) if rng.random() < 0.9 else rng.choice(legal)
        game.apply(states, np.array([bits.action(move)], np.int32))
        if mover(game, states) < 0:
            return before, slow
        slow.apply(move)
    return states, slow


def deal_of(game: SpeedClue, state: Any) -> Deal:
    """Where every card lies, in names."""
    names = all_cards(edition_of(game))
    suspect, weapon, location = names_in(int(state["envelope"]), names)
    hands = tuple(frozenset(names_in(int(hand), names)) for hand in state["hands"][: game.seats])
    return Deal((suspect, weapon, location), hands)


def check_facts(game: SpeedClue, state: Any, seat: int, slow: ReferenceClue) -> None:
    """The deal of a drawn state agrees with all that the seat of the slow game has seen and heard."""
    deal, view = deal_of(game, state), slow.view(seat)
    places = [*deal.envelope, *(card for hand in deal.hands for card in hand)]
    assert sorted(places) == sorted(all_cards(slow.edition))
    assert deal.hands[seat] == view["hand"]
    assert [len(hand) for hand in deal.hands] == view["hand_sizes"]
    for made in view["record"]:
        assert all(not deal.hands[other] & set(made.cards) for other in made.none)
        asked = made.disprover if made.finished else view["to_move"]
        if asked is not None:
            assert deal.hands[asked] & set(made.cards)
        if made.shown is not None:
            assert made.disprover is not None and made.shown in deal.hands[made.disprover]
    assert all((cards == deal.envelope) == right for _, cards, right in view["accusations"])


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_seat_sees_the_same_in_every_drawn_state_and_every_fact_is_kept(seats: int, order: str) -> None:
    game = clue(seats, order)
    others = 0
    for number in range(10):
        states, slow = walk(game, number, 6 * number)
        for seat in range(seats):
            before = seen_by(game, states, seat)
            worlds = drawn(game, states, seat, 3, number)
            for index in range(3):
                world = worlds[index : index + 1]
                assert seen_by(game, world, seat).tobytes() == before.tobytes()
                check_facts(game, world[0], seat, slow)
                others += world["hands"].tobytes() != states["hands"].tobytes()
    assert others > 10 * seats


@pytest.mark.parametrize("seats", [3, 5])
def test_a_drawn_game_can_be_played_to_its_end_and_cards_were_really_shown(seats: int) -> None:
    game = clue(seats, "contest")
    bits = Bits(edition_of(game))
    for number in range(6):
        states, slow = walk(game, number, 30)
        for seat in range(seats):
            world = drawn(game, states, seat, 1, number)
            hands = [set(hand) for hand in deal_of(game, world[0]).hands]
            for entry, made in zip(world["record"][0].tolist(), slow.record, strict=False):
                shown = entry >> 21 & 31
                assert (shown > 0) == (made.disprover is not None)
                if made.disprover is not None:
                    assert shown - 1 in {bits.number[card] for card in set(made.cards) & hands[made.disprover]}
            game.play_randomly(world, np.array([number], np.uint64))
            assert mover(game, world) == -1


def moves_told(slow: ReferenceClue, shown: list[str | None]) -> list[str]:
    """The moves of a game of the contest up to now, with these cards shown in place of those that were."""
    moves = []
    accused = {seat: cards for seat, cards, _ in slow.accusations}
    for number, (made, card) in enumerate(zip(slow.record, shown, strict=True)):
        moves.append("suggest " + ", ".join(made.cards))
        if card is not None:
            moves.append(f"show {card}")
        if made.seat in accused and not any(later.seat == made.seat for later in slow.record[number + 1 :]):
            moves.append("accuse " + ", ".join(accused[made.seat]))
        elif number < len(slow.record) - 1 or slow.phase == "turn" or (slow.phase == "over" and slow.last_word):
            moves.append("end")
    return moves


@pytest.mark.parametrize("last_word", ["no", "yes"])
@pytest.mark.parametrize("seats", [3, 4])
def test_in_the_contest_every_drawn_state_is_one_that_these_moves_lead_to(seats: int, last_word: str) -> None:
    """Also at its end: who accused held none of the cards and was shown none, and who did not had one of those asked for."""
    told = 0
    for number in range(40):
        limit = 3 + number % 5
        game = small(seats, "contest", f"max_suggestions={limit}", f"last_word={last_word}")
        rng = random.Random(number)
        states = game.new(seeds_of(number, 1))
        slow, bits, moves = reference_of(game, states[0]), Bits(edition_of(game)), 0
        while slow.to_move is not None and moves < 2 + number:
            quiet = [move for move in slow.legal_moves() if not move.startswith("accuse ")]
            move = rng.choice(quiet if quiet and rng.random() < 0.8 else slow.legal_moves())
            game.apply(states, np.array([bits.action(move)], np.int32))
            slow.apply(move)
            moves += 1
        names = all_cards(slow.edition)
        for seat in range(seats):
            for index, world in enumerate(drawn(game, states, seat, 6, number)):
                deal = deal_of(game, world)
                hands = [sorted(hand) for hand in deal.hands]
                again = ReferenceClue(slow.edition, "contest", deal.envelope, hands, 0, limit, last_word == "yes")
                cards = [(int(entry) >> 21 & 31) - 1 for entry in world["record"][: len(slow.record)]]
                for move in moves_told(slow, [names[card] if card >= 0 else None for card in cards]):
                    again.apply(move)
                assert again.view(seat) == slow.view(seat), (number, seat, index)
            ruled = (possible_deals(slow.edition, slow.view(seat), order) for order in ORDERS)
            told += len({len(deals) for deals in ruled}) > 1
    assert told > 20


def test_where_somebody_did_not_keep_to_the_rules_of_the_contest_what_was_told_is_believed() -> None:
    """Seats 0 and 1 ask in vain for what nobody has, and let it be, as only a server without these rules allows."""
    loose, strict = small(3), small(3, "contest")
    states = loose.new(seeds_of(5, 1))
    envelope = ", ".join(deal_of(loose, states[0]).envelope)
    play(loose, states, f"suggest {envelope}", "end", f"suggest {envelope}", "end")
    view = seen_by(loose, states, 2)
    worlds = strict.resample(np.repeat(view, 50), seat_streams(seeds_of(0, 50), 1)[:, 0])
    assert set(worlds["envelope"].tolist()) == {int(states["envelope"][0])}
    assert len({world["hands"].tobytes() for world in worlds}) > 5
    assert all(seen_by(strict, worlds[index : index + 1], 2) == view for index in range(50))


def test_whoever_a_server_put_out_without_a_word_may_have_had_none_of_the_cards() -> None:
    """Seat 0 asks in vain for what is in the envelope and does not accuse: in the contest it has one, unless it is out for that."""
    loose, strict = small(3), small(3, "contest")
    states = loose.new(seeds_of(5, 1))
    play(loose, states, "suggest " + ", ".join(deal_of(loose, states[0]).envelope), "end")
    for out, possible in ((0, False), (1, True)):
        states["out"] = out
        view = seen_by(loose, states, 2)
        worlds = strict.resample(np.repeat(view, 100), seat_streams(seeds_of(0, 100), 1)[:, 0])
        assert (int(states["envelope"][0]) in worlds["envelope"].tolist()) == possible


def test_after_a_right_accusation_the_envelope_is_known_to_all() -> None:
    game = clue(3, "mitchell", "deal=1")
    states = game.new(seeds_of(0, 1))
    play(game, states, "accuse Plum, Lead Pipe, Hall")
    for seat in range(3):
        worlds = drawn(game, states, seat, 20)
        assert set(worlds["envelope"].tolist()) == {int(states["envelope"][0])}
        assert seen_by(game, worlds[:1], seat).tobytes() == seen_by(game, states, seat).tobytes()


def test_two_streams_draw_other_worlds_and_one_stream_the_same() -> None:
    game = clue(4)
    states, _ = walk(game, 1, 10)
    once, again, other = (drawn(game, states, 2, 20, first) for first in (0, 0, 20))
    assert once.tobytes() == again.tobytes()
    assert len({state["hands"].tobytes() for state in [*once, *other]}) > 30


# --- Equally likely ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seats", [3, 4])
def test_all_possible_deals_are_drawn_equally_often(seats: int, order: str) -> None:
    game = small(seats, order)
    compared = 0
    for number in range(20):
        states, slow = walk(game, number, 4 + number % 9)
        for seat in range(seats):
            possible = possible_deals(slow.edition, slow.view(seat), order)
            if not 1 < len(possible) <= 300:
                continue
            counts = Counter(deal_of(game, state) for state in drawn(game, states, seat, 12 * len(possible), number))
            assert set(counts) <= set(possible)
            assert_uniform(counts, len(possible))
            compared += 1
    assert compared > 20


def test_the_first_draw_of_a_real_game_spreads_over_all_envelopes() -> None:
    game = clue(3, "mitchell", "deal=1")
    states = game.new(seeds_of(0, 1))
    # Seat 0 holds two suspects, two weapons and two locations.
    counts = Counter(drawn(game, states, 0, 6000)["envelope"].tolist())
    assert_uniform(counts, 4 * 4 * 7)


def test_of_the_cards_that_could_have_been_shown_each_is_equally_likely() -> None:
    """Seat 1 shows one of two cards to seat 0, who holds none of them; seat 2, who holds the rest of the suspects but
    one, does not see which."""
    game = small(3)
    bits = Bits(edition_of(game))
    for number in range(200):
        states, slow = game.new(seeds_of(number, 1)), None
        slow = reference_of(game, states[0])
        both = (
            [card for card in slow.hands[1] if card in slow.edition[0]],
            [card for card in slow.hands[1] if card in slow.edition[1]],
        )
        if not (both[0] and both[1]):
            continue
        cards = (both[0][0], both[1][0], slow.envelope[2])
        play(game, states, "suggest " + ", ".join(cards), f"show {cards[0]}")
        shown = Counter[int]()
        for world in drawn(game, states, 2, 3000):
            held = {bits.number[card] for card in set(cards) & set(deal_of(game, world).hands[1])}
            if held == {bits.number[cards[0]], bits.number[cards[1]]}:
                shown[(int(world["record"][0]) >> 21 & 31) - 1] += 1
        assert_uniform(shown, 2)
        return
    raise AssertionError("no such deal")
