"""Games of Clue on a board, simulated with small card sets, as a person at one seat would enter them; and all deals, listed.

Players stand in rooms and must name the one in which they stand; turns pass without a suggestion; parts of one are not heard;
cards are left over face up; single cards become known beside the game. What an entry says of a deal is looked up in that deal and
in nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from molehunt.advice.deal import Board, Deal
from molehunt.advice.entries import Entry, Left, OneOf, Seen, Stands
from molehunt.games.speed_clue.edition import Edition, even_deal
from molehunt.games.speed_clue.suggestions import Accusation, Heard, HeardSuggestion, Triple

NAMES = ("Ann", "Bob", "Carol", "Dave")
MOST_DEALS = 4000
TURNS = 14
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Hands = tuple[frozenset[int], ...]
"""The cards of each player, and of the envelope."""
Truth = npt.NDArray[np.bool_]


def small_edition(chance: random.Random) -> Edition:
    """A card set of two to four cards a kind."""
    counts = (chance.randint(2, 3), chance.randint(2, 3), chance.randint(2, 4))
    letters = tuple(LETTERS[: sum(counts)])
    return Edition("simulated", "simulated", tuple(f"Card {letter}" for letter in letters), letters, counts)


def is_true(entry: Entry, hands: Hands, edition: Edition) -> bool:
    """Whether an entry agrees with a deal."""
    if isinstance(entry, Stands):
        return True
    if isinstance(entry, Seen):
        return (entry.card in hands[entry.place]) == entry.has
    if isinstance(entry, Left):
        return hands[entry.player] == set(entry.cards)
    if isinstance(entry, OneOf):
        return any(card in hands[entry.player] for card in entry.cards)
    if isinstance(entry, Accusation):
        return (set(entry.cards) == hands[-1]) == entry.right
    kinds = [edition.cards(category) if card is None else [card] for category, card in enumerate(entry.cards)]
    return any(answered_so(entry, set(cards), hands) for cards in product(*kinds))


def answered_so(entry: HeardSuggestion, cards: set[int], hands: Hands) -> bool:
    """Whether a suggestion of these cards is answered as the entry says."""
    players = len(hands) - 1
    for step in range(1, players):
        other = (entry.by + step) % players
        shown = frozenset() if other in entry.gone else cards & hands[other]
        if shown:
            return other == entry.disprover and (entry.card is None or entry.card in shown)
    return entry.disprover is None


@dataclass(frozen=True)
class BoardGame:
    """A game: what was dealt, as I know it and in truth, and what I enter."""

    deal: Deal
    hands: Hands
    entries: tuple[Entry, ...]

    @cached_property
    def all_deals(self) -> list[Hands]:
        """All deals that agree with my hand, what lies face up, and the sizes of hands."""
        return list(deals_of(self.deal))

    def truth(self, entry: Entry) -> Truth:
        """Which of all deals an entry agrees with."""
        return np.array([is_true(entry, hands, self.deal.edition) for hands in self.all_deals])

    @cached_property
    def places(self) -> npt.NDArray[np.bool_]:
        """Where each card is in each deal: shape (deals, cards, players + 1)."""
        cards = range(len(self.deal.edition.names))
        return np.array([[[card in hand for hand in hands] for card in cards] for hands in self.all_deals])


def deals_of(deal: Deal) -> Iterator[Hands]:
    """All deals that agree with my hand, what lies face up, and the sizes of hands."""
    edition = deal.edition
    for envelope in product(*(edition.cards(category) for category in range(3))):
        if not any(deal.in_sight(card) for card in envelope):
            rest = [card for card in range(len(edition.names)) if not deal.in_sight(card) and card not in envelope]
            for hands in _shared_out(rest, deal, 0):
                yield (*hands, frozenset(envelope))


def _shared_out(rest: Sequence[int], deal: Deal, player: int) -> Iterator[Hands]:
    if player == deal.players:
        yield ()
        return
    choices = [deal.hand] if player == deal.me else combinations(rest, deal.sizes[player])
    for hand in choices:
        for others in _shared_out([card for card in rest if card not in hand], deal, player + 1):
            yield (frozenset(hand), *others)


def simulate(seed: int) -> BoardGame:
    """A game by its seed, of which at most MOST_DEALS deals agree with my hand."""
    chance = random.Random(seed)
    while True:
        game = _dealt(chance)
        if game is not None and len(game.all_deals) <= MOST_DEALS:
            break
    return BoardGame(game.deal, game.hands, tuple(_played(game, chance)))


def with_one_who_leaves(game: BoardGame, chance: random.Random) -> BoardGame:
    """The same game up to some moment, at which a player leaves and lays their cards open, and how it goes on without them."""
    deal = game.deal
    begun = [entry for entry in game.entries if not (isinstance(entry, Accusation) and entry.right)]
    begun = begun[: chance.randint(0, len(begun))]
    player = chance.choice(deal.others)
    hands = tuple(frozenset() if place == player else hand for place, hand in enumerate(game.hands))
    rest = BoardGame(deal, hands, ())
    out = {entry.by for entry in begun if isinstance(entry, Accusation)}
    asking = [by for by in range(deal.players) if by != player and by not in out]
    entries = [*begun, Left(player, tuple(sorted(game.hands[player])))]
    for turn in range(TURNS // 2 if asking else 0):
        by = asking[turn % len(asking)]
        made = _suggested(rest, by, chance.choice(deal.edition.cards(2)), chance)
        entries.append(replace(made, gone=(player,)))
    return BoardGame(deal, game.hands, tuple(entries))


def _dealt(chance: random.Random) -> BoardGame | None:
    """A deal; None where the cards do not suffice for the players."""
    edition, players = small_edition(chance), chance.randint(2, len(NAMES))
    envelope = frozenset(chance.choice(edition.cards(category)) for category in range(3))
    cards = [card for card in range(len(edition.names)) if card not in envelope]
    chance.shuffle(cards)
    left_over = chance.choice([0, 0, len(cards) % players, 1])
    face_up, cards = tuple(cards[:left_over]), cards[left_over:]
    if len(cards) < players:
        return None
    sizes = even_deal(len(cards), players, chance.randrange(players))
    hands = [frozenset(cards[sum(sizes[:player]) : sum(sizes[: player + 1])]) for player in range(players)]
    me = chance.randrange(players)
    board = Board(chance.choice([1.0, 2.0, 3.5])) if chance.random() < 0.7 else None
    deal = Deal(edition, NAMES[:players], me, tuple(sorted(hands[me])), sizes, face_up, board)
    return BoardGame(deal, (*hands, envelope), ())


def _played(game: BoardGame, chance: random.Random) -> Iterator[Entry]:
    """What happens, as I enter it."""
    deal, edition = game.deal, game.deal.edition
    rooms = [chance.choice(edition.cards(2)) for _ in range(deal.players)]
    out: set[int] = set()
    for turn in range(TURNS):
        by = turn % deal.players
        if chance.random() < 0.15:
            yield _beside(game, chance)
        if by in out:
            continue
        if chance.random() < 0.6:
            rooms[by] = chance.choice(edition.cards(2))
            if by != deal.me and chance.random() < 0.2:
                yield Stands(by, rooms[by])
        if chance.random() < 0.8:
            yield _suggested(game, by, rooms[by], chance)
        if chance.random() < 0.05:
            accused = _some(edition, chance)
            yield Accusation(by, accused, right=set(accused) == game.hands[-1])
            if set(accused) == game.hands[-1]:
                return
            out.add(by)


def _some(edition: Edition, chance: random.Random, room: int | None = None) -> Triple:
    """Any suspect and weapon, in a room."""
    suspect, weapon, location = (chance.choice(edition.cards(category)) for category in range(3))
    return suspect, weapon, location if room is None else room


def _suggested(game: BoardGame, by: int, room: int, chance: random.Random) -> HeardSuggestion:
    """A suggestion with its answer, as I hear and see it."""
    deal = game.deal
    cards = _some(deal.edition, chance, room)
    disprover, card = None, None
    for step in range(1, deal.players):
        other = (by + step) % deal.players
        fitting = sorted(game.hands[other].intersection(cards))
        if fitting:
            disprover, card = other, chance.choice(fitting)
            break
    heard: Heard = cards
    if by != deal.me and chance.random() < 0.3:
        missed = chance.randrange(3)
        heard = (
            None if missed == 0 else cards[0],
            None if missed == 1 or chance.random() < 0.2 else cards[1],
            None if missed == 2 else cards[2],
        )
    seen = disprover == deal.me or (by == deal.me and chance.random() < 0.9)
    return HeardSuggestion(by, heard, disprover, card if seen else None)


def _beside(game: BoardGame, chance: random.Random) -> Entry:
    """Something true that becomes known beside the game."""
    deal = game.deal
    other = chance.choice(deal.others)
    cards = [card for card in range(len(deal.edition.names)) if not deal.in_sight(card)]
    kind = chance.randrange(3)
    if kind == 0:
        place = chance.choice([*deal.others, deal.players])
        free = [card for card in cards if card not in game.hands[place]]
        return Seen(place, chance.choice(free), has=False)
    held = chance.choice(sorted(game.hands[other]))
    more = [card for card in cards if card != held]
    if kind == 1 or not more:
        return Seen(other, held)
    return OneOf(other, tuple(sorted([held, *chance.sample(more, min(len(more), chance.randint(1, 2)))])))


def mistaken(game: BoardGame, chance: random.Random) -> Entry:
    """An entry of this game with a mistake in it, which no deal may agree with; or any false one."""
    deal = game.deal
    other = chance.choice(deal.others)
    if chance.random() < 0.5:
        return Seen(other, chance.choice([card for card in range(len(deal.edition.names)) if not deal.holds(card)]))
    shown_by = chance.choice([player for player in range(deal.players) if player not in (other, deal.me)] or [None])
    return HeardSuggestion(other, _some(deal.edition, chance), shown_by)
