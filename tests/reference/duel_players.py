"""The players of the duel of 2020 (Cai and Jiang) in plain Python, over the slow engine: the guess, h, and the search.

Slow on purpose, and nothing is shared with the package under test. Values are minus h, so that more is better.
"""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass

from reference.duel import (
    ENTRANCE,
    GOAL_CELLS,
    GOAL_NAMES,
    OPPOSITE,
    TILES,
    Cell,
    ReferenceDuel,
    neighbour,
    on_board,
    shape,
    ways,
)

WIN, LATER = 1e9, 1e6
GOOD_TILES = frozenset({"0", "5", "5_flip", "6", "6_flip", "7", "7_flip", "8", "9", "9_flip", "10"})


@dataclass(frozen=True)
class Weights:
    """The numbers of h; `open_ends` are those of the tunnel ("joined") or of everything that says what fits ("all")."""

    w1: float = 1000
    opening_w2: float = 200
    opening_w3: float = -300
    end_w2: float = 1000
    end_w3: float = -1800
    w4: float = -50
    w5: float = 40000
    w6: float = 100
    opening_w7: float = -50000
    end_w7: float = -50000
    end_row: int = 10
    good_row: int = 5
    open_ends: str = "joined"
    wins_first: bool = True


@dataclass(frozen=True)
class SearchWeights(Weights):
    """And how the search reads them: which wins come first, and which h an inner OR node is worth."""

    wins_at_root: bool = False
    inner: str = "smallest"


# --- The guess --------------------------------------------------------------------------------------------------------


def guess(goals: list[str | None]) -> int:
    """The goal where the nugget is known to be; else the middle one if it may be there; else the first that it may be in."""
    if "nugget" in goals:
        return goals.index("nugget")
    unknown = [goal for goal in range(3) if goals[goal] is None]
    return 1 if 1 in unknown else unknown[0]


def is_known(goals: list[str | None]) -> bool:
    """Whether it is known where the nugget is."""
    return "nugget" in goals or goals.count(None) == 1


def first_map(game: ReferenceDuel, seat: int) -> str | None:
    """The map that is played before all else: on the first goal that the player does not know, while he does not know where
    the nugget is."""
    goals = game.view(seat)["goals"]
    if "map" not in game.hands[seat] or is_known(goals):
        return None
    return f"map:{GOAL_NAMES[goals.index(None)]}"


def imagined(game: ReferenceDuel, seat: int) -> ReferenceDuel:
    """The game as a player imagines it: the nugget is where he guesses, and no card is drawn unless he is given it."""
    goal = guess(game.view(seat)["goals"])
    result = copied(game)
    result.goals = ["nugget" if place == goal else "blank" for place in range(3)]
    result.deck = []
    return result


def copied(game: ReferenceDuel) -> ReferenceDuel:
    """Another game in the same position; what was played before is forgotten."""
    result = copy.copy(game)
    result.goals, result.deck, result.board = list(game.goals), list(game.deck), dict(game.board)
    result.hands = [list(hand) for hand in game.hands]
    result.revealed, result.malus = list(game.revealed), list(game.malus)
    result.seen, result.played, result.discards, result.history = [{}, {}], [], [[], []], [[], []]
    return result


def after(game: ReferenceDuel, seat: int, move: str) -> ReferenceDuel:
    """The position after a move of a player, whose turn it is taken to be."""
    result = copied(game)
    result.to_move = seat
    result.apply(move)
    return result


def moves_of(game: ReferenceDuel, seat: int) -> list[str]:
    """The legal moves of a player, whose turn it is taken to be."""
    to_move, game.to_move = game.to_move, seat
    moves = game.legal_moves()
    game.to_move = to_move
    return moves


# --- h ----------------------------------------------------------------------------------------------------------------


def open_ends(game: ReferenceDuel, joined: set[Cell], which: str) -> int:
    """The empty cells of the board that an open edge faces."""
    if which == "joined":
        cells = [cell for cell in joined if shape(game.board[cell]).centre == "open"]
    else:
        cells = [cell for cell in game.board if not game.hidden(cell)]
    ends = {neighbour(cell, edge) for cell in cells for edge in shape(game.board[cell]).edges}
    return sum(on_board(cell) and cell not in game.board for cell in ends)


