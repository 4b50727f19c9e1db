"""Why a player of 2012 does what it does, in words: what it believes, what moved it last, and the evaluation of its cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.kripke_parameters import Kripke2012
from molehunt.beliefs.kripke_draw import as_svg
from molehunt.core.language import _, counted_in
from molehunt.core.panels import Bar, Bars, Drawing, Panel, Words, seat_name
from molehunt.core.places import place_said
from molehunt.core.words import number_said, percent_said
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
SHOWN_WORTH = 0.0005
"""What a card is worth is written as nothing where it is less."""


def explain(
    game: Saboteur, parameters: Kripke2012, view: Any, memory: Memory, row: int, values: Any, actions: Any, move: int
) -> str:
    """The reasons of one chair at one view for a move."""
    mind = memory.records[row]
    lines = [
        choice_line(game, mind, move, parameters.worth, most_of_use(values, actions)),
        role_line(mind, parameters),
        belief_line(memory, row),
        suspicion_line(memory, row),
        goal_line(memory, row),
    ]
    if mind["last_action"] >= 0:
        lines.append(change_line(game, mind))
    if mind["trusted"] >= 0:
        lines.append(
            _(
                "I trusted nobody more than {name} and moved my beliefs a little towards what I think it believes.",
                name=seat_name(int(mind["trusted"])),
            )
        )
    if values is None:
        return "\n".join(lines)
    for slot in np.argsort(-values, kind="stable"):
        card = view["hand"][0, slot]
        if card != NO_CARD:
            playable = actions[slot] >= 0 and np.isfinite(values[slot])
            best = game.format_action(int(actions[slot])) if playable else _("of no use now")
            worth = number_said(values[slot], "8.3f") if np.isfinite(values[slot]) else " " * 7 + "-"
            lines.append(f"{CARD_NAMES[card]:>20}  {worth}  {best}")
    return "\n".join(lines)


def most_of_use(values: Any, actions: Any) -> float:
    """The most that a card is worth for which there is a use; minus infinity without one, or before a claim."""
    return -np.inf if values is None else float(np.max(values, initial=-np.inf, where=actions >= 0))


def choice_line(game: Saboteur, mind: Any, move: int, least: float = 0.0, most: float = -np.inf) -> str:
    """What it chooses, and what for: a card is played if it is worth more than `least`; `most` is the most that one is worth."""
    play, told = unpack(move)[0], game.format_action(move)
    if play == CLAIM:
        return (
            _("I say the opposite of what I saw, because I am a saboteur.")
            if mind["role"] == SABOTEUR
            else _("I say what I saw.")
        )
    if play == DISCARD and most >= SHOWN_WORTH:
        return _(
            "I choose {move}: I play no card that is worth {least} to me or less, and this is a card that I can best spare.",
            move=told,
            least=number_said(least, ".3f"),
        )
    if play == DISCARD:
        return _("I choose {move}: nothing is worth playing, and this is a card that I can best spare.", move=told)
    return _("I choose {move}: of my cards that are of use now none is worth more to me.", move=told)


def role_line(mind: Any, parameters: Kripke2012) -> str:
    """What the player is, and whether it pretends."""
    if mind["role"] != SABOTEUR:
        return _("I am a {role}.", role=_(ROLE_NAMES[mind["role"]]))
    adaptive = parameters.strategy == "adaptive"
    if mind["explicit"]:
        return _("I am a saboteur and no longer pretend.") if adaptive else _("I am a saboteur, openly.")
    suspecting = int(mind["suspecting"])
    # At depth one there is no picture of what the others believe.
    if not adaptive or parameters.depth == 1:
        return _("I am a saboteur and play a miner.")
    if not suspecting:
        return _("I am a saboteur and play a miner; nobody suspects me, I think.")
    return counted_in(
        "I am a saboteur and play a miner; one other suspects me, I think.",
        "I am a saboteur and play a miner; {n} others suspect me, I think.",
        suspecting,
    )


def belief_line(memory: Memory, row: int) -> str:
    """The role distributions that the player believes; of its own role it does not speak as of another's."""
    mind = memory.records[row]
    believed = np.flatnonzero(memory.believed()[row, 0])
    teams = [
        "{"
        + ", ".join(seat_name(int(seat)) for seat in np.flatnonzero(memory.roles[:, state]) if seat != mind["seat"])
        + "}"
        for state in believed
    ]
    shown = ", ".join(teams[:MANY_STATES]) + (", ..." if len(teams) > MANY_STATES else "")
    numbers = {"count": len(teams), "all": memory.roles.shape[1], "teams": shown}
    if mind["role"] == SABOTEUR:
        return _("I believe {count} of {all} states; besides me the saboteurs may be {teams}.", **numbers)
    return _("I believe {count} of {all} states; the saboteurs may be {teams}.", **numbers)


