"""The compiled rules equal the slow engine in tests/reference, move by move, on ten thousand random games.

After every move of every game: the whole state; the legal moves of the seat to move, as notations and without duplicates;
the view of the seat to move and that of one more seat, which goes round the table from move to move and from game to game;
and what the move told every seat.

The reference engine is written into records, field by field, and whole arrays are compared.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from games.saboteur.playing import SWITCHES, pick, saboteur, seeds_of
from molehunt.core.game import Views
from molehunt.games.saboteur.actions import DISCARD, HIDDEN_CARD
from molehunt.games.saboteur.cards import CARD_NAMES
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.state import EVENT, STATE, VIEW
from molehunt.games.saboteur.views import MAX_ACTIONS, list_view_actions
from reference.saboteur import GOAL_CELLS, PATHS, Cell, ReferenceGame, Rules, Tile, lay, target_of
from reference.saboteur import Event as ReferenceEvent

# --- The codes of the records, written down anew from their description in `state` --------------------------------------

KINDS = len(CARD_NAMES)
CARD = {name: number for number, name in enumerate(CARD_NAMES)} | {None: -1}
TOOL_BIT = {"cart": 1, "lantern": 2, "pickaxe": 4}
CONTENT = {None: 0, "gold": 1, "rock1": 2, "rock2": 3}
CODE = {(name, turned): 1 + 2 * CARD[name] + turned for name in PATHS for turned in (False, True)}
CODE |= {("start", False): 33, ("goal", False): 34}
CODE |= {
    (name, turned): 33 + 2 * CONTENT[name] + turned for name in ("gold", "rock1", "rock2") for turned in (False, True)
}
CELL = {(x, y): y * 10 + x for x in range(9) for y in range(5)}
BIT = {cell: 1 << number for cell, number in CELL.items()}
HIDDEN_DISCARD = HIDDEN_CARD << 20 | DISCARD << 16


def tools(names: set[str]) -> int:
    return sum(TOOL_BIT[name] for name in names) if names else 0


def goals(numbers: Iterable[int]) -> int:
    return sum([1 << number for number in numbers])


def hand(cards: list[str]) -> list[int]:
    return [CARD[card] for card in cards] + [-1] * (6 - len(cards))


def counts(cards: list[str]) -> list[int]:
    result = [0] * KINDS
    for card in cards:
        result[CARD[card]] += 1
    return result


def padded(numbers: list[int]) -> list[int]:
    """One number a seat, for ten seats."""
    return numbers + [0] * (10 - len(numbers))


def cells_of(board: dict[tuple[int, int], tuple[str, bool]]) -> list[int]:
    cells = [0] * 64
    for cell, tile in board.items():
        cells[CELL[cell]] = CODE[tile]
    return cells


def planes_of(game: ReferenceGame) -> list[int]:
    planes = [0] * 9
    for cell, tile in game.board.items():
        spot = BIT[cell]
        for side, edge in enumerate("NESW"):
            if edge in tile.open:
                planes[side] |= spot
        if tile.through:
            planes[4] |= spot
        planes[5] |= spot
    planes[6] = sum(BIT[cell] for cell in game.joined())
    planes[7] = opened(game)
    planes[8] = sum(
        BIT[cell] for goal, cell in enumerate(GOAL_CELLS) if game.face_up[goal] and game.rules.stones_let_in
    )
    return planes


def opened(game: ReferenceGame) -> int:
    """The empty cells, the face-down goals and the stones that let it in, onto which a tunnel from the start opens."""
    face_down = {cell for cell in GOAL_CELLS if game.board[cell].card == "goal"}
    counted = face_down | (game.joined() & set(GOAL_CELLS))
    return sum([BIT[cell] for cell in game.opened() if cell not in game.board or cell in counted])


OUTCOME = {None: 0, "miners": 1, "saboteurs": 2}


def shared_info(game: ReferenceGame) -> list[int]:
    to_move = -1 if game.to_move is None else game.to_move
    return [
        game.turn,
        to_move,
        67 - len(game.deck),
        OUTCOME[game.winner],
        goals(g for g in range(3) if game.face_up[g]),
    ]


# --- The reference engine as records ----------------------------------------------------------------------------------


class Followed(ReferenceGame):
    """A reference game that is asked often: it keeps what it found until the turn or the board is another one."""

    turn_of_moves = -1
    moves: list[str]
    board_of_joined: dict[Cell, Tile] | None = None
    board_of_opened: dict[Cell, Tile] | None = None

    def legal_moves(self) -> list[str]:
        if self.turn_of_moves != self.turn:
            self.turn_of_moves, self.moves = self.turn, super().legal_moves()
        return self.moves

    def joined(self) -> set[Cell]:
        if self.board_of_joined != self.board:
            self.board_of_joined, self.all_joined = dict(self.board), super().joined()
        return self.all_joined

    def opened(self) -> set[Cell]:
        if self.board_of_opened != self.board:
            self.board_of_opened, self.all_opened = dict(self.board), super().opened()
        return self.all_opened


def reference_of(game: Saboteur, state: Any, rules: Rules) -> Followed:
    """The reference game of the same deal."""
    seats, drawn = game.seats, int(state["info"][2])
    hands = [[CARD_NAMES[card] for card in held if card >= 0] for held in state["hands"][:seats]]
    return Followed(
        rules,
        [("miner", "saboteur")[role] for role in state["roles"][:seats]],
        [("unknown", "gold", "rock1", "rock2")[content] for content in state["goals"]],
        hands,
        [CARD_NAMES[card] for card in state["deck"][drawn:]],
        int(state["info"][1]),
    )


def state_row(game: ReferenceGame, before: Any) -> tuple[Any, ...]:
    """The fields of a state in the order of its dtype. The game's stream and the order of the deck never change."""
    assert game.deck == [CARD_NAMES[card] for card in before["deck"][67 - len(game.deck) :].tolist()]
    return (
        before["stream"],
        planes_of(game),
        cells_of({cell: (tile.card, tile.turned) for cell, tile in game.board.items()}),
        before["deck"],
        [hand(cards) for cards in game.hands] + [[-1] * 6] * (10 - len(game.hands)),
        padded([len(cards) for cards in game.hands]),
        [counts(cards) for cards in game.discards] + [[0] * KINDS] * (10 - len(game.hands)),
        counts(game.played),
        padded([int(role == "saboteur") for role in game.roles]),
        padded([tools(broken) for broken in game.broken]),
        padded([goals(looked) for looked in game.looked]),
        [CONTENT[content] for content in game.goals],
        shared_info(game),
    )


