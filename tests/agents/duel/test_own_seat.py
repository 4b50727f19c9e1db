"""The own seat of games that `duel-star` plays on: `learned` makes its moves, and says what is to be expected where they end."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents.duel.beside import AGENTS, decisions, mover_view, sit
from games.duel.playing import GAME, mover
from molehunt.agents.duel.digger import MOST_MOVES, SCRATCH
from molehunt.agents.duel.duel_star import Comparison, DuelStarAgent
from molehunt.agents.duel.learned import DuelLearnedAgent
from molehunt.agents.duel.opponent import MIRROR, move_of_kind
from molehunt.agents.duel.own_seat import OTHER, OWN
from molehunt.agents.networks import VALUE
from molehunt.core.game import States
from molehunt.core.streams import game_seeds

ROW = np.zeros(1, np.int64)
DRAW = 0.3


def played_on(
    compared: Comparison, deal: States, stream: npt.NDArray[np.uint64], kind: int, move: int, ahead: int
) -> float:
    """What a move brings, with the players themselves: `learned` on the seat, the player of a kind on the other."""
    assert compared.own is not None
    learned = DuelLearnedAgent()
    other = 1 - compared.seat
    memory, theirs = (learned.start(GAME, compared.views, np.zeros(1, np.uint64)) for _ in range(2))
    memory.histories[:], theirs.histories[:] = compared.own.history[OWN], compared.own.history[OTHER]
    state, own = deal.copy(), 0
    desk: Any = np.zeros(1, SCRATCH)
    moves, scores = np.empty(MOST_MOVES, np.int32), np.empty(MOST_MOVES)
    while True:
        events = GAME.apply(state, np.array([move], np.int32))
        if state["outcome"][0]:
            winner = int(state["winner"][0])
            return 1.0 if winner == compared.seat else DRAW if winner < 0 else 0.0
        learned.observe(events[:, compared.seat].copy(), memory, ROW)
        learned.observe(events[:, other].copy(), theirs, ROW)
        if mover(state) == compared.seat:
            move = int(learned.act(mover_view(state), memory, ROW)[0])
            if own == ahead:
                return float(min(max((memory.notes[VALUE] + 1) / 2, 0), 1))
            own += 1
        elif kind == MIRROR:
            move = int(learned.act(mover_view(state), theirs, ROW)[0])
        else:
            move = int(move_of_kind(kind, state[0], other, stream, compared.settings, desk[0], moves, scores))


@pytest.mark.parametrize("ahead", [0, 2, 1000])
def test_own_moves_are_those_of_learned_and_the_others_those_of_a_kind(ahead: int) -> None:
    agent = AGENTS.make(f"duel-star:deals=1,ahead={ahead}")
    assert isinstance(agent, DuelStarAgent)
    kinds, worth = set(), set()
    for states, _ in itertools.islice(decisions(12, 9), 12):
        seat = mover(states)
        memory = sit(agent, states, seat)
        compared = Comparison(agent, GAME, mover_view(states), memory.histories[0])
        found, _moves = compared.try_moves(compared.moves, 0, 3)
        deals, streams, who = compared.draw(0, 3, agent.parameters.mirror)
        for index, number in itertools.product(range(3), range(len(compared.moves))):
            wanted = played_on(
                compared,
                deals[index : index + 1],
                streams[index : index + 1].copy(),
                int(who[index]),
                int(compared.moves[number]),
                ahead,
            )
            assert found[index, number] == pytest.approx(wanted, abs=1e-6)
            worth.add(round(wanted, 3))
        kinds |= set(who.tolist())
    assert len(kinds) == 4
    assert len(worth) > 10 if ahead < 1000 else worth <= {0.0, DRAW, 1.0}


def test_what_is_compared_is_what_the_network_would_do() -> None:
    agent = AGENTS.make("duel-star:deals=2,candidates=6,rare=0.02")
    assert isinstance(agent, DuelStarAgent)
    learned = AGENTS.make("learned")
    fewer = 0
    for states, _ in itertools.islice(decisions(12, 5), 25):
        seat, view = mover(states), mover_view(states)
        memory = sit(agent, states, seat)
        compared = Comparison(agent, GAME, view, memory.histories[0])
        first = learned.act(view, learned.start(GAME, view, np.zeros(1, np.uint64)), ROW)
        assert compared.moves[0] == first[0]
        assert 1 <= len(compared.moves) <= 6
        assert compared.ways[0] == 0 and (np.diff(compared.ways) >= 0).all()
        assert (np.exp(-compared.ways) >= 0.02).all()
        fewer += len(compared.moves) < 6
    assert fewer > 0


def test_what_the_seats_did_is_counted_from_move_to_move() -> None:
    """What `duel-star` tells the network of the game is what `learned` notes itself."""
    agent, learned = AGENTS.make("duel-star:deals=2,candidates=2"), AGENTS.make("learned")
    states = GAME.new(game_seeds(5, 0, 1))
    memories = [agent.start(GAME, GAME.views(states, np.array([seat])), np.zeros(1, np.uint64)) for seat in (0, 1)]
    noted = [learned.start(GAME, GAME.views(states, np.array([seat])), np.zeros(1, np.uint64)) for seat in (0, 1)]
    for _ in range(30):
        if states["outcome"][0]:
            break
        move = learned.act(mover_view(states), noted[mover(states)], ROW)
        events = GAME.apply(states, move)
        for seat in (0, 1):
            agent.observe(events[:, seat].copy(), memories[seat], ROW)
            learned.observe(events[:, seat].copy(), noted[seat], ROW)
        for seat in (0, 1):
            told = noted[seat].histories[0]
            for own in (memories[seat].histories[0, OWN], memories[1 - seat].histories[0, OTHER]):
                assert (own["deeds"] == told["deeds"]).all()
                for name in ("ways", "says", "lacks", "log_odds", "hurry", "maze"):
                    assert told["mind"][name].tobytes() == own["mind"][name].tobytes()
    assert noted[0].histories["deeds"].sum() > 20
