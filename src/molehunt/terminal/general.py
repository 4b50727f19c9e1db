"""A person plays any game in a terminal or through a pipe: its drawing, its moves in a list, what happened in words.

The table sees a `Place`, the person's own seat, and so can say nothing that the person may not know. A game with a face of its
own is a subclass that says more.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any

from rich.text import Text

from molehunt.core.errors import BadInput, BadNotation, IllegalAction
from molehunt.core.game import Action
from molehunt.core.language import _, later, spoken_words
from molehunt.table.game_words import event_in_words, roles_in_words, rules_of, words_of
from molehunt.table.session import Place, Session
from molehunt.terminal.practice import Practice, PracticeCommands, TakenBack
from molehunt.terminal.prompts import Prompter
from molehunt.terminal.sitting import LAST_MOVES, nothing

INDENT = 6
"""Where the moves of a list go on."""
FEWEST_COLUMNS, MOST_COLUMNS = 40, 80
"""Drawings are no narrower and no wider, however wide the terminal is."""
PLAIN = str.maketrans("─┄━│┆┃╭╮╰╯┏┓┗┛·", "-=-|:|++++++++.")
"""Walls and marks of a drawing as a terminal shows them that knows ASCII alone."""
LAST = 20
"""So many moves does `log` tell."""
ALL = later("all")
"""What may follow `log` to be told all moves; read by `spoken_words`."""
RECAP = 5
"""So many moves are told where a game is gone on with."""
FEW = 12
"""So many legal moves are listed without being asked for."""
MANY = 8
"""So many moves are told at most where what was typed may mean several."""
HELP_WIDTH = 22

HELP = later("""\
3, m3                 play the third of your moves
{example}a move in notation; a part of its words will do, if it means just one
moves, moves WORD     all your moves; those in which a word is
board                 what you know of the game
log, log all          the last moves; all moves
rules, help, quit""")


class GameTable:
    """A game at one person's place; `practice` is None where it is no practice game."""

    commands: tuple[str, ...] = ("board", "moves", "log", "rules", "help")
    """What can be looked at at every prompt; each is a method `tell_...`."""
    looks: tuple[str, ...] = ("board", "hand", "seats", "log")
    """Commands with which a game that is over is looked at again."""
    help_width = HELP_WIDTH

    def __init__(self, place: Place, prompter: Prompter, practice: Practice | None = None) -> None:
        self.place = place
        self.prompter = prompter
        self.say = prompter.say
        self.told: list[str] = []
        self.game_words = words_of(place.game)
        prompter.commands |= {word: getattr(self, f"tell_{word}") for word in self.commands}
        prompter.with_rest |= {"moves": self.tell_moves, "log": self.tell_log}
        self.at_practice = PracticeCommands(practice, place, prompter, self.words, self.tell_event)

    # --- What a game may say in its own way -----------------------------------------------------------------------------

    def words(self, move: str) -> str:
        """A move as an imperative."""
        return self.game_words.move(move, self.place.names, self.place.seat)

    def board_lines(self) -> list[str]:
        """What the person sees, as lines; the names of the seats that are numbered there stand above."""
        seated = ", ".join(f"{seat} {name}" for seat, name in enumerate(self.place.names))
        return [f"seats: {seated}", *self.place.game.draw_text(self.place.record_view).splitlines()]

    def rules(self) -> str:
        """The rules in short."""
        return rules_of(self.place.game)

    def help_text(self) -> str:
        """What can be typed."""
        example = next((str(move) for move in self.legal()), "")
        return _(HELP, example=f"{example:<22}")

    def turn_line(self) -> str:
        """Whose turn it is, in a line."""
        count = len(self.legal())
        return _("Your move: {count} moves; moves lists them.", count=count) if count > FEW else _("Your move.")

    def due(self) -> str:
        """What must be done before the person's next move proper; empty where nothing."""
        return ""

    def asking(self, due: str) -> tuple[str, str]:
        """The prompt for a move, and what is said where nothing is written there."""
        return _("your move"), _("Write a move or its number; moves lists them, help says more.")

    @staticmethod
    def role_line(role: str) -> str:
        """What the person is told of the own role when the game begins."""
        return _("Your role: {role}.", role=role)

    def is_loud(self, event: Any) -> bool:
        """Whether what happened changes the game for everybody."""
        return False

    @classmethod
    def ending(cls, session: Session, seat: int) -> list[str]:
        """What is told at the end besides who won: who had which role, and what was paid where it says more than who won."""
        game, outcome = session.game, session.outcome
        lines = roles_in_words(game, game.roles_of(session.truth())[0].tolist(), session.names, seat)
        if outcome is not None and set(outcome.payoffs) - {0.0, 1.0}:
            paid = (
                f"{_('you') if other == seat else session.names[other]} {amount:g}"
                for other, amount in enumerate(outcome.payoffs)
            )
            lines.append(_("Paid: {paid}.", paid=", ".join(paid)))
        return lines

    def find(self, line: str) -> Action | str:
        """The move that a line means, or its notation, whatever the rules say of it; BadInput says what would be right."""
        legal = self.legal()
        number = line.lower().removeprefix("m").strip()
        notations = {str(move).lower(): move for move in legal}
        if line.lower() in notations:
            return notations[line.lower()]
        if number.isascii() and number.isdecimal():
            if not (len(number) < 6 and 1 <= int(number) <= len(legal)):
                raise BadInput(_("the moves are 1 to {legal}; moves lists them", legal=len(legal)))
            return legal[int(number) - 1]
        found = self._saying(line)
        if len(found) == 1:
            return legal[found[0] - 1]
        if found:
            told = "; ".join(f"m{each} {self.words(str(legal[each - 1]))}" for each in found[:MANY])
            raise BadInput(_("write which: {moves}", moves=f"{told}; ..." if len(found) > MANY else told))
        try:
            self.place.game.parse_action(line)
        except BadNotation as error:
            raise BadInput(_("{error}; help lists what you can write", error=error)) from None
        return line

    def _saying(self, line: str) -> list[int]:
        """The numbers of the legal moves in whose words or notation all words of a line are."""
        wanted = line.lower().split()
        said = [f"{move} {self.words(str(move))}".lower() for move in self.legal()]
        return [number for number, text in enumerate(said, 1) if all(word in text for word in wanted)]

    # --- The game -------------------------------------------------------------------------------------------------------

    def play(self, moved: Callable[[], None] = nothing) -> None:
        """Play until the game is over; LeftTable where the person leaves.

        `moved` is called after every move of the person's, also where it was taken back, and at the end.
        """
        self.recap()
        while self.place.outcome is None:
            self.place.wait(self.prompter.tell_waiting)
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
        return event_in_words(self.place.game, record, self.place.names, self.place.seat)

    def tell_past(self) -> list[str]:
        """All that the person was told, in words."""
        return [self.tell_event(record) for record in self.place.past]

    def recap(self) -> None:
        """Where the game was begun before, tell the last moves."""
        self.told = self.tell_past()
        if self.told:
            self.say(_(LAST_MOVES), style="bold")
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
            self.told.append(self.tell_event(record))
            self.say(self.told[-1], style="bold" if loud else None)

    def show_turn(self) -> None:
        """Show what the person needs for a move."""
        self.say()
        self.tell_board()
        if len(self.legal()) <= FEW:
            self.tell_moves()

    def take_turn(self) -> None:
        """Show what the person needs, and ask until a move has been made."""
        due = self.due()
        if not due:
            self.show_turn()
        state = due or self.turn_line()
        self.say(state, style="bold")
        prompt, empty = self.asking(due)
        while True:
            line = self.prompter.ask(prompt, self.offers(), remind=state)
            if not line:
                self.say(empty)
            elif self.attempt(line):
                return

    def offers(self) -> list[str]:
        """What the tabulator key completes."""
        return [str(move) for move in self.legal()]

    def attempt(self, line: str) -> bool:
        """Make the move that a line means; False, with the reason said, where it cannot be made."""
        try:
            self.place.play(self.find(line))
        except IllegalAction as error:
            self.prompter.complain(BadInput(_(error.rule)))
        except BadInput as error:
            self.prompter.complain(error)
        else:
            return True
        return False

    def legal(self) -> list[Action]:
        """The legal moves in their order."""
        return list(self.place.legal_actions)

    # --- What can be looked at at any prompt ----------------------------------------------------------------------------

    def tell_board(self) -> None:
        """What the person sees."""
        self.tell_lines(self.board_lines())

    def tell_moves(self, rest: str = "") -> None:
        """The legal moves, numbered; only those that say `rest` where something follows."""
        legal = self.legal()
        numbers = self._saying(rest) if rest else list(range(1, len(legal) + 1))
        if not numbers:
            self.say(_("No move of yours says so.") if legal else _("It is not your move."))
        headings = [self.game_words.group(str(move)) for move in legal]
        told = ""
        for number in numbers:
            move, heading = str(legal[number - 1]), headings[number - 1]
            if heading != told and 1 < len(set(headings)) < len(headings):
                self.say(f"{heading}:", style="bold")
            told = heading
            words = self.words(move)
            notation = "" if words.lower() == move.lower() else f" ({move})"
            self.say(f"{f'm{number}':<{INDENT - 1}} {words}{notation}", indent=INDENT)

    def tell_log(self, rest: str = "") -> None:
        """What has happened: the last moves, or all."""
        if rest.lower() not in ("", *spoken_words(ALL)):
            self.say(_("Write log or log all, not log {rest}.", rest=f"{rest:.40}"))
            return
        told = self.told if rest else self.told[-LAST:]
        for line in told or [_("Nothing has happened yet.")]:
            self.say(line)

    def tell_rules(self) -> None:
        """The rules in short."""
        self.say(self.rules())

    def tell_help(self) -> None:
        """What can be typed."""
        self.prompter.say_help(self.at_practice.help(self.help_text(), self.help_width), self.help_width)

    def painted(self, line: str) -> Text:
        """A line of a drawing in the colours of the game."""
        return Text(line)

    @property
    def width(self) -> int:
        """How wide drawings may be: as wide as the terminal, from FEWEST_COLUMNS to MOST_COLUMNS."""
        return min(max(FEWEST_COLUMNS, self.prompter.console.width), MOST_COLUMNS)

    def tell_lines(self, lines: Sequence[str]) -> None:
        """Lines of a drawing, as they are, or in plain signs where the terminal has no others.

        Where one is longer than the terminal is wide, as words can be, it goes on below, further in.
        """
        console = self.prompter.console
        unicode = "utf" in console.encoding.lower()
        for line in lines:
            drawn = line.rstrip() if unicode else line.rstrip().translate(PLAIN)
            further = " " * (len(drawn) - len(drawn.lstrip()) + 2)
            parts = [drawn]
            if console.is_terminal and len(drawn) > console.width:
                parts = textwrap.wrap(drawn, console.width, subsequent_indent=further)
            for part in parts:
                console.print(self.painted(part), no_wrap=True, crop=False, overflow="ignore")
