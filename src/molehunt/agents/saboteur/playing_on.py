"""Moves compared by playing on: worlds are drawn by what a seat believes, and in each a move is played on for a while.

What comes after is foretold (`forecast`).

On all seats sit players of 2019 in these games, each remembering what it would: a seat has one for every role and place of the
gold (`open_models`), told all that happened (`tell_models`). On the own seat a learned player may make the moves (`own_seat`).
The same worlds and the same luck serve all moves, and the worse half of the moves is left out again and again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.learned import SCORES, floats_at, written_at
from molehunt.agents.saboteur.learned import CHAIR, choose
from molehunt.agents.saboteur.minds import MIND, moves_of_others
from molehunt.agents.saboteur.own_seat import MEMORY_NUMBERS
from molehunt.core.copying import copy_record
from molehunt.core.kernels import kernel, lowest
from molehunt.core.streams import derive, shuffle, uniform
from molehunt.games.calls import advance, copy_bytes, legal_seen, payoffs, redact_all, resample, to_move
from molehunt.games.playing import (
    ACT,
    GAME,
    OBSERVE,
    STOPPED_SIZE,
    act_many,
    array_at,
    grid_at,
    observe_many,
    play_through,
)
from molehunt.games.saboteur.actions import PLAY_MAP, is_before_card, play_of, target_of
from molehunt.games.saboteur.cards import GOLD, GOLD_CARDS, MINER, SABOTEUR, UNKNOWN_GOAL
from molehunt.games.saboteur.gold import SABOTEUR_SHARES
from molehunt.games.saboteur.maze import copy_maze
from molehunt.games.saboteur.ruleset import PACK_BY_MINERS, PARAMS_SIZE, ROUNDS, SEATS, SHARES, SPEAK
from molehunt.games.saboteur.state import EVENT, MAX_PACK, STATE, VIEW
from molehunt.games.saboteur.views import MAX_ACTIONS
from molehunt.reading.saboteur.forecast import FEATURES, NETWORK, describe, foresee
from molehunt.reading.saboteur.knowledge import STONE, deduce
from molehunt.reading.saboteur.suspicion import DEPENDENT, goals_seen, posterior
from molehunt.reading.saboteur.ways import WAYS

MOVE, FAITH, PRIOR = range(3)
"""Of the usual move: which it is, and how much more than it brings it is taken to be worth. How much the logarithm of the chance
that the network makes a move counts."""
USUAL_ENTRIES = 3
HYPOTHESES = 6
"""Of every seat: its role, and where the gold lies."""

# Where the parts of a search are found: the address of each, and its length.
(
    CALLS,
    PARAMS,
    ROUND_PARAMS,
    WORLD,
    TRIAL,
    LOOKED,
    WHOLE,
    EVENTS,
    MINDS,
    PLAYERS,
    NUMBERS,
    ROWS,
    STOPPED,
    PAID,
    STREAM,
    MOVES,
    ALIVE,
    TOTALS,
    VIEWED,
    JOINT,
    TEAMS,
    ODDS,
    BUDGET,
    USUAL,
    MADE,
    POSITION,
    FORECASTER,
    WAYS_SCRATCH,
    PLAYER_FUNCTIONS,
    OWN_CHAIR,
    OWN_NUMBERS,
    ASKED_CHAIR,
    ASKED_NUMBERS,
    LIKING,
    BROUGHT,
) = range(0, 70, 2)
SEARCH_NUMBERS = 70
"""How many numbers say where the parts of a search are. OWN_NUMBERS is empty where no learned player sits on the own seat in games
that are played on, ASKED_NUMBERS where none is asked which moves it likes."""
ACT_OF_2019, OBSERVE_OF_2019, ACT_OF_OWN, OBSERVE_OF_OWN = range(4)
"""Entries of the part PLAYER_FUNCTIONS: addresses of the functions of the players."""

# The budget: what is to be done, and how.
STEP, WORLDS, KEPT, COUNT, FIRST, GLANCE, AHEAD, NOTICED, PREFERRED, RANKED = range(10)
BUDGET_ENTRIES = 10
"""What to do; worlds in which all moves are played on; moves kept then; of a step: moves alive, and the first world; how many
moves are played on before a forecast is asked, in the first worlds and in others; whether the others learn whom to trust from the
moves that are compared; of a step that adds up: in how many worlds what is preferred counts, and whether moves are ranked."""
TO_THE_END = 0
"""Stands for all moves of the round."""
DECIDE, LIST, TRY, ADD = range(4)
"""Think until one move is left; only list the moves; only play those alive on for AHEAD moves, in WORLDS worlds; only add up what
they brought there, which is found at BROUGHT: a row a world, a column a move alive."""

words_at = array_at(np.uint64)
whole_at = array_at(np.int64)
params_at = array_at(np.int64, readonly=True)
reals_at = array_at(np.float64)
bytes_at = array_at(np.uint8)
codes_at = array_at(np.int32)
states_at = array_at(STATE)
views_at = array_at(VIEW)
minds_at = array_at(MIND)
real_rows_at = grid_at(np.float64)
byte_rows_at = grid_at(np.uint8)
whole_rows_at = grid_at(np.int64)
networks_at = array_at(NETWORK)
ways_at = array_at(WAYS)
chairs_at = array_at(CHAIR)

STATE_SIZE, VIEW_SIZE, EVENT_SIZE = STATE.itemsize, VIEW.itemsize, EVENT.itemsize

NO_TEAM = -1
MEAN_CARD = float(GOLD_CARDS.mean())
"""Nuggets on a gold card."""


# --- The others as they may be -------------------------------------------------------------------------------------------


@kernel
def model_of(seat: int, role: int, gold: int) -> int:
    """Which of the models is that of a seat with a role, where the gold lies on a goal."""
    return HYPOTHESES * seat + 3 * role + gold


@kernel
def open_models(models: Any, view: Any, p: Any, luck: Any) -> None:
    """Players of 2019, with parameters `p`, sit down on all seats, one for each hypothesis, and take in what a view shows to all.

    They share the maze of the first.
    """
    copy_maze(view.maze, models[0].maze)
    for number in range(len(models)):
        mind = models[number]
        seat, gold = number // HYPOTHESES, number % 3
        mind.stream[0] = derive(luck, np.uint64(number))
        mind.behind = number
        mind.trust[:] = p.d_0
        mind.repair = p.d_phi + p.repair_growth * moves_of_others(view)
        mind.role = number % HYPOTHESES // 3
        mind.seat = seat
        mind.seats = len(models) // HYPOTHESES
        mind.saboteurs = view.saboteur_count
        mind.revealed = view.revealed
        for goal in range(3):
            if view.revealed >> goal & 1:
                mind.goals[goal] = view.goals[goal]
            elif view.looked[seat] >> goal & 1:
                mind.goals[goal] = GOLD if goal == gold else STONE
            else:
                mind.goals[goal] = UNKNOWN_GOAL
        deduce(mind.goals)


@kernel
def tell_models(observe: int, numbers: Any, event: Any, told: Any, told_bytes: Any, rows: Any) -> None:
    """Tell an event, as some seat was told it, to the models of all seats as they would have been told it.

    `numbers` are the memory of the models, `told` an EVENT for each, `told_bytes` the same as rows of bytes, `rows` their numbers.
    """
    play = play_of(event.action)
    for number in range(len(told)):
        copy_record(event, told[number])
        told[number].seen = UNKNOWN_GOAL
        if play == PLAY_MAP and event.seat == number // HYPOTHESES:
            told[number].seen = GOLD if target_of(event.action) == number % 3 else STONE
        if event.role >= 0:
            told[number].role = number % HYPOTHESES // 3
    observe_many(observe, told_bytes, numbers, rows)


# --- Worlds -------------------------------------------------------------------------------------------------------------


@kernel
def draw_world(search: Any, luck: Any) -> Any:
    """Draw a world in which sets of saboteurs and places of the gold are as likely as the seat believes; the gold's goal.

    All else is as `resample` draws it, which depends on neither.
    """
    teams = whole_at(search[TEAMS], search[TEAMS + 1])
    joint = real_rows_at(search[JOINT], len(teams), 3)
    stream = words_at(search[STREAM], 1)
    stream[0] = derive(luck, np.uint64(1))
    left = uniform(stream)
    team, gold = np.int64(NO_TEAM), np.int64(0)
    for number in range(len(teams)):
        for goal in range(3):
            if joint[number, goal] > 0.0 and left >= 0.0:
                left -= joint[number, goal]
                team, gold = teams[number], np.int64(goal)
    stream[0] = derive(luck, np.uint64(2))
    params = params_at(search[PARAMS], PARAMS_SIZE)
    calls = whole_at(search[CALLS], search[CALLS + 1])
    resample(
        calls,
        bytes_at(search[VIEWED], VIEW_SIZE),
        reals_at(search[PAID], 0),
        stream,
        params,
        bytes_at(search[WORLD], STATE_SIZE),
    )
    state = states_at(search[WORLD], 1)[0]
    for seat in range(params[SEATS]):
        state.roles[seat] = team >> seat & 1
    for goal in range(3):
        if state.goals[goal] == GOLD:
            state.goals[goal] = state.goals[gold]
            break
    state.goals[gold] = GOLD
    return gold


@kernel
def seat_models(search: Any, models: Any, gold: int, luck: Any) -> None:
    """Seat the players of a world: those of the roles that it gives, if the gold lies there."""
    state = states_at(search[WORLD], 1)[0]
    seats = params_at(search[PARAMS], PARAMS_SIZE)[SEATS]
    minds = minds_at(search[MINDS], seats)
    for seat in range(seats):
        mind = minds[seat]
        copy_record(models[model_of(seat, state.roles[seat], gold)], mind)
        mind.behind = seat
        mind.stream[0] = derive(luck, np.uint64(16 + seat))
    copy_maze(models[0].maze, minds[0].maze)


@kernel
def seat_own(search: Any, seat: int) -> None:
    """Seat the players whose functions are called: the learned one, if there is one, on the own seat, and players of 2019."""
    functions = whole_at(search[PLAYER_FUNCTIONS], 4)
    own = whole_at(search[OWN_NUMBERS], search[OWN_NUMBERS + 1])
    seats = params_at(search[PARAMS], PARAMS_SIZE)[SEATS]
    players = whole_rows_at(search[PLAYERS], seats, 4)
    for other in range(seats):
        learned = other == seat and len(own) > 0
        players[other, ACT] = functions[ACT_OF_OWN if learned else ACT_OF_2019]
        players[other, OBSERVE] = functions[OBSERVE_OF_OWN if learned else OBSERVE_OF_2019]
    memories = whole_rows_at(search[NUMBERS], seats, MEMORY_NUMBERS)
    for number in range(len(own)):
        memories[seat, MEMORY_NUMBERS - len(own) + number] = own[number]


@kernel
def trust_as_before(search: Any, models: Any, gold: int, seat: int) -> None:
    """Have all seats but one trust whom they trusted before the move that has just been made in the world."""
    state = states_at(search[WORLD], 1)[0]
    seats = params_at(search[PARAMS], PARAMS_SIZE)[SEATS]
    minds = minds_at(search[MINDS], seats)
    for other in range(seats):
        if other != seat:
            minds[other].trust[:] = models[model_of(other, state.roles[other], gold)].trust


@kernel
def play_on(search: Any, models: Any, gold: int, action: int, seat: int, ahead: int) -> float:
    """Make a move in the world, in which the gold lies on a goal, and play on: what the seat is paid above the others' average.

    Played are `ahead` moves more, and what it may expect then is added.
    """
    calls = whole_at(search[CALLS], search[CALLS + 1])
    params = params_at(search[ROUND_PARAMS], PARAMS_SIZE)
    seats = params[SEATS]
    trial = bytes_at(search[TRIAL], STATE_SIZE)
    whole = bytes_at(search[WHOLE], EVENT_SIZE)
    events = byte_rows_at(search[EVENTS], seats, EVENT_SIZE)
    players = whole_rows_at(search[PLAYERS], seats, 4)
    memories = whole_rows_at(search[NUMBERS], seats, MEMORY_NUMBERS)
    stopped = whole_at(search[STOPPED], STOPPED_SIZE)
    copy_bytes(trial, bytes_at(search[WORLD], STATE_SIZE))
    advance(calls, trial, action, params, whole)
    redact_all(calls, whole, trial, params, events)
    rows = whole_at(search[ROWS], seats)
    for other in range(seats):
        observe_many(players[other, OBSERVE], events[other : other + 1], memories[other], rows[other : other + 1])
    if not whole_at(search[BUDGET], BUDGET_ENTRIES)[NOTICED]:
        trust_as_before(search, models, gold, seat)
    stopped[GAME] = 0
    play_through(
        calls,
        byte_rows_at(search[TRIAL], 1, STATE_SIZE),
        params,
        players,
        memories,
        bytes_at(search[LOOKED], VIEW_SIZE),
        whole,
        events,
        codes_at(search[MADE], ahead),
        whole_at(search[STOPPED] + 8 * STOPPED_SIZE, 1),
        stopped,
    )
    paid = reals_at(search[PAID], seats)
    payoffs(calls, trial, params, paid)
    if to_move(calls, trial, params) >= 0:
        expect_pay(search, params, paid)
    others = 0.0
    for other in range(seats):
        others += paid[other] if other != seat else 0.0
    return paid[seat] - others / (seats - 1)


@kernel
def pay_expected(saboteurs: int, params: Any) -> tuple[float, float]:
    """What a round pays each of so many saboteurs if they win, and each miner on average if they do."""
    if not params[SHARES]:
        return 1.0, 1.0
    miners = params[SEATS] - saboteurs
    cards = min(miners if params[PACK_BY_MINERS] else params[SEATS], MAX_PACK)
    return 1.0 * SABOTEUR_SHARES[saboteurs], MEAN_CARD * cards / miners


@kernel
def expect_pay(search: Any, params: Any, paid: Any) -> None:
    """Add what each seat may expect of the rest of the round to what it was paid before."""
    state = states_at(search[TRIAL], 1)[0]
    seats = params[SEATS]
    features = reals_at(search[POSITION], FEATURES)
    describe(state, minds_at(search[MINDS], seats), ways_at(search[WAYS_SCRATCH], 1)[0], params, features)
    chance = foresee(features, networks_at(search[FORECASTER], 1)[0])
    saboteurs = 0
    for seat in range(seats):
        saboteurs += state.roles[seat] == SABOTEUR
    of_saboteurs, of_miners = pay_expected(saboteurs, params)
    for seat in range(seats):
        paid[seat] += chance * of_saboteurs if state.roles[seat] == SABOTEUR else (1.0 - chance) * of_miners


# --- The comparison -----------------------------------------------------------------------------------------------------


@kernel
def list_moves(search: Any, luck: Any) -> int:
    """Write the legal moves at the view, in an order by lot; how many. All are alive, and nothing is added up yet.

    Accusations and requests are left out: nobody in these games hears them.
    """
    params = params_at(search[PARAMS], PARAMS_SIZE)
    moves = codes_at(search[MOVES], MAX_ACTIONS)
    calls = whole_at(search[CALLS], search[CALLS + 1])
    count = legal_seen(calls, bytes_at(search[VIEWED], VIEW_SIZE), params, moves)
    if params[SPEAK]:
        kept = 0
        for number in range(count):
            if not is_before_card(play_of(moves[number])):
                moves[kept] = moves[number]
                kept += 1
        count = kept
    stream = words_at(search[STREAM], 1)
    stream[0] = luck
    shuffle(stream, moves, count)
    alive = whole_at(search[ALIVE], MAX_ACTIONS)
    totals = reals_at(search[TOTALS], MAX_ACTIONS)
    for move in range(count):
        alive[move] = move
        totals[move] = 0.0
    return count


@kernel
def believe(search: Any, case: Any, scratch: Any) -> None:
    """Work out what the seat of the view believes of the saboteurs and the gold."""
    view = views_at(search[VIEWED], 1)[0]
    teams = whole_at(search[TEAMS], search[TEAMS + 1])
    posterior(
        case,
        view.seat,
        view.role,
        goals_seen(view),
        DEPENDENT,
        teams,
        reals_at(search[ODDS], len(teams)),
        scratch,
        real_rows_at(search[JOINT], len(teams), 3),
    )


@kernel
def ask_for_usual(search: Any, models: Any) -> None:
    """Note the move that a player of 2019 would make in the seat's place."""
    view = views_at(search[VIEWED], 1)[0]
    seat = view.seat
    seats = params_at(search[PARAMS], PARAMS_SIZE)[SEATS]
    minds = minds_at(search[MINDS], seats)
    gold = lowest(np.uint64(goals_seen(view)))
    copy_record(models[model_of(seat, view.role, gold)], minds[seat])
    found = np.empty(1, np.int32)
    act_many(
        whole_at(search[PLAYER_FUNCTIONS], 4)[ACT_OF_2019],
        byte_rows_at(search[VIEWED], 1, VIEW_SIZE),
        whole_rows_at(search[NUMBERS], seats, MEMORY_NUMBERS)[0],
        whole_at(search[ROWS] + 8 * seat, 1),
        found,
    )
    reals_at(search[USUAL], USUAL_ENTRIES)[MOVE] = found[0]


