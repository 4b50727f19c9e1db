"""The compiled rules equal the slow engine, move by move: states, views of all seats, legal moves, events and ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from molehunt.core.seats import NOBODY
from resistance.state import EVENT, STATE, UNKNOWN, VIEW
from resistance_games import SEATS, make
from slow_resistance import ReferenceResistance

ROLES = {"resistance": 0, "spy": 1}
PHASES = {"propose": 0, "vote": 1, "mission": 2}
POSITION = ("to_move", "phase", "mission", "attempt", "leader", "outcome")
OUTCOMES = {None: 0, "successes": 1, "sabotage": 2, "rejections": 3}


def word(seats: Any) -> int:
    return sum(1 << seat for seat in seats)


def roles_of(known: dict[int, str]) -> list[int]:
    return [ROLES[known[seat]] if seat in known else UNKNOWN for seat in range(10)]


def approved_by(votes: dict[int, str]) -> int:
    return word(player for player, vote in votes.items() if vote == "approve")


class Expected:
    """The states of games as the slow engine has them, and the views of everybody, as records: -1 is the last view.

    They are kept from move to move, and after each only what it can have changed is asked for again.
    """

    def __init__(self, slow: list[ReferenceResistance], streams: Any) -> None:
        self.slow = slow
        self.states = np.zeros(len(slow), STATE)
        self.states["stream"] = streams
        players = slow[0].players
        self.views = np.zeros((len(slow), players + 1), VIEW)
        self.views["seat"] = [*range(players), NOBODY]
        for records in (self.states, self.views):
            records["fails"] = UNKNOWN
        # Every field by its name, so that it is looked up once.
        self.state = {name: self.states[name] for name in STATE.names or ()}
        self.view = {name: self.views[name] for name in VIEW.names or ()}
        self.seats = [*range(players), NOBODY]
        for row, game in enumerate(slow):
            self.state["roles"][row] = roles_of(game.known_roles(next(iter(game.spies))))
            self.view["roles"][row] = [roles_of(game.known_roles(seat)) for seat in self.seats]

    def note(self, row: int) -> None:
        """A move was made in a game."""
        slow, state, view = self.slow[row], self.state, self.view
        proposal = slow.proposals[-1]
        mission, attempt = proposal["mission"] - 1, proposal["attempt"] - 1
        move = slow.history[-1]["move"]
        if move.startswith("propose"):
            state["teams"][row, mission, attempt] = view["teams"][row, :, mission, attempt] = word(proposal["team"])
        elif move in {"approve", "reject"}:
            state["ayes"][row, mission, attempt] = approved_by(proposal["votes"])
            known = [slow.known_votes(seat, proposal) for seat in self.seats]
            view["ayes"][row, :, mission, attempt] = [approved_by(votes) for votes in known]
        else:
            cards = [slow.own_cards(seat).get(mission + 1) for seat in self.seats]
            state["failed_by"][row, mission] = word(seat for seat in self.seats if cards[seat] == "fail")
            view["failed_by"][row, :, mission] = [
                (card == "fail") << max(seat, 0) for seat, card in zip(self.seats, cards, strict=True)
            ]
            fails = [mission["fails"] for mission in slow.missions]
            state["fails"][row, : len(fails)] = view["fails"][row, :, : len(fails)] = fails
        if slow.winner is not None:
            view["roles"][row] = [roles_of(slow.known_roles(seat)) for seat in self.seats]

    def note_positions(self, rows: Any, turn: int) -> None:
        """What is public of a position and no matter of history."""
        position = [self.position(self.slow[row]) for row in rows]
        for name, column in zip(POSITION, zip(*position, strict=True), strict=True):
            self.state[name][rows] = column
            self.view[name][rows] = np.array(column)[:, None]
        self.state["turn"][rows] = self.view["turn"][rows] = turn

    @staticmethod
    def position(slow: ReferenceResistance) -> tuple[int, ...]:
        # An attempt that ended in a mission stays the number of that mission's team until the next proposal.
        attempt = slow.rejected_in_a_row
        if slow.phase == "mission" or slow.winner is not None:
            attempt = slow.proposals[-1]["attempt"] - 1
        to_move = slow.to_move
        return (
            NOBODY if to_move is None else to_move,
            PHASES[slow.phase],
            slow.mission - 1,
            attempt,
            slow.leader,
            OUTCOMES[slow.reason],
        )


def events_of(told: list[dict[str, Any]], code: Callable[[str], int], turn: int) -> list[tuple[Any, ...]]:
    """What everybody is told of a move, as rows of the dtype; most are told the same."""
    rows: list[tuple[Any, ...]] = []
    for index, one in enumerate(told):
        rows.append(rows[-1] if index and one == told[index - 1] else event_of(one, code, len(told), turn))
    return rows


def event_of(told: dict[str, Any], code: Callable[[str], int], seats: int, turn: int) -> tuple[Any, ...]:
    move = told["move"]
    hidden = {"vote:?": 1028, "card:?": 1029}
    ayes, fails = told.get("ayes"), told.get("fails")
    over = "winner" in told
    needed = 2 if seats >= 7 and told["mission"] == 4 else 1
    reason = 0
    if over:
        reason = 3 if ayes is not None else 1 if told["winner"] == "resistance" else 2
    spies = {seat: "spy" if seat in told["spies"] else "resistance" for seat in range(seats)} if over else {}
    return (
        hidden.get(move) or code(move),
        turn,
        UNKNOWN if ayes is None else word(ayes),
        word(told["team"]),
        told["player"],
        told["mission"] - 1,
        told["attempt"] - 1,
        UNKNOWN if ayes is None else int(2 * len(ayes) > seats),
        UNKNOWN if fails is None else fails,
        UNKNOWN if fails is None else int(fails < needed),
        reason,
        roles_of(spies),
    )


def same(wanted: Any, found: Any, where: Any) -> None:
    for name in wanted.dtype.names:
        differs = wanted[name] != found[name]
        if differs.any():
            index = tuple(np.argwhere(differs)[0][: wanted.ndim])
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
    expected = Expected(slow, states["stream"])
    text = cache(game.format_action)
    code = cache(lambda move: int(game.parse_action(move)))
    # Some approve most teams and some few, and spies play fail more or less often, so that games end in all ways.
    habits = random.random((games, 2))
    turn = 0
    rows = np.arange(games)
    while len(rows):
        expected.note_positions(rows, turn)
        same(expected.states[rows], states[rows], turn)
        views = game.views(states, np.tile(expected.seats, len(rows)), np.repeat(rows, len(expected.seats)))
        views = views.reshape(len(rows), -1)
        same(expected.views[rows], views, turn)
        for row, seen_by in zip(rows.tolist(), views, strict=True):
            to_move = slow[row].to_move
            for seat in expected.seats:
                if seat == to_move or (turn + seat) % 5 == 0:
                    legal = [text(action) for action in game.legal_actions(seen_by[seat]).codes]
                    assert sorted(legal) == (sorted(slow[row].legal_moves()) if seat == to_move else [])
                    assert len(set(legal)) == len(legal)
        rows = rows[[slow[row].winner is None for row in rows]]
        if not len(rows):
            break
        told, actions = [], []
        for row in rows.tolist():
            legal = slow[row].legal_moves()
            move = legal[random.integers(len(legal))]
            if legal[0] == "approve":
                move = "approve" if random.random() < 0.2 + 0.8 * habits[row, 0] else "reject"
            elif "fail" in legal:
                move = "fail" if random.random() < habits[row, 1] else "success"
            seen[move.partition(":")[0]] += 1
            actions.append(code(move))
            told += events_of(slow[row].apply(move), code, turn)
            expected.note(row)
        events = game.apply(states, np.array(actions, np.int32), rows)
        same(np.array(told, EVENT), events.reshape(-1), turn)
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
