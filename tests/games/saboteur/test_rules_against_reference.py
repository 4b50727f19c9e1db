"""The compiled rules equal the slow engine in tests/reference, move by move, on tens of thousands of random games.

After every move of every game: the whole state; the legal moves of the seat to move, as notations and without duplicates;
the view of the seat to move and that of one more seat, which goes round the table from move to move and from game to game;
and what the move told every seat.

The reference engine is written into records, field by field, and whole arrays are compared. What is dealt anew for a round
(roles, goals, hands, deck) the reference takes from the record, after a look whether it is a deal of one deck.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from games.saboteur.playing import SWITCHES, cell_of, pick, saboteur, seeds_of, table
from molehunt.core.game import Views
from molehunt.games.saboteur.actions import DISCARD, HIDDEN_CARD
from molehunt.games.saboteur.cards import CARD_NAMES
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.ruleset import OFFICIAL as OFFICIAL_RULESET
from molehunt.games.saboteur.ruleset import Ruleset
from molehunt.games.saboteur.state import EVENT, INDEX_SIZE, MAX_ENDS, MAX_TILES, STATE, VIEW
from reference.saboteur import (
    KRISNADI,
    OFFICIAL,
    OPPOSITE,
    PATHS,
    SMALL,
    STEP,
    VELDHUIS,
    Cell,
    Deal,
    ReferenceGame,
    Rules,
    Tile,
    neighbour,
    target_of,
)
from reference.saboteur_match import GOLD_CARDS, MatchEvent, ReferenceMatch

# --- The codes of the records, written down anew from their description in `state` --------------------------------------

KINDS = len(CARD_NAMES)
CARD = {name: number for number, name in enumerate(CARD_NAMES)} | {None: -1}
TOOL_BIT = {"cart": 1, "lantern": 2, "pickaxe": 4, "block": 8}
CONTENT = {None: 0, "gold": 1, "rock1": 2, "rock2": 3}
CLAIM = {None: 0, "gold": 1, "stone": 2}
CODE = {(name, turned): 1 + 2 * CARD[name] + turned for name in PATHS for turned in (False, True)}
CODE |= {("start", False): 33, ("goal", False): 34}
CODE |= {
    (name, turned): 33 + 2 * CONTENT[name] + turned for name in ("gold", "rock1", "rock2") for turned in (False, True)
}
EDGE_BIT = {"N": 1, "E": 2, "S": 4, "W": 8}
THROUGH, DOOR, SILENT = 16, 32, 64
EDGE_SETS = np.arange(16)
FITTING = {
    (edge, is_open): int(((EDGE_SETS & bit != 0) == is_open) @ (1 << EDGE_SETS))
    for edge, bit in EDGE_BIT.items()
    for is_open in (False, True)
}
"""As a set of edge sets: those that are open (or shut) at an edge."""
HIDDEN_DISCARD = HIDDEN_CARD << 20 | DISCARD << 16
OUTCOME = {"gold": 1, "exhausted": 2}
UNKNOWN = -1


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


def padded(numbers: list[int], filler: int = 0, length: int = 10) -> list[int]:
    """One number a seat, for ten seats; or so many numbers."""
    return numbers + [filler] * (length - len(numbers))


def role_codes(roles: list[str]) -> list[int]:
    return [int(role == "saboteur") for role in roles]


def number_of(cell: Cell) -> int:
    """A cell on the grid of 64 x 64 cells, on which (0, 0) is at column 28, row 32."""
    return (cell[1] + 32) * 64 + cell[0] + 28


# --- The reference engine as records ----------------------------------------------------------------------------------


class Followed(ReferenceGame):
    """A reference round that is asked often: it keeps what it found until the turn or the board is another one. It also
    knows in which order the cards came to lie, and notes what is rare."""

    turn_of_moves = -1
    moves: list[str]
    known_board: dict[Cell, Tile] | None = None
    all_joined: set[Cell] | None = None
    all_openings: dict[Cell, dict[str, Cell]] | None = None
    row_of_maze: tuple[Any, ...] | None = None
    met: Counter[str]
    tiles: list[Cell]

    def legal_moves(self) -> list[str]:
        if self.turn_of_moves != self.turn:
            self.turn_of_moves, self.moves = self.turn, super().legal_moves()
        return self.moves

    def forget(self) -> None:
        """Where the board is another one, what was found on the last one holds no more."""
        if self.known_board != self.board:
            self.known_board = dict(self.board)
            self.all_joined = self.all_openings = self.row_of_maze = None

    def joined(self) -> set[Cell]:
        self.forget()
        if self.all_joined is None:
            self.all_joined = super().joined()
        return self.all_joined

    def openings(self) -> dict[Cell, dict[str, Cell]]:
        self.forget()
        if self.all_openings is None:
            self.all_openings = super().openings()
        return self.all_openings

    def maze_row(self) -> tuple[Any, ...]:
        """The maze as `maze_row` writes it."""
        self.forget()
        if self.row_of_maze is None:
            self.row_of_maze = maze_row(self)
        return self.row_of_maze

    def _turn_up_reached_goals(self, laid: Cell) -> dict[int, str]:
        openings = self.openings()
        cells = self.rules.goal_cells
        at_once = {goal for goal in range(3) if not self.face_up[goal] and cells[goal] in openings}
        revealed = super()._turn_up_reached_goals(laid)
        self.met["two goals at once"] += len(at_once) > 1
        self.met["a goal through a stone"] += bool(set(revealed) - at_once)
        for goal, content in revealed.items():
            self.met[content] += 1
            self.met["a stone breaks the fit"] += not self.fits(self.board[cells[goal]], cells[goal])
        return revealed

    def follow(self, move: str, was_joined: int) -> None:
        """Note what a move did that was just played: the order of the tiles, and what is rare."""
        if "@" not in move:
            return
        cell = cell_of(move)
        if not move.startswith("rockfall"):
            self.tiles.append(cell)
            self.met["a card below zero"] += min(cell) < 0
            return
        self.tiles[self.tiles.index(cell)] = self.tiles[-1]
        self.tiles.pop()
        self.met["a rockfall cuts the tunnel"] += len(self.joined()) < was_joined - 1


class FollowedMatch(ReferenceMatch):
    """A reference game whose rounds are followed."""

    game: Followed
    met: Counter[str]

    def _begin(self, deal: Deal) -> None:
        self.game = Followed(self.rules, *deal, self.next_seat)
        self.game.met = self.met
        self.game.tiles = [self.rules.start, *self.rules.goal_cells]


BASES = {"krisnadi": KRISNADI, "official": OFFICIAL, "veldhuis": VELDHUIS}
ALL_BASES = {**BASES, "small": SMALL}


def rules_of(ruleset: Ruleset) -> Rules:
    """The reference's own rules of that name, with the switches of a ruleset."""
    base = ALL_BASES[ruleset.name]
    top, middle, bottom = ruleset.goals
    return replace(
        base,
        blocked_may_rockfall=ruleset.blocked_may_rockfall,
        double_repair_mends_both=ruleset.double_mends_both,
        may_break_own=ruleset.may_break_own,
        one_tool=ruleset.one_tool,
        goals_fit=ruleset.goals_fit,
        stones_let_in=ruleset.stones_let_in,
        stones_face_entry=ruleset.stones_face_entry,
        dead_ends_turn_stones=ruleset.dead_ends_turn_stones,
        pack=ruleset.pack,
        broken_unpaid=ruleset.broken_unpaid,
        hidden_role=ruleset.hidden_role,
        talk=ruleset.talk,
        speak=ruleset.speak,
        rounds=ruleset.rounds,
        payment=ruleset.payment,
        saboteurs=ruleset.saboteurs or base.saboteurs,
        goal_cells=(top, middle, bottom),
    )


