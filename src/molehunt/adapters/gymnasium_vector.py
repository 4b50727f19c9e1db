"""Many games at once as a vector environment of Gymnasium: in each a learner on one seat, players of this project on all others."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces as gym
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from molehunt.adapters.gymnasium import FINE, opponents_of
from molehunt.adapters.spaces import Window, spaces_of
from molehunt.adapters.stepping.any_game import refusal
from molehunt.adapters.stepping.earnings import Earnings, check_reward
from molehunt.adapters.stepping.opponents import Opponents, Rows, make_opponents
from molehunt.adapters.stepping.stepped import MOST, as_array, check_count, check_games, check_indices, game_of
from molehunt.core.agent import Agent
from molehunt.core.at_first import interpreted_at_first, is_for
from molehunt.core.errors import BadInput, IllegalAction, value_text
from molehunt.core.seeds import check_seed
from molehunt.core.streams import MAX_SEED, game_seeds


@interpreted_at_first("reset", "step")
class SeatVectorEnv(gymnasium.vector.VectorEnv):
    """`num_envs` games as `gymnasium.SeatEnv` plays them, stepped together; opponents think in batches.

    Arguments as there; `seat` is the same in all games, or drawn anew for each. Game i is that of a `SeatEnv` that was reset with
    `seed + i` (`reset` takes one seed, or one for each game, and with `options={"reset_mask": mask}` it deals those games anew and
    lets the others go on). Observations: shape (num_envs, observation size), int8; `info["action_mask"]`, shape (num_envs,
    actions), and `info["seat"]`, shape (num_envs,), are there at every step. A game that has ended is replaced in the step after
    that, whose action is not looked at (`AutoresetMode.NEXT_STEP`); so the last observation of a game is the learner's own. With
    `max_episode_steps` a game is also cut short (`truncated`) after so many steps of the learner, illegal ones included. What is
    returned is new at every step. The first steps of few games are interpreted where nothing is compiled yet (`core.at_first`).
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - the base class has it so

    def __init__(  # noqa: PLR0913 - each says what is wanted, and has a default
        self,
        label: str,
        num_envs: int = 1,
        seats: int | None = None,
        seat: int | None = None,
        *,
        opponents: str | Agent | Mapping[int, str | Agent] = "random",
        window: Window | None = None,
        illegal_reward: float | None = FINE,
        loss_reward: float | None = None,
        draw_reward: float | None = None,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        num_envs = check_games(num_envs, "num_envs")
        if render_mode is not None:
            raise BadInput(f"many games at once are not drawn: render_mode is None, not {render_mode!r:.40}")
        if max_episode_steps is not None:
            check_count(max_episode_steps, "max_episode_steps, where it is not None,")
        self.num_envs = num_envs
        self.max_episode_steps = max_episode_steps
        self.game = game_of(label, seats)
        self.spaces = spaces_of(self.game, window)
        check_reward("illegal_reward", illegal_reward, "an error")
        self.illegal_reward = illegal_reward
        self.earnings = Earnings(loss_reward, draw_reward).checked()
        self.drawn = seat is None
        self.learners = np.full(num_envs, seat or 0, np.int8)
        self.opponents = Opponents(
            self.game,
            make_opponents(self.game, opponents_of(self.game.seats, seat, opponents)),
            self.learners if self.drawn else None,
        )
        self.interpreted_first = is_for(num_envs, self.opponents.agents)
        self.single_observation_space = gym.Box(self.spaces.least, MOST, (self.spaces.observation_size,), np.int8)
        self.single_action_space = gym.Discrete(self.spaces.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.states = np.zeros(num_envs, self.game.state_dtype)
        self.masks = np.zeros((num_envs, self.spaces.size), np.int8)
        self._bases = np.zeros(num_envs, np.uint64)
        self._numbers = np.zeros(num_envs, np.int64)
        self._generators: list[np.random.Generator] = []
        self._seeds = np.zeros(num_envs, np.uint64)
        self._over = np.zeros(num_envs, np.bool_)
        """Which games have ended or were cut short, and are replaced in the next step."""
        self._lengths = np.zeros(num_envs, np.int64)
        """How many steps the learner has taken in each game."""

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        if seed is None or isinstance(seed, int | np.integer):
            super().reset(seed=None if seed is None else check_seed(seed))
            seeds: Sequence[int | None] = [None if seed is None else int(seed) + row for row in range(self.num_envs)]
        else:
            seeds = self._seed_each(seed)
        seeds = [None if given is None else check_seed(given) for given in seeds]  # all of them, or nothing is changed
        first = not self._generators
        rows = np.arange(self.num_envs)
        if options and not isinstance(options, Mapping):
            raise BadInput(f"options are a dict, as {{'reset_mask': mask}}, not {value_text(options)}")
        if options and "reset_mask" in options:
            rows = self._masked(options["reset_mask"], first)
        if first:
            self._generators = [np.random.default_rng() for _ in range(self.num_envs)]
        for row in rows.tolist():
            given = seeds[row]
            if given is not None:
                self._bases[row] = given
                self._generators[row] = gymnasium.utils.seeding.np_random(given)[0]
                self._numbers[row] = 0
            elif first:
                self._bases[row] = int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) & MAX_SEED
        if self.drawn:
            self._draw_seats(rows)
        if len(rows) == self.num_envs:
            self.states[:] = self.game.new(self._next_seeds(rows))
            self.opponents.begin(self.states, self._seeds)
            self.opponents.move(self.states)
        else:
            self._deal(rows)
        self._deal_again_where_over(rows)
        self._over[rows] = False
        self._lengths[rows] = 0
        return self._shown()

    def _seed_each(self, given: Any) -> list[Any]:
        """Seeds that are given one for each game, as a list; BadInput where they are not."""
        if not isinstance(given, Sequence | np.ndarray):
            raise BadInput(
                f"there is one seed, or a list of one for each of {self.num_envs} games, not {value_text(given)}"
            )
        if len(given) != self.num_envs:
            raise BadInput(f"there is one seed, or one for each of {self.num_envs} games, not {len(given)}")
        return list(given)

    def _masked(self, given: Any, first: bool) -> Rows:
        """The games that Gymnasium's `reset_mask` names. BadInput: it is no mask, or the other games are not there yet."""
        right = f"reset_mask says of each of {self.num_envs} games whether it begins anew, of one at least"
        mask = as_array(given, right)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any() or np.ma.is_masked(given):
            raise BadInput(f"{right}, not {value_text(given)}")
        if first and not mask.all():
            raise BadInput("the first reset deals all games: leave reset_mask out")
        return np.flatnonzero(mask)

    def clone(self) -> SeatVectorEnv:
        """The same games at the same points; from here on each goes its own way, and the same actions lead to the same."""
        return copy.deepcopy(self)

    __copy__ = clone

    def _draw_seats(self, rows: Rows) -> None:
        self.learners[rows] = [self._generators[row].integers(self.game.seats) for row in rows]

    def _next_seeds(self, rows: Rows) -> npt.NDArray[np.uint64]:
        """The seeds of the next games of some rows; those of all rows stay in `_seeds`."""
        for row in rows:
            number = int(self._numbers[row])
            base = int(self._bases[row])
            self._seeds[row] = base if number == 0 else game_seeds(base, number, 1)[0]
        self._numbers[rows] += 1
        return self._seeds[rows]

    def _deal(self, rows: Rows) -> None:
        """Replace the games of some rows by their next ones."""
        self.states[rows] = self.game.new(self._next_seeds(rows))
        self.opponents.begin_again(self.states, self._seeds, rows)
        self.opponents.move(self.states)

    def _deal_again_where_over(self, rows: Rows) -> None:
        """Replace games of these rows that end before the learner moves."""
        while True:
            rows = rows[self.game.to_move(self.states)[rows] < 0]
            if not len(rows):
                return
            self._deal(rows)

    def _shown(self) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        """What the learners see, and what they may do."""
        views = self.game.views(self.states, self.learners)
        self.masks = self.spaces.mask_many(views)
        told = np.ones(self.num_envs, np.bool_)
        info = {
            "action_mask": self.masks.copy(),
            "_action_mask": told,
            "seat": self.learners.astype(np.int64),
            "_seat": told.copy(),
        }
        return self.spaces.observation_many(views), info

    def _legal(self, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Which actions are legal. BadInput or IllegalAction name the first that is none, or where none may be illegal."""
        going = ~self._over
        nowhere = going & ((actions < 0) | (actions >= self.spaces.size))
        if nowhere.any():
            self.spaces.code(int(actions[nowhere][0]))
        legal = np.zeros(self.num_envs, np.bool_)
        rows = np.flatnonzero(going)
        legal[rows] = self.masks[rows, actions[rows]] == 1
        wrong = np.flatnonzero(going & ~legal)
        if self.illegal_reward is None and len(wrong):
            row = int(wrong[0])
            seat = int(self.learners[row])
            error = refusal(self.game, self.states[row : row + 1], self.spaces.code(int(actions[row]), seat))
            raise IllegalAction(seat, error.action, f"{error.rule} (game {row} of {self.num_envs})")
        return legal

    def step(
        self, actions: Any
    ) -> tuple[
        npt.NDArray[np.int8], npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        actions = check_indices(actions, self.num_envs)
        if not self._generators:
            raise BadInput("there are no games: call reset first")
        actions = actions.astype(np.int64)
        legal = self._legal(actions)
        again, rows = np.flatnonzero(self._over), np.flatnonzero(legal)
        rewards = np.zeros(self.num_envs)
        if self.illegal_reward is not None:
            rewards[~legal & ~self._over] = self.illegal_reward
        if len(rows):
            codes = self.spaces.codes_many(actions[rows], self.learners[rows])
            self.opponents.watch(self.game.apply(self.states, codes, rows), rows)
            self.opponents.move(self.states)
        ended = rows[self.game.to_move(self.states)[rows] < 0]
        if len(ended):
            rewards[ended] = self.earnings.of(self.game, self.states[ended])[
                np.arange(len(ended)), self.learners[ended]
            ]
        if len(again):
            if self.drawn:
                self._draw_seats(again)
            self._deal(again)
            self._deal_again_where_over(again)
        self._lengths += 1
        self._lengths[again] = 0
        terminated = np.zeros(self.num_envs, np.bool_)
        terminated[ended] = True
        most = self.max_episode_steps
        truncated = np.zeros(self.num_envs, np.bool_) if most is None else self._lengths >= most
        self._over = terminated | truncated
        observations, info = self._shown()
        return observations, rewards, terminated, truncated, info
