"""The compiled sheet says what is true in every possible deal, and what the slow sheet says, for the same reasons."""

from __future__ import annotations

from collections import Counter

import pytest

from agents.speed_clue.beside import Table, sheet
from games.speed_clue.playing import clue, small
from reference.speed_clue_players import DEDUCTION_6, OVERALL, possible_deals


def tables(seats: int, spec: str, games: int, little: bool) -> list[Table]:
    """Games in which some moves are not the players' own."""
    game = small(seats) if little else clue(seats)
    return [
        Table(game, [spec] * seats, 100 * seats + number, luck=(0.0, 0.3, 0.8)[number % 3]) for number in range(games)
    ]


@pytest.mark.parametrize("deduction_6", DEDUCTION_6)
@pytest.mark.parametrize("seats", [3, 4])
def test_what_the_sheet_says_holds_in_every_possible_deal(seats: int, deduction_6: str) -> None:
    marks = Counter[str]()
    for table in tables(seats, f"advanced:deduction_6={deduction_6}", 12, little=True):
        for _ in range(40):
            if table.over:
                break
            seat, move = table.seat, table.decide()
            if table.slow.phase != "answer":
                letters = table.letters(seat)
                marks.update(letters.values())
                deals = possible_deals(table.slow.edition, table.view())
                assert deals
                for (card, player), letter in letters.items():
                    if letter in {"A", "D"}:
                        continue
                    for deal in deals:
                        place = deal.envelope if player == OVERALL else deal.hands[int(player)]
                        assert (card in place) == (letter in {"B", "H"}), (card, player, letter)
            table.play(move)
    assert all(marks[letter] > 20 for letter in "ABCDEFGH"), marks


@pytest.mark.parametrize("deduction_6", DEDUCTION_6)
@pytest.mark.parametrize("little", [True, False], ids=["ten cards", "all cards"])
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_sheet_and_its_reasons_are_those_of_the_slow_player(seats: int, little: bool, deduction_6: str) -> None:
    reasons = Counter[int]()
    for table in tables(seats, f"basic:deduction_6={deduction_6}", 6, little):
        for _ in range(120):
            if table.over:
                break
            seat, move = table.seat, table.decide()
            if table.slow.phase != "answer":
                slow = sheet(table, seat, deduction_6)
                assert table.letters(seat) == slow.state
                found = table.reasons(seat)
                for key, source in slow.source.items():
                    # What was shown to whom is kept apart: the reason there is still that of the own card.
                    assert found[key] == (1 if slow.state[key] == "F" else source.deduction), key
                    reasons[found[key]] += 1
            table.play(move)
    expected = {1, 2, 3, 4, 5, 7} | ({6} if deduction_6 != "never" else set())
    assert set(reasons) == expected if not little else set(reasons) <= expected


def test_no_intelligence_writes_down_what_it_was_shown_and_nothing_else() -> None:
    for number in range(6):
        table = Table(clue(3), ["no-intelligence"] * 3, number)
        while not table.over:
            seat, move = table.seat, table.decide()
            if table.slow.phase != "answer":
                slow = sheet(table, seat, deduces=False)
                letters = table.letters(seat)
                # Its own shows are remembered, too, so that it can show the same card again.
                assert all(slow.state[key] == letter for key, letter in letters.items() if letter != "F")
            table.play(move)


def test_cross_referencing_finds_what_the_seven_deductions_alone_do_not() -> None:
    """With `cross_reference` every mark of the plain sheet is there, at times more, and all still hold."""
    more = 0
    for number in range(30):
        table = Table(small(4), ["basic:cross_reference=yes"] * 4, number, luck=0.5)
        for _ in range(40):
            if table.over:
                break
            seat, move = table.seat, table.decide()
            if table.slow.phase != "answer":
                slow, letters = sheet(table, seat), table.letters(seat)
                certain = {key for key, letter in slow.state.items() if letter not in {"A", "D"}}
                assert all(letters[key] == slow.state[key] for key in certain)
                fresh = [key for key, letter in letters.items() if letter in "BCGH" and key not in certain]
                more += len(fresh)
                for card, player in fresh:
                    for deal in possible_deals(table.slow.edition, table.view()):
                        place = deal.envelope if player == OVERALL else deal.hands[int(player)]
                        assert (card in place) == (letters[card, player] in "BH")
            table.play(move)
    assert more > 10


def test_repeated_suggestions_are_taken_as_held_and_nothing_is_made_certain_by_them() -> None:
    seen = 0
    for number in range(10):
        table = Table(clue(3), ["basic:repeats=2"] * 3, number)
        while not table.over:
            seat, move = table.seat, table.decide()
            if table.slow.phase != "answer":
                slow, letters, reasons = sheet(table, seat), table.letters(seat), table.reasons(seat)
                for key, letter in letters.items():
                    if reasons[key] == 8:
                        assert letter == "D"
                        made = [entry for entry in table.slow.record if entry.seat == key[1] and key[0] in entry.cards]
                        assert len(made) >= 2
                        seen += 1
                    elif slow.state[key] != "D":
                        assert letter == slow.state[key]
            table.play(move)
    assert seen > 10
