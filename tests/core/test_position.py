"""A play in the hand: everything that a position can do, over the games."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import molehunt
from molehunt import BadInput, BadNotation, IllegalAction, Position, UnknownName
from molehunt.core.replay import Replay
from molehunt.core.seats import NOBODY
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.registry import make_game

LABELS = ("saboteur/krisnadi", "saboteur/official+talk:speak=yes", "duel", "speed-clue/contest")


def played(label: str, seed: int, moves: int = 10_000) -> Position:
    """A position after so many random moves."""
    position = molehunt.deal(label, seed=seed)
    random = np.random.default_rng(seed)
    while position.outcome is None and len(position.actions) < moves:
        actions = position.legal_actions
        position.play(actions[int(random.integers(len(actions)))])
    return position


@pytest.mark.parametrize("label", LABELS)
def test_a_game_played_in_the_hand_ends_in_a_record_that_replays(label: str) -> None:
    position = played(label, 4)
    assert position.to_move == NOBODY
    assert list(position.legal_actions) == []
    record = position.record
    again = Replay(molehunt.parse_record(record.line()), make_game).position
    assert again.states.tobytes() == position.states.tobytes()
    assert again.record == record
    assert record.ending.winners == position.outcome.winners  # type: ignore[union-attr]


def test_a_deal_is_the_arenas_game_of_that_seed() -> None:
    game = make_game("saboteur", "krisnadi", 4)
    assert molehunt.deal("saboteur/krisnadi", 4, 9).states.tobytes() == game.new(np.array([9], np.uint64)).tobytes()


def test_a_deal_without_seats_has_the_usual_number() -> None:
    assert molehunt.deal("duel").game.seats == 2
    assert molehunt.deal("saboteur/small").game.seats == 2


def test_roles_are_seated_by_their_names() -> None:
    roles = ("miner", "saboteur", "miner", "miner")
    assert molehunt.deal("saboteur/krisnadi", seed=1, roles=roles).roles == roles


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("chess",), UnknownName, "chess"),
        (("saboteur/krisnadi", 11), BadInput, "11"),
        (("saboteur/krisnadi", 5, -1), BadInput, "seed"),
        (("saboteur/krisnadi", 5, 2**53), BadInput, "seed"),
        (("saboteur/krisnadi", 5, 1.5), BadInput, "whole number .* not 1.5"),
        (("saboteur/krisnadi", 5, None), BadInput, "whole number .* not None"),
        (("saboteur/krisnadi", "5"), BadInput, "how many seats there are is a whole number, not '5'"),
        (("duel", 2.0), BadInput, "how many seats there are is a whole number, not 2.0"),
        (("saboteur/krisnadi", 5, 1, ["miner"] * 4), BadInput, "5 seats, not 4"),
        (("saboteur/krisnadi", 2, 1, ["miner", "spy"]), UnknownName, "spy"),
        (("saboteur/krisnadi", 4, 1, ["miner"] * 4), BadInput, "saboteur"),
    ],
)
def test_what_cannot_be_dealt_is_refused(arguments: tuple[object, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        molehunt.deal(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("label", LABELS)
def test_a_copy_goes_its_own_way(label: str) -> None:
    position = played(label, 2, moves=3)
    copy = position.copy()
    before = position.states.tobytes(), list(position.actions), len(position.events)
    copy.play(copy.legal_actions[0])
    assert (position.states.tobytes(), position.actions, len(position.events)) == before
    assert copy.actions == [*position.actions, copy.actions[-1]]
    position.play(int(copy.actions[-1]))
    assert position.states.tobytes() == copy.states.tobytes()


@pytest.mark.parametrize("label", LABELS)
def test_a_drawn_position_looks_the_same_to_its_seat_and_can_be_played_on(label: str) -> None:
    position = played(label, 6, moves=5)
    for seat in range(position.game.seats):
        drawn = position.resample(seat, 8)
        assert drawn.view_record(seat).tobytes() == position.view_record(seat).tobytes()
        assert drawn.states.tobytes() == position.resample(seat, 8).states.tobytes()
        drawn.play(drawn.legal_actions[0])
        with pytest.raises(BadInput, match="was not dealt"):
            _ = drawn.record


def test_roles_can_be_weighed_where_a_position_is_drawn() -> None:
    position = molehunt.deal("saboteur/krisnadi", seats=4, seed=1, roles=["miner", "saboteur", "miner", "miner"])
    weights = np.zeros(16)
    weights[0b0100] = 1.0
    assert position.resample(0, 3, weights).roles == ("miner", "miner", "saboteur", "miner")


def test_who_is_asked_is_an_agent() -> None:
    position = molehunt.deal("duel")
    for who in ("greedy-2020", molehunt.Player):
        for ask in (position.why, position.beliefs):
            with pytest.raises(BadInput, match=r"on a seat sits an Agent|Player is a Player: seat PlayerAgent"):
                ask(who)  # type: ignore[arg-type]


def test_games_and_players_are_named_by_texts() -> None:
    for name, said in (
        (lambda: molehunt.deal(3), "a game is named by a text, as 'duel/mcgill' or 'duel', not 3"),  # type: ignore[arg-type]
        (lambda: molehunt.make_game(None, "mcgill", 2), "a game is named by a text, as 'duel', not None"),  # type: ignore[arg-type]
        (lambda: molehunt.make_game("duel", None, 2), "named by a text, as name:parameter=value, not None"),  # type: ignore[arg-type]
        (lambda: molehunt.Agents("duel").make(7), "named by a text, as name:parameter=value, not 7"),  # type: ignore[arg-type]
    ):
        with pytest.raises(BadInput, match=said):
            name()


def test_what_is_no_move_and_no_seat_is_refused() -> None:
    position = molehunt.deal("duel")
    for move in (None, 1.5, [0], 10**30):
        with pytest.raises(BadInput, match="a move is one of legal_actions or its notation, not"):
            position.play(move)  # type: ignore[arg-type]
    for seat in ("0", 0.0, True, 2):
        with pytest.raises(BadInput, match="has seats 0 to 1, not"):
            position.view(seat)  # type: ignore[arg-type]
    for number in ("1", 1.0, True, 2):
        with pytest.raises(BadInput, match=r"no move .*; moves made so far, counted from 1: 0$"):
            position.before(number)  # type: ignore[arg-type]
    assert position.play(np.int32(position.legal_actions[0])) is not None  # type: ignore[arg-type]


def test_a_wrong_move_changes_nothing() -> None:
    position = molehunt.deal("saboteur/krisnadi", seats=5, seed=1)
    before = position.states.tobytes()
    with pytest.raises(BadNotation):
        position.play("map:nowhere")
    with pytest.raises(IllegalAction):
        position.play("P_EW@8,4")
    assert position.states.tobytes() == before
    assert position.actions == position.events == []


@pytest.mark.parametrize("label", ["saboteur/krisnadi", "duel", "speed_clue/mitchell"])
def test_after_the_end_a_move_is_nobodys(label: str) -> None:
    over = played(label, 1)
    with pytest.raises(IllegalAction, match=r"^illegal action: '.+': the game is over$") as refused:
        over.play(over.actions[-1])
    assert refused.value.seat == -1


def test_views_are_the_seats_own_and_at_the_end_public() -> None:
    position = molehunt.deal("saboteur/krisnadi", seats=5, seed=1)
    assert position.view(2).seat == 2
    assert position.view().seat == position.to_move
    with pytest.raises(BadInput, match="seats 0 to 4, not 5"):
        position.view(5)
    over = played("saboteur/krisnadi", 1)
    assert over.view_record().tobytes() == over.public_record().tobytes()


@pytest.mark.parametrize(("label", "player"), [("saboteur/krisnadi", "decision-2019"), ("duel", "greedy-2020")])
def test_a_player_is_asked_what_it_would_believe_and_choose(label: str, player: str) -> None:
    position = molehunt.deal(label, seed=4)
    agent = molehunt.Agents(position.game.name).make(player)
    for _ in range(12):
        position.play(position.legal_actions[0])
    streams = seat_streams(np.array([4], np.uint64), position.game.seats)
    for seat in (None, 0, 1):
        place = position.to_move if seat is None else seat
        memory = agent.catch_up(position.game, position.past(place), streams[:, place].copy())
        view = position.view_record(place)
        assert position.beliefs(agent, seat) == agent.beliefs(position.game, view, memory, 0)
        if place == position.to_move:
            assert position.why(agent, seat) == agent.why(position.game, view, memory, 0) != ""
    with pytest.raises(BadInput, match="has seats 0 to"):
        position.beliefs(agent, 9)
    for seed in (-1, 1.5, None):
        with pytest.raises(BadInput, match="seeds are whole numbers from 0 on"):
            position.resample(0, seed=seed)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="was not dealt"):
        position.resample(0, seed=1).why(agent, 0)


@pytest.mark.parametrize(("label", "player"), [("saboteur/krisnadi", "decision-2019"), ("duel", "learned")])
def test_a_player_gives_reasons_for_the_seat_to_move_alone(label: str, player: str) -> None:
    position = molehunt.deal(label, seed=4)
    agent = molehunt.Agents(position.game.name).make(player)
    other = (position.to_move + 1) % position.game.seats
    assert position.why(agent, position.to_move) == position.why(agent)
    with pytest.raises(BadInput, match=f"seat {other} has nothing to choose now: seat {position.to_move} is to move"):
        position.why(agent, other)
    over = played(label, 4)
    for seat in (None, 0):
        with pytest.raises(BadInput, match="the game is over: nobody has to choose"):
            over.why(agent, seat)
    with pytest.raises(BadInput, match="the game is over: name a seat"):
        over.beliefs(agent)
    assert over.beliefs(agent, 0) == over.copy().beliefs(agent, 0)


@pytest.mark.parametrize("label", LABELS)
def test_legal_actions_say_where_one_stands_in_whatever_way_it_is_written(label: str) -> None:
    actions = played(label, 3, moves=5).legal_actions
    for place, action in enumerate(actions):
        for written in (action, int(action), np.int32(action), str(action)):
            assert actions.index(written) == place and actions.count(written) == 1
    assert actions.count("no such move") == actions.count(-1) == 0
    for wrong in ("no such move", -1):
        with pytest.raises(ValueError, match="not in list"):
            actions.index(wrong)
    with pytest.raises(ValueError, match="not in list"):
        actions.index(str(actions[0]), 1)


def test_every_copy_of_a_position_goes_its_own_way() -> None:
    position = played("saboteur/krisnadi", 3, moves=5)
    before = position.states.tobytes(), position.actions.copy(), len(position.events)
    for twin in (position.copy(), copy.copy(position), copy.deepcopy(position)):
        twin.play(twin.legal_actions[0])
        assert (position.states.tobytes(), position.actions, len(position.events)) == before


def test_a_position_can_be_set_back() -> None:
    position = played("duel", 3, moves=12)
    for move in (1, 7, 13):
        assert position.before(move).actions == position.actions[: move - 1]
    assert position.before(13).states.tobytes() == position.states.tobytes()
    for move in (0, 14):
        with pytest.raises(BadInput, match=f"no move {move}; moves made so far, counted from 1: 12$"):
            position.before(move)


@pytest.mark.parametrize("label", LABELS)
def test_a_position_draws_itself_and_shows_a_seat_no_more_than_it_knows(label: str) -> None:
    position = played(label, 6, moves=5)
    assert str(position) == position.text() == position.game.draw_text(position.public_record())
    assert position._repr_html_() == position.svg()
    assert position.svg(0).startswith("<svg")
    hidden = position.resample(0, 1)
    assert (hidden.text(0), hidden.svg(0)) == (position.text(0), position.svg(0))
    assert position.game.label in repr(position)
    assert "5 moves" in repr(position) or position.outcome is not None


def test_a_position_can_be_pickled() -> None:
    position = played("saboteur/krisnadi", 6, moves=5)
    again = pickle.loads(pickle.dumps(position))  # noqa: S301 - made here
    assert again.states.tobytes() == position.states.tobytes()
    assert not again.game.params.flags.writeable, "kernels would be compiled once more"
    again.play(again.legal_actions[0])
    assert len(again.actions) == 6


def test_a_position_at_a_state_leaves_the_state_alone() -> None:
    game = make_game("duel", "mcgill", 2)
    states = game.new(game_seeds(1, 0, 1))
    before = states.tobytes()
    Position.at(game, states).play(game.legal_in(states)[0])
    assert states.tobytes() == before


@pytest.mark.parametrize("thinking", [False, True])
def test_the_past_of_a_position_that_is_played_on_meanwhile_is_that_of_the_moment(
    thinking: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    position, as_it_was = played("saboteur/krisnadi", 4, 6), played("saboteur/krisnadi", 4, 6).past(1, thinking)
    look = Position.view_record

    def look_and_play(self: Position, seat: int | None = None) -> Any:
        if self is not position:
            position.play(position.legal_actions[0])  # as another thread may
        return look(self, seat)

    monkeypatch.setattr(Position, "view_record", look_and_play)
    found = position.past(1, thinking)
    assert len(position.actions) > 6
    assert found.events.tobytes() == as_it_was.events.tobytes()