@kernel
def ask_for_liking(search: Any, case: Any, noted: Any, count: int) -> None:
    """Note how much `learned` likes each of `count` moves: the logarithm of its chance in training, by its weight."""
    liking = reals_at(search[LIKING], MAX_ACTIONS)
    liking[:] = 0.0
    weight = reals_at(search[USUAL], USUAL_ENTRIES)[PRIOR]
    asked = whole_at(search[ASKED_NUMBERS], search[ASKED_NUMBERS + 1])
    if len(asked) == 0:
        return
    chair = chairs_at(search[ASKED_CHAIR], 1)[0]
    copy_record(noted, chair.history)
    copy_record(case, chair.case)
    choose(views_at(search[VIEWED], 1)[0], asked, 0)
    _, _, actions = written_at(asked)
    scores = floats_at(asked[SCORES], asked[SCORES + 1])
    top, total = scores[0], 0.0
    for number in range(count):
        top = max(top, scores[number])
    for number in range(count):
        total += np.exp(np.float64(scores[number] - top))
    moves = codes_at(search[MOVES], MAX_ACTIONS)
    for move in range(count):
        for number in range(count):
            if actions[number] == moves[move]:
                liking[move] = weight * (np.float64(scores[number] - top) - np.log(total))


@kernel
def get_ready(search: Any) -> None:
    """Seat the players for games from the view on, and note how these end."""
    view = views_at(search[VIEWED], 1)[0]
    seat_own(search, view.seat)
    params = params_at(search[PARAMS], PARAMS_SIZE)
    # The round that is played is the last: what comes after it is the same for all moves.
    round_params = whole_at(search[ROUND_PARAMS], PARAMS_SIZE)
    for number in range(PARAMS_SIZE):
        round_params[number] = params[number]
    round_params[ROUNDS] = view.round + 1


