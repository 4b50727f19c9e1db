"""A function of compiled rules that leaves a field of the record that it fills as it was is named, with the field."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from molehunt.core.errors import KernelFailure
from molehunt.games import answers, registry
from molehunt.games.calls import GAME, Bound
from molehunt.games.compiled import CompiledGame
from molehunt.games.registry import make_game
from molehunt.games.written import check_written


def duel_with(monkeypatch: pytest.MonkeyPatch, **changed: Callable[..., Any]) -> CompiledGame:
    """The duel, with some functions of its rules changed."""
    game = make_game("duel", "mcgill", 2)
    assert isinstance(game, CompiledGame)
    module = ModuleType("woodpusher")
    vars(module).update(vars(game.kernels) | changed, __name__="woodpusher")
    bound = Bound(module, (game.state_dtype, game.view_dtype, game.event_dtype), GAME)
    monkeypatch.setattr(type(game), "kernels", module)
    monkeypatch.setitem(vars(game), "bound", bound)
    return game


def leaving(name: str, field: str, place: int) -> Callable[..., Any]:
    """A function of the duel that leaves a field of the record that it fills, its argument `place`, as it was."""
    game = make_game("duel", "mcgill", 2)
    assert isinstance(game, CompiledGame)
    whole = getattr(game.kernels, name)

    def four(a: Any, b: Any, c: Any, d: Any) -> None:
        record = (a, b, c, d)[place][0]
        before = getattr(record, field) + 0
        whole(a, b, c, d)
        setattr(record, field, before)

    def five(a: Any, b: Any, c: Any, d: Any, e: Any) -> None:
        before = getattr(e[0], field) + 0
        whole(a, b, c, d, e)
        setattr(e[0], field, before)

    return five if name == "resample" else four


LEFT = [
    ("deal", "state.to_move", 0),
    ("deal", "state.malus", 0),
    ("look", "view.to_move", 3),
    ("advance", "event.action", 3),
    ("resample", "state.to_move", 4),
]


@pytest.mark.parametrize(("name", "left", "place"), LEFT)
def test_a_field_that_a_function_leaves_as_it_was_is_named(
    name: str, left: str, place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = duel_with(monkeypatch, **{name: leaving(name, left.partition(".")[2], place)})
    with pytest.raises(KernelFailure, match=rf"^woodpusher\.{name} of duel/mcgill does not write all of {left}, or "):
        check_written(game, seed=1, moves=3, every=4)


def test_the_compiled_game_of_a_package_is_looked_at_as_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "_looked_at", set())
    monkeypatch.setattr(registry, "BUILT_IN", ())
    monkeypatch.setattr(registry, "guests", lambda: {"duel": registry._built_in("duel")})
    game = duel_with(monkeypatch, deal=leaving("deal", "to_move", 0))
    monkeypatch.setattr(Bound, "of", lambda *_: game.bound)
    monkeypatch.setattr(answers, "_looked_at", set())
    with pytest.raises(
        KernelFailure, match=r"^woodpusher\.deal of duel/mcgill does not write all of state\.to_move, or "
    ):
        make_game("duel", "mcgill", 2)


def test_rules_that_cannot_be_interpreted_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def deal(states: Any, seed: Any, roles: Any, params: Any) -> None:
        raise TypeError("made for machine code alone")

    game = duel_with(monkeypatch, deal=deal)
    monkeypatch.setattr(answers, "_looked_at", set())
    answers.look_at_answers(game)
    with pytest.raises(TypeError, match="made for machine code alone"):
        check_written(game, seed=1, moves=3, every=4)
