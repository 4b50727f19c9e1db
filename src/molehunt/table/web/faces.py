"""What a page is sent of a game, whatever the game: the position, and what happened in words, for one seat or for watchers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from molehunt.core.game import Game, LegalActions, Outcome, Views
from molehunt.games.duel.cards import CONTENT_NAMES
from molehunt.table import clue_words, duel_words, saboteur_words
from molehunt.table.web import clue_face
from molehunt.table.web.clue_face import clue_position, plays_of
from molehunt.table.web.mine_face import duel_position, open_hands, saboteur_position, show_goals

Position = dict[str, Any]
GOALS = {
    "saboteur": ("", "gold", "stone", "stone"),
    "duel": [{"nugget": "gold", "blank": "stone"}.get(name, "") for name in CONTENT_NAMES],
}
"""What a goal's content is called on a page, by its number."""
SENTENCES: Mapping[str, Callable[[Any, Sequence[str], int | None], str]] = {
    "saboteur": saboteur_words.sentence,
    "duel": duel_words.sentence,
    "speed_clue": clue_words.sentence,
}


def position(game: Game, view: Views, names: Sequence[str], moves: bool = True) -> Position:
    """A view, an array of one record, as a page shows it; with the legal moves of its seat, if asked for."""
    friendly = game.friendly_view(view)
    legal = game.legal_actions(view) if moves else LegalActions(game, np.empty(0, np.int32))
    if game.name == "saboteur":
        return saboteur_position(friendly, names, [action.text for action in legal])
    if game.name == "duel":
        return duel_position(friendly, names, [action.text for action in legal])
    return clue_position(friendly, names, plays_of(legal.codes))


def open_position(game: Game, state: Any, names: Sequence[str]) -> Position:
    """A state with all cards open, as a replay shows it."""
    views = [game.friendly_view(game.views(state, np.array([seat], np.int8))) for seat in range(game.seats)]
    found = position(game, game.public_view(state), names, moves=False)
    if game.name == "speed_clue":
        numbers = {name: card for card, name in enumerate(views[0].game.edition.names)}
        found["hands"] = [[numbers[card] for card in view.hand] for view in views]
        found["envelope"] = clue_face.envelope_of(state, views[0].game.edition)
        # Who showed a card and who saw it know which one it was.
        for told in found["record"]:
            if told["disprover"] is not None:
                told["shown"] = numbers[views[told["by"]].suggestions[told["n"] - 1].shown]
        return found
    found["hands"] = open_hands(game, views)
    show_goals(found, [GOALS[game.name][int(content)] for content in state[0]["goals"]])
    if game.roles:
        found["roles"] = [game.roles[int(role)] for role in game.roles_of(state)[0]]
    return found


def who_won(game: Game, outcome: Outcome, names: Sequence[str]) -> str:
    """How a game ended, as a sentence with names."""
    who = [names[seat] for seat in outcome.winners]
    if not who:
        return f"Nobody wins: {outcome.reason}."
    listed = f"{', '.join(who[:-1])} and {who[-1]}" if len(who) > 1 else who[0]
    # Where gold is shared out, who has most of it wins, and others may have found it, too.
    by_gold = game.name == "saboteur" and len(set(outcome.payoffs) - {0.0}) > 1
    verb = (
        ("have the most gold" if len(who) > 1 else "has the most gold")
        if by_gold
        else "win"
        if len(who) > 1
        else "wins"
    )
    return f"{listed} {verb}: {outcome.reason}."


def sentence(game: Game, event: Any, names: Sequence[str], seat: int | None) -> str:
    """One event in words, as its reader may know it; `seat` is the reader's, None for a watcher."""
    return SENTENCES[game.name](game.friendly_event(event), names, seat)


def move_in_words(game: Game, move: str, names: Sequence[str], seat: int) -> str:
    """A move in notation as an imperative."""
    if game.name == "speed_clue":
        return move[:1].upper() + move[1:]
    in_words = saboteur_words.move_words if game.name == "saboteur" else duel_words.move_words
    return in_words(move, names, seat)


def private_news(game: Game, event: Any, seat: int) -> str | None:
    """What the seat to which an event came learned alone: what its map showed, or the card it was shown."""
    told = game.friendly_event(event)
    if game.name == "speed_clue":
        made = told.suggestion
        return f"You are shown {made.shown}." if made is not None and made.shown and made.seat == seat else None
    words = {**saboteur_words.CONTENT_WORDS, **duel_words.CONTENT_WORDS}
    return f"You looked at the {told.move.partition(':')[2]} goal: it is {words[told.seen]}." if told.seen else None