def deal_of(game: Saboteur, state: Any) -> Deal:
    """What a record says was dealt; it must be a deal of one deck, and of all three goals."""
    seats, drawn = game.seats, int(state["drawn"])
    size = int(state["hand_sizes"][0])
    assert drawn == seats * size
    deck = [CARD_NAMES[card] for card in state["deck"].tolist() if card >= 0]
    hands = [[CARD_NAMES[card] for card in held if card >= 0] for held in state["hands"][:seats].tolist()]
    assert hands == [deck[seat * size : (seat + 1) * size] for seat in range(seats)]
    assert Counter(deck) == rules_of(game.ruleset).cards
    return Deal(
        [("miner", "saboteur")[role] for role in state["roles"][:seats].tolist()],
        [("unknown", "gold", "rock1", "rock2")[content] for content in state["goals"].tolist()],
        hands,
        deck[drawn:],
    )


def match_of(game: Saboteur, state: Any, met: Counter[str]) -> FollowedMatch:
    """The reference game of the same deal."""
    match = FollowedMatch.__new__(FollowedMatch)
    match.met = met
    gold = state["gold"].tolist()
    match.__init__(  # type: ignore[misc]
        rules_of(game.ruleset), game.seats, gold, *deal_of(game, state), int(state["to_move"])
    )
    return match


MAZE_FIELDS = ("joined", "tile_count", "end_count", "opened_goals", "cells", "what", "edges")


def maze_row(game: Followed) -> tuple[Any, ...]:
    """Most of a maze: MAZE_FIELDS, then the open ends by their cells and what fits there."""
    rules = game.rules
    joined, openings = game.joined(), game.openings()
    edges = []
    for cell in game.tiles:
        tile = game.board[cell]
        bits = sum([EDGE_BIT[edge] for edge in tile.open]) | THROUGH * tile.through
        if tile.card == "goal" and not rules.goals_fit:
            bits = SILENT
        if tile.card in ("gold", "rock1", "rock2") and rules.stones_let_in:
            bits |= DOOR
        edges.append(bits)
    ends = sorted((number_of(cell), fits_of(game, cell)) for cell in openings if cell not in game.board)
    return (
        sum([1 << tile for tile, cell in enumerate(game.tiles) if cell in joined]),
        len(game.tiles),
        len(ends),
        goals(goal for goal, cell in enumerate(rules.goal_cells) if cell in openings),
        padded([number_of(cell) for cell in game.tiles], 0, MAX_TILES),
        padded([CODE[game.board[cell].card, game.board[cell].turned] for cell in game.tiles], 0, MAX_TILES),
        padded(edges, 0, MAX_TILES),
        padded([cell for cell, _ in ends], -1, MAX_ENDS),
        padded([fits for _, fits in ends], 0, MAX_ENDS),
    )


