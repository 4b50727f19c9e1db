"""What Saboteur and the duel have in common on a page: the mine, the hand, the goals, and moves that light up.

Cells are x to the right and y downwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from molehunt.core.game import Game
from molehunt.core.language import _
from molehunt.core.places import place_said
from molehunt.core.words import capital
from molehunt.table.tunnel_words import (
    ACCUSE,
    AIM,
    ALONE,
    ASK,
    CLAIM,
    DISCARD,
    LAY,
    LOOK,
    REMOVE,
    Move,
    as_stone,
    plain,
)
from molehunt.web.face import Face
from molehunt.web.frames import Position
from molehunt.web.sprite import sprite, symbol_name

_KINDS = {LAY: "lay", REMOVE: "clear", LOOK: "look", CLAIM: "claim", AIM: "seat", ALONE: "seat", DISCARD: "discard"}
_KINDS |= {ACCUSE: "say", ASK: "say"}
NOT_COUNTED = -1
"""The gold of a seat where it is not counted."""
SEEN = {"gold": "gold", "rock1": "stone", "rock2": "stone", "nugget": "gold", "blank": "stone"}
"""What a goal is known to be, as a page names it."""
_BACKS = {"gold": "gold", "rock1": "stone", "rock2": "stone", "nugget": "nugget", "blank": "blank"}
"""What the symbol of a goal that lies face down says after its name."""


class Lying(msgspec.Struct):
    """What lies on a cell: its symbol, and in words. `dark`: no way from the entrance leads there."""

    x: int
    y: int
    symbol: str
    words: str
    dark: bool = False


class Mine(msgspec.Struct):
    """The mine: the first and last column and row, whether it is open beyond them, what lies there, and the reachable cells."""

    left: int
    top: int
    right: int
    bottom: int
    open: bool
    cells: list[Lying]
    reachable: list[tuple[int, int]]


class Held(msgspec.Struct):
    """A card of a hand: in notation, its symbol, its short name, and in words."""

    card: str
    symbol: str
    name: str
    words: str


class KnownSeat(msgspec.Struct):
    """What is known of a seat.

    Cards in hand, gold (NOT_COUNTED where it is not), broken tools, goals it looked at and what it
    claims of them, maluses in front of it; and all of it in words. `accuses` is the seat that it accuses, `asks` the tools for
    whose repair it has asked. Whose turn it is stands on the page beside the name.
    """

    seat: int
    cards: int
    gold: int | None
    broken: list[str]
    looked: list[str]
    claims: dict[str, str]
    malus: int
    words: str
    accuses: int | None = None
    asks: list[str] = []


class KnownGoal(msgspec.Struct):
    """A goal: its place and cell, what is known of it ("gold", "stone" or None), whether it is revealed, and in words."""

    place: str
    x: int
    y: int
    known: str | None
    open: bool
    words: str


class LitMove(msgspec.Struct, kw_only=True):
    """A legal move as a page needs it to light up what can be chosen: its card, of which kind it is, and in words.

    Only what a kind of move has is sent: the cell of what is laid, cleared or looked at; `turned` and `symbol` of a path card;
    `place` of a goal and what is `said` of it; the `seat` it is aimed at, and the `tool` where there are two to choose from.
    """

    move: str
    card: str | None
    kind: str
    words: str
    x: int | UnsetType = UNSET
    y: int | UnsetType = UNSET
    turned: bool | UnsetType = UNSET
    symbol: str | UnsetType = UNSET
    place: str | UnsetType = UNSET
    said: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    tool: str | UnsetType | None = UNSET


class RoundEnd(msgspec.Struct):
    """The end of a round, as its reader knows it.

    `number` counts rounds from 1, `moves` is how many moves had been made in the game. `team`, "miners" or "saboteurs", has won,
    `reason` is how; `roles` are those of all seats, `gained` what the reader was paid (None for a watcher), `gold` is the place of
    the goal under which the gold lay, and `board` the mine as the round has left it, with what lay under all goals.
    """

    number: int
    moves: int
    team: str
    reason: str
    roles: list[str]
    gained: int | None
    gold: str
    board: Mine


class MinePosition(Position):
    """A position of Saboteur or of the duel. `hand` is None for a watcher; `hands` are those of all seats, once revealed.

    `round` counts from 1; `ended` is the last round that is over, `role` the reader's own in this one.
    """

    board: Mine
    hand: list[Held] | None
    seats: list[KnownSeat]
    tools: list[str]
    goals: list[KnownGoal]
    moves: list[LitMove]
    hands: list[list[Held]] | None = None
    round: int = 1
    role: str = ""
    ended: RoundEnd | None = None

    def keep(self, own: Position) -> None:
        """Keep the seat's own hand."""
        if isinstance(own, MinePosition):
            self.hand, self.role = own.hand, own.role


@dataclass(frozen=True)
class Cards:
    """The cards of a game as people are told of them.

    `title` says a card in short, `sentence` as its drawing does; `contents` names what may lie under a goal, by its number, and
    `content_words` says it.
    """

    title: Callable[[str], str]
    sentence: Callable[[str], str]
    contents: Sequence[str]
    content_words: Mapping[str, str]

    def hand(self, view: Any) -> list[Held]:
        """The hand of a view."""
        return hand(view.hand, self.title, self.sentence)


