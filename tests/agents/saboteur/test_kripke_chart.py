"""The chart of 2012: how much a move speaks for a role, in the mine as it lies and to whom it is judged by."""

from __future__ import annotations

from itertools import product

from agents.saboteur.kripke_chair import Chair

ACTOR = 3


def test_a_path_card_is_judged_by_what_it_does_to_the_best_way() -> None:
    chair = Chair("kripke-2012:depth=1")
    chair.know(2, 1, 3)
    for card in ("P_EW@3,6", "P_NESW@4,6"):
        chair.happens(ACTOR, card)
        assert chair.moved(ACTOR) == (0.0, 1.0), "shorter by one"
        chair.forget()
    chair.happens(ACTOR, "rockfall@3,6")
    assert chair.moved(ACTOR) == (2.0, -3.0), "a rockfall on the best way"
    chair.forget()
    chair.happens(ACTOR, "P_EW@3,6")
    assert chair.moved(ACTOR) == (-1.5, 2.0), "shorter by two"
    chair.forget()
    chair.happens(ACTOR, "P_EW@1,6")
    assert chair.moved(ACTOR) == (0.0, 0.0), "elsewhere"
    chair.happens(ACTOR, "D_NESW@5,6")
    assert chair.moved(ACTOR) == (2.0, -3.0), "a dead-end on the best way"
    chair.forget()
    chair.happens(ACTOR, "rockfall@5,6")
    assert chair.moved(ACTOR) == (-1.5, 2.0), "the dead-end is gone"
    chair.forget()
    chair.happens(ACTOR, "rockfall@1,6")
    assert chair.moved(ACTOR) == (0.0, 0.0), "a card that changes nothing"


def test_a_dead_end_out_of_the_way_shows_nothing_but_its_removal_helps() -> None:
    chair = Chair("kripke-2012:depth=1")
    chair.know(2, 1, 3)
    chair.happens(ACTOR, "D_NESW@2,7")
    assert chair.moved(ACTOR) == (0.0, 0.0)
    chair.happens(ACTOR, "rockfall@2,7")
    assert chair.moved(ACTOR) == (-1.5, 2.0)


def test_who_knows_where_the_gold_is_judges_otherwise() -> None:
    """The best way to the middle goal is closed, that to the top goal is as long as before."""
    move, found = "P_NS@2,5", []
    for goals in ((1, 2, 3), (2, 1, 3), (0, 0, 0)):
        chair = Chair("kripke-2012:depth=1")
        chair.know(*goals)
        chair.happens(ACTOR, move)
        found.append(chair.moved(ACTOR))
    # Nearer to the top goal by one; of three equally likely goals, by a third of a card.
    assert found == [(0.0, 1.0), (0.0, 0.0), (0.0, 0.0)]


def test_lengths_are_compared_without_their_rounding() -> None:
    """Three ways that get shorter by two on average are shorter by two, though thirds of them may not add up to it."""

    def mean(lengths: tuple[float, ...]) -> float:
        return 1 / 3 * lengths[0] + 1 / 3 * lengths[1] + 1 / 3 * lengths[2]

    after, tried = (6.0, 4.0, 6.0), 0
    for more in product(range(-3, 10), repeat=3):
        before = tuple(a + b for a, b in zip(after, more, strict=True))
        if sum(more) == 6 and mean(before) - mean(after) < 2:
            chair = Chair("kripke-2012:depth=1")
            chair.happens(1, "P_EW@3,6")
            chair.happens(1, "P_EW@4,6")
            chair.forget()
            chair.mind["lengths"] = before
            chair.happens(ACTOR, "P_EW@5,6")
            assert chair.mind["lengths"].tolist() == list(after)
            assert chair.moved(ACTOR) == (-1.5, 2.0), before
            tried += 1
    assert tried > 0


