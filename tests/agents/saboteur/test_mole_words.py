"""The reasons of `mole`: whom it suspects and why, what a move is for, and why it was taken."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from agents.saboteur.mole_thinking import AGENTS, SHORT, SPEAKING, panel, some_position
from molehunt.agents.saboteur.mole import MoleAgent
from molehunt.agents.saboteur.mole_words import Belief, Weighed, purpose, suspicion_line, worth_lines
from molehunt.core.position import ROW, Position
from molehunt.games.registry import make_game
from molehunt.games.saboteur.actions import (
    DISCARD,
    HIDDEN_CARD,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    pack,
)
from molehunt.games.saboteur.cards import (
    CARD_TOOLS,
    FIRST_BREAK,
    FIRST_DEAD_END,
    FIRST_FIX,
    GOLD,
    MINER,
    ROCKFALL,
    SABOTEUR,
)
from molehunt.games.saboteur.game import check_game
from molehunt.games.saboteur.state import VIEW
from molehunt.reading.saboteur.suspicion import TURN, Deal


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
    assert re.match(r"As a .*\.\nI suspect all others alike \(\d+ %\)\.\n", why_at(position))
    assert " most (" in why_at(some_position(5, 16))


def test_a_suspicion_names_the_move_by_its_number() -> None:
    position = some_position(5, 16)
    text = why_at(position)
    for move, number in re.findall(r"for its (\S+) \(move (\d+)\)", text):
        assert position.game.format_action(int(position.actions[int(number) - 1])) == move
    assert "(move " in text


def belief_of(chances: list[float], turns: list[tuple[int, int, int, float]] | None = None) -> Belief:
    """What seat 0, a miner, believes who takes exactly one other for the saboteur, with so much for each.

    `turns` are moves: seat, action, how many had been made before it, and how much it speaks for a saboteur.
    """
    teams = np.array([1 << seat for seat in range(1, len(chances) + 1)])
    own = np.zeros((len(teams), 3))
    own[:, 1] = chances
    held = np.zeros(len(turns or ()), TURN)
    for turn, (seat, action, at, _) in zip(held, turns or (), strict=True):
        turn["seat"], turn["action"], turn["at"] = seat, action, at
    return Belief(
        Deal(teams, np.ones(len(teams))), own, own, held, np.array([weight for *_, weight in turns or ()], np.float64)
    )


def suspects(chances: list[float], turns: list[tuple[int, int, int, float]] | None = None) -> str:
    game = check_game("a test", make_game("saboteur", "krisnadi", len(chances) + 1))
    return suspicion_line(game, 0, belief_of(chances, turns))


def test_all_who_are_suspected_alike_are_named() -> None:
    assert (
        suspects([0.28, 0.28, 0.16, 0.28])
        == "I suspect seat 1, seat 2 and seat 4 most (28 %). I suspect seat 3 least (16 %)."
    )
    assert suspects([0.6, 0.2, 0.2]) == "I suspect seat 1 most (60 %). I suspect seat 2 and seat 3 least (20 %)."
    stop = pack(PLAY_FIX, FIRST_FIX, 0, 3)
    told = suspects(
        [0.46, 0.46, 0.04, 0.04], [(1, stop, 6, 0.9), (2, stop, 7, 1.2), (2, stop, 12, 1.1), (3, stop, 3, -2.0)]
    )
    move = make_game("saboteur", "krisnadi", 5).format_action(stop)
    assert told == (
        f"I suspect seat 1 and seat 2 most (46 %), above all seat 1 for its {move} (move 7) and seat 2 for its {move} (move 8). "
        f"I suspect seat 3 and seat 4 least (4 %), above all seat 3 for its {move} (move 4)."
    )
    # Three reasons in one sentence nobody reads.
    three = [(seat, stop, seat, 2.0) for seat in (1, 2, 3)]
    assert (
        suspects([0.3, 0.3, 0.3, 0.1], three)
        == "I suspect seat 1, seat 2 and seat 3 most (30 %). I suspect seat 4 least (10 %)."
    )


def test_nobody_is_said_to_be_a_miner_who_may_be_none() -> None:
    assert suspects([0.0, 0.0]) == "The others are miners."
    assert suspects([0.004, 0.003]) == "I take all others for miners."
    assert suspects([1.0, 0.0]) == "I suspect seat 1 most (100 %). I suspect seat 2 least (0 %)."
    assert suspects([1.0 - 1e-6, 1e-6]) == "I suspect seat 1 most (>99 %). I suspect seat 2 least (<1 %)."


def test_a_card_thrown_away_face_down_is_not_named() -> None:
    told = suspects([0.8, 0.2], [(1, pack(DISCARD, HIDDEN_CARD, 0, 0), 2, 1.0)])
    assert (
        told
        == "I suspect seat 1 most (80 %), above all for its discard of a card (move 3). I suspect seat 2 least (20 %)."
    )


def test_a_lie_that_the_player_saw_through_is_the_reason() -> None:
    """To everybody else the same claim says little: what a move speaks for is weighed by what the seat knows alone."""
    found = 0
    for seed in range(60):
        position = Position(make_game("saboteur", "official+talk:rounds=1", 4), seed)
        looker = position.to_move
        if position.states["roles"][0, looker] != MINER or "map:top" not in map(str, position.legal_actions):
            continue
        position.play("map:top")
        gold = bool(position.states["goals"][0, 0] == GOLD)
        position.play(f"claim:top={'gold' if gold else 'stone'}")
        liar = position.to_move
        if "map:top" not in map(str, position.legal_actions):
            continue
        position.play("map:top")
        position.play(f"claim:top={'stone' if gold else 'gold'}")
        while position.to_move != looker:
            position.play(str(next(move for move in map(str, position.legal_actions) if move.startswith("discard"))))
        told = why_at(position)
        lie = f"claim:top={'stone' if gold else 'gold'} (move 4)"
        assert re.search(rf"I suspect seat {liar} most \(\d+ %\), above all for its {re.escape(lie)}", told), told
        found += 1
    assert found


def test_an_accusation_is_told_with_what_is_held_of_the_seat_now() -> None:
    """A person may have made it whom the player advises, and what is believed changes."""
    position = Position(make_game("saboteur", SPEAKING, 4), 3)
    seat = position.to_move
    accused = (seat + 1) % 4
    position.play(f"accuse>{accused}")
    agent = AGENTS.make(SHORT)
    memory = agent.catch_up(position.game, position.past(seat), np.ones(1, np.uint64))
    view = position.view_record(seat)
    chance = next(
        row.text for row in panel(agent.beliefs(position.game, view, memory, 0)[0]) if row.label == f"seat {accused}"
    )
    told = agent.why(position.game, view, memory, 0)
    assert f"I have accused seat {accused}, whom I hold for a saboteur with {chance} now." in told


def weighed(worth: list[float], worlds: list[int], added: list[float], followed: int, usual: int) -> Weighed:
    position = some_position()
    moves = np.array([int(action) for action in position.legal_actions[: len(worth)]], np.int32)
    faith = max(added) if usual >= 0 else 0.0
    return Weighed(
        moves, np.array(worth), np.array(worlds), np.array(added), followed, int(moves[max(usual, 0)]), faith
    )


def test_it_is_said_why_a_move_that_brought_less_was_taken() -> None:
    game = check_game("a test", some_position().game)
    told = worth_lines(game, weighed([0.1, 0.4, 0.3, 0.9], [12, 12, 4, 2], [0.0, -0.3, 0.0, 0.0], 3, -1))
    names = [game.format_action(int(move)) for move in weighed([0] * 4, [1] * 4, [0] * 4, 1, -1).moves]
    assert told[0].endswith(
        f"hold possible: {names[0]} +0.10 in 12 worlds; {names[1]} +0.40 in 12 worlds; {names[2]} +0.30 in 4 worlds."
    )
    assert told[1] == f"{names[1]} brought more, but I take {names[0]}: what I learned by playing speaks for it."
    assert told[2] == f"At a glance: {names[3]} +0.90 in 2 worlds."
    usual = worth_lines(game, weighed([0.1, 0.12], [12, 12], [0.03, 0.0], 2, 0))
    assert usual[1].endswith(": it is what players usually do here.")
    assert len(worth_lines(game, weighed([0.3, 0.1], [12, 12], [0.0, 0.0], 2, -1))) == 1


def test_only_a_miner_does_what_is_usual_because_it_is() -> None:
    """To a saboteur it adds nothing: there the learned player's liking is the reason, also of the usual move."""
    game = check_game("a test", some_position().game)
    saboteur = replace(weighed([0.1, 0.4], [12, 12], [0.0, -0.4], 2, 0), faith=0.0)
    assert worth_lines(game, saboteur)[1].endswith(": what I learned by playing speaks for it.")
    mostly = replace(weighed([0.1, 0.4], [12, 12], [0.03, -0.4], 2, 0), faith=0.03)
    assert worth_lines(game, mostly)[1].endswith(": what I learned by playing speaks for it.")


