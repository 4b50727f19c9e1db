"""What the relation of an agent looks like, which decides how it is told and drawn.

cells        an equivalence (S5): the cells
everywhere   the same worlds are held possible in every world (KD45): those worlds
arrows       any other relation: for each world, what is held possible there
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from molehunt.beliefs.kripke import KripkeModel
from molehunt.beliefs.relations import Mask


@dataclass(frozen=True)
class Shape:
    """How the relation of an agent is drawn: `kind` as above, and its rows in short.

    rows: pairs (worlds, worlds held possible there), all as numbers; cells are pairs of the same, and for `everywhere`
    there is one pair, with all worlds.
    """

    kind: str
    rows: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]

    @property
    def lines(self) -> int:
        """How many lines, rings or arrows it takes."""
        if self.kind == "cells":
            return sum(len(cell) for cell, _ in self.rows)
        if self.kind == "everywhere":
            return len(self.rows[0][1])
        return sum(len(here) * len(there) for here, there in self.rows)


def shape_of(links: Mask, equivalence: bool) -> Shape:
    """How a relation, bool[worlds, worlds], is drawn."""
    together: dict[bytes, list[int]] = {}
    for world, row in enumerate(links):
        together.setdefault(row.tobytes(), []).append(world)
    rows = tuple((tuple(worlds), _numbers(links[worlds[0]])) for worlds in together.values())
    if equivalence:
        return Shape("cells", rows)
    return Shape("everywhere" if len(rows) == 1 and rows[0][1] else "arrows", rows)


def _numbers(row: Mask) -> tuple[int, ...]:
    return tuple(int(world) for world in np.flatnonzero(row))


def shapes_of(model: KripkeModel, agents: Iterable[int] | None, relation: str) -> dict[int, Shape]:
    """The shapes of one relation of some agents, or of all."""
    chosen = model.agents if agents is None else tuple(agents)
    return {agent: shape_of(model.links(agent, relation), model.logic(agent, relation) == "S5") for agent in chosen}
