"""What networks are told of the last moves is what each seat saw of them: events and records read in plain Python beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents.untrained import random_network
from molehunt.agents import networks
from molehunt.agents.duel.learned import DuelLearnedAgent
from molehunt.agents.learned import LearnedAgent, Told
from molehunt.agents.networks import Network
from molehunt.agents.saboteur.learned import SaboteurLearnedAgent
from molehunt.agents.speed_clue.learned import ClueLearnedAgent
from molehunt.core.errors import BadInput
from molehunt.core.match import play
from molehunt.core.position import Position
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.compiled import CompiledGame
from molehunt.games.duel import actions as duel_actions
from molehunt.games.registry import make_game
from molehunt.games.saboteur import actions as saboteur_actions
from molehunt.games.saboteur.cards import GOLD, UNKNOWN_GOAL
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.ruleset import GRID
from molehunt.games.speed_clue.actions import ACCUSE, PLAY_SHIFT
from molehunt.games.speed_clue.state import NOBODY_DID, NOBODY_YET
from molehunt.learning.seating import learner_of
from molehunt.reading.saboteur.features import frame_of

ROW = np.zeros(1, np.int64)
LAST = 5
"""How many moves are told."""
Places = dict[str, tuple[int, ...]]
"""Which numbers of each part of a move are 1."""
TABLES = [
    ("saboteur", "krisnadi", 4),
    ("saboteur", "official", 3),
    ("saboteur", "official:talk=yes", 5),
    ("duel", "mcgill", 2),
    ("speed_clue", "contest", 3),
    ("speed_clue", "mitchell", 4),
]


def network_for(game: CompiledGame, told: Told) -> Network:
    return random_network(learner_of(game).sizes(game, told), history=told.history)


def accuses(game: CompiledGame, action: int) -> bool:
    """Whether a move may end a game of Speed Clue after a few suggestions."""
    return game.name == "speed_clue" and action >> PLAY_SHIFT == ACCUSE


def decisions(
    game: CompiledGame, agents: list[LearnedAgent], seed: int
) -> Iterator[tuple[Position, Any, list[npt.NDArray[np.int8]]]]:
    """Of every move of a game that the first of these makes: the position, the view, and what each was told of it."""
    position = Position(game, seed)
    streams = seat_streams(np.array([seed], np.uint64), game.seats)
    first = [position.view_record(seat) for seat in range(game.seats)]
    memories = [
        [agent.start(game, first[seat], streams[:, seat].copy()) for seat in range(game.seats)] for agent in agents
    ]
    while position.outcome is None:
        seat = position.to_move
        view = position.view_record(seat)
        chosen = [int(agent.act(view, held[seat], ROW)[0]) for agent, held in zip(agents, memories, strict=True)]
        yield position, view[0], [held[seat].position.copy() for held in memories]
        others = [int(action) for action in position.legal_actions if not accuses(game, int(action))]
        position.play(chosen[0] if not accuses(game, chosen[0]) else [*others, chosen[0]][0])
        for other in range(game.seats):
            event = np.array([position.events[-1][other]], game.event_dtype)
            for agent, held in zip(agents, memories, strict=True):
                agent.observe(event, held[other], ROW)


def ones(size: int, *places: int) -> list[int]:
    """So many numbers, 1 at some places."""
    return [int(place in places) for place in range(size)]


def one_of(parts: dict[str, int], told: Places) -> list[int]:
    """The numbers of a move, by the places in each part that are 1."""
    return [number for name, size in parts.items() for number in ones(size, *told.get(name, ()))]


def saboteurs_move(game: Saboteur, event: Any, seat: int) -> Places:
    action, who = int(event["action"]), int(event["seat"])
    left, top, _, _ = frame_of(game)
    kind, target = saboteur_actions.play_of(action), saboteur_actions.target_of(action)
    told: Places = {"who": ((who - seat) % game.seats,), "play": (kind,)}
    if kind == saboteur_actions.CLAIM:
        return told | {"goal": (target,), "claimed": (saboteur_actions.form_of(action) - 1,)}
    told |= {"card": (saboteur_actions.card_of(action),)}
    if kind in (saboteur_actions.PLAY_PATH, saboteur_actions.PLAY_ROCKFALL):
        told |= {"column": (target % GRID - left,), "row": (target // GRID - top,)}
    if kind in (saboteur_actions.PLAY_BREAK, saboteur_actions.PLAY_FIX):
        told |= {"whom": ((target - seat) % game.seats,)}
    if kind == saboteur_actions.PLAY_MAP:
        told |= {"goal": (target,)}
        if who == seat:
            assert event["seen"] != UNKNOWN_GOAL
            told |= {"seen": (int(event["seen"] != GOLD),)}
    return told


def duellists_move(event: Any, seat: int) -> Places:
    action, who = int(event["action"]), int(event["seat"])
    kind, card, target = duel_actions.play_of(action), duel_actions.card_of(action), duel_actions.target_of(action)
    told: Places = {"who": (int(who != seat),), "play": (kind,)}
    if kind != duel_actions.DISCARD or who == seat:
        told |= {"card": (card,)}
    if kind in (duel_actions.LAY, duel_actions.DESTROY_TILE):
        told |= {"column": (target % 16 - 1,), "row": (target // 16 - 5,)}
    if kind == duel_actions.LOOK:
        told |= {"goal": (target,)}
    return told


def suggestion(entry: int, seat: int, seats: int) -> Places:
    named = tuple(entry >> shift & 31 for shift in (0, 5, 10))
    asker, shower, shown = entry >> 15 & 7, entry >> 18 & 7, entry >> 21 & 31
    told: Places = {"who": ((asker - seat) % seats,), "named": named}
    if shower == NOBODY_YET:
        return told
    asked = [(asker + steps) % seats for steps in range(1, seats)]
    passed = asked if shower == NOBODY_DID else asked[: asked.index(shower)]
    told |= {"had none": tuple((other - seat) % seats for other in passed)}
    if shower != NOBODY_DID:
        told |= {"showed": ((shower - seat) % seats,)}
    return told | ({"card shown": (shown - 1,)} if shown else {})


def expected(game: CompiledGame, position: Position, view: Any) -> list[Places]:
    """What is to be told of the last moves, the latest first."""
    seat = int(view["seat"])
    if game.name == "speed_clue":
        entries = [int(entry) for entry in view["record"][: int(view["suggestion_count"])]]
        return [suggestion(entry, seat, game.seats) for entry in entries[: -LAST - 1 : -1]]
    seen = [events[seat] for events in position.events]
    if game.name == "duel":
        return [duellists_move(event, seat) for event in seen[: -LAST - 1 : -1]]
    assert isinstance(game, Saboteur)
    ends = [turn for turn, event in enumerate(seen) if event["ended"]]
    return [saboteurs_move(game, event, seat) for event in seen[ends[-1] + 1 if ends else 0 :][: -LAST - 1 : -1]]


@pytest.mark.parametrize(("name", "ruleset", "seats"), TABLES)
def test_the_last_moves_are_told_as_the_seat_saw_them(name: str, ruleset: str, seats: int) -> None:
    """After the position, which is that of a player who is told no moves."""
    game = make_game(name, ruleset, seats)
    assert isinstance(game, CompiledGame)
    kind = learner_of(game)
    told = Told(history=LAST)
    parts = kind.parts_told(game)[2]
    agents = [kind.of(network_for(game, each), 1.0) for each in (told, Told())]
    size, full, rounds = sum(parts.values()), 0, 0
    told_parts: set[str] = set()
    for seed in range(4):
        for position, view, (ours, plain) in decisions(game, agents, seed):
            assert (ours[: len(plain)] == plain).all() and len(ours) == len(plain) + LAST * size
            moves = expected(game, position, view)
            numbers = [one_of(parts, move) for move in moves] + [[0] * size] * (LAST - len(moves))
            assert ours[len(plain) :].reshape(LAST, size).tolist() == numbers
            full += len(moves) == LAST
            told_parts.update(part for move in moves for part in move)
            rounds += not moves and bool(position.events)
    assert full
    assert (rounds > 0) == ruleset.startswith("official")
    assert told_parts >= set(parts) - ({"claimed"} if "talk" not in ruleset else set())


def test_who_sits_down_later_is_told_no_moves_that_it_did_not_see() -> None:
    game = make_game("duel", "mcgill", 2)
    assert isinstance(game, CompiledGame)
    agent = DuelLearnedAgent.of(network_for(game, Told(history=LAST)), 1.0)
    position = Position(game, 1)
    for _ in range(2):
        position.play(int(position.legal_actions[0]))
    view = position.view_record(0)
    memory = agent.start(game, view, seat_streams(np.array([1], np.uint64), 2)[:, 0].copy())
    agent.act(view, memory, ROW)
    assert not memory.position[DuelLearnedAgent.sizes(game)[0] :].any()


@pytest.mark.parametrize("kind", [SaboteurLearnedAgent, DuelLearnedAgent, ClueLearnedAgent])
def test_whole_games_are_those_of_move_by_move(kind: type[LearnedAgent], monkeypatch: pytest.MonkeyPatch) -> None:
    name = {SaboteurLearnedAgent: "saboteur", DuelLearnedAgent: "duel", ClueLearnedAgent: "speed_clue"}[kind]
    game = make_game(
        name, {"saboteur": "krisnadi", "duel": "mcgill", "speed_clue": "mitchell"}[name], 4 - 2 * (name == "duel")
    )
    assert isinstance(game, CompiledGame)
    agent = kind.of(network_for(game, Told(history=LAST)), 1.0)
    plain = kind.of(network_for(game, Told()), 1.0)
    seeds = game_seeds(3, 0, 6)
    compiled = play(game, [agent] * game.seats, seeds, keep_actions=True).actions
    assert compiled != play(game, [plain] * game.seats, seeds, keep_actions=True).actions
    monkeypatch.setattr(kind, "reach", lambda agent, memory: None)
    assert play(game, [agent] * game.seats, seeds, keep_actions=True).actions == compiled


def test_a_file_says_how_many_moves_are_told(tmp_path: Path) -> None:
    game = make_game("duel", "mcgill", 2)
    assert isinstance(game, CompiledGame)
    network = network_for(game, Told(history=LAST))
    path = tmp_path / "weights.safetensors"
    path.write_bytes(networks.to_bytes(network))
    read = networks.load(path)
    assert read.history == LAST and DuelLearnedAgent.told(game, read) == Told(history=LAST)
    other = Network(network.tensors, {networks.HISTORY: str(LAST - 1)})
    with pytest.raises(BadInput, match="not for duel/mcgill with 2 seats"):
        DuelLearnedAgent.of(other, 0.0).network(game)
    for wrong in ("-1", str(networks.MOST_HISTORY + 1), "five"):
        path.write_bytes(networks.to_bytes(Network(network.tensors, {networks.HISTORY: wrong})))
        with pytest.raises(BadInput, match="holds no weights of a player"):
            networks.load(path)