def fits_of(game: ReferenceGame, cell: Cell) -> int:
    """The edge sets that fit an empty cell, as a set."""
    fits = 0xFFFF
    for edge in STEP:
        beyond = game.board.get(neighbour(cell, edge))
        if beyond is not None and (beyond.card != "goal" or game.rules.goals_fit):
            fits &= FITTING[edge, OPPOSITE[edge] in beyond.open]
    return fits


@cache
def deck_size(rules: Rules) -> int:
    """How many cards a full deck holds."""
    return rules.cards.total()


def shared_numbers(match: ReferenceMatch, turns: int) -> list[int]:
    game = match.game
    shares = match.rules.payment == "shares"
    return [
        turns,
        -1 if match.to_move is None else match.to_move,
        deck_size(game.rules) - len(game.deck),
        OUTCOME[match.past_ended[-1]] if match.over else 0,
        goals(g for g in range(3) if game.face_up[g]),
        len(match.paid),
        0 if game.must_claim is None else 1 + game.must_claim,
        int(game.has_spoken),
        match.past_ended.count("gold"),
        28 - len(match.gold) if shares else 0,
    ]


def whole_packs(match: ReferenceMatch) -> list[list[int]]:
    """The packs of the rounds, of which the first taker saw everything."""
    packs = [[] if paid.first_taker is None else paid.packs[paid.first_taker] for paid in match.paid]
    return [padded(pack, 0, 9) for pack in [*packs, *[[]] * (3 - len(packs))]]


def packs_seen(match: ReferenceMatch, seat: int) -> list[list[int]]:
    """The packs as one seat saw them, before the end of the game."""
    rows = whole_packs(match)
    for row, paid in zip(rows, match.paid, strict=False):
        taken_before = len([card for card in row if card]) - len(paid.packs[seat])
        row[:taken_before] = [UNKNOWN] * taken_before
    return rows


def past(match: ReferenceMatch) -> tuple[list[list[int]], list[int], list[int]]:
    """The roles and the first takers of past rounds, and the miners who were not paid, as sets of seats."""
    roles = [padded(role_codes(roles), UNKNOWN) for roles in match.past_roles]
    takers = [UNKNOWN if paid.first_taker is None else paid.first_taker for paid in match.paid]
    unpaid = [sum(1 << seat for seat in seats) for seats in match.unpaid]
    return roles + [[UNKNOWN] * 10] * (3 - len(roles)), padded(takers, UNKNOWN, 3), padded(unpaid, 0, 3)


def claim_rows(claims: list[list[str | None]]) -> list[list[int]]:
    rows = [[CLAIM[claim] for claim in row] for row in claims]
    return rows + [[0, 0, 0]] * (10 - len(rows))


def said_rows(accused: list[int | None], asked: list[set[str]]) -> tuple[list[int], list[int]]:
    """Whom each seat accuses, and the tools for which it asks."""
    whom = [UNKNOWN if seat is None else seat for seat in accused]
    return padded(whom, UNKNOWN), padded([tools(names) for names in asked])


def state_row(match: ReferenceMatch, dealt: Any, turns: int, gold: list[int]) -> tuple[Any, ...]:
    """The fields of a state in the order of its dtype, the maze left out.

    The game's stream and the order of the deck never change during a round. `gold` is what the record has: the cards paid
    may lie in front in any order.
    """
    game = match.game
    undrawn = dealt["deck"][deck_size(game.rules) - len(game.deck) : deck_size(game.rules)]
    assert game.deck == [CARD_NAMES[card] for card in undrawn.tolist()]
    assert sorted(gold) == sorted(GOLD_CARDS) and gold[28 - len(match.gold) :] == match.gold
    roles, takers, unpaid = past(match)
    return (
        dealt["stream"].tolist(),
        padded(match.nuggets),
        whole_packs(match),
        roles,
        takers,
        unpaid,
        padded([len(cards) for cards in game.hands]),
        counts(game.played),
        padded([len(cards) for cards in game.discards]),
        padded([tools(broken) for broken in game.broken]),
        padded([goals(looked) for looked in game.looked]),
        claim_rows(game.claims),
        *said_rows(game.accused, game.asked),
        *shared_numbers(match, turns),
        [CONTENT[content] for content in game.goals],
        padded(role_codes(game.roles)),
        [hand(cards) for cards in game.hands] + [[-1] * 6] * (10 - len(game.hands)),
        [counts(cards) for cards in game.discards] + [[0] * KINDS] * (10 - len(game.hands)),
        dealt["deck"].tolist(),
        gold,
        padded(match.paid[-1].income if match.paid else []),
    )


