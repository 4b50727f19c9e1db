"""What the players of the family of `strategies` say when they are asked why: the move, and what they looked for with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from molehunt.agents.speed_clue.strategy_parameters import Strategy
from molehunt.core.language import _, counted_in, later
from molehunt.core.panels import seat_name
from molehunt.core.words import joined
from molehunt.games.speed_clue.actions import ACCUSE, PLAY_SHIFT, SHOW, SUGGEST
from molehunt.games.speed_clue.edition import CATEGORIES, Edition
from molehunt.games.speed_clue.friendly import View
from molehunt.games.speed_clue.notation import triple_of
from molehunt.reading.speed_clue.knowledge import OBSERVED

TWO_LEFT = 2
"""Of so many cards left of a category `mixed` asks for the one that somebody may hold."""
SHOWN = {
    "first": later("It shows {card}, of the cards that it may show the first of the list."),
    "last": later("It shows {card}, of the cards that it may show the last of the list."),
    "random": later("It shows {card}, one of the cards that it may show, drawn by lot."),
    "most_shown": later("It shows {card}: none of the cards that it may show have more of the others seen."),
    "least": later(
        "It shows {card}: none of the cards that it may show have more of the others seen; of equals, it was named most often."
    ),
}
"""Why a card is shown, by `Strategy.show`."""


@dataclass(frozen=True)
class Sheet:
    """What a chair knows at its move, as sets of cards, and by which strategy it asks.

    `owned`, `lacks`, `may`, `supposed` and `often` are by seat: `may` are the cards that a seat may have, as it has shown one of
    several, or (`supposed`) as it keeps naming them (4.4.3), and `often` those for which the strategy therefore asks. `envelope`
    and `out` are the cards that are in the envelope and those that are not.
    """

    strategy: Strategy
    edition: Edition
    seat: int
    owned: list[int]
    lacks: list[int]
    may: list[int]
    supposed: list[int]
    often: list[int]
    envelope: int
    out: int

    @classmethod
    def of(cls, strategy: Strategy, edition: Edition, mind: Any) -> Sheet:
        """The sheet of a mind, dtype `knowledge.MIND`."""
        seats = int(mind["seats"])
        owned, lacks, may = ([int(cards) for cards in mind[name][:seats]] for name in ("owned", "lacks", "may"))
        supposed = [
            sum(1 << card for card in range(len(edition.names)) if rule[card] == OBSERVED) & cards
            for rule, cards in zip(mind["rule"], may, strict=False)
        ]
        asks = strategy.repeats if strategy.suspects == "target" else 0
        often = [
            sum(1 << card for card in range(len(edition.names)) if asks and times[card] >= asks) & cards
            for times, cards in zip(mind["times"], may, strict=False)
        ]
        closed = int(mind["envelope"]), int(mind["not_envelope"])
        return cls(strategy, edition, int(mind["seat"]), owned, lacks, may, supposed, often, *closed)

    def others(self, step: int = 1) -> list[int]:
        """The other seats, from the next on; from the one before on with `step` -1."""
        seats = len(self.owned)
        return [(self.seat + step * number) % seats for number in range(1, seats)]

    def kind(self, category: int) -> int:
        """The cards of a category."""
        return sum(1 << card for card in self.edition.cards(category))

    def left(self, category: int) -> int:
        """The cards of a category that may be in the envelope."""
        return self.kind(category) & (self.envelope if self.solved(category) else ~self.out)

    def solved(self, category: int) -> bool:
        """Whether the envelope's card of a category is known."""
        return self.envelope & self.kind(category) != 0

    def wanted(self) -> int:
        """The cards that may be in the envelope, of categories that are not solved."""
        return sum(self.left(category) for category in range(len(CATEGORIES)) if not self.solved(category))

    def targeted(self, cards: tuple[int, int, int]) -> tuple[int, int] | None:
        """The card of a question with which it asks a seat for what that seat names often, and the seat; None where it does not."""
        for seat in self.others():
            for category in (2, 0, 1):
                sought = self.left(category) & self.often[seat]
                if sought and not self.solved(category):
                    return (cards[category], seat) if sought >> cards[category] & 1 else None
        return None

    def named(self, cards: Iterable[int], link: str = "and") -> str:
        """Cards as a list in a sentence."""
        return joined((_(self.edition.names[card]) for card in cards), link)


def choice_in_words(sheet: Sheet, view: View, action: int) -> list[str]:
    """What it does, and why, in sentences, a line each."""
    play = action >> PLAY_SHIFT
    if play == SHOW:
        return [_shown(sheet, view, triple_of(action)[0])]
    if play == ACCUSE:
        return [_accusation(sheet, view, triple_of(action))]
    if play == SUGGEST:
        return _question(sheet, triple_of(action))
    complete = all(map(sheet.solved, range(len(CATEGORIES))))
    return [
        _("It ends its turn: it accuses only at the beginning of one.")
        if complete
        else _("It ends its turn: by its sheet it does not know the envelope yet.")
    ]


