"""One game at a time, played by indices: what the environments of PettingZoo and Gymnasium share."""

from __future__ import annotations

import copy
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.adapters.spaces import Window, spaces_of
from molehunt.adapters.spaces.base import Spaces
from molehunt.adapters.stepping.any_game import AnyGame, refusal, steps_of
from molehunt.adapters.stepping.compiled_game import PlayedCompiled
from molehunt.adapters.stepping.earnings import Earnings
from molehunt.adapters.stepping.kernels import ILLEGAL
from molehunt.adapters.stepping.opponents import Opponents, learners_of, make_opponents
from molehunt.core.agent import Agent
from molehunt.core.at_first import interpreted_at_first
from molehunt.core.errors import BadInput, value_text
from molehunt.core.game import Game
from molehunt.core.interpreting import is_interpreting
from molehunt.core.numbers import is_whole
from molehunt.core.position import Position
from molehunt.core.seats import NOBODY
from molehunt.core.seeds import check_seed
from molehunt.core.streams import MAX_SEED, game_seeds
from molehunt.games.registry import game_entry, make_game, split_label

Observation = dict[str, npt.NDArray[np.int8]]

RENDER_MODES = ("human", "ansi", "svg")
"""How environments draw: printed as text at every step, given as text, given as a picture."""
RENDER_RATE = 1
"""Pictures a second that environments name as their rate, since Gymnasium wants one named; nothing waits."""
MOST = 127
"""The largest number that an observation holds."""
MOST_GAMES = 100_000_000
"""So many games may be asked for at once: more than any memory holds, of any game."""


def check_render_mode(mode: str | None) -> None:
    """BadInput where a render mode is none."""
    if mode not in (None, *RENDER_MODES):
        raise BadInput(f"render_mode is one of {', '.join(RENDER_MODES)}, not {mode!r:.40}")


def game_of(label: str, seats: int | None) -> Game:
    """The game of a label; with as many seats as it is usually played by where `seats` is None."""
    name, ruleset = split_label(label)
    return make_game(name, ruleset, game_entry(name).seats_of(ruleset) if seats is None else seats)


def check_action(action: Any) -> int:
    """The index of an action as an int, of an array of one number too; BadInput where it is none."""
    given = action
    if isinstance(action, np.ndarray) and action.size == 1 and not np.ma.is_masked(action):
        action = action.item()
    if not is_whole(action) or not -(2**63) <= action < 2**63:
        raise BadInput(f"an action is the index of one that the mask allows, not {value_text(given)}")
    return int(action)


def check_indices(actions: Any, games: int) -> npt.NDArray[Any]:
    """The indices of actions, one for each game, as an array in this machine's byte order; BadInput where they are none."""
    if type(actions) is not np.ndarray:
        if np.ma.is_masked(actions):
            raise BadInput(f"step takes {games} indices, and some of these are masked: {value_text(actions)}")
        actions = as_array(actions, f"step takes {games} indices")
    if actions.shape != (games,) or actions.dtype.kind not in "iu":
        raise BadInput(f"step takes {games} indices, not {actions.dtype} of shape {actions.shape}")
    return actions if actions.dtype.isnative else actions.astype(actions.dtype.newbyteorder("="))


def check_game_seeds(seeds: Any, games: int) -> npt.NDArray[Any]:
    """Seeds, one for each game, as an array; BadInput where they are none."""
    right = f"seeds are one whole number from 0 to {MAX_SEED}, or one for each of {games} games"
    found = as_array(seeds, right)
    if (
        np.ma.is_masked(seeds)
        or found.shape != (games,)
        or found.dtype.kind not in "iu"
        or (found < 0).any()
        or (found > MAX_SEED).any()
    ):
        raise BadInput(f"{right}, not {value_text(seeds)}")
    return found


def as_array(values: Any, right: str) -> npt.NDArray[Any]:
    """Numbers that are given as an array; BadInput, which says what would be `right`, where they make none."""
    try:
        return np.asarray(values)
    except ValueError:  # rows of several lengths
        raise BadInput(f"{right}, not {value_text(values)}") from None


def check_count(count: Any, name: str) -> int:
    """How many there are of something, as an int; BadInput where it is no whole number from 1 on."""
    if not is_whole(count) or count < 1:
        raise BadInput(f"{name} is a whole number, 1 or more, not {count!r:.40}")
    return int(count)


def check_games(games: Any, name: str) -> int:
    """How many games are stepped together, as an int; BadInput where it is no whole number from 1 to MOST_GAMES."""
    if check_count(games, name) > MOST_GAMES:
        raise BadInput(f"{name} is {MOST_GAMES:,} at most, not {games!r:.40}")
    return int(games)


class _Steps:
    """How a game is stepped, made when it is first asked for.

    While kernels are interpreted, it is made anew: the addresses that it then holds lead compiled code nowhere.
    """

    def __get__(self, stepped: SteppedGame, _owner: type) -> AnyGame | PlayedCompiled:
        steps = steps_of(stepped.game, stepped.spaces, stepped.earnings)
        if not is_interpreting():
            vars(stepped)["steps"] = steps  # found there from now on
        return steps


