"""A person plays Saboteur or the duel in a terminal or through a pipe: what both games share, prompt by prompt.

The table sees a `Place`, the person's own seat, and so can say nothing that the person may not know.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any

from molehunt.core.errors import BadInput, IllegalAction
from molehunt.core.game import Action
from molehunt.games.tunnels.as_text import hand_lines
from molehunt.table.session import Place
from molehunt.table.tunnel_words import Move
from molehunt.terminal.practice import Practice, PracticeCommands, TakenBack
from molehunt.terminal.prompts import Prompter
from molehunt.terminal.sitting import LAST_MOVES, YOU, nothing
from molehunt.terminal.tunnel_moves import Choice

INDENT = 6
"""Where the moves of a list go on."""
PLAIN = str.maketrans("─┄━│┆┃╭╮╰╯┏┓┗┛·", "-=-|:|++++++++.")
"""Walls and marks of a drawing as a terminal shows them that knows ASCII alone."""
LAST = 20
"""So many moves does `log` tell."""
RECAP = 5
"""So many moves are told where a game is gone on with."""
HELP_WIDTH = 22

HELP = """\
2 at 3,1              lay your card 2 there
2 at 3,1 turned       ... the other way up
{aims}
discard 2             throw your card 2 away
moves, moves 2, m7    all your moves; those of your card 2; play the seventh
board, hand, seats    what lies there; your cards; who has what
log, log all          the last moves; all moves
rules, help, quit
Cards may be named (map, crossing), and notation will do: {notation}."""


class TunnelTable(abc.ABC):
    """The game at one person's place; `practice` is None where it is no practice game."""

    aims: str
    notation: str
    places: Sequence[str]

    def __init__(self, place: Place, prompter: Prompter, practice: Practice | None = None) -> None:
        self.place = place
        self.prompter = prompter
        self.say = prompter.say
        self.told: list[str] = []
        prompter.commands |= {
            "board": self.tell_board,
            "hand": self.tell_hand,
            "moves": self.tell_moves,
            "seats": self.tell_seats,
            "log": self.tell_log,
            "rules": self.tell_rules,
            "help": self.tell_help,
        }
        prompter.with_rest |= {"moves": self.tell_moves, "log": self.tell_log}
        self.at_practice = PracticeCommands(practice, place, prompter, self.words, self.tell_event)

    # --- What the two games say differently -----------------------------------------------------------------------------

    @abc.abstractmethod
    def sentence(self, event: Any) -> str:
        """What happened, in words."""

    @abc.abstractmethod
    def words(self, move: str) -> str:
        """A move as an imperative."""

    @abc.abstractmethod
    def take_apart(self, move: str) -> Move:
        """A move's parts."""

    @abc.abstractmethod
    def title(self, card: str) -> str:
        """A card's short name."""

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
    def board_lines(self) -> list[str]:
        """What lies there, with the signs that are used."""

    @abc.abstractmethod
    def seat_lines(self) -> list[str]:
        """Who has what, and what is known of the goals."""

    @abc.abstractmethod
    def turn_line(self) -> str:
        """Whose turn it is, in a line."""

    @abc.abstractmethod
    def rules(self) -> str:
        """The rules in short."""

    @abc.abstractmethod
    def due(self) -> str:
        """What must be done before a card is played; empty where nothing."""

    def is_loud(self, event: Any) -> bool:
        """Whether what happened changes the game for everybody."""
        return False

    # --- The game -------------------------------------------------------------------------------------------------------

    def play(self, moved: Callable[[], None] = nothing) -> None:
        """Play until the game is over; LeftTable where the person leaves.

        `moved` is called after every move of the person's, also where it was taken back, and at the end.
        """
        self.recap()
        while self.place.outcome is None:
            self.place.wait()
            self.catch_up()
            if self.place.my_move:
                try:
                    self.take_turn()
                except TakenBack:
                    self.told = self.tell_past()
                moved()
        moved()
        self.catch_up()
        self.say()
        self.tell_board()

    def tell_event(self, record: Any) -> str:
        """An event of the game in words."""
        return self.sentence(self.place.game.friendly_event(record))

    def tell_past(self) -> list[str]:
        """All that the person was told, in words."""
        return [self.tell_event(record) for record in self.place.past]

    def recap(self) -> None:
        """Where the game was begun before, tell the last moves."""
        self.told = self.tell_past()
        if self.told:
            self.say(LAST_MOVES, style="bold")
        for line in self.told[-RECAP:]:
            self.say(line)

    def catch_up(self) -> None:
        """Tell what has happened."""
        loud = False
        for record in self.place.news():
            if loud:
                self.say()
            event = self.place.game.friendly_event(record)
            loud = self.is_loud(event)
            self.told.append(self.sentence(event))
            self.say(self.told[-1], style="bold" if loud else None)

    def take_turn(self) -> None:
        """Show what the person needs, and ask until a move has been made."""
        due = self.due()
        if not due:
            self.say()
            self.tell_board()
            self.tell_seats()
            self.tell_hand()
        state = due or self.turn_line()
        self.say(state, style="bold")
        prompt = "your claim" if due else "your move"
        while True:
            line = self.prompter.ask(prompt, self.offers(), remind=state)
            if not line:
                self.say(
                    "Write gold or stone." if due else "Write a move, as 2 at 3,1; moves lists them, help says more."
                )
            elif self.attempt(line):
                return

    def offers(self) -> list[str]:
        """What the tabulator key completes."""
        return [
            "discard",
            *self.places,
            *(name for name in self.place.names if name != self.place.names[self.place.seat]),
        ]

    def attempt(self, line: str) -> bool:
        """Make the move that a line means; False, with the reason said, where it cannot be made."""
        try:
            self.place.play(self.choice().find(line))
        except IllegalAction as error:
            self.prompter.complain(BadInput(error.rule))
        except BadInput as error:
            self.prompter.complain(error)
        else:
            return True
        return False

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
        )

    def legal(self) -> list[Action]:
        """The legal moves in their order."""
        return list(self.place.legal_actions)

    # --- What can be looked at at any prompt ----------------------------------------------------------------------------

    def tell_board(self) -> None:
        """What lies there."""
        self.tell_lines(self.board_lines())

    def tell_seats(self) -> None:
        """Who has what, and what is known of the goals."""
        self.tell_lines(["", *self.seat_lines(), ""])

    def tell_hand(self) -> None:
        """The person's cards, numbered."""
        labels = {self.label(number, card): card for number, card in enumerate(self.place.view.hand, 1)}
        self.tell_lines(hand_lines(list(labels), lambda label: self.picture(labels[label])))

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

    def tell_log(self, rest: str = "") -> None:
        """What has happened: the last moves, or all."""
        if rest.lower() not in ("", "all"):
            self.say(f"Write log or log all, not log {rest:.40}.")
            return
        told = self.told if rest else self.told[-LAST:]
        for line in told or ["Nothing has happened yet."]:
            self.say(line)

    def tell_rules(self) -> None:
        """The rules in short."""
        self.say(self.rules())

    def tell_help(self) -> None:
        """What can be typed."""
        self.say(self.at_practice.help(HELP.format(aims=self.aims, notation=self.notation), HELP_WIDTH))

    def tell_lines(self, lines: Sequence[str]) -> None:
        """Lines of a drawing, as they are, or in plain signs where the terminal has no others."""
        console = self.prompter.console
        unicode = "utf" in console.encoding.lower()
        for line in lines:
            drawn = line.rstrip() if unicode else line.rstrip().translate(PLAIN)
            console.print(drawn, markup=False, no_wrap=True, crop=False, overflow="ignore")


def in_columns(rows: list[list[str]]) -> list[str]:
    """Rows of words as lines, every column as wide as its widest word."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def seat_name(seat: int, place: Place, to_move: int | None) -> str:
    """A seat at the beginning of its line, with its number, which notation and reasons name; marked where it is to move."""
    you = " (you)" * (seat == place.seat and place.names[seat] != YOU)
    return f"{'>' if seat == to_move else ' '} {seat} {place.names[seat]}{you}"
