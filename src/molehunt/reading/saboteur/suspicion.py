"""Suspicion: how likely it is who the saboteurs are, and where the gold is, by all that everybody has seen.

A `case` holds the evidence of a round: for every seat, style of play, role and place of the gold, the logarithm of how likely the
seat's moves were. All of it is public, so everybody can work it out; what a seat believes follows when it adds what it knows
alone: its own role, and what its maps showed (`posterior`). The styles of the seats are inferred along, by Bayes' rule, and stay
when roles are dealt anew. The posterior over sets of saboteurs and goals is exact, given the habits, but for two things: what moves
say of the gold counts less than if they were independent (`DEPENDENT`), and a round whose gold was never seen leaves with each seat
what it says of its style alone, whatever it says of two seats together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.core.kernels import kernel, popcount
from molehunt.games.saboteur.actions import (
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    card_of,
    is_before_card,
    play_of,
    target_of,
)
from molehunt.games.saboteur.cards import CARD_TOOLS, DECK_COUNTS, FIRST_GOAL_CODE, GOLD, MAP, UNKNOWN_GOAL
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.maze import copy_maze, follow_card, follow_goals, lay_out
from molehunt.games.saboteur.ruleset import MAX_SEATS
from molehunt.games.saboteur.state import DECK, GOING_ON, MAZE
from molehunt.reading.saboteur.deeds import CIRCUMSTANCES, NO_DEED, circumstances, deed_of, trust_level
from molehunt.reading.saboteur.habits import STYLE_NAMES
from molehunt.reading.saboteur.role_beliefs import role_states
from molehunt.reading.saboteur.ways import NO_WAY, WAYS, best_ways

LEAST = 1e-25
"""Evidence against a seat counts up to this: with ten seats products stay above the smallest float."""
ALIKE = 0.5
"""The chance that all at a table are of one style, before anybody has moved."""
DEPENDENT = 0.5
"""What moves say of the place of the gold counts with this exponent: one digs where one dug before, so the moves of a seat are less
than so many witnesses. Of 0.25, 0.5, 0.75 and 1 the best on games of `mole`, `decision-2019`, `kripke-2012` and strangers."""
INDEPENDENT = 1.0
"""The exponent of moves that are taken for independent, as in what networks were told while they learned."""

STYLES_HELD = len(STYLE_NAMES)
MOST_TEAMS = 462
"""Sets of seats that may be the saboteurs, at most: five or four of ten."""

MOST_TURNS = DECK + int(DECK_COUNTS[MAP])
"""Every card is played or thrown away once, and after a map something is claimed."""

TURN = np.dtype(
    [
        ("action", np.int32),
        ("at", np.int16),  # how many moves had been made before it
        ("seat", np.int8),
        ("deeds", np.int8, (2, 3)),  # by role and place of the gold; NO_DEED where the gold could not lie any more
        ("circumstances", np.int8, (3,)),
    ]
)
"""A move and what it amounted to, so that it can be said what would be believed without it (`telling`)."""

CASE = np.dtype(
    [
        ("maze", MAZE),  # as it was after the last event
        ("lengths", np.float64, (3,)),  # of the best way to each goal that lies face down
        ("before", np.float64, (3,)),  # the same before the last card that changed it
        # The logarithm of how likely the moves of a seat were, if it has a style and a role and the gold lies on a goal.
        ("evidence", np.float64, (MAX_SEATS, STYLES_HELD, 2, 3)),
        ("styles", np.float64, (MAX_SEATS, STYLES_HELD)),  # the same of earlier rounds, whose roles are known
        ("level_of_last", np.int64, (2,)),  # how much the last actor suspected its target, by its role
        ("last_deed", np.int64, (2, 3)),  # the last deed, by role and place of the gold; NO_DEED where there was none
        ("last_circumstances", np.int64, (3,)),
        ("turns", TURN, (MOST_TURNS,)),  # the moves of the round that are evidence
        ("turn_count", np.int64),
        ("broken", np.uint8, (MAX_SEATS,)),
        ("looked", np.uint8, (MAX_SEATS,)),  # sets of goals
        ("revealed", np.int64),
        ("gold_may_be", np.int64),  # a set of goals
        ("seats", np.int64),
    ]
)
"""What is known of a round in public, and what it says of the roles."""

SCRATCH = np.dtype(
    [
        ("ways", WAYS, (1,)),
        ("unknown", np.float64, (3,)),
        ("by_style", np.float64, (MAX_SEATS, STYLES_HELD, 2, 3)),
        ("of_any_style", np.float64, (MAX_SEATS, 2, 3)),
        ("kept", np.float64, (MAX_SEATS, STYLES_HELD)),
    ]
)


class Deal(NamedTuple):
    """The sets of seats that may be the saboteurs, as masks, and how often the deal makes them so: shapes (sets,)."""

    teams: npt.NDArray[np.int64]
    odds: npt.NDArray[np.float64]


def deal_of(game: Saboteur) -> Deal:
    """Who may be the saboteurs before anything is known; a hidden role card is reckoned with."""
    table = role_states(game)
    teams = (table.T.astype(np.int64) << np.arange(game.seats)).sum(axis=1)
    sizes = table.sum(axis=0)
    most = game.ruleset.saboteurs_for(game.seats)
    # With one role card more than seats, it is a saboteur's with this chance.
    one_out = most / (game.seats + 1) if game.ruleset.hidden_role else 0.0
    share = np.where(sizes == most, 1.0 - one_out, one_out)
    odds = share / np.array([(sizes == size).sum() for size in sizes])
    return Deal(teams, odds)


def new_cases(count: int, seats: int) -> npt.NDArray[Any]:
    """Cases of tables with so many seats, not yet opened; all styles are equally likely."""
    cases = np.zeros(count, CASE)
    cases["seats"] = seats
    cases["gold_may_be"] = 7
    return cases


# --- The evidence -------------------------------------------------------------------------------------------------------


@kernel
def find_lengths(case: Any, scratch: Any, params: Any) -> None:
    """Work out the best ways to the goals that may be the gold."""
    for goal in range(3):
        scratch.unknown[goal] = 1.0 if case.gold_may_be >> goal & 1 and not case.revealed >> goal & 1 else 0.0
    best_ways(case.maze, scratch.unknown, scratch.ways[0], params, case.lengths)


@kernel
def open_case(case: Any, scratch: Any, params: Any) -> None:
    """A round begins: no evidence, an empty mine. The styles of the seats stay."""
    lay_out(case.maze, params)
    case.evidence[:] = 0.0
    case.last_deed[:] = NO_DEED
    case.turn_count = 0
    case.broken[:] = 0
    case.looked[:] = 0
    case.revealed = 0
    case.gold_may_be = 7
    find_lengths(case, scratch, params)
    case.before[:] = case.lengths


@kernel
def sit_down(case: Any, view: Any, scratch: Any, params: Any) -> None:
    """Take in what a view shows of a round that may have begun: there is no evidence of what was done before."""
    copy_maze(view.maze, case.maze)
    case.broken[:] = view.broken
    case.looked[:] = view.looked
    case.revealed = view.revealed
    for goal in range(3):
        # A goal that lies open is seen by all; what the seat saw on maps stays out of the case.
        if case.revealed >> goal & 1 and view.goals[goal] != GOLD:
            case.gold_may_be &= ~(1 << goal)
    find_lengths(case, scratch, params)
    case.before[:] = case.lengths


@kernel
def way_to(lengths: Any, known: int, gold: int, may_be: int) -> float:
    """How long the way is for a seat that has seen a set of goals, if the gold lies on `gold`: expected over those it may be on."""
    if known >> gold & 1:
        return min(lengths[gold], NO_WAY)
    total = 0.0
    count = 0
    for goal in range(3):
        if may_be >> goal & 1 and not known >> goal & 1:
            total += lengths[goal]
            count += 1
    return total / max(count, 1)


@kernel
def knows_gold(known: int, gold: int, may_be: int) -> bool:
    """Whether a seat that has seen a set of goals knows that the gold lies on `gold`: it has seen it, or all others."""
    return known >> gold & 1 != 0 or may_be & ~known == 1 << gold


@kernel
def keep_turn(case: Any, event: Any) -> None:
    """Keep what the last move amounted to."""
    if case.turn_count == MOST_TURNS:
        return
    turn = case.turns[case.turn_count]
    turn.action, turn.at, turn.seat = event.action, event.turn, event.seat
    for gold in range(3):
        turn.circumstances[gold] = case.last_circumstances[gold]
        for role in range(2):
            turn.deeds[role, gold] = case.last_deed[role, gold]
    case.turn_count += 1


@kernel
def note(case: Any, event: Any, habits: Any, teams: Any, odds: Any, scratch: Any, params: Any) -> None:
    """Take an event into the case. Accusations and requests are no evidence: a saboteur says what a miner would say.

    `habits` are logarithms of chances, a row for every style, role and circumstances and a column for every deed; `teams` and
    `odds` are a `Deal`.
    """
    actor = event.seat
    play = play_of(event.action)
    target = target_of(event.action)
    if is_before_card(play):
        case.last_deed[:] = NO_DEED
        return
    if play == PLAY_PATH or play == PLAY_ROCKFALL:
        case.before[:] = case.lengths
        follow_card(case.maze, event, params)
        find_lengths(case, scratch, params)
    aimed = (play == PLAY_BREAK or play == PLAY_FIX) and target != actor
    for role in range(2):
        case.level_of_last[role] = suspect(case, actor, role, target, teams, odds, scratch) if aimed else 0

    seen = case.looked[actor] | case.revealed
    others_blocked = False
    for other in range(case.seats):
        others_blocked = others_blocked or (other != actor and case.broken[other] != 0)
    case.last_deed[:] = NO_DEED
    for gold in range(3):
        if not case.gold_may_be >> gold & 1:
            continue
        # What the seat saw before; a claim is made knowing what the map has just shown.
        before = way_to(case.before, seen, gold, case.gold_may_be)
        change = 0.0
        if play == PLAY_PATH or play == PLAY_ROCKFALL:
            change = before - way_to(case.lengths, seen, gold, case.gold_may_be)
        else:
            before = way_to(case.lengths, seen, gold, case.gold_may_be)
        knows = knows_gold(seen, gold, case.gold_may_be)
        now = circumstances(case.broken[actor] != 0, others_blocked, knows, before)
        case.last_circumstances[gold] = now
        knew = play == PLAY_MAP and (knows or seen >> target & 1 != 0)
        for role in range(2):
            deed = deed_of(event, change, knew, case.level_of_last[role], target == gold)
            case.last_deed[role, gold] = deed
            for style in range(STYLES_HELD):
                row = (2 * style + role) * CIRCUMSTANCES + now
                case.evidence[actor, style, role, gold] += habits[row, deed]
    keep_turn(case, event)

    if play == PLAY_BREAK:
        case.broken[target] = event.broken_before | CARD_TOOLS[card_of(event.action)]
    elif play == PLAY_FIX:
        case.broken[target] = event.broken_before & ~event.mended
    elif play == PLAY_MAP:
        case.looked[actor] |= 1 << target
    if event.revealed:
        follow_goals(case.maze, event, params)
        case.revealed |= event.revealed
        for goal in range(3):
            if event.revealed >> goal & 1:
                content = (event.goals[goal] - FIRST_GOAL_CODE) // 2 + 1
                case.gold_may_be = 1 << goal if content == GOLD else case.gold_may_be & ~(1 << goal)
        find_lengths(case, scratch, params)


@kernel
def close(case: Any, event: Any, scratch: Any, params: Any) -> None:
    """A round has ended and its roles are open: what they say of the seats' styles is kept, and the next round begins.

    Where the gold was never seen, its places weigh as the moves of the other seats say.
    """
    team = 0
    for seat in range(case.seats):
        team |= int(event.roles[seat]) << seat
    weigh_seats(case, DEPENDENT, scratch)
    for seat in range(case.seats):
        role = event.roles[seat]
        most = 0.0
        for style in range(STYLES_HELD):
            likely = 0.0
            for gold in range(3):
                if case.gold_may_be >> gold & 1:
                    likely += weigh_team(case, team, gold, seat, scratch) * scratch.by_style[seat, style, role, gold]
            scratch.kept[seat, style] = likely
            most = max(most, likely)
        for style in range(STYLES_HELD):
            case.styles[seat, style] = np.log(max(scratch.kept[seat, style] / most, LEAST))
    open_case(case, scratch, params)


@kernel
def close_last(cases: Any, events: Any, scratch: Any, params: Any) -> None:
    """`close` for the first case, by the roles of the first event: after the last round, which no other follows."""
    close(cases[0], events[0], scratch[0], params)


@kernel
def observe(case: Any, event: Any, habits: Any, teams: Any, odds: Any, scratch: Any, params: Any) -> None:
    """An event, and what follows where it ends a round."""
    note(case, event, habits, teams, odds, scratch, params)
    if event.ended != GOING_ON and event.role >= 0:
        close(case, event, scratch, params)


# --- What follows -------------------------------------------------------------------------------------------------------


@kernel
def weigh_seats(case: Any, counts: float, scratch: Any) -> None:
    """How likely the moves of every seat were by role and place of the gold: for each style, and on average.

    What tells places of the gold apart counts with the exponent `counts`. Each seat's are measured by the likeliest of them, none
    is below LEAST, and those of places where the gold is not are 0.
    """
    places = popcount(np.uint64(case.gold_may_be))
    for seat in range(case.seats):
        most = -np.inf
        for style in range(STYLES_HELD):
            for role in range(2):
                mean = 0.0
                for gold in range(3):
                    if case.gold_may_be >> gold & 1:
                        mean += case.evidence[seat, style, role, gold] / places
                for gold in range(3):
                    if case.gold_may_be >> gold & 1:
                        apart = counts * (case.evidence[seat, style, role, gold] - mean)
                        scratch.by_style[seat, style, role, gold] = case.styles[seat, style] + mean + apart
                        most = max(most, scratch.by_style[seat, style, role, gold])
        for role in range(2):
            for gold in range(3):
                total = 0.0
                for style in range(STYLES_HELD):
                    weight = 0.0
                    if case.gold_may_be >> gold & 1:
                        weight = max(np.exp(scratch.by_style[seat, style, role, gold] - most), LEAST)
                    scratch.by_style[seat, style, role, gold] = weight
                    total += weight
                scratch.of_any_style[seat, role, gold] = total / STYLES_HELD


@kernel
def weigh_team(case: Any, team: int, gold: int, beside: int, scratch: Any) -> float:
    """How likely the moves of all seats beside one were, if a set of seats are the saboteurs and the gold lies on a goal.

    Players at a table are all of one style with the chance ALIKE, else each of their own; after `weigh_seats`.
    """
    apart = 1.0
    for seat in range(case.seats):
        if seat != beside:
            apart *= scratch.of_any_style[seat, team >> seat & 1, gold]
    alike = 0.0
    for style in range(STYLES_HELD):
        together = 1.0
        for seat in range(case.seats):
            if seat != beside:
                together *= scratch.by_style[seat, style, team >> seat & 1, gold]
        alike += together
    return (1.0 - ALIKE) * apart + ALIKE * alike / STYLES_HELD


@kernel
def posterior(
    case: Any, seat: int, role: int, gold_may_be: int, counts: float, teams: Any, odds: Any, scratch: Any, joint: Any
) -> None:
    """The chances of sets of saboteurs and places of the gold, for a seat that has a role and knows where the gold may be.

    `counts` is the exponent with which what moves say of the gold counts: DEPENDENT, or INDEPENDENT. `joint`, shape (sets, 3), is
    filled; its sum is 1. `seat` -1 is an onlooker.
    """
    weigh_seats(case, counts, scratch)
    total = 0.0
    for number in range(len(teams)):
        team = teams[number]
        agrees = seat < 0 or (team >> seat & 1) == role
        for gold in range(3):
            weight = 0.0
            if agrees and gold_may_be >> gold & 1:
                weight = odds[number] * weigh_team(case, team, gold, seat, scratch)
            joint[number, gold] = weight
            total += weight
    for number in range(len(teams)):
        for gold in range(3):
            joint[number, gold] /= total


@kernel
def suspect_seats(joint: Any, teams: Any, seats: int, out: Any) -> None:
    """Write how likely each seat is a saboteur, by the chances of sets of saboteurs and places of the gold."""
    out[:] = 0.0
    for number in range(len(teams)):
        chance = joint[number, 0] + joint[number, 1] + joint[number, 2]
        for seat in range(seats):
            if teams[number] >> seat & 1:
                out[seat] += chance


@kernel
def goals_seen(view: Any) -> int:
    """Where the gold may be, as a set of goals, by what a view shows."""
    may_be = 0
    for goal in range(3):
        if view.goals[goal] == GOLD:
            return 1 << goal
        if view.goals[goal] == UNKNOWN_GOAL:
            may_be |= 1 << goal
    return may_be


@kernel
def suspect(case: Any, seat: int, role: int, target: int, teams: Any, odds: Any, scratch: Any) -> int:
    """How much a seat of a role suspects a target, by what is public: a `trust_level`."""
    weigh_seats(case, INDEPENDENT, scratch)
    total = 0.0
    suspicion = 0.0
    members = 0.0
    for number in range(len(teams)):
        team = teams[number]
        if (team >> seat & 1) != role:
            continue
        for gold in range(3):
            if case.gold_may_be >> gold & 1:
                weight = odds[number] * weigh_team(case, team, gold, seat, scratch)
                total += weight
                members += weight * popcount(np.uint64(team & ~(1 << seat)))
                suspicion += weight * (team >> target & 1)
    return trust_level(suspicion / total, members / total / (case.seats - 1))


@kernel
def believe_both(cases: Any, views: Any, counts: float, teams: Any, odds: Any, scratch: Any, joints: Any) -> None:
    """The chances of sets and goals to the seat of a view, and to an onlooker: `joints`, shape (2, sets, 3), is filled.

    `counts` is as in `posterior`.
    """
    view = views[0]
    posterior(cases[0], view.seat, view.role, goals_seen(view), counts, teams, odds, scratch[0], joints[0])
    posterior(cases[0], -1, 0, cases[0].gold_may_be, counts, teams, odds, scratch[0], joints[1])


@kernel
def suspect_styles(cases: Any, views: Any, teams: Any, odds: Any, scratch: Any, out: Any) -> None:
    """How likely each other seat is of each style, to the seat of a view: `out`, shape (seats, styles), is filled.

    As in the posterior, what the seat itself does says nothing to it; its own row stays 0.
    """
    case, view, held = cases[0], views[0], scratch[0]
    may_be = goals_seen(view)
    weigh_seats(case, DEPENDENT, held)
    out[:] = 0.0
    for number in range(len(teams)):
        team = teams[number]
        if (team >> view.seat & 1) != view.role:
            continue
        for gold in range(3):
            if not may_be >> gold & 1:
                continue
            for seat in range(case.seats):
                if seat == view.seat:
                    continue
                apart = 1.0
                for other in range(case.seats):
                    if other != seat and other != view.seat:
                        apart *= held.of_any_style[other, team >> other & 1, gold]
                for style in range(STYLES_HELD):
                    together = 1.0
                    for other in range(case.seats):
                        if other != seat and other != view.seat:
                            together *= held.by_style[other, style, team >> other & 1, gold]
                    others = (1.0 - ALIKE) * apart + ALIKE * together
                    out[seat, style] += odds[number] * others * held.by_style[seat, style, team >> seat & 1, gold]
    for seat in range(case.seats):
        if seat != view.seat:
            out[seat] /= out[seat].sum()
