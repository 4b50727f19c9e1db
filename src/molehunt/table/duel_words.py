"""The duel in words for people: what happened, what may be done, and the cards. Nothing here knows a screen.

Everything is said from one event, redacted for its reader, or from one move in notation. Cells are row,column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from molehunt.core.errors import BadNotation
from molehunt.core.game import Game
from molehunt.core.language import _, later
from molehunt.core.places import place_said
from molehunt.games.duel.cards import FLIP, tile_shape
from molehunt.games.duel.draw.wording import is_tile
from molehunt.games.duel.friendly import Event
from molehunt.games.duel.notation import EXAMPLES
from molehunt.games.entry import GameWords
from molehunt.table.tunnel_words import (
    ALONE,
    DISCARD,
    HIDDEN,
    LAY,
    LOOK,
    REMOVE,
    Move,
    discards,
    group,
    lays,
    looks,
    sentences,
    told,
    tunnel_title,
)

CONTENT_WORDS = {"nugget": later("the nugget"), "blank": later("blank")}
_MOVE = re.compile(
    rf"drop:(?P<dropped>[^#]+)(?:#\d)?|map:(?P<looked>\w+)|(?P<alone>malus|bonus)|destroy@(?P<destroyed>\d+,\d+)"
    rf"|(?P<laid>\d+)(?P<flipped>{FLIP})?@(?P<cell>\d+,\d+)"
)


def card_title(name: str) -> str:
    """The short name of a card for people: "bend down-right" for tile 5, "malus", "map"."""
    return tunnel_title(*tile_shape(name)) if is_tile(name) else _(name)


def in_a_sentence(name: str) -> str:
    """The same as it stands in a sentence: "destroy card"."""
    return _("destroy card") if name == "destroy" else card_title(name)


def sentence(event: Event, names: Sequence[str], seat: int | None) -> str:
    """What happened, as one sentence or more, with names; `seat` is the reader's, None for a watcher."""

    def did(you: str, other: str, **values: object) -> str:
        return told(you, other, event.seat, names, seat, **values)

    won = "nugget" in event.revealed.values()
    return sentences(
        _deed(event, names, seat),
        *(
            _("the {place} goal is reached: it is {what}", place=place_said(place), what=_(CONTENT_WORDS[content]))
            for place, content in event.revealed.items()
        ),
        did(later("you draw a {card}"), later("{name} draws a {card}"), card=in_a_sentence(event.drew))
        if event.drew
        else "",
        did(later("you win"), later("{name} wins")) if won else "",
    )


def move_words(move: str, names: Sequence[str], seat: int | None) -> str:
    """A legal move of `seat` as an imperative: "Look at the left goal". BadNotation where the text is no move."""
    said = take_apart(move)
    if said.kind == DISCARD:
        return _("Discard the {card}", card=in_a_sentence(said.card))
    if said.kind == LOOK:
        return _("Look at the {place} goal", place=place_said(said.place))
    if said.kind == REMOVE:
        return _("Destroy the tile at {cell}", cell=said.cell)
    if said.kind == LAY:
        # Called as it will lie, and as it is called once it lies there.
        card = card_title(said.card + FLIP * said.turned)
        return _("Lay a {card} at {cell}", card=card, cell=said.cell)
    if said.card == "bonus":
        return _("Play a bonus against a malus")
    if seat is None:
        return _("Lay a malus in front of the other")
    return _("Lay a malus in front of {name}", name=names[1 - seat])


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
    said = take_apart(event.move)

    def did(you: str, other: str, **values: object) -> str:
        return told(you, other, event.seat, names, seat, **values)

    if said.kind == DISCARD:
        return discards(did, None if said.card == HIDDEN else in_a_sentence(said.card))
    if said.kind == LOOK:
        return looks(did, said.place, CONTENT_WORDS[event.seen] if event.seen else None)
    if said.kind == REMOVE:
        card = card_title(event.removed) if event.removed else _("tile")
        return did(
            later("you destroy the {card} at {cell}"),
            later("{name} destroys the {card} at {cell}"),
            card=card,
            cell=said.cell,
        )
    if said.kind == LAY:
        card = card_title(said.card + FLIP * said.turned)
        return lays(did, card, said.cell)
    if said.card == "bonus":
        return did(
            later("you play a bonus and are rid of a malus"), later("{name} plays a bonus and is rid of a malus")
        )
    if 1 - event.seat == seat:
        return _("{name} lays a malus in front of you", name=names[event.seat])
    return did(
        later("you lay a malus in front of {owner}"),
        later("{name} lays a malus in front of {owner}"),
        owner=names[1 - event.seat],
    )


def rules_text(_game: Game) -> str:
    """The rules in short."""
    return "\n".join(
        [
            _(
                "Dig from the entrance (S) to the three goals; under one lies the nugget. Whose tile joins it to the entrance "
                "wins; if all cards are gone first, it is a draw."
            ),
            _(
                "On your turn you play a card or discard one, face down, and draw another. A tile goes on an empty cell, fits all "
                "its neighbours, open to open and wall to wall, and is open to one of them at least; it need not be joined to the "
                "entrance. It may be flipped, which turns it by 180 degrees. In a dead end (x) no tunnel goes on."
            ),
            _(
                "A malus lies in front of the other, who lays no tile until a bonus takes it away. A destroy card takes a tile "
                "away. A map looks at a goal. Cells are row,column."
            ),
        ]
    )


_ALONE = re.compile(r"(?<![\w“])(?<!\ba )(?<!\bthe )(?<!\bmore )(?:malus|bonus)(?![\w-])")
"""A card that is a move by itself; in sentences the word has an article."""

WORDS = GameWords(sentence, move_words, lambda move: group(take_apart(move).kind), lambda _game: _ALONE)
