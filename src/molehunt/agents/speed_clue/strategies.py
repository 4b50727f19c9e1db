"""The players of the 2020 report, Kingston's five (2017), and every strategy that the report proposes: one family.

A player is a way to ask, a way to choose among equally good cards, a way to answer, and options that can be switched on alone
and together. Where the report's text leaves a reading open, the reading is a parameter, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.compiled import CompiledAgent
from molehunt.agents.speed_clue.grids import grid
from molehunt.agents.speed_clue.naming import envelopes_open, guess_one, name_anyway, times_named
from molehunt.core.game import Game, Views
from molehunt.core.kernels import bit, kernel, lowest, nth_bit, popcount
from molehunt.core.language import _, later
from molehunt.core.memory import CONSTANT_PART, SCRATCH_PART
from molehunt.core.panels import Panel
from molehunt.core.specs import as_record, parameter
from molehunt.core.streams import below
from molehunt.games.playing import acting, array_at
from molehunt.games.speed_clue.actions import ACCUSE, END, SHOW, SUGGEST, encode, pack_triple
from molehunt.games.speed_clue.edition import SINGULAR
from molehunt.games.speed_clue.friendly import cards_of
from molehunt.games.speed_clue.game import check_game
from molehunt.games.speed_clue.rules import (
    forced_accusation,
    has_suggested,
    nth_triple,
    own_suggestions,
    showable,
    suggester_of,
    triples,
)
from molehunt.games.speed_clue.ruleset import CONTEST_ORDER, MITCHELL_ORDER, ORDER
from molehunt.games.speed_clue.state import ANSWER, TURN, VIEW
from molehunt.reading.choice import one_of
from molehunt.reading.speed_clue.knowledge import (
    MIND,
    OVERALL,
    category_cards,
    read_own_shows,
    read_record,
    take_hand,
)

ASK = ("basic", "next_not_held", "next_possible", "previous_possible", "no_intelligence", "mixed", "by_hand")
BASIC, NEXT_NOT_HELD, NEXT_POSSIBLE, PREVIOUS_POSSIBLE, NO_INTELLIGENCE, MIXED, BY_HAND = range(7)
CHOICES = ("random", "systematic")
RANDOM, SYSTEMATIC = range(2)
DEDUCTION_6 = ("sound", "never", "not_at_deal")
SOLVED = ("any", "own", "not_held", "envelope")
SOLVED_ANY, SOLVED_OWN, SOLVED_NOT_HELD, SOLVED_ENVELOPE = range(4)
FALLBACK = ("report", "ideal_or_basic", "one_only", "unsolved_only")
FALL_REPORT, FALL_IDEAL_OR_BASIC, FALL_ONE_ONLY, FALL_UNSOLVED_ONLY = range(4)
SUSPECTS = ("target", "avoid")
TARGET, AVOID = range(2)
POSSIBLE = ("two", "first")
TWO_PLAYERS, FIRST_PLAYER = range(2)
SHOWS = ("first", "random", "most_shown", "last", "least")
SHOW_FIRST, SHOW_RANDOM, SHOW_MOST_SHOWN, SHOW_LAST, SHOW_LEAST = range(5)
RETRIES = 20


@dataclass(frozen=True)
class Strategy:
    """The parameters; the defaults are the report's `basic`."""

    ask: str = parameter("basic", later("how suggestions are made"), choices=ASK)
    choice: str = parameter(
        "random", later("which of equally good cards: a random one, or the first of the list"), choices=CHOICES
    )
    show: str = parameter(
        "first",
        later(
            "which card is shown if none was shown to the asker before (4.4.4: most_shown; least: and named most often)"
        ),
        choices=SHOWS,
    )
    reshow: bool = parameter(True, later("show a card again that the asker has seen, where there is one"))
    solved: str = parameter(
        "any",
        later("the card of a solved category: any; an own one (4.4.1); not held by the next (6.3.1); the envelope's"),
        choices=SOLVED,
    )
    all_opponents: bool = parameter(False, later("4.4.2: look at all opponents, not only at the next or previous one"))
    repeats: int = parameter(
        0, later("4.4.3: a card that an opponent suggests so often is taken as held; 0 = never"), low=0, high=100
    )
    suspects: str = parameter(
        "target",
        later(
            "such a card is named to confirm it, with own cards beside it (4.4.3, 6.3.2); or not named (6.3.2, of advanced)"
        ),
        choices=SUSPECTS,
    )
    possible: str = parameter(
        "two",
        later(
            "4.4.2, next_possible over all: a card of the next player and another of the one after; or of the first alone"
        ),
        choices=POSSIBLE,
    )
    cross_reference: bool = parameter(False, later("6.3.2: go through the whole record again after every new fact"))
    deduction_6: str = parameter("sound", later("when deduction 6 fires"), choices=DEDUCTION_6)
    fallback: str = parameter(
        "report", later("what next_not_held does short of the ideal suggestion"), choices=FALLBACK
    )
    accuse_after: bool = parameter(
        True, later("accuse after one's own suggestion, too, not only at the start of a turn")
    )
    own: float = parameter(
        0.0, later("how often an own card is named on purpose, against naming cards at random (1)"), low=0.0, high=3.0
    )
    seen: float = parameter(
        0.0,
        later("how often a card is named that another is known to have, against naming at random (1)"),
        low=0.0,
        high=3.0,
    )
    bluffs: int = parameter(
        0, later("own cards are named on purpose in so many of one's first suggestions; 0 = in all"), low=0, high=100
    )
    cover: bool = parameter(False, later("name own cards in all categories but one at a time, not in each by itself"))
    missed: float = parameter(
        0.0, later("the chance that an answer to another's suggestion is overlooked"), low=0.0, high=1.0
    )
    guess: int = parameter(1, later("accuse as soon as no more than so many envelopes are open"), low=1, high=100)


