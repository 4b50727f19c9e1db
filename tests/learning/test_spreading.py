"""Games that are written down elsewhere are those that are written down here."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from typing import Any

import numpy as np
import pytest

from agents.untrained import random_network
from arena.local_cluster import local_cluster
from molehunt.arena.workers import open_workers
from molehunt.core.errors import BadInput
from molehunt.games.compiled import CompiledGame
from molehunt.games.registry import make_game
from molehunt.learning import spreading
from molehunt.learning.collecting import Lot, Rollout
from molehunt.learning.seating import Seating, learner_of
from molehunt.learning.spreading import Paid, collect_by, collect_on, cut, play_piece

LABEL, SEATS, GAMES = "saboteur/krisnadi", 4, 150
PAID = Paid(0.9, "wins", -0.1)


class OtherProcess(Executor):
    """What a piece and its result are after a way to another process and back."""

    width = 3

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(pickle.loads(pickle.dumps(function(*pickle.loads(pickle.dumps(args))))))  # noqa: S301
        except BadInput as error:
            future.set_exception(error)
        return future


@pytest.fixture(scope="module")
def game() -> CompiledGame:
    made = make_game("saboteur", "krisnadi", SEATS)
    assert isinstance(made, CompiledGame)
    return made


@pytest.fixture(scope="module")
def lots(game: CompiledGame) -> list[Lot]:
    """Games of every kind: against a player, strangers, itself and an earlier self, with roles seated."""
    kind = learner_of(game)
    now, past = (kind.of(random_network(kind.sizes(game), seed), 1.0) for seed in (1, 2))
    opponents = {"decision-2019": 2.0, "strangers": 1.0, "self": 1.0, "past": 1.0}
    return Seating.of(game, {"saboteur": 1.0, "miner": 1.0}, opponents).lots(now, [past], 0, GAMES, 7)


@pytest.fixture(scope="module")
def here(game: CompiledGame, lots: list[Lot]) -> Rollout:
    rollout = Rollout(*learner_of(game).sizes(game))
    for lot in lots:
        rollout.play(game, lot, PAID.lookahead, PAID.reward, PAID.draw)
    return rollout


def arrays(rollout: Rollout) -> Iterator[bytes]:
    """All that was written down."""
    rows, moves = rollout.rows, rollout.all_moves
    for array in (rollout.positions, rollout.chosen, rollout.numbers, rollout.seats):
        yield array[:rows].tobytes()
    yield rollout.firsts[: rows + 1].tobytes()
    yield rollout.moves[:moves].tobytes()
    yield np.array(rollout.margins).tobytes()


def test_it_is_the_same_after_a_way_there_and_back(game: CompiledGame, lots: list[Lot], here: Rollout) -> None:
    there = Rollout(here.inputs, here.move_size)
    collect_by(OtherProcess(), LABEL, game, lots, PAID, there)
    assert list(arrays(there)) == list(arrays(here)) and here.rows > GAMES


def test_pieces_hold_all_games_in_their_order_and_not_too_many(lots: list[Lot]) -> None:
    pieces = list(cut(lots, 10))
    assert all(sum(len(lot.seeds) for lot in piece) <= 10 for piece in pieces) and len(pieces) < 2 * GAMES / 10
    told = [seed for piece in pieces for lot in piece for seed in lot.seeds.tolist()]
    assert told == [seed for lot in lots for seed in lot.seeds.tolist()]
    assert any(len(piece) > 1 for piece in pieces) and len(pieces) > 1


def test_what_comes_back_is_no_larger_than_what_was_written(game: CompiledGame, lots: list[Lot], here: Rollout) -> None:
    (piece, *_) = cut(lots, 20)
    found = play_piece(LABEL, SEATS, (), here.inputs, here.move_size, piece, PAID)
    assert len(found.positions) == found.rows and len(found.moves) == found.all_moves
    assert list(arrays(found)) == list(arrays(pickle.loads(pickle.dumps(found))))  # noqa: S301


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # Ray leaves its log files open
@pytest.mark.thorough
def test_it_is_the_same_on_a_cluster(game: CompiledGame, lots: list[Lot], here: Rollout) -> None:
    pytest.importorskip("ray")
    with local_cluster(2) as nodes, open_workers(cluster=nodes.address) as workers:
        there = Rollout(here.inputs, here.move_size)
        collect_by(workers, LABEL, game, lots, PAID, there)
    assert list(arrays(there)) == list(arrays(here))


def test_where_it_is_stopped_nobody_waits_for_a_player_that_never_ends(
    game: CompiledGame, lots: list[Lot], here: Rollout, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = threading.Event(), threading.Event()
    pieces: list[Any] = []

    def play(*of: Any) -> None:
        pieces.append(of)
        if of[1][0].seeds[0] == lots[0].seeds[0]:  # the first piece, whichever thread was quicker
            assert begun.wait(10)
            raise KeyboardInterrupt
        begun.set()
        ended.wait(10)
        pieces.append("came to its end")

    monkeypatch.setattr(spreading, "play_lots", play)
    with pytest.raises(KeyboardInterrupt):
        collect_on(2, game, lots, PAID, Rollout(here.inputs, here.move_size))
    told = list(pieces)
    ended.set()
    assert "came to its end" not in told
