"""Kripke models: against brute force, against the axioms of the textbooks, and the puzzles that everybody knows."""

from __future__ import annotations

import doctest
import itertools
import math
import random
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from molehunt.beliefs import kripke
from molehunt.beliefs.frames import BeliefsOnly
from molehunt.beliefs.kripke import KripkeModel, choose_worlds
from molehunt.core.errors import BadInput, UnknownName
from reference import kripke as slow

SEEDS = st.integers(0, 2**32)
SIZES = st.sampled_from((1, 2, 3, 5, 8))
ACROSS_WORDS = (63, 64, 65, 130)
"""Numbers of worlds around the ends of words."""


def matrix(worlds: list[Any], links: dict[int, Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return np.array([[[(here, there) in pairs for there in worlds] for here in worlds] for pairs in links.values()])


def built(model: slow.Model) -> KripkeModel:
    names = [world if isinstance(world, str) else "-".join(world) for world in model.worlds]
    facts = {name: [world in truth for world in model.worlds] for name, truth in model.facts.items()}
    knowledge = None if model.knowledge is None else matrix(model.worlds, model.knowledge)
    return KripkeModel(names, model.agents, facts, matrix(model.worlds, model.belief), knowledge)


def sets(digits: str) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """One believed set for each agent, as "010 011"."""
    return np.array([[digit == "1" for digit in row] for row in digits.split()])


def assert_same(model: KripkeModel, expected: slow.Model) -> None:
    """The same relations and facts, worlds in the same order whatever their names."""
    assert len(model.worlds) == len(expected.worlds)
    for agent in model.agents:
        here = [expected.belief[agent]] + ([expected.knowledge[agent]] if expected.knowledge else [])
        for relation, links in zip(("belief", "knowledge"), here, strict=False):
            assert (model.links(agent, relation) == matrix(expected.worlds, {agent: links})[0]).all(), relation
    for name, truth in expected.facts.items():
        assert model.mask(name).tolist() == [world in truth for world in expected.worlds]


def test_the_example_of_the_module_is_true() -> None:
    result = doctest.testmod(kripke)
    assert (result.failed, result.attempted) == (0, 4)


# ---- Truth, against brute force


@settings(max_examples=150, deadline=None)
@given(SEEDS, SIZES, st.sampled_from(("K", "KD45", "K45", "S5")))
def test_formulas_are_true_where_brute_force_says(seed: int, size: int, frame: str) -> None:
    draw = random.Random(seed)
    expected = slow.random_model(draw, size, frame)
    model = built(expected)
    for _ in range(4):
        formula = slow.random_formula(draw, 4)
        assert set(model.where(slow.text(formula))) == slow.where(formula, expected), slow.text(formula)


@settings(max_examples=60, deadline=None)
@given(SEEDS, SIZES)
def test_knowledge_and_belief_are_read_from_their_own_relations(seed: int, size: int) -> None:
    draw = random.Random(seed)
    expected = slow.random_model(draw, size, "K", knowledge=True)
    model = built(expected)
    for _ in range(4):
        formula = slow.random_formula(draw, 4, "B K <K> EK CK <EK> <CK> C")
        assert set(model.where(slow.text(formula))) == slow.where(formula, expected), slow.text(formula)


@pytest.mark.parametrize("size", ACROSS_WORDS)
def test_sets_of_worlds_that_take_several_words(size: int) -> None:
    draw = random.Random(size)
    expected = slow.random_model(draw, size, "KD45", agents=2)
    model = built(expected)
    for _ in range(12):
        formula = slow.random_formula(draw, 2, agents=2)
        assert set(model.where(slow.text(formula))) == slow.where(formula, expected), slow.text(formula)


def test_common_belief_goes_to_the_end_of_a_long_chain() -> None:
    size = 200
    chain = np.eye(size, k=1, dtype=np.bool_)[None]
    model = KripkeModel([str(world) for world in range(size)], [0], {"p": range(size - 1)}, chain)
    assert model.where("<C> ~p") == model.worlds[:-1]
    assert model.where("C p") == ("199",)  # where nothing at all is held possible
    assert model.where("B_0 p") == (*model.worlds[:-2], "199")
    gaps = KripkeModel(model.worlds, [0], {"p": [w for w in range(size) if w not in (5, size - 1)]}, chain)
    assert gaps.where("<C> ~p") == model.worlds[:-1]


def test_what_everybody_knows_need_not_be_common_knowledge() -> None:
    model = KripkeModel.from_partitions("abcd", range(2), {"p": "abc"}, [["ab", "cd"], ["a", "bc", "d"]])
    assert model.where("EK p") == ("a", "b")
    assert model.where("EK EK p") == ("a",)
    assert model.where("CK p") == model.where("C p") == ()
    assert model.where("CK_{1} p") == model.where("C_{1} p") == ("a", "b", "c")
    assert model.where("<CK> ~p") == tuple("abcd")


def test_common_belief_need_not_be_true() -> None:
    model = KripkeModel.from_beliefs(["p", "not p"], range(2), {"p": ["p"]}, [[True, False]] * 2)
    assert model.holds("C p & ~p", "not p")


def test_the_same_question_twice_has_the_same_answer_and_forgetting_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("molehunt.beliefs.kripke.MOST_REMEMBERED", 3)
    draw = random.Random(1)
    expected = slow.random_model(draw, 6, "KD45")
    model = built(expected)
    formulas = [slow.random_formula(draw, 3) for _ in range(20)]
    for formula in formulas + formulas:
        assert set(model.where(slow.text(formula))) == slow.where(formula, expected)
    assert len(model._memory) < 200


def test_a_model_without_agents_believes_everything_together() -> None:
    model = KripkeModel(["w"], [], {"p": []}, np.zeros((0, 1, 1), np.bool_))
    assert model.valid("E p & C p & ~p")


# ---- Frames and axioms


@settings(max_examples=100, deadline=None)
@given(SEEDS, SIZES, st.sampled_from(("K", "KD45", "K45", "S5")))
def test_properties_of_frames_are_those_of_their_definitions(seed: int, size: int, frame: str) -> None:
    expected = slow.random_model(random.Random(seed), size, frame)
    model = built(expected)
    for agent, links in expected.belief.items():
        for name in ("reflexive", "serial", "transitive", "euclidean", "symmetric"):
            assert getattr(model, f"is_{name}")(agent) == getattr(slow, f"is_{name}")(expected.worlds, links), name


@pytest.mark.parametrize("size", ACROSS_WORDS)
def test_properties_of_frames_of_several_words(size: int) -> None:
    worlds = list(range(size))
    cells = np.arange(size) % 3
    model = KripkeModel.from_partitions([str(w) for w in worlds], [0], {}, cells[None])
    assert model.logic(0) == "S5"
    for world in (0, size - 1):
        broken = np.array(model.links(0))
        broken[world, world] = False
        other = KripkeModel(model.worlds, [0], {}, broken[None])
        assert (other.is_reflexive(0), other.is_symmetric(0)) == (False, True)
        assert (other.is_transitive(0), other.is_euclidean(0)) == (False, False)


LOGICS = {
    "S5": [[1, 1, 0], [1, 1, 0], [0, 0, 1]],
    "S4": [[1, 1, 1], [0, 1, 1], [0, 0, 1]],
    "T": [[1, 1, 0], [0, 1, 1], [0, 0, 1]],
    "KTB": [[1, 1, 0], [1, 1, 1], [0, 1, 1]],
    "KD45": [[0, 1, 0], [0, 1, 0], [0, 0, 1]],
    "K45": [[0, 1, 0], [0, 1, 0], [0, 0, 0]],
    "KD4": [[0, 1, 1], [0, 1, 0], [0, 0, 1]],
    "KD5": [[0, 1, 0], [0, 1, 1], [0, 1, 1]],
    "KD": [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
    "KDB": [[0, 1, 0], [1, 0, 1], [0, 1, 0]],
    "KB45": [[1, 1, 0], [1, 1, 0], [0, 0, 0]],
    "KB": [[0, 1, 0], [1, 0, 0], [0, 0, 0]],
    "K4": [[0, 1, 1], [0, 0, 1], [0, 0, 0]],
    "K": [[0, 1, 0], [0, 0, 1], [0, 0, 0]],
}


@pytest.mark.parametrize("name", LOGICS)
def test_a_logic_is_named_after_its_axioms(name: str) -> None:
    model = KripkeModel("abc", [7], {}, np.array([LOGICS[name]], np.bool_))
    assert model.logic(7) == name


AXIOMS = {
    "K": "B_0 (p -> q) -> B_0 p -> B_0 q",
    "T": "B_0 p -> p",
    "D": "B_0 p -> M_0 p",
    "4": "B_0 p -> B_0 B_0 p",
    "5": "~B_0 p -> B_0 ~B_0 p",
    "B": "p -> B_0 M_0 p",
    "fixed point": "C p <-> E (p & C p)",
    "E": "E p <-> B_0 p & B_1 p & B_2 p",
    "C and E": "C p -> E p",
    "dual": "<C_{0,1}> p <-> ~C_{0,1} ~p",
}
IN_FRAME = {
    "K": ("K", "fixed point", "E", "C and E", "dual"),
    "K45": ("K", "4", "5", "fixed point"),
    "KD45": ("K", "D", "4", "5", "fixed point"),
    "S5": ("K", "T", "D", "4", "5", "B", "fixed point"),
}


def with_parts(axiom: str, draw: random.Random) -> str:
    """The axiom with random formulas in the place of p and q."""
    parts = {name: slow.text(slow.random_formula(draw, 2)) for name in "pq"}
    return "".join(f"({parts[letter]})" if letter in parts else letter for letter in axiom)


@pytest.mark.parametrize("frame", IN_FRAME)
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, size=SIZES)
def test_the_axioms_of_a_frame_are_valid_in_it(frame: str, seed: int, size: int) -> None:
    draw = random.Random(seed)
    model = built(slow.random_model(draw, size, frame))
    for name in IN_FRAME[frame]:
        assert model.valid(with_parts(AXIOMS[name], draw)), name


@pytest.mark.parametrize(
    ("frame", "axiom"),
    [("KD45", "T"), ("KD45", "B"), ("K45", "D"), ("K", "4"), ("K", "5"), ("K", "T"), ("K", "D")],
)
def test_an_axiom_that_a_frame_does_not_have_fails_somewhere(frame: str, axiom: str) -> None:
    draw = random.Random(3)
    models = [built(slow.random_model(draw, 5, frame)) for _ in range(60)]
    assert not all(model.valid(AXIOMS[axiom].replace("q", "q(1)")) for model in models)


@settings(max_examples=60, deadline=None)
@given(SEEDS, SIZES, st.sampled_from(("K", "KD45", "S5")))
def test_what_is_valid_is_believed_by_all(seed: int, size: int, frame: str) -> None:
    draw = random.Random(seed)
    model = built(slow.random_model(draw, size, frame))
    formula = slow.text(slow.random_formula(draw, 3))
    valid = f"({formula}) | ~({formula})" if not model.valid(formula) else formula
    assert all(model.valid(f"{operator} ({valid})") for operator in ("B_0", "B_1", "E", "C", "C_{0,2}"))


# ---- Ways to make a model


def test_a_total_model_is_ignorance() -> None:
    worlds, facts = choose_worlds(4, 2)
    model = KripkeModel.total(worlds, range(4), facts)
    assert {model.logic(agent) for agent in range(4)} == {"S5"}
    assert model.valid("CK (M_0 sab(1) & M_0 ~sab(1))")
    assert model.possible(2, "{0,1}") == worlds


def test_partitions_by_cells_and_by_what_is_seen_are_the_same() -> None:
    seen = np.array([[0, 0, 1, 2], [5, 6, 6, 5]])
    cells = [[["a", "b"], [2], ["d"]], [(0, 3), ("b", "c")]]
    by_cells = KripkeModel.from_partitions("abcd", [1, 4], {"p": {"a", "c"}}, cells)
    by_sight = KripkeModel.from_partitions("abcd", [1, 4], {"p": [True, False, True, False]}, seen)
    for agent, row in zip((1, 4), seen, strict=True):
        assert (by_cells.links(agent) == by_sight.links(agent)).all()
        assert (by_cells.links(agent) == (row[:, None] == row)).all()
    assert by_cells.where("p & K_4 p") == by_sight.where("p & K_4 p") == ()
    assert by_cells.where("K_1 p") == ("c",)


def test_believed_sets_are_believed_from_everywhere() -> None:
    worlds, facts = choose_worlds(3, 1)
    model = KripkeModel.from_beliefs(worlds, range(3), facts, sets("010 011 111"))
    assert [model.logic(agent) for agent in range(3)] == ["KD45", "KD45", "S5"]
    assert model.possible(1, "{0}") == ("{1}", "{2}")
    assert model.valid("B_0 sab(1) & ~B_1 sab(1) & B_1 ~sab(0) & B_2 B_0 sab(1)")
    assert model.valid("K_2 B_0 sab(1)")
    with pytest.raises(BeliefsOnly, match="beliefs only of agent 0: its belief relation is KD45") as caught:
        model.holds("K_0 sab(1)", 0)
    assert (caught.value.agent, caught.value.logic) == (0, "KD45")
    with pytest.raises(BeliefsOnly):
        model.valid("CK sab(1)")


def test_worlds_of_chosen_players() -> None:
    names, facts = choose_worlds(10, 4)
    assert len(names) == math.comb(10, 4) == 210
    assert names[0] == "{0,1,2,3}" and names[-1] == "{6,7,8,9}"
    assert facts["sab(3)"].sum() == math.comb(9, 3)
    names, facts = choose_worlds(3, (2, 0), "in")
    assert names == ("{}", "{0,1}", "{0,2}", "{1,2}")
    assert {name: mask.tolist() for name, mask in facts.items()} == {
        "in(0)": [False, True, True, False],
        "in(1)": [False, True, False, True],
        "in(2)": [False, False, True, True],
    }
    wrong: list[tuple[Any, ...]] = [
        (3, 4, "4 of 3"),
        (3, -1, "-1 of 3"),
        (3, (), "no number of players"),
        (3, "12", "'1' of 3"),
        (3, None, "None of 3"),
        ("3", 1, "a whole number from 1 on, not '3'"),
        (0, 0, "a whole number from 1 on, not 0"),
        (10**30, 1, "10,000 players at most, not 10{30}"),
        (300, 150, "more than 10,000,000 worlds"),
    ]
    for players, counts, says in wrong:
        with pytest.raises(BadInput, match=says):
            choose_worlds(players, counts)
    with pytest.raises(BadInput, match="the name of a fact without its player, as sab, not 2"):
        choose_worlds(3, 1, 2)  # type: ignore[arg-type]


def test_a_packed_relation_is_read_as_it_is() -> None:
    first = built(slow.random_model(random.Random(4), 70, "K"))
    rows = np.stack([first.rows(agent) for agent in first.agents])
    second = KripkeModel(first.worlds, first.agents, {}, rows)
    assert all((first.links(agent) == second.links(agent)).all() for agent in first.agents)
    with pytest.raises(ValueError, match="read-only"):
        second.rows(0)[0, 0] = 0


def test_a_model_does_not_change_with_what_it_was_made_from() -> None:
    links, truth = np.ones((1, 2, 2), np.bool_), np.array([True, False])
    model = KripkeModel("ab", [0], {"p": truth}, links)
    links[:], truth[:] = False, False
    assert model.is_reflexive(0) and model.where("p") == ("a",)
    packed = np.array([[[3], [3]]], np.uint64)
    model = KripkeModel("ab", [0], {}, packed)
    packed[:] = 0
    assert model.is_reflexive(0)


def test_what_a_model_tells_of_itself() -> None:
    model = KripkeModel("ab", [3], {"p": "a", "q": "ab"}, np.ones((1, 2, 2), np.bool_))
    assert (model.worlds, model.agents, model.facts) == (("a", "b"), (3,), ("p", "q"))
    assert (model.facts_in("a"), model.facts_in(1)) == (("p", "q"), ("q",))
    assert repr(model) == "<KripkeModel: 2 worlds, 1 agents, 2 facts>"
    assert not model.has_knowledge
    assert model.mask("p").tolist() == [True, False]


ONE = np.ones((1, 2, 2), np.bool_)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: KripkeModel([], [0], {}, np.ones((1, 0, 0), np.bool_)), "at least one world"),
        (lambda: KripkeModel(["a", "a"], [0], {}, ONE), "two worlds are called 'a'"),
        (lambda: KripkeModel("ab", [1, 1], {}, np.ones((2, 2, 2), np.bool_)), "two agents are called 1"),
        (lambda: KripkeModel("ab", [-1], {}, ONE), "numbers from 0, not -1"),
        (lambda: KripkeModel("ab", [0, 1], {}, ONE), r"shape \(1, 2, 2\), not \(2, 2, 2\)"),
        (lambda: KripkeModel("ab", [0], {}, ONE.astype(np.int64)), "type int64, not bool"),
        (lambda: KripkeModel("ab", [0], {}, np.full((1, 2, 1), 4, np.uint64)), "worlds that do not exist"),
        (lambda: KripkeModel("ab", [0], {"B_1": "a"}, ONE), "'B_1' is no name of a fact"),
        (lambda: KripkeModel("ab", [0], {"p": [True]}, ONE), "1 truth values for 2 worlds"),
        (lambda: KripkeModel("ab", [0], {"p": "c"}, ONE), "unknown world 'c'"),
        (lambda: KripkeModel("ab", [0], {"p": [2]}, ONE), "no world number 2"),
        (
            lambda: KripkeModel("ab", [5], {}, ONE, np.eye(2, dtype=np.bool_)[None]),
            "agent 5, in world 'a', believes 'b'",
        ),
        (lambda: KripkeModel.from_beliefs("ab", [0, 9], {}, sets("10 00")), "agent 9 believes in no world"),
        (lambda: KripkeModel.from_beliefs("ab", [0], {}, [[True]]), "believed sets have shape"),
        (lambda: KripkeModel.from_beliefs("ab", [0], {}, [[0, 1]]), "believed sets have type int64, not bool"),
        (
            lambda: KripkeModel.from_beliefs("ab", [0, 1], {}, [[True], [True, False]]),
            "array of believed sets is no array",
        ),
        (lambda: KripkeModel("ab", [0], {}, [[[True, False], [True]]]), "belief relation is no array"),
        (lambda: KripkeModel([1, 2], [0], {}, ONE), "names of worlds are texts"),  # type: ignore[list-item]
        (lambda: KripkeModel.total(2, [0], {}), "worlds are a list of names, .* not 2"),  # type: ignore[arg-type]
        (lambda: KripkeModel.total("ab", 2, {}), "agents are a list of numbers, .* not 2"),  # type: ignore[arg-type]
        (lambda: KripkeModel.total("ab", [0.5], {}), r"numbers from 0, not \(0.5,\)"),  # type: ignore[list-item]
        (lambda: KripkeModel.total("ab", [0], ["p"]), r"a dict from their names .* not \['p'\]"),  # type: ignore[arg-type]
        (lambda: KripkeModel("ab", [0], {"p": 1}, ONE), "'p' has a truth value for each .* not 1"),  # type: ignore[dict-item]
        (lambda: KripkeModel.from_partitions("ab", [0], {}, 5), "the cells of each agent, or an array, not 5"),  # type: ignore[arg-type]
        (lambda: KripkeModel.from_beliefs("ab", None, {}, [[True]]), "agents are .* not None"),  # type: ignore[arg-type]
        (lambda: KripkeModel("ab", [0], {"p": [0.5]}, ONE), "0.5 is no world"),
        (lambda: KripkeModel.from_partitions("ab", [0], {}, []), "0 partitions for 1 agents"),
        (lambda: KripkeModel.from_partitions("ab", [0], {}, np.zeros((1, 3))), "what agents see has shape"),
        (lambda: KripkeModel.from_partitions("ab", [0], {}, [["a"]]), "world 'b' is in no cell of agent 0"),
        (lambda: KripkeModel.from_partitions("ab", [0], {}, [["ab", "b"]]), "world 'b' is in two cells of agent 0"),
    ],
)
def test_a_model_that_cannot_be_is_refused(make: Any, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make()


@pytest.mark.parametrize("formula", [None, 1, 1.5, [], ("p",)])
def test_what_is_no_formula_is_refused_with_what_one_looks_like(formula: Any) -> None:
    model = KripkeModel.total("ab", [0], {"p": ["a"]})
    for ask in (model.where, model.mask, model.valid, model.announce, lambda given: model.holds(given, "a")):
        with pytest.raises(
            BadInput, match=re.escape(f"a text, as 'B_1 sab(2)', or what parse makes of one, not {formula!r}")
        ):
            ask(formula)


def test_names_that_a_model_does_not_have() -> None:
    model = KripkeModel("ab", [0, 2], {"sab(1)": "a"}, np.ones((2, 2, 2), np.bool_))
    for ask, kind, known in (
        (lambda: model.holds("sab(2) & true", 0), "fact", ("sab(1)",)),
        (lambda: model.holds("false & B_1 true", 0), "agent", ("0", "2")),
        (lambda: model.valid("C_{0,1} true"), "agent", ("0", "2")),
        (lambda: model.holds("true", "c"), "world", ("a", "b")),
        (lambda: model.possible(0, "a", "hope"), "relation", ("belief", "knowledge")),
        (lambda: model.announce_privately("sab(1)", [1]), "agent", ("0", "2")),
    ):
        with pytest.raises(UnknownName) as caught:
            ask()
        assert (caught.value.kind, caught.value.known) == (kind, known)


# ---- Announcements


@settings(max_examples=100, deadline=None)
@given(SEEDS, SIZES, st.sampled_from(("K", "KD45", "S5")), st.booleans())
def test_announcements_are_what_their_definitions_make(seed: int, size: int, frame: str, knowledge: bool) -> None:
    draw = random.Random(seed)
    expected = slow.random_model(draw, size, frame, knowledge=knowledge)
    model = built(expected)
    formula = slow.random_formula(draw, 2)
    group = draw.sample(range(3), draw.randint(1, 3))
    said = slow.text(formula)
    assert_same(model.announce_whether(said, group), slow.announce_whether(formula, group, expected))
    if slow.where(formula, expected):
        assert_same(model.announce(said), slow.announce(formula, expected))
        after, places = model.announce_privately(said, group)
        assert_same(after, slow.announce_privately(formula, group, expected))
        assert set(places) == slow.where(formula, expected)
        assert list(places.values()) == list(after.worlds[: len(places)])
    else:
        for announce in (model.announce, lambda text: model.announce_privately(text, group)):
            with pytest.raises(BadInput, match="is true in no world"):
                announce(said)


@pytest.mark.parametrize("children", [3, 4, 5])
def test_muddy_children(children: int) -> None:
    # Fagin et al., section 1.1: with k muddy children, those k answer yes when the father asks for the k-th time.
    worlds, facts = choose_worlds(children, range(children + 1), "muddy")
    seen = np.zeros((children, len(worlds)), np.int64)
    for child, other in itertools.permutations(range(children), 2):
        seen[child] += facts[f"muddy({other})"] * 2**other
    before = KripkeModel.from_partitions(worlds, range(children), facts, seen)
    knows = [f"(K_{child} muddy({child}) | K_{child} ~muddy({child}))" for child in range(children)]
    nobody = " & ".join(f"~{one}" for one in knows)
    assert before.valid(nobody)

    model = before.announce(" | ".join(facts))
    assert len(model.worlds) == 2**children - 1
    for muddy in range(1, children + 1):
        # All with fewer muddy children are gone, and those with exactly so many see it now.
        assert set(model.worlds) == {name for name in worlds if name.count(",") + 1 >= muddy and name != "{}"}
        for world in model.worlds:
            if world.count(",") + 1 == muddy:
                assert [model.holds(one, world) for one in knows] == [
                    model.holds(f"muddy({child})", world) for child in range(children)
                ]
            else:
                assert model.holds(nobody, world)
        if muddy < children:
            model = model.announce(nobody)
    assert model.worlds == ("{" + ",".join(map(str, range(children))) + "}",)
    with pytest.raises(BadInput, match="true in no world"):
        model.announce(nobody)


def test_an_announcement_may_become_false_by_being_made() -> None:
    # Moore's sentence: "it rains, and you do not know it".
    model = KripkeModel.total(["rain", "sun"], [0], {"rain": [0]})
    after = model.announce("rain & ~K_0 rain")
    assert after.worlds == ("rain",) and after.valid("~(rain & ~K_0 rain)")


def test_a_private_announcement_deceives_the_others() -> None:
    model = KripkeModel.total(["p", "not p"], range(3), {"p": ["p"]})
    after, places = model.announce_privately("p", [0])
    assert places == {"p": "p'"}
    assert after.worlds == ("p'", "p", "not p")
    now = places["p"]
    assert after.holds("B_0 p & K_0 p", now)
    assert after.holds("B_1 ~(B_0 p | B_0 ~p) & C_{1,2} ~B_0 p", now)  # the others believe nothing changed, together
    assert after.holds("B_0 C_{1,2} ~B_0 p", now)  # and the one who learned it knows that
    assert [after.logic(agent) for agent in range(3)] == ["S5", "KD45", "KD45"]
    # Nothing at all has happened in the old worlds.
    for formula in ("C ~(B_0 p | B_0 ~p)", "~B_1 p"):
        assert all(after.holds(formula, world) for world in model.worlds)
    with pytest.raises(BeliefsOnly):
        after.holds("K_1 p", now)


def test_a_private_announcement_to_two_is_common_belief_between_them() -> None:
    model = KripkeModel.total(["p", "not p"], range(3), {"p": ["p"]})
    after, places = model.announce_privately("p", [0, 2])
    assert after.holds("C_{0,2} p & ~B_1 p & ~C p & C_{0,2} B_1 ~B_0 p", places["p"])


def test_private_announcements_one_after_the_other_keep_names_apart() -> None:
    model = KripkeModel.total(["p", "not p"], range(2), {"p": ["p"]})
    one, places = model.announce_privately("p", [0])
    two, more = one.announce_privately("p", [1])
    assert len(set(two.worlds)) == len(two.worlds) == 5
    actual = more[places["p"]]
    assert two.holds("B_0 p & B_1 p & ~B_0 B_1 p & ~B_1 B_0 p", actual)


def test_knowledge_is_not_deceived_by_a_private_announcement() -> None:
    links = np.ones((2, 2, 2), np.bool_)
    model = KripkeModel(["p", "not p"], range(2), {"p": ["p"]}, links, links)
    after, places = model.announce_privately("p", [0])
    assert after.has_knowledge
    assert [after.logic(agent, "knowledge") for agent in range(2)] == ["S5", "S5"]
    assert [after.logic(agent) for agent in range(2)] == ["S5", "KD45"]
    assert after.logic(1, "knowledge") == "S5"
    assert after.holds("K_0 p & B_1 ~B_0 p & ~K_1 ~B_0 p", places["p"])


def test_everybody_sees_that_a_group_learns_whether() -> None:
    model = KripkeModel.total(["p", "not p"], range(2), {"p": ["p"]})
    after = model.announce_whether("p", [0])
    assert after.worlds == model.worlds
    assert after.valid("CK (K_0 p | K_0 ~p) & ~K_1 p & ~K_1 ~p")
    assert {after.logic(agent) for agent in range(2)} == {"S5"}


def test_a_belief_that_is_refuted_leaves_nothing_or_falls_back() -> None:
    names, facts = choose_worlds(4, 1)
    model = KripkeModel.from_beliefs(names, range(3), facts, sets("1000 1100 0001"))
    said = "~sab(0)"
    after = model.announce(said)
    assert [after.is_serial(agent) for agent in range(3)] == [False, True, True]
    assert after.valid("B_0 false & B_1 sab(1) & B_2 sab(3)")
    assert after.logic(0) == "KB45"  # of a relation without any link
    kept = model.announce(said, keep_serial=True)
    assert kept.possible(0, "{1}") == ("{1}", "{2}", "{3}")
    assert kept.valid("B_1 sab(1) & B_2 sab(3)") and kept.is_serial(0)


def test_who_gives_up_a_belief_falls_back_on_what_it_knows() -> None:
    belief = np.zeros((1, 4, 4), np.bool_)
    belief[0, :3, 0] = belief[0, 3, 3] = True
    knowledge = np.zeros((1, 4, 4), np.bool_)
    knowledge[0, :3, :3] = knowledge[0, 3, 3] = True
    model = KripkeModel("abcd", [0], {"p": "bcd", "q": "ab"}, belief, knowledge)
    after = model.announce("p", keep_serial=True)
    assert [after.possible(0, world) for world in "bcd"] == [("b", "c"), ("b", "c"), ("d",)]
    assert after.logic(0) == "S5"
    whether = model.announce_whether("q", [0], keep_serial=True)
    assert [whether.possible(0, world) for world in "abcd"] == [("a",), ("a",), ("c",), ("d",)]
    told, places = model.announce_privately("p", [0], keep_serial=True)
    assert told.possible(0, places["b"]) == (places["b"], places["c"])
    assert told.possible(0, "b") == ("a",)


def test_falling_back_without_knowledge_stays_on_the_side_that_was_learned() -> None:
    model = KripkeModel.from_beliefs("abcd", range(2), {"q": "ab"}, sets("1000 1000"))
    whether = model.announce_whether("q", [0], keep_serial=True)
    assert [whether.possible(0, world) for world in "abcd"] == [("a",), ("a",), ("c", "d"), ("c", "d")]
    assert [whether.possible(1, world) for world in "abcd"] == [("a",)] * 4
    told, places = model.announce_privately("~q", [0], keep_serial=True)
    assert told.possible(0, places["c"]) == (places["c"], places["d"])
    assert told.possible(1, places["c"]) == ("a",)


def test_a_row_that_was_empty_before_is_left_empty() -> None:
    model = KripkeModel("ab", [0], {"p": "ab"}, np.zeros((1, 2, 2), np.bool_))
    assert not model.announce("p", keep_serial=True).is_serial(0)


def test_a_group_has_somebody_in_it() -> None:
    model = KripkeModel.total("ab", [0], {"p": "a"})
    with pytest.raises(BadInput, match="at least one agent"):
        model.announce_whether("p", [])
