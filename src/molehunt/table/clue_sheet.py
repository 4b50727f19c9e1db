"""The sheet of a person at Speed Clue: cards by players, and the envelope.

A `FilledSheet` fills itself with what the report's seven deductions (section 4.1) find in the person's own view; an `OwnSheet`
holds the hand and what the person writes. Both can be drawn, or said line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from rich.console import Console
from rich.text import Text

from molehunt.agents.speed_clue.strategies import ClueAgent
from molehunt.agents.speed_clue.strategy_parameters import Strategy
from molehunt.core.errors import BadInput
from molehunt.core.language import _, later
from molehunt.core.words import capital, joined
from molehunt.games.speed_clue.edition import CATEGORIES, SINGULAR, Edition
from molehunt.games.speed_clue.friendly import View
from molehunt.games.speed_clue.state import AFTER
from molehunt.table.clue_words import heard

UNKNOWN, HAS, LACKS, MAY, SHOWN = range(5)
"""Marks of a card and a player: nothing known; has it; has it not; may have it; was shown this card of the person's own."""

ENVELOPE = -1
"""The column of the envelope."""

SIGNS = (".", "✓", "x", "?", "s")
ASCII_SIGNS = (".", "O", "x", "?", "s")
STYLES = ("dim", "bold green", "dim", "yellow", "cyan")
LEGEND = later(
    "{has} has it   {lacks} has it not   {may} may have it   {shown} has seen it in your hand   {unknown} nothing known"
)
PERHAPS_WITH, NOT_WITH = later("perhaps with {players}"), later("not with {players}")
ENVELOPE_SAID = {MAY: later("perhaps in the envelope"), LACKS: later("not in the envelope")}
LEGEND_PLACES = ("unknown", "has", "lacks", "may", "shown")
"""The places of `LEGEND`, in the order of the marks."""
MARK_WORDS = {"yes": HAS, "no": LACKS, "maybe": MAY, "clear": UNKNOWN}
NAME_WIDTH, COLUMN_WIDTH, LEAST_WIDTH = 18, 8, 5
"""Of the names of cards, of a column, and of one where the screen is narrow: `37 %` stands there."""


@dataclass(frozen=True)
class Paper:
    """What a sheet is written on: whether it takes all signs, and how many of them a line has."""

    unicode: bool
    width: int

    @classmethod
    def of(cls, console: Console) -> Paper:
        """The screen of a terminal, or what takes its place."""
        return cls("utf" in console.encoding.lower(), console.width)


class Sheet(Protocol):
    """What the table asks of a sheet."""

    def read(self, view: View) -> None:
        """Take in a view of the person's seat."""

    def mark(self, card: int, column: int) -> int:
        """The mark of a card in the column of a seat, or of the ENVELOPE."""


class FilledSheet:
    """A sheet that fills itself: the mind of an artificial player that is fed the person's views and plays nothing.

    It uses all seven deductions, and goes through the record again after every new fact (section 6.3.2).
    """

    def __init__(self, view: View) -> None:
        self._agent = ClueAgent("sheet", Strategy(cross_reference=True, deduction_6="sound"))
        self._memory = self._agent.start(view.game, view.record, np.zeros(1, np.uint64))
        self._seat, self._seats = view.seat, view.seats
        self.read(view)

    def read(self, view: View) -> None:
        # A player reads the record when it is to accuse or to end its turn; what it would do is of no interest here.
        record = view.record.copy()
        record["phase"] = AFTER
        self._agent.act(record, self._memory, np.zeros(1, np.int64))
        self._shown = {
            (made.shown, made.seat)
            for made in view.suggestions
            if made.disprover == view.seat and made.shown is not None
        }
        self._edition = view.game.edition

    def mark(self, card: int, column: int) -> int:
        mind = self._memory.minds[0]
        spot = 1 << card
        if column == ENVELOPE:
            return HAS if int(mind["envelope"]) & spot else LACKS if int(mind["not_envelope"]) & spot else UNKNOWN
        if (self._edition.names[card], column) in self._shown:
            return SHOWN
        for field, mark in (("owned", HAS), ("lacks", LACKS), ("may", MAY)):
            if int(mind[field][column]) & spot:
                return mark
        return UNKNOWN


class OwnSheet:
    """A sheet that the person fills: at first it holds the hand alone."""

    def __init__(self, view: View) -> None:
        self._seat = view.seat
        self._hand = {view.game.edition.names.index(card) for card in view.hand}
        self._marks: dict[tuple[int, int], int] = {}

    def read(self, view: View) -> None:
        pass

    def mark(self, card: int, column: int) -> int:
        if column == self._seat:
            return HAS if card in self._hand else LACKS
        return self._marks.get((card, column), UNKNOWN)

    def write(self, text: str, names: Sequence[str], edition: Edition) -> str:
        """Take in `CARD PLAYER yes|no|maybe|clear`, PLAYER also being `envelope`; what was written. BadInput otherwise."""
        words = text.split()
        if len(words) < 3:
            raise BadInput(_("write mark CARD PLAYER yes, no, maybe or clear; PLAYER may be envelope"))
        if words[-1].lower() not in MARK_WORDS:
            raise BadInput(_("a mark is {words}, not {typed}", words=", ".join(MARK_WORDS), typed=f"{words[-1]!r:.40}"))
        others = {name.lower(): seat for seat, name in enumerate(names) if seat != self._seat} | {"envelope": ENVELOPE}
        found = [name for name in others if name.startswith(words[-2].lower())]
        if len(found) != 1:
            raise BadInput(
                _(
                    "no player is called {typed}; there are {names}",
                    typed=f"{words[-2]!r:.40}",
                    names=", ".join(others),
                )
            )
        card = heard(lambda cards: cards.find(" ".join(words[:-2])), edition)
        column = others[found[0]]
        self._marks[card, column] = MARK_WORDS[words[-1].lower()]
        whose = _("envelope") if column == ENVELOPE else names[column]
        return f"{edition.said(card)}, {whose}: {words[-1].lower()}"


