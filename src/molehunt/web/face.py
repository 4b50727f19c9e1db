"""How a game is shown on pages. `Face` does for any game: its drawing, its moves as buttons, what happened in its words.

A game with a board of its own has a subclass, whose instance its entry names. Whatever a face makes is made from one seat's view
(or the public one), so a page cannot be sent more than its seat knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from molehunt.core.game import Game, LegalActions, Outcome, States, Views
from molehunt.core.language import _
from molehunt.core.panels import named
from molehunt.core.words import as_sentence, capital
from molehunt.games.entry import GameWords
from molehunt.games.registry import game_entry
from molehunt.table.game_words import first_word
from molehunt.web.frames import Position


@dataclass(frozen=True)
class Shown:
    """What a page is to show: a view, an array of one record, with the names of those who sit there and the seat to move.

    `moves`: with the legal moves of the view's seat. Without `drawn` the game's drawing is left out; a board of one's own is
    always there.
    """

    view: Views
    names: Sequence[str]
    to_move: int | None
    moves: bool = True
    drawn: bool = True

    def legal(self, game: Game) -> LegalActions:
        """The moves that are offered."""
        return game.legal_actions(self.view) if self.moves else LegalActions(game, np.empty(0, np.int32))


class OfferedMove(msgspec.Struct):
    """A legal move: in notation, and as an imperative."""

    move: str
    words: str


class MoveGroup(msgspec.Struct):
    """Legal moves that are offered under one heading."""

    title: str
    moves: list[OfferedMove]


class DrawnPosition(Position):
    """A position as the game draws it: `drawing` is the SVG, `text` the same in words or signs; `groups` are the legal moves.

    Elements of the drawing may say which moves they offer (`data-moves`, notations of moves, one a line). Where all cards are
    revealed, `drawings` are those of all seats. Both are None in a replay whose page asks for each drawing when it is looked at.
    """

    drawing: str | None
    text: str
    groups: list[MoveGroup]
    drawings: list[str] | None = None

    def keep(self, own: Position) -> None:
        """Keep the seat's own drawing as the large one."""
        if isinstance(own, DrawnPosition):
            self.drawing, self.text = own.drawing, own.text


class Example(msgspec.Struct, frozen=True):
    """A card as the rules show it: its symbol in the sprite, its name, and what it does."""

    symbol: str
    name: str
    words: str


