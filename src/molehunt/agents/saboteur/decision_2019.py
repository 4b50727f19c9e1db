"""`decision-2019`: the decision system of Krisnadi et al. 2019, with heuristics, means-ends analysis and trust.

Two editions of one implementation: `as_run` is what the authors' program of May 2019 did, and it is the edition whose
tables were printed; `as_printed` is what the paper says, its gaps filled. Every constant of section 4 and every reading
in which the two differ is a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.appraisals import (
    appraise_path,
    appraise_rockfall,
    draw_way,
    path_action,
    rockfall_action,
)
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
from molehunt.agents.saboteur.prospects import board_change, survey_board, turn_to, weigh
from molehunt.agents.saboteur.slots import SAME, highest_playable, lowest_slot
from molehunt.agents.saboteur.trust import (
    APART,
    COMPLEMENT,
    FEW_ENEMIES,
    NOT_PLAYABLE,
    break_target,
    enemies,
    friends,
    note_accusation,
    note_break,
    note_fix,
)
from molehunt.core.kernels import bit, kernel, lowest, popcount
from molehunt.core.language import later
from molehunt.core.specs import as_record, parameter
from molehunt.core.streams import below
from molehunt.games.playing import acting, array_at, observing
from molehunt.games.saboteur.actions import (
    ACCUSE,
    DISCARD,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    encode,
    is_said,
    play_of,
    target_of,
)
from molehunt.games.saboteur.cards import (
    CARD_TOOLS,
    FIRST_BREAK,
    FIRST_DEAD_END,
    FIRST_FIX,
    GOLD,
    MAP,
    MINER,
    NO_CARD,
    ROCKFALL,
    SABOTEUR,
    UNKNOWN_GOAL,
)
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.maze import follow_card, opened_cells
from molehunt.games.saboteur.possible import can_happen
from molehunt.games.saboteur.ruleset import BLOCKED_MAY_ROCKFALL, DOUBLE_MENDS_BOTH
from molehunt.games.saboteur.state import EVENT, VIEW
from molehunt.reading.choice import prefer
from molehunt.reading.saboteur.knowledge import SCORES, VALUE_TABLE, score, value_table


@dataclass(frozen=True)
class Decision2019:
    """The parameters; the defaults are the edition `as_run`."""

    d_delta: float = parameter(-0.5, later("d_delta: a card is played if its value exceeds this"))
    d_mu: float = parameter(4.5, later("d_mu: the value of a map on a goal not yet known"))
    map_useless: float = parameter(-4.5, later("the value of a map when there is nothing left to learn"))
    d_pi: float = parameter(50.0, later("d_pi: factor of a path card's change of the board"))
    d_rho: float = parameter(50.0, later("d_rho: factor of a rockfall's change of the board"))
    d_phi: float = parameter(0.4, later("d_phi: value of a block, and of a repair at the start"))
    repair_growth: float = parameter(
        0.01, later("how much the value of a repair grows with every move of another player")
    )
    d_0: float = parameter(2.5, later("d_0: trust in everybody at the start"))
    d_b: float = parameter(2.6, later("d_b: change of trust after a block"))
    d_r: float = parameter(0.5, later("change of trust after a repair (printed: 2 d_b)"))
    no_placement: float = parameter(
        0.25, later("value of a path card that fits nowhere, of a rockfall with nothing to remove")
    )
    halve_top_stone: bool = parameter(
        True, later("v(x) is halved while the top is known to be a stone and the gold is unknown")
    )
    goals_count: bool = parameter(True, later("goals that a tunnel reaches count among the reachable cells"))
    mean_breaks_ties: bool = parameter(
        True, later("where the largest cell value stays, the change of the mean value decides")
    )
    own_kind_only: bool = parameter(
        True, later("miners lay no dead-ends, saboteurs no through cards: value minus infinity")
    )
    blocked_values_paths: bool = parameter(
        True, later("a path card keeps its value while its holder is blocked, else 0")
    )
    miner_rockfall: bool = parameter(
        False, later("a miner may play a rockfall; else it never does, and throws it away last")
    )
    rockfall_absolute: bool = parameter(
        True, later("a rockfall is valued by the size of the change, whatever its sign")
    )
    rockfall_joined: bool = parameter(False, later("only cards joined to the start are considered for a rockfall"))
    rockfall_occupied: bool = parameter(
        False,
        later(
            "a rockfall is valued by the best occupied cell that tunnels reach, equation (11); else by the best empty one"
        ),
    )
    block_fewest: bool = parameter(
        False, later("block who has the fewest broken tools, value d_phi/(1+tools); else the most")
    )
    repair_printed: bool = parameter(
        False, later("repair value 1.5 d_phi tools - 1, doubled for oneself; else by tools mended")
    )
    repair_counts_empty: bool = parameter(
        False, later("repair_printed: a set of broken tools counts one more than its tools, as it must in a block")
    )
    trust_both: bool = parameter(True, later("a block or a repair also changes the trust in its target"))
    self_target_fault: bool = parameter(
        True, later("being blocked or mended oneself loses the old trust in the actor, once")
    )
    complement: bool = parameter(
        False, later("who is no enemy is a friend; else both are drawn, and one may be neither")
    )
    few_enemies: bool = parameter(
        False, later("with complement, a saboteur has one enemy fewer than there are saboteurs; else all but friends")
    )
    discard_suiting: bool = parameter(
        False, later("throw away a worthless card that suits the other side; else the lowest")
    )
    hears: float = parameter(
        0.0,
        later(
            "miner: what the trust in an accused loses, unless an enemy accuses; where it is accused itself, the accuser's"
        ),
    )
    heeds: float = parameter(
        0.0, later("without repair_printed: how many tools more a repair counts for a friend who has asked for it")
    )


AS_RUN = Decision2019()
AS_PRINTED = Decision2019(
    d_mu=3.0,
    map_useless=0.0,
    repair_growth=0.0,
    d_r=5.2,
    no_placement=0.0,
    halve_top_stone=False,
    goals_count=False,
    mean_breaks_ties=False,
    own_kind_only=False,
    blocked_values_paths=False,
    miner_rockfall=True,
    rockfall_absolute=False,
    rockfall_joined=True,
    block_fewest=True,
    repair_printed=True,
    trust_both=False,
    self_target_fault=False,
    complement=True,
    discard_suiting=True,
)
EDITIONS = {"as_run": AS_RUN, "as_printed": AS_PRINTED}


@kernel
def sides_of(p: Any) -> int:
    """How friends are told from enemies (`trust`)."""
    if not p.complement:
        return APART
    return FEW_ENEMIES if p.few_enemies else COMPLEMENT


# --- The value of a card ------------------------------------------------------------------------------------------------


@kernel
def outlook_of(mind: Any, maze: Any, p: Any, values: Any, prospects: Any) -> Any:
    """What the board is worth to a chair, as far as it was found out; after `turn_to`."""
    knowledge = score(mind.goals)
    outlook = prospects.outlooks[mind.role, knowledge]
    this = 1 << (mind.role * SCORES + knowledge)
    if not prospects.surveyed & this:
        prospects.surveyed |= this
        survey_board(maze, mind.role, values, p.goals_count != 0.0, outlook)
    return outlook


@kernel
def value_path(
    mind: Any, view: Any, card: int, p: Any, values: Any, prospects: Any, outlook: Any, params: Any
) -> tuple[float, int]:
    """Algorithm 3 for a path card: (value, action)."""
    blocked = view.broken[mind.seat] != 0
    if blocked and not p.blocked_values_paths:
        return 0.0, NOT_PLAYABLE
    if not outlook.appraised >> np.uint64(card) & np.uint64(1):
        appraise_path(view.maze, card, mind.role, p, values, params, prospects, outlook)
    action = path_action(view.maze, card, draw_way(mind.stream, outlook, card))
    return outlook.values[card], NOT_PLAYABLE if blocked else action


@kernel
def value_rockfall(
    mind: Any, view: Any, p: Any, values: Any, prospects: Any, outlook: Any, params: Any
) -> tuple[float, int]:
    """Algorithm 3 for a rockfall: (value, action)."""
    if mind.role == MINER and not p.miner_rockfall:
        return np.inf, NOT_PLAYABLE
    barred = view.broken[mind.seat] != 0 and not params[BLOCKED_MAY_ROCKFALL]
    if barred and not p.blocked_values_paths:
        return p.no_placement, NOT_PLAYABLE
    if not outlook.appraised >> np.uint64(ROCKFALL) & np.uint64(1):
        appraise_rockfall(view.maze, mind.role, p, values, prospects, outlook)
    action = rockfall_action(view.maze, draw_way(mind.stream, outlook, ROCKFALL))
    return outlook.values[ROCKFALL], NOT_PLAYABLE if barred else action


@kernel
def value_map(mind: Any, p: Any) -> tuple[float, int]:
    """Algorithm 2: a map on the first goal, from the top, that is not known: (value, action)."""
    known_gold = mind.goals[0] == GOLD or mind.goals[1] == GOLD or mind.goals[2] == GOLD
    if not known_gold:
        for goal in range(3):
            if mind.goals[goal] == UNKNOWN_GOAL:
                return p.d_mu, encode(PLAY_MAP, MAP, 0, goal)
    return p.map_useless, NOT_PLAYABLE


@kernel
def value_break(mind: Any, view: Any, card: int, foes: int, p: Any, params: Any) -> tuple[float, int]:
    """Algorithm 4: a block on one of the enemies, a mask of seats: (value, action)."""
    tools, action = break_target(mind, card, view.broken, foes, p.block_fewest != 0.0, params)
    if p.block_fewest:
        return (0.0 if tools < 0 else p.d_phi / (1 + tools)), action
    return (p.d_phi / 2 if tools < 0 or tools > 1 else p.d_phi), action


@kernel
def value_fix(mind: Any, view: Any, card: int, allies: int, p: Any, params: Any) -> tuple[float, int]:
    """Algorithm 5: a repair for one of the friends, a mask of seats: (value, action)."""
    best = -np.inf
    target = -1
    ties = 0
    for player in range(mind.seats):
        mends = view.broken[player] & CARD_TOOLS[card]
        if not allies >> player & 1 or not mends:
            continue
        if p.repair_printed:
            size = popcount(np.uint64(view.broken[player])) + (1 if p.repair_counts_empty else 0)
            worth = 1.5 * p.d_phi * size - 1.0
        else:
            worth = 1.0 * popcount(np.uint64(mends)) if params[DOUBLE_MENDS_BOTH] else 1.0
        if player == mind.seat:
            worth *= 2
        elif view.asked[player] & mends and not p.repair_printed:
            worth += p.heeds
        ties, chosen = prefer(mind.stream, worth, best, ties, 0.0)
        if chosen:
            best = worth
            target = player
    if target < 0:
        return (0.0 if p.repair_printed else 0.5 * mind.repair), NOT_PLAYABLE
    form = 0
    if not params[DOUBLE_MENDS_BOTH]:
        form = 1 + lowest(np.uint64(view.broken[target] & CARD_TOOLS[card]))
    action = encode(PLAY_FIX, card, form, target)
    if p.repair_printed:
        return best, action
    return (2.0 if best > 1 else 0.5) * mind.repair, action


@kernel
def value_by_board(
    mind: Any, view: Any, p: Any, tables: Any, scratch: Any, params: Any, values: Any, actions: Any
) -> None:
    """The value of every card in the hand, by what it changes on the board, and the action that has it; empty slots stay."""
    prospects = scratch.prospects[0]
    turn_to(view.maze, prospects)
    cell_values = tables.values[mind.role, score(mind.goals)]
    outlook = outlook_of(mind, view.maze, p, cell_values, prospects)
    met = np.uint64(0)
    sides = sides_of(p)
    foes = allies = 0
    foes_stay = allies_stay = False
    for slot in range(len(view.hand)):
        card = view.hand[slot]
        if card == NO_CARD:
            break
        # Path cards and rockfalls of a kind have one value; friends and enemies are drawn anew for each card, which is to say
        # that they stay the same where nothing had to be drawn.
        if met & bit(card) and (card < FIRST_BREAK or card == ROCKFALL):
            twin = 0
            while view.hand[twin] != card:
                twin += 1
            value, action = values[twin], actions[twin]
        elif card < FIRST_BREAK:
            value, action = value_path(mind, view, card, p, cell_values, prospects, outlook, params)
        elif card == ROCKFALL:
            value, action = value_rockfall(mind, view, p, cell_values, prospects, outlook, params)
        elif card == MAP:
            value, action = value_map(mind, p)
        elif card < FIRST_FIX:
            if not foes_stay:
                before = mind.stream[0]
                foes = enemies(mind, sides)
                foes_stay = mind.stream[0] == before
            value, action = value_break(mind, view, card, foes, p, params)
        else:
            if not allies_stay:
                before = mind.stream[0]
                allies = friends(mind, sides)
                allies_stay = mind.stream[0] == before
            value, action = value_fix(mind, view, card, allies, p, params)
        met |= bit(card)
        values[slot] = value
        actions[slot] = action


# --- The choice ---------------------------------------------------------------------------------------------------------


@kernel
def suiting_slot(mind: Any, view: Any, values: Any) -> int:
    """A random card of value 0 that suits the other side (a through card for a saboteur, a dead-end for a miner); or -1."""
    found = -1
    ties = 0
    for slot in range(len(view.hand)):
        card = view.hand[slot]
        if card == NO_CARD:
            break
        if card < FIRST_BREAK and (card < FIRST_DEAD_END) == (mind.role == SABOTEUR) and abs(values[slot]) <= SAME:
            ties += 1
            if below(mind.stream, ties) == 0:
                found = slot
    return found


@kernel
def decide(mind: Any, view: Any, p: Any, tables: Any, scratch: Any, params: Any, values: Any, actions: Any) -> int:
    """The action to play."""
    if view.claiming:
        return claim(mind.goals, mind.role, view.claiming)
    value_by_board(mind, view, p, tables, scratch, params, values, actions)
    slot = highest_playable(mind.stream, view, values, actions, p.d_delta)
    if slot >= 0:
        return actions[slot]
    slot = suiting_slot(mind, view, values) if p.discard_suiting else -1
    if slot < 0:
        slot = lowest_slot(mind.stream, view, values)
    return encode(DISCARD, view.hand[slot], 0, 0)


# --- Trust --------------------------------------------------------------------------------------------------------------


@kernel
def follow_board(maze: Any, event: Any, p: Any, scratch: Any, params: Any) -> None:
    """Do to a maze what an event did, and note the cells that count before and after its card."""
    play = play_of(event.action)
    if play == PLAY_PATH or play == PLAY_ROCKFALL:
        goals_count = p.goals_count != 0.0
        scratch.count_before = opened_cells(maze, goals_count, scratch.before)
        follow_card(maze, event, params)
        scratch.count_after = opened_cells(maze, goals_count, scratch.after)
        scratch.valued = 0
    follow_turn(maze, event, params)


@kernel
def change_seen(role: int, knowledge: int, p: Any, tables: Any, scratch: Any) -> float:
    """What the card of an event changed, to a player of a role who knows so much; after `follow_board`."""
    asked = 1 << (role * SCORES + knowledge)
    if not scratch.valued & asked:
        values = tables.values[role, knowledge]
        best_before, mean_before = weigh(scratch.before, scratch.count_before, values, role)
        best, mean = weigh(scratch.after, scratch.count_after, values, role)
        change = board_change(best_before, mean_before, best, mean, p.mean_breaks_ties != 0.0)
        scratch.changes[role, knowledge] = change
        scratch.valued |= asked
    return scratch.changes[role, knowledge]


@kernel
def note(mind: Any, event: Any, p: Any, tables: Any, scratch: Any) -> None:
    """Algorithms 6 to 8: what a move of another player does to the trust in the players; then what it shows of the goals."""
    actor = event.seat
    if actor != mind.seat:
        play = play_of(event.action)
        target = target_of(event.action)
        fault = p.self_target_fault != 0.0
        both = p.trust_both != 0.0
        sides = sides_of(p)
        if play == PLAY_PATH or play == PLAY_ROCKFALL:
            trust = mind.trust[actor] + change_seen(mind.role, score(mind.goals), p, tables, scratch)
            mind.trust[actor] = np.inf if np.isnan(trust) else trust
        elif play == PLAY_BREAK:
            note_break(mind, actor, target, p.d_b, fault, both, sides)
        elif play == PLAY_FIX:
            note_fix(mind, actor, target, p.d_r, fault, both, sides)
        elif play == ACCUSE and p.hears:
            note_accusation(mind, actor, target, p.hears, sides)
        if not is_said(play):
            mind.repair += p.repair_growth
    finish(mind, event, p.d_0, p.d_phi)


# --- As compiled loops call it --------------------------------------------------------------------------------------------

parameters_at = array_at(as_record(AS_RUN).dtype)
tables_at = array_at(VALUE_TABLE)


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """The action of a chair at its view."""
    scratch = scratch_at(memory[SCRATCHES], 1)[0]
    return np.int64(
        decide(
            minds_at(memory[RECORDS], memory[RECORDS + 1])[chair],
            views[0],
            parameters_at(memory[PARAMETERS], 1)[0],
            tables_at(memory[TABLES], 1)[0],
            scratch,
            params_at(memory[PARAMS], memory[PARAMS + 1]),
            scratch.values,
            scratch.actions,
        )
    )


@kernel
def take_in(event: Any, memory: Any, chair: int) -> None:
    """Take an event into the mind of a chair."""
    mind = minds_at(memory[RECORDS], memory[RECORDS + 1])[chair]
    p = parameters_at(memory[PARAMETERS], 1)[0]
    scratch = scratch_at(memory[SCRATCHES], 1)[0]
    if not mind.behind:
        # Those who share the maze come next; it is followed once.
        follow_board(mind.maze, event, p, scratch, params_at(memory[PARAMS], memory[PARAMS + 1]))
    note(mind, event, p, tables_at(memory[TABLES], 1)[0], scratch)


@observing(EVENT, can_happen)
def observe_one(events: Any, memory: Any, chair: int) -> None:
    """An event, taken into the mind of a chair."""
    take_in(events[0], memory, chair)


@kernel
def value_hand(
    view: Any, minds: Any, parameters: Any, tables: Any, scratch: Any, params: Any, values: Any, actions: Any
) -> None:
    """`value_by_board` for the first view and mind."""
    value_by_board(minds[0], view[0], parameters[0], tables[0], scratch[0], params, values, actions)


class Decision2019Agent(TrustAgent):
    """The decision system of 2019 as a player."""

    act_one = act_one
    observe_one = observe_one
    value_hand = value_hand

    def tables(self, game: Saboteur) -> npt.NDArray[Any]:
        return value_table(game.ruleset, self.parameters.halve_top_stone)

    def first_trust(self) -> float:
        return float(self.parameters.d_0)

    def first_repair(self) -> float:
        return float(self.parameters.d_phi)

    def repair_growth(self) -> float:
        return float(self.parameters.repair_growth)
