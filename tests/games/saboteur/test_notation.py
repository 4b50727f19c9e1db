"""Moves as text: every action is written and read back, and nothing else is ever read or raises another error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.saboteur.playing import SPEECH, SWITCHES, legal, positions, saboteur, table
from molehunt.core.errors import BadNotation
from molehunt.games.saboteur.actions import (
    ACCUSE,
    ASK,
    CLAIM,
    DISCARD,
    HIDDEN_CARD,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    pack,
    unpack,
)
from molehunt.games.saboteur.cards import CARD_NAMES, CARD_TOOLS, FIRST_BREAK, FIRST_FIX, ROCKFALL
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.notation import EXAMPLES, card_number, format_action, parse_action
from molehunt.games.saboteur.ruleset import KRISNADI, OPEN_MINE, cell_number, cell_place
from molehunt.games.tunnels.cards import CARD_FORMS

GAME = saboteur(5)
ONE_OF_TWO = saboteur(5, "double_mends_both=no")
OPEN = table("official+talk")
ONE_TOOL = table("veldhuis")
SPEAKING = table("veldhuis:speak=yes")
TOOLS = ("cart", "lantern", "pickaxe")


def every_move(seats: int, one_of_two: bool = False) -> list[str]:
    """Every text that is a move, legal somewhere or not, spelled out from the description of the notation."""
    cells = [f"{x},{y}" for x in range(9) for y in range(5)]
    moves = (
        [f"discard:{name}" for name in CARD_NAMES]
        + ["discard:?"]
        + [f"map:{goal}" for goal in ("top", "middle", "bottom")]
    )
    moves += [f"claim:{goal}={claimed}" for goal in ("top", "middle", "bottom") for claimed in ("gold", "stone")]
    moves += [f"accuse>{seat}" for seat in range(seats)] + [f"ask:{tool}" for tool in TOOLS]
    moves += [f"rockfall@{cell}" for cell in cells]
    for card in range(FIRST_BREAK):
        moves += [f"{CARD_NAMES[card]}@{cell}{turned}" for cell in cells for turned in ("", "r")[: CARD_FORMS[card]]]
    for seat in range(seats):
        moves += [f"{name}>{seat}" for name in CARD_NAMES[FIRST_BREAK:FIRST_FIX]]
        for name in CARD_NAMES[FIRST_FIX:ROCKFALL]:
            tools = ["block"] if name == "deblock" else name.removeprefix("fix:").split("+")
            moves += [f"{name}>{seat}/{tool}" for tool in tools] if one_of_two else [f"{name}>{seat}"]
    return moves


# --- Written and read back --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 5, 10])
@pytest.mark.parametrize("one_of_two", [False, True])
def test_every_move_is_read_and_written_the_same(seats: int, one_of_two: bool) -> None:
    game = saboteur(seats, "double_mends_both=no" if one_of_two else "")
    moves = every_move(seats, one_of_two)
    codes = [int(game.parse_action(move)) for move in moves]
    assert [game.format_action(code) for code in codes] == moves
    assert len(set(codes)) == len(moves)
    assert all(0 <= code < 2**27 for code in codes)


@pytest.mark.parametrize("items", ["", *SWITCHES, SPEECH])
def test_every_action_of_random_games_is_written_and_read_back(items: str) -> None:
    game = saboteur(5, items)
    known = set(every_move(5, "double_mends_both=no" in items))
    written = set()
    for states in positions(game, 20):
        for action in legal(game, states):
            assert str(action) in known
            read = game.parse_action(str(action))
            assert read == action and str(read) == str(action)
            written.add(str(action).partition(":")[0].partition("@")[0])
    assert {"discard", "map", "rockfall", "break", "fix"} <= written


def test_spaces_around_a_move_do_not_matter() -> None:
    assert GAME.parse_action("  map:top\n") == GAME.parse_action("map:top")
    assert str(GAME.parse_action("  map:top\n")) == "map:top"


def test_action_is_packed_as_documented() -> None:
    assert pack(PLAY_PATH, 4, 1, 23) == 4 << 20 | 1 << 16 | 1 << 12 | 23
    assert unpack(pack(PLAY_PATH, 4, 1, 23)) == (PLAY_PATH, 4, 1, 23)
    cell = (32 + 2) * 64 + 28 + 3
    assert int(GAME.parse_action("P_NSE@3,2r")) == 4 << 20 | 1 << 16 | 1 << 12 | cell
    assert int(OPEN.parse_action("P_NSE@-28,-32")) == 4 << 20 | 1 << 16
    assert int(ONE_OF_TWO.parse_action("fix:cart+lantern>2/lantern")) == pack(PLAY_FIX, 23, 2, 2)
    assert int(GAME.parse_action("claim:bottom=stone")) == 28 << 20 | 7 << 16 | 2 << 12 | 2
    assert int(GAME.parse_action("discard:?")) == HIDDEN_CARD << 20 | DISCARD << 16


def test_cells_of_an_open_mine_are_read_and_written() -> None:
    left, top, right, bottom = OPEN_MINE
    for x in range(left, right + 1):
        for y in range(top, bottom + 1):
            text = f"P_NSE@{x},{y}r"
            assert cell_place(cell_number(x, y)) == (x, y)
            assert OPEN.format_action(OPEN.parse_action(text)) == text
    for x, y in ((left - 1, 0), (right + 1, 0), (0, top - 1), (0, bottom + 1)):
        with pytest.raises(BadNotation, match=f"there is no cell {x},{y}; x goes from -28 to 35, y from -32 to 31"):
            OPEN.parse_action(f"rockfall@{x},{y}")


def test_one_tool_needs_no_name() -> None:
    for move in ("block>0", "block>4", "deblock>3", "claim:middle=gold", "P_EW@12,12"):
        assert str(ONE_TOOL.parse_action(move)) == move
    with pytest.raises(BadNotation, match="there is no cell -1,0"):
        ONE_TOOL.parse_action("P_EW@-1,0")


@pytest.mark.parametrize("game", [OPEN, ONE_TOOL, SPEAKING, table("official", 10)], ids=lambda game: game.label)
def test_every_action_of_random_games_of_the_other_rulesets_is_written_and_read_back(game: Saboteur) -> None:
    written = set()
    for states in positions(game, 12):
        for action in legal(game, states):
            read = game.parse_action(str(action))
            assert read == action and str(read) == str(action)
            written.add(re.split("[:@>]", str(action))[0])
    assert {"discard", "map", "rockfall"} <= written
    assert ("claim" in written) == game.ruleset.talk
    assert ("accuse" in written) == ("ask" in written) == game.ruleset.speak
    assert {"block", "deblock"} <= written if game.ruleset.one_tool else {"break", "fix"} <= written


def test_examples_in_the_error_are_moves() -> None:
    for move in re.split(r", (?=\D)| or ", EXAMPLES):
        assert GAME.format_action(GAME.parse_action(move)) == move


def test_moves_in_the_table_of_the_rules_are_moves_and_every_kind_of_move_is_there() -> None:
    text = (Path(__file__).parents[3] / "docs" / "rules.md").read_text(encoding="utf-8")
    table = text.partition("### How cards and moves are written")[2].partition("###")[0]
    moves = [move for line in table.splitlines() if "|" in line for move in re.findall(r"`(\w+[@:>]\S+)`", line)]
    for move in moves:
        games = [game for game in (GAME, ONE_OF_TWO, OPEN, ONE_TOOL, SPEAKING) if reads(game, move)]
        assert move in [game.format_action(game.parse_action(move)) for game in games]
    kinds = {unpack(game.parse_action(move))[0] for move in moves for game in (GAME, ONE_TOOL) if reads(game, move)}
    assert kinds == {PLAY_PATH, PLAY_BREAK, PLAY_FIX, PLAY_MAP, PLAY_ROCKFALL, DISCARD, CLAIM, ACCUSE, ASK}


def reads(game: Saboteur, move: str) -> bool:
    """Whether a text is a move under a game's ruleset."""
    try:
        game.parse_action(move)
    except BadNotation:
        return False
    return True


