"""How often each finer class of moves comes in the duel, from players that dig, learned, search, or play at random.

python benchmarks/duel_classes.py --games 600 --seed 77

The four tables, shape (4, 12), stand in `agents/duel/opponent.py`. Every player sits once against each of some others, and the
strangers below seed `games` + 1 play a game each: none on whom anything is reported.
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

from molehunt.agents.duel.opponent import FINE_SORTS, MIND, fine_sort, note_events, open_mind, place_of_mover
from molehunt.arena.workers import the_game, the_player
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.duel.actions import card_of, play_of
from molehunt.games.duel.state import EVENT, SEATS
from molehunt.studies.duel_games import RULESET

PLACES = 4
SLOW = ("duel-star:plays_on",)
"""Players that think longer: with them a sixth of the games is played."""
RARE = 0.01
"""A class is never taken to be rarer than this."""
KINDS = {
    "FINE_DIGS": (("greedy-2020", "duel-star:digger"), ("duel-star:digger", "learned"), ("stranger", "learned")),
    "FINE_LEARNED": (("learned", "greedy-2020"), ("learned", "learned"), ("learned", "stranger")),
    "FINE_SEARCHES": (("duel-star:plays_on", "learned"), ("duel-star:plays_on", "duel-star:digger")),
    "FINE_RANDOM": (
        ("random-listed", "duel-star:digger"),
        ("random-listed", "learned"),
        ("random", "duel-star:digger"),
        ("random-listed", "greedy-2020"),
    ),
}


def count(player: str, other: str, games: int, seed: int) -> npt.NDArray[np.int64]:
    """How often each class came where, over the moves of a player who has each seat in turn: shape (PLACES, FINE_SORTS)."""
    counts = np.zeros((PLACES, FINE_SORTS), np.int64)
    game = the_game("duel", RULESET, SEATS)
    one_by_one = "stranger" in (player, other)
    for number in range(games if one_by_one else SEATS):
        seat = number % SEATS
        players = [f"{name}:seed={number + 1}" if name == "stranger" else name for name in (player, other)]
        agents = [the_player(game.name, name) for name in (players if seat == 0 else players[::-1])]
        seeds = game_seeds(seed, number if one_by_one else 0, 1 if one_by_one else games // SEATS)
        played = play(game, agents, seeds, keep_actions=True)
        for index, actions in enumerate(played.actions or []):
            states = game.new(seeds[index : index + 1])
            mind, event = np.zeros(1, MIND), np.zeros(1, EVENT)
            open_mind(mind, game.views(states, np.array([1 - seat], np.int8)), 0.5, 0.5)
            for action in actions:
                mover = int(states["to_move"][0])
                place, before = place_of_mover(mind[0], mover), mind["ways"].sum()
                event[:] = game.apply(states, np.array([action], np.int32))[0, 1 - seat]
                note_events(event, mind, np.zeros(1, np.int64))
                if mover == seat:
                    counts[place, fine_sort(play_of(action), card_of(action), before - mind["ways"].sum())] += 1
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--table", choices=list(KINDS), action="append", help="only this one; several times: these")
    options = parser.parse_args()
    for name in options.table or KINDS:
        counts = np.zeros((PLACES, FINE_SORTS), np.int64)
        for player, other in KINDS[name]:
            counts += count(player, other, options.games // (6 if player in SLOW else 1), options.seed)
        often = np.maximum(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1), RARE)
        print(f"{name} = np.array(  # of {counts.sum():,} moves\n    [")
        for row in often:
            print(f"        [{', '.join(f'{chance:.3f}' for chance in row)}],")
        print("    ]\n)", flush=True)


if __name__ == "__main__":
    main()
