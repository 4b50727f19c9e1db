"""Reference versions of the Speed Clue players of the 2020 platform, and of the five strategies of Kingston (2017) as
the report on that platform describes them.

Slow on purpose: the knowledge base is the report's dictionary (section 4.1.1), and each deduction is one function named
after its number (section 4.1.2). All randomness is factored out: `basic_suggestions` and its like list every suggestion
that a strategy makes with positive probability. Only `ReferencePlayer` draws.

`possible_deals` enumerates every deal that agrees with what a seat has seen. It knows nothing of the deductions, and so
can judge them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

from .speed_clue import Edition, ReferenceClue, Suggestion, Triple, View, accuse, all_cards, show, suggest, triples

# --- The knowledge base (section 4.1.1) -------------------------------------------------------------------------------

# The states of an entry (figure 4.1).
NO_KNOWLEDGE = "A"
OWNED = "B"
NOT_OWNED = "C"
MAY_OWN = "D"
NOT_REVEALED = "E"  # an own card, at an opponent who has not been shown it
REVEALED = "F"  # an own card, at an opponent who has been shown it
NOT_IN_ENVELOPE = "G"
IN_ENVELOPE = "H"

OVERALL = "overall"
Key = tuple[str, int | str]  # (card, player) or (card, OVERALL)

DEAL = 0  # the turn of what a player knows before the first suggestion
NO_DEDUCTION = 0  # the number of what a player did himself: he has shown the card

DEDUCTION_6 = ("sound", "never", "not_at_deal")


@dataclass(frozen=True)
class Source:
    """Where an entry comes from: the number of the deduction, and of the suggestion it follows from (from 1; 0 is the
    deal)."""

    deduction: int
    turn: int


class Knowledge:
    """What one player has written down. `deduction_6` says when all cards but one of a category make the last one the
    envelope's: always ("sound"), "never", or "not_at_deal" (not when the player writes down his own hand). A player who
    does not deduce writes down the cards that he holds or is shown, and nothing else."""

    def __init__(
        self,
        edition: Edition,
        seat: int,
        seats: int,
        hand: set[str],
        deduction_6: str = "sound",
        deduces: bool = True,
    ) -> None:
        if deduction_6 not in DEDUCTION_6:
            raise ValueError(f"deduction 6 is one of {DEDUCTION_6}, not {deduction_6!r}")
        self.edition = edition
        self.seat = seat
        self.seats = seats
        self.deduction_6 = deduction_6
        self.deduces = deduces
        self.suggestions_read = 0
        self.turn = DEAL
        self.state: dict[Key, str] = {}
        self.source: dict[Key, Source] = {}
        for card in all_cards(edition):
            for player in (*range(seats), OVERALL):
                self.state[card, player] = NO_KNOWLEDGE
        for card in all_cards(edition):
            if card in hand:
                self.deduction_1_player_holds_card(card, seat)
            else:
                self._write(card, seat, NOT_OWNED, 1)

    @property
    def opponents(self) -> list[int]:
        """The other players, in order of seats."""
        return [player for player in range(self.seats) if player != self.seat]

    def is_own(self, card: str) -> bool:
        """The player himself holds the card."""
        return self.state[card, self.seat] == OWNED

    def not_held(self, card: str, player: int) -> bool:
        """The player is known not to hold the card; an own card is held by no opponent."""
        return self.state[card, player] in {NOT_OWNED, NOT_REVEALED, REVEALED}

    def may_hold(self, card: str, player: int) -> bool:
        """The player has shown one of three cards of which this is one, and no more is known."""
        return self.state[card, player] == MAY_OWN

    def envelope_card(self, category: int) -> str | None:
        """The card of a category that is known to be in the envelope."""
        return next((card for card in self.edition[category] if self.state[card, OVERALL] == IN_ENVELOPE), None)

    def solution(self) -> Triple | None:
        """The three cards of the envelope, if all are known: then the player is ready to accuse."""
        suspect, weapon, location = (self.envelope_card(category) for category in range(3))
        if suspect is None or weapon is None or location is None:
            return None
        return suspect, weapon, location

    def _write(self, card: str, player: int | str, state: str, deduction: int) -> None:
        """Write an entry down. An entry that says so already keeps its first source."""
        if self.state[card, player] != state:
            self.state[card, player] = state
            self.source[card, player] = Source(deduction, self.turn)

    # --- Logical deductions (section 4.1.2) ---------------------------------------------------------------------------

    def deduction_1_player_holds_card(self, card: str, player: int, by: int = 1) -> None:
        """A card that a player holds is neither in the envelope nor with any other player. Then deduction 6."""
        self._write(card, player, OWNED, by)
        self._write(card, OVERALL, NOT_IN_ENVELOPE, 1)
        for other in range(self.seats):
            if other == player:
                continue
            if player != self.seat:
                self._write(card, other, NOT_OWNED, 1)
            elif self.state[card, other] != REVEALED:
                self._write(card, other, NOT_REVEALED, 1)
        self.deduction_6_all_but_one(self._category_of(card))

    def deduction_2_player_does_not_hold(self, cards: Triple, player: int) -> None:
        """A player who could not answer holds none of the three. Then deduction 3 for each."""
        for card in cards:
            if not self.is_own(card):
                self._write(card, player, NOT_OWNED, 2)
        for card in cards:
            self.deduction_3_nobody_holds(card)

    def deduction_3_nobody_holds(self, card: str) -> None:
        """A card that nobody holds, oneself included, is in the envelope. Then deduction 7."""
        if all(self.state[card, player] == NOT_OWNED for player in range(self.seats)):
            self._write(card, OVERALL, IN_ENVELOPE, 3)
            self.deduction_7_envelope_card_found(card)

    def deduction_4_third_card(self, cards: Triple, player: int) -> bool:
        """A player who showed one of three cards and holds two of them not, holds the third. Then deduction 1 for it.
        Says whether it applied."""
        held = [card for card in cards if not self.not_held(card, player)]
        if len(held) != 1:
            return False
        self.deduction_1_player_holds_card(held[0], player, by=4)
        return True

    def deduction_5_may_hold(self, cards: Triple, player: int) -> None:
        """Otherwise he may hold each of the three of which nothing is known yet."""
        for card in cards:
            if self.state[card, player] == NO_KNOWLEDGE:
                self._write(card, player, MAY_OWN, 5)

    def deduction_6_all_but_one(self, category: int) -> None:
        """If all cards of a category but one are not in the envelope, the last one is."""
        if self.deduction_6 == "never" or (self.deduction_6 == "not_at_deal" and self.turn == DEAL):
            return
        left = [card for card in self.edition[category] if self.state[card, OVERALL] != NOT_IN_ENVELOPE]
        if len(left) == 1:
            self._write(left[0], OVERALL, IN_ENVELOPE, 6)

    def deduction_7_envelope_card_found(self, found: str) -> None:
        """If a card of a category is in the envelope, the others of the category are not."""
        for card in self.edition[self._category_of(found)]:
            if card != found:
                self._write(card, OVERALL, NOT_IN_ENVELOPE, 7)

    def _category_of(self, card: str) -> int:
        return next(category for category in range(3) if card in self.edition[category])

    # --- Reading the record -------------------------------------------------------------------------------------------

    def read(self, view: View) -> None:
        """Take in the suggestions and answers that were made since the last reading, in their order."""
        for made in view["record"][self.suggestions_read :]:
            if not made.finished:
                return
            self.suggestions_read += 1
            self.turn = self.suggestions_read
            self._take_in(made)

    def _take_in(self, made: Suggestion) -> None:
        if not self.deduces:
            if made.seat == self.seat and made.shown is not None and made.disprover is not None:
                self.deduction_1_player_holds_card(made.shown, made.disprover)
            return
        for player in made.none:
            if player != self.seat:
                self.deduction_2_player_does_not_hold(made.cards, player)
        if made.disprover is None:
            return
        if made.disprover == self.seat:
            # He showed a card himself, and remembers to whom.
            assert made.shown is not None
            self._write(made.shown, made.seat, REVEALED, NO_DEDUCTION)
        elif made.seat == self.seat:
            assert made.shown is not None
            self.deduction_1_player_holds_card(made.shown, made.disprover)
        elif not self.deduction_4_third_card(made.cards, made.disprover):
            self.deduction_5_may_hold(made.cards, made.disprover)


# --- Suggestions ------------------------------------------------------------------------------------------------------

LOCATIONS_FIRST = (2, 1, 0)  # the order in which Kingston's strategies look for a card to ask about


# What is asked for in a category whose envelope card is known: any card of it (2020), or that card again. Kingston's
# systematic players do the latter: were they to ask for the first card of the category, they could be shown it for ever.
ANY_CARD = "any_card"
ENVELOPE_CARD = "envelope_card"


def candidates(knowledge: Knowledge, solved: str = ANY_CARD) -> list[list[str]]:
    """The cards of each category that a suggestion may name: those not known to be outside the envelope; all cards of
    the category once its envelope card is known (section 4.2)."""
    return [
        list(cards)
        if solved == ANY_CARD and knowledge.envelope_card(category) is not None
        else [card for card in cards if knowledge.state[card, OVERALL] != NOT_IN_ENVELOPE]
        for category, cards in enumerate(knowledge.edition)
    ]


def combine(choices: list[list[str]]) -> list[Triple]:
    """Every suggestion that takes one of the given cards of each category, in the order of the lists."""
    suspects, weapons, locations = choices
    return list(product(suspects, weapons, locations))


def basic_suggestions(knowledge: Knowledge, solved: str = ANY_CARD) -> list[Triple]:
    """The basic player: a random candidate of each category (section 4.2)."""
    return combine(candidates(knowledge, solved))


def advanced_suggestions(knowledge: Knowledge, solved: str = ANY_CARD) -> list[Triple]:
    """The advanced player: from the same candidates two cards that the next player does not hold and one that the
    player after him does not hold; else one that the next player does not hold and two random ones; else as the basic
    player (section 4.3)."""
    following = (knowledge.seat + 1) % knowledge.seats
    after_him = (knowledge.seat + 2) % knowledge.seats
    basic = basic_suggestions(knowledge, solved)
    ideal = [cards for cards in basic if _is_ideal(knowledge, cards, following, after_him)]
    one = [cards for cards in basic if any(knowledge.not_held(card, following) for card in cards)]
    return ideal or one or basic


def _is_ideal(knowledge: Knowledge, cards: Triple, following: int, after_him: int) -> bool:
    """In some category the player after next does not hold the card, and in both others the next player does not."""
    return any(
        knowledge.not_held(cards[single], after_him)
        and all(knowledge.not_held(cards[other], following) for other in range(3) if other != single)
        for single in range(3)
    )


def no_intelligence_suggestions(knowledge: Knowledge, solved: str = ENVELOPE_CARD) -> list[Triple]:
    """No intelligence: the cards that one neither holds nor has seen (section 3.1), also where only one is left. It is
    played with a knowledge base that does not deduce."""
    return basic_suggestions(knowledge, ENVELOPE_CARD)


def next_possible_suggestions(knowledge: Knowledge, solved: str = ANY_CARD) -> list[Triple]:
    """Next-possible: one candidate that the next player may hold, a location if there is one, else a weapon, else a
    suspect; the other two as the basic player. Without one, as the basic player (section 2.3.3)."""
    following = (knowledge.seat + 1) % knowledge.seats
    choices = candidates(knowledge, solved)
    asked = _first_that_may_be_held(knowledge, choices, following)
    if asked is not None:
        choices[asked] = [card for card in choices[asked] if knowledge.may_hold(card, following)]
    return combine(choices)


def next_possible_of_two_suggestions(knowledge: Knowledge, solved: str = ANY_CARD) -> list[Triple]:
    """Next-possible over all opponents: "one card from the next player's possible cards and another from the list for the player
    after" (section 4.4.2), locations first; where one of them has none, the players behind are asked for."""
    choices = candidates(knowledge, solved)
    taken: list[int] = []
    for step in range(1, knowledge.seats):
        player = (knowledge.seat + step) % knowledge.seats
        for category in LOCATIONS_FIRST:
            held = [card for card in choices[category] if knowledge.may_hold(card, player)]
            if held and category not in taken and len(taken) < 2:
                choices[category] = held
                taken.append(category)
                break
    return combine(choices)


