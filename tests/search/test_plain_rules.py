"""The search in games whose rules are plain Python: the same trees as with compiled rules."""

from __future__ import annotations

import threading
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.errors import GameFailure, KernelFailure
from molehunt.core.game import Game, States
from molehunt.core.interpreting import Addressed
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games import rules
from molehunt.games.compiled import CompiledGame
from molehunt.search.ismcts import search
from molehunt.search.ismcts_terms import Found, Settings
from search import traitor_kernels
from search.plain_rules import as_plain
from search.test_ismcts import after, compiled, searched, seen
from search.tiny_games import RIDDLE, TRAITOR, Traitor
from search.traitor_kernels import HARM, HELP
from web import cups


def same(one: Found, other: Found) -> bool:
    """Whether two searches grew the same trees."""
    return (
        one.visits.tolist() == other.visits.tolist()
        and one.values.tolist() == pytest.approx(other.values.tolist())
        and one.as_others.tolist() == other.as_others.tolist()
        and (one.nodes, one.refused, one.iterations) == (other.nodes, other.refused, other.iterations)
        and one.noted.chains.tolist() == other.noted.chains.tolist()
        and one.noted.sets.tolist() == other.noted.sets.tolist()
    )


@pytest.mark.parametrize("label", ["riddle", "traitor", "speed_clue/small/3"])
@pytest.mark.parametrize(
    "settings",
    [
        Settings(iterations=60, selection="ucb"),
        Settings(iterations=60, selection="tuned", trees="single", nodes=12),
        Settings(iterations=60, roots=3, threads=2),
        Settings(iterations=60, bluffing=0.5, noted=4),
    ],
    ids=["ucb", "single", "roots", "bluffing"],
)
def test_a_search_is_the_same_whether_rules_are_compiled_or_plain(label: str, settings: Settings) -> None:
    game = compiled(label)
    states = after(game, 5, 0 if label == "riddle" else 2)
    view, seat = seen(game, states)
    expected = search(game, view, seat, 9, settings)
    assert expected.visits.sum() > 0
    assert same(search(as_plain(game), view, seat, 9, settings), expected)


def test_leaves_are_valued_and_moves_weighed_by_functions_of_states() -> None:
    def harm_is_bad(states: Any, params: Any, out: Any) -> None:
        for seat in range(len(out)):
            out[seat] = 0.0
        for move in range(states[0].count):
            out[move % 3] -= 0.5 * states[0].moves[move]

    def rather_help(states: Any, params: Any, out: Any) -> None:
        out[0], out[1] = 0.9, 0.1

    settings = Settings(iterations=60, selection="puct")
    states = after(TRAITOR, 1, 0, [1, 0, 0])
    view, seat = seen(TRAITOR, states)
    given: tuple[dict[str, Any], ...] = ({"values": harm_is_bad}, {"prior": rather_help})
    for more in given:
        expected = searched(TRAITOR, states, 3, settings, **more)
        assert same(search(as_plain(TRAITOR), view, seat, 3, settings, **more), expected)
        assert not same(searched(TRAITOR, states, 3, settings), expected)
    with pytest.raises(KernelFailure, match=r"values\(states\) is called with 3 arguments"):
        search(as_plain(TRAITOR), view, seat, 3, values=lambda states: None)


def test_players_play_on_from_leaves() -> None:
    random = Agents("saboteur").make("random")
    states = after(TRAITOR, 1, 0, [1, 0, 0])
    view, seat = seen(TRAITOR, states)
    settings = Settings(iterations=64)
    found = search(as_plain(TRAITOR), view, seat, 3, settings, rollout=[random] * 3)
    assert same(found, searched(TRAITOR, states, 3, settings, rollout=[random] * 3))
    assert found.visits.min() > 0


@pytest.mark.parametrize("edition", ["plain", "cowling_2015", "reading"])
def test_the_player_makes_the_same_moves(edition: str) -> None:
    agent = Agents("duel").make(f"ismcts:{edition},iterations=12")
    seeds = game_seeds(4, 0, 2)
    found = [play(game, [agent] * 3, seeds, keep_actions=True).actions for game in (TRAITOR, as_plain(TRAITOR))]
    assert found[0] == found[1]
    assert found[0] is not None and {HELP, HARM} <= {*found[0][0], *found[0][1]}


