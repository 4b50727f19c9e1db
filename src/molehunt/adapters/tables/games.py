"""The rules of every game under one set of names, for compiled code that plays whichever it is given.

Each function below is a name alone and never called from Python (where it would give something, it raises). A kernel that calls
it gets, when it is compiled for the records of a game, that game's own: Numba chooses by the type of the state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.extending import overload

from molehunt.adapters.spaces import duel_kernels, saboteur_kernels, speed_clue_kernels
from molehunt.games.duel import rules as duel_rules
from molehunt.games.duel import state as duel_state
from molehunt.games.duel import views as duel_views
from molehunt.games.saboteur import rules as saboteur_rules
from molehunt.games.saboteur import state as saboteur_state
from molehunt.games.saboteur import views as saboteur_views
from molehunt.games.speed_clue import rules as clue_rules
from molehunt.games.speed_clue import state as clue_state

SMALL = 4096
"""So many bytes are cleared quicker as a whole than one by one where something was written."""
SEE_VIEW, SEE_MASK = 1, 2
"""What is wanted: observations, masks."""

_SABOTEUR = numba.from_dtype(saboteur_state.STATE)
_DUEL = numba.from_dtype(duel_state.STATE)
_CLUE = numba.from_dtype(clue_state.STATE)


def _of_game(saboteur: Callable[..., Any], duel: Callable[..., Any], clue: Callable[..., Any], state: Any) -> Any:
    """The function for the game whose records a kernel is compiled for."""
    return {_SABOTEUR: saboteur, _DUEL: duel, _CLUE: clue}.get(state)


# --- Names for all games ------------------------------------------------------------------------------------------------


def deal(state: Any, seed: Any, params: Any) -> None:
    """Deal a game from its seed."""


def fault(state: Any, states: Any, row: int, action: int, params: Any) -> int:
    """What is wrong with an action in `state`, which is `states[row]`: an index of the game's `rule_texts`, 0 for nothing."""
    raise NotImplementedError


def advance(state: Any, action: int, params: Any, event: Any) -> None:
    """Play a legal action."""


def pay_out(state: Any, params: Any, rewards: Any) -> None:
    """Write what each seat was paid in a game that is over."""


def random_move(stream: Any, state: Any, params: Any) -> int:
    """A uniformly random legal action of the seat to move."""
    raise NotImplementedError


def index_in(state: Any, action: int, seat: int, numbering: Any, params: Any) -> int:
    """The index of an action of a seat."""
    raise NotImplementedError


def clear(state: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int) -> None:
    """Write zeros where `show` wrote the board and the legal actions of this state, so that it can be written anew."""


def show(
    state: Any, seat: int, view: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int
) -> None:
    """Write the observation and the mask of a seat, whose board and legal actions hold zeros before; `view` is written on the way.

    The board is public and an action is legal by one's own hand, so they are read from the state; all else comes from the view.
    """


# --- What they are ------------------------------------------------------------------------------------------------------


@overload(deal)
def _deal(state: Any, seed: Any, params: Any) -> Any:
    def saboteur(state: Any, seed: Any, params: Any) -> None:
        saboteur_rules.deal(state, seed, state.roles, False, params)

    def duel(state: Any, seed: Any, params: Any) -> None:
        duel_rules.deal(state, seed)

    def clue(state: Any, seed: Any, params: Any) -> None:
        clue_rules.deal(state, seed, params)

    return _of_game(saboteur, duel, clue, state)


@overload(fault)
def _fault(state: Any, states: Any, row: int, action: int, params: Any) -> Any:
    def saboteur(state: Any, states: Any, row: int, action: int, params: Any) -> int:
        return saboteur_rules.fault_of(state, action, params)

    def duel(state: Any, states: Any, row: int, action: int, params: Any) -> int:
        return duel_rules.fault_of(state, action)

    def clue(state: Any, states: Any, row: int, action: int, params: Any) -> int:
        return clue_rules.fault_of(states, row, action, params)

    return _of_game(saboteur, duel, clue, state)


@overload(advance)
def _advance(state: Any, action: int, params: Any, event: Any) -> Any:
    def saboteur(state: Any, action: int, params: Any, event: Any) -> None:
        saboteur_rules.advance(state, action, params, event)

    def duel(state: Any, action: int, params: Any, event: Any) -> None:
        duel_rules.advance(state, action, event)

    def clue(state: Any, action: int, params: Any, event: Any) -> None:
        clue_rules.advance(state, action, params, event)

    return _of_game(saboteur, duel, clue, state)


