"""What was dealt, told to the adviser or corrected at its prompt: the hand, sizes, cards face up, the board, names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from molehunt.advice.deal import check_meaning, likely_sizes, number_dealt
from molehunt.advice.findings import Conflict
from molehunt.advice.lines import read_hand
from molehunt.advice.session import AdviceSession
from molehunt.core.errors import BadInput
from molehunt.core.language import _
from molehunt.core.words import joined
from molehunt.terminal.advice_setup import read_board, read_face_up, read_sizes
from molehunt.terminal.prompts import Prompter

HANGING = 6
"""How far what does not fit on a line is set in."""


class DealtCommands:
    """Commands about what was dealt, with what follows the word; `changed` is told the conflict after a change."""

    def __init__(self, session: AdviceSession, prompter: Prompter, changed: Callable[[Conflict | None], None]) -> None:
        self.session = session
        self.say = prompter.say
        self._changed = changed

    def hand(self, rest: str) -> None:
        """Tell the hand, or correct it."""
        deal = self.session.deal
        if rest:
            self._changed(self.session.redeal(replace(deal, hand=read_hand(rest, deal.edition))))
        deal = self.session.deal
        others = joined(f"{deal.names[player]} ({deal.sizes[player]})" for player in deal.others)
        told = _("You hold {cards}. After you: {players}.", cards=deal.cards(deal.hand), players=others)
        lying = _("Face up: {cards}.", cards=deal.cards(deal.face_up))
        self.say(f"{told} {lying}" if deal.face_up else told, indent=HANGING)

    def sizes(self, rest: str) -> None:
        """Tell how many cards everybody has, or correct it."""
        deal = self.session.deal
        if rest:
            sizes = read_sizes(rest, deal.players, deal.dealt)
            self._changed(self.session.redeal(replace(deal, sizes=sizes)))
            deal = self.session.deal
        self.say(", ".join(f"{name} {size}" for name, size in zip(deal.names, deal.sizes, strict=True)))

    def face_up(self, rest: str) -> None:
        """Tell which cards lie face up, or correct it."""
        deal = self.session.deal
        if rest:
            cards = read_face_up(rest, deal.edition)
            sizes = deal.sizes
            if len(cards) != len(deal.face_up):
                sizes = likely_sizes(number_dealt(deal.edition, cards), deal.players, deal.me, len(deal.hand))
            self._changed(self.session.redeal(replace(deal, face_up=cards, sizes=sizes)))
        lying = self.session.deal.cards(self.session.deal.face_up)
        self.say(_("Face up: {cards}.", cards=lying) if lying else _("Face up: no card."))
        self.sizes("")

    def board(self, rest: str) -> None:
        """Tell how rooms are named and how often one suggests, or correct it."""
        if rest:
            self._changed(self.session.redeal(replace(self.session.deal, board=read_board(rest))))
        self.say(f"{self.session.deal.board_words()}.")

    def rename(self, rest: str) -> None:
        """Give a player another name."""
        deal = self.session.deal
        old, _space, new = rest.partition(" ")
        if not new:
            raise BadInput(_("write the player and the new name: rename bob Rob"))
        player = deal.find_player(old)
        check_meaning(new.strip())
        names = tuple(new.strip() if other == player else name for other, name in enumerate(deal.names))
        self._changed(self.session.redeal(replace(deal, names=names)))
        self.say(_("The players are {names}.", names=", ".join(names)))
