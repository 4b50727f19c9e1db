"""What a package's game in plain Python answers is looked at when it is made; what is wrong is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from molehunt.core.errors import BadNotation, GameFailure
from molehunt.core.game import Game, LegalActions
from molehunt.games import answers
from molehunt.games.registry import make_game
from web import cups


@pytest.fixture(autouse=True)
def a_guest(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(answers, "_looked_at", set())
    with cups.installed():
        yield


def made() -> Game:
    return make_game("cups", "six", 3)


def test_a_game_that_answers_as_it_should_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert made().label == "cups/six"
    monkeypatch.setattr(cups.Cups, "to_move", lambda *_: [0])
    assert made().label == "cups/six"


OWN = {
    name: getattr(cups.Cups, name) for name in ("new", "to_move", "views", "apply", "wins", "payoffs", "legal_actions")
}


def unread(_game: Game, _text: str) -> Any:
    raise BadNotation("what is this")


@pytest.mark.parametrize(
    ("method", "answer", "said"),
    [
        ("new", lambda game, seeds, roles=None: OWN["new"](game, seeds[:1]), r"shape \(1,\), not with .* shape \(2,\)"),
        ("new", lambda *_: None, r"None, not with an array of shape \(2,\) of "),
        ("views", lambda game, states, seats: np.zeros(len(seats)), r"float64 of shape \(2,\), not with an array"),
        ("to_move", lambda game, states: OWN["to_move"](game, states).tolist(), r"\[0, 0\], not with .* whole numbers"),
        ("to_move", lambda game, states: np.full(len(states), 3), r"3\), not with a seat from 0 to 2, or NOBODY"),
        ("legal_actions", lambda *_: [0, 1], r"\[0, 1\], not with LegalActions"),
        ("legal_actions", lambda game, view: LegalActions(game, np.zeros(0, np.int32)), "not with one action or more"),
        ("format_action", lambda *_: None, "None, not with a text"),
        ("parse_action", lambda *_: 77, "77, not with the action 0, whose notation is 'peek:0'"),
        ("parse_action", unread, r"BadNotation \(what is this\), not with the action 0, whose notation is 'peek:0'"),
        ("apply", lambda *given: OWN["apply"](*given)[:, 0], r"shape \(1,\), not with an array of shape \(1, 3\)"),
        ("resample", lambda *_: None, "None, not with an array of shape"),
        ("wins", lambda *given: OWN["wins"](*given) * 3, r"int64 of shape \(1, 3\), not with .* of truth values"),
        ("payoffs", lambda *given: OWN["payoffs"](*given) * np.nan, "nan.*, not with finite numbers"),
        ("roles_of", lambda *_: None, r"None, not with an array of shape \(1, 3\) of whole numbers"),
        ("outcome", lambda *_: "over", "'over', not with an Outcome, or None while the game goes on"),
        ("outcome_names", lambda *_: "over", "'over', not with a tuple of texts"),
    ],
)
def test_a_method_that_answers_with_something_else_is_named(
    method: str, answer: Callable[..., Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cups.Cups, method, answer)
    with pytest.raises(
        GameFailure, match=rf"^web\.cups:Cups: {method} of cups/six answers with .*{said}.*: see molehunt.Game$"
    ):
        made()


def test_what_a_match_can_do_without_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_yet(*_: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(cups.Cups, "resample", not_yet)
    assert made().seats == 3


@pytest.mark.parametrize("seats", [4, "3"])
def test_a_game_that_has_other_seats_than_it_is_made_for_is_refused(
    seats: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check of a game passed where it said one seat more, and was of another number than was typed."""
    monkeypatch.setattr(cups.Cups, "__init__", lambda game, *_: setattr(game, "seats", seats))
    with pytest.raises(
        GameFailure, match=f"^web\\.cups:Cups: seats of cups/six is {seats!r}, and the game was made for 3: see"
    ):
        made()


@pytest.mark.parametrize("kind", ["state_dtype", "view_dtype", "event_dtype"])
def test_records_that_hold_objects_are_refused(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies of a play shared what was in them, and the check of a game passed."""
    monkeypatch.setattr(cups.Cups, kind, np.dtype([("made", np.int8), ("notes", object)]))
    with pytest.raises(
        GameFailure,
        match=rf"^web\.cups:Cups: {kind} holds Python objects \(notes\), of which a copy of the bytes is none",
    ):
        made()