def view_row(game: ReferenceGame, seat: int, planes: list[int]) -> tuple[Any, ...]:
    """The fields of a view in the order of its dtype, from the view of the reference engine."""
    view = game.view(seat)
    return (
        planes,
        cells_of(view["board"]),
        hand(view["hand"]),
        padded(view["hand_sizes"]),
        [view["unseen"].get(name, 0) for name in CARD_NAMES],
        counts(game.discards[seat]),
        counts(game.played),
        padded([len(cards) for cards in game.discards]),
        padded([tools(broken) for broken in view["broken"]]),
        padded([goals(looked) for looked in view["looked"]]),
        [CONTENT[content] for content in view["goals"]],
        [
            view["turn"],
            -1 if view["to_move"] is None else view["to_move"],
            67 - view["deck_left"],
            OUTCOME[game.winner],
            goals(goal for goal in range(3) if view["face_up"][goal]),
            view["seat"],
            int(view["role"] == "saboteur"),
            view["seats"],
            view["saboteurs"],
        ],
    )


def opened_with_goals_face_down(game: ReferenceGame, turned_up: dict[int, str]) -> int:
    """What the tunnels opened onto when the card was laid and the goals that it reached still lay face down."""
    before = copy.copy(game)
    before.board = dict(game.board)
    for goal in turned_up:
        fits = game.rules.goals_fit
        before.board[GOAL_CELLS[goal]] = lay("goal", "NESW" if fits else "", False, through=fits)
    return opened(before)


def event_row(
    told: ReferenceEvent, action: int, turn: int, moments: list[int], game: ReferenceGame, broken_before: int
) -> tuple[Any, ...]:
    """The fields of an event in the order of its dtype, from the event of the reference engine."""
    up = told["turned_up"]
    tiles = [game.board[cell] for cell in GOAL_CELLS]
    return (
        moments,
        HIDDEN_DISCARD if told["move"] == "discard:?" else action,
        turn,
        told["seat"],
        CONTENT[told["seen"]],
        CARD[told["drew"]],
        tools(told["mended"]),
        CODE[told["removed"]] if told["removed"] else 0,
        goals(up),
        [CODE[tile.card, tile.turned] if goal in up else 0 for goal, tile in enumerate(tiles)],
        broken_before,
    )


