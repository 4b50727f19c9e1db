"""A chair of a player of 2012, to be looked into: its mind and its hand can be changed."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.saboteur.kripke_beside import ONE, believed_of, kripke
from games.saboteur.playing import seeds_of, seen_by, table
from molehunt.agents.saboteur.kripke_2012 import Kripke2012Agent, Memory
from molehunt.core.streams import game_seeds
from molehunt.games.saboteur.cards import CARD_NUMBERS, NO_CARD
from molehunt.games.saboteur.game import Saboteur

VELDHUIS = "veldhuis:rounds=1"


class Chair:
    """One player of 2012 on a seat of a round that was just dealt, whose mind and hand can be changed."""

    def __init__(
        self, spec: str = "kripke-2012", role: str = "miner", seat: int = 0, label: str = VELDHUIS, number: int = 0
    ) -> None:
        self.game: Saboteur = table(label)
        self.seat = seat
        saboteurs = (seat, (seat + 1) % 5) if role == "saboteur" else ((seat + 1) % 5, (seat + 2) % 5)
        roles = np.array([[int(player in saboteurs) for player in range(5)]], np.int8)
        self.states = self.game.new(seeds_of(number, 1), roles)
        self.states["to_move"][0] = seat
        self.agent: Kripke2012Agent = kripke(spec)
        self.view: Any = seen_by(self.game, self.states, seat)
        self.memory: Memory = self.agent.start(self.game, self.view, game_seeds(3, 0, 1))

    @property
    def mind(self) -> Any:
        return self.memory.records[0]

    def hold(self, *cards: str) -> None:
        """Let the hand be these cards."""
        self.view["hand"] = NO_CARD
        for slot, card in enumerate(cards):
            self.view["hand"][0, slot] = CARD_NUMBERS[card]

    def block(self, *players: int) -> None:
        """Let these players be blocked, and nobody else."""
        self.view["broken"] = 0
        for player in players:
            self.view["broken"][0, player] = 8

    def believe(self, *teams: tuple[int, ...], row: int = 0) -> None:
        """Let a row believe these states, and no other."""
        strengths = self.memory.strengths[0, row]
        for state in range(len(strengths)):
            team = tuple(np.flatnonzero(self.memory.roles[:, state]))
            if strengths[state] > -np.inf:
                strengths[state] = 0.0 if team in teams else -6.0
            else:
                assert team not in teams
        assert len(believed_of(self.memory, 0, row)) == len(teams)

    def judged(self) -> str:
        """What it says of the last move that it judged."""
        told = self.agent.why(self.game, self.view, self.memory, 0).splitlines()
        return next(line for line in told if line.startswith("The last move that I judged was "))

    def know(self, *goals: int) -> None:
        """Let the goals be known: 0 unknown, 1 the gold, 2 and 3 the stones."""
        self.mind["goals"] = goals

    def choices(self, draws: int = 40) -> set[str]:
        """What is chosen, over many lots."""
        found = set()
        for draw in range(draws):
            self.mind["stream"] = game_seeds(8, draw, 1)
            found.add(self.game.format_action(int(self.agent.act(self.view, self.memory, ONE)[0])))
        return found

    def happens(self, seat: int, move: str, card: str | None = None) -> None:
        """Another seat plays a card, which it is given."""
        self.states["to_move"][0] = seat
        self.states["claiming"][0] = 0
        if not move.startswith("claim"):
            name = card or move.removeprefix("discard:").partition("@")[0].partition(">")[0].partition(":")[0]
            self.states["hands"][0, seat, 0] = CARD_NUMBERS[name]
        else:
            goal = ("top", "middle", "bottom").index(move.removeprefix("claim:").partition("=")[0])
            self.states["claiming"][0] = 1 + goal
        events = self.game.apply(self.states, np.array([self.game.parse_action(move)], np.int32))
        self.agent.observe(events[:, self.seat], self.memory, ONE)
        self.view = seen_by(self.game, self.states, self.seat)

    def strengths(self, row: int = 0) -> dict[tuple[int, ...], float]:
        """The strengths of a row, by the saboteurs of the state."""
        return {
            tuple(np.flatnonzero(self.memory.roles[:, state]).tolist()): float(strength)
            for state, strength in enumerate(self.memory.strengths[0, row])
            if strength > -np.inf
        }

    def moved(self, actor: int, row: int = 0) -> tuple[float, float]:
        """(strength of the states in which a seat is a saboteur, in which it is a miner), where they are all alike."""
        strengths = self.strengths(row)
        saboteur = {strength for team, strength in strengths.items() if actor in team}
        miner = {strength for team, strength in strengths.items() if actor not in team}
        assert len(saboteur) == len(miner) == 1, strengths
        return saboteur.pop(), miner.pop()

    def forget(self) -> None:
        """Let all states be alike again."""
        self.memory.strengths[self.memory.strengths > -np.inf] = 0.0
