"""What a person at a real table of Speed Clue tells the adviser: how the cards were dealt, and what happened since.

Players are numbered in the order in which they sit, cards as in the edition. Everything here is a value; what contradicts what
is the business of `advice`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from molehunt.core.errors import BadInput
from molehunt.core.words import capital, joined
from molehunt.games.speed_clue.edition import Edition
from molehunt.games.speed_clue.ruleset import MAX_SEATS, MIN_SEATS

Triple: TypeAlias = tuple[int, int, int]
"""A suspect, a weapon and a location, as card numbers."""

MAX_NAME = 16
NOBODY_WORDS = ("-", "none", "nobody", "no")
UNSEEN = "?"
ENVELOPE_WORDS = ("envelope", "env")
ME = "me"


@dataclass(frozen=True)
class Suggestion:
    """`by` asked for `cards`; `disprover` showed a card (None: nobody could), and it was `card` (None: I do not know which).

    Who was asked in vain follows from the order at the table.
    """

    by: int
    cards: Triple
    disprover: int | None
    card: int | None = None

    def without(self, players: int) -> tuple[int, ...]:
        """Who had none of the cards, in the order of asking."""
        return asked_in_vain(self.by, self.by if self.disprover is None else self.disprover, players)


@dataclass(frozen=True)
class Accusation:
    """`by` accused with `cards`, and was `right` or is out."""

    by: int
    cards: Triple
    right: bool


@dataclass(frozen=True)
class Seen:
    """It became known otherwise that `player` `has` a card, or that they have not."""

    player: int
    card: int
    has: bool = True


@dataclass(frozen=True)
class Asked:
    """`by` asks for `cards`, and it is my turn to answer: not an entry yet."""

    by: int
    cards: Triple


Entry: TypeAlias = Suggestion | Accusation | Seen


def asked_in_vain(by: int, stop: int, players: int) -> tuple[int, ...]:
    """The players from the one after `by` to the one before `stop`, in the order of asking."""
    return tuple((by + step) % players for step in range(1, (stop - by - 1) % players + 1))


def even_deal(cards: int, players: int, first: int = 0) -> tuple[int, ...]:
    """The hand sizes where `first` was dealt the first card."""
    return tuple((cards + players - 1 - (player - first) % players) // players for player in range(players))


@dataclass(frozen=True)
class Deal:
    """Who sits at the table, and what was dealt.

    edition: the card set; names: the players in the order of asking; me: my number; hand: my cards; sizes: how many cards each
    player has. BadInput says what does not fit.
    """

    edition: Edition
    names: tuple[str, ...]
    me: int
    hand: tuple[int, ...]
    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        check_names(self.names)
        if not 0 <= self.me < len(self.names):
            raise BadInput(f"one of the {len(self.names)} players must be you")
        if any(name.lower() == ME and player != self.me for player, name in enumerate(self.names)):
            raise BadInput("a player called Me can only be you")
        check_hand(self.hand, self.edition)
        check_sizes(self.sizes, len(self.names), self.dealt)
        if len(self.hand) != self.sizes[self.me]:
            raise BadInput(f"your hand has {len(self.hand)} cards, and by the hand sizes it has {self.sizes[self.me]}")

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.names)

    @property
    def dealt(self) -> int:
        """How many cards were dealt."""
        return len(self.edition.names) - 3

    @property
    def others(self) -> tuple[int, ...]:
        """The other players, from the one after me."""
        return tuple((self.me + step) % self.players for step in range(1, self.players))

    def holds(self, card: int) -> bool:
        """Whether a card is in my hand."""
        return card in self.hand

    def find_player(self, text: str) -> int:
        """The player that a forgiving text means: the name, its beginning, or `me`; BadInput otherwise."""
        if text.strip().lower() == ME:
            return self.me
        return find_name(text, self.names, "" if self.names[self.me].lower() == ME else ", and me")

    # --- In words -------------------------------------------------------------------------------------------------------

    def name(self, player: int) -> str:
        """The name of a player, `you` for me."""
        return "you" if player == self.me else self.names[player]

    def cards(self, cards: Sequence[int], link: str = "") -> str:
        """Cards by name; `link` stands before the last."""
        names = [self.edition.names[card] for card in cards]
        return joined(names, link) if link and names else ", ".join(names)

    def say(self, entry: Entry | Asked) -> str:
        """An entry as a sentence without its full stop."""
        who = capital(self.name(entry.player if isinstance(entry, Seen) else entry.by))
        you = who == "You"
        if isinstance(entry, Seen):
            does = ("have" if entry.has else "do not have") if you else ("has" if entry.has else "does not have")
            return f"{who} {does} {self.edition.names[entry.card]}"
        if isinstance(entry, Accusation):
            end = "right" if entry.right else f"wrong, and {'are' if you else 'is'} out"
            return f"{who} accused {self.cards(entry.cards)}: {end}"
        if isinstance(entry, Asked):
            return f"{who} {'ask' if you else 'asks'} you for {self.cards(entry.cards)}"
        vain = entry.without(self.players)
        told = [f"{joined(self.name(player) for player in vain)} had none"] if vain else []
        if entry.disprover is None:
            told = ["nobody could show a card"]
        else:
            shown = "a card" if entry.card is None else self.edition.names[entry.card]
            told.append(f"{self.name(entry.disprover)} showed {shown}")
        return f"{who} suggested {self.cards(entry.cards)}; {', '.join(told)}"


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


def check_names(names: Sequence[str]) -> None:
    """BadInput where these cannot be the names of the players."""
    if not MIN_SEATS <= len(names) <= MAX_SEATS:
        raise BadInput(f"{MIN_SEATS} to {MAX_SEATS} players play, you included, not {len(names)}")
    lower = [name.lower() for name in names]
    for name in names:
        if not 1 <= len(name) <= MAX_NAME or not name.isprintable() or " ".join(name.split()) != name or "," in name:
            raise BadInput(f"a name has 1 to {MAX_NAME} signs and no comma, not {name!r:.40}")
        if name.lower() in (*NOBODY_WORDS, UNSEEN, *ENVELOPE_WORDS):
            raise BadInput(f"{name!r} means something else here; give that player another name")
        if lower.count(name.lower()) > 1:
            raise BadInput(f"two players are called {name}; give each a name of their own")


def check_hand(hand: Sequence[int], edition: Edition) -> None:
    """BadInput where these cannot be cards of one hand."""
    if not hand:
        raise BadInput("a hand has at least one card")
    for card in hand:
        if not 0 <= card < len(edition.names):
            raise BadInput(f"the card set has no card number {card}")
        if hand.count(card) > 1:
            raise BadInput(f"{edition.names[card]} is in the hand twice")
    for category in range(3):
        if all(card in hand for card in edition.cards(category)):
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
        elif not fault and not isinstance(entry, Seen) and entry.by in out:
            have = "have" if entry.by == deal.me else "has"
            fault = f"{deal.name(entry.by)} {have} accused wrongly in entry {out[entry.by]}, and can only answer"
        if fault:
            raise BadInput(f"entry {number}: {fault}")
        if isinstance(entry, Accusation) and not entry.right:
            out[entry.by] = number


def _fault(entry: Entry, deal: Deal) -> str:
    """Why an entry cannot be, whoever holds which cards; nothing where it can."""
    players = [entry.player if isinstance(entry, Seen) else entry.by]
    if isinstance(entry, Suggestion) and entry.disprover is not None:
        players.append(entry.disprover)
    if not all(0 <= player < deal.players for player in players):
        return f"players are numbered 0 to {deal.players - 1}, not {', '.join(map(str, players))}"
    if isinstance(entry, Seen):
        if not 0 <= entry.card < len(deal.edition.names):
            return f"the card set has no card number {entry.card}"
        return "what you hold is your hand, and not an entry" if entry.player == deal.me else ""
    if any(card not in deal.edition.cards(category) for category, card in enumerate(entry.cards)):
        return "three cards are a suspect, a weapon and a location, in this order"
    return _fault_of_answer(entry, deal) if isinstance(entry, Suggestion) else ""


def _fault_of_answer(entry: Suggestion, deal: Deal) -> str:
    """Why a suggestion cannot have been answered so; nothing where it can."""
    if entry.disprover == entry.by:
        return f"{deal.name(entry.by)} cannot answer the own suggestion"
    if entry.card is not None and (entry.disprover is None or entry.card not in entry.cards):
        return f"{deal.cards([entry.card])} is not one of the cards asked for: {deal.cards(entry.cards)}"
    mine = [card for card in entry.cards if deal.holds(card)]
    if entry.disprover == deal.me and entry.card is None and len(mine) > 1:
        return f"which card did you show, {deal.cards(mine, 'or')}?"
    return ""
