"""The players of the 2020 report, Kingston's five (2017), and every strategy that the report proposes: one family.

A player is a way to ask, a way to choose among equally good cards, a way to answer, and options that can be switched on alone
and together. Where the report's text leaves a reading open, the reading is a parameter, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.compiled import CompiledAgent
from molehunt.agents.speed_clue.asking import suggestion
from molehunt.agents.speed_clue.grids import grid
from molehunt.agents.speed_clue.naming import envelopes_open, guess_one, times_named
from molehunt.agents.speed_clue.strategy_parameters import (
    ADVANCED_EDITIONS,
    BASIC_EDITIONS,
    BASIC_PLAYER,
    COMBINED_EDITIONS,
    DEDUCTION_ONLY_EDITIONS,
    MIXED_EDITIONS,
    NEXT_NOT_HELD_EDITIONS,
    NEXT_POSSIBLE_EDITIONS,
    NO_INTELLIGENCE,
    NO_INTELLIGENCE_EDITIONS,
    PREVIOUS_POSSIBLE_EDITIONS,
    SHOW_LAST,
    SHOW_LEAST,
    SHOW_MOST_SHOWN,
    SHOW_RANDOM,
    Strategy,
)
from molehunt.agents.speed_clue.strategy_words import Sheet, choice_in_words
from molehunt.core.agent import check_seating, seen_from
from molehunt.core.game import Game, Views
from molehunt.core.kernels import bit, kernel, lowest, nth_bit, popcount
from molehunt.core.language import _, later
from molehunt.core.memory import CONSTANT_PART, SCRATCH_PART
from molehunt.core.panels import Panel
from molehunt.core.specs import as_record
from molehunt.core.streams import below
from molehunt.games.playing import acting, array_at
from molehunt.games.speed_clue.actions import ACCUSE, END, SHOW, SUGGEST, encode
from molehunt.games.speed_clue.edition import SINGULAR
from molehunt.games.speed_clue.friendly import cards_of
from molehunt.games.speed_clue.game import check_game
from molehunt.games.speed_clue.rules import (
    forced_accusation,
    has_suggested,
    nth_triple,
    showable,
    suggester_of,
    triples,
)
from molehunt.games.speed_clue.ruleset import CONTEST_ORDER, MITCHELL_ORDER, ORDER, SEATS
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

__all__ = [
    "ADVANCED_EDITIONS",
    "BASIC_EDITIONS",
    "COMBINED_EDITIONS",
    "DEDUCTION_ONLY_EDITIONS",
    "MIXED_EDITIONS",
    "NEXT_NOT_HELD_EDITIONS",
    "NEXT_POSSIBLE_EDITIONS",
    "NO_INTELLIGENCE_EDITIONS",
    "PREVIOUS_POSSIBLE_EDITIONS",
    "REASONS",
    "ClueAgent",
    "decide",
]

RETRIES = 20


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
def take_in(mind: Any, view: Any, p: Any, params: Any) -> None:
    """Read what has been suggested and answered since the last reading."""
    seen_only = p.ask == NO_INTELLIGENCE
    read_record(
        mind, view, seen_only, int(p.deduction_6), int(p.repeats), p.cross_reference != 0.0, float(p.missed), params
    )


@kernel
def take_in_many(views: Any, minds: Any, parameters: Any, params: Any) -> None:
    """`take_in` for each of some chairs."""
    for index in range(len(views)):
        take_in(minds[index], views[index], parameters[0], params)


@kernel
def decide(mind: Any, view: Any, chosen: Any, p: Any, params: Any) -> int:
    """The action to play."""
    if view.phase == ANSWER:
        return encode(SHOW, card_to_show(mind, view, p))
    take_in(mind, view, p, params)
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


FOUND = {3: later("nobody has it"), 6: later("no other of its kind is left")}
"""How the envelope's card was found, by the number of the deduction, for people."""


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

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """The seat of each chair."""
        result: npt.NDArray[np.int64] = self.minds["seat"]
        return result


class ClueAgent(CompiledAgent):
    """A player of the family. It reads the record in its views, so it needs no events."""

    observes = False
    act_one = act_one

    def __init__(self, name: str, parameters: Strategy) -> None:
        self.name = name
        self.parameters = parameters

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        clue = check_game(self.name, game)
        check_seating(game, views, streams)
        minds = np.zeros(len(views), MIND)
        minds["stream"][:, 0] = streams
        parameters = as_record(self.parameters)
        start_many(views, minds, parameters, clue.params)
        return Memory(minds, parameters, clue.params, np.zeros(3, np.int64))

    def seats_of(self, memory: Memory) -> int:
        return int(memory.params[SEATS])

    def parts(self, memory: Memory) -> tuple[npt.NDArray[Any], ...]:
        return memory.minds, memory.parameters, memory.params, memory.chosen

    def beliefs(self, game: Game, view: Any, memory: Any, row: int) -> tuple[Panel, ...]:
        """Its sheet: 1 where it knows that a card is there, 0 where it knows that it is not, None else.

        It is what the chair would write down now, though it reads what the others did at its own turn.
        """
        edition = check_game(self.name, game).edition
        apart = self.take(memory, np.array([row]))
        take_in_many(np.array(seen_from(memory, view, row)), apart.minds, apart.parameters, apart.params)
        mind = apart.minds[0]
        seats = int(mind["seats"])
        known = [(int(mind["owned"][seat]), int(mind["lacks"][seat])) for seat in range(seats)]
        known.append((int(mind["envelope"]), int(mind["not_envelope"])))
        return (
            grid(
                _("Its sheet"), edition, [[_mark(card, *pair) for pair in known] for card in range(len(edition.names))]
            ),
        )

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        """What it does and what for, then, at its turn, what its sheet leaves open."""
        clue = check_game(self.name, game)
        views = np.array(np.atleast_1d(view))
        apart = self.take(memory, np.array([row]))
        action = int(self.act(views, apart, np.zeros(1, np.int64))[0])
        mind = apart.minds[0]
        lines = choice_in_words(Sheet.of(self.parameters, clue.edition, mind), clue.friendly_view(views), action)
        if views[0]["phase"] == ANSWER:
            return lines[0]
        for category, what in enumerate(SINGULAR):
            cards = sum(1 << card for card in clue.edition.cards(category))
            found = cards_of(int(mind["envelope"]) & cards, clue.edition)
            left = cards_of(cards & ~int(mind["not_envelope"]), clue.edition)
            if found:
                card = clue.edition.names.index(found[0])
                said = {
                    "what": _(what),
                    "card": _(found[0]),
                    "reason": _(FOUND.get(int(mind["rule"][OVERALL, card]), FOUND[3])),
                }
                # Turns are counted from 1; before them only the own hand is known.
                since = int(mind["since"][OVERALL, card])
                lines.append(
                    _("The {what} is {card} ({reason}, noted in turn {turn}).", turn=since, **said)
                    if since
                    else _("The {what} is {card} ({reason}, from the start).", **said)
                )
            else:
                lines.append(_("The {what} is one of {cards}.", what=_(what), cards=", ".join(map(_, left))))
        return "\n".join(lines)
