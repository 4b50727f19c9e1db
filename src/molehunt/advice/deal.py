"""Who sits at a real table of Clue and what was dealt there, and how entries are said in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from molehunt.advice.entries import LOCATION, Asked, Entry, OneOf, Seen, Stands, who
from molehunt.core.errors import BadInput
from molehunt.core.words import capital, joined
from molehunt.games.speed_clue.edition import SINGULAR, Edition
from molehunt.games.speed_clue.ruleset import MAX_SEATS
from molehunt.games.speed_clue.suggestions import Accusation, Heard, Suggestion

MIN_PLAYERS, MAX_PLAYERS = 2, MAX_SEATS
MAX_NAME = 16
NOBODY_WORDS = ("-", "none", "nobody", "no")
UNKNOWN = "?"
ENVELOPE_WORDS = ("envelope", "env")
ME = "me"
MOST_TURNS = 20.0


@dataclass(frozen=True)
class Board:
    """The game is played on a board: who suggests must name the room in which they stand.

    turns: how many turns a player takes for a suggestion, in the mean, as there are ways to go.
    """

    turns: float = 2.0

    def __post_init__(self) -> None:
        if not 1 <= self.turns <= MOST_TURNS:
            raise BadInput(f"a player takes 1 to {MOST_TURNS:g} turns for a suggestion, not {self.turns:g}")


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
            raise BadInput(f"one of the {len(self.names)} players must be you")
        if any(name.lower() == ME and player != self.me for player, name in enumerate(self.names)):
            raise BadInput("a player called Me can only be you")
        check_hand(self.hand, self.edition, self.face_up)
        check_sizes(self.sizes, len(self.names), self.dealt)
        if len(self.hand) != self.sizes[self.me]:
            raise BadInput(f"your hand has {len(self.hand)} cards, and by the hand sizes it has {self.sizes[self.me]}")

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
            for category, heard in enumerate(cards)
            for card in ([heard] if heard is not None else self.edition.cards(category))
        )

    def find_player(self, text: str) -> int:
        """The player that a forgiving text means: the name, its beginning, or `me`; BadInput otherwise."""
        if text.strip().lower() == ME:
            return self.me
        return find_name(text, self.names, "" if self.names[self.me].lower() == ME else ", and me")

    # --- In words -------------------------------------------------------------------------------------------------------

    def name(self, place: int) -> str:
        """The name of a player, `you` for me, or the envelope."""
        if place == self.players:
            return "the envelope"
        return "you" if place == self.me else self.names[place]

    def cards(self, cards: Sequence[int], link: str = "") -> str:
        """Cards by name; `link` stands before the last."""
        names = [self.edition.names[card] for card in cards]
        return joined(names, link) if link and names else ", ".join(names)

    def heard(self, cards: Heard) -> list[str]:
        """The cards of a suggestion by name; of what was not heard its kind: `some weapon`."""
        return [
            f"some {SINGULAR[category]}" if card is None else self.edition.names[card]
            for category, card in enumerate(cards)
        ]

    def in_sight_words(self, cards: Sequence[int]) -> str:
        """Where those of the cards are that nobody else has: `you hold Rope, and Hall lies face up`; nothing for none."""
        mine = [card for card in cards if self.holds(card)]
        lying = [card for card in cards if card in self.face_up]
        told = [f"you hold {self.cards(mine, 'and')}"] if mine else []
        told += [f"{self.cards(lying, 'and')} {'lies' if len(lying) == 1 else 'lie'} face up"] if lying else []
        return ", and ".join(told)

    def board_words(self) -> str:
        """Whether rooms are forced, as a sentence without its full stop."""
        if self.board is None:
            return "Everybody names any room, and suggests in every turn"
        often = "in every turn" if self.board.turns == 1 else f"about once in {self.board.turns:g} turns"
        return f"Everybody names the room in which they stand, and suggests {often}"

    def say(self, entry: Entry | Asked) -> str:
        """An entry as a sentence without its full stop."""
        place = entry.by if isinstance(entry, Asked) else who(entry)
        name, you = capital(self.name(place)), place == self.me
        if isinstance(entry, Seen):
            does = ("have" if entry.has else "do not have") if you else ("has" if entry.has else "does not have")
            return f"{name} {does} {self.edition.names[entry.card]}"
        if isinstance(entry, OneOf):
            return f"{name} {'have' if you else 'has'} one of {self.cards(entry.cards)}"
        if isinstance(entry, Stands):
            room = "no room" if entry.room is None else self.edition.names[entry.room]
            return f"{name} {'stand' if you else 'stands'} in {room}"
        if isinstance(entry, Accusation):
            end = "right" if entry.right else f"wrong, and {'are' if you else 'is'} out"
            return f"{name} accused {self.cards(entry.cards)}: {end}"
        if isinstance(entry, Asked):
            return f"{name} {'ask' if you else 'asks'} you for {self.cards(entry.cards)}"
        vain = entry.without(self.players)
        told = [f"{joined(self.name(player) for player in vain)} had none"] if vain else []
        if entry.disprover is None:
            told = ["nobody could show a card"]
        else:
            shown = "a card" if entry.card is None else self.edition.names[entry.card]
            told.append(f"{self.name(entry.disprover)} showed {shown}")
        return f"{name} suggested {', '.join(self.heard(entry.cards))}; {', '.join(told)}"


def number_dealt(edition: Edition, face_up: Sequence[int] = ()) -> int:
    """How many cards are dealt to the players: all but the envelope's and those left over."""
    return len(edition.names) - 3 - len(face_up)


