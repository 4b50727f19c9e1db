"""Drawings stand alone and show every seat, elements offer the moves there are, and words fit what happened."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import numpy as np
import pytest

from molehunt.core.errors import BadNotation
from molehunt.core.seats import NOBODY
from resistance.words import WORDS
from resistance_games import SEATS, make, mission, play, positions, seated, view_of, vote


def parsed(svg: str) -> Element:
    return fromstring(svg)  # noqa: S314 - drawn here


NAMES = ("Ann", "Bob", "Cem", "Dee", "Eve")


@pytest.mark.parametrize("seats", SEATS)
def test_drawings_show_every_seat_and_stand_alone(seats: int) -> None:
    game = make(seats)
    for number, states in enumerate(positions(game, 2, seed=seats)):
        if number % 9:
            continue
        for seat in (NOBODY, int(game.to_move(states)[0]), seats - 1):
            view = game.public_view(states) if seat == NOBODY else view_of(game, states, seat)
            svg = game.draw_svg(view)
            parsed(svg)
            assert svg.startswith("<svg") and "prefers-color-scheme: dark" in svg
            assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
            text = game.draw_text(view)
            assert max(map(len, text.splitlines())) <= 90
            for other in range(seats):
                assert re.search(rf"\b{other}\b", text)
                assert f'aria-label="seat {other}' in svg
            assert svg == game.draw_svg(view)


@pytest.mark.parametrize("seats", [5, 10])
def test_a_drawing_offers_exactly_the_legal_moves(seats: int) -> None:
    game = make(seats)
    for states in positions(game, 2, seed=seats):
        for seat in range(seats):
            view = view_of(game, states, seat)
            offered = [
                move
                for drawn in parsed(game.draw_svg(view)).iter()
                for move in drawn.get("data-moves", "").split("\n")
                if move
            ]
            assert set(offered) == {str(action) for action in game.legal_actions(view)}


def test_a_seat_of_a_drawing_offers_the_teams_that_it_is_in() -> None:
    game = make(5)
    svg = parsed(game.draw_svg(view_of(game, seated(game, {0, 1}, leader=2), 2)))
    offers = [drawn.get("data-moves", "").split("\n") for drawn in svg.iter() if drawn.get("data-moves")]
    assert len(offers) == 5
    assert offers[3] == ["propose:0,3", "propose:1,3", "propose:2,3", "propose:3,4"]


def test_a_friendly_view_names_everything() -> None:
    game = make(7)
    states = seated(game, {0, 1, 6}, leader=5)
    mission(game, states, "0,2", {0})
    vote(game, states, "1,2,3", {1})
    play(game, states, "propose:2,3,4", "approve")
    view = game.friendly_view(view_of(game, states, 1))
    assert (view.seat, view.role, view.leader, view.to_move) == (1, "spy", 0, 1)
    assert view.spies == {0, 1, 6}
    assert (view.phase, view.mission, view.attempt, view.team, view.team_size) == ("vote", 2, 2, (2, 3, 4), 3)
    first, second, third = view.proposals
    assert (first.leader, first.team, first.ayes, first.approved) == (5, (0, 2), tuple(range(7)), True)
    assert (second.leader, second.ayes, second.approved) == (6, (1,), False)
    assert (third.leader, third.mission, third.attempt, third.ayes, third.approved) == (0, 2, 2, None, None)
    assert (view.missions[0].team, view.missions[0].fails, view.missions[0].succeeded) == ((0, 2), 1, False)
    assert (view.missions[3].needed, view.missions[3].team) == (2, None)
    assert (view.successes, view.failures, view.over, view.winners) == (0, 1, False, None)
    assert [str(action) for action in view.legal_actions] == ["approve", "reject"]
    assert str(view) == game.draw_text(view.record) and view._repr_svg_() == game.draw_svg(view.record)


def test_what_happened_in_words() -> None:
    game = make(5)
    states = seated(game, {0, 1})

    def told(events: Any, seat: int | None) -> str:
        event = game.public_event(events) if seat is None else events[seat]
        return WORDS.sentence(game.friendly_event(event), NAMES, seat)

    events = play(game, states, "propose:0,2")
    assert told(events, 0) == "You propose yourself and Cem for mission 1."
    assert told(events, 2) == "Ann proposes Ann and you for mission 1."
    events = play(game, states, "approve")
    assert (told(events, 1), told(events, 0)) == ("Ann has voted.", "You approve the team.")
    events = play(game, states, "approve", "approve", "reject", "reject")
    assert told(events, None) == "Eve rejects the team. The team is approved, by Ann, Bob and Cem."
    events = play(game, states, "fail")
    assert (told(events, None), told(events, 0)) == ("Ann has played a mission card.", "You play fail.")
    events = play(game, states, "success")
    assert told(events, 2) == "You play success. Mission 1 fails, with 1 fail among 2 cards."
    events = vote(game, states, "0,1,2", set())
    assert told(events, 4) == "You reject the team. The team is rejected by all."
    for team in ("0,3,4", "0,2"):
        events = mission(game, states, team, {0})
    assert told(events, 3).endswith("The spies win; the spies were Ann and Bob.")
    assert str(game.friendly_event(events[3])).endswith("mission 3 fails with 1 fail, the spies win")


def test_moves_in_words_and_in_groups() -> None:
    assert WORDS.move("propose:0,2,4", NAMES, 2) == "Propose Ann, yourself and Eve"
    assert {WORDS.move(move, NAMES, 0) for move in ("approve", "success")} == {"Approve the team", "Play success"}
    assert (WORDS.group("propose:0,1"), WORDS.group("reject"), WORDS.group("fail")) == (
        "The team",
        "Your vote",
        "Your mission card",
    )
    with pytest.raises(BadNotation):
        WORDS.move("dance", NAMES, 0)


def test_random_words_do_not_fail() -> None:
    game = make(5)
    for states in positions(game, 3):
        seat = int(game.to_move(states)[0])
        if seat == NOBODY:
            continue
        legal = game.legal_actions(view_of(game, states, seat))
        assert all(WORDS.move(str(action), NAMES, seat) for action in legal)
        events = game.apply(states.copy(), np.array([legal.codes[0]], np.int32))[0]
        for event in (*events, game.public_event(events)):
            assert WORDS.sentence(game.friendly_event(event), NAMES, 0).endswith(".")
            assert game.format_event(event)
