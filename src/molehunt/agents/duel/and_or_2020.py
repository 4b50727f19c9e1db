"""`and-or-2020`: the player of Cai and Jiang (2020), an AND/OR search over its own moves and the cards it may draw.

An OR node is the board after an own move, an AND node a card that may be drawn then, with its probability from the unseen
cards; h is the value at the depth limit. The opponent's moves are left out, as in the report; `opponent=modelled` puts them
in (expectiminimax), as the report wished, and `inferred` infers the opponent's hand from what they have played.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.duel.heuristic_2020 import (
    GUESS,
    HANDS,
    INFERRED,
    LARGEST_H,
    LIKELY,
    WINS_AT_ROOT,
    Weights,
    guess_goal,
    map_to_play,
)
from molehunt.agents.duel.heuristic_words import reasons
from molehunt.agents.duel.model import compile_boards, compile_searching, duel_model
from molehunt.agents.duel.opponent import MIND, chance_of_digger, note_events, open_mind
from molehunt.agents.duel.positions import POSITION, position_of_view
from molehunt.agents.duel.star_deals import is_lacked
from molehunt.core.agent import Agent, Rows, check_chairs, check_seating, check_views, seats_of_views, seen_from
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.language import later
from molehunt.core.memory import SCRATCH_PART
from molehunt.core.specs import parameter
from molehunt.core.streams import below
from molehunt.games.duel.cards import KINDS
from molehunt.games.duel.game import check_game
from molehunt.games.duel.possible import can_happen
from molehunt.games.duel.state import EVENT, SEATS, VIEW
from molehunt.search.expectimax import MOST_DEPTH, Found, Search

IGNORED, MODELLED = "ignored", "modelled"
SMALLEST, LARGEST = "smallest", "largest"


@dataclass(frozen=True)
class Parameters(Weights):
    """What can be set in `and-or-2020`: the search, the weights of h and how its terms are read.

    By default a goal state is worth its h, as section 3 of the report prints it.
    """

    wins_first: bool = parameter(False, later("reaching the nugget is worth more than any h"))
    depth: int = parameter(2, later("moves of players that the search looks ahead"), low=1, high=MOST_DEPTH)
    seconds: float = parameter(0.0, later("time for one move, in seconds; 0 = any"), low=0.0, high=3600.0)
    nodes: int = parameter(0, later("positions that may be looked at for one move; 0 = any number"), low=0, high=10**12)
    opponent: str = parameter(IGNORED, later("whether the opponent's moves are searched"), choices=(IGNORED, MODELLED))
    hands: int = parameter(
        4, later("hands of a modelled opponent that are sampled for each of its moves"), low=1, high=64
    )
    inferred: bool = parameter(
        False, later("a modelled opponent's hand is inferred: what they would have played, they hardly hold")
    )
    prune: bool = parameter(
        False, later("moves that cannot be best are cut (alpha-beta, Star1 at chance): the same moves, sooner")
    )
    wins_at_root: bool = parameter(False, later("where wins come first: only a win by the move that is made now does"))
    inner: str = parameter(
        SMALLEST,
        later(
            "the h that an inner OR node is worth: the smallest, which is best; the largest, as the formula's max says"
        ),
        choices=(SMALLEST, LARGEST),
    )

    def settings(self) -> npt.NDArray[np.float64]:
        result = super().settings()
        result[[WINS_AT_ROOT, LARGEST_H]] = self.wins_at_root, self.inner == LARGEST
        if self.opponent == MODELLED:
            result[HANDS] = self.hands
            result[INFERRED] = self.inferred
        return result


EDITIONS: dict[str, Parameters] = {"as_printed": Parameters(), "wins_first": Parameters(wins_first=True)}
"""As printed ("curDepth == maxDepth || ORNode board state is goal state"), a board on which the nugget is reached has an h like any
other, so one more move may be worth more than a win. `wins_first` is our reading of what a player would want."""


SUSPICION = 0.5
"""The chance that the other plays with a plan, before they have moved."""


def shares_held(mind: npt.NDArray[Any], goal: int, size: int) -> npt.NDArray[np.float64]:
    """What share of the unseen cards of each kind the other may hold, shape (KINDS,), if the nugget is under a goal.

    Who plays with a plan and did not play a card that they would have played can only have drawn it since: one card of `size`.
    """
    lacked = np.array([is_lacked(kind, mind[0], goal) for kind in range(KINDS)])
    return np.where(lacked, 1 - chance_of_digger(mind) * (1 - 1 / max(size, 1)), 1.0)


@dataclass
class Memory:
    """What the chairs of one agent remember, their seats, their random streams, and the search that they work with.

    `minds` is what each makes of the other, where hands are inferred.
    """

    search: Search = field(metadata=SCRATCH_PART)
    seats: npt.NDArray[np.int16]
    streams: npt.NDArray[np.uint64]
    minds: npt.NDArray[Any] | None

    def mind_of(self, row: int) -> npt.NDArray[Any] | None:
        """What the chair `row` makes of the other, as an array of one."""
        return None if self.minds is None else self.minds[row : row + 1]


class AndOr2020Agent(Agent):
    """The AND/OR player."""

    in_batches = False
    compiled_apart = compile_boards, compile_searching

    def __init__(self, name: str = "and-or-2020", parameters: Parameters = EDITIONS["as_printed"]) -> None:
        self.name = name
        self.parameters = parameters
        self.settings = parameters.settings()
        self.needs_machine_code = parameters.depth > Parameters().depth
        self.observes = parameters.inferred

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        check_game(self.name, game)
        check_seating(game, views, streams)
        minds = None
        if self.parameters.inferred:
            minds = np.zeros(len(views), MIND)
            open_mind(minds, views, SUSPICION, 0.5)
        return Memory(Search(duel_model()), seats_of_views(views), streams.copy(), minds)

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        rows = check_views(memory, views, rows, VIEW)
        actions = np.empty(len(views), np.int32)
        for index, row in enumerate(rows):
            view = views[index]
            actions[index] = map_to_play(view) if self.parameters.map_first else -1
            if actions[index] < 0:
                found = self.search(
                    memory.search, view, memory.mind_of(row), pruned=self.parameters.prune, only_best=True
                )
                actions[index] = _one_of(found.best, memory.streams[row : row + 1])
        return actions

    def search(
        self,
        search: Search,
        view: Any,
        mind: npt.NDArray[Any] | None = None,
        *,
        pruned: bool = False,
        only_best: bool = False,
    ) -> Found:
        """What the search finds for one view, or what it needs of it for the best move.

        `mind` is what its chair makes of the other, where hands are inferred.
        """
        settings = self.settings.copy()
        settings[GUESS] = guess_goal(view["goals"])
        if mind is not None:
            settings[LIKELY:] = shares_held(mind, int(settings[GUESS]), int(view["hand_sizes"][1 - view["seat"]]))
        position = np.zeros(1, POSITION)
        position_of_view(view, position[0])
        parameters = self.parameters
        # Within a limit, what is reached depends on what is cut.
        limited = parameters.nodes or parameters.seconds
        return search.run(
            position,
            settings,
            parameters.depth,
            nodes=parameters.nodes,
            seconds=parameters.seconds,
            pruned=pruned,
            only_best=only_best and not limited,
        )

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        rows = check_chairs(memory, events, rows, EVENT)
        can_happen.check(events, SEATS)
        if memory.minds is not None:
            note_events(events, memory.minds, rows)

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        found = self.search(Search(duel_model()), seen_from(memory, view, row)[0], memory.mind_of(row))
        chosen = _one_of(found.best, memory.streams[row : row + 1].copy())
        return reasons(self.parameters, check_game(self.name, game), view, self.parameters.depth, chosen, found)


def _one_of(moves: npt.NDArray[np.int32], stream: npt.NDArray[np.uint64]) -> int:
    """One of some moves, all equally likely."""
    return int(moves[below(stream, len(moves))])
