"""The duel for the tests: games, the slow engine beside them, positions that random play hardly reaches, and the records that
positions stand for.

The layout of the records and actions is written down here again, from its description, with nothing taken from the package.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.game import Action, LegalActions, States, Views
from molehunt.core.streams import game_seeds
from molehunt.games.duel.game import Duel
from reference.duel import (
    ACTIONS,
    ENTRANCE,
    FLIP,
    GOAL_CELLS,
    GOAL_NAMES,
    OPPOSITE,
    TILES,
    Cell,
    Event,
    ReferenceDuel,
    card_of,
    cell_of,
    neighbour,
    shape,
    ways,
)

GAME = Duel()

CARDS = [*TILES, *ACTIONS]
"""The cards by their numbers in a record; -1 is no card."""
CODES = [
    "empty",
    *(name for tile in TILES for name in (tile, tile + FLIP)),
    "entrance",
    "goal",
    "blank",
    "nugget",
    "off",
]
"""What lies on a cell, by its code."""
CONTENTS = ["unknown", "blank", "nugget"]
TURN, TO_MOVE, DRAWN, OUTCOME, WINNER, REVEALED, SEAT = range(7)
PLAYS = {"tile": 1, "map": 2, "malus": 3, "bonus": 4, "destroy": 5, "drop": 6}
HIDDEN_CARD = 31
BOARD = [(row, column) for row in range(14) for column in range(14)]


# --- Games and positions ----------------------------------------------------------------------------------------------


def seeds_of(first: int, count: int) -> npt.NDArray[np.uint64]:
    """Seeds for tests: the games `first` to `first + count - 1` of one run."""
    return game_seeds(2020, first, count)


def mover(states: States) -> int:
    """The seat to move in the first state, -1 when it is over."""
    return int(states["to_move"][0])


def seen_by(states: States, seat: int) -> Views:
    """The view of one seat of the first state: an array of one record."""
    return GAME.views(states, np.array([seat], np.int8), np.zeros(1, np.int64))


def legal(states: States) -> LegalActions:
    """The legal actions of the seat to move in the first state."""
    return GAME.legal_actions(seen_by(states, mover(states)))


def play(states: States, move: str | int | Action) -> Any:
    """Play one move, in notation or as an int; the events of both seats."""
    action = GAME.parse_action(move) if isinstance(move, str) else move
    return GAME.apply(states, np.array([action], np.int32))[0]


def give(states: States, *cards: str, seat: int | None = None) -> None:
    """Put these cards into the first places of the hand of a seat, of the seat to move unless another is named. Each changes its
    place with what was there, so that the deal stays one of the same 55 cards: with a card in the rest of the hand, else in the
    deck, else in the other's hand."""
    state = states[0]
    seat = mover(states) if seat is None else seat
    hand, other, deck = state["hands"][seat], state["hands"][1 - seat], state["deck"][state["drawn"] :]
    for slot, name in enumerate(cards):
        card = CARDS.index(name)
        for place in (hand[slot:], deck, other):
            found = np.flatnonzero(place == card)
            if found.size:
                place[found[0]], hand[slot] = hand[slot], place[found[0]]
                break
        else:
            raise ValueError(f"no {name} is left to give")


def lead(states: States, *moves: str) -> None:
    """Play these moves in turn; whoever is to move is given the card, and no malus hinders."""
    for move in moves:
        card = card_of(move)
        assert card is not None
        give(states, card)
        play(states, move)


def opening(*moves: str, goals: str = "blank blank nugget", number: int = 0) -> States:
    """A game with these goals after these moves."""
    states = GAME.new(seeds_of(number, 1))
    states["goals"][0] = [CONTENTS.index(content) for content in goals.split()]
    lead(states, *moves)
    return states


TUNNEL = ("0@6,5", "8@7,5", "0@8,5", "8@9,5", "0@10,5")
"""A tunnel from the entrance to above row 11, with two crosses in it."""


# --- Players that get games to where the rules are difficult ------------------------------------------------------------


def digs(game: ReferenceDuel, tunnels: set[Cell], moves: list[str], target: Cell) -> list[str]:
    """Of these moves, the tiles that lead a tunnel from the entrance on and bring its end nearest to a cell."""
    best = 99
    found: list[str] = []
    for move in moves:
        if "@" not in move or move.startswith("destroy"):
            continue
        cell = cell_of(move)
        edges, centre = shape(move.partition("@")[0])
        if centre != "open":
            continue
        beside = {edge: neighbour(cell, edge) for edge in edges}
        if not any(
            place in tunnels and OPPOSITE[edge] in shape(game.board[place]).edges for edge, place in beside.items()
        ):
            continue
        ends = [place for place in beside.values() if place not in game.board or game.hidden(place)]
        way = min((abs(row - target[0]) + abs(column - target[1]) for row, column in ends), default=99)
        if way < best:
            best, found = way, []
        if way == best:
            found.append(move)
    return found


