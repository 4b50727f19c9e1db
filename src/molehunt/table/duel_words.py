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
from molehunt.table.tunnel_words import does, name_of, sentences, tunnel_title

HIDDEN = "?"
CONTENT_WORDS = {"nugget": "the nugget", "blank": "blank"}
_MOVE = re.compile(
    rf"drop:(?P<dropped>.+)|map:(?P<looked>\w+)|(?P<alone>malus|bonus)|destroy@(?P<destroyed>\d+,\d+)"
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
    told = _read(move)
    if told["dropped"]:
        return f"Throw away the {in_a_sentence(told['dropped'])}"
    if told["looked"]:
        return f"Look at the {told['looked']} goal"
    if told["destroyed"]:
        return f"Destroy the tile at {told['destroyed']}"
    if told["laid"]:
        return f"Lay a {card_title(told['laid'])} at {told['cell']}{', flipped' * bool(told['flipped'])}"
    if told["alone"] == "bonus":
        return "Play a bonus against a malus"
    return f"Lay a malus in front of {'the other' if seat is None else names[1 - seat]}"


def _deed(event: Event, names: Sequence[str], seat: int | None) -> str:
    """What the mover did."""
    told = _read(event.move)
    mover = event.seat

    def does_(verb: str) -> str:
        return does(mover, verb, names, seat)

    if told["dropped"]:
        card = "a card" if told["dropped"] == HIDDEN else f"the {in_a_sentence(told['dropped'])}"
        return f"{does_('discards')} {card}"
    if told["looked"]:
        seen = f": it is {CONTENT_WORDS[event.seen]}" if event.seen else ""
        return f"{does_('looks')} at the {told['looked']} goal{seen}"
    if told["destroyed"]:
        return f"{does_('destroys')} the {card_title(event.removed or 'tile')} at {told['destroyed']}"
    if told["laid"]:
        return f"{does_('lays')} a {card_title(told['laid'] + told['flipped'])} at {told['cell']}"
    if told["alone"] == "bonus":
        return f"{does_('plays')} a bonus and {'are' if mover == seat else 'is'} rid of a malus"
    return f"{does_('lays')} a malus in front of {name_of(1 - mover, names, seat)}"


def _read(move: str) -> dict[str, str]:
    """The parts of a move in notation, empty where it has none of the kind."""
    match = _MOVE.fullmatch(move)
    if match is None:
        raise BadNotation(f"{move!r:.60} is not a move; moves look like {EXAMPLES}")
    return {part: value or "" for part, value in match.groupdict().items()}