class MineFace(Face):
    """What the faces of both games share."""

    script = "tunnels.js"
    styles = ("tunnels.css",)
    layout = "stage"

    def __init__(self, game: str, cards: Cards) -> None:
        self.game = game
        self.guide = game
        self.cards = cards

    def sprite(self) -> str:
        """All cards and icons of the game."""
        return sprite(self.game)

    def open_up(self, found: Position, game: Game, state: Any) -> None:
        """Reveal hands and goals."""
        if not isinstance(found, MinePosition):
            return
        views = [game.friendly_view(game.views(state, np.array([seat], np.int8))) for seat in range(game.seats)]
        found.hands = [self.cards.hand(view) for view in views]
        reveal(found, [self.cards.contents[content] for content in state[0]["goals"]])

    def news(self, game: Game, event: Any, seat: int) -> str | None:
        """What the seat learned alone: what its map showed."""
        return map_news(game.friendly_event(event), self.cards.content_words)


def headline(to_move: int | None, seat: int | None, names: Sequence[str], claim: str | None) -> str:
    """Who is to move, as the reader is told."""
    if to_move is None:
        return _("The game is over")
    if claim:
        if to_move == seat:
            return _("Say what you saw on the {place} goal", place=place_said(claim))
        return _("{name} is about to say what was seen", name=names[to_move])
    return _("Your move") if to_move == seat else _("{name} is to move", name=names[to_move])


def board(extent: tuple[range, range], cells: list[Lying], reachable: Iterable[tuple[int, int]], is_open: bool) -> Mine:
    """The mine: how far it goes, what lies there, and which cells are reachable."""
    columns, rows = extent
    return Mine(columns[0], rows[0], columns[-1], rows[-1], is_open, cells, sorted(reachable))


def back(seen: str | None) -> str:
    """The symbol of a goal that lies face down, with what is known of it, as the game names it."""
    return symbol_name(f"goal-{_BACKS[seen]}" if seen else "goal")


def hand(cards: Iterable[str], title: Callable[[str], str], sentence: Callable[[str], str]) -> list[Held]:
    """The cards of a hand."""
    return [Held(card, symbol_name(card), title(card), plain(sentence(card), title(card))) for card in cards]


def goals_of(
    view: Any, goals: Mapping[tuple[int, int], str], revealed: frozenset[str], words: Callable[[Any, str], str]
) -> list[KnownGoal]:
    """What a view knows of each goal, by its cell; `words(view, place)` says it."""
    return [
        KnownGoal(
            place,
            x,
            y,
            SEEN.get(view.goals[place] or ""),
            place in revealed,
            as_stone(words(view, place)),
        )
        for (x, y), place in goals.items()
    ]


def face_down(place: str, cell: tuple[int, int], content: str) -> Lying:
    """A goal that lies face down, with what is known to lie under it, as the game names it."""
    words = _("the {place} goal, face down: {what}", place=place_said(place), what=_(SEEN[content]))
    return Lying(*cell, back(content), words)


def reveal(found: MinePosition, contents: Sequence[str]) -> None:
    """Show what lies under the goals of a position, by their contents as the game names them."""
    cells = {(lying.x, lying.y): lying for lying in found.board.cells}
    for goal, content in zip(found.goals, contents, strict=True):
        if not goal.open:
            shown = face_down(goal.place, (goal.x, goal.y), content)
            lying = cells[goal.x, goal.y]
            lying.symbol, lying.words = shown.symbol, shown.words
        goal.known = SEEN[content]


def map_news(event: Any, words: Mapping[str, str]) -> str | None:
    """What the seat to which an event came saw on its map; `words` are those for what lies under goals."""
    if not event.seen:
        return None
    place = event.move.partition(":")[2]
    return _("You looked at the {place} goal: it is {what}.", place=place_said(place), what=_(words[event.seen]))


def lit_move(text: str, told: Move, words: str, goals: Mapping[tuple[int, int], str]) -> LitMove:
    """A legal move as a page needs it. The cell of `told` is x,y."""
    found = LitMove(move=text, card=told.card or None, kind=_KINDS[told.kind], words=words)
    if told.kind in (LAY, REMOVE):
        x, y = told.cell.split(",")
        found.x, found.y = int(x), int(y)
    if told.kind == LAY:
        tile = told.card.isdigit()
        name = f"{told.card}_flip" if tile and told.turned else told.card
        found.turned = told.turned
        found.symbol = symbol_name(name, told.turned and not tile)
    if told.kind in (LOOK, CLAIM):
        found.x, found.y = next(cell for cell, place in goals.items() if place == told.place)
        found.place = told.place
    if told.kind == CLAIM:
        found.said = told.said
    return found


def without_seat(sentence: str) -> str:
    """What is said of a seat, without its number, in whose place the page says the name."""
    return capital(sentence.partition(": ")[2])
