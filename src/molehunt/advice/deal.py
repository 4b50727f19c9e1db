"""Who sits at a real table of Clue and what was dealt there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from molehunt.core.errors import BadInput
from molehunt.core.language import _, counted_in, later, spoken_words
from molehunt.core.words import joined
from molehunt.games.speed_clue.edition import Edition, even_deal
from molehunt.games.speed_clue.ruleset import MAX_SEATS
from molehunt.games.speed_clue.suggestions import Heard
from molehunt.table.clue_words import heard

MIN_PLAYERS, MAX_PLAYERS = 2, MAX_SEATS
MAX_NAME = 16
NOBODY_WORDS = later("- none nobody no")
UNKNOWN = "?"
ENVELOPE_WORDS = later("envelope env")
ME = later("me")
"""Words that may be typed for nobody and nothing, for the envelope, for me: read by `spoken_words`."""
MOST_TURNS = 20.0
NOT_HEARD = (later("some suspect"), later("some weapon"), later("some location"))
"""What is said of a card of each category that was not heard."""


class Ambiguous(BadInput):
    """What was written may mean several."""


@dataclass(frozen=True)
class Board:
    """The game is played on a board: who suggests must name the room in which they stand.

    turns: how many turns a player takes for a suggestion, in the mean, as there are ways to go.
    """

    turns: float = 2.0

    def __post_init__(self) -> None:
        if not 1 <= self.turns <= MOST_TURNS:
            raise BadInput(
                _(
                    "a player takes 1 to {most} turns for a suggestion, not {turns}",
                    most=f"{MOST_TURNS:g}",
                    turns=f"{self.turns:g}",
                )
            )


@dataclass(frozen=True)
class Deal:
    """Who sits at the table, and what was dealt.

    edition: the card set; names: the players in the order of asking; me: my number; hand: my cards; sizes: how many cards each
    player has; face_up: cards that were left over and lie open for all; board: None where rooms are named freely, and everybody
    suggests in every turn. BadInput says what does not fit.
    """

    edition: Edition
    names: tuple[str, ...]
    me: int
    hand: tuple[int, ...]
    sizes: tuple[int, ...]
    face_up: tuple[int, ...] = ()
    board: Board | None = None

    def __post_init__(self) -> None:
        check_names(self.names)
        if not 0 <= self.me < len(self.names):
            raise BadInput(_("one of the {number} players must be you", number=len(self.names)))
        if any(name.lower() == ME and player != self.me for player, name in enumerate(self.names)):
            raise BadInput(_("a player called Me can only be you"))
        check_hand(self.hand, self.edition, self.face_up)
        check_sizes(self.sizes, len(self.names), self.dealt)
        if len(self.hand) != self.sizes[self.me]:
            raise BadInput(
                _(
                    "your hand has {number} cards, and by the hand sizes it has {size}",
                    number=len(self.hand),
                    size=self.sizes[self.me],
                )
            )

    @property
    def players(self) -> int:
        """How many sit at the table; also the place of the envelope."""
        return len(self.names)

    @property
    def dealt(self) -> int:
        """How many cards were dealt."""
        return number_dealt(self.edition, self.face_up)

    @property
    def others(self) -> tuple[int, ...]:
        """The other players, from the one after me."""
        return tuple((self.me + step) % self.players for step in range(1, self.players))

    def holds(self, card: int) -> bool:
        """Whether a card is in my hand."""
        return card in self.hand

    def in_sight(self, card: int) -> bool:
        """Whether a card is in my hand or lies face up, so that nobody else has it."""
        return card in self.hand or card in self.face_up

    def may_be(self, cards: Heard) -> tuple[int, ...]:
        """All cards that may have been named: those heard, and of what was not heard every card of its kind."""
        return tuple(
            card
            for category, named in enumerate(cards)
            for card in ([named] if named is not None else self.edition.cards(category))
        )

    def is_name(self, text: str) -> bool:
        """Whether a text is the whole name of a player, whatever else it means: in another language it may mean something."""
        return " ".join(text.lower().split()) in map(str.lower, self.names)

    def find_player(self, text: str) -> int:
        """The player that a forgiving text means: the name, `me`, or the beginning of a name; BadInput otherwise."""
        if text.strip().lower() in spoken_words(ME) and not self.is_name(text):
            return self.me
        return find_name(text, self.names, or_me=self.names[self.me].lower() != ME)

    def find_card(self, text: str) -> int:
        """The card that a forgiving text means; BadInput otherwise."""
        return find_card(text, self.edition)

    # --- In words -------------------------------------------------------------------------------------------------------

    def name(self, place: int) -> str:
        """The name of a player, `you` for me, or the envelope; all as who does something in a sentence."""
        if place == self.players:
            return _("the envelope")
        return _("you") if place == self.me else self.names[place]

    def cards(self, cards: Sequence[int], link: str = "") -> str:
        """Cards by name; `link`, "and" or "or", stands before the last."""
        names = [self.edition.said(card) for card in cards]
        return joined(names, link) if link and names else ", ".join(names)

    def heard(self, cards: Heard) -> list[str]:
        """The cards of a suggestion by name; of what was not heard its kind: `some weapon`."""
        return [
            _(NOT_HEARD[category]) if card is None else self.edition.said(card) for category, card in enumerate(cards)
        ]

    def in_sight_words(self, cards: Sequence[int]) -> str:
        """Where those of the cards are that nobody else has: `you hold Rope, and Hall lies face up`; nothing for none."""
        mine = [card for card in cards if self.holds(card)]
        lying = [card for card in cards if card in self.face_up]
        held = _("you hold {cards}", cards=self.cards(mine, "and"))
        seen = counted_in("{cards} lies face up", "{cards} lie face up", len(lying), cards=self.cards(lying, "and"))
        if mine and lying:
            return _("{held}, and {seen}", held=held, seen=seen)
        return held if mine else seen if lying else ""

    def board_words(self) -> str:
        """Whether rooms are forced, as a sentence without its full stop."""
        if self.board is None:
            return _("Everybody names any room, and suggests in every turn")
        if self.board.turns == 1:
            return _("Everybody names the room in which they stand, and suggests in every turn")
        turns = f"{self.board.turns:g}"
        return _("Everybody names the room in which they stand, and suggests about once in {turns} turns", turns=turns)


def find_card(text: str, edition: Edition, category: int | None = None) -> int:
    """The card that a forgiving text means, called as in the language that is spoken or as in the notation; BadInput otherwise."""
    return heard(lambda cards: cards.find(text, category), edition)


def number_dealt(edition: Edition, face_up: Sequence[int] = ()) -> int:
    """How many cards are dealt to the players: all but the envelope's and those left over."""
    return len(edition.names) - 3 - len(face_up)


