"""Information set Monte Carlo tree search over the compiled interface, in any game that has one (Cowling and others 2012).

Each iteration plays in a world that the searcher holds possible (`search.worlds`) and goes down a tree whose nodes are
information sets. With `trees="many"` a node is what the player to move knows, so every seat has a tree of its own and is
taken to know what it would know in that world (the paper's multiple observers, with a tree for each information set of a seat as in
Cowling, Whitehouse and Powley 2015, section III); with `trees="single"` it is what the searcher knows, and the others are taken
to play as if they knew no more (its single observer). Values are margins (`Game.margins`), for every seat its own.

Independent trees (`roots`) run in threads, and what they found at the root is added up. What comes out is a function of the seed
and the settings, threads or not, unless time is the limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent
from molehunt.core.errors import BadInput, value_text
from molehunt.core.game import Game, States, Views, check_is_game
from molehunt.core.interpreting import as_here
from molehunt.core.match import play_on
from molehunt.core.numbers import is_whole
from molehunt.core.streams import derive, game_seeds
from molehunt.games import calls
from molehunt.games.calls import Calls
from molehunt.games.compiled import bytes_of
from molehunt.games.rules import Rules, rules_of
from molehunt.search.ismcts_kernels import (
    EDGE,
    NO_VALUE,
    NO_WEIGHT,
    NODES,
    REFUSED,
    TOO_LONG,
    Paths,
    Rule,
    Scratch,
    Tree,
    credit_block,
    descend_block,
    node_of,
    run_block,
)
from molehunt.search.ismcts_terms import MOST_DEPTH, SELECTIONS, SINGLE, Found, Noted, Settings
from molehunt.search.worlds import Sampler, Weigh, Weights, role_sets

BLOCK = 256
"""Iterations between two looks at the clock."""
PLAYED = 64
"""The games that players play on at once, where they are the rollout policy."""
_WORLDS, _STREAMS, _OTHERS, _ROOTS = range(4)
"""Labels of the streams that come from the seed of a tree."""

Rollout = Callable[..., Any] | Sequence[Agent] | None


@dataclass(frozen=True)
class _Hooks:
    """What an iteration needs of a game: its rules, and the addresses.

    These are the game's, with the rollout, with leaf values and with priors in their places.
    """

    rules: Rules
    calls: Calls
    rollout: Calls
    values: Calls
    prior: Calls
    players: Sequence[Agent] | None


_NEEDED = (calls.TO_MOVE, calls.LEGAL, calls.LOOK, calls.REDACT, calls.INFOSET_KEY, calls.WINS, calls.MARGINS)


def _hooks(game: Game, rules: Rules, rollout: Rollout, values: Any, prior: Any) -> _Hooks:
    needed = rules.calls(*_NEEDED, *calls.PLAYOUT)
    none = np.zeros(0, np.int64)
    given: object = rollout
    if not (given is None or callable(given)) and (isinstance(given, str) or not isinstance(given, Sequence)):
        raise BadInput(f"rollout is a function, or a list with a player for each seat, not {value_text(given)}")
    players = None if rollout is None or callable(rollout) else list(rollout)
    if players is not None and len(players) != game.seats:
        raise BadInput(f"{game.label} needs a player for each of {game.seats} seats, not {len(players)}")
    if players is not None and values is not None:
        raise BadInput("a leaf is valued by a function or by players, not by both")
    return _Hooks(
        rules,
        needed,
        rules.replaced(calls.PLAY_RANDOMLY, rollout, "rollout") if callable(rollout) else needed,
        none if values is None else rules.replaced(calls.PAYOFFS, values, "values"),
        none if prior is None else rules.replaced(calls.PAYOFFS, prior, "prior"),
        players,
    )


def _power(count: int) -> int:
    """The lowest power of two that is at least `count`."""
    return 1 << max(count - 1, 1).bit_length()


class _Root:
    """One tree and the iterations in it."""

    def __init__(self, game: Game, sampler: Sampler, hooks: _Hooks, settings: Settings, seed: int) -> None:
        self.sampler, self.hooks, self.settings, self.game = sampler, hooks, settings, game
        self.seeds = [int(seed) for seed in game_seeds(seed, 0, 4)]
        most = min(settings.nodes, settings.iterations) if settings.iterations else settings.nodes
        table = _power(2 * most)
        self.tree = Tree(
            np.zeros(table, np.uint64),
            np.zeros(table, np.int32),
            np.empty(most, np.int32),
            np.empty(most, np.int64),
            np.empty(most, EDGE),
            np.zeros(4, np.int64),
        )
        actions, event = hooks.rules.most_actions, game.event_dtype.itemsize
        slots = _power(2 * actions)
        self.scratch = Scratch(
            np.zeros(game.view_dtype.itemsize, np.uint8),
            np.zeros(event, np.uint8),
            np.zeros(event, np.uint8),
            np.empty(actions, np.int32),
            np.empty(actions, np.int32),
            np.empty(actions),
            np.empty(actions),
            np.empty(slots, np.int32),
            np.zeros(slots, np.int64),
            np.zeros(1, np.uint64),
            np.zeros(game.seats, np.uint8),
        )
        loss = 1.0 if hooks.players else 0.0
        single = settings.trees == SINGLE
        selection = SELECTIONS[settings.selection]
        self.rule = Rule(sampler.seat, single, selection, float(settings.c), loss, game.most_moves)
        self.key = game.infoset_keys(sampler.view)[0]
        self.done = 0
        self.as_others: dict[int, int] = {}
        self.chains: list[npt.NDArray[np.uint64]] = []
        self.sets: list[npt.NDArray[np.int64]] = []
        self.kinds: list[bool] = []

    def run(self, iterations: int, until: float, *, as_others: bool) -> None:
        """So many iterations more (0: any number) in worlds of one kind, or until a time (0: any)."""
        target = self.done + iterations
        block = BLOCK if self.hooks.players is None else PLAYED
        while (not iterations or self.done < target) and (not until or time.perf_counter() < until):
            self._block(min(block, target - self.done) if iterations else block, as_others)

    def _block(self, count: int, as_others: bool) -> None:
        settings, hooks, game = self.settings, self.hooks, self.game
        if as_others:
            worlds = self.sampler.draw_as_others(self.seeds[_OTHERS], self.done, count)
        else:
            worlds = self.sampler.draw(self.seeds[_WORLDS], self.done, count)
        elsewhere = self._keys(worlds) != self.key if as_others else np.zeros(count, np.bool_)
        if settings.noted:
            self.sets.append(role_sets(game, worlds))
        paths = Paths(
            np.empty((count, MOST_DEPTH), np.int32),
            np.empty((count, MOST_DEPTH), np.int8),
            np.zeros(count, np.int64),
            np.zeros((count, game.seats)),
            np.empty((count, settings.noted), np.uint64),
        )
        streams = game_seeds(self.seeds[_STREAMS], self.done, count)
        common = (hooks.rules.params, self.tree, self.scratch, paths, bytes_of(worlds), streams, self.rule)
        if hooks.players is None:
            self._check(run_block(hooks.calls, hooks.rollout, hooks.values, hooks.prior, *common))
        else:
            self._check(descend_block(hooks.calls, hooks.prior, *common))
            paths.values[:] = self._played(hooks.players, worlds, streams)
            credit_block(self.tree, paths, count, self.rule.loss)
        self.done += count
        for action in self.tree.edges["action"][paths.edges[elsewhere & (paths.lengths > 0), 0]].tolist():
            self.as_others[action] = self.as_others.get(action, 0) + 1
        if settings.noted:
            self.chains.append(paths.seen)
            self.kinds += [as_others] * count

    def _check(self, end: int) -> None:
        """Raise what is wrong, where iterations did not end as they should."""
        if end == TOO_LONG:
            raise self.game.too_long()
        if end == NO_WEIGHT:
            raise BadInput("prior gives each legal action a weight, a finite number from 0 on; it gave another")
        if end == NO_VALUE:
            raise BadInput(
                "values says what a state is worth to each seat, from -1 to 1; it gave what is no finite number"
            )

    def _keys(self, worlds: States) -> npt.NDArray[np.uint64]:
        """The searcher's information set in each world."""
        seats = np.full(len(worlds), self.sampler.seat, np.int8)
        return self.game.infoset_keys(self.game.views(worlds, seats))

    def _played(
        self, players: Sequence[Agent], states: States, seeds: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.float64]:
        """The margins of games that players play on to their ends."""
        return self.game.margins(play_on(self.game, states, players, seeds=seeds).states)

    def noted(self) -> Noted:
        """What inference reads of this tree."""
        chains = np.concatenate(self.chains) if self.chains else np.zeros((0, self.settings.noted), np.uint64)
        sets = np.concatenate(self.sets) if self.sets else np.zeros(0, np.int64)
        return Noted(chains, sets, np.array(self.kinds, np.bool_))

    def at_root(self, actions: npt.NDArray[np.int32]) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """The edges of the searcher's information set by action, and the visits as others: shape (actions,)."""
        edges = np.zeros(len(actions), EDGE)
        counted = np.array([self.as_others.get(int(action), 0) for action in actions], np.int64)
        if len(actions):
            node = int(node_of(self.tree, np.uint64(derive(self.key, np.uint64(self.sampler.seat))), False))
            edge = int(self.tree.first[node]) if node >= 0 else -1
            places = {int(action): place for place, action in enumerate(actions)}
            while edge >= 0:
                edges[places[int(self.tree.edges[edge]["action"])]] = self.tree.edges[edge]
                edge = int(self.tree.edges[edge]["next"])
        return edges, counted


