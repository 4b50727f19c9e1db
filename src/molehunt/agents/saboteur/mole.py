"""`mole`: works out who the saboteurs are and where the gold is (`suspicion`), and plays moves on in such worlds (`playing_on`)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.compiled import CompiledAgent
from molehunt.agents.saboteur.decision_2019 import AS_RUN
from molehunt.agents.saboteur.decision_2019 import act_one as act_of_2019
from molehunt.agents.saboteur.decision_2019 import observe_one as observe_of_2019
from molehunt.agents.saboteur.knowledge import value_table
from molehunt.agents.saboteur.learned import CHAIR
from molehunt.agents.saboteur.minds import MEMORY_NUMBERS as MODEL_NUMBERS_COUNT
from molehunt.agents.saboteur.minds import MIND as MODEL
from molehunt.agents.saboteur.minds import SCRATCH as SCRATCH_OF_2019
from molehunt.agents.saboteur.mole_words import Belief, Weighed, belief_panels, explain, likeness_panel
from molehunt.agents.saboteur.own_seat import MEMORY_NUMBERS, OwnSeat
from molehunt.agents.saboteur.own_seat import act_one as act_of_own
from molehunt.agents.saboteur.own_seat import observe_one as observe_of_own
from molehunt.agents.saboteur.playing_on import (
    AHEAD,
    BUDGET,
    BUDGET_ENTRIES,
    COMPARE,
    COUNT,
    DECIDE,
    FAITH,
    FIRST,
    GLANCE,
    HYPOTHESES,
    KEPT,
    LIST,
    MOVE,
    OBSERVE_OF_2019,
    PLAYER_FUNCTIONS,
    PRIOR,
    SEARCH_NUMBERS,
    STEP,
    USUAL_ENTRIES,
    WORLDS,
    left_over,
    open_models,
    tell_models,
    think,
)
from molehunt.agents.saboteur.speaking import SILENT, find_words
from molehunt.core.agent import Reach, Rows
from molehunt.core.errors import BadInput
from molehunt.core.game import Actions, Game, Views
from molehunt.core.kernels import kernel
from molehunt.core.language import _, later
from molehunt.core.memory import CONSTANT_PART, SCRATCH_PART
from molehunt.core.panels import Panel, Words
from molehunt.core.seats import NOBODY
from molehunt.core.specs import as_record, parameter
from molehunt.core.streams import mix, next_word
from molehunt.core.words import met_in_words
from molehunt.games.calls import LEGAL_SEEN, PAYOFFS, RESAMPLE, Calls
from molehunt.games.compiled import bytes_of
from molehunt.games.playing import (
    CHAIRS_PER_GAME,
    FIRST_CHAIR,
    NEEDED,
    act_many,
    acting,
    array_at,
    grid_at,
    laid_down,
    observing,
)
from molehunt.games.saboteur.actions import PLAY_PATH, PLAY_ROCKFALL, play_of
from molehunt.games.saboteur.cards import MINER
from molehunt.games.saboteur.game import Saboteur, check_game
from molehunt.games.saboteur.state import EVENT, STATE, VIEW
from molehunt.games.saboteur.views import MAX_ACTIONS
from molehunt.reading.saboteur.deeds import DEEDS
from molehunt.reading.saboteur.features import HISTORY, note_event
from molehunt.reading.saboteur.forecast import FEATURES, forecaster
from molehunt.reading.saboteur.habits import habits
from molehunt.reading.saboteur.suspicion import (
    CASE,
    DEPENDENT,
    SCRATCH,
    STYLES_HELD,
    Deal,
    believe_both,
    close_last,
    deal_of,
    new_cases,
    observe,
    open_case,
    sit_down,
    suspect_styles,
)
from molehunt.reading.saboteur.telling import weigh_card, weigh_turns
from molehunt.reading.saboteur.ways import WAYS

FORGET = 0.03
"""The share of what it believes of the others' styles that it gives up from game to game."""

OTHER_GAMES = 0.1
"""What a game says of the others' styles counts with this exponent in the next ones: nobody plays just like a style, and is so in
every game."""

MOST_AHEAD = 200
"""More moves than a round has."""