def test_single_repair_needs_no_tool_where_one_is_mended() -> None:
    assert ONE_OF_TWO.parse_action("fix:cart>2") == ONE_OF_TWO.parse_action("fix:cart>2/cart")


# --- What is not a move -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a move; moves look like P_NSE@3,2"),
        ("hello", "'hello' is not a move"),
        ("P_NSE@3", "is not a move"),
        ("P_NSE@3,2R", "is not a move"),
        ("P_NSE@-1,2", "there is no cell -1,2; x goes from 0 to 8, y from 0 to 4"),
        ("P_NSE@--1,2", "is not a move"),
        ("P_NSE@+1,2", "is not a move"),
        ("P_NSE@1000,2", "is not a move"),
        ("claim:top", "'claim:top' is not a claim; claims look like claim:top=gold"),
        ("claim:top=rock1", "is not a claim"),
        ("claim:top=nothing", "is not a claim"),
        ("claim:left=gold", "is not a claim"),
        ("accuse>5", "there is no seat 5; seats go from 0 to 4"),
        ("accuse", "'accuse' is not a move"),
        ("ask:hat", "'ask:hat': one asks for cart, lantern, pickaxe, not for 'hat'"),
        ("ask:block", "one asks for cart, lantern, pickaxe, not for 'block'"),
        ("block>5", "there is no seat 5"),
        ("block>1/block", "no tool is named here; write block>1"),
        ("deblock>1/block", "no tool is named here; write deblock>1"),
        ("P_NSEE@3,2", "no card is called 'P_NSEE'; did you mean 'P_NSE'?"),
        ("zzz@3,2", "no card is called 'zzz'; cards are P_NS, P_EW"),
        ("P_NSE@9,2", "there is no cell 9,2; x goes from 0 to 8, y from 0 to 4"),
        ("P_NSE@0,5", "there is no cell 0,5"),
        ("rockfall@999,999", "there is no cell 999,999"),
        ("P_NS@3,2r", "P_NS looks the same turned; write P_NS@3,2"),
        ("rockfall@3,2r", "a rockfall is not turned; write rockfall@3,2"),
        ("map@3,2", "map is not laid on a cell"),
        ("map:left", "a map looks at one of top, middle, bottom, not at 'left'"),
        ("map:", "not at ''"),
        ("map", "'map' is not a move"),
        ("break:cart>5", "there is no seat 5; seats go from 0 to 4"),
        ("break:cart>-1", "is not a move"),
        ("break:cart", "is not a move"),
        ("break:card>1", "no card is called 'break:card'; did you mean 'break:cart'?"),
        ("break:cart>1/cart", "no tool is named here; write break:cart>1"),
        ("fix:cart+lantern>1/cart", "no tool is named here; write fix:cart+lantern>1"),
        ("fix:lantern+cart>1", "no card is called 'fix:lantern+cart'"),
        ("discard:", "no card is called ''"),
        ("discard:map:top", "no card is called 'map:top'"),
        ("discard:??", "no card is called '??'"),
    ],
)
def test_malformed_move_says_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(BadNotation) as error:
        GAME.parse_action(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "text", ["fix:cart+lantern>1", "fix:cart+lantern>1/pickaxe", "fix:cart>1/lantern", "fix:cart+lantern>1/"]
)
def test_repair_of_one_tool_names_it(text: str) -> None:
    with pytest.raises(BadNotation, match=r"say which tool is mended: fix:cart.*/cart|is not a move"):
        ONE_OF_TWO.parse_action(text)


