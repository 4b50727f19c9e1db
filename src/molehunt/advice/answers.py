"""The adviser's answers in words: what to suggest and why, which card to show, whether to accuse, what the envelope may hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from molehunt.advice.entries import LOCATION, Asked
from molehunt.advice.session import AdviceSession
from molehunt.agents.speed_clue.exact import Accusation, Advice, Proposal, Showing, habit_in_words
from molehunt.core.errors import BadInput
from molehunt.core.language import _, counted_in
from molehunt.core.words import joined, number_said, percent_said
from molehunt.games.speed_clue.suggestions import HeardSuggestion

Line: TypeAlias = tuple[str, str | None]
"""A line and its style."""

PROPOSALS = 5


def placed(session: AdviceSession, card: int, place: int) -> str:
    """That a card is somewhere: `Rope is with Bob`."""
    name = session.deal.cards([card])
    if place == session.envelope:
        return _("{card} is in the envelope", card=name)
    return _("{card} is with {player}", card=name, player=session.place_name(place))


def proposals(session: AdviceSession, advice: Advice, rooms: Sequence[int] | None = None) -> list[Proposal]:
    """What to suggest, the best first: the best few of all, or, where `rooms` are given, all there are in them.

    BadInput where one of these is no room.
    """
    if rooms is None:
        return advice.suggestions[:PROPOSALS]
    strange = [room for room in rooms if room not in session.deal.edition.cards(LOCATION)]
    if strange:
        raise BadInput(_("{card} is no room", card=session.deal.cards(strange)))
    return [proposal for proposal in advice.suggestions if proposal.cards[LOCATION] in rooms]


def habit_lines(session: AdviceSession, advice: Advice) -> list[str]:
    """What is believed of the habits of those who have asked something, in sentences."""
    askers = {entry.by for entry in session.entries if isinstance(entry, HeardSuggestion)}
    return [habit_in_words(found, session.deal.name(found.seat)) for found in advice.habits if found.seat in askers]


def suggest_lines(session: AdviceSession, advice: Advice, rooms: Sequence[int] | None = None) -> list[Line]:
    """The best suggestions, or all in some rooms, and why the first of them."""
    deal = session.deal
    found = proposals(session, advice, rooms)
    lines: list[Line] = []
    if advice.accusation.accuse:
        certain = deal.cards(advice.accusation.cards)
        lines.append((_("Accuse {cards} (accuse says why). Else suggest:", cards=certain), "bold green"))
    if rooms is not None:
        where = joined((deal.cards([room]) for room in rooms), "or")
        told = counted_in("All {n} suggestions in {rooms}:", "All {n} suggestions in {rooms}:", len(found), rooms=where)
        lines.append((told, None))
    names = [deal.cards(proposal.cards) for proposal in found]
    width = max(map(len, names), default=0)
    heads = (_("suggest"), _("tells of {bits} bits", bits=number_said(advice.entropy, ".1f")), _("settles it"))
    lines.append((f"   {heads[0]:{width}}   {heads[1]}   {heads[2]}", "dim"))
    for number, (name, proposal) in enumerate(zip(names, found, strict=True), start=1):
        settles = percent_said(proposal.solves) if proposal.solves else "-"
        gain = number_said(proposal.gain, f"{len(heads[1]) - 6}.2f")
        told = f"{number:<3}{name:{width}}   {gain}        {settles:>{len(heads[2])}}"
        lines.append((told, "bold" if number == 1 else None))
    if any(proposal.gain > found[0].gain for proposal in found):
        lines.append((_("The order also weighs what the others learn by the answer."), "dim"))
    if found:
        lines.append((_("Why the first: {why}.", why=why_ask(session, found[0].cards)), None))
    return [*lines, *((line, "dim") for line in habit_lines(session, advice))]


def why_ask(session: AdviceSession, cards: Sequence[int]) -> str:
    """What naming these cards is about: `the envelope holds Hall with 20 %, if all ...; Rope is yours, so nobody shows it`.

    Cards of which that is unsure share one clause, so that what their chances stand on is said once.
    """
    shares = session.shares()
    unsure = [card for card in cards if shares[card][session.envelope] and np.count_nonzero(shares[card]) > 1]
    told = [_about(session, card) for card in cards if card not in unsure]
    if unsure:
        chances = (
            _(
                "{card} with {chance}",
                card=session.deal.cards([card]),
                chance=percent_said(shares[card][session.envelope]),
            )
            for card in unsure
        )
        told.insert(
            0,
            _(
                "the envelope holds {chances}, if all ways in which the cards may lie are equally likely",
                chances=joined(chances),
            ),
        )
    return "; ".join(told)


def _about(session: AdviceSession, card: int) -> str:
    """What naming a card is about of which one knows whether the envelope holds it."""
    shares, name = session.shares()[card], session.deal.cards([card])
    places = [place for place in range(session.envelope + 1) if shares[place]]
    if session.deal.holds(card):
        return _("{card} is yours, so nobody shows it", card=name)
    if card in session.deal.face_up:
        return _("{card} lies face up, so nobody shows it", card=name)
    if card in session.laid_open:
        return _("{card} lies open, so nobody shows it", card=name)
    if len(places) == 1:
        return placed(session, card, places[0])
    return _("{card} is not in the envelope, but it is not certain who has it", card=name)


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
        return _("Show {card}: you hold no other of these.", card=best)
    asker = session.deal.names[asked.by]
    return _("Show {card}. What each card would tell {name} about the envelope:", card=best, name=asker)


def showing_tells(session: AdviceSession, asked: Asked, showing: Showing) -> str:
    """What a card would tell who asks: bits about the envelope, or nothing where they have seen it."""
    deal = session.deal
    before = {
        entry.card
        for entry in session.entries
        if isinstance(entry, HeardSuggestion) and (entry.by, entry.disprover) == (asked.by, deal.me)
    }
    if showing.card in before:
        return _("nothing new, {name} has seen it", name=deal.names[asked.by])
    return _("{number} bits", number=number_said(max(showing.tells, 0.0), ".2f"))


def accuse_lines(session: AdviceSession, found: Accusation) -> list[Line]:
    """Whether to accuse, and why."""
    cards = session.deal.cards(found.cards)
    solutions = dict(session.solutions())
    if len(solutions) == 1:
        return [(_("Accuse {cards}: it is certain.", cards=cards), "bold green")]
    counted = solutions.get(tuple(found.cards), 0.0)
    lines: list[Line] = [
        (_("Accuse {cards}.", cards=cards), "bold green") if found.accuse else (_("Do not accuse."), "bold")
    ]
    likely = _(
        "{cards} is the likeliest of {number} envelopes: {played} as people play, {counted} if all ways in which the cards may lie "
        "are equally likely.",
        cards=cards,
        number=len(solutions),
        played=percent_said(found.probability),
        counted=percent_said(counted),
    )
    lines.append((likely, None))
    if found.danger:
        danger = _("Another player wins before your next turn with {chance}.", chance=percent_said(found.danger))
        lines.append((danger, None))
    if not found.accuse and not session.may_accuse:
        again = (
            _("If you can suggest in this turn, do so first, and ask again when your suggestion was answered.")
            if session.may_end_turn
            else _("In your turn suggest first, and ask again when your suggestion was answered.")
        )
        lines.append((again, None))
    return lines


def envelope_lines(session: AdviceSession) -> list[Line]:
    """What the envelope may hold, in one line."""
    solutions = session.solutions()
    cards, share = solutions[0]
    if len(solutions) == 1:
        held = session.deal.cards(cards, "and")
        return [(_("The envelope holds {cards}: accuse in your turn.", cards=held), "bold green")]
    alike = sum(other > share - 1e-9 for _cards, other in solutions)
    number, chance = len(solutions), percent_said(share)
    if alike == 1:
        likeliest = session.deal.cards(cards)
        told = _(
            "{number} envelopes are possible; the likeliest: {cards}, {chance}.",
            number=number,
            cards=likeliest,
            chance=chance,
        )
    else:
        told = _(
            "{number} envelopes are possible; the likeliest: {alike} with {chance} each.",
            number=number,
            alike=alike,
            chance=chance,
        )
    return [(told, None)]
