"""Moves as people write them.

`5@7,5` lays tile 5 at row 7, column 5, `5_flip@7,5` lays it flipped; `map:left`, `map:middle`, `map:right`; `malus`; `bonus`;
`destroy@6,5`; `drop:5`, `drop:map`; `drop:5#2` for the second copy of the card in the hand, which matters for the order of the
others; `drop:?` for a card that the reader may not know. Rows grow from the entrance towards
the goals.

The notation of the course's program is read and written, too: `Tile:5_flip 7 5 1`, `Map 12 5 1`, `Malus 0 0 1`, `Bonus 0 0 1`,
`Destroy 6 5 0`, `Drop 4 0 1` are card, row, column and who moves. A discard names in place of the row which card of the hand it is,
counted from 0, so it takes the hand to write or read it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from molehunt.core.errors import BadNotation
from molehunt.games.duel.actions import (
    DESTROY_TILE,
    DISCARD,
    FREE,
    HIDDEN_CARD,
    HINDER,
    LAY,
    LOOK,
    USED_BITS,
    pack,
    unpack,
)
from molehunt.games.duel.cards import (
    BONUS,
    CARD_NAMES,
    DESTROY,
    FLIP,
    GOAL_PLACES,
    KINDS,
    MALUS,
    MAP,
    TILE_FORMS,
    TILES,
    card_number,
    tile_name,
)
from molehunt.games.duel.state import CELLS, GOAL_CELLS, HAND, SIZE, cell_number, cell_place

EXAMPLES = "5@7,5 or 5_flip@7,5, map:left, malus, bonus, destroy@6,5, drop:5, drop:map"
COURSE_PLAYS = "Tile:5_flip 7 5 1, Map 12 5 1, Malus 0 0 1, Bonus 0 0 1, Destroy 6 5 1"
COURSE_EXAMPLES = f"{COURSE_PLAYS}, Drop 4 0 1"

_AT = re.compile(rf"(?P<card>[a-z]+|[0-9]{{1,2}})(?P<flip>{FLIP})?@(?P<row>-?[0-9]{{1,3}}),(?P<column>-?[0-9]{{1,3}})")
_LATER_COPIES = {str(copy) for copy in range(2, HAND + 1)}
_COURSE = re.compile(
    rf"(?:Tile:(?P<tile>[0-9]{{1,2}})(?P<flip>{FLIP})?|(?P<word>Map|Malus|Bonus|Destroy|Drop))"
    r" (?P<row>[0-9]{1,3}) (?P<column>[0-9]{1,3}) (?P<seat>[01])"
)


def on_board(row: int, column: int) -> bool:
    """Whether the board has such a cell."""
    return 0 <= row < SIZE and 0 <= column < SIZE


def format_action(action: int) -> str:
    """An action in notation; an int that is no action comes out as `action 123`."""
    play, card, flipped, target = unpack(action)
    if action == pack(DISCARD, HIDDEN_CARD):
        return "drop:?"
    if action < 0 or action >> USED_BITS or card >= KINDS or target >= CELLS:
        return f"action {action}"
    row, column = cell_place(target)
    if play == LAY and card < TILES and on_board(row, column):
        return f"{tile_name(card, flipped)}@{row},{column}"
    if play == DESTROY_TILE and action == pack(play, DESTROY, 0, target) and on_board(row, column):
        return f"destroy@{row},{column}"
    if play == LOOK and action == pack(play, MAP, 0, target) and target < len(GOAL_PLACES):
        return f"map:{GOAL_PLACES[target]}"
    if action == pack(DISCARD, card, 0, target) and target < HAND:
        return f"drop:{CARD_NAMES[card]}{f'#{target + 1}' if target else ''}"
    if action in (pack(HINDER, MALUS), pack(FREE, BONUS)):
        return CARD_NAMES[card]
    return f"action {action}"


def parse_action(text: str) -> int:
    """The action that a notation means; BadNotation says what would be right. Whether it is legal is not asked."""
    text = text.strip()
    if text == "drop:?":
        return pack(DISCARD, HIDDEN_CARD)
    if text == "malus":
        return pack(HINDER, MALUS)
    if text == "bonus":
        return pack(FREE, BONUS)
    if text.startswith("drop:"):
        name, mark, copy = text.removeprefix("drop:").partition("#")
        if mark and copy not in _LATER_COPIES:
            raise BadNotation(f"{text!r:.60}: after # comes which copy of the card in the hand, 2 to {HAND}")
        return pack(DISCARD, card_number(name), 0, int(copy) - 1 if mark else 0)
    if text.startswith("map:"):
        place = text.removeprefix("map:")
        if place not in GOAL_PLACES:
            raise BadNotation(f"{text!r:.60}: a map looks at one of {', '.join(GOAL_PLACES)}, not at {place!r:.40}")
        return pack(LOOK, MAP, 0, GOAL_PLACES.index(place))
    if match := _AT.fullmatch(text):
        card, cell = card_number(match["card"]), _cell(text, int(match["row"]), int(match["column"]))
        if card == DESTROY and not match["flip"]:
            return pack(DESTROY_TILE, DESTROY, 0, cell)
        return _lay(text, card, bool(match["flip"]), cell)
    hint = "; write a discard as drop:CARD" if text.startswith("Drop ") else ""
    if (match := _COURSE.fullmatch(text)) and not hint:
        return _course(text, match)
    raise BadNotation(f"{text!r:.60} is not a move{hint}; moves look like {EXAMPLES} or {COURSE_PLAYS}")


def _cell(text: str, row: int, column: int) -> int:
    if not on_board(row, column):
        raise BadNotation(f"{text!r}: there is no cell {row},{column}; rows and columns go from 0 to {SIZE - 1}")
    return cell_number(row, column)


def _lay(text: str, card: int, flipped: bool, cell: int) -> int:
    if card >= TILES:
        raise BadNotation(f"{text!r}: {CARD_NAMES[card]} is no tile; tiles are 0 to {TILES - 1}")
    if flipped and TILE_FORMS[card] == 1:
        raise BadNotation(f"{text!r}: tile {card} looks the same flipped and is written unflipped")
    return pack(LAY, card, int(flipped), cell)


def _course(text: str, match: re.Match[str]) -> int:
    """A move of the course's program, discards left out."""
    row, column = int(match["row"]), int(match["column"])
    if match["tile"]:
        return _lay(text, card_number(match["tile"]), bool(match["flip"]), _cell(text, row, column))
    if match["word"] == "Destroy":
        return pack(DESTROY_TILE, DESTROY, 0, _cell(text, row, column))
    if match["word"] == "Map":
        goals = [cell_place(int(cell)) for cell in GOAL_CELLS]
        # To that program a cell on which no goal lies is the left one.
        return pack(LOOK, MAP, 0, goals.index((row, column)) if (row, column) in goals else 0)
    return pack(HINDER, MALUS) if match["word"] == "Malus" else pack(FREE, BONUS)