BASIC_PLAYER = Strategy()
ADVANCED_PLAYER = Strategy(ask="next_not_held")


def kingston(ask: str) -> dict[str, Strategy]:
    """One of Kingston's five: chosen at random, or systematically in the order of the list."""
    return {"random": Strategy(ask=ask), "systematic": Strategy(ask=ask, choice="systematic")}


BASIC_EDITIONS = {"basic": BASIC_PLAYER}
ADVANCED_EDITIONS = {"advanced": ADVANCED_PLAYER}
NO_INTELLIGENCE_EDITIONS = kingston("no_intelligence")
DEDUCTION_ONLY_EDITIONS = kingston("basic")
NEXT_POSSIBLE_EDITIONS = kingston("next_possible")
PREVIOUS_POSSIBLE_EDITIONS = kingston("previous_possible")
NEXT_NOT_HELD_EDITIONS = kingston("next_not_held")
COMBINED_PLAYER = replace(ADVANCED_PLAYER, solved="envelope", cross_reference=True, all_opponents=True)
COMBINED_EDITIONS = {
    "combined": COMBINED_PLAYER,
}
MIXED_EDITIONS = {
    "mixed": replace(ADVANCED_PLAYER, ask="mixed", solved="not_held", cross_reference=True, all_opponents=True)
}


# --- Asking -------------------------------------------------------------------------------------------------------------


@kernel
def in_line(mind: Any, category: int, cards: Any, p: Any) -> int:
    """One card of a set that was not named since all others of it were: a random one, or the first of the list."""
    fresh = cards & ~mind.asked[category]
    if not fresh:
        mind.asked[category] &= ~cards
        fresh = cards
    card = lowest(fresh) if p.choice == SYSTEMATIC else one_of(mind.stream, fresh)
    mind.asked[category] |= bit(card)
    return card


@kernel
def pick(mind: Any, category: int, cards: Any, p: Any) -> int:
    """One card of a set that is not empty: a random one, or, systematically, the next one of the list.

    To begin at the top of the list every time would be to make the same suggestion for ever.
    """
    if p.choice == SYSTEMATIC:
        return in_line(mind, category, cards, p)
    return one_of(mind.stream, cards)


