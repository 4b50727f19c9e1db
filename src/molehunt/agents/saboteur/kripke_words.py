"""Why a player of 2012 does what it does, in words: what it believes, what moved it last, and the evaluation of its cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.kripke_parameters import Kripke2012
from molehunt.beliefs.kripke_draw import as_svg
from molehunt.core.panels import Bar, Bars, Drawing, Panel, Words
from molehunt.games.saboteur.actions import CLAIM, DISCARD, PLAY_BREAK, PLAY_FIX, PLAY_PATH, PLAY_ROCKFALL, unpack
from molehunt.games.saboteur.cards import CARD_NAMES, GOAL_NAMES, GOAL_PLACES, NO_CARD, ROLE_NAMES, SABOTEUR
from molehunt.games.saboteur.game import Saboteur

if TYPE_CHECKING:
    from molehunt.agents.saboteur.kripke_2012 import Memory
    from molehunt.beliefs.kripke import KripkeModel

MANY_STATES = 6
MOST_DRAWN = 60
"""A model of more worlds is not drawn: it would be no picture."""
NO_WAY_SHOWN = 29.0
SHOWN = 0.05
"""A change that is less is written as none."""


def explain(
    game: Saboteur, parameters: Kripke2012, view: Any, memory: Memory, row: int, values: Any, actions: Any
) -> str:
    """The reasons of one chair at one view."""
    mind = memory.records[row]
    lines = [
        role_line(mind, parameters),
        belief_line(memory, row),
        suspicion_line(memory, row),
        goal_line(memory, row),
    ]
    if mind["last_action"] >= 0:
        lines.append(change_line(game, mind))
    if mind["trusted"] >= 0:
        lines.append(
            f"I trust seat {mind['trusted']} most and moved my beliefs a little towards what I think it believes."
        )
    if values is None:
        told = "the opposite of what I saw, because I am a saboteur" if mind["role"] == SABOTEUR else "what I saw"
        return "\n".join([*lines, f"I say {told}."])
    for slot in np.argsort(-values, kind="stable"):
        card = view["hand"][0, slot]
        if card != NO_CARD:
            playable = actions[slot] >= 0 and np.isfinite(values[slot])
            best = game.format_action(int(actions[slot])) if playable else "of no use now"
            worth = f"{values[slot]:8.3f}" if np.isfinite(values[slot]) else " " * 7 + "-"
            lines.append(f"{CARD_NAMES[card]:>20}  {worth}  {best}")
    if not any(value > parameters.worth for value in values):
        lines.append("Nothing is worth playing: I throw away the card I can best spare.")
    return "\n".join(lines)


def role_line(mind: Any, parameters: Kripke2012) -> str:
    """What the player is, and whether it pretends."""
    if mind["role"] != SABOTEUR:
        return f"I am a {ROLE_NAMES[mind['role']]}."
    if not mind["explicit"]:
        others = f"; {mind['suspecting']} others suspect me, I think" if parameters.strategy == "adaptive" else ""
        return f"I am a saboteur and play a miner{others}."
    return "I am a saboteur and no longer pretend." if parameters.strategy == "adaptive" else "I am a saboteur, openly."


def belief_line(memory: Memory, row: int) -> str:
    """The role distributions that the player believes."""
    believed = np.flatnonzero(memory.believed()[row, 0])
    teams = [
        "{" + ", ".join(f"seat {seat}" for seat in np.flatnonzero(memory.roles[:, state])) + "}" for state in believed
    ]
    shown = ", ".join(teams[:MANY_STATES]) + (", ..." if len(teams) > MANY_STATES else "")
    return f"I believe {len(teams)} of {memory.roles.shape[1]} states; the saboteurs may be {shown}."


def suspicions(memory: Memory, row: int) -> npt.NDArray[np.float64]:
    """In which share of the believed states each seat is a saboteur: shape (seats,)."""
    result: npt.NDArray[np.float64] = memory.roles[:, memory.believed()[row, 0]].mean(axis=1)
    return result


def belief_panels(memory: Memory, row: int, model: KripkeModel) -> tuple[Panel, ...]:
    """What a chair believes, for people to look at: its suspicion of each other seat, and its model as a drawing."""
    own = int(memory.records["seat"][row])
    shares = suspicions(memory, row)
    bars = tuple(Bar(f"seat {seat}", float(share), f"{share:.0%}") for seat, share in enumerate(shares) if seat != own)
    believed = belief_line(memory, row)
    suspected = Bars("Suspected of being a saboteur", 0.0, 1.0, bars)
    if len(model.worlds) > MOST_DRAWN:
        return suspected, Words(
            "The Kripke model", f"{believed} Models of more than {MOST_DRAWN} worlds are not drawn."
        )
    return suspected, Drawing("The Kripke model", as_svg(model), believed)


def suspicion_line(memory: Memory, row: int) -> str:
    """The same in words, the most suspected first."""
    shares = suspicions(memory, row)
    seat = memory.records["seat"][row]
    order = [player for player in np.argsort(-shares, kind="stable") if player != seat]
    return "Suspicion: " + ", ".join(f"seat {player} {shares[player]:.0%}" for player in order) + "."


def goal_line(memory: Memory, row: int) -> str:
    """What the player knows of the goals, how likely each is the gold, and how far it is."""
    mind = memory.records[row]
    parts = []
    for number, place in enumerate(GOAL_PLACES):
        content = mind["goals"][number]
        known = (GOAL_NAMES[content] if content < len(GOAL_NAMES) else "a stone") if content else "unknown"
        far = mind["lengths"][number]
        if mind["revealed"] >> number & 1:
            parts.append(f"{place} {known}")
        else:
            parts.append(f"{place} {known}, {f'{far:.0f} cards away' if far < NO_WAY_SHOWN else 'no way there'}")
    return "Goals: " + "; ".join(parts) + "."


def change_line(game: Saboteur, mind: Any) -> str:
    """What the last action of another showed."""
    action, actor = int(mind["last_action"]), int(mind["last_seat"])
    play, _, _, target = unpack(action)
    text = game.format_action(action)
    if play in (PLAY_PATH, PLAY_ROCKFALL):
        change = float(mind["last_change"])
        if abs(change) >= NO_WAY_SHOWN / 3:
            made = "opened a way to" if change > 0 else "closed the way to"
            made += " what may be the gold"
        elif abs(change) >= SHOWN:
            made = f"made the best way {abs(change):.1f} cards {'shorter' if change > 0 else 'longer'}"
        else:
            made = "did not change the best way"
        meaning = f"{made}, as I judge"
    elif play == PLAY_BREAK:
        meaning = f"so it and seat {target} are more likely on different sides"
    elif play == PLAY_FIX:
        meaning = f"so it and seat {target} are more likely on the same side"
    elif play == CLAIM:
        meaning = "a claim that I held against what I know and what others said"
    elif play == DISCARD:
        meaning = "a card thrown away without need, so it is a little more suspicious"
    else:
        meaning = "which shows nothing"
    return f"Last, seat {actor} played {text}: {meaning}."
