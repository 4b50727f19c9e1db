"""Formulas about facts and about what agents believe and know of them: how they are written, and the parser.

Notation, from the loosest to the tightest operator; the first way of writing is the one that is printed.

    f <-> g     iff            groups to the right: f <-> g <-> h is f <-> (g <-> h)
    f -> g      implies        groups to the right: f -> g -> h is f -> (g -> h)
    f | g       or             any number of parts
    f & g       and            any number of parts
    ~f          not, !         and all that follow here: they take the shortest formula that stands behind them
    B_1 f                      agent 1 believes f
    K_1 f                      agent 1 knows f
    M_1 f       <B_1> f        agent 1 holds f possible: not B_1 not f
    E f, E_{1,2} f             everybody (of the group) believes f
    C f, C_{1,2} f             common belief (of the group): E f and E E f and E E E f, and so on
    EK f, CK_{1,2} f           the same two for knowledge; <K_1> f, <C_{1,2}> f and so on are their duals

Facts are names that may have arguments: p, sab(3), gold(top), above(1,2). `true` and `false` are formulas as well. The
language and its reading are those of Fagin, Halpern, Moses and Vardi, Reasoning About Knowledge (1995), sections 2.1 and
2.2; common belief looks at least one step ahead, so that it need not be true, just as belief need not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from molehunt.beliefs.syntax import (
    AND,
    ATOM,
    GROUP,
    IFF,
    IMPLIES,
    MODAL,
    MOST_DEPTH,
    OR,
    And,
    Atom,
    Box,
    Diamond,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Truth,
    is_atom,
)
from molehunt.core.errors import BadNotation

__all__ = [
    "MOST_DEPTH",
    "And",
    "Atom",
    "BadFormula",
    "Box",
    "Diamond",
    "Formula",
    "Iff",
    "Implies",
    "Not",
    "Or",
    "Truth",
    "is_atom",
    "parse",
]


class BadFormula(BadNotation):
    """A text that is no formula.

    Attributes: `text` (all of it), `position` (of the first character that does not fit, from 0), `wanted` (what would have
    been right there).
    """

    REACH = 40
    """How many characters are shown on each side of the fault."""

    def __init__(self, text: str, position: int, problem: str, wanted: str) -> None:
        self.text = text
        self.position = position
        self.wanted = wanted
        start = max(0, position - self.REACH)
        shown = re.sub(r"\s", " ", text[start : position + self.REACH])
        before = "..." if start else ""
        after = "..." if position + self.REACH < len(text) else ""
        caret = " " * (len(before) + position - start) + "^"
        super().__init__(f"{problem} at position {position}; expected {wanted}\n  {before}{shown}{after}\n  {caret}")


_TOKEN = re.compile(
    rf"\s*(?:(?P<sign><->|->|[&|~!()<>])|(?P<word>(?:not|and|or|implies|iff|true|false)\b)|(?P<modal>{MODAL})"
    rf"|(?P<atom>{ATOM})|(?P<end>$)|(?P<bad>.))",
    re.DOTALL,
)
_SAME = {"not": "~", "!": "~", "and": "&", "or": "|", "implies": "->", "iff": "<->"}
_BINDING = {"<->": IFF, "->": IMPLIES, "|": OR, "&": AND}
_A_FORMULA = "a formula: a fact such as sab(3), true, false, ~, (, or an operator such as B_1, K_1, M_1, E, C_{1,2}"
_GO_ON = "&, |, ->, <-> or the end"


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    position: int


@lru_cache(maxsize=4096)
def parse(text: str) -> Formula:
    """The formula that a text in the notation of this module stands for.

    Raises `BadFormula`, which points at the first character that does not fit. Texts nested deeper than a formula may be
    (`MOST_DEPTH`) are turned down in the same way, parentheses that do nothing included.
    """
    reader = _Reader(text)
    formula = reader.formula(IFF)
    token = reader.token
    if token.kind != "end":
        extra = ""
        if token.text == "(":
            extra = "; arguments of a fact are names or numbers, as in sab(3) or above(1,2)"
        raise reader.error(f"{token.text!r} has no place", _GO_ON + extra)
    return formula


class _Reader:
    """One text on its way to a formula; `token` is the one not yet used."""

    DEEPEST: ClassVar[int] = 2 * MOST_DEPTH + 2  # an operand and its parentheses for each operator

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.nesting = 0
        self.token = self.read()

    def error(self, problem: str, wanted: str, position: int | None = None) -> BadFormula:
        return BadFormula(self.text, self.token.position if position is None else position, problem, wanted)

    def read(self) -> _Token:
        """The next token."""
        found = _TOKEN.match(self.text, self.place)
        kind = (found and found.lastgroup) or "end"
        if found is None or kind == "end":
            return _Token("end", "", len(self.text))
        text, position = found[kind], found.start(kind)
        if kind == "bad":
            raise BadFormula(self.text, position, f"{text!r} is no part of a formula", "~ & | -> <-> ( ) or a name")
        self.place = found.end()
        return _Token(kind, _SAME.get(text, text) if kind in ("sign", "word") else text, position)

    def take(self) -> _Token:
        """Use up the token and read the next one."""
        token, self.token = self.token, self.read()
        return token

    def formula(self, least: int) -> Formula:
        """A formula whose operators outside parentheses bind at least as tightly as `least` (precedence climbing)."""
        self.nesting += 1
        if self.nesting > self.DEEPEST:
            raise self.error("nested too deeply", f"at most {MOST_DEPTH} operators within each other")
        left = self.prefixed()
        while (binding := _BINDING.get(self.token.text, -1)) >= least:
            sign = self.token
            if binding in (AND, OR):
                parts = [left]
                while self.token.text == sign.text:
                    self.take()
                    parts.append(self.formula(binding + 1))
                left = self.build(sign, And if binding == AND else Or, tuple(parts))
            else:
                self.take()
                right = self.formula(binding)
                left = self.build(sign, Implies if binding == IMPLIES else Iff, left, right)
        self.nesting -= 1
        return left

    def build(self, token: _Token, make: Callable[..., Formula], *parts: object) -> Formula:
        """Make a node; a tree that gets too deep is a fault at the operator."""
        try:
            return make(*parts)
        except BadNotation as error:
            wanted = f"at most {MOST_DEPTH} operators within each other"
            raise self.error("nested too deeply", wanted, token.position) from error

    def prefixed(self) -> Formula:
        """A fact, a constant or a formula in parentheses, with the operators before it."""
        prefixes: list[tuple[_Token, Callable[[Formula], Formula]]] = []
        while True:
            token = self.token
            if token.text == "~":
                self.take()
                prefixes.append((token, Not))
            elif token.kind == "modal":
                self.take()
                prefixes.append((token, self.modal(token, dual=False)))
            elif token.text == "<":
                self.take()
                if self.token.kind != "modal":
                    raise self.error("'<' opens a dual operator", "an operator and '>', as in <K_1>")
                modal = self.take()
                if self.token.text != ">":
                    raise self.error("'<' is not closed", "'>'")
                self.take()
                prefixes.append((token, self.modal(modal, dual=True)))
            else:
                break
        formula = self.innermost()
        for token, make in reversed(prefixes):
            formula = self.build(token, make, formula)
        return formula

    def modal(self, token: _Token, dual: bool) -> Callable[[Formula], Formula]:
        """What makes the formula of a modal operator, of its text such as "C_{1,2}"."""
        letter, underscore, who = token.text.partition("_")
        group = letter in GROUP
        right = f"the number of one agent, as in {letter}_1"
        if group:
            right = f"one agent or a group, as in {letter}_1 or {letter}_{{1,2}}, or {letter} alone for all agents"
        if not underscore:
            if not group:
                hint = (
                    "; for everybody there is E"
                    if letter == "B"
                    else "; for everybody there is EK"
                    if letter == "K"
                    else ""
                )
                raise self.error(f"{letter} does not say whose", right + hint, token.position)
            agents = None
        else:
            place = token.position + len(letter) + 1
            if who.startswith("{") and not who.endswith("}"):
                raise self.error("the group is not closed", "numbers of agents, then '}'", place + len(who))
            numbers = who.removeprefix("{").removesuffix("}")
            if not re.fullmatch(r"\s*[0-9]{1,9}\s*(,\s*[0-9]{1,9}\s*)*", numbers):
                raise self.error(f"{who or 'nothing'} after {letter}_ is no agent", right, place)
            agents = tuple(int(number) for number in numbers.split(","))
            if not group and len(agents) != 1:
                hint = "; for a group there are E and C" if letter != "K" else "; for a group there are EK and CK"
                raise self.error(f"{letter} takes one agent", right + hint, place)
        operator = "B" if letter == "M" else letter
        kind = Diamond if (letter == "M") != dual else Box
        return lambda part: kind(operator, agents, part)

    def innermost(self) -> Formula:
        """A fact, a constant, or a formula in parentheses."""
        token = self.token
        if token.kind == "atom":
            self.take()
            return Atom(re.sub(r"\s", "", token.text))
        if token.text in ("true", "false"):
            self.take()
            return Truth(token.text == "true")
        if token.text == "(":
            self.take()
            formula = self.formula(IFF)
            if self.token.text != ")":
                found = repr(self.token.text) if self.token.text else "the end"
                raise self.error(
                    f"{found} where the '(' at position {token.position} is still open", "')' or &, |, ->, <->"
                )
            self.take()
            return formula
        if token.kind == "end":
            raise self.error("the formula ends too early" if self.text.strip() else "there is nothing", _A_FORMULA)
        raise self.error(f"{token.text!r} has no place", _A_FORMULA)
