"""Any game in words for people: in its own, where its entry names some; else in its notation, with the names of those there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from molehunt.core.game import Game
from molehunt.core.language import _
from molehunt.core.panels import named
from molehunt.core.words import as_sentence, capital, joined
from molehunt.games.entry import GameWords
from molehunt.games.registry import game_entry


def words_of(game: Game) -> GameWords:
    """The words of a game: its own, or the general ones."""
    own: GameWords | None = game_entry(game.name).get("words")
    return own or GENERAL


def rules_of(game: Game) -> str:
    """The rules of a game for people."""
    return game_entry(game.name).rules_text(game)


def event_in_words(game: Game, event: Any, names: Sequence[str], seat: int | None) -> str:
    """An event, one record, as its reader may know it; `seat` is the reader's, None for somebody who watches.

    A game without words of its own tells it in its notation, as on a page: its friendly events are for players, and may say less.
    """
    if game_entry(game.name).get("words") is None:
        return as_sentence(named(game.format_event(event), names))
    return words_of(game).sentence(game.friendly_event(event), names, seat)


def roles_in_words(game: Game, roles: Sequence[int], names: Sequence[str], seat: int | None) -> list[str]:
    """Who had which role, role by role, the rarest first: "Spy: you and Bob."; nothing in a game without roles."""
    counts = sorted(range(len(game.roles)), key=lambda role: (list(roles).count(role), role))
    return [
        f"{capital(_(game.roles[role]))}: {joined(_name(other, names, seat) for other in held)}."
        for role in counts
        if (held := [other for other, each in enumerate(roles) if each == role])
    ]


def _name(who: int, names: Sequence[str], seat: int | None) -> str:
    return _("you") if who == seat else names[who]


def _sentence(event: Any, names: Sequence[str], _seat: int | None) -> str:
    return as_sentence(named(str(event), names))


def _move(move: str, names: Sequence[str], _seat: int | None) -> str:
    return named(move, names)


def first_word(move: str) -> str:
    """What a move in notation begins with, as a heading: "Peek" for "peek:1"."""
    found = re.match(r"[^\W_]+", move)
    return capital(found[0]) if found else _("Moves")


GENERAL = GameWords(_sentence, _move, first_word)
"""For a game that brings no words: its friendly events say themselves what happened, and its notation what may be done."""
