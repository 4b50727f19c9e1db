"""Many games at once as arrays, for training loops: one call plays a move in each of them.

Everything is written into arrays that are made once. What a call returns is overwritten by the next one: copy what is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.adapters.spaces import Window, spaces_of
from molehunt.adapters.spaces.base import Spaces
from molehunt.adapters.spaces.shown import SEE_MASK, SEE_VIEW
from molehunt.adapters.stepping.any_game import AnyGame, refusal, steps_of
from molehunt.adapters.stepping.compiled_game import PlayedCompiled
from molehunt.adapters.stepping.earnings import Earnings
from molehunt.adapters.stepping.kernels import Batch
from molehunt.adapters.stepping.opponents import Opponents, Rows, learners_of, make_opponents
from molehunt.adapters.stepping.stepped import check_game_seeds, check_games, check_indices, game_of
from molehunt.core.agent import Agent
from molehunt.core.at_first import interpreted_at_first, is_for
from molehunt.core.errors import BadInput, IllegalAction
from molehunt.core.game import Seeds
from molehunt.core.interpreting import is_interpreting
from molehunt.core.seeds import check_seed
from molehunt.core.streams import game_seeds
from molehunt.core.words import counted

RANDOM_STREAMS_SALT = 1 << 52
"""Streams of `random_actions` start far from the seeds of games."""
UNDEALT = "there are no games: call reset first"


class Step(NamedTuple):
    """What came of a move in each of n games; all arrays are the environment's own, not to be written to.

    `observations` (n, observation size) and `masks` (n, actions), int8, are for the seat to move, as `spaces` lays them out;
    `rewards` (n, seats), float32, what each seat was paid by this move; `terminated` (n,), whether it ended the game; `to_move`
    (n,), the seat to move, -1 where the game is over.
    """

    observations: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    terminated: npt.NDArray[np.bool_]
    masks: npt.NDArray[np.int8]
    to_move: npt.NDArray[np.int8]


def _shown(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same array, not to be written to."""
    view = array.view()
    view.setflags(write=False)
    return view


