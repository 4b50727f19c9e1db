"""Speed Clue looked at again: how likely the envelope was held to be what it was, and what questions and answers cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.speed_clue.thought import Advice, Thought
from molehunt.agents.speed_clue.trials import Trials
from molehunt.analysis.analyst import Judgements, seed_of
from molehunt.analysis.comparing import compare
from molehunt.analysis.findings import Chart, Judged, Known, Line
from molehunt.analysis.marks import THRESHOLD, chart, lasting, rounded
from molehunt.beliefs.deals.facts import HOLDS, LACKS, NOT_ENVELOPE, ONE_OF, Fact, as_arrays, cards_in
from molehunt.beliefs.deals.layers import envelope_weights
from molehunt.core.language import _
from molehunt.core.replay import Played
from molehunt.core.specs import as_record
from molehunt.games.speed_clue.actions import (
    ACCUSE,
    END,
    PLAY_SHIFT,
    SHOW,
    SUGGEST,
    TRIPLE,
    encode,
    pack_triple,
    triple_mask,
)
from molehunt.games.speed_clue.game import SpeedClue, check_game
from molehunt.games.speed_clue.resample import (
    cards_out_of_reach,
    category_masks,
    facts_of_views,
    held_back,
)
from molehunt.games.speed_clue.rules import disprover_of, suggester_of
from molehunt.games.speed_clue.state import ACCUSED, AFTER, NOBODY_YET, RIGHT
from molehunt.reading.speed_clue.deeds import read_views
from molehunt.reading.speed_clue.exact_parameters import Parameters
from molehunt.reading.speed_clue.habits import prior
from molehunt.reading.speed_clue.hands import envelopes_weighed

PROPOSALS = 6
"""Suggestions with which one is compared: those that `exact` takes for the best."""
WORTH_NAMING = 0.1
"""The chance of an envelope from which on ending a turn without naming it was a choice."""
PARAMETERS = Parameters(ask="gain", deals=500)


class ClueAnalyst:
    """A game of Speed Clue."""

    rests_on = ""

    usual_worlds = 120

    def __init__(self, played: Played, names: Sequence[str]) -> None:
        self._played, self._names = played, tuple(names)
        self._game = check_game("the analysis", played.game)
        self._envelope = int(played.states[0]["envelope"][0])

    # --- Beliefs --------------------------------------------------------------------------------------------------------

    def beliefs(self) -> tuple[tuple[Chart, ...], tuple[Known, ...]]:
        charts: list[Chart] = []
        known: list[Known] = []
        cards = cards_in(self._envelope)
        card_names = [self._game.edition.said(card) for card in cards]
        for viewer in (None, *range(self._game.seats)):
            shares, certain = self.shares(viewer)
            lines = [Line(_("all three"), None, True, rounded(shares[:, 0]))]
            lines += [Line(name, None, True, rounded(shares[:, 1 + place])) for place, name in enumerate(card_names)]
            charts.append(chart(_("What was in the envelope"), viewer, 0, lines))
            likely = lasting(shares[:, 0] >= THRESHOLD, 0)
            known.append(
                Known(_("the envelope holds {cards}", cards=", ".join(card_names)), viewer, likely, lasting(certain, 0))
            )
        return tuple(charts), tuple(known)

    def shares(self, viewer: int | None) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """How likely a viewer may hold the true envelope, and each of its cards: shape (places, 4); and whether it was certain."""
        truth = np.uint64(self._envelope)
        found, certain = [], []
        for masks, weights in self.envelopes(viewer):
            share = weights / weights.sum()
            rows = [share[masks == truth].sum()]
            rows += [share[(masks >> np.uint64(card) & np.uint64(1)) == 1].sum() for card in cards_in(self._envelope)]
            found.append(rows)
            certain.append(np.count_nonzero(weights) == 1)
        return np.array(found), np.array(certain)

    def envelopes(self, viewer: int | None) -> Iterator[tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]]:
        """The possible envelopes and their weights at every place."""
        game = self._game
        told: Any = None
        found = np.zeros(0, np.uint64), np.zeros(0)
        for state in self._played.states:
            # Many a move leaves what is known as it was.
            if viewer is None:
                view = game.public_view(state)[0]
                facts = public_facts(game, view)
                if facts != told:
                    told, found = facts, public_envelopes(game, view, facts)
            else:
                seen = game.views(state, np.array([viewer], np.int8))
                if said(seen) != told:
                    told, found = said(seen), weighed_envelopes(game, seen)
            yield found

    # --- Moves ----------------------------------------------------------------------------------------------------------

    def judge(self, worlds: int, seed: int) -> Sequence[Judged]:
        game, played = self._game, self._played
        found = Judgements(played, self._names, worlds)
        for number, action in enumerate(played.actions):
            view = played.view(number)
            codes = game.legal_actions(view).codes
            if len(codes) == 1:
                continue
            start = seed_of(seed, number)
            stream = np.array([start], np.uint64)
            thought = Thought(PARAMETERS, game, view, stream, prior(PARAMETERS, game.seats))
            advice = thought.advice()
            moves = [move for move in choices(view, advice) if move in codes and move != action]
            if not moves:
                continue
            verdict = compare(Trials(thought, start).wins, [action, *moves], action, worlds)
            found.add(number, verdict, bits_lost(action, advice))
        return found.found


def choices(view: Any, advice: Advice) -> list[int]:
    """The moves that are worth a look: to suggest, to show, or to name the envelope or not."""
    accuse = int(encode(ACCUSE, int(pack_triple(*advice.accusation.cards))))
    if advice.shows:
        return [int(encode(SHOW, each.card)) for each in advice.shows]
    if advice.suggestions:
        return [int(encode(SUGGEST, int(pack_triple(*each.cards)))) for each in advice.suggestions[:PROPOSALS]] + [
            accuse
        ]
    if view["phase"][0] == AFTER and advice.accusation.probability < WORTH_NAMING:
        return []
    return [int(encode(END, 0)), accuse]


def bits_lost(action: int, advice: Advice) -> float | None:
    """What a suggestion tells less about the envelope than the best, or a card shown more than another; None for other moves."""
    play, cards = action >> PLAY_SHIFT, action & TRIPLE
    if play == SUGGEST and advice.suggestions:
        gains = {int(pack_triple(*each.cards)): each.gain for each in advice.suggestions}
        return max(gains.values()) - gains[cards]
    if play == SHOW and advice.shows:
        told = {each.card: each.tells for each in advice.shows}
        return told[cards] - min(told.values())
    return None


def weighed_envelopes(game: SpeedClue, view: Any) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]:
    """The envelopes that a seat holds possible, as sets of cards, and their weights, with habits as `exact` reads them."""
    facts = facts_of_views(view, game.params)
    expected = prior(PARAMETERS, game.seats)
    reading = read_views(view, game.params, as_record(PARAMETERS), expected)
    masks, weights, _ = envelopes_weighed(facts, reading, expected)
    if not weights.sum() > 0:
        # The habits that were assumed allow no deal: the rules alone are believed.
        masks, weights, _ = envelope_weights(facts)
    return masks, weights


def said(view: Any) -> bytes:
    """All of a view, an array of one record, that tells its seat of hands and the envelope."""
    return b"".join(part.tobytes() for part in (view["phase"][0], view["record"], view["accusations"]))


def public_facts(game: SpeedClue, view: Any) -> list[Fact]:
    """What a public view, one record, makes certain of all hands; places are the seats, and last the envelope."""
    seats = game.seats
    words = view["accusations"][:seats].tolist()
    out_of_reach = [int(cards_out_of_reach(word, game.params)) for word in words]
    facts: list[Fact] = []
    for index, entry in enumerate(view["record"][: view["suggestion_count"]].tolist()):
        asker, disprover = int(suggester_of(entry)), int(disprover_of(entry))
        cards = int(triple_mask(entry))
        if held_back(view, index, game.params):
            facts.append(Fact(ONE_OF, asker, cards_in(cards)))
        for step in range(1, seats):
            other = (asker + step) % seats
            if other == disprover or (disprover == NOBODY_YET and other == view["to_move"]):
                facts.append(Fact(ONE_OF, other, cards_in(cards & ~out_of_reach[asker])))
                break
            facts.append(Fact(LACKS, other, cards_in(cards)))
    facts += [Fact(LACKS, other, cards_in(cards)) for other, cards in enumerate(out_of_reach) if cards]
    return facts + [
        Fact(HOLDS if word & RIGHT else NOT_ENVELOPE, seats, cards_in(int(triple_mask(word))))
        for word in words
        if word & ACCUSED
    ]


def public_envelopes(
    game: SpeedClue, view: Any, facts: Sequence[Fact]
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]:
    """The envelopes that an onlooker of a public view holds possible by the rules alone, and their weights."""
    categories = category_masks(game.params)
    pool = int(np.bitwise_or.reduce(categories))
    sizes = view["hand_sizes"][: game.seats].tolist()
    masks, weights, _ = envelope_weights(as_arrays(pool, sizes, categories, facts))
    return masks, weights