@kernel
def try_in(search: Any, case: Any, models: Any, noted: Any, count: int, ahead: int, luck: Any, brought: Any) -> None:
    """Draw a world and play each of the first `count` moves alive on in it: `brought`, one a move.

    `case` is what all know of the round, `noted` what the own seat counted of it.
    """
    view = views_at(search[VIEWED], 1)[0]
    chair = chairs_at(search[OWN_CHAIR], 1)[0]
    moves = codes_at(search[MOVES], MAX_ACTIONS)
    alive = whole_at(search[ALIVE], MAX_ACTIONS)
    gold = draw_world(search, luck)
    for place in range(count):
        seat_models(search, models, gold, luck)
        copy_record(noted, chair.history)
        copy_record(case, chair.case)
        brought[place] = play_on(search, models, gold, moves[alive[place]], view.seat, ahead)


@kernel
def prefer(search: Any, count: int, worlds: int) -> None:
    """Add to the totals of the first `count` moves alive what some are worth before they are played on, in so many worlds."""
    view = views_at(search[VIEWED], 1)[0]
    moves = codes_at(search[MOVES], MAX_ACTIONS)
    alive = whole_at(search[ALIVE], MAX_ACTIONS)
    totals = reals_at(search[TOTALS], MAX_ACTIONS)
    # A miner is slow to leave what miners usually do; a saboteur of 2019 is no example.
    usual = reals_at(search[USUAL], USUAL_ENTRIES)
    liking = reals_at(search[LIKING], MAX_ACTIONS)
    for place in range(count):
        totals[alive[place]] += liking[alive[place]] * worlds
        if view.role == MINER and moves[alive[place]] == usual[MOVE]:
            totals[alive[place]] += usual[FAITH] * worlds


