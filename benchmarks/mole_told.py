"""What `mole` would win if it knew more than it may: who the saboteurs are, where the gold lies, or both.

    python benchmarks/mole_told.py [DEALS] [SPEC]

Two tables: its share of the gold in `official` among four of another kind, every deal in every seat, and how often it wins in
`krisnadi` as one of three miners among strangers, two of them saboteurs, against `decision-2019` in the same chair and the same
games. What it is told it takes for certain; all else it does as ever. So the last line of a table is what better beliefs could
bring at most, and what is missing above it is not missing for want of knowing who is who.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.mole import MoleAgent
from molehunt.arena.tuning.race import gap_of_wins
from molehunt.core.agent import Rows
from molehunt.core.game import Actions, Seats, States, Views
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.saboteur.cards import GOLD, SABOTEUR
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.ruleset import KRISNADI, OFFICIAL, with_saboteurs
from molehunt.studies.mole2026 import share_of_gold

AGENTS = Agents("saboteur")
TOLD = {"nothing": (False, False), "roles": (True, False), "gold": (False, True), "both": (True, True)}
SEATS = 5
GOLD_SEED, STRANGERS_SEED, FIRST_STRANGER = 77, 20402, 20001
OUT_OF_QUESTION = -200.0
"""The logarithm of how likely the moves were of who is not what they are."""


class OpenSaboteur(Saboteur):
    """The game, which lets the truth be seen."""

    truth: States

    def views(self, states: States, seats: Seats, rows: npt.NDArray[np.int64] | None = None) -> Views:
        self.truth = states
        return super().views(states, seats, rows)


class ToldMole(MoleAgent):
    """`mole`, told before each of its moves who the saboteurs are, or where the gold lies."""

    def __init__(self, spec: str, roles: bool, gold: bool) -> None:
        made = AGENTS.make(spec)
        assert isinstance(made, MoleAgent)
        super().__init__(made.name, made.parameters)
        self.told = roles, gold

    def reach(self, memory: Any) -> None:
        """Nowhere: it is asked move by move, so that it can be told."""

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        actions = np.empty(len(views), np.int32)
        for place, row in enumerate(rows.tolist()):
            kept = memory.records["case"]["evidence"][row].copy()
            memory.records["case"]["evidence"][row] = self.evidence(memory.game.truth[row], kept)
            actions[place] = super().act(views[place : place + 1], memory, np.array([row]))[0]
            memory.records["case"]["evidence"][row] = kept
        return actions

    def evidence(self, state: Any, kept: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """What it goes by, shape (seats, styles, roles, goals): as it is, but for what it is told."""
        roles, gold = self.told
        found = np.zeros_like(kept) if roles and gold else kept.copy()
        for seat in range(SEATS):
            if roles:
                found[seat, :, int(state["roles"][seat] != SABOTEUR)] = OUT_OF_QUESTION
            if gold:
                found[seat][:, :, state["goals"] != GOLD] = OUT_OF_QUESTION
        return found


def gold_among(others: str, me: Any, deals: int) -> tuple[float, float, float]:
    """The share of all gold as a multiple of a fair share, and its interval."""
    game = OpenSaboteur(OFFICIAL, SEATS)
    found = np.zeros((deals, 2))
    for seat in range(SEATS):
        table = [AGENTS.make(others)] * SEATS
        table[seat] = me
        nuggets = play(game, table, game_seeds(GOLD_SEED, 0, deals)).states["nuggets"][:, :SEATS]
        found += np.stack([nuggets[:, seat], nuggets.sum(axis=1)], axis=1)
    return share_of_gold(found)


def miner_among_strangers(me: Any, games: int) -> npt.NDArray[np.float64]:
    """Which games it wins as a miner among four strangers, two of them saboteurs: shape (games,)."""
    game = OpenSaboteur(with_saboteurs(KRISNADI, 2), SEATS)
    chance = np.random.default_rng(STRANGERS_SEED)
    won = np.zeros(games)
    for number in range(games):
        seat, roles = number % SEATS, np.zeros((1, SEATS), np.int8)
        others = [other for other in range(SEATS) if other != seat]
        roles[0, chance.permutation(others)[:2]] = SABOTEUR
        table = [AGENTS.make(f"stranger:seed={FIRST_STRANGER + SEATS * number + other}") for other in range(SEATS)]
        table[seat] = me
        states = play(game, table, game_seeds(STRANGERS_SEED, number, 1), roles).states
        won[number] = game.outcome_codes(states)[0] == 0
    return won


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deals", type=int, nargs="?", default=100, help="2 or more: of one there is no interval")
    parser.add_argument("spec", nargs="?", default="mole")
    given = parser.parse_args()
    if given.deals < 2:
        parser.error(f"deals are 2 or more, not {given.deals}")
    deals, spec = given.deals, given.spec
    for others in ("decision-2019", "kripke-2012"):
        for told, knows in TOLD.items():
            value, low, high = gold_among(others, ToldMole(spec, *knows), deals)
            print(f"gold among {others}, told {told}: {value:.3f} ({low:.3f} to {high:.3f}) of a fair share")
    base = miner_among_strangers(AGENTS.make("decision-2019"), 5 * deals)
    print(f"one of three miners among strangers, decision-2019: {100 * base.mean():.1f} %")
    for told, knows in TOLD.items():
        gain = gap_of_wins(miner_among_strangers(ToldMole(spec, *knows), 5 * deals), base)
        interval = f"{100 * gain.low:+.1f} to {100 * gain.high:+.1f}"
        print(f"one of three miners among strangers, told {told}: {100 * gain.mean:+.1f} ({interval})")


if __name__ == "__main__":
    main()