def view_row(match: ReferenceMatch, seat: int, turns: int) -> tuple[Any, ...]:
    """The fields of a view in the order of its dtype, the maze left out, from the view of the reference engine."""
    game = match.game
    view = match.view(seat)
    roles, takers, unpaid = past(match)
    nuggets = view["all_nuggets"]
    if nuggets is None:
        # Nobody has any gold in the first round, which is no secret.
        nuggets = [UNKNOWN if match.paid and other != seat else view["nuggets"] for other in range(match.seats)]
    assert view["past_roles"] == match.past_roles and view["packs"] == [paid.packs[seat] for paid in match.paid]
    assert view["must_claim"] == game.must_claim and view["turn"] == game.turn
    assert view["has_spoken"] == game.has_spoken
    return (
        padded(nuggets),
        whole_packs(match) if match.over else packs_seen(match, seat),
        roles,
        takers,
        unpaid,
        padded(view["hand_sizes"]),
        counts(game.played),
        padded([len(cards) for cards in game.discards]),
        padded([tools(broken) for broken in view["broken"]]),
        padded([goals(looked) for looked in view["looked"]]),
        claim_rows(view["claims"]),
        *said_rows(view["accused"], view["asked"]),
        *shared_numbers(match, turns),
        seat,
        int(view["role"] == "saboteur"),
        view["seats"],
        view["saboteurs"],
        [CONTENT[content] for content in view["goals"]],
        hand(view["hand"]),
        counts(game.discards[seat]),
        [view["unseen"].get(name, 0) for name in CARD_NAMES],
    )


def event_row(
    told: MatchEvent, action: int, turn: int, game: ReferenceGame, broken_before: int, next_role: str | None
) -> tuple[Any, ...]:
    """The fields of an event in the order of its dtype, from the event of the reference engine."""
    up = told["turned_up"]
    tiles = [game.board[cell] for cell in game.rules.goal_cells]
    return (
        HIDDEN_DISCARD if told["move"] == "discard:?" else action,
        turn,
        told["paid"],
        told["seat"],
        CONTENT[told["seen"]],
        CARD[told["drew"]],
        tools(told["mended"]),
        CODE[told["removed"]] if told["removed"] else 0,
        goals(up),
        [CODE[tile.card, tile.turned] if goal in up else 0 for goal, tile in enumerate(tiles)],
        broken_before,
        OUTCOME[told["ended"]] if told["ended"] else 0,
        padded(role_codes(told["roles"] or []), UNKNOWN),
        UNKNOWN if next_role is None else int(next_role == "saboteur"),
    )


# --- The comparison ---------------------------------------------------------------------------------------------------


def compare(
    rows: list[tuple[Any, ...]],
    records: npt.NDArray[Any],
    names: Iterable[str],
    where: Callable[[list[int]], list[str]],
    games: list[int],
) -> None:
    """Fail where a field of the records is not what the rows say; `games[i]` is the game of row i."""
    for number, name in enumerate(names):
        said, found = [row[number] for row in rows], records[name]
        # As plain values they are compared ten times as fast.
        if found.tolist() != said:
            expected = np.array(said, found.dtype)
            index = int(np.argwhere((found != expected).reshape(len(rows), -1).any(axis=1))[0, 0])
            place = where([games[index]])[0]
            pytest.fail(f"{place}: {name} is {found[index].tolist()}, not {expected[index].tolist()}")


def fields_of(dtype: np.dtype[Any]) -> list[str]:
    """All fields but the maze."""
    return [name for name in dtype.names or () if name != "maze"]


