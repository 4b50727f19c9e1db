"""Games that are written down for learning are the games that the arena plays, and every decision is there once."""

from __future__ import annotations

import numpy as np
import pytest

from core.changing import changing_at_each_moment
from molehunt.agents import networks
from molehunt.agents.learned import LearnedAgent, Told
from molehunt.agents.networks import size_of
from molehunt.agents.registry import Agents
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.compiled import CompiledGame
from molehunt.games.registry import make_game
from molehunt.learning import collecting
from molehunt.learning.collecting import ADVANTAGE, EXPECTED, RETURN, SHARE, Lot, Rollout, margins_of
from molehunt.learning.seating import learner_of

GAMES = 20
LOOKAHEAD = 0.9


def learner(game: CompiledGame, temperature: float = 1.0) -> LearnedAgent:
    kind = learner_of(game)
    inputs, moves = kind.sizes(game)
    shape = (inputs, 16, moves, 8)
    flat = (np.random.default_rng(5).standard_normal(size_of(shape)) / 10).astype(np.float32)
    return kind.of(networks.from_flat(flat, shape, {}), temperature)


def table(label: str, ruleset: str, seats: int, opponent: str) -> tuple[CompiledGame, Lot]:
    game = make_game(label, ruleset, seats)
    assert isinstance(game, CompiledGame)
    other = Agents(label).make(opponent)
    return game, Lot(game_seeds(4, 0, GAMES), (other, learner(game), *[other] * (seats - 2)), (1,))


TABLES = [
    ("saboteur", "krisnadi", 4, "decision-2019"),
    ("duel", "mcgill", 2, "greedy-2020"),
    ("speed_clue", "small", 2, "basic"),
]


@pytest.fixture(scope="module", params=TABLES, ids=[each[0] for each in TABLES])
def collected(request: pytest.FixtureRequest) -> tuple[CompiledGame, Lot, Rollout]:
    game, lot = table(*request.param)
    rollout = Rollout(*learner_of(game).sizes(game))
    rollout.play(game, lot, LOOKAHEAD)
    return game, lot, rollout


def test_the_games_are_those_that_the_arena_plays(collected: tuple[CompiledGame, Lot, Rollout]) -> None:
    game, lot, rollout = collected
    played = play(game, lot.agents, lot.seeds, keep_actions=True)
    assert np.allclose(rollout.margins, game.margins(played.states)[:, 1])
    decisions = 0
    assert played.actions is not None
    for seed, actions in zip(lot.seeds, played.actions, strict=True):
        states = game.new(np.array([seed]))
        for action in actions:
            if game.to_move(states)[0] == 1:
                legal = [int(each) for each in game.legal_in(states)]
                first, last = rollout.firsts[decisions : decisions + 2]
                assert last - first == len(legal)
                assert legal[rollout.chosen[decisions]] == action
                decisions += 1
            game.apply(states, np.array([action], np.int32))
    assert decisions == rollout.rows
    assert rollout.firsts[rollout.rows] == rollout.all_moves


def test_advantages_and_returns_are_those_of_the_formula(collected: tuple[CompiledGame, Lot, Rollout]) -> None:
    """Schulman et al. 2016, equation 16, of one game written out."""
    game, lot, rollout = collected
    alone = Rollout(rollout.inputs, rollout.move_size)
    alone.play(game, Lot(lot.seeds[:1], lot.agents, lot.learners), LOOKAHEAD)
    values = alone.numbers[: alone.rows, EXPECTED].astype(np.float64)
    errors = np.append(values[1:], alone.margins[0]) - values
    wanted = [sum(LOOKAHEAD**k * error for k, error in enumerate(errors[row:])) for row in range(alone.rows)]
    assert np.allclose(alone.numbers[: alone.rows, ADVANTAGE], wanted, atol=1e-5)
    assert np.allclose(alone.numbers[: alone.rows, RETURN], wanted + values, atol=1e-5)


