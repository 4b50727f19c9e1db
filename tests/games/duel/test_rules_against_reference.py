"""The compiled rules equal the slow engine in tests/reference, move by move.

After every move of every game: the whole state, the cells that a tunnel reaches and the cells where each set of edges fits
included; the legal moves as notation, without duplicates; the views of both seats; and what both were told of the move. A fifth
of the games is uniformly random. Players with habits play the others, so that tunnels reach goals, are destroyed, and maluses
add up, which random play hardly sees.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from games.duel.playing import (
    CARDS,
    CONTENTS,
    GAME,
    Habits,
    action_of,
    cell_set,
    codes_of,
    counts_of,
    event_of,
    every_move,
    fitting_everywhere,
    fitting_of,
    goal_set,
    hand_of,
    reference_of,
    seeds_of,
    shared_numbers,
    walk,
)
from molehunt.core.errors import IllegalAction
from molehunt.games.duel.rules import RULE_TEXTS
from molehunt.games.duel.state import EVENT, MAZE, STATE, VIEW
from reference.duel import FLIP, Cell, ReferenceDuel, cell_of, is_drop

FIRST_PART = 180
BATCH = 40
ANEW = 211
"""At one position in so many, what fits is asked anew for every cell."""


class Followed(ReferenceDuel):
    """A slow game that is asked often: it keeps the legal moves and what the tunnels reach until the next move."""

    tunnels: set[Cell]
    moves_at = -1
    kept: list[str]

    def legal_moves(self) -> list[str]:
        if self.moves_at != self.turn:
            self.moves_at, self.kept = self.turn, super().legal_moves()
        return self.kept

    def joined(self) -> set[Cell]:
        self.tunnels = super().joined()
        return self.tunnels


def maze_of(slow: Followed, board: dict[Cell, str], anew: bool) -> tuple[Any, ...]:
    tiles = [cell for cell, name in board.items() if name[0].isdigit()]
    fitting = fitting_of(slow)
    if anew:
        assert fitting == fitting_everywhere(slow)
    return fitting, cell_set(tiles), cell_set(slow.tunnels), [0, 0, 0, 0], codes_of(board)


def looked_at(slow: ReferenceDuel) -> list[int]:
    return [goal_set(slow.seen[seat]) for seat in (0, 1)]


def state_of(slow: Followed, stream: int, dealt: list[int], maze: tuple[Any, ...]) -> tuple[Any, ...]:
    return (
        [stream],
        maze,
        dealt,
        [hand_of(hand) for hand in slow.hands],
        [len(hand) for hand in slow.hands],
        [counts_of(discards) for discards in slow.discards],
        counts_of(slow.played),
        slow.malus,
        looked_at(slow),
        [CONTENTS.index(content) for content in slow.goals],
        *shared_numbers(slow),
    )


def view_of(slow: Followed, seat: int, maze: tuple[Any, ...]) -> tuple[Any, ...]:
    view = slow.view(seat)
    history = view["history"]
    discards = [sum(is_drop(event["move"]) and event["seat"] == other for event in history) for other in (0, 1)]
    own = [event["move"].removeprefix("drop:") for event in history if is_drop(event["move"]) and event["seat"] == seat]
    maps = [
        goal_set({("left", "middle", "right").index(event["move"][4:]) for event in told})
        for other in (0, 1)
        for told in [[event for event in history if event["seat"] == other and event["move"].startswith("map:")]]
    ]
    assert view["board"] == slow.view(1 - seat)["board"]
    numbers = shared_numbers(slow)
    assert (view["turn"], -1 if view["to_move"] is None else view["to_move"], 55 - view["deck_left"]) == tuple(
        numbers[:3]
    )
    assert goal_set(goal for goal in range(3) if view["revealed"][goal]) == numbers[5]
    return (
        maze,
        hand_of(view["hand"]),
        view["hand_sizes"],
        counts_of(view["unseen"].elements()),
        counts_of(own),
        discards,
        counts_of(slow.played),
        view["malus"],
        maps,
        [CONTENTS.index(content or "unknown") for content in view["goals"]],
        *numbers,
        seat,
    )


class Comparison:
    """Games that the two engines play side by side."""

    def __init__(self, first: int, games: int) -> None:
        self.states = GAME.new(seeds_of(first, games))
        self.dealt = self.states.copy()
        self.slow: list[Followed] = []
        for state in self.states:
            slow = reference_of(state, Followed)
            assert isinstance(slow, Followed)
            slow.joined()
            self.slow.append(slow)
        self.players = [Habits(first + index) for index in range(games)]
        self.played: list[list[str]] = [[] for _ in range(games)]
        self.text: dict[int, str] = {}
        self.positions = 0
        self.moves = 0
        self.seen: Counter[str] = Counter()

    def run(self) -> None:
        rows = list(range(len(self.slow)))
        while rows:
            self.check_positions(rows)
            rows = [row for row in rows if not self.slow[row].over]
            if rows:
                self.move(rows)
                ended = [row for row in rows if self.slow[row].over]
                self.check_positions(ended)
                rows = [row for row in rows if not self.slow[row].over]
        self.check_ends()

    def where(self, row: int) -> str:
        return f"game {row} after {'; '.join(self.played[row])}"

    def compare(self, expected: list[tuple[Any, ...]], found: Any, dtype: np.dtype[Any], games: list[int]) -> None:
        """Fail where a record is not what the rows say; `games[i]` is the game of row i."""
        self.compare_fields(np.array(expected, dtype), found, games, "")

    def compare_fields(self, expected: Any, found: Any, games: list[int], path: str) -> None:
        for name in expected.dtype.names:
            if expected.dtype[name].names:
                self.compare_fields(expected[name], found[name], games, f"{name}.")
            elif not np.array_equal(expected[name], found[name]):
                index = int(np.flatnonzero((found[name] != expected[name]).reshape(len(games), -1).any(axis=1))[0])
                place = self.where(games[index])
                pytest.fail(
                    f"{place}: {path}{name} is {found[name][index].tolist()}, not {expected[name][index].tolist()}"
                )

    def check_positions(self, rows: list[int]) -> None:
        """States, both views and the legal moves."""
        if not rows:
            return
        mazes = []
        for row in rows:
            slow = self.slow[row]
            self.positions += 1
            mazes.append(maze_of(slow, slow.view(0)["board"], self.positions % ANEW == 1))
        expected = [
            state_of(self.slow[row], int(self.dealt["stream"][row, 0]), self.dealt["deck"][row].tolist(), maze)
            for row, maze in zip(rows, mazes, strict=True)
        ]
        self.compare(expected, self.states[rows], STATE, rows)
        for seat in (0, 1):
            views = GAME.views(self.states, np.full(len(rows), seat, np.int8), np.array(rows, np.int64))
            seen = [view_of(self.slow[row], seat, maze) for row, maze in zip(rows, mazes, strict=True)]
            self.compare(seen, views, VIEW, rows)
            for index, row in enumerate(rows):
                self.check_legal_moves(row, seat, views[index : index + 1])

    def check_legal_moves(self, row: int, seat: int, view: Any) -> None:
        codes = [int(code) for code in GAME.legal_actions(view)]
        for code in codes:
            if code not in self.text:
                self.text[code] = GAME.format_action(code)
        found = sorted(self.text[code] for code in codes)
        expected = sorted(self.slow[row].legal_moves()) if self.slow[row].to_move == seat else []
        if found != expected:
            pytest.fail(f"{self.where(row)}: missing {set(expected) - set(found)}, wrong {set(found) - set(expected)}")

    def move(self, rows: list[int]) -> None:
        """Play one move in each of these games, and compare what it told both seats."""
        codes, expected = [], []
        for row in rows:
            slow = self.slow[row]
            move = self.players[row].pick(slow, slow.tunnels, slow.legal_moves())
            self.count(slow, move)
            turn, told = slow.turn, slow.apply(move)
            codes.append(action_of(move))
            expected += [event_of(event, turn) for event in told]
            self.played[row].append(move)
            for content in told[0]["revealed"].values():
                self.seen[f"{content} reached by {move.partition('@')[0]}"] += 1
                self.seen[content] += 1
            self.seen["two goals at once"] += len(told[0]["revealed"]) > 1
            self.seen["apart from the tunnel"] += move[0].isdigit() and cell_of(move) not in slow.tunnels
            self.moves += 1
        events = GAME.apply(self.states, np.array(codes, np.int32), np.array(rows))
        self.compare(expected, events.reshape(-1), EVENT, [row for row in rows for _ in range(2)])

    def count(self, slow: Followed, move: str) -> None:
        """Note what is remarkable about a move that will be made."""
        assert slow.to_move is not None
        other, seen = 1 - slow.to_move, self.seen
        seen[move.partition("@")[0].partition(":")[0]] += 1
        seen["flipped"] += FLIP in move
        seen["hindered"] += slow.malus[slow.to_move] > 0
        if move == "malus":
            seen["second malus"] += slow.malus[other] == 1
        elif move.startswith("destroy@"):
            cell = cell_of(move)
            seen["joined tile destroyed"] += cell in slow.tunnels
            seen["tile apart destroyed"] += cell not in slow.tunnels
            seen["destroyed after a reveal"] += any(slow.revealed)
        elif move.startswith("map:"):
            goal = ("left", "middle", "right").index(move[4:])
            seen["map of a goal seen before"] += goal in slow.seen[slow.to_move]
            seen["map of the nugget"] += slow.goals[goal] == "nugget"

    def check_ends(self) -> None:
        """Who has won, and how."""
        winners = [slow.winner for slow in self.slow]
        assert GAME.wins(self.states).tolist() == [[seat == winner for seat in (0, 1)] for winner in winners]
        names = GAME.outcome_names()
        ends = [names[code] for code in GAME.outcome_codes(self.states)]
        assert ends == ["draw" if winner is None else "nugget" for winner in winners]
        for index, winner in enumerate(winners):
            outcome = GAME.outcome(self.states[index])
            assert outcome is not None
            assert outcome.winners == (() if winner is None else (winner,))
            assert outcome.payoffs == tuple(float(seat == winner) for seat in (0, 1))
            assert self.slow[index].draw == (winner is None)
            assert winner is not None or self.slow[index].turn == 55
            self.seen["draw" if winner is None else f"won by {winner}"] += 1
        assert (GAME.to_move(self.states) == -1).all()


def compare_games(first: int, games: int) -> Counter[str]:
    """Compare these games, a batch at a time; what happened in them, "games" and "moves" among it."""
    seen = Counter[str]()
    for start in range(first, first + games, BATCH):
        comparison = Comparison(start, min(BATCH, first + games - start))
        comparison.run()
        seen += comparison.seen
        seen["games"] += len(comparison.slow)
        seen["moves"] += comparison.moves
    return seen


def test_rules_equal_the_reference() -> None:
    seen = compare_games(0, FIRST_PART)
    # The games came to where the rules are difficult.
    assert seen["nugget"] == seen["won by 0"] + seen["won by 1"] > FIRST_PART // 5
    assert min(seen["won by 0"], seen["won by 1"]) > 5
    assert seen["blank"] > FIRST_PART // 5
    assert seen["draw"] > FIRST_PART // 5
    for what in (
        "flipped",
        "apart from the tunnel",
        "hindered",
        "second malus",
        "bonus",
        "joined tile destroyed",
        "tile apart destroyed",
        "destroyed after a reveal",
        "map of a goal seen before",
        "map of the nugget",
        *CARDS[:16],
        "map",
        "malus",
        "drop",
    ):
        assert seen[what] >= 3, what


@pytest.mark.long
def test_rules_equal_the_reference_in_ten_thousand_games() -> None:
    seen = compare_games(FIRST_PART, 10_000 - FIRST_PART)
    assert seen["games"] + FIRST_PART == 10_000
    assert seen["two goals at once"] > 10


# The rule that forbids a move, by how the slow engine says it.
SAME_RULE = {
    "this is no move": 1,
    "the game is over": 2,
    "no tile is laid with a malus in front of oneself": 4,
    "the cell is not empty": 6,
    "no open edge meets an open edge": 6,
    "the goal is revealed already": 7,
    "a bonus needs a malus in front of oneself": 8,
    "neither the entrance nor a goal is destroyed": 9,
    "there is no tile to destroy": 9,
}


def rule_of(reason: str | None) -> int:
    if reason is None:
        return 0
    if reason.startswith("the card "):
        return 3
    return 6 if reason.startswith("the edge ") else SAME_RULE[reason]


def test_what_is_illegal_is_refused_as_the_reference_refuses_it() -> None:
    """Every notation of the game, at positions along games of every style, the last ones included."""
    codes = {move: action_of(move) for move in every_move()}
    found = Counter[int]()
    for number in range(15):
        for turn, (states, slow) in enumerate(walk(number)):
            if turn % 19 != number and not slow.over:
                continue
            for move, code in codes.items():
                rule = GAME.fault(states, code)
                found[rule] += 1
                assert rule == rule_of(slow.broken_rule(move)), (move, slow.history[0])
            kept = states.tobytes()
            refused = next(move for move in codes if slow.broken_rule(move) is not None)
            with pytest.raises(IllegalAction) as error:
                GAME.apply(states, np.array([codes[refused]], np.int32))
            assert error.value.rule == RULE_TEXTS[GAME.fault(states, codes[refused])]
            assert states.tobytes() == kept
    assert set(found) == {0, 2, 3, 4, 6, 7, 8, 9}


def test_the_records_hold_nothing_that_is_not_compared() -> None:
    """A new field of a record asks for a new comparison."""
    assert MAZE.names == ("fitting", "tiles", "joined", "pending", "what")
    assert [len(record.names or ()) for record in (STATE, VIEW, EVENT)] == [16, 17, 8]