@kernel
def add_up(search: Any, brought: Any) -> None:
    """Add to the totals of the moves alive what they brought in a world."""
    alive = whole_at(search[ALIVE], MAX_ACTIONS)
    totals = reals_at(search[TOTALS], MAX_ACTIONS)
    for place in range(len(brought)):
        totals[alive[place]] += brought[place]


@kernel
def rank(search: Any, count: int) -> None:
    """Put the first `count` moves alive in order, the best first; equals stay in theirs."""
    alive = whole_at(search[ALIVE], MAX_ACTIONS)
    totals = reals_at(search[TOTALS], MAX_ACTIONS)
    for place in range(1, count):
        move = alive[place]
        before = place
        while before > 0 and totals[alive[before - 1]] < totals[move]:
            alive[before] = alive[before - 1]
            before -= 1
        alive[before] = move


@kernel
def compare(search: Any, case: Any, models: Any, noted: Any, luck: Any, count: int, first: int, worlds: int) -> None:
    """Play the first `count` moves alive on in the worlds from number `first` on, add up what they bring, and rank them."""
    budget = whole_at(search[BUDGET], BUDGET_ENTRIES)
    ahead = budget[AHEAD] if first else budget[GLANCE]
    brought = reals_at(search[BROUGHT], count)
    get_ready(search)
    prefer(search, count, worlds)
    for world in range(first, first + worlds):
        try_in(search, case, models, noted, count, ahead, derive(luck, np.uint64(world)), brought)
        add_up(search, brought)
    rank(search, count)


