"""The adviser's sheet: cards by players and the envelope, with probabilities where nothing is certain."""

from __future__ import annotations

from rich.text import Text

from molehunt.advice.session import AdviceSession
from molehunt.core.language import _, later
from molehunt.core.words import percent_said
from molehunt.games.speed_clue.suggestions import HeardSuggestion
from molehunt.table.clue_sheet import ASCII_SIGNS, HAS, LACKS, SHOWN, SIGNS, STYLES, Paper, lay_out

LEGEND = later("{has} has it   {lacks} has it not   {seen} has seen it in your hand   37 %: how likely")
LIKELY = 0.5


def sheet_lines(session: AdviceSession, paper: Paper) -> list[Text]:
    """The sheet as lines: my column first, then the others in the order of asking, then the envelope.

    BadInput where entries contradict each other.
    """
    deal, shares = session.deal, session.shares()
    signs = SIGNS if paper.unicode else ASCII_SIGNS
    order = [deal.me, *deal.others, session.envelope]
    shown = {
        (entry.card, entry.by)
        for entry in session.entries
        if isinstance(entry, HeardSuggestion) and entry.disprover == deal.me
    }

    def cell(card: int, place: int) -> tuple[str, str]:
        share = shares[card, place]
        if (card, place) in shown:
            return signs[SHOWN], STYLES[SHOWN]
        if share == 0:
            return signs[LACKS], STYLES[LACKS]
        if not shares[card, [other for other in order if other != place]].any():
            return signs[HAS], STYLES[HAS]
        return percent_said(share), "yellow" if share >= LIKELY else ""

    return lay_out(
        deal.edition,
        [deal.name(player) for player in order[:-1]],
        lambda card: [cell(card, place) for place in order],
        _(LEGEND, has=signs[HAS], lacks=signs[LACKS], seen=signs[SHOWN]),
        paper.width,
    )
