"""The compiled rules equal the slow engine, move by move: states, views of all seats, legal moves, events and ends."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from molehunt.core.seats import NOBODY
from resistance.state import EVENT, STATE, UNKNOWN, VIEW
from resistance_games import SEATS, make
from slow_resistance import ReferenceResistance

ROLES = {"resistance": 0, "spy": 1}
PHASES = {"propose": 0, "vote": 1, "mission": 2}
OUTCOMES = {None: 0, "successes": 1, "sabotage": 2, "rejections": 3}


def word(seats: Any) -> int:
    return sum(1 << seat for seat in seats)


def roles_of(known: dict[int, str]) -> list[int]:
    return [ROLES[known[seat]] if seat in known else UNKNOWN for seat in range(10)]


def words_of(proposal: dict[str, Any]) -> tuple[int, int]:
    """The team of a proposal, and who is known to have approved."""
    return word(proposal["team"]), word(player for player, vote in proposal["votes"].items() if vote == "approve")


def record_of(
    slow: ReferenceResistance, seat: int | None, turn: int, stream: int, shown: dict[tuple[int, int], tuple[int, int]]
) -> tuple[Any, ...]:
    """The state as the slow engine has it, or the view of a seat, as a row of the dtype.

    `shown` keeps the words of proposals whose votes have been shown to all: nothing about those changes any more.
    """
    teams, ayes = [[0] * 5 for _ in range(5)], [[0] * 5 for _ in range(5)]
    proposals = slow.proposals if seat is None else slow.known_proposals(seat)
    for proposal in proposals:
        mission, attempt = proposal["mission"] - 1, proposal["attempt"] - 1
        if not proposal["open"]:
            words = words_of(proposal)
        elif (mission, attempt) in shown:
            words = shown[mission, attempt]
        else:
            words = shown[mission, attempt] = words_of(proposal)
        teams[mission][attempt], ayes[mission][attempt] = words
    failed = [0] * 5
    for player in range(slow.players) if seat is None else [seat]:
        for mission, card in slow.own_cards(player).items():
            failed[mission - 1] |= (card == "fail") << player
    fails = [mission["fails"] for mission in slow.missions]
    known = slow.known_roles(next(iter(slow.spies)) if seat is None else seat)
    # An attempt that ended in a mission stays the number of that mission's team until the next proposal.
    attempt = slow.rejected_in_a_row
    if slow.phase == "mission" or slow.winner is not None:
        attempt = slow.proposals[-1]["attempt"] - 1
    row = (
        teams,
        ayes,
        failed,
        fails + [UNKNOWN] * (5 - len(fails)),
        roles_of(known),
        turn,
        NOBODY if slow.to_move is None else slow.to_move,
        PHASES[slow.phase],
        slow.mission - 1,
        attempt,
        slow.leader,
        OUTCOMES[slow.reason],
    )
    return ([stream], *row) if seat is None else (*row, seat)


def event_of(told: dict[str, Any], game: Any, turn: int) -> tuple[Any, ...]:
    move = told["move"]
    hidden = {"vote:?": 1028, "card:?": 1029}
    ayes, fails = told.get("ayes"), told.get("fails")
    over = "winner" in told
    needed = 2 if game.seats >= 7 and told["mission"] == 4 else 1
    reason = 0
    if over:
        reason = 3 if ayes is not None else 1 if told["winner"] == "resistance" else 2
    spies = {seat: "spy" if seat in told["spies"] else "resistance" for seat in range(game.seats)} if over else {}
    return (
        hidden.get(move) or int(game.parse_action(move)),
        turn,
        UNKNOWN if ayes is None else word(ayes),
        word(told["team"]),
        told["player"],
        told["mission"] - 1,
        told["attempt"] - 1,
        UNKNOWN if ayes is None else int(2 * len(ayes) > game.seats),
        UNKNOWN if fails is None else fails,
        UNKNOWN if fails is None else int(fails < needed),
        reason,
        roles_of(spies),
    )


def same(expected: list[tuple[Any, ...]], found: Any, dtype: np.dtype[Any], where: Any) -> None:
    wanted = np.array(expected, dtype)
    for name in dtype.names or ():
        differs = (wanted[name] != found[name]).reshape(len(wanted), -1).any(axis=1)
        if differs.any():
            index = int(np.flatnonzero(differs)[0])
            pytest.fail(f"{where}, row {index}: {name} is {found[name][index]}, not {wanted[name][index]}")


def compare(seats: int, first: int, games: int) -> Counter[str]:
    """Play random games in both engines, side by side; what happened in them."""
    game = make(seats)
    random = np.random.default_rng([seats, first])
    seen = Counter[str]()
    states = game.new(np.arange(first, first + games, dtype=np.uint64))
    slow = []
    for state in states:
        spies = {seat for seat in range(seats) if state["roles"][seat] == 1}
        slow.append(ReferenceResistance(spies, int(state["leader"]), seats))
    streams = states["stream"][:, 0].tolist()
    shown: list[dict[tuple[int, int], tuple[int, int]]] = [{} for _ in slow]
    # Some approve most teams and some few, and spies play fail more or less often, so that games end in all ways.
    habits = random.random((games, 2))
    turn = 0
    rows = np.arange(games)
    while len(rows):
        same([record_of(slow[row], None, turn, streams[row], shown[row]) for row in rows], states[rows], STATE, turn)
        for seat in range(-1, seats):
            views = game.views(states, np.full(len(rows), seat, np.int8), rows)
            same([record_of(slow[row], seat, turn, 0, shown[row]) for row in rows], views, VIEW, (turn, seat))
            for view, row in zip(views, rows, strict=True):
                moves = seat == slow[row].to_move
                if moves or (turn + seat) % 5 == 0:
                    legal = [str(action) for action in game.legal_actions(view)]
                    assert sorted(legal) == (sorted(slow[row].legal_moves()) if moves else [])
                    assert len(set(legal)) == len(legal)
        rows = rows[[slow[row].winner is None for row in rows]]
        if not len(rows):
            break
        told, actions = [], []
        for row in rows:
            legal = slow[row].legal_moves()
            move = legal[random.integers(len(legal))]
            if legal[0] == "approve":
                move = "approve" if random.random() < 0.2 + 0.8 * habits[row, 0] else "reject"
            elif "fail" in legal:
                move = "fail" if random.random() < habits[row, 1] else "success"
            seen[move.partition(":")[0]] += 1
            actions.append(int(game.parse_action(move)))
            told += [event_of(event, game, turn) for event in slow[row].apply(move)]
        events = game.apply(states, np.array(actions, np.int32), rows)
        same(told, events.reshape(-1), EVENT, turn)
        turn += 1
    for index, each in enumerate(slow):
        seen[str(each.reason)] += 1
        seen["one fail of two"] += any(m["fails"] and not m["failed"] for m in each.missions)
        outcome = game.outcome(states[index])
        assert outcome is not None
        won = each.spies if each.winner == "spy" else set(range(seats)) - each.spies
        assert set(outcome.winners) == won == set(np.flatnonzero(game.wins(states[index : index + 1])[0]).tolist())
        assert game.payoffs(states[index : index + 1])[0].tolist() == list(outcome.payoffs)
        assert game.outcome_names()[game.outcome_codes(states[index : index + 1])[0]] == each.reason
    seen["moves"] = sum(seen[move] for move in ("propose", "approve", "reject", "success", "fail"))
    return seen


@pytest.mark.parametrize("seats", SEATS)
def test_rules_equal_the_reference(seats: int) -> None:
    seen = compare(seats, 0, 60)
    for what in ("propose", "approve", "reject", "success", "fail", "successes", "sabotage", "rejections"):
        assert seen[what] >= 3, what
    assert seen["one fail of two"] >= 3 or seats < 7


@pytest.mark.thorough
@pytest.mark.parametrize("seats", SEATS)
def test_rules_equal_the_reference_in_thousands_of_games(seats: int) -> None:
    assert compare(seats, 60, 500)["moves"] > 15_000


@pytest.mark.parametrize("seats", [5, 7, 10])
def test_faults_are_what_is_not_listed(seats: int) -> None:
    """Every number that could be an action, at positions of every phase."""
    game = make(seats)
    random = np.random.default_rng(seats)
    states = game.new(np.arange(6, dtype=np.uint64))
    for turn in range(60):
        for state in states:
            one = np.array([state])
            legal = set(game.legal_actions(game.views(one, game.to_move(one))).codes)
            if turn % 6 == 0:
                assert {action for action in range(-3, 1034) if game.fault(one, action) == 0} == legal
        rows = np.flatnonzero(game.to_move(states) >= 0)
        views = game.views(states, game.to_move(states)[rows], rows)
        actions = [random.choice(game.legal_actions(view).codes) for view in views]
        game.apply(states, np.array(actions, np.int32), rows)


def test_the_records_hold_nothing_that_is_not_compared() -> None:
    """A new field of a record asks for a new comparison."""
    assert len(STATE.names or ()) == len(VIEW.names or ()) == 13 and len(EVENT.names or ()) == 12