def check_index(mazes: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """The index finds every tile and every open end and nothing else, unless it is marked as crowded, which it is where
    two cells share a place. Returns which mazes are marked."""
    count = len(mazes)
    cells = np.concatenate([mazes["cells"], mazes["ends"]], axis=1).astype(np.int64)
    entries = np.concatenate([1 + np.arange(MAX_TILES), 128 + np.arange(MAX_ENDS)])
    there = np.concatenate(
        [
            np.arange(MAX_TILES) < mazes["tile_count"][:, None],
            np.arange(MAX_ENDS) < mazes["end_count"][:, None],
        ],
        axis=1,
    )
    places = (cells // 64 & 15) << 4 | cells & 15
    rows, columns = np.nonzero(there)
    expected = np.zeros((count, INDEX_SIZE), np.uint8)
    held = np.zeros((count, INDEX_SIZE), np.int64)
    expected[rows, places[rows, columns]] = entries[columns]
    np.add.at(held, (rows, places[rows, columns]), 1)
    crowded: npt.NDArray[np.bool_] = mazes["crowded"] != 0
    assert crowded[(held > 1).any(axis=1)].all()
    assert np.array_equal(mazes["index"][~crowded], expected[~crowded])
    return crowded


AIMS: tuple[Cell | None, ...] = (None, (8, -1), (8, 1), (8, -2), (8, 2), (-20, 0), (0, -20), (0, 20))
"""Where diggers dig in a mine without bounds: to the right, to the goals and between them, and far away from them."""


class Comparison:
    """Games that the two engines play side by side."""

    def __init__(self, game: Saboteur, first: int, games: int) -> None:
        self.game = game
        self.states = game.new(seeds_of(first, games))
        self.dealt = self.states.copy()
        self.met: Counter[str] = Counter()
        self.slow = [match_of(game, state, self.met) for state in self.states]
        self.random = [random.Random(first + index) for index in range(games)]
        # A third of the games is uniformly random; the others dig, most of them to the goals.
        self.digs = [(0.0, 0.9, 0.6)[(first + index) % 3] for index in range(games)]
        self.aims: list[Cell | None] = [None] * games
        for row in range(games):
            self.choose_aim(row)
        self.moves: list[list[str]] = [[] for _ in range(games)]
        self.text: dict[int, str] = {}
        self.code: dict[str, int] = {}
        self.note_rounds(range(games))

    def choose_aim(self, row: int) -> None:
        """Where the digger of a game digs in the round that begins."""
        rules = self.game.ruleset
        if rules.is_open:
            self.aims[row] = self.random[row].choice(AIMS)
        elif rules.name != "krisnadi":
            (x, y) = self.random[row].choice(rules.goals)
            self.aims[row] = (x, y + self.random[row].choice((-1, 0, 0, 1)))

    def note_rounds(self, rows: Iterable[int]) -> None:
        """Note what is rare of rounds that begin."""
        for row in rows:
            self.met["a round"] += 1
            self.met["a round without saboteurs"] += "saboteur" not in self.slow[row].game.roles

    def run(self) -> Counter[str]:
        """Play the games to their ends; what they met that is rare."""
        rows = list(range(len(self.slow)))
        self.check_states(rows)
        while rows := [row for row in rows if not self.slow[row].over]:
            movers = [(row, self.slow[row].to_move or 0) for row in rows]
            self.check_legal_moves(movers, self.check_views(movers))
            turns = [(row, (row + len(self.moves[row])) % self.game.seats) for row in rows]
            self.check_views([turn for turn, mover in zip(turns, movers, strict=True) if turn != mover])
            self.move(rows)
            self.check_states(rows)
        self.check_ends()
        return self.met

    def where(self, rows: list[int]) -> list[str]:
        label = f"{self.game.label} with {self.game.seats} seats"
        return [f"{label}, game {row} after {' '.join(self.moves[row])}" for row in rows]

    def check_states(self, rows: list[int]) -> None:
        found = self.states[rows]
        gold = found["gold"].tolist()
        expected = [
            state_row(self.slow[row], self.dealt[row], len(self.moves[row]), gold[index])
            for index, row in enumerate(rows)
        ]
        compare(expected, found, fields_of(STATE), self.where, rows)
        self.check_mazes(found["maze"], rows)

    def check_mazes(self, mazes: npt.NDArray[Any], rows: list[int]) -> None:
        expected = [self.slow[row].game.maze_row() for row in rows]
        compare(expected, mazes, MAZE_FIELDS, self.where, rows)
        # The open ends, in any order.
        there = np.arange(MAX_ENDS) < mazes["end_count"][:, None]
        order = np.argsort(np.where(there, mazes["ends"], np.iinfo(np.int16).max), axis=1)
        ends = np.take_along_axis(np.where(there, mazes["ends"], -1), order, axis=1)
        fits = np.take_along_axis(np.where(there, mazes["fits"], 0), order, axis=1)
        for found, number in ((ends, len(MAZE_FIELDS)), (fits, len(MAZE_FIELDS) + 1)):
            wrong = (found != np.array([row[number] for row in expected])).any(axis=1)
            if wrong.any():
                index = int(np.argmax(wrong))
                pytest.fail(f"{self.where([rows[index]])[0]}: {found[index].tolist()}, not {expected[index][number]}")
        self.met["a crowded index"] += int(check_index(mazes).sum())

    def check_views(self, pairs: list[tuple[int, int]]) -> Views:
        """The views of these (game, seat)."""
        rows = [row for row, _ in pairs]
        views = self.game.views(self.states, np.array([seat for _, seat in pairs], np.int8), np.array(rows, np.int64))
        if pairs:
            expected = [view_row(self.slow[row], seat, len(self.moves[row])) for row, seat in pairs]
            compare(expected, views, fields_of(VIEW), self.where, rows)
            assert views["maze"].tobytes() == self.states["maze"][rows].tobytes()
        return views

    def check_legal_moves(self, pairs: list[tuple[int, int]], views: Views) -> None:
        """The legal moves at these views, as a set of notations and without duplicates."""
        for index, (row, _) in enumerate(pairs):
            codes = self.game.legal_actions(views[index]).codes
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
        codes = []
        told = []
        for row in rows:
            match = self.slow[row]
            game = match.game
            move = pick(self.random[row], match.legal_moves(), self.digs[row], self.aims[row])
            aimed = ">" in move and not move.startswith(("discard", "accuse"))
            broken_before = tools(game.broken[target_of(move)]) if aimed else 0
            self.met["an accusation"] += move.startswith("accuse")
            self.met["a request"] += move.startswith("ask")
            self.met["a request that is granted"] += aimed and bool(game.asked[target_of(move)]) and "fix" in move
            self.met["a move with an empty deck"] += not game.deck
            was_joined = len(game.joined()) if move.startswith("rockfall") else 0
            told_seats = match.apply(move)
            game.follow(move, was_joined)
            told.append((row, told_seats, self.code[move], game, broken_before))
            codes.append(self.code[move])
            self.moves[row].append(move)
        events = self.game.apply(self.states, np.array(codes, np.int32), np.array(rows))
        # Rounds that the move ended: the next one is the one that was dealt.
        begun = [row for row in rows if self.slow[row].waiting]
        for row in begun:
            self.adopt_pile(row)
            self.dealt[row] = self.states[row]
            self.slow[row].deal(*deal_of(self.game, self.states[row]))
            self.choose_aim(row)
        for row in rows:
            if self.slow[row].over:
                self.adopt_pile(row)
        self.note_rounds(begun)

        expected = []
        for row, seen, code, game, broken_before in told:
            match = self.slow[row]
            for seat, event in enumerate(seen):
                role = match.game.roles[seat] if event["ended"] and not match.over else None
                expected.append(event_row(event, code, len(self.moves[row]) - 1, game, broken_before, role))
        where = [row for row in rows for _ in range(self.game.seats)]
        compare(expected, events.reshape(-1), fields_of(EVENT), self.where, where)

    def adopt_pile(self, row: int) -> None:
        """After saboteurs were paid, what is left of the gold may lie in another order."""
        match = self.slow[row]
        if match.past_ended[-1] == "exhausted" and match.rules.payment == "shares":
            pile = self.states["gold"][row, 28 - len(match.gold) :].tolist()
            assert sorted(pile) == sorted(match.gold)
            match.gold = pile
            self.dealt["stream"][row] = self.states["stream"][row]

    def check_ends(self) -> None:
        """At the end: all views, who has won, what it paid, and that nobody may move."""
        games, seats = len(self.slow), self.game.seats
        pairs = [(row, seat) for row in range(games) for seat in range(seats)]
        views = self.check_views(pairs)
        assert not any(len(self.game.legal_actions(view)) for view in views)
        wins = [[seat in (slow.winners or ()) for seat in range(seats)] for slow in self.slow]
        assert np.array_equal(self.game.wins(self.states), wins)
        golden = [slow.past_ended.count("gold") for slow in self.slow]
        rounds = self.game.ruleset.rounds
        names = [f"gold in {number} of {rounds}" if rounds > 1 else ("exhausted", "gold")[number] for number in golden]
        assert [self.game.outcome_names()[code] for code in self.game.outcome_codes(self.states)] == names
        assert (self.game.to_move(self.states) == -1).all()
        for state, slow in zip(self.states, self.slow, strict=True):
            outcome = self.game.outcome(state)
            assert outcome is not None and slow.winners is not None and slow.payoffs is not None
            assert outcome.winners == tuple(slow.winners) and outcome.payoffs == tuple(map(float, slow.payoffs))


# --- Ten thousand games of krisnadi -------------------------------------------------------------------------------------

SABOTEURS = {3: (1,), 4: (1,), 5: (1, 2), 6: (1, 2), 7: (1, 2, 3), 8: (1, 2, 3), 9: (1, 2, 3, 4), 10: (1, 2, 3, 4)}
FIRST_PART, SECOND_PART, SWITCHED = 30, 290, 75
"""Games for each number of seats and saboteurs under the default ruleset, in two tests, and for each switch and number of
seats."""

DEFAULT_TABLES = [(seats, f"saboteurs={count}") for seats, choices in SABOTEURS.items() for count in choices]
SWITCHED_TABLES = [(seats, items) for items in SWITCHES for seats in SABOTEURS]


def compare_games(game: Saboteur, first: int, games: int, *rare: str) -> Counter[str]:
    """Play so many games on both engines; they must come to where the rules are difficult."""
    met = Comparison(game, first, games).run()
    for event in ("gold", "rock1", "rock2", "a move with an empty deck", *rare):
        assert met[event] > 0, (event, met)
    return met


@pytest.mark.parametrize(("seats", "items"), DEFAULT_TABLES)
def test_rules_equal_the_reference(seats: int, items: str) -> None:
    compare_games(saboteur(seats, items), 0, FIRST_PART)


SOONER = 5
"""The number of seats whose games under switches are played by the thorough tests; the others when they are asked for."""


def later(tables: list[tuple[int, str]]) -> list[Any]:
    """Tables as parameters, to be played when they are asked for: those of other numbers of seats with what takes longest."""
    return [
        pytest.param(*table, marks=[pytest.mark.thorough if table[0] == SOONER else pytest.mark.long])
        for table in tables
    ]


@pytest.mark.long
@pytest.mark.parametrize(("seats", "items"), DEFAULT_TABLES)
def test_rules_equal_the_reference_in_many_more_games(seats: int, items: str) -> None:
    compare_games(saboteur(seats, items), FIRST_PART, SECOND_PART)


@pytest.mark.parametrize(("seats", "items"), later(SWITCHED_TABLES))
def test_rules_equal_the_reference_under_every_switch(seats: int, items: str) -> None:
    compare_games(saboteur(seats, items), 0, SWITCHED)


def test_the_two_engines_are_compared_on_ten_thousand_games() -> None:
    assert len(DEFAULT_TABLES) * (FIRST_PART + SECOND_PART) + len(SWITCHED_TABLES) * SWITCHED == 10_000


# --- Twenty thousand games of official and veldhuis, and mixtures of everything ------------------------------------------

OFFICIAL_SEATS = range(3, 11)
OFFICIAL_FIRST, OFFICIAL_SECOND = 16, 1234
VELDHUIS_PARTS, VELDHUIS_FIRST, VELDHUIS_SECOND = 10, 40, 996
"""Games for each number of seats, and for veldhuis for each part, in two tests."""


@pytest.mark.parametrize(
    "seats", [pytest.param(seats, marks=[pytest.mark.thorough] * (seats not in (3, 5, 10))) for seats in OFFICIAL_SEATS]
)
def test_official_rules_equal_the_reference(seats: int) -> None:
    rare = ["a card below zero", "a rockfall cuts the tunnel", "a crowded index"]
    rare += ["a round without saboteurs"] if seats <= 4 else []
    compare_games(table("official", seats), 0, OFFICIAL_FIRST, *rare)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("seats", OFFICIAL_SEATS)
def test_official_rules_equal_the_reference_in_ten_thousand_games(seats: int) -> None:
    rare = ["two goals at once", "a stone breaks the fit", "a card below zero", "a rockfall cuts the tunnel"]
    rare += ["a round without saboteurs"] if seats <= 4 else []
    compare_games(table("official", seats), OFFICIAL_FIRST, OFFICIAL_SECOND, "a crowded index", *rare)


def test_veldhuis_rules_equal_the_reference() -> None:
    rare = ["two goals at once", "a stone breaks the fit", "a rockfall cuts the tunnel"]
    compare_games(table("veldhuis"), 0, VELDHUIS_FIRST, *rare)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("part", range(VELDHUIS_PARTS))
def test_veldhuis_rules_equal_the_reference_in_ten_thousand_games(part: int) -> None:
    rare = ["two goals at once", "a stone breaks the fit", "a rockfall cuts the tunnel"]
    compare_games(table("veldhuis"), VELDHUIS_FIRST + part * VELDHUIS_SECOND, VELDHUIS_SECOND, *rare)


def test_both_games_are_compared_on_ten_thousand_games() -> None:
    assert len(OFFICIAL_SEATS) * (OFFICIAL_FIRST + OFFICIAL_SECOND) == 10_000
    assert VELDHUIS_FIRST + VELDHUIS_PARTS * VELDHUIS_SECOND == 10_000


@pytest.mark.parametrize(
    "seats", [3, pytest.param(6, marks=pytest.mark.thorough), pytest.param(10, marks=pytest.mark.thorough)]
)
def test_rules_with_talk_equal_the_reference(seats: int) -> None:
    compare_games(table("official+talk", seats), 0, 20, "a crowded index")


@pytest.mark.parametrize("seats", [3, pytest.param(10, marks=pytest.mark.thorough)])
def test_rules_with_speech_equal_the_reference(seats: int) -> None:
    met = compare_games(table("official+talk:speak=yes", seats), 0, 20)
    assert met["an accusation"] > 100 and met["a request"] > 10 and met["a request that is granted"] > 0, met


@pytest.mark.parametrize("seats", [2, 3])
def test_small_rules_equal_the_reference(seats: int) -> None:
    rare = ["two goals at once", "a goal through a stone", "a rockfall cuts the tunnel"]
    compare_games(table("small", seats), 0, 150, *rare[1:])


FLIPS = {
    "krisnadi": (
        "dead_ends_turn_stones=yes",
        "payment=shares,pack=miners,broken_unpaid=yes,rounds=3",
        "stones_face_entry=yes",
        "hidden_role=yes",
        "one_tool=yes",
        "talk=yes",
        "speak=yes",
        "rounds=3",
        "payment=shares",
    ),
    "official": (
        "hidden_role=no",
        "goals_fit=yes",
        "double_mends_both=yes",
        "may_break_own=no",
        "blocked_may_rockfall=no",
        "stones_let_in=yes",
        "stones_face_entry=no",
        "one_tool=yes",
        "speak=yes",
        "talk=yes,speak=yes,double_mends_both=yes",
        "rounds=1",
        "rounds=2",
        "payment=pieces",
        "saboteurs=1,hidden_role=no",
        "first_seat=2",
        "pack=miners",
        "broken_unpaid=yes",
        "pack=miners,broken_unpaid=yes,saboteurs=1",
    ),
    "veldhuis": ("one_tool=no", "speak=yes", "talk=no", "payment=shares", "hidden_role=yes", "goals_fit=yes"),
}
"""Every switch that `SWITCHES` leaves out, away from its default."""


@pytest.mark.parametrize(("name", "items"), [(name, items) for name, flips in FLIPS.items() for items in flips])
def test_rules_equal_the_reference_with_one_switch_turned(name: str, items: str) -> None:
    seats = 5 if name == "veldhuis" else 4 + len(items) % 3
    Comparison(table(f"{name}:{items}", seats), 0, 5).run()


def any_ruleset(number: int) -> tuple[str, int]:
    """A mixture of all switches at random, and a number of seats."""
    rng = random.Random(number)
    name = rng.choice(list(BASES))
    seats = 5 if name == "veldhuis" else rng.randint(3, 10)
    flags = "hidden_role goals_fit double_mends_both may_break_own blocked_may_rockfall stones_let_in stones_face_entry"
    items = [f"{flag}={rng.choice(('yes', 'no'))}" for flag in (*flags.split(), "one_tool", "talk", "speak")]
    items += [f"dead_ends_turn_stones={rng.choice(('yes', 'no'))}", f"pack={rng.choice(('players', 'miners'))}"]
    items += [f"broken_unpaid={rng.choice(('yes', 'no'))}"]
    items += [f"rounds={rng.randint(1, 3)}", f"payment={rng.choice(('pieces', 'shares'))}"]
    items += [f"saboteurs={rng.randint(1, min(seats - 1, 5))}"] if rng.random() < 0.5 else []
    return f"{name}:{','.join(items)}", seats


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.thorough) for first in range(10, 40, 10))]
)
def test_rules_equal_the_reference_under_mixtures_of_all_switches(first: int) -> None:
    for number in range(first, first + 10):
        text, seats = any_ruleset(number)
        Comparison(table(text, seats), number, 3).run()


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("first", range(40, 640, 100))
def test_rules_equal_the_reference_under_many_more_mixtures(first: int) -> None:
    for number in range(first, first + 100):
        text, seats = any_ruleset(number)
        Comparison(table(text, seats), number, 6).run()