@kernel
def is_solved(mind: Any, category: int, params: Any) -> bool:
    """Whether the envelope's card of a category is known."""
    return mind.envelope & category_cards(category, params) != 0


@kernel
def candidates(mind: Any, category: int, params: Any) -> Any:
    """The cards that may be asked about: those not yet out of the envelope; in a solved category, all."""
    cards = category_cards(category, params)
    if is_solved(mind, category, params):
        return cards
    return cards & ~mind.not_envelope


@kernel
def held_suspects(mind: Any) -> Any:
    """Section 4.4.3: the cards that some opponent is taken to hold because they keep suggesting them."""
    cards = np.uint64(0)
    for player in range(mind.seats):
        if player != mind.seat:
            for card in range(mind.times.shape[1]):
                if mind.rule[player, card] == 8 and mind.may[player] >> np.uint64(card) & np.uint64(1):
                    cards |= bit(card)
    return cards


@kernel
def solved_card(mind: Any, category: int, next_seat: int, p: Any, params: Any) -> int:
    """The card to name in a category whose envelope card is known."""
    cards = category_cards(category, params)
    own = cards & mind.owned[mind.seat]
    if p.solved == SOLVED_ENVELOPE:
        return lowest(cards & mind.envelope)
    if p.solved == SOLVED_OWN and own:
        return pick(mind, category, own, p)
    if p.solved == SOLVED_NOT_HELD:
        # A card that the next player is known not to hold; else an own card or the envelope's.
        silent = cards & mind.lacks[next_seat]
        if silent:
            return pick(mind, category, silent, p)
        return pick(mind, category, own | cards & mind.envelope, p)
    return pick(mind, category, cards, p)


@kernel
def basic_card(mind: Any, category: int, next_seat: int, p: Any, params: Any) -> int:
    """The card that `basic` names in a category."""
    if is_solved(mind, category, params):
        return solved_card(mind, category, next_seat, p, params)
    cards = candidates(mind, category, params)
    if p.repeats and p.suspects == AVOID:
        free = cards & ~held_suspects(mind)
        cards = free or cards
    return pick(mind, category, cards, p)


@kernel
def neighbour(mind: Any, step: int) -> int:
    """The seat `step` places after the chair."""
    return (mind.seat + step + mind.seats) % mind.seats


@kernel
def least_held(mind: Any, cards: Any) -> Any:
    """Those cards of a set that the most opponents are known not to hold; none where no opponent is known to lack any."""
    best = np.uint64(0)
    most = 0
    left = cards
    while left:
        spot = left & ~(left - np.uint64(1))
        left &= ~spot
        lacking = 0
        for player in range(mind.seats):
            lacking += player != mind.seat and mind.lacks[player] & spot != 0
        if lacking > most:
            most = lacking
            best = spot
        elif lacking == most and most > 0:
            best |= spot
    return best


@kernel
def ask_basic(mind: Any, chosen: Any, p: Any, params: Any) -> None:
    """Fill the places of a suggestion that are still open (-1) as `basic` does."""
    for category in range(3):
        if chosen[category] < 0:
            chosen[category] = basic_card(mind, category, neighbour(mind, 1), p, params)


@kernel
def not_held(mind: Any, category: int, player: int, p: Any, params: Any) -> Any:
    """The candidates of a category that a player is known not to hold."""
    if is_solved(mind, category, params) and (p.fallback == FALL_UNSOLVED_ONLY or p.solved != SOLVED_ANY):
        return np.uint64(0)
    return candidates(mind, category, params) & mind.lacks[player]


