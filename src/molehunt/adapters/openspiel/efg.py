"""The game tree of a small ruleset as OpenSpiel reads it: a Gambit file (.efg), on which its C++ algorithms run at full speed.

The information sets are named as `recall` names them, so a policy found on the tree is one for the Python game and for our seats;
actions are written in the game's notation, in the order of their indices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.adapters.openspiel import recall
from molehunt.adapters.openspiel.library import openspiel
from molehunt.adapters.openspiel.settings import Setting, setting_of
from molehunt.games.registry import split_label
from molehunt.search.growing import grow
from molehunt.search.trees import Strategy, Tree

NEW_LINE = "\n"


@dataclass(frozen=True)
class SmallGame:
    """A small ruleset in two forms: our `tree`, and the `game` that OpenSpiel made of it.

    `names` are the information states (see `recall`) by information set of the tree, `orders[i]` the order in which the
    actions of information set i stand in the file: by their indices. `states[i]` is a play of OpenSpiel's that has come to it.
    """

    tree: Tree
    game: Any
    names: list[str]
    orders: list[npt.NDArray[np.int64]]
    states: list[Any]

    def probabilities(self, policy: Any) -> dict[str, tuple[float, ...]]:
        """A policy of OpenSpiel's for `game`, by information state: how likely each action is, in the order of the indices."""
        found = {}
        for name, state in zip(self.names, self.states, strict=True):
            chances = policy.action_probabilities(state)
            found[name] = tuple(chances[action] for action in state.legal_actions())
        return found

    def strategy(self, policy: Any) -> Strategy:
        """A policy of OpenSpiel's for `game` as a strategy on our tree."""
        result = self.tree.uniform()
        known = self.probabilities(policy)
        for infoset, (name, order) in enumerate(zip(self.names, self.orders, strict=True)):
            result[self.tree.slot_starts[infoset] + order] = known[name]
        return result


@lru_cache(4)
def small_game(label: str, seats: int) -> SmallGame:
    """A small ruleset grown into a tree and loaded into OpenSpiel; BadInput where its deals cannot be listed or it is too large."""
    name, ruleset = split_label(label)
    setting = setting_of(name, ruleset, seats)
    tree = grow(setting.game)
    names = information_states(setting, tree)
    orders = action_orders(setting, tree)
    game = openspiel().load_efg_game("".join(efg_lines(setting, tree, names, orders)))
    return SmallGame(tree, game, names, orders, plays_at(game, tree, orders))


def to_efg(label: str, seats: int) -> str:
    """A small ruleset as a Gambit file. BadInput where its deals cannot be listed or its tree is too large."""
    name, ruleset = split_label(label)
    setting = setting_of(name, ruleset, seats)
    tree = grow(setting.game)
    return "".join(efg_lines(setting, tree, information_states(setting, tree), action_orders(setting, tree)))


def information_states(setting: Setting, tree: Tree) -> list[str]:
    """The information state of each information set of a tree of a game."""
    names = [""] * len(tree.seats)
    infoset_of_slot = np.repeat(np.arange(len(tree.seats)), np.diff(tree.slot_starts))
    deals, _ = setting.game.deals()
    for seat, sights in enumerate(tree.sights):
        views = setting.game.views(deals, np.full(len(deals), seat, np.int8))
        first = list(dict.fromkeys(view.tobytes() for view in views))  # observations are numbered as they first appear
        traces: list[bytes] = []
        for place, parent in enumerate(sights.parents):
            if parent < 0:
                trace = recall.begin(first[place])
            else:
                trace = traces[parent]
                if sights.slots[place] >= 0:
                    trace = recall.then(trace, tree.views[infoset_of_slot[sights.slots[place]]].tobytes())
                trace = recall.then(trace, sights.events[place].tobytes())
            traces.append(trace)
            infoset = sights.infosets[place]
            if infoset >= 0:
                names[infoset] = recall.information_state(trace, tree.views[infoset].tobytes())
    return names


def action_orders(setting: Setting, tree: Tree) -> list[npt.NDArray[np.int64]]:
    """By information set: which of its actions comes first by index, which second, and so on."""
    orders = []
    for infoset, seat in enumerate(tree.seats):
        actions = tree.actions[tree.slot_starts[infoset] : tree.slot_starts[infoset + 1]]
        indices = setting.spaces.indices_many(actions, np.full(len(actions), seat, np.int8))
        orders.append(np.argsort(indices))
    return orders


def numbers_by_seat(tree: Tree) -> list[int]:
    """The number of each information set among those of its seat, from 1, as .efg files ask for."""
    counts = [0] * tree.players
    numbers = []
    for seat in tree.seats:
        counts[seat] += 1
        numbers.append(counts[seat])
    return numbers


def plays_at(game: Any, tree: Tree, orders: list[npt.NDArray[np.int64]]) -> list[Any]:
    """For each information set, a play of OpenSpiel's game that has come to its first node."""
    _, nodes = np.unique(tree.infosets, return_index=True)
    return [_play_at(game, tree, orders, int(node)) for node in nodes[-len(orders) :]]


def _play_at(game: Any, tree: Tree, orders: list[npt.NDArray[np.int64]], node: int) -> Any:
    path: list[int] = []
    while (parent := int(tree.parents[node])) >= 0:
        infoset = int(tree.infosets[parent])
        path.append(int(np.flatnonzero(orders[infoset] == node - tree.first_children[parent])[0]))
        node = parent
    play = game.new_initial_state()
    for place in (node, *reversed(path)):
        play.apply_action(play.legal_actions()[place])
    return play


def efg_lines(setting: Setting, tree: Tree, names: list[str], orders: list[npt.NDArray[np.int64]]) -> list[str]:
    """The lines of the file: the prologue, the deal, and every node before what follows it."""
    players = " ".join(f'"seat {seat}"' for seat in range(tree.players))
    lines = [f'EFG 2 R "{setting.game.label}" {{ {players} }}{NEW_LINE}']
    deals = " ".join(f'"deal {number}" {chance!r}' for number, chance in enumerate(tree.chances.tolist()))
    lines.append(f'c "" 1 "the deal" {{ {deals} }} 0{NEW_LINE}')
    heads = _heads(setting.game.format_action, tree, names, orders)
    ends: dict[tuple[float, ...], int] = {}
    waiting = list(range(len(tree.chances) - 1, -1, -1))
    while waiting:
        node = waiting.pop()
        infoset = int(tree.infosets[node])
        if infoset < 0:
            paid = tuple(tree.payoffs[node].tolist())
            outcome = ends.setdefault(paid, len(ends) + 1)
            lines.append(f't "" {outcome} {{ {" ".join(map(repr, paid))} }}{NEW_LINE}')
            continue
        lines.append(heads[infoset])
        waiting += (int(tree.first_children[node]) + orders[infoset][::-1]).tolist()
    return lines


def _heads(
    format_action: Callable[[int], str], tree: Tree, names: list[str], orders: list[npt.NDArray[np.int64]]
) -> list[str]:
    """By information set: the line that every node of it has."""
    heads = []
    for infoset, (seat, number) in enumerate(zip(tree.seats, numbers_by_seat(tree), strict=True)):
        actions = tree.actions[tree.slot_starts[infoset] : tree.slot_starts[infoset + 1]][orders[infoset]]
        written = " ".join(f'"{format_action(int(action))}"' for action in actions)
        heads.append(f'p "" {seat + 1} {number} "{names[infoset]}" {{ {written} }} 0{NEW_LINE}')
    return heads
