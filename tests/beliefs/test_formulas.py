"""Formulas: what is written is what is read, what is printed reads back, and every fault is pointed at."""

from __future__ import annotations

import pickle
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from molehunt.beliefs.formulas import (
    MOST_DEPTH,
    And,
    Atom,
    BadFormula,
    Box,
    Diamond,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Truth,
    is_atom,
    parse,
)
from molehunt.core.errors import BadNotation
from reference import kripke as slow

P, Q, R = Atom("p"), Atom("q"), Atom("r")

READINGS: list[tuple[str, Formula]] = [
    ("p", P),
    ("sab(3)", Atom("sab(3)")),
    (" gold ( top , -2 ) ", Atom("gold(top,-2)")),
    ("true & false", And((Truth(True), Truth(False)))),
    ("not p", Not(P)),
    ("!~p", Not(Not(P))),
    ("not(p)", Not(P)),
    ("nothing", Atom("nothing")),
    ("Big", Atom("Big")),
    ("not_p", Atom("not_p")),
    ("p and q & r", And((P, Q, R))),
    ("p & (q & r)", And((P, And((Q, R))))),
    ("p | q & r or p", Or((P, And((Q, R)), P))),
    ("p -> q -> r", Implies(P, Implies(Q, R))),
    ("(p implies q) -> r", Implies(Implies(P, Q), R)),
    ("p <-> q iff r", Iff(P, Iff(Q, R))),
    ("p -> q <-> q | r", Iff(Implies(P, Q), Or((Q, R)))),
    ("~p & q -> r", Implies(And((Not(P), Q)), R)),
    ("B_1 p & q", And((Box("B", (1,), P), Q))),
    ("B_1 (p & q)", Box("B", (1,), And((P, Q)))),
    ("K_12(p)", Box("K", (12,), P)),
    ("B_{3} p", Box("B", (3,), P)),
    ("M_1 p", Diamond("B", (1,), P)),
    ("<B_1> p", Diamond("B", (1,), P)),
    ("< K_2 > p", Diamond("K", (2,), P)),
    ("<M_1> p", Box("B", (1,), P)),
    ("E p", Box("E", None, P)),
    ("E_{2, 1,2} p", Box("E", (1, 2), P)),
    ("E_4 p", Box("E", (4,), P)),
    ("C_{0,1} ~C p", Box("C", (0, 1), Not(Box("C", None, P)))),
    ("EK p | CK_{1} q", Or((Box("EK", None, P), Box("CK", (1,), Q)))),
    ("<EK_{1,2}> <C> p", Diamond("EK", (1, 2), Diamond("C", None, P))),
    ("\n B_1\tB_2\n p", Box("B", (1,), Box("B", (2,), P))),
]


@pytest.mark.parametrize(("text", "tree"), READINGS)
def test_a_text_is_read_as_the_notation_says(text: str, tree: Formula) -> None:
    assert parse(text) == tree
    assert parse(str(tree)) == tree


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("not (not p) and (q)", "~~p & q"),
        ("(p -> (q -> r))", "p -> q -> r"),
        ("((p -> q) -> r)", "(p -> q) -> r"),
        ("(p & q) & r", "(p & q) & r"),
        ("(p | q) & r", "(p | q) & r"),
        ("(p & q) | r", "p & q | r"),
        ("B_1 (<B_2> (p | q))", "B_1 M_2 (p | q)"),
        ("E_{2,1} <K_1> <C_{3}> EK true", "E_{1,2} <K_1> <C_{3}> EK true"),
        ("(p <-> q) <-> r iff false", "(p <-> q) <-> r <-> false"),
    ],
)
def test_a_formula_is_printed_with_no_more_parentheses_than_it_needs(text: str, printed: str) -> None:
    assert str(parse(text)) == printed
    assert repr(parse(text)) == f"parse({printed!r})"


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_printed_reads_back(seed: int) -> None:
    formula = slow.random_formula(random.Random(seed), 5, "B K M <K> E C EK CK <E> <C> <EK> <CK>")
    tree = parse(slow.text(formula))
    again = parse(str(tree))
    assert again == tree
    assert hash(again) == hash(tree)
    assert str(again) == str(tree)


