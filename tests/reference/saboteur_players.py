"""Reference versions of the Saboteur players `decision-2019` (editions as_run and as_printed) and `means-ends-2016`.

Slow on purpose: plain functions on sets and dicts, one rule each, so that the compiled players can be checked against
them. All randomness is factored out: `card_options` gives what a card is worth and every move that ties for it,
`allowed_moves` every move that some tie-break would choose, `allowed_trust_updates` every trust that some tie-break
would lead to. Only `ReferencePlayer` draws.

A player's memory is his trust (one number per other seat) and, for decision-2019, the repair value that grows with the
moves of others. Everything else he needs is in `Seen`, which holds nothing that is hidden from his seat.

The constants and all readings in which the editions differ are fields of `Decision2019` and `MeansEnds2016`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple

from .saboteur import (
    GOAL_CELLS,
    GOAL_EDGES,
    GOAL_NAMES,
    OPPOSITE,
    PATHS,
    START,
    STEP,
    Cell,
    Event,
    ReferenceGame,
    Tile,
    card_of,
    cell_of,
    neighbour,
    on_board,
    orientations,
    path_tile,
    tools_of,
)

Board = Mapping[Cell, Tile]
Trust = dict[int, float]

EPS = 1e-6  # values closer than this are equal
INF = math.inf

# --- Parameters -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Decision2019:
    """decision-2019. The defaults are the edition as_run; AS_PRINTED below names what the paper has otherwise."""

    play_above: float = -0.5  # a card is played if its value exceeds this
    path_factor: float = 50.0
    rockfall_factor: float = 50.0
    map_unknown: float = 4.5  # value of a map while there is something to learn
    map_known: float = -4.5  # value of a map when the gold is known
    block_base: float = 0.4
    repair_base: float = 0.4
    repair_growth: float = 0.01  # added to the repair value with every move of another player
    no_cell: float = 0.25  # value of a path card that fits nowhere, and of a rockfall with nothing to remove
    trust_start: float = 2.5
    trust_block: float = 2.6
    trust_repair: float = 0.5
    # The value of a board.
    halve_v_x_when_top_is_stone: bool = True  # in score 0
    count_reachable_goals: bool = True  # a goal cell that a tunnel reaches counts like an empty reachable cell
    mean_breaks_ties: bool = True  # where the largest value does not change, the change of the mean decides
    best_cells_of_miner: int = 5  # a miner's mean sums only so many cells, but divides by the number of all
    # The value of a card.
    only_suiting_path_cards: bool = True  # a miner lays no dead-end, a saboteur no through card: value -infinity
    miner_may_rockfall: bool = False
    rockfall_is_absolute: bool = True  # the best removal counts by its absolute value
    rockfall_only_joined: bool = False  # only cards that are joined to the start are thought of
    blocked_path_is_worth_nothing: bool = False  # value 0 instead of the value of the best cell
    rockfall_by_occupied: bool = False  # by the largest value of the cells on which joined cards lie
    block_prefers_most_broken: bool = True  # else the fewest: value base / (1 + broken tools)
    repair_counts_mended: bool = True  # else all broken tools: value 1.5 base * broken - 1, doubled for oneself
    repair_counts_empty: bool = False  # ... where all broken tools count: one more than they are
    # Trust.
    trust_of_target_changes: bool = True
    self_target_trust_fault: bool = True  # see `pair_trust`
    neither_friend_nor_enemy: bool = True  # the two tests of a target draw separately, so ties may fail both
    few_enemies: bool = False  # ... but a saboteur takes (saboteurs - 1) for enemies, and all others for friends
    # What is said before cards.
    accusation_counts: float = 0.0  # what the trust in an accused loses
    request_counts: float = 0.0  # added to the tools that a repair mends, for a friend who has asked for one of them
    # The discard.
    discard_suiting_card: bool = False  # a worthless path card that harms the own side, if there is one


AS_RUN = Decision2019()
AS_PRINTED = Decision2019(
    map_unknown=3.0,
    map_known=0.0,
    repair_growth=0.0,
    no_cell=0.0,
    trust_repair=5.2,
    halve_v_x_when_top_is_stone=False,
    count_reachable_goals=False,
    mean_breaks_ties=False,
    only_suiting_path_cards=False,
    miner_may_rockfall=True,
    rockfall_is_absolute=False,
    rockfall_only_joined=True,
    blocked_path_is_worth_nothing=True,
    block_prefers_most_broken=False,
    repair_counts_mended=False,
    trust_of_target_changes=False,
    self_target_trust_fault=False,
    neither_friend_nor_enemy=False,
    discard_suiting_card=True,
)


@dataclass(frozen=True)
class MeansEnds2016:
    """means-ends-2016, as its program was run."""

    k0: float = 0.5  # path
    k1: float = 3.0  # map
    k2: float = 0.4  # a card is played if its value exceeds k2 / 3
    k3: float = 0.4  # block
    k4: float = 0.4  # repair
    c1: float = 2.5  # trust at the start
    c2: float = 2.6  # trust: block
    c3: float = 0.5  # trust: repair
    c4: float = 0.5  # trust: discard
    map_gold: float = 0.5  # a goal known to be the gold is worth (1 + this) k1, so it is looked at again
    map_stone: float = -0.5
    plays_unturned_as_turned: bool = True  # the program's fault; its idea of unturned is PROGRAM_UPRIGHT
    z2_of_turned_form: bool = True  # the value a card of another player got is that of its turned form
    self_target_trust_fault: bool = True
    neither_friend_nor_enemy: bool = True


Parameters = Decision2019 | MeansEnds2016

# The cards whose upright form in the program of 2016 is the turned form of our card table.
PROGRAM_UPRIGHT_IS_TURNED = {"P_NSE", "P_EWN", "D_N", "D_E", "D_NSE", "D_EWN"}

# --- What a player sees -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """A position as one seat knows it."""

    seat: int
    role: str
    seats: int
    saboteurs: int
    board: Board
    face_up: tuple[bool, ...]
    known: Mapping[int, str]  # goal index -> "gold" or "stone": looked at, turned over, or deduced
    hand: tuple[str, ...]
    broken: tuple[frozenset[str], ...]
    asked: tuple[frozenset[str], ...]
    may_rockfall: bool


def seen(game: ReferenceGame, seat: int) -> Seen:
    """A copy of what the seat sees now; it stays as it is while the game goes on. The players are defined for the ruleset
    `krisnadi` only."""
    rules = game.rules
    if not (rules.stones_let_in and rules.goals_fit and rules.double_repair_mends_both):
        raise ValueError("the players know the ruleset krisnadi only")
    return Seen(
        seat=seat,
        role=game.roles[seat],
        seats=len(game.roles),
        saboteurs=game.roles.count("saboteur"),
        board=dict(game.board),
        face_up=tuple(game.face_up),
        known=deduced(game.knows[seat]),
        hand=tuple(game.hands[seat]),
        broken=tuple(frozenset(tools) for tools in game.broken),
        asked=tuple(frozenset(tools) for tools in game.asked),
        may_rockfall=rules.blocked_may_rockfall or not game.broken[seat],
    )


def deduced(knows: Mapping[int, str]) -> dict[int, str]:
    """A known gold makes the other two goals stones, two known stones make the third the gold."""
    known = {goal: "gold" if content == "gold" else "stone" for goal, content in knows.items()}
    if "gold" in known.values():
        return {goal: known.get(goal, "stone") for goal in range(len(GOAL_CELLS))}
    if len(known) == 2:
        return {goal: known.get(goal, "gold") for goal in range(len(GOAL_CELLS))}
    return known


# --- The board --------------------------------------------------------------------------------------------------------

# The cell beyond each edge, edges to the rim left out.
BEYOND: dict[Cell, dict[str, Cell]] = {
    (x, y): {edge: neighbour((x, y), edge) for edge in STEP if on_board(neighbour((x, y), edge))}
    for x in range(9)
    for y in range(5)
}


def explore(board: Board) -> tuple[set[Cell], set[Cell]]:
    """The cells with a card that are joined to the start, and the empty cells onto which a tunnel from there opens. A
    goal that lies open lets a tunnel in at any edge."""
    joined, empty, frontier = {START}, set(), [START]
    while frontier:
        cell = frontier.pop()
        tile, beyond = board[cell], BEYOND[cell]
        if not tile.through:
            continue
        for edge in tile.open:
            if edge not in beyond:
                continue
            there = beyond[edge]
            other = board.get(there)
            if other is None:
                empty.add(there)
            elif there not in joined and (OPPOSITE[edge] in other.open or other.card in GOAL_EDGES):
                joined.add(there)
                frontier.append(there)
    return joined, empty


def fits(board: Board, tile: Tile, cell: Cell) -> bool:
    """Every touching edge fits: open to open, wall to wall."""
    return all(
        (edge in tile.open) == (OPPOSITE[edge] in board[there].open)
        for edge, there in BEYOND[cell].items()
        if there in board
    )


def placements(board: Board, card: str) -> list[tuple[Cell, bool]]:
    """The cells and orientations in which a path card may lie, whether or not the player is blocked."""
    _, empty = explore(board)
    forms = [(turned, path_tile(card, turned)) for turned in orientations(card)]
    return [(cell, turned) for cell in sorted(empty) for turned, tile in forms if fits(board, tile, cell)]


def placed(board: Board, card: str, cell: Cell, turned: bool) -> Board:
    """The board with one card more."""
    return {**board, cell: path_tile(card, turned)}


def removed(board: Board, cell: Cell) -> Board:
    """The board with one card less."""
    return {there: tile for there, tile in board.items() if there != cell}


def path_move(card: str, cell: Cell, turned: bool) -> str:
    """The notation of a placement."""
    return f"{card}@{cell[0]},{cell[1]}" + ("r" if turned else "")


# --- decision-2019: the value of a board ------------------------------------------------------------------------------


def score(known: Mapping[int, str]) -> int:
    """What the player knows of the goals: 1, 2, 3 the gold is at the top, middle, bottom; 0 the gold is unknown and the
    top is a stone; -1 anything else."""
    for goal, content in known.items():
        if content == "gold":
            return goal + 1
    return 0 if 0 in known else -1


@cache
def cell_value(cell: Cell, role: str, goal_score: int, halve: bool) -> float:
    """v(x, y) = v(x) v(y)."""
    x, y = cell
    miner = role == "miner"
    v_x = 0.1 * (1 + x if miner else 9 - x)
    if halve and goal_score == 0:
        v_x /= 2
    if goal_score == 0:
        v_y = min(0.5 * y, 1.0) if miner else max(1 - 0.5 * y, 0.0)
    elif goal_score == 1:
        v_y = 1 - 0.25 * y if miner else y * y / 16
    elif goal_score == 2:
        v_y = 1 - abs(1 - 0.5 * y) if miner else abs(1 - 0.5 * y)
    elif goal_score == 3:
        v_y = 0.25 * y if miner else (y - 4) ** 2 / 16
    else:
        v_y = 1.0
    return v_x * v_y


def board_value(board: Board, role: str, known: Mapping[int, str], params: Decision2019) -> tuple[float, float]:
    """The largest value of the counted cells and their mean. The mean of a miner sums only his best cells, yet divides
    by the number of all. Without any cell the largest value is minus infinity and the mean 0."""
    joined, empty = explore(board)
    cells = empty | (joined & set(GOAL_CELLS)) if params.count_reachable_goals else empty
    if not cells:
        return -INF, 0.0
    return cells_value(cells, role, known, params)


def cells_value(
    cells: Iterable[Cell], role: str, known: Mapping[int, str], params: Decision2019
) -> tuple[float, float]:
    """The largest value of some cells and their mean."""
    halve, goal_score = params.halve_v_x_when_top_is_stone, score(known)
    values = sorted((cell_value(cell, role, goal_score, halve) for cell in cells), reverse=True)
    summed = values[: params.best_cells_of_miner] if role == "miner" else values
    return values[0], sum(summed) / len(values)


def occupied_value(board: Board, role: str, known: Mapping[int, str], params: Decision2019) -> tuple[float, float]:
    """The same of the cells on which cards lie that are joined to the start."""
    joined, _ = explore(board)
    return cells_value(joined, role, known, params)


def board_change(
    before: Board, after: Board, role: str, known: Mapping[int, str], params: Decision2019, by_occupied: bool = False
) -> float:
    """What a move is worth: the change of the largest value, or of the mean where the largest stays the same. The cells that
    count are empty, or those on which joined cards lie."""
    max_before, mean_before = (occupied_value if by_occupied else board_value)(before, role, known, params)
    max_after, mean_after = (occupied_value if by_occupied else board_value)(after, role, known, params)
    if max_before != max_after and abs(max_after - max_before) > EPS:
        return max_after - max_before
    return mean_after - mean_before if params.mean_breaks_ties else 0.0


# --- means-ends-2016: the value of a placement ------------------------------------------------------------------------


def edge_weights(tile: Tile) -> dict[str, int]:
    """Wall -2, dead-end 0, path +1."""
    return {edge: (1 if tile.through else 0) if edge in tile.open else -2 for edge in STEP}


def placement_value(seen: Seen, card: str, cell: Cell, turned: bool, params: MeansEnds2016) -> float:
    """k0 + b; the rim rows count only if both their inner edges are paths."""
    x, y = cell
    tile = path_tile(card, turned)
    weight = edge_weights(tile)
    b = 0.0
    if y == 0 and weight["E"] == 1 and weight["S"] == 1:
        b = 0.3 * (weight["E"] + weight["S"])
    elif 1 <= y <= 3:
        b = 0.3 * (weight["N"] + weight["E"] + weight["S"]) + 0.1
    elif y == 4 and weight["E"] == 1 and weight["N"] == 1:
        b = 0.3 * (weight["N"] + weight["E"])
    golds = 1 if "gold" in seen.known.values() else len(GOAL_CELLS) - len(seen.known)
    forward = tile.through == (seen.role == "miner")
    return params.k0 + b + 0.1 * (1 + x if forward else 9 - x) / golds


def program_turned(card: str) -> bool:
    """Whether the form that the program calls turned is our turned form. A card that looks the same has one form."""
    return card not in PROGRAM_UPRIGHT_IS_TURNED and len(orientations(card)) == 2


# --- The value of a card ----------------------------------------------------------------------------------------------


class Option(NamedTuple):
    """What one card of the hand is worth. `moves` are the legal moves that tie for the best use of the card; `failing`
    counts the ties that turn out to be illegal: if one of those is drawn, the card is not played."""

    value: float
    moves: frozenset[str] = frozenset()
    failing: int = 1

    @property
    def playable(self) -> bool:
        """Whether some tie-break plays the card."""
        return bool(self.moves)


def best(values: Mapping[str, float]) -> tuple[float, list[str]]:
    """The largest value and everything that ties for it."""
    top = max(values.values())
    return top, [key for key, value in values.items() if value >= top - EPS]


def option(value: float, tied: Iterable[str], legal: Callable[[str], bool]) -> Option:
    """The tied moves, split into legal and failing ones."""
    tied = list(tied)
    moves = frozenset(move for move in tied if legal(move))
    return Option(value, moves, len(tied) - len(moves))


def card_option(
    seen: Seen, card: str, friends: Iterable[int], enemies: Iterable[int], repair: float, params: Parameters
) -> Option:
    """One card: its value and its best moves, for a player with these friends, enemies and repair value."""
    decision = isinstance(params, Decision2019)
    if card in PATHS:
        return path_2019(seen, card, params) if isinstance(params, Decision2019) else path_2016(seen, card, params)
    if card == "map":
        return map_2019(seen, params) if isinstance(params, Decision2019) else map_2016(seen, params)
    if card == "rockfall":
        return rockfall_2019(seen, params) if isinstance(params, Decision2019) else Option(INF)
    if card.startswith("break:"):
        if isinstance(params, Decision2019) and not params.block_prefers_most_broken:
            return block_fewest(seen, card, enemies, params.block_base)
        return block_most(seen, card, enemies, params.block_base if isinstance(params, Decision2019) else params.k3)
    if isinstance(params, Decision2019) and not params.repair_counts_mended:
        return repair_broken(seen, card, friends, repair, 1 if params.repair_counts_empty else 0)
    more = params.request_counts if isinstance(params, Decision2019) else 0.0
    return repair_mended(seen, card, friends, repair, own_factor=2 if decision else 1, request_counts=more)


def card_options(
    seen: Seen, friends: Iterable[int], enemies: Iterable[int], repair: float, params: Parameters
) -> list[Option]:
    """Every card of the hand, slot by slot."""
    friends, enemies = set(friends), set(enemies)
    return [card_option(seen, card, friends, enemies, repair, params) for card in seen.hand]


def path_2019(seen: Seen, card: str, params: Decision2019) -> Option:
    """The best cell and orientation, by what the board gains."""
    places = placements(seen.board, card)
    blocked = bool(seen.broken[seen.seat])
    if not places:
        return Option(params.no_cell)
    if params.only_suiting_path_cards and not suits(seen.role, card):
        return Option(-INF)
    if blocked and params.blocked_path_is_worth_nothing:
        return Option(0.0)
    values = {
        path_move(card, cell, turned): params.path_factor
        * board_change(seen.board, placed(seen.board, card, cell, turned), seen.role, seen.known, params)
        for cell, turned in places
    }
    value, tied = best(values)
    return option(value, tied, lambda move: not blocked)


def suits(role: str, card: str) -> bool:
    """A through card helps a miner, a dead-end a saboteur."""
    return card.startswith("P_") == (role == "miner")


def rockfall_2019(seen: Seen, params: Decision2019) -> Option:
    """The best card to remove."""
    if seen.role == "miner" and not params.miner_may_rockfall:
        return Option(INF)
    candidates = [cell for cell, tile in seen.board.items() if tile.card in PATHS]
    if params.rockfall_only_joined:
        joined, _ = explore(seen.board)
        candidates = [cell for cell in candidates if cell in joined]
    if not candidates or (params.blocked_path_is_worth_nothing and not seen.may_rockfall):
        return Option(params.no_cell)
    values = {
        f"rockfall@{x},{y}": params.rockfall_factor
        * board_change(
            seen.board, removed(seen.board, (x, y)), seen.role, seen.known, params, params.rockfall_by_occupied
        )
        for x, y in candidates
    }
    value, tied = best(values)
    return option(abs(value) if params.rockfall_is_absolute else value, tied, lambda move: seen.may_rockfall)


def map_2019(seen: Seen, params: Decision2019) -> Option:
    """The first goal he does not know, from the top. (What is unknown after deduction is face down.)"""
    for goal, name in enumerate(GOAL_NAMES):
        if goal not in seen.known:
            return Option(params.map_unknown, frozenset({f"map:{name}"}), 0)
    return Option(params.map_known)


def block_most(seen: Seen, card: str, enemies: Iterable[int], base: float) -> Option:
    """An enemy whose tool is whole, the one with the most broken tools; half the value if that is more than one. The
    player may be among his own enemies; to break his own tool is illegal."""
    targets = {f"{card}>{seat}": len(seen.broken[seat]) for seat in enemies if not tools_of(card) & seen.broken[seat]}
    if not targets:
        return Option(base / 2)
    most, tied = best(targets)
    return option(base / 2 if most > 1 else base, tied, lambda move: move != f"{card}>{seen.seat}")


def block_fewest(seen: Seen, card: str, enemies: Iterable[int], base: float) -> Option:
    """As printed: an enemy whose tool is whole, the one with the fewest broken tools."""
    targets = {
        f"{card}>{seat}": base / (1 + len(seen.broken[seat]))
        for seat in enemies
        if not tools_of(card) & seen.broken[seat]
    }
    if not targets:
        return Option(0.0)
    value, tied = best(targets)
    return option(value, tied, lambda move: move != f"{card}>{seen.seat}")


def repair_mended(
    seen: Seen, card: str, friends: Iterable[int], repair: float, own_factor: int, request_counts: float
) -> Option:
    """The friend for whom the card mends the most tools; for oneself they may count double, and another friend's count
    more where he has asked for one of them."""

    def counts(seat: int) -> float:
        mended = len(tools_of(card) & seen.broken[seat])
        if seat == seen.seat:
            return mended * own_factor
        asked = tools_of(card) & seen.broken[seat] & seen.asked[seat]
        return mended + (request_counts if asked else 0.0)

    targets = {f"{card}>{seat}": counts(seat) for seat in friends if tools_of(card) & seen.broken[seat]}
    if not targets:
        return Option(repair / 2)
    most, tied = best(targets)
    return option(2 * repair if most > 1 else repair / 2, tied, lambda move: True)


def repair_broken(seen: Seen, card: str, friends: Iterable[int], repair: float, empty: int) -> Option:
    """As printed: the friend with the most broken tools, if the card mends one of them; doubled for oneself, also where
    the value is negative. `empty` is what a set without broken tools counts."""
    targets = {
        f"{card}>{seat}": (1.5 * repair * (empty + len(seen.broken[seat])) - 1) * (2 if seat == seen.seat else 1)
        for seat in friends
        if tools_of(card) & seen.broken[seat]
    }
    if not targets:
        return Option(0.0)
    value, tied = best(targets)
    return option(value, tied, lambda move: True)


def path_2016(seen: Seen, card: str, params: MeansEnds2016) -> Option:
    """The best cell and orientation by the weights of the card's edges. With the program's fault, the best cell of
    either form is used with the turned form, fitting or not."""
    places = placements(seen.board, card)
    if not places:
        return Option(params.k0 / 2)
    values = {place: placement_value(seen, card, *place, params) for place in places}
    value = max(values.values())
    tied = {place for place in places if values[place] >= value - EPS}
    if params.plays_unturned_as_turned:
        tied = {(cell, program_turned(card)) for cell, _ in tied}
    blocked = bool(seen.broken[seen.seat])
    legal = {path_move(card, *place) for place in tied if place in places and not blocked}
    return option(value, (path_move(card, *place) for place in tied), lambda move: move in legal)


def map_2016(seen: Seen, params: MeansEnds2016) -> Option:
    """Any goal may be looked at again; the gold is worth more than an unknown goal, a stone less."""
    bonus = {"gold": params.map_gold, "stone": params.map_stone}
    values = {
        f"map:{name}": (1 + (bonus[seen.known[goal]] if goal in seen.known else 0.0)) * params.k1
        for goal, name in enumerate(GOAL_NAMES)
    }
    value, tied = best(values)
    down = {f"map:{name}" for name, up in zip(GOAL_NAMES, seen.face_up, strict=True) if not up}
    return option(value, tied, lambda move: move in down)


# --- Friends and enemies ----------------------------------------------------------------------------------------------


def first_trust(seen: Seen, params: Parameters) -> Trust:
    """Everybody else begins with the same trust."""
    start = params.trust_start if isinstance(params, Decision2019) else params.c1
    return {seat: start for seat in range(seen.seats) if seat != seen.seat}


def first_repair(params: Parameters) -> float:
    """The repair value at the beginning."""
    return params.repair_base if isinstance(params, Decision2019) else params.k4


def next_repair(repair: float, event: Event, seat: int, params: Parameters) -> float:
    """The repair value after a move: it grows with the moves of others."""
    said = event["move"].startswith(("claim:", "accuse>", "ask:"))
    grows = isinstance(params, Decision2019) and event["seat"] != seat and not said
    return repair + params.repair_growth if grows and isinstance(params, Decision2019) else repair


def extreme_sets(trust: Mapping[int, float], size: int, highest: bool) -> list[frozenset[int]]:
    """All sets of the `size` highest or lowest in the table, one for each way to break ties."""
    if size <= 0:
        return [frozenset()]
    order = sorted(trust.values(), reverse=highest)
    border = order[min(size, len(order)) - 1]
    tied = [seat for seat in trust if same(trust[seat], border)]
    sure = [seat for seat in trust if seat not in tied and (trust[seat] > border if highest else trust[seat] < border)]
    return [frozenset((*sure, *rest)) for rest in combinations(tied, min(size, len(order)) - len(sure))]


def same(a: float, b: float) -> bool:
    """Equal, also at infinity."""
    return a == b or abs(a - b) <= EPS


def sides(seen: Seen, trust: Mapping[int, float], params: Parameters) -> list[tuple[frozenset[int], frozenset[int]]]:
    """The pairs of friends and enemies that a player may draw."""
    if isinstance(params, Decision2019) and params.few_enemies and not params.neither_friend_nor_enemy:
        fewer = seen.saboteurs - 1 if seen.role == "saboteur" else seen.saboteurs
        everybody = frozenset(range(seen.seats))
        return [(everybody - found, found) for found in extreme_sets(trust, fewer, highest=False)]
    return [(friends, enemies) for friends in friend_sets(seen, trust) for enemies in enemy_sets(seen, trust)]


def friend_sets(seen: Seen, trust: Mapping[int, float]) -> list[frozenset[int]]:
    """The player himself and the highest-trusted, to the size of his team less one."""
    team = seen.saboteurs if seen.role == "saboteur" else seen.seats - seen.saboteurs
    return [friends | {seen.seat} for friends in extreme_sets(trust, team - 1, highest=True)]


def enemy_sets(seen: Seen, trust: Mapping[int, float]) -> list[frozenset[int]]:
    """The lowest-trusted, to the size of the other team."""
    others = seen.seats - seen.saboteurs if seen.role == "saboteur" else seen.saboteurs
    return extreme_sets(trust, others, highest=False)


# --- The choice of a move ---------------------------------------------------------------------------------------------


def possible_options(seen: Seen, trust: Mapping[int, float], repair: float, params: Parameters) -> list[set[Option]]:
    """For each slot of the hand, what the card may be worth over all tie-breaks. Friends and enemies are drawn afresh
    for every card, so the slots are independent of one another."""
    drawn = sides(seen, trust, params)
    friends, enemies = {friends for friends, _ in drawn}, {enemies for _, enemies in drawn}
    result = []
    for card in seen.hand:
        if card.startswith("break:"):
            found = {card_option(seen, card, (), targets, repair, params) for targets in enemies}
        elif card.startswith("fix:"):
            found = {card_option(seen, card, targets, (), repair, params) for targets in friends}
        else:
            found = {card_option(seen, card, (), (), repair, params)}
        result.append(found)
    return result


def threshold(params: Parameters) -> float:
    """A card is played if its value exceeds this."""
    return params.play_above if isinstance(params, Decision2019) else params.k2 / 3


def allowed_moves(seen: Seen, trust: Mapping[int, float], repair: float, params: Parameters) -> set[str]:
    """Every move that the player chooses under some tie-break.

    The cards are tried by value; the first that is worth enough and whose drawn move is legal is played. So a move is
    chosen if each other card may be worth no more or may fail; and a card is discarded if all may be passed over."""
    limit = threshold(params)
    slots = possible_options(seen, trust, repair, params)
    moves: set[str] = set()
    for i, slot in enumerate(slots):
        others = slots[:i] + slots[i + 1 :]
        for chosen in slot:
            if chosen.value > limit and all(
                any(o.failing or o.value <= chosen.value + EPS for o in other) for other in others
            ):
                moves |= chosen.moves
    passed = [{o for o in slot if o.failing or o.value <= limit} for slot in slots]
    if all(passed):
        moves |= {f"discard:{card}" for card in allowed_discards(seen, passed, params)}
    return moves


def allowed_discards(seen: Seen, slots: list[set[Option]], params: Parameters) -> set[str]:
    """The lowest card; as printed, first a worthless path card that does not suit the own role."""
    if isinstance(params, Decision2019) and params.discard_suiting_card:
        worthless = {
            card
            for card, slot in zip(seen.hand, slots, strict=True)
            if card in PATHS and not suits(seen.role, card) and any(abs(o.value) <= EPS for o in slot)
        }
        if worthless:
            return worthless
    return {
        card
        for card, slot in zip(seen.hand, slots, strict=True)
        if any(all(any(o.value >= low.value - EPS for o in other) for other in slots) for low in slot)
    }


# --- Trust ------------------------------------------------------------------------------------------------------------


def allowed_trust_updates(trust: Mapping[int, float], event: Event, before: Seen, params: Parameters) -> list[Trust]:
    """Every trust that the observer may have after a move of another player, over all tie-breaks of friends and
    enemies. `before` is what he saw before the move: the move is judged before any goal turns over."""
    if event["move"].startswith("accuse>"):
        return accusation_trust(trust, event, before, params)
    target = target_of(event["move"])
    if target is None or event["seat"] == before.seat:
        return [trust_after(trust, event, before, "neither", params)]
    taken_for = {taken_for_what(target, f, e, params) for f, e in sides(before, trust, params)}
    return [trust_after(trust, event, before, what, params) for what in sorted(taken_for)]


def accusation_trust(trust: Mapping[int, float], event: Event, before: Seen, params: Parameters) -> list[Trust]:
    """After an accusation: a miner trusts less who accuses him, and whom another accuses, but for accusers whom he takes
    for enemies. A saboteur does not listen."""
    mover, target = event["seat"], int(event["move"].partition(">")[2])
    amount = params.accusation_counts if isinstance(params, Decision2019) else 0.0
    if mover == before.seat or before.role == "saboteur":
        return [dict(trust)]
    if target == before.seat:
        return [{**trust, mover: trust[mover] - amount}]
    believed = {mover not in enemies for _, enemies in sides(before, trust, params)}
    return [{**trust, target: trust[target] - amount} if heard else dict(trust) for heard in sorted(believed)]


def target_of(move: str) -> int | None:
    """The seat that a block or a repair names."""
    return int(move.partition(">")[2]) if ">" in move else None


def taken_for_what(target: int, friends: Iterable[int], enemies: Iterable[int], params: Parameters) -> str:
    """Whether a target is taken for a friend, an enemy or neither. He is first looked up among the friends, and if he
    is not there, among the enemies. The two are drawn separately, so with ties he may be missing in both; as printed,
    who is no friend is an enemy."""
    if target in friends:
        return "friend"
    return "enemy" if target in enemies or not params.neither_friend_nor_enemy else "neither"


def trust_after(trust: Mapping[int, float], event: Event, before: Seen, taken_for: str, params: Parameters) -> Trust:
    """The observer's trust after a move, if he takes the target of a block or a repair for a friend, an enemy or
    neither."""
    mover, move = event["seat"], event["move"]
    target = target_of(move)
    if mover == before.seat:
        return dict(trust)
    if target is not None:
        return pair_trust(trust, mover, target, before.seat, card_of(move), taken_for, params)
    if isinstance(params, Decision2019):
        return board_trust_2019(trust, event, before, params)
    return board_trust_2016(trust, event, before, params)


def add(trust: float, change: float) -> float:
    """Trust is a sum; plus infinity once met with minus infinity stays."""
    total = trust + change
    return INF if math.isnan(total) else total


def board_trust_2019(trust: Mapping[int, float], event: Event, before: Seen, params: Decision2019) -> Trust:
    """A path or a rockfall adds the change of the board, as the observer himself values it. Maps and discards change
    nothing."""
    mover, move = event["seat"], event["move"]
    if "@" not in move:
        return dict(trust)
    if card_of(move) == "rockfall":
        after = removed(before.board, cell_of(move))
    else:
        after = placed(before.board, card_of(move), cell_of(move), move.endswith("r"))
    change = board_change(before.board, after, before.role, before.known, params)
    return {**trust, mover: add(trust[mover], change)}


def board_trust_2016(trust: Mapping[int, float], event: Event, before: Seen, params: MeansEnds2016) -> Trust:
    """A path is compared with the best that the card could have had; a rockfall is judged by what it removed; a discard
    looks like a saboteur's. Maps change nothing."""
    mover, move = event["seat"], event["move"]
    sign = 1 if before.role == "miner" else -1
    if move.startswith("discard:"):
        return {**trust, mover: trust[mover] - sign * params.c4}
    if "@" not in move:
        return dict(trust)
    if event["removed"] is not None:
        through = event["removed"][0].startswith("P_")
        return {**trust, mover: 0.0 if through else max(trust.values())}
    card, cell = card_of(move), cell_of(move)
    turned = program_turned(card) if params.z2_of_turned_form else move.endswith("r")
    z1 = max(placement_value(before, card, *place, params) for place in placements(before.board, card))
    z2 = placement_value(before, card, cell, turned, params)
    change = z1 if abs(z1 - z2) <= EPS else z2 - z1 if z1 > z2 else 0.0
    return {**trust, mover: trust[mover] + sign * change}


