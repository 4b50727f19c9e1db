"""Every player of every game: sitting down in the middle, being told the past, and memories that are copied and taken apart."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from molehunt.agents.registry import Agents, entries
from molehunt.core.agent import Agent, Past, Player, PlayerAgent
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.game import Game, States
from molehunt.core.match import play, play_on
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.registry import BUILT_IN, deal, make_game, split_label

GAMES = 4
STEP = 7
"""After how many moves each look is taken."""


class Counter(Player):
    """Remembers what it saw at the start and what it was told, and lets it decide."""

    def begin(self, game: Game, seat: int, view: Any) -> None:
        self.seen: list[Any] = [(game.label, seat, len(view.legal_actions))]

    def notice(self, event: Any) -> None:
        self.seen.append(str(event))

    def choose(self, view: Any) -> int:
        legal = view.legal_actions
        chosen: int = legal[(len("".join(map(str, self.seen))) + int(self.random.integers(2))) % len(legal)]
        return chosen


CASES = [
    *(
        ("saboteur/krisnadi", 4, spec)
        for spec in (
            "random",
            "decision-2019",
            "decision-2019:as_printed",
            "means-ends-2016",
            "kripke-2012",
            "kripke-2012:depth=1,strategy=adaptive",
            "mole:worlds=1,kept=2,own=yes",
            "stranger:seed=1",
            "learned:mixed",
            "counter",
        )
    ),
    *(
        ("saboteur/official+talk", 3, spec)
        for spec in ("decision-2019", "means-ends-2016", "kripke-2012:strategy=adaptive", "random")
    ),
    ("saboteur/official", 3, "mole:worlds=1,kept=1"),
    *(("saboteur/small", 2, spec) for spec in ("equilibrium:iterations=30", "decision-2019", "kripke-2012", "mole")),
    *(
        ("duel/mcgill", 2, spec)
        for spec in (
            "random",
            "random-listed",
            "greedy-2020",
            "and-or-2020:depth=1",
            "and-or-2020:depth=1,opponent=modelled,inferred=yes",
            "duel-star:deals=2",
            "stranger:seed=1",
            "learned",
            "counter",
        )
    ),
    *(
        ("speed_clue/mitchell", 3, spec)
        for spec in (
            "random",
            "basic",
            "advanced",
            "no-intelligence:systematic",
            "next-possible:systematic",
            "previous-possible",
            "combined",
            "mixed",
            "deduction-only",
            "next-not-held",
            "stranger:seed=1",
            "learned",
            "counter",
        )
    ),
    ("speed_clue/contest", 3, "mixed"),
    ("saboteur/small", 3, "ismcts:iterations=20"),
    ("saboteur/small", 3, "ismcts:reading,iterations=20"),
    ("speed_clue/small", 2, "ismcts:iterations=20"),
    ("duel/mcgill", 2, "ismcts:iterations=4"),
    *(
        (label, seats, f"openspiel-{spec}")
        for label, seats in (("saboteur/small", 2), ("duel/mcgill", 2), ("speed_clue/small", 2))
        for spec in ("random", "ismcts:simulations=2", "mccfr:iterations=2")
        if find_spec("pyspiel") and (label, spec) != ("duel/mcgill", "mccfr:iterations=2")
    ),
    *(("speed_clue/small", 2, spec) for spec in ("exact", "equilibrium:iterations=30", "no-intelligence")),
]

SEATED = [case for case in CASES if case[2].partition(":")[0] not in ("random", "random-listed")]
"""Players that are asked about what their own seats see, and nothing else."""


def game_of(label: str, seats: int) -> Game:
    return make_game(*split_label(label), seats)


def player(label: str, spec: str) -> Agent:
    if spec == "counter":
        return PlayerAgent("counter", Counter)
    return Agents(split_label(label)[0]).make(spec)


def test_every_player_of_every_game_is_among_these() -> None:
    sat = {(split_label(label)[0], spec.partition(":")[0]) for label, _, spec in CASES}
    here = {(entry.game, entry.name) for entry in entries() if entry.game in BUILT_IN and entry.is_here}
    # The duel's deals cannot be listed, so nobody solves or trains on them.
    assert here - sat <= {("duel", "openspiel-mccfr")}


@dataclasses.dataclass
class Course:
    """Games as they went: at move k, the states, the memory of each seat, and what each seat saw and was told until then."""

    agent: Agent
    game: Game
    states: States
    memories: list[Any]
    first: list[Any]
    views: list[list[Any]]
    events: list[list[Any]]
    streams: npt.NDArray[np.uint64]


def course(label: str, seats: int, spec: str, games: int = GAMES, seed: int = 3) -> Iterator[Course]:
    """Play games with one player everywhere, each seat with a memory of its own, as long as none is over."""
    game, agent, seeds = game_of(label, seats), player(label, spec), game_seeds(seed, 0, games)
    states, streams = game.new(seeds), seat_streams(seeds, seats)

    def seen(seat: int) -> Any:
        return game.views(states, np.full(games, seat, np.int8))

    first = [seen(seat) for seat in range(seats)]
    memories = [agent.start(game, first[seat], streams[:, seat].copy()) for seat in range(seats)]
    now = Course(agent, game, states, memories, first, [[] for _ in first], [[] for _ in first], streams)
    while True:
        yield now
        to_move = game.to_move(states)
        actions = np.empty(games, np.int32)
        for seat in range(seats):
            views, rows = seen(seat), np.flatnonzero(to_move == seat)
            now.views[seat].append(views)
            if len(rows):
                actions[rows] = agent.act(views[rows], memories[seat], rows)
        events = game.apply(states, actions)
        for seat in range(seats):
            now.events[seat].append(events[:, seat].copy())
            if agent.observes:
                agent.observe(events[:, seat].copy(), memories[seat], np.arange(games))
        if (game.to_move(states) < 0).any():
            return


def looks(label: str, seats: int, spec: str) -> Iterator[tuple[int, Course]]:
    return ((number, now) for number, now in enumerate(course(label, seats, spec)) if number % STEP == 0)


def parts(memory: Any) -> list[Any]:
    """What a memory says, without what is only worked with."""
    if isinstance(memory, np.ndarray):
        return [memory.tobytes()]
    if isinstance(memory, Counter):
        return [memory.seen, str(memory.random.bit_generator.state)]
    if isinstance(memory, dict):
        return [part for value in memory.values() for part in parts(value)]
    if isinstance(memory, list | tuple):
        return [part for value in memory for part in parts(value)]
    if dataclasses.is_dataclass(memory) and not isinstance(memory, type):
        return [
            part
            for each in dataclasses.fields(memory)
            if not each.metadata
            for part in parts(getattr(memory, each.name))
        ]
    return [] if isinstance(memory, Game) else [memory]


def past_of(now: Course, seat: int, thinking: bool) -> Past:
    games = len(now.states)
    events = np.empty((games, len(now.events[seat])), now.game.event_dtype)
    views = np.empty(events.shape, now.game.view_dtype)
    for number, (told, seen) in enumerate(zip(now.events[seat], now.views[seat], strict=True)):
        events[:, number], views[:, number] = told, seen
    return Past(now.first[seat], events, views if thinking else None)


# --- Sitting down -----------------------------------------------------------------------------------------------------


@cache
def positions(label: str, seats: int) -> tuple[Game, States]:
    """Positions along games played at random, and at their ends."""
    game, agent = game_of(label, seats), player(label, "random")
    found = []
    played = play(game, [agent] * seats, game_seeds(11, 0, 6), keep_actions=True)
    assert played.actions is not None
    for seed, actions in zip(played.seeds, played.actions, strict=True):
        states = game.new(np.array([seed], np.uint64))
        for number, action in enumerate(actions):
            if number % 3 == 0:
                found.append(states.copy())
            game.apply(states, np.array([action], np.int32))
        found.append(states.copy())
    return game, np.concatenate(found)


@pytest.mark.parametrize(("label", "seats", "spec"), CASES)
def test_it_sits_down_at_any_view_and_plays_by_the_rules(label: str, seats: int, spec: str) -> None:
    game, states = positions(label, seats)
    if spec.partition(":")[0] in ("exact", "and-or-2020", "duel-star", "mole", "counter", "ismcts"):
        states = states[-24:]
    before = states.tobytes()
    played = play_on(game, states, [player(label, spec)] * seats, keep_actions=True)
    assert (game.to_move(played.states) < 0).all() and played.actions is not None
    assert states.tobytes() == before
    over = np.flatnonzero(game.to_move(states) < 0)
    assert len(over) and all(not played.actions[row] for row in over)
    assert played.moves == sum(map(len, played.actions)) > 0


# --- Told the past ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("label", "seats", "spec"), CASES)
def test_told_what_it_saw_it_remembers_what_one_does_who_sat_there_all_along(label: str, seats: int, spec: str) -> None:
    compared = 0
    for _, now in looks(label, seats, spec):
        for seat in range(seats):
            told = now.agent.catch_up(now.game, past_of(now, seat, thinking=True), now.streams[:, seat].copy())
            assert parts(told) == parts(now.memories[seat])
            compared += 1
    assert compared >= seats


@pytest.mark.parametrize(
    ("label", "seats", "spec"),
    [
        case
        for case in CASES
        if case[2].partition(":")[0] in ("duel-star", "equilibrium", "exact", "greedy-2020", "basic", "mixed")
    ],
)
def test_told_events_alone_it_decides_alike_with_the_same_random_stream(label: str, seats: int, spec: str) -> None:
    """Players whose memory beside the random stream does not come from thinking."""
    for _, now in looks(label, seats, spec):
        for seat in np.unique(now.game.to_move(now.states)).tolist():
            rows = np.flatnonzero(now.game.to_move(now.states) == seat)
            views = now.game.views(now.states, np.full(len(rows), seat, np.int8), rows)
            told = now.agent.catch_up(now.game, past_of(now, seat, thinking=False), now.streams[:, seat].copy())
            own = now.agent.copy_memory(now.memories[seat])
            streams_of(told)[:] = streams_of(own)
            assert now.agent.act(views, told, rows).tolist() == now.agent.act(views, own, rows).tolist()


def streams_of(memory: Any) -> Any:
    if isinstance(memory, np.ndarray):
        return memory
    return memory.streams if hasattr(memory, "streams") else memory.minds["stream"][:, 0]


def test_a_past_has_one_shape() -> None:
    game = game_of("duel/mcgill", 2)
    first = np.zeros(2, game.view_dtype)
    with pytest.raises(BadInput, match=r"the past of 2 chairs has events of shape \(2, k\), not \(3, 1\)"):
        Past(first, np.zeros((3, 1), game.event_dtype))
    with pytest.raises(BadInput, match=r"a view for each event: shape \(2, 3\), not \(2, 2\)"):
        Past(first, np.zeros((2, 3), game.event_dtype), np.zeros((2, 2), game.view_dtype))


# --- Copies -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("label", "seats", "spec"), CASES)
def test_copies_and_parts_of_memories_play_on_alike_and_leave_the_original_as_it_was(
    label: str, seats: int, spec: str
) -> None:
    halfway = sum(1 for _ in course(label, seats, spec)) // 2
    now = next(islice(course(label, seats, spec), halfway, None))
    before = [parts(memory) for memory in now.memories]
    agents = [now.agent] * seats

    def go_on(rows: list[int]) -> list[list[int]]:
        chosen = np.array(rows)
        memories = [now.agent.take(memory, chosen) for memory in now.memories]
        played = play_on(now.game, now.states[chosen], agents, memories, keep_actions=True)
        assert played.actions is not None
        return played.actions

    copies = [now.agent.copy_memory(memory) for memory in now.memories]
    first = play_on(now.game, now.states, agents, copies, keep_actions=True).actions
    assert first is not None and sum(map(len, first)) > 0
    assert go_on([0, 1, 2, 3]) == first
    assert go_on([2, 0, 0]) == [first[2], first[0], first[0]]
    assert [parts(memory) for memory in now.memories] == before
    # One chair of the copies, played to the end, is put back to what it was.
    now.agent.put(copies[0], np.array([3, 1]), now.agent.take(now.memories[0], np.array([3, 1])))
    mixed = now.agent.take(copies[0], np.array([1, 3]))
    assert parts(mixed) == parts(now.agent.take(now.memories[0], np.array([1, 3])))
    # Played on itself, the original goes the same way.
    assert play_on(now.game, now.states, agents, now.memories, keep_actions=True).actions == first


@pytest.mark.parametrize(("label", "seats", "spec"), CASES)
def test_a_chair_that_there_is_not_is_refused_by_whatever_is_asked_of_one(label: str, seats: int, spec: str) -> None:
    now = next(course(label, seats, spec, games=2))
    agent, memory, game = now.agent, now.memories[0], now.game
    before, one = parts(memory), agent.take(memory, np.array([1]))
    seat = int(game.to_move(now.states)[0])
    view = game.views(now.states, np.full(2, seat, np.int8))[:1]
    wrong: Any
    for wrong in (2, -1, 1.5, "1", None):
        for asked in (
            lambda row: agent.beliefs(game, view, memory, row),
            lambda row: agent.impressions(game, view, memory, row),
            lambda row: agent.why(game, view, memory, row=row),
            lambda row: agent.meet_again(memory, row, {}),
            lambda row: agent.model(game, memory, row),
        ):
            method = {"beliefs", "impressions", "why", "meet_again", "model"} & set(asked.__code__.co_names)
            if getattr(type(agent), *method) is getattr(Agent, *method):
                continue  # it has nothing to say of any chair
            with pytest.raises(BadInput, match=r"no chair -?\d|a chair is a whole number"):
                asked(wrong)
        for taken in (lambda rows: agent.take(memory, rows), lambda rows: agent.put(memory, rows, one)):
            with pytest.raises(BadInput, match=r"no chair -?\d|chairs are an array"):
                taken(np.array([wrong]))
    if not isinstance(memory, np.ndarray):
        with pytest.raises(BadInput, match="is one that it made of the same game"):
            agent.put(memory, np.array([0]), None)
    with pytest.raises(BadInput, match="for each of 2 rows, and the memory put there has 1"):
        agent.put(memory, np.array([0, 1]), one)
    assert parts(memory) == before


# --- Plain Python players ---------------------------------------------------------------------------------------------


def test_a_player_begins_before_it_chooses_and_again_with_every_game() -> None:
    told: list[Any] = []

    class Early(Player):
        def begin(self, game: Game, seat: int, view: Any) -> None:
            told.append((game.label, seat, view.seat, view.hand, float(self.random.random())))
            self.ready = True

        def choose(self, view: Any) -> int:
            assert self.ready
            first: int = view.legal_actions[0]
            return first

    game = game_of("saboteur/small", 2)
    play(game, [PlayerAgent("early", Early)] * 2, game_seeds(1, 0, 3))
    assert len(told) == 6 and [each[1] for each in told] == [each[2] for each in told] == [0, 1] * 3
    assert len({each[-1] for each in told}) == 6
    assert all(len(each[3]) == 2 for each in told)


def test_what_fails_in_begin_names_the_player_and_the_place() -> None:
    class Late(Player):
        def begin(self, game: Game, seat: int, view: Any) -> None:
            raise RuntimeError("overslept")

    game = game_of("saboteur/small", 2)
    with pytest.raises(AgentFailure, match=r"late failed in begin: RuntimeError: overslept \(.*test_sitting_down"):
        play(game, [PlayerAgent("late", Late)] * 2, game_seeds(1, 0, 1))


def test_a_player_that_cannot_be_copied_is_named() -> None:
    class Locked(Counter):
        def __init__(self) -> None:
            self.pages = (page for page in range(3))

    agent = PlayerAgent("locked", Locked)
    game = game_of("saboteur/small", 2)
    views = game.views(game.new(game_seeds(1, 0, 1)), np.zeros(1, np.int8))
    memory = agent.start(game, views, np.ones(1, np.uint64))
    with pytest.raises(AgentFailure, match="locked cannot be copied: TypeError: cannot pickle 'generator' object"):
        agent.copy_memory(memory)
    with pytest.raises(AgentFailure, match="locked cannot be copied"):
        agent.take(memory, np.zeros(1, np.int64))


# --- Playing on -------------------------------------------------------------------------------------------------------


def test_playing_on_from_the_deal_is_playing() -> None:
    game, seeds = game_of("saboteur/krisnadi", 4), game_seeds(2, 0, 20)
    agents = [player("saboteur/krisnadi", spec) for spec in ("decision-2019", "kripke-2012", "random")]
    seated = [agents[0], agents[1], agents[0], agents[2]]
    whole = play(game, seated, seeds, keep_actions=True)
    on = play_on(game, game.new(seeds), seated, seeds=seeds, keep_actions=True)
    assert on.actions == whole.actions and on.states.tobytes() == whole.states.tobytes() and on.moves == whole.moves


def test_playing_on_says_what_does_not_go_with_the_game() -> None:
    game = game_of("saboteur/small", 2)
    states, agent = game.new(game_seeds(1, 0, 3)), player("saboteur/small", "random")
    with pytest.raises(BadInput, match="saboteur/small needs a player for each of 2 seats, not 3"):
        play_on(game, states, [agent] * 3)
    with pytest.raises(BadInput, match=r"needs a memory \(or None\) for each of 2 seats, not 1"):
        play_on(game, states, [agent] * 2, [None])
    wrong: Any
    for wrong in (5, object()):
        with pytest.raises(BadInput, match=r"memories are a list with one \(or None\) for each seat, not "):
            play_on(game, states, [agent] * 2, wrong)
    with pytest.raises(BadInput, match="a seed for each of 3 games, not 2"):
        play_on(game, states, [agent] * 2, seeds=game_seeds(1, 0, 2))


def test_playing_on_takes_the_seeds_of_those_who_sit_down() -> None:
    game = game_of("saboteur/krisnadi", 4)
    states, agent = game.new(game_seeds(1, 0, 5)), player("saboteur/krisnadi", "random")
    default = play_on(game, states, [agent] * 4, keep_actions=True)
    assert play_on(game, states, [agent] * 4, seeds=game_seeds(0, 0, 5), keep_actions=True).actions == default.actions
    assert play_on(game, states, [agent] * 4, seeds=game_seeds(9, 0, 5), keep_actions=True).actions != default.actions


# --- Positions --------------------------------------------------------------------------------------------------------


def test_a_position_tells_the_past_of_a_seat() -> None:
    position = deal("saboteur/krisnadi", seats=4, seed=5)
    game, agent = position.game, player("saboteur/krisnadi", "decision-2019")
    stream = seat_streams(np.array([5], np.uint64), 4)[:, 2]
    memory, row = agent.start(game, position.view_record(2), stream.copy()), np.zeros(1, np.int64)
    for _ in range(17):
        action = int(position.legal_actions[-1])
        if position.to_move == 2:
            action = int(agent.act(position.view_record(2), memory, row)[0])
        agent.observe(position.play(action)[2:3], memory, row)
    told = agent.catch_up(game, position.past(2, thinking=True), stream.copy())
    assert parts(told) == parts(memory)
    silent = position.past(2)
    assert silent.views is None and silent.events.shape == (1, 17)
    assert silent.first.tobytes() == deal("saboteur/krisnadi", seats=4, seed=5).view_record(2).tobytes()
    with pytest.raises(BadInput, match="not dealt"):
        position.resample(2, 1).past(2)


# --- What would be read beyond the ends of a memory ---------------------------------------------------------------------


@pytest.mark.parametrize(("label", "seats", "spec"), CASES)
def test_chairs_views_and_streams_that_there_are_not_are_refused(label: str, seats: int, spec: str) -> None:
    game, agent, seeds = game_of(label, seats), player(label, spec), game_seeds(1, 0, 3)
    states = game.new(seeds)
    views, streams = game.views(states, game.to_move(states)), seat_streams(seeds, seats)[:, 0].copy()
    wrong: Any
    for wrong in (streams[:2], streams.astype(np.float64), streams.astype(np.int64), streams.tolist(), None):
        with pytest.raises(BadInput, match="each of 3 chairs has the start of a random stream"):
            agent.start(game, views, wrong)
    other = game_of("duel/mcgill" if "duel" not in label else "speed_clue/small", 2)
    foreign = other.views(other.new(seeds), np.zeros(3, np.int8))
    for wrong in (foreign, states, views.tolist(), views[0]):
        with pytest.raises(BadInput, match="here an array of views of this game is asked for, not "):
            agent.start(game, wrong, streams)
    memory, rows = agent.start(game, views, streams), np.arange(3)
    for wrong, said in (
        (rows + 1, "this memory has 3 chairs, counted from 0, and no chair 3"),
        (rows - 1, "no chair -1"),
        (rows + 10**6, "no chair 1000002"),
        (rows[:2], "a chair for each of 3 views or events, not 2"),
        (rows * 1.0, "chairs are an array of whole numbers"),
        ([0, 1, 2], "chairs are an array of whole numbers"),
    ):
        with pytest.raises(BadInput, match=said):
            agent.act(views, memory, wrong)
    with pytest.raises(BadInput, match="here an array of views or events of this game is asked for"):
        agent.act(foreign, memory, rows)
    assert len(agent.act(views, memory, rows.astype(np.int8))) == 3


@pytest.mark.parametrize(
    ("label", "spec"),
    [
        *(("saboteur/krisnadi", spec) for spec in ("decision-2019", "kripke-2012", "mole:worlds=1", "stranger:seed=1")),
        *(("saboteur/krisnadi", spec) for spec in ("means-ends-2016", "learned", "random", "ismcts:iterations=4")),
        *(("speed_clue/mitchell", spec) for spec in ("advanced", "exact", "random", "stranger:seed=1")),
    ],
)
def test_views_of_games_of_more_seats_are_refused(label: str, spec: str) -> None:
    few, many, agent = game_of(label, 4), game_of(label, 6), player(label, spec)
    streams, rows = np.array([1, 2], np.uint64), np.arange(2)
    views = many.views(many.new(game_seeds(1, 0, 2)), np.zeros(2, np.int8))
    with pytest.raises(BadInput, match=f"{label} is played by 4 here, and a view is of a game of 6"):
        agent.start(few, views, streams)
    memory = agent.start(few, few.views(few.new(game_seeds(1, 0, 2)), np.zeros(2, np.int8)), streams)
    with pytest.raises(BadInput, match="these chairs sit in games of 4 seats, and a view is of a game of 6"):
        agent.act(views, memory, rows)


@pytest.mark.parametrize(("label", "seats", "spec"), SEATED)
def test_views_of_other_seats_than_the_chairs_own_are_refused(label: str, seats: int, spec: str) -> None:
    game, agent, seeds = game_of(label, seats), player(label, spec), game_seeds(1, 0, 3)
    states = game.new(seeds)
    mover = int(game.to_move(states)[0])
    states = states[game.to_move(states) == mover]
    count, other = len(states), (mover + 1) % seats
    views = game.views(states, np.full(count, mover, np.int8))
    across = game.views(states, np.full(count, other, np.int8))
    memory, rows = agent.start(game, views, np.arange(count, dtype=np.uint64)), np.arange(count)
    for wrong, chairs in ((across, rows), (across[:1], rows[:1])):
        with pytest.raises(BadInput, match=f"chair 0 sits on seat {mover}, and its view is that of seat {other}"):
            agent.act(wrong, memory, chairs)
    mixed = np.concatenate([views[:1], across[:1]])
    both = agent.start(game, np.concatenate([across[:1], views[:1]]), np.arange(2, dtype=np.uint64))
    with pytest.raises(BadInput, match=f"chair 0 sits on seat {other}, and its view is that of seat {mover}"):
        agent.act(mixed, both, np.arange(2))
    assert len(agent.act(views[:1], both, np.array([1]))) == 1
    taken = agent.take(both, np.array([1, 1, 0]))
    assert len(agent.act(views[:1], taken, np.array([1]))) == 1
    with pytest.raises(BadInput, match=f"chair 2 sits on seat {other}"):
        agent.act(views[:1], taken, np.array([2]))


@pytest.mark.parametrize(("label", "seats", "spec"), SEATED)
def test_reasons_for_what_another_seat_sees_are_refused(label: str, seats: int, spec: str) -> None:
    game, agent, seeds = game_of(label, seats), player(label, spec), game_seeds(1, 0, 1)
    states = game.new(seeds)
    mover = int(game.to_move(states)[0])
    views, across = (game.views(states, np.array([seat], np.int8)) for seat in (mover, (mover + 1) % seats))
    memory = agent.start(game, views, np.ones(1, np.uint64))
    reasons = agent.why(game, views, memory, 0)
    assert agent.why(game, views[0], memory, 0) == reasons
    if not reasons.endswith("gives no reasons."):
        with pytest.raises(BadInput, match=f"chair 0 sits on seat {mover}, and its view is that of seat"):
            agent.why(game, across, memory, 0)


@pytest.mark.parametrize(("label", "spec"), [("saboteur/krisnadi", "random"), ("duel/mcgill", "random-listed")])
def test_one_chair_by_lot_plays_for_all_seats_of_a_game(label: str, spec: str) -> None:
    game, agent, rows = game_of(label, 2 if "duel" in label else 4), player(label, spec), np.arange(3)
    states = game.new(game_seeds(1, 0, 3))
    memory = agent.start(game, game.views(states, game.to_move(states)), np.arange(3, dtype=np.uint64))
    moved = set()
    for _ in range(6):
        moved |= set(game.to_move(states).tolist())
        game.apply(states, agent.act(game.views(states, game.to_move(states)), memory, rows))
    assert len(moved) == game.seats
