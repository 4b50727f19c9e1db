"""`mole`: the same game by the same seed however it is played, and legal games under every ruleset."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from agents.saboteur.mole_thinking import AGENTS, SHORT, some_position
from molehunt.agents.saboteur import mole, mole_comparison
from molehunt.agents.saboteur.decision_2019 import AS_RUN
from molehunt.agents.saboteur.mole import FORGET, OTHER_GAMES, MoleAgent
from molehunt.agents.saboteur.mole_comparison import Comparison
from molehunt.agents.saboteur.mole_parameters import Parameters
from molehunt.agents.saboteur.playing_on import pay_expected
from molehunt.agents.threads import pool, side_by_side
from molehunt.core.agent import Agent
from molehunt.core.errors import BadInput
from molehunt.core.interpreting import interpreting
from molehunt.core.match import Played, play, taken_along
from molehunt.core.panels import Bars, Words
from molehunt.core.position import ROW, Position
from molehunt.core.streams import game_seeds, next_word, seat_streams
from molehunt.games.playing import act_many
from molehunt.games.registry import make_game
from molehunt.games.saboteur.actions import (
    PLAY_BREAK,
    PLAY_FIX,
    play_of,
)
from molehunt.games.saboteur.cards import (
    MINER,
    SABOTEUR,
)
from molehunt.games.saboteur.game import check_game
from molehunt.reading.saboteur.habits import STYLE_NAMES


class InSteps(MoleAgent):
    """The same player without the loop over whole games."""

    def reach(self, memory: object) -> None:
        return None


def table(spec: str, seats: int) -> list[Agent]:
    return [AGENTS.make(spec), *(AGENTS.make("decision-2019") for _ in range(seats - 1))]


def test_a_game_is_the_same_in_whole_and_in_steps_and_in_any_batch() -> None:
    game = make_game("saboteur", "krisnadi", 4)
    seeds = game_seeds(3, 0, 4)
    whole = play(game, table(SHORT, 4), seeds, keep_actions=True)
    steps = play(game, [InSteps("mole", Parameters(worlds=2, kept=3)), *table(SHORT, 4)[1:]], seeds, keep_actions=True)
    alone = play(game, table(SHORT, 4), seeds[2:3], keep_actions=True)
    assert whole.actions == steps.actions
    assert whole.actions is not None and alone.actions == whole.actions[2:3]


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        ("krisnadi", 3),
        ("krisnadi", 10),
        ("official", 5),
        ("official+talk", 4),
        ("veldhuis", 5),
        ("official+talk:speak=yes,rounds=2", 6),
        ("small", 2),
        ("small", 3),
    ],
)
def test_it_plays_every_ruleset_to_its_end(ruleset: str, seats: int) -> None:
    game = make_game("saboteur", ruleset, seats)
    played = play(game, [AGENTS.make("mole:worlds=1,kept=2")] * seats, game_seeds(1, 0, 2))
    assert (game.to_move(played.states) < 0).all() and played.moves > 4


def test_it_compares_step_by_step_as_in_one_go() -> None:
    position = some_position()
    seat = position.to_move
    agent = MoleAgent("mole", Parameters(worlds=4, kept=4))
    streams = seat_streams(np.array([12], np.uint64), 4)
    memory = agent.catch_up(position.game, position.past(seat), streams[:, seat].copy())
    view = position.view_record(seat)
    told = agent.why(position.game, view, memory, 0)
    before = memory.records.tobytes()
    chosen = int(agent.act(view, agent.copy_memory(memory), ROW)[0])
    assert memory.records.tobytes() == before
    assert f"I choose {position.game.format_action(chosen)}:" in told
    assert "The gold: top" in told and "played on in worlds" in told


@pytest.mark.parametrize(
    ("glance", "ahead", "played"),
    [(0, 0, [28, 12, 4]), (3, 3, [28, 12, 4]), (1, 5, [24, 8, 4]), (2, 0, [24, 8, 4])],
)
def test_worlds_double_whenever_half_of_the_moves_are_left_out(glance: int, ahead: int, played: list[int]) -> None:
    """Worlds that were only glanced at count no longer once moves are played on further."""
    position = some_position()
    seat = position.to_move
    agent = MoleAgent("mole", Parameters(worlds=4, kept=4, glance=glance, ahead=ahead))
    streams = seat_streams(np.array([12], np.uint64), 4)
    memory = agent.catch_up(position.game, position.past(seat), streams[:, seat].copy())
    found = Comparison(agent, position.view_record(seat), memory, 0)
    assert sorted(set(found.worlds.tolist()), reverse=True) == played
    assert (found.worlds == played[0]).sum() == 2 and (found.worlds == played[1]).sum() == 2
    assert len(found.moves) == len(position.legal_actions)
    assert (np.abs(found.worth) <= 1.0).all()
    # Rounds that are played to their ends are won or lost; a forecast lies between.
    thirds = found.worth[found.worlds == 4] * 4 * 3
    assert np.allclose(thirds, np.round(thirds)) == (glance == 0)


def test_a_miner_who_has_faith_in_players_of_2019_plays_like_one() -> None:
    """So much faith that no game can outweigh it."""
    usual = {"mole": 0, "same": 0}
    for seed in range(6):
        position = Position(make_game("saboteur", "krisnadi", 4), seed)
        while position.states["roles"][0, position.to_move] == 1:
            position.play(int(position.legal_actions[0]))
        seat = position.to_move
        streams = seat_streams(np.array([12], np.uint64), 4)
        believer, doubter = (
            MoleAgent("mole", Parameters(worlds=2, kept=4, glance=0, ahead=0, faith=faith)) for faith in (2.0, 0.0)
        )
        made = []
        for agent in (believer, doubter):
            memory = agent.catch_up(position.game, position.past(seat), streams[:, seat].copy())
            made.append(Comparison(agent, position.view_record(seat), memory, 0))
        expected = made[0].usual
        usual["mole"] += int(made[0].moves[0]) == expected
        usual["same"] += int(made[1].moves[0]) == expected
        assert (np.abs(made[0].worth) <= 1.0 + 1e-9).all()
    assert usual["mole"] == 6 > usual["same"]


def trust_after_a_first_move(seed: int, noticed: bool) -> tuple[set[float], int]:
    """How far the others trust a seat after the last first move of a round that it weighed, and the one move that followed."""
    position = Position(make_game("saboteur", "krisnadi", 4), seed)
    seat = position.to_move
    agent = MoleAgent("mole", Parameters(worlds=1, kept=1, glance=1, ahead=1, noticed=noticed))
    memory = agent.catch_up(
        position.game, position.past(seat), seat_streams(np.array([12], np.uint64), 4)[:, seat].copy()
    )
    Comparison(agent, position.view_record(seat), memory, 0)
    others = [other for other in range(4) if other != seat]
    return set(memory.scratch.minds["trust"][others, seat].tolist()), int(memory.scratch.made[0])


def test_what_a_move_tells_the_others_can_be_left_out_of_what_it_is_worth() -> None:
    told = 0
    for seed in range(12):
        trust, following = trust_after_a_first_move(seed, noticed=False)
        if play_of(following) not in (PLAY_BREAK, PLAY_FIX):
            assert trust == {AS_RUN.d_0}
        told += trust_after_a_first_move(seed, noticed=True)[0] != {AS_RUN.d_0}
    assert told >= 4


def test_memories_share_no_network() -> None:
    """Threads work with theirs at once, and kernels write to the scratch of a network."""
    game = make_game("saboteur", "krisnadi", 4)
    agent = MoleAgent("mole", Parameters(worlds=1, kept=2))
    views = Position(game, 12).view_record(0)
    scratches = [agent.start(game, views, np.zeros(1, np.uint64)).scratch for _ in range(2)]
    assert not np.shares_memory(scratches[0].network, scratches[1].network)


def test_by_the_clock_it_stops_in_time() -> None:
    position = some_position()
    seat = position.to_move
    agent = AGENTS.make("mole:seconds=0.2")
    streams = seat_streams(np.array([12], np.uint64), 4)
    memory = agent.catch_up(position.game, position.past(seat), streams[:, seat].copy())
    view = position.view_record(seat)
    agent.act(view, agent.copy_memory(memory), ROW)  # compiles
    began = time.perf_counter()
    chosen = int(agent.act(view, memory, ROW)[0])
    assert 0.1 < time.perf_counter() - began < 20
    assert chosen in [int(action) for action in position.legal_actions]
    assert agent.reach(memory) is None


def test_by_the_clock_all_moves_are_only_glanced_at_while_all_are_compared() -> None:
    position = some_position()
    seat = position.to_move
    agent = MoleAgent("mole", Parameters(kept=1, glance=1, ahead=3, seconds=2.0))
    memory = agent.catch_up(position.game, position.past(seat), np.ones(1, np.uint64))
    memory.scratch.made[:] = -1
    found = Comparison(agent, position.view_record(seat), memory, 0)
    assert found.worlds[0] > 4
    assert memory.scratch.made[0] >= 0 and set(memory.scratch.made[1:].tolist()) == {-1}


# --- Threads ----------------------------------------------------------------------------------------------------------


def thought_of(spec: str, position: Position) -> tuple[Any, ...]:
    """What a player thinks at a position: its move, what it then remembers, its reasons and beliefs, and what each move brought."""
    agent, seat = AGENTS.make(spec), position.to_move
    assert isinstance(agent, MoleAgent)
    memory = agent.catch_up(position.game, position.past(seat), np.full(1, 7, np.uint64))
    view, copied = position.view_record(seat), agent.copy_memory(memory)
    chosen = int(agent.act(view, memory, ROW)[0])
    assert int(agent.act(view, copied, ROW)[0]) == chosen
    remembered = [memory.records.tobytes(), memory.models.tobytes(), memory.noted.tobytes()]
    assert remembered == [copied.records.tobytes(), copied.models.tobytes(), copied.noted.tobytes()]
    # A copy of what has thought on threads thinks for itself.
    told = [agent.why(position.game, view, kept, 0) for kept in (memory, agent.copy_memory(memory))]
    assert told[0] == told[1]
    compared = Comparison(agent, view, agent.copy_memory(memory), 0)
    found = compared.moves.tolist(), compared.worlds.tolist(), compared.worth.tolist()
    return chosen, remembered, told[0], agent.beliefs(position.game, view, memory, 0), found


@pytest.mark.parametrize("settings", ["fast", "strong,worlds=2", "worlds=30,noticed=no"])
@pytest.mark.parametrize(
    ("ruleset", "seats"), [("krisnadi", 4), ("official", 5), ("official+talk:speak=yes", 4), ("krisnadi+talk", 6)]
)
def test_threads_change_no_move_and_no_number(ruleset: str, seats: int, settings: str) -> None:
    game, chance = make_game("saboteur", ruleset, seats), np.random.default_rng(8)
    roles: set[int] = set()
    for seed in (3, 4):
        position = Position(game, seed)
        for _ in range(6):
            position.play(int(chance.choice([int(action) for action in position.legal_actions])))
        while position.states["roles"][0, position.to_move] in roles and len(roles) == 1:
            position.play(int(chance.choice([int(action) for action in position.legal_actions])))
        roles.add(int(position.states["roles"][0, position.to_move]))
        alone = thought_of(f"mole:{settings}", position)
        for threads in (2, 3):
            assert thought_of(f"mole:{settings},threads={threads}", position) == alone
    assert roles == {MINER, SABOTEUR}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("prior", [0.0, 0.05])
def test_what_is_added_up_block_by_block_is_what_one_loop_adds_up(
    prior: float, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last bit, and equals stay in the order that they had before the first block."""
    position = some_position()
    seat = position.to_move
    parameters = Parameters(worlds=25, kept=6, glance=0, ahead=0, prior=prior, threads=threads)
    agent = MoleAgent("mole", parameters)
    memory = agent.catch_up(position.game, position.past(seat), np.ones(1, np.uint64))
    view = position.view_record(seat)
    looped = agent.copy_memory(memory)
    chosen = int(MoleAgent("mole", replace(parameters, threads=1)).act(view, looped, ROW)[0])
    monkeypatch.setattr(mole_comparison, "BLOCK", 7)
    next_word(memory.records["stream"][0])
    found = Comparison(agent, view, memory, 0)
    assert found.moves[0] == chosen and found.worlds[0] == 25 * (1 + 2 + 4 + 8)
    assert memory.scratch.totals.tolist() == looped.scratch.totals.tolist()
    assert memory.scratch.alive.tolist() == looped.scratch.alive.tolist()


