"""What `mole` believes and why it moves so, for people to read."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.language import _
from molehunt.core.panels import Bar, Bars, Panel, seat_name
from molehunt.core.seats import NOBODY
from molehunt.games.saboteur.actions import (
    ACCUSE,
    ASK,
    CLAIM,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    pack,
    unpack,
)
from molehunt.games.saboteur.cards import FIRST_DEAD_END, GOAL_PLACES, MINER, ROLE_NAMES, SABOTEUR
from molehunt.games.saboteur.game import Saboteur
from molehunt.reading.saboteur.suspicion import Deal

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
    seat = int(view["seat"])
    chances, all_know = seat_chances(deal, own, game.seats), seat_chances(deal, public, game.seats)
    return (
        bars(
            _("How likely a saboteur"),
            {seat_name(other): float(chances[other]) for other in range(game.seats) if other != seat},
        ),
        bars(_("Where the gold is"), dict(zip(map(_, GOAL_PLACES), own.sum(axis=0).tolist(), strict=True))),
        bars(_("As an onlooker sees it"), {seat_name(other): float(chance) for other, chance in enumerate(all_know)}),
    )


def purpose(action: int, role: int) -> str:
    """What a move is for."""
    play, card, _place, target = unpack(action)
    digs = role == MINER
    if play == PLAY_PATH:
        if card >= FIRST_DEAD_END:
            return _("gets rid of a dead-end where it does little harm") if digs else _("closes a way")
        return _("brings the tunnel on") if digs else _("leads the tunnel where I want it, and looks honest")
    if play == PLAY_ROCKFALL:
        return _("clears the way") if digs else _("takes away what the miners need")
    if play == PLAY_MAP:
        return _("shows what lies at the {place}", place=_(GOAL_PLACES[target]))
    if play == PLAY_BREAK:
        return _("stops {name}", name=seat_name(target))
    if play == PLAY_FIX:
        return _("lets {name} dig again", name=seat_name(target))
    if play == CLAIM:
        return _("is what I want the others to believe")
    if play == ACCUSE:
        return (
            _("brings the others nearer to what I believe") if digs else _("leads the others away from what I believe")
        )
    if play == ASK:
        return _("asks for a repair that I do not hold")
    return _("throws away what I need least")


def suspicion_line(game: Saboteur, seat: int, case: Any, chances: npt.NDArray[np.float64]) -> str:
    """Whom the player suspects most, and since which move."""
    others = [other for other in range(game.seats) if other != seat]
    if max(chances[other] for other in others) < SUSPICIOUS:
        return _("The others are miners.")
    suspect = max(others, key=lambda other: chances[other])
    trusted = min(others, key=lambda other: chances[other])

    def since(other: int, role: int) -> str:
        if case["turns"][other, role] < SPEAKS:
            return ""
        return _(", above all for its {move}", move=game.format_action(int(case["telling"][other, role])))

    return _(
        "I suspect {suspect} most ({most}){since}, and {trusted} least ({least}){since_when}.",
        suspect=seat_name(suspect),
        most=f"{chances[suspect]:.0%}",
        since=since(suspect, SABOTEUR),
        trusted=seat_name(trusted),
        least=f"{chances[trusted]:.0%}",
        since_when=since(trusted, MINER),
    )


def choice_line(game: Saboteur, role: int, move: int) -> str:
    """The move and what it is for."""
    return _(
        "As a {role} I choose {move}: it {does}.",
        role=_(ROLE_NAMES[role]),
        move=game.format_action(move),
        does=purpose(move, role),
    )


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
    seat, role = int(view["seat"]), int(view["role"])
    chances = seat_chances(deal, joint, game.seats)
    gold = joint.sum(axis=0)
    lines = [
        f"{suspicion_line(game, seat, case, chances)} {choice_line(game, role, int(moves[0]))}",
        _(
            "An onlooker would hold me for a saboteur with {chance}. The gold: {places}.",
            chance=f"{seat_chances(deal, public, game.seats)[seat]:.0%}",
            places=", ".join(f"{_(place)} {chance:.0%}" for place, chance in zip(GOAL_PLACES, gold, strict=True)),
        ),
    ]
    if view["accused"][seat] != NOBODY:
        lines.append(
            _(
                "I have accused {name}: that {does}.",
                name=seat_name(int(view["accused"][seat])),
                does=purpose(pack(ACCUSE, 0, 0, 0), role),
            )
        )
    if len(moves) > 1:
        told = "; ".join(
            _(
                "{move} {worth} in {worlds}",
                move=game.format_action(int(moves[place])),
                worth=f"{worth[place]:+.2f}",
                worlds=f"{worlds[place]:,}",
            )
            for place in range(min(SHOWN, len(moves)))
        )
        lines.append(
            _(
                "What moves bring me above the others' average, played on in worlds that I hold possible: {told}.",
                told=told,
            )
        )
    return "\n".join(lines)
