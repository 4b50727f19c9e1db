"""No player sees more than its seat may know, and a player's moves are a function of the game's seed and its seat.

At each decision of the examined seat all that is hidden is drawn anew: the other's hand and discards, the deck, the goals. The view
must be the same to the byte, and so must be the choice of the player with a copy of its memory.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from agents.duel.beside import AGENTS, SPECS, decide, decisions, mover_view, sit
from agents.examined import ONE, Examined, Leaky, Listener, Peeper
from agents.untrained import untrained
from games.duel.playing import GAME, mover, seeds_of
from molehunt.agents.built_in import BUILT_IN
from molehunt.agents.duel.greedy_2020 import Greedy2020Agent
from molehunt.agents.duel.learned import DuelLearnedAgent
from molehunt.core.agent import Agent, PlayerAgent
from molehunt.core.errors import BadInput
from molehunt.core.game import Game, States
from molehunt.core.match import play
from molehunt.core.panels import Panel, Words
from molehunt.core.record import make_record, parse_record
from molehunt.core.replay import Replay
from molehunt.core.streams import seat_streams
from molehunt.games.duel.actions import DISCARD, pack, unpack
from molehunt.games.duel.cards import NO_CARD
from molehunt.games.duel.game import Duel
from molehunt.games.registry import make_game
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.ruleset import RULESETS
from molehunt.search.expectimax import Search


class LeakyGame(Leaky, Duel):
    """The game with a back door."""


def hidden(field: str, view: Any) -> int:
    """What lies under the goals, what the other holds or has discarded, or what comes next, as one number."""
    lying: npt.NDArray[np.int8] = view.game.truth[0][field]
    if field in {"hands", "discards"}:
        lying = lying[1 - view.seat]
    return sum((place + 1) * int(value) for place, value in enumerate(lying))


HONEST: dict[str, Callable[[], Agent]] = {
    **{spec: partial(AGENTS.make, spec) for spec in SPECS},
    "and-or-2020:modelled": partial(AGENTS.make, "and-or-2020:opponent=modelled,hands=2,nodes=2000"),
    "duel-star:quick": partial(AGENTS.make, "duel-star:deals=6,candidates=4"),
    "duel-star:plays_on quickly": partial(AGENTS.make, "duel-star:plays_on,deals=6,candidates=4,near=99"),
    "learned": partial(untrained, DuelLearnedAgent),
    "learned:told 6 moves": partial(untrained, DuelLearnedAgent, history=6),
    "plain Python": partial(PlayerAgent, "listener", Listener),
}
SLOW = {
    "duel-star:tuned": 2,
    "duel-star:plays_on": 2,
    "duel-star:quick": 4,
    "duel-star:plays_on quickly": 2,
    "and-or-2020:modelled": 2,
}
"""Games of players that think longer; the others play more."""
CHEATS = ["goals", "hands", "discards", "deck"]


EXAMINED = {"random", "random-listed", "greedy-2020", "and-or-2020", "stranger", "duel-star", "learned"}
"""Who there is and is examined. Whoever adds a player adds it here, and sees below that it is examined as itself."""


def test_every_agent_of_the_registry_is_examined() -> None:
    assert {entry.name for entry in BUILT_IN if entry.game == "duel"} == EXAMINED
    made = {spec: make().name for spec, make in HONEST.items() if spec != "plain Python"}
    assert len(set(made.values())) == len(made)
    assert {name.partition(":")[0] for name in made.values()} == EXAMINED
    assert all(name.startswith(spec.partition(":")[0]) for spec, name in made.items()), made
    assert {name.partition(":")[0] for name in HONEST} == {
        *(entry.name for entry in BUILT_IN if entry.game == "duel"),
        "plain Python",
    }


def copied(memory: Any, game: Game) -> Any:
    """A memory of its own. The tables of a search hold nothing of a game from one run to the next, and are shared."""
    if isinstance(memory, tuple):
        parts: list[Any] = [part if isinstance(part, Search) else copied(part, game) for part in memory]
        return type(memory)(*parts) if hasattr(memory, "_fields") else tuple(parts)
    return copy.deepcopy(memory, {id(game): game})


def table_of(make: Callable[[], Agent], number: int) -> Examined[LeakyGame]:
    """A game with the examined agent on one seat and another on the other."""

    def other(_: int, luck: random.Random) -> Agent:
        return AGENTS.make(luck.choice(["random-listed", "greedy-2020", "duel-star:digger"]))

    return Examined(LeakyGame(), seeds_of(number, 1), number, make, other)


def differences(make: Callable[[], Agent], number: int) -> Counter[str]:
    """What differs between the truth and worlds drawn anew, at every decision of the examined seat in one game."""
    table, found = table_of(make, number), Counter[str]()
    game, seat = table.game, table.seat
    agent = table.agents[seat]
    while table.mover >= 0:
        if table.mover == seat:
            truth = table.states.copy()
            view = table.view(truth, seat)
            chosen = decide(agent, view, copied(table.memories[seat], game))
            for _ in range(2):
                world = table.resampled()
                found["decisions"] += 1
                for field in CHEATS:
                    found[f"other {field}"] += world[field].tobytes() != truth[field].tobytes()
                seen = table.view(world, seat)
                found["view differs"] += seen.tobytes() != view.tobytes()
                found["choice differs"] += decide(agent, seen, copied(table.memories[seat], game)) != chosen
        table.move()
    return found


@pytest.mark.parametrize("name", HONEST)
def test_decisions_are_the_same_whatever_is_hidden(name: str) -> None:
    found = sum((differences(HONEST[name], number) for number in range(SLOW.get(name, 4))), Counter[str]())
    assert set(+found) == {"decisions", *(f"other {field}" for field in CHEATS)}, found
    assert found["decisions"] > 20
    assert min(found["other hands"], found["other deck"]) > found["decisions"] / 2


@pytest.mark.parametrize("field", CHEATS)
def test_a_cheater_is_caught_at_its_decisions(field: str) -> None:
    make = partial(PlayerAgent, "peeper", partial(Peeper, partial(hidden, field)))
    found = sum((differences(make, number) for number in range(3)), Counter[str]())
    assert found["choice differs"] > 0 and found["view differs"] == 0


# --- Reasons and beliefs in another world -----------------------------------------------------------------------------


class Chatterer(Greedy2020Agent):
    """A player whose reasons and beliefs tell what it finds through the back door; its moves do not."""

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        return f"The other holds {game.truth['hands'][0].tolist()}."  # type: ignore[attr-defined] # of `LeakyGame`

    def beliefs(self, game: Game, view: Any, memory: Any, row: int) -> tuple[Panel, ...]:
        return (Words("Goals", str(game.truth["goals"][0].tolist())),)  # type: ignore[attr-defined] # the same


class World:
    """A game that was dealt otherwise and goes on as the true one does, as far as the examined seat can tell.

    What the seat learns with a move is swapped into its place, among the places that are hidden from the seat.
    """

    def __init__(self, states: States, seat: int, luck: random.Random) -> None:
        self.states, self.state, self.seat, self.luck = states, states[0], seat, luck

    def follow(self, game: Game, action: int, event: Any) -> Any:
        """Play the move of the true game, of which the seat learned `event`; the event here."""
        state, actor = self.state, int(event["seat"])
        play, card, *_ = unpack(action)
        for goal, content in enumerate(event["goals"].tolist()):
            if event["revealed"] >> goal & 1:
                self.place_goal(game, goal, content)
        if event["seen"]:
            self.place_goal(game, unpack(action)[3], int(event["seen"]))
        if actor == self.seat and event["drew"] != NO_CARD:
            top = int(state["drawn"])
            self.exchange(state["deck"][top : top + 1], int(event["drew"]))
        if actor != self.seat:
            size = int(state["hand_sizes"][actor])
            if play == DISCARD:
                action = pack(DISCARD, int(state["hands"][actor, self.luck.randrange(size)]), 0, 0)
            elif card not in state["hands"][actor, :size]:
                slot = self.luck.randrange(size)
                self.exchange(state["hands"][actor, slot : slot + 1], card)
        return game.apply(self.states, np.array([action], np.int32))[0, self.seat]

    def exchange(self, place: Any, card: int) -> None:
        """Let a place of one card have this one, which lies somewhere hidden from the seat; there is then what was here."""
        state, other, given = self.state, 1 - self.seat, int(place[0])
        for hidden in (state["hands"][other, : state["hand_sizes"][other]], state["deck"][state["drawn"] :]):
            found = np.flatnonzero(hidden == card)
            if given != card and found.size:
                hidden[found[0]], place[0] = given, card
                return
        if given != card:
            state["discards"][other, [card, given]] += [-1, 1]
            place[0] = card
            assert state["discards"][other, card] >= 0

    def place_goal(self, game: Game, goal: int, content: int) -> None:
        """Let a goal be what it is in truth; one that the seat does not know is then what this was."""
        goals = self.state["goals"]
        if goals[goal] != content:
            known = game.views(self.states, np.array([self.seat], np.int8), ONE)["goals"][0]
            other = next(place for place in range(3) if place != goal and not known[place] and goals[place] == content)
            goals[other], goals[goal] = goals[goal], content


def differences_told(make: Callable[[], Agent], number: int) -> Counter[str]:
    """What a player says in the truth and not in another world, in which it has sat from the deal on and was told the same."""
    table, found = table_of(make, number), Counter[str]()
    game, seat, agent = table.game, table.seat, table.agents[table.seat]
    world = World(table.resampled(), seat, table.random)
    memory = agent.start(game, table.view(world.states, seat), seat_streams(seeds_of(number, 1), game.seats)[:, seat])
    while table.mover >= 0:
        if table.mover == seat or table.states["turn"][0] % 5 == 0:
            (reason, beliefs), (reason_there, beliefs_there) = (
                said(table, states, held)
                for states, held in [(table.states, table.memories[seat]), (world.states, memory)]
            )
            found["asked"] += 1
            found["reasons"] += bool(reason)
            found["reasons differ"] += reason != reason_there
            found["beliefs differ"] += beliefs != beliefs_there
            for field in ("goals", "hands", "discards"):
                found[f"other {field}"] += world.states[field].tobytes() != table.states[field].tobytes()
        decided = table.decision(world.states, seat, memory) if table.mover == seat else None
        action, event = table.move()
        found["choice differs"] += decided not in {None, action}
        told = world.follow(game, action, event)
        found["event differs"] += told.tobytes() != event.tobytes()
        if agent.observes:
            agent.observe(told[None], memory, ONE)
    return found


def said(table: Examined[LeakyGame], states: States, memory: Any) -> tuple[str, tuple[Panel, ...]]:
    """The reasons that the examined player gives, at its move, and what it believes."""
    agent, view = table.agents[table.seat], table.view(states, table.seat)
    reason = agent.why(table.game, view, memory, 0) if table.mover == table.seat else ""
    return reason, agent.beliefs(table.game, view, memory, 0)


TOLD = {"asked", "reasons", "other goals", "other hands", "other discards"}
"""What may be found in two worlds that the seat cannot tell apart."""


@pytest.mark.parametrize("name", [name for name in HONEST if name != "plain Python" and SLOW.get(name, 4) > 2])
def test_reasons_and_beliefs_are_the_same_whatever_is_hidden(name: str) -> None:
    found = sum((differences_told(HONEST[name], number) for number in range(4)), Counter[str]())
    assert set(+found) == TOLD, found
    assert found["asked"] > 20 and found["other hands"] > found["asked"] / 2


def test_who_tells_what_it_found_through_the_back_door_is_caught() -> None:
    found = sum((differences_told(Chatterer, number) for number in range(2)), Counter[str]())
    assert found["reasons differ"] > 0 and found["beliefs differ"] > 0
    assert found["choice differs"] == found["event differs"] == 0


# --- The same seed ----------------------------------------------------------------------------------------------------

MORE_DEALS = {"duel-star:tuned", "duel-star:plays_on"}
"""Two editions of `duel-star`, which are their quick ones with more deals."""
COMPARED = [name for name in HONEST if name not in MORE_DEALS]


@cache
def games_of(name: str, first: int, count: int) -> list[list[int]]:
    """The moves of some games of a player on seat 1 against `random-listed`, all in one batch."""
    played = play(GAME, [AGENTS.make("random-listed"), HONEST[name]()], seeds_of(first, count), keep_actions=True)
    assert played.actions is not None
    return played.actions


@pytest.mark.parametrize("name", COMPARED)
def test_a_game_is_the_same_alone_and_in_any_batch(name: str) -> None:
    together = games_of(name, 60, 3)
    assert [games_of(name, 60 + number, 1)[0] for number in range(3)] == together
    assert games_of(name, 61, 2) == together[1:]
    assert len({tuple(moves) for moves in together}) == 3


@pytest.mark.parametrize("name", ["random", "greedy-2020:wins_first", "and-or-2020:wins_first", "duel-star:digger"])
def test_one_object_on_both_seats_plays_as_two_would(name: str) -> None:
    one = HONEST[name]()
    both, apart = (
        play(GAME, agents, seeds_of(70, 2), keep_actions=True).actions
        for agents in ([one, one], [HONEST[name](), HONEST[name]()])
    )
    assert both == apart and both


@pytest.mark.parametrize("name", COMPARED)
def test_games_replay_from_their_records(name: str) -> None:
    played = play(GAME, [AGENTS.make("random-listed"), HONEST[name]()], seeds_of(60, 1), keep_actions=True)
    assert played.actions is not None
    record = make_record(GAME, int(played.seeds[0]), ("random-listed", name), None, played.actions[0], played.states[0])
    replay = Replay(parse_record(record.line()), make_game)
    assert replay.states[-1].tobytes() == played.states[:1].tobytes()
    assert len(replay.states) == len(played.actions[0]) + 1


# --- Why --------------------------------------------------------------------------------------------------------------


def as_bytes(memory: Any) -> list[bytes]:
    """All that a memory holds, but for the tables of a search."""
    if isinstance(memory, tuple):
        return [held for part in memory if not isinstance(part, Search) for held in as_bytes(part)]
    return [memory.tobytes()] if isinstance(memory, np.ndarray) else [str(memory).encode()]


@pytest.mark.parametrize("name", [name for name in HONEST if name != "plain Python" and name not in MORE_DEALS])
def test_a_player_says_why_and_its_memory_stays_as_it_was(name: str) -> None:
    agent, legal = HONEST[name](), 0
    for states, _ in decisions(5, 23):
        seat, view = mover(states), mover_view(states)
        memory = sit(agent, states, seat)
        before = as_bytes(memory), view.tobytes(), states.tobytes()
        told = agent.why(GAME, view[0], memory, 0)
        assert told.strip() and len(told) > 20
        assert (as_bytes(memory), view.tobytes(), states.tobytes()) == before
        assert told == agent.why(GAME, view, memory, 0)
        # The reasons do not change the choice.
        fresh = sit(agent, states, seat)
        assert decide(agent, view, memory) == decide(agent, view, fresh)
        legal += any(GAME.format_action(int(action)) in told for action in GAME.legal_actions(view))
    # All but the players at random name moves.
    assert (legal > 0) == (not name.startswith("random"))


@pytest.mark.parametrize("name", ["greedy-2020:wins_first", "and-or-2020:wins_first"])
def test_the_players_of_2020_name_the_guess_and_the_best_moves_first(name: str) -> None:
    """The move that they make stands before its equals, of which there may be many."""
    agent = HONEST[name]()
    for states, _ in decisions(9, 3):
        seat, view = mover(states), mover_view(states)
        told = agent.why(GAME, view[0], sit(agent, states, seat), 0)
        assert told.startswith("The nugget is")
        numbers = [float(part.partition(")")[0].replace(",", "")) for part in told.split(" (")[1:]]
        assert numbers == sorted(numbers)
        move = GAME.format_action(int(decide(agent, view, sit(agent, states, seat))))
        assert f": {move}." in told if "A map comes before all else" in told else f"is better: {move} (" in told


@pytest.mark.parametrize("name", [name for name in SPECS if name != "random"])
def test_a_player_refuses_another_game(name: str) -> None:
    other = SpeedClue(next(iter(RULESETS.values())), 3)
    with pytest.raises(BadInput, match="plays duel, not speed_clue/"):
        HONEST[name]().start(other, np.zeros(1, other.view_dtype), np.ones(1, np.uint64))
