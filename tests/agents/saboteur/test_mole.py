"""`mole`: the same game by the same seed however it is played, legal games under every ruleset, and words for people."""

from __future__ import annotations

import re
import time
from collections import Counter

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.mole import Comparison, MoleAgent, Parameters
from molehunt.agents.saboteur.mole_words import Weighed, purpose, seat_chances, worth_lines
from molehunt.agents.saboteur.playing_on import pay_expected
from molehunt.core.agent import Agent
from molehunt.core.interpreting import interpreting
from molehunt.core.match import play
from molehunt.core.panels import Bar, Bars, Panel
from molehunt.core.position import ROW, Position
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.registry import make_game
from molehunt.games.saboteur.actions import PLAY_FIX, pack
from molehunt.games.saboteur.cards import CARD_TOOLS, FIRST_FIX, GOLD, MINER, ROCKFALL, SABOTEUR
from molehunt.games.saboteur.game import check_game
from molehunt.games.saboteur.state import VIEW

AGENTS = Agents("saboteur")
SHORT = "mole:worlds=2,kept=3"


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


def some_position(seats: int = 4, moves: int = 9) -> Position:
    position = Position(make_game("saboteur", "krisnadi", seats), 12)
    chance = np.random.default_rng(4)
    for _ in range(moves):
        position.play(int(chance.choice([int(action) for action in position.legal_actions])))
    return position


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
    assert 0.1 < time.perf_counter() - began < 2.0
    assert chosen in [int(action) for action in position.legal_actions]
    assert agent.reach(memory) is None


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
    saboteurs, gold, onlooker = agent.beliefs(position.game, position.view_record(0), memory, 0)
    assert isinstance(saboteurs, Bars) and [row.label for row in saboteurs.rows] == ["seat 1", "seat 2", "seat 3"]
    own = int(position.view_record(0)["role"][0])
    assert sum(row.value for row in saboteurs.rows) == pytest.approx(1 - own)
    assert isinstance(gold, Bars) and sum(row.value for row in gold.rows) == pytest.approx(1.0)
    assert isinstance(onlooker, Bars) and sum(row.value for row in onlooker.rows) == pytest.approx(1.0)


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


# --- What it says -------------------------------------------------------------------------------------------------------

SPEAKING = "krisnadi:speak=yes"


def test_who_says_nothing_plays_as_if_nothing_could_be_said() -> None:
    seeds = game_seeds(12, 0, 8)
    silent = play(make_game("saboteur", SPEAKING, 5), [AGENTS.make("mole:speaks=2")] * 5, seeds, keep_actions=True)
    plain = play(make_game("saboteur", "krisnadi", 5), [AGENTS.make("mole")] * 5, seeds, keep_actions=True)
    assert silent.actions == plain.actions


def test_miners_accuse_saboteurs_and_saboteurs_accuse_miners() -> None:
    game = make_game("saboteur", SPEAKING, 5)
    seeds = game_seeds(13, 0, 40)
    played = play(game, [AGENTS.make("mole")] * 5, seeds, keep_actions=True)
    said: Counter[tuple[int, int]] = Counter()
    asked = 0
    for index, moves in enumerate(played.actions or []):
        states = game.new(seeds[index : index + 1])
        roles = game.roles_of(states)[0].tolist()
        for move in moves:
            seat, text = int(game.to_move(states)[0]), game.format_action(move)
            if text.startswith("accuse>"):
                said[roles[seat], roles[int(text[-1])]] += 1
            asked += text.startswith("ask:")
            game.apply(states, np.array([move], np.int32))
    assert asked > 50
    assert said[MINER, SABOTEUR] > 100 and said[SABOTEUR, MINER] > 50
    assert said[MINER, SABOTEUR] > 9 * said[MINER, MINER] and said[SABOTEUR, MINER] > 9 * said[SABOTEUR, SABOTEUR]


def test_by_the_clock_and_in_its_reasons_it_says_the_same() -> None:
    game = make_game("saboteur", SPEAKING, 5)
    position = Position(game, 14)
    agent, by_clock = AGENTS.make("mole"), AGENTS.make("mole:seconds=0.001")
    memories = [
        agent.start(game, position.view_record(seat), np.full(1, seat + 1, np.uint64)) for seat in range(game.seats)
    ]
    rows, said = np.zeros(1, np.int64), 0
    while position.outcome is None and said < 12:
        seat = position.to_move
        view = position.view_record(seat)
        kept = agent.take(memories[seat], rows)
        move = game.format_action(int(agent.act(view, memories[seat], rows)[0]))
        if move.startswith(("accuse", "ask")):
            said += 1
            assert game.format_action(int(by_clock.act(view, kept, rows)[0])) == move
            assert f" I choose {move}: it " in agent.why(game, view, kept, 0)
        told = position.play(move)
        for other, memory in enumerate(memories):
            agent.observe(told[other : other + 1], memory, rows)
    assert said == 12


def test_miners_tell_the_truth_of_a_map_and_saboteurs_what_makes_an_onlooker_believe_least() -> None:
    """Of what a saboteur may claim it says what leaves the gold and itself less to be found, by the belief of all after either."""
    game = check_game("a test", make_game("saboteur", "veldhuis:rounds=1", 5))
    played = play(game, [AGENTS.make("mole")] * 5, game_seeds(15, 0, 60), keep_actions=True)
    claims: Counter[tuple[int, bool]] = Counter()
    agent = AGENTS.make("mole")
    for seed, moves in zip(played.seeds.tolist(), played.actions or [], strict=True):
        position, watcher = Position(game, seed), None
        for move in moves:
            seat, text = position.to_move, game.format_action(move)
            if text.startswith("claim"):
                view = position.view_record(seat)
                honest = (view["goals"][0, view["claiming"][0] - 1] == GOLD) == text.endswith("gold")
                claims[int(view["role"][0]), bool(honest)] += 1
                if view["role"][0] == SABOTEUR and watcher is None:
                    watcher = seat
                    assert move == worst_to_believe(agent, position, seat)
            position.play(move)
    assert claims[MINER, False] == 0 < claims[MINER, True]
    assert claims[SABOTEUR, False] > 5 and claims[SABOTEUR, True] > 5