@pytest.mark.parametrize(
    "spec", ["mole:seconds=0.3,threads=3", "mole:strong,seconds=0.3,threads=3", "mole:strong,threads=3"]
)
def test_all_threads_play_on(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the one that asks, which lists moves and adds up."""
    here, seen, all_there = threading.get_ident(), set(), threading.Barrier(3)

    def together(*args: Any) -> None:
        thread = threading.get_ident()
        if thread != here and thread not in seen:
            seen.add(thread)
            all_there.wait(300)
        act_many(*args)

    position = some_position()
    seat, agent = position.to_move, AGENTS.make(spec)
    memory = agent.catch_up(position.game, position.past(seat), np.ones(1, np.uint64))
    view = position.view_record(seat)
    assert agent.reach(memory) is None
    with monkeypatch.context() as patched:
        patched.setattr(mole_comparison, "act_many", together)
        chosen = int(agent.act(view, memory, ROW)[0])
    assert len(seen) == 3
    assert chosen in [int(action) for action in position.legal_actions]
    assert ("seconds" in spec) == (memory.scratch.last is not None)


def test_on_one_processor_none_is_asked_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = AGENTS.make("mole:threads=0")
    assert isinstance(agent, MoleAgent)
    memory = agent.start(some_position().game, some_position().view_record(0), np.ones(1, np.uint64))
    for processors in (1, 4):
        monkeypatch.setattr(mole, "cores", lambda processors=processors: processors)
        assert agent.threads == processors and (agent.reach(memory) is None) == (processors > 1)


def test_threads_are_the_same_for_all_who_ask_for_as_many_and_all_have_ended_where_one_fails() -> None:
    met = threading.Barrier(3)
    ended: list[int] = []

    def work(number: int) -> None:
        met.wait()
        if number == 1:
            raise ValueError("one")
        time.sleep(0.05)
        ended.append(number)

    for _ in range(2):
        with pytest.raises(ValueError, match="one"):
            side_by_side(work, 3)
    assert sorted(ended) == [0, 0, 2, 2]
    assert pool(3) is pool(3)


def test_it_may_begin_interpreted_and_go_on_with_machine_code() -> None:
    """As at a table that does not wait for a compiler: addresses are those of the moment."""
    agent, found = AGENTS.make(SHORT), []
    streams = seat_streams(np.array([12], np.uint64), 4)
    for wanted in (True, False):
        position = Position(make_game("saboteur", "krisnadi", 4), 12)
        with interpreting(wanted):
            memory = agent.start(position.game, position.view_record(0), streams[:, 0].copy())
        chance = np.random.default_rng(1)
        for _ in range(5):
            told = position.play(int(chance.choice([int(action) for action in position.legal_actions])))
            with interpreting(wanted):
                agent.observe(told[:1].copy(), memory, ROW)
        with interpreting(wanted):
            panels = agent.beliefs(position.game, position.view_record(0), memory, 0)
        while position.to_move != 0:
            told = position.play(int(position.legal_actions[0]))
            agent.observe(told[:1].copy(), memory, ROW)
        action = int(agent.act(position.view_record(0), memory, ROW)[0])
        found.append((panels, memory.records.tobytes(), memory.models.tobytes(), action))
    assert found[0] == found[1]


def test_what_it_believes_is_shown() -> None:
    position = some_position()
    agent = AGENTS.make(SHORT)
    streams = seat_streams(np.array([12], np.uint64), 4)
    memory = agent.catch_up(position.game, position.past(0), streams[:, 0].copy())
    saboteurs, gold, onlooker, *_ = agent.beliefs(position.game, position.view_record(0), memory, 0)
    assert isinstance(saboteurs, Bars) and [row.label for row in saboteurs.rows] == ["seat 1", "seat 2", "seat 3"]
    own = int(position.view_record(0)["role"][0])
    assert sum(row.value for row in saboteurs.rows) == pytest.approx(1 - own)
    assert isinstance(gold, Bars) and sum(row.value for row in gold.rows) == pytest.approx(1.0)
    assert isinstance(onlooker, Bars) and sum(row.value for row in onlooker.rows) == pytest.approx(1.0)


def test_whom_others_play_like_is_shown_once_it_is_known() -> None:
    position = Position(make_game("saboteur", "krisnadi", 4), 5)
    agent, others = AGENTS.make(SHORT), [AGENTS.make(name) for name in ("random", "decision-2019", "random")]
    memories = [
        player.start(position.game, position.view_record(seat), np.zeros(1, np.uint64))
        for seat, player in enumerate((agent, *others))
    ]
    assert len(agent.beliefs(position.game, position.view_record(0), memories[0], 0)) == 3
    while position.outcome is None:
        seat, player = position.to_move, (agent, *others)[position.to_move]
        told = position.play(int(player.act(position.view_record(seat), memories[seat], ROW)[0]))
        for seat, player in enumerate((agent, *others)):
            player.observe(told[seat : seat + 1].copy(), memories[seat], ROW)
    like = agent.beliefs(position.game, position.view_record(0), memories[0], 0)[3]
    assert isinstance(like, Words) and like.title == "How they seem to play"
    said = [re.sub(r"\(\d+ %\)", "()", line) for line in like.text.splitlines()]
    random = "{} plays as if at random ().".format
    assert said == [random("seat 1"), "seat 2 plays like the careful digger ().", random("seat 3")]


def meeting_again(seats: int, players: str, count: int) -> tuple[Played, list[tuple[Any, ...] | None]]:
    """Games of `mole` on seat 1 among others, and what it takes along."""
    game = make_game("saboteur", "krisnadi", seats)
    others = [AGENTS.make(name) for name in players.split()]
    played = play(game, [others[0], AGENTS.make(SHORT), *others[1:]], game_seeds(4, 0, count))
    return played, taken_along(game, played)


def test_the_styles_of_the_others_are_taken_along_where_they_meet_again() -> None:
    _, known = meeting_again(4, "random decision-2019 kripke-2012:explicit", 20)
    assert all(
        values is not None and [value is None for value in values] == [True, False, True, True] for values in known
    )
    likely = np.mean([values[1]["styles"] for values in known if values], axis=0)
    # By distance from its own seat: itself, then seats 2, 3 and 0.
    assert likely.shape == (4, len(STYLE_NAMES)) and np.allclose(likely.sum(axis=1), 1.0)
    kinds = STYLE_NAMES[1:3], STYLE_NAMES[3:6], ("random",)
    shares = np.array([likely[:, [STYLE_NAMES.index(name) for name in kind]].sum(axis=1) for kind in kinds])
    assert (shares[:, 1:].argmax(axis=1) == np.arange(3)).all(), shares
    # The next game begins with it, but for a share; on another seat it is turned with the table.
    agent, game = AGENTS.make(SHORT), make_game("saboteur", "krisnadi", 4)
    views = game.views(game.new(game_seeds(9, 0, 3)), np.array([1, 3, 1], np.int8))
    memory = agent.start(game, views, np.zeros(3, np.uint64))
    before = memory.records["case"]["styles"].copy()
    value = (known[0] or ())[1]
    agent.meet_again(memory, 0, value)
    agent.meet_again(memory, 1, value)
    styles = np.exp(memory.records["case"]["styles"][:, :4])
    assert (memory.records["case"]["styles"][2] == before[2]).all()
    np.testing.assert_allclose(styles[1], np.roll(styles[0], 2, axis=0))
    wanted = (1 - FORGET) * np.roll(value["styles"], 1, axis=0) + FORGET / len(STYLE_NAMES)
    np.testing.assert_allclose(styles[0] / styles[0].sum(axis=1, keepdims=True), wanted)
    # Who may sit elsewhere, or at another table, is of any of their styles.
    five = make_game("saboteur", "krisnadi", 5)
    larger = agent.start(five, five.views(five.new(game_seeds(9, 0, 1)), np.zeros(1, np.int8)), np.zeros(1, np.uint64))
    agent.meet_again(memory, 2, value, seated=False)
    agent.meet_again(larger, 0, value)
    for table in (memory.records["case"]["styles"][2, :4], larger.records["case"]["styles"][0, :5]):
        mean = (1 - FORGET) * np.mean(value["styles"][1:], axis=0) + FORGET / len(STYLE_NAMES)
        np.testing.assert_allclose(np.exp(table), np.tile(mean / mean.max(), (len(table), 1)))


def test_what_it_learns_counts_the_last_round_and_leaves_the_mind_as_it_was() -> None:
    played, known = meeting_again(3, "random random", 1)
    chairs = next(chairs for chairs in played.chairs if isinstance(chairs.agent, MoleAgent))
    mind = chairs.memory.records.tobytes()
    assert (chairs.memory.records["case"]["styles"] == 0.0).all()
    again = taken_along(make_game("saboteur", "krisnadi", 3), played)
    assert again == known and chairs.memory.records.tobytes() == mind
    assert known[0] is not None and np.ptp(known[0][1]["styles"]) > 0.1


def test_what_was_expected_counts_whole_and_what_a_game_showed_for_less() -> None:
    played, known = meeting_again(3, "random random", 1)
    chairs = next(chairs for chairs in played.chairs if isinstance(chairs.agent, MoleAgent))
    expected = np.log(np.random.default_rng(3).dirichlet(np.ones(len(STYLE_NAMES)), 3))
    chairs.memory.expected[0], chairs.memory.records["case"]["styles"][0, :3] = expected, expected
    after = taken_along(make_game("saboteur", "krisnadi", 3), played)
    shown, both = (np.roll((values or ())[1]["styles"], 1, axis=0) for values in (known[0], after[0]))
    # A game on its own says of two styles what its moves say, to the power of OTHER_GAMES; the rounds before it are no part of it.
    ratio = np.log(both[0]) - expected[0] - np.log(shown[0])
    np.testing.assert_allclose(ratio, ratio[0], atol=0.2)
    assert 0.0 < OTHER_GAMES < 1.0 and not np.allclose(both[0], shown[0], atol=0.05)


def test_it_says_in_how_many_games_it_met_the_others_before() -> None:
    agent = AGENTS.make(SHORT)
    _, known = meeting_again(4, "random decision-2019 random", 1)
    position = some_position()
    memory = agent.start(position.game, position.view_record(0), np.zeros(1, np.uint64))
    said = "What it believes of their habits also comes from 1 earlier game with them."
    assert said not in agent.why(position.game, position.view_record(0), memory, 0)
    agent.meet_again(memory, 0, known[0][1] if known[0] else None)
    assert agent.why(position.game, position.view_record(0), memory, 0).splitlines()[-1] == said
    assert said in [
        panel.text
        for panel in agent.beliefs(position.game, position.view_record(0), memory, 0)
        if isinstance(panel, Words)
    ]
    assert agent.impressions(position.game, position.view_record(0), memory, 0)["games"] == 2


SURE = [1.0] + [0.0] * (len(STYLE_NAMES) - 1)


@pytest.mark.parametrize(
    "value",
    [
        3,
        None,
        {},
        {"games": 1},
        {"games": 0, "styles": [SURE] * 4},
        {"games": 1, "styles": [SURE]},
        {"games": 1, "styles": [[0.5] * 2] * 4},
        {"games": 1, "styles": "much"},
        {"games": 1, "styles": [[2.0, -1.0, *SURE[2:]]] * 4},
        {"games": 1, "styles": [[float("nan"), *SURE[1:]]] * 4},
    ],
)
def test_what_it_cannot_have_taken_along_is_refused(value: Any) -> None:
    agent, game = AGENTS.make(SHORT), make_game("saboteur", "krisnadi", 4)
    memory = agent.start(game, game.views(game.new(game_seeds(9, 0, 1)), np.zeros(1, np.int8)), np.zeros(1, np.uint64))
    before = memory.records.tobytes()
    with pytest.raises(BadInput, match="mole takes along"):
        agent.meet_again(memory, 0, value)
    assert memory.records.tobytes() == before and not memory.met.any()


def test_of_two_moves_both_are_played_on() -> None:
    """A glance does not choose where a full comparison costs least."""
    agent = MoleAgent("mole", Parameters(worlds=2, kept=3))
    found = 0
    for seed in range(40):
        position = Position(make_game("saboteur", "krisnadi", 3), seed)
        chance = np.random.default_rng(seed)
        while position.outcome is None and len(position.legal_actions) != 2:
            position.play(int(chance.choice([int(action) for action in position.legal_actions])))
        if position.outcome is not None:
            continue
        seat = position.to_move
        memory = agent.catch_up(
            position.game, position.past(seat), seat_streams(np.array([seed], np.uint64), 3)[:, seat]
        )
        assert Comparison(agent, position.view_record(seat), memory, 0).worlds.tolist() == [4, 4]
        found += 1
    assert found > 3


@pytest.mark.parametrize(("ruleset", "seats"), [("official:rounds=1", 5), ("official:rounds=1", 10)])
def test_what_a_round_is_expected_to_pay_is_what_it_pays(ruleset: str, seats: int) -> None:
    game = check_game("a test", make_game("saboteur", ruleset, seats))
    states = play(game, [AGENTS.make("decision-2019")] * seats, game_seeds(4, 0, 1500)).states
    roles, nuggets = game.roles_of(states), states["nuggets"][:, :seats]
    for saboteurs in set(roles.sum(axis=1).tolist()):
        those = roles.sum(axis=1) == saboteurs
        of_saboteurs, of_miners = pay_expected(saboteurs, game.params)
        found = those & (game.outcome_codes(states) == 0)
        miners = nuggets[found][roles[found] == MINER]
        assert len(miners) > 200
        assert miners.mean() == pytest.approx(of_miners, abs=4 * miners.std() / len(miners) ** 0.5)
        lost = those & (game.outcome_codes(states) != 0)
        assert (nuggets[lost][roles[lost] == SABOTEUR] == of_saboteurs).all()
