"""A view as a self-contained SVG: the board, the seats around the table, and the viewer's own hand.

No outside pictures, fonts or scripts. Every card, every reachable cell and every seat is an element with a label in
words, for those who hear the drawing.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from molehunt.core.language import _
from molehunt.core.panels import seat_name
from molehunt.core.svg import element
from molehunt.core.words import capital, joined
from molehunt.games.saboteur.cards import GOAL_PLACES
from molehunt.games.saboteur.draw.svg_cards import action_card, board_card
from molehunt.games.saboteur.draw.svg_parts import broken_icon, claim_tag, tool_icon
from molehunt.games.saboteur.draw.wording import (
    FACE_DOWN,
    PATH_CARDS,
    broken_tools,
    card_sentence,
    cell_sentence,
    claims_of,
    columns_and_rows,
    goal_places,
    goal_sentence,
    gold_is_counted,
    looked_goals,
    mine_sentence,
    move_sentence,
    past_sentences,
    role_sentence,
    saboteurs_sentence,
    said_sentences,
    seat_sentence,
    turn_sentence,
)
from molehunt.games.saboteur.friendly import Cell, View
from molehunt.games.tunnels.svg_board import MARGIN, SECTION, board, board_size, document, hand, hand_height
from molehunt.games.tunnels.svg_cards import lit_cell, speck
from molehunt.games.tunnels.svg_parts import ICON, group, icon, label, nugget
from molehunt.games.tunnels.wording import deck_sentence

HEAD = 66.0
HEAD_LINE = 17.0
"""For each line about the rounds that are over."""
LEAST_WIDTH = 600.0
"""Room for two columns of seats and a full hand, on boards narrower than that."""
SEAT_HEIGHT = 34.0
TOOL_ROOM, GOLD_ROOM, CLAIM_ROOM = 22.0, 42.0, 118.0
"""In the box of a seat, for each of its tools, for its gold, and for each of its claims."""
LONG_HEADING = 50
"""A heading with more characters is written smaller, so that it leaves room for the turn."""
LONG_NAME = 14
"""A longer name of a card is written on two lines."""


def svg(view: View) -> str:
    """The drawing of a view as an SVG document (without an XML declaration), for light and dark ground."""
    columns, rows = columns_and_rows(view)
    board_width, board_height = board_size(columns, rows)
    inner = max(board_width, LEAST_WIDTH + 2 * GOLD_ROOM * gold_is_counted(view.game.ruleset))
    board_top = HEAD + HEAD_LINE * len(note_sentences(view))
    seats_top = board_top + board_height + SECTION
    hand_top = seats_top + seat_rows(view) * SEAT_HEIGHT + SECTION
    # A mine without bounds has no firm border.
    ground = "ground unbounded" if view.game.ruleset.is_open else "ground"
    drawn = board(columns, rows, lambda x, y: board_cell(view, (x, y)), ground)
    return document(
        _("Saboteur, turn {turn}, as seen by {name}", turn=view.turn, name=seat_name(view.seat)),
        description(view),
        inner,
        hand_top + hand_height(len(view.hand)) + MARGIN / 2,
        [
            heading(view, inner),
            group(drawn, at=(MARGIN + (inner - board_width) / 2, board_top)),
            group(seats(view, inner), at=(MARGIN, seats_top)),
            group(hand([held(name) for name in view.hand], inner), at=(MARGIN, hand_top)),
        ],
    )


def description(view: View) -> str:
    """The position in sentences: whose move it is, what the seat is, knows and holds."""
    goals = "; ".join(f"{_(place)} {goal_sentence(view, place)}" for place in GOAL_PLACES)
    words = [
        role_sentence(view),
        move_sentence(view),
        saboteurs_sentence(view),
        *([turn_sentence(view)] if view.rounds > 1 else []),
        *note_sentences(view),
        deck_sentence(view.deck_left),
        *([mine_sentence(view)] if view.game.ruleset.is_open else []),
        _("goals: {goals}", goals=goals),
        _("your hand: {cards}", cards=joined(view.hand)),
    ]
    return " ".join(f"{capital(sentence)}." for sentence in words)


def note_sentences(view: View) -> list[str]:
    """What stands below the heading: earlier rounds, and what has been said before cards."""
    return [*past_sentences(view), *said_sentences(view)]


def heading(view: View, inner: float) -> Element:
    """The lines above the board."""
    right = MARGIN + inner
    words = capital(move_sentence(view))
    return group(
        label(MARGIN, 34, words, "heading long" if len(words) > LONG_HEADING else "heading"),
        label(MARGIN, 53, f"{role_sentence(view)} · {saboteurs_sentence(view)}", "quiet"),
        label(right, 34, turn_sentence(view), "end strong"),
        label(right, 53, deck_sentence(view.deck_left), "quiet end"),
        *(label(MARGIN, 53 + HEAD_LINE * line, words, "quiet") for line, words in enumerate(note_sentences(view), 1)),
    )


def board_cell(view: View, cell: Cell) -> Element:
    """One cell of the board: a card, a lit cell that can be reached, or a speck."""
    name, turned = view.board.get(cell, ("", False))
    at = f"{cell[0]},{cell[1]}"
    if name:
        seen = view.goals[goal_places(view.game.ruleset)[cell]] if name == FACE_DOWN else None
        notation = f"{name}@{at}{'r' * turned}" if name in PATH_CARDS else f"{name} {at}"
        return group(
            element("title", notation),
            board_card(name, turned, seen),
            class_="card",
            role="img",
            aria_label=cell_sentence(view, cell),
        )
    if cell in view.reachable:
        return group(*lit_cell(at), class_="reachable", role="img", aria_label=cell_sentence(view, cell))
    return group(speck(), aria_hidden="true")


def seat_rows(view: View) -> int:
    """How many rows the seats take: they stand in two columns; in one where they say what they saw, so that it compares."""
    return view.seats if view.game.ruleset.talk else (view.seats + 1) // 2


def seats(view: View, inner: float) -> Element:
    """All seats, seat 0 at the top left and its left neighbours down the column."""
    depth = seat_rows(view)
    width = inner if depth == view.seats else (inner - 14) / 2
    result = group(label(0, -9, _("Seats"), "strong"), class_="seats")
    if view.game.ruleset.talk:
        result.append(label(inner, -9, _("in bubbles: what each seat says it saw"), "quiet end"))
    for seat in range(view.seats):
        column, row = divmod(seat, depth)
        place = (column * (width + 14), row * SEAT_HEIGHT)
        result.append(
            group(
                *_seat(view, seat, width),
                at=place,
                class_="seat own" if seat == view.seat else "seat",
                role="img",
                aria_label=seat_sentence(view, seat),
            )
        )
    return result


def _seat(view: View, seat: int, width: float) -> list[Element]:
    ruleset = view.game.ruleset
    broken = broken_tools(view, seat)
    parts = [
        element(
            "rect",
            x=0.5,
            y=0.5,
            width=width - 1,
            height=SEAT_HEIGHT - 6,
            rx=6,
            class_="you" if seat == view.seat else "paper",
        ),
        label(22, 18, _("{seat}, you", seat=seat_name(seat)) if seat == view.seat else seat_name(seat), "small strong"),
        group(icon("card", "muted"), at=(98, 5.5), scale=0.85),
        label(106.5, 18, str(view.hand_sizes[seat]), "label centre"),
    ]
    if seat == view.to_move:
        parts.append(group(icon("arrow", "bad"), at=(6, 8), scale=0.65))
    x = 123.0
    if gold_is_counted(ruleset):
        nuggets = view.known_gold[seat]
        parts.append(group(nugget(), at=(x, 6), scale=0.8))
        parts.append(label(x + 20, 18, "?" if nuggets is None else str(nuggets), "label"))
        x += GOLD_ROOM
    for tool in ruleset.tools:
        drawn = broken_icon(tool) if tool in broken else tool_icon(tool, "faint")
        parts.append(group(drawn, at=(x, 5), scale=0.9))
        x += TOOL_ROOM
    return parts + (_claims(view, seat, x + 12) if ruleset.talk else _looked(view, seat, x + 3))


def _looked(view: View, seat: int, x: float) -> list[Element]:
    """The goals that a seat has looked at, as words behind an eye."""
    looked = looked_goals(view, seat)
    if not looked:
        return []
    words = " ".join(_(goal) for goal in looked) if len(looked) < len(GOAL_PLACES) else _("all goals")
    return [group(icon("eye", "water"), at=(x, 7), scale=0.7), label(x + 17, 18, words, "small")]


def _claims(view: View, seat: int, x: float) -> list[Element]:
    """What a seat says of each goal that it has looked at, goal below goal; an eye and the goal where it has not said."""
    parts: list[Element] = []
    for place, said in claims_of(view, seat).items():
        left = x + CLAIM_ROOM * GOAL_PLACES.index(place)
        if said:
            parts.append(group(claim_tag(place, said), at=(left, (SEAT_HEIGHT - 6 - ICON) / 2)))
        else:
            parts.append(group(icon("eye", "water"), at=(left + 6, 7), scale=0.7))
            parts.append(label(left + 24, 18, _(place), "small"))
    return parts


def held(name: str) -> tuple[Element, list[str], str]:
    """A card of the viewer's hand: its drawing, its name in notation, on two lines where it is long, and the card in words."""
    kind, colon, tools = name.partition(":")
    lines = [kind + colon, tools] if len(name) > LONG_NAME else [name]
    return board_card(name, False) if name in PATH_CARDS else action_card(name), lines, card_sentence(name)
