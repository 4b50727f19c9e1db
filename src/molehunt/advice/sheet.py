"""The adviser's sheet: cards by players and the envelope, with probabilities where nothing is certain."""

from __future__ import annotations

from rich.text import Text

from molehunt.advice.entries import Suggestion
from molehunt.advice.session import AdviceSession
from molehunt.games.speed_clue.edition import CATEGORIES
from molehunt.table.clue_sheet import ASCII_SIGNS, COLUMN_WIDTH, HAS, LACKS, NAME_WIDTH, SHOWN, SIGNS

LEGEND = "{1} has it   {2} has it not   {4} has seen it in your hand   37% of the deals left"
LIKELY = 0.5


def percent(share: float) -> str:
    """A probability that is neither 0 nor 1, as percents of which none is 0 or 100."""
    return "<1%" if share < 0.005 else ">99%" if share >= 0.995 else f"{share:.0%}"


def sheet_lines(session: AdviceSession, unicode: bool) -> list[Text]:
    """The sheet as lines: my column first, then the others in the order of asking, then the envelope.

    BadInput where entries contradict each other.
    """
    deal, shares = session.deal, session.shares()
    signs = SIGNS if unicode else ASCII_SIGNS
    order = [deal.me, *deal.others, session.envelope]
    shown = {
        (entry.card, entry.by)
        for entry in session.entries
        if isinstance(entry, Suggestion) and entry.disprover == deal.me
    }
    head = "".join(f"{_short(deal.name(player)):^{COLUMN_WIDTH}}" for player in order[:-1]) + "envelope"
    lines = []
    for category, title in enumerate(CATEGORIES):
        lines.append(Text(f"{title:{NAME_WIDTH}}{'' if category else head}".rstrip(), "bold"))
        for card in deal.edition.cards(category):
            line = Text(f"  {deal.edition.names[card]:{NAME_WIDTH - 2}.{NAME_WIDTH - 2}}")
            for place in order:
                share = shares[card, place]
                text, style = percent(share), "yellow" if share >= LIKELY else ""
                if (card, place) in shown:
                    text, style = signs[SHOWN], "cyan"
                elif share == 0:
                    text, style = signs[LACKS], "dim"
                elif not shares[card, [other for other in order if other != place]].any():
                    text, style = signs[HAS], "bold green"
                line.append(f"{text:^{COLUMN_WIDTH}}", style)
            if shares[card, session.envelope] and not shares[card, :-1].any():
                line.stylize("bold", 0, NAME_WIDTH)
            line.rstrip()
            lines.append(line)
    lines.append(Text(LEGEND.format(*signs), "dim"))
    return lines


def _short(name: str) -> str:
    return name if len(name) < COLUMN_WIDTH else f"{name[: COLUMN_WIDTH - 2]}."