def _shown(sheet: Sheet, view: View, card: int) -> str:
    """Why it shows a card."""
    asked = view.suggestions[-1]
    names = {"card": sheet.named([card]), "name": seat_name(asked.seat)}
    if sum(each in view.hand for each in asked.cards) == 1:
        return _("It shows {card}: of the cards that {name} asked for it has no other.", **names)
    name = sheet.edition.names[card]
    again = any(
        it.seat == asked.seat and it.disprover == view.seat and it.shown == name for it in view.suggestions[:-1]
    )
    if again and sheet.strategy.reshow:
        return _("It shows {card}, which {name} has seen before, and so learns nothing new from it.", **names)
    return _(SHOWN[sheet.strategy.show], **names)


def _accusation(sheet: Sheet, view: View, cards: tuple[int, int, int]) -> str:
    """Why it accuses."""
    last = view.suggestions[-1] if view.suggestions else None
    names = tuple(sheet.edition.names[card] for card in cards)
    own = any(name in view.hand for name in names)
    if last is not None and (last.seat, last.cards, last.disprover) == (view.seat, names, None) and not own:
        return _("It accuses with what it asked about: nobody could show a card of it, and none is its own.")
    number = 1
    for category in range(len(CATEGORIES)):
        number *= sheet.left(category).bit_count()
    if number > 1:
        return _(
            "It accuses and guesses: its sheet leaves {number} envelopes, and it waits no longer than for {guess}.",
            number=number,
            guess=sheet.strategy.guess,
        )
    return _("It accuses: by its sheet it knows all three cards of the envelope.")


def _question(sheet: Sheet, cards: tuple[int, int, int]) -> list[str]:
    """What a question is to find out, and why it names these cards."""
    open_cards = [
        card for category, card in enumerate(cards) if not sheet.solved(category) and not sheet.out >> card & 1
    ]
    lines = []
    said = {"cards": sheet.named(cards), "asked": sheet.named(open_cards, "or")}
    if open_cards:
        lines.append(
            _(
                "It asks about {cards} to learn whether somebody has one of them: by its sheet, each may be in the envelope.",
                **said,
            )
            if len(open_cards) == len(cards)
            else counted_in(
                "It asks about {cards} to learn whether somebody has {asked}: by its sheet, that may be in the envelope.",
                "It asks about {cards} to learn whether somebody has {asked}: by its sheet, each may be in the envelope.",
                len(open_cards),
                **said,
            )
        )
        lines.append(_aim(sheet, cards, open_cards))
    else:
        lines.append(_("It asks about {cards}, none of which it needs to ask about.", **said))
    quietly = sheet.targeted(cards) is not None
    lines += [_beside(sheet, category, card, quietly) for category, card in enumerate(cards) if card not in open_cards]
    return lines


def _aim(sheet: Sheet, cards: tuple[int, int, int], asked: list[int]) -> str:
    """What the strategy looks for in the cards that it asks about."""
    ask, target = sheet.strategy.ask, sheet.targeted(cards)
    if target is not None:
        card, seat = target
        return _(
            "It asks for {card} to learn whether {name} has it, who keeps naming it.",
            card=sheet.named([card]),
            name=seat_name(seat),
        )
    if ask == "mixed":
        for category, card in enumerate(cards):
            left = sheet.left(category)
            if card in asked and left.bit_count() == TWO_LEFT and any(may >> card & 1 for may in sheet.may):
                return _(
                    "Two cards of its kind are left: {card} is one that somebody may have.", card=sheet.named([card])
                )
    if ask in ("next_not_held", "mixed") or (ask == "by_hand" and _is_of_one_kind(sheet)):
        return _roundabout(sheet, cards, asked)
    if ask == "next_possible":
        return _direct(sheet, asked, sheet.others())
    if ask == "previous_possible":
        return _direct(sheet, asked, sheet.others(-1))
    if ask == "no_intelligence":
        return (
            _("It goes through the cards that it has not seen, in the order of the list.")
            if sheet.strategy.choice == "systematic"
            else _(
                "It goes through the cards that it has not seen, by lot, and names none again before all have been named."
            )
        )
    return _any_of_them(sheet)


def _any_of_them(sheet: Sheet) -> str:
    """That it looked for nothing in the cards that it asks about but that they may be in the envelope."""
    return (
        _("Of such cards it takes the next one of the list.")
        if sheet.strategy.choice == "systematic"
        else _("Which of such cards it names is left to chance.")
    )


def _is_of_one_kind(sheet: Sheet) -> bool:
    """Whether more than half of the hand is of one category."""
    hand = sheet.owned[sheet.seat]
    return 2 * max((hand & sheet.kind(category)).bit_count() for category in range(len(CATEGORIES))) > hand.bit_count()


