"""What is given to the Python face and is of a wrong kind is refused in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import molehunt
from molehunt.adapters.spaces import spaces_of
from molehunt.core.streams import game_seeds as drawn
from molehunt.core.streams import seat_streams as started

GAME = molehunt.make_game("saboteur", "krisnadi", 5)
WRONG: tuple[Any, ...] = ("a", None, 1.5, -1, 2**70, {}, [None], [[1]], object(), float("nan"))


def _with_roles(roles: Any) -> molehunt.Position:
    given: Any = [None] if roles is None else roles
    return molehunt.Position(GAME, 1, given)


def test_seeds_and_streams_are_those_that_a_run_draws() -> None:
    assert molehunt.game_seeds(7, 3, 5).tolist() == drawn(7, 3, 5).tolist()
    seeds = molehunt.game_seeds(7, 0, 5)
    assert molehunt.seat_streams(seeds, 4, 2).tolist() == started(seeds, 4, 2).tolist()
    assert molehunt.seat_streams([7], 4).tolist() == started(np.array([7], np.uint64), 4).tolist()


def kind_of(value: Any) -> str:
    """What a test is called by: processes that share the tests have to call them alike."""
    return type(value).__name__


@pytest.mark.parametrize("wrong", WRONG, ids=kind_of)
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda wrong: molehunt.game_seeds(wrong, 0, 1), "a seed is a whole number from 0 to"),
        (lambda wrong: molehunt.game_seeds(0, wrong, 1), "the first game is a whole number from 0 on"),
        (lambda wrong: molehunt.game_seeds(0, 0, wrong), "how many games there are is a whole number"),
        (lambda wrong: molehunt.seat_streams([1], wrong), "how many seats there are is a whole number"),
        (lambda wrong: molehunt.seat_streams([1], 2, wrong), "a salt is a whole number"),
        (lambda wrong: molehunt.seat_streams(wrong, 2), "seeds are whole numbers from 0 on, one for each game"),
        (GAME.new, "seeds are whole numbers from 0 on, one for each game"),
        (lambda wrong: molehunt.play(wrong, [], [1]), "a game is what make_game makes"),
        (lambda wrong: molehunt.Position(wrong, 1), "a game is what make_game makes"),
        (spaces_of, "a game is what make_game makes"),
        (_with_roles, "roles are whole numbers, one a seat"),
        (molehunt.Position(GAME, 1).before, "there is no move"),
        (lambda wrong: molehunt.Replay(wrong, molehunt.make_game), "a record is what parse_record and read_records"),
    ],
)
def test_what_is_of_a_wrong_kind_is_refused_in_a_sentence(given: Callable[[Any], Any], said: str, wrong: Any) -> None:
    with pytest.raises(molehunt.BadInput, match=said):
        given(wrong)


@pytest.mark.parametrize("wrong", [None, 1.5, -1, {}, object()], ids=kind_of)
def test_what_is_no_text_is_refused_in_a_sentence(wrong: Any) -> None:
    with pytest.raises(molehunt.BadRecord, match="a record is a line of text"):
        molehunt.parse_record(wrong)
    with pytest.raises(molehunt.BadRecord, match="a file of records is named by its path"):
        list(molehunt.read_records(wrong))
    with pytest.raises(molehunt.BadInput, match="in an element there are elements and text"):
        molehunt.element("g", wrong)
    for name, seats in (("saboteur", 5), ("duel", 2), ("speed_clue", 3)):
        game = molehunt.deal(name, seats=seats).game
        with pytest.raises(molehunt.BadNotation, match="a move is written as a text"):
            game.parse_action(wrong)


def test_states_and_views_of_another_game_are_no_memory_to_read_from() -> None:
    position = molehunt.deal("duel")
    duel = position.states
    wrong: Any
    for ask in (GAME.to_move, GAME.legal_in, GAME.payoffs, GAME.wins):
        for wrong in (duel, position, None):
            with pytest.raises(molehunt.BadInput, match="an array of this game's own records is asked for"):
                ask(wrong)
    own = molehunt.deal("saboteur/krisnadi", seats=GAME.seats)
    seen: Any
    for seen in (position.view_record(), own.states, own.view(), own, 5):
        for look in (GAME.friendly_view, GAME.draw_text, GAME.draw_svg, GAME.legal_actions):
            with pytest.raises(molehunt.BadInput, match="an array of this game's own records is asked for"):
                look(seen)
        with pytest.raises(molehunt.BadInput, match="an array of this game's own records is asked for"):
            GAME.resample(seen, np.array([1], np.uint64))
        with pytest.raises(molehunt.BadInput, match="an event of saboteur/krisnadi is one of its own records, not "):
            GAME.friendly_event(seen)
    told = own.play(own.legal_actions[0])
    assert GAME.friendly_event(told[0]).move == str(own.game.named(own.actions[0]))
    for streams in ([1.5], [-1], None, "a"):
        with pytest.raises(molehunt.BadInput, match="seeds are whole numbers from 0 on"):
            GAME.resample(own.view_record(0), streams)  # type: ignore[arg-type]
    with pytest.raises(molehunt.BadInput, match=r"one action for each of 1 states, not actions of shape \(1, 1\)"):
        GAME.apply(own.states, np.array([own.legal_actions.codes[:1]], np.int32))
    with pytest.raises(molehunt.BadInput, match="an array of this game's own records is asked for"):
        GAME.legal_actions(GAME.new(np.array([1], np.uint64)))
    with pytest.raises(molehunt.BadInput, match="a position is at an array of one state of saboteur/krisnadi"):
        molehunt.Position.at(GAME, duel)
    random = molehunt.Agents("saboteur").make("random")
    for states in (duel, np.array([1.5])):
        with pytest.raises(molehunt.BadInput, match=r"states are an array of records|this game's own records"):
            molehunt.play_on(GAME, states, [random] * 5)


@pytest.mark.parametrize("name", ["saboteur", "duel", "speed_clue"])
def test_what_is_asked_of_seats_and_states_that_there_are_not_is_no_memory_to_read_from(name: str) -> None:
    game: Any = molehunt.deal(name).game
    seeds = molehunt.game_seeds(1, 0, 200)
    states = game.new(seeds)
    views = game.views(states, np.zeros(200, np.int8))
    none, nobody, beyond = np.zeros(2, np.int8), np.full(200, -1), np.full(200, game.seats)
    wrong: list[tuple[str, Callable[[], Any]]] = [
        ("a seat for each of 200 states, not seats of shape", lambda: game.views(states, none)),
        (f"has seats 0 to {game.seats - 1}, not -1", lambda: game.views(states, nobody)),
        (f"has seats 0 to {game.seats - 1}, not {game.seats}", lambda: game.views(states, beyond)),
        ("seats are whole numbers of this game, not 256", lambda: game.views(states, nobody + 257)),
        ("seats are whole numbers, not", lambda: game.views(states, nobody + 1.5)),
        ("200 states, whose rows .* no row 200", lambda: game.views(states, none, np.array([0, 200]))),
        ("200 states, whose rows .* no row -1", lambda: game.apply(states, none, np.array([-1, 0]))),
        ("actions are whole numbers of this game, not", lambda: game.apply(states[:1], np.array([2**40]))),
        (
            "actions are whole numbers, and none of them masked",
            lambda: game.apply(states, np.ma.masked_array(none, True)),
        ),
        (
            "seats are whole numbers, and none of them masked",
            lambda: game.views(states, np.ma.masked_array(none, True)),
        ),
        (
            "seeds are whole numbers from 0 on, .* not masked",
            lambda: game.new(np.ma.masked_array(seeds, seeds > seeds[9])),
        ),
        ("a random stream for each of 200 views", lambda: game.resample(views, seeds[:1])),
        ("a random stream for each of 200 states", lambda: game.play_randomly(states, seeds[:1])),
        ("of one view, and here is none", lambda: game.legal_actions(views[:0])),
        ("of the first state, and here is none", lambda: game.legal_in(states[:0])),
    ]
    before = states.copy()
    for said, ask in wrong:
        with pytest.raises(molehunt.BadInput, match=said):
            ask()
    assert states.tobytes() == before.tobytes()


def test_a_replay_names_the_moves_and_seats_that_it_has() -> None:
    position = molehunt.Position(GAME, 1)
    while position.outcome is None:
        position.play(position.legal_actions[0])
    replay = molehunt.Replay(position.record, molehunt.make_game)
    last = len(replay.actions)
    assert replay.view(last).shape == (1,)
    for move in (last + 1, -1, None, "a", 0.0, True):
        with pytest.raises(molehunt.BadInput, match=rf"this game has moves 0 to {last}, not "):
            replay.view(move)  # type: ignore[arg-type]
    for seat in (5, -1, "a", 1.5, True):
        with pytest.raises(molehunt.BadInput, match="this game has seats 0 to 4, not "):
            replay.view(0, seat)  # type: ignore[arg-type]


def test_a_file_of_players_may_be_named_by_a_text(tmp_path: Path) -> None:
    file = tmp_path / "first.py"
    file.write_text("import molehunt\nclass First(molehunt.Player):\n    def choose(self, view):\n        return 0\n")
    agents = molehunt.Agents("duel")
    agents.load_file(str(file))
    assert "first" in agents.names()
    wrong: Any = 7
    with pytest.raises(molehunt.BadInput, match="a file of players is named by its path, not by 7"):
        agents.load_file(wrong)


@pytest.mark.parametrize("wrong", [5, 1.5, "miner", object()], ids=kind_of)
def test_roles_that_are_no_list_of_names_are_refused_in_a_sentence(wrong: Any) -> None:
    with pytest.raises(molehunt.BadInput, match="roles are a list of names, one for each seat, not "):
        molehunt.deal("saboteur/small", seats=5, roles=wrong)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (5, "what is known is a list with an entry for each game, not 5"),
        ([5], "what is known is told for each of 2 seats of saboteur/small, not for 5"),
        ([[None]], "what is known is told for each of 2 seats of saboteur/small, not for 1"),
    ],
)
def test_what_is_known_of_the_others_has_the_shape_of_games_and_seats(wrong: Any, said: str) -> None:
    agents = [molehunt.Agents("saboteur").make("random")] * 2
    with pytest.raises(molehunt.BadInput, match=said):
        molehunt.play(molehunt.make_game("saboteur", "small", 2), agents, [1], known=wrong)
