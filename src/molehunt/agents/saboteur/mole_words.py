"""What `mole` believes and why it moves so, for people to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.language import _
from molehunt.core.panels import Bar, Bars, Panel, seat_name
from molehunt.core.places import place_said
from molehunt.core.seats import NOBODY
from molehunt.core.words import number_said, percent_said
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
from molehunt.games.saboteur.cards import CARD_TOOLS, FIRST_DEAD_END, GOAL_PLACES, MINER, ROLE_NAMES, SABOTEUR
from molehunt.games.saboteur.game import Saboteur
from molehunt.reading.saboteur.suspicion import Deal

SHOWN = 6
"""Moves that are told with their worth."""
TELLS = 0.005
"""What a difference in worth must be to be told."""
SUSPICIOUS = 0.02
"""Below this chance nobody is suspected."""
ALIKE = 0.005
"""Chances that differ by less are the same to a reader."""
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
    return Bars(title, 0.0, 1.0, tuple(Bar(name, chance, percent_said(chance)) for name, chance in chances.items()))


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
        bars(_("Where the gold is"), dict(zip(map(place_said, GOAL_PLACES), own.sum(axis=0).tolist(), strict=True))),
        bars(_("As an onlooker sees it"), {seat_name(other): float(chance) for other, chance in enumerate(all_know)}),
    )


@dataclass(frozen=True)
class Weighed:
    """The moves at a view, the best first; all arrays have the shape (moves,).

    `worth` is what each brought on average in `worlds` worlds, `added` what it was taken to be worth besides because it is usual or
    liked; the first `followed` were played on to be compared, the others were only glanced at.
    """

    moves: npt.NDArray[np.int32]
    worth: npt.NDArray[np.float64]
    worlds: npt.NDArray[np.int64]
    added: npt.NDArray[np.float64]
    followed: int
    usual: int

    @classmethod
    def said(cls, action: int) -> Weighed:
        """Something said, with which nothing is compared."""
        return cls(np.array([action], np.int32), np.zeros(1), np.zeros(1, np.int64), np.zeros(1), 1, action)


def purpose(action: int, view: Any) -> str:
    """What a move is for, to the seat of a view."""
    play, card, _place, target = unpack(action)
    digs = view["role"] == MINER
    if play == PLAY_PATH:
        if card >= FIRST_DEAD_END:
            return _("gets rid of a dead-end where it does little harm") if digs else _("closes a way")
        return _("builds on the tunnels") if digs else _("leads the tunnel where I want it, and looks honest")
    if play == PLAY_ROCKFALL:
        return _("takes away what I think stands in the way") if digs else _("takes away what the miners need")
    if play == PLAY_MAP:
        return _("shows what lies at the {place}", place=place_said(GOAL_PLACES[target]))
    if play == PLAY_BREAK:
        return _("stops {name}", name=seat_name(target))
    if play == PLAY_FIX:
        own, mends_all = target == view["seat"], not int(view["broken"][target]) & ~int(CARD_TOOLS[card])
        if own:
            return _("lets me dig again") if mends_all else _("mends one of my tools")
        name = seat_name(target)
        return _("lets {name} dig again", name=name) if mends_all else _("mends a tool of {name}", name=name)
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
    if chances[suspect] - chances[trusted] < ALIKE:
        return _("I suspect all others alike ({chance}).", chance=percent_said(chances[suspect]))

    def since(other: int, role: int) -> str:
        if case["turns"][other, role] < SPEAKS:
            return ""
        return _(
            ", above all for its {move} (move {number})",
            move=game.format_action(int(case["telling"][other, role])),
            number=int(case["telling_at"][other, role]) + 1,
        )

    return _(
        "I suspect {suspect} most ({most}){since}, and {trusted} least ({least}){since_when}.",
        suspect=seat_name(suspect),
        most=percent_said(chances[suspect]),
        since=since(suspect, SABOTEUR),
        trusted=seat_name(trusted),
        least=percent_said(chances[trusted]),
        since_when=since(trusted, MINER),
    )


def choice_line(game: Saboteur, view: Any, move: int) -> str:
    """The move and what it is for."""
    return _(
        "As a {role} I choose {move}: it {does}.",
        role=_(ROLE_NAMES[int(view["role"])]),
        move=game.format_action(move),
        does=purpose(move, view),
    )


def numbers(game: Saboteur, found: Weighed, places: range) -> str:
    """What some moves brought."""
    return "; ".join(
        _(
            "{move} {worth} in {worlds}",
            move=game.format_action(int(found.moves[place])),
            worth=number_said(found.worth[place], "+.2f"),
            worlds=number_said(found.worlds[place], ","),
        )
        for place in places
    )


def worth_lines(game: Saboteur, found: Weighed) -> list[str]:
    """What moves brought, why the best was taken if another brought more, and what was only glanced at."""
    if len(found.moves) < 2:
        return []
    lines = []
    compared = range(min(SHOWN, found.followed))
    if found.followed > 1:
        lines.append(
            _(
                "What moves bring me above the others' average, played on in worlds that I hold possible: {told}.",
                told=numbers(game, found, compared),
            )
        )
    better = max(compared, key=lambda place: found.worth[place])
    if found.worth[better] > found.worth[0] + TELLS and found.added[better] < found.added[0] - TELLS:
        reason = (
            _("it is what players usually do here")
            if found.moves[0] == found.usual
            else _("who learned by playing likes it more")
        )
        lines.append(
            _(
                "{other} brought more, but I take {move}: {reason}.",
                other=game.format_action(int(found.moves[better])),
                move=game.format_action(int(found.moves[0])),
                reason=reason,
            )
        )
    if found.followed < len(found.moves):
        glanced = range(found.followed, min(len(found.moves), found.followed + SHOWN - len(compared)))
        if glanced:
            lines.append(_("At a glance: {told}.", told=numbers(game, found, glanced)))
    return lines


def explain(
    game: Saboteur,
    view: Any,
    case: Any,
    deal: Deal,
    joint: npt.NDArray[np.float64],
    public: npt.NDArray[np.float64],
    found: Weighed,
) -> str:
    """One sentence about whom it suspects, one about the move, then the numbers."""
    seat = int(view["seat"])
    chances = seat_chances(deal, joint, game.seats)
    gold = joint.sum(axis=0)
    suspects = suspicion_line(game, seat, case, chances)
    lines = [
        f"{suspects} {choice_line(game, view, int(found.moves[0]))}" if len(found.moves) else suspects,
        _(
            "An onlooker would hold me for a saboteur with {chance}. The gold: {places}.",
            chance=percent_said(seat_chances(deal, public, game.seats)[seat]),
            places=", ".join(
                f"{place_said(place)} {percent_said(chance)}" for place, chance in zip(GOAL_PLACES, gold, strict=True)
            ),
        ),
    ]
    if view["accused"][seat] != NOBODY:
        lines.append(
            _(
                "I have accused {name}: that {does}.",
                name=seat_name(int(view["accused"][seat])),
                does=purpose(pack(ACCUSE, 0, 0, 0), view),
            )
        )
    return "\n".join(lines + worth_lines(game, found))
