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
from molehunt.agents.duel.duel_star import DuelStarAgent
from molehunt.agents.duel.features import position_parts
from molehunt.agents.duel.learned import DuelLearnedAgent
from molehunt.agents.duel.opponent import MIRROR, move_of_kind
from molehunt.agents.duel.own_seat import OTHER, OWN
from molehunt.agents.duel.star_comparison import Comparison
from molehunt.agents.networks import VALUE
from molehunt.core.game import States
from molehunt.core.streams import game_seeds
from molehunt.games.duel.cards import NUGGET, UNKNOWN

ROW = np.zeros(1, np.int64)
DRAW = 0.3


def played_on(
    compared: Comparison, deal: States, stream: npt.NDArray[np.uint64], kind: int, move: int, ahead: int
) -> float:
    """What a move brings, with the players themselves: `learned` on the seat, the player of a kind on the other."""
    assert compared.own is not None
    learned = DuelLearnedAgent()
    other = 1 - compared.seat
    seen = GAME.views(deal, np.array([compared.seat, other], np.int8), np.zeros(2, np.int64))
    memory, theirs = (learned.start(GAME, view, np.zeros(1, np.uint64)) for view in (seen[:1], seen[1:]))
    memory.histories[:], theirs.histories[:] = compared.own.history[OWN], compared.own.history[OTHER]
    state, own = deal.copy(), 0
    scratch: Any = np.zeros(1, SCRATCH)
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
            move = int(move_of_kind(kind, state[0], other, stream, compared.settings, scratch[0], moves, scores))


@pytest.mark.parametrize("ahead", [0, 2, 1000])
def test_own_moves_are_those_of_learned_and_the_others_those_of_a_kind(ahead: int) -> None:
    agent = AGENTS.make(f"duel-star:deals=1,ahead={ahead}")
    assert isinstance(agent, DuelStarAgent)
    kinds, worth = set(), set()
    for states, _ in itertools.islice(decisions(12, 9), 12):
        seat = mover(states)
        memory = sit(agent, states, seat)
        compared = Comparison(agent.means, GAME, mover_view(states), memory.histories[0])
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
    agent = AGENTS.make("duel-star:deals=2,candidates=6,rare=0.02,ending=0")
    assert isinstance(agent, DuelStarAgent)
    learned = AGENTS.make("learned")
    fewer = 0
    for states, _ in itertools.islice(decisions(12, 5), 25):
        seat, view = mover(states), mover_view(states)
        memory = sit(agent, states, seat)
        compared = Comparison(agent.means, GAME, view, memory.histories[0])
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


def class_of(chance: float) -> int:
    """None, below 0.1, 0.3, 0.5, 0.7, or 1, or certain."""
    return int(np.digitize(chance, [1e-300, 0.1, 0.3, 0.5, 0.7, 1.0]))


def places_apart(mind: Any, goals: npt.NDArray[np.int8], digs: float) -> npt.NDArray[np.float64]:
    """How likely the nugget is under each goal, by what the other did."""
    known = (goals == NUGGET).any()
    likely = np.where(goals == (NUGGET if known else UNKNOWN), 1.0 if known else np.exp(digs * mind["says"]), 0.0)
    chances: npt.NDArray[np.float64] = likely / likely.sum()
    return chances


def test_what_is_told_of_the_other_is_what_the_mind_holds() -> None:
    """The classes of how the other plays and where the nugget is thought, against the numbers that `learned` noted."""
    sizes = position_parts()
    ends = dict(zip(sizes, np.cumsum(list(sizes.values())), strict=True))
    met: dict[str, set[int]] = {"digs": set(), "hurries": set(), "places": set()}
    for number, spec in enumerate(["random-listed", "greedy-2020", "duel-star:digger", "stranger:seed=4"] * 2):
        learned, other = AGENTS.make("learned:mixed"), AGENTS.make(spec)
        states, own = GAME.new(game_seeds(8, number, 1)), number % 2
        memory, theirs = (
            agent.start(GAME, GAME.views(states, np.array([seat])), np.array([number], np.uint64))
            for agent, seat in ((learned, own), (other, 1 - own))
        )
        while (seat := mover(states)) >= 0:
            view = mover_view(states)
            move = learned.act(view, memory, ROW) if seat == own else other.act(view, theirs, ROW)
            if seat == own:
                told = {
                    name: memory.position[ends[name] - sizes[name] : ends[name]].reshape(rows, -1).argmax(axis=1)
                    for name, rows in (("digs", 1), ("hurries", 1), ("places", 3))
                }
                mind = memory.histories["mind"][0]
                digs = float(1 / (1 + np.exp(-mind["log_odds"])))
                assert told["digs"].tolist() == [class_of(digs)]
                assert told["hurries"].tolist() == [int(np.digitize(mind["hurry"], [-1.5, -0.5, 0.5, 1.5]))]
                places = places_apart(mind, view["goals"][0], digs)
                assert told["places"].tolist() == [class_of(float(chance)) for chance in places]
                for name, classes in told.items():
                    met[name] |= set(classes.tolist())
            events = GAME.apply(states, move)
            learned.observe(events[:, own].copy(), memory, ROW)
            other.observe(events[:, 1 - own].copy(), theirs, ROW)
    assert len(met["digs"]) == 5 and len(met["hurries"]) >= 4 and len(met["places"]) >= 6, met


def test_the_shipped_network_is_read_once() -> None:
    assert DuelLearnedAgent().network(GAME) is DuelLearnedAgent().network(GAME)
