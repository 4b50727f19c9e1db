"""What `mole` believes and why it moves so, for people to read."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.suspicion import Deal
from molehunt.core.panels import Bar, Bars, Panel
from molehunt.games.saboteur.actions import (
    CLAIM,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    unpack,
)
from molehunt.games.saboteur.cards import FIRST_DEAD_END, GOAL_PLACES, MINER, ROLE_NAMES, SABOTEUR
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.state import ROLE, SEAT

SHOWN = 6
"""Moves that are told with their worth."""
SUSPICIOUS = 0.02
"""Below this chance nobody is suspected."""
SPEAKS = 0.7
"""A move is named as the reason for a suspicion where it spoke at least so much for it: it doubles the odds."""


def seat_chances(deal: Deal, joint: npt.NDArray[np.float64], seats: int) -> npt.NDArray[np.float64]:
    """How likely each seat is a saboteur, from the chances of sets and goals: shape (seats,)."""
    by_team = joint.sum(axis=1)
    members = deal.teams[:, None] >> np.arange(seats) & 1
    result: npt.NDArray[np.float64] = by_team @ members
    return result


def bars(title: str, chances: dict[str, float]) -> Bars:
    """Chances as bars."""
    return Bars(title, 0.0, 1.0, tuple(Bar(name, chance, f"{chance:.0%}") for name, chance in chances.items()))


def belief_panels(
    game: Saboteur, view: Any, deal: Deal, own: npt.NDArray[np.float64], public: npt.NDArray[np.float64]
) -> tuple[Panel, ...]:
    """What a seat believes, what it may take everybody to believe who knows no role and no map, and where the gold may be."""
    seat = int(view["info"][SEAT])
    chances, all_know = seat_chances(deal, own, game.seats), seat_chances(deal, public, game.seats)
    return (
        bars(
            "How likely a saboteur",
            {f"seat {other}": float(chances[other]) for other in range(game.seats) if other != seat},
        ),
        bars("Where the gold is", dict(zip(GOAL_PLACES, own.sum(axis=0).tolist(), strict=True))),
        bars("As an onlooker sees it", {f"seat {other}": float(chance) for other, chance in enumerate(all_know)}),
    )


def purpose(action: int, role: int) -> str:
    """What a move is for."""
    play, card, _, target = unpack(action)
    digs = role == MINER
    if play == PLAY_PATH:
        if card >= FIRST_DEAD_END:
            return "gets rid of a dead-end where it does little harm" if digs else "closes a way"
        return "brings the tunnel on" if digs else "leads the tunnel where I want it, and looks honest"
    if play == PLAY_ROCKFALL:
        return "clears the way" if digs else "takes away what the miners need"
    if play == PLAY_MAP:
        return f"shows what lies at the {GOAL_PLACES[target]}"
    if play == PLAY_BREAK:
        return f"stops seat {target}"
    if play == PLAY_FIX:
        return f"lets seat {target} dig again"
    if play == CLAIM:
        return "is what I want the others to believe"
    return "throws away what I need least"


def suspicion_line(game: Saboteur, seat: int, case: Any, chances: npt.NDArray[np.float64]) -> str:
    """Whom the player suspects most, and since which move."""
    others = [other for other in range(game.seats) if other != seat]
    if max(chances[other] for other in others) < SUSPICIOUS:
        return "The others are miners."
    suspect = max(others, key=lambda other: chances[other])
    line = f"I suspect seat {suspect} most ({chances[suspect]:.0%})"
    if case["turns"][suspect, SABOTEUR] >= SPEAKS:
        line += f", above all for its {game.format_action(int(case['telling'][suspect, SABOTEUR]))}"
    trusted = min(others, key=lambda other: chances[other])
    line += f", and seat {trusted} least ({chances[trusted]:.0%})"
    if case["turns"][trusted, MINER] >= SPEAKS:
        line += f", above all for its {game.format_action(int(case['telling'][trusted, MINER]))}"
    return line + "."


def choice_line(game: Saboteur, role: int, move: int) -> str:
    """The move and what it is for."""
    return f"As a {ROLE_NAMES[role]} I choose {game.format_action(move)}: it {purpose(move, role)}."


def explain(
    game: Saboteur,
    view: Any,
    case: Any,
    deal: Deal,
    joint: npt.NDArray[np.float64],
    public: npt.NDArray[np.float64],
    moves: npt.NDArray[np.int32],
    worth: npt.NDArray[np.float64],
    worlds: npt.NDArray[np.int64],
) -> str:
    """One sentence about whom it suspects, one about the move, then the numbers; moves are given with the best first."""
    seat, role = int(view["info"][SEAT]), int(view["info"][ROLE])
    chances = seat_chances(deal, joint, game.seats)
    gold = joint.sum(axis=0)
    lines = [
        f"{suspicion_line(game, seat, case, chances)} {choice_line(game, role, int(moves[0]))}",
        f"An onlooker would hold me for a saboteur with {seat_chances(deal, public, game.seats)[seat]:.0%}. The gold: "
        + ", ".join(f"{place} {chance:.0%}" for place, chance in zip(GOAL_PLACES, gold, strict=True))
        + ".",
    ]
    if len(moves) > 1:
        told = "; ".join(
            f"{game.format_action(int(moves[place]))} {worth[place]:+.2f} in {worlds[place]:,}"
            for place in range(min(SHOWN, len(moves)))
        )
        lines.append(
            f"What moves bring me above the others' average, played on in worlds that I hold possible: {told}."
        )
    return "\n".join(lines)
