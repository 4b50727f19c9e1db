"""`ismcts` in every game: whole games, what it may know, what it infers, and what it tells people."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from games.test_every_game import SETUPS, compiled_game
from molehunt.agents.ismcts import EDITIONS, IsmctsAgent, Memory, Mind
from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent, Past
from molehunt.core.errors import BadInput, BadParameter, UnknownName
from molehunt.core.game import Game
from molehunt.core.match import play
from molehunt.core.panels import Bars
from molehunt.core.seats import NOBODY
from molehunt.core.specs import build
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.registry import make_game
from search.tiny_games import TRAITOR
from search.traitor_kernels import HARM, HELP

ROW = np.zeros(1, np.int64)
SPECS = (
    "iterations=12",
    "iterations=12,trees=single,selection=ucb",
    "cowling_2015,iterations=12",
    "reading,iterations=12,roots=2,threads=2",
)


def made(items: str) -> IsmctsAgent:
    return IsmctsAgent(f"ismcts:{items}", build("ismcts", EDITIONS, items.split(",")))


def view_of(game: Game, states: np.ndarray, seat: int) -> Any:
    return game.views(states, np.array([seat], np.int8))


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: f"{setup[0]}/{setup[1]}/{setup[2]}")
def test_it_plays_whole_games_of_every_game(setup: tuple[str, str, int]) -> None:
    game = compiled_game(setup)
    for number, items in enumerate(SPECS):
        agent = Agents(game.name).make(f"ismcts:{items}")
        assert isinstance(agent, IsmctsAgent)
        others = Agents(game.name).make("random")
        agents: list[Agent] = [agent if seat % 2 == number % 2 else others for seat in range(game.seats)]
        seeds = game_seeds(number, 0, 1)
        played, again = (play(game, agents, seeds, keep_actions=True) for _ in range(2))
        assert played.actions == again.actions
        assert game.to_move(played.states)[0] == NOBODY


def test_threads_and_batches_change_no_game() -> None:
    game = make_game("saboteur", "krisnadi", 4)
    agents = [made(f"reading,iterations=40,roots=4,threads={threads}") for threads in (1, 2)]
    seeds = game_seeds(3, 0, 2)
    one, two = (play(game, [agent] * 4, seeds, keep_actions=True).actions for agent in agents)
    alone = play(game, [agents[0]] * 4, seeds[1:], keep_actions=True).actions
    assert one == two
    assert one is not None and alone == one[1:]


# --- What it may know ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("items", ["iterations=60", "reading,iterations=60", "iterations=60,trees=single"])
@pytest.mark.parametrize(
    ("name", "ruleset", "seats"), [("saboteur", "krisnadi", 4), ("speed_clue", "small", 3), ("duel", "mcgill", 2)]
)
def test_what_is_hidden_changes_no_choice(name: str, ruleset: str, seats: int, items: str) -> None:
    """The same views and events with another truth behind them lead to the same moves."""
    game, agent = make_game(name, ruleset, seats), made(items)
    other = Agents(name).make("random")
    streams = seat_streams(game_seeds(2, 0, 1), seats)[0]
    states = game.new(game_seeds(2, 0, 1))
    examined = agent.start(game, view_of(game, states, 0), streams[:1])
    memories = [other.start(game, view_of(game, states, seat), streams[seat : seat + 1]) for seat in range(seats)]
    differs = 0
    for number in range(24):
        seat = int(game.to_move(states)[0])
        if seat == NOBODY:
            break
        view = view_of(game, states, seat)
        if seat:
            action = other.act(view, memories[seat], ROW)
        else:
            again = game.resample(view, game_seeds(number, 0, 1))
            differs += again.tobytes() != states.tobytes()
            chosen = agent.act(view_of(game, again, 0), agent.copy_memory(examined), ROW)
            action = agent.act(view, examined, ROW)
            assert action.tolist() == chosen.tolist()
        events = game.apply(states, action)
        if agent.observes:
            agent.observe(events[:, 0], examined, ROW)
    assert differs


# --- What it infers -----------------------------------------------------------------------------------------------------


def told_game(agent: IsmctsAgent, roles: list[int], seed: int) -> list[Mind]:
    """The minds of seat 0 before its two moves and at the end of a game in which the traitor harms and the others help."""
    states = TRAITOR.new(game_seeds(seed, 0, 1), np.array([roles], np.int8))
    memory = agent.start(TRAITOR, view_of(TRAITOR, states, 0), game_seeds(seed, 7, 1))
    minds = []
    while (seat := int(TRAITOR.to_move(states)[0])) != NOBODY:
        if seat == 0:
            agent.act(view_of(TRAITOR, states, 0), memory, ROW)
            memory.minds[0].moved = HARM if roles[0] else HELP
            minds.append(agent.copy_memory(memory).minds[0])
        events = TRAITOR.apply(states, np.array([HARM if roles[seat] else HELP], np.int32))
        agent.observe(events[:, 0], memory, ROW)
    return [*minds, memory.minds[0]]


@pytest.mark.parametrize("items", ["inference=bayes", "inference=cowling", "reading", "cowling_2015"])
def test_the_true_traitor_becomes_likelier(items: str) -> None:
    agent = made(f"{items},iterations=400")
    chances = []
    for seed in range(10):
        true = 1 + seed % 2
        minds = told_game(agent, [int(seat == true) for seat in range(3)], seed)
        for mind in minds:
            assert mind.weights is not None
            assert mind.weights.sum() == pytest.approx(1)
        chances.append([mind.weights[1 << true] for mind in minds if mind.weights is not None])
    start, middle, end = np.mean(chances, axis=0)
    assert start == pytest.approx(0.5, abs=0.05)
    assert middle > start + 0.05
    assert end > middle + 0.02


@pytest.mark.parametrize("items", ["reading,iterations=400", "cowling_2015,iterations=400"])
def test_what_an_onlooker_believes_does_not_know_the_searchers_role(items: str) -> None:
    # Seat 0 is the traitor and harms: an onlooker comes to suspect it, and no other.
    minds = told_game(made(items), [1, 0, 0], 5)
    assert all(mind.weights is not None and mind.weights[1] > 0.98 for mind in minds)
    assert minds[0].others is not None and minds[-1].others is not None
    assert minds[0].others[[1, 2, 4]].min() > 0.15


def test_told_the_past_it_takes_its_own_moves_for_its_own() -> None:
    game, agent = make_game("saboteur", "small", 3), made("reading,iterations=200")
    learned = 0
    for seed in range(4):
        states = game.new(game_seeds(seed, 0, 1))
        seat = int(game.to_move(states)[0])
        first, stream = view_of(game, states, seat), seat_streams(game_seeds(seed, 0, 1), 3)[:, seat].copy()
        sat = agent.start(game, first, stream.copy())
        told = [game.apply(states, agent.act(first, sat, ROW))[:, seat]]
        agent.observe(told[0], sat, ROW)
        believed = sat.minds[0].weights
        for _ in range(2):
            told.append(game.apply(states, np.array(game.legal_in(states).codes[:1], np.int32))[:, seat])
            agent.observe(told[-1], sat, ROW)
        assert believed is not None and sat.minds[0].weights is not None
        learned += bool((sat.minds[0].weights != believed).any())
        late = agent.catch_up(game, Past(first, np.stack(told, axis=1)), stream.copy())
        assert late.minds[0].chain == sat.minds[0].chain and late.minds[0].depth == 3
        assert late.minds[0].weights is not None
        assert late.minds[0].weights.tolist() == sat.minds[0].weights.tolist()
    assert learned


def test_without_inference_it_believes_nothing() -> None:
    agent = made("iterations=10")
    assert not agent.observes
    states = TRAITOR.new(game_seeds(1, 0, 1))
    memory = agent.start(TRAITOR, view_of(TRAITOR, states, 0), game_seeds(1, 0, 1))
    assert agent.beliefs(TRAITOR, view_of(TRAITOR, states, 0), memory, 0) == ()


def test_a_new_deal_of_roles_is_believed_anew() -> None:
    game = make_game("saboteur", "official", 3)
    agent, other = made("reading,iterations=12"), Agents("saboteur").make("random")
    played = play(game, [agent, other, other], game_seeds(4, 0, 1))
    memory = next(chairs.memory for chairs in played.chairs if chairs.agent is agent)
    assert isinstance(memory, Memory)
    assert memory.minds[0].deal == 2
    view = view_of(game, game.new(game_seeds(9, 0, 1)), 0)
    fresh = agent.start(game, view, game_seeds(1, 0, 1))
    fresh.minds[0].deal, fresh.minds[0].weights = 1, np.eye(8)[1]
    agent.act(view_of(game, moved_to(game, 0), 0), fresh, ROW)
    assert fresh.minds[0].deal == 0
    assert (fresh.minds[0].weights > 0.05).sum() > 1


@pytest.mark.parametrize("items", ["reading,iterations=200", "cowling_2015,iterations=200"])
def test_what_others_do_in_a_new_deal_before_ones_own_first_move_is_read(items: str) -> None:
    """As by who sits down when the roles are dealt."""
    game, agent = make_game("saboteur", "official", 3), made(items)
    chance, states = np.random.default_rng(2), game.new(game_seeds(4, 0, 1))
    streams = seat_streams(game_seeds(4, 0, 1), 3)[0]
    memories = [agent.start(game, view_of(game, states, seat), streams[seat : seat + 1]) for seat in range(3)]
    fresh: dict[int, Any] = {}
    heard = 0
    while fresh or states["round"][0] == 0:
        seat = int(game.to_move(states)[0])
        view, memory = view_of(game, states, seat), memories[seat]
        action = np.array([chance.choice(game.legal_in(states).codes)], np.int32)
        if seat in fresh:
            anew = fresh.pop(seat)
            told, bars = agent.why(game, view[0], memory, 0), agent.beliefs(game, view[0], memory, 0)
            assert (told, bars) == (agent.why(game, view[0], anew, 0), agent.beliefs(game, view[0], anew, 0))
            action = agent.act(view, memory, ROW)
            assert agent.act(view, anew, ROW) == action
            for name in ("weights", "others"):
                assert getattr(memory.minds[0], name).tobytes() == getattr(anew.minds[0], name).tobytes()
        before = int(states["round"][0])
        events = game.apply(states, action)
        for other, anew in fresh.items():
            agent.observe(events[:, other], anew, ROW)
            heard += 1
        for other in range(3):
            agent.observe(events[:, other], memories[other], ROW)
        if states["round"][0] > before == 0:
            fresh = {
                other: agent.start(game, view_of(game, states, other), memories[other].streams.copy())
                for other in range(3)
            }
    assert heard == 3


def moved_to(game: Game, seat: int) -> np.ndarray:
    """A first state in which a seat is to move that does not hold role 1."""
    states = game.new(game_seeds(9, 0, 60))
    found: np.ndarray = states[(game.to_move(states) == seat) & (game.roles_of(states)[:, seat] == 0)][:1]
    return found


# --- Sitting down, reasons, beliefs -------------------------------------------------------------------------------------


@pytest.mark.parametrize("items", ["iterations=30", "reading,iterations=30"])
def test_it_sits_down_in_the_middle_and_is_told_the_past(items: str) -> None:
    game, agent = make_game("saboteur", "krisnadi", 3), made(items)
    states = game.new(game_seeds(6, 0, 1))
    first, random = view_of(game, states, 1), np.random.default_rng(1)
    events: list[np.ndarray] = []
    while len(events) < 10 or game.to_move(states)[0] != 1:
        legal = game.legal_in(states).codes
        events.append(game.apply(states, np.array([random.choice(legal)], np.int32))[:, 1])
    view = view_of(game, states, 1)
    sat = agent.start(game, view, game_seeds(3, 0, 1))
    assert agent.act(view, sat, ROW)[0] in game.legal_actions(view)
    memory = agent.catch_up(game, Past(first, np.array(events).T), game_seeds(3, 0, 1))
    assert agent.act(view, memory, ROW)[0] in game.legal_actions(view)


@pytest.mark.parametrize("items", ["iterations=80", "reading,iterations=80"])
def test_it_says_why_and_what_it_believes_and_its_memory_stays(items: str) -> None:
    game, agent = make_game("saboteur", "krisnadi", 4), made(items)
    states = moved_to(game, 2)
    view = view_of(game, states, 2)
    memory = agent.start(game, view, game_seeds(3, 0, 1))
    before = repr(memory)
    told = agent.why(game, view[0], memory, 0)
    panels = agent.beliefs(game, view[0], memory, 0)
    assert repr(memory) == before
    chosen = agent.act(view, memory, ROW)[0]
    assert told.startswith(f"It chooses {game.format_action(int(chosen))}: in 80 games that it played on")
    assert re.search(r"How often it tried moves, .*: \S+ \(\d+ times: [+-]\d\.\d\d", told)
    if not agent.infers:
        assert panels == ()
        return
    (bars,) = panels
    assert isinstance(bars, Bars)
    assert bars.title == "Who is saboteur"
    assert [bar.label for bar in bars.rows] == [f"seat {seat}" for seat in range(4)]
    assert bars.rows[2].value == 0.0
    assert all(0 < bars.rows[seat].value < 1 for seat in (0, 1, 3))


def test_players_of_the_game_play_on_from_its_leaves() -> None:
    game = make_game("saboteur", "krisnadi", 3)
    agent = Agents("saboteur").make("ismcts:iterations=8,rollout=decision-2019")
    other = Agents("saboteur").make("decision-2019")
    played = play(game, [agent, other, other], game_seeds(1, 0, 1))
    assert game.to_move(played.states)[0] == NOBODY


# --- What cannot be -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "error", "said"),
    [
        ("iterations=none", BadParameter, "iterations must be a whole number, not 'none'"),
        ("iterations=-1", BadParameter, "iterations must be 0 to"),
        ("iterations=0", BadInput, "needs a bound"),
        ("selection=best", BadParameter, "selection must be one of ucb, tuned, puct"),
        ("inference=guess", BadParameter, "inference must be one of no, cowling, bayes"),
        ("inference=bayes,trees=single", BadInput, "inference needs trees=many"),
        ("bluffing=0.5,trees=single", BadInput, "bluffing needs trees=many"),
        ("bluffing=1", BadParameter, "bluffing must be 0 to 0.9"),
        ("depth=3", UnknownName, "depth"),
    ],
)
def test_parameters_that_cannot_be_are_refused(items: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        Agents("duel").make(f"ismcts:{items}")


def test_a_rollout_player_must_be_a_player_of_the_game_and_no_search() -> None:
    game = make_game("duel", "mcgill", 2)
    view = view_of(game, game.new(game_seeds(1, 0, 1)), 0)
    with pytest.raises(UnknownName, match="decision-2019"):
        made("rollout=decision-2019").start(game, view, game_seeds(1, 0, 1))
    with pytest.raises(BadInput, match="does not play on with searches"):
        made("rollout=ismcts").start(game, view, game_seeds(1, 0, 1))
