"""The duel as a page shows it: a view, and what may be done, as plain values. A page's y is the duel's row, its x the column.

Everything is made from one seat's view (or the public one), so a page cannot be sent more than its seat knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from molehunt.core.game import Action
from molehunt.games.duel.cards import CONTENT_NAMES
from molehunt.games.duel.draw import wording as duel_draw
from molehunt.games.duel.friendly import Event, View
from molehunt.table import duel_words
from molehunt.table.tunnel_words import ALONE, Move
from molehunt.web.mine_face import (
    NOT_COUNTED,
    Position,
    back,
    board,
    cell,
    counted,
    goals_of,
    hand,
    headline,
    map_news,
    move,
    turn_up,
    without_seat,
)
from molehunt.web.sprite import symbol_name


def position(view: View, names: Sequence[str], legal: Iterable[Action]) -> Position:
    """A view of the duel; `legal` is what its seat may do."""
    seat = view.seat if view.seat >= 0 else None
    apart = duel_draw.cut_off(view)
    columns, rows = duel_draw.columns_and_rows(view)
    goals = {(column, row): place for (row, column), place in duel_draw.GOALS.items()}
    return {
        "headline": headline(view.to_move, seat, names, None),
        "lines": [f"Turn {view.turn}", f"{counted(view.deck_left, 'card')} in the deck"],
        "board": board(
            (columns, rows),
            [
                cell(
                    (column, row),
                    back(view.goals[duel_draw.GOALS[row, column]])
                    if name == duel_draw.HIDDEN_GOAL
                    else symbol_name(name),
                    duel_draw.cell_sentence(view, (row, column), is_cut_off=(row, column) in apart),
                    dark=(row, column) in apart,
                )
                for (row, column), name in view.board.items()
            ],
            [(column, row) for row, column in view.open_cells],
            True,
        ),
        "hand": None if seat is None else hand(view.hand, duel_words.card_title, duel_draw.card_sentence),
        "hands": None,
        "roles": None,
        "seats": [
            {
                "seat": other,
                "cards": view.hand_sizes[other],
                "gold": NOT_COUNTED,
                "broken": [],
                "looked": list(duel_draw.looked_goals(view, other)),
                "claims": {},
                "malus": view.malus[other],
                "words": without_seat(duel_draw.seat_sentence(view, other)),
            }
            for other in (0, 1)
        ],
        "tools": [],
        "goals": goals_of(view, goals, view.revealed, duel_draw.goal_sentence),
        "moves": [
            move(text, told := _across(duel_words.take_apart(text)), duel_words.move_words(text, names, seat), goals)
            | ({"seat": seat if told.card == "bonus" else 1 - view.seat, "tool": None} if told.kind == ALONE else {})
            for text in (action.text for action in legal)
        ],
        "notice": None,
    }


def open_up(found: Position, state: Any, views: Sequence[View]) -> None:
    """Turn all cards of a public position up, from the truth and the views of both seats."""
    found["hands"] = [hand(view.hand, duel_words.card_title, duel_draw.card_sentence) for view in views]
    turn_up(found, [CONTENT_NAMES[content] for content in state[0]["goals"]])


def news(event: Event, _: int) -> str | None:
    """What the seat learned alone: what its map showed."""
    return map_news(event, duel_words.CONTENT_WORDS)


def _across(told: Move) -> Move:
    """A move of the duel with its cell as x,y."""
    row, comma, column = told.cell.partition(",")
    return replace(told, cell=f"{column}{comma}{row}")
