"""Where a formula is true in a model: every operator is one operation on sets of worlds.

A set of worlds is a uint64[words], as in `relations`. The method goes up from the facts, and each part of a formula is
worked out once, however often it occurs (Fagin, Halpern, Moses and Vardi, Reasoning About Knowledge, 1995, section 3.2).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from molehunt.beliefs.relations import Words, box, box_of_closure
from molehunt.beliefs.syntax import And, Atom, Box, Diamond, Formula, Iff, Implies, Not, Or, Truth

RELATION = {"B": "belief", "E": "belief", "C": "belief", "K": "knowledge", "EK": "knowledge", "CK": "knowledge"}
"""Which of an agent's relations an operator reads."""
CLOSED = ("C", "CK")
"""The operators that read the transitive closure."""


class Checkable(Protocol):
    """What the checker asks of a model; all sets are to be left as they are."""

    @property
    def everything(self) -> Words:
        """The set of all worlds."""

    def fact_words(self, name: str) -> Words:
        """Where a fact is true."""

    def joined(self, relation: str, agents: tuple[int, ...] | None) -> Words:
        """The union of the relations of some agents, or of all: uint64[worlds, words]."""

    def joined_backwards(self, relation: str, agents: tuple[int, ...] | None) -> Words:
        """The converse of `joined`."""


def worlds_where(formula: Formula, model: Checkable, memory: dict[Formula, Words]) -> Words:
    """The worlds in which a formula is true. `memory` holds the results so far, and is added to."""
    found = memory.get(formula)
    if found is None:
        found = _worked_out(formula, model, memory)
        memory[formula] = found
    return found


def _worked_out(formula: Formula, model: Checkable, memory: dict[Formula, Words]) -> Words:
    # No operator stops early: an unknown fact or agent is an error wherever it stands.
    match formula:
        case Atom(name):
            return model.fact_words(name)
        case Truth(value):
            return model.everything if value else np.zeros_like(model.everything)
        case Not(part):
            return model.everything & ~worlds_where(part, model, memory)
        case And(parts):
            found = worlds_where(parts[0], model, memory)
            for part in parts[1:]:
                found = found & worlds_where(part, model, memory)
            return found
        case Or(parts):
            found = worlds_where(parts[0], model, memory)
            for part in parts[1:]:
                found = found | worlds_where(part, model, memory)
            return found
        case Implies(left, right):
            first, second = worlds_where(left, model, memory), worlds_where(right, model, memory)
            return (model.everything & ~first) | second
        case Iff(left, right):
            first, second = worlds_where(left, model, memory), worlds_where(right, model, memory)
            return model.everything & ~(first ^ second)
        case Box(operator, agents, part):
            return _boxed(operator, agents, worlds_where(part, model, memory), model)
        case Diamond(operator, agents, part):
            outside = model.everything & ~worlds_where(part, model, memory)
            return model.everything & ~_boxed(operator, agents, outside, model)
    raise TypeError(f"not a formula: {formula!r}")


def _boxed(operator: str, agents: tuple[int, ...] | None, truth: Words, model: Checkable) -> Words:
    relation = RELATION[operator]
    if operator in CLOSED:
        return box_of_closure(model.joined_backwards(relation, agents), truth, model.everything)
    return box(model.joined(relation, agents), truth)
