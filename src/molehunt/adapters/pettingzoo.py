"""Every game as an environment of PettingZoo (agent by agent: AEC).

An agent is a seat, "player_0" on. It sees `{"observation", "action_mask"}` as `spaces` lays them out: int8, its own seat first.
Rewards are what the game pays at its end (gold in Saboteur, 1 for a win elsewhere) and 0 until then; who has not won may be paid
something else.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.adapters.spaces import Window
from molehunt.adapters.stepping.earnings import Earnings
from molehunt.adapters.stepping.stepped import (
    MOST,
    RENDER_MODES,
    RENDER_RATE,
    Observation,
    SteppedGame,
    check_action,
    check_render_mode,
)
from molehunt.core.agent import Agent
from molehunt.core.errors import BadInput, MolehuntError, value_text
from molehunt.core.words import joined

try:
    from gymnasium import spaces as gym
    from pettingzoo.utils.env import AECEnv
except ImportError as error:
    raise MolehuntError("the environments need PettingZoo: pip install 'molehunt[rl]'") from error


class MolehuntEnv(AECEnv):  # type: ignore[misc]
    """One game of Saboteur, the duel or Speed Clue, stepped agent by agent.

    `label` is the game as it is typed (`saboteur/krisnadi`), `seats` how many play. `opponents` puts players of this project on
    seats, by their specs: `{1: "decision-2019"}`; the other seats are the agents. `window`: see `spaces.spaces_of`. Who has not won
    is paid `loss_reward` where another has and `draw_reward` where nobody has, and what the game pays where these are None.
    With a seed, `reset` deals the game of that seed, as everywhere in this project; without one, those that follow from it.
    An action that is not legal raises IllegalAction with the rule, an index that is none raises BadInput, and nothing is played.
    """

    # One seat moves at a time, so there is no parallel interface: it would ask every other seat for an action and throw it away.
    metadata = {  # noqa: RUF012 - the base class has it so
        "name": "molehunt",
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_RATE,
        "is_parallelizable": False,
    }

    def __init__(  # noqa: PLR0913 - each says what is wanted, and has a default
        self,
        label: str,
        seats: int | None = None,
        opponents: Mapping[int, str | Agent] | None = None,
        window: Window | None = None,
        render_mode: str | None = None,
        *,
        loss_reward: float | None = None,
        draw_reward: float | None = None,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self.stepped = SteppedGame(label, seats, opponents, window, earnings=Earnings(loss_reward, draw_reward))
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": self.stepped.game.label}
        self.names = [f"player_{seat}" for seat in range(self.stepped.game.seats)]
        self.possible_agents = [self.names[seat] for seat in self.stepped.learners]
        self._seat_of = {self.names[seat]: seat for seat in self.stepped.learners}
        size, actions = self.stepped.spaces.observation_size, self.stepped.spaces.size
        self.observation_spaces = {
            name: gym.Dict(
                {
                    "observation": gym.Box(self.stepped.spaces.least, MOST, (size,), np.int8),
                    "action_mask": gym.Box(0, 1, (actions,), np.int8),
                }
            )
            for name in self.possible_agents
        }
        self.action_spaces = {name: gym.Discrete(actions) for name in self.possible_agents}
        self.state_space = gym.Box(self.stepped.spaces.least, MOST, (self.stepped.game.seats * size,), np.int8)
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self.rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self._cumulative_rewards: dict[str, float] = {}

    def _of(self, each: dict[str, Any], agent: str) -> Any:
        """What is an agent's; BadInput where it is none."""
        try:
            return each[agent]
        except (KeyError, TypeError):  # TypeError: a list, say
            others = "; players of this project sit on the other seats" if len(each) < len(self.names) else ""
            raise BadInput(f"agents are {joined(self.possible_agents)}, not {value_text(agent)}{others}") from None

    def observation_space(self, agent: str) -> Any:
        return self._of(self.observation_spaces, agent)

    def action_space(self, agent: str) -> Any:
        return self._of(self.action_spaces, agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.stepped.deal(seed)
        names = self.possible_agents
        self.agents = names[:]
        self.rewards = dict.fromkeys(names, 0.0)
        self._cumulative_rewards = dict.fromkeys(names, 0.0)
        self.terminations = dict.fromkeys(names, False)
        self.truncations = dict.fromkeys(names, False)
        self.infos = {name: {} for name in names}
        self._skip_agent_selection = None
        self._take_turn(self.stepped.to_move)
        self._show()

    def _take_turn(self, following: int) -> None:
        """Turn to the seat to move; where there is none, pay and end."""
        if following >= 0:
            self.agent_selection = self.names[following]
            return
        for name in self.agents:
            self.rewards[name] = float(self.stepped.rewards[self._seat_of[name]])
            self._cumulative_rewards[name] += self.rewards[name]
            self.terminations[name] = True
        self.agent_selection = self.agents[0]

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """The agents as they come to move, at most so many; BadInput before the first reset, which would be no agents at all."""
        self.stepped.check_dealt()
        return super().agent_iter(max_iter)

    def step(self, action: int | None) -> None:
        self.stepped.check_dealt()
        if not self.agents:
            raise BadInput("the game is over; reset begins another")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        action = check_action(action)
        # Nobody is paid before the end, so there is no reward to forget here.
        following = self.stepped.play(action)
        if following >= 0:
            self.agent_selection = self.names[following]
        else:
            self._take_turn(following)
        self._show()

    def _show(self) -> None:
        """Print what there is to see now, where a person watches."""
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        return self.stepped.see(self._of(self._seat_of, agent))

    def state(self) -> npt.NDArray[np.int8]:
        """What all seats together see, seat by seat: shape (seats * observation size,). It is in nobody's observation."""
        return np.concatenate([self.stepped.see(seat)["observation"] for seat in range(self.stepped.game.seats)])

    def render(self) -> str | None:
        """What the agent to move sees (what is public, at the end) as text or SVG; None without a render mode.

        In the mode "human" it is printed, at every move without being asked, and None is given.
        """
        return self.stepped.render(self.render_mode)

    def close(self) -> None:
        """There is nothing to release."""

    def clone(self) -> MolehuntEnv:
        """The same game at the same point; from here on each goes its own way, and the same actions lead to the same."""
        return copy.deepcopy(self)

    __copy__ = clone


def raw_env(  # noqa: PLR0913 - as the class
    label: str,
    seats: int | None = None,
    opponents: Mapping[int, str | Agent] | None = None,
    window: Window | None = None,
    render_mode: str | None = None,
    *,
    loss_reward: float | None = None,
    draw_reward: float | None = None,
) -> MolehuntEnv:
    """The environment without wrappers: see `MolehuntEnv`. Errors name what cannot be used."""
    return MolehuntEnv(label, seats, opponents, window, render_mode, loss_reward=loss_reward, draw_reward=draw_reward)


env = raw_env
"""The environment as it is meant to be used. It checks the order of calls and every action itself, so it needs no wrapper."""
