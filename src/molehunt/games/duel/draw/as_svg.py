"""A view as a self-contained SVG: the used part of the board, both seats, and the viewer's own hand.

No outside pictures, fonts or scripts. Every tile, every open cell and both seats are elements with a label in words, for those
who hear the drawing. Tunnels that no way from the entrance leads into are dark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from molehunt.core.language import _
from molehunt.core.panels import seat_name
from molehunt.core.svg import element
from molehunt.core.words import capital, joined
from molehunt.games.duel.cards import FLIP, GOAL_PLACES, tile_shape
from molehunt.games.duel.draw.wording import (
    GOALS,
    HIDDEN_GOAL,
    Cell,
    card_sentence,
    cell_sentence,
    columns_and_rows,
    cut_off,
    extent_sentence,
    goal_sentence,
    is_tile,
    looked_goals,
    move_sentence,
    role_sentence,
    seat_sentence,
)
from molehunt.games.tunnels.svg_board import MARGIN, SECTION, board, board_size, document, hand, hand_height
from molehunt.games.tunnels.svg_cards import goal_back, in_middle, ladder, lit_cell, paper, rock, speck, tunnels
from molehunt.games.tunnels.svg_parts import STYLE, group, icon, label, lump, nugget, ticked
from molehunt.games.tunnels.wording import deck_sentence

if TYPE_CHECKING:
    from molehunt.games.duel.friendly import View

HEAD = 66.0
LEAST_WIDTH = 660.0
"""Room for a full hand and both seats, on boards narrower than that."""
SEAT_HEIGHT, SEAT_GAP = 28.0, 14.0
MOST_MALUS = 2
"""As many malus cards as there are."""

_STYLE = STYLE + ".molehunt .cut-off .floor { stroke: var(--pebble-light); }\n"


def svg(view: View) -> str:
    """The drawing of a view as an SVG document (without an XML declaration), for light and dark ground."""
    columns, rows = columns_and_rows(view)
    board_width, board_height = board_size(columns, rows)
    inner = max(board_width, LEAST_WIDTH)
    seats_top = HEAD + board_height + SECTION
    hand_top = seats_top + SEAT_HEIGHT + SECTION
    apart = cut_off(view)
    cells = board(columns, rows, lambda x, y: board_cell(view, (y, x), is_cut_off=(y, x) in apart), "ground unbounded")
    return document(
        _("Saboteur duel, turn {turn}, as seen by {name}", turn=view.turn, name=seat_name(view.seat)),
        description(view),
        inner,
        hand_top + hand_height(len(view.hand)) + MARGIN / 2,
        [
            heading(view, inner, any_cut_off=bool(apart)),
            group(cells, at=(MARGIN + (inner - board_width) / 2, HEAD)),
            group(seats(view, inner), at=(MARGIN, seats_top)),
            group(
                hand([(held_card(name), [name], card_sentence(name)) for name in view.hand], inner),
                at=(MARGIN, hand_top),
            ),
        ],
        _STYLE,
    )


def description(view: View) -> str:
    """The position in sentences: whose move it is, and what the seat knows and holds."""
    words = [
        role_sentence(view),
        move_sentence(view),
        deck_sentence(view.deck_left),
        *(seat_sentence(view, seat) for seat in (0, 1)),
        _("goals: {goals}", goals="; ".join(f"{_(place)} {goal_sentence(view, place)}" for place in GOAL_PLACES)),
        _("your hand: {cards}", cards=joined(view.hand)),
        extent_sentence(),
    ]
    return " ".join(f"{capital(sentence)}." for sentence in words)


def heading(view: View, inner: float, *, any_cut_off: bool) -> Element:
    """The lines above the board."""
    right = MARGIN + inner
    you = role_sentence(view)
    if any_cut_off:
        you = f"{you} · {_('dark tunnels are cut off from the entrance')}"
    return group(
        label(MARGIN, 34, capital(move_sentence(view)), "heading"),
        label(MARGIN, 53, you, "quiet"),
        label(right, 34, _("turn {turn}", turn=view.turn), "end strong"),
        label(right, 53, deck_sentence(view.deck_left), "quiet end"),
    )


def board_cell(view: View, cell: Cell, *, is_cut_off: bool) -> Element:
    """One cell of the board: a card, a lit cell on which a tile may fit, or a speck."""
    name = view.board.get(cell)
    at = f"{cell[0]},{cell[1]}"
    words = cell_sentence(view, cell, is_cut_off=is_cut_off)
    if name is None:
        if cell in view.open_cells:
            return group(*lit_cell(at), class_="reachable", role="img", aria_label=words)
        return group(speck(), aria_hidden="true")
    drawn = hidden_goal(view.goals[GOALS[cell]]) if name == HIDDEN_GOAL else open_card(name)
    title = element("title", f"{name}@{at}" if is_tile(name) else f"{name} {at}")
    return group(title, drawn, class_="card cut-off" if is_cut_off else "card", role="img", aria_label=words)


def open_card(name: str) -> Element:
    """A tile, the entrance or a goal that is revealed."""
    is_goal = name in ("nugget", "blank")
    card = group(rock(name.endswith(FLIP), "goal" if is_goal else "rock"), *tunnels(*tile_shape(name)))
    if name == "entrance":
        card.append(ladder())
    elif is_goal:
        card.append(in_middle(_content(name)))
    return card


def hidden_goal(seen: str | None) -> Element:
    """A goal that is not revealed, with what the viewer has seen on a map."""
    if seen is None:
        return goal_back()
    return goal_back(_content(seen), "gold" if seen == "nugget" else seen)  # there is no room for a longer word


def _content(name: str) -> Element:
    return nugget() if name == "nugget" else lump()


def held_card(name: str) -> Element:
    """A card of a hand: a tile as it lies unflipped, or an action card."""
    if is_tile(name):
        return open_card(name)
    signs = {
        "destroy": icon("rockfall", "muted"),
        "malus": icon("block", "bad"),
        "bonus": ticked(icon("block")),
        "map": icon("map", "water"),
    }
    return paper(in_middle(signs[name], 2))


def seats(view: View, inner: float) -> Element:
    """Both seats side by side."""
    result = group(label(0, -9, _("Seats"), "strong"), class_="seats")
    width = (inner - SEAT_GAP) / 2
    for seat in (0, 1):
        result.append(
            group(
                *_seat(view, seat, width),
                at=(seat * (width + SEAT_GAP), 0),
                class_="seat own" if seat == view.seat else "seat",
                role="img",
                aria_label=seat_sentence(view, seat),
            )
        )
    return result


def _seat(view: View, seat: int, width: float) -> list[Element]:
    own = seat == view.seat
    box = element("rect", x=0.5, y=0.5, width=width - 1, height=SEAT_HEIGHT, rx=6, class_="you" if own else "paper")
    parts = [
        box,
        label(22, 18, _("{seat}, you", seat=seat_name(seat)) if own else seat_name(seat), "small strong"),
        group(icon("card", "muted"), at=(98, 5.5), scale=0.85),
        label(106.5, 18, str(view.hand_sizes[seat]), "label centre"),
    ]
    if seat == view.to_move:
        parts.append(group(icon("arrow", "bad"), at=(6, 8), scale=0.65))
    for number in range(MOST_MALUS):
        lies = number < view.malus[seat]
        parts.append(group(icon("block", "bad" if lies else "faint"), at=(123 + 22 * number, 5), scale=0.9))
    if looked := looked_goals(view, seat):
        words = " ".join(_(goal) for goal in looked) if len(looked) < len(GOAL_PLACES) else _("all goals")
        parts += [group(icon("eye", "water"), at=(172, 7), scale=0.7), label(189, 18, words, "small")]
    if discarded := view.discard_counts[seat]:
        parts.append(label(width - 8, 18, _("{number} discarded", number=discarded), "small quiet end"))
    return parts
