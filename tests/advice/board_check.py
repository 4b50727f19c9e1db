"""A simulated board game played through with the adviser, everything it says compared with all deals, listed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from advice.board_game import BoardGame, Truth, mistaken, simulate, with_one_who_leaves
from molehunt.advice.entries import Entry
from molehunt.advice.session import AdviceSession
from molehunt.agents.speed_clue.beside import with_known
from molehunt.beliefs.deals.layers import total_weight
from molehunt.core.errors import BadInput
from molehunt.games.speed_clue.resample import facts_of_views

EXPLAINED = 3
"""How many certain things are explained at each moment."""
WITHOUT = 4
"""The most entries of a conflict or an explanation of which it is looked at whether fewer others would do."""


def check_game(seed: int) -> Counter[str]:
    """Play a game through; how much was compared. AssertionError where anything differs."""
    return check_entries(simulate(seed), random.Random(seed + 1))


def check_game_that_one_leaves(seed: int) -> Counter[str]:
    """The same for a game of three or more that a player leaves in the middle."""
    chance = random.Random(seed + 1)
    while (game := simulate(seed)).deal.players < 3:
        seed += 1000
    return check_entries(with_one_who_leaves(game, chance), chance)


def check_entries(game: BoardGame, chance: random.Random) -> Counter[str]:
    """Enter a game; how much was compared. AssertionError where anything differs."""
    found = Counter(games=1)
    session = AdviceSession(game.deal)
    truths: list[Truth] = []
    for number in range(len(game.entries) + 1):
        if number:
            assert session.add(game.entries[number - 1]) is None
            truths.append(game.truth(game.entries[number - 1]))
        found += _check_shares(game, session, truths)
        found += _check_explanations(game, session, truths, chance)
        found += _check_conflict(game, session, truths, mistaken(game, chance))
    return found


def _left(game: BoardGame, truths: Sequence[Truth]) -> Truth:
    """The deals that agree with some entries."""
    left = np.ones(len(game.all_deals), np.bool_)
    for truth in truths:
        left &= truth
    return left


def _check_shares(game: BoardGame, session: AdviceSession, truths: Sequence[Truth]) -> Counter[str]:
    """Every probability, and that the players of the library are told as much."""
    left = _left(game, truths)
    expected = game.places[left].mean(axis=0)
    shares = session.shares()
    assert np.abs(shares - expected).max() < 1e-9
    envelopes = Counter(hands[-1] for hands, meets in zip(game.all_deals, left, strict=True) if meets)
    solutions = session.solutions()
    assert len(solutions) == len(envelopes)
    assert all(abs(share - envelopes[frozenset(cards)] / left.sum()) < 1e-9 for cards, share in solutions)
    deal, clue = session.deal, session.game()
    facts = facts_of_views(session.view(), clue.params)
    facts = with_known(facts, session.beside().known, deal.me, deal.players, len(deal.edition.names))
    assert total_weight(facts) == left.sum()
    return Counter(states=1, probabilities=shares.size + len(solutions))


def _check_explanations(
    game: BoardGame, session: AdviceSession, truths: Sequence[Truth], chance: random.Random
) -> Counter[str]:
    """Of some things that are certain: that they follow from the entries named, and from no fewer."""
    deal, shares = session.deal, session.shares()
    known = [
        (card, place)
        for card in range(len(shares))
        for place in (*deal.others, deal.players)
        if not deal.in_sight(card) and shares[card, place] in (0.0, 1.0)
    ]
    for card, place in chance.sample(known, min(EXPLAINED, len(known))):
        here = shares[card, place] == 1
        violating = game.places[:, card, place] != here
        _check_smallest(game, session.explain(card, place).entries, [*truths], violating)
    return Counter(explanations=min(EXPLAINED, len(known)))


def _check_conflict(game: BoardGame, session: AdviceSession, truths: Sequence[Truth], wrong: Entry) -> Counter[str]:
    """An entry with a mistake: whether it is found, and that what is named contradicts itself and nothing less does."""
    try:
        conflict = session.add(wrong)
    except BadInput:
        return Counter(refused=1)
    truths = [*truths, game.truth(session.entries[-1])]
    assert (conflict is None) == _left(game, truths).any()
    if conflict is not None:
        _check_smallest(game, conflict.entries, truths, np.ones(len(game.all_deals), np.bool_))
    session.undo()
    return Counter(conflicts=conflict is not None)


def _check_smallest(game: BoardGame, entries: Sequence[int], truths: Sequence[Truth], violating: Truth) -> None:
    """That no violating deal agrees with these entries, but one does where one of them is left out, or where there are fewer."""
    named = [truths[number - 1] for number in entries]
    assert not (_left(game, named) & violating).any()
    for number in range(len(named)):
        assert (_left(game, [*named[:number], *named[number + 1 :]]) & violating).any(), entries
    if 0 < len(named) <= WITHOUT:
        for fewer in combinations(truths, len(named) - 1):
            assert (_left(game, fewer) & violating).any(), (entries, len(fewer))