@kernel
def try_step(search: Any, case: Any, models: Any, noted: Any, luck: Any) -> None:
    """The step TRY: several may be done at once, each with a search of its own that shares what was listed."""
    budget = whole_at(search[BUDGET], BUDGET_ENTRIES)
    count, first = budget[COUNT], budget[FIRST]
    rows = real_rows_at(search[BROUGHT], budget[WORLDS], count)
    get_ready(search)
    for row in range(len(rows)):
        of_world = derive(luck, np.uint64(first + row))
        try_in(search, case, models, noted, count, budget[AHEAD], of_world, rows[row])


@kernel
def add_step(search: Any) -> None:
    """The step ADD: as `compare` adds, whoever played the worlds."""
    budget = whole_at(search[BUDGET], BUDGET_ENTRIES)
    count = budget[COUNT]
    rows = real_rows_at(search[BROUGHT], budget[WORLDS], count)
    prefer(search, count, budget[PREFERRED])
    for row in range(len(rows)):
        add_up(search, rows[row])
    if budget[RANKED]:
        rank(search, count)


@kernel
def left_over(count: int, most: int, glanced: bool) -> int:
    """How many of so many moves are compared further, at most `most`: half of them, but two where they were only glanced at."""
    return min(most, max((count + 1) // 2, 2 if glanced else 1))


@kernel
def think(search: Any, case: Any, models: Any, noted: Any, view: Any, scratch: Any, luck: Any) -> int:
    """Do what the budget says; the move that is the best so far. `noted` is what the own seat counted of the round."""
    budget = whole_at(search[BUDGET], BUDGET_ENTRIES)
    moves = codes_at(search[MOVES], MAX_ACTIONS)
    alive = whole_at(search[ALIVE], MAX_ACTIONS)
    if budget[STEP] == TRY:
        try_step(search, case, models, noted, luck)
        return moves[alive[0]]
    if budget[STEP] == ADD:
        add_step(search)
        return moves[alive[0]]
    totals = reals_at(search[TOTALS], MAX_ACTIONS)
    copy_record(view, views_at(search[VIEWED], 1)[0])
    count = list_moves(search, luck)
    budget[COUNT] = count
    believe(search, case, scratch)
    ask_for_usual(search, models)
    ask_for_liking(search, case, noted, count)
    first = 0
    worlds = budget[WORLDS]
    while budget[STEP] == DECIDE and count > 1:
        compare(search, case, models, noted, luck, count, first, worlds)
        glanced = first == 0 and budget[GLANCE] != budget[AHEAD]
        count = left_over(count, budget[KEPT] if first == 0 else count, glanced)
        if glanced and count > 1:
            # What was seen at a glance only says which moves are looked at.
            for place in range(count):
                totals[alive[place]] = 0.0
        first += worlds
        worlds *= 2
    return moves[alive[0]]
