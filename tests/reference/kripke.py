"""Reference for Kripke models: sets of pairs, and each operator as its definition reads.

Slow on purpose. Nothing is shared with the package under test. A formula is a tuple whose first item says what it is:

    ("atom", name)  ("true",)  ("false",)  ("not", f)  ("and", f, g, ...)  ("or", f, g, ...)  ("implies", f, g)  ("iff", f, g)
    (operator, agents, f) with an operator B, K, M, <K>, E, C, EK, CK, <E>, <C>, <EK> or <CK>, agents a tuple or None for all

`text` writes it for people, with every pair of parentheses.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any

World = Any
Links = set[tuple[World, World]]
Formula = tuple[Any, ...]


@dataclass
class Model:
    worlds: list[World]
    agents: list[int]
    facts: dict[str, set[World]]
    belief: dict[int, Links]
    knowledge: dict[int, Links] | None = None

    def sees(self, relation: str, agent: int, world: World) -> set[World]:
        return self.successors["belief" if self.knowledge is None else relation, agent].get(world, set())

    @cached_property
    def successors(self) -> dict[tuple[str, int], dict[World, set[World]]]:
        found: dict[tuple[str, int], dict[World, set[World]]] = {}
        for relation, links in (("belief", self.belief), ("knowledge", self.knowledge or {})):
            for agent, pairs in links.items():
                row = found[relation, agent] = {}
                for here, there in pairs:
                    row.setdefault(here, set()).add(there)
        return found


# ---- Truth


def where(formula: Formula, model: Model) -> set[World]:
    """The worlds in which the formula is true."""
    kind, *parts = formula
    worlds = set(model.worlds)
    if kind == "atom":
        return set(model.facts[parts[0]])
    if kind == "true":
        return worlds
    if kind == "false":
        return set()
    if kind == "not":
        return worlds - where(parts[0], model)
    if kind in ("and", "or", "implies", "iff"):
        truths = [where(part, model) for part in parts]
        if kind == "and":
            return {world for world in worlds if all(world in truth for truth in truths)}
        if kind == "or":
            return {world for world in worlds if any(world in truth for truth in truths)}
        left, right = truths
        if kind == "implies":
            return {world for world in worlds if world not in left or world in right}
        return {world for world in worlds if (world in left) == (world in right)}
    agents, part = parts
    if kind == "M" or kind.startswith("<"):
        operator = "B" if kind == "M" else kind[1:-1]
        return worlds - where((operator, agents, ("not", part)), model)
    group = model.agents if agents is None else agents
    relation = "knowledge" if "K" in kind else "belief"
    truth = where(part, model)
    if kind in ("C", "CK"):
        # Everybody, and everybody that everybody, and so on: no path without a circle is longer than the number of worlds.
        common = worlds
        for _ in worlds:
            truth = everybody(relation, group, truth, model)
            common = common & truth
        return common
    return everybody(relation, group, truth, model)


def everybody(relation: str, group: Any, truth: set[World], model: Model) -> set[World]:
    return {world for world in model.worlds if all(model.sees(relation, agent, world) <= truth for agent in group)}


# ---- Announcements


def announce(formula: Formula, model: Model) -> Model:
    left = where(formula, model)
    return Model(
        [world for world in model.worlds if world in left],
        model.agents,
        {name: truth & left for name, truth in model.facts.items()},
        _kept(model.belief, lambda agent, here, there: here in left and there in left),
        model.knowledge and _kept(model.knowledge, lambda agent, here, there: here in left and there in left),
    )


def announce_whether(formula: Formula, group: Any, model: Model) -> Model:
    truth = where(formula, model)

    def stays(agent: int, here: World, there: World) -> bool:
        return agent not in group or (here in truth) == (there in truth)

    knowledge = model.knowledge and _kept(model.knowledge, stays)
    return Model(model.worlds, model.agents, model.facts, _kept(model.belief, stays), knowledge)


def announce_privately(formula: Formula, group: Any, model: Model) -> Model:
    """Worlds are pairs with "told" or "not told"."""
    truth = where(formula, model)
    worlds = [(world, "told") for world in model.worlds if world in truth]
    worlds += [(world, "not told") for world in model.worlds]
    belief: dict[int, Links] = {agent: set() for agent in model.agents}
    knowledge: dict[int, Links] = {agent: set() for agent in model.agents}
    for agent in model.agents:
        for here, event in worlds:
            for there, other in worlds:
                thinks = other == (event if agent in group else "not told")
                if thinks and there in model.sees("belief", agent, here):
                    belief[agent].add(((here, event), (there, other)))
                if (agent not in group or other == event) and there in model.sees("knowledge", agent, here):
                    knowledge[agent].add(((here, event), (there, other)))
    facts = {name: {pair for pair in worlds if pair[0] in holds} for name, holds in model.facts.items()}
    return Model(worlds, model.agents, facts, belief, knowledge if model.knowledge is not None else None)


def _kept(links: dict[int, Links], stays: Any) -> dict[int, Links]:
    return {agent: {pair for pair in pairs if stays(agent, *pair)} for agent, pairs in links.items()}


# ---- Frames, by their definitions


def is_reflexive(worlds: list[World], links: Links) -> bool:
    return all((w, w) in links for w in worlds)


def is_serial(worlds: list[World], links: Links) -> bool:
    return all(any((w, v) in links for v in worlds) for w in worlds)


def is_symmetric(worlds: list[World], links: Links) -> bool:
    return all((v, w) in links for w, v in links)


def is_transitive(worlds: list[World], links: Links) -> bool:
    return all((w, u) in links for w, v in links for v2, u in links if v == v2)


def is_euclidean(worlds: list[World], links: Links) -> bool:
    return all((v, u) in links for w, v in links for w2, u in links if w == w2)


# ---- Random ones


def random_links(draw: random.Random, worlds: list[World], frame: str) -> Links:
    """Links of one agent; frame: "K" for any, "S5", or "KD45" or "K45" (in each cell of a partition, some of it is seen)."""
    if frame == "K":
        density = draw.choice((0.1, 0.3, 0.6))
        return {(w, v) for w in worlds for v in worlds if draw.random() < density}
    cell = {world: draw.randrange(1 + draw.randrange(4)) for world in worlds}
    links = set()
    for number in set(cell.values()):
        members = [world for world in worlds if cell[world] == number]
        seen = members
        if frame != "S5":
            seen = draw.sample(members, draw.randint(0 if frame == "K45" else 1, len(members)))
        links |= {(w, v) for w in members for v in seen}
    return links


def random_model(draw: random.Random, size: int, frame: str, agents: int = 3, knowledge: bool = False) -> Model:
    worlds = [f"w{number}" for number in range(size)]
    belief = {agent: random_links(draw, worlds, frame) for agent in range(agents)}
    facts = {name: {w for w in worlds if draw.random() < 0.5} for name in ("p", "q(1)", "r(a,-2)")}
    more = {agent: belief[agent] | random_links(draw, worlds, "K") for agent in belief} if knowledge else None
    return Model(worlds, list(range(agents)), facts, belief, more)


def random_formula(draw: random.Random, depth: int, operators: str = "B M E C <E> <C>", agents: int = 3) -> Formula:
    if depth == 0 or draw.random() < 0.1:
        return draw.choice([("atom", "p"), ("atom", "q(1)"), ("atom", "r(a,-2)"), ("true",), ("false",)])

    def inner() -> Formula:
        return random_formula(draw, depth - 1, operators, agents)

    kind = draw.choice(["not", "and", "or", "implies", "iff", *2 * operators.split()])
    if kind == "not":
        return kind, inner()
    if kind in ("and", "or"):
        return kind, *(inner() for _ in range(draw.randint(2, 3)))
    if kind in ("implies", "iff"):
        return kind, inner(), inner()
    if kind in ("B", "K", "M", "<K>"):
        return kind, (draw.randrange(agents),), inner()
    group = draw.choice([None, tuple(sorted(draw.sample(range(agents), draw.randint(1, agents))))])
    return kind, group, inner()


def text(formula: Formula) -> str:
    """The formula with every pair of parentheses, so that no rule of precedence is needed to read it."""
    kind, *parts = formula
    if kind == "atom":
        return str(parts[0])
    if kind in ("true", "false"):
        return str(kind)
    if kind in ("and", "or", "implies", "iff"):
        return "(" + f" {kind} ".join(text(part) for part in parts) + ")"
    if kind == "not":
        return f"(not {text(parts[0])})"
    agents, part = parts
    name = kind.strip("<>")
    if agents is not None:
        name += "_" + (str(agents[0]) if name in ("B", "K", "M") else "{" + ",".join(map(str, agents)) + "}")
    return f"(<{name}> {text(part)})" if kind.startswith("<") else f"({name} {text(part)})"
