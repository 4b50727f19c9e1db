"""Every game as an environment of Gymnasium: one learner on one seat, players of this project on all others."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.adapters.spaces import Window
from molehunt.adapters.tables.table import Table, game_of
from molehunt.core.agent import Agent
from molehunt.core.errors import BadInput, MolehuntError

try:
    import gymnasium
    from gymnasium import spaces as gym
except ImportError as error:
    raise MolehuntError("the environments need Gymnasium: pip install 'molehunt[rl]'") from error

RENDER_MODES = ("ansi", "svg")
MOST = 127


class SeatEnv(gymnasium.Env):
    """One seat of a game against `opponents`: one spec for all other seats (`"decision-2019"`), or one for each by seat.

    An observation is the flat int8 array of `spaces`; `info["action_mask"]` says what is legal. The reward is what the game pays
    the seat at its end, 0 until then. An action that is not legal raises IllegalAction; with `illegal_reward` it is not played and
    earns that reward, and the seat is still to move: for learners that know no masks. A game that ends before the seat moves is
    dealt anew with the next seed.
    """

    def __init__(  # noqa: PLR0913 - each says what is wanted, and has a default
        self,
        label: str,
        seats: int | None = None,
        seat: int = 0,
        *,
        opponents: str | Agent | Mapping[int, str | Agent] = "random",
        window: Window | None = None,
        illegal_reward: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise BadInput(f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r:.40}")
        number = game_of(label, seats).seats
        if not 0 <= seat < number:
            raise BadInput(f"the learner sits on a seat from 0 to {number - 1}, not on {seat}")
        if not isinstance(opponents, Mapping):
            opponents = {other: opponents for other in range(number) if other != seat}
        self.table = Table(label, seats, opponents, window)
        if self.table.learners != [seat]:
            raise BadInput(f"every seat but {seat} needs an opponent; {self.table.learners} have none")
        self.seat = seat
        self.illegal_reward = illegal_reward
        self.render_mode = render_mode
        self.metadata = {"render_modes": list(RENDER_MODES)}
        self.observation_space = gym.Box(self.table.spaces.least, MOST, (self.table.spaces.observation_size,), np.int8)
        self.action_space = gym.Discrete(self.table.spaces.size)

    def _seen(self) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        seen = self.table.see(self.seat)
        return seen["observation"], {"action_mask": seen["action_mask"]}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        super().reset(seed=seed)
        self.table.deal(seed)
        while self.table.to_move < 0:
            self.table.deal(None)
        return self._seen()

    def step(self, action: Any) -> tuple[npt.NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        if self.table.seed is None:
            raise BadInput("there is no game: call reset first")
        if self.illegal_reward is not None and self.table.to_move == self.seat:
            observation, info = self._seen()
            if not info["action_mask"][action]:
                return observation, self.illegal_reward, False, False, info
        over = self.table.play(int(action)) < 0
        observation, info = self._seen()
        return observation, float(self.table.rewards[self.seat]), over, False, info

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Which actions are legal now: shape (actions,); for learners that ask the environment."""
        return self.table.see(self.seat)["action_mask"]

    def render(self) -> Any:
        """What the learner sees (what is public, at the end) as text or SVG; None without a render mode."""
        return None if self.render_mode is None else self.table.draw(self.render_mode)

    def clone(self) -> SeatEnv:
        """The same game at the same point; from here on each goes its own way, and the same actions lead to the same."""
        return copy.deepcopy(self)