def test_a_move_that_brought_more_in_fewer_worlds_was_behind_in_those() -> None:
    game = check_game("a test", some_position().game)
    told = worth_lines(game, weighed([0.1, 0.0, 0.4], [12, 12, 4], [0.0, 0.0, -0.01], 3, -1))
    names = [game.format_action(int(move)) for move in weighed([0] * 3, [1] * 3, [0] * 3, 1, -1).moves]
    assert told[1] == (
        f"{names[2]} brought more, but in fewer worlds; in the same ones I took {names[0]} to be worth no less."
    )


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


def test_a_double_repair_that_mends_one_of_two_broken_tools_lets_nobody_dig_again() -> None:
    game, view = make_game("saboteur", "official", 5), np.zeros(1, VIEW)[0]
    view["seat"] = 1
    view["broken"][[1, 2, 3]] = (3, 3, 1)

    def told(move: str) -> str:
        return purpose(game.parse_action(move), view)

    assert told("fix:cart+lantern>1/lantern") == "mends one of my tools"
    assert told("fix:cart+lantern>2/cart") == "mends a tool of seat 2"
    assert told("fix:cart+lantern>3/cart") == "lets seat 3 dig again"


TUNNEL, DEAD_END, STONES = pack(PLAY_PATH, 0, 0, 0), pack(PLAY_PATH, FIRST_DEAD_END, 0, 0), pack(PLAY_ROCKFALL, 0, 0, 0)


