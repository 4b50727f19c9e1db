"""Saboteur and the duel as a page shows them: a view, and what may be done, as plain values.

Everything is made from one seat's view (or the public one), so a page cannot be sent more than its seat knows. Cells are x to the
right and y downwards; the duel's row is y, its column x.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from molehunt.core.game import Game
from molehunt.games.duel.draw import wording as duel_draw
from molehunt.games.duel.friendly import View as DuelView
from molehunt.games.saboteur.draw import wording as saboteur_draw
from molehunt.games.saboteur.friendly import View as SaboteurView
from molehunt.games.tunnels.wording import capital
from molehunt.table import duel_words, saboteur_words
from molehunt.table.tunnel_words import AIM, ALONE, CLAIM, DISCARD, LAY, LOOK, REMOVE, Move
from molehunt.table.web.sprite import symbol_name

Position = dict[str, Any]
_KINDS = {LAY: "lay", REMOVE: "clear", LOOK: "look", CLAIM: "claim", AIM: "seat", ALONE: "seat", DISCARD: "discard"}
_NOT_COUNTED = -1
_SEEN = {"gold": "gold", "rock1": "stone", "rock2": "stone", "nugget": "gold", "blank": "stone"}
"""What a goal is known to be, as a page names it."""


def saboteur_position(view: SaboteurView, names: Sequence[str], moves: Iterable[str] = ()) -> Position:
    """A view of Saboteur; `moves` are the legal moves in notation, where the seat is to move."""
    rules = view.game.rules
    seat = view.seat if view.seat >= 0 else None
    goals = saboteur_draw.goal_places(rules)
    return {
        "headline": _headline(view.to_move, seat, names, saboteur_draw.claim_due(view)),
        "lines": _saboteur_lines(view, names),
        "board": _board(
            saboteur_draw.columns_and_rows(view),
            [
                _cell(
                    (x, y),
                    symbol_name(name, turned)
                    if name != saboteur_draw.FACE_DOWN
                    else _back(view.goals[goals[x, y]], {"gold": "gold", "rock1": "stone", "rock2": "stone"}),
                    saboteur_draw.cell_sentence(view, (x, y)),
                )
                for (x, y), (name, turned) in view.board.items()
            ],
            view.reachable,
            rules.is_open,
        ),
        "hand": None if seat is None else _hand(view.hand, saboteur_words.card_title, saboteur_draw.card_sentence),
        "hands": None,
        "roles": list(view.past_roles[-1]) if view.to_move is None and view.past_roles else None,
        "seats": [
            {
                "seat": other,
                "cards": view.hand_sizes[other],
                "gold": view.nuggets[other] if saboteur_draw.gold_is_counted(rules) else _NOT_COUNTED,
                "broken": list(saboteur_draw.broken_tools(view, other)),
                "looked": list(saboteur_draw.looked_goals(view, other)),
                "claims": view.claims[other],
                "malus": 0,
                "words": _without_seat(saboteur_draw.seat_sentence(view, other)),
            }
            for other in range(view.seats)
        ],
        "tools": list(saboteur_draw.tools_in_play(rules)),
        "goals": [
            {
                "place": place,
                "x": x,
                "y": y,
                "known": _SEEN.get(view.goals[place] or ""),
                "open": place in view.face_up,
                "words": saboteur_draw.goal_sentence(view, place),
            }
            for (x, y), place in goals.items()
        ],
        "moves": [
            _move(text, told := saboteur_words.take_apart(text), saboteur_words.move_words(text, names, seat), goals)
            | ({"seat": told.target, "tool": told.tool or None} if told.kind == AIM else {})
            for text in moves
        ],
        "notice": None,
    }


def duel_position(view: DuelView, names: Sequence[str], moves: Iterable[str] = ()) -> Position:
    """A view of the duel; `moves` are the legal moves in notation, where the seat is to move."""
    seat = view.seat if view.seat >= 0 else None
    apart = duel_draw.cut_off(view)
    columns, rows = duel_draw.columns_and_rows(view)
    goals = {(column, row): place for (row, column), place in duel_draw.GOALS.items()}
    return {
        "headline": _headline(view.to_move, seat, names, None),
        "lines": [f"Turn {view.turn}", f"{_counted(view.deck_left, 'card')} in the deck"],
        "board": _board(
            (columns, rows),
            [
                _cell(
                    (column, row),
                    _back(view.goals[duel_draw.GOALS[row, column]], {"nugget": "nugget", "blank": "blank"})
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
        "hand": None if seat is None else _hand(view.hand, duel_words.card_title, duel_draw.card_sentence),
        "hands": None,
        "roles": None,
        "seats": [
            {
                "seat": other,
                "cards": view.hand_sizes[other],
                "gold": _NOT_COUNTED,
                "broken": [],
                "looked": list(duel_draw.looked_goals(view, other)),
                "claims": {},
                "malus": view.malus[other],
                "words": _without_seat(duel_draw.seat_sentence(view, other)),
            }
            for other in (0, 1)
        ],
        "tools": [],
        "goals": [
            {
                "place": place,
                "x": x,
                "y": y,
                "known": _SEEN.get(view.goals[place] or ""),
                "open": place in view.revealed,
                "words": duel_draw.goal_sentence(view, place),
            }
            for (x, y), place in goals.items()
        ],
        "moves": [
            _move(text, told := _across(duel_words.take_apart(text)), duel_words.move_words(text, names, seat), goals)
            | ({"seat": seat if told.card == "bonus" else 1 - view.seat, "tool": None} if told.kind == ALONE else {})
            for text in moves
        ],
        "notice": None,
    }


def open_hands(game: Game, views: Sequence[Any]) -> list[list[dict[str, str]]]:
    """The hands of all seats, from the views of all: for replays, in which all cards lie open."""
    if game.name == "saboteur":
        return [_hand(view.hand, saboteur_words.card_title, saboteur_draw.card_sentence) for view in views]
    return [_hand(view.hand, duel_words.card_title, duel_draw.card_sentence) for view in views]


def show_goals(found: Position, contents: Sequence[str]) -> None:
    """Turn the goals of a position up: "gold" or "stone" for each."""
    cells = {(cell["x"], cell["y"]): cell for cell in found["board"]["cells"]}
    duel = not found["tools"]
    for goal, content in zip(found["goals"], contents, strict=True):
        cell = cells[goal["x"], goal["y"]]
        if not goal["open"]:
            cell["symbol"] = _back(
                content, {"gold": "nugget", "stone": "blank"} if duel else {"gold": "gold", "stone": "stone"}
            )
            cell["words"] = f"the {goal['place']} goal, face down: {content}"
        goal["known"] = content


def _saboteur_lines(view: SaboteurView, names: Sequence[str]) -> list[str]:
    you = [f"You are a {view.role}"] if view.seat >= 0 else []
    past = [
        f"Round {number}: {', '.join(names[seat] for seat, role in enumerate(roles) if role == 'saboteur') or 'nobody'} "
        "dug for the saboteurs"
        for number, roles in enumerate(view.past_roles, 1)
    ]
    return [
        capital(saboteur_draw.turn_sentence(view)),
        *you,
        capital(saboteur_draw.saboteurs_sentence(view)),
        f"{_counted(view.deck_left, 'card')} in the deck",
        *past,
    ]


def _headline(to_move: int | None, seat: int | None, names: Sequence[str], claim: str | None) -> str:
    if to_move is None:
        return "The game is over"
    if claim:
        return (
            f"Say what you saw on the {claim} goal"
            if to_move == seat
            else f"{names[to_move]} is about to say what was seen"
        )
    return "Your move" if to_move == seat else f"{names[to_move]} is to move"


def _board(
    extent: tuple[range, range], cells: list[Position], reachable: Iterable[tuple[int, int]], is_open: bool
) -> Position:
    columns, rows = extent
    return {
        "left": columns[0],
        "top": rows[0],
        "right": columns[-1],
        "bottom": rows[-1],
        "open": is_open,
        "cells": cells,
        "reachable": sorted(reachable),
    }


def _cell(cell: tuple[int, int], symbol: str, words: str, dark: bool = False) -> Position:
    return {"x": cell[0], "y": cell[1], "symbol": symbol, "words": words, "dark": dark}


def _back(seen: str | None, words: dict[str, str]) -> str:
    """The symbol of a goal that lies face down, with what the viewer saw on it."""
    return symbol_name(f"goal-{words[seen]}" if seen else "goal")


def _hand(cards: Iterable[str], title: Any, sentence: Any) -> list[dict[str, str]]:
    return [
        {"card": card, "symbol": symbol_name(card), "name": title(card), "words": capital(sentence(card))}
        for card in cards
    ]


def _move(text: str, told: Move, words: str, goals: dict[tuple[int, int], str]) -> Position:
    """A legal move as a page needs it to light up what can be chosen. A cell is x,y."""
    found: Position = {"move": text, "card": told.card or None, "kind": _KINDS[told.kind], "words": words}
    if told.kind in (LAY, REMOVE):
        x, y = told.cell.split(",")
        found |= {"x": int(x), "y": int(y)}
    if told.kind == LAY:
        tile = told.card.isdigit()
        name = f"{told.card}_flip" if tile and told.turned else told.card
        found |= {"turned": told.turned, "symbol": symbol_name(name, told.turned and not tile)}
    if told.kind in (LOOK, CLAIM):
        column, row = next(cell for cell, place in goals.items() if place == told.place)
        found |= {"place": told.place, "x": column, "y": row}
    if told.kind == CLAIM:
        found |= {"said": told.said}
    return found


def _across(told: Move) -> Move:
    """A move of the duel with its cell as x,y."""
    row, comma, column = told.cell.partition(",")
    return replace(told, cell=f"{column}{comma}{row}")


def _without_seat(sentence: str) -> str:
    """What is said of a seat, without its number, in whose place the page says the name."""
    return capital(sentence.partition(": ")[2])


def _counted(number: int, one: str) -> str:
    return f"{number} {one}{'s' * (number != 1)}"
