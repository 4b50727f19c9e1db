"""Every game as an environment of Gymnasium: one learner on one seat, players of this project on all others.

To import this registers an id for every ruleset, `molehunt/saboteur-krisnadi-v0`; `gymnasium.make` takes what `SeatEnv` takes, and
`gymnasium.make_vec` makes a `SeatVectorEnv`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.adapters.spaces import Window
from molehunt.adapters.stepping.earnings import Earnings, check_reward
from molehunt.adapters.stepping.stepped import (
    MOST,
    RENDER_MODES,
    RENDER_RATE,
    SteppedGame,
    check_action,
    check_render_mode,
    game_of,
)
from molehunt.core.agent import Agent, Player, check_agent
from molehunt.core.errors import BadInput, MolehuntError
from molehunt.core.numbers import is_whole
from molehunt.core.seeds import check_seed
from molehunt.core.words import joined
from molehunt.games.registry import all_games

try:
    import gymnasium
    from gymnasium import spaces as gym
except ImportError as error:
    raise MolehuntError("the environments need Gymnasium: pip install 'molehunt[rl]'") from error

NAMESPACE = "molehunt"
VERSION = 0
"""It goes up where the same actions for the same seed no longer give the same observations and rewards."""
FINE = -1.0
"""What an illegal action earns where nobody says it."""

Observed = npt.NDArray[np.int8]


def opponents_of(
    seats: int, seat: int | None, opponents: str | Agent | Mapping[int, str | Agent]
) -> dict[int, str | Agent]:
    """Who sits where: on all seats but the learner's, or on all where that is drawn. BadInput where somebody is missing."""
    asked: object = seat
    if asked is not None and not (is_whole(asked) and 0 <= asked < seats):
        raise BadInput(f"the learner sits on a seat from 0 to {seats - 1}, not on {seat!r:.40}")
    given: object = opponents
    if isinstance(given, Player) or (isinstance(given, type) and issubclass(given, Player)):
        check_agent("", given)  # says how one is seated
    if not isinstance(opponents, str | Agent | Mapping):
        raise BadInput(
            "opponents are one player for all other seats ('random'), or one for each by seat ({0: 'random'}), "
            f"not {opponents!r:.60}"
        )
    if not isinstance(opponents, Mapping):
        return {other: opponents for other in range(seats) if other != seat}
    if seat is None:
        raise BadInput(
            "opponents by seat leave no seat to draw for the learner: name it (seat=0), or one opponent for all"
        )
    if seat in opponents:
        raise BadInput(f"seat {seat} is the learner's and has no opponent; it has {opponents[seat]!r:.60}")
    missing = [other for other in range(seats) if other != seat and other not in opponents]
    if missing:
        raise BadInput(
            f"every seat but the learner's, {seat}, needs an opponent; {joined(map(str, missing))} have none"
        )
    return dict(opponents)


