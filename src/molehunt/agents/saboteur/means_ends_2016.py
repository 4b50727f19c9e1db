"""`means-ends-2016`: the baseline of 2016 (means-ends analysis) that the decision system of 2019 was compared with.

Its paper could not be found; these are the rules of its authors' own program, with their constants k0 to k4 and c1 to c4.
The program has two faults that shaped the published tables; each is a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.minds import (
    PARAMETERS,
    PARAMS,
    RECORDS,
    SCRATCHES,
    TABLES,
    TrustAgent,
    claim,
    finish,
    follow_turn,
    minds_at,
    params_at,
    scratch_at,
)
from molehunt.agents.saboteur.slots import SAME, highest_playable, lowest_slot
from molehunt.agents.saboteur.trust import APART, NOT_PLAYABLE, break_target, enemies, friends, note_break, note_fix
from molehunt.core.kernels import kernel, lowest, popcount
from molehunt.core.language import later
from molehunt.core.specs import as_record, parameter
from molehunt.games.playing import acting, array_at, observing
from molehunt.games.saboteur.actions import (
    DISCARD,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    card_of,
    encode,
    form_of,
    play_of,
    target_of,
)
from molehunt.games.saboteur.cards import (
    CARD_NUMBERS,
    CARD_TOOLS,
    FIRST_BREAK,
    FIRST_DEAD_END_CODE,
    FIRST_FIX,
    GOLD,
    MAP,
    MINER,
    NO_CARD,
    ROCKFALL,
    UNKNOWN_GOAL,
)
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.maze import copy_maze, follow_card, order_cells
from molehunt.games.saboteur.possible import can_happen
from molehunt.games.saboteur.rules import fits_at
from molehunt.games.saboteur.ruleset import DOUBLE_MENDS_BOTH, GRID, Ruleset, cell_number
from molehunt.games.saboteur.state import EVENT, VIEW
from molehunt.games.tunnels.cards import CARD_EDGES, CARD_FORMS, CARD_THROUGH, EAST, NORTH, SOUTH
from molehunt.reading.choice import prefer
from molehunt.reading.saboteur.knowledge import LAST_ROW, corridor

PLACE_TABLE = np.dtype([("along", np.float64, (GRID * GRID,)), ("row", np.float64, (GRID * GRID,))])
"""Each cell as the values count it: how far along the way to the goals, and which row (`knowledge.corridor`)."""

UPRIGHT_IS_TURNED = np.zeros(FIRST_BREAK, np.int8)
"""1 for the path cards that the program holds the other way round than our card table: its unturned form is our turned."""
for _name in ("P_NSE", "P_EWN", "D_N", "D_E", "D_NSE", "D_EWN"):
    UPRIGHT_IS_TURNED[CARD_NUMBERS[_name]] = 1


@dataclass(frozen=True)
class MeansEnds2016:
    """The parameters; the defaults are the program as it was run."""

    k0: float = parameter(0.5, later("k0: what a path card is worth anywhere"))
    k1: float = parameter(3.0, later("k1: the value of a map on an unknown goal"))
    k2: float = parameter(0.4, later("k2: a card is played if its value exceeds k2 / 3"))
    k3: float = parameter(0.4, later("k3: the value of a block"))
    k4: float = parameter(0.4, later("k4: the value of a repair"))
    c1: float = parameter(2.5, later("c1: trust in everybody at the start"))
    c2: float = parameter(2.6, later("c2: change of trust after a block"))
    c3: float = parameter(0.5, later("c3: change of trust after a repair"))
    c4: float = parameter(0.5, later("c4: change of trust after a discard"))
    no_placement: float = parameter(0.25, later("value of a path card that fits nowhere"))
    plays_turned_fault: bool = parameter(
        True, later("a placement found for either form is played turned, or not at all")
    )
    program_forms: bool = parameter(True, later("what counts as unturned is the program's card table, not ours"))
    self_target_fault: bool = parameter(
        True, later("being blocked or mended oneself loses the old trust in the actor, once")
    )


EDITIONS = {"as_run": MeansEnds2016()}

# --- Path cards ---------------------------------------------------------------------------------------------------------


@kernel
def edge_weight(card: int, form: int, edge: int) -> int:
    """What an edge weighs: wall -2, dead-end 0, path +1."""
    if not CARD_EDGES[card, form] & edge:
        return -2
    return 1 if CARD_THROUGH[card] else 0


@kernel
def maybe_gold(goals: Any) -> int:
    """E: how many goals may still be the gold."""
    count = 0
    for goal in range(3):
        if goals[goal] == GOLD:
            return 1
        if goals[goal] == UNKNOWN_GOAL:
            count += 1
    return count


@kernel
def placement_value(card: int, form: int, cell: int, role: int, goals: Any, p: Any, tables: Any) -> float:
    """The value of a path card in one form on one cell."""
    x, y = tables.along[cell], tables.row[cell]
    top = edge_weight(card, form, NORTH)
    right = edge_weight(card, form, EAST)
    bottom = edge_weight(card, form, SOUTH)
    value = p.k0
    if y == 0:
        if right == 1 and bottom == 1:
            value += 0.3 * (right + bottom)
    elif y == LAST_ROW:
        if top == 1 and right == 1:
            value += 0.3 * (top + right)
    else:
        value += 0.3 * (top + right + bottom) + 0.1
    # A through card is worth more near the goals to a miner and near the start to a saboteur; a dead-end the other way.
    forward = CARD_THROUGH[card] == (role == MINER)
    return value + 0.1 * ((1 + x) if forward else (9 - x)) / maybe_gold(goals)


@kernel
def turned_form(card: int, p: Any) -> int:
    """The form that the program takes for turned."""
    if CARD_FORMS[card] == 1:
        return 0
    return 1 - UPRIGHT_IS_TURNED[card] if p.program_forms else 1


@kernel
def value_path(mind: Any, view: Any, card: int, p: Any, tables: Any, scratch: Any) -> tuple[float, int]:
    """The best placement of a path card: (value, action); the fault may make it unplayable after it was chosen."""
    maze = view.maze
    best = -np.inf
    best_end = 0
    best_form = 0
    ties = 0
    for form in range(CARD_FORMS[card]):
        for number in range(maze.end_count):
            end = scratch.ends[number]
            if not fits_at(maze, end, card, form):
                continue
            cell = maze.ends[end]
            value = placement_value(card, form, cell, mind.role, mind.goals, p, tables)
            # The fault forgets the form: a cell that both forms like equally is then one cell among the ties.
            if (
                p.plays_turned_fault
                and form == 1
                and fits_at(maze, end, card, 0)
                and value <= placement_value(card, 0, cell, mind.role, mind.goals, p, tables) + SAME
            ):
                continue
            ties, chosen = prefer(mind.stream, value, best, ties, SAME)
            if chosen:
                best_end = end
                best_form = form
                best = value if ties == 1 else best
    if ties == 0:
        return p.no_placement, NOT_PLAYABLE
    if view.broken[mind.seat]:
        return best, NOT_PLAYABLE
    if p.plays_turned_fault:
        best_form = turned_form(card, p)
        if not fits_at(maze, best_end, card, best_form):
            return best, NOT_PLAYABLE
    return best, encode(PLAY_PATH, card, best_form, maze.ends[best_end])


# --- Action cards -------------------------------------------------------------------------------------------------------


@kernel
def value_map(mind: Any, view: Any, p: Any) -> tuple[float, int]:
    """(1 + 0.5 s) k1 with s = 0 for an unknown goal, 1 for the gold, -1 for a stone: (value, action)."""
    best = -np.inf
    action = NOT_PLAYABLE
    ties = 0
    for goal in range(3):
        if view.revealed >> goal & 1:
            continue
        sign = 0.0
        if mind.goals[goal] != UNKNOWN_GOAL:
            sign = 1.0 if mind.goals[goal] == GOLD else -1.0
        value = (1 + 0.5 * sign) * p.k1
        ties, chosen = prefer(mind.stream, value, best, ties, 0.0)
        if chosen:
            best = value
            action = encode(PLAY_MAP, MAP, 0, goal)
    return best, action


@kernel
def value_break(mind: Any, view: Any, card: int, p: Any, params: Any) -> tuple[float, int]:
    """A block on the enemy with the most broken tools: (value, action)."""
    tools, action = break_target(mind, card, view.broken, enemies(mind, APART), False, params)
    return (p.k3 / 2 if tools < 0 or tools > 1 else p.k3), action


@kernel
def value_fix(mind: Any, view: Any, card: int, p: Any, params: Any) -> tuple[float, int]:
    """A repair for the friend of whom it mends the most tools: (value, action)."""
    allies = friends(mind, APART)
    best = 0
    target = -1
    ties = 0
    for player in range(mind.seats):
        mends = popcount(np.uint64(view.broken[player] & CARD_TOOLS[card]))
        if not allies >> player & 1 or mends == 0:
            continue
        if not params[DOUBLE_MENDS_BOTH]:
            mends = 1
        ties, chosen = prefer(mind.stream, float(mends), float(best), ties, 0.0)
        if chosen:
            best = mends
            target = player
    if target < 0:
        return p.k4 / 2, NOT_PLAYABLE
    form = 0
    if not params[DOUBLE_MENDS_BOTH]:
        form = 1 + lowest(np.uint64(view.broken[target] & CARD_TOOLS[card]))
    return (2 * p.k4 if best > 1 else p.k4 / 2), encode(PLAY_FIX, card, form, target)


@kernel
def value_by_place(
    mind: Any, view: Any, p: Any, tables: Any, scratch: Any, params: Any, values: Any, actions: Any
) -> None:
    """The value of every card in the hand, by where it can lie, and the action that has it; empty slots stay."""
    order_cells(view.maze.ends, 0, view.maze.end_count, scratch.ends)
    for slot in range(len(view.hand)):
        card = view.hand[slot]
        if card == NO_CARD:
            break
        if card < FIRST_BREAK:
            value, action = value_path(mind, view, card, p, tables, scratch)
        elif card == ROCKFALL:
            value, action = np.inf, NOT_PLAYABLE
        elif card == MAP:
            value, action = value_map(mind, view, p)
        elif card < FIRST_FIX:
            value, action = value_break(mind, view, card, p, params)
        else:
            value, action = value_fix(mind, view, card, p, params)
        values[slot] = value
        actions[slot] = action


# --- Trust --------------------------------------------------------------------------------------------------------------


@kernel
def note_path(mind: Any, maze: Any, event: Any, p: Any, tables: Any) -> None:
    """Compare the best value the card could have had (z1) with the one it got (z2), by the board before the move."""
    actor = event.seat
    card = card_of(event.action)
    form = form_of(event.action)
    cell = target_of(event.action)
    z1 = -np.inf
    for other in range(CARD_FORMS[card]):
        for end in range(maze.end_count):
            if fits_at(maze, end, card, other):
                z1 = max(z1, placement_value(card, other, maze.ends[end], mind.role, mind.goals, p, tables))
    if p.plays_turned_fault:
        form = turned_form(card, p)
    z2 = placement_value(card, form, cell, mind.role, mind.goals, p, tables)
    sign = 1.0 if mind.role == MINER else -1.0
    if abs(z1 - z2) <= SAME:
        mind.trust[actor] += sign * z1
    elif z1 > z2:
        mind.trust[actor] -= sign * (z1 - z2)


@kernel
def highest_trust(mind: Any) -> float:
    """The highest trust in anybody whom the chair rates."""
    best = -np.inf
    for player in range(mind.seats):
        if player != mind.seat or mind.rates_itself:
            best = max(best, mind.trust[player])
    return best


@kernel
def note(mind: Any, maze: Any, event: Any, p: Any, tables: Any) -> None:
    """What a move of another player, in the maze as it was, does to the trust in the players; then what it shows of the goals."""
    actor = event.seat
    play = play_of(event.action)
    if actor != mind.seat:
        target = target_of(event.action)
        fault = p.self_target_fault != 0.0
        if play == PLAY_PATH:
            note_path(mind, maze, event, p, tables)
        elif play == PLAY_ROCKFALL:
            through = event.removed < FIRST_DEAD_END_CODE
            mind.trust[actor] = 0.0 if through else highest_trust(mind)
        elif play == PLAY_BREAK:
            note_break(mind, actor, target, p.c2, fault, True, APART)
        elif play == PLAY_FIX:
            note_fix(mind, actor, target, p.c3, fault, True, APART)
        elif play == DISCARD:
            mind.trust[actor] -= p.c4 if mind.role == MINER else -p.c4
    finish(mind, event, p.c1, p.k4)


@kernel
def decide(mind: Any, view: Any, p: Any, tables: Any, scratch: Any, params: Any) -> int:
    """The action to play."""
    if view.claiming:
        return claim(mind.goals, mind.role, view.claiming)
    values, actions = scratch.values, scratch.actions
    value_by_place(mind, view, p, tables, scratch, params, values, actions)
    slot = highest_playable(mind.stream, view, values, actions, p.k2 / 3)
    if slot >= 0:
        return actions[slot]
    return encode(DISCARD, view.hand[lowest_slot(mind.stream, view, values)], 0, 0)


# --- As compiled loops call it --------------------------------------------------------------------------------------------

parameters_at = array_at(as_record(EDITIONS["as_run"]).dtype)
tables_at = array_at(PLACE_TABLE)


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """The action of a chair at its view."""
    return np.int64(
        decide(
            minds_at(memory[RECORDS], memory[RECORDS + 1])[chair],
            views[0],
            parameters_at(memory[PARAMETERS], 1)[0],
            tables_at(memory[TABLES], 1)[0],
            scratch_at(memory[SCRATCHES], 1)[0],
            params_at(memory[PARAMS], memory[PARAMS + 1]),
        )
    )


@observing(EVENT, can_happen)
def observe_one(events: Any, memory: Any, chair: int) -> None:
    """An event, taken into the mind of a chair."""
    mind = minds_at(memory[RECORDS], memory[RECORDS + 1])[chair]
    event = events[0]
    before = scratch_at(memory[SCRATCHES], 1)[0].prospects[0].maze[0]
    if not mind.behind:
        # Those who share the maze come next; it is followed once, and they look at it as it was.
        params = params_at(memory[PARAMS], memory[PARAMS + 1])
        copy_maze(mind.maze, before)
        follow_card(mind.maze, event, params)
        follow_turn(mind.maze, event, params)
    note(mind, before, event, parameters_at(memory[PARAMETERS], 1)[0], tables_at(memory[TABLES], 1)[0])


@kernel
def value_hand(
    view: Any, minds: Any, parameters: Any, tables: Any, scratch: Any, params: Any, values: Any, actions: Any
) -> None:
    """`value_by_place` for the first view and mind."""
    value_by_place(minds[0], view[0], parameters[0], tables[0], scratch[0], params, values, actions)


@cache
def place_table(ruleset: Ruleset) -> npt.NDArray[Any]:
    """The PLACE_TABLE of a ruleset: shape (1,). It is made once, and only read."""
    table = np.zeros(1, PLACE_TABLE)
    left, top, right, bottom = ruleset.bounds
    for x in range(left, right + 1):
        for y in range(top, bottom + 1):
            along, row = corridor(ruleset, x, y)
            table["along"][0, cell_number(x, y)] = along
            table["row"][0, cell_number(x, y)] = row
    return table


class MeansEnds2016Agent(TrustAgent):
    """The baseline of 2016 as a player."""

    act_one = act_one
    observe_one = observe_one
    value_hand = value_hand

    def tables(self, game: Saboteur) -> npt.NDArray[Any]:
        return place_table(game.ruleset)

    def first_trust(self) -> float:
        return float(self.parameters.c1)

    def first_repair(self) -> float:
        return float(self.parameters.k4)