def worst_to_believe(agent: Agent, position: Position, seat: int) -> int:
    """The claim after which an onlooker holds the gold's places, as the seat weighs them, and the seat least likely."""
    assert isinstance(agent, MoleAgent)
    view = position.view_record(seat)
    memory = agent.catch_up(position.game, position.past(seat), np.ones(1, np.uint64))
    gold = np.array([row.value for row in panel(agent.beliefs(position.game, view, memory, 0)[1])])
    worth = {}
    for action in position.legal_actions:
        heard = position.copy()
        heard.play(int(action))
        told = agent.catch_up(position.game, heard.past(seat), np.ones(1, np.uint64))
        joint = agent._believe(heard.view_record(seat), told, 0)[1][1]
        worth[int(action)] = -float(gold @ joint.sum(axis=0)) - float(seat_chances(told.deal, joint, 5)[seat])
    assert len(worth) == 2
    return max(worth, key=lambda action: worth[action])


def panel(found: Panel) -> tuple[Bar, ...]:
    assert isinstance(found, Bars)
    return found.rows


# --- Its reasons --------------------------------------------------------------------------------------------------------


def why_at(position: Position, spec: str = SHORT) -> str:
    agent, seat = AGENTS.make(spec), position.to_move
    seat = max(seat, 0)
    memory = agent.catch_up(position.game, position.past(seat), np.ones(1, np.uint64))
    return agent.why(position.game, position.view_record(seat), memory, 0)


def test_nobody_is_suspected_most_where_all_are_suspected_alike() -> None:
    position = next(
        position
        for position in (Position(make_game("saboteur", "official", 5), seed) for seed in range(5, 20))
        if position.states["roles"][0, position.to_move] == MINER
    )
    assert re.match(r"I suspect all others alike \(\d+ %\)\. As a ", why_at(position))
    assert " most (" in why_at(some_position(5, 16))


def test_a_suspicion_names_the_move_by_its_number() -> None:
    position = some_position(5, 16)
    text = why_at(position)
    for move, number in re.findall(r"its (\S+) \(move (\d+)\)", text):
        assert position.game.format_action(int(position.actions[int(number) - 1])) == move
    assert "(move " in text


def weighed(worth: list[float], worlds: list[int], added: list[float], followed: int, usual: int) -> Weighed:
    position = some_position()
    moves = np.array([int(action) for action in position.legal_actions[: len(worth)]], np.int32)
    return Weighed(
        moves, np.array(worth), np.array(worlds), np.array(added), followed, int(moves[usual]) if usual >= 0 else -1
    )


def test_it_is_said_why_a_move_that_brought_less_was_taken() -> None:
    game = check_game("a test", some_position().game)
    told = worth_lines(game, weighed([0.1, 0.4, 0.3, 0.9], [12, 12, 4, 2], [0.0, -0.3, 0.0, 0.0], 3, -1))
    names = [game.format_action(int(move)) for move in weighed([0] * 4, [1] * 4, [0] * 4, 1, -1).moves]
    assert told[0].endswith(f"hold possible: {names[0]} +0.10 in 12; {names[1]} +0.40 in 12; {names[2]} +0.30 in 4.")
    assert told[1] == f"{names[1]} brought more, but I take {names[0]}: who learned by playing likes it more."
    assert told[2] == f"At a glance: {names[3]} +0.90 in 2."
    usual = worth_lines(game, weighed([0.1, 0.12], [12, 12], [0.03, 0.0], 2, 0))
    assert usual[1].endswith(": it is what players usually do here.")
    assert len(worth_lines(game, weighed([0.3, 0.1], [12, 12], [0.0, 0.0], 2, -1))) == 1


def test_reasons_of_a_player_by_the_clock_name_the_move_that_it_made() -> None:
    position = some_position()
    seat, agent = position.to_move, AGENTS.make("mole:seconds=0.002")
    memory = agent.catch_up(position.game, position.past(seat), np.ones(1, np.uint64))
    view = position.view_record(seat)
    for _ in range(20):
        chosen = position.game.format_action(int(agent.act(view, memory, ROW)[0]))
        assert f" I choose {chosen}: it " in agent.why(position.game, view, memory, 0)


def test_who_is_not_to_move_says_whom_it_suspects() -> None:
    position, agent = some_position(), AGENTS.make(SHORT)
    seat = (position.to_move + 1) % 4
    memory = agent.catch_up(position.game, position.past(seat), np.ones(1, np.uint64))
    text = agent.why(position.game, position.view_record(seat), memory, 0)
    assert "The gold: top" in text and "I choose" not in text


def test_a_repair_is_told_by_whom_it_helps() -> None:
    view = np.zeros(1, VIEW)[0]
    view["seat"], view["broken"][[1, 2]] = 1, (1, 3)
    first_tool = next(card for card in range(FIRST_FIX, ROCKFALL) if CARD_TOOLS[card] == 1)

    def told(target: int) -> str:
        return purpose(pack(PLAY_FIX, first_tool, 0, target), view)

    assert told(1) == "lets me dig again" and told(2) == "mends a tool of seat 2"
    view["broken"][[1, 2]] = (3, 1)
    assert told(1) == "mends one of my tools" and told(2) == "lets seat 2 dig again"