@interpreted_at_first("deal", "play", "see", "_take_up")
class SteppedGame:
    """One game with learners and perhaps opponents at it. `to_move` is the learner's seat to move, NOBODY if the game is over.

    What it does first is interpreted (`core.at_first`), unless an opponent takes long that way. With `moving`, opponents are given
    for all seats, and the one learner takes the seat of one of them before a game: `place`.
    """

    steps = _Steps()

    def __init__(
        self,
        label: str,
        seats: int | None = None,
        opponents: Mapping[int, str | Agent] | None = None,
        window: Window | None = None,
        moving: bool = False,
        earnings: Earnings = Earnings(),  # noqa: B008 - a value
    ) -> None:
        self.game = game_of(label, seats)
        self.learners = [0] if moving else learners_of(self.game, opponents or {})
        self.arguments = (label, seats, dict(opponents or {}), window, moving, earnings)
        self.earnings = earnings.checked()
        self.spaces: Spaces = spaces_of(self.game, window)
        aside = np.zeros(1, np.int8) if moving else None
        self.opponents = Opponents(self.game, make_opponents(self.game, opponents), aside) if opponents else None
        seated = self.opponents.agents if self.opponents is not None else []
        self.interpreted_first = all(agent.interpreted_first for agent in seated)
        self.states = np.zeros(1, self.game.state_dtype)
        self.rewards = np.zeros(self.game.seats, np.float32)
        self.seed: int | None = None
        self.games = 0
        self.to_move = NOBODY

    def place(self, seat: int) -> None:
        """Give the learner of a `moving` game its seat in the games that are dealt from now on."""
        self.learners = [seat]
        self.opponents.learners[:] = seat  # type: ignore[union-attr, index]

    def deal(self, seed: int | None) -> None:
        """Begin a game from its seed. Without one, the next of those that follow from the last seed given, or from chance."""
        if seed is not None:
            self.seed = check_seed(seed)
            self.games = 0
        elif self.seed is None:
            self.seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) & MAX_SEED
        start = np.uint64(self.seed) if self.games == 0 else game_seeds(self.seed, self.games, 1)[0]
        self.games += 1
        self.to_move = self.steps.deal_one(self.states, start)
        self.rewards[:] = 0
        if self.opponents is not None:
            self.opponents.begin(self.states, np.array([start], np.uint64))
            self._let_opponents_move()

    def check_dealt(self) -> None:
        """BadInput before the first game."""
        if self.seed is None:
            raise BadInput("there is no game: call reset first")

    def play(self, index: int) -> int:
        """Play an index for the learner to move, and what the opponents do then. Returns `to_move`; IllegalAction, BadInput."""
        if self.opponents is not None and self.to_move >= 0:
            return self._play_among_opponents(index)
        following = self.steps.play_one(self.states, index, self.rewards)
        if following == ILLEGAL:
            self._refuse(index)
        self.to_move = following
        return following

    def _play_among_opponents(self, index: int) -> int:
        code = self.spaces.code(index, self.to_move)
        events = self.game.apply(self.states, np.array([code], np.int32))
        self.opponents.watch(events, np.zeros(1, np.int64))  # type: ignore[union-attr]
        return self._let_opponents_move()

    def _let_opponents_move(self) -> int:
        self.opponents.move(self.states)  # type: ignore[union-attr]
        self.to_move = int(self.game.to_move(self.states)[0])
        if self.to_move == NOBODY:
            self.rewards[:] = self.earnings.of(self.game, self.states)[0]
        return self.to_move

    def _refuse(self, index: int) -> None:
        if self.to_move == NOBODY:
            raise BadInput("the game is over; reset begins another")
        code = self.spaces.code(index, self.to_move)
        raise refusal(self.game, self.states, code)

    def see(self, seat: int) -> Observation:
        """What a seat sees and may do, in new arrays. BadInput before the first game."""
        self.check_dealt()
        observation = np.empty(self.spaces.observation_size, np.int8)
        mask = np.empty(self.spaces.size, np.int8)
        self.steps.see_one(self.states, seat, observation, mask)
        return {"observation": observation, "action_mask": mask}

    def draw(self, mode: str) -> str:
        """What the learner to move sees, or what is public where nobody is to move: "ansi" as text, "svg" as a picture.

        BadInput before the first game.
        """
        self.check_dealt()
        position = Position.at(self.game, self.states)
        seat = None if self.to_move == NOBODY else self.to_move
        return position.svg(seat) if mode == "svg" else position.text(seat)

    def render(self, mode: str | None) -> str | None:
        """What `draw` gives; in the mode "human" it is printed, as text, and nothing given. None without a mode."""
        if mode != "human":
            return None if mode is None else self.draw(mode)
        sys.stdout.write(self.draw("ansi") + "\n")
        return None

    def __deepcopy__(self, memo: dict[int, Any]) -> SteppedGame:
        twin = copy.copy(self)
        twin.states, twin.rewards = self.states.copy(), self.rewards.copy()
        twin.opponents = self.opponents and self.opponents.copy()
        vars(twin).pop("steps", None)  # not to be shared by threads
        return twin

    def __getstate__(self) -> dict[str, Any]:
        memories = [chairs.memory for chairs in self.opponents.chairs] if self.opponents is not None else []
        return {
            "arguments": self.arguments,
            "states": self.states,
            "rewards": self.rewards,
            "seed": self.seed,
            "games": self.games,
            "to_move": self.to_move,
            "memories": memories,
            "learners": self.learners,
        }

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__init__(*saved["arguments"])  # type: ignore[misc]
        for name in ("states", "rewards", "seed", "games", "to_move"):
            setattr(self, name, saved[name])
        if self.opponents is not None and self.opponents.learners is not None:
            self.place(saved["learners"][0])
        if saved["memories"]:
            self._take_up(saved["memories"])

    def _take_up(self, memories: list[Any]) -> None:
        """Seat the opponents in the middle of a game."""
        self.opponents.begin(self.states, np.zeros(1, np.uint64))  # type: ignore[union-attr]
        for chairs, memory in zip(self.opponents.chairs, memories, strict=True):  # type: ignore[union-attr]
            chairs.memory = memory
