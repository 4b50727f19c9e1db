"""The adviser's answers in words: what to suggest and why, which card to show, whether to accuse, what the envelope may hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from molehunt.advice.entries import LOCATION, Asked
from molehunt.advice.session import AdviceSession
from molehunt.advice.sheet import percent
from molehunt.agents.speed_clue.exact import Accusation, Advice, Proposal, Showing, habit_in_words
from molehunt.core.errors import BadInput
from molehunt.core.words import joined
from molehunt.games.speed_clue.suggestions import Suggestion

Line: TypeAlias = tuple[str, str | None]
"""A line and its style."""

PROPOSALS = 5


def placed(session: AdviceSession, card: int, place: int) -> str:
    """That a card is somewhere: `Rope is with Bob`."""
    return (
        f"{session.deal.cards([card])} is {'in' if place == session.envelope else 'with'} {session.place_name(place)}"
    )


def proposals(session: AdviceSession, advice: Advice, rooms: Sequence[int] | None = None) -> list[Proposal]:
    """What to suggest, the best first: the best few of all, or, where `rooms` are given, all there are in them.

    BadInput where one of these is no room.
    """
    if rooms is None:
        return advice.suggestions[:PROPOSALS]
    strange = [room for room in rooms if room not in session.deal.edition.cards(LOCATION)]
    if strange:
        raise BadInput(f"{session.deal.cards(strange)} is no room")
    return [proposal for proposal in advice.suggestions if proposal.cards[LOCATION] in rooms]


def habit_lines(session: AdviceSession, advice: Advice) -> list[str]:
    """What is believed of the habits of those who have asked something, in sentences."""
    askers = {entry.by for entry in session.entries if isinstance(entry, Suggestion)}
    return [habit_in_words(found, session.deal.name(found.seat)) for found in advice.habits if found.seat in askers]


def suggest_lines(session: AdviceSession, advice: Advice, rooms: Sequence[int] | None = None) -> list[Line]:
    """The best suggestions, or all in some rooms, and why the first of them."""
    deal = session.deal
    found = proposals(session, advice, rooms)
    lines: list[Line] = []
    if advice.accusation.accuse:
        lines.append((f"Accuse {deal.cards(advice.accusation.cards)} (accuse says why). Else suggest:", "bold green"))
    if rooms is not None:
        lines.append((f"All {len(found)} suggestions in {joined((deal.cards([room]) for room in rooms), 'or')}:", None))
    names = [deal.cards(proposal.cards) for proposal in found]
    width = max(map(len, names), default=0)
    lines.append((f"{'   suggest':{width + 3}}   tells of {advice.entropy:.1f} bits   settles it", "dim"))
    for number, (name, proposal) in enumerate(zip(names, found, strict=True), start=1):
        settles = percent(proposal.solves) if proposal.solves else "-"
        told = f"{number:<3}{name:{width}}   {proposal.gain:11.2f}        {settles:>10}"
        lines.append((told, "bold" if number == 1 else None))
    if found:
        lines.append((f"Why the first: {why_ask(session, found[0].cards)}.", None))
    return [*lines, *((line, "dim") for line in habit_lines(session, advice))]


def why_ask(session: AdviceSession, cards: Sequence[int]) -> str:
    """What naming these cards is about: `Rope is yours, so nobody shows it; ...`."""
    return "; ".join(_about(session, card) for card in cards)


def _about(session: AdviceSession, card: int) -> str:
    """What naming a card is about."""
    shares, name = session.shares()[card], session.deal.cards([card])
    places = [place for place in range(session.envelope + 1) if shares[place]]
    if session.deal.holds(card):
        return f"{name} is yours, so nobody shows it"
    if card in session.deal.face_up:
        return f"{name} lies face up, so nobody shows it"
    if len(places) == 1:
        return placed(session, card, places[0])
    if session.envelope not in places:
        return f"{name} is not in the envelope, but it is not certain who has it"
    return f"{name} is in the envelope in {percent(shares[session.envelope])} of all deals left"


def show_lines(session: AdviceSession, asked: Asked, shows: Sequence[Showing]) -> list[Line]:
    """Which card to show to who asks."""
    deal = session.deal
    lines: list[Line] = [(show_headline(session, asked, shows), "bold")]
    if len(shows) > 1:
        for number, showing in enumerate(shows, start=1):
            lines.append(
                (f"{number}  {deal.cards([showing.card]):16}   {showing_tells(session, asked, showing)}", None)
            )
    return lines


def show_headline(session: AdviceSession, asked: Asked, shows: Sequence[Showing]) -> str:
    """Which card to show, in one sentence."""
    best = session.deal.cards([shows[0].card])
    if len(shows) == 1:
        return f"Show {best}: you hold no other of these."
    return f"Show {best}. What each card would tell {session.deal.names[asked.by]} about the envelope:"


def showing_tells(session: AdviceSession, asked: Asked, showing: Showing) -> str:
    """What a card would tell who asks: bits about the envelope, or nothing where they have seen it."""
    deal = session.deal
    before = {
        entry.card
        for entry in session.entries
        if isinstance(entry, Suggestion) and (entry.by, entry.disprover) == (asked.by, deal.me)
    }
    seen = showing.card in before
    return f"nothing new, {deal.names[asked.by]} has seen it" if seen else f"{showing.tells:.2f} bits"


def accuse_lines(session: AdviceSession, found: Accusation) -> list[Line]:
    """Whether to accuse, and why."""
    cards = session.deal.cards(found.cards)
    solutions = dict(session.solutions())
    if len(solutions) == 1:
        return [(f"Accuse {cards}: it is certain.", "bold green")]
    counted = solutions.get(tuple(found.cards), 0.0)
    lines: list[Line] = [(f"Accuse {cards}.", "bold green") if found.accuse else ("Do not accuse.", "bold")]
    likely = f"{percent(found.probability)} as people play, {percent(counted)} if all deals left are equally likely"
    lines.append((f"{cards} is the likeliest of {len(solutions)} envelopes: {likely}.", None))
    if found.danger:
        lines.append((f"Another player wins before your next turn with {percent(found.danger)}.", None))
    if not found.accuse and not session.may_accuse:
        first = "If you can suggest in this turn, do so first" if session.may_end_turn else "In your turn suggest first"
        lines.append((f"{first}, and ask again when your suggestion was answered.", None))
    return lines


def envelope_lines(session: AdviceSession) -> list[Line]:
    """What the envelope may hold, in one line."""
    solutions = session.solutions()
    cards, share = solutions[0]
    if len(solutions) == 1:
        return [(f"The envelope holds {session.deal.cards(cards, 'and')}: accuse in your turn.", "bold green")]
    alike = sum(other > share - 1e-9 for _, other in solutions)
    likeliest = (
        f"{session.deal.cards(cards)}, {percent(share)}" if alike == 1 else f"{alike} with {percent(share)} each"
    )
    return [(f"{len(solutions)} envelopes are possible; the likeliest: {likeliest}.", None)]