def to_course(action: int, seat: int, hand: Sequence[str]) -> str:
    """An action of `seat` as the course's program writes it. A discard names its copy of the card in `hand`.

    BadNotation where the action is none, or the copy that is discarded is not in the hand.
    """
    play, card, flipped, target = unpack(action)
    text = format_action(action)
    if text.startswith("action") or text == "drop:?":
        raise BadNotation(f"{text!r} cannot be written in the notation of the course's program")
    if play == DISCARD:
        slots = [slot for slot, held in enumerate(hand) if held == CARD_NAMES[card]]
        if target >= len(slots):
            raise BadNotation(f"{text!r}: the card is not in the hand {', '.join(hand) or '(empty)'}")
        return f"Drop {slots[target]} 0 {seat}"
    if play in (HINDER, FREE):
        return f"{text.capitalize()} 0 0 {seat}"
    word = {LAY: f"Tile:{tile_name(card, flipped)}", LOOK: "Map", DESTROY_TILE: "Destroy"}[play]
    row, column = cell_place(int(GOAL_CELLS[target]) if play == LOOK else target)
    return f"{word} {row} {column} {seat}"


def from_course(text: str, seat: int, hand: Sequence[str]) -> int:
    """The action that the course's program wrote for `seat`, who holds `hand`; BadNotation says what is wrong.

    Whether the action is legal is not asked, but a discard must name a card of the hand: that very copy goes. A map on a cell
    without a goal looks at the left goal, as in the course's program.
    """
    match = _COURSE.fullmatch(text.strip())
    if match is None:
        raise BadNotation(f"{text!r:.60} is not a move of the course's program; its moves look like {COURSE_EXAMPLES}")
    if int(match["seat"]) != seat:
        raise BadNotation(f"{text!r} is a move of player {match['seat']}, not of player {seat}")
    if match["word"] != "Drop":
        return _course(text, match)
    index = int(match["row"])
    if index >= len(hand):
        raise BadNotation(f"{text!r}: the hand has no card {index}; its cards are 0 to {len(hand) - 1}")
    return pack(DISCARD, card_number(hand[index]), 0, list(hand[:index]).count(hand[index]))
