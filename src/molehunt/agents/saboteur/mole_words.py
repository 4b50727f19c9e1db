"""What `mole` believes and why it moves so, for people to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.language import _, later
from molehunt.core.panels import Bar, Bars, Panel, Words, seat_name
from molehunt.core.places import place_said
from molehunt.core.seats import NOBODY
from molehunt.core.words import joined, number_said, percent_said
from molehunt.games.saboteur.actions import (
    ACCUSE,
    ASK,
    CLAIM,
    DISCARD,
    HIDDEN_CARD,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    pack,
    unpack,
)
from molehunt.games.saboteur.cards import (
    CARD_TOOLS,
    CLAIMED_GOLD,
    FIRST_DEAD_END,
    GOAL_PLACES,
    GOLD,
    MINER,
    ROLE_NAMES,
    SABOTEUR,
    UNKNOWN_GOAL,
)
from molehunt.games.saboteur.game import Saboteur
from molehunt.reading.saboteur.deeds import NEARER
from molehunt.reading.saboteur.habits import ANYBODY, RANDOM, STYLE_NAMES
from molehunt.reading.saboteur.suspicion import Deal

SHOWN = 6
"""Moves that are told with their worth."""
TELLS = 0.005
"""What a difference in worth must be to be told."""
SUSPICIOUS = 0.02
"""Below this chance nobody is suspected."""
ALIKE = 0.005
"""Chances that differ by less, or are said the same, are the same to a reader."""
SPEAKS = 0.7
"""A move is named as the reason for a suspicion where it speaks at least so much for it: it doubles the odds."""
FEW = 2
"""Of so many seats that are suspected alike each has its reason told."""

KNOWN = 0.5
"""From this chance on it is told whom a seat plays like."""
LIKENESSES = {
    "means-ends-2016": later("{name} plays like the plain planner ({chance})."),
    "decision-2019": later("{name} plays like the careful digger ({chance})."),
    "kripke-2012": later("{name} plays like the mind reader ({chance})."),
    "mole": later("{name} plays like the detective ({chance})."),
    RANDOM: later("{name} plays as if at random ({chance})."),
    ANYBODY: later("{name} plays like no player that I know ({chance})."),
}
"""What is said of a seat, by how the name of the style begins that it seems to have (`habits.STYLE_NAMES`)."""


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


def likeness_panel(styles: npt.NDArray[np.float64]) -> tuple[Panel, ...]:
    """Whom seats play like, by the chances of styles, shape (seats, styles); nothing while that is not known of any."""
    kinds = {kind: [style for style, name in enumerate(STYLE_NAMES) if name.startswith(kind)] for kind in LIKENESSES}
    told = []
    for other in range(len(styles)):
        chances = {kind: float(styles[other, own].sum()) for kind, own in kinds.items()}
        most = max(chances, key=lambda kind: chances[kind])
        if chances[most] >= KNOWN:
            told.append(_(LIKENESSES[most], name=seat_name(other), chance=percent_said(chances[most])))
    return (Words(_("How they seem to play"), "\n".join(told)),) if told else ()


@dataclass(frozen=True)
class Belief:
    """What a seat believes, and why: chances of sets of saboteurs and places of the gold, to it and to an onlooker.

    `own` and `public` have the shape (sets, 3). `turns` are the moves of the round (`suspicion.TURN`), and `weights` how much each
    speaks for its player being a saboteur, to this seat (`telling`).
    """

    deal: Deal
    own: npt.NDArray[np.float64]
    public: npt.NDArray[np.float64]
    turns: npt.NDArray[Any]
    weights: npt.NDArray[np.float64]

    @property
    def gold(self) -> npt.NDArray[np.float64]:
        """How likely the gold lies on each goal."""
        places: npt.NDArray[np.float64] = self.own.sum(axis=0)
        return places


@dataclass(frozen=True)
class Weighed:
    """The moves at a view, the best first; all arrays have the shape (moves,).

    `worth` is what each brought on average in `worlds` worlds, `added` what it was taken to be worth besides because it is usual or
    liked, of which `faith` belongs to the usual move; the first `followed` were played on to be compared, the others were only
    glanced at.
    """

    moves: npt.NDArray[np.int32]
    worth: npt.NDArray[np.float64]
    worlds: npt.NDArray[np.int64]
    added: npt.NDArray[np.float64]
    followed: int
    usual: int
    faith: float

    @classmethod
    def said(cls, action: int) -> Weighed:
        """Something said, with which nothing is compared."""
        return cls(np.array([action], np.int32), np.zeros(1), np.zeros(1, np.int64), np.zeros(1), 1, action, 0.0)


def purpose(action: int, view: Any, nearer: float = 0.0) -> str:
    """What a move is for, to the seat of a view; `nearer` is by how many cards it shortens the way to the gold, to that seat."""
    play, card, form, target = unpack(action)
    digs = view["role"] == MINER
    if play in (PLAY_PATH, PLAY_ROCKFALL):
        return purpose_in_the_mine(play == PLAY_PATH, card >= FIRST_DEAD_END, digs, nearer)
    if play == PLAY_MAP:
        hidden = view["goals"] == UNKNOWN_GOAL
        # Who has seen the gold, or both stones, knows all goals.
        if not hidden[target] or hidden.sum() == 1 or (view["goals"] == GOLD).any():
            return _("shows me nothing new")
        return _("shows what lies at the {place}", place=place_said(GOAL_PLACES[target]))
    if play == PLAY_BREAK:
        if target == view["seat"]:
            return _("breaks one of my own tools")
        name = seat_name(target)
        return (
            _("breaks one more tool of {name}", name=name) if view["broken"][target] else _("stops {name}", name=name)
        )
    if play == PLAY_FIX:
        # The form names the tool where a repair mends one alone.
        tools = 1 << (form - 1) if form else int(CARD_TOOLS[card])
        own, mends_all = target == view["seat"], not int(view["broken"][target]) & ~tools
        if own:
            return _("lets me dig again") if mends_all else _("mends one of my tools")
        name = seat_name(target)
        return _("lets {name} dig again", name=name) if mends_all else _("mends a tool of {name}", name=name)
    if play == CLAIM:
        # One speaks of the goal that one has looked at.
        is_true = (form == CLAIMED_GOLD) == (view["goals"][target] == GOLD)
        return _("tells the others what I saw") if is_true else _("is a lie that is to lead the others astray")
    if play == ACCUSE:
        return (
            _("brings the others nearer to what I believe") if digs else _("leads the others away from what I believe")
        )
    if play == ASK:
        return _("asks for a repair that I do not hold")
    return _("throws away what I need least")


def purpose_in_the_mine(lays: bool, dead_end: bool, digs: bool, nearer: float) -> str:
    """What a tunnel, a dead-end or else a rockfall is for, by what it does to the way."""
    helps, hinders = nearer >= NEARER, nearer <= -NEARER
    if not lays:
        if digs and helps:
            return _("takes away what I think stands in the way")
        return _("takes away what the miners need") if hinders and not digs else _("takes away a card")
    if dead_end:
        if digs:
            return _("gets rid of a dead-end") if hinders else _("gets rid of a dead-end where it does little harm")
        return _("closes a way") if hinders else _("leaves a dead-end beside the way")
    if digs:
        return _("builds on the tunnels")
    if helps:
        return _("looks honest")
    return _("makes the way longer") if hinders else _("builds where it helps little")


def suspicion_line(game: Saboteur, seat: int, belief: Belief) -> str:
    """Whom the player suspects most, and since which move."""
    chances = seat_chances(belief.deal, belief.own, game.seats)
    others = sorted((other for other in range(game.seats) if other != seat), key=lambda other: -chances[other])
    most, least = chances[others[0]], chances[others[-1]]
    if most == 0.0:
        return _("The others are miners.")
    if most < SUSPICIOUS:
        return _("I take all others for miners.")

    def alike(one: float, other: float) -> bool:
        return abs(one - other) < ALIKE or percent_said(one) == percent_said(other)

    if alike(most, least):
        return _("I suspect all others alike ({chance}).", chance=percent_said(most))
    suspects = sorted(other for other in others if alike(chances[other], most))
    trusted = sorted(other for other in others if alike(chances[other], least) and other not in suspects)
    return _(
        "I suspect {suspect} most ({most}){since}. I suspect {trusted} least ({least}){since_when}.",
        suspect=joined(map(seat_name, suspects)),
        most=percent_said(most),
        since=since(game, belief, suspects, SABOTEUR),
        trusted=joined(map(seat_name, trusted)),
        least=percent_said(least),
        since_when=since(game, belief, trusted, MINER),
    )


def since(game: Saboteur, belief: Belief, seats: list[int], role: int) -> str:
    """For which moves some seats are taken to have a role; empty where no move speaks for it, or there are too many seats."""
    speaks = belief.weights if role == SABOTEUR else -belief.weights
    told = []
    for seat in seats if len(seats) <= FEW else []:
        own = np.flatnonzero(belief.turns["seat"] == seat)
        if not len(own):
            continue
        best = own[speaks[own].argmax()]
        if speaks[best] < SPEAKS:
            continue
        move, number = move_told(game, int(belief.turns["action"][best])), int(belief.turns["at"][best]) + 1
        told.append(
            _("for its {move} (move {number})", move=move, number=number)
            if len(seats) == 1
            else _("{name} for its {move} (move {number})", name=seat_name(seat), move=move, number=number)
        )
    return _(", above all {moves}", moves=joined(told)) if told else ""


def move_told(game: Saboteur, action: int) -> str:
    """A move that others saw, in notation; a card that was thrown away face down is not named."""
    if action == pack(DISCARD, HIDDEN_CARD, 0, 0):
        # For translators: the noun, what was done.
        return _("discard of a card")
    return game.format_action(action)


def choice_line(game: Saboteur, view: Any, move: int, nearer: float) -> str:
    """The move and what it is for."""
    return _(
        "As a {role} I choose {move}: it {does}.",
        role=_(ROLE_NAMES[int(view["role"])]),
        move=game.format_action(move),
        does=purpose(move, view, nearer),
    )


def numbers(game: Saboteur, found: Weighed, places: range) -> str:
    """What some moves brought."""
    told = []
    for place in places:
        move, worth = game.format_action(int(found.moves[place])), number_said(found.worth[place], "+.2f")
        worlds = int(found.worlds[place])
        told.append(
            _("{move} {worth} in one world", move=move, worth=worth)
            if worlds == 1
            else _("{move} {worth} in {worlds} worlds", move=move, worth=worth, worlds=number_said(worlds, ","))
        )
    return "; ".join(told)


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
        lines += better_lines(game, found, compared)
    if found.followed < len(found.moves):
        glanced = range(found.followed, min(len(found.moves), found.followed + SHOWN - len(compared)))
        if glanced:
            lines.append(_("At a glance: {told}.", told=numbers(game, found, glanced)))
    return lines


def better_lines(game: Saboteur, found: Weighed, compared: range) -> list[str]:
    """Why the move is taken though another one brought more."""
    better = max(compared, key=lambda place: found.worth[place])
    if found.worth[better] <= found.worth[0] + TELLS:
        return []
    names = {"other": game.format_action(int(found.moves[better])), "move": game.format_action(int(found.moves[0]))}
    if found.worlds[better] < found.worlds[0]:
        return [
            _("{other} brought more, but in fewer worlds; in the same ones I took {move} to be worth no less.", **names)
        ]
    by_faith = found.faith if found.moves[0] == found.usual else 0.0
    liked = found.added[0] - found.added[better] - by_faith
    reason = (
        _("it is what players usually do here") if by_faith > liked else _("what I learned by playing speaks for it")
    )
    return [_("{other} brought more, but I take {move}: {reason}.", **names, reason=reason)]


def explain(game: Saboteur, view: Any, belief: Belief, found: Weighed, nearer: npt.NDArray[np.float64]) -> str:
    """One sentence about the move, then whom it suspects, then the numbers.

    `nearer`: by how many cards the move shortens the way to each place of the gold.
    """
    seat = int(view["seat"])
    choice = [choice_line(game, view, int(found.moves[0]), float(belief.gold @ nearer))] if len(found.moves) else []
    lines = [
        *choice,
        suspicion_line(game, seat, belief),
        _(
            "An onlooker would take me for a saboteur with {chance}. The gold: {places}.",
            chance=percent_said(seat_chances(belief.deal, belief.public, game.seats)[seat]),
            places=", ".join(
                f"{place_said(place)} {percent_said(chance)}"
                for place, chance in zip(GOAL_PLACES, belief.gold, strict=True)
            ),
        ),
    ]
    accused = int(view["accused"][seat])
    if accused != NOBODY:
        lines.append(
            _(
                "I have accused {name}, whom I hold for a saboteur with {chance} now.",
                name=seat_name(accused),
                chance=percent_said(seat_chances(belief.deal, belief.own, game.seats)[accused]),
            )
        )
    return "\n".join(lines + worth_lines(game, found))