STYLES: tuple[dict[str, float], ...] = (
    {},
    {"dig": 0.95, "free": 0.9},
    {"dig": 0.7, "map": 0.2},
    {"dig": 0.9, "destroy": 0.4, "hinder": 0.3, "free": 0.5},
    {"dig": 0.6, "hinder": 0.9, "free": 0.05},
)
"""Habits of players: with which probability one digs, or does something else where it can."""


class Habits:
    """A player with habits, for the slow engine; a different one with every number."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.style = STYLES[number % len(STYLES)]
        self.order = self.random.sample(range(3), 3)

    def would(self, habit: str) -> bool:
        return self.random.random() < self.style.get(habit, 0)

    def pick(self, game: ReferenceDuel, tunnels: set[Cell], moves: list[str]) -> str:
        """One of the legal moves; `tunnels` are the cells joined to the entrance."""
        for habit, move in (("hinder", "malus"), ("free", "bonus")):
            if move in moves and self.would(habit):
                return move
        for habit in ("destroy", "map"):
            if self.would(habit) and (wanted := [move for move in moves if move.startswith(habit)]):
                joined = [move for move in wanted if habit == "destroy" and cell_of(move) in tunnels]
                return self.random.choice(joined or wanted)
        if self.would("dig"):
            target = next(GOAL_CELLS[goal] for goal in self.order if not game.revealed[goal])
            wanted = digs(game, tunnels, moves, target)
            # One who cannot dig waits for better tiles.
            discards = [f"drop:{card}" for card in TILES if shape(card).centre != "open" and f"drop:{card}" in moves]
            discards += [move for move in moves if move in {"drop:bonus", "drop:map"}]
            return self.random.choice(wanted or discards or moves)
        return self.random.choice(moves)


def reference_of(state: Any, kind: type[ReferenceDuel] = ReferenceDuel) -> ReferenceDuel:
    """The slow game with the deal of a state that has just been dealt."""
    hands = [[CARDS[card] for card in hand] for hand in state["hands"].tolist()]
    deck = [CARDS[card] for card in state["deck"].tolist()[state["drawn"] :]]
    return kind([CONTENTS[content] for content in state["goals"].tolist()], hands, deck)


def walk(number: int) -> Iterator[tuple[States, ReferenceDuel]]:
    """The positions of one game between players with habits, from the deal to the end, in both engines. They change underway."""
    states = GAME.new(seeds_of(number, 1))
    slow, player = reference_of(states[0]), Habits(number)
    yield states, slow
    while not slow.over:
        move = player.pick(slow, slow.joined(), slow.legal_moves())
        slow.apply(move)
        play(states, action_of(move))
        yield states, slow


def positions(games: int, every: int = 7, first: int = 0) -> Iterator[States]:
    """Copies of positions along such games that are not over: one in `every`, the first of game g at move g % every."""
    for number in range(first, first + games):
        for turn, (states, slow) in enumerate(walk(number)):
            if turn % every == number % every and not slow.over:
                yield states.copy()


# --- Records ----------------------------------------------------------------------------------------------------------


def every_move() -> list[str]:
    """Every text that is a move, legal somewhere or not, spelled out from the description of the notation."""
    cells = [f"{row},{column}" for row, column in BOARD]
    moves = [f"{name}@{cell}" for tile in TILES for name in ways(tile) for cell in cells]
    moves += [f"map:{goal}" for goal in GOAL_NAMES] + ["malus", "bonus"] + [f"destroy@{cell}" for cell in cells]
    return moves + [f"drop:{card}" for card in CARDS]


def cell_number(cell: Cell) -> int:
    """A cell as a number: the board lies in a grid of 16 x 16 with a rim."""
    return (cell[0] + 1) * 16 + cell[1] + 1


def action_of(move: str) -> int:
    """A move as an int; "drop:?" is a discard as the other sees it."""
    if move == "drop:?":
        return PLAYS["drop"] << 14 | HIDDEN_CARD << 9
    card = card_of(move)
    assert card is not None
    if move.startswith("drop:"):
        return PLAYS["drop"] << 14 | CARDS.index(card) << 9
    if move.startswith("map:"):
        target = GOAL_NAMES.index(move.removeprefix("map:"))
    else:
        target = cell_number(cell_of(move)) if "@" in move else 0
    flipped = FLIP in move
    return PLAYS["tile" if card in TILES else card] << 14 | CARDS.index(card) << 9 | flipped << 8 | target


def cell_set(cells: Any) -> list[int]:
    """A set of cells: four words of 64 bits, cell c at bit c % 64 of word c // 64."""
    words = [0, 0, 0, 0]
    for cell in cells:
        number = cell_number(cell)
        words[number >> 6] |= 1 << (number & 63)
    return words


