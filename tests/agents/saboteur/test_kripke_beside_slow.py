"""The players of 2012 beside the slow version of them: equal beliefs and choices, move by move."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from typing import Any

import pytest

from agents.saboteur.kripke_beside import Beside
from agents.saboteur.kripke_chair import VELDHUIS
from molehunt.agents.saboteur.kripke_parameters import NORMAL, Kripke2012
from molehunt.core.specs import show_value

SETUPS = [
    f"kripke-2012:strategy={strategy},depth={depth},disbelief={factor}"
    for strategy in ("explicit", "adaptive", "undercover")
    for depth in (1, 2)
    for factor in (1.5, 5.0)
]
DEEPER = [
    "kripke-2012:depth=3",
    "kripke-2012:depth=3,disbelief=5",
    "kripke-2012:strategy=undercover,depth=3,disbelief=5",
]


@pytest.mark.parametrize("spec", SETUPS)
def test_beliefs_and_choices_of_the_twelve_setups_equal_the_slow_ones(spec: str) -> None:
    checked: Counter[str] = Counter()
    number = 100 * SETUPS.index(spec)
    checked += Beside(VELDHUIS, [spec] * 5, number, spec, range(5), every=6).run()
    # Beside a digger and players at random all kinds of moves come about, lies and rockfalls too.
    players = [spec, "random", "decision-2019", spec, "random"]
    checked += Beside(VELDHUIS, players, number + 1, spec, (0, 1, 3), every=6).run()
    assert checked["compared"] > 200 and checked["choices"] > 5
    assert min(checked["not all believed"], checked["cl"], checked["di"], checked["bl"]) > 0
    assert (checked["trusted"] > 0) == (",depth=2" in spec)
    assert (checked["explicit"] > 0) == ("undercover" not in spec)


@pytest.mark.parametrize(
    ("label", "seats", "watched", "spec"),
    [
        ("official+talk:rounds=1", 3, (0, 1, 2), "kripke-2012"),
        ("official+talk:rounds=1", 7, (0, 3, 6), "kripke-2012:disbelief=5"),
        ("official+talk:rounds=1", 10, (2, 9), "kripke-2012"),
        ("official:rounds=1", 5, (0, 1, 2), "kripke-2012:depth=1"),
        ("krisnadi", 4, (0, 1, 2, 3), "kripke-2012"),
        ("krisnadi:talk=yes,double_mends_both=no", 6, (0, 1, 5), "kripke-2012:strategy=explicit"),
    ],
)
def test_beliefs_and_choices_equal_the_slow_ones_at_other_tables(
    label: str, seats: int, watched: tuple[int, ...], spec: str
) -> None:
    kinds = [spec, "random", "decision-2019", spec]
    players = [kinds[seat % 4] if seat not in watched[:1] else spec for seat in range(seats)]
    checked = Beside(label, players, seats, spec, watched, every=2).run()
    assert checked["compared"] > 60 and checked["choices"] > 0
    assert checked["not all believed"] > 0 or seats == 4


def other(field: dataclasses.Field[Any], luck: random.Random) -> Any:
    """Another value of a parameter, by chance."""
    value = getattr(NORMAL, field.name)
    if field.name == "strategy":
        return luck.choice(("explicit", "adaptive", "undercover"))
    if field.name in ("depth", "suspecting"):
        return luck.choice((1, 2, 3) if field.name == "depth" else (1, 2))
    if field.name == "threshold":
        return luck.choice((-5.0, -1.5, 1.0))
    if field.name in ("borrow", "doubt", "suspicious"):
        return luck.choice((0.0, 0.25, 0.5))
    return luck.choice((value / 2, 1.5 * value + 0.25))


@pytest.mark.parametrize("number", range(10))
def test_every_parameter_means_what_it_means_in_the_slow_player(number: int) -> None:
    """Half of the parameters changed at once, other ones in every round."""
    luck = random.Random(number)
    fields = luck.sample(dataclasses.fields(Kripke2012), 20)
    spec = "kripke-2012:" + ",".join(f"{field.name}={show_value(other(field, luck))}" for field in fields)
    players = [spec if seat % 5 in (0, 1, 3) else "random" for seat in range(5)]
    assert Beside(VELDHUIS, players, 900 + number, spec, (0, 1, 3), every=5).run()["choices"] > 0


@pytest.mark.parametrize("spec", DEEPER)
def test_pictures_of_others_borrow_as_their_owners_do_in_the_slow_players_too(spec: str) -> None:
    number = 300 + DEEPER.index(spec)
    checked = Beside(VELDHUIS, [spec, "random", "decision-2019", spec, spec], number, spec, (0, 1, 3), every=6).run()
    assert checked["compared"] > 60 and checked["not all believed"] > 0
    assert checked["trusted"] > 0 or "disbelief=5" not in spec


def test_a_picture_borrows_what_its_owner_is_thought_to_take_for_anothers_beliefs() -> None:
    """At depth three pictures have moved elsewhere than at depth two; they hold more."""
    found = {}
    for depth in (2, 3):
        spec = f"kripke-2012:depth={depth},disbelief=5,borrow=0.5"
        beside = Beside(VELDHUIS, ["decision-2019", "random", "random", spec, "random"], 7, spec, (3,))
        beside.run()
        found[depth] = beside.watchers[3][1].strengths[0]
    assert found[3].shape == (31, 10)
    assert (found[2][1:6] != found[3][1:6]).any()
    assert (found[2][4] == found[3][4]).all(), "the picture of oneself, which nobody uses"


@pytest.mark.long
@pytest.mark.parametrize("spec", SETUPS)
def test_beliefs_and_choices_equal_the_slow_ones_in_many_rounds(spec: str) -> None:
    checked: Counter[str] = Counter()
    for number in range(12):
        players = [spec if seat <= number % 6 else ("random", "decision-2019")[seat % 2] for seat in range(5)]
        checked += Beside(VELDHUIS, players, 5000 + number, spec, range(5), every=1).run()
    for kind in ("P", "block", "deblock", "map", "claim", "discard", "rockfall"):
        assert checked[f"miner {kind}"] > 0