@dataclass(frozen=True)
class Parameters:
    """What can be set in `mole`."""

    worlds: int = parameter(
        2,
        later("worlds in which all moves are played on; twice as many whenever half are left out"),
        low=1,
        high=1 << 20,
    )
    kept: int = parameter(3, later("moves that are compared further"), low=1, high=MAX_ACTIONS)
    glance: int = parameter(
        1,
        later("moves that are played on before a forecast is asked, while all are compared; 0 = all"),
        low=0,
        high=MOST_AHEAD,
    )
    ahead: int = parameter(5, later("the same once the worse half has been left out"), low=0, high=MOST_AHEAD)
    own: bool = parameter(
        False,
        later(
            "where games are played on, `learned` makes the own moves, if it has weights for the ruleset and the seats"
        ),
    )
    prior: float = parameter(
        0.05,
        later(
            "how much the logarithm of the chance counts with which `learned` makes a move in training, where it has weights"
        ),
        low=0.0,
        high=100.0,
    )
    faith: float = parameter(
        0.03,
        later("miner: how much more than it brings the move of a player of 2019 is taken to be worth"),
        low=0.0,
        high=2.0,
    )
    speaks: float = parameter(
        0.6,
        later(
            "where players may speak: the chance of being a saboteur from which on a seat is accused; above 1 nothing is said"
        ),
        low=0.0,
        high=2.0,
    )
    seconds: float = parameter(
        0.0, later("time for one move instead, in seconds; 0 = as many worlds as said"), low=0.0, high=3600.0
    )


EDITIONS: dict[str, Parameters] = {
    "fast": Parameters(),
    "strong": Parameters(worlds=32, kept=8, glance=4, ahead=0, own=True, prior=0.0),
}

STAGES = 4
"""By the clock, so many times the worse half of the moves is left out."""
AT_ONCE = 4
"""Worlds between two looks at the clock."""

MIND = np.dtype([("stream", np.uint64, (1,)), ("case", CASE)])
"""What a chair remembers: its random stream, and what all know of the round. `suspicion.CASE` says what that is."""


MODEL_SIZE, EVENT_SIZE = MODEL.itemsize, EVENT.itemsize

# --- As compiled loops call it ------------------------------------------------------------------------------------------

(
    RECORDS,
    MODELS,
    HABITS,
    TEAMS,
    ODDS,
    PARAMS,
    PARAMETERS_OF_2019,
    TABLES_OF_2019,
    SCRATCHES_OF_2019,
    SCRATCHES,
    TOLD,
    MODEL_ROWS,
    MODEL_NUMBERS,
    SEARCH,
    NOTED,
    SPOKEN,
    HEARD,
    WORDS,
) = range(0, 36, 2)
"""Where compiled loops find the parts of a memory: the address of each, and its length."""

minds_at = array_at(MIND)
models_at = array_at(MODEL)
scratch_at = array_at(SCRATCH)
whole_at = array_at(np.int64)
params_at = array_at(np.int64, readonly=True)
reals_at = array_at(np.float64)
real_rows_at = grid_at(np.float64)
byte_rows_at = grid_at(np.uint8)
told_at = array_at(EVENT)
noted_at = array_at(HISTORY)
cases_at = array_at(CASE)


@kernel
def models_of(memory: Any, chair: int) -> Any:
    """The models that a chair has of all seats."""
    each = memory[MODELS + 1] // memory[RECORDS + 1]
    return models_at(memory[MODELS] + chair * each * MODEL_SIZE, each)