def h(game: ReferenceDuel, seat: int, goal: int, weights: Weights) -> float:
    """H of the board, smaller is better, for a nugget that is guessed under `goal`."""
    tiles = {cell: name for cell, name in game.board.items() if cell != ENTRANCE and cell not in GOAL_CELLS}
    joined = game.joined()
    row, column = GOAL_CELLS[goal]
    end_game = any(i >= weights.end_row for i, _ in tiles)
    w2 = weights.end_w2 if end_game else weights.opening_w2
    w3 = weights.end_w3 if end_game else weights.opening_w3
    w7 = weights.end_w7 if end_game else weights.opening_w7
    m = game.malus[1 - seat] if end_game else game.hands[seat].count("malus")
    return (
        min(
            weights.w1 * abs(i - row) + w2 * abs(j - column) + (w3 if "S" in shape(game.board[i, j]).edges else 0)
            for i, j in joined
        )
        + weights.w4 * open_ends(game, joined, weights.open_ends)
        + weights.w5 * game.malus[seat]
        + weights.w6 * sum(i < weights.good_row and name in GOOD_TILES for (i, _), name in tiles.items())
        + w7 * m
    )


def value(game: ReferenceDuel, seat: int, weights: Weights, made: int) -> float:
    """What an imagined position is worth after so many own moves: minus h; a win of the other is worst, and one's own best where
    `wins_first` says so, the sooner the better."""
    if game.winner == 1 - seat:
        return -WIN
    at_root = isinstance(weights, SearchWeights) and weights.wins_at_root
    if game.winner == seat and weights.wins_first and (made == 1 or not at_root):
        return WIN - LATER * made
    return -h(game, seat, game.goals.index("nugget"), weights)


def values_at_once(game: ReferenceDuel, seat: int, weights: Weights) -> dict[str, float]:
    """What each move of a player is worth by h after it."""
    here = imagined(game, seat)
    return {move: value(after(here, seat, move), seat, weights, 1) for move in moves_of(here, seat)}


# --- The search -------------------------------------------------------------------------------------------------------


def searched(
    game: ReferenceDuel,
    seat: int,
    weights: Weights,
    depth: int,
    unseen: Counter[str],
    deck_left: int,
    modelled: bool = False,
) -> dict[str, float]:
    """What each move is worth by the AND/OR search to a depth. `unseen` are the cards that may be drawn.

    A `modelled` opponent holds the cards that stand in its hand of `game`; with it, depth counts the moves of both.
    """
    here = imagined(game, seat)
    return {
        move: value_of_or_node(after(here, seat, move), seat, weights, depth - 1, unseen, deck_left, modelled, 1)
        for move in moves_of(here, seat)
    }


def value_of_or_node(
    game: ReferenceDuel,
    seat: int,
    weights: Weights,
    depth: int,
    unseen: Counter[str],
    deck_left: int,
    modelled: bool,
    made: int,
) -> float:
    """The board after an own move, before the mover draws a card: the first of those left, the other's is the next."""
    if depth == 0 or game.winner is not None:
        return value(game, seat, weights, made)
    draws, left = deck_left > 0, max(deck_left - 1, 0)
    if modelled and game.hands[1 - seat]:
        other, left = 1 - seat, max(left - 1, 0)
        replies = [after(game, other, move) for move in moves_of(game, other)]
        return min(
            value_of_draw(reply, seat, weights, depth - 1, unseen, draws, left, modelled, made) for reply in replies
        )
    return value_of_draw(game, seat, weights, depth, unseen, draws, left, modelled, made)


def value_of_draw(
    game: ReferenceDuel,
    seat: int,
    weights: Weights,
    depth: int,
    unseen: Counter[str],
    draws: bool,
    deck_left: int,
    modelled: bool,
    made: int,
) -> float:
    """The mean over the cards that may have been drawn, then the best own move."""
    if depth == 0 or game.winner is not None:
        return value(game, seat, weights, made)
    if not draws:
        return best_of(game, seat, weights, depth, unseen, 0, modelled, made)
    total = 0.0
    for card, count in unseen.items():
        drawn = copied(game)
        drawn.hands[seat].append(card)
        left = unseen - Counter([card])
        total += count / unseen.total() * best_of(drawn, seat, weights, depth, left, deck_left, modelled, made)
    return total


def best_of(
    game: ReferenceDuel,
    seat: int,
    weights: Weights,
    depth: int,
    unseen: Counter[str],
    deck_left: int,
    modelled: bool,
    made: int,
) -> float:
    """The best own move; without cards the board stays as it is."""
    if not game.hands[seat]:
        return value(game, seat, weights, made)
    # Minus the smallest h; the formula's "max" of h to the letter is minus the largest.
    largest = isinstance(weights, SearchWeights) and weights.inner == "largest"
    choose = min if largest else max
    return choose(
        value_of_or_node(after(game, seat, move), seat, weights, depth - 1, unseen, deck_left, modelled, made + 1)
        for move in moves_of(game, seat)
    )


# --- Ways to a goal ---------------------------------------------------------------------------------------------------

NO_WAY = 99.0
FIRST_ROW = 3
"""Ways are sought from two rows above the entrance down."""

End = tuple[Cell, str]
"""A side of a cell."""