@pytest.mark.parametrize(
    ("move", "role", "nearer", "told"),
    [
        (TUNNEL, MINER, -2.0, "builds on the tunnels"),
        (TUNNEL, SABOTEUR, 1.0, "looks honest"),
        (TUNNEL, SABOTEUR, 0.0, "builds where it helps little"),
        (TUNNEL, SABOTEUR, -1.0, "makes the way longer"),
        (DEAD_END, MINER, 0.0, "gets rid of a dead-end where it does little harm"),
        (DEAD_END, MINER, -1.0, "gets rid of a dead-end"),
        (DEAD_END, SABOTEUR, -1.0, "closes a way"),
        (DEAD_END, SABOTEUR, 0.0, "leaves a dead-end beside the way"),
        (STONES, MINER, 1.0, "takes away what I think stands in the way"),
        (STONES, MINER, 0.0, "takes away a card"),
        (STONES, SABOTEUR, -1.0, "takes away what the miners need"),
        (STONES, SABOTEUR, 0.0, "takes away a card"),
    ],
)
def test_what_a_card_in_the_mine_is_for_is_told_by_what_it_does_to_the_way(
    move: int, role: int, nearer: float, told: str
) -> None:
    view = np.zeros(1, VIEW)[0]
    view["role"] = role
    assert purpose(move, view, nearer) == told


def test_the_way_is_measured_for_the_move_that_is_taken() -> None:
    """From the start on the left: straight on to the middle, and a dead-end there or beside it."""
    position = Position(make_game("saboteur", "krisnadi", 3), 1)
    agent = AGENTS.make(SHORT)
    assert isinstance(agent, MoleAgent)
    memory = agent.catch_up(position.game, position.past(0), np.ones(1, np.uint64))
    nearer = {
        text: agent._nearer(Weighed.said(position.game.parse_action(text)), memory, 0)[1]
        for text in ("P_EW@1,2", "D_E@1,2r", "D_E@0,3", "discard:P_EW")
    }
    assert nearer == {"P_EW@1,2": 1.0, "D_E@1,2r": -2.0, "D_E@0,3": 0.0, "discard:P_EW": 0.0}


def test_a_map_on_what_is_known_shows_nothing_new() -> None:
    view = np.zeros(1, VIEW)[0]
    look = [pack(PLAY_MAP, 0, 0, goal) for goal in range(3)]
    assert purpose(look[1], view) == "shows what lies at the middle"
    view["goals"][0] = GOLD + 1
    assert purpose(look[0], view) == "shows me nothing new" != purpose(look[1], view)
    view["goals"][1] = GOLD + 2
    assert purpose(look[2], view) == "shows me nothing new"
    view["goals"][:] = (GOLD, 0, 0)
    assert purpose(look[2], view) == "shows me nothing new"


def test_who_is_blocked_already_is_not_stopped() -> None:
    view = np.zeros(1, VIEW)[0]
    stop = pack(PLAY_BREAK, FIRST_BREAK, 0, 2)
    assert purpose(stop, view) == "stops seat 2"
    view["broken"][2] = 1
    assert purpose(stop, view) == "breaks one more tool of seat 2"


@pytest.mark.parametrize("broken", [0, 1])
def test_who_breaks_a_tool_of_their_own_says_so(broken: int) -> None:
    view = np.zeros(1, VIEW)[0]
    view["seat"], view["broken"][2] = 2, broken
    assert purpose(pack(PLAY_BREAK, FIRST_BREAK + 1, 0, 2), view) == "breaks one of my own tools"


def test_a_claim_is_said_to_be_the_truth_or_a_lie() -> None:
    game, view = make_game("saboteur", "official+talk", 3), np.zeros(1, VIEW)[0]
    for seen, true in [(GOLD, "gold"), (GOLD + 1, "stone"), (GOLD + 2, "stone")]:
        view["goals"][:] = (0, seen, 0)
        for said in ("gold", "stone"):
            told = purpose(game.parse_action(f"claim:middle={said}"), view)
            assert told == (
                "tells the others what I saw" if said == true else "is a lie that is to lead the others astray"
            )