@overload(pay_out)
def _pay_out(state: Any, params: Any, rewards: Any) -> Any:
    def saboteur(state: Any, params: Any, rewards: Any) -> None:
        for seat in range(len(rewards)):
            rewards[seat] = state.nuggets[seat]

    def duel(state: Any, params: Any, rewards: Any) -> None:
        for seat in range(len(rewards)):
            rewards[seat] = state.winner == seat

    def clue(state: Any, params: Any, rewards: Any) -> None:
        for seat in range(len(rewards)):
            rewards[seat] = state.winner == seat

    return _of_game(saboteur, duel, clue, state)


@overload(random_move)
def _random_move(stream: Any, state: Any, params: Any) -> Any:
    def saboteur(stream: Any, state: Any, params: Any) -> int:
        seat = state.to_move
        revealed, claiming = state.revealed, state.claiming
        return saboteur_rules.random_action(
            stream, state.hands[seat], state.maze, state.broken, seat, revealed, claiming, params
        )

    def duel(stream: Any, state: Any, params: Any) -> int:
        seat = state.to_move
        return duel_rules.random_action(stream, state.hands[seat], state.maze, state.malus[seat], state.revealed)

    def clue(stream: Any, state: Any, params: Any) -> int:
        seat = state.to_move
        return clue_rules.random_action(
            stream, state.hands[seat], state.record, state.suggestion_count, state.phase, seat, params
        )

    return _of_game(saboteur, duel, clue, state)


@overload(index_in)
def _index_in(state: Any, action: int, seat: int, numbering: Any, params: Any) -> Any:
    def saboteur(state: Any, action: int, seat: int, numbering: Any, params: Any) -> int:
        return saboteur_kernels.index_of(action, seat, numbering, params)

    def duel(state: Any, action: int, seat: int, numbering: Any, params: Any) -> int:
        return duel_kernels.index_of(action, seat, numbering, params)

    def clue(state: Any, action: int, seat: int, numbering: Any, params: Any) -> int:
        return speed_clue_kernels.index_of(action, seat, numbering, params)

    return _of_game(saboteur, duel, clue, state)


@overload(clear)
def _clear(state: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int) -> Any:
    def saboteur(state: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int) -> None:
        if wanted & SEE_VIEW:
            board = saboteur_kernels.board_size(numbering)
            if board <= SMALL:
                observation[:board] = 0
            else:
                saboteur_kernels.mark_board(state.maze, numbering, 0, observation)
        seat = state.to_move
        if wanted & SEE_MASK and len(mask) <= SMALL:
            mask[:] = 0
        elif wanted & SEE_MASK and seat >= 0:
            saboteur_kernels.mark_legal(
                state.hands[seat],
                state.maze,
                state.broken,
                seat,
                seat,
                state.revealed,
                state.claiming,
                numbering,
                params,
                0,
                mask,
            )

    def duel(state: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int) -> None:
        if wanted & SEE_VIEW:
            observation[: duel_kernels.BOARD] = 0
        seat = state.to_move
        if wanted & SEE_MASK and seat >= 0:
            duel_kernels.mark_legal(
                state.hands[seat], state.maze, state.malus, seat, seat, state.revealed, numbering, params, 0, mask
            )

    def clue(state: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int) -> None:
        if wanted & SEE_MASK:
            mask[:] = 0

    return _of_game(saboteur, duel, clue, state)


@overload(show)
def _show(
    state: Any, seat: int, view: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int
) -> Any:
    def saboteur(
        state: Any, seat: int, view: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int
    ) -> None:
        if wanted & SEE_VIEW:
            saboteur_views.look_beside_maze(state, seat, view, params)
            at = saboteur_kernels.mark_board(state.maze, numbering, 1, observation)
            saboteur_kernels.write_view(view, numbering, params, at, observation)
        if wanted & SEE_MASK and state.to_move == seat:
            saboteur_kernels.mark_legal(
                state.hands[seat],
                state.maze,
                state.broken,
                seat,
                seat,
                state.revealed,
                state.claiming,
                numbering,
                params,
                1,
                mask,
            )

    def duel(
        state: Any, seat: int, view: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int
    ) -> None:
        if wanted & SEE_VIEW:
            duel_views.look_beside_maze(state, seat, view)
            at = duel_kernels.mark_board(state.maze, numbering, 1, observation)
            duel_kernels.write_view(view, numbering, params, at, observation)
        if wanted & SEE_MASK and state.to_move == seat:
            duel_kernels.mark_legal(
                state.hands[seat], state.maze, state.malus, seat, seat, state.revealed, numbering, params, 1, mask
            )

    def clue(
        state: Any, seat: int, view: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int
    ) -> None:
        clue_rules.look(state, seat, view, params)
        if wanted & SEE_VIEW:
            speed_clue_kernels.write_view(view, numbering, params, 0, observation)
        if wanted & SEE_MASK and view.to_move == seat:
            clue_rules.mark_actions(view.hand, view.record, view.suggestion_count, view.phase, seat, params, mask)

    return _of_game(saboteur, duel, clue, state)
