"""What a person at practice may ask for beyond their place, and its commands, alike in every game. Nothing here knows a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.language import _, counted_in, later, spoken_words
from molehunt.core.panels import Panel
from molehunt.table.plain_words import PlainReason, plain_reason
from molehunt.table.reasons import Hint, Reason, beliefs, hint, keeps_reasons, kept_reasons, why
from molehunt.table.session import Place, Session
from molehunt.terminal.panels import show_panel
from molehunt.terminal.prompts import Prompter

COMMANDS = ("hint", "why", "beliefs", "undo")
PRACTICE_QUESTION = later("A practice game, with hint, why and undo")
NO_PRACTICE = later("This is no practice game; --practice makes one, with hint, why, beliefs and undo.")
MYSELF = later("me myself i you")
"""Words for the own seat, after `why`."""
HELP = {
    "hint, why, why Bob": later("what to do; why the last player, or Bob, moved so"),
    "beliefs": later("what an adviser in your place believes"),
    "undo": later("take your last move back"),
}


def ask_practice(prompter: Prompter) -> bool:
    """Whether there is to be help."""
    return prompter.yes_or_no(_(PRACTICE_QUESTION), "no")


class TakenBack(Exception):
    """The person has taken the last move back: what they were asked is asked no more."""


class Practice:
    """A hint, another's reasons, what is believed, their last move back: for the person on `seat`."""

    def __init__(self, session: Session, seat: int) -> None:
        self._session = session
        self._seat = seat
        self._place = session.place(seat)

    @property
    def moves(self) -> int:
        """How many moves were made."""
        return len(self._session.actions)

    def hint(self) -> Hint:
        """What the adviser would do; BadInput where it is not the person's move."""
        return hint(self._session, self._seat)

    def why(self, whose: int | None = None) -> tuple[Any, Reason | str]:
        """(event, why) of the last move of an artificial player, or of the one on the seat `whose`; BadInput: there is none.

        Where it is hidden who plays there, a sentence that the reasons are kept.
        """
        if whose == self._seat:
            raise BadInput(_("your reasons are your own; why is for the others"))
        for number in range(self.moves, 0, -1):
            event = self._session.event(number, self._seat)
            if int(event["seat"]) != self._seat and whose in (None, int(event["seat"])):
                kept = keeps_reasons(self._session, int(event["seat"]))
                told = kept_reasons(self._session, int(event["seat"])) if kept else why(self._session, number)
                return event, told
        if whose is not None:
            raise BadInput(_("{name} has made no move yet", name=self._session.names[whose]))
        raise BadInput(_("there is no move yet to give reasons for"))

    def in_words(self, text: str, advising: bool = False) -> PlainReason:
        """A reason as people read it; where it advises the person, moves are said to them."""
        return plain_reason(self._session.game, text, self._session.names, self._seat if advising else None)

    def beliefs(self) -> tuple[str, tuple[Panel, ...]]:
        """(adviser, what it believes in the person's place)."""
        return beliefs(self._session, self._seat)

    def undo(self) -> int:
        """Take back the person's last move and all after it; how many moves. BadInput where there is none."""
        before = self.moves
        self._place.undo()
        return before - self.moves

    def warm_up(self) -> None:
        """Have all kernels at hand that hints and beliefs need."""
        while self._session.step():
            pass
        self.beliefs()
        if self._session.to_move == self._seat:
            self.hint()


class PracticeCommands:
    """`hint`, `why`, `beliefs` and `undo` at every prompt of a table; where it is no practice game (None), they say so.

    `words` puts a move in words, `sentence` what happened; a move that is taken back is TakenBack.
    """

    def __init__(
        self,
        practice: Practice | None,
        place: Place,
        prompter: Prompter,
        words: Callable[[str], str],
        sentence: Callable[[Any], str],
    ) -> None:
        self._practice = practice
        self._names = place.names
        self._seat = place.seat
        self._prompter = prompter
        self._words = words
        self._sentence = sentence
        told = (self.tell_hint, self.tell_why, self.tell_beliefs, self.undo)
        prompter.commands |= dict(zip(COMMANDS, told, strict=True))
        prompter.with_rest["why"] = self.tell_why

    def help(self, text: str, width: int) -> str:
        """A help text with the commands of a practice game below it, what they do beginning in the column `width`."""
        if self._practice is None:
            return text
        return "\n".join([text, *(f"{typed:<{width}}{_(does)}" for typed, does in HELP.items())])

    def tell_hint(self) -> None:
        """What the adviser would do."""
        with self._complaining():
            practice = self._at_practice()
            advice = practice.hint()
            move = str(advice.action)
            words = self._words(move)
            notation = "" if words.lower() == move.lower() else f" ({move})"
            self._prompter.say(_("{move}, says {agent}.", move=f"{words}{notation}", agent=advice.agent), "bold")
            self._tell(practice.in_words(advice.text, advising=True))

    def tell_why(self, rest: str = "") -> None:
        """Why an artificial player made its last move."""
        with self._complaining():
            practice = self._at_practice()
            event, reason = practice.why(self._whose(rest) if rest else None)
            agent, text = ("", reason) if isinstance(reason, str) else (f" ({reason.agent})", reason.text)
            self._prompter.say(f"{self._sentence(event)}{agent}", style="bold")
            self._tell(practice.in_words(text))

    def _whose(self, name: str) -> int:
        """The seat of whom a name or a word for oneself means; BadInput where nobody is called so."""
        names = [other.lower() for other in self._names]
        if name.lower() in names:
            return names.index(name.lower())
        if name.lower() in spoken_words(MYSELF):
            return self._seat
        others = [other for seat, other in enumerate(self._names) if seat != self._seat]
        raise BadInput(
            _(
                "write why or why and a name: {names}; nobody is called {rest}",
                names=", ".join(others),
                rest=f"{name:.40}",
            )
        )

    def _tell(self, reason: PlainReason) -> None:
        """A reason in sentences, and below them what was weighed, each thing in a line, its number first."""
        self._prompter.say(reason.text)
        if not reason.choices:
            return
        self._prompter.say(_("What was weighed, in numbers:"))
        width = max(len(choice.worth) for choice in reason.choices)
        for choice in reason.choices:
            self._prompter.say(f"  {choice.worth:<{width}}  {choice.words}", indent=width + 4)

    def tell_beliefs(self) -> None:
        """What the adviser believes in the person's place."""
        with self._complaining():
            practice = self._at_practice()
            agent, panels = practice.beliefs()
            if not panels:
                raise BadInput(_("{agent}, who would be asked, holds no beliefs", agent=agent))
            self._prompter.say(_("So {agent} sees it in your place.", agent=agent), style="bold")
            for panel in panels:
                show_panel(panel, self._prompter.console)

    def undo(self) -> None:
        """Take the person's last move back, which is TakenBack."""
        with self._complaining():
            practice = self._at_practice()
            taken = practice.undo()
            self._prompter.say(
                counted_in(
                    "{n} move taken back, yours and those after it.",
                    "{n} moves taken back, yours and those after it.",
                    taken,
                ),
                style="bold",
            )
            raise TakenBack

    def _at_practice(self) -> Practice:
        if self._practice is None:
            raise BadInput(_(NO_PRACTICE))
        return self._practice

    @contextmanager
    def _complaining(self) -> Iterator[None]:
        """Say what is wrong; a player that fails where it is asked has still made its move, and the game goes on."""
        try:
            yield
        except (BadInput, AgentFailure) as error:
            self._prompter.complain(error)