def search(
    game: Game,
    view: Views,
    seat: int,
    seed: int,
    settings: Settings | None = None,
    *,
    weights: Weights | None = None,
    others: Weights | None = None,
    weigh: Weigh | None = None,
    rollout: Rollout = None,
    values: Callable[..., Any] | None = None,
    prior: Callable[..., Any] | None = None,
) -> Found:
    """Search from the view, an array of one record, of a seat, which need not be to move; the game must not be over.

    - `weights`, `others`, `weigh`: of the worlds (`search.worlds.Sampler`).
    - `rollout`: what plays on from a leaf. None: uniformly random moves; a plain function or kernel with the arguments of
      `play_randomly` (`games.calls`), which plays a state to its end; or a player for each seat, who sit down at the leaves.
    - `values(states, params, out)`: writes what a state is worth to each seat, from -1 to 1, instead of playing on.
    - `prior(states, params, out)`: writes a weight, not negative, for each legal action of a state in their order, for PUCT.

    The functions are compiled, with the values that global names in them and what they close over have at the call. BadInput where
    what is given does not go with the game; KernelFailure where a function cannot be compiled;
    GameFailure where a play is longer than the game says.
    """
    check_is_game(game)
    settings = Settings() if settings is None else settings
    given: object = settings
    if not isinstance(given, Settings):
        raise BadInput(f"settings are those of Settings(iterations=...), not {value_text(given)}")
    if prior is not None and settings.selection != "puct":
        raise BadInput("only selection=puct looks at a prior")
    view = np.array(np.atleast_1d(view))
    if view.shape != (1,):
        raise BadInput(f"a search is from one view, an array of one record, not of shape {view.shape}")
    if not is_whole(seat) or not 0 <= seat < game.seats:
        raise BadInput(f"{game.label} has seats 0 to {game.seats - 1}, not {value_text(seat)}")
    if "seat" in (view.dtype.names or ()) and view["seat"][0] != seat:
        raise BadInput(f"a search from seat {seat} is from its own view, not from that of seat {view['seat'][0]}")
    if not is_whole(seed) or not 0 <= seed < 2**64:
        raise BadInput(f"the seed of a search is a whole number from 0 to 2**64 - 1, not {value_text(seed)}")
    if settings.iterations and settings.iterations < settings.roots:
        raise BadInput(f"{settings.roots} roots need at least as many iterations, not {settings.iterations}")
    sampler = Sampler(game, view, seat, weights, others, weigh)
    with rules_of(game) as rules:
        hooks = _hooks(game, rules, rollout, values, prior)
        roots = _roots(game, sampler, hooks, settings, seed)
    return _merged(roots, np.array(game.legal_actions(view).codes, np.int32))


