"""The adviser for people at a real table of Speed Clue: what was entered, what follows from it, and what to do.

An `AdviceSession` knows no screen: a front end adds, changes and takes back entries, and asks. All that it keeps is the deal and
the list of entries; what follows is found anew from these after every change, so any earlier entry may be corrected.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from molehunt.advice.deal import Deal
from molehunt.advice.entries import Asked, Entry, gone, laid_open, without_gone
from molehunt.advice.entry_faults import check_entries
from molehunt.advice.findings import Conflict, Findings, Reason
from molehunt.advice.sentences import entry_in_words
from molehunt.advice.slips import Slip, find_slips
from molehunt.advice.view import beside_of, game_of, view_of
from molehunt.agents.speed_clue.beside import Beside
from molehunt.agents.speed_clue.exact import EDITIONS, Advice, ExactAgent
from molehunt.beliefs.deals import Deals
from molehunt.core.errors import BadInput
from molehunt.core.game import Views
from molehunt.core.language import _
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.ruleset import MAX_SUGGESTIONS
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion


class Adviser(Protocol):
    """Who is asked for advice; `agents.speed_clue.exact.ExactAgent` is one."""

    def consult(self, game: SpeedClue, view: Views, beside: Beside) -> Advice:
        """Advice for the seat of a view, an array of one record; `beside` is what a view has no place for."""


ADVICE = "advice"
"""What the kernels of the adviser are called where they are made beside (`core.meanwhile`)."""


class AdviceSession:
    """One game at a real table, as one player of it tells it.

    Every change gives the conflict that there is after it, or None; BadInput says what cannot be entered at all, and then
    nothing has changed. Entries are numbered from 1. The envelope is the place after the last player.
    """

    def __init__(self, deal: Deal, entries: Iterable[Entry] = (), adviser: Adviser | None = None) -> None:
        self._deal = deal
        self._entries = without_gone(tuple(entries))
        _check(self._deal, self._entries)
        self._adviser = ExactAgent("exact:people", EDITIONS["people"]) if adviser is None else adviser
        self._past: list[tuple[Deal, tuple[Entry, ...]]] = []
        self._future: list[tuple[Deal, tuple[Entry, ...]]] = []
        self._findings: dict[Asked | None, Findings] = {}
        self._advice: dict[tuple[Asked | None, bool], Advice] = {}

    @classmethod
    def taken_up(cls, deal: Deal, entries: Iterable[Entry], adviser: Adviser | None = None) -> AdviceSession:
        """A game that was begun before: undo takes its entries back one by one, the last first."""
        session = cls(deal, entries, adviser)
        session._past = [(deal, session.entries[:number]) for number in range(len(session.entries))]
        return session

    # --- What was entered -----------------------------------------------------------------------------------------------

    @property
    def deal(self) -> Deal:
        """Who sits at the table, and what was dealt."""
        return self._deal

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What happened, in order."""
        return self._entries

    def add(self, entry: Entry) -> Conflict | None:
        """Enter what happened last."""
        return self._change(self._deal, (*self._entries, entry))

    def insert(self, number: int, entry: Entry) -> Conflict | None:
        """Enter something that was forgotten, before entry `number`."""
        self.entry(number)
        return self._change(self._deal, (*self._entries[: number - 1], entry, *self._entries[number - 1 :]))

    def replace(self, number: int, entry: Entry) -> Conflict | None:
        """Put an entry in the place of another."""
        self.entry(number)
        return self._change(self._deal, (*self._entries[: number - 1], entry, *self._entries[number:]))

    def remove(self, number: int) -> Conflict | None:
        """Take an entry out."""
        self.entry(number)
        return self._change(self._deal, (*self._entries[: number - 1], *self._entries[number:]))

    def redeal(self, deal: Deal) -> Conflict | None:
        """Correct what was dealt, the names, or how rooms are named; BadInput where the table or the card set would be others."""
        if (deal.edition, deal.players, deal.me) != (self._deal.edition, self._deal.players, self._deal.me):
            raise BadInput(_("another card set, another number of players or another seat is another game"))
        return self._change(deal, self._entries)

    def undo(self) -> Conflict | None:
        """Take the last change back, whatever it was."""
        return self._step(self._past, self._future, _("there is nothing to undo"))

    def redo(self) -> Conflict | None:
        """Make a change again that was taken back."""
        return self._step(self._future, self._past, _("there is nothing to redo"))

    def entry(self, number: int) -> Entry:
        """The entry with a number; BadInput where there is none."""
        if not self._entries:
            raise BadInput(_("there are no entries yet"))
        if not 1 <= number <= len(self._entries):
            raise BadInput(
                _("there is no entry {number}; they are numbered 1 to {last}", number=number, last=len(self._entries))
            )
        return self._entries[number - 1]

    def _change(self, deal: Deal, entries: tuple[Entry, ...]) -> Conflict | None:
        entries = without_gone(entries)
        _check(deal, entries)
        self._past.append((self._deal, self._entries))
        self._future.clear()
        return self._become(deal, entries)

    def _step(self, source: list[Any], target: list[Any], nothing: str) -> Conflict | None:
        if not source:
            raise BadInput(nothing)
        target.append((self._deal, self._entries))
        return self._become(*source.pop())

    def _become(self, deal: Deal, entries: tuple[Entry, ...]) -> Conflict | None:
        self._deal, self._entries = deal, entries
        self._findings.clear()
        self._advice.clear()
        return self.conflict()

    # --- What follows from it -------------------------------------------------------------------------------------------

    @property
    def envelope(self) -> int:
        """The place of the envelope."""
        return self._deal.players

    def deals(self) -> Deals:
        """All deals that agree with the entries. Holders are the others, from the one after me; sources are entry numbers."""
        return self._found().deals.copy()

    def conflict(self, asked: Asked | None = None) -> Conflict | None:
        """Which entries cannot all be true, as few as possible, with what I am asked now; None where all can."""
        return self._found(asked).conflict

    def slips(self) -> list[Slip]:
        """With which changes of a single entry all would agree; none where they do, or where more than one is wrong."""
        conflict = self.conflict()
        return [] if conflict is None else find_slips(self._deal, self._entries, conflict)

    def shares(self) -> npt.NDArray[np.float64]:
        """The probability of every card with every player, and in the envelope: shape (cards, players + 1).

        A card that lies face up is nowhere. BadInput where entries contradict each other.
        """
        return self._found().shares.copy()

    def solutions(self) -> list[tuple[tuple[int, ...], float]]:
        """The possible envelopes and the probability of each, the likeliest first; BadInput as `shares`."""
        self._found().check()
        return self._found().deals.solutions()

    def certain(self) -> frozenset[tuple[int, int]]:
        """(card, place) of all cards of which it is certain where they are; none while there is a conflict."""
        return self._found().certain

    def explain(self, card: int, place: int) -> Reason:
        """Why it is certain that a card is, or is not, at a place. BadInput: it is not certain, or entries contradict."""
        return self._found().explain(card, place)

    def place_name(self, place: int) -> str:
        """A player's name, `you`, or the envelope."""
        return self._deal.name(place)

    def _found(self, asked: Asked | None = None) -> Findings:
        asked = None if asked is None else replace(asked, gone=gone(self._entries))
        if asked not in self._findings:
            self._findings[asked] = Findings(self._deal, self._entries, asked)
        return self._findings[asked]

    # --- Advice ---------------------------------------------------------------------------------------------------------

    def game(self) -> SpeedClue:
        """The game as the players of the library play it."""
        return game_of(self._deal)

    def view(self, asked: Asked | None = None, after: bool = False) -> Views:
        """My view as the players of the library get it, an array of one record.

        I am asked, or my turn ends (`after`), as when my suggestion, the last entry, was answered, or my turn begins.
        """
        return view_of(self._deal, self._entries, asked, after)

    @property
    def laid_open(self) -> tuple[int, ...]:
        """The cards of those who have left the table."""
        return laid_open(self._entries)

    @property
    def may_accuse(self) -> bool:
        """Whether my suggestion was the last that happened, so that I may accuse before my turn ends."""
        last = [entry for entry in self._entries if isinstance(entry, (HeardSuggestion, Accusation))][-1:]
        return any(isinstance(entry, HeardSuggestion) and entry.by == self._deal.me for entry in last)

    @property
    def may_end_turn(self) -> bool:
        """Whether my turn may end as things are: I have suggested, or on a board perhaps come to no suggestion."""
        return self.may_accuse or self._deal.board is not None

    def beside(self) -> Beside:
        """What a view has no place for."""
        return beside_of(self._deal, self._entries)

    def consult(self, asked: Asked | None = None, after: bool = False) -> Advice:
        """What the adviser says of my view (see `view`): what to show, what to suggest, whether to accuse.

        BadInput: entries contradict each other, I am asked and have nothing to show, I am out, or the game is over.
        """
        for number, entry in enumerate(self._entries, start=1):
            if isinstance(entry, Accusation) and entry.right:
                told = entry_in_words(entry, self._deal)
                raise BadInput(_("the game is over: {entry} (entry {number})", entry=told, number=number))
            if isinstance(entry, Accusation) and entry.by == self._deal.me and asked is None:
                raise BadInput(_("you accused wrongly in entry {number}, and only answer suggestions", number=number))
        if asked is not None:
            if asked.by == self._deal.me:
                raise BadInput(_("you do not answer your own suggestion"))
            # What could not be entered as a suggestion cannot be asked.
            _check(self._deal, (*self._entries, HeardSuggestion(asked.by, asked.cards, None)))
        self._found(asked).check()
        if (asked, after) not in self._advice:
            advice = self._adviser.consult(self.game(), self.view(asked, after), self.beside())
            self._advice[asked, after] = advice
        return self._advice[asked, after]


def _check(deal: Deal, entries: tuple[Entry, ...]) -> None:
    """BadInput where these cannot be entries, whoever holds which cards."""
    if sum(isinstance(entry, HeardSuggestion) for entry in entries) >= MAX_SUGGESTIONS:
        raise BadInput(_("a game has fewer than {most} suggestions", most=MAX_SUGGESTIONS))
    check_entries(entries, deal)
