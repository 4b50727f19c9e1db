"""How the moves of a game are made up, against the profile of the authors' program.

Its numbers are moves per game over 600 games of one saboteur (decision-2019) and three miners (means-ends-2016), printed to
one decimal. A move that a player makes k times a game has a standard error of about sqrt(k / 600) in them, and discards,
which a longer game brings with it, up to 0.2: so ours must agree within 5 %, or 0.15 where that is more.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from games.saboteur.playing import saboteur, seeds_of
from molehunt.agents.registry import Agents
from molehunt.core.match import play
from molehunt.games.saboteur.actions import DISCARD, PLAY_BREAK, PLAY_FIX, PLAY_MAP, PLAY_ROCKFALL
from molehunt.games.saboteur.cards import FIRST_DEAD_END

GAMES = 2000

MINERS = {"through": 13.4, "dead-end": 2.8, "block": 4.8, "repair": 2.4, "map": 4.5, "discard": 19.7}
SABOTEUR = {"dead-end": 1.1, "block": 2.3, "repair": 1.9, "rockfall": 0.7, "map": 1.1, "discard": 8.7}
PROGRAM = {("miner", kind): number for kind, number in MINERS.items()} | {
    ("saboteur", kind): number for kind, number in SABOTEUR.items()
}
PLAYS = {PLAY_BREAK: "block", PLAY_FIX: "repair", PLAY_MAP: "map", PLAY_ROCKFALL: "rockfall", DISCARD: "discard"}


def kind_of(action: int) -> str:
    """What sort of move an action is."""
    path = "through" if action >> 20 < FIRST_DEAD_END else "dead-end"
    return PLAYS.get(action >> 16 & 15, path)


@pytest.fixture(scope="module")
def moves_per_game() -> dict[tuple[str, str], float]:
    """The mean number of moves a game by (role, kind), of both teams."""
    game, agents = saboteur(4), Agents("saboteur")
    seeds, roles = seeds_of(0, GAMES), np.tile(np.array([1, 0, 0, 0], np.int8), (GAMES, 1))
    seating = [agents.make("decision-2019"), *[agents.make("means-ends-2016")] * 3]
    played = play(game, seating, seeds, roles, keep_actions=True)
    assert played.actions is not None
    # Replayed in lockstep, to know who made each move.
    counts: Counter[tuple[str, str]] = Counter()
    states = game.new(seeds, roles)
    for turn in range(max(map(len, played.actions))):
        rows = np.array([row for row, actions in enumerate(played.actions) if len(actions) > turn])
        actions = np.array([played.actions[row][turn] for row in rows], np.int32)
        for seat, action in zip(states["to_move"][rows].tolist(), actions.tolist(), strict=True):
            counts["miner" if seat else "saboteur", kind_of(action)] += 1
        game.apply(states, actions, rows)
    return {key: count / GAMES for key, count in counts.items()}


def test_only_moves_of_the_profile_are_made(moves_per_game: dict[tuple[str, str], float]) -> None:
    """A 2016 miner plays no rockfalls, a 2019 saboteur lays no through cards."""
    assert set(moves_per_game) == set(PROGRAM)


@pytest.mark.parametrize(("role", "kind"), PROGRAM)
def test_moves_per_game_are_those_of_the_program(
    moves_per_game: dict[tuple[str, str], float], role: str, kind: str
) -> None:
    published = PROGRAM[role, kind]
    assert moves_per_game[role, kind] == pytest.approx(published, abs=max(0.15, 0.05 * published))
