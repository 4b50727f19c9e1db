"""Our games in OpenSpiel's library: `molehunt_saboteur`, `molehunt_duel`, `molehunt_speed_clue`. To import this registers them.

A game has three parameters: `ruleset`, `players` (OpenSpiel's word for seats) and `seed` (of the run whose games are dealt).
Chance deals and does nothing else, see `settings`. Returns are what a seat won over what the others won on average, from -1 to 1,
and sum to 0; where all win together they are the same for all. Actions are the indices of `adapters.spaces`, which name players as
so many seats after the one that acts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from molehunt.adapters.openspiel.library import openspiel
from molehunt.adapters.openspiel.moments import Moment, dealt
from molehunt.adapters.openspiel.observers import Observer, PartObserver, observer_of
from molehunt.adapters.openspiel.settings import (
    Setting,
    check_spiel_seed,
    deal_number,
    deal_outcomes,
    from_parameter,
    setting_of,
    to_parameter,
)
from molehunt.core.errors import BadInput
from molehunt.games.registry import GameEntry, all_games, game_entry, split_label

pyspiel = openspiel()
BaseState: Any = pyspiel.State
BaseGame: Any = pyspiel.Game

PREFIX = "molehunt_"


class State(BaseState):  # type: ignore[misc]
    """A play: its chance moves, and once these have dealt, its position, which never changes (so a copy costs nothing)."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.setting = game.setting
        self.outcomes: tuple[int, ...] = ()
        self.position: Moment | None = None

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's number for chance or for a finished game."""
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.position.over else self.position.to_move

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position is not None and self.position.over

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.position is None else self.position.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) of the chance move to come."""
        return self.setting.chance_outcomes

    def _apply_action(self, action: int) -> None:
        if self.position is not None:
            self.position = self.position.after(action)
            return
        if not 0 <= action < len(self.setting.chance_outcomes):
            raise BadInput(f"the deal's chance moves are 0 to {len(self.setting.chance_outcomes) - 1}, not {action}")
        self.outcomes += (action,)
        if len(self.outcomes) == self.setting.chance_moves:
            self.position = dealt(self.setting, self.outcomes, deal_number(self.outcomes))

    def _action_to_string(self, player: int, action: int) -> str:
        if player < 0:
            return f"deal:{action}"
        return self.setting.spaces.format(action, player)

    def returns(self) -> list[float]:
        """What each seat won over what the others won on average."""
        return [0.0] * self.setting.game.seats if self.position is None else self.position.returns()

    def resample_from_infostate(self, player: int, sampler: Any) -> Any:
        """A play that `player` holds possible, every deal being equally likely. `sampler` gives numbers from 0 to 1."""
        from molehunt.adapters.openspiel.drawing import stream_of

        if self.position is None:
            raise BadInput("before the deal there is nothing that a seat knows")
        return state_at(self.get_game(), self.position.drawn(player, stream_of(sampler())))

    def __str__(self) -> str:
        if self.position is None:
            return f"deal {'-'.join(map(str, self.outcomes))}..."
        origin = "a drawn position" if self.position.number is None else f"deal {self.position.number}"
        names = (
            self.setting.spaces.format(action.action, action.player)
            for action in self.full_history()
            if action.player >= 0
        )
        return f"{origin}: {' '.join(names)}"


class SpielGame(BaseGame):  # type: ignore[misc]
    """A game of ours as OpenSpiel loads it. A subclass says which: `entry`."""

    entry: GameEntry

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        entry = self.entry
        params = params or {}
        ruleset = str(params.get("ruleset", "")) or next(iter(entry.rulesets))
        seats = int(params.get("players", 0)) or entry.seats_of(from_parameter(ruleset))
        seed = int(params.get("seed", 0))
        setting = setting_of(entry.name, from_parameter(ruleset), seats, seed)
        self.setting: Setting = setting
        info = pyspiel.GameInfo(
            num_distinct_actions=setting.spaces.size,
            max_chance_outcomes=len(setting.chance_outcomes),
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if entry.together else 0.0,
            max_game_length=setting.longest,
        )
        written = {"ruleset": to_parameter(setting.game.spec), "players": seats, "seed": seed}
        super().__init__(game_type(entry), info, written)

    def __reduce__(self) -> Any:
        return load_again, (str(self),)

    def new_initial_state(self, text: str | None = None) -> State:
        """A play before its deal."""
        return State(self)

    def max_chance_nodes_in_history(self) -> int:
        """How many chance moves there are."""
        return self.setting.chance_moves

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | PartObserver:
        """What makes tensors and strings of what a seat sees; with `perfect_recall`, of all that it has seen.

        Other kinds of observations show what is public, or private to one seat or to each.
        """
        return observer_of(self.setting, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


def game_type(entry: GameEntry) -> Any:
    """What OpenSpiel wants to know of a game before it makes one."""
    fewest, most = entry.seat_limits
    return pyspiel.GameType(
        short_name=PREFIX + entry.name,
        long_name=entry.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.IDENTICAL if entry.together else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "ruleset": next(iter(entry.rulesets)),
            "players": entry.usual_seats,
            "seed": 0,
        },
        default_loadable=True,
        provides_factored_observation_string=True,
    )


def register(entry: GameEntry) -> None:
    """Make a game known to OpenSpiel's library; once, however often it is called."""
    if PREFIX + entry.name not in pyspiel.registered_names():
        # OpenSpiel lets go of what makes its games when Python has already ended, which a class outlives and a function does not.
        pyspiel.register_game(game_type(entry), type(PREFIX + entry.name, (SpielGame,), {"entry": entry}))


for _entry in all_games().values():
    register(_entry)


def load_game(label: str, seats: int | None = None, seed: int = 0) -> Any:
    """A game as OpenSpiel's `load_game` gives it, from a label as it is typed: `saboteur/krisnadi:saboteurs=2`.

    `seats` is the number of seats, by default the usual one. UnknownName, BadParameter or BadInput.
    """
    name, ruleset = split_label(label)
    register(game_entry(name))
    seed = check_spiel_seed(seed)
    players = seats or game_entry(name).seats_of(ruleset)
    setting_of(name, ruleset, players, seed)
    return pyspiel.load_game(PREFIX + name, {"ruleset": to_parameter(ruleset), "players": players, "seed": seed})


def load_again(text: str) -> Any:
    """A game as OpenSpiel writes it, loaded; in a fresh process this module has registered the games by then."""
    return pyspiel.load_game(text)


def new_play(game: Any, number: int) -> Any:
    """A play of a game of ours after the deal of this number: in a game without listed deals, the arena's game of that number."""
    state = game.new_initial_state()
    for outcome in deal_outcomes(state.setting, number):
        state.apply_action(outcome)
    return state


def state_at(game: Any, position: Moment) -> Any:
    """A play at a position, with no history."""
    state = game.new_initial_state()
    state.position = position
    return state
