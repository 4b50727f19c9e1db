"""The duel in words for people: what happened, what may be done, and the cards. Nothing here knows a screen.

Everything is said from one event, redacted for its reader, or from one move in notation. Cells are row,column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from molehunt.core.errors import BadNotation
from molehunt.games.duel.cards import FLIP, tile_shape
from molehunt.games.duel.draw.wording import is_tile
from molehunt.games.duel.friendly import Event
from molehunt.games.duel.notation import EXAMPLES
from molehunt.games.entry import GameWords
from molehunt.table.tunnel_words import (
    ALONE,
    DISCARD,
    GROUPS,
    HIDDEN,
    LAY,
    LOOK,
    REMOVE,
    Move,
    does,
    name_of,
    sentences,
    tunnel_title,
)

CONTENT_WORDS = {"nugget": "the nugget", "blank": "blank"}
_MOVE = re.compile(
    rf"drop:(?P<dropped>[^#]+)(?:#\d)?|map:(?P<looked>\w+)|(?P<alone>malus|bonus)|destroy@(?P<destroyed>\d+,\d+)"
    rf"|(?P<laid>\d+)(?P<flipped>{FLIP})?@(?P<cell>\d+,\d+)"
)


def card_title(name: str) -> str:
    """The short name of a card for people: "bend down-right" for tile 5, "malus", "map"."""
    return tunnel_title(*tile_shape(name)) if is_tile(name) else name


def in_a_sentence(name: str) -> str:
    """The same as it stands in a sentence: "destroy card"."""
    return f"{name} card" if name == "destroy" else card_title(name)


def sentence(event: Event, names: Sequence[str], seat: int | None) -> str:
    """What happened, as one sentence or more, with names; `seat` is the reader's, None for a watcher."""
    return sentences(
        _deed(event, names, seat),
        *(f"the {place} goal is reached: it is {CONTENT_WORDS[content]}" for place, content in event.revealed.items()),
        f"{does(event.seat, 'draws', names, seat)} a {in_a_sentence(event.drew)}" if event.drew else "",
        does(event.seat, "wins", names, seat) if "nugget" in event.revealed.values() else "",
    )


def move_words(move: str, names: Sequence[str], seat: int | None) -> str:
    """A legal move of `seat` as an imperative: "Look at the left goal". BadNotation where the text is no move."""
    told = take_apart(move)
    if told.kind == DISCARD:
        return f"Discard the {in_a_sentence(told.card)}"
    if told.kind == LOOK:
        return f"Look at the {told.place} goal"
    if told.kind == REMOVE:
        return f"Destroy the tile at {told.cell}"
    if told.kind == LAY:
        return f"Lay a {card_title(told.card)} at {told.cell}{', flipped' * told.turned}"
    if told.card == "bonus":
        return "Play a bonus against a malus"
    return f"Lay a malus in front of {'the other' if seat is None else names[1 - seat]}"


def take_apart(move: str) -> Move:
    """The parts of a move in notation; BadNotation where the text is no move."""
    match = _MOVE.fullmatch(move)
    if match is None:
        raise BadNotation(f"{move!r:.60} is not a move; moves look like {EXAMPLES}")
    if match["dropped"]:
        return Move(DISCARD, match["dropped"])
    if match["looked"]:
        return Move(LOOK, "map", place=match["looked"])
    if match["destroyed"]:
        return Move(REMOVE, "destroy", match["destroyed"])
    if match["laid"]:
        return Move(LAY, match["laid"], match["cell"], bool(match["flipped"]))
    return Move(ALONE, match["alone"])


def _deed(event: Event, names: Sequence[str], seat: int | None) -> str:
    """What the mover did."""
    told = take_apart(event.move)

    def mover(verb: str) -> str:
        return does(event.seat, verb, names, seat)

    if told.kind == DISCARD:
        return f"{mover('discards')} {'a card' if told.card == HIDDEN else f'the {in_a_sentence(told.card)}'}"
    if told.kind == LOOK:
        seen = f": it is {CONTENT_WORDS[event.seen]}" if event.seen else ""
        return f"{mover('looks')} at the {told.place} goal{seen}"
    if told.kind == REMOVE:
        return f"{mover('destroys')} the {card_title(event.removed or 'tile')} at {told.cell}"
    if told.kind == LAY:
        return f"{mover('lays')} a {card_title(told.card + FLIP * told.turned)} at {told.cell}"
    if told.card == "bonus":
        return f"{mover('plays')} a bonus and {'are' if event.seat == seat else 'is'} rid of a malus"
    return f"{mover('lays')} a malus in front of {name_of(1 - event.seat, names, seat)}"


RULES = """\
Dig from the entrance (S) to the three goals; under one lies the nugget. Whose tile joins it to the entrance wins; if all \
cards are gone first, it is a draw.
On your turn you play a card or discard one, face down, and draw another. A tile goes on an empty cell, fits all its \
neighbours, open to open and wall to wall, and is open to one of them at least; it need not be joined to the entrance. It may be \
flipped, which turns it by 180 degrees. In a dead end (x) no tunnel goes on.
A malus lies in front of the other, who lays no tile until a bonus takes it away. A destroy card takes a tile away. A map looks \
at a goal. Cells are row,column."""
WORDS = GameWords(sentence, move_words, lambda move: GROUPS[take_apart(move).kind])