def pair_trust(
    trust: Mapping[int, float], mover: int, target: int, seat: int, card: str, taken_for: str, params: Parameters
) -> Trust:
    """To block a friend or to repair an enemy costs the mover trust, the opposite gains it. The target of a block moves
    the other way, the target of a repair the same way (who repairs himself changes once).

    The program's fault: when the observer himself is the target and not yet in his own table, the mover's old trust is
    lost and the observer enters his own table, both counting from 0."""
    if taken_for == "neither":
        return dict(trust)
    block = card.startswith("break:")
    if isinstance(params, Decision2019):
        amount, target_changes = params.trust_block if block else params.trust_repair, params.trust_of_target_changes
    else:
        amount, target_changes = params.c2 if block else params.c3, True
    of_mover = amount if (taken_for == "friend") != block else -amount
    of_target = -of_mover if block else of_mover
    if target == seat and seat not in trust:
        if params.self_target_trust_fault:
            return {**trust, mover: of_mover, seat: of_target}
        return {**trust, mover: add(trust[mover], of_mover)}
    updated = {**trust, mover: add(trust[mover], of_mover)}
    if target_changes and target != mover:
        updated[target] = add(trust[target], of_target)
    return updated


# --- A player that draws ----------------------------------------------------------------------------------------------


class ReferencePlayer:
    """Plays one seat of a game. Let it `choose` when it is its turn, and `observe` every move with what its seat saw
    before that move."""

    def __init__(self, start: Seen, params: Parameters, rng: random.Random) -> None:
        self.seat = start.seat
        self.params = params
        self.rng = rng
        self.trust = first_trust(start, params)
        self.repair = first_repair(params)

    def choose(self, game: ReferenceGame) -> str:
        """The move of this turn."""
        now = seen(game, self.seat)
        friends, enemies = friend_sets(now, self.trust), enemy_sets(now, self.trust)
        drawn: list[tuple[float, str | None, str]] = []  # value, move or None if it fails, card
        for card in now.hand:
            found = card_option(now, card, self.rng.choice(friends), self.rng.choice(enemies), self.repair, self.params)
            tied: list[str | None] = [*sorted(found.moves), *[None] * found.failing]
            drawn.append((found.value, self.rng.choice(tied), card))
        left = list(drawn)
        while left:
            value, move, card = self.rng.choice(of_best(left))
            if value <= threshold(self.params):
                break
            if move is not None:
                return move
            left.remove((value, move, card))
        return "discard:" + self.discard(now, drawn)

    def discard(self, now: Seen, drawn: list[tuple[float, str | None, str]]) -> str:
        """The card to throw away."""
        slots = [{Option(value)} for value, _, _ in drawn]
        candidates = allowed_discards(now, slots, self.params)
        return self.rng.choice([card for card in now.hand if card in candidates])

    def observe(self, event: Event, before: Seen) -> None:
        """Learn from a move."""
        target, taken_for = target_of(event["move"]), "neither"
        if target is not None:
            friends = self.rng.choice(friend_sets(before, self.trust))
            enemies = self.rng.choice(enemy_sets(before, self.trust))
            taken_for = taken_for_what(target, friends, enemies, self.params)
        self.trust = trust_after(self.trust, event, before, taken_for, self.params)
        self.repair = next_repair(self.repair, event, self.seat, self.params)


def of_best(drawn: list[tuple[float, str | None, str]]) -> list[tuple[float, str | None, str]]:
    """The drawn cards that tie for the highest value."""
    top = max(value for value, _, _ in drawn)
    return [entry for entry in drawn if entry[0] >= top - EPS]


def play(game: ReferenceGame, params: list[Parameters], rng: random.Random) -> str:
    """Play a dealt game to its end, one set of parameters per seat; returns the winners."""
    players = [ReferencePlayer(seen(game, seat), params[seat], rng) for seat in range(len(game.roles))]
    while game.to_move is not None:
        before = [seen(game, seat) for seat in range(len(players))]
        events = game.apply(players[game.to_move].choose(game))
        for player, event in zip(players, events, strict=True):
            player.observe(event, before[player.seat])
    assert game.winner is not None
    return game.winner
