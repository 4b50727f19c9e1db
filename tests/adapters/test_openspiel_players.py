"""Our players as OpenSpiel's bots, and OpenSpiel's algorithms as our players."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspiel")

from adapters.openspiel_plays import random_play
from cli.calling import call
from molehunt.adapters.openspiel.bots import MolehuntBot, molehunt_bot
from molehunt.adapters.openspiel.entries import ENTRIES
from molehunt.adapters.openspiel.games import load_game, new_play, pyspiel
from molehunt.adapters.openspiel.library import openspiel
from molehunt.adapters.openspiel.training import save_policy, trained
from molehunt.agents.registry import Agents, guests
from molehunt.arena.match import run, seat_match
from molehunt.arena.seating import parse_seats
from molehunt.core.agent import Agent, Rows
from molehunt.core.errors import BadInput, MolehuntError, UnknownName
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.match import play
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.registry import make_game
from web import cups

SEATED = (
    ("saboteur/krisnadi", ["decision-2019", "random", "means-ends-2016", "random", "decision-2019"]),
    ("duel/mcgill", ["greedy-2020", "random"]),
    ("speed_clue/mitchell", ["advanced", "random", "basic"]),
)


@pytest.mark.parametrize(("label", "specs"), SEATED)
def test_a_game_of_our_bots_is_the_arenas_game_move_for_move(label: str, specs: list[str]) -> None:
    name, ruleset = label.split("/")
    game = make_game(name, ruleset, len(specs))
    agents = [Agents(name).make(spec) for spec in specs]
    arena = play(game, agents, game_seeds(3, 0, 2), keep_actions=True).actions
    assert arena is not None
    spiel_game = load_game(label, len(specs), seed=3)
    bots = [molehunt_bot(spiel_game, seat, spec, seed=3) for seat, spec in enumerate(specs)]
    evaluate = openspiel("open_spiel.python.algorithms.evaluate_bots")
    for number, actions in enumerate(arena):
        state = new_play(spiel_game, number)
        evaluate.evaluate_bots(state, bots, np.random.default_rng(0))
        moves = [item for item in state.full_history() if item.player >= 0]
        assert [state.setting.spaces.code(item.action, item.player) for item in moves] == actions


def test_openspiels_own_loop_in_c_plus_plus_plays_our_bots() -> None:
    game = load_game("speed_clue/mitchell", 3)
    bots = [molehunt_bot(game, seat, "advanced") for seat in range(3)]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 4)
    assert sorted(returns) == [-0.5, -0.5, 1.0]


class Witness(Agent):
    """Plays the first legal action and writes down all that it is given."""

    name = "witness"

    def __init__(self, game: Game) -> None:
        self.game = game
        self.given: list[bytes] = []

    def start(self, game: Game, views: Views, streams: Any) -> None:
        self.given.append(views.tobytes())

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        self.given.append(views.tobytes())
        return np.array([self.game.legal_actions(views[0]).codes[0]], np.int32)

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        self.given.append(events.tobytes())


def test_a_bot_is_given_its_first_view_every_event_in_order_and_the_view_it_moves_at() -> None:
    game = load_game("duel/mcgill")
    witness = Witness(game.setting.game)
    bot = MolehuntBot(game, 1, witness)
    state = new_play(game, 0)
    wanted = [state.position.first_view(1).tobytes()]
    told = 0
    while not state.is_terminal():
        if state.current_player() == 1:
            wanted += [event.tobytes() for event in state.position.events(1, told)]
            wanted.append(state.position.view(1).tobytes())
            told = state.position.moves
            state.apply_action(bot.step(state))
        else:
            state.apply_action(state.legal_actions()[-1])
    assert witness.given == wanted


def test_a_bot_knows_a_new_game_without_being_told() -> None:
    game = load_game("duel/mcgill")
    bot = molehunt_bot(game, 1, "random")
    for number in range(3):
        bot.step(new_play(game, number))
    assert bot.games == 3


PLAYERS = [
    ("saboteur/krisnadi", 5, "openspiel-ismcts:simulations=3"),
    ("duel/mcgill", 2, "openspiel-ismcts:simulations=3"),
    ("speed_clue/mitchell", 3, "openspiel-ismcts:simulations=3"),
    ("speed_clue/small", 2, "openspiel-mccfr:iterations=20"),
    ("duel/mcgill", 2, "openspiel-random"),
]


@pytest.mark.parametrize(("label", "seats", "spec"), PLAYERS)
def test_what_a_seat_cannot_see_never_changes_what_an_algorithm_does(label: str, seats: int, spec: str) -> None:
    state = random_play(label, seats, 6, moves=2)
    position = state.position
    game = position.setting.game
    seat = position.to_move
    agent = Agents(game.name).make(spec)
    streams = seat_streams(game_seeds(1, 0, 1), seats)[:, seat].copy()
    view = position.view(seat)
    other = game.resample(view, np.array([5], np.uint64))
    assert other.tobytes() != position.states.tobytes()
    assert game.views(other, np.array([seat], np.int8)).tobytes() == view.tobytes()
    chosen = set()
    for states in (position.states, other):
        memory = agent.start(game, position.first_view(seat), streams)
        agent.observe(position.events(seat), memory, np.zeros(position.moves, np.int64))
        seen = game.views(states, np.array([seat], np.int8))
        chosen.add(int(agent.act(seen, memory, np.zeros(1, np.int64))[0]))
    assert len(chosen) == 1


@pytest.mark.parametrize(
    ("label", "seats"),
    [
        ("speed_clue/small", "openspiel-ismcts:simulations=4,openspiel-mccfr:iterations=50"),
        ("saboteur/krisnadi", "openspiel-ismcts:simulations=2,openspiel-random*2"),
    ],
)
def test_a_match_with_them_is_the_same_on_one_thread_and_on_two(label: str, seats: str) -> None:
    agents = Agents(label.partition("/")[0])
    match = seat_match(label, parse_seats(seats, agents.names(), ()), agents)
    one, two = (run(match, 20, 2, threads) for threads in (1, 2))
    assert one.games == 20 and one.moves == two.moves
    assert one.wins.tolist() == two.wins.tolist()


def test_search_plays_games_whose_rules_are_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = np.arange(cups.ACTIONS)
    monkeypatch.setattr(cups, "EVERYTHING", everything, raising=False)
    monkeypatch.setattr(cups, "ENTRY", replace(cups.ENTRY, actions="web.cups:EVERYTHING"))
    with cups.installed():
        agents = Agents("cups")
        seats = parse_seats("openspiel-ismcts:simulations=20,random", agents.names(), ())
        won = run(seat_match("cups/six", seats, agents, rotate=True), 12, 1).wins
    assert won[0] > won[1]


@pytest.mark.parametrize("number", [3, 8])
def test_search_accuses_where_all_deals_that_a_seat_holds_possible_have_one_envelope(number: int) -> None:
    position = random_play("speed_clue/small:last_word=yes,max_suggestions=3", 2, number, moves=4).position
    game, seat = position.setting.game, position.to_move
    view = position.view(seat)
    drawn = game.resample(np.repeat(view, 30), game_seeds(number, 0, 30))
    assert len(set(drawn["envelope"].tolist())) == 1 < len(game.legal_actions(view[0]))
    agent = Agents("speed_clue").make("openspiel-ismcts:simulations=60")
    states = position.states.copy()
    game.apply(states, agent.act(view, agent.start(game, view, game_seeds(1, 0, 1)), np.zeros(1, np.int64)))
    assert game.wins(states)[0].tolist() == [other == seat for other in range(2)]


def test_a_policy_in_a_file_plays_as_it_was_trained(tmp_path: Path) -> None:
    policy = trained("speed_clue/small", 2, "external", 300, 1)
    path = tmp_path / "policy.json"
    save_policy(policy, path)
    agents = Agents("speed_clue")
    results = []
    for spec in (f"openspiel-mccfr:policy={path}", "openspiel-mccfr:iterations=300,seed=1"):
        match = seat_match("speed_clue/small", parse_seats(f"{spec},random", agents.names(), ()), agents)
        results.append(run(match, 60, seed=1).wins.tolist())
    assert results[0] == results[1]


def test_wrong_files_and_large_games_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    save_policy(trained("speed_clue/small", 2, "external", 20, 1), path)
    empty = tmp_path / "empty.json"
    empty.write_text("{}")
    for spec, label, wanted in (
        (f"openspiel-mccfr:policy={path}", "mitchell", "holds a policy for speed_clue/small with 2 seats"),
        (f"openspiel-mccfr:policy={empty}", "small", "holds no policy"),
        (f"openspiel-mccfr:policy={tmp_path}/none", "small", "No such file"),
        ("openspiel-mccfr", "mitchell", "cannot be listed"),
    ):
        game = make_game("speed_clue", label, 3 if label == "mitchell" else 2)
        with pytest.raises(BadInput, match=wanted):
            play(game, [Agents("speed_clue").make(spec)] * game.seats, game_seeds(1, 0, 1))
    with pytest.raises(UnknownName, match="greedy"):
        molehunt_bot(load_game("duel/mcgill"), 0, "greedy")
    with pytest.raises(BadInput, match="seats 0 to 1"):
        molehunt_bot(load_game("duel/mcgill"), 2, "random")


def test_the_command_line_knows_them_as_guests() -> None:
    assert set(ENTRIES) <= set(guests())
    listed = call("agents")
    assert listed.status == 0 and "openspiel-ismcts" in listed.out
    shown = call("agents", "openspiel-ismcts")
    assert shown.status == 0 and "simulations" in shown.out
    seats = "openspiel-ismcts:simulations=2,openspiel-mccfr:iterations=10"
    played = call("arena", "speed_clue/small", "--seats", seats, "--games", "4", "--threads", "1")
    assert played.status == 0 and "openspiel-ismcts" in played.out


def test_without_openspiel_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MolehuntError, match=r"pip install 'molehunt\[rl\]'"):
        openspiel("open_spiel.no_such_module")