@pytest.mark.parametrize(
    ("goals", "rare"),
    [
        # Beside the start and beside each other: stones lead to goals, which random games reach all the time.
        (((3, -1), (3, 0), (3, 1)), ("a goal through a stone", "a stone breaks the fit")),
        (((2, 0), (3, 0), (3, 1)), ("a goal through a stone",)),
        # So far away that cells share places in the index from the beginning.
        (((16, 0), (4, -1), (4, 1)), ("a crowded index", "two goals at once")),
    ],
)
@pytest.mark.parametrize("fit", [True, False])
def test_rules_equal_the_reference_with_goals_elsewhere(
    goals: tuple[Cell, Cell, Cell], rare: tuple[str, ...], fit: bool
) -> None:
    ruleset = replace(OFFICIAL_RULESET, goals=goals, goals_fit=fit, rounds=2)
    met = Comparison(Saboteur(ruleset, 5), 0, 30).run()
    for event in rare:
        # Face-down goals that pass tunnels on leave nothing to be reached through a stone later.
        assert met[event] > 0 or (fit and event == "a goal through a stone"), (event, met)


@pytest.mark.parametrize(("card", "value", "turned"), [("D_NSE", "no", 0), ("D_NSE", "yes", 1), ("P_NSE", "no", 1)])
def test_a_dead_end_turns_no_stone_as_in_the_program(card: str, value: str, turned: int) -> None:
    """ROCK1 in the middle; the card above it opens down onto it."""
    game = table(f"krisnadi:dead_ends_turn_stones={value}", 3)
    states = game.new(np.array([5], np.uint64))
    states["goals"][0] = [3, 2, 1]
    moves = [*(f"P_EW@{x},2" for x in range(1, 6)), "P_EWN@6,2", "P_SE@6,1", "P_EW@7,1", f"{card}@8,1r"]
    if card == "D_NSE":  # which reaches no goal
        moves.append("P_EW@7,2")
    for move in moves:
        states["hands"][0, int(game.to_move(states)[0]), 0] = CARD_NAMES.index(move.partition("@")[0])
        game.apply(states, np.array([int(game.parse_action(move))], np.int32), np.zeros(1, np.int64))
    code = int(states["maze"]["what"][0, 2])
    assert code == CODE["rock1", bool(turned)]