@kernel
def ask_not_held(mind: Any, chosen: Any, p: Any, params: Any) -> None:
    """Next-not-held (section 4.3): two cards that the next player does not hold and one that the one after does not hold.

    Short of that one card that the next player does not hold, and for the rest, or at all, as `basic`.
    """
    following = neighbour(mind, 1)
    after = neighbour(mind, 2)
    if p.all_opponents:
        for category in range(3):
            if not is_solved(mind, category, params):
                cards = least_held(mind, candidates(mind, category, params))
                if cards:
                    chosen[category] = pick(mind, category, cards, p)
        return
    if p.fallback != FALL_ONE_ONLY:
        # The ideal: which category is for the player after the next is drawn among those that allow it.
        ways = 0
        ideal = -1
        for last in range(3):
            possible = not_held(mind, last, after, p, params) != 0
            for category in range(3):
                possible = possible and (category == last or not_held(mind, category, following, p, params) != 0)
            if possible:
                ways += 1
                if below(mind.stream, ways) == 0:
                    ideal = last
        if ideal >= 0:
            for category in range(3):
                player = after if category == ideal else following
                chosen[category] = pick(mind, category, not_held(mind, category, player, p, params), p)
            return
        if p.fallback == FALL_IDEAL_OR_BASIC:
            return
    ways = 0
    place = -1
    for category in range(3):
        if not_held(mind, category, following, p, params):
            ways += 1
            if below(mind.stream, ways) == 0:
                place = category
    if place >= 0:
        chosen[place] = pick(mind, place, not_held(mind, place, following, p, params), p)


@kernel
def ask_possible(mind: Any, chosen: Any, direction: int, p: Any, params: Any) -> None:
    """Next-possible (direction 1) and previous-possible (-1): a card that this neighbour may hold, locations first.

    Next-possible leaves the other places to `basic`. Previous-possible names there cards that the neighbour is known not to
    hold, where there are such, so that they cannot hide the one behind another. With `all_opponents` the players before them are
    looked at in turn; next-possible then names another card for the player after (section 4.4.2), going on around the table where
    one of the two has no such card.
    """
    reach = mind.seats - 1 if p.all_opponents else 1
    taken = 0
    wanted = 2 if p.all_opponents and direction > 0 and p.possible == TWO_PLAYERS else 1
    for step in range(1, reach + 1):
        player = neighbour(mind, direction * step)
        for place in (2, 0, 1):
            cards = candidates(mind, place, params) & mind.may[player]
            if taken >> place & 1 or is_solved(mind, place, params) or not cards:
                continue
            chosen[place] = pick(mind, place, cards, p)
            taken |= 1 << place
            wanted -= 1
            if direction < 0:
                for other in range(3):
                    silent = candidates(mind, other, params) & mind.lacks[player]
                    if other != place and silent:
                        chosen[other] = pick(mind, other, silent, p)
            if not wanted:
                return
            break


@kernel
def ask_confirm(mind: Any, chosen: Any, p: Any, params: Any) -> bool:
    """Sections 4.4.3 and 6.3.2: "a targeted suggestion", "possibly with cards in hand", for a card that is suggested repeatedly.

    Beside it stand own cards, else the envelope's, so that nothing else can be shown; without either, what `basic` names. Returns
    whether there is such a card.
    """
    for step in range(1, mind.seats):
        player = neighbour(mind, step)
        for place in (2, 0, 1):
            cards = np.uint64(0)
            left = candidates(mind, place, params) & mind.may[player]
            while left and not is_solved(mind, place, params):
                if mind.times[player, lowest(left)] >= p.repeats:
                    cards |= bit(lowest(left))
                left &= left - np.uint64(1)
            if not cards:
                continue
            chosen[place] = pick(mind, place, cards, p)
            for other in range(3):
                quiet = category_cards(other, params) & mind.owned[mind.seat]
                quiet = quiet or category_cards(other, params) & mind.envelope
                if other != place and quiet:
                    chosen[other] = pick(mind, other, quiet, p)
            return True
    return False


