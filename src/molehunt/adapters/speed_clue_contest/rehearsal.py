"""A player tried out before it connects: what it cannot do is told while no game is at stake and nobody waits."""

from __future__ import annotations

from collections.abc import Callable

from molehunt.adapters.speed_clue_contest.client import ContestPlayer
from molehunt.adapters.speed_clue_contest.protocol import (
    Accuse,
    Disprove,
    OwnAccusation,
    OwnSuggestion,
    Reset,
    Show,
    Suggest,
)
from molehunt.core.errors import AgentFailure, MolehuntError
from molehunt.games.speed_clue.edition import Edition, even_deal
from molehunt.games.speed_clue.ruleset import MAX_SEATS, MIN_SEATS
from molehunt.games.speed_clue.suggestions import HeardSuggestion, Triple


def rehearse(make: Callable[[], ContestPlayer], whole: bool) -> None:
    """Let a new player take a seat, and where `whole` also suggest, decide about an accusation, and show a card.

    How many will play is not known: a player need only be able to with some number of seats. AgentFailure where it is with none.
    """
    failures = []
    for seats in range(MIN_SEATS, MAX_SEATS + 1):
        try:
            _play(make(), seats, whole)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a player may fail in any way
            failures.append(error)
        else:
            return
    first = failures[0]
    why = str(first) if isinstance(first, MolehuntError) else f"{type(first).__name__}: {first}"
    raise AgentFailure(f"{make().agent.name} cannot play, as was seen before any game: {why}") from first


def _play(player: ContestPlayer, seats: int, whole: bool) -> None:
    """A few messages as a server sends them."""
    edition = player.edition
    player.reply(Reset(seats, 0, _hand(edition, seats)))
    if not whole:
        return
    reply = player.reply(Suggest())
    if isinstance(reply, OwnSuggestion):
        player.reply(_answered(reply.cards, _hand(edition, seats)))
        decided = player.reply(Accuse())
        if isinstance(decided, OwnAccusation) and decided.cards is not None:
            return
    mine: Triple = (edition.first(0), edition.first(1), edition.first(2))
    shown = player.reply(Disprove(1, mine))
    if isinstance(shown, Show):
        player.reply(HeardSuggestion(1, mine, 0, shown.card))


def _hand(edition: Edition, seats: int) -> tuple[int, ...]:
    """Cards for the first seat, of all kinds alike."""
    size = even_deal(len(edition.names) - 3, seats)[0]
    return tuple(edition.first(place % 3) + place // 3 for place in range(size))


def _answered(cards: Triple, hand: tuple[int, ...]) -> HeardSuggestion:
    """A suggestion of the first seat, to which the next one shows a card, where it can have one."""
    theirs = [card for card in cards if card not in hand]
    return HeardSuggestion(0, cards, 1, theirs[0]) if theirs else HeardSuggestion(0, cards)
