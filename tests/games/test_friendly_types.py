"""What the authors of players are given is typed: an editor completes `view.`, and the type checker sees a wrong name.

The functions below are never called: the type checker reads them, as it reads a player's file.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections import Counter
from itertools import pairwise
from typing import Any, assert_type, get_type_hints

import numpy as np
import pytest

import molehunt
from molehunt import duel, saboteur, speed_clue
from molehunt.core.game import Game, LegalActions
from molehunt.games.registry import deal

CLASSES = [
    saboteur.View,
    saboteur.Event,
    duel.View,
    duel.Event,
    speed_clue.View,
    speed_clue.Event,
    speed_clue.Suggestion,
]


class Miner(molehunt.Player):
    def choose(self, view: saboteur.View) -> str:
        assert_type(view.role, str)
        assert_type(view.hand, tuple[str, ...])
        assert_type(view.goals, dict[str, str | None])
        assert_type(view.board, dict[tuple[int, int], tuple[str, bool]])
        assert_type(view.unseen, Counter[str])
        assert_type(view.legal_actions, LegalActions)
        return str(next(iter(view.legal_actions)))

    def notice(self, event: saboteur.Event) -> None:
        assert_type(event.seen, str | None)
        assert_type(event.revealed, dict[str, str])


class Racer(molehunt.Player):
    def choose(self, view: duel.View) -> int:
        assert_type(view.malus, tuple[int, int])
        assert_type(view.board, dict[tuple[int, int], str])
        return view.nothing_of_the_kind  # type: ignore[attr-defined, no-any-return]

    def notice(self, event: duel.Event) -> None:
        assert_type(event.revealed, dict[str, str])


class Sleuth(molehunt.Player):
    def choose(self, view: speed_clue.View) -> str:
        assert_type(view.suggestions, tuple[speed_clue.Suggestion, ...])
        assert_type(view.suggestions[0].shown, str | None)
        return "end"

    def notice(self, event: speed_clue.Event) -> None:
        assert_type(event.suggestion, speed_clue.Suggestion | None)


class Seen(molehunt.FriendlyView):
    """A view of a package's game, which adds nothing."""


class Told(molehunt.FriendlyEvent):
    """An event of a package's game."""

    def __init__(self, record: Any) -> None:
        self.record, self.seat, self.move = record, int(record["seat"]), "bet"


def test_a_view_and_an_event_of_a_package_need_no_more_than_their_record() -> None:
    position = deal("duel", seed=3)
    game, seat = position.game, position.to_move
    mine, other = (Seen(game, position.view(whose).record) for whose in (seat, 1 - seat))
    assert (mine.seat, other.seat) == (seat, 1 - seat)
    assert_type(mine.legal_actions, LegalActions)
    assert mine.legal_actions.codes == position.legal_actions.codes and not other.legal_actions
    assert str(mine) == str(position.view(seat)) and mine == Seen(game, mine.record) and mine != other
    event = Told(game.apply(position.states, np.array([mine.legal_actions.codes[0]], np.int32))[0, 0])
    assert (str(event), repr(event)) == (f"seat {seat}: bet", f"<seat {seat}: bet>")


class Heard(molehunt.FriendlyEvent):
    """An event that is made as a view is: of the game and its record."""

    def __init__(self, game: Game, record: Any) -> None:
        super().__init__(game, record)
        self.seat, self.move = int(record["seat"]), "bet"


def test_an_event_of_a_package_is_made_as_its_views_are() -> None:
    game = deal("duel", seed=3).game
    records = np.zeros(2, game.event_dtype)
    records["seat"] = 0, 1
    one, other = (Heard(game, record) for record in records)
    assert one.game is game and one == Heard(game, records[0]) and one != other


def types_of(class_: type) -> dict[str, Any]:
    """The public attributes of a class with their types: those it declares, and its properties."""
    module = importlib.import_module(class_.__module__)
    game = importlib.import_module(class_.__module__.replace("friendly", "game"))
    known = {**vars(game), **vars(module)}
    found = get_type_hints(class_, known)
    for name in dir(class_):
        member = inspect.getattr_static(class_, name)
        function = getattr(member, "fget", None) or getattr(member, "func", None)
        if function is not None:
            found[name] = get_type_hints(function, known)["return"]
    return {name: type_ for name, type_ in found.items() if not name.startswith("_")}


def told(class_: type, name: str) -> bool:
    """Whether it is said what an attribute is: by a docstring of its own, or in that of its class."""
    if f"`{name}`" in (class_.__doc__ or "") or getattr(inspect.getattr_static(class_, name, None), "__doc__", None):
        return True
    body = ast.parse(inspect.getsource(class_)).body[0]
    assert isinstance(body, ast.ClassDef)
    return any(
        isinstance(line, ast.AnnAssign)
        and isinstance(line.target, ast.Name)
        and line.target.id == name
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        for line, below in pairwise(body.body)
    )


@pytest.mark.parametrize("class_", CLASSES, ids=lambda class_: f"{class_.__module__.split('.')[2]}.{class_.__name__}")
def test_every_public_attribute_is_declared_with_its_type_and_what_it_is(class_: type) -> None:
    types = types_of(class_)
    assert len(types) > 4
    assert [name for name, type_ in types.items() if type_ is Any] == []
    assert [name for name in types if not told(class_, name)] == []


def test_a_view_of_speed_clue_names_all_cards_by_kind() -> None:
    view = deal("speed_clue/mitchell:cards=contest", seats=3, seed=3).view(0)
    assert [len(kind) for kind in view.kinds] == [6, 6, 9]
    suggestion = f"suggest {', '.join(kind[-1] for kind in view.kinds)}"
    assert suggestion in view.legal_actions
    assert suggestion.upper() not in view.legal_actions
    assert "end" not in view.legal_actions


@pytest.mark.parametrize("label", ["saboteur/krisnadi", "duel", "speed_clue"])
def test_what_a_view_and_an_event_have_is_what_they_declare(label: str) -> None:
    position = deal(label, seed=3)
    view = position.view(position.to_move)
    declared = {name: type_ for name, type_ in types_of(type(view)).items() if type_ in (int, str, bool)}
    assert declared
    for name, type_ in declared.items():
        assert type(getattr(view, name)) is type_, name
    events = position.game.apply(position.states, np.array([view.legal_actions.codes[0]], np.int32))
    event = position.game.friendly_event(events[0, 0])
    declared = types_of(type(event))
    assert set(vars(event)) == set(declared)


@pytest.mark.parametrize("label", ["saboteur/krisnadi", "duel", "speed-clue"])
def test_views_and_events_are_equal_where_all_that_is_seen_is(label: str) -> None:
    position = deal(label, seed=3)
    game, seat = position.game, position.to_move
    view = position.view(seat)
    assert view == position.copy().view(seat) == position.resample(seat, seed=1).view(seat)
    assert len({view, position.view(seat), position.view((seat + 1) % game.seats)}) == 2
    other = deal("duel" if game.name != "duel" else "speed-clue", seed=3)
    assert view not in {other.view(), str(view), None}
    twin, first = position.copy(), position.legal_actions[0]
    told, again = position.play(first), twin.play(first)
    assert position.view(seat) != view and position.view(seat) == twin.view(seat)
    assert game.friendly_event(told[seat]) == game.friendly_event(again[seat])
    later = game.friendly_event(position.play(position.legal_actions[0])[seat])
    assert len({game.friendly_event(told[seat]), game.friendly_event(again[seat]), later}) == 2