@interpreted_at_first("reset", "_step_at_first", "_choose_at_first", "_take_up")
class BatchedGames:
    """`games` plays of one game side by side.

    With `auto_reset` a game that ends is replaced in the same step: `rewards` and `terminated` are of the one that ended, all else
    of the new one (where that too ends before a learner moves, it is paid and replaced as well). Without it, a game that is over
    stays as it is, and its action is not looked at. `opponents` puts players of this project on seats (`{1: "decision-2019"}`);
    they move inside `step`, in batches. Without `observations` or `masks`, these arrays have no columns and cost nothing.
    `window`: see `spaces.spaces_of`. Who has not won is paid `loss_reward` where another has, `draw_reward` where nobody has, and
    what the game pays where these are None. The first steps of few games are interpreted where nothing is compiled yet
    (`core.at_first`).
    """

    def __init__(  # noqa: PLR0913 - each says what is wanted, and has a default
        self,
        label: str,
        seats: int | None = None,
        games: int = 256,
        *,
        auto_reset: bool = True,
        opponents: Mapping[int, str | Agent] | None = None,
        observations: bool = True,
        masks: bool = True,
        window: Window | None = None,
        loss_reward: float | None = None,
        draw_reward: float | None = None,
    ) -> None:
        games = check_games(games, "games")
        self.game = game_of(label, seats)
        opponents = {} if opponents is None else opponents
        self.learners = learners_of(self.game, opponents)
        self._arguments = {
            "label": label,
            "seats": seats,
            "games": games,
            "auto_reset": auto_reset,
            "opponents": dict(opponents),
            "observations": observations,
            "masks": masks,
            "window": window,
            "loss_reward": loss_reward,
            "draw_reward": draw_reward,
        }
        self.earnings = Earnings(loss_reward, draw_reward).checked()
        self.games = games
        self.auto_reset = auto_reset
        self.spaces: Spaces = spaces_of(self.game, window)
        self.opponents = Opponents(self.game, make_opponents(self.game, opponents)) if opponents else None
        self.interpreted_first = is_for(games, self.opponents.agents if self.opponents is not None else ())
        self._wanted = observations * SEE_VIEW | masks * SEE_MASK
        self.arrays = {
            "states": np.zeros(games, self.game.state_dtype),
            "seeds": np.zeros(games, np.uint64),
            "bases": np.zeros(games, np.uint64),
            "numbers": np.zeros(games, np.int64),
            "streams": np.zeros(games, np.uint64),
            "observations": np.zeros((games, self.spaces.observation_size * observations), np.int8),
            "rewards": np.zeros((games, self.game.seats), np.float32),
            "terminated": np.zeros(games, np.bool_),
            "masks": np.zeros((games, self.spaces.size * masks), np.int8),
            "to_move": np.full(games, -1, np.int8),
            "over": np.zeros(games, np.bool_),
        }
        self._stride = 0
        self.bind()

    def __repr__(self) -> str:
        return f"<BatchedGames {self.game.label}, {self.game.seats} seats, {counted(self.games, 'game')}>"

    def bind(self) -> None:
        """Give the arrays, `arrays`, their names, and make what kernels write to on the way."""
        arrays = self.arrays
        self._made: AnyGame | PlayedCompiled | None = None  # not to be shared by threads
        self.states, self.seeds = arrays["states"], arrays["seeds"]
        self._batch: Batch | None = None
        self._actions = np.zeros(self.games, np.int64)
        self._step = Step(*(_shown(arrays[name]) for name in Step._fields))

    def reset(self, seeds: int | Seeds | Sequence[int] = 0) -> Step:
        """Deal all games. With a number: the first games that the arena plays with this seed, and after them its next ones.

        With an array, shape (games,), each row begins with the game of its seed and goes on with games that follow from it.
        """
        arrays = self.arrays
        if not isinstance(seeds, int | np.integer):
            arrays["seeds"][:] = arrays["bases"][:] = check_game_seeds(seeds, self.games)
            arrays["numbers"][:] = 1
            self._stride = 1
        else:
            first = check_seed(seeds)
            arrays["seeds"][:] = game_seeds(first, 0, self.games)
            arrays["bases"][:] = first
            arrays["numbers"][:] = np.arange(self.games, 2 * self.games)
            self._stride = self.games
        arrays["streams"][:] = game_seeds(int(arrays["bases"][0]) ^ RANDOM_STREAMS_SALT, 0, self.games)
        arrays["rewards"][:] = 0
        arrays["terminated"][:] = False
        arrays["over"][:] = False
        steps = self._made or self._make_steps()
        steps.deal_many(self.states, self.seeds)
        if self.opponents is not None:
            self.opponents.begin(self.states, self.seeds)
            self._let_opponents_move()
        self._show()
        return self._step

    def step(self, actions: npt.NDArray[Any] | Sequence[int]) -> Step:
        """Play one index in each game: shape (games,). BadInput or IllegalAction name the first that cannot be played.

        Then none is played.
        """
        actions = check_indices(actions, self.games)
        if not self._stride:
            raise BadInput(UNDEALT)
        # A step of a small batch takes microseconds: `core.at_first` is not asked where nothing is interpreted.
        return self._step_at_first(actions) if self.interpreted_first else self._play(actions)

    def _step_at_first(self, actions: npt.NDArray[Any]) -> Step:
        return self._play(actions)

    def _play(self, actions: npt.NDArray[Any]) -> Step:
        if self.opponents is not None:
            return self._step_among_opponents(actions)
        steps = self._made or self._make_steps()
        batch = self._batch or self._make_batch(steps)
        failed = steps.play_many(batch, actions, self._stride if self.auto_reset else 0, self._wanted)
        if failed >= 0:
            self._refuse(failed, int(actions[failed]))
        return self._step

    def _make_steps(self) -> AnyGame | PlayedCompiled:
        """How the game is stepped, which is kept where kernels are compiled: interpreted ones' addresses lead these nowhere."""
        steps = steps_of(self.game, self.spaces, self.earnings)
        if not is_interpreting():
            self._made = steps
        return steps

    def _make_batch(self, steps: AnyGame | PlayedCompiled) -> Batch:
        batch = self._batch = steps.batch_of(self.states, self.arrays)
        return batch

    def _refuse(self, row: int, index: int) -> None:
        seat = int(self._step.to_move[row])
        code = self.spaces.code(index, seat)
        error = refusal(self.game, self.states[row : row + 1], code)
        raise IllegalAction(seat, error.action, f"{error.rule} (game {row} of {self.games})")

    def _step_among_opponents(self, actions: npt.NDArray[Any]) -> Step:
        steps = self._made or self._make_steps()
        failed = steps.check_many(self.states, self.arrays["to_move"], actions)
        if failed >= 0:
            self._refuse(failed, int(actions[failed]))
        self.arrays["rewards"][:] = 0
        self.arrays["terminated"][:] = False
        rows = np.flatnonzero(self._step.to_move >= 0)
        codes = self.spaces.codes_many(actions[rows], self._step.to_move[rows])
        events = self.game.apply(self.states, codes, rows)
        self.opponents.watch(events, rows)  # type: ignore[union-attr]
        self._let_opponents_move()
        self._show()
        return self._step

    def _let_opponents_move(self) -> None:
        """Until a learner is to move everywhere, or a game is over that is not replaced."""
        arrays, steps = self.arrays, self._made or self._make_steps()
        while True:
            self.opponents.move(self.states)  # type: ignore[union-attr]
            ended: Rows = np.flatnonzero((self.game.to_move(self.states) < 0) & ~arrays["over"])
            if not len(ended):
                return
            steps.pay_many(self.states, ended, arrays["rewards"])
            arrays["terminated"][ended] = True
            if not self.auto_reset:
                arrays["over"][ended] = True
                return
            steps.next_seeds(ended, self.seeds, arrays["bases"], arrays["numbers"], self._stride)
            self.states[ended] = self.game.new(self.seeds[ended])
            self.opponents.begin_again(self.states, self.seeds, ended)  # type: ignore[union-attr]

    def _show(self) -> None:
        steps = self._made or self._make_steps()
        steps.show_many(self._batch or self._make_batch(steps), self._wanted)

    def random_actions(self) -> npt.NDArray[np.int64]:
        """The index of a uniformly random legal action in each game, 0 where it is over: shape (games,); overwritten later.

        They are drawn with a stream for each game that `reset` starts. BadInput before the first reset.
        """
        if not self._stride:
            raise BadInput(UNDEALT)
        if self.interpreted_first:
            self._choose_at_first()
        else:
            self._choose()
        return self._actions

    def _choose_at_first(self) -> None:
        self._choose()

    def _choose(self) -> None:
        steps = self._made or self._make_steps()
        steps.choose_many(self.states, self.arrays["to_move"], self.arrays["streams"], self._actions)

    def clone(self) -> BatchedGames:
        """The same games at the same points, in arrays of their own; from here on, the same actions lead to the same."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.arrays = {name: array.copy() for name, array in self.arrays.items()}
        twin.opponents = self.opponents and self.opponents.copy()
        twin.bind()
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> BatchedGames:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        memories = [chairs.memory for chairs in self.opponents.chairs] if self.opponents is not None else []
        return {"arguments": self._arguments, "arrays": self.arrays, "stride": self._stride, "memories": memories}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__init__(**saved["arguments"])  # type: ignore[misc]
        self.arrays = saved["arrays"]
        self._stride = saved["stride"]
        self.bind()
        if saved["memories"]:
            self._take_up(saved["memories"])

    def _take_up(self, memories: list[Any]) -> None:
        """Seat the opponents in the middle of games."""
        self.opponents.begin(self.states, self.seeds)  # type: ignore[union-attr]
        for chairs, memory in zip(self.opponents.chairs, memories, strict=True):  # type: ignore[union-attr]
            chairs.memory = memory