@dataclass(frozen=True)
class Supply:
    """What a player can build with: cards in hand, cards unseen, and what it costs to wait for a card."""

    hand: Counter[str]
    unseen: Counter[str]
    destroys: int
    patience: float

    def cost_of_any(self, sets: set[frozenset[str]]) -> float:
        """What it costs to lay a tunnel with one of some sets of open edges: a turn, and more where the hand has none, the
        less likely an unseen card is to be one (a tile counts for each of its ways to lie)."""
        if any(edges in sets for card in +self.hand if card in TILES for edges in tunnels_of(card)):
            return 1.0
        among = self.unseen.total()
        fitting = sum(
            count for card, count in self.unseen.items() if card in TILES for edges in tunnels_of(card) if edges in sets
        )
        return min(NO_WAY, 1 + self.patience * among / fitting) if fitting else NO_WAY


def tunnels_of(card: str) -> set[frozenset[str]]:
    """The sets of open edges with which a tile can lie, none if no tunnel runs through it."""
    if shape(card).centre != "open":
        return set()
    return {frozenset(shape(name).edges) for name in (card, card + "_flip")}


EVERY_TUNNEL = {edges for card in TILES for edges in tunnels_of(card)}


def fitting_sets(game: ReferenceDuel, cell: Cell) -> set[frozenset[str]]:
    """The sets of open edges of tunnels that match all that lies around a cell, whether open meets open or not."""
    return {
        edges
        for edges in EVERY_TUNNEL
        if all(
            (edge in edges) == (OPPOSITE[edge] in shape(game.board[beyond]).edges)
            for edge in "NESW"
            if (beyond := neighbour(cell, edge)) in game.board and not game.hidden(beyond)
        )
    }


def ways_through(game: ReferenceDuel, cell: Cell, supply: Supply) -> dict[tuple[str, str], float]:
    """What it costs to pass a cell, from one of its sides to another."""
    name = game.board.get(cell)
    passage: dict[tuple[str, str], float] = {}
    may_go = name is None or (supply.destroys > 0 and cell != ENTRANCE and cell not in GOAL_CELLS)
    toll = 0.0 if name is None else 1.0
    fits = fitting_sets(game, cell) if may_go else set()
    for one in "NESW":
        for other in set("NESW") - {one}:
            if name is not None and shape(name).centre == "open" and {one, other} <= set(shape(name).edges):
                passage[one, other] = 0.0
            elif may_go:
                passage[one, other] = toll + supply.cost_of_any({edges for edges in fits if {one, other} <= edges})
    return passage


def costs_to(game: ReferenceDuel, goal: int, supply: Supply) -> dict[End, float]:
    """What it costs to go on from a side of a cell to a goal, the cell's own tile included; ways that cost NO_WAY are none."""
    passages = {
        (row, column): ways_through(game, (row, column), supply) for row in range(FIRST_ROW, 14) for column in range(14)
    }
    target = GOAL_CELLS[goal]
    best: dict[End, float] = dict.fromkeys(((target, side) for side in "NESW"), 0.0)
    done: set[End] = set()
    while open_now := [(cost, end) for end, cost in best.items() if end not in done]:
        cost, (cell, side) = min(open_now)
        done.add((cell, side))
        # From the neighbour on this side one comes in here.
        before = neighbour(cell, side)
        if before not in passages or before == target:
            continue
        for (entry, out), toll in passages[before].items():
            if out == OPPOSITE[side] and cost + toll < min(best.get((before, entry), NO_WAY), NO_WAY):
                best[before, entry] = cost + toll
    return best


def cost_from_tunnel(game: ReferenceDuel, costs: dict[End, float], goal: int) -> float:
    """What the cheapest way from the tunnel to the goal costs; 0 where the tunnel is there."""
    joined = game.joined()
    if GOAL_CELLS[goal] in joined:
        return 0.0
    return min(
        (
            costs.get((neighbour(cell, edge), OPPOSITE[edge]), NO_WAY)
            for cell in joined
            if shape(game.board[cell]).centre == "open"
            for edge in shape(game.board[cell]).edges
            if neighbour(cell, edge) not in joined
        ),
        default=NO_WAY,
    )


def finishing_sets(game: ReferenceDuel, goal: int) -> set[frozenset[str]]:
    """The sets of open edges of tunnels that reach a goal at once from some cell on which they may be laid."""
    found: set[frozenset[str]] = set()
    beside = {neighbour(cell, edge) for cell in game.joined() for edge in "NESW"}
    for cell in beside:
        for name in (name for card in TILES for name in ways(card)):
            edges, centre = shape(name)
            if centre == "open" and frozenset(edges) not in found:
                trial = copied(game)
                trial.malus = [0, 0]
                if trial._against_tile(name, cell, 0) is None:
                    trial.board[cell] = name
                    if GOAL_CELLS[goal] in trial.joined():
                        found.add(frozenset(edges))
    return found