class SeatEnv(gymnasium.Env):
    """One seat of a game against `opponents`: one spec for all other seats (`"decision-2019"`), or one for each by seat.

    `seat` is the learner's; None draws it anew for each game (from the environment's generator, so a seed fixes it), and
    `info["seat"]` says which it is. An observation is the flat int8 array of `spaces`; `info["action_mask"]` says what is legal.
    Observations, masks and rewards are those of the learner's seat alone, at the end of a game too, when its mask is all 0. The
    reward is what the game pays the seat at its end, 0 until then; where the seat has not won, `loss_reward` where another has and
    `draw_reward` where nobody has, unless they are None. An action that is not legal is not played and earns
    `illegal_reward`, and the seat is still to move: so learners that know no masks can learn. With `illegal_reward=None` it raises
    IllegalAction with the rule it breaks. A game that ends before the seat moves is dealt anew with the next seed.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_RATE}  # noqa: RUF012 - the base class has it so

    def __init__(  # noqa: PLR0913 - each says what is wanted, and has a default
        self,
        label: str,
        seats: int | None = None,
        seat: int | None = None,
        *,
        opponents: str | Agent | Mapping[int, str | Agent] = "random",
        window: Window | None = None,
        illegal_reward: float | None = FINE,
        loss_reward: float | None = None,
        draw_reward: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        number = game_of(label, seats).seats
        others = opponents_of(number, seat, opponents)
        earnings = Earnings(loss_reward, draw_reward)
        self.stepped = SteppedGame(label, seats, others, window, moving=seat is None, earnings=earnings)
        self.drawn = seat is None
        self.seat = seat or 0
        check_reward("illegal_reward", illegal_reward, "an error")
        self.illegal_reward = illegal_reward
        self.render_mode = render_mode
        self.observation_space = gym.Box(
            self.stepped.spaces.least, MOST, (self.stepped.spaces.observation_size,), np.int8
        )
        self.action_space = gym.Discrete(self.stepped.spaces.size)

    def _seen(self) -> tuple[Observed, dict[str, Any]]:
        seen = self.stepped.see(self.seat)
        return seen["observation"], {"action_mask": seen["action_mask"], "seat": self.seat}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        seed = None if seed is None else check_seed(seed)  # before anything is changed; Gymnasium itself knows only int
        super().reset(seed=seed)
        if self.drawn:
            self.seat = int(self.np_random.integers(self.stepped.game.seats))
            self.stepped.place(self.seat)
        self.stepped.deal(seed)
        while self.stepped.to_move < 0:
            self.stepped.deal(None)
        self._show()
        return self._seen()

    def step(self, action: Any) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        self.stepped.check_dealt()
        action = check_action(action)
        if (
            self.illegal_reward is not None
            and self.stepped.to_move == self.seat
            and 0 <= action < self.stepped.spaces.size
        ):
            observation, info = self._seen()
            if not info["action_mask"][action]:
                return observation, self.illegal_reward, False, False, info
        over = self.stepped.play(action) < 0
        observation, info = self._seen()
        self._show()
        return observation, float(self.stepped.rewards[self.seat]), over, False, info

    def action_masks(self) -> Observed:
        """Which actions are legal now: shape (actions,); for learners that ask the environment. BadInput before the first reset."""
        return self.stepped.see(self.seat)["action_mask"]

    def render(self) -> Any:
        """What the learner sees (what is public, at the end) as text or SVG; None without a render mode.

        In the mode "human" it is printed, at every step without being asked, and None is given. BadInput before the first reset.
        """
        return self.stepped.render(self.render_mode)

    def clone(self) -> SeatEnv:
        """The same game at the same point; from here on each goes its own way, and the same actions lead to the same."""
        return copy.deepcopy(self)

    __copy__ = clone


class MaskInObservation(gymnasium.ObservationWrapper):
    """An environment whose observations are dicts of the observation and the mask, under the names that a learner wants.

    For learners that read nothing of `info`: Tianshou (`obs`, `mask`), RLlib (`observations`, `action_mask`). Masks are of the
    dtype `mask_dtype`, and observations of `dtype`, int8 where it is None.
    """

    def __init__(
        self,
        env: gymnasium.Env,
        observation: str = "observation",
        mask: str = "action_mask",
        dtype: Any = None,
        mask_dtype: Any = np.int8,
    ) -> None:
        super().__init__(env)
        self.names = observation, mask
        seen: Any = env.observation_space
        self.dtypes = np.dtype(dtype or seen.dtype), np.dtype(mask_dtype)
        actions: Any = env.action_space
        self.observation_space = gym.Dict(
            {
                observation: gym.Box(float(seen.low.min()), float(seen.high.max()), seen.shape, self.dtypes[0].type),
                mask: gym.Box(0, 1, (int(actions.n),), self.dtypes[1].type),
            }
        )

    def observation(self, observation: Observed) -> dict[str, npt.NDArray[Any]]:
        mask = self.get_wrapper_attr("action_masks")()
        parts = zip(self.names, (observation, mask), self.dtypes, strict=True)
        return {name: part.astype(dtype) for name, part, dtype in parts}

    def clone(self) -> MaskInObservation:
        """The same game at the same point; from here on each goes its own way, and the same actions lead to the same."""
        return copy.deepcopy(self)

    __copy__ = clone


def env_id(name: str, ruleset: str) -> str:
    """The id of a ruleset of a game: `molehunt/duel-mcgill-v0`."""
    return f"{NAMESPACE}/{name}-{ruleset}-v{VERSION}"


def register() -> None:
    """Make every ruleset of every game known to Gymnasium; once, however often it is called."""
    for entry in all_games().values():
        for ruleset in entry.rulesets:
            if env_id(entry.name, ruleset) not in gymnasium.registry:
                gymnasium.register(
                    env_id(entry.name, ruleset),
                    entry_point="molehunt.adapters.gymnasium:SeatEnv",
                    vector_entry_point="molehunt.adapters.gymnasium_vector:SeatVectorEnv",
                    kwargs={"label": f"{entry.name}/{ruleset}"},
                )


register()