def lay_out(
    edition: Edition,
    heads: Sequence[str],
    cells: Callable[[int], Sequence[tuple[str, str]]],
    legend: str,
    width: int,
) -> list[Text]:
    """A sheet as lines: a row a card, `legend` below. `heads` and last the envelope stand above the columns of every category.

    Of a screen that is too low for all, so much remains that the columns have names. They are as narrow as `width` makes them.

    `cells(card)` are (text, style) by column; the name of a card that the envelope has is bold.
    """
    titles = [*heads, _("envelope")]
    column = max(LEAST_WIDTH, min(COLUMN_WIDTH, (width - NAME_WIDTH) // len(titles)))
    # The last title may be as long as it is where it fits.
    last = titles[-1] if NAME_WIDTH + column * len(heads) + len(titles[-1]) <= width else _short(titles[-1], column)
    head = "".join(f"{_short(each, column):^{column}}" for each in heads) + last
    lines = []
    for category, title in enumerate(CATEGORIES):
        lines.append(Text(f"{_(title):{NAME_WIDTH}}{head}", "bold"))
        for card in edition.cards(category):
            line = Text(f"  {edition.said(card):{NAME_WIDTH - 2}.{NAME_WIDTH - 2}}")
            marks = cells(card)
            if marks[-1][1] == STYLES[HAS]:
                line.stylize("bold")
            for text, style in marks:
                line.append(f"{text:^{column}}", style)
            line.rstrip()
            lines.append(line)
    lines.append(Text(legend, "dim"))
    return lines


def sheet_lines(sheet: Sheet, names: Sequence[str], seat: int, edition: Edition, paper: Paper) -> list[Text]:
    """The sheet as lines: the person's column first, then the others in the order in which they are asked."""
    signs = SIGNS if paper.unicode else ASCII_SIGNS
    order = [(seat + step) % len(names) for step in range(len(names))]

    def cells(card: int) -> list[tuple[str, str]]:
        marks = [sheet.mark(card, column) for column in (*order, ENVELOPE)]
        return [(signs[mark], STYLES[mark]) for mark in marks]

    heads = [_("you") if other == seat else names[other] for other in order]
    return lay_out(
        edition,
        heads,
        cells,
        _(LEGEND, **dict(zip(LEGEND_PLACES, signs, strict=True))),
        paper.width,
    )


def sheet_sentences(sheet: Sheet, names: Sequence[str], seat: int, edition: Edition) -> list[str]:
    """The sheet for those who hear it: a line a card, below the kind of each."""
    others = [(seat + step) % len(names) for step in range(1, len(names))]
    lines = []
    for category, title in enumerate(CATEGORIES):
        lines.append(f"{capital(_(title))}:")
        lines += [f"{_said(sheet, card, names, seat, others, edition)}." for card in edition.cards(category)]
    return lines


def own_said(card: str, shown: Sequence[str]) -> str:
    """That a card is one's own, and to whom it was shown."""
    if not shown:
        return _("{card} is yours", card=card)
    return _("{card} is yours; shown to {players}", card=card, players=joined(shown))


def _said(  # noqa: PLR0913, PLR0917 - a cell of a sheet, and who sits where
    sheet: Sheet, card: int, names: Sequence[str], seat: int, others: Sequence[int], edition: Edition
) -> str:
    """What the sheet says of a card, without a full stop."""

    def marked(mark: int) -> str:
        found = [names[other] for other in others if sheet.mark(card, other) == mark]
        return joined(found, "or") if found else ""

    name, envelope = edition.said(card), sheet.mark(card, ENVELOPE)
    if sheet.mark(card, seat) == HAS:
        return own_said(name, [names[other] for other in others if sheet.mark(card, other) == SHOWN])
    if envelope == HAS:
        return _("{card} is in the envelope", card=name)
    if holder := marked(HAS):
        return _("{card} is with {player}", card=name, player=holder)
    known = [
        _(told, players=players)
        for told, players in ((PERHAPS_WITH, marked(MAY)), (NOT_WITH, marked(LACKS)))
        if players
    ]
    if envelope in ENVELOPE_SAID:
        known.append(_(ENVELOPE_SAID[envelope]))
    return f"{name}: {', '.join(known) or _('nothing known')}"


def still_possible(sheet: Sheet, edition: Edition) -> str:
    """What may be in the envelope, in short: the card of a solved category, else how many are left."""
    parts = []
    for category, singular in enumerate(SINGULAR):
        left = [card for card in edition.cards(category) if sheet.mark(card, ENVELOPE) != LACKS]
        found = [card for card in left if sheet.mark(card, ENVELOPE) == HAS]
        parts.append(
            edition.said(found[0])
            if found
            else f"{len(left)} {_(singular if len(left) == 1 else CATEGORIES[category])}"
        )
    return ", ".join(parts)


def _short(name: str, column: int) -> str:
    return name if len(name) < column else f"{name[: column - 2]}."
