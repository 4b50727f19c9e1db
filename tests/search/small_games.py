"""Games of the textbooks as made-up models of `core.game.Game`, as far as a tree needs one: matching pennies and Kuhn poker."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

STATE = np.dtype([("cards", np.int8, (2,)), ("moves", np.int8, (3,)), ("made", np.int8)])
VIEW = np.dtype([("card", np.int8), ("seat", np.int8), ("moves", np.int8, (3,)), ("made", np.int8)])
EVENT = np.dtype([("seat", np.int8), ("action", np.int8)])
PASS, BET = 0, 1
HIDDEN, NOTHING = -2, -1


class _Listed:
    def __init__(self, codes: list[int]) -> None:
        self.codes = codes


class MatchingPennies:
    """Seat 0 hides a penny, seat 1 guesses: right wins 1. `prize` is what guessing action 1 rightly is worth instead."""

    label = "matching pennies"
    seats = 2
    event_dtype = EVENT

    def __init__(self, prize: float = 1.0) -> None:
        self.prize = prize

    def deals(self, roles: Any = None) -> tuple[Any, Any]:
        states = np.zeros(1, STATE)
        states["moves"] = NOTHING
        return states, np.ones(1)

    def to_move(self, states: Any) -> Any:
        return np.where(states["made"] < 2, states["made"], NOTHING).astype(np.int8)

    def views(self, states: Any, seats: Any) -> Any:
        views = np.zeros(len(states), VIEW)
        views["seat"], views["made"] = seats, states["made"]
        return views

    def legal_actions(self, view: Any) -> Any:
        return _Listed([0, 1])

    def apply(self, states: Any, actions: Any) -> Any:
        events = np.zeros((len(states), 2), EVENT)
        movers = self.to_move(states)
        events["seat"] = movers[:, None]
        events["action"] = HIDDEN
        rows = np.arange(len(states))
        events["action"][rows, movers] = actions
        states["moves"][rows, states["made"]] = actions
        states["made"] += 1
        return events

    def margins(self, states: Any) -> npt.NDArray[np.float64]:
        moves = states["moves"]
        right = (moves[:, 0] == moves[:, 1]) & (states["made"] == 2)
        won = np.where(right, np.where(moves[:, 1] == 1, self.prize, 1.0), -1.0) * (states["made"] == 2)
        return np.stack([-won, won], axis=1)


class KuhnPoker:
    """Three cards, one coin each, one bet (Kuhn 1950). Its value for the first seat is -1/18."""

    label = "Kuhn poker"
    seats = 2
    event_dtype = EVENT

    def deals(self, roles: Any = None) -> tuple[Any, Any]:
        pairs = [(one, two) for one in range(3) for two in range(3) if one != two]
        states = np.zeros(len(pairs), STATE)
        states["cards"], states["moves"] = pairs, NOTHING
        return states, np.full(len(pairs), 1 / len(pairs))

    def _over(self, states: Any) -> Any:
        first, second, third = states["moves"].T
        return (second == PASS) & (first == BET) | (first == second) & (second != NOTHING) | (third != NOTHING)

    def to_move(self, states: Any) -> Any:
        return np.where(self._over(states), NOTHING, states["made"] % 2).astype(np.int8)

    def views(self, states: Any, seats: Any) -> Any:
        views = np.zeros(len(states), VIEW)
        views["card"] = states["cards"][np.arange(len(states)), seats]
        views["seat"], views["moves"], views["made"] = seats, states["moves"], states["made"]
        return views

    def legal_actions(self, view: Any) -> Any:
        return _Listed([PASS, BET])

    def apply(self, states: Any, actions: Any) -> Any:
        events = np.zeros((len(states), 2), EVENT)
        events["seat"], events["action"] = self.to_move(states)[:, None], actions[:, None]
        states["moves"][np.arange(len(states)), states["made"]] = actions
        states["made"] += 1
        return events

    def margins(self, states: Any) -> npt.NDArray[np.float64]:
        first, second, third = states["moves"].T
        higher = np.where(states["cards"][:, 0] > states["cards"][:, 1], 1.0, -1.0)
        folded = np.where((first == BET) & (second == PASS), 1.0, np.where(third == PASS, -1.0, 0.0))
        bets = (first == BET) | (third == BET)
        won = np.where(folded != 0, folded, higher * np.where(bets, 2, 1)) * self._over(states)
        return np.stack([won, -won], axis=1)