# --- The comparison ---------------------------------------------------------------------------------------------------


def compare(
    rows: list[tuple[Any, ...]],
    records: npt.NDArray[Any],
    dtype: np.dtype[Any],
    where: Callable[[list[int]], list[str]],
    games: list[int],
) -> None:
    """Fail where a field of the records is not what the rows say; `games[i]` is the game of row i."""
    for number, name in enumerate(dtype.names or ()):
        expected = np.array([row[number] for row in rows], dtype[name].base)
        found = records[name]
        if not np.array_equal(found, expected):
            index = int(np.argwhere((found != expected).reshape(len(rows), -1).any(axis=1))[0, 0])
            place = where([games[index]])[0]
            pytest.fail(f"{place}: {name} is {found[index].tolist()}, not {expected[index].tolist()}")


class Comparison:
    """Games that the two engines play side by side."""

    def __init__(self, game: Saboteur, first: int, games: int) -> None:
        self.game = game
        ruleset = game.rules
        rules = Rules(
            blocked_may_rockfall=ruleset.blocked_may_rockfall,
            double_repair_mends_both=ruleset.double_mends_both,
            may_break_own=ruleset.may_break_own,
            goals_fit=ruleset.goals_fit,
            stones_let_in=ruleset.stones_let_in,
        )
        self.states = game.new(seeds_of(first, games))
        self.dealt = self.states.copy()
        self.slow = [reference_of(game, state, rules) for state in self.states]
        self.random = [random.Random(first + index) for index in range(games)]
        # A third of the games is uniformly random; the others dig to the right, so that they reach the goals.
        self.digs = [(0.0, 0.9, 0.6)[(first + index) % 3] for index in range(games)]
        self.moves: list[list[str]] = [[] for _ in range(games)]
        self.planes: list[list[int]] = [[] for _ in range(games)]
        self.text: dict[int, str] = {}
        self.code: dict[str, int] = {}
        self.turned_up: Counter[str] = Counter()

    def run(self) -> None:
        rows = list(range(len(self.slow)))
        self.check_states(rows)
        while rows := [row for row in rows if not self.slow[row].over]:
            movers = [(row, self.slow[row].to_move or 0) for row in rows]
            self.check_legal_moves(movers, self.check_views(movers))
            turns = [(row, (row + self.slow[row].turn) % self.game.seats) for row in rows]
            self.check_views([turn for turn, mover in zip(turns, movers, strict=True) if turn != mover])
            self.move(rows)
            self.check_states(rows)
        self.check_ends()

    def where(self, rows: list[int]) -> list[str]:
        label = f"{self.game.label} with {self.game.seats} seats"
        return [f"{label}, game {row} after {' '.join(self.moves[row])}" for row in rows]

    def check_states(self, rows: list[int]) -> None:
        expected = [state_row(self.slow[row], self.dealt[row]) for row in rows]
        compare(expected, self.states[rows], STATE, self.where, rows)
        for row, fields in zip(rows, expected, strict=True):
            self.planes[row] = fields[1]

    def check_views(self, pairs: list[tuple[int, int]]) -> Views:
        """The views of these (game, seat)."""
        rows = [row for row, _ in pairs]
        views = self.game.views(self.states, np.array([seat for _, seat in pairs], np.int8), np.array(rows, np.int64))
        if pairs:
            compare(
                [view_row(self.slow[row], seat, self.planes[row]) for row, seat in pairs], views, VIEW, self.where, rows
            )
        return views

    def check_legal_moves(self, pairs: list[tuple[int, int]], views: Views) -> None:
        """The legal moves at these views, as a set of notations and without duplicates."""
        out = np.empty(MAX_ACTIONS, np.int32)
        for index, (row, _) in enumerate(pairs):
            codes = out[: list_view_actions(views[index : index + 1], self.game.table, out)].tolist()
            for code in codes:
                if code not in self.text:
                    self.text[code] = self.game.format_action(code)
                    self.code[self.text[code]] = code
            found, expected = [self.text[code] for code in codes], self.slow[row].legal_moves()
            if sorted(found) != sorted(expected):
                missing, wrong = set(expected) - set(found), set(found) - set(expected)
                pytest.fail(
                    f"{self.where([row])[0]}: missing {missing}, wrong {wrong}, {len(found)} of {len(expected)}"
                )

    def move(self, rows: list[int]) -> None:
        """Play one move in each of these games, and compare what it told every seat."""
        before = {row: opened(self.slow[row]) for row in rows}
        codes = []
        expected = []
        for row in rows:
            slow = self.slow[row]
            move = pick(self.random[row], slow.legal_moves(), self.digs[row])
            code = self.code[move]
            broken_before = tools(slow.broken[target_of(move)]) if ">" in move and not move.startswith("discard") else 0
            turn = slow.turn
            told = slow.apply(move)
            up = told[0]["turned_up"]
            self.turned_up.update(up.values())
            after = opened(slow)
            placed = opened_with_goals_face_down(slow, up) if up else after
            moments = [before[row], placed, after]
            expected += [event_row(event, code, turn, moments, slow, broken_before) for event in told]
            codes.append(code)
            self.moves[row].append(move)
        events = self.game.apply(self.states, np.array(codes, np.int32), np.array(rows))
        where = [row for row in rows for _ in range(self.game.seats)]
        compare(expected, events.reshape(-1), EVENT, self.where, where)

    def check_ends(self) -> None:
        """At the end: all views, who has won, and that nobody may move."""
        games, seats = len(self.slow), self.game.seats
        pairs = [(row, seat) for row in range(games) for seat in range(seats)]
        views = self.check_views(pairs)
        out = np.empty(MAX_ACTIONS, np.int32)
        assert not any(list_view_actions(views[index : index + 1], self.game.table, out) for index in range(len(views)))
        wins = [[(role == "saboteur") == (slow.winner == "saboteurs") for role in slow.roles] for slow in self.slow]
        assert np.array_equal(self.game.wins(self.states), wins)
        assert [self.game.outcome_names()[code] for code in self.game.outcome_codes(self.states)] == [
            "gold" if slow.winner == "miners" else "exhausted" for slow in self.slow
        ]
        assert (self.game.to_move(self.states) == -1).all()