def previous_possible_suggestions(knowledge: Knowledge, solved: str = ANY_CARD) -> list[Triple]:
    """Previous-possible: one candidate that the previous player may hold, a location if there is one, else a weapon,
    else a suspect, and beside it candidates that he does not hold, where there are any, so that he has nothing else to
    show. Without one, as the basic player (section 2.3.3)."""
    previous = (knowledge.seat - 1) % knowledge.seats
    choices = candidates(knowledge, solved)
    asked = _first_that_may_be_held(knowledge, choices, previous)
    if asked is not None:
        for category, cards in enumerate(choices):
            if category == asked:
                choices[category] = [card for card in cards if knowledge.may_hold(card, previous)]
            else:
                choices[category] = [card for card in cards if knowledge.not_held(card, previous)] or cards
    return combine(choices)


def _first_that_may_be_held(knowledge: Knowledge, choices: list[list[str]], player: int) -> int | None:
    """The first category, locations first, with a candidate that a player may hold."""
    for category in LOCATIONS_FIRST:
        if any(knowledge.may_hold(card, player) for card in choices[category]):
            return category
    return None


STRATEGIES: dict[str, Callable[[Knowledge, str], list[Triple]]] = {
    "basic": basic_suggestions,
    "advanced": advanced_suggestions,
    "no_intelligence": no_intelligence_suggestions,
    "deduction_only": basic_suggestions,
    "next_possible": next_possible_suggestions,
    "previous_possible": previous_possible_suggestions,
    "next_not_held": advanced_suggestions,
}


