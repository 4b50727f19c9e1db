"""What `mole` remembers, and what it works with."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.decision_2019 import act_one as act_of_2019
from molehunt.agents.saboteur.decision_2019 import observe_one as observe_of_2019
from molehunt.agents.saboteur.learned import CHAIR
from molehunt.agents.saboteur.minds import MEMORY_NUMBERS as MODEL_NUMBERS_COUNT
from molehunt.agents.saboteur.minds import MIND as MODEL
from molehunt.agents.saboteur.minds import SCRATCH as SCRATCH_OF_2019
from molehunt.agents.saboteur.mole_parameters import MOST_AHEAD
from molehunt.agents.saboteur.mole_words import Weighed
from molehunt.agents.saboteur.own_seat import MEMORY_NUMBERS, OwnSeat
from molehunt.agents.saboteur.own_seat import act_one as act_of_own
from molehunt.agents.saboteur.own_seat import observe_one as observe_of_own
from molehunt.agents.saboteur.playing_on import BUDGET_ENTRIES, HYPOTHESES, SEARCH_NUMBERS, USUAL_ENTRIES
from molehunt.core.memory import CONSTANT_PART, SCRATCH_PART
from molehunt.games.calls import LEGAL_SEEN, PAYOFFS, RESAMPLE, Calls
from molehunt.games.playing import CHAIRS_PER_GAME, FIRST_CHAIR, NEEDED, STOPPED_SIZE, laid_down
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.state import EVENT, STATE, VIEW
from molehunt.games.saboteur.views import MAX_ACTIONS
from molehunt.reading.saboteur.forecast import FEATURES, forecaster
from molehunt.reading.saboteur.habits import habits
from molehunt.reading.saboteur.suspicion import CASE, SCRATCH, Deal
from molehunt.reading.saboteur.ways import WAYS


class Scratch:
    """What a memory works with."""

    def __init__(self, game: Saboteur, deal: Deal, own: OwnSeat | None, asked: OwnSeat | None) -> None:
        seats = game.seats
        self.suspicion = np.zeros(1, SCRATCH)
        self.scratch_of_2019 = np.zeros(1, SCRATCH_OF_2019)
        self.told = np.zeros(HYPOTHESES * seats, EVENT)
        self.model_rows = np.arange(HYPOTHESES * seats)
        self.model_numbers = np.zeros(MODEL_NUMBERS_COUNT, np.int64)
        self.search = np.zeros(SEARCH_NUMBERS, np.int64)
        # The parts of a search.
        self.round_params = game.params.copy()
        self.world, self.trial = np.zeros(1, STATE), np.zeros(1, STATE)
        self.looked, self.viewed = np.zeros(1, VIEW), np.zeros(1, VIEW)
        self.whole, self.events = np.zeros(1, EVENT), np.zeros(seats, EVENT)
        self.minds = np.zeros(seats, MODEL)
        self.numbers = np.zeros(seats * MEMORY_NUMBERS, np.int64)
        self.rows = np.arange(seats)
        self.stopped = np.zeros(STOPPED_SIZE + 1, np.int64)
        self.paid = np.zeros(seats)
        self.stream = np.zeros(1, np.uint64)
        self.moves = np.zeros(MAX_ACTIONS, np.int32)
        self.alive = np.zeros(MAX_ACTIONS, np.int64)
        self.totals = np.zeros(MAX_ACTIONS)
        self.joint = np.zeros(3 * len(deal.teams))
        self.usual = np.zeros(USUAL_ENTRIES)
        self.liking = np.zeros(MAX_ACTIONS)
        self.brought = np.zeros(MAX_ACTIONS)
        self.made = np.zeros(MOST_AHEAD, np.int32)
        self.position = np.zeros(FEATURES)
        self.ways = np.zeros(1, WAYS)
        # Held here for as long as kernels know their addresses: two threads that ask first may be given an array each.
        self.habits = habits().reshape(-1)
        self.network = forecaster().copy()  # kernels write to its scratch, and memories may be worked with at once
        self.budget = np.zeros(BUDGET_ENTRIES, np.int64)
        self.enough = np.zeros(1)
        self.last: tuple[tuple[int, bytes], Weighed] | None = None  # what was thought by the clock at a view
        self.heard, self.words = np.zeros(1, CASE), np.zeros(1, EVENT)
        players = np.zeros((seats, 4), np.int64)
        players[:, FIRST_CHAIR], players[:, CHAIRS_PER_GAME] = np.arange(seats), seats
        self.players = players.reshape(-1)
        self.own = own
        self.own_chair = np.zeros(1, CHAIR) if own is None else own.chair
        self.own_numbers = np.zeros(0, np.int64)
        self.asked = asked
        self.asked_chair = np.zeros(1, CHAIR) if asked is None else asked.chair
        self.asked_numbers = np.zeros(0, np.int64)
        self.functions = np.zeros(4, np.int64)
        self.calls: Calls = np.zeros(0, np.int64)
        self.others: list[Scratch] = []

    def benches(self, count: int) -> list[Scratch]:
        """So many to play on with at once, this one first: what was listed and is known of the moves they share."""
        listed = self.viewed, self.moves, self.alive, self.totals, self.joint, self.usual, self.liking
        asked = self.asked, self.asked_chair
        while len(self.others) < count - 1:
            self.others.append(copy.deepcopy(self, {id(part): part for part in (*listed, *asked)}))
        return [self, *self.others[: count - 1]]

    def __deepcopy__(self, memo: dict[int, Any]) -> Scratch:
        """For another memory, or to play on beside it: alone."""
        result = copy.copy(self)
        for name, part in vars(self).items():
            setattr(result, name, [] if part is self.others else copy.deepcopy(part, memo))
        return result

    def lay_down(self, memory: Memory) -> None:
        """Note where the parts of a search lie."""
        game, deal = memory.game, memory.deal
        # Addresses are those of the moment: kernels may be interpreted until there is machine code.
        self.calls = game.calls(*NEEDED, LEGAL_SEEN, RESAMPLE, PAYOFFS)
        self.functions[:2] = act_of_2019.address, observe_of_2019.address
        if self.own:
            self.functions[2:] = act_of_own.address, observe_of_own.address
            self.own_numbers = self.own.laid_down()
        if self.asked:
            self.asked_numbers = self.asked.laid_down()
        of_2019 = memory.parameters_of_2019, memory.tables_of_2019, self.scratch_of_2019
        self.numbers.reshape(game.seats, -1)[:, :MODEL_NUMBERS_COUNT] = laid_down(self.minds, *of_2019, game.params)
        self.search[:] = laid_down(
            self.calls,
            game.params,
            self.round_params,
            self.world,
            self.trial,
            self.looked,
            self.whole,
            self.events,
            self.minds,
            self.players,
            self.numbers,
            self.rows,
            self.stopped,
            self.paid,
            self.stream,
            self.moves,
            self.alive,
            self.totals,
            self.viewed,
            self.joint,
            deal.teams,
            deal.odds,
            self.budget,
            self.usual,
            self.made,
            self.position,
            self.network,
            self.ways,
            self.functions,
            self.own_chair,
            self.own_numbers,
            self.asked_chair,
            self.asked_numbers,
            self.liking,
            self.brought,
        )


@dataclass
class Memory:
    """All chairs of an agent: `records` of dtype MIND, `models`, a player of 2019 for each hypothesis, and what each `noted`.

    The shape of `models` is (chairs, 6 * seats); `noted` is of dtype HISTORY. `seats` are the chairs', and `met` says in how
    many earlier games each met those that it plays with. `expected`, shape (chairs, seats, styles), is the logarithm of how likely
    each took each style before the first move.
    """

    records: npt.NDArray[Any]
    models: npt.NDArray[Any]
    noted: npt.NDArray[Any]
    seats: npt.NDArray[np.int16]
    met: npt.NDArray[np.int64]
    expected: npt.NDArray[np.float64]
    game: Saboteur = field(metadata=CONSTANT_PART)
    deal: Deal = field(metadata=CONSTANT_PART)
    parameters_of_2019: npt.NDArray[Any] = field(metadata=CONSTANT_PART)
    tables_of_2019: npt.NDArray[Any] = field(metadata=CONSTANT_PART)
    scratch: Scratch = field(metadata=SCRATCH_PART)
