"""The adviser's sheet: cards by players and the envelope, with probabilities where nothing is certain; and in sentences."""

from __future__ import annotations

from rich.text import Text

from molehunt.advice.answers import placed
from molehunt.advice.session import AdviceSession
from molehunt.core.language import _, later
from molehunt.core.words import capital, percent_said
from molehunt.games.speed_clue.edition import CATEGORIES
from molehunt.games.speed_clue.suggestions import HeardSuggestion
from molehunt.table.clue_sheet import ASCII_SIGNS, HAS, LACKS, SHOWN, SIGNS, STYLES, Paper, lay_out, own_said

LEGEND = later("{has} has it   {lacks} has it not   {seen} has seen it in your hand   37 %: how likely")
LIKELY = 0.5


def sheet_lines(session: AdviceSession, paper: Paper) -> list[Text]:
    """The sheet as lines: my column first, then the others in the order of asking, then the envelope.

    BadInput where entries contradict each other.
    """
    deal, shares = session.deal, session.shares()
    signs = SIGNS if paper.unicode else ASCII_SIGNS
    order = [deal.me, *deal.others, session.envelope]
    shown = _shown(session)

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


def sheet_sentences(session: AdviceSession) -> list[str]:
    """The sheet for those who hear it: a line a card, where it is, or where it may be, the likeliest place first.

    BadInput where entries contradict each other.
    """
    session.shares()
    edition = session.deal.edition
    return [
        line
        for category, title in enumerate(CATEGORIES)
        for line in (f"{capital(_(title))}:", *(f"{_where(session, card)}." for card in edition.cards(category)))
    ]


def _where(session: AdviceSession, card: int) -> str:
    """Where a card is or may be, without a full stop; a place that is not named does not have it."""
    deal, shares, shown = session.deal, session.shares()[card], _shown(session)
    name = deal.cards([card])
    if deal.holds(card):
        return own_said(name, [deal.names[player] for player in deal.others if (card, player) in shown])
    if card in deal.face_up:
        return _("{card} lies face up", card=name)
    places = [place for place in (*deal.others, session.envelope) if shares[place]]
    if len(places) == 1:
        return placed(session, card, places[0])
    likeliest = sorted(places, key=lambda place: -shares[place])
    return f"{name}: {', '.join(f'{deal.name(place)} {percent_said(shares[place])}' for place in likeliest)}"


def _shown(session: AdviceSession) -> set[tuple[int | None, int]]:
    """(card, player) of what I showed to whom."""
    return {
        (entry.card, entry.by)
        for entry in session.entries
        if isinstance(entry, HeardSuggestion) and entry.disprover == session.deal.me
    }