# --- Answers ----------------------------------------------------------------------------------------------------------


def answer(view: View) -> str:
    """The card to show: one that the suggester has been shown before, else the first of suspect, weapon, location
    (section 4.2). Of several that he has been shown, again the first."""
    suggester = view["record"][-1].seat
    revealed = {made.shown for made in view["record"] if made.seat == suggester and made.disprover == view["seat"]}
    return next((card for card in view["options"] if card in revealed), view["options"][0])


# --- Players ----------------------------------------------------------------------------------------------------------


class ReferencePlayer:
    """One seat's player. `choice` is "random" (any suggestion of the strategy, equally likely) or "systematic" (the
    first one in the order of the card lists that he has not made before)."""

    def __init__(
        self,
        rng: random.Random,
        edition: Edition,
        strategy: str,
        choice: str = "random",
        deduction_6: str = "sound",
    ) -> None:
        if choice not in {"random", "systematic"}:
            raise ValueError(f"the choice is random or systematic, not {choice!r}")
        self.rng = rng
        self.edition = edition
        self.strategy = strategy
        self.choice = choice
        self.deduction_6 = deduction_6
        self.knowledge: Knowledge | None = None

    def act(self, view: View, legal: list[str]) -> str:
        """Choose a move. The record is read at the start of the player's own turn and after the answers to his own
        suggestion, and at no other time."""
        if view["phase"] == "answer":
            return show(answer(view))
        if self.knowledge is None:
            self.knowledge = Knowledge(
                self.edition,
                view["seat"],
                view["seats"],
                view["hand"],
                self.deduction_6,
                deduces=self.strategy != "no_intelligence",
            )
        self.knowledge.read(view)
        solution = self.knowledge.solution()
        if solution is not None and accuse(solution) in legal:
            return accuse(solution)
        if view["phase"] == "after":
            # In the order contest the rules may leave nothing but an accusation.
            return "end" if "end" in legal else legal[0]
        return self._suggestion(self.knowledge, view, legal)

    def _suggestion(self, knowledge: Knowledge, view: View, legal: list[str]) -> str:
        systematic = self.choice == "systematic"
        wanted = STRATEGIES[self.strategy](knowledge, ENVELOPE_CARD if systematic else ANY_CARD)
        # In the order contest a suggestion cannot be made twice.
        allowed = [suggest(cards) for cards in wanted if suggest(cards) in legal]
        allowed = allowed or [move for move in legal if move.startswith("suggest ")]
        if not systematic:
            return self.rng.choice(allowed)
        made = {suggest(made.cards) for made in view["record"] if made.seat == view["seat"]}
        return next((move for move in allowed if move not in made), allowed[0])


