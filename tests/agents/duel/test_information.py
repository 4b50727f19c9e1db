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
from agents.examined import Examined, Leaky, Listener, Peeper
from agents.untrained import untrained
from games.duel.playing import GAME, mover, seeds_of
from molehunt.agents.built_in import BUILT_IN
from molehunt.agents.duel.learned import DuelLearnedAgent
from molehunt.core.agent import Agent, PlayerAgent
from molehunt.core.errors import BadInput
from molehunt.core.game import Game
from molehunt.core.match import play
from molehunt.core.record import make_record, parse_record
from molehunt.core.replay import Replay
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