@kernel
def ask_through(mind: Any, chosen: Any, p: Any, params: Any) -> None:
    """No intelligence: go through the cards that were neither held nor seen, one after the other, again and again.

    Where one is left of a category it is named again: another card there could hide what is asked for in the others for ever.
    """
    for category in range(3):
        unseen = category_cards(category, params) & ~mind.not_envelope
        chosen[category] = in_line(mind, category, unseen, p)


@kernel
def ask_mixed(mind: Any, chosen: Any, p: Any, params: Any) -> None:
    """Section 6.3.3: with two candidates left in a category, ask for the one that somebody may hold; else not-held cards."""
    for category in range(3):
        cards = candidates(mind, category, params)
        if is_solved(mind, category, params) or popcount(cards) != 2:
            continue
        suspected = np.uint64(0)
        for player in range(mind.seats):
            suspected |= cards & mind.may[player]
        if suspected:
            chosen[category] = pick(mind, category, suspected, p)
            # The others must not answer in its place.
            for other in range(3):
                quiet = category_cards(other, params) & (mind.owned[mind.seat] | mind.envelope)
                if other != category and is_solved(mind, other, params) and quiet:
                    chosen[other] = pick(mind, other, quiet, p)
            return
    ask_not_held(mind, chosen, p, params)


@kernel
def is_of_one_kind(hand: Any, params: Any) -> bool:
    """Whether more than half of a hand is of one category, as on deal 7, where the report finds `advanced` better (5.1, 6.3.3)."""
    most = 0
    for category in range(3):
        most = max(most, popcount(hand & category_cards(category, params)))
    return 2 * most > popcount(hand)


@kernel
def suggestion(mind: Any, view: Any, chosen: Any, p: Any, params: Any) -> int:
    """The three cards to suggest, packed; `chosen` is scratch for three."""
    chosen[0], chosen[1], chosen[2] = -1, -1, -1
    often_own = p.own
    if p.bluffs and own_suggestions(mind.seat, view.record, view.suggestion_count) >= p.bluffs:
        often_own = 0.0
    if often_own > 0 or p.seen > 0:
        name_anyway(mind, chosen, often_own, p, params)
    named = chosen[0] + 1 + ((chosen[1] + 1) << 5) + ((chosen[2] + 1) << 10)
    if p.repeats and p.suspects == TARGET and ask_confirm(mind, chosen, p, params):
        pass  # instead of the normal approach
    elif p.ask == NEXT_NOT_HELD or (p.ask == BY_HAND and is_of_one_kind(mind.owned[mind.seat], params)):
        ask_not_held(mind, chosen, p, params)
    elif p.ask == NEXT_POSSIBLE:
        ask_possible(mind, chosen, 1, p, params)
    elif p.ask == PREVIOUS_POSSIBLE:
        ask_possible(mind, chosen, -1, p, params)
    elif p.ask == NO_INTELLIGENCE:
        ask_through(mind, chosen, p, params)
    elif p.ask == MIXED:
        ask_mixed(mind, chosen, p, params)
    # What is named in any case stays, whatever the strategy would rather ask there.
    for category in range(3):
        if named >> 5 * category & 31:
            chosen[category] = (named >> 5 * category & 31) - 1
    ask_basic(mind, chosen, p, params)
    return pack_triple(chosen[0], chosen[1], chosen[2])


# --- Answering ----------------------------------------------------------------------------------------------------------


@kernel
def card_to_show(mind: Any, view: Any, p: Any) -> int:
    """A card already shown to who asks; else by `show`: the first, the last, a random one, or the one shown to the most others.

    `least` shows of those shown to the most others the one that has been named most often: it was wondered about already.
    """
    read_own_shows(mind, view)
    cards = showable(view.hand, view.record, view.suggestion_count)
    asker = suggester_of(view.record[view.suggestion_count - 1])
    again = cards & mind.revealed[asker]
    if again and p.reshow:
        return lowest(again)
    if p.show == SHOW_RANDOM:
        return one_of(mind.stream, cards)
    if p.show == SHOW_LAST:
        return nth_bit(cards, popcount(cards) - 1)
    if p.show == SHOW_MOST_SHOWN or p.show == SHOW_LEAST:
        best = lowest(cards)
        most = 0
        if p.show == SHOW_LEAST:
            most = -1
        left = cards
        while left:
            spot = left & ~(left - np.uint64(1))
            left &= ~spot
            seen = 0
            for player in range(mind.seats):
                seen += mind.revealed[player] & spot != 0
            if p.show == SHOW_LEAST:
                seen = 1000 * seen + times_named(view, lowest(spot))
            if seen > most:
                most = seen
                best = lowest(spot)
        return best
    return lowest(cards)


