"""Strangers of Saboteur: a seed is a player, styles differ, and the careless move at random now and then."""

from __future__ import annotations

import numpy as np

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.stranger import Dice, StrangerAgent, drawn, style_in_words
from molehunt.core.game import Game, Seeds, Views
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game

AGENTS = Agents("saboteur")


def moves_of(spec: str, ruleset: str = "krisnadi", games: int = 4) -> list[list[int]] | None:
    return play(
        make_game("saboteur", ruleset, 5), [AGENTS.make(spec)] * 5, game_seeds(1, 0, games), keep_actions=True
    ).actions


def test_a_seed_is_always_the_same_stranger_and_another_is_another() -> None:
    assert moves_of("stranger:seed=3") == moves_of("stranger:seed=3") != moves_of("stranger:seed=4")


def test_all_styles_are_drawn_by_their_shares() -> None:
    strangers = [drawn(seed) for seed in range(600)]
    noise = np.array([each[1] for each in strangers])
    assert abs((noise == 0).mean() - 0.6) < 0.08 and abs((noise == 0.15).mean() - 0.15) < 0.06
    for words, share in (("others may believe", 0.55), ("trust", 0.35), ("means and ends", 0.1)):
        assert abs(np.mean([words in each[2] for each in strangers]) - share) < 0.08
    assert all(("careless" in style_in_words(each[2], each[1])) == (each[1] > 0) for each in strangers)


def test_weights_are_spread_around_the_usual_ones() -> None:
    dice = Dice(5)
    usual = type("Usual", (), {"one": 2.0})()
    found = np.array([dice.scaled(usual, ["one"])["one"] for _ in range(60)])
    assert 2 / np.e <= found.min() < 1.2 and 3.5 < found.max() <= 2 * np.e


def test_the_careless_make_moves_that_they_would_not_have_thought_of() -> None:
    game, seeds = make_game("saboteur", "krisnadi", 4), game_seeds(2, 0, 40)
    careless = StrangerAgent("stranger")
    careless.thinker, careless.noise = AGENTS.make("decision-2019"), 0.15
    together = play(game, [careless, *[AGENTS.make("decision-2019")] * 3], seeds, keep_actions=True)
    alone = play(game, [AGENTS.make("decision-2019")] * 4, seeds, keep_actions=True)
    assert together.actions is not None and alone.actions is not None
    parted = sum(one != other for one, other in zip(together.actions, alone.actions, strict=True))
    assert parted > 20
    careless.noise = 0.0
    assert (
        play(game, [careless, *[AGENTS.make("decision-2019")] * 3], seeds, keep_actions=True).actions == alone.actions
    )


def careless_at(games: int) -> tuple[Game, StrangerAgent, Views, Seeds]:
    """A game of four, a careless stranger, and what it sees as so many games begin, with a stream for each."""
    game = make_game("saboteur", "krisnadi", 4)
    careless = StrangerAgent("stranger")
    careless.thinker, careless.noise = AGENTS.make("decision-2019"), 0.15
    states = game.new(game_seeds(3, 0, games))
    return game, careless, game.views(states, game.to_move(states)), game_seeds(4, 0, games)


def test_the_careless_err_as_often_as_their_noise_says() -> None:
    """Their moves are those of the player that thinks, told what they did, but for that share of legal ones drawn by chance."""
    games = 300
    game, careless, views, streams = careless_at(games)
    every = np.arange(games)
    memory = careless.start(game, views, streams)
    chosen = careless.act(views, memory, every)
    thought = careless.thinker.act(views, careless.thinker.start(game, views, streams), every)
    choices = np.array([len(game.legal_actions(views[row : row + 1])) for row in every])
    expected = 0.15 * (1 - 1 / choices).mean()
    assert abs((chosen != thought).mean() - expected) < 3 * np.sqrt(expected / games)


def test_the_careless_say_of_the_move_that_they_make_whether_they_thought_of_it() -> None:
    games = 60
    game, careless, views, streams = careless_at(games)
    memory = careless.start(game, views, streams)
    told = [careless.why(game, views[row], memory, row) for row in range(games)]
    assert told == [careless.why(game, views[row], memory, row) for row in range(games)]
    thought = careless.thinker.act(
        views, careless.thinker.start(game, views, game_seeds(4, 0, games)), np.arange(games)
    )
    chosen = careless.act(views, memory, np.arange(games))
    by_lot = [" by lot." in text for text in told]
    assert 0 < sum(by_lot) < games / 3
    for text, move, choice, lot in zip(told, chosen.tolist(), thought.tolist(), by_lot, strict=True):
        assert f" {'it chooses' if lot else 'I choose'} {game.format_action(move)}{' by lot.' if lot else ': '}" in text
        assert lot or move == choice


def test_they_say_what_they_are() -> None:
    game = make_game("saboteur", "veldhuis", 5)
    agent = AGENTS.make("stranger:seed=1")
    states = game.new(game_seeds(4, 0, 1))
    seat = game.to_move(states)
    view = game.views(states, seat)
    memory = agent.start(game, view, np.ones(1, np.uint64))
    assert agent.why(game, view, memory, 0).startswith("A stranger that thinks of what others may believe, undercover")
    assert agent.beliefs(game, view, memory, 0)