@kernel
def habits_of(memory: Any) -> Any:
    """How often players of each style do what: a row for each style, role and circumstances."""
    return real_rows_at(memory[HABITS], memory[HABITS + 1] // len(DEEDS), len(DEEDS))


@kernel
def say(case: Any, view: Any, memory: Any) -> int:
    """What a chair says, a claim or before its card, or SILENT."""
    teams = whole_at(memory[TEAMS], memory[TEAMS + 1])
    return find_words(
        case,
        view,
        habits_of(memory),
        teams,
        reals_at(memory[ODDS], len(teams)),
        cases_at(memory[HEARD], 1)[0],
        told_at(memory[WORDS], 1)[0],
        scratch_at(memory[SCRATCHES], 1)[0],
        params_at(memory[PARAMS], memory[PARAMS + 1]),
        reals_at(memory[SPOKEN], 1)[0],
    )


@kernel
def say_at(cases: Any, views: Any, memory: Any) -> Any:
    """`say` for the first case and view."""
    return np.int64(say(cases[0], views[0], memory))


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """The action of a chair at its view."""
    mind = minds_at(memory[RECORDS], memory[RECORDS + 1])[chair]
    search = whole_at(memory[SEARCH], SEARCH_NUMBERS)
    budget = whole_at(search[BUDGET], BUDGET_ENTRIES)
    if budget[STEP] == DECIDE:
        said = say(mind.case, views[0], memory)
        if said != SILENT:
            return np.int64(said)
    # Who thinks step by step has drawn the word before.
    luck = next_word(mind.stream) if budget[STEP] == DECIDE else mix(mind.stream[0])
    scratch = scratch_at(memory[SCRATCHES], 1)[0]
    noted = noted_at(memory[NOTED], memory[NOTED + 1])[chair]
    return np.int64(think(search, mind.case, models_of(memory, chair), noted, views[0], scratch, luck))


@observing(EVENT)
def observe_one(events: Any, memory: Any, chair: int) -> None:
    """An event, taken into the mind of a chair and told to its models."""
    event = events[0]
    teams = whole_at(memory[TEAMS], memory[TEAMS + 1])
    mind = minds_at(memory[RECORDS], memory[RECORDS + 1])[chair]
    observe(
        mind.case,
        event,
        habits_of(memory),
        teams,
        reals_at(memory[ODDS], len(teams)),
        scratch_at(memory[SCRATCHES], 1)[0],
        params_at(memory[PARAMS], memory[PARAMS + 1]),
    )
    note_event(noted_at(memory[NOTED], memory[NOTED + 1])[chair], event)
    models = memory[MODELS + 1] // memory[RECORDS + 1]
    numbers = whole_at(memory[MODEL_NUMBERS], MODEL_NUMBERS_COUNT)
    numbers[0], numbers[1] = memory[MODELS] + chair * models * MODEL_SIZE, models
    for place in range(2):
        numbers[2 + place] = memory[PARAMETERS_OF_2019 + place]
        numbers[4 + place] = memory[TABLES_OF_2019 + place]
        numbers[6 + place] = memory[SCRATCHES_OF_2019 + place]
        numbers[8 + place] = memory[PARAMS + place]
    functions = whole_at(whole_at(memory[SEARCH], SEARCH_NUMBERS)[PLAYER_FUNCTIONS], 4)
    tell_models(
        functions[OBSERVE_OF_2019],
        numbers,
        event,
        told_at(memory[TOLD], models),
        byte_rows_at(memory[TOLD], models, EVENT_SIZE),
        whole_at(memory[MODEL_ROWS], models),
    )


@kernel
def begin_many(minds: Any, models: Any, views: Any, parameters_of_2019: Any, scratch: Any, params: Any) -> None:
    """Sit down at views: a case for each chair, and models of all seats."""
    for chair in range(len(minds)):
        open_case(minds[chair].case, scratch[0], params)
        sit_down(minds[chair].case, views[chair], scratch[0], params)
        open_models(models[chair], views[chair], parameters_of_2019[0], minds[chair].stream[0])


# --- The player ---------------------------------------------------------------------------------------------------------


class Scratch:
    """What a memory works with."""

    def __init__(self, game: Saboteur, deal: Deal, own: OwnSeat | None, asked: OwnSeat | None) -> None:
        seats = game.seats
        self.suspicion = np.zeros(1, SCRATCH)
        self.scratch_of_2019 = np.zeros(1, SCRATCH_OF_2019)
        self.told = np.zeros(HYPOTHESES * seats, EVENT)
        self.model_rows = np.arange(HYPOTHESES * seats)
        self.model_numbers = np.zeros(MODEL_NUMBERS_COUNT, np.int64)
        self.search = np.zeros(SEARCH_NUMBERS, np.int64)
        # The parts of a search.
        self.round_params = game.params.copy()
        self.world, self.trial = np.zeros(1, STATE), np.zeros(1, STATE)
        self.looked, self.viewed = np.zeros(1, VIEW), np.zeros(1, VIEW)
        self.whole, self.events = np.zeros(1, EVENT), np.zeros(seats, EVENT)
        self.minds = np.zeros(seats, MODEL)
        self.numbers = np.zeros(seats * MEMORY_NUMBERS, np.int64)
        self.rows = np.arange(seats)
        self.stopped = np.zeros(4, np.int64)
        self.paid = np.zeros(seats)
        self.stream = np.zeros(1, np.uint64)
        self.moves = np.zeros(MAX_ACTIONS, np.int32)
        self.alive = np.zeros(MAX_ACTIONS, np.int64)
        self.totals = np.zeros(MAX_ACTIONS)
        self.joint = np.zeros(3 * len(deal.teams))
        self.usual = np.zeros(USUAL_ENTRIES)
        self.liking = np.zeros(MAX_ACTIONS)
        self.made = np.zeros(MOST_AHEAD, np.int32)
        self.position = np.zeros(FEATURES)
        self.ways = np.zeros(1, WAYS)
        # Held here for as long as kernels know their addresses: two threads that ask first may be given an array each.
        self.habits = habits().reshape(-1)
        self.network = forecaster().copy()  # kernels write to its scratch, and memories may be worked with at once
        self.budget = np.zeros(BUDGET_ENTRIES, np.int64)
        self.enough = np.zeros(1)
        self.last: tuple[tuple[int, bytes], Weighed] | None = None  # what was thought by the clock at a view
        self.heard, self.words = np.zeros(1, CASE), np.zeros(1, EVENT)
        players = np.zeros((seats, 4), np.int64)
        players[:, FIRST_CHAIR], players[:, CHAIRS_PER_GAME] = np.arange(seats), seats
        self.players = players.reshape(-1)
        self.own = own
        self.own_chair = np.zeros(1, CHAIR) if own is None else own.chair
        self.own_numbers = np.zeros(0, np.int64)
        self.asked = asked
        self.asked_chair = np.zeros(1, CHAIR) if asked is None else asked.chair
        self.asked_numbers = np.zeros(0, np.int64)
        self.functions = np.zeros(4, np.int64)
        self.calls: Calls = np.zeros(0, np.int64)

    def lay_down(self, memory: Memory) -> None:
        """Note where the parts of a search lie."""
        game, deal = memory.game, memory.deal
        # Addresses are those of the moment: kernels may be interpreted until there is machine code.
        self.calls = game.calls(*NEEDED, LEGAL_SEEN, RESAMPLE, PAYOFFS)
        self.functions[:2] = act_of_2019.address, observe_of_2019.address
        if self.own:
            self.functions[2:] = act_of_own.address, observe_of_own.address
            self.own_numbers = self.own.laid_down()
        if self.asked:
            self.asked_numbers = self.asked.laid_down()
        of_2019 = memory.parameters_of_2019, memory.tables_of_2019, self.scratch_of_2019
        self.numbers.reshape(game.seats, -1)[:, :MODEL_NUMBERS_COUNT] = laid_down(self.minds, *of_2019, game.params)
        self.search[:] = laid_down(
            self.calls,
            game.params,
            self.round_params,
            self.world,
            self.trial,
            self.looked,
            self.whole,
            self.events,
            self.minds,
            self.players,
            self.numbers,
            self.rows,
            self.stopped,
            self.paid,
            self.stream,
            self.moves,
            self.alive,
            self.totals,
            self.viewed,
            self.joint,
            deal.teams,
            deal.odds,
            self.budget,
            self.usual,
            self.made,
            self.position,
            self.network,
            self.ways,
            self.functions,
            self.own_chair,
            self.own_numbers,
            self.asked_chair,
            self.asked_numbers,
            self.liking,
        )


@dataclass
class Memory:
    """All chairs of an agent: `records` of dtype MIND, `models`, a player of 2019 for each hypothesis, and what each `noted`.

    The shape of `models` is (chairs, 6 * seats); `noted` is of dtype HISTORY. `places` are the chairs' seats, and `met` says in how
    many earlier games each met those that it plays with. `expected`, shape (chairs, seats, styles), is the logarithm of how likely
    each took each style before the first move.
    """

    records: npt.NDArray[Any]
    models: npt.NDArray[Any]
    noted: npt.NDArray[Any]
    places: npt.NDArray[np.int64]
    met: npt.NDArray[np.int64]
    expected: npt.NDArray[np.float64]
    game: Saboteur = field(metadata=CONSTANT_PART)
    deal: Deal = field(metadata=CONSTANT_PART)
    parameters_of_2019: npt.NDArray[Any] = field(metadata=CONSTANT_PART)
    tables_of_2019: npt.NDArray[Any] = field(metadata=CONSTANT_PART)
    scratch: Scratch = field(metadata=SCRATCH_PART)


class MoleAgent(CompiledAgent):
    """The strongest player of Saboteur here."""

    act_one = act_one
    observe_one = observe_one

    needs_machine_code = True

    def __init__(self, name: str = "mole", parameters: Parameters = EDITIONS["fast"]) -> None:
        self.name = name
        self.parameters = parameters
        self.in_batches = False

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        game = check_game(self.name, game)
        minds = np.zeros(len(views), MIND)
        minds["stream"][:, 0] = streams
        minds["case"] = new_cases(len(views), game.seats)
        models = np.zeros((len(views), HYPOTHESES * game.seats), MODEL)
        deal = deal_of(game)
        tables = value_table(game.ruleset, AS_RUN.halve_top_stone)
        noted = np.zeros(len(views), HISTORY)
        own = OwnSeat.of(game, plain=True) if self.parameters.own else None
        asked = OwnSeat.of(game, plain=False) if self.parameters.prior else None
        scratch = Scratch(game, deal, own, asked)
        places, met = np.array(views["seat"], np.int64), np.zeros(len(views), np.int64)
        expected = np.zeros((len(views), game.seats, STYLES_HELD))
        memory = Memory(minds, models, noted, places, met, expected, game, deal, as_record(AS_RUN), tables, scratch)
        begin_many(minds, models, views, memory.parameters_of_2019, memory.scratch.suspicion, game.params)
        return memory

    def parts(self, memory: Memory) -> tuple[npt.NDArray[Any], ...]:
        scratch, game = memory.scratch, memory.game
        scratch.lay_down(memory)
        scratch.usual[[FAITH, PRIOR]] = self.parameters.faith, self.parameters.prior
        settings = self.parameters
        scratch.enough[0] = settings.speaks
        scratch.budget[[STEP, WORLDS, KEPT]] = DECIDE, settings.worlds, settings.kept
        scratch.budget[[GLANCE, AHEAD]] = settings.glance, settings.ahead
        return (
            memory.records,
            memory.models.reshape(-1),
            scratch.habits,
            memory.deal.teams,
            memory.deal.odds,
            game.params,
            memory.parameters_of_2019,
            memory.tables_of_2019,
            scratch.scratch_of_2019,
            scratch.suspicion,
            scratch.told,
            scratch.model_rows,
            scratch.model_numbers,
            scratch.search,
            memory.noted,
            scratch.enough,
            scratch.heard,
            scratch.words,
        )

    def reach(self, memory: Memory) -> Reach | None:
        return None if self.parameters.seconds else super().reach(memory)

    def act(self, views: Views, memory: Memory, rows: Rows) -> Actions:
        if not self.parameters.seconds:
            return super().act(views, memory, rows)
        actions = np.empty(len(views), np.int32)
        for place, row in enumerate(rows):
            said = self._say(views[place : place + 1], memory, int(row))
            if said != SILENT:
                actions[place] = said
                continue
            next_word(memory.records["stream"][row])
            view = views[place : place + 1]
            found = Comparison(self, view, memory, int(row)).weighed
            memory.scratch.last = (int(row), view.tobytes()), found
            actions[place] = found.moves[0]
        return actions

    def _say(self, view: Views, memory: Memory, row: int) -> int:
        """What a chair says, a claim or before its card, or SILENT."""
        case = memory.records["case"][row : row + 1].copy()
        return int(say_at(case, np.ascontiguousarray(view), laid_down(*self.parts(memory))))

    def impressions(self, game: Game, view: Any, memory: Memory, row: int) -> Any:
        """Which style it takes each seat's to be, by distance from its own; and after how many games."""
        case = memory.records["case"][row : row + 1].copy()
        if view["to_move"] == NOBODY and view["round"]:
            ended = np.zeros(1, EVENT)
            ended["roles"] = view["past_roles"][view["round"] - 1]
            close_last(case, ended, np.zeros(1, SCRATCH), memory.game.params)
        expected = memory.expected[row]
        styles = expected + OTHER_GAMES * (case["styles"][0, : memory.game.seats] - expected)
        chances = np.exp(styles - styles.max(axis=1, keepdims=True))
        chances = np.roll(chances / chances.sum(axis=1, keepdims=True), -memory.places[row], axis=0)
        return {"games": int(memory.met[row]) + 1, "styles": chances.tolist()}

    def meet_again(self, memory: Memory, row: int, impressions: Any, seated: bool = True) -> None:
        """Expect of each seat what it believed of it, but for a share FORGET; where who sits where may differ, of each the mean."""
        believed, games = _believed(impressions)
        seats = memory.game.seats
        if len(believed) != seats or not seated:
            believed = np.tile(believed[1:].mean(axis=0), (seats, 1))
        believed = np.roll((1 - FORGET) * believed + FORGET / STYLES_HELD, memory.places[row], axis=0)
        memory.expected[row] = np.log(believed / believed.max(axis=1, keepdims=True))
        memory.records["case"]["styles"][row, :seats] = memory.expected[row]
        memory.met[row] = games

    def why(self, game: Game, view: Any, memory: Memory, row: int) -> str:
        view = np.atleast_1d(view)
        said = self._say(view, memory, row)
        if said != SILENT:
            found = Weighed.said(said)
        elif memory.scratch.last is not None and memory.scratch.last[0] == (row, view.tobytes()):
            # By the clock it would not think the same again.
            found = memory.scratch.last[1]
        else:
            fresh = self.take(memory, np.array([row]))
            next_word(fresh.records["stream"][0])
            found = Comparison(self, view, fresh, 0).weighed
        belief = self._ground(view, memory, row)
        told = explain(memory.game, view[0], belief, found, self._nearer(found, memory, row))
        met = int(memory.met[row])
        return f"{told}\n{met_in_words(met)}" if met else told

    def beliefs(self, game: Game, view: Any, memory: Memory, row: int) -> tuple[Panel, ...]:
        """Who the saboteurs are, where the gold is, what everybody believes of each seat, and how the others seem to play."""
        view = np.atleast_1d(view)
        own, public = self._believe(view, memory, row)
        met = int(memory.met[row])
        earlier = [Words(_("Earlier games"), met_in_words(met))] if met else []
        playing = likeness_panel(self._styles(view, memory, row))
        return *belief_panels(memory.game, view[0], memory.deal, own, public), *playing, *earlier

    def _believe(self, view: Views, memory: Memory, row: int) -> npt.NDArray[np.float64]:
        """The chances of sets and goals to a chair and to an onlooker: shape (2, sets, 3)."""
        case = memory.records["case"][row : row + 1].copy()
        joints = np.zeros((2, len(memory.deal.teams), 3))
        view = np.ascontiguousarray(view)
        believe_both(case, view, DEPENDENT, memory.deal.teams, memory.deal.odds, np.zeros(1, SCRATCH), joints)
        return joints

    def _styles(self, view: Views, memory: Memory, row: int) -> npt.NDArray[np.float64]:
        """How likely each other seat is of each style, to a chair: shape (seats, styles)."""
        case = memory.records["case"][row : row + 1].copy()
        styles = np.zeros((memory.game.seats, STYLES_HELD))
        view = np.ascontiguousarray(view)
        suspect_styles(case, view, memory.deal.teams, memory.deal.odds, np.zeros(1, SCRATCH), styles)
        return styles

    def _ground(self, view: Views, memory: Memory, row: int) -> Belief:
        """What a chair believes, and how much each move that was made speaks for it."""
        case = memory.records["case"][row : row + 1].copy()
        turns = case["turns"][0, : case["turn_count"][0]].copy()
        deal, weights = memory.deal, np.zeros(len(turns))
        joint, now = np.zeros((len(deal.teams), 3)), np.zeros(memory.game.seats)
        view = np.ascontiguousarray(view)
        rows = memory.scratch.habits.reshape(-1, len(DEEDS))
        weigh_turns(case, view, rows, deal.teams, deal.odds, np.zeros(1, SCRATCH), joint, now, weights)
        own, public = self._believe(view, memory, row)
        return Belief(deal, own, public, turns, weights)

    def _nearer(self, found: Weighed, memory: Memory, row: int) -> npt.NDArray[np.float64]:
        """By how many cards the move that is taken shortens the way to each place of the gold: shape (3,)."""
        nearer = np.zeros(3)
        if len(found.moves) and play_of(found.moves[0]) in (PLAY_PATH, PLAY_ROCKFALL):
            event = np.zeros(1, EVENT)
            event["action"] = found.moves[0]
            case = memory.records["case"][row : row + 1].copy()
            weigh_card(case, event, np.zeros(1, SCRATCH), memory.game.params, nearer)
        return nearer


def _believed(impressions: Any) -> tuple[npt.NDArray[np.float64], int]:
    """(styles by distance, games) of impressions; BadInput where they are none."""
    try:
        games, styles = int(impressions["games"]), np.array(impressions["styles"], np.float64)
    except (KeyError, TypeError, ValueError, OverflowError):
        games, styles = 0, np.empty(0)
    if not 0 < games < 2**31 or styles.ndim != 2 or len(styles) < 2 or styles.shape[1] != STYLES_HELD:
        raise BadInput("this is not what mole takes along about the others from game to game")
    if not (styles >= 0).all() or not np.allclose(styles.sum(axis=1), 1.0, rtol=0.0, atol=1e-6):
        raise BadInput("the styles that mole takes along from game to game are chances, of sum 1 for each seat")
    return styles, games


class Comparison:
    """The moves at one view, the best first, compared as the player does but step by step; the next word of luck has been drawn.

    `worlds` says in how many each was played on, and `worth` what it brought there on average. `usual` is the move that a player of
    2019 would make.
    """

    def __init__(self, agent: MoleAgent, view: Views, memory: Memory, row: int) -> None:
        began = time.perf_counter()
        self._agent, self._scratch = agent, memory.scratch
        self._asked = np.ascontiguousarray(view), memory, np.array([row])
        self._do(LIST)
        count = int(self._scratch.budget[COUNT])
        self.worlds = np.zeros(count, np.int64)
        self._first = 0
        parameters = agent.parameters
        worlds, stage, followed = parameters.worlds, 1, count
        while count > 1:
            if parameters.seconds:
                until = began + parameters.seconds * stage / STAGES
                self._play_on(count, AT_ONCE)
                while time.perf_counter() < until:
                    self._play_on(count, AT_ONCE)
                if stage == STAGES:
                    break
            else:
                self._play_on(count, worlds)
            glanced = stage == 1 and parameters.glance != parameters.ahead
            count = left_over(count, parameters.kept if stage == 1 else count, glanced)
            if glanced and count > 1:
                self._begin_again(count)
            followed = count if stage == 1 else followed
            worlds *= 2
            stage += 1
        moves = len(self.worlds)
        order = self._scratch.alive[:moves].copy()
        self.moves = self._scratch.moves[order].copy()
        self.worlds = self.worlds[order]
        self.usual = int(self._scratch.usual[MOVE])
        played = self.worlds > 0
        self.worth = self._scratch.totals[order] / np.maximum(self.worlds, 1)
        # What is added because a move is usual, or liked, is none of what it brought.
        added = self._scratch.liking[order].copy()
        faith = parameters.faith if view["role"][0] == MINER else 0.0
        added[self.moves == self.usual] += faith
        self.worth[played] -= added[played]
        self.weighed = Weighed(self.moves, self.worth, self.worlds, added, min(followed, moves), self.usual, faith)

    def _play_on(self, count: int, worlds: int) -> None:
        self.worlds[self._scratch.alive[:count]] += worlds
        self._do(COMPARE, count, worlds)
        self._first += worlds

    def _begin_again(self, count: int) -> None:
        """What was seen at a glance only says which moves are looked at."""
        kept = self._scratch.alive[:count]
        self.worlds[kept] = 0
        self._scratch.totals[kept] = 0.0

    def _do(self, step: int, count: int = 0, worlds: int = 0) -> None:
        """Have the compiled player do one step."""
        view, memory, row = self._asked
        numbers = laid_down(*self._agent.parts(memory))
        budget = self._scratch.budget
        if step == COMPARE:
            budget[[WORLDS, COUNT, FIRST]] = worlds, count, self._first
        budget[STEP] = step
        act_many(act_one.address, bytes_of(view), numbers, row, np.empty(1, np.int32))