def goal_set(goals: Any) -> int:
    """A set of goals: left 1, middle 2, right 4."""
    return sum(1 << goal for goal in goals)


def codes_of(board: dict[Cell, str]) -> list[int]:
    """A board as codes, "goal" for one that is not revealed."""
    codes = [CODES.index("off")] * 256
    for cell in BOARD:
        codes[cell_number(cell)] = CODES.index(board.get(cell, "empty"))
    return codes


def counts_of(cards: Any) -> list[int]:
    """How many of each kind there are."""
    counts = [0] * len(CARDS)
    for card in cards:
        counts[CARDS.index(card)] += 1
    return counts


def hand_of(hand: list[str]) -> list[int]:
    """A hand in its order."""
    return [CARDS.index(card) for card in hand] + [-1] * (7 - len(hand))


def shared_numbers(game: ReferenceDuel) -> list[int]:
    """The shared numbers."""
    outcome = 0 if not game.over else 2 if game.draw else 1
    nobody = -1
    return [
        game.turn,
        nobody if game.to_move is None else game.to_move,
        55 - len(game.deck),
        outcome,
        nobody if game.winner is None else game.winner,
        goal_set(goal for goal in range(3) if game.revealed[goal]),
    ]


def event_of(event: Event, turn: int) -> tuple[Any, ...]:
    """What a seat is told of the move of a turn."""
    return (
        action_of(event["move"]),
        turn,
        event["seat"],
        CONTENTS.index(event["seen"] or "unknown"),
        -1 if event["drew"] is None else CARDS.index(event["drew"]),
        CODES.index(event["removed"] or "empty"),
        goal_set(event["revealed"]),
        [CONTENTS.index(event["revealed"].get(goal, "unknown")) for goal in range(3)],
    )


# One tile as it lies for each set of open edges.
TILE_WITH: dict[int, str] = {}
for _tile in TILES:
    for _name in ways(_tile):
        TILE_WITH.setdefault(sum(1 << "NESW".index(edge) for edge in shape(_name).edges), _name)
EDGE_SETS = sorted(TILE_WITH)

Beside = tuple[str | None, ...]
_FITS: dict[Beside, int] = {}
"""The edge sets that the slow engine lets lie between four neighbours, as bits: its answers, kept."""


def fitting_at(game: ReferenceDuel, cell: Cell) -> int:
    """The edge sets that the slow engine lets the mover lay on a cell, if no malus hindered him, as bits."""
    malus, game.malus = game.malus, [0, 0]
    fits = sum(1 << edges for edges in EDGE_SETS if game._against_tile(TILE_WITH[edges], cell, 0) is None)
    game.malus = malus
    return fits


def fitting_of(game: ReferenceDuel) -> list[list[int]]:
    """The cells on which each edge set may be laid; the answers of the slow engine for the same neighbours are kept."""
    result = [[0, 0, 0, 0] for _ in range(16)]
    board = {cell: "goal" if game.hidden(cell) else name for cell, name in game.board.items()}
    for cell in {neighbour(cell, edge) for cell in board for edge in "NESW"}:
        if cell in board or not (0 <= cell[0] < 14 and 0 <= cell[1] < 14):
            continue
        beside = tuple(board.get(neighbour(cell, edge)) for edge in "NESW")
        if beside not in _FITS:
            _FITS[beside] = fitting_at(game, cell)
        fits, number = _FITS[beside], cell_number(cell)
        for edges in EDGE_SETS:
            if fits >> edges & 1:
                result[edges][number >> 6] |= 1 << (number & 63)
    return result


def fitting_everywhere(game: ReferenceDuel) -> list[list[int]]:
    """`fitting_of`, asked of the slow engine anew for every cell of the board."""
    fits = {cell: fitting_at(game, cell) for cell in BOARD}
    return [cell_set(cell for cell in BOARD if fits[cell] >> edges & 1) for edges in range(16)]


assert list(range(1, 16)) == EDGE_SETS and ENTRANCE == (5, 5)
