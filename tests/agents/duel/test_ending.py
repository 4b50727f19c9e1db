"""Endings of the duel: the best plan against brute force, and positions whose worth is clear."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents.duel.beside import AGENTS, decide, sit
from games.duel.playing import (
    CARDS,
    GAME,
    TUNNEL,
    action_of,
    counts_of,
    hand_of,
    mover,
    opening,
    seen_by,
)
from molehunt.agents.duel.digger import MOST_MOVES, SCRATCH
from molehunt.agents.duel.duel_star import DuelStarAgent
from molehunt.agents.duel.ending import Scratch, list_choices, new_scratch, solve
from molehunt.agents.duel.opponent import AT_RANDOM, Drawn, move_of_kind
from molehunt.agents.duel.star_comparison import Comparison
from molehunt.agents.duel.star_words import in_words
from molehunt.core.game import States
from molehunt.core.kernels import kernel
from molehunt.core.streams import game_seeds

DRAW = 0.3
HURRIES, WAITS = 1, 2
"""The rows of the settings of `duel-star` for the kinds that dig."""


def star(spec: str = "duel-star") -> DuelStarAgent:
    agent = AGENTS.make(spec)
    assert isinstance(agent, DuelStarAgent)
    return agent


def ending(states: States, own: list[str], other: list[str]) -> States:
    """The same board with an empty deck and these hands, the mover's first; all other cards that were not played are discarded."""
    state, seat = states[0], mover(states)
    every = state["hands"].reshape(-1).tolist() + state["deck"][state["drawn"] :].tolist()
    for cards, owner in ((own, seat), (other, 1 - seat)):
        for name in cards:
            every.remove(CARDS.index(name))
        state["hands"][owner] = hand_of(cards)
        state["hand_sizes"][owner] = len(cards)
    for number, card in enumerate(every):
        state["discards"][number % 2, card] += 1
    state["drawn"] = 55
    return states


# --- Brute force --------------------------------------------------------------------------------------------------------


@kernel
def reply(kind: int, states: Any, seat: int, stream: Any, settings: Any) -> Any:
    """What a kind of player does in the first state."""
    lists = np.empty(MOST_MOVES, np.int32), np.empty(MOST_MOVES)
    scratch = np.zeros(1, SCRATCH)
    return move_of_kind(kind, states[0], seat, stream, settings, scratch[0], lists[0], lists[1])


@kernel
def choices(deals: Any, seat: int, scratch: Any) -> Any:
    """The moves that a plan chooses from in an information set."""
    scratch.deals[0, : len(deals)] = deals
    return scratch.moves[0, : list_choices(0, len(deals), seat, scratch)].copy()


def played_on(deals: list[tuple[States, int, npt.NDArray[np.uint64]]], move: int, seat: int, scratch: Scratch) -> float:
    """What a move and the best plan after it bring in deals, each a state, who the other is there, and their random stream."""
    total = 0.0
    alike: dict[bytes, list[tuple[States, int, npt.NDArray[np.uint64]]]] = {}
    for before, kind, before_stream in deals:
        states, stream = before.copy(), before_stream.copy()
        GAME.apply(states, np.array([move], np.int32))
        if mover(states) >= 0:
            GAME.apply(states, np.array([reply(kind, states, 1 - seat, stream, scratch.settings)], np.int32))
        if mover(states) >= 0:
            alike.setdefault(seen_by(states, seat).tobytes(), []).append((states, kind, stream))
        else:
            winner = states["winner"][0]
            total += 1.0 if winner == seat else DRAW if winner < 0 else 0.0
    for group in alike.values():
        moves = choices(np.concatenate([states for states, _, _ in group]), seat, scratch)
        total += max(played_on(group, int(one), seat, scratch) for one in moves)
    return total


HANDS: tuple[tuple[list[str], list[str]], ...] = (
    (["0", "6", "12"], ["8", "map", "6"]),
    (["8", "map", "7"], ["5", "map", "bonus"]),
    (["malus", "9", "0"], ["bonus", "6", "7"]),
    (["destroy", "6", "10", "0"], ["6", "5", "7", "map"]),
)


