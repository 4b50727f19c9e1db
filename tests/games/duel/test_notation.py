"""Both notations: every action is written and read back, and nothing else is ever read or raises another error."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.duel.playing import (
    BOARD,
    CARDS,
    GAME,
    action_of,
    every_move,
    give,
    legal,
    mover,
    opening,
    play,
    positions,
    seen_by,
    walk,
)
from molehunt.core.errors import BadNotation
from molehunt.games.duel.actions import DISCARD, FREE, HIDDEN_CARD, HINDER, LAY, LOOK, pack, unpack
from molehunt.games.duel.friendly import View
from molehunt.games.duel.notation import COURSE_EXAMPLES, EXAMPLES, format_action, from_course, parse_action, to_course
from reference import duel as reference

HAND = ("0", "5", "map", "5", "malus", "bonus", "destroy")


def view_of(states: object, seat: int) -> View:
    view = GAME.friendly_view(seen_by(states, seat))  # type: ignore[arg-type]
    assert isinstance(view, View)
    return view


# --- Written and read back --------------------------------------------------------------------------------------------


def test_every_move_is_read_and_written_the_same() -> None:
    moves = [*every_move(), "drop:?"]
    codes = [parse_action(move) for move in moves]
    assert [format_action(code) for code in codes] == moves
    assert codes == [action_of(move) for move in moves]
    assert len(set(codes)) == len(moves)
    assert all(0 <= code < 2**17 for code in codes)


def test_every_legal_action_is_written_and_read_back() -> None:
    known = set(every_move())
    written = set()
    for states in positions(20):
        for action in legal(states):
            assert str(action) in known
            read = GAME.parse_action(str(action))
            assert read == action and str(read) == str(action)
            written.add(re.split("[:@]", str(action))[0])
    assert written >= {*map(str, range(16)), "5_flip", "12_flip", "map", "malus", "bonus", "destroy", "drop"}


@pytest.mark.parametrize(
    ("text", "play", "card", "flipped", "target"),
    [
        ("5@7,5", 1, 5, 0, 8 * 16 + 6),
        ("5_flip@7,5", 1, 5, 1, 8 * 16 + 6),
        ("0@0,0", 1, 0, 0, 17),
        ("15@13,13", 1, 15, 0, 14 * 16 + 14),
        ("map:left", 2, 19, 0, 0),
        ("map:middle", 2, 19, 0, 1),
        ("map:right", 2, 19, 0, 2),
        ("malus", 3, 17, 0, 0),
        ("bonus", 4, 18, 0, 0),
        ("destroy@6,5", 5, 16, 0, 7 * 16 + 6),
        ("drop:5", 6, 5, 0, 0),
        ("drop:map", 6, 19, 0, 0),
        ("drop:map#3", 6, 19, 0, 2),
        ("drop:?", 6, 31, 0, 0),
    ],
)
def test_exact_texts(text: str, play: int, card: int, flipped: int, target: int) -> None:
    code = play << 14 | card << 9 | flipped << 8 | target
    assert parse_action(text) == code == pack(play, card, flipped, target)
    assert format_action(code) == text
    assert unpack(code) == (play, card, flipped, target)
    assert str(GAME.parse_action(text)) == GAME.format_action(code) == text


def test_spaces_around_a_move_do_not_matter() -> None:
    assert parse_action("  map:left\n") == parse_action("map:left")
    assert str(GAME.parse_action("  Map 12 3 1\n")) == "map:left"


def test_examples_in_the_errors_are_moves() -> None:
    for move in re.split(", (?=[a-z])| or ", EXAMPLES):
        assert format_action(parse_action(move)) == move
    for move in COURSE_EXAMPLES.split(", "):
        assert to_course(from_course(move, 1, HAND), 1, HAND) == move


def test_number_that_is_no_action_is_written_as_a_number() -> None:
    for number in (
        0,
        -1,
        pack(LAY, 5, 0, 0),
        pack(LAY, 5, 0, 15 * 16 + 3),
        pack(LAY, 5, 0, 16),
        pack(LAY, 16, 0, 17),
        pack(LAY, HIDDEN_CARD, 0, 17),
        pack(LOOK, 19, 0, 3),
        pack(LOOK, 19, 1, 0),
        pack(LOOK, 18, 0, 0),
        pack(HINDER, 18),
        pack(HINDER, 17, 0, 1),
        pack(FREE, 17),
        pack(5, 16, 1, 17),
        pack(5, 16, 0, 16),
        pack(DISCARD, 20),
        pack(DISCARD, 5, 1),
        pack(DISCARD, 5, 0, 7),
        pack(DISCARD, HIDDEN_CARD, 0, 1),
        pack(7, 5),
        1 << 17,
        2**31 - 1,
    ):
        assert format_action(number) == f"action {number}"
        with pytest.raises(BadNotation):
            parse_action(f"action {number}")


# --- The notation of the course's program -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "text"),
    [
        ("5_flip@7,5", "Tile:5_flip 7 5 1"),
        ("5@7,5", "Tile:5 7 5 1"),
        ("10@13,0", "Tile:10 13 0 1"),
        ("map:left", "Map 12 3 1"),
        ("map:middle", "Map 12 5 1"),
        ("map:right", "Map 12 7 1"),
        ("malus", "Malus 0 0 1"),
        ("bonus", "Bonus 0 0 1"),
        ("destroy@6,5", "Destroy 6 5 1"),
        ("drop:0", "Drop 0 0 1"),
        ("drop:5", "Drop 1 0 1"),
        ("drop:destroy", "Drop 6 0 1"),
    ],
)
def test_exact_texts_of_the_course(move: str, text: str) -> None:
    assert to_course(parse_action(move), 1, HAND) == text
    assert format_action(from_course(text, 1, HAND)) == move
    assert to_course(parse_action(move), 0, HAND) == text[:-1] + "0"
    assert from_course(text[:-1] + "0", 0, HAND) == parse_action(move)
    if not move.startswith("drop"):
        # Whose move it is says the game, and the hand is not asked.
        assert parse_action(text) == parse_action(text[:-1] + "0") == parse_action(move)


def test_course_drop_names_its_very_copy() -> None:
    assert format_action(from_course("Drop 3 0 0", 0, HAND)) == "drop:5#2"
    assert to_course(parse_action("drop:5"), 0, HAND) == "Drop 1 0 0"
    assert to_course(parse_action("drop:5#2"), 0, HAND) == "Drop 3 0 0"
    with pytest.raises(BadNotation, match="is not in the hand"):
        to_course(parse_action("drop:5#3"), 0, HAND)


def test_map_on_any_wrong_cell_looks_at_the_left_goal() -> None:
    for cell in ("0 0", "5 5", "12 4", "13 3"):
        assert format_action(from_course(f"Map {cell} 1", 1, HAND)) == "map:left"


def test_course_notation_agrees_with_the_reference() -> None:
    compared = discards = 0
    for number in range(12):
        for turn, (states, slow) in enumerate(walk(number)):
            if slow.over or turn % 2 != number % 2:
                continue
            view = view_of(states, mover(states))
            for move in slow.legal_moves():
                text = reference.to_course(move, slow)
                assert view.course(action_of(move)) == text
                assert from_course(text, view.seat, view.hand) == action_of(reference.from_course(text, slow))
                compared += 1
            for index in range(len(view.hand)):
                text = f"Drop {index} 0 {view.seat}"
                move = format_action(from_course(text, view.seat, view.hand))
                assert move.partition("#")[0] == reference.from_course(text, slow)
                assert view.course(action_of(move) if "#" not in move else parse_action(move)) == text
                discards += 1
    assert compared > 5000 and discards > 1000


def test_hands_keep_the_order_of_the_course_whichever_copies_are_dropped() -> None:
    later = 0
    for number in range(6):
        states, slow = opening(number=number), next(walk(number))[1]
        states["goals"][0] = [1 if content == "blank" else 2 for content in slow.goals]
        chance = random.Random(number)
        while slow.to_move is not None:
            view = view_of(states, slow.to_move)
            assert list(view.hand) == slow.hands[slow.to_move]
            texts = [reference.to_course(move, slow) for move in slow.legal_moves() if not reference.is_drop(move)]
            discards = [f"Drop {index} 0 {view.seat}" for index in range(len(view.hand))]
            text = chance.choice(discards if chance.random() < 0.5 or not texts else texts)
            action = from_course(text, view.seat, view.hand)
            later += "#" in format_action(action)
            play(states, action)
            slow.apply_course(text)
        assert mover(states) == -1
    assert later > 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a move of the course's program; its moves look like Tile:5_flip 7 5 1"),
        ("5@7,5", "'5@7,5' is not a move of the course's program"),
        ("Tile:5 7 5", "is not a move of the course's program"),
        ("Tile:5 7 5 2", "is not a move of the course's program"),
        ("Tile:5  7 5 1", "is not a move of the course's program"),
        ("Tile 5 7 5 1", "is not a move of the course's program"),
        ("tile:5 7 5 1", "is not a move of the course's program"),
        ("Tile:5 -1 5 1", "is not a move of the course's program"),
        ("Tile:5 7 5 0", "'Tile:5 7 5 0' is a move of player 0, not of player 1"),
        ("Tile:16 7 5 1", "no card is called '16'"),
        ("Tile:5 14 5 1", "there is no cell 14,5; rows and columns go from 0 to 13"),
        ("Tile:8_flip 7 5 1", "tile 8 looks the same flipped and is written unflipped"),
        ("Destroy 6 14 1", "there is no cell 6,14; rows and columns go from 0 to 13"),
        ("Drop 7 0 1", "the hand has no card 7; its cards are 0 to 6"),
        ("Drop -1 0 1", "is not a move of the course's program"),
    ],
)
def test_malformed_course_move_says_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(BadNotation) as error:
        from_course(text, 1, HAND)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (pack(DISCARD, HIDDEN_CARD), "'drop:?' cannot be written in the notation of the course's program"),
        (12345678, "'action 12345678' cannot be written"),
        (pack(DISCARD, 14), "'drop:14': the card is not in the hand 0, 5, map, 5, malus, bonus, destroy"),
    ],
)
def test_what_the_course_cannot_write_is_refused(action: int, message: str) -> None:
    with pytest.raises(BadNotation) as error:
        to_course(action, 1, HAND)
    assert message in str(error.value)


def test_view_writes_the_moves_of_its_seat() -> None:
    states = opening()
    give(states, "0", "5", "map", "malus", seat=1)
    give(states, "malus", "bonus", seat=0)
    assert [view_of(states, seat).course(parse_action("drop:malus"))[:7] for seat in (0, 1)] == ["Drop 0 ", "Drop 3 "]
    assert view_of(states, 1).course(parse_action("5@6,5")) == "Tile:5 6 5 1"
    assert view_of(states, 0).course(parse_action("malus")) == "Malus 0 0 0"


# --- What is not a move -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("drop:5#1", "'drop:5#1': after # comes which copy of the card in the hand, 2 to 7"),
        ("drop:5#8", "'drop:5#8': after # comes which copy of the card in the hand, 2 to 7"),
        ("drop:5#", "after # comes which copy"),
        ("", "'' is not a move; moves look like 5@7,5 or 5_flip@7,5, map:left"),
        ("hello", "'hello' is not a move; moves look like"),
        ("5@7", "is not a move"),
        ("5@7,5r", "is not a move"),
        ("5_FLIP@7,5", "is not a move"),
        ("5@ 7,5", "is not a move"),
        ("5@7.5,5", "is not a move"),
        ("5@+7,5", "is not a move"),
        ("\u0665@7,5", "is not a move"),
        ("16@7,5", "no card is called '16'"),
        ("99@7,5", "no card is called '99'"),
        ("destory@7,5", "no card is called 'destory'; did you mean 'destroy'?"),
        ("5@14,5", "there is no cell 14,5; rows and columns go from 0 to 13"),
        ("5@-1,5", "there is no cell -1,5; rows and columns go from 0 to 13"),
        ("destroy@0,14", "there is no cell 0,14"),
        ("8_flip@7,5", "tile 8 looks the same flipped and is written unflipped"),
        ("0_flip@7,5", "tile 0 looks the same flipped and is written unflipped"),
        ("map@12,5", "map is no tile; tiles are 0 to 15"),
        ("malus@12,5", "malus is no tile; tiles are 0 to 15"),
        ("destroy_flip@6,5", "destroy is no tile"),
        ("map:nowhere", "a map looks at one of left, middle, right, not at 'nowhere'"),
        ("map:", "not at ''"),
        ("map", "'map' is not a move"),
        ("malus:1", "'malus:1' is not a move"),
        ("drop", "'drop' is not a move"),
        ("drop:", "no card is called ''"),
        ("drop:maps", "no card is called 'maps'; did you mean 'map'?"),
        ("drop:5_flip", "no card is called '5_flip'"),
        ("drop:??", "no card is called '??'"),
        ("Drop 4 0 1", "'Drop 4 0 1' is not a move; write a discard as drop:CARD"),
        ("Tile:5 7 5", "is not a move"),
    ],
)
def test_malformed_move_says_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(BadNotation) as error:
        GAME.parse_action(text)
    assert message in str(error.value)


def test_long_nonsense_is_cut_in_the_message() -> None:
    for text in (
        "x" * 10_000,
        "drop:" + "x" * 10_000,
        "map:" + "x" * 10_000,
        "x" * 10_000 + "@1,1",
        "Map " + "1" * 10_000,
    ):
        with pytest.raises(BadNotation) as error:
            GAME.parse_action(text)
        assert len(str(error.value)) < 400
        with pytest.raises(BadNotation) as error:
            from_course(text, 1, HAND)
        assert len(str(error.value)) < 400


COURSE_MOVES = [
    f"{word} {row} {column} {seat}"
    for word in ("Tile:5_flip", "Tile:8", "Destroy")
    for row, column in BOARD
    for seat in (0, 1)
]
COURSE_MOVES += ["Map 12 3 0", "Map 12 5 1", "Malus 0 0 1", "Bonus 0 0 0", *(f"Drop {index} 0 1" for index in range(7))]
VALID = st.sampled_from(every_move() + COURSE_MOVES)
PIECES = st.sampled_from(
    [*CARDS, *"@:,?_-+ 0123456789", "_flip", "left", "drop:", "map:", "Tile:", "Map ", "Drop ", "\n", "٣", "²"]
)


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """A valid move in which a few characters were left out, put in, changed, or repeated."""
    text = draw(VALID)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 3)))
        middle = draw(st.one_of(st.just(""), PIECES, st.characters(), st.just(text[start:end] * 2)))
        text = text[:start] + middle + text[end:]
    return text


def check_reading(text: str) -> None:
    """Reading gives an action that is written and read back, or BadNotation, and no other error."""
    try:
        action = parse_action(text)
    except BadNotation as error:
        assert str(error)  # noqa: PT017 - whether there is an error depends on the text
    else:
        written = format_action(action)
        assert not written.startswith("action")
        assert parse_action(written) == action
    try:
        action = from_course(text, 1, HAND)
    except BadNotation as error:
        assert str(error)  # noqa: PT017 - as above
    else:
        written = to_course(action, 1, HAND)
        assert from_course(written, 1, HAND) == action
        # The numbers may have been written with zeros in front, and a discard may have named another copy.
        assert written.startswith(("Drop", "Malus", "Bonus")) or re.sub(r"\b0+(?=\d)", "", text.strip()) == written


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=8).map("".join)))
@example("5@" + "1" * 5000 + ",2")
@example("1" * 5000 + "@1,2")
@example("Tile:5 " + "9" * 5000 + " 1 1")
@example("Drop 999 0 1")
@example("\x00")
@example("map:\ud800")
def test_any_text_is_a_move_or_bad_notation(text: str) -> None:
    check_reading(text)


@settings(max_examples=800, deadline=None, derandomize=True)
@given(mutations())
def test_any_change_of_a_move_is_a_move_or_bad_notation(text: str) -> None:
    check_reading(text)


def test_every_number_of_an_action_is_written_and_only_actions_are_read_back() -> None:
    moves = set()
    for number in range(2**17):
        text = format_action(number)
        if text == f"action {number}":
            continue
        moves.add(text)
        # A tile that looks the same flipped is written as what it says, although there is no such action.
        if re.fullmatch(r"(0|1|8|10|13|15)_flip@.*", text):
            with pytest.raises(BadNotation, match="looks the same flipped"):
                parse_action(text)
        else:
            assert parse_action(text) == number
    assert moves >= {*every_move(), "drop:?"}