def play(game: ReferenceClue, players: list[ReferencePlayer]) -> None:
    """Play a game to its end."""
    while game.to_move is not None:
        game.apply(players[game.to_move].act(game.view(game.to_move), game.legal_moves()))


# --- Every possible deal ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deal:
    """Where every card lies."""

    envelope: Triple
    hands: tuple[frozenset[str], ...]


def possible_deals(edition: Edition, view: View, order: str = "mitchell") -> list[Deal]:
    """Every deal that agrees with a seat's own hand, the sizes of the hands, and what was said and shown: who had none
    of three cards, who had at least one of them, the cards that the seat was shown, and the accusations; in the order
    contest also with what nobody may do there. What a strategy would tell beyond that is left aside. For small
    editions only."""
    envelopes = [cards for cards in triples(edition) if _envelope_agrees(view, cards)]
    return [
        Deal(envelope, hands)
        for envelope in envelopes
        for hands in _deal_out(view, order, 0, set(all_cards(edition)) - set(envelope) - view["hand"])
    ]


def _envelope_agrees(view: View, envelope: Triple) -> bool:
    """It holds no own card. A right accusation names it; a wrong one rules out these three cards together, and no more
    than that."""
    return not set(envelope) & view["hand"] and all(
        (cards == envelope) == right for _, cards, right in view["accusations"]
    )


