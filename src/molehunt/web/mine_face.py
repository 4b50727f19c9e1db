"""What Saboteur and the duel have in common on a page: the mine, the hand, the goals, and moves that light up.

Cells are x to the right and y downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from molehunt.games.tunnels.wording import capital
from molehunt.table.tunnel_words import AIM, ALONE, CLAIM, DISCARD, LAY, LOOK, REMOVE, Move
from molehunt.web.sprite import symbol_name

Position = dict[str, Any]
_KINDS = {LAY: "lay", REMOVE: "clear", LOOK: "look", CLAIM: "claim", AIM: "seat", ALONE: "seat", DISCARD: "discard"}
NOT_COUNTED = -1
"""The gold of a seat where it is not counted."""
SEEN = {"gold": "gold", "rock1": "stone", "rock2": "stone", "nugget": "gold", "blank": "stone"}
"""What a goal is known to be, as a page names it."""
_BACKS = {"gold": "gold", "rock1": "stone", "rock2": "stone", "nugget": "nugget", "blank": "blank"}
"""What the symbol of a goal that lies face down says after its name."""


def headline(to_move: int | None, seat: int | None, names: Sequence[str], claim: str | None) -> str:
    """Who is to move, as the reader is told."""
    if to_move is None:
        return "The game is over"
    if claim:
        return (
            f"Say what you saw on the {claim} goal"
            if to_move == seat
            else f"{names[to_move]} is about to say what was seen"
        )
    return "Your move" if to_move == seat else f"{names[to_move]} is to move"


def board(
    extent: tuple[range, range], cells: list[Position], reachable: Iterable[tuple[int, int]], is_open: bool
) -> Position:
    """The mine: how far it goes, what lies there, and which cells are reachable."""
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


def cell(cell: tuple[int, int], symbol: str, words: str, dark: bool = False) -> Position:
    """What lies on a cell."""
    return {"x": cell[0], "y": cell[1], "symbol": symbol, "words": words, "dark": dark}


def back(seen: str | None) -> str:
    """The symbol of a goal that lies face down, with what is known of it, as the game names it."""
    return symbol_name(f"goal-{_BACKS[seen]}" if seen else "goal")


def hand(cards: Iterable[str], title: Any, sentence: Any) -> list[dict[str, str]]:
    """The cards of a hand."""
    return [
        {"card": card, "symbol": symbol_name(card), "name": title(card), "words": capital(sentence(card))}
        for card in cards
    ]


def goals_of(view: Any, goals: Mapping[tuple[int, int], str], open_goals: frozenset[str], words: Any) -> list[Position]:
    """What a view knows of each goal, by its cell; `words(view, place)` says it."""
    return [
        {
            "place": place,
            "x": x,
            "y": y,
            "known": SEEN.get(view.goals[place] or ""),
            "open": place in open_goals,
            "words": words(view, place),
        }
        for (x, y), place in goals.items()
    ]


def turn_up(found: Position, contents: Sequence[str]) -> None:
    """Show what lies under the goals of a position, by their contents as the game names them."""
    cells = {(lying["x"], lying["y"]): lying for lying in found["board"]["cells"]}
    for goal, content in zip(found["goals"], contents, strict=True):
        lying = cells[goal["x"], goal["y"]]
        if not goal["open"]:
            lying["symbol"] = back(content)
            lying["words"] = f"the {goal['place']} goal, face down: {SEEN[content]}"
        goal["known"] = SEEN[content]


def map_news(event: Any, words: Mapping[str, str]) -> str | None:
    """What the seat to which an event came saw on its map; `words` are those for what lies under goals."""
    return f"You looked at the {event.move.partition(':')[2]} goal: it is {words[event.seen]}." if event.seen else None


def move(text: str, told: Move, words: str, goals: dict[tuple[int, int], str]) -> Position:
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


def without_seat(sentence: str) -> str:
    """What is said of a seat, without its number, in whose place the page says the name."""
    return capital(sentence.partition(": ")[2])


def counted(number: int, one: str) -> str:
    """A number of things: "1 card", "12 cards"."""
    return f"{number} {one}{'s' * (number != 1)}"
