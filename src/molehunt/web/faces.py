"""What a page is sent of a game, whatever the game: the position, and what happened in words, for one seat or for watchers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from molehunt.core.errors import UnknownName
from molehunt.core.game import Game, Outcome, States
from molehunt.core.language import _, counted_in
from molehunt.core.seats import NOBODY
from molehunt.core.words import joined
from molehunt.games.registry import game_entry
from molehunt.web.face import Face, Shown
from molehunt.web.frames import Position
from molehunt.web.talk import PHRASES

_GENERAL = Face()


def face_of(name: str) -> Face:
    """The face of a game by its name: its own, or the one that does for any game."""
    own: Face | None = game_entry(name).get("face")
    return own or _GENERAL


def phrases_of(name: str) -> tuple[str, ...]:
    """What people say at a click at the tables of a game."""
    return (*PHRASES, *face_of(name).phrases)


def label_of(game: str, ruleset: str) -> str:
    """What is played, for people: the game and its ruleset; what no list names, as a game that is not installed, as it is typed."""
    try:
        entry = game_entry(game)
    except UnknownName:
        return f"{game} · {ruleset}"
    try:
        return f"{entry.short_title} · {_(entry.ruleset_entry(ruleset).title)}"
    except UnknownName:
        return f"{entry.short_title} · {ruleset}"


def position(game: Game, shown: Shown) -> Position:
    """A view as a page shows it."""
    return face_of(game.name).position(game, shown)


def open_position(game: Game, state: Any, names: Sequence[str], drawn: bool = True) -> Position:
    """A state, an array of one, with all cards revealed, as a replay shows it; with the game's drawings, if asked for."""
    face = face_of(game.name)
    seat = int(game.to_move(state)[0])
    to_move = None if seat == NOBODY else seat
    found = face.position(game, Shown(face.open_view(game, state), names, to_move, moves=False, drawn=drawn))
    face.open_up(found, game, state)
    return found


def tell_rounds(
    found: Position, game: Game, events: Sequence[Any], seat: int | None, as_left: Callable[[int], States]
) -> None:
    """Add to a position how the last of several rounds has ended, as a seat, or a watcher (None), may know it.

    `as_left(move)` is the state before the move with which a round has ended.
    """
    face_of(game.name).tell_rounds(found, game, events, seat, as_left)


def ends_round(game: Game, events: Any) -> bool:
    """Whether a round has ended with a move, after which roles are dealt anew; `events` are what all seats learned of it."""
    return face_of(game.name).ends_round(events)


def rounds(
    game: Game, events: Sequence[Any], state: Any, outcome: Outcome
) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    """The rounds of a game that is over, as (roles by seat, the seats that won); empty where it has no roles."""
    return face_of(game.name).rounds(game, events, state, outcome)


def who_won(game: Game, outcome: Outcome, names: Sequence[str]) -> str:
    """How a game ended, as a sentence with names."""
    reason = _(outcome.reason)
    if not outcome.winners:
        return _("Nobody wins: {reason}.", reason=reason)
    who, many = joined(names[seat] for seat in outcome.winners), len(outcome.winners)
    if face_of(game.name).is_most(outcome):
        return counted_in(
            "{who} has the most gold: {reason}.", "{who} have the most gold: {reason}.", many, who=who, reason=reason
        )
    return counted_in("{who} wins: {reason}.", "{who} win: {reason}.", many, who=who, reason=reason)


def sentence(game: Game, event: Any, names: Sequence[str], seat: int | None) -> str:
    """One event in words, as its reader may know it; `seat` is the reader's, None for a watcher."""
    return face_of(game.name).sentence(game, event, names, seat)


def told_openly(game: Game, events: Any, names: Sequence[str]) -> str:
    """A move where all cards lie open, in words, from what all seats learned of it."""
    return face_of(game.name).told_openly(game, events, names)


def move_in_words(game: Game, move: str, names: Sequence[str], seat: int) -> str:
    """A move in notation as an imperative."""
    return face_of(game.name).move_words(game, move, names, seat)


def private_news(game: Game, event: Any, seat: int) -> str | None:
    """What the seat to which an event came learned alone: what its map showed, or the card it was shown."""
    return face_of(game.name).news(game, event, seat)
