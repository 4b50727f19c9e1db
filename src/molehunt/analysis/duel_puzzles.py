"""Puzzles from the duel: finish in two. One tile alone, laid now, lets another of the hand reach the nugget with the next move."""

from __future__ import annotations

from collections import Counter

import numpy as np

from molehunt.analysis.puzzle import OPTIONS, Maker, Option, Puzzle, cut, played_game
from molehunt.core.game import Game, States
from molehunt.core.language import _
from molehunt.core.replay import Played
from molehunt.games.duel.actions import LAY, card_of, play_of
from molehunt.games.duel.cards import NO_CARD, NUGGET
from molehunt.table.game_words import words_of
from molehunt.table.people import NAMES

PLAYERS = ("greedy-2020", "duel-star:digger")
ROW = np.zeros(1, np.int64)


def finish_in_two(seed: int) -> Puzzle | None:
    """The first moment of a game at which exactly one tile prepares the last one, and none finishes at once."""
    played = played_game("duel", "mcgill", PLAYERS, seed)
    for place, state in enumerate(played.states[:-1]):
        mover = int(played.game.to_move(state)[0])
        if not (played.view(place, mover)["goals"] == NUGGET).any():
            continue
        first = [move for move in tiles(played.game, state) if wins(played.game, state, move, mover)]
        prepares = [] if first else ways_to_finish(played.game, state)
        # What looks the same in two ways is no question.
        if len(prepares) == 1:
            return _puzzle(played, place, mover, prepares[0], seed)
    return None


def ways_to_finish(game: Game, state: States) -> list[int]:
    """The tiles after which another tile of the same hand would finish, if the other did nothing and no card were drawn."""
    mover = int(game.to_move(state)[0])
    hand = Counter(int(card) for card in game.views(state, np.array([mover], np.int8))["hand"][0] if card != NO_CARD)
    found = []
    for move in tiles(game, state):
        after = state.copy()
        game.apply(after, np.array([move], np.int32), ROW)
        if int(game.to_move(after)[0]) < 0:
            continue
        # The same seat moves again.
        after["to_move"][0] = mover
        left = hand - Counter([int(card_of(move))])
        second = [again for again in tiles(game, after) if left[int(card_of(again))]]
        if any(wins(game, after, again, mover) for again in second):
            found.append(move)
    return found


def tiles(game: Game, state: States) -> list[int]:
    """The legal moves that lay a tile."""
    return [move for move in game.legal_in(state).codes if play_of(move) == LAY]


def wins(game: Game, state: States, move: int, seat: int) -> bool:
    """Whether a move wins the game for its seat."""
    after = state.copy()
    game.apply(after, np.array([move], np.int32), ROW)
    outcome = game.outcome(after)
    return outcome is not None and seat in outcome.winners


def _puzzle(played: Played, place: int, mover: int, answer: int, seed: int) -> Puzzle:
    game = played.game
    chance = np.random.default_rng(seed)
    wrong = [move for move in tiles(game, played.states[place]) if move != answer]
    offered = [answer, *chance.permutation(wrong)[: OPTIONS - 1].tolist()]
    words = words_of(game)
    says = {move: words.move(game.format_action(move), NAMES, mover) for move in offered}
    return cut(
        played,
        place,
        mover,
        [Option(says[move], float(move == answer)) for move in chance.permutation(offered).tolist()],
        kind="finish",
        question=_("Finish in two: which tile first?"),
        told=_(
            "You are {name}, and know where the nugget is. Two tiles of your hand reach it, if you are let.",
            name=NAMES[mover],
        ),
        why=_(
            "{move}: of {number} ways to lay a tile, it alone leaves the last one to your hand.",
            move=says[answer],
            number=len(wrong) + 1,
        ),
    )


FINISH = Maker("duel", finish_in_two)