def _roundabout(sheet: Sheet, cards: tuple[int, int, int], asked: list[int]) -> str:
    """It looked for cards that others are known to lack: all others, or the next and the one after."""
    others = sheet.others()
    if sheet.strategy.all_opponents:
        lacked = [card for card in asked if any(sheet.lacks[seat] >> card & 1 for seat in others)]
        if lacked:
            return _(
                "It looks for cards that as many others as possible are known not to have, so that few can show them: {cards}.",
                cards=sheet.named(lacked),
            )
        if any(sheet.wanted() & sheet.lacks[seat] for seat in others):
            return _any_of_them(sheet)
        return _(
            "It would name cards that others are known not to have, but knows of none that may be in the envelope."
        )
    names = {"next": seat_name(others[0]), "after": seat_name(others[1 % len(others)])}
    first, second = (
        [card for card in asked if sheet.lacks[seat] >> card & 1] for seat in (others[0], others[1 % len(others)])
    )
    if first:
        beyond = [card for card in second if card not in first]
        if beyond:
            return _(
                "It looks for cards that those next in turn are known not to have, so that others must answer: {next} has not "
                "{cards}, and {after} not {beyond}.",
                cards=sheet.named(first, "or"),
                beyond=sheet.named(beyond, "or"),
                **names,
            )
        return _(
            "It looks for cards that {next} is known not to have, so that others must answer: {cards}.",
            cards=sheet.named(first),
            **names,
        )
    for card in second:
        if all(sheet.lacks[others[0]] >> other & 1 for other in cards if other != card):
            return _(
                "It looks for cards that {next} is known not to have, so that others must answer: {cards}.",
                next=names["after"],
                cards=sheet.named([card]),
            )
    if sheet.wanted() & sheet.lacks[others[0]]:
        return _any_of_them(sheet)
    return _(
        "It would name cards that {next} is known not to have, but finds none that may be in the envelope.", **names
    )


def _direct(sheet: Sheet, asked: list[int], others: list[int]) -> str:
    """It looked for a card that a neighbour may have, or, over all, the nearest of the others."""
    looked_at = others if sheet.strategy.all_opponents else others[:1]
    for seat in looked_at:
        held = [card for card in asked if sheet.may[seat] >> card & 1]
        if held:
            name = seat_name(seat)
            shown, named = ([card for card in held if (sheet.supposed[seat] >> card & 1) == often] for often in (0, 1))
            said = {"name": name, "cards": sheet.named(shown, "or"), "often": sheet.named(named)}
            told = (
                _("It asks {name} for a card that they may have: they keep naming {often}.", **said)
                if not shown
                else _(
                    "It asks {name} for a card that they may have: they once showed {cards} or a card named with it, and keep "
                    "naming {often}.",
                    **said,
                )
                if named
                else _(
                    "It asks {name} for a card that they may have: they once showed {cards} or a card named with it.",
                    **said,
                )
            )
            silent = [card for card in asked if sheet.lacks[seat] >> card & 1]
            if sheet.strategy.ask == "previous_possible" and silent:
                told += " " + _(
                    "Beside it: {cards}, which {name} is known not to have.", name=name, cards=sheet.named(silent)
                )
            return told
    if any(sheet.wanted() & sheet.may[seat] for seat in looked_at):
        return _any_of_them(sheet)
    return (
        _("It would name a card that one of the others has perhaps shown, but knows of none.")
        if sheet.strategy.all_opponents
        else _("It would name a card that {name} has perhaps shown, but knows of none.", name=seat_name(others[0]))
    )


def _beside(sheet: Sheet, category: int, card: int, quietly: bool) -> str:
    """Why it names a card that it does not ask about; `quietly`: so that nobody shows it in the place of another."""
    its = sheet.strategy
    quiet = sheet.others(-1 if its.ask == "previous_possible" else 1)[0]
    said = {"card": sheet.named([card]), "next": seat_name(quiet)}
    own = sheet.owned[sheet.seat] >> card & 1
    if own and quietly:
        return _("Beside it: {card}, which it holds itself, so that nobody shows another card instead.", **said)
    if not sheet.solved(category):
        return (
            _("It names {card} by habit, though it holds that card itself.", **said)
            if own
            else _("It names {card} by habit, though it knows that it is not in the envelope.", **said)
        )
    chosen = quietly or its.solved != "any" or its.ask == "mixed"
    known = sheet.named(each for each in sheet.edition.cards(category) if sheet.envelope >> each & 1)
    if chosen and sheet.envelope >> card & 1:
        return _("It knows that {card} is in the envelope and names it, since nobody can show it.", **said)
    if chosen and own:
        return _(
            "It knows that {known} is in the envelope; in its place it names {card}, which it holds itself.",
            known=known,
            **said,
        )
    if sheet.envelope >> card & 1:
        return _("It knows that {card} is in the envelope and names it: any card of its kind will do.", **said)
    if sheet.lacks[quiet] >> card & 1 and (chosen or its.ask in ("next_not_held", "by_hand", "previous_possible")):
        return _(
            "It knows that {known} is in the envelope; in its place it names {card}, which {next} is known not to have.",
            known=known,
            **said,
        )
    return _("It knows that {known} is in the envelope; in its place any card will do: {card}.", known=known, **said)
