"""The adviser where Clue is played on a board: forced rooms, suggestions heard in part, cards face up, two players."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from advice.board_check import check_game, check_game_that_one_leaves
from molehunt.advice.answers import accuse_lines, proposals, suggest_lines, why_ask
from molehunt.advice.deal import Board, Deal
from molehunt.advice.entries import Asked, Entry, Left, OneOf, Seen, Stands
from molehunt.advice.file import from_json, to_json
from molehunt.advice.rooms import room_remark
from molehunt.advice.sentences import entry_in_words
from molehunt.advice.session import AdviceSession
from molehunt.agents.speed_clue.thought import Thought
from molehunt.core.errors import BadInput
from molehunt.core.language import speaking
from molehunt.core.words import percent_said
from molehunt.games.speed_clue.edition import BUILT_IN, load_edition
from molehunt.games.speed_clue.state import FORCED
from molehunt.games.speed_clue.suggestions import Accusation, Heard, HeardSuggestion, Triple
from molehunt.reading.speed_clue.exact_parameters import EDITIONS
from molehunt.reading.speed_clue.habits import prior

CLUE = load_edition("clue")


def card(text: str) -> int:
    return CLUE.find(text)


def cards(text: str) -> Triple:
    first, second, third = (CLUE.find(word) for word in text.split())
    return first, second, third


HAND = tuple(card(word) for word in ("Mu", "Gr", "Le", "Re", "Ha", "Li"))
FREE = Deal(CLUE, ("Ann", "Bob", "Carol"), 0, HAND, (6, 6, 6))
BOARD = replace(FREE, board=Board(2.0))
"""I am Ann, and hold Mustard, Green, Lead Pipe, Revolver, Hall and Library."""


@pytest.mark.parametrize("seed", range(12))
def test_all_that_is_said_of_a_simulated_game_is_so_in_all_deals(seed: int) -> None:
    found = check_game(seed)
    assert found["states"] > 1 and found["probabilities"] > 100


@pytest.mark.parametrize("seed", range(30))
def test_all_that_is_said_of_a_game_that_a_player_leaves_is_so_in_all_deals(seed: int) -> None:
    found = check_game_that_one_leaves(seed)
    assert found["states"] > 1 and found["probabilities"] > 50


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(100, 200, 10))
def test_all_that_is_said_of_more_simulated_games_is_so_in_all_deals(first: int) -> None:
    for seed in range(first, first + 10):
        assert check_game(seed)["states"] > 1


# --- Suggestions that were heard in part --------------------------------------------------------------------------------


def test_what_was_not_heard_may_be_any_card_of_its_kind() -> None:
    heard: Heard = (card("Pl"), None, card("Ki"))
    session = AdviceSession(FREE, [HeardSuggestion(1, heard, 2), Seen(2, card("Pl"), has=False)])
    told = "Bob suggested Professor Plum, some weapon, Kitchen; Carol showed a card"
    assert entry_in_words(session.entry(1), session.deal) == told
    assert session.add(Seen(2, card("Ki"), has=False)) is None  # she has a weapon, then
    *weapons, last = (weapon for weapon in CLUE.cards(1) if not FREE.holds(weapon))
    assert all(session.add(Seen(2, weapon, has=False)) is None for weapon in weapons)
    assert (last, 2) in session.certain()
    conflict = session.add(Seen(2, last, has=False))
    assert conflict is not None and conflict.entries == tuple(range(1, 4 + len(weapons) + 1))


def test_a_reason_names_no_card_that_was_not_heard() -> None:
    lacking = [Seen(2, weapon, has=False) for weapon in CLUE.cards(1) if weapon not in (card("Ro"), *HAND)]
    session = AdviceSession(FREE, [HeardSuggestion(1, (card("Mu"), None, card("Ha")), 2), *lacking])
    reason = session.explain(card("Ro"), 2)
    assert reason.entries == (1, 2, 3, 4)
    assert "so Carol has Colonel Mustard, some weapon or Hall" in reason.text


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (HeardSuggestion(0, (card("Pl"), None, card("Ki")), 1), "your own suggestion has three cards"),
        (HeardSuggestion(1, (card("Pl"), None, card("Ki")), 2, card("Ha")), "Hall is not one of the cards asked for"),
        (HeardSuggestion(1, (card("Pl"), None, card("Ki")), 0), "which card did you show, Lead Pipe or Revolver"),
        (OneOf(1, (card("Ro"),)), "two or more"),
        (OneOf(1, (card("Ro"), card("Ro"))), "each named once"),
        (OneOf(0, (card("Ro"), card("Ki"))), "what you hold is your hand"),
        (Stands(1, card("Ro")), "players stand in rooms"),
        (Seen(4, card("Ro")), "players are numbered"),
    ],
)
def test_what_cannot_be_is_refused(entry: Entry, fault: str) -> None:
    with pytest.raises(BadInput, match=fault):
        AdviceSession(FREE).add(entry)


# --- What became known beside the game ----------------------------------------------------------------------------------


def test_one_of_several_cards_and_cards_of_the_envelope() -> None:
    session = AdviceSession(FREE, [OneOf(1, (card("Ro"), card("Ki"))), Seen(1, card("Ro"), has=False)])
    assert session.explain(card("Ki"), 1).entries == (1, 2)
    session.add(Seen(3, card("Pe"), has=False))
    assert session.shares()[card("Pe"), 3] == 0
    assert entry_in_words(session.entry(3), session.deal) == "The envelope does not have Mrs Peacock"
    conflict = session.add(Seen(3, card("Mu")))
    assert conflict is not None and conflict.text.endswith("you hold Colonel Mustard.")
    session.undo()
    conflict = session.add(OneOf(2, (card("Mu"), card("Ha"))))
    assert conflict is not None and conflict.entries == (4,)


def test_what_i_ask_later_says_nothing_of_a_card_that_i_did_not_note() -> None:
    """Bob showed me one of three, and later the Rope: then the first answer is no news, whatever I named in between."""
    unknown = HeardSuggestion(0, cards("Pe Ro Ki"), 1)
    later = [HeardSuggestion(0, cards("Mu Ro Ha"), 1, card("Ro")), HeardSuggestion(0, cards("Pe Le Ha"), 2, card("Pe"))]
    people = replace(EDITIONS["people"], deals=100_000)
    found = []
    for entries in ([unknown, *later], later):
        session = AdviceSession(FREE, entries)
        stream = np.array([5], np.uint64)
        thought = Thought(people, session.game(), session.view(), stream, prior(people, 3), session.beside())
        assert thought.every_deal
        found.append(thought.shares())
    np.testing.assert_allclose(found[0], found[1], atol=1e-12)


# --- A player who leaves ------------------------------------------------------------------------------------------------

FOUR = Deal(CLUE, ("Ann", "Bob", "Carol", "Dave"), 0, HAND[:5], (5, 5, 4, 4))
THEIRS = tuple(card(word) for word in ("Wh", "Sc", "Ro", "Ki"))
"""What Carol holds in a game of four in which I hold five of my cards."""


@pytest.mark.parametrize("asked", [None, Asked(3, cards("Mu Ro Ha"))])
def test_advice_after_somebody_has_left_is_that_of_a_game_in_which_their_cards_lay_face_up(asked: Asked | None) -> None:
    left = Left(2, THEIRS)
    told = [HeardSuggestion(1, cards("Pl Kn Ha"), 3), HeardSuggestion(0, cards("Pe Kn St"), 1, card("Pe"))]
    three = replace(FOUR, names=("Ann", "Bob", "Dave"), sizes=(5, 5, 4), face_up=THEIRS)
    fewer = [replace(told[0], disprover=2), told[1]]
    session, alike = AdviceSession(FOUR, [left, *told]), AdviceSession(three, fewer)
    np.testing.assert_allclose(
        session.shares()[:, [0, 1, 3, 4]][[*alike.deal.hand]], alike.shares()[[*alike.deal.hand]]
    )
    assert session.solutions() == alike.solutions()
    found = session.consult(asked)
    expected = alike.consult(None if asked is None else replace(asked, by=2))
    assert [(one.cards, round(one.gain, 9)) for one in found.suggestions] == [
        (one.cards, round(one.gain, 9)) for one in expected.suggestions
    ]
    assert [showing.card for showing in found.shows] == [showing.card for showing in expected.shows]
    assert "Rope lies open, so nobody shows it" in why_ask(session, cards("Pl Ro St"))


def test_on_what_chances_stand_is_said_once_of_all_cards_of_a_suggestion() -> None:
    session = AdviceSession(BOARD, [Seen(1, card("Ro"))])
    alike = "if all ways in which the cards may lie are equally likely"
    chances = session.shares()[:, session.envelope]
    plum, wrench, study = (percent_said(chances[card(name)]) for name in ("Pl", "Wr", "St"))
    assert why_ask(session, cards("Pl Wr St")) == (
        f"the envelope holds Professor Plum with {plum}, Wrench with {wrench} and Study with {study}, {alike}"
    )
    assert why_ask(session, cards("Pl Ro Ha")) == (
        f"the envelope holds Professor Plum with {plum}, {alike}; Rope is with Bob; Hall is yours, so nobody shows it"
    )
    assert why_ask(session, cards("Mu Ro Ha")).count(alike) == 0


def test_what_nobody_shows_and_nobody_has_is_said_in_german_of_a_card() -> None:
    asked = HeardSuggestion(1, cards("Pl Ro St"), None, None)
    session = AdviceSession(BOARD, [asked])
    with speaking("de"):
        assert why_ask(session, cards("Mu Ro Ha")).endswith("also zeigt diese Karte niemand")
        assert (
            "Carol hat keine der Karten Professor Bloom, Seil oder Arbeitszimmer" in session.explain(card("Ro"), 2).text
        )


def test_who_has_left_is_not_asked_and_does_nothing_more() -> None:
    session = AdviceSession(FOUR, [HeardSuggestion(1, cards("Wh Kn St"), 2), Left(2, THEIRS)])
    assert entry_in_words(session.entry(2), FOUR) == (
        "Carol left the table and laid open Mrs White, Miss Scarlet, Rope, Kitchen"
    )
    assert session.add(HeardSuggestion(1, cards("Wh Ro Ki"), None)) is None
    assert entry_in_words(session.entry(3), FOUR).endswith("nobody could show a card")
    assert session.add(HeardSuggestion(1, cards("Pl Ro Ki"), 0, None)) is not None
    session.undo()
    assert session.add(HeardSuggestion(1, cards("Pl Ro Ki"), 3)) is None
    assert "Dave showed a card" in entry_in_words(session.entry(4), FOUR)
    assert "Carol" not in entry_in_words(session.entry(4), FOUR)
    assert (card("Pl"), 3) in session.certain()
    assert session.consult().suggestions and from_json(to_json(session)).entries == session.entries
    again: list[Entry] = [HeardSuggestion(2, cards("Pl Ro Ki"), None), HeardSuggestion(1, cards("Pl Ro Ki"), 2)]
    again += [Accusation(2, cards("Pl Ro Ki"), right=False), Stands(2, card("Ki")), Left(2, THEIRS)]
    for entry in again:
        with pytest.raises(BadInput, match="Carol has left the table in entry 2"):
            session.add(entry)
    with pytest.raises(BadInput, match="Carol has left"):
        session.consult(Asked(2, cards("Mu Ro Ha")))


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (Left(0, HAND[:5]), "another player, not you"),
        (Left(2, THEIRS[:3]), "Carol was dealt 4 cards, and 3 are laid open"),
        (Left(2, (*THEIRS[:3], THEIRS[0])), "Carol was dealt 4 cards, and 3 are laid open"),
        (Left(2, (*THEIRS[:3], 99)), "no card number 99"),
    ],
)
def test_nobody_leaves_so(entry: Entry, fault: str) -> None:
    with pytest.raises(BadInput, match=fault):
        AdviceSession(FOUR).add(entry)


def test_somebody_stays_with_me_and_cards_that_i_hold_are_nobody_elses() -> None:
    session = AdviceSession(FREE, [Left(1, tuple(map(card, ("Wh", "Sc", "Ro", "Ki", "Pe", "Kn"))))])
    with pytest.raises(BadInput, match="only you would be left"):
        session.add(Left(2, tuple(map(card, ("Pl", "Ca", "Wr", "St", "Di", "Lo")))))
    conflict = AdviceSession(FOUR).add(Left(2, (*THEIRS[:3], HAND[0])))
    assert conflict is not None and conflict.of_hand


# --- Rooms that are forced ----------------------------------------------------------------------------------------------


def test_a_room_that_was_forced_says_nothing_about_hands() -> None:
    kitchen = [HeardSuggestion(1, cards(f"{suspect} Ro Ki"), None) for suspect in ("Pe", "Sc", "Wh")]
    forced = {}
    cases: dict[str, tuple[Deal, list[Entry]]] = {
        "free": (FREE, []),
        "board": (BOARD, []),
        "stands": (FREE, [Stands(1, card("Ki"))]),
        "elsewhere": (FREE, [Stands(1, card("St"))]),
    }
    for name, (deal, before) in cases.items():
        record = AdviceSession(deal, [*before, *kitchen]).view()[0]["record"][:3]
        forced[name] = {bool(word & FORCED) for word in record.tolist()}
    assert forced == {"free": {False}, "board": {True}, "stands": {True}, "elsewhere": {False}}


def test_the_habit_that_is_read_is_that_of_what_was_chosen() -> None:
    """Bob names the Kitchen, his own or not, three times: where he stands there, that is no habit of his."""
    entries = [
        HeardSuggestion(1, cards(f"{suspect} {weapon} Ki"), 2)
        for suspect, weapon in (("Pe", "Ro"), ("Sc", "Ca"), ("Wh", "Kn"))
    ]
    known: list[Entry] = [Seen(1, card("Ki"))]
    own = {}
    for deal in (FREE, BOARD):
        (bob, *_) = AdviceSession(deal, [*known, *entries]).consult().habits
        own[deal.board is not None] = bob.own
    assert own[False] > own[True] + 0.2


def test_a_room_that_was_forced_is_as_likely_in_the_envelope_as_the_answers_make_it() -> None:
    entries = [HeardSuggestion(2, cards(text), 1) for text in ("Pe Ro Ki", "Sc Ca Ki", "Wh Kn Ki")]
    further = {}
    for deal in (FREE, BOARD):
        session = AdviceSession(deal, entries)
        people = replace(EDITIONS["people"], lacked=0.0)
        clue, stream = session.game(), np.array([5], np.uint64)
        read = Thought(people, clue, session.view(), stream, prior(people, 3), session.beside()).shares()
        further[deal.board is not None] = abs(read - session.shares())[card("Ki")].max()
    assert further[True] < 0.05 and further[False] > 0.2


def test_suggestions_are_ranked_for_the_rooms_that_can_be_reached() -> None:
    session = AdviceSession(BOARD)
    advice = session.consult()
    assert len(proposals(session, advice)) == 5
    rooms = (card("Ki"), card("Ha"))
    found = proposals(session, advice, rooms)
    assert len(found) == 72 and {proposal.cards[2] for proposal in found} == set(rooms)
    assert [proposal.worth for proposal in found] == sorted((proposal.worth for proposal in found), reverse=True)
    lines = [line for line, _ in suggest_lines(session, advice, rooms)]
    assert lines[0] == "All 72 suggestions in Kitchen or Hall:" and len(lines) == 76
    assert lines[-2] == "The order also weighs what the others learn by the answer."
    with pytest.raises(BadInput, match="Rope is no room"):
        proposals(session, advice, (card("Ro"),))


def test_who_waits_long_for_a_suggestion_expects_to_learn_less_until_then() -> None:
    entries: list[Entry] = [Seen(1, card(word)) for word in ("Pl", "Pe", "Ca", "Kn", "Ki", "Ba")]
    entries += [Seen(2, card(word)) for word in ("Wh", "Wr", "St", "Lo")]
    entries.append(HeardSuggestion(0, cards("Sc Ro Di"), None))
    likely = [
        AdviceSession(replace(FREE, board=board), entries).consult(after=True).accusation
        for board in (None, Board(1.0), Board(10.0))
    ]
    assert likely[0] == likely[1]
    assert likely[2].danger <= likely[0].danger


def test_who_comes_to_no_suggestion_may_accuse_all_the_same() -> None:
    """Two envelopes are left, one much likelier; without a board one suggests first."""
    entries: list[Entry] = [Seen(1, card(word)) for word in ("Pl", "Pe", "Ca", "Kn", "Ki")]
    entries += [Seen(2, card(word)) for word in ("Wh", "Wr", "St", "Lo", "Ba")]
    entries += [Seen(place, card(word), has=False) for place in (1, 2) for word in ("Sc", "Ro")]
    free, board = (AdviceSession(deal, entries) for deal in (FREE, BOARD))
    assert not free.may_end_turn and board.may_end_turn and not board.may_accuse
    assert len(board.solutions()) == 3
    found = board.consult(after=board.may_end_turn).accusation
    assert found.danger > 0 or not found.accuse
    lines = [line for line, _ in accuse_lines(board, found)]
    assert found.accuse or lines[-1].startswith("If you can suggest in this turn, do so first")
    waits = free.consult().accusation
    assert accuse_lines(free, waits)[-1][0].startswith("In your turn suggest first")


def test_turns_of_a_board_are_a_number_that_can_be() -> None:
    with pytest.raises(BadInput, match="1 to 20 turns"):
        Board(0.5)
    assert BOARD.board_words() == "Everybody names the room in which they stand, and suggests about once in 2 turns"


# --- Tables of two, and cards left over ---------------------------------------------------------------------------------


def test_two_play_and_cards_lie_face_up() -> None:
    face_up = (card("Pl"), card("Ki"))
    deal = Deal(CLUE, ("Ann", "Bob"), 0, (*HAND, card("Di"), card("Ba")), (8, 8), face_up)
    session = AdviceSession(deal)
    assert session.deals().count == 3 * 4 * 4
    assert session.shares()[list(face_up)].tolist() == [[0, 0, 0]] * 2
    assert session.explain(card("Pl"), 1).text == "Professor Plum lies face up."
    advice = session.consult()
    assert advice.entropy == pytest.approx(np.log2(48))
    asked = Asked(1, cards("Pl Ro Ha"))
    assert [showing.card for showing in session.consult(asked).shows] == [card("Ha")]
    conflict = session.add(HeardSuggestion(0, cards("Pl Le Ha"), 1))
    assert conflict is not None and "you hold Lead Pipe and Hall, and Professor Plum lies face up" in conflict.text


@pytest.mark.parametrize(
    ("face_up", "fault"),
    [
        ((card("Mu"),), "cannot be in your hand and lie face up"),
        ((card("Ro"), card("Ro")), "face up twice"),
        ((card("Sc"), card("Wh"), card("Pe"), card("Pl")), "is in the envelope"),
        ((card("Ro"),), "17 cards are dealt"),
    ],
)
def test_cards_that_cannot_lie_face_up_are_refused(face_up: tuple[int, ...], fault: str) -> None:
    with pytest.raises(BadInput, match=fault):
        replace(FREE, face_up=face_up)


# --- The file and the card sets -----------------------------------------------------------------------------------------


def test_all_that_can_be_entered_comes_back_from_the_file() -> None:
    deal = Deal(CLUE, ("Ann", "Bob"), 1, HAND, (10, 6), (card("Pl"), card("Ki")), Board(3.0))
    entries: list[Entry] = [
        HeardSuggestion(0, (card("Pe"), None, card("St")), 1, card("Le")),
        Stands(0, card("St")),
        Stands(0, None),
        OneOf(0, (card("Ro"), card("Di"))),
        Seen(2, card("Sc"), has=False),
        Accusation(0, cards("Pe Ro Di"), right=False),
    ]
    again = from_json(to_json(AdviceSession(deal, entries)))
    assert (again.deal, list(again.entries)) == (deal, entries)


@pytest.mark.parametrize(
    ("name", "counts"), [("clue", 21), ("cluedo", 21), ("clue-2016", 21), ("master-detective", 30), ("discover", 24)]
)
def test_editions_of_the_board_game_are_card_sets_by_name(name: str, counts: int) -> None:
    assert name in BUILT_IN
    edition = load_edition(name)
    assert len(edition.names) == counts
    for number, card_name in enumerate(edition.names):
        assert edition.find(card_name) == number == edition.find(edition.codes[number])


# --- Rooms --------------------------------------------------------------------------------------------------------------


def test_a_suggestion_in_another_room_than_where_one_stands_is_pointed_out_and_taken() -> None:
    session = AdviceSession(BOARD, [Stands(1, card("Ki"))])
    hall, kitchen = cards("Pe Ro Ba"), cards("Pe Ro Ki")
    assert session.add(HeardSuggestion(1, hall, 2)) is None
    said = room_remark(BOARD, session.entries, 2)
    assert "Bob stands in Kitchen (entry 1), and this suggestion names Ballroom" in said
    assert room_remark(session.deal, [Stands(1, card("Ki")), HeardSuggestion(1, kitchen, 2)], 2) == ""
    # Another player, or another turn, is elsewhere.
    entries = [*session.entries, HeardSuggestion(2, hall, 0, card("Ba")), HeardSuggestion(1, kitchen, 2)]
    assert [room_remark(session.deal, entries, number) for number in (1, 3, 4)] == ["", "", ""]
    assert "stands in no room" in room_remark(BOARD, [Stands(2, None), HeardSuggestion(2, hall, None)], 2)
    # What I said that I can reach binds me alone.
    reached = [card("Ki"), card("St")]
    mine, theirs = (room_remark(BOARD, [HeardSuggestion(by, hall, 2)], 1, reached) for by in (0, 1))
    assert "You said that you can be in Kitchen or Study" in mine and theirs == ""


def test_where_i_said_that_i_can_be_counts_for_my_own_suggestion() -> None:
    entries = [HeardSuggestion(0, cards("Pe Ro Ba"), 2, card("Pe"))]
    said = room_remark(BOARD, entries, 1, (card("Ki"), card("St")))
    assert said.startswith("You said that you can be in Kitchen or Study, and this suggestion names Ballroom.")
    assert room_remark(BOARD, entries, 1, (card("Ba"), card("St"))) == room_remark(BOARD, entries, 1) == ""
