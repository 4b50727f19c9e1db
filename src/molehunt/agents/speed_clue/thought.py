"""One view, thought about: what `exact` does at a move, and what it weighs there."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.agents.speed_clue.beside import NOTHING, Beside, with_known
from molehunt.agents.speed_clue.questions import (
    ALL,
    BEST,
    COLUMNS,
    DANGER,
    GAIN,
    LEAK,
    SCORE,
    SOLVES,
    likeliest,
    score_suggestions,
)
from molehunt.agents.speed_clue.race import STRATEGIES, Others, Scratch, chance_of_losing
from molehunt.agents.speed_clue.telling import already_seen_by_asker, marks_of_views, told_by_views
from molehunt.beliefs.deals.layers import envelope_weights, list_deals, place_weights, sample_deals, total_weight
from molehunt.core.errors import BadInput
from molehunt.core.game import Views
from molehunt.core.specs import as_record
from molehunt.core.streams import next_word
from molehunt.games.speed_clue.actions import ACCUSE, END, SHOW, SUGGEST, encode, pack_triple, triple_mask
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.resample import as_told, facts_of_views, room_for_states
from molehunt.games.speed_clue.rules import (
    forced_accusation,
    has_suggested,
    nth_triple,
    showable,
    triple_number,
    triples,
)
from molehunt.games.speed_clue.ruleset import CONTEST_ORDER, MITCHELL_ORDER, ORDER
from molehunt.games.speed_clue.state import ANSWER, TURN, VIEW
from molehunt.reading.speed_clue.deeds import read_views
from molehunt.reading.speed_clue.exact_parameters import Parameters
from molehunt.reading.speed_clue.habits import (
    ACCUSING,
    ACCUSING_FIRST,
    ANY_CARD,
    HABITS,
    LACKED,
    NAMING,
    PLACES,
    SEEN,
    SEEN_FIRST,
)
from molehunt.reading.speed_clue.hands import (
    envelopes_weighed,
    habits_in_deals,
    list_weighed,
    places_weighed,
    sample_weighed,
)

CERTAIN = 1 - 1e-9
"""The chance from which it is looked at whether an envelope is the only one left."""
NEARLY = 1 - 1e-12
"""The most likely that anything is which is not certain."""
FAR_BETTER = 100.0
"""More than any suggestion tells, in bits."""
FIRST_BATCH = 256
"""The least number of deals that suggestions are weighed over, where there is a time limit."""


class Proposal(NamedTuple):
    """A suggestion and what it is worth.

    gain: bits about the envelope; leak: marks that everybody can make; solves: the chance that it solves the case; danger: where
    it was looked into, the chance that another wins before one's next turn; worth: all of it together, in bits.
    """

    cards: tuple[int, int, int]
    gain: float
    leak: float
    solves: float
    danger: float
    worth: float


class Showing(NamedTuple):
    """A card that may be shown, and what it would tell who asks, in bits about the envelope."""

    card: int
    tells: float


class Accusation(NamedTuple):
    """The likeliest envelope, its chance, the chance that another wins before one's next turn, and whether to accuse now.

    least: its chance with that likely habit of another seat which speaks most against it.
    """

    cards: tuple[int, int, int]
    probability: float
    danger: float
    accuse: bool
    least: float = 1.0


class Impression(NamedTuple):
    """What is believed of one other seat's habits.

    naming: how likely each of `habits.NAMING` is; showing: how likely it shows the first card, the last, or any; own: how often it
    is expected to name cards of its own, against at random; lacked: how likely it names first what the most others are known to
    lack; seen: how often it is expected to name cards that it was shown, against at random; accusing: how likely it accuses as soon
    as it is certain, when a turn begins, of two, or often not at all.
    """

    seat: int
    naming: tuple[float, ...]
    showing: tuple[float, ...]
    own: float
    lacked: float
    seen: float
    accusing: tuple[float, ...]


@dataclass(frozen=True)
class Advice:
    """What the player thinks of a view: suggestions or cards to show, the best first, and the accusation."""

    suggestions: list[Proposal]
    shows: list[Showing]
    accusation: Accusation
    entropy: float
    """What is not known about the envelope, in bits."""
    deals: int
    """How many deals it was weighed over."""
    every_deal: bool
    """Whether these are all that are left."""
    habits: tuple[Impression, ...] = ()
    """What is believed of the other seats' habits, in the order of seats."""


