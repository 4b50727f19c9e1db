"""What the learners beside this file share: what they are told on the command line, and how good they are, before and after."""

import argparse
import time

import numpy as np

from molehunt.adapters.gymnasium_vector import SeatVectorEnv
from molehunt.arena.statistics import wilson

MEASURED_FROM = 1_000_000_000
"""The seeds of the games that are measured; those of training lie far below."""


def settings(about, steps):
    """What was asked for: the game, its opponents, how long to learn, how many games to measure, the seed."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--label", default="speed_clue/mitchell", help="the game, as it is typed")
    parser.add_argument("--seats", type=int, default=3, help="how many play")
    parser.add_argument("--opponents", default="random", help="who sits on all other seats")
    parser.add_argument("--steps", type=int, default=steps, help="moves of the learner to learn from")
    parser.add_argument("--games", type=int, default=1000, help="games to measure, before and after")
    parser.add_argument("--seed", type=int, default=1, help="of everything")
    return parser.parse_args()


def win_rate(asked, choose):
    """How often the learner wins, its seat drawn anew each game: (wins, games). `choose(observations, masks)` gives actions."""
    table = SeatVectorEnv(asked.label, asked.games, asked.seats, opponents=asked.opponents, illegal_reward=None)
    observations, info = table.reset(seed=MEASURED_FROM)
    ended, won = np.zeros(asked.games, bool), np.zeros(asked.games, bool)
    while not ended.all():
        observations, rewards, over, _, info = table.step(choose(observations, info["action_mask"]))
        won |= ~ended & over & (rewards > 0)
        ended |= over
    return int(won.sum()), asked.games


def random_choice(seed):
    """A player that picks any legal action."""
    random = np.random.default_rng(seed)
    return lambda _, masks: (random.random(masks.shape) * masks).argmax(axis=1)


def report(asked, learn):
    """Measure random play, let `learn(asked)` learn and give its `choose`, measure that, and say what came of it."""
    print(f"{asked.label}, {asked.seats} seats, against {asked.opponents}; {asked.steps} steps, seed {asked.seed}")
    tell("random play", *win_rate(asked, random_choice(asked.seed)))
    began = time.perf_counter()
    choose = learn(asked)
    print(f"learned for {time.perf_counter() - began:.0f} s", flush=True)
    tell("the learner", *win_rate(asked, choose))


def tell(who, wins, games):
    low, high = wilson(wins, games)
    print(f"{who} wins {wins} of {games} games: {wins / games:.1%} ({low:.1%} to {high:.1%})", flush=True)
