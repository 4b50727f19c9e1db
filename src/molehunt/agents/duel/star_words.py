"""What `duel-star` says when it is asked why: the move and what speaks for it in a sentence, what it supposes, then the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.duel.star_comparison import Comparison
from molehunt.core.language import _, counted_in
from molehunt.core.places import place_said
from molehunt.core.words import joined, percent_said
from molehunt.games.duel.actions import DESTROY_TILE, DISCARD, FREE, HINDER, LAY, LOOK, unpack
from molehunt.games.duel.cards import GOAL_PLACES, NUGGET, UNKNOWN
from molehunt.games.duel.state import DECK
from molehunt.reading.duel.digging import TUNNEL

STEP = 0.5
"""By so many tiles a way must become shorter or longer to be said to."""
LIKELY = 0.5
"""From this chance on the other is said to dig."""


def in_words(compared: Comparison, nearer: float, reached: int) -> str:
    """The move, what it supposes, and the moves that were compared, the best first.

    `nearer`: by how many tiles the way is shorter after the move; `reached`: the set of goals that it reaches.
    """
    order = [int(index) for index in compared.order()]
    parts = [
        _(
            "It chooses {move}, which {does}: {basis}.",
            move=_move(compared, order[0]),
            does=purpose(compared.best, compared.views[0], nearer, reached),
            basis=_basis(compared, order),
        ),
        _supposed(compared) + _better(compared, order),
    ]
    if compared.games.any():
        listed = ", ".join(_told(compared, index) for index in order)
        if compared.solved:
            parts.append(_("The ending is solved: {moves}.", moves=listed))
        elif compared.by_policy:
            parts.append(_("What its network expects after each move and the answer to it: {moves}.", moves=listed))
        else:
            parts.append(_("Played on from: {moves}.", moves=listed))
    return "\n".join(parts)


def purpose(action: int, view: Any, nearer: float, reached: int) -> str:
    """What a move does, to the seat of a view."""
    play, card, _flipped, target = unpack(action)
    seat = int(view["seat"])
    goals = view["goals"]
    known = bool((goals == NUGGET).any() or (goals == UNKNOWN).sum() == 1)
    if play == LAY:
        return _purpose_of_tile(bool(TUNNEL[card]), known, nearer, reached)
    if play == LOOK:
        if known or goals[target] != UNKNOWN:
            return _("shows it nothing new")
        return _("shows what lies at the {place}", place=place_said(GOAL_PLACES[target]))
    if play == HINDER:
        return (
            _("puts one more malus before the other")
            if view["malus"][1 - seat]
            else _("keeps the other from laying tiles until it has a bonus")
        )
    if play == FREE:
        return _("takes one of its maluses away") if view["malus"][seat] > 1 else _("lets it lay tiles again")
    if play == DESTROY_TILE:
        if nearer >= STEP:
            return _("takes away what stands in the way")
        return _("makes the way to the nugget longer") if nearer <= -STEP else _("takes a tile off the board")
    assert play == DISCARD  # noqa: S101 - there is no other kind
    return _("waits and lays a card aside") if view["drawn"] == DECK else _("waits and changes a card for another")


def _purpose_of_tile(tunnel: bool, known: bool, nearer: float, reached: int) -> str:
    """What a tile does; `known`: whether it is known where the nugget is."""
    if reached:
        goals = [place_said(place) for goal, place in enumerate(GOAL_PLACES) if reached >> goal & 1]
        return counted_in("reaches the {places} goal", "reaches the {places} goals", len(goals), places=joined(goals))
    if nearer >= STEP:
        return _("shortens the way to the nugget") if known else _("shortens the way to where the nugget may be")
    if nearer <= -STEP:
        return _("makes the way to the nugget longer")
    return (
        _("hardly changes the way to the nugget")
        if tunnel
        else _("gets rid of a dead end where it changes the way little")
    )


def _basis(compared: Comparison, order: list[int]) -> str:
    """What speaks for the first of the moves against the one after it, or against another that brought more."""
    if not compared.games.any():
        if len(order) > 1 and compared.ways[order[0]] > 0:
            return _("so far from the nugget it compares no moves and plays as a simple digger would")
        if len(order) > 1:
            return _("with the nugget in reach it compares no moves")
        return (
            _("what it learned by playing leaves no other move worth a look")
            if compared.by_policy
            else _("it sees no other move that is of use")
        )
    share, after = shares(compared)[[order[0], order[1]]]
    said = {
        "whom": _whom(compared),
        "share": percent_said(share),
        "next": _move(compared, order[1]),
        "other": percent_said(after),
    }
    if said["share"] == said["other"]:
        return _("against {whom} it gives itself {share} to win after it, and as much after {next}", **said)
    if after < share:
        return _("against {whom} it gives itself {share} to win after it, and {other} after {next}", **said)
    return (
        _(
            "against {whom} it gives itself {share} to win after it, and {other} after {next}, but what it learned by playing "
            "speaks for its choice",
            **said,
        )
        if compared.by_policy
        else _(
            "against {whom} it gives itself {share} to win after it, and {other} after {next}, but the way is longer after that",
            **said,
        )
    )


def _whom(compared: Comparison) -> str:
    """For whom it takes the other."""
    if compared.digger < LIKELY:
        return _("somebody who seems to move at random")
    if compared.digger < compared.careless:
        return _("somebody who may well move at random")
    return _("somebody who also digs for the nugget")


def shares(compared: Comparison) -> npt.NDArray[np.float64]:
    """What each move brought on average: shape (moves,)."""
    return compared.totals / np.maximum(compared.games, 1)


def _better(compared: Comparison, order: list[int]) -> str:
    """Why the move is made though another, which was left out sooner, brought more; empty where none did."""
    brought = shares(compared)
    sooner = [index for index in order[1:] if compared.games[index] < compared.games[order[0]]]
    most = max(sooner, key=lambda index: brought[index], default=order[0])
    if percent_said(brought[most]) == percent_said(brought[order[0]]) or brought[most] < brought[order[0]]:
        return ""
    return " " + _(
        "{other} brought more, but it was tried less often, and left out when another move seemed to be worth more.",
        other=_move(compared, most),
    )


def _supposed(compared: Comparison) -> str:
    """What it holds of the other, and where it takes the nugget to be."""
    other = _(
        "It supposes that the other digs for the nugget with {digs} and else moves at random, and that who digs hurries with "
        "{hurries} and else waits for the last tile.",
        digs=percent_said(compared.digger),
        hurries=percent_said(compared.hurries),
    )
    if (compared.places == 1.0).any():
        where = _(
            "It knows that the nugget is at the {place}.", place=place_said(GOAL_PLACES[int(compared.places.argmax())])
        )
    else:
        places = ", ".join(
            f"{place_said(place)} {percent_said(chance)}"
            for place, chance in zip(GOAL_PLACES, compared.places, strict=True)
        )
        where = _("The nugget: {places}.", places=places)
    return f"{other} {where}"


def _move(compared: Comparison, index: int) -> str:
    return compared.game.format_action(int(compared.moves[index]))


def _told(compared: Comparison, index: int) -> str:
    """One of the moves, and what it brought."""
    move, games = _move(compared, index), int(compared.games[index])
    if not games:
        return move
    share = percent_said(compared.totals[index] / games)
    if compared.solved or compared.by_policy:
        return _("{move} ({share} in {deals} deals)", move=move, share=share, deals=games)
    return _("{move} ({share} in {games} games)", move=move, share=share, games=games)
