"""A slow search to compare the compiled one with: dictionaries, one state at a time, through the interface of `Game` alone."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from molehunt.core.streams import below
from molehunt.games.compiled import CompiledGame


@dataclass
class Action:
    """What is known of an action in a node."""

    visits: int = 0
    available: int = 0
    value: float = 0.0
    squares: float = 0.0


@dataclass
class SlowSearch:
    """Information set MCTS (Cowling, Powley and Whitehouse 2012); nodes are those of the searcher or of the mover."""

    game: CompiledGame
    searcher: int
    selection: str
    c: float
    single: bool
    most_nodes: int
    nodes: dict[tuple[int, int], dict[int, Action]] = field(default_factory=dict)
    edges: int = 0

    def iterate(self, world: Any, stream: int) -> None:
        """One iteration in a world, an array of one state, which is played on."""
        game, way = self.game, []
        random = np.array([stream], np.uint64)
        fresh = False
        while not fresh and (mover := int(game.to_move(world)[0])) >= 0:
            seen = game.views(world, np.array([self.searcher if self.single else mover], np.int8))
            key = (int(game.infoset_keys(seen)[0]), mover)
            if key not in self.nodes and len(self.nodes) == self.most_nodes:
                break
            node = self.nodes.setdefault(key, {})
            legal = game.legal_actions(game.views(world, np.array([mover], np.int8))).codes
            full = self.edges == self.most_nodes
            if full and not any(action in node for action in legal):
                break
            action = self.select(node, legal, full, random)
            fresh = action not in node
            self.edges += fresh
            for other in {*legal} & {*node, action}:
                node.setdefault(other, Action()).available += 1
            node[action].visits += 1
            way.append((node[action], mover))
            game.apply(world, np.array([action], np.int32))
        game.play_randomly(world, random)
        margins = game.margins(world)[0]
        for action_of_way, mover in way:
            action_of_way.value += margins[mover]
            action_of_way.squares += margins[mover] ** 2

    def select(self, node: dict[int, Action], legal: list[int], full: bool, random: Any) -> int:
        """An action never tried, else the one with the best score."""
        untried = [action for action in legal if action not in node]
        if untried and not full and self.selection != "puct":
            return untried[int(below(random, len(untried)))]
        tried = [action for action in legal if action in node]
        visits = sum(node[action].visits for action in tried)
        mean = sum(node[action].value for action in tried) / visits if visits else 0.0
        entries = sum(action.visits for action in node.values())
        scores = {}
        for action in legal:
            if action not in node:
                if self.selection == "puct" and not full:
                    scores[action] = mean + self.c / len(legal) * math.sqrt(max(entries, 1))
                continue
            known = node[action]
            q = known.value / known.visits
            if self.selection == "puct":
                scores[action] = q + self.c / len(legal) * math.sqrt(max(entries, 1)) / (1 + known.visits)
                continue
            width = math.log(known.available) / known.visits
            if self.selection == "ucb":
                scores[action] = q + self.c * math.sqrt(2 * width)
            else:
                variance = max(known.squares / known.visits - q * q, 0.0) / 4
                bound = min(0.25, variance + math.sqrt(2 * width))
                scores[action] = (q + 1) / 2 + self.c * math.sqrt(width * bound)
        best: list[int] = [action for action in legal if scores.get(action) == max(scores.values())]
        return best[int(below(random, len(best)))] if len(best) > 1 else best[0]