PIECES = [
    *"pqE(){},<>&|~!_-3 \n",
    "->",
    "<->",
    "B_1",
    "K_2 ",
    "M_",
    "C_{1,2}",
    "EK",
    "<CK>",
    "sab(3)",
    "not ",
    "true",
    " iff ",
]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_text_is_a_formula_or_a_fault_within_it(text: str) -> None:
    found: Formula | BadFormula
    try:
        found = parse(text)
    except BadFormula as error:
        found = error
    if isinstance(found, Formula):
        assert parse(str(found)) == found
    else:
        assert 0 <= found.position <= len(text)
        assert str(found).endswith("^")


FAULTS = [
    ("", 0, "there is nothing", "a formula"),
    ("   ", 3, "there is nothing", "a formula"),
    ("p &", 3, "ends too early", "a fact such as"),
    ("p q", 2, "'q' has no place", "&, |, ->, <-> or the end"),
    ("p & & q", 4, "'&' has no place", "a formula"),
    ("(p | q", 6, "the end where the '(' at position 0 is still open", "')'"),
    ("(p q)", 3, "'q' where the '(' at position 0", "')'"),
    ("p)", 1, "')' has no place", "or the end"),
    ("sab()", 3, "'(' has no place", "arguments of a fact are names or numbers"),
    ("p => q", 2, "'=' is no part of a formula", "->"),
    ("p ∧ q", 2, "'∧' is no part", "&"),
    ("B p", 0, "B does not say whose", "as in B_1; for everybody there is E"),
    ("q & K p", 4, "K does not say whose", "as in K_1; for everybody there is EK"),
    ("M p", 0, "M does not say whose", "as in M_1"),
    ("B_x p", 2, "x after B_ is no agent", "as in B_1"),
    ("B_1p", 2, "1p after B_ is no agent", "as in B_1"),
    ("B_ p", 2, "nothing after B_ is no agent", "as in B_1"),
    ("B_{1,2} p", 2, "B takes one agent", "for a group there are E and C"),
    ("K_{1,2} p", 2, "K takes one agent", "for a group there are EK and CK"),
    ("E_{} p", 2, "{} after E_ is no agent", "or E alone"),
    ("CK_{1,,2} p", 3, "{1,,2} after CK_ is no agent", "CK_{1,2}"),
    ("C_{1,2 p", 7, "the group is not closed", "'}'"),
    ("<p> q", 1, "'<' opens a dual operator", "<K_1>"),
    ("<K_1 p", 5, "'<' is not closed", "'>'"),
    ("true false", 5, "'false' has no place", "or the end"),
    ("p or", 4, "ends too early", "a formula"),
    ("B_99999999999 p", 2, "is no agent", "as in B_1"),
]


@pytest.mark.parametrize(("text", "position", "problem", "wanted"), FAULTS)
def test_a_fault_is_pointed_at(text: str, position: int, problem: str, wanted: str) -> None:
    with pytest.raises(BadFormula) as caught:
        parse(text)
    error = caught.value
    assert issubclass(BadFormula, BadNotation)
    assert (error.text, error.position) == (text, position)
    assert wanted in error.wanted
    first, shown, caret = str(error).split("\n")
    assert problem in first and f"at position {position}" in first and wanted in first
    assert shown == f"  {text}"
    assert caret == " " * (2 + position) + "^"


@pytest.mark.parametrize("break_", ["\n", "\t", "\r\n", "\x85"])
def test_the_caret_stands_under_the_fault_in_a_text_of_several_lines(break_: str) -> None:
    text = f"p &{break_}q r"
    with pytest.raises(BadFormula) as caught:
        parse(text)
    _, shown, caret = str(caught.value).split("\n")
    assert shown[caret.index("^")] == "r"