def even_deal(cards: int, players: int, first: int = 0) -> tuple[int, ...]:
    """The hand sizes where `first` was dealt the first card."""
    return tuple((cards + players - 1 - (player - first) % players) // players for player in range(players))


def likely_sizes(cards: int, players: int, me: int, mine: int) -> tuple[int, ...]:
    """Hand sizes where I have so many cards: of an even deal where there is one, else as even as can be."""
    for first in range(players):
        sizes = even_deal(cards, players, first)
        if sizes[me] == mine:
            return sizes
    others = even_deal(cards - mine, players - 1)
    return (*others[:me], mine, *others[me:])


def find_name(text: str, names: Sequence[str], more: str = "") -> int:
    """The place of the name that a text means, or is the beginning of; BadInput otherwise, `more` ends what it says."""
    wanted = " ".join(text.lower().split())
    lower = [name.lower() for name in names]
    found = [place for place, name in enumerate(lower) if name == wanted] or [
        place for place, name in enumerate(lower) if wanted and name.startswith(wanted)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise BadInput(f"{text!r:.40} may be {joined((names[place] for place in found), 'or')}; write more of it")
    raise BadInput(f"no player is called {text!r:.40}; there are {', '.join(names)}{more}")


# --- What cannot be -----------------------------------------------------------------------------------------------------


def check_names(names: Sequence[str]) -> None:
    """BadInput where these cannot be the names of the players."""
    if not MIN_PLAYERS <= len(names) <= MAX_PLAYERS:
        raise BadInput(f"{MIN_PLAYERS} to {MAX_PLAYERS} players play, you included, not {len(names)}")
    lower = [name.lower() for name in names]
    for name in names:
        if not 1 <= len(name) <= MAX_NAME or not name.isprintable() or " ".join(name.split()) != name or "," in name:
            raise BadInput(f"a name has 1 to {MAX_NAME} signs and no comma, not {name!r:.40}")
        if name.lower() in (*NOBODY_WORDS, UNKNOWN, *ENVELOPE_WORDS):
            raise BadInput(f"{name!r} means something else here; give that player another name")
        if lower.count(name.lower()) > 1:
            raise BadInput(f"two players are called {name}; give each a name of their own")


def check_hand(hand: Sequence[int], edition: Edition, face_up: Sequence[int] = ()) -> None:
    """BadInput where these cannot be the cards of one hand and those that lie face up."""
    if not hand:
        raise BadInput("a hand has at least one card")
    for cards, where in ((hand, "in the hand"), (face_up, "face up")):
        for card in cards:
            if not 0 <= card < len(edition.names):
                raise BadInput(f"the card set has no card number {card}")
            if cards.count(card) > 1:
                raise BadInput(f"{edition.names[card]} is {where} twice")
    both = next((card for card in hand if card in face_up), None)
    if both is not None:
        raise BadInput(f"{edition.names[both]} cannot be in your hand and lie face up")
    for category in range(3):
        if all(card in hand or card in face_up for card in edition.cards(category)):
            raise BadInput(
                f"one of {', '.join(edition.names[card] for card in edition.cards(category))} is in the envelope"
            )


def check_sizes(sizes: Sequence[int], players: int, cards: int) -> None:
    """BadInput where these cannot be the sizes of the hands of all players."""
    if len(sizes) != players or min(sizes, default=0) < 1:
        raise BadInput(f"write how many cards each of the {players} players has, not {' '.join(map(str, sizes))}")
    if sum(sizes) != cards:
        raise BadInput(f"{cards} cards are dealt, and {' + '.join(map(str, sizes))} is {sum(sizes)}")


def check_entries(entries: Sequence[Entry], deal: Deal) -> None:
    """BadInput, with the number of the entry, where one of them cannot be, whoever holds which cards."""
    out: dict[int, int] = {}
    for number, entry in enumerate(entries, start=1):
        before = entries[number - 2] if number > 1 else None
        fault = _fault(entry, deal)
        if isinstance(before, Accusation) and before.right:
            fault = f"the game ended with entry {number - 1}, a right accusation"
        elif not fault and isinstance(entry, (Suggestion, Accusation)) and entry.by in out:
            have = "have" if entry.by == deal.me else "has"
            fault = f"{deal.name(entry.by)} {have} accused wrongly in entry {out[entry.by]}, and can only answer"
        if fault:
            raise BadInput(f"entry {number}: {fault}")
        if isinstance(entry, Accusation) and not entry.right:
            out[entry.by] = number


def _fault(entry: Entry, deal: Deal) -> str:
    """Why an entry cannot be, whoever holds which cards; nothing where it can."""
    players = [who(entry)]
    if isinstance(entry, Suggestion) and entry.disprover is not None:
        players.append(entry.disprover)
    last = deal.players if isinstance(entry, Seen) else deal.players - 1
    if not all(0 <= player <= last for player in players):
        return f"players are numbered 0 to {deal.players - 1}, not {', '.join(map(str, players))}"
    if isinstance(entry, Stands):
        rooms = deal.edition.cards(LOCATION)
        return "" if entry.room is None or entry.room in rooms else "players stand in rooms, and nowhere else"
    if isinstance(entry, (Seen, OneOf)):
        return _fault_of_known(entry, deal)
    cards = enumerate(entry.cards)
    if any(card is not None and card not in deal.edition.cards(category) for category, card in cards):
        return "three cards are a suspect, a weapon and a location, in this order"
    return _fault_of_answer(entry, deal) if isinstance(entry, Suggestion) else ""


def _fault_of_known(entry: Seen | OneOf, deal: Deal) -> str:
    """Why this cannot have become known; nothing where it can."""
    cards = (entry.card,) if isinstance(entry, Seen) else entry.cards
    for card in cards:
        if not 0 <= card < len(deal.edition.names):
            return f"the card set has no card number {card}"
    if isinstance(entry, OneOf) and (len(cards) < 2 or len(set(cards)) < len(cards)):
        return "who has one of several cards has one of two or more, each named once"
    return "what you hold is your hand, and not an entry" if who(entry) == deal.me else ""


def _fault_of_answer(entry: Suggestion, deal: Deal) -> str:
    """Why a suggestion cannot have been answered so; nothing where it can."""
    if entry.disprover == entry.by:
        return f"{deal.name(entry.by)} cannot answer the own suggestion"
    if entry.by == deal.me and entry.whole is None:
        return "your own suggestion has three cards"
    may_be = deal.may_be(entry.cards)
    if entry.card is not None and (entry.disprover is None or entry.card not in may_be):
        return f"{deal.cards([entry.card])} is not one of the cards asked for: {', '.join(deal.heard(entry.cards))}"
    mine = [card for card in may_be if deal.holds(card)]
    if entry.disprover == deal.me and entry.card is None and len(mine) > 1:
        return f"which card did you show, {deal.cards(mine, 'or')}?"
    return ""
