"""Notation reads back, records replay to the byte, and every vote and card of a record is accounted for."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from molehunt.agents.random import RandomAgent
from molehunt.core.errors import BadNotation
from molehunt.core.match import play
from molehunt.core.record import make_record, parse_record
from molehunt.core.replay import Replay
from molehunt.core.streams import game_seeds
from resistance.agents.counting import CountingAgent
from resistance.game import Resistance, every_action, longest
from resistance.notation import format_action, parse_action
from resistance.ruleset import TEAM_SIZES, ruleset_from_text
from resistance.state import FAIL, HIDDEN_CARD, HIDDEN_VOTE
from resistance_games import SEATS, make


@given(st.integers(1, FAIL))
def test_every_action_reads_back(action: int) -> None:
    assert parse_action(format_action(action)) == action


@given(st.lists(st.integers(0, 9), min_size=1, max_size=10, unique=True))
def test_a_team_may_be_written_in_any_order(seats: list[int]) -> None:
    action = parse_action("propose:" + ",".join(map(str, seats)))
    assert format_action(action) == "propose:" + ",".join(map(str, sorted(seats)))


@given(st.one_of(st.text(max_size=40), st.from_regex(r"\Apropose:[0-9, ]*\Z")))
def test_any_other_text_is_refused_with_what_would_be_right(text: str) -> None:
    if re.fullmatch(r"(propose:[0-9](,[0-9])*|approve|reject|success|fail)", text, re.ASCII):
        return
    with pytest.raises(BadNotation) as refused:
        parse_action(text)
    assert len(str(refused.value)) > 20


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "moves look like propose:0,2,4"),
        ("pass", "moves look like"),
        ("Approve", "moves look like"),
        ("propose:", "names no team"),
        ("propose:0;1", "names no team"),
        ("propose:0, 1", "names no team"),
        ("propose:10,1", "names no team"),
        ("propose:1,2,1", "seat 1 twice"),
        ("vote:?", "moves look like"),
        ("card:?", "moves look like"),
    ],
)
def test_what_is_no_move_says_why(text: str, said: str) -> None:
    with pytest.raises(BadNotation, match=said.replace("?", r"\?")):
        parse_action(text)


def test_secret_choices_have_a_notation_of_their_own() -> None:
    assert (format_action(HIDDEN_VOTE), format_action(HIDDEN_CARD)) == ("vote:?", "card:?")
    assert format_action(-5) == "action -5"


def remake(_name: str, spec: str, seats: int) -> Resistance:
    name, _, items = spec.partition(":")
    return Resistance(ruleset_from_text(name, items.split(",") if items else []), seats)


@pytest.mark.parametrize("seats", SEATS)
def test_records_replay_to_the_byte_with_every_vote_and_card(seats: int) -> None:
    game = make(seats, "rejections=4") if seats == 6 else make(seats)
    agents = [RandomAgent(), *[CountingAgent()] * (seats - 1)]
    played = play(game, agents, game_seeds(seats, 0, 40), keep_actions=True)
    assert played.actions is not None
    actions = set(every_action(game).tolist())
    for index, moves in enumerate(played.actions):
        names = tuple(agent.name for agent in agents)
        record = make_record(game, int(played.seeds[index]), names, None, moves, played.states[index])
        replay = Replay(parse_record(record.line()), remake)
        assert replay.states[-1].tobytes() == played.states[index : index + 1].tobytes()
        assert set(moves) <= actions and len(moves) <= longest(game)
        # Every proposal has a vote of every seat, and every mission a card of every member of its team.
        state = played.states[index]
        done = int((state["fails"] >= 0).sum())
        proposals = int((state["teams"] > 0).sum())
        kinds = Counter(move.partition(":")[0] for move in record.moves)
        assert kinds["propose"] == proposals and kinds["approve"] + kinds["reject"] == seats * proposals
        assert kinds["success"] + kinds["fail"] == sum(TEAM_SIZES[seats][:done])
        assert kinds["fail"] == state["fails"][state["fails"] > 0].sum()
        assert kinds["approve"] == np.bitwise_count(state["ayes"]).sum()
        assert kinds.total() == state["turn"] == len(moves)


def test_a_game_is_a_function_of_its_seed_and_not_of_its_batch() -> None:
    game = make(6)
    agents = [CountingAgent()] * 6
    seeds = game_seeds(5, 0, 20)
    together = play(game, agents, seeds)
    for index in (0, 7, 19):
        alone = play(game, agents, seeds[index : index + 1])
        assert alone.states.tobytes() == together.states[index : index + 1].tobytes()


def test_random_play_in_one_loop_ends_every_game() -> None:
    game = make(7)
    states = game.new(game_seeds(1, 0, 300))
    assert game.play_randomly(states, np.arange(300, dtype=np.uint64)) == states["turn"].sum()
    assert set(game.outcome_codes(states)) == {0, 1, 2}
