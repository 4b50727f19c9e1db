"""No player sees more than its seat may know: all that is hidden is drawn anew, and no decision changes.

At every decision of the examined seat the rest of the world is drawn anew from what the seat may know: other hands, another
envelope, other cards shown between others. The view must be the same to the byte, and so must be the choice of the player
with a copy of its memory. Others play at random at times, so that there are wrong accusations and odd records.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from agents.examined import ONE, Examined, Leaky, Listener, Peeper
from agents.speed_clue.beside import AGENTS, SPECS
from agents.untrained import untrained
from games.speed_clue.playing import ORDERS, seeds_of
from molehunt.agents.built_in import BUILT_IN
from molehunt.agents.speed_clue.learned import ClueLearnedAgent
from molehunt.agents.speed_clue.strategies import ClueAgent
from molehunt.core.agent import Agent, Player, PlayerAgent
from molehunt.core.game import Game, States
from molehunt.core.panels import Panel, Words
from molehunt.core.streams import seat_streams
from molehunt.games.speed_clue.actions import PLAY_SHIFT, SHOW, encode
from molehunt.games.speed_clue.game import SpeedClue
from molehunt.games.speed_clue.ruleset import RULESETS
from molehunt.games.speed_clue.state import CARD_MASK, SHOWN_SHIFT


class LeakyGame(Leaky, SpeedClue):
    """The game with a back door."""


class Cautious(Listener):
    """A listener that accuses only where nothing else is left."""

    def options(self, view: Any) -> list[str]:
        actions = [str(action) for action in view.legal_actions[:400]]
        return [action for action in actions if not action.startswith("accuse")] or actions


class Burglar(Player):
    """A player that looks into the envelope through the back door, and asks for what lies there."""

    def choose(self, view: Any) -> str:
        envelope = int(view.game.truth["envelope"][0])
        inside = [name for card, name in enumerate(view.game.edition.names) if envelope >> card & 1]
        actions = [str(action) for action in view.legal_actions]
        wanted = "suggest " + ", ".join(inside)
        return wanted if wanted in actions else actions[-1]


def cards_shown(view: Any) -> int:
    """What others were shown."""
    return int((view.game.truth["record"][0] >> 21 & 31).sum())


LARGE = [entry.name for entry in BUILT_IN if entry.game == "speed_clue" and not entry.small_games]
"""Who plays more than small games."""
HONEST: dict[str, Callable[[], Agent]] = {
    **{spec: partial(AGENTS.make, spec) for spec in [*SPECS, "random", "exact:deals=60,trials=4,askers=1"]},
    "all options": partial(
        AGENTS.make,
        "basic:ask=mixed,solved=not_held,all_opponents=yes,repeats=2,cross_reference=yes,show=most_shown,deduction_6=never",
    ),
    "learned": partial(untrained, ClueLearnedAgent),
    "learned:told 6 moves": partial(untrained, ClueLearnedAgent, history=6),
    "plain Python": partial(PlayerAgent, "listener", Cautious),
}
CHEATS: dict[str, Callable[[], Agent]] = {
    "envelope": partial(PlayerAgent, "burglar", Burglar),
    "cards shown": partial(PlayerAgent, "onlooker", partial(Peeper, cards_shown)),
}


def test_every_agent_of_the_registry_is_examined() -> None:
    assert {name.partition(":")[0] for name in HONEST} == {*LARGE, "all options", "plain Python"}


def table_of(make: Callable[[], Agent], seats: int, number: int) -> Examined[LeakyGame]:
    """A game with the examined agent on one seat and others on the rest."""
    examined = number % seats

    def other(seat: int, luck: random.Random) -> Agent:
        # One accuses at random, and is out soon; the rest know what they do.
        accuses = seat == (examined + 1) % seats and number % 3 == 0
        return AGENTS.make("random" if accuses else luck.choice(SPECS))

    return Examined(LeakyGame(RULESETS[ORDERS[number % 2]], seats), seeds_of(number, 1), number, make, other)


def differences(make: Callable[[], Agent], seats: int, number: int) -> Counter[str]:
    """What differs between the truth and worlds drawn anew, at every decision of the examined seat in one game."""
    table, found = table_of(make, seats, number), Counter[str]()
    game, seat = table.game, table.seat
    while table.mover >= 0 and found["decisions"] < 150:
        if table.mover == seat:
            view = table.view(table.states, seat)
            legal = game.legal_actions(view)
            memory = table.memories[seat]
            keep = {id(game): game, id(game.params): game.params}
            chosen = table.decision(table.states, seat, copy.deepcopy(memory, dict(keep)))
            for _ in range(2):
                world = table.resampled()
                seen = table.view(world, seat)
                decided = table.decision(world, seat, copy.deepcopy(memory, dict(keep)))
                found["decisions"] += 1
                found["other hands"] += world["hands"].tobytes() != table.states["hands"].tobytes()
                found["other envelopes"] += world["envelope"][0] != table.states["envelope"][0]
                found["other cards shown"] += world["record"].tobytes() != table.states["record"].tobytes()
                found["view differs"] += seen.tobytes() != view.tobytes()
                found["legal actions differ"] += list(map(int, game.legal_actions(seen))) != list(map(int, legal))
                found["choice differs"] += decided != chosen
        table.move()
    return found


@pytest.mark.parametrize("name", HONEST)
def test_decisions_are_the_same_whatever_is_hidden(name: str) -> None:
    found = Counter[str]()
    for number in range(5):
        found += differences(HONEST[name], 3 + number % 4, number)
    hidden = {"decisions", "other hands", "other envelopes", "other cards shown"}
    assert set(+found) == hidden, found
    assert found["decisions"] > (5 if name == "random" else 60)
    assert found["other hands"] > found["decisions"] / 2 and found["other envelopes"] > found["decisions"] / 4


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheater_is_caught_at_its_decisions(cheat: str) -> None:
    found = sum((differences(CHEATS[cheat], 4, number) for number in range(4)), Counter[str]())
    assert found["choice differs"] > 0
    assert found["view differs"] == found["legal actions differ"] == 0


# --- Reasons and beliefs in another world -----------------------------------------------------------------------------


class Chatterer(ClueAgent):
    """A player whose reasons and beliefs tell what it finds through the back door; its moves do not."""

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        return f"In the envelope lies {game.truth['envelope'][0]}."  # type: ignore[attr-defined] # of `LeakyGame`

    def beliefs(self, game: Game, view: Any, memory: Any, row: int) -> tuple[Panel, ...]:
        return (Words("Others", f"hold {game.truth['hands'][0].tolist()}"),)  # type: ignore[attr-defined] # the same


def chatterer() -> Agent:
    found = AGENTS.make("advanced")
    return Chatterer("chatterer", found.parameters)  # type: ignore[attr-defined] # of its family


def sat_through(table: Examined[LeakyGame], world: States, deal: States, number: int, moves: list[int]) -> Any:
    """The memory of the examined player in another world: dealt as `world` has it, and told of the moves from the deal on.

    Who had to show a card to another there shows the one that the record of `world` has.
    """
    game, seat, states = table.game, table.seat, deal.copy()
    states["hands"], states["envelope"] = world["hands"], world["envelope"]
    agent = table.agents[seat]
    memory = agent.start(game, table.view(states, seat), seat_streams(seeds_of(number, 1), game.seats)[:, seat])
    for move in moves:
        action = move
        if int(game.to_move(states)[0]) == seat:
            assert agent.act(table.view(states, seat), memory, ONE)[0] == move
        elif move >> PLAY_SHIFT == SHOW:
            asked = int(world["record"][0, int(states["suggestion_count"][0]) - 1])
            action = encode(SHOW, (asked >> SHOWN_SHIFT & CARD_MASK) - 1)
        events = game.apply(states, np.array([action], np.int32))
        if agent.observes:
            agent.observe(events[:, seat], memory, ONE)
    assert states["record"].tobytes() == world["record"].tobytes()
    return memory


def differences_told(make: Callable[[], Agent], seats: int, number: int) -> Counter[str]:
    """What a player says in the truth and not in another world in which it has sat through the whole game."""
    table, found = table_of(make, seats, number), Counter[str]()
    deal = table.states.copy()
    moves: list[int] = []
    while table.mover >= 0 and len(moves) < 80:
        if len(moves) % 7 == number or (table.mover == table.seat and len(moves) % 3 == 0):
            world = table.resampled()
            memory = sat_through(table, world, deal, number, moves)
            (reason, beliefs), (reason_there, beliefs_there) = (
                said(table, states, held)
                for states, held in [(table.states, table.memories[table.seat]), (world, memory)]
            )
            found["asked"] += 1
            found["other hands"] += world["hands"].tobytes() != table.states["hands"].tobytes()
            found["reasons"] += bool(reason)
            found["reasons differ"] += reason != reason_there
            found["beliefs differ"] += beliefs != beliefs_there
        moves.append(table.move()[0])
    return found


def said(table: Examined[LeakyGame], states: States, memory: Any) -> tuple[str, tuple[Panel, ...]]:
    """The reasons that the examined player gives, at its move, and what it believes."""
    agent, view = table.agents[table.seat], table.view(states, table.seat)
    reason = agent.why(table.game, view, memory, 0) if table.mover == table.seat else ""
    return reason, agent.beliefs(table.game, view, memory, 0)


@pytest.mark.parametrize("name", [name for name in HONEST if name != "plain Python"])
def test_reasons_and_beliefs_are_the_same_whatever_is_hidden(name: str) -> None:
    found = sum((differences_told(HONEST[name], 3 + number, number) for number in range(4)), Counter[str]())
    assert set(+found) == {"asked", "other hands", "reasons"}, found
    assert found["other hands"] > found["asked"] / 2


def test_who_tells_what_it_found_through_the_back_door_is_caught() -> None:
    found = sum((differences_told(chatterer, 4, number) for number in range(2)), Counter[str]())
    assert found["reasons differ"] > 0 and found["beliefs differ"] > 0