# --- The player ---------------------------------------------------------------------------------------------------------


@kernel
def accusation(mind: Any, params: Any) -> int:
    """The accusation that the sheet allows, -1 while a category is open."""
    triple = 0
    for category in range(3):
        known = mind.envelope & category_cards(category, params)
        if not known:
            return -1
        triple |= lowest(known) << 5 * category
    return encode(ACCUSE, triple)


@kernel
def not_repeated(mind: Any, view: Any, triple: int, chosen: Any, p: Any, params: Any) -> int:
    """Contest: a suggestion that was not made before; the strategy is asked a few times, then any other will do."""
    for _try in range(RETRIES):
        if not has_suggested(mind.seat, triple, view.record, view.suggestion_count):
            return triple
        triple = suggestion(mind, view, chosen, p, params)
    number = triples(params)
    first = below(mind.stream, number)
    for step in range(number):
        triple = nth_triple((first + step) % number, params)
        if not has_suggested(mind.seat, triple, view.record, view.suggestion_count):
            break
    return triple


@kernel
def decide(mind: Any, view: Any, chosen: Any, p: Any, params: Any) -> int:
    """The action to play."""
    if view.phase == ANSWER:
        return encode(SHOW, card_to_show(mind, view, p))
    seen_only = p.ask == NO_INTELLIGENCE
    read_record(
        mind, view, seen_only, int(p.deduction_6), int(p.repeats), p.cross_reference != 0.0, float(p.missed), params
    )
    ready = accusation(mind, params)
    if ready < 0 and p.guess > 1 and envelopes_open(mind, params) <= p.guess:
        ready = encode(ACCUSE, guess_one(mind, params))
    if view.phase == TURN:
        if ready >= 0 and params[ORDER] == MITCHELL_ORDER:
            return ready
        triple = suggestion(mind, view, chosen, p, params)
        if params[ORDER] == CONTEST_ORDER:
            triple = not_repeated(mind, view, triple, chosen, p, params)
        return encode(SUGGEST, triple)
    forced = forced_accusation(view.hand, view.record, view.suggestion_count, params)
    if forced >= 0:
        return encode(ACCUSE, forced)
    # In the contest there is no accusation at the start of a turn, so there it is made after the suggestion in any case.
    may_accuse = p.accuse_after or params[ORDER] == CONTEST_ORDER
    return ready if ready >= 0 and may_accuse else encode(END, 0)


@kernel
def read_own_questions(mind: Any, view: Any, params: Any) -> None:
    """Remember what the chair has asked for before it sat down, as if it had gone through the list."""
    for index in range(view.suggestion_count):
        if suggester_of(view.record[index]) != mind.seat:
            continue
        for category in range(3):
            card = bit(view.record[index] >> 5 * category & 31)
            asked = mind.asked[category] | card
            mind.asked[category] = card if asked == category_cards(category, params) else asked


@kernel
def start_many(views: Any, minds: Any, parameters: Any, params: Any) -> None:
    """Each chair takes its hand, and looks up what it has asked."""
    for index in range(len(views)):
        view = views[index]
        deduction_6 = int(parameters[0].deduction_6)
        take_hand(minds[index], view.hand, view.seat, view.seats, deduction_6, params)
        read_own_questions(minds[index], view, params)


