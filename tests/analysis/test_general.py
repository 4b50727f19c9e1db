"""The analysis of games that have none of their own: its chances against the deal's, and that it knows no more than it may."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest

from analysis.analysed import played, with_other_secrets
from molehunt.analysis.analyse import analyse, analyst_of
from molehunt.analysis.findings import Analysis, Chart
from molehunt.analysis.general import FEW_WORLDS, GeneralAnalyst, Trials, worlds_of
from molehunt.core.errors import BadInput
from molehunt.core.position import Position
from molehunt.core.replay import Played
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.cards import SABOTEUR
from web import cups


@pytest.fixture(autouse=True, scope="module")
def a_guest() -> Iterator[None]:
    with cups.installed():
        yield


@cache
def a_game_of_cups() -> Played:
    """Somebody looks under a cup that is empty, somebody lifts the one with the coin."""
    position = Position(make_game("cups", "six", 3), 5)
    coin = int(position.states["coin"][0])
    played = Played(position, ("a", "b", "c"))
    played.play("1", f"peek:{(coin + 1) % 6}")
    played.play("2", f"lift:{(coin + 2) % 6}")
    played.play("3", f"lift:{coin}")
    return played


@cache
def cups_found(seed: int = 0) -> Analysis:
    return analyse(a_game_of_cups(), ("Ann", "Ben", "Cid"), seed=seed)


def chart_of(charts: tuple[Chart, ...], viewer: int | None) -> Chart:
    (found,) = [chart for chart in charts if chart.viewer == viewer]
    return found


def test_a_game_without_an_analyst_has_the_general_one() -> None:
    assert analyst_of("cups") is GeneralAnalyst
    assert analyst_of("saboteur") is not GeneralAnalyst
    assert "rules alone" in cups_found().rests_on


def test_roles_are_as_likely_as_the_deal_makes_them_and_an_onlooker_forgets_whence_its_worlds_came() -> None:
    game = played("saboteur")
    analyst = GeneralAnalyst(game, "abcde")
    saboteurs, seats = 2, 5
    assert np.abs(analyst.shares(None, SABOTEUR)[0] - saboteurs / seats).max() < 0.1
    roles = game.game.roles_of(game.states[0])[0]
    for seat in range(seats):
        mine = analyst.shares(seat, SABOTEUR)[0]
        own = roles[seat] == SABOTEUR
        assert mine[seat] == own
        others = np.delete(mine, seat)
        assert np.abs(others - (saboteurs - own) / (seats - 1)).max() < 0.1


def test_nothing_that_a_viewer_cannot_know_has_a_part_in_its_lines() -> None:
    game = played("saboteur")
    for seat in (0, 3):
        here, there = (
            GeneralAnalyst(each, "abcde").shares(seat, SABOTEUR) for each in (game, with_other_secrets(game, seat, 7))
        )
        assert here[:-1].tolist() == there[:-1].tolist()


def test_an_onlookers_worlds_come_close_to_those_of_another_truth() -> None:
    game = played("saboteur")
    streams = game_seeds(3, 0, 2000)
    shares = []
    for state in (game.states[0], with_other_secrets(game, 0, 11).states[0]):
        worlds = worlds_of(game.game, state, None, streams)
        shares.append((game.game.roles_of(worlds) == SABOTEUR).mean(axis=0))
    assert np.abs(shares[0] - shares[1]).max() < 0.05


def test_moves_are_tried_in_worlds_in_which_the_mover_knows_no_more_than_it_saw() -> None:
    game = a_game_of_cups()
    empty = int(str(game.game.format_action(game.actions[0])).partition(":")[2])
    state = game.states[1].copy()
    other = next(cup for cup in range(6) if cup not in (empty, int(state["coin"][0])))
    mover = int(game.game.to_move(state)[0])
    moves = [int(game.game.parse_action(f"lift:{cup}")) for cup in (empty, other, int(state["coin"][0]))]
    won = Trials(game.game, state, mover, 5).wins(moves, 0, 300).mean(axis=0)
    # The mover has not looked: every cup is as likely as another to have the coin, and to lift that cup wins at once.
    assert np.abs(won - won.mean()).max() < 0.12
    assert won.min() > 1 / 6 - 0.07


def test_the_end_of_cups_is_likely_to_nobody_before_it_comes_and_the_winner_is_marked() -> None:
    found = cups_found()
    assert [chart.viewer for chart in found.charts] == [None, 0, 1, 2]
    for viewer in (None, 0, 1, 2):
        chart = chart_of(found.charts, viewer)
        winner = a_game_of_cups().position.outcome
        assert winner is not None
        assert [line.true for line in chart.lines] == [seat in winner.winners for seat in range(3)]
        assert [line.values[-1] for line in chart.lines] == [float(line.true) for line in chart.lines]
        assert max(line.values[-2] for line in chart.lines) < 1
        totals = np.array([line.values for line in chart.lines]).sum(axis=0)
        assert (totals <= 1 + 1e-6).all() and len(totals) == len(a_game_of_cups().states)
        assert {round(value * FEW_WORLDS, 1) % 1 for line in chart.lines for value in line.values} <= {0.0}
    assert {each.move for each in found.judged} == {1, 2, 3}
    assert msgspec.json.encode(found) == msgspec.json.encode(analyse(a_game_of_cups(), ("Ann", "Ben", "Cid")))
    assert found != cups_found(seed=1)


def test_a_compiled_game_of_many_moves_is_compared_too() -> None:
    game = played("saboteur")
    analyst = GeneralAnalyst(game, "abcde")
    judged = analyst.judge(8, 0)
    assert len(judged) > 5
    for each in judged:
        legal = {str(action) for action in game.game.legal_actions(game.view(each.move - 1))}
        assert {each.played, each.best} <= legal and each.lost >= 0


@pytest.mark.parametrize("given", [None, "games.jsonl", 3, []])
def test_what_was_not_played_is_not_analysed(given: Any) -> None:
    with pytest.raises(BadInput, match=r"a game that was played, as Replay\(record, make_game\), not "):
        analyse(given)