def _roots(game: Game, sampler: Sampler, hooks: _Hooks, settings: Settings, seed: int) -> list[_Root]:
    """The trees of a search, grown, as many at once as there are threads."""
    until = time.perf_counter() + settings.seconds if settings.seconds else 0.0
    seeds = game_seeds(int(game_seeds(seed, _ROOTS, 1)[0]), 0, settings.roots).tolist()

    def run(number: int) -> _Root:
        share = settings.iterations // settings.roots + (number < settings.iterations % settings.roots)
        root = _Root(game, sampler, hooks, replace(settings, iterations=share), seeds[number])
        bluffs = round(share * settings.bluffing)
        if settings.bluffing and (bluffs or not share):
            root.run(bluffs, until - settings.seconds * (1 - settings.bluffing) if until else 0.0, as_others=True)
        if not share or share > root.done:
            root.run(share and share - root.done, until, as_others=False)
        return root

    if settings.threads == 1 or settings.roots == 1:
        return [run(number) for number in range(settings.roots)]
    with ThreadPoolExecutor(min(settings.threads, settings.roots)) as pool:
        return list(pool.map(as_here(run), range(settings.roots)))


def _merged(roots: Sequence[_Root], actions: npt.NDArray[np.int32]) -> Found:
    """What several trees found, added up."""
    found = [root.at_root(actions) for root in roots]
    visits: npt.NDArray[np.int64] = np.sum([edges["visits"] for edges, _ in found], axis=0, dtype=np.int64)
    tried = np.maximum(visits, 1)
    values = np.sum([edges["value"] for edges, _ in found], axis=0) / tried
    squares = np.sum([edges["squares"] for edges, _ in found], axis=0) / tried
    noted = [root.noted() for root in roots]
    as_others: npt.NDArray[np.int64] = np.sum([counted for _, counted in found], axis=0, dtype=np.int64)
    return Found(
        actions,
        visits,
        values,
        np.sqrt(np.maximum(squares - values**2, 0.0)),
        as_others,
        sum(root.done for root in roots),
        sum(int(root.tree.counts[NODES]) for root in roots),
        sum(int(root.tree.counts[REFUSED]) for root in roots),
        Noted(
            np.concatenate([each.chains for each in noted]),
            np.concatenate([each.sets for each in noted]),
            np.concatenate([each.as_others for each in noted]),
        ),
    )