# --- Ten thousand games -----------------------------------------------------------------------------------------------

SABOTEURS = {3: (1,), 4: (1,), 5: (1, 2), 6: (1, 2), 7: (1, 2, 3), 8: (1, 2, 3), 9: (1, 2, 3, 4), 10: (1, 2, 3, 4)}
FIRST_PART, SECOND_PART, SWITCHED = 30, 290, 75
"""Games for each number of seats and saboteurs under the default ruleset, in two tests, and for each switch and number of
seats."""

DEFAULT_TABLES = [(seats, f"saboteurs={count}") for seats, choices in SABOTEURS.items() for count in choices]
SWITCHED_TABLES = [(seats, items) for items in SWITCHES for seats in SABOTEURS]


def compare_games(seats: int, items: str, first: int, games: int) -> None:
    comparison = Comparison(saboteur(seats, items), first, games)
    comparison.run()
    # The games came to where the rules are difficult.
    assert set(comparison.turned_up) == {"gold", "rock1", "rock2"}


@pytest.mark.parametrize(("seats", "items"), DEFAULT_TABLES)
def test_rules_equal_the_reference(seats: int, items: str) -> None:
    compare_games(seats, items, 0, FIRST_PART)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "items"), DEFAULT_TABLES)
def test_rules_equal_the_reference_in_many_more_games(seats: int, items: str) -> None:
    compare_games(seats, items, FIRST_PART, SECOND_PART)


@pytest.mark.parametrize(("seats", "items"), SWITCHED_TABLES)
def test_rules_equal_the_reference_under_every_switch(seats: int, items: str) -> None:
    compare_games(seats, items, 0, SWITCHED)


def test_the_two_engines_are_compared_on_ten_thousand_games() -> None:
    assert len(DEFAULT_TABLES) * (FIRST_PART + SECOND_PART) + len(SWITCHED_TABLES) * SWITCHED == 10_000
