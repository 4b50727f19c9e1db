"""Speed Clue as a page shows it: a view, and what may be done, as plain values, from one seat's view or the public one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from molehunt.core.game import LegalActions
from molehunt.games.speed_clue.actions import ACCUSE, END, PLAY_SHIFT, SHOW, SUGGEST
from molehunt.games.speed_clue.edition import CATEGORIES, SINGULAR, Edition
from molehunt.games.speed_clue.friendly import Event, Suggestion, View, cards_of
from molehunt.table.clue_sheet import ENVELOPE, HAS, LACKS, SHOWN, FilledSheet
from molehunt.table.wording import capital

_MARKS = {HAS: "yes", LACKS: "no", SHOWN: "no"}


def position(view: View, names: Sequence[str], legal: LegalActions) -> dict[str, Any]:
    """A view of Speed Clue; `legal` is what its seat may do."""
    plays = {code >> PLAY_SHIFT for code in legal.codes}
    edition = view.game.edition
    seat = view.seat if view.seat >= 0 else None
    numbers = {name: card for card, name in enumerate(edition.names)}
    asked = view.suggestions[-1] if view.phase == "answer" and view.to_move == seat and seat is not None else None
    return {
        "headline": _headline(view, names, seat),
        "lines": [f"Turn {view.turns}", f"{names[view.on_turn]} is on turn"] if view.to_move is not None else [],
        "categories": categories(edition),
        "hand": None if seat is None else [numbers[card] for card in view.hand],
        "hands": None,
        "envelope": None,
        "sizes": list(view.hand_sizes),
        "out": sorted(view.out),
        "turn": view.on_turn,
        "phase": view.phase,
        "may": {
            "suggest": SUGGEST in plays,
            "accuse": ACCUSE in plays,
            "end": END in plays,
            "show": [numbers[card] for card in view.showable] if SHOW in plays else [],
        },
        "asked": None if asked is None else {"by": asked.seat, "cards": [numbers[card] for card in asked.cards]},
        "record": [_suggestion(number, made, numbers) for number, made in enumerate(view.suggestions, 1)],
        "accusations": [
            {"seat": other, "cards": [numbers[card] for card in cards], "right": right}
            for other, cards, right in view.accusations
        ],
        "sheet": None if seat is None else _sheet(view),
        "notice": None,
    }


def categories(edition: Edition) -> list[dict[str, Any]]:
    """All cards with their codes, by category."""
    return [
        {
            "title": capital(title),
            "what": SINGULAR[number],
            "cards": [
                {"card": card, "code": edition.codes[card], "name": edition.names[card]}
                for card in edition.cards(number)
            ],
        }
        for number, title in enumerate(CATEGORIES)
    ]


def open_up(found: dict[str, Any], state: Any, views: Sequence[View]) -> None:
    """Turn all cards of a public position up, from the truth and the views of all seats."""
    edition = views[0].game.edition
    numbers = {name: card for card, name in enumerate(edition.names)}
    found["hands"] = [[numbers[card] for card in view.hand] for view in views]
    found["envelope"] = [numbers[name] for name in cards_of(int(state[0]["envelope"]), edition)]
    # Who showed a card and who saw it know which one it was.
    for told in found["record"]:
        shown = views[told["by"]].suggestions[told["n"] - 1].shown
        if shown is not None:
            told["shown"] = numbers[shown]


def move_words(move: str, _names: Sequence[str], _seat: int | None) -> str:
    """A move in notation as an imperative: the notation reads so already."""
    return capital(move)


def news(event: Event, seat: int) -> str | None:
    """What the seat learned alone: the card that it was shown."""
    made = event.suggestion
    return f"You are shown {made.shown}." if made is not None and made.shown and made.seat == seat else None


def _headline(view: View, names: Sequence[str], seat: int | None) -> str:
    if view.to_move is None:
        return "The game is over"
    if view.to_move != seat:
        doing = {"turn": "to suggest", "answer": "to show a card", "after": "to accuse or to end the turn"}[view.phase]
        return f"{names[view.to_move]} is {doing}"
    return {
        "turn": "Your turn: make a suggestion",
        "answer": "You are asked: show a card",
        "after": "Accuse, or end your turn",
    }[view.phase]


def _suggestion(number: int, made: Suggestion, numbers: dict[str, int]) -> dict[str, Any]:
    return {
        "n": number,
        "by": made.seat,
        "cards": [numbers[card] for card in made.cards],
        "without": list(made.without),
        "disprover": made.disprover,
        "shown": None if made.shown is None else numbers[made.shown],
        "awaited": made.awaited,
    }


def _sheet(view: View) -> list[list[str]]:
    """What follows for the seat: for each card a mark for each seat and for the envelope."""
    sheet = FilledSheet(view)
    columns = [*range(view.seats), ENVELOPE]
    return [
        [_MARKS.get(sheet.mark(card, column), "") for column in columns] for card in range(len(view.game.edition.names))
    ]
