"""What a page is sent of a game, whatever the game: the position, and what happened in words, for one seat or for watchers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from molehunt.core.game import Game, LegalActions, Outcome, Views
from molehunt.table import clue_words, duel_words, saboteur_words
from molehunt.table.wording import joined
from molehunt.web import clue_face, duel_face, saboteur_face

Position = dict[str, Any]


@dataclass(frozen=True)
class Face:
    """One game on a page, by functions of its friendly views and events.

    `position(view, names, legal)` is a view as plain values; `open_up(position, state, views)` turns up all cards of a public
    position; `sentence(event, names, seat)` says what happened, `move_words(move, names, seat)` what may be done; `news(event,
    seat)` is what a seat learned alone; `is_most(outcome)` says whether the winners are those who have most of something.
    """

    position: Callable[[Any, Sequence[str], LegalActions], Position]
    open_up: Callable[[Position, Any, Sequence[Any]], None]
    sentence: Callable[[Any, Sequence[str], int | None], str]
    move_words: Callable[[str, Sequence[str], int | None], str]
    news: Callable[[Any, int], str | None]
    is_most: Callable[[Outcome], bool] = lambda _: False


FACES: Mapping[str, Face] = {
    "saboteur": Face(
        saboteur_face.position,
        saboteur_face.open_up,
        saboteur_words.sentence,
        saboteur_words.move_words,
        saboteur_face.news,
        saboteur_face.is_most,
    ),
    "duel": Face(duel_face.position, duel_face.open_up, duel_words.sentence, duel_words.move_words, duel_face.news),
    "speed_clue": Face(
        clue_face.position, clue_face.open_up, clue_words.sentence, clue_face.move_words, clue_face.news
    ),
}
"""By the game; a game that is to have a page is named here, and nowhere else on this side."""


def position(game: Game, view: Views, names: Sequence[str], moves: bool = True) -> Position:
    """A view, an array of one record, as a page shows it; with the legal moves of its seat, if asked for."""
    legal = game.legal_actions(view) if moves else LegalActions(game, np.empty(0, np.int32))
    return FACES[game.name].position(game.friendly_view(view), names, legal)


def open_position(game: Game, state: Any, names: Sequence[str]) -> Position:
    """A state with all cards open, as a replay shows it."""
    views = [game.friendly_view(game.views(state, np.array([seat], np.int8))) for seat in range(game.seats)]
    found = position(game, game.public_view(state), names, moves=False)
    FACES[game.name].open_up(found, state, views)
    return found


def who_won(game: Game, outcome: Outcome, names: Sequence[str]) -> str:
    """How a game ended, as a sentence with names."""
    if not outcome.winners:
        return f"Nobody wins: {outcome.reason}."
    many = len(outcome.winners) > 1
    verb = "win" if many else "wins"
    if FACES[game.name].is_most(outcome):
        verb = "have the most gold" if many else "has the most gold"
    return f"{joined(names[seat] for seat in outcome.winners)} {verb}: {outcome.reason}."


def sentence(game: Game, event: Any, names: Sequence[str], seat: int | None) -> str:
    """One event in words, as its reader may know it; `seat` is the reader's, None for a watcher."""
    return FACES[game.name].sentence(game.friendly_event(event), names, seat)


def move_in_words(game: Game, move: str, names: Sequence[str], seat: int) -> str:
    """A move in notation as an imperative."""
    return FACES[game.name].move_words(move, names, seat)


def private_news(game: Game, event: Any, seat: int) -> str | None:
    """What the seat to which an event came learned alone: what its map showed, or the card it was shown."""
    return FACES[game.name].news(game.friendly_event(event), seat)
