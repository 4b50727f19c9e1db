"""A person plays Saboteur or the duel in a terminal or through a pipe: what both games share, prompt by prompt.

The table sees a `Place`, the person's own seat, and so can say nothing that the person may not know.
"""

from __future__ import annotations

import abc
import textwrap
from collections.abc import Sequence

from rich.text import Text

from molehunt.core.errors import BadInput
from molehunt.core.game import Action
from molehunt.core.language import ENGLISH, _, language, later
from molehunt.games.tunnels.as_text import CELL_LINES, hand_lines, part_in_sight, without_gaps
from molehunt.table.people import YOU
from molehunt.table.session import Place
from molehunt.table.tunnel_words import Move, plain
from molehunt.terminal.colours import coloured
from molehunt.terminal.general import INDENT, GameTable
from molehunt.terminal.tunnel_moves import Choice

HELP = later("""\
2 at 3,1              lay your card 2 there
2 at 3,1 turned       ... the other way up
{aims}
discard 2             discard your card 2, face down
moves, moves 2, m7    all your moves; those of your card 2; play the seventh
board, hand, seats    what lies there; your cards; who has what
words                 the mine and your cards in words, line by line
log, log all          the last moves; all moves
rules, help, quit
Cards may be named (map, crossing), and notation will do: {notation}.""")