def test_nothing_is_left_behind_by_a_search_nor_by_one_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    view, seat = seen(RIDDLE, after(RIDDLE, 1, 0))
    search(as_plain(RIDDLE), view, seat, 1, Settings(iterations=4))
    before = dict(Addressed._all)
    game = as_plain(RIDDLE)
    search(game, view, seat, 1, Settings(iterations=4))
    monkeypatch.setattr(rules, "MOST_ACTIONS", 1)
    with pytest.raises(GameFailure, match=r":PlainGame: a search of riddle/made_up takes up to 1 legal action"):
        search(game, view, seat, 1, Settings(iterations=4))
    assert Addressed._all == before


def test_rules_that_have_kernels_of_their_own_run_them_compiled() -> None:
    game, interpreted = as_plain(TRAITOR), threading.Event()
    advance = Traitor.apply

    class Watching(Traitor):
        def apply(self, states: Any, actions: Any, rows: Any = None) -> Any:
            from molehunt.core.interpreting import is_interpreting

            if is_interpreting():
                interpreted.set()
            return advance(self, states, actions, rows)

    game = as_plain(Watching())
    view, seat = seen(TRAITOR, after(TRAITOR, 1, 0))
    assert search(game, view, seat, 1, Settings(iterations=20)).visits.sum() == 20
    assert not interpreted.is_set()


# --- What is played for -------------------------------------------------------------------------------------------------


def margins(states: Any, params: Any, out: Any) -> None:
    """Whoever harms loses by it, whoever wins."""
    for seat in range(len(out)):
        out[seat] = 0.0
    for move in range(states[0].count):
        out[move % 3] -= 0.25 * states[0].moves[move]


def paying_for_harm() -> ModuleType:
    """The kernels of the traitor's game, and what is played for."""
    module = ModuleType("search.harmless_kernels")
    module.__dict__.update({name: value for name, value in vars(traitor_kernels).items() if not name.startswith("__")})
    module.margins = margins  # type: ignore[attr-defined]
    return module


class Harmless(Traitor):
    """A game in which nobody wants to harm."""

    kernels = paying_for_harm()


def test_a_search_plays_for_what_the_game_says() -> None:
    game: CompiledGame = Harmless()
    states = after(game, 1, 0, [1, 0, 0])
    view, seat = seen(game, states)
    settings = Settings(iterations=120)
    assert searched(TRAITOR, states, 3, settings).best == HARM
    found = search(game, view, seat, 3, settings)
    assert found.best == HELP

    class PlainHarmless(type(as_plain(TRAITOR))):  # type: ignore[misc]
        def margins(self, states: States) -> Any:
            return game.margins(states)

    plain: Game = PlainHarmless(TRAITOR)
    assert same(search(plain, view, seat, 3, settings), found)


def test_what_is_played_for_is_one_whether_asked_of_the_game_or_of_its_kernels() -> None:
    game = Harmless()
    states = game.new(game_seeds(2, 0, 20))
    random = np.random.default_rng(1)
    for _ in range(6):
        game.apply(states, random.integers(0, 2, len(states)).astype(np.int32))
    harms = states["moves"].reshape(-1, 2, 3).sum(axis=1)
    assert game.margins(states).tolist() == (-0.25 * harms).tolist()
    assert TRAITOR.margins(states).tolist() != game.margins(states).tolist()


def test_who_plays_alone_plays_to_win() -> None:
    """Over none others the mean was no number, and no move better than any."""
    game = cups.Cups(cups.Ruleset(), 1)
    states = game.new(game_seeds(1, 0, 2))
    game.apply(
        states, np.array([cups.CUPS + states["coin"][0], cups.CUPS + (states["coin"][1] + 1) % cups.CUPS], np.int32)
    )
    assert game.margins(states).tolist() == [[1.0], [0.0]]