def test_a_long_text_is_shown_around_its_fault() -> None:
    with pytest.raises(BadFormula) as caught:
        parse(" & ".join(["p"] * 500) + " ? " + "& p" * 500)
    _, shown, caret = str(caught.value).split("\n")
    assert len(shown) < 100 and shown.startswith("  ...") and shown.endswith("...")
    assert shown[caret.index("^")] == "?"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + "p" + ")" * 10_000,
        "(" * 10_000,
        "~" * 10_000 + "p",
        "B_1 " * 10_000 + "p",
        "p -> " * 10_000 + "p",
        "p & (" * 10_000,
        "<K_1> (q <-> " * 10_000,
    ],
)
def test_a_text_nested_too_deeply_is_a_fault_like_any_other(text: str) -> None:
    with pytest.raises(BadFormula, match=f"nested too deeply at position .* at most {MOST_DEPTH} operators"):
        parse(text)


def test_the_deepest_formula_prints_and_reads_back() -> None:
    draw = random.Random(2)
    formula: Formula = P
    for _ in range(MOST_DEPTH):
        formula = draw.choice([lambda f: P & f, lambda f: f | Q, lambda f: f >> P, lambda f: Box("B", (1,), f), Not])(
            formula
        )
    assert formula.depth == MOST_DEPTH
    assert parse(str(formula)) == formula
    with pytest.raises(BadNotation, match="at most 100 operators"):
        Not(formula)


def test_every_way_of_nesting_is_read_to_the_full_depth() -> None:
    for nest in (lambda f: P & f, lambda f: f & P, lambda f: P >> f, lambda f: f >> P, lambda f: Box("E", (1, 2), f)):
        formula: Formula = P
        for _ in range(MOST_DEPTH):
            formula = nest(formula)
        assert parse(str(formula)) == formula
        assert parse(f"({formula})") == formula


def test_long_rows_of_and_and_or_are_not_deep() -> None:
    formula = parse(" | ".join(f"sab({number})" for number in range(3000)))
    assert isinstance(formula, Or) and len(formula.parts) == 3000 and formula.depth == 1
    assert parse(str(formula)) == formula


def test_formulas_are_made_with_the_operators_of_python() -> None:
    assert str((P & Q | ~R) >> P) == "p & q | ~r -> p"


def test_equal_formulas_are_the_same_key_and_different_ones_are_not() -> None:
    trees = [tree for _, tree in READINGS] + [Or((P, Q)), And((P, Q)), Implies(P, Q), Iff(P, Q), Box("K", (1,), P)]
    different = set(trees)
    assert len(different) == len({str(tree) for tree in trees})
    for tree in different:
        assert sum(tree == other for other in different) == 1
    assert P != "p"


def test_a_formula_survives_pickling_and_does_not_change() -> None:
    formula = parse("C_{1,2} (sab(3) & ~M_1 true)")
    assert pickle.loads(pickle.dumps(formula)) == formula  # noqa: S301 - our own bytes
    with pytest.raises(AttributeError):
        formula.part = P  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name", ["", "3", "B", "B_1", "E_x", "true", "not", "p q", "sab( 3)", "sab()", "sab(3", "p)", "é"]
)
def test_what_is_no_name_of_a_fact(name: str) -> None:
    assert not is_atom(name)
    with pytest.raises(BadNotation, match=re.escape(f"{name!r} is no name of a fact")):
        Atom(name)


@pytest.mark.parametrize("name", ["p", "sab(3)", "gold(top)", "above(1,-2)", "Eve", "B2", "and_so_on", "x_1"])
def test_every_name_of_a_fact_reads_back(name: str) -> None:
    assert is_atom(name)
    assert parse(name) == Atom(name)


def test_trees_that_no_text_stands_for_cannot_be_made() -> None:
    for make, says in (
        (lambda: And((P,)), "And takes two parts or more, not 1"),
        (lambda: Box("X", (1,), P), "no operator 'X'"),
        (lambda: Box("B", None, P), "B takes one agent"),
        (lambda: Diamond("K", (1, 2), P), "K takes one agent"),
        (lambda: Box("E", (), P), "at least one agent"),
        (lambda: Box("C", (-1, 2), P), "numbers from 0, not -1"),
    ):
        with pytest.raises(BadNotation, match=says):
            make()
