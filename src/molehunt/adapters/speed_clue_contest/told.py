"""What the contest's server tells in one game, held against itself and against the own hand.

A server may say what cannot be: that a card of one's own was shown, or one that somebody else has. A game can go on after that, so
such a message is named and made as harmless as it can be: a card that cannot have been shown counts as not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from molehunt.adapters.speed_clue_contest.protocol import (
    Disprove,
    Message,
    OwnSuggestion,
    Reply,
    Reset,
    Show,
    format_message,
)
from molehunt.adapters.speed_clue_contest.talk import ContestError
from molehunt.beliefs.deals import Deals
from molehunt.core.meanwhile import is_at_hand, machine_code
from molehunt.core.words import joined
from molehunt.games.speed_clue.edition import CATEGORIES, Edition, even_deal, load_edition
from molehunt.games.speed_clue.ruleset import CONTEST
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion, Triple, asked_in_vain

Factual: TypeAlias = Disprove | HeardSuggestion | Accusation
"""Messages that tell something of who holds what."""

KERNELS = "speed_clue"
"""What the kernels that count deals are called where they are made (`core.meanwhile`)."""
MOST_INSTEAD = 3
"""So many messages are named that could have come in place of an impossible one."""


class Told:
    """What was told in one game. `fault` says in words which message cannot be, the first of them, if any.

    Deals are counted by compiled kernels. Until there is machine code for them messages are held against the hand alone, and
    against each other with the first one after that.
    """

    def __init__(self, edition: Edition, message: Reset) -> None:
        self.fault = ""
        self._edition = edition
        self._seats, self._seat, self._hand = message.seats, message.seat, message.cards
        self._suggested: Triple | None = None
        self._shown: int | None = None
        self._others = [(message.seat + step) % message.seats for step in range(1, message.seats)]
        self._deals = self._dealt()
        self._example: tuple[int, ...] = ()
        for category, kind in enumerate(CATEGORIES):
            if set(edition.cards(category)) <= set(message.cards):
                self._find(message, f"all {kind} are in this hand, and one is in the envelope")

    def said(self, reply: Reply) -> None:
        """What this seat has replied."""
        if isinstance(reply, OwnSuggestion):
            self._suggested = reply.cards
        elif isinstance(reply, Show):
            self._shown = reply.card

    def hear(self, message: Message) -> Message:
        """A message as the game goes on with it; `fault` tells what is wrong with it, where it is the first that cannot be.

        ContestError where it lacks a card that this seat must be told.
        """
        if not isinstance(message, Disprove | HeardSuggestion | Accusation) or not self._seated(message):
            return message
        if isinstance(message, HeardSuggestion) and message.disprover is not None and message.card is None:
            self._check_whether_card_is_due(message)
        why = self._against_hand(message) or self._against_earlier(message)
        if why:
            self._find(message, why)
            message = self._made_harmless(message)
        if not (why and (self._against_hand(message) or self._against_earlier(message))):
            self._deals = self._with(message)
        if isinstance(message, HeardSuggestion):
            self._suggested = self._shown = None
        return message

    def _check_whether_card_is_due(self, message: HeardSuggestion) -> None:
        if self._seat in {message.by, message.disprover}:
            raise ContestError("who asked and who showed are told which card was shown")

    def _find(self, message: Message, why: str) -> None:
        """Keep why a message cannot be, and which could have come instead; only of the first."""
        if self.fault:
            return
        self.fault = f"{self._quoted(message)}: {why}"
        if isinstance(message, HeardSuggestion | Accusation):
            instead = [self._quoted(other) for other in self._could_be(message)]
            if len(instead) > MOST_INSTEAD:
                instead = [*instead[:MOST_INSTEAD], f"{len(instead) - MOST_INSTEAD} more"]
            if instead:
                self.fault += f"; right could be {joined(instead, 'or')}"

    def _quoted(self, message: Message) -> str:
        return repr(format_message(message, self._edition))

    def _codes(self, cards: Iterable[int | None] | None) -> str:
        return joined(self._edition.codes[card] for card in cards or () if card is not None)

    def _seated(self, message: Factual) -> bool:
        """Whether all players of a message are there; where one is not, the seat refuses it."""
        players = [message.suggester if isinstance(message, Disprove) else message.by]
        if isinstance(message, HeardSuggestion) and message.disprover is not None:
            players.append(message.disprover)
        return all(player < self._seats for player in players)

    # --- Against what this seat holds and has said ------------------------------------------------------------------

    def _against_hand(self, message: Factual) -> str:
        """Why a message cannot be, whatever else was told; nothing where it can."""
        if isinstance(message, Disprove):
            return ""
        mine = [card for card in message.cards if card in self._hand]
        if isinstance(message, Accusation):
            return f"{self._codes(mine)} cannot be in the envelope, but in this hand" if message.right and mine else ""
        card, own = message.card, message.by == self._seat
        why = {
            f"this seat suggested {self._codes(self._suggested)}": own and self._suggested not in {None, message.cards},
            f"{self._codes([card])} was not suggested": card is not None and card not in message.cards,
        }
        if message.disprover == self._seat:
            why |= {
                f"this seat has none of these, but {self._codes(self._hand)}": not mine,
                f"this seat showed {self._codes([self._shown])}": self._shown not in {None, card},
                f"this seat has not {self._codes([card])}, but {self._codes(mine)}": card not in mine,
            }
        else:
            asked = self._seat in message.without(self._seats)
            why |= {
                f"this seat, player {self._seat}, was asked and has {self._codes(mine)}": asked and bool(mine),
                f"{self._codes([card])} is in this hand": card in mine,
                f"{self._codes(mine)} are in this hand": message.disprover is not None and len(mine) == len(CATEGORIES),
            }
        return next((text for text, wrong in why.items() if wrong), "")

    # --- Against what was told before -------------------------------------------------------------------------------

    def _dealt(self) -> Deals:
        """All deals to the others, the holders from the one after this seat, with nothing told yet; sources are messages."""
        edition, number = self._edition, len(self._edition.names)
        pool = [card for card in range(number) if card not in self._hand]
        kinds = [[card for card in edition.cards(category) if card in pool] for category in range(len(CATEGORIES))]
        sizes = even_deal(number - len(CATEGORIES), self._seats)
        return Deals(pool, [sizes[seat] for seat in self._others], kinds)

    def _with(self, message: Factual) -> Deals:
        """What was told, and this."""
        deals, source = self._deals.copy(), self._quoted(message)
        if isinstance(message, Accusation):
            add = deals.not_envelope if not message.right else lambda *said: deals.holds(deals.envelope, *said)
            add(message.cards, source)
            return deals
        heard = (
            message
            if isinstance(message, HeardSuggestion)
            else HeardSuggestion(message.suggester, message.cards, self._seat)
        )
        for player in heard.without(self._seats):
            if player != self._seat:
                deals.lacks(self._others.index(player), heard.heard, source)
        if heard.disprover is not None and heard.disprover != self._seat:
            holder = self._others.index(heard.disprover)
            if heard.card is None:
                deals.holds_one_of(holder, heard.heard, source)
            else:
                deals.holds(holder, [heard.card], source)
        return deals

    def _is_possible(self, deals: Deals) -> bool:
        """Whether some deal agrees, the one found last being tried first; taken for granted where there is no machine code yet."""
        hands = self._example
        if hands and all(fact.is_met(hands) for fact in deals.facts):
            return True
        if not is_at_hand(KERNELS):
            return True
        with machine_code(KERNELS):
            if not deals.possible:
                return False
            drawn = [int(hand) for hand in deals.sample(1)[0]]
        self._example = (*drawn, deals.pool - sum(drawn))
        return True

    def _against_earlier(self, message: Factual) -> str:
        """Why a message cannot be, by what was told before; nothing where it can."""
        while not self._is_possible(deals := self._with(message)):
            with machine_code(KERNELS):
                found = deals.conflict(by_source=True)
            said = [fact.source for fact in (found.facts if found is not None else deals.facts)]
            *before, last = dict.fromkeys(source for source in (fact.source for fact in deals.facts) if source in said)
            why = f"it contradicts {joined(before)}" if before else "with this hand it cannot be"
            if last == self._quoted(message):
                return why
            # What was told before there was machine code.
            self.fault = self.fault or f"{last}: {why}"
            self._deals = self._deals.without(*(fact for fact in self._deals.facts if fact.source == last))
        return ""

    # --- What else could have been said -----------------------------------------------------------------------------

    def _could_be(self, message: HeardSuggestion | Accusation) -> Iterator[HeardSuggestion | Accusation]:
        """What would have been possible in place of a message; nothing where that is not known yet."""
        others: list[HeardSuggestion | Accusation] = []
        if isinstance(message, Accusation):
            others = [replace(message, right=not message.right)]
        elif is_at_hand(KERNELS):
            asked = self._suggested if message.by == self._seat and self._suggested is not None else message.cards
            rest = [
                player for player in asked_in_vain(message.by, message.by, self._seats) if player != message.disprover
            ]
            for player in [message.disprover, *rest, *([] if message.disprover is None else [None])]:
                told = player is not None and self._seat in {message.by, player}
                cards = [self._shown] if player == self._seat and self._shown is not None else asked if told else [None]
                others += [replace(message, cards=asked, disprover=player, card=card) for card in cards]
        yield from (other for other in others if not self._against_hand(other) and self._is_possible(self._with(other)))

    def _made_harmless(self, message: Factual) -> Factual:
        """A message that cannot be as the game goes on with it: another card than the one it names was shown."""
        if not isinstance(message, HeardSuggestion) or message.card is None:
            return message
        mine = [card for card in message.cards if card in self._hand]
        if message.disprover != self._seat:
            return replace(message, card=None)
        if message.card in message.cards and not mine:
            return message
        return replace(message, card=self._shown if self._shown in mine else (*mine, *message.cards)[0])


def use_told() -> None:
    """Use all kernels that are used here, once."""
    told = Told(load_edition(CONTEST.cards), Reset(3, 0, (0, 6, 12, 1, 7, 13)))
    for right in (False, True):
        told.hear(Accusation(1, (2, 8, 14), right))
