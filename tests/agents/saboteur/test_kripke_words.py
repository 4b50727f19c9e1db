"""The reasons of the players of 2012, and the Kripke model that they show."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from agents.saboteur.kripke_beside import ONE, Beside, believed_of, kripke
from agents.saboteur.kripke_chair import VELDHUIS, Chair
from games.saboteur.playing import mover, seeds_of, seen_by, table
from molehunt.agents.saboteur.kripke_2012 import Memory
from molehunt.core.streams import seat_streams
from molehunt.games.saboteur.actions import DISCARD, unpack
from molehunt.games.saboteur.cards import SABOTEUR
from molehunt.games.saboteur.game import Saboteur

# --- Reasons ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", ["kripke-2012", "kripke-2012:explicit", "kripke-2012:undercover,depth=1", "kripke-2012:worth=1"]
)
def test_reasons_name_the_move_the_role_and_the_suspicion(spec: str) -> None:
    game, agent, seen = table(VELDHUIS), kripke(spec), Counter[str]()
    for number in range(6):
        seeds = seeds_of(number, 1)
        states = game.new(seeds)
        streams = seat_streams(seeds, 5)
        memories = [agent.start(game, seen_by(game, states, seat), streams[:, seat]) for seat in range(5)]
        while mover(states) >= 0:
            seat = mover(states)
            view, memory = seen_by(game, states, seat), memories[seat]
            kept = memory.records.tobytes() + memory.strengths.tobytes() + view.tobytes()
            why = agent.why(game, view, memory, 0)
            assert why == agent.why(game, view[0], memory, 0)
            assert memory.records.tobytes() + memory.strengths.tobytes() + view.tobytes() == kept
            action = agent.act(view, memory, ONE)
            seen += check_reasons(game, view, memory, why, int(action[0]))
            events = game.apply(states, action)
            for other_seat in range(5):
                agent.observe(events[:, other_seat], memories[other_seat], ONE)
    assert min(seen["played"], seen["thrown away"], seen["claimed"], seen["saboteur"], seen["miner"]) > 0


@pytest.mark.parametrize(("depth", "thinks"), [(1, False), (2, True)])
def test_who_has_no_picture_of_others_beliefs_does_not_say_who_suspects_it(depth: int, thinks: bool) -> None:
    game, agent = table(VELDHUIS), kripke(f"kripke-2012:strategy=adaptive,depth={depth}")
    states = game.new(seeds_of(0, 1))
    seat = int(np.flatnonzero(game.roles_of(states)[0] == SABOTEUR)[0])
    view = seen_by(game, states, seat)
    memory = agent.start(game, view, np.ones(1, np.uint64))
    role = agent.why(game, view, memory, 0).splitlines()[1]
    assert role.startswith("I am a saboteur and play a miner") and ("suspects me" in role) == thinks


def check_reasons(game: Saboteur, view: Any, memory: Memory, why: str, action: int) -> Counter[str]:
    """The text about one decision, line by line; what it was about."""
    seat, (choice, *lines) = int(memory.records["seat"][0]), why.splitlines()
    role = game.friendly_view(view).role
    assert lines[0].startswith(f"I am a {role}")
    if role == "saboteur":
        pretends = "play a miner" in lines[0]
        assert pretends == (not memory.records["explicit"][0])
    states = believed_of(memory, 0, 0)
    assert lines[1].startswith(f"I believe {len(states)} of 10 states; ")
    for team in states:
        if len(states) <= 6:
            assert "{" + ", ".join(f"seat {player}" for player in sorted(team - {seat})) + "}" in lines[1]
    assert f"seat {seat}" not in lines[1] and ("besides me" in lines[1]) == (role == "saboteur")
    for player in range(5):
        share = sum(player in team for team in states) / len(states)
        assert (f"seat {player} {100 * share:.0f} %" in lines[2]) == (player != seat)
    assert lines[2].startswith("Suspicion: ") and lines[3].startswith("Goals: top ")
    for count, cards in re.findall(r", (\d+) (cards?) away", lines[3]):
        assert (count == "1") == (cards == "card")
    text, kind = game.format_action(action), unpack(action)[0]
    if view["claiming"][0]:
        assert choice.startswith("I say ")
        return Counter({"claimed": 1, role: 1})
    assert choice.startswith(f"I choose {text}: ")
    if kind == DISCARD:
        listed = [line for line in lines if line.startswith("  ") and not line.endswith("of no use now")]
        worth = max((float(line.split()[1]) for line in listed), default=0.0)
        if worth > 0:
            said = re.search(r": I play no card that is worth (.+) to me or less, and this is", choice)
            assert said is not None and worth <= float(said[1])
        else:
            assert "nothing is worth playing, and this is a card that I can best spare." in choice
        return Counter({"thrown away": 1, role: 1})
    cards = [line for line in lines if line.startswith("  ")]
    values = [float(line.split()[1]) for line in cards if line.split()[1] != "-"]
    named = [line for line in cards if line.endswith(f"  {text}")]
    assert named and float(named[0].split()[1]) == max(values) == values[0]
    return Counter({"played": 1, role: 1})


def test_reasons_say_what_the_last_move_showed() -> None:
    chair = Chair()
    chair.know(2, 1, 3)
    for move, wanted in (
        ("P_EW@3,6", "made the best way 1.0 cards shorter"),
        ("rockfall@3,6", "made the best way 1.0 cards longer"),
        ("P_EW@1,6", "did not change the best way"),
        ("block>2", "so seat 3 and seat 2 are more likely on different sides"),
        ("deblock>2", "so seat 3 and seat 2 are more likely on the same side"),
        ("block>0", "so seat 3 and I are more likely on different sides"),
        ("deblock>0", "so seat 3 and I are more likely on the same side"),
        ("claim:top=gold", "a claim that I held against"),
        ("discard:map", "thrown away without need, so seat 3 is a little more suspicious"),
    ):
        chair.happens(3, move)
        line = chair.judged()
        assert wanted in line
        assert move.replace("discard:map", "discard:") in line


def test_a_move_that_showed_nothing_is_not_told_as_what_was_judged_last() -> None:
    """After it the last move is another one than the one that the player tells of."""
    chair = Chair()
    chair.know(2, 1, 3)
    chair.happens(3, "block>2")
    told = chair.judged()
    chair.happens(4, "map:top")
    assert (
        chair.judged()
        == told
        == (
            "The last move that I judged was block>2 by seat 3: so seat 3 and seat 2 are more likely on different sides."
        )
    )


def test_whose_beliefs_were_borrowed_is_told_as_something_past_and_not_as_if_nobody_were_trusted_as_much() -> None:
    """Others may be suspected less by now, and of those who are trusted alike it is the first."""
    chair = Chair()
    chair.memory.records["trusted"] = 3
    told = chair.agent.why(chair.game, chair.view, chair.memory, 0)
    assert "I trusted nobody more than seat 3 and moved my beliefs a little towards" in told


# --- The Kripke model ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_model_is_what_is_believed(depth: int) -> None:
    game, spec = table(VELDHUIS), f"kripke-2012:depth={depth}"
    checked = 0
    for number in range(4):
        beside = Beside(VELDHUIS, ["random", spec, "random", spec, "random"], 40 + number, spec, (number, 4))
        beside.run()
        for seat, (agent, memory) in beside.watchers.items():
            model = agent.model(game, memory, 0)
            assert len(model.worlds) == 10 and model.agents == (0, 1, 2, 3, 4)
            own = believed_of(memory, 0, 0)
            for player in range(5):
                if player == seat:
                    wanted = own
                elif depth > 1:
                    wanted = believed_of(memory, 0, 1 + player)
                else:
                    wanted = {state for state in beside.slow[seat].states if player not in state}
                assert model.logic(player, "belief") == "KD45" or len(wanted) == 10
                for world in (0, 7):
                    names = model.possible(player, world, "belief")
                    assert set(names) == {"{" + ",".join(map(str, sorted(team))) + "}" for team in wanted}
                for suspect in range(5):
                    inside = [suspect in team for team in wanted]
                    assert model.holds(f"B_{player} sab({suspect})", 3) == all(inside)
                    assert model.holds(f"M_{player} sab({suspect})", 3) == any(inside)
                    nested = model.valid(f"B_{seat} B_{player} sab({suspect}) <-> B_{player} sab({suspect})")
                    assert nested
                    checked += any(inside) and not all(inside)
            assert model.valid(f"B_{seat} ~B_{seat} false")
            assert model.facts_in("{1,3}") == ("sab(1)", "sab(3)")
    assert checked > 50