def _deal_out(view: View, order: str, player: int, cards: set[str]) -> Iterator[tuple[frozenset[str], ...]]:
    """Every way to deal these cards to the seats from `player` on, one's own seat apart."""
    if player == view["seats"]:
        yield ()
        return
    own = player == view["seat"]
    for hand in [tuple(view["hand"])] if own else list(combinations(sorted(cards), view["hand_sizes"][player])):
        if own or (
            _hand_agrees(view, player, set(hand))
            and (order != "contest" or _hand_agrees_in_contest(view, player, set(hand)))
        ):
            for rest in _deal_out(view, order, player + 1, cards - set(hand)):
                yield (frozenset(hand), *rest)


def _hand_agrees(view: View, player: int, hand: set[str]) -> bool:
    """The hand explains every answer that the player has given; if he is being asked, he has something to show."""
    for made in view["record"]:
        asked = not made.finished and view["phase"] == "answer" and view["to_move"] == player
        holds_one = bool(hand & set(made.cards))
        if player in made.none and holds_one:
            return False
        if (made.disprover == player or asked) and not holds_one:
            return False
        if made.disprover == player and made.shown is not None and made.shown not in hand:
            return False
    return True


def _hand_agrees_in_contest(view: View, player: int, hand: set[str]) -> bool:
    """The hand allows what the player has done. He named no own card in an accusation; to whoever accused he had a card
    to show that was not in that accusation; and where nobody disproved his suggestion and he was free to do otherwise
    than to accuse with it, he holds one of its cards."""
    wrong = {seat: set(cards) for seat, cards, right in view["accusations"] if not right}
    if wrong.get(player, set()) & hand:
        return False
    for number, made in enumerate(view["record"]):
        if made.disprover == player and not hand & set(made.cards) - wrong.get(made.seat, set()):
            return False
        last = number == len(view["record"]) - 1
        went_on = not last or view["phase"] == "turn" or (view["phase"] == "over" and player in view["out"])
        if made.seat == player and made.finished and made.disprover is None and went_on and not hand & set(made.cards):
            return False
    return True