def test_room_grows_as_games_need_it(
    collected: tuple[CompiledGame, Lot, Rollout], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, lot, rollout = collected
    monkeypatch.setattr(collecting, "FIRST_ROOM", 2)
    small = Rollout(rollout.inputs, rollout.move_size)
    small.play(game, lot, LOOKAHEAD)
    assert small.rows == rollout.rows and small.margins == rollout.margins
    assert (small.positions[: small.rows] == rollout.positions[: rollout.rows]).all()
    assert (small.moves[: small.all_moves] == rollout.moves[: rollout.all_moves]).all()
    assert (small.numbers[: small.rows] == rollout.numbers[: rollout.rows]).all()


def test_lots_that_are_played_apart_and_added_are_those_played_together(
    collected: tuple[CompiledGame, Lot, Rollout], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, lot, rollout = collected
    monkeypatch.setattr(collecting, "FIRST_ROOM", 2)
    added = Rollout(rollout.inputs, rollout.move_size)
    for part in (slice(0, 7), slice(7, GAMES)):
        own = Rollout(rollout.inputs, rollout.move_size)
        own.play(game, Lot(lot.seeds[part], lot.agents, lot.learners), LOOKAHEAD)
        added.add(own)
    assert added.rows == rollout.rows and added.margins == rollout.margins
    assert (added.firsts[: added.rows + 1] == rollout.firsts[: rollout.rows + 1]).all()
    assert (added.moves[: added.all_moves] == rollout.moves[: rollout.all_moves]).all()
    assert (added.chosen[: added.rows] == rollout.chosen[: rollout.rows]).all()


def equal(one: Rollout, other: Rollout) -> bool:
    rows, moves = one.rows, one.all_moves
    return (other.rows, other.all_moves, other.margins) == (rows, moves, one.margins) and all(
        first[:count].tobytes() == second[:count].tobytes()
        for first, second, count in (
            (one.positions, other.positions, rows),
            (one.moves, other.moves, moves),
            (one.firsts, other.firsts, rows + 1),
            (one.chosen, other.chosen, rows),
            (one.numbers, other.numbers, rows),
            (one.seats, other.seats, rows),
        )
    )


def test_what_is_written_of_games_with_players_that_are_not_compiled_is_the_same(
    collected: tuple[CompiledGame, Lot, Rollout], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a compiled player, as it is and as one that no compiled loop reaches: to the last bit."""
    game, lot, rollout = collected
    monkeypatch.setattr(type(lot.agents[0]), "reach", lambda agent, memory: None)
    slow = Rollout(rollout.inputs, rollout.move_size)
    slow.play(game, lot, LOOKAHEAD)
    assert rollout.rows and equal(rollout, slow)


def test_beliefs_and_roles_are_told_alike_in_games_with_players_that_are_not_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = make_game("saboteur", "krisnadi", 4)
    assert isinstance(game, CompiledGame)
    guest, other, third = (Agents("saboteur").make(spec) for spec in ("learned:mixed", "means-ends-2016", "random"))
    roles = np.tile(np.array([0, 1, 0, 0], np.int8), (6, 1))
    lot = Lot(game_seeds(4, 0, 6), (other, guest, third, other), (1,), roles)
    fast, slow = (Rollout(*learner_of(game).sizes(game, Told(beliefs=True))) for _ in range(2))
    fast.play(game, lot, LOOKAHEAD)
    monkeypatch.setattr(type(other), "reach", lambda agent, memory: None)
    slow.play(game, lot, LOOKAHEAD)
    assert fast.rows and equal(fast, slow)


@pytest.mark.parametrize("opponent", ["duel-star:digger", "and-or-2020"])
def test_players_that_are_not_compiled_are_opponents_too(opponent: str) -> None:
    game = make_game("duel", "mcgill", 2)
    assert isinstance(game, CompiledGame)
    lot = Lot(game_seeds(0, 0, 1), (learner(game), Agents("duel").make(opponent)), (0,))
    rollout = Rollout(*learner_of(game).sizes(game))
    rollout.play(game, lot, LOOKAHEAD)
    played = play(game, lot.agents, lot.seeds, keep_actions=True)
    assert rollout.margins == game.margins(played.states)[:, 0].tolist()
    assert played.actions is not None and abs(2 * rollout.rows - len(played.actions[0])) <= 1


def test_a_game_that_nobody_wins_is_worth_what_was_said() -> None:
    game, lot = table("duel", "mcgill", 2, "greedy-2020")
    plain, harsh = Rollout(*learner_of(game).sizes(game)), Rollout(*learner_of(game).sizes(game))
    plain.play(game, lot, LOOKAHEAD)
    harsh.play(game, lot, LOOKAHEAD, draw=-0.4)
    assert 0.0 in plain.margins and set(plain.margins) & {-1.0, 1.0}
    assert harsh.margins == [-0.4 if margin == 0.0 else margin for margin in plain.margins]
    # That is also what the last decision of such a game brought.
    drawn = plain.margins.index(0.0)
    alone = Rollout(plain.inputs, plain.move_size)
    alone.play(game, Lot(lot.seeds[drawn : drawn + 1], lot.agents, lot.learners), LOOKAHEAD, draw=-0.4)
    assert alone.numbers[alone.rows - 1, RETURN] == pytest.approx(-0.4)


def test_a_share_of_the_gold_is_what_a_seat_took_of_all_that_was_taken() -> None:
    game, lot = table("saboteur", "official", 3, "decision-2019")
    rollout = Rollout(*learner_of(game).sizes(game))
    rollout.play(game, lot, LOOKAHEAD, SHARE)
    states = play(game, lot.agents, lot.seeds).states
    gold = game.payoffs(states)
    shares = gold / gold.sum(axis=1, keepdims=True)
    expected = shares[:, 1] - shares[:, [0, 2]].mean(axis=1)
    assert len(set(expected.round(3))) > 5
    assert np.allclose(rollout.margins, expected)
    assert np.allclose(margins_of(game, states, SHARE)[:, 1], expected)


def test_machine_code_may_come_while_games_are_written_down() -> None:
    game = make_game("duel", "mcgill", 2)
    assert isinstance(game, CompiledGame)
    agents = Agents("duel")
    kind = learner_of(game)
    learner = kind.of(networks.load(kind.shipped(game)), 1.0)
    lot = Lot(game_seeds(3, 0, 1), (learner, agents.make("greedy-2020")), (0,))
    inputs, _width, moves, _joint = learner.network(game).shape

    def written() -> list[bytes]:
        rollout = Rollout(inputs, moves)
        rollout.play(game, lot, 0.9)
        rows = slice(0, rollout.rows)
        kept = rollout.positions[rows], rollout.moves[: rollout.all_moves], rollout.chosen[rows], rollout.margins
        return [np.array(part).tobytes() for part in kept]

    expected = written()
    for found in changing_at_each_moment(written, lambda moment: moment + 1):
        assert found == expected