def suspicions(memory: Memory, row: int) -> npt.NDArray[np.float64]:
    """In which share of the believed states each seat is a saboteur: shape (seats,)."""
    result: npt.NDArray[np.float64] = memory.roles[:, memory.believed()[row, 0]].mean(axis=1)
    return result


def belief_panels(memory: Memory, row: int, model: KripkeModel) -> tuple[Panel, ...]:
    """What a chair believes, for people to look at: its suspicion of each other seat, and its model as a drawing."""
    own = int(memory.records["seat"][row])
    shares = suspicions(memory, row)
    bars = tuple(
        Bar(seat_name(seat), float(share), percent_said(share)) for seat, share in enumerate(shares) if seat != own
    )
    believed = belief_line(memory, row)
    suspected = Bars(_("Suspected of being a saboteur"), 0.0, 1.0, bars)
    if len(model.worlds) > MOST_DRAWN:
        told = _("Models of more than {most} worlds are not drawn.", most=MOST_DRAWN)
        return suspected, Words(_("The Kripke model"), f"{believed} {told}")
    return suspected, Drawing(_("The Kripke model"), as_svg(model), believed)


def suspicion_line(memory: Memory, row: int) -> str:
    """The same in words, the most suspected first."""
    shares = suspicions(memory, row)
    seat = memory.records["seat"][row]
    order = [player for player in np.argsort(-shares, kind="stable") if player != seat]
    told = ", ".join(f"{seat_name(int(player))} {percent_said(shares[player])}" for player in order)
    return _("Suspicion: {told}.", told=told)


def goal_line(memory: Memory, row: int) -> str:
    """What the player knows of the goals, how likely each is the gold, and how far it is."""
    mind = memory.records[row]
    parts = []
    for number, place in enumerate(GOAL_PLACES):
        content = mind["goals"][number]
        known = _(GOAL_NAMES[content] if content < len(GOAL_NAMES) else "a stone") if content else _("unknown")
        far = mind["lengths"][number]
        if mind["revealed"] >> number & 1:
            parts.append(f"{place_said(place)} {known}")
        else:
            way = counted_in("{n} card away", "{n} cards away", round(far)) if far < NO_WAY_SHOWN else _("no way there")
            parts.append(f"{place_said(place)} {known}, {way}")
    return _("Goals: {goals}.", goals="; ".join(parts))


def change_line(game: Saboteur, mind: Any) -> str:
    """What the last action of another showed that told it something: not every last one does."""
    action, actor = int(mind["last_action"]), int(mind["last_seat"])
    play, _card, _place, target = unpack(action)
    mover, aimed_at = seat_name(actor), seat_name(target)
    at_me = target == int(mind["seat"])
    if play in (PLAY_PATH, PLAY_ROCKFALL):
        change = float(mind["last_change"])
        if abs(change) >= NO_WAY_SHOWN / 3:
            meaning = (
                _("it opened a way to what may be the gold, as I judge")
                if change > 0
                else _("it closed the way to what may be the gold, as I judge")
            )
        elif abs(change) >= SHOWN:
            cards = number_said(abs(change), ".1f")
            meaning = (
                _("it made the best way {cards} cards shorter, as I judge", cards=cards)
                if change > 0
                else _("it made the best way {cards} cards longer, as I judge", cards=cards)
            )
        else:
            meaning = _("it did not change the best way, as I judge")
    elif play == PLAY_BREAK:
        meaning = (
            _("so {actor} and I are more likely on different sides", actor=mover)
            if at_me
            else _("so {actor} and {target} are more likely on different sides", actor=mover, target=aimed_at)
        )
    elif play == PLAY_FIX:
        meaning = (
            _("so {actor} and I are more likely on the same side", actor=mover)
            if at_me
            else _("so {actor} and {target} are more likely on the same side", actor=mover, target=aimed_at)
        )
    elif play == CLAIM:
        meaning = _("a claim that I held against what I know and what others said")
    elif play == DISCARD:
        meaning = _("a card thrown away without need, so {actor} is a little more suspicious", actor=mover)
    else:
        meaning = _("which shows nothing")
    move = game.format_action(action)
    return _("The last move that I judged was {move} by {name}: {meaning}.", name=mover, move=move, meaning=meaning)
