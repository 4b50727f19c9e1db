"""The syntax tree of formulas about facts, beliefs and knowledge, and how it is printed. The notation stands in `formulas`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from molehunt.core.errors import BadNotation

MOST_DEPTH = 100
"""How many operators may stand within each other. It keeps every walk over a formula within Python's own stack."""

SINGLE = ("B", "K")
"""Operators of one agent."""
GROUP = ("E", "C", "EK", "CK")
"""Operators of a group, or of all agents."""

RESERVED = ("not", "and", "or", "implies", "iff", "true", "false", "B", "K", "M", "E", "C", "EK", "CK")
_ARGUMENT = r"-?[A-Za-z0-9_]+"
ATOM = rf"[A-Za-z][A-Za-z0-9_]*(?:\s*\(\s*{_ARGUMENT}(?:\s*,\s*{_ARGUMENT})*\s*\))?"
MODAL = r"(?:EK|CK|[BKMEC])(?![A-Za-z0-9])(?:_\{[0-9,\s]*\}?|_[A-Za-z0-9_]*)?"


class Formula:
    """A formula. Immutable; equal formulas have the same tree; `str` of it reads back to an equal one with `formulas.parse`.

    In Python, `f & g`, `f | g`, `~f` and `f >> g` (implies) make formulas of formulas.
    """

    depth: int
    """How many operators stand within each other: 0 for a fact."""
    _key: tuple[object, ...]
    _hash: int

    def _settle(self, key: tuple[object, ...], *parts: Formula) -> None:
        """Note, once for the life of the node, its depth and its hash, which the checker's memory asks for often."""
        depth = 1 + max(part.depth for part in parts) if parts else 0
        if depth > MOST_DEPTH:
            raise BadNotation(f"a formula has at most {MOST_DEPTH} operators within each other")
        object.__setattr__(self, "depth", depth)
        object.__setattr__(self, "_key", key)
        object.__setattr__(self, "_hash", hash((type(self).__name__, key)))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Formula) and type(self) is type(other) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        # Rebuilt from its parts: hashes of texts differ between processes.
        return type(self), self._key

    def __and__(self, other: Formula) -> And:
        return And((self, other))

    def __or__(self, other: Formula) -> Or:
        return Or((self, other))

    def __rshift__(self, other: Formula) -> Implies:
        return Implies(self, other)

    def __invert__(self) -> Not:
        return Not(self)

    def __str__(self) -> str:
        return _printed(self)[0]

    def __repr__(self) -> str:
        return f"parse({str(self)!r})"


@dataclass(frozen=True, eq=False, repr=False)
class Truth(Formula):
    """`true` or `false`."""

    value: bool

    def __post_init__(self) -> None:
        self._settle((bool(self.value),))


@dataclass(frozen=True, eq=False, repr=False)
class Atom(Formula):
    """A fact by its name, arguments included and without blanks: "p", "sab(3)"."""

    name: str

    def __post_init__(self) -> None:
        if not is_atom(self.name):
            raise BadNotation(
                f"{self.name!r} is no name of a fact: a letter, then letters, digits and '_', then perhaps arguments "
                f"in parentheses without blanks, as in sab(3); and none of {', '.join(RESERVED)} or B_1 and the like"
            )
        self._settle((self.name,))


@dataclass(frozen=True, eq=False, repr=False)
class Not(Formula):
    """The opposite of its part."""

    part: Formula

    def __post_init__(self) -> None:
        self._settle((self.part,), self.part)


@dataclass(frozen=True, eq=False, repr=False)
class _Several(Formula):
    """A formula of two parts or more; one long row of them is one operator, however long."""

    parts: tuple[Formula, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))
        if len(self.parts) < 2:
            raise BadNotation(f"{type(self).__name__} takes two parts or more, not {len(self.parts)}")
        self._settle((self.parts,), *self.parts)


class And(_Several):
    """All of the parts."""


class Or(_Several):
    """At least one of the parts."""


@dataclass(frozen=True, eq=False, repr=False)
class _Pair(Formula):
    left: Formula
    right: Formula

    def __post_init__(self) -> None:
        self._settle((self.left, self.right), self.left, self.right)


class Implies(_Pair):
    """If left, then right."""


class Iff(_Pair):
    """Left exactly if right."""


@dataclass(frozen=True, eq=False, repr=False)
class _Modal(Formula):
    """An operator "B", "K", "E", "C", "EK" or "CK", for one agent (B, K), a group, or, with None, all agents."""

    operator: str
    agents: tuple[int, ...] | None
    part: Formula

    def __post_init__(self) -> None:
        if self.operator not in SINGLE + GROUP:
            raise BadNotation(f"no operator {self.operator!r}; there are {', '.join(SINGLE + GROUP)}")
        if self.agents is not None:
            object.__setattr__(self, "agents", tuple(sorted({int(agent) for agent in self.agents})))
        number = None if self.agents is None else len(self.agents)
        if self.operator in SINGLE and number != 1:
            raise BadNotation(f"{self.operator} takes one agent; for several there are {', '.join(GROUP)}")
        if number == 0:
            raise BadNotation("a group has at least one agent")
        if self.agents and self.agents[0] < 0:
            raise BadNotation(f"agents are numbers from 0, not {self.agents[0]}")
        self._settle((self.operator, self.agents, self.part), self.part)


class Box(_Modal):
    """The part is true in all worlds that the operator looks at."""


class Diamond(_Modal):
    """The part is true in at least one world that the operator looks at: the dual of `Box`."""


@lru_cache(maxsize=4096)
def is_atom(name: str) -> bool:
    """Whether a text is the name of a fact in the notation of formulas, without blanks."""
    if re.search(r"\s", name) or re.match(MODAL, name) or name.partition("(")[0] in RESERVED:
        return False
    return re.fullmatch(ATOM, name) is not None


# ---- Printing

IFF, IMPLIES, OR, AND, TIGHT = range(5)


def _printed(formula: Formula) -> tuple[str, int]:
    """The text of a formula, and how tightly its outermost operator binds."""

    def within(part: Formula, least: int) -> str:
        text, binding = _printed(part)
        return text if binding >= least else f"({text})"

    match formula:
        case Truth(value):
            return ("true" if value else "false"), TIGHT
        case Atom(name):
            return name, TIGHT
        case Not(part):
            return f"~{within(part, TIGHT)}", TIGHT
        case And(parts):
            return " & ".join([within(part, AND + 1) for part in parts]), AND
        case Or(parts):
            return " | ".join([within(part, OR + 1) for part in parts]), OR
        case Implies(left, right):
            return f"{within(left, IMPLIES + 1)} -> {within(right, IMPLIES)}", IMPLIES
        case Iff(left, right):
            return f"{within(left, IFF + 1)} <-> {within(right, IFF)}", IFF
        case Box(operator, agents, part):
            return f"{_operator(operator, agents)} {within(part, TIGHT)}", TIGHT
        case Diamond(operator, agents, part):
            name = _operator(operator, agents)
            name = f"M{name[1:]}" if operator == "B" else f"<{name}>"
            return f"{name} {within(part, TIGHT)}", TIGHT
    raise TypeError(f"not a formula: {formula!r}")


def _operator(operator: str, agents: tuple[int, ...] | None) -> str:
    if agents is None:
        return operator
    if operator in SINGLE:
        return f"{operator}_{agents[0]}"
    return f"{operator}_{{{','.join(map(str, agents))}}}"