class TunnelTable(GameTable, abc.ABC):
    """A game of tunnels at one person's place: cards are played by their numbers; `practice` is None where it is none."""

    aims: str
    notation: str
    places: Sequence[str]
    commands = ("board", "hand", "words", "moves", "seats", "log", "rules", "help")
    speaks = False
    """Whether something may be said before a card."""

    # --- What the two games say differently -----------------------------------------------------------------------------

    def aims_said(self) -> str:
        """What `help` says of cards that are no tunnels, and of what may be said, under the rules of this table."""
        return _(self.aims)

    @abc.abstractmethod
    def take_apart(self, move: str) -> Move:
        """A move's parts."""

    @abc.abstractmethod
    def title(self, card: str) -> str:
        """A card's short name."""

    def plain(self, card: str) -> str:
        """A card without a picture as the hand names it: in English by its notation, which is short; else in words."""
        return card if language() == ENGLISH else self.title(card)

    @abc.abstractmethod
    def obstacle(self, card: str) -> str:
        """Why a card of the hand cannot be played now."""

    @abc.abstractmethod
    def label(self, number: int, card: str) -> str:
        """What stands below the picture of a card of the hand."""

    @abc.abstractmethod
    def picture(self, card: str) -> list[str] | None:
        """A card as lines, None where it has no tunnel."""

    @abc.abstractmethod
    def mine_lines(self) -> list[str]:
        """The mine, drawn."""

    @abc.abstractmethod
    def spoken(self, card: str) -> str:
        """A card in words, as drawings say it."""

    @abc.abstractmethod
    def cell_sentences(self) -> list[str]:
        """What lies in the mine, cell by cell, as drawings say it."""

    @abc.abstractmethod
    def key_lines(self) -> list[str]:
        """What the marks of the drawing say."""

    @abc.abstractmethod
    def seat_lines(self) -> list[str]:
        """Who has what, and what is known of the goals."""

    # --- The game -------------------------------------------------------------------------------------------------------

    def board_lines(self) -> list[str]:
        """The mine whole. What does not fit on the screen is drawn low and stands last, its columns in sight with the question."""
        mine, key = self.mine_lines(), self.key_lines()
        room = self.room_for(self.due() or self.turn_line())
        if not self.prompter.console.is_terminal or len(mine) + 1 + len(key) <= room:
            return [*mine, "", *key]
        low = without_gaps(mine)
        return [*key, "", *low, *([mine[0]] if len(low) > room and self.is_one_strip(mine) else [])]

    def show_turn(self) -> None:
        """What changes most stands last, so that a low terminal still shows the mine, the hand and the question."""
        self.tell_seats()
        self.tell_lines([*self.key_lines(), ""])
        mine, hand = self.mine_lines(), self.hand_lines()
        room = self.room_for(self.turn_line())
        if self.prompter.console.is_terminal and len(mine) + 1 + len(hand) > room:
            low = without_gaps(mine)
            if len(low) + len(hand) > room:
                hand = self.hand_lines(pictures=False)
            if len(low) + len(hand) > room and self.is_one_strip(mine):
                low, (first, last) = part_in_sight(mine, room - len(hand) - 1)
                self.prompter.say(_("Rows {first} to {last}; board shows the whole mine.", first=first, last=last))
            self.tell_lines([*low, *hand])
        else:
            self.tell_lines([*mine, "", *hand])

    def room_for(self, question: str) -> int:
        """How many lines the screen has above what is asked, which is told in `question`."""
        console = self.prompter.console
        return console.height - len(textwrap.wrap(question, console.width)) - 1

    @staticmethod
    def is_one_strip(mine: list[str]) -> bool:
        """Whether a mine is drawn side by side, and not in strips one below the other, each with its columns."""
        return len(mine) % CELL_LINES == 1 and all(line.strip() for line in mine[2::CELL_LINES])

    def asking(self, due: str) -> tuple[str, str]:
        if due:
            return _("your claim"), _("Write gold or stone.")
        return _("your move"), _("Write a move, as 2 at 3,1; moves lists them, help says more.")

    def offers(self) -> list[str]:
        return [
            "discard",
            *self.places,
            *(name for name in self.place.names if name != self.place.names[self.place.seat]),
        ]

    def find(self, line: str) -> Action | str:
        return self.choice().find(line)

    def choice(self) -> Choice:
        """What the person may choose from now."""
        place = self.place
        return Choice(
            game=place.game,
            legal=self.legal(),
            hand=place.view.hand,
            names=place.names,
            seat=place.seat,
            places=self.places,
            take_apart=self.take_apart,
            title=self.title,
            words=self.words,
            obstacle=self.obstacle,
            speaks=self.speaks,
        )

    def painted(self, line: str) -> Text:
        return coloured(line)

    # --- What can be looked at at any prompt ----------------------------------------------------------------------------

    def tell_seats(self) -> None:
        """Who has what, and what is known of the goals."""
        self.tell_lines(["", *self.seat_lines(), ""])

    def tell_hand(self) -> None:
        """The person's cards, numbered."""
        self.tell_lines(self.hand_lines())

    def tell_words(self) -> None:
        """The mine and the person's cards without a drawing, for those who hear the terminal."""
        for said in self.cell_sentences():
            self.say(plain(said))
        for number, card in enumerate(self.place.view.hand, 1):
            self.say(f"{number} {plain(self.spoken(card), self.title(card))}")

    def hand_lines(self, pictures: bool = True) -> list[str]:
        """The person's cards, numbered, drawn or by their names alone."""
        cards = self.place.view.hand
        if not pictures:
            names = [
                f"{number} {self.plain(card) if self.picture(card) is None else self.title(card)}"
                for number, card in enumerate(cards, 1)
            ]
            return hand_lines(names, lambda _name: None, self.width, (_("hand"), _("empty")))
        labels = {self.label(number, card): card for number, card in enumerate(cards, 1)}
        return hand_lines(list(labels), lambda label: self.picture(labels[label]), self.width, (_("hand"), _("empty")))

    def tell_moves(self, rest: str = "") -> None:
        """The legal moves, numbered; only those of one card where it is named."""
        choice = self.choice()
        numbers = list(range(1, len(choice.legal) + 1))
        if rest:
            try:
                numbers = choice.of_card(choice.card(rest.lower()))
            except BadInput as error:
                self.prompter.complain(error)
                return
        for number in numbers:
            self.say(f"{f'm{number}':<{INDENT - 1}} {self.words(str(choice.legal[number - 1]))}", indent=INDENT)

    def help_text(self) -> str:
        return _(HELP, aims=self.aims_said(), notation=_(self.notation))


def in_columns(rows: list[list[str]]) -> list[str]:
    """Rows of words as lines, every column as wide as its widest word."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def seat_name(seat: int, place: Place, to_move: int | None) -> str:
    """A seat at the beginning of its line, with its number, which notation and reasons name; marked where it is to move."""
    you = f" ({_('you')})" if seat == place.seat and place.names[seat] not in {YOU, _(YOU)} else ""
    return f"{'>' if seat == to_move else ' '} {seat} {place.names[seat]}{you}"