class Face:
    """One game on a page. `script` is the module that draws its board, `styles` are further style sheets, both of `static/`.

    `layout` is what the style sheets call a page with such a board: with a "stage" the board has a fixed place, which fills the
    screen beside what belongs to it; a "flow" is as long as it is.
    `guide` is the template of `templates/guides/` that says how to play; where there is none, the page shows the rules as the
    game's entry gives them. `phrases` are what people say at its tables at a click, beside what they say anywhere; `examples` are
    the kinds of cards, as the rules show them.
    """

    script = "drawing.js"
    styles: tuple[str, ...] = ()
    layout = "flow"
    guide = ""
    phrases: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()

    def sprite(self) -> str:
        """All cards of the game as one hidden SVG, "" where the board needs none."""
        return ""

    def position(self, game: Game, shown: Shown) -> Position:
        """A view as a page shows it."""
        legal = shown.legal(game)
        return DrawnPosition(
            headline=_headline(shown.names, shown.to_move, mine=bool(legal)),
            lines=[],
            drawing=game.draw_svg(shown.view) if shown.drawn else None,
            text=named(game.draw_text(shown.view), shown.names),
            groups=self.groups(game, legal, shown.names, shown.to_move),
        )

    def open_view(self, game: Game, state: Any) -> Any:
        """The public view of the truth, an array of one state, of which `open_up` reveals the rest."""
        return game.public_view(state)

    def open_up(self, found: Position, game: Game, state: Any) -> None:
        """Reveal all that is hidden in a public position, from the truth: an array of one state."""
        if isinstance(found, DrawnPosition) and found.drawing is not None:
            seats = range(game.seats)
            found.drawings = [game.draw_svg(game.views(state, np.array([seat], np.int8))) for seat in seats]
        if game.roles:
            found.roles = [game.roles[role] for role in game.roles_of(state)[0]]

    def words(self, game: Game) -> GameWords | None:
        """The game in words, as its entry names them; None where it has its notation alone."""
        found: GameWords | None = game_entry(game.name).get("words")
        return found

    def groups(self, game: Game, legal: LegalActions, names: Sequence[str], seat: int | None) -> list[MoveGroup]:
        """Legal moves under headings, in the order in which the game lists them."""
        words = self.words(game)
        moves = [action.text for action in legal]
        heading: Callable[[str], str] = first_word if words is None else words.group
        titles = [heading(move) for move in moves]
        if words is None and len(set(titles)) == len(moves):
            titles = [_("Moves")] * len(moves)
        groups: dict[str, list[OfferedMove]] = {}
        for title, move in zip(titles, moves, strict=True):
            groups.setdefault(title, []).append(OfferedMove(move, self.move_words(game, move, names, seat)))
        return [MoveGroup(title, offered) for title, offered in groups.items()]

    def sentence(self, game: Game, event: Any, names: Sequence[str], seat: int | None) -> str:
        """One event, as its reader received it, in words; `seat` is the reader's, None for a watcher."""
        words = self.words(game)
        if words is None:
            return as_sentence(named(game.format_event(event), names))
        return words.sentence(game.friendly_event(event), names, seat)

    def told_openly(self, game: Game, events: Any, names: Sequence[str]) -> str:
        """A move where all cards lie open, in words; `events`, of shape (seats,), are what all learned of it.

        The mover's own event tells most. In a game without words it may speak to the mover: it is told as what the mover heard.
        """
        mover = int(events[0]["seat"])
        if self.words(game) is not None:
            return self.sentence(game, events[mover], names, None)
        told, own = (named(game.format_event(event), names) for event in (game.public_event(events), events[mover]))
        alone = own.removeprefix(told).strip(" ,;:.")
        if not alone:
            return as_sentence(told)
        return _(
            "{sentence} {name} alone is told: “{told}”.", sentence=as_sentence(told), name=names[mover], told=alone
        )

    def move_words(self, game: Game, move: str, names: Sequence[str], seat: int | None) -> str:
        """A move in notation as an imperative."""
        words = self.words(game)
        return capital(named(move, names)) if words is None else words.move(move, names, seat)

    def news(self, game: Game, event: Any, seat: int) -> str | None:
        """What the seat to which an event came learned alone, None where all of it is in the log."""
        return None

    def tell_rounds(
        self, found: Position, game: Game, events: Sequence[Any], seat: int | None, as_left: Callable[[int], States]
    ) -> None:
        """Add to a position how the last of several rounds has ended, from the events, of shape (seats,) each; `seat` reads it.

        `as_left(move)` is the state, an array of one, before the move with which a round has ended, counted from 1.
        """

    def ends_round(self, events: Any) -> bool:
        """Whether a round has ended with a move; `events`, of shape (seats,), are what all learned of it."""
        return False

    def rounds(
        self, game: Game, events: Sequence[Any], state: Any, outcome: Outcome
    ) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
        """The rounds of a game that is over, of which `state`, an array of one, is the end: (roles by seat, the seats that won).

        Empty where the game has no roles.
        """
        if not game.roles:
            return []
        return [(tuple(game.roles[role] for role in game.roles_of(state)[0]), outcome.winners)]

    def is_most(self, outcome: Outcome) -> bool:
        """Whether the winners are those who have most of something of which others have some, too."""
        return False


def _headline(names: Sequence[str], to_move: int | None, mine: bool) -> str:
    """Who is to move, as the reader is told."""
    if to_move is None:
        return _("The game is over")
    return _("Your move") if mine else _("{name} is to move", name=names[to_move])
