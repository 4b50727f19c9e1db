"""Who sits where in the games of an update."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.errors import BadInput, BadParameter, UnknownName
from molehunt.games.compiled import CompiledGame
from molehunt.games.registry import make_game
from molehunt.learning.definition import PAST, SELF, STRANGERS
from molehunt.learning.seating import LAST_STRANGER, Seating, stranger, strangers_stay

GAMES = 4000


def saboteur(ruleset: str = "krisnadi", seats: int = 4) -> CompiledGame:
    game = make_game("saboteur", ruleset, seats)
    assert isinstance(game, CompiledGame)
    return game


def test_the_learner_has_its_roles_on_all_seats_as_often_as_they_weigh() -> None:
    game = saboteur()
    learner = Agents("saboteur").make("random")
    seating = Seating.of(game, {"saboteur": 3, "miner": 1}, {"decision-2019": 1})
    seats: Counter[int] = Counter()
    roles: Counter[int] = Counter()
    for lot in seating.lots(learner, [], 0, GAMES, 1):
        (seat,) = lot.learners
        assert lot.roles is not None and (lot.roles.sum(axis=1) == 1).all()
        assert [agent is learner for agent in lot.agents] == [each == seat for each in range(4)]
        seats[seat] += len(lot.seeds)
        roles.update(lot.roles[:, seat].tolist())
    assert sum(seats.values()) == GAMES
    assert all(abs(count / GAMES - 0.25) < 0.03 for count in seats.values())
    assert abs(roles[1] / GAMES - 0.75) < 0.03


def test_opponents_are_met_as_often_as_they_weigh_and_past_selves_alike() -> None:
    learner, old, older = (Agents("saboteur").make("random") for _ in range(3))
    seating = Seating.of(saboteur(), {}, {"decision-2019": 2, SELF: 1, PAST: 1})
    met: Counter[str] = Counter()
    for lot in seating.lots(learner, [old, older], 0, GAMES, 1):
        assert lot.roles is None
        others = {id(agent) for agent in lot.agents} - {id(learner)}
        names = {id(old): "old", id(older): "older", id(seating.players["decision-2019"]): "decision-2019"}
        who = names[others.pop()] if others else SELF
        assert not others and (len(lot.learners) == 4) == (who == SELF)
        met[who] += len(lot.seeds)
    assert abs(met["decision-2019"] / GAMES - 0.5) < 0.03 and abs(met[SELF] / GAMES - 0.25) < 0.03
    assert abs(met["old"] - met["older"]) < 0.03 * GAMES
    alone = seating.lots(learner, [], 0, GAMES, 1)
    assert {id(agent) for lot in alone for agent in lot.agents} == {id(learner), id(seating.players["decision-2019"])}


def test_opponents_that_weigh_nothing_are_never_met() -> None:
    game = saboteur()
    learner = Agents("saboteur").make("learned")
    alone = Seating.of(game, {}, {PAST: 1.0, "random": 0.0})  # at first, there are no past selves
    assert {agent for lot in alone.lots(learner, [], 0, 50, 1) for agent in lot.agents} == {learner}
    both, one = (Seating.of(game, {}, {SELF: 1.0, **more}) for more in ({"random": 0.0}, {}))
    assert [lot.seeds.tolist() for lot in both.lots(learner, [], 0, 50, 1)] == [
        lot.seeds.tolist() for lot in one.lots(learner, [], 0, 50, 1)
    ]


def test_strangers_are_drawn_anew_for_every_few_games_and_none_of_those_that_reports_meet() -> None:
    learner = Agents("saboteur").make("random")
    seating = Seating.of(saboteur(), {}, {STRANGERS: 1})
    lots = [lot for first in (0, 2000) for lot in seating.lots(learner, [], first, 2000, 1)]
    known = {id(stranger("saboteur", seed)): seed for seed in range(LAST_STRANGER + 1)}
    met = [[known[id(agent)] for agent in lot.agents if agent is not learner] for lot in lots]
    assert all(len(seeds) == 3 for seeds in met)
    assert all(len(lot.seeds) <= 4 for lot in lots) and sum(len(lot.seeds) for lot in lots) == 4000
    counts = Counter(seed for seeds in met for seed in seeds)
    assert len(counts) > 0.9 * LAST_STRANGER and max(counts.values()) < 20
    again = seating.lots(learner, [], 0, 2000, 1)
    assert [lot.agents for lot in again] == [lot.agents for lot in lots[: len(again)]]


def test_strangers_stay_for_longer_only_in_large_updates() -> None:
    assert [strangers_stay(games) for games in (1, 500, 2000, 2001, 8000)] == [4, 4, 4, 5, 16]
    learner = Agents("saboteur").make("random")
    lots = Seating.of(saboteur(), {}, {STRANGERS: 1}).lots(learner, [], 0, 4000, 1)
    assert max(len(lot.seeds) for lot in lots) == 8 and 500 <= len(lots) <= 504


def test_the_same_seed_gives_the_same_games_and_later_games_are_others() -> None:
    seating = Seating.of(saboteur(), {"saboteur": 1}, {"decision-2019": 1})
    learner = Agents("saboteur").make("random")

    def seeds(first: int, seed: int) -> list[list[int]]:
        return [lot.seeds.tolist() for lot in seating.lots(learner, [], first, 50, seed)]

    assert seeds(0, 1) == seeds(0, 1)
    every = [set(np.concatenate(seeds(*each)).tolist()) for each in ((0, 1), (50, 1), (0, 2))]
    assert len(set.union(*every)) == 150


def test_what_cannot_be_seated_is_refused() -> None:
    with pytest.raises(UnknownName, match="role"):
        Seating.of(saboteur(), {"thief": 1}, {SELF: 1})
    with pytest.raises(UnknownName, match="agent"):
        Seating.of(saboteur(), {}, {"decision": 1})
    with pytest.raises((BadInput, BadParameter), match="rounds=1"):
        Seating.of(saboteur("official", 5), {"saboteur": 1}, {SELF: 1})
    duel = make_game("duel", "mcgill", 2)
    assert isinstance(duel, CompiledGame)
    with pytest.raises(UnknownName):
        Seating.of(duel, {"miner": 1}, {SELF: 1})
