"""What accusations are worth: what there is to tell, what is told, and what comes of it.

    python benchmarks/talk.py [GAMES]

* What a miner knows of the roles that others, who take it for a miner, cannot work out for themselves: the relative entropy of what
  the seat believes and what an onlooker would believe who knew it for a miner, in nats, on average over its moves in a third of a
  round.
* Whom `mole` accuses: how often that is true.
* How often miners win where nobody speaks, and on the same deals where `mole` does; `decision-2019` listens.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

import numpy as np

from molehunt.agents.registry import Agents
from molehunt.arena.statistics import wilson
from molehunt.core.kernels import kernel
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.cards import MINER, SABOTEUR
from molehunt.games.saboteur.game import Saboteur, check_game
from molehunt.games.saboteur.rules import advance
from molehunt.reading.saboteur.habits import habits
from molehunt.reading.saboteur.onlooker import goals_possible
from molehunt.reading.saboteur.suspicion import DEPENDENT, SCRATCH, deal_of, new_cases, observe, open_case, posterior

AGENTS = Agents("saboteur")
SEATS = 5
LEAST = 1e-12
LISTENER = "decision-2019:hears=5,heeds=1"
TEAMS = (
    (("mole", LISTENER, LISTENER), ("decision-2019", "decision-2019")),
    ((LISTENER, LISTENER, LISTENER), ("mole", "mole")),
    (("mole", LISTENER, LISTENER), ("mole", "mole")),
)
"""Miners and saboteurs."""


@kernel
def know_apart(  # noqa: PLR0913, PLR0917 - as kernels are
    states: Any,
    actions: Any,
    rows: Any,
    teams: Any,
    odds: Any,
    cases: Any,
    scratch: Any,
    params: Any,
    events: Any,
    own: Any,
    shown: Any,
    found: Any,
) -> None:
    """Play the moves of a game; `found`, shape (moves,), is how far apart both beliefs are before a miner's move, else nan."""
    state, case = states[0], cases[0]
    open_case(case, scratch[0], params)
    for move in range(len(actions)):
        seat = state.to_move
        found[move] = np.nan
        if state.roles[seat] == MINER:
            posterior(case, seat, MINER, goals_possible(state, seat), DEPENDENT, teams, odds, scratch[0], own)
            posterior(case, seat, MINER, case.gold_may_be, DEPENDENT, teams, odds, scratch[0], shown)
            found[move] = 0.0
            for number in range(len(teams)):
                mine = own[number, 0] + own[number, 1] + own[number, 2]
                theirs = shown[number, 0] + shown[number, 1] + shown[number, 2]
                if mine > 0.0:
                    found[move] += mine * np.log(mine / max(theirs, LEAST))
        advance(state, actions[move], params, events[0])
        observe(case, events[0], rows, teams, odds, scratch[0], params)


def table_of(ruleset: str) -> Saboteur:
    """The game with five seats."""
    return check_game("the benchmark", make_game("saboteur", ruleset, SEATS))


def there_is_to_tell(ruleset: str, player: str, games: int) -> list[float]:
    """What miners know apart, by thirds of a round."""
    game = table_of(ruleset)
    teams, odds = deal_of(game)
    seeds = game_seeds(3, 0, games)
    moves = play(game, [AGENTS.make(player)] * SEATS, seeds, keep_actions=True).actions or []
    states = game.new(seeds)
    thirds: list[list[float]] = [[], [], []]
    for number, made in enumerate(moves):
        found, scratch = np.zeros(len(made)), np.zeros(1, SCRATCH)
        know_apart(
            states[number : number + 1],
            np.array(made, np.int32),
            habits(),
            teams,
            odds,
            new_cases(1, SEATS),
            scratch,
            game.params,
            np.zeros(1, game.event_dtype),
            np.zeros((len(teams), 3)),
            np.zeros((len(teams), 3)),
            found,
        )
        for move, apart in enumerate(found):
            if not np.isnan(apart):
                thirds[3 * move // len(found)].append(float(apart))
    return [float(np.mean(third)) for third in thirds]


def accusations(games: int) -> Counter[tuple[int, bool]]:
    """How many accusations among five `mole` are true and false, by the role of the accuser."""
    game = table_of("krisnadi:speak=yes")
    seeds = game_seeds(4, 0, games)
    moves = play(game, [AGENTS.make("mole")] * SEATS, seeds, keep_actions=True).actions or []
    states = game.new(seeds)
    said: Counter[tuple[int, bool]] = Counter()
    for number, made in enumerate(moves):
        roles, state = game.roles_of(states[number : number + 1])[0], states[number : number + 1]
        for move in made:
            text, seat = game.format_action(move), int(game.to_move(state)[0])
            if text.startswith("accuse>"):
                said[int(roles[seat]), bool(roles[int(text[-1])] == SABOTEUR)] += 1
            game.apply(state, np.array([move], np.int32))
    return said


def wins(miners: tuple[str, ...], saboteurs: tuple[str, ...], speaks: float, games: int) -> tuple[float, float, float]:
    """How often miners win, and the interval, in percent."""
    game = table_of("krisnadi:speak=yes")
    table = [AGENTS.make(f"mole:speaks={speaks}" if spec == "mole" else spec) for spec in (*miners, *saboteurs)]
    roles = np.tile(np.array([[MINER] * len(miners) + [SABOTEUR] * len(saboteurs)], np.int8), (games, 1))
    states = play(game, table, game_seeds(40031, 0, games), roles).states
    won = int((game.outcome_codes(states) == 0).sum())
    low, high = wilson(won, games)
    return 100 * won / games, 100 * low, 100 * high


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, nargs="?", default=1000)
    games = parser.parse_args().games
    for ruleset in ("krisnadi", "official:rounds=1"):
        for player in ("mole", "decision-2019"):
            told = ", ".join(f"{apart:.3f}" for apart in there_is_to_tell(ruleset, player, min(games, 300)))
            print(f"known to miners alone, five {player} in {ruleset}, by thirds of a round: {told} nats")
    said = accusations(min(games, 200))
    for role, name in ((MINER, "miners"), (SABOTEUR, "saboteurs")):
        true, false = said[role, True], said[role, False]
        print(f"accusations by {name} among five mole: {true} true, {false} false")
    for miners, saboteurs in TEAMS:
        for speaks, words in ((2.0, "nobody speaks"), (0.6, "mole speaks")):
            rate, low, high = wins(miners, saboteurs, speaks, games)
            print(
                f"{','.join(miners)} against {','.join(saboteurs)}, {words}: miners win {rate:.1f} % ({low:.1f} to {high:.1f})"
            )


if __name__ == "__main__":
    main()