class Thought:
    """One view, thought about. `stream`, uint64[1], is drawn from.

    prior: float64[seats - 1, HABITS], how likely the habits of each other seat were before this game, by distance.
    """

    def __init__(
        self,
        parameters: Parameters,
        game: SpeedClue,
        view: Views,
        stream: npt.NDArray[np.uint64],
        prior: npt.NDArray[np.float64],
        beside: Beside = NOTHING,
    ) -> None:
        self.began = time.perf_counter()
        self.p = parameters
        self.game = game
        self.view = view
        self.stream = stream
        self.seen = view[0]
        self.hand = int(view[0]["hand"])
        self.beside = beside
        told = game.params
        self.facts = self._known(told)
        self.possible = total_weight(self.facts)
        if not self.possible and told[ORDER] == CONTEST_ORDER:
            # Somebody does not keep to the rules of the contest: only what was told is believed.
            told = as_told(told)
            self.facts = self._known(told)
            self.possible = total_weight(self.facts)
        self.pool = self.facts.pool[0]
        self.prior = prior
        self.reading = read_views(view, told, as_record(parameters), prior)
        self._draw(self.p.deals if not self.p.seconds else min(FIRST_BATCH, self.p.deals))

    def _known(self, params: Any) -> Any:
        """What the view tells for certain under a ruleset, and what is known beside it."""
        facts = facts_of_views(self.view, params)
        return with_known(
            facts, self.beside.known, int(self.seen["seat"]), self.game.seats, len(self.game.edition.names)
        )

    def _draw(self, number: int) -> None:
        """Draw deals that are held possible, or list them all where that is no more."""
        self.every_deal = self.possible <= self.p.deals
        self.believed = True
        if self.every_deal:
            self.hands, weights = list_weighed(self.facts, self.reading, self.prior, self.p.deals)
            if not weights.sum() > 0:
                # The habits that were assumed allow no deal: the rules alone are believed.
                self.believed = False
                self.hands, weights = list_deals(self.facts, self.p.deals)
            if not len(weights):
                raise BadInput("what was said contradicts itself: no deal agrees with all of it")
            self.weights = weights / weights.sum()
        else:
            self.hands = np.empty((number, self.game.seats - 1), np.uint64)
            if not sample_weighed(self.facts, self.reading, self.prior, self.stream, number, self.hands):
                self.believed = False
                sample_deals(self.facts, self.stream, number, self.hands)
            self.weights = np.full(number, 1 / number)
        self.habits = np.empty((*self.hands.shape, HABITS))
        habits_in_deals(self.hands, self.reading, self.prior, self.habits)
        self.posterior = np.tensordot(self.weights, self.habits, 1)

    # ---- Suggestions

    def _scores(self) -> npt.NDArray[np.float64]:
        """The scores of all suggestions, and what is not known of the envelope."""
        params = self.game.params
        while True:
            scores, sure = self._weighed()
            # With a time limit, as long as twice as many deals are sure to fit into it.
            full = self.every_deal or len(self.hands) >= self.p.deals
            if full or 4 * (time.perf_counter() - self.began) > self.p.seconds:
                break
            self._draw(min(2 * len(self.hands), self.p.deals))
        if self.p.leak:
            marks = np.zeros(len(scores))
            marks_of_views(self.view, self.hands, self.weights, params, marks)
            scores[:, LEAK] = marks
        scores[:, SCORE] = (
            scores[:, GAIN]
            + self.p.rest * (scores[:, ALL] - scores[:, GAIN])
            + self.p.now * scores[:, BEST]
            - self.p.leak * scores[:, LEAK]
        )
        if self.p.ask == "likeliest":
            mask = int(likeliest(self.hands, self.weights, self.pool, params)[0])
            asked = [int(triple_mask(nth_triple(nth, params))) for nth in range(len(scores))]
            # Of suggestions with as many of its cards, those that tell most.
            scores[:, SCORE] += [FAR_BETTER * (cards & mask).bit_count() for cards in asked]
        if params[ORDER] == CONTEST_ORDER:
            self._forbid_repeats(scores)
        if self.p.danger:
            self._look_ahead(scores, sure)
        return scores

    def _weighed(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """All suggestions over the deals drawn so far: their scores, and which answers make the envelope certain."""
        params = self.game.params
        scores = np.zeros((triples(params), COLUMNS))
        sure = np.zeros((len(scores), (self.game.seats - 1) * PLACES + 1), np.bool_)
        self.entropy = float(
            score_suggestions(self.hands, self.weights, self.pool, self._styles(), params, scores, sure)
        )
        return scores, sure

    def _envelopes(self) -> npt.NDArray[np.uint64]:
        """The envelope of every deal as a set of cards."""
        rest = np.full(len(self.hands), np.uint64(self.pool))
        for holder in range(self.hands.shape[1]):
            rest &= ~self.hands[:, holder]
        return rest

    def _styles(self) -> npt.NDArray[np.float64]:
        """How likely each holder shows cards in each style: shape (seats - 1, STYLES)."""
        return np.ascontiguousarray(self.posterior[:, len(NAMING) : ANY_CARD])

    def _look_ahead(self, scores: npt.NDArray[np.float64], sure: npt.NDArray[np.bool_]) -> None:
        """Weigh the danger after the best suggestions, and leave the others behind them."""
        order = np.argsort(-scores[:, SCORE], kind="stable")[: self.p.looked]
        start = self.stream.copy()
        for nth in order:
            self.stream[:] = start
            suggest = int(encode(SUGGEST, nth_triple(int(nth), self.game.params)))
            scores[nth, DANGER] = self._danger(suggest, sure[nth])
        rest = np.ones(len(scores), np.bool_)
        rest[order] = False
        scores[order, SCORE] -= self.p.danger * scores[order, DANGER]
        scores[rest, SCORE] -= self.p.danger

    def _danger(self, action: int, sure: npt.NDArray[np.bool_], holder: int = -1, habit: int = 0) -> float:
        """The chance that another wins before one's next turn; a holder may be taken to have a certain habit of accusing."""
        picked = self._some(self.p.trials)
        accusing = np.ascontiguousarray(self.habits[picked][:, :, ACCUSING_FIRST:])
        if holder >= 0:
            accusing[:, holder] = np.arange(ACCUSING) == habit
        others = Others(self.hands[picked], accusing, STRATEGIES, self.beside.pace)
        face_up, params = np.uint64(self.beside.face_up), self.game.params
        return float(chance_of_losing(self.view, action, sure, others, face_up, self.stream, params, Scratch.new()))

    def _some(self, number: int) -> npt.NDArray[np.int64]:
        """The numbers of so many deals, each about as often as it is likely."""
        return _systematic(self.weights, number)

    def _forbid_repeats(self, scores: npt.NDArray[np.float64]) -> None:
        """Contest: nobody repeats a suggestion of their own while there are others."""
        view, params = self.view[0], self.game.params
        made = [
            nth
            for nth in range(len(scores))
            if has_suggested(
                int(self.seen["seat"]), nth_triple(nth, params), view["record"], int(self.seen["suggestion_count"])
            )
        ]
        if len(made) < len(scores):
            scores[made, SCORE] = -np.inf

    def _suggestion(self, worth: npt.NDArray[np.float64]) -> int:
        """The suggestion that is worth most, in the order of `nth_triple`; one of those that are equally good by the stream."""
        best = np.flatnonzero(worth >= worth.max() - 1e-12)
        chosen = int(best[int(next_word(self.stream)) % len(best)])
        return int(encode(SUGGEST, nth_triple(chosen, self.game.params)))

    # ---- Showing

    def _shows(self) -> list[Showing]:
        """The cards that may be shown, the one that tells least first."""
        view = self.view[0]
        mask = int(
            showable(np.uint64(self.hand & ~self.beside.face_up), view["record"], int(self.seen["suggestion_count"]))
        )
        cards = [card for card in range(mask.bit_length()) if mask >> card & 1]
        told = np.zeros(32)
        beside = self.beside.shown_to(int(view["on_turn"]))
        seen = int(already_seen_by_asker(self.view)) | beside
        if len(cards) > 1 and self.p.askers and not seen & mask:
            told_by_views(
                self.view,
                self.hands[self._some(self.p.askers)],
                np.uint64(self.beside.face_up | beside),
                self.stream,
                self.game.params,
                room_for_states(1),
                np.zeros(1, VIEW),
                told,
            )
        return sorted(
            (Showing(card, 0.0 if seen >> card & 1 else float(told[card])) for card in cards),
            key=lambda showing: (not seen >> showing.card & 1, showing.tells, showing.card),
        )

    # ---- Accusing

    def _accusation(self) -> Accusation:
        """The likeliest envelope, and whether to name it now."""
        mask, chance = likeliest(self.hands, self.weights, self.pool, self.game.params)
        certain = False
        if chance >= CERTAIN:
            # A sample leaves out what is unlikely, and habits prove nothing: is any other envelope left?
            masks, weights, total = (
                envelopes_weighed(self.facts, self.reading, self.prior)
                if self.believed
                else envelope_weights(self.facts)
            )
            best = np.argmax(weights)
            mask, certain = masks[best], np.count_nonzero(weights) == 1
            chance = min(weights[best] / total, NEARLY)
        cards = tuple(card for card in range(32) if int(mask) >> card & 1)
        named = (cards[0], cards[1], cards[2])
        if certain:
            return Accusation(named, 1.0, 0.0, accuse=True)
        if not self.p.early or self.seen["phase"] in (TURN, ANSWER):
            return Accusation(named, float(chance), 0.0, accuse=False)
        chances = self._chances(mask)
        likely = self.posterior >= self.p.likely
        least = float(chances[likely].min(initial=chance))
        scores, sure = self._weighed()
        # What one's own next suggestion tells, and the others' turns until then, as far as there are any.
        soon = chance + self.beside.pace * (scores[:, BEST].max() - chance)
        soon += (1 - soon) * self.p.news * self.beside.pace
        danger = 0.0
        accuse = False
        if least > self.p.least:
            end = int(encode(END, 0))
            danger = self._danger(end, sure[0])
            accuse = bool(least > (1 - danger) * soon)
            # With each likely habit of accusing it must gain: who accuses late is less dangerous.
            for holder, habits in enumerate(likely[:, ACCUSING_FIRST:] if accuse else ()):
                for habit in np.flatnonzero(habits) if habits.sum() > 1 else ():
                    alone = self._danger(end, sure[0], holder, int(habit))
                    accuse &= bool(chances[holder, ACCUSING_FIRST + habit] > (1 - alone) * soon)
        return Accusation(named, float(chance), danger, accuse, least)

    def _chances(self, mask: np.uint64) -> npt.NDArray[np.float64]:
        """The chance of an envelope with each habit of each other seat: shape (seats - 1, HABITS)."""
        there = self._envelopes() == mask
        inside: npt.NDArray[np.float64] = np.tensordot(self.weights * there, self.habits, 1)
        return inside / np.maximum(self.posterior, 1e-300)

    # ---- Beliefs

    def shares(self) -> npt.NDArray[np.float64]:
        """How likely each card is with each seat and, last, in the envelope, over all deals: shape (cards, seats + 1).

        Not over those that were drawn: what none of them has may still be.
        """
        seats, seat = self.game.seats, int(self.seen["seat"])
        bits = np.arange(len(self.game.edition.names), dtype=np.uint64)
        result = np.zeros((len(bits), seats + 1))
        result[:, seat] = np.uint64(self.hand) >> bits & np.uint64(1)
        if not self.every_deal:
            places = np.empty((64, seats))
            if self.believed:
                total = places_weighed(self.facts, self.reading, self.prior, places)
            else:
                total = place_weights(self.facts, places)
            at = [*((seat + 1 + place) % seats for place in range(seats - 1)), seats]
            result[:, at] = places[: len(bits)] / total
            return result
        for place in range(seats - 1):
            held = self.hands[:, place, None] >> bits & np.uint64(1)
            result[:, (seat + 1 + place) % seats] = self.weights @ held.astype(np.float64)
        result[:, seats] = np.clip(1 - result[:, :seats].sum(axis=1), 0.0, 1.0)
        return result

    # ---- All together

    def action(self) -> int:
        """The action to play."""
        if self.seen["phase"] == ANSWER:
            return int(encode(SHOW, self._shows()[0].card))
        found = self._without_asking(self._accusation)
        return self._suggestion(self._scores()[:, SCORE]) if found is None else found

    def choice(self, advice: Advice) -> int:
        """The action to play by what `advice` has just given: that of `action`, with as much drawn from the stream."""
        if advice.shows:
            return int(encode(SHOW, advice.shows[0].card))
        found = self._without_asking(lambda: advice.accusation)
        if found is not None:
            return found
        worth = np.empty(len(advice.suggestions))
        for each in advice.suggestions:
            worth[triple_number(int(pack_triple(*each.cards)), self.game.params)] = each.worth
        return self._suggestion(worth)

    def _without_asking(self, accusation: Callable[[], Accusation]) -> int | None:
        """To accuse or to end the turn; None where a suggestion is to be made."""
        params, turn = self.game.params, self.seen["phase"] == TURN
        if turn and params[ORDER] != MITCHELL_ORDER:
            return None
        if not turn:
            forced = forced_accusation(
                np.uint64(self.hand), self.view[0]["record"], int(self.seen["suggestion_count"]), params
            )
            if forced >= 0:
                return int(encode(ACCUSE, int(forced)))
        found = accusation()
        if found.accuse:
            return _accuse(found.cards)
        return None if turn else int(encode(END, 0))

    def advice(self) -> Advice:
        """What there is to choose from."""
        found = self._accusation()
        proposals: list[Proposal] = []
        shows: list[Showing] = []
        entropy = 0.0
        if self.seen["phase"] == ANSWER:
            shows = self._shows()
        elif self.seen["phase"] == TURN:
            scores = self._scores()
            entropy = self.entropy
            for nth in np.argsort(-scores[:, SCORE], kind="stable"):
                triple = int(nth_triple(int(nth), self.game.params))
                cards = (triple & 31, triple >> 5 & 31, triple >> 10 & 31)
                gain, leak, solves, danger, worth = scores[nth, [GAIN, LEAK, SOLVES, DANGER, SCORE]].tolist()
                proposals.append(Proposal(cards, max(gain, 0.0), leak, solves, danger, worth))  # no -0.0
        else:
            # There is nothing to ask now, so nothing is looked ahead at.
            self._weighed()
            entropy = self.entropy
        return Advice(proposals, shows, found, entropy, len(self.hands), self.every_deal, self.impressions())

    def impressions(self) -> tuple[Impression, ...]:
        """What is believed of the others' habits, in the order of seats."""
        found = []
        for holder, row in enumerate(self.posterior):
            naming, showing = row[: len(NAMING)], row[len(NAMING) : ANY_CARD]
            seat = (int(self.seen["seat"]) + 1 + holder) % self.game.seats
            found.append(
                Impression(
                    seat,
                    tuple(naming.tolist()),
                    tuple(showing.tolist()),
                    float(naming @ np.array(NAMING)),
                    float(row[LACKED]),
                    float(row[SEEN_FIRST:ACCUSING_FIRST] @ np.array(SEEN)),
                    tuple(row[ACCUSING_FIRST:].tolist()),
                )
            )
        return tuple(sorted(found))


def _accuse(cards: tuple[int, int, int]) -> int:
    return int(encode(ACCUSE, cards[0] | cards[1] << 5 | cards[2] << 10))


def _systematic(weights: npt.NDArray[np.float64], number: int) -> npt.NDArray[np.int64]:
    """Which deals to take so that each is taken about as often as its weight says."""
    marks = (np.arange(number) + 0.5) / number * weights.sum()
    result: npt.NDArray[np.int64] = np.minimum(np.searchsorted(np.cumsum(weights), marks), len(weights) - 1)
    return result