def test_long_nonsense_is_cut_in_the_message() -> None:
    for text in ("x" * 10_000, "discard:" + "x" * 10_000, "map:" + "x" * 10_000, "x" * 10_000 + "@1,1"):
        with pytest.raises(BadNotation) as error:
            GAME.parse_action(text)
        assert len(str(error.value)) < 600


VALID = st.sampled_from(every_move(5) + every_move(5, one_of_two=True))
PIECES = st.sampled_from(
    [*CARD_NAMES, *TOOLS, *"@>/:,r?+0123456789 _", "top", "discard:", "map:", "fix:", "break:", "\n", "٣", "²"]
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
    for game in (GAME, ONE_OF_TWO, OPEN, ONE_TOOL):
        try:
            action = game.parse_action(text)
        except BadNotation as error:
            assert str(error)  # noqa: PT017 - whether there is an error depends on the text
            continue
        written = game.format_action(action)
        assert not written.startswith("action")
        assert game.parse_action(written) == action
        assert 0 <= action < 2**27


@settings(max_examples=2000, deadline=None)
@given(st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=8).map("".join)))
@example("P_NSE@" + "1" * 5000 + ",2")
@example("break:cart>" + "9" * 5000)
@example("\x00")
@example("map:\ud800")
def test_any_text_is_a_move_or_bad_notation(text: str) -> None:
    check_reading(text)


@settings(max_examples=2000, deadline=None)
@given(mutations())
def test_any_change_of_a_move_is_a_move_or_bad_notation(text: str) -> None:
    check_reading(text)


@settings(max_examples=1000, deadline=None)
@example(pack(PLAY_FIX, card_number("fix:cart"), 0, 0))
@given(
    st.one_of(
        st.integers(-(2**31), 2**31 - 1),
        st.builds(pack, st.integers(0, 15), st.integers(0, 127), st.integers(0, 15), st.integers(0, 4095)),
    )
)
def test_any_number_is_written_and_only_actions_are_read_back(number: int) -> None:
    for game in (GAME, ONE_OF_TWO):
        text = game.format_action(number)
        if text == f"action {number}":
            with pytest.raises(BadNotation):
                game.parse_action(text)
            continue
        try:
            read = game.parse_action(text)
        except BadNotation:
            # Written as what it says, although this ruleset or table has no such action.
            assert text not in every_move(5, game is ONE_OF_TWO)
        else:
            assert read == number or text == "discard:?"


def test_number_that_is_no_action_is_written_as_a_number() -> None:
    right_of_the_board = pack(PLAY_PATH, 0, 0, cell_number(9, 0))
    below_the_board = pack(PLAY_PATH, 0, 0, cell_number(0, 5))
    for number in (
        0,
        -1,
        right_of_the_board,
        below_the_board,
        pack(PLAY_PATH, 0, 2, 1),
        pack(7, 0, 0, 0),
        pack(7, 28, 0, 0),
        pack(7, 28, 3, 0),
        pack(7, 28, 1, 3),
        pack(8, 28, 1, 0),
        1 << 27,
        2**31 - 1,
    ):
        assert format_action(number, KRISNADI) == f"action {number}"


def test_notation_of_a_card_depends_on_its_tools() -> None:
    # A repair may name each of its tools and no other.
    for card in range(FIRST_FIX, ROCKFALL):
        for number, tool in enumerate(TOOLS):
            text = f"{CARD_NAMES[card]}>0/{tool}"
            if CARD_TOOLS[card] >> number & 1:
                assert parse_action(text, ONE_OF_TWO.ruleset, 5) == pack(PLAY_FIX, card, 1 + number, 0)
            else:
                with pytest.raises(BadNotation):
                    parse_action(text, ONE_OF_TWO.ruleset, 5)