def test_blocks_and_deblocks_are_about_two() -> None:
    for move, same, different in (("block>1", -1.5, 1.0), ("deblock>1", 1.0, -1.5)):
        chair = Chair("kripke-2012:depth=1")
        chair.states["broken"][0, 1] = 8 * (move == "deblock>1")
        chair.happens(ACTOR, move)
        for team, strength in chair.strengths().items():
            assert strength == (same if (1 in team) == (ACTOR in team) else different)
        chair.forget()
    chair = Chair("kripke-2012:depth=1")
    chair.happens(ACTOR, f"block>{ACTOR}")
    chair.happens(ACTOR, f"deblock>{ACTOR}")
    assert set(chair.strengths().values()) == {0.0}, "what one does to oneself shows nothing"


def test_claims_about_a_goal_that_one_knows() -> None:
    for goals, claim, wanted in (
        ((1, 2, 3), "claim:top=gold", (0.0, 1.0)),
        ((1, 2, 3), "claim:top=stone", (2.0, -3.0)),
        ((2, 0, 0), "claim:top=stone", (0.0, 1.0)),
        ((2, 0, 0), "claim:top=gold", (2.0, -3.0)),
        ((2, 0, 0), "claim:middle=gold", (0.0, 0.0)),
    ):
        chair = Chair("kripke-2012:depth=1")
        chair.know(*goals)
        chair.happens(ACTOR, claim)
        assert chair.moved(ACTOR) == wanted, (goals, claim)


def test_claims_about_a_goal_that_one_does_not_know_are_held_against_earlier_ones() -> None:
    for first, second, alike in (
        ("top=gold", "top=gold", True),
        ("top=stone", "top=stone", True),
        ("top=gold", "top=stone", False),
        ("top=gold", "bottom=gold", False),  # there is one gold only
        ("top=stone", "bottom=gold", None),
        ("top=stone", "bottom=stone", None),
    ):
        chair = Chair("kripke-2012:depth=1")
        chair.happens(1, f"claim:{first}")
        assert set(chair.strengths().values()) == {0.0}
        chair.happens(ACTOR, f"claim:{second}")
        for team, strength in chair.strengths().items():
            strengthened = alike is not None and ((1 in team) == (ACTOR in team)) == alike
            assert strength == (1.0 if strengthened else 0.0), (first, second)


def test_throwing_a_card_away_is_suspicious_unless_one_is_blocked() -> None:
    chair = Chair("kripke-2012:depth=1")
    chair.happens(ACTOR, "discard:map")
    assert chair.moved(ACTOR) == (1.0, 0.0)
    chair.happens(1, f"block>{ACTOR}")
    chair.forget()
    chair.happens(ACTOR, "discard:map")
    chair.happens(ACTOR, "map:top")
    assert chair.moved(ACTOR) == (0.0, 0.0)
    chair.happens(1, f"deblock>{ACTOR}")
    chair.forget()
    chair.happens(ACTOR, "discard:map")
    assert chair.moved(ACTOR) == (1.0, 0.0)


def test_pictures_are_judged_by_what_the_other_can_know() -> None:
    chair = Chair("kripke-2012:strategy=undercover", role="saboteur")
    chair.know(2, 1, 3)
    chair.happens(1, "map:top", "map")
    chair.happens(1, "claim:top=stone")
    chair.forget()
    chair.happens(ACTOR, "claim:top=gold")
    # Seat 1 has looked there, as seat 0 knows: to it the claim is a lie. To seat 2 it contradicts seat 1.
    assert chair.moved(ACTOR) == (2.0, -3.0)
    assert chair.moved(ACTOR, row=2) == (2.0, -3.0)
    for team, strength in chair.strengths(row=3).items():
        assert strength == (1.0 if (1 in team) != (ACTOR in team) else 0.0)
    # Nobody's picture changes by what he does himself, and what one does oneself moves only pictures.
    assert set(chair.strengths(row=1 + ACTOR).values()) == {0.0}
    chair.forget()
    chair.happens(0, "discard:map")
    assert set(chair.strengths().values()) == {0.0}
    assert chair.moved(0, row=2) == (1.0, 0.0)
