"""`mole` as compiled loops call it: its memory by addresses, what it says and does at a view, and what it takes from an event."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.saboteur.minds import MEMORY_NUMBERS as MODEL_NUMBERS_COUNT
from molehunt.agents.saboteur.minds import MIND as MODEL
from molehunt.agents.saboteur.playing_on import (
    BUDGET,
    BUDGET_ENTRIES,
    DECIDE,
    OBSERVE_OF_2019,
    PLAYER_FUNCTIONS,
    SEARCH_NUMBERS,
    STEP,
    open_models,
    tell_models,
    think,
)
from molehunt.agents.saboteur.speaking import SILENT, find_words
from molehunt.core.kernels import kernel
from molehunt.core.streams import mix, next_word
from molehunt.games.playing import acting, array_at, grid_at, observing
from molehunt.games.saboteur.possible import can_happen
from molehunt.games.saboteur.state import EVENT, VIEW
from molehunt.reading.saboteur.deeds import DEEDS
from molehunt.reading.saboteur.features import HISTORY, note_event
from molehunt.reading.saboteur.suspicion import CASE, SCRATCH, observe, open_case, sit_down

MIND = np.dtype([("stream", np.uint64, (1,)), ("case", CASE)])
"""What a chair remembers: its random stream, and what all know of the round. `suspicion.CASE` says what that is."""

MODEL_SIZE, EVENT_SIZE = MODEL.itemsize, EVENT.itemsize

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


@observing(EVENT, can_happen)
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