@pytest.mark.parametrize("number", range(len(HANDS)))
def test_a_move_is_worth_what_the_best_of_all_plans_brings(number: int) -> None:
    """In deals that differ in the other's hand and in the place of the nugget, with all kinds of players on the other seat."""
    states = ending(opening(*TUNNEL[:4], goals="blank nugget blank", number=number), *HANDS[number])
    seat, count = mover(states), 7
    view = seen_by(states, seat)
    streams = game_seeds(number, 0, count)
    deals = GAME.resample(np.repeat(view, count), streams)
    kinds = np.array([HURRIES, WAITS, AT_RANDOM, HURRIES, WAITS, HURRIES, WAITS])
    history = sit(star(), states, seat).histories[0]
    compared = Comparison(star("duel-star:own=no,near=0,candidates=6").means, GAME, view, history)
    scratch, results = new_scratch(compared.settings, count), np.zeros(len(compared.moves))
    solve(Drawn(deals, streams, kinds), seat, DRAW, compared.moves, results, scratch)
    each = [(deals[i : i + 1].copy(), int(kinds[i]), streams[i : i + 1].copy()) for i in range(count)]
    wanted = [played_on(each, int(move), seat, scratch) for move in compared.moves]
    assert results == pytest.approx(wanted) and len(set(np.round(wanted, 6))) > 1


def test_a_plan_has_one_move_where_deals_look_alike() -> None:
    """All deals together are worth no more than each by itself, and somewhere less: what is hidden would be worth something."""
    less = 0
    for number, hands in enumerate(HANDS):
        states = ending(opening(*TUNNEL[:4], number=number), *hands)
        seat, count = mover(states), 12
        streams = game_seeds(number, 0, count)
        deals = GAME.resample(np.repeat(seen_by(states, seat), count), streams)
        kinds = np.full(count, HURRIES)
        compared = Comparison(
            star("duel-star:own=no,near=0").means, GAME, seen_by(states, seat), sit(star(), states, seat).histories[0]
        )
        scratch, results, alone = (
            new_scratch(compared.settings, count),
            np.zeros(len(compared.moves)),
            np.zeros(len(compared.moves)),
        )
        solve(Drawn(deals, streams, kinds), seat, DRAW, compared.moves, results, scratch)
        clairvoyant = np.zeros(len(compared.moves))
        for index in range(count):
            one = slice(index, index + 1)
            solve(Drawn(deals[one], streams[one], kinds[one]), seat, DRAW, compared.moves, alone, scratch)
            clairvoyant += alone
        assert (results <= clairvoyant + 1e-9).all()
        less += int((results < clairvoyant - 1e-9).sum())
    assert less > 0


# --- Endings that are clear -----------------------------------------------------------------------------------------------


def compared_in(own: list[str], other: list[str], unseen: list[str], tiles: int = 4) -> Comparison:
    """What `duel-star` makes of an ending in which it knows all goals, and the other's hand is any of the unseen cards."""
    states = ending(opening(*TUNNEL[:tiles], goals="blank nugget blank"), own, other)
    seat = mover(states)
    states["looked"][0] = 7
    view = seen_by(states, seat)
    view["unseen"][0] = counts_of(unseen)
    view["discard_counts"][0, 1 - seat] = len(unseen) - len(other)
    agent = star("duel-star:ending=4")
    return Comparison(agent.means, GAME, view, sit(agent, states, seat).histories[0])


def test_two_tiles_win_where_the_other_can_do_nothing() -> None:
    """The tunnel ends two tiles above the nugget, and the other holds maps only."""
    compared = compared_in(["0", "6"], ["map", "map"], ["map"] * 4)
    assert compared.solved and compared.best == action_of("0@10,5")
    assert compared.totals[compared.moves == compared.best] == compared.games.max()
    assert "The ending is solved: 0@10,5 (100 % in " in in_words(compared, 1.0, 0)


def test_the_tile_before_the_last_is_kept_where_the_other_holds_the_last() -> None:
    """Whoever lays it gives the game away; so both hold on to the last card, and it is a draw."""
    compared = compared_in(["6", "map"], ["0", "0"], ["0"] * 2)
    assert compared.solved and compared.best != action_of("6@10,5")
    worth = dict(zip(compared.moves.tolist(), (compared.totals / compared.games).tolist(), strict=True))
    assert worth[action_of("6@10,5")] < DRAW / 2 < worth[compared.best]


def test_only_endings_without_a_deck_and_with_few_cards_are_solved() -> None:
    states = ending(opening(*TUNNEL[:4]), ["0", "6", "map"], ["0", "map", "5"])
    seat = mover(states)
    view, history = seen_by(states, seat), sit(star(), states, seat).histories[0]
    assert Comparison(star("duel-star:ending=3,deals=4").means, GAME, view, history.copy()).solved
    assert not Comparison(star("duel-star:ending=2,deals=4").means, GAME, view, history.copy()).solved
    assert set(Comparison(star("duel-star:ending=3,endings=5").means, GAME, view, history.copy()).games.tolist()) == {5}
    assert decide(star(), view, sit(star(), states, seat)) in GAME.legal_actions(view)