def likely_sizes(cards: int, players: int, me: int, mine: int) -> tuple[int, ...]:
    """Hand sizes where I have so many cards: of an even deal where there is one, else as even as can be."""
    for first in range(players):
        sizes = even_deal(cards, players, first)
        if sizes[me] == mine:
            return sizes
    others = even_deal(cards - mine, players - 1)
    return (*others[:me], mine, *others[me:])


def find_name(text: str, names: Sequence[str], or_me: bool = False) -> int:
    """The place of the name that a text means, or is the beginning of; BadInput otherwise. `or_me`: `me` would do, too."""
    wanted = " ".join(text.lower().split())
    lower = [name.lower() for name in names]
    found = [place for place, name in enumerate(lower) if name == wanted] or [
        place for place, name in enumerate(lower) if wanted and name.startswith(wanted)
    ]
    if len(found) == 1:
        return found[0]
    typed, known = f"{text!r:.40}", ", ".join(names)
    if found:
        may_be = joined((names[place] for place in found), "or")
        raise Ambiguous(_("{text} may be {names}; write more of it", text=typed, names=may_be))
    if or_me:
        raise BadInput(_("no player is called {text}; there are {names}, and me", text=typed, names=known))
    raise BadInput(_("no player is called {text}; there are {names}", text=typed, names=known))


# --- What cannot be -----------------------------------------------------------------------------------------------------


def check_names(names: Sequence[str]) -> None:
    """BadInput where these cannot be the names of the players, whatever language is spoken."""
    if not MIN_PLAYERS <= len(names) <= MAX_PLAYERS:
        raise BadInput(
            _(
                "{least} to {most} players play, you included, not {number}",
                least=MIN_PLAYERS,
                most=MAX_PLAYERS,
                number=len(names),
            )
        )
    lower = [name.lower() for name in names]
    for name in names:
        quoted = f"{name!r:.40}"
        if not 1 <= len(name) <= MAX_NAME or not name.isprintable() or " ".join(name.split()) != name or "," in name:
            raise BadInput(_("a name has 1 to {most} signs and no comma, not {name}", most=MAX_NAME, name=quoted))
        if name.lower() in (*NOBODY_WORDS.split(), UNKNOWN, *ENVELOPE_WORDS.split()):
            raise _means_else(name)
        if lower.count(name.lower()) > 1:
            raise BadInput(_("two players are called {name}; give each a name of their own", name=name))


def check_meaning(name: str) -> None:
    """BadInput where a name that is given means something else in the language that is spoken."""
    if name.lower() in (*spoken_words(NOBODY_WORDS), *spoken_words(ENVELOPE_WORDS)):
        raise _means_else(name)


def _means_else(name: str) -> BadInput:
    return BadInput(_("{name} means something else here; give that player another name", name=f"{name!r:.40}"))


def check_hand(hand: Sequence[int], edition: Edition, face_up: Sequence[int] = ()) -> None:
    """BadInput where these cannot be the cards of one hand and those that lie face up."""
    if not hand:
        raise BadInput(_("a hand has at least one card"))
    for cards, twice in ((hand, later("{card} is in the hand twice")), (face_up, later("{card} is face up twice"))):
        for card in cards:
            if not 0 <= card < len(edition.names):
                raise no_such_card(card)
            if cards.count(card) > 1:
                raise BadInput(_(twice, card=edition.said(card)))
    both = next((card for card in hand if card in face_up), None)
    if both is not None:
        raise BadInput(_("{card} cannot be in your hand and lie face up", card=edition.said(both)))
    for category in range(3):
        if all(card in hand or card in face_up for card in edition.cards(category)):
            names = ", ".join(map(edition.said, edition.cards(category)))
            raise BadInput(_("one of {cards} is in the envelope", cards=names))


def no_such_card(card: int) -> BadInput:
    """The error of a number that is no card's."""
    return BadInput(_("the card set has no card number {number}", number=card))


def check_sizes(sizes: Sequence[int], players: int, cards: int) -> None:
    """BadInput where these cannot be the sizes of the hands of all players."""
    if len(sizes) != players or min(sizes, default=0) < 1:
        told = " ".join(map(str, sizes))
        raise BadInput(
            _("write how many cards each of the {players} players has, not {sizes}", players=players, sizes=told)
        )
    if sum(sizes) != cards:
        told = " + ".join(map(str, sizes))
        raise BadInput(_("{cards} cards are dealt, and {sizes} is {sum}", cards=cards, sizes=told, sum=sum(sizes)))