MINDS, PARAMETERS, PARAMS, CHOSEN = range(0, 8, 2)
"""Where compiled loops find the parts of a memory: the address and the length of each."""

minds_at = array_at(MIND)
parameters_at = array_at(as_record(BASIC_PLAYER).dtype)
params_at = array_at(np.int64, readonly=True)
chosen_at = array_at(np.int64)


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """The action of a chair at its view."""
    return np.int64(
        decide(
            minds_at(memory[MINDS], memory[MINDS + 1])[chair],
            views[0],
            chosen_at(memory[CHOSEN], memory[CHOSEN + 1]),
            parameters_at(memory[PARAMETERS], 1)[0],
            params_at(memory[PARAMS], memory[PARAMS + 1]),
        )
    )


REASONS = (
    later("no knowledge"),
    later("1: a card seen, so nobody else has it"),
    later("2: could not answer"),
    later("3: nobody holds it"),
    later("4: showed one of three and lacks the others"),
    later("5: showed one of these"),
    later("6: the last of its category"),
    later("7: the category's envelope card is known"),
    later("4.4.3: keeps suggesting it"),
)


def _mark(card: int, there: int, elsewhere: int) -> float | None:
    """Whether a card is in a place, as a probability, where it is known."""
    return 1.0 if there >> card & 1 else 0.0 if elsewhere >> card & 1 else None


@dataclass
class Memory:
    """What the chairs of one agent remember, of dtype MIND, and what its kernels read besides."""

    minds: npt.NDArray[Any]
    parameters: npt.NDArray[Any] = field(metadata=CONSTANT_PART)
    params: npt.NDArray[np.int64] = field(metadata=CONSTANT_PART)
    chosen: npt.NDArray[np.int64] = field(metadata=SCRATCH_PART)


class ClueAgent(CompiledAgent):
    """A player of the family. It reads the record in its views, so it needs no events."""

    observes = False
    act_one = act_one

    def __init__(self, name: str, parameters: Strategy) -> None:
        self.name = name
        self.parameters = parameters

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        clue = check_game(self.name, game)
        minds = np.zeros(len(views), MIND)
        minds["stream"][:, 0] = streams
        parameters = as_record(self.parameters)
        start_many(views, minds, parameters, clue.params)
        return Memory(minds, parameters, clue.params, np.zeros(3, np.int64))

    def parts(self, memory: Memory) -> tuple[npt.NDArray[Any], ...]:
        return memory.minds, memory.parameters, memory.params, memory.chosen

    def beliefs(self, game: Game, view: Any, memory: Any, row: int) -> tuple[Panel, ...]:
        """Its sheet: 1 where it knows that a card is there, 0 where it knows that it is not, None else."""
        edition = check_game(self.name, game).edition
        mind = memory.minds[row]
        seats = int(mind["seats"])
        known = [(int(mind["owned"][seat]), int(mind["lacks"][seat])) for seat in range(seats)]
        known.append((int(mind["envelope"]), int(mind["not_envelope"])))
        return (
            grid(
                _("Its sheet"), edition, [[_mark(card, *pair) for pair in known] for card in range(len(edition.names))]
            ),
        )

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        clue = check_game(self.name, game)
        mind = memory.minds[row]
        lines = []
        for category, what in enumerate(SINGULAR):
            cards = sum(1 << card for card in clue.edition.cards(category))
            found = cards_of(int(mind["envelope"]) & cards, clue.edition)
            left = cards_of(cards & ~int(mind["not_envelope"]), clue.edition)
            if found:
                card = clue.edition.names.index(found[0])
                reason = REASONS[mind["rule"][OVERALL, card]]
                lines.append(
                    _(
                        "The {what} is {card} ({reason}, turn {turn}).",
                        what=_(what),
                        card=_(found[0]),
                        reason=_(reason),
                        turn=mind["since"][OVERALL, card],
                    )
                )
            else:
                lines.append(_("The {what} is one of {cards}.", what=_(what), cards=", ".join(map(_, left))))
        return "\n".join(lines)
