"""The players of Saboteur as agents: their parameters, their reasons, and what a game of theirs depends on."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from core.chance import assert_uniform
from games.saboteur.playing import mover, positions, saboteur, seeds_of, seen_by
from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.decision_2019 import AS_PRINTED, AS_RUN, Decision2019
from molehunt.agents.saboteur.means_ends_2016 import MeansEnds2016
from molehunt.agents.saboteur.minds import Minds, TrustAgent
from molehunt.core.agent import Agent
from molehunt.core.errors import BadInput, BadParameter, UnknownName
from molehunt.core.game import Game, Outcome
from molehunt.core.match import play
from molehunt.core.panels import Bars
from molehunt.core.specs import show_value
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.saboteur.actions import DISCARD, unpack
from molehunt.games.saboteur.cards import CARD_NAMES, MINER, SABOTEUR
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.ruleset import RULESETS, cell_number
from molehunt.reading.saboteur.knowledge import SCORES, corridor, value_table

AGENTS = Agents("saboteur")
TRUSTING = ("decision-2019", "decision-2019:as_printed", "means-ends-2016")
ALL = (*TRUSTING, "random")


def trusting(spec: str) -> TrustAgent:
    agent = AGENTS.make(spec)
    assert isinstance(agent, TrustAgent)
    return agent


# --- Parameters -------------------------------------------------------------------------------------------------------


def test_editions_are_what_they_are_called() -> None:
    assert AGENTS.entry("decision-2019").editions() == {"as_run": AS_RUN, "as_printed": AS_PRINTED}
    assert AGENTS.entry("means-ends-2016").editions() == {"as_run": MeansEnds2016()}
    assert AGENTS.entry("random").editions() == {}
    assert trusting("decision-2019").parameters == trusting("decision-2019:as_run").parameters == AS_RUN
    assert trusting("decision-2019:as_printed").parameters == AS_PRINTED != AS_RUN


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("random", "random"),
        ("decision-2019", "decision-2019"),
        ("decision-2019:as_run", "decision-2019"),
        ("decision-2019:as_printed", "decision-2019:as_printed"),
        ("decision-2019:d_b=2.6", "decision-2019"),
        ("decision-2019: d_b = 3 ", "decision-2019:d_b=3.0"),
        ("decision-2019:as_printed,d_mu=3,goals_count=on", "decision-2019:as_printed,goals_count=yes"),
        ("means-ends-2016:as_run,k1=1,program_forms=0", "means-ends-2016:k1=1.0,program_forms=no"),
    ],
)
def test_the_name_of_a_player_is_its_shortest_spec(spec: str, name: str) -> None:
    assert AGENTS.make(spec).name == name


@pytest.mark.parametrize("name", ["decision-2019", "means-ends-2016"])
def test_names_read_back_to_the_same_parameters(name: str) -> None:
    luck = random.Random(name)
    editions = AGENTS.entry(name).editions()
    names = set()
    for _ in range(200):
        edition = luck.choice(list(editions))
        fields = dataclasses.fields(editions[edition])
        items = [edition]
        for field in luck.sample(fields, luck.randrange(6)):
            value = getattr(editions[edition], field.name)
            new = luck.random() < 0.5 if isinstance(value, bool) else round(luck.uniform(-5, 5), luck.randrange(12))
            items.append(f"{field.name}={show_value(new)}")
        made = trusting(f"{name}:{','.join(items)}")
        again = trusting(made.name)
        assert again.parameters == made.parameters
        assert again.name == made.name
        names.add(made.name)
    assert len(names) > 100


# A value of every parameter that is far enough from its editions to be felt in a hundred games.
VALUES_2019: dict[str, Any] = {
    "hears": 1.5,
    "heeds": 1.0,
    "d_delta": 0.45,
    "d_mu": 0.1,
    "map_useless": 0.3,
    "d_pi": 1.0,
    "d_rho": 1.0,
    "d_phi": 2.0,
    "repair_growth": 0.2,
    "d_0": -1.0,
    "d_b": 0.1,
    "d_r": 3.0,
    "no_placement": 5.0,
}
VALUES_2016: dict[str, Any] = {
    "k0": -1.0,
    "k1": 0.1,
    "k2": 1.2,
    "k3": 2.0,
    "k4": 2.0,
    "c1": -1.0,
    "c2": 0.1,
    "c3": 3.0,
    "c4": 3.0,
    "no_placement": 1.5,
}


SAID = ("hears", "heeds")
"""The parameters of 2019 that are about what others say."""


@cache
def games_of(spec: str) -> list[list[int]]:
    """All moves of a hundred games of five, all of them this player; one plays at random where it is about what is said."""
    agent = AGENTS.make(spec)
    table, seated = (saboteur(5), [agent] * 5)
    if any(f"{name}=" in spec for name in SAID):
        table, seated = saboteur(5, "speak=yes"), [agent] * 4 + [AGENTS.make("random")]
    moves = play(table, seated, seeds_of(0, 100), keep_actions=True).actions
    assert moves is not None
    return moves


@pytest.mark.parametrize("field", dataclasses.fields(Decision2019), ids=lambda field: field.name)
def test_every_parameter_of_2019_is_used(field: dataclasses.Field[Any]) -> None:
    """Setting it changes moves of at least one edition."""
    changed = []
    for edition, parameters in (("as_run", AS_RUN), ("as_printed", AS_PRINTED)):
        value = VALUES_2019.get(field.name, not getattr(parameters, field.name))
        spec = f"decision-2019:{edition},{field.name}={show_value(value)}"
        assert trusting(spec).parameters == dataclasses.replace(parameters, **{field.name: value})
        usual = f"decision-2019:{edition}" + f",{field.name}=0" * (field.name in SAID)
        changed.append(games_of(spec) != games_of(usual))
    assert any(changed)


@pytest.mark.parametrize("field", dataclasses.fields(MeansEnds2016), ids=lambda field: field.name)
def test_every_parameter_of_2016_is_used(field: dataclasses.Field[Any]) -> None:
    value = VALUES_2016.get(field.name, not getattr(MeansEnds2016(), field.name))
    spec = f"means-ends-2016:{field.name}={show_value(value)}"
    assert trusting(spec).parameters == MeansEnds2016(**{field.name: value})
    assert games_of(spec) != games_of("means-ends-2016")


def test_every_parameter_says_what_it_is() -> None:
    for parameters in (Decision2019, MeansEnds2016):
        for field in dataclasses.fields(parameters):
            assert len(field.metadata["doc"]) > 10


@pytest.mark.parametrize(
    ("spec", "kind", "parts"),
    [
        ("decision-2018", UnknownName, ["agent of saboteur 'decision-2018'", "did you mean 'decision-2019'", *ALL[2:]]),
        ("decision-2019:as_printd", UnknownName, ["'as_printd'", "did you mean 'as_printed'", "as_run", "d_b=..."]),
        (
            "decision-2019:d_p=3",
            UnknownName,
            ["parameter of decision-2019 'd_p'", "did you mean 'd_p", "repair_growth"],
        ),
        ("decision-2019:k0=3", UnknownName, ["parameter of decision-2019 'k0'", "d_0"]),
        ("decision-2019:d_b=much", BadParameter, ["decision-2019: d_b must be a number, not 'much'"]),
        ("decision-2019:d_b=nan", BadParameter, ["d_b must be finite, not nan"]),
        ("decision-2019:d_b=1e999", BadParameter, ["d_b must be finite, not inf"]),
        ("decision-2019:goals_count=maybe", BadParameter, ["goals_count must be yes or no, not 'maybe'"]),
        ("decision-2019:", UnknownName, ["as_run", "as_printed"]),
        ("means-ends-2016:as_printed", UnknownName, ["means-ends-2016 'as_printed'", "as_run"]),
        ("means-ends-2016:k9=3", UnknownName, ["parameter of means-ends-2016 'k9'", "k4"]),
        ("random:d_b=3", BadInput, ["random has no parameters, so 'd_b=3' cannot be set"]),
    ],
)
def test_wrong_specs_are_refused_with_what_would_be_right(spec: str, kind: type[BadInput], parts: list[str]) -> None:
    with pytest.raises(kind) as caught:
        AGENTS.make(spec)
    for part in parts:
        assert part in str(caught.value)


# --- Reasons ----------------------------------------------------------------------------------------------------------


def fresh_memory(agent: Agent, game: Game, views: Any, number: int = 0) -> Any:
    """The memory of an agent that sits down now, a chair for each view."""
    return agent.start(game, views, game_seeds(number, 0, len(views)))


def memory_bytes(memory: Any) -> list[bytes]:
    if isinstance(memory, Minds):
        return [memory.records.tobytes(), memory.parameters.tobytes(), memory.tables.tobytes()]
    return [memory.streams.tobytes()]


@pytest.mark.parametrize("spec", ALL)
def test_reasons_name_the_move_and_leave_the_memory_alone(spec: str) -> None:
    game, agent, discards = saboteur(5), AGENTS.make(spec), 0
    for number, states in enumerate(positions(game, 8, every=3)):
        view = seen_by(game, states, mover(states))
        memory = fresh_memory(agent, game, view, number)
        before, seen = memory_bytes(memory), view.tobytes()
        reasons = agent.why(game, view, memory, 0)
        assert agent.why(game, view, memory, 0) == reasons
        assert agent.why(game, view[0], memory, 0) == reasons
        assert memory_bytes(memory) == before and view.tobytes() == seen
        action = int(agent.act(view, memory, np.zeros(1, np.int64))[0])
        if spec == "random":
            number_of_moves = len(game.legal_actions(view))
            assert reasons == (
                f"By lot: one of {number_of_moves} moves that it may make, all equally likely."
                if number_of_moves > 1
                else f"It chooses {game.format_action(action)}: it is the only move."
            )
            continue
        # What is chosen comes first. Every card of the hand has its line; the line of the card that is played says how.
        lines = reasons.splitlines()
        assert lines[0].startswith(f"I choose {game.format_action(action)}: ")
        assert sorted(line.split()[0] for line in lines[1:]) == sorted(game.friendly_view(view).hand)
        assert f"I am a {game.friendly_view(view).role}." in lines[0]
        play_of, card, _, _ = unpack(action)
        wanted = CARD_NAMES[card] if play_of == DISCARD else game.format_action(action)
        assert any(line.split()[0] == CARD_NAMES[card] and wanted in line for line in lines[1:])
        allowed = {unpack(code)[1] for code in game.legal_actions(view).codes if unpack(code)[0] != DISCARD}
        for line in lines[1:]:
            name, _worth, *use = line.split()
            assert (" ".join(use) == "cannot be played") == (CARD_NAMES.index(name) not in allowed)
        assert ("worth enough" in lines[0]) == (play_of == DISCARD)
        discards += play_of == DISCARD
    assert discards > 0 or spec == "random"


def about_to_move() -> tuple[Saboteur, TrustAgent, Any, Any, list[int]]:
    """A game of five, a `decision-2019` that makes its first move, with its view and its memory, and the other seats."""
    game, agent = saboteur(5), trusting("decision-2019")
    states = game.new(seeds_of(0, 1))
    view = seen_by(game, states, mover(states))
    return game, agent, view, fresh_memory(agent, game, view), [seat for seat in range(5) if seat != mover(states)]


def test_reasons_show_trust_and_what_is_known() -> None:
    game, agent, view, memory, others = about_to_move()
    memory.records["trust"][0, others] = [1.25, -3.0, 7.5, 2.0]
    memory.records["goals"][0] = [9, 1, 2]
    first = agent.why(game, view, memory, 0).splitlines()[0]
    order = [others[2], others[3], others[0], others[1]]
    trust = [7.5, 2.0, 1.25, -3.0]
    assert f"Trust: {', '.join(f'seat {s} {t:.2f}' for s, t in zip(order, trust, strict=True))}." in first
    assert "Goals: top a stone, middle gold, bottom rock1." in first
    seat = view["seat"][0]
    assert f"seat {seat} " not in first
    memory.records["rates_itself"] = 1
    assert f"seat {seat} 2.50" in agent.why(game, view, memory, 0).splitlines()[0]


def test_trust_without_bounds_is_a_whole_bar_beside_the_others() -> None:
    """Where a card left no cell to be reached, what it changed is infinite."""
    game, agent, view, memory, others = about_to_move()
    memory.records["trust"][0, others] = [np.inf, -3.0, 7.5, -np.inf]
    (panel,) = agent.beliefs(game, view, memory, 0)
    assert isinstance(panel, Bars)
    assert (panel.low, panel.high) == (-3.0, 7.5)
    assert [row.value for row in panel.rows] == [7.5, -3.0, 7.5, -3.0]
    assert [row.text for row in panel.rows] == ["inf", "-3.00", "7.50", "-inf"]
    memory.records["trust"][0, others] = np.inf
    (panel,) = agent.beliefs(game, view, memory, 0)
    assert isinstance(panel, Bars)
    assert (panel.low, panel.high, {row.value for row in panel.rows}) == (-1.0, 1.0, {1.0})


# --- What a game depends on -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ALL)
def test_a_game_is_a_function_of_its_seed(spec: str) -> None:
    game, seeds = saboteur(6), seeds_of(50, 40)
    agent = AGENTS.make(spec)
    together = play(game, [agent] * 6, seeds, keep_actions=True)
    assert together.actions is not None
    # Again; with an object a seat; with the games in another order; and one game alone.
    again = play(game, [agent] * 6, seeds, keep_actions=True)
    apart = play(game, [AGENTS.make(spec) for _ in range(6)], seeds, keep_actions=True)
    turned = play(game, [agent] * 6, seeds[::-1].copy(), keep_actions=True)
    alone = play(game, [agent] * 6, seeds[7:8], keep_actions=True)
    assert together.actions == again.actions == apart.actions
    assert turned.actions == together.actions[::-1]
    assert alone.actions == together.actions[7:8]
    assert together.states.tobytes() == apart.states.tobytes()
    assert len({tuple(actions) for actions in together.actions}) == len(seeds)


@pytest.mark.parametrize("spec", ALL)
def test_an_answer_does_not_depend_on_the_batch_it_is_in(spec: str) -> None:
    game, agent = saboteur(5), AGENTS.make(spec)
    views = np.concatenate([seen_by(game, states, mover(states)) for states in positions(game, 10)])
    count = len(views)
    assert count > 50
    whole = agent.act(views, fresh_memory(agent, game, views), np.arange(count))
    memory = fresh_memory(agent, game, views)
    single = [int(agent.act(views[i : i + 1], memory, np.array([i]))[0]) for i in range(count)]
    assert whole.tolist() == single
    order = np.random.default_rng(1).permutation(count)
    memory = fresh_memory(agent, game, views)
    shuffled = np.empty(count, np.int32)
    for part in np.array_split(order, 4):
        shuffled[part] = agent.act(views[part], memory, part)
    assert whole.tolist() == shuffled.tolist()
    # It is the stream that decides: another one gives other answers somewhere.
    other = agent.act(views, fresh_memory(agent, game, views, 1), np.arange(count))
    assert whole.tolist() != other.tolist()


@pytest.mark.parametrize("spec", TRUSTING)
def test_events_are_taken_in_the_same_in_any_batch(spec: str) -> None:
    game, agent, count = saboteur(5), trusting(spec), 30
    states = game.new(seeds_of(0, count))
    views = game.views(states, np.zeros(count, np.int8))
    whole, single = (agent.start(game, views, seat_streams(seeds_of(0, count), 1)[:, 0]) for _ in range(2))
    streams = game_seeds(4, 0, count)
    rows = np.arange(count)
    table = AGENTS.make("random")
    memory = table.start(game, views, streams)
    for _ in range(20):
        seats = game.to_move(states)
        events = game.apply(states, table.act(game.views(states, seats), memory, rows))[:, 0].copy()
        agent.observe(events, whole, rows)
        for row in reversed(range(count)):
            agent.observe(events[row : row + 1], single, rows[row : row + 1])
    assert whole.records.tobytes() == single.records.tobytes()
    assert (whole.records["trust"][:, 1:5] != agent.first_trust()).any(axis=1).all()


@pytest.mark.parametrize("seats", range(3, 11))
@pytest.mark.parametrize("spec", ALL)
def test_they_play_at_tables_of_every_size(spec: str, seats: int) -> None:
    game = saboteur(seats)
    for saboteurs in sorted({1, game.role_counts()[1], seats - 1}):
        other = saboteur(seats, f"saboteurs={saboteurs}")
        played = play(other, [AGENTS.make(spec)] * seats, seeds_of(seats, 20))
        outcomes = [other.outcome(state) for state in played.states]
        assert all(isinstance(outcome, Outcome) for outcome in outcomes)
        assert set(other.wins(played.states).sum(axis=1).tolist()) <= {saboteurs, seats - saboteurs}


@pytest.mark.parametrize("spec", [spec for spec in ALL if spec != "random"])
def test_they_play_only_saboteur(spec: str) -> None:
    class Patience(Game):
        name, spec = "patience", "plain"

    Patience.__abstractmethods__ = frozenset()
    other: Game = Patience()  # type: ignore[abstract]
    with pytest.raises(BadInput, match=r"plays saboteur, not patience/plain"):
        AGENTS.make(spec).start(other, np.zeros(1, np.void), np.zeros(1, np.uint64))


# --- The random player ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(4))
def test_the_random_player_is_uniform_over_the_legal_actions(number: int) -> None:
    """Each counts once, however many copies of its card are in the hand."""
    game, draws = saboteur(4 + number), 30_000
    views = [seen_by(game, states, mover(states)) for states in positions(game, 10, every=5)]
    view = [view for view in views if has_copies(game, view) and len(game.legal_actions(view)) > 8][number]
    agent = AGENTS.make("random")
    many = np.repeat(view, draws)
    actions = agent.act(many, agent.start(game, many, game_seeds(number, 0, draws)), np.arange(draws))
    legal = [int(action) for action in game.legal_actions(view)]
    assert len(legal) > 8
    assert set(actions.tolist()) == set(legal)
    assert_uniform(Counter(actions.tolist()), len(legal))


def has_copies(game: Saboteur, view: Any) -> bool:
    """Whether the hand holds two cards of a kind."""
    hand = game.friendly_view(view).hand
    return len(set(hand)) < len(hand)


# --- The corridor -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["krisnadi", "official", "veldhuis"])
def test_where_goals_are_eight_columns_away_a_cell_counts_by_its_column_and_row(name: str) -> None:
    ruleset = RULESETS[name]
    (x_start, _), ((_, y_top), *_) = ruleset.start, ruleset.goals
    for along in range(9):
        for row in range(5):
            assert corridor(ruleset, x_start + along, y_top + row) == (along, row)
    # Beside and beyond it: the nearest row, and as many columns further back.
    assert corridor(ruleset, x_start + 5, y_top - 2) == (3, 0)
    assert corridor(ruleset, x_start + 10, y_top + 5) == (5, 4)
    assert corridor(ruleset, x_start - 1, y_top) == (-1, 0)


def test_in_the_small_mine_the_way_from_the_start_to_the_goals_counts_as_long_as_in_the_papers() -> None:
    small, paper = RULESETS["small"], RULESETS["krisnadi"]
    cells = {(x, y): corridor(small, x, y) for x in range(5) for y in range(3)}
    assert cells[small.start] == corridor(paper, *paper.start) == (0, 2)
    for goal, full in zip(small.goals, paper.goals, strict=True):
        assert cells[goal] == corridor(paper, *full)
    assert [cells[x, 0] for x in range(5)] == [(0, 0), (8 / 3, 0), (16 / 3, 0), (8, 0), (16 / 3, 0)]
    assert [cells[1, y][1] for y in range(3)] == [0, 2, 4]


@pytest.mark.parametrize("role", [MINER, SABOTEUR])
def test_in_the_small_mine_goals_and_start_are_worth_what_they_are_in_the_papers(role: int) -> None:
    small, paper = (value_table(RULESETS[name], halve=False)["values"][0, role] for name in ("small", "krisnadi"))
    here, there = RULESETS["small"], RULESETS["krisnadi"]
    for knowledge in range(SCORES):
        for cell, full in zip((here.start, *here.goals), (there.start, *there.goals), strict=True):
            assert small[knowledge, cell_number(*cell)] == paper[knowledge, cell_number(*full)]


def test_miners_of_2019_dig_ahead_in_the_small_mine() -> None:
    """A tunnel nearer to the goals is worth more to a miner at every step, and less to a saboteur."""
    for role, sign in ((MINER, 1), (SABOTEUR, -1)):
        values = value_table(RULESETS["small"], halve=False)["values"][0, role, 0]
        row = [values[cell_number(x, 1)] for x in range(4)]
        assert all(sign * (after - before) > 0 for before, after in pairwise(row))
